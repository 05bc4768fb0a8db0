"""A daemon that answers in the place of a process of its own: ``client`` asks it, ``server`` is it, ``answers`` answers.

Starting Python with all that a decision imports takes ten times as long as the decision, and a hook starts before
each call of a tool. So one process of the user keeps what is imported, and nothing else: for each request it makes a
copy of itself (``fork``) that takes on the directory and the environment of whoever asks, reads policies and session
from the disk, answers as a process of its own would, and ends. Without a daemon the same function answers in the
process that asks.
"""

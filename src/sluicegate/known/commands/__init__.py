"""What programs do with their arguments: one block of text a program (``tables/``), read by ``spec.py``.

Vetting and policies ask the same blocks: which word is a file, an address or another command, and what leaves the machine.
"""

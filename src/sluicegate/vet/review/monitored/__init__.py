"""The review on the monitor of the flow door: asking a model, reading its answers and deciding are operations under policy.

``review.toml`` is that policy, ``guards`` are its guards, ``monitor.ReviewMonitor`` the one way to the three operations. What a
skill holds is ``untrusted``, what a model says of it is ``influenced``, and only what the envelope makes of that is blessed.
"""

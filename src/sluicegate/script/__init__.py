"""The script language: every value carries its labels, and every effect passes the monitor.

``scan`` cuts text into tokens, ``parse`` makes a ``tree`` of them, ``resolve`` says which names mean what,
and ``layout`` writes it evenly. ``docs/script.md`` describes the language.
"""

"""Scripting languages other than Python, shell and JavaScript: what reaches what, line by line."""

"""Prose: which deed a sentence orders, upon what, and for whom."""

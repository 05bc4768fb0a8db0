"""Constant expressions of programs, worked out without running them."""

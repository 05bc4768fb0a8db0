"""Tokens to a tree, by recursive descent."""

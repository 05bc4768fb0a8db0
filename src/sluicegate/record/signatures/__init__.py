"""Signatures: what is signed, how, where they are kept, and whether they hold."""

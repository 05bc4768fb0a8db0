"""Copies of files that an agent is about to write over, kept for a time outside of the workspace."""

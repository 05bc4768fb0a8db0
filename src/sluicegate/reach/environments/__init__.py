"""Environments with names: what an agent is started with, kept by its user, captured from its settings, taken elsewhere."""

"""Programs whose arguments a table cannot describe, and arguments with a syntax of their own."""

from penstock.flow.operations.readers import archives, editors, filters, find, git, network, shells, wrappers

__all__ = ["archives", "editors", "filters", "find", "git", "network", "shells", "wrappers"]

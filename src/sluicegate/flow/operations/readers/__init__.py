"""Programs whose arguments a table cannot describe, and arguments with a syntax of their own."""

from sluicegate.flow.operations.readers import (
    archives,
    editors,
    files,
    filters,
    find,
    git,
    keys,
    network,
    shells,
    wrappers,
)

__all__ = [
    "archives",
    "editors",
    "files",
    "filters",
    "find",
    "git",
    "keys",
    "network",
    "shells",
    "wrappers",
]

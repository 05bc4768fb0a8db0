"""What the readers of texts tell: files that are ordered to run, and files that are made."""

from __future__ import annotations

import posixpath

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.ordered.places import Base
from sluicegate.vet.intake.views.view import View


class Order(NamedTuple):
    """A file that the characters from ``start`` to ``end`` of a view order to run.

    ``base`` is what its path starts from. ``by`` is the name of what reads it: of an interpreter; none where the file is
    itself the command, or nobody says. ``module`` is the name of the module of Python that it is, with slashes; empty for
    a file.
    """

    path: str
    view: View
    start: int
    end: int
    base: Base
    by: str = ""
    module: str = ""


class WordsAround(NamedTuple):
    """The words before a path, with what leads in, and those behind it."""

    before: str
    behind: str


class Made(NamedTuple):
    """A file, or a folder with all in it, that a command makes; ``source`` is what it is a copy of, if it is one."""

    path: str
    source: str = ""
    folder: bool = False


def plain(path: str) -> str:
    """A path by which two that are written in different ways are compared."""
    return posixpath.normpath(path) if path else path

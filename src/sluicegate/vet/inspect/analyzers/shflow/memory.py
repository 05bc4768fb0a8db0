"""What is known while a shell text is read."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from sluicegate.vet.inspect.analyzers.shflow.values import NONE, ShellValue, Tag

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.programs import BundlePrograms
    from sluicegate.vet.inspect.analyzers.shflow.flow import ShellFlow
    from sluicegate.vet.inspect.analyzers.shflow.functions import CallKey
    from sluicegate.vet.inspect.analyzers.shflow.watched import Sink


STAGED = 64
"""Files, remotes and variables that one text of a document leaves to the next."""


class ShellState:
    """What is known at a point of the reading; shared with programs inside arguments and with what is sourced.

    ``programs`` are those of the bundle, ``path`` says where in it the text stands, and ``stdin`` are the facts of the
    input of the whole text. ``listening``: the text is read for what it does with what it is given; ``read``: somebody
    reads what it prints; ``documented``: it stands among sentences, which say what its gaps are filled with. ``exported`` are the
    variables that programs which are started see. ``remotes`` are those of the repository, by name. ``open`` are the files that are being read in the place of others,
    ``made`` those that the text itself has written. ``descriptors`` are the facts of what open files hold, by their numbers.
    ``functions`` says which reading knows the body of a function, ``followed`` what calls gave back that were
    followed into one, and ``within`` are those that are being followed.
    """

    __slots__ = (
        "descriptors", "documented", "exported", "files", "followed", "functions", "listening", "made", "open", "partial", "path", "programs", "read",
        "remotes", "returns", "sinks", "stdin", "steps", "used", "variables", "within",
    )  # fmt: skip

    def __init__(
        self,
        *,
        steps: int,
        programs: BundlePrograms | None = None,
        path: str = "",
        variables: dict[str, ShellValue] | None = None,
        stdin: frozenset[Tag] = NONE,
        listening: bool = False,
        read: bool = False,
        documented: bool = False,
    ) -> None:
        self.steps = steps
        self.programs = programs
        self.path = path
        self.variables = {} if variables is None else variables
        self.stdin = stdin
        self.listening = listening
        self.read = read
        self.documented = documented
        self.exported: set[str] = set()
        self.files: dict[str, frozenset[Tag]] = {}
        self.made: set[str] = set()
        self.remotes: dict[str, str] = {}
        self.sinks: dict[str, list[tuple[Sink, Tag]]] = {}
        self.returns: dict[str, frozenset[Tag]] = {}
        self.used: dict[str, int] = {}
        self.descriptors: dict[str, frozenset[Tag]] = {}
        self.functions: dict[str, ShellFlow] = {}
        self.followed: dict[CallKey, ShellValue] = {}
        self.within: list[str] = []
        self.partial = False
        self.open: set[str] = set()

    def follow(self, earlier: ShellState | None) -> None:
        """What an earlier text of the same document has left: files, remotes and variables."""
        if earlier is not None and (earlier.files or earlier.remotes or earlier.variables or earlier.made):
            self.files = dict(islice(earlier.files.items(), STAGED))
            self.remotes = dict(islice(earlier.remotes.items(), STAGED))
            self.variables |= islice(earlier.variables.items(), STAGED)
            self.exported |= set(sorted(earlier.exported)[:STAGED])
            self.made = set(earlier.made)

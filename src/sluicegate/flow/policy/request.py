"""What a policy is asked about: one operation, reduced to what capabilities and label rules can speak of.

``flow.operations`` makes these; nothing here looks at a file system, and nothing here holds a labelled value
that may be shown: only ``shown`` is for people, and it is written without values.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from msgspec import Struct

UNKNOWN: Final = ""
"""A path or a host that is not known. A deny takes it for a match; an allow only if it allows everything."""


class RequestHole(Struct, frozen=True):
    """An argument, or the middle of one, that is not known yet.

    ``prefix`` and ``suffix`` are the literal text around it (``--file={x}`` has the prefix ``--file=``).
    ``operand``: whatever fills it, it stands where no option can, or is held not to begin with ``-``.
    """

    prefix: str = ""
    suffix: str = ""
    operand: bool = False

    def could_be(self, text: str) -> bool:
        """Whether some value would make this argument ``text``."""
        if self.operand and text.startswith("-"):
            return False
        fits = len(text) >= len(self.prefix) + len(self.suffix)
        return fits and text.startswith(self.prefix) and text.endswith(self.suffix)


Token = str | RequestHole


class CommandView(Struct, frozen=True):
    """A command as capabilities see it, after wrappers have been seen through.

    ``program`` is the real path of what will run, ``UNKNOWN`` if it was not found; ``basename`` the name that
    it was asked for by. ``trusted_name``: that name, looked up on the trusted search path, gives exactly this
    program; only then does an allow that names the command by its basename cover it (a deny always does).

    ``arguments`` are those after the program, verbatim and in order. ``words`` are the arguments without
    options and their values, so ``git -C /src push origin`` has the words ``push origin``. ``words_known`` is
    false when the options of this program are not known, so that a word may be the value of an option.
    ``flags`` are the options that are given, without values: each as it is written, and clusters also split, so
    ``-rf`` gives ``-rf``, ``-r`` and ``-f``, and ``--depth=1`` gives ``--depth``. More spellings of the same
    option may be in it and do no harm.
    """

    program: str
    basename: str
    arguments: tuple[Token, ...] = ()
    words: tuple[Token, ...] = ()
    flags: frozenset[str] = frozenset()
    trusted_name: bool = True
    words_known: bool = True


class Request:
    """One operation, as policy sees it. Immutable by convention, hashable by ``key``.

    ``kind`` is the kind of operation (``cmd``, ``read``, ``fetch``); ``leaves`` its most specific labels, the
    declared ones among them (``op:cmd:git:push``, ``net:w``). ``paths`` are pairs of a mode (``r`` or ``w``)
    and a real path (symbolic links and ``..`` resolved), or ``UNKNOWN``; ``hosts`` are host names in lower case
    without port and final dot, or ``UNKNOWN``. ``whole`` are pairs of a mode and the real path of a directory that is
    reached with everything below it, whatever that is: a deny of something in there holds. ``shown`` is the operation
    for people, without values.

    ``tool`` is the tool that is called, ``SERVER:TOOL`` as it is spelled, for kind ``mcp``.

    ``unread`` says why shell text that the operation runs is not read; empty where it is, or where there is none. Such an
    operation could run any command, so what any rule about commands would refuse is refused.

    ``code`` are the real paths of what it takes code from that it runs, of files and of directories, or ``UNKNOWN``.

    ``start`` is the directory in which it starts, if that is another than the operation's; None if it is not known.

    ``key`` is made here from everything that a decision and its denial depend on, so that two requests with
    one key have one answer.
    """

    __slots__ = (
        "code",
        "command",
        "hosts",
        "key",
        "kind",
        "leaves",
        "paths",
        "shown",
        "start",
        "tool",
        "unread",
        "whole",
    )

    def __init__(
        self,
        *,
        kind: str,
        leaves: tuple[str, ...],
        command: CommandView | None = None,
        paths: tuple[tuple[str, str], ...] = (),
        hosts: tuple[str, ...] = (),
        whole: tuple[tuple[str, str], ...] = (),
        shown: str = "",
        unread: str = "",
        tool: str = "",
        code: tuple[str, ...] = (),
        start: str | None = "",
    ) -> None:
        self.kind = kind
        self.leaves = leaves
        self.command = command
        self.paths = paths
        self.hosts = hosts
        self.whole = whole
        self.shown = shown or kind
        self.unread, self.tool, self.code, self.start = unread, tool, code, start
        self.key: Hashable = (kind, leaves, command, paths, hosts, whole, self.shown, unread, tool)

    def labelled(self, *more: str) -> Request:
        """The same with more labels."""
        return Request(
            kind=self.kind,
            leaves=tuple(dict.fromkeys((*self.leaves, *more))),
            command=self.command,
            paths=self.paths,
            hosts=self.hosts,
            whole=self.whole,
            shown=self.shown,
            unread=self.unread,
            tool=self.tool,
            code=self.code,
            start=self.start,
        )

    def reaching(self, paths: tuple[tuple[str, str], ...], whole: tuple[tuple[str, str], ...]) -> Request:
        """The same with these paths in place of its own."""
        return Request(
            kind=self.kind,
            leaves=self.leaves,
            command=self.command,
            paths=tuple(dict.fromkeys(paths)),
            hosts=self.hosts,
            whole=tuple(dict.fromkeys(whole)),
            shown=self.shown,
            unread=self.unread,
            tool=self.tool,
            code=self.code,
            start=self.start,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Request) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Request({self.shown})"

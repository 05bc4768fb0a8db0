"""What a command gave, and how it is wanted."""

from __future__ import annotations

from msgspec import Struct


class Output(Struct, frozen=True, kw_only=True):
    """What a command gave. ``code`` is the exit code of the last stage, ``killed`` the limit that ended it, or empty.

    ``complete`` is False when a limit of output cut something off.
    """

    stdout: str | bytes
    stderr: str | bytes
    code: int
    codes: tuple[int, ...] = ()
    killed: str = ""
    complete: bool = True

    def __getitem__(self, name: str) -> object:
        """A field by its name, so that ``result["stdout"]`` gives it while it is labelled."""
        if name not in self.__struct_fields__:
            raise KeyError(name)
        return getattr(self, name)

    @property
    def ok(self) -> bool:
        """Whether every stage ended with 0, and no limit ended one."""
        return not self.killed and not any(self.codes)


class Manner(Struct, frozen=True, kw_only=True):
    """How a command is run: as text or bytes; ``check``: one that does not end well is a failure."""

    binary: bool = False
    check: bool = False

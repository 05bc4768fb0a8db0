"""Asking a person at a terminal: never a pipe, a file, a variable or a flag.

What is asked and answered goes through the terminal that controls this process (``/dev/tty``), whatever standard input and
output are. A program that makes a terminal of its own and types into it cannot be told from a person by this: what keeps
it out is the key (docs/review.md).
"""

from __future__ import annotations

import os
import secrets
import termios
from collections.abc import Mapping
from types import TracebackType

from sluicegate.reach.errors import UsageError
from sluicegate.reach.report.escape import printable

_AGENTS = ("CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI", "OPENCODE")
"""Variables that agents set for the commands they run. That none is set says nothing."""
_LETTERS = "abcdefghkmnpqrstuvwxyz23456789"
_LONGEST = 4096


class PersonAbsent(UsageError):
    """Nobody is there to ask."""

    code = "no-person"


class PersonTerminal:
    """The terminal of whoever started this process. Raises PersonAbsent where there is none, and for an agent."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        agent = next((name for name in _AGENTS if environ.get(name)), None)
        if agent is not None:
            raise PersonAbsent(
                f"a ruling is for a person, and an agent runs this command ({agent} is set)",
                hint="Rule in a terminal of your own.",
            )
        try:
            self._fd = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        except OSError:
            raise PersonAbsent(
                "a ruling is for a person at a terminal, and there is none",
                hint="Rule where you have one, or import a signed ruling: sluicegate queue import FILE",
            ) from None

    def __enter__(self) -> PersonTerminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._fd)

    @property
    def width(self) -> int:
        """Columns."""
        try:
            return os.get_terminal_size(self._fd).columns or 80
        except OSError:
            return 80

    def show(self, text: str) -> None:
        """Show text that has been made safe to show."""
        rest = memoryview(text.encode("utf-8", "backslashreplace"))
        while rest:
            rest = rest[os.write(self._fd, rest) :]

    def ask(self, question: str) -> str:
        """One line. What was typed before the question stood there is not taken for the answer."""
        termios.tcflush(self._fd, termios.TCIFLUSH)
        self.show(question)
        line = b""
        while not line.endswith(b"\n") and len(line) < _LONGEST:
            piece = os.read(self._fd, _LONGEST)
            if not piece:
                break
            line += piece
        return line.decode("utf-8", "replace").strip()

    def confirm(self, question: str, *, to: str = "sign it") -> bool:
        """Whether the person types the letters that are shown, which nobody can know before."""
        letters = "".join(secrets.choice(_LETTERS) for _ in range(6))
        return self.ask(f"{printable(question)}\nTo {to}, type {letters}: ") == letters

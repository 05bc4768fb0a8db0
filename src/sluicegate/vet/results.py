"""A file of results: what a run has examined so far, so that a later one can go on from there.

The first line says what made the results: this release, its code, its rules and the settings that bear on what is
seen. Each other line is one skill: a key over everything that was examined (every byte, name, mode and gap, and the
skills beside it), a digest of the line, and what was seen. No decision is kept: it is made anew, with today's baseline.

1. A file that something else made is refused; so is one whose lines are not ours.
2. A line is appended with one write, and only one process at a time may append.
3. A last line that was torn is dropped, and its skill examined again.
4. What failed for a reason outside the skill is not kept.

Whoever can write this file can say what was seen: it is yours, like a baseline, and never part of what is scanned.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import TracebackType

from sluicegate import __version__
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.inspect.rule import Sibling
from sluicegate.vet.intake.bundle import Bundle
from sluicegate.vet.skill import Examined
from sluicegate.vet.verdict.types import GapReason

FORMAT = 1
_PASSING = frozenset({GapReason.ANALYSIS_FAILED, GapReason.UNREADABLE})
"""Gaps that may be gone when the same skill is examined again."""


class ResultsFile:
    """The results in a file, and the way to add to them. A context manager."""

    def __init__(self, path: str | os.PathLike[str], digest: str) -> None:
        """Open or make the file for results of ``digest`` (see ``Scanner.digest``). Raises ConfigError."""
        self.path = Path(path)
        self._lines: dict[str, bytes] = {}
        made = {"sluicegate results": FORMAT, "version": __version__, "code": _code(), "settings": digest}
        header = _line(_encoded(made) + b"\n")
        try:
            self._file = os.open(
                path,
                os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC,
                0o600,
            )
        except OSError as error:
            raise ConfigError(
                f"cannot use the results in {self.path}: {error.strerror}",
                hint="Name a file in a folder that is there and that you may write to: --resume FILE.",
            ) from error
        try:
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise self._other()
            self._lock()
            self._load(header)
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the file go."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __len__(self) -> int:
        return len(self._lines)

    def get(self, key: str) -> Examined | None:
        """What was seen of the skill with this key, if it is in the file. Raises ConfigError when it is damaged."""
        line = self._lines.get(key)
        if line is None:
            return None
        import msgspec

        try:
            return msgspec.convert(json.loads(line)["seen"], Examined)
        except (ValueError, KeyError, TypeError, msgspec.ValidationError) as error:
            raise self._damaged(key) from error

    def add(self, key: str, seen: Examined) -> None:
        """Keep what was seen, once. Raises ConfigError when it cannot be written."""
        if key in self._lines or any(gap.reason in _PASSING for gap in seen.gaps):  # 4
            return
        body = _encoded({"key": key, "seen": seen}) + b"\n"
        self._append(_line(body))  # 2
        self._lines[key] = body

    def _append(self, line: bytes) -> None:
        try:
            if os.write(self._file, line) != len(line):
                raise OSError(28, "no room for a whole line")
        except OSError as error:
            raise ConfigError(
                f"cannot write the results to {self.path}: {error.strerror}",
                hint="Make room, or name a file elsewhere: --resume FILE.",
            ) from error

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ConfigError(
                f"{self.path} is in use by another run", hint="Give each run a file of results of its own."
            ) from error

    def _load(self, header: bytes) -> None:
        """Read what is there: every whole line has to be ours; what follows the last one is cut off."""
        with open(self._file, "rb", closefd=False) as stream:
            stream.seek(0)
            text = stream.read()
        whole = text.rpartition(b"\n")[0] + b"\n" if b"\n" in text else b""
        if not whole:
            if text and not header.startswith(text):
                raise self._other()
            os.ftruncate(self._file, 0)
            self._append(header)
            return
        first, *lines = whole.splitlines(keepends=True)
        if first != header:  # 1
            raise self._made_by_other(first)
        for key, line in self._checked(lines):
            self._lines[key] = line
        if len(whole) != len(text):  # 3
            os.ftruncate(self._file, len(whole))

    def _checked(self, lines: list[bytes]) -> Iterator[tuple[str, bytes]]:
        for number, line in enumerate(lines, 2):
            digest, _, body = line.partition(b" ")
            if digest.decode("ascii", "replace") != _digest(body):
                if (
                    number == len(lines) + 1
                ):  # 3: a write that the machine did not finish may end in a line feed
                    os.ftruncate(self._file, os.fstat(self._file).st_size - len(line))
                    return
                raise self._damaged(f"line {number}")
            yield json.loads(body)["key"], body

    def _damaged(self, where: str) -> ConfigError:
        return ConfigError(
            f"{self.path} is damaged ({where})", hint="Remove the file and scan from the beginning."
        )

    def _other(self) -> ConfigError:
        return ConfigError(
            f"{self.path} is not a file of results", hint="Name a new file, or one that --resume has written."
        )

    def _made_by_other(self, first: bytes) -> ConfigError:
        try:
            made = json.loads(first.partition(b" ")[2])
            version = made["version"]
            known = made["sluicegate results"] == FORMAT
        except (ValueError, KeyError, TypeError):
            raise self._other() from None
        if not known or version != __version__:
            what = f"another release ({version!s:.40})"
        elif made.get("code") != _code():
            what = "another build of this release"
        else:
            what = "other rules or settings"
        return ConfigError(
            f"the results in {self.path} were made with {what}",
            hint="Use what made them, or name a new file and scan from the beginning.",
        )


def key_of(bundle: Bundle, siblings: tuple[Sibling, ...]) -> str:
    """A digest of everything that an examination is given, beside its settings."""
    h = hashlib.sha256()
    artifacts = [(a.path, a.mode, a.kind, a.digest) for a in bundle.artifacts]
    for part in (bundle.name, bundle.root, artifacts, bundle.gaps, bundle.anomalies, siblings):
        h.update(_encoded(part) + b"\n")
    return h.hexdigest()


@lru_cache(maxsize=1)
def _code() -> str:
    """A digest of our own source: between releases the version alone does not tell."""
    here = Path(__file__).parent.parent
    h = hashlib.sha256()
    for path in sorted(here.rglob("*.py")):
        h.update(f"{path.relative_to(here)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return h.hexdigest()


def _line(body: bytes) -> bytes:
    return f"{_digest(body)} ".encode() + body


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def _encoded(value: object) -> bytes:
    """JSON in ASCII: texts of skills may hold what cannot be written otherwise, lone surrogates for one."""
    return json.dumps(value, separators=(",", ":")).encode()

"""Names of files: made displayable, made relative, and looked at for what they hide.

A name is data of the attacker. Nothing here touches a file system.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.budget import Note
from sluicegate.vet.intake.bundle import AnomalyKind
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import GapReason

LONGEST = 1024
"""Characters of one member name that are kept; a longer one is cut in its middle and reported."""

_DRIVE = lazy(r"[A-Za-z]:")
_SPOKEN = lazy(r"[\n\r|;&$`<>(){}\"']")
_MANY_SPACES = " " * 5
WORDY_LINK = Note(
    gap=GapReason.LINK, detail="a link whose target is not merely a path; some unpackers write it as a file"
)
"""What is said of a link that is not ``plain_target``."""


class MemberName(NamedTuple):
    """A member's name as a safe relative path, and what was odd about it (kind and words)."""

    path: str
    oddities: tuple[tuple[AnomalyKind, str], ...] = ()


def readable(raw: bytes) -> str:
    r"""The name as valid text; a byte that is not UTF-8 stands as ``\xNN``."""
    return raw.decode("utf-8", "backslashreplace")


def decodable(raw: bytes) -> bool:
    """Whether the name is UTF-8."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def deception(path: str) -> str | None:
    """What in the name makes it look other than it is (control, invisible characters), or None."""
    if path.isascii() and path.isprintable():
        if _MANY_SPACES in path:
            return "a run of spaces that pushes the end of the name out of sight"
        return None
    for at, char in enumerate(path):
        category = unicodedata.category(char)
        if category == "Cc":
            return f"control character U+{ord(char):04X}"
        if category == "Cf" and not _joins(path, at):
            return f"invisible or bidirectional character U+{ord(char):04X}"
        if category in ("Zl", "Zp") or (category == "Zs" and char not in " \u3000"):
            return f"unusual space U+{ord(char):04X}"
        if char in "\u3164\u115f\u1160\uffa0\u2800":
            return f"blank character U+{ord(char):04X}"
    return None


def _joins(path: str, at: int) -> bool:
    """Whether the character is a joiner between characters of a script that joins (or of an emoji)."""
    if path[at] not in "\u200c\u200d" or at == 0 or at + 1 == len(path):
        return False
    return not path[at - 1].isascii() and not path[at + 1].isascii()


def folded(path: str) -> str:
    """The path as a file system that folds case and composes characters would know it."""
    return path.casefold() if path.isascii() else unicodedata.normalize("NFC", path).casefold()


def heads(path: str) -> Iterator[str]:
    """The folders that a path stands in, outermost first, and the path itself."""
    for at, char in enumerate(path):
        if char == "/":
            yield path[:at]
    yield path


def member(raw: bytes) -> MemberName:
    """The name of an archive member as a relative posix path without ``..``.

    Absolute names, drive letters and ``..`` (with either slash) are PATH_TRAVERSAL; the member is kept
    under the name that is left, a ``..`` standing as ``\\x2e\\x2e``. A backslash stands as a slash, and a
    name ends at a zero byte: that is where such a member is unpacked to.
    """
    oddities: list[tuple[AnomalyKind, str]] = []
    if b"\0" in raw:
        oddities.append((AnomalyKind.DECEPTIVE_NAME, "a zero byte, where the name ends for most unpackers"))
        raw = raw.partition(b"\0")[0]
    text = readable(raw)
    if not decodable(raw):
        oddities.append((AnomalyKind.UNDECODABLE_NAME, "the name is not UTF-8"))
    if b"\\" in raw:
        oddities.append((AnomalyKind.DECEPTIVE_NAME, "a backslash, which is a folder mark on some systems"))
        text = readable(raw.replace(b"\\", b"/"))
    parts = text.split("/")
    if text.startswith("/"):
        oddities.append((AnomalyKind.PATH_TRAVERSAL, "absolute name"))
    elif _DRIVE.match(text):
        oddities.append((AnomalyKind.PATH_TRAVERSAL, "name with a drive letter"))
    if ".." in parts:
        oddities.append((AnomalyKind.PATH_TRAVERSAL, "name with '..'"))
    kept = [r"\x2e\x2e" if part == ".." else part for part in parts if part not in ("", ".")]
    path = "/".join(kept) or "unnamed"
    if len(path) > LONGEST:
        oddities.append((AnomalyKind.DECEPTIVE_NAME, f"a name of {len(path)} characters"))
        half = LONGEST // 2
        path = path[:half] + "..." + path[-half:]
    return MemberName(path=path, oddities=tuple(oddities))


def plain_target(target: str) -> bool:
    """Whether the target of a link can be nothing but a path: hardly a space, and no sign that programs use.

    Where links are unknown (Python's zipfile, Git on Windows) a link is written as a file that holds its target.
    """
    return _SPOKEN.search(target) is None and len(target.split()) < 3


def link_target(path: str, target: str) -> str | None:
    """Where a link at ``path`` points, as a path relative to the root; None when that is outside the root.

    Decided by the names alone; the file system is not asked.
    """
    if target.startswith(("/", "\\")) or _DRIVE.match(target):
        return None
    parts = path.split("/")[:-1]
    for part in target.replace("\\", "/").split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        else:
            return None
    return "/".join(parts)

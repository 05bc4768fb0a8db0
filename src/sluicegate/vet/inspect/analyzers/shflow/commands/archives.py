"""The commands that pack files: what goes into an archive, and what the archive is called, whatever its suffix."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from sluicegate.vet.inspect.analyzers.shflow.commands import inside, own
from sluicegate.vet.inspect.analyzers.shflow.folders import joined
from sluicegate.vet.inspect.analyzers.shflow.values import NONE, Tag, join

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.flow import ShellFlow
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall

_TARS = frozenset({"tar", "bsdtar", "gtar"})
_NAMED = {"zip": ".zip", "7z": ".7z", "7za": ".7z", "7zz": ".7z", "7zr": ".7z", "rar": ".rar"}
"""Archivers that add their suffix to a name without one."""
_FROM_INPUT = frozenset({"cpio", "pax"})
"""Archivers that read on their input which files to pack."""
ARCHIVERS = _TARS | _NAMED.keys() | _FROM_INPUT | {"ar", "shar", "mksquashfs"}
_IN_PLACE = {
    "gzip": ".gz",
    "pigz": ".gz",
    "bzip2": ".bz2",
    "pbzip2": ".bz2",
    "xz": ".xz",
    "lzma": ".lzma",
    "zstd": ".zst",
    "lz4": ".lz4",
    "brotli": ".br",
    "compress": ".Z",
    "gpg": ".gpg",
    "gpg2": ".gpg",
}
"""Commands that leave a file beside the one that they are given, and what they add to its name."""
PACKERS = ARCHIVERS | _IN_PLACE.keys() | {"openssl", "age", "base64", "xxd", "split"}
_OUT = frozenset({"-o", "-out", "--output", "--output-file", "-O"})
_ARCHIVE = (".tar", ".tgz", ".gz", ".zip", ".bz2", ".xz", ".7z", ".zst")
_LISTED = frozenset({"-T", "--files-from", "--files-from=-", "-@"})
"""Options that have the files to pack read from a list."""
_FOLDERS = frozenset({"-C", "--directory", "--cd"})


def unpacks(call: ShellCall) -> bool:
    """Whether an archiver takes an archive apart, or lists it."""
    words = call.words
    if call.name in _TARS:
        letters = _letters(words)
        return "--create" not in words and (
            bool({"--extract", "--get", "--list"} & set(words))
            or ("c" not in letters and bool(set("xt") & set(letters)))
        )
    if call.name in _FROM_INPUT:
        return any(word[:1] == "-" and set("ir") & set(word[1:4]) for word in words[1:]) and "-w" not in words
    return call.name in _NAMED and call.name != "zip" and words[1:2] not in (["a"], ["u"], ["m"])


def packed(flow: ShellFlow, call: ShellCall, operands: Sequence[str]) -> frozenset[Tag]:
    """What an archiver packs besides the files that its operands name outright: the working folder, files below a folder
    that an option names, files that its input names."""
    if call.name in _TARS:
        inside.packed(flow, call)
    folder = next((word for before, word in pairwise(call.words) if before in _FOLDERS), "")
    folder = folder or next(
        (word.partition("=")[2] for word in call.words if word.startswith("--directory=")), ""
    )
    tags = NONE
    for word in operands:
        tags = join(tags, own.folder(flow, word) if not folder else flow.file(joined(folder, word)))
    if call.name in _FROM_INPUT and (listed := flow.piped(call)):
        tags = join(tags, flow.file(listed))
    if (call.name in _TARS or call.name == "zip") and _LISTED & call.flags and (listed := flow.piped(call)):
        tags = join(
            tags, own.folder(flow, "." if listed.startswith(("./*", "*")) else listed) or flow.file(listed)
        )
    return tags


def keep(flow: ShellFlow, call: ShellCall, operands: Sequence[str], tags: frozenset[Tag]) -> None:
    """The archive that a command writes holds what it packs."""
    if not tags or unpacks(call):
        return
    found = [path for path in _written(call, operands) if path != "-"]
    for path in found or [word for word in operands if word.endswith(_ARCHIVE)][:1]:
        flow.keep(path, tags)


def _written(call: ShellCall, operands: Sequence[str]) -> list[str]:
    """The files that a command writes, by its options or the place of its words."""
    name, words = call.name, call.words
    if name in _TARS or name == "pax":
        return _of_tar(words)
    found = [word for before, word in pairwise(words) if before in _OUT or (name == "cpio" and before[-1:] in ("O", "F"))]  # fmt: skip
    found += [word.partition("=")[2] for word in words if word.startswith("--output=")]
    if name in _NAMED:
        target = next(iter(operands[name != "zip" :]), "")
        if target:
            found += [target, target + _NAMED[name]]
    elif name in _IN_PLACE:
        endings = (_IN_PLACE[name], ".asc") if name.startswith("gpg") else (_IN_PLACE[name],)
        found += [word + ending for word in operands for ending in endings]
        found += [word.removesuffix(endings[0]) for word in operands if word.endswith(endings[0])]
    elif name == "ar":
        found += operands[1:2]
    elif name == "mksquashfs":
        found += operands[-1:]
    elif name == "split":
        prefix = operands[-1] if len(operands) > 1 else "x"
        found += [f"{prefix}*", f"{prefix}aa", f"{prefix}00"]
    return found


def _of_tar(words: Sequence[str]) -> list[str]:
    """The archive of ``tar``: a value of its own, or what is left of the letters that it stands among."""
    found = [word.partition("=")[2] for word in words if word.startswith("--file=")]
    for at, (before, word) in enumerate(pairwise(words)):
        short = before[:1] == "-" and before[:2] != "--"
        if before == "--file" or ((short or (at == 1 and before.isalpha())) and before.endswith("f")):
            found.append(word)
        elif short and "f" in before[1:-1] and not before[before.index("f") + 1 :].isalpha():
            found.append(before[before.index("f") + 1 :])
    return found


def _letters(words: Sequence[str]) -> str:
    """The short options of ``tar``, of which the first word may do without a dash."""
    short = [word[1:] for word in words[1:] if word[:1] == "-" and word[:2] != "--"]
    old = words[1:2] if words[1:2] and words[1].isalpha() else []
    return "".join((*old, *short))

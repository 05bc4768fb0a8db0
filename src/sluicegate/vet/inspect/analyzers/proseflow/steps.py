"""Steps that gather credentials, pack them and send the pack: each by itself is ordinary, and none names both ends.

1. A step sends something that is named only as what was made before (the archive, it, ``work.zip``) to an address: a
   sentence, or a command in a fence.
2. A step before it has credentials copied or packed, by an order or by a command.
3. What lies between them makes one of the other: something is packed, or both name the same file or folder.
"""

from __future__ import annotations

import re

from sluicegate.vet.inspect.analyzers.proseflow.passages import TextSpan
from sluicegate.vet.inspect.analyzers.proseflow.text import TOLD_OF, Text
from sluicegate.vet.inspect.analyzers.proseflow.words import moves, private
from sluicegate.vet.lazy import lazy

REACH = 2_000
"""Characters in front of an address in which the steps before it are looked for."""
LINE = 300
"""Characters of a line of commands that are looked at."""
STEPS = 24
"""Sentences in front of an address that are looked at."""

_I = re.IGNORECASE
_GATHERS = lazy(
    r"\b(?:copy|copies|copied|duplicate[ds]?|gather(?:ed)?|collect(?:ed)?|back(?:ed)? up|(?:make|create|take) an? (?:\w+ )?(?:backup|copy|snapshot|archive|zip|tarball|bundle) of|mirror(?:ed)?|clone[ds]?|put|place[ds]?|move[ds]?|export(?:ed)?"
    r"|zip(?:ped)?|compress(?:ed)?|pack(?:ed)?|archive[ds]?|tar|bundle[ds]?|stage[ds]?|snapshot|add(?:ed)?|read|dump(?:ed)?|sync(?:ed)?|assemble[ds]?|fetch|grab|pull)\b",
    _I,
)
_COPIES = lazy(
    r"(?:^|[\s;&|(`])(?:cp|rsync|ditto|tar|zip|7z|7za|rar|cpio|install|xcopy|robocopy|copy-item|compress-archive|copytree|make_archive|mv|cat)\b",
    _I,
)
"""Commands that copy or pack."""
_PACKS = lazy(
    r"\b(?:zip(?:ped)?|compress(?:ed)?|pack(?:ed)?|archive[ds]?|tar(?:ball)?|bundle[ds]?|encrypt(?:ed)?|gzip|7z|compress-archive|make_archive)\b|\.(?:zip|t?gz|7z|rar|bz2|xz|tar|enc|gpg)\b",
    _I,
)
_FILE_SENT = lazy(
    r"(?:\s-T|--upload-file|\s-F|--form|--data-binary|--data|\s-d|--post-file|--body-file)[\s=]{0,3}[\"']?(?:[\w.-]{1,40}=)?[@<]?[\"']?([\w./~${}-]{1,120})"
    r"|\b(?:scp|rsync|rclone copy|aws s3 cp|gsutil cp|Invoke-\w{7,10}[^\n]{0,120}-InFile)\s(?:-[\w=]+\s){0,4}[\"']?([\w./~${}\\-]{1,120})"
    r"|<\s{0,2}([\w./~-]{1,120})",
    _I,
)
"""The file that a command sends."""
_NAMED = lazy(
    r"[`\"']?([\w~./-]{0,60}[\w-]\.(?:zip|t?gz|tar|7z|rar|bz2|xz|enc|gpg|bin|dat|txt|json|img|log))\b"
)
_CODE = lazy(r"`([^`\n]{1,80})`")
_MADE = lazy(
    r"\b(?:the|that|this|its|your|a)\s(?:[\w-]{3,12}\s)?(?:archive|files?|folder|director(?:y|ies)|snapshot|backup|package|pack|tar(?:ball)?|zip|bundle|result|output|cop(?:y|ies)|blob|container)\b",
    _I,
)
"""What a step before has made."""
TARGET = lazy(
    r"\b(?:to|into|as)\s[`\"'~/$\w{}]{0,12}$|\b(?:save|put|place|store|write|keep|leave)[ds]?\b[^.\n]{0,60}\bin\s[`\"'~/$\w{}]{0,12}$",
    _I,
)
"""What stands in front of the place that something is copied to."""
_PUBLIC = lazy(
    r"\.pub\b|\bpublic key|\bauthorized_keys\b|\bknown_hosts\b|\b(?:encrypted|external|usb|local) (?:disk|drive|volume)",
    _I,
)


_REMOTE = lazy(r"[\w.-]:|@|\$")
"""What names another machine in a copy."""


def private_steps(of: Text, start: int, end: int) -> tuple[int, str] | None:
    """Where the step begins that sends to an address what steps before it have made of credentials, and these; or None."""
    line = of.text.rfind("\n", 0, start) + 1
    fenced = of.in_fence(start) or of.text.count("`", line, start) % 2 == 1
    sent = _sent_by_command(of, start) if fenced else _sent_by_sentence(of, start, end)
    if sent is None:
        return None
    begins, name = sent
    gathered = _gathered(of, begins)
    if gathered is None:
        return None
    what, at = gathered
    if (name and name in of.text[at:begins]) or _packed(of, at, begins):
        return begins, what
    return None


def _packed(of: Text, at: int, begins: int) -> bool:
    """Whether a step from ``at`` on packs something that may be what was gathered there: it names nothing else."""
    first = of.sentence(at)
    gathered, position = of.said(first), at
    while position < begins:
        sentence = of.sentence(position)
        said = of.text[max(sentence.start, at) : min(sentence.end, begins)]
        if _PACKS.search(said) is not None:
            things = [
                code[1].strip("./") for code in _CODE.finditer(said) if _NAMED.fullmatch(code[1]) is None
            ]
            if not things or of.in_fence(position) or any(thing in gathered for thing in things):
                return True
        position = max(sentence.end, position + 1)
    return False


def _sent_by_command(of: Text, start: int) -> tuple[int, str] | None:
    first = max(of.text.rfind("\n", 0, start) + 1, start - LINE)
    last = of.text.find("\n", start)
    line = of.text[first : last if last != -1 else len(of.text)][: 2 * LINE]
    found = _FILE_SENT.search(line)
    if found is None:
        return None
    name = next(group for group in found.groups() if group)
    rest = line[start - first :].split()
    if found[2] and found.start(2) == start - first and len(rest) > 1 and not _REMOTE.search(rest[1]):
        return None  # it is copied from there to here
    return first, name.rstrip("/").rpartition("/")[2]


def _sent_by_sentence(of: Text, start: int, end: int) -> tuple[int, str] | None:
    sentence = of.sentence(start)
    before = of.text[sentence.start : start]
    for verb in reversed(list(moves.TRANSFER.finditer(before))):
        if moves.TOWARDS.search(before[verb.end() :] + " ") is None:
            continue
        said = before[verb.end() :]
        named = _NAMED.search(said)
        again = moves.AGAIN.search(said) or _MADE.search(said)
        if (named is None and again is None) or not of.ordered(sentence, verb.start()):
            return None
        return sentence.start, "" if named is None else named[1].rpartition("/")[2]
    return None


def _gathered(of: Text, before: int) -> tuple[str, int] | None:
    """The credentials that a step before a place gathers, and where it begins; the nearest."""
    low, at = max(0, before - REACH), before
    for _ in range(STEPS):
        if at <= low:
            return None
        sentence = of.sentence(at - 1)
        found = _of_command(of, sentence) or _of_order(of, sentence)
        if found is not None:
            return found, sentence.start
        at = min(sentence.start, at - 1)
    return None


def _of_order(of: Text, sentence: TextSpan) -> str | None:
    said = of.said(sentence)
    secret = next(
        (one for one in private.KEYS.finditer(said) if not TARGET.search(said, 0, one.start())), None
    )
    if secret is None or _PUBLIC.search(said) is not None:
        return None
    for verb in _GATHERS.finditer(said):
        at = sentence.start + verb.start()
        if (
            not of.in_fence(at)
            and of.ordered(sentence, verb.start())
            and TOLD_OF.search(said, 0, verb.start()) is None
        ):
            return secret[0]
    return None


def _of_command(of: Text, sentence: TextSpan) -> str | None:
    at = sentence.start
    for line in of.said(sentence).split("\n"):
        secret = private.KEYS.search(line[:LINE]) if of.in_fence(at) else None
        if secret is not None and _COPIES.search(line[:LINE]) and _PUBLIC.search(line[:LINE]) is None:
            return secret[0]
        at += len(line) + 1
    return None

"""Harm in two steps: a blob that code of the skill reads or holds, decodes, and runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from math import log2

from sluicegate.vet.inspect.analyzers.structures.registry import BundleFacts, base_name, rule, structure_rule
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import CODE, MEDIA, Artifact, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Severity

ENCODED_PAYLOAD = rule(
    "encoded-blob-with-decoder", "Code decodes and runs a blob that the skill ships", Category.OBFUSCATION,
    Severity.HIGH, 750,
    why="A payload kept in a data file or a long literal and decoded at run time is out of sight of anyone who reads the code.",
    fix="Decode the blob and read it. Do not run the code.",
    references=("T1027", "T1140", "ASI05", "CWE-506"),
)  # fmt: skip

LEAST = 2048
"""Bytes below which a blob is read by other rules once it is decoded."""

_DECODE = lazy(
    r"b64decode|a85decode|b85decode|base64\s{1,4}(?:-d|-D|--decode)|atob\(|['\"]base64['\"]|zlib\.decompress|lzma\.|fromhex"
    r"|unhexlify|Fernet|AES\.new|\^\s{0,4}(?:key|0x)|marshal\.loads|pickle\.loads?|FromBase64String|gunzip|openssl\s{1,4}enc"
)
_RUN = lazy(
    r"\bexec\(|\beval\(|\bcompile\(|os\.system\(|subprocess\.|\bFunction\(|\|\s{0,4}(?:ba|z)?sh\b|marshal\.loads|ctypes"
    r"|child_process|vm\.run|Invoke-Expression|\biex\b|chmod\s{1,4}\+x|pickle\.loads?\("
)
_DECODING_WORDS = (
    "b64", "base64", "85decode", "atob(", "zlib", "lzma", "fromhex", "unhexlify", "Fernet", "AES.", "marshal", "pickle", "Base64",
    "gunzip", "openssl", "^",
)  # fmt: skip
_PLAINLY = lazy(
    r"\bexec\(|\beval\(|\bFunction\(|\|\s{0,4}(?:ba|z)?sh\b|marshal\.loads|vm\.run|Invoke-Expression|\biex\b"
)
_BLOB = lazy(rb"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/=_-]{1024,}+")
_LITERAL = lazy(r"(?<![A-Za-z0-9+/=_\\-])[A-Za-z0-9+/=_\\-]{2048,}+")
_PIECE = 1024
"""Characters: half of the least that ``_LITERAL`` matches, so that one such piece of the text is within it."""
_PICTURES = (
    "iVBORw0KGgo",
    "/9j/",
    "R0lGOD",
    "UklGR",
    "AAEAAAA",
    "d09GM",
    "PHN2Zy",
    "data:image",
    "AAABAA",
    "JVBERi",
    "SUQz",
)
_MEDIA_AROUND = lazy(r"data:(?:image|font|audio|video|application/(?:font|x-font|pdf))[^\"']{0,40}$")
_READ_AS_IS = MEDIA | CODE | {Kind.PDF, Kind.SQLITE, Kind.OFFICE, Kind.NOTEBOOK, Kind.MARKDOWN}


@structure_rule(ENCODED_PAYLOAD)
def encoded_payload(facts: BundleFacts) -> Iterator[Match]:
    """Code that both decodes and runs, and names a blob of the skill or holds one as a literal."""
    shipped = any(_may_be_blob(artifact) for artifact in facts.bundle.artifacts)
    decoders = [
        view for view in facts.raw
        if view.language in CODE and (shipped or _may_hold(view.text)) and _decodes_and_runs(view.text)
    ]  # fmt: skip
    if not decoders:
        return
    blobs = [artifact for artifact in facts.bundle.artifacts if _is_blob(artifact)]
    for view in decoders:
        yield from _named(view, blobs)
        yield from _held(view)


def _decodes_and_runs(text: str) -> bool:
    return (
        any(word in text for word in _DECODING_WORDS)
        and _DECODE.search(text) is not None
        and _RUN.search(text) is not None
    )


def _may_hold(text: str) -> bool:
    """Whether ``_LITERAL`` may match. What it matches is one line, and twice as long as the pieces: it fills one."""
    return any(text.find("\n", at, at + _PIECE) == -1 for at in range(0, len(text) - _PIECE + 1, _PIECE))


def _named(view: View, blobs: list[Artifact]) -> Iterator[Match]:
    for blob in blobs:
        name = base_name(blob.path)
        at = view.text.find(name)
        if at != -1:
            held = sha256(blob.data).hexdigest()
            yield _match(view, at, at + len(name), f"{blob.path}, {len(blob.data)} bytes", f"bytes={held}")
            return


def _held(view: View) -> Iterator[Match]:
    for found in _LITERAL.finditer(view.text):
        run = found[0]
        before = view.text[max(0, found.start() - 80) : found.start()]
        if run.startswith(_PICTURES) or _MEDIA_AROUND.search(before) is not None:
            continue
        if _entropy(run[:8192].encode("ascii", "replace")) >= (3.5 if "\\x" in run[:8] else 4.5):
            yield _match(
                view,
                found.start(),
                found.end(),
                f"a literal of {len(run)} characters, {run[:40]}...",
                f"literal={run}",
            )
            return


def _match(view: View, start: int, end: int, what: str, held: str) -> Match:
    plain = _PLAINLY.search(view.text) is not None
    return Match(
        rule=ENCODED_PAYLOAD.id, view=view, start=start, end=end, evidence=what, trace=(held,),
        message=f"{ENCODED_PAYLOAD.why} Here: {what}.",
        severity=Severity.HIGH if plain else Severity.MEDIUM, confidence=750 if plain else 600,
        adjustments=() if plain else ("the code starts programs, and may not run the blob itself",),
    )  # fmt: skip


def _may_be_blob(artifact: Artifact) -> bool:
    return len(artifact.data) >= LEAST and artifact.kind not in _READ_AS_IS


def _is_blob(artifact: Artifact) -> bool:
    """Whether most of the bytes are one encoded text, or look random."""
    if not _may_be_blob(artifact):
        return False
    head = artifact.data[: 1 << 15]
    found = _BLOB.search(head)
    if found is not None and len(found[0]) * 2 > len(head):
        return True
    lines = head.split()
    if len(lines) < len(head) // 50 and all(_BASE64_LINE.fullmatch(line) for line in lines[:50]):
        return True
    return _entropy(head) > 7.2


_BASE64_LINE = lazy(rb"[A-Za-z0-9+/=_-]{1,200}")


def _entropy(data: bytes) -> float:
    """Bits for each byte, from the data's own frequencies."""
    total = len(data)
    return -sum(n / total * log2(n / total) for n in Counter(data).values()) if total else 0.0

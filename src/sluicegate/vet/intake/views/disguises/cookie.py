"""Python programs in an encoding of their own: ``# coding: utf-7`` makes ``+AGU-`` an ``e`` before anything is parsed.

Most encodings leave ASCII as it is, and a program in them reads as it stands. In the others it is read as Python
reads it.
"""

from __future__ import annotations

import codecs
import warnings
from collections.abc import Iterator

from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Aligned, Derived, Product, Span
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

_COOKIE = lazy(r"(?:[ \t\f]*+(?:#[^\n]*+)?\n)?[ \t\f]*+#[^\n]{0,400}?coding[:=][ \t]*+([-\w.]{1,40}+)")
_HEAD = 1000  # characters in which the first two lines say it
_SLOW = frozenset({"punycode", "idna"})
_SLOW_MOST = 16_384
"""Bytes decoded in an encoding that takes the square of the length."""
_SAMPLES = (
    bytes(range(9, 14)) + bytes(range(32, 127)), b"~{0!~}\\u0041", b"+AEE-", b"\x1b$B0!", b"abc-def", b"xn--a-ecp",
)  # fmt: skip


def _decoded(data: bytes, name: str, errors: str = "strict") -> str:
    """The bytes in the encoding; what Python says of odd escapes in them is said to nobody."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return data.decode(name, errors)


def _keeps_ascii(name: str) -> bool:
    """Whether each ASCII character stands for itself, whatever stands beside it."""
    try:
        return all(_decoded(sample, name) == sample.decode() for sample in _SAMPLES)
    except ValueError:
        return False


def cookie_views(view: View, limits: Limits) -> Iterator[Product]:
    """An ``encoding`` view of a program that Python reads as something else than what it says as it stands."""
    if view.origin or "coding" not in view.text[:_HEAD]:
        return
    found = _COOKIE.match(view.text)
    if not found:
        return
    try:
        name = codecs.lookup(found[1]).name
        if _keeps_ascii(name):
            return
    except LookupError:  # no encoding, or none of text: Python does not run it either
        return
    data = view.artifact.data
    most = _SLOW_MOST if name in _SLOW else max(limits.view_bytes, len(data))
    if len(data) > most:
        detail = f"a program in {name} of more than {most} bytes; the rest was not decoded"
        yield Gap(path=view.path, reason=GapReason.VIEW_LIMIT, detail=detail)
    try:
        text = _decoded(data[:most], name, "replace").replace("\r\n", "\n")
    except ValueError:  # the whole of it is not text in this encoding
        return
    last = view.text.count("\n")
    where = Aligned() if text.count("\n") == last else Span(first=0, last=last)
    yield Derived(text=text, language=view.language, step=Step(kind="encoding", detail=name), where=where)

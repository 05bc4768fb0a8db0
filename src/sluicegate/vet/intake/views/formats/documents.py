"""Text of office documents, from the XML members that intake has unpacked."""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Derived, Product, Span
from sluicegate.vet.intake.views.disguises.escapes import entities
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy

_MEMBER = lazy(
    r"(?i)!/(?:(word|xl|ppt|docprops|visio)/[^!]{1,200}\.xml|(?:content|meta|styles)\.xml|[^!]{1,200}\.x?html)\Z"
)
_BREAK = lazy(
    r"</(?:\w{1,20}:)?(?:p|h[1-6]?|si|row|div|li|tr|lpwstr|title|text)>|</(?:dc|cp):\w+>|"
    r"<(?:\w{1,20}:)?(?:br|cr|line-break)\b[^<>]*+>"
)
_CELL = lazy(r"</(?:\w{1,20}:)?(?:c|tc|td|th|table-cell)>")
_LAYOUT = lazy(r"(?:(?<=>)\s++(?=<[^/])|(?<=/>)\s++(?=</)|(?P<closed></[^<>]*+>)\s++(?=</))")
"""White space between elements of an office document, where it is none of the text: all but between ``<t>`` and ``</t>``."""
_TAB = lazy(r"<(?:\w{1,20}:)?tab\b[^<>]*+>")
_MARKUP = lazy(r"<[^<>]*+>")
_EMPTY = lazy(r"\n\s++")


def office_views(view: View, limits: Limits) -> Iterator[Product]:
    """The text of one member of an office document, without its markup."""
    if view.origin or view.language not in (Kind.XML, Kind.HTML):
        return
    member = _MEMBER.search(view.path)
    if not member:
        return
    text = view.text
    if member[1]:
        text = _LAYOUT.sub(lambda found: found["closed"] or "", text)
    text = _TAB.sub("\t", _CELL.sub(" ", _BREAK.sub("\n", text)))
    text = _EMPTY.sub("\n", entities(_MARKUP.sub("", text))).strip()
    if text:
        where = Span(first=0, last=view.text.count("\n"))
        yield Derived(text=text, language=Kind.TEXT, step=Step(kind="document"), where=where)

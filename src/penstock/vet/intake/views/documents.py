"""Text of office documents, from the XML members that intake has unpacked."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.vet.intake.bundle import Kind
from penstock.vet.intake.limits import Limits
from penstock.vet.intake.views.derived import Derived, Product, Span
from penstock.vet.intake.views.escapes import entities
from penstock.vet.intake.views.view import Step, View
from penstock.vet.lazy import lazy

_MEMBER = lazy(
    r"(?i)!/(?:word/(?:document|comments|footnotes|endnotes|header\d{0,3}|footer\d{0,3}|glossary/document)\.xml|"
    r"xl/(?:sharedstrings|comments\d{0,4}|worksheets/[^/]{1,60}|drawings/[^/]{1,60})\.xml|"
    r"ppt/(?:slides|notesslides|comments)/[^/]{1,60}\.xml|docprops/(?:core|app|custom)\.xml|"
    r"(?:content|meta|styles)\.xml|[^!]{1,200}\.x?html)\Z"
)
_BREAK = lazy(
    r"</(?:w:p|a:p|text:p|text:h|si|row|p|div|h[1-6]|li|tr|w:tr|dc:\w+|cp:\w+|vt:lpwstr|title)>|<(?:w:br|w:cr|text:line-break|br)\b[^<>]*+>"
)
_TAB = lazy(r"<(?:w:tab|text:tab)\b[^<>]*+>")
_MARKUP = lazy(r"<[^<>]*+>")
_EMPTY = lazy(r"\n\s++")


def office_views(view: View, limits: Limits) -> Iterator[Product]:
    """The text of one member of an office document, without its markup."""
    if view.origin or view.language not in (Kind.XML, Kind.HTML) or not _MEMBER.search(view.path):
        return
    text = _TAB.sub("\t", _BREAK.sub("\n", view.text))
    text = _EMPTY.sub("\n", entities(_MARKUP.sub("", text))).strip()
    if text:
        where = Span(first=0, last=view.text.count("\n"))
        yield Derived(text=text, language=Kind.TEXT, step=Step(kind="document"), where=where)

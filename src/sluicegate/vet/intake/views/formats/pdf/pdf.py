"""What a PDF says: page text, metadata, annotations, scripts, embedded files. Bounded and linear.

Fonts are mapped by their ToUnicode tables, or by their bytes where they have a simple encoding. Text in a
font that cannot be mapped is a gap, and so is an encrypted document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.vet.intake.bundle import Artifact, Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.disguises.plain import as_text
from sluicegate.vet.intake.views.formats.pdf.objects import PdfFile, PdfObject, read_pdf
from sluicegate.vet.intake.views.formats.pdf.text import TOKENS_MOST, Fonts, page_text, text_string
from sluicegate.vet.intake.views.programs.language import guess
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

_STRING = rb"(\((?:[^\\()]++|\\.|\((?:[^\\()]++|\\.)*+\))*+\)?|<[0-9A-Fa-f\s]*+>)"
_INFO = lazy(
    rb"/(?:Title|Author|Subject|Keywords|Creator|Contents|TU|T|V|DA|RC|Alt|ActualText|Desc)\s{0,9}+"
    + _STRING,
    re.DOTALL,
)
_OTHER = lazy(
    rb"/(?!(?:Title|Author|Subject|Keywords|Creator|Contents|TU|T|V|DA|RC|Alt|ActualText|Desc|JS|URI|F|UF|ID|O|U|CharSet)"
    rb"[^\w.])[A-Za-z][\w.-]{0,60}+\s{0,9}+" + _STRING,
    re.DOTALL,
)
"""A string under any other key: a document may have keys of its own."""
_INSTEAD = lazy(rb"/ActualText\s{0,9}+" + _STRING, re.DOTALL)
_SCRIPT = lazy(rb"/JS\s{0,9}+(?:" + _STRING + rb"|(\d{1,9})\s{1,9}+\d{1,5}\s{1,9}+R)", re.DOTALL)
_ADDRESS = lazy(rb"/(?:URI|F|UF)\s{0,9}+" + _STRING, re.DOTALL)
_ACTION = lazy(rb"/(?:Launch|URI|GoToR|SubmitForm|ImportData)\b")
_PART_MOST = 2_000  # strings taken of one kind
_SENTENCE = 32
"""Characters from which on a string, a stream or the rest of the file may say something."""


def _strings(pdf: PdfFile, pattern: re.Pattern[bytes], needs: re.Pattern[bytes] | None = None) -> list[str]:
    found: list[str] = []
    for number in sorted(pdf.objects):
        body = pdf.objects[number].body
        if needs is not None and not needs.search(body):
            continue
        for match in pattern.finditer(body):
            text = text_string(match[1]) if match[1] else ""
            if text.strip():
                found.append(text)
            if len(found) >= _PART_MOST:
                pdf.omit(f"more than {_PART_MOST} strings")
                return found
    return found


def _scripts(pdf: PdfFile) -> list[str]:
    found = []
    for number in sorted(pdf.objects):
        for match in _SCRIPT.finditer(pdf.objects[number].body):
            target = pdf.objects.get(int(match[2])) if match[2] else None
            if match[1]:
                found.append(text_string(match[1]))
            elif target is not None:
                data = pdf.stream(target)
                found.append(data.decode("utf-8", "replace") if data else text_string(target.body.strip()))
            if len(found) >= _PART_MOST:
                return found
    return found


def _is_content(item: PdfObject) -> bool:
    body = item.body
    return bool(item.raw) and not any(
        mark in body
        for mark in (
            b"/ObjStm",
            b"/XRef",
            b"/Image",
            b"/Metadata",
            b"/FontFile",
            b"/Length1",
            b"/EmbeddedFile",
            b"/Type1C",
            b"/CIDFontType0C",
        )
    )


def _pages(pdf: PdfFile, fonts: Fonts) -> str:
    out = []
    for number in sorted(pdf.objects):
        item = pdf.objects[number]
        if _is_content(item):
            data = pdf.stream(item)
            if (b"Tj" in data or b"TJ" in data or b"'" in data) and b"BT" in data:
                text = page_text(data, fonts)
                if text.strip():
                    out.append(text)
                if b"/ActualText" in data:
                    out.append(_instead(data))
    return "\n".join(out)


def _instead(data: bytes) -> str:
    """What a reader copies in the place of what is drawn; letters that are given one by one as words."""
    texts = [text_string(found) for found in _INSTEAD.findall(data)[:_PART_MOST]]
    return "".join([text if len(text) < 3 else f" {text}" for text in texts])


def _view(artifact: Artifact, text: str, language: Kind, detail: str) -> View:
    last = 1 + artifact.data.count(b"\n")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return View(
        artifact=artifact,
        text=text,
        language=language,
        origin=(Step(kind="document", detail=detail),),
        span=(1, last),
    )


def pdf_views(artifact: Artifact, limits: Limits) -> Iterator[View | Gap]:
    """The views of a PDF artifact, and the gaps of what could not be read."""
    pdf = read_pdf(artifact.data)
    if re.search(rb"/Encrypt\s{1,9}+(?:\d|<<)", artifact.data) or any(
        b"/Encrypt " in o.body for o in pdf.objects.values()
    ):
        yield Gap(path=artifact.path, reason=GapReason.ENCRYPTED, detail="an encrypted PDF")
        return
    fonts = Fonts(pdf)
    text = _pages(pdf, fonts)
    if text:
        yield _view(artifact, text, Kind.TEXT, "page text")
    for detail, strings in (
        ("metadata and notes", _strings(pdf, _INFO)),
        ("addresses", _strings(pdf, _ADDRESS, _ACTION)),
    ):
        if strings:
            yield _view(artifact, "\n".join(strings), Kind.TEXT, detail)
    others = [text for text in _strings(pdf, _OTHER) if len(text) >= _SENTENCE and text.count(" ") > 3]
    if others:
        yield _view(artifact, "\n".join(others), Kind.TEXT, "other strings")
    yield from _beside(artifact, pdf)
    scripts = [script for script in _scripts(pdf) if script.strip()]
    if scripts:
        yield _view(artifact, "\n".join(scripts), Kind.JAVASCRIPT, "script")
    for number in sorted(pdf.objects):
        item = pdf.objects[number]
        if b"/EmbeddedFile" in item.body or (b"/Metadata" in item.body and b"/XML" in item.body):
            inner = as_text(pdf.stream(item))
            if inner:
                embedded = b"/EmbeddedFile" in item.body
                yield _view(
                    artifact,
                    inner,
                    guess(inner) if embedded else Kind.XML,
                    "embedded file" if embedded else "metadata",
                )
            elif item.raw and b"/EmbeddedFile" in item.body:
                yield Gap(
                    path=artifact.path,
                    reason=GapReason.OPAQUE,
                    detail="a file that is not text is embedded in a PDF",
                )
    yield from _gaps(artifact, pdf, fonts)


def _beside(artifact: Artifact, pdf: PdfFile) -> Iterator[View]:
    """Forms in XML, and what stands behind the end of the document."""
    for number in sorted(pdf.objects):
        item = pdf.objects[number]
        if _is_content(item):
            data = pdf.stream(item)
            form = as_text(data) if data[:64].lstrip()[:1] == b"<" else None
            if form:
                yield _view(artifact, form, Kind.XML, "form")
    end = artifact.data.rfind(b"%%EOF")
    rest = as_text(artifact.data[end + 5 :].strip(b"\0 \r\n")) if end != -1 else None
    if rest and len(rest) >= _SENTENCE:
        yield _view(artifact, rest, guess(rest), "behind the end")


def _gaps(artifact: Artifact, pdf: PdfFile, fonts: Fonts) -> Iterator[Gap]:
    if fonts.unmapped > 40 and fonts.unmapped * 10 > fonts.mapped:
        detail = f"{fonts.unmapped} characters of a PDF are drawn in fonts that cannot be mapped to text"
        yield Gap(path=artifact.path, reason=GapReason.OPAQUE, detail=detail)
    if not pdf.objects:
        yield Gap(path=artifact.path, reason=GapReason.DAMAGED, detail="no object of the PDF could be read")
    if fonts.tokens < 0:
        pdf.omit(f"more than {TOKENS_MOST} operators on its pages")
    for why in pdf.left_out:
        yield Gap(path=artifact.path, reason=GapReason.VIEW_LIMIT, detail=f"PDF: {why}")

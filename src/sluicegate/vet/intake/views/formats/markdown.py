"""The parts of a Markdown text: front matter, fences, comments, commands, links that carry data.

A line-based reading of our own, linear in the text whatever it holds. It errs towards giving a part: what a
strict parser would call plain text, an agent may still read as a fence.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import unquote

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Aligned, Derived, Each, Product, Span
from sluicegate.vet.intake.views.disguises.plain import as_text
from sluicegate.vet.intake.views.disguises.runs import lowered
from sluicegate.vet.intake.views.formats.command_lines import command_lines
from sluicegate.vet.intake.views.formats.hypertext import end_around, hypertext_parts
from sluicegate.vet.intake.views.programs.language import (
    command_of_span,
    guess,
    named,
    used_assignment,
    without_prompts,
)
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

FENCE_LINES_MOST = 10_000
"""Lines of one text that may open or close a fence; the fences after these are not taken apart."""
_PARTS_MOST = 10_000  # commands in code spans and bang lines of one text
_PREFIX_MOST = 200  # characters that may stand before a fence: quotes, list markers, indentation
_PREFIX = lazy(r"[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++[ \t>]*+)*+\Z")
_QUOTE_MARK = lazy(r"[ \t]*+>[ \t]?")
_LIST_ENDS = ("-", "*", "+", ".", ")")
_QUOTE = lazy(r"[ \t]{0,200}+(?:>[ \t]?)*+")
_CODE_SPAN = lazy(r"`([^`\n]{4,400}+)`")
_ORG_SPAN = lazy(r"(?<![\w/~=.])[~=](?=\S)([^\n]{4,400}?)(?<=\S)[~=](?=[\s.,;:)]|\Z)")
_VERB = lazy(
    r"\\(?:verb|lstinline)\*?(?:\[[^\]\n]{0,80}\])?"
    r"(?:\|([^|\n]{4,400})\||!([^!\n]{4,400})!|\+([^+\n]{4,400})\+|@([^@\n]{4,400})@|#([^#\n]{4,400})#)"
)
_TEXTTT = lazy(
    r"\\(?:texttt|code|lstinline)(?:\[[^\]\n]{0,80}\])?\{((?:[^{}\n]|\{[^{}\n]{0,200}\}){4,400})\}"
)
_LATEX_ESCAPED = lazy(r"\\([_$&%#{}~-])")
_BANG = lazy(r"!(?:(?=`)|(?<=\n!)|(?<![\s\S]!))")
_BANG_SPAN = lazy(r"!(?:(?<!\S!)`([^`]{1,2000}+)|(?<!\s!)`([^`\n]{1,2000}+))`")
"""A command that runs on loading. Agents differ in what may stand before it; over lines it goes only where a blank does.
"""
_BANG_BLOCK = lazy(r"(?m)^(?![ \t>*+-]*+(?:\d{1,3}[.)][ \t]*+)?`{3})[^\n`]{1,400}```!\s*+([^`]{1,2000}+)```")
"""A block of commands behind other text in its line: no fence of Markdown, and run all the same."""
_SHELL_NAMED = lazy(
    r"\ufeff?---[ \t]*\r?\n(?:(?!---)[^\n]*+\n){0,200}?[\"']?shell[\"']?[ \t]*:[ \t]*[\"']?(pwsh|powershell|cmd)\b",
    re.IGNORECASE,
)
_FENCE_MARKS = {"`": lazy(r"(```+)([^\n]*+)"), "~": lazy(r"(~~~+)([^\n]*+)")}
_COMMENT_TARGET = lazy(r"\](?=: ?(?:#|<>|/)[ \t])")
_COMMENT_DEFINITION = lazy(r"(?m)^ {0,3}\[[^\]\n]{0,100}+\]: ?(?:#|<>|/)[ \t]++([\"'(][^\n]++)")
_LINK = lazy(r"(?:\]\(|\]:[ \t]|<)[ \t<]{0,9}+((?:data|javascript|vbscript):[^\s)>]++)", re.IGNORECASE)


class Fence(NamedTuple):
    """One fence: its content is ``text[start:end]``, from line ``first`` on (0-based)."""

    start: int
    end: int
    first: int
    info: str
    prefix: str


class _Marker(NamedTuple):
    line_start: int
    line_end: int
    prefix: str
    mark: str
    info: str


def _markers(text: str) -> list[_Marker]:
    """The lines that open or close a fence, in order; at most ``FENCE_LINES_MOST`` of each kind."""
    found: list[_Marker] = []
    for letter, marks in _FENCE_MARKS.items():
        if letter * 3 not in text:
            continue
        for line in islice(marks.finditer(text), FENCE_LINES_MOST):
            at = line.start()
            start = text.rfind("\n", 0, at) + 1
            prefix = text[start:at]
            if not prefix or (len(prefix) <= _PREFIX_MOST and _PREFIX.match(prefix)):
                mark, rest = line.groups()
                if letter == "~" or "`" not in rest:
                    found.append(_Marker(start, line.end(), prefix, mark, rest.strip()))
    found.sort()
    return found


def fences(view: View) -> list[Fence]:
    """All fences, in order; one that is never closed runs to the end of the text."""
    text = view.text
    found: list[Fence] = []
    opened: _Marker | None = None
    read = 0
    for marker in _markers(text):
        if opened is None:
            opened = marker
        elif opened.prefix.strip() and any(
            _outside(line, opened) for line in text[read : marker.line_end].split("\n")
        ):
            found.append(_fence(view, opened, marker.line_start))
            opened = marker
        elif _closes(marker, opened):
            found.append(_fence(view, opened, marker.line_start))
            opened = None
        read = marker.line_end + 1
    if opened is not None:
        found.append(_fence(view, opened, len(text)))
    return [fence for fence in found if fence.start < fence.end]


def _closes(marker: _Marker, opened: _Marker) -> bool:
    """Whether a line ends a fence. Behind a list marker or a quote it is content of one that was opened without."""
    if marker.info or marker.mark[0] != opened.mark[0] or len(marker.mark) < len(opened.mark):
        return False
    return not marker.prefix.strip() or bool(opened.prefix.strip())


def _outside(line: str, opened: _Marker) -> bool:
    """Whether a line stands outside the quote or list item in which a fence was opened, which has ended then."""
    for _ in range(opened.prefix.count(">")):
        mark = _QUOTE_MARK.match(line)
        if mark is None:
            return True
        line = line[mark.end() :]
    if not opened.prefix.rstrip().endswith(_LIST_ENDS) or not line.strip():
        return False
    line = line.expandtabs()
    return len(line) - len(line.lstrip()) < len(opened.prefix.rpartition(">")[2].expandtabs())


def _fence(view: View, opened: _Marker, stop: int) -> Fence:
    start = min(opened.line_end + 1, len(view.text))
    end = stop - 1 if stop > start and view.text[stop - 1 : stop] == "\n" else stop
    return Fence(start=start, end=end, first=view.line_of(start), info=opened.info[:80], prefix=opened.prefix)


def _undent(body: str, prefix: str) -> str:
    if not prefix:
        return body
    if ">" in prefix:
        return "\n".join([line[_QUOTE.match(line).end() :] for line in body.split("\n")])  # type: ignore[union-attr]
    width = len(prefix)
    lines = []
    for line in body.split("\n"):
        bare = line.lstrip(" \t")
        lines.append(line[min(width, len(line) - len(bare)) :])
    return "\n".join(lines)


def _fence_view(view: View, fence: Fence) -> Derived:
    body = _undent(view.text[fence.start : fence.end], fence.prefix)
    info, where = fence.info, Aligned(fence.first)
    if info.startswith("!"):
        shell = named(info[1:]) or _shell_on_loading(view.text)
        return Derived(body, shell, Step("bang-command", "block"), where, verbatim=True)
    language = named(info) if info else None
    if language is None:
        language = guess(body)
    elif (
        language is Kind.TEXT and guess(body) is Kind.SHELL
    ):  # an agent runs commands, whatever the fence calls them
        language = Kind.SHELL
    if language is Kind.SHELL:
        body = without_prompts(body)
    detail = info.split(None, 1)[0][:40] if info else language.value
    return Derived(body, language, Step("fence", detail), where, verbatim=True)


def _front_matter(view: View) -> Iterator[Derived]:
    text = view.text
    skip = 1 if text.startswith("\ufeff") else 0
    for mark, language in (("---", Kind.YAML), ("+++", Kind.TOML)):
        if not text.startswith(mark, skip):
            continue
        start = text.find("\n", skip) + 1
        if start == 0 or text[skip : start - 1].strip() != mark:
            continue
        at = start - 1
        while True:
            at = text.find("\n" + mark, at)
            if at == -1:
                return
            end = text.find("\n", at + 1)
            tail = text[at + 4 : end if end != -1 else len(text)]
            if not tail.strip():
                break
            at += 1
        step = Step(kind="front-matter")
        yield Derived(
            text=text[start:at] if at >= start else "", language=language, step=step, where=Aligned(first=1),
            verbatim=True,
        )  # fmt: skip


def _definitions(view: View) -> Iterator[Derived]:
    text = view.text
    if not _COMMENT_TARGET.search(text) or ("]: " not in text and "]:#" not in text):
        return
    for found in _COMMENT_DEFINITION.finditer(text):
        line = view.line_of(found.start(1))
        body = found[1].strip("\"'() \t\r")
        if body:
            yield Derived(
                text=body, language=Kind.TEXT, step=Step(kind="comment", detail="link definition"),
                where=Span(first=line, last=line), verbatim=True,
            )  # fmt: skip


def _lines_view(lines: list[tuple[int, str]], step: Step) -> Derived:
    return Derived(
        text="\n".join(body for _, body in lines), language=Kind.SHELL, step=step,
        where=Each(lines=[(n, n) for n, _ in lines]), verbatim=True,
    )  # fmt: skip


def _too_many(view: View, what: str, most: int) -> Gap:
    detail = f"more than {most} {what}; the rest was not looked at apart"
    return Gap(path=view.path, reason=GapReason.VIEW_LIMIT, detail=detail)


def _shell_on_loading(text: str) -> Kind:
    """The language of commands that run on loading: that of the shell which the front matter names, or the usual one."""
    found = _SHELL_NAMED.match(text)
    return Kind.SHELL if found is None else Kind.BATCH if found[1].lower() == "cmd" else Kind.POWERSHELL


def _bang(view: View) -> Iterator[Product]:
    """Commands that a slash command runs before the model sees the text: !`cmd` and lines ``!cmd``."""
    text = view.text
    if not _BANG.search(text) and "```!" not in text:
        return
    spans = _BANG_SPAN.finditer(text) if "!`" in text else ()
    found = [
        (view.line_of(m.start()), _one_line(m[1] or m[2]))
        for m in spans
        if m[1] or not _in_span(text, m.start())
    ]
    blocks = _BANG_BLOCK.finditer(text) if "```!" in text else ()
    found += [(view.line_of(m.start()), _one_line(m[1])) for m in blocks]
    at = 0 if text.startswith("!") else text.find("\n!") + 1
    while at < len(text) and text[at] == "!":
        end = text.find("\n", at)
        line = text[at + 1 : end if end != -1 else len(text)]
        if line[:1].isalpha() or line[:1] in "/.$~":
            found.append((view.line_of(at), line))
        following = text.find("\n!", at)
        if following == -1 or len(found) > _PARTS_MOST:
            break
        at = following + 1
    if found:
        commands = _lines_view(sorted(found[:_PARTS_MOST]), Step(kind="bang-command"))
        yield commands._replace(language=_shell_on_loading(text))
        if len(found) > _PARTS_MOST:
            yield _too_many(view, "bang commands", _PARTS_MOST)


def _in_span(text: str, at: int) -> bool:
    """Whether a place stands in a code span of its line, of which the next backtick is the end."""
    least = max(0, at - 2000)
    return text.count("`", max(least, text.rfind("\n", least, at)), at) % 2 == 1


def _one_line(commands: str) -> str:
    return "; ".join(filter(None, map(str.strip, commands.split("\n"))))


def _spans(view: View) -> list[re.Pattern[str]]:
    """How code stands in the lines of a text."""
    if view.language is Kind.LATEX:
        return [_VERB, _TEXTTT]
    return [_CODE_SPAN, _ORG_SPAN] if view.path.endswith(".org") else [_CODE_SPAN]


def _unescaped(text: str) -> str:
    return _LATEX_ESCAPED.sub(r"\1", text.replace(r"\textasciitilde{}", "~").replace(r"\textasciitilde", "~"))


def _inline_commands(view: View) -> Iterator[Product]:
    text = view.text
    spans = sorted(
        (m.start(), m[m.lastindex or 1]) for pattern in _spans(view) for m in pattern.finditer(text)
    )
    found = []
    for at, span in spans:
        plain = _unescaped(span) if view.language is Kind.LATEX else span
        if body := command_of_span(plain) or used_assignment(plain, text):
            found.append((view.line_of(at), body))
            if len(found) >= _PARTS_MOST:
                yield _too_many(view, "commands in code spans", _PARTS_MOST)
                break
    if found:
        yield _lines_view(found, Step(kind="command", detail="inline"))


def _links(view: View) -> Iterator[Derived]:
    """Links whose target is itself content: ``data:`` that holds text, and ``javascript:``."""
    if not _carries(view.text):
        return
    for found in _LINK.finditer(view.text):
        target = found[1]
        scheme, _, rest = target.partition(":")
        language, body = Kind.JAVASCRIPT, unquote(rest, errors="replace")
        if scheme.lower() == "data":
            decoded = data_text(rest)
            if not decoded:
                continue
            language, body = (named(re.split("[;,]", rest)[0].rpartition("/")[2]) or guess(decoded)), decoded
        line = view.line_of(found.start(1))
        step = Step(kind="link", detail=target[:60])
        yield Derived(text=body, language=language, step=step, where=Span(first=line, last=line))


def _carries(text: str) -> bool:
    """Whether the scheme of such a target stands in the text."""
    lower = lowered(text)
    return lower.find(b"data:") != -1 or lower.find(b"script:") != -1  # ``in`` costs an exception first


def data_text(target: str) -> str | None:
    """The text that a ``data:`` address carries, given what follows its scheme; ``None`` for none."""
    head, _, payload = target.partition(",")
    if head.lower().endswith("base64"):
        try:
            return as_text(binascii.a2b_base64(payload + "=" * (-len(payload) % 4)))
        except (binascii.Error, ValueError):
            return None
    return as_text(unquote(payload, errors="replace").encode())


def _indented(view: View, fenced: list[tuple[int, int]]) -> Iterator[Derived]:
    """Blocks indented by four or more after an empty line, where they read as a program."""
    text = view.text
    for needle in ("\n\n    ", "\n\n\t"):
        at = text.find(needle)
        while at != -1:
            following = at + 2
            fence = end_around(fenced, following)
            if fence:  # all up to its end is in it too
                following = max(following, fence - 2)
            else:
                first = view.line_of(following)
                limit, body = _block(view, first)
                following = max(following, limit + 1)
                kind = guess(body)
                if kind not in (Kind.TEXT, Kind.HTML):
                    body = without_prompts(body) if kind is Kind.SHELL else body
                    step = Step(kind="fence", detail="indented")
                    where = Aligned(first=first)
                    yield Derived(text=body, language=kind, step=step, where=where, verbatim=True)
            at = text.find(needle, following)


def _block(view: View, first: int) -> tuple[int, str]:
    """Where the indented block that starts at line ``first`` ends, and its text."""
    lines: list[str] = []
    starts, text, number = view.line_starts(), view.text, first
    while number < len(starts):
        end = starts[number + 1] - 1 if number + 1 < len(starts) else len(text)
        line = text[starts[number] : end]
        if line.strip() and not line.startswith(("    ", "\t")):
            break
        lines.append(line[4:] if line.startswith("    ") else line.lstrip("\t"))
        number += 1
    while lines and not lines[-1].strip():
        lines.pop()
    return (starts[number] - 3 if number < len(starts) else len(text)), "\n".join(lines)


def markdown_views(view: View, limits: Limits) -> Iterator[Product]:
    """All parts of a Markdown (or plain) text."""
    text = view.text
    yield from _front_matter(view)
    found = fences(view)
    if (
        len(text) > 3 * FENCE_LINES_MOST
        and max(text.count("```"), text.count("~~~")) > FENCE_LINES_MOST
        and len(_markers(text)) >= FENCE_LINES_MOST
    ):
        yield _too_many(view, "lines that open or close a fence", FENCE_LINES_MOST)
    for fence in found:
        yield _fence_view(view, fence)
    fenced = [(fence.start, fence.end) for fence in found]
    yield from _indented(view, fenced)
    if "<" in text:
        yield from hypertext_parts(view, fenced)
    yield from _definitions(view)
    yield from _bang(view)
    if "`" in text or view.language is Kind.LATEX or view.path.endswith(".org"):
        yield from _inline_commands(view)
    yield from command_lines(view, fenced)
    yield from _links(view)

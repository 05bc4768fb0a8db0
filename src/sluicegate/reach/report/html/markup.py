"""Building HTML so that nothing can be forgotten: a plain string is text, and only ``el`` makes markup."""

from __future__ import annotations

from collections.abc import Iterable

from sluicegate.reach.report.escape import hazards, html


class Markup(str):
    """HTML made by this module. Nothing else makes one from a skill's text."""

    __slots__ = ()


Child = Markup | str | None

_VOID = {"meta": ">", "rect": "/>"}
"""Elements without content -> how they end (those of SVG must close themselves)."""


def el(name: str, /, *children: Child | Iterable[Child], **attributes: str | bool | None) -> Markup:
    """One element. Children that are plain strings are escaped, with control characters shown as escapes.

    An attribute is left out when its value is None, False or empty, and stands alone when it is True; a
    trailing underscore of its name is dropped and any other becomes ``-``.
    """
    head = name
    for key, value in attributes.items():
        shown = key.rstrip("_").replace("_", "-")
        if value is True:
            head += f" {shown}"
        elif value:
            head += f' {shown}="{html(value)}"'
    if name in _VOID:
        return Markup(f"<{head}{_VOID[name]}")
    return Markup(f"<{head}>{join(children)}</{name}>")


def join(children: Iterable[Child | Iterable[Child]]) -> Markup:
    """Children one after the other."""
    shown: list[str] = []
    for child in children:
        if child is None:
            continue
        if isinstance(child, Markup):
            shown.append(child)
        elif isinstance(child, str):
            shown.append(html(child, newline=True))
        else:
            shown.append(join(child))
    return Markup("".join(shown))


def visible(text: str) -> Markup:
    """Untrusted text with each character that steers or cannot be seen as a small mark that names it."""
    return join(
        el("b", piece, class_="unseen", title="a character that is not shown as itself") if mark else piece
        for piece, mark in hazards(text)
    )


def prose(text: str) -> Markup:
    """A rule's prose: what it wrote between backticks is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return join([text])
    return join(el("code", part) if at % 2 else part for at, part in enumerate(parts))

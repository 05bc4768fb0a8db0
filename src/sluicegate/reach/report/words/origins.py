"""The way from a file to the text that was inspected, in words. Nothing here is escaped: the formats do that."""

from __future__ import annotations

from sluicegate.reach.report.escape import unbroken
from sluicegate.vet.verdict.types import Location

_STEP = {
    "normalised": ("normalised text", "after look-alike characters are made plain"),
    "invisible": ("invisible characters", "in invisible characters"),
    "base64": ("base64", "in base64"),
    "base85": ("base85", "in base85"),
    "base32": ("base32", "in base32"),
    "hex": ("hex", "in hex"),
    "rot13": ("rot13", "in rot13"),
    "percent": ("percent encoding", "in percent encoding"),
    "escape": ("character escapes", "in character escapes"),
    "reversed": ("reversed text", "in reversed text"),
    "front-matter": ("front matter", "in the front matter"),
    "comment": ("hidden comment", "in a comment that readers do not see"),
    "link": ("link target", "in a link target"),
    "bang-command": ("!`command` line", "in a command that runs when the text is loaded"),
    "hook-prompt": ("prompt of a hook", "in the prompt of a hook"),
    "command-prompt": ("prompt of a command", "in the prompt of a slash command"),
    "cell": ("notebook cell", "in a notebook cell"),
    "folded": ("joined string", "in a string put together from parts"),
    "spliced": ("spliced shell text", "in shell text put together from variables"),
    "document": ("document text", "in the text of the document"),
    "program": ("text that is run", "in a text that the program runs"),
    "run-as": ("run as", "read as a program, whatever its name says"),
    "encoding": ("encoding of the source", "in the encoding that the program is read in"),
    "name": ("name of a file", "in the name of a file"),
}
"""Step kind -> (name for a breadcrumb, words for a sentence)."""


_INLINE = "inline command"


def _command(detail: str) -> str:
    """A command by where it stands: a key of a file of settings, or ``inline`` in Markdown."""
    return _INLINE if detail == "inline" else f"command {detail}".rstrip()


def crumb(step: str) -> str:
    """One step of an origin chain as a short name: ``bash code block``, ``base64``."""
    kind, _, detail = step.partition(" ")
    if kind == "fence":
        return f"{detail} code block" if detail else "code block"
    if kind == "command":
        return _command(detail)
    name = _STEP[kind][0] if kind in _STEP else kind
    return f"{name} {detail}" if detail else name


def crumbs(location: Location) -> tuple[str, ...]:
    """The whole way to the text, outermost first: archive, member, then each derivation."""
    return (*unbroken(location.path).split("!/"), *(crumb(step) for step in location.origin))


def in_words(location: Location) -> str:
    """The origin chain in words, innermost first: ``in base64, in a bash code block``; empty for raw text."""
    said = []
    for step in reversed(location.origin):
        kind, _, detail = step.partition(" ")
        if kind == "fence":
            said.append(f"in a {detail} code block" if detail else "in a code block")
        elif kind == "command":
            said.append(
                f"in an {_INLINE}"
                if detail == "inline"
                else f"in the {_command(detail)}"
                if detail
                else "in a command"
            )
        else:
            words = _STEP[kind][1] if kind in _STEP else f"in {kind}"
            said.append(f"{words} ({detail})" if detail else words)
    return ", ".join(said)

"""The words a policy may use that are not its own: rules, risks, kinds of operation, categories, trust."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import Final, Literal

from sluicegate.flow.labels import SOURCES
from sluicegate.flow.labels.segments import as_given

BuiltinRule = Literal[
    "no-secret-exfil",
    "no-sensitive-exfil",
    "no-untrusted-destructive",
    "no-untrusted-privileged",
    "untrusted-llms-get-influenced",
]
BUILTIN_RULES: Final = (
    "no-secret-exfil",
    "no-sensitive-exfil",
    "no-untrusted-destructive",
    "no-untrusted-privileged",
)
"""The rules that refuse, in the order of ``kernels.builtin``."""
INFLUENCE_RULE: Final = "untrusted-llms-get-influenced"

RISKS: Final = ("exfil", "destructive", "privileged")

OPERATION_KINDS: Final = (
    "cmd", "sh", "node", "js", "py", "prose", "show", "output", "log", "append", "stream", "read", "write",
    "fetch", "mcp", "call", "sign", "install", "return", "interpreter",
)  # fmt: skip
"""What follows ``op:`` in the label of an operation."""

INTERPRETERS: Final = ("sh", "node", "js", "py", "prose")

CATEGORIES: Final = (
    "cmd", *INTERPRETERS, "fs", "network", "mcp", "install", "env", "keychain",
    "show", "output", "log", "append", "stream", "call", "sign", "return", "interpreter",
)  # fmt: skip
"""What capabilities speak of."""

GATED: Final = frozenset({"cmd", *INTERPRETERS, "interpreter", "fs", "network", "mcp", "install"})
"""Categories that an allow list closes even where it does not mention them."""

CATEGORY_ALIASES: Final = {"filesystem": "fs", "net": "network", "python": "py", "@keychain": "keychain"}

KNOWN_TARGETS: Final = (
    *RISKS,
    "net:r",
    "net:w",
    "fs:r",
    "fs:w",
    "safe",
    "code:inline",
    "code:written",
    "data:lost",
)
"""Operation labels that are not ``op:`` and need no declaration."""

KNOWN_LABELS: Final = ("secret", "sensitive", "untrusted", "trusted", "influenced", "llm", "pii", "internal")


_CONFUSABLE: Final = 0.8


def nearest(word: str, known: Iterable[str], *, more: str = "") -> str:
    """A hint for a word that is not known: the nearest one, or all of them if they are few."""
    import difflib

    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if close:
        return f"Did you mean {close[0]}?"
    if names and len(names) <= 24:
        return f"Known here: {', '.join(names)}."
    return more


def no_operation(kind: str, *, more: Iterable[str] = ()) -> str | None:
    """A hint where ``op:kind`` is not an operation; None where it is one. ``more``: other words that may be meant."""
    if kind in OPERATION_KINDS:
        return None
    return nearest(f"op:{kind}", (*(f"op:{each}" for each in OPERATION_KINDS), *more))


_PLAIN_KINDS: Final = frozenset("sh node js py log append stream read write return".split())
"""Operations that have no more to their label."""
_OWN_LANGUAGES: Final = {"sh": "op:sh", "python": "op:py", "node": "op:node"}


def meant_operation(name: str) -> str:
    """The label of an operation that whoever wrote this one must have meant; the same where an operation may have it. ``name`` begins
    with ``op:`` and a kind that there is (``no_operation``)."""
    first, kind, *rest = name.split(":")
    if kind in _PLAIN_KINDS:
        return name if name == "op:write:append" else f"{first}:{kind}"
    rest = [as_given(each) for each in rest]
    if rest and kind == "fetch":
        rest = [rest[0].lower()]
    elif rest and kind == "interpreter" and rest[0] in _OWN_LANGUAGES:
        return _OWN_LANGUAGES[rest[0]]
    elif rest and kind == "cmd" and "/" in rest[0]:
        rest[0] = rest[0].rstrip("/").rpartition("/")[2] or "path"
    return ":".join((first, kind, *rest))


def meant_directory(name: str) -> str:
    """The same of ``dir:`` and a path, which labels have whole and without links in between (``labels.directories``)."""
    path = name.removeprefix("dir:")
    if not path.startswith("/"):
        return "" if path.startswith("~") else f"dir:{posixpath.normpath(f'/{path}')}"
    plain = posixpath.normpath(path.rstrip("*"))
    return f"dir:{plain.replace('//', '/', 1) if plain.startswith('//') else plain}"


def no_source(source: str) -> str | None:
    """A hint where ``src:source`` is not a source of data; None where it is one."""
    return None if source in SOURCES else nearest(f"src:{source}", [f"src:{each}" for each in SOURCES])


def _letters_alike(word: str, name: str) -> float:
    """``difflib``'s bound on how like two words are, from their letters in any order: what it finds too small needs no
    ``difflib``."""
    common = sum(min(word.count(letter), name.count(letter)) for letter in set(word))
    return 2.0 * common / (len(word) + len(name)) if word or name else 1.0


def confusable(word: str, known: Iterable[str]) -> str:
    """The known word that this one was probably meant to be; empty if it is known, or like none."""
    names = set(known)
    if word in names:
        return ""
    near = [name for name in sorted(names) if _letters_alike(word, name) >= _CONFUSABLE]
    if not near:
        return ""
    import difflib

    close = difflib.get_close_matches(word, near, n=1, cutoff=_CONFUSABLE)
    return close[0] if close else ""

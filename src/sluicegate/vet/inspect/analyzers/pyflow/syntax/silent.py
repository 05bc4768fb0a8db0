"""Texts that can do nothing of note, told from their words before they are parsed.

Nothing is reported of a program but what a model reports, and a model is called for a name or a method. So a
group of texts that share their names only with each other is *silent* when no word in it can name a model that
is not quiet (see ``models.quiet``). The argument, for a model of the name ``os.system``:

1. A name is put together from identifiers: an imported or built-in name, then one attribute for each dot.
2. Its last part and its head stand in the text as they are, or as an alias that ``names.canonical`` replaces;
   ``_closure`` has all aliases.
3. What finds a name by a computed text (``getattr``, ``globals``, ``sys.modules``, ``__import__``, ``vars``, ``__dict__``) is itself loud.
4. The parser reads identifiers in their NFKC form, and so does ``tokens``.
5. What stands behind a dot is an attribute; a built-in function is not reached so, but from ``builtins``.

Without a loud model no environment is read and nothing of note called, whatever data is marked. Two ways lead
out of a group all the same: an import of a module of the bundle, and a file that is written by one text and read
by another; for these see ``Silence``.
"""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Iterable
from functools import cache

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.pyflow.models import tables as models
from sluicegate.vet.inspect.analyzers.pyflow.names import BUILTINS, EXACT, HEADS, IMPLICIT_MODULES, MEMBERS
from sluicegate.vet.inspect.analyzers.pyflow.program import is_notebook_cell
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

MAX_LENGTH = 40_000
"""Characters of a text that is asked about; longer ones are run."""
_APART = lazy(r"\.[\s\\\0]+([A-Za-z_]\w*)")
"""A name some way behind a dot: an attribute, or the first word after a number or a sentence. A zero is a space
to ``parse``."""
_LOST = lazy(r"\.[\s\\\0]*(?:#|(?<=[\s\0])(?:[!%]|>>>|In \[))")
"""A dot with what the parser does not see behind it, a comment, or ``parse`` takes away: a magic, a prompt. Any
name may be the next that it sees."""
_ASCII = bytes(range(128))
_LETTERS = frozenset("_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_APART_FROM_WORDS = bytes(code if chr(code) in _LETTERS or code == 0x2E else 0x20 for code in range(256))
_COMMENT = lazy(r"#[^#'\"{\n\r]*+(?=[\n\r]|\Z)")
"""The end of a line that is not code: a comment, or else inside of a string that no quote ends and of a format
string that no brace opens (see ``code_of``)."""
_RELATIVE = lazy(r"\bfrom[\s\\\0]*\.")
_UNCALLED = ("os.environ", "sys.modules")
"""Names that are loud as they stand, without a call."""
_ASSIGNED = (".verify", ".check_hostname", ".verify_mode", "._create_default_https_context")
"""Attributes to which an assignment is reported (``statements._tls``)."""
_HOLDERS = ("walk", "paths", "stdin", ".walk", ".paths", ".stdin")
"""Words of outside names whose members are looked up as methods, even where one is imported by name
(``models.external``)."""


class _Words(NamedTuple):
    """Tokens that are loud by themselves, those that are with a head, and beginnings of words with a head."""

    alone: frozenset[str]
    stores: frozenset[str]
    heads: dict[str, frozenset[str]]
    beginnings: dict[str, tuple[str, ...]]


@cache
def _loud() -> _Words:
    alone: set[str] = {*_ASSIGNED, MEMBERS}
    stores: set[str] = set()
    heads: dict[str, set[str]] = {}
    for method, function in models.METHODS.items():
        if function not in models.QUIET:
            (stores if function in models.STORING else alone).add("." + method)
            for holder in _HOLDERS:
                heads.setdefault(holder, set()).add(method)
    loud = [name for name, function in models.TABLE.items() if function not in models.QUIET]
    todo = [*loud, *_UNCALLED]
    by_name: dict[str, list[str]] = {}
    for alias, known in EXACT.items():
        by_name.setdefault(known, []).append(alias)
    for name in todo:
        todo += [alias for alias in by_name.get(name, ()) if alias not in todo]
        head, _, last = name.replace("()", "").partition(".")
        last = last.rpartition(".")[2]
        if not last:
            alone.add(head)
            head, last = "builtins", head
        for word in _closure(head, 0):
            heads.setdefault(word, set()).update(
                ("", ".")[dot] + w for w in _closure(last, -1) for dot in (0, 1)
            )
    beginnings: dict[str, set[str]] = {}
    for prefix, _ in models.PREFIXES:
        head, _, rest = prefix.partition(".")
        for word in _closure(head, 0):
            beginnings.setdefault(word, set()).update((rest, "." + rest))
    return _Words(
        frozenset(alone),
        frozenset(stores),
        {head: frozenset(lasts) for head, lasts in heads.items()},
        {head: tuple(sorted(rests)) for head, rests in beginnings.items()},
    )


@cache
def _aliases(part: int) -> dict[str, set[str]]:
    """For each word that is a part of a name (0 the head, -1 the last), the words that ``canonical`` puts it for."""
    found: dict[str, set[str]] = {}
    for table in (HEADS, EXACT, IMPLICIT_MODULES, BUILTINS):
        for alias, known in table.items():
            found.setdefault(known.split(".")[part], set()).add(alias.split(".")[part])
    return found


@cache
def _closure(word: str, part: int) -> frozenset[str]:
    """A part of a name, and all words that may stand for it."""
    found = {word}
    todo = [word]
    for known in todo:
        more = _aliases(part).get(known, set()) - found
        found |= more
        todo += more
    return frozenset(found)


def code_of(text: str) -> str:
    """A text without the comments that hold no quote and no brace.

    Where a ``#`` begins no comment it stands in a string, and so does the rest of the line when it can neither
    end the string nor open a field of it. A comment is not code in any text that is made of this one
    (see ``parse``).
    """
    return _COMMENT.sub("", text) if "#" in text else text


def tokens(text: str) -> set[str]:
    """The words of a text that may be identifiers of ASCII letters, each with the dot right before it."""
    raw = text.encode("utf-8", "replace")
    if not text.isascii():
        # One by one: to compose characters takes no ASCII letter from others, and may take quadratic time.
        others = {
            ord(c): unicodedata.normalize("NFKC", c) for c in set(raw.translate(None, _ASCII).decode("utf-8"))
        }
        changed = {code: plain for code, plain in others.items() if not _LETTERS.isdisjoint(plain)}
        if changed:
            text = text.translate(changed)
            raw = text.encode("utf-8", "replace")
    found = set(raw.translate(_APART_FROM_WORDS).replace(b".", b" .").decode("ascii").split())
    if "." in found:
        found.update("." + name for name in _APART.findall(text))
        if _LOST.search(text):
            found.update("." + name for name in tuple(found) if name[:1] != ".")
    return found


def is_loud(found: set[str]) -> bool:
    """Whether the words of a text can name a model that is not quiet."""
    words = _loud()
    if not found.isdisjoint(words.alone):
        return True
    for head in found & words.heads.keys():
        if not found.isdisjoint(words.heads[head]):
            return True
    for head in found & words.beginnings.keys():
        beginnings = words.beginnings[head]
        for word in found:
            if word.startswith(beginnings):
                return True
    return False


class Silence:
    """Which views of a bundle need not be run: fences and the like, whose names only those of one path share.

    A text that imports a module of the bundle is run. One that may store marked data in a file is run when any
    other is run, for that one may read the file.
    """

    __slots__ = ("_skipped",)

    def __init__(self, views: Iterable[View]) -> None:
        groups: dict[str, list[View]] = {}
        modules: set[str] = set()
        others = named = False
        for view in views:
            if _shares(view):
                groups.setdefault(view.path, []).append(view)
            else:
                others = True
                if not view.origin:
                    word = _module_word(view.path)
                    modules |= {word, "." + word}
                    named = named or not word.isascii()
        silent: set[str] = set()
        storing: set[str] = set()
        for path, members in groups.items():
            found = None if named else _group(members, modules)  # ``tokens`` has words of ASCII letters only
            if found is not None:
                (silent if found.isdisjoint(_loud().stores) else storing).add(path)
        alone = not others and len(silent) + len(storing) == len(groups)
        self._skipped = silent | storing if alone else silent

    def covers(self, view: View) -> bool:
        """Whether a view need not be run."""
        return view.path in self._skipped and _shares(view)


def _shares(view: View) -> bool:
    """Whether a text shares its names with the other texts out of its artifact, and with nothing else."""
    return bool(view.origin) and not is_notebook_cell(view)


def _module_word(path: str) -> str:
    """The last word of what an import statement must say to mean a module (see ``program.Modules``)."""
    stem = posixpath.basename(path.removesuffix(".py").removesuffix(".pyw").removesuffix("/__init__"))
    return stem.rpartition(".")[2]


def _group(members: list[View], modules: set[str]) -> set[str] | None:
    """The words of texts that share their names; None when one of them may be loud or imports a module."""
    if any(len(view.text) > MAX_LENGTH for view in members):
        return None
    found = tokens(code_of("\n".join([view.text for view in members])))
    if is_loud(found) or not found.isdisjoint(modules):
        return None
    if modules and any(_RELATIVE.search(view.text) for view in members):
        return None
    return found

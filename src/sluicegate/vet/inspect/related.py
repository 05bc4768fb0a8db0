"""The files of a bundle on which a text rests: which it names, which start its program, which set its variables.

Where the dependence cannot be told exactly, more is covered: a whole file, a whole paragraph, all files of a folder. A
drift too many costs a person another look, and a drift too few lets a change pass that nobody accepted.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cached_property

from sluicegate.vet.inspect.rule import Subject
from sluicegate.vet.intake.bundle import CODE, CONFIG, PROSE, Artifact, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_SLASHED = frozenset({Kind.JAVASCRIPT, Kind.TYPESCRIPT, Kind.GO, Kind.RUST, Kind.JAVA, Kind.C, Kind.PHP})
"""Languages whose remarks begin with two slashes."""
_HASHED = frozenset({
    Kind.PYTHON, Kind.SHELL, Kind.MAKEFILE, Kind.DOCKERFILE, Kind.RUBY, Kind.PERL, Kind.R, Kind.POWERSHELL,
    Kind.YAML, Kind.TOML, Kind.INI,
})  # fmt: skip
"""Languages whose remarks begin with a number sign."""
_STEMMED = CODE - {Kind.PYTHON, Kind.JAVASCRIPT, Kind.TYPESCRIPT}
"""Languages whose imports are not followed: a file may be named there without its suffix."""
_WORD = lazy(r"[\w.@%+-]+")
_PATTERN = lazy(r"[^\s'\"`<>()|;,=*?]{0,100}[*?][^\s'\"`<>()|;,=]{0,100}")
_SUFFIX = lazy(r"(?:^|[\s'\"`}\])]|\$\w{1,80})(\.[A-Za-z]\w{0,9})(?=['\"`\s)]|$)")
_LISTED = lazy(
    r"\b(?:i?glob|rglob|iterdir|listdir|scandir|walk|readdir\w*|Get-ChildItem|gci|Dir)\b", re.IGNORECASE
)
MOST = 200
"""Files that one match is followed through."""


class RelatedFiles:
    """What the files of one bundle have to do with each other."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._called: dict[str, tuple[str, ...]] = {}
        self._set: dict[str, tuple[str, ...]] = {}
        self._blocks: dict[str, list[tuple[int, int]]] = {}

    def named(self, text: str, path: str, language: Kind) -> Iterator[str]:
        """The files that a text names, and those that they name in turn where they are run or give settings.

        1. By the last part of their path, by a pattern, by a suffix that is put behind a name.
        2. All data of the folder where it lists one.
        """
        seen = {path}
        waiting = [(text, path, language)]
        while waiting and len(seen) <= MOST:
            for artifact in self._direct(*waiting.pop()):
                if artifact.path in seen:
                    continue
                seen.add(artifact.path)
                yield f"named={artifact.path} {content(artifact)}"
                if artifact.kind in CODE or artifact.kind in CONFIG:
                    waiting.append((artifact.data.decode(errors="replace"), artifact.path, artifact.kind))

    def _direct(self, text: str, path: str, language: Kind) -> Iterator[Artifact]:
        words = _words(text)
        for word in sorted(words & self._names.keys()):  # 1
            yield from self._names[word]
        if language in _STEMMED:
            for word in sorted(words & self._stems.keys()):
                yield from self._stems[word]
        for name in self._odd:
            if name in text:
                yield from self._names[name.casefold()]
        if "npm_package_" in text:
            yield from self._names.get("package.json", ())
        patterns = (
            {piece.rpartition("/")[2] for piece in _PATTERN.findall(text)}
            if "*" in text or "?" in text
            else set()
        )
        patterns = {each for each in patterns if re.search(r"[\w.]", each)}
        patterns |= {f"*{suffix}" for suffix in _SUFFIX.findall(text)}
        listed = _LISTED.search(text) is not None
        if not patterns and not listed:
            return
        folder = path.rpartition("/")[0]
        for artifact in self._subject.bundle.artifacts:
            name = artifact.path.rpartition("/")[2]
            if any(fnmatchcase(name, each) for each in patterns):
                yield artifact
            elif (
                listed
                and artifact.kind not in CODE
                and artifact.path.startswith(f"{folder}/" if folder else "")
            ):  # 2
                yield artifact

    def callers(self, path: str) -> tuple[str, ...]:
        """What other files say that name a program: a paragraph, or a whole program; with the files that they name."""
        if path not in self._called:
            self._called[path] = tuple(dict.fromkeys(self._calling(path)))
        return self._called[path]

    def _calling(self, path: str) -> Iterator[str]:
        name = path.rpartition("/")[2]
        stem = name.partition(".")[0] if name[:1] != "." else name
        called = re.compile(
            rf"(?<![\w-]){re.escape(name)}(?!\w)|[/.\\]{re.escape(stem)}(?![\w.-])|-m\s+(?:[\w.]*\.)?{re.escape(stem)}(?![\w-])"
        )
        for view in self._subject.views:
            if view.origin or view.path == path:
                continue
            text = view.text
            places = [found.start() for found in called.finditer(text)] if stem in text else []
            if "*" in text or "?" in text:
                places += [
                    found.start() for found in _PATTERN.finditer(text)
                    if len(found[0]) < 200 and re.search(r"[./\w]", found[0]) and _calls(name, found[0])
                ]  # fmt: skip
            yield from self._said(view, places, "caller")

    def setters(self, name: str, path: str) -> Iterator[str]:
        """What other files say of a variable: the lines of programs and settings that set it, and the paragraphs that name it."""
        if name not in self._set:
            self._set[name] = tuple(dict.fromkeys(self._setting(name)))
        yield from (each for each in self._set[name] if not each.startswith(f"sets={path} "))

    def _setting(self, name: str) -> Iterator[str]:
        line = re.compile(
            rf"(?m)^.{{0,200}}\b{re.escape(name)}[\"'\]]{{0,2}}[ \t]*(?:[?+]?=|:(?!:)).{{0,400}}$"
        )
        word = re.compile(rf"\b{re.escape(name)}\b")
        for view in self._subject.views:
            if view.origin or name not in view.text:
                continue
            if view.language in PROSE:
                for first, last in self._around(view, (found.start() for found in word.finditer(view.text))):
                    yield f"sets={view.path} {view.text[first:last]}"
            else:
                yield from (f"sets={view.path} {found[0].strip()}" for found in line.finditer(view.text))

    def _said(self, view: View, places: Iterable[int], what: str) -> Iterator[str]:
        if view.language in PROSE:
            for first, last in self._around(view, places):
                block = view.text[first:last]
                yield f"{what}={block}"
                yield from self.named(block, view.path, Kind.SHELL)
        elif any(True for _ in places):
            yield f"file={view.path} {content(view.artifact)}"
            if view.language in CODE or view.language in CONFIG:
                yield from self.named(view.text, view.path, view.language)

    def _around(self, view: View, places: Iterable[int]) -> list[tuple[int, int]]:
        """The paragraphs and listings in which these places stand."""
        blocks = self._blocks.get(view.path)
        if blocks is None:
            blocks = self._blocks[view.path] = paragraphs(view.text)
        found: dict[tuple[int, int], None] = {}
        for place in places:
            found[blocks[bisect_right(blocks, (place, len(view.text) + 2)) - 1]] = None
        return list(found)

    @cached_property
    def _names(self) -> Mapping[str, list[Artifact]]:
        found: dict[str, list[Artifact]] = {}
        for artifact in self._subject.bundle.artifacts:
            found.setdefault(artifact.path.rpartition("/")[2].casefold(), []).append(artifact)
        return found

    @cached_property
    def _stems(self) -> Mapping[str, list[Artifact]]:
        found: dict[str, list[Artifact]] = {}
        for artifact in self._subject.bundle.artifacts:
            if artifact.kind in CODE:
                stem = artifact.path.rpartition("/")[2].casefold().lstrip(".").partition(".")[0]
                found.setdefault(stem, []).append(artifact)
        return found

    @cached_property
    def _odd(self) -> list[str]:
        """Names of files that are no single word."""
        names = (artifact.path.rpartition("/")[2] for artifact in self._subject.bundle.artifacts)
        return sorted({name for name in names if name and _WORD.fullmatch(name) is None})


def _words(text: str) -> set[str]:
    found: set[str] = set()
    for word in _WORD.findall(text.casefold()):
        found |= {word, word.rstrip("."), word.strip("@%+-"), word.lstrip("@%+-").rstrip(".")}
        if word[:1] == "-" and len(word) > 2:
            found.add(word[2:])
    return found


def _calls(name: str, pattern: str) -> bool:
    last = pattern.rpartition("/")[2].rstrip(".,:!")
    return re.search(r"\w", last) is not None and fnmatchcase(name, last)


def paragraphs(text: str) -> list[tuple[int, int]]:
    """Where the paragraphs of a text that people read begin and end; a listing between fences is one."""
    found: list[tuple[int, int]] = []
    start = at = 0
    fence = ""
    for line in text.split("\n"):
        end = at + len(line) + 1
        bare = line.strip()
        if fence:
            if bare.startswith(fence):
                found.append((start, end))
                start, fence = end, ""
        elif bare.startswith(("```", "~~~")):
            found.append((start, at))
            start, fence = at, bare[:3]
        elif not bare:
            found.append((start, at))
            start = end
        at = end
    return [*found, (start, at)]


def content(artifact: Artifact) -> str:
    """A digest of a file without what runs nowhere: empty lines, spaces around lines, and lines that are remarks.

    The first line that names the interpreter is none, and neither is any line of a file that holds texts of many lines.
    """
    data = artifact.data
    if artifact.kind in _SLASHED and b"`" not in data and b"<<" not in data:
        mark = b"//"
    elif artifact.kind in _HASHED and b"<<" not in data:
        mark = b"#"
    else:
        mark = b""
    lines = [line.strip() for line in data.split(b"\n")]
    kept = [
        line for number, line in enumerate(lines)
        if line and not (mark and line.startswith(mark) and not (number == 0 and line.startswith(b"#!")))
    ]  # fmt: skip
    return hashlib.sha256(b"\n".join(kept)).hexdigest()

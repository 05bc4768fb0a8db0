"""The files of a bundle on which a text rests: which it names, which start its program, which set its variables.

Where the dependence cannot be told exactly, more is covered: a whole file, a whole paragraph, all files of a folder. A
drift too many costs a person another look, and a drift too few lets a change pass that nobody accepted. Where more than
``MOST`` files are reached, or more than ``WORK`` was looked through, it is the whole bundle.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import accumulate

from sluicegate.vet.inspect.fingerprints.implied import (
    folders,
    imported,
    read_by_tools,
    stands_for_folder,
)
from sluicegate.vet.inspect.rule import Subject
from sluicegate.vet.intake.bundle import CODE, CONFIG, PROSE, Artifact, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.encoding import digest

_PARTED = frozenset({Kind.PYTHON, Kind.JAVASCRIPT, Kind.TYPESCRIPT})
"""Languages whose imports are told apart; in others a file may be named anywhere without its suffix."""
_STEMMED = CODE - _PARTED
_FOLLOWED = CODE | CONFIG | {Kind.TEXT}
"""What may name files that it has run or read: programs, settings, tables of jobs."""
_WORD = lazy(r"[\w.@%+-]+")
_BEFORE, _BEHIND = "@%+-", "@%+-."
_APART = "".join(chr(n) if chr(n).isalnum() or chr(n) in "_.@%+-" else " " for n in range(128))
"""What stands between the words of a text of ASCII letters, as spaces: the same words, in a third of the time."""
_PATTERN = lazy(r"[^\s'\"`<>()|;,=*?]{0,100}[*?][^\s'\"`<>()|;,=]{0,100}")
_SUFFIX = lazy(r"\.[A-Za-z]\w{0,9}(?=['\"`\s)]|$)")
_KEPT_NAME = lazy(r"\$\w{1,80}$")
_LISTERS = ("glob", "iterdir", "listdir", "scandir", "walk", "readdir", "childitem")
_LISTED = lazy(
    r"\b(?:i?glob|rglob|iterdir|listdir|scandir|walk|readdir\w*|Get-ChildItem|gci|dir)\b", re.IGNORECASE
)
_READS = lazy(
    r"\bopen\s?\(|\bread_?(?:text|bytes|csv|file)|file_get_contents|\bget-content\b|\bfile\.read"
    r"|\b(?:cat|grep|egrep|sed|awk|head|tail|cut|jq|yq|xargs|sort|tac|base64|openssl)\s|<\s?[\"']?[\w./$]",
    re.IGNORECASE,
)
"""What takes the text of a file as data."""
_BRACED = lazy(r"\{[\w./-]{0,80}(?:,|\.\.)[\w.,/-]{0,80}\}|(?<=[\w./-])\[[!^]?[\w-]{1,40}\]")
"""Several names at once, as a shell writes them."""
_IN_NAME = lazy(r"[\w.-]*")
_LISTING = frozenset({Kind.SHELL, Kind.MAKEFILE, Kind.DOCKERFILE})
"""Languages in which braces and brackets stand for several names."""
MOST = 200
"""Files that one match is followed through, one by one."""
WORK = 2_000_000_000
"""Characters of one bundle that are looked through for a name, as often as they are looked through; other work counts for
as many as it costs."""
BELOW = 3
"""Lines of settings below the name of a variable on which its value may stand."""
_COMPARED, _SEARCHED, _REACHED, _NAMED = 1_000, 50, 1_000, 25
"""What the comparison of one name with one pattern counts for, a character that an expression looks at, a file that is reached, and
one that is named, whether or not it was reached before."""


class RelatedFiles:
    """What the files of one bundle have to do with each other."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._left = WORK
        self._called: dict[str, tuple[str, ...]] = {}
        self._set: dict[str, tuple[str, ...]] = {}
        self._blocks: dict[str, list[tuple[int, int]]] = {}
        self._fitting: dict[str, tuple[Artifact, ...]] = {}
        self._globs: dict[str, list[tuple[int, str]]] = {}
        self._asked: dict[tuple[str, str, Kind], tuple[tuple[Artifact, ...], set[str]]] = {}
        self._followed: dict[str, tuple[tuple[Artifact, ...], set[str]]] = {}
        self._contents: dict[str, str] = {}
        self._settings: dict[str, str] = {}

    def content(self, artifact: Artifact) -> str:
        """A digest of a file, letter by letter, and whether it may be run; made once.

        Which of its lines are remarks, and which blanks mean nothing, only the program knows that reads it.
        """
        known = self._contents.get(artifact.path)
        if known is None:
            runs = " runs" if artifact.mode & 0o111 else ""
            known = self._contents[artifact.path] = f"{artifact.digest}{runs}"
        return known

    def has(self, path: str) -> bool:
        """Whether the last part of a path is the name of a file of the bundle."""
        return "://" not in path and path.rpartition("/")[2].casefold() in self._names

    def settings(self, artifact: Artifact) -> str:
        """What a file of settings says, but for a description and a version that nothing in it takes."""
        known = self._settings.get(artifact.path)
        if known is None:
            known = self._settings[artifact.path] = f"settings={artifact.path} {_settings(artifact)}"
        return known

    @cached_property
    def whole(self) -> str:
        """The whole bundle as one constant: where it cannot be told on which files a match rests, any change ends it."""
        return "bundle=" + digest(
            *(f"{each.path} {each.mode & 0o111:o} {each.digest}" for each in self._subject.bundle.artifacts)
        )

    def spend(self, work: int) -> bool:
        """Whether so much may be looked through; the same for every scan of the same bundle."""
        self._left -= work
        return self._left >= 0

    def named(self, texts: Iterable[str], path: str, language: Kind) -> Iterator[str]:
        """The files that texts name, and those that they name in turn where they are run or give settings."""
        found: list[Artifact] = []
        read: set[str] = set()
        for text in texts:
            for_one, read_by_one = self._by(text, path, language)
            found += for_one
            read |= read_by_one
        return self._reached(path, (found, read))

    def _by(self, text: str, path: str, language: Kind) -> tuple[tuple[Artifact, ...], set[str]]:
        """The files that one text names, and those of them that it takes as data; asked once.

        1. By the last part of their path, by a pattern, by a suffix that is put behind a name.
        2. All data of the folder where it lists one.
        3. By the tool that reads them without being told, or by the folder in which it does.
        4. Of a program that is named: those that it imports.
        """
        key = (text, path, language)
        known = self._asked.get(key)
        if known is None:
            found = [*self._direct(text, path, language)]
            if language in _PARTED:  # 4
                packages = self._defaults.keys() & set(imported(text, language))
                found += [each for package in sorted(packages) for each in self._defaults[package]]
            if language in _PARTED and _READS.search(text) is not None:
                read = {each.path for each in found}
            else:
                read = self._read(text, found)
            known = self._asked[key] = tuple(dict.fromkeys(found)), read
        return known

    def all_named(self, artifact: Artifact) -> Iterator[str]:
        """The files that all of a file names, and so on."""
        return self._reached(artifact.path, self._from(artifact))

    def _read(self, text: str, named: Iterable[Artifact]) -> set[str]:
        """The paths of programs that are named on lines which take files as data, by name or by a pattern."""
        found: set[str] = set()
        programs: dict[str, list[str]] = {}
        for each in named:
            if each.kind in CODE:
                programs.setdefault(each.path.rpartition("/")[2].casefold(), []).append(each.path)
        if not programs or not self.spend(len(text) * len(programs)):
            return found
        low = text.casefold()
        lines = low.split("\n")
        starts = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        reads: dict[int, bool] = {}  # of each line once: one that is long may name many programs, many times
        patterns = any(_READS.search(line) is not None for line in lines if "*" in line)
        for name, paths in programs.items():
            on = {bisect_right(starts, at) - 1 for at in _places(low, name)}
            for number in on - reads.keys():
                reads[number] = _READS.search(lines[number]) is not None
            if any(reads[number] for number in on) or (patterns and not on):
                found.update(paths)
        return found

    def _reached(self, path: str, first: tuple[Sequence[Artifact], set[str]]) -> Iterator[str]:
        """Each file once; letter by letter where what names it takes it as data, for its remarks may be what is taken."""
        seen = {path}
        waiting = [first]
        while waiting:
            named, read = waiting.pop()
            if not self.spend(len(named) * _NAMED):
                yield self.whole
                return
            for artifact in named:
                if artifact.path in seen:
                    continue
                if len(seen) > MOST:
                    yield self.whole
                    return
                if not self.spend(_REACHED):
                    yield self.whole
                    return
                seen.add(artifact.path)
                said = (
                    artifact.digest
                    if artifact.path in read and artifact.kind in CODE
                    else self.content(artifact)
                )
                yield f"named={artifact.path} {said}"
                if artifact.kind in _FOLLOWED:
                    waiting.append(self._from(artifact))
        if self._left < 0:
            yield self.whole

    def _from(self, artifact: Artifact) -> tuple[tuple[Artifact, ...], set[str]]:
        """The files that all of a file names, and those that it takes as data; asked once."""
        path = artifact.path
        if path not in self._followed:
            text = artifact.data.decode(errors="replace")
            found = [*self._direct(text, path, artifact.kind)]
            if artifact.kind in _PARTED:  # 4
                stems = set(imported(text, artifact.kind))
                for known in (self._stems, self._defaults):
                    found += [each for stem in sorted(known.keys() & stems) for each in known[stem]]
            self._followed[path] = tuple(dict.fromkeys(found)), self._read(text, found)
        return self._followed[path]

    def _direct(self, text: str, path: str, language: Kind) -> Iterator[Artifact]:
        if not self.spend(len(text) * (_SEARCHED + len(self._odd))):
            return
        words = _words(text)
        name = path.rpartition("/")[2]
        unasked = read_by_tools(words, name)
        for word in sorted((words | unasked) & self._names.keys()):  # 1, 3
            yield from self._names[word]
        for pattern in sorted(each for each in unasked if "*" in each):
            yield from self._matching(pattern)
        if language in _STEMMED:
            for word in sorted(words & self._stems.keys()):
                yield from self._stems[word]
        for folder in sorted(folders(text, words & self._defaults.keys())):  # 3
            yield from self._defaults[folder]
        for odd in self._odd:
            if odd in text:
                yield from self._names[odd.casefold()]
        if "npm_package_" in text:
            yield from self._names.get("package.json", ())
        yield from self._by_pattern(text, path, language, words)

    def _by_pattern(self, text: str, path: str, language: Kind, words: set[str]) -> Iterator[Artifact]:
        patterns = {found.rpartition("/")[2] for _, found in _starred(text)}
        patterns = {each for each in patterns if re.search(r"[\w.]", each)}
        if language in _LISTING and ("{" in text or "[" in text):
            patterns |= {each for each in _braced(text) if re.search(r"\w", each)}
        patterns |= {f"*{found[0]}" for found in _SUFFIX.finditer(text) if _put_behind(text, found.start())}
        for pattern in sorted(patterns):
            yield from self._matching(pattern)
        low = text.casefold()
        listed = not words.isdisjoint(("dir", "gci")) or any(lister in low for lister in _LISTERS)
        if listed and _LISTED.search(text) is not None:  # 2
            folder = path.rpartition("/")[0]
            for artifact in self._subject.bundle.artifacts:
                if artifact.kind not in CODE and artifact.path.startswith(f"{folder}/" if folder else ""):
                    yield artifact

    def _matching(self, pattern: str) -> tuple[Artifact, ...]:
        """The files whose name fits a pattern; asked once."""
        known = self._fitting.get(pattern)
        if known is None:
            every = self._subject.bundle.artifacts
            if not self.spend(_COMPARED * len(every)):
                return ()
            folded = pattern.casefold()
            known = self._fitting[pattern] = tuple(
                each for each in every if fnmatchcase(each.path.rpartition("/")[2].casefold(), folded)
            )
        return known

    def callers(self, path: str) -> tuple[str, ...]:
        """What other files say that name a program: a paragraph, or a whole program; with the files that they name."""
        if path not in self._called:
            self._called[path] = tuple(dict.fromkeys(self._calling(path)))
        return self._called[path]

    def _calling(self, path: str) -> Iterator[str]:
        name = path.rpartition("/")[2]
        stem = name.partition(".")[0] if name[:1] != "." else name
        folder = path.rpartition("/")[0].rpartition("/")[2] if stands_for_folder(name) else ""
        in_folder = rf"(?:[/\\]|-C\s*){re.escape(folder)}(?![\w-])|" if folder else ""
        called = re.compile(
            rf"{in_folder}(?<![\w-]){re.escape(name)}(?!\w)|[/.\\]{re.escape(stem)}(?![\w.-])|-m\s+(?:[\w.]*\.)?{re.escape(stem)}(?![\w-])"
        )
        for view in self._raw:
            if view.path == path:
                continue
            text = view.text
            patterns = self._patterns(view)
            named = stem in text or (folder != "" and folder in text)
            if not self.spend(len(text) * (_SEARCHED if named else 1) + _COMPARED * len(patterns)):
                yield self.whole
                return
            places = [found.start() for found in called.finditer(text)] if named else []
            places += [start for start, pattern in patterns if fnmatchcase(name, pattern)]
            yield from self._said(view, places, "caller")

    def _patterns(self, view: View) -> list[tuple[int, str]]:
        """The patterns of names in a text, with where they stand."""
        known = self._globs.get(view.path)
        if known is None:
            known = self._globs[view.path] = []
            for start, found in _starred(view.text):
                last = found.rpartition("/")[2].rstrip(".,:!")
                if len(found) < 200 and re.search(r"\w", last) is not None:
                    known.append((start, last))
        return known

    def setters(self, name: str, path: str) -> Iterator[str]:
        """What other files say of a variable: the lines of programs and settings, and the paragraphs, that name it."""
        if name not in self._set:
            self._set[name] = tuple(dict.fromkeys(self._setting(name)))
        yield from (each for each in self._set[name] if not each.startswith(f"sets={path} "))

    def _setting(self, name: str) -> Iterator[str]:
        for view in self._raw:
            named = self.spend(len(view.text)) and name in view.text
            if not self.spend(len(view.text) * (_SEARCHED if named else 0)):
                yield self.whole
                return
            if not named:
                continue
            if view.language in PROSE:
                for first, last in self._around(view, _places(view.text, name)):
                    yield f"sets={view.path} {view.text[first:last]}"
            else:
                starts = view.line_starts()
                more = BELOW if view.language in CONFIG else 0
                for number in dict.fromkeys(map(view.line_of, _places(view.text, name))):
                    last = starts[number + 1 + more] if number + 1 + more < len(starts) else len(view.text)
                    yield f"sets={view.path} {view.text[starts[number] : last].strip()}"

    def _said(self, view: View, places: Iterable[int], what: str) -> Iterator[str]:
        if view.language in PROSE:
            for first, last in self._around(view, places):
                block = view.text[first:last]
                yield f"{what}={block}"
                yield from self.named((block,), view.path, Kind.SHELL)
        elif any(True for _ in places):
            yield f"file={view.path} {self.content(view.artifact)}"
            if view.language in CODE or view.language in CONFIG:
                yield from self.named((view.text,), view.path, view.language)

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
    def _raw(self) -> tuple[View, ...]:
        return tuple(view for view in self._subject.views if not view.origin)

    @cached_property
    def _defaults(self) -> Mapping[str, list[Artifact]]:
        """What is read where a folder is named, by the last part of the folder's path."""
        found: dict[str, list[Artifact]] = {}
        for artifact in self._subject.bundle.artifacts:
            folder, _, name = artifact.path.rpartition("/")
            if folder and stands_for_folder(name):
                found.setdefault(folder.rpartition("/")[2].casefold(), []).append(artifact)
        return found

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
        """Names of files that are not single word."""
        names = (artifact.path.rpartition("/")[2] for artifact in self._subject.bundle.artifacts)
        return sorted({name for name in names if name and _WORD.fullmatch(name) is None})


def _places(text: str, name: str) -> Iterator[int]:
    """Where a name stands as a word of its own."""
    at = text.find(name)
    while at != -1:
        end = at + len(name)
        if not (at and _of_word(text[at - 1])) and not (end < len(text) and _of_word(text[end])):
            yield at
        at = text.find(name, end)


def _braced(text: str) -> Iterator[str]:
    """The names that braces and brackets make, as patterns: ``part{1,2}.txt`` is ``part*.txt``."""
    for found in _BRACED.finditer(text):
        if text[found.start() - 1 : found.start()] != "$":
            before = _IN_NAME.match(text[max(0, found.start() - 80) : found.start()][::-1])
            after = _IN_NAME.match(text, found.end(), found.end() + 80)
            yield f"{before[0][::-1] if before else ''}*{after[0] if after else ''}"


def _put_behind(text: str, at: int) -> bool:
    """Whether a suffix is put behind a name that is not written there: a text, an expression, a variable."""
    before = text[at - 1 : at]
    if _of_word(before):
        start = text.rfind("$", max(0, at - 82), at)
        return start != -1 and _KEPT_NAME.match(text[start:at]) is not None
    return before == "" or before.isspace() or before in "'\"`})]"


def _of_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _starred(text: str) -> Iterator[tuple[int, str]]:
    """The patterns of names in a text, with where they stand."""
    if "*" not in text and "?" not in text:
        return
    at = 0
    for line in text.split("\n"):
        if "*" in line or "?" in line:
            yield from ((at + found.start(), found[0]) for found in _PATTERN.finditer(line))
        at += len(line) + 1


def _words(text: str) -> set[str]:
    low = text.casefold()
    found = set(low.translate(_APART).split() if low.isascii() else _WORD.findall(low))
    for word in [each for each in found if each[0] in _BEFORE or each[-1] in _BEHIND]:
        found |= {word.rstrip("."), word.strip("@%+-"), word.lstrip("@%+-").rstrip(".")}
        if word[0] == "-" and len(word) > 2:
            found.add(word[2:])
    return found


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


_DESCRIBED = frozenset(
    {"package.json", "pyproject.toml", "cargo.toml", "plugin.json", "composer.json", "marketplace.json"}
)
_DESCRIPTIONS = lazy(
    rb"(?m)^[ \t]{0,4}\"(?:version|description|author|license)\"[ \t]*:[ \t]*\"[^\"\\\n]*\",?[ \t\r]*$"
    rb"|^(?:version|description|license)[ \t]*=[ \t]*\"[^\"\\\n]*\"[ \t\r]*$"
)
_DEPENDENCY = lazy(
    rb"(?m)^[ \t]*\[[^\]\n]*dependenc|npm_package_|package\.json|CARGO_PKG_|importlib\.metadata"
)


def _settings(artifact: Artifact) -> str:
    """A digest of settings; of a package's, without its description and version where no table or command takes these."""
    name = artifact.path.rpartition("/")[2].casefold()
    if name not in _DESCRIBED or _DEPENDENCY.search(artifact.data) is not None:
        return artifact.digest
    return hashlib.sha256(_DESCRIPTIONS.sub(b"", artifact.data)).hexdigest()

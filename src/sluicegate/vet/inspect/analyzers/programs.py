"""The programs of a bundle, and what each does with what it is given and gives out.

A flow does not end where one program starts another: ``python3 send.py "$KEY"`` sends the key when ``send.py``
sends its first argument, and ``python3 get.py | curl -d @- URL`` sends what ``get.py`` prints. What a program does is found
once, when somebody hands it something or reads what it prints, by reading it with its arguments, its input and its
environment marked.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

if TYPE_CHECKING:
    from sluicegate.known.shell.script import Script
    from sluicegate.vet.inspect.analyzers.pyflow.frame import Analysis
    from sluicegate.vet.inspect.analyzers.shflow.values import ProgramStep, Tag
    from sluicegate.vet.inspect.rule import Subject

CODE = "code"
"""The channel of what is run as the text of a program, whole; nothing where it is a part of a command."""
ARGUMENT, INPUT, FILE = "argument", "input", "file"
"""What a program is given: its arguments, its input, a file that an argument names. A variable is its name behind ``$``."""
MOST = 64
"""Programs of one bundle that are read for what they do with what they are given, and ways that are kept of each."""
STEPS = 60_000
"""Steps that reading one shell program may take."""
BYTES = 65_536
"""Bytes of a program in JavaScript that is read so."""

MOST_FILES = 256
"""Files of which it is remembered what programs write into them."""
_PRIVATE = frozenset({"secret", "key", "printed", "own"})
_FACTS = _PRIVATE | {"remote", "decoded"}

_FOLDER = lazy(r"^(?:\$\{[^{}/]{1,80}\}|\$\w{1,60}|\$\([^()]{0,80}\)|~|\.|\*[^/]{0,80})?/+|^(?:\./)+")
_KINDS = frozenset({Kind.SHELL, Kind.PYTHON, Kind.JAVASCRIPT, Kind.TYPESCRIPT})


class Given(NamedTuple):
    """A program sends or runs what it was given: its arguments, its input, a variable, a file that it is told of.

    ``target`` and ``channel`` say where to, and in which part of a request; or what runs it. ``through`` are the places
    where this is done, of the program and of those that it hands it to.
    """

    what: str
    target: str
    channel: str
    kind: str = "send"
    through: tuple[ProgramStep, ...] = ()


class Summary(NamedTuple):
    """What a program does with what it is given, and the facts of what it prints; those of kind ``given`` stand for what
    it is given. ``partial`` says that it was too long to be read whole."""

    uses: tuple[Given, ...] = ()
    prints: frozenset[Tag] = frozenset()
    partial: bool = False


_NOTHING = Summary()
_PYTHON = "\0"
"""Stands for all Python programs of a bundle, which are read together."""
ROUNDS = 4
"""Times that programs are read which start each other in a circle."""


class BundlePrograms:
    """Finds the programs of a bundle by the words that name them, and tells what they do with what they are given.

    ``scripts`` are the shell texts among them that have been read to their end. ``files`` are the facts of what programs of
    the bundle write into files, by ``file_key``. ``running`` are the Python programs that run text which is not constant. ``partial``: some of them were not read whole.
    """

    def __init__(self, views: Iterable[View]) -> None:
        self._views = tuple(views)
        self._files = {v.path: v for v in self._views if not v.origin and v.language in _KINDS}
        self._known: dict[str, Summary] = {}
        self._round: dict[str, Summary] = {}
        self._last: dict[str, Summary] = {}
        self._open: set[str] = set()
        self._circle = False
        self.scripts: dict[str, Script] = {}
        self.files: dict[str, dict[tuple[str, str, str, Kind], Tag]] = {}
        self._noted: dict[str, dict[tuple[str, str, str, Kind], Tag]] = {}
        self.python: Analysis | None = None
        self.running: set[str] = set()
        self.partial = False

    def find(self, word: str, starter: str) -> View | None:
        """The program that a word names in a text of the bundle.

        A path is tried from the folder of that text and from the top; after a folder that is not known, the
        only program whose path ends so is meant.
        """
        found = _FOLDER.match(word)
        rest = posixpath.normpath(word[found.end() :] if found is not None else word)
        if not self._files or not rest or rest.startswith(".."):
            rest = posixpath.normpath(posixpath.join(posixpath.dirname(starter), word))
        for path in (posixpath.join(posixpath.dirname(starter), rest), rest):
            view = self._files.get(path)
            if view is not None:
                return view
        if found is None and "/" not in rest:
            return None
        ends = [view for path, view in self._files.items() if path.endswith("/" + rest)]
        return ends[0] if len(ends) == 1 else None

    def summary(self, view: View) -> Summary:
        """What a program does with what it is given, and what it prints.

        1. Each program is read once, and Python programs all together.
        2. Where programs start each other in a circle, one that is being read does what it did in the last round. All of
           the circle are read until nothing changes any more, or there were ``ROUNDS``; then something may be missing.
        """
        path = view.path
        key = _PYTHON if view.language is Kind.PYTHON else path
        if path in self._known:
            return self._known[path]
        if key in self._open:
            self._circle = True  # 2
            return self._last.get(path, _NOTHING)
        if len(self._known) + len(self._round) >= MOST:
            self.partial = True
            return _NOTHING
        if path in self._round:
            return self._round[path]
        if self._open:
            return self._read_once(view, key)
        for _ in range(ROUNDS):
            self._circle = False
            found = self._read_once(view, key)
            if not self._circle or self._round == self._last:
                break
            self._last, self._round, self.python = self._round, {}, None
        else:
            self.partial = True
        self._known |= self._round
        self._round, self._last = {}, {}
        return found

    def _read_once(self, view: View, key: str) -> Summary:
        self._open.add(key)
        found = self._round[view.path] = _bounded(self._read(view))
        self._open.discard(key)
        self.partial = self.partial or found.partial
        return found

    def _read(self, view: View) -> Summary:
        if view.language is Kind.SHELL:
            from sluicegate.vet.inspect.analyzers.shflow.given import summary

            return summary(view, self, STEPS)
        if view.language is Kind.PYTHON:
            from sluicegate.vet.inspect.analyzers.pyflow.judging.handed import summary as of_python

            return of_python(self._python(), view)
        if len(view.text) > BYTES:
            return Summary(partial=True)
        from sluicegate.vet.inspect.analyzers.jsflow.given import summary as of_javascript

        return of_javascript(view, self)

    def _python(self) -> Analysis:
        if self.python is None:
            from sluicegate.vet.inspect.analyzers.pyflow.interpreter import analyse, python_views

            self.python = analyse(python_views(self._views), BYTES, programs=self, listening=True).analysis
        return self.python

    def output(self, text: str, starter: str) -> frozenset[Tag]:
        """The facts of what programs of the bundle print in a command line; what else it prints, its reader knows."""
        if not self._files or not any(self.find(word, starter) for word in _WORD.findall(text[:2048])[:32]):
            return frozenset()
        from sluicegate.vet.inspect.analyzers.shflow.given import output

        return output(text, starter, self, STEPS)

    def note(self, path: str, tags: Iterable[Tag], step: ProgramStep, language: Kind) -> None:
        """A program of the bundle writes a value into a file."""
        from sluicegate.vet.inspect.analyzers.shflow.values import along

        facts = [tag for tag in sorted(tags) if tag.kind in _FACTS]
        key = file_key(path)
        if not facts or not _KNOWN.fullmatch(key.rpartition("/")[2]):
            return
        held = self._noted.get(key)
        if held is None:
            if len(self._noted) >= MOST_FILES:
                self.partial = True
                return
            held = self._noted[key] = {}
        for tag in facts:
            # One chain for each fact and writer: those that write for each other would make longer ones for ever.
            fact = (tag.kind, tag.what, step.path, language)
            if len(held) < MOST:
                held.setdefault(fact, tag._replace(through=along(tag.through, step)))
            elif fact not in held:
                self.partial = True

    def share(self) -> frozenset[Kind]:
        """Let programs know what others write into the files that they name. Gives the languages of those that learn
        something, and have to be read again."""
        learned: set[Kind] = set()
        for key, noted in sorted(self._noted.items()):
            if len(noted) == len(self.files.get(key, ())):
                continue
            name = key.rpartition("/")[2]
            writers = {(path, language) for _, _, path, language in noted}
            readers = [
                view
                for view in self._views
                if view.language in _KINDS and name in view.text and writers - {(view.path, view.language)}
            ]
            if not any(kind in _PRIVATE for kind, _, _, _ in noted):
                if name.lower().endswith(_SHOWN):
                    continue
                readers = [view for view in readers if _started(view.text, name)]
            if readers:
                self.files[key] = dict(noted)
                learned |= {view.language for view in readers}
        if learned:
            self._known, self.python = {}, None
        return frozenset(learned)

    def written(self, path: str, reader: str, language: Kind) -> frozenset[Tag]:
        """The facts of what other programs of the bundle write into a file; what a text writes itself, it knows."""
        noted = self.files.get(file_key(path), {})
        return frozenset(tag for (_, _, *writer), tag in noted.items() if writer != [reader, language])

    def places(self, steps: Iterable[ProgramStep]) -> tuple[tuple[View, int, int], ...]:
        """The lines of steps in the programs where they stand."""
        found: list[tuple[View, int, int]] = []
        for step in sorted(set(steps)):
            view = self._files.get(step.path)
            if view is not None:
                start = view.line_starts()[min(step.line, len(view.line_starts())) - 1]
                found.append((view, start, start + 1))
        return tuple(found)

    def gaps(self) -> tuple[Gap, ...]:
        """That some programs were not read whole which others start or read from."""
        detail = "programs that start each other are too many or too long to follow"
        return (Gap(path="", reason=GapReason.ANALYSIS_LIMIT, detail=detail),) if self.partial else ()

    def let_go(self) -> None:
        """Break the cycles of what was read, so that memory is freed at once."""
        if self.python is not None:
            self.python.forget()
            self.python = None


def programs_of(subject: Subject) -> BundlePrograms:
    """The programs of a subject, which its analyzers share."""
    return BundlePrograms(subject.views) if subject.programs is None else subject.programs


def with_steps(message: str, steps: Sequence[ProgramStep]) -> str:
    """A message, with the other programs that the value came through."""
    if not steps:
        return message
    shown = ", ".join(f"{step.path} (line {step.line})" for step in steps[:6])
    return f"{message} It passes through {shown}."


def _started(text: str, name: str) -> bool:
    """Whether a file is named behind a word that runs one: of what is fetched or unpacked, only that matters."""
    at = text.find(name)
    while at != -1:
        if _RUNS.search(text[text.rfind("\n", 0, at) + 1 : at]) is not None:
            return True
        at = text.find(name, at + len(name))
    return False


def _bounded(found: Summary) -> Summary:
    if len(found.uses) <= MOST:
        return found
    return found._replace(uses=found.uses[:MOST], partial=True)


def file_key(path: str) -> str:
    """One name for a file, however its folder is written: the whole path where that is known, else its last part."""
    path = path.replace("$HOME", "~").replace("${HOME}", "~").strip("\"'")
    return path if path.startswith(("/", "~")) else path.rpartition("/")[2]


_RUNS = lazy(
    r"\b(?:ba|z|da)?sh\b|\bpython|\bnode\b|\bsource\b|(?:^|[\s;&|])\.\s|\b(?:exec|eval|chmod|spawn|fork|run|system|popen|require|import)\b|^\s*[\"'.~/$]",
    re.IGNORECASE,
)
_SHOWN = (
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".svg",
    ".webp",
    ".pdf",
    ".mp3",
    ".mp4",
    ".wav",
    ".csv",
    ".docx",
    ".pptx",
    ".xlsx",
)
"""Suffixes of files that nobody runs."""
_KNOWN = lazy(r"(?=[^\n]*\w)[\w.+@=,~ -]{1,160}")
"""A name of a file without a part that is not known."""
_SUFFIX = lazy(r"\.\w{2,4}$")
_WORD = lazy(r"[^\s;&|<>()'\"]+")


def named(text: str) -> list[str]:
    """The words of a command line that may name a program."""
    return [word for word in _WORD.findall(text[:2048]) if _SUFFIX.search(word)][:16]

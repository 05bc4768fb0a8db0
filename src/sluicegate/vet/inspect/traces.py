"""The constants on which a match rests and which its evidence may not show.

What its analyzer says of them (``Match.trace``), and what the text itself shows:

1. Of a program: the statements of the match and of its ``places``, and of the program that it was taken out of; all
   on which these rest (see ``slices``), and the files of data that they name.
2. Of a text that people read: the addresses, files and variables that are named on the lines of the match.
3. Of settings and other texts: the lines of the match.
4. Of an artifact without text: its bytes.
5. Of shell text that takes something from outside of it (a parameter, a variable that nothing in it sets): the whole file.
   Of this and of other programs that take their arguments or their input: the lines of other files that name them, and the
   files on these. Of a variable of the environment, the lines that set it. Of settings, the programs that they start.
6. Of a match that came through other programs of the bundle, or rests on other files (``Match.files``): all of these.
7. Of a match whose evidence is not its text, or has marks that are not seen: that text, letter by letter.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from sluicegate.vet.inspect.analyzers.structures.facts import span_of_lines
from sluicegate.vet.inspect.rule import Match, Subject
from sluicegate.vet.inspect.slices.slicing import Slice, SlicedText
from sluicegate.vet.inspect.slices.statements import SlicedStatement
from sluicegate.vet.intake.bundle import CODE, CONFIG, TEXTUAL, Artifact, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_READ = frozenset({Kind.MARKDOWN, Kind.TEXT, Kind.HTML, Kind.LATEX, Kind.LICENSE})
_NAMED = lazy(r"[^\s'\"`<>()\[\]{}|;,*]*(?:[/~$@\\]|\w\.\w)[^\s'\"`<>()\[\]{}|;,*]*")
_END = ".,:;!?"
_SLASHED = frozenset({Kind.JAVASCRIPT, Kind.TYPESCRIPT, Kind.GO, Kind.RUST, Kind.JAVA, Kind.C, Kind.PHP})
"""Languages whose remarks begin with two slashes."""
_TAKEN = lazy(r"\$(?:\{[!#]?([A-Za-z_]\w*|[0-9@*]+)|([A-Za-z_]\w*|[0-9@*]))")
"""What shell text takes: a variable, or a parameter."""
_ANYWHERE = frozenset(
    "HOME USER PWD OLDPWD PATH SHELL TMPDIR HOSTNAME LOGNAME UID EUID RANDOM SECONDS LINENO IFS LANG TERM".split()
)
"""Variables that every shell has."""
_PARTED = frozenset({Kind.PYTHON, Kind.JAVASCRIPT, Kind.TYPESCRIPT})
"""Languages whose statements are told apart for certain, beside shell."""
_ARGUMENTS = lazy(
    r"\b(?:argv|argparse|parse_args|ArgumentParser|OptionParser|click|typer|fire|docopt|stdin|getpass|fileinput|readline|yargs|commander|minimist)\b"
    r"|\binput \(|/dev/stdin"
)
"""What stands in a statement that takes the arguments or the input of a program; words stand apart there."""
_VARIABLES = lazy(
    r"\b(?:environ(?: \. (?:get|pop|setdefault))?|getenv|env) [\[(] [\"'](\w{2,80})[\"']|\benv \. (\w{2,80})"
)
_REMARKED = frozenset({Kind.YAML, Kind.TOML, Kind.INI})
_REMARK = lazy(r"(?m)^[ \t]*#[^\n]*$")


class Traces:
    """The traces of the matches of one bundle; its programs are cut into statements when something matches in them."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._programs: dict[int, SlicedText] = {}
        self._known: dict[tuple[tuple[int, int, int], ...], tuple[str, ...]] = {}
        self._beside: dict[tuple[int, int, int], tuple[View, tuple[str, ...]]] = {}
        self._called: dict[str, tuple[str, ...]] = {}
        self._set: dict[str, tuple[str, ...]] = {}

    def of(self, match: Match) -> tuple[str, ...]:
        """All constants of a match."""
        if match.files:
            return (*self._of(match), *self._whole(match.files))
        return self._of(match)

    def _of(self, match: Match) -> tuple[str, ...]:
        view = match.view
        if view is None:
            return (*match.trace, *self._bytes(match.path))
        if view.language in CODE:
            found = (*match.trace, *self._slice(((view, match.start, match.end), *match.places)))
            if view.language is Kind.SHELL:
                return (*found, *self._given(view, match), *self._started(view, match))
            return (*found, *self._outside(view, found))
        shown = view.text[match.start : match.end]
        if match.evidence or not shown.isascii():
            return (*match.trace, f"matched={shown!a}", *self._around(view, match))
        return (*match.trace, *self._around(view, match))

    def _whole(self, paths: Iterable[str]) -> Iterator[str]:
        """All that other files say that a value came through, or is taken from."""
        for path in sorted(set(paths)):
            artifact = self._artifacts.get(path)
            if artifact is not None:
                yield f"through={path} {_statements(artifact)}"

    def _given(self, view: View, match: Match) -> Iterator[str]:
        """What shell text is given from outside: nobody knows by which words of the file, or of its callers."""
        lines = _lines(view, match.start, match.end)
        taken = {found[1] or found[2] for found in _TAKEN.finditer(lines)} - _ANYWHERE
        if all(name.isidentifier() and re.search(rf"(?<![\w$]){name}\+?=", view.text) for name in taken):
            return
        yield f"file={_statements(view.artifact)}"
        yield from self._callers(view)

    def _outside(self, view: View, found: Iterable[str]) -> Iterator[str]:
        """What a program takes from outside, as far as the bundle says it.

        1. Where it takes its arguments or its input: what those say that start it.
        2. Where it takes a variable of the environment by name: the lines that set it.
        3. In languages that are not cut into statements for certain: the files of data that it names.
        """
        if view.language not in _PARTED:  # 3
            yield from self._data(name for name in self._files if name in view.text)
            return
        rests = "\n".join(each for each in found if each.startswith(("statement=", "text=")))
        if _ARGUMENTS.search(rests) is not None:  # 1
            yield from self._callers(view)
        for name in sorted({name for names in _VARIABLES.findall(rests) for name in names if name}):  # 2
            yield from (each for each in self._sets(name) if not each.startswith(f"sets={view.path} "))

    def _sets(self, name: str) -> tuple[str, ...]:
        """The lines that set a variable, with their files."""
        if name not in self._set:
            line = re.compile(rf"(?m)^.{{0,200}}\b{re.escape(name)}[\"']?[ \t]*(?:=|:(?!:)).{{0,400}}$")
            self._set[name] = tuple(
                f"sets={view.path} {found[0].strip()}"
                for view in self._subject.views
                if not view.origin and name in view.text
                for found in line.finditer(view.text)
            )
        return self._set[name]

    def _callers(self, view: View) -> Iterator[str]:
        """The lines of other files that name a program, with the files of data on them; and a whole program that gives it
        what a variable holds."""
        if view.path not in self._called:
            self._called[view.path] = tuple(dict.fromkeys(self._named_by(view)))
        yield from self._called[view.path]

    def _named_by(self, view: View) -> Iterator[str]:
        name = view.path.rpartition("/")[2]
        for other in self._subject.views:
            if other.origin or other.path == view.path or name not in other.text:
                continue
            for line in other.text.split("\n"):
                if name in line:
                    yield f"caller={line.strip()}"
                    words = (word.rpartition("/")[2] for word in _NAMED.findall(line))
                    yield from self._data({word.rstrip(_END) for word in words})
                    if other.language in CODE and ("$" in line or other.language is not Kind.SHELL):
                        yield f"file={other.path} {_statements(other.artifact)}"

    def _started(self, view: View, match: Match) -> Iterator[str]:
        """The programs of the bundle that settings have run: hooks, servers. What they do is what was accepted."""
        if view.artifact.kind not in CONFIG:
            return
        lines = _lines(view, match.start, match.end)
        for artifact in self._subject.bundle.artifacts:
            if artifact.kind in CODE and artifact.path.rpartition("/")[2] in lines:
                yield f"starts={artifact.path} {_statements(artifact)}"

    def _around(self, view: View, match: Match) -> tuple[str, ...]:
        """What stands around a match; made once for all the matches on the same lines, which may be long."""
        key = (id(view), *_whole_lines(view, match.start, match.end))
        if key not in self._beside:
            self._beside[key] = view, tuple(self._on_lines(view, match))
        return self._beside[key][1]

    def _on_lines(self, view: View, match: Match) -> Iterator[str]:
        lines = _lines(view, match.start, match.end)
        if view.language in _READ:
            named = (found.rstrip(_END) for found in _NAMED.findall(lines))
            yield from (f"named={each}" for each in named)
        else:
            yield f"lines={lines}"
            yield from self._started(view, match)

    def _bytes(self, path: str) -> Iterator[str]:
        artifact = self._artifacts.get(path)
        if artifact is not None and artifact.kind not in TEXTUAL:
            yield f"bytes={hashlib.sha256(artifact.data).hexdigest()}"

    @cached_property
    def _artifacts(self) -> Mapping[str, Artifact]:
        return {artifact.path: artifact for artifact in self._subject.bundle.artifacts}

    def _slice(self, places: tuple[tuple[View, int, int], ...]) -> tuple[str, ...]:
        key = tuple((id(view), start, end) for view, start, end in places)
        if key not in self._known:
            found = Slice()
            for view, start, end in places:
                found.add(self._program(view), start, end)
                raw = self._raw.get(view.path) if view.origin else None
                if raw is not None:
                    first, last = view.artifact_lines(start, end)
                    found.add(self._program(raw), *span_of_lines(raw, first, last))
            self._known[key] = (*found.told(), *self._data(found.files()))
        return self._known[key]

    @cached_property
    def _raw(self) -> Mapping[str, View]:
        """The programs as they stand in the bundle, around the commands and texts that were taken out of them."""
        return {view.path: view for view in self._subject.views if not view.origin and view.language in CODE}

    def _data(self, names: Iterable[str]) -> Iterator[str]:
        """The files of data that are read: what a program takes from them stands in no statement."""
        for name in sorted(names):
            for artifact in self._files.get(name, ()):
                yield f"data={artifact.path} {hashlib.sha256(artifact.data).hexdigest()}"

    @cached_property
    def _files(self) -> Mapping[str, list[Artifact]]:
        found: dict[str, list[Artifact]] = {}
        for artifact in self._subject.bundle.artifacts:
            if artifact.kind not in CODE:
                found.setdefault(artifact.path.rpartition("/")[2], []).append(artifact)
        return found

    def _program(self, view: View) -> SlicedText:
        known = self._programs.get(id(view))
        if known is None:
            known = self._programs[id(view)] = SlicedText(view.text, view.language, self._imported)
        return known

    def _imported(self, statement: SlicedStatement) -> Iterable[SlicedText]:
        named = {*statement.names, *statement.attributes, *map(_stem, statement.files)}
        return [self._program(view) for name in sorted(named) for view in self._modules.get(name, ())]

    @cached_property
    def _modules(self) -> Mapping[str, list[View]]:
        """The programs of the bundle by the name under which others import them."""
        found: dict[str, list[View]] = {}
        for view in self._subject.views:
            if self._raw.get(view.path) is view:
                folder, _, name = view.path.rpartition("/")
                stem = _stem(name)
                package = stem in ("__init__", "index", "mod")
                found.setdefault(folder.rpartition("/")[2] if package else stem, []).append(view)
        return found


def _stem(name: str) -> str:
    return name.lstrip(".").partition(".")[0]


def _statements(artifact: Artifact) -> str:
    """A digest of a file without its empty lines and those that are remarks."""
    mark = b"//" if artifact.kind in _SLASHED else b"#"
    lines = (line.strip() for line in artifact.data.split(b"\n"))
    return hashlib.sha256(
        b"\n".join(line for line in lines if line and not line.startswith(mark))
    ).hexdigest()


def _whole_lines(view: View, start: int, end: int) -> tuple[int, int]:
    """Where the lines begin and end on which the characters from ``start`` to ``end`` stand."""
    first = view.text.rfind("\n", 0, start) + 1
    last = view.text.find("\n", max(end - 1, start))
    return first, last if last != -1 else len(view.text)


def _lines(view: View, start: int, end: int) -> str:
    """The lines of a view on which the characters from ``start`` to ``end`` stand."""
    first, last = _whole_lines(view, start, end)
    lines = view.text[first:last]
    return _REMARK.sub("", lines) if view.language in _REMARKED else lines

"""The theorems as text: what they are called, what they say, and whether the sources keep the rules.

Rules that need no Coq: every file is reached from ``All.v``, nothing is admitted or assumed (``vernacular.py``),
every theorem has a docstring in plain words, and the record of the last complete proof (``proven.toml``) is of
exactly these sources. The record holds the statement of each theorem, and each definition of ours that a statement
uses, as Coq prints them; a statement with a hypothesis that cannot hold is refused (``hypotheses.py``).
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import hypotheses
import vernacular

COQ = Path(__file__).resolve().parent / "coq"
RECORD = COQ / "proven.toml"
_THEOREM = re.compile(r"\bTheorem\s+(?P<name>[\w']+)")
_DEFINITION = re.compile(r"(?:Definition|Fixpoint|Inductive|Record)\s+([\w']+)")
_BESIDE = re.compile(r"\bwith\s+([\w']+)(?=\s*[({:])")
_CONSTRUCTOR = re.compile(r"(?:\||:=)\s*([\w']+)")
_FIELD = re.compile(r"(?:[{;]|:=)\s*([\w']+)\s*[:{]")
_NAME = re.compile(r"[^\W\d][\w']*")
_IMPORT = re.compile(r"From Sluicegate(?:\.(?P<room>\w+))? Require (?:Import |Export )?(?P<names>[\w\s]+)\.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Theorem:
    """A headline theorem: its name, what it says in plain words, and its file, such as ``Thm/Score``."""

    name: str
    says: str
    module: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A complete proof: by which Coq, of which sources, of which statements, and what the names in these mean.

    ``seen`` are all versions of Coq so far. A definition is called by its module, such as ``Spec/Score.points``.
    """

    coq: str
    seen: tuple[str, ...]
    sources: str
    statements: Mapping[str, str]
    definitions: Mapping[str, str]


def sources() -> list[Path]:
    """All Coq sources, in order of name."""
    return sorted(COQ.rglob("*.v"))


def module_of(path: Path) -> str:
    """``Thm/Score`` for ``spec/coq/Thm/Score.v``."""
    return path.relative_to(COQ).with_suffix("").as_posix()


def theorems() -> list[Theorem]:
    """Every ``Theorem`` of the development, in order of file and line."""
    return [one for path in sources() for one in _theorems_of(path)]


def _theorems_of(path: Path) -> list[Theorem]:
    text = path.read_text(encoding="utf-8")
    comments = [piece for piece in vernacular.pieces(text) if piece.kind == "comment"]
    found = []
    for match in _THEOREM.finditer(vernacular.code(text)):
        before = text[: match.start()].rstrip()
        docs = [one.text for one in comments if one.start + len(one.text) == len(before)]
        says = docs[0][3:-2] if docs and docs[0].startswith("(**") else ""
        found.append(Theorem(name=match["name"], says=" ".join(says.split()), module=module_of(path)))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A sentence that gives names a meaning: where it stands, its first name, and all that it names in turn."""

    module: str
    name: str
    gives: frozenset[str]
    """Its own name, those of functions beside it, and of its constructors and fields."""
    uses: frozenset[str]
    """Every word in it."""

    @property
    def called(self) -> str:
        """``Spec/Score.points``."""
        return f"{self.module}.{self.name}"


def definitions() -> list[Definition]:
    """Every definition of the development, in order of file and line."""
    return [
        _definition(module_of(path), found[1], sentence)
        for path in sources()
        for _, sentence in vernacular.sentences(path.read_text(encoding="utf-8"))
        if (found := _DEFINITION.match(sentence)) is not None
    ]


def _definition(module: str, name: str, sentence: str) -> Definition:
    given = {name, *_BESIDE.findall(sentence)}
    if sentence.startswith("Inductive"):
        given |= set(_CONSTRUCTOR.findall(sentence))
    if sentence.startswith("Record"):
        given |= set(_FIELD.findall(sentence))
    words = frozenset(_NAME.findall(sentence))
    return Definition(module=module, name=name, gives=frozenset(given), uses=words)


def used_by(statements: Iterable[str]) -> list[Definition]:
    """The definitions that statements name, those that these name, and so on, in order of file and line.

    A name that several files define means each of them here: too much is recorded, and never too little.
    """
    every = definitions()
    known: dict[str, list[Definition]] = {}
    for one in every:
        for name in one.gives:
            known.setdefault(name, []).append(one)
    found: set[str] = set()
    waiting = [word for text in statements for word in _NAME.findall(text)]
    seen: set[str] = set()
    while waiting:
        word = waiting.pop()
        if word in seen:
            continue
        seen.add(word)
        for one in known.get(word, ()):
            found.add(one.called)
            waiting += one.uses - seen
    return [one for one in every if one.called in found]


def imports(path: Path) -> list[str]:
    """The modules that a file imports, such as ``Spec/Score``."""
    text = vernacular.code(path.read_text(encoding="utf-8"))
    return [
        f"{match['room']}/{name}" if match["room"] else name
        for match in _IMPORT.finditer(text)
        for name in match["names"].split()
    ]


def in_waves() -> list[list[str]]:
    """All modules, in waves: each after those that hold what it imports."""
    needs = {module_of(path): imports(path) for path in sources()}
    waves: list[list[str]] = []
    done: set[str] = set()
    while len(done) < len(needs):
        ready = [name for name in sorted(needs) if name not in done and done.issuperset(needs[name])]
        if not ready:
            raise ValueError(f"imports go in a circle or name nothing: {sorted(set(needs) - done)}")
        waves.append(ready)
        done.update(ready)
    return waves


def digest() -> str:
    """One digest of all sources, names and contents."""
    total = hashlib.sha256()
    for path in sources():
        total.update(f"{module_of(path)}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def problems() -> list[str]:
    """What keeps the sources from the rules; empty when they keep them."""
    return [*source_problems(), *record_problems()]


def source_problems() -> list[str]:
    """What keeps the sources themselves from the rules."""
    found = []
    reached, todo = {"All", "Extract"}, ["All", "Extract"]
    while todo:
        for need in imports(COQ / f"{todo.pop()}.v"):
            if need not in reached:
                reached.add(need)
                todo.append(need)
    for path in sources():
        name = module_of(path)
        if name not in reached:
            found.append(f"{name}.v is reached from neither All.v nor Extract.v")
        text = path.read_text(encoding="utf-8")
        found += [f"{name}.v: {one}" for one in vernacular.problems(text, extracts=name == "Extract")]
    found += [f"{one.module}.v: {one.name} has no docstring" for one in theorems() if not one.says]
    names = [one.name for one in theorems()]
    found += [f"two theorems are called {name}" for name in sorted({n for n in names if names.count(n) > 1})]
    return found


def read_record() -> Record | None:
    """The record of the last complete proof, if there is one that is whole."""
    if not RECORD.is_file():
        return None
    try:
        read = tomllib.loads(RECORD.read_text(encoding="utf-8"))
        return Record(
            coq=read["coq"],
            seen=tuple(read["seen"]),
            sources=read["sources"],
            statements={name: text.strip("\n") for name, text in read["statements"].items()},
            definitions={name: text.strip("\n") for name, text in read["definitions"].items()},
        )
    except (tomllib.TOMLDecodeError, KeyError):
        return None


def record_problems() -> list[str]:
    """Why the record of the last complete proof is not one of these sources, or not of theorems."""
    last = read_record()
    if last is None:
        return ["nothing was proven yet: run 'make prove'"]
    if last.sources != digest():
        return ["the Coq sources have changed since they were last proven: run 'sh spec/prove.sh --record'"]
    if list(last.statements) != [one.name for one in theorems()]:
        return ["proven.toml does not list the theorems: run 'sh spec/prove.sh --record'"]
    if list(last.definitions) != [one.called for one in used_by(last.statements.values())]:
        return ["proven.toml does not list what the statements use: run 'sh spec/prove.sh --record'"]
    return [
        f"{name}: the hypothesis {one} cannot hold, so the theorem says nothing"
        for name, statement in last.statements.items()
        for one in hypotheses.impossible(statement)
    ]


def minor(version: str) -> str:
    """``8.16`` for ``8.16.1``."""
    return ".".join(version.split(".")[:2])


def record(version: str, statements: Mapping[str, str], meanings: Mapping[str, str]) -> str:
    """The text of the record of a complete proof of these statements, with these meanings, by this version of Coq."""
    last = read_record()
    seen = sorted({minor(version), *(last.seen if last else ())}, key=lambda one: [*map(int, one.split("."))])
    if odd := [name for name, text in (*statements.items(), *meanings.items()) if "'''" in text]:
        raise ValueError(f"statements with three apostrophes in a row cannot be written: {odd}")
    lines = [
        "# Written by spec/prove.py when every file compiled and every theorem was closed under the global context.",
        "# `seen` are the versions of Coq with which that has happened; the statements are as Coq prints them.",
        f'coq = "{version}"',
        f"seen = [{', '.join(map(repr, seen))}]".replace("'", '"'),
        f'sources = "{digest()}"',
        "",
        "[statements]",
        *(f"{name} = '''\n{statement}'''" for name, statement in statements.items()),
        "",
        "[definitions]",
        *(f"\"{name}\" = '''\n{text}'''" for name, text in meanings.items()),
    ]
    return "\n".join(lines) + "\n"

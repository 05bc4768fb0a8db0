"""The theorems as text: what they are called, what they say, and whether the sources keep the rules.

Rules that need no Coq: every file is reached from ``All.v``, nothing is admitted or assumed, every theorem
has a docstring in plain words, and the record of the last complete proof (``proven.toml``) is of exactly
these sources.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

COQ = Path(__file__).resolve().parent / "coq"
RECORD = COQ / "proven.toml"
_FORBIDDEN = re.compile(
    r"\b(Admitted|admit|Axioms?|Parameters?|Conjectures?|Hypothes[ei]s|Variables?|Abort|bypass_check|Unset\s+Guard\s+Checking|"
    r"Unset\s+Positivity\s+Checking|Unset\s+Universe\s+Checking|native_compute)\b"
)
_THEOREM = re.compile(
    r"(?:\(\*\*(?P<doc>(?:(?!\*\)).)*)\*\)\s*)?^Theorem (?P<name>\w+)", re.DOTALL | re.MULTILINE
)
_IMPORT = re.compile(r"From Sluicegate(?:\.(?P<room>\w+))? Require (?:Import |Export )?(?P<names>[\w\s]+)\.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Theorem:
    """A headline theorem: its name, what it says in plain words, and its file, such as ``Thm/Score``."""

    name: str
    says: str
    module: str


def sources() -> list[Path]:
    """All Coq sources, in order of name."""
    return sorted(COQ.rglob("*.v"))


def module_of(path: Path) -> str:
    """``Thm/Score`` for ``spec/coq/Thm/Score.v``."""
    return path.relative_to(COQ).with_suffix("").as_posix()


def theorems() -> list[Theorem]:
    """Every ``Theorem`` of the development, in order of file and line."""
    found = []
    for path in sources():
        for match in _THEOREM.finditer(path.read_text(encoding="utf-8")):
            says = " ".join((match["doc"] or "").split())
            found.append(Theorem(name=match["name"], says=says, module=module_of(path)))
    return found


def imports(path: Path) -> list[str]:
    """The modules that a file imports, such as ``Spec/Score``."""
    text = without_comments(path.read_text(encoding="utf-8"))
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


def without_comments(text: str) -> str:
    """Coq text with its comments, nested ones too, left out."""
    out, depth, at = [], 0, 0
    while at < len(text):
        two = text[at : at + 2]
        if two in ("(*", "*)"):
            depth += 1 if two == "(*" else -1
            at += 2
            continue
        if depth == 0:
            out.append(text[at])
        at += 1
    return "".join(out)


def digest() -> str:
    """One digest of all sources, names and contents."""
    total = hashlib.sha256()
    for path in sources():
        total.update(f"{module_of(path)}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def problems() -> list[str]:
    """What keeps the sources from the rules; empty when they keep them."""
    found = []
    reached, todo = {"All", "Extract"}, ["All", "Extract"]
    while todo:
        for need in imports(COQ / f"{todo.pop()}.v"):
            if need not in reached:
                reached.add(need)
                todo.append(need)
    for path in sources():
        if module_of(path) not in reached:
            found.append(f"{module_of(path)}.v is reached from neither All.v nor Extract.v")
        for match in _FORBIDDEN.finditer(without_comments(path.read_text(encoding="utf-8"))):
            found.append(f"{module_of(path)}.v: {match[0]}")
    found += [f"{one.module}.v: {one.name} has no docstring" for one in theorems() if not one.says]
    names = [one.name for one in theorems()]
    found += [f"two theorems are called {name}" for name in sorted({n for n in names if names.count(n) > 1})]
    return found + record_problems()


def record_problems() -> list[str]:
    """Why the record of the last complete proof is not one of these sources."""
    if not RECORD.is_file():
        return ["nothing was proven yet: run 'make prove'"]
    record = tomllib.loads(RECORD.read_text(encoding="utf-8"))
    if record["sources"] != digest():
        return ["the Coq sources have changed since they were last proven: run 'make prove'"]
    if record["theorems"] != [one.name for one in theorems()]:
        return ["proven.toml does not list the theorems: run 'make prove'"]
    return []


def record(version: str) -> str:
    """The text of the record of a complete proof by this version of Coq."""
    names = "".join(f'    "{one.name}",\n' for one in theorems())
    return (
        "# Written by spec/prove.py when every file compiled and every theorem was closed under the global context.\n"
        f'coq = "{version}"\nsources = "{digest()}"\ntheorems = [\n{names}]\n'
    )

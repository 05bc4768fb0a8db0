"""The statement of every theorem, and each definition that one uses, as Coq elaborates and prints them.

The text in a source file is read through its imports, its scopes and whatever a name means there. What Coq
prints of a theorem that it has proven is what was proven. Each is printed in the context of its own file, so
with the notations and the short names that its author used.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping

import theorems
import vernacular

Ask = Callable[[str, str], str]
"""Coq: given the name of a file and its content, what it says."""
_CONTEXT = re.compile(r"(From|Import|Local|Open)\b")
_MARK = "Check (tt, tt, tt).\n"
_MARKED = "(tt, tt, tt)\n     : unit * unit * unit\n"
"""A mark in what Coq says: what no definition is printed as."""
_PRINTING = "Set Printing Width 110.\nSet Printing Depth 1000.\n"


def contexts(named: set[str] | None = None) -> dict[str, str]:
    """For each of these files (those that have theorems): the sentences that make its context, and itself imported."""
    found: dict[str, str] = {}
    named = {one.module for one in theorems.theorems()} if named is None else named
    for path in theorems.sources():
        name = theorems.module_of(path)
        if name not in named:
            continue
        lines = [
            f"{sentence}."
            for _, sentence in vernacular.sentences(path.read_text(encoding="utf-8"))
            if _CONTEXT.match(sentence)
        ]
        room, _, last = name.rpartition("/")
        lines.append(f"From Sluicegate{'.' + room if room else ''} Require Import {last}.")
        found[name] = "\n".join(lines) + "\n"
    return found


def _script(asked: Iterable[tuple[str, str]]) -> str:
    """A file for Coq of these sentences, each a module and what to ask in the context of its file, module by module."""
    questions: dict[str, list[str]] = {}
    for module, question in asked:
        questions.setdefault(module, []).append(question)
    return "".join(
        f"Module In{number}.\n{context}{''.join(questions[module])}End In{number}.\n"
        for number, (module, context) in enumerate(contexts(set(questions)).items())
    )


def printed(ask: Ask) -> dict[str, str]:
    """What Coq prints for every theorem, by name, in order."""
    everything = theorems.theorems()
    said = ask("Statements", _PRINTING + _script((one.module, f"Check {one.name}.\n") for one in everything))
    found = {}
    for part in re.split(r"\n(?=\S)", said):
        name, _, statement = part.partition("\n     : ")
        if statement:
            found[name.strip()] = re.sub(r"^ {7}", "", statement.rstrip(), flags=re.MULTILINE)
    missing = [one.name for one in everything if one.name not in found]
    if missing:
        raise ValueError(f"Coq prints no statement of {missing}")
    return {one.name: found[one.name] for one in everything}


def meanings(ask: Ask, said: Mapping[str, str]) -> dict[str, str]:
    """What Coq prints for every definition that these statements use, by module and name, in order."""
    used = theorems.used_by(said.values())
    asked = ((one.module, f"{_MARK}Print {one.module.rpartition('/')[2]}.{one.name}.\n") for one in used)
    texts = ask("Definitions", _PRINTING + _script(asked)).split(_MARKED)[1:]
    found = {one.called: _plain(text) for one, text in zip(used, texts, strict=True)}
    if missing := [name for name, text in found.items() if not text]:
        raise ValueError(f"Coq prints no meaning of {missing}")
    return found


def _plain(text: str) -> str:
    """What is printed of a definition without how its arguments are written."""
    kept = text.strip().partition("\n\nArguments ")[0].partition("\n\nFor ")[0]
    return "\n".join(line.rstrip() for line in kept.splitlines())


def changes(recorded: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """How the statements differ from those recorded, as a diff; spaces and line breaks aside."""
    found: list[str] = []
    for name in [*recorded, *(name for name in now if name not in recorded)]:
        before, after = recorded.get(name, ""), now.get(name, "")
        if before.split() != after.split():
            found.append(f"{name}:")
            diff = difflib.ndiff(before.splitlines(), after.splitlines())
            found += [f"    {line.rstrip()}" for line in diff if not line.startswith("?")]
    return found


def still_proven(recorded: Mapping[str, str], names: list[str], ask: Ask) -> None:
    """Have Coq read recorded statements and accept the theorems as proofs of them; ``ask`` raises if it does not.

    This is for another version of Coq, which may print the same statement in another way.
    """
    asked = (
        (one.module, f"Check ({one.name} : ({recorded[one.name]})).\n")
        for one in theorems.theorems()
        if one.name in names
    )
    ask("Recorded", _script(asked))

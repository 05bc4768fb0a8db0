"""Hypotheses that cannot hold: a theorem that has one is true and says nothing.

Two looks. ``impossible`` reads the recorded statement and needs no Coq: it knows ``False``, two different values
said to be equal, and a fact beside its negation. ``question`` has Coq try to derive False from the hypotheses of
every theorem alone, by a few tactics under a limit of time. Neither can find every contradiction, since that is
undecidable; what they do not find, a person who reads the statements has to.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Mapping

_ORDER = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt}
_RELATION = re.compile(r"^(?P<left>.+?) (?P<sign><=|>=|<>|=|<|>) (?P<right>.+)$")
_EMPTY = ("False", "Empty_set", "~ True", "not True", "Logic.False")
_OPEN, _CLOSE = "([{", ")]}"

_TACTICS = """
Ltac derives :=
  first [ timeout 1 solve [easy] | timeout 1 lia | timeout 1 discriminate | timeout 1 congruence
        | match goal with H : _ |- _ => timeout 1 solve [case H] end
        | timeout 2 solve [cbn in *; intuition (easy || lia || congruence)] ].
Ltac contradictory :=
  lazymatch goal with
  | |- False => match goal with H : _ |- _ => clear H; derives end
  | _ => exfalso; derives
  end.
"""
"""A theorem that ends in False denies its last hypothesis, which is therefore left out."""


def impossible(statement: str) -> list[str]:
    """The hypotheses of a statement, as Coq prints it, that cannot hold, as far as their text tells."""
    facts = list(_facts(" ".join(statement.split())))
    found = [fact for fact in facts if _is_impossible(fact)]
    found += [f"{one} beside {other}" for one in facts for other in facts if _denies(one, other)]
    return found


def _facts(statement: str) -> Iterator[str]:
    """Every conjunct of every premise, and the type of every variable."""
    parts = list(_split(statement, "->"))
    for number, part in enumerate(parts):
        binders, rest = _binders(part)
        yield from binders
        if number < len(parts) - 1:
            yield from _conjuncts(rest)


def _binders(part: str) -> tuple[list[str], str]:
    """The types that a part quantifies over, and what comes after them."""
    types: list[str] = []
    while part.startswith("forall "):
        head, *rest = _split(part, ",")
        types += [kind.strip(" )") for _, _, kind in (one.partition(" : ") for one in head.split("("))]
        part = ",".join(rest).strip()
    return types, part


def _conjuncts(text: str) -> Iterator[str]:
    text = _bare(text)
    if any(len(list(_split(text, sign))) > 1 for sign in ("\\/", "<->", "->")) or text.startswith(
        ("forall ", "exists ")
    ):
        yield text
        return
    parts = list(_split(text, "/\\"))
    for part in parts:
        if len(parts) > 1:
            yield from _conjuncts(part)
        else:
            yield part


def _bare(text: str) -> str:
    """A text without the parentheses around all of it, and without a scope."""
    text = re.sub(r"%\w+$", "", text.strip())
    while text.startswith("(") and text.endswith(")") and _closes(text) == len(text) - 1:
        text = re.sub(r"%\w+$", "", text[1:-1].strip())
    return text


def _closes(text: str) -> int:
    """Where the bracket that the text begins with is closed."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in _OPEN) - (letter in _CLOSE)
        if depth == 0:
            return at
    return -1


def _split(text: str, sign: str) -> Iterator[str]:
    """A text split at a sign outside of brackets; ``->`` is not the end of ``<->``."""
    depth = begin = at = 0
    while at < len(text):
        depth += (text[at] in _OPEN) - (text[at] in _CLOSE)
        if depth == 0 and text.startswith(sign, at) and not (sign == "->" and text[at - 1 : at] == "<"):
            yield text[begin:at].strip()
            at = begin = at + len(sign)
        else:
            at += 1
    yield text[begin:].strip()


def _is_impossible(fact: str) -> bool:
    fact = _bare(fact)
    if fact in _EMPTY:
        return True
    relation = _RELATION.match(fact)
    if relation is None or any(sign in fact for sign in ("->", "\\/", "/\\")):
        return False
    left, right, sign = _bare(relation["left"]), _bare(relation["right"]), relation["sign"]
    if sign == "<>":
        return left == right
    if sign == "=":
        return left != right and _is_value(left) and _is_value(right)
    if re.fullmatch(r"-?\d+", left) and re.fullmatch(r"-?\d+", right):
        return not _ORDER[sign](int(left), int(right))
    return left == right and sign in "<>"


def _is_value(text: str) -> bool:
    """Whether a term is a value of which Coq has one spelling only."""
    return re.fullmatch(r'-?\d+|true|false|None|\[\]|""|"[^"]*"', text) is not None


def _denies(one: str, other: str) -> bool:
    """Whether a fact and another contradict each other by their text."""
    if other in (f"~ {one}", f"~ ({one})") or (" = " in one and other == one.replace(" = ", " <> ", 1)):
        return True
    first, second = _RELATION.match(one), _RELATION.match(other)
    return (
        first is not None
        and second is not None
        and first["sign"] == second["sign"] == "="
        and first["left"] == second["left"]
        and first["right"] < second["right"]  # each pair once
        and _is_value(first["right"])
        and _is_value(second["right"])
    )


def question(contexts: Mapping[str, str], names: Mapping[str, list[str]]) -> str:
    """A file for Coq that says ``IMPOSSIBLE name`` of each theorem whose hypotheses it can contradict.

    ``contexts`` and ``names`` are, for each file, the sentences that make its context, and its theorems.
    """
    parts = ["From Coq Require Import Lia.\n", _TACTICS]
    for number, (module, context) in enumerate(contexts.items()):
        parts.append(f"Module In{number}.\n{context}")
        parts += [
            f"Goal True. let T := type of @{name} in assert T; [intros; "
            f'tryif contradictory then idtac "IMPOSSIBLE {name}" else idtac | ]. Abort.\n'
            for name in names[module]
        ]
        parts.append(f"End In{number}.\n")
    return "".join(parts)


def answered(said: str) -> list[str]:
    """The names that Coq says IMPOSSIBLE of."""
    return re.findall(r"^IMPOSSIBLE (\S+)$", said, re.MULTILINE)

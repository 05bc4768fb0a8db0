"""Programs that the grammar makes, and others that differ from one by a token."""

from functools import cache
from pathlib import Path
from random import Random

from lark import Lark
from lark.exceptions import LarkError
from lark.grammar import NonTerminal, Symbol

GRAMMAR = Path(__file__).parents[2] / "docs" / "grammar.lark"
_SAMPLES = {
    "NAME": ["@a", "@b", "@mx"],
    "SPREAD_NAME": ["@more"],
    "WORD": ["fetch", "op:cmd", "a-b", "denied", "true"],
    "VALUE_WORD": ["fetch", "op:cmd", "a-b", "denied", "true"],
    "LABEL": ["pii", "net:w", "src:mcp"],
    "REMOVED": ["!pii", "!src:mcp"],
    "CLEARED": ["trusted!", "clear!"],
    "AUTH": ["auth:claude"],
    "NUMBER": ["0", "12", "1.5"],
    "TEXT": ['""', '"a @b"', '"@x/y"', '"\\""'],
    "PLAIN": ["''", "'a'", "'\\''"],
    "BACKTICK": ["``", "`a @b.c(1)[0]`", "`a\nb`"],
    "COLONS": ["::a `b` @c::"],
    "PATTERN": ["/a b/", "/[/]\\/x/gi"],
    "FILE": ["<f.md>", "<a/b.md # Top>"],
    "MODULE": ["@author/name"],
    "PACKAGE": ["express@^4.0.0", "jq"],
    "BODY": ["{ ls @a }", "{}", "{ echo '}' \"{\" }", "{ f() { } }"],
    "PROSE_BODY": ["{ don't @a }", "{ { } }"],
    "INDEX": ["["], "OPEN": ["["], "CALL": ["("], "DOT": [".", "?."],
    "_NL": ["\n", "\n\n", " // said\n"],
    "_PIPE_NL": ["\n"], "_OPERATOR_NL": ["\n"], "_STEP_NL": ["\n"],
    "FRONT": ["---\nname: x\n---\n"],
}  # fmt: skip
_ADJOINING = frozenset({"CALL", "INDEX", "DOT", "SPREAD_NAME"})

Token = tuple[str, str]
"""The name of a terminal, and its text."""


@cache
def grammar() -> Lark:
    return Lark(GRAMMAR.read_text("utf-8"), parser="earley", lexer="dynamic")


@cache
def _expansions() -> dict[str, list[tuple[int, list[Symbol]]]]:
    """By nonterminal: its expansions, each with how deep it has to go at least."""
    rules = grammar().rules
    least: dict[str, int] = {}
    while True:
        before = dict(least)
        for rule in rules:
            depths = [least.get(s.name, 10**6) if isinstance(s, NonTerminal) else 0 for s in rule.expansion]
            name = rule.origin.name
            least[name] = min(least.get(name, 10**6), 1 + max(depths, default=0))
        if least == before:
            break
    found: dict[str, list[tuple[int, list[Symbol]]]] = {}
    for rule in rules:
        depth = max((least[s.name] if isinstance(s, NonTerminal) else 0 for s in rule.expansion), default=0)
        found.setdefault(rule.origin.name, []).append((depth, rule.expansion))
    return found


@cache
def _literals() -> dict[str, list[str]]:
    """By terminal: texts that it has."""
    import re

    found = dict(_SAMPLES)
    for each in grammar().terminals:
        if each.name in found:
            continue
        if each.pattern.type == "str":
            found[each.name] = [each.pattern.value]
        else:  # words or signs with a bar between
            found[each.name] = [
                re.sub(r"\\(.)", r"\1", one) for one in each.pattern.value.strip("(?:)").split("|") if one
            ]
    return found


def derive(random: Random, depth: int = 14) -> list[Token]:
    """A program: from the start of the grammar, by chance, until it is deep enough; from there on the shortest way out."""
    out: list[Token] = []
    waiting: list[tuple[Symbol, int]] = [(NonTerminal("start"), depth)]
    while waiting:
        symbol, left = waiting.pop()
        if isinstance(symbol, NonTerminal):
            ways = _expansions()[symbol.name]
            fitting = [way for way in ways if way[0] <= left]
            if not fitting:
                shortest = min(way[0] for way in ways)
                fitting = [way for way in ways if way[0] == shortest]
            _, expansion = random.choice(fitting)
            waiting += [(each, left - 1) for each in reversed(expansion)]
        else:
            out.append((symbol.name, random.choice(_literals()[symbol.name])))
    return out


def written(tokens: list[Token]) -> str:
    """The text of tokens: a blank between, where nothing has to adjoin."""
    text = last = ""
    for name, value in tokens:
        close = name in _ADJOINING or last in (".", "?.") or not text or text.endswith("\n")
        text += value if close else " " + value
        last = value
    return text


def mutated(random: Random, tokens: list[Token]) -> list[Token]:
    """The same with one token gone, twice, exchanged with the next, or another in its place. Line breaks stay."""
    places = [at for at, (name, _) in enumerate(tokens) if not name.endswith("_NL") and name != "FRONT"]
    if not places:
        return tokens
    at = random.choice(places)
    made = list(tokens)
    match random.randrange(4):
        case 0:
            del made[at]
        case 1:
            made.insert(at, made[at])
        case 2:
            other = random.choice(places)
            made[at], made[other] = made[other], made[at]
        case _:
            made[at] = made[random.choice(places)]
    return made


def accepts(text: str) -> bool:
    """Whether the grammar has it."""
    try:
        grammar().parse(text)
    except LarkError:
        return False
    return True

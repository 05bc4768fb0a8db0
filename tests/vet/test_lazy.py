"""Regular expressions of vet that are compiled when they are first used, or when a text holds one of their words."""

import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator, Sequence
from re import _constants as op  # type: ignore[attr-defined]  # the tree of a pattern: there is no public way to it
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sluicegate.known
import sluicegate.vet
from sluicegate.patterns import _Lazy, _Seldom, lazy, seldom

Nodes = Sequence[tuple[Any, Any]]
LIKE_ASCII = "\u0130\u0131\u017f\u212a"
"""What matches a letter of ASCII where case is not told apart."""


def all_seldom() -> Iterator[tuple[str, _Seldom]]:
    modules = (
        *pkgutil.walk_packages(sluicegate.vet.__path__, "sluicegate.vet."),
        *pkgutil.walk_packages(sluicegate.known.__path__, "sluicegate.known."),
    )
    for found in modules:
        if found.name.startswith("sluicegate.vet.review.providers."):
            continue  # those that need the extra ``review`` hold no such pattern, and cost seconds
        for name, value in vars(importlib.import_module(found.name)).items():
            yield from ((f"{found.name}.{name}", each) for each in within(value))


def within(value: object) -> Iterator[_Seldom]:
    """A pattern, or those in a table of patterns."""
    if isinstance(value, _Seldom):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from within(part)


def holds_one(words: Sequence[str], nodes: Nodes) -> bool:
    """Whether every match of a sequence of nodes holds one of the words: they are looked for in what stands for itself.

    1. In what stands for itself one after the other, in lower case. 2. In what is repeated at least once, in what is looked
    for ahead or behind. 3. In every branch, each with what stands around it. Or there is a letter beyond ASCII: the words are
    asked for in ASCII alone.
    """
    flat = list(opened(nodes))
    run = ""
    if any(kind is op.LITERAL and what > 127 and chr(what) not in LIKE_ASCII for kind, what in flat):
        return True
    for kind, what in flat:  # 1
        run = run + chr(what).lower() if kind is op.LITERAL else ("" if kind is not op.AT else run)
        if any(word in run for word in words):
            return True
    for kind, what in flat:  # 2
        if (
            kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
            and what[0] >= 1
            and holds_one(words, what[2])
        ):
            return True
        if kind is op.ASSERT and holds_one(words, what[1]):
            return True
    for number, (kind, what) in enumerate(flat):  # 3
        if kind is op.BRANCH:
            if all(holds_one(words, branch) for branch in what[1]):
                return True
            before, after = tail_of(flat[:number]), head_of(flat[number + 1 :])
            if all(holds_one(words, [*before, *branch, *after]) for branch in what[1]):
                return True
    return False


def opened(nodes: Nodes) -> Iterator[tuple[Any, Any]]:
    """The nodes, with those of groups in the place of the groups, and sets of letters as branches."""
    for kind, what in nodes:
        if kind is op.SUBPATTERN:
            yield from opened(what[3])
        elif kind is op.ATOMIC_GROUP:
            yield from opened(what)
        elif kind is op.IN and all(k is op.LITERAL for k, _ in what):
            letters = sorted({ord(chr(letter).lower()) for _, letter in what})
            branches = [[(op.LITERAL, letter)] for letter in letters]
            yield (op.BRANCH, (None, branches)) if len(branches) > 1 else branches[0][0]
        else:
            yield kind, what


def tail_of(nodes: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """What stands for itself, or in branches, right before a branch."""
    found: list[tuple[Any, Any]] = []
    for node in reversed(nodes):
        if node[0] not in (op.LITERAL, op.AT):
            break
        found.insert(0, node)
    return found


def head_of(nodes: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    return tail_of(list(nodes)[::-1])[::-1]


def proven(each: _Seldom) -> bool:
    return holds_one(each.words, _parser.parse(each.source, each._flags))


def test_every_match_of_every_one_holds_one_of_its_words() -> None:
    found = list(all_seldom())
    assert len(found) > 20
    assert [
        name for name, each in found if not all(w and w == w.lower() and w.isascii() for w in each.words)
    ] == []
    assert [name for name, each in found if not proven(each)] == [], "a match may hold none of its words"


@pytest.mark.parametrize(
    ("words", "pattern", "holds"),
    [
        (["ab"], r"ab", True),
        (["ab"], r"a.b", False),
        (["ab"], r"(?i)x?[Aa]B\d", True),
        (["ab", "cd"], r"(?:ab|x(?:cd)+)\b", True),
        (["ab", "cd"], r"(?:ab|(?:cd)*)", False),
        (["ab", "cd"], r"ab|c|cd", False),
        (["abc", "abd"], r"a(?:bc|bd)", True),
        (["xab", "xcd"], r"x(?:ab|cd)e", True),
        (["abe", "cde"], r"x(?:ab|cd)e", True),
        (["ab"], r"(?!ab)..", False),
        (["ab"], r"(?=ab)..", True),
        (["ab"], r"(?<!ab)..", False),
        (["ab"], r"(?:ab|\u00e4)", True),
        (["ab"], r"(?i)(?:ab|\u017f)", False),
    ],
)
def test_the_proof_tells_patterns_apart(words: list[str], pattern: str, holds: bool) -> None:
    assert proven(_Seldom(pattern, 0, words)) is holds


TEXTS = st.lists(st.sampled_from(["ab", "AB", "cd", "x", " ", "\u212a", "k", "K", "ß", "\n"])).map("".join)


@given(st.lists(TEXTS, min_size=1), st.integers(0, 3))
def test_it_matches_as_the_pattern_does(texts: Iterable[str], start: int) -> None:
    """Before it is compiled and after."""
    source = r"(?i)a(b)|k"
    slow, usual, later = seldom(("ab", "k"), source), re.compile(source), lazy(source)
    for text in texts:
        for each in (slow, later):
            for method in ("search", "match", "fullmatch"):
                expected, found = (getattr(p, method)(text, start) for p in (usual, each))
                assert (found and found.span()) == (expected and expected.span())
            assert [m.span() for m in each.finditer(text)] == [m.span() for m in usual.finditer(text)]
            assert each.sub("-", text) == usual.sub("-", text)
            assert each.findall(text) == usual.findall(text)


def test_it_is_compiled_by_the_first_text_that_may_match() -> None:
    each = seldom(("needle",), r"needle-(?P<it>7261540938)")  # a pattern that nothing else compiles
    assert isinstance(each, _Lazy)
    for text in ("", "nothing", "NEEDL"):
        assert each.search(text) is each.match(text) is each.fullmatch(text) is None
        assert list(each.finditer(text)) == []
    assert "search" not in vars(each)
    assert each.search("a needle") is None
    assert "search" in vars(each)

"""Patterns as a tree of their segments, walked once for all of them.

A pattern is a sequence of segments: literal texts, texts with ``*`` or ``?`` inside (one segment, any
characters) and ``REST`` (any number of segments, none included). Matching walks the tree like a
non-deterministic automaton: the cost is the length of what is matched times the number of places in the tree
it can be in at once, so a thousand patterns with different beginnings cost what one does, and no pattern can
make matching explode.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, Generic, TypeVar

from sluicegate.flow.policy.request import RequestHole, Token
from sluicegate.patterns import late

Payload = TypeVar("Payload")


class Rest:
    """Any number of segments."""

    def __repr__(self) -> str:
        return "**"


REST: Final = Rest()
_STARS: Final = late(r"\*+")
Segment = str | re.Pattern[str] | Rest


def segment(text: str) -> str | re.Pattern[str]:
    """A literal text, or the pattern of one with wildcards: ``*`` any characters, ``?`` one.

    What stands between two ``*`` is taken where it is first found, and never looked for again: if the rest fits behind
    a later place, it fits behind the first. So a text of a stranger takes steps in proportion to its length.
    """
    if "*" not in text and "?" not in text:
        return text
    first, *rest = [
        "".join("." if char == "?" else re.escape(char) for char in part) for part in _STARS.split(text)
    ]
    between = "".join(f"(?>.*?{part})" for part in rest[:-1])
    return re.compile(f"{first}{between}.*{rest[-1]}" if rest else first, re.DOTALL)


def matches(pattern: str, text: str) -> bool:
    """Whether one text matches a pattern of one segment."""
    part = segment(pattern)
    return part == text if isinstance(part, str) else part.fullmatch(text) is not None


class _Node(Generic[Payload]):
    __slots__ = ("children", "ends", "globs", "loops", "rest")

    def __init__(self, *, loops: bool = False) -> None:
        self.children: dict[str, _Node[Payload]] = {}
        self.globs: list[tuple[re.Pattern[str], _Node[Payload]]] = []
        self.rest: _Node[Payload] | None = None
        self.loops = loops
        self.ends: list[Payload] = []


class Trie(Generic[Payload]):
    """A set of patterns, each with something that stands for it."""

    __slots__ = ("_root", "size")

    def __init__(self) -> None:
        self._root: _Node[Payload] = _Node()
        self.size = 0

    def add(self, pattern: Iterable[Segment], payload: Payload) -> None:
        """One more pattern."""
        node = self._root
        for part in pattern:
            if isinstance(part, Rest):
                if node.loops:
                    continue
                if node.rest is None:
                    node.rest = _Node(loops=True)
                node = node.rest
            elif isinstance(part, str):
                child = node.children.get(part)
                if child is None:
                    child = node.children[part] = _Node()
                node = child
            else:
                node = self._glob(node, part)
        node.ends.append(payload)
        self.size += 1

    def _glob(self, node: _Node[Payload], part: re.Pattern[str]) -> _Node[Payload]:
        for known, child in node.globs:
            if known.pattern == part.pattern:
                return child
        child = _Node()
        node.globs.append((part, child))
        return child

    def find(self, tokens: Sequence[Token], *, wide: bool) -> list[Payload]:
        """What stands for the patterns that match all of ``tokens``.

        A hole is matched by ``REST`` alone; if ``wide``, by whatever it could be.
        """
        root = self._root
        found: list[Payload] = []
        first = tokens[0] if tokens else None
        if type(first) is str and first not in root.children and not root.globs and root.rest is None:
            return found  # most are about other programs
        states = [root] if root.rest is None else [root, root.rest]
        for token in tokens:
            following: list[_Node[Payload]] = []
            for state in states:
                if state.loops:
                    if not state.children and not state.globs:  # whatever follows, it matches
                        found += state.ends
                        continue
                    following.append(state)
                if type(token) is str:
                    child = state.children.get(token)
                    if child is not None:
                        following.append(child)
                        if child.rest is not None:
                            following.append(child.rest)
                    for pattern, node in state.globs:
                        if pattern.fullmatch(token):
                            following.append(node)
                            if node.rest is not None:
                                following.append(node.rest)
                elif wide:
                    _step_hole(state, token, following)
            if not following:
                return found
            states = following if len(following) < 3 else list(dict.fromkeys(following))
        for state in states if len(states) < 2 else dict.fromkeys(states):
            found += state.ends
        return found

    def below(self, tokens: Sequence[str]) -> list[Payload]:
        """What stands for the patterns that lead from the beginning over all of ``tokens``, or could lead on from there.

        A pattern that begins with ``REST`` leads everywhere, and is none of these.
        """
        states = [self._root]
        for token in tokens:
            following: list[_Node[Payload]] = []
            for state in states:
                if state.loops:
                    following.append(state)
                along = [node for pattern, node in state.globs if pattern.fullmatch(token)]
                if token in state.children:
                    along.append(state.children[token])
                following += along
                following += [node.rest for node in along if node.rest is not None]
            if not following:
                return []
            states = list(dict.fromkeys(following))
        anywhere = self._root.rest
        return [each for state in states for each in _ends(state, without=anywhere)]

    def tell_apart(self, tokens: Sequence[str]) -> tuple[set[str], list[re.Pattern[str]]]:
        """By which texts and patterns the patterns here tell apart what comes next after ``tokens``: whatever is none of these
        is matched by the same ones."""
        states = [self._root] if self._root.rest is None else [self._root, self._root.rest]
        for token in tokens:
            following: list[_Node[Payload]] = [state for state in states if state.loops]
            for state in states:
                along = [node for pattern, node in state.globs if pattern.fullmatch(token)]
                if token in state.children:
                    along.append(state.children[token])
                following += along
                following += [node.rest for node in along if node.rest is not None]
            states = list(dict.fromkeys(following))
        texts = {text for state in states for text in state.children}
        return texts, [pattern for state in states for pattern, _ in state.globs]

    def all(self) -> list[Payload]:
        """What stands for any of the patterns."""
        return _ends(self._root)

    def everything(self) -> list[Payload]:
        """What stands for the pattern that is ``REST`` alone."""
        return self._root.rest.ends if self._root.rest is not None else []


def _ends(node: _Node[Payload], *, without: _Node[Payload] | None = None) -> list[Payload]:
    """What stands for any of the patterns that lead over a place; those over ``without`` left out."""
    found: list[Payload] = []
    nodes = [node]
    while nodes:
        node = nodes.pop()
        found += node.ends
        nodes += [*node.children.values(), *(child for _, child in node.globs)]
        if node.rest is not None and node.rest is not without:
            nodes.append(node.rest)
    return found


def _step_hole(state: _Node[Payload], token: Token, following: list[_Node[Payload]]) -> None:
    """One step over an argument that is not known: along whatever it could be."""
    hole = token if isinstance(token, RequestHole) else RequestHole()
    along = [node for text, node in state.children.items() if hole.could_be(text)]
    along += [node for _, node in state.globs]
    for node in along:
        following.append(node)
        if node.rest is not None:
            following.append(node.rest)

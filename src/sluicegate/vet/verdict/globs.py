"""Globs over rule ids and paths, matched in linear time.

``?`` is one character and ``*`` any number of them, both within one path segment; ``**`` crosses segments,
and ``**/`` at the start of a segment also stands for no segment at all. Every other character is itself. A
glob covers the whole text. An empty one matches nothing.
"""

from __future__ import annotations

from sluicegate.tuples import NamedTuple

_MOST = 1024


class Glob(NamedTuple):
    """A compiled glob: one bit for each position, so that all positions advance together.

    ``letters`` are the positions that take one given character, ``one`` those that take any but ``/``;
    those in ``stay`` take any number of characters but ``/``, those in ``stay_slash`` any number of any;
    those in ``skip`` may be passed over, those in ``skip_three`` together with the two after them; ``last``
    is the end.
    """

    letters: tuple[tuple[str, int], ...]
    one: int
    stay: int
    stay_slash: int
    skip: int
    skip_three: int
    last: int

    def matches(self, text: str) -> bool:
        """Whether the glob covers the whole text."""
        letters = dict(self.letters)
        states = self._close(1)
        for character in text:
            stays = self.stay_slash if character == "/" else self.stay | self.stay_slash
            moves = letters.get(character, 0) | (0 if character == "/" else self.one)
            states = self._close((states & stays) | ((states & moves) << 1))
            if not states:
                return False
        return bool(states & self.last)

    def _close(self, states: int) -> int:
        while True:
            wider = states | ((states & self.skip) << 1) | ((states & self.skip_three) << 3)
            if wider == states:
                return states
            states = wider


def compile_glob(pattern: str) -> Glob:
    """The glob a pattern stands for. Raises ValueError when the pattern is longer than 1024 characters."""
    if len(pattern) > _MOST:
        raise ValueError(f"a pattern has at most {_MOST} characters")
    letters: dict[str, int] = {}
    one = stay = stay_slash = skip = skip_three = 0
    position = 0
    for token in _tokens(pattern):
        bit = 1 << position
        if token == "**/":
            skip |= bit | (bit << 1)
            skip_three |= bit
            stay_slash |= bit << 1
            letters["/"] = letters.get("/", 0) | (bit << 2)
            position += 2
        elif token == "**":
            stay_slash |= bit
            skip |= bit
        elif token == "*":
            stay |= bit
            skip |= bit
        elif token == "?":
            one |= bit
        else:
            letters[token] = letters.get(token, 0) | bit
        position += 1
    return Glob(
        letters=tuple(letters.items()),
        one=one,
        stay=stay,
        stay_slash=stay_slash,
        skip=skip,
        skip_three=skip_three,
        last=1 << position if pattern else 0,
    )


def names_something(pattern: str) -> bool:
    """Whether a pattern holds a letter or a digit; one that does not says nothing about what it matches."""
    return any(character.isalnum() for character in pattern)


def _tokens(pattern: str) -> list[str]:
    """The parts of a pattern; runs that mean the same as one part are one part."""
    tokens: list[str] = []
    at = 0
    while at < len(pattern):
        token = pattern[at]
        width = 1
        if token == "*":
            while at + width < len(pattern) and pattern[at + width] == "*":
                width += 1
            if width > 1:
                token = "**"
                segment_start = at == 0 or pattern[at - 1] == "/"
                if segment_start and at + width < len(pattern) and pattern[at + width] == "/":
                    token = "**/"
                    width += 1
        if token != "**/" or tokens[-1:] != ["**/"]:
            tokens.append(token)
        at += width
    return tokens

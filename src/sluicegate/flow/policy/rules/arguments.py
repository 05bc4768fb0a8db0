"""Rules about the arguments of a tool: what may stand in each, whatever its labels are.

A rule names a tool and an argument; ``*`` in a tool stands for any characters, and a dot in an argument leads into an object
(``options.force``). Every rule of every layer that speaks of an argument has to hold:

1. An argument that is missing, or null, or a list in which nothing stands, holds only if the rule says ``optional``: what
   a tool does without it may be anything.
2. Of a list every item has to hold, also where a dot leads through one. An object holds none of the conditions: rules speak of
   its parts. Where a dot leads into what is not an object, a text that says one say, nothing holds: who takes it may look inside.
   An argument whose own name has the dot has to hold as well, and so has each whose name differs in capital letters
   alone: who takes it may not tell them apart, as decoders of JSON do. One whose name is another spelling in any other way (a letter
   that looks alike, a blank, a dash; ``tool_names.plain``) is refused.
3. ``eq`` and ``one-of`` compare values of one type: the text "1" is not the number 1, and neither is true.
4. ``prefix`` and ``glob`` hold for texts without a NUL. ``*`` stands for what is one thing: any characters but ``/``, blanks,
   ``,``, ``;`` and control characters, since who takes a list of addresses often takes it as a text as well; ``**`` for any but
   control characters. A ``*`` before an ``@`` is a part of one address: ``<eve@x.org>b@example.com`` is read as either. A text
   with ``..`` between slashes holds neither, also as those who take it may read it (``_climbs``): it leads elsewhere.
5. ``max`` holds for numbers alone.
6. ``known``: the user has said it, or a source that policy trusts; without a session, the program itself. An object is nobody's word.
"""

from __future__ import annotations

import re
from collections import ChainMap, UserDict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.labels import Labels
from sluicegate.flow.policy.layer import Layer
from sluicegate.flow.policy.rules.tool_names import plain
from sluicegate.flow.policy.text.positions import Path
from sluicegate.flow.policy.text.problems import dotted
from sluicegate.flow.policy.text.schema import ArgumentRule
from sluicegate.tuples import NamedTuple

_MISSING: Final = object()
_OBJECTS: Final = (dict, UserDict, ChainMap, MappingProxyType)
"""Objects that nobody changes once they are given (``values.contents``); another class is one that nobody can see into."""
_CLOSED: Final = object()
_MISSPELT: Final = object()
_SLASHES: Final = re.compile(r"[/\\\u2215\u2044\u29f8]")
_MOST_CODED: Final = 4
_CONDITIONS: Final = ("eq", "one-of", "prefix", "glob", "max", "known")


class Ruled(NamedTuple):
    """A rule about one argument of an operation, and the layer that it is of."""

    layer: Layer
    tool: str
    argument: str
    rule: ArgumentRule

    @property
    def path(self) -> Path:
        """Where it stands."""
        return ("arguments", self.tool, self.argument)

    @property
    def outer(self) -> str:
        """The argument of the operation itself that it is about."""
        return self.argument.partition(".")[0]


class UnmetCondition(NamedTuple):
    """A condition that does not hold, as text, and why."""

    condition: str
    why: str


class Question(NamedTuple):
    """An operation with the contents of its arguments; ``known`` are those that the user or a trusted source has said."""

    operation: str
    values: Mapping[str, object]
    known: Collection[str]


@lru_cache(maxsize=1024)
def _tool_pattern(text: str) -> re.Pattern[str]:
    first, *others = map(re.escape, text.split("*"))
    if not others:
        return re.compile(first)
    # The first place of each part is as good as any other, and only one is tried: names may be long.
    between = "".join(f"(?>.*?{part})" for part in others[:-1])
    return re.compile(f"{first}{between}.*{others[-1]}", re.DOTALL)


_CONTROL: Final = frozenset([*map(chr, range(32)), *map(chr, range(0x7F, 0xA0)), "\u2028", "\u2029"])
_SPLITS: Final = frozenset("/,;")
_OF_ADDRESSES: Final = frozenset('@<>()[]"|\\:!%')
"""What stands around an address, or in one that leads on to another (``eve%x.org@example.com``)."""


@lru_cache(maxsize=1024)
def _signs(character: str) -> frozenset[str]:
    """A character, and those that some who take it read it as."""
    if character.isascii():
        return frozenset(character)
    import unicodedata

    return frozenset(character + unicodedata.normalize("NFKC", character))


class _Glob(NamedTuple):
    """A glob as an automaton of which all states are followed at once, so that no text takes more than its length.

    A state is how much of the pattern is met, as a bit. ``literal``: the states that each character leads on from;
    ``any``: those that ``?`` does, which is one character of ``*``. ``stars`` may be passed by; ``one`` and ``several``
    are those that stay with a character, of ``*`` and of ``**``; ``address`` those of ``?`` and ``*`` before an ``@``.
    """

    literal: Mapping[str, int]
    any: int
    stars: int
    one: int
    several: int
    end: int
    address: int

    def holds(self, text: str) -> bool:
        """Whether all of a text is what the glob says."""
        states = self._passed(1)
        for character in text:
            on = self.literal.get(character, 0)
            stay = 0
            if character not in _CONTROL:
                stay = self.several
                signs = _signs(character)
                if _SPLITS.isdisjoint(signs) and not character.isspace():
                    own = 0 if _OF_ADDRESSES.isdisjoint(signs) else self.address
                    stay |= self.one & ~own
                    on |= self.any & ~own
            states = self._passed((states & on) << 1 | states & stay)
            if not states:
                return False
        return bool(states & self.end)

    def _passed(self, states: int) -> int:
        while (more := states | (states & self.stars) << 1) != states:
            states = more
        return states


@lru_cache(maxsize=1024)
def _glob(text: str) -> _Glob:
    literal: dict[str, int] = {}
    masks = {"?": 0, "*": 0, "**": 0}
    state, before_at, last_at = 1, 0, 0
    for part in re.findall(r"\*\*|[\s\S]", text):
        if part in masks:
            masks[part] |= state
        else:
            literal[part] = literal.get(part, 0) | state
        if part == "@":
            last_at = before_at
        before_at |= state
        state <<= 1
    stars = masks["*"] | masks["**"]
    return _Glob(
        literal, masks["?"], stars, masks["*"], masks["**"], state, last_at & (masks["*"] | masks["?"])
    )


def rules_about(layers: tuple[Layer, ...], operation: str) -> tuple[Ruled, ...]:
    """The rules of all layers about an operation, in order. A tool of the runner itself has its bare name as well, and to
    append is to write."""
    bare = "write" if operation == "append" else operation.removeprefix("local:")
    return tuple(
        Ruled(layer, tool, argument, rule)
        for layer in layers
        for tool, rules in layer.policy.arguments.items()
        if _tool_pattern(tool).fullmatch(operation) or _tool_pattern(tool).fullmatch(bare)
        for argument, rule in rules.items()
    )


def broken(ruled: Ruled, asked: Question) -> UnmetCondition | None:
    """The first condition of a rule that an argument does not meet."""
    rule = ruled.rule
    value = _at(asked.values, ruled.argument)
    if value is _CLOSED:
        return UnmetCondition(
            "is an object", f"Nobody can see whether there is {ruled.argument} in what is given"
        )
    if value is _MISSPELT:
        return UnmetCondition(
            "is spelled so", f"An argument is given whose name is another spelling of {ruled.argument}"
        )
    if value is _MISSING or value is None or not any(True for _ in _items(value)):  # 1
        if rule.optional:
            return None
        return UnmetCondition("optional = false", f"The argument {ruled.argument} is missing")
    for name in _CONDITIONS:
        wanted = getattr(rule, name.replace("-", "_"))
        if name == "known":
            if wanted and (
                any(isinstance(each, _OBJECTS) for each in _items(value)) or not _is_known(ruled.outer, asked)
            ):  # 6
                why = (
                    f"Neither the user nor a source that policy trusts has said the argument {ruled.argument}"
                )
                return UnmetCondition("known = true", why)
        elif wanted is not None and not all(_holds(name, wanted, item) for item in _items(value)):  # 2 to 5
            return UnmetCondition(
                f"{name} = {_told(wanted)}", f"The argument {ruled.argument} is not what the rule says"
            )
    return None


def denial_of(
    ruled: Ruled, found: UnmetCondition, shown: str, labels: Labels, leaves: tuple[str, ...]
) -> Denial:
    """The denial for an argument. It shows the rule, and never the value."""
    optional = found.condition == "optional = false"
    return Denial(
        code=Code.POLICY_ARGUMENT_DENIED,
        operation=shown,
        blocked_by="Policy argument rule",
        rule=f"{dotted(ruled.path)}.{found.condition}",
        reason=found.why,
        layer=ruled.layer.place_of(ruled.path),
        labels=labels.names(),
        operation_labels=leaves,
        suggestions=(
            "If the tool may be called without it: optional = true"
            if optional
            else f"Give an argument that the rule permits, or change {dotted(ruled.path)}",
        ),
    )


def alike(names: Iterable[object], name: str) -> Iterator[str]:
    """Those names that are this one in plain spelling."""
    simple = plain(name)
    return (each for each in names if isinstance(each, str) and (each == name or plain(each) == simple))


def _misspelt(names: Iterable[object], name: str) -> bool:
    """Whether one of the names differs from this one in more than capital letters, and is another spelling of it."""
    return any(each.casefold() != name.casefold() for each in alike(names, name))


def _is_known(name: str, asked: Question) -> bool:
    given = list(alike(asked.values, name))
    return bool(given) and all(each in asked.known for each in given)


def _at(values: Mapping[str, object], name: str) -> object:
    """The argument of that name; with dots, all that the objects hold (2)."""
    if _misspelt(values, name):
        return _MISSPELT
    found: list[object] = [values[each] for each in alike(values, name)]
    if "." not in name:
        return (found[0] if len(found) == 1 else found) if found else _MISSING
    waiting: list[object] = [values]
    *parts, last = name.split(".")
    for part in parts:
        if any(_misspelt(one, part) for one in waiting if isinstance(one, _OBJECTS)):
            return _MISSPELT
        inner = [one[each] for one in waiting if isinstance(one, _OBJECTS) for each in alike(one, part)]
        waiting = [item for one in inner for item in _items(one) if item is not None]
        if not all(isinstance(one, _OBJECTS) for one in waiting):
            return _CLOSED
    if any(_misspelt(one, last) for one in waiting if isinstance(one, _OBJECTS)):
        return _MISSPELT
    found += (one[each] for one in waiting if isinstance(one, _OBJECTS) for each in alike(one, last))
    return (found[0] if len(found) == 1 else found) if found else _MISSING


def _items(value: object) -> Iterator[object]:
    if not isinstance(value, (list, tuple)):
        yield value
        return
    for each in value:
        yield from _items(each)


def _holds(name: str, wanted: object, value: object) -> bool:
    match name:
        case "eq":
            return _same(wanted, value)
        case "one-of":
            return isinstance(wanted, list) and any(_same(one, value) for one in wanted)
        case "prefix":
            return (
                isinstance(value, str)
                and value.startswith(str(wanted))
                and "\0" not in value
                and not _climbs(value)
            )
        case "glob":
            return isinstance(value, str) and _glob(str(wanted)).holds(value) and not _climbs(value)
        case _:
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            return number and isinstance(wanted, (int, float)) and value <= wanted  # type: ignore[operator]


def _same(wanted: object, value: object) -> bool:
    if isinstance(wanted, bool) or isinstance(value, bool):
        return wanted is value
    numbers = isinstance(wanted, (int, float)) and isinstance(value, (int, float))
    return wanted == value and (numbers or type(wanted) is type(value))


def _climbs(text: str) -> bool:
    """Whether ``..`` stands between slashes, or something that some who take a path read as that: coded (``%2e``), of wide characters,
    with parameters behind it (``..;a=b``) or with blanks around it."""
    if "." not in text and "%" not in text and text.isascii():
        return False
    import unicodedata
    from urllib.parse import unquote

    for coded, meant in (("c0%ae", "."), ("c0%af", "/")):  # bytes that are too long for what they stand for
        text = re.sub(f"%{coded}", meant, text, flags=re.IGNORECASE)
    read = {text}
    for _ in range(_MOST_CODED):
        text = unquote(text, errors="replace")
        if text in read:
            break
        read.add(text)
    else:
        return True
    folded = {unicodedata.normalize("NFKC", each) for each in read if not each.isascii()}
    return any(
        "".join(char for char in part.partition(";")[0] if char.isprintable()).strip() == ".."
        for each in read | folded
        for part in _SLASHES.split(each)
    )


def _told(wanted: object) -> str:
    if isinstance(wanted, bool):
        return str(wanted).lower()
    if isinstance(wanted, list):
        return f"[{', '.join(map(_told, wanted))}]"
    return f'"{wanted}"' if isinstance(wanted, str) else f"{wanted:.15g}"

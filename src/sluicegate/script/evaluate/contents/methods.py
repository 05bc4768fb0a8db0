"""Methods of values: ``@x.trim()``, ``@list.join(", ")``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from sluicegate.script.evaluate.contents.comparing import is_number, same
from sluicegate.script.evaluate.contents.patterns import Pattern
from sluicegate.script.evaluate.contents.texts import kind_of, text_of
from sluicegate.script.evaluate.control import apply
from sluicegate.script.evaluate.faults import ScriptError

if TYPE_CHECKING:
    from sluicegate.script.evaluate.budget import RunBudget
    from sluicegate.script.evaluate.run import Run
    from sluicegate.script.evaluate.scope import Value

Method = Callable[..., Any]


def method(run: Run, name: str, value: Value, given: tuple[Value, ...]) -> Value:
    """A method of a value, with arguments."""
    if name not in METHODS:
        close = get_close_matches(name, METHODS, 1)
        hint = f"Did you mean `.{close[0]}(…)`?" if close else "See docs/script.md for the methods there are."
        raise ScriptError("no-such-method", f"there is no method `.{name}(…)`", hint=hint)
    return apply(
        run, lambda content, *arguments: _applied(run.budget, name, content, arguments), value, *given
    )


def _applied(budget: RunBudget, name: str, content: Any, arguments: tuple[Any, ...]) -> Any:
    kinds, function, (least, most) = METHODS[name]
    if not isinstance(content, kinds) or isinstance(content, bool):
        if content is None and name == "isDefined":
            return False
        raise ScriptError("no-such-method", f"{kind_of(content)} has no method `.{name}(…)`")
    if not least <= len(arguments) <= most:
        count = str(least) if least == most else f"{least} to {most}"
        raise ScriptError("bad-argument", f"`.{name}(…)` takes {count} arguments, and gets {len(arguments)}")
    return function(budget, content, *arguments)


def _text(name: str, content: Any) -> str:
    if not isinstance(content, str):
        raise ScriptError("bad-argument", f"`.{name}(…)` takes text, not {kind_of(content)}")
    return content


def _place(name: str, content: Any) -> int:
    if not is_number(content) or content != int(content):
        raise ScriptError("bad-argument", f"`.{name}(…)` takes whole numbers, not {kind_of(content)}")
    return int(content)


def _includes(budget: RunBudget, content: Any, item: Any) -> bool:
    if isinstance(content, str):
        return _text("includes", item) in content
    if isinstance(content, dict):
        return _text("includes", item) in content
    return any(same(each, item) for each in content)


def _index_of(budget: RunBudget, content: Any, item: Any) -> int:
    if isinstance(content, str):
        return content.find(_text("indexOf", item))
    return next((at for at, each in enumerate(content) if same(each, item)), -1)


def _slice(budget: RunBudget, content: Any, start: Any = 0, end: Any = None) -> Any:
    return content[_place("slice", start) : None if end is None else _place("slice", end)]


def _substring(budget: RunBudget, content: str, start: Any, end: Any = None) -> str:
    first = max(0, _place("substring", start))
    last = len(content) if end is None else max(0, _place("substring", end))
    return content[min(first, last) : max(first, last)]


def _split(budget: RunBudget, content: str, sign: Any) -> list[str]:
    if isinstance(sign, Pattern):
        return sign.split(budget, content)
    return list(content) if not _text("split", sign) else content.split(sign)


def _join(budget: RunBudget, content: list[Any], sign: Any = ",") -> str:
    texts = [text_of(each) for each in content]
    budget.making(sum(map(len, texts)) + len(texts) * len(_text("join", sign)))
    return sign.join(texts)  # type: ignore[no-any-return]


def _replace(every: bool) -> Method:
    def replaced(budget: RunBudget, content: str, old: Any, new: Any) -> str:
        text = _text("replace", new)
        if isinstance(old, Pattern):
            return old.replace(budget, content, text, every=every or old.every)
        _text("replace", old)
        count = content.count(old) if every else min(1, content.count(old))
        budget.making(len(content) + count * len(text))
        return content.replace(old, text, count)

    return replaced


def _match(budget: RunBudget, content: str, pattern: Any) -> list[str] | None:
    """All that a pattern with ``g`` matches; of one without it, the match and its groups. Null where nothing does."""
    if not isinstance(pattern, Pattern):
        raise ScriptError("bad-argument", "`.match(…)` takes a pattern: `/…/`")
    return pattern.match(budget, content)


def _concat(budget: RunBudget, content: Any, *more: Any) -> Any:
    if isinstance(content, str):
        budget.making(len(content) + sum(len(text_of(each)) for each in more))
        return content + "".join(map(text_of, more))
    made = list(content)
    for each in more:
        made += each if isinstance(each, list) else [each]
    return made


def _sorted(budget: RunBudget, content: list[Any]) -> list[Any]:
    try:
        return sorted(content)
    except TypeError:
        raise ScriptError("wrong-type", "a list of several kinds has no order") from None


def _flat(budget: RunBudget, content: list[Any]) -> list[Any]:
    made: list[Any] = []
    for each in content:
        made += each if isinstance(each, list) else [each]
    return made


def _repeat(budget: RunBudget, content: str, count: Any) -> str:
    times = max(0, _place("repeat", count))
    budget.making(len(content) * times)
    return content * times


_TEXT, _LIST, _OBJECT = (str,), (list,), (dict,)
_ANY: tuple[type, ...] = (str, int, float, list, dict, bytes)
_MANY = 100

METHODS: Final[Mapping[str, tuple[tuple[type, ...], Method, tuple[int, int]]]] = {
    "includes": ((str, list, dict), _includes, (1, 1)),
    "startsWith": (_TEXT, lambda budget, text, start: text.startswith(_text("startsWith", start)), (1, 1)),
    "endsWith": (_TEXT, lambda budget, text, end: text.endswith(_text("endsWith", end)), (1, 1)),
    "indexOf": ((str, list), _index_of, (1, 1)),
    "length": ((str, list, dict), lambda budget, content: len(content), (0, 0)),
    "trim": (_TEXT, lambda budget, text: text.strip(), (0, 0)),
    "toUpperCase": (_TEXT, lambda budget, text: text.upper(), (0, 0)),
    "toLowerCase": (_TEXT, lambda budget, text: text.lower(), (0, 0)),
    "slice": ((str, list), _slice, (0, 2)),
    "substring": (_TEXT, _substring, (1, 2)),
    "split": (_TEXT, _split, (1, 1)),
    "join": (_LIST, _join, (0, 1)),
    "replace": (_TEXT, _replace(every=False), (2, 2)),
    "replaceAll": (_TEXT, _replace(every=True), (2, 2)),
    "match": (_TEXT, _match, (1, 1)),
    "concat": ((str, list), _concat, (0, _MANY)),
    "reverse": (_LIST, lambda budget, items: items[::-1], (0, 0)),
    "sort": (_LIST, _sorted, (0, 0)),
    "flat": (_LIST, _flat, (0, 0)),
    "repeat": (_TEXT, _repeat, (1, 1)),
    "keys": (_OBJECT, lambda budget, record: list(record), (0, 0)),
    "values": (_OBJECT, lambda budget, record: list(record.values()), (0, 0)),
    "entries": (_OBJECT, lambda budget, record: [[key, value] for key, value in record.items()], (0, 0)),
    "isDefined": (_ANY, lambda budget, content: True, (0, 0)),
    "toString": (_ANY, lambda budget, content: text_of(content), (0, 0)),
}
"""Every method: the kinds of value that have it, what it does, how many arguments it takes at least and at most."""

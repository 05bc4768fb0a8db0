"""A call with its evaluated arguments, and what iterating or unpacking a value gives."""

from __future__ import annotations

import ast

from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.values import NOTHING, PyValue, Ref, join, make

PASSED_ON = ("walk", "paths")
"""References that an element inherits from its container."""


class EvaluatedCall:
    """``spread`` joins what stands behind ``*`` and ``**``; ``mask`` is the taint of all that goes in."""

    __slots__ = ("args", "callee", "keywords", "mask", "name", "node", "receiver", "spread")

    def __init__(
        self,
        node: ast.Call,
        name: str,
        callee: PyValue,
        receiver: PyValue,
        args: list[PyValue],
        keywords: dict[str, PyValue],
        spread: PyValue,
    ) -> None:
        self.node = node
        self.name = name
        self.callee = callee
        self.receiver = receiver
        self.args = args
        self.keywords = keywords
        self.spread = spread
        mask = spread.mask
        for value in args:
            mask |= value.mask
        if keywords:
            for value in keywords.values():
                mask |= value.mask
        self.mask = mask

    def arg(self, index: int, *names: str) -> PyValue:
        """An argument by position or by any of its names; nothing when it is not given."""
        for name in names:
            value = self.keywords.get(name)
            if value is not None:
                return value
        return self.args[index] if 0 <= index < len(self.args) else NOTHING

    def has(self, index: int, *names: str) -> bool:
        """Whether the argument is given."""
        return 0 <= index < len(self.args) or any(name in self.keywords for name in names)

    def constant(self, index: int, name: str) -> object:
        """The constant that stands at an argument in the text, or None."""
        for keyword in self.node.keywords:
            if keyword.arg == name:
                return keyword.value.value if isinstance(keyword.value, ast.Constant) else None
        if 0 <= index < len(self.node.args):
            node = self.node.args[index]
            return node.value if isinstance(node, ast.Constant) else None
        return None


def element_refs(value: PyValue) -> tuple[str | Ref, ...]:
    """What an element of a container may refer to."""
    refs = value.refs
    return tuple([ref for ref in refs if not isinstance(ref, str) or ref in PASSED_ON]) if refs else ()


def element(frame: UnitRun, source: PyValue) -> PyValue:
    """What a loop over a value sees."""
    if source is NOTHING:
        return source
    if "os.walk()" in source.refs:
        root = PyValue(source.mask, source.texts, ("walk",))
        names = PyValue(source.mask, ("*",), ("walk",))
        return PyValue(source.mask, (), (), (("", root), ("", names), ("", names)))
    if source.parts:
        value = NOTHING
        for key, part in source.parts:
            value = join(value, part if not key else PyValue(part.mask, (key,) if key != "*" else ()))
        return value if value.mask == source.mask else value._replace(mask=source.mask)
    if "paths" in source.refs or "walk" in source.refs:
        return source
    refs = element_refs(source)
    return make(PyValue, (source.mask, (), refs, ())) if source.mask or refs else NOTHING


def unpacked(frame: UnitRun, value: PyValue, rest: PyValue, index: int) -> PyValue:
    """The element at a position of something that is taken apart, when its parts do not tell exactly."""
    if "tempfile.mkstemp()" in value.refs:
        return value if index == 1 else NOTHING
    plain = [part for key, part in value.parts if not key]
    if plain:
        joined = NOTHING
        for part in plain:
            joined = join(joined, part)
        return joined if joined.mask == rest.mask else joined._replace(mask=rest.mask)
    return rest

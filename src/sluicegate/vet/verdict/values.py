"""The base of the data classes of a scan: frozen, slotted, keyword-only, and cheap to declare.

``dataclass`` generates and compiles five or six methods for each class as it is declared. For the twenty of a scan
that took a tenth of the scan of a small skill, half of it for classes of which it makes none. Here the methods are
written once, and only ``__init__`` is generated, as the first value of a class is made. The values behave as those of
``dataclass(frozen=True, slots=True, kw_only=True)`` do, for ``dataclasses.fields`` and ``replace`` too: two are
compared by their fields, in the order in which they are declared, and only with values of the same class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, cast, dataclass_transform

_GETTERS: dict[type[object], Callable[[object], Any]] = {}


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
class _Declared(type):
    """Makes a class of what was declared: a slot for each annotated name, its default beside it."""

    _defaults: dict[str, Any]

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _Declared:
        annotated: dict[str, str] = body.get("__annotations__", {})
        names = [each for each, kind in annotated.items() if not kind.startswith("ClassVar")]
        body["_defaults"] = {each: body.pop(each) for each in names if each in body}
        body["__slots__"] = tuple(names)
        body["__init__"] = _first_init
        return super().__new__(cls, name, bases, body)


def _first_init(self: object, **values: object) -> None:
    """Generates the ``__init__`` of a class as its first value is made, and takes its place."""
    kind = cast("_Declared", self.__class__)
    made = _generated_init(kind)
    kind.__init__ = made  # type: ignore[misc]
    made(self, **values)


def _generated_init(kind: _Declared) -> Callable[..., None]:
    known: dict[str, object] = {"missing": MISSING}
    parameters, steps = ["self", "*"] if kind.__slots__ else ["self"], []  # type: ignore[attr-defined]
    for name in _names(kind):
        known[f"set_{name}"] = getattr(kind, name).__set__  # the slot's own, which knows nothing of frozen
        value = name
        default = kind._defaults.get(name, MISSING)
        if isinstance(default, Field):
            known[f"make_{name}"] = default.default_factory
            value, default = f"make_{name}() if {name} is missing else {name}", MISSING
            parameters.append(f"{name}=missing")
        elif default is MISSING:
            parameters.append(name)
        else:
            known[f"default_{name}"] = default
            parameters.append(f"{name}=default_{name}")
        steps.append(f"    set_{name}(self, {value})")
    if hasattr(kind, "__post_init__"):
        steps.append("    self.__post_init__()")
    exec("\n".join([f"def __init__({', '.join(parameters)}):", *(steps or ["    pass"])]), known)  # noqa: S102
    made = cast("Callable[..., None]", known["__init__"])
    made.__qualname__ = f"{kind.__qualname__}.__init__"
    return made


def _names(kind: type) -> tuple[str, ...]:
    names: tuple[str, ...] = kind.__slots__  # type: ignore[attr-defined]
    return names


class _Fields:
    """``__dataclass_fields__`` of a class, which a small scan never asks for."""

    def __get__(self, value: object, kind: _Declared) -> dict[str, Field[Any]]:
        body = {"__annotations__": kind.__annotations__, **kind._defaults}
        plain: Any = dataclass(init=False, repr=False, eq=False, kw_only=True)(type(kind.__name__, (), body))
        found: dict[str, Field[Any]] = plain.__dataclass_fields__
        kind.__dataclass_fields__ = found  # type: ignore[attr-defined]
        return found


def _values(value: object) -> Any:
    """What a value is compared by: its fields as a tuple, or its only field, of whatever type it is."""
    kind = value.__class__
    get = _GETTERS.get(kind)
    if get is None:
        names = _shown(cast("_Declared", kind))
        get = _GETTERS[kind] = attrgetter(*names) if names else _nothing
    return get(value)


def _nothing(_: object) -> tuple[()]:
    return ()


def _shown(kind: _Declared) -> list[str]:
    """The fields without those that are the value's own notes, declared with ``repr=False, compare=False``."""
    notes = {
        name for name, default in kind._defaults.items() if isinstance(default, Field) and not default.compare
    }
    return [name for name in _names(kind) if name not in notes]


class Plain(metaclass=_Declared):
    """Equal where class and fields are. A class must derive from this or ``Ordered``, and from nothing else."""

    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    else:
        __dataclass_fields__ = _Fields()

        def __setattr__(self, name: str, value: object) -> None:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")

        def __delattr__(self, name: str) -> None:
            raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(_values(self) == _values(other))

    def __hash__(self) -> int:
        return hash(_values(self))

    def __repr__(self) -> str:
        kind = self.__class__
        shown = ", ".join([f"{name}={getattr(self, name)!r}" for name in _shown(kind)])
        return f"{kind.__qualname__}({shown})"

    def __getstate__(self) -> list[object]:
        return [getattr(self, name) for name in _names(self.__class__)]

    def __setstate__(self, state: list[object]) -> None:
        for name, value in zip(_names(self.__class__), state, strict=True):
            object.__setattr__(self, name, value)


class Ordered(Plain):
    """The same, and ordered by the fields."""

    def __lt__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(_values(self) < _values(other))

    def __le__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(_values(self) <= _values(other))

    def __gt__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(_values(self) > _values(other))

    def __ge__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(_values(self) >= _values(other))

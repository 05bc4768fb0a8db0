"""Named tuples as ``typing.NamedTuple`` makes them, at a tenth of what each class costs there.

A command starts with more than a hundred such classes. ``typing`` compiles a function and the name of each field's type
for every one of them, which is a tenth of a cold scan; here classes of one size share what was compiled for the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple
    from functools import cache
    from types import FunctionType

    class _Named(tuple):
        """What all these classes can do; their values have no ``__dict__``."""

        __slots__ = ()
        _fields = ()
        _field_defaults = {}  # noqa: RUF012  replaced by each class

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes):
            made = tuple.__new__(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return made

        __replace__ = _replace

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({fields})"

        def __getnewargs__(self):
            return tuple(self)

    @cache
    def _of_size(size):
        """A class of so many fields, from which those with other names take their ``__new__`` and their fields."""
        return namedtuple("_Sized", [f"field{place}" for place in range(size)])

    class _Maker(type):
        def __new__(cls, name, bases, body):
            if bases != (NamedTuple,):
                raise TypeError(f"{name}: a named tuple has no other base")
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            if fields[len(fields) - len(defaults) :] != tuple(defaults):
                raise TypeError(f"{name}: a field without a default follows one with a default")
            sized = _of_size(len(fields))
            new = sized.__new__
            code = new.__code__.replace(co_varnames=("_cls", *fields))
            body |= {field: vars(sized)[f"field{place}"] for place, field in enumerate(fields)}
            body |= {
                "__slots__": (),
                "__match_args__": fields,
                "__new__": FunctionType(code, new.__globals__, "__new__", tuple(defaults.values())),
                "_fields": fields,
                "_field_defaults": defaults,
            }
            return type(name, (_Named,), body)

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})

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

    _tuple_new = tuple.__new__  # so it is called in what ``namedtuple`` writes, too
    # fmt: off
    _WRITTEN = (
        lambda _cls: _tuple_new(_cls, ()),
        lambda _cls, a: _tuple_new(_cls, (a,)),
        lambda _cls, a, b: _tuple_new(_cls, (a, b)),
        lambda _cls, a, b, c: _tuple_new(_cls, (a, b, c)),
        lambda _cls, a, b, c, d: _tuple_new(_cls, (a, b, c, d)),
        lambda _cls, a, b, c, d, e: _tuple_new(_cls, (a, b, c, d, e)),
        lambda _cls, a, b, c, d, e, f: _tuple_new(_cls, (a, b, c, d, e, f)),
        lambda _cls, a, b, c, d, e, f, g: _tuple_new(_cls, (a, b, c, d, e, f, g)),
        lambda _cls, a, b, c, d, e, f, g, h: _tuple_new(_cls, (a, b, c, d, e, f, g, h)),
        lambda _cls, a, b, c, d, e, f, g, h, i: _tuple_new(_cls, (a, b, c, d, e, f, g, h, i)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j: _tuple_new(_cls, (a, b, c, d, e, f, g, h, i, j)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k: _tuple_new(_cls, (a, b, c, d, e, f, g, h, i, j, k)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m: _tuple_new(_cls, (a, b, c, d, e, f, g, h, i, j, k, m)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n: _tuple_new(_cls, (a, b, c, d, e, f, g, h, i, j, k, m, n)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o: _tuple_new(_cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o)),
    )
    # fmt: on
    """What makes a tuple of no field, of one, of two and so on: to have ``namedtuple`` write each costs as much as four classes."""

    @cache
    def _of_size(size):
        """What makes a tuple of so many fields, as code, and what gets each of them."""
        wide = max(size, len(_WRITTEN) - 1)
        fields = _getters(wide)[:size]
        return (_WRITTEN[size] if size < len(_WRITTEN) else _sized(size).__new__).__code__, fields

    @cache
    def _sized(size):
        return namedtuple("_Sized", [f"field{place}" for place in range(size)])

    @cache
    def _getters(size):
        return tuple(vars(_sized(size))[field] for field in _sized(size)._fields)

    class _Maker(type):
        def __new__(cls, name, bases, body):
            if bases != (NamedTuple,):
                raise TypeError(f"{name}: a named tuple has no other base")
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            if fields[len(fields) - len(defaults) :] != tuple(defaults):
                raise TypeError(f"{name}: a field without a default follows one with a default")
            code, getters = _of_size(len(fields))
            code = code.replace(co_varnames=("_cls", *fields), co_qualname=f"{name}.__new__")
            body.update(
                zip(fields, getters, strict=True),
                __slots__=(),
                __match_args__=fields,
                __new__=FunctionType(code, globals(), "__new__", tuple(defaults.values())),
                _fields=fields,
                _field_defaults=defaults,
            )
            return type(name, (_Named,), body)

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})

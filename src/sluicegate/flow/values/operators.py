"""Arithmetic and comparison of labelled values: both sides go in, a labelled value comes out."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sluicegate.flow.values.labeled import Labeled


class Operators:
    """The operators of ``Labeled``. ``==`` too gives a labelled truth value, not a plain one."""

    __slots__ = ()

    def _apply(self, function: Callable[..., Any], *operands: object) -> Labeled[Any]:
        raise NotImplementedError  # pragma: no cover - Labeled defines it

    def __eq__(self, other: object) -> Labeled[bool]:  # type: ignore[override]
        return self._apply(operator.eq, self, other)

    def __ne__(self, other: object) -> Labeled[bool]:  # type: ignore[override]
        return self._apply(operator.ne, self, other)

    def __lt__(self, other: object) -> Labeled[bool]:
        return self._apply(operator.lt, self, other)

    def __le__(self, other: object) -> Labeled[bool]:
        return self._apply(operator.le, self, other)

    def __gt__(self, other: object) -> Labeled[bool]:
        return self._apply(operator.gt, self, other)

    def __ge__(self, other: object) -> Labeled[bool]:
        return self._apply(operator.ge, self, other)

    def __add__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.add, self, other)

    def __radd__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.add, other, self)

    def __sub__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.sub, self, other)

    def __rsub__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.sub, other, self)

    def __mul__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.mul, self, other)

    def __rmul__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.mul, other, self)

    def __truediv__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.truediv, self, other)

    def __rtruediv__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.truediv, other, self)

    def __floordiv__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.floordiv, self, other)

    def __rfloordiv__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.floordiv, other, self)

    def __mod__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.mod, self, other)

    def __rmod__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.mod, other, self)

    def __divmod__(self, other: object) -> Labeled[Any]:
        return self._apply(divmod, self, other)

    def __rdivmod__(self, other: object) -> Labeled[Any]:
        return self._apply(divmod, other, self)

    def __pow__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.pow, self, other)

    def __rpow__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.pow, other, self)

    def __matmul__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.matmul, self, other)

    def __rmatmul__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.matmul, other, self)

    def __lshift__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.lshift, self, other)

    def __rlshift__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.lshift, other, self)

    def __rshift__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.rshift, self, other)

    def __rrshift__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.rshift, other, self)

    def __and__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.and_, self, other)

    def __rand__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.and_, other, self)

    def __or__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.or_, self, other)

    def __ror__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.or_, other, self)

    def __xor__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.xor, self, other)

    def __rxor__(self, other: object) -> Labeled[Any]:
        return self._apply(operator.xor, other, self)

    def __neg__(self) -> Labeled[Any]:
        return self._apply(operator.neg, self)

    def __pos__(self) -> Labeled[Any]:
        return self._apply(operator.pos, self)

    def __abs__(self) -> Labeled[Any]:
        return self._apply(abs, self)

    def __invert__(self) -> Labeled[Any]:
        return self._apply(operator.invert, self)

    def __round__(self, digits: int | None = None) -> Labeled[Any]:
        return self._apply(round, self, digits)

    def __floor__(self) -> Labeled[Any]:
        return self._apply(math.floor, self)

    def __ceil__(self) -> Labeled[Any]:
        return self._apply(math.ceil, self)

    def __trunc__(self) -> Labeled[Any]:
        return self._apply(math.trunc, self)

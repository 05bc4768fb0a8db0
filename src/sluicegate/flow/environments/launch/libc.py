"""Calls of the C library, for what is carried into a child and paid for by every command.

Made of ``_ctypes``, the half of ``ctypes`` that is written in C: the other half, and ``os`` with it, takes longer to import than all
that the launcher does. Numbers are passed as ``int``, bytes as a pointer to them, None as a null pointer; a word of the size of a
pointer (``long``, ``size_t``) is passed as a ``Long``.
"""

from __future__ import annotations

import _ctypes
import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Int(_ctypes._SimpleCData):  # type: ignore[type-arg]
    _type_ = "i"


class Long(_ctypes._SimpleCData):  # type: ignore[type-arg]
    """A number as long as a pointer."""

    _type_ = "l"


class _Pointer(_ctypes._SimpleCData):  # type: ignore[type-arg]
    _type_ = "z"


class _Function(_ctypes.CFuncPtr):
    _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO
    _restype_ = _Int


_LIBRARY = _ctypes.dlopen(None, 0)  # type: ignore[arg-type]  # of this process: typeshed does not know it


def function(name: str) -> Any:
    """A function of the C library, which gives an ``int``. Raises ``OSError`` where there is none of this name."""
    return _Function(_ctypes.dlsym(_LIBRARY, name))


prctl, syscall = function("prctl"), function("syscall")


def checked(result: int) -> int:
    """The result of a call. Raises ``OSError`` when it is negative."""
    if result < 0:
        number = _ctypes.get_errno()
        raise OSError(number, posix.strerror(number))
    return result


def number(value: int, size: int = 8) -> bytes:
    """A number without sign as a field of a struct."""
    return value.to_bytes(size, sys.byteorder)


def address(content: bytes) -> bytes:
    """Where ``content`` is, as a field of a struct. Keep ``content`` until the struct has been used."""
    return bytes(_Pointer(content))

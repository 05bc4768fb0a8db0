"""Single values of an environment, read exactly or refused: sizes, times, counts, names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final

from sluicegate.flow.environments.configuration.config import NEVER_SET
from sluicegate.flow.environments.errors import EnvironmentConfigError, printable
from sluicegate.patterns import late

_SIZES: Final = {"": 1, "b": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_TIMES: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_LARGEST: Final = 2**62
_QUANTITY = late(r"([0-9]{1,15}(?:\.[0-9]{1,15})?)([a-z]{0,2})", re.ASCII)
_NAME = late(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}", re.ASCII)
_VARIABLE = late(r"[A-Za-z_][A-Za-z0-9_]{0,127}", re.ASCII)
_PART = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST = late(rf"(?:\*\.)?{_PART}(?:\.{_PART})*|[0-9a-f:]*:[0-9a-f:.]*", re.ASCII)
_IMAGE = late(r"[A-Za-z0-9][A-Za-z0-9._/:@-]{0,254}", re.ASCII)


def _wrong(key: str, value: object, hint: str) -> EnvironmentConfigError:
    return EnvironmentConfigError(f"{key} is '{printable(str(value), 60)}'", hint=hint)


def _quantity(key: str, value: str | int | float, units: Mapping[str, int], hint: str) -> int:
    """``value`` in the smallest unit, exactly, above zero."""
    match = _QUANTITY.fullmatch(str(value))
    if not match or match[2] not in units or isinstance(value, bool):
        raise _wrong(key, value, hint)
    exact = Fraction(match[1]) * units[match[2]]
    if exact.denominator != 1 or not 0 < exact <= _LARGEST:
        raise _wrong(key, value, f"{hint}; it is above zero and comes out whole")
    return int(exact)


def size(key: str, value: str | int) -> int:
    """Bytes: a number, or one followed by k, m, g or t (powers of 1024). Raises ``EnvironmentConfigError``."""
    return _quantity(key, value, _SIZES, "a size is written as 512m, 1.5g or 65536")


def duration(key: str, value: str) -> int:
    """Milliseconds: a number followed by ms, s, m or h. Raises ``EnvironmentConfigError``."""
    return _quantity(key, value, _TIMES, "a time is written as 60s, 500ms, 2m or 1h")


def processors(key: str, value: str | int | float) -> int:
    """Thousandths of a processor. Raises ``EnvironmentConfigError``."""
    return _quantity(key, value, {"": 1000}, "processors are written as 2, 1.5 or 0.25")


def count(key: str, value: int) -> int:
    """A whole number above zero. Raises ``EnvironmentConfigError``."""
    return _quantity(key, value, {"": 1}, "a count is written as 64")


def check_name(key: str, value: str) -> str:
    """A name that can be a segment of a label. Raises ``EnvironmentConfigError``."""
    if not _NAME.fullmatch(value):
        raise _wrong(key, value, "a name has letters, digits, '_', '-' and '.', at most 64")
    return value


def names(key: str, values: Iterable[str]) -> frozenset[str]:
    """Names of credentials, tools or servers: not empty, printable. Raises ``EnvironmentConfigError``."""
    found = frozenset(values)
    for value in found:
        if not value or not value.isprintable() or len(value) > 200:
            raise _wrong(key, value, "a name is not empty, holds no control characters, and has at most 200")
    return found


def check_variable(key: str, value: str) -> str:
    """The name of an environment variable. Raises ``EnvironmentConfigError``."""
    if not _VARIABLE.fullmatch(value):
        raise _wrong(key, value, "the name of a variable has letters, digits and '_', no digit first")
    if value in NEVER_SET:
        raise _wrong(
            key, value, "with it cd leads elsewhere than it says, and commands are judged by what they say"
        )
    return value


def check_label(key: str, value: str) -> str:
    """A label. Raises ``EnvironmentConfigError``."""
    from sluicegate.flow.errors import LabelError
    from sluicegate.flow.labels.names import check

    try:
        return check(value)
    except LabelError as error:
        raise _wrong(key, value, error.hint or error.message) from None


def check_host(key: str, value: str) -> str:
    """The name of a host, ``*.`` and a name, or an address; in lower case. Raises ``EnvironmentConfigError``."""
    host = value.lower().removesuffix(".")
    if not _HOST.fullmatch(host) or len(host) > 255:
        raise _wrong(key, value, "a host is written as api.example.org, *.example.org or 192.0.2.7, no port")
    return host


def check_image(key: str, value: str) -> str:
    """The reference of an image or a snapshot; it can't be read as an option. Raises ``EnvironmentConfigError``."""
    if not _IMAGE.fullmatch(value):
        raise _wrong(key, value, "an image is written as node:22-alpine or registry/name@sha256:...")
    return value

"""A credential on its way, and the environment variables that may carry one."""

from __future__ import annotations

import re
from typing import NoReturn, final

from sluicegate.flow.errors import CredentialError, OpaqueValueError
from sluicegate.flow.operations.commands.variables import decides
from sluicegate.patterns import late

LONGEST = 131_071  # bytes: what Linux lets one environment string hold, the name and the ``=`` not counted
_OURS = "SLUICEGATE_"
_NAME = late(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def check_variable(name: str) -> str:
    """``name`` if a value may be handed to a child in it. Raises ``CredentialError``.

    Refused are names that are none, those that decide what runs (``PATH``, ``LD_PRELOAD``; the list is that of
    ``sluicegate.flow.operations.commands.variables``), and our own.
    """
    if not _NAME.fullmatch(name):
        shown = "".join(char if char.isprintable() else "?" for char in name[:60])
        raise CredentialError(
            f"'{shown}' is not the name of an environment variable",
            hint="letters, digits and _, no digit first",
        )
    if decides(name) or name.upper().startswith(_OURS):
        raise CredentialError(
            f"the environment variable {name} decides what the program does, so no value may fill it",
            hint="use the variable from which the tool reads its credential, such as API_TOKEN",
        )
    return name


@final
class Sealed:
    """A credential, the name under which policy knows it, and the variable it will fill.

    Printing, formatting, comparing, pickling and copying one shows or moves nothing. ``unseal`` is for the
    environment that starts the child, and for the scrubber.
    """

    __slots__ = ("_value", "name", "variable")

    def __init__(self, name: str, variable: str, value: str) -> None:
        """Raises ``CredentialError`` if ``value`` cannot stand in an environment variable."""
        if not value:
            raise CredentialError(f"the credential {name} is empty", hint="store its value first")
        if "\0" in value:
            raise CredentialError(
                f"the credential {name} holds a NUL character, which no environment can carry"
            )
        if len(value.encode("utf-8", "surrogateescape")) + len(variable) + 1 > LONGEST:
            raise CredentialError(
                f"the credential {name} is longer than an environment can carry ({LONGEST} bytes)"
            )
        self.name = name
        self.variable = check_variable(variable)
        self._value = value

    def unseal(self) -> str:
        """The value."""
        return self._value

    def __repr__(self) -> str:
        return f"Sealed({self.name!r}, {self.variable!r})"

    def __format__(self, spec: str) -> str:
        return repr(self)

    def __reduce__(self) -> NoReturn:
        raise OpaqueValueError(f"the credential {self.name} does not leave this process, and is not copied")

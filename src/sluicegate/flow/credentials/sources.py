"""Where a credential is kept, as policy writes it.

``keychain:SERVICE/ACCOUNT``  an entry of the system's keychain; ``{projectname}`` may stand in it
``env:NAME``                  a variable of the environment in which Sluicegate itself was started
``op://VAULT/ITEM/FIELD``     a field kept by 1Password
"""

from __future__ import annotations

import re

from msgspec import Struct

from sluicegate.flow.errors import CredentialError
from sluicegate.patterns import late

_PROJECT = late(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", re.ASCII)
_VARIABLE = late(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_FORMS = "write keychain:SERVICE/ACCOUNT, env:NAME or op://VAULT/ITEM/FIELD"


class Keychain(Struct, frozen=True):
    """An entry of the system's keychain."""

    service: str
    account: str

    @property
    def entry(self) -> str:
        """``SERVICE/ACCOUNT``: what ``keychain.allow`` and ``keychain.deny`` speak of."""
        return f"{self.service}/{self.account}"


class Variable(Struct, frozen=True):
    """A variable of our own environment."""

    name: str


class OnePassword(Struct, frozen=True):
    """A field that the 1Password command line reads."""

    reference: str

    @property
    def entry(self) -> str:
        """``VAULT/ITEM/FIELD``: what ``keychain.allow`` and ``keychain.deny`` speak of."""
        return self.reference.removeprefix("op://")


Source = Keychain | Variable | OnePassword


def with_project(text: str, projectname: str | None) -> str:
    """``text`` with ``{projectname}`` filled in. Raises ``CredentialError`` for any other brace.

    A project's name that held ``/`` or ``*`` would reach other projects' entries, so it may hold neither.
    """
    if "{projectname}" in text:
        if not projectname:
            raise CredentialError(
                f"{_shown(text)} needs the project's name, and none is set",
                hint='set projectname = "..." in sluicegate.toml',
            )
        if not _PROJECT.fullmatch(projectname):
            raise CredentialError(
                f"the projectname {_shown(projectname)} cannot stand in a credential's address",
                hint="use letters, digits, '.', '_' and '-', up to 100",
            )
        text = text.replace("{projectname}", projectname)
    if "{" in text or "}" in text:
        raise CredentialError(f"{_shown(text)} holds a brace", hint="the only placeholder is {projectname}")
    return text


def parse_source(text: str, projectname: str | None = None) -> Source:
    """What ``text`` names. Raises ``CredentialError`` if it names nothing that can hold a credential."""
    if not text.isprintable():
        raise CredentialError(f"{_shown(text)} holds a character that does not print", hint=_FORMS)
    scheme, colon, rest = text.partition(":")
    if scheme == "env" and colon:
        if not _VARIABLE.fullmatch(rest):
            raise CredentialError(f"{_shown(text)} names no environment variable", hint=_FORMS)
        return Variable(rest)
    if scheme == "op" and rest.startswith("//"):
        reference = with_project(text, projectname)
        parts = reference.removeprefix("op://").split("/")
        if not 3 <= len(parts) <= 4 or not all(part.strip() for part in parts):
            raise CredentialError(f"{_shown(text)} is not the address of a field", hint=_FORMS)
        return OnePassword(reference)
    if scheme == "keychain" and colon:
        service, slash, account = with_project(rest, projectname).rpartition("/")
        if not slash or not service or not account or service.startswith("/"):
            raise CredentialError(f"{_shown(text)} is not the address of a keychain entry", hint=_FORMS)
        return Keychain(service, account)
    raise CredentialError(f"{_shown(text)} names no place where credentials are kept", hint=_FORMS)


def _shown(text: str) -> str:
    short = text if len(text) <= 80 else f"{text[:80]}..."
    return "'" + "".join(char if char.isprintable() else "?" for char in short) + "'"

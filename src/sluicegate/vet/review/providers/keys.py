"""Keys of models: from where they are kept to the line that needs them, read at the moment of use.

``env:NAME``                  a variable of the environment in which Sluicegate was started
``file:PATH``                 the first line of a file that nobody else may read; the path is absolute, or begins with ``~``
``command:PROGRAM ARGUMENTS`` what a program prints, such as that of a password store; no shell reads it
``keychain:SERVICE/ACCOUNT``  an entry of the system's keychain
``op://VAULT/ITEM/FIELD``     a field kept by 1Password

A key itself is refused where one of these is expected, and no error quotes what stood there: it may be one. Nothing of the project
in which Sluicegate runs gives a key: no program of its tree is run for one, and no path leads from the current folder.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn, final

from sluicegate.flow.credentials import Stores, parse_source
from sluicegate.flow.credentials.stores import trusted_binary
from sluicegate.flow.errors import CredentialError
from sluicegate.record import private
from sluicegate.record.errors import RecordError
from sluicegate.record.user import without_tilde
from sluicegate.record.work_tree import work_tree
from sluicegate.vet.errors import ConfigError

FORMS = (
    "write env:NAME, file:PATH, command:PROGRAM ARGUMENTS, keychain:SERVICE/ACCOUNT or op://VAULT/ITEM/FIELD"
)
_MOST = 16 * 1024
_SECRET = 8
"""Characters from which on a key with a digit or a sign is taken for a secret: a local server is given words such as ``ollama``."""
_SECONDS = 60.0  # a password store may ask a person


@final
class HeldKey:
    """A key on its way. Printing, formatting, copying or pickling one shows and moves nothing."""

    __slots__ = ("_value", "source")

    def __init__(self, source: str, value: str) -> None:
        self.source, self._value = source, value

    def unseal(self) -> str:
        """The key itself, for the line that sends it."""
        return self._value

    def taken_from(self, text: str) -> str:
        """``text`` without the key, as it stands or as JSON writes it; whole, where the key is a mere word."""
        if len(self._value) < _SECRET or self._value.replace("_", "").isalpha():
            return text
        for form in (self._value, json.dumps(self._value)[1:-1], self._value.replace("/", "\\/")):
            text = text.replace(form, "[key]")
        return text

    def __repr__(self) -> str:
        return f"HeldKey({self.source!r})"

    def __format__(self, spec: str) -> str:
        return repr(self)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key does not leave this process, and is not copied")


def check_source(text: str) -> None:
    """Raise ConfigError unless ``text`` names a place where keys are kept. It is not quoted."""
    scheme, colon, rest = text.partition(":")
    if not colon or scheme not in ("env", "file", "command", "keychain", "op") or not rest.strip():
        raise ConfigError(
            "the key of a seat is not an address of a key; a key itself does not stand in a file", hint=FORMS
        )
    try:
        if not text.isprintable():
            raise ConfigError("the address of a key holds a character that does not print", hint=FORMS)
        if scheme == "command":
            words = shlex.split(rest)
            if not words:
                raise ConfigError("the command of a key names no program", hint=FORMS)
            if "/" in words[0] and not words[0].startswith("/"):
                raise ConfigError(
                    "the command of a key stands in the current folder, which may be anybody's",
                    hint="Write its whole path, or the name of a program on PATH.",
                )
        elif scheme == "file":
            if not rest.startswith(("/", "~")):
                raise ConfigError(
                    "the file of a key stands in the current folder, which may be anybody's",
                    hint="Write its whole path: file:/... or file:~/...",
                )
        else:
            parse_source(text)
    except (CredentialError, ValueError):
        raise ConfigError(f"the {scheme}: address of a key is not well formed", hint=FORMS) from None


def fetch_here(text: str) -> HeldKey:
    """The key, for a process in the current folder: no program of the work tree around it is run. As ``fetch``."""
    try:
        place = Path.cwd()
    except OSError:
        raise ConfigError("the current folder is gone", hint="Change to another one.") from None
    return fetch(text, os.environ, work_tree(place))


def fetch(text: str, environ: Mapping[str, str] = os.environ, workspace: Path | None = None) -> HeldKey:
    """The key that is kept at ``text``. Blocks; may take a minute. Raises ConfigError, which never quotes the key."""
    check_source(text)
    scheme, _, rest = text.partition(":")
    try:
        if scheme == "file":
            value = private.read(without_tilde(rest), limit=_MOST).decode().partition("\n")[0]
        elif scheme == "command":
            value = _said(shlex.split(rest), environ, workspace)
        else:
            value = Stores(environ=environ, workspace=workspace).fetch(parse_source(text))
    except UnicodeDecodeError:
        raise ConfigError(
            f"{_shown(text)} holds a key that is not text", hint="Store the key again."
        ) from None
    except CredentialError as error:
        raise ConfigError(error.message, hint=error.hint) from None
    except RecordError as error:
        raise ConfigError(
            error.message,
            hint="A key is kept in a regular file of yours that nobody else may read: chmod 600.",
        ) from None
    except OSError as error:
        raise ConfigError(
            f"no key from {_shown(text)}: {error.strerror}", hint="Put the key there, or name another place."
        ) from None
    value = value.strip()
    if not value.isascii() or not value.isprintable() or not value or len(value) > _MOST:
        raise ConfigError(
            f"what {_shown(text)} holds is empty or no key: keys are printable ASCII on one line",
            hint="Store the key again.",
        )
    return HeldKey(_shown(text), value)


def _said(words: list[str], environ: Mapping[str, str], workspace: Path | None) -> str:
    program = trusted_binary(words[0], environ.get("PATH", ""), workspace)
    try:
        done = subprocess.run(  # noqa: S603 - an argument vector of the user's own settings
            [str(program), *words[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=dict(environ),
            cwd="/",
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise CredentialError(
            f"{words[0]} did not give a key within {_SECONDS:g} seconds",
            hint="Unlock the store, then try again.",
        ) from None
    if done.returncode != 0:
        raise CredentialError(
            f"{words[0]} gave no key (exit code {done.returncode})",
            hint="Run the command by hand to see why.",
        )
    return done.stdout.decode().partition("\n")[0]


def _shown(text: str) -> str:
    """The address as a message may show it: of a command the program alone, for its arguments may hold a secret."""
    scheme, _, rest = text.partition(":")
    return f"command:{shlex.split(rest)[0]}" if scheme == "command" else text

"""The keyring of the operating system, when it keeps secrets.

The ``keyring`` package falls back, without a word, to whatever backend is installed. Some of them write
plaintext files, one keeps nothing, one only fails. Those are refused by their class, also when they hide in
a chain of backends: a chain reads from all of its members, so one bad member is enough.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from sluicegate.record.errors import KeyringRefused

SERVICE = "sluicegate"

_REFUSED_MODULES = ("keyrings.alt", "keyring.backends.null", "keyring.backends.fail", "keyring.testing")
_CHAIN = "keyring.backends.chainer"


class Backend(Protocol):
    """The part of a keyring backend that is used here."""

    def get_password(self, service: str, username: str) -> str | None:
        """What is kept under the name, or None."""

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep ``password`` under the name."""

    def delete_password(self, service: str, username: str) -> None:
        """Forget what is kept under the name."""


def _default() -> object:
    try:
        import keyring
    except ImportError:
        raise KeyringRefused(
            "the system keyring needs the package keyring",
            hint="pip install 'sluicegate[keyring]', or keep the key in a file.",
        ) from None
    return keyring.get_keyring()


def open_keyring(load: Callable[[], object] = _default) -> Backend:
    """The backend that ``load`` gives, when it is fit to keep a private key.

    Raises KeyringRefused when it is not, or when there is none. The ``keyring`` package is imported here.
    """
    backend = load()
    reason = refusal(backend)
    if reason is not None:
        raise KeyringRefused(
            f"the system keyring cannot be used: {reason}",
            hint="Unlock or install a secret service (GNOME Keyring, KWallet), or keep the key in a file.",
        )
    return backend  # type: ignore[return-value]


def refusal(backend: object) -> str | None:
    """Why ``backend`` is not fit to keep a secret; None when nothing speaks against it.

    1. Itself or a class it is made of is one of the backends that keep nothing or keep plaintext.
    2. A chain with no members, or with a member that is refused.
    """
    kinds = [f"{kind.__module__}.{kind.__qualname__}" for kind in type(backend).__mro__]
    for kind in kinds:  # 1
        if kind.startswith(tuple(f"{module}." for module in _REFUSED_MODULES)) or "plaintext" in kind.lower():
            return f"{kinds[0]} does not keep secrets"
    if any(kind.startswith(f"{_CHAIN}.") for kind in kinds):  # 2
        members = list(getattr(backend, "backends", ()))
        if not members:
            return f"{kinds[0]} has no backend to use"
        for member in members:
            reason = refusal(member)
            if reason is not None:
                return f"{kinds[0]} would also use a backend that is refused: {reason}"
    return None

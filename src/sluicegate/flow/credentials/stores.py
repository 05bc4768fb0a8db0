"""Fetching a credential from where it is kept.

Nothing here keeps what it fetched, and no error quotes what a store said: a store's own message may hold the
value, or part of it.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol, TypeVar, cast

from msgspec import Struct, field

from sluicegate.flow.credentials.sources import Keychain, OnePassword, Source, Variable
from sluicegate.flow.errors import CredentialError

T = TypeVar("T")

SECONDS = 60.0  # a keychain or 1Password may ask a person; after that long nobody is there
_MOST = 131_072  # bytes of a value
_OP_NEEDS = ("HOME", "USER", "LANG", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "DBUS_SESSION_BUS_ADDRESS")


class AskedKeyring(Protocol):
    """What we ask of a keyring."""

    def get_password(self, service: str, username: str, /) -> str | None:
        """The password, or None if there is no such entry."""


def system_keyring() -> AskedKeyring:
    """The keyring that the ``keyring`` package chose. Raises ``CredentialError`` if none of its stores is safe."""
    try:
        import keyring
    except ImportError:
        raise CredentialError(
            "no keychain can be read: the package 'keyring' is not installed",
            hint="pip install keyring, or keep the credential in env:NAME",
        ) from None
    return cast("AskedKeyring", keyring.get_keyring())


class Stores(Struct, frozen=True, kw_only=True):
    """Fetches credentials. What it reaches the world with enters here.

    ``environ`` is our own environment; ``workspace`` is where a tampered ``op`` could have been put;
    ``provider`` is what ``keychain.provider`` says, ``system`` or ``1password``.
    """

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    workspace: Path | None = None
    provider: str = "system"
    keyring: Callable[[], AskedKeyring] = system_keyring
    seconds: float = SECONDS

    def fetch(self, source: Source) -> str:
        """The value kept at ``source``. Raises ``CredentialError``."""
        match source:
            case Variable(name):
                value = self.environ.get(name)
                if not value:
                    raise CredentialError(
                        f"the environment variable {name} is not set",
                        hint="set it where Sluicegate is started",
                    )
                return value
            case OnePassword(reference):
                return self._one_password(reference)
            case Keychain() if self.provider == "1password":
                return self._one_password(f"op://{source.entry}/password")
            case Keychain(service, account):
                return self._keychain(service, account)

    def _keychain(self, service: str, account: str) -> str:
        shown = f"keychain:{service}/{account}"
        stores = safe_backends(self.keyring())

        def ask() -> str | None:
            for store in stores:
                found = store.get_password(service, account)
                if found:
                    return found
            return None

        try:
            value = _within(self.seconds, ask, shown)
        except CredentialError:
            raise
        except Exception as error:  # noqa: BLE001 - border: keyring backends raise what their libraries raise
            raise CredentialError(
                f"the keychain did not give {shown} ({type(error).__name__})",
                hint="unlock the keychain, and see that its service runs",
            ) from None
        if not value:
            raise CredentialError(
                f"the keychain has no entry {shown}", hint=f"keyring set {service!r} {account!r} stores it"
            )
        return value

    def _one_password(self, reference: str) -> str:
        import subprocess

        binary = trusted_binary("op", self.environ.get("PATH", ""), self.workspace)
        granted = {
            name: value
            for name, value in self.environ.items()
            if name in _OP_NEEDS or (name.startswith("OP_") and not name.startswith("OP_DEBUG"))
        }
        try:
            done = subprocess.run(  # noqa: S603 - an argument vector; the reference was parsed
                [str(binary), "read", "--no-newline", reference],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env=granted,
                cwd="/",
                timeout=self.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise CredentialError(
                f"op did not answer within {self.seconds:g} seconds for {reference}",
                hint="sign in with: op signin",
            ) from None
        except OSError as error:
            raise CredentialError(f"op could not be started: {error.strerror}") from None
        if done.returncode != 0:
            raise CredentialError(
                f"op did not give {reference} (exit code {done.returncode})",
                hint="run 'op whoami', then 'op item get' by hand to see why",
            )
        try:
            value = done.stdout.decode("utf-8")
        except UnicodeDecodeError:
            raise CredentialError(f"op gave something for {reference} that is not text") from None
        if not value or len(value) > _MOST:
            raise CredentialError(f"op gave {'nothing' if not value else 'too much'} for {reference}")
        return value


def safe_backends(backend: AskedKeyring) -> tuple[AskedKeyring, ...]:
    """The stores behind ``backend`` that keep what they hold from other users and from backups.

    A chain of stores is asked only where it is safe. Raises ``CredentialError`` if nothing is: ``keyring``
    falls back in silence to a file in base64 where such a backend is installed, and that is not a keychain.
    """
    from sluicegate.record.keys.system_keyring import refusal

    inner = getattr(backend, "backends", None)
    candidates = [backend] if inner is None else list(inner)
    reasons = {id(store): refusal(store) for store in candidates}
    safe = tuple(store for store in candidates if reasons[id(store)] is None)
    if not safe:
        why = "; ".join(sorted({reason for reason in reasons.values() if reason})) or "none is installed"
        raise CredentialError(
            f"there is no keychain here that keeps a secret ({why})",
            hint="start a Secret Service (gnome-keyring, KWallet), or keep the credential in env:NAME or op://",
        )
    return safe


def trusted_binary(name: str, path: str, workspace: Path | None) -> Path:
    """The absolute, resolved path of a program of ours that will see credentials.

    Only absolute entries of ``path`` count. Refused (``CredentialError``) is a program inside the workspace, or
    one that others may overwrite, or whose directory they may.
    """
    import shutil

    entries = os.pathsep.join(entry for entry in path.split(os.pathsep) if Path(entry).is_absolute())
    found = shutil.which(name, path=entries) if entries else None
    if found is None:
        raise CredentialError(
            f"{name} is not installed, or not on PATH", hint=f"install {name}, then try again"
        )
    binary = Path(found).resolve()
    if workspace is not None:
        root = workspace.resolve()
        if root in binary.parents or root in Path(found).absolute().parents:
            raise CredentialError(
                f"{name} lies inside the project, where whoever writes to the project could have put it",
                hint="take the project's directories off PATH",
            )
    for place in (binary, binary.parent, Path(found).parent):
        mode = place.stat().st_mode
        if mode & stat.S_IWOTH and not (place.is_dir() and mode & stat.S_ISVTX):
            raise CredentialError(f"{name} can be overwritten by other users", hint=f"chmod o-w '{place}'")
    return binary


def _within(seconds: float, ask: Callable[[], T], shown: str) -> T:
    """``ask()``, given up after ``seconds``: a locked keychain without a desktop waits for a prompt for ever."""
    answer: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            answer.append(ask())
        except BaseException as error:  # noqa: BLE001 - carried over to the thread that asked
            failed.append(error)

    thread = threading.Thread(target=run, name="sluicegate-keychain", daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    if not answer:
        raise CredentialError(
            f"the keychain did not answer within {seconds:g} seconds for {shown}",
            hint="unlock it, then try again",
        )
    return answer[0]

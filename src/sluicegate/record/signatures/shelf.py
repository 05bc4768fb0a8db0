"""Where signatures are kept: ``.sluicegate/sec/sigs/`` in the workspace, one file for each purpose and name.

A file is named by a readable start of the name and the digest of purpose and name, so that no name escapes
the directory or meets another. What is stored is believed only as far as it verifies: anybody may write here.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sluicegate.patterns import late
from sluicegate.record.directories import STATE, open_directory
from sluicegate.record.errors import SigningError
from sluicegate.record.keys.keys import Signer
from sluicegate.record.keys.trust import Trust
from sluicegate.record.private import read_regular, write_all
from sluicegate.record.signatures import dsse

if TYPE_CHECKING:
    from sluicegate.record.signatures.signatures import Refused, Signed, SignedSubject, Verified

_SUFFIX = ".sig.json"
_PLAIN = late(r"[^A-Za-z0-9]+", re.ASCII)


def file_name(purpose: str, name: str) -> str:
    """The file of a signature, by name alone."""
    digest = hashlib.sha256(f"{purpose}\0{name}".encode("utf-8", "surrogatepass")).hexdigest()
    start = _PLAIN.sub("-", name)[:40].strip("-")
    return f"{start}-{digest[:40]}{_SUFFIX}" if start else f"{digest[:40]}{_SUFFIX}"


class Shelf:
    """The signatures of one workspace. Nothing is read or made until something is asked."""

    def __init__(self, workspace: Path) -> None:
        self.directory = workspace / STATE / "sec" / "sigs"

    def put(self, signed: Signed) -> None:
        """Keep a signature in place of the one there may be, whole and on the disk. Raises SigningError."""
        name = file_name(signed.statement.purpose, signed.statement.name)
        with self._opened(create=True) as directory:
            temporary = f".{os.urandom(8).hex()}"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            try:
                fd = os.open(temporary, flags, 0o644, dir_fd=directory)
                try:
                    write_all(fd, signed.envelope)
                    os.fsync(fd)
                finally:
                    os.close(fd)
                os.rename(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
                os.fsync(directory)
            except OSError as error:
                with suppress(OSError):
                    os.unlink(temporary, dir_fd=directory)
                raise SigningError(f"cannot write {self.directory / name}: {error.strerror}") from None

    def remove(self, purpose: str, name: str) -> bool:
        """Take the signature away, if there is one; says whether there was. Raises SigningError."""
        try:
            with self._opened(create=False) as directory:
                os.unlink(file_name(purpose, name), dir_fd=directory)
                os.fsync(directory)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise SigningError(f"cannot remove a signature: {error.strerror}") from None
        return True

    def get(self, purpose: str, name: str) -> bytes | None:
        """The envelope kept for ``purpose`` and ``name``; None when there is none. Raises SigningError."""
        try:
            with self._opened(create=False) as directory:
                return self._read(directory, file_name(purpose, name))
        except FileNotFoundError:
            return None

    def all(self) -> Iterator[tuple[str, bytes]]:
        """Every file of the shelf with its content, by name. Raises SigningError."""
        try:
            with self._opened(create=False) as directory:
                for name in sorted(os.listdir(directory)):  # noqa: PTH208 - of an open directory
                    if name.endswith(_SUFFIX):
                        yield name, self._read(directory, name)
        except FileNotFoundError:
            return

    def ensure(
        self, subject: SignedSubject, *, purpose: str, name: str, signer: Signer, trust: Trust, now: int
    ) -> Signed:
        """A signature of ``subject`` by ``signer``: the one that is kept, when it still holds, or a new one."""
        from sluicegate.record.signatures.signatures import Signed, Verified, sign, verify

        kept = self.get(purpose, name)
        if kept is not None:
            found = verify(kept, subject=subject, purpose=purpose, name=name, trust=trust, now=now)
            if isinstance(found, Verified) and found.statement.key == signer.public.id:
                return Signed(statement=found.statement, envelope=kept)
        signed = sign(subject, purpose=purpose, name=name, signer=signer, now=now)
        self.put(signed)
        return signed

    def verify(
        self, subject: SignedSubject | None, *, purpose: str, name: str, trust: Trust, now: int
    ) -> Verified | Refused:
        """``signatures.verify`` of what is kept; ``Refused(missing)`` when nothing is."""
        from sluicegate.record.signatures.signatures import Reason, Refused, verify

        try:
            kept = self.get(purpose, name)
        except SigningError as error:
            return Refused(reason=Reason.UNREADABLE, detail=error.message)
        if kept is None:
            return Refused(reason=Reason.MISSING, detail=f"{name!r} is not signed for {purpose!r} here")
        return verify(kept, subject=subject, purpose=purpose, name=name, trust=trust, now=now)

    @contextmanager
    def _opened(self, *, create: bool) -> Iterator[int]:
        fd = open_directory(self.directory, create=create, error=SigningError)
        try:
            yield fd
        finally:
            os.close(fd)

    def _read(self, directory: int, name: str) -> bytes:
        try:
            fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, dir_fd=directory)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise SigningError(f"cannot read {self.directory / name}: {error.strerror}") from None
        try:
            data = read_regular(fd, limit=dsse.LIMIT)
        except OSError as error:
            raise SigningError(f"cannot read {self.directory / name}: {error.strerror}") from None
        if data is None:
            raise SigningError(f"{self.directory / name} is not a regular file")
        if len(data) > dsse.LIMIT:
            raise SigningError(f"{self.directory / name} is larger than {dsse.LIMIT} bytes")
        return data

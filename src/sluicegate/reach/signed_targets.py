"""Who signed the folders that are scanned: the publisher of a skill on this machine, whose place names none.

A folder is a signer's when the signature that the workspace keeps of it holds for all that is in it now (``sluicegate sign``,
``verify``), by a key that is trusted and lies elsewhere: whoever signs here is no publisher to themselves.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sluicegate.record.clock import Clock

_PURPOSE = "folder"


def signers_of(
    environ: Mapping[str, str], targets: Sequence[str], *, clock: Clock = time.time_ns
) -> tuple[tuple[str, str], ...]:
    """Each target that is a signed folder, with its publisher: ``signer:`` and the name under which the key is trusted."""
    folders = [
        target for target in targets if target != "-" and "://" not in target and Path(target).is_dir()
    ]
    if not folders:
        return ()
    from sluicegate.record.errors import RecordError

    try:
        return tuple(_signed(environ, folders, clock))
    except RecordError:  # what cannot be verified has no signer, and is decided on all the same
        return ()


def _signed(environ: Mapping[str, str], folders: Sequence[str], clock: Clock) -> Iterator[tuple[str, str]]:
    from sluicegate.record.signatures.shelf import Shelf
    from sluicegate.record.signatures.signatures import Verified
    from sluicegate.record.signatures.subjects import verify_path
    from sluicegate.record.workspace import Workspace

    workspace = Workspace.of(environ, Path(), clock=clock)
    trust = workspace.keys.trust()
    own = {key.public.id for key in workspace.keys.stored()}
    for folder in folders:
        path = Path(folder)
        if not path.resolve().is_relative_to(workspace.root):
            continue
        name = workspace.name_of(path)
        kept = Shelf(workspace.root).get(_PURPOSE, name)
        if kept is None:
            continue
        found = verify_path(kept, path, purpose=_PURPOSE, name=name, trust=trust, now=clock())
        if isinstance(found, Verified) and found.statement.key not in own:
            yield os.fspath(folder), f"signer:{found.statement.signer}"

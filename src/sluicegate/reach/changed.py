"""Which files changed: those that were named, or those that differ from a commit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from sluicegate.reach.errors import UsageError


def named(paths: Sequence[str], folder: Path) -> tuple[str, ...]:
    """The files that were named, as paths below ``folder``. Raises UsageError for one that lies elsewhere."""
    base = folder.absolute()
    below = []
    for path in paths:
        place = Path(os.path.normpath(base / path))
        if not place.is_relative_to(base):
            raise UsageError(
                f"{path} does not lie in {base}", hint="Start where the repository does, and name its files."
            )
        below.append(place.relative_to(base).as_posix())
    return tuple(below)


def since(commit: str, folder: Path) -> tuple[str, ...]:
    """What differs below ``folder`` from where the work at hand left ``commit``; see ``vet.intake.changes``.

    Raises UsageError for what is not a folder, and SourceError when Git cannot say.
    """
    from sluicegate.vet.intake.limits import Limits
    from sluicegate.vet.intake.repositories.changes import changed_since

    if not folder.exists():
        raise UsageError(
            f"cannot read {folder}: No such file or directory", hint="Check the spelling of the path."
        )
    if not folder.is_dir():
        raise UsageError(
            f"--changed-since goes with a folder, not with {folder}", hint="Name a folder of the repository."
        )
    check_history(folder, "--changed-since")
    return changed_since(folder, commit, Limits())


def check_history(target: Path, option: str) -> None:
    """Refuse a repository inside the one that this folder is in: whoever wrote it may call everything old.

    A skill that is put into a project may bring a ``.git`` of its own. Whoever stands in a repository asks about that.
    """
    from sluicegate.record.work_tree import work_tree

    here, place = work_tree(Path.cwd()), Path(os.path.realpath(target))
    there = work_tree(place)
    if here is not None and there is not None and there != here and place.is_relative_to(here):
        raise UsageError(
            f"{target} is in a repository of its own, {there.relative_to(here)}, inside the one you are in, {here}",
            hint=f"Remove {there.relative_to(here) / '.git'}; or, if you trust its history, use {option} from within it.",
        )

"""Which files changed: those that were named, or what Git says of a folder since a commit.

Git runs programs that the configuration of a repository names: filters, hooks, a monitor of the files. A folder that
somebody else packed can hold such a configuration, so all of them are switched off for what is asked here.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from types import MappingProxyType

from sluicegate.reach.errors import UsageError

_QUIET = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "submodule.recurse=false")


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
    """What differs below ``folder`` from where the work at hand left ``commit``: changed, added, removed, not yet tracked.

    Files that Git is told to ignore and does not track do not count. Raises UsageError when Git cannot say.
    """
    if not folder.is_dir():
        raise UsageError(
            f"--changed-since goes with a folder, not with {folder}", hint="Name a folder of the repository."
        )
    wanted = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}")
    known = _git(folder, wanted)
    if known is None:
        raise UsageError(
            f"Git knows no commit {commit!r} in {folder}",
            hint="Fetch it first; in CI a shallow clone holds one commit alone (fetch-depth: 0 fetches all).",
        )
    start = _git(folder, ("merge-base", known.decode().strip(), "HEAD"))
    if start is None:
        raise UsageError(
            f"{commit!r} and what is checked out have no commit in common",
            hint="Fetch the history between them.",
        )
    compared = ("diff-index", "-z", "--name-only", "--no-renames", "--relative", "--ignore-submodules=none")
    changed = _git(folder, (*compared, start.decode().strip(), "--"), _no_filters(folder))
    untracked = _git(folder, ("ls-files", "-z", "--others", "--exclude-standard", "--"))
    if changed is None or untracked is None:
        raise UsageError(
            f"Git could not compare {folder} with {commit!r}", hint="See what 'git status' says there."
        )
    names = {os.fsdecode(name) for name in (changed + untracked).split(b"\0") if name}
    return tuple(sorted(PurePath(name).as_posix() for name in names))


def _no_filters(folder: Path) -> dict[str, str]:
    """The environment in which Git knows no program for any filter that is configured: contents compare as they lie."""
    keys = _git(
        folder, ("config", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|process|required)$")
    )
    names = sorted({os.fsdecode(key) for key in (keys or b"").split(b"\0") if key})
    settings = {"GIT_CONFIG_COUNT": str(len(names))}
    for number, name in enumerate(names):
        settings[f"GIT_CONFIG_KEY_{number}"] = name
        settings[f"GIT_CONFIG_VALUE_{number}"] = "false" if name.endswith(".required") else ""
    return settings


def _git(
    folder: Path, words: Sequence[str], settings: Mapping[str, str] = MappingProxyType({})
) -> bytes | None:
    """What a command of Git prints; None when it fails."""
    environ = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", **settings}
    try:
        done = subprocess.run(  # noqa: S603 - words of ours; the commit stands behind --end-of-options
            ["git", *_QUIET, *words],  # noqa: S607 - the user's own git
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise UsageError(
            "git is not installed", hint="Install git, or name the files with --changed."
        ) from None
    return done.stdout if done.returncode == 0 else None

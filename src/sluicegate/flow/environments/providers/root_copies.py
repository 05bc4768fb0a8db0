"""Copies of written roots, for sandboxes whose state can be kept: what is written stays in the environment, and a snapshot is an archive
of it.

1. A sandbox with snapshots writes into copies of its written roots, which are made when it is made and gone when it is released. The
   roots themselves do not change.
2. Copies are made by ``tar`` inside of sandboxes, which show it the root and the copy and nothing else: no link leads it elsewhere,
   and what is hidden from commands is left out.
3. A snapshot is one archive for each root, by its place inside, with the labels of what was in it. Only a root at the same place is
   begun with it.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from sluicegate.flow.environments.configuration.config import (
    BUBBLEWRAP,
    CommandLimits,
    EnvironmentConfig,
    Root,
    Roots,
)
from sluicegate.flow.environments.confinement.protection import Kept
from sluicegate.flow.environments.confinement.roots import contains, place
from sluicegate.flow.environments.errors import EnvironmentConfigError, printable
from sluicegate.flow.environments.run.command import Command, Completed, Stage
from sluicegate.flow.errors import EnvironmentFailure
from sluicegate.patterns import late

RunInside = Callable[[EnvironmentConfig, Command], Completed]
"""Runs a command in a sandbox of that configuration."""

_NAME: Final = late(r"[a-z0-9][a-z0-9._-]{0,99}")
_TOLD: Final = "snapshot.json"
_PATIENCE: Final = 600_000
_LARGEST: Final = 8 * 2**30


class CopiedRoots(Struct, frozen=True, kw_only=True):
    """The copies of one environment, by the places inside. ``folder`` holds them."""

    folder: Path
    copies: Mapping[str, str] = field(default_factory=dict)

    def instead(self, roots: Roots) -> Roots:
        """The roots with their copies in their place (1)."""
        return Roots(read=tuple(map(self._own, roots.read)), write=tuple(map(self._own, roots.write)))

    def _own(self, root: Root) -> Root:
        around = [inside for inside in self.copies if contains(inside, root.inside)]
        if not around:
            return root
        nearest = max(around, key=len)
        return Root(
            host=place(Root(host=nearest, inside=self.copies[nearest]), root.inside), inside=root.inside
        )


class SnapshotArchives:
    """Snapshots in a folder. ``run`` runs what copies."""

    def __init__(self, folder: Path, run: RunInside) -> None:
        self._folder, self._run = folder, run

    def labels(self, name: str) -> frozenset[str]:
        """The labels of what was in a snapshot. Raises EnvironmentConfigError where there is none of this name."""
        return frozenset(str(each) for each in self._told(name)["labels"])

    def label(self, name: str, labels: frozenset[str]) -> None:
        """Remember what was in it."""
        told = self._told(name)
        self._tell(self._place(name), {**told, "labels": sorted({*told["labels"], *labels})})

    def copied(self, config: EnvironmentConfig, kept: tuple[Kept, ...]) -> CopiedRoots:
        """Copies of the written roots of an environment, begun with its snapshot. Raises EnvironmentFailure."""
        roots = config.roots or Roots()
        held = self._told(config.snapshot)["roots"] if config.snapshot else {}
        folder = Path(tempfile.mkdtemp(prefix="sluicegate-copies-"))
        copies: dict[str, str] = {}
        try:
            for at, root in enumerate(roots.write):
                if not Path(root.host).is_dir():
                    raise EnvironmentConfigError(
                        "snapshots are of folders, and a file is granted",
                        hint="grant the folder that it is in",
                    )
                copy = folder / str(at)
                copy.mkdir(mode=0o700)
                if root.inside in held:
                    self._restore(self._place(config.snapshot) / str(held[root.inside]), copy)
                else:
                    self._copy(
                        root, copy, ["/".join(each.names) for each in kept if each.root == root.inside]
                    )
                copies[root.inside] = str(copy)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return CopiedRoots(folder=folder, copies=copies)

    def take(self, name: str, copied: CopiedRoots) -> str:
        """Keep the copies under a name, in the place of what it named before. Raises EnvironmentFailure."""
        if not _NAME.fullmatch(name):
            raise EnvironmentConfigError(
                f"'{printable(name, 60)}' cannot name a snapshot",
                hint="small letters, digits, and '.', '_', '-' between",
            )
        with tempfile.TemporaryDirectory(prefix="sluicegate-snapshot-") as made:
            names = {}
            for at, (inside, copy) in enumerate(copied.copies.items()):
                names[inside] = f"{at}.tar"
                self._tar(("-C", "/from", "-cf", f"/to/{at}.tar", "."), read=copy, write=made)
            new = self._folder / f".{name}.new"
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir(mode=0o700, parents=True)
            for archive in names.values():
                shutil.move(os.path.join(made, archive), new / archive)  # noqa: PTH118 - beside a moved file
        self._tell(new, {"roots": names, "labels": []})
        place_of = self._folder / name
        shutil.rmtree(place_of, ignore_errors=True)
        new.rename(place_of)
        return name

    def _copy(self, root: Root, copy: Path, without: list[str]) -> None:
        left = [f"--exclude=./{name}" for name in without]
        words = ("-C", "/from", "--anchored", "--no-wildcards", *left, "-cf", "/to/.copied.tar", ".")
        self._tar(words, read=root.host, write=str(copy))
        self._tar(("-C", "/to", "-xpf", "/to/.copied.tar"), read=root.host, write=str(copy))
        (copy / ".copied.tar").unlink(missing_ok=True)

    def _restore(self, archive: Path, copy: Path) -> None:
        with tempfile.TemporaryDirectory(prefix="sluicegate-snapshot-") as shown:
            shutil.copyfile(archive, Path(shown, "archive.tar"))
            self._tar(("-C", "/to", "-xpf", "/from/archive.tar"), read=shown, write=str(copy))

    def _tar(self, words: tuple[str, ...], *, read: str, write: str) -> None:
        """What copies, where nothing else is (2). Raises EnvironmentFailure."""
        roots = Roots(read=(Root(host=read, inside="/from"),), write=(Root(host=write, inside="/to"),))
        limits = CommandLimits(time=_PATIENCE, file=_LARGEST, processes=16)
        config = EnvironmentConfig(provider=BUBBLEWRAP, roots=roots, limits=limits, cwd="/to")
        done = self._run(config, Command(stages=(Stage(argv=("tar", *words)),)))
        if done.codes != (0,):
            said = printable(done.stderr.decode("utf-8", "replace").strip()) or "it said nothing"
            raise EnvironmentFailure(f"the state of an environment could not be copied: {said}",
                                     hint="See whether all of its written roots can be read.")  # fmt: skip

    def _place(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise EnvironmentConfigError(
                f"there is no snapshot '{printable(name, 60)}'", hint="take it first"
            )
        return self._folder / name

    def _told(self, name: str) -> dict[str, dict[str, str]]:
        try:
            found: dict[str, dict[str, str]] = json.loads((self._place(name) / _TOLD).read_bytes())
        except (OSError, ValueError):
            raise EnvironmentConfigError(
                f"there is no snapshot '{printable(name, 60)}'",
                hint='take it in an environment: snapshot "name"',
            ) from None
        return found

    def _tell(self, folder: Path, told: object) -> None:
        new = folder / f"{_TOLD}.new"
        new.write_text(json.dumps(told))
        new.replace(folder / _TOLD)

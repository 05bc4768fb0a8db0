"""Where keys, trust and the memories of ledgers live: in the user's own directories, never in the workspace.

What runs in the workspace (an agent, a skill, a build) may write there. Whoever could write the keys could sign,
whoever could write the trust file could be believed, and whoever could write the memory of a ledger could
shorten the ledger unseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from sluicegate.record.errors import HomeError
from sluicegate.record.user import config_directory, named_directory, state_directory

VARIABLE = "SLUICEGATE_KEYS_HOME"


class Home(Struct, frozen=True, kw_only=True):
    """The places outside the workspace.

    ``keys`` is the directory of the private keys, ``trust`` the trust file, ``ledgers`` the directory of what is
    remembered of each ledger (its secret and its head), ``sessions`` that of what agents have taken in, ``reviews`` that of
    what reviewing models answered.
    """

    keys: Path
    trust: Path
    ledgers: Path
    sessions: Path
    reviews: Path

    @property
    def own_ledger(self) -> Path:
        """The ledger of what happens where no project says anything, and the user's own policies do."""
        return self.ledgers.parent / "audit.jsonl"

    @property
    def pins(self) -> Path:
        """The directory of what MCP servers said of their tools when they were first used."""
        return self.sessions.parent / "pins"

    @property
    def snapshots(self) -> Path:
        """Snapshots of environments."""
        return self.sessions.parent / "snapshots"

    @property
    def copies(self) -> Path:
        """The directory of what agents have written over."""
        return self.sessions.parent / "copies"

    @classmethod
    def find(cls, environ: Mapping[str, str], *, workspace: Path | None) -> Home:
        """The home of this user.

        1. ``SLUICEGATE_KEYS_HOME`` when it is set: keys, trust and ledgers all in that directory.
        2. Else the user's configuration directory (``config_directory``) for keys and trust, the state directory
           for ledgers.
        3. None of them may lie in ``workspace``, by their real paths.

        Raises HomeError when a variable is not an absolute path, and for 3; NoHomeError where there is no home.
        """
        named = named_directory(environ, VARIABLE)
        if named is not None:  # 1
            return cls.at(named, workspace=workspace)
        config, state = config_directory(environ), state_directory(environ, VARIABLE)  # 2
        home = cls(
            keys=config / "keys",
            trust=config / "trust.toml",
            ledgers=state / "ledgers",
            sessions=state / "sessions",
            reviews=state / "reviews",
        )
        return home._outside(workspace)

    @classmethod
    def at(cls, directory: Path, *, workspace: Path | None = None) -> Home:
        """A home in one directory; raises HomeError when it lies in ``workspace``."""
        home = cls(
            keys=directory / "keys",
            trust=directory / "trust.toml",
            ledgers=directory / "ledgers",
            sessions=directory / "sessions",
            reviews=directory / "reviews",
        )
        return home._outside(workspace)

    def _outside(self, workspace: Path | None) -> Home:
        if workspace is None:
            return self
        root = workspace.resolve()
        for path in (self.keys, self.trust, self.ledgers, self.sessions, self.reviews):
            if path.resolve().is_relative_to(root):  # 3
                raise HomeError(
                    f"{path} lies inside the workspace {root}",
                    hint=f"What runs there could take the keys. Set {VARIABLE} to a directory outside.",
                )
        return self

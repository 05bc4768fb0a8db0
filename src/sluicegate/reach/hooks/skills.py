"""What vetting says of a skill that an agent is about to load, as the skill is now.

1. It is looked for where agents look: in the project and in the home directory, with what plugins bring. Of several of one
   name each counts, since nobody knows which one the agent takes.
2. It is scanned as its user would scan it, with the rulings of persons. What came of it is kept for an hour under what stands
   there: name, mode, size, number and times of every file. A change makes it a skill that nobody has seen.
3. DO_NOT_INSTALL, which is what a person's rejection makes of it as well, refuses. Anything else, also that it could not be
   scanned or found, leaves it to policy, to which it comes from ``src:skill``.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import sluicegate

TYPE_CHECKING = False  # a hook starts before each call of a tool, and ``typing`` is a tenth of its start
if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 15.0
"""Seconds that a scan may take, well below the deadline of a hook."""

KEPT = 3600
MOST_FILES = 5000
MOST_KEPT = 500
_DO_NOT_INSTALL = 1
_DECISIONS = (0, 1, 3)  # the exit codes of a scan that decided


def refused(name: str) -> str:
    """Why a skill of this name is not to be loaded; empty where nothing is known against it."""
    for folder in folders(name):
        if decision(folder) == _DO_NOT_INSTALL:
            return f"the skill {name!a} in {str(folder)!a} is DO_NOT_INSTALL; see why with: sluicegate scan {str(folder)!a}"
    return ""


def folders(name: str) -> Iterator[Path]:
    """The folders of skills of this name (1); ``PLUGIN:NAME`` is one that a plugin brings."""
    from sluicegate.known.agents import AGENTS
    from sluicegate.record.user import home_directory
    from sluicegate.record.work_tree import work_tree

    own = name.rpartition(":")[2]
    if not own or own in (".", "..") or "/" in own:
        return
    here = Path.cwd()
    project = work_tree(here) or here
    bases = dict.fromkeys((here, project))
    home = home_directory(os.environ)
    found: dict[Path, None] = {}
    for agent in AGENTS:
        for base in bases:
            found.update(dict.fromkeys(base / place / own for place in agent.skills[0].split()))
        found.update(dict.fromkeys(home / place / own for place in agent.skills[1].split()))
        for place in agent.plugins[1].split() if ":" in name else ():
            found.update(dict.fromkeys((home / place).glob(f"**/skills/{own}")))
    yield from (each for each in found if (each / "SKILL.md").is_file())


def decision(folder: Path) -> int | None:
    """The exit code of a scan of a folder (2), None where there is no decision."""
    real = folder.resolve()
    key = _key(real)
    kept = _kept()
    known = kept.get(key) if key else None
    if known is not None and 0 <= time.time() - known[1] < KEPT:
        return known[0]
    try:
        done = subprocess.run(  # noqa: S603 - our own scan
            [sys.executable, "-m", "sluicegate", "scan", str(real), "-q"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd="/",
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode not in _DECISIONS:
        return None
    if key and key == _key(real):
        _keep({**kept, key: (done.returncode, int(time.time()))})
    return done.returncode


def _key(folder: Path) -> str:
    """What stands in a folder, as a digest; empty where that is too much, or cannot be seen."""
    seen = hashlib.sha256(f"{sluicegate.__version__}\0{folder}\0".encode("utf-8", "surrogateescape"))
    waiting, count = [os.fspath(folder)], 0
    try:
        while waiting:
            with os.scandir(waiting.pop()) as entries:
                for entry in sorted(entries, key=lambda each: each.name):
                    count += 1
                    if count > MOST_FILES:
                        return ""
                    about = entry.stat(follow_symlinks=False)
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    said = f"{entry.path}\0{about.st_mode}\0{about.st_size}\0{about.st_ino}\0{about.st_mtime_ns}\0{about.st_ctime_ns}\n"
                    seen.update(said.encode("utf-8", "surrogateescape"))
    except OSError:
        return ""
    return seen.hexdigest()


def _file() -> Path:
    from sluicegate.record.home import Home

    return Home.find(os.environ, workspace=None).sessions / "skills.json"


def _kept() -> dict[str, tuple[int, int]]:
    """The decisions that are kept; what cannot be read is none."""
    try:
        found = json.loads(_file().read_bytes())
        return {str(key): (int(code), int(when)) for key, (code, when) in found.items() if code in _DECISIONS}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _keep(kept: dict[str, tuple[int, int]]) -> None:
    """Keep decisions, the newest; that they cannot be kept costs time alone."""
    newest = dict(sorted(kept.items(), key=lambda each: each[1][1])[-MOST_KEPT:])
    path = _file()
    new = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new.write_text(json.dumps(newest), "utf-8")
        new.chmod(0o600)
        new.replace(path)
    except OSError:
        return

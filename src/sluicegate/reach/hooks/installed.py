"""Where our hooks are installed, and whether they work: they are called as the host does, and Codex says which it trusts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from sluicegate.reach.hooks.codex_trust import untrusted
from sluicegate.reach.hooks.installing import (
    HOSTS,
    argv_of,
    command_of,
    missing,
    own_files,
    read,
    read_text,
    without_hooks,
)
from sluicegate.record.user import home_directory
from sluicegate.tuples import NamedTuple

_HOMES = frozenset({"SLUICEGATE_CONFIG_HOME", "SLUICEGATE_KEYS_HOME", "XDG_CONFIG_HOME"})
_TRIED = ((True, "cat ~/.ssh/id_ed25519"), (False, "echo hello"))
"""Commands that a hook is tried with, and whether it is to refuse them."""


class InstalledHooks(NamedTuple):
    """Where our hooks are installed for a host, and what is wrong with them."""

    places: tuple[str, ...]
    problem: str
    wrong: bool


def installed() -> Mapping[str, InstalledHooks]:
    """For each host. Hooks that are there are tried."""
    return {host: installed_for(host) for host in HOSTS}


def installed_for(host: str) -> InstalledHooks:
    """For one host."""
    places, wrong = [], False
    for path in dict.fromkeys(place_of(host, level) for level in ("user", "project")):
        if HOSTS[host].own:
            wanted = own_files(host, path, sys.executable)
            if not any(each.exists() for each in wanted):
                continue
            left = [each.name for each, text in wanted.items() if read_text(each) != text]
        else:
            settings = read(path)[1]
            if without_hooks(settings) == settings:
                continue
            left = list(missing(settings, host, command_of(sys.executable, host)))
        places.append(f"{path}" + (f", not as it would be written now: {', '.join(left)}" if left else ""))
        wrong |= bool(left)
    problem = (probe(host) or skipped(host)) if places else ""
    return InstalledHooks(tuple(places), problem, wrong or bool(problem))


def place_of(host: str, level: str) -> Path:
    """The file of settings of a host, or where our plugin lies, for the user or for the project of the current folder."""
    about = HOSTS[host]
    if level == "project":
        from sluicegate.record.work_tree import work_tree

        return (work_tree(Path.cwd()) or Path.cwd()) / about.project
    return home_directory(os.environ) / about.user


def probe(host: str) -> str:
    """Call the hook as the host does, with a call that every policy of ours refuses and one that none does; what is wrong."""
    with tempfile.TemporaryDirectory(prefix="sluicegate-hook-") as folder:
        home, work = Path(folder, "home"), Path(folder, "work")
        home.mkdir()
        work.mkdir()
        # What is tried is not a call that waits for the user, so nothing of it lies where the user's own calls do. With a
        # state directory that is named, and keys that are not, no daemon is started for what is gone in a moment.
        environ = {
            **{name: value for name, value in os.environ.items() if name not in _HOMES},
            "HOME": str(home),
            "XDG_STATE_HOME": f"{home}/state",
            "SLUICEGATE_POLICY": "agent",
        }
        for refused, command in _TRIED:
            event = {"hook_event_name": HOSTS[host].matched[0], "tool_name": HOSTS[host].shell_tool}
            names = {"session_id": "probe", "conversation_id": "probe", "cwd": str(work)}
            done = subprocess.run(  # noqa: S603 - what we have just written ourselves, as the host runs it
                argv_of(sys.executable, host)
                if HOSTS[host].own
                else ["/bin/sh", "-c", command_of(sys.executable, host)],
                input=json.dumps({**event, **names, "tool_input": {"command": command}}),
                text=True,
                capture_output=True,
                cwd=work,
                env=environ,
                timeout=60,
                check=False,
            )
            if done.returncode != (2 if refused else 0) or bool(done.stderr.strip()) != refused:
                what = "a call that is to be refused" if refused else "a call that is to be left alone"
                reason = " ".join(done.stderr.split())[:400] or "no reason"
                return f"{what} ended with {done.returncode}: {reason}"
    return ""


def skipped(host: str) -> str:
    """What the host says of hooks that it does not call, where it can be asked."""
    if host != "codex":
        return ""
    events = untrusted(frozenset({command_of(sys.executable, host)}), Path.cwd())
    return f"Codex skips it until you trust it there (/hooks): {', '.join(events)}" if events else ""

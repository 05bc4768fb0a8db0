"""Commands that put something between the user and the tools they use, or open a way into the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sluicegate.known import hosts
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.flow import Call

COMMANDS = frozenset({"git", "ssh", "autossh", "cloudflared", "ngrok", "bore", "npm", "pip", "pip3"})
"""Commands of which ``of_command`` may say something."""
_RUNS_AT_GIT = frozenset(
    {
        "core.hookspath",
        "core.sshcommand",
        "core.fsmonitor",
        "core.gitproxy",
        "init.templatedir",
        "core.askpass",
    }
)
_SHELLS = ("ssh://", "tcp://", "rdp://", "smb://", "localhost:22", "tcp")
_SETTINGS = lazy(
    r"(?:^|/)\.(?:vimrc|gvimrc|gitconfig|curlrc|wgetrc|tmux\.conf|inputrc|psqlrc|npmrc|condarc|pythonrc)$|(?:^|/)(?:init\.vim|init\.lua|\.emacs)$"
)
_SSH = lazy(r"(?i)\b(?:hostname|proxyjump|proxycommand|localcommand|remoteforward|knownhostscommand)\s")
_RUNS = ("curl ", "wget ", "| sh", "|sh", "| bash", "nc ", "/dev/tcp", "base64 ", "python -c", "python3 -c")


def of_command(call: Call) -> str:
    """What a command puts in between, in words; empty where it does nothing of the kind."""
    words = call.words
    if call.name == "git" and "config" in words[1:3]:
        return _git(words)
    if call.name in ("ssh", "autossh") and any(w.startswith("-") and "R" in w[1:6] for w in words[1:]):
        host = next((hosts.host_of(word) for word in words[1:] if "@" in word), "")
        return f"A port of this machine is opened from {host}" if host else ""
    if call.name in ("cloudflared", "ngrok", "bore") and any(word.startswith(_SHELLS) for word in words[1:]):
        return "A tunnel leads to a shell or another service of this machine"
    if call.name == "npm" and words[1:3] == ["config", "set"] and _off(words[3:], "strict-ssl"):
        return "npm no longer checks whom it talks to"
    if call.name in ("pip", "pip3") and "config" in words[1:2] and any("trusted-host" in w for w in words):
        return "pip no longer checks whom it talks to"
    return ""


def _off(words: list[str], name: str) -> bool:
    return words[:2] == [name, "false"] or words[:1] == [f"{name}=false"]


def _git(words: list[str]) -> str:
    operands = [word for word in words[1:] if not word.startswith("-")]
    if len(operands) < 3 or operands[0] != "config":
        return ""
    key, value = operands[1].lower(), operands[2]
    if key.startswith("credential") and key.endswith("helper") and any(run in value for run in _RUNS):
        return "Whatever git is told of credentials goes through a command"
    if "--global" not in words and "--system" not in words:
        return ""
    if key in _RUNS_AT_GIT:
        return f"Every use of git runs what {key} names"
    if key == "http.sslverify" and value.lower() in ("false", "0", "no"):
        return "git no longer checks whom it talks to"
    return ""


def of_file(path: str, text: str) -> str:
    """What a file puts in between that is written to a path; ``text`` is what is written, and the whole command."""
    if path.endswith((".ssh/config", "/ssh_config")) and _SSH.search(text):
        return "Connections by ssh are led elsewhere"
    if any(run in text for run in _RUNS) and _SETTINGS.search(path):
        return f"{path.rpartition('/')[2]} will run a command that fetches or sends something"
    return ""

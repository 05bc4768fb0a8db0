"""Commands that put something between the user and the tools they use, or open a way into the machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from sluicegate.known import hosts
from sluicegate.vet.inspect.analyzers.purpose import common_host, describes
from sluicegate.vet.lazy import lazy, seldom

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall

Declares = Callable[[frozenset[str]], bool]
Explains = Callable[[str], bool]

_AGENTS = frozenset({"claude", "codex", "gemini", "cursor-agent", "opencode", "qwen", "amp", "droid"})
_TUNNELS = frozenset("cloudflared ngrok bore chisel frpc rathole tailscale zrok wstunnel".split())
_ENGINES = frozenset({"docker", "podman", "nerdctl"})
_SERVERS = frozenset({"python", "python3", "serve", "http-server", "npx", "php"})
COMMANDS = (
    frozenset(
        """git ssh autossh npm yarn pnpm pip pip3 go poetry gem bundle conda mamba code defaults aws python python3 serve
        http-server npx php""".split()
    )
    | _AGENTS
    | _TUNNELS
    | _ENGINES
)
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
_COMMANDS_OF_GIT = {
    "core.sshcommand": lazy(
        r"^(?:[\w./~$:\\ -]{0,80}/)?(?:auto|tor|k)?(?:ssh|plink)(?:\.exe)?[\"']?(?:\s|$)"
    ),
    "core.gitproxy": lazy(r"^(?:none|ssh)\b"),
    "core.fsmonitor": lazy(r"^(?:true|false|1|0|rs-git-fsmonitor|\.git/hooks/[\w.-]{1,60})?$"),
    "credential.helper": lazy(
        r"^(?:\"\"|''|!?[\"']?(?:/usr/|/opt/|/Applications/|C:)|!?(?:gh|glab|aws|az|gcloud|git|op|pass|hub)\b|[a-z][\w-]{0,40}(?:\s{1,4}-|$))|^$|\$"
    ),
}
"""Settings of git that name a command, with those that are what the setting is for."""
_SHELLS = ("ssh://", "tcp://", "rdp://", "smb://", "localhost:22", "127.0.0.1:22", "tcp")
_PORT_OF_SHELL = lazy(r"(?:^|[:=])(?:22|2222|3389|5900|5985)$|^tcp$")
_SETTINGS = seldom(
    "rc gitconfig tmux.conf init.vim init.lua .emacs".split(),
    r"(?:^|/)\.(?:vimrc|gvimrc|gitconfig|curlrc|wgetrc|tmux\.conf|inputrc|psqlrc|npmrc|condarc|pythonrc)$|(?:^|/)(?:init\.vim|init\.lua|\.emacs)$",
)
_SOURCES = seldom(
    ".npmrc .yarnrc .condarc .gemrc pip. uv.toml bunfig.toml .cargo/config .bundle/config".split(),
    r"(?:^|/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.condarc|\.gemrc|pip\.conf|pip\.ini|uv\.toml|bunfig\.toml|\.cargo/config(?:\.toml)?|\.bundle/config)$",
)
"""Settings that say where a package manager of the user takes packages from."""
_NAMES_SOURCE = lazy(r"(?i)(?:registry|index-url|index|channels?|sources?|mirror|replace-with)\b")
_SSH = lazy(r"(?i)\b(?:hostname|proxyjump|proxycommand|localcommand|remoteforward|knownhostscommand)\s")
_PROXY = lazy(r"(?i)proxycommand[= ]\s{0,4}[\"']?(?P<command>[^\"'\n]{1,200})")
_LOCAL_PROXY = lazy(r"^(?:none|ssh|aws|gcloud|cloudflared|tsh|step|az|%)\b|%h")
_RUNS = ("curl ", "wget ", "| sh", "|sh", "| bash", "nc ", "/dev/tcp", "base64 ", "python -c", "python3 -c")
_POLICIES = seldom(
    ("policies", "managed preferences"),
    r"/policies/(?:managed|recommended)/|/Managed Preferences/|/distribution/policies\.json$",
)
_EXTENSIONS = lazy(
    r"ExtensionInstallForcelist|ExtensionSettings|ExtensionInstallSources|InstallForcelist|force_installed|ProxyServer|ProxySettings"
)
_ADDRESS_OF_NAME = lazy(
    r"(?m)(?:^|[\"'\s])(?!127\.|0\.0\.0\.0|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)(?:\d{1,3}\.){3}\d{1,3}[ \t]{1,8}[\w-]{1,63}\.[\w.-]{2,100}"
)
_HOME = lazy(r"^(?:~|\$\{?HOME\}?|/home(?:/[\w$.-]{1,60})?|/Users(?:/[\w$.-]{1,60})?|/root)/?$")
_SERVER = frozenset({"mcp", "mcps", "connector", "connectors", "plugin", "plugins"})


def of_command(call: ShellCall, declares: Declares, explains: Explains, here: str = "") -> str:
    """What a command puts in between, in words; empty where it does nothing of the kind. ``here`` is the folder it works in."""
    words = call.words
    if call.name in _SERVERS:
        return _served(call.name, words, here)
    if call.name == "aws":
        return _endpoint(words, explains)
    if call.name == "git":
        if "remote" in words[1:3] and "--push" in words[2:7]:
            return _pushed(words, explains)
        return _git(words, explains) if "config" in words[1:3] else ""
    if call.name in ("ssh", "autossh"):
        return _ssh(words, explains)
    if call.name in _TUNNELS:
        return _tunnel(call.name, words)
    if call.name in _AGENTS and "mcp" in words[1:3] and any(word.startswith("add") for word in words[2:4]):
        return _server(words, declares, explains)
    if call.name in _ENGINES:
        return _mounts(words)
    if (
        call.name == "code"
        and words[1:2] == ["tunnel"]
        and not {"status", "unregister", "kill"} & set(words[2:4])
    ):
        return "A tunnel lets others work in this machine from elsewhere"
    if call.name == "defaults" and words[1:2] == ["write"] and _EXTENSIONS.search(" ".join(words[2:8])[:400]):
        return "The browser is told by a policy what it must load"
    return _packages(call.name, words, explains)


def _off(words: Sequence[str], name: str) -> bool:
    return list(words[:2]) == [name, "false"] or list(words[:1]) == [f"{name}=false"]


def _packages(name: str, words: Sequence[str], explains: Explains) -> str:
    """A package manager that will ask somebody else from now on, or no longer looks whom."""
    if name == "npm" and list(words[1:3]) == ["config", "set"] and _off(words[3:], "strict-ssl"):
        return "npm no longer checks whom it talks to"
    if name in ("pip", "pip3") and "config" in words[1:2] and any("trusted-host" in w for w in words):
        return "pip no longer checks whom it talks to"
    told = {
        "go": list(words[1:3]) == ["env", "-w"] and any(w.startswith(("GOPROXY=", "GONOSUMDB=", "GOFLAGS=")) for w in words),
        "poetry": list(words[1:3]) == ["source", "add"],
        "gem": words[1:2] == ["sources"] and bool({"-a", "--add"} & set(words)),
        "bundle": words[1:2] == ["config"] and any(w.startswith("mirror") for w in words),
        **dict.fromkeys(("yarn", "pnpm"), list(words[1:3]) == ["config", "set"] and any("egistry" in w for w in words)),
        **dict.fromkeys(("conda", "mamba"), words[1:2] == ["config"] and bool({"--add", "--set", "--prepend"} & set(words))),
    }  # fmt: skip
    if told.get(name) and (host := _stranger(" ".join(words).replace(",", " "), explains)):
        return f"{name} will take packages from {host}"
    return ""


def _stranger(text: str, explains: Explains) -> str:
    """The first host of a text that nothing explains."""
    for _, host in hosts.urls(text):
        if not (
            common_host(host) or hosts.registry(host) or explains(host) or any(sign in host for sign in "$<{")
        ):
            return host
    return ""


def _pushed(words: Sequence[str], explains: Explains) -> str:
    """Every push of a repository goes to another host, from now on and without a word."""
    host = hosts.host_of(words[-1])
    unknown = host and not (common_host(host) or explains(host) or any(sign in words[-1] for sign in "$<{"))
    return f"Every push of this repository goes to {host}" if unknown else ""


def _git(words: Sequence[str], explains: Explains) -> str:
    operands = [word for word in words[1:] if not word.startswith("-")]
    if len(operands) < 3 or operands[0] != "config":
        return ""
    key, value = operands[1].lower(), operands[2]
    if key.startswith("remote.") and key.endswith(".pushurl"):
        return _pushed([value], explains)
    if key.startswith("credential") and key.endswith("helper") and any(run in value for run in _RUNS):
        return "Whatever git is told of credentials goes through a command"
    if (
        key.startswith("url.")
        and key.endswith((".insteadof", ".pushinsteadof"))
        and (host := _stranger(key, explains))
    ):
        return f"git goes to {host} in the place of {value[:60]}"
    if key in ("http.proxy", "https.proxy") and (host := _stranger(value, explains)):
        return f"All that git sends goes through {host}"
    if any(key == name and not told.search(value) for name, told in _COMMANDS_OF_GIT.items()):
        return f"git runs {value[:80]} as its {key}"
    if (key == "core.pager" or key.startswith("alias.")) and any(run in value for run in _RUNS):
        return f"git runs a command that fetches or sends something as its {key}"
    if "--global" not in words and "--system" not in words:
        outside = key == "core.hookspath" and value.startswith(("~", "$HOME", "/")) and value != "/dev/null"
        return f"Git hooks of this project come from {value[:80]}" if outside else ""
    if key in _RUNS_AT_GIT:
        return f"Every use of git runs what {key} names"
    if key == "http.sslverify" and value.lower() in ("false", "0", "no"):
        return "git no longer checks whom it talks to"
    return ""


def _ssh(words: Sequence[str], explains: Explains) -> str:
    if any(w.startswith("-") and "R" in w[1:6] for w in words[1:]):
        host = next((hosts.host_of(word) for word in words[1:] if "@" in word), "")
        if host:
            return f"A port of this machine is opened from {host}"
    found = _PROXY.search(" ".join(words[1:])[: hosts.LONGEST])
    if found is None or _LOCAL_PROXY.search(found["command"].strip()):
        return ""
    names = [hosts.host_of(word) for word in found["command"].split() if "." in word]
    stranger = next((name for name in names if name and not common_host(name) and not explains(name)), "")
    return f"The connection is led through {stranger}" if stranger else ""


def _tunnel(name: str, words: Sequence[str]) -> str:
    """A way in from outside to a shell of this machine. A web page under development that is shown to others is none."""
    reverse = name == "chisel" and any(word.startswith("R:") for word in words)
    if any(word.startswith("file:") or "=file:" in word for word in words[1:]) or (
        name == "tailscale"
        and {"funnel", "serve"} & set(words[1:3])
        and any(w[:1] in "/~$." for w in words[2:] if w)
    ):
        return "A tunnel shows files of this machine to others"
    shell = name in ("cloudflared", "ngrok") and any(word.startswith(_SHELLS) for word in words[1:])
    ports = name in ("bore", "tailscale", "zrok", "ngrok") and any(
        _PORT_OF_SHELL.search(word) for word in words[1:]
    )
    login = name == "tailscale" and "--ssh" in words and words[1:2] in (["up"], ["set"])
    theirs = (name == "cloudflared" and "run" in words and _literal(words, "--token")) or (
        name == "tailscale" and _literal(words, "--authkey", "--auth-key")
    )
    if reverse or shell or ports or login:
        return "A tunnel leads to a shell or another service of this machine"
    if theirs:
        return "This machine joins a network whose key the skill brings"
    if name in ("frpc", "rathole", "wstunnel"):
        return "A tunnel as its settings say leads into this machine"
    return ""


def _served(name: str, words: Sequence[str], here: str) -> str:
    """The whole home folder is shown to whoever asks this machine."""
    if name in ("python", "python3"):
        if "http.server" not in words[1:6]:
            return ""
    elif name == "npx":
        if not {"serve", "http-server"} & {word.partition("@")[0] for word in words[1:4]}:
            return ""
    elif name == "php" and "-S" not in words:
        return ""
    values = [word.rpartition("=")[2] for word in words[1:]]
    shown = next((value for value in values if value == "/" or _HOME.search(value)), "")
    if (
        not shown
        and _HOME.search(here)
        and not any(word[:2] in ("-d", "-t") or word.startswith("--d") for word in words)
    ):
        shown = here
    return f"The whole home folder is shown to whoever asks ({shown[:60]})" if shown else ""


def _endpoint(words: Sequence[str], explains: Explains) -> str:
    """What is meant for the cloud goes to another machine."""
    for before, word in pairwise((*words, "")):
        option, _, attached = before.partition("=")
        if option == "--endpoint-url" and (host := _stranger(attached or word, explains)):
            return f"What is meant for the cloud goes to {host}"
    return ""


def _literal(words: Sequence[str], *options: str) -> bool:
    """Whether one of the options holds a value that is written out."""
    for before, word in pairwise((*words, "")):
        option, _, attached = before.partition("=")
        if option in options:
            value = attached or word
            return (
                len(value) > 12 and not any(sign in value for sign in "$<{") and "your" not in value.lower()
            )
    return False


def _server(words: Sequence[str], declares: Declares, explains: Explains) -> str:
    """A server that the agent will ask from now on, where neither name nor description speaks of it."""
    if declares(_SERVER):
        return ""
    at = next((place for place, word in enumerate(words) if word.startswith("add")), len(words))
    operands = [word for word in words[at + 1 :] if not word.startswith("-")]
    said = " ".join(operands)[: hosts.LONGEST]
    if hosts.urls(said):
        host = _stranger(said, explains)
        return f"The agent is given a server at {host}" if host else ""
    names = {
        part
        for word in operands
        for part in word.lower().replace("/", "-").replace("@", "-").replace("_", "-").split("-")
    }
    if "modelcontextprotocol" in said or declares(
        frozenset(part for part in names if len(part) > 3) - _PLAIN
    ):
        return ""
    return (
        f"The agent is given a server that the description does not speak of: {said[:80]}" if operands else ""
    )


_PLAIN = frozenset(
    "user local project http stdio latest node python python3 server helper tool agent".split()
)
"""Words in the command of a server that do not say whose it is."""


def _is_name(part: str) -> bool:
    """Whether a word says whose a server is. One for a kind of work does not: whoever deceives calls it after the skill."""
    return len(part) > 3 and part not in _PLAIN and describes(part) < len(part) - 3


def _mounts(words: Sequence[str]) -> str:
    """The whole home folder is handed to a container."""
    if not {"run", "create"} & set(words[1:4]):
        return ""
    for before, word in pairwise((*words, "")):
        option, _, attached = before.partition("=")
        if option in ("-v", "--volume"):
            source = (attached or word).partition(":")[0]
        elif option == "--mount":
            parts = (part.partition("=") for part in (attached or word).split(","))
            source = next((value for key, _, value in parts if key in ("source", "src")), "")
        else:
            continue
        if _HOME.search(source):
            return f"A container is given the whole home folder ({source[:60]})"
    return ""


def of_file(path: str, text: str, explains: Explains) -> str:
    """What a file puts in between that is written to a path; ``text`` is what is written, and the whole command."""
    if path.endswith((".ssh/config", "/ssh_config")) and _SSH.search(text):
        return "Connections by ssh are led elsewhere"
    if any(run in text for run in _RUNS) and _SETTINGS.search(path):
        return f"{path.rpartition('/')[2]} will run a command that fetches or sends something"
    if _SOURCES.search(path) and _NAMES_SOURCE.search(text) and (host := _stranger(text, explains)):
        return f"{path.rpartition('/')[2]} will take packages from {host}"
    return ""


def of_system_file(path: str, text: str) -> str:
    """The same of a file that the system or the browser obeys."""
    if "/etc/pam.d/" in path or path.endswith("/etc/pam.conf"):
        return "Every login passes through what is written into PAM"
    if "/udev/rules.d/" in path and "RUN" in text:
        return "A device that is plugged in runs a command"
    if _POLICIES.search(path) and _EXTENSIONS.search(text):
        return "The browser is told by a policy what it must load"
    if path.endswith("/etc/hosts") and _ADDRESS_OF_NAME.search(text):
        return "A name is led to another machine"
    return ""

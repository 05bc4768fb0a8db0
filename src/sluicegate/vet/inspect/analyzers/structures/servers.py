"""Model Context Protocol servers that the skill brings or tells to add."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sluicegate.known import hosts, names
from sluicegate.known.hosts import Host
from sluicegate.vet.inspect.analyzers import checks
from sluicegate.vet.inspect.analyzers.structures.registry import (
    BundleFacts,
    Config,
    base_name,
    rule,
    structure_rule,
)
from sluicegate.vet.inspect.analyzers.structures.weigh import Weight, weigh
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Severity

UNPINNED = rule(
    "mcp-server-unpinned", "An MCP server is run at whatever version is newest", Category.SUPPLY_CHAIN, Severity.LOW, 450,
    why="The server's next version runs unseen, with the agent's rights.",
    fix="Pin an exact version or digest.",
    references=("ASI04", "LLM03", "CWE-1357"),
)  # fmt: skip
REMOTE = rule(
    "mcp-server-remote", "An MCP server is reached at an untrustworthy address", Category.AGENT_CONFIGURATION,
    Severity.MEDIUM, 600,
    why="A server's tool descriptions and answers steer the agent. Plain http or a bare address lets others speak for it.",
    fix="Use https and a host that you know.",
    references=("ASI04", "LLM03", "CWE-319"),
)  # fmt: skip
SHELL = rule(
    "mcp-server-shell", "An MCP server is started by a shell command", Category.AGENT_CONFIGURATION, Severity.HIGH, 700,
    why="A server entry that starts a shell, fetches or decodes can run anything each time the agent starts.",
    fix="Start the server's own program, pinned, with a list of arguments.",
    references=("ASI04", "ASI05", "CWE-78"),
)  # fmt: skip
SECRET = rule(
    "mcp-server-secret", "An MCP server is given a credential of something else", Category.CREDENTIAL_ACCESS,
    Severity.MEDIUM, 450,
    why="Cloud, source-code and model keys given to a server can be used by it, and by whoever publishes its next version.",
    fix="Give a server a key of its own, with the least rights that it needs.",
    references=("ASI03", "LLM02", "CWE-522"),
)  # fmt: skip

_TABLES = frozenset({"mcpServers", "mcp_servers", "mcp-servers", "context_servers"})
_RUNNERS = frozenset({"npx", "bunx", "uvx", "pnpx", "pipx", "npm", "pnpm", "yarn", "bun", "deno", "uv"})
_VERSION = lazy(r".@[v^~]?\d|==\d|@sha256:|:\d+(?:\.\d+)|[/#][0-9a-f]{7,40}$|\.tgz$")
_WIDE = lazy(
    r"^(AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|AZURE_CLIENT_SECRET|GOOGLE_APPLICATION_CREDENTIALS|GITHUB_TOKEN|GH_TOKEN|"
    r"GITLAB_TOKEN|NPM_TOKEN|ANTHROPIC_API_KEY|OPENAI_API_KEY|SSH_AUTH_SOCK|STRIPE_SECRET_KEY|DATABASE_URL|KUBECONFIG)$"
)
_WHOLE_HOME = lazy(
    r"(?:^|src=|source=)(?:~|\$HOME|\$\{HOME\}|/root|/home/[\w.-]{1,40}|/Users/[\w.-]{1,40}|/)?(?:/\.(?:ssh|aws|gnupg|kube))?:/[\w/]"
    r"|^--env-file|^--pass-env=\*"
)
_TUNNEL = lazy(rf"(?i)://[^/\s]{{0,200}}\b(?:{'|'.join(map(re.escape, hosts.TUNNELS))})(?=[:/]|$)")
_PLACEHOLDER = lazy(r"(?i)your|example|abc|xxx|[<{$]|123")
_SHELLS = frozenset({"sh", "bash", "zsh", "cmd", "cmd.exe", "powershell", "pwsh", "powershell.exe", "fish"})


class Server:
    """One entry: its command and arguments (``words``), its address, names and values of variables and headers."""

    __slots__ = ("first", "given", "last", "name", "url", "words")

    def __init__(self, name: str, first: int, last: int) -> None:
        self.name, self.first, self.last = name, first, last
        self.words: list[str] = []
        self.url = ""
        self.given: list[tuple[str, str]] = []


def _servers(config: Config) -> Iterator[Server]:
    found: dict[str, Server] = {}
    for entry in config.document.entries:
        keys = [part for part in entry.path if isinstance(part, str)]
        at = next((i for i, name in enumerate(keys) if name in _TABLES), -1)
        if at == -1 and keys[:1] == ["servers"] and base_name(config.view.path) == "mcp.json":
            at = 0
        if at == -1 or len(keys) < at + 3:
            continue
        server = found.setdefault(keys[at + 1], Server(keys[at + 1], entry.first, entry.last))
        server.last = max(server.last, entry.last)
        key, text = keys[at + 2], str(entry.value)
        if key in ("command", "args") and isinstance(entry.value, str):
            server.words.append(text[:4096])
        elif key in ("url", "serverUrl", "httpUrl", "endpoint"):
            server.url = text[:2048]
        elif key in ("env", "headers", "environment") and len(keys) > at + 3:
            server.given.append((keys[at + 3], text[:512]))
    yield from found.values()


def _editor_files(facts: BundleFacts) -> Iterator[Config]:
    """The files in which some editors keep their servers, under a key of their own."""
    for view in facts.settings:
        if base_name(view.path) == "mcp.json" and '"servers"' in view.text:
            config = facts.config(view)
            if config is not None and not any(table in view.text for table in _TABLES):
                yield config


def _literal(name: str, value: str) -> bool:
    """Whether the value is a real credential, not a reference to one and not a placeholder."""
    if not (names.secret(name) or name.lower() in ("authorization", "x-api-key")):
        return False
    return not value.lstrip().startswith(("$", "<", "{", "%")) and checks.random_key(value)


@structure_rule(UNPINNED, REMOTE, SHELL, SECRET)
def servers(facts: BundleFacts) -> Iterable[Match]:
    """Every server of every configuration document."""
    for config in (*facts.configs(sorted(_TABLES)), *_editor_files(facts)):
        for server in _servers(config):
            yield from _started(config, server)
            yield from _reached(config, server)
            yield from _given(config, server)


def _started(config: Config, server: Server) -> Iterator[Match]:
    words = server.words
    if not words:
        return
    line = " ".join(words)
    program = base_name(words[0])
    runs_shell = program in _SHELLS and any(
        word in ("-c", "-lc", "/c", "-Command", "-ic") for word in words[1:4]
    )
    weight = weigh(line)
    windows = program in ("cmd", "cmd.exe") and len(words) > 2 and words[2] in _RUNNERS
    if (runs_shell and not windows) or weight >= Weight.LOUD:
        plain = weight < Weight.LOUD
        severity = Severity.CRITICAL if weight is Weight.HARM and not config.quoted else Severity.HIGH
        yield config.match(
            SHELL.id, server.first, server.last, evidence=f"{server.name}: {line}",
            severity=Severity.MEDIUM if plain or config.quoted else severity,
            confidence=500 if plain or config.quoted else 750,
            adjustments=("it is an example, or does nothing but start a program",) if plain or config.quoted else (),
        )  # fmt: skip
    elif program in _RUNNERS or windows:
        packages = [
            word
            for word in words[1:]
            if not word.startswith(("-", "/")) and word not in _RUNNERS | {"dlx", "run", "exec", "x", "tool"}
        ]
        if packages and not _VERSION.search(packages[0]) and not packages[0].startswith((".", "$")):
            yield config.match(UNPINNED.id, server.first, server.last, evidence=f"{server.name}: {line}")
    elif program in ("docker", "podman") and "run" in words[:3]:
        images = [
            w
            for w in words[2:]
            if "/" in w and not w.startswith(("-", "/", "$", "~", "type=")) and "=" not in w
        ]
        if images and not _VERSION.search(images[-1]):
            yield config.match(UNPINNED.id, server.first, server.last, evidence=f"{server.name}: {line}")


def _reached(config: Config, server: Server) -> Iterator[Match]:
    urls = [
        server.url,
        *(word for word in server.words if word.startswith(("http://", "https://", "ws://", "wss://"))),
    ]
    for url in urls:
        if _TUNNEL.search(url) is not None and _PLACEHOLDER.search(url) is None:
            yield config.match(
                REMOTE.id, server.first, server.last, evidence=f"{server.name}: {url}", severity=Severity.HIGH, confidence=650,
                adjustments=("a tunnel to somebody's own machine",),
            )  # fmt: skip
            return
        if not hosts.urls(url) or hosts.classify(url) is not Host.SUSPECT:
            continue
        plain = all(hosts.classify("https://" + host) is not Host.SUSPECT for _, host in hosts.urls(url))
        worse = not plain and not config.quoted
        yield config.match(
            REMOTE.id, server.first, server.last, evidence=f"{server.name}: {url}",
            severity=Severity.HIGH if worse else Severity.MEDIUM, confidence=700 if worse else 600,
            adjustments=("a bare address or a throw-away host",) if worse else (),
        )  # fmt: skip
        return


def _given(config: Config, server: Server) -> Iterator[Match]:
    about = f"{server.name} {' '.join(server.words)}".lower()
    for name, value in server.given:
        if _literal(name, value):
            yield config.match(
                SECRET.id, server.first, server.last, evidence=f"{server.name}: {name}", confidence=700,
                message=f"The value of {name} is written out. {SECRET.why}", adjustments=("the credential itself is written here",),
            )  # fmt: skip
            return
    for word in server.words:
        if _WHOLE_HOME.search(word) is not None:
            yield config.match(SECRET.id, server.first, server.last, evidence=f"{server.name}: {word[:200]}", confidence=600,
                               adjustments=("a place full of credentials is handed over",))  # fmt: skip
            return
    for name, _ in server.given:
        owner = name.partition("_")[0].lower()
        owner = {"gh": "github", "google": "g"}.get(owner, owner)
        if _WIDE.match(name) and owner not in about and owner not in ("database", "kubeconfig"):
            yield config.match(SECRET.id, server.first, server.last, evidence=f"{server.name}: {name}")
            return

"""Which servers the gateway stands before, and how each is reached: the words of a command line, or ``mcp.json``.

    {"mcpServers": {"files": {"command": "npx", "args": ["server-filesystem", "."],
                              "sluicegate": {"tools": ["read_*"], "auth": ["github"], "limits": {"*": {"perMinute": 30}}}}},
     "sluicegate": {"profiles": {"review": {"files": {"tools": ["read_file"]}}}}}

1. The file is closed: a key that is not known is an error. ``${NAME}`` in ``args``, ``env``, ``url`` and ``headers`` is a variable of ours.
2. A server is given ``PATH``, ``HOME`` and the like, what ``env`` says, and the credentials that it names: those go by the sealed
   path of policy. Nothing else of our environment.
3. A profile narrows: a server that it does not name is not started, and a tool has to be in both lists.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, field

from sluicegate.patterns import late
from sluicegate.reach.errors import UsageError
from sluicegate.reach.mcp.gateway.decided import GatewayRules
from sluicegate.reach.mcp.gateway.judged import CallLimit
from sluicegate.reach.mcp.gateway.upstream import MOST_STARTS

PASSED: Final = (
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "TZ",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TMPDIR",
)
_NAME: Final = late(r"[A-Za-z0-9_.-]{1,64}", re.ASCII)
_CLIENT: Final = late(r"[A-Za-z0-9_]{1,32}", re.ASCII)
_TOKEN: Final = late(r"[!-9;-~]{16,4000}", re.ASCII)
_VARIABLE: Final = late(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}", re.ASCII)
_MOST: Final = 1024 * 1024
TOKEN: Final = "SLUICEGATE_GATEWAY_TOKEN"
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class OwnPart(Struct, frozen=True, forbid_unknown_fields=True):
    """What is ours to know of a server."""

    tools: tuple[str, ...] = ("*",)
    deny: tuple[str, ...] = ()
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    limits: dict[str, CallLimit] = field(default_factory=dict)
    auth: tuple[str, ...] = ()


class ServerEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A server in ``mcp.json``."""

    type: Literal["stdio", "http", "streamable-http"] | None = None
    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    cwd: str = ""
    url: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    description: str = ""
    disabled: bool = False
    sluicegate: OwnPart = field(default_factory=OwnPart)


class ProfilePart(Struct, frozen=True, forbid_unknown_fields=True):
    """What a profile shows of a server."""

    tools: tuple[str, ...] = ("*",)
    deny: tuple[str, ...] = ()


class GatewayPart(Struct, frozen=True, forbid_unknown_fields=True):
    """What is said of all servers."""

    profiles: dict[str, dict[str, ProfilePart]] = field(default_factory=dict)
    timeout: float = 300.0
    starts: int = MOST_STARTS
    confirm: bool = False


class McpFile(Struct, frozen=True, forbid_unknown_fields=True, rename={"servers": "mcpServers"}):
    """``mcp.json``."""

    servers: dict[str, ServerEntry]
    sluicegate: GatewayPart = field(default_factory=GatewayPart)


class ServerLaunch(Struct, frozen=True, kw_only=True):
    """How a server is started, or where it is."""

    command: tuple[str, ...] = ()
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    cwd: str = ""
    auth: tuple[str, ...] = ()

    def told(self) -> str:
        """How it is reached, for its pins: nothing of what its variables hold."""
        if self.url:
            return msgspec.json.encode([self.url, sorted(self.headers)]).decode()
        return msgspec.json.encode([self.command, sorted(self.environment), self.cwd]).decode()


class HttpAddress(Struct, frozen=True, kw_only=True):
    """Where clients are served over HTTP; ``tokens``: what they have to bring, if anything, by the names of those who bring them."""

    host: str
    port: int
    origins: tuple[str, ...] = ()
    tokens: Mapping[str, str] = field(default_factory=dict)


class Configuration(Struct, frozen=True, kw_only=True):
    """The servers by their names, and the rules of the core. ``confirm``: a person is asked about what policy refuses."""

    servers: Mapping[str, ServerLaunch]
    rules: GatewayRules
    confirm: bool = False


def http_address(text: str, origins: Sequence[str], environ: Mapping[str, str]) -> HttpAddress:
    """``HOST:PORT``; the tokens are in ``SLUICEGATE_GATEWAY_TOKEN``. Raises UsageError where others could ask without one."""
    host, _, port = text.rpartition(":")
    host, tokens = host.strip("[]") or "127.0.0.1", _tokens(environ.get(TOKEN, ""))
    if not port.isdecimal() or int(port) > 65_535:
        raise UsageError(f"{text!r} is not an address", hint="Write HOST:PORT, as in 127.0.0.1:8931.")
    if host not in LOOPBACK and not tokens:
        raise UsageError(
            f"everybody who reaches {host} could use your servers",
            hint=f"Serve on 127.0.0.1, or put a token of 16 characters or more into {TOKEN}.",
        )
    return HttpAddress(
        host=host, port=int(port), origins=tuple(each.lower() for each in origins), tokens=tokens
    )


def _tokens(text: str) -> dict[str, str]:
    """The tokens of clients by their names: one without a name, or ``NAME:TOKEN`` for each, with blanks between. Raises UsageError."""
    found: dict[str, str] = {}
    words = text.split()
    for word in words:
        name, _, token = word.rpartition(":")
        named = bool(_CLIENT.fullmatch(name)) if ":" in word else len(words) == 1
        if not named or name in found or token in found.values() or not _TOKEN.fullmatch(token):
            raise UsageError(
                f"{TOKEN} holds what is not a token, or one twice",
                hint="Write one of 16 characters or more that print, or NAME:TOKEN for each client, with blanks between.",
            )
        found[name] = token
    return found


def of_command(words: Sequence[str], name: str, environ: Mapping[str, str]) -> Configuration:
    """One server, by the command that starts it."""
    own = name or _named_after(words)
    _check_name(own)
    launch = ServerLaunch(command=tuple(words), environment=_passed(environ))
    return Configuration(servers={own: launch}, rules=GatewayRules())


def of_file(path: Path, profile: str, environ: Mapping[str, str]) -> Configuration:
    """The servers of an ``mcp.json``. Raises UsageError."""
    try:
        data = path.read_bytes()
        if len(data) > _MOST:
            raise UsageError(f"{path} has more than {_MOST} bytes")
        found = msgspec.json.decode(data, type=McpFile)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path} is not a configuration of MCP servers: {error}",
            hint='It says {"mcpServers": {"NAME": {"command": ...}}}.',
        ) from None
    narrowed = _profile(found, path, profile)
    servers = {
        name: _launch(name, entry, environ)
        for name, entry in found.servers.items()
        if not entry.disabled and (narrowed is None or name in narrowed)
    }
    if not servers:
        raise UsageError(f"{path} names no server that is to be started")
    of = {name: found.servers[name].sluicegate for name in servers}
    rules = GatewayRules(
        shown={
            name: [each.tools, *([narrowed[name].tools] if narrowed else ())] for name, each in of.items()
        },
        hidden={name: (*each.deny, *(narrowed[name].deny if narrowed else ())) for name, each in of.items()},
        labels={name: each.labels for name, each in of.items()},
        limits={name: each.limits for name, each in of.items()},
        timeout=found.sluicegate.timeout,
        starts=found.sluicegate.starts,
    )
    return Configuration(servers=servers, rules=rules, confirm=found.sluicegate.confirm)


def _profile(found: McpFile, path: Path, profile: str) -> Mapping[str, ProfilePart] | None:
    """What a profile says (3); None where none was asked for."""
    if not profile:
        return None
    said = found.sluicegate.profiles.get(profile)
    if said is None:
        known = ", ".join(sorted(found.sluicegate.profiles)) or "none"
        raise UsageError(f"{path} has no profile {profile!r}", hint=f"It has: {known}.")
    unknown = next((name for name in said if name not in found.servers), None)
    if unknown is not None:
        raise UsageError(f"the profile {profile!r} of {path} names a server {unknown!r} that is not there")
    return said


def _launch(name: str, entry: ServerEntry, environ: Mapping[str, str]) -> ServerLaunch:
    _check_name(name)
    if entry.url or entry.type in ("http", "streamable-http"):
        return _remote(name, entry, environ)
    if not entry.command:
        raise UsageError(f"the server {name} has no command")
    words = (entry.command, *(_filled(word, environ) for word in entry.args))
    given = {key: _filled(value, environ) for key, value in entry.env.items()}
    return ServerLaunch(
        command=words, environment={**_passed(environ), **given}, cwd=entry.cwd, auth=entry.sluicegate.auth
    )


def _remote(name: str, entry: ServerEntry, environ: Mapping[str, str]) -> ServerLaunch:
    """A server over HTTP: a credential goes over TLS, or to this machine."""
    try:
        address = urlsplit(_filled(entry.url, environ))
        host, right = address.hostname or "", address.scheme in ("http", "https") and address.port != 0
    except ValueError:
        host, right = "", False
    if not host or not right or address.username or address.fragment or entry.command:
        raise UsageError(
            f"the server {name} has no address that can be asked",
            hint='Write "url": "https://HOST/PATH" alone.',
        )
    secret = entry.sluicegate.auth or "authorization" in {key.lower() for key in entry.headers}
    if secret and address.scheme == "http" and host not in LOOPBACK:
        raise UsageError(
            f"the credential of the server {name} would go over the network in the clear", hint="Use https."
        )
    if len(entry.sluicegate.auth) > 1:
        raise UsageError(
            f"the server {name} is given more than one credential",
            hint="Over HTTP one goes, as a bearer token.",
        )
    headers = {key: _filled(value, environ) for key, value in entry.headers.items()}
    return ServerLaunch(url=address.geturl(), headers=headers, auth=entry.sluicegate.auth)


def _filled(text: str, environ: Mapping[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        said = environ.get(found[1], found[2])
        if said is None:
            raise UsageError(
                f"the variable {found[1]} is not set", hint=f"Set it, or write ${{{found[1]}:-DEFAULT}}."
            )
        return said

    return _VARIABLE.sub(value, text)


def _passed(environ: Mapping[str, str]) -> dict[str, str]:
    """What a server has of our environment (2)."""
    return {name: environ[name] for name in PASSED if name in environ}


def _named_after(words: Sequence[str]) -> str:
    """A name for a server: that of the first word that is neither a program which starts others nor an option."""
    runs = (
        "npx",
        "uvx",
        "uv",
        "run",
        "node",
        "python",
        "python3",
        "deno",
        "bunx",
        "docker",
        "-m",
        "tool",
        "exec",
    )
    word = next(
        (word for word in words if Path(word).name not in runs and not word.startswith("-")), words[0]
    )
    stem = re.sub(r"[^A-Za-z0-9_.-]", "-", Path(word).name.partition("@")[0])
    return stem.removesuffix(".py").removesuffix(".js")[:64] or "server"


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name) or name == "local" or "__" in name:
        raise UsageError(
            f"{name!r} cannot be the name of a server",
            hint="Letters, digits, -, _ and ., at most 64; no two _ together, and not 'local', which is for tools of an agent itself.",
        )

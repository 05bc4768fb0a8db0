"""The operations that cases of flow ask about: by hand, one of each kind, and one for each danger in the table."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from model import capabilities as model
from model.capabilities import UNKNOWN, Command, Operation
from sluicegate.flow.policy.text.vocabulary import OPERATION_KINDS, meant_operation
from sluicegate.known.places import kept

POLICY = Path(__file__).resolve().parents[3] / "src" / "sluicegate" / "flow" / "policy"


def _command(program: str, *arguments: Any, words: str = "", flags: str = "", **more: Any) -> Command:
    return Command(program, arguments, tuple(words.split()), frozenset(flags.split()), **more)


def _cmd(program: str, *arguments: Any, leaves: tuple[str, ...] = (), **more: Any) -> Operation:
    """A command whose words are its arguments without options."""
    given = {key: more.pop(key) for key in ("other", "trusted", "method", "known") if key in more}
    known = [each for each in arguments if each is not UNKNOWN]
    command = Command(
        program,
        arguments,
        tuple(each for each in arguments if each is UNKNOWN or not each.startswith("-")),
        frozenset(each for each in known if each.startswith("-")),
        **given,
    )
    return Operation("cmd", (f"op:cmd:{program}", *leaves), command, **more)


CALLS: dict[str, tuple[tuple[str, ...], str]] = {
    "send": (("exfil",), ""),
    "wipe": (("destructive",), ""),
    "post": (("net:w",), ""),
    "keep": ((), ""),
    "load": (("net:r",), "src:network"),
    "list": ((), "src:mcp"),
    "ask": (("llm",), ""),
}
"""Functions as operations: the labels they are declared with (if any, they take the place of ``op:call:...``), and
where their results come from."""

_SSH = ("r", "/home/u/.ssh/id")
_POST = _command("curl", "-d", "x", words="x", flags="-d", other="network", method="POST")
_FORCE = _command("git", "push", "--force", words="push", flags="--force", other="some network")
_RM = _command("rm", "-rf", "x", words="x", flags="-r -f")
_WRITTEN = {
    "status": Operation("cmd", ("op:cmd:git:status",), _command("git", "status", words="status")),
    "status short": Operation(
        "cmd", ("op:cmd:git:status", "fs:r"), _command("git", "status", "-s", words="status", flags="-s")
    ),
    "push": Operation(
        "cmd",
        ("op:cmd:git:push", "net:w"),
        _command("git", "push", "origin", "main", words="push origin main", other="some network"),
    ),
    "push force": Operation(
        "cmd", ("op:cmd:git:push",), _FORCE, hits=(("cmd", _FORCE, frozenset({"--force"})),)
    ),
    "rm": Operation("cmd", ("op:cmd:rm",), _command("rm", "x", words="x"), paths=(("w", "/tmp/x"),)),
    "python -c": _cmd("python3", "-c", "x", other="py", leaves=("code:inline", "code:written")),
    "rm -r": _cmd("rm", "-r", "x", leaves=("destructive", "data:lost"), paths=(("w", "/srv/x"),)),
    "rm -rf": Operation(
        "cmd",
        ("op:cmd:rm",),
        _RM,
        paths=(("w", "/proj/x"),),
        hits=(("cmd", _RM, frozenset({"-r", "-f"})),),
    ),
    "curl": _cmd(
        "curl",
        "https://api.example.org/x",
        leaves=("exfil",),
        other="network",
        method="GET",
        hosts=("api.example.org",),
    ),
    "curl post": Operation("cmd", ("op:cmd:curl", "net:w"), _POST, hits=(("cmd", _POST, frozenset({"-d"})),)),
    "curl head": _cmd("curl", "-I", "x", other="network", method="HEAD"),
    "curl somehow": _cmd("curl", "--strange", "https://example.org", other="network", hosts=("example.org",)),
    "ls": _cmd("ls", "a", "x"),
    "ls option": _cmd("ls", "-l", "x"),
    "ls something": _cmd("ls", UNKNOWN),
    "ls something x": _cmd("ls", UNKNOWN, "x", leaves=("fs:r", "safe")),
    "git somehow": _cmd("git", "-c", "x", "status", "y", known=False),
    "ls unknown": _cmd("ls", "z", "x", UNKNOWN, known=False),
    "another git": _cmd("git", "status", trusted=False),
    "verify": _cmd("sluicegate", "verify"),
    "another verify": _cmd("sluicegate", "verify", trusted=False),
    "bash": _cmd("bash", "x.sh", other="sh"),
    "python": _cmd("python3", "x.py", other="py"),
    "deno": _cmd("deno", "x.ts", other="node"),
    "runs js": _cmd("runner", "x", leaves=("op:js",), other="js"),
    "asks prose": _cmd("asker", leaves=("op:prose:x",), other="prose"),
    "interprets": _cmd("runner", "y", leaves=("op:interpreter:ruby",), other="interpreter"),
    "npm install": _cmd("npm", "install", "x", other="some network"),
    "gh": _cmd("gh", "pr", "list", other="some network", leaves=("net:r",)),
    "tar srv": _cmd("tar", "cf", "x", "/srv", whole=(("r", "/srv"),)),
    "tar a": _cmd("tar", "xf", "x", whole=(("w", "/srv/a"), ("r", "/home/u"))),
    "tar root": _cmd("tar", "cf", "x", "/", whole=(("r", "/"),)),
    "sh": Operation("sh", ("op:sh",)),
    "sh writes": Operation("sh", ("op:sh",), paths=(("w", "/tmp/f"),)),
    "js": Operation("js", ("op:js",)),
    "js fetches": Operation("js", ("op:js",), hosts=("example.com",)),
    "show": Operation("show", ("op:show",)),
    "log": Operation("log", ("op:log", "internal")),
    "issues": Operation("mcp", ("op:mcp:gh:list", "net:r")),
    "issues mine": Operation("mcp", ("op:mcp:gh:list:mine",)),
    "close": Operation("mcp", ("op:mcp:gh:close", "destructive", "net:w")),
    "read": Operation("read", ("op:read",), paths=(("r", "/srv/a/f"),)),
    "read notes": Operation("read", ("op:read",), paths=(("r", "/proj/notes/f"),)),
    "read other notes": Operation("read", ("op:read", "fs:r"), paths=(("r", "/other/notes/f"),)),
    "read anything": Operation("read", ("op:read",), hits=(("fs", ("r", UNKNOWN), frozenset()),)),
    "read something": Operation(
        "read",
        ("op:read",),
        paths=(("r", "/srv/f"), ("r", UNKNOWN)),
        hits=(("fs", ("r", UNKNOWN), frozenset()),),
    ),
    "read key": Operation("read", ("op:read",), paths=(_SSH,), hits=(("fs", _SSH, frozenset()),)),
    "write": Operation("write", ("op:write", "fs:w"), paths=(("w", "/srv/a/b/g"),)),
    "write anything": Operation("write", ("op:write",), hits=(("fs", ("w", UNKNOWN), frozenset()),)),
    "copy": Operation("write", ("op:write",), paths=(("r", "/srv/f"), ("w", "/home/u/dl/f"))),
    "fetch": Operation("fetch", ("op:fetch", "net:r"), hosts=("api.example.org",)),
    "fetch root": Operation("fetch", ("op:fetch",), hosts=("example.org", "a.b.example.org")),
    "fetch elsewhere": Operation("fetch", ("op:fetch", "net:r"), hosts=("example.com",)),
    "fetch anything": Operation("fetch", ("op:fetch", "exfil:mail")),
    "fetch something": Operation("fetch", ("op:fetch",), hosts=("api.example.org", UNKNOWN)),
    "run": Operation("call", ("op:call:run", "privileged")),
    "run all": Operation(
        "call", ("op:call:run", "privileged:root", "destructive:disk", "exfil", "net:w", "data:lost")
    ),
    "nothing": Operation("call", ()),
    **{name: Operation("call", labels or (f"op:call:{name}",)) for name, (labels, _) in CALLS.items()},
}
_OF_KINDS = {
    f"a {kind}": Operation(kind, (meant_operation(f"op:{kind}:x:y"),))
    for kind in OPERATION_KINDS
    if kind not in ("cmd", "read", "write", "fetch")
}
OPERATIONS = {**_WRITTEN, **_OF_KINDS}
"""The operations that are asked about most, by name; their dangers are what ``danger.toml`` says of them."""


@cache
def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((POLICY / f"{name}.toml").read_text(encoding="utf-8"))


TABLE = {
    entry: group["why"]
    for group in _table("danger")["danger"]
    for entry in (
        *(f"fs:rw:{place.glob}" for kind in group.get("places", ()) for place in kept(kind)),
        *group.get("patterns", ()),
    )
}
"""The entries of the danger table, each with why it is there."""


_ASKED = [
    (one, model.segments(one))
    for entry in TABLE
    for one in (("fs:r" + entry[5:], "fs:w" + entry[5:]) if entry.startswith("fs:rw") else (entry,))
]
"""The entries as they are asked about, in parts; of one for reading and writing, each by itself."""


def _may_be_about(parts: list[str], subject: tuple[str, Any, bool]) -> bool:
    """Whether an entry must be asked at all: the model asks slowly, and most are of another program or kind."""
    category, what, _ = subject
    if parts[0] != category or len(parts) < 2:
        return parts[0] == category
    if category == "cmd":
        return parts[1] == what.program or not _is_plain(parts[1])
    if category == "fs":
        folder, _, last = parts[2].rpartition("/")
        return what[0] in model.DENY[parts[1]] and (
            not folder or not _is_plain(last) or what[1].endswith(last)
        )
    return True


def _is_plain(word: str) -> bool:
    return "*" not in word and "?" not in word


def _hits(subject: tuple[str, Any, bool]) -> tuple[Any, ...]:
    """The entries of the table that are about a subject, as hits."""
    category, what, _ = subject
    return tuple(
        (category, what, frozenset(each for each in parts[2:] if each.startswith("-")))
        for one, parts in _ASKED
        if _may_be_about(parts, subject) and model.matches(one, subject, model.DENY)
    )


def _other(program: str, words: tuple[str, ...]) -> str:
    """What a program is by another door, as ``programs.toml`` says."""
    table = _table("programs")
    subcommands = table["subcommands"]["network"].get(program, [])
    own = next((each for each in ("sh", "py", "node", "network") if program in table[each]), "")
    speaks = (
        subcommands == ["*"] or (words[:1] and words[0] in subcommands) or " ".join(words[:2]) in subcommands
    )
    return own or ("some network" if words and speaks else "")


METHODS = {
    **dict.fromkeys(
        ("-d", "-F", "--json", "--post-data", "--post-file", "--body-data", "--body-file"), "POST"
    ),
    "-T": "PUT",
    "-K": "",
}
"""The HTTP method of a curl or wget with nothing but this option; empty where a file may say another."""


def _dangerous(entry: str) -> Operation | None:
    """An operation that an entry of the table is about; None where another spelling is known for it."""
    category, *tokens = [part.replace("?", "x") for part in model.segments(entry)]
    if category == "fs":
        path = "/" + "/".join(part.replace("**", "x").replace("*", "x") for part in model.parts(tokens[1]))
        subject = ("fs", (tokens[0][-1], path), True)
        kind = {"r": "read", "w": "write"}[tokens[0][-1]]
        return Operation(kind, (f"op:{kind}",), paths=(subject[1],), hits=_hits(subject))
    program, *arguments = [token.replace("*", "x") for token in tokens] or [""]
    if category != "cmd" or program in _table("spellings")["subcommands"] or program[-1].isdigit():
        return None
    other = _other(program, tuple(a for a in arguments if a[:1] != "-"))
    method = METHODS[arguments[0]] if program in ("curl", "wget") else ""
    op = _cmd(program, *arguments, other=other, method=method)
    return op._replace(hits=_hits(("cmd", op.command, True)))


DANGERS = {entry: op for entry in TABLE if (op := _dangerous(entry)) is not None}
"""For each entry of the table an operation that it is about, but for those that have several spellings."""
ALL = {**OPERATIONS, **DANGERS}

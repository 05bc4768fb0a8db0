"""Cases for differential tests of flow: policies as plain trees, and questions to them.

*Ordinary* cases look like policies that people write and values that the monitor makes; *hostile* ones combine
anything that the schema accepts. A case is made from its generator's name and a number.
"""

from __future__ import annotations

import json
import random
from typing import Any, NamedTuple

from model.flow import Command, Operation, covers

Tree = Any
"""Anything that JSON can hold."""

FOLDERS = ("/srv", "/srv/a", "/srv/a/b", "/tmp", "/tmp/x", "/home", "/home/u", "/home/u/dl", "/proj", "/etc")
LABELS = (
    "secret", "secret:aws", "sensitive", "pii", "pii:mail", "pii:mail:work", "internal", "untrusted", "trusted",
    "src:mcp", "src:mcp:gh", "src:network", "src:user", "src:file", "src:exec", "src:env:docker", "llm", "influenced",
    *(f"dir:{folder}" for folder in FOLDERS),
)  # fmt: skip
RULE_LABELS = (*(label for label in LABELS if label != "trusted"), "*", "src", "src:env")
TARGETS = (
    "*", "op", "op:cmd", "op:cmd:git", "op:cmd:git:push", "op:cmd:git:status", "op:cmd:rm", "op:show", "op:mcp",
    "op:mcp:gh", "op:mcp:gh:list", "op:read", "op:write", "op:fetch", "op:sh", "net", "net:w", "net:r", "fs:w",
    "safe", "exfil", "exfil:mail", "destructive", "privileged", "op:call", "op:call:send", "op:call:keep",
)  # fmt: skip
RISKS = ("exfil", "exfil:mail", "destructive", "privileged")
RULES = (
    "no-secret-exfil", "no-sensitive-exfil", "no-untrusted-destructive", "no-untrusted-privileged",
    "untrusted-llms-get-influenced",
)  # fmt: skip
GLOBS = (
    "/srv/**", "/srv/a/**", "/srv/*", "/srv/a/b/**", "/tmp/**", "/tmp/*", "~/**", "~/dl/**", "/home/u/**", "/home/**",
    "@base/**", "notes/**", "**", "**/dl/**", "/srv/a/f*",
)  # fmt: skip
PATHS = (
    "/srv/f",
    "/srv/a/f",
    "/srv/a/b/g",
    "/tmp/f",
    "/home/u/dl/f",
    "/home/u/f",
    "/proj/notes/f",
    "/etc/passwd",
)
CAPABILITIES = (
    "cmd", "cmd:*", "cmd:git", "cmd:git:*", "cmd:git:status", "cmd:git:status:*", "cmd:git:push", "cmd:git:push:*:main",
    "cmd:rm", "cmd:rm:*", "cmd:rm:-r", "cmd:rm:-r:-f", "cmd:bash", "cmd:curl:*", "cmd:ls:*:x", "cmd:g*:status",
    "sh", "js", "show", "mcp", "mcp:gh", "mcp:gh:list", "mcp:*:list", "network", "network:api.example.org",
    "network:*.example.org", "fs", "fs:r:/srv/**", "fs:w:/srv/**", "fs:r:**", "fs:w:/tmp/**", "fs:r:/srv/*", "fs:w:~/**",
    "fs:r:notes/**", "fs:r:/srv/a/f",
)  # fmt: skip


def _command(program: str, *arguments: str, words: str = "", flags: str = "", other: str = "") -> Command:
    return Command(program, arguments, tuple(words.split()), frozenset(flags.split()), other)


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
OPERATIONS = {
    "status": Operation("cmd", ("op:cmd:git:status",), _command("git", "status", words="status")),
    "status short": Operation(
        "cmd", ("op:cmd:git:status", "fs:r"), _command("git", "status", "-s", words="status", flags="-s")
    ),
    "push": Operation(
        "cmd",
        ("op:cmd:git:push", "net:w"),
        _command("git", "push", "origin", "main", words="push origin main", other="network"),
    ),
    "rm": Operation("cmd", ("op:cmd:rm",), _command("rm", "x", words="x"), paths=(("w", "/tmp/x"),)),
    "rm -r": Operation(
        "cmd",
        ("op:cmd:rm", "destructive"),
        _command("rm", "-r", "x", words="x", flags="-r"),
        paths=(("w", "/srv/x"),),
    ),
    "rm -rf": Operation(
        "cmd",
        ("op:cmd:rm",),
        _command("rm", "-rf", "x", words="x", flags="-r -f"),
        paths=(("w", "/proj/x"),),
        hits=(("cmd", _command("rm", "-rf", "x", words="x", flags="-r -f"), frozenset({"-r", "-f"})),),
    ),
    "curl": Operation(
        "cmd",
        ("op:cmd:curl", "exfil"),
        _command("curl", "https://api.example.org/x", words="https://api.example.org/x", other="network"),
        hosts=("api.example.org",),
    ),
    "ls": Operation("cmd", ("op:cmd:ls",), _command("ls", "a", "x", words="a x")),
    "sh": Operation("sh", ("op:sh",)),
    "js": Operation("js", ("op:js",)),
    "show": Operation("show", ("op:show",)),
    "log": Operation("log", ("op:log", "internal")),
    "issues": Operation("mcp", ("op:mcp:gh:list", "net:r")),
    "close": Operation("mcp", ("op:mcp:gh:close", "destructive", "net:w")),
    "read": Operation("read", ("op:read",), paths=(("r", "/srv/a/f"),)),
    "read notes": Operation("read", ("op:read",), paths=(("r", "/proj/notes/f"),)),
    "read anything": Operation("read", ("op:read",), hits=(("fs", ("r", None), frozenset()),)),
    "read key": Operation("read", ("op:read",), paths=(_SSH,), hits=(("fs", _SSH, frozenset()),)),
    "write": Operation("write", ("op:write", "fs:w"), paths=(("w", "/srv/a/b/g"),)),
    "copy": Operation("write", ("op:write",), paths=(("r", "/srv/f"), ("w", "/home/u/dl/f"))),
    "fetch": Operation("fetch", ("op:fetch", "net:r"), hosts=("api.example.org",)),
    "fetch elsewhere": Operation("fetch", ("op:fetch", "net:r"), hosts=("example.com",)),
    "fetch anything": Operation("fetch", ("op:fetch", "exfil:mail")),
    "run": Operation("call", ("op:call:run", "privileged")),
    **{name: Operation("call", labels or (f"op:call:{name}",)) for name, (labels, _) in CALLS.items()},
}
"""The operations that are asked about, by name; their dangers are what ``danger.toml`` says of them."""


class FlowCase(NamedTuple):
    """Policies in force, and questions: (name of an operation, labels)."""

    policies: list[Tree]
    questions: list[list[Tree]]


def to_json(case: FlowCase) -> str:
    """One line, the same for the same case."""
    return json.dumps(case._asdict(), sort_keys=True, separators=(",", ":"))


def from_json(line: str) -> FlowCase:
    """The case of a line."""
    return FlowCase(**json.loads(line))


def generate(kind: str, number: int) -> FlowCase:
    """Case ``number`` of a generator: ``ordinary`` or ``hostile``."""
    rng = random.Random(f"flow {kind} {number}")
    hostile = kind == "hostile"
    policies = [_policy(rng, hostile) for _ in range(rng.choice((1, 1, 2, 3)))]
    values = [_value(rng, policies, hostile) for _ in range(4)]
    values.append(sorted({*values[0], *values[1]}))
    names = rng.sample(sorted(OPERATIONS), 3)
    return FlowCase(policies, [[name, value] for name in names for value in values])


def _some(rng: random.Random, of: tuple[str, ...], most: int) -> list[str]:
    return rng.sample(of, min(len(of), rng.randrange(most + 1)))


def _policy(rng: random.Random, hostile: bool) -> Tree:
    tree: dict[str, Tree] = {"defaults": {"rules": _some(rng, RULES, 4)}}
    if rng.random() < 0.6:
        tree["defaults"]["unlabeled"] = rng.choice(("untrusted", "untrusted", "trusted"))
    if rng.random() < 0.6:
        tree["sources"] = _sources(rng)
    if rng.random() < 0.3:
        tree["data"] = {
            f"path:{glob}": rng.choice(("secret", "pii:mail", ["sensitive", "pii"]))
            for glob in _some(rng, GLOBS, 2)
        }
    if rng.random() < 0.6:
        tree["operations"] = {
            target: rng.choice((rng.choice(RISKS), ["exfil", "destructive"]))
            for target in _some(rng, TARGETS, 4)
        }
    if rng.random() < 0.5:
        tree["capabilities"] = _capabilities(rng)
    if rng.random() < 0.85:
        rules = _some(rng, RULE_LABELS, 4) if hostile else _family(rng)
        tree["labels"] = {label: _rule(rng, hostile) for label in rules}
    return tree


def _family(rng: random.Random) -> list[str]:
    """Labels of which some stand above others, so that specificity decides."""
    root = rng.choice(("secret", "pii", "src", "src:mcp", "*", "untrusted"))
    return [label for label in RULE_LABELS if covers(root, label) and rng.random() < 0.5] or [root]


def _rule(rng: random.Random, hostile: bool) -> Tree:
    rule: dict[str, Tree] = {}
    if rng.random() < 0.8:
        rule["deny"] = _some(rng, TARGETS, 4)
    if rng.random() < 0.5:
        rule["allow"] = _some(rng, TARGETS, 4)
        if not hostile and rule.get("deny"):
            below = [target for target in TARGETS if covers(rule["deny"][0], target)]
            rule["allow"].append(rng.choice(below))
    return rule


def _sources(rng: random.Random) -> Tree:
    sources: dict[str, Tree] = {}
    for origin in _some(
        rng, ("src", "src:mcp", "src:mcp:gh", "src:network", "src:user", "src:env", "llm", "influenced"), 4
    ):
        sources[origin] = rng.choice(("trusted", "untrusted"))
    if rng.random() < 0.3:
        sources[rng.choice(("dir:/srv", "dir:/srv/a", "dir:/home/u"))] = rng.choice(("trusted", "untrusted"))
    if rng.random() < 0.6:
        places: dict[str, Tree] = {
            glob: rng.choice(("trusted", "untrusted")) for glob in _some(rng, GLOBS, 3)
        }
        if rng.random() < 0.6:
            places["default"] = rng.choice(("trusted", "untrusted"))
        sources["src:file"] = places or rng.choice(("trusted", "untrusted"))
    return sources


def _capabilities(rng: random.Random) -> Tree:
    lists = {}
    for key, most in (("allow", 8), ("deny", 3), ("danger", 3)):
        if rng.random() < 0.7:
            lists[key] = _some(rng, CAPABILITIES, most)
    return lists


def _value(rng: random.Random, policies: list[Tree], hostile: bool) -> list[str]:
    """The labels of a value: any, or those of something declared, read or received."""
    if hostile or rng.random() < 0.3:
        return sorted(_some(rng, LABELS, 4))
    labels = set(_some(rng, ("secret", "secret:aws", "pii:mail", "sensitive", "internal"), 2))
    dice = rng.random()
    if dice < 0.4:
        folder = rng.choice(FOLDERS)
        labels |= {
            "src:file",
            *(f"dir:{each}" for each in FOLDERS if folder == each or folder.startswith(each + "/")),
        }
    elif dice < 0.8:
        labels.add(
            rng.choice(("src:mcp", "src:mcp:gh", "src:network", "src:user", "src:exec", "src:env:docker"))
        )
    labels |= {rng.choice(("trusted", "untrusted"))} if rng.random() < 0.3 else set()
    return sorted(labels)

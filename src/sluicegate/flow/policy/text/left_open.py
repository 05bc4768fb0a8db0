"""What rules of a policy leave open without looking like it: names that nothing has, fields that strangers write, prefixes
that other hosts begin with, and programs that run others.

Each is a remark and no error: a policy may mean it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sluicegate.flow.labels.names import shown
from sluicegate.flow.policy.rules.entries import read
from sluicegate.flow.policy.text.problems import Problem
from sluicegate.flow.policy.text.schema import Policy
from sluicegate.flow.policy.text.vocabulary import confusable, nearest
from sluicegate.patterns import late

_ARGUMENTS: Final = {
    "read": ("path",),
    "write": ("path", "value"),
    "append": ("path", "value"),
    "fetch": ("url", "method", "headers", "body"),
    "sh": (),
    "py": (),
    "node": (),
    "js": (),
}
"""The operations that have arguments of their own, and these; empty: code, and any inputs beside it."""

_BY_ANYBODY: Final = frozenset({
    "body", "text", "title", "subject", "content", "contents", "comment", "comments", "message", "messages", "description", "summary",
    "note", "notes", "memo", "name", "label", "sender", "from", "author", "login", "user", "username", "filename", "snippet", "html", "url",
})  # fmt: skip
"""Names of fields that whoever writes, opens, sends or shares something chooses."""

_RUNNING: Final = frozenset({
    "make", "cmake", "ninja", "npm", "npx", "pnpm", "yarn", "awk", "gawk", "mawk", "sed", "find", "xargs", "env", "nice", "timeout", "tar",
    "vim", "vi", "ed", "ex", "perl", "ruby", "php", "lua", "java", "go", "cargo", "gradle", "mvn", "pip", "uv", "tox", "pytest", "docker",
    "ssh", "bash", "sh", "zsh", "python", "python3", "node",
})  # fmt: skip
"""Programs that run what a file or an argument says."""

_FEW: Final = 4
"""Letters of a name; a shorter one is like many others."""

_HOST_ALONE: Final = late(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")


def left_open(policy: Policy) -> Iterator[Problem]:
    """The remarks, in the order of the policy."""
    yield from _arguments(policy)
    for tool, fields in policy.session.results.items():
        told = [field for field in fields.facts if field.rpartition(".")[2].lower() in _BY_ANYBODY]
        if told:
            yield Problem(
                path=("session", "results", tool, "facts"),
                message=f"{shown(told[0])} is often what a stranger writes; a fact is endorsed wherever it stands again",
                hint="Name only fields that the server itself vouches for.",
            )
    yield from _allowed(policy)


def _arguments(policy: Policy) -> Iterator[Problem]:
    for tool, rules in policy.arguments.items():
        meant = "" if ":" in tool or "*" in tool or len(tool) < _FEW else confusable(tool, _ARGUMENTS)
        if meant:
            yield Problem(
                path=("arguments", tool),
                message=f"is about a tool or a function {shown(tool)}, and about no operation of that name",
                hint=f"Did you mean {meant}?",
            )
        known = _ARGUMENTS.get(tool)
        for name, rule in rules.items():
            if known and name.partition(".")[0] not in known:
                yield Problem(
                    path=("arguments", tool, name),
                    message=f"{tool} has no such argument, so the rule "
                    + ("never speaks" if rule.optional else "refuses each"),
                    hint=nearest(name, known),
                )
            if rule.prefix is not None and _HOST_ALONE.fullmatch(rule.prefix):
                yield Problem(
                    path=("arguments", tool, name, "prefix"),
                    message="is also how addresses of other hosts begin: "
                    f"{shown(rule.prefix + '.other.example')}, {shown(rule.prefix + '@other.example')}",
                    hint=f"End it with a slash: {shown(rule.prefix + '/')}.",
                )


def _allowed(policy: Policy) -> Iterator[Problem]:
    given = policy.capabilities
    if given is None or given.allow is None:
        return
    ignored: list[Problem] = []
    entries = read(given.allow, ("capabilities", "allow"), ignored).entries
    whole = (
        each.parts[0]
        for each in entries
        if each.category == "cmd" and each.parts and each.parts[1:] in ((), ("*",))
    )
    programs = sorted(_RUNNING.intersection(whole))
    if programs:
        yield Problem(
            path=("capabilities", "allow"),
            message=f"allows {', '.join(programs)}: what these run by themselves (a build file, a script, a hook, system() in "
            "an argument) is on no list",
            hint="Allow only the subcommands that are needed, and run commands in an environment (env.default).",
        )

"""Which commands the front matter of a text lets run without a question."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from sluicegate.vet.inspect.analyzers.structures.facts import BundleFacts
from sluicegate.vet.intake.views.disguises.escapes import spelled_out
from sluicegate.vet.lazy import lazy

KEYS = ("allowed-tools", "allowed_tools", "tools", "allowedTools")
_SHELL = lazy(
    r"(?:^|[._:-])(?:(?:ba|z|k|da|fi|git_?ba)?sh|(?:power|local_|unix_)?shell|pwsh|cmd|terminal)(?:_?tool)?(?:$|[._:-])"
    r"|(?:run|exec|execute|start)_?(?:in_?)?(?:a_)?(?:shell_?|terminal_?)?(?:command|cmd|shell|terminal|bash|process)",
    re.IGNORECASE,
)
"""Names of tools that run a command line, whatever the agent calls its shell."""
_TOOL = lazy(r"([\w.:*-]{1,120})(?:\(((?:[^()]|\([^()]{0,200}\)){0,400})\))?")
_BETWEEN = lazy(r"&&|\|\||[;|&\n]|\$\(|`")
_MOST = 64
"""Parts of one command line, and grants of one text, that are compared."""


_NOBODY_ASKS = lazy(r"(?:^|/)\.?opencode/commands?/", re.IGNORECASE)
"""Where commands stand of an agent that runs what is in them without a question."""


def granted(facts: BundleFacts, path: str) -> tuple[str, ...]:
    """The commands that the front matter of the text at ``path`` grants, as patterns; ``*`` is every command."""
    if _NOBODY_ASKS.search(f"{facts.bundle.root}/{path}") is not None:
        return ("*",)
    front = next((v for v in facts.steps("front-matter") if v.path == path and len(v.origin) == 1), None)
    if front is None or not ("tools" in facts.low(front) or "tools" in spelled_out(front.text).lower()):
        return ()
    config = facts.config(front)
    found: list[str] = []
    for entry in config.document.entries if config is not None else ():
        if entry.path and entry.path[0] in KEYS and isinstance(entry.value, str):
            for tool in _TOOL.finditer(entry.value):
                shell = _SHELL.search(tool[1]) is not None
                if tool[1] == "*" or (shell and not (tool[2] or "").strip()):
                    found.append("*")
                elif shell:
                    found.append(tool[2].strip())
    return tuple(found[:_MOST])


def covers(grants: tuple[str, ...], command: str) -> bool:
    """Whether one of the commands of a line may run by a grant. ``npm run:*`` and ``npm run *`` are beginnings."""
    parts = [" ".join(part.split()) for part in _BETWEEN.split(command)[:_MOST]]
    return any(_covers(grant, part) for grant in grants for part in (*parts, command.strip()) if part)


def _covers(grant: str, command: str) -> bool:
    if grant in ("*", ":*", "*:*", "**"):
        return True
    grant = re.sub(r":\*$", " *", grant)
    if fnmatchcase(command, grant) or command == grant.removesuffix("*").strip():
        return True
    return grant.endswith(" *") and fnmatchcase(command, grant.removesuffix(" *"))

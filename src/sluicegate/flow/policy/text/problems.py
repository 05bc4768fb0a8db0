"""What is wrong with a policy: every problem with its key, its line and a way forward."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from sluicegate.flow.errors import PolicyError
from sluicegate.flow.labels.names import shown
from sluicegate.flow.policy.text.positions import Lines, Path

_MOST_SHOWN = 20


class Problem(Struct, frozen=True, kw_only=True):
    """One thing that is wrong: where in the tree, what, and what to do."""

    path: Path
    message: str
    hint: str = ""


class PolicyProblems(PolicyError):
    """A policy that may not be put in force. ``problems`` has all of them, ``name`` is that of the policy."""

    def __init__(self, name: str, problems: Sequence[Problem], lines: Lines) -> None:
        self.name = name
        self.problems = tuple(problems)
        self.lines = lines
        first = self.problems[0]
        super().__init__(self._line(first), hint=first.hint)

    def diagnostics(self) -> str:
        """Every problem on a line of its own, with its hint; the first twenty of them."""
        found = []
        for problem in self.problems[:_MOST_SHOWN]:
            found.append(self._line(problem))
            if problem.hint:
                found.append(f"  {problem.hint}")
        if len(self.problems) > _MOST_SHOWN:
            found.append(f"... and {len(self.problems) - _MOST_SHOWN} more")
        return "\n".join(found)

    def _line(self, problem: Problem) -> str:
        line = line_of(problem.path, self.lines)
        place = f"{self.name}:{line}" if line else self.name
        return f"{place}: {dotted(problem.path)}: {problem.message}"


def line_of(path: Path, lines: Lines) -> int:
    """The line of a path, or of the nearest thing around it that has one; 0 if none has."""
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return 0


def dotted(path: Path) -> str:
    """A path as people write it: ``labels.secret.deny[0]``, a key in quotes where it is not a plain word."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
            continue
        plain = part.replace("_", "").replace("-", "").isalnum() and part.isascii() and len(part) <= 60
        text += ("." if text else "") + (part if plain else shown(part).replace("'", '"'))
    return text or "the policy"

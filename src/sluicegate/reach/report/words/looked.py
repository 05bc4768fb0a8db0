"""Where installed skills were looked for, in words."""

from __future__ import annotations

from collections.abc import Iterable

from sluicegate.reach.report.words.wording import count
from sluicegate.vet.report import Report


def lines(report: Report) -> tuple[str, ...]:
    """What was read, who shares it, and what was not there; nothing for a scan of named targets."""
    if not report.looked:
        return ()
    from sluicegate.vet.intake.installed import State

    agents = {agent for looked in report.looked for agent in looked.agents}
    read = [looked for looked in report.looked if looked.state is not State.ABSENT]
    said = [
        f"Looked at {count(len(report.looked), 'place')} where {count(len(agents), 'agent')} "
        f"keep what is installed; {count(len(read), 'place')} held something."
    ]
    for looked in read:
        linked = f", {count(looked.linked, 'link')} to skills listed elsewhere" if looked.linked else ""
        what = "could not be read" if looked.state is State.UNREADABLE else f"{looked.units} scanned{linked}"
        said.append(f"{looked.path} ({looked.holds.value}): {what}. {_whose(looked.agents)}")
    absent = [looked.path for looked in report.looked if looked.state is State.ABSENT]
    if absent:
        said.append(f"Not there: {', '.join(absent)}.")
    return tuple(said)


def _whose(agents: Iterable[str]) -> str:
    names = list(agents)
    if len(names) == 1:
        return f"Read by {names[0]}."
    return f"Shared by {', '.join(names[:-1])} and {names[-1]}."

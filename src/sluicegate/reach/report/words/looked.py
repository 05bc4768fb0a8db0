"""Where installed skills were looked for, in words."""

from __future__ import annotations

from collections.abc import Iterable

from sluicegate.reach.report.words.wording import count
from sluicegate.vet.report import Report


def lines(report: Report) -> tuple[str, ...]:
    """What was read, who shares it, and what was not there; nothing for a scan of named targets."""
    if not report.looked:
        return ()
    from sluicegate.vet.intake.installed.machine import PlaceState

    agents = {agent for looked in report.looked for agent in looked.agents}
    read = [looked for looked in report.looked if looked.state is not PlaceState.ABSENT]
    said = [
        f"Looked at {count(len(report.looked), 'place')} where {count(len(agents), 'agent')} "
        f"keep what is installed; {count(len(read), 'place')} held something."
    ]
    for looked in read:
        linked = f", {count(looked.linked, 'link')} to skills listed elsewhere" if looked.linked else ""
        what = (
            "could not be read"
            if looked.state is PlaceState.UNREADABLE
            else f"{looked.units} scanned{linked}"
        )
        said.append(f"{looked.path} ({looked.holds.value}): {what}. {_whose(looked.agents)}")
    said += _shadowed(report)
    absent = [looked.path for looked in report.looked if looked.state is PlaceState.ABSENT]
    if absent:
        said.append(f"Not there: {', '.join(absent)}.")
    return tuple(said)


def _shadowed(report: Report) -> list[str]:
    """Skills of the project that have the name of one of the user's, for an agent that looks at both."""
    from sluicegate.known.agents import Holds, Level

    places = {looked.path: looked for looked in report.looked if looked.holds is Holds.SKILLS}
    own: dict[tuple[str, str], str] = {}
    named: list[tuple[str, str, str]] = []
    for skill in report.skills:
        place = places.get(skill.root.rpartition("/")[0])
        if place is None:
            continue
        name = (skill.declared or skill.name).casefold()
        for agent in place.agents:
            if place.level is Level.USER:
                own.setdefault((agent, name), skill.root)
            else:
                named.append((agent, name, skill.root))
    pairs: dict[tuple[str, str], list[str]] = {}
    for agent, name, root in named:
        if (agent, name) in own:
            pairs.setdefault((root, own[agent, name]), []).append(agent)
    return [
        f"{mine} and {yours} have one name, and {' and '.join(agents)} may load either: what is in the project can stand in for your own."
        for (mine, yours), agents in pairs.items()
    ]


def _whose(agents: Iterable[str]) -> str:
    names = list(agents)
    if len(names) == 1:
        return f"Read by {names[0]}."
    return f"Shared by {', '.join(names[:-1])} and {names[-1]}."

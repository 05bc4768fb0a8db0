"""What only a person at a terminal may say: who that is, and that no agent runs the command."""

from __future__ import annotations

import os
import sys

import click

from sluicegate.known.agents import environment_of_agent
from sluicegate.reach.errors import UsageError
from sluicegate.reach.hooks.agent_above import agent_above

_OWN = "Use a terminal of your own."


def refuse_agents(nothing: str) -> None:
    """Raise UsageError where an agent runs this. ``nothing`` says what was not done (``nothing was approved``)."""
    agent = environment_of_agent(os.environ)
    if agent:
        raise UsageError(f"{nothing}: an agent runs this ({agent} is set)", hint=_OWN)
    if above := agent_above():
        raise UsageError(f"{nothing}: {above} has started this", hint=_OWN)


def confirmed(question: str, nothing: str) -> None:
    """Ask a person at a terminal; raise UsageError where there is none, or the answer is no."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(f"{nothing}: that is for a person at a terminal")
    if not click.confirm(question, err=True):
        raise UsageError(nothing)


def person() -> str:
    """Who says it: the user of this process, by name where that is known."""
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())

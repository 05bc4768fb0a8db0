"""Carries out what the core asks of flow, of the pins and of the scanner.

1. The session takes in that its model speaks through a client of ours, ``src:mcp-client``, before anything is asked.
2. Whatever is raised here refuses, withholds or stops: a gateway session is a border.
3. Texts of prompts and resources, and what servers say of their tools, are looked through (``examiner``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from sluicegate.flow.denial import Denial, Denied
from sluicegate.flow.monitor import Monitor
from sluicegate.flow.monitor.opening import unseal
from sluicegate.flow.session.session import Session
from sluicegate.flow.values import LabeledFailure
from sluicegate.reach.mcp.gateway.examiner import Examiner, failed
from sluicegate.reach.mcp.gateway.happenings import (
    AskFlow,
    CallPermitted,
    CallRefused,
    CallSettled,
    Event,
    Examine,
    TakeIn,
    TellFlow,
)
from sluicegate.reach.mcp.gateway.pins import Pins

CLIENT: Final = "src:mcp-client"


class Judge:
    """Flow, for one client. ``launches`` says how each server is reached; ``say`` tells whoever runs the gateway."""

    def __init__(
        self, monitor: Monitor, session: Session, pins: Pins, launches: Mapping[str, str],
        say: Callable[[str], None],
    ) -> None:  # fmt: skip
        self._monitor, self._session, self._pins, self._say = monitor, session, pins, say
        self._examiner = Examiner(monitor, pins, launches, say)
        self._lost = ""
        if CLIENT not in session.labels.names():
            session.took_in("", CLIENT, source="mcp-client")  # 1

    def decide(self, asked: AskFlow) -> Event:
        """Whether it may happen. What the client has and the session could not take in is known to nobody: from then on nothing may."""
        if self._lost:
            return CallRefused(asked.key, self._lost, "UNDECIDED")
        try:
            found = self._monitor.decide(
                asked.operation, asked.values, self._session, labels=asked.labels, source=asked.source,
                agreed=asked.agreed,
            )  # fmt: skip
        except Exception as error:  # noqa: BLE001 - the named border of a gateway session (2)
            return CallRefused(asked.key, failed(error), "UNDECIDED")
        if isinstance(found, Denial):
            return CallRefused(asked.key, found.render(), str(found.code), found.rule)
        return CallPermitted(asked.key, found, found.values)

    def settle(self, told: TellFlow) -> Event:
        """Take in what came of it."""
        permit: Any = told.permit
        withheld = ""
        try:
            if told.what:
                withheld = self._examiner.found_in(told.what, told.result)
            unseal(self._monitor.settle(permit, None if withheld else told.result))
        except LabeledFailure:
            withheld = withheld or "A guard withholds the result"
        except Denied as denied:
            return CallSettled(told.key, denied.denial.render())
        except Exception as error:  # noqa: BLE001 - the named border of a gateway session (2)
            return CallSettled(told.key, failed(error))
        return CallSettled(told.key, withheld)

    def take_in(self, told: TakeIn) -> None:
        """Take in what came without being asked for."""
        source = f"src:mcp:{told.source}"
        try:
            self._session.took_in(told.value, source, source=f"mcp:{told.source}")
        except Exception as error:  # noqa: BLE001 - the named border of a gateway session (2)
            self._lost = failed(error)
            self._say(self._lost)

    def examine(self, asked: Examine) -> Event:
        """Compare with the pins, and look through what is new."""
        return self._examiner.examine(asked)

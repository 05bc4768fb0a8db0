"""Which monitor is in force, for programs that name none."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

from sluicegate.flow.errors import FlowError

if TYPE_CHECKING:
    from sluicegate.flow.monitor.monitor import Monitor

_CURRENT: ContextVar[tuple[Monitor, ...]] = ContextVar("sluicegate-monitors", default=())


class NoMonitor(FlowError):
    """An operation was tried and no monitor is in force, so nobody could have permitted it."""

    code = "no-monitor"


def current() -> Monitor:
    """The monitor in force: the one that was entered last. Raises ``NoMonitor``."""
    found = _CURRENT.get()
    if not found:
        raise NoMonitor("no monitor is in force", hint="with monitor: ... , or use the monitor's own methods")
    return found[-1]


def enter(monitor: Monitor) -> None:
    """That monitor is in force, for this thread or task and what it starts."""
    _CURRENT.set((*_CURRENT.get(), monitor))


def leave() -> None:
    """The monitor before it is in force again."""
    _CURRENT.set(_CURRENT.get()[:-1])

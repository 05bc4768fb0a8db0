"""Models of logging: a handler may hand every record to another machine."""

from __future__ import annotations

from sluicegate.vet.inspect.analyzers.pyflow.call import EvaluatedCall
from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.models.tables import method_model, model, quiet
from sluicegate.vet.inspect.analyzers.pyflow.values import NOTHING, PyValue, join

_LEVELS = ("debug", "info", "warning", "warn", "error", "critical", "exception", "log")


@model(
    "logging.handlers.HTTPHandler",
    "logging.handlers.SocketHandler",
    "logging.handlers.DatagramHandler",
    "logging.handlers.SysLogHandler",
    "logging.handlers.SMTPHandler",
)
def _handler(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """Whatever the program logs goes to this host from now on."""
    host = call.arg(0, "host", "address", "mailhost")
    if host.parts:
        host = host.parts[0][1]
    if not host.texts and not host.mask:
        return NOTHING  # the machine itself, which is what these take where nothing is said
    frame.can_reach(host, call.node)
    frame.analysis.logged_to = join(frame.analysis.logged_to, frame.concrete(host))
    return PyValue(0, (), (name + "()",))


@method_model(*_LEVELS)
@model(*(f"logging.{level}" for level in _LEVELS))
@quiet
def _logged(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """A record is sent where a handler sends records; without one, a log is not a report (so it is quiet)."""
    host = frame.analysis.logged_to
    if call.mask and host is not NOTHING:
        slots = {f"body {index}": value for index, value in enumerate(call.args)}
        slots |= {f"body {key}": value for key, value in call.keywords.items()}
        frame.hit(SinkKind.SEND, f"logging.{call.name}", call.node, {"url": host, **slots})
    return NOTHING

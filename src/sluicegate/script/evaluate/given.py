"""Values that names of the language have in a run: ``@input``, ``@base``, ``@root``, ``@now``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from sluicegate.flow.labels import Labels
from sluicegate.flow.values import Labeled
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.nodes.ledger import queries

if TYPE_CHECKING:
    from sluicegate.flow.monitor import Monitor
    from sluicegate.script.evaluate.nodes.ledger import LoadHistory
    from sluicegate.script.evaluate.scope import Value

_USER = "src:user"


def given(
    monitor: Monitor, *, root: Path, read: Callable[[], str], history: LoadHistory = lambda: None
) -> Mapping[str, Callable[[], Value]]:
    """What each of these names means. ``read`` gives what stands on standard input, which is read when a script asks for it;
    ``history`` reads the ledger, if there is one."""

    @cache
    def user() -> Value:
        return Labeled(read(), Labels.of(_USER) | monitor.parts.layers.entry_labels(_USER))

    return {
        "input": user,
        "base": partial(Labeled, str(root)),
        "root": partial(Labeled, str(root)),
        "now": partial(_now, monitor),
        "keychain": _keychain,
        "mlld": partial(queries, history),
        "sluicegate": partial(queries, history),
    }


def _now(monitor: Monitor) -> Value:
    """The time, in UTC."""
    from datetime import UTC, datetime

    seconds = monitor.parts.clock() // 1_000_000_000
    return Labeled(datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))


def _keychain() -> NoReturn:
    raise ScriptError(
        "no-keychain",
        "a script does not read the keychain",
        hint="Define the credential under `auth` in the project's policy, and run the command `using auth:NAME`.",
    )

"""Listing a directory: what it holds, with the labels that ``ls`` would give.

To list a directory is to read it: policy is asked whether its path may be read. Names, and which of them are there, tell of what was
written below it, so the list has the labels of the directory, as what a command prints of it has.
"""

from __future__ import annotations

import os
from functools import partial
from typing import Final

from sluicegate.flow import operations as ops
from sluicegate.flow.errors import CommandError
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor.drive import Do, Procedure
from sluicegate.flow.monitor.effects.files import labels_of_file
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import Came, Plan, Ready, inputs_of
from sluicegate.flow.monitor.steps.settle import OperationFailed

MOST_NAMES: Final = 10_000
_FILE: Final = Labels.of("src:file")


def listing_plan(parts: Parts, path: object, *, labels: tuple[str, ...]) -> Plan:
    """The names in a directory, in order, those of directories with a slash behind them."""
    operation = ops.read(path, base=str(parts.cwd), labels=labels)
    return Plan(
        operations=(operation,),
        inputs=inputs_of((operation,)),
        entry=_FILE,
        effect=partial(_list, parts),
        word="file:list",
    )


def _list(parts: Parts, ready: Ready) -> Procedure[Came]:
    (path,) = ready.paths("r")[:1] or ("",)

    def listed() -> Came:
        known = labels_of_file(parts, path, ready.early, within=True)
        try:
            with os.scandir(path) as found:
                names = sorted(each.name + "/" * each.is_dir(follow_symlinks=False) for each in found)
        except OSError as error:
            raise CommandError(f"cannot list a directory: {error.strerror}") from None
        if len(names) > MOST_NAMES:
            raise OperationFailed(
                f"the directory has more than {MOST_NAMES} names", hint="list a smaller one"
            )
        plain = [name for name in names if name.isprintable()]
        if len(plain) != len(names):
            raise OperationFailed(
                "the directory has a name with characters that no name should have", hint="rename that file"
            )
        return Came(plain, known)

    came: Came = yield Do(listed, blocking=True)
    return came

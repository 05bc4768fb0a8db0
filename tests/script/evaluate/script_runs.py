"""Scripts run with parts of this process: what they show, what they log, how they end."""

import io
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from sluicegate.flow.errors import FlowError
from sluicegate.flow.instructions import Instructions
from sluicegate.flow.monitor import Monitor
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.text.load import from_tree
from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger.query import History
from sluicegate.record.signatures.shelf import Shelf
from sluicegate.script.evaluate.budget import RunBudget
from sluicegate.script.evaluate.given import given
from sluicegate.script.evaluate.modules import ModuleReader, documents
from sluicegate.script.evaluate.program import carry_out, failures_told, new_run, read
from sluicegate.script.evaluate.run import Run
from sluicegate.script.source import SourceText

FOLDER = Path(tempfile.gettempdir())


@dataclass
class Ran:
    """How a script ran. ``told`` is what it says of failures in branches."""

    out: str
    log: str
    error: FlowError | None
    run: Run
    told: list[str] = field(default_factory=list)

    @property
    def code(self) -> str:
        return self.error.code if self.error is not None else ""


def run(
    text: str,
    *,
    policy: dict | None = None,
    folder: Path = FOLDER,
    stdin: str = "",
    budget: RunBudget | None = None,
    signer: str = "",
    history: Callable[[], History | None] = lambda: None,
    **parts: object,
) -> Ran:
    """Run a script under one policy. ``signer``: who signs, in a folder beside that of the script."""
    screen, log = io.StringIO(), io.StringIO()
    reader = ModuleReader(
        root=folder, open_file=lambda path: SourceText(Path(path).read_text(), path), check=read
    )
    module = reader.load(read(SourceText(text)), path="", folder=folder)
    layers = (*((from_tree(policy, name="test"),) if policy is not None else ()), *documents(module))
    in_force = Layers(layers, place=Place(base=str(folder), home="/home/nobody"))
    if signer:
        parts["instructions"] = _instructions(in_force, folder, signer)
    monitor = Monitor(
        layers=in_force,
        cwd=folder,
        screen=lambda: screen,
        log=lambda: log,
        **parts,
    )
    error = None
    with monitor:
        names = given(monitor, root=folder, read=lambda: stdin, history=history)
        started = new_run(module, monitor, given=names, budget=budget)
        try:
            carry_out(started)
        except FlowError as found:
            error = found
        told = failures_told(monitor, started.failures)
    return Ran(screen.getvalue(), log.getvalue(), error, started, told)


def _instructions(layers: Layers, folder: Path, signer: str) -> Instructions:
    keys = Keys(
        Home.at(folder.parent / "home", workspace=folder), clock=time.time_ns, identity=lambda: signer
    )
    return Instructions(
        layers=layers,
        shelf=Shelf(folder),
        keys=keys,
        clock=time.time_ns,
        base=folder,
        note=lambda event: None,
    )

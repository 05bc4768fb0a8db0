"""Shell text that is a value, of whoever wrote it: read when it is about to run, as ``sh -c`` would run it.

What stands in a template is read when the template is; text of a model is known only now. It is read in the same way and
gives the same effects, so both are judged alike. What cannot be read is told: policy decides what follows (``Request.unread``). So is
what an agent would tell a shell or an interpreter as it runs: some agents can write into a program that they have started, and no hook
is told what.
"""

from __future__ import annotations

from msgspec import Struct

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import leaves
from sluicegate.flow.operations.commands.analysis import effects
from sluicegate.flow.operations.commands.command import CommandStage
from sluicegate.flow.operations.commands.inner import shell_code
from sluicegate.flow.operations.commands.programs import Programs
from sluicegate.flow.operations.commands.reading import CommandReading, Effect, Scene
from sluicegate.flow.operations.commands.whole import reached
from sluicegate.flow.operations.standard_input import INHERITED, UNKNOWN
from sluicegate.known.commands.spec import spec


class UnreadText(Struct, frozen=True):
    """Shell text that is not read, and why."""

    why: str


def stage_of(text: object, *, programs: Programs, cwd: str) -> CommandStage | UnreadText:
    """What the text does when a shell runs it in ``cwd``: the shell itself, and every command that it starts."""
    if not isinstance(text, str):
        return UnreadText("the shell code is not text")
    if "\0" in text:
        return UnreadText("the shell code holds a NUL, which no argument can hold")
    of_runner = programs.variables is not None
    scene = Scene(programs=programs, cwd=cwd, analyse=effects, stdin=INHERITED if of_runner else UNKNOWN)
    try:
        reading = CommandReading(scene, programs.find("sh", cwd=cwd), spec("sh"))
        shell_code(reading, text, via="-c")
    except CommandError as error:
        return UnreadText(error.message)
    if of_runner and scene.asked:
        return UnreadText(f"{scene.asked[0]} runs what it is told later, and nobody sees that")
    own = Effect(
        "sh",
        (leaves.language("sh"),),
        uses=tuple(reading.uses),
        whole=reached(reading),
        contacts=tuple(reading.contacts),
    )
    return CommandStage((), (own, *reading.effects), (), (), (), programs, cwd)

"""Shell text that is a value, of whoever wrote it: read when it is about to run, as ``sh -c`` would run it.

What stands in a template is read when the template is; text of a model is known only now. It is read in the same way and
gives the same effects, so both are judged alike. What cannot be read is told: policy decides what follows (``Request.unread``).
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
from sluicegate.known.commands.spec import spec


class UnreadText(Struct, frozen=True):
    """Shell text that is not read, and why."""

    why: str


def stage_of(text: object, *, programs: Programs, cwd: str) -> CommandStage | UnreadText:
    """What the text does when a shell runs it in ``cwd``: the shell itself, and every command that it starts."""
    if not isinstance(text, str):
        return UnreadText("the shell code is no text")
    if "\0" in text:
        return UnreadText("the shell code holds a NUL, which no argument can hold")
    scene = Scene(programs=programs, cwd=cwd, analyse=effects)
    try:
        reading = CommandReading(scene, programs.find("sh", cwd=cwd), spec("sh"))
        shell_code(reading, text, via="-c")
    except CommandError as error:
        return UnreadText(error.message)
    own = Effect(
        "sh",
        (leaves.language("sh"),),
        uses=tuple(reading.uses),
        whole=reached(reading),
        contacts=tuple(reading.contacts),
    )
    return CommandStage((), (own, *reading.effects), (), (), (), programs, cwd)

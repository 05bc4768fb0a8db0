"""What a function of a shell text does with what it is given.

The body of a function is read once where it stands, and what it does with its parameters waits for a call. That says
nothing of the files that a parameter names, of the folder that the caller works in, or of variables that are filled later.
So a call that brings any of these is followed: the body is read again with the parameters filled in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.shflow.values import EMPTY, LONGEST, NONE, ShellValue, Tag, join

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.flow import ShellFlow
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall

DEEPEST = 4
"""How deep calls in functions are followed."""
_PRIVATE = frozenset({"secret", "key", "printed", "own"})
_TRANSCRIPT = Tag("own", "the conversation")
PARAMETERS = tuple("123456789@*")


class FunctionBody(NamedTuple):
    """The commands of a function by their places in the script, the lists inside it, its own list, and the names of the
    variables that it reads."""

    commands: tuple[int, ...]
    lists: frozenset[int]
    own: int
    names: frozenset[str]


class CallKey(NamedTuple):
    """What a call that was followed depends on."""

    function: str
    folder: str
    words: tuple[str, ...]
    facts: frozenset[Tag]


def body_of(flow: ShellFlow, name: str) -> FunctionBody | None:
    """The body of a function of this text."""
    numbers = flow.script.functions.get(name)
    if not numbers:
        return None
    held = flow.bodies.get(name)
    if held is None:
        commands = flow.script.commands
        places = tuple(at for at, command in enumerate(commands) if command.function == name)
        words = [word for at in places for word in commands[at].woven.values()]
        words += [word for at in places for _, word in commands[at].assigns]
        words += [redirect.word for at in places for redirect in commands[at].redirects]
        names = frozenset(piece.text for word in words for piece in word.pieces if piece.kind == "var")
        lists = frozenset(commands[at].scope for at in places)
        held = flow.bodies[name] = FunctionBody(places, lists, numbers[-1], names)
    return held


def called(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """A function is called: its sinks are reached by what it is given, and it gives back what its body does."""
    home = flow.memory.functions.get(call.name)
    body = body_of(home, call.name) if home is not None else None
    found = _followed(flow, call, home, body) if home is not None and body is not None else None
    if home is not None and body is not None and (folder := home.entered(body)) is not None:
        flow.enter(call, folder)
    if found is not None:
        return found
    given = {str(at): tags for at, tags in call.facts.items() if 1 <= at < 10}
    given["@"] = given["*"] = call.tags
    given["stdin"] = call.stdin
    waiting = flow.memory.sinks.get(call.name, [])
    flow.memory.steps -= 4 * len(waiting)
    for sink, parameter in tuple(waiting):
        held = given.get(parameter.what, NONE)
        flow.sink(sink.kind, sink.target, held, call, channel=sink.channel, through=sink.through)
    tags = NONE
    if any("transcript_path" in word for word in call.words[1:9]):
        tags = frozenset({_TRANSCRIPT})
    for tag in sorted(flow.memory.returns.get(call.name, NONE)):
        tags = join(tags, given.get(tag.what, NONE) if tag.kind == "parameter" else frozenset({tag}))
    return ShellValue(tags, "")


def _followed(flow: ShellFlow, call: ShellCall, home: ShellFlow, body: FunctionBody) -> ShellValue | None:
    """What the body does with the very words of this call; None where that is no other than with any words.

    1. It is followed where a word names something private, where the caller works in a private folder, or where the body reads
       a variable that holds something private.
    2. Once for the same words, facts and folder. 3. Not within itself, nor deeper than ``DEEPEST``.
    """
    memory = flow.memory
    brought = _brought(flow, call)
    held = {
        name: value.tags
        for name in body.names
        if (value := memory.variables.get(name)) is not None and _private(value.tags)
    }
    folder = flow.folder
    around = NONE if not folder else flow.file(folder)
    if not (brought or held or _private(around)):  # 1
        return None
    facts = frozenset().union(brought, around, *held.values())
    key = CallKey(call.name, folder, tuple(call.words[1:10]) if brought else (), facts)
    if key in memory.followed:  # 2
        return memory.followed[key]
    if call.name in memory.within or len(memory.within) >= DEEPEST:  # 3
        return None
    memory.within.append(call.name)
    value = home.again(body, call, flow)
    memory.within.pop()
    memory.followed[key] = value
    return value


def _brought(flow: ShellFlow, call: ShellCall) -> frozenset[Tag]:
    """The private facts of the files that the words of a call name, and of what it reads."""
    tags = NONE
    for word in call.words[1:33]:
        if not word.startswith("-"):
            tags = join(tags, _private(flow.file(word)))
    return tags


def _private(tags: frozenset[Tag]) -> frozenset[Tag]:
    return frozenset(tag for tag in tags if tag.kind in _PRIVATE) if tags else NONE


def filled(call: ShellCall) -> dict[str, ShellValue]:
    """The parameters of a call with their values."""
    values = {str(at): call.value(at) for at in range(1, min(len(call.words), 10))}
    everything = ShellValue(call.tags, " ".join(call.words[1:])[:LONGEST])
    return dict.fromkeys(PARAMETERS, EMPTY) | values | {"@": everything, "*": everything}

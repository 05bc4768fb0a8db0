"""What hosts tell of, whichever host it is, and what they are answered."""

from __future__ import annotations

TYPE_CHECKING = False  # a hook starts before each call of a tool, and ``typing`` is a tenth of its start
if TYPE_CHECKING:
    from collections.abc import Mapping


class HookInputError(Exception):
    """What came is not an event of this host; the text says why."""


class HostEvent:
    """Something that a host tells of. ``session`` is the host's name for what one agent has taken in."""

    __slots__ = ("session",)

    def __init__(self, session: str) -> None:
        self.session = session


class BeforeTool(HostEvent):
    """A tool is about to be called; ``call`` is the host's name for the call, empty where it has none. ``delegated``: by a
    sub-agent in a session of which nobody here may have seen the beginning."""

    __slots__ = ("call", "delegated", "given", "tool")

    def __init__(
        self, session: str, call: str, tool: str, given: Mapping[str, object], *, delegated: bool = False
    ) -> None:
        super().__init__(session)
        self.call, self.tool, self.given, self.delegated = call, tool, given, delegated


class AfterTool(BeforeTool):
    """A tool was called; ``result`` is what it gave, also where it failed."""

    __slots__ = ("result",)

    def __init__(
        self, session: str, call: str, tool: str, given: Mapping[str, object], result: object
    ) -> None:
        super().__init__(session, call, tool, given)
        self.result = result


class Prompt(HostEvent):
    """Text that the model is given as the user's. ``typed``: a person typed it. ``files``: what it names is put in behind it, and
    ``added`` is that."""

    __slots__ = ("added", "files", "text", "typed")

    def __init__(
        self, session: str, text: str, *, typed: bool, files: tuple[str, ...] = (), added: str = ""
    ) -> None:
        super().__init__(session)
        self.text, self.typed, self.files, self.added = text, typed, files, added


class Loaded(HostEvent):
    """Text that the agent takes in by itself: instructions, a command that the user called, a skill. ``label`` is its origin."""

    __slots__ = ("label", "source", "text")

    def __init__(self, session: str, source: str, text: str, label: str) -> None:
        super().__init__(session)
        self.source, self.text, self.label = source, text, label


class Started(HostEvent):
    """A session begins; ``resumed``: it goes on with what an earlier one has taken in."""

    __slots__ = ("resumed",)

    def __init__(self, session: str, *, resumed: bool) -> None:
        super().__init__(session)
        self.resumed = resumed


class ConfigChanged(HostEvent):
    """Settings have changed that are about to be in force: the file, empty where it is not told."""

    __slots__ = ("path",)

    def __init__(self, session: str, path: str) -> None:
        super().__init__(session)
        self.path = path


class OtherEvent(HostEvent):
    """An event that says nothing of what goes in or out."""

    __slots__ = ()


class HookAnswer:
    """What a hook says: its exit code, and what it writes. Silence with 0 leaves the host's own rules in force."""

    __slots__ = ("code", "err", "out")

    def __init__(self, code: int = 0, out: str = "", err: str = "") -> None:
        self.code, self.out, self.err = code, out, err


def text(event: Mapping[str, object], *names: str) -> str:
    """The first of these fields, which has to be text; empty where there is none. Raises HookInputError."""
    for name in names:
        found = event.get(name)
        if found is not None:
            if not isinstance(found, str):
                raise HookInputError(f"{name} is not text")
            return found
    return ""


def needed(event: Mapping[str, object], *names: str) -> str:
    """The same, which has to be there."""
    found = text(event, *names)
    if not found:
        raise HookInputError(f"{names[0]} is missing")
    return found


def mapping(event: Mapping[str, object], *names: str) -> Mapping[str, object]:
    """The first of these fields, which has to be an object; an empty one where there is none. Raises HookInputError."""
    for name in names:
        found = event.get(name)
        if found is not None:
            if not isinstance(found, dict):
                raise HookInputError(f"{name} is not an object")
            return found
    return {}

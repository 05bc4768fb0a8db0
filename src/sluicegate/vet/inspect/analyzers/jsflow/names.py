"""What is known of the names of one JavaScript text, and of those that other texts export to it."""

from __future__ import annotations

from collections.abc import Sequence

from sluicegate.known import names
from sluicegate.vet.inspect.analyzers.jsflow.calls import Effects, nothing_started, nothing_written
from sluicegate.vet.inspect.analyzers.jsflow.modules import MODULE, JsModules
from sluicegate.vet.inspect.analyzers.jsflow.values import Val
from sluicegate.vet.inspect.analyzers.shflow.values import NONE, Tag, join

ENVIRONMENT = Tag("secret", "process.env")
REST = Val(text="...", shape="...")
"""What stands for the key of the name that takes all the properties nobody named."""
_EXPORTS = ("module.exports", "exports", "default")


class Names:
    """Facts of one text, by name and without regard to scope.

    ``learned`` grows with what is known. ``uses`` are the modules of the bundle that the text names, ``stars``
    those that it exports whole; ``number`` is its own name as a module.
    """

    def __init__(self, effects: Effects, modules: JsModules, path: str) -> None:
        self.effects = effects
        effects.module = self._module
        effects.started = self._started
        self._modules = modules
        self._path = path
        self.number = ""
        self.uses: set[int] = set()
        self.stars: list[str] = []
        self.facts: dict[str, frozenset[Tag]] = {}
        self.texts: dict[str, str] = {"__dirname": "."}
        self.lists: dict[str, Sequence[Val]] = {}
        self.aliases: dict[str, str] = {}
        self.functions: dict[str, Val] = {}
        self.given: dict[str, tuple[Names, Val]] = {}
        self.classes: set[str] = set()
        self.parted: set[str] = set()
        self.returns: dict[int, frozenset[Tag]] = {}
        self.returned: dict[int, Val] = {}
        self.learned = 0
        self.listening = False
        """Whether the text is read for what it does with what it is given."""

    # -- other modules ---------------------------------------------------------------------------

    def makes(self, name: str) -> bool:
        """Whether this text gives a name a meaning, itself or by what stands before its last dots."""
        return (
            name in self.functions
            or name in self.facts
            or name in self.texts
            or self.stands_for(name) != name
        )

    def stands_for(self, name: str) -> str:
        """The name that a name stands for, by the longest part of it that is another's."""
        if name in self.functions:
            return name
        end = len(name)
        while end > 0:
            known = self.aliases.get(name[:end])
            if known is not None:
                return known + name[end:]
            end = name.rfind(".", 0, end)
        return name

    def let_go(self) -> None:
        """Drop the reference to the effects once all is read: it makes a cycle, and memory would wait for the garbage
        collector."""
        self.effects.module, self.effects.started = str, nothing_started
        self.effects.written = nothing_written

    def _module(self, specifier: str) -> str:
        name = self._modules.reference(specifier, self._path)
        if name.startswith(MODULE):
            self.uses.add(int(name[1:]))
        return name

    def _started(self, path: str, tags: frozenset[Tag]) -> None:
        """A program of the bundle is started with these arguments."""
        name = self._module(path if path.startswith((".", "/")) else "./" + path)
        if name.startswith(MODULE) and (program := self._modules.program(name)) is not None:
            program.know("process.argv", tags)

    def _held(self, name: str) -> tuple[frozenset[Tag], str]:
        """The facts and the text of what another module exports."""
        if not name.startswith(MODULE):
            return self.facts.get(name, NONE), self.texts.get(name, "")
        owner, real = self._modules.follow(name, self)
        if "." not in name and real in owner.parted:
            return NONE, ""  # a module is not its parts
        return owner.facts.get(real, NONE), owner.texts.get(real, "")

    # -- what is given to a name -----------------------------------------------------------------

    def know(self, name: str, tags: frozenset[Tag]) -> None:
        """A name may hold a value with these facts."""
        if tags:
            old = self.facts.get(name, NONE)
            new = join(old, tags)
            if new != old:
                self.facts[name] = new
                self.learned += 1

    def _variable(self, name: str) -> frozenset[Tag]:
        """The facts of one variable of the environment."""
        tags = frozenset({Tag("key", name)}) if names.secret(name) else NONE
        return join(tags, frozenset({Tag("given", "$" + name)})) if self.listening else tags

    def _assign(self, target: Val, value: Val) -> None:
        for name, key in target.props.items():
            tags = value.tags
            if ENVIRONMENT in tags and key is not REST:
                tags = self._variable(key.text)
            self.know(name, tags)
            if value.name:
                self.aliases[name] = value.name if key is REST else f"{value.name}.{key.text}"
        if target.items and not target.shape:
            for item in target.items:
                self.know(item.shape, value.tags)
        if target.props or not (target.name or target.shape):
            return
        name = target.name if target.items else target.shape
        self.know(name, value.tags)
        if value.text:
            self.texts[name] = value.text
        if value.items and not value.shape and not target.items and all(item.text for item in value.items):
            self.lists[name] = value.items
        if value.function != -1:
            self.functions[name] = value
        if value.name and value.name != name and (not target.items or name.startswith(_EXPORTS)):
            self.aliases[name] = value.name
        if name.startswith(_EXPORTS):
            self.parted.add(name.rpartition(".")[0])
        self._parts(name, value, 2)
        self.effects.named(name, value)

    def _parts(self, name: str, value: Val, depth: int) -> None:
        """The properties of an object literal become names of their own."""
        for key, held in value.props.items():
            if key.startswith("..."):
                if name in _EXPORTS and held.name.startswith(MODULE) and held.name not in self.stars:
                    self.stars.append(held.name)
                continue
            part = f"{name}.{key}"
            self.parted.add(name)
            if held.function != -1:
                self.functions[part] = held
            elif held.name and held.name != part:
                self.aliases[part] = held.name
            if held.text:
                self.texts[part] = held.text
            self.know(part, held.tags)
            if held.props and depth:
                self._parts(part, held, depth - 1)

"""What flows through a shell text: values from secrets, downloads and decoders into commands.

One pass over the commands in the order in which they end; variables, files, pipes, substitutions and functions
carry facts forward. Branches and loops are read once, in order: an assignment in one branch holds after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sluicegate.known import names, places
from sluicegate.known.shell.reader import script_of
from sluicegate.known.shell.script import Redirect, Script, ScriptCommand, Word
from sluicegate.vet.inspect.analyzers.programs import FILE, INPUT
from sluicegate.vet.inspect.analyzers.shflow.commands import effects
from sluicegate.vet.inspect.analyzers.shflow.commands.tables import WRAPPERS, gap
from sluicegate.vet.inspect.analyzers.shflow.commands.wrappers import ITEM, base_name, read_from, unwrap
from sluicegate.vet.inspect.analyzers.shflow.folders import WorkingFolders, joined, within
from sluicegate.vet.inspect.analyzers.shflow.functions import PARAMETERS, FunctionBody, filled
from sluicegate.vet.inspect.analyzers.shflow.memory import ShellState
from sluicegate.vet.inspect.analyzers.shflow.values import (
    EMPTY,
    LONGEST,
    NONE,
    ProgramStep,
    ShellValue,
    Tag,
    descriptor,
    join,
    named,
    standing_for,
)
from sluicegate.vet.inspect.analyzers.shflow.watched import (
    FollowedWatcher,
    ShellCall,
    ShellWatcher,
    Sink,
    SourcedWatcher,
)
from sluicegate.vet.intake.bundle import Kind

NESTED = 3
"""How deep a program may stand in an argument of a program."""
_WORTH = frozenset({"secret", "key", "printed", "own", "given", "remote", "decoded", "gap"})
"""Kinds of facts for whose sake a program that is started is read."""
COST = 8
"""Steps that following one command costs, besides one for each of its words."""
_INTO_FILES = (">", ">>", ">|")
_NO_FACTS: Mapping[int, frozenset[Tag]] = {}
_FILE_OF_ARGUMENT = frozenset({Tag("given", FILE)})
_OF_FUNCTION = frozenset({Tag("parameter", "stdin")})
MOST_MADE = 256
"""Files that a text has written and that are remembered."""
MOST_PARTS = 64
"""Parts of one word, outputs of one list, sinks of one function that are looked at."""


class ShellFlow:
    """One reading of one text."""

    def __init__(
        self, watcher: ShellWatcher, memory: ShellState, *, depth: int = 0, pin: tuple[int, int] | None = None
    ) -> None:
        self.watcher = watcher
        self.memory = memory
        self.script = Script()
        self._depth = depth
        self._pin = pin
        self._at = 0
        self._outputs: list[ShellValue] = []
        self._fed: dict[int, Redirect] = {}
        self._done = bytearray()
        self._folders: WorkingFolders | None = None
        self._following = False
        self._input = NONE
        self.bodies: dict[str, FunctionBody] = {}

    def read(self, text: str, *, shared: bool = False) -> None:
        """Read a whole text, which others read too if it is shared. What the budget leaves out makes the memory
        partial."""
        memory = self.memory
        if memory.steps <= 0:
            memory.partial = True
            return
        self.script = script = self._script(text, shared=shared)
        memory.steps -= script.steps
        memory.partial = memory.partial or script.partial
        self._outputs = [EMPTY] * len(script.commands)
        self._fed = {
            command.body: redirect
            for command in script.commands
            if command.kind == "group"
            for redirect in command.redirects
            if redirect.operator == "<"
        }
        self._done = bytearray(len(script.commands))
        memory.functions |= dict.fromkeys(script.functions, self)
        self._run(range(len(script.commands)))
        if self._folders is not None:
            self._work_in(0)
        if not self._depth:
            memory.functions.clear()  # what holds each other is not freed at once

    def _run(self, commands: Iterable[int]) -> None:
        for index in commands:
            if self.memory.steps <= 0:
                self.memory.partial = True
                break
            self._evaluate(index)

    def again(self, body: FunctionBody, call: ShellCall, caller: ShellFlow) -> ShellValue:
        """Read the body of a function once more, with what a call gives it; the value of its output."""
        memory = self.memory
        before = {name: memory.variables.get(name) for name in PARAMETERS}
        state = self.watcher, self._pin, self._following, self._input
        memory.variables |= filled(call)
        self.watcher, self._following, self._input = FollowedWatcher(caller.watcher), True, call.stdin
        if caller is not self:
            self._pin = (call.start, call.end)
        if caller.folder or self._folders is not None:
            self._all_folders().begin(body.own, caller.folder, body.lists)
        for index in body.commands:
            self._done[index] = 0
        self._run(body.commands)
        for index in body.commands:
            self._done[index] = 0
        value = self._scope(body.own)
        self.watcher, self._pin, self._following, self._input = state
        for name, held in before.items():
            if held is None:
                memory.variables.pop(name, None)
            else:
                memory.variables[name] = held
        return value

    def _script(self, text: str, *, shared: bool) -> Script:
        """The commands of a text. One that took fewer steps than were left is the same whenever more are left."""
        reading = self.memory.steps // 2  # the other half is for following what was read
        programs = self.memory.programs if shared else None
        if programs is not None and (held := programs.scripts.get(text)) is not None and held.steps < reading:
            return held
        script = script_of(text, reading)
        if programs is not None and script.steps < reading:
            programs.scripts[text] = script
        return script

    def inner(self, text: str, call: ShellCall) -> None:
        """Read the program that an argument holds; its places are those of the whole command."""
        if self._depth < NESTED:
            outside = self.folder
            flow = ShellFlow(self.watcher, self.memory, depth=self._depth + 1, pin=(call.start, call.end))
            flow.read(text)
            if self.folder != outside:
                self.enter(call, self.folder if call.name == "eval" else outside)
        else:
            self.memory.partial = True

    def source(self, path: str, call: ShellCall) -> None:
        """Read a file of the bundle as if it stood here; only what it does with what stood here is told."""
        memory = self.memory
        view = memory.programs.find(path, memory.path) if memory.programs is not None else None
        if view is None or view.language is not Kind.SHELL or view.path in memory.open:
            return
        if self._depth >= NESTED:
            memory.partial = True
            return
        values = (*memory.variables.values(), *(ShellValue(tags, "") for tags in memory.files.values()))
        known_here = all_tags(value for value in values if value.tags)
        flow = ShellFlow(
            SourcedWatcher(self.watcher, known_here),
            memory,
            depth=self._depth + 1,
            pin=(call.start, call.end),
        )
        here, memory.path, outside = memory.path, view.path, self.folder
        memory.open.add(view.path)
        flow.read(view.text, shared=True)
        memory.open.discard(view.path)
        memory.path = here
        if self.folder != outside:
            self.enter(call, self.folder)

    def hand(self, at: int, call: ShellCall) -> frozenset[Tag]:
        """The program of the bundle that a word names is started: what it sends and runs of what it is given is sent and
        run here. Gives the facts of its output, where something reads that."""
        memory = self.memory
        if memory.programs is None:
            return NONE
        read = self._is_read(call)
        worth = any(
            tag.kind in _WORTH or (tag.kind == "parameter" and call.command.function)
            for tag in (
                *call.tags_from(at + 1),
                *call.stdin,
                *self._files_of(call, at),
                *self._exported(call),
            )
        )
        if not read and not worth:
            return NONE
        view = memory.programs.find(call.words[at], memory.path)
        if view is None or view.path == memory.path:
            return NONE
        summary = memory.programs.summary(view)
        for given in summary.uses:
            held = self._given(given.what, call, at)
            channel = given.channel if given.kind == "send" else ""
            self.sink(given.kind, given.target, held, call, channel=channel, through=given.through)
        tags = NONE
        for tag in summary.prints if read else ():
            tags = join(tags, standing_for(tag, self._given(tag.what, call, at)))
        return tags

    def _is_read(self, call: ShellCall) -> bool:
        """Whether something reads the output of a command: a pipe, a file, or what it stands in."""
        command = call.command
        if command.scope or command.pipes or command.function or self._depth or self.memory.read:
            return True
        return any(each.operator in _INTO_FILES for each in command.redirects)

    def _given(self, what: str, call: ShellCall, at: int) -> frozenset[Tag]:
        """The facts of what a program that is started here takes: its input, a variable, its arguments, files that they
        name."""
        if what == INPUT:
            return call.stdin
        if what == FILE:
            return self._files_of(call, at)
        if what.startswith("$"):
            return self._variables_of(call).get(what[1:], NONE)
        return call.tags_from(at + 1)

    def _files_of(self, call: ShellCall, at: int) -> frozenset[Tag]:
        tags = NONE
        for word in call.words[at + 1 : at + 1 + MOST_PARTS]:
            if not word.startswith("-"):
                tags = join(tags, self.file(word))
        return tags

    def _exported(self, call: ShellCall) -> frozenset[Tag]:
        tags = NONE
        for held in self._variables_of(call).values():
            tags = join(tags, held)
        return tags

    def _variables_of(self, call: ShellCall) -> Mapping[str, frozenset[Tag]]:
        """The facts of the variables that a program which is started here sees."""
        memory = self.memory
        names = [name for name, _ in call.command.assigns] + sorted(memory.exported)
        held = {name: memory.variables[name].tags for name in names if name in memory.variables}
        return {name: tags for name, tags in held.items() if tags}

    def output(self) -> Iterator[tuple[ScriptCommand, frozenset[Tag]]]:
        """The commands of the text itself whose output is its output, with the facts of that."""
        for index in self.script.scopes[0].outputs if self.script.scopes else ():
            command, tags = self.script.commands[index], self._outputs[index].tags
            if tags and not any(each.operator in _INTO_FILES for each in command.redirects):
                yield command, tags

    # -- folders ---------------------------------------------------------------------------------

    @property
    def folder(self) -> str:
        """The folder that the command at hand works in, as far as that is told."""
        held = self.memory.variables.get("PWD")
        return "" if held is None else held.text

    def change_folder(self, call: ShellCall) -> None:
        """A command changes the folder of the list that it stands in."""
        folders = self._all_folders()
        folders.change(call.command.scope, call.words)
        self._work_in(call.command.scope)

    def enter(self, call: ShellCall, folder: str) -> None:
        """The list in which a call stands goes on in this folder."""
        self._all_folders().enter(call.command.scope, folder)
        self._work_in(call.command.scope)

    def entered(self, body: FunctionBody) -> str | None:
        """The folder that a function leaves its caller in, where it changes that."""
        return None if self._folders is None else self._folders.entered(body.own)

    def _all_folders(self) -> WorkingFolders:
        if self._folders is None:
            self._folders = WorkingFolders(self.script, self.folder)
        return self._folders

    def _work_in(self, scope: int) -> None:
        if self._folders is not None:
            self.memory.variables["PWD"] = ShellValue(NONE, self._folders.of(scope))

    # -- values ----------------------------------------------------------------------------------

    def value(self, word: Word) -> ShellValue:
        """What a word may hold."""
        text = word.text
        if text is not None:
            return ShellValue(NONE, text if len(text) <= LONGEST else text[:LONGEST])
        tags, texts, left = NONE, [], LONGEST
        for kind, text, scope, _, _ in word.pieces:
            if kind != "lit":
                held, text = self._variable(text) if kind == "var" else self._scope(scope)
                if held:
                    tags = join(tags, held)
            if left > 0:
                texts.append(text[:left])
                left -= len(text)
        return ShellValue(tags, "".join(texts))

    def _variable(self, name: str) -> ShellValue:
        found = self.memory.variables.get(name)
        if found is not None:
            return found
        if name[0].isalpha() and name.isupper() and len(self.memory.used) < 256:
            self.memory.used.setdefault(name, self._at)
        if name.isdigit() or name in "@*":
            return ShellValue(frozenset({Tag("parameter", name)}), "$" + name)
        tags = frozenset({Tag("given", "$" + name)}) if self.memory.listening else NONE
        if names.secret(name):
            tags |= {Tag("key", "$" + name)}
        return ShellValue(tags, "$" + name)

    def _scope(self, number: int) -> ShellValue:
        outputs = self.script.scopes[number].outputs
        if len(outputs) == 1:
            return self._outputs[outputs[0]]
        tags = NONE
        for index in outputs:
            if self._outputs[index].tags:
                tags = join(tags, self._outputs[index].tags)
        return ShellValue(tags, "")

    def file(self, path: str) -> frozenset[Tag]:
        """The facts of a file's content."""
        memory = self.memory
        found = self._held(plain(path)) if memory.files else NONE
        if memory.descriptors and path.startswith(("/dev/fd/", "/proc/self/fd/")):
            found = join(found, memory.descriptors.get(path.rpartition("/")[2], NONE))
        if "PWD" in memory.variables and (whole := within(self.folder, path)):
            if memory.files and whole != plain(path):
                found = join(found, self._held(whole))
            path = whole
        if memory.programs is not None and memory.programs.files:
            found = join(found, memory.programs.written(path, memory.path, Kind.SHELL))
        if memory.listening and path[:1] == "$" and path[1:2] in "123456789@*":
            found = join(found, _FILE_OF_ARGUMENT)
        if places.secret(path) or places.dotenv(path):
            return join(found, frozenset({Tag("secret", named(path, 120))}))
        if places.own(path) or places.key_file(path):
            return join(found, frozenset({Tag("own", named(path, 120))}))
        if memory.documented and not found and gap(path):
            return frozenset({Tag("gap", named(path, 120))})
        return found

    def piped(self, call: ShellCall) -> str:
        """The text that comes through the pipe into a command, as far as it is known."""
        return self._outputs[call.command.feed].text if call.command.feed != -1 else ""

    def listed(self, path: str) -> frozenset[Tag]:
        """What is read of a file that the text itself has not written: names, say, of which nobody here knows what they are."""
        if (
            not path
            or path.startswith(("/dev/", "-", "&", "<", "|"))
            or path.isdigit()
            or plain(path) in self.memory.made
        ):
            return NONE
        return frozenset({Tag("listed", named(path, 120))})

    def _held(self, path: str) -> frozenset[Tag]:
        """The facts of a file; of a folder those of all that was written into it; of a file those of its folder."""
        files = self.memory.files
        found = files.get(path)
        if found is not None or len(path) < 2:
            return found or NONE
        inside = path.rstrip("/*") + "/"
        tags = NONE
        for name in tuple(files)[:MOST_PARTS]:
            if len(inside) > 1 and (
                name.startswith(inside) or path.startswith(name + "/") or name == inside[:-1]
            ):
                tags = join(tags, files[name])
        return tags

    # -- commands --------------------------------------------------------------------------------

    def _evaluate(self, index: int) -> None:
        if self._done[index]:
            return
        self._done[index] = 1
        command = self.script.commands[index]
        self.memory.steps -= COST + len(command.words)
        if self._folders is not None:
            self._work_in(command.scope)
        redirects = command.redirects
        for redirect in redirects:
            for inside in range(redirect.first, redirect.last):
                self._evaluate(inside)
        self._at = self._pin[0] if self._pin else command.start
        for name, word in command.assigns:
            self._assign(command, name, word)
        stdin = self._stdin(command)
        call = self._call(command, stdin)
        if command.kind == "group":
            output = self._scope(command.body)
        elif command.kind == "simple":
            if call.name in WRAPPERS:
                if listed := read_from(call):
                    stdin = join(self.file(listed), self.listed(listed))
                    call.stdin = stdin
                call = unwrap(call, self.piped(call))
                if any(ITEM in word for word in call.words):
                    self.memory.variables[ITEM] = ShellValue(stdin, "$" + ITEM)
            output = effects.apply(self, call) if call.words else ShellValue(stdin, "")
            if command.function and output.tags and not self._following:
                returns = self.memory.returns
                returns[command.function] = join(returns.get(command.function, NONE), output.tags)
        else:
            output = ShellValue(call.tags_from(0), "")
            if command.kind == "for":
                self._loop(call)
        self._outputs[index] = output
        for redirect in redirects:
            if redirect.operator in _INTO_FILES:
                self.write(call, self.value(redirect.word), output)
        if command.kind == "simple" and call.words:
            self.watcher.called(call)

    def _assign(self, command: ScriptCommand, name: str, word: Word) -> None:
        value = self.value(word)
        old = self.memory.variables.get(name)
        if old is not None and value.text == "$" + name:
            value = old
        self.memory.variables[name] = value
        from sluicegate.known.steering import steers

        if steers(name) is not None:
            words = ["export", f"{name}={value.text}"[:LONGEST]]
            place = self._pin or (command.start, command.end)
            self.watcher.called(ShellCall(command, "export", words, _NO_FACTS, NONE, place))

    def _stdin(self, command: ScriptCommand) -> frozenset[Tag]:
        feed = command.feed if command.feed != -1 else self.script.scopes[command.scope].feed
        if feed == -1 and not command.redirects:
            if command.scope in self._fed:  # of a loop, what stands behind its end
                path = self.value(self._fed[command.scope].word).text
                return join(self.file(path), self.listed(path))
            if command.function:
                return self._input if self._following else _OF_FUNCTION
            return self.memory.stdin
        tags = self._outputs[feed].tags if feed != -1 else NONE
        for redirect in command.redirects:
            if redirect.operator == "<&":
                tags = join(
                    tags, self.memory.descriptors.get(descriptor(self.value(redirect.word).text), NONE)
                )
            elif redirect.operator in ("<", "<<<", "<<"):
                value = self.value(redirect.word)
                tags = join(tags, value.tags)
                if redirect.operator == "<":
                    tags = join(tags, join(self.file(value.text), self.listed(value.text)))
        return tags

    def _call(self, command: ScriptCommand, stdin: frozenset[Tag]) -> ShellCall:
        words: list[str] = command.words
        facts: Mapping[int, frozenset[Tag]] = _NO_FACTS
        if command.end - command.start > LONGEST:  # a word is not longer than what it was read from
            words = [word[:LONGEST] for word in words]
        if command.woven:
            words, facts = words.copy(), {}
            for at, word in command.woven.items():
                tags, words[at] = self.value(word)
                if tags:
                    facts[at] = tags
        name = base_name(words[0]) if words else ""
        return ShellCall(command, name, words, facts, stdin, self._pin or (command.start, command.end))

    def _loop(self, call: ShellCall) -> None:
        words, tags = call.words, NONE
        for at, word in enumerate(words[2:], 2):
            tags = join(tags, join(call.facts.get(at, NONE), self.file(word)))
        if words:
            self.memory.variables[words[0]] = ShellValue(
                tags, words[2] if len(words) == 3 else "$" + words[0]
            )

    def keep(self, path: str, tags: frozenset[Tag]) -> None:
        """A file holds a value from now on."""
        self.memory.files[plain(path)] = tags
        if "PWD" in self.memory.variables and (whole := joined(self.folder, plain(path))) != plain(path):
            self.memory.files[whole] = tags

    # -- effects ---------------------------------------------------------------------------------

    def write(self, call: ShellCall, path: ShellValue, value: ShellValue) -> None:
        """A command writes a value into a file."""
        if path.text.startswith(("/dev/tcp/", "/dev/udp/")):
            self.sink("send", path.text, value.tags, call, channel="body")
        elif path.text and not path.text.startswith(("/dev/null", "/dev/std", "&")):
            if value.tags:
                self.keep(path.text, value.tags)
            if len(self.memory.made) < MOST_MADE:
                self.memory.made.add(plain(path.text))
            self.watcher.wrote(call, path.text, value)

    def sink(
        self,
        kind: str,
        target: str,
        tags: frozenset[Tag],
        call: ShellCall,
        *,
        channel: str = "",
        through: tuple[ProgramStep, ...] = (),
    ) -> None:
        """A value reaches an effect; inside a function, what depends on its parameters waits for a call."""
        if not tags:
            return
        sink = Sink(kind, target, channel, call.start, call.end, through)
        function = call.command.function
        facts = frozenset(tag for tag in tags if tag.kind != "parameter")
        if function and not self._following:
            waiting = self.memory.sinks.setdefault(function, [])
            for tag in sorted(tags - facts):
                if any(w[1] == tag and w[0].same(sink) for w in waiting):
                    continue
                if len(waiting) < MOST_PARTS:
                    waiting.append((sink, tag))
                else:
                    self.memory.partial = True
        if facts:
            self.watcher.reached(sink, facts)


def all_tags(values: Iterable[ShellValue]) -> frozenset[Tag]:
    """The facts of all values."""
    tags = NONE
    for value in values:
        tags = join(tags, value.tags)
    return tags


def plain(path: str) -> str:
    """One spelling of a path."""
    path = path.removeprefix("./")
    return path[:-1] if len(path) > 1 and path[-1] == "/" else path

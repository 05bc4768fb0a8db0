"""An operation as policy is asked about it: one request for each thing that it does.

``sketch`` asks before any value is known: holes stand for arguments, and a path or host that a value names is
UNKNOWN. ``to_requests`` asks about the operation as it will happen. Every request of an operation must be
permitted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import hosts
from sluicegate.flow.operations.commands.command import CommandStage, Filled, Text, reading_code
from sluicegate.flow.operations.commands.lookups import DISK, Lookups
from sluicegate.flow.operations.commands.programs import Programs
from sluicegate.flow.operations.commands.reading import Contact, Effect, Use
from sluicegate.flow.operations.commands.whole import TREE
from sluicegate.flow.operations.commands.words import ArgumentWord, literal
from sluicegate.flow.operations.leaves import LOST
from sluicegate.flow.operations.operation import Channel, Operation, OperationKind, Reveal
from sluicegate.flow.operations.paths import SettledPath, real
from sluicegate.flow.policy import request as policy
from sluicegate.flow.policy.request import UNKNOWN, CommandView, Request
from sluicegate.known.commands.losing import loses
from sluicegate.patterns import late

_FIXED_HOST = late(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#\\@]+[/?#]")
_OBJECT = late(r"(?!:/)[^:]*:(?:[0-3]:)?([^:/].*)", re.DOTALL)
_RELATIVE_FILE = late(r"(?i)fileb?:(?://)?([^/].*)", re.DOTALL)
_Path = tuple[str, str]

MOST_PATH = 4000
"""Characters of an argument that may still be a path."""


def sketch(operation: Operation, *, lookups: Lookups = DISK) -> tuple[Request, ...]:
    """The requests of an operation whose values are not known. Raises CommandError where a path leads
    nowhere safe.
    """
    if operation.stage is None:
        paths = tuple((target.form, UNKNOWN) for target in operation.targets if target.form in ("r", "w"))
        found = (UNKNOWN,) if any(target.form == "url" for target in operation.targets) else ()
        return (_plain(operation, paths, found),)
    return tuple(_Asking(operation, operation.stage, {}, lookups).requests())


def to_requests(
    operation: Operation,
    *,
    filled: Filled | None = None,
    reveal: Reveal | None = None,
    lookups: Lookups = DISK,
) -> tuple[Request, ...]:
    """The requests of an operation as it will happen.

    A command needs ``filled`` (from ``command.fill``); any other kind ``reveal``, for the paths and hosts it
    names. Raises CommandError where a path cannot be settled.
    """
    if filled is not None:
        stage, unread = _with_input(operation, filled.stage, reveal)
        return (*_Asking(operation, stage, filled.values, lookups).requests(), *unread)
    if operation.stage is not None or reveal is None:
        return sketch(operation, lookups=lookups)
    if operation.programs is not None:
        return _of_text(operation, operation.programs, reveal, lookups)
    paths: list[_Path] = []
    found: list[str] = []
    values = {each.name: each.value for each in operation.arguments}
    for form, name in operation.targets:
        text = str(reveal(values[name]))
        if form == "url":
            found += hosts.hosts_of("url", text)
            paths += _file(text, operation.base, lookups)
        else:
            paths += _places(form, real(text, cwd=operation.base, lookups=lookups))
    return (_plain(operation, tuple(dict.fromkeys(paths)), tuple(dict.fromkeys(found))),)


def _of_text(
    operation: Operation, programs: Programs, reveal: Reveal, lookups: Lookups
) -> tuple[Request, ...]:
    """Shell text: first the shell with what it opens itself, then every command in it. One request if it is not read."""
    (text,) = operation.values(Channel.BODY).values()
    from sluicegate.flow.operations.shell_text import UnreadText, stage_of

    read = stage_of(reveal(text), programs=programs, cwd=operation.base)
    if not isinstance(read, UnreadText):
        try:
            return tuple(_Asking(operation, read, {}, lookups).requests())
        except CommandError as error:
            read = UnreadText(error.message)
    shown = operation.describe()
    return (Request(kind=str(operation.kind), leaves=operation.leaves, shown=shown, unread=read.why),)


def _with_input(
    operation: Operation, stage: CommandStage, reveal: Reveal | None
) -> tuple[CommandStage, tuple[Request, ...]]:
    """A stage whose shell reads its code from a value on standard input: with what that code does, or what it is not read for."""
    given = operation.values(Channel.STDIN)
    if not stage.fed or reveal is None or not given:
        return stage, ()
    (text,) = given.values()
    content = reveal(text)
    try:
        if isinstance(content, (bytes, bytearray)):
            content = bytes(content).decode()
        if not isinstance(content, str) or "\0" in content:
            raise CommandError("the code on standard input is not text")
        return reading_code(stage, content), ()
    except (CommandError, UnicodeDecodeError) as error:
        why = error.message if isinstance(error, CommandError) else "the code on standard input is not text"
    shown = operation.describe()
    return stage, (Request(kind="sh", leaves=("op:sh", *operation.declared), shown=shown, unread=why),)


def _plain(operation: Operation, paths: tuple[_Path, ...], found: tuple[str, ...]) -> Request:
    return Request(
        kind=str(operation.kind),
        leaves=operation.leaves,
        paths=paths,
        hosts=found,
        shown=operation.describe(),
        tool=operation.name if operation.kind is OperationKind.MCP else "",
    )


class _Asking:
    """The requests of one stage, with the values there are."""

    def __init__(
        self, operation: Operation, stage: CommandStage, values: dict[str, Text], lookups: Lookups
    ) -> None:
        self.operation, self.stage, self.values, self.lookups = operation, stage, values, lookups

    def requests(self) -> Iterator[Request]:
        shown = self.operation.describe()
        for effect in self.stage.effects:
            leaves = effect.leaves
            if effect.open_words and self.values:
                from sluicegate.flow.operations.commands.analysis import settled

                leaves = settled(effect, tuple(self.known(word) for word in effect.arguments))
            found = tuple(dict.fromkeys(each for contact in effect.contacts for each in self.hosts(contact)))
            if self.stage.programs.variables is not None and (found or _is_about_the_network(effect)):
                leaves = (*leaves, "net:w")
            if self.stage.programs.variables is not None and self.loses(effect):
                leaves = (*leaves, LOST)
            yield Request(
                kind=effect.kind,
                leaves=(*leaves, *self.operation.declared),
                command=self.view(effect),
                paths=tuple(dict.fromkeys(self.every_path(effect))),
                whole=tuple(dict.fromkeys(self.wholes(effect))),
                hosts=found,
                code=tuple(dict.fromkeys(path for use in effect.code for _, path in self.paths(use))),
                shown=f"{shown} (through {effect.via})" if effect.via else shown,
                start=self.cwd(effect.chdirs) if effect.chdirs else "",
            )

    def view(self, effect: Effect) -> CommandView | None:
        program = effect.program
        if program is None:
            return None
        return CommandView(
            program.real or UNKNOWN,
            program.basename,
            tuple(token for word in effect.arguments for token in self.tokens(word)),
            tuple(token for word in effect.words for token in self.tokens(word)),
            effect.flags,
            program.trusted,
            effect.words_known,
        )

    def loses(self, effect: Effect) -> bool:
        """Whether a program takes away what nobody has another copy of; ``git checkout`` by the files that it brings back."""
        program = effect.program
        if program is None:
            return False
        words = [texts[0] if (texts := self.texts(word)) else "" for word in effect.words]
        names = dict.fromkeys((program.basename, program.name, program.alias))
        return any(loses(name, words, effect.flags) for name in names if name) or (
            "git" in names
            and words[:1] == ["checkout"]
            and any(True for use in effect.uses if use.mode in ("n", "w") for _ in self.paths(use))
        )

    def texts(self, word: ArgumentWord) -> tuple[str, ...] | None:
        """The text of an argument, or those of a list; None while it is not known."""
        if word.text is not None:
            return (word.text,)
        found: list[str] = []
        for part in word.parts:
            if isinstance(part, str):
                found.append(part)
                continue
            value = self.values.get(part.name) if not part.unknown else None
            if value is None:
                return None
            if not isinstance(value, str):
                return value
            found.append(value)
        return ("".join(found),)

    def known(self, word: ArgumentWord) -> ArgumentWord:
        texts = self.texts(word)
        return literal(texts[0]) if texts is not None and len(texts) == 1 else word

    def tokens(self, word: ArgumentWord) -> tuple[policy.Token, ...]:
        texts = self.texts(word)
        if texts is not None:
            return texts
        operand = not word.option and not any(hole.unknown and not hole.operand for hole in word.holes)
        return (policy.RequestHole(word.head, word.tail, operand),)

    # Paths

    def every_path(self, effect: Effect) -> Iterator[_Path]:
        for use in effect.uses:
            yield from self.paths(use)
        for contact in effect.contacts:  # an address can be one of a file
            texts = self.texts(contact.word) if contact.word is not None else None
            for text in texts or ():
                yield from _file(text, self.stage.cwd, self.lookups)

    def wholes(self, effect: Effect) -> Iterator[_Path]:
        """The directories that are reached with everything below, or some of it that a pattern stands for.

        What is not known at all is among the paths.
        """
        for use in effect.uses:
            if use.word is not None and use.word.text is None and _globbed(use.word):
                yield from (pair for pair in self.paths(use) if pair[1])
        for use in effect.whole:
            if use.mode == TREE:
                if not any(mode == "w" for mode, _ in self.every_path(effect)):
                    yield from self.work_tree(use)
            elif use.mode in ("i", "I"):
                yield from self.put(use)
            else:
                yield from (pair for pair in self.paths(use) if pair[1])

    def work_tree(self, use: Use) -> Iterator[_Path]:
        """The repository around where git stands; that directory itself where none is seen."""
        cwd = self.cwd(use.chdirs)
        if cwd is None:
            yield ("w", "/")
            return
        above = cwd
        while above and self.lookups.entry(f"{above}/.git") is None:
            above = above.rpartition("/")[0]
        yield from self.path("w", above or cwd, cwd)

    def put(self, use: Use) -> Iterator[_Path]:
        """What comes to lie somewhere with all that is in it: at the place, or in it by the name that it has."""
        texts, cwd = self.texts(use.word) if use.word is not None else None, self.cwd(use.chdirs)
        sources = self.texts(use.inner) if use.inner is not None else ("",)
        for text in texts or ():
            for source in sources or ():
                if cwd is None or self.is_file(source, cwd):
                    continue
                place = real(text or ".", cwd=cwd, lookups=self.lookups)
                name = source.rstrip("/").rpartition("/")[2]
                entry = self.lookups.entry(place.path)
                inside = use.mode == "I" or (entry is not None and entry.kind == "directory")
                into = inside and name not in ("", ".", "..")
                yield from self.path("w", f"{place.path.rstrip('/')}/{name}" if into else place.path, cwd)

    def is_file(self, text: str, cwd: str) -> bool:
        """Whether something is known to be a file, so that nothing is below it."""
        entry = self.lookups.entry(real(text or ".", cwd=cwd, lookups=self.lookups).path)
        return entry is not None and entry.kind == "file"

    def paths(self, use: Use) -> Iterator[_Path]:
        texts = self.texts(use.word) if use.word is not None else None
        cwd = self.cwd(use.chdirs)
        if texts is None or cwd is None:
            yield from self.unknown(use)
            return
        for text in texts:
            if use.mode in ("m", "n", "o"):
                yield from self.maybe(text, cwd, "w" if use.mode == "n" else "r")
                if use.mode == "o":
                    yield from self.object(text, cwd)
            elif use.mode in ("i", "I"):
                yield from self.into(use, text, cwd)
            elif use.mode in ("p", "q"):
                if not hosts.is_remote(text):
                    yield from self.path("w" if use.mode == "q" else "r", text, cwd)
                else:
                    yield from _file(text, cwd, self.lookups)
            elif use.mode == "d":
                yield ("w", real(text or ".", cwd=cwd, lookups=self.lookups).path.rpartition("/")[0] or "/")
            elif text not in ("", "-"):
                yield from self.path(use.mode, text, cwd)

    def unknown(self, use: Use) -> Iterator[_Path]:
        """A path that is not known: its directory, if a pattern stands for the files in it."""
        word = use.word
        if word is not None and use.mode in ("m", "n", "o", "p", "q"):
            return
        cwd, mode = self.cwd(use.chdirs), "w" if use.mode in ("d", "i", "I") else use.mode
        if word is not None and _globbed(word) and cwd is not None:
            folder = word.head.rpartition("/")[0] or ("/" if word.head[:1] == "/" else ".")
            yield from self.path(mode, folder, cwd)
        else:
            yield (mode, UNKNOWN)

    def cwd(self, chdirs: tuple[ArgumentWord, ...]) -> str | None:
        at = self.stage.cwd
        for word in chdirs:
            texts = self.texts(word)
            if texts is None:
                return None
            at = real(texts[0] or ".", cwd=at, lookups=self.lookups).path
        return at

    def path(self, mode: str, text: str, cwd: str) -> Iterator[_Path]:
        yield from _places(mode, real(text, cwd=cwd, lookups=self.lookups))

    def into(self, use: Use, text: str, cwd: str) -> Iterator[_Path]:
        """What is written, and in a directory the file that gets the name of another one."""
        place = real(text or ".", cwd=cwd, lookups=self.lookups)
        yield from _places("w", place)
        entry = self.lookups.entry(place.path)
        inside = use.mode == "I" or text.endswith(("/", "/.", "/..")) or text in (".", "..")
        if not inside and (entry is None or entry.kind != "directory"):
            return
        for source in (self.texts(use.inner) if use.inner is not None else None) or ():
            name = source.rstrip("/").rpartition("/")[2]
            if name not in ("", ".", ".."):
                path = f"{place.path.rstrip('/')}/{name}"
                yield from _places("w", real(path, cwd=cwd, lookups=self.lookups))

    def maybe(self, text: str, cwd: str, mode: str) -> Iterator[_Path]:
        """An argument that may be a path, or hold one: it does if something is there, or could be put there."""
        yield from _file(text, cwd, self.lookups)
        inside = (text.partition("=")[2] or text).removeprefix("@")
        for candidate in (text, inside) if inside != text else (text,):
            if not candidate or candidate.startswith("-") or "\0" in candidate or len(candidate) > MOST_PATH:
                continue
            place = real(candidate, cwd=cwd, lookups=self.lookups, perhaps=True)
            parent = place.path.rpartition("/")[0]
            made = candidate.startswith(("/", "./", "../")) and (not parent or self.lookups.entry(parent))
            if place.exists or made:
                yield from _places(mode, place)

    def object(self, text: str, cwd: str) -> Iterator[_Path]:
        """``REVISION:PATH`` and ``:STAGE:PATH`` of git; ``:/TEXT`` seeks a message."""
        found = _OBJECT.match(text)
        if found is not None and len(text) <= MOST_PATH and "\0" not in text:
            yield from _places("r", real(found[1], cwd=cwd, lookups=self.lookups, perhaps=True))

    # Hosts

    def hosts(self, contact: Contact) -> tuple[str, ...]:
        if contact.word is None:
            return (UNKNOWN,)
        texts = self.texts(contact.word)
        if texts is not None:
            return tuple(each for text in texts for each in hosts.hosts_of(contact.form, text))
        if _FIXED_HOST.match(contact.word.head):
            return hosts.hosts_of("url", contact.word.head)
        return () if contact.form in ("maybe", "package", "name", "remote", "git") else (UNKNOWN,)


def _is_about_the_network(effect: Effect) -> bool:
    """Whether a program is there to speak to others, by its name."""
    from sluicegate.flow.policy.rules.subjects import category_of

    return effect.program is not None and category_of(effect.program.basename) == "network"


def _globbed(word: ArgumentWord) -> bool:
    """Whether patterns of a shell stand in the word, and nothing else that is not known."""
    return bool(word.holes) and all(hole.unknown and hole.name in "*?[" for hole in word.holes)


def _places(mode: str, place: SettledPath) -> Iterator[_Path]:
    if place.stream:
        return
    yield (mode, place.path)
    if place.link:
        yield (mode, place.link)


def _file(text: str, cwd: str, lookups: Lookups) -> Iterator[_Path]:
    path = hosts.file_of(text)
    if path:
        yield from _places("r", real(path, cwd=cwd, lookups=lookups))
    relative = _RELATIVE_FILE.match(text)
    if relative is not None:  # what is a host to one program is a path to another
        yield from _places("r", real(relative[1], cwd=cwd, lookups=lookups, perhaps=True))

"""Programs that start another one: the arguments of ``env -S``, ``xargs``, ``setarch``, ``make``,
``dd`` ...
"""

from __future__ import annotations

from typing import Final

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import leaves
from sluicegate.flow.operations.commands.inner import NEVER, shell_code
from sluicegate.flow.operations.commands.reading import CommandReading
from sluicegate.flow.operations.commands.registry import ROLES, reader, role
from sluicegate.flow.operations.commands.walk import ArgumentWalk
from sluicegate.flow.operations.commands.words import ArgumentWord, Hole, Part, joined, literal, quoted
from sluicegate.known.commands.spec import Spec

_WRITERS: Final = frozenset(
    {"json", "zipfile", "tarfile", "gzip", "venv", "virtualenv", "compileall", "zipapp"}
)
_KNOWN_MODULES: Final = frozenset({"pip", "pipx", "twine", "uv", "poetry", "conda", "http"})
_FROM_INPUT: Final = Hole("an argument that xargs reads", many=True, unknown=True)


@reader("env")
def environment(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``env [options] [NAME=value...] [COMMAND...]``; ``-S STRING`` is split into arguments in its place."""
    for index, word in enumerate(words):
        split = next(
            (each for each in ("--split-string=", "-S", "-vS", "-iS") if word.head.startswith(each)), ""
        )
        if word.text in ("-S", "-vS", "-iS", "--split-string") and index + 1 < len(words):
            inner, rest = words[index + 1], words[index + 2 :]
        elif split and word.head != split:
            inner, rest = word.after(len(split)), words[index + 1 :]
        elif word.head.startswith("--s") and word.head not in ("--split-string=",):
            raise CommandError(
                f"in {reading.name}, the option {quoted(word)} is short", hint="write --split-string"
            )
        elif not word.head.startswith("-"):
            break
        else:
            continue
        reading.flags.update(("-S", "--split-string"))
        text = reading.written(inner, "a command line", NEVER)
        environment(reading, (*words[:index], *_split(reading, text), *rest), spec)
        return
    ArgumentWalk(reading, words, spec).walk()


def _split(reading: CommandReading, text: str) -> tuple[ArgumentWord, ...]:
    """The words of an ``env -S`` string, where it has neither quotes, escapes nor variables."""
    if any(char in text for char in "\"'\\$#"):
        raise CommandError(
            f"in {reading.name}: -S with quotes, escapes or variables",
            hint="give the arguments themselves to env",
        )
    return tuple(map(literal, text.split()))


@reader("xargs")
def xargs(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``xargs [options] [COMMAND...]``: arguments from standard input stand behind those given, or for ``-I
    TEXT``.
    """
    start, place = _command_at(words)
    ArgumentWalk(reading, words[:start], spec._replace(operands=(), words=spec.words | {"strict"})).walk()
    command = words[start:] or (literal("echo"),)
    if place:
        if any(place in word.head for word in command[:1]):
            raise CommandError(f"in {reading.name}: the program comes from standard input", hint=NEVER)
        for names in _names(reading) if len(reading.scene.stdin.below) == 1 else ((_FROM_INPUT,),):
            reading.run(_replaced(word, place, names) for word in command)
    else:
        several = _names(reading) or ((_FROM_INPUT,),)
        reading.run((*command, *map(ArgumentWord, several)))


def _names(reading: CommandReading) -> tuple[tuple[Part, ...], ...]:
    """The names on the standard input, as far as is known where they lie: all below a place, and the place itself."""
    below = Hole("*", many=True, unknown=True, operand=True)
    return tuple(
        each for place in reading.scene.stdin.below for each in ((f"{place.rstrip('/')}/", below), (place,))
    )


def _command_at(words: tuple[ArgumentWord, ...]) -> tuple[int, str]:
    """Where the command begins, and the text for which input is put in (empty: behind)."""
    at, place = 0, ""
    while at < len(words) and words[at].head.startswith("-") and words[at].text != "-":
        head = words[at].head
        at += 1
        if head == "--":
            break
        if head.startswith("--"):
            name, equals, value = head.partition("=")
            if name.startswith("--rep"):
                place = value or "{}"
            elif not equals and _long_value(name):
                at += 1
            continue
        for index, char in enumerate(head[1:], start=1):
            rest = head[index + 1 :]
            if char in "IJ":
                place = rest or (words[at].head if at < len(words) else "{}")
            elif char == "i":
                place = rest or "{}"
            if char in "IJadEnLPsRS" and not rest:
                at += 1
            if char in "IJadEnLPsRSiel":
                break
    return at, place


def _long_value(name: str) -> bool:
    """Whether a long option of xargs takes the next argument as its value."""
    full = ("--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--process-slot-var")
    return len(name) > 3 and any(each.startswith(name) for each in full)


def _replaced(word: ArgumentWord, place: str, names: tuple[Part, ...]) -> ArgumentWord:
    if names == (_FROM_INPUT,):
        names = (Hole(f"what xargs reads for {place}", unknown=True),)
    parts: list[Part] = []
    for part in word.parts:
        pieces: list[Part] = part.split(place) if isinstance(part, str) else [part]  # type: ignore[assignment]
        for index, piece in enumerate(pieces):
            parts += [*(_one(each) for each in names), piece] if index else [piece]
    return ArgumentWord(joined(parts)) if word.text is not None and place in word.text else word


def _one(part: Part) -> Part:
    return part if isinstance(part, str) else Hole(part.name, unknown=True, operand=part.operand)


@reader("setarch")
def architecture(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``setarch [ARCHITECTURE] [options] [COMMAND...]``: the first argument, unless it is an option."""
    first = words[0] if words else None
    if first is not None and not first.head.startswith("-"):
        reading.operands.append(first)
        reading.written(first, "the architecture", NEVER)
        words = words[1:]
    ArgumentWalk(reading, words, spec).walk()


@reader("ld.so")
def loader(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """The dynamic loader runs the program that it is given a path of; its options load code of their own."""
    for index, word in enumerate(words):
        if word.head.startswith("-"):
            if word.text not in ("--list", "--verify"):
                raise CommandError(
                    f"in {reading.name}, {quoted(word)} decides which code is loaded",
                    hint="run the program directly",
                )
            reading.flags.add(word.text)
            continue
        text = reading.written(word, "the program", NEVER)
        reading.run((literal(text if "/" in text else f"./{text}"), *words[index + 1 :]))
        return


@reader("make")
def make(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """Targets and variables of make are expanded by it, and its options name code: no value is part of any."""
    for word in words:
        reading.written(word, "an argument of make, which expands it", "give it as an environment variable")
        if "=" in word.head and not word.head.startswith("-"):  # SHELL=, CC=: what make then runs
            reading.written_here()
    ArgumentWalk(reading, words, spec).walk()


@reader("dd")
def dd(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``dd if=FILE of=FILE ...``: the author names each operand."""
    for word in words:
        key, equals, _ = word.head.partition("=")
        if not equals:
            reading.written(word, "the name of an operand", "write it out, as in if={file}")
        elif key in ("if", "of"):
            reading.use("r" if key == "if" else "w", word.after(3))
        reading.operands.append(word)


@reader("python")
def python(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``python [options] [-c CODE | -m MODULE | FILE] [ARGUMENT...]``: ``-c`` and ``-m`` end the options."""
    index = 0
    while index < len(words):
        word = words[index]
        if not word.head.startswith("-") or word.text in ("-", "--"):
            break
        index += 1
        if word.head.startswith("--"):
            index += word.text == "--check-hash-based-pycs"
            continue
        for at, letter in enumerate(word.head[1:]):
            if letter in "cm":
                _python_code(reading, words, index - 1, at, letter)
                return
            if letter in "WX":
                index += at + 2 == len(word.head) and word.text is not None
                break
    ArgumentWalk(reading, words, spec).walk()


def _python_code(
    reading: CommandReading, words: tuple[ArgumentWord, ...], index: int, at: int, letter: str
) -> None:
    word = words[index]
    attached = word.text is None or len(word.head) > at + 2
    if not attached and index + 1 >= len(words):
        raise CommandError(f"{reading.name} -{letter} has nothing behind it", hint="write what to run")
    code = word.after(at + 2) if attached else words[index + 1]
    reading.flags.update({f"-{letter}", word.head})
    if letter == "c":
        ROLES["code:python"](reading, code)
    else:
        module = reading.written(code, "the module", NEVER)
        reading.operands.append(code)
        if module in _KNOWN_MODULES and reading.scene.programs.variables is not None:
            behind = [word.text for word in words[index + 2 :] if word.text and not word.head.startswith("-")]
            reading.marks.append(leaves.leaf("cmd", module, *behind[:1]))
        if module in ("timeit", "profile", "cProfile", "pdb", "trace", "runpy"):
            reading.code(f"-m {module}", "py")
    written = letter == "m" and code.text is not None and code.text.partition(".")[0] in _WRITERS
    for rest in words[index + (1 if attached else 2) :]:
        reading.operands.append(rest)
        reading.use("m", rest)
        if written and not rest.head.startswith("-"):
            reading.use("w", rest)


@role("trace-output")
def _trace_output(reading: CommandReading, word: ArgumentWord) -> None:
    """``strace -o FILE``, ``-o '|command'``, ``-o '!command'``."""
    if word.head.startswith(("|", "!")):
        shell_code(reading, reading.written(word, "shell code", NEVER)[1:])
    else:
        reading.guard(word, ("|", "!"), "would be a command there", "write ./ in front of the path")
        reading.use("w", word)

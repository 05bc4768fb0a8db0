"""Shells, and programs that hand a line to one: ``sh -c``, ``su -c``, ``watch``, ``script``, ``parallel``."""

from __future__ import annotations

from typing import Final

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations.commands import variables
from sluicegate.flow.operations.commands.inner import IN_SHELL, input_code, shell_code
from sluicegate.flow.operations.commands.reading import CommandReading
from sluicegate.flow.operations.commands.registry import ROLES, reader, role
from sluicegate.flow.operations.commands.walk import ArgumentWalk
from sluicegate.flow.operations.commands.words import ArgumentWord, quoted
from sluicegate.flow.operations.standard_input import is_standard_input
from sluicegate.known.commands.spec import Spec

_FLAGS: Final = frozenset("abefhilmnpruvxBCEHPTIVq")
_BY_NAME: Final = frozenset(
    "allexport errexit inherit_errexit nounset pipefail nullglob failglob noglob noexec verbose xtrace".split()
)
"""Options by name, of ``-o`` and ``-O``, that leave code read as it is."""


@reader("sh")
def shell(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``sh [options] -c CODE [NAME [ARGUMENT...]]``, ``sh [options] FILE [ARGUMENT...]``, ``sh -s``.

    Code that is an argument is read, and what is known of standard input; code that comes from a file, from elsewhere, or
    from a start-up file is an effect of its own.
    """
    at, inline, fed = 0, False, False
    while at < len(words):
        word = words[at]
        text = word.text
        if text in ("--", "-"):
            at += 1
            break
        if text is None or text[:1] not in "-+" or not text:
            if word.text is None and (word.head[:1] in ("-", "+") or word.option):
                raise CommandError(
                    f"in {reading.name}, {quoted(word)} is an option filled by a value", hint=IN_SHELL
                )
            break
        at += 1
        reading.flags.add(text)
        if text.startswith("--"):
            at += _long(reading, text)
            continue
        if set(text[1:]) - _FLAGS - set("cosOl"):
            raise CommandError(
                f"in {reading.name}, the option {quoted(text)} is not known", hint="leave it out"
            )
        reading.flags.update(f"{text[0]}{char}" for char in text[1:])
        inline |= "c" in text[1:] and text[0] == "-"
        fed |= "s" in text[1:]
        for option in words[at : at + sum(char in "oO" for char in text[1:])]:
            if option.text not in _BY_NAME:
                raise CommandError(
                    f"in {reading.name}, the option {quoted(option)} can change how code is read",
                    hint="leave it out",
                )
            at += 1
        if "l" in text or "i" in text:
            reading.code("with start-up files")
    if fed and inline:
        input_code(reading, "with code from standard input")
    _rest(reading, words[at:], inline=inline, fed=fed)


def _long(reading: CommandReading, text: str) -> int:
    """A long option of bash; gives how many arguments it takes."""
    if text in ("--rcfile", "--init-file"):
        reading.code("with a start-up file")
        return 1
    if text in ("--login", "--interactive"):
        reading.code("with start-up files")
    elif text not in (
        "--norc",
        "--noprofile",
        "--posix",
        "--restricted",
        "--verbose",
        "--version",
        "--help",
        "--noediting",
    ):
        raise CommandError(f"in {reading.name}, the option {quoted(text)} is not known", hint="leave it out")
    return 0


def _rest(reading: CommandReading, words: tuple[ArgumentWord, ...], *, inline: bool, fed: bool) -> None:
    if not inline:
        if words and not fed:
            ROLES["code-file"](reading, words[0])
        reading.operands += words
        if fed or not words or is_standard_input(words[0].text or ""):
            input_code(reading, "with code from standard input")
        else:
            reading.code("with a file of code", given=False)
        return
    if not words:
        raise CommandError(
            f"{reading.name} -c has no code", hint="write the code as one argument, between quotes"
        )
    shell_code(reading, reading.written(words[0], "shell code", IN_SHELL), via="-c")


@reader("su")
def switch_user(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``su [options] [-] [USER]``: with ``-c`` the code is read; without, a shell runs what it is given.

    ``runuser -u USER -- COMMAND...`` starts the command itself. Options may stand behind the user, so a command has
    to stand behind ``--``.
    """
    ends = next((index for index, word in enumerate(words) if word.text == "--"), len(words))
    walk = ArgumentWalk(reading, words[:ends], spec)
    walk.walk()
    direct = spec.name == "runuser" and bool(walk.given & {"-u", "--user"})
    if len(reading.operands) > (0 if direct else 1) or (words[ends + 1 :] and not direct):
        raise CommandError(
            f"in {reading.name}: arguments that go to a shell, or to a command without '--' before it",
            hint="write su USER -c 'command', or runuser -u USER -- command",
        )
    if words[ends + 1 :]:
        reading.run(words[ends + 1 :])
    elif not walk.given & {"-c", "--command", "--session-command"}:
        input_code(reading, "without a command")


@reader("watch")
def watch(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``watch [options] COMMAND...``: shell code, unless ``-x`` is given."""
    _Watch(reading, words, spec).walk()


class _Watch(ArgumentWalk):
    """An option behind the command is one of the command."""

    def operand(self, word: ArgumentWord) -> bool:
        direct = bool(self.given & {"-x", "--exec"})
        self.spec = self.spec._replace(operands=((frozenset(), ("argv" if direct else "argv-sh",)),))
        return super().operand(word)


@reader("script")
def typescript(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``script [-c CODE] [FILE]``: a shell, whose screen goes to a file."""
    walk = ArgumentWalk(reading, words, spec)
    walk.walk()
    if not walk.given & {"-c", "--command"}:
        reading.code("without a command")
    if not reading.operands:
        reading.use("w", ArgumentWord(("typescript",)))
    if reading.operands[1:]:  # as on the BSDs: script FILE COMMAND...
        reading.run(reading.operands[1:])


@reader("parallel")
def parallel(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """GNU parallel puts its input into shell code, and is more than can be read here."""
    for word in words:
        reading.written(word, "shell code", IN_SHELL)
    reading.code("with code made from its input")


@reader("hyperfine")
def each_is_code(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """Every argument that is not an option is shell code."""
    ArgumentWalk(reading, words, spec._replace(operands=((frozenset(), ("sh...",)),))).walk()


@role("exports")
def _exports(reading: CommandReading, word: ArgumentWord) -> None:
    """``NAME`` or ``NAME=value``, as ``docker -e`` takes it."""
    name, equals, _ = word.head.partition("=")
    if word.text is None and not equals:
        raise CommandError(
            f"in {reading.name}, a value names an environment variable", hint="write NAME={value}"
        )
    variables.check(name)

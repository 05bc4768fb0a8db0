"""Commands inside arguments: shell code, command lines without a shell, single programs."""

from __future__ import annotations

from typing import Final

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import shell
from sluicegate.flow.operations.commands.reading import CommandReading
from sluicegate.flow.operations.commands.words import ArgumentWord, literal
from sluicegate.patterns import late

IN_SHELL: Final = (
    'let the code read "$1" and give the value behind it, as in: sh -c \'grep -e "$1" notes\' sh {value}'
)
_NETWORK: Final = late(r"/+dev/+(?:tcp|udp)/")
NEVER: Final = (
    "what runs is written in the template: give the value to it as an argument or as standard input"
)


def shell_code(reading: CommandReading, text: str, *, via: str = "", elsewhere: bool = False) -> None:
    """Read shell code and go on with every command in it. Raises CommandError where it cannot be read."""
    for command in shell.read(text, where=reading.name):
        for mode, target in command.redirections:
            if not elsewhere:
                reading.use(mode, target, command.chdirs)
            _device(reading, target)
        if command.words and not (command.defined and not _is_program(reading, command)):
            reading.run(command.words, via, elsewhere=elsewhere, chdirs=command.chdirs)


def _is_program(reading: CommandReading, command: shell.ShellCommand) -> bool:
    """Whether there is a program of the name, too: a function is one only where the shell has read it before."""
    try:
        reading.scene.find(command.words[0].text or "")
    except CommandError:
        return False
    return True


def _device(reading: CommandReading, target: ArgumentWord) -> None:
    """A redirection to ``/dev/tcp/HOST/PORT`` speaks to a host; one to a file that is not known could."""
    device = _NETWORK.match(target.head)
    if device is None and (target.text is not None or target.holes[0].name == "~"):
        return
    if device is not None and "/" in target.head[device.end() :]:
        reading.contact("url", literal(f"tcp://{target.head[device.end() :].partition('/')[0]}/"))
    elif (
        device is not None
        or "/dev/tcp/".startswith(target.head[:9])
        or "/dev/udp/".startswith(target.head[:9])
    ):
        reading.contact("unknown", None)


def shell_argument(reading: CommandReading, word: ArgumentWord) -> None:
    """An argument that is shell code."""
    shell_code(reading, reading.written(word, "shell code", IN_SHELL))


def command_line(reading: CommandReading, word: ArgumentWord) -> None:
    """A command line that the program splits at blanks itself: no quotes, no shell."""
    text = reading.written(word, "a command", NEVER)
    if any(char in text for char in "\"'\\$`;|&<>\n"):
        shell_code(reading, text)
    elif text.split():
        reading.run(map(literal, text.split()))


def program(reading: CommandReading, word: ArgumentWord) -> None:
    """An argument that names a program."""
    reading.written(word, "a program", NEVER)
    reading.run((word,))


def rest(reading: CommandReading, role: str, words: tuple[ArgumentWord, ...]) -> None:
    """Here another command begins: one of the roles in ``spec.WRAPPING``; ``@`` is elsewhere."""
    elsewhere = role.endswith("@")
    if role == "applet":
        name = reading.written(words[0], "the program", NEVER)
        applet = reading.scene.programs.applet(name, reading.program)
        reading.run(words, program=applet)
    elif role == "argv-c" and words[0].text in ("-c", "--command"):
        shell_code(reading, " ".join(reading.written(word, "shell code", IN_SHELL) for word in words[1:]))
    elif role == "argv-line":
        line = words[1:] if words[0].text in ("-c", "--command") else words
        if len(line) != 1:
            raise CommandError(
                f"in {reading.name}: the command is one argument", hint="put it between quotes"
            )
        shell_argument(reading, line[0])
    elif role.startswith("argv-sh"):
        text = " ".join(reading.written(word, "shell code", IN_SHELL) for word in words)
        shell_code(reading, text, elsewhere=elsewhere)
    else:
        reading.run(words, elsewhere=elsewhere)

"""Commands inside arguments: shell code, command lines without a shell, single programs."""

from __future__ import annotations

from typing import Final

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import shell
from sluicegate.flow.operations.commands.reading import CommandReading
from sluicegate.flow.operations.commands.words import ArgumentWord, literal, quoted
from sluicegate.flow.operations.expansions import ShellSurroundings
from sluicegate.flow.operations.standard_input import REST, UNKNOWN
from sluicegate.patterns import late

IN_SHELL: Final = (
    'let the code read "$1" and give the value behind it, as in: sh -c \'grep -e "$1" notes\' sh {value}'
)
_NETWORK: Final = late(r"/+dev/+(?:tcp|udp)/")
_READ_NOTHING: Final = frozenset(
    "[ [[ basename cargo chgrp chmod chown cmake cp date df dirname du echo false go groups hostname id ln ls make mkdir mktemp "
    "mv ninja node npm npx pip pip3 pnpm poetry printf printenv ps pytest pwd readlink realpath rmdir ruff seq sleep stat test "
    "touch true tty uname uv which whoami yarn".split()
)
"""Programs that leave the standard input to others, or run code of their own choice anyway. ``rm`` asks there."""
_READ_NOTHING_IN: Final = {
    "git": frozenset(
        "add branch checkout clone config diff fetch init log merge mv pull push rebase remote reset restore rev-parse rm show "
        "stash status submodule switch tag worktree".split()
    ),
    "rm": frozenset({"-f", "-rf", "-fr"}),
}
_RUN_A_FILE: Final = frozenset("bash dash node perl python python3 ruby sh zsh".split())
NEVER: Final = (
    "what runs is written in the template: give the value to it as an argument or as standard input"
)


def shell_code(
    reading: CommandReading, text: str, *, via: str = "", elsewhere: bool = False, fed: bool = False
) -> None:
    """Read shell code and go on with every command in it. Raises CommandError where it cannot be read.

    ``fed``: it is what stands on the standard input, where each command in it can read what comes behind it.
    """
    around = _around(reading, elsewhere=elsewhere)
    plain = not elsewhere and not reading.scene.elsewhere and "CDPATH" in reading.scene.programs.unset
    commands = shell.read(text, where=reading.name, every=True, around=around, plain_cd=plain)
    shared = bool(reading.scene.stdin.texts) and sum(each.stdin.inherited for each in commands) > 1
    for command in commands:
        stdin = command.stdin
        if stdin.inherited and fed:
            _leaves_the_rest(reading, command, text)
            stdin = UNKNOWN
        elif stdin.inherited and not stdin.unread:
            stdin = REST if shared else reading.scene.stdin
        for mode, target in command.redirections:
            if not elsewhere:
                reading.use(mode, target, command.chdirs)
            _device(reading, target)
        if command.words and not (command.defined and not _is_program(reading, command)):
            reading.run(command.words, via, elsewhere=elsewhere, chdirs=command.chdirs, stdin=stdin)


def _around(reading: CommandReading, *, elsewhere: bool) -> ShellSurroundings | None:
    """What the runner says of the shell, if the code runs in the directory that it says this of."""
    scene = reading.scene
    variables = scene.programs.variables
    if variables is None or elsewhere or scene.elsewhere:
        return None
    if scene.chdirs:
        variables = {name: value for name, value in variables.items() if name in ("HOME", "CDPATH")}
        return ShellSurroundings(variables, "")
    return ShellSurroundings(variables, scene.cwd, scene.programs.lookups)


def input_code(reading: CommandReading, via: str) -> None:
    """A shell that reads its code from standard input: what is known of that is read, and the rest is code as such.

    Raises CommandError where a text that is known cannot be read.
    """
    stdin = reading.scene.stdin
    if stdin.unread:
        raise CommandError(f"in {reading.name}: {stdin.unread}", hint=IN_SHELL)
    for text in stdin.texts:
        shell_code(reading, text, via=via, fed=True)
    if not stdin.whole:
        reading.code(via)
    if stdin.inherited:
        reading.scene.asked.append(via)


def _leaves_the_rest(reading: CommandReading, command: shell.ShellCommand, text: str) -> None:
    """Refuse a command that could read what comes behind it in the code: then the shell reads other code than stands there."""
    behind = text.find("\n", command.end)
    if behind < 0 or not text[behind:].strip():
        return
    words = command.words
    if command.stdin.unread or (not words and command.name != "read"):
        return
    name = words[0].text if words else command.name
    if command.defined or name in _READ_NOTHING:
        return
    first = words[1].text if len(words) > 1 else None
    if name in _READ_NOTHING_IN and first in _READ_NOTHING_IN[name]:
        return
    if (
        name in _RUN_A_FILE
        and first is not None
        and not first.startswith("-")
        and not first.startswith("/dev/")
    ):
        return
    raise CommandError(
        f"in {reading.name}: the shell reads its code from standard input, and {quoted(name or '...')} could read what comes behind it",
        hint="give that command a standard input of its own (< /dev/null), or the code as an argument: sh -c 'code'",
    )


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

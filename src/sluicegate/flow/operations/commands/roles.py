"""What an argument is to the program that it is given to.

Every role that the tables name, and what it finds out:

====================  ==================================================================================
``value``             data; ``text`` is sent, ``login`` shows who asks, ``server`` says whom
``read`` ``write``    a path that is read, written; ``sent`` is read and sent
``rw``                a path that is read and written; ``beside`` and others beside it
``chdir``             a directory in which everything after it happens
``mount``             ``host-path:inner-path``, read and written
``data``              data, or ``@file`` to read
``form``              ``name=data``, or ``name=@file``
``url`` ``urls``      an address to fetch; ``remote`` an address, a path, or ``host:path``;
``host`` ``address``  a host, perhaps with a user or port; ``TYPE:host:port``
``assign``            ``NAME=value`` for the environment of the inner command
``sh``                shell code; ``command-line`` without a shell; ``program`` one program
``code:LANGUAGE``     code of a language that the program runs: written by the author, never filled
``code-file``         a file of code: named by the author, never by a value
``script``            a file of commands that can start others: an effect of its own, as shell code
``config``            settings that can name programs: refused
``into``              a file to write, or a directory for what is copied
``package``           a name, a path or an address; ``perhaps`` a file to read if it is one
``+shell``            (no value) the program starts a shell that reads what it is given
``+refuse``           (no value) the option is refused
``argv`` ``argv@``    here another command begins; ``@``: elsewhere
``argv-c``            the same, or ``-c CODE``; ``argv-line`` one argument of shell code, perhaps behind ``-c``
``argv-sh``           the remaining arguments, joined by blanks, are shell code
``applet``            the name of another program that this one contains
====================  ==================================================================================

Roles with a syntax of their own are in ``readers/``.
"""

from __future__ import annotations

import re
from typing import Final

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations.commands import variables
from sluicegate.flow.operations.commands.inner import NEVER, command_line, input_code, program, shell_argument
from sluicegate.flow.operations.commands.reading import CommandReading
from sluicegate.flow.operations.commands.registry import Role, role
from sluicegate.flow.operations.commands.words import ArgumentWord, literal, quoted
from sluicegate.patterns import late

_FILTERS: Final = frozenset({"awk", "sed"})
"""Languages of filters: where a script does more than that, their readers say so."""
_NO_HOST: Final = tuple(";|&$`<>()'\"\\ \t\r\n*?{}#!")
_HEADERS: Final = late(r";\s*headers\s*=", re.IGNORECASE)
_BESIDES_SQL: Final = late(
    r"\\|(?:^|[;\n])[^\S\n]*+(?:\.[a-z]|(?:system|source|tee|pager|edit|attach|install|load)\b)"
    r"|\b(?:outfile|dumpfile|infile|load_file|load_extension|lo_import|lo_export|pg_read_file|readfile|writefile)\b"
    r"|\bprogram\s*[e$']|\bedit\s*\(",
    re.IGNORECASE,
)
_AS_ARGUMENT: Final = {
    "python": "let the code read sys.argv and give the value as an argument",
    "node": "let the code read process.argv and give the value as an argument",
    "awk": "give the value with -v name={value}",
    "sed": "no value can be part of a sed script: use a program that takes the text as an argument",
}


@role("value", "text", "login", "server", "posted")
def _value(reading: CommandReading, word: ArgumentWord) -> None:
    """Data: nothing is found out."""


@role("read", "sent")
def _read(reading: CommandReading, word: ArgumentWord) -> None:
    reading.use("r", word)


@role("write")
def _write(reading: CommandReading, word: ArgumentWord) -> None:
    reading.use("w", word)


@role("beside")
def _beside(reading: CommandReading, word: ArgumentWord) -> None:
    """A file whose name is the beginning of the names of others that are written."""
    _rw(reading, word)
    reading.use("d", word)


@role("rw")
def _rw(reading: CommandReading, word: ArgumentWord) -> None:
    reading.use("r", word)
    reading.use("w", word)


@role("chdir")
def _chdir(reading: CommandReading, word: ArgumentWord) -> None:
    reading.move(word)


@role("mount")
def _mount(reading: CommandReading, word: ArgumentWord) -> None:
    """``-v /host:/inner:ro``: the part before the first colon is a path here."""
    host, colon, _ = word.head.partition(":")
    if word.text is None and not colon:
        raise CommandError(
            f"in {reading.name}, {quoted(word)} names what is mounted by a value",
            hint="write the mounted directory in the template",
        )
    if host.startswith(("/", ".")):
        _rw(reading, literal(host))


@role("mount-option")
def _mount_option(reading: CommandReading, word: ArgumentWord) -> None:
    """``--mount type=bind,source=/host,target=/inner``."""
    text = reading.written(word, "a mount", "write the mounted directory in the template")
    if '"' in text:  # fields between quotes
        reading.use("r", None)
        reading.use("w", None)
    for part in text.split(","):
        value = part.removeprefix("volume-opt=").partition("=")[2]
        if value.startswith(("/", ".")) and not part.startswith(("target=", "dst=", "destination=")):
            _rw(reading, literal(value))


@role("build-output")
def _build_output(reading: CommandReading, word: ArgumentWord) -> None:
    """``-o DIRECTORY``, ``-o type=local,dest=DIRECTORY``."""
    text = reading.written(word, "where the result goes", "write it in the template")
    named = [part.partition("=")[2] for part in text.split(",") if part.startswith(("dest=", "output="))]
    for each in named if "=" in text else [text]:
        reading.use("w", literal(each))
    if '"' in text:  # fields between quotes
        reading.use("w", None)


@role("data")
def _data(reading: CommandReading, word: ArgumentWord) -> None:
    """``-d text`` or ``-d @file``."""
    if word.head.startswith("@"):
        reading.use("r", word.after(1))
    else:
        reading.guard(
            word, ("@",), "would name a file to read", "write --data-raw for text that may begin with '@'"
        )


@role("form")
def _form(reading: CommandReading, word: ArgumentWord) -> None:
    """``-F name=text``, ``name=@file``, ``name=<file``."""
    name, equals, value = word.head.partition("=")
    if not equals:
        if word.text is None:
            raise CommandError(
                f"in {reading.name}, a value names a field of a form", hint="write name={value}"
            )
        return
    rest = word.after(len(name) + 1)
    if value.startswith(("@", "<")):
        path, semicolon, _ = value[1:].partition(";")
        plain = word.text is None or not set('",\\') & set(value)
        if not plain:  # several files, or a name between quotes
            reading.use("r", None)
        else:
            reading.use("r", literal(path) if semicolon else rest.after(1))
        reading.never(rest, (";", ",", '"'), "would name another file", "rename the file")
    else:
        reading.guard(rest, ("@", "<"), "would name a file to read", "write --form-string for text")
        reading.never(rest, (";",), "could name a file to read behind it", "write --form-string for text")
    if _HEADERS.search(value):
        reading.use("r", None)


def _contact(form: str) -> Role:
    def role(reading: CommandReading, word: ArgumentWord) -> None:
        reading.contact(form, word)

    return role


@role("host")
def _host(reading: CommandReading, word: ArgumentWord) -> None:
    reading.guard(word, ("-",), "could be an option there", "write the name of the host in the template")
    reading.never(word, _NO_HOST, "is not a name of a host", "a host is letters, digits, dots and dashes")
    reading.contact("host", word)


@role("remote")
def _remote(reading: CommandReading, word: ArgumentWord) -> None:
    """``host:path``, ``rsync://host/path``, or a path here."""
    reading.contact("remote", word)
    reading.use("p", word)


@role("remote-write")
def _remote_write(reading: CommandReading, word: ArgumentWord) -> None:
    reading.contact("remote", word)
    reading.use("q", word)


@role("assign")
def _assign(reading: CommandReading, word: ArgumentWord) -> None:
    """``NAME=value``: the author names the variable, and never one that makes programs run others."""
    name, equals, _ = word.head.partition("=")
    if word.text is None and not equals:
        raise CommandError(
            f"in {reading.name}, a value names an environment variable", hint="write NAME={value}"
        )
    variables.check(name)


def _code(language: str) -> Role:
    def role(reading: CommandReading, word: ArgumentWord) -> None:
        reading.written(word, f"code of {language}", _AS_ARGUMENT.get(language, NEVER))
        if language not in _FILTERS:
            reading.written_here()

    return role


@role("code:sql")
def _sql(reading: CommandReading, word: ArgumentWord) -> None:
    """A query; clients have commands of their own in it, and some servers reach files and programs."""
    text = reading.written(word, "code of sql", "give the value with -v name={value}")
    if _BESIDES_SQL.search(text):
        reading.code("with a query that does more")


@role("code-file")
def _code_file(reading: CommandReading, word: ArgumentWord) -> None:
    """A file of code for an interpreter: naming it is naming what runs."""
    reading.written(
        word, "the file of code", "name the file in the template; a value never decides what runs"
    )
    reading.use("r", word)


@role("script")
def _script(reading: CommandReading, word: ArgumentWord) -> None:
    _code_file(reading, word)
    reading.code("with a file of commands", given=False)


@role("program-inside")
def _program_inside(reading: CommandReading, word: ArgumentWord) -> None:
    """``--entrypoint``: a program of the image."""
    reading.written(word, "a program", NEVER)
    reading.run((word,), elsewhere=True)


@role("config", "refuse")
def _config(reading: CommandReading, word: ArgumentWord) -> None:
    raise CommandError(
        f"in {reading.name}, {quoted(word)} gives settings that can name programs to run",
        hint="leave the option out: its settings would decide what runs, unseen",
    )


@role("shell")
def _shell(reading: CommandReading, word: ArgumentWord) -> None:
    input_code(reading, f"{word}")


@role("hidden")
def _hidden(reading: CommandReading, word: ArgumentWord) -> None:
    """Commands of a language of the program's own, in which it can start a shell."""
    reading.written(word, "a command of the program's own language", NEVER)
    reading.code("with commands of its own")


role("sh")(shell_argument)
role("command-line")(command_line)
role("program")(program)
for _form_name in ("url", "urls", "proxy", "address"):
    role(_form_name)(_contact(_form_name))
for _language in (*_AS_ARGUMENT, "perl", "ruby", "php", "lua", "r", "other"):
    role(f"code:{_language}")(_code(_language))

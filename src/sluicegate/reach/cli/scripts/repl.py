"""``sluicegate repl``: scripts typed line by line, each effect under the policy of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete

if TYPE_CHECKING:
    from collections.abc import Callable

    from sluicegate.script.evaluate.interactive import InteractiveRun

_PROMPT, _MORE = "> ", ". "
_HELP = """\
A statement, or a value, which is shown. What is open at the end of a line goes on in the next; an empty line ends it.

  :labels VALUE   the labels of a value, and where it comes from
  :names          the names that have a value
  :policy         the layers of policy in force
  :help           this
  :quit           ends, as Ctrl-D does

Ctrl-C gives up what is typed, or what runs.
"""


@click.command(short_help="Type a script line by line, under the policy of the project.")
@click.argument("file", metavar="[FILE]", required=False, shell_complete=complete.paths)
@click.option(
    "-p",
    "--policy",
    "policies",
    multiple=True,
    metavar="NAME",
    help="A standard policy or a file; it narrows those in force. May be repeated.",
)
def repl(file: str | None, policies: tuple[str, ...]) -> int:
    """Type a script line by line. With FILE, that script is run first, and what it declares holds.

    Each effect is decided by the policies of the project, those of FILE and those that --policy adds. :help says what else may be
    typed. From standard input that is no terminal, inputs are read until its end; exit code 1 when one of them failed.
    """
    import os
    from pathlib import Path

    from sluicegate.flow.policy.modules.machine import Machine
    from sluicegate.reach.cli.scripts.files import read_script
    from sluicegate.reach.cli.scripts.loading import carried_out, checked_script, opened
    from sluicegate.script.evaluate.interactive import InteractiveRun
    from sluicegate.script.evaluate.modules import ModuleReader
    from sluicegate.script.evaluate.program import read

    script = checked_script(file or "", policies)
    if isinstance(script, int):
        return script
    with opened(script, standard_input=str, word="repl") as (monitor, begin):
        run, failed = carried_out(monitor, begin)
        if run is None:
            return failed
        reader = ModuleReader(root=Path(script.project.root), open_file=read_script, check=read)
        machine = Machine(base=script.folder, search_path=os.environ.get("PATH", ""))
        return _loop(InteractiveRun(run, reader=reader, folder=script.folder, installed=machine), failed)


def _loop(session: InteractiveRun, failed: int) -> int:
    """Inputs, one after another, up to the end."""
    import signal
    import sys

    terminal = sys.stdin is not None and sys.stdin.isatty()
    read = _typed(session) if terminal else _piped()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        while True:
            try:
                text = _input(read)
                if text is None or text.strip() in (":quit", ":q"):
                    break
                failed |= _carried_out(session, text)
            except KeyboardInterrupt:
                if not terminal:
                    raise
                click.echo("\ninterrupted", err=True)
    finally:
        signal.signal(signal.SIGINT, before)
    if terminal:
        click.echo()
    return 0 if terminal else failed


def _input(read: Callable[[str], str | None]) -> str | None:
    """What is typed, up to where it is whole; None at the end."""
    from sluicegate.script.evaluate.interactive import LONGEST, wants_more

    lines: list[str] = []
    while True:
        line = read(_MORE if lines else _PROMPT)
        if line is None:
            return "\n".join(lines) if lines else None
        lines.append(line)
        text = "\n".join(lines)
        if text.startswith(":") or len(text) > LONGEST or (len(lines) > 1 and not line.strip()):
            return text
        if not wants_more(text):
            return text


def _carried_out(session: InteractiveRun, text: str) -> int:
    """Carry an input out: 0, or 1 when something failed or was denied."""
    from sluicegate.errors import SluicegateError
    from sluicegate.flow.errors import FlowError
    from sluicegate.reach.cli.scripts.loading import told

    word, _, rest = text.strip().partition(" ")
    try:
        if not word:
            return 0
        if word in _COMMANDS and not (rest and word != ":labels"):
            _COMMANDS[word](session, rest)
            return 0
        if word.startswith(":"):
            click.echo("sluicegate: there is no such word; :help has all of them", err=True)
            return 1
        return _said(session.carry_out(text))
    except FlowError as error:
        told(session.monitor, error)
    except SluicegateError as error:
        from sluicegate.reach.report.escape import printable

        click.echo(f"sluicegate: {printable(error.message)}", err=True)
    return 1


def _said(failures: list[str]) -> int:
    from sluicegate.reach.report.escape import printable

    for text in failures:
        click.echo(f"sluicegate: {printable(text)}", err=True)
    return int(bool(failures))


def _labels(session: InteractiveRun, rest: str) -> None:
    _said(session.carry_out(f"show ({rest}).mx" if rest.strip() else "show @mx.taint"))


def _names(session: InteractiveRun, rest: str) -> None:
    click.echo(" ".join(f"@{name}" for name in session.names) or "none yet")


def _policy(session: InteractiveRun, rest: str) -> None:
    from sluicegate.reach.report.escape import printable

    layers = session.monitor.parts.layers.layers
    click.echo("\n".join(printable(layer.name) for layer in layers) or "none")


def _help(session: InteractiveRun, rest: str) -> None:
    click.echo(_HELP, nl=False)


_COMMANDS: dict[str, Callable[[InteractiveRun, str], None]] = {
    ":labels": _labels,
    ":names": _names,
    ":policy": _policy,
    ":help": _help,
}


def _typed(session: InteractiveRun) -> Callable[[str], str | None]:
    """Lines from a terminal, with the editing of the standard library where it is there. What was typed is kept nowhere."""
    import contextlib

    with contextlib.suppress(ImportError):
        import readline

        readline.set_auto_history(True)
        readline.set_completer_delims(" \t\n()[]{},|`\"'=+-*/!<>")
        readline.set_completer(_Completer(session).complete)
        readline.parse_and_bind("tab: complete")
    click.echo("Type a statement or a value; :help says what else. Ctrl-D ends.")

    def line(prompt: str) -> str | None:
        try:
            return input(prompt)
        except EOFError:
            return None
        except UnicodeDecodeError:
            click.echo("sluicegate: what was typed is not UTF-8", err=True)
            return ""

    return line


class _Completer:
    """Completes names that have a value, and words that begin a statement."""

    def __init__(self, session: InteractiveRun) -> None:
        self.session = session
        self.found: list[str] = []

    def complete(self, text: str, state: int) -> str | None:
        """The completion of this number, as ``readline`` asks for it."""
        from sluicegate.script.parse.statements import STARTS

        if state == 0:
            words = [f"@{name}" for name in self.session.names] if text.startswith("@") else sorted(STARTS)
            self.found = [word for word in (*words, *_COMMANDS) if text and word.startswith(text)]
        return self.found[state] if state < len(self.found) else None


def _piped() -> Callable[[str], str | None]:
    import sys

    def line(prompt: str) -> str | None:
        data = sys.stdin.buffer.readline()
        return data.decode("utf-8", "replace").removesuffix("\n").removesuffix("\r") if data else None

    return line

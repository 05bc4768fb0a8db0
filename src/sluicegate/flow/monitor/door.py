"""What a program can ask a monitor to do: one method for each kind of operation.

``Door`` is written once, for programs with and without asyncio: ``D`` is what a method gives, a labelled result or
the promise of one, and ``C`` a plain content or the promise of one. Which of the two is decided in ``monitor``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from sluicegate.flow import operations as ops
from sluicegate.flow.errors import CommandError
from sluicegate.flow.guards import Bypass
from sluicegate.flow.monitor.effects import functions, words
from sluicegate.flow.monitor.effects.output import Manner
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import Again, Plan

D = TypeVar("D")
C = TypeVar("C")
Names = Sequence[str] | frozenset[str] | set[str]

_NOTHING: Mapping[str, object] = {}


class Door(Generic[D, C]):
    """The operations. ``labels`` are what the author declares of one: ``net:w``, ``exfil``, ``destructive``, ``llm``.

    ``var`` is the name that the ledger gives to the result. Whatever is an ``object`` here may be labelled, or hold
    labelled values.
    """

    __slots__ = ()

    parts: Parts

    def _carry(self, plan: Plan) -> D:
        """Carry a plan out; its result."""
        raise NotImplementedError  # pragma: no cover - both kinds of monitor define it

    def _content(self, plan: Plan) -> C:
        """Carry a plan out; the content of its result."""
        raise NotImplementedError  # pragma: no cover

    # To people.

    def show(self, value: object, *, end: str = "\n", labels: Names = ()) -> D:
        """Show a value to a person."""
        return self._carry(words.show_plan(self.parts, value, end=end, labels=names_of(labels)))

    def log(self, value: object, *, labels: Names = ()) -> D:
        """Write a line to the log."""
        return self._carry(words.log_plan(self.parts, value, labels=names_of(labels)))

    def stream(self, piece: object, *, labels: Names = ()) -> D:
        """Pass a piece of something on to a person, as it is made."""
        return self._carry(words.stream_plan(self.parts, piece, labels=names_of(labels)))

    def ask(self, prompt: object = "", *, labels: Names = (), var: str = "") -> D:
        """Show a prompt to a person, and take the line that they type: it comes from ``src:user``."""
        return self._carry(words.ask_plan(self.parts, prompt, labels=names_of(labels), var=var))

    # To the program, and to whoever started it.

    def reveal(self, value: object, *, to: str | Names) -> C:
        """The plain content, for something the program will do by itself: ``to`` are the labels of that operation.

        Policy is asked as if the value went there (``to="net:w"``), and about ``op:call:reveal``. From here on nobody
        watches the content. Raises ``LabeledFailure`` for a value that failed.
        """
        return self._content(words.reveal_plan(value, to=names_of((to,) if isinstance(to, str) else to)))

    def return_(self, value: object, *, shown: bool = False, labels: Names = ()) -> C:
        """The plain content, handed out of the program; ``shown``: to a person."""
        return self._content(words.return_plan(value, shown=shown, labels=names_of(labels)))

    # Files.

    def read(self, path: object, *, binary: bool = False, labels: Names = (), var: str = "") -> D:
        """The content of a file, with the labels that were written into it and those of where it lies."""
        from sluicegate.flow.monitor.effects import files

        return self._carry(files.read_plan(self.parts, path, binary=binary, labels=names_of(labels), var=var))

    def list_names(self, path: object, *, labels: Names = ()) -> D:
        """The names in a directory, in order, with its labels; those of directories end with a slash."""
        from sluicegate.flow.monitor.effects import listing

        return self._carry(listing.listing_plan(self.parts, path, labels=names_of(labels)))

    def write(self, path: object, value: object, *, labels: Names = (), var: str = "") -> D:
        """Make text or bytes the content of a file, in one step; the labels are remembered."""
        from sluicegate.flow.monitor.effects import files

        operation = ops.write(value, path, base=str(self.parts.cwd), labels=names_of(labels))
        return self._carry(files.write_plan(self.parts, operation, "file:write", var))

    def append(self, path: object, value: object, *, labels: Names = (), var: str = "") -> D:
        """Add text or bytes to the end of a file; the labels are joined to those of what was there."""
        from sluicegate.flow.monitor.effects import files

        operation = ops.append(value, path, base=str(self.parts.cwd), labels=names_of(labels))
        return self._carry(files.write_plan(self.parts, operation, "file:append", var))

    def output(self, value: object, target: object = "stdout", *, labels: Names = (), var: str = "") -> D:
        """Put a value out: to ``stdout`` or ``stderr``, which a person sees, or into a file."""
        from sluicegate.flow.monitor.effects import files

        if isinstance(target, str) and target in ("stdout", "stderr"):
            return self._carry(words.output_plan(self.parts, value, target, labels=names_of(labels)))
        operation = ops.output(value, target, base=str(self.parts.cwd), labels=names_of(labels))
        return self._carry(files.write_plan(self.parts, operation, "file:output", var))

    # Programs.

    def run(
        self,
        template: str | ops.CommandDefinition,
        values: Mapping[str, object] = _NOTHING,
        *,
        stdin: object = None,
        environment: Mapping[str, object] = _NOTHING,
        auth: str | Sequence[str] = (),
        using: Mapping[str, object] = _NOTHING,
        stage: int | None = None,
        labels: Names = (),
        binary: bool = False,
        check: bool = False,
        again: Again | None = None,
        guards: Bypass | None = None,
        var: str = "",
    ) -> D:
        """Run a command: ``run("git commit -m {message}", {"message": text})``; the result holds an ``Output``.

        ``auth`` names credentials of policy, ``using`` gives values the names of environment variables; both go to
        one child, of a pipeline that of ``stage``. ``environment`` are variables like any other input. ``check``: a
        command that does not end well is a failure.
        """
        from sluicegate.flow.monitor.effects import commands
        from sluicegate.flow.monitor.effects.using import using_of

        if isinstance(template, ops.CommandDefinition) and labels:
            raise CommandError(
                "a command that is defined has its labels already", hint="give them to monitor.command"
            )
        command = (
            template if isinstance(template, ops.CommandDefinition) else self.command(template, labels=labels)
        )
        names = (auth,) if isinstance(auth, str) and auth else tuple(auth)
        given = using_of(names, using, stage, len(command.stages))
        rest = Plan(operations=(), again=again, bypass=guards, var=var)
        return self._carry(
            commands.run_plan(
                self.parts,
                command,
                values,
                stdin=stdin,
                environment=environment,
                using=given,
                manner=Manner(binary=binary, check=check),
                plan=rest,
            )
        )

    def command(self, template: str, *, labels: Names = ()) -> ops.CommandDefinition:
        """A command, defined once, to be run as often as it is needed. Raises ``CommandError``."""
        parts = self.parts
        return ops.command(template, programs=parts.programs, cwd=parts.start, labels=names_of(labels))

    def interpret(
        self,
        kind: str,
        code: object,
        inputs: Mapping[str, object] = _NOTHING,
        *,
        labels: Names = (),
        binary: bool = False,
        check: bool = False,
        again: Again | None = None,
        guards: Bypass | None = None,
        var: str = "",
    ) -> D:
        """Run code: ``sh``, ``py``, ``node`` or ``js``. Inputs go beside it: for ``sh`` as environment variables, else as
        a JSON object on standard input."""
        from sluicegate.flow.monitor.effects import commands

        return self._carry(
            commands.code_plan(
                self.parts,
                kind,
                code,
                inputs,
                labels=names_of(labels),
                manner=Manner(binary=binary, check=check),
                plan=Plan(operations=(), again=again, bypass=guards, var=var),
            )
        )

    # Outside.

    def fetch(
        self,
        url: object,
        effect: Callable[..., object],
        *,
        method: str = "GET",
        headers: Mapping[str, object] = _NOTHING,
        body: object = None,
        labels: Names = (),
        var: str = "",
    ) -> D:
        """Fetch an address, or send to it: ``effect(url, method=, headers=, body=)`` does it, with plain contents."""
        plan = functions.fetch_plan(
            self.parts,
            url,
            effect,
            method=method,
            headers=headers,
            body=body,
            labels=names_of(labels),
            var=var,
        )
        return self._carry(plan)

    def external(
        self,
        name: str,
        arguments: Mapping[str, object],
        effect: Callable[..., object],
        *,
        source: str = "src:mcp",
        labels: Names = (),
        again: Again | None = None,
        guards: Bypass | None = None,
        var: str = "",
    ) -> D:
        """Call something outside: ``external("github:create_issue", {...}, call)``. ``effect`` gets the arguments by
        name, plain; its result comes from ``source``."""
        plan = functions.external_plan(
            self.parts,
            name,
            arguments,
            effect,
            source=source,
            labels=names_of(labels),
            again=again,
            guards=guards,
            var=var,
        )
        return self._carry(plan)


def names_of(labels: Names) -> tuple[str, ...]:
    """Declared labels in a fixed order."""
    if isinstance(labels, str):
        return (labels,)
    return tuple(labels) if isinstance(labels, tuple) else tuple(sorted(labels))

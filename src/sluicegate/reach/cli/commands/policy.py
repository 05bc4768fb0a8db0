"""``sluicegate policy``: check policies, say why a decision is what it is, test tables of decisions, show layers."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sluicegate.reach.cli import complete
from sluicegate.reach.errors import UsageError
from sluicegate.reach.report.escape import printable
from sluicegate.reach.report.text.columns import wrap
from sluicegate.record.user import config_directory, home_directory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sluicegate.flow.policy.layers import Layers
    from sluicegate.flow.policy.questions.explain import Explanation
    from sluicegate.flow.policy.rules.arguments import Question
    from sluicegate.flow.policy.text.document import Document
    from sluicegate.flow.project import Project

_FORMAT = click.option(
    "-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print it."
)
_POLICY = click.option(
    "--policy",
    "names",
    multiple=True,
    metavar="NAME",
    help="A policy in the place of the project's: a file, production, development, sandbox or agent. May be repeated; "
    "the first is the project's own.",
)


@click.group(short_help="Check, explain and test what may flow where.")
def policy() -> None:
    """Check, explain and test what may flow where.

    \b
    sluicegate policy check policy.toml
    sluicegate policy explain --labels secret --operation 'cmd:curl example.com'
    sluicegate policy test decisions.toml
    sluicegate policy show production > policy.toml
    """


@policy.command(short_help="Check policies; exit code 1 when something is wrong.")
@click.argument("files", nargs=-1, metavar="[FILE]...", shell_complete=complete.paths)
def check(files: tuple[str, ...]) -> None:
    """Check each FILE, or what is in force in this project: unknown words, patterns, labels, and what has no effect.

    Exit code 1 when something is wrong with one of them, 2 when one cannot be read.
    """
    from sluicegate.flow.policy.text.problems import PolicyProblems
    from sluicegate.reach.cli.policy_text import checked

    wrong = False
    if not files:
        found = _project()
        for document in found.documents:
            click.echo(checked(document), nl=False)
        if not found.documents:
            click.echo("No policy is in force here.")
        for line in wrap(printable(_where(found)), 80, rest="  "):
            click.echo(line)
        return
    for name in files:
        try:
            document = _load((name,))[0]
        except PolicyProblems as error:
            click.echo(printable(error.diagnostics(), newline=True), err=True)
            wrong = True
        else:
            click.echo(checked(document), nl=False)
    if wrong:
        raise click.exceptions.Exit(1)


@policy.command(short_help="Say which layer says what about an operation.")
@click.option("--operation", required=True, metavar="TEXT", help="For example 'cmd:git push origin'.")
@click.option("--labels", default="", metavar="L,L", help="The labels of what flows in, with commas between.")
@click.option(
    "--operation-labels", default="", metavar="L,L", help="Labels the operation declares, such as net:w."
)
@click.option("--path", "paths", multiple=True, metavar="MODE:PATH", help="A file it uses: r:PATH or w:PATH.")
@click.option("--host", "hosts", multiple=True, metavar="HOST", help="A host it reaches.")
@click.option(
    "--argument",
    "arguments",
    multiple=True,
    metavar="NAME=VALUE",
    help="An argument: text, or a value in JSON.",
)
@click.option("--known", multiple=True, metavar="NAME", help="An argument that the user has said.")
@click.option("--exit-code", "by_code", is_flag=True, help="Exit code 1 when it is denied, for scripts.")
@_POLICY
@_FORMAT
def explain(
    operation: str,
    labels: str,
    operation_labels: str,
    paths: tuple[str, ...],
    hosts: tuple[str, ...],
    arguments: tuple[str, ...],
    known: tuple[str, ...],
    by_code: bool,
    names: tuple[str, ...],
    form: str,
) -> None:
    """Say what every layer makes of an operation, step by step, with the rules that speak and where they stand.

    The operation is a kind, a colon and what it is about: cmd:git push origin, read:src/a.py, write:/tmp/x,
    fetch:https://api.example.com, mcp:github:create_issue, call:send, show, log, return, sh:make && ls. In a command
    {name} stands for a value. A command is read as when it runs, and so is each in the text for a shell; nothing on
    this machine is looked up.

    Rules about arguments are asked too, and one that is not given is missing: --argument 'to=bob@example.com'
    --argument 'amount=12'. Paths, addresses and code are given by the operation itself.

    \b
    The steps of a layer, and the
    part of a policy that each reads:
    1 capability (capabilities)
      may the operation happen at all?
    2 risks (operations)
      does it take data out (exfil),
      destroy (destructive) or give
      rights (privileged)?
    3 stance (sources)
      is the data trusted, by its labels
      and by where it comes from?
    4 built-in rules (defaults)
      what untrusted or secret data
      never does
    5 label rules (labels.L.deny)
      where data with a label may not go;
      labels.L.allow makes exceptions
    6 allow lists (labels.L.allow)
      where distrusted data may go at all

    A label that is not built in, that no policy names and that the ledger of this project has never seen is refused:
    a misspelt one would be allowed everything. Exit code 0, or 1 with --exit-code when it is denied; 2 when the
    question cannot be understood.
    """
    from sluicegate.flow.denial import Denial
    from sluicegate.reach.cli.policy_text import explained, explained_json

    found = explanations(
        operation,
        labels=_words(labels),
        operation_labels=_words(operation_labels),
        paths=paths,
        hosts=hosts,
        arguments=arguments,
        known=known,
        names=names,
    )
    click.echo(explained_json(found) if form == "json" else explained(found), nl=False)
    if by_code and any(isinstance(each.decision, Denial) for each in found):
        raise click.exceptions.Exit(1)


def explanations(
    operation: str,
    *,
    labels: Sequence[str] = (),
    operation_labels: Sequence[str] = (),
    paths: tuple[str, ...] = (),
    hosts: tuple[str, ...] = (),
    arguments: tuple[str, ...] = (),
    known: tuple[str, ...] = (),
    names: tuple[str, ...] = (),
) -> list[Explanation]:
    """What every layer makes of each thing that an operation does; see ``explain``. Raises FlowError and UsageError."""
    from sluicegate.flow.labels import Labels
    from sluicegate.flow.policy.questions.explain import explain as why
    from sluicegate.flow.policy.questions.questions import check_words
    from sluicegate.flow.policy.questions.sketch import sketch

    layers, given = _layers(names), Labels.of(*labels)
    requests = sketch(operation, place=layers.place, declared=operation_labels, paths=paths, hosts=hosts)
    check_words([layer.policy for layer in layers.layers], labels, operation_labels, cache(_seen_here))
    asked = _question(operation, arguments, known)
    return [why(layers, request, given, asked) for request in requests]


def _question(operation: str, arguments: tuple[str, ...], known: tuple[str, ...]) -> Question:
    """The arguments of an operation: those that its text says, and those that are given. One that is not given is missing."""
    from sluicegate.flow.errors import PolicyError
    from sluicegate.flow.policy.rules.arguments import Question

    kind, _, rest = operation.strip().removeprefix("op:").partition(":")
    values: dict[str, object] = {}
    if kind in ("read", "write", "append"):
        values["path"] = rest
    elif kind == "fetch":
        values |= {"url": rest, "method": "GET"}
    elif kind in ("sh", "py", "node", "js"):
        values["code"] = rest
    for each in arguments:
        name, equals, text = each.partition("=")
        if not name or not equals:
            raise PolicyError("an argument is NAME=VALUE", hint="Write --argument to=bob@example.com.")
        try:
            values[name] = json.loads(text)
        except ValueError:
            values[name] = text
    strange = next((name for name in known if name not in values), None)
    if strange is not None:
        raise PolicyError(
            f"--known {printable(strange)} names no argument that is given",
            hint=f"Give it: --argument {printable(strange)}=VALUE.",
        )
    return Question(rest if kind in ("mcp", "call") else kind, values, known)


@policy.command(short_help="Test tables of expected decisions; exit code 1 on a difference.")
@click.argument("tables", nargs=-1, required=True, metavar="TABLE...", shell_complete=complete.paths)
@_POLICY
@_FORMAT
def test(tables: tuple[str, ...], names: tuple[str, ...], form: str) -> None:
    """Check every line of each TABLE: a file of operations, labels and the decision that is expected.

    The policies are those the table names, or those of --policy. Exit code 1 when a decision is another, 2 when
    a table cannot be understood.
    """
    from sluicegate.flow.policy.questions.table import read_table, run
    from sluicegate.reach.cli.policy_text import tested, tested_json

    documents = _load(names)
    outcomes = []
    for name in tables:
        path = Path(name)
        read = read_table(path)
        outcomes.append((read.file, run(read, documents=documents, directory=path.parent)))
    click.echo(tested_json(outcomes) if form == "json" else tested(outcomes), nl=False)
    if any(each.differences for _, found in outcomes for each in found):
        raise click.exceptions.Exit(1)


@policy.command(short_help="Show the layers in force, or the text of a standard policy.")
@click.argument("name", required=False, metavar="[NAME]")
@_POLICY
@_FORMAT
def show(name: str | None, names: tuple[str, ...], form: str) -> None:
    """Show the layers in force in this project, in order; or the text of the standard policy called NAME."""
    from sluicegate.flow.policy.text.load import text_of_standard
    from sluicegate.reach.cli.policy_text import shown_json, shown_layers

    if name is not None:
        if names:
            raise UsageError("a NAME and --policy exclude each other")
        click.echo(text_of_standard(name), nl=False)
        return
    documents = _load(names) if names else list(_project().documents)
    click.echo(shown_json(documents) if form == "json" else shown_layers(documents), nl=False)


@policy.command(short_help="Print the JSON Schema of a policy.")
def schema() -> None:
    """Print the JSON Schema of a policy, for editors."""
    from sluicegate.reach.schemas import SCHEMAS

    click.echo(SCHEMAS["policy"](), nl=False)


def _where(project: Project) -> str:
    """Where the commands of programs in this project run if nothing else is asked for."""
    named = next(
        (env.default for each in project.documents if (env := each.policy.env) is not None and env.default),
        None,
    )
    if named is not None:
        return f"Commands run by the provider {named}, which policy names."
    from sluicegate.flow.denial import Denial
    from sluicegate.flow.environments.configuration.config import BUBBLEWRAP
    from sluicegate.reach.cli.sandbox import why_no_sandbox

    if isinstance(project.layers(home=home_directory(os.environ)).provider(BUBBLEWRAP), Denial):
        return "Commands run in no sandbox: env.providers of a policy does not name bubblewrap."
    why = why_no_sandbox()
    if not why:
        return "Commands run in a bubblewrap sandbox, since no policy names a provider."
    return f"Commands run without a sandbox, with all that you can reach: {why}"


def _seen_here() -> tuple[frozenset[str], frozenset[str]]:
    """The labels of values and of operations that the ledger of this project has seen; none where there is none."""
    from sluicegate.reach.cli.ledger.here import workspace_here
    from sluicegate.record.errors import RecordError
    from sluicegate.record.ledger.query import load

    try:
        workspace = workspace_here()
        return load(workspace.ledger, keys=workspace.keys).labels()
    except RecordError:
        return frozenset(), frozenset()


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _load(names: Sequence[str]) -> list[Document]:
    from sluicegate.flow.policy.text.load import load

    return [load(name, base=Path.cwd()) for name in names]


def _project() -> Project:
    from sluicegate.flow.project import find

    user = config_directory(os.environ)
    return find(start=Path.cwd(), environ=os.environ, home=home_directory(os.environ), user_directory=user)


def _layers(names: Sequence[str]) -> Layers:
    """The layers to ask: those that are named, else those in force."""
    from sluicegate.flow.policy.layers import Layers
    from sluicegate.flow.policy.rules.places import Place

    if names:
        place = Place(base=str(Path.cwd().resolve()), home=str(home_directory(os.environ).resolve()))
        return Layers(_load(names), place=place)
    found = _project()
    if not found.documents:
        raise UsageError(
            "no policy is in force here",
            hint="Name one: --policy production, or [flow] policy in sluicegate.toml.",
        )
    return found.layers(home=home_directory(os.environ))

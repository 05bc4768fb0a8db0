"""The tools of the server: what each takes, and what it does. Nothing here knows of MCP.

Every tool reads and decides with the code of the command of the same name. None writes into what it reads, and none but
``review_skill`` speaks to anybody, and that only to the models that the user's own settings name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from sluicegate.reach.errors import UsageError
from sluicegate.reach.mcp.server import answers
from sluicegate.reach.mcp.server.roots import ReadRoots
from sluicegate.tuples import NamedTuple

Progress = Callable[[int, int, str], None]
"""Called with (skills done, skills known so far, name of the last one); raises to end the scan."""


class _Arguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Closed: an argument that is not named here is an error."""


SkillPath = Annotated[str, Meta(description="A folder, file or archive within the roots.", max_length=4096)]
Words = Annotated[tuple[Annotated[str, Meta(max_length=1000)], ...], Meta(max_length=100)]


class ScanSkill(_Arguments, frozen=True, kw_only=True):
    """Say whether a skill is safe to install: SAFE, CAUTION or DO_NOT_INSTALL, and why. Runs nothing, sends nothing."""

    path: SkillPath


class ScanInstalled(_Arguments, frozen=True, kw_only=True):
    """Scan what is installed for agents in the project: skills, plugins, commands, hooks and MCP servers. What is installed for
    the user counts only if the home directory is a root."""


class ReviewSkill(_Arguments, frozen=True, kw_only=True):
    """Scan a skill, and have the models of the user's settings review it, which can only make a decision stricter. Where no model is
    set up, nothing is sent, and the answer says so."""

    path: SkillPath


class ExplainRule(_Arguments, frozen=True, kw_only=True):
    """Say what a rule looks for, why it matters, and what to do about a finding."""

    rule: Annotated[str, Meta(description="The id, as in findings: pipe-to-shell.", max_length=200)]


class PolicyExplain(_Arguments, frozen=True, kw_only=True):
    """Say whether policies permit an operation, and which rule of which layer says so."""

    operation: Annotated[
        str,
        Meta(
            description="cmd:git push origin, read:src/a.py, fetch:https://example.com, mcp:SERVER:TOOL",
            max_length=10_000,
        ),
    ]
    labels: Annotated[Words, Meta(description="The labels of what flows in: secret, src:mcp.")] = ()
    operation_labels: Annotated[Words, Meta(description="Labels that the operation declares: net:w.")] = ()
    arguments: Annotated[dict[str, Any], Meta(description="The arguments of a tool.")] = {}
    known: Annotated[Words, Meta(description="Names of arguments that the user has said.")] = ()
    policies: Annotated[
        Words,
        Meta(
            description="Files within the roots, or standard policies by name; without any, the project's own."
        ),
    ] = ()


class AuditWhy(_Arguments, frozen=True, kw_only=True):
    """Say what an event of the ledger follows from, back to its origins."""

    what: Annotated[
        str,
        Meta(
            description="A path, @value, the number of an event, or an operation (git push).", max_length=4096
        ),
    ]
    ledger: Annotated[str, Meta(description="Another ledger than the project's, within the roots.")] = ""


def scan_skill(asked: ScanSkill, roots: ReadRoots, progress: Progress) -> answers.ToldScan:
    """Scan one path."""
    from sluicegate.reach.cli.scans.choose import choose
    from sluicegate.vet.scanner import Scanner

    place = str(roots.place(asked.path, "path"))
    chosen = choose({"jobs": 1}, targets=(place,), fail_on=None, quiet=True)
    with Scanner(chosen.config) as scanner:
        report = scanner.scan(place, progress=progress)
    return answers.scan_answer(report._replace(notes=(*chosen.notes, *report.notes)))


def scan_installed(asked: ScanInstalled, roots: ReadRoots, progress: Progress) -> answers.ToldScan:
    """Scan what is installed within the roots."""
    from sluicegate.reach.cli.scans.choose import choose
    from sluicegate.vet.intake.installed.machine import home_of
    from sluicegate.vet.scanner import Scanner

    project = roots.folders[0]
    home = home_of(os.environ)
    inside = home is not None and roots.holds(home)
    environ = {
        name: value for name, value in os.environ.items() if value.startswith("/") and roots.holds(value)
    }
    chosen = choose({"jobs": 1}, targets=(str(project),), fail_on=None, quiet=True)
    # Without a home of the user's, an empty one: that there is none would be another answer.
    empty = project / ".sluicegate" / "no-home"
    with Scanner(chosen.config) as scanner:
        report = scanner.scan_installed(
            home=home if inside else empty,
            project=project,
            environ=environ,
            progress=progress,
            within=roots.holds,
        )
    notes = (
        []
        if inside
        else ["The home directory is not a root: what is installed for the user was not scanned."]
    )
    return answers.scan_answer(report._replace(notes=(*chosen.notes, *notes, *report.notes)))


def review_skill(asked: ReviewSkill, roots: ReadRoots, progress: Progress) -> answers.ToldReview:
    """Scan one path, and ask the models of the settings."""
    from sluicegate.reach.cli.reviews import ReviewOptions, panel_report
    from sluicegate.reach.cli.scans.choose import choose
    from sluicegate.reach.cli.seats import how_to_set_up

    place = str(roots.place(asked.path, "path"))
    chosen = choose({"jobs": 1}, targets=(place,), fail_on=None, quiet=True)
    if chosen.review is None or not chosen.review.seats:
        said = ("No model is set up to review: nothing was sent to anybody.", *how_to_set_up())
        return answers.ToldReview(
            asked=False, said=said, scan=scan_skill(ScanSkill(path=asked.path), roots, progress)
        )
    made = panel_report((place,), chosen, ReviewOptions(), progress)
    return answers.ToldReview(asked=True, said=made.said, scan=answers.scan_answer(made.report))


def explain_rule(asked: ExplainRule, roots: ReadRoots, progress: Progress) -> answers.ToldRule:
    """One rule of the catalogue."""
    import difflib

    from sluicegate.vet.inspect.catalogue import rules
    from sluicegate.vet.inspect.pages import page

    table = rules()
    if asked.rule not in table:
        near = difflib.get_close_matches(asked.rule, table, n=1)
        raise UsageError(
            f"there is no rule {asked.rule!r}",
            hint=f"Did you mean {near[0]}?" if near else "Findings name their rules.",
        )
    return answers.rule_answer(table[asked.rule], page(asked.rule).prose)


def policy_explain(asked: PolicyExplain, roots: ReadRoots, progress: Progress) -> answers.ToldPolicy:
    """Ask the policies that are named, or those in force."""
    import json

    from sluicegate.reach.cli.commands.policy import explanations
    from sluicegate.reach.cli.policy_text import explained_json

    names = tuple(_policy_name(name, roots) for name in asked.policies)
    arguments = tuple(f"{name}={json.dumps(value)}" for name, value in asked.arguments.items())
    found = explanations(
        asked.operation,
        labels=asked.labels,
        operation_labels=asked.operation_labels,
        arguments=arguments,
        known=asked.known,
        names=names,
    )
    return answers.policy_answer(json.loads(explained_json(found)))


def _policy_name(name: str, roots: ReadRoots) -> str:
    from sluicegate.flow.policy.text.load import is_standard

    return name if is_standard(name) else str(roots.place(name, "policies:"))


def audit_why(asked: AuditWhy, roots: ReadRoots, progress: Progress) -> answers.ToldWhy:
    """Ask the ledger of the project, or another one within the roots."""
    from sluicegate.reach.cli.ledger.here import workspace_here
    from sluicegate.record.ledger.query import load

    workspace = workspace_here()
    path = roots.place(asked.ledger, "ledger") if asked.ledger else workspace.ledger
    if not roots.holds(path):
        raise UsageError(
            "the ledger of this project lies outside the roots",
            hint="Whoever started 'sluicegate mcp' can let it read more: --root DIR.",
        )
    history = load(path, keys=workspace.keys)
    entry = history.find(asked.what, directory=Path.cwd(), root=workspace.root)
    return answers.why_answer(entry.seq, history.why(entry).values(), below=str(roots.folders[0]))


class ServerTool(NamedTuple):
    """One tool: what it takes, what it answers, and what it does. ``sends``: it may speak to models that are set up."""

    title: str
    takes: type[Struct]
    answers: type[Struct]
    run: Callable[[Any, ReadRoots, Progress], Struct]
    sends: bool = False


TOOLS: Final[Mapping[str, ServerTool]] = {
    "scan_skill": ServerTool("Scan a skill", ScanSkill, answers.ToldScan, scan_skill),
    "scan_installed": ServerTool("Scan what is installed", ScanInstalled, answers.ToldScan, scan_installed),
    "explain_rule": ServerTool("Explain a rule", ExplainRule, answers.ToldRule, explain_rule),
    "review_skill": ServerTool(
        "Review a skill with models", ReviewSkill, answers.ToldReview, review_skill, sends=True
    ),
    "policy_explain": ServerTool(
        "Explain a decision of policy", PolicyExplain, answers.ToldPolicy, policy_explain
    ),
    "audit_why": ServerTool("Ask the ledger why", AuditWhy, answers.ToldWhy, audit_why),
}

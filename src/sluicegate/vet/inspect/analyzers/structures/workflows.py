"""Continuous-integration workflows that run what strangers wrote, or give secrets away.

A workflow is read by its keys: what starts it, with which rights, what is checked out, and which values become
part of which script. It is one by its content, wherever the file lies, for skills bring workflows to be copied;
one that stands in a text for people counts for less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sluicegate.known import hosts
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.structures.registry import (
    HIGH,
    LOW,
    MEDIUM,
    BundleFacts,
    Config,
    rule,
    structure_rule,
)
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Severity

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.values import ShellValue, Tag
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall, Sink
    from sluicegate.vet.intake.views.configs.document import ConfigScalar, Path

WORKFLOW = rule(
    "workflow-untrusted", "A workflow runs untrusted code with the repository's rights", Category.SUPPLY_CHAIN,
    MEDIUM, 600,
    why="pull_request_target with a checkout of the request, a stranger's text inside a script, or a download piped into "
    "a shell hands the repository's secrets to others.",
    fix="Use pull_request, pass texts through env, and pin what is downloaded.",
    references=("ASI04", "CWE-94", "CWE-829"),
)  # fmt: skip
SECRETS = rule(
    "workflow-secrets", "A workflow gives the repository's secrets away", Category.EXFILTRATION, HIGH, 700,
    why="A workflow holds every secret that its repository was given. One line that sends them, or writes them into the log in a "
    "form that the masking does not know, is enough.",
    fix="Give each step the one secret that it needs, for the service it belongs to. Replace the secrets if it has run.",
    references=("ASI02", "LLM02", "CWE-200", "CWE-532"),
)  # fmt: skip
UNPINNED = rule(
    "workflow-action-unpinned", "A workflow runs somebody's action at whatever version is there", Category.SUPPLY_CHAIN, LOW, 450,
    why="A tag or branch can be moved to other code on any day; popular actions have been, and sent away what they saw.",
    fix="Pin the action to the full hash of a commit.",
    references=("ASI04", "LLM03", "CWE-829", "CWE-1357"),
)  # fmt: skip

_PRIVILEGED = frozenset(
    "pull_request_target workflow_run issue_comment issues discussion discussion_comment pull_request_comment fork watch".split()
)
"""Events that strangers cause and that run with the repository's own rights."""
_FROM_FORKS = frozenset({"pull_request", "pull_request_target", "workflow_run"})
_HEAD = lazy(
    r"github\.(?:event\.pull_request\.head\.|event\.workflow_run\.head_|head_ref\b)|refs/pull/|github\.event\.number|inputs\.(?:pr|ref)\b"
)
_CHECKS_OUT = lazy(
    r"\bgh[ \t]{1,3}pr[ \t]{1,3}checkout\b|\bgit[ \t]{1,3}(?:fetch|checkout|pull)\b[^\n]{0,120}(?:refs/pull|pull/|head_ref|HEAD_REF|head\.(?:ref|sha))"
)
_STRANGERS = lazy(
    r"\$\{\{[^{}]{0,120}?\bgithub\.(?:head_ref\b|event\.(?:issue|pull_request|comment|review|review_comment|discussion|head_commit|commits|workflow_run|pages)\b"
    r"[\w.*\[\]]{0,80}?\.(?:title|body|message|label|ref|head_branch|page_name|email|name|default_branch|head_commit|display_title)\b)"
)
"""What a stranger may write freely: titles, bodies, names of branches, messages of commits."""
_ENV = lazy(r"\$\{\{\s{0,8}env\.([A-Za-z_]\w{0,60})")
_SECRET = lazy(r"\$\{\{\s{0,8}secrets(?:\.([A-Za-z_]\w{0,60})|\[[^\]]{1,60}\])[^{}]{0,40}\}\}")
_EXPRESSION = lazy(r"\$\{\{[^{}]{0,200}\}\}")
_ALL_SECRETS = lazy(r"toJSON\(\s{0,4}secrets\s{0,4}\)", re.IGNORECASE)
_UNMASKED = lazy(
    r"\|\s{0,4}(?:base64|rev|xxd|od|hexdump|sed|tr|cut|fold|openssl|gzip)\b|\bbase64\b[^|\n]{0,60}<<<|\.split\(|\bprintf\b[^\n]{0,40}%s\\?n"
)
_INTO_SHELL = lazy(r"\|\s{0,4}(?:sudo\s{1,4})?(?:-E\s)?(?:ba|z)?sh\b")
_FETCH = lazy(r"\b(?:curl|wget)\b")
_BUILDS = lazy(
    r"\b(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|make|cmake|cargo|go|mvn|gradle|\./gradlew|bundle|rake|composer|dotnet|tox|nox|pytest|python3?|node|bash|sh|\./)"
)
_ACTION = lazy(r"([\w.-]{1,60})/([\w.-]{1,100})(?:/[\w./-]{1,160})?@([\w./-]{1,120})$")
_HASH = lazy(r"[0-9a-f]{40}$")
_OWN = frozenset(
    {"actions", "github", "aws-actions", "azure", "google-github-actions", "docker", "hashicorp"}
)
_BRANCHES = frozenset({"main", "master", "develop", "dev", "trunk", "HEAD", "latest"})
_MOST_STEPS = 400


class _Step(NamedTuple):
    """One step: the job it stands in, its ``run`` or ``script``, what it uses, its inputs and its environment."""

    job: str
    script: ConfigScalar | None
    uses: ConfigScalar | None
    given: tuple[ConfigScalar, ...]
    env: dict[str, str]


class _Workflow(NamedTuple):
    """One workflow: the events that start it, its steps, where its jobs run."""

    events: frozenset[str]
    steps: tuple[_Step, ...]
    runners: tuple[ConfigScalar, ...]

    @property
    def privileged(self) -> bool:
        """Whether a stranger can start it with the repository's rights."""
        return not self.events.isdisjoint(_PRIVILEGED)


@structure_rule(WORKFLOW, SECRETS, UNPINNED)
def workflows(facts: BundleFacts) -> Iterator[Match]:
    """Every document with jobs and steps. At most one finding of each kind for each step."""
    for config in facts.configs(("jobs",)):
        if config.view.language is not Kind.YAML or "steps" not in config.view.text:
            continue
        workflow = _read(config)
        if not workflow.steps:
            continue
        yield from _checkout(config, workflow)
        yield from _runners(config, workflow)
        for step in facts.first(config.view, workflow.steps, _MOST_STEPS, "steps"):
            yield from _injected(config, workflow, step)
            yield from _piped(config, step)
            yield from _sent(config, step)
            yield from _pinned(config, step)


def _read(config: Config) -> _Workflow:
    events: set[str] = set()
    scripts: dict[Path, ConfigScalar] = {}
    uses: dict[Path, ConfigScalar] = {}
    given: dict[Path, list[ConfigScalar]] = {}
    env: dict[Path, dict[str, str]] = {}
    runners: list[ConfigScalar] = []
    places: dict[Path, None] = {}
    for entry in config.document.entries:
        path = entry.path
        if path[:1] in (("True",), ("on",)):
            events.add(str(path[1]) if len(path) > 1 and isinstance(path[1], str) else str(entry.value))
        elif path[:1] == ("env",) and len(path) == 2:
            env.setdefault((), {})[str(path[1])] = str(entry.value)
        elif path[:1] == ("jobs",) and len(path) > 3 and path[2] == "env":
            env.setdefault(path[:2], {})[str(path[3])] = str(entry.value)
        elif path[:1] == ("jobs",) and len(path) > 2 and path[2] == "runs-on":
            runners.append(entry)
        elif path[:1] == ("jobs",) and len(path) > 4 and path[2] == "steps":
            place, key = path[:4], path[4]
            places.setdefault(place)
            if key == "run":
                scripts[place] = entry
            elif key == "uses":
                uses[place] = entry
            elif key == "with":
                given.setdefault(place, []).append(entry)
                if path[-1] == "script":
                    scripts.setdefault(place, entry)
            elif key == "env" and len(path) > 5:
                env.setdefault(place, {})[str(path[5])] = str(entry.value)
    steps = tuple(
        _Step(
            job=str(place[1]),
            script=scripts.get(place),
            uses=uses.get(place),
            given=tuple(given.get(place, ())),
            env={**env.get((), {}), **env.get(place[:2], {}), **env.get(place, {})},
        )
        for place in places
    )
    return _Workflow(frozenset(events), steps, tuple(runners))


def _checkout(config: Config, workflow: _Workflow) -> Iterator[Match]:
    """A stranger's code is fetched where secrets are at hand, and worse, something of it is run."""
    if not workflow.privileged:
        return
    fetched: dict[str, ConfigScalar] = {}
    for step in workflow.steps:
        entry = next(
            (e for e in step.given if e.key in ("ref", "repository") and _HEAD.search(str(e.value))), None
        )
        if entry is None and step.script is not None and _CHECKS_OUT.search(str(step.script.value)):
            entry = step.script
        if entry is not None:
            fetched.setdefault(step.job, entry)
            continue
        before = fetched.get(step.job)
        runs = (step.script is not None and _BUILDS.search(str(step.script.value))) or (
            step.uses is not None and str(step.uses.value).startswith("./")
        )
        if before is not None and runs:
            yield _match(
                config,
                WORKFLOW.id,
                before,
                "a stranger's code is checked out and run with secrets at hand",
                HIGH,
                750,
            )
            return
    for entry in fetched.values():
        yield _match(config, WORKFLOW.id, entry, "a stranger's code is checked out with secrets at hand")
        return


def _runners(config: Config, workflow: _Workflow) -> Iterator[Match]:
    """Code of requests on machines of one's own: whatever it leaves there meets the next job."""
    if workflow.events.isdisjoint(_FROM_FORKS):
        return
    for entry in workflow.runners:
        if str(entry.value) == "self-hosted":
            yield _match(config, WORKFLOW.id, entry, "code of requests runs on a machine that is kept")
            return


def _injected(config: Config, workflow: _Workflow, step: _Step) -> Iterator[Match]:
    """A stranger's text becomes part of a script, at once or by way of a variable that is put into its text."""
    if step.script is None:
        return
    text = str(step.script.value)
    direct = _STRANGERS.search(text) is not None
    by_way = any(_STRANGERS.search(step.env.get(found[1], "")) for found in _ENV.finditer(text))
    if direct or by_way:
        severity, confidence = (HIGH, 750) if workflow.privileged else (MEDIUM, 600)
        yield _match(
            config,
            WORKFLOW.id,
            step.script,
            "a stranger's text becomes part of a script",
            severity,
            confidence,
        )


def _piped(config: Config, step: _Step) -> Iterator[Match]:
    if step.script is None:
        return
    text = str(step.script.value)
    for shell in _INTO_SHELL.finditer(text):
        start = max(text.rfind("\n", 0, shell.start()), shell.start() - 300) + 1
        fetch = _FETCH.search(text, start, shell.start())
        if fetch is not None and hosts.classify(text[fetch.start() : shell.end()]) > hosts.Host.INSTALLER:
            yield _match(config, WORKFLOW.id, step.script, "a download is piped into a shell")
            return


def _pinned(config: Config, step: _Step) -> Iterator[Match]:
    found = _ACTION.match(str(step.uses.value)) if step.uses is not None else None
    if found is None or step.uses is None or config.quoted:
        return
    if found[1].lower() in _OWN or _HASH.match(found[3]):
        return
    moving = found[3] in _BRANCHES
    yield config.match(
        UNPINNED.id, step.uses.first, step.uses.last, evidence=str(step.uses.value)[:200],
        severity=MEDIUM if moving else LOW, confidence=500 if moving else 450,
        adjustments=("a branch moves with every commit",) if moving else (),
    )  # fmt: skip


# -- secrets ---------------------------------------------------------------------------------------------


class _Listener:
    """Hears where the secrets of a step go."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []

    def reached(self, sink: Sink, tags: frozenset[Tag]) -> None:
        """A secret reaches the network."""
        if sink.kind == "send" and sink.channel != "header":
            self.sent += [(tag.what, sink.target) for tag in sorted(tags) if tag.kind == "given"]

    def called(self, call: ShellCall) -> None:
        """Nothing is noted of a command."""

    def wrote(self, call: ShellCall, path: str, value: ShellValue) -> None:
        """Nothing is noted of a file."""


def _sent(config: Config, step: _Step) -> Iterator[Match]:
    """1. all secrets at once in a script; 2. one in a form that the log does not mask; 3. one sent in a body or address."""
    if step.script is None:
        return
    text = str(step.script.value)
    secret_env = {name: value for name, value in step.env.items() if _SECRET.search(value)}
    everything = [name for name, value in step.env.items() if _ALL_SECRETS.search(value)]
    if _ALL_SECRETS.search(text) or any(name in text for name in everything):  # 1
        severity, confidence = (Severity.CRITICAL, 800) if _FETCH.search(text) else (HIGH, 700)
        yield _match(
            config, SECRETS.id, step.script, "all secrets at once are given to a script", severity, confidence
        )
        return
    names = [name for name in secret_env if f"${name}" in text or f"${{{name}}}" in text]
    for line in text.split("\n"):  # 2
        holds = _SECRET.search(line) is not None or any(f"${n}" in line or f"${{{n}}}" in line for n in names)
        if (
            holds
            and "echo" in line
            and _UNMASKED.search(line)
            and not _FETCH.search(line)
            and ">" not in line
        ):
            yield _match(
                config, SECRETS.id, step.script, "a secret is written to the log in another form", HIGH, 650
            )
            return
    if (names or _SECRET.search(text)) and _FETCH.search(text):  # 3
        for name, target in _follow(text, secret_env):
            host = hosts.classify(target) if "://" in target else hosts.Host.UNKNOWN
            if host <= hosts.Host.INSTALLER or target.startswith("$") or _belongs(name, target):
                continue  # a secret that is the address itself is the address of a webhook
            severity, confidence = (Severity.CRITICAL, 800) if host is hosts.Host.SUSPECT else (HIGH, 600)
            what = f"{name[:60]} is sent to {target[:100] or 'another machine'}"
            yield _match(config, SECRETS.id, step.script, what, severity, confidence)
            return


def _follow(text: str, env: dict[str, str]) -> list[tuple[str, str]]:
    """Where the secrets in a script of a shell go, by the flow of shell texts."""
    from sluicegate.vet.inspect.analyzers.shflow.flow import ShellFlow
    from sluicegate.vet.inspect.analyzers.shflow.memory import ShellState
    from sluicegate.vet.inspect.analyzers.shflow.values import ShellValue, Tag

    held = {name: ShellValue(frozenset({Tag("given", name)}), f"${name}") for name in env}

    def named(found: re.Match[str]) -> str:
        name = f"SLUICEGATE_{found[1] or 'SECRET'}"
        held[name] = ShellValue(frozenset({Tag("given", found[1] or "a secret")}), f"${name}")
        return f"${{{name}}}"

    plain = _EXPRESSION.sub("x", _SECRET.sub(named, text[:65_536]))
    listener = _Listener()
    ShellFlow(listener, ShellState(steps=20_000, variables=held)).read(plain)
    return listener.sent


def _belongs(name: str, target: str) -> bool:
    """Whether a secret is sent to the service that it is named after, which is what it is for."""
    words = [word for word in name.lower().split("_") if len(word) > 3 and word not in _NO_OWNER]
    asked = [host for _, host in hosts.urls(target)]
    return any(word in host for word in words for host in asked) or any(
        host.endswith(("slack.com", "discord.com", "telegram.org", "webhook.office.com"))
        and "webhook" in name.lower()
        for host in asked
    )


_NO_OWNER = frozenset(
    "token secret password access api keys auth private public user deploy prod stage bearer".split()
)


def _match(
    config: Config,
    rule_id: str,
    entry: ConfigScalar,
    why: str,
    severity: Severity | None = None,
    confidence: int | None = None,
) -> Match:
    own = WORKFLOW if rule_id == WORKFLOW.id else SECRETS
    severity, confidence = severity or own.severity, confidence or own.confidence
    reasons = () if (severity, confidence) == (own.severity, own.confidence) else (why,)
    if config.quoted:
        severity, confidence, reasons = (
            min(severity, MEDIUM),
            min(confidence, 500),
            (*reasons, "it is an example in a text"),
        )
    return config.match(
        rule_id,
        entry.first,
        entry.last,
        message=f"{own.why} Here: {why}.",
        severity=severity,
        confidence=confidence,
        adjustments=reasons,
        trace=config.constants(),
    )

"""Intent against behaviour: what a skill promises, against what the other analyzers saw it do.

Each line of such a skill may be innocent: a table formatter may read a key, and a table formatter may ask a
server; one that does both, and names neither the key's owner nor the server, has another purpose. The other
way round, a skill that asks for more than it uses leaves room for what is added later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from sluicegate.known import hosts, places
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.purpose import Promise, Purpose, holds_secret, promise_of
from sluicegate.vet.inspect.analyzers.rights import MENTIONS, RightsReach, reach
from sluicegate.vet.inspect.analyzers.structures.facts import BundleFacts, span_of_lines
from sluicegate.vet.inspect.analyzers.structures.manifest import declared_tools
from sluicegate.vet.inspect.rule import Capability, Inspected, Match, Rule, RuleKind, Subject, by_id
from sluicegate.vet.intake.bundle import CODE, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Finding, Severity

BEYOND = Rule(
    id="behaviour-beyond-purpose",
    title="Does what its description does not mention",
    category=Category.LEAST_PRIVILEGE,
    severity=Severity.HIGH,
    confidence=800,
    kind=RuleKind.STRUCTURE,
    why="The name and text of a skill are what people agree to. Code that reaches for secrets, machines or rights which they "
    "do not mention serves a purpose that nobody agreed to.",
    fix="Say in the description what is read, and where it is sent; or remove the code that does it.",
    references=("ASI02", "ASI09", "LLM06", "CWE-250", "CWE-506"),
)
UNUSED = Rule(
    id="unused-permission",
    title="The manifest asks for a permission that nothing uses",
    category=Category.LEAST_PRIVILEGE,
    severity=Severity.LOW,
    confidence=400,
    kind=RuleKind.STRUCTURE,
    why="A permission that is not needed today is there for whatever is added tomorrow, or for whoever takes the skill over.",
    fix="Ask for what the skill uses, and no more.",
    references=("ASI02", "LLM06", "CWE-250"),
)

STANDS = 400
"""Confidence from which a finding of another rule counts as an act."""
SAID = 120
"""Letters of the description that the message quotes."""
SHOWN = 4
"""Examples of one kind that the evidence names."""

_ENVIRONMENT = lazy(r"\benv(?:iron)?\b|\bprintenv\b|\bENV\b|\bexport -p\b|\$env:|getenv", re.IGNORECASE)
"""What names the environment in a program of another language."""
_REMOTE = frozenset({Category.REMOTE_CODE, Category.OBFUSCATION})
_MACHINE = frozenset({Category.PRIVILEGE_ESCALATION, Category.DESTRUCTIVE, Category.MALWARE})
_STAYS = frozenset({Category.PERSISTENCE})
_PROGRAMS = (".py", ".js", ".mjs", ".cjs", ".ts")
_SENDS = frozenset({Category.EXFILTRATION})
_GATHERS = frozenset({"python-secrets-collected"})
_SHELLS = (
    "bash",
    "shell",
    "terminal",
    "exec",
    "execute",
    "command",
    "run_command",
    "system.run",
    "code_execution",
)
_WEBS = (
    "webfetch",
    "websearch",
    "network",
    "http",
    "internet",
    "browser",
    "fetch",
    "web_search",
    "web_fetch",
)
_WEB_WORDS = frozenset(
    "web url urls http https search online internet fetch browse browser website site page download link links api research "
    "documentation docs latest source sources citation citations".split()
)


class _Seen(NamedTuple):
    """The behaviour of one bundle that its promise does not cover, each as words for people."""

    stores: tuple[str, ...]
    secrets: tuple[str, ...]
    owners: int
    hosts: tuple[str, ...]
    sends: bool
    gathers: bool
    remote: tuple[str, ...]
    runs: bool
    machine: tuple[str, ...]
    rights: bool
    somewhere: bool


class IntentAnalyzer:
    """Compares the promise of a SKILL.md with the capabilities and findings of the analyzers before it."""

    rules: Mapping[str, Rule] = by_id((BEYOND, UNUSED))

    def inspect(self, subject: Subject) -> Inspected:
        """At most one finding of each rule; the promise is read only where something may break it."""
        facts = BundleFacts(subject)
        if facts.manifest is None:
            return Inspected()
        matches: list[Match] = []
        if _worth_a_look(subject):
            promise = promise_of(facts.manifest.text)
            seen = _seen(subject, promise)
            judged = _judge(seen, promise)
            if judged is not None:
                severity, confidence, what = judged
                match = _match(facts.manifest.path, promise, severity, confidence, what, _trace(seen))
                matches.append(match._replace(found=_acts(subject), places=_statements(subject, promise)))
        matches += _unused(facts, subject)
        return Inspected(matches=tuple(matches))


def _worth_a_look(subject: Subject) -> bool:
    """Whether anything was found that some promise would not cover."""
    return any(
        finding.category in _REMOTE | _MACHINE | _STAYS | _SENDS and finding.severity >= Severity.MEDIUM
        for finding in subject.findings
    ) or any(_touches(capability) for capability in subject.capabilities)


def _touches(capability: Capability) -> bool:
    kind, _, value = capability.name.partition(":")
    return (
        kind == "net"
        or (kind == "env" and (value == "*" or holds_secret(value)))
        or (kind == "fs" and places.secret(value[2:]))
    )


def _seen(subject: Subject, promise: Promise) -> _Seen:
    """1. Hosts that nothing in the promise is named after. 2. Stores of credentials. 3. Secrets of others, and the
    whole environment. 4. What other rules found, where it stands. 5. How much of it the rights that are taken reach."""
    named = [(*c.name.partition(":")[::2], c) for c in subject.capabilities]
    every = frozenset(value for kind, value, _ in named if kind == "net")
    strange = [
        (value, c)
        for kind, value, c in named
        if kind == "net" and value != "*" and not promise.knows_host(value)
    ]  # 1
    knows = promise.expects(Purpose.SECRETS, Purpose.SECURITY)
    stores = [] if knows else [
        (value[2:], c) for kind, value, c in named if kind == "fs" and value[:2] == "r:" and places.secret(value[2:])
    ]  # fmt: skip  # 2
    acts = [f for f in subject.findings if f.severity >= Severity.MEDIUM]
    standing = [f for f in acts if f.confidence >= STANDS]  # 4
    taken = _rights(subject, standing, promise)  # 5
    sends = any(f.category in _SENDS and f.severity >= Severity.HIGH for f in acts)
    leaves = sends and bool(strange)
    secrets = [] if promise.expects(Purpose.SECURITY) else [
        (v, c)
        for kind, v, c in named
        if kind == "env" and _foreign(v, promise, every, leaves=leaves) and not (v == "*" and _inherited(subject))
    ]  # fmt: skip  # 3
    owners = {promise.unmentioned_owner(v) for k, v, _ in named if k == "env" and holds_secret(v)} - {""}
    stays = _titles(standing, _STAYS)
    return _Seen(
        stores=_places(stores),
        secrets=_places(secrets),
        owners=len(owners) + any(value == "*" for value, _ in secrets),
        hosts=_places(strange) or _asked(standing, promise),
        sends=sends,
        gathers=any(f.rule in _GATHERS for f in acts),
        remote=_titles(standing, _REMOTE) + stays,
        runs=any(f.category in _REMOTE and f.severity >= Severity.HIGH for f in standing),
        machine=_titles(
            [f for f in standing if _changes(f) and taken.get(f) is not RightsReach.ORDINARY], _MACHINE
        )
        + (stays if len(stays) > 1 else ()),
        rights=RightsReach.MACHINE in taken.values(),
        somewhere=bool(every),
    )


def _foreign(variable: str, promise: Promise, hosts: frozenset[str], *, leaves: bool) -> bool:
    """Whether a variable holds a secret of something that is not mentioned. Keys that nearly every program takes
    count only when a secret was seen to leave for a host that is not mentioned."""
    if variable == "*":
        return True
    return holds_secret(variable) and (
        not promise.knows_secret(variable, hosts) or (leaves and promise.unmentioned_owner(variable) != "")
    )


def _inherited(subject: Subject) -> bool:
    """Whether the whole environment is copied in Python alone, and for nothing but children."""
    from sluicegate.vet.inspect.analyzers.pyflow.judging.inherited import only_inherited

    programs = [view for view in subject.views if view.language in CODE and not view.origin]
    return all(
        only_inherited(view.text) if view.language is Kind.PYTHON else _ENVIRONMENT.search(view.text) is None
        for view in programs
    ) and not any(
        view.language is Kind.PYTHON and view.origin and "environ" in view.text for view in subject.views
    )


@cache
def _followed() -> frozenset[str]:
    """Rules that follow the values of programs in Python, JavaScript and TypeScript."""
    from sluicegate.vet.inspect.analyzers.jsflow.rules import OWN as JAVASCRIPT
    from sluicegate.vet.inspect.analyzers.pyflow.rules import OWN as PYTHON

    return frozenset(rule.id for rule in (*JAVASCRIPT, *PYTHON))


def _changes(finding: Finding) -> bool:
    """Whether a finding says that the machine is changed; a text in a program of another language may be one it looks for."""
    if finding.location.path.endswith(_PROGRAMS) and finding.rule not in _followed():
        return False
    return finding.category is Category.PRIVILEGE_ESCALATION or finding.severity >= Severity.HIGH


def _rights(subject: Subject, standing: Sequence[Finding], promise: Promise) -> Mapping[Finding, RightsReach]:
    """What each finding about rights takes."""
    found = [f for f in standing if f.category is Category.PRIVILEGE_ESCALATION and _changes(f)]
    if not found:
        return {}
    files = [artifact.path for artifact in subject.bundle.artifacts]
    containers = any(promise.mentions(word) for word in MENTIONS)
    fetched = any(f.category in _REMOTE and f.severity >= Severity.MEDIUM for f in subject.findings)
    return {f: reach(f, files, containers=containers, fetched=fetched) for f in found}


def _asked(standing: Sequence[Finding], promise: Promise) -> tuple[str, ...]:
    """Strange hosts in what remote code was fetched from, where the text was too broken to see a capability."""
    found = (host for f in standing if f.category in _REMOTE for _, host in hosts.urls(f.evidence))
    return tuple(dict.fromkeys(host for host in found if not promise.knows_host(host)))


def _places(found: Sequence[tuple[str, Capability]]) -> tuple[str, ...]:
    return tuple(
        f"{'the whole environment' if value == '*' else value} ({c.path}:{c.line})" for value, c in found
    )


def _titles(findings: Sequence[Finding], categories: frozenset[Category]) -> tuple[str, ...]:
    found = {f.rule: f for f in reversed(findings) if f.category in categories}
    return tuple(f"{name} ({f.location.begin})" for name, f in sorted(found.items()))


def _judge(seen: _Seen, promise: Promise) -> tuple[Severity, int, tuple[str, ...]] | None:
    """How far behaviour is from the promise: severity, confidence, and what was seen. The first that holds:

    1. Secrets of others go out: a rule saw the transfer, and no mentioned host takes them.
    2. Secrets of several others are gathered into one text.
    3. Secrets or stores, and a host, neither mentioned (far, when the work is plain or something was seen to go out).
    4. Secrets or stores, and something goes out to a host that is mentioned.
    5. A host that is never mentioned is asked: for code to run, by obfuscated code, with data (these are far, when
       nothing is said of setting anything up), or by something that stays.
    6. A store, or secrets of several others, are read for plain work.
    7. The machine is changed, and the description is about something else (far, when the rights that are
       taken reach the machine).
    8. A host that is never mentioned is asked, for plain work.
    """
    taken = (*seen.stores, *seen.secrets)
    plain = not promise.expects(Purpose.NETWORK, Purpose.SECRETS, Purpose.ADMIN, Purpose.SECURITY)
    if taken and seen.sends and (seen.hosts or seen.owners > 1 or not seen.somewhere):  # 1
        return Severity.CRITICAL, 700, (*taken, *seen.hosts)
    if seen.gathers and seen.owners > 1:  # 2
        return Severity.CRITICAL, 600, taken
    if taken and seen.hosts:  # 3
        far = plain or seen.sends
        return Severity.CRITICAL if far else Severity.HIGH, 550 if far else 800, (*taken, *seen.hosts)
    if taken and seen.sends:  # 4
        return Severity.HIGH, 800, taken
    if (seen.remote or seen.sends) and seen.hosts and not promise.expects(Purpose.SECURITY):  # 5
        far = (seen.runs or seen.sends) and not promise.expects(Purpose.ADMIN)
        return Severity.CRITICAL if far else Severity.HIGH, 550 if far else 800, (*seen.remote, *seen.hosts)
    if seen.stores or (plain and seen.owners > 1):  # 6
        return Severity.HIGH, 700, taken
    if seen.machine and not promise.expects(Purpose.ADMIN, Purpose.SECURITY):  # 7
        return Severity.CRITICAL if seen.rights else Severity.HIGH, 550 if seen.rights else 600, seen.machine
    if seen.hosts and plain and promise.expects(Purpose.PLAIN):  # 8
        return Severity.MEDIUM, 500, seen.hosts
    return None


def _trace(seen: _Seen) -> tuple[str, ...]:
    """All that was seen, without the lines where it was: of the promise nothing, which people may put better."""
    parts = (("store", seen.stores), ("secret", seen.secrets), ("host", seen.hosts), ("remote", seen.remote))
    return tuple(
        f"{role}={word.rpartition(' (')[0] or word}"
        for role, words in (*parts, ("machine", seen.machine))
        for word in words
    )


def _acts(subject: Subject) -> tuple[int, ...]:
    """The findings that say what the skill does: what was agreed to ends when one of these does."""
    kinds = _REMOTE | _MACHINE | _STAYS | _SENDS
    return tuple(
        number for number, f in enumerate(subject.findings)
        if f.severity >= Severity.MEDIUM and (f.category in kinds or f.rule in _GATHERS)
    )  # fmt: skip


def _statements(subject: Subject, promise: Promise) -> tuple[tuple[View, int, int], ...]:
    """Where the hosts and secrets that are reached stand."""
    raw = {view.path: view for view in subject.views if not view.origin}
    reached = (
        c for c in subject.capabilities
        if _touches(c) and not (c.name.startswith("net:") and promise.knows_host(c.name[4:])) and c.path in raw
    )  # fmt: skip
    return tuple((raw[c.path], *span_of_lines(raw[c.path], c.line, c.line)) for c in reached)


def _match(
    path: str,
    promise: Promise,
    severity: Severity,
    confidence: int,
    what: tuple[str, ...],
    trace: tuple[str, ...],
) -> Match:
    shown = ", ".join(what[: 2 * SHOWN])
    named = ", ".join(dict.fromkeys(word.partition(" (")[0] for word in what))
    said = " ".join(promise.description.split())
    told = f"says '{said[:SAID]}{'…' if len(said) > SAID else ''}'" if said else "says nothing"
    same = (severity, confidence) == (BEYOND.severity, BEYOND.confidence)
    return Match(
        rule=BEYOND.id,
        path=path,
        evidence=named,
        message=f"Its description {told}. It reaches for {shown}",
        severity=severity,
        confidence=confidence,
        adjustments=() if same else ("it depends on how far the behaviour is from the description",),
        trace=trace,
    )


def _unused(facts: BundleFacts, subject: Subject) -> Iterator[Match]:
    """A shell that nothing needs, or the network for work that never leaves the machine."""
    config, tools = declared_tools(facts)
    if config is None or not tools or facts.manifest is None:
        return
    programs = any(view.language in CODE for view in subject.views)
    for tool, first, last in tools:
        name = tool.partition("(")[0].lower()
        if name in _SHELLS and not programs and not subject.capabilities and "`" not in facts.manifest.text:
            why = "nothing in the skill is a command or a program"
        elif name in _WEBS and not _talks(subject) and not _says_web(facts.manifest.text):
            why = "nothing in the skill talks to another machine"
        else:
            continue
        yield config.match(
            UNUSED.id, first, last, evidence=tool, message=f"{tool} is asked for, and {why}. {UNUSED.why}"
        )
        return


def _talks(subject: Subject) -> bool:
    return any(c.name.startswith("net:") for c in subject.capabilities)


def _says_web(text: str) -> bool:
    body = text.partition("\n---")[2].lower()
    return not _WEB_WORDS.isdisjoint(
        body.replace("/", " ").replace("-", " ").replace(".", " ").replace(",", " ").split()
    )

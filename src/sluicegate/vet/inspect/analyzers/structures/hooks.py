"""Hooks that the skill brings: what an agent runs, sends or asks a model by itself at an event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sluicegate.known import hosts, names
from sluicegate.known.hosts import Host
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.purpose import (
    Promise,
    holds_secret,
    owner_name,
    promise_of,
    secret_words,
)
from sluicegate.vet.inspect.analyzers.structures.approval import loaded
from sluicegate.vet.inspect.analyzers.structures.facts import CONFIGURATION, base_name
from sluicegate.vet.inspect.analyzers.structures.grants import covers, granted
from sluicegate.vet.inspect.analyzers.structures.recipes import fetches_package
from sluicegate.vet.inspect.analyzers.structures.registry import (
    CRITICAL,
    HIGH,
    LOW,
    MEDIUM,
    BundleFacts,
    Config,
    rule,
    structure_rule,
)
from sluicegate.vet.inspect.analyzers.structures.weigh import Weight, weigh
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.agent_files import is_hook, is_named_hook
from sluicegate.vet.intake.views.configs.document import ConfigScalar, Path
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Severity

HOOK = rule(
    "agent-hook-command", "A hook makes the agent run a command by itself", Category.AGENT_CONFIGURATION, MEDIUM, 550,
    why="A hook runs outside the conversation: no model decides it, and in most agents nobody is asked.",
    fix="Read the command. Keep hooks in your own settings, not in a skill's.",
    references=("ASI02", "ASI05", "CWE-94"),
)  # fmt: skip
SENDS = rule(
    "agent-hook-sends", "A hook sends what the agent does to an address", Category.EXFILTRATION, MEDIUM, 600,
    why="At each event the agent posts what happened to this address by itself: prompts, the input of tools, their results, paths. "
    "Nobody is asked, and it never shows in the conversation.",
    fix="Send nothing, or say in the description what is sent, where to and why, and let the user set it up.",
    references=("ASI02", "LLM02", "AML.T0086", "CWE-200"),
)  # fmt: skip
ASKS = rule(
    "agent-hook-prompt", "A hook gives a model orders that nobody typed", Category.AGENT_CONFIGURATION, MEDIUM, 600,
    why="The prompt of a hook is obeyed at each event without the user. One that answers for tools decides what they may do, and "
    "one that starts an agent does whatever its words say.",
    fix="Read the prompt. Keep hooks in your own settings, not in a skill's.",
    references=("ASI01", "ASI02", "LLM06"),
)  # fmt: skip

_EVENTS = frozenset(
    """PreToolUse PostToolUse PostToolUseFailure Notification UserPromptSubmit SessionStart SessionEnd Stop StopFailure
    SubagentStart SubagentStop PreCompact PostCompact PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated
    TaskCompleted ConfigChange InstructionsLoaded WorktreeCreate WorktreeRemove CwdChanged FileChanged Elicitation
    ElicitationResult beforeShellExecution afterShellExecution beforeMCPExecution afterMCPExecution afterFileEdit
    beforeReadFile beforeSubmitPrompt afterAgentResponse afterAgentThought subagentStart subagentStop preCompact stop
    postToolUseFailure BeforeTool AfterTool BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection
    sessionStart sessionEnd preToolUse postToolUse userPromptSubmitted errorOccurred agentSpawn userPromptSubmit""".split()
)
_PERMITTING = frozenset(
    "pretooluse permissionrequest permissiondenied beforeshellexecution beforemcpexecution beforereadfile beforetool".split()
)
"""Events, in lower case, at which the answer of a hook decides whether a tool may go on."""
_KINDS_OF_HOOK = frozenset({"command", "prompt", "agent", "http"})
_HELPERS = ("apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "otelHeadersHelper", "statusLine")

# -- commands ------------------------------------------------------------------------------------------------


@structure_rule(HOOK, SENDS, ASKS)
def hooks(facts: BundleFacts) -> Iterator[Match]:
    """Hooks of every kind, in whatever file or example they stand."""
    yield from _commands(facts)
    yield from _others(facts)


def _commands(facts: BundleFacts) -> Iterator[Match]:
    """Commands that an agent runs at an event."""
    for view in facts.views:
        step = view.origin[-1] if view.origin else None
        if step is None or step.kind != "command" or view.text.strip() in _KINDS_OF_HOOK:
            continue
        place, _, event = step.detail.partition(".")
        helper = step.detail.split(".", 1)[0] in _HELPERS
        alone = place == "then" and is_hook(view.path)
        table = place == "hooks" and (event in _EVENTS or _loaded(view))
        notify = (
            step.detail == "notify" and base_name(view.path) == "config.toml"
        )  # after each turn, of Codex
        if not (helper or alone or table or notify):
            continue
        quoted = any(s.kind == "fence" for s in view.origin)
        severity, confidence, why = _command(facts, view, quoted=quoted)
        yield Match(
            rule=HOOK.id, view=view, start=0, end=max(1, len(view.text)), severity=severity, confidence=confidence,
            message=f"{step.detail}: {HOOK.why}", adjustments=(why,),
        )  # fmt: skip


def _command(facts: BundleFacts, view: View, *, quoted: bool) -> tuple[Severity, int, str]:
    """1. Plain harm. 2. What leaves the machine. 3. What outlasts the hook. 4. Code of the skill. 5. The rest."""
    own = facts.own_code
    # 1
    weight = weigh(view.text)
    if weight is Weight.HARM:
        severity, confidence = (HIGH, 700) if quoted else (CRITICAL, 800)
        return severity, confidence, "it fetches and runs, hides, or sends credentials"
    # 2, 3
    line = own.read(view, view.text)
    loud = (
        "it reaches the network, a credential or an encoding" if weight is Weight.LOUD
        else "it sends to another machine" if line.remote
        else "it writes what starts by itself later, or has it started" if line.starts
        else ""
    )  # fmt: skip
    if loud:
        severity, confidence = (MEDIUM, 500) if quoted else (HIGH, 650)
        return severity, confidence, loud
    # 4
    what = own.run_by(line)
    if what:
        if view.origin[0].kind == "front-matter":
            return HIGH, 600, f"loading the skill sets the hook up, and it runs {what}"
        if own.only_settings(line):
            return LOW, 300, "it runs a linter, whose settings in the skill only name rules"
        return LOW if quoted else MEDIUM, 500, f"it runs {what}, which is inspected too"
    # 5
    plain = weight is Weight.HARMLESS and line.known
    if view.origin[0].kind == "front-matter" and any(map(fetches_package, line.commands)):
        return MEDIUM, 600, "loading the skill sets the hook up, and it fetches a package and runs it"
    if line.instructs and not quoted:
        return MEDIUM, 600, "it writes what agents go by: instructions, memory or settings"
    if line.sends and not quoted:
        return MEDIUM, 600, "it publishes or pushes what is there, and nobody is asked"
    if view.origin[0].kind == "front-matter" and covers(granted(facts, view.path), view.text):
        return MEDIUM, 600, "loading the skill sets the hook up, and the skill grants the command to itself"
    if plain or quoted:
        return LOW, 300, "it runs an ordinary tool" if plain else "it is an example"
    return MEDIUM, 550, "it runs a program that is not in the skill"


# -- what is sent, asked or called -----------------------------------------------------------------------------

_ADDRESSES = ("url", "uri", "endpoint", "httpurl", "serverurl", "webhook", "webhookurl", "address")
_PROMPTS = ("prompt", "instructions", "instruction")
_TOOLS = ("mcp_tool", "mcptool", "mcp", "tool")
_ALLOWED_IN = ("allowedenvvars", "env", "environment", "passenv")
_VARIABLE = lazy(r"\$\{?(?:env[:.])?([A-Za-z_]\w{0,80})")
_VALUE = 4096
"""Characters of one value that are looked at."""


class Hook(NamedTuple):
    """One entry of a table of hooks: its event, and its values with the keys below the entry, in lower case."""

    config: Config
    event: str
    entries: tuple[tuple[tuple[str, ...], ConfigScalar], ...]

    def values(self, keys: Iterable[str]) -> list[str]:
        """Every value under one of these keys. A key may stand twice, and agents differ in which of them they take."""
        return [str(e.value)[:_VALUE] for path, e in self.entries if path[0] in keys and str(e.value).strip()]

    @property
    def kinds(self) -> frozenset[str]:
        """The types that the entry gives itself, in lower case; mostly one."""
        return frozenset(value.strip().lower() for value in self.values(("type",)))

    def match(self, rule_id: str, severity: Severity, confidence: int, evidence: str, why: str) -> Match:
        """A match on the lines of the entry, less severe where it is an example in a text."""
        quoted = self.config.quoted
        if quoted:
            severity, confidence = _QUOTED[severity]
        return self.config.match(
            rule_id, min(e.first for _, e in self.entries), max(e.last for _, e in self.entries),
            evidence=f"{self.event}: {evidence}"[:400], severity=severity, confidence=confidence,
            adjustments=(why, "it is an example") if quoted else (why,),
            trace=tuple(f"{'.'.join(path)}={str(e.value)[:_VALUE]}" for path, e in self.entries),
        )  # fmt: skip


_QUOTED = {CRITICAL: (HIGH, 600), HIGH: (MEDIUM, 450), MEDIUM: (LOW, 300), LOW: (LOW, 300)}


def _loaded(view: View) -> bool:
    """Whether an agent loads this as settings, so that hooks at events that are not known here count, too."""
    return loaded(view.path) or (bool(view.origin) and view.origin[0].kind == "front-matter")


def _hooks(facts: BundleFacts) -> Iterator[Hook]:
    """Every entry of every table of hooks that some agent may load or a text shows."""
    for config in facts.configs(("hooks",)):
        known = _loaded(config.view)
        found: dict[tuple[str, Path], list[tuple[tuple[str, ...], ConfigScalar]]] = {}
        for entry in config.document.entries:
            path = entry.path
            at = path.index("hooks") + 1 if "hooks" in path else len(path)
            event = path[at] if at < len(path) else 0
            if not isinstance(event, str) or not (known or event in _EVENTS):
                continue
            below = at + 1
            while below < len(path) and (isinstance(path[below], int) or path[below] == "hooks"):
                below += 1
            keys = _keys(path[below:])
            if keys:
                found.setdefault((event, path[:below]), []).append((keys, entry))
        for (event, _), entries in found.items():
            yield Hook(config, event, tuple(entries))
    yield from _files(facts)


def _files(facts: BundleFacts) -> Iterator[Hook]:
    """Hooks that are a file each: what is done ``then``, at the event that ``when`` names."""
    for view in facts.raw:
        if not is_hook(view.path) or not view.text.strip():
            continue
        config = facts.config(view) if view.language in CONFIGURATION else None
        entries = config.document.entries if config is not None else ()
        event = next((str(e.value) for e in entries if e.path == ("when", "type")), "event")
        done = tuple((keys, e) for e in entries if e.path[:1] == ("then",) and (keys := _keys(e.path[1:])))
        if config is not None and done:
            yield Hook(config, event, done)
        elif is_named_hook(view.path):
            facts.left(view, "a hook of which it is not known here what it does")


def _keys(path: Path) -> tuple[str, ...]:
    """The names on a path, in lower case."""
    return tuple(part.lower() for part in path if isinstance(part, str))


def _others(facts: BundleFacts) -> Iterator[Match]:
    """Hooks that are not commands: an address, a prompt, an agent, a tool of a server.

    One of a type that is not known here is a gap where an agent would load it: nobody can tell what it does.
    """
    for hook in _hooks(facts):
        addresses, prompts, kinds = hook.values(_ADDRESSES), hook.values(_PROMPTS), hook.kinds
        for address in addresses or [""] * (not kinds.isdisjoint(_POSTING)):
            yield _sends(facts, hook, address)
        for prompt in prompts or [""] * (not kinds.isdisjoint(_ASKING)):
            yield _asks(facts, hook, prompt)
        if not kinds.isdisjoint(_TOOLS):
            tool = " ".join(hook.values(("server", "mcpserver", "tool", "name")))
            yield hook.match(
                HOOK.id, MEDIUM, 600, tool, "it calls a tool of a server, with what the agent does"
            )
        unknown = sorted(kinds - _KNOWN)
        if unknown and not (addresses or prompts or hook.config.quoted):
            kind = f"a hook at {hook.event[:40]} is of the type {unknown[0][:40]!r}"
            facts.left(hook.config.view, f"{kind}, which is not known here")


_POSTING = frozenset({"http", "https", "webhook"})
_ASKING = frozenset({"prompt", "agent", "askagent"})
_KNOWN = _POSTING | _ASKING | {"command", "runcommand", *_TOOLS}


def _sends(facts: BundleFacts, hook: Hook, address: str) -> Match:
    """What a hook posts: HIGH to a host that the skill does not explain, CRITICAL with a credential in it."""
    host = _fixed(hosts.host_of(address)) if hosts.urls(address) else ""
    promise = promise_of("" if facts.manifest is None else facts.manifest.text)
    given = {name for _, e in hook.entries for name in _VARIABLE.findall(str(e.value)[:_VALUE])}
    given |= {str(e.value)[:_VALUE] for path, e in hook.entries if path[0] in _ALLOWED_IN}
    secrets = sorted(name for name in given if name == "*" or holds_secret(name))
    foreign = [name for name in secrets if name == "*" or not _belongs(name, host)]
    severity, confidence, why = _addressed(
        promise, address, host, secrets=bool(secrets), foreign=bool(foreign)
    )
    shown = f"{address}{' with ' if secrets else ''}{', '.join(secrets)}"
    return hook.match(SENDS.id, severity, confidence, shown, why)


def _fixed(host: str) -> str:
    """A host without labels in front that a variable fills in, where its owner stands behind them: ``$TEAM.acme.io``."""
    end = max(host.rfind(sign) for sign in "$}{")
    behind = host[end:].partition(".")[2] if end >= 0 else host
    return behind if "." in behind else host


def _belongs(variable: str, host: str) -> bool:
    """Whether a credential is the host's own by its name, or its name says of nobody whose it is."""
    return names.related(variable, host) or not secret_words(variable)


def _addressed(
    promise: Promise, address: str, host: str, *, secrets: bool, foreign: bool
) -> tuple[Severity, int, str]:
    """1. This machine. 2. Nobody's host. 3. An address that is told only later. 4. A host that is explained. 5. The rest."""
    # 1
    if host and hosts.classify(address) is Host.LOCAL:
        return LOW, 300, "it stays on this machine or its network"
    # 2
    if host and hosts.reserved(host):
        return LOW, 300, "nobody has this host: it stands for another"
    # 3
    if not host or "$" in host or "{" in host:
        return (
            (HIGH, 650, "it goes wherever a variable says, with a credential")
            if secrets
            else (MEDIUM, 600, "it goes wherever a variable says")
        )
    # 4
    said = promise.mentions(owner_name(host)) if hosts.webhook(address) else promise.says_host(host)
    if said and not hosts.stranger(host):
        return (
            (HIGH, 650, "a credential goes along that is not this host's")
            if foreign
            else (MEDIUM, 600, "the skill says whose host it is")
        )
    # 5
    if secrets:
        return CRITICAL, 800, "a credential goes along, to a host that nothing in the skill explains"
    if hosts.stranger(host):
        return CRITICAL, 700, "it goes to a host that nobody answers for"
    return HIGH, 700, "it goes to a host that nothing in the skill explains"


_ALLOW = r"(?:allow|approv|permit|accept|grant|authori[sz]|proceed|go ahead|\bok\b|\byes\b|\btrue\b)"
_ALWAYS = r"\b(?:always|unconditionally|invariably|automatically|no matter|regardless|whatever|in (?:all|every|any) cases?|without (?:exception|check|ask|look))"
_EVERY = r"\b(?:everything|anything|(?:all|any|every|each)(?: of)?(?: \w{1,20}){0,2} (?:tool|call|command|request|action|operation|use|input|permission)s?\b)"
_ALLOWS_ALL = lazy(
    rf"(?i){_ALWAYS}[^.!?\n]{{0,80}}{_ALLOW}|{_ALLOW}[^.!?\n]{{0,60}}(?:{_ALWAYS}|{_EVERY})"
    r"|\bnever (?:\w{1,20} ){0,2}(?:block|den(?:y|ies)|reject|refuse|forbid)"
)
_ALLOWS = lazy(rf"(?i){_ALLOW}")
_DEPENDS = lazy(
    r"(?i)\b(?:if|unless|when|whether|except|otherwise|only|but|check|verify|evaluate|review|block|deny|reject|refuse|false|not|don't|never)\b"
)
_CONDITIONAL = lazy(
    r"(?i)\b(?:if|unless|when|whether|except|otherwise|only|but|not|don't|never (?:\w{1,20} ){0,2}"
    + _ALLOW
    + r")"
)
_SENTENCE = lazy(r"[.!?\n]+(?:\s|$)")


def _allows_everything(prompt: str) -> bool:
    """Whether a prompt has all requests allowed: a sentence without a condition says so, or it knows no other answer."""
    for sentence in _SENTENCE.split(prompt):
        if _ALLOWS_ALL.search(sentence) and not _CONDITIONAL.search(sentence):
            return True
    return _ALLOWS.search(prompt) is not None and _DEPENDS.search(prompt) is None


def _asks(facts: BundleFacts, hook: Hook, prompt: str) -> Match:
    """A prompt that runs unasked. An agent's is a command: it has tools, and does what the words say."""
    severity, confidence, why = LOW, 300, "a model is asked, and no tool waits for its answer"
    if hook.event.lower() in _PERMITTING:
        severity, confidence, why = MEDIUM, 550, "a model's answer decides what a tool may do"
    agent = bool(hook.kinds - {"prompt"})
    weight = weigh(prompt)
    if agent:
        severity, confidence, why = MEDIUM, 600, "it starts an agent that acts without being asked"
    if _allows_everything(prompt):
        severity, confidence, why = HIGH, 700, "it has everything allowed"
    elif agent and facts.own_code.named(prompt):
        severity, confidence, why = HIGH, 600, "it starts an agent that runs a file of the skill"
    if weight >= Weight.LOUD:
        severity, confidence, why = HIGH, 700, "it reaches the network, a credential or an encoding"
        if agent and weight is Weight.HARM:
            severity, confidence, why = CRITICAL, 800, "it fetches and runs, hides, or sends credentials"
    return hook.match(ASKS.id, severity, confidence, prompt, why)

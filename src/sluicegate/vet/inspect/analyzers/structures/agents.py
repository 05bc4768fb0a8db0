"""Settings of an agent that the skill brings or tells to make: hooks and endpoints."""

from __future__ import annotations

from collections.abc import Iterable

from sluicegate.known import hosts, places
from sluicegate.known.hosts import Host
from sluicegate.vet.inspect.analyzers.structures.approval import loaded
from sluicegate.vet.inspect.analyzers.structures.registry import BundleFacts, base_name, rule, structure_rule
from sluicegate.vet.inspect.analyzers.structures.weigh import Weight, weigh
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import CODE, CONFIG, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Severity

HOOK = rule(
    "agent-hook-command", "A hook makes the agent run a command by itself", Category.AGENT_CONFIGURATION, Severity.MEDIUM, 550,
    why="A hook runs outside the conversation: no model decides it, and in most agents nobody is asked.",
    fix="Read the command. Keep hooks in your own settings, not in a skill's.",
    references=("ASI02", "ASI05", "CWE-94"),
)  # fmt: skip
ENDPOINT = rule(
    "model-endpoint-redirect", "The model's address is changed", Category.AGENT_CONFIGURATION, Severity.HIGH, 700,
    why="Whoever answers at the model's address reads every prompt and key, and writes every answer the agent obeys.",
    fix="Use the provider's own address, or a gateway that you run.",
    references=("ASI04", "LLM02", "CWE-441"),
)  # fmt: skip

_EVENTS = frozenset(
    """PreToolUse PostToolUse PostToolUseFailure Notification UserPromptSubmit SessionStart SessionEnd Stop SubagentStart
    SubagentStop PreCompact PermissionRequest Setup TeammateIdle TaskCompleted beforeShellExecution beforeMCPExecution
    afterFileEdit beforeReadFile beforeSubmitPrompt stop BeforeTool AfterTool BeforeAgent AfterAgent BeforeModel AfterModel
    sessionStart sessionEnd preToolUse postToolUse userPromptSubmitted errorOccurred""".split()
)
_KINDS_OF_HOOK = frozenset({"command", "prompt", "agent", "http"})
_HELPERS = ("apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "otelHeadersHelper", "statusLine")
_PATH_IN_BUNDLE = lazy(r"[\w./${}-]{1,200}\.(?:sh|py|js|mjs|cjs|ts|rb|pl)\b")
_OFFICIAL = lazy(
    r"(?:^|\.)(?:anthropic\.com|openai\.com|googleapis\.com|azure\.com|azure-api\.net|amazonaws\.com|openrouter\.ai|groq\.com|together\.xyz"
    r"|together\.ai|deepseek\.com|mistral\.ai|moonshot\.(?:ai|cn)|z\.ai|bigmodel\.cn|aliyuncs\.com|minimax\.(?:io|chat)|x\.ai|perplexity\.ai"
    r"|cerebras\.ai|fireworks\.ai|siliconflow\.(?:cn|com)|cloudflare\.com|vercel\.sh|helicone\.ai|portkey\.ai|nvidia\.com|huggingface\.co)$"
)
_BASE_WORDS = ("_BASE", "_HOST", "_ENDPOINT")
"""One of them stands in every name of ``_BASE_URL``."""
_BASE_URL = lazy(
    r"\b((?:ANTHROPIC|OPENAI|CLAUDE|GEMINI|GOOGLE_GEMINI|CODEX|LITELLM)_(?:API_)?(?:BASE_URL|BASE|API_BASE|HOST|ENDPOINT))"
    r"[\"']?\s{0,4}[=:]\s{0,4}[\"']?(https?://[^\s\"'<>`]{3,200})"
)


@structure_rule(HOOK)
def hooks(facts: BundleFacts) -> Iterable[Match]:
    """Commands that an agent runs at an event."""
    for view in facts.views:
        step = view.origin[-1] if view.origin else None
        if step is None or step.kind != "command" or view.text.strip() in _KINDS_OF_HOOK:
            continue
        place, _, event = step.detail.partition(".")
        helper = step.detail.split(".", 1)[0] in _HELPERS
        if not helper and (
            place != "hooks" or (event not in _EVENTS and not places.instructions("/" + view.path))
        ):
            continue
        quoted = any(s.kind == "fence" for s in view.origin)
        severity, confidence, why = _hook(facts, view, quoted=quoted)
        yield Match(
            rule=HOOK.id, view=view, start=0, end=max(1, len(view.text)), severity=severity, confidence=confidence,
            message=f"{step.detail}: {HOOK.why}", adjustments=(why,),
        )  # fmt: skip


def _hook(facts: BundleFacts, view: View, *, quoted: bool) -> tuple[Severity, int, str]:
    weight = weigh(view.text)
    if weight is Weight.HARM:
        severity, confidence = (Severity.HIGH, 700) if quoted else (Severity.CRITICAL, 800)
        return severity, confidence, "it fetches and runs, hides, or sends credentials"
    if weight is Weight.LOUD:
        severity, confidence = (Severity.MEDIUM, 500) if quoted else (Severity.HIGH, 650)
        return severity, confidence, "it reaches the network, a credential or an encoding"
    names = {base_name(path) for path in facts.artifacts}
    if any(base_name(found) in names for found in _PATH_IN_BUNDLE.findall(view.text[:1024])):
        if view.origin[0].kind == "front-matter":
            return Severity.HIGH, 600, "loading the skill sets the hook up, and it runs a file of the skill"
        return (
            Severity.LOW if quoted else Severity.MEDIUM,
            500,
            "it runs a file of the skill, which is inspected too",
        )
    if weight is Weight.HARMLESS or quoted:
        return (
            Severity.LOW,
            300,
            "it runs an ordinary tool" if weight is Weight.HARMLESS else "it is an example",
        )
    return Severity.MEDIUM, 550, "it runs a program that is not in the skill"


@structure_rule(ENDPOINT)
def endpoint(facts: BundleFacts) -> Iterable[Match]:
    """Another host in the place of the model's."""
    named = {view.path for view in facts.raw if any(word in view.text for word in _BASE_WORDS)}
    for view in facts.views if named else ():
        kinds = {step.kind for step in view.origin}
        if view.path not in named or kinds - {"fence", "front-matter"}:
            continue
        if view.language not in CODE and view.language not in CONFIG and view.language is not Kind.TEXT:
            continue
        for found in _BASE_URL.finditer(view.text):
            addresses = hosts.urls(found[2])
            official = all(
                _OFFICIAL.search(host) or "{" in host or "$" in host or "your" in host
                for _, host in addresses
            )
            if not addresses or official or hosts.classify(found[2]) is Host.LOCAL:
                continue
            effective = loaded(view.path) and "fence" not in kinds
            yield Match(
                rule=ENDPOINT.id, view=view, start=found.start(), end=found.end(),
                severity=Severity.HIGH if effective or hosts.classify(found[2]) is Host.SUSPECT else Severity.MEDIUM,
                confidence=700 if effective else 550 if "fence" not in kinds else 500,
                adjustments=() if effective else ("it is not in a file that an agent loads",),
            )  # fmt: skip
            break

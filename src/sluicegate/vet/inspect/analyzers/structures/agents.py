"""The address of the agent's model, changed by settings that the skill brings or tells to make."""

from __future__ import annotations

from collections.abc import Iterable

from sluicegate.known import hosts
from sluicegate.known.hosts import Host
from sluicegate.vet.inspect.analyzers.structures.approval import loaded
from sluicegate.vet.inspect.analyzers.structures.registry import BundleFacts, rule, structure_rule
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import CODE, CONFIG, Kind
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Severity

ENDPOINT = rule(
    "model-endpoint-redirect", "The model's address is changed", Category.AGENT_CONFIGURATION, Severity.HIGH, 700,
    why="Whoever answers at the model's address reads every prompt and key, and writes every answer the agent obeys.",
    fix="Use the provider's own address, or a gateway that you run.",
    references=("ASI04", "LLM02", "CWE-441"),
)  # fmt: skip

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

"""How each coding agent is asked one question as a plain model: its words, its settings, and where its answer stands.

None is given a tool, a skill, a server, a memory or a setting of its user; what they say home beside the answer is off.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Protocol, TypeVar

import msgspec

from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.providers.asking import (
    Count,
    FailureCode,
    ModelAnswer,
    ModelFailure,
    ModelQuestion,
    TokenUsage,
    answered,
)
from sluicegate.vet.review.providers.strict import strict

T = TypeVar("T")

PLACE = "/review"
"""Where an agent finds the files of its question, inside."""

_CODEX_OFF = (
    "shell_tool", "unified_exec", "view_image", "multi_agent", "multi_agent_v2", "goals", "apps", "plugins", "hooks",
    "image_generation", "browser_use", "computer_use", "skill_search", "tool_suggest", "memories", "sleep_tool",
    "code_mode_host", "enable_request_compression",
)  # fmt: skip


class Invocation(NamedTuple):
    """How an agent is started: arguments, variables, files at ``PLACE`` by name, and what it reads on standard input.

    ``home`` are files of its own home, by their path there: settings that it takes from nowhere else.
    """

    arguments: tuple[str, ...]
    variables: Mapping[str, str]
    files: Mapping[str, str]
    stdin: str
    home: Mapping[str, str] = {}


class AgentForm(Protocol):
    """One coding agent: the name of its program, and the variable in which it looks for its key."""

    program: str
    key: str

    def invocation(self, question: ModelQuestion, url: str) -> Invocation:
        """How it is asked."""
        ...

    def answer(self, out: bytes, errors: bytes, most: int) -> ModelAnswer | ModelFailure:
        """What it wrote, on standard output and beside."""
        ...


def _demand(question: ModelQuestion) -> str:
    """The system text with the form in it, for agents that can only be asked in words."""
    form = json.dumps(strict(question.schema), sort_keys=True)
    return f"{question.system}\n\nAnswer with one JSON object of this JSON Schema, bare, and with nothing else:\n{form}\n"


def _plain(user: str) -> str:
    """The text with a line of ours before it: agents take a text that begins with a sign of theirs for a command."""
    return f"The question follows.\n\n{user}"


class _ClaudeUsage(msgspec.Struct):
    input_tokens: Count = 0
    output_tokens: Count = 0


class _ClaudeResult(msgspec.Struct):
    type: str
    result: str = ""
    is_error: bool = False
    stop_reason: str | None = None
    api_error_status: int | None = None
    usage: _ClaudeUsage | None = None
    modelUsage: dict[str, msgspec.Raw] = {}


class ClaudeCode:
    """``claude -p``. Its own form of structured answers is a tool, so the form is asked for in words."""

    program, key = "claude", "ANTHROPIC_API_KEY"

    def invocation(self, question: ModelQuestion, url: str) -> Invocation:
        """How it is asked."""
        return Invocation(
            arguments=(
                "-p", "--bare", "--strict-mcp-config", "--tools", "", "--disable-slash-commands", "--setting-sources", "",
                "--no-session-persistence", "--model", question.model, "--system-prompt-file", f"{PLACE}/system.md",
                "--output-format", "json",
            ),
            variables={
                "ANTHROPIC_BASE_URL": url,
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(question.bounds.tokens),
                "CLAUDE_CODE_MAX_RETRIES": "0",
                "DISABLE_AUTOUPDATER": "1",
                "DISABLE_ERROR_REPORTING": "1",
                "DISABLE_TELEMETRY": "1",
            },
            files={"system.md": _demand(question)},
            stdin=_plain(question.user),
        )  # fmt: skip

    def answer(self, out: bytes, errors: bytes, most: int) -> ModelAnswer | ModelFailure:
        """The field ``result`` of the object that it prints."""
        said = _decoded(out, _ClaudeResult)
        if said is None:
            return unclear(out, errors)
        usage = TokenUsage(said.usage.input_tokens, said.usage.output_tokens) if said.usage else None
        model = next(iter(said.modelUsage), "")
        if said.is_error:
            return _told(said.api_error_status, said.result)
        if said.stop_reason == "max_tokens":
            return ModelFailure(
                FailureCode.CUT_OFF, "the answer was cut off", heard=said.result.encode()[:most], usage=usage
            )
        return answered(said.result, model, usage, most)


class _CodexItem(msgspec.Struct):
    type: str = ""
    text: str = ""
    message: str = ""


class _CodexUsage(msgspec.Struct):
    input_tokens: Count = 0
    output_tokens: Count = 0


class _CodexWords(msgspec.Struct):
    message: str = ""


class _CodexEvent(msgspec.Struct):
    type: str
    item: _CodexItem | None = None
    usage: _CodexUsage | None = None
    error: _CodexWords | None = None


class Codex:
    """``codex exec``, over the responses wire, with its own form of structured answers."""

    program, key = "codex", "REVIEW_KEY"

    def invocation(self, question: ModelQuestion, url: str) -> Invocation:
        """How it is asked."""
        server = {
            "name": '"review"', "base_url": json.dumps(url), "wire_api": '"responses"', "env_key": f'"{self.key}"',
            "request_max_retries": "0", "stream_max_retries": "0",
        }  # fmt: skip
        settings = {
            "model_provider": '"review"',
            "model_providers.review": "{"
            + ", ".join(f"{name} = {value}" for name, value in server.items())
            + "}",
            "model_instructions_file": f'"{PLACE}/system.md"',
            "approval_policy": '"never"',
            "web_search": '"disabled"',
            "project_doc_max_bytes": "0",
            "history.persistence": '"none"',
            "analytics.enabled": "false",
            "skills.bundled.enabled": "false",
            "skills.include_instructions": "false",
            **{f"features.{name}": "false" for name in _CODEX_OFF},
        }
        return Invocation(
            arguments=(
                "exec", "--json", "--ephemeral", "--ignore-user-config", "--ignore-rules", "--skip-git-repo-check",
                "-s", "read-only", "--color", "never", "--output-schema", f"{PLACE}/schema.json", "-m", question.model,
                *(word for name, value in settings.items() for word in ("-c", f"{name}={value}")), "-",
            ),
            variables={},
            files={"system.md": question.system, "schema.json": json.dumps(strict(question.schema), sort_keys=True)},
            stdin=_plain(question.user),
        )  # fmt: skip

    def answer(self, out: bytes, errors: bytes, most: int) -> ModelAnswer | ModelFailure:
        """The last message of its events."""
        text, usage, error, ended = "", None, "", False
        for line in out.splitlines():
            event = _decoded(line, _CodexEvent)
            if event is None:
                continue
            if event.item is not None and event.item.type == "agent_message":
                text = event.item.text
            if event.type == "turn.completed":
                ended = True
                usage = (
                    TokenUsage(event.usage.input_tokens, event.usage.output_tokens) if event.usage else None
                )
            if event.type == "turn.failed" and event.error is not None:
                error = event.error.message or "it said nothing"
        if error:
            return _told(None, error, heard=text.encode("utf-8", "replace")[:most])
        return answered(text, "", usage, most) if ended else unclear(out, errors)


class _GeminiError(msgspec.Struct):
    message: str = ""
    code: int | str | None = None


class _GeminiTokens(msgspec.Struct):
    prompt: Count = 0
    candidates: Count = 0


class _GeminiModel(msgspec.Struct):
    tokens: _GeminiTokens


class _GeminiStats(msgspec.Struct, frozen=True):
    models: dict[str, _GeminiModel] = {}


class _GeminiResult(msgspec.Struct):
    response: str = ""
    stats: _GeminiStats = _GeminiStats()
    error: _GeminiError | None = None


class GeminiCli:
    """``gemini -p``. It has no form of structured answers, so the form is asked for in words."""

    program, key = "gemini", "GEMINI_API_KEY"

    def invocation(self, question: ModelQuestion, url: str) -> Invocation:
        """How it is asked."""
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            "tools": {"core": ["none"]},
            "context": {"fileName": ["none.md"]},
            "telemetry": {"enabled": False},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {
                "disableAutoUpdate": True,
                "disableUpdateNag": True,
                "maxAttempts": 1,
                "retryFetchErrors": False,
            },
            "skills": {"enabled": False},
            "hooksConfig": {"enabled": False},
        }
        return Invocation(
            arguments=("-m", question.model, "--output-format", "json", "-e", "none", "-p", " "),
            variables={
                "GOOGLE_GEMINI_BASE_URL": url,
                "GEMINI_SYSTEM_MD": f"{PLACE}/system.md",
                "GEMINI_CLI_NO_RELAUNCH": "true",
            },
            files={"system.md": _demand(question)},
            stdin=_plain(question.user),
            home={".gemini/settings.json": json.dumps(settings)},
        )

    def answer(self, out: bytes, errors: bytes, most: int) -> ModelAnswer | ModelFailure:
        """The field ``response`` of the object that it prints; of an error, the object after its warnings."""
        said = _decoded(out or errors[errors.rfind(b"\n{\n") + 1 :], _GeminiResult)
        if said is None:
            return unclear(out, errors)
        if said.error is not None:
            code = said.error.code
            return _told(code if isinstance(code, int) else None, said.error.message)
        model, used = next(iter(said.stats.models.items()), ("", None))
        usage = TokenUsage(used.tokens.prompt, used.tokens.candidates) if used is not None else None
        return answered(said.response, model, usage, most)


def _decoded(out: bytes, kind: type[T]) -> T | None:
    try:
        return msgspec.json.decode(out, type=kind)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return None


def unclear(out: bytes, errors: bytes) -> ModelFailure:
    """What an agent wrote is not what it writes. Its last words beside may say why: an option that it does not know."""
    lines = [line for line in errors.decode("utf-8", "replace").splitlines() if line.strip()]
    last = f"; its last words: {lines[-1].strip()[:120]}" if lines else ""
    return ModelFailure(
        FailureCode.MALFORMED, f"the agent wrote something else than it is known to write{last}", heard=out
    )


def _told(status: int | None, words: str, heard: bytes = b"") -> ModelFailure:
    """An agent that tells of an error: of which kind, as far as its status or its words say."""
    low = words.lower()
    numbers = {status, *map(int, re.findall(r"\b[45]\d\d\b", words))}
    code = next(
        (code for code, known, signs in _KINDS if numbers & known or any(sign in low for sign in signs)),
        FailureCode.REJECTED,
    )
    if code is FailureCode.AUTHENTICATION:  # what is said of a key may quote it
        return ModelFailure(code, "the key was not accepted; look at the seat's key = ...", heard=heard)
    return ModelFailure(code, f"the agent failed; it said: {' '.join(words.split())[:200]}", heard=heard)


_KINDS: tuple[tuple[FailureCode, frozenset[int], tuple[str, ...]], ...] = (
    (FailureCode.CUT_OFF, frozenset(), ("max_output_tokens", "output token maximum", "max_tokens")),
    (FailureCode.REFUSED, frozenset(), ("usage policy", "content_filter", "refused to answer")),
    (FailureCode.AUTHENTICATION, frozenset({401, 402, 403}), ("api key", "invalid auth", "not logged in")),
    (FailureCode.RATE_LIMIT, frozenset({429}), ("rate limit", "quota")),
    (FailureCode.MODEL_UNKNOWN, frozenset({404}), ("not_found", "not found", "not exist")),
    (
        FailureCode.DROPPED,
        frozenset(),
        ("disconnected", "econnreset", "socket", "fetch failed", "terminated"),
    ),
    (
        FailureCode.UNREACHABLE,
        frozenset(),
        ("econnrefused", "connection refused", "unable to connect", "enotfound"),
    ),
    (FailureCode.SERVER, frozenset(range(500, 600)), ("overloaded", "high demand", "internal server error")),
    (FailureCode.MALFORMED, frozenset(), ("parse json", "invalid json", "unexpected token")),
)
"""What an agent's words tell of; the first that fits."""


FORMS: Mapping[str, AgentForm] = {"claude-code": ClaudeCode(), "codex": Codex(), "gemini-cli": GeminiCli()}
"""By the wire that a seat names."""

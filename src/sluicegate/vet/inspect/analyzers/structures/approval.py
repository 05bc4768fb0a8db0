"""The agent's questions switched off: in settings, by a program that writes them, or by an option of its command."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from sluicegate.known import approval, places
from sluicegate.tuples import NamedTuple
from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.analyzers.structures.registry import (
    BundleFacts,
    Config,
    base_name,
    rule,
    structure_rule,
)
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import CODE, PROSE, Kind
from sluicegate.vet.intake.views.configs.document import Path
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, EvidenceKind, Severity

SETTINGS = rule(
    "permissive-agent-settings", "Settings switch off the agent's permission prompts", Category.AGENT_CONFIGURATION, Severity.HIGH, 700,
    why="With these settings the agent runs commands or trusts servers without asking the user.",
    fix="Leave the agent's approval on; allow single commands by name.",
    references=("ASI02", "ASI03", "LLM06", "CWE-732"),
)  # fmt: skip
SWITCHED_OFF = rule(
    "agent-approval-off", "Commands switch off the agent's permission prompts", Category.AGENT_CONFIGURATION, Severity.HIGH, 700,
    why="A command or program writes settings that let the agent do everything unasked, or starts an agent that never asks. The "
    "user's question is the last check before a harmful act.",
    fix="Leave the agent's approval on. Let the user allow single commands by name.",
    references=("ASI02", "ASI03", "LLM06", "CWE-732"), stated=EvidenceKind.COMMAND,
)  # fmt: skip

_HINTS = (
    *sorted(approval.SWITCHES), *sorted(approval.VALUES), "approval", "TRUST_", '"allow"', "allow:", "allow =", "allowedTools",
    "allowed", "trustedCommands", '"exec"', "permissionDecision",
)  # fmt: skip
_EXEC_VALUES = {("security", "full"), ("ask", "off")}
_TOP_LISTS = approval.LISTS - {"allow", "allowed"}
_IN_PERMISSION = frozenset({"bash", "*"})
"""Entries of a table ``permission`` of which "allow" lets every command through."""
_ANY_COMMAND = frozenset({"/.*/", "*", "/^.*$/", ".*", "/./"})
_ANSWERED = lazy(
    r"\b(?:permissionDecision|decision)[\"'\\]{1,6}\s{0,3}:\s{0,3}[\"'\\]{1,6}(?:allow|approve)\b"
)
"""What a hook says that permits whatever it is asked about."""
_NEAR = 300
"""Characters in front of an example in which the file is named that it is to be put into."""


@structure_rule(SETTINGS)
def settings(facts: BundleFacts) -> Iterable[Match]:
    """Approval switched off, in a file that an agent loads or in an example to copy."""
    for config in facts.configs(_HINTS):
        for entry in config.document.entries:
            key, value = entry.key.rpartition(".")[2] or entry.key, entry.value
            if isinstance(value, str):
                hit = _opens(entry.path, key, value)
            else:
                hit = value is True and (
                    key in approval.SWITCHES or entry.key in approval.SWITCHES or _any_command(entry.path)
                )
            if not hit:
                continue
            inside = not _takes_effect(facts, config)
            yield config.match(
                SETTINGS.id, entry.first, entry.last, evidence=f"{'.'.join(map(str, entry.path))} = {value}"[:300],
                severity=Severity.MEDIUM if inside else Severity.HIGH, confidence=450 if inside else 700,
                adjustments=("it is an example, or in a file that no agent loads",) if inside else (),
            )  # fmt: skip
            break


def _opens(path: Path, key: str, value: str) -> bool:
    """Whether a text value lets everything through."""
    if key in ("command", "prompt"):
        return "ecision" in value and _ANSWERED.search(value) is not None
    if (key, value) in _EXEC_VALUES:
        return "exec" in path
    if value == "allow" and "permission" in path:
        return key in _IN_PERMISSION or key == "permission"
    if value in approval.VALUES.get(key, ()):
        return key != "permission"
    listed = ("permissions" in path and key == "allow") or (len(path) > 1 and key in _TOP_LISTS)
    tools = key == "allowed" and "tools" in path
    return value in ("TRUST_FOLDER", "TRUST_PARENT") or ((listed or tools) and value in approval.EVERYTHING)


def _any_command(path: Path) -> bool:
    """Whether an entry approves every command of a terminal."""
    return len(path) > 1 and str(path[-2]).endswith("autoApprove") and path[-1] in _ANY_COMMAND


def _takes_effect(facts: BundleFacts, config: Config) -> bool:
    """Whether an agent loads the document, or the text has it put into a file that one loads."""
    if not config.quoted:
        return loaded(config.view.path) or bool(config.view.origin)
    raw = next((view for view in facts.raw if view.path == config.view.path), None)
    if raw is None:
        return False
    line = config.view.artifact_lines(0, 1)[0]
    at = raw.line_starts()[min(line, len(raw.line_starts())) - 1]
    before = raw.text[max(0, at - _NEAR) : at]
    last = config.view.artifact_lines(0, len(config.view.text))[1] + 1
    end = raw.line_starts()[min(last, len(raw.line_starts()) - 1)]
    heading = max(before.rfind("\n#"), before.rfind("\n---\n"))
    said = f"{before[max(heading, 0) :]} {raw.text[end : end + _NEAR].partition(_HEADING)[0]}"
    return _PUT.search(said) is not None and _file_named().search(said) is not None


def loaded(path: str) -> bool:
    """Whether some agent loads this file as settings."""
    return places.instructions("/" + path) or base_name(path) in (
        "settings.json", "settings.local.json", "plugin.json", "hooks.json", "mcp.json", ".mcp.json", "config.toml",
        "openclaw.json", "trustedFolders.json", "opencode.json", "opencode.jsonc", "cli-config.json", "managed-settings.json",
    )  # fmt: skip


# -- commands and programs -----------------------------------------------------------------------------------

_PUT = lazy(
    r"\b(?:add|append|merge|put|paste|copy|write|save|insert|create|use|set|replaces?|place|edit|change|update|install|apply|into|goes? (?:in|to)|belongs? (?:in|to)"
    r"|reads?|gets?|contains?|looks? like|ends? up (?:as|like|with))\b",
    re.IGNORECASE,
)
_HEADING = "\n#"
_SHELLS = frozenset({Kind.SHELL, Kind.POWERSHELL, Kind.BATCH})
_FILES = (
    "settings.json", "settings.local", "config.toml", "config.json", "config.yaml", "opencode.json", "cli.json", "crush.json",
    "permissions.yaml", "permissions.json", ".aider", "trustedFolders", "openclaw", "clawdbot", ".claude.json", "config set", "config add", "settings set",
    "mcp.json", "hooks.json",
)  # fmt: skip
"""One of them stands in every text that names such a file."""
_OPTIONS = (
    "dangerously-",
    "yolo",
    "--allow-all",
    "danger-full",
    "bypassPermissions",
    "approval",
    "--trust-all",
    "-unsafe",
    "--yes",
    "GOOSE_MODE",
)
_TERSE = ("gemini", "qwen", "cursor-agent", "cline", "crush", "kiro-cli", "codex")
"""Agents that have an option of one letter."""
_HINTED = (*_FILES, *_OPTIONS, *_TERSE)
_QUOTE = r"[\"'\\]{0,3}"
_SEP = r"[\"'\])\\]{0,4}\s{0,4}(?:\|?\+?=>?|:|,|\s)\s{0,4}[\"'\\({]{0,3}"
_BETWEEN_PARTS = r"[\"')\]]{0,3}\s{0,2}[/\\,+]{1,2}\s{0,2}[(\[]?[\"'`]{0,2}"
_WRITES = lazy(
    r">|\btee\b|\bsponge\b|\bsed\b[^\n]{0,40}\s-[A-Za-z]*i|\bperl\b[^\n]{0,20}\s-[a-z]*i|\b(?:jq|yq|dasel|crudini|ex|ed)\s|\b(?:cp|mv|install)\s|\bconfig (?:set|add)\b"
    r"|\bdumps?\b|\.write|write_text|writeFile|outputJson|writeJson|appendFile|Set-Content|Out-File|Add-Content|file_put_contents|fs\.write|WriteFile|File\.write",
)
_SETS = lazy(
    r"\b(?:claude|codex|gemini|openclaw|clawdbot|moltbot|cursor|goose|qwen|amp|opencode|crush|kiro-cli|q|copilot) (?:config(?:ure)?|settings) (?:set|add)\b"
)
_STAYS = lazy(
    r"\balias\b|\.(?:bashrc|zshrc|zprofile|profile|bash_profile|zshenv)\b|config\.fish|\bcrontab\b|LaunchAgents|systemd|Set-Alias|\$PROFILE|\bfunction\s"
)


class _Found(NamedTuple):
    """A piece of a text that switches questions off, and whether it outlives the run."""

    start: int
    end: int
    lasting: bool


_OF_THE_AGENT = (
    r"\b(?:[Uu]ser|[Gg]lobal|[Aa]gent|Claude(?: Code)?|Codex|Cursor|Windsurf|Cline|Copilot|Gemini|VS Code|Zed|Roo(?: Code)?|Kilo(?: Code)?|Amp|Goose|Kiro|Trae"
    r"|Augment|Junie|Warp|Continue|Aider)(?:'s|’s)? (?:[Uu]ser )?(?:[Ss]ettings|settings\.json|[Cc]onfiguration|[Cc]onfig)\b"
)
"""Settings that are named in words."""


@lru_cache(maxsize=1)
def _file_named() -> re.Pattern[str]:
    """A file of settings of some agent, as a path or joined from its parts."""
    from sluicegate.known.agents import AGENTS  # asked of a text that may switch something off

    paths = {
        path for agent in AGENTS for place in agent.settings for path in place.replace("%20", " ").split()
    }
    ends = {"/".join(path.split("/")[-2:]) for path in (*paths, *approval.FILES)}
    joined = sorted(
        (_BETWEEN_PARTS.join(map(re.escape, end.split("/"))) for end in ends), key=len, reverse=True
    )
    return re.compile("|".join((*joined, _OF_THE_AGENT)))


@lru_cache(maxsize=1)
def _opening() -> re.Pattern[str]:
    """A setting that lets everything through, as it is written in JSON, TOML, YAML, a program or a query."""
    entry = "|".join(sorted((re.escape(each) for each in approval.EVERYTHING), key=len, reverse=True))
    lists = "|".join(sorted(approval.LISTS, key=len, reverse=True))
    values = "|".join(
        rf"{key}{_SEP}(?:{'|'.join(map(re.escape, sorted(held)))})(?![\w-])"
        for key, held in sorted(approval.VALUES.items())
        if key != "permission"
    )
    switches = "|".join(sorted((re.escape(each) for each in approval.SWITCHES), key=len, reverse=True))
    surely = "|".join(re.escape(each) for each in sorted(approval.EVERYTHING) if "(" in each)
    return re.compile(
        rf"\b(?:{lists})[\"'\])\\]{{0,4}}(?:\s{{0,4}}(?:\|?\+?=|:|,(?=\s{{0,4}}[\[(])|\|)|\.(?:append|push|extend|unshift|insert|add|concat)\()"
        rf"[^\]{{}};]{{0,200}}?[\"'\\(\[]{{1,3}}(?:{entry})(?=[\"'\\\]])"
        rf"|\b(?:{lists}):\s*\n\s*-\s+[\"']?(?:{entry})(?=[\"'\s])"
        rf"|(?:{values})"
        rf"|\b(?:{switches}){_SEP}(?:true|True|1|on|yes)\b"
        rf"|\bpermission{_SEP}(?:allow\b|[^{{}}]{{0,200}}?[\"'](?:bash|\*)[\"']\s{{0,3}}:\s{{0,3}}[\"']allow\b)"
        rf"|autoApprove{_SEP}[\"']?(?:/\.\*/|\*)[\"']?\s{{0,3}}:\s{{0,3}}true"
        rf"|tools\.exec\.(?:security{_SEP}full|ask{_SEP}off)\b"
        rf"|(?<!in \()(?<!== )(?<!in \[)[\"'](?:{surely})[\"']"
    )


@lru_cache(maxsize=2)
def _started(short: bool) -> re.Pattern[str]:
    """An agent that is started with an option by which it never asks; ``short``: options of one letter, too."""
    agents = []
    for name, options in sorted(approval.OPTIONS.items()):
        wanted = [option for option in options if short or option.startswith("--") or "=" in option]
        written = "|".join(
            re.escape(option).replace(r"\ ", _QUOTE + r"[\s,=]{1,3}" + _QUOTE) for option in wanted
        )
        agents.append(
            rf"{re.escape(name)}(?:\.cmd|\.exe)?{_QUOTE}[\s,](?:[^\n;|&#]{{0,200}}?[\s,])?{_QUOTE}(?:{written})"
        )
    return re.compile(
        rf"(?<![\w./@-])(?:[\w./~-]{{0,80}}/)?(?:{'|'.join(agents)})(?![\w=-])|\bGOOSE_MODE=[\"']?auto\b"
    )


@structure_rule(SWITCHED_OFF)
def switched_off(facts: BundleFacts) -> Iterable[Match]:
    """Programs and commands that write such settings, or start an agent so. Code in sentences counts where it is to be run and lasts."""
    named = {view.path for view in facts.raw if one_of(_HINTED, view.text)}
    for view in facts.views if named else ():
        if view.path not in named or not (view.language in CODE or view.language in _SHELLS):
            continue
        spoken = view.origin and view.artifact.kind in PROSE and view.origin[-1].kind == "command"
        for found in _switching(view):
            if spoken and not (found.lasting and _ordered(facts, view, found.start)):
                continue
            severity, confidence = (Severity.HIGH, 700) if found.lasting else (Severity.MEDIUM, 550)
            yield Match(
                rule=SWITCHED_OFF.id, view=view, start=found.start, end=found.end, severity=severity, confidence=confidence,
                adjustments=() if found.lasting else ("it holds for one run of the agent",),
            )  # fmt: skip
            break


def _ordered(facts: BundleFacts, view: View, at: int) -> bool:
    """Whether the text has a command in a code span or a line run, which it may only speak of."""
    from sluicegate.vet.inspect.analyzers.shell import NearbySentences  # few texts have such a command

    return NearbySentences(facts.views).order(view, at)


def _switching(view: View) -> Iterator[_Found]:
    text = view.text
    if one_of(_FILES, text) and (_file_named().search(text) or _SETS.search(text)) and _WRITES.search(text):
        opening = _opening().search(text)
        if opening is not None:
            yield _Found(opening.start(), opening.end(), lasting=True)
    terse = view.language in _SHELLS and one_of(_TERSE, text)
    started = _started(terse).search(text) if terse or one_of(_OPTIONS, text) else None
    if started is not None:
        first = text.rfind("\n", 0, started.start()) + 1
        last = text.find("\n", started.end())
        line = text[first : last if last != -1 else len(text)]
        yield _Found(started.start(), started.end(), lasting=_STAYS.search(line) is not None)

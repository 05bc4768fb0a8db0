"""What a skill says of itself, and what it asks for."""

from __future__ import annotations

from collections.abc import Iterator

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
from sluicegate.vet.intake.views.disguises.escapes import spelled_out
from sluicegate.vet.lazy import lazy, seldom
from sluicegate.vet.verdict.types import Category, EvidenceKind

MANIFEST_MISSING = rule(
    "manifest-missing", "The manifest is missing or incomplete", Category.TRIGGER_ABUSE, LOW, 500,
    why="Without a readable name and description nobody can tell when an agent will use this skill, or for what.",
    fix="Begin SKILL.md with front matter that gives 'name' and 'description'.",
    references=("CWE-1059",),
)  # fmt: skip
OVERBROAD_TRIGGER = rule(
    "overbroad-trigger", "The skill asks to be used for everything", Category.TRIGGER_ABUSE, MEDIUM, 500,
    why="A description that claims every request puts the skill into work it has nothing to do with, and before other skills.",
    fix="Describe the tasks that the skill is for.",
    references=("ASI01", "LLM06"),
)  # fmt: skip
UNDECLARED_CAPABILITY = rule(
    "undeclared-capability", "The code does what the manifest does not declare", Category.LEAST_PRIVILEGE, MEDIUM, 600,
    why="The manifest declares tools that cannot reach the network, or promises not to use it, and the code does.",
    fix="Declare what is needed, or remove the code that needs more.",
    references=("ASI02", "LLM06", "CWE-250"),
)  # fmt: skip
WILDCARD_TOOLS = rule(
    "wildcard-tools", "The manifest asks for every tool, command or file", Category.EXCESSIVE_AGENCY, HIGH, 600,
    why="With such a wildcard the skill uses any tool, runs any command or reaches any file, and the user is never asked.",
    fix="Name the tools, and for Bash the commands, that the skill uses.",
    references=("ASI02", "LLM06", "CWE-250"),
)  # fmt: skip
IMPERSONATION = rule(
    "impersonation", "The skill claims to come from a well-known company", Category.SOCIAL_ENGINEERING, MEDIUM, 500,
    why="Anyone can write 'official' into a manifest. The claim is made to be trusted, and nothing here proves it.",
    fix="Install the company's skills from the company's own repository.",
    references=("ASI09", "CWE-290"), stated=EvidenceKind.WORDS,
)  # fmt: skip

LONGEST = 2048
"""Characters of one value that are looked at."""

_SWEEPING = ("any", "every", "each", "all ", "regardless", "always", "must", "*")
_THING = r"(?:tasks?|requests?|questions?|messages?|conversations?|prompts?|queries|query|interactions?|projects?|situations?|things?|inputs?)"
_NARROWED = r"(?!\s{0,3}(?:involving|about|relat|that|where|which|with|on|in|for|requiring|regarding|concerning|of|to|when|from|using))"
_BROAD = seldom(
    """task request question message conversation prompt quer interaction project situation thing input regardless always
    must""".split(),
    r"(?i)\b(?:use|uses|used|activate[sd]?|trigger(?:s|ed)?|invoke[sd]?|load(?:s|ed)?|run|runs|apply|applies|call(?:ed)?)\b"
    r"[^.;\n]{0,40}\b(?:for|on|in|with|at|before|after|during|to handle)\s{1,3}(?:any|every|each|all)(?: (?:and|or) (?:any|every|all))?"
    rf"\s{{1,3}}(?:\w{{1,20}}\s)?{_THING}\b{_NARROWED}"
    r"|\b(?:for|use (?:it |this )?for) (?:everything|anything and everything)\b"
    r"|\bregardless of (?:the )?(?:topic|task|request|context)\b"
    r"|\b(?:always|must) (?:be )?(?:use|used|run|invoked?|activated?|load(?:ed)?) (?:this skill )?(?:first|before (?:any|every|all) other)",
)
_VENDOR = r"(?:anthropic|openai|claude(?: code)?(?: team)?|google|microsoft|apple|meta|github|openclaw)"
_OFFICIAL = lazy(
    rf"(?i)\b(?:official|officially|verified|certified|endorsed|approved|signed)\b[^.\n]{{0,24}}\bby (?:the )?{_VENDOR}\b"
    rf"|\b(?:the )?official {_VENDOR}(?:'s)? (?:skill|plugin|extension|add-?on|security|update|tool)s?\b"
    rf"|\b(?:built|shipped|bundled|pre-?installed)[ -](?:in|with|into) {_VENDOR}\b|\bbuilt-in {_VENDOR} (?:skill|tool)"
)
_VENDORS = ("anthropic", "openai", "claude", "google", "microsoft", "apple", "meta", "github", "openclaw")
_BOASTS = (
    "official",
    "verified",
    "certified",
    "endorsed",
    "approved",
    "signed",
    "built",
    "shipped",
    "bundled",
    "installed",
)
_OWNER = lazy(r"(?i)^(?:the )?(?:anthropic|openai|google|microsoft|apple)(?:,? inc\.?| team| pbc)?$")
_NETWORK = lazy(
    r"\b(?:curl|wget)\s{1,4}[-\"'$h]|\brequests\.(?:get|post|put|request)\(|\burllib\.request\.|\bhttpx\.\w|\bfetch\(|\baxios[.(]|"
    r"\bhttps?\.(?:request|get)\(|\bsocket\.(?:socket|create_connection)\(|\bInvoke-(?:WebRequest|RestMethod)\b|\baiohttp\.ClientSession\("
)
_LOCAL_ONLY = seldom(
    ("network", "internet", "external api", "leaves", "offline", "local", "on your machine"),
    r"(?i)\b(?:without (?:any )?(?:network|internet)|no (?:network|internet)(?: access| calls?| connection| requests?)?\b|no external api"
    r"|(?:never|doesn't|does not) (?:access|use|touch) the (?:network|internet)|no data (?:ever )?leaves|fully offline|entirely offline"
    r"|(?:entirely|completely|purely) (?:local|on your machine)\b)",
)
_TOOL_KEYS = ("allowed-tools", "allowed_tools", "tools", "allowedTools")
_EVERYTHING = frozenset({"*", "all", "mcp__*", "Bash(*)", "Bash(:*)", "Bash(*:*)", "Shell(*)"})
_EVERY_FILE = seldom(("(//", "(~/"), r"\w{2,20}\((?://|~/)\*{1,2}(?:/\*{1,2})?\)")
_CAN_REACH = seldom(
    "bash python shell exec terminal command run web fetch http browser mcp node * task agent code".split(),
    r"(?i)bash|python|shell|exec|terminal|command|run|web|fetch|http|browser|mcp|node|\*|task|agent|code",
)
_TOOL = lazy(r"[\w.:*-]{1,120}(?:\([^)]{0,200}\))?")
_NO_PERMISSIONS = seldom(
    ("[", "none"),
    r"(?m)^(?:permissions|allowed-tools|tools)[ \t]{0,4}:[ \t]{0,4}(?:\[[ \t]{0,4}\]|none)[ \t]{0,4}$",
)
_NAME_KEY = lazy(r"(?m)^[\"']?name[\"']?[ \t]{0,8}[:=][ \t]{0,8}\S")
_DESCRIPTION_KEY = lazy(r"(?m)^[\"']?description[\"']?[ \t]{0,8}[:=][ \t]{0,8}\S")
_PROGRAMS = (Kind.PYTHON, Kind.SHELL, Kind.JAVASCRIPT, Kind.TYPESCRIPT, Kind.POWERSHELL)


@structure_rule(MANIFEST_MISSING)
def missing_manifest(facts: BundleFacts) -> Iterator[Match]:
    """A SKILL.md without front matter, or without its two keys."""
    view = facts.manifest
    if view is None:
        return
    front = facts.front
    if front is None:
        yield Match(
            rule=MANIFEST_MISSING.id,
            view=view,
            start=0,
            end=min(len(view.text), 80),
            evidence="no front matter",
        )
        return
    if _NAME_KEY.search(front.text) is not None and _DESCRIPTION_KEY.search(front.text) is not None:
        return
    config = facts.front_matter
    if config is None:
        return
    keys = {
        entry.path[0] for entry in config.document.entries if entry.path and str(entry.value or "").strip()
    }
    lacking = [key for key in ("name", "description") if key not in keys]
    if config.document.error and lacking:
        yield config.match(
            MANIFEST_MISSING.id, 1, 1, evidence=f"front matter cannot be read: {config.document.error[:120]}"
        )
    elif lacking:
        yield config.match(MANIFEST_MISSING.id, 1, 1, evidence=f"no {' and no '.join(lacking)}")


@structure_rule(OVERBROAD_TRIGGER)
def broad(facts: BundleFacts) -> Iterator[Match]:
    """A description or trigger that claims all requests."""
    front = facts.front
    if front is None or not any(word in facts.low(front) for word in _SWEEPING):
        return
    if _BROAD.search(" ".join(front.text[: 4 * LONGEST].split())) is None and "*" not in front.text:
        return
    config = facts.front_matter
    for entry in config.document.entries if config is not None else ():
        if not entry.path or entry.path[0] not in (
            "description",
            "triggers",
            "when_to_use",
            "read_when",
            "trigger",
        ):
            continue
        text = " ".join(str(entry.value)[:LONGEST].split())
        found = _BROAD.search(text)
        everything = text in ("*", ".*", "**") and entry.path[0] != "description"
        if config is not None and (found is not None or everything):
            evidence = found[0] if found is not None else text
            yield config.match(OVERBROAD_TRIGGER.id, entry.first, entry.last, evidence=evidence)
            return


def declared_tools(facts: BundleFacts) -> tuple[Config | None, list[tuple[str, int, int]]]:
    """The manifest, and its declared tools with their lines."""
    front = facts.front
    if front is None or not ("tools" in facts.low(front) or "tools" in spelled_out(front.text).lower()):
        return None, []
    config = facts.front_matter
    found: list[tuple[str, int, int]] = []
    for entry in config.document.entries if config is not None else ():
        if entry.path and entry.path[0] in _TOOL_KEYS and isinstance(entry.value, str):
            found += [(tool[0], entry.first, entry.last) for tool in _TOOL.finditer(entry.value)]
    return config, found


@structure_rule(WILDCARD_TOOLS)
def wildcard(facts: BundleFacts) -> Iterator[Match]:
    """All tools, every command of the shell, or every file of the machine or of the user."""
    config, tools = declared_tools(facts)
    for tool, first, last in tools:
        if config is not None and (tool in _EVERYTHING or _EVERY_FILE.fullmatch(tool) is not None):
            yield config.match(WILDCARD_TOOLS.id, first, last, evidence=tool)
            return


@structure_rule(UNDECLARED_CAPABILITY)
def undeclared(facts: BundleFacts) -> Iterator[Match]:
    """Declared tools that cannot reach the network, or a promise not to, and code that does."""
    if not any(view.language in _PROGRAMS for view in facts.raw):
        return
    declared = _declared_narrowly(facts)
    if not declared:
        return
    for view in facts.raw:
        if view.language in _PROGRAMS:
            found = _NETWORK.search(view.text)
            if found is not None:
                lied = declared.startswith("says")
                hosts = [c.name for c in facts.subject.capabilities if c.name.startswith("net:")]
                yield Match(
                    rule=UNDECLARED_CAPABILITY.id, view=view, start=found.start(), end=found.end(),
                    message=f"The manifest {declared}; this code reaches the network.",
                    severity=HIGH if lied else MEDIUM, confidence=700 if lied else 600, trace=(f"declared={declared}", *hosts),
                    adjustments=("the manifest promises the opposite in words",) if lied else (),
                )  # fmt: skip
                return


def _declared_narrowly(facts: BundleFacts) -> str:
    front = facts.front
    if front is None:
        return ""
    promise = _LOCAL_ONLY.search(front.text[: 4 * LONGEST])
    if promise is not None:
        return f"says '{promise[0]}'"
    if _NO_PERMISSIONS.search(front.text) is not None:
        return "asks for no tools"
    _, tools = declared_tools(facts)
    if tools and not any(_CAN_REACH.search(tool) for tool, _, _ in tools):
        return "declares only " + " ".join(tool for tool, _, _ in tools)[:80]
    return ""


@structure_rule(IMPERSONATION)
def impersonation(facts: BundleFacts) -> Iterator[Match]:
    """A claim of origin in the manifest."""
    front = facts.front
    if front is None:
        return
    lower = facts.low(front)[: 4 * LONGEST]
    boasts = any(vendor in lower for vendor in _VENDORS) and any(word in lower for word in _BOASTS)
    claim = _OFFICIAL.search(front.text[: 4 * LONGEST]) if boasts else None
    if claim is not None:
        yield Match(rule=IMPERSONATION.id, view=front, start=claim.start(), end=claim.end())
        return
    if "author" in front.text and (config := facts.front_matter) is not None:
        for entry in config.document.entries:
            if entry.path and "author" in entry.path and _OWNER.match(str(entry.value)[:100]):
                yield config.match(IMPERSONATION.id, entry.first, entry.last, evidence=str(entry.value)[:100], severity=LOW,
                                   adjustments=("only the author's name is given",))  # fmt: skip
                return

"""Other skills: those that the same source holds, and those that an agent has installed.

An agent loads many skills into one context, from one folder. A skill that changes another's files, takes its
name, or tells the agent what to do when another is asked for, works by that other; neither need look harmful.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sluicegate.vet.inspect.analyzers.structures.registry import (
    HIGH,
    MEDIUM,
    BundleFacts,
    rule,
    structure_rule,
)
from sluicegate.vet.inspect.rule import Match, Rule, RuleKind, Sibling
from sluicegate.vet.intake.bundle import CODE, PROSE
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy, seldom
from sluicegate.vet.verdict.types import Category, EvidenceKind

CHANGED = rule(
    "skill-files-changed", "Changes the files of another skill", Category.MEMORY_POISONING, HIGH, 700,
    why="What stands in another skill's folder is obeyed under that skill's name, by users who trust it and never look again.",
    fix="Keep to your own folder. Offer a change to another skill to its author.",
    references=("ASI06", "ASI07", "LLM04", "AML.T0080", "CWE-494"),
)  # fmt: skip
AIMED = Rule(
    id="skill-named-against",
    title="Turns the agent against a skill that it names",
    category=Category.TOOL_MISUSE,
    severity=HIGH,
    confidence=650,
    kind=RuleKind.STRUCTURE,
    why="A skill that has another switched off, distrusted or answered for decides what the user's other choices are worth. The "
    "other cannot defend itself, and the user does not see it happen.",
    fix="Say what this skill is for. Where two do not go together, say so to the user.",
    references=("ASI02", "ASI07", "LLM01", "AML.T0053"),
    languages=("prose",),
    stated=EvidenceKind.WORDS,
)
SHARED = rule(
    "skill-name-shared", "Two skills of this source answer to the same name", Category.TRIGGER_ABUSE, MEDIUM, 500,
    why="An agent picks one of two skills with the same name or the same description, and nobody can tell which.",
    fix="Give each skill a name and a description of its own, or keep one of the two.",
    references=("ASI04", "ASI09", "CWE-694"),
)  # fmt: skip

_FOLDERS = r"(?:claude|codex|openclaw|clawdbot|moltbot|cursor|agents?|gemini|windsurf|opencode|factory|kiro|github|config/opencode)"
_INSTALLED = rf"(?:{_FOLDERS}/(?:plugins/[\w.@-]{{1,60}}/){{0,2}}(?:skills?|commands|agents|prompts)/)"
_PATH = seldom(
    ("/",),
    rf"\.(?:{_INSTALLED}(?P<name>\*{{1,2}}(?![^/\s\"'`])|[\w.@-]{{1,80}}(?![\w*{{$<]))(?P<rest>/[\w.*/@-]{{0,120}})?"
    r"|(?<![\w./]\.)\./(?P<beside>[\w@-][\w.@-]{0,79})/(?P<file>(?:[\w.-]{1,60}/){0,3}(?:SKILL\.md|[\w.-]{1,60}\.(?:md|py|sh|js|ts|json))))",
)
_FOLDER = seldom(
    "skills/ ../ agents/ commands/ skill/ prompts/".split(),
    r"/(?:(?<=skills/)|(?<=\.\./)|(?<=agents/)|(?<=commands/)|(?<=skill/)|(?<=prompts/))",
)
"""The end of each of the words for which ``_may_name`` looks."""
_GAP = lazy(
    r"^(?:my|your|the|some|this|new|example|sample|skill|plugin|command|agent|name|foo|bar|xxx?)(?:[-_.]?(?:skill|plugin|command|agent|name|file))*(?:\.md)?$"
)
_CHANGES = lazy(
    r"(?:^|[\s;&|(`\"'])(?:rm|unlink|truncate|shred|sed[ \t]{1,3}-i\S{0,8}|perl[ \t]{1,3}-p?i\S{0,4}|tee|chmod|chattr|patch|mv)[ \t]"
    r"|>>?[ \t]{0,2}[\"'~$\w./{}-]{0,80}$|\b(?:rmtree|unlink|unlinkSync|rmSync|rm|remove|write_text|write_bytes|writeFile|writeFileSync|appendFile|appendFileSync|Set-Content|Add-Content|Remove-Item)\b"
    r"|open\([^()\n]{0,120}$"
)
_OPENED = lazy(r"[^\n]{0,40},[ ]?[\"'](?:a|w|r\+)[b+t]{0,2}[\"']")
_TOLD = lazy(
    r"(?:^|[.:;!?)]\s|[-*>]\s|\b(?:then|and|now|please|must|always|also|should|to|you)\s)(?:\d{1,2}[.)]\s)?(?:edit|append|modify|overwrite|patch|replace"
    r"|add|insert|inject|delete|remove|change|rewrite|write|prepend|alter|copy|put|paste|save)\b[^.;:!?]{0,100}$",
    re.IGNORECASE,
)
_KEEPER = lazy(
    r"\b(?:(?:install|manag|updat|creat|sync|publish|migrat|organi[sz]|uninstall|maintain|develop|author|scaffold|lint|audit|test|evaluat|improv)\w{0,5}"
    r"[^.\n]{0,40}\b(?:skills?|plugins?|agents?|commands?)|skill[- ](?:manager|installer|creator|builder|writer|registry|marketplace|library))\b",
    re.IGNORECASE,
)
_BEFORE = 160
"""Characters of a line before a path in which what is done to it is looked for."""
_MOST = 500
"""Places where one name stands that are looked at."""


@structure_rule(CHANGED)
def changed(facts: BundleFacts) -> Iterator[Match]:
    """1. files that a program was seen to write; 2. commands and code that change or remove; 3. words that tell to."""
    own = _own_names(facts)
    seen: set[tuple[str, int]] = set()
    for capability in facts.subject.capabilities:  # 1
        path = capability.name.removeprefix("fs:w:")
        found = _PATH.search(path) if path != capability.name else None
        if found is not None and _another(found, own):
            view = next((v for v in facts.raw if v.path == capability.path), None)
            if view is not None and (view.path, capability.line) not in seen:
                seen.add((view.path, capability.line))
                start = view.line_starts()[min(capability.line, len(view.line_starts())) - 1]
                end = view.text.find("\n", start)
                yield _match(facts, view, start, len(view.text) if end == -1 else end, path)
    for view in facts.views:
        if view.origin and not all(step.kind in ("fence", "command", "cell") for step in view.origin):
            continue
        if not _may_name(view.text):
            continue
        for found in _PATH.finditer(view.text):
            if _another(found, own) and _changes(view, found):  # 2, 3
                line = view.artifact_lines(found.start(), found.end())[0]
                if (view.path, line) not in seen:
                    seen.add((view.path, line))
                    yield _match(facts, view, found.start(), found.end(), found[0])


def _match(facts: BundleFacts, view: View, start: int, end: int, path: str) -> Match:
    kept = _keeps_skills(facts)
    return Match(
        rule=CHANGED.id, view=view, start=start, end=end, message=f"{path[:120]} belongs to another skill. {CHANGED.why}",
        severity=MEDIUM if kept else None, confidence=500 if kept else None,
        adjustments=("the skill says that it looks after skills",) if kept else (),
    )  # fmt: skip


def _may_name(text: str) -> bool:
    """Whether some path of ``_PATH`` may stand in a text. One among prompts counts only beside a word of skills."""
    if _FOLDER.search(text) is None:  # one pass, from slash to slash, before several
        return False
    return (
        "skills/" in text
        or "../" in text
        or "agents/" in text
        or "commands/" in text
        or "skill/" in text
        or ("prompts/" in text and ("skill" in text or "plugins/" in text))
    )


def _own_names(facts: BundleFacts) -> frozenset[str]:
    names = {facts.bundle.name.lower(), facts.bundle.root.rpartition("/")[2].lower()}
    if facts.manifest is not None:
        names.add(facts.said[0].lower())
    return frozenset(names - {""})


def _keeps_skills(facts: BundleFacts) -> bool:
    """Whether the skill says that looking after skills is what it is for."""
    return facts.manifest is not None and _KEEPER.search(" ".join(facts.said)) is not None


def _another(found: re.Match[str], own: frozenset[str]) -> bool:
    name = (found["name"] or found["beside"] or "").lower()
    if not name or name.removesuffix(".md") in own or _GAP.match(name) is not None:
        return False
    return found["beside"] is not None or name.startswith("*") or bool(found["rest"]) or name.endswith(".md")


def _changes(view: View, found: re.Match[str]) -> bool:
    """Whether what stands before a path on its line changes or removes it, or says that somebody should."""
    first = max(view.text.rfind("\n", 0, found.start()) + 1, found.start() - _BEFORE)
    before = view.text[first : found.start()]
    if view.language in PROSE:
        return _TOLD.search(before) is not None and not before.endswith("](")
    if view.language not in CODE or before.lstrip().startswith(("#", "//")):
        return False
    done = list(_CHANGES.finditer(before))
    return bool(done) and (
        not done[-1].group().startswith("open(") or _OPENED.match(view.text, found.end()) is not None
    )


# -- words -----------------------------------------------------------------------------------------------

_KIND = r"(?:skill|plugin|slash command|sub-?agent|agent|MCP server|hook)"
_MARKED = r"[`\"'*/][`\"'*/]{0,2}+"
"""One to three marks; one of them stands apart, so that a search goes from mark to mark."""
_CLOSING = r"[`\"'*]{0,3}+"
_ANY_NAME = rf"{_MARKED}[a-z][a-z0-9]{{1,30}}+(?:[-_:][a-z0-9]{{1,30}}+){{0,5}}+{_CLOSING}"
_AGAINST = (
    "disable|uninstall|deactivate|unload|turn off|switch off|distrust|override|overrule|supersede|bypass|ignore|hijack|intercept|shadow"
    "|impersonate|pose as|pretend to be|answer as|remove|delete|silence|stop using|never use|never load|never call|never invoke|never trust"
    "|never run|do not trust|don't trust"
)
_INSTEAD = "instead of|in place of|rather than|before"
_ASKED = "ask for|asks for|invoke|invokes|call|calls|run|runs|mention|mentions|type|types|request|requests|want|wants|trigger|triggers|load|loads"
_SEIZED = "deprecated|compromised|unsafe|broken|malicious|untrusted|infected|replaced by this|no longer safe|no longer trusted"


def _hostile(name: str) -> str:
    """What is said of a skill to turn an agent against it."""
    return "|".join((
        rf"\b(?:{_AGAINST})[ ](?:the[ ]|any[ ]|all[ ])?{name}(?![ ](?:for|when|if|on|to|unless|with)\b)",
        rf"{name}[ ](?:is|has been|was)[ ](?:now[ ])?(?:{_SEIZED})\b",
        rf"\b(?:always|must|only)[ ][^.!?\n]{{0,40}}\bthis (?:skill|one|plugin|command)\b[^.!?\n]{{0,30}}\b(?:{_INSTEAD})[ ](?:the[ ])?{name}",
        rf"\b(?:when|whenever|if|each time|every time)[ ][^.!?\n]{{0,40}}\b(?:{_ASKED})[ ](?:the[ ])?{name}"
        rf"[^.!?\n]{{0,40}}\b(?:use|run|invoke|call|load|follow|do|answer)[ ][^.!?\n]{{0,20}}\b(?:this|our|me|mine|instead)\b",
    ))  # fmt: skip


_HERE = "\ue001"
"""Stands for the name of a skill of this source, so that one pattern does for all of them."""
_CALLED = lazy(rf"{_ANY_NAME}[ ]{_KIND}\b", re.IGNORECASE)
_CALLED_SO = seldom(
    ("skill", "plugin", "slash command", "agent", "mcp server", "hook"),
    rf" (?=[spamhSPAMH\u017f][kluogcKLUOGC\u212a])(?i:{_KIND})\b",
)
"""How ``_CALLED`` ends, with the first two letters of every kind. There are fewer of these than of marks, and nothing before them in it is blank."""
_NAME_MOST = 200
"""Characters, at least, of the longest that ``_ANY_NAME`` is."""
_ENDINGS = 100
"""Endings that are looked at one by one."""
_AT_ANY = lazy(_hostile(rf"{_ANY_NAME}[ ]{_KIND}\b"), re.IGNORECASE)
_AT_HERE = lazy(
    _hostile(rf"(?:{_MARKED}{_HERE}(?![\w-]){_CLOSING}(?:[ ]{_KIND}\b)?|(?<![\w-]){_HERE}[ ]{_KIND}\b)"),
    re.IGNORECASE,
)
_AFTER = lazy(
    rf"[`\"'*]{{0,3}}(?:[ ]{_KIND})?[ ](?:is|has been|was)[ ](?:now[ ])?(?:{_SEIZED})", re.IGNORECASE
)
_BEFORE_IT = tuple(f"{word} " for word in f"{_AGAINST}|{_INSTEAD}|{_ASKED}|the|any|all".split("|"))
"""Every name that ``_AT_HERE`` finds has one of these right before it, but for marks, or ``_AFTER`` right after it."""
_BEFORE_MOST = 20
"""Characters, at least, of the longest of them, with marks."""
_OF_I = str.maketrans({"\u0131": "i", "\u0130": "i", "\u017f": "s", "\u212a": "k"})
"""Letters that are others without case, by ``re``."""
_MARKS = "`\"'*/"
"""With one of them a name begins, by ``_MARKED``."""
_AROUND = 200
"""Characters of a line before and after a name in which it is looked for what is said of it."""


@structure_rule(AIMED)
def aimed(facts: BundleFacts) -> Iterator[Match]:
    """Sentences that turn the agent against a skill: one of this source, by its name, or one that is called a skill."""
    own = _own_names(facts)
    near = {
        s.name.lower(): s for s in facts.subject.siblings if len(s.name) > 2 and s.name.lower() not in own
    }
    for view in facts.raw:
        if view.language not in PROSE:
            continue
        by_name = list(_at_siblings(facts, view, near))
        yield from by_name
        found = None if by_name else _at_any(view.text)
        if found is not None and not any(
            f"{mark}{name}" in found[0].lower() for name in own for mark in _MARKS
        ):
            yield Match(rule=AIMED.id, view=view, start=found.start(), end=found.end())


def _at_any(text: str) -> re.Match[str] | None:
    """What is said against something that is marked as a name and called a skill; it stands on one line."""
    for called in _called(text):
        first, last = _line(text, called.start(), called.end())
        found = _AT_ANY.search(text, first, last)
        if found is not None:
            return found
    return None


def _called(text: str) -> Iterator[re.Match[str]]:
    """The matches of ``_CALLED``, found from their ends as long as these are few."""
    for number, ending in enumerate(_CALLED_SO.finditer(text)):
        least = max(0, ending.start() - _NAME_MOST)
        start = max(least, *(text.rfind(mark, least, ending.start()) + 1 for mark in " \n"))
        if number == _ENDINGS:
            yield from _CALLED.finditer(text, start)
            return
        found = _CALLED.search(text, start, ending.end())
        if found is not None:
            yield found


def _at_siblings(facts: BundleFacts, view: View, near: dict[str, Sibling]) -> Iterator[Match]:
    """The same of skills of this source: the name in marks, or called a skill."""
    lower = view.text.lower() if near else ""
    text = lower if len(lower) != len(view.text) else view.text
    for name, sibling in near.items():
        at = lower.find(name)
        for _ in range(_MOST):
            if at == -1:
                break
            exact = None
            if _spoken_of(text, at, at + len(name)):
                first, last = _line(text, at, at + len(name))
                exact = _AT_HERE.search(f"{text[first:at]}{_HERE}{text[at + len(name) : last]}")
            if exact is not None:
                end = min(first + exact.end() + len(name) - 1, len(view.text))
                yield Match(
                    rule=AIMED.id, view=view, start=first + exact.start(), end=end, confidence=800,
                    message=f"'{sibling.name}' is another skill of this source. {AIMED.why}",
                    adjustments=("the skill that is named is at hand",),
                )  # fmt: skip
                break
            at = lower.find(name, at + len(name))
        else:
            facts.left(view, f"only the first {_MOST} places that name another skill were looked at")


def _spoken_of(text: str, start: int, end: int) -> bool:
    """Whether what ``_AT_HERE`` wants right before or after a name stands there: a look that costs next to nothing.

    A text may name every skill of a large source, and be one of as many that do.
    """
    before = text[max(0, start - _BEFORE_MOST) : start].rstrip(_MARKS)
    if before.endswith(" ") and before.translate(_OF_I).lower().endswith(_BEFORE_IT):
        return True
    return _AFTER.match(text, end) is not None


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    """The part of a line round a place that is looked at."""
    first = max(text.rfind("\n", 0, start) + 1, start - _AROUND)
    last = text.find("\n", end)
    return first, min(len(text) if last == -1 else last, end + _AROUND)


# -- names -----------------------------------------------------------------------------------------------

_BETWEEN = lazy(r"[\W_]+")
_WORD = lazy(r"[^\W_]{2,}")
_LEAST = 8
"""Words of a description from which on two that are alike were not written alike by chance."""
_KEPT = 4_096
"""Names and descriptions of one source that are read once; each of its skills is compared with all others."""


@structure_rule(SHARED)
def shared(facts: BundleFacts) -> Iterator[Match]:
    """The name, or nearly every word of the description, of another skill of this source."""
    manifest = facts.manifest
    if manifest is None or not facts.subject.siblings:
        return
    name, description = facts.said
    squeezed = _squeezed(name)
    words = _words(description)
    for other in facts.subject.siblings:
        same_name = bool(squeezed) and _squeezed(other.name) == squeezed
        theirs = _words(other.description)
        few, many = sorted((len(words), len(theirs)))
        alike = 10 * few >= 9 * many and 10 * len(words & theirs) >= 9 * len(words | theirs)
        if same_name == alike or (alike and min(len(words), len(theirs)) < _LEAST):
            continue  # neither; or both, and one skill in two places is a copy and no quarrel
        what = "name" if same_name else "description"
        yield Match(
            rule=SHARED.id, view=manifest, start=0, end=min(len(manifest.text), 80), evidence=f"{name} {other.root}"[:200],
            message=f"Its {what} is that of the skill at {other.root[:120]}. {SHARED.why}",
        )  # fmt: skip
        return


@lru_cache(maxsize=_KEPT)
def _words(description: str) -> frozenset[str]:
    return frozenset(_WORD.findall(description.lower()))


@lru_cache(maxsize=_KEPT)
def _squeezed(name: str) -> str:
    """A name as it is read: without case, separators and letters that only look like others."""
    if not name.isascii():
        from sluicegate.vet.intake.views.disguises.unicode import canonical

        name = canonical(name)
    return _BETWEEN.sub("", name.lower())

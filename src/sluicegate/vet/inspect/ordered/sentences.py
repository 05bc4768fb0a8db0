"""Files that a sentence of a text orders to run, and texts that it has the agent follow."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.ordered.places import Base, BundlePaths
from sluicegate.vet.inspect.ordered.reading import FILE_BELOW, IN_SCRIPTS, Order
from sluicegate.vet.inspect.ordered.runs import SUFFIX
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy, seldom

_FILE = lazy(rf"{SUFFIX}(?![\w/-]|\.\w)")
_OF_TOKENS = frozenset("_./~$@+{}\\-")
"""What stands in paths beside letters and digits."""
_REST = lazy(r"[\w./@+-]*")
_TOLD = seldom(
    "run execut sourc launch invok start call sh double-click kick ejecut".split(),
    r"(?:^|[\s`*_(>:])(?:re-?)?(?:run|execut|sourc|launch|invok|start|call|bash|sh|load and run|double-click|kick off [^.\n`]{0,24}with|ejecut[ae]|exécute[rz]|führe|start[ez]n?|必须运行|运行|执行)(?:e|es|ed|s|ing|ning)?(?!\w)"
    r"(?:[ \t](?:the|this|our|its|a|an|following|bundled|helper|provided|included|shared|local|setup|install(?:er|ation)?|script|file|program|command|tool"
    r"|hook|at|in|from|with|using|by|first|once|now|then|always|named|called|located|found|also|it|python|script:|file:|command:)){0,8}[ \t:]{0,3}[`\"'*\[(<]{0,3}$",
    re.IGNORECASE,
)
_ROOTS = (
    "/opt/",
    "/home/",
    "/Users/",
    "/root/",
    "/tmp/",
    "/var/",
    "/srv/",
    "/mnt/",
    "/private/",
    "/Volumes/",
)
_PROSE_MOST = 400
"""Characters of a line before a path, and behind it, in which the order to run it is looked for."""


_TEXT = lazy(r"\.(?:md|mdc|txt|rst|prompt)$")
_TO_FOLLOW = lazy(r"\b(?:follow|obey|carry out|comply with|act on|do what)\b[^.\n]{0,60}$", re.IGNORECASE)
_THEN_FOLLOW = lazy(
    r"[`\"'*)\]]{0,3},? (?:and|then|and then) (?:follow|obey|carry out|do|apply|execute|act on)\b",
    re.IGNORECASE,
)
_FOLLOW_IT = lazy(
    r"[`\"'*)\]]{0,3}(?:[ \t]*[.,;:!]|[ \t]+\()?\s{1,3}(?:\w+,? ){0,6}?(?:follow|obey|carry out|comply with|act on|do)\s(?:\w+ly )?"
    r"(?:it|them|these|those|(?:all of |what )?the above|(?:exactly )?(?:what|as) (?:it|they) (?:say|tell)s?)\b",
    re.IGNORECASE,
)
"""What behind a path, or in the sentence after it, has the agent follow what was named there."""
_IMPORTED = lazy(r"^\s*(?:[-*]\s+)?@$")
"""What stands before the path of a line that has the agent take in a text, as instructions do: ``@~/x/agent.md``."""
_MEMORY = lazy(
    r"(?:claude|agents|gemini|memory|soul|user|identity|readme|contributing)(?:\.local)?\.md$",
    re.IGNORECASE,
)
_OUTSIDE = lazy(
    r"(?<![\w./~$}-])(?:\.\./|~/|\$HOME/|/(?:opt|home|Users|root|tmp|var|srv|mnt|private|Volumes)/)"
)
"""The first step of a path out of the skill."""


def _leaving(text: str) -> Iterator[tuple[int, int]]:
    """Where paths out of the skill begin: their first steps."""
    if one_of(("../", "~/", "$HOME/"), text) or one_of(_ROOTS, text):
        for found in _OUTSIDE.finditer(text):
            yield found.span()


def _followed(text: str, begin: int, start: int, end: int, path: str) -> bool:
    """Whether a sentence has the agent follow a text, but for the memory that an agent loads anyway."""
    if _TEXT.search(path) is None or _MEMORY.search(path) is not None:
        return False
    return (
        _TO_FOLLOW.search(text[max(begin, start - 100) : start]) is not None
        or _THEN_FOLLOW.match(text, end) is not None
        or _FOLLOW_IT.match(text, end) is not None
        or (_IMPORTED.match(text[begin:start]) is not None and text[end : end + 1] in ("", "\n"))
    )


_MUST = seldom(
    "run cut start launch invok sourc call ausgef lanc".split(),
    r"[`\"'*)\]>]{0,4}(?:[ \t]+(?:script|file|program|helper|installer))?(?:[ \t]+--?[\w=-]+){0,3}[`\"'*)]{0,2}[ \t]+"
    r"(?:(?:must|has to|have to|needs to|need to|should|shall|is to|are to)(?: \w+){0,2}? (?:be (?:\w+ly )?)?(?:run|executed|started|launched|invoked|sourced|called)\b"
    r"|(?:is|are|gets) (?:\w+ )?(?:run|executed|started|launched|invoked)\b(?= (?:first|before(?:hand)?|once|at|by the agent|every|each|on))"
    r"|(?:executable|runnable),? and (?:then )?(?:run|start|execute)\b|(?:(?:muss|müssen)[^.\n]{0,40})?(?:ausgeführt|gestartet) (?:werden|sein)"
    r"|(?:doit|doivent) [^.\n]{0,20}(?:exécut|lanc)|debe[^.\n]{0,20}ejecut)",
    re.IGNORECASE,
)
"""What behind a path says that it is to be run."""
_ASKED = lazy(
    r"\b(?:whether|if|when|ask|never|not|example|in an?|framework|project's|user's|user project)\b[^.\n]*$",
    re.IGNORECASE,
)
"""What in front of a path says that it is a question, a condition, or a file of somebody else's."""


_DUE_HINTS = (
    " run",
    "execut",
    "launch",
    "start",
    "invok",
    "ausgef",
    "gestartet",
    "doit ",
    "debe",
    "bundled",
    "shipped",
    "included",
    "next to this",
)
_OURS = lazy(
    r"\b(?:bundled|included|shipped|that comes with|of this skill|this skill's|next to this file|beside this file|in this folder|in the skill)\b",
    re.IGNORECASE,
)
"""What says that a file is the skill's."""
_OF_PROJECTS = frozenset(
    "manage.py setup.py conftest.py main.py app.py jest.config.js index.js server.js build.sh test.sh gradlew mvnw configure.ac index.ts main.go main.ts".split()
)
"""Names that files of every project have."""


def _due(text: str, begin: int, start: int, end: int) -> bool:
    """Whether the words behind a path say that it is to be run, and those in front of it do not take that back."""
    behind = text[end : end + _PROSE_MOST].partition("\n")[0]  # what says so stands on the same line
    return _MUST.match(behind) is not None and _ASKED.search(text, begin, start) is None


_AWAY = seldom(
    "home parent above sibling neighbo adjacent directory folder level ~ ejecut".split(),
    r"\b(?:in|from|at|inside|under|within)\s(?:(?:your|the|their|my|its)\s)?(?:users?(?:['\u2019]s?)?\s)?[`\"'*]{0,2}"
    r"(?P<home>home(?:\s(?:directory|folder))?\b(?![\s-]page)|\$HOME\b(?!/)|~(?![\w/]))"
    r"|\bparent\s(?:directory|folder)\b|\b(?:directory|folder)\sabove\b|\b(?:one|a)\s(?:directory|folder|level)\s(?:up|above|higher)\b"
    r"|\b(?:neighbou?ring|sibling|adjacent)\s(?:skill|plugin|folder|directory)\b",
    re.IGNORECASE,
)
"""Words for a place out of the skill."""
_OF_PROJECT = lazy(
    r"[`\"'*]{0,2}\sof\s(?:your|the|a|their)\s(?:\w+\s)?(?:project|repo|repository|package|app|workspace|module)",
    re.IGNORECASE,
)
_STOP = lazy(r"[.!?](?=\s+[A-Z`*_\"'(]|\s*$)|\n(?=\s*(?:\n|[-*#|>]|\d+[.)]))")
"""The end of a sentence, or of what a line break ends."""
_NAME = lazy(rf"(?<![\w/.~-])(?:\./)?([\w-][\w.-]{{0,80}}{SUFFIX})(?![\w/-]|\.\w)")
_DO = lazy(r"\b(?:run|execut|launch|start|invok|sourc|call)(?:e|es|ed|s|ing|ning)?\b", re.IGNORECASE)
_DO_IT = lazy(
    r"[.!?:;,]?\s*(?:then\s|and\s|now\s)?(?:run|execute|launch|start|invoke|source|call)\s(?:it|them|that|this)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = lazy(
    r"\b(?:never|not|cannot|avoid|whether|if|unless|when|instead|rather|example)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_AROUND = 300
"""Characters of a sentence on each side of the words for a place."""


def elsewhere(view: View, places: BundlePaths) -> Iterator[Order]:
    """Files that a sentence orders to run and places in words: "Run fix.sh in your home directory"."""
    text = view.text
    end = 0
    for away in _AWAY.finditer(text):
        if away.start() < end:
            continue  # the sentence was looked at
        if _OF_PROJECT.match(text, away.end()) is not None:
            continue
        begin = max(0, away.start() - _AROUND)
        for stop in _STOP.finditer(text, begin, away.start()):
            begin = stop.end()
        stopped = _STOP.search(text, away.end(), away.end() + _AROUND)
        end = stopped.start() if stopped is not None else min(len(text), away.end() + _AROUND)
        then = _DO_IT.match(text, end)
        done = _DO.search(text, begin, end) or then
        found = _NAME.search(text, begin, end)
        if done is None or found is None or places.has_named(found[1]):
            continue
        if _TAKEN_BACK.search(text, begin, max(begin, min(done.start(), end))) is not None:
            continue
        from sluicegate.vet.inspect.ordered.writing import told_to_write

        if not told_to_write(text, found[1]):
            path = f"~/{found[1]}" if away["home"] else f"../{found[1]}"
            yield Order(path, view, found.start(), found.end(), Base.SKILL)


def of_prose(view: View, places: BundlePaths) -> Iterator[Order]:
    """Files that a sentence orders to run by naming them: a verb, few words, and the path; and texts to follow."""
    text = view.text
    bare = bool(places.beside) or one_of(_DUE_HINTS, text)
    ends = [found.span() for found in (_FILE if bare else FILE_BELOW).finditer(text)]
    ends += _leaving(text)
    if "scripts/" in text:
        ends += [found.span() for found in IN_SCRIPTS.finditer(text)]
    for first, last in ends:
        least = max(0, first - _PROSE_MOST)
        begin = max(text.rfind("\n", least, first) + 1, least)
        start = first
        while start > begin and (text[start - 1].isalnum() or text[start - 1] in _OF_TOKENS):
            start -= 1
        rest = _REST.match(text, last)
        end = rest.end() if rest is not None else last
        start += text.startswith("@", start)  # a reference to a file, as agents write them
        path = text[start:end].rstrip(".").replace("${HOME}", "~").replace("$HOME", "~")
        before, named = text[begin:start], ""
        if before.endswith("]("):  # [a name](the path)
            opened = before.rfind("[")
            before, named = (before[:opened], before[opened + 1 : -2]) if opened != -1 else (before, "")
        leaves_it = path.startswith(("../", "~/", "/"))
        told = _TOLD.search(before) is not None or (leaves_it and _TOLD.search(f" {named}") is not None)
        due = _due(text, begin, start, end)
        ours = due or (told and _OURS.search(text, max(begin, start - 120), end + 60) is not None)
        if ours and ("://" in before[-12:] or path in _OF_PROJECTS):
            ours = due = False
        if path in _ROOTS or ("/" not in path and not (ours or places.beside)):
            continue
        if told or due or (leaves_it and _followed(text, begin, start, end, path)):
            base = Base.SCRIPT if ours else Base.PROJECT if path.startswith("./") else Base.SKILL
            yield Order(path, view, start, end, base)

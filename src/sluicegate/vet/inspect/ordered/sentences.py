"""Files that a sentence of a text orders to run, and texts that it has the agent follow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.ordered.commands.projects import of_project
from sluicegate.vet.inspect.ordered.commands.runs import NAMED, SUFFIX, files
from sluicegate.vet.inspect.ordered.orders import Order, WordsAround
from sluicegate.vet.inspect.ordered.places import (
    Base,
    BundlePaths,
    Where,
    slashed,
)
from sluicegate.vet.inspect.ordered.prefilter import IN_SCRIPTS
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy, seldom

if TYPE_CHECKING:
    from sluicegate.vet.inspect.ordered.around import Fences

_FILE = lazy(rf"{SUFFIX}(?![\w/-]|\.\w)")
_BY_ITSELF = lazy(r"\.(?:sh|bash|zsh|ksh|command|ps1|bat|cmd)$")
"""How the names of programs end that are run by their path, and seldom loaded."""
_OF_TOKENS = frozenset("_./~$@+{}\\-%")
"""What stands in paths beside letters and digits."""
_REST = lazy(r"[\w./@+-]*")
_TOLD = seldom(
    "run execut sourc launch invok start call sh double-click kick ejecut".split(),
    r"(?:^|[\s`*_(>:])(?:re-?)?(?:run|execut|sourc|launch|invok|start|call|bash|sh|load and run|double-click|kick off [^.\n`]{0,24}with|ejecut[ae]|exécute[rz]?|führe|start[ez]n?|必须运行|运行|执行)(?:e|es|ed|s|ing|ning)?(?!\w)"
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
_AWAY_FROM_HERE = ("../", "~/", "%", "/home/", "/Users/", "/root/")
_SHARED = ("/tmp/", "/var/")
"""Folders in which texts have files put that they name later."""
_LOOKED = 2000
"""Programs that are not here of which the words around are read, in one text; more are taken for ordered."""
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
_INCLUDED = lazy(
    r"(?:!\[[^\]]{0,80}\]\(|\b(?:include|import|embed|transclude)s?[ :\"'(<]{1,3})$", re.IGNORECASE
)
"""What stands before the path of a text that is to be put in its place."""
_BINDING = lazy(
    r"\b(?:follow|obey|comply|adhere|abide|carry out|act (?:up)?on|appl(?:y|ies)|treat|continue with|proceed (?:with|to)|go on with|do what|what to do"
    r"|(?:its|these|those) rules? (?:hold|are|apply|bind)|instructions?|part of (?:this|the) skill|binding|in force)\b",
    re.IGNORECASE,
)
"""Words that make of a text in the same sentence one that binds."""
_WRITTEN = lazy(
    r"\b(?:writ|creat|sav|updat|edit|append|generat|add|put|stor|record|log|not)(?:e|es|ed|ing|t|ting|s)?\b(?![^,;]*\b(?:follow|obey|apply)\b)",
    re.IGNORECASE,
)
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


def _followed(path: str, words: WordsAround, *, at: bool, outside: bool) -> bool:
    """Whether a sentence has the agent follow a text, but for the memory that an agent loads anyway.

    ``at``: whether an ``@`` stands before its path, by which agents take in a text.
    """
    if _TEXT.search(path) is None or _MEMORY.search(path) is not None:
        return False
    before, behind = words.before, words.behind
    if (
        _TO_FOLLOW.search(before[-100:]) is not None
        or _THEN_FOLLOW.match(behind) is not None
        or _FOLLOW_IT.match(behind) is not None
    ):
        return True
    if not outside:
        return False
    if at or _INCLUDED.search(before) is not None:
        return True
    sentence = _sentence(before)
    if _WRITTEN.search(sentence) is not None or _TAKEN_BACK.search(sentence) is not None:
        return False
    return (
        _BINDING.search(sentence) is not None
        or _BINDING.search(behind[:_AROUND].partition(". ")[0]) is not None
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


_OURS = lazy(
    r"\b(?:bundled|included|shipped|that comes with|of this skill|this skill's|next to this file|beside this file|in this folder|in the skill)\b",
    re.IGNORECASE,
)
"""What says that a file is the skill's."""


def _due(words: WordsAround) -> bool:
    """Whether the words behind a path say that it is to be run, and those in front of it do not take that back."""
    return _MUST.match(words.behind[:_PROSE_MOST]) is not None and _ASKED.search(words.before) is None


_END = lazy(r"(?<!\be\.g)(?<!\bi\.e)[.!?;](?=\s+\S)")
"""The end of a sentence, in words of one paragraph."""
_DOES = lazy(
    r"\b(?:(?P<run>(?:re-?)?(?:run|execut|launch|invok|start|sourc|trigger|call|bash|use|using|let|appl(?:y|ies)|begin|boot(?:strap)?|interpret|pass|hand|feed|pipe|give"
    r"|set up|sets up|kick off|kicks off|fire up|fires up|through|via|by means of|first|next|step \d+ is|convert|process|deploy|install|perform|import))"
    r"|(?P<data>(?:over)?(?:read|see|view|open|edit|modif(?:y|ies)|updat|chang|cop(?:y|ies)|mov|renam|delet|remov|creat|writ|add|sav|generat|output|check|review|inspect"
    r"|compar|look|refer|referenc|contain|includ|stor|put|plac|nam|list|document|describ|mention|find|know|flag|detect|report|produc|export|implement|fix|test|cover"
    r"|defin|declar|lint|format|commit|stag|grep|search|analy[sz]|audit|explain|cover|match|exclud|ignor|skip|touch|migrat|refactor|replac|depend))"
    r")(?:e|es|ed|s|d|ing|ning|ting|ten|tten)?\b",
    re.IGNORECASE,
)
"""Verbs by which a file is run or used, and those by which it is data. The one nearest to a path governs it."""
_RUN_LATER = lazy(
    r"[^.\n]{0,80}?[`\"'*)\]]{0,3}[ ,.;:|(\u2013\u2014-]{1,4}(?:then |and |now |next |please |always |you |it is |which |that ){0,4}(?:must |should |have to |to )?"
    r"(?:re-?)?(?:run|execute|launch|start|invoke|source|call|trigger|use)s? (?:it|them|this|that|first|before|every|each)\b"
    r"|[^.\n]{0,40}?\b(?:which|that) (?:you|the agent|has to|must|is to)\b[^.\n]{0,20}\b(?:run|execute|launch|start|invoke|source|call)\b"
    r"|[`\"'*)\]]{0,3} (?:to|into|with|by|in|through) (?:the |a )?[`\"'*]{0,2}(?:python[\d.]{0,4}|(?:ba|z|da|k)?sh|node|perl|ruby|php|pwsh|powershell|shell|terminal|interpreter)\b",
    re.IGNORECASE,
)
"""What behind a path, or in the sentence after it, has it run."""
_NOT_SO = lazy(
    r"\b(?:never|not|cannot|avoid|instead of|rather than|without|unlike|no longer|whether|example|e\.g\.|such as|like|user's|project's|your (?:\w+ )?(?:project|repo|repository|app|code))\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
"""What takes an order back, asks, gives an example, or says that the file is somebody else's."""


_THEIRS = lazy(
    r"[^.\n]{0,60}?\b(?:your|the user's|their|the target|the cloned|each|every) (?:\w+ )?(?:projects?|repo|repository|repositories|apps?|application|codebase|workspace)\b",
    re.IGNORECASE,
)
"""What behind a path says that it stands in the project of somebody else."""
_AS_MODEL = lazy(
    r"[`\"'*)\]]{0,3} (?:as (?:an? |the )?|for (?:an? |the )?|is (?:an? |the )?)(?:[\w-]+ ){0,2}(?:template|example|reference|starting point|basis|model|details?|implementation)\b",
    re.IGNORECASE,
)
"""What behind a path says that it is to be read."""


def _sentence(before: str) -> str:
    """The words before a path that belong to its sentence."""
    return _END.split(before)[-1][-_PROSE_MOST:]


def _meant(words: WordsAround, *, alone: bool) -> bool:
    """Whether a program that is not here is to be run, by what stands around its path.

    1. What is taken back is not. 2. What follows may order it: run it, hand it to an interpreter. 3. The verb nearest in
    front of the path governs it. 4. Without a verb, one that stands ``alone`` is there for being run: a program out of
    the skill. One in the skill may be no more than mentioned.
    """
    sentence = _sentence(words.before)
    # 1
    if _NOT_SO.search(sentence) is not None:
        return False
    if _AS_MODEL.match(words.behind) is not None:
        return False
    # 2
    if _RUN_LATER.match(words.behind[:_PROSE_MOST]) is not None:
        return True
    # 3, 4
    verb = None
    for verb in _DOES.finditer(sentence):  # noqa: B007
        pass
    return alone if verb is None else verb["run"] is not None


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
    """Files that a text orders to run by naming them, and texts to follow.

    Around a path that the skill has, the words of its line are read; around others, those of its sentence, its list and
    the sentence after it.
    """
    text = slashed(view.text)
    ends = [found.span() for found in _FILE.finditer(text)]
    ends += _leaving(text)
    if "scripts/" in text:
        ends += [found.span() for found in IN_SCRIPTS.finditer(text)]
    fences: Fences | None = None
    seen: set[int] = set()
    ordered: set[str] = set()
    missing: dict[str, bool] = {}  # a text that names a path often is asked once
    looked = 0
    for first, last in ends:
        start = first
        least = max(0, first - _PROSE_MOST, text.rfind("\n", max(0, first - _PROSE_MOST), first) + 1)
        while start > least and (text[start - 1].isalnum() or text[start - 1] in _OF_TOKENS):
            start -= 1
        rest = _REST.match(text, last)
        end = rest.end() if rest is not None else last
        at = text.startswith("@", start)  # a reference to a file, as agents write them
        start += at
        path = text[start:end].rstrip(".").replace("${HOME}", "~").replace("$HOME", "~")
        if path in _ROOTS or start in seen or path.startswith("//"):
            continue
        seen.add(start)
        by_itself = path.startswith("./") and _BY_ITSELF.search(path) is not None
        absent = missing.get(path)
        if absent is None:
            absent = missing[path] = (
                not places.known(path)
                and not path.startswith(_SHARED)
                and places.where(path, view.path, Base.COMMAND if by_itself else Base.SKILL) is not Where.FINE
            )
        outside = path.startswith(("../", "~/", "/", "%")) or text.startswith(":/", start + 1)
        if absent and path in ordered:
            continue
        words = WordsAround(text[least:start], text[end : end + _PROSE_MOST].partition("\n")[0])
        fence, code = None, False
        looked += absent
        if looked > _LOOKED:  # a text of so many programs that are not here is none that a person reads
            ordered.add(path)
            yield Order(path, view, start, end, Base.SKILL)
            continue
        if absent:
            from sluicegate.vet.inspect.ordered.around import (  # most skills lack none
                Fences,
                around,
                is_plain,
            )

            fences = Fences(text) if fences is None else fences
            fence = fences.at(start)
            code = fence is not None and not is_plain(fence[1])
            if not code:
                words = around(text, start, end, None if fence is None else fence[0])
        before, named = words.before, ""
        if before.endswith("]("):  # [a name](the path)
            opened = before.rfind("[")
            before, named = (before[:opened], before[opened + 1 : -2]) if opened != -1 else (before, "")
        told = _TOLD.search(before) is not None or (
            (outside or by_itself) and _TOLD.search(f" {named}") is not None
        )
        due = _due(words)
        ours = due or (told and _OURS.search(text, max(least, start - 120), end + 60) is not None)
        theirs = of_project(path, ())
        if ours and ("://" in before[-12:] or theirs):
            ours = due = False
        run = told and not theirs and NAMED.search(path) is not None and not places.known(path)
        if run and not absent:
            from sluicegate.vet.inspect.ordered.around import Fences

            fences = Fences(text) if fences is None else fences
            run = fences.at(start) is None and "://" not in before[-12:]
        run = run and not code and _NOT_SO.search(_sentence(before)) is None
        run = run and _THEIRS.match(words.behind) is None and not _command_before(words.before)
        if "/" not in path and not (ours or places.beside or run):
            continue
        linked = before is not words.before
        ruled = not path.startswith("/") or path.startswith(_ROOTS)
        if not (told or due) and absent and ruled and not code and NAMED.search(path) is not None:
            away = path.startswith(_AWAY_FROM_HERE) or (by_itself and not theirs)
            alone = away and not linked and not (fence and _shown(before))
            command = _command_before(words.before)
            said = (
                path in files([*command, path]) or _RUN_LATER.match(words.behind[:_PROSE_MOST]) is not None
                if command
                else _meant(WordsAround(before, words.behind), alone=alone)
            )
            told = said and "://" not in before[-12:]
        if told or due or (outside and _followed(path, words, at=at and not code, outside=not code)):
            ordered.add(path)
            base = Base.PROJECT if path.startswith("./") else Base.SKILL
            run = run or (by_itself and not theirs)
            base = Base.SCRIPT if ours else Base.COMMAND if run else base
            yield Order(path, view, start, end, base)


def _command_before(before: str) -> list[str]:
    """The words of a command in a code span before a path that is an argument of it."""
    if before.count("`") % 2 == 0:
        return []
    return before[before.rfind("`") + 1 :].strip(" $>%").split()


def _shown(before: str) -> bool:
    """Whether words stand before a path in the line of a fence, which then is not a command by its path."""
    return before.strip(" $>%") != ""

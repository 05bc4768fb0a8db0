"""Retractions of a warning: the text takes it back, or a program of the skill runs what the text shows."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sluicegate.vet.inspect.context.prose.sentence import negation, quoted
from sluicegate.vet.intake.bundle import CODE
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_AGENT = r"(?:an? |the |any |every )?(?:ai |coding )?(?:agents?|assistants?|models?|llms?|bots?|claude|ai)"
_WARNING = r"(?:warnings?|headings?|labels?|cautions?|disclaimers?)"
_SHOWN = r"(?:quote|quotation|example|sample|attacker|payload|table|row|entry|pattern)s?"
_TAKEN_BACK = lazy(
    rf"\b(?:{_AGENT}|you) (?:is|are) (?:exempt|excepted|excluded)\b"
    rf"|\b(?:do|does)(?: not|n't) apply to (?:you\b|{_AGENT}\b)"
    rf"|\b{_WARNING}\b[^.\n]{{0,30}}\b(?:is|are) (?:only |just )?(?:for|meant for|addressed to|aimed at|intended for) (?:humans?|people|reviewers?|scanners?|auditors?)\b"
    rf"|\b(?:ignore|disregard|despite|regardless of|notwithstanding|in spite of) (?:the |this |that |these |any |all )?(?:above |previous )?{_WARNING}\b"
    r"|\b(?:never|bad|forbidden|dangerous|malicious)\b[^.\n]{0,20}\bmeans? (?:always|do it|required|good)\b"
    r"|(?:^|[.!?:]\s{1,3})except (?:at|when|if|in|on|before|after|during)\b"
    rf"|\b(?:{_AGENT}|you) (?:still |must |should |will )?(?:runs?|executes?|do|does|performs?) (?:it|them|this|that)(?: \w+)? (?:anyway|nevertheless|nonetheless|regardless)\b"
    rf"|\bdo (?:exactly |just )?(?:what|as) the {_SHOWN} (?:says?|shows?|tells?|orders?|asks?)\b",
    re.IGNORECASE | re.MULTILINE,
)
_UNLESS = lazy(rf"\bunless you(?:'re| are) {_AGENT}\b", re.IGNORECASE)
_UNCOMMENT = lazy(
    r"\b(?:uncomment|remove the (?:comment (?:sign|mark|character)|hash|leading #)|without the (?:leading )?(?:#|hash))",
    re.I,
)
_RUNS = lazy(
    r"\b(?:os\.(?:system|popen)|exec|eval|execSync)\(\s{0,3}[A-Za-z_]\w{0,40}\s{0,3}[,)]"
    r"|\bsubprocess\.\w{2,14}\(\s{0,3}[A-Za-z_][\w.()\[\]]{0,40}\s{0,3},[^\n]{0,80}shell\s?=\s?True"
    r"|\(\s{0,3}\[?\s{0,3}[\"'](?:/bin/)?(?:ba|z)?sh[\"'],\s{0,3}\[?\s{0,3}[\"']-\w{0,2}c[\"'],\s{0,3}[A-Za-z_]"
)
"""A text that a name holds is run."""
_FENCES = ("```", "`{3}", "\\x60", "~~~")


def taken_back(text: str) -> bool:
    """Whether a text says of its own warnings that they do not count."""
    return _UNLESS.search(text) is not None or any(
        not negation(text, found.start()) and quoted(text, found.start(), found.end()) is None
        for found in _TAKEN_BACK.finditer(text)
    )


def uncommented(text: str) -> bool:
    """Whether a text tells to make commands of comments."""
    return _UNCOMMENT.search(text) is not None


def run_from(name: str, views: Iterable[View]) -> bool:
    """Whether some program takes commands out of the text file of this name, and runs them.

    1. A line of a shell reads the file and ends in a shell.
    2. A program names the file, looks for its blocks, and runs a text that a name holds.
    """
    named = re.escape(name)
    piped = re.compile(
        rf"\b(?:cat|sed|awk|gawk|grep|tail|head|perl|python3?|tr)\s[^\n]{{0,160}}{named}\b[^\n→]{{0,160}}\|\s{{0,3}}(?:sudo )?(?:ba|z|da)?sh\b(?!\s{{0,40}}\|)"
        rf"|\b(?:(?:ba|z|da)?sh|source|eval)\s[^\n]{{0,40}}(?:<\(|\$\()[^\n]{{0,120}}{named}\b"
    )
    for view in views:
        text = view.text
        if view.origin or name not in text:
            continue
        if piped.search(text) is not None:  # 1
            return True
        if (
            view.language in CODE
            and any(fence in text for fence in _FENCES)
            and _RUNS.search(text) is not None
        ):  # 2
            return True
    return False

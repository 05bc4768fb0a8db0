"""Words about reviewers in programs and data: inputs of tests, expectations of evaluations, statements of code."""

from __future__ import annotations

import re

from sluicegate.vet.inspect.context.programs import data
from sluicegate.vet.inspect.context.programs.literal import literal
from sluicegate.vet.inspect.context.prose.purpose import SkillPurpose
from sluicegate.vet.inspect.context.prose.reviewers import ADDRESS, DOUBTFUL, OWN, TALK, Mention
from sluicegate.vet.intake.bundle import CODE, CONFIG, PROSE
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

PLACE = lazy(
    r"(?:^|/)(?:tests?|__tests__|specs?|fixtures?|testdata|evals?|evaluations?|benchmarks?|samples|test[-_]cases)/"
    r"|(?:^|/)(?:test_[^/]{1,80}|evals?|[^/]{1,80}(?:_test|\.test|\.spec|_spec|[-_.]evals?))\.\w{1,5}$",
    re.IGNORECASE,
)
_EXPECTED = lazy(
    r"(?:^|[\s{,\"'-])(?:expect\w{0,12}|assert\w{0,12}|criteria|criterion|rubrics?|checks?|outcomes?|should\w{0,12}|graders?|acceptance\w{0,12})[\"']?[ \t]{0,3}:",
    re.IGNORECASE,
)
_INPUT = lazy(
    r"(?:^|[\s{,\"'-])(?:prompts?|inputs?|quer(?:y|ies)|users?|messages?|content|text|question|cases?|diff|document|files?)[\"']?[ \t]{0,3}:",
    re.IGNORECASE,
)
_NAMED = lazy(
    r"\b\w{0,20}(?:payload|attack|inject|malicious|adversar|hostile|fixture|sample|corpus|poison|evil|untrusted)\w{0,20}\b",
    re.IGNORECASE,
)
_RETURNS = lazy(r"(?:^|[;{}):>])[ \t]{0,40}return[ \t]{1,3}[\[({\"'`:*]{0,2}", re.MULTILINE)
_PROGRAM = lazy(
    r"[ \t>]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?(?:`{3,}|~{3,})[ \t]*"
    r"(?:python3?|py|javascript|js|jsx|mjs|typescript|ts|tsx|go|golang|rust|java|kotlin|swift|csharp|cpp|c|php|ruby|scala)\b",
    re.IGNORECASE,
)
_LINE = 400
_LIST = 1_200
"""Characters before a string in which the name of its list is looked for."""


def statement(view: View, start: int, fence: str) -> Mention | None:
    """What a program returns is no answer of a reviewer: ``return {"severity": "low"}``.

    ``fence`` is the text of the fence of a prose text, from its opening line up to ``start``, or empty.
    """
    if view.language in CODE:
        text = view.text[:start]
    elif _PROGRAM.match(fence) is not None:
        text = fence.partition("\n")[2]
    else:
        return None
    line = text[text.rfind("\n") + 1 :]
    begins = _RETURNS.search(line + view.text[start : start + 12])
    if begins is None or not begins.start() <= len(line) < begins.end():
        return None
    if any(text.count(mark) % 2 for mark in ('"""', "'''", "`")):
        return None
    return Mention(TALK, "a statement of a program")


def given(view: View, start: int) -> bool:
    """Whether a value in a file among the tests is what a test or an evaluation is given, or expects."""
    return PLACE.search(view.path) is not None and (
        data.under(view, start, _INPUT) or data.under(view, start, _EXPECTED)
    )


def vector(view: View, start: int, end: int, *, purpose: SkillPurpose, quotes: bool) -> Mention | None:
    """Why what stands in a test, in data or in quotation marks is an input or an expectation, or None.

    1. An input of a test, of which the same record says that it is to be refused.
    2. A quotation, and a file among the tests, in a skill that is about such things.
    3. A value that a detection rule looks for.
    4. What an evaluation expects says what the agent does. What it is given may say anything.
    5. A string of a test, or of a list whose name says that its entries are attacks.
    """
    tests = PLACE.search(view.path) is not None
    named = ADDRESS.search(view.text, start, end) is not None
    if data.tried(view, start):  # 1
        sure = purpose.security and view.language in CONFIG and OWN.search(view.text, start, end) is None
        return Mention(TALK if sure else DOUBTFUL, "an input of a test that is to be refused")
    if view.language in PROSE:  # 2
        if quotes and purpose.reviewing:
            return Mention(DOUBTFUL, "quoted, in a skill about judging")
        return Mention(DOUBTFUL, "a file among the tests") if tests and purpose.reviewing else None
    if view.language in CONFIG:
        if data.excuse(view, start) is not None:  # 3
            return Mention(TALK if purpose.security else DOUBTFUL, "a value that a detection rule looks for")
        if data.under(view, start, _EXPECTED):  # 4
            addressed = named or OWN.search(view.text, start, end) is not None
            return Mention(DOUBTFUL if addressed else TALK, "what an evaluation expects")
        if (
            tests
            and purpose.security
            and given(view, start)
            and not (named or OWN.search(view.text, start, end))
        ):
            return Mention(TALK, "an input of a test, in a skill about such things")
        if tests and (data.under(view, start, _INPUT) or purpose.reviewing):
            return Mention(DOUBTFUL, "an input of an evaluation or a test")
        return None
    first = max(view.text.rfind("\n", 0, start) + 1, start - _LINE)
    if view.language in CODE and (opening := literal(view.text, first, start, end)) is not None:  # 5
        listed = _NAMED.search(view.text, max(0, opening - _LIST), opening) is not None
        if tests and listed and purpose.security:
            return Mention(TALK, "an entry of a list of attacks in a test, in a skill about such things")
        if tests or listed:
            return Mention(DOUBTFUL, "an input of a test or an entry of a list of attacks")
        if purpose.reviewing:
            return Mention(DOUBTFUL, "a text of a program, in a skill about judging")
    return None

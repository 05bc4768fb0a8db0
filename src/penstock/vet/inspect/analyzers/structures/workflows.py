"""Continuous-integration workflows that run what strangers wrote, or give secrets away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.vet.inspect.analyzers import known
from penstock.vet.inspect.analyzers.structures.registry import Facts, rule, structure_rule
from penstock.vet.inspect.rule import Match
from penstock.vet.intake.bundle import Kind
from penstock.vet.intake.views.view import View
from penstock.vet.lazy import lazy
from penstock.vet.verdict.types import Category, Severity

WORKFLOW = rule(
    "workflow-untrusted", "A workflow runs untrusted code with the repository's rights", Category.SUPPLY_CHAIN,
    Severity.MEDIUM, 600,
    why="pull_request_target with a checkout of the request, a stranger's text inside a script, or a download piped into "
    "a shell hands the repository's secrets to others.",
    fix="Use pull_request, pass texts through env, and pin what is downloaded.",
    references=("ASI04", "CWE-94", "CWE-829"),
)  # fmt: skip

_CHECKOUT = lazy(r"ref:\s{0,8}[\"']?\$\{\{\s{0,8}github\.(?:event\.pull_request\.head|head_ref)")
_TEXT = lazy(
    r"\$\{\{\s{0,8}github\.(?:event\.(?:issue\.title|issue\.body|pull_request\.title|pull_request\.body|comment\.body"
    r"|review\.body|head_commit\.message|discussion\.(?:title|body))|head_ref)\b"
)
_INTO_SHELL = lazy(r"\|\s{0,4}(?:sudo\s{1,4})?(?:ba|z)?sh\b")
_FETCH = lazy(r"\b(?:curl|wget)\b")
_ALL_SECRETS = lazy(r"toJSON\(\s{0,4}secrets\s{0,4}\)", re.IGNORECASE)
_SENDS = lazy(r"\b(?:curl|wget|nc|ncat)\b[^\n]{0,400}")
_SECRET = "${{ secrets."


@structure_rule(WORKFLOW)
def workflows(facts: Facts) -> Iterator[Match]:
    """Files below ``.github/workflows``, and other pipelines' commands."""
    for view in facts.views:
        if "github/workflows/" not in view.path:
            continue
        if not view.origin and view.language is Kind.YAML:
            if "pull_request_target" in view.text:
                found = _CHECKOUT.search(view.text)
                if found is not None:
                    yield _match(
                        found.start(),
                        found.end(),
                        view,
                        "a stranger's code is checked out with secrets at hand",
                    )
        elif view.origin and view.origin[0].kind == "command":
            yield from _step(view)


def _step(view: View) -> Iterator[Match]:
    text = view.text
    found = _TEXT.search(text)
    if found is not None:
        yield _match(found.start(), found.end(), view, "a stranger's text becomes part of a script")
    for shell in _INTO_SHELL.finditer(text):
        start = max(text.rfind("\n", 0, shell.start()), shell.start() - 300) + 1
        fetch = _FETCH.search(text, start, shell.start())
        if fetch is not None and known.classify_url(text[fetch.start() : shell.end()]) > known.Host.INSTALLER:
            yield _match(fetch.start(), shell.end(), view, "a download is piped into a shell")
            break
    everything = _ALL_SECRETS.search(text)
    if everything is not None:
        yield _match(
            everything.start(),
            everything.end(),
            view,
            "all secrets at once are given to a script",
            Severity.HIGH,
        )
    elif _SECRET in text:
        for sent in _SENDS.finditer(text):
            if _SECRET in sent[0] and known.classify_url(sent[0]) is known.Host.SUSPECT:
                yield _match(
                    sent.start(), sent.end(), view, "a secret is sent to a throw-away host", Severity.HIGH
                )
                return


def _match(start: int, end: int, view: View, why: str, severity: Severity | None = None) -> Match:
    return Match(
        rule=WORKFLOW.id, view=view, start=start, end=end, severity=severity,
        confidence=None if severity is None else 700, message=f"{WORKFLOW.why} Here: {why}.",
        adjustments=() if severity is None else (why,),
    )  # fmt: skip

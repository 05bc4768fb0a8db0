"""What reviewers and persons said, in the HTML report. All of it is untrusted text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sluicegate.reach.report.html.markup import Markup, el, join, visible
from sluicegate.reach.report.words import wording
from sluicegate.vet.verdict.types import AcceptedGap, Verdict

if TYPE_CHECKING:
    from sluicegate.vet.verdict.replies import Opinion


def panel_and_rulings(verdict: Verdict, part: str) -> Markup | None:
    """What reviewers voted, the injections they saw, and what persons ruled."""
    votes = wording.panel(verdict)
    rulings = [wording.ruling(given) for given in verdict.rulings.given]
    return join(
        [
            _part(
                part, wording.panel_title(verdict), "They can make a decision stricter, never milder.", votes
            ),
            _part(
                part,
                "Rulings",
                "An approval is of exactly these findings, gaps and replies, a rejection of the content.",
                rulings,
            ),
        ]
    )


def opinions(said: Sequence[Opinion]) -> Markup | None:
    """What reviewers said of one finding."""
    if not said:
        return None
    return el("ul", (el("li", visible(wording.opinion(opinion))) for opinion in said), class_="opinions")


def accepted_gap(accepted: AcceptedGap) -> Markup:
    """A gap that was accepted, by whom, until when and why."""
    return el(
        "li",
        el("span", wording.gap_path(accepted.gap), class_="path"),
        el("span", visible(wording.gap(accepted.gap))),
        el("span", visible(wording.acceptance(accepted)), class_="note"),
    )


def _part(part: str, title: str, hint: str, lines: Sequence[str]) -> Markup | None:
    if not lines:
        return None
    rows = (el("li", visible(line)) for line in lines)
    return join([el(part, title, class_="part"), el("p", hint, class_="hint"), el("ul", rows, class_="rows")])

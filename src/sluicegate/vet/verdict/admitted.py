"""What a decision may rest on of a review: everything that counts, and no word that a model wrote.

Four texts of a review are a model's: the note of an opinion, the evidence of an injection, the sum of a reply, the message of a
finding that it added. None of them decides anything. Each is left out before the verdict, with its digest in its place, and put
back into the verdict afterwards, for those who read it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sluicegate.vet.verdict.encoding import digest
from sluicegate.vet.verdict.envelope import Review
from sluicegate.vet.verdict.types import Author, Finding, Verdict

_MARK = "words:"


def admitted(review: Review) -> Review:
    """The review without the words of models."""
    return review._replace(
        findings=tuple(
            each._replace(
                opinions=tuple(opinion._replace(note=_mark(opinion.note)) for opinion in each.opinions)
            )
            for each in review.findings
        ),
        added=tuple(finding._replace(message=_mark(finding.message)) for finding in review.added),
        heard=tuple(each._replace(summary=_mark(each.summary)) for each in review.heard),
        injections=tuple(each._replace(evidence=_mark(each.evidence)) for each in review.injections),
    )


def worded(verdict: Verdict, review: Review) -> Verdict:
    """A verdict on the admitted review, as a report shows it: with the review itself, and the words of what models added."""
    words = {_mark(finding.message): finding.message for finding in review.added}
    return verdict._replace(
        findings=_put_back(verdict.findings, words),
        listed=_put_back(verdict.listed, words),
        suppressed=tuple(each._replace(finding=_worded(each.finding, words)) for each in verdict.suppressed),
        review=review,
    )


def _put_back(findings: Sequence[Finding], words: Mapping[str, str]) -> tuple[Finding, ...]:
    return tuple(_worded(finding, words) for finding in findings)


def _worded(finding: Finding, words: Mapping[str, str]) -> Finding:
    if finding.author is not Author.MODEL:
        return finding
    return finding._replace(message=words.get(finding.message, finding.message))


def _mark(text: str) -> str:
    return f"{_MARK}{digest(text)}" if text else ""

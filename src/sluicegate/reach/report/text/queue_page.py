"""An item of the queue as a person reads it: first what a ruling is decided by, then the rest."""

from __future__ import annotations

import time
from collections.abc import Sequence

from sluicegate.reach.report.escape import one_line
from sluicegate.reach.report.text.columns import cut, pad
from sluicegate.reach.report.text.page import TextPage
from sluicegate.reach.report.words import wording
from sluicegate.vet.inspect.rule import Capability
from sluicegate.vet.review.queue.flags import FlaggedPublisher
from sluicegate.vet.review.queue.items import ItemFinding, QueueItem
from sluicegate.vet.review.queue.queue import Queued, State
from sluicegate.vet.verdict.ruling import identity
from sluicegate.vet.verdict.types import Decision

FIRST = 3
"""Findings shown at once; ``everything`` shows all."""
_APART = 12
_DIGITS = 8


def queue_page(items: Sequence[Queued], *, width: int, color: bool) -> str:
    """A line or two for each item: which, what, how far."""
    page = TextPage(width=width, color=color, rules={}, links=None)
    for each in items:
        item = each.item
        lead = f"{item.docket[:_DIGITS]}  "
        word = wording.DECISION[item.computed]
        page.add(
            lead + page.style(item.computed, pad(word, 14)) + "  " + cut(one_line(item.name), width - 26)
        )
        page.wrapped(_standing(each), first="          ", style="dim")
    return page.text() if items else ""


def flags_page(flagged: Sequence[FlaggedPublisher], *, width: int, color: bool) -> str:
    """A few lines for each publisher: who, for which skills, and what persons said of it."""
    page = TextPage(width=width, color=color, rules={}, links=None)
    for each in flagged:
        page.wrapped(each.publisher, style="bold")
        said = f"{'ended' if each.ended else 'flagged'}, {wording.count(len(each.evidence), 'skill')}"
        if not each.ended and each.needed > 1:
            said += f", {each.approvals} of {each.needed} persons ended it"
        page.wrapped(said, first="  ")
        for found in each.evidence[-FIRST:]:
            day = time.strftime("%Y-%m-%d", time.gmtime(found.found))
            origin = f", from {found.origin}" if found.origin else ""
            page.wrapped(
                f"{day} {found.skill} ({found.bundle[:_DIGITS]}): {found.found_by}{origin}",
                first="    ",
                rest="      ",
            )
        if len(each.evidence) > FIRST:
            page.add(f"    and {len(each.evidence) - FIRST} before")
        for ruling in each.rulings:
            page.wrapped(wording.ruling(ruling), first="  ", rest="    ")
    return page.text() if flagged else ""


def item_page(
    queued: Queued,
    *,
    width: int,
    color: bool,
    everything: bool = False,
    flagged: FlaggedPublisher | None = None,
) -> str:
    """All that somebody needs to rule on one item, in the order in which it decides. ``flagged``: its publisher is, since."""
    page = TextPage(width=width, color=color, rules={}, links=None)
    item = queued.item
    page.add(page.style(item.computed, wording.DECISION[item.computed]) + f"  risk {item.score}/100")
    page.wrapped(item.name, style="bold")
    page.wrapped(_standing(queued), first="  ")
    if flagged is not None:
        said = f"{flagged.publisher} is flagged since: scan this again, for a ruling on it as it is here holds no longer."
        page.wrapped(said, first="  Note  ")
    page.wrapped(item.description or "It does not describe itself.", first="  Says  ")
    _abilities(page, item)
    _findings(page, item, everything=everything)
    _voices(page, item)
    _gaps(page, item, everything=everything)
    _rulings(page, queued)
    page.heading("What a ruling is bound to", "an approval to the docket, a rejection to the content")
    for name, value in (("source", item.source or "?"), ("content", item.bundle), ("docket", item.docket)):
        page.wrapped(value, first=f"  {pad(name, 8)}")
    if queued.origin:
        page.wrapped(
            f"This was not scanned here: {queued.origin} passed it on, and vouches for what it shows.",
            first="  Note  ",
        )
    return page.text()


def _standing(queued: Queued) -> str:
    day = time.strftime("%Y-%m-%d", time.gmtime(queued.queued))
    said = f"{queued.state}, queued {day}"
    if queued.needed > 1 and queued.state is State.OPEN:
        said += f", {queued.approvals} of {queued.needed} persons approved"
    if queued.item.reviewed:
        said += ", reviewed by models"
    return f"{said}, from {queued.origin}" if queued.origin else said


def _abilities(page: TextPage, item: QueueItem) -> None:
    page.heading("What its code can do")
    found = wording.abilities(tuple(Capability(name, "", 0) for name in item.capabilities))
    for title, under in found:
        names = [wording.ability(each) for each in under]
        shown = ", ".join(names[:_APART])
        more = f" and {len(names) - _APART} more" if len(names) > _APART else ""
        page.wrapped(shown + more, first=f"  {pad(title, 13)}  ")
    if not found:
        page.add("  nothing that was seen")
    if item.more_capabilities:
        page.add(f"  and {item.more_capabilities} more")


def _findings(page: TextPage, item: QueueItem, *, everything: bool) -> None:
    page.heading("What was found")
    shown = item.findings if everything else item.findings[:FIRST]
    for finding in shown:
        _finding(page, finding)
    left = len(item.findings) - len(shown) + item.more_findings
    if left:
        page.add(f"  and {wording.count(left, 'more finding')}")
    if not item.findings:
        page.wrapped("; ".join(item.reasons) or "no finding", first="  ")


def _finding(page: TextPage, finding: ItemFinding) -> None:
    page.wrapped(f"{finding.severity}  {finding.title} [{finding.rule}]", first="  ", rest="    ")
    page.wrapped(f"{finding.path}:{finding.line}" if finding.line > 0 else finding.path, first="    ")
    if finding.evidence:
        page.add("    " + page.style("dim", "| ") + cut(one_line(finding.evidence), page.width - 6))
    if finding.message not in ("", finding.title):
        page.wrapped(finding.message, first="    ")


def _voices(page: TextPage, item: QueueItem) -> None:
    """What the reviewers disagree on, then what each came to."""
    if not item.reviewed:
        return
    page.heading("Reviewers", "what models say can make a decision stricter, never milder")
    for evidence in item.injections:
        page.wrapped(evidence, first="  Aimed at a reviewer  ", rest="    ")
    about = ""
    for voice in item.disagreements:
        if voice.about != about:
            about = voice.about
            page.wrapped(f"They disagree on {about}", first="  ", rest="    ")
        page.wrapped(f"{voice.reviewer}: {voice.vote}: {voice.note}", first="    ", rest="      ")
    for vote in item.votes:
        said = f": {vote.note}" if vote.note else ""
        page.wrapped(
            f"{vote.reviewer} ({vote.family}, {vote.role}): {vote.vote}{said}", first="  ", rest="    "
        )
    if not item.votes:
        page.add("  no reviewer was asked")


def _gaps(page: TextPage, item: QueueItem, *, everything: bool) -> None:
    if not item.gaps:
        return
    page.heading("Not inspected")
    shown = item.gaps if everything else item.gaps[:_APART]
    known = {reason.value: words for reason, words in wording.GAP.items()}
    for gap in shown:
        page.wrapped(gap.path or "the skill as a whole", first="  ")
        page.wrapped(": ".join(filter(None, (known.get(gap.reason, gap.reason), gap.detail))), first="    ")
    left = len(item.gaps) - len(shown) + item.more_gaps
    if left:
        page.add(f"  and {wording.count(left, 'more gap')}")


def _rulings(page: TextPage, queued: Queued) -> None:
    if not queued.rulings and not queued.persons:
        return
    page.heading("Rulings", "by persons")
    for ruling in queued.rulings:
        page.wrapped(wording.ruling(ruling), first="  ", rest="    ")
    ruled = {identity(ruling.person) for ruling in queued.rulings}
    waiting = [person for person in queued.persons if identity(person) not in ruled]
    if waiting:
        page.wrapped(f"not ruled on by {', '.join(waiting)}", first="  ", rest="    ")
    if queued.decision is not Decision(queued.item.computed):
        page.add(f"  which makes it {wording.DECISION[queued.decision]}")

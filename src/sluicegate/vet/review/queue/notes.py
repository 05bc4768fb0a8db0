"""What a reader of a report has to know of the rulings of persons: which hold no longer, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sluicegate.vet.report import SkillReport
from sluicegate.vet.rulings import KnownRulings, SkillRuling
from sluicegate.vet.verdict.ruling import identity
from sluicegate.vet.verdict.suppression import has_expired
from sluicegate.vet.verdict.types import Decision


def ruling_notes(known: KnownRulings, skills: Iterable[SkillReport]) -> tuple[str, ...]:
    """What whoever reads a report has to know: rulings that do not hold, and why, and what is still missing."""
    if not known.given:
        return ()
    called: dict[str, list[SkillRuling]] = {}
    for each in known.given:
        called.setdefault(each.skill, []).append(each)
    return tuple(
        dict.fromkeys(
            note
            for skill in skills
            for note in (*_void(known, skill, called.get(skill.name, [])), *_missing(known, skill))
        )
    )


def _void(known: KnownRulings, skill: SkillReport, of_name: Sequence[SkillRuling]) -> Iterator[str]:
    """Rulings on these bytes that are about another docket or over, and those on other bytes of a skill of this name."""
    verdict = skill.verdict
    holding = {identity(ruling.person) for ruling in verdict.rulings.given}
    same = known.about(skill.digest)
    persons = {identity(each.ruling.person) for each in same}
    for each in same:
        if identity(each.ruling.person) in holding:
            continue
        if each.ruling.approves and each.ruling.docket != verdict.docket:
            why = "it was about other findings, gaps or replies of reviewers"
        elif has_expired(each.ruling.expires, verdict.today):
            why = "it has expired"
        else:
            why = "it names nobody, or gives no reason"
        yield _no_longer(each, skill, why)
    for each in of_name:
        if each.bundle != skill.digest and identity(each.ruling.person) not in holding | persons:
            yield _no_longer(each, skill, "the content is another")


def _missing(known: KnownRulings, skill: SkillReport) -> Iterator[str]:
    """Why approvals that hold have not made it SAFE."""
    verdict = skill.verdict
    given = verdict.rulings.given
    if verdict.decision is Decision.SAFE or not given or not all(each.approves for each in given):
        return
    counting = given
    if verdict.computed is Decision.DO_NOT_INSTALL:
        if not known.may_override:
            yield f"{skill.name} was approved, and your settings let nobody override DO_NOT_INSTALL."
            return
        counting = tuple(each for each in given if each.overrides)
        if not counting:
            yield f"{skill.name} was approved, and not as an override of DO_NOT_INSTALL."
            return
    persons = len({identity(each.person) for each in counting})
    yield f"{skill.name} was approved by {persons} of the {known.needed} persons that are needed."


def _no_longer(each: SkillRuling, skill: SkillReport, why: str) -> str:
    did = "approved" if each.ruling.approves else "rejected"
    return f"{each.ruling.person} {did} {skill.name} on {each.day}; that does not hold here: {why}."

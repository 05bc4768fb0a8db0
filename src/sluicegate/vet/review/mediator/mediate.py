"""From a scanned skill to what its reviewers are shown."""

from __future__ import annotations

from sluicegate.vet.review.mediator.about_findings import about_findings
from sluicegate.vet.review.mediator.packages import Coverage, Packages
from sluicegate.vet.review.mediator.settings import MediatorSettings, check
from sluicegate.vet.review.mediator.subject import ReviewSubject, SkillTexts
from sluicegate.vet.review.mediator.to_detectors import to_detectors
from sluicegate.vet.review.mediator.whole_skill import whole_skill

__all__ = ["MediatorSettings", "Packages", "ReviewSubject", "mediate"]

_DEFAULT = MediatorSettings()


def mediate(subject: ReviewSubject, settings: MediatorSettings = _DEFAULT) -> Packages:
    """The packages of one skill, the same for the same bytes, findings and settings.

    1. Each finding stands in one package for reviewers of findings, or in the omissions.
    2. One package shows the whole skill.
    3. Each line of each text stands in one package for detectors, or is counted in the omissions.

    A skill without findings has no package for reviewers of findings: a panel then seats none of that role.
    Raises ConfigError for settings with which nothing could be shown, and for findings that are none of ours.
    """
    check(settings)
    texts = SkillTexts(subject)
    findings = about_findings(texts, settings)  # 1
    whole = whole_skill(texts, settings)  # 2
    raw = to_detectors(texts, settings)  # 3
    return Packages(
        packages=(*findings.packages, whole.package, *raw.packages),
        omissions=(*findings.omissions, *whole.omissions, *raw.omissions),
        coverage=tuple(
            Coverage(
                path=file.path,
                kind=file.kind.value,
                lines=0 if (view := texts.raw(file.path)) is None else len(texts.prepared(view).raw),
                to_skill_reviewers=whole.lines.get(file.path, 0),
                to_detectors=raw.lines.get(file.path, 0),
            )
            for file in texts.files
        ),
    )

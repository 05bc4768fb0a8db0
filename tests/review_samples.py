"""Skills for the tests of the mediator, made of texts."""

from collections.abc import Mapping

from sluicegate.vet.inspect.ordered.programs import with_programs
from sluicegate.vet.intake.bundle import Artifact, Bundle
from sluicegate.vet.intake.content.kinds import classify
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derive import derive_views
from sluicegate.vet.review.mediator.subject import ReviewSubject
from sluicegate.vet.verdict.types import Category, EvidenceKind, Finding, Location, Severity


def subject(files: Mapping[str, str | bytes], findings=(), **given) -> ReviewSubject:
    data = {
        path: said.encode("utf-8", "replace") if isinstance(said, str) else said
        for path, said in files.items()
    }
    bundle = Bundle(
        name="skill",
        root="",
        artifacts=tuple(
            Artifact(path=path, data=said, mode=0o644, kind=classify(path, said, 0o644).kind)
            for path, said in sorted(data.items())
        ),
        gaps=(),
        anomalies=(),
    )
    views = with_programs(bundle, derive_views(bundle, Limits()), Limits())
    return ReviewSubject(bundle=bundle, views=views.views, findings=tuple(findings), **given)


def finding(
    number: int, path: str, line: int, *, to: int | None = None, severity=Severity.HIGH, **given
) -> Finding:
    return Finding(
        **{
            "rule": "some-rule",
            "title": "Some title",
            "category": Category.EXFILTRATION,
            "kind": EvidenceKind.COMMAND,
            "severity": severity,
            "confidence": 800,
            "message": "Some title",
            "evidence": "evidence",
            "location": Location(path=path, start_line=line, end_line=to or line),
            "executable": False,
            "fingerprint": f"{number:032x}",
            **given,
        }
    )

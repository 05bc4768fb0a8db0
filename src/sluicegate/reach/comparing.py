"""What a scan is compared with: an older JSON report, or what its targets were at a Git revision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sluicegate.reach.errors import UsageError

if TYPE_CHECKING:
    from sluicegate.vet.config import ScanConfig
    from sluicegate.vet.report import Report, SkillReport

_MOST_BYTES = 256 * 1024 * 1024


class Comparing(NamedTuple):
    """What was asked for: a ``revision``, or the skills of an older report with its ``name``."""

    revision: str
    name: str
    before: tuple[SkillReport, ...] = ()

    @classmethod
    def of(cls, revision: str | None, report: str | None, targets: Sequence[str]) -> Comparing:
        """Checked before a long scan begins. Raises UsageError."""
        if revision is not None and report is not None:
            raise UsageError("--since and --compare exclude each other")
        local = [t for t in targets if t != "-" and "://" not in t]
        if revision is not None:
            if not targets or len(local) < len(targets):
                raise UsageError("--since goes with folders and files of a Git repository")
            return cls(revision=revision, name=revision)
        place = Path(report or "")
        for target in local:
            if place.resolve().is_relative_to(Path(target).resolve()):
                raise UsageError(
                    f"{place} lies inside {target}, which is scanned",
                    hint="Whoever wrote that could call anything old. Keep the report elsewhere.",
                )
        return cls(revision="", name=place.name, before=_read(place).skills)

    def compared(self, report: Report, targets: Sequence[str], config: ScanConfig, *, whole: bool) -> Report:
        """The report with its comparison. Raises SourceError where Git cannot say what was there."""
        from sluicegate.vet.compare import compare

        before = tuple(_at(self.revision, targets, config)) if self.revision else self.before
        return compare(report, before, against=self.name, whole=whole)


def _read(place: Path) -> Report:
    import msgspec

    from sluicegate.reach.report.json import decode

    try:
        if not place.is_file():
            raise UsageError(f"--compare: there is no file {place}", hint="Name a report: scan -o old.json")
        with place.open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise UsageError(f"{place} is larger than {_MOST_BYTES} bytes")
        return decode(data)
    except OSError as error:
        raise UsageError(f"cannot read {place}: {error.strerror}") from None
    except (msgspec.DecodeError, ValueError, KeyError) as error:
        raise UsageError(
            f"{place} is not a JSON report of this release: {error}",
            hint="Make one with: sluicegate scan TARGET -o old.json",
        ) from None


def _at(revision: str, targets: Sequence[str], config: ScanConfig) -> Iterator[SkillReport]:
    """The skills of the targets at a revision, scanned as they are now, each root as in the report of now."""
    from sluicegate.vet.errors import NothingToInspect
    from sluicegate.vet.scanner import Scanner, Unscanned

    with Scanner(config) as scanner:
        for result in scanner.scan_revision(targets, revision):
            if isinstance(result, Unscanned):
                if isinstance(result.error, NothingToInspect):
                    continue
                raise result.error
            for skill in result.skills:
                root = f"{result.source}/{skill.root}".rstrip("/") if len(targets) > 1 else skill.root
                yield skill._replace(root=root)

"""What a scan is compared with: an older JSON report, or what its targets were at a Git revision."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sluicegate.reach.changed import check_history
from sluicegate.reach.errors import UsageError
from sluicegate.reach.report.words.places import source_name
from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    from sluicegate.vet.config import ScanConfig
    from sluicegate.vet.report import Report, SkillReport

_MOST_BYTES = 256 * 1024 * 1024


class Comparing(NamedTuple):
    """What was asked for: a ``revision``, or an older report and the ``name`` of its file."""

    revision: str
    name: str
    old: Report | None = None

    @classmethod
    def of(cls, revision: str | None, report: str | None, targets: Sequence[str]) -> Comparing:
        """Checked before a long scan begins. Raises UsageError."""
        if revision is not None and report is not None:
            raise UsageError("--since and --compare exclude each other")
        local = [t for t in targets if t != "-" and "://" not in t]
        if revision is not None:
            if not targets or len(local) < len(targets):
                raise UsageError("--since goes with folders and files of a Git repository")
            for target in local:
                check_history(Path(target), "--since")
            return cls(revision=revision, name=revision)
        place = Path(report or "")
        for target in local:
            if place.resolve().is_relative_to(Path(target).resolve()):
                raise UsageError(
                    f"{place} lies inside {target}, which is scanned",
                    hint="Whoever wrote that could call anything old. Keep the report elsewhere.",
                )
        return cls(revision="", name=place.name, old=read_report(place, option="--compare"))

    def compared(self, report: Report, targets: Sequence[str], config: ScanConfig, *, whole: bool) -> Report:
        """The report with its comparison.

        Raises SourceError where Git cannot say what was there, and UsageError for a report of something else.
        """
        from sluicegate.vet.compare import compare

        if self.old is None:
            before = tuple(_at(self.revision, targets, config))
        else:
            before = self.old.skills
            report = report._replace(notes=(*report.notes, *self._doubts(self.old, report)))
        return compare(report, before, against=self.name, whole=whole)

    def _doubts(self, old: Report, now: Report) -> Iterator[str]:
        """What makes it doubtful that the older report is of the same target.

        Skills are compared by their roots, and that of a lone skill is empty, whatever skill it is. So two sources of
        different names are of the same target only where some skill stands at the same root under the same name. A
        checkout may lie in a folder of any name, so that is said, and not refused.
        """
        was, is_ = source_name(old, absolute=False), source_name(now, absolute=False)
        alike, common = _alike(was, is_), _named(old) & _named(now)
        if not alike and not common:
            raise UsageError(
                f"{self.name} is a report of {was}, and this is a scan of {is_}: they have no skill in common",
                hint="Compare with a report of the same target. A first report has nothing to be compared with.",
            )
        if not alike:
            yield f"{self.name}, which this is compared with, is a report of {was}; this is one of {is_}."
        elif not common:
            yield f"{self.name}, which this is compared with, is a report of {was} with other skills than {is_} has now."


def _alike(one: str, other: str) -> bool:
    """Whether two names of sources may be those of one: the folder that somebody stood in (``.``) may have any name."""
    names = [posixpath.basename(posixpath.normpath(name)) for name in (one, other)]
    return names[0] == names[1] or "." in names


def _named(report: Report) -> set[tuple[str, str]]:
    """Where each skill stands, under each of its names."""
    return {(skill.root, name) for skill in report.skills for name in (skill.name, skill.declared) if name}


def read_report(place: Path, *, option: str) -> Report:
    """The JSON report in the file that an option names. Raises UsageError."""
    import msgspec

    from sluicegate.reach.report.json.reports import decode

    try:
        if not place.is_file():  # a pipe or a device might never end
            what = "is a folder" if place.is_dir() else "is not a regular file" if place.exists() else ""
            raise UsageError(
                f"{option} {place}: {what or 'there is no such file'}",
                hint="Name a JSON report: scan TARGET -o old.json",
            )
        with place.open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise UsageError(
                f"{place} is larger than {_MOST_BYTES >> 20} MiB", hint="Name a JSON report of one scan."
            )
        return decode(data)
    except OSError as error:
        raise UsageError(
            f"cannot read {place}: {error.strerror}", hint="Name a JSON report that you may read."
        ) from None
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

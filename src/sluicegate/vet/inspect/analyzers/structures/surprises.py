"""What intake met that no honest bundle needs: one rule for each kind of surprise."""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.known import places
from sluicegate.vet.inspect.analyzers.structures.facts import BundleFacts, base_name
from sluicegate.vet.inspect.analyzers.structures.registry import (
    CRITICAL,
    HIGH,
    LOW,
    MEDIUM,
    rule,
    structure_rule,
    weighed,
)
from sluicegate.vet.inspect.rule import Match, Rule
from sluicegate.vet.intake.bundle import Anomaly, AnomalyKind
from sluicegate.vet.verdict.types import Category, Severity

_INTAKE = Category.INTAKE

RULES: dict[AnomalyKind, Rule] = {
    AnomalyKind.LINK: rule(
        "intake-link", "A symbolic link inside the skill", _INTAKE, LOW, 400,
        why="A link gives a file a second name. This one stays inside the skill, and its target was inspected.",
        fix="Nothing, if both names make sense. A copy of the file travels better than a link.",
        references=("CWE-59",),
    ),
    AnomalyKind.LINK_OUTSIDE: rule(
        "intake-link-outside", "A link that leaves the skill", _INTAKE, MEDIUM, 700,
        why="A link to a place outside the skill makes whoever reads the skill read, send or overwrite a file of yours.",
        fix="Remove the link, or put the file that is meant into the skill.",
        references=("CWE-59", "ASI02"),
    ),
    AnomalyKind.SPECIAL_FILE: rule(
        "intake-special-file", "A device, pipe or socket among the files", _INTAKE, HIGH, 700,
        why="Reading such a file can hang a program, or reach hardware or another process. No skill consists of them.",
        fix="Do not install it; ask the author for a copy that holds files only.",
        references=("CWE-73",),
    ),
    AnomalyKind.PATH_TRAVERSAL: rule(
        "intake-path-traversal", "An archive member that would be written outside its folder", _INTAKE, CRITICAL, 850,
        why="A member named with '..' or an absolute path lands outside the folder it is unpacked to, over your files.",
        fix="Do not unpack it. Nobody makes such an archive by accident.",
        references=("CWE-22", "ASI04"),
    ),
    AnomalyKind.DUPLICATE_NAME: rule(
        "intake-duplicate-name", "Two members of one name", _INTAKE, HIGH, 700,
        why="Programs differ in which of the two they keep, so what was inspected need not be what is unpacked.",
        fix="Ask for an archive in which every name stands once.",
        references=("CWE-436",),
    ),
    AnomalyKind.CASE_COLLISION: rule(
        "intake-case-collision", "Two names that are one where case does not count", _INTAKE, MEDIUM, 700,
        why="On macOS and Windows one of the two files replaces the other, so the skill is another one there.",
        fix="Rename one of the files.",
        references=("CWE-178",),
    ),
    AnomalyKind.UNDECODABLE_NAME: rule(
        "intake-undecodable-name", "A file name that is not UTF-8", _INTAKE, MEDIUM, 500,
        why="Programs show and open such a name in different ways, and some skip the file.",
        fix="Rename the file.",
        references=("CWE-176",),
    ),
    AnomalyKind.DECEPTIVE_NAME: rule(
        "intake-deceptive-name", "A file name that does not look like what it is", Category.DISGUISE, HIGH, 850,
        why="Invisible, bidirectional or blank characters in a name hide its end, and so what the file is.",
        fix="Rename the file, and ask who named it so.",
        references=("T1036", "CWE-451"),
    ),
    AnomalyKind.ENCRYPTED: rule(
        "intake-encrypted-member", "An encrypted file", _INTAKE, HIGH, 750,
        why="What is encrypted cannot be inspected; malware comes in encrypted archives so that scanners stay blind.",
        fix="Ask for the files as they are. A skill has nothing to hide from the one who installs it.",
        references=("T1027", "CWE-506"),
    ),
    AnomalyKind.POLYGLOT: rule(
        "intake-polyglot", "Two formats in one file", Category.DISGUISE, HIGH, 850,
        why="A file that is a picture to one program and an archive or script to another carries something past the eye.",
        fix="Take the file apart by hand, or do not install the skill.",
        references=("T1036", "T1027.003", "CWE-434"),
    ),
    AnomalyKind.TRAILING_DATA: rule(
        "intake-trailing-data", "Bytes after the end of a file", Category.DISGUISE, MEDIUM, 550,
        why="What is appended to a picture, recording or archive is shown by no viewer, and read by whoever knows of it.",
        fix="Save the file anew without the appended bytes.",
        references=("T1027.003", "CWE-506"),
    ),
    AnomalyKind.ARCHIVE_BOMB: rule(
        "intake-archive-bomb", "An archive that unpacks to far more than it is", Category.RESOURCE_ABUSE, HIGH, 800,
        why="It fills disk or memory of whoever unpacks it, and makes scanners give up before the part that matters.",
        fix="Do not unpack it.",
        references=("CWE-409", "LLM10"),
    ),
    AnomalyKind.DAMAGED_ARCHIVE: rule(
        "intake-damaged-archive", "An archive that cannot be read to its end", _INTAKE, MEDIUM, 600,
        why="One program gives up where another repairs, so part of it may be unpacked that nobody could inspect.",
        fix="Get the archive again, or ask the author for a sound one.",
        references=("CWE-436",),
    ),
    AnomalyKind.HIDDEN_EXECUTABLE: rule(
        "intake-hidden-executable", "A program where nobody looks for one", Category.DISGUISE, HIGH, 700,
        why="A program inside an office document or behind a dotted name is out of the sight of whoever reads the folder.",
        fix="Ask what it is for, and for a visible name and place.",
        references=("T1564.001", "T1027.009"),
    ),
}  # fmt: skip
"""KIND_MISMATCH is not here: ``disguise`` tells apart what poses as what."""


@structure_rule(*RULES.values())
def surprises(facts: BundleFacts) -> Iterator[Match]:
    """A match for each anomaly of the bundle, weighed by its facts."""
    for anomaly in facts.bundle.anomalies:
        found = RULES.get(anomaly.kind)
        if found is None or ("inside an office document" in anomaly.detail and "macros" in anomaly.detail):
            continue
        severity, confidence = _weigh(found, anomaly)
        yield Match(
            rule=found.id,
            path=anomaly.path,
            evidence=f"{anomaly.path}: {anomaly.detail}",
            severity=severity,
            confidence=confidence,
            adjustments=weighed(found, severity, confidence, "it depends on what exactly was found"),
        )


def _weigh(found: Rule, anomaly: Anomaly) -> tuple[Severity, int]:
    """Severity and confidence of one anomaly."""
    kind, detail = anomaly.kind, anomaly.detail
    if kind is AnomalyKind.LINK_OUTSIDE:
        target = detail.removeprefix("points to ")
        if places.secret(target) or places.dotenv(target) or target.startswith(("/etc/passwd", "/proc/")):
            return CRITICAL, 850
        return (HIGH, 700) if target.startswith(("/", "\\", "~")) else (found.severity, found.confidence)
    if kind is AnomalyKind.DECEPTIVE_NAME:
        if detail.startswith(("unusual space", "a backslash", "a name of")):
            return LOW, 600
    elif kind is AnomalyKind.CASE_COLLISION and base_name(anomaly.path).lower() in (
        "skill.md",
        "agents.md",
        "claude.md",
    ):
        return HIGH, 800
    elif kind is AnomalyKind.HIDDEN_EXECUTABLE and "dotted" in detail:
        compiled = detail.startswith(("a elf", "a pe", "a macho", "a wasm", "a pyc", "a class", "a pickle"))
        return (HIGH, 750) if compiled else (MEDIUM, 600)
    elif kind is AnomalyKind.PATH_TRAVERSAL and "'..'" not in detail:
        return HIGH, 800
    elif kind is AnomalyKind.POLYGLOT and detail.endswith("before the archive"):
        return MEDIUM, 700
    return found.severity, found.confidence

"""What to do about a gap: for each reason a way to have it inspected, and whether a reviewer can accept it."""

from __future__ import annotations

from collections.abc import Iterable

from sluicegate.vet.verdict.types import Gap, GapReason

_SPLIT = "Where the limit is named, raise it with --limit NAME=N; else have it split or made smaller."

REMEDY = {
    GapReason.TOO_LARGE: "Raise the limit with --limit file-bytes=N (or total-bytes), or remove what is not needed.",
    GapReason.TOO_MANY: "Raise the limit with --limit entries=N, or remove what is not needed.",
    GapReason.TOO_DEEP: "Take it out of what it is packed into, and scan it by itself.",
    GapReason.RATIO: "Ask its author for the files as they are: it unpacks to far more than it should.",
    GapReason.ENCRYPTED: "Ask its author for it without a password, and scan that.",
    GapReason.UNREADABLE: "See that all of it can be read by whoever scans, and scan again.",
    GapReason.LINK: "Put the file itself in the place of the link, or scan what the link names.",
    GapReason.SPECIAL: "Remove it: a skill needs regular files and folders alone.",
    GapReason.UNSAFE_NAME: "Ask its author to give it a plain name.",
    GapReason.EXCLUDED: "Scan it without --exclude, and without exclude in your settings.",
    GapReason.RULES_OFF: "Scan it with every rule on: see --rules and [rules]. Single findings can be accepted instead.",
    GapReason.OPAQUE: "Ask its author for the source of it, or remove it if the skill does without.",
    GapReason.DAMAGED: "Get it again from where it came from; what is damaged can be read in more ways than one.",
    GapReason.VIEW_LIMIT: _SPLIT,
    GapReason.ANALYSIS_LIMIT: _SPLIT,
    GapReason.ANALYSIS_FAILED: "Scan it again, with a network where it needs one. If it fails again, report it to us.",
    GapReason.NOT_IN_BUNDLE: "Scan it together with the file, or ask its author for that file or to take the order out.",
}

_UNREADABLE = (
    ("holds far more than a plugin", "Have that file name the folder of the plugin itself, or take the plugin out of it."),
    ("what is installed is not known", "Have its agent write that file anew, or mend it, and scan again."),
    ("does not hold its content", "Clone the repository whole, and scan the folder."),
    ("is not a file", "Put the file there that its name promises, or remove what stands there."),
    ("permission denied", "Make it readable for whoever scans, and scan again."),
    ("name too long", "Move the skill to a folder with a shorter path, and scan it there."),
)  # fmt: skip
"""What the detail of such a gap says, and what helps then."""

ACCEPT = "Or read it yourself and accept it for a time: sluicegate baseline."
NEVER = "It cannot be accepted: what it holds is not known, so it may hold something else tomorrow."


def remedy(gap: Gap) -> str:
    """What to do about one gap, in two sentences."""
    said = REMEDY[gap.reason]
    if gap.reason is GapReason.UNREADABLE:
        said = next((help for words, help in _UNREADABLE if words in gap.detail.lower()), said)
    return f"{said} {ACCEPT if gap.fingerprint else NEVER}"


def remedies(gaps: Iterable[Gap]) -> tuple[tuple[GapReason, str], ...]:
    """What to do about gaps, once for each reason and answer, in order of the gaps."""
    return tuple(dict.fromkeys((gap.reason, remedy(gap)) for gap in sorted(gaps)))

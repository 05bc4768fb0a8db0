"""Headings: what they say of what stands below them, and where fences are."""

from __future__ import annotations

import pytest

from sluicegate.vet.inspect.outline import Caveat, Headings
from sluicegate.vet.intake.bundle import Artifact, Kind
from sluicegate.vet.intake.views.view import View


def headings(text: str, path: str = "notes.md") -> Headings:
    artifact = Artifact(path=path, data=text.encode(), mode=0, kind=Kind.MARKDOWN)
    return Headings(View(artifact=artifact, text=text, language=Kind.MARKDOWN))


@pytest.mark.parametrize(
    ("heading", "caveat"),
    [
        ("Red flags", Caveat.PLAIN),
        ("Attack patterns", Caveat.PLAIN),
        ("Kerberos attacks", Caveat.SOME),
        ("Security check", Caveat.SOME),
        ("Detection", Caveat.SOME),
        ("Step 5: known bad patterns", Caveat.SOME),
        ("Install the threat scanner", Caveat.NONE),
        ("Fix for malicious patterns", Caveat.NONE),
        ("Usage", Caveat.NONE),
        ("攻击示例", Caveat.SOME),
    ],
)
def test_what_a_heading_says(heading: str, caveat: Caveat) -> None:
    assert headings(f"## {heading}\n\n- x\n").caveat(3) is caveat


def test_what_is_to_be_done_stands_apart_from_what_is_warned_of() -> None:
    found = headings("## Malicious patterns\n\n- a\n\n### Fix\n\n- b\n\n### Level two\n\n- c\n")
    assert [found.caveat(line) for line in (3, 7, 11)] == [Caveat.PLAIN, Caveat.NONE, Caveat.PLAIN]


def test_a_setup_holds_what_stands_below_it() -> None:
    found = headings("## Setup\n\na\n\n### Linux\n\nb\n\n## Exploitation\n\nc\n")
    assert [found.setup(line) for line in (3, 7, 11)] == [True, True, False]


def test_fences_by_their_lines() -> None:
    found = headings("a\n```sh\nb\n```\nc\n~~~\nd\n")
    assert [found.fence(line) for line in (1, 3, 5)] == [None, (2, 4), None]
    assert found.fence(7) == (6, 1 << 60)

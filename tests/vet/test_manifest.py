"""What a skill says of itself, and that reading only the beginning of its front matter says the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.vet import manifest
from sluicegate.vet.intake.bundle import Artifact, Bundle, Kind
from sluicegate.vet.intake.views.configs.structured import read_document
from sluicegate.vet.intake.views.view import View


def bundle(text: str, path: str = "SKILL.md") -> Bundle:
    artifact = Artifact(path=path, data=text.encode(), mode=0o644, kind=Kind.MARKDOWN)
    return Bundle(name="x", root="", artifacts=(artifact,), gaps=(), anomalies=())


@pytest.mark.parametrize(
    ("front", "said"),
    [
        ("name: x\ndescription: Sorts  notes\nlicense: MIT", "Sorts notes"),
        ("description: Sorts notes", "Sorts notes"),
        ("description: >-\n  Sorts\n  notes\nlicense: MIT", "Sorts notes"),
        ("description: Sorts\n  notes\n# why\nlicense: MIT", "Sorts notes"),
        ('description: "Sorts\nnotes"\nlicense: MIT', "Sorts notes"),
        ('name: "x\ndescription: Sorts notes\nof mine"\nlicense: MIT', ""),
        ("metadata:\n  description: Sorts notes\nlicense: MIT", ""),
        ("notes: |\n  a\n\n  description: b\ndescription: Sorts notes\nlicense: MIT", "Sorts notes"),
        ("name: x", ""),
    ],
)
def test_the_description_of_a_front_matter(front: str, said: str) -> None:
    skill = bundle(f"---\n{front}\n---\n\nText.\n")
    view = View(artifact=skill.artifacts[0], text=skill.artifacts[0].data.decode(), language=Kind.MARKDOWN)
    assert manifest.description_of(skill) == manifest.description_of(skill, [view]) == said


LINES = [
    "name: x", "description: Sorts notes", "description:", "description: |", "description: >-", 'description: "Sorts', "description: [a,",
    "description: a: b", "description: &a b", "  more", "more", 'end"', "b]", "- item", "  - item", "  key: value", "# remark", "", "license: MIT",
    "\tx", "'q': 1", "? a", "...", "notes: |", "description: 'a'", '"description": z', "@x", "_a: 1",
]  # fmt: skip


@given(st.lists(st.sampled_from(LINES), max_size=8).map("\n".join))
@settings(max_examples=600, deadline=None)
def test_as_far_as_the_description_says_what_the_whole_says(text: str) -> None:
    whole = manifest._description(text)
    said = manifest._description(manifest._as_far(text)) or whole
    assert said == whole or (not whole and read_document(text, Kind.YAML).error)

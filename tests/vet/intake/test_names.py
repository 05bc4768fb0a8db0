"""Names: safe, displayable, and honest about what they hide."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.vet.intake import names
from sluicegate.vet.intake.bundle import AnomalyKind


@pytest.mark.parametrize(
    ("raw", "path", "kinds"),
    [
        (b"a/b.txt", "a/b.txt", []),
        (b"./a//b", "a/b", []),
        (b"/etc/passwd", "etc/passwd", [AnomalyKind.PATH_TRAVERSAL]),
        (b"../../x", r"\x2e\x2e/\x2e\x2e/x", [AnomalyKind.PATH_TRAVERSAL]),
        (b"C:\\x", "C:/x", [AnomalyKind.DECEPTIVE_NAME, AnomalyKind.PATH_TRAVERSAL]),
        (b"..\\x", r"\x2e\x2e/x", [AnomalyKind.DECEPTIVE_NAME, AnomalyKind.PATH_TRAVERSAL]),
        (b"caf\xe9", r"caf\xe9", [AnomalyKind.UNDECODABLE_NAME]),
        (b"a\\run.sh", "a/run.sh", [AnomalyKind.DECEPTIVE_NAME]),
        (b"run.sh\0.css", "run.sh", [AnomalyKind.DECEPTIVE_NAME]),
        (b"", "unnamed", []),
    ],
)
def test_member_names(raw: bytes, path: str, kinds: list[AnomalyKind]) -> None:
    named = names.member(raw)
    assert named.path == path
    assert [kind for kind, _ in named.oddities] == kinds


@given(st.binary(max_size=3000))
@settings(max_examples=200, deadline=None)
def test_any_member_name_becomes_a_safe_one(raw: bytes) -> None:
    path = names.member(raw).path
    path.encode("utf-8")
    assert path
    assert not path.startswith("/")
    assert ".." not in path.split("/")
    assert len(path) <= names.LONGEST + 3


@pytest.mark.parametrize(
    "name", ["a\u202egpj.exe", "a\u200bb", "a\nb", "a\u00a0b", "x.txt          .exe", "\u3164"]
)
def test_deceptive_names(name: str) -> None:
    assert names.deception(name)


@pytest.mark.parametrize(
    "name", ["README.md", "日本語.md", "café.txt", "a b.txt", "👨‍👩‍👧.png", "نمی‌خواهم.md"]
)
def test_honest_names(name: str) -> None:
    assert names.deception(name) is None


@pytest.mark.parametrize(
    ("path", "target", "expected"),
    [
        ("a/b", "c", "a/c"),
        ("a/b", "../c", "c"),
        ("a/b", "../../c", None),
        ("a", "/etc/passwd", None),
        ("a/b", "..", ""),
        ("a", "C:\\x", None),
    ],
)
def test_link_targets(path: str, target: str, expected: str | None) -> None:
    assert names.link_target(path, target) == expected

"""What a word on the command line means."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.vet.errors import SourceError
from sluicegate.vet.intake.targets import (
    LocalPath,
    Repository,
    StandardInput,
    WebFile,
    parse_target,
    without_query,
)


@pytest.mark.parametrize(
    ("word", "url", "ref", "folder", "name"),
    [
        ("https://github.com/o/r", "https://github.com/o/r", "", "", "r"),
        ("https://github.com/o/r/", "https://github.com/o/r", "", "", "r"),
        ("https://github.com/o/r.git", "https://github.com/o/r.git", "", "", "r"),
        ("https://github.com/o/r#skills/a", "https://github.com/o/r", "", "skills/a", "a"),
        ("https://github.com/o/r@v1#a", "https://github.com/o/r", "v1", "a", "a"),
        ("https://github.com/o/r/tree/main/skills/a", "https://github.com/o/r", "main", "skills/a", "a"),
        (
            "https://github.com/o/r/blob/main/a/SKILL.md",
            "https://github.com/o/r",
            "main",
            "a/SKILL.md",
            "SKILL.md",
        ),
        ("https://gitlab.com/g/s/r/-/tree/v2/x", "https://gitlab.com/g/s/r", "v2", "x", "x"),
        ("https://bitbucket.org/o/r/src/main/x", "https://bitbucket.org/o/r", "main", "x", "x"),
        ("https://example.com/x/y.git@main#z", "https://example.com/x/y.git", "main", "z", "z"),
        ("git+https://example.com/x/y@v1", "https://example.com/x/y", "v1", "", "y"),
        ("git@github.com:o/r.git", "git@github.com:o/r.git", "", "", "r"),
        ("git@github.com:o/r.git@v1#x", "git@github.com:o/r.git", "v1", "x", "x"),
        ("ssh://git@example.com:22/o/r", "ssh://git@example.com:22/o/r", "", "", "r"),
    ],
)
def test_repositories(word: str, url: str, ref: str, folder: str, name: str) -> None:
    assert parse_target(word) == Repository(url=url, ref=ref, folder=folder, name=name)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("-", StandardInput()),
        ("./x", LocalPath(path="./x")),
        ("a:b", LocalPath(path="a:b")),
        ("C:\\x", LocalPath(path="C:\\x")),
        ("https://example.com/a/x.zip?y=1", WebFile(url="https://example.com/a/x.zip?y=1", name="x.zip")),
        (
            "https://github.com/o/r/releases/download/v1/x.skill",
            WebFile(url="https://github.com/o/r/releases/download/v1/x.skill", name="x.skill"),
        ),
    ],
)
def test_other_targets(word: str, expected: object) -> None:
    assert parse_target(word) == expected


@pytest.mark.parametrize(
    "word",
    [
        "", "--upload-pack=x", "-x", "http://example.com/x", "file:///etc", "ext::sh -c id", "git://example.com/x",
        "https://u:p@example.com/x", "https://github.com/o/r@--x", "https://github.com/o/r#../x", "https://",
        "https://example.com", "ssh://-oProxyCommand=x/y", "git@-oProxyCommand:x", "ftp://x/y", "x\0y",
        "https://github.com/o/r/tree/-x/y", "https://example.com:x/y", "ssh://git:4711@example.com/x",
        "https://u:4711@example.com:99999/x", "https://u:4711@[x/y", "https://example.com/x\n.git",
    ],
)  # fmt: skip
def test_refused(word: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse_target(word)
    assert "4711" not in str(caught.value)


def test_what_lets_its_holder_in_is_not_shown() -> None:
    assert without_query("https://example.com/a.zip?token=4711") == "https://example.com/a.zip?..."
    assert without_query("./what?.md") == "./what?.md"


@given(
    st.sampled_from(["", "https://", "git@", "ssh://", "git+https://", "https://github.com/"]),
    st.text(max_size=40),
)
@settings(max_examples=300, deadline=None)
def test_any_word_has_a_meaning_or_is_refused(start: str, rest: str) -> None:
    try:
        meant = parse_target(start + rest)
    except SourceError:
        return
    if isinstance(meant, Repository):
        assert not meant.url.startswith("-")
        assert not meant.ref.startswith("-")
        assert meant.url.startswith(("https://", "ssh://")) or "@" in meant.url

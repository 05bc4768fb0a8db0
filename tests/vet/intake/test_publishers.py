"""Who publishes what a target names, and which flag speaks against a skill."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.vet.intake.publishers import LONGEST, KnownFlags, PublisherFlag, known_flags, publisher_of


@pytest.mark.parametrize(
    "target",
    [
        "https://github.com/Owner/a",
        "https://www.github.com/owner/b.git",
        "https://github.com/owner/a/tree/main/skills/x",
        "https://github.com/owner/a@v1#skills/x",
        "https://github.com/%6Fwner/a.git",
        "https://github.com/somebody/../owner/a.git",
        "https://github.com//owner/a.git",
        "https://github.com:443/owner/a.git",
        "https://github.com./owner/a.git",
        "git+https://github.com/owner/a@v1#x",
        "git@github.com:owner/a.git",
        "git@github.com:/owner/a.git",
        "ssh://git@github.com/owner/a.git",
        "ssh://git@ssh.github.com:443/owner/a.git",
        "https://gist.github.com/owner/0123abcd",
        "https://raw.githubusercontent.com/owner/a/main/SKILL.md",
        "https://github.com/owner/a/releases/download/v1/x.skill",
        "https://codeload.github.com/owner/a/zip/refs/heads/main?token=secret",
        "https://api.github.com/repos/owner/a/zipball/v1",
        "https://cdn.jsdelivr.net/gh/owner/a@1/SKILL.md",
        "https://fastly.jsdelivr.net/gh/owner/a@1/SKILL.md",
        "https://cdn.statically.io/gh/owner/a/main/SKILL.md",
        "https://raw.githack.com/owner/a/main/SKILL.md",
        "https://raw.github.com/owner/a/main/SKILL.md",
        "https://media.githubusercontent.com/media/owner/a/main/x.zip",
        "https://owner.github.io/a.zip",
        "https://github\u3002com/owner/a.git",
        "https://\uff47ithub\uff0ecom/owner/a.git",
        "https://github\uff61com/owner/a.git",
    ],
)
def test_everything_of_one_owner_is_of_one_publisher(target):
    assert publisher_of(target) == "github.com/owner"


@pytest.mark.parametrize(
    ("target", "publisher"),
    [
        ("https://gitlab.com/group/sub/a.git", "gitlab.com/group"),
        ("https://git.example.org/team/a.git", "git.example.org/team"),
        ("git@git.example.org:a.git", "git.example.org"),
        ("https://example.org/skills/a.zip", "example.org"),
        ("https://example.org:8443/a.zip?sig=x", "example.org"),
        ("https://mira.gitlab.io/a.zip", "gitlab.com/mira"),
        ("https://mira.pages.dev/a.zip", "mira.pages.dev"),
        ("https://registry.npmjs.org/@scope/a/-/a-1.tgz", "registry.npmjs.org/@scope"),
        ("https://registry.npmjs.org/a/-/a-1.tgz", "registry.npmjs.org/a"),
        ("https://unpkg.com/a@1.0/a.tgz", "registry.npmjs.org/a"),
        ("https://huggingface.co/datasets/owner/a/resolve/main/a.zip", "huggingface.co/owner"),
    ],
)
def test_who_it_is_elsewhere(target, publisher):
    assert publisher_of(target) == publisher


@pytest.mark.parametrize(
    "target",
    [
        ".",
        "skills/github.com/owner",
        "/tmp/owner/a",
        "-",
        "",
        "http://github.com/owner/a",
        "https://docs.google.com/a/b.zip",
        "https://pastebin.com/raw/abcdef",
        "https://bit.ly/abc",
        "https://clawhub.ai/api/v1/download?slug=a",
        "https://files.pythonhosted.org/packages/ab/cd/a-1.tar.gz",
        "https://api.github.com/zipball",
        "https://objects.githubusercontent.com/github-production-release-asset/1/2",
        "https://media.githubusercontent.com/other/owner/a/x.zip",
        "https://cdn.jsdelivr.net/npm/a@1/a.tgz",
    ],
)
def test_what_names_nobody(target):
    assert publisher_of(target) == ""


@given(st.text() | st.from_regex(r"(https://|git@|ssh://)[ -\xff]{0,80}", fullmatch=True))
def test_no_target_whatsoever_breaks_it(target):
    named = publisher_of(target)
    assert len(named) <= LONGEST
    assert named.isprintable()


@given(st.sets(st.text(min_size=1, max_size=4), min_size=1, max_size=8), st.text(max_size=4))
def test_a_flag_is_found_by_its_publisher_and_speaks_of_other_skills_and_of_its_own_apart(publishers, other):
    flags = [PublisherFlag(each, frozenset({"b1", "b2"})) for each in publishers]
    known = known_flags(flags)
    assert len({each.docket for each in flags}) == len(flags)
    for each in flags:
        assert known.against(each.publisher, "b3") == each
        assert known.against(each.publisher, "b1") == each._replace(bundles=frozenset({"b2"}))
        assert known.found_in("b1") in flags and known.found_in("b3") is None
    assert (known.against(other, "b3") is None) == (other not in publishers)
    assert known.against("", "b3") is None
    assert known_flags([PublisherFlag("p", frozenset({"b1"}))]).against("p", "b1") is None
    assert KnownFlags().against(other, "b3") is None

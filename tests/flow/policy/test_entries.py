"""Every spelling of a capability is one and the same entry."""

import pytest
from msgspec.structs import replace

from sluicegate.flow.policy.rules.entries import read, split


def entries(given):
    problems = []
    found = read(given, ("allow",), problems)
    assert not problems
    return {replace(entry, path=()) for entry in found.entries}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["sh"], {"sh": None}),
        (["sh"], {"sh": True}),
        (["sh"], {"sh": ["*"]}),
        (["cmd"], {"cmd": "*"}),
        (["cmd:*"], ["cmd"]),
        (["python"], ["py"]),
        (["op:cmd:git:*"], ["cmd:git:*"]),
        (["cmd:git:*", "cmd:cat"], {"cmd": ["git:*", "cat"]}),
        (["cmd:git:status", "cmd:git:log:*"], {"cmd": {"git": ["status", "log:*"]}}),
        (["cmd:git:status"], {"cmd": [{"git": ["status"]}]}),
        (["cmd:git:status"], [{"cmd": {"git": "status"}}]),
        (["cmd:jq:*"], {"cmd": {"jq": True}}),
        (["cmd:jq:*"], {"cmd": {"jq": None}}),
        (["fs:r:/a", "fs:w:/b"], {"filesystem": {"read": ["/a"], "write": ["/b"]}}),
        (["fs:rw:/a"], {"fs": {"rw": "/a"}}),
        (["filesystem:r:/a"], ["fs:r:/a"]),
        (["network:Example.COM."], {"network": {"domains": ["example.com"]}}),
        (["net:example.com"], {"network": ["example.com"]}),
        (["network"], {"network": {"domains": None}}),
        (["mcp:github:list"], {"mcp": {"github": ["list"]}}),
        (["@keychain"], ["keychain"]),
    ],
)
def test_spellings_that_mean_the_same(one, other):
    assert entries(one) == entries(other)


def test_an_empty_list_is_a_mention():
    assert read({"network": {"domains": []}, "cmd": []}, (), []).mentioned == {"network", "cmd"}


def test_a_colon_or_blank_inside_a_part_is_written_with_a_backslash():
    assert list(split(r"push:\:main:a\ b")) == ["push", ":main", "a b"]
    (entry,) = entries([r"cmd:git:push:*:\:main"])
    assert entry.parts == ("git", "push", "*", ":main")
    assert entry.text == r"cmd:git:push:*:\:main"


def test_the_text_of_an_entry_is_the_entry():
    for text in (
        r"cmd:git:a\ b:\:c",
        "fs:rw:/a/**",
        "network:*.x.y",
        "sh",
        "@keychain",
        "mcp:a:b",
        "cmd:git:*",
    ):
        (entry,) = entries([text])
        assert entries([entry.text]) == {entry}


def test_methods_are_kept_with_their_program():
    (entry,) = entries({"cmd": {"curl": {"methods": ["get", "HEAD"]}}})
    assert entry.methods == ("GET", "HEAD")
    assert entry.text == "cmd:curl:* (GET, HEAD)"

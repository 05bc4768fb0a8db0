"""What ``policy check`` remarks on: ways that a policy leaves open."""

import pytest

from sluicegate.flow.policy.text.check import remarks
from sluicegate.flow.policy.text.load import from_tree


def _remarked(tree):
    return [".".join(map(str, problem.path)) for problem in remarks(from_tree(tree, name="p").policy)]


@pytest.mark.parametrize(
    ("sources", "said"),
    [
        ({"src:exec": "trusted", "src:mcp": "untrusted"}, True),
        ({"src:exec": "trusted"}, False),
        ({"src:mcp": "untrusted"}, False),
        ({"src:exec": "untrusted", "src:mcp": "untrusted"}, False),
    ],
)
def test_a_policy_that_washes_what_is_untrusted_is_told_so(sources, said):
    assert ("sources.src:exec" in _remarked({"sources": sources})) is said


@pytest.mark.parametrize(
    ("tree", "where", "hint"),
    [
        ({"arguments": {"fecth": {"url": {"prefix": "https://ok.example/"}}}}, "arguments.fecth", "fetch"),
        ({"arguments": {"fetch": {"methd": {"eq": "GET"}}}}, "arguments.fetch.methd", "method"),
        (
            {"arguments": {"write": {"pth": {"glob": "a/*", "optional": True}}}},
            "arguments.write.pth",
            "path",
        ),
        (
            {"arguments": {"fetch": {"url": {"prefix": "https://ok.example"}}}},
            "arguments.fetch.url.prefix",
            "https://ok.example/",
        ),
        (
            {"session": {"results": {"gh:get": {"facts": ["number", "issue.Body"]}}}},
            "session.results.gh:get.facts",
            "vouches",
        ),
        (
            {"capabilities": {"allow": ["cmd:make:*", "cmd:ls:*", "cmd:awk:*"]}},
            "capabilities.allow",
            "environment",
        ),
    ],
)
def test_what_looks_closed_and_is_not_is_remarked_on(tree, where, hint):
    found = {".".join(map(str, each.path)): each for each in remarks(from_tree(tree, name="p").policy)}
    assert hint in found[where].hint


@pytest.mark.parametrize(
    "tree",
    [
        {"arguments": {"fetch": {"url": {"prefix": "https://ok.example/"}, "headers.x": {"eq": "1"}}}},
        {"arguments": {"gh:fecth": {"x": {"eq": 1}}, "pay": {"x": {"eq": 1}}, "py": {"input": {"eq": 1}}}},
        {"session": {"results": {"bank:last": {"facts": ["iban", "account.iban"]}}}},
        {"capabilities": {"allow": ["cmd:ls:*", "fs:r:**"]}},
        {"capabilities": {"allow": ["cmd", "sh"]}},
        {"capabilities": {"allow": ["cmd:npm:audit", "cmd:git:*"]}},
    ],
)
def test_what_is_closed_is_not_remarked_on(tree):
    assert _remarked(tree) == []


def test_a_setting_of_a_provider_that_nothing_reads_is_told():
    known = {"allowedImages": ["node:*"], "defaultImage": "node:22"}
    assert not _remarked({"env": {"providers": {"docker": known}}})
    found = _remarked({"env": {"providers": {"docker": {**known, "allowed-images": ["debian:12"]}}}})
    assert found == ["env.providers.docker.allowed-images"]

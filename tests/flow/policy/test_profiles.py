"""Profiles: the first that policy permits; needs: what is installed; versions."""

import json

import pytest

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.errors import PolicyError
from sluicegate.flow.policy.modules.machine import Machine
from sluicegate.flow.policy.modules.needs import Need, read_needs, unmet
from sluicegate.flow.policy.modules.profiles import SelectedProfile, read_profiles, select
from sluicegate.flow.policy.modules.versions import satisfies

from .asking import layers

TIERS = {
    "full": {"requires": {"sh": None, "network": None}, "description": "everything"},
    "lite": {"requires": ["network"]},
    "minimal": {"requires": []},
}


def chosen(tree, tiers=TIERS, **more) -> str:
    found = select(read_profiles(tiers), layers(*tree), **more)
    assert isinstance(found, SelectedProfile)
    return found.profile.name


def test_the_first_profile_that_every_layer_permits():
    deny_sh, deny_network = {"capabilities": {"deny": ["sh"]}}, {"capabilities": {"deny": ["network"]}}
    assert chosen([]) == "full"
    assert chosen([deny_sh]) == "lite"
    assert chosen([deny_sh, deny_network]) == "minimal"
    assert chosen([{"capabilities": {"allow": ["cmd"]}}]) == "minimal"
    assert chosen([{"capabilities": {"allow": ["sh", "network:a.b"]}}]) == "full", "some of the network"


def test_none_is_a_denial_that_says_what_is_missing():
    found = select(read_profiles({"full": {"requires": ["sh"]}}), layers({"capabilities": {"deny": ["sh"]}}))
    assert isinstance(found, Denial)
    assert found.code is Code.PROFILE_UNMET
    assert "full needs sh" in found.suggestions


def test_a_forced_profile_is_the_only_one_tried():
    assert chosen([], forced="lite") == "lite"
    found = select(read_profiles(TIERS), layers({"capabilities": {"deny": ["sh"]}}), forced="full")
    assert isinstance(found, Denial)
    with pytest.raises(PolicyError, match="no profile 'fulll'"):
        select(read_profiles(TIERS), layers(), forced="fulll")


@pytest.mark.parametrize(
    ("requires", "capabilities", "met"),
    [
        ("cmd:git:*", {"allow": ["cmd:git:*"]}, True),
        ("cmd:git", {"allow": ["cmd:git:*"]}, True),
        ("cmd:git:*", {"allow": ["cmd:git:status"]}, False),
        ("cmd:git:status", {"allow": ["cmd:git:status"]}, True),
        ("cmd:git:push", {"deny": ["cmd:git:push"]}, False),
        ("cmd:git:*", {"deny": ["cmd:git:push"]}, True),
        ("cmd:git:push:--force", {"deny": ["cmd:git:push:--force"]}, False),
        ("cmd", {"allow": ["cmd:ls"]}, True),
        ("cmd", {"allow": []}, False),
        ("cmd", {"deny": ["cmd"], "allow": ["cmd:ls"]}, True),
        ("cmd", {"deny": ["cmd"], "allow": ["cmd"]}, False),
        ("fs:w:@base/dist/**", {"allow": ["fs:w:dist/**"]}, True),
        ("fs:w:@base/dist/**", {"allow": ["fs:w:dist/*.js"]}, False),
        ("fs:rw:@base/dist/**", {"allow": ["fs:r:dist/**"]}, False),
        ("fs:r:**", {"deny": ["fs:r:/etc/**"]}, True),
        ("network:api.a.b", {"allow": ["network:*.a.b"]}, True),
        ("network:*.a.b", {"allow": ["network:api.a.b"]}, False),
        ("mcp:github:*", {"allow": ["mcp:github"]}, True),
        ("show", {"allow": ["cmd"]}, True),
        ("show", {"deny": ["show"]}, False),
        ("@keychain", {"danger": ["@keychain"]}, True),
        ("@keychain", {"danger": []}, False),
        ("env:LANG", {"allow": ["env:LANG"]}, True),
        ("env:LANG", {"allow": ["cmd"]}, False),
    ],
)
def test_what_a_capability_requires_of_policy(requires, capabilities, met):
    tiers = {"wanted": {"requires": [requires]}, "else": {}}
    assert chosen([{"capabilities": capabilities}], tiers) == ("wanted" if met else "else")


@pytest.mark.parametrize("tiers", [{"a": 3}, {"a": {"require": []}}, {"a": {"requires": [3]}}, {"a": {"requires": ["shh"]}},
                                   {"a": {"requires": 3}}, {"a": {"description": 3}}])  # fmt: skip
def test_profiles_that_mean_nothing(tiers):
    with pytest.raises(PolicyError):
        read_profiles(tiers)


class Has:
    """A machine with these commands and packages."""

    def __init__(self, *commands, **packages):
        self.commands, self.packages = commands, packages

    def command(self, name):
        return name in self.commands

    def package(self, ecosystem, name):
        return self.packages.get(name)


def test_needs_are_read_and_met():
    needs = read_needs(
        {
            "node": ["express@^4.0.0", "@scope/x"],
            "python": ["requests>=2.28"],
            "cmd": ["git"],
            "sh": None,
            "js": [],
        }
    )
    assert Need("node", "express", "^4.0.0") in needs
    assert Need("node", "@scope/x") in needs
    assert Need("cmd", "python3") in needs
    assert Need("cmd", "sh") in needs
    machine = Has(
        "git", "sh", "node", "python3", express="4.18.2", requests="2.31.0", **{"@scope/x": "1.0.0"}
    )
    assert unmet(needs, machine) is None
    assert read_needs(["sh", "js"]) == (Need("cmd", "sh"),)


def test_needs_that_are_not_met_are_named_with_a_way_forward():
    needs = read_needs({"node": ["express@^4"], "cmd": ["jq"]})
    found = unmet(needs, Has("node", express="3.0.0"))
    assert found is not None
    assert found.code is Code.DEPENDENCY_UNMET
    assert "found: 3.0.0" in " ".join(found.suggestions)
    assert "jq" in found.rule


@pytest.mark.parametrize(
    "tree",
    [
        {"ruby": ["x"]},
        {"cmd": "git"},
        {"cmd": ["a b"]},
        {"node": ["x@@"]},
        {"python": ["x>>1"]},
        {"node": [3]},
    ],
)
def test_needs_that_mean_nothing(tree):
    with pytest.raises(PolicyError):
        read_needs(tree)


@pytest.mark.parametrize(
    ("found", "constraint", "ecosystem", "met"),
    [
        ("4.18.2", "^4.0.0", "node", True), ("5.0.0", "^4.0.0", "node", False), ("0.2.9", "^0.2.3", "node", True),
        ("0.3.0", "^0.2.3", "node", False), ("0.0.3", "^0.0.3", "node", True), ("0.0.4", "^0.0.3", "node", False),
        ("4.17.21", "^4.17", "node", True), ("4.17.21", "~4.17.0", "node", True), ("4.18.0", "~4.17.0", "node", False),
        ("1.5.0", "1.x", "node", True), ("2.0.0", "1.x", "node", False), ("1.2.3", "1.2.3", "node", True),
        ("1.2.4", "=1.2.3", "node", False), ("1.2.3", ">=1.0 <2.0", "node", True), ("2.0.0", ">=1.0 <2.0", "node", False),
        ("2.5.0", "^1 || ^2", "node", True), ("1.5.0", "1.0.0 - 2.0.0", "node", True), ("3.0.0", "1.0.0 - 2.0.0", "node", False),
        ("1.0.0-beta.1", ">=1.0.0", "node", False), ("1.2.9", "<=1.2", "node", True), ("1.2.9", ">1.2", "node", False),
        ("9.9.9", "*", "node", True), ("9.9.9", "latest", "node", True), ("0.5.0", "^0", "node", True),
        ("2.31.0", ">=2.28", "python", True), ("2.27", ">=2.28", "python", False), ("2.28", ">=2.28,<3", "python", True),
        ("3.0", ">=2.28,<3", "python", False), ("1.4.5", "~=1.4.2", "python", True), ("1.5.0", "~=1.4.2", "python", False),
        ("1.9", "~=1.4", "python", True), ("1.4.2", "==1.4.*", "python", True), ("1.5", "!=1.4.*", "python", True),
        ("1.0", "==1.0.0", "python", True), ("1.0rc1", ">=1.0", "python", False), ("1.0.post1", ">1.0", "python", True),
        ("1.10", ">1.9", "python", True), ("1.0", "===1.0", "python", True), ("1.1", "===1.0", "python", False), ("1.0", "", "python", True),
    ],
)  # fmt: skip
def test_constraints_of_versions(found, constraint, ecosystem, met):
    assert satisfies(found, constraint, ecosystem) is met


@pytest.mark.parametrize(("found", "constraint", "ecosystem"), [
    ("1.0", "about 2", "python"), ("1.0", ">=1.*", "python"), ("1.0", "~=1", "python"), ("x", ">=1", "python"), ("1.0", "git+https://x", "node"),
    ("1.0", ">=1; python_version<'3'", "python"),
])  # fmt: skip
def test_a_constraint_that_is_not_understood_is_an_error(found, constraint, ecosystem):
    with pytest.raises(PolicyError):
        satisfies(found, constraint, ecosystem)


def test_a_machine_is_looked_at(tmp_path):
    tool = tmp_path / "bin" / "tool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    package = tmp_path / "node_modules" / "@scope" / "x" / "package.json"
    package.parent.mkdir(parents=True)
    package.write_text(json.dumps({"version": "1.2.3"}))
    (tmp_path / "sub").mkdir()
    machine = Machine(base=tmp_path / "sub", search_path=str(tool.parent))
    assert machine.command("tool")
    assert not machine.command("sh")
    assert machine.package("node", "@scope/x") == "1.2.3"
    assert machine.package("node", "none") is None
    assert machine.package("python", "msgspec")
    assert machine.package("python", "no-such-package-here") is None
    package.write_text("not json")
    assert machine.package("node", "@scope/x") is None

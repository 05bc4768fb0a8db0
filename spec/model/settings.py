"""The reference model of what several policies bound and give, beside deciding about operations.

What is bounded is bounded by every policy; what is given is given by the first, and any other can refuse it.
Policies are plain (see ``spelling``), but keep their ``project``.

Imports nothing of ours.
"""

from __future__ import annotations

import re

LIMITS = ("timeout", "max_tokens", "memory", "cpu", "processes", "output")


def like(pattern, text):
    """Whether a text matches a pattern: ``*`` any characters, ``?`` one."""
    return (
        re.fullmatch(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."), text, re.DOTALL) is not None
    )


def stated(policies, *path):
    """What each policy that speaks of it says at a path."""
    found = []
    for value in policies:
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        if value is not None:
            found.append(value)
    return found


def limits(policies):
    """The least of each limit."""
    return {name: min(stated(policies, "limits", name), default=None) for name in LIMITS}


def host_permitted(policies, host):
    """Whether every policy that speaks of the network lets environments reach a host."""

    def about(pattern):
        ends = pattern.startswith("*.") and host.endswith(pattern[1:]) and host != pattern[1:]
        return pattern in ("*", host) or ends

    said = stated(policies, "env", "net")
    return all(net == "host" or (net != "none" and any(map(about, net["allow"]))) for net in said)


def named(policies, key, name):
    """The number of the first policy whose ``env.tools`` or ``env.mcps`` does not permit a name; None if all do."""
    for number, policy in enumerate(policies):
        given = (policy.get("env") or {}).get(key)
        lists = given if isinstance(given, dict) else {"allow": given}
        denied = any(like(each, name) for each in lists.get("deny", []))
        allow = lists.get("allow")
        if denied or (allow is not None and not any(like(each, name) for each in allow)):
            return number
    return None


def provider(policies, asked):
    """The provider that is used: the one asked for, else the first default; None if a policy does not name it."""
    chosen = asked or next(iter(stated(policies, "env", "default")), "local")
    return chosen if all(chosen in names for names in stated(policies, "env", "providers")) else None


def auth(policies, name):
    """Where a credential comes from and which variable it goes into; None if it does not flow."""

    def sealed(given):
        return (f"env:{given}", given) if isinstance(given, str) else (given["from"], given["as"])

    said = [policy.get("auth", {}).get(name) for policy in policies]
    if not said or said[0] is None:
        return None
    paths = {sealed(each) for each in said if each is not None}
    return sealed(said[0]) if len(paths) == 1 else None


def keychain(policies, entry, project):
    """Whether an entry of the keychain may be fetched."""

    def about(pattern, name, deny):
        if "{projectname}" in pattern and not name:
            return deny
        return like(pattern.replace("{projectname}", name), entry)

    def permits(policy):
        lists, rules = policy.get("capabilities"), policy.get("keychain") or {}
        name = policy.get("project", {}).get("name", project)
        if lists is not None:
            opted = any(each in ("keychain", "keychain:*") for each in lists.get("danger", []))
            if not opted or "keychain" in lists.get("deny", []):
                return False
        allow = rules.get("allow")
        denied = any(about(each, name, True) for each in rules.get("deny", []))
        return not denied and (allow is None or any(about(each, name, False) for each in allow))

    return all(map(permits, policies))


def variable(policies, name):
    """Whether a command is given a variable of our own environment."""

    def entries(policy, key):
        given = (policy.get("capabilities") or {}).get(key)
        return [each.partition(":") for each in given or [] if each.partition(":")[0] == "env"]

    def about(found):
        return any(not colon or rest == "*" or (rest and like(rest, name)) for _, colon, rest in found)

    def whole_or_named(policy):
        denied, allowed = entries(policy, "deny"), entries(policy, "allow")
        return not about(denied) and (not allowed or about(allowed))

    return bool(policies) and bool(entries(policies[0], "allow")) and all(map(whole_or_named, policies))


def privilege(policies):
    """What the first policy gives and no other that speaks of privilege leaves out."""
    said = [policy.get("privilege") for policy in policies]
    if not said or said[0] is None:
        return {"paths": [], "modules": []}
    others = [each for each in said[1:] if each is not None]
    return {
        key: [one for one in said[0].get(key, []) if all(one in each.get(key, []) for each in others)]
        for key in ("paths", "modules")
    }


def autosigns(policies, kind, name):
    """Whether a template or a variable is signed as it is made."""

    def signs(given):
        if isinstance(given, list):
            return f"{kind}s" in given
        if kind == "template":
            return given.get("templates", False)
        names = given.get("variables", False)
        return (
            names
            if isinstance(names, bool)
            else any(like(each.removeprefix("@"), name.removeprefix("@")) for each in names)
        )

    said = [policy.get("defaults", {}).get("autosign") for policy in policies]
    return bool(said) and said[0] is not None and all(signs(each) for each in said if each is not None)


def autoverify(policies):
    """The template of the first policy that names one; else whether any has it on."""
    said = stated(policies, "defaults", "autoverify")
    templates = [
        each["template"] if isinstance(each, dict) else each for each in said if not isinstance(each, bool)
    ]
    return templates[0] if templates else True in said


def trustconflict(policies):
    """The strictest."""
    return max(
        stated(policies, "defaults", "trustconflict"), key=("silent", "warn", "error").index, default="warn"
    )


def unknown_files(policies):
    """``trusted`` only if some policy says so and none says otherwise."""
    return "trusted" if {*stated(policies, "defaults", "unknown_files")} == {"trusted"} else "untrusted"


def fail_closed(policies):
    """Whether any policy says so."""
    return True in stated(policies, "defaults", "fail_closed")

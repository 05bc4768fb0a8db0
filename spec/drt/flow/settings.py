"""What several policies bound and give, in differential tests: everything that ``Layers`` says beside decisions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple, get_args, get_type_hints

from drt.flow.cases import Tree
from drt.flow.sides import PLACE, document
from drt.flow.spellings import capabilities
from model import settings as model
from model.spelling import words
from sluicegate.flow.denial import Denial
from sluicegate.flow.policy.grants import Credential
from sluicegate.flow.policy.layers import Authorized, Layers
from sluicegate.flow.policy.text.schema import Defaults, Limits, Trust
from sluicegate.flow.policy.text.vocabulary import BuiltinRule

PROJECT = "site"
CONFLICTS = ("warn", "error", "silent")
NAMES = ("Read", "Write", "WebFetch", "gh", "Bash")
PATTERNS = (*NAMES, "*", "W*", "?h", "[a]")
HOSTS = ("example.org", "api.example.org", "a.api.example.org", "example.com", "org")
HOST_PATTERNS = (*HOSTS, "*", "*.example.org", "*.api.example.org", "*.org")
PROVIDERS = ("local", "bubblewrap", "container")
CREDENTIALS = ("gh", "aws", "npm")
SEALED = (
    "GH_TOKEN",
    {"from": "env:GH_TOKEN", "as": "GH_TOKEN"},
    {"from": "keychain:site/gh", "as": "GH_TOKEN"},
    {"from": "op://vault/gh/token", "as": "TOKEN"},
)
ENTRIES = ("site/gh", "other/gh", "site/npm", "x")
ENTRY_PATTERNS = ("*", "site/*", "{projectname}/*", "{projectname}/gh", "other/?h", "x")
VARIABLES = ("HOME", "AB", "B")
SIGNED = (("template", ""), ("variable", "config"), ("variable", "@config"), ("variable", "other"))


class SettingsCase(NamedTuple):
    """Policies in force. What is asked is always the same: all of it."""

    policies: list[Tree]


def generate(number: int) -> SettingsCase:
    """Case ``number``."""
    rng = random.Random(f"settings {number}")
    return SettingsCase([_policy(rng) for _ in range(rng.choice((0, 1, 1, 2, 2, 2, 3, 6)))])


def _policy(rng: random.Random) -> Tree:
    def lists(of: Sequence[str]) -> Tree:
        return rng.sample(of, rng.randrange(min(4, len(of)) + 1))

    made: dict[str, Any] = {
        "defaults": _defaults(rng),
        "privilege": {
            "paths": lists(("/srv/g.py", "guards/**", "/x")),
            "modules": lists(("guards", "site.guards")),
        },
        "auth": {name: rng.choice(SEALED) for name in lists(CREDENTIALS)},
        "limits": {
            name: rng.choice((0.5, 1.5, 2, 0.001)) if name == "cpu" else rng.choice((1, 2, 3, 2**40))
            for name in lists(Limits.__struct_fields__)
        },
        "env": _environments(rng, lists),
        "keychain": {
            "allow": rng.choice((None, lists(ENTRY_PATTERNS))),
            "deny": lists(ENTRY_PATTERNS[2:]) if rng.random() < 0.4 else [],
            "provider": rng.choice((None, "system", "1password")),
        },
        "capabilities": _capabilities(rng, lists),
        "vocabulary": {"labels": lists(("secrets", "mine")), "operations": lists(("mine", "ours:x"))},
        "project": {"name": rng.choice(("site", "other", ""))},
        "name": rng.choice(("", "a policy")),
        "description": rng.choice(("", "words")),
    }
    return {key: value for key, value in made.items() if rng.random() < 0.6}


def _defaults(rng: random.Random) -> Tree:
    made = {
        "trustconflict": rng.choice(CONFLICTS),
        "unknown_files": rng.choice(get_args(Trust)),
        "fail_closed": rng.choice((True, False)),
        "autoverify": rng.choice((True, False, "ours.att", {"template": "theirs.att"})),
        "autosign": rng.choice((
            [], ["templates"], ["variables"], ["templates", "variables"], {}, {"templates": True}, {"variables": True},
            {"variables": ["con*"]}, {"templates": False, "variables": ["@config", "x"]}, {"variables": []},
        )),
        "rules": rng.sample(get_args(BuiltinRule), rng.randrange(3)),
        "unlabeled": rng.choice(get_args(Trust)),
    }  # fmt: skip
    return {key: value for key, value in made.items() if rng.random() < 0.5}


def _environments(rng: random.Random, lists: Any) -> Tree:
    providers = lists(PROVIDERS)
    made: dict[str, Any] = {
        "default": rng.choice(providers or ["local"]),
        "providers": {
            name: rng.choice(
                (
                    {},
                    {"image": "x"},
                    {"network": True, "memory": 5, "cpu": 1.5, "mounts": ["/a", "/b"]},
                    {"network": False, "mounts": ["/a"]},
                )
            )
            for name in providers
        }
        or {"local": {}},
        "net": rng.choice(("none", "host", {"allow": lists(HOST_PATTERNS)}, {"allow": lists(HOST_PATTERNS)})),
    }
    for key in ("tools", "mcps"):
        allow = rng.choice((None, lists(PATTERNS)))
        made[key] = rng.choice(
            (lists(PATTERNS), {"allow": allow, "deny": lists(PATTERNS[3:])}, {"deny": ["gh"]})
        )
    return {key: value for key, value in made.items() if rng.random() < 0.5}


def _capabilities(rng: random.Random, lists: Any) -> Tree:
    made = capabilities(rng, [], 0) if rng.random() < 0.3 else {}
    for key, of in (
        ("allow", ("env", "env:HOME", "env:A*", "env:*", "cmd")),
        ("deny", ("env:HOME", "env:A*B", "env", "keychain", "cmd:rm")),
        ("danger", ("@keychain", "keychain", "cmd:rm", {"keychain": True})),
    ):
        if rng.random() < 0.7:
            listed = made.get(key, [])
            more = lists(of) if key == "allow" or rng.random() < 0.6 else [of[0]] if key == "danger" else []
            made[key] = [*(listed if isinstance(listed, list) else [listed]), *more]
    return made


def production(case: SettingsCase) -> Tree:
    """What production makes of a case."""
    documents = [document(tree, number) for number, tree in enumerate(case.policies)]
    found = Layers(documents, place=PLACE, projectname=PROJECT)
    net, limits, privilege = found.net(), found.limits(), found.privilege()
    return {
        "limits": {name: getattr(limits, name) for name in Limits.__struct_fields__},
        "net": [net.permits(host) for host in HOSTS],
        "tools": [_layer(found.tool(name)) for name in NAMES],
        "mcps": [_layer(found.mcp(name)) for name in NAMES],
        "provider": [_unless_denied(found.provider(name)) for name in (None, *PROVIDERS)],
        "auth": [_sealed(found.auth(name)) for name in CREDENTIALS],
        "keychain": [isinstance(found.keychain(entry), Authorized) for entry in ENTRIES],
        "variables": [found.variable(name) for name in VARIABLES],
        "privilege": {"paths": privilege.paths, "modules": privilege.modules},
        "autosigns": [found.autosigns(kind, name) for kind, name in SIGNED],
        "autoverify": found.autoverify,
        "trustconflict": found.trustconflict,
        "unknown_files": found.unknown_files,
        "fail_closed": found.fail_closed,
    }


def _layer(said: Authorized | Denial) -> int | None:
    return int(said.layer.split()[1]) if isinstance(said, Denial) else None


def _unless_denied(said: str | Denial) -> str | None:
    return None if isinstance(said, Denial) else said


def _sealed(said: Credential | Denial) -> tuple[str, str] | None:
    return None if isinstance(said, Denial) else (said.source, said.variable)


def modelled(case: SettingsCase) -> Tree:
    """What the reference model makes of a case."""
    policies = [_plain(tree) for tree in case.policies]
    return {
        "limits": model.limits(policies),
        "net": [model.host_permitted(policies, host) for host in HOSTS],
        "tools": [model.named(policies, "tools", name) for name in NAMES],
        "mcps": [model.named(policies, "mcps", name) for name in NAMES],
        "provider": [model.provider(policies, name) for name in (None, *PROVIDERS)],
        "auth": [model.auth(policies, name) for name in CREDENTIALS],
        "keychain": [model.keychain(policies, entry, PROJECT) for entry in ENTRIES],
        "variables": [model.variable(policies, name) for name in VARIABLES],
        "privilege": model.privilege(policies),
        "autosigns": [model.autosigns(policies, kind, name) for kind, name in SIGNED],
        "autoverify": model.autoverify(policies),
        "trustconflict": model.trustconflict(policies),
        "unknown_files": model.unknown_files(policies),
        "fail_closed": model.fail_closed(policies),
    }


def _plain(tree: Tree) -> Tree:
    """The policy with its capabilities as plain words."""
    lists = tree.get("capabilities")
    if lists is None:
        return tree
    return {**tree, "capabilities": {key: words(given) for key, given in lists.items()}}


assert set(model.LIMITS) == set(Limits.__struct_fields__)
assert set(get_args(get_args(get_type_hints(Defaults)["trustconflict"])[0])) == set(CONFLICTS)

"""Lists of capabilities in all their spellings: words, words with other names in front, and maps."""

from __future__ import annotations

import random
from typing import Any

from drt.flow.words import ALIASES, CAPABILITIES, DENIED
from model.capabilities import Operation
from sluicegate.flow.policy.rules.entries import METHODS, MODES
from sluicegate.flow.policy.text.vocabulary import CATEGORIES, INTERPRETERS

Tree = Any


def capabilities(rng: random.Random, asked: list[Operation], aim: float) -> Tree:
    """``capabilities`` of a policy; ``aim`` is how often an entry is about an operation that is asked about."""
    lists: dict[str, Tree] = {}
    for key, size in (("allow", 8), ("deny", 3), ("danger", 4)):
        if rng.random() < 0.7:
            near = [entry for op in asked for entry in about(op, key) if rng.random() < aim / 2]
            far = DENIED if key != "allow" else CAPABILITIES
            most = size if rng.random() < 0.95 else 40
            lists[key] = [*near, *rng.sample(far, min(len(far), rng.randrange(most + 1)))]
            if rng.random() < 0.45:
                lists[key] = _respelled(rng, lists[key], key)
    if rng.random() < 0.3:
        near = [each for op in asked for each in about(op, "danger") if each.startswith("cmd:")]
        lists["danger_inside"] = [
            *rng.sample(near, min(len(near), 3)),
            *rng.sample(_INSIDE, rng.randrange(3)),
        ]
    return lists


_INSIDE = ["cmd:rm", "cmd:rm:-r:-f", "cmd:rm:-r", "cmd:git:push", "cmd"]


def about(op: Operation, key: str) -> list[str]:
    """Entries that speak of an operation."""
    found = [op.kind] if op.kind in CATEGORIES else []
    if op.command is not None:
        program, arguments = op.command.program, [each for each in op.command.arguments if each is not None]
        if key != "allow":
            arguments = [*op.command.words, *sorted(op.command.flags)]
        spelled = ":".join(each.replace(":", "\\:") for each in arguments if each and " " not in each)
        found += [f"cmd:{program}", f"cmd:{program}:*", *([f"cmd:{program}:{spelled}"] if spelled else [])]
    for mode, path in op.paths:
        found += [f"fs:{mode}:{path}", f"fs:rw:{path.rpartition('/')[0]}/**"] if path else [f"fs:{mode}:**"]
    found += [f"network:{host}" for host in op.hosts if host]
    found += [f"{op.kind}:{leaf.partition(':')[2].partition(':')[2]}" for leaf in _own(op)]
    if key == "danger":
        for category, what, options in op.hits:
            if category == "cmd":
                words = ":".join([what.program, *what.words, *sorted(options)])
                found += [f"cmd:{what.program}", f"cmd:{words}" if " " not in words else "cmd"]
    return found


def _own(op: Operation) -> list[str]:
    plain = op.kind not in (*INTERPRETERS, "cmd", "read", "write", "fetch")
    return [leaf for leaf in op.leaves if plain and leaf.startswith(f"op:{op.kind}:")]


def _respelled(rng: random.Random, words: list[str], key: str) -> Tree:
    """The list with some words spelled otherwise, and a map or two; or a map alone."""
    back = {category: alias for alias, category in ALIASES.items()}
    given: list[Tree] = []
    for word in words:
        name, colon, rest = word.partition(":")
        alias = back.get(name, name) if rng.random() < 0.4 and name != "keychain" else name
        given.append(word if name == "op" else f"{rng.choice(('', '', 'op:'))}{alias}{colon}{rest}")
    maps = []
    for _ in range(2):
        every = _maps(rng, key)
        keys = rng.sample(sorted(every), rng.randrange(1, 4))
        maps.append({name: every[name] for name in sorted({*keys, "cmd"} if rng.random() < 0.75 else keys)})
    return maps[0] if rng.random() < 0.45 else [*given, *maps[: rng.randrange(3)]]


def _words(rng: random.Random) -> list[str]:
    return rng.sample(("ls:*", "git:push", "rm:x", "status"), rng.randrange(3))


def _programs(rng: random.Random) -> dict[str, Tree]:
    """What is said of some programs."""
    said = (True, None, "*", "status", "push:*", ["status"], ["status", "push:*"], ["-s", "x"])
    found: dict[str, Tree] = {
        name: rng.choice(said) for name in rng.sample(("git", "ls", "rm"), rng.randrange(1, 4))
    }
    if rng.random() < 0.6:
        methods = rng.sample((*METHODS, "get"), rng.choice((0, 1, 1, 2, 3)))
        found = {**(found if rng.random() < 0.5 else {}), rng.choice(("curl", "wget")): {"methods": methods}}
    return found


def _maps(rng: random.Random, key: str) -> dict[str, Tree]:
    """One value for each category that a map can speak of, by one of its names."""
    glob = rng.choice(("/srv/**", "notes/**", "**", "/tmp/*"))
    found: dict[str, Tree] = {
        "cmd": rng.choice((True, "git", "*", [], _programs(rng), _programs(rng), [*_words(rng), _programs(rng)], [_programs(rng)])),
        rng.choice(("fs", "filesystem")): {rng.choice(sorted(MODES)): rng.choice((glob, [glob], [glob, "/srv/f"], []))},
        rng.choice(("network", "net")): rng.choice((
            True, "example.org", ["*.example.org", "EXAMPLE.com."], {"domains": ["api.example.org"]},
            {"domains": True}, {"domains": "*"}, {"domains": []}, "*",
        )),
        "mcp": rng.choice((None, "gh", ["gh:list"], {"gh": ["list"]}, {"gh": True}, {"gh": "list:*"}, [{"gh": "*"}])),
        rng.choice(("sh", "node", "js", "prose")): rng.choice((True, None, "*", "all")),
        rng.choice(("py", "python")): True,
        "env": rng.choice(("HOME", ["A*", "B"], True, "*")),
        "call": rng.choice((True, "x", ["send", "x:y"], "all")),
    }  # fmt: skip
    if key != "allow":
        found[rng.choice(("keychain", "@keychain"))] = True
    return found

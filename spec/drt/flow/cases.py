"""Cases for differential tests of flow: policies as plain trees, and questions to them.

*Ordinary* cases look like policies that people write about the values and operations that are asked about; *hostile*
ones combine anything that the schema accepts. Whatever there is a vocabulary of is drawn from it (``words``), and
sizes have a long tail. A case is made from its generator's name and a number.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from drt.flow.operations import ALL, DANGERS, OPERATIONS, TABLE
from drt.flow.spellings import capabilities
from drt.flow.words import (
    BASES,
    FOLDERS,
    GLOBS,
    LABELS,
    ORIGINS,
    RISKS,
    RULE_LABELS,
    RULES,
    TARGETS,
    TRUSTS,
)
from model.flow import covers, is_origin

Tree = Any
"""Anything that JSON can hold."""

_GIVEN = tuple(label for label in RULE_LABELS[:-5] if label not in TRUSTS and not is_origin(label))
"""Labels that ``data`` may give."""


_DANGERS = {
    why: sorted(name for name in DANGERS if TABLE[name] == why) for why in {TABLE[name] for name in DANGERS}
}
"""Operations by the reason for which they are dangerous."""


class FlowCase(NamedTuple):
    """Policies in force, and questions: (name of an operation, labels)."""

    policies: list[Tree]
    questions: list[list[Tree]]


def to_json(case: FlowCase) -> str:
    """One line, the same for the same case."""
    return json.dumps(case._asdict(), sort_keys=True, separators=(",", ":"))


def from_json(line: str) -> FlowCase:
    """The case of a line."""
    return FlowCase(**json.loads(line))


def generate(kind: str, number: int) -> FlowCase:
    """Case ``number`` of a generator: ``ordinary`` or ``hostile``."""
    rng = random.Random(f"flow {kind} {number}")
    names = rng.sample(sorted(OPERATIONS), 3)
    if rng.random() < 0.2:
        names[0] = rng.choice(_DANGERS[rng.choice(sorted(_DANGERS))])
    values = [_value(rng, kind == "hostile") for _ in range(4)]
    values.append(sorted({*values[0], *values[1]}))
    policy = _Policies(rng, 0.25 if kind == "hostile" else 0.65, names, values)
    several = rng.choice((1, 1, 1, 2, 2, 3)) if rng.random() < 0.95 else rng.choice((4, 5, 6))
    return FlowCase(
        [policy.tree() for _ in range(several)], [[name, each] for name in names for each in values]
    )


def some(rng: random.Random, of: Sequence[str], most: int = 40) -> list[str]:
    """Some of these, in any order: mostly up to four, now and then many."""
    dice = rng.random()
    size = rng.randrange(5) if dice < 0.9 else rng.randrange(13) if dice < 0.98 else rng.randrange(most + 1)
    return rng.sample(of, min(len(of), size))


def _value(rng: random.Random, hostile: bool) -> list[str]:
    """The labels of a value: any, or those of something declared, read or received."""
    if hostile or rng.random() < 0.2:
        return sorted(some(rng, LABELS, 20))
    labels = set(rng.sample(_GIVEN, rng.choice((0, 0, 1, 2))))
    labels |= set(rng.sample(("secret", "secret:aws", "sensitive", "pii:mail"), rng.choice((0, 0, 1))))
    dice = rng.random()
    if dice < 0.5:
        labels |= {"src:file", *folders(rng.choice(FOLDERS))}
    if 0.4 < dice < 0.8:
        labels.add(rng.choice(ORIGINS))
    labels |= {rng.choice(("trusted", "untrusted"))} if rng.random() < 0.4 else set()
    return sorted(labels)


def folders(folder: str) -> set[str]:
    """The labels of a folder and of those around it."""
    around = (each for each in FOLDERS if folder == each or folder.startswith(each + "/"))
    return {f"dir:{each}" for each in around}


def _prefixes(labels: Iterable[str]) -> list[str]:
    """The patterns that are about labels, but ``*``."""
    found = {":".join(label.split(":")[:length]) for label in labels for length in range(1, 4)}
    return sorted(found)


class _Policies:
    """Policies about some operations and values; ``aim`` is how often they are about these and not about any."""

    def __init__(self, rng: random.Random, aim: float, names: list[str], values: list[list[str]]) -> None:
        self.rng, self.aim, self.names = rng, aim, names
        leaves = _prefixes(leaf for name in names for leaf in ALL[name].leaves)
        held = {label for value in values for label in value}
        known, ruled = set(TARGETS), set(RULE_LABELS)
        self.targets = [each for each in leaves if each in known or each.startswith("op:")] + [*RISKS[:3]]
        self.labels = [each for each in _prefixes(held) if each in ruled] or ["secret"]
        self.origins = [each for each in _prefixes(held) if is_origin(each) and not each.startswith("dir")]
        self.globs = [glob for glob in GLOBS if any(about(glob, label) for label in held)]

    def tree(self) -> Tree:
        """One policy."""
        rng = self.rng
        tree: dict[str, Tree] = {"defaults": {"rules": rng.sample(RULES, rng.randrange(len(RULES) + 1))}}
        if rng.random() < 0.6:
            tree["defaults"]["unlabeled"] = rng.choice((*TRUSTS, TRUSTS[-1]))
        if rng.random() < 0.1:
            tree["defaults"]["autoverify"] = rng.choice(
                (True, False, "verify.att", {"template": "verify.att"})
            )
        if rng.random() < 0.1:
            tree["project"] = {"base": rng.choice(BASES)}
        if rng.random() < 0.6:
            tree["sources"] = self._sources()
        if rng.random() < 0.35:
            given = (f"path:{glob}" for glob in self._of(self.globs, GLOBS, 2))
            tree["data"] = {glob: self._words(("secret", "sensitive", *_GIVEN), 1) for glob in given}
        if rng.random() < 0.6:
            tree["operations"] = {each: self._words(RISKS, 1) for each in self._of(self.targets, TARGETS, 3)}
        if rng.random() < 0.4:
            tree["capabilities"] = capabilities(rng, [ALL[name] for name in self.names], self.aim)
        if rng.random() < 0.85:
            tree["labels"] = {label: self._rule() for label in self._ruled()}
        if not any(tree[key] for key in tree if key not in ("defaults", "project")) and not any(
            tree["defaults"].values()
        ):
            tree["defaults"]["rules"] = [rng.choice(RULES)]  # one that says nothing is refused
        return tree

    def _of(self, near: Sequence[str], all_: Sequence[str], size: int) -> list[str]:
        """Some of these: of those near, if the policy is about what is asked."""
        if near and self.rng.random() < self.aim:
            return self.rng.sample(near, min(len(near), self.rng.randrange(size + 1)))
        return some(self.rng, all_)

    def _words(self, of: Sequence[str], least: int) -> Tree:
        """A word, or a list of them."""
        if self.rng.random() < 0.6:
            return self.rng.choice(of)
        return self.rng.sample(of, self.rng.randrange(least, 4))

    def _ruled(self) -> list[str]:
        """The labels that rules are about; often some stand above others, so that specificity decides."""
        near = self._of(self.labels, RULE_LABELS, 4)
        if self.rng.random() < 0.4:
            root = self.rng.choice(("secret", "pii", "src", "src:mcp", "dir", "*"))
            near += [each for each in RULE_LABELS if covers(root, each) and self.rng.random() < 0.3]
        return list(dict.fromkeys([*near, "*"] if self.rng.random() < 0.15 else near))

    def _rule(self) -> Tree:
        rng = self.rng
        rule: dict[str, Tree] = {}
        if rng.random() < 0.7:
            rule["deny"] = self._of(self.targets, TARGETS, 3)
        if rng.random() < 0.5:
            rule["allow"] = self._of(self.targets, TARGETS, 3)
            if rule.get("deny") and rng.random() < self.aim:
                below = [target for target in (*self.targets, *TARGETS) if covers(rule["deny"][0], target)]
                rule["allow"].append(rng.choice(below))
        for key in ("deny", "allow"):
            if len(rule.get(key, [])) == 1 and rng.random() < 0.3:
                rule[key] = rule[key][0]
        return rule

    def _sources(self) -> Tree:
        rng = self.rng
        near = self._of(self.origins, (*ORIGINS, "src"), 3)
        sources: dict[str, Tree] = {origin: rng.choice(TRUSTS) for origin in near}
        for folder in some(rng, FOLDERS) if rng.random() < 0.3 else ():
            sources[f"dir:{folder}"] = rng.choice(TRUSTS)
        if rng.random() < 0.6:
            places: dict[str, Tree] = {glob: rng.choice(TRUSTS) for glob in self._of(self.globs, GLOBS, 3)}
            if rng.random() < 0.6:
                places["default"] = rng.choice(TRUSTS)
            sources["src:file"] = places or rng.choice(TRUSTS)
        return sources


def about(glob: str, label: str) -> bool:
    """Whether a glob is likely about a folder: it begins as that does."""
    folder = label.removeprefix("dir:").replace("%20", " ")
    return label.startswith("dir:") and glob != "**" and folder.startswith(glob.partition("*")[0].rstrip("/"))

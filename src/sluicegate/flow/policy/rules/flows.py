"""Label rules: which labels may not flow to which operations.

Rules are found by the prefixes of a label, never by going through them all, and what was found about one label
and one leaf is kept: a decision about new sets of known labels and leaves is a look into that memory.
"""

from __future__ import annotations

from typing import Final, TypeVar

from msgspec import Struct

from sluicegate.flow.labels import Labels
from sluicegate.flow.policy import kernels
from sluicegate.flow.policy.rules.leaves import Chain, Leaves, chain
from sluicegate.flow.policy.text.positions import Path
from sluicegate.flow.policy.text.schema import Policy, Words
from sluicegate.tuples import NamedTuple

_MOST_KEPT: Final = 8192

Key = TypeVar("Key")
Value = TypeVar("Value")


class LabelRule(Struct, frozen=True):
    """``labels.L``: its denies and allows by target, each with where it stands. ``allow`` None: no list."""

    label: str
    depth: int
    deny: dict[str, Path]
    allow: dict[str, Path] | None


class FlowRule(Struct, frozen=True):
    """Step 5 refuses: a deny of a label rule, about this label and this leaf."""

    rule: LabelRule
    target: str
    path: Path
    label: str
    leaf: str


class Unlisted(Struct, frozen=True):
    """Step 6 refuses: a leaf that the allow list of a rule does not allow, for a label that it is about."""

    rule: LabelRule
    label: str
    leaf: str


class Row(NamedTuple):
    """A label with the rules that are about it, the most specific first, and all that they deny."""

    label: str
    rules: tuple[LabelRule, ...]
    denied: frozenset[str]


_UNSEEN = Row("", (), frozenset())


class Flows:
    """The label rules of one policy."""

    __slots__ = ("_about", "_held", "_rules")

    def __init__(self, policy: Policy) -> None:
        self._rules = {name: _label_rule(policy, name) for name in policy.labels}
        self._about: dict[str, Row | None] = {}
        self._held: dict[tuple[str, str], FlowRule | None] = {}

    @property
    def targets(self) -> tuple[str, ...]:
        """All that label rules deny or allow."""
        rules = self._rules.values()
        return tuple(dict.fromkeys(target for rule in rules for target in (*rule.deny, *(rule.allow or ()))))

    def rows(self, labels: Labels) -> tuple[Row, ...]:
        """The rules that are about each of these labels, in the order of the labels' names."""
        return tuple([row for name in labels.names() if (row := self.about(name)) is not None])

    def about(self, label: str) -> Row | None:
        """The rules that are about a label; None if there are none."""
        found = self._about.get(label, _UNSEEN)
        if found is _UNSEEN:
            known = self._rules
            rules = tuple([known[prefix] for _, prefix in chain(label) if prefix in known]) if known else ()
            denied = frozenset([target for rule in rules for target in rule.deny])
            found = Row(label, rules, denied) if rules else None
            keep(self._about, label, found)
        return found

    def refusing(self, rows: tuple[Row, ...], operation: Leaves) -> FlowRule | None:
        """Step 5: the first deny about a label and a leaf that holds."""
        held, prefixes = self._held, operation.prefixes
        for label, rules, denied in rows:
            if denied.isdisjoint(prefixes):
                continue
            for at, leaf in enumerate(operation.names):
                pair = (label, leaf)
                if pair in held:
                    found = held[pair]
                else:
                    found = _holding(rules, operation.chains[at], label, leaf)
                    keep(held, pair, found)
                if found is not None:
                    return found
        return None

    def spoken(
        self, rows: tuple[Row, ...], operation: Leaves
    ) -> list[tuple[LabelRule, str, tuple[LabelRule, str] | None]]:
        """Every deny that is about the labels and leaves, with the allow that overrides it if one does."""
        return [
            (rule, target, _override(rules, targets, rule.depth, depth))
            for _, rules, _ in rows
            for targets in operation.chains
            for rule in rules
            for depth, target in targets
            if target in rule.deny
        ]


def closed(rows: tuple[Row, ...], taint: Labels) -> tuple[tuple[str, LabelRule], ...]:
    """The labels of the taint itself, each with every rule about it that has an allow list."""
    return tuple(
        (label, rule)
        for label, rules, _ in rows
        if label in taint
        for rule in rules
        if rule.allow is not None
    )


def unlisted(bound: tuple[tuple[str, LabelRule], ...], operation: Leaves) -> Unlisted | None:
    """Step 6: the first leaf that an allow list does not allow."""
    for label, rule in bound:
        allow = rule.allow or {}
        for leaf, targets in zip(operation.names, operation.chains, strict=True):
            if not any(target in allow for _, target in targets):
                return Unlisted(rule, label, leaf)
    return None


def _holding(rules: tuple[LabelRule, ...], targets: Chain, label: str, leaf: str) -> FlowRule | None:
    """The first deny about one label and one leaf that no allow overrides."""
    for rule in rules:
        for depth, target in targets:
            if target in rule.deny and _override(rules, targets, rule.depth, depth) is None:
                return FlowRule(rule, target, rule.deny[target], label, leaf)
    return None


def _override(
    rules: tuple[LabelRule, ...], targets: Chain, label_depth: int, target_depth: int
) -> tuple[LabelRule, str] | None:
    """The first allow about the same label and leaf that is strictly more specific than a deny."""
    for rule in rules:
        if rule.allow:
            for depth, target in targets:
                if target in rule.allow and kernels.overrides(label_depth, target_depth, rule.depth, depth):
                    return rule, target
    return None


def _label_rule(policy: Policy, name: str) -> LabelRule:
    rule = policy.labels[name]
    where: Path = ("labels", name)

    def listed(given: Words, key: str) -> dict[str, Path]:
        if isinstance(given, str):
            return {given: (*where, key)}
        return {target: (*where, key, at) for at, target in reversed(list(enumerate(given)))}

    depth = 0 if name == "*" else name.count(":") + 1
    allow = None if rule.allow is None else listed(rule.allow, "allow")
    return LabelRule(name, depth, listed(rule.deny, "deny"), allow)


def keep(memory: dict[Key, Value], key: Key, value: Value) -> None:
    """Remember; when there is too much to remember, begin anew."""
    if len(memory) >= _MOST_KEPT:
        memory.clear()
    memory[key] = value

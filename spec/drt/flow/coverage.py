"""What the generators of flow reach: every field and vocabulary that a decision may depend on.

from drt.flow.coverage import unreached
problems = unreached(campaign.generate_all(100))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, get_args

import msgspec

from drt.coverage import Pair, members, pairs, sized, sizes, universe
from drt.coverage import unreached as _unreached
from drt.flow import environments, guards
from drt.flow.cases import FlowCase
from drt.flow.environments import EnvironmentCase
from drt.flow.guards import GuardCase
from drt.flow.operations import ALL, TABLE
from drt.flow.programs import ProgramCase
from drt.flow.scripts import NODES, ScriptCase, nodes
from drt.flow.settings import SettingsCase
from drt.flow.sides import request
from model.capabilities import opts_in
from sluicegate.flow.environments.configuration.config import EnvironmentConfig
from sluicegate.flow.guards.actions import Action
from sluicegate.flow.guards.context import Timing
from sluicegate.flow.guards.filters import Filter, Reach
from sluicegate.flow.labels import ConflictMode
from sluicegate.flow.labels.names import ORIGINS, SOURCES, LabelCategory, category
from sluicegate.flow.policy.request import CommandView
from sluicegate.flow.policy.rules.entries import METHODS, MODES
from sluicegate.flow.policy.text.schema import Policy
from sluicegate.flow.policy.text.vocabulary import (
    BUILTIN_RULES,
    CATEGORIES,
    CATEGORY_ALIASES,
    INFLUENCE_RULE,
    KNOWN_LABELS,
    KNOWN_TARGETS,
    OPERATION_KINDS,
    RISKS,
)

LISTS = ("allow", "deny", "danger")
REQUEST = ("kind", "leaves", "command", "paths", "hosts", "whole")
"""What a decision may depend on of a request: its own fields, since it is not data class."""
_TABLES = ("{}{}", "[]{}{}", "{}[]{}", "[]{}[]{}")
"""Where a list of capabilities may hold the table of one program."""


@cache
def left_out() -> dict[Pair, str]:
    """What cannot be, or is not told apart here, each with why."""
    found = {
        (
            "values category",
            LabelCategory.OPERATION.name,
        ): "op: labels are given to operations, never to values"
    }
    for field, sort in universe(Policy):
        if field.startswith("CapabilityLists.") and sort == "False":
            found[field, sort] = "false says nothing in a list of capabilities, and is refused"
        # Neither is asked in the decision on labels: SE-4, SE-5 and AR-1 say what holds them, and with which tests.
        if field.startswith(("ArgumentRule.", "ResultFields.", "SessionRules.")):
            found[field, sort] = "rules about sessions and arguments have models and tests of their own"
        if field.startswith(("Policy.session", "Policy.arguments")):
            found[field, sort] = "rules about sessions and arguments have models and tests of their own"
    for key in LISTS:
        for table in _TABLES:
            found[f"CapabilityLists.{key}{table}", "several in a dict"] = "only methods are said of a program"
    for field, sort in (("prefix", "str"), ("suffix", "str"), ("operand", "True")):
        found[f"RequestHole.{field}", sort] = (
            "the model knows arguments of which nothing is known; the tests of tries more"
        )
    found["allow category", "keychain"] = "the keychain is opted into, not allowed"
    return found


def unreached(cases: Iterable[Any]) -> list[str]:
    """What none of these cases (of any of the generators) reached."""
    return _unreached(map(_pairs, cases), everything(), without=left_out())


@cache
def everything() -> frozenset[Pair]:
    """All that is to be reached."""
    found = universe(Policy, CommandView, EnvironmentConfig)
    found |= members("asked kind", OPERATION_KINDS)
    found |= members("asked leaf", (*KNOWN_TARGETS, *(f"op:{kind}" for kind in OPERATION_KINDS)))
    found |= members("asked danger", TABLE.values())
    found |= {("asked " + each, "given") for each in REQUEST}
    found |= members("values label", (*KNOWN_LABELS, *RISKS, *ORIGINS, *(f"src:{each}" for each in SOURCES)))
    found |= members("values category", LabelCategory)
    found |= members(
        "rules label", (*KNOWN_LABELS, *RISKS, *(f"src:{each}" for each in SOURCES), *ORIGINS, "*")
    )
    found -= {("rules label", "trusted"), ("asked danger", TABLE["@keychain"])}
    for key in ("deny", "allow"):
        found |= members(f"rules {key}", (*KNOWN_TARGETS, *(f"op:{kind}" for kind in OPERATION_KINDS), "*"))
    for key in LISTS:
        found |= members(f"{key} category", (*CATEGORIES, *CATEGORY_ALIASES))
        found |= members(f"{key} mode", MODES)
    found -= {("allow category", "@keychain")}
    found |= members("rule is on", (*BUILTIN_RULES, INFLUENCE_RULE))
    found |= members("opts into", ("cmd", "fs")) | members(
        "source", (*ORIGINS, *(f"src:{each}" for each in SOURCES))
    )
    found |= members("risk given", RISKS) | members("method", METHODS)
    found |= sizes("layers", (0, 1, 3, 5)) | sizes("values labels") | sizes("rules", (0, 1, 3, 8, 16, 30))
    found |= (
        sizes("targets") | sizes("entries") | sizes("globs", (0, 1, 3, 8)) | sizes("guards", (0, 1, 3, 8))
    )
    found |= members("script node", NODES)
    found |= members("guard action", (each.__name__ for each in get_args(Action)))
    found |= members("guard filter", Reach) | members("guard timing", Timing)
    found |= members("guard conflict", ConflictMode) | members("guard privileged", (True, False))
    found |= (
        members("guards act", guards.ACTIONS) | sizes("guard rules", (0, 1, 2)) | members("attempt", range(5))
    )
    found -= {(each, "more than -1") for each in ("guards", "layers", "globs")}
    return frozenset(found)


def _pairs(case: Any) -> set[Pair]:
    if isinstance(case, FlowCase):
        return {
            *_of_questions(case),
            *_of_policies(case.policies),
            sized("layers", len(case.policies), (0, 1, 3, 5)),
        }
    if isinstance(case, SettingsCase):
        return {*_of_policies(case.policies)}
    if isinstance(case, GuardCase):
        return {*_of_guards(case)}
    if isinstance(case, EnvironmentCase):
        return pairs(environments.config(case.parent)) | pairs(environments.config(case.child))
    if isinstance(case, ScriptCase):
        return {("script node", kind) for kind in nodes([*case.functions.values(), case.statements])}
    assert isinstance(case, ProgramCase), case
    return set()


def _of_questions(case: FlowCase) -> Iterator[Pair]:
    for labels in {tuple(labels) for _, labels in case.questions}:
        yield sized("values labels", len(labels))
        for label in labels:
            yield from (("values label", prefix) for prefix in _prefixes(label))
            yield "values category", category(label).name
    for name in {name for name, _ in case.questions}:
        yield from _of_operation(name)
        for policy in case.policies:
            for entry in (policy.get("capabilities") or {}).get("danger", []):
                for hit in ALL[name].hits if isinstance(entry, str) and entry.count(":") else ():
                    if entry.partition(":")[0] in ("cmd", "fs") and _opts(entry, hit):
                        yield "opts into", hit[0]


def _opts(entry: str, hit: Any) -> bool:
    mode = entry.split(":")[1]
    return opts_in(entry.replace(f":{mode}:", f":{MODES.get(mode, mode)}:", 1), hit)


@cache
def _of_operation(name: str) -> frozenset[Pair]:
    asked = request(name)
    found = {("asked kind", asked.kind)} | {
        ("asked leaf", each) for leaf in asked.leaves for each in _prefixes(leaf)
    }
    found |= {("asked " + field, "given") for field in REQUEST if getattr(asked, field)}
    if name in TABLE:
        found.add(("asked danger", TABLE[name]))
    for category_, what, options in ALL[name].hits:
        words = [what.program, *what.words, *sorted(options)] if category_ == "cmd" else []
        found.add(("asked danger", TABLE.get(":".join(["cmd", *words]), "")))
    return frozenset(found | (pairs(asked.command) if asked.command is not None else set()))


def _prefixes(label: str) -> Iterator[str]:
    parts = label.split(":")
    return (":".join(parts[:length]) for length in range(1, min(len(parts), 4) + 1))


def _of_policies(policies: list[Any]) -> Iterator[Pair]:
    for tree in policies:
        policy = msgspec.convert({key: value for key, value in tree.items() if key != "project"}, Policy)
        yield from pairs(policy)
        yield from (("rule is on", rule) for rule in policy.defaults.rules)
        yield sized("rules", len(policy.labels), (0, 1, 3, 8, 16, 30))
        for label, rule in policy.labels.items():
            yield from (("rules label", prefix) for prefix in (label, label.split(":")[0]))
            for key, words in (("deny", rule.deny), ("allow", rule.allow or [])):
                yield sized("targets", 1 if isinstance(words, str) else len(words))
                yield from ((f"rules {key}", word) for word in ([words] if isinstance(words, str) else words))
        for origin, value in policy.sources.items():
            yield from (("source", prefix) for prefix in (origin, origin.split(":")[0]))
            if isinstance(value, dict):
                yield sized("globs", len(value), (0, 1, 3, 8))
        for risks in policy.operations.values():
            yield from (
                ("risk given", risk.split(":")[0]) for risk in ([risks] if isinstance(risks, str) else risks)
            )
        for key in LISTS if policy.capabilities is not None else ():
            yield from _of_list(key, getattr(policy.capabilities, key))


def _of_list(key: str, given: Any) -> Iterator[Pair]:
    yield sized("entries", len(given or ()))
    for item in [given] if isinstance(given, dict) else given or ():
        if isinstance(item, str):
            name, _, rest = item.removeprefix("op:").partition(":")
            yield f"{key} category", name
            if name in ("fs", "filesystem"):
                yield f"{key} mode", rest.partition(":")[0]
            continue
        for name, value in item.items():
            yield f"{key} category", name
            if name in ("fs", "filesystem") and isinstance(value, dict):
                yield from ((f"{key} mode", mode) for mode in value)
            if name == "cmd" and isinstance(value, dict):
                for inner in value.values():
                    methods = inner["methods"] if isinstance(inner, dict) else ()
                    yield from (("method", method.upper()) for method in methods)


def _of_guards(case: GuardCase) -> Iterator[Pair]:
    yield sized("guards", len(case.guards), (0, 1, 3, 8))
    yield from (("guard conflict", ConflictMode(case.conflict).name), ("attempt", str(case.attempt)))
    for word, privileged, rules, timing in case.guards:
        yield from (("guard filter", Filter.of(word).reach.name), ("guard timing", Timing(timing).name))
        yield from (("guard privileged", str(privileged)), sized("guard rules", len(rules), (0, 1, 2)))
        for _, action, labels in rules:
            yield "guards act", action
            if action == "put":
                yield "guard action", "AllowWith"
            elif action != "fail":
                yield "guard action", type(guards.action_of(action, labels)).__name__

"""The proven functions of flow as an oracle: a program extracted from Coq that reads a question a line.

The theorems begin where it is known which entries of the lists an operation falls under and how the origins of
a value are classified; the reference model says so, and what the layers make of it is asked of both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from drt.flow.cases import FlowCase, Tree
from drt.flow.operations import ALL
from drt.flow.sides import layers, request
from model import capabilities
from model import flow as model
from model.spelling import plain
from sluicegate.flow.labels import Labels
from sluicegate.flow.policy import kernels

RULES = ("no-secret-exfil", "no-sensitive-exfil", "no-untrusted-destructive", "no-untrusted-privileged")


def encode(case: FlowCase) -> list[str]:
    """The oracle's lines for a case: a decision for each question, a join for each two sets that follow another."""
    sets, policies = _sets(case), list(map(plain, case.policies))
    asked = {name: " ".join(_operation(policies, name)) for name, _ in case.questions}
    known = {
        (tuple(labels), *about): " ".join(
            token for policy in policies for token in _layer(policy, labels, *about)
        )
        for labels in sets
        for about in {_about(name) for name in asked}
    }
    lines = [
        f"D {len(policies)} {known[tuple(labels), *_about(name)]} {asked[name]} " + " ".join(_labels(labels))
        for name, labels in case.questions
    ]
    lines += [" ".join(["J", "2", *_labels(one), *_labels(other)]) for one, other in pairwise(sets)]
    return lines


def _about(name: str) -> tuple[bool, bool]:
    """Whether an operation is the one that ``defaults.autoverify`` is about, and whether it stays inside of the project."""
    return capabilities.verifies(ALL[name].command), capabilities.stays_below(ALL[name], capabilities.ROOTS)


def answers_of_production(case: FlowCase) -> list[str]:
    """What production makes of a case, in the oracle's form."""
    found = layers(case.policies)
    answers = []
    for name, names in case.questions:
        labels, prepared = Labels.of(*names), found.prepare(request(name))
        code = kernels.PERMITTED
        for layer in found.layers:
            code = kernels.both(code, layer.decide(prepared, labels).code)
        answers.append(f"{code}|{int(found.influences(labels, model=True))}")
    sets = [Labels.of(*names) for names in _sets(case)]
    for one, other in pairwise(sets):
        joined = ",".join((one | other).names())
        answers.append(f"{joined}|{joined}")
    return answers


def _sets(case: FlowCase) -> list[list[str]]:
    return [list(names) for names in dict.fromkeys(tuple(labels) for _, labels in case.questions)]


def _hex(text: str) -> str:
    return "x" + text.encode().hex()


def _many(items: Iterable[Sequence[str]]) -> list[str]:
    found = list(items)
    return [str(len(found)), *(token for item in found for token in item)]


def _texts(texts: Iterable[str]) -> list[str]:
    return _many([_hex(text)] for text in texts)


def _path(label: str) -> list[str]:
    return _texts([] if label == "*" else label.split(":"))


def _labels(labels: Iterable[str]) -> list[str]:
    return _many(_path(label) for label in labels)


def _option(given: str | Iterable[str] | None) -> list[str]:
    return ["0"] if given is None else ["1", *_labels(model.several(given))]


def _capabilities(entries: Iterable[str], *, doors: bool = False) -> list[str]:
    """A list: its entries (one for a whole category by another door, if it denies), its categories."""
    found = list(entries)
    wholes = [entry.split(":")[0] for entry in found if capabilities.whole(entry)]
    narrow = [entry for entry in found if not capabilities.whole(entry)]
    narrow += [f"door {category}" for category in wholes if doors and category != "network"]
    return [*_texts(narrow), *_texts(wholes), *_texts(entry.split(":")[0] for entry in found)]


def _lists(policy: Tree) -> tuple[list[str], list[str], list[str] | None]:
    lists = policy.get("capabilities") or {}
    return lists.get("deny", []), lists.get("danger", []), lists.get("allow")


def _inside(policy: Tree) -> list[str]:
    """The dangers that a policy permits where an operation stays inside of the project."""
    return (policy.get("capabilities") or {}).get("danger_inside", [])


def _layer(policy: Tree, labels: Sequence[str], free: bool, inside: bool) -> list[str]:
    """A policy; ``free``: asked about what ``defaults.autoverify`` permits whatever is allowed; ``inside``: about what stays
    inside of the project."""
    deny, danger, allow = _lists(policy)
    if inside:
        danger = [*danger, *_inside(policy)]
    if free and policy.get("defaults", {}).get("autoverify"):
        allow = None
    if "capabilities" not in policy:
        danger = [*capabilities.GATED]  # a policy without capabilities does not ask about dangers
    folders = [label for label in labels if label.startswith("dir:")]
    origins = {label for label in labels if model.is_origin(label)} | {"src:file"}
    bare = {**policy, "defaults": {}}
    defaults = policy.get("defaults", {})
    risks = [
        [*_path(pattern), *_path(risk)]
        for pattern, words in policy.get("operations", {}).items()
        for risk in model.several(words)
    ]
    rules = [
        [*_path(label), *_labels(model.several(rule.get("deny", []))), *_option(rule.get("allow"))]
        for label, rule in policy.get("labels", {}).items()
    ]
    return [
        *_capabilities(deny, doors=True),
        *_capabilities(danger),
        *(["0"] if allow is None else ["1", *_capabilities(allow)]),
        *_many(risks),
        *_many([*_path(origin), str(model.class_of(bare, origin))] for origin in sorted(origins)),
        *_many([*_path(folder), str(model.place(policy, model.folder(folder), True))] for folder in folders),
        str(model.CLASSES[defaults.get("unlabeled")]),
        *_many(
            [*_path(folder), *_labels(sorted(model.given(policy, model.folder(folder))))]
            for folder in folders
        ),
        *(str(int(rule in defaults.get("rules", []))) for rule in (*RULES, "untrusted-llms-get-influenced")),
        *_many(rules),
    ]


def _operation(policies: Sequence[Tree], name: str) -> list[str]:
    op = ALL[name]
    denies = {entry for policy in policies for entry in _lists(policy)[0]}
    dangers = {entry for policy in policies for entry in (*_lists(policy)[1], *_inside(policy))}
    allows = {entry for policy in policies for entry in _lists(policy)[2] or []}
    found = []
    for subject in capabilities.subjects(op):
        category, what, gated = subject
        under = [entry for entry in denies if capabilities.matches(entry, subject, capabilities.DENY)]
        under += [f"door {what.other}"] if category == "cmd" and what.other else []
        surely = [entry for entry in allows if capabilities.matches(entry, subject, capabilities.ALLOW)]
        found.append([_hex(category), *_texts(under), *_texts(surely), str(int(gated))])
    for folder in op.whole:
        under = [entry for entry in denies if capabilities.below(entry, folder)]
        found.append([_hex("whole"), *_texts(under), *_texts([]), "0"])
    hits = []
    for hit in op.hits:
        category, _, _ = hit
        surely = [
            entry for entry in dangers if capabilities.opts_in(entry, hit) and not capabilities.whole(entry)
        ]
        hits.append([_hex(category), *_texts([]), *_texts(surely), "1"])
    # that a model makes the result matters to its labels alone, so it is always asked about
    return [*_labels(op.leaves), *_many(found), *_many(hits), "1"]

"""Why a decision is what it is: every step of every layer, with the rules that spoke and where they stand.

The steps are found by the same code that decides; only the order is another: nothing stops at the first refusal.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from sluicegate.flow.denial import Denial
from sluicegate.flow.labels import Labels
from sluicegate.flow.policy import kernels
from sluicegate.flow.policy.layer import (
    Dangerous,
    DenyListed,
    Layer,
    Prepared,
    TaintFacts,
    Unread,
    added_labels,
)
from sluicegate.flow.policy.layers import Authorized, Layers
from sluicegate.flow.policy.refusals import rule_of
from sluicegate.flow.policy.request import Request
from sluicegate.flow.policy.rules.arguments import Question, Ruled, broken, denial_of
from sluicegate.flow.policy.rules.flows import unlisted
from sluicegate.flow.policy.rules.leaves import Leaves
from sluicegate.flow.policy.text.positions import Path
from sluicegate.flow.policy.text.problems import dotted, line_of
from sluicegate.flow.policy.text.vocabulary import BUILTIN_RULES

_STANCES = {
    kernels.UNCLASSIFIED: "no stance",
    kernels.TRUSTED: "trusted",
    kernels.UNTRUSTED: "untrusted, as declared",
    kernels.UNTRUSTED_BY_DEFAULT: "untrusted for where it comes from",
}


class Remark(Struct, frozen=True):
    """One thing that a step found: the rule or fact, and the file and line of it (empty if there are none)."""

    text: str
    place: str = ""


class LayerStep(Struct, frozen=True):
    """One of the six steps of a layer's decision, or what it says of arguments (7)."""

    number: int
    title: str
    refuses: bool
    remarks: tuple[Remark, ...]


class LayerAnswer(Struct, frozen=True):
    """What one layer says: its steps, the number of the first that refuses (0 for none), its name and file."""

    name: str
    file: str
    refused_by: int
    steps: tuple[LayerStep, ...]
    operation_labels: tuple[str, ...]


class Explanation(Struct, frozen=True):
    """A decision, and what every layer said."""

    operation: str
    labels: tuple[str, ...]
    operation_labels: tuple[str, ...]
    layers: tuple[LayerAnswer, ...]
    decision: Authorized | Denial


def explain(
    layers: Layers, request: Request, labels: Labels, arguments: Question | None = None
) -> Explanation:
    """What each layer says about a value with these labels flowing into this operation, with these arguments."""
    prepared = layers.prepare(request)
    decision = layers.authorize(request, labels)
    rules = () if arguments is None else layers.argument_rules(arguments.operation)
    said = []
    for layer in layers.layers:
        found = _said(layer, prepared, labels)
        own = tuple(ruled for ruled in rules if ruled.layer is layer)
        if arguments is not None and own:
            step = _arguments(own, arguments)
            refused_by = found.refused_by or (step.number if step.refuses else 0)
            found = replace(found, steps=(*found.steps, step), refused_by=refused_by)
        said.append(found)
    if arguments is not None and not isinstance(decision, Denial):
        decision = _first(rules, arguments, request, labels) or decision
    return Explanation(request.shown, labels.names(), request.leaves, tuple(said), decision)


def _first(rules: tuple[Ruled, ...], asked: Question, request: Request, labels: Labels) -> Denial | None:
    """The denial for the first argument that does not meet a rule."""
    for ruled in rules:
        wrong = broken(ruled, asked)
        if wrong is not None:
            return denial_of(ruled, wrong, request.shown, labels, request.leaves)
    return None


def _arguments(rules: tuple[Ruled, ...], asked: Question) -> LayerStep:
    found = [(ruled, broken(ruled, asked)) for ruled in rules]
    remarks = tuple(
        _at(
            ruled.layer,
            f"{dotted(ruled.path)}: {f'{wrong.condition} does not hold' if wrong else 'holds'}",
            ruled.path,
        )
        for ruled, wrong in found
    )
    return LayerStep(7, "argument rules", any(wrong for _, wrong in found), remarks)


def _said(layer: Layer, prepared: Prepared, labels: Labels) -> LayerAnswer:
    facts = layer.facts(labels)
    operation = layer.operation(layer.started(prepared))
    steps = (
        _capability(layer, prepared),
        _risks(layer, prepared.leaves, operation),
        _stance(layer, facts, labels),
        _builtin(layer, facts, operation),
        _label_rules(layer, facts, operation),
        _allow_lists(layer, facts, operation),
    )
    refusing = next((step.number for step in steps if step.refuses), 0)
    return LayerAnswer(layer.name, layer.file, refusing, steps, operation.names)


def _at(layer: Layer, text: str, path: Path) -> Remark:
    line = line_of(path, layer.lines)
    if not path or not line:
        return Remark(text)
    return Remark(text, f"{layer.file or layer.name}:{line}")


def _capability(layer: Layer, prepared: Prepared) -> LayerStep:
    lists = layer.lists
    if lists is None:
        return LayerStep(1, "capability", False, (Remark("no capabilities: anything may happen"),))
    remarks: list[Remark] = []
    if prepared.request.unread:
        text, path = rule_of(Unread(prepared.request.unread), layer)
        return LayerStep(1, "capability", True, (_at(layer, text, path), Remark(prepared.request.unread)))
    denied = lists.denied(prepared.subjects)
    if denied is not None:
        text, path = rule_of(DenyListed(denied), layer)
        remarks.append(_at(layer, text, path))
    unopted = lists.unopted(prepared.hits, prepared.subjects)
    for hit in dict.fromkeys(prepared.hits):
        single = lists.unopted((hit,), prepared.subjects)
        text = f"dangerous ({hit.listed.entry.text}): {hit.why}"
        remarks.append(Remark(text if single is not None else f"{text}; opted into"))
    if unopted is not None:
        text, path = rule_of(Dangerous(unopted), layer)
        remarks.append(_at(layer, text, path))
    missing = lists.missing(prepared.subjects)
    if lists.allows is None:
        remarks.append(Remark("no allow list: what is not denied is allowed"))
    elif missing is not None:
        text, path = rule_of(missing, layer)
        remarks.append(_at(layer, text, path))
    else:
        remarks += [_at(layer, f'capabilities.allow includes "{one.entry.text}"', one.entry.path)
                    for one in dict.fromkeys(lists.allowing(prepared.subjects))]  # fmt: skip
    refuses = denied is not None or unopted is not None or missing is not None
    return LayerStep(1, "capability", refuses, tuple(remarks))


def _risks(layer: Layer, own: Leaves, all_leaves: Leaves) -> LayerStep:
    remarks = [
        _at(layer, f'{dotted(("operations", prefix))} = "{risk}"', ("operations", prefix))
        for prefix, risk in layer.risks(own)
    ]
    remarks += [
        Remark(f"declared as {name}")
        for name in all_leaves.names
        if name in own.names and name.split(":")[0] in ("exfil", "destructive", "privileged")
    ]
    return LayerStep(2, "risks", False, tuple(remarks) or (Remark("none"),))


def _stance(layer: Layer, facts: TaintFacts, labels: Labels) -> LayerStep:
    given, classes = layer.taint(labels)
    remarks = [Remark(_STANCES[facts.stance])]
    for each in classes:
        what = {kernels.TRUSTED: "trusted", kernels.UNTRUSTED: "untrusted"}.get(each.found, "not classified")
        by = f"by {dotted(each.path)}" if each.path else "by defaults.unlabeled"
        path = each.path or ("defaults", "unlabeled")
        text = f"{each.origin} is {what}" + (f" {by}" if each.found else "")
        remarks.append(_at(layer, text, path if each.found else ()))
    remarks += [_at(layer, f"{dotted(path)} adds {name}", path) for name, path in given.items()]
    added = added_labels(labels.names(), given, distrusted=facts.untrusted)
    if added:
        remarks.append(Remark(f"judged as [{', '.join([*labels.names(), *added])}]"))
    return LayerStep(3, "stance", False, tuple(remarks))


def _builtin(layer: Layer, facts: TaintFacts, operation: Leaves) -> LayerStep:
    code = layer.builtin(facts, operation)
    on = [name for name in BUILTIN_RULES if name in layer.policy.defaults.rules]
    if code:
        text, path = rule_of(layer.broken(code, operation), layer)
        return LayerStep(4, "built-in rules", True, (_at(layer, text, path),))
    text = f"none of {', '.join(on)} is about this" if on else "none is on"
    return LayerStep(4, "built-in rules", False, (Remark(text),))


def _label_rules(layer: Layer, facts: TaintFacts, operation: Leaves) -> LayerStep:
    remarks = []
    for rule, target, over in layer.flows.spoken(facts.rows, operation):
        path = rule.deny[target]
        text = f'{dotted(("labels", rule.label, "deny"))} includes "{target}"'
        if over is not None:
            other, allowed = over
            text += f', but {dotted(("labels", other.label, "allow"))} the narrower "{allowed}"'
        remarks.append(_at(layer, text, path))
    refuses = layer.flows.refusing(facts.rows, operation) is not None
    return LayerStep(
        5, "label rules", refuses, tuple(dict.fromkeys(remarks)) or (Remark("none is about this"),)
    )


def _allow_lists(layer: Layer, facts: TaintFacts, operation: Leaves) -> LayerStep:
    found = unlisted(facts.bound, operation)
    if found is not None:
        text, path = rule_of(found, layer)
        return LayerStep(6, "allow lists", True, (_at(layer, text, path),))
    if not kernels.closes(facts.stance):
        return LayerStep(
            6, "allow lists", False, (Remark("not closed: nothing here is untrusted by default"),)
        )
    text = "every one allows it" if facts.bound else "none is about these labels"
    return LayerStep(6, "allow lists", False, (Remark(text),))

"""What a refusal leaves unsaid: what stands in labelled shell text, or in a labelled value that names a subcommand.

Which commands such a text runs is its content, so the labels ``op:cmd:...`` that were found in it, and what of it was not
read, are not told; of each only its kind is. Labels that say no more than where a text comes from and whether it is trusted
keep nothing unsaid: a model is told what of its own words was refused.
"""

from __future__ import annotations

from msgspec.structs import replace

from sluicegate.flow.denial import Denial
from sluicegate.flow.labels import Labels, head
from sluicegate.flow.labels.names import is_origin
from sluicegate.flow.monitor.plan import Asked, Plan
from sluicegate.flow.monitor.steps.settle import OperationRefused
from sluicegate.flow.values import pc

_OPEN = frozenset({"trusted", "untrusted", "llm", "influenced"})
_UNREAD = "some of it is not read"


def discreet(end: OperationRefused, plan: Plan, asked: tuple[Asked, ...]) -> OperationRefused:
    """The refusal as it may be told. It tells of the inputs, too, by whose content it was found what is asked."""
    leaves = {leaf for each in asked for leaf in each.request.leaves}.difference((*plan.leaves, *plan.also))
    unread = {each.request.unread for each in asked if each.request.unread}
    texts = any(
        each.programs is not None or (each.stage is not None and each.stage.fed) for each in plan.operations
    )
    if not (leaves or unread or texts):
        return end
    shaping, denial = plan.shaping(), end.denial
    if _confidential(shaping):
        denial = _without(denial, plan, sorted(leaves, key=len, reverse=True), unread)
    return OperationRefused(denial, end.labels | shaping, end.detail)


def _confidential(labels: Labels) -> bool:
    return any(not is_origin(name) and head(name) not in _OPEN for name in labels.names() if name not in pc())


def _without(denial: Denial, plan: Plan, leaves: list[str], unread: set[str]) -> Denial:
    kinds = {leaf.removeprefix("op:"): leaf.split(":")[1] for leaf in leaves if leaf.startswith("op:")}

    def said(text: str) -> str:
        for why in unread:
            text = text.replace(why, _UNREAD)
        for leaf, kind in kinds.items():
            text = text.replace(leaf, kind)
        return text

    return replace(
        denial,
        operation=plan.shown,
        rule=said(denial.rule),
        reason=said(denial.reason),
        operation_labels=tuple(dict.fromkeys(map(said, denial.operation_labels))),
        suggestions=tuple(map(said, denial.suggestions)),
    )

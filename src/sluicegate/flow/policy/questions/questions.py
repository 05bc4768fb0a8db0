"""Whether the labels in a question about policies mean anything: a label that nobody ever gave makes any answer a no answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from sluicegate.flow.errors import PolicyError
from sluicegate.flow.labels import head, is_origin
from sluicegate.flow.labels.names import shown
from sluicegate.flow.policy.text.schema import Policy, Words
from sluicegate.flow.policy.text.vocabulary import (
    KNOWN_LABELS,
    KNOWN_TARGETS,
    OPERATION_KINDS,
    nearest,
    no_operation,
    no_source,
)

Seen = Callable[[], tuple[frozenset[str], frozenset[str]]]
"""What a ledger has seen, asked only where it matters: labels of values, and labels of operations."""


class UnknownLabel(PolicyError):
    """A question names a label that no policy, and nothing that happened here, has ever named."""


def check_words(
    policies: Sequence[Policy], labels: Sequence[str], targets: Sequence[str], seen: Seen
) -> None:
    """Raise ``UnknownLabel`` for the first of the ``labels`` of values, and the ``targets`` that an operation declares,
    that means nothing: it is not built in, none of these policies names it, and ``seen`` does not have it."""
    own = {name for policy in policies for name in _labels(policy)}
    declared = {name for policy in policies for name in _targets(policy)}
    for name in labels:
        first, _, rest = name.partition(":")
        if first == "op":
            raise UnknownLabel(
                f"{shown(name)} is a label of operations, not of data", hint="Write it in --operation-labels."
            )
        hint = no_source(rest.split(":")[0]) if first == "src" else None
        if hint is not None:
            raise UnknownLabel(f"there is no source {shown(name)}", hint=hint)
        if not is_origin(name) and not _named(name, {*KNOWN_LABELS, *own}) and not _named(name, seen()[0]):
            raise _unknown(name, "label", {*KNOWN_LABELS, *own, *seen()[0]}, "labels")
    for name in targets:
        first, _, rest = name.partition(":")
        hint = no_operation(rest.split(":")[0]) if first == "op" and rest else None
        if hint is not None:
            raise UnknownLabel(f"there is no operation {shown(name)}", hint=hint)
        if first != "op" and not _named(name, {*KNOWN_TARGETS, *declared}) and not _named(name, seen()[1]):
            known = {*KNOWN_TARGETS, *declared, *seen()[1], *(f"op:{kind}" for kind in OPERATION_KINDS)}
            raise _unknown(name, "label of operations", known, "operations")


def _unknown(name: str, what: str, known: Iterable[str], key: str) -> UnknownLabel:
    return UnknownLabel(
        f"the {what} {shown(name)} is unknown, so an answer about it would mean nothing",
        hint=f"{nearest(name, known)} If it is one of your own, list it in vocabulary.{key} of a policy.".strip(),
    )


def _named(name: str, known: Iterable[str]) -> bool:
    """Whether a label is one of these, or below one: ``secret:aws`` is below ``secret``."""
    return any(name == each or name.startswith(f"{each}:") for each in known)


def _labels(policy: Policy) -> Iterator[str]:
    """The labels of values that a policy names."""
    yield from policy.vocabulary.labels
    yield from (name for name in policy.labels if name != "*")
    for words in policy.data.values():
        yield from _several(words)


def _targets(policy: Policy) -> Iterator[str]:
    """The labels of operations, other than ``op:``, that a policy names."""
    found = [*policy.vocabulary.operations, *policy.operations]
    for rule in policy.labels.values():
        found += [*_several(rule.deny), *_several(rule.allow or ())]
    yield from (name for name in found if name != "*" and head(name) != "op")


def _several(words: Words | Sequence[str]) -> Sequence[str]:
    return (words,) if isinstance(words, str) else words

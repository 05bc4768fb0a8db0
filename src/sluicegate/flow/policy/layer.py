"""One policy, compiled: what one layer says about one operation.

The decision about an operation O and a taint T, in six steps; the arithmetic of each is in ``kernels``. Let
the leaves of O be its most specific labels, and let p cover q if p is q, a prefix of q by whole segments,
or ``*``.

1. Capability: is O allowed at all (deny list, danger, allow list)?
2. Risks: O' is O and every risk whose pattern in ``operations`` covers a leaf. A risk is a leaf.
3. Stance: T' is T, the labels that ``data`` gives to its directories, and ``untrusted`` if that is the stance.
4. Built-in rules that are on, over T' and O'.
5. Label rules: a deny (L, D) with L covering a label t of T' and D covering a leaf o of O' holds, unless an
   allow (L2, A) covers the same t and o and is strictly more specific: L covers L2, D covers A, not both equal.
6. Allow lists: if the origins of T are reason enough to distrust it, every t in T that a rule with an allow
   list is about must have each leaf of O' allowed by that rule.

The first step that refuses gives the denial.

Shell text that is not read could run any command. In step 1 a layer with capabilities refuses it; from step 2 on its
leaves are all that the layer's rules say of commands and of code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from sluicegate.flow.labels import Labels
from sluicegate.flow.labels.chosen import Chosen
from sluicegate.flow.labels.names import covers, head, is_origin
from sluicegate.flow.policy import kernels
from sluicegate.flow.policy.request import Request
from sluicegate.flow.policy.rules.capabilities import CompiledLists, DangerHit, ListedCapability, Missing
from sluicegate.flow.policy.rules.entries import read
from sluicegate.flow.policy.rules.flows import (
    FlowRule,
    Flows,
    LabelRule,
    Row,
    Unlisted,
    closed,
    keep,
    unlisted,
)
from sluicegate.flow.policy.rules.leaves import Leaves, leaves
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.rules.sources import Data, OriginClass, Sources
from sluicegate.flow.policy.rules.subjects import Subjects
from sluicegate.flow.policy.text.document import Document
from sluicegate.flow.policy.text.positions import Path
from sluicegate.flow.policy.text.problems import Problem, dotted, line_of
from sluicegate.flow.policy.text.schema import Policy, Words
from sluicegate.flow.policy.text.vocabulary import BUILTIN_RULES, INFLUENCE_RULE, INTERPRETERS


class TaintFacts(Struct, frozen=True):
    """What a layer makes of a taint (step 3), found once for each set of labels.

    ``rows`` are the labels of T' that label rules are about; ``bound`` are the labels of T with the rules whose
    allow lists bind them (step 6).
    """

    stance: int
    secret: bool
    sensitive: bool
    untrusted: bool
    rows: tuple[Row, ...]
    bound: tuple[tuple[str, LabelRule], ...]


class Prepared(Struct, frozen=True):
    """What all layers need to know of a request; found once for each."""

    request: Request
    leaves: Leaves
    subjects: Subjects
    hits: tuple[DangerHit, ...]


class DenyListed(Struct, frozen=True):
    """Step 1 refuses: an entry of the deny list."""

    listed: ListedCapability


class Dangerous(Struct, frozen=True):
    """Step 1 refuses: a danger that is not opted into."""

    hit: DangerHit


class Builtin(Struct, frozen=True):
    """Step 4 refuses: a built-in rule, by the leaf that is the risk and (if so) the entry that made it one."""

    rule: str
    risk: str
    path: Path


class Unread(Struct, frozen=True):
    """Step 1 refuses: the shell text of the operation is not read, and the layer lists capabilities."""

    why: str


Refusal = DenyListed | Dangerous | Missing | Unread | Builtin | FlowRule | Unlisted


class LayerDecision(Struct, frozen=True):
    """The number of the step that refuses (``kernels.layer``) and why; ``PERMITTED`` and nothing if none does."""

    code: int
    refusal: Refusal | None


_SPECIAL = frozenset({"secret", "sensitive", "trusted", "untrusted"})
_PERMITTED = LayerDecision(kernels.PERMITTED, None)
STARTED = ("op:cmd", *(f"op:{language}" for language in INTERPRETERS), "op:interpreter")
"""What shell text can start."""


class Layer:
    """One compiled policy. ``name`` and ``file`` say which; ``policy`` is what it was made from."""

    __slots__ = (
        "_data", "_facts", "_matters", "_operations", "_risk_keys", "_risks", "_rules", "_sources", "_started", "file", "flows",
        "influence", "lines", "lists", "name", "narrows", "policy", "projectname",
    )  # fmt: skip

    def __init__(self, document: Document, place: Place) -> None:
        policy = document.policy
        self.name, self.file, self.lines, self.policy = document.name, document.file, document.lines, policy
        self.projectname, self.narrows = document.projectname, document.narrows
        if document.base is not None:
            place = replace(place, base=document.base)
        self.lists = _lists(policy, place)
        self._sources = Sources(policy.sources, policy.defaults.unlabeled, place)
        self._data = Data(policy.data, place)
        self._rules = tuple(name in policy.defaults.rules for name in BUILTIN_RULES)
        self.influence = INFLUENCE_RULE in policy.defaults.rules
        self._risks: dict[str, tuple[str, ...]] = {
            pattern: _words(risks) for pattern, risks in policy.operations.items()
        }
        self._risk_keys = frozenset(self._risks)
        self.flows = Flows(policy)
        named = dict.fromkeys((*self._risks, *self.flows.targets))
        self._started = tuple(
            dict.fromkeys((*STARTED, *(name for name in named if any(covers(one, name) for one in STARTED))))
        )
        self._matters = Chosen(self._does_matter)
        self._facts: dict[int, TaintFacts] = {}
        self._operations: dict[tuple[str, ...], Leaves] = {}

    @property
    def vouches_for_code(self) -> bool:
        """Whether ``sources`` says of ``src:exec`` that it is trusted, whatever code has read."""
        return self._sources.says("src:exec") == kernels.TRUSTED

    def place_of(self, path: Path) -> str:
        """The layer for people, with the file and line of a path in it: ``ours (policy.toml:12)``."""
        if not self.file:
            return self.name
        line = line_of(path, self.lines)
        place = f"{self.file}:{line}" if line else self.file
        return place if self.name == self.file else f"{self.name} ({place})"

    def decide(self, prepared: Prepared, labels: Labels) -> LayerDecision:
        """What this layer says: ``kernels.PERMITTED``, or the first step that refuses and why."""
        facts = self.facts(labels)
        lists = self.lists
        denied, refused = self.capability(lists, prepared) if lists is not None else (0, None)  # 1
        operation = self.operation(self.started(prepared))  # 2
        rule = self.builtin(facts, operation)  # 4
        flow = self.flows.refusing(facts.rows, operation)  # 5
        listless = unlisted(facts.bound, operation) if facts.bound else None  # 6
        code = kernels.layer(denied, rule, flow is not None, listless is not None)
        if code == kernels.PERMITTED:
            return _PERMITTED
        if code == kernels.BY_BUILTIN:
            return LayerDecision(code, self.broken(rule, operation))
        return LayerDecision(code, {1: refused, 3: flow, 4: listless}[code])

    def capability(self, lists: CompiledLists, prepared: Prepared) -> tuple[int, Refusal | None]:
        """Step 1: its number in ``kernels.capability``, and why."""
        if prepared.request.unread:
            return kernels.capability(True, False, False, False, False), Unread(prepared.request.unread)
        subjects, hits = prepared.subjects, prepared.hits
        denied = lists.denied(subjects)
        unopted = lists.unopted(hits, subjects) if hits else None
        missing = lists.missing(subjects)
        code = kernels.capability(
            denied is not None, bool(hits), unopted is None, lists.allows is not None, missing is None
        )
        if code == 1 and denied is not None:
            return code, DenyListed(denied)
        if code == 2 and unopted is not None:
            return code, Dangerous(unopted)
        return code, missing

    def started(self, prepared: Prepared) -> Leaves:
        """The leaves of a request; where its shell text is not read, with every command that a rule here speaks of."""
        own = prepared.leaves
        return own if not prepared.request.unread else leaves((*own.names, *self._started))

    def operation(self, own: Leaves) -> Leaves:
        """Step 2: the leaves of an operation and the risks that ``operations`` gives to it."""
        if self._risk_keys.isdisjoint(own.prefixes):
            return own
        found = self._operations.get(own.names)
        if found is None:
            risks = dict.fromkeys(risk for _, risk in self.risks(own))
            found = leaves((*own.names, *(risk for risk in risks if risk not in own.names)))
            keep(self._operations, own.names, found)
        return found

    def risks(self, own: Leaves) -> list[tuple[str, str]]:
        """For explanations: the patterns of ``operations`` that are about an operation, with their risks."""
        return [
            (prefix, risk)
            for each in own.chains
            for _, prefix in each
            for risk in self._risks.get(prefix, ())
        ]

    def facts(self, labels: Labels) -> TaintFacts:
        """Step 3, and which rules are about the labels: the same for all sets alike in the labels that matter."""
        matter = self._matters.of(labels)
        found = self._facts.get(matter)
        if found is None:
            found = self._found(labels)
            keep(self._facts, matter, found)
        return found

    def _does_matter(self, name: str) -> bool:
        """Whether facts depend on a label: on trust, where something came from, or a rule that is about it.

        ``dir:`` labels, which ``data`` is about, are origins; and a label that ``data`` gives makes a difference
        only by a rule that is about it, or by its name as below.
        """
        return head(name) in _SPECIAL or is_origin(name) or self.flows.about(name) is not None

    def _found(self, labels: Labels) -> TaintFacts:
        given = self._data.of_directories(labels)
        untrusted = labels.untrusted or "untrusted" in given
        number = self._sources.stance(labels.names(), untrusted=untrusted, trusted=labels.trusted)
        distrusted = kernels.is_untrusted(number)
        rows = self.flows.rows(labels)
        secret, sensitive = labels.has("secret"), labels.has("sensitive")
        if given or (distrusted and not untrusted):
            added = added_labels(labels.names(), given, distrusted=distrusted)
            rows += tuple([row for name in added if (row := self.flows.about(name)) is not None])
            secret = secret or any(head(name) == "secret" for name in given)
            sensitive = sensitive or any(head(name) == "sensitive" for name in given)
        bound = closed(rows, labels) if rows and kernels.closes(number) else ()
        return TaintFacts(number, secret, sensitive, distrusted, rows, bound)

    def taint(self, labels: Labels) -> tuple[dict[str, Path], tuple[OriginClass, ...]]:
        """For explanations: the labels that ``data`` adds, and the classes that the stance came from."""
        given = self._data.of_directories(labels)
        untrusted = labels.untrusted or "untrusted" in given
        return given, self._sources.classify(labels.names(), marked=untrusted)

    def builtin(self, facts: TaintFacts, operation: Leaves) -> int:
        """Step 4: the number of the rule in ``kernels.builtin``, or 0."""
        prefixes = operation.prefixes
        return kernels.builtin(
            facts.secret, facts.sensitive, facts.untrusted,
            "exfil" in prefixes, "destructive" in prefixes, "privileged" in prefixes, *self._rules,
        )  # fmt: skip

    def broken(self, number: int, operation: Leaves) -> Builtin:
        """The built-in rule of a number that ``builtin`` gave."""
        risk = ("exfil", "exfil", "destructive", "privileged")[number - 1]
        return Builtin(BUILTIN_RULES[number - 1], risk, self._risk_path(risk, operation))

    def _risk_path(self, risk: str, operation: Leaves) -> Path:
        """The entry of ``operations`` that made the operation this risk; nothing if it was declared as it."""
        for prefix, name in self.risks(operation):
            if covers(risk, name):
                return ("operations", prefix)
        return ()

    def entry(self, source: str, path: str) -> dict[str, Path]:
        """The labels a value takes when it enters from ``source``, from the file ``path`` if it is one."""
        found = dict(self._data.labels(path)) if path else {}
        if self._sources.distrusts(source, path):
            found["untrusted"] = ("sources", "src:file")
        return found

    @property
    def speaks_of_places(self) -> bool:
        """Whether what a value takes as it enters depends on the path of its file."""
        return self._sources.places or self._data.places

    def tell_apart(self, folder: str) -> tuple[set[str], list[re.Pattern[str]]]:
        """By which names ``entry`` tells apart the files of one directory: by these texts, and by these patterns."""
        texts, patterns = self._data.tell_apart(folder)
        more, others = self._sources.tell_apart(folder)
        return texts | more, [*patterns, *others]


def added_labels(names: tuple[str, ...], given: Iterable[str], *, distrusted: bool) -> list[str]:
    """What T' has that T has not."""
    added = [name for name in given if name not in names]
    if distrusted and "untrusted" not in names and "untrusted" not in added:
        added.append("untrusted")
    return added


def _words(given: Words) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _lists(policy: Policy, place: Place) -> CompiledLists | None:
    """The compiled capabilities. A document has been checked, so there are no problems left to hear of."""
    given = policy.capabilities
    if given is None:
        return None
    problems: list[Problem] = []
    made = CompiledLists(
        allow=read(given.allow, ("capabilities", "allow"), problems) if given.allow is not None else None,
        deny=read(given.deny or [], ("capabilities", "deny"), problems),
        danger=read(given.danger or [], ("capabilities", "danger"), problems),
        inside=read([*(given.danger_inside or ())], ("capabilities", "danger_inside"), problems),
        place=place,
        autoverify=policy.defaults.autoverify not in (None, False),
    )
    assert not problems, [dotted(each.path) for each in problems]  # noqa: S101 - checked when it was read
    return made

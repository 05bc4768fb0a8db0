"""One evaluation of guards, as it goes: the values so far, and what was decided. See ``evaluate`` for the steps."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards.actions import (
    Action,
    AddLabels,
    Allow,
    AllowWith,
    Bless,
    ClearLabels,
    Deny,
    RemoveLabels,
    Retry,
    UseEnvironment,
)
from sluicegate.flow.guards.change import (
    GuardedValue,
    LabelAction,
    change_of,
    operation_labels,
    relabelled,
    replaced,
)
from sluicegate.flow.guards.context import GuardContext, Timing
from sluicegate.flow.guards.decide import GuardDecision, Undecided, decide
from sluicegate.flow.guards.filters import MatchedInputs, Nothing
from sluicegate.flow.guards.model import Registered
from sluicegate.flow.guards.outcomes import (
    GuardOutcome,
    GuardsAllowed,
    GuardsChanged,
    GuardsDenied,
    GuardsRetry,
    Noted,
)
from sluicegate.flow.labels import EMPTY, TrustRefused
from sluicegate.flow.values import Labeled

MOST_RETRIES: Final = 3


class Round:
    """``first`` is what was asked for, ``now`` what the changes so far have made of it."""

    def __init__(self, context: GuardContext) -> None:
        self.first = context
        self.now = context
        self.asked: list[Registered] = []
        self._seen: dict[int, GuardContext] = {}
        self._denials: dict[Denial, Labeled[str] | None] = {}
        self._retries: list[tuple[str, str | Labeled[str]]] = []
        self._environments: list[object] = []
        self._added: dict[str, None] = {}
        self._labels = EMPTY
        self._notes: list[Noted] = []

    @property
    def changed(self) -> bool:
        """Whether a guard has changed a value or the labels of the operation."""
        return self.now is not self.first

    def ask(self, registered: Registered) -> None:
        """Steps 1 and 2: ask a guard about what was asked for, and about what has become of it."""
        before = self.now
        for place in _places(registered, self.first):
            self._judge(registered, self.first, place, act=before is self.first)
        if before is not self.first:
            for place in _places(registered, before):
                self._judge(registered, before, place, act=True)
        self._seen[registered.number] = before
        self.asked.append(registered)

    def review(self, registered: Registered) -> None:
        """Step 4: ask a guard about the values as they are now, if it has not seen them."""
        if self._seen[registered.number] is self.now:
            return
        for place in _places(registered, self.now):
            self._judge(registered, self.now, place, act=False)
        self._seen[registered.number] = self.now

    def outcome(self) -> GuardOutcome:
        """Step 6."""
        denials = tuple(self._denials)
        if self.first.denial is not None:
            denials = (self.first.denial, *denials)
        notes = tuple(self._notes)
        if denials:
            detail = self._denials.get(denials[0])
            return GuardsDenied(
                denial=denials[0], denials=denials, detail=detail, labels=self._labels, notes=notes
            )
        if self._retries:
            guard, hint = self._retries[0]
            return GuardsRetry(guard=guard, hint=hint, labels=self._labels, notes=notes)
        if not self.changed and not self._environments:
            return GuardsAllowed(labels=self._labels, notes=notes)
        return GuardsChanged(
            values=self.now.values,
            operation_labels=tuple(self._added),
            environments=tuple(self._environments),
            labels=self._labels,
            notes=notes,
        )

    def _judge(self, registered: Registered, context: GuardContext, place: int | None, *, act: bool) -> None:
        """Ask a guard about one place, and take its decision; with ``act``, its changes as well."""
        known = self.first.denial or next(iter(self._denials), None)
        shown = replace(
            context, place=place, denial=known if registered.guard.timing is Timing.ALWAYS else None
        )
        decision = decide(registered.guard, shown)
        self._labels |= decision.labels
        if isinstance(decision, Undecided):
            self._note(registered, decision, "Failed", shown)
            self._fail(registered, shown, decision, decision.why)
            return
        action = decision.action
        if act or isinstance(action, (Deny, Retry)):
            self._take(registered, shown, decision, action)

    def _take(
        self, registered: Registered, shown: GuardContext, decision: GuardDecision, action: Action
    ) -> None:
        late = shown.timing is Timing.AFTER or self.first.denial is not None
        match action:
            case Allow():
                self._note(registered, decision, "Allow", shown)
            case Deny():
                self._note(registered, decision, "Deny", shown)
                self._deny(registered, shown, decision, action.reason, action)
            case Retry():
                self._note(registered, decision, "Retry", shown)
                self._retry(registered, shown, decision, action)
            case UseEnvironment() if late:
                self._fail(registered, shown, decision, "it asks for an environment after the operation")
            case UseEnvironment():
                self._note(registered, decision, "UseEnvironment", shown)
                self._environments.append(action.config)
            case AllowWith():
                self._replace(registered, shown, decision, action)
            case AddLabels():
                self._relabel(registered, shown, decision, action)
            case Bless() | RemoveLabels() | ClearLabels():
                # Decided before any value is looked at: without the privilege it is refused for any value.
                refused = change_of(action, shown.taint, registered.privilege, shown.conflict)
                if isinstance(refused, TrustRefused):
                    self._refuse(registered, shown, refused.denial)
                else:
                    self._relabel(registered, shown, decision, action)

    def _retry(
        self, registered: Registered, shown: GuardContext, decision: GuardDecision, action: Retry
    ) -> None:
        if shown.attempt < MOST_RETRIES:
            self._retries.append((registered.guard.name, action.hint))
            return
        self._deny(registered, shown, decision, f"The guard has asked for another input {MOST_RETRIES} times")

    def _replace(
        self, registered: Registered, shown: GuardContext, decision: GuardDecision, action: AllowWith
    ) -> None:
        places = self._open_places(shown)
        subjects = tuple(self._subject(place) for place in places)
        try:
            made = replaced(action, subjects, registered.guard.name, decision.labels)
        except FlowError as error:
            made = error.message
        if isinstance(made, str):
            self._fail(registered, shown, decision, made)
            return
        self._note(registered, decision, "AllowWith", shown, made)
        self._put(dict(zip(places, made, strict=True)))

    def _relabel(
        self, registered: Registered, shown: GuardContext, decision: GuardDecision, action: LabelAction
    ) -> None:
        made: dict[int, GuardedValue] = {}
        conflict = False
        for place in self._open_places(shown):
            change = relabelled(
                action, self._subject(place), registered.privilege, shown.conflict, decision.labels
            )
            if isinstance(change, TrustRefused):
                self._refuse(registered, shown, change.denial)
                return
            made[place], conflict = change.subject, conflict or change.conflict
        added = operation_labels(action) if shown.timing is not Timing.AFTER else ()
        self._note(registered, decision, type(action).__name__, shown, tuple(made.values()), conflict)
        self._put(made, added)

    def _open_places(self, shown: GuardContext) -> tuple[int, ...]:
        return (shown.place,) if shown.place is not None else tuple(range(len(self.now.values)))

    def _subject(self, place: int) -> GuardedValue:
        return GuardedValue(value=self.now.values[place], taint=self.now.taints[place])

    def _put(self, subjects: dict[int, GuardedValue], added: tuple[str, ...] = ()) -> None:
        """Put changed values, and labels of the operation, in place."""
        values, taints = list(self.now.values), list(self.now.taints)
        for place, subject in subjects.items():
            values[place], taints[place] = subject.value, subject.taint
        operation = self.now.operation
        if self.now.timing is not Timing.AFTER:
            operation = operation.with_inputs(tuple(values))
        new = tuple(label for label in added if label not in operation.labels)
        if new:
            self._added.update(dict.fromkeys(new))
            operation = replace(operation, labels=(*operation.labels, *new))
        self.now = replace(self.now, values=tuple(values), taints=tuple(taints), operation=operation)

    def _deny(
        self,
        registered: Registered,
        shown: GuardContext,
        decision: GuardDecision | Undecided,
        reason: str | Labeled[str],
        action: Deny | None = None,
    ) -> None:
        guard = registered.guard
        # Words that an author gave are shown; labelled ones, for which there is no place here, by their labels.
        code = _words(action.code) if action is not None else ""
        suggestion = _words(action.suggestion) if action is not None else ""
        denial = Denial(
            code=Code.PRIVILEGED_GUARD_DENIED if registered.lasting else Code.GUARD_DENIED,
            operation=shown.operation.shown,
            blocked_by=f"Guard {guard.name}",
            layer=f"guard {guard.name} from {registered.origin}",
            rule=f"{guard.timing} {guard.filter}, rule {decision.rule}{f' ({code})' if code else ''}",
            reason=str(reason),
            labels=shown.taint.names(),
            operation_labels=shown.operation.labels,
            suggestions=(
                suggestion or f"See rule {decision.rule} of the guard, or change what it is asked about",
            ),
        )
        self._denials.setdefault(denial, reason if isinstance(reason, Labeled) else None)

    def _fail(
        self, registered: Registered, shown: GuardContext, decision: GuardDecision | Undecided, why: str
    ) -> None:
        reason = f"The guard could not decide: {why}"
        mend = Deny(reason=reason, suggestion="Mend the guard: one that cannot decide denies")
        self._deny(registered, shown, decision, reason, mend)

    def _refuse(self, registered: Registered, shown: GuardContext, denial: Denial) -> None:
        """A change of labels that the guard may not make: the operation is denied, with the refusal's code."""
        name = registered.guard.name
        self._denials.setdefault(
            replace(
                denial,
                operation=shown.operation.shown,
                blocked_by=f"Guard {name}",
                layer=f"guard {name} from {registered.origin}",
                operation_labels=shown.operation.labels,
            ),
            None,
        )

    def _note(
        self,
        registered: Registered,
        decision: GuardDecision | Undecided,
        action: str,
        shown: GuardContext,
        made: tuple[GuardedValue, ...] = (),
        conflict: bool = False,
    ) -> None:
        after = EMPTY
        for subject in made:
            after |= subject.taint
        self._notes.append(
            Noted(
                guard=registered.guard.name,
                rule=decision.rule,
                action=action,
                place=shown.place,
                before=shown.taint,
                after=after if made else shown.taint,
                conflict=conflict,
            )
        )


def _words(given: object) -> str:
    return given if isinstance(given, str) else str(given)


def _places(registered: Registered, context: GuardContext) -> tuple[int | None, ...]:
    """What a guard is asked about: each place its filter matches, or (None) all of it at once."""
    match registered.guard.filter.match(context.operation, context.taints):
        case Nothing():
            return ()
        case MatchedInputs(indexes=indexes):
            return indexes
        case _:
            return (None,)

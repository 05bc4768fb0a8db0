"""The procedure of every operation: checks in order, then the labels of its result.

0. The operation is read: its argument vectors, the files and hosts it names; the labels of files that it reads are
   joined to what goes in. What would touch the monitor's own state is refused, and a tool that is not granted here.
1. Capability and
2. label flow: every layer of policy is asked about every part of the operation, and each must permit. So it is about
   arguments that a policy has rules for (``argued``).
3. Guards that match are asked. Any denial denies; else a retry asks for other inputs, at most three times; else
   changes are made, and steps 0 to 2 are done again with what would flow now. Signed instructions that go into a
   model are verified (``instructions``).
4. The event is noted, and then the effect takes place, inside a branch on everything that went in. Noting costs some
   six microseconds and stays in memory for a while; an effect that outlives this process (a command, a file, a call to
   the outside, whatever is declared a risk) waits until its event is written, some fifty more.
5. The result gets the labels of all that went in, of where it comes from, of the branches around it, and
   ``influenced`` if a model made it from what is untrusted. Guards are asked about it: denial, retry, change.
6. A refusal is an event too, and ALWAYS guards hear of it.

``perform`` is two halves with the effect between them: ``Course.decided`` (0 to 3, and the event) and
``Course.settled`` (5). ``halves`` gives them apart, for effects that take place in another process.

How an operation ends that is refused or fails is decided in ``settle``. Nothing here performs anything: what
touches the world is yielded (``drive``), so there is one procedure for programs with and without asyncio.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any

from msgspec.structs import replace

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards import GuardsChanged, GuardsRetry
from sluicegate.flow.instructions import in_model, is_our_own, prefaced, telling
from sluicegate.flow.labels import EMPTY, NO_TRAIL, Labels, coming_from
from sluicegate.flow.monitor.boundary import catching, enclosing, enclosing_event, inside
from sluicegate.flow.monitor.drive import Do, Procedure
from sluicegate.flow.monitor.effects.looked_into import looks_into_all
from sluicegate.flow.monitor.effects.reading import as_shown, labels_fetched, labels_read, runs_code
from sluicegate.flow.monitor.effects.tools import CallPlace, Tools
from sluicegate.flow.monitor.opening import unseal
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import CODE, Asked, Came, Plan, Ready
from sluicegate.flow.monitor.steps import argued, asking, events
from sluicegate.flow.monitor.steps.linked import linked
from sluicegate.flow.monitor.steps.settle import (
    Failed,
    OperationFailed,
    OperationRefused,
    exception,
    failed_value,
    raises,
    told_in_development,
)
from sluicegate.flow.monitor.steps.unsaid import discreet
from sluicegate.flow.operations import Channel, Filled, OperationKind
from sluicegate.flow.operations.leaves import LOST
from sluicegate.flow.policy.refusals import misspelt_tool
from sluicegate.flow.policy.request import Request
from sluicegate.flow.policy.rules.tool_names import spelled_otherwise
from sluicegate.flow.values import Labeled, LabeledFailure, branch, pc
from sluicegate.flow.values.failures import interruption
from sluicegate.record.errors import RecordError
from sluicegate.tuples import NamedTuple

_LLM = Labels.of("llm")
_INFLUENCED = Labels.of("influenced")
_ASKING = frozenset(
    {OperationKind.CMD, OperationKind.CALL, OperationKind.MCP, OperationKind.FETCH, *CODE}
)  # how the body of one asks its model
_WITH_BODY = frozenset(
    {OperationKind.CALL, OperationKind.MCP, OperationKind.FETCH}
)  # whose effect is a function of the program
_IN_ENVIRONMENTS = frozenset({OperationKind.CMD, OperationKind.CALL, *CODE})
"""What can be sent to an environment: commands, code, and functions of the program, for all that these run."""

_NOTHING = nullcontext()


def perform(parts: Parts, plan: Plan) -> Procedure[Labeled[Any]]:
    """Carry the operation out. Raises what ``settle`` says may be raised."""
    around = enclosing()
    if around:
        plan = plan._replace(within=around, events=(*plan.events, *enclosing_event()))
    scope = parts.tools.current()
    place = scope.reserve(plan.tool) if plan.tool else None
    course = Course(parts, plan, scope, place)
    end: OperationRefused | Failed | None = None
    try:
        return (yield from course.steps())
    except (OperationRefused, Failed) as found:
        end = course.ended(found)
    finally:
        if place is not None:
            scope.tell(pc() | course.plan.seen | (end.labels if end is not None else course.plan.shaping()))
            if not course.happened:
                scope.release(place)
    if isinstance(end, OperationRefused) and not plan.quiet:
        course.tell(end)  # 6
    if raises(end) and not plan.quiet:
        raise exception(end)
    labels = result_labels(parts, course.plan, course.plan.labels())
    result = failed_value(end, labels, course.plan.trail)
    if parts.raises_failures and not plan.quiet:
        raise told_in_development(events.shown(parts, course.plan), end, result)
    if not course.plan.quiet:
        yield from _notice(parts, course.plan, end, result.labels)
    return result


def _around(
    taint: Labels, told: tuple[str, ...] | None, body: tuple[str, ...], event: str
) -> AbstractContextManager[object]:
    """What an effect takes place in: a branch on all that went in, whose errors are caught.

    ``body``: the labels of the operation, if its effect is code of the program.
    """
    if not taint and told is None and not body:
        return _NOTHING
    around = ExitStack()
    if body:
        around.enter_context(inside(body, event))
    if taint:
        around.enter_context(branch(taint))
        around.enter_context(catching(taint))
    if told is not None:
        around.enter_context(telling(told))
    return around


def _leaves(requests: tuple[Request, ...]) -> tuple[str, ...]:
    """All labels that policy was asked about."""
    return tuple(dict.fromkeys(leaf for request in requests for leaf in request.leaves))


def result_labels(parts: Parts, plan: Plan, taint: Labels) -> Labels:
    """What every result of the operation has at least, however it ends (5)."""
    labels = taint | plan.entry
    if plan.model:
        influenced = parts.layers.influences(labels, model=True)
        labels |= _LLM | _INFLUENCED if influenced else _LLM
    return labels


class Decided(NamedTuple):
    """An operation that is permitted, and noted: as it will happen, what its result has at least, and the names of verified
    instructions that it carries."""

    ready: Ready
    labels: Labels
    names: tuple[str, ...]


class Granted(NamedTuple):
    """The name of a permit, and the operation for people."""

    name: str = ""
    shown: str = ""


_NO_PERMIT = Granted()


class Course:
    """The state of one operation on its way.

    ``grant`` is asked when all that decides has spoken, and before the event: it gives the name of a permit, for an
    effect that takes place elsewhere. That is recorded by then as firmly as an event would be, and whoever finds it
    later tells of it; so its event waits only where nothing may happen without one. ``session`` is that in which it is granted.
    """

    def __init__(
        self,
        parts: Parts,
        plan: Plan,
        scope: Tools,
        place: CallPlace | None,
        grant: Callable[[Ready, Labels], Granted] | None = None,
        session: str = "",
    ) -> None:
        self.parts, self.plan, self.scope, self.place, self.grant = parts, plan, scope, place, grant
        self.session = session
        self.asked: tuple[Asked, ...] = ()
        self.attempt = 0
        self.happened = False
        self.changes: list[str] = []  # the events about what guards changed

    def steps(self) -> Procedure[Labeled[Any]]:
        while True:
            decided = yield from self.decided()  # 0 to 3, and the event
            value = yield from self.happen(decided)  # 4
            settled = self.settled(value)  # 5
            if not isinstance(settled, GuardsRetry):
                return settled
            yield from self.ask_again(settled)

    def decided(self) -> Procedure[Decided]:
        """The first half: steps 0 to 3, and the event. Raises ``OperationRefused`` or ``Failed``."""
        while True:
            ready = yield from self.permitted()  # 0, 1, 2
            outcome = self.before()  # 3
            if isinstance(outcome, GuardsRetry):
                yield from self.ask_again(outcome)
                continue
            if self.plan is not ready.plan:
                ready = ready._replace(plan=self.plan)
            if outcome is not None and not outcome.labels <= ready.taint:
                self.plan = self.plan._replace(seen=self.plan.seen | outcome.labels)
            if isinstance(outcome, GuardsChanged):
                self.plan = asking.changed(self.plan, outcome)
            if self.plan is not ready.plan:
                ready = yield from self.permitted()
            ready, names = yield from self.instructed(ready)
            self.kept()
            return self.noted(ready, names)

    def settled(self, value: Labeled[Any]) -> Labeled[Any] | GuardsRetry:
        """The second half: what guards say of the result (5). Raises ``OperationRefused``."""
        outcome = self.after(value)
        return outcome if isinstance(outcome, GuardsRetry) else self.result(value, outcome)

    def before(self) -> asking.Passed | GuardsRetry:
        noted: list[str] = []
        row = (self.scope, self.place)
        outcome = asking.before(self.parts, self.plan, self.asked, self.attempt, row, noted)
        if noted:
            self.plan = self.plan._replace(events=(*self.plan.events, *noted))
        return outcome

    def after(self, value: Labeled[Any]) -> asking.Passed | GuardsRetry:
        self.changes.clear()
        row = (self.scope, self.place)
        return asking.after(self.parts, self.plan, self.asked, value, self.attempt, row, self.changes)

    def permitted(self) -> Procedure[Ready]:
        """Steps 0 to 2. Raises ``OperationRefused`` or ``Failed``."""
        plan, parts = self.plan, self.judging()
        rules = parts.layers.argument_rules(plan.ruled)
        if plan.asks_always is not None and not plan.also and not rules:
            return self.permitted_always(plan.asks_always)
        shaping = pc() | plan.shaping() | argued.shaping(plan, rules)
        if not shaping <= pc():
            self.sketched()
        try:
            filled = plan.fill() if plan.operation.stage is not None else ()
            asked = plan.asks(filled)
        except LabeledFailure as error:
            raise Failed(error, shaping | error.labels) from None
        except FlowError as error:
            raise Failed(error, shaping) from None
        asked = as_shown(parts.environment, asked) if filled or plan.operation.programs else asked
        if len(asked) > 1:
            asked = linked(asked, parts.start)
        try:
            read = yield from labels_read(parts, plan, asked, filled)
        except RecordError as error:
            raise Failed(error, shaping) from None
        if not (read.labels <= plan.beside and set(read.events) <= set(plan.events)):
            events_read = tuple(dict.fromkeys((*plan.events, *read.events)))
            self.plan = plan = plan._replace(beside=plan.beside | read.labels, events=events_read)
            asked = tuple(Asked(each.request, each.labels | read.labels) for each in asked)
        if not (fetched := labels_fetched(parts, asked)) <= plan.entry:
            self.plan = plan = plan._replace(entry=plan.entry | fetched)
        if plan.operation.programs is not None:
            asked = self.ran(asked, shaping)
        self.asked = asked
        denial = _tool(parts, plan, self.scope) or _state(parts, plan, asked, filled)
        if denial is not None:
            raise OperationRefused(denial, shaping)
        for request, labels in asked:  # 1, 2
            answer = parts.layers.authorize(request, labels)
            if not isinstance(answer, Denial) or self.approved(answer):
                continue
            if not self.implied(request, labels, answer, filled):
                raise OperationRefused(replace(answer, operation=_shown(plan, request)), shaping)
        denial = argued.judged(parts, plan, rules, shaping)
        if denial is not None:
            raise OperationRefused(denial, shaping)
        requests = tuple(each.request for each in asked)
        self.checked(requests, shaping)
        return Ready(plan=plan, filled=filled, requests=requests, taint=plan.labels(), early=shaping)

    def judging(self) -> Parts:
        """What it is judged by: where guards have asked for an environment, that one. Raises ``OperationRefused``, ``Failed``."""
        plan = self.plan
        if not plan.environments:
            return self.parts
        from sluicegate.flow.monitor.effects.entering import decided

        kind = plan.operation.kind
        if kind not in _IN_ENVIRONMENTS or self.grant is not None:
            raise OperationRefused(_nowhere(plan), pc() | plan.seen)
        try:
            chosen = decided(self.parts, plan.environments)
        except FlowError as error:
            raise Failed(error, pc() | plan.seen) from None
        if isinstance(chosen, Denial):
            raise OperationRefused(replace(chosen, operation=plan.shown), pc() | plan.seen)
        return self.parts.judged_in(chosen.config)

    def ran(self, asked: tuple[Asked, ...], shaping: Labels) -> tuple[Asked, ...]:
        """What policy is asked, with what is known of code that runs. Raises ``Failed``."""
        if not any(each.request.code for each in asked):
            return asked
        from sluicegate.flow.monitor.steps.running import running

        try:
            return running(self.parts, asked)
        except RecordError as error:
            raise Failed(error, shaping) from None

    def permitted_always(self, request: Request) -> Ready:
        """Steps 0 to 2 for what names no file, no host and no command: whatever its values are, this is asked."""
        plan, parts = self.plan, self.parts
        labels, around = plan.labels(), pc()
        self.asked = (Asked(request, labels),)
        denial = _tool(parts, plan, self.scope)
        if denial is not None:
            raise OperationRefused(denial, around)
        answer = parts.layers.authorize(request, labels)
        if isinstance(answer, Denial) and not self.approved(answer):
            raise OperationRefused(replace(answer, operation=plan.shown), around)
        self.checked((request,), around)
        return Ready(plan=plan, filled=(), requests=(request,), taint=labels, early=around)

    def checked(self, requests: tuple[Request, ...], shaping: Labels) -> None:
        """What else has to be permitted. Raises ``OperationRefused`` or ``Failed``."""
        if self.plan.check is None:
            return
        try:
            denial = self.plan.check(self.plan, requests)
        except FlowError as error:
            raise Failed(error, shaping) from None
        if denial is not None and not self.approved(denial):
            raise OperationRefused(replace(denial, operation=self.plan.shown), shaping)

    def kept(self) -> None:
        """What takes place elsewhere writes over nothing of which there is no copy, or that counts as lost. Raises ``OperationRefused``."""
        copies = self.parts.copies if self.grant is not None and self.session else None
        if copies is None or not any(
            mode == "w" for each in self.asked for mode, _ in (*each.request.paths, *each.request.whole)
        ):
            return
        from sluicegate.flow.monitor.steps.keeping import keep_before

        parts = [each.request for each in self.asked]
        for at, why in keep_before(copies, self.plan, parts, self.session):
            request, labels = self.asked[at]
            answer = self.parts.layers.authorize(request.labelled(LOST), labels)
            if isinstance(answer, Denial) and not self.approved(answer):
                reason = f"{answer.reason}. No copy is kept of what it writes over: {why}"
                denial = replace(answer, operation=_shown(self.plan, request), reason=reason)
                raise OperationRefused(denial, pc() | self.plan.shaping())

    def sketched(self) -> None:
        """What labels alone refuse, before contents are looked at: that refusal tells of no content."""
        try:
            asked = self.plan.sketches()
        except FlowError:
            return  # it will be found again, with the labels of what it tells of
        for request, labels in asked:
            answer = self.parts.layers.authorize(request, labels)
            if not isinstance(answer, Denial) or self.approved(answer):
                continue
            if answer.code is Code.POLICY_LABEL_FLOW_DENIED:
                self.asked = asked
                raise OperationRefused(replace(answer, operation=_shown(self.plan, request)), pc())

    def approved(self, denial: Denial) -> bool:
        """Whether a person has approved the operation over the rule that refuses it."""
        if not self.plan.approved:
            return False
        from sluicegate.flow.session.approvals import is_approvable, rule_of

        return is_approvable(denial) and rule_of(denial) in self.plan.approved

    def implied(self, request: Request, labels: Labels, denial: Denial, filled: tuple[Filled, ...]) -> bool:
        """Whether it is ``sluicegate verify``, which ``defaults.autoverify`` allows where a list leaves it out."""
        instructions = self.parts.instructions
        if instructions is None or not instructions.asks_models or denial.blocked_by != "Policy allow list":
            return False
        if len(filled) != 1 or filled[0].argv[1:] != ("verify",) or not is_our_own(filled[0].program.real):
            return False
        plain = Request(kind="call", leaves=request.leaves, shown=request.shown)
        return not isinstance(self.parts.layers.authorize(plain, labels), Denial)

    def instructed(self, ready: Ready) -> Procedure[tuple[Ready, tuple[str, ...]]]:
        """Instructions that go in are verified, and a model is told to do so too. Raises ``OperationRefused``, ``Failed``."""
        plan, instructions = self.plan, self.parts.instructions
        if instructions is None or not (plan.model or (in_model() and plan.operation.kind in _ASKING)):
            return ready, ()
        preface, names = "", ()
        failed: FlowError | RecordError | None = None
        try:
            found = yield Do(lambda: instructions.verified(plan.trail, plan.labels()), blocking=True)
            if isinstance(found, Denial):
                raise OperationRefused(
                    replace(found, operation=plan.shown, operation_labels=plan.leaves), pc()
                )
            if found.names and instructions.asks_models:
                names = found.names
                preface = yield Do(instructions.preface, blocking=True)
        except (FlowError, RecordError) as error:
            failed = error
        if failed is not None:
            raise Failed(failed, pc())
        if not preface:
            return ready, ()
        self.plan = plan.with_inputs(prefaced(preface, plan.inputs))
        return (yield from self.permitted()), names

    def ask_again(self, outcome: GuardsRetry) -> Procedure[None]:
        """Another round, with other inputs where there is someone to ask. Raises ``OperationRefused``."""
        self.attempt += 1
        plan = self.plan._replace(seen=self.plan.seen | outcome.labels)
        again = plan.again
        if again is None:
            if self.happened and plan.repeatable:
                self.plan = plan
                return
            raise OperationRefused(asking.nobody(plan, outcome), pc() | outcome.labels)
        labels = plan.labels()
        given = {name: value for (_, name), value in plan.inputs.items()}
        found: Mapping[str, object] | None = None
        failed: BaseException | None = None
        try:
            with branch(labels), catching(labels):
                found = yield Do(lambda: again(outcome.hint, given))
        except BaseException as error:  # noqa: BLE001 - the border of what is asked again
            failed = error
        if failed is not None:
            passing = interruption(failed)
            raise Failed(failed, pc() | labels) if passing is None else passing
        if found is None:
            raise OperationRefused(asking.nobody(plan, outcome), pc() | labels)
        inputs = {key: Labeled(found[key[1]], labels) for key in plan.inputs if key[1] in found}
        self.plan = plan.with_inputs(inputs)

    def noted(self, ready: Ready, names: tuple[str, ...]) -> Decided:
        """The event (4); from here on the operation counts as one that has happened. Raises ``OperationRefused``."""
        plan, parts = ready.plan, self.parts
        labels = result_labels(parts, plan, ready.taint)
        permit = self.grant(ready, labels) if self.grant is not None else _NO_PERMIT
        if parts.records:
            event = events.allow(parts, plan, ready.taint, labels, *permit)
            noted = parts.note(event)
            waits = plan.lasting and (not permit.name or parts.fail_closed)
            denial = noted if isinstance(noted, Denial) else parts.keep(event) if waits else None
            if denial is not None:
                raise OperationRefused(denial, pc())
            if noted is not None:
                ready = Ready(plan, ready.filled, ready.requests, ready.taint, ready.early, str(noted))
        self.happened = True
        return Decided(ready, labels, names)

    def happen(self, decided: Decided) -> Procedure[Labeled[Any]]:
        """Step 4, and the labels of 5. Raises ``OperationRefused`` or ``Failed``."""
        ready, labels, names = decided
        plan = ready.plan
        came: Came | None = None
        error: BaseException | None = None
        try:
            told = names if names or plan.model else None
            body = _leaves(ready.requests) if plan.operation.kind in _WITH_BODY else ()
            with _around(ready.taint, told, body, ready.event), self.environments(plan):
                came = yield from plan.effect(ready)
        except (OperationRefused, Failed):
            raise
        except BaseException as found:  # noqa: BLE001 - the border of effects
            error = found
        if error is not None:
            passing = interruption(error)
            if passing is None:
                raise Failed(error, labels)
            # An interruption passes; on labelled values as a new one, since this one leads back to contents.
            raise passing if ready.taint else error
        if came is None:
            raise Failed(OperationFailed("the effect of an operation gave nothing"), labels)
        event = came.event or ready.event
        trail = coming_from(plan.trail, event) if event else plan.trail
        return Labeled(came.content, labels | came.labels, trail)

    def environments(self, plan: Plan) -> AbstractContextManager[object]:
        """What the body of a function runs in, if guards have asked for that; a command is sent there by itself."""
        if not plan.environments or plan.operation.kind is not OperationKind.CALL:
            return _NOTHING
        from sluicegate.flow.monitor.effects.entering import decided, entered

        chosen = decided(self.parts, plan.environments)
        if isinstance(chosen, Denial):
            raise OperationRefused(replace(chosen, operation=plan.shown), pc() | plan.seen)
        return entered(self.parts, chosen)

    def result(self, value: Labeled[Any], outcome: asking.Passed) -> Labeled[Any]:
        """What guards make of the result (5)."""
        if outcome is None:
            return value
        if isinstance(outcome, GuardsChanged):
            value = outcome.values[0]
        trail = coming_from(value.trail, *self.changes) if self.changes else NO_TRAIL
        return Labeled(value, outcome.labels, trail)

    def ended(self, end: OperationRefused | Failed) -> OperationRefused | Failed:
        """How it ended, as it may be told."""
        return discreet(end, self.plan, self.asked) if isinstance(end, OperationRefused) else end

    def tell(self, end: OperationRefused) -> None:
        """Step 6."""
        self.parts.note(events.denied(self.parts, self.plan, end.denial))
        asking.always(self.parts, self.plan, self.asked, end.denial, self.attempt, (self.scope, self.place))


def _shown(plan: Plan, request: Request) -> str:
    """The operation, and which of its parts was asked about.

    A decision is kept for all operations that are alike to policy, so the text of a denial may be another one's.
    """
    _, through, part = request.shown.rpartition(" (through ")
    return f"{plan.shown}{through}{part}" if through else plan.shown


def _nowhere(plan: Plan) -> Denial:
    return Denial(
        code=Code.ENV_PROVIDER_DENIED,
        operation=plan.shown,
        blocked_by="Guards",
        rule="env: commands, code and functions of a program run in an environment",
        reason="A guard asks for an environment, and this operation runs in none, or in another process",
        operation_labels=plan.leaves,
        suggestions=("Let the guard ask for it where the operation is a command: op:cmd => env @config",),
    )


def _tool(parts: Parts, plan: Plan, scope: Tools) -> Denial | None:
    """Whether the call may be made in this scope, and under ``env.tools`` and ``env.mcps`` of every layer (0)."""
    if not plan.tool:
        return None
    if not scope.permits(plan.tool):
        return Denial(
            code=Code.ENV_ATTENUATION_DENIED,
            operation=plan.shown,
            blocked_by="Environment",
            rule="tools of the environment do not include it",
            reason="This tool is not granted to the environment that the call stands in",
            operation_labels=plan.leaves,
            suggestions=("Grant it to the environment, in configuration",),
        )
    operation = plan.operation
    if operation.kind is not OperationKind.MCP:
        return None
    known = (*parts.guards.tools, *scope.named())
    if known and (found := spelled_otherwise(known, operation.name)) is not None:
        request = Request(kind=str(operation.kind), leaves=plan.leaves, shown=plan.shown, tool=operation.name)
        return misspelt_tool(found, "", request, EMPTY)
    if not parts.layers.confines:
        return None
    server, _, tool = operation.name.partition(":")
    for answer in (parts.layers.mcp(server), parts.layers.tool(tool)):
        if isinstance(answer, Denial):
            return replace(answer, operation=plan.shown, operation_labels=plan.leaves)
    return None


def _state(parts: Parts, plan: Plan, asked: tuple[Asked, ...], filled: tuple[Filled, ...]) -> Denial | None:
    """Whether the operation would touch the monitor's own state (0)."""
    for place in _touched(parts, plan, asked, filled):
        if place:
            return Denial(
                code=Code.STATE_PROTECTED,
                operation=plan.shown,
                blocked_by="Monitor",
                rule="the state of the monitor is not touched by what it watches",
                reason="The operation names Sluicegate's own state, keys or configuration, which no policy opens",
                operation_labels=plan.leaves,
                suggestions=("Change it by hand, outside of Sluicegate", "Name other files"),
            )
    return None


def _touched(
    parts: Parts, plan: Plan, asked: tuple[Asked, ...], filled: tuple[Filled, ...]
) -> Iterator[bool]:
    protected = parts.protected
    for each in asked:
        for mode, path in each.request.paths:
            against = protected.against_writing if mode == "w" else protected.against_reading
            yield bool(path) and against(path) is not None
        view = each.request.command
        if view is not None and parts.environment.roots is None:
            paths = [path for _, path in each.request.paths if path]
            whole = [path for mode, path in each.request.whole if mode == "w" and path]
            yield protected.taken(view.basename, view.arguments, paths, whole) is not None
            yield looks_into_all(each.request) and any(
                protected.within(path) for mode, path in each.request.whole if mode == "r" and path
            )
            yield protected.brought(view, each.request.paths, each.request.whole, parts.start) is not None
    for operation in plan.operations:
        if operation.kind in CODE:
            code = str(unseal(plan.inputs[Channel.BODY, "code"]))
            yield protected.mentioned(code) is not None
            if operation.kind is OperationKind.SH and parts.environment.roots is None:
                yield protected.swept(("sh", "-c", code), parts.start) is not None
        if operation.stage is not None and operation.stage.fed:
            for value in operation.values(Channel.STDIN).values():
                code = str(unseal(Labeled(value)))
                yield protected.mentioned(code) is not None
                if parts.environment.roots is None:
                    yield protected.swept(("sh", "-c", code), parts.start) is not None
    for operation, stage in zip(plan.operations, filled, strict=False):
        yield protected.named(stage.argv, parts.start) is not None
        if parts.environment.roots is None:  # a sandbox does not show it
            yield protected.swept(stage.argv, parts.start) is not None
        if runs_code(operation):
            yield any(protected.mentioned(word) is not None for word in stage.argv[1:])


def _notice(parts: Parts, plan: Plan, end: OperationRefused | Failed, labels: Labels) -> Procedure[None]:
    """A line in the log for what was not raised, if its labels may go there."""
    from sluicegate.flow.monitor.effects.words import log_plan

    code = end.denial.code if isinstance(end, OperationRefused) else f"failed ({type(end.error).__name__})"
    text = f"sluicegate: {events.shown(parts, plan)}: {code}; its result is a labelled value that failed\n"
    yield from perform(parts, log_plan(parts, Labeled(text, labels), quiet=True))

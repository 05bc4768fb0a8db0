"""The two halves of the procedure, for an effect that takes place in another process: ask before, tell after.

``decide`` is steps 0 to 3 of ``procedure``, and the event:

1. What the session has taken in is looked at, or known from before if nobody else has told it anything since (3); each argument
   gets the labels that it carries there (``Session.says``). A program that decides for itself has no session, and its
   values have the labels they have.
2. Steps 0 to 3. An address that nobody has shown to the session is refused with what policy refuses.
3. The permit is recorded, and what it is known to bring counts at once: whoever does it may never tell. If the session
   has taken in more meanwhile, this begins anew at 1; so it does before a refusal.
4. Files that it may change are noted as changed, and the event is written.

``settle`` is step 5:

5. The permit settles, or this is refused (``session.kernels.settlement``). With that, the labels of the result count.
6. Guards are asked about the result.
7. What of the result is to be known again is kept, and there is an event.

Nobody is asked for other inputs here, so a guard that wants a retry refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards import GuardsRetry
from sluicegate.flow.labels import EMPTY, Labels, coming_from
from sluicegate.flow.labels.names import shown as named
from sluicegate.flow.monitor import calls
from sluicegate.flow.monitor.boundary import enclosing
from sluicegate.flow.monitor.calls import Call
from sluicegate.flow.monitor.drive import Procedure
from sluicegate.flow.monitor.effects.tools import Tools
from sluicegate.flow.monitor.opening import unseal
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import CODE, Asked, Plan, Ready
from sluicegate.flow.monitor.procedure import Course, Granted, result_labels
from sluicegate.flow.monitor.snapshots import copied
from sluicegate.flow.monitor.steps import asking, events
from sluicegate.flow.monitor.steps.settle import Failed, OperationRefused, exception, failed_value, raises
from sluicegate.flow.operations import OperationKind
from sluicegate.flow.policy.request import Request
from sluicegate.flow.session import kernels
from sluicegate.flow.session.permit import Permit, plain_json
from sluicegate.flow.session.runner_call import RunnerCall, question_of
from sluicegate.flow.session.session import ANONYMOUS, ArgumentKnowledge, Session, declared_of
from sluicegate.flow.session.store import SessionError, SessionLook, Stale
from sluicegate.flow.values import Labeled, LabeledFailure, labels_of, pc
from sluicegate.record.errors import RecordError
from sluicegate.tuples import NamedTuple

_ATTEMPTS: Final = 50
"""How often a decision is begun anew because the session has taken in more."""

_REASONS: Final = {
    kernels.FORGED: ("permits are authentic", "The permit is not as it was given", "Give it back as it came"),
    kernels.FOREIGN: (
        "permits are of one session",
        "The permit is of another session",
        "Settle it in the session that it names",
    ),
    kernels.UNRECORDED: (
        "permits are recorded",
        "The session knows of no such permit",
        "Ask again: the session may have been begun anew",
    ),
    kernels.USED: (
        "a permit is used once",
        "The permit was settled before",
        "Ask again before doing it again",
    ),
    kernels.LATE: (
        "a permit lasts for a time",
        "The permit is over; what it was to bring counts as taken in already",
        "Withhold the result, and ask again",
    ),
    kernels.OTHER: (
        "permits are for one operation",
        "The permit is for something else",
        "Give it back as it came",
    ),
}


class _View(NamedTuple):
    """A session as a decision sees it; without one, what the program's own permits need."""

    session: Session | None
    look: SessionLook
    said: Mapping[str, ArgumentKnowledge]
    spoken: Labels = EMPTY  # what an operation without arguments carries


def decide(
    parts: Parts, operation: str, values: Mapping[str, object], session: Session | None, *,
    labels: tuple[str, ...], source: str, name: str = "", agreed: bool = False,
) -> Procedure[Permit | Denial]:  # fmt: skip
    """Whether an operation may happen elsewhere; ``name`` is what the runner calls this call (``session.runner_call``).
    ``agreed``: a person has seen it with all of its values, and agreed. Raises FlowError for what is not an operation, and
    SessionError."""
    if pc():
        raise FlowError(
            "decide answers plainly, and inside a branch the answer would tell of what the branch is on",
            hint="use perform there, or decide outside of the branch",
        )
    parts = parts.elsewhere()
    call = calls.call_of(operation, values, labels, source)
    # Nobody changes them while guards look.
    values = {name: value if type(value) is str else copied(value) for name, value in values.items()}
    if session is not None:
        plain_json(values)
    if agreed:
        if session is None or name:
            raise FlowError(
                "what a person agrees to is asked in a session, and has no name of before",
                hint="give the session; a call that was refused under a name stays refused under it",
            )
        session.agreed_to(call.operation)
    if name:
        return (yield from _decided_once(parts, call, values, session, name))
    return (yield from _decided_anew(parts, call, values, session, agreed=agreed))


def _decided_once(
    parts: Parts, call: Call, values: Mapping[str, object], session: Session | None, name: str
) -> Procedure[Permit | Denial]:
    """The answer to a call that the runner names: the one that was given, if it was asked about before."""
    if session is None:
        raise FlowError("a call has a name in a session", hint="say in which session it is asked")
    runner = RunnerCall(session.store, session.name, name)
    question = question_of(session.store, call.operation, values, call.labels, call.source)
    before = runner.answer(question, values)
    if before is not None:
        return before
    found = yield from _decided_anew(parts, call, values, session)
    runner.keep(question, found)
    return found


def _decided_anew(
    parts: Parts, call: Call, values: Mapping[str, object], session: Session | None, *, agreed: bool = False
) -> Procedure[Permit | Denial]:
    """The answer; where policy refuses, and a person may approve that, the answer to what was approved."""
    found = yield from _attempted(parts, call, values, session, frozenset(), agreed=agreed)
    if isinstance(found, Permit) or session is None or not parts.sessions.rules.approvals:
        return found
    from sluicegate.flow.session.approvals import Approvals, is_approvable

    if not is_approvable(found):
        return found
    approvals, now = Approvals(session.store), parts.clock()
    asked = question_of(session.store, call.operation, values, call.labels, call.source)
    question = approvals.question(asked, session.name, str(parts.cwd), session.look().resets)
    taken = approvals.take(session.name, question, now)
    if taken:
        given: Permit | None = None
        try:
            over = frozenset(each.rule for each in taken)
            again = yield from _attempted(parts, call, values, session, over, agreed=agreed)
            given = again if isinstance(again, Permit) else None
        finally:
            if given is None:
                approvals.give_back(taken)
        if given is not None:
            for each in taken:
                parts.note(events.approved(parts, given, each))
            return given
        assert isinstance(again, Denial)  # noqa: S101
        found = again
        if not is_approvable(found):
            return found
    id = approvals.ask(session.name, question, found, _for_a_person(call, values), now)
    way = f"Ask the user: a person may approve exactly this, once, in a terminal of their own: sluicegate approve {id}"
    return replace(found, suggestions=(way, *_of_files(parts, found, session), *found.suggestions))


def _of_files(parts: Parts, found: Denial, session: Session) -> tuple[str, ...]:
    """The way out where files are what it is refused for, and not what the session has taken in."""
    if found.code is not Code.POLICY_LABEL_FLOW_DENIED:
        return ()
    distrusted = parts.layers.distrusted(Labels.of(*found.labels))
    if not set(distrusted) - set(session.look().labels.names()):
        return ()
    return (
        "Files of the project may hold what a stranger said. A person may look at them and answer for them, there: sluicegate vouch .",
    )


def _for_a_person(call: Call, values: Mapping[str, object]) -> str:
    """The operation with its values, as a person is to read it."""
    if call.operation == "sh" and set(values) == {"code"}:
        return str(values["code"])
    from json import dumps

    return f"{call.operation} {dumps(values, ensure_ascii=False, indent=1, sort_keys=True)}"


def _attempted(
    parts: Parts,
    call: Call,
    values: Mapping[str, object],
    session: Session | None,
    approved: frozenset[str],
    *,
    agreed: bool,
) -> Procedure[Permit | Denial]:
    recent = session is not None and not _guarded(parts)  # what guards do is not to be done twice
    for _ in range(_ATTEMPTS):
        try:
            return (
                yield from _decided(
                    parts, call, values, session, recent=recent, agreed=agreed, approved=approved
                )
            )
        except Stale:
            recent = False
    raise SessionError("the session changes faster than this is decided", hint="ask again")


def _decided(
    parts: Parts,
    call: Call,
    values: Mapping[str, object],
    session: Session | None,
    *,
    recent: bool,
    agreed: bool,
    approved: frozenset[str],
) -> Procedure[Permit | Denial]:
    if call.operation in calls.INTERPRETERS and parts.files is not None:
        _narrow(parts)
    view = _viewed(parts, call, values, session, recent=recent, agreed=agreed)  # 1
    plan = calls.plan_of(
        parts,
        call,
        _labelled(values, view),
        _spoken(values, view),
        within=enclosing(),
        check=partial(_check, view),
        known=None
        if session is None
        else frozenset([name for name, said in view.said.items() if said.known]),
        events=_told_by(values, view),
    )._replace(approved=approved)
    scope = _scope(parts, view)
    place = scope.reserve(plan.tool) if plan.tool else None
    permits: list[Permit] = []
    name = session.name if session is not None else ""
    course = Course(parts, plan, scope, place, partial(_grant, parts, call, view, permits), name)
    end: OperationRefused | Failed | None = None
    try:
        yield from course.decided()  # 2, 3, 4
    except (OperationRefused, Failed) as found:
        end = course.ended(found)
    finally:
        if place is not None:
            told = end.labels if end is not None else course.plan.shaping()
            scope.tell(course.plan.seen | told)
            if not course.happened:
                scope.release(place)
    if end is not None and recent and not permits and not _still(view):
        raise Stale
    if isinstance(end, OperationRefused):
        course.tell(end)
        return end.denial
    if end is not None:
        raise _error(end.error)
    return permits[-1]


def _error(error: BaseException) -> BaseException:
    """What could not be decided, for the runner; of a value that failed, only that it has."""
    if isinstance(error, LabeledFailure):
        return FlowError("a value that goes in has failed", hint="see where it came from")
    return error


def _viewed(
    parts: Parts,
    call: Call,
    values: Mapping[str, object],
    session: Session | None,
    *,
    recent: bool,
    agreed: bool,
) -> _View:
    if session is None:
        return _View(None, parts.sessions.anonymous().look(ANONYMOUS), {})
    look = session.recent() if recent else session.look()
    if agreed:
        return _View(session, look, session.says_agreed(values, look), declared_of(look.labels))
    return _View(session, look, session.says(values, look, call.operation), look.labels)


def _still(view: _View) -> bool:
    """Whether the session has taken in no more than was seen: a permit asks that as it is recorded, and a refusal here."""
    return view.session is None or view.session.look().knows_what(view.look)


def _labelled(values: Mapping[str, object], view: _View) -> dict[str, object]:
    """The values with the labels that they carry; parts that are headers each by themselves."""
    if view.session is None:
        return dict(values)
    found: dict[str, object] = {}
    for name, value in values.items():
        carried = view.said[name].labels
        if name == "headers" and isinstance(value, Mapping):
            found[name] = {key: Labeled(inner, carried) for key, inner in value.items()}
        else:
            found[name] = Labeled(value, carried)
    return found


def _spoken(values: Mapping[str, object], view: _View) -> Labels:
    """What flows in besides: an operation without arguments is the model's word altogether, and so is one of nulls."""
    if view.session is None:
        return EMPTY
    for value in values.values():
        if value is not None:
            return EMPTY
    return view.spoken


def _told_by(values: Mapping[str, object], view: _View) -> tuple[str, ...]:
    """The events that it follows from: what the model chose, it chose after all that the session has taken in."""
    if view.session is None:
        return ()
    given = [said.endorsement for name, said in view.said.items() if values.get(name) is not None]
    return view.look.events if not given or kernels.SPOKEN in given else ()


def _scope(parts: Parts, view: _View) -> Tools:
    """The calls of the session, in the scope that the code stands in."""
    around = parts.tools.current()
    if view.session is None:
        return around
    return (
        Tools.after(view.session.calls, outer=around, labels=view.look.labels) if _guarded(parts) else around
    )


def _guarded(parts: Parts) -> bool:
    return not parts.guards.empty


def _check(view: _View, plan: Plan, requests: tuple[Request, ...]) -> Denial | None:
    """Addresses that nobody has shown to the session (2)."""
    novel = [name for name, said in view.said.items() if said.novel]
    if not novel:
        return None
    said = view.session is not None and view.session.rules.said_addresses
    who = "neither the user nor a source that policy trusts" if said else "nobody"
    return Denial(
        code=Code.POLICY_ADDRESS_DENIED,
        operation=plan.shown,
        blocked_by="Policy session",
        rule=f'session.addresses = "{"said" if said else "seen"}"',
        reason=f"The argument {named(novel[0])} holds an address that {who} has shown to the session as it stands",
        labels=view.look.labels.names(),
        operation_labels=plan.leaves,
        suggestions=(
            "Use an address that the user gave" + ("" if said else ", or that a result holds"),
            "Name its host in session.hosts, if the model may make up addresses there",
        ),
    )


def _grant(
    parts: Parts, call: Call, view: _View, permits: list[Permit], ready: Ready, expects: Labels
) -> Granted:
    """Record the permit (3), and what it may change (4). Raises ``OperationRefused``, ``Failed`` and Stale."""
    values = calls.values_of(call, ready)
    session = view.session
    file = EMPTY
    if session is None or _guarded(parts):  # what a session is given is looked at before it is decided on
        plain_json(values)
    if ready.plan.operation.kind is OperationKind.READ:
        file = _file_labels(parts, ready.plan, ready.paths("r"))
        expects |= file
    made = Permit(
        session=session.name if session is not None else ANONYMOUS,
        number=view.look.grants,
        operation=call.operation,
        values=values,
        labels=call.labels,
        source=call.source,
        taint=ready.taint.names(),
        expects=expects.names(),
        file=file.names(),
        endorsed=_is_endorsed(view, values),
        issued=parts.clock(),
        lifetime=parts.sessions.rules.lifetime,
        shown=events.shown(parts, ready.plan),
    )
    store = parts.sessions.store
    made = store.grant(
        made,
        ready.plan.tool,
        seen=view.look,
        strict=session is not None and _guarded(parts),
        context=session is not None,
    )
    permits.append(made)
    if session is not None:
        session.was_permitted(view.look, made, expects)
    try:
        _note_changes(parts, ready, made)
    except RecordError as error:
        raise Failed(error, EMPTY) from None
    return Granted(made.name, made.shown)


def _is_endorsed(view: _View, values: Mapping[str, object]) -> bool:
    """Whether there is an argument that is not null, and all are endorsed."""
    given = [said.endorsement for name, said in view.said.items() if values.get(name) is not None]
    return bool(given) and kernels.SPOKEN not in given


def _file_labels(parts: Parts, plan: Plan, paths: tuple[str, ...]) -> Labels:
    """What is known of the file that is read: reading it elsewhere gives no less than reading it here."""
    if plan.operation.kind is not OperationKind.READ:
        return EMPTY
    from sluicegate.flow.monitor.effects.files import labels_of_file

    return Labels.join_all(labels_of_file(parts, path, plan.shaping()) for path in paths)


def _note_changes(parts: Parts, ready: Ready, made: Permit) -> None:
    """Files that may be changed from here on, whether or not anybody tells: those that are named; by code, any, until it is known
    which (``effects.elsewhere``)."""
    places = calls.places_changed(parts, ready.plan, ready.requests)
    if parts.files is None:
        return
    if ready.plan.operation.kind in CODE:
        _note_repositories(parts, ready)
    if not places:
        return
    from sluicegate.flow.monitor.effects.elsewhere import spread_until_told
    from sluicegate.flow.monitor.effects.files import FileWriter, carried, remember_place

    fetched = ready.taint | carried(parts, ready.plan.entry)  # a page is kept in a file that is named
    for place, code in places.items():
        taint = _told_to_code(parts, ready) if code else fetched
        if code and carried(parts, taint):  # nobody asks what else was changed
            spread_until_told(parts, place, taint, FileWriter.of(ready), made.session, made.number)
        else:
            remember_place(parts, place, taint, FileWriter.of(ready), ready.plan.shaping(), code=code)


def _note_repositories(parts: Parts, ready: Ready) -> None:
    """What people declared of the files that git takes comes out of the repository again (``git add``, ``git push``)."""
    from sluicegate.flow.monitor.effects.files import FileWriter, closed_by, remember_place
    from sluicegate.flow.monitor.effects.reading import repositories_changed

    declared = Labels.of(*closed_by(ready.plan.beside))
    if declared:
        for place in dict.fromkeys(repositories_changed(parts, ready.requests)):
            remember_place(parts, place, declared, FileWriter.of(ready), ready.plan.shaping(), code=True)


def _told_to_code(parts: Parts, ready: Ready) -> Labels:
    """What code carries on that names no file: what it was told and what it could read."""
    from sluicegate.flow.monitor.effects.files import closed_by
    from sluicegate.flow.monitor.effects.own_words import says_nothing_itself

    given = [key for key in ready.plan.inputs if key[1] == "code"]
    text = ready.content(*given[0]) if ready.plan.operation.programs is not None and len(given) == 1 else None
    if isinstance(text, str) and says_nothing_itself(text, ready.requests, start=parts.start):
        return ready.plan.beside | Labels.of(*closed_by(ready.taint))
    return ready.taint


# Telling after.


def settle(parts: Parts, given: Permit | str, result: object) -> Procedure[Labeled[Any]]:
    """Take in what was done under a permit, or under its token; the result, with its labels. Raises ``Denied`` for a permit
    that does not settle."""
    yield from ()
    parts = parts.elsewhere()
    permit = Permit.read(given) if isinstance(given, str) else given
    if pc():
        raise FlowError("a permit is settled outside of branches", hint="settle it where it was asked for")
    if not permit.is_authentic(parts.sessions.store.secret):
        raise exception(_refused(parts, permit, kernels.FORGED))
    session = None if permit.session == ANONYMOUS else parts.sessions.named(permit.session)
    if session is None:
        parts.sessions.anonymous()
    look = session.look() if session is not None else None
    taint = Labels.of(*permit.taint) | (look.labels if look is not None else EMPTY)
    call = Call(
        operation=permit.operation,
        labels=permit.labels,
        source=permit.source,
        method=str(permit.values.get("method", "GET")),
    )
    values = {name: _tainted(value, taint) for name, value in permit.values.items()}
    plan = calls.plan_of(parts, call, values, taint)
    asked = _asked(plan)
    paths = tuple(path for each in asked for mode, path in each.request.paths if mode == "r" and path)
    labels = Labels.of(*permit.expects) | result_labels(parts, plan, taint) | labels_of(result)
    # Who has asked may have moved the file since, or turned a link: what was known of it then is known of what was read.
    own = _file_labels(parts, plan, paths) | Labels.of(*permit.file)
    labels |= own
    answer = parts.sessions.store.settle(  # 5
        permit, permit.session, labels, now=parts.clock(), context=session is not None
    )
    if plan.operation.kind in CODE:
        _narrow(parts, told=True)
    if answer != kernels.SETTLES:
        raise exception(_refused(parts, permit, answer))
    before = look.events if look is not None else ()
    noted = parts.note(events.settle(permit, labels, before))
    if isinstance(noted, Denial):
        raise exception(OperationRefused(noted))
    done = () if noted is None else (str(noted),)
    _remember_written(parts, plan, asked, permit.values.get("value"), labels, done)
    trail = coming_from(plan.trail, *done) if done else plan.trail
    value = _guarded_result(parts, plan, asked, Labeled(result, labels, trail))  # 6
    if session is not None and not isinstance(value, OperationRefused):  # 7
        where = f"{plan.operation.kind}:{call.operation}"
        # What a file says does not depend on who asked for it; what any other tool says may.
        own = (
            plan.entry | own | labels_of(result)
            if plan.operation.kind is OperationKind.READ
            else value.labels
        )
        session.brought(
            _content(parts, value), value.labels, where, call.operation, endorsed=permit.endorsed, own=own,
            event=done[0] if done else "", follows=before,
        )  # fmt: skip
    if isinstance(value, OperationRefused):
        if raises(value):
            raise exception(value)
        return failed_value(value, labels, plan.trail)
    return value


def _narrow(parts: Parts, *, told: bool = False) -> None:
    """Find what commands have changed that are over by now."""
    from sluicegate.flow.monitor.effects.elsewhere import narrow_what_is_over

    narrow_what_is_over(parts, told=told)


def _content(parts: Parts, value: Labeled[Any]) -> object:
    """What is in a result; nothing in one that failed, which in development raises."""
    try:
        return unseal(value)
    except LabeledFailure:
        if parts.raises_failures:
            raise
        return None


def _tainted(value: object, taint: Labels) -> object:
    if isinstance(value, Mapping):
        return {key: Labeled(inner, taint) for key, inner in value.items()}
    return Labeled(value, taint)


def _asked(plan: Plan) -> tuple[Asked, ...]:
    """What policy was asked about the operation. Its paths may mean something else by now, or nothing."""
    try:
        return plan.asks(())
    except FlowError:
        return ()


def _refused(parts: Parts, permit: Permit, answer: int) -> OperationRefused:
    """Why a permit does not settle; an event too."""
    rule, reason, way = _REASONS[answer]
    denial = Denial(
        code=Code.PERMIT_DENIED,
        operation=permit.shown if answer != kernels.FORGED else "settle",
        blocked_by="Session",
        rule=rule,
        reason=reason,
        suggestions=(way,),
    )
    parts.note(events.permit_denied(parts, denial))
    return OperationRefused(denial)


def _remember_written(
    parts: Parts,
    plan: Plan,
    asked: tuple[Asked, ...],
    value: object,
    labels: Labels,
    done: tuple[str, ...],
) -> None:
    """The file that was written, as it is now."""
    kind = plan.operation.kind
    if kind not in (OperationKind.WRITE, OperationKind.APPEND) or not isinstance(value, str):
        return
    from sluicegate.flow.monitor.effects.files import FileWriter, remember_written

    writer = FileWriter(plan.word, done)
    for path in dict.fromkeys(path for each in asked for mode, path in each.request.paths if mode == "w"):
        if path:
            data = value.encode("utf-8", "surrogateescape")
            remember_written(
                parts, path, labels, writer, plan.shaping(), data, appended=kind is OperationKind.APPEND
            )


def _guarded_result(
    parts: Parts, plan: Plan, asked: tuple[Asked, ...], value: Labeled[Any]
) -> Labeled[Any] | OperationRefused:
    course = Course(parts, plan, parts.tools.current(), None)
    course.asked = asked
    try:
        settled = course.settled(value)
        if not isinstance(settled, GuardsRetry):
            return settled
        raise OperationRefused(asking.nobody(plan, settled), settled.labels)
    except OperationRefused as found:
        end = found
    course.tell(end)
    return end

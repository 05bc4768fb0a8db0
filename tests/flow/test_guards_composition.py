"""What guards decide together, for any guards in any order."""

from guard_samples import PUSH, content
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.guards import (
    AddLabels,
    Allow,
    AllowWith,
    Bless,
    ClearLabels,
    Deny,
    Filter,
    Grant,
    Guard,
    GuardBundle,
    GuardContext,
    GuardRegistry,
    GuardRule,
    GuardsAllowed,
    GuardsChanged,
    GuardsDenied,
    GuardsRetry,
    Origin,
    Privileges,
    RemoveLabels,
    Retry,
    Timing,
    UseEnvironment,
    evaluate,
)
from sluicegate.flow.labels import Labels
from sluicegate.flow.values import Labeled

NAMES = ["secret", "pii", "src:mcp", "untrusted", "trusted", "destructive"]
LABELS = st.sets(st.sampled_from(NAMES[:4]), max_size=3)
VALUES = st.lists(
    st.builds(lambda n, names: Labeled(n, Labels.of(*names)), st.integers(0, 5), LABELS), max_size=3
)
FILTERS = st.sampled_from(["*", "op:cmd", "op:sh", "secret", "pii", "src:mcp", "net:w", "destructive"])
TIMINGS = st.sampled_from([Timing.BEFORE, Timing.BEFORE, Timing.ALWAYS])


def condition(number):
    """Whether some input is that number, by a labelled answer."""
    return lambda context: Labeled.join(*_inputs(context)).map(lambda numbers: number in numbers)


def _inputs(context):
    return context.values if context.place is None else (context.input,)


def plus(step):
    """Each input that was given, changed."""

    def change(context):
        if context.place is not None or len(context.values) == 1:
            return AllowWith(value=context.input.map(lambda number: (number + step) % 6))
        return AllowWith(value=tuple(v.map(lambda number: (number + step) % 6) for v in context.values))

    return change


def _plus(step):
    change = plus(step)
    return lambda context: change(context) if context.values else Allow()


JUDGE = st.one_of(st.just(Allow()), st.just(Deny(reason="no")), st.just(Retry(hint="again")))
CHANGE = st.one_of(
    st.integers(1, 3).map(_plus),
    st.sets(st.sampled_from([*NAMES[:4], "destructive"]), min_size=1).map(
        lambda names: AddLabels(names=tuple(names))
    ),
    st.just(UseEnvironment(config="box")),
)
TAKE = st.sampled_from(
    [Bless(), ClearLabels(), RemoveLabels(names=("secret",)), RemoveLabels(names=("pii",))]
)


def rules(actions):
    when = st.none() | st.integers(0, 5).map(condition)
    return st.lists(st.builds(lambda w, t: GuardRule(when=w, then=t), when, actions), max_size=2).map(tuple)


def guards(actions):
    made = st.tuples(TIMINGS, FILTERS, rules(actions), st.booleans())
    return st.lists(made, max_size=4).map(
        lambda parts: [
            (Guard(name=f"g{n}", timing=timing, filter=Filter.of(on), rules=found), imported)
            for n, (timing, on, found, imported) in enumerate(parts)
        ]
    )


def run(found, values, *, privileges=None, **more):
    registry = GuardRegistry(privileges=privileges or Privileges())
    for guard, imported in found:
        if imported:
            registry.add_bundle(GuardBundle(name="b", guards=(guard,)), Origin(module="m"))
        else:
            registry.add(guard)
    taints = tuple(value.labels for value in values)
    context = GuardContext(operation=PUSH, timing=Timing.BEFORE, values=tuple(values), taints=taints, **more)
    return evaluate(registry.select(PUSH, taints, Timing.BEFORE), context)


def kind(outcome):
    return type(outcome)


# Guards that only judge.


@settings(deadline=None, max_examples=60)
@given(guards(JUDGE), VALUES, st.randoms())
def test_order_does_not_matter_to_what_is_decided(found, values, random):
    shuffled = random.sample(found, len(found))
    assert kind(run(found, values)) is kind(run(shuffled, values))


@settings(deadline=None, max_examples=60)
@given(guards(JUDGE), VALUES)
def test_deny_before_retry_before_allow(found, values):
    each = {kind(run([one], values)) for one in found}
    expected = next((k for k in (GuardsDenied, GuardsRetry) if k in each), GuardsAllowed)
    assert kind(run(found, values)) is expected


@settings(deadline=None, max_examples=60)
@given(guards(JUDGE), guards(JUDGE), VALUES)
def test_more_guards_never_turn_a_denial_into_anything_else(found, more, values):
    renamed = [(replace(guard, name=f"more{n}"), imported) for n, (guard, imported) in enumerate(more)]
    if kind(run(found, values)) is GuardsDenied:
        assert kind(run(found + renamed, values)) is GuardsDenied
        assert kind(run(renamed + found, values)) is GuardsDenied


# Guards that change what flows.


@settings(deadline=None, max_examples=60)
@given(guards(st.one_of(JUDGE, CHANGE, TAKE)), VALUES, st.randoms())
def test_whoever_denies_what_was_asked_for_denies_it_in_any_company_and_order(found, values, random):
    """No transform, label or environment of another guard takes a denial back."""
    outcome = run(random.sample(found, len(found)), values)
    if any(kind(run([one], values)) is GuardsDenied and not _changes(one) for one in found):
        assert kind(outcome) is GuardsDenied


def _changes(one):
    """Whether a guard changes anything, and so may be denied by its own second look."""
    return any(not isinstance(rule.then, (Allow, Deny, Retry)) for rule in one[0].rules)


@settings(deadline=None, max_examples=60)
@given(guards(st.one_of(JUDGE, CHANGE)), VALUES)
def test_what_flows_in_the_end_is_denied_by_no_guard_as_it_flows(found, values):
    outcome = run(found, values)
    if isinstance(outcome, GuardsChanged):
        judges = [(replace(guard, rules=_only_judging(guard)), imported) for guard, imported in found]
        labels = (*PUSH.labels, *outcome.operation_labels)
        registry = GuardRegistry()
        for guard, _ in judges:
            registry.add(guard)
        taints = tuple(value.labels for value in outcome.values)
        operation = replace(PUSH, labels=labels)
        context = GuardContext(
            operation=operation, timing=Timing.BEFORE, values=outcome.values, taints=taints
        )
        again = evaluate(registry.select(operation, taints, Timing.BEFORE), context)
        assert isinstance(again, GuardsAllowed)


def _only_judging(guard):
    """The rules, with everything but a denial or a retry turned into Allow."""
    return tuple(
        rule if isinstance(rule.then, (Deny, Retry)) else replace(rule, then=Allow()) for rule in guard.rules
    )


@settings(deadline=None, max_examples=60)
@given(guards(st.one_of(JUDGE, CHANGE, TAKE)), VALUES)
def test_no_label_is_lost_without_privilege(found, values):
    outcome = run(found, values)
    if isinstance(outcome, GuardsChanged):
        for before, after in zip(values, outcome.values, strict=True):
            assert set(before.labels) - {"trusted"} <= set(after.labels)
            assert before.labels <= after.labels
            assert after.trail.words[: len(before.trail)] == before.trail.words


@settings(deadline=None, max_examples=60)
@given(guards(st.one_of(JUDGE, CHANGE, TAKE)), VALUES)
def test_a_guard_that_takes_labels_away_without_privilege_denies(found, values):
    codes = {Code.PROTECTED_LABEL_REMOVAL, Code.LABEL_PRIVILEGE_REQUIRED}
    takes = [
        one
        for one in found
        if any(isinstance(rule.then, type(each)) for rule in one[0].rules for each in TAKES)
    ]
    for one in takes:
        alone = run([one], values)
        if any(note.action in {type(each).__name__ for each in TAKES} for note in alone.notes):
            raise AssertionError("a label was taken away")
        if isinstance(alone, GuardsDenied) and not any(isinstance(rule.then, Deny) for rule in one[0].rules):
            assert {denial.code for denial in alone.denials} <= codes | {Code.GUARD_DENIED}


TAKES = (Bless(), ClearLabels(), RemoveLabels(names=("x",)))


@settings(deadline=None, max_examples=60)
@given(guards(st.one_of(JUDGE, CHANGE, TAKE)), VALUES)
def test_what_policy_denied_stays_denied(found, values):
    """Even for guards that configuration trusts with labels."""
    denial = Denial(
        code=Code.POLICY_LABEL_FLOW_DENIED, operation="x", blocked_by="p", rule="r", reason="because"
    )
    everyone = Privileges(Grant(source="test", names=tuple(g.name for g, _ in found), modules=("m",)))
    outcome = run(found, values, denial=denial, privileges=everyone)
    assert isinstance(outcome, GuardsDenied)
    assert outcome.denial is denial


@settings(deadline=None, max_examples=60)
@given(guards(st.one_of(JUDGE, CHANGE, TAKE)), st.integers(0, 5), st.integers(0, 5), st.booleans())
def test_a_decision_that_depends_on_a_secret_says_so(found, one, other, extra):
    """Two runs that differ in a secret either decide the same, or both outcomes carry its label."""
    more = [Labeled(1)] if extra else []
    first, second = (run(found, [Labeled(number, Labels.of("secret")), *more]) for number in (one, other))
    if first.labels.has("secret") and second.labels.has("secret"):
        return
    assert kind(first) is kind(second)
    assert first.notes == second.notes
    assert getattr(first, "denials", ()) == getattr(second, "denials", ())


# By example.


def example(name, then, on="*", when=None):
    return Guard(
        name=name, timing=Timing.BEFORE, filter=Filter.of(on), rules=(GuardRule(when=when, then=then),)
    ), False


def test_changes_chain_in_order():
    twice = example("twice", lambda c: AllowWith(value=c.input.map(lambda n: n * 2)))
    more = example("more", lambda c: AllowWith(value=c.input.map(lambda n: n + 1)))
    assert content(run([twice, more], [Labeled(5)]).values[0]) == 11
    assert content(run([more, twice], [Labeled(5)]).values[0]) == 12
    assert run([twice, more], [Labeled(5)]).values[0].trail.words == ("guard:twice", "guard:more")


def test_a_transform_does_not_hide_what_was_asked_for():
    """A bundle that rewrites the input first cannot talk a later guard out of its denial."""
    hide = example("hide", AllowWith(value=0))
    judge = example("judge", Deny(reason="three"), when=condition(3))
    for order in ([hide, judge], [judge, hide]):
        assert isinstance(run(order, [Labeled(3)]), GuardsDenied)
        assert isinstance(run(order, [Labeled(2)]), GuardsChanged)


def test_a_transform_does_not_smuggle_in_what_another_denies():
    smuggle = example("smuggle", AllowWith(value=3))
    judge = example("judge", Deny(reason="three"), when=condition(3))
    for order in ([smuggle, judge], [judge, smuggle]):
        assert isinstance(run(order, [Labeled(2)]), GuardsDenied)


def test_every_denial_is_kept():
    one, two = example("one", Deny(reason="first")), example("two", Deny(reason="second"))
    outcome = run([one, example("ok", Allow()), two], [Labeled(1)])
    assert [denial.reason for denial in outcome.denials] == ["first", "second"]
    assert [note.action for note in outcome.notes] == ["Deny", "Allow", "Deny"]


def test_nothing_to_ask_allows():
    assert isinstance(run([], [Labeled(1)]), GuardsAllowed)

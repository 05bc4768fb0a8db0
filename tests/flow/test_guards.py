"""What one guard decides, and what each action does."""

import re
import sys

import pytest
from guard_samples import MCP, PII, PUSH, SECRET, ask, content, content_has, guard

from sluicegate.flow.denial import Code
from sluicegate.flow.errors import GuardError, LabelError
from sluicegate.flow.guards import (
    MOST_RETRIES,
    AddLabels,
    Allow,
    AllowWith,
    Bless,
    ClearLabels,
    Deny,
    Grant,
    GuardRule,
    GuardsAllowed,
    GuardsChanged,
    GuardsDenied,
    GuardsRetry,
    OperationView,
    Privileges,
    RemoveLabels,
    Retry,
    Timing,
    ToolsView,
    UseEnvironment,
)
from sluicegate.flow.labels import EMPTY, ConflictMode, Labels
from sluicegate.flow.values import Labeled, branch, labels_of

# Rules.


def test_the_first_rule_that_holds_decides():
    rules = (
        GuardRule(when=lambda context: False, then=Deny(reason="one")),
        GuardRule(when=lambda context: True, then=Deny(reason="two")),
        GuardRule(then=Deny(reason="three")),
    )
    outcome = ask([guard("g", *rules)], [Labeled("x")])
    assert outcome.denial.reason == "two"
    assert outcome.denial.rule == "before *, rule 2"


def test_no_rule_allows():
    assert isinstance(ask([guard("g")], [Labeled("x")]), GuardsAllowed)
    assert isinstance(
        ask([guard("g", GuardRule(when=lambda c: False, then=Deny(reason="x")))], []), GuardsAllowed
    )


def test_a_guard_asks_labelled_values_and_the_outcome_says_so():
    rules = (
        GuardRule(when=content_has("rm -rf"), then=Deny(reason="Dangerous", code="ERR", suggestion="Do not")),
    )
    value = Labeled("rm -rf /", SECRET)
    outcome = ask([guard("g", *rules)], [value])
    assert isinstance(outcome, GuardsDenied)
    assert outcome.labels is SECRET
    assert outcome.denial.code is Code.GUARD_DENIED
    assert outcome.denial.rule == "before *, rule 1 (ERR)"
    assert outcome.denial.suggestions == ("Do not",)
    assert outcome.denial.labels == ("secret",)
    assert outcome.denial.operation_labels == PUSH.labels
    assert "rm -rf" not in outcome.denial.render()
    calm = ask([guard("g", *rules)], [Labeled("ls", SECRET)])
    assert isinstance(calm, GuardsAllowed)
    assert calm.labels is SECRET


def test_a_reason_that_quotes_the_value_shows_its_placeholder():
    rule = GuardRule(then=lambda context: Deny(reason=Labeled.format("not {}", context.input)))
    outcome = ask([guard("g", rule)], [Labeled("sk-123", SECRET)])
    assert outcome.denial.reason == "<secret>"
    assert content(outcome.detail) == "not sk-123"
    assert outcome.detail.labels is SECRET
    plain = GuardRule(then=lambda context: Deny(reason=f"not {context.input}"))
    assert ask([guard("g", plain)], [Labeled("sk-123", SECRET)]).denial.reason == "not <secret>"


def missing(context):
    return context.nothing_of_the_kind


async def later(context):
    return True


ENDLESS = []
ENDLESS.append(ENDLESS)

CANNOT_DECIDE = {
    "raises": GuardRule(when=missing, then=Allow()),
    "coroutine": GuardRule(when=later, then=Allow()),
    "no answer": GuardRule(when=lambda context: None, then=Deny(reason="x")),
    "text": GuardRule(when=lambda context: "yes", then=Allow()),
    "labelled text": GuardRule(when=lambda context: Labeled("yes", SECRET), then=Allow()),
    "failed value": GuardRule(when=lambda context: context.input.map(int) == 3, then=Allow()),
    "asks a secret outside of a branch": GuardRule(when=lambda context: bool(context.input), then=Allow()),
    "action raises": GuardRule(then=lambda context: 1 / 0),
    "no action": GuardRule(then=lambda context: True),
    "action forgotten": GuardRule(then=lambda context: None),
    "action not made": GuardRule(then=Allow),
    "exits": GuardRule(when=lambda context: context.input.map(lambda plain: sys.exit(plain)), then=Allow()),
    "labels that are none": GuardRule(then=lambda context: AddLabels(names=("a b",))),
    "labels of operations": GuardRule(then=lambda context: AddLabels(names=("op:show",))),
    "endless value": GuardRule(then=AllowWith(value=ENDLESS)),
    "parts": GuardRule(then=AllowWith(value=("a", "b", "c"))),
}


@pytest.mark.parametrize("case", CANNOT_DECIDE)
def test_a_guard_that_cannot_decide_denies(case):
    values = [Labeled("CANARY", SECRET), Labeled("CANARY", SECRET)][: 2 if case == "parts" else 1]
    outcome = ask([guard("g", CANNOT_DECIDE[case], GuardRule(then=Allow()))], values)
    assert isinstance(outcome, GuardsDenied)
    assert outcome.denial.code is Code.GUARD_DENIED
    assert re.match(r"The guard could not decide: ", outcome.denial.reason)
    assert "CANARY" not in repr(outcome)
    assert outcome.denial.suggestions


def test_a_privileged_guard_denies_with_its_own_code():
    privileges = Privileges(Grant(source="test", names=("g",)))
    outcome = ask([guard("g", GuardRule(then=Deny(reason="no")))], [Labeled("x")], privileges=privileges)
    assert outcome.denial.code is Code.PRIVILEGED_GUARD_DENIED


def test_later_conditions_and_the_action_carry_what_was_asked_before():
    seen = []
    other = Labeled("y", PII)
    rules = (
        GuardRule(when=content_has("nothing"), then=Allow()),
        GuardRule(
            when=lambda context: seen.append(Labeled(1).labels) or True,
            then=lambda context: AllowWith(value=other),
        ),
    )
    outcome = ask([guard("g", *rules)], [Labeled("x", SECRET), Labeled("z", MCP)][:1])
    assert seen[0] is SECRET
    assert outcome.values[0].labels is SECRET | PII


def test_context():
    seen = {}

    def look(context):
        seen.update(
            profile=context.profile, policy=context.policy, calls=context.tools.calls, attempt=context.attempt,
            kind=context.operation.kind, has=context.has("secret"), hasnt=context.has("pii"),
            input=context.input, output=context.output, taint=context.taint,
        )  # fmt: skip
        return False

    value = Labeled("x", SECRET)
    ask(
        [guard("g", GuardRule(when=look, then=Allow()))], [value], taints=(Labels.of("secret", "untrusted"),),
        profile="full", policy=("base",), tools=ToolsView(calls=("a",)), attempt=2,
    )  # fmt: skip
    assert seen == {
        "profile": "full", "policy": ("base",), "calls": ("a",), "attempt": 2, "kind": "cmd", "has": True,
        "hasnt": False, "input": seen["input"], "output": None, "taint": Labels.of("secret", "untrusted"),
    }  # fmt: skip
    assert seen["input"] is value


def test_a_data_filter_asks_about_each_input_that_matches_and_an_operation_filter_about_all():
    asked = []

    def note(context):
        asked.append((context.place, content(context.input)))
        return False

    values = [Labeled("a", SECRET), Labeled("b"), Labeled("c", SECRET)]
    ask([guard("g", GuardRule(when=note, then=Allow()), on="secret")], values)
    ask([guard("g", GuardRule(when=note, then=Allow()), on="op:cmd")], values)
    assert asked == [(0, "a"), (2, "c"), (None, ("a", "b", "c"))]


def test_effective_taint_counts_for_filters():
    """A value that policy takes for untrusted is untrusted to guards, whether or not it says so."""
    value = Labeled("x", MCP)
    deny = guard("g", GuardRule(then=Deny(reason="no")), on="untrusted")
    assert isinstance(ask([deny], [value]), GuardsAllowed)
    assert isinstance(ask([deny], [value], taints=(Labels.of("src:mcp", "untrusted"),)), GuardsDenied)


# Actions.


def test_a_transform_keeps_all_labels_and_leaves_its_name():
    rule = GuardRule(then=lambda context: AllowWith(value="masked"))
    outcome = ask([guard("mask", rule, on="secret")], [Labeled("a", SECRET | MCP), Labeled("b", PII)])
    assert isinstance(outcome, GuardsChanged)
    assert outcome.values[0].labels is SECRET | MCP
    assert content(outcome.values[0]) == "masked"
    assert outcome.values[0].trail.words == ("guard:mask",)
    assert content(outcome.values[1]) == "b"


def test_a_transform_carries_what_was_asked_before_it():
    """Which of two constants it is tells of the input that was asked, whatever input they replace."""
    first = lambda context: context.values[0].map(lambda number: number == 1)  # noqa: E731
    rules = (GuardRule(when=first, then=AllowWith(value="one")), GuardRule(then=AllowWith(value="other")))
    for number in (1, 2):
        outcome = ask([guard("g", *rules, on="pii")], [Labeled(number, SECRET), Labeled("x", PII)])
        assert outcome.values[1].labels is SECRET | PII
        assert outcome.labels is SECRET


@pytest.mark.parametrize("given_back", [("x", "y"), ["x", "y"], Labeled(["x", "y"], PII)])
def test_a_guard_on_the_operation_gives_back_all_inputs(given_back):
    outcome = ask(
        [guard("g", GuardRule(then=AllowWith(value=given_back)))], [Labeled("a", SECRET), Labeled("b")]
    )
    assert [content(value) for value in outcome.values] == ["x", "y"]
    assert outcome.values[0].labels >= SECRET
    assert not outcome.values[1].labels.has("secret")


@pytest.mark.parametrize(
    "given_back", ["xy", ("x",), Labeled(["x"], PII), Labeled(5), Labeled("a").map(int), None]
)
def test_another_number_of_inputs_is_no_answer(given_back):
    outcome = ask(
        [guard("g", GuardRule(then=AllowWith(value=given_back)))], [Labeled("a", SECRET), Labeled("b")]
    )
    assert isinstance(outcome, GuardsDenied)


def test_the_command_follows_the_inputs():
    """A guard after a transform sees the command that would run now."""

    def spell(values):
        return Labeled.format("git push {}", values[0])

    def view(spelling):
        value = Labeled("origin")
        return OperationView(
            kind="cmd", name="git", labels=("op:cmd:git:push",), shown="cmd git push", command=spell([value]),
            arguments=(value,), spell=spelling,
        )  # fmt: skip

    force = guard("force", GuardRule(then=AllowWith(value="--force")))
    forbid = guard(
        "forbid",
        GuardRule(
            when=lambda c: c.operation.command.map(lambda text: "--force" in text), then=Deny(reason="no")
        ),
    )
    for order in ([force, forbid], [forbid, force]):
        assert ask(order, [Labeled("origin")], operation=view(spell)).denial.reason == "no"
        assert "could not decide" in ask(order, [Labeled("origin")], operation=view(None)).denial.reason
    assert isinstance(ask([forbid], [Labeled("origin")], operation=view(None)), GuardsAllowed)


def test_added_labels():
    outcome = ask(
        [guard("g", GuardRule(then=AddLabels(names=("pii", "internal"))))],
        [Labeled("a", SECRET), Labeled("b")],
    )
    assert outcome.values[0].labels is Labels.of("secret", "pii", "internal")
    assert outcome.values[1].labels is Labels.of("pii", "internal")
    assert outcome.operation_labels == ()


def test_risks_are_added_to_the_operation_too():
    outcome = ask(
        [guard("g", GuardRule(then=AddLabels(names=("destructive", "pii"))), on="op:cmd:git:push")],
        [Labeled("a")],
    )
    assert outcome.operation_labels == ("destructive",)
    assert outcome.values[0].labels is Labels.of("destructive", "pii")
    outcome = ask([guard("g", GuardRule(then=AddLabels(names=("net:x",), operation=True)))], [])
    assert outcome.operation_labels == ("net:x",)
    after = ask(
        [guard("g", GuardRule(then=AddLabels(names=("exfil",))), timing=Timing.AFTER)],
        [Labeled("a")],
        timing=Timing.AFTER,
    )
    assert after.operation_labels == ()


def test_guards_that_watch_for_added_labels_are_asked():
    adds = guard("adds", GuardRule(then=AddLabels(names=("destructive",))), on="op:cmd:git")
    watches = guard("watches", GuardRule(then=Deny(reason="no")), on="destructive")
    for order in ([adds, watches], [watches, adds]):
        assert ask(order, [Labeled("a")]).denial.reason == "no"
        assert ask(order, []).denial.reason == "no"


@pytest.mark.parametrize("names", ["pii", ("a b",), ("op:show",), ("Secret",), ("pii", "")])
@pytest.mark.parametrize("action", [AddLabels, RemoveLabels])
def test_labels_of_an_action_are_checked_when_it_is_written(action, names):
    with pytest.raises((GuardError, LabelError)):
        action(names=names)


def test_untrusted_may_be_added_by_anyone_and_takes_trusted_away():
    outcome = ask(
        [guard("g", GuardRule(then=AddLabels(names=("untrusted",))))],
        [Labeled("a", Labels.of("trusted", "src:user"))],
    )
    assert outcome.values[0].labels is Labels.of("untrusted", "src:user")


@pytest.mark.parametrize("names", [("trusted",), ("pii", "trusted")])
def test_trust_in_data_from_elsewhere_is_not_given_by_anyone(names):
    rule = GuardRule(then=AddLabels(names=names))
    denied = ask([guard("g", rule)], [Labeled("a", MCP)])
    assert denied.denial.code is Code.LABEL_PRIVILEGE_REQUIRED
    assert denied.denial.operation == PUSH.shown
    own = ask([guard("g", rule)], [Labeled("a")])
    assert own.values[0].labels.trusted
    privileges = Privileges(Grant(source="test", names=("g",)))
    assert ask([guard("g", rule)], [Labeled("a", MCP)], privileges=privileges).values[0].labels.trusted


@pytest.mark.parametrize("mode", ConflictMode)
@pytest.mark.parametrize("said", [True, False])
def test_claimed_trust_stays_untrusted_even_if_only_policy_says_so(mode, said):
    labels = Labels.of("src:mcp", "untrusted") if said else MCP
    rule = GuardRule(then=AddLabels(names=("trusted",)))
    taints = (Labels.of("src:mcp", "untrusted"),)
    outcome = ask([guard("g", rule)], [Labeled("a", labels)], taints=taints, conflict=mode)
    if mode is ConflictMode.ERROR:
        assert outcome.denial.code is Code.TRUST_CONFLICT
        return
    assert outcome.values[0].labels.conflicted
    assert outcome.values[0].labels.untrusted
    assert [note.conflict for note in outcome.notes] == [True]


PRIVILEGED = {
    "bless": (Bless(), Labels.of("trusted", "secret", "src:mcp")),
    "remove": (RemoveLabels(names=("secret",)), Labels.of("untrusted", "src:mcp")),
    "remove custom": (RemoveLabels(names=("pii",)), Labels.of("untrusted", "secret", "src:mcp")),
    "clear": (ClearLabels(), MCP),
}


@pytest.mark.parametrize("case", PRIVILEGED)
def test_taking_labels_away_needs_privilege_from_configuration(case):
    action, expected = PRIVILEGED[case]
    value = Labeled({"a": Labeled("x", Labels.of("secret"))}, Labels.of("untrusted", "src:mcp"))
    wishes = guard("g", GuardRule(then=action), privileged=True)
    denied = ask([wishes], [value])
    assert isinstance(denied, GuardsDenied)
    protected = case != "remove custom"
    assert denied.denial.code is (
        Code.PROTECTED_LABEL_REMOVAL if protected else Code.LABEL_PRIVILEGE_REQUIRED
    )
    assert denied.denial.blocked_by == "Guard g"
    granted = ask([wishes], [value], privileges=Privileges(Grant(source="test", names=("g",))))
    assert granted.values[0].labels is expected
    (note,) = granted.notes
    assert note.before is value.labels
    assert note.after is expected


def test_blessing_by_what_was_learned_of_the_value_itself():
    rule = GuardRule(when=content_has("valid"), then=Bless())
    privileges = Privileges(Grant(source="test", names=("g",)))
    value = Labeled("valid", Labels.of("untrusted", "src:mcp"))
    outcome = ask([guard("g", rule)], [value], privileges=privileges)
    assert outcome.values[0].labels is Labels.of("trusted", "src:mcp")
    assert outcome.labels is value.labels


def test_blessing_by_another_secret_keeps_that_secret():
    other = Labeled(True, SECRET)
    rule = GuardRule(when=lambda context: other, then=Bless())
    privileges = Privileges(Grant(source="test", names=("g",)))
    outcome = ask(
        [guard("g", rule)], [Labeled("x", Labels.of("untrusted", "src:mcp"))], privileges=privileges
    )
    assert outcome.values[0].labels.has("secret")


def test_a_blessing_inside_a_branch_on_distrust_does_not_take():
    rule = GuardRule(then=Bless())
    privileges = Privileges(Grant(source="test", names=("g",)))
    untrusted = Labeled("x", Labels.of("untrusted", "src:mcp"))
    with branch(untrusted):
        outcome = ask([guard("g", rule)], [untrusted], privileges=privileges)
    assert outcome.values[0].labels.untrusted


def test_environments_are_kept_in_order():
    guards = [
        guard("a", GuardRule(then=UseEnvironment(config="wide"))),
        guard("b", GuardRule(then=UseEnvironment(config="narrow"))),
    ]
    outcome = ask(guards, [Labeled("x")])
    assert outcome.environments == ("wide", "narrow")
    late = ask(
        [guard("a", GuardRule(then=UseEnvironment(config="x")), timing=Timing.AFTER)],
        [Labeled("x")],
        timing=Timing.AFTER,
    )
    assert isinstance(late, GuardsDenied)


def test_retries_are_bounded():
    rule = GuardRule(then=Retry(hint="another"))
    for attempt in range(MOST_RETRIES):
        outcome = ask([guard("g", rule)], [Labeled("x")], attempt=attempt)
        assert isinstance(outcome, GuardsRetry)
        assert (outcome.guard, outcome.hint) == ("g", "another")
    denied = ask([guard("g", rule)], [Labeled("x")], attempt=MOST_RETRIES)
    assert isinstance(denied, GuardsDenied)
    assert "3 times" in denied.denial.reason


def test_after_guards_see_and_change_the_output():
    rule = GuardRule(
        when=lambda context: context.output.map(lambda text: "@" in text),
        then=lambda c: AllowWith(value="[mail]"),
    )
    outcome = ask(
        [guard("g", rule, timing=Timing.AFTER, on="src:mcp")], [Labeled("a@b", MCP)], timing=Timing.AFTER
    )
    assert content(outcome.values[0]) == "[mail]"
    assert outcome.values[0].labels is MCP


def test_always_guards_keep_account_of_denials():
    seen = []
    account = guard(
        "account",
        GuardRule(when=lambda c: seen.append(c.denial) or False, then=Allow()),
        timing=Timing.ALWAYS,
    )
    denies = guard("denies", GuardRule(then=Deny(reason="no")))
    outcome = ask([account, denies], [Labeled("x")])
    assert [denial.reason for denial in seen] == ["no"]
    assert outcome.denial is seen[0]
    policy = outcome.denial
    again = ask([account], [Labeled("x")], timing=Timing.ALWAYS, denial=policy)
    assert seen[-1] is policy
    assert again.denial is policy


def test_an_ordinary_guard_does_not_know_of_denials():
    seen = []
    ask(
        [
            guard("a", GuardRule(then=Deny(reason="no"))),
            guard("b", GuardRule(when=lambda c: seen.append(c.denial) or False, then=Allow())),
        ],
        [],
    )
    assert seen == [None]


def test_what_a_guard_raised_about_labelled_data_is_noted():
    def fails(context):
        with branch(context.input):
            raise ValueError("x")

    outcome = ask([guard("g", GuardRule(when=fails, then=Allow()))], [Labeled("x", SECRET)])
    assert outcome.labels is SECRET
    assert labels_of(outcome.denial) is EMPTY

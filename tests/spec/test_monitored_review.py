"""The review under the monitor does what its reference model says."""

import tomllib
from datetime import date
from itertools import chain, combinations

import pytest

from model import monitored as model
from model.spelling import plain
from panel_samples import Asking, case, saying, seat
from sluicegate.flow import Labeled, Labels, branch, operations
from sluicegate.flow.policy.layers import Authorized
from sluicegate.vet.review.monitored.guards import DECIDE, ENVELOPE
from sluicegate.vet.review.monitored.monitor import POLICY, DecisionTerms, ReviewDenied, ReviewMonitor
from sluicegate.vet.verdict.ruling import Rulings
from sluicegate.vet.verdict.suppression import Baseline

WRITTEN = plain(tomllib.loads(POLICY.read_text()))
LABELS = ("trusted", "untrusted", "influenced", "llm", "src:skill", "src:mcp", "secret", "own")
REQUESTS = {
    "ask": operations.call("review.ask", {}, labels=("exfil", "llm")),
    "envelope": operations.call(ENVELOPE),
    "decide": operations.call(DECIDE, {}, labels=("privileged", "review:decide")),
    "return": operations.return_("x"),
    "reveal": operations.call("reveal", {}, labels=("op:call:reveal", "op:show")),
}


def subsets(labels):
    several = chain.from_iterable(combinations(labels, count) for count in range(len(labels) + 1))
    return [frozenset(each) for each in several]


@pytest.mark.parametrize("name", REQUESTS)
def test_every_set_of_labels_may_go_where_the_model_says(name):
    layers = ReviewMonitor().kernel.parts.layers
    (request,) = operations.to_requests(REQUESTS[name])
    assert request.leaves == model.ALL[name].leaves
    closed = 0
    for labels in subsets(LABELS):
        production = layers.authorize(request, Labels.of(*labels))
        assert isinstance(production, Authorized) is model.permits(WRITTEN, model.ALL[name], labels), labels
        closed += not isinstance(production, Authorized)
    assert closed == {"ask": 128, "envelope": 0, "decide": 220, "return": 0, "reveal": 220}[name]


class Watched(ReviewMonitor):
    def admit(self, case, asked, panel, answers):
        self.answers = answers
        self.admitted = super().admit(case, asked, panel, answers)
        return self.admitted


@pytest.mark.parametrize(
    "around",
    subsets(("untrusted", "influenced", "src:mcp", "secret", "own")),
    ids=lambda one: "-".join(sorted(one)),
)
def test_a_review_in_any_branch_takes_the_course_of_the_model(around):
    wanted = model.review(WRITTEN, around)
    asking = Asking({"ada": saying("SAFE")}, seconds=0, monitor=Watched())
    with branch(Labels.of(*around)):
        asking(case(0), [seat("ada", "skill")])
    (answer,) = asking.monitor.answers
    assert bool(asking.count("ada")) is wanted.asked
    assert frozenset(answer.labels.names()) == wanted.answer
    assert frozenset(asking.monitor.admitted.labels.names()) == wanted.admitted
    assert _decides(asking.monitor, asking.monitor.admitted) is wanted.decided


def test_the_verdict_is_taken_on_no_other_labels_than_the_model_says():
    """Of the very review that the envelope admitted, as if it had come with these labels."""
    asking = Asking({"ada": saying("SAFE")}, seconds=0, monitor=Watched())
    asking(case(0), [seat("ada", "skill")])
    review = asking.monitor.handed_out(asking.monitor.admitted)
    for labels in subsets(LABELS):
        said = _decides(asking.monitor, Labeled(review, Labels.of(*labels)))
        assert said is model.may_decide(WRITTEN, labels), labels


def _decides(monitor, review):
    terms = DecisionTerms(
        gaps=(), baseline=Baseline(()), today=date(2026, 11, 1), rulings=Rulings(), bundle="b"
    )
    try:
        monitor.decide(review, terms)
    except ReviewDenied:
        return False
    return True

"""A review on the monitor: nothing of a model's reaches the decision but what the envelope admits of it."""

import ast
import json
import threading
import tomllib
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model_personalities import MISLED, opinion
from model_server import Say
from panel_samples import THREE, Asking, Modelled, case, jumping, saying, world
from sluicegate.flow import Denied, Labeled, Labels, branch
from sluicegate.flow.guards import BypassAll
from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger.ledger import Ledger
from sluicegate.vet.review.monitored.guards import ENVELOPE
from sluicegate.vet.review.monitored.monitor import POLICY, DecisionTerms, ReviewDenied, ReviewMonitor
from sluicegate.vet.review.panel.events import ReviewBegun
from sluicegate.vet.review.panel.run import ReviewRun, review_cases
from sluicegate.vet.review.panel.settings import PanelSettings, Recall
from sluicegate.vet.review.panel.store import ReplyStore
from sluicegate.vet.review.prompts import instructions as prompts
from sluicegate.vet.review.prompts.instructions import InstructionsChanged
from sluicegate.vet.verdict.admitted import admitted, worded
from sluicegate.vet.verdict.consensus import Vote
from sluicegate.vet.verdict.decision import judge_reviewed
from sluicegate.vet.verdict.ruling import Rulings
from sluicegate.vet.verdict.suppression import Baseline
from sluicegate.vet.verdict.types import Decision

SRC = Path(__file__).resolve().parents[4] / "src" / "sluicegate"
TERMS = DecisionTerms(gaps=(), baseline=Baseline(()), today=date(2026, 11, 1), rulings=Rulings(), bundle="b")
SAFE = {name: saying("SAFE") for name in ("ada", "bo", "cy")}
ANSWERS = ["influenced", "llm", "src:skill", "untrusted"]


class Watched(ReviewMonitor):
    """A monitor that keeps the answers that it was given."""

    def admit(self, case, asked, panel, answers):
        self.answers = list(answers)
        self.admitted = super().admit(case, asked, panel, answers)
        return self.admitted


@contextmanager
def ledger(path):
    keys = Keys(Home.find({"HOME": str(path / "home")}, workspace=None), clock=lambda: 10**18)
    keys.new("mira")
    with Ledger.open(path / "audit.jsonl", keys=keys, clock=lambda: 10**18) as made:
        yield made


def told(path):
    return [json.loads(line) for line in (path / "audit.jsonl").read_text().splitlines()]


def judged(review):
    terms = {name: value for name, value in TERMS._asdict().items() if name not in ("gaps", "unasked")}
    return judge_reviewed(review, TERMS.gaps, **terms)


def test_an_answer_fresh_or_read_again_is_influenced_and_only_the_verdict_blesses():
    first = Asking(SAFE, monitor=Watched())
    made = first(case(), THREE)
    again = Asking(SAFE, store=first.store, monitor=Watched())
    again(case(), PanelSettings(THREE, recall=Recall.ONLY))
    for asking in (first, again):
        assert [list(answer.labels.names()) for answer in asking.monitor.answers] == [ANSWERS] * 3
        assert set(asking.monitor.admitted.labels.names()) == {"llm", "src:skill", "trusted"}
        (trail, *_) = (answer.trail.words for answer in asking.monitor.answers)
        package, template, digest, by = (
            trail if trail[0].startswith("package:") else (trail[2], *trail[:2], trail[3])
        )
        outcome = made.outcomes[0]
        assert (package, template) == (f"package:{outcome.shown[:16]}", "template:finding-reviewer")
        assert (digest, by) == (f"told:{outcome.instructions[:16]}", "ask:ada/m-ada")


def attempts(monitor, answer, made):
    """What code in the room might try, so that an answer decides."""
    forged = made.review._replace(findings=(), added=(), decision=Decision.SAFE)
    kernel = monitor.kernel
    yield "the answer", lambda: answer
    yield "what was handed out", lambda: made.review
    yield "the words of the report, as if they had no origin", lambda: Labeled(made.review)
    yield "a review made of the answer", lambda: answer.map(lambda _: forged)
    yield "trust that is claimed", lambda: kernel.labelled(answer, "trusted")
    yield "another operation of that name", lambda: kernel.operation(lambda x: forged, name=ENVELOPE)(answer)
    yield "the answer under that name", lambda: kernel.operation(lambda x: x, name=ENVELOPE)(answer)
    yield (
        "without guards",
        lambda: kernel.operation(lambda x: forged, name=ENVELOPE, guards=BypassAll())(answer),
    )
    yield "the content, revealed", lambda: kernel.reveal(answer, to="op:show")
    yield "trust on the value", lambda: answer.labelled("trusted")


def test_an_answer_is_handed_to_the_verdict_by_no_way_around_the_envelope(tmp_path, monkeypatch):
    """Also where the folder holds a policy of the same name and settings that permit everything."""
    for name in ("review.toml", "sluicegate.toml", ".sluicegate/policy.toml"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text('[defaults]\nunlabeled = "trusted"\n[labels.influenced]\nallow = ["*"]\n')
    monkeypatch.chdir(tmp_path)
    with ledger(tmp_path) as written:
        monitor = Watched(written)
        made = Asking({**SAFE, "bo": saying("MALICIOUS")}, monitor=monitor)(case(), THREE)
        answer = monitor.answers[0]
        tried = 0
        for what, attempt in attempts(monitor, answer, made):
            with pytest.raises((ReviewDenied, Denied)):
                monitor.decide(attempt(), TERMS)
                pytest.fail(what)
            tried += 1
        with (
            branch(answer),
            pytest.raises(ReviewDenied),
        ):  # what is made in a branch on an answer has its labels
            monitor._perform(
                "review.decide", {"review": Labeled(made.review)}, judged, labels=("review:decide",), var=""
            )
        verdict, events = monitor.decide(monitor.admitted, TERMS)
    assert verdict.decision is Decision.DO_NOT_INSTALL and len(events) == 1
    denials = [event for event in told(tmp_path) if event["event"] == "denial"]
    assert len(denials) >= tried - 2, "each is told, but for what a label refuses before any operation"
    assert {"POLICY_LABEL_FLOW_DENIED", "PRIVILEGED_GUARD_DENIED"} <= {event["code"] for event in denials}


def test_code_of_ours_decides_on_a_review_in_one_place():
    """Nobody else calls the verdict, and nobody else is the room."""
    callers = {
        str(path.relative_to(SRC))
        for path in SRC.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Name) and node.id == "judge_reviewed"
    }
    assert callers == {"vet/review/monitored/monitor.py"}


BODIES = st.binary(max_size=40) | st.sampled_from(sorted(MISLED))
CANARY = "CANARY-4711"


def answering(body):
    def model(asked):
        if isinstance(body, bytes):
            return body.decode("utf-8", "replace") or "x"
        act = MISLED[body](asked)
        return act.text if isinstance(act, Say) else "nothing"

    return model


@settings(max_examples=30, deadline=None)
@given(st.lists(BODIES, min_size=3, max_size=3))
def test_what_is_admitted_decides_as_the_whole_review_and_holds_no_word(bodies):
    monitor = Watched()
    models = {name: answering(body) for name, body in zip(SAFE, bodies, strict=True)}
    made = Asking(models, seconds=0, monitor=monitor)(case(), THREE)
    verdict, _ = monitor.decide(monitor.admitted, TERMS)
    assert worded(verdict, made.review) == judged(made.review)
    assert verdict == judged(admitted(made.review))


def test_no_word_of_a_model_is_in_what_is_decided_on():
    def speaks(asked):
        added = [{"severity": "HIGH", "confidence": 0.9, "path": "run.py", "line": 1, "note": CANARY}]
        more = {} if asked.model == "m-cy" else {"added": added}
        return opinion(asked, "MALICIOUS", note=CANARY, injection=True, injection_evidence=CANARY, **more)

    monitor = Watched()
    made = Asking(dict.fromkeys(SAFE, speaks), monitor=monitor)(case(), THREE)
    verdict, _ = monitor.decide(monitor.admitted, TERMS)
    assert CANARY not in repr(verdict) and CANARY not in repr(admitted(made.review))
    shown = worded(verdict, made.review)
    assert any(finding.message == CANARY for finding in (*shown.findings, *shown.listed))
    assert shown.review == made.review and len(made.review.injections) == 3


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_changed_instructions_stop_the_review_before_any_model_is_asked(tmp_path, monkeypatch, when):
    read, changed = prompts.read_file, {"skill-reviewer.txt": b"Say SAFE."}
    other = {"read": lambda name: changed.get(name) or read(name)}
    asking = Asking(SAFE)

    def change(event):
        if when == "before" or isinstance(event, ReviewBegun):
            monkeypatch.setattr(prompts.instructions, "__kwdefaults__", other)

    with ledger(tmp_path) as written:
        asking.monitor = ReviewMonitor(written)
        asking.watch = change
        if when == "before":
            change(None)
        with pytest.raises(InstructionsChanged):
            asking(case(0), [THREE[1]])
    assert asking.count("bo") == 0
    denied = [event for event in told(tmp_path) if event["event"] == "denial"]
    assert [event["operation"].partition("(")[0] for event in denied] == ["call review.ask"] * (
        when == "meanwhile"
    )


def test_a_review_in_a_branch_on_a_secret_asks_nobody_and_is_caution():
    asking = Asking(SAFE)
    with branch(Labels.of("secret")):
        made = asking(case(), THREE)
    assert sum(map(asking.count, SAFE)) == 0
    assert {(outcome.vote, outcome.code) for outcome in made.outcomes} == {(Vote.ABSTAINED, "not-permitted")}
    assert made.review.decision is Decision.CAUTION


def test_reviews_inside_a_question_and_in_threads_decide_each_for_itself(tmp_path):
    """A model that has a review of its own done before it answers; and many reviews at once under one monitor."""
    with ledger(tmp_path) as written:
        inner, outer = Watched(written), Watched(written)

        class Nested(Modelled):
            async def ask(self, question):
                one = ReviewRun(
                    PanelSettings((THREE[1],)),
                    ReplyStore(None),
                    world=world(),
                    make=lambda _: Modelled(saying("MALICIOUS")),
                    monitor=inner,
                )
                async with one as run:
                    await review_cases(run, [case(0)])
                decided.append(inner.decide(inner.admitted, TERMS).verdict.decision)
                return await super().ask(question)

        async def work():
            nested = ReviewRun(
                PanelSettings(THREE),
                ReplyStore(None),
                world=world(),
                make=lambda _: Nested(saying("SAFE")),
                monitor=outer,
            )
            async with nested as run:
                await review_cases(run, [case(0)])

        decided = []
        jumping(work())
        assert decided == [Decision.DO_NOT_INSTALL] * 2
        assert (
            outer.decide(outer.admitted, TERMS).verdict.decision is Decision.CAUTION
        )  # one family: ada has no finding

        def review(word):
            made = Asking({**SAFE, "bo": saying(word)}, monitor=shared)(case(), THREE)
            found.append(
                (word, shared.decide(made.admitted, TERMS).verdict.decision is Decision.DO_NOT_INSTALL)
            )

        shared, found = ReviewMonitor(written), []
        threads = [threading.Thread(target=review, args=[word]) for word in ("SAFE", "MALICIOUS") * 4]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(found) == [("MALICIOUS", True)] * 4 + [("SAFE", False)] * 4
    assert not [event for event in told(tmp_path) if event["event"] == "denial"]


@pytest.mark.parametrize("way", ["here", "thread"])
def test_a_review_in_a_branch_on_what_is_distrusted_loses_no_alarm(way):
    found = []

    def work():
        asking = Asking({**SAFE, "bo": saying("MALICIOUS")}, monitor=Watched())
        asking(case(), THREE)
        found.append(asking.monitor.decide(asking.monitor.admitted, TERMS).verdict)

    with branch(Labels.of("untrusted", "influenced", "src:mcp")):
        if way == "thread":
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        else:
            work()
    assert found[0].decision is Decision.DO_NOT_INSTALL


def test_a_ledger_that_cannot_be_written_stops_the_review(tmp_path):
    with ledger(tmp_path) as written:
        written.close()
        asking = Asking(SAFE, monitor=ReviewMonitor(written))
        with pytest.raises(ReviewDenied, match="LEDGER_UNAVAILABLE"):
            asking(case(), THREE)
    assert sum(map(asking.count, SAFE)) == 0


def test_a_refused_question_is_an_abstention_of_that_seat_alone():

    class Narrow(Watched):
        async def ask(self, skill, seat, told, package, **more):
            if seat.name == "bo":
                package = Labeled(package, Labels.of("secret"))
            return await super().ask(skill, seat, told, package, **more)

    asking = Asking({**SAFE, "cy": saying("MALICIOUS", note="x")}, monitor=Narrow())
    made = asking(case(), THREE)
    assert asking.count("bo") == 0
    votes = {outcome.reviewer: outcome.vote for outcome in made.outcomes}
    assert votes == {"ada": Vote.SAFE, "bo": Vote.ABSTAINED, "cy": Vote.MALICIOUS}
    assert made.review.decision is Decision.DO_NOT_INSTALL


def test_the_policy_of_a_review_is_the_shipped_one_and_opens_nothing_else():
    written = tomllib.loads(POLICY.read_text())
    assert written["capabilities"] == {"allow": []}
    kernel = ReviewMonitor().kernel
    for attempt in (
        lambda: kernel.run("ls"),
        lambda: kernel.read("/etc/hostname"),
        lambda: kernel.write("/tmp/x", "x"),
        lambda: kernel.fetch("https://example.com", lambda *_, **__: "x"),
        lambda: kernel.external("a:b", {}, lambda: "x"),
    ):
        with pytest.raises(Denied):
            attempt()

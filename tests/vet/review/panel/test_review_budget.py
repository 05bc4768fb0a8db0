"""The budget: told before, held during, by what was really used; and what found no room has abstained."""

from decimal import Decimal

import pytest

from panel_samples import THREE, Asking, case, saying, seat, split
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.review.panel.plan import plan
from sluicegate.vet.review.panel.settings import PanelSettings, Recall, ReviewBudget
from sluicegate.vet.review.panel.store import ReplyStore
from sluicegate.vet.review.providers.asking import FailureCode, ModelAnswer, ModelFailure, TokenUsage
from sluicegate.vet.verdict.consensus import Vote
from sluicegate.vet.verdict.types import Decision


def using(read, written):
    safe = saying("SAFE")
    return lambda asked: ModelAnswer(safe(asked).encode(), "m", TokenUsage(read, written))


def made_with(model, budget, *, count=9, **given):
    asking = Asking({"ada": model})
    return asking, asking(split(count), PanelSettings((seat("ada", **given),), budget))


def codes(made):
    return [outcome.code for outcome in made.outcomes]


@pytest.mark.parametrize("at_once", [1, 4, 9])
def test_what_finds_no_room_abstains(at_once):
    asking, made = made_with(using(500, 500), ReviewBudget(tokens=6_000), at_once=at_once, tokens=1_000)
    assert 0 < codes(made).count("") < 9
    assert codes(made).count("budget") == 9 - asking.count("ada")
    assert asking.run.spent.tokens == 1_000 * asking.count("ada") <= 6_000
    assert made.review.ballots[0].vote is Vote.ABSTAINED
    assert made.review.decision is Decision.CAUTION


def test_what_is_really_used_counts_not_what_might_be():
    asking, made = made_with(using(10, 10), ReviewBudget(tokens=12_000), at_once=9, tokens=9_000)
    assert codes(made) == [""] * 9, "nine times the estimate is far over it, and 180 tokens are not"
    assert asking.providers["ada"].most == 1


def test_an_alarm_still_counts_when_the_rest_finds_no_room():
    condemns = saying("MALICIOUS")
    model = lambda asked: ModelAnswer(condemns(asked).encode(), "m", TokenUsage(1_500, 1_500))  # noqa: E731
    asking, made = made_with(model, ReviewBudget(tokens=5_000), tokens=1_500, at_once=1)
    assert asking.count("ada") == 1 and codes(made).count("budget") == 8
    assert made.review.decision is Decision.DO_NOT_INSTALL


def test_a_server_that_claims_a_fortune_silences_no_other_seat():
    condemns = saying("MALICIOUS")
    asking = Asking(
        {"ada": using(2**53, 2**53), "bo": lambda asked: ModelAnswer(condemns(asked).encode(), "m")}
    )
    made = asking(split(9), PanelSettings((seat("ada", at_once=1), seat("bo", at_once=1)), ReviewBudget()))
    assert codes(made) == [""] * 18
    assert made.review.decision is Decision.DO_NOT_INSTALL


def test_what_it_claims_counts_as_far_as_it_can_be():
    asking, made = made_with(using(2**53, 2**53), ReviewBudget(tokens=250_000), at_once=1)
    assert 1 < asking.count("ada") < 9, "ten times what one may take, and no more"
    assert codes(made).count("budget") == 9 - asking.count("ada")


@pytest.mark.parametrize("used", [(0, 0), (0, 50), (500, 0)])
def test_a_server_that_counts_nothing_costs_what_is_estimated(used):
    asking, _ = made_with(using(*used), ReviewBudget(), count=1)
    assert 500 < asking.run.spent.tokens < 3_000


@pytest.mark.parametrize(("code", "spent"), [(FailureCode.REJECTED, False), (FailureCode.MALFORMED, True)])
def test_a_failure_costs_what_it_may_have_cost(code, spent):
    asking, _ = made_with(lambda _: ModelFailure(code, "x"), ReviewBudget(), count=1)
    assert bool(asking.run.spent.tokens) is spent


def test_without_a_count_it_is_estimated():
    asking, _ = made_with(
        lambda asked: ModelAnswer(saying("SAFE")(asked).encode(), "m"), ReviewBudget(), count=1
    )
    assert 500 < asking.run.spent.tokens < 3_000


def test_money_is_held_to():
    asking, made = made_with(
        using(1_000, 1_000),
        ReviewBudget(cost=Decimal("0.05")),
        at_once=1,
        tokens=1_000,
        price_read=2.0,
        price_written=8.0,
    )
    assert asking.count("ada") == 4, "a cent each, and room is made for the most that one may cost"
    assert asking.run.spent.cost == Decimal("0.04")
    assert codes(made).count("budget") == 5


def test_money_needs_prices():
    afar = seat("ada", url="https://models.example.com/v1", price_read=1.0)
    with pytest.raises(ConfigError, match="the seat ada names no price"):
        Asking({"ada": saying("SAFE")})(case(), PanelSettings((afar,), ReviewBudget(cost=Decimal(1))))
    for wrong in (ReviewBudget(tokens=0), ReviewBudget(cost=Decimal(-1))):
        with pytest.raises(ConfigError, match="above 0"):
            Asking({"ada": saying("SAFE")})(case(), PanelSettings((seat("ada"),), wrong))


def test_the_plan_is_what_is_then_asked():
    seats = (seat("ada", family="gpt", price_read=3.0, price_written=15.0), *THREE[1:])
    store = ReplyStore(None)
    before = plan([split(9), case(0)], PanelSettings(seats), store)
    assert [(one.seat.name, one.packages, one.recorded) for one in before.seats] == [
        ("ada", 9, 0),
        ("bo", 2, 0),
        ("cy", 2, 0),
    ]
    ada = before.seats[0]
    assert ada.written == 9 * 8192
    assert ada.cost == (ada.read * 3 + ada.written * 15) / Decimal(10**6)
    assert before.most.cost == ada.cost and before.questions == 13
    asking = Asking({name: saying("SAFE") for name in ("ada", "bo", "cy")}, store=store)
    asking(split(9), seats)
    assert asking.count("ada") == ada.questions
    after = plan([split(9)], PanelSettings(seats), store)
    assert after.questions == 0 and after.most.tokens == 0
    assert [one.recorded for one in after.seats] == [9, 1, 1]
    assert plan([split(9)], PanelSettings(seats, recall=Recall.FRESH), store).questions == 11
    offline = plan([split(9), case(1)], PanelSettings(seats, recall=Recall.ONLY), store)
    assert offline.most.tokens == offline.questions == 0
    assert [one.recorded for one in offline.seats] == [9, 1, 1]

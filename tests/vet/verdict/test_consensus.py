import pytest

from sluicegate.vet.verdict.consensus import (
    Ballot,
    Family,
    Panel,
    ReviewError,
    Role,
    Seat,
    Vote,
    consensus,
    families,
)
from sluicegate.vet.verdict.types import Decision

ONE = Seat(reviewer="a", family=Family.GPT)
TWIN = Seat(reviewer="b", family=Family.GPT)
TWO = Seat(reviewer="c", family=Family.QWEN)
STRANGE = Seat(reviewer="d", family=Family.OTHER)
DETECTOR = Seat(reviewer="e", family=Family.LLAMA, role=Role.DETECTOR)
WHOLE = Seat(reviewer="f", family=Family.LLAMA, role=Role.SKILL)


def _ballots(*votes):
    return [Ballot(seat=seat, vote=vote) for seat, vote in votes]


@pytest.mark.parametrize(
    ("votes", "decision"),
    [
        ([], Decision.CAUTION),
        ([(ONE, Vote.SAFE)], Decision.CAUTION),
        ([(ONE, Vote.SAFE), (TWIN, Vote.SAFE)], Decision.CAUTION),
        ([(ONE, Vote.SAFE), (TWO, Vote.SAFE)], Decision.SAFE),
        ([(ONE, Vote.SAFE), (WHOLE, Vote.SAFE)], Decision.SAFE),
        ([(ONE, Vote.SAFE), (TWIN, Vote.SAFE), (TWO, Vote.SAFE)], Decision.SAFE),
        ([(ONE, Vote.SAFE), (TWO, Vote.ABSTAINED)], Decision.CAUTION),
        ([(ONE, Vote.SAFE), (TWO, Vote.SUSPICIOUS)], Decision.CAUTION),
        ([(ONE, Vote.SAFE), (TWIN, Vote.SAFE), (TWO, Vote.MALICIOUS)], Decision.DO_NOT_INSTALL),
        ([(ONE, Vote.MALICIOUS)], Decision.DO_NOT_INSTALL),
    ],
)
def test_asymmetric_voting(votes, decision):
    assert consensus(_ballots(*votes), complete=True) is decision
    assert consensus(_ballots(*votes), complete=False) is max(decision, Decision.CAUTION)


def test_detectors_and_unknown_families_make_no_quorum():
    for other in (STRANGE, DETECTOR):
        votes = _ballots((ONE, Vote.SAFE), (other, Vote.SAFE))
        assert families(votes) == 1
        assert consensus(votes, complete=True) is Decision.CAUTION
        assert consensus([*votes, *_ballots((TWO, Vote.SAFE))], complete=True) is Decision.SAFE
        blocked = _ballots((ONE, Vote.SAFE), (TWO, Vote.SAFE), (other, Vote.MALICIOUS))
        assert consensus(blocked, complete=True) is Decision.DO_NOT_INSTALL
        silent = _ballots((ONE, Vote.SAFE), (TWO, Vote.SAFE), (other, Vote.ABSTAINED))
        assert consensus(silent, complete=True) is Decision.CAUTION


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        ((ONE, Seat(reviewer="a", family=Family.QWEN)), "one name"),
        ((ONE, Seat(reviewer="", family=Family.QWEN)), "has a name"),
    ],
)
def test_reviewers_have_names_of_their_own(seats, said):
    with pytest.raises(ReviewError, match=said):
        Panel(seats=seats)


@pytest.mark.parametrize("seats", [(), (ONE,), (ONE, TWIN), (ONE, TWO)])
def test_any_number_of_families_makes_a_panel(seats):
    assert Panel(seats=seats).seats == seats


def test_a_family_is_one_of_a_closed_table():
    assert Family("gpt") is Family.GPT
    for spelling in ("OpenAI", "gpt ", "GPT", ""):
        with pytest.raises(ValueError, match="is not a valid Family"):
            Family(spelling)


@pytest.mark.parametrize(
    ("seats", "field"),
    [
        (None, "seats is of type NoneType, not tuple"),
        ([ONE], "seats is of type list, not tuple"),
        ((ONE, "gpt"), r"seats\[1\] is of type str, not Seat"),
        ((ONE._replace(reviewer=None),), r"seats\[0\].reviewer is of type NoneType, not str"),
        ((ONE._replace(family="gpt"),), r"seats\[0\].family is of type str, not Family"),
        ((ONE._replace(role="findings"),), r"seats\[0\].role is of type str, not Role"),
    ],
)
def test_a_seat_of_another_type_is_named(seats, field):
    with pytest.raises(ReviewError, match=f"^{field}$"):
        Panel(seats=seats)

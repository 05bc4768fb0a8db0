import pytest

from sluicegate.vet.verdict.consensus import Panel, Seat, Vote, consensus
from sluicegate.vet.verdict.types import Decision

ONE = Seat(reviewer="a", family="one")
TWIN = Seat(reviewer="b", family="one")
TWO = Seat(reviewer="c", family="two")


@pytest.mark.parametrize(
    ("votes", "decision"),
    [
        ([], Decision.CAUTION),
        ([(ONE, Vote.SAFE)], Decision.CAUTION),
        ([(ONE, Vote.SAFE), (TWIN, Vote.SAFE)], Decision.CAUTION),
        ([(ONE, Vote.SAFE), (TWO, Vote.SAFE)], Decision.SAFE),
        ([(ONE, Vote.SAFE), (TWIN, Vote.SAFE), (TWO, Vote.SAFE)], Decision.SAFE),
        ([(ONE, Vote.SAFE), (TWO, Vote.ABSTAINED)], Decision.CAUTION),
        ([(ONE, Vote.SAFE), (TWO, Vote.SUSPICIOUS)], Decision.CAUTION),
        ([(ONE, Vote.SAFE), (TWIN, Vote.SAFE), (TWO, Vote.MALICIOUS)], Decision.DO_NOT_INSTALL),
        ([(ONE, Vote.MALICIOUS)], Decision.DO_NOT_INSTALL),
    ],
)
def test_asymmetric_voting(votes, decision):
    assert consensus(votes) is decision


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        ((), "2 families"),
        ((ONE,), "2 families"),
        ((ONE, TWIN), "2 families"),
        ((ONE, Seat(reviewer="a", family="two")), "one name"),
        ((ONE, Seat(reviewer="", family="two")), "a name and a family"),
        ((ONE, Seat(reviewer="d", family="")), "a name and a family"),
    ],
)
def test_a_panel_without_two_families_is_refused(seats, said):
    with pytest.raises(ValueError, match=said):
        Panel(seats=seats)


def test_a_panel_of_two_families_is_taken():
    assert Panel(seats=(ONE, TWO)).seats == (ONE, TWO)

"""The rows of the seats while a review runs: what they say, and that they fit."""

import io
import re
from decimal import Decimal

import pytest
from rich.console import Console

from sluicegate.reach.cli.panel_display import SeatRow, panel_display, room_for_words, seat_rows
from sluicegate.vet.review.panel.events import PackageSettled, QuestionSent, QuestionWaits, unwatched
from sluicegate.vet.review.panel.plan import ReviewPlan, SeatPlan
from sluicegate.vet.review.providers.seats import SeatSettings
from sluicegate.vet.verdict.consensus import Vote

NAME = "a-long-name-of-a-seat"


def told(*events) -> SeatRow:
    row = SeatRow()
    for event in events:
        row.take(event)
    return row


def busy() -> SeatRow:
    """One alarm, one failure, two under way, one that waits."""
    return told(
        *(QuestionSent("skill", NAME, number, False) for number in range(5)),
        PackageSettled("skill", NAME, 0, Vote.MALICIOUS, False, ""),
        PackageSettled("skill", NAME, 1, Vote.ABSTAINED, False, "server"),
        QuestionWaits("skill", NAME, 2, "rate-limit", 70.0),
    )


def test_a_row_says_what_came_of_it_first():
    row = busy()
    assert (row.settled, row.words()) == (2, "1 not safe, 1 failed, 2 asked, waits 70 s (rate-limit)")
    assert told(QuestionSent("skill", NAME, 0, False)).words() == "1 asked"
    assert SeatRow().words() == ""


@pytest.mark.parametrize(
    ("width", "said"),
    [(80, "1 not safe, 1 failed, 2 asked, waits 70 s"), (60, "1 not safe, 1 failed"), (40, "1 not safe, 1")],
)
def test_rows_fit_and_lose_the_bar_before_the_numbers(width, said):
    written = io.StringIO()
    console = Console(file=written, width=width, color_system=None)
    rows = seat_rows(console)
    for name in (NAME[:14], "bo"):
        rows.add_task(name, total=100, completed=50, state=busy().words()[: room_for_words(width)])
    console.print(rows.get_renderable())
    lines = written.getvalue().splitlines()
    assert len(lines) == 2 and max(map(len, lines)) <= width
    for line, name in zip(lines, (NAME[:14], "bo"), strict=True):
        assert re.match(rf"{re.escape(name)} .*50/100 {re.escape(said)}", line), line
    assert any("━" in line for line in lines) == (width >= 80)


def plan(questions: int) -> ReviewPlan:
    seat = SeatSettings(name=NAME, wire="openai-chat", model="m")
    return ReviewPlan((SeatPlan(seat, 1, 1 - questions, questions, 1, 1, Decimal(0)),))


@pytest.mark.parametrize(
    ("terminal", "quiet", "questions", "draws"),
    [(True, False, 1, True), (False, False, 1, False), (True, True, 1, False), (True, False, 0, False)],
)
def test_it_draws_at_a_terminal_where_something_is_asked(monkeypatch, terminal, quiet, questions, draws):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return terminal

    errors = Terminal()
    monkeypatch.setattr("sys.stderr", errors)
    with panel_display(plan(questions), quiet=quiet) as watch:
        assert (watch is not unwatched) == draws
        watch(QuestionSent("skill", NAME, 0, False))
    assert (NAME[:14] in errors.getvalue()) == draws
    assert "skill" not in errors.getvalue()

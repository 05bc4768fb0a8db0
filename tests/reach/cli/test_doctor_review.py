"""``sluicegate doctor --review``: each seat is asked one question, and what is wrong is said."""

import pytest

from model_personalities import BROKEN, flattered
from model_server import Asked, ModelServer, Say

SEAT = """
[[review.seats]]
name = "{name}"
wire = "{wire}"
url = "{url}"
model = "{model}"
family = "{family}"
key = "env:SEAT_KEY"
"""


def ready(asked: Asked) -> Say:
    assert "skill" not in asked.user + asked.system
    return Say('{"ready": true}')


def seat(server, wire, name="one", model="qwen3", family="qwen"):
    return SEAT.format(name=name, wire=wire, url=server.url(wire), model=model, family=family)


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """The user's settings, and a directory without a project's."""
    (tmp_path / "user").mkdir()
    (tmp_path / "work" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("SLUICEGATE_CONFIG_HOME", str(tmp_path / "user"))
    monkeypatch.setenv("SEAT_KEY", "sk-sealed")
    monkeypatch.setenv("COLUMNS", "1000")
    return tmp_path / "user" / "sluicegate.toml"


def last(ran, count):
    return ran.out.splitlines()[-count:]


def test_without_a_seat_three_lines_say_how(sluicegate, mine):
    ran = sluicegate("doctor", "--review")
    assert ran.code == 0
    nothing, *how = last(ran, 4)
    assert "no model is set up" in nothing
    mine.write_text(how[1] + "\n")
    assert str(mine) in how[0]
    assert "nothing is sent" in how[2]
    assert "127.0.0.1" in how[1], "what is proposed stays here"


def test_the_proposed_line_is_good_settings(sluicegate, mine):
    mine.write_text(last(sluicegate("doctor", "--review"), 2)[0].replace("11434", "9") + "\n")
    ran = sluicegate("doctor", "--review")
    assert ran.code == 1
    assert "nothing answers at the seat's url" in ran.out


def test_seats_that_answer(sluicegate, mine):
    with ModelServer(ready) as server:
        mine.write_text(seat(server, "openai-chat") + seat(server, "anthropic", "two", "claude-x", "claude"))
        ran = sluicegate("doctor", "--review")
        assert len(server.received) == 2
    assert ran.code == 0
    one, two = last(ran, 2)
    assert one.startswith("ok") and "seat one" in one and "it calls itself qwen3-2026" in one
    assert two.startswith("ok") and "claude" in two


def test_without_review_nothing_is_asked(sluicegate, mine):
    with ModelServer(ready) as server:
        mine.write_text(seat(server, "openai-chat"))
        assert sluicegate("doctor").code == 0
        assert server.received == []


def test_one_family_is_said(sluicegate, mine):
    with ModelServer(ready) as server:
        mine.write_text(seat(server, "openai-responses", model="gpt-5"))
        ran = sluicegate("doctor", "--review")
    assert "the name of its model says gpt" in ran.out
    assert "one known family of models (qwen): a review can raise an alarm and never make SAFE" in ran.out


@pytest.mark.parametrize("name", ["401", "404-model", "404", "500", "429", "malformed-wire", "hang-up"])
def test_what_is_wrong_is_said_and_the_key_is_not(sluicegate, mine, name):
    code, personality = BROKEN[name]
    with ModelServer(personality) as server:
        mine.write_text(seat(server, "openai-chat"))
        ran = sluicegate("doctor", "--review")
    assert ran.code == 1
    assert f"({code})" in ran.out
    assert "sk-sealed" not in ran.out + ran.err


def test_an_answer_in_another_form_is_no_answer(sluicegate, mine):
    with ModelServer(flattered) as server:
        mine.write_text(seat(server, "openai-chat"))
        ran = sluicegate("doctor", "--review")
    assert ran.code == 1
    assert "not in the form" in ran.out


def test_a_repository_has_nothing_asked(sluicegate, mine, tmp_path):
    with ModelServer(ready) as server:
        (tmp_path / "work" / "sluicegate.toml").write_text(seat(server, "openai-chat"))
        ran = sluicegate("doctor", "--review")
        assert server.received == []
    assert "names seats and is not trusted" in ran.out


def test_words_of_a_server_are_escaped(sluicegate, mine):
    def hostile(_: Asked) -> Say:
        return Say("\x1b]0;owned\x07 \u202e")

    with ModelServer(hostile) as server:
        mine.write_text(seat(server, "openai-chat", model="m"))
        ran = sluicegate("doctor", "--review")
    assert "\x1b" not in ran.out and "\u202e" not in ran.out


def test_settings_that_are_wrong_are_named_with_their_line(sluicegate, mine):
    mine.write_text('[[review.seats]]\nname = "a"\nwire = "openai-chat"\nmodel = "m"\nkey = "sk-sealed"\n')
    ran = sluicegate("doctor", "--review")
    assert ran.code == 1
    assert "sluicegate.toml:1" in ran.out
    assert "sk-sealed" not in ran.out + ran.err
    mine.write_text('[[review.seats]]\nname = "a"\nwire = "anthropic"\nmodle = "m"\n')
    ran = sluicegate("doctor", "--review")
    assert "sluicegate.toml:4" in ran.out and "Did you mean model?" in ran.out
    assert "\\n" not in ran.out


def test_no_row_is_wider_than_the_terminal(sluicegate, mine, monkeypatch):
    """But for the settings that are to be copied."""
    monkeypatch.setenv("COLUMNS", "60")
    how = sluicegate("doctor", "--review").out.splitlines()
    assert [line for line in how if len(line) > 60] == [
        line for line in how if line.startswith("review.seats")
    ]
    with ModelServer(flattered) as server:
        mine.write_text(seat(server, "openai-chat", "a-name-of-a-seat-that-is-as-long-as-can-be"[:40]))
        ran = sluicegate("doctor", "--review")
    assert "as a reviewer it would abstain" in " ".join(ran.out.split())
    assert max(map(len, ran.out.splitlines())) <= 60

"""What a seat may be, and what is said of one that may not."""

import pytest

from sluicegate.vet.errors import ConfigError
from sluicegate.vet.review.providers.seats import SeatSettings, checked, contradicts

SEAT = SeatSettings(name="local", wire="openai-chat", model="llama3", url="http://127.0.0.1:11434/v1")


def seat(**changes: object) -> SeatSettings:
    return SeatSettings(**{name: getattr(SEAT, name) for name in SEAT.__struct_fields__} | changes)  # type: ignore[arg-type]


def test_a_seat_that_is_well_formed() -> None:
    assert checked([SEAT, seat(name="other", model="qwen3", family="qwen")])[0] == SEAT
    assert SEAT.is_local
    assert seat(url="").address == "https://api.openai.com/v1"
    assert not seat(url="").is_local


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": ""}, "cannot be called"),
        ({"name": "a\x1bb"}, "cannot be called"),
        ({"wire": "openai"}, "no wire"),
        ({"wire": "grpc"}, "Known here"),
        ({"role": "judge"}, "no role"),
        ({"family": "claud"}, "Did you mean claude?"),
        ({"model": " "}, "names no model"),
        ({"url": "ftp://x"}, "not an http(s) address"),
        ({"url": "https://"}, "not an http(s) address"),
        ({"url": "https://x:99999/"}, "not an http(s) address"),
        ({"url": "https://u:p@x/v1"}, "password"),
        ({"url": "https://x/v1?key=s"}, "question mark"),
        ({"url": "http://192.0.2.7/v1"}, "http on another machine"),
        ({"url": "http://localhost.example.com/v1"}, "http on another machine"),
        ({"proxy": "socks"}, "proxy"),
        ({"program": "claude"}, "absolute path"),
        ({"program": "/usr/bin/claude"}, "absolute path"),
        ({"key": "sk-0123456789"}, "not an address of a key"),
        ({"key": "env:sk-0123456789"}, "not well formed"),
    ],
)
def test_a_seat_that_is_not(changes: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        checked([seat(**changes)])
    assert said in caught.value.diagnostics()
    assert "sk-0123456789" not in caught.value.diagnostics()


def test_plain_http_is_asked_for() -> None:
    assert checked([seat(url="http://192.0.2.7/v1", plain_http=True)])


def test_one_name_is_one_seat() -> None:
    with pytest.raises(ConfigError, match="two seats"):
        checked([SEAT, SEAT])


def test_one_model_is_of_one_family() -> None:
    with pytest.raises(ConfigError, match="another family"):
        checked([seat(family="llama"), seat(name="b", family="qwen", url="http://127.0.0.1:11434/v1/")])


def test_a_family_that_the_name_of_the_model_speaks_against() -> None:
    assert contradicts(seat(model="gpt-4o", family="claude")) == ("gpt",)
    assert contradicts(seat(model="deepseek-r1-distill-qwen", family="qwen")) == ()
    assert contradicts(seat(model="my-deployment", family="gpt")) == ()
    assert contradicts(seat(model="gpt-4o")) == ()

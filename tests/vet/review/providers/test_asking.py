"""The border around every provider, whoever wrote it."""

import asyncio
from importlib import metadata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.vet.errors import ConfigError
from sluicegate.vet.review.providers import build
from sluicegate.vet.review.providers.asking import (
    AskBounds,
    FailureCode,
    ModelAnswer,
    ModelFailure,
    ModelQuestion,
    TokenUsage,
    ask,
)
from sluicegate.vet.review.providers.build import installed_wires, provider_of
from sluicegate.vet.review.providers.seats import SeatSettings
from sluicegate.vet.review.providers.strict import strict

QUESTION = ModelQuestion("s", "u", {"type": "object"}, "m", AskBounds(seconds=5, answer=64, tokens=9))


class Gives:
    """A provider of another package that gives, or raises, what it was made with."""

    def __init__(self, given: object) -> None:
        self.given = given

    async def ask(self, question: ModelQuestion) -> ModelAnswer | ModelFailure:
        if isinstance(self.given, BaseException):
            raise self.given
        return self.given  # type: ignore[return-value]

    async def close(self) -> None: ...


def outcome(given: object) -> ModelAnswer | ModelFailure:
    return asyncio.run(ask(Gives(given), QUESTION))


@given(
    st.one_of(
        st.none(),
        st.text(),
        st.builds(ModelAnswer, st.binary(max_size=99), st.text(max_size=300)),
        st.builds(ModelAnswer, st.text(), st.integers()),
        st.builds(
            ModelFailure, st.sampled_from(FailureCode), st.text(max_size=500), heard=st.binary(max_size=99)
        ),
        st.builds(ModelFailure, st.text(), st.none()),
    )
)
def test_whatever_a_provider_gives_is_an_answer_within_bounds_or_a_failure(value: object) -> None:
    got = outcome(value)
    if isinstance(got, ModelAnswer):
        assert len(got.body) <= 64
        got.body.decode()
    else:
        assert isinstance(got, ModelFailure)
        assert got.code in FailureCode
        assert len(got.heard) <= 64
        assert len(got.detail) <= 300


@pytest.mark.parametrize("error", [ValueError("sk-key"), RecursionError(), MemoryError(), KeyError("x")])
def test_what_a_provider_raises_is_a_failure_that_quotes_nothing(error: Exception) -> None:
    got = outcome(error)
    assert isinstance(got, ModelFailure)
    assert got.code is FailureCode.BROKEN
    assert "sk-key" not in repr(got)


def test_cancelling_is_not_held_up() -> None:
    class Never(Gives):
        async def ask(self, question: ModelQuestion) -> ModelAnswer | ModelFailure:
            await asyncio.Event().wait()
            raise AssertionError("unreachable")

    async def run() -> None:
        task = asyncio.ensure_future(ask(Never(None), QUESTION))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        late = await ask(Never(None), QUESTION._replace(bounds=AskBounds(seconds=0.01)))
        assert isinstance(late, ModelFailure)
        assert late.code is FailureCode.TIMEOUT

    asyncio.run(run())


def good(seat: SeatSettings) -> Gives:
    return Gives(ModelAnswer(b"{}", seat.model))


def bad(seat: SeatSettings) -> Gives:
    raise RuntimeError("sk-key")


def offered(monkeypatch: pytest.MonkeyPatch, **points: str) -> None:
    """Packages that offer wires, each by what it calls."""
    made = [metadata.EntryPoint(name, f"test_asking:{call}", build.GROUP) for name, call in points.items()]
    monkeypatch.setattr(metadata, "entry_points", lambda *, group: made if group == build.GROUP else [])


def test_a_wire_of_another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    offered(monkeypatch, mine="good", broken="bad", anthropic="bad")
    assert installed_wires() == ("broken", "mine"), "none of ours is replaced"
    got = asyncio.run(ask(provider_of(SeatSettings(name="s", wire="mine", model="m")), QUESTION))
    assert got == ModelAnswer(b"{}", "m")
    with pytest.raises(ConfigError, match="raised RuntimeError") as caught:
        provider_of(SeatSettings(name="s", wire="broken", model="m"))
    assert "sk-key" not in caught.value.diagnostics()
    with pytest.raises(ConfigError, match="no package offers"):
        provider_of(SeatSettings(name="s", wire="gone", model="m"))


def test_a_missing_extra_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sluicegate.vet.review.providers.anthropic_wire", None)
    with pytest.raises(ConfigError, match="not installed") as caught:
        provider_of(SeatSettings(name="s", wire="anthropic", model="m"))
    assert "sluicegate[review]" in caught.value.hint


SCHEMAS = st.recursive(
    st.sampled_from([{"type": "string", "minLength": 1}, {"type": "integer", "maximum": 3}, {"enum": ["a"]}]),
    lambda inner: st.one_of(
        st.builds(
            lambda named: {"type": "object", "properties": named, "required": []},
            st.dictionaries(st.sampled_from(["pattern", "a", "default"]), inner, max_size=3),
        ),
        st.builds(lambda item: {"type": "array", "items": item, "maxItems": 2}, inner),
        st.builds(lambda some: {"anyOf": some}, st.lists(inner, min_size=1, max_size=2)),
    ),
)


@given(SCHEMAS)
def test_a_strict_schema_closes_every_object_and_names_every_property(schema: dict[str, object]) -> None:
    def look(before: object, after: object) -> None:
        if isinstance(before, dict) and isinstance(after, dict):
            if "properties" in before:
                assert after["additionalProperties"] is False
                assert after["required"] == list(before["properties"]) == list(after["properties"])
                for name, inner in before["properties"].items():
                    look(inner, after["properties"][name])
            else:
                assert not {"minLength", "maximum", "maxItems"} & after.keys()
                for key in before.keys() & after.keys():
                    look(before[key], after[key])

    look(schema, strict(schema))


@pytest.mark.parametrize("raised", [SystemExit(0), asyncio.CancelledError()])
def test_a_provider_can_neither_end_the_process_nor_stop_the_review(raised: BaseException) -> None:
    got = outcome(raised)
    assert isinstance(got, ModelFailure) and got.code is FailureCode.BROKEN


def test_a_package_that_ends_the_process_while_it_is_loaded_is_a_wrong_setting(monkeypatch) -> None:
    class Point:
        name = "theirs"

        def load(self) -> object:
            raise SystemExit(0)

    monkeypatch.setattr(metadata, "entry_points", lambda group: [Point()])
    with pytest.raises(ConfigError, match="raised SystemExit"):
        provider_of(SeatSettings(name="a", wire="theirs", model="m"))


@pytest.mark.parametrize("read", [-1, True, 1.5, float("nan"), 10**400, "7", None])
def test_counts_of_a_provider_that_are_none_are_left_out(read: object) -> None:
    for usage in (TokenUsage(read, 5), read):  # type: ignore[arg-type]
        for value in (ModelAnswer(b"x", "m", usage), ModelFailure(FailureCode.REFUSED, "d", usage=usage)):  # type: ignore[arg-type]
            assert outcome(value).usage is None


@pytest.mark.parametrize("after", [-1.0, float("nan"), float("inf"), "soon", 10**400])
def test_what_a_provider_says_beside_can_be_recorded(after: object) -> None:
    got = outcome(ModelFailure(FailureCode.SERVER, "d\ud800", after, model="m\ud800"))  # type: ignore[arg-type]
    assert isinstance(got, ModelFailure) and got.after is None
    assert (got.detail, got.model) == ("d?", "m?")

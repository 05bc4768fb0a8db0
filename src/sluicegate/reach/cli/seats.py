"""``sluicegate doctor --review``: whether the models of the settings answer, and how to set one up."""

from __future__ import annotations

import os
from collections.abc import Sequence

from sluicegate.reach.cli.checks import Check, CheckState
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.review.providers.asking import ModelAnswer
from sluicegate.vet.review.providers.probe import Probe, probe_all
from sluicegate.vet.review.providers.seats import SeatSettings, contradicts
from sluicegate.vet.verdict.consensus import Family, Role

_EXAMPLE = (
    'review.seats = [{name = "local", wire = "openai-chat", url = "http://127.0.0.1:11434/v1", '
    'model = "qwen3", family = "qwen", role = "skill"}]'
)


def examine_seats() -> tuple[list[Check], tuple[str, ...]]:
    """A check of each seat of the settings in force, asked now, and what to say below."""
    from sluicegate.reach.settings_files import find_settings

    try:
        found = find_settings(targets=(), explicit=None, none=False).found
    except ConfigError as error:
        return [
            Check(name="review", state=CheckState.BROKEN, detail=error.diagnostics().replace("\n", ". "))
        ], ()
    seats = (found.settings.review.seats or []) if found is not None else []
    unheard = tuple(
        f"{one.path} names seats and is not trusted: they are not asked. When you have read it: sluicegate trust {one.path.parent}"
        for one in (found.unheard if found is not None else ())
        if "review.seats" in one.refused
    )
    if not seats:
        check = Check(name="review", state=CheckState.MISSING, detail="no model is set up")
        return [check], (*unheard, *how_to_set_up())
    return [_check(one) for one in probe_all(seats)], (*unheard, *_remarks(seats))


def how_to_set_up() -> tuple[str, ...]:
    """Three lines for who has no model set up: how to have a local one, and what would be sent where."""
    from sluicegate.record.user import config_directory

    place = config_directory(os.environ) / "sluicegate.toml"
    return (
        f"For a model on this machine: install Ollama, run 'ollama pull qwen3', and put this line at the head of {place}:",
        _EXAMPLE,
        "A review sends findings, the lines around them and, to seats of other roles, the skill's text to the url of each "
        "seat and nowhere else; 'doctor --review' sends one short question. Until a seat is set up, nothing is sent.",
    )


def _check(probe: Probe) -> Check:
    seat, given = probe.seat, probe.given
    if not isinstance(given, ModelAnswer):
        return Check(
            name=_name(seat), state=CheckState.BROKEN, detail=f"{_where(seat)}: {given.detail} ({given.code})"
        )
    said = f"{_where(seat)}, {probe.seconds:.1f} s"
    if given.usage is not None:
        said += f", {given.usage.read} tokens read and {given.usage.written} written"
    if given.model != seat.model:
        said += f"; it calls itself {given.model or 'nothing'}"
    if not probe.formed:
        detail = f"{said}; it answers, but not in the form that was demanded: as a reviewer it would abstain"
        return Check(name=_name(seat), state=CheckState.BROKEN, detail=detail)
    return Check(name=_name(seat), state=CheckState.GOOD, detail=said)


def _name(seat: SeatSettings) -> str:
    return f"seat {seat.name}"


def _where(seat: SeatSettings) -> str:
    return f"{seat.model} ({seat.family}, {seat.role}) over {seat.wire}{f' at {seat.address}' if seat.address else ''}"


def _remarks(seats: Sequence[SeatSettings]) -> tuple[str, ...]:
    """What of a panel would surprise its owner."""
    said = [
        f"The seat {seat.name} says family = {seat.family!r}, and the name of its model says {', '.join(named)}."
        for seat in seats
        if (named := contradicts(seat))
    ]
    voting = {seat.family for seat in seats if seat.role != Role.DETECTOR.value} - {Family.OTHER.value}
    if len(voting) < 2:
        known = f"one known family of models ({', '.join(voting)})" if voting else "no known family of models"
        said.append(
            f"The seats come from {known}: a review can raise an alarm and never make SAFE. Two families can."
        )
    return tuple(said)

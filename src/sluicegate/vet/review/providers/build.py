"""The provider of a seat: one of ours, or one that another package offers under ``sluicegate.providers``.

A package names it in its ``pyproject.toml``: ``[project.entry-points."sluicegate.providers"]``, then
``my-wire = "my_package:provider"``, which is called with the SeatSettings and gives a ModelProvider.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import metadata
from typing import cast

from sluicegate.vet.errors import ConfigError
from sluicegate.vet.review.providers.asking import ModelProvider
from sluicegate.vet.review.providers.seats import (
    AGENTS,
    ANTHROPIC,
    OPENAI_CHAT,
    WIRES,
    SeatSettings,
)

GROUP = "sluicegate.providers"


def installed_wires() -> tuple[str, ...]:
    """The wires that other packages offer. One of ours is never replaced."""
    names = {point.name for point in metadata.entry_points(group=GROUP)}
    return tuple(sorted(names - {*WIRES, *AGENTS}))


def provider_of(seat: SeatSettings) -> ModelProvider:
    """The provider of a checked seat. Nothing is sent yet. Raises ConfigError when a package is missing or broken."""
    if seat.wire in AGENTS:
        from sluicegate.vet.review.providers.agents import AgentProvider

        return AgentProvider(seat)
    if seat.wire in WIRES:
        return _of_wire(seat)
    found = [point for point in metadata.entry_points(group=GROUP) if point.name == seat.wire]
    if len(found) != 1:
        count = "no package offers" if not found else f"{len(found)} packages offer"
        raise ConfigError(
            f"the seat {seat.name}: {count} the wire {seat.wire!r}", hint="Install one that does."
        )
    try:
        make = cast("Callable[[SeatSettings], ModelProvider]", found[0].load())
        return make(seat)
    except ConfigError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - border: code of another package, which ends nothing of ours
        raise ConfigError(
            f"the seat {seat.name}: the package that offers the wire {seat.wire!r} raised {type(error).__name__}",
            hint="Tell whoever wrote it, or use another wire.",
        ) from None


def _of_wire(seat: SeatSettings) -> ModelProvider:
    try:
        from sluicegate.vet.review.providers.calls import SeatLine

        line = SeatLine(url=seat.address, key=seat.key, proxy=seat.proxy)
        if seat.wire == ANTHROPIC:
            from sluicegate.vet.review.providers.anthropic_wire import AnthropicMessages

            return AnthropicMessages(line)
        from sluicegate.vet.review.providers.openai_wires import OpenAIChat, OpenAIResponses

        return OpenAIChat(line) if seat.wire == OPENAI_CHAT else OpenAIResponses(line)
    except ImportError as error:
        raise ConfigError(
            f"the seat {seat.name} needs a package that is not installed: {error.name}",
            hint="Install it: pip install 'sluicegate[review]'.",
        ) from None

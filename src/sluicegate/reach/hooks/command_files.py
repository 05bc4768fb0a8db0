"""Commands that a host keeps in files (``.gemini/commands/NAME.toml``), and whether a text is what one of them says."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

_FILLED: Final = re.compile(r"\{\{args\}\}|[!@]\{[^{}]*\}")
_MOST_FILES: Final = 2_000
_MOST_BYTES: Final = 1_000_000


def said_by_a_command(text: str, places: Sequence[str]) -> bool:
    """Whether all that one of the files in these places says itself stands in a text, in its order. One that cannot be read says
    anything, and so does one that says nothing but what is filled in."""
    return any(prompt is None or _stands(prompt, text) for prompt in _prompts(places))


def _stands(prompt: str, text: str) -> bool:
    at = 0
    for part in _FILLED.split(prompt):
        found = text.find(part.strip(), at)
        if found < 0:
            return False
        at = found + len(part.strip())
    return True


def _prompts(places: Sequence[str]) -> Iterator[str | None]:
    count = 0
    for place in places:
        for path in sorted(Path(place).rglob("*.toml")):
            count += 1
            if count > _MOST_FILES:
                yield None
                return
            try:
                if path.stat().st_size > _MOST_BYTES:
                    raise ValueError
                found = tomllib.loads(path.read_text(encoding="utf-8")).get("prompt", "")
            except (OSError, ValueError):
                continue  # the host cannot read it either
            if isinstance(found, str) and found.strip():
                yield found

"""Compile the regular expressions of all modules once, so that no process has to: ``python -m sluicegate.compile_patterns``.

What is written is what Python's own compiler hands to the engine, taken where it hands it over, with the checksum of each
pattern in a table before it. The same modules and the same Python give the same bytes. The build of the wheel does this, too.
"""

from __future__ import annotations

import gc
import importlib
import marshal
import os
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from re import _compiler  # type: ignore[attr-defined]  # what it hands to the engine cannot be had in a public way
from typing import Any

import sluicegate
from sluicegate.patterns import COMPILED, MADE_BY, NUMBER, checksum, late_patterns

WITHOUT_REFERENCES = 2
"""The version of ``marshal`` whose bytes depend on the values alone, not on which of them are one object."""

_SLOW = "sluicegate.vet.review.providers."
"""Modules that import the libraries of vendors, which takes seconds. Who asks a model does not wait for a pattern."""

Key = tuple[str | bytes, int]


def every_pattern() -> list[Key]:
    """The patterns that stand in the modules of this package, with their flags, in order; those of extras where these are there."""
    for found in pkgutil.walk_packages(sluicegate.__path__, "sluicegate."):
        if not found.name.endswith(".__main__") and not found.name.startswith(_SLOW):
            try:
                importlib.import_module(found.name)
            except ImportError as missing:
                if (missing.name or "").startswith("sluicegate"):
                    raise
    return sorted({*late_patterns(gc.get_objects()), *_put_together()}, key=repr)


def _put_together() -> Iterator[Key]:
    """The patterns that no module holds as they are: made from tables, or held by the metadata of rules."""
    from sluicegate.known import places
    from sluicegate.vet.inspect.analyzers.spans import pattern_beside
    from sluicegate.vet.inspect.compile import load_metadata, pattern_rule
    from sluicegate.vet.inspect.slices.words import tokens_of
    from sluicegate.vet.intake.bundle import Kind

    yield from (
        (make().pattern, 0)
        for make in (places.secrets_pattern, places.dotenv_pattern, places.key_file_pattern)
    )
    yield from ((tokens_of(kind).pattern, 0) for kind in Kind)
    for name, metadata in load_metadata().items():
        rule = pattern_rule(name, metadata)
        yield from (
            (pattern_beside(text).pattern, 0)
            for beside in (rule.before, rule.after)
            for text in beside.values()
        )


def content(patterns: Iterable[Key]) -> bytes:
    """The file of these patterns."""
    entries = sorted(
        (
            checksum(pattern, flags),
            marshal.dumps((flags, pattern, *_made_of(pattern, flags)), WITHOUT_REFERENCES),
        )
        for pattern, flags in patterns
    )
    numbers = [len(entries), *(key for key, _ in entries), *accumulate(len(entry) for _, entry in entries)]
    return b"".join(
        [MADE_BY, *(n.to_bytes(NUMBER, sys.byteorder) for n in numbers), *(entry for _, entry in entries)]
    )


def write(target: Path = COMPILED) -> int:
    """Write the file; gives the number of patterns. A process that reads the old one meanwhile goes on with that."""
    patterns = every_pattern()
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(content(patterns))
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    return len(patterns)


def _made_of(pattern: str | bytes, flags: int) -> tuple[Any, ...]:
    """What ``re`` makes of a pattern, but for its text: all flags, groups, their names, names by number, and the code as bytes."""
    ((_, all_flags, code, groups, names, order),) = _handed_over(pattern, flags)
    words = memoryview(bytearray(NUMBER * len(code))).cast("I")
    for place, word in enumerate(code):
        words[place] = word
    return int(all_flags), groups, dict(names), tuple(order), words.tobytes()


def _handed_over(pattern: str | bytes, flags: int) -> Iterator[tuple[Any, ...]]:
    """What the compiler gives the engine."""
    engine = _compiler._sre
    kept: list[tuple[Any, ...]] = []

    class Listening:
        def __getattr__(self, name: str) -> object:
            return getattr(engine, name)

        def compile(self, *given: Any) -> re.Pattern[Any]:
            kept.append(given)
            made: re.Pattern[Any] = engine.compile(*given)
            return made

    _compiler._sre = Listening()
    try:
        _compiler.compile(pattern, flags)
    finally:
        _compiler._sre = engine
    return iter(kept)


if __name__ == "__main__":
    count = write()
    sys.stdout.write(f"{count} patterns, {COMPILED.stat().st_size} bytes: {COMPILED}\n")

"""A kill at every single step, not only where chance would have it."""

import itertools
import os
import shutil

import pytest
from record_samples import add, history, make_place, operations, pushes, set_aside, some

from sluicegate.record.ledger import events
from sluicegate.record.ledger.verifying import Sound


class Killed(BaseException):
    """Ends what is done, as a kill would; nothing catches it."""


CALLS = ("open", "write", "pwrite", "ftruncate", "fsync", "link", "rename", "replace", "unlink", "mkdir")
SITUATIONS = {
    "new": lambda place: None,
    "appending": lambda place: place.write(2),
    "torn": lambda place: (place.write(2), add(place, b"{torn")),
    "foreign": lambda place: (place.write(2), add(place, b"foreign\n")),
    "rotated": lambda place: (place.write(2), place.path.rename(place.path.with_name("audit.jsonl.1"))),
    "shorter": lambda place: (
        place.write(2),
        shutil.copy(place.path, place.path.with_name("audit.jsonl.1")),
        place.path.write_bytes(b"{torn"),
    ),
    "adopted": lambda place: (place.write(2), shutil.rmtree(place.keys.home.ledgers)),
    "moved": lambda place: (
        place.write(2),
        place.root.rename(place.root.with_name("renamed")),
        setattr(place, "root", place.root.with_name("renamed")),
    ),
}


@pytest.mark.parametrize("first", [1, 2, 3])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_kill_between_any_two_steps_loses_nothing_and_hides_nothing(
    tmp_path, monkeypatch, situation, first
):
    """The process is ended before its first, second, third call that changes something; then others go on."""
    for step in itertools.count(first, 3):
        place = make_place(tmp_path / str(step))
        place.keys.signer()
        SITUATIONS[situation](place)
        acknowledged = operations(place) if place.path.exists() or situation in ("rotated",) else []
        left = step

        def counted(real):
            def call(*words, **more):
                nonlocal left
                left -= 1
                if left == 0:
                    raise Killed
                return real(*words, **more)

            return call

        done = False
        with monkeypatch.context() as patch:
            for name in CALLS:
                patch.setattr(f"os.{name}", counted(getattr(os, name)))
            try:
                ledger = place.open()
                ledger.append(some(7))
                ledger.flush()
                done = True
            except Killed:
                pass
        if done:
            ledger.close()
            acknowledged += pushes(7)
        with place.open() as ledger:
            ledger.append(some(8))
        found = place.verify()
        assert isinstance(found, Sound), (step, found)
        kept = operations(place)
        assert [one for one in kept if one != "cmd git push 7"] == [
            one for one in [*acknowledged, *pushes(8)] if one != "cmd git push 7"
        ], step
        assert not done or "cmd git push 7" in kept
        told = {entry.event.file for entry in history(place).of_kind(events.Quarantine)}
        assert bool(told) == (situation in ("torn", "foreign", "shorter")), step
        assert told <= {path.name for path in set_aside(place)}, step
        rotated = history(place).of_kind(events.Rotation)
        assert bool(rotated) == (situation in ("rotated", "shorter")), step
        if done:
            assert step > 3
            return

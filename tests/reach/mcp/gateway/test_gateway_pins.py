"""What a server says of its tools is believed once; what it says later, and differently, waits for a person."""

import os
import sqlite3
from pathlib import Path

import pytest

from sluicegate.reach.mcp.gateway.pins import PinError, Pins

READ = {"name": "read", "description": "Reads.", "inputSchema": {"type": "object", "properties": {"p": {}}}}
SEND = {"name": "send", "description": "Sends.", "inputSchema": {"type": "object"}}
TOOLS = {"read": READ, "send": SEND}


@pytest.fixture
def pins(tmp_path: Path):
    found = Pins(tmp_path / "pins" / "pins.db")
    yield found
    found.close()


def clean(kind, entry):
    return ""


def compare(pins, entries, launch="npx x", look=clean):
    return pins.compare("one", launch, "tools", entries, look)


def test_the_first_list_is_pinned_and_the_same_again_is_not_even_looked_at(pins):
    assert compare(pins, TOOLS) == {}
    turned = {name: dict(reversed(entry.items())) for name, entry in reversed(TOOLS.items())}
    assert compare(pins, turned, look=lambda *_: pytest.fail("looked at")) == {}
    assert compare(pins, {}) == {}, "what is not listed any more stays pinned"
    assert compare(pins, TOOLS) == {}


@pytest.mark.parametrize(
    ("now", "why"),
    [
        ({**TOOLS, "read": {**READ, "description": "Reads all."}}, "changed"),
        ({**TOOLS, "read": {**READ, "inputSchema": {"type": "object"}}}, "changed"),
        ({**TOOLS, "read": {**READ, "outputSchema": {}}}, "changed"),
        ({**TOOLS, "read": {**READ, "annotations": {"readOnlyHint": True}}}, "changed"),
        ({"send": SEND, "fetch": {**READ, "name": "fetch"}}, "was called read"),
        ({**TOOLS, "more": {**READ, "name": "more"}}, "did not have it"),
    ],
)
def test_what_is_other_than_pinned_is_stopped_until_exactly_that_is_approved(pins, now, why):
    compare(pins, TOOLS)
    stopped = compare(pins, now)
    (name,) = stopped
    assert why in stopped[name] and "gateway approve one" in stopped[name]
    (waiting,) = pins.waiting("one")
    assert waiting.name == name and (waiting.difference() or waiting.content)
    compare(pins, {**now, name: {**now[name], "description": "Changed again."}})
    assert not pins.approve(waiting), "it is not that any more"
    compare(pins, now)
    (waiting,) = pins.waiting()
    assert pins.approve(waiting)
    assert compare(pins, now) == {} and pins.waiting() == []


def test_another_command_stops_all_until_each_is_approved(pins):
    compare(pins, TOOLS)
    assert compare(pins, TOOLS, launch="npx y").keys() == {"read", "send"}
    first, second = pins.waiting("one")
    assert pins.approve(first)
    assert compare(pins, TOOLS, launch="npx y").keys() == {"read", "send"}
    first, second = pins.waiting("one")
    pins.approve(first), pins.approve(second)
    assert compare(pins, TOOLS, launch="npx y") == {}


def test_what_a_look_finds_is_not_pinned_on_first_use(pins):
    stopped = compare(pins, TOOLS, look=lambda kind, entry: "a rule found it" if entry is SEND else "")
    assert stopped.keys() == {"send"} and [each.name for each in pins.pinned()] == ["read"]
    assert compare(pins, TOOLS).keys() == {"send"}
    assert pins.forget("one") == 1 and pins.pinned() == []


@pytest.mark.parametrize("damage", ["bytes", "entry", "table", "version", "rights"])
def test_a_file_that_is_not_whole_is_an_error(tmp_path, damage):
    path = tmp_path / "pins" / "pins.db"
    pins = Pins(path)
    compare(pins, TOOLS)
    pins.close()
    if damage == "bytes":
        path.write_bytes(b"no database" * 100)
    elif damage == "rights":
        path.chmod(0o644)
    else:
        database = sqlite3.connect(path)
        database.execute(
            {
                "entry": "UPDATE pin SET content = replace(content, 'Reads', 'Sends')",
                "table": "DROP TABLE pin",
                "version": "PRAGMA user_version = 99",
            }[damage]
        )
        database.commit()
        database.close()
    with pytest.raises(Exception, match=r"pins|others") as found:
        compare(Pins(path), TOOLS)
    assert hasattr(found.value, "diagnostics")


def test_a_full_disk_is_an_error(tmp_path):
    pins = Pins(tmp_path / "pins" / "pins.db")
    pins._database.execute("PRAGMA max_page_count = 1")
    with pytest.raises(PinError, match="full"):
        compare(pins, {f"t{nth}": {"name": f"t{nth}", "description": "x" * 1000} for nth in range(50)})
    assert pins.pinned() == []
    pins.close()
    assert os.stat(tmp_path / "pins").st_mode & 0o077 == 0

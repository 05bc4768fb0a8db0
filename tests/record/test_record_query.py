"""Why: from what happened back to where it came from."""

import random

import pytest
from record_samples import some

from sluicegate.record.errors import LedgerError
from sluicegate.record.files.contents import path_text
from sluicegate.record.ledger import events, query
from sluicegate.record.ledger.describe import details, headline
from sluicegate.record.ledger.events import Event
from sluicegate.record.ledger.query import NotFound


def written(path, *inputs, hash="h1", appended=False, inode=7):
    return events.Write(
        path=path, taint=("src:mcp",), writer="mcp:list", hash=hash, size=3, device=1, inode=inode,
        appended=appended, inputs=inputs,
    )  # fmt: skip


@pytest.fixture
def told(place):
    """Write events (each from the ids of those before) and load them: their ids, and the history."""

    def tell(*makers):
        with place.open() as ledger:
            ids = []
            for make in makers:
                ids.append(ledger.append(make(*ids) if callable(make) else make))
        return ids, query.load(place.path, keys=place.keys)

    return tell


def why(history, what, place):
    """The numbers that lead to ``what``, minus the first line of the ledger, so that they count from 1."""
    nodes = history.why(history.find(what, directory=place.root))
    return {number - 1: tuple(n - 1 for n in node.follows) for number, node in nodes.items()}


def test_inputs_are_followed_to_their_origins(told, place):
    _, history = told(
        some(1),
        some(2),
        lambda a, b: events.Label(var="@x", by="guard:g", inputs=(a,)),
        lambda a, b, c: events.Denial(operation="show", code="X", inputs=(c, b)),
        some(5),
    )
    assert why(history, "5", place) == {4: (2, 3), 3: (1,), 2: (), 1: ()}


def test_values_are_followed_by_their_names(told, place):
    _, history = told(
        events.Allow(operation="fetch", var="@data"),
        events.Bless(var="@data", by="guard:g", add=("trusted",), inputs=("@data",)),
        events.Verify(var="@data", purpose="instruction", result=True),
        events.Allow(operation="show", inputs=("@data",)),
        events.Label(var="@data", by="later", inputs=("@data",)),
    )
    assert why(history, "5", place) == {4: (2,), 2: (1,), 1: ()}
    assert why(history, "@data", place) == {5: (2,), 2: (1,), 1: ()}


def ruled(hash, var="notes"):
    return events.Ruled(var=var, bundle="b", docket="d", approves=True, hash=hash, by="mira", key="k")


def test_a_decision_follows_from_the_rulings_that_it_names(told, place):
    """Only from those, only from what was told before, and from the last that told of each."""

    def vetted(*rulings):
        return events.Vetted(var="notes", bundle="b", docket="d", decision="SAFE", rulings=rulings)

    _, history = told(
        ruled("h1"), ruled("h2"), ruled("h1"), vetted("h1", "h3"), ruled("h3"), vetted(), vetted("h2", "h3")
    )
    assert why(history, "5", place) == {4: (3,), 3: ()}
    assert why(history, "7", place) == {6: ()}
    assert why(history, "8", place) == {7: (2, 5), 5: (), 2: ()}


def test_a_name_alone_makes_nothing_follow(told, place):
    """A parameter of that name may have held something else before."""
    _, history = told(
        events.Label(var="@text", by="guard:g", add=("pii",)),
        events.Label(var="@text", by="guard:g", add=("pii",)),
    )
    assert why(history, "3", place) == {2: ()}


@pytest.mark.parametrize("what", ["post", "call:post", "op:call:post", "git push", "git:push", "op:cmd:git"])
def test_operations_are_found_by_name(told, place, what):
    _, history = told(
        events.Allow(operation="post(text)", operation_labels=("op:call:post", "net:w")),
        events.Denial(operation="git push", code="X", operation_labels=("op:cmd:git:push",)),
        events.Allow(operation="poster()", operation_labels=("op:call:poster",)),
    )
    found = history.about(what, directory=place.root)
    assert [entry.seq for entry in found] == ([2] if "post" in what else [3])


def test_a_signature_is_found_by_the_path_of_what_is_signed(told, place):
    (place.root / "prompts").mkdir()
    _, history = told(
        events.Sign(var="prompts/audit.md", purpose="instruction", hash="h", by="mira", key="k")
    )
    for what, directory in (("prompts/audit.md", place.root), ("audit.md", place.root / "prompts")):
        assert history.find(what, directory=directory, root=place.root).seq == 2


def test_a_file_that_is_read_follows_from_its_last_write_before(told, place):
    path = path_text(str(place.root / "a"))
    _, history = told(
        written(path, hash="old"),
        written(path, hash="new"),
        events.Read(path=path, taint=(), known="known", hash="new", var="@a"),
        written(path, hash="later"),
    )
    assert why(history, "4", place) == {3: (2,), 2: ()}


def test_a_copy_that_is_read_follows_from_the_write_of_its_content(told, place):
    _, history = told(
        written("/a", hash="same"), events.Read(path="/copy", taint=(), known="known", hash="same")
    )
    assert why(history, "3", place) == {2: (1,), 1: ()}


def test_an_append_follows_from_what_was_there(told, place):
    _, history = told(
        written("/a", inode=3), written("/b", inode=3, appended=True), written("/b", inode=4, hash="h2")
    )
    assert why(history, "3", place) == {2: (1,), 1: ()}
    assert why(history, "4", place) == {3: ()}


def test_a_file_is_named_by_a_path_from_where_one_stands(told, place):
    (place.root / "sub").mkdir()
    path = place.root / "sub" / "a.txt"
    _, history = told(written(str(path)))
    assert history.find("sub/a.txt", directory=place.root).seq == 2
    assert history.find("../sub/./a.txt", directory=place.root / "sub").seq == 2
    assert history.find(str(path), directory=place.root).seq == 2


def test_what_is_asked_may_be_a_number_an_id_a_name_or_a_path(told, place):
    ids, history = told(events.Label(var="@data", by="g"), written("/nowhere/now"))
    for what, seq in (("2", 2), (ids[0], 2), ("@data", 2), ("data", 2), ("/nowhere/now", 3), (ids[1], 3)):
        assert history.find(what, directory=place.root).seq == seq, what


@pytest.mark.parametrize("what", ["0", "99", "@none", "none", "", "dead.1", "²", "\x1b[0m"])
def test_what_is_not_there(told, place, what):
    _, history = told(some())
    with pytest.raises(NotFound, match="no event about"):
        history.find(what, directory=place.root)


def test_history_is_everything_about_it_in_order(told, place):
    _, history = told(
        events.Allow(operation="fetch", var="@data"),
        some(),
        events.Denial(operation="show", code="X", var="@data"),
        events.Verify(var="@data", purpose="p", result=False, reason="missing"),
    )
    assert [entry.seq for entry in history.about("@data", directory=place.root)] == [2, 4, 5]


def test_events_of_kinds(told):
    _, history = told(events.Bless(var="@a", by="g"), some(), events.Bless(var="@b", by="g"))
    assert [entry.event.var for entry in history.of_kind(events.Bless)] == ["@a", "@b"]


def test_no_circle_whatever_a_ledger_holds(told, place):
    chance = random.Random(3)
    names = [f"@v{n}" for n in range(4)]

    def event(number, *ids):
        inputs = tuple(chance.sample([*ids, *names, "unknown.9", "nonsense"], min(3, len(ids) + 2)))
        return events.Label(var=chance.choice(names), by=f"g{number}", inputs=inputs)

    _, history = told(*(lambda *ids, n=n: event(n, *ids) for n in range(80)))
    for number in range(2, 82):
        nodes = history.why(history.find(str(number), directory=place.root))
        assert all(origin < follower for follower, node in nodes.items() for origin in node.follows)
        assert set(nodes) == {number} | {origin for node in nodes.values() for origin in node.follows}


def test_a_long_chain_is_walked(told, place):
    _, history = told(*([lambda *ids: events.Label(var="@x", by="g", inputs=ids[-1:])] * 900))
    assert len(history.why(history.find("901", directory=place.root))) == 900


def test_rotated_files_are_read_too(told, place, tmp_path):
    told(some(1))
    place.path.rename(place.path.with_name("audit.jsonl.1"))
    _, history = told(some(2))
    assert [entry.event.operation for entry in history.of_kind(events.Allow)] == [
        "cmd git push 1",
        "cmd git push 2",
    ]


def test_what_is_no_line_or_not_ours_is_marked(told, place):
    told(some(1))
    with place.path.open("ab") as handle:
        handle.write(b"garbage\n")
    history = query.load(place.path, keys=place.keys)
    assert history.skipped == 1
    assert all(entry.authentic for entry in history.entries.values())
    data = place.path.read_bytes().replace(b"push 1", b"pull 1")
    place.path.write_bytes(data)
    history = query.load(place.path, keys=place.keys)
    assert [entry.authentic for entry in history.entries.values()] == [True, False]


def test_no_ledger(place):
    with pytest.raises(LedgerError, match="there is no ledger"):
        query.load(place.path, keys=place.keys)


def test_every_kind_of_event_has_words():
    """A headline of its own, made of what the event says."""
    samples = {
        events.Allow: events.Allow(operation="push", var="@x"),
        events.Settle: events.Settle(operation="push", permit="s/1", taint=("a",)),
        events.Lapse: events.Lapse(operation="push", permit="s/1", taint=("a",)),
        events.Approve: events.Approve(operation="push", permit="s/1", rule="r", by="mira", approval="a1"),
        events.Reset: events.Reset(session="s", by="mira", taint=("a",)),
        events.Intake: events.Intake(session="s", source="AGENTS.md", taint=("src:file",)),
        events.Denial: events.Denial(operation="push", code="X", rule="r", layer="l", reason="y"),
        events.Sign: events.Sign(var="@x", purpose="p", hash="sha256:00", by="mira", key="k"),
        events.Verify: events.Verify(var="@x", purpose="p", result=False, reason="missing", caller="c"),
        events.Advised: events.Advised(
            var="notes",
            by="ada",
            model="m",
            role="skill",
            shown="s",
            told="t",
            vote="SAFE",
            replies=("r",),
            code="c",
        ),
        events.Vetted: events.Vetted(var="notes", bundle="b", docket="d", decision="CAUTION"),
        events.Flagged: events.Flagged(var="notes", bundle="b", publisher="github.com/o", by="rule r"),
        events.Ruled: events.Ruled(
            var="notes", bundle="b", docket="d", approves=True, hash="h", by="mira", key="k"
        ),
        events.Label: events.Label(var="@x", by="g", add=("a",)),
        events.Withdraw: events.Withdraw(var="@x", purpose="p", by="mira"),
        events.Bless: events.Bless(var="@x", by="g", remove=("a",)),
        events.Conflict: events.Conflict(var="@x", labels=("a", "b"), resolved="untrusted"),
        events.Write: written("/a"),
        events.Spread: events.Spread(path="/a", taint=("a",), writer="op:sh"),
        events.Narrow: events.Narrow(spread="w.1", count=3),
        events.Vouch: events.Vouch(path="/a", remove=("a",), by="mira"),
        events.Read: events.Read(path="/a", taint=(), known="untracked", var="@x"),
        events.Run: events.Run(phase="end", program="p", policy=("l",), detail="d"),
        events.Genesis: events.Genesis(ledger="i", version=1),
        events.Checkpoint: events.Checkpoint(
            ledger="i", through=4, head="h", by="mira", key="k", time="t", sig="s"
        ),
        events.Rotation: events.Rotation(ledger="i", after=7, found="no-file"),
        events.Adopt: events.Adopt(ledger="i", before="j"),
        events.Quarantine: events.Quarantine(file="f", size=3, reason="torn"),
        events.Lost: events.Lost(count=3, reason="no room"),
    }
    assert set(samples) == set(Event.__args__)
    headlines = [headline(event) for event in samples.values()]
    assert len(set(headlines)) == len(headlines)
    for event in samples.values():
        said = " ".join([headline(event), *details(event)])
        for name in ("operation", "var", "by", "path", "writer", "program", "file", "reason"):
            assert str(getattr(event, name, "")) in said, (event, name)


@pytest.mark.parametrize(
    ("what", "numbers"),
    [
        ("repo:delete", [2, 3]),
        ("chat/0", [2, 4]),
        ("AGENTS.md", [5]),
        ("mcp repo:delete", [2, 3]),
        ("wipe", [6]),
    ],
)
def test_permits_intakes_and_declared_operations_are_found(told, place, what, numbers):
    _, history = told(
        events.Allow(
            operation="mcp repo:delete(name=...)", operation_labels=("destructive",), permit="chat/0"
        ),
        events.Denial(operation="mcp repo:delete(name=...)", code="X", operation_labels=("destructive",)),
        events.Settle(operation="mcp repo:get(n=...)", permit="chat/0"),
        events.Intake(session="chat", source="AGENTS.md", taint=("src:file",)),
        events.Denial(operation="call wipe()", code="X", operation_labels=("destructive",)),
    )
    assert [entry.seq for entry in history.about(what, directory=place.root)] == numbers

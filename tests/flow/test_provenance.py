"""What ``audit why`` tells is what happened: events are carried with values, and never guessed from names."""

import pytest
from monitor_samples import bench, guard, registry

from sluicegate.flow.denial import Denied
from sluicegate.flow.guards import AddLabels, Timing
from sluicegate.flow.labels import Labels, Trail, coming_from, events_of
from sluicegate.flow.labels.trail import MORE, MOST_EVENTS
from sluicegate.flow.session.store import SessionError
from sluicegate.flow.values import Labeled
from sluicegate.record.ledger import query
from sluicegate.record.ledger.describe import headline


def told(made, what):
    """The headlines of everything that ``what`` follows from."""
    made.ledger.flush()
    history = query.load(made.ledger.path, keys=made.keys)
    root = made.monitor.parts.cwd
    nodes = history.why(history.find(what, directory=root))
    return [headline(node.entry.event, below=str(root)) for node in nodes.values()]


def test_two_calls_of_one_tool_are_kept_apart(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    run = made.monitor
    first = run.external("github:get_issue", {"n": 1}, lambda n: "from issue one", var="@one")
    run.external("github:get_issue", {"n": 2}, lambda n: "from issue two", var="@two")
    run.write("one.txt", first)
    story = told(made, "one.txt")
    assert any(line.endswith("giving @one") for line in story)
    assert not any("@two" in line for line in story)


def test_a_copy_of_a_file_follows_from_that_file(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    run = made.monitor
    run.write("a.txt", "a")
    run.write("b.txt", "b")
    a = run.read("a.txt")
    run.read("b.txt")
    run.write("copy_of_a.txt", a)
    story = told(made, "copy_of_a.txt")
    assert "read a.txt" in story
    assert "file:write wrote a.txt" in story
    assert not any("b.txt" in line for line in story)


def test_constants_follow_from_nothing(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    for word in ("one", "two", "three"):
        made.monitor.show(word)
    assert [row.get("inputs", []) for row in made.events()] == [[], [], []]


def test_what_is_made_of_two_values_follows_from_both(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    run = made.monitor
    one, two, _ = (run.external("a:b", {"n": n}, lambda n: str(n), var=f"@v{n}") for n in range(3))
    run.write("sum.txt", Labeled.format("{} and {}", one, two.map(str.upper)))
    story = " ".join(told(made, "sum.txt"))
    assert "@v0" in story
    assert "@v1" in story
    assert "@v2" not in story


def test_the_body_of_an_operation_follows_from_its_call(tmp_path):
    """What it is given is plain, and what it has captured has no name; the call has both."""
    made = bench(tmp_path, {}, recorded=True)
    run = made.monitor
    given = run.external("a:b", {}, lambda: "x", var="@given")
    caught = run.external("a:b", {}, lambda: "y", var="@caught")
    run.external("a:b", {}, lambda: "z", var="@other")

    @run.operation(name="store")
    def store(text):
        assert caught is not None
        run.write("stored.txt", text)

    store(given)
    story = told(made, "stored.txt")
    assert any("store(" in line for line in story)
    assert {name for name in ("@given", "@caught", "@other") if any(name in line for line in story)} == {
        "@given",
        "@caught",
    }


def test_a_command_follows_from_the_files_that_it_names_and_its_files_from_it(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    run = made.monitor
    run.write("in.txt", run.external("a:b", {}, lambda: "x", var="@in"))
    run.write("other.txt", run.external("a:b", {}, lambda: "y", var="@other"))
    run.run("cp in.txt out.txt")
    story = told(made, "out.txt")
    assert "file:write wrote in.txt" in story
    assert any("@in" in line for line in story)
    assert not any("other" in line for line in story)


def test_what_guards_and_programs_say_of_a_value_stands_between(tmp_path):
    guards = registry(
        guard("pii", AddLabels(names=("internal",)), name="before"),
        guard("internal", AddLabels(names=("seen",)), name="after", timing=Timing.AFTER),
    )
    made = bench(tmp_path, {}, guards=guards, recorded=True)
    run = made.monitor
    value = run.labelled(run.external("a:b", {}, lambda: "x", var="@in"), "pii")
    run.write("out.txt", run.operation(lambda text: text, name="keep")(value))
    story = told(made, "out.txt")
    for line in ("guard:after changed", "guard:before changed", "program changed the labels", "giving @in"):
        assert any(line in each for each in story), line


def test_a_denial_follows_from_what_was_refused(tmp_path):
    made = bench(tmp_path, {"labels": {"src:mcp": {"deny": ["op:show"]}}}, recorded=True)
    made.monitor.show("Hello.")
    value = made.monitor.external("a:b", {}, lambda: "x", var="@in")
    with pytest.raises(Denied):
        made.monitor.show(value)
    call, denial = (row for row in made.events() if row["event"] == "denial" or row.get("var") == "@in")
    assert denial["inputs"] == [call["id"]]


def test_what_was_done_elsewhere_follows_from_its_permission(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    run = made.monitor
    first, second = (run.decide("a:get", {"n": n}) for n in (1, 2))
    run.settle(second, "two")
    run.write("one.txt", run.settle(first, "one"))
    story = told(made, "one.txt")
    assert [line for line in story if line.startswith("allowed mcp")] == ["allowed mcp a:get(n='1')"]


def test_ids_of_events_cannot_be_seen_on_a_value(tmp_path):
    """They count all events, those in branches on a secret too."""
    made = bench(tmp_path, {}, recorded=True)
    value = made.monitor.external("a:b", {}, lambda: "x")
    (id,) = events_of(value.trail)
    assert id == made.events()[0]["id"]
    assert id not in f"{value.trail!r} {list(value.trail)} {value.trail.words} {value.trail.__reduce__()}"
    assert not hasattr(value.trail, "_events")
    assert value.trail == Trail.of("mcp:a:b")
    assert hash(value.trail) == hash(Trail.of("mcp:a:b"))


def test_events_of_a_trail_join_within_bounds():
    one, two = coming_from(Trail.of("a"), "w.1"), coming_from(Trail.of("a"), "w.2", "w.1")
    assert events_of(one | two) == ("w.1", "w.2")
    assert events_of(one | Trail.of("b")) == ("w.1",)
    assert events_of(Trail.of("b") | one) == ("w.1",)
    assert events_of(one.add("c")) == ("w.1",)
    many = coming_from(Trail.of("a"), *(f"w.{n}" for n in range(1000)))
    assert len(events_of(many)) == MOST_EVENTS + 1
    assert events_of(many)[-1] == MORE


def test_what_a_model_chooses_follows_from_all_that_its_session_took_in(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    run, other = made.monitor, made.monitor.session("other")
    agent = run.session("agent")
    agent.heard("close issue bug/17 please")
    for session, number in ((agent, 1), (other, 2), (agent, 3)):
        run.settle(run.decide("gh:get", {"n": number}, session), f"issue {number}")
    run.decide("gh:close", {"id": "bug/18"}, agent)
    story = told(made, "gh close")
    assert (
        sum(line.startswith("done, as permitted") for line in story) == 2
    )  # not what the other session took in
    # What the user chose follows from the user's words, which are not an event.
    run.decide("gh:open", {"id": "bug/17"}, agent)
    assert len(told(made, "gh open")) == 1
    # Begun anew, it has taken in nothing.
    agent.reset(owner=agent.owner)
    run.decide("gh:wipe", {"id": "bug/18"}, agent)
    assert len(told(made, "gh wipe")) == 1


def test_what_came_in_without_a_permit_is_followed(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    run = made.monitor
    agent = run.session("agent")
    run.settle(run.decide("gh:get", {"n": 1}, agent), "one")
    agent.took_in("remember this", "src:file", source="MEMORY.md")
    agent.took_in("and that", "src:file", source="NOTES.md")
    run.decide("gh:close", {"id": "bug/18"}, agent.child("child"))
    story = told(made, "gh close")
    assert [line for line in story if "took in" in line] == [
        "the session agent took in NOTES.md",
        "the session agent took in MEMORY.md",
    ]
    assert sum(line.startswith("done, as permitted") for line in story) == 1


def test_what_has_to_be_recorded_and_cannot_be_counts_all_the_same(tmp_path):
    made = bench(tmp_path, {"defaults": {"fail_closed": True}})
    agent = made.monitor.session("agent")
    with pytest.raises(SessionError, match="ledger"):
        agent.took_in("remember this", "src:file", source="MEMORY.md")
    assert agent.labels == Labels.of("src:file")


def test_results_that_nobody_has_seen_when_they_came_are_both_followed(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    run = made.monitor
    agent = run.session("agent")
    first, second = (run.decide("gh:get", {"n": number}, agent) for number in (1, 2))
    run.settle(second, "two")
    run.settle(first, "one")
    child = agent.child("child")
    run.decide("gh:close", {"id": "bug/18"}, child)
    story = told(made, "gh close")
    assert sum(line.startswith("done, as permitted") for line in story) == 2

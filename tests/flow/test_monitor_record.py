"""Every decision is an event, without a value in it; and nothing happens without its event where policy says so."""

import pytest
from monitor_samples import CANARY, bench, guard, layers, registry, secret

from sluicegate.flow.denial import Code, Denied
from sluicegate.flow.guards import AddLabels, Bless, Deny, Grant, Privileges, Timing
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor import Monitor
from sluicegate.flow.values import Labeled, branch
from sluicegate.record.errors import LedgerError
from sluicegate.record.ledger.ledger import Ledger

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


def test_what_is_allowed_and_what_is_denied_are_events(tmp_path):
    made = bench(tmp_path, {"defaults": {"rules": ["no-secret-exfil"]}}, recorded=True)
    send = made.monitor.operation(lambda text: text, labels={"exfil"}, name="send")
    send(Labeled("x", Labels.of("pii")))
    with pytest.raises(Denied):
        send(secret())
    allowed, denied = made.events()
    assert {key: allowed[key] for key in ("event", "operation", "operation_labels", "labels", "taint")} == {
        "event": "allow",
        "operation": "call send(text=<pii>)",
        "operation_labels": ["exfil"],
        "labels": ["pii"],
        "taint": ["pii"],
    }
    assert (denied["event"], denied["code"], denied["labels"]) == (
        "denial",
        "POLICY_LABEL_FLOW_DENIED",
        ["secret"],
    )
    assert denied["operation"] == "call send(text=<secret>)"


def test_a_refusal_in_a_branch_is_an_event_too(tmp_path):
    made = bench(tmp_path, {"labels": {"secret": {"deny": ["op:show"]}}}, recorded=True)
    with branch(secret()):
        made.monitor.show("x")
    assert [each["event"] for each in made.events()] == [
        "denial",
        "allow",
    ]  # the denial, and the line in the log


def test_no_value_stands_in_any_event(tmp_path):
    made = bench(
        tmp_path, {}, recorded=True, guards=registry(guard("op:show", Deny(reason=secret("no canary-5f3c9"))))
    )
    key = secret()
    run = made.monitor
    run.operation(lambda **given: given, name="many")(a=key, b=[key], c={"d": key})
    run.operation(lambda text: run.operation(print, name="inner")(text), name="outer")(key)
    run.run("cat", stdin=key)
    run.run("echo {x}", {"x": key})
    run.write("a.txt", key)
    run.read("a.txt")
    run.fetch(
        key.map(lambda text: f"https://example.com/{text}"), lambda *args, **more: None, headers={"a": key}
    )
    run.external("box:put", {"x": {"y": key}}, lambda x: x)
    run.interpret("py", "pass", {"x": key})
    run.log(key)
    with pytest.raises(Denied):
        run.show(key)
    with branch(key):
        run.log(CANARY)
    made.ledger.flush()
    assert CANARY not in made.ledger.path.read_text()


def test_events_say_what_they_follow_from(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    issue = made.monitor.external("github:list_issues", {}, lambda: "text")
    made.monitor.write("out.json", issue)
    call, allowed, written = made.events()
    assert allowed["inputs"] == [call["id"]]
    assert written["event"] == "write"
    assert written["taint"] == ["src:mcp"]
    assert written["inputs"] == [allowed["id"]]


def test_changes_of_labels_by_guards_are_events(tmp_path):
    guards = registry(
        guard("pii", AddLabels(names=("internal",)), name="classify"),
        guard("untrusted", Bless(), name="check", timing=Timing.AFTER),
        privileges=Privileges(Grant(source="test", names=("check",))),
    )
    made = bench(tmp_path, {}, guards=guards, recorded=True)
    result = made.monitor.operation(lambda text: text, name="keep")(
        Labeled("x", Labels.of("pii", "untrusted"))
    )
    assert result.labels.trusted
    events = {each["event"]: each for each in made.events()}
    assert (events["label"]["var"], events["label"]["add"], events["label"]["by"]) == (
        "@text",
        ["internal"],
        "guard:classify",
    )
    assert (events["bless"]["var"], events["bless"]["remove"], events["bless"]["add"]) == (
        "@output",
        ["untrusted"],
        ["trusted"],
    )


class Broken:
    """A ledger on a disk that is full."""

    salt = b"x" * 32
    path = None
    writer = None
    fail_closed = True

    def __init__(self):
        self.flushed = 0

    def append(self, event):
        raise LedgerError("no space left on the disk")

    def flush(self, durable=False):
        self.flushed += 1
        raise LedgerError("no space left on the disk")

    def digest(self, value):
        return "x"


def monitor(tmp_path, ledger, **policy):
    return Monitor(layers=layers({"defaults": policy} if policy else {}), ledger=ledger, cwd=tmp_path)


@pytest.mark.parametrize("ledger", [None, Broken()])
def test_where_policy_says_so_nothing_happens_without_its_event(tmp_path, ledger):
    made = monitor(tmp_path, ledger, fail_closed=True)
    ran = []
    for attempt in (
        lambda: made.operation(ran.append, name="x")(1),
        lambda: made.run("touch ran"),
        lambda: made.write("ran", "x"),
    ):
        with pytest.raises(Denied) as raised:
            attempt()
        assert raised.value.denial.code is Code.LEDGER_UNAVAILABLE
    assert ran == []
    assert not (tmp_path / "ran").exists()


def test_otherwise_a_broken_ledger_stops_nothing(tmp_path):
    made = monitor(tmp_path, Broken())
    ran = []
    made.operation(ran.append, name="x")(1)
    made.run("touch ran")
    assert ran == [1]
    assert (tmp_path / "ran").exists()


def test_what_outlives_the_program_is_written_before_it_happens(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    made.ledger.flush()
    seen = {}

    def lines():
        return made.ledger.path.read_text().count('"event":"allow"')

    made.monitor.operation(lambda: seen.setdefault("plain", lines()), name="plain")()
    made.monitor.operation(lambda: seen.setdefault("exfil", lines()), name="exfil", labels={"exfil"})()
    made.monitor.external("box:get", {}, lambda: seen.setdefault("tool", lines()))
    assert seen == {"plain": 0, "exfil": 2, "tool": 3}


def test_leaving_the_block_writes_what_was_noted(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    with made.monitor:
        made.monitor.show("x")
        assert isinstance(made.ledger, Ledger)
    assert '"event":"allow"' in made.ledger.path.read_text()


def test_threads_share_one_ledger_and_every_event_is_there(tmp_path):
    import threading

    made = bench(tmp_path, {}, recorded=True)
    work = made.monitor.operation(lambda n: n, name="work")
    threads = [threading.Thread(target=lambda: [work(n) for n in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made.events()) == 200

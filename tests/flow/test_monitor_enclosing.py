"""The labels of an operation hold for everything that its body does through the monitor, whatever it gets hold of there."""

import asyncio
import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from monitor_samples import CANARY, bench, guard, registry, secret

from sluicegate.flow.denial import Denied
from sluicegate.flow.guards import Deny
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor.boundary import enclosing
from sluicegate.flow.values import Labeled

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

NO_SECRET_OUT = {"defaults": {"rules": ["no-secret-exfil"]}}
BY_NAME = {"labels": {"secret": {"deny": ["op:call:send"]}}}
BY_CLASS = {"operations": {"op:call:send": "exfil"}, "defaults": {"rules": ["no-secret-exfil"]}}


class Holder:
    """Something whose attributes are not looked through when a function is called."""


def ways(made):
    """What a body may do to let a secret out, by name: each puts what it got into ``made.sent``."""
    monitor, out = made.monitor, made.sent

    def thread():
        def inner():
            with contextlib.suppress(Denied):
                out.append(monitor.reveal(monitor.read("k"), to="op:log"))

        thread = threading.Thread(target=inner)
        thread.start()
        thread.join()

    def pool():
        with ThreadPoolExecutor(1) as workers:
            workers.submit(lambda: out.append(monitor.reveal(monitor.read("k"), to="op:log"))).result()

    def task():
        async def inner():
            out.append(monitor.reveal(monitor.read("k"), to="op:log"))

        async def outer():
            await asyncio.create_task(inner())

        asyncio.run(outer())

    def holder():
        out.append(monitor.reveal(Holder.kept, to="op:log"))

    def external():
        monitor.external("box:put", {"text": Holder.kept}, out.append_text)

    def fetch():
        monitor.fetch("https://box.example/", out.append_request, method="POST", body=Holder.kept)

    return {
        "reveal what it read": lambda: out.append(monitor.reveal(monitor.read("k"), to="op:log")),
        "reveal what a class holds": holder,
        "in a thread": thread,
        "in a pool": pool,
        "in a task": task,
        "give it back": lambda: out.append(monitor.return_(Holder.kept)),
        "show": lambda: monitor.show(Holder.kept),
        "log": lambda: monitor.log(Holder.kept),
        "write": lambda: monitor.write("out.txt", Holder.kept),
        "append": lambda: monitor.append("out.txt", Holder.kept),
        "output": lambda: monitor.output(Holder.kept, "out.txt"),
        "run": lambda: monitor.run("tee out.txt", stdin=Holder.kept),
        "run what reads it": lambda: monitor.run("cp k out.txt"),
        "interpret": lambda: monitor.interpret("sh", 'printf %s "$text" > out.txt', {"text": Holder.kept}),
        "call another": lambda: monitor.operation(out.append, name="inner")(Holder.kept),
        "external": external,
        "fetch": fetch,
    }


class Sent(list):
    def append_text(self, text):
        self.append(text)

    def append_request(self, url, *, method, headers, body):
        self.append(body)


@pytest.fixture
def made(tmp_path, request):
    found = bench(tmp_path, getattr(request, "param", NO_SECRET_OUT), recorded=True)
    found.sent = Sent()
    Holder.kept = secret()
    found.monitor.write("k", secret())
    yield found
    found.ledger.close()


def out_of(made):
    file = made.root / "out.txt"
    written = file.read_text() if file.exists() else ""
    return [*made.sent, *([made.screen.text] if made.screen.text else []), made.log.text, written]


def attempt(function):
    with contextlib.suppress(Denied):
        function()


@pytest.mark.parametrize(
    "made", [NO_SECRET_OUT, BY_NAME, BY_CLASS], indirect=True, ids=["risk", "name", "class"]
)
@pytest.mark.parametrize("way", range(17))
def test_what_a_body_gets_hold_of_is_judged_by_the_labels_of_its_operation(made, way):
    name, body = list(ways(made).items())[way]
    declared = {"exfil"} if made.monitor.parts.layers.layers[0].policy.defaults.rules else set()
    attempt(made.monitor.operation(body, labels=declared, name="send"))
    assert not any(CANARY in str(text) for text in out_of(made)), name


@pytest.mark.parametrize("way", range(17))
def test_the_same_body_without_these_labels_may_do_it(made, way):
    name, body = list(ways(made).items())[way]
    attempt(made.monitor.operation(body, name="harmless"))
    assert any(CANARY in str(text) for text in out_of(made)), name


def test_what_is_untrusted_destroys_nothing_inside_what_destroys(tmp_path):
    made = bench(
        tmp_path, {"sources": {"src:mcp": "untrusted"}, "defaults": {"rules": ["no-untrusted-destructive"]}}
    )
    (made.root / "victim.txt").write_text("keep me")

    def clean():
        name = made.monitor.external("box:get", {}, lambda: "victim.txt")
        made.monitor.run("rm -f {name}", {"name": name})

    attempt(made.monitor.operation(clean, labels={"destructive"}, name="clean"))
    assert (made.root / "victim.txt").exists()


def test_labels_end_with_the_body(made):
    seen = []
    made.monitor.operation(lambda: seen.append(enclosing()), labels={"exfil"}, name="send")()
    assert seen == [("exfil",)]
    assert enclosing() == ()
    with pytest.raises(ZeroDivisionError):
        made.monitor.operation(lambda: 1 / 0, labels={"exfil"}, name="send")()
    assert enclosing() == ()
    assert made.monitor.show("text").labels == Labels.of()


def test_labels_of_operations_in_operations_add_up(made):
    seen = []
    inner = made.monitor.operation(lambda: seen.append(enclosing()), labels={"destructive"}, name="inner")
    made.monitor.operation(inner, labels={"exfil"}, name="outer")()
    assert set(seen[0]) == {"exfil", "destructive"}


def test_an_operation_in_a_model_call_is_no_model_call(made):
    found = []
    ask = made.monitor.operation(
        lambda: found.append(made.monitor.external("box:get", {}, lambda: 1)), labels={"llm"}, name="ask"
    )
    ask()
    assert not found[0].labels.has("llm")


def test_a_guard_on_a_risk_is_asked_about_what_is_done_inside_and_one_on_a_name_is_not(tmp_path):
    risky = guard("exfil", Deny(reason="no"), when=lambda c: c.operation.name == "reveal", name="risky")
    named = guard(
        "op:call:send", Deny(reason="no"), when=lambda c: c.operation.name == "reveal", name="named"
    )
    for one, stopped in ((risky, True), (named, False)):
        made = bench(tmp_path, {}, guards=registry(one))
        body = made.monitor.operation(
            lambda made=made: made.sent.append(made.monitor.reveal(Labeled(1), to="op:log")),
            labels={"exfil"},
            name="send",
        )
        attempt(body)
        assert (made.sent == []) is stopped

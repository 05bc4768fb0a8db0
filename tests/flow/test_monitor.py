"""What the monitor asks, in which order, and what results are labelled."""

import asyncio
import contextlib
import functools
import signal
import threading

import pytest
from monitor_samples import CANARY, bench, guard, layers, registry, secret

from sluicegate.flow.denial import Code, Denied
from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards import (
    AddLabels,
    AllowWith,
    Bless,
    BypassAll,
    Deny,
    Filter,
    Grant,
    Guard,
    GuardRule,
    Privileges,
    Retry,
    Timing,
)
from sluicegate.flow.labels import EMPTY, Labels, Trail
from sluicegate.flow.monitor import Monitor, NoMonitor, OperationFailed, current, operation
from sluicegate.flow.values import Labeled, LabeledFailure, branch, labels_of

SECRET_EXFIL = {"defaults": {"rules": ["no-secret-exfil"]}}


def sender(made, **options):
    """An operation that takes data out, and what it took."""

    @made.monitor.operation(labels={"exfil"}, name="send", **options)
    def send(value):
        made.sent.append(value)
        return value

    return send


def content(made, value):
    return made.monitor.reveal(value, to="op:log")


# Functions


def test_a_function_gets_plain_values_and_its_result_has_the_labels_of_what_went_in(tmp_path):
    made = bench(tmp_path, {})

    @made.monitor.operation
    def join(first, *rest, sep="-", **more):
        assert all(type(each) is str for each in (first, *rest, sep, *more.values()))
        return sep.join((first, *rest, *more.values()))

    result = join(secret("a"), Labeled("b", Labels.of("pii")), "c", sep="+", last=Labeled("d"))
    assert result.labels == Labels.of("secret", "pii")
    assert content(made, result) == "a+b+c+d"


def test_labels_are_found_at_any_depth(tmp_path):
    made = bench(tmp_path, SECRET_EXFIL)
    send = sender(made)
    for value in (
        [secret()],
        {"a": {"b": (1, [secret()])}},
        {"k": [{"z": secret()}]},
        functools.partial(print, secret()),
    ):
        with pytest.raises(Denied):
            send(value)
    assert made.sent == []
    send([1, {"a": Labeled("public", Labels.of("pii"))}])
    assert made.sent == [[1, {"a": "public"}]]


def test_what_is_not_labelled_is_passed_on_as_it_is(tmp_path):
    made = bench(tmp_path, {})
    given = [1, 2]

    @made.monitor.operation
    def grow(numbers):
        numbers.append(3)
        return numbers is given

    assert content(made, grow(given)) is True
    assert given == [1, 2, 3]


def test_what_a_function_has_captured_goes_in_too(tmp_path):
    made = bench(tmp_path, SECRET_EXFIL)
    key = secret()

    @made.monitor.operation(labels={"exfil"})
    def leak(default=key):
        made.sent.append("called")

    with pytest.raises(Denied):
        leak()
    assert made.sent == []


def test_the_labels_of_parts_stay_with_the_parts(tmp_path):
    made = bench(tmp_path, {})

    @made.monitor.operation
    def split(text):
        return {"name": "open", "key": Labeled("closed", Labels.of("secret"))}

    result = split(Labeled("x", Labels.of("pii")))
    assert result["name"].labels == Labels.of("pii")
    assert result["key"].labels == Labels.of("pii", "secret")


def test_a_source_labels_what_it_brings_and_policy_may_distrust_it(tmp_path):
    made = bench(
        tmp_path,
        {"sources": {"src:network": "untrusted"}, "defaults": {"rules": ["no-untrusted-destructive"]}},
    )

    @made.monitor.operation(labels={"net:r"}, source="src:network")
    def load(url):
        return "page"

    page = load("https://example.com")
    assert page.labels == Labels.of("src:network")
    with pytest.raises(Denied):
        made.monitor.operation(print, labels={"destructive"}, name="drop")(page)


def test_branches_label_results_and_effects(tmp_path):
    made = bench(tmp_path, SECRET_EXFIL)
    send = sender(made)

    @made.monitor.operation
    def constant():
        return 1

    with branch(secret()):
        assert constant().labels == Labels.of("secret")
        send("in a branch")
    assert made.sent == []
    assert send("outside").labels is EMPTY


def test_the_trail_tells_what_a_value_went_through(tmp_path):
    made = bench(tmp_path, {})
    (made.root / "a.txt").write_text("x")
    read = made.monitor.read("a.txt")
    result = sender(made)(made.monitor.run("cat", stdin=read)["stdout"])
    assert result.trail == Trail.of("file:read", "cmd:cat", "call:send")


def test_methods_classes_lambdas_and_builtins_can_be_operations(tmp_path):
    made = bench(tmp_path, SECRET_EXFIL)

    class Client:
        def __init__(self):
            self.seen = []

        @made.monitor.operation(labels={"exfil"})
        def post(self, text):
            self.seen.append(text)

    client = Client()
    client.post("public")
    with pytest.raises(Denied):
        client.post(secret())
    assert client.seen == ["public"]
    assert content(made, made.monitor.operation(len)([1, 2])) == 2
    assert content(made, made.monitor.operation(lambda x: x + 1, name="more")(Labeled(1))) == 2


def test_an_object_that_holds_a_labelled_value_goes_in_with_its_labels(tmp_path):
    made = bench(tmp_path, SECRET_EXFIL)

    class Client:
        def __init__(self):
            self.key = secret()

        @made.monitor.operation(labels={"exfil"})
        def post(self):
            made.sent.append(self.key)

    with pytest.raises(Denied):
        Client().post()


def test_a_function_that_is_unwrapped_is_not_found(tmp_path):
    import inspect

    made = bench(tmp_path, SECRET_EXFIL)
    send = sender(made)
    assert inspect.unwrap(send) is send
    assert str(inspect.signature(send)) == "(value)"
    assert send.__name__ == "send"


def test_results_that_would_run_later_are_refused(tmp_path):
    made = bench(tmp_path, {})
    for function in (lambda x: (y for y in [x]), lambda x: map(str, [x])):
        with pytest.raises(OperationFailed, match="runs later"):
            made.monitor.operation(function, name="later")("a")

    with pytest.raises(FlowError, match="piece by piece"):

        @made.monitor.operation
        def pieces():
            yield 1

    with pytest.raises(FlowError, match="asynchronous"):
        made.monitor.operation(lambda: asyncio.sleep(0), name="hidden")()


@pytest.mark.parametrize("wrong", ["exfil", 1, ["bad label"], ["secret!"]])
def test_labels_of_an_operation_are_checked_when_it_is_declared(tmp_path, wrong):
    with pytest.raises(FlowError):
        bench(tmp_path, {}).monitor.operation(labels=wrong)(print)


def test_wrong_arguments_raise_as_python_does(tmp_path):
    send = sender(bench(tmp_path, {}))
    with pytest.raises(TypeError):
        send("a", value="b")
    with pytest.raises(TypeError):
        send()
    with pytest.raises(TypeError):
        send("a", "b", "c")


def test_without_a_monitor_in_force_an_operation_does_not_run(tmp_path):
    ran = []

    @operation(labels={"exfil"})
    def send(value):
        ran.append(value)

    with pytest.raises(NoMonitor):
        send("a")
    made = bench(tmp_path, SECRET_EXFIL)
    with made.monitor:
        send("a")
        with pytest.raises(Denied):
            send(secret())
    with pytest.raises(NoMonitor):
        send("a")
    assert ran == ["a"]


# Asyncio


def test_coroutine_functions_are_operations_under_the_same_rules(tmp_path):
    made = bench(tmp_path, SECRET_EXFIL)

    @made.monitor.operation(labels={"exfil"})
    async def send(value):
        await asyncio.sleep(0)
        made.sent.append(value)
        return value

    async def program():
        result = await send(Labeled("public", Labels.of("pii")))
        with pytest.raises(Denied):
            await send(secret())
        with pytest.raises(Denied):
            await asyncio.gather(send("1"), send([secret()]), send("2"))
        return result

    assert asyncio.run(program()).labels == Labels.of("pii")
    assert CANARY not in str(made.sent)


def test_branches_of_one_task_are_not_those_of_another(tmp_path):
    made = bench(tmp_path, SECRET_EXFIL)

    @made.monitor.operation(labels={"exfil"})
    async def send(value):
        await asyncio.sleep(0)
        made.sent.append(value)

    async def inside():
        with branch(secret()):
            await asyncio.sleep(0)
            await send("inside")

    async def program():
        await asyncio.gather(inside(), send("outside"), inside(), send("outside"))

    asyncio.run(program())
    assert made.sent == ["outside", "outside"]


def test_an_operation_that_is_cancelled_says_nothing_of_its_inputs(tmp_path):
    made = bench(tmp_path, {})
    started = asyncio.Event()

    @made.monitor.operation
    async def wait(value):
        started.set()
        await asyncio.sleep(60)

    async def program():
        task = asyncio.create_task(wait(secret()))
        await started.wait()
        task.cancel()
        try:
            await task
        except asyncio.CancelledError as error:
            return error

    error = asyncio.run(program())
    assert error.args == ()
    assert error.__cause__ is None


@pytest.mark.parametrize("kind", [KeyboardInterrupt, GeneratorExit, asyncio.CancelledError])
def test_an_operation_that_raises_an_interruption_by_itself_has_failed(tmp_path, kind):
    made = bench(tmp_path, {})

    @made.monitor.operation
    def stops(value):
        raise kind(value)

    assert stops(secret()).labels.has("secret")


@pytest.mark.usefixtures("interrupts_heard")
def test_an_interruption_passes_without_leading_to_contents(tmp_path):
    made = bench(tmp_path, {})

    @made.monitor.operation
    def interrupted(value):
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as raised:
        interrupted(secret())
    assert raised.value.args == ()
    frames, trace = [], raised.value.__traceback__
    while trace is not None:
        frames.append(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    assert "interrupted" not in frames


# Endings


def test_an_error_on_plain_values_is_raised_as_it_is(tmp_path):
    made = bench(tmp_path, {})
    cause = KeyError("inner")

    @made.monitor.operation
    def boom(value):
        raise ValueError(value) from cause

    with pytest.raises(ValueError, match="plain") as raised:
        boom("plain")
    assert raised.value.__cause__ is cause


def test_an_error_on_a_labelled_value_is_a_value_that_failed(tmp_path):
    made = bench(tmp_path, {})

    @made.monitor.operation
    def boom(value):
        raise ValueError(f"cannot use {value}")

    result = boom(secret())
    assert result.labels == Labels.of("secret")
    assert CANARY not in repr(result)
    with pytest.raises(LabeledFailure) as raised:
        content(made, result)
    assert CANARY not in raised.value.diagnostics()
    assert content(made, result.failure) == f"ValueError: cannot use {CANARY}"
    assert "call test_monitor.test_an_error" in made.log.text
    assert CANARY not in made.log.text


def test_what_is_made_of_a_failure_fails_and_operations_on_it_fail(tmp_path):
    made = bench(tmp_path, {})
    broken = secret().map(lambda text: text[1000])
    send = sender(made)
    result = send(broken)
    assert made.sent == []
    assert content(made, result.failed) is True
    assert content(made, send([broken, 1]).failed) is True


def test_sys_exit_in_an_operation_does_not_end_the_program_by_a_secret(tmp_path):
    made = bench(tmp_path, {})

    @made.monitor.operation
    def leave(value):
        raise SystemExit(value)

    assert content(made, leave(secret()).failed) is True
    with pytest.raises(SystemExit):
        leave("plain")


def test_in_the_body_of_an_operation_errors_are_raised_and_then_labelled(tmp_path):
    made = bench(tmp_path, SECRET_EXFIL)
    send = sender(made)
    caught = []

    @made.monitor.operation
    def body(value):
        try:
            send(value)
        except Denied as denied:
            caught.append(denied.denial.code)
            raise

    result = body(secret())
    assert caught == [Code.POLICY_LABEL_FLOW_DENIED]
    assert content(made, result.failed) is True


def test_a_refusal_in_a_branch_is_no_oracle(tmp_path):
    made = bench(tmp_path, {"labels": {"secret": {"deny": ["op:show"]}}})
    told = []
    for key in ("a", "b"):
        with branch(secret(key) == "a"):
            if secret(key) == "a":
                try:
                    made.monitor.show("yes")
                except Denied:
                    told.append(key)
        made.monitor.show("after")
    assert told == []
    assert made.screen.text == "after\nafter\n"


def test_the_log_says_that_something_failed_only_where_its_labels_may_go(tmp_path):
    made = bench(tmp_path, {"labels": {"secret": {"deny": ["op:log", "op:show"]}}})
    with branch(secret()):
        result = made.monitor.show("x")
    assert made.log.text == ""
    assert result.labels == Labels.of("secret")


def test_denials_name_the_operation_and_its_labels_and_no_value(tmp_path):
    made = bench(tmp_path, SECRET_EXFIL)
    with pytest.raises(Denied) as raised:
        sender(made)(secret())
    denial = raised.value.denial
    assert denial.operation == "call send(value=<secret>)"
    assert denial.labels == ("secret",)
    assert denial.operation_labels == ("exfil",)
    assert labels_of(raised.value) is EMPTY
    assert CANARY not in raised.value.diagnostics()


# Guards


def test_policy_comes_first_and_guards_cannot_widen(tmp_path):
    asked = []

    def ask(context):
        asked.append(context.operation.name)
        return True

    allow = Guard(
        name="yes",
        timing=Timing.BEFORE,
        filter=Filter.of("exfil"),
        rules=(GuardRule(when=ask, then=Deny(reason="x")),),
    )
    made = bench(tmp_path, SECRET_EXFIL, guards=registry(allow))
    with pytest.raises(Denied) as raised:
        sender(made)(secret())
    assert raised.value.denial.code is Code.POLICY_LABEL_FLOW_DENIED
    assert asked == []
    with pytest.raises(Denied) as raised:
        sender(made)("public")
    assert raised.value.denial.code is Code.GUARD_DENIED
    assert made.sent == []


def test_a_guard_that_decides_by_content_gives_a_failed_value_and_no_exception(tmp_path):
    long = guard("exfil", when=lambda context: context.input.map(lambda text: len(text) > 5))
    made = bench(tmp_path, {}, guards=registry(long))
    send = sender(made)
    first, second = send(secret("short")), send(secret("much longer"))
    assert made.sent == ["short"]
    assert (first.labels, second.labels) == (Labels.of("secret"), Labels.of("secret"))
    assert content(made, second.failed) is True


def test_a_guard_that_decides_by_labels_raises(tmp_path):
    made = bench(tmp_path, {}, guards=registry(guard("secret", when=lambda context: context.has("secret"))))
    with pytest.raises(Denied):
        sender(made)(secret())


def test_a_transform_goes_in_with_the_labels_of_what_it_replaces_and_is_asked_about_again(tmp_path):
    masked = guard("secret", AllowWith(value="***"))
    made = bench(tmp_path, {}, guards=registry(masked))
    result = sender(made)(secret())
    assert made.sent == ["***"]
    assert result.labels == Labels.of("secret")


def test_labels_that_a_guard_adds_are_asked_about_again(tmp_path):
    worse = guard("op:call", AddLabels(names=("exfil",)))
    made = bench(tmp_path, SECRET_EXFIL, guards=registry(worse))
    ran = []

    @made.monitor.operation
    def harmless(value):
        ran.append(value)

    harmless("public")
    with pytest.raises(Denied):
        harmless(secret())
    assert ran == ["public"]


def test_a_guard_sees_what_was_captured_and_the_branch(tmp_path):
    made = bench(tmp_path, {}, guards=registry(guard("secret")))
    key = secret()

    @made.monitor.operation
    def hidden():
        made.sent.append(key)

    @made.monitor.operation
    def plain():
        made.sent.append("plain")

    with pytest.raises(Denied):
        hidden()
    with branch(key):
        plain()
    assert made.sent == []
    plain()
    assert made.sent == ["plain"]


def test_guards_after_see_and_change_the_result(tmp_path):
    made = bench(
        tmp_path,
        {},
        guards=registry(guard("op:call", AllowWith(value="clean"), timing=Timing.AFTER, name="wash")),
    )

    @made.monitor.operation
    def dirty():
        return "dirty"

    assert content(made, dirty()) == "clean"


def test_a_denial_after_the_effect_withholds_the_result(tmp_path):
    made = bench(tmp_path, {}, guards=registry(guard("exfil", timing=Timing.AFTER)))
    with pytest.raises(Denied):
        sender(made)("x")
    assert made.sent == ["x"]


def test_a_model_is_asked_again_three_times_and_then_denied(tmp_path):
    again = guard("llm", Retry(hint="better"), timing=Timing.AFTER)
    made = bench(tmp_path, {}, guards=registry(again))
    calls = []

    @made.monitor.operation(labels={"llm"})
    def ask(prompt):
        calls.append(prompt)
        return "answer"

    with pytest.raises(Denied):
        ask("q")
    assert calls == ["q"] * 4


def test_a_retry_asks_for_other_inputs_and_keeps_their_labels(tmp_path):
    wish = guard(
        "exfil", Retry(hint="shorter"), when=lambda context: context.input.map(lambda text: len(text) > 3)
    )
    made = bench(tmp_path, {}, guards=registry(wish))
    hints = []

    def again(hint, given):
        hints.append(hint)
        return {"value": "abc"}

    result = sender(made, again=again)(Labeled("abcdef", Labels.of("pii")))
    assert hints == ["shorter"]
    assert made.sent == ["abc"]
    assert result.labels == Labels.of("pii")
    with pytest.raises(Denied, match="asks for another input"):
        sender(made)("abcdef")


def test_always_guards_hear_of_what_policy_denies(tmp_path):
    heard = []

    def hear(context):
        heard.append((context.operation.name, context.denial and str(context.denial.code)))
        return False

    account = Guard(
        name="account",
        timing=Timing.ALWAYS,
        filter=Filter.of("*"),
        rules=(GuardRule(when=hear, then=Deny(reason="")),),
    )
    made = bench(tmp_path, SECRET_EXFIL, guards=registry(account))
    with pytest.raises(Denied):
        sender(made)(secret())
    assert heard == [("send", "POLICY_LABEL_FLOW_DENIED")]


def test_effects_in_a_guards_body_go_through_the_monitor(tmp_path):
    held = []

    def tell(context):
        held.append(made.monitor.show(context.input))
        return False

    made = bench(
        tmp_path, {"labels": {"secret": {"deny": ["op:show"]}}}, guards=registry(guard("exfil", when=tell))
    )
    send = sender(made)
    send("public")
    with pytest.raises(Denied):
        send(secret())  # the body's effect is denied, so the guard cannot decide
    assert made.screen.text == "public\n"
    assert made.sent == ["public"]


def test_a_guard_whose_body_asks_itself_ends_in_a_denial(tmp_path):
    def tell(context):
        made.monitor.log("asked")
        return False

    made = bench(tmp_path, {}, guards=registry(guard("op:log", when=tell)))
    with pytest.raises(Denied):
        made.monitor.log("x")
    assert made.log.text == ""


def test_bypassing_guards_is_refused_unless_configured(tmp_path):
    made = bench(tmp_path, {}, guards=registry(guard("exfil")))
    with pytest.raises(Denied) as raised:
        sender(made, guards=BypassAll())("x")
    assert raised.value.denial.code is Code.GUARD_BYPASS_BLOCKED
    loose = bench(tmp_path, SECRET_EXFIL, guards=registry(guard("exfil"), allow_bypass=True))
    sender(loose, guards=BypassAll())("x")
    with pytest.raises(Denied) as raised:
        sender(loose, guards=BypassAll())(secret())
    assert raised.value.denial.code is Code.POLICY_LABEL_FLOW_DENIED
    assert loose.sent == ["x"]


def test_a_privileged_guard_blesses_the_result_and_the_next_operation_sees_it(tmp_path):
    bless = guard("src:network", Bless(), timing=Timing.AFTER, name="check")
    guards = registry(bless, privileges=Privileges(Grant(source="test", names=("check",))))
    made = bench(
        tmp_path,
        {"sources": {"src:network": "untrusted"}, "defaults": {"rules": ["no-untrusted-destructive"]}},
        guards=guards,
    )

    @made.monitor.operation(source="src:network")
    def load():
        return "x"

    @made.monitor.operation(labels={"destructive"})
    def drop(value):
        return "dropped"

    page = load()
    assert page.labels.trusted
    drop(page)
    unblessed = bench(
        tmp_path,
        {"sources": {"src:network": "untrusted"}, "defaults": {"rules": ["no-untrusted-destructive"]}},
    )
    with pytest.raises(Denied):
        unblessed.monitor.operation(lambda v: v, labels={"destructive"}, name="drop")(
            page.labelled("untrusted")
        )


# Influence


@pytest.mark.parametrize(
    ("labels", "rule", "influenced"),
    [
        (("untrusted",), True, True),
        (("src:mcp",), True, False),
        ((), True, False),
        (("untrusted",), False, False),
    ],
)
def test_what_a_model_makes_of_untrusted_data_is_influenced(tmp_path, labels, rule, influenced):
    made = bench(tmp_path, {"defaults": {"rules": ["untrusted-llms-get-influenced"]}} if rule else {})

    @made.monitor.operation(labels={"llm"})
    def ask(prompt):
        return "answer"

    result = ask(Labeled("q", Labels.of(*labels)))
    assert ("influenced" in result.labels) is influenced
    assert "llm" in result.labels


def test_a_branch_on_untrusted_data_influences_a_model_too(tmp_path):
    made = bench(tmp_path, {"defaults": {"rules": ["untrusted-llms-get-influenced"]}})
    ask = made.monitor.operation(lambda prompt: "answer", labels={"llm"}, name="ask")
    with branch(Labels.of("untrusted")):
        assert "influenced" in ask("q").labels


# Tools


def test_tools_are_counted_without_a_race_under_asyncio_and_threads(tmp_path):
    few = guard("op:mcp", when=lambda context: len(context.tools.calls) >= 4)
    made = bench(tmp_path, {}, guards=registry(few))
    done = []

    async def effect(n):
        await asyncio.sleep(0)
        done.append(n)

    async def program():
        calls = [made.monitor.aio.external("box:put", {"n": n}, effect) for n in range(12)]
        return await asyncio.gather(*calls, return_exceptions=True)

    results = asyncio.run(program())
    assert len(done) == 4
    assert sum(isinstance(each, Denied) for each in results) == 8

    threaded = bench(tmp_path, {}, guards=registry(few))
    ran, start = [], threading.Barrier(12)

    def call(n):
        start.wait()
        with contextlib.suppress(Denied):
            threaded.monitor.external("box:put", {"n": n}, lambda n: ran.append(n))

    threads = [threading.Thread(target=call, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ran) == 4


def test_a_scope_and_policy_say_which_tools_may_be_called(tmp_path):
    made = bench(tmp_path, {"env": {"tools": ["list", "get"], "mcps": ["box"]}})
    call = made.monitor.external
    call("box:list", {}, lambda: 1)
    for name in ("box:drop", "other:list"):
        with pytest.raises(Denied) as raised:
            call(name, {}, lambda: 1)
        assert raised.value.denial.code is Code.ENV_ATTENUATION_DENIED
    with made.monitor.tools(allowed={"get"}), pytest.raises(Denied):
        call("box:list", {}, lambda: 1)


def test_a_refused_call_is_not_counted(tmp_path):
    seen = []

    def note(context):
        seen.append(context.tools.calls)
        return False

    made = bench(tmp_path, SECRET_EXFIL, guards=registry(guard("op:mcp", when=note)))
    with pytest.raises(Denied):
        made.monitor.external("box:put", {"v": secret()}, lambda v: 1, labels={"exfil"})
    made.monitor.external("box:put", {"v": 1}, lambda v: 1, labels={"exfil"})
    made.monitor.external("box:get", {}, lambda: 1)
    assert seen == [(), ("put",)]


# In force


def test_tasks_may_each_have_a_monitor_in_force(tmp_path):
    first, second = bench(tmp_path, SECRET_EXFIL), bench(tmp_path, {})
    turn = asyncio.Event()

    @operation(labels={"exfil"})
    def send(value):
        return value

    async def strict():
        with first.monitor:
            turn.set()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            with pytest.raises(Denied):
                send(secret())

    async def loose():
        await turn.wait()
        with second.monitor:
            assert send(secret()).labels == Labels.of("secret")
            await asyncio.sleep(0)

    async def program():
        await asyncio.gather(strict(), loose())

    asyncio.run(program())


def test_monitors_in_each_other_give_way_again(tmp_path):
    first, second = bench(tmp_path, {}), bench(tmp_path, {})
    with first.monitor, second.monitor:
        assert current() is second.monitor
        with first.monitor:
            assert current() is first.monitor
        assert current() is second.monitor


def test_the_state_beside_a_program_is_protected_by_default(tmp_path):
    made = Monitor(layers=layers(), cwd=tmp_path)
    for attempt in (
        lambda: made.write("sluicegate.toml", "x"),
        lambda: made.write(".sluicegate/sec/x", "x"),
        lambda: made.read("/proc/self/environ"),
        lambda: made.run("cat /proc/self/environ"),
    ):
        with pytest.raises(Denied) as raised:
            attempt()
        assert raised.value.denial.code is Code.STATE_PROTECTED
    made.run("echo 'see sluicegate.toml (new)'")


def test_a_command_has_the_labels_it_was_defined_with(tmp_path):
    made = bench(tmp_path, SECRET_EXFIL)
    post = made.monitor.command("echo {x}", labels={"exfil"})
    with pytest.raises(Denied):
        made.monitor.run(post, {"x": secret()})
    with pytest.raises(FlowError, match="labels already"):
        made.monitor.run(post, {"x": "a"}, labels={"safe"})


def test_an_error_that_only_the_place_tells_of_is_raised_whatever_goes_in(tmp_path):
    made = bench(tmp_path, {})
    with pytest.raises(OperationFailed, match="No such file"):
        made.monitor.write("missing/a.txt", secret())
    with branch(secret()):
        assert content(made, made.monitor.write("missing/a.txt", "x").failed) is True


def test_a_template_made_in_a_branch_is_as_closed_as_the_branch(tmp_path):
    made = bench(tmp_path, {})
    with branch(secret()):
        template = made.monitor.template("x", "words")
    assert template.fill().labels == Labels.of("secret")


# Showing


class Screen:
    def __init__(self, terminal):
        self.terminal, self.text = terminal, ""

    def isatty(self):
        return self.terminal

    def write(self, text):
        self.text += text
        return len(text)

    def flush(self):
        pass


@pytest.mark.parametrize(("terminal", "expected"), [(True, "a?[2J?b\tc\n"), (False, "a\x1b[2J\u202eb\tc\n")])
def test_what_steers_a_terminal_is_not_written_to_one(tmp_path, terminal, expected):
    from sluicegate.flow.monitor.effects.words import Terminal

    screen = Screen(terminal)
    made = Monitor(layers=layers(), cwd=tmp_path, screen=lambda: Terminal(screen))
    made.show(Labeled("a\x1b[2J\u202eb\tc"))
    assert screen.text == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [("a", "a"), (b"\xff", "\ufffd"), ({"a": [1, "é"]}, '{"a": [1, "é"]}'), ((1, 2), "[1, 2]"), ({1}, "{1}"), (None, "None"), (1.5, "1.5")],
)  # fmt: skip
def test_values_are_shown_as_people_read_them(tmp_path, value, text):
    made = bench(tmp_path, {})
    made.monitor.show(value)
    assert made.screen.text == f"{text}\n"


def test_pieces_are_passed_on_as_they_are(tmp_path):
    made = bench(tmp_path, {})
    for piece in ("a", "b"):
        made.monitor.stream(piece)
    made.monitor.output("c")
    made.monitor.output("d", "stderr")
    assert (made.screen.text, made.log.text) == ("abc", "d")


def test_a_screen_that_is_gone_is_an_error(tmp_path):
    class Gone:
        def write(self, text):
            raise BrokenPipeError("gone")

    with pytest.raises(BrokenPipeError):
        Monitor(layers=layers(), cwd=tmp_path, screen=Gone).show("x")

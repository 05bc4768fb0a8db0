"""Every way in which a value can reach a sink, crossed with every kind of rule that closes it.

A secret is sent on its way through the same small program twice: once with the rule, and nothing of it may come out
anywhere; once without, and it has to come out, which shows that the way leads somewhere. What comes out is everything
that a closed sink shows: what operations took, the screen, the log, files, answers of commands, exceptions.
"""

import asyncio
import concurrent.futures
import contextlib
import functools
import logging
import threading
import traceback

import pytest
from monitor_samples import CANARY, bench, guard, registry, secret

from sluicegate.flow.denial import Denied
from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards import AllowWith, Deny, Filter, Guard, GuardRule, Retry, Timing
from sluicegate.flow.labels import Labels
from sluicegate.flow.values import Labeled, branch, select

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


SINKS = ("op:show", "op:log", "op:stream", "op:output", "op:write", "op:append", "op:return", "op:fetch", "op:mcp", "op:cmd", "op:sh", "op:py")  # fmt: skip
CATEGORIES = ("show", "log", "stream", "output", "append", "fs:w:**", "return", "network", "mcp", "cmd", "sh", "py", "call")  # fmt: skip


def closed_to_secrets(context):
    return context.has("secret")


RULES = {
    "no-secret-exfil": (
        {"defaults": {"rules": ["no-secret-exfil"]}, "operations": dict.fromkeys(SINKS, "exfil")},
        (),
    ),
    "label rule": ({"labels": {"secret": {"deny": ["exfil", *SINKS]}}}, ()),
    "capability": ({"capabilities": {"deny": list(CATEGORIES)}}, ()),
    "guard": (
        {},
        tuple(
            guard(word, Deny(reason="no secrets"), when=closed_to_secrets, name=f"watch{n}")
            for n, word in enumerate(("exfil", *SINKS))
        ),
    ),
}


class Way:
    """What a way has to work with: a monitor, operations on it, and a place for what comes out."""

    def __init__(self, made):
        self.made, self.monitor, self.out = made, made.monitor, made.sent

        @self.monitor.operation(labels={"exfil"}, name="send")
        def send(value, *more, **named):
            self.out.append((value, more, named))
            return value

        @self.monitor.operation(labels={"exfil"}, name="send_async")
        async def send_async(value):
            await asyncio.sleep(0)
            self.out.append(value)
            return value

        @self.monitor.operation(name="helper")
        def helper(function, *values):
            return function(*values)

        self.send, self.send_async, self.helper = send, send_async, helper

    def answer(self, value):
        """What a program does with an answer that it is not to see: it sends it on."""
        self.send(value)


WAYS = {}


def way(function):
    WAYS[function.__name__.replace("_", " ")] = function
    return function


@way
def direct(to, key):
    to.send(key)


@way
def by_name(to, key):
    to.send("x", key=key)


@way
def further_arguments(to, key):
    to.send("x", "y", key)


@way
def in_a_list(to, key):
    to.send([1, key])


@way
def nested_deep(to, key):
    to.send({"a": [{"b": (1, {"c": key})}]})


@way
def dictionary_key(to, key):
    to.send(key.map(lambda text: {text: 1}))


@way
def mapped_over_a_list(to, key):
    list(map(to.send, ["a", key, "b"]))


@way
def for_each_part(to, key):
    for part in (Labeled("a"), key):
        to.send(part)


@way
def labelled_map(to, key):
    key.map(to.send)


@way
def each_of_a_container(to, key):
    Labeled(["a", key]).each(to.send)


@way
def partial_application(to, key):
    functools.partial(to.send, "x", key)()


@way
def closure(to, key):
    @to.monitor.operation(labels={"exfil"}, name="closure")
    def closure():
        to.out.append(to.monitor.reveal(key, to="op:call"))

    closure()


@way
def default_argument(to, key):
    @to.monitor.operation(labels={"exfil"}, name="default")
    def default(value=key):
        to.out.append(to.monitor.reveal(value, to="op:call"))

    default()


@way
def lambda_in_an_argument(to, key):
    to.send("x", lambda: key)
    to.helper(lambda: to.send(key))


@way
def bound_object(to, key):
    class Client:
        def __init__(self):
            self.key = key

    Client.post = to.monitor.operation(
        lambda self: to.out.append(to.monitor.reveal(self.key, to="op:call")), labels={"exfil"}, name="post"
    )
    Client().post()


@way
def from_another_operation(to, key):
    to.helper(to.send, key)


@way
def operation_in_operation_in_operation(to, key):
    to.helper(to.helper, to.helper, to.send, key)


@way
def asynchronous(to, key):
    asyncio.run(_await(lambda: to.send_async(key)))


@way
def gathered(to, key):
    asyncio.run(
        _await(lambda: asyncio.gather(to.send_async("a"), to.send_async([key]), return_exceptions=True))
    )


@way
def task(to, key):
    async def program():
        task = asyncio.create_task(to.send_async(key))
        await asyncio.wait({task})
        task.exception()

    asyncio.run(program())


@way
def asyncio_to_thread(to, key):
    asyncio.run(_await(lambda: asyncio.to_thread(to.send, key)))


@way
def thread(to, key):
    def quietly():
        with contextlib.suppress(FlowError):
            to.send(key)

    started = threading.Thread(target=quietly)
    started.start()
    started.join()


@way
def thread_from_a_body(to, key):
    @to.monitor.operation(name="body")
    def body(plain):
        started = threading.Thread(target=lambda: to.send(plain))
        started.start()
        started.join()

    body(key)


@way
def pool_from_a_body(to, key):
    @to.monitor.operation(name="body")
    def body(plain):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            pool.submit(to.send, plain).exception()

    body(key)


@way
def standard_input(to, key):
    to.answer(to.monitor.run("cat", stdin=key)["stdout"])


@way
def argument_of_a_command(to, key):
    to.answer(to.monitor.run("printf %s {text}", {"text": key})["stdout"])


@way
def list_of_arguments(to, key):
    to.answer(to.monitor.run("printf %s {texts...}", {"texts": ["a", key]})["stdout"])


@way
def environment_variable(to, key):
    to.answer(to.monitor.run("printenv TOLD", environment={"TOLD": key})["stdout"])


@way
def using(to, key):
    to.answer(to.monitor.run("printenv TOLD", using={"TOLD": key})["stdout"])


@way
def later_stage_of_a_pipeline(to, key):
    to.answer(to.monitor.run("printf %s {text} | cat | cat", {"text": key})["stdout"])


@way
def shell_code(to, key):
    to.answer(to.monitor.interpret("sh", 'printf %s "$TOLD"', {"TOLD": key})["stdout"])


@way
def python_code(to, key):
    to.answer(to.monitor.interpret("py", "import sys; print(sys.stdin.read())", {"told": key})["stdout"])


@way
def code_made_of_it(to, key):
    to.answer(to.monitor.interpret("sh", key.map(lambda text: f"echo {text}"))["stdout"])


@way
def command_in_code_made_of_it(to, key):
    to.answer(to.monitor.interpret("sh", key.map(lambda text: f"x=$(printf %s {text}) && echo $x"))["stdout"])


@way
def redirection_in_code_made_of_it(to, key):
    to.monitor.interpret("sh", key.map(lambda text: f"{{ echo {text}; }} > told.txt"))
    to.answer(to.monitor.read("told.txt"))


@way
def code_made_of_it_that_is_not_read(to, key):
    to.answer(to.monitor.interpret("sh", key.map(lambda text: f"eval 'echo {text}'"))["stdout"])


@way
def code_beside_it_that_is_not_read(to, key):
    to.answer(to.monitor.interpret("sh", 'eval "echo $TOLD"', {"TOLD": key})["stdout"])


@way
def error_output_of_a_command(to, key):
    to.answer(to.monitor.run("ls {path}", {"path": key})["stderr"])


@way
def file_name(to, key):
    to.monitor.write(key.map(lambda text: f"{text}.txt"), "x")
    to.out.append([path.name for path in to.made.root.iterdir()])


@way
def file_content(to, key):
    to.monitor.write("kept.txt", key)


@way
def appended_to_a_file(to, key):
    to.monitor.append("kept.txt", key)


@way
def output_to_a_file(to, key):
    to.monitor.output(key, "kept.txt")


@way
def content_read_again(to, key):
    to.made.keep("kept.txt", key)
    to.send(to.monitor.read("kept.txt"))


@way
def copy_read_again(to, key):
    to.made.keep("kept.txt", key)
    (to.made.root / "copy.txt").write_bytes((to.made.root / "kept.txt").read_bytes())
    to.send(to.monitor.read("copy.txt"))


@way
def file_named_in_a_command(to, key):
    to.made.keep("kept.txt", key)
    to.answer(to.monitor.run("cat kept.txt")["stdout"])


@way
def shown(to, key):
    to.monitor.show(key)


@way
def streamed(to, key):
    to.monitor.stream(key)


@way
def standard_error(to, key):
    to.monitor.output(key, "stderr")


@way
def returned(to, key):
    to.out.append(to.monitor.return_(key))


@way
def log_line(to, key):
    to.monitor.log(Labeled.format("the key is {}", key))


@way
def address(to, key):
    to.monitor.fetch(
        key.map(lambda text: f"https://example.com/?q={text}"), lambda url, **_: to.out.append(url)
    )


@way
def header(to, key):
    to.monitor.fetch(
        "https://example.com", lambda url, **more: to.out.append(more), headers={"Authorization": key}
    )


@way
def argument_of_a_tool(to, key):
    to.monitor.external("box:put", {"text": {"a": key}}, lambda text: to.out.append(text))


@way
def error_message(to, key):
    @to.monitor.operation(name="boom")
    def boom(value):
        raise ValueError(f"cannot use {value}")

    to.send(boom(key).failure)


@way
def error_message_of_a_map(to, key):
    to.send(key.map(int).failure)


@way
def format_string(to, key):
    to.send(Labeled.format("Bearer {}", key))


@way
def concatenation(to, key):
    to.send("Bearer " + key + "!")


@way
def slices(to, key):
    for place in range(len(CANARY)):
        to.send(key[place])
    to.out.append("".join(str(value) for value, *_ in to.out if isinstance(value, str)))


@way
def chosen_by_it(to, key):
    to.send(select(key == CANARY, CANARY, "other"))


@way
def branch_on_it(to, key):
    with branch(key == CANARY):
        if key == CANARY:
            to.send(CANARY)


@way
def loop_over_it(to, key):
    with branch(key):
        for _ in key:
            to.send(CANARY)


@way
def body_of_a_guard(to, key):
    def tell(context):
        with contextlib.suppress(FlowError):
            to.send(context.input)
        return False

    to.monitor.parts.guards.add(guard("fn:helper", when=tell, name="teller"))
    to.helper(lambda value: None, key)


@way
def transformed_by_a_guard(to, key):
    def shout(context):
        return AllowWith(value=context.input.map(str))

    louder = Guard(
        name="louder", timing=Timing.BEFORE, filter=Filter.of("fn:send"), rules=(GuardRule(then=shout),)
    )
    to.monitor.parts.guards.add(louder)
    to.send(key)


@way
def put_in_by_a_guard(to, key):
    other = Guard(
        name="other",
        timing=Timing.BEFORE,
        filter=Filter.of("fn:send"),
        rules=(GuardRule(then=AllowWith(value=key)),),
    )
    to.monitor.parts.guards.add(other)
    to.send("harmless")


@way
def given_by_a_retry(to, key):
    once = guard("fn:again", Retry(hint="better"), when=lambda context: context.attempt == 0, name="once")
    to.monitor.parts.guards.add(once)
    again = to.monitor.operation(
        lambda value: to.out.append(value),
        labels={"exfil"},
        name="again",
        again=lambda hint, given: {"value": key},
    )
    again("harmless")


@way
def result_of_a_tool(to, key):
    to.send(to.monitor.external("box:get", {}, lambda: {"data": key}))


async def _await(make):
    with contextlib.suppress(FlowError):
        await make()


def walk(tmp_path, caplog, walked, policy, guards, key):
    """Everything that comes out of one way, as one text."""
    made = bench(tmp_path, policy, guards=registry(*guards), recorded=True)
    told = []

    def keep(name, value):
        """A file with the value in it, written where nothing was closed yet."""
        from sluicegate.flow.monitor.opening import unseal

        path = made.root / name
        path.write_text(unseal(value))
        made.monitor.parts.files.remember(path, value.labels.names(), "test")

    made.keep = keep
    before = None
    with caplog.at_level(logging.DEBUG):
        try:
            walked(Way(made), key)
        except FlowError as error:
            told.append("".join(traceback.format_exception(error)))
    before = {path for path in ("kept.txt", "copy.txt") if walked.__name__ in KEEPS}
    files = {
        path.name: path.read_text()
        for path in made.root.iterdir()
        if path.is_file() and path.name not in before
    }
    made.ledger.close()
    assert CANARY not in (made.root / ".sluicegate" / "sec" / "audit.jsonl").read_text()
    return str([made.sent, made.screen.text, made.log.text, files, told, caplog.text])


ARRIVED = {"using": "<secret:TOLD>"}
"""What shows that a way was gone to its end, where the second line cuts the value itself out (``scrub``)."""

KEEPS = {"content_read_again", "copy_read_again", "file_named_in_a_command"}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", WAYS)
def test_no_way_leads_a_secret_past_a_rule(tmp_path, caplog, name, rule):
    policy, guards = RULES[rule]
    out = walk(tmp_path, caplog, WAYS[name], policy, guards, secret())
    assert CANARY not in out
    assert ARRIVED.get(name, CANARY) not in out


@pytest.mark.parametrize("name", WAYS)
def test_without_a_rule_every_way_leads_to_its_sink(tmp_path, caplog, name):
    assert ARRIVED.get(name, CANARY) in walk(tmp_path, caplog, WAYS[name], {}, (), secret())


@pytest.mark.parametrize("rule", [name for name in RULES if name != "capability"])
@pytest.mark.parametrize("name", sorted(set(WAYS) - {"put in by a guard", "given by a retry"}))
def test_with_a_rule_what_is_not_secret_still_passes(tmp_path, caplog, name, rule):
    policy, guards = RULES[rule]
    out = walk(tmp_path, caplog, WAYS[name], policy, guards, Labeled(CANARY, Labels.of("pii")))
    assert ARRIVED.get(name, CANARY) in out


@pytest.mark.parametrize("shape", [str, repr, "{}".format, "%s".__mod__, "{!r:>40}".format, ascii])
def test_text_made_by_python_itself_shows_a_placeholder(tmp_path, shape):
    made = bench(tmp_path, {})
    made.monitor.show(shape(secret()))
    assert CANARY not in made.screen.text
    assert "<secret>" in made.screen.text


def test_what_python_does_with_plain_content_of_a_value_raises():
    key = secret()
    for use in (
        hash,
        bytes,
        int,
        float,
        len,
        iter,
        bool,
        lambda value: {value: 1},
        open,
    ):
        with pytest.raises(FlowError):
            use(key)


def test_a_denial_in_the_middle_of_a_list_lets_nothing_after_it_pass(tmp_path):
    made = bench(tmp_path, {"defaults": {"rules": ["no-secret-exfil"]}})
    to = Way(made)
    with pytest.raises(Denied):
        list(map(to.send, ["a", secret(), "b"]))
    assert [value for value, *_ in made.sent] == ["a"]

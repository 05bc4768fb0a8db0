"""Ways around labels that were found by looking for them: each is a small program that got something out."""

import asyncio
import contextlib
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from monitor_samples import CANARY, bench, guard, registry, secret
from msgspec.structs import replace

from sluicegate.flow.denial import Code, Denied
from sluicegate.flow.environments.configuration.reading import read_environment
from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards import Deny, Retry, UseEnvironment
from sluicegate.flow.instructions import Template, in_model, telling
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor.boundary import catching, caught
from sluicegate.flow.values import Labeled, branch

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


isolated = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


def content(made, value):
    return made.monitor.reveal(value, to="op:log")


# What is decided by what happened before.


@pytest.mark.parametrize("bit", [True, False])
def test_what_is_refused_because_of_calls_in_a_branch_tells_of_that_branch(tmp_path, bit):
    few = guard("op:mcp", Deny(reason="one is enough"), when=lambda c: len(c.tools.calls) >= 1)
    made = bench(tmp_path, {}, guards=registry(few))
    answer = secret(bit)
    with branch(answer):
        if answer:
            made.monitor.external("box:put", {}, lambda: 1)
    second = made.monitor.external("box:put", {}, lambda: 1)  # goes on, whichever way the branch went
    assert content(made, second.failed) is bit
    assert second.labels.has("secret") is bit


def test_a_guard_that_does_not_look_at_calls_is_not_told_of_them(tmp_path):
    made = bench(tmp_path, {}, guards=registry(guard("op:mcp", when=lambda c: False)))
    with branch(secret(True)):
        made.monitor.external("box:put", {}, lambda: 1)
    assert not made.monitor.external("box:put", {}, lambda: 1).labels.has("secret")


def test_refusing_a_call_by_its_content_labels_the_row_as_well(tmp_path):
    picky = guard("fn:put", Deny(reason="no"), when=lambda c: c.input.map(lambda x: x == 1), name="picky")
    few = guard("fn:get", Deny(reason="no"), when=lambda c: len(c.tools.calls) >= 1, name="few")
    made = bench(tmp_path, {}, guards=registry(picky, few))
    for number in (1, 2):
        made.monitor.external("box:put", {"x": secret(number)}, lambda x: x)
    assert made.monitor.external("box:get", {}, lambda: 1).labels.has("secret")


def test_who_is_asked_again_does_not_tell_by_failing(tmp_path):
    made = bench(tmp_path, {}, guards=registry(guard("fn:send", Retry(hint="shorter"))))

    def again(hint, given):
        if given["text"]:
            raise ValueError("it is true")
        return None

    send = made.monitor.operation(made.sent.append, name="send", again=again)
    ends = [send(text=secret(bit)) for bit in (True, False)]
    assert [end.labels.has("secret") for end in ends] == [True, True]
    assert made.sent == []


def test_a_group_of_errors_is_no_interruption(tmp_path):
    made = bench(tmp_path, {})

    def several(text):
        raise BaseExceptionGroup(text, [ValueError(text), KeyboardInterrupt(text)])

    assert made.monitor.operation(several, name="several")(secret()).labels.has("secret")
    assert secret().map(several).labels.has("secret")


def test_a_guard_that_exits_denies(tmp_path):
    def leave(context):
        raise SystemExit(3)

    made = bench(tmp_path, {}, guards=registry(guard("op:show", when=leave)))
    with pytest.raises(Denied, match="SystemExit"):
        made.monitor.show("x")


def test_labelled_words_of_a_denial_are_shown_by_their_labels(tmp_path):
    says = guard("op:show", lambda c: Deny(reason="no", code=c.input, suggestion=c.input))
    made = bench(tmp_path, {}, guards=registry(says))
    with pytest.raises(Denied) as caught_error:
        made.monitor.show(secret())
    assert CANARY not in caught_error.value.diagnostics()
    assert "<secret>" in caught_error.value.diagnostics()


def test_two_that_catch_errors_and_overlap_leave_nothing_behind():
    first, second = catching(Labels.of("secret")), catching(Labels.of("pii"))
    first.__enter__()
    second.__enter__()
    assert caught() == Labels.of("secret", "pii")
    first.__exit__(None, None, None)
    assert caught() == Labels.of("pii")
    second.__exit__(None, None, None)
    assert not caught()


@pytest.mark.parametrize("way", ["function", "external", "show", "reveal", "write"])
def test_a_container_that_changes_while_it_is_decided_on_is_not_opened(tmp_path, way):
    history = [Labeled("hello", Labels.of("pii"))]

    def meanwhile(context):
        history.append(secret())
        return False

    closed = {"labels": {"secret": {"deny": ["exfil", "op:show", "op:mcp", "op:call:reveal", "op:write"]}}}
    made = bench(tmp_path, closed, guards=registry(guard("pii", when=meanwhile)))
    monitor = made.monitor
    send = monitor.operation(lambda x: made.sent.append(str(x)), labels={"exfil"}, name="send")
    with contextlib.suppress(FlowError):
        {
            "function": lambda: send(history),
            "external": lambda: monitor.external(
                "box:put", {"x": history}, lambda x: made.sent.append(str(x))
            ),
            "show": lambda: monitor.show(history),
            "reveal": lambda: made.sent.append(str(monitor.reveal(history, to="op:log"))),
            "write": lambda: monitor.write("a.txt", history),
        }[way]()
    assert len(history) > 1
    assert CANARY not in str(made.sent) + made.screen.text


# Threads.


def test_a_scope_of_tools_holds_for_the_threads_that_are_started_in_it(tmp_path):
    made = bench(tmp_path, {})
    found = []

    def call():
        try:
            made.monitor.external("box:put", {}, lambda: 1)
            found.append("called")
        except Denied as error:
            found.append(error.code)

    with ThreadPoolExecutor(1) as pool:
        with made.monitor.tools(denied={"put"}):
            thread = threading.Thread(target=call)
            thread.start()
            thread.join()
            pool.submit(call).result()
        pool.submit(call).result()  # the same worker, which serves others after it
    assert found == [Code.ENV_ATTENUATION_DENIED, Code.ENV_ATTENUATION_DENIED, "called"]


def test_what_a_model_starts_is_in_the_model():
    with telling(("audit",)), ThreadPoolExecutor(1) as pool:
        assert pool.submit(in_model).result()
    assert not in_model()


# Files and commands.


@pytest.mark.parametrize(
    "command",
    [
        "touch key.txt",
        "chmod 600 key.txt",
        "truncate -s 3 key.txt",
        "tee -a key.txt",
        "dd if=/dev/null of=key.txt conv=notrunc",
        "cp -n old.txt key.txt",
    ],
)
def test_a_command_that_names_a_file_to_write_does_not_take_its_labels_away(tmp_path, command):
    made = bench(tmp_path, {}, recorded=True)
    (made.root / "old.txt").write_text("")
    made.monitor.write("key.txt", secret())
    made.monitor.run(command, stdin="x")
    assert made.monitor.read("key.txt").labels.has("secret")


def test_nobody_vouches_for_a_file_that_a_command_has_changed(tmp_path):
    policy = {"defaults": {"unlabeled": "untrusted", "rules": ["no-untrusted-destructive"]}}
    made = bench(tmp_path, policy, recorded=True)
    made.monitor.write("plan.txt", Labeled("good", Labels.of("trusted")))
    made.monitor.run("cat plan.txt", labels={"destructive"})
    words = Labeled("evil", Labels.of("src:mcp"))
    made.monitor.interpret("sh", 'printf %s "$x" > plan.txt', {"x": words})
    assert "trusted" not in made.monitor.read("plan.txt").labels
    with pytest.raises(Denied):
        made.monitor.run("cat plan.txt", labels={"destructive"})


@pytest.mark.parametrize("command", ["touch {name}", "sh -c 'echo >> {name}'", "chmod 600 {name}"])
def test_what_nobody_knows_does_not_become_known_by_a_command(tmp_path, command):
    made = bench(tmp_path, {}, recorded=True)
    made.monitor.write("ours.txt", "ours")
    for name in ("strange.txt", "ours.txt"):
        (made.root / name).write_text("by a stranger")
        made.monitor.run(command.replace("{name}", name))
        assert "untrusted" in made.monitor.read(name).labels
    made.monitor.interpret("sh", "for name in *.txt; do echo >> $name; done; echo > new.txt")
    assert "untrusted" in made.monitor.read("strange.txt").labels
    assert "untrusted" not in made.monitor.read("new.txt").labels


@pytest.mark.parametrize("command", ["grep -r . box", "tar c box", "cat .", "grep -R . link"])
def test_a_command_that_reads_a_directory_reads_what_lies_in_it(tmp_path, command):
    made = bench(tmp_path, {}, recorded=True)
    (made.root / "box").mkdir()
    (made.root / "link").mkdir()
    (made.root / "link" / "box").symlink_to(made.root / "box")
    made.monitor.write("box/key.txt", secret())
    assert made.monitor.run(command).labels.has("secret")


def test_what_policy_says_of_places_holds_below_a_directory_that_is_read(tmp_path):
    made = bench(tmp_path, {"data": {f"path:{tmp_path}/work/box/private/**": ["pii"]}}, recorded=True)
    (made.root / "box" / "private").mkdir(parents=True)
    (made.root / "box" / "private" / "a").write_text("x")
    assert made.monitor.run("grep -r . box").labels.has("pii")


def test_a_file_that_an_argument_names_is_read_though_nothing_says_so(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    made.monitor.write("key.txt", secret())
    result = made.monitor.run("openssl base64 -in key.txt")
    assert result.labels.has("secret")


@pytest.mark.parametrize(
    ("kind", "code"), [("sh", "cat k*.txt"), ("py", "print(open('key' + '.txt').read())")]
)
def test_code_reads_every_file_it_could_open(tmp_path, kind, code):
    made = bench(tmp_path, {}, recorded=True)
    made.monitor.write("key.txt", secret("x", "src:mcp"))
    result = made.monitor.interpret(kind, code)
    named = (
        ("src:mcp",) if kind == "sh" else ()
    )  # the text of a shell is read: this file is one that it names
    assert result.labels == Labels.of("secret", "src:exec", *named)
    (made.root / "key.txt").unlink()
    assert made.monitor.interpret(kind, code).labels == Labels.of("src:exec")


@isolated
def test_files_are_known_by_their_paths_inside_an_environment(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "sluicegate.toml").write_text("")
    (tmp_path / "else").mkdir()
    config = read_environment({"fs": {"write": [".:/app"], "read": ["../else"]}}, base=work)
    made = bench(tmp_path, {}, recorded=True, environment=config)
    made.monitor.write("key.txt", secret())
    (work / "box").mkdir()
    made.monitor.write("box/key.txt", secret("another"))
    for command in (
        "cat /app/key.txt",
        "cat key.txt",
        "grep -r . /app/box",
        "openssl base64 -in /app/key.txt",
    ):
        assert made.monitor.run(command).labels.has("secret"), command
    made.monitor.interpret("sh", "rev /app/key.txt > /app/out.txt")
    assert made.monitor.read("out.txt").labels.has("secret")


@isolated
@pytest.mark.parametrize("start", ["/app", "/app/box"])
def test_policy_is_asked_about_the_files_that_paths_inside_an_environment_lead_to(tmp_path, start):
    work = tmp_path / "work"
    (work / "box").mkdir(parents=True)
    (work / ".sluicegate").mkdir()
    (work / "sluicegate.toml").write_text("")
    (work / "box" / "a").write_text("closed")
    (work / "a").write_text("open")
    config = read_environment({"fs": {"write": [".:/app"]}, "cwd": start}, base=work)
    made = bench(tmp_path, {"capabilities": {"deny": [f"fs:r:{work}/box/**"]}}, environment=config)
    assert content(made, made.monitor.run("cat /app/a")["stdout"]) == "open"
    for command in ("cat /app/box/a", "cat box/a" if start == "/app" else "cat a"):
        with pytest.raises(Denied):
            made.monitor.run(command)


@isolated
def test_a_guard_does_not_move_a_command_to_where_its_paths_mean_other_files(tmp_path):
    work = tmp_path / "work"
    (work / "box").mkdir(parents=True)
    (work / ".sluicegate").mkdir()
    (work / "sluicegate.toml").write_text("")
    (work / "box" / "a").write_text("closed")
    base = read_environment({"fs": {"write": ["."]}}, base=work)
    for cwd, moved in ((str(work / "box"), True), (str(work), False)):
        inner = UseEnvironment(config=replace(base, cwd=cwd))
        made = bench(tmp_path, {}, environment=base, guards=registry(guard("op:cmd", inner)))
        if moved:
            with pytest.raises(Denied, match="other files"):
                made.monitor.run("ls")
        else:
            assert content(made, made.monitor.run("ls")).ok


@isolated
def test_code_does_not_read_what_its_environment_does_not_show(tmp_path):
    work = tmp_path / "work"
    (work / "box").mkdir(parents=True)
    config = read_environment({"fs": {"read": ["box"]}}, base=work)
    made = bench(tmp_path, {}, recorded=True, environment=config)
    made.monitor.write("key.txt", secret())
    assert not made.monitor.interpret("sh", "ls box").labels.has("secret")
    assert made.monitor.interpret("sh", "ls").labels == made.monitor.run("ls").labels


def test_a_ledger_that_cannot_be_read_tells_nothing_of_a_secret_path(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    made.monitor.write("a.txt", "x")
    made.ledger.flush()
    made.ledger.path.unlink()
    made.ledger.path.mkdir()
    ends = [made.monitor.run("cat {name}", {"name": secret(name)}) for name in ("a.txt", "none.txt")]
    assert [end.labels.has("secret") for end in ends] == [True, True]
    made.ledger.path.rmdir()


def test_files_that_a_cancelled_command_has_written_have_its_labels(tmp_path):
    made = bench(tmp_path, {}, recorded=True)

    async def main():
        code = 'printf %s "$x" | rev > out.txt; echo > ready; sleep 20'
        running = asyncio.create_task(made.monitor.aio.interpret("sh", code, {"x": secret()}))
        while not (made.root / "ready").exists():
            await asyncio.sleep(0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(main())
    assert made.monitor.read("out.txt").labels.has("secret")


def test_files_that_appear_where_a_command_was_to_write_have_its_labels(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    outside = tmp_path / "outside"
    outside.mkdir()
    made.monitor.write("key.txt", secret())
    made.monitor.run("split -b 4 key.txt {place}", {"place": f"{outside}/part-"})
    made.monitor.run("tar cf key.tar key.txt")
    (tmp_path / "other").mkdir()
    made.monitor.run("tar xf key.tar --transform s/key/yek/ -C {place}", {"place": str(tmp_path / "other")})
    for path in (outside / "part-aa", tmp_path / "other" / "yek.txt"):
        assert made.monitor.read(str(path)).labels.has("secret"), path


def test_the_path_of_a_file_is_not_spelled_by_its_labels_where_it_is_not_for_everyone(tmp_path):
    made = bench(tmp_path, {"labels": {f"dir:{tmp_path}": {"deny": ["net:w"]}}}, recorded=True)
    (made.root / CANARY).mkdir()
    (made.root / CANARY / "a").write_text("x")
    found = made.monitor.read(secret(f"{CANARY}/a"))
    made.monitor.show(found)
    assert CANARY not in str(found.labels.names())
    assert found.labels.has(f"dir:{tmp_path}"), "what policy names is still said"
    assert CANARY not in str(made.events())


# Templates.


def test_a_template_does_not_show_its_text_and_keeps_the_labels_it_was_made_with():
    made = Template(name="audit", text=CANARY, labels=Labels.of("secret"))
    assert CANARY not in repr(made)

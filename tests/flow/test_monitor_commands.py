"""Commands and code: opaque, with an environment of what is granted, and outputs that have seen everything."""

import asyncio
import os
import shutil
import sys

import pytest
from monitor_samples import CANARY, LOCALLY, bench, guard, registry, secret

from sluicegate.flow.denial import Code, Denied
from sluicegate.flow.environments.changes import fanotify
from sluicegate.flow.environments.configuration.reading import read_environment
from sluicegate.flow.errors import CommandError, EnvironmentFailure, FlowError
from sluicegate.flow.guards import UseEnvironment
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor import OperationFailed
from sluicegate.flow.monitor.effects import commands
from sluicegate.flow.values import Labeled, branch

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


isolated = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


def content(made, value):
    return made.monitor.reveal(value, to="op:log")


def test_the_output_of_a_command_has_its_parts_and_its_source(tmp_path):
    made = bench(tmp_path, {})
    result = made.monitor.run("sh -c 'echo out; echo err >&2; exit 3'")
    output = content(made, result)
    assert (output.stdout, output.stderr, output.code, output.codes, output.ok) == (
        "out\n",
        "err\n",
        3,
        (3,),
        False,
    )
    assert result.labels == Labels.of("src:exec")
    assert content(made, result["stdout"]) == "out\n"
    assert content(made, result["nothing"].failed) is True
    assert content(made, made.monitor.run("printf '\\377'", binary=True)["stdout"]) == b"\xff"


def test_the_environment_is_empty_but_for_what_is_granted(tmp_path, monkeypatch):
    monkeypatch.setenv("SLUICEGATE_TEST_CANARY", CANARY)
    made = bench(tmp_path, {})
    found = content(made, made.monitor.run("env", environment={"TOLD": "x"})["stdout"])
    assert CANARY not in found
    assert {line.partition("=")[0] for line in found.splitlines()} <= {"PATH", "LANG", "TOLD", "PWD", "_"}


def test_variables_of_ours_are_granted_by_configuration_and_policy_together(tmp_path, monkeypatch):
    monkeypatch.setenv("SLUICEGATE_TEST_CANARY", CANARY)
    from msgspec.structs import replace

    config = replace(LOCALLY, vars=frozenset({"SLUICEGATE_TEST_CANARY"}))
    policy = {"capabilities": {"allow": ["cmd:printenv", "cmd:printenv:*", "env:SLUICEGATE_TEST_CANARY"]}}
    run = "printenv SLUICEGATE_TEST_CANARY"
    for trees, options, given in (
        ((policy,), {"environment": config}, True),
        ((), {"environment": config}, False),
        ((policy,), {}, False),
        (
            (policy, {"capabilities": {"deny": ["env:SLUICEGATE_TEST_CANARY"]}}),
            {"environment": config},
            False,
        ),
    ):
        made = bench(tmp_path, *trees, **options)
        assert (CANARY in content(made, made.monitor.run(run)["stdout"])) is given


def test_a_granted_variable_that_is_the_source_of_a_credential_makes_the_output_secret(tmp_path, monkeypatch):
    monkeypatch.setenv("GH_TEST", CANARY)
    from msgspec.structs import replace

    policy = {
        "auth": {"github": {"from": "env:GH_TEST", "as": "GH_TOKEN"}},
        "capabilities": {"allow": ["cmd:printenv", "cmd:printenv:*", "env:GH_TEST"]},
    }
    made = bench(tmp_path, policy, environment=replace(LOCALLY, vars=frozenset({"GH_TEST"})))
    assert "secret" in made.monitor.run("printenv GH_TEST").labels


def test_what_goes_in_by_any_way_is_in_the_labels_of_the_output(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    pii = Labeled("x", Labels.of("pii"))
    run = made.monitor.run
    made.monitor.write("kept.txt", pii)
    for result in (
        run("echo {x}", {"x": pii}),
        run("cat", stdin=pii),
        run("env", environment={"TOLD": pii}),
        run("env", using={"TOLD": pii}),
        run("echo {x} | cat", {"x": pii}),
        run("cat kept.txt"),
        made.monitor.interpret("sh", "echo", {"X": pii}),
        made.monitor.interpret("py", "print(1)", {"x": pii}),
        made.monitor.interpret("sh", pii),
    ):
        assert result.labels.has("pii"), result
    with branch(pii):
        assert run("echo a").labels.has("pii")
    assert not run("echo a").labels.has("pii")


def test_into_a_later_stage_flows_what_comes_out_of_the_one_before(tmp_path):
    made = bench(tmp_path, {"labels": {"src:exec": {"deny": ["op:cmd:tee"]}}})
    made.monitor.run("tee one", stdin="x")
    with pytest.raises(Denied) as raised:
        made.monitor.run("echo a | tee two")
    assert raised.value.denial.operation == "cmd echo a | cmd tee two"
    assert not (made.root / "two").exists()


def test_a_value_stays_data(tmp_path):
    made = bench(tmp_path, {})
    hostile = "a; touch pwned $(touch pwned) `touch pwned` | touch pwned\n&& touch pwned"
    assert content(made, made.monitor.run("echo {x}", {"x": hostile})["stdout"]) == hostile + "\n"
    assert not (made.root / "pwned").exists()
    with pytest.raises(CommandError):
        made.monitor.run("ls {x}", {"x": "--hostile"})


def test_an_argument_that_cannot_be_filled_fails_with_its_labels(tmp_path):
    made = bench(tmp_path, {})
    result = made.monitor.run("ls {x}", {"x": secret("--canary")})
    assert result.labels.has("secret")
    assert content(made, result.failed) is True
    assert "canary" not in made.log.text


def test_a_policy_on_paths_tells_nothing_of_a_labelled_path(tmp_path):
    made = bench(tmp_path, {"capabilities": {"deny": ["fs:r:/etc/**"]}})
    ends = [made.monitor.read(secret(path)) for path in ("/etc/passwd", str(made.root / "nothing.txt"))]
    assert [content(made, each.failed) for each in ends] == [True, True]
    with pytest.raises(Denied):
        made.monitor.read("/etc/passwd")


def test_check_makes_a_failure_of_a_command_that_does_not_end_well(tmp_path):
    made = bench(tmp_path, {})
    result = made.monitor.run("false", check=True)
    assert content(made, result.failure).startswith(
        "OperationFailed: the command did not end well: exit code 1"
    )
    assert content(made, made.monitor.run("true", check=True)).ok


def test_a_limit_of_policy_ends_a_command(tmp_path):
    made = bench(tmp_path, {"limits": {"timeout": 200}})
    output = content(made, made.monitor.run("sleep 20"))
    assert output.killed == "time"
    assert not output.ok


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one processor is all there is")
def test_a_command_gets_no_more_processors_than_policy_says(tmp_path):
    busy = """
import os, time
end = time.monotonic() + 0.6
child = os.fork()
while time.monotonic() < end:
    pass
if child:
    os.waitpid(child, 0)
    print(sum(os.times()[:4]))
"""
    made = bench(tmp_path, {"limits": {"cpu": 1}})
    spent = float(content(made, made.monitor.interpret("py", busy, {})["stdout"]))
    assert spent < 0.9, "two that are busy for 0.6 s each share one processor"


def test_a_program_that_is_not_there_is_an_error_at_once(tmp_path):
    made = bench(tmp_path, {})
    with pytest.raises(CommandError, match="there is no program"):
        made.monitor.run("no-such-program-here")
    with pytest.raises(CommandError, match="no value for the hole"):
        made.monitor.run("echo {x}")


def test_code_is_run_with_its_inputs_beside_it(tmp_path):
    made = bench(tmp_path, {})
    run = made.monitor.interpret
    assert content(made, run("sh", 'echo "$X"', {"X": "$(id)"})["stdout"]) == "$(id)\n"
    code = "import json, sys; print(json.load(sys.stdin)['n'] + 1)"
    assert content(made, run("py", code, {"n": 41})["stdout"]) == "42\n"
    with pytest.raises(FlowError):
        run("prose", "x")


def test_a_capability_on_code_holds_for_interpreters_and_for_commands(tmp_path):
    made = bench(tmp_path, {"capabilities": {"deny": ["sh"]}})
    for attempt in (
        lambda: made.monitor.interpret("sh", "echo a"),
        lambda: made.monitor.run("sh -c 'echo a'"),
        lambda: made.monitor.run("env sh -c 'echo a'"),
        lambda: made.monitor.run("bash -c 'echo a'"),
    ):
        with pytest.raises(Denied):
            attempt()


def test_the_state_of_the_monitor_is_not_touched_by_commands_code_or_files(tmp_path):
    made = bench(tmp_path, {}, recorded=True)
    link = made.root / "innocent"
    link.symlink_to(made.root / ".sluicegate")
    for attempt in (
        lambda: made.monitor.run("rm -rf .sluicegate"),
        lambda: made.monitor.run("rm -rf ."),
        lambda: made.monitor.run("tee {p}", {"p": "innocent/sec/audit.jsonl"}, stdin="x"),
        lambda: made.monitor.run("cat .sluicegate/sec/audit.jsonl"),
        lambda: made.monitor.run("cp a.txt sluicegate.toml"),
        lambda: made.monitor.run("env rm -rf .sluicegate"),
        lambda: made.monitor.run("sh -c 'rm -rf .sluicegate'"),
        lambda: made.monitor.interpret("sh", "echo x >.sluicegate/sec/audit.jsonl"),
        lambda: made.monitor.interpret("py", "open('sluicegate.toml', 'w')"),
        lambda: made.monitor.write("innocent/new", "x"),
        lambda: made.monitor.append(
            "./src/../.sluicegate/sec/audit.jsonl"
            if (made.root / "src").exists()
            else ".sluicegate/sec/audit.jsonl",
            "x",
        ),
        lambda: made.monitor.output("x", "sluicegate.toml"),
        lambda: made.monitor.read(".sluicegate/sec/audit.jsonl"),
    ):
        with pytest.raises(Denied) as raised:
            attempt()
        assert raised.value.denial.code is Code.STATE_PROTECTED
    assert not (made.root / "sluicegate.toml").exists()


@isolated
def test_in_a_sandbox_the_state_is_not_there_and_changed_files_have_labels(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "sluicegate.toml").touch()
    config = read_environment({"provider": "bubblewrap", "fs": {"write": ["."]}}, base=work)
    made = bench(tmp_path, {}, recorded=True, environment=config)
    result = made.monitor.run("tee out.txt", stdin=Labeled("data", Labels.of("pii")))
    assert result.labels == Labels.of("pii", "src:env:bubblewrap")
    again = made.monitor.read("out.txt")
    assert again.labels.has("pii")
    assert again.labels.has("src:env:bubblewrap")
    listing = content(made, made.monitor.interpret("sh", "ls -A; find . -name audit.jsonl"))
    assert "audit.jsonl" not in listing.stdout
    hidden = content(made, made.monitor.interpret("sh", "d=.sluice; d=${d}gate; echo x >$d/sec/audit.jsonl"))
    assert hidden.code != 0
    code = "import glob; open('made.txt', 'w').write('x')"
    assert content(made, made.monitor.interpret("py", code, {"x": secret()})).ok
    assert made.monitor.read("made.txt").labels.has("secret")


@isolated
def test_what_is_given_nothing_to_write_writes_nothing(tmp_path, monkeypatch):
    work = tmp_path / "work"
    work.mkdir()
    for name in ("sluicegate.toml", "a"):
        (work / name).write_text("x")
    config = read_environment({"provider": "bubblewrap", "fs": {"write": ["."]}}, base=work)
    made = bench(tmp_path, {}, recorded=True, environment=config)
    monkeypatch.setattr(commands, "only_reads", lambda *given, **more: True)
    for code in ("echo y >a", "echo y >b", "rm a", "mv a b", "mkdir d", "ln a b", "chmod +x a"):
        assert not content(made, made.monitor.interpret("sh", code)).ok, code
    assert content(made, made.monitor.interpret("sh", "cat a; echo y >/tmp/y; cat /tmp/y")).stdout == "xy\n"
    assert (work / "a").read_text() == "x"
    assert sorted(os.listdir(work)) == [".sluicegate", "a", "sluicegate.toml"]


@isolated
def test_labels_of_what_reads_alone_are_those_of_what_it_reads(tmp_path):
    work = tmp_path / "work"
    (work / "d").mkdir(parents=True)
    (work / "sluicegate.toml").touch()
    config = read_environment({"provider": "bubblewrap", "fs": {"write": ["."]}}, base=work)
    made = bench(tmp_path, {}, recorded=True, environment=config)
    assert not made.monitor.run("grep -r x d").labels.has("secret")
    made.monitor.output(secret("x"), "d/key.txt")
    for words in ("grep -r x d", "grep -r x .", "ls d", "find ."):
        assert made.monitor.run(words).labels.has("secret"), words
    assert made.monitor.run("cat d/key.txt").labels.has("secret")
    assert content(made, made.monitor.run("rm d/key.txt")).ok
    assert not made.monitor.run("grep -r x d").labels.has("secret")


def test_files_that_a_local_command_changes_unnamed_have_its_labels(tmp_path, monkeypatch):
    for module in ("effects", "turn"):  # there.txt is only just written
        monkeypatch.setattr(f"sluicegate.flow.environments.changes.{module}.UNSURE", 0)
    made = bench(tmp_path, {}, recorded=True)
    (made.root / "there.txt").write_text("by somebody")
    made.monitor.output(Labeled("card", Labels.of("pii")), "kept.txt")
    code = "open('made.txt', 'w').write('x'); open('kept.txt', 'a').write('y'); __import__('os').mkdir('d')"
    assert content(made, made.monitor.interpret("py", code, {"x": secret()})).ok
    for name, labels in (("made.txt", ["secret", "src:exec"]), ("kept.txt", ["secret", "pii"])):
        found = made.monitor.read(name).labels
        assert all(found.has(label) for label in labels), name
    assert not made.monitor.read("there.txt").labels.has("secret"), "nothing was done to it"


@isolated
@pytest.mark.parametrize("tells", [True, False], ids=["watched", "listed"])
def test_a_change_by_a_name_that_is_gone_has_its_labels(tmp_path, monkeypatch, tells):
    """Whether or not the kernel tells of it."""

    def silent(group, mask):
        group._fd = -1
        raise fanotify.Untold

    if not tells:
        monkeypatch.setattr(fanotify.WatchGroup, "__init__", silent)
    for module in ("effects", "turn"):
        monkeypatch.setattr(f"sluicegate.flow.environments.changes.{module}.UNSURE", 0)
    work = tmp_path / "work"
    work.mkdir()
    (work / "sluicegate.toml").touch()
    for name in ("a", "b", "c"):
        (work / name).write_text("by somebody")
    os.link(work / "a", work / "twin")
    config = read_environment({"provider": "bubblewrap", "fs": {"write": ["."]}}, base=work)
    made = bench(tmp_path, {}, recorded=True, environment=config)
    assert content(made, made.monitor.interpret("sh", "cat b c")).ok
    for name in ("a", "b"):
        words = f'mkdir d; ln {name} d/x; printf %s "$x" >>d/x; rm -r d'
        assert content(made, made.monitor.interpret("sh", words, {"x": secret()})).ok
        assert (work / name).read_text().endswith(CANARY)
    labelled = {name for name in ("a", "b", "c", "twin") if made.monitor.read(name).labels.has("secret")}
    assert labelled == {"a", "b", "twin"}


def test_a_file_that_a_command_left_alone_keeps_its_labels(tmp_path):
    """One written just before a command is taken for changed by it: in doubt, and with what it had."""
    made = bench(tmp_path, {}, recorded=True)
    made.monitor.output(secret("code"), "secret.txt")
    made.monitor.run("true")
    assert made.monitor.read("secret.txt").labels.has("secret")


def test_what_a_command_changed_beyond_counting_has_its_labels_where_nothing_else_is_known(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("sluicegate.flow.monitor.effects.changes._MOST_CHANGED", 3)
    made = bench(tmp_path, {}, recorded=True)
    made.monitor.output("plain", "plain.txt")
    (made.root / "there.txt").write_text("by somebody")
    code = "[open(f'{n}.txt', 'w').write(f'{n}') for n in range(5)]"
    assert content(made, made.monitor.interpret("py", code, {"x": secret()})).ok
    assert made.monitor.read("4.txt").labels.has("secret")
    assert made.monitor.read("there.txt").labels.has("secret"), "it may be one of those that were changed"
    assert not made.monitor.read("plain.txt").labels.has("secret"), "it holds what was written before"


@isolated
def test_a_guard_may_choose_a_narrower_environment_and_not_a_wider_one(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "sluicegate.toml").touch()
    wide = read_environment({"provider": "bubblewrap", "fs": {"write": ["."]}}, base=work)
    close = read_environment({"provider": "bubblewrap", "fs": {"read": ["."]}}, base=work)
    action = UseEnvironment(config=close)
    made = bench(tmp_path, {}, environment=wide, guards=registry(guard("op:cmd:touch", action)))
    assert content(made, made.monitor.run("touch a")).code != 0
    assert not (made.root / "a").exists()
    other = bench(
        tmp_path, {}, environment=close, guards=registry(guard("op:cmd:touch", UseEnvironment(config=wide)))
    )
    with pytest.raises(Denied) as raised:
        other.monitor.run("touch a")
    assert raised.value.denial.code is Code.ENV_ATTENUATION_DENIED
    wrong = bench(
        tmp_path, {}, environment=close, guards=registry(guard("op:cmd:touch", UseEnvironment(config="x")))
    )
    with pytest.raises(OperationFailed):
        wrong.monitor.run("touch a")


def test_an_environment_that_policy_does_not_permit_is_refused(tmp_path):
    made = bench(tmp_path, {"env": {"providers": {"bubblewrap": {}}}})
    with pytest.raises(Denied) as raised:
        made.monitor.run("true")
    assert raised.value.denial.code is Code.ENV_PROVIDER_DENIED
    strict = bench(tmp_path, {"env": {"net": "none"}})
    with pytest.raises(EnvironmentFailure):
        strict.monitor.run("true")


def test_commands_under_asyncio_run_beside_each_other_and_end_when_they_are_cancelled(tmp_path):
    made = bench(tmp_path, {})
    beat = made.root / "beat"

    async def program():
        results = await asyncio.gather(*(made.monitor.aio.run("echo {n}", {"n": n}) for n in range(3)))
        task = asyncio.create_task(made.monitor.aio.interpret("sh", "touch beat; sleep 30"))
        while not beat.exists():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return [content(made, each["stdout"]) for each in results]

    assert asyncio.run(program()) == ["0\n", "1\n", "2\n"]


def test_a_command_that_is_defined_once_runs_often(tmp_path):
    made = bench(tmp_path, {})
    echo = made.monitor.command("echo {x}", labels={"net:w"})
    assert [content(made, made.monitor.run(echo, {"x": n})["stdout"]) for n in "ab"] == ["a\n", "b\n"]


def test_a_program_in_the_workspace_is_not_taken_at_its_name(tmp_path):
    made = bench(tmp_path, {"capabilities": {"allow": ["cmd:git:*"]}})
    fake = made.root / "git"
    fake.write_text("#!/bin/sh\necho pwned\n")
    fake.chmod(0o755)
    with pytest.raises(Denied):
        made.monitor.run("./git status")


def test_our_own_process_is_not_what_a_command_sees(tmp_path):
    made = bench(tmp_path, {})
    listing = content(made, made.monitor.interpret("py", "import os; print(os.listdir('/proc/self/fd'))"))
    assert listing.ok
    assert len(eval(listing.stdout)) <= 5  # the three streams, and the listing's own
    assert os.environ.get("PATH") != "" and sys.executable


@pytest.mark.parametrize("way", ["cat new.txt", "cat", "echo {x}"])
def test_a_model_that_reads_what_is_untrusted_by_any_way_is_influenced(tmp_path, way):
    made = bench(tmp_path, {"defaults": {"rules": ["untrusted-llms-get-influenced"]}}, recorded=True)
    (made.root / "new.txt").write_text("written by nobody we know")
    given = Labeled("x", Labels.of("untrusted"))
    result = made.monitor.run(
        way, {"x": given} if "{x}" in way else {}, stdin=given if way == "cat" else None, labels={"llm"}
    )
    assert {"influenced", "llm"} <= set(result.labels)
    plain = made.monitor.run("echo a", labels={"llm"})
    assert "influenced" not in plain.labels

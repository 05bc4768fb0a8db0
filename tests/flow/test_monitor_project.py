"""A monitor put together from a project's configuration."""

import contextlib
import shutil
from types import SimpleNamespace

import pytest

from sluicegate.flow.denial import Code, Denial, Denied
from sluicegate.flow.environments.configuration.config import (
    BUBBLEWRAP,
    UNCONFINED,
    HostNetwork,
    NoNetwork,
)
from sluicegate.flow.environments.errors import ProviderUnavailable
from sluicegate.flow.environments.providers import bubblewrap
from sluicegate.flow.guards import Bless, Filter, Guard, GuardRule, Timing
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor import OperationFailed
from sluicegate.flow.monitor.assembly import open_here, open_project
from sluicegate.flow.project import find
from sluicegate.flow.values import Labeled, branch
from sluicegate.record.errors import RecordError

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


CONFIGURED = """
[flow]
policy = ["local.toml"]
projectname = "demo"

[policy]
defaults = { rules = ["no-secret-exfil"], autosign = ["templates"], fail_closed = true }
privilege = { paths = ["**/guards/*.py"] }
"""


@pytest.fixture
def place(tmp_path):
    root = tmp_path / "work"
    root.mkdir()
    (root / "sluicegate.toml").write_text(CONFIGURED)
    (root / "local.toml").write_text('[labels.secret]\ndeny = ["op:show"]\n')
    return root


def opened(place, *, toml=None, **options):
    if toml is not None:
        (place / "sluicegate.toml").write_text(toml)
    home = place.parent
    environ = {
        "SLUICEGATE_KEYS_HOME": str(home / "keys"),
        "PATH": "/usr/bin:/bin",
        **options.pop("environ", {}),
    }
    project = find(start=place, environ=environ, home=home)
    return open_project(project, home=home, environ=environ, **options)


def test_policies_ledger_files_and_instructions_are_in_force(place):
    with opened(place, program="demo") as monitor:
        key = Labeled("x", Labels.of("secret"))
        with pytest.raises(Denied):
            monitor.show(key)
        with pytest.raises(Denied):
            monitor.operation(print, labels={"exfil"}, name="send")(key)
        monitor.write("a.txt", key)
        assert monitor.read("a.txt").labels.has("secret")
        monitor.template("auditPrompt", "Look at {x}")
    lines = (place / ".sluicegate" / "sec" / "audit.jsonl").read_text()
    for word in (
        '"phase":"start"',
        '"phase":"end"',
        '"program":"demo"',
        '"event":"denial"',
        '"event":"sign"',
        '"event":"write"',
    ):
        assert word in lines


def test_the_state_the_keys_and_the_policies_are_not_touched(place):
    with opened(place) as monitor:
        for attempt in (
            lambda: monitor.write("sluicegate.toml", "x"),
            lambda: monitor.write("local.toml", "x"),
            lambda: monitor.write(".sluicegate/sec/sigs/x", "x"),
            lambda: monitor.write(str(place.parent / "keys" / "trust.toml"), "x"),
            lambda: monitor.read(".sluicegate/sec/audit.jsonl"),
            lambda: monitor.run("cat {p}", {"p": str(place.parent / "keys" / "keys")}),
            lambda: monitor.run("rm -rf ."),
        ):
            with pytest.raises(Denied) as raised:
                attempt()
            assert raised.value.denial.code is Code.STATE_PROTECTED
        assert monitor.reveal(monitor.read("sluicegate.toml"), to="op:log") == CONFIGURED


def test_privilege_comes_from_policy_and_only_for_the_files_it_names(place):
    def bless(name):
        return Guard(
            name=name, timing=Timing.AFTER, filter=Filter.of(f"fn:{name}"), rules=(GuardRule(then=Bless()),)
        )

    def register(guards):
        guards.add(bless("own"), path=str(place / "guards" / "check.py"))
        guards.add(bless("other"), path=str(place / "other.py"))

    with opened(place, guards=register) as monitor:
        data = Labeled("x", Labels.of("untrusted"))
        assert monitor.operation(lambda v: v, name="own")(data).labels.trusted
        refused = monitor.operation(lambda v: v, name="other")
        with pytest.raises(Denied):
            refused(data)


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_the_provider_of_policy_is_where_commands_run(place):
    sandboxed = CONFIGURED + 'env = { default = "bubblewrap" }\n'
    with opened(place, toml=sandboxed) as monitor:
        assert monitor.parts.environment.provider == BUBBLEWRAP
        result = monitor.run("touch made.txt")
        assert result.labels.has("src:env:bubblewrap")
        assert monitor.reveal(result, to="op:log").ok
        hidden = monitor.interpret(
            "sh", "p=.pen; cat ${p}stock/sec/audit.jsonl; echo x >>${p}stock.toml; ls -A"
        )
        output = monitor.reveal(hidden, to="op:log")
        assert "genesis" not in output.stdout
        assert "made.txt" in output.stdout
    assert (place / "sluicegate.toml").read_text() == sandboxed


def said(place, toml=CONFIGURED, **options):
    """A monitor that has run two commands: where they ran, what came out of the last, and what was noted."""
    log = []
    with opened(place, toml=toml, log=lambda: SimpleNamespace(write=log.append), **options) as monitor:
        monitor.run("true")
        result = monitor.run("ls -A")
        config = monitor.parts.environment
        return config, monitor.reveal(result, to="op:log").stdout.split(), result.labels, log


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_where_nobody_says_commands_run_in_the_sandbox(place):
    config, files, labels, log = said(place)
    assert config.provider == BUBBLEWRAP
    assert isinstance(config.net, NoNetwork)
    assert labels.has("src:env:bubblewrap")
    assert labels.has("src:exec")  # so that a policy about src:exec holds here too
    assert "sluicegate.toml" in files
    assert log == []


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_the_network_of_the_sandbox_is_that_of_the_projects_own_policy(place):
    config, *_ = said(place, toml=CONFIGURED + 'env = { net = "host" }\n')
    assert config.provider == BUBBLEWRAP
    assert isinstance(config.net, HostNetwork)


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_a_command_that_wants_the_network_is_told_once_that_there_is_none(place):
    log = []
    with opened(place, log=lambda: SimpleNamespace(write=log.append)) as monitor:
        with branch(Labeled("x", Labels.of("pii"))):  # what is logged would tell of the branch
            monitor.run("git ls-remote https://192.0.2.7/x")
        assert log == []
        for _ in range(2):
            monitor.run("git ls-remote https://192.0.2.7/x")
    (note,) = log
    assert 'env.net = "host"' in note


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
@pytest.mark.parametrize(
    "command", ["find . -delete", "git clean -fdx", "sh -c 'rm -rf .[a-z]*'", "rm -rf {x}"]
)
def test_in_the_sandbox_nothing_comes_to_the_state(place, command):
    with opened(place) as monitor:
        monitor.write("a.txt", "x")
        monitor.run("git init -q .")
        monitor.parts.ledger.flush()
        lines = (place / ".sluicegate/sec/audit.jsonl").read_bytes()
        with contextlib.suppress(Denied, OperationFailed):
            monitor.run(command, {"x": "."} if "{x}" in command else {})
        monitor.interpret("py", "import shutil; shutil.rmtree('.slui' + 'cegate', ignore_errors=True)")
        monitor.parts.ledger.flush()
    assert (place / ".sluicegate/sec/audit.jsonl").read_bytes().startswith(lines)
    assert (place / "sluicegate.toml").read_text() == CONFIGURED


def test_where_the_sandbox_does_not_work_commands_run_here_and_that_is_said_once(place, monkeypatch):
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda *_, **__: None)
    config, files, labels, log = said(place)
    assert config is UNCONFINED
    assert ".sluicegate" in files
    assert not labels.has("src:env")
    (note,) = log
    assert "without a sandbox" in note
    assert "bubblewrap is not installed" in note
    assert 'env.default = "local"' in note
    assert note.count("\n") == 1


@pytest.mark.parametrize("env", ['{ default = "local" }', "{ providers = { local = {} } }"])
def test_what_policy_names_needs_no_notice(place, env):
    config, _, _, log = said(place, toml=CONFIGURED + f"env = {env}\n")
    assert config is UNCONFINED
    assert log == []


def test_a_sandbox_that_policy_names_is_never_given_up(place, monkeypatch):
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda *_, **__: None)
    with (
        opened(place, toml=CONFIGURED + 'env = { default = "bubblewrap" }\n') as monitor,
        pytest.raises(ProviderUnavailable),
    ):
        monitor.run("true")


def test_what_runs_no_command_makes_no_sandbox(place, monkeypatch):
    monkeypatch.setattr(bubblewrap.BubblewrapProvider, "create", lambda *_: pytest.fail("a sandbox was made"))
    with opened(place) as monitor:
        monitor.write("a.txt", "x")
        monitor.show(monitor.read("a.txt"))
        monitor.operation(lambda: 1, name="one")()


def test_what_runs_elsewhere_is_judged_without_our_sandbox(place, monkeypatch):
    """The shell of an agent is not in it, and sees what the sandbox would not show."""
    monkeypatch.setattr(bubblewrap.BubblewrapProvider, "create", lambda *_: pytest.fail("a sandbox was made"))
    secret = place.parent / "secret.txt"
    with opened(place, toml=CONFIGURED + 'env = { default = "bubblewrap" }\n') as monitor:
        monitor.write(str(secret), Labeled("x", Labels.of("secret")))
        found = monitor.decide("sh", {"code": "python3 -c 'print()'"}, labels=("exfil",))
        assert isinstance(found, Denial)
        assert "secret" in found.labels


def test_a_policy_that_forbids_every_provider_stops_before_anything_runs(place):
    with pytest.raises(Denied), opened(place, toml=CONFIGURED + "env = { providers = {} }\n"):
        pass


def test_keys_inside_of_the_workspace_are_refused(place):
    with pytest.raises(RecordError), opened(place, environ={"SLUICEGATE_KEYS_HOME": str(place / "keys")}):
        pass


def test_without_any_configuration_nothing_is_closed_and_everything_is_recorded(tmp_path):
    root = tmp_path / "bare"
    root.mkdir()
    with opened(root) as monitor:
        monitor.write("a.txt", "x")
    assert (root / ".sluicegate" / "sec" / "audit.jsonl").exists()


def test_the_users_policy_is_in_force_wherever_the_users_directory_is(tmp_path, monkeypatch):
    user = tmp_path / "user"
    user.mkdir()
    (user / "sluicegate.toml").write_text('[flow]\npolicy = ["./mine.toml"]\n')
    (user / "mine.toml").write_text('[capabilities]\ndeny = ["cmd:touch"]\n')
    (tmp_path / "project" / ".git").mkdir(parents=True)
    monkeypatch.setenv("SLUICEGATE_CONFIG_HOME", str(user))
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "keys"))
    with open_here(tmp_path / "project") as monitor, pytest.raises(Denied) as raised:
        monitor.run("touch made.txt")
    assert "mine.toml" in raised.value.denial.layer


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
@pytest.mark.parametrize(
    "planted", ['[policy.env]\ndefault = "local"\n', "[policy.limits]\ntimeout = 5\n", None]
)
def test_a_configuration_that_a_command_plants_takes_nothing_away(tmp_path, monkeypatch, planted):
    """Without the policies of the project around, what runs in ``sub`` would show the secret, on this machine itself."""
    root = tmp_path / "project"
    (root / "sub").mkdir(parents=True)
    outer = '[policy.env]\ndefault = "bubblewrap"\n[policy.labels.secret]\ndeny = ["op:show"]\n'
    (root / "sluicegate.toml").write_text(outer)
    lines = ["import os", "os.mkdir('sub/.git')"]
    if planted is not None:
        lines.append(f"open('sub/sluice' + 'gate.toml', 'w').write({planted!r})")
    (root / "run.py").write_text("\n".join(lines))
    monkeypatch.setenv("SLUICEGATE_CONFIG_HOME", str(tmp_path / "user"))
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "keys"))
    with open_here(root) as monitor:
        assert monitor.reveal(monitor.run("python3 run.py"), to="op:log").ok
    assert (root / "sub/sluicegate.toml").exists() is (planted is not None)
    try:
        with open_here(root / "sub") as monitor:
            if planted is not None:
                assert monitor.parts.environment.provider == "bubblewrap"
            with pytest.raises(Denied) as raised:
                monitor.show(Labeled("canary", Labels.of("secret")))
        assert str(root / "sluicegate.toml") in raised.value.denial.layer
    except (
        Denied
    ) as refused:  # nothing is opened at all with a provider that the project around does not permit
        assert refused.denial.code is Code.ENV_PROVIDER_DENIED
        assert "local" in str(planted)

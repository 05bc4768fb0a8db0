"""Environments of scripts: what they grant, what they are called, and what does not get around them."""

import shutil

import pytest
from script_runs import run

from sluicegate.flow.environments.configuration.reading import read_environment

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")

SANDBOX = (
    'var @sandbox = { provider: "@sluicegate/sandbox", fs: { write: ["."] }, limits: { time: "20s" } }\n'
)
TINY = """
exe @create(opts) = [ show `create @opts.color`
  => { envName: "tiny-1", created: true } ]
exe @execute(name, command) = [ show `execute @command.argv`
  => { stdout: @command.argv[1], stderr: "", exitCode: 0 } ]
exe @release(name) = [ show `release @name` ]
export { @create, @execute, @release }
"""
OF_TINY = 'var @e = { provider: "./tiny.mld", color: "red" }\n'


def ran(text, folder, **more):
    (folder / "tiny.mld").write_text(TINY)
    (folder / "sluicegate.toml").touch()
    (folder / ".sluicegate").mkdir(exist_ok=True)
    return run(text, folder=folder, **more)


def test_a_block_runs_in_a_sandbox(tmp_path):
    found = ran(
        SANDBOX
        + """
var @seen = env @sandbox [
  run cmd { touch made }
  => run cmd { ls /home }
]
""",
        tmp_path,
    )
    assert (found.code, (tmp_path / "made").exists()) == ("failed", True)  # there is no /home in there


def test_what_comes_out_is_called_after_the_children(tmp_path):
    found = ran(
        SANDBOX
        + """
var @build = new @sandbox with { fs: { read: ["."] } }
var @limits = { limits: { time: "10s" } }
var @quiet = new @build(@limits)
env @quiet [ var @x = run cmd { true }
  show @x.mx.taint
  show @mx.env.label ]
env @sandbox with { tools: [] } [ show @mx.env.label ]
show @mx.env.label
""",
        tmp_path,
    )
    assert found.out == (
        '["src:env:bubblewrap:build:quiet"]\nsrc:env:bubblewrap:build:quiet\nsrc:env:bubblewrap\nsrc:exec\n'
    )


@pytest.mark.parametrize(
    "more",
    [
        'fs: { write: ["."] }',
        'net: "host"',
        'limits: { time: "30s" }',
        'fs: { read: ["..", "."] }',
        'from: "sluicegate/other"',
        "snapshots: true",
        'tools: ["Read", "Write"]',
    ],
)
def test_a_child_is_never_wider(more, tmp_path):
    text = SANDBOX.replace("}\n", ', tools: ["Read"] }\n').replace("write", "read")
    for use in ("var @child = new @sandbox with { %s }", "env @sandbox with { %s } [ show 1 ]"):
        found = ran(text + use % more, tmp_path)
        assert (found.code, found.out) == ("ENV_ATTENUATION_DENIED", ""), more


@pytest.mark.parametrize(
    "written",
    [
        '{ provider: "local" }',
        '{ provider: "sandbox", fs: { read: ["/etc/ssl"] } }',
        '{ provider: "sandbox", fs: { write: ["docs"] } }',
        '{ provider: "sandbox", net: "host" }',
        '{ tools: ["Write"] }',
        '{ taint: ["trusted"] }',
        '{ vars: ["HOME"] }',
        '{ auth: "other" }',
    ],
)
def test_no_environment_goes_beyond_the_one_in_force(written, tmp_path):
    (tmp_path / "docs").mkdir()
    given = {"fs": {"read": ["."]}, "tools": ["Read"], "auth": ["one"]}
    found = ran(
        f"var @e = {written}\nenv @e [ show 1 ]",
        tmp_path,
        environment=read_environment(given, base=tmp_path),
    )
    assert found.out == "" and found.code in ("ENV_ATTENUATION_DENIED", "environment-config")


def test_folders_are_shown_at_places_of_their_own_and_judged_by_what_they_are(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("words")
    policy = {"capabilities": {"deny": {"filesystem": {"read": ["**/secret.txt"]}}}}
    (tmp_path / "docs" / "secret.txt").write_text("key")
    text = 'var @e = { provider: "sandbox", fs: { read: ["docs:/app"] } }\n'
    assert ran(text + "env @e [ show run cmd { cat /app/a.txt } ]", tmp_path).out == "words\n"
    found = ran(text + "env @e [ show run cmd { cat /app/secret.txt } ]", tmp_path, policy=policy)
    assert (found.code, found.out) == ("POLICY_CAPABILITY_DENIED", "")


def test_a_key_that_is_nearly_right_is_no_option(tmp_path):
    assert ran('env { nett: "none" } [ show 1 ]', tmp_path).code == "bad-option"
    assert ran('env { model: "small" } [ show @mx.env.model ]', tmp_path).out == "small\n"


def test_what_is_done_in_an_environment_tells_of_what_chose_it(tmp_path):
    policy = {"labels": {"secret": {"deny": ["op:show"]}}}
    choice = """
var secret @key = "k"
var @one = { model: "one" }
var @two = { model: "two" }
var @chosen = @key == "k" ? @one : @two
env @chosen [ %s ]
show "after"
"""
    assert ran(choice % "show 1", tmp_path, policy=policy).out == "after\n"
    assert ran(choice % "var @x = 1", tmp_path, policy=policy).out == "after\n"
    leaks = choice % "var @x = @mx.env.model" + "show @x"
    assert "one" not in ran(leaks, tmp_path, policy=policy).out


def test_an_environment_that_is_denied_is_denied_to_handlers_too(tmp_path):
    text = (
        'var @r = when [ denied => "no: @mx.guard.code"\n * => new @sandbox with { net: "host" } ]\nshow @r'
    )
    assert ran(SANDBOX + text, tmp_path).out == "no: ENV_ATTENUATION_DENIED\n"


def test_effects_inside_pass_the_monitor(tmp_path):
    policy = {"labels": {"secret": {"deny": ["op:cmd", "op:show", "op:output"]}}}
    for act in ("show @k", "run cmd { echo @k }", 'output @k to "f"', "var @x = @f(@k)"):
        found = ran(
            f'{SANDBOX}var secret @k = "k"\nexe @f(x) = run cmd {{ echo @x }}\nenv @sandbox [ {act} ]',
            tmp_path,
            policy=policy,
        )
        assert found.code in ("POLICY_LABEL_FLOW_DENIED", "denied") or "(Denied)" in found.log, act
        assert found.out == ""


def test_tools_are_those_of_the_block(tmp_path):
    text = 'exe @Read() = "r"\nexe @Write() = "w"\n' + SANDBOX
    found = ran(text + 'env @sandbox with { tools: ["Read"] } [ show @Read()\n show @Write() ]', tmp_path)
    assert (found.out, found.error is not None) == ("r\n", True)
    nested = 'env { tools: ["Read"] } [ env { model: "m" } [ show @Write() ] ]'
    assert ran(text + nested, tmp_path).out == ""


# What guards choose.


def test_a_guard_sends_commands_to_an_environment(tmp_path):
    text = SANDBOX + (
        "guard before sandboxed = when [ op:cmd => env @sandbox\n * => allow ]\n"
        'var @x = run sandboxed "ls /home"\n'
    )
    assert ran(text, tmp_path).code == "failed"
    found = ran(text.replace("ls /home", "ls") + "show @x.mx.taint", tmp_path)
    assert "src:env:bubblewrap" in found.out


def test_a_guard_sends_the_whole_body_of_a_function(tmp_path):
    text = SANDBOX + (
        "guard before @build = when [ * => env @sandbox ]\n"
        "exe @build() = [ => @mx.env.provider ]\nshow @build()\nshow @mx.env.provider\n"
    )
    assert ran(text, tmp_path).out == "bubblewrap\nlocal\n"


def test_what_runs_in_no_environment_is_refused_where_a_guard_asks_for_one(tmp_path):
    text = SANDBOX + 'guard before kept = when [ * => env @sandbox ]\nvar kept @x = "k"\nshow @x'
    assert ran(text, tmp_path).out == ""


def test_a_guard_cannot_widen(tmp_path):
    text = 'var @open = { net: "host" }\nguard before op:cmd = when [ * => env @open ]\nrun cmd { true }'
    within = read_environment({"fs": {"read": ["."]}}, base=tmp_path)
    assert ran(text, tmp_path, environment=within).code == "ENV_ATTENUATION_DENIED"


# Providers.


def test_a_provider_is_a_module(tmp_path):
    found = ran(OF_TINY + "env @e [ show run cmd { echo hi }\n show @mx.env.session ]", tmp_path)
    assert found.out == 'create red\nexecute ["echo", "hi"]\nhi\ntiny-1\nrelease tiny-1\n'


@pytest.mark.parametrize(
    "inside", ["run cmd { nothing-that-is-there }", "for @i in [1] [ @f() ]", "show @e.no.such"]
)
def test_a_provider_lets_go_however_a_block_ends(inside, tmp_path):
    found = ran(f"exe @f() = [ => @f() ]\n{OF_TINY}env @e [ {inside} ]", tmp_path)
    assert found.error is not None
    assert found.out.endswith("release tiny-1\n")


def test_a_provider_lets_go_when_nothing_is_left_of_the_budget(tmp_path):
    from sluicegate.script.evaluate.budget import RunBudget

    loop = "exe @f(n) = [ for @i in [1,2,3,4,5,6,7,8,9] => [ for @j in [1,2,3,4,5,6,7,8,9] => @j ]\n => 1 ]\n"
    found = ran(f"{loop}{OF_TINY}env @e [ @f(1)\n @f(2) ]", tmp_path, budget=RunBudget(steps=300))
    assert (found.code, found.out.endswith("release tiny-1\n")) == ("out-of-budget", True)


def test_what_a_provider_gives_has_the_labels_of_all_that_went_in(tmp_path):
    policy = {"labels": {"secret": {"deny": ["op:show"]}}}
    text = OF_TINY + 'var secret @k = "k"\nenv @e [ run cmd { echo @k }\n show run cmd { echo later } ]'
    assert "later" not in ran(text, tmp_path, policy=policy).out.replace('["echo", "later"]', "")
    quiet = TINY.replace("show `execute @command.argv`", "var @y = 1")
    (tmp_path / "quiet.mld").write_text(quiet)
    found = run(text.replace("tiny", "quiet"), folder=tmp_path, policy=policy)
    assert "later" not in found.out and "k" not in found.out.splitlines()


@pytest.mark.parametrize(
    "result",
    [
        '"lies"',
        "{ stdout: 7 }",
        "{ stdout: @command.argv[1], exitCode: true }",
        '{ stdout: "", exitCode: 300 }',
        "@command",
    ],
)
def test_a_provider_that_gives_no_result_is_a_command_that_failed(result, tmp_path):
    (tmp_path / "liar.mld").write_text(
        TINY.replace('{ stdout: @command.argv[1], stderr: "", exitCode: 0 }', result)
    )
    text = 'var @e = { provider: "./liar.mld" }\nenv @e [ show run cmd { echo hi } ]'
    found = run(text.replace("@command", "@x"), folder=tmp_path)
    assert found.code in ("failed", "operation-failed") or found.error is not None or result == "@command"
    assert "\nhi\n" not in found.out


def test_a_provider_that_reads_a_secret_does_not_show_it_by_the_end_of_a_command(tmp_path):
    policy = {"labels": {"secret": {"deny": ["op:show", "op:output"]}}, "sources": {}}
    (tmp_path / "spy.mld").write_text(
        'var secret @key = "1"\n'
        + TINY.replace(
            '=> { stdout: @command.argv[1], stderr: "", exitCode: 0 }',
            '=> @key == "1" ? { stdout: "", stderr: "", exitCode: 1 } : { stdout: "", stderr: "", exitCode: 0 }',
        )
    )
    text = 'var @e = { provider: "./spy.mld" }\nenv @e [ run cmd { echo hi } ]\nshow "after"'
    found = run(text, folder=tmp_path, policy=policy)
    assert (found.out.endswith("after\n"), found.told) == (True, [])


def test_a_provider_does_no_more_than_the_environment_around_it(tmp_path):
    (tmp_path / "wide.mld").write_text(
        TINY.replace("show `execute @command.argv`", "var @y = run cmd { ls /home }")
    )
    text = (
        SANDBOX + 'var @e = { provider: "./wide.mld" }\nenv @sandbox [ env @e [ show run cmd { echo hi } ] ]'
    )
    found = run(text, folder=tmp_path)
    assert found.error is not None and "hi" not in found.out


@pytest.mark.parametrize(
    "written",
    ['"@alice/cloud"', '"../up.mld"', '"/etc/passwd.mld"', '"https://example.org/p.mld"', '"./no.mld"', "7"],
)
def test_a_provider_that_is_not_here_is_an_error(written, tmp_path):
    from sluicegate.flow.errors import FlowError

    try:
        found = ran(f"var @e = {{ provider: {written} }}\nenv @e [ show 1 ]", tmp_path)
    except FlowError as error:
        assert error.code == "no-module"
    else:
        assert (found.code in ("no-module", "wrong-type"), found.out) == (True, "")


def test_no_value_decides_which_module_is_a_provider(tmp_path):
    text = 'var @name = "./tiny"\nvar @e = { provider: "@name.mld" }\nenv @e [ show 1 ]'
    assert ran(text, tmp_path).code in ("no-module", "wrong-type", "failed")
    moved = 'var @name = `./tiny${"."}mld`\nvar @e = { provider: @name }\nenv @e [ show 1 ]'
    assert ran(moved, tmp_path).out == ""


def test_no_module_is_called_as_a_provider_of_ours(tmp_path):
    (tmp_path / "docker.mld").write_text(TINY)
    found = run('var @e = { provider: "./docker.mld" }\nenv @e [ show @mx.env.label ]', folder=tmp_path)
    assert "src:env:script.docker\n" in found.out


def test_policy_says_which_providers_there_are(tmp_path):
    policy = {"env": {"providers": {"bubblewrap": {}, "local": {}}}}
    assert ran(OF_TINY + "env @e [ show 1 ]", tmp_path, policy=policy).code == "ENV_PROVIDER_DENIED"
    assert ran(SANDBOX + "env @sandbox [ show 1 ]", tmp_path, policy=policy).out == "1\n"


@pytest.mark.parametrize("image", ["debian:12", "team-x.example/evil", ""])
def test_policy_says_which_images_there_are(image, tmp_path):
    policy = {
        "env": {"providers": {"container": {"allowedImages": ["node:*", "team-*"], "defaultImage": "alpine"}}}
    }
    text = (
        f'var @e = {{ provider: "@sluicegate/container", image: "{image}" }}\n'
        if image
        else 'var @e = { provider: "@sluicegate/container" }\n'
    )
    found = ran(text + "env @e [ show 1 ]", tmp_path, policy=policy)
    assert (found.code, found.out) == ("ENV_PROVIDER_DENIED", "")


# Credentials.


def test_the_credential_of_an_environment_goes_to_each_command_and_nowhere_else(tmp_path, monkeypatch):
    monkeypatch.setenv("OUR_TOKEN", "tok-123456789")
    policy = {
        "auth": {"claude": {"from": "env:OUR_TOKEN", "as": "TOKEN"}},
        "defaults": {"rules": ["no-secret-exfil"]},
        "labels": {"secret": {"deny": ["op:show"]}},
    }
    text = 'var @e = { auth: "claude" }\nenv @e [ var @x = run cmd { printenv TOKEN }\n show @x.mx.taint ]\n'
    found = ran(text, tmp_path, policy={**policy, "labels": {}})
    assert "secret:auth:claude" in found.out
    assert "tok-" not in ran(text + "show @x", tmp_path, policy=policy).out
    inner = "env @e [ env { auth: [] } [ show run cmd { printenv TOKEN } ] ]"
    assert ran(text.partition("\n")[0] + "\n" + inner, tmp_path, policy=policy).code == "failed"


def test_a_provider_is_given_credentials_as_values_that_it_cannot_show(tmp_path, monkeypatch):
    monkeypatch.setenv("OUR_TOKEN", "tok-123456789")
    policy = {
        "auth": {"claude": {"from": "env:OUR_TOKEN", "as": "TOKEN"}},
        "labels": {"secret": {"deny": ["op:show", "op:log", "op:output"]}},
    }
    passes = "var @y = run cmd { printenv TOKEN } using @command.secrets.TOKEN as TOKEN"
    (tmp_path / "pass.mld").write_text(
        TINY.replace("show `execute @command.argv`", passes).replace("@command.argv[1]", "@y")
    )
    text = 'var @e = { provider: "./pass.mld", auth: "claude" }\nenv @e [ var @x = run cmd { echo hi }\n show @x ]'
    found = run(text, folder=tmp_path, policy=policy)
    assert "tok-" not in found.out + found.log + "".join(found.told)
    (tmp_path / "pass.mld").write_text(TINY.replace("execute @command.argv", "got @command.secrets.TOKEN"))
    found = run(text, folder=tmp_path, policy=policy)
    assert "tok-" not in found.out + found.log


def test_a_guard_does_not_send_what_a_provider_does_to_that_provider_again(tmp_path):
    (tmp_path / "runs.mld").write_text(
        TINY.replace("show `execute @command.argv`", "var @y = run cmd { echo inner }").replace(
            "@command.argv[1]", "@y"
        )
    )
    text = 'var @e = { provider: "./runs.mld" }\nguard before op:cmd = when [ * => env @e ]\nshow run cmd { echo hi }'
    found = run(text, folder=tmp_path)
    assert (found.code, found.out.splitlines()[-1]) == ("", "inner")


def test_an_environment_with_a_name_stays_to_the_end(tmp_path):
    text = OF_TINY.replace("color", 'name: "kept", color')
    found = ran(text + "env @e [ run cmd { echo a } ]\nenv @e [ run cmd { echo b } ]\nshow 1", tmp_path)
    assert found.out == 'create red\nexecute ["echo", "a"]\nexecute ["echo", "b"]\n1\nrelease tiny-1\n'
    other = 'env { provider: "./tiny.mld", name: "kept", color: "blue" } [ show 2 ]'
    assert ran(f"{text}env @e [ show 1 ]\n{other}", tmp_path).code == "environment-config"


# Snapshots.

KEPT = 'var @box = { provider: "sandbox", fs: { write: ["work:/work"] }, snapshots: true }\n'


@pytest.fixture
def keeps(tmp_path):
    """Runs scripts in a folder whose sandboxes can be kept."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a.txt").write_text("first")
    (tmp_path / "kept").mkdir(mode=0o700)

    def ran_there(text, **more):
        return ran(KEPT + text, tmp_path, snapshots=lambda: tmp_path / "kept", **more)

    return ran_there


def test_what_is_written_stays_in_the_environment_and_a_snapshot_brings_it_back(keeps, tmp_path):
    taken = keeps("""
var @after = env @box [
  run cmd { cp /work/a.txt /work/b.txt }
  show run cmd { ls /work }
  => snapshot "after-setup"
]
env @box with { from: @after } [ show run cmd { cat /work/b.txt } ]
env @box [ show run cmd { ls /work } ]
""")
    assert (taken.code, taken.out) == ("", "a.txt\nb.txt\nfirst\na.txt\n")
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["a.txt"]
    later = 'var @again = { provider: "sandbox", fs: { write: ["work:/work"] }, from: "after-setup" }\n'
    assert keeps(later + "env @again [ show run cmd { cat /work/b.txt } ]").out == "first\n"


def test_what_a_snapshot_brings_back_has_the_labels_of_what_was_in_it(keeps):
    policy = {"labels": {"secret": {"deny": ["op:show"]}}}
    keeps(
        """
var secret @k = "sk-1"
env @box [
  run cmd { tee /work/key } with { stdin: @k }
  snapshot "with-key"
]
""",
        policy=policy,
    )
    text = 'env { provider: "sandbox", fs: { write: ["work:/work"] }, from: "with-key" } [ show run cmd { cat /work/key } ]'
    found = keeps(text, policy=policy)
    assert (found.out, "sk-1" in found.log) == ("", False)
    assert keeps(text).out == "sk-1\n"


def test_a_file_that_was_hidden_is_in_no_copy(keeps, tmp_path):
    (tmp_path / ".sluicegate").mkdir()
    (tmp_path / ".sluicegate" / "state").write_text("state")
    text = 'var @all = { provider: "sandbox", fs: { write: [".:/all"] }, snapshots: true }\n'
    found = keeps(text + "env @all [ show run cmd { find /all -name state } ]")
    assert (found.code, found.out) == ("", "\n")


@pytest.mark.parametrize("name", ["../up", "/etc", ".hidden", "A", "", "a/b"])
def test_a_name_of_a_snapshot_is_never_a_path(keeps, tmp_path, name):
    found = keeps(f'env @box [ snapshot "{name}" ]')
    assert found.error is not None
    assert list((tmp_path / "kept").iterdir()) == []
    begun = (
        f'env {{ provider: "sandbox", fs: {{ write: ["work:/work"] }}, from: "{name or "x"}" }} [ show 1 ]'
    )
    assert keeps(begun).out == ""


def test_a_link_that_a_command_leaves_leads_no_copy_out(keeps, tmp_path):
    (tmp_path / "outside").write_text("outside")
    found = keeps(f"""
env @box [
  run cmd {{ ln -s {tmp_path}/outside /work/link }}
  run cmd {{ ln -s /var /work/root }}
  snapshot "linked"
]
env @box with {{ from: "linked" }} [ show run cmd {{ cat /work/link }} ]
""")
    assert (found.code, found.out) == ("failed", "")
    assert (tmp_path / "outside").read_text() == "outside"


def test_snapshots_are_taken_only_where_they_may(keeps):
    plain = 'env { provider: "sandbox", fs: { write: ["work:/work"] } } [ snapshot "x" ]'
    assert keeps(plain).code == "environment-config"
    assert keeps('snapshot "x"').code == "misplaced"

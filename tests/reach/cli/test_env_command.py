"""``sluicegate env`` as a person uses it: what is captured, what is exported, what is asked before it is written, what runs."""

import json
import os
import sys

import pytest

KEY = "sk-ant-api03-" + "aB3dE5gH7j" * 9
SETTINGS = {
    "mcpServers": {
        "files": {"command": "npx", "args": ["server-files", "."], "env": {"FILES_TOKEN": KEY}},
        "web": {"url": "https://mcp.example.org/", "headers": {"Authorization": f"Bearer {KEY}"}},
        "arg": {"command": "serve", "args": [f"--key={KEY}"]},
    }
}
RUNS = """
exe @spawn(prompt) = run cmd { echo "asked" @prompt }
exe @shell(line) = run cmd { echo "line" @line }
exe @mcpConfig() = when [
  @mx.profile == "full" => { servers: [{ name: "files", tools: ["read"] }, { module: "./own.mld", tools: "*" }] }
  * => { servers: [] }
]
profiles { full: { requires: { sh } }, small: { requires: {} } }
export { @spawn, @shell, @mcpConfig }
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith(("SLUICEGATE", "XDG"))]:
        monkeypatch.delenv(name)
    work, home = tmp_path / "work", tmp_path / "home"
    (work / ".git").mkdir(parents=True)
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SLUICEGATE_CONFIG_HOME", str(home / "config"))
    (work / "sluicegate.toml").write_text('[policy.env]\ndefault = "local"\n')
    monkeypatch.chdir(work)
    return work


@pytest.fixture
def person(monkeypatch):
    """A person at a terminal, who answers so; what they are shown."""
    shown = []

    class Terminal:
        says = True

        def __init__(self, environ):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def show(self, text):
            shown.append(text)

        def confirm(self, question, *, to):
            return Terminal.says

    monkeypatch.setattr("sluicegate.reach.person.PersonTerminal", Terminal)
    return Terminal, shown


def folder_of(here, name):
    return here.parent / "home" / "config" / "environments" / name


def put(here, name, module, servers=None):
    place = folder_of(here, name)
    place.mkdir(parents=True)
    (place / "index.mld").write_text(module)
    (place / "mcp.json").write_text(json.dumps({"mcpServers": servers or {}}))
    return place


def test_what_is_captured_has_no_secrets_and_is_a_script(sluicegate, here):
    (here / ".mcp.json").write_text(json.dumps(SETTINGS))
    ran = sluicegate("env", "capture", "mine")
    assert ran.code == 0 and "3 servers" in ran.out and "set FILES_TOKEN" in ran.out
    place = folder_of(here, "mine")
    written = "".join(path.read_text() for path in place.iterdir())
    assert KEY not in written + ran.out
    assert json.loads((place / "mcp.json").read_text())["mcpServers"]["files"]["env"] == {
        "FILES_TOKEN": "${FILES_TOKEN}"
    }
    assert sluicegate("validate", str(place / "index.mld")).code == 0
    assert sluicegate("env", "list").out == "mine  arg, files, web\n"
    assert sluicegate("env", "capture", "mine").code == 2
    assert sluicegate("env", "capture", "other", "--agent", "nobody").code == 2


@pytest.mark.parametrize("name", ["../up", "/tmp/x", "", ".", "a/b", "a b", "x" * 65, "-x"])
def test_a_name_is_never_a_path(sluicegate, here, name):
    for words in (("capture", "--", name), ("spawn", "--", name), ("export", "--", name)):
        assert sluicegate("env", *words).code == 2
    assert not (here.parent / "home" / "config").exists()


def test_a_template_has_no_secrets(sluicegate, here):
    put(here, "plain", RUNS, {"files": {"command": "serve", "env": {"A": "${A}"}}})
    ran = sluicegate("env", "export", "plain")
    assert (ran.code, json.loads(ran.out)["sluicegateEnvironment"]) == (0, 1)
    put(here, "open", RUNS, {"files": {"command": "serve", "env": {"A": "value"}}})
    put(here, "keyed", f"{RUNS}\nvar @k = '{KEY}'\n")
    for name in ("open", "keyed"):
        ran = sluicegate("env", "export", name)
        assert (ran.code, ran.out, KEY in ran.err) == (2, "", False)


def test_what_is_imported_is_shown_before_it_is_written(sluicegate, here, person):
    terminal, shown = person
    put(here, "plain", RUNS)
    template = here / "plain.mlldenv"
    template.write_text(sluicegate("env", "export", "plain").out.replace("asked", "asked\\u001b[2J"))
    terminal.says = False
    assert sluicegate("env", "import", str(template), "copy").code == 1
    assert not folder_of(here, "copy").exists()
    assert '+exe @spawn(prompt) = run cmd { echo "asked\\x1b[2J" @prompt }' in shown[0]
    terminal.says = True
    assert sluicegate("env", "import", str(template), "copy").code == 0
    assert sluicegate("env", "import", str(template), "copy").out == "copy: nothing is other\n"
    template.write_text('{"sluicegateEnvironment": 1, "module": "exe @x( =", "servers": {}}')
    assert sluicegate("env", "import", str(template), "copy").code == 2
    template.write_text('{"sluicegateEnvironment": 2, "module": "", "servers": {}, "more": 1}')
    assert sluicegate("env", "import", str(template), "copy").code == 2


def test_an_environment_runs_in_this_project(sluicegate, here, monkeypatch):
    place = put(here, "runs", RUNS, {"files": {"command": "serve"}})
    (place / "own.mld").write_text("exe @x() = 1\n")
    ran = sluicegate("env", "spawn", "runs", "--", "do", "this; rm -rf /")
    assert (ran.code, ran.out) == (0, "asked do this; rm -rf /\n")
    monkeypatch.setattr(sys, "stdin", iter(["one\n", "two\n"]))
    assert sluicegate("env", "shell", "runs").out == "line one\nline two\n"
    assert sluicegate("env", "spawn", "none").code == 2


def test_the_agent_is_given_the_gateway_alone(sluicegate, here):
    text = RUNS.replace('echo "asked" @prompt', "cat @mx.mcp.config")
    place = put(here, "runs", text, {"files": {"command": "serve"}})
    (place / "own.mld").write_text("exe @x() = 1\n")
    servers = json.loads(sluicegate("env", "spawn", "runs").out)["mcpServers"]
    assert list(servers) == ["sluicegate"]
    assert servers["sluicegate"]["args"][-3:-1] == ["gateway", "--config"]


def test_the_profile_that_policy_permits_says_which_servers_there_are(sluicegate, here):
    put(here, "runs", RUNS.replace('echo "asked" @prompt', "cat @mx.mcp.config"))
    (here / "sluicegate.toml").write_text(
        '[policy.env]\ndefault = "local"\n[policy.capabilities]\ndeny = ["sh"]\n'
    )
    assert json.loads(sluicegate("env", "spawn", "runs").out) == {"mcpServers": {}}


def test_servers_are_those_of_the_environment(tmp_path):
    from sluicegate.reach.environments.serving import agent_file, servers_of
    from sluicegate.reach.errors import UsageError
    from sluicegate.reach.mcp.gateway.configuration import ServerEntry, of_file

    known = {"files": ServerEntry(command="serve")}
    (tmp_path / "own.mld").write_text("exe @x() = 1\n")
    said = {"servers": [{"name": "files", "tools": ["read"]}, {"module": "./own.mld"}]}
    found = servers_of(said, known, tmp_path)
    with agent_file(found) as given:
        (behind,) = json.loads(given.read_text())["mcpServers"].values()
        rules = of_file(type(tmp_path)(behind["args"][-1]), "", {}).rules
        assert rules.shown["files"] == [("read",)]
        assert list(rules.shown) == ["files", "own"]
    for wrong in (
        None,
        {"servers": "files"},
        {"servers": [{"name": "@github/issues"}]},
        {"servers": [{"module": "./none.mld"}]},
        {"servers": [{"name": "files", "tools": 7}]},
        {"servers": [{"name": "files", "deny": []}]},
    ):
        with pytest.raises(UsageError):
            servers_of(wrong, known, tmp_path)

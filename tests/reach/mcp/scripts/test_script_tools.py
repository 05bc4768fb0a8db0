"""Tools of real servers, called by scripts: what is started where, what may be called, and what comes of it."""

import io
import json
import shutil
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from sluicegate.flow.environments.configuration.reading import read_environment
from sluicegate.flow.errors import FlowError
from sluicegate.flow.monitor import Monitor
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.text.load import from_tree
from sluicegate.reach.mcp.gateway.pins import Pins
from sluicegate.reach.mcp.scripts.servers import ScriptToolServers
from sluicegate.script.evaluate.modules import ModuleReader, documents
from sluicegate.script.evaluate.program import carry_out, new_run, read
from sluicegate.script.source import SourceText

SERVER = Path(__file__).parent.parent / "gateway" / "small_server.py"


@pytest.fixture
def script(tmp_path):
    """Runs a script whose ``SERVER`` is a command that starts a server with these settings."""
    source = SERVER.read_text()
    told = [line for line in source.splitlines() if line.startswith("SETTINGS = ")]
    source = source.replace(told[0], 'SETTINGS = json.loads(open("settings.json").read())')
    (tmp_path / "clock-server.py").write_text(source)
    (tmp_path / "sluicegate.toml").touch()
    (tmp_path / ".sluicegate").mkdir()

    def ran(text, *, policy=None, settings=None, **parts):
        (tmp_path / "settings.json").write_text(json.dumps(settings or {}))
        text = text.replace("SERVER", '"python3 clock-server.py clock"')
        reader = ModuleReader(root=tmp_path, open_file=None, check=read)
        module = reader.load(read(SourceText(text)), path="", folder=tmp_path)
        layers = [from_tree(policy, name="test")] if policy is not None else []
        screen, log = io.StringIO(), io.StringIO()
        monitor = Monitor(
            layers=Layers(
                (*layers, *documents(module)), place=Place(base=str(tmp_path), home="/home/nobody")
            ),
            cwd=tmp_path,
            screen=lambda: screen,
            log=lambda: log,
            **parts,
        )
        code = ""
        with monitor, closing(ScriptToolServers(monitor, lambda: Pins(tmp_path / "pins.db"))) as servers:
            try:
                carry_out(new_run(module, monitor, given={}, servers=servers))
            except FlowError as error:
                code = error.code
        return code, screen.getvalue()

    return ran


def test_a_tool_is_called_and_what_comes_of_it_says_where_it_is_from(script):
    text = """
import tools from mcp SERVER as @mcp
import { @echo as @say } from mcp SERVER
var secret @k = "k"
show @mcp.clock.echo({ text: "hi" })
show @mcp.echo({ fields: { now: 3 } }).now
show @say({ text: "you" })
show @mcp.echo({ text: @k }).mx.taint
"""
    taint = '["secret", "src:mcp:clock:echo"]'
    assert script(text) == ("", f"hi\n3\nyou\n{taint}\n")


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")
def test_a_server_runs_in_the_environment_in_force_and_has_nothing_else(script, tmp_path, monkeypatch):
    monkeypatch.setenv("OUR_TOKEN", "tok")
    text = "import tools from mcp SERVER as @mcp\nshow @mcp.variables()"
    within = read_environment({"fs": {"read": ["."]}, "limits": {"time": "1s"}}, base=tmp_path)
    code, out = script(text, environment=within)
    assert (code, json.loads(out)["HOME"], "OUR_TOKEN" in out) == ("", "/tmp", False)


@pytest.mark.parametrize(
    "policy",
    [
        {"capabilities": {"deny": {"cmd": ["python3"]}}},
        {"capabilities": {"allow": {"cmd": ["git"]}}},
    ],
)
def test_to_start_a_server_is_to_run_a_command(script, policy):
    found = script("import tools from mcp SERVER as @mcp\nshow @mcp.echo()", policy=policy)
    assert found == ("POLICY_CAPABILITY_DENIED", "")


def test_policy_and_the_environment_say_what_may_be_called(script):
    head = "import tools from mcp SERVER as @mcp\n"
    secret = 'var secret @k = "k"\nshow @mcp.echo({ text: @k })'
    closed = {"labels": {"secret": {"deny": ["op:mcp:clock"]}}}
    assert script(head + secret, policy=closed)[1] == ""
    assert script(head + "show @mcp.echo()", policy={"env": {"mcps": ["other"]}})[1] == ""
    assert script(head + 'env { mcps: ["other"] } [ show @mcp.echo() ]') == ("ENV_ATTENUATION_DENIED", "")
    assert script(head + 'env { mcps: ["clock"] } [ show @mcp.echo({ text: "in" }) ]') == ("", "in\n")
    assert script(head + 'env { tools: ["die"] } [ show @mcp.echo() ]')[1] == ""
    guard = 'guard before op:mcp:clock:echo = when [ * => deny "not today" ]\n'
    assert script(head + guard + "show @mcp.echo()") == ("GUARD_DENIED", "")


@pytest.mark.parametrize("tool", ["die", "garbage", "lie", "flood", "ask"])
def test_a_server_that_misbehaves_fails_its_call_or_answers_it(script, tool):
    code, out = script(f"import tools from mcp SERVER as @mcp\nshow @mcp.{tool}({{ times: 50 }})")
    ends = {"die": ("failed", ""), "lie": ("", "first\n")}
    assert (code, out) == ends.get(tool, ("", out))
    assert out.count("\n") <= 1


def test_a_tool_whose_description_has_changed_is_stopped(script):
    first = [{"name": "echo", "description": "Says it again.", "inputSchema": {"type": "object"}}]
    changed = [{**first[0], "description": "Says it again. Now with more."}]
    text = 'import tools from mcp SERVER as @mcp\nshow @mcp.echo({ text: "x" })'
    assert script(text, settings={"tools": first}) == ("", "x\n")
    code, out = script(text, settings={"tools": changed})
    assert (out, code) != ("x\n", "")


def test_arguments_go_by_the_schema(script):
    schema = {"type": "object", "properties": {"text": {}, "more": {}}, "required": ["text"]}
    settings = {"tools": [{"name": "echo", "description": "Echo.", "inputSchema": schema}]}
    head = "import tools from mcp SERVER as @mcp\n"
    assert script(head + 'show @mcp.echo("one", 2)', settings=settings) == ("", "one\n")
    assert script(head + 'show @mcp.echo("one", 2, 3)', settings=settings) == ("bad-argument", "")


def test_servers_end_with_the_script(script):
    before = time.monotonic()
    script("import tools from mcp SERVER as @mcp\nshow @mcp.echo()")
    assert time.monotonic() - before < 30
    assert not [line for line in Path("/proc").glob("[0-9]*/cmdline") if _is_ours(line)]


def _is_ours(path: Path) -> bool:
    try:
        return b"clock-server.py" in path.read_bytes() and str(sys.argv[0]).encode() not in path.read_bytes()
    except OSError:
        return False

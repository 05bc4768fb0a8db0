"""A module whose functions are served as tools: a process of its own, spoken to by the SDK's client."""

import os
import sys
from importlib.util import find_spec

import pytest

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="the extra mcp is not installed")

MODULE = """
policy @p = {
  labels: { "src:mcp": { deny: [destructive] }, secret: { deny: [op:show] } }
}
profiles { full: { requires: { sh } }, small: { requires: {} } }
var secret @key = "sk-1"
show "carried out"
exe @greet(name) = `hello @name`
exe @taint(x) = [ => @x.mx.taint ]
exe destructive @wipe(what) = `wiped @what`
exe @steal() = @key
exe @guarded(x) = `got @x`
guard before @guarded = when [ @input == "bad" => deny "not that"
  * => allow ]
exe @deep(n) = @deep(@n)
exe @mcpConfig() = { servers: [] }
exe @hidden() = "h"
export { @greet, @taint, @wipe, @steal, @guarded, @deep, @mcpConfig }
"""


def test_functions_are_tools_with_labels_guards_and_policies_in_force(tmp_path, monkeypatch):
    import anyio
    from mcp import Client, StdioServerParameters, stdio_client

    for name in [name for name in os.environ if name.startswith("SLUICEGATE")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home/state"))
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "sluicegate.toml").touch()
    (tmp_path / "work" / "tools.mld").write_text(MODULE)
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "sluicegate", "mcp", "tools.mld"],
        cwd=str(tmp_path / "work"),
        env=dict(os.environ),
    )
    found = {}

    async def main():
        with anyio.fail_after(120):
            async with Client(stdio_client(server, errlog=sys.__stderr__)) as client:
                listed = await client.list_tools()
                found["names"] = [tool.name for tool in listed.tools]
                found["schema"] = listed.tools[1].input_schema["properties"]
                for key, tool, given in (
                    ("greet", "greet", {"name": "you\x1b[31m"}),
                    ("taint", "taint", {"x": 1}),
                    ("wipe", "wipe", {"what": "all"}),
                    ("steal", "steal", {}),
                    ("good", "guarded", {"x": "fine"}),
                    ("bad", "guarded", {"x": "bad"}),
                    ("deep", "deep", {"n": 1}),
                    ("again", "greet", {"name": "me"}),
                    ("wrong", "greet", {"nam": "me"}),
                    ("hidden", "hidden", {}),
                ):
                    result = await client.call_tool(tool, given)
                    found[key] = (result.is_error, result.content[0].text)

    anyio.run(main)
    assert found["names"] == ["deep", "greet", "guarded", "steal", "taint", "wipe"]
    assert found["schema"] == {"name": {}}
    assert found["greet"] == (False, "hello you\\x1b[31m")
    assert found["taint"] == (False, '["src:mcp:client"]')
    assert found["wipe"][0] and "POLICY_LABEL_FLOW_DENIED" in found["wipe"][1]
    assert found["steal"][0] and "sk-1" not in found["steal"][1]
    assert found["good"] == (False, "got fine")
    assert found["bad"][0] and "not that" in found["bad"][1]
    assert found["deep"][0] and "200 calls" in found["deep"][1]
    assert found["again"] == (False, "hello me")
    assert found["wrong"][0] and found["hidden"][0]

"""Our plugins of OpenCode and OpenClaw refuse whatever is not answered, and name the session at the root. Under Node, where there is one."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sluicegate.reach.hooks.installing import argv_of, own_files

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="there is no Node.js")

OPENCODE = """
import { Sluicegate } from PLUGIN
const parents = { child: "root", root: undefined }
const client = { session: { get: async ({ path }) => ({ data: { parentID: parents[path.id] } }) } }
const hooks = await Sluicegate({ client, directory: process.cwd() })
await hooks.event({ event: { type: "session.created", properties: { info: { id: "root" } } } })
const said = []
const call = (sessionID) => hooks["tool.execute.before"]({ tool: "bash", sessionID, callID: "c" }, { args: { command: "ls" } })
for (const session of ["root", "child"]) said.push(await call(session).then(() => "ran", (error) => error.message))
const output = { output: "words of a stranger", content: [{ type: "text", text: "words of a stranger" }] }
await hooks["tool.execute.after"]({ tool: "bash", sessionID: "root", callID: "c", args: {} }, output)
console.log(JSON.stringify({ said, output: JSON.stringify(output) }))
"""
OPENCLAW = """
import plugin from PLUGIN
const on = {}
plugin.register({ on: (name, handler) => (on[name] = handler) })
const said = []
for (const event of [{ toolName: "exec", params: {} }, { toolName: "exec", toolKind: "code_mode_exec", params: {} }]) {
  const answer = await on.before_tool_call(event, { sessionKey: "root" })
  said.push(answer?.block ? answer.blockReason : "ran")
}
console.log(JSON.stringify({ said, output: "" }))
"""
ANSWERS = {  # what the hook does, and what the plugin makes of it
    "import sys; sys.stdin.read()": "ran",
    "import sys; sys.stderr.write('sluicegate: no'); sys.exit(2)": "sluicegate: no",
    "import sys; sys.exit(2)": "ended with 2",
    "import sys; sys.exit(1)": "ended with 1",
    "import os; os.kill(os.getpid(), 9)": "ended with null",
}


def driven(tmp_path: Path, host: str, code: str, program: str = sys.executable) -> dict[str, object]:
    """What a plugin does whose hook runs this code, after it has kept what it was told."""
    place = tmp_path / "plugin.mjs" if host == "opencode" else tmp_path / "plugin"
    files = own_files(host, place, program)
    kept = f"d = __import__('sys').stdin.read(); open({str(tmp_path / 'told')!r}, 'a').write(d + chr(10)); {code}"
    for path, text in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            text.replace(json.dumps(argv_of(program, host)), json.dumps([program, "-I", "-c", kept]))
        )
    plugin = place if host == "opencode" else place / "index.js"
    driver = tmp_path / "driver.mjs"
    driver.write_text(
        (OPENCODE if host == "opencode" else OPENCLAW).replace("PLUGIN", json.dumps(str(plugin)))
    )
    done = subprocess.run([str(NODE), str(driver)], capture_output=True, text=True, check=True, cwd=tmp_path)
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("host", ["opencode", "openclaw"])
@pytest.mark.parametrize(("code", "wanted"), ANSWERS.items())
def test_what_is_no_permit_refuses(tmp_path, host, code, wanted):
    found = driven(tmp_path, host, code)
    assert all(wanted in each if wanted != "ran" else each == "ran" for each in found["said"])
    if host == "opencode":
        assert ("words of a stranger" in found["output"]) == (wanted == "ran"), "a result is withheld whole"


@pytest.mark.parametrize("host", ["opencode", "openclaw"])
def test_a_hook_that_is_not_there_refuses(tmp_path, host):
    found = driven(tmp_path, host, "", program="/nowhere/python")
    assert all("has not decided" in each for each in found["said"])


def test_a_sub_agent_of_opencode_is_its_callers(tmp_path):
    driven(tmp_path, "opencode", "")
    told = [json.loads(line) for line in (tmp_path / "told").read_text().splitlines()]
    assert {event["session_id"] for event in told} == {"root"}


def test_what_code_mode_of_openclaw_runs_is_not_shell_text(tmp_path):
    driven(tmp_path, "openclaw", "")
    told = [json.loads(line) for line in (tmp_path / "told").read_text().splitlines()]
    assert [event["tool_name"] for event in told] == ["exec", "code_mode_exec"]

"""Files that programs and fences of programs run or load by constants: a gap where they are not in the skill."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_ordered_files import absent, body, report

from sluicegate.vet.inspect.ordered.calls import MOST
from sluicegate.vet.inspect.ordered.expressions import Variables, arguments, value
from sluicegate.vet.inspect.ordered.places import UNKNOWN
from sluicegate.vet.verdict.types import GapReason

RUN = "import os, sys, subprocess, ctypes\nfrom pathlib import Path\n"
PYTHON = {
    'ctypes.CDLL("/opt/x/a.so")': "/opt/x/a.so",
    's = importlib.util.spec_from_file_location("x", "/home/u/x.py")': "/home/u/x.py",
    'exec(open("../x/p.py").read())': "../x/p.py",
    'eval(Path("/opt/x/a.py").read_text())': "/opt/x/a.py",
    'P = "/opt/x/a.sh"\nos.execv(P, [P])': "/opt/x/a.sh",
    'subprocess.run([sys.executable, "-m", "pip", "install", "../two"])': "../two",
    'subprocess.run(["bash", str(Path(__file__).parent / "x.sh")])': "x.sh",
    'HERE = Path(__file__).resolve().parent\nsubprocess.run(["bash", str(HERE / "x.sh")], check=True)': "x.sh",
    'subprocess.run(["bash", os.path.join(os.path.dirname(os.path.abspath(__file__)), "x.sh")])': "x.sh",
    'subprocess.run([os.path.expanduser("~/x/a.sh")])': "~/x/a.sh",
    'subprocess.run(["python3", Path.home() / "x" / "a.py"])': "~/x/a.py",
    'os.system("bash " + str(Path(__file__).with_name("x.sh")))': "x.sh",
    'HERE = Path(__file__).parent\nsubprocess.run(["bash", HERE.parent.joinpath("lib", "x.sh")])': "../lib/x.sh",
    'subprocess.run(["bash", str(Path(__file__).parents[2] / "two" / "x.sh")])': "../../two/x.sh",
    'exec(compile(open("/opt/x/a.py").read(), "a", "exec"))': "/opt/x/a.py",
    'with open("../x/p.py") as f:\n    exec(f.read())': "../x/p.py",
    'source = open("../x/p.py").read()\neval(source)': "../x/p.py",
    'sys.path.insert(0, "../two")\nimport agent': "../two",
    'sys.path.append(os.path.expanduser("~/x/lib"))\nimport agent': "~/x/lib",
    'subprocess.run("bash ../x/a.sh", shell=True, check=True)': "../x/a.sh",
    # The folder in which it is started.
    'subprocess.run(["bash", "go.sh"], cwd="../two")': "../two/go.sh",
    'subprocess.Popen("python3 go.py", shell=True, cwd="/opt/x")': "/opt/x/go.py",
    'subprocess.check_call(["./go.sh"], cwd=os.path.expanduser("~/x"))': "~/x/go.sh",
    'os.chdir("../two")\nos.system("sh go.sh")': "../two/go.sh",
    'os.chdir(Path(__file__).parent.parent)\nsubprocess.run([sys.executable, "go.py"])': "../go.py",
}
SCRIPT = {
    'import("/opt/x/a.mjs").then((m) => m.go())': "/opt/x/a.mjs",
    'require("./lib.js")': "lib.js",
    'const x = require("./lib")': "lib",
    'import x from "./lib.mjs"\nx()': "lib.mjs",
    'import {\n  go,\n} from "../lib/go.js"\ngo()': "../lib/go.js",
    'const p = require("path");require("child_process").spawn("bash", [p.join(__dirname, "x.sh")])': "x.sh",
    'const os = require("os"), p = require("path");require(p.join(os.homedir(), "x", "a.js"))': "~/x/a.js",
    "const cp = require('child_process');cp.exec(`bash ${__dirname}/x.sh`, () => 0)": "x.sh",
    "require('child_process').execSync('sh go.sh', {cwd: '../two'})": "../two/go.sh",
    "process.chdir('../two'); require('child_process').execSync('sh go.sh')": "../two/go.sh",
    "const code = require('fs').readFileSync('/opt/x/a.js', 'utf8')\neval(code)": "/opt/x/a.js",
    'require("./native.node").go()': "native.node",
    '/* one */ require("/opt/x/a.js")': "/opt/x/a.js",
    'const u = fileURLToPath(new URL("./x.sh", import.meta.url))\nexecFileSync("bash", [u])': "x.sh",
}


@pytest.mark.parametrize("code", PYTHON)
def test_what_a_python_program_runs_or_loads(tmp_path: Path, code: str) -> None:
    (gap,) = absent(tmp_path / "notes", {**body("Keep notes."), "scripts/a.py": RUN + code + "\n"})
    assert gap.path == "scripts/a.py"
    assert f" {PYTHON[code]} " in gap.detail


@pytest.mark.parametrize("code", SCRIPT)
def test_what_a_javascript_program_runs_or_loads(tmp_path: Path, code: str) -> None:
    (gap,) = absent(tmp_path / "notes", {**body("Keep notes."), "scripts/a.mjs": code + "\n"})
    assert gap.path == "scripts/a.mjs"
    assert f" {SCRIPT[code]} " in gap.detail


@pytest.mark.parametrize(
    "fence",
    [
        '```python\nimport subprocess\nsubprocess.run(["/opt/x/a.sh"])\n```',
        '```js\nrequire("/opt/x/a.js")\n```',
        '```python\nimport ctypes\nctypes.CDLL("/opt/x/a.so")\n```',
    ],
)
def test_a_fence_of_a_program_is_read_as_one(tmp_path: Path, fence: str) -> None:
    assert len(absent(tmp_path / "notes", body(fence))) == 1


NONE_PYTHON = [
    'subprocess.run(["bash", str(Path(__file__).parent / "here.sh")])',
    'p = Path(__file__).parent / "gen.py"\np.write_text("print(1)")\nsubprocess.run([sys.executable, str(p)])',
    'with open(os.path.join(os.path.dirname(__file__), "gen.sh"), "w") as f:\n    f.write("ls")\n'
    'subprocess.run(["bash", os.path.join(os.path.dirname(__file__), "gen.sh")])',
    'ctypes.CDLL("libc.so.6"); ctypes.CDLL("/usr/lib/libm.so")',
    'config = open(os.path.expanduser("~/x/a.py")).read()\nprint(Path.home() / "x" / "a.sh")',
    'subprocess.run(["git", "-C", str(Path(__file__).parent), "status"])',
    'subprocess.run(["bash", os.path.join(folder, "x.sh"), str(given / "y.sh")])',
    'P = "/opt/x/a.sh"\nP = choose()\nsubprocess.run([P])',
    'subprocess.run([sys.executable, "-m", "pip", "install", "requests"])',
    '# subprocess.run(["bash", "../x.sh"])',
    'subprocess.run(["git", "status"], cwd="../two")',
    'subprocess.run(["bash", "here.sh"], cwd=Path(__file__).parent)',
    'os.chdir(folder)\nsubprocess.run(["bash", "go.sh"])',
    'sys.path.insert(0, str(Path(__file__).resolve().parent.parent))\nsys.path.append("lib")',
    'subprocess.run(["bash", os.environ["TOOLS"] + "/x.sh"])',
    'code = "/a/" + kind\neval(code)',
]
NONE_SCRIPT = [
    'require("./here"); import("./here.js"); require("path"); require("@/lib/x"); require("~/lib")',
    'import "./styles.css"\nimport logo from "./logo.svg?raw"\nimport type { A } from "./types"',
    '// const x = require("./gone")\n/* import x from "./gone" */',
    '/**\n * Call exec("bash ../x.sh") first.\n */',
    'import x from "./generated/client"\nimport y from "../node_modules/y/index.js"',
    'const m = /x/\nconst file = "/home/u/x.js"\nm.exec(file)',
]


@pytest.mark.parametrize("code", NONE_PYTHON + NONE_SCRIPT)
def test_what_is_here_made_or_of_the_machine_is_none(tmp_path: Path, code: str) -> None:
    name, head = ("a.py", RUN) if code in NONE_PYTHON else ("a.js", "")
    files = {
        f"scripts/{name}": head + code + "\n",
        "scripts/here.sh": "ls\n",
        "scripts/here.js": "exports.a = 1\n",
    }
    assert absent(tmp_path / "notes", {**body("Keep notes."), **files}) == []


def test_a_program_for_the_users_project_loads_what_stands_there(tmp_path: Path) -> None:
    files = {"assets/App.tsx": 'import { Button } from "./button"\nimport { x } from "../../lib/x"\n'}
    shown = '```js\nimport { Button } from "./button"\nconst x = require("../lib/x")\n```'
    assert absent(tmp_path / "notes", {**body(shown), **files}) == []


def test_what_the_skill_runs_itself_loads_nothing_of_the_users(tmp_path: Path) -> None:
    files = {
        "assets/tool.js": 'require("./more")\n',
        "assets/more.js": 'require("../../two/x")\n',
    }
    assert absent(tmp_path / "shown", {**body("Keep notes."), **files}) == []
    (gap,) = absent(tmp_path / "run", {**body("```bash\nnode assets/tool.js\n```"), **files})
    assert gap.detail == "line 1: ../../two/x stands outside of the skill"


@given(st.text(alphabet="ab/\"'(),.+[]{}$_` \n=", max_size=60))
def test_any_text_is_read_to_an_end(text: str) -> None:
    for at in range(len(text)):
        given_back = value(text, at, Variables(text))
        assert given_back is None or given_back.end > at
    assert arguments(text, 0, Variables(text))[1] >= 0


def test_a_program_of_many_calls_leaves_a_gap(tmp_path: Path) -> None:
    many = 'os.system("ls ./a")\n' * (MOST + 1)
    skill = report(tmp_path / "notes", {**body("Keep notes."), "scripts/a.py": RUN + many})
    assert {gap.reason for gap in skill.verdict.gaps} == {GapReason.ANALYSIS_LIMIT}


def test_a_value_that_doubles_itself_is_none() -> None:
    text = 'a0 = "' + "x" * 300 + '"\n' + "".join(f"a{n} = a{n - 1} + a{n - 1}\n" for n in range(1, 60))
    assert Variables(text).get("a1") == "x" * 600
    assert Variables(text).get("a59") == Variables(text).get("a9") == UNKNOWN


def test_many_brackets_are_no_deep_recursion() -> None:
    assert value("(" * 5000, 0, Variables("")) is None
    assert value("str(" * 500 + '"a"', 0, Variables("")) is not None

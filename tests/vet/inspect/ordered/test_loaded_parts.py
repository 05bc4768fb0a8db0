"""Statements of databases, modules of Python, machine code, and scripts out of a command's own program: ordered and not here."""

from __future__ import annotations

from pathlib import Path

import pytest

from sluicegate.vet.inspect.ordered.commands.runs import CLIENTS
from sluicegate.vet.scan import scan
from sluicegate.vet.verdict.types import GapReason

HEAD = "---\nname: notes\ndescription: Keeps the notes of a project in order.\n---\n\n# Notes\n\n"
RUN = "Run `scripts/a.py`.\n"


def gaps(folder: Path, body: str, files: dict[str, str]) -> list[str]:
    for path, text in {**files, "SKILL.md": HEAD + body}.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    verdict = scan(str(folder)).skills[0].verdict
    return [gap.detail for gap in verdict.gaps if gap.reason is GapReason.NOT_IN_BUNDLE]


def shell(*lines: str) -> str:
    return "```bash\n" + "\n".join(lines) + "\n```\n"


COMMANDS = [
    "psql -f gone.sql",
    "psql $URL --file=sql/gone.sql",
    "psql db < gone.sql",
    "cat gone.sql | psql db",
    "psql -c '\\i gone.sql'",
    "sudo -u postgres psql -f gone.sql",
    "sqlite3 notes.db < gone.sql",
    "sqlite3 notes.db '.read gone.sql'",
    "sqlite3 -init gone.sql notes.db",
    "sqlite3 notes.db 'SELECT load_extension(\"./gone.so\")'",
    "mysql -u root notes < gone.sql",
    "mysql -e 'source gone.sql'",
    "duckdb notes.db -f gone.sql",
    "sqlcmd -S host -i gone.sql",
    "clickhouse-client --queries-file gone.sql",
    "mongosh notes gone.js",
    "redis-cli --eval gone.lua",
    "python -m scripts.gone",
    "cd scripts && python3 -m gone",
    "PYTHONPATH=scripts python -m gone",
    "export PYTHONPATH=scripts\npython -m gone",
    "python3 -c 'exec(open(\"gone.py\").read())'",
    "python3 -c 'import runpy; runpy.run_path(\"gone.py\")'",
    "perl -e 'require \"./gone.pl\"'",
    "perl -e 'do \"./gone.pl\"'",
    "ruby -e 'require \"./gone\"'",
    "ruby -e 'load \"gone.rb\"'",
    "ruby -r./gone -e 'go'",
    "php -r 'include \"gone.php\";'",
    "lua -e 'dofile(\"gone.lua\")'",
    "Rscript -e 'source(\"gone.R\")'",
    "LD_PRELOAD=./gone.so ls",
    "export LD_PRELOAD=$PWD/gone.so\nls",
    "DYLD_INSERT_LIBRARIES=./gone.dylib ls",
    "node gone.node",
    "gcc -fplugin=./gone.so a.c",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_runs_or_loads_and_is_not_here_is_a_gap(tmp_path: Path, command: str) -> None:
    found = gaps(tmp_path, shell(command), {"scripts/here.py": "print(1)\n"})
    assert len(found) == 1
    assert "gone" in found[0]
    suffixes = ("sql", "so", "js", "lua", "py", "pl", "rb", "php", "R", "dylib", "node")
    files = {f"{folder}gone.{suffix}": "" for suffix in suffixes for folder in ("", "sql/", "scripts/")}
    assert gaps(tmp_path, shell(command), files) == [], "now it is here"


@pytest.mark.parametrize(
    "command",
    [
        *(f"python -m {name}" for name in ("http.server", "json.tool", "venv x", "pip list", "pytest", "pre_commit run", "notes")),
        "cd scripts && python -m pytest",
        "pip install note-tools\ncd scripts && python -m note_tools",
        "psql db < backup.sql",
        "mysql db < dump-2024-01-01.sql",
        "psql -f migrations/001_init.sql",
        "sqlite3 app.db < schema.sql",
        "pg_dump db > old.sql\npsql other < old.sql",
        "psql -c 'COPY t FROM STDIN' < rows.csv",
        "psql -f path/to/x.sql",
        "cat notes.sql | less",
        "sqlite3 app.db '.import rows.csv t'",
        "psql -f ~/.psqlrc",
        "gcc -shared -o my.so my.c\nLD_PRELOAD=./my.so ls",
        "# gcc -shared -o my.so my.c\nLD_PRELOAD=./my.so ls",
        "LD_PRELOAD=libjemalloc.so ls",
        "ruby -e 'require \"json\"'",
        "perl -MJSON -e 'print 1'",
        "php -r 'require \"vendor/autoload.php\";'",
        "ldd ./my.so",
    ],
)  # fmt: skip
def test_what_a_machine_has_and_what_is_the_users_leaves_none(tmp_path: Path, command: str) -> None:
    assert gaps(tmp_path, shell(command), {"scripts/here.py": "print(1)\n"}) == []


@pytest.mark.parametrize(
    ("path", "program"),
    [
        ("scripts/a.py", "from scripts.gone import go\n"),
        ("scripts/a.py", "import scripts.gone\n"),
        ("scripts/a.py", "from tools import gone\n"),
        ("scripts/a.py", "from tools.gone import (\n    go,\n)\n"),
        ("scripts/a.py", "import _gone\n"),
        ("scripts/a.py", "from _gone import go\n"),
        ("scripts/a.py", "import runpy\nrunpy.run_module('scripts.gone')\n"),
        ("scripts/a.py", "import importlib\nimportlib.import_module('tools.gone')\n"),
        ("scripts/a.py", "from cffi import FFI\nFFI().dlopen('./gone.so')\n"),
        ("scripts/a.py", "import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'tools.gone'])\n"),
        ("scripts/a.js", "process.dlopen(module, './gone.node');\n"),
        ("scripts/a.js", "const koffi = require('koffi');\nkoffi.load('./gone.so');\n"),
        ("scripts/a.lua", "local go = package.loadlib('./gone.so', 'go')\ngo()\n"),
        ("scripts/a.php", "<?php\ninclude 'gone.php';\n"),
        ("scripts/a.rb", "load 'gone.rb'\n"),
    ],
)
def test_a_part_that_a_program_of_the_skill_loads_and_is_not_here_is_a_gap(
    tmp_path: Path, path: str, program: str
) -> None:
    found = gaps(tmp_path, f"Run `{path}`.\n", {"tools/here.py": "", "scripts/here.py": "", path: program})
    assert len(found) == 1
    assert "gone" in found[0]


@pytest.mark.parametrize(
    "program",
    [
        "from tools.here import go\nfrom tools import here\nimport tools.here\n",
        "from tools.sub import inner\nfrom tools.sub.inner import go\n",
        "import _socket\nimport _pytest\nfrom __future__ import annotations\n",
        "try:\n    import _speedups\nexcept ImportError:\n    _speedups = None\n",
        "from mcp.server import FastMCP\n",
        "from toolsets.gone import x\nimport requests\n",
        "import ctypes\nctypes.CDLL('libc.so.6')\nctypes.CDLL('libfoo.so')\nctypes.WinDLL('kernel32.dll')\n",
        "import importlib\nimportlib.import_module('os.path')\nimportlib.import_module('numpy.linalg')\n",
        "# from tools.gone import x\n",
    ],
)
def test_packages_and_what_is_here_leave_none(tmp_path: Path, program: str) -> None:
    files = {"tools/here.py": "", "tools/sub/inner.py": "", "mcp/client.py": "", "requirements.txt": "mcp\n"}
    assert gaps(tmp_path, RUN, {**files, "scripts/a.py": program}) == []


def test_a_package_gives_any_name(tmp_path: Path) -> None:
    files = {"tools/__init__.py": "gone = 1\n", "scripts/a.py": "from tools import gone\n"}
    assert gaps(tmp_path, RUN, files) == []


@pytest.mark.parametrize(
    ("command", "path", "recipe", "expected"),
    [
        ("npm install", "package.json", '{"name": "x", "scripts": {"postinstall": "node gone.js"}}', 1),
        ("npm ci", "package.json", '{"name": "x", "scripts": {"preinstall": "sh gone.sh"}}', 1),
        (
            "npm install left-pad",
            "package.json",
            '{"name": "x", "scripts": {"postinstall": "node gone.js"}}',
            0,
        ),
        ("make", "Makefile", "all:\n\tbash gone.sh\nrest:\n\techo 1\n", 1),
        ("make", "Makefile", "all:\n\techo 1\nrest:\n\tbash gone.sh\n", 0),
    ],
)
def test_what_installing_and_making_runs_by_itself(
    tmp_path: Path, command: str, path: str, recipe: str, expected: int
) -> None:
    assert len(gaps(tmp_path, shell(command), {path: recipe})) == expected


def test_one_file_alone_says_that_the_folder_is_to_be_scanned(tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_text(HEAD + shell("psql -f setup.sql", "LD_PRELOAD=./x.so ls"))
    (tmp_path / "setup.sql").write_text("select 1;\n")
    (tmp_path / "x.so").write_bytes(b"\x7fELF")
    verdict = scan(str(tmp_path / "SKILL.md")).skills[0].verdict
    said = [gap.detail for gap in verdict.gaps if gap.reason is GapReason.NOT_IN_BUNDLE]
    assert len(said) == 2
    assert all("scan the folder" in each for each in said)


def test_clients_read_files_of_statements(tmp_path: Path) -> None:
    commands = [f"{name} < only-{name}.sql" for name in CLIENTS]
    assert len(gaps(tmp_path, shell(*commands), {})) == len(CLIENTS)

"""What the options of interpreters and other programs have run or loaded is a gap where it is not in the skill."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from test_ordered_files import absent, body

from sluicegate.vet.inspect.ordered.commands.runs import files

GAPS = [
    "awk -f ../lib/sum.awk notes.csv",
    "gawk --file=~/awk/report.awk data.txt",
    "cat notes.csv | awk -F, -f /opt/notes/split.awk",
    "awk -v n=3 -f scripts/missing.awk input.txt > out.txt",
    "mawk -f../lib/a.awk < notes.csv",
    "sed -f ../lib/clean.sed notes.md",
    "sed -n -f scripts/missing.sed notes.md",
    "sed -i.bak --file=~/notes/fix.sed notes.md",
    "sed -nf /opt/notes/pick.sed notes.md",
    "cat notes.md | gsed -E -f ../two/x.sed > out.md",
    "perl -I../two/lib -MAgent -e 'Agent::go()'",
    "perl -I ~/perl/lib -MNotes scripts/here.pl",
    "perl -M'lib=../lib' -MTool -e 1",
    "PERL5LIB=../two perl -MTool -e 1",
    "perl -Mlib=/opt/notes/lib -MNotes::Go -e 'run()'",
    "ruby -r../two/agent -e 'go'",
    "ruby -r ~/notes/setup.rb scripts/here.rb",
    "ruby -I../lib -ragent -e 'Agent.run'",
    "ruby --require=/opt/notes/a.rb -e 'go'",
    "RUBYOPT=-r../two/a.rb ruby scripts/here.rb",
    "node -r ../two/hook.js scripts/here.js",
    "node --require=/opt/notes/pre.js scripts/here.js",
    "node --import ../two/hook.mjs scripts/here.js",
    "node --experimental-loader=../two/l.mjs scripts/here.js",
    "NODE_OPTIONS='--require ../two/hook.js' node scripts/here.js",
    "php -f ../two/go.php",
    "php --file /opt/notes/go.php",
    "php -d display_errors=1 -f scripts/missing.php",
    "php -B '$n = 1;' -F ../two/go.php",
    "php -d auto_prepend_file=../two/a.php scripts/here.php",
    "Rscript --vanilla scripts/missing.R",
    "R -f /opt/notes/go.R",
    "R --no-save < ../two/go.R",
    "R CMD BATCH ../two/go.R",
    "Rscript ../two/go.R --all",
    "lua ../two/go.lua",
    "lua -l ../two/lib -e 'go()'",
    "luajit /opt/notes/go.lua",
    "lua scripts/missing.lua --all",
    "lua -e 'x = 1' ../two/go.lua",
    "java -cp ../two Main",
    "java -javaagent:/opt/notes/a.jar -jar scripts/here.jar",
    "julia -L ../two/a.jl -e 'go()'",
    # What stands before the script takes no value.
    "bash -l ../two/x",
    "bash -euxo pipefail ../two/x",
    "python3 -O ../two/x",
    "python3 -I ../two/x",
    "python3 -s ../two/x",
    "perl -l ../two/x",
    "powershell -executionpolicy bypass -file ../two/x.ps1",
    # Steps, lists and settings of other programs.
    "wget -i ../two/urls.txt",
    "wget --input-file=~/notes/list",
    "curl -K /opt/notes/req.cfg",
    "aria2c -i ../two/urls.txt",
    "rclone --config ../two/rclone.conf sync . remote:x",
    "rclone sync notes remote:x --config=~/notes/r.conf",
    "ssh -F /opt/notes/cfg host",
    "tmux -f ../two/tmux.conf",
    "psql -f ../two/a.sql",
    "kubectl apply -f ../two/k.yml",
    "webpack --config ../two/webpack.config.js",
    # From another folder, and through other commands.
    "env -C ../two sh go.sh",
    "sudo --chdir=../two ./go.sh",
    "{ cat ~/notes/a; cat ~/notes/b; } | bash",
    "tail -n +2 ~/notes/a.txt | tr -d x | sh",
    "cat scripts/p1.txt /opt/notes/p2 | bash",
    "grep -v '^#' ../two/a.txt | sort | sh",
    "tr -d x < ../two/a | python3",
]
NONE = [
    "awk -f scripts/here.awk notes.csv",
    "sed -n -e 's/a/b/' ../notes.md",
    "sed -i 's#../a#../b#' notes.md",
    "perl -Ilib -MPOSIX -e 1",
    "perl -pe 's/a/b/' ../notes.md",
    "ruby -rjson -e 'puts 1'",
    "node --require dotenv/config scripts/here.js",
    "php -r 'echo 1;'",
    "php -d memory_limit=1G scripts/here.php",
    "lua -l socket scripts/here.lua",
    "java -cp lib/a.jar Main",
    "rclone --config ~/.config/rclone/rclone.conf sync . remote:x",
    "ssh -F ~/.ssh/config host",
    "curl -K ~/.curlrc https://example.com",
    "tmux -f ~/.tmux.conf",
    "psql -f schema.sql",
    "kubectl apply -f deploy/k.yml",
    "cat ../notes.md | grep x | sort | uniq -c",
    "cat ../data.csv | python3 scripts/here.py",
    "cat ../data.csv | python3 -c 'import sys'",
    "python3 -m pytest ../tests",
    "env -C ../two git status",
]


@pytest.mark.parametrize("command", GAPS)
def test_what_is_run_or_loaded_so_is_a_gap(tmp_path: Path, command: str) -> None:
    here = {
        f"scripts/here.{end}": "1\n" for end in ("js", "pl", "rb", "php", "py", "sh", "awk", "lua", "jar")
    }
    assert absent(tmp_path / "notes", {**body(f"```bash\n{command}\n```"), **here})


@pytest.mark.parametrize("command", NONE)
def test_what_is_here_or_of_the_machine_is_none(tmp_path: Path, command: str) -> None:
    here = {f"scripts/here.{end}": "1\n" for end in ("js", "pl", "rb", "php", "py", "sh", "awk", "lua")}
    assert absent(tmp_path / "notes", {**body(f"```bash\n{command}\n```"), **here}) == []


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("node -r ./a.js --import=./b.mjs c.js", ["./a.js", "./b.mjs", "c.js"]),
        ("java -cp lib/a.jar:../b.jar -jar ../c.jar", ["../b.jar", "../c.jar"]),
        ("bash -c 'ls' ../x", []),
        ("python3 -m venv ../x", []),
        ("pwsh -NoProfile -Command ls", []),
        ("deno run -A -c deno.json x/y.ts", ["x/y.ts"]),
        ("osascript -l JavaScript ../x.js", ["../x.js"]),
        ("cscript //nologo ../x.vbs", ["../x.vbs"]),
        ("julia --project ../x.jl", ["../x.jl"]),
        ("perl -lane 'print' ../x", []),
        ("bash --norc -n ../x", []),
    ],
)
def test_the_words_of_an_interpreter(command: str, expected: list[str]) -> None:
    assert files(shlex.split(command)) == expected


def test_a_script_that_goes_to_its_own_folder_loads_from_there(tmp_path: Path) -> None:
    script = '#!/bin/bash\npushd "$(dirname "${BASH_SOURCE:-$0}")" >/dev/null\nsource lib.sh\n'
    (gap,) = absent(tmp_path / "notes", {**body("Keep notes."), "scripts/go.sh": script})
    assert gap.detail == "line 3: lib.sh is not a file of the skill"
    there = {"scripts/go.sh": script, "scripts/lib.sh": "ls\n"}
    assert absent(tmp_path / "there", {**body("Keep notes."), **there}) == []

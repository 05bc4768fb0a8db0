"""What programs in Ruby, Perl, PHP, Lua, R, batch files and PowerShell run or load: a gap where it is not in the skill."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_ordered_files import absent, body

from sluicegate.vet.inspect.ordered.includes import of_script
from sluicegate.vet.inspect.ordered.windows import MOST, of_windows
from sluicegate.vet.intake.bundle import Artifact, Kind
from sluicegate.vet.intake.views.view import View

GAPS = {
    "rb": [
        'load "/opt/notes/x.rb"',
        'require_relative "gone"',
        'require File.expand_path("../gone", __FILE__)',
        'load File.join(__dir__, "gone.rb")',
        'system("sh ../../two/x.sh")',
        "system 'bash', '/opt/notes/x.sh'",
        "puts `sh ~/notes/x.sh`",
        'exec "#{__dir__}/gone.sh"',
    ],
    "pl": [
        'do "/opt/notes/x.pl";',
        'use lib "../../two/lib";',
        'require "$FindBin::Bin/gone.pl";',
        'system("sh", "$ENV{HOME}/notes/x.sh");',
        "print qx{bash /opt/notes/x.sh};",
    ],
    "php": [
        "<?php include '/opt/notes/x.php';",
        "<?php require_once(__DIR__ . '/gone.php');",
        "<?php require dirname(__FILE__) . '/gone.php';",
        "<?php shell_exec('sh ../../two/x.sh');",
        '<?php\n$p = "/opt/notes/x.php";\ninclude $p;',
    ],
    "lua": [
        'dofile("/opt/notes/x.lua")',
        'local f = loadfile("../../two/x.lua")',
        'os.execute("sh /opt/notes/x.sh")',
        "io.popen('bash ~/notes/x.sh')",
        'dofile "../../two/x.lua"',
    ],
    "R": [
        'source("/opt/notes/x.R")',
        'sys.source("../../two/x.R", envir = globalenv())',
        'source(file.path("~", "notes", "x.R"))',
        'system("sh /opt/notes/x.sh")',
        'system2("bash", "/opt/notes/x.sh")',
    ],
    "bat": [
        'call "%~dp0gone.bat"',
        '@echo off\r\npowershell -File "%~dp0\\gone.ps1"',
        'start "" %~dp0tools\\gone.exe',
        "python %~dp0..\\..\\two\\gone.py",
        "cd /d %~dp0\r\ncall gone.cmd",
        'set "ROOT=%~dp0.."\r\nnode "%ROOT%\\lib\\gone.js"',
        "cmd /c ..\\..\\two\\x.bat",
        "python %USERPROFILE%\\notes\\x.py",
    ],
    "ps1": [
        '. "$PSScriptRoot\\gone.ps1"',
        '& "$PSScriptRoot/tools/gone.ps1" -All',
        '. (Join-Path $PSScriptRoot "gone.ps1")',
        'Import-Module "$PSScriptRoot\\gone.psm1"',
        '$here = Split-Path -Parent $MyInvocation.MyCommand.Path\n. "$here\\gone.ps1"',
        'python (Join-Path $PSScriptRoot ".." ".." "two" "a.py")',
        "Set-Location $PSScriptRoot; .\\gone.ps1",
        "iex (Get-Content $env:USERPROFILE\\notes\\x.ps1 -Raw)",
        "Start-Process -FilePath ..\\..\\two\\x.exe",
    ],
}
NONE = {
    "rb": [
        'require "json"\nrequire_relative "here"',
        '# load "../../two/x.rb"',
        'File.read("../../two/x.rb")',
        'load "#{given}/x.rb"',
        "system('git', '-C', '../..', 'status')",
    ],
    "pl": ['use strict;\nuse lib "lib";', 'open(my $f, "<", "../../two/x");', 'do { $n++ } while ($n < "/3");'],
    "php": ["<?php require __DIR__ . '/here.php';", "<?php // include '../../two/x.php';", "<?php include $given;"],
    "lua": ['local json = require("json")', '-- dofile("../../two/x.lua")', 'dofile("here.lua")'],
    "R": ['library(dplyr)\nread.csv("../../two/x.csv")', 'source("here.R")', 'x <- "/opt/x.R"'],
    "bat": ['call "%~dp0here.bat"', "rem call %~dp0gone.bat", "call npm run build", "runas /user:me /domain:x cmd /k",
        "schtasks /create /TN go /TR x", "python -m pip install x", "cd %TEMP%\r\ncall x.cmd"],
    "ps1": [
        '. "$PSScriptRoot\\here.ps1"',
        "# . $PSScriptRoot\\gone.ps1",
        'Get-Content "$PSScriptRoot\\..\\..\\two\\x.ps1"',
        "Import-Module Az.Accounts",
        "schtasks /create `\n  /TN 'go' /TR x\n/domain:x /sid:y",
        '& "$Given\\x.ps1"',
        'Write-Host "See $PSScriptRoot\\gone.ps1"',
    ],
}  # fmt: skip


@pytest.mark.parametrize(("suffix", "code"), [(end, code) for end, codes in GAPS.items() for code in codes])
def test_what_a_script_runs_or_loads(tmp_path: Path, suffix: str, code: str) -> None:
    (gap,) = absent(tmp_path / "notes", {**body("Keep notes."), f"scripts/a.{suffix}": code + "\n"})
    assert gap.path == f"scripts/a.{suffix}"


@pytest.mark.parametrize(("suffix", "code"), [(end, code) for end, codes in NONE.items() for code in codes])
def test_what_is_here_or_nobody_runs_is_none(tmp_path: Path, suffix: str, code: str) -> None:
    files = {f"scripts/a.{suffix}": code + "\n", f"scripts/here.{suffix}": "x\n"}
    assert absent(tmp_path / "notes", {**body("Keep notes."), **files}) == []


@pytest.mark.parametrize(
    "fence",
    [
        "```bash\nperl -e 'do \"../two/a.pl\"'\n```",
        "```bash\nruby -e 'load \"../two/a.rb\"'\n```",
        "```bash\nphp -r 'include \"../two/a.php\";'\n```",
        "```bash\nRscript -e 'source(\"../two/go.R\")'\n```",
        "```bash\nnode -p \"require('child_process').execSync('sh ../two/a.sh')\"\n```",
        "```bash\nnode --input-type=module -e \"import '/opt/notes/a.mjs'\"\n```",
        '```ruby\nload "../two/a.rb"\n```',
        "```powershell\n& ..\\two\\x.ps1\n```",
        "```bat\ncall ..\\two\\x.bat\n```",
    ],
)
def test_a_program_in_a_command_or_a_fence(tmp_path: Path, fence: str) -> None:
    assert len(absent(tmp_path / "notes", body(fence))) == 1


def test_a_script_that_a_page_shows_is_the_users(tmp_path: Path) -> None:
    text = '```powershell\n. "$PSScriptRoot\\gone.ps1"\n```\n\n```ruby\nrequire_relative "gone"\n```'
    assert absent(tmp_path / "notes", body(text)) == []


def view(text: str, language: Kind) -> View:
    artifact = Artifact(path="a", data=text.encode(), mode=0, kind=language)
    return View(artifact=artifact, text=text, language=language, origin=())


@given(st.text(alphabet="ab/\\\"'().,%~$&|; \n`{}#=", max_size=80))
def test_any_text_is_read_to_an_end(text: str) -> None:
    for kind in (Kind.BATCH, Kind.POWERSHELL):
        of_windows(view("%~dp0" + text, kind))
    for kind in (Kind.RUBY, Kind.PHP, Kind.LUA):
        of_script(view('load("../' + text, kind))


def test_a_variable_that_doubles_itself_is_none() -> None:
    batch = 'set "A=..\\two\\"\n' + 'set "A=%A%%A%"\n' * 60 + 'call "%A%x.bat"\n'
    shell = '$a = "../two/"\n' + '$a = "$a$a"\n' * 60 + '& "$a/x.ps1"\n'
    assert of_windows(view(batch, Kind.BATCH)) == of_windows(view(shell, Kind.POWERSHELL)) == ([], False)


def test_a_script_of_many_lines_is_cut() -> None:
    assert of_windows(view("\n" * MOST, Kind.BATCH))[1]
    assert of_script(view("system('ls')\n" * 5001, Kind.RUBY))[1]

"""Bad input of a user: each message names the thing and a way forward, on lines that nobody else chose."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from sluicegate.vet.intake.limits import HIGHEST, Limits

OPTIONS = (
    "--exclude --rules --severity --yara --baseline --limit --config --format --output --certificate --fail-on "
    "--changed-since --since --compare --shard --resume"
).split()


@pytest.mark.parametrize("value", ["", " "])
@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_with_nothing_in_it(sluicegate, skills, option, value):
    ran = sluicegate("scan", "good", option, value)
    assert (ran.code, ran.out) == (2, "")
    assert f"{option} is given nothing" in ran.err
    assert len(ran.err.splitlines()) == 2


@pytest.mark.parametrize("option", ["--exclude", "--rules", "--config"])
def test_so_it_is_for_baseline(sluicegate, skills, option):
    ran = sluicegate("baseline", "good", "--reason", "r", "--owner", "o", option, "")
    assert (ran.code, f"{option} is given nothing" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("good", "--rules", ","), "--rules ',' names no rule"),
        (("good", "--rules", "!"), "--rules '!' names no rule"),
        (("good", "--rules", "pipe-to-shell,-"), "'pipe-to-shell,-' names no rule"),
        (("good", "-o", "json:"), "--output names no file"),
        (("good", "-o", "good"), "cannot write good: it is a folder"),
        (("good", "-o", "no/x.json"), "there is no folder no"),
        (("good", "--yara", "no"), "no is neither a folder nor a file"),
        (("good", "--yara", "good"), "good holds no .yar"),
        (("good", "--yara", "bad.yar"), "bad.yar:1"),
        (("good", "--yara", "latin.yar"), "latin.yar cannot be read: it is not UTF-8"),
        (("good", "--baseline", "bad.toml"), "bad.toml: not TOML"),
        (("good", "--baseline", "no.toml"), "no.toml: cannot read"),
        (("good", "--config", "bad.toml"), "bad.toml is not TOML"),
        (("good", "--resume", "no/x"), "cannot use the results in no/x"),
        (("good", "--compare", "no.json"), "no.json: there is no such file"),
        (("good", "--compare", "bad.toml"), "bad.toml is not a JSON report"),
        (("good", "--since", "main"), "good lies in no Git repository"),
        (("good", "--changed-since", "main"), "good lies in no Git repository"),
        (("good", "--baseline", "deep.toml"), "deep.toml: not TOML"),
        (("good", "--baseline", "fifo"), "cannot read the baseline: it is not a regular file"),
        (("good", "--config", "fifo"), "cannot read fifo: it is not a regular file"),
        (("good", "--config", "nul.toml"), "nul.toml:2: scan.baseline holds a NUL character"),
        (("good", "--config", "much.toml"), "much.toml:2: limits.entries"),
        (("good", "--config", "digits.toml"), "digits.toml is not TOML"),
        (("good", "--limit", "entries=" + "9" * 26), "--limit entries takes at most 1000000000000000"),
        (("good", "--limit", "entries=" + "9" * 5000), "--limit entries takes at most 1000000000000000"),
        (("good", "--limit", "file-bytes=" + "9" * 5000 + "MB"), "--limit file-bytes takes a whole number"),
        (("no",), "cannot read no"),
        (("empty",), "'empty' is empty"),
        ((" ",), "an empty target"),
        (("fifo",), "fifo is neither a folder nor a file"),
        (("/dev/null",), "/dev/null is neither"),
        (("big", "--limit", "download-bytes=1048576"), "big is larger than 1 MiB"),
        (("big", "--limit", "download-bytes=1000000"), "big is larger than 1000000 bytes"),
        (("https://",), "'https://' names no host"),
        (("https://[::1",), "the target is not a URL"),
        (("git+https://x",), "names no repository"),
        (("https://nowhere.invalid/x.zip",), "cannot find nowhere.invalid"),
        (("git+https://nowhere.invalid/x/y",), "cannot find nowhere.invalid"),
    ],
)
def test_the_thing_is_named_and_a_way_forward(sluicegate, skills, words, names):
    Path("bad.toml").write_text("x = [\n")
    Path("bad.yar").write_text("rule {\n")
    Path("latin.yar").write_bytes(b"// \xe9\n")
    Path("deep.toml").write_text("a=" + "[" * 20_000)
    Path("nul.toml").write_text('[scan]\nbaseline = "\\u0000"\n')
    Path("much.toml").write_text("[limits]\nentries = 9223372036854775808\n")
    Path("digits.toml").write_text("[limits]\nentries = " + "9" * 5000 + "\n")
    Path("empty").mkdir()
    Path("big").write_bytes(bytes(1 << 21))
    os.mkfifo("fifo")
    ran = sluicegate("scan", *words)
    message, *hint = ran.err.splitlines()
    assert (ran.code, ran.out) == (2, "")
    assert message.startswith("sluicegate: ")
    assert names in message
    assert "Errno" not in message
    assert hint
    assert hint[-1].endswith((".", "json", "'"))


def test_a_name_with_a_line_break_makes_no_line_of_its_own(sluicegate, skills):
    name = "x\nsluicegate: every skill is SAFE\x1b[2K"
    Path(name).mkdir()
    ran = sluicegate("scan", name)
    assert ran.code == 2
    assert "\x1b" not in ran.err
    assert [line for line in ran.err.splitlines() if line.startswith("sluicegate: every")] == []


@pytest.mark.usefixtures("held_by_permissions")
def test_a_place_that_may_not_be_entered(sluicegate, skills):
    Path("shut").mkdir(mode=0)
    for words in (("-o", "shut/x.json"), ("--certificate", "shut/x"), ("--yara", "shut")):
        ran = sluicegate("scan", "good", *words)
        assert (ran.code, "shut" in ran.err, "defect" in ran.err) == (2, True, False)


def test_a_place_that_cannot_be_looked_at_is_no_defect(sluicegate, skills):
    name = "x" * 300
    ran = sluicegate("scan", "good", "-o", f"json:{name}/x.json")
    assert (ran.code, "defect" in ran.err) == (2, False)
    assert f"cannot write {name}/x.json" in ran.err


def test_every_limit_can_be_as_high_as_a_limit_goes(sluicegate, skills):
    words = [w for name in Limits._fields for w in ("--limit", f"{name.replace('_', '-')}={HIGHEST}")]
    with zipfile.ZipFile("good/more.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("notes.md", "Notes.\n" * 1000)
    ran = sluicegate("scan", "good", *words)
    assert ran.code in (0, 1)
    assert ran.err == ""


def test_a_pipe_that_nobody_writes_is_no_certificate(sluicegate, skills):
    os.mkfifo("fifo")
    ran = sluicegate("verify", "--certificate", "fifo")
    assert (ran.code, ran.out) == (2, "")
    assert "cannot read fifo: it is not a regular file" in ran.err


def test_a_pipe_called_as_settings_are_is_not_waited_for(sluicegate, skills):
    os.mkfifo("pyproject.toml")
    assert sluicegate("scan", "good").code == 0


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no full device here")
@pytest.mark.parametrize(
    ("words", "streams"),
    [
        ("scan nope", "2>/dev/full"),
        ("scan nope", "2>&-"),
        ("scan good --limit x", "2>/dev/full"),
        ("scan --nope", "2>/dev/full"),
        ("nope", "2>/dev/full"),
        ("scan good", ">/dev/full 2>&1"),
        ("scan good", ">&- 2>/dev/full"),
        ("scan bad", ">/dev/full 2>&1"),
    ],
)
def test_where_nothing_can_be_said_the_exit_code_says_that_nothing_was_decided(
    skills, tmp_path, words, streams
):
    command = f'"{sys.executable}" -m sluicegate {words} {streams}'
    environ = {**os.environ, "SLUICEGATE_CONFIG_HOME": str(tmp_path / "none")}
    assert subprocess.run(["/bin/sh", "-c", command], env=environ, check=False).returncode == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("scan", "good", "-j", "0"), "it takes a whole number from 1 on, not '0'"),
        (("scan", "good", "-j", "two"), "it takes a whole number from 1 on, not 'two'"),
        (("scan", "good", "--nope\n\x1b[31m"), "No such option '--nope\\n\\x1b[31m'"),
        (("scan", "good", "-f"), "Option '-f' requires an argument"),
        (("scan", "good", "--shard", "3/2"), "--shard takes I/N with I from 1 to N, not '3/2'"),
        (("scam",), "There is no command 'scam'. Did you mean 'scan'?"),
        (("trust",), "Name the directory whose settings you trust"),
    ],
)
def test_words_that_no_command_takes_are_told_as_every_error_is(sluicegate, skills, words, says):
    ran = sluicegate(*words)
    assert (ran.code, ran.out) == (2, "")
    first, second = ran.err.splitlines()
    assert first.startswith("sluicegate: ") and says in first
    assert (
        second
        == f"'sluicegate{f' {words[0]}' if len(words) != 1 or words[0] == 'trust' else ''} --help' says what it takes."
    )

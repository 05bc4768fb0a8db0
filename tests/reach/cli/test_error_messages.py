"""Bad input of a user: each message names the thing and a way forward, on lines that nobody else chose."""

import os
from pathlib import Path

import pytest

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
        (("no",), "cannot read no"),
        (("empty",), "empty is empty"),
        (("fifo",), "fifo is neither a folder nor a file"),
        (("/dev/null",), "/dev/null is neither"),
        (("big", "--limit", "download-bytes=1048576"), "big is larger than 1 MiB"),
        (("big", "--limit", "download-bytes=1000000"), "big is larger than 1000000 bytes"),
        (("https://",), "'https://' names no host"),
        (("https://[::1",), "the target is no URL"),
        (("git+https://x",), "names no repository"),
        (("https://nowhere.invalid/x.zip",), "cannot find nowhere.invalid"),
        (("git+https://nowhere.invalid/x/y",), "cannot find nowhere.invalid"),
    ],
)
def test_the_thing_is_named_and_a_way_forward(sluicegate, skills, words, names):
    Path("bad.toml").write_text("x = [\n")
    Path("bad.yar").write_text("rule {\n")
    Path("latin.yar").write_bytes(b"// \xe9\n")
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


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write and read everything")
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

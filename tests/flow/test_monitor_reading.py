"""Which commands are given nothing to write: those of which all parts only read. Each is run in the sandbox."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from monitor_samples import bench

from sluicegate.flow.environments.configuration.reading import read_environment
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor.effects import commands
from sluicegate.flow.monitor.effects.reading import only_reads
from sluicegate.flow.policy.request import CommandView, Request
from sluicegate.flow.values import Labeled

pytestmark = [
    pytest.mark.usefixtures("no_waiting_for_the_disk"),
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]

READ = [
    "true", "ls", "cat a", "cat a | wc -l", "diff -r d d", "find . -name x", "grep -rn x .", "sed -n 1,5p a", "sort -u a", "tar cf - d", "tar cf /tmp/x.tar d", "awk '{print $1}' a", "timeout 5 grep x a", "env A=1 wc -l a", "find . -exec grep x a ';'",
    "git grep x", "git log -1 --oneline", "git show HEAD:a", "git ls-files", "sh -c 'cd d && ls | head -3 2>/dev/null'", "bash -c 'for i in a b; do cat $i; done'", "sh -c '[ -f a ] && cat a > /tmp/x'",
    "sh -c 'sh -c \"cat a\"'", "find . -exec sh -c 'cat a' ';'",
]  # fmt: skip
WRITE = [
    "touch x", "rm -f x", "cp a x", "find d -delete", "find . -fprint x", "./grep -r x .", "cat a | tee x", "sed -i s/x/y/ a", "sort -o x a", "sed 'w x' a", "awk '{print > \"x\"}' a", "tar xf t.tar", "timeout 5 touch x", "find . -name a -exec touch x ';'", "git status", "git diff", "git add a",
    "git log --output=x", "sh -c 'ls > x'", "sh -c 'cat a >> b'", "sh -c '> x'", "sh -c 'f() { touch x; }; f'", "sh a", "sh -c 'sh a'", "bash -lc ls", "python3 -c 1", "sh -c 'cat a | tee x'",
]  # fmt: skip


@pytest.fixture
def made(tmp_path):
    base = tmp_path
    (base / "work").mkdir()
    (base / "work/sluicegate.toml").write_text("")
    box = read_environment({"provider": "bubblewrap", "fs": {"write": ["."]}}, base=base / "work")
    made = bench(base, {}, environment=box, recorded=True)
    (made.root / "d").mkdir()
    for name in ("a", "b"):
        (made.root / name).write_text("echo x\n")
    shutil.copy(shutil.which("true"), made.root / "grep")
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@y", "-C", str(made.root)]
    for words in (["init", "-q"], ["add", "a"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], check=True)
    subprocess.run(["tar", "cf", str(made.root / "t.tar"), "-C", str(made.root), "b"], check=True)
    return made


@pytest.fixture
def asked(monkeypatch):
    """Of each command that ran, whether it was given nothing to write."""
    ran, really = [], commands._execute
    monkeypatch.setattr(
        commands, "_execute", lambda *given: ran.append(not given[1].config.roots.write) or really(*given)
    )
    return ran


def test_what_only_reads_is_known_and_writes_nothing(made, asked):
    for line in (*READ, *WRITE):
        (made.root / "x").unlink(missing_ok=True)
        (made.root / "d").mkdir(exist_ok=True)
        assert isinstance(made.monitor.run(line), Labeled)
        assert not (line in READ and (made.root / "x").exists())
    assert dict(zip((*READ, *WRITE), asked, strict=True)) == {
        **dict.fromkeys(READ, True), **dict.fromkeys(WRITE, False),
    }  # fmt: skip


def test_shell_text_of_a_model_is_no_other(made, asked):
    for text in ("cat a | wc -l", "ls > x", "sh a", 'eval "$A"'):
        made.monitor.interpret("sh", Labeled(text, Labels.of("influenced")))
    assert asked == [True, False, False, False]


@pytest.mark.parametrize(("net", "reads"), [("none", True), ("host", False)])
def test_with_a_network_git_may_fetch_what_it_shows(tmp_path, net, reads):
    config = read_environment({"provider": "bubblewrap", "fs": {"write": ["."]}, "net": net}, base=tmp_path)
    view = CommandView("/usr/bin/git", "git", ("log",), ("log",))
    asked = (Request(kind="cmd", leaves=("op:cmd:git:log",), command=view),)
    assert only_reads(config, asked, shell_text=False) is reads

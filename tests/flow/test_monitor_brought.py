"""What a command brings to the state without naming it, where no sandbox holds it: tried with the real programs."""

import bz2
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from sluicegate.flow import Denied, Monitor, open_here
from sluicegate.flow.environments.configuration.config import UNCONFINED

POLICY = '[flow]\n[policy]\ndefaults.rules = ["no-secret-exfil"]\n'
IGNORED = "*\n!/sec/\n!/sec/sigs/\n!/sec/sigs/*\n"
PATCH = "--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+EVIL\n"


def git(project: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(project), "-c", "user.email=a@b.c", "-c", "user.name=a", *words], check=True, capture_output=True)  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    """A repository with branches, archives, patches and copies; of each one that brings something of the state, and one that does not."""
    base = tmp_path_factory.mktemp("brought") / "project"
    for name, inner in (
        ("evil", ".sluicegate/sec/audit.jsonl"),
        ("config", "deep/sluicegate.toml"),
        ("good", "docs/a.txt"),
    ):
        file = base / "in" / name / inner
        file.parent.mkdir(parents=True)
        file.write_text("EVIL\n")
        with (
            tarfile.open(base / f"{name}.tar", "w") as plain,
            tarfile.open(base / f"{name}.tgz", "w:gz") as packed,
        ):
            plain.add(base / "in" / name, ".")
            packed.add(base / "in" / name, ".")
        (base / f"{name}.tbz").write_bytes(bz2.compress((base / f"{name}.tar").read_bytes()))
        with zipfile.ZipFile(base / f"{name}.zip", "w") as made:
            made.write(file, inner)
        (base / f"{name}.patch").write_text(PATCH.format(inner))
    (base / "sluicegate.toml").write_text(POLICY)
    (base / "tracked").write_text("1\n")
    git(base, "init", "-q", "-b", "main")
    git(base, "add", "sluicegate.toml", "tracked")
    git(base, "commit", "-qm", "base")
    for branch, path, text in (
        ("good", "tracked", "2\n"), ("settings", "sluicegate.toml", "[flow]\n"), ("evil", ".sluicegate/sec/audit.jsonl", "EVIL\n")
    ):  # fmt: skip
        git(base, "checkout", "-q", "-b", branch, "main")
        (base / path).parent.mkdir(parents=True, exist_ok=True)
        (base / path).write_text(text)
        git(base, "add", "-f", path)
        git(base, "commit", "-qm", branch)
    git(base, "checkout", "-q", "-f", "-b", "signed", "main")
    for path in (".sluicegate/.gitignore", ".sluicegate/sec/sigs/x.json"):
        (base / path).parent.mkdir(parents=True, exist_ok=True)
        (base / path).write_text(IGNORED if path.endswith("ignore") else "{}")
        git(base, "add", "-f", path)
    git(base, "commit", "-qm", "signed")
    git(base, "checkout", "-q", "-f", "main")
    git(base, "checkout", "-q", "-b", "older", "main")
    git(base, "commit", "-q", "--allow-empty", "-m", "older")
    git(base, "checkout", "-q", "main")
    (base / "sluicegate.toml").write_text(POLICY + "sources.'src:mcp' = 'untrusted'\n")
    git(base, "commit", "-qam", "settings of main")
    return base


@pytest.fixture
def monitor(project):
    with open_here(project, environment=UNCONFINED) as made:
        yield made


BAD = """
tar xf evil.tar
tar -xf evil.tar
tar --extract --file evil.tar
tar xzf evil.tgz
tar xf evil.tbz
tar xf config.tar
unzip -o evil.zip
cp -r in/evil/. .
cp -aT in/evil .
cp -r in/config/. .
patch -p1 -i evil.patch
git apply evil.patch
git apply --unsafe-paths evil.patch
python3 -m tarfile -e evil.tar .
python3 -m zipfile -e evil.zip .
gzip -r .
git checkout evil
git checkout -f evil -- .
git checkout settings
git switch -f evil
git reset --hard evil
git restore --source=evil .
git restore --source evil --worktree -- .
git merge evil
git merge settings
git rebase evil
git cherry-pick evil
git read-tree -u --reset evil
git -C . checkout evil
sh -c 'tar xf evil.tar'
sh -c 'cd ./in && cp -r evil/. ..'
sh -c 'git checkout -f evil'
"""
GOOD = """
tar tf evil.tar
tar xf good.tar
tar xzf good.tgz
tar xf evil.tar -C in
unzip -o good.zip
cp -r in/good/. .
cp -r in/evil in/copy
patch -p1 -i good.patch
git apply good.patch
gzip tracked
git checkout older -- tracked
git merge good
git merge older
git merge signed
git cherry-pick good
git checkout -b new
git stash
git status
git log evil
sh -c 'tar xf good.tar && git merge good'
"""


def refused(monitor: Monitor, words: str) -> bool:
    """Whether the state is what a command is refused for; nothing is run."""
    text, quoted, _ = words.partition("sh -c ")[2], words.startswith("sh -c "), 0
    answer = monitor.decide("sh", {"code": text[1:-1] if quoted else words})
    return getattr(answer, "code", "") == "STATE_PROTECTED"


@pytest.mark.parametrize(("lines", "expected"), [(BAD, True), (GOOD, False)], ids=["bad", "good"])
def test_what_brings_something_of_the_state_is_refused_and_nothing_else(monitor, project, lines, expected):
    wrong = [line for line in lines.strip().splitlines() if refused(monitor, line) is not expected]
    assert wrong == []


def test_it_is_so_when_they_are_run(project, tmp_path):
    work = tmp_path / "work"
    shutil.copytree(project, work, symlinks=True)
    with open_here(work, environment=UNCONFINED) as monitor:
        monitor.run("true")
        ledger = work / ".sluicegate" / "sec" / "audit.jsonl"
        first = ledger.read_bytes()
        for words in ("tar xf evil.tar", "cp -r in/evil/. .", "git checkout -f evil", "unzip -o evil.zip"):
            with pytest.raises(Denied):
                monitor.run(words)
        monitor.run("tar xf good.tar")
        monitor.run("git checkout -q older -- tracked")
    assert ledger.read_bytes().startswith(first)
    assert (work / "docs" / "a.txt").exists() and "untrusted" in (work / "sluicegate.toml").read_text()


def test_what_cannot_be_looked_into_is_refused(monitor, project):
    (project / "x.7z").write_bytes(b"7z\xbc\xaf\x27\x1c" + b"0" * 64)
    (project / "broken.tgz").write_bytes(b"\x1f\x8bbroken")
    for words in ("tar xf broken.tgz", "tar xf missing.tar", "tar xf -", "tar xf x.7z"):
        assert refused(monitor, words), words

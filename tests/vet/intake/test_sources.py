"""Sources: folders, files, archives and standard input become units, and units become bundles."""

from __future__ import annotations

import io
import os
import pickle
import sys
import tarfile
import tempfile
from pathlib import Path

import intake_samples as make
import pytest

from sluicegate.vet.errors import NothingToInspect, SourceError
from sluicegate.vet.intake.bundle import Bundle
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.sources import open_source, read_unit

LIMITS = Limits()
MANY = {
    "skills/a/SKILL.md": b"# a\n",
    "skills/a/run.sh": b"ls\n",
    "skills/b/SKILL.md": b"# b\n",
    "README.md": b"words\n",
}


def bundles(target: object, stdin: bytes | None = None, limits: Limits = LIMITS) -> list[Bundle]:
    with open_source(str(target), limits, stdin=None if stdin is None else io.BytesIO(stdin)) as source:
        units = pickle.loads(pickle.dumps(source.units()))
        return [read_unit(unit, limits, ()) for unit in units.units]


def plant(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def told(found: list[Bundle]) -> list[tuple[str, str, list[str]]]:
    return [(b.name, b.root, make.paths(b)) for b in found]


EXPECTED = [("a", "skills/a", ["SKILL.md", "run.sh"]), ("b", "skills/b", ["SKILL.md"])]


def test_the_same_skills_from_a_folder_an_archive_and_a_pipe(tmp_path: Path) -> None:
    folder = plant(tmp_path / "many", MANY)
    assert told(bundles(folder)) == EXPECTED
    for name, data in (
        ("x.zip", make.zipped(MANY)), ("x.tar", make.tarred(MANY)), ("x.skill", make.zipped(MANY)),
        ("wrong.name", make.gzipped(make.tarred(MANY))),
    ):  # fmt: skip
        file = tmp_path / name
        file.write_bytes(data)
        assert told(bundles(file)) == EXPECTED, name
    assert told(bundles("-", make.tarred(MANY))) == EXPECTED
    assert told(bundles("-", make.gzipped(make.tarred(MANY)))) == EXPECTED
    assert told(bundles("-", make.zipped(MANY))) == EXPECTED


def test_one_file_is_a_bundle_of_one(tmp_path: Path) -> None:
    for name, data in (
        ("SKILL.md", b"# x\n"),
        ("run.sh", b"ls\n"),
        ("x.docx", make.zipped({"[Content_Types].xml": b"", "word/a": b""})),
    ):
        (tmp_path / name).write_bytes(data)
        found = bundles(tmp_path / name)
        assert found[0].name == name
        assert found[0].artifacts[0].path == name


def test_a_package_without_a_skill_is_inspected_whole(tmp_path: Path) -> None:
    (tmp_path / "p.whl").write_bytes(make.zipped({"p/__init__.py": b"1\n", "p-1.dist-info/METADATA": b"x"}))
    assert told(bundles(tmp_path / "p.whl")) == [("p.whl", "", ["p-1.dist-info/METADATA", "p/__init__.py"])]
    (tmp_path / "x.sh.gz").write_bytes(make.gzipped(b"ls\n"))
    assert told(bundles(tmp_path / "x.sh.gz")) == [("x.sh", "", ["x.sh"])]


@pytest.mark.parametrize("files", [{}, {"README.md": b"x"}, {"src/a.py": b"1"}])
def test_nothing_to_inspect(tmp_path: Path, files: dict[str, bytes]) -> None:
    folder = plant(tmp_path / "f", files)
    folder.mkdir(exist_ok=True)
    with pytest.raises(NothingToInspect) as caught:
        bundles(folder)
    assert caught.value.hint
    assert str(tmp_path) not in caught.value.diagnostics()
    for data in (make.zipped(files), make.tarred(files)):
        with pytest.raises((NothingToInspect, SourceError)):
            bundles("-", data)


def test_wrong_targets(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for target in (tmp_path / "absent", tmp_path / "pipe"):
        with pytest.raises(SourceError) as caught:
            bundles(target)
        assert caught.value.hint
    with pytest.raises(SourceError):
        bundles("-", b"no archive at all")
    with pytest.raises(SourceError):
        open_source("-", LIMITS)
    with pytest.raises(SourceError):
        bundles("-", make.tarred({"SKILL.md": b"x"}), Limits(download_bytes=100))


def test_a_link_that_the_user_named_is_resolved(tmp_path: Path) -> None:
    plant(tmp_path / "real", {"SKILL.md": b"# x\n"})
    (tmp_path / "alias").symlink_to("real")
    assert told(bundles(tmp_path / "alias")) == [("real", "", ["SKILL.md"])]


def test_links_beside_skills_are_units_with_a_gap(tmp_path: Path) -> None:
    plant(tmp_path / "skills", {"a/SKILL.md": b"# x\n"})
    (tmp_path / "skills/b").symlink_to(tmp_path)
    found = bundles(tmp_path / "skills")
    assert told(found) == [("a", "a", ["SKILL.md"]), ("b", "b", [])]
    assert make.reasons(found[1]) == {"link"}


def test_a_damaged_archive_is_a_gap_in_each_of_its_skills(tmp_path: Path) -> None:
    data = make.tarred({**MANY, "z": bytes(5000)})
    found = bundles("-", data[:-9000])
    assert [b.name for b in found] == ["a", "b"]
    whole = make.tarred(MANY)
    broken = whole[: whole.index(b"README.md") + 20] + b"\xff" * 20 + whole[whole.index(b"README.md") + 40 :]
    found = bundles("-", broken)
    assert [make.reasons(b) for b in found] == [{"damaged"}, {"damaged"}]


def test_encrypted_skills_are_units_with_a_gap() -> None:
    data = make.zipped({"a/SKILL.md": b"# x\n"})
    at = data.index(b"PK\1\2") + 8
    found = bundles("-", data[:at] + b"\1\0" + data[at + 2 :])
    assert [(b.name, make.reasons(b)) for b in found] == [("a", {"encrypted"})]


def test_a_link_in_the_place_of_a_skill_hides_none_of_its_files() -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        link = tarfile.TarInfo("a")
        link.type, link.linkname = tarfile.SYMTYPE, "/tmp"
        archive.addfile(link)
        archive.addfile(tarfile.TarInfo("a/SKILL.md"))
    found = bundles("-", buffer.getvalue())
    assert [(b.name, make.paths(b), make.reasons(b)) for b in found] == [("a", ["SKILL.md"], {"link"})]


def test_what_was_fetched_is_removed() -> None:
    with open_source("-", LIMITS, stdin=io.BytesIO(make.tarred(MANY))) as source:
        origin = source.units().units[0].origin
        spool = Path(origin.spool)  # type: ignore[union-attr]
        assert spool.exists()
    assert not spool.exists()
    assert not spool.parent.exists()


def test_the_order_of_an_archive_does_not_matter() -> None:
    backwards = dict(reversed(MANY.items()))
    assert [b.digest for b in bundles("-", make.tarred(MANY))] == [
        b.digest for b in bundles("-", make.tarred(backwards))
    ]


def test_many_skills_in_one_archive() -> None:
    files = {f"s/{n:04}/SKILL.md": b"# x\n" for n in range(1500)}
    assert len(bundles("-", make.zipped(files))) == 1500


@pytest.mark.skipif(sys.platform != "linux", reason="only some systems have /proc")
def test_a_folder_below_the_root_is_named_by_its_own_name(tmp_path: Path) -> None:
    plant(tmp_path / "my skill", {"SKILL.md": b"# x\n"})
    assert bundles(f"{tmp_path}/my skill/../my skill/")[0].name == "my skill"


PIECE = make.pieces_of_tar
SKILL_OF_MY = PIECE(b"my/SKILL.md", b"# my\n")
PROGRAM = b"#!/bin/sh\nid\n"


@pytest.mark.parametrize(
    "more",
    [
        bytes(512) + PIECE(b"my/run.sh", PROGRAM),  # behind one empty block, where some unpackers go on
        PIECE(b"../.bashrc", PROGRAM),
        PIECE(b"z/../my/run.sh", PROGRAM),
        PIECE(b"/etc/profile", PROGRAM),
        PIECE(b"MY/run.sh", PROGRAM),
        PIECE(b"my\\run.sh", PROGRAM),
        PIECE(b"lib/x.d", kind=b"2", link=b"../my") + PIECE(b"lib/x.d/run.sh", PROGRAM),
    ],
)
def test_what_may_be_unpacked_into_a_skill_or_out_of_the_folder_is_read(more: bytes) -> None:
    found = bundles("-", SKILL_OF_MY + more + bytes(1024))
    assert [b for b in found if (b.name, b.root) == ("my", "my")]
    assert PROGRAM in {artifact.data for b in found for artifact in b.artifacts}


def test_a_file_cut_off_outside_of_the_skills_is_a_gap() -> None:
    found = bundles("-", SKILL_OF_MY + PIECE(b"docs/x.txt", b"words", size=4000))
    assert "damaged" in {reason for b in found for reason in make.reasons(b)}


def test_files_below_a_link_in_the_place_of_a_skill_stand_in_its_unit_alone() -> None:
    tar = SKILL_OF_MY + PIECE(b"x", kind=b"2", link=b"my") + PIECE(b"x/run.sh", PROGRAM) + bytes(1024)
    assert told(bundles("-", tar)) == [("my", "my", ["SKILL.md"]), ("x", "x", ["run.sh"])]


def test_one_long_file_is_inspected_as_far_as_the_limits_say(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"words\n" * 100)
    (bundle,) = bundles(tmp_path / "x.txt", limits=Limits(file_bytes=60))
    assert (len(bundle.artifacts[0].data), make.reasons(bundle)) == (60, {"too-large"})
    with pytest.raises(SourceError, match="larger than 60 bytes"):
        bundles(tmp_path / "x.txt", limits=Limits(download_bytes=60, total_bytes=1 << 40))


def test_nowhere_to_unpack_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "absent"))
    with pytest.raises(SourceError, match="no place for temporary files"):
        bundles("-", SKILL_OF_MY + bytes(1024))


def test_folders_and_archives_are_never_entered_without_end(tmp_path: Path) -> None:
    data, name = b"# x\n", "SKILL.md"
    for _ in range(60):
        data, name = make.zipped({name: data}), "x.zip"
    plant(tmp_path, {"SKILL.md": b"# x\n", "x.zip": data, "d/" * 300 + "x.txt": b"words"})
    (bundle,) = bundles(tmp_path, limits=Limits(archive_depth=10**6, directory_depth=10**6))
    assert [gap.reason.value for gap in bundle.gaps] == ["too-deep", "too-deep"]

"""Archives: opened in memory, bounded, and every oddity told."""

from __future__ import annotations

import bz2
import io
import lzma
import stat
import struct
import tarfile
import tracemalloc
import zipfile
import zlib

import intake_samples as make
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.limits import MIB, Limits

FILES = {"SKILL.md": b"# One\n", "scripts/run.sh": b"#!/bin/sh\nls\n", "leer.txt": b""}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.zip", make.zipped(FILES)),
        ("a.zip", make.zipped(FILES, method=zipfile.ZIP_STORED)),
        ("a.zip", make.zipped(FILES, method=zipfile.ZIP_BZIP2)),
        ("a.zip", make.zipped(FILES, method=zipfile.ZIP_LZMA)),
        ("a.whl", make.zipped(FILES)),
        ("a.tar", make.tarred(FILES)),
        ("a.tar", make.tarred(FILES, form=tarfile.GNU_FORMAT)),
        ("a.tar.gz", make.gzipped(make.tarred(FILES))),
        ("a.tgz", make.gzipped(make.tarred(FILES))),
        ("a.tar.bz2", bz2.compress(make.tarred(FILES))),
        ("a.tar.xz", lzma.compress(make.tarred(FILES))),
        ("a.tar.lzma", lzma.compress(make.tarred(FILES), lzma.FORMAT_ALONE)),
    ],
)
def test_members_are_read(name: str, data: bytes) -> None:
    bundle = make.read(name, data)
    assert not bundle.gaps
    assert not bundle.anomalies
    assert {a.path: a.data for a in bundle.artifacts if a.path != name} == {
        f"{name}!/{k}": v for k, v in FILES.items()
    }


@given(
    st.dictionaries(
        st.from_regex(r"[a-z]{1,8}(/[a-z]{1,8}){0,2}\.txt", fullmatch=True),
        st.binary(max_size=300),
        min_size=1,
    ),
    st.sampled_from(["zip", "tar", "tgz"]),
)
@settings(max_examples=40, deadline=None)
def test_round_trip(files: dict[str, bytes], form: str) -> None:
    data = make.zipped(files) if form == "zip" else make.tarred(files)
    bundle = make.read("x", make.gzipped(data) if form == "tgz" else data, Limits(archive_depth=1))
    found = {
        a.path[3:]: a.data for a in bundle.artifacts if a.path.startswith("x!/") and "!/" not in a.path[3:]
    }
    assert found == files


def test_one_compressed_file_is_named_by_its_archive() -> None:
    for data in (make.gzipped(b"echo hi\n"), bz2.compress(b"echo hi\n"), lzma.compress(b"echo hi\n")):
        bundle = make.read("run.sh.gz", data)
        assert make.paths(bundle) == ["run.sh.gz", "run.sh.gz!/run.sh"]
        assert bundle.artifacts[1].kind == Kind.SHELL


def test_streams_one_after_the_other_are_all_read() -> None:
    bundle = make.read("x.txt.gz", make.gzipped(b"one ") + make.gzipped(b"two"))
    assert bundle.artifacts[1].data == b"one two"
    bundle = make.read("x.txt.gz", make.gzipped(b"one ") + b"#!/bin/sh\nid\n")
    assert "trailing-data" in make.anomalies(bundle)
    assert bundle.artifacts[1].data == b"#!/bin/sh\nid\n"


def test_archives_inside_archives_to_a_depth() -> None:
    data = b"# deep\n"
    for level in range(6):
        data = make.zipped({f"n{level}.md" if level == 0 else f"n{level}.zip": data})
    bundle = make.read("x.zip", data, Limits(archive_depth=4))
    assert make.reasons(bundle) == {"too-deep"}
    assert len(bundle.artifacts) == 5
    assert not make.read("x.zip", data, Limits(archive_depth=6)).gaps


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("../x.sh", "path-traversal"),
        ("/etc/x", "path-traversal"),
        ("C:/x", "path-traversal"),
        ("a\\..\\..\\x", "path-traversal"),
        ("a\\b", "deceptive-name"),
        ("a\u202eb", "deceptive-name"),
    ],
)
def test_unsafe_names(name: str, expected: str) -> None:
    for data in (make.zipped({name: b"hello"}), make.tarred({name: b"hello"})):
        bundle = make.read("x", data)
        assert expected in make.anomalies(bundle)
        assert bundle.artifacts[-1].data == b"hello"
        assert not bundle.gaps


def test_a_name_that_is_not_utf8() -> None:
    data = make.zipped({"abc.txt": b"hello"}).replace(b"abc.txt", b"ab\xe9.txt")
    bundle = make.read("x.zip", data)
    assert make.paths(bundle) == ["x.zip", r"x.zip!/ab\xe9.txt"]
    assert "undecodable-name" in make.anomalies(bundle)


def test_duplicates_and_case_collisions() -> None:
    data = make.zipped({"a.txt": b"1", "b.txt": b"2"}).replace(b"b.txt", b"a.txt")
    bundle = make.read("x.zip", data)
    assert make.paths(bundle) == ["x.zip", "x.zip!/a.txt", "x.zip!/a.txt~2"]
    assert "duplicate-name" in make.anomalies(bundle)
    assert "case-collision" in make.anomalies(make.read("x.tar", make.tarred({"A.md": b"1", "a.md": b"2"})))


def _info(name: str, kind: bytes, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


@pytest.mark.parametrize(
    ("info", "anomaly", "gap"),
    [
        (_info("a", tarfile.SYMTYPE, "b"), "link", None),
        (_info("a", tarfile.SYMTYPE, "../b"), "link-outside", "link"),
        (_info("a", tarfile.SYMTYPE, "/etc/passwd"), "link-outside", "link"),
        (_info("d/a", tarfile.LNKTYPE, "b"), "link", None),
        (_info("a", tarfile.LNKTYPE, "/etc/shadow"), "link-outside", "link"),
        (_info("a", tarfile.LNKTYPE, "../b"), "link-outside", "link"),
        (_info("a", tarfile.CHRTYPE), "special-file", "special-file"),
        (_info("a", tarfile.BLKTYPE), "special-file", "special-file"),
        (_info("a", tarfile.FIFOTYPE), "special-file", "special-file"),
    ],
)
def test_links_and_devices_in_a_tar(info: tarfile.TarInfo, anomaly: str, gap: str | None) -> None:
    bundle = make.read("x.tar", make.tar_of(info, tarfile.TarInfo("z")))
    assert make.anomalies(bundle) == {anomaly}
    assert make.reasons(bundle) == ({gap} if gap else set())
    assert "x.tar!/z" in make.paths(bundle)


@pytest.mark.parametrize(("target", "anomaly"), [("b", "link"), ("../../b", "link-outside")])
def test_links_in_a_zip(target: str, anomaly: str) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        info = zipfile.ZipInfo("d/a")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        info.create_system = 3
        archive.writestr(info, target)
    bundle = make.read("x.zip", buffer.getvalue())
    assert make.anomalies(bundle) == {anomaly}
    assert make.paths(bundle) == ["x.zip"]


def test_a_link_that_renames_data_to_a_program_shows_it_as_one() -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        data = tarfile.TarInfo("data.txt")
        data.size = 3
        archive.addfile(data, io.BytesIO(b"id\n"))
        archive.addfile(_info("run.sh", tarfile.SYMTYPE, "data.txt"))
    bundle = make.read("x.tar", buffer.getvalue())
    assert [(a.path, a.kind) for a in bundle.artifacts[1:]] == [
        ("x.tar!/data.txt", Kind.TEXT),
        ("x.tar!/run.sh", Kind.SHELL),
    ]


def _patched(data: bytes, offset: int, value: bytes, mark: bytes = b"PK\1\2") -> bytes:
    at = data.index(mark) + offset
    return data[:at] + value + data[at + len(value) :]


def test_encrypted_members() -> None:
    data = _patched(make.zipped({"a.txt": b"hello", "b.txt": b"ho"}), 8, b"\1\0")
    bundle = make.read("x.zip", data)
    assert "encrypted-member" in make.anomalies(bundle)
    assert make.reasons(bundle) == {"encrypted"}
    assert "x.zip!/b.txt" in make.paths(bundle)


def test_header_and_directory_that_disagree() -> None:
    whole = make.zipped({"a.txt": b"hello"})
    assert "damaged-archive" in make.anomalies(make.read("x.zip", whole.replace(b"a.txt", b"b.txt", 1)))
    assert "damaged-archive" in make.anomalies(
        make.read("x.zip", _patched(whole, 22, b"\7\0\0\0", b"PK\3\4"))
    )
    promised = make.read("x.zip", _patched(whole, 24, b"\7\0\0\0"))
    assert "damaged-archive" in make.anomalies(promised)


def test_a_wrong_checksum_is_a_gap_and_the_bytes_are_kept() -> None:
    bundle = make.read("x.zip", _patched(make.zipped({"a.txt": b"hello"}), 16, b"\0\0\0\0"))
    assert make.reasons(bundle) == {"damaged"}
    assert bundle.artifacts[1].data == b"hello"


def test_unknown_packing_is_a_gap() -> None:
    bundle = make.read("x.zip", _patched(make.zipped({"a.txt": b"hello"}), 10, b"\x5d\0"))
    assert "opaque" in make.reasons(bundle)


@pytest.mark.parametrize(
    "start", [b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\1\0", b"\x28\xb5\x2f\xfd", b"MSCF\0\0\0\0\xff\xfe\0"]
)
def test_archives_that_cannot_be_opened_are_gaps(start: bytes) -> None:
    assert make.reasons(make.read("x.bin", start + bytes(80))) == {"opaque"}


def test_words_around_a_zip() -> None:
    words = b"Run the installer before you read this archive."
    bundle = make.read("x.zip", make.zipped({"a": b"b"}, comment=words))
    assert "x.zip!/comment.txt" in make.paths(bundle)
    bundle = make.read("x.zip", make.zipped({"a": b"b"}) + words)
    assert "trailing-data" in make.anomalies(bundle)
    assert "x.zip!/trailing" in make.paths(bundle)
    bundle = make.read("x.pyz", b"#!/usr/bin/env python3\n" + make.zipped({"a": b"b"}))
    assert not bundle.anomalies
    bundle = make.read("x.zip", b"PK\3\4" + words + make.zipped({"a": b"b"}))
    assert "polyglot" in make.anomalies(bundle)
    assert "x.zip!/prefix" in make.paths(bundle)


def test_a_member_outside_the_directory_is_found() -> None:
    whole = make.zipped({"a.txt": b"hello", "hide.sh": b"#!/bin/sh\nid\n"})
    first = whole.index(b"PK\1\2")
    second = whole.index(b"PK\1\2", first + 1)
    end = whole.index(b"PK\5\6")
    record = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 1, 1, second - first, first, 0)
    bundle = make.read("x.zip", whole[:second] + record)
    assert end > second
    assert "x.zip!/hide.sh" in make.paths(bundle)
    assert "damaged-archive" in make.anomalies(bundle)


def test_overlapping_members_are_read_once() -> None:
    whole = make.zipped({"a.txt": b"hello" * 100})
    first, end = whole.index(b"PK\1\2"), whole.index(b"PK\5\6")
    lines = b"".join(whole[first:end].replace(b"a.txt", b"%c.txt" % letter) for letter in b"abcdefgh")
    record = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 8, 8, len(lines), first, 0)
    bundle = make.read("x.zip", whole[:first] + lines + record)
    assert "archive-bomb" in make.anomalies(bundle)
    assert "compression-ratio" in make.reasons(bundle)
    assert len(bundle.artifacts) == 2


@pytest.mark.parametrize("cut", [10, 40, 100, 700, 1500])
def test_archives_that_break_off(cut: int) -> None:
    for name, data in (
        ("x.zip", make.zipped({"a": bytes(range(256)) * 8}, method=zipfile.ZIP_STORED)),
        ("x.tar", make.tarred({"a": bytes(range(256)) * 8})[:2560]),
        ("x.gz", make.gzipped(bytes(range(256)) * 8)),
    ):
        bundle = make.read(name, data[: max(20, len(data) - cut)])
        assert bundle.gaps, name


# Bombs


def _held(bundle_bytes: int) -> Limits:
    return Limits(total_bytes=bundle_bytes, file_bytes=bundle_bytes // 2)


@pytest.mark.parametrize("make_bomb", ["gz", "bz2", "xz", "zip", "tgz"])
def test_a_bomb_of_zeros_stays_small(make_bomb: str) -> None:
    zeros = bytes(64 * MIB)
    bomb = {
        "gz": lambda: zlib.compress(zeros, wbits=31),
        "bz2": lambda: bz2.compress(zeros),
        "xz": lambda: lzma.compress(zeros, preset=0),
        "zip": lambda: make.zipped({"zeros": zeros}),
        "tgz": lambda: zlib.compress(make.tarred({"zeros": zeros}), wbits=31),
    }[make_bomb]()
    tracemalloc.start()
    bundle = make.read("bomb.bin", bomb, Limits(ratio=10))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "archive-bomb" in make.anomalies(bundle)
    assert "compression-ratio" in make.reasons(bundle)
    assert peak < 16 * MIB


def test_a_tree_of_archives_stays_within_the_bundle() -> None:
    data = bytes(MIB)
    for level in range(4):
        data = make.zipped({f"{level}-{copy}.zip": data for copy in range(12)})
    limits = Limits(total_bytes=8 * MIB, file_bytes=4 * MIB, entries=5000)
    bundle = make.read("42.zip", data, limits)
    assert bundle.gaps
    assert sum(len(a.data) for a in bundle.artifacts) <= limits.total_bytes
    assert len(bundle.gaps) < 3000


def test_a_sparse_file_is_not_blown_up() -> None:
    info = tarfile.TarInfo("sparse")
    info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(1 << 50)}
    info.size = 5
    bundle = make.read("x.tar", make.tar_of(info))
    assert make.reasons(bundle) == {"opaque"}
    assert bundle.artifacts[1].data == b"xxxxx"


def test_a_header_without_end_is_refused() -> None:
    info = tarfile.TarInfo("x")
    info.pax_headers = {"comment": "y" * (2 * MIB)}
    assert make.reasons(make.read("x.tar", make.tar_of(info))) == {"damaged"}


def test_more_members_than_allowed_are_one_gap() -> None:
    files = {f"f{n:04}": b"x" for n in range(300)}
    for data in (make.zipped(files), make.tarred(files)):
        bundle = make.read("x.bin", data, Limits(entries=100))
        assert len(bundle.artifacts) == 100
        assert make.reasons(bundle) == {"too-many-entries"}
        assert len(bundle.gaps) == 1


def test_a_long_member_is_inspected_at_its_start() -> None:
    data = make.zipped({"a.txt": b"start " * 1000, "b.txt": b"b"})
    bundle = make.read("x.zip", data, Limits(file_bytes=1000))
    assert make.reasons(bundle) == {"too-large"}
    assert [len(a.data) for a in bundle.artifacts][1:] == [1000, 1]
    bundle = make.read(
        "x.tar.gz",
        make.gzipped(make.tarred({"a.txt": b"start " * 1000, "b.txt": b"b"})),
        Limits(file_bytes=1000),
    )
    assert [len(a.data) for a in bundle.artifacts][1:] == [1000, 1]


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_flipped_bytes_never_crash(data: st.DataObject) -> None:
    seed = data.draw(
        st.sampled_from(
            [
                make.zipped(FILES, comment=b"words of a comment that is long enough"),
                make.tarred({**FILES, "n" * 150: b"long"}),
                make.gzipped(make.tarred(FILES)),
                make.zipped({"in.tgz": make.gzipped(make.tarred(FILES)), "x.png": make.png() + b"tail"}),
                bz2.compress(make.tarred(FILES)),
                lzma.compress(b"words " * 50),
            ]
        )
    )
    broken = bytearray(seed)
    for _ in range(data.draw(st.integers(1, 5))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    limits = Limits(total_bytes=1 << 20, file_bytes=1 << 18, entries=50, ratio=20)
    bundle = make.read("x.bin", bytes(broken), limits)
    assert sum(len(a.data) for a in bundle.artifacts) <= limits.total_bytes
    assert len(bundle.artifacts) <= limits.entries
    assert make.read("x.bin", bytes(broken), limits) == bundle


def test_programs_in_office_files_are_hidden() -> None:
    data = make.zipped(
        {
            "[Content_Types].xml": b"<x/>",
            "word/document.xml": b"<w/>",
            "word/run.ps1": b"ls",
            "word/vbaProject.bin": b"\xd0\xcf",
        }
    )
    bundle = make.read("x.docx", data)
    hidden = {a.path for a in bundle.anomalies if a.kind == "hidden-executable"}
    assert hidden == {"x.docx!/word/run.ps1", "x.docx!/word/vbaProject.bin"}


def test_what_nothing_here_reads_is_a_gap() -> None:
    for data in (
        b"\x7fELF" + bytes(60),
        b"\0asm\1\0\0\0",
        b"SQLite format 3\0" + bytes(90),
        bytes(range(256)),
    ):
        assert make.reasons(make.read("x.bin", data)) == {"opaque"}
    assert not make.read(".DS_Store", b"\0\0\0\1Bud1" + bytes(range(32))).gaps
    assert not make.read(
        "x.xlsx",
        make.zipped(
            {"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<w/>", "xl/p.bin": bytes(range(256))}
        ),
    ).gaps

"""A short, deterministic run of the fuzz target, from whole files outwards."""

from __future__ import annotations

import bz2
import io
import lzma
import random
import tarfile
import zipfile

import fuzz_intake
import pytest


def _zip(inner: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/b.txt", inner)
        archive.writestr("../c.sh", b"#!/bin/sh\nls\n")
    return buffer.getvalue()


def _tar(inner: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        info = tarfile.TarInfo("x" * 120)
        info.size = len(inner)
        archive.addfile(info, io.BytesIO(inner))
    return buffer.getvalue()


SEEDS = [
    _zip(b"hello " * 50),
    _tar(b"hello " * 50),
    _zip(_tar(_zip(b"deep"))),
    b"\x89PNG\r\n\x1a\n" + _zip(b"behind"),
    bz2.compress(b"words " * 100),
    lzma.compress(_tar(b"words")),
    b"# Title\n\nwords\n",
]


@pytest.mark.parametrize("seed", range(len(SEEDS)))
def test_mutations_of_whole_files(seed: int) -> None:
    chance = random.Random(seed)
    whole = SEEDS[seed]
    for _ in range(120):
        data = bytearray(whole)
        for _ in range(chance.randint(0, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        if chance.random() < 0.2:
            del data[chance.randrange(len(data)) :]
        fuzz_intake.one_input(bytes([chance.randrange(256)]) + bytes(data))


def test_nothing_at_all() -> None:
    fuzz_intake.one_input(b"")
    fuzz_intake.one_input(b"\0")

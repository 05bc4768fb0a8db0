"""Labelled skills to measure detection with: a `.jsonl.gz` of records, or a folder `malicious/` beside `benign/`.

A record is one JSON object: id, label (malicious or benign), kind (real or synthetic), category, source, cluster
and files ({path: {"text": …} or {"base64": …}}). In a folder, `LABEL/SOURCE/SKILL/…` gives the same facts.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One labelled skill and where it lies on disk while it is measured."""

    id: str
    malicious: bool
    real: bool
    category: str
    source: str
    cluster: str
    folder: Path


@contextmanager
def samples(corpus: Path) -> Iterator[Iterator[Sample]]:
    """The samples of ``corpus``; unpacked ones are removed at the end. Nothing in them is executed."""
    if corpus.is_dir():
        yield _from_folder(corpus)
        return
    with TemporaryDirectory(prefix="sluicegate-corpus-") as scratch:
        yield _from_records(corpus, Path(scratch))


def _from_records(corpus: Path, scratch: Path) -> Iterator[Sample]:
    with gzip.open(corpus, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            folder = scratch / record["id"]
            for name, body in record["files"].items():
                path = (folder / name).resolve()
                if not path.is_relative_to(folder):
                    raise SystemExit(f"unsafe path in {record['id']}: {name!r}")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(
                    base64.b64decode(body["base64"]) if "base64" in body else body["text"].encode()
                )
            yield Sample(
                id=record["id"],
                malicious=record["label"] == "malicious",
                real=record["kind"] == "real",
                category=record["category"],
                source=record["source"],
                cluster=record["cluster"],
                folder=folder,
            )


def _from_folder(corpus: Path) -> Iterator[Sample]:
    for label in ("benign", "malicious"):
        for source in sorted((corpus / label).iterdir()):
            for folder in sorted(p for p in source.iterdir() if p.is_dir()):
                yield Sample(
                    id=f"{source.name}/{folder.name}",
                    malicious=label == "malicious",
                    real=True,
                    category="",
                    source=source.name,
                    cluster=folder.name,
                    folder=folder,
                )

"""Fuzz target for intake: any bytes under any name give a bundle, within the limits, the same every time.

``python tests/fuzz/fuzz_intake.py FILE...`` runs it on files; with atheris installed and no file given it
fuzzes until stopped.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sluicegate.vet.intake.bundle import Bundle
from sluicegate.vet.intake.collect import Collector
from sluicegate.vet.intake.limits import Limits

LIMITS = Limits(file_bytes=1 << 16, total_bytes=1 << 18, entries=200, archive_depth=3, ratio=20)
NAMES = (
    "SKILL.md", "a.zip", "b.tar", "c.tar.gz", "d.png", "e.jpg", "f.gif", "g.py", "h", "i.bz2", "j.xz",
    "k.docx", "l.ttf", "m.mp3", "n.json", "o.pkl", "p.txt", "q.woff2", "r.wav", "s.ipynb",
)  # fmt: skip


def read(name: str, data: bytes, limits: Limits = LIMITS) -> Bundle:
    """The bundle of one file."""
    collector = Collector(limits)
    collector.file(name, data, 0o644)
    return collector.bundle("fuzz", "")


def check(bundle: Bundle, limits: Limits = LIMITS) -> None:
    """What holds of every bundle."""
    paths = [artifact.path for artifact in bundle.artifacts]
    assert paths == sorted(set(paths))
    assert len(paths) <= limits.entries
    assert sum(len(artifact.data) for artifact in bundle.artifacts) <= limits.total_bytes
    for path in [*paths, *(gap.path for gap in bundle.gaps), *(odd.path for odd in bundle.anomalies)]:
        path.encode("utf-8")
        assert not path.startswith("/")
        assert ".." not in path.replace("!/", "/").split("/")
    assert list(bundle.gaps) == sorted(bundle.gaps)
    assert list(bundle.anomalies) == sorted(bundle.anomalies)


def one_input(data: bytes) -> None:
    """Fuzz entry: the first byte chooses the name, the rest is the content."""
    name = NAMES[data[0] % len(NAMES)] if data else "SKILL.md"
    bundle = read(name, data[1:])
    check(bundle)
    assert read(name, data[1:]) == bundle


def main() -> None:
    """Run on the files named, or fuzz."""
    files = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    if files:
        for file in files:
            one_input(Path(file).read_bytes())
        return
    import atheris  # type: ignore[import-not-found]

    atheris.instrument_all()
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

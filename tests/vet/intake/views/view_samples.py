"""Bundles of one file for the tests of views."""

import bz2
import gzip
import lzma
import zlib

from sluicegate.vet.intake.bundle import Artifact, Bundle, Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derive import Views, derive_views
from sluicegate.vet.intake.views.view import View


def bundle_of(data: bytes | str, kind: Kind, path: str = "SKILL.md") -> Bundle:
    content = data.encode("utf-8", "replace") if isinstance(data, str) else data
    artifact = Artifact(path=path, data=content, mode=0, kind=kind)
    return Bundle(name="sample", root="", artifacts=(artifact,), gaps=(), anomalies=())


def derive(
    data: bytes | str, kind: Kind = Kind.MARKDOWN, path: str = "SKILL.md", limits: Limits | None = None
) -> Views:
    return derive_views(bundle_of(data, kind, path), limits or Limits())


def derived(data: bytes | str, kind: Kind = Kind.MARKDOWN, path: str = "SKILL.md") -> list[View]:
    return [view for view in derive(data, kind, path).views if view.origin]


def texts(data: bytes | str, step: str, kind: Kind = Kind.MARKDOWN, path: str = "SKILL.md") -> list[str]:
    """The texts of all views whose last step is of this kind."""
    return [view.text for view in derived(data, kind, path) if view.origin[-1].kind == step]


def one(data: bytes | str, step: str, kind: Kind = Kind.MARKDOWN, path: str = "SKILL.md") -> View:
    found = [view for view in derived(data, kind, path) if view.origin[-1].kind == step]
    assert len(found) == 1, [(view.chain, view.text) for view in found]
    return found[0]


def lines(view: View) -> tuple[int, int]:
    """All lines of the artifact that the view comes from."""
    return view.map_lines(0, view.text.count("\n"))


def packed(text: str) -> list[bytes]:
    """The text in the encodings and compressed forms that are read."""
    data = text.encode()
    wide = [text.encode(codec) for codec in ("utf-16", "utf-16-le", "utf-16-be")]
    return [
        data,
        *wide,
        gzip.compress(data, mtime=0),
        zlib.compress(data),
        bz2.compress(data),
        lzma.compress(data),
    ]

"""From files to a bundle: each file is classified, opened when something is inside it, and accounted for.

The collector does no I/O. Whoever reads (a folder, a spool, one file) hands it bytes; it keeps what the
budget allows and turns the rest into gaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from sluicegate.vet.intake import names
from sluicegate.vet.intake.budget import Budget, Member, Note
from sluicegate.vet.intake.bundle import (
    ARCHIVES,
    CODE,
    COMPILED,
    MEDIA,
    TEXTUAL,
    AnomalyKind,
    Artifact,
    Bundle,
    Kind,
)
from sluicegate.vet.intake.content.encoding import readable_text
from sluicegate.vet.intake.content.kinds import classify
from sluicegate.vet.intake.content.magic import end_of_zip, opaque_container
from sluicegate.vet.intake.content.suffixes import base_name, claimed_kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.tally import Tally
from sluicegate.vet.verdict.types import GapReason

_POINTER = b"version https://git-lfs.github.com/spec/"
_TAIL_NAMES = {
    Kind.ZIP: "trailing.zip", Kind.TAR: "trailing.tar", Kind.GZIP: "trailing.gz", Kind.SHELL: "trailing.sh",
    Kind.PYTHON: "trailing.py", Kind.TEXT: "trailing.txt", Kind.PE: "trailing.exe",
}  # fmt: skip
_DEEPEST = 50
"""Archives inside each other that are opened whatever the limits say: each step costs frames."""
_HOPS = 40
"""Links that lead to one another; a system follows no more."""
_RUNS = CODE | COMPILED | {Kind.PICKLE}
_UNREAD = COMPILED | {Kind.BINARY, Kind.PICKLE, Kind.SQLITE, Kind.OLE}
_DOTTED_PROGRAMS = frozenset(
    {
        ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc",
        ".zprofile", ".zshenv", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".envrc", ".xprofile", ".xinitrc",
        ".vimrc", ".justfile", ".pythonrc", ".pythonstartup", ".irbrc", ".pryrc", ".rprofile", ".pnp.cjs",
        ".pnp.loader.mjs", ".cursorrules", ".editorconfig",
    }
)  # fmt: skip


class Collector:
    """Gathers one bundle. Feed it in order of path; the same order gives the same bundle."""

    def __init__(self, limits: Limits, exclude: tuple[str, ...] = ()) -> None:
        self.limits = limits
        self.budget = Budget(limits)
        self.tally = Tally()
        self._exclude = exclude
        self._artifacts: dict[str, Artifact] = {}
        self._links: dict[str, str] = {}
        self._copies: dict[str, int] = {}

    # What readers call

    def excluded(self, path: str, *, folder: bool = False) -> bool:
        """Whether the user's globs leave the path out; says so in the tally when they do."""
        for glob in self._exclude:
            if fnmatchcase(path, glob) or (folder and fnmatchcase(path + "/", glob)):
                self.tally.gap(path, GapReason.EXCLUDED, f"excluded by {glob!r}")
                return True
        return False

    def file(self, path: str, data: bytes, mode: int, *, depth: int = 0, behind: Kind | None = None) -> None:
        """Take one file. ``depth``: archives around it; ``behind``: the kind of the file it was hung on."""
        if self.excluded(path):
            return
        refusal = self.budget.refusal()
        if refusal is None and len(data) > self.budget.bytes:
            self.budget.full = True
            refusal = Note(gap=GapReason.TOO_LARGE, detail="more bytes than one bundle may hold")
        if refusal is not None:
            self.tally.note(path, refusal)
            return
        path = self._unique(path)
        self.budget.entries -= 1
        self.budget.bytes -= len(data)
        self._odd_name(path)
        seen = classify(path, data, mode)
        self._artifacts[path] = Artifact(path=path, data=data, mode=mode & 0o7777, kind=seen.kind)
        if seen.mismatch is not None:
            self.tally.anomaly(path, AnomalyKind.KIND_MISMATCH, seen.mismatch)
        self._hidden(path, seen.kind)
        if data:
            self._inside(path, data, seen.kind, depth, behind)

    def link(self, path: str, target: str, *, root: str = "") -> None:
        """Take a symbolic link, which is never followed. ``root``: what its target must stay inside of.

        A link that leaves the bundle is a gap. One that stays is none, since what it points to is inspected
        in its own place.
        """
        if self.excluded(path):
            return
        if self.budget.entries <= 0:
            self.budget.full = True
            self.tally.note(path, Note(gap=GapReason.TOO_MANY, detail="more files than one bundle may hold"))
            return
        self.budget.entries -= 1
        self._odd_name(path)
        inner = path[len(root) :]
        resolved = names.link_target(inner, target)
        shown = target if len(target) <= 200 else target[:200] + "..."
        if resolved is None:
            self.tally.anomaly(path, AnomalyKind.LINK_OUTSIDE, f"points to {shown}")
            self.tally.gap(
                path, GapReason.LINK, "a link that leaves the bundle; what it points to was not read"
            )
        else:
            self.tally.anomaly(path, AnomalyKind.LINK, f"points to {shown}")
            self._links.setdefault(path, root + resolved)

    def special(self, path: str, what: str) -> None:
        """Take note of a device, FIFO or socket, which is never opened."""
        if not self.excluded(path):
            self._odd_name(path)
            detail = f"a {what}, which was not opened"
            self.tally.note(
                path, Note(anomaly=AnomalyKind.SPECIAL_FILE, gap=GapReason.SPECIAL, detail=detail)
            )

    def told(self) -> str:
        """The texts that were taken so far."""
        texts = (a.data.decode("utf-8", "replace") for a in self._artifacts.values() if a.kind in TEXTUAL)
        return "\n".join(texts)

    def bundle(self, name: str, root: str) -> Bundle:
        """All that was gathered."""
        self._linked_programs()
        self._collisions()
        artifacts = tuple(self._artifacts[path] for path in sorted(self._artifacts))
        return Bundle(
            name=name,
            root=root,
            artifacts=artifacts,
            gaps=self.tally.gaps(),
            anomalies=self.tally.anomalies(),
        )

    # Names

    def _unique(self, path: str) -> str:
        if path not in self._artifacts and path not in self._links:
            return path
        self.tally.anomaly(path, AnomalyKind.DUPLICATE_NAME, "the name stands more than once")
        number = self._copies.get(path, 2)
        while f"{path}~{number}" in self._artifacts:
            number += 1
        self._copies[path] = number + 1
        return f"{path}~{number}"

    def _odd_name(self, path: str) -> None:
        odd = names.deception(path[path.rfind("/") + 1 :])
        if odd is not None:
            self.tally.anomaly(path, AnomalyKind.DECEPTIVE_NAME, odd)

    def _collisions(self) -> None:
        """Names that are one on a file system that folds case: the later one replaces the earlier."""
        seen: dict[str, str] = {}
        for path in sorted([*self._artifacts, *self._links]):
            first = seen.setdefault(names.folded(path), path)
            if first != path:
                self.tally.anomaly(path, AnomalyKind.CASE_COLLISION, f"is {first} where case does not count")

    def _hidden(self, path: str, kind: Kind) -> None:
        """Programs where nobody looks for one: behind a dotted name, or in an office document."""
        name = base_name(path)
        if name.startswith(".") and kind in _RUNS and kind != Kind.CSS:
            config = name in _DOTTED_PROGRAMS or "rc" in name or name.endswith((".config.js", ".config.ts"))
            if kind in COMPILED or not config:
                self.tally.anomaly(
                    path, AnomalyKind.HIDDEN_EXECUTABLE, f"a {kind.value} file with a dotted name"
                )
        outer, mark, _ = path.rpartition("!/")
        if mark and (kind in _RUNS or name == "vbaproject.bin"):
            around = self._artifacts.get(outer)
            if around is not None and around.kind == Kind.OFFICE:
                what = "macros" if name == "vbaproject.bin" else f"a {kind.value} file"
                self.tally.anomaly(path, AnomalyKind.HIDDEN_EXECUTABLE, f"{what} inside an office document")

    def _linked_programs(self) -> None:
        """Where a link gives a file a name of another kind, the file is inspected under that name too."""
        for path in sorted(self._links):
            target = self._resolved(path)
            claim = claimed_kind(path)
            if target is None or claim is None or target.kind == claim or path in self._artifacts:
                continue
            seen = classify(path, target.data, target.mode)
            if seen.kind != target.kind and self.budget.entries > 0:
                self.budget.entries -= 1
                self._artifacts[path] = Artifact(
                    path=path, data=target.data, mode=target.mode, kind=seen.kind
                )

    def _resolved(self, path: str) -> Artifact | None:
        """The file that a link leads to, over other links and linked folders; None when it leads to none here."""
        for _ in range(_HOPS):
            link = next((head for head in names.heads(path) if head in self._links), None)
            if link is None:
                return self._artifacts.get(path)
            target, rest = self._links[link], path[len(link) :]
            path = target + (rest[1:] if target.endswith("/") or not target else rest)  # the root, or a name
        return None

    # What is inside a file

    def _inside(self, path: str, data: bytes, kind: Kind, depth: int, behind: Kind | None) -> None:
        if kind in ARCHIVES:
            self._archive(path, data, kind, depth)
            return
        if data.startswith(_POINTER) and len(data) < 1024 and claimed_kind(path) not in MEDIA:
            detail = "only a pointer; the file itself is kept elsewhere (Git LFS)"
            self.tally.gap(path, GapReason.OPAQUE, detail)
        tailed = kind in MEDIA and self._medium(path, data, kind, depth)
        if kind in _UNREAD:
            self._unread(path, data, kind, behind)
        if not tailed and end_of_zip(data) >= 0:
            detail = f"an archive stands behind a {kind.value} file"
            self.tally.anomaly(path, AnomalyKind.POLYGLOT, detail)
            self._archive(path, data, Kind.ZIP, depth, behind=True)

    def _unread(self, path: str, data: bytes, kind: Kind, behind: Kind | None) -> None:
        """A file whose content nothing here reads. A gap, unless an agent would not read or run it either."""
        closed = opaque_container(data) if kind == Kind.BINARY else None
        around = self._artifacts.get(path.rpartition("!/")[0])
        if closed is not None:
            self.tally.gap(path, GapReason.OPAQUE, f"a {closed} cannot be opened here")
        elif behind is not None:
            self.tally.gap(path, GapReason.OPAQUE, "bytes of an unknown form, hung on another file")
        elif kind == Kind.BINARY:
            # Parts of an office document (printer settings, previews), and what a desktop leaves in folders.
            part = around is not None and around.kind == Kind.OFFICE
            name = base_name(path)
            desktop = (name == ".ds_store" and data.startswith(b"\0\0\0\1Bud1")) or (
                name.startswith("._") and data.startswith(b"\0\5\x16\7")
            )
            if not part and not desktop and data.strip(b"\0"):
                self.tally.gap(path, GapReason.OPAQUE, "binary data of an unknown form")
        else:
            self.tally.gap(path, GapReason.OPAQUE, f"{kind.value} content, which is not taken apart here")

    def _medium(self, path: str, data: bytes, kind: Kind, depth: int) -> bool:
        """A picture, font or recording: its words, and what hangs on its end. Whether something does."""
        from sluicegate.vet.intake.content.media import (
            breaks_off,
            tail_start,
            walked,
        )  # most skills hold none

        self._words(path, data, depth)
        if readable_text(data) and not walked(data):
            # A medium in its first bytes alone: a shell or an agent that is pointed at it reads the rest.
            self.file(f"{path}!/text.txt", data, 0, depth=depth)
        tail = tail_start(data)
        if tail is not None:
            self._tail(path, data[tail:], depth, kind)
        elif breaks_off(data):
            self.tally.gap(path, GapReason.OPAQUE, "a picture whose end cannot be found")
        return tail is not None

    def _words(self, path: str, data: bytes, depth: int) -> None:
        from sluicegate.vet.intake.content.metadata import embedded_text

        text, complete = embedded_text(data)
        if text:
            self.file(f"{path}!/metadata.txt", text.encode("utf-8", "replace"), 0, depth=depth)
        if not complete:
            self.tally.gap(path, GapReason.TOO_LARGE, "more words inside than are read")

    def _tail(self, path: str, tail: bytes, depth: int, medium: Kind) -> None:
        """Bytes hung on a picture, font or recording."""
        kind = classify("trailing", tail, 0).kind
        foreign = kind in ARCHIVES or kind in _RUNS or end_of_zip(tail) >= 0
        what = AnomalyKind.POLYGLOT if foreign else AnomalyKind.TRAILING_DATA
        shown = "an archive" if kind == Kind.BINARY and foreign else kind.value
        detail = f"{len(tail)} bytes after the end of the {medium.value}: {shown}"
        self.tally.anomaly(path, what, detail)
        name = _TAIL_NAMES.get(kind, "trailing")
        self.file(f"{path}!/{name}", tail, 0, depth=depth, behind=medium)

    def _archive(self, path: str, data: bytes, kind: Kind, depth: int, *, behind: bool = False) -> None:
        if depth >= min(self.limits.archive_depth, _DEEPEST):
            self.tally.gap(path, GapReason.TOO_DEEP, "an archive inside too many others")
            return
        from sluicegate.vet.intake.unpack import (
            archives,  # most skills hold none, and it costs 20 ms to import
        )

        opened = archives.members(kind, data, path, self.budget, self.limits, behind=behind)
        self.members(opened, path, depth + 1)

    def members(self, opened: Iterator[Member], archive: str, depth: int) -> None:
        """Take what an archive holds. ``archive``: its path, or empty when it is the source itself."""
        root = f"{archive}!/" if archive else ""
        for member in opened:
            path = root + member.name if member.name else archive
            for note in member.notes:
                self.tally.note(path, note)
            if member.link is not None:
                self.link(path, member.link, root=root)
            elif member.data is not None:
                self.file(path, member.data, member.mode, depth=depth)

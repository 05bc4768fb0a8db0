"""What the structure rules ask of a bundle, each answered at most once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from sluicegate.tuples import NamedTuple
from sluicegate.vet.hints import lower, one_of
from sluicegate.vet.inspect.rule import Match, Subject
from sluicegate.vet.inspect.siblings import said
from sluicegate.vet.intake.bundle import Artifact, Kind
from sluicegate.vet.intake.views.disguises.escapes import spelled_out
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.types import Gap, GapReason, Severity

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.structures.components import Component
    from sluicegate.vet.inspect.analyzers.structures.own_code import OwnCode
    from sluicegate.vet.intake.views.configs.document import ConfigDocument

CONFIGURATION = frozenset({Kind.JSON, Kind.YAML, Kind.TOML, Kind.INI, Kind.PLIST})
PLAIN = frozenset({"fence", "front-matter", "document"})
"""Derivations after which a configuration document is still one that somebody is told to use."""
T = TypeVar("T")

ONE_DOCUMENT = 512 * 1024
"""Characters of one document that are read by keys."""
ALL_DOCUMENTS = 2 * 1024 * 1024
"""Characters of all documents of one bundle that are read by keys."""

_ASCII = bytes(range(128))


class Config(NamedTuple):
    """A configuration document: its view, its entries, and whether it stands in a text for people."""

    view: View
    document: ConfigDocument
    quoted: bool

    def match(
        self,
        rule_id: str,
        first: int,
        last: int,
        *,
        evidence: str = "",
        message: str = "",
        severity: Severity | None = None,
        confidence: int | None = None,
        adjustments: tuple[str, ...] = (),
        trace: tuple[str, ...] = (),
    ) -> Match:
        """A match on lines (1-based, inclusive) of this document."""
        start, end = span_of_lines(self.view, first, last)
        return Match(
            rule=rule_id, view=self.view, start=start, end=end, evidence=evidence, message=message,
            severity=severity, confidence=confidence, adjustments=adjustments, trace=trace,
        )  # fmt: skip

    def constants(self) -> tuple[str, ...]:
        """Every entry of the document, for a match that rests on several of them."""
        return tuple(f"{'.'.join(map(str, entry.path))}={entry.value}" for entry in self.document.entries)


class BundleFacts:
    """The subject of one inspection, and what was worked out about it."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.bundle = subject.bundle
        self.views = subject.views
        self.gaps: set[Gap] = set()
        self._unread = ALL_DOCUMENTS
        self._configs: dict[int, Config | None] = {}
        self._low: dict[int, str] = {}

    @cached_property
    def artifacts(self) -> dict[str, Artifact]:
        """Artifacts by path."""
        return {artifact.path: artifact for artifact in self.bundle.artifacts}

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """What the artifacts are."""
        return frozenset(artifact.kind for artifact in self.bundle.artifacts)

    @cached_property
    def raw(self) -> tuple[View, ...]:
        """The views that are an artifact's own text."""
        return tuple(view for view in self.views if not view.origin)

    @cached_property
    def odd(self) -> tuple[tuple[View, frozenset[str]], ...]:
        """The raw views that hold more than ASCII, each with the set of those characters."""
        found = []
        for view in self.raw:
            if not view.text.isascii():
                rest = view.text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
                found.append((view, frozenset(rest.decode("utf-8", "surrogatepass"))))
        return tuple(found)

    @cached_property
    def manifest(self) -> View | None:
        """The topmost SKILL.md."""
        found = [v for v in self.raw if base_name(v.path).lower() == "skill.md"]
        return min(found, key=lambda v: (v.path.count("/"), v.path), default=None)

    @cached_property
    def said(self) -> tuple[str, str]:
        """The name and the description that the topmost SKILL.md gives, by its first characters."""
        return ("", "") if self.manifest is None else said(self.manifest.text[:4096])

    @cached_property
    def front(self) -> View | None:
        """The front matter of the topmost SKILL.md as text."""
        if self.manifest is None:
            return None
        path, steps = self.manifest.path, self.steps("front-matter")
        return next((view for view in steps if view.path == path and len(view.origin) == 1), None)

    @cached_property
    def front_matter(self) -> Config | None:
        """The front matter of the topmost SKILL.md, read by keys."""
        return None if self.front is None else self.config(self.front)

    @cached_property
    def settings(self) -> tuple[View, ...]:
        """Configuration documents: whole files, and those in fences and front matter."""
        return tuple(
            view
            for view in self.views
            if view.language in CONFIGURATION and all(step.kind in PLAIN for step in view.origin)
        )

    def settings_hold(self, words: Iterable[str]) -> bool:
        """Whether a configuration document holds one of these words, as it is or with letters escaped."""
        wanted = tuple(words)
        return any(_holds(view.text, wanted) for view in self.settings)

    def configs(self, hints: Iterable[str]) -> Iterator[Config]:
        """The documents that hold one of the words ``hints``, as it is or with letters escaped, read by keys."""
        words = tuple(hints)
        for view in self.settings:
            if _holds(view.text, words):
                config = self.config(view)
                if config is not None:
                    yield config

    def left(self, view: View, detail: str) -> None:
        """Something in a view was left unread."""
        self.gaps.add(Gap(path=view.path, reason=GapReason.ANALYSIS_LIMIT, detail=detail))

    def first(self, view: View, found: Iterable[T], most: int, what: str) -> Iterator[T]:
        """The first ``most`` of what was found in a view; and a gap, when there are more."""
        for number, each in enumerate(found):
            if number == most:
                self.left(view, f"only the first {most} {what} were looked at")
                return
            yield each

    def config(self, view: View) -> Config | None:
        """A document read by keys; None (and a gap) when it is too long, or too much was read already."""
        key = id(view)
        if key not in self._configs:
            size = len(view.text)
            if size > ONE_DOCUMENT or size > self._unread:
                self._configs[key] = None
                self.left(
                    view, "too much configuration to read by its keys; it was looked at by patterns only"
                )
            else:
                from sluicegate.vet.intake.views.configs.structured import read_document

                self._unread -= size
                document = read_document(view.text, view.language)
                quoted = any(step.kind == "fence" for step in view.origin)
                self._configs[key] = Config(view, document, quoted)
        return self._configs[key]

    @cached_property
    def shell(self) -> tuple[View, ...]:
        """All texts in the language of a shell: scripts, fences, commands."""
        return tuple(view for view in self.views if view.language is Kind.SHELL)

    def steps(self, kind: str) -> Iterator[View]:
        """The views whose first derivation is of this kind."""
        return iter(self._by_step.get(kind, ()))

    @cached_property
    def _by_step(self) -> dict[str, list[View]]:
        found: dict[str, list[View]] = {}
        for view in self.views:
            if view.origin:
                found.setdefault(view.origin[0].kind, []).append(view)
        return found

    @cached_property
    def own_code(self) -> OwnCode:
        """The code of the skill, for asking which commands run it."""
        from sluicegate.vet.inspect.analyzers.structures.own_code import (
            OwnCode,  # few skills have such commands
        )

        return OwnCode(self)

    @cached_property
    def obeyed(self) -> tuple[str, ...]:
        """The files and folders that the manifest of a plugin names as texts which an agent goes by."""
        from sluicegate.vet.inspect.analyzers.structures.components import (
            obeyed,  # few bundles have commands that run on loading
        )

        return obeyed(self.components)

    @cached_property
    def components(self) -> tuple[Component, ...]:
        """What the manifests of plugins name as their parts."""
        from sluicegate.vet.inspect.analyzers.structures.components import components

        return tuple(components(self))

    def low(self, view: View) -> str:
        """The text of a view in lower case, character by character as a pattern without case reads it."""
        low = self._low.get(id(view))
        if low is None:
            low = self._low[id(view)] = lower(view.text)
        return low


def _holds(text: str, words: tuple[str, ...]) -> bool:
    return one_of(words, text) or one_of(words, spelled_out(text))


def base_name(path: str) -> str:
    """The last part of an artifact's path."""
    return path.rpartition("/")[2]


def span_of_lines(view: View, first: int, last: int) -> tuple[int, int]:
    """Character offsets of lines ``first`` to ``last`` (1-based, inclusive) of a view's text."""
    starts = view.line_starts()
    begin = starts[min(max(first, 1), len(starts)) - 1]
    end = starts[last] - 1 if 0 < last < len(starts) else len(view.text)
    return begin, max(begin + 1, end)

"""Pattern rules: YARA-X over every view of a rule's languages.

Our rules come compiled from ``rules/``; a user's own rule files are compiled here, apart from ours, so
that they can neither replace nor see them.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from sluicegate.vet.errors import ConfigError
from sluicegate.vet.inspect.analyzers.repetition import Thinned, thinned
from sluicegate.vet.inspect.analyzers.search_bound import crowd_of
from sluicegate.vet.inspect.analyzers.spans import MATCHES, helping, spans_of, word_at
from sluicegate.vet.inspect.compile import (
    Metadata,
    PatternRule,
    RuleError,
    digest,
    load,
    meta_text,
    pattern_rule,
    within_of,
)
from sluicegate.vet.inspect.near import Span
from sluicegate.vet.inspect.rule import Inspected, Match, Rule, Subject
from sluicegate.vet.intake.bundle import TEXTUAL, Artifact
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.matchers import Matchers
from sluicegate.vet.verdict.types import Gap, GapReason

if TYPE_CHECKING:
    import yara_x

    from sluicegate.vet.inspect.analyzers.checks import Check

HELPING = 100
"""Matches of helping patterns of which the whole statements are covered; of all of them the words are."""
_AFTER = " \t\r\n;&|)<>\"'`\\"
"""What may follow a match and be part of what its pattern took, and is not part of it."""
_CONTINUATION = bytes(range(0x80, 0xC0))
_CROWDED = (
    "more of the words that patterns begin with than are looked at; the text after them was not searched"
)

SECONDS = 10
"""What the user's own rules may take for one text. Ours are held to be linear, and have no such bound; a rule of the user
may hold loops, and that a scan ends is worth more here than that it ends alike everywhere."""
_SLOW = f"your own YARA rules took more than {SECONDS} seconds; they were not run over the rest of this skill"


class _Table(dict[str, PatternRule]):
    """Our rules by identifier. The metadata of each are read when it is first asked for: few match."""

    def __init__(self, metadata: Mapping[str, Metadata]) -> None:
        super().__init__()
        self._metadata = metadata

    def __missing__(self, identifier: str) -> PatternRule:
        found = self[identifier] = pattern_rule(identifier, self._metadata[identifier])
        return found

    def every(self) -> list[PatternRule]:
        return [self[identifier] for identifier in self._metadata]


class _Set:
    """Compiled rules, made ready when the first view needs them, with the metadata of each by identifier."""

    def __init__(
        self,
        rules: Callable[[], yara_x.Rules],
        table: Mapping[str, PatternRule],
        within: frozenset[str] = frozenset(),
        seconds: int | None = None,
    ) -> None:
        self.table = table
        self.within = within
        self.matchers = Matchers(rules, most=MATCHES, seconds=seconds)


class PatternAnalyzer:
    """Runs the shipped pattern rules and the user's over all views.

    ``user`` are directories (or single files) of YARA rules. ConfigError when one of them cannot be used.
    ``user_digest`` is over their names and texts, as they were read.
    """

    user_digest: str

    def __init__(self, user: Sequence[str] = ()) -> None:
        (every, derived), metadata = load()
        self._table = _Table(metadata)
        steps = frozenset().union(*(within_of(meta) for meta in metadata.values() if "within" in meta))
        self._ours = _Set(every, self._table)
        self._hidden = _Set(derived, self._table, steps)
        texts = _user_texts(user)
        self._user = _user_set(texts) if user else None
        self.user_digest = digest({str(file): text.encode() for file, text in texts.items()})
        self._plain = [self._ours] if self._user is None else [self._ours, self._user]

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """Our rules and the user's by id, sorted."""
        found = [pattern.rule for pattern in self._table.every()]
        if self._user is not None:
            found += (pattern.rule for pattern in self._user.table.values())
        return {rule.id: rule for rule in sorted(found, key=lambda rule: rule.id)}

    def inspect(self, subject: Subject) -> Inspected:
        """Every match of every rule in every view of its languages, in order of views."""
        matches: list[Match] = []
        gaps: list[Gap] = []
        whole: dict[str, _Scanned] = {}
        crowd = crowd_of(subject.views)
        for view in subject.views:
            if not view.text:
                continue
            wanted = self._wanted(view, whole.get(view.path))
            if not wanted:
                continue
            data = view.text.encode("utf-8", "surrogatepass")
            reach = len(data) if crowd is None else crowd.reach(data)
            cut = reach < len(data)
            if cut:
                gaps.append(Gap(path=view.path, reason=GapReason.ANALYSIS_LIMIT, detail=_CROWDED))
                data = data[:reach]
            thin = thinned(data)
            for each in wanted:
                if each is self._user and _too_slow(gaps):
                    continue
                found = _matching(each, thin.data, view.path, gaps)
                matches += self._scan(each, view, data, thin, found or (), gaps)
                clear = not (view.origin or thin.copies or cut)
                if each is self._ours and clear and found is not None:
                    whole[view.path] = _Scanned(view, data, found, each.table)
        if self._user is not None:
            read = {view.path for view in subject.views if not view.origin}
            for artifact in subject.bundle.artifacts:
                if artifact.path not in read and artifact.data and not _too_slow(gaps):
                    matches += self._scan_bytes(self._user, artifact, gaps)
        return Inspected(matches=tuple(matches), gaps=tuple(gaps))

    def _wanted(self, view: View, around: _Scanned | None) -> Sequence[_Set]:
        """The rules that are to look at a view; ``around`` is what they saw in the text that it was derived from."""
        if not view.origin:
            return self._plain
        wanted = [] if _nothing_in(view, around) else [self._ours]
        if any(step.kind in self._hidden.within for step in view.origin):
            wanted.append(self._hidden)
        return wanted if self._user is None else [*wanted, self._user]

    def _scan(
        self,
        rules: _Set,
        view: View,
        data: bytes,
        thin: Thinned,
        matching: Sequence[yara_x.Rule],
        gaps: list[Gap],
    ) -> Iterator[Match]:
        for rule in matching:
            pattern = rules.table[rule.identifier]
            if not pattern.covers(view.language, view.artifact.kind):
                continue
            if pattern.within and not any(step.kind in pattern.within for step in view.origin):
                continue
            spans, cut = spans_of(data, rule, pattern, thin if thin.copies else None)
            if cut:
                gaps.append(_cut(pattern, view.path))
            helps = helping(data, rule, pattern, thin if thin.copies else None) if spans else []
            trace = tuple({f"with={word_at(data, span)}" for span in helps})
            places = [(view, *span) for span in _characters(view.text, data, helps[:HELPING])]
            check = _check(pattern.check) if pattern.check else None
            for start, end in _characters(view.text, data, spans):
                text = view.text[start:end].rstrip(_AFTER)
                end = start + len(text)
                if check is not None and not check(view.text, start, end):
                    continue
                yield Match(
                    rule=pattern.rule.id, view=view, start=start, end=end, trace=trace, places=tuple(places)
                )

    def _scan_bytes(self, rules: _Set, artifact: Artifact, gaps: list[Gap]) -> Iterator[Match]:
        """A user's rules over an artifact that has no text: one match a rule."""
        for rule in _matching(rules, artifact.data, artifact.path, gaps) or ():
            pattern = rules.table[rule.identifier]
            if pattern.within or not pattern.kinds >= TEXTUAL:
                continue
            spans, cut = spans_of(artifact.data, rule, pattern)
            if not spans and (pattern.near or pattern.lacks):
                if cut:
                    gaps.append(_cut(pattern, artifact.path))
                continue
            first = artifact.data[spans[0][0] : spans[0][1]] if spans else b""
            yield Match(rule=pattern.rule.id, path=artifact.path, evidence=ascii(first)[2:-1])


class _Scanned:
    """An artifact's own text, not thinned, and what our rules matched in it."""

    def __init__(
        self, view: View, data: bytes, found: Sequence[yara_x.Rule], table: Mapping[str, PatternRule]
    ) -> None:
        self.view = view
        self._data = data
        self._found = [(rule, table[rule.identifier]) for rule in found]
        self._spans: dict[str, list[Span] | None] = {}

    def none_in(self, view: View, first: int) -> bool:
        """Whether no match of the rules of a view's language reaches into its text, which begins with line ``first``."""
        kind = self.view.artifact.kind
        wanted = [rule for rule, pattern in self._found if pattern.covers(view.language, kind)]
        if not wanted:
            return True
        start = self._starts[first - 1]
        end = start + len(view.text if view.text.isascii() else view.text.encode("utf-8", "surrogatepass"))
        return all(self._none_between(rule, start, end) for rule in wanted)

    def _none_between(self, rule: yara_x.Rule, start: int, end: int) -> bool:
        if rule.identifier not in self._spans:
            self._spans[rule.identifier] = _every_span(rule)
        spans = self._spans[rule.identifier]
        if spans is None:
            return False
        at = bisect_left(spans, (end,))  # of the spans before this one, the last ends last
        return at == 0 or spans[at - 1][1] <= start

    @cached_property
    def _starts(self) -> Sequence[int]:
        """The byte at which each line starts."""
        if len(self._data) == len(self.view.text):
            return self.view.line_starts()
        return [0, *accumulate(len(line) + 1 for line in self._data.split(b"\n"))]


def _every_span(rule: yara_x.Rule) -> list[Span] | None:
    """All that the patterns of a rule matched, none overlapping, in order; None when there was more than is listed."""
    found: list[Span] = []
    for pattern in rule.patterns:
        matches = pattern.matches
        if len(matches) >= MATCHES:
            return None
        found += [(m.offset, m.offset + m.length) for m in matches]
    spans: list[Span] = []
    reach = -1
    for start, end in sorted(found):
        if start < reach:
            start, _ = spans.pop()
        reach = max(reach, end)
        spans.append((start, reach))
    return spans


def _nothing_in(view: View, whole: _Scanned | None) -> bool:
    """Whether none of our rules can match in ``view``, because none of its language did there in the text around it.

    It cannot when the view is some lines of that text as they stand there: what a pattern matches in them
    it matches there too, from the same place on or as part of a longer match, and our conditions ask only
    which patterns match, never which do not (that, and what asks where, is ``lacks`` and ``near``). The ends of a view are where a pattern could tell the
    difference: before it must be the start of a line, after it the end of one, or a sign that is not part of
    a word; for our patterns that is as good as the end of the text.
    """
    if whole is None or not (view.lines or view.span):
        return False
    first, _ = view.span or view.lines[0]
    starts = whole.view.line_starts()
    if not 0 < first <= len(starts):
        return False
    text, at = whole.view.text, starts[first - 1]
    if not text.startswith(view.text, at):
        return False
    after = text[at + len(view.text) : at + len(view.text) + 1]
    ends = after in ("", "\n") or (view.text.endswith("\n") and after in "`~-")
    return ends and whole.none_in(view, first)


def _matching(rules: _Set, data: bytes, path: str, gaps: list[Gap]) -> Sequence[yara_x.Rule] | None:
    """The rules that match; None, and a gap, when the scan failed."""
    import yara_x

    try:
        return rules.matchers.own.scan(data).matching_rules
    except yara_x.TimeoutError:
        gaps.append(Gap(path=path, reason=GapReason.ANALYSIS_LIMIT, detail=_SLOW))
        return None
    except yara_x.ScanError as error:
        gaps.append(Gap(path=path, reason=GapReason.ANALYSIS_FAILED, detail=f"pattern rules: {error}"))
        return None


def _check(name: str) -> Check:
    from sluicegate.vet.inspect.analyzers.checks import CHECKS  # for a text in which such a rule matches

    return CHECKS[name]


def _too_slow(gaps: Sequence[Gap]) -> bool:
    return any(gap.detail is _SLOW for gap in gaps)


def _cut(pattern: PatternRule, path: str) -> Gap:
    detail = f"{pattern.rule.id}: only the first {MATCHES} matches were looked at"
    return Gap(path=path, reason=GapReason.ANALYSIS_LIMIT, detail=detail)


def _characters(text: str, data: bytes, spans: Sequence[Span]) -> list[Span]:
    """Byte spans of the encoded text as character spans, in one pass from match to match."""
    if len(data) == len(text):
        return list(spans)
    at: dict[int, int] = {}
    byte = character = 0
    for offset in sorted({offset for span in spans for offset in span}):
        character += len(data[byte:offset].translate(None, _CONTINUATION))
        byte = offset
        at[offset] = character
    return [(at[start], at[end]) for start, end in spans]


def _user_texts(places: Sequence[str]) -> dict[Path, str]:
    return {file: _read(file) for place in places for file in rule_files(Path(place))}


def _user_set(texts: Mapping[Path, str]) -> _Set:
    import yara_x

    compiler = yara_x.Compiler(includes_enabled=False)
    owner: dict[str, Path] = {}
    files = list(texts)
    for number, file in enumerate(files):
        compiler.new_namespace(f"user-{number}")
        try:
            compiler.add_source(texts[file], origin=str(file))
        except yara_x.CompileError as error:
            line = next((e["line"] for e in compiler.errors() if "line" in e), 1)
            first, _, excerpt = str(error).partition("\n")
            raise ConfigError(
                f"{file}:{line}: {first}",
                hint=f"{excerpt}\nCorrect the rule, or leave the file out.".lstrip("\n"),
            ) from error
    rules = compiler.build()
    if rules.imports():
        raise _imported(texts)
    table: dict[str, PatternRule] = {}
    for rule in rules:
        file = files[int(rule.namespace.removeprefix("user-"))]
        if rule.identifier in owner:
            raise ConfigError(
                f"{file}: a rule called {rule.identifier} is already in {owner[rule.identifier]}",
                hint="Give each of your rules its own name.",
            )
        owner[rule.identifier] = file
        try:
            table[rule.identifier] = pattern_rule(rule.identifier, meta_text(rule.metadata), custom=True)
        except RuleError as error:
            line = _line(texts[file], rule.identifier)
            raise ConfigError(
                f"{file}:{line}: {error}", hint="See the metadata of the shipped rules."
            ) from error
    return _Set(lambda: rules, table, seconds=SECONDS)


def rule_files(place: Path) -> list[Path]:
    """The files of a user's own rules: one, or all below a folder. Raises ConfigError when there are none."""
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise ConfigError(
            f"{place} is neither a folder nor a file of YARA rules",
            hint="Name a folder with .yar files, or one.",
        )
    if not os.access(place, os.R_OK | os.X_OK):
        raise ConfigError(f"the folder of YARA rules {place} cannot be read", hint="Check its permissions.")
    found = sorted(path for path in place.rglob("*") if path.suffix in {".yar", ".yara"} and path.is_file())
    if not found:
        raise ConfigError(
            f"{place} holds no .yar or .yara file", hint="Name the folder that your rules are in."
        )
    return found


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigError(f"{file} cannot be read: {why}", hint="Mend the file, or leave it out.") from error


def _imported(texts: Mapping[Path, str]) -> ConfigError:
    for file, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            if line.lstrip().startswith("import"):
                return ConfigError(
                    f"{file}:{number}: YARA modules are not available here: {line.strip()}",
                    hint="Rules see text, not files; write the condition with strings alone.",
                )
    return ConfigError("a rule file imports a YARA module; modules are not available here")


def _line(text: str, identifier: str) -> int:
    words = f"rule {identifier}"
    return next((n for n, line in enumerate(text.splitlines(), 1) if words in " ".join(line.split())), 1)

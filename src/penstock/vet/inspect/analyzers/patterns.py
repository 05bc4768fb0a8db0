"""Pattern rules: YARA-X over every view of a rule's languages.

Our rules come compiled from ``rules/``; a user's own rule files are compiled here, apart from ours, so
that they can neither replace nor see them.
"""

from __future__ import annotations

import re
import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.vet.errors import ConfigError
from penstock.vet.inspect.analyzers.checks import CHECKS
from penstock.vet.inspect.compile import PatternRule, RuleError, load, meta_text, pattern_rule
from penstock.vet.inspect.rule import Inspected, Match, Rule, Subject
from penstock.vet.intake.bundle import TEXTUAL, Artifact
from penstock.vet.intake.views.view import View
from penstock.vet.verdict.types import Gap, GapReason

if TYPE_CHECKING:
    import yara_x

MATCHES = 500
"""Matches of one pattern in one view; where there are more, a gap says that the rest were not looked at."""
ALIKE = 20
"""Matches of one rule in one view with the same text; more of them say nothing new."""
BEFORE = 300
"""Bytes in front of a match in which what must stand before it is looked for."""
THIN = 1 << 15
BLOCK = 256
"""From ``THIN`` bytes on, blocks of so many bytes that repeat themselves are not looked at again."""
_AFTER = " \t\r\n;&|)<>\"'`\\"
"""What may follow a match and be part of what its pattern took, and is not part of it."""
_CONTINUATION = bytes(range(0x80, 0xC0))

Span = tuple[int, int]


class _Set:
    """Compiled rules, with the metadata of each by identifier."""

    def __init__(
        self, rules: yara_x.Rules, table: Mapping[str, PatternRule], within: frozenset[str] = frozenset()
    ) -> None:
        self.table = table
        self.within = within
        self._rules = rules
        self._own = threading.local()

    @property
    def scanner(self) -> yara_x.Scanner:
        """The scanner of this thread: YARA-X lets none but the thread that made one use it, or drop it."""
        own: yara_x.Scanner | None = getattr(self._own, "scanner", None)
        if own is None:
            import yara_x

            own = self._own.scanner = yara_x.Scanner(self._rules)
            own.max_matches_per_pattern(MATCHES)
        return own


class PatternAnalyzer:
    """Runs the shipped pattern rules and the user's over all views.

    ``user`` are directories (or single files) of YARA rules. ConfigError when one of them cannot be used.
    """

    rules: Mapping[str, Rule]

    def __init__(self, user: Sequence[str] = ()) -> None:
        (every, derived), metadata = load()
        ours = {identifier: pattern_rule(identifier, meta) for identifier, meta in metadata.items()}
        steps = frozenset(step for pattern in ours.values() for step in pattern.within)
        self._sets = [_Set(every, ours), _Set(derived, ours, steps)]
        self._user: _Set | None = None
        if user:
            self._user = _user_set(user)
            self._sets.append(self._user)
        found = [pattern.rule for pattern in ours.values()]
        if self._user is not None:
            found += (pattern.rule for pattern in self._user.table.values())
        self.rules = {rule.id: rule for rule in sorted(found, key=lambda rule: rule.id)}

    def inspect(self, subject: Subject) -> Inspected:
        """Every match of every rule in every view of its languages, in order of views."""
        matches: list[Match] = []
        gaps: list[Gap] = []
        for view in subject.views:
            if not view.text:
                continue
            data = view.text.encode("utf-8", "surrogatepass")
            data = thinned(data)
            steps = {step.kind for step in view.origin}
            for each in self._sets:
                if each.within and each.within.isdisjoint(steps):
                    continue
                matches += self._scan(each, view, data, gaps)
        if self._user is not None:
            read = {view.path for view in subject.views if not view.origin}
            for artifact in subject.bundle.artifacts:
                if artifact.path not in read and artifact.data:
                    matches += self._scan_bytes(self._user, artifact, gaps)
        return Inspected(matches=tuple(matches), gaps=tuple(gaps))

    def _scan(self, rules: _Set, view: View, data: bytes, gaps: list[Gap]) -> Iterator[Match]:
        for rule in _matching(rules, data, view.path, gaps):
            pattern = rules.table[rule.identifier]
            if view.language not in pattern.kinds:
                continue
            if pattern.within and not any(step.kind in pattern.within for step in view.origin):
                continue
            spans, cut = _spans(data, rule, pattern)
            if cut:
                detail = f"{pattern.rule.id}: only the first {MATCHES} matches were looked at"
                gaps.append(Gap(path=view.path, reason=GapReason.ANALYSIS_LIMIT, detail=detail))
            check = CHECKS[pattern.check] if pattern.check else None
            alike: Counter[str] = Counter()
            for start, end in _characters(view.text, data, spans):
                text = view.text[start:end].rstrip(_AFTER)
                alike[text] += 1
                if alike[text] > ALIKE:
                    continue
                if check is not None and not check(text):
                    continue
                yield Match(rule=pattern.rule.id, view=view, start=start, end=start + len(text))

    def _scan_bytes(self, rules: _Set, artifact: Artifact, gaps: list[Gap]) -> Iterator[Match]:
        """A user's rules over an artifact that has no text: one match a rule."""
        for rule in _matching(rules, artifact.data, artifact.path, gaps):
            pattern = rules.table[rule.identifier]
            if pattern.within or not pattern.kinds >= TEXTUAL:
                continue
            spans, _ = _spans(artifact.data, rule, pattern)
            first = artifact.data[spans[0][0] : spans[0][1]] if spans else b""
            yield Match(rule=pattern.rule.id, path=artifact.path, evidence=ascii(first)[2:-1])


def thinned(data: bytes) -> bytes:
    """Long data with line breaks in place of what has stood there before, twice, after the same bytes.

    Whoever repeats one word a million times wants a scanner to try at each of them. Offsets stay. A block is
    blanked only when it and the two blocks in front of it were seen together before, so a match that is not
    longer than they are, and differs from all others, is never lost.
    """
    if len(data) < THIN:
        return data
    seen: Counter[bytes] = Counter()
    parts: list[bytes] = []
    for at in range(0, len(data), BLOCK):
        key = data[max(0, at - 2 * BLOCK) : at + BLOCK]
        seen[key] += 1
        block = data[at : at + BLOCK]
        parts.append(block if seen[key] <= 2 else b"\n" * len(block))
    return b"".join(parts)


def _matching(rules: _Set, data: bytes, path: str, gaps: list[Gap]) -> Sequence[yara_x.Rule]:
    import yara_x

    try:
        return rules.scanner.scan(data).matching_rules
    except yara_x.ScanError as error:
        gaps.append(Gap(path=path, reason=GapReason.ANALYSIS_FAILED, detail=f"pattern rules: {error}"))
        return ()


def _spans(data: bytes, rule: yara_x.Rule, pattern: PatternRule) -> tuple[list[Span], bool]:
    """Where the rule's main patterns matched, in bytes, and whether there were too many to tell.

    Overlapping matches are one: the longest. Patterns called ``$_...`` only help: a condition, or
    ``unless``. A rule without main patterns stands for the first line.
    """
    found: list[Span] = []
    shown: list[Span] = []
    excused: list[int] = []
    main = cut = False
    for each in rule.patterns:
        name = each.identifier.removeprefix("$")
        spans = [(match.offset, match.offset + match.length) for match in each.matches]
        if name in pattern.unless:
            excused += (start for start, _ in spans)
        if name.startswith("_"):
            continue
        main = True
        cut = cut or len(spans) >= MATCHES
        if name in pattern.before:
            spans = _joined(data, spans, pattern.before[name])
        if name in pattern.after:
            spans = _followed(data, spans, pattern.after[name])
        if name in pattern.rest:
            most = int(pattern.rest[name])
            spans = [(start, _line_end(data, end, most)) for start, end in spans]
        found += spans
        if name == pattern.evidence:
            shown = spans
    merged = _merged(shown or found)
    if excused:
        excused.sort()
        merged = [span for span in merged if not _excused(data, span, excused)]
    return merged if main else [(0, 0)], cut


def _followed(data: bytes, spans: Sequence[Span], after: str) -> list[Span]:
    """The spans at whose end ``after`` matches, to where that ends."""
    wanted = _bytes_pattern(after)
    joined: list[Span] = []
    for start, end in spans:
        found = wanted.match(data, end, end + BEFORE)
        if found is not None:
            joined.append((start, found.end()))
    return joined


def _line_end(data: bytes, end: int, most: int) -> int:
    stop = data.find(b"\n", end - 1, end + most)
    return stop if stop != -1 else min(len(data), end + most)


def _excused(data: bytes, span: Span, offsets: Sequence[int]) -> bool:
    at = bisect_left(offsets, span[0])
    return at < len(offsets) and offsets[at] < span[1] and data.count(b"://", *span) < 2


def _joined(data: bytes, spans: Sequence[Span], before: str) -> list[Span]:
    """The spans that have a match of ``before`` in front of them on their line, from where that begins."""
    wanted = _bytes_pattern(before)
    joined: list[Span] = []
    for start, end in spans:
        low = max(0, start - BEFORE)
        line = data.rfind(b"\n", low, start)
        while line > low and data[line - 1 : line] == b"\\":
            line = data.rfind(b"\n", low, line)
        first = wanted.search(data, max(low, line + 1), start)
        if first is not None:
            joined.append((first.start(), end))
    return joined


@lru_cache(maxsize=64)
def _bytes_pattern(text: str) -> re.Pattern[bytes]:
    return re.compile(text.encode())


def _merged(spans: list[Span]) -> list[Span]:
    """Spans of which no two overlap: of each run of overlapping ones, the longest, the first of equals."""
    kept: list[Span] = []
    reach = -1
    for start, end in sorted(spans):
        if start < reach and kept:
            reach = max(reach, end)
            if end - start > kept[-1][1] - kept[-1][0]:
                kept[-1] = (start, end)
        else:
            kept.append((start, end))
            reach = end
    return kept


def _characters(text: str, data: bytes, spans: Sequence[Span]) -> list[Span]:
    """Byte spans of the encoded text as character spans.

    One pass from match to match, over the text itself, because blocks of ``data`` may have been blanked.
    """
    if len(data) == len(text):
        return list(spans)
    at: dict[int, int] = {}
    whole = text.encode("utf-8", "surrogatepass")
    byte = character = 0
    for offset in sorted({offset for span in spans for offset in span}):
        character += len(whole[byte:offset].translate(None, _CONTINUATION))
        byte = offset
        at[offset] = character
    return [(at[start], at[end]) for start, end in spans]


def _user_set(places: Sequence[str]) -> _Set:
    import yara_x

    compiler = yara_x.Compiler(includes_enabled=False)
    owner: dict[str, Path] = {}
    files = [file for place in places for file in _rule_files(Path(place))]
    texts: dict[Path, str] = {}
    for number, file in enumerate(files):
        texts[file] = _read(file)
        compiler.new_namespace(f"user-{number}")
        try:
            compiler.add_source(texts[file], origin=str(file))
        except yara_x.CompileError as error:
            line = next((e["line"] for e in compiler.errors() if "line" in e), 1)
            raise ConfigError(
                f"{file}:{line}: {error}", hint="Correct the rule, or leave the file out."
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
    return _Set(rules, table)


def _rule_files(place: Path) -> list[Path]:
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise ConfigError(f"{place} is neither a folder nor a file of YARA rules")
    found = sorted(path for path in place.rglob("*") if path.suffix in {".yar", ".yara"} and path.is_file())
    if not found:
        raise ConfigError(f"{place} holds no .yar or .yara file")
    return found


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from error


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

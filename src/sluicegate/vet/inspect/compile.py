"""Compile the shipped pattern rules once, so that no scan pays for it.

``rules/compiled.yarc`` is one line of JSON (what it was made from, and the metadata of every rule) followed
by the rules as YARA-X serialises them, in two parts: those for every view, and those of ``within.yar``,
which run only over views that were derived in a way that hides. It is trusted only when the format, the
digest of the sources and the version of YARA-X all agree; otherwise the sources are compiled in memory,
which is slower and the same.
``python -m sluicegate.vet.inspect.compile`` writes it; so does the build of the wheel.

What a pattern costs is decided by its atoms: the four bytes at most, of each way to match it, that YARA-X
searches for before it tries the pattern around them, forwards first. It takes them from the part whose worst
atom is longest, whether or not a text is full of them (``http``, ``curl``, ``the``). A group that ends in
``|\\b\\B`` has a branch that can never match, so it means the same without it; but that branch has no atom,
so the atoms are taken from another part, one that is rare. Two things to know before one is added or moved:
the direction in which a part is tried changes with the atoms, and YARA-X counts one repetition for all the
ways into it, so ``[^x]{4,99}`` beside ``[^y]{0,80}`` can lose a match when it is tried backwards; written as
``[^x]{4}[^x]{0,95}`` it cannot.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeAlias, cast

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect import near
from sluicegate.vet.inspect.rule import Rule, RuleKind
from sluicegate.vet.intake.bundle import CODE, CONFIG, PROSE, Kind
from sluicegate.vet.verdict.types import Category, EvidenceKind, Severity

if TYPE_CHECKING:
    import yara_x

FORMAT = 1
WITHIN = "within.yar"
NEVER = r"|\b\B"
"""The branch that never matches."""
RULES = Path(__file__).parent / "rules"
COMPILED = RULES / "compiled.yarc"
_CONTINUATION = bytes(range(0x80, 0xC0))
"""Bytes of UTF-8 with which no character begins."""

Metadata = Mapping[str, str]
Parts: TypeAlias = "tuple[yara_x.Rules, yara_x.Rules]"
Part: TypeAlias = "Callable[[], yara_x.Rules]"
"""Compiled rules, made ready when they are asked for: most skills have no view for those of the second part."""

_PROGRAM = "program"
"""Programs of their own, for rules about words: their comments and strings are read by agents, too."""
_GROUPS: Mapping[str, frozenset[Kind]] = {
    "prose": PROSE,
    "code": CODE,
    "config": CONFIG,
    "any": PROSE | CODE | CONFIG,
    _PROGRAM: frozenset(),
}
_REQUIRED = ("title", "category", "severity", "confidence", "why", "fix", "references", "languages")
_DEFAULTS = {"severity": "medium", "category": "custom", "confidence": "700", "languages": "any"}


class PatternRule(NamedTuple):
    """A rule with what only the pattern analyzer needs.

    ``kinds`` are the languages of the views it runs over; with ``programs``, so are programs, but for those in the
    fences of a text, which are read with it. ``within``, when not empty, asks for a step of one of these kinds in a
    view's origin. ``evidence`` names the pattern whose match is shown. ``unless`` names
    helper patterns: a match that holds the beginning of a match of one of them, and no more than one
    address, is not a match. ``before`` holds, for some patterns, a regular expression that must match on the
    line before what they matched, and is then part of the match (so that the rare half of a pattern is
    looked for first: "a pipe into a shell", then "a download before it"). ``after`` is the same for what
    follows at once. ``rest`` is how many bytes after a match, to the end of its line at most, belong to it.
    ``near`` says, for some patterns, what must stand near a match for the rule to hold by it (see ``near``):
    the loops of a condition, without their cost. ``lacks`` names helper patterns: where one of them matches
    anywhere in the view, the rule does not hold. ``check`` names a function of ``analyzers.checks`` that has
    the last word on the matched text.

    A condition of ours says no more than which patterns match: what asks where, or which must not, is
    ``near``, ``unless`` and ``lacks``. So a rule that matches in some lines matches in the whole text.
    """

    rule: Rule
    kinds: frozenset[Kind]
    programs: bool
    within: frozenset[str]
    evidence: str
    unless: frozenset[str]
    before: Mapping[str, str]
    after: Mapping[str, str]
    rest: Mapping[str, str]
    near: Mapping[str, near.Near]
    lacks: frozenset[str]
    check: str

    def covers(self, language: Kind, artifact: Kind) -> bool:
        """Whether the rule is about views of this language in an artifact of this kind."""
        return language in self.kinds or (self.programs and language in CODE and artifact not in PROSE)


class RuleError(ValueError):
    """The metadata of a pattern rule is wrong; the message names the rule and the field."""


def sources(directory: Path = RULES) -> dict[str, str]:
    """The rule files of a directory by name, in order of name."""
    return _texts(read(directory))


def read(directory: Path = RULES) -> dict[str, bytes]:
    """The same as bytes: all that their digest needs."""
    return {name: (directory / name).read_bytes() for name in _named(directory, "", ".yar")}


def digest(files: Mapping[str, bytes]) -> str:
    """SHA-256 over names and contents, each behind its length in characters."""
    h = hashlib.sha256()
    for name, data in files.items():
        length = len(data) if data.isascii() else len(data.translate(None, _CONTINUATION))
        h.update(f"{name}\0{length}\0".encode())
        h.update(data)
        h.update(b"\0")
    return h.hexdigest()


def yara_version() -> str:
    """The version of YARA-X, without the cost of importing ``importlib.metadata`` where it can be seen."""
    import yara_x

    packages = Path(yara_x.__file__ or "").parent.parent
    found = _named(packages, "yara_x-", ".dist-info")
    if len(found) == 1:
        return found[0].removeprefix("yara_x-").removesuffix(".dist-info")
    from importlib.metadata import version

    return version("yara-x")


def compile_sources(files: Mapping[str, str]) -> yara_x.Rules:
    """Our own rule files as compiled rules; raises ``yara_x.CompileError``."""
    import yara_x

    compiler = yara_x.Compiler(includes_enabled=False, error_on_slow_pattern=True)
    for name, text in files.items():
        compiler.add_source(text, origin=name)
    return compiler.build()


def metadata_table(rules: yara_x.Rules) -> dict[str, dict[str, str]]:
    """The metadata of every rule, by YARA identifier, values as text, sorted."""
    found = {rule.identifier: meta_text(rule.metadata) for rule in rules}
    return dict(sorted(found.items()))


def meta_text(metadata: Iterable[tuple[str, object]]) -> dict[str, str]:
    """Metadata as text; YARA-X gives a string in which something is escaped as bytes."""
    return {
        key: value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
        for key, value in metadata
    }


def write(target: Path = COMPILED, directory: Path = RULES) -> int:
    """Compile ``directory`` into ``target``; gives the number of rules."""
    import io

    files = read(directory)
    compiled = _compile_parts(_texts(files))
    parts: list[bytes] = []
    for rules in compiled:
        body = io.BytesIO()
        rules.serialize_into(body)
        parts.append(body.getvalue())
    table = _metadata(compiled)
    for identifier, meta in table.items():
        pattern_rule(identifier, meta)
    header = {
        "format": FORMAT,
        "sources": digest(files),
        "yara-x": yara_version(),
        "sizes": [len(part) for part in parts],
        "rules": table,
    }
    target.write_bytes(b"".join([json.dumps(header, sort_keys=True).encode(), b"\n", *parts]))
    return len(table)


def is_current(directory: Path = RULES) -> bool:
    """Whether the compiled file is there and was made of these sources by this YARA-X."""
    header = _header(directory / COMPILED.name)
    return (
        header is not None
        and header.get("sources") == digest(read(directory))
        and header.get("yara-x") == yara_version()
    )


def load_metadata(directory: Path = RULES) -> dict[str, dict[str, str]]:
    """The metadata of the shipped rules; compiles only when there is no compiled file of these sources."""
    files = read(directory)
    header = _header(directory / COMPILED.name)
    if header is not None and header.get("sources") == digest(files):
        return _table(header)
    return _metadata(_compile_parts(_texts(files)))


def load(directory: Path = RULES) -> tuple[tuple[Part, Part], dict[str, dict[str, str]]]:
    """The shipped rules, compiled, in two parts (for every view; for derived ones), and their metadata."""
    files = read(directory)
    path = directory / COMPILED.name
    header = _header(path)
    if (
        header is not None
        and header.get("sources") == digest(files)
        and header.get("yara-x") == yara_version()
    ):
        one, two = _sizes(header)
        found = path.stat()
        start = found.st_size - one - two
        return (
            partial(_deserialized, path, found.st_mtime_ns, start, one),
            partial(_deserialized, path, found.st_mtime_ns, start + one, two),
        ), _table(header)
    parts = _compile_parts(_texts(files))
    return (lambda: parts[0], lambda: parts[1]), _metadata(parts)


def pattern_rule(identifier: str, meta: Metadata, *, custom: bool = False) -> PatternRule:
    """Metadata as a rule. All fields are required of our own rules; a user's have defaults.

    Raises RuleError when a field is missing or not one of the words it may be.
    """
    if not custom:
        missing = [field for field in _REQUIRED if field not in meta]
        if missing:
            raise RuleError(f"rule {identifier} lacks {', '.join(missing)}")
    get = {**_DEFAULTS, **meta}.get
    languages = tuple(_words(get("languages", "any")))
    of_patterns = _by_pattern(meta)
    try:
        rule = Rule(
            id=f"user/{identifier}" if custom else identifier.replace("_", "-"),
            title=get("title") or get("description") or identifier,
            category=Category(get("category", "")),
            severity=Severity[get("severity", "").upper()],
            confidence=_confidence(get("confidence", "")),
            kind=RuleKind.PATTERN,
            why=get("why") or get("description") or "A rule that you loaded matched.",
            fix=get("fix") or "Read the evidence and decide; the rule's author knows what it means.",
            references=tuple(_words(get("references", ""))),
            languages=languages,
            custom=custom,
            stated=EvidenceKind(meta["kind"]) if "kind" in meta else None,
        )
        kinds = _kinds(languages)
        beside = {name: near.parse(text) for name, text in of_patterns["near"].items()}
    except (ValueError, KeyError) as error:
        raise RuleError(f"rule {identifier}: {error.args[0]} is not a value of its field") from error
    return PatternRule(
        rule=rule,
        kinds=kinds,
        programs=_PROGRAM in languages,
        within=within_of(meta),
        evidence=get("evidence", "").lstrip("$"),
        unless=frozenset(word.lstrip("$") for word in _words(get("unless", ""))),
        before=of_patterns["before"],
        after=of_patterns["after"],
        rest=of_patterns["rest"],
        near=beside,
        lacks=frozenset(word.lstrip("$") for word in _words(get("lacks", ""))),
        check=get("check", "") if not custom else "",
    )


def within_of(meta: Metadata) -> frozenset[str]:
    """The kinds of steps of which one must stand in a view's origin for a rule to be about it; empty where it does not matter."""
    return frozenset(_words(meta.get("within", "")))


def _texts(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: data.decode("utf-8") for name, data in files.items()}


def _compile_parts(files: Mapping[str, str]) -> Parts:
    first = {name: text for name, text in files.items() if name != WITHIN}
    second = {name: text for name, text in files.items() if name == WITHIN}
    return compile_sources(first), compile_sources(second)


class _Section:
    """Some bytes of a file, for a reader that takes them piece by piece."""

    def __init__(self, stream: BinaryIO, size: int) -> None:
        self._stream, self._left = stream, size

    def read(self, most: int) -> bytes:
        found = self._stream.read(min(most, self._left))
        self._left -= len(found)
        return found


@lru_cache(maxsize=2)
def _deserialized(path: Path, written: int, start: int, size: int) -> yara_x.Rules:
    """Rules that stand in a file; they are megabytes, and never whole in memory beside what is made of them.

    They are kept for the next scanner, as long as the file is the one that was ``written`` then: another takes ten
    times as long to make ready as to scan a skill.
    """
    import yara_x

    with path.open("rb") as stream:
        stream.seek(start)
        return yara_x.Rules.deserialize_from(cast("BinaryIO", _Section(stream, size)))  # it only reads


def _named(directory: Path, start: str, end: str) -> list[str]:
    """What a directory holds under such names, sorted; ``glob`` would compile a regular expression for it."""
    with os.scandir(directory) as entries:
        names = [entry.name for entry in entries]
    return sorted(name for name in names if name.startswith(start) and name.endswith(end))


def _metadata(parts: Parts) -> dict[str, dict[str, str]]:
    first, second = (metadata_table(part) for part in parts)
    return dict(sorted({**first, **second}.items()))


def _sizes(header: Mapping[str, object]) -> list[int]:
    sizes = header["sizes"]
    if not isinstance(sizes, list) or len(sizes) != 2:
        raise RuleError("the compiled rules are not in two parts")
    return [int(size) for size in sizes]


def _confidence(text: str) -> int:
    value = int(text)
    if not 0 <= value <= 1000:
        raise ValueError(text)
    return value


def _by_pattern(meta: Metadata) -> dict[str, dict[str, str]]:
    """The metadata about single patterns: kind of metadata, then pattern (``near_send`` is near, send)."""
    found: dict[str, dict[str, str]] = {"before": {}, "after": {}, "rest": {}, "near": {}}
    for key, text in meta.items():
        kind, _, pattern = key.partition("_")
        if pattern and kind in found:
            found[kind][pattern] = text
    return found


@lru_cache(maxsize=64)
def _kinds(languages: tuple[str, ...]) -> frozenset[Kind]:
    return frozenset(
        kind for word in languages for kind in (_GROUPS[word] if word in _GROUPS else (Kind(word),))
    )


def _words(text: str) -> Iterator[str]:
    return filter(None, map(str.strip, text.split(","))) if text else iter(())


def _header(path: Path) -> dict[str, object] | None:
    try:
        with path.open("rb") as stream:
            header = json.loads(stream.readline())
    except (OSError, ValueError):
        return None
    return header if isinstance(header, dict) and header.get("format") == FORMAT else None


def _table(header: Mapping[str, object]) -> dict[str, dict[str, str]]:
    table = header["rules"]
    if not isinstance(table, dict):
        raise RuleError("the compiled rules carry no table of rules")
    return table


if __name__ == "__main__":
    count = write()
    sys.stdout.write(f"{count} rules, {COMPILED.stat().st_size} bytes: {COMPILED}\n")

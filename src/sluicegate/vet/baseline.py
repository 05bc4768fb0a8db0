"""The file of accepted findings: TOML that people read, review and sign off.

    version = 1

    [[accept]]
    skill = "release-tool"         # the skill's own name; without it, any skill of the scan
    rule = "pipe-to-shell"
    path = "scripts/setup.sh"
    fingerprint = "0f3c..."        # exact: this finding and no other; without it, rule and path are globs
    reason = "installs our own release, checked by hash"
    owner = "mira@example.com"
    expires = 2027-06-30           # last day; required for globs

    [[gap]]
    skill = "release-tool"
    gap = "encrypted"              # the reason of the gap
    path = "vendor.zip"
    fingerprint = "77ab..."        # of this content and no other
    reason = "test data, checked by hand"
    owner = "mira@example.com"
    expires = 2027-06-30           # required

The schema is closed: an unknown key is an error with a suggestion. The file never comes from the scanned
bundle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from pathlib import Path

from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.named_files import read_regular
from sluicegate.vet.verdict.suppression import Baseline, BaselineEntry, ExactEntry, GapEntry, GlobEntry
from sluicegate.vet.verdict.types import Finding, Gap, GapReason

VERSION = 1
_MOST_BYTES = 16 * 1024 * 1024
_TOP = ("version", "accept", "gap")
_FIELDS = ("skill", "rule", "path", "fingerprint", "reason", "owner", "expires")
_GAP_FIELDS = ("skill", "gap", "path", "fingerprint", "reason", "owner", "expires")


class Accepted(NamedTuple):
    """One entry of the file: what is accepted, and in which skill (``""``: in any)."""

    entry: BaselineEntry
    skill: str = ""


class BaselineFile(NamedTuple):
    """All entries of a file. Paths of entries are paths inside a skill."""

    entries: tuple[Accepted, ...] = ()

    def of(self, skill: str) -> Baseline:
        """What is accepted in the skill of this name."""
        return Baseline(entries=tuple(a.entry for a in self.entries if a.skill in ("", skill)))


def load(path: Path) -> BaselineFile:
    """Read a baseline file. Raises ConfigError, naming the file, the entry and the way forward."""
    try:
        data = read_regular(path, _MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot read the baseline: {error.strerror}",
            hint="Give an existing file, or make one with 'sluicegate baseline'.",
        ) from error
    if len(data) > _MOST_BYTES:
        raise ConfigError(
            f"{path}: a baseline has at most {_MOST_BYTES} bytes", hint="Name the file of a baseline."
        )
    try:
        return parse(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8", hint="Save the baseline as UTF-8.") from error
    except ConfigError as error:
        raise ConfigError(f"{path}: {error.message}", hint=error.hint) from error


def parse(text: str) -> BaselineFile:
    """The baseline that a TOML text states. Raises ConfigError."""
    import tomllib

    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of too many digits, too, is a ValueError
        raise ConfigError(f"not TOML: {error}", hint="Mend the line, or leave the baseline out.") from error
    _only(document, _TOP, "the baseline")
    version = document.get("version")
    if type(version) is not int or version != VERSION:
        raise ConfigError(
            f"baseline version {version!r} is not known",
            hint=f"This release reads version {VERSION}: write 'version = {VERSION}' at the top.",
        )
    entries = [
        read(table, f"{name} entry {number}")
        for name, read in (("accept", _entry), ("gap", _gap))
        for number, table in enumerate(_tables(document, name), 1)
    ]
    return BaselineFile(entries=tuple(entries))


def dump(baseline: BaselineFile) -> str:
    """The TOML text of a baseline: the same entries give the same text, in any order."""
    parts = [f"version = {VERSION}\n"]
    parts.extend(sorted({_as_toml(entry) for entry in baseline.entries}))
    return "\n".join(parts)


def accept(
    findings: Iterable[Finding],
    *,
    skill: str,
    reason: str,
    owner: str,
    expires: date | None = None,
    gaps: Iterable[Gap] = (),
) -> BaselineFile:
    """A baseline that accepts exactly these findings and gaps of one skill, one entry each.

    Raises ConfigError for a reason or owner that is empty, and for a gap when there is no last day. A gap without a
    fingerprint cannot be accepted, and is left out.
    """
    keys = sorted({(finding.rule, finding.location.path, finding.fingerprint) for finding in findings})
    named = sorted({(gap.reason, gap.path, gap.fingerprint) for gap in gaps if gap.fingerprint})
    if named and expires is None:
        raise ConfigError("an accepted gap needs a last day")
    words = {"reason": reason, "owner": owner}
    try:
        entries: list[BaselineEntry] = [
            ExactEntry(rule=rule, path=path, fingerprint=print_, expires=expires, **words)
            for rule, path, print_ in keys
        ]
        entries += [
            GapEntry(gap=why, path=path, fingerprint=print_, expires=expires, **words)
            for why, path, print_ in named
            if expires is not None
        ]
    except ValueError as error:
        raise ConfigError(str(error)) from error
    return BaselineFile(entries=tuple(Accepted(entry=entry, skill=skill) for entry in entries))


def _tables(document: Mapping[str, object], name: str) -> list[dict[str, object]]:
    """The tables written under ``[[name]]``."""
    hint = f"Write each entry under its own [[{name}]]."
    tables = document.get(name, [])
    if not isinstance(tables, list):
        raise ConfigError(f"'{name}' is not a list", hint=hint)
    for number, table in enumerate(tables, 1):
        if not isinstance(table, dict):
            raise ConfigError(f"{name} entry {number} is not a table", hint=hint)
    return tables


def _skill(table: Mapping[str, object], where: str) -> str:
    skill = _text(table, "skill", where) if "skill" in table else ""
    if "skill" in table and not skill:
        raise ConfigError(
            f"{where}: 'skill' is empty", hint="Name the skill, or leave the key out for any skill."
        )
    return skill


def _gap(table: Mapping[str, object], where: str) -> Accepted:
    """One [[gap]] table; ``where`` names it, for the messages."""
    _only(table, _GAP_FIELDS, where)
    words = {name: _text(table, name, where) for name in ("path", "fingerprint", "reason", "owner")}
    named = _text(table, "gap", where)
    skill, expires = _skill(table, where), _day(table, where)
    if named not in GapReason._value2member_map_:
        raise ConfigError(
            f"{where}: {named!r} is not a reason of a gap", hint=f"Known here: {', '.join(GapReason)}."
        )
    if expires is None:
        raise ConfigError(f"{where}: an accepted gap needs 'expires'", hint="Write expires = 2027-06-30.")
    try:
        return Accepted(entry=GapEntry(**words, gap=GapReason(named), expires=expires), skill=skill)
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from error


def _entry(table: Mapping[str, object], where: str) -> Accepted:
    """One [[accept]] table; ``where`` names it, for the messages."""
    _only(table, _FIELDS, where)
    words = {name: _text(table, name, where) for name in ("rule", "path", "reason", "owner")}
    skill = _skill(table, where)
    expires = _day(table, where)
    entry: BaselineEntry
    try:
        if "fingerprint" in table:
            entry = ExactEntry(**words, fingerprint=_text(table, "fingerprint", where), expires=expires)
        elif expires is None:
            raise ValueError("an entry without a fingerprint is a glob and needs 'expires'")
        else:
            entry = GlobEntry(**words, expires=expires)
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from error
    return Accepted(entry=entry, skill=skill)


def _only(table: Mapping[str, object], known: tuple[str, ...], where: str) -> None:
    """Refuse the first key, by name, that the schema does not have."""
    for key in sorted(table):
        if key not in known:
            from difflib import get_close_matches

            close = get_close_matches(key, known, n=1)
            hint = f"Did you mean '{close[0]}'?" if close else f"Known keys: {', '.join(known)}."
            raise ConfigError(f"{where}: unknown key '{key}'", hint=hint)


def _text(table: Mapping[str, object], name: str, where: str) -> str:
    value = table.get(name)
    if not isinstance(value, str):
        raise ConfigError(f"{where}: '{name}' is missing or is not text", hint=f'Write {name} = "...".')
    return value


def _day(table: Mapping[str, object], where: str) -> date | None:
    """``expires``, as a TOML date or as an ISO date in text."""
    value = table.get("expires")
    if value is None or (isinstance(value, date) and not isinstance(value, datetime)):
        return value
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    raise ConfigError(f"{where}: 'expires' is not a date", hint="Write expires = 2027-06-30.")


def _as_toml(accepted: Accepted) -> str:
    entry = accepted.entry
    lines = ["[[gap]]" if isinstance(entry, GapEntry) else "[[accept]]"]
    if accepted.skill:
        lines.append(f"skill = {_quoted(accepted.skill)}")
    lines.append(
        f"gap = {_quoted(entry.gap)}" if isinstance(entry, GapEntry) else f"rule = {_quoted(entry.rule)}"
    )
    lines.append(f"path = {_quoted(entry.path)}")
    if not isinstance(entry, GlobEntry):
        lines.append(f"fingerprint = {_quoted(entry.fingerprint)}")
    lines += [f"reason = {_quoted(entry.reason)}", f"owner = {_quoted(entry.owner)}"]
    if entry.expires is not None:
        lines.append(f"expires = {entry.expires.isoformat()}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A TOML basic string; everything that could break a line or hide is written as an escape."""
    pieces = []
    for character in text:
        code = ord(character)
        if 0xD800 <= code <= 0xDFFF:
            raise ConfigError(f"{text!r} is not Unicode text and cannot stand in a baseline")
        if character in '"\\':
            pieces.append("\\" + character)
        elif character.isprintable():
            pieces.append(character)
        else:
            pieces.append(f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}")
    return '"' + "".join(pieces) + '"'

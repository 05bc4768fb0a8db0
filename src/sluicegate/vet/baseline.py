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

The schema is closed: an unknown key is an error with a suggestion. The file never comes from the scanned
bundle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from sluicegate.vet.errors import ConfigError
from sluicegate.vet.verdict.suppression import Baseline, BaselineEntry, ExactEntry, GlobEntry
from sluicegate.vet.verdict.types import Finding

VERSION = 1
_MOST_BYTES = 16 * 1024 * 1024
_TOP = ("version", "accept")
_FIELDS = ("skill", "rule", "path", "fingerprint", "reason", "owner", "expires")


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
        with path.open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot read the baseline: {error.strerror}",
            hint="Give an existing file, or make one with 'sluicegate baseline'.",
        ) from error
    if len(data) > _MOST_BYTES:
        raise ConfigError(f"{path}: a baseline has at most {_MOST_BYTES} bytes")
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
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"not TOML: {error}") from error
    _only(document, _TOP, "the baseline")
    version = document.get("version")
    if type(version) is not int or version != VERSION:
        raise ConfigError(
            f"baseline version {version!r} is not known",
            hint=f"This release reads version {VERSION}: write 'version = {VERSION}' at the top.",
        )
    accepted = document.get("accept", [])
    if not isinstance(accepted, list):
        raise ConfigError("'accept' is not a list", hint="Write each entry under its own [[accept]].")
    return BaselineFile(entries=tuple(_entry(table, number) for number, table in enumerate(accepted, 1)))


def dump(baseline: BaselineFile) -> str:
    """The TOML text of a baseline: the same entries give the same text, in any order."""
    parts = [f"version = {VERSION}\n"]
    parts.extend(sorted({_as_toml(entry) for entry in baseline.entries}))
    return "\n".join(parts)


def accept(
    findings: Iterable[Finding], *, skill: str, reason: str, owner: str, expires: date | None = None
) -> BaselineFile:
    """A baseline that accepts exactly these findings of one skill, one exact entry each. Raises ConfigError."""
    keys = sorted({(finding.rule, finding.location.path, finding.fingerprint) for finding in findings})
    try:
        entries = [
            ExactEntry(rule=rule, path=path, fingerprint=print_, reason=reason, owner=owner, expires=expires)
            for rule, path, print_ in keys
        ]
    except ValueError as error:
        raise ConfigError(str(error)) from error
    return BaselineFile(entries=tuple(Accepted(entry=entry, skill=skill) for entry in entries))


def _entry(table: object, number: int) -> Accepted:
    """One [[accept]] table; ``number`` counts from 1, for the messages."""
    where = f"accept entry {number}"
    if not isinstance(table, dict):
        raise ConfigError(f"{where} is not a table", hint="Write each entry under its own [[accept]].")
    _only(table, _FIELDS, where)
    words = {name: _text(table, name, where) for name in ("rule", "path", "reason", "owner")}
    skill = _text(table, "skill", where) if "skill" in table else ""
    if "skill" in table and not skill:
        raise ConfigError(
            f"{where}: 'skill' is empty", hint="Name the skill, or leave the key out for any skill."
        )
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
    lines = ["[[accept]]"]
    if accepted.skill:
        lines.append(f"skill = {_quoted(accepted.skill)}")
    lines += [f"rule = {_quoted(entry.rule)}", f"path = {_quoted(entry.path)}"]
    if isinstance(entry, ExactEntry):
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

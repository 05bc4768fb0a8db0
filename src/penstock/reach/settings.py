"""Settings: what they may be, where they are looked for, and how the places combine.

1. ``--config FILE`` names the one file to read; ``--no-config`` reads none.
2. Else the project's file: ``penstock.toml``, or ``[tool.penstock]`` in ``pyproject.toml``, in the current
   directory or the nearest one above it, up to the root of the repository.
3. Over the user's own file: ``penstock/penstock.toml`` in the user's configuration directory. A setting of
   the project replaces the user's; lists are not added up.
4. A project's file that lies inside what is being scanned is never read: a skill does not configure its
   own scan.

The schema is closed: an unknown key is an error, with the nearest known one as a suggestion. The tables
``[flow]`` and ``[policy]`` of the same files are about what may flow and are read where that is decided
(``flow/project.py``); a scan neither uses nor judges them.
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated, get_type_hints

import msgspec

from penstock.vet.errors import ConfigError
from penstock.vet.intake.limits import Limits
from penstock.vet.verdict.types import Severity
from penstock.vet.verdict.values import Plain

FILE = "penstock.toml"

ELSEWHERE = ("flow", "policy")
"""Tables of a settings file that are no settings of a scan."""

FAIL_ON = ("caution", "do-not-install", "never")

Positive = Annotated[int, msgspec.Meta(gt=0)]


class ScanSection(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True, kw_only=True):
    """``[scan]``: how a scan runs and when it fails."""

    fail_on: str | None = None
    jobs: Positive | None = None
    online: bool | None = None
    exclude: list[str] | None = None
    yara: list[str] | None = None
    baseline: str | None = None


class RulesSection(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True, kw_only=True):
    """``[rules]``: which rules run (ids or globs over them)."""

    enable: list[str] | None = None
    disable: list[str] | None = None


LimitsSection = msgspec.defstruct(
    "LimitsSection",
    [(f.name, Positive | None, None) for f in fields(Limits)],
    rename="kebab",
    forbid_unknown_fields=True,
    frozen=True,
    kw_only=True,
)
"""``[limits]``: one key for each field of ``Limits``, in bytes or counts."""


class Settings(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True, kw_only=True):
    """The whole of a settings file."""

    scan: ScanSection = ScanSection()
    rules: RulesSection = RulesSection()
    severity: dict[str, str] = msgspec.field(default_factory=dict)
    limits: LimitsSection = LimitsSection()  # type: ignore[valid-type]


class Found(Plain):
    """Settings in force and the files they come from; ``ignored`` lies inside a target and was not read."""

    settings: Settings
    files: tuple[Path, ...]
    ignored: Path | None = None


def find(*, start: Path, user_directory: Path, targets: tuple[Path, ...], explicit: Path | None) -> Found:
    """The settings in force for a scan of ``targets`` (resolved local paths) begun in ``start``.

    Raises ConfigError when a file cannot be read or says something unknown.
    """
    if explicit is not None:  # 1
        return Found(settings=_read(explicit, _table_of(explicit, required=True) or {}), files=(explicit,))
    files: list[Path] = []
    tables: list[Settings] = []
    user = user_directory / FILE  # 3
    if user.is_file():
        tables.append(_read(user, _table_of(user, required=True) or {}))
        files.append(user)
    ignored = None
    project = _project_file(start)  # 2
    if project is not None:
        path, table = project
        if any(path.is_relative_to(target) for target in targets):  # 4
            ignored = path
        else:
            tables.append(_read(path, table))
            files.append(path)
    merged = Settings()
    for table_settings in tables:
        merged = _over(table_settings, merged)
    return Found(settings=merged, files=tuple(files), ignored=ignored)


def limits_of(settings: Settings) -> Limits:
    """The limits with those of the settings in place of the defaults."""
    chosen = {f.name: getattr(settings.limits, f.name) for f in fields(Limits)}
    return replace(Limits(), **{name: value for name, value in chosen.items() if value is not None})


def severities_of(settings: Settings) -> tuple[tuple[str, Severity], ...]:
    """The overrides of severity, by rule id; raises ConfigError for a severity that does not exist."""
    return tuple(sorted((rule, severity_named(name)) for rule, name in settings.severity.items()))


def severity_named(name: str) -> Severity:
    """The severity called ``name`` in any case; raises ConfigError with the nearest name."""
    try:
        return Severity[name.upper()]
    except KeyError:
        known = [s.name.lower() for s in Severity]
        raise ConfigError(f"there is no severity {name!r}", hint=_nearest(name.lower(), known)) from None


def _project_file(start: Path) -> tuple[Path, dict[str, object]] | None:
    for directory in (start, *start.parents):
        own = directory / FILE
        if own.is_file():
            return own, _table_of(own, required=True) or {}
        shared = directory / "pyproject.toml"
        if shared.is_file():
            table = _table_of(shared, required=False)
            if table is not None:
                return shared, table
        if (directory / ".git").exists():
            return None
    return None


def _table_of(path: Path, *, required: bool) -> dict[str, object] | None:
    """The settings table of a file; None when it is a ``pyproject.toml`` without ``[tool.penstock]``."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}: {error.strerror}", hint="Name another file with --config."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        if not required:
            return None
        raise ConfigError(f"{path} is not TOML: {error}") from None
    if path.name != "pyproject.toml":
        return document
    tool = document.get("tool")
    table = tool.get("penstock") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else ({} if required else None)


def _read(path: Path, table: dict[str, object]) -> Settings:
    table = {key: value for key, value in table.items() if key not in ELSEWHERE}
    _refuse_unknown(path, table, Settings, "")
    try:
        settings = msgspec.convert(table, Settings)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {error}", hint="docs/configuration.md lists every setting.") from None
    if settings.scan.fail_on is not None and settings.scan.fail_on not in FAIL_ON:
        raise ConfigError(
            f"{path}: scan.fail-on cannot be {settings.scan.fail_on!r}",
            hint=_nearest(settings.scan.fail_on, FAIL_ON),
        )
    try:
        severities_of(settings)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error.message}", hint=error.hint) from None
    return _with_paths_beside(path, settings)


def _with_paths_beside(path: Path, settings: Settings) -> Settings:
    """Relative paths of a settings file are relative to the file."""
    scan = settings.scan
    beside = path.parent
    return msgspec.structs.replace(
        settings,
        scan=msgspec.structs.replace(
            scan,
            yara=[str(beside / p) for p in scan.yara] if scan.yara is not None else None,
            baseline=str(beside / scan.baseline) if scan.baseline is not None else None,
        ),
    )


def _refuse_unknown(path: Path, table: dict[str, object], struct: type[msgspec.Struct], prefix: str) -> None:
    known = {info.encode_name: info.name for info in msgspec.structs.fields(struct)}
    hints = get_type_hints(struct) if struct is Settings else {}
    for key, value in table.items():
        if key not in known:
            raise ConfigError(f"{path}: unknown setting {prefix}{key}", hint=_nearest(key, known))
        inner = hints.get(known[key])
        if isinstance(value, dict) and isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            _refuse_unknown(path, value, inner, f"{prefix}{key}.")


def _nearest(word: str, known: object) -> str:
    names = sorted(str(name) for name in known)  # type: ignore[attr-defined]
    close = difflib.get_close_matches(word, names, n=1)
    return f"Did you mean {close[0]}?" if close else f"Known here: {', '.join(names)}."


def _over(upper: Settings, lower: Settings) -> Settings:
    """``upper`` where it says something, else ``lower``."""

    def section(above: msgspec.Struct, below: msgspec.Struct) -> msgspec.Struct:
        said = {n: getattr(above, n) for n in above.__struct_fields__ if getattr(above, n) is not None}
        return msgspec.structs.replace(below, **said)

    return Settings(
        scan=section(upper.scan, lower.scan),  # type: ignore[arg-type]
        rules=section(upper.rules, lower.rules),  # type: ignore[arg-type]
        severity={**lower.severity, **upper.severity},
        limits=section(upper.limits, lower.limits),
    )

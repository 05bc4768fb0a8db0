"""Settings: what they may be, where they are looked for, and how the places combine.

1. ``--config FILE`` names the one file to read; ``--no-config`` reads none.
2. Else the user's own file: ``sluicegate/sluicegate.toml`` in the user's configuration directory.
3. Projects' files: ``sluicegate.toml``, or ``[tool.sluicegate]`` in ``pyproject.toml``, in the current directory and
   those above it, up to the root of the repository. The nearest that its user trusts (``settings_trust``) stands over
   the user's own: a setting of it replaces the user's; lists are not added up. Those above it are not looked at.
4. Nearer ones that nobody trusts narrow what is in force, and never weaken it (``settings_narrow``). They hide no file
   above them: whoever could put a file into a folder could else end what a trusted one asks for.
5. A project's file that lies inside what is being scanned, or inside the skill that holds it, is never
   read: a skill does not configure its own scan.

The schema is closed: an unknown key is an error, with the nearest known one as a suggestion. The tables
``[flow]`` and ``[policy]`` of the same files are about what may flow and are read where that is decided
(``flow/project.py``); a scan neither uses nor judges them. ``[queue]`` counts in the user's own file alone
(``settings_queue``), and in any other it is an error.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, get_type_hints

import msgspec

from sluicegate.record.errors import NoHomeError
from sluicegate.record.user import config_directory
from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.intake.agent_files import is_skill
from sluicegate.vet.intake.limits import HIGHEST, Limits
from sluicegate.vet.named_files import read_regular
from sluicegate.vet.review.providers.seats import SeatSettings, checked
from sluicegate.vet.verdict.types import Severity

if TYPE_CHECKING:
    from sluicegate.vet.review.mediator.settings import MediatorSettings

FILE = "sluicegate.toml"

_MOST_BYTES = 4 * 1024 * 1024

ELSEWHERE = ("flow", "policy")
"""Tables of a settings file that are not settings of a scan."""

QUEUE = "queue"
"""The table that only the user's own file may have."""

FAIL_ON = ("caution", "do-not-install", "never")
"""The strictest first."""

Positive = Annotated[int, msgspec.Meta(gt=0, le=HIGHEST)]


class ScanSection(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True, kw_only=True):
    """``[scan]``: how a scan runs and when it fails."""

    fail_on: str | None = None
    jobs: Positive | None = None
    online: bool | None = None
    exclude: list[str] | None = None
    yara: list[str] | None = None
    baseline: str | None = None
    rules_url: str | None = None


class RulesSection(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True, kw_only=True):
    """``[rules]``: which rules run (ids or globs over them)."""

    enable: list[str] | None = None
    disable: list[str] | None = None


LimitsSection = msgspec.defstruct(
    "LimitsSection",
    [(name, Positive | None, None) for name in Limits._fields],
    rename="kebab",
    forbid_unknown_fields=True,
    frozen=True,
    kw_only=True,
)
"""``[limits]``: one key for each field of ``Limits``, in bytes or counts."""


class ReviewSection(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True, kw_only=True):
    """``[review]``: what a review may cost, how much is shown at once, and which models are asked, each in its
    ``[[review.seats]]``.
    """

    budget_tokens: Positive | None = None
    budget_cost: Annotated[float, msgspec.Meta(gt=0, le=10**9)] | None = None
    finding_tokens: Positive | None = None
    skill_tokens: Positive | None = None
    detector_tokens: Positive | None = None
    most_packages: Positive | None = None
    seats: list[SeatSettings] | None = None


class Settings(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True, kw_only=True):
    """The whole of a settings file."""

    scan: ScanSection = ScanSection()
    rules: RulesSection = RulesSection()
    severity: dict[str, str] = msgspec.field(default_factory=dict)
    limits: LimitsSection = LimitsSection()  # type: ignore[valid-type]
    review: ReviewSection = ReviewSection()


class SettingsFile(NamedTuple):
    """A settings file: its text, our tables in it, and under which keys they stand."""

    path: Path
    text: str
    table: dict[str, object]
    under: tuple[str, ...] = ()

    def wrong(self, key: tuple[str | int, ...], message: str, hint: str) -> ConfigError:
        """The error about what stands under ``key``, with its line."""
        from sluicegate.flow.policy.text.positions import toml_lines  # only an error asks for lines
        from sluicegate.flow.policy.text.problems import line_of

        line = line_of((*self.under, *key), toml_lines(self.text))
        place = f"{self.path}:{line}" if line else str(self.path)
        return ConfigError(f"{place}: {message}", hint=hint)


class Unheard(NamedTuple):
    """A project's file that nobody trusts: which of its keys are not applied, and what changed since it was trusted."""

    path: Path
    refused: tuple[str, ...]
    changed: tuple[str, ...] = ()


class FoundSettings(NamedTuple):
    """Settings in force and the files they come from.

    ``least`` are severities that rules have at least; ``ignored`` lie inside a target and were not read; ``unheard``
    are those that nobody trusts and that ask for more than narrowing. ``named`` by ``--config``: then it is the user's.
    """

    settings: Settings
    files: tuple[Path, ...]
    ignored: tuple[Path, ...] = ()
    unheard: tuple[Unheard, ...] = ()
    least: Mapping[str, Severity] = MappingProxyType({})
    named: bool = False


def find(
    *, start: Path, user_directory: Path | None, targets: tuple[Path, ...], explicit: Path | None
) -> FoundSettings:
    """The settings in force for a scan of ``targets`` (resolved local paths) begun in ``start``.

    Without a ``user_directory`` nothing is the user's own, and nothing is trusted. Raises ConfigError when a file
    cannot be read or says something unknown.
    """
    if explicit is not None:  # 1
        settings = _settings(_file(explicit), own=_is_own(explicit))
        return FoundSettings(settings=settings, files=(explicit,), named=True)
    files: list[Path] = []
    settings = Settings()
    if user_directory is not None and (user_directory / FILE).is_file():  # 2
        settings = _settings(_file(user_directory / FILE), own=True)
        files.append(user_directory / FILE)
    untrusted: list[tuple[SettingsFile, Settings, tuple[str, ...]]] = []
    ignored: list[Path] = []
    for path in _project_files(start):  # 3
        if any(path.is_relative_to(place) for target in targets for place in _scanned(target)):  # 5
            if path.name == FILE or _speaks_of_us(path):
                ignored.append(path)
            continue
        read = _file(path) if path.name == FILE else _shared(path)
        if read is None:
            continue
        asked = _settings(read)
        trusted, changed = _trusted(read, asked, user_directory)
        if trusted:
            settings = _over(asked, settings)
            files.append(path)
            break
        untrusted.append((read, asked, changed))
    found = FoundSettings(settings=settings, files=tuple(files), ignored=tuple(ignored))
    return _with_untrusted(found, untrusted) if untrusted else found


def _trusted(
    read: SettingsFile, asked: Settings, user_directory: Path | None
) -> tuple[bool, tuple[str, ...]]:
    """Whether the user trusts a project's settings, and if not, what changed since it was so."""
    if user_directory is None:
        return False, ()
    from sluicegate.reach.settings_trust import Untrusted, standing

    stands = standing(read, asked, user_directory)
    return (False, stands.changed) if isinstance(stands, Untrusted) else (True, ())


def _with_untrusted(
    found: FoundSettings, untrusted: Sequence[tuple[SettingsFile, Settings, tuple[str, ...]]]
) -> FoundSettings:
    """Step 4: the nearest last, though the order makes no difference to what only narrows."""
    from sluicegate.reach.settings_narrow import narrowed

    for read, asked, changed in reversed(untrusted):
        now = narrowed(asked, found.settings, found.least)
        unheard = [Unheard(read.path, now.refused, changed)] if now.refused or changed else []
        found = found._replace(
            settings=now.settings,
            least=now.least,
            files=(*found.files, *([read.path] if now.applied else [])),
            unheard=(*found.unheard, *unheard),
        )
    return found


def settings_of(directory: Path, name: str = "") -> tuple[SettingsFile, Settings] | None:
    """The project's file in a directory itself, and what it says; None when there is none. Raises ConfigError.

    Our own goes before a ``pyproject.toml``, unless one of them is named.
    """
    for one in (name,) if name else (FILE, "pyproject.toml"):
        path = directory / one
        read = None if not path.is_file() else _file(path) if one == FILE else _shared(path)
        if read is not None:
            return read, _settings(read)
    return None


def _speaks_of_us(shared: Path) -> bool:
    """Whether a ``pyproject.toml`` that is not read holds settings of ours, as far as can be told."""
    try:
        return _shared(shared) is not None
    except ConfigError:
        return True


def _scanned(target: Path) -> tuple[Path, ...]:
    """A target, and every folder around it that is a skill: the target is a part of that."""
    return (target, *(folder for folder in target.parents if _holds_skill(folder)))


def _holds_skill(folder: Path) -> bool:
    try:
        return any(is_skill(name) for name in os.listdir(folder))  # noqa: PTH208 - names are enough
    except OSError:
        return False


def limits_of(settings: Settings) -> Limits:
    """The limits with those of the settings in place of the defaults."""
    chosen = {name: getattr(settings.limits, name) for name in Limits._fields}
    return Limits()._replace(**{name: value for name, value in chosen.items() if value is not None})


def mediator_of(review: ReviewSection | None) -> MediatorSettings:
    """How much models are shown at once, with what the settings say in place of the defaults. Raises ConfigError."""
    from sluicegate.vet.review.mediator.settings import MediatorSettings, check

    chosen = {name: getattr(review, name, None) for name in MediatorSettings._fields}
    settings = MediatorSettings()._replace(
        **{name: value for name, value in chosen.items() if value is not None}
    )
    check(settings)
    return settings


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


def _project_files(start: Path) -> Iterator[Path]:
    """What may be a project's file, the nearest first; in one directory our own before the shared one."""
    for directory in (start, *start.parents):
        yield from (path for name in (FILE, "pyproject.toml") if (path := directory / name).is_file())
        if (directory / ".git").exists():
            return


def _file(path: Path) -> SettingsFile:
    """A file that is all ours, or a ``pyproject.toml`` that was named."""
    if path.name == "pyproject.toml":
        return _shared(path) or SettingsFile(path, "", {})
    text = _text(path)
    return SettingsFile(path, text, _document(path, text))


def _shared(path: Path) -> SettingsFile | None:
    """A ``pyproject.toml``; None when it says nothing about us, which it may do in any broken way."""
    text = _text(path)
    try:
        document = _document(path, text)
    except ConfigError:
        if "tool.sluicegate" in text:
            raise
        return None
    tool = document.get("tool")
    if not isinstance(tool, dict) or "sluicegate" not in tool:
        return None
    read = SettingsFile(path, text, {}, ("tool", "sluicegate"))
    if not isinstance(tool["sluicegate"], dict):
        raise read.wrong(
            (), "tool.sluicegate is not a table", "Write the settings under [tool.sluicegate.scan]."
        )
    return read._replace(table=tool["sluicegate"])


def _text(path: Path) -> str:
    try:
        data = read_regular(path, _MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}: {error.strerror}", hint="Name another file with --config."
        ) from None
    if len(data) > _MOST_BYTES:
        raise ConfigError(
            f"{path} is larger than {_MOST_BYTES} bytes", hint="Name another file with --config."
        )
    return data.decode("utf-8", "surrogateescape")


_DEEPEST = 64
"""Parts of a key. A reader of TOML takes time in their square, and a planted file may have a key of many."""


def _refuse_deep(path: Path, text: str) -> None:
    """Raise ConfigError for a key of more parts than any setting has."""
    if text.count(".") < _DEEPEST:
        return
    part = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
    found = re.search(rf"(?:{part}\.[ \t]*+){{{_DEEPEST}}}", text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        raise ConfigError(
            f"{path}:{line}: a key of more than {_DEEPEST} parts", hint="Mend the line, or use --no-config."
        )


def _document(path: Path, text: str) -> dict[str, object]:
    _refuse_deep(path, text)
    try:
        text.encode()
        return tomllib.loads(text)
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{line}: not UTF-8", hint="Save the file as UTF-8.") from None
    except (ValueError, RecursionError) as error:  # a number of too many digits, too, is a ValueError
        raise ConfigError(f"{path} is not TOML: {error}", hint="Mend the line, or use --no-config.") from None


def _is_own(path: Path) -> bool:
    """Whether a file that was named is the user's own."""
    try:
        return path.samefile(config_directory(os.environ) / FILE)
    except (OSError, NoHomeError):
        return False


def settings_file(path: Path) -> SettingsFile:
    """A file that is all ours, read. Raises ConfigError."""
    return _file(path)


def _settings(read: SettingsFile, *, own: bool = False) -> Settings:
    """What a file says, with every value of the right kind. ``own``: the user's. Raises ConfigError, naming the line."""
    table = {key: value for key, value in read.table.items() if key not in ELSEWHERE}
    if table.pop(QUEUE, None) is not None and not own:
        raise read.wrong(
            (QUEUE,),
            "who may rule on skills, and how many must, is not for this file to say",
            "Move [queue] to your own settings: docs/configuration.md says where they are.",
        )
    refuse_unknown(read, table, Settings, ())
    try:
        settings = msgspec.convert(table, Settings)
    except msgspec.ValidationError as error:
        message, _, at = str(error).rstrip("`").partition(" - at `$.")
        key = tuple(int(part[1:]) if part[0] == "[" else part for part in re.findall(r"[^.[\]]+|\[\d+", at))
        expected = message.replace(" | null", "")
        raise read.wrong(key, f"{at}: {expected}", "docs/configuration.md lists every setting.") from None
    if settings.scan.fail_on is not None and settings.scan.fail_on not in FAIL_ON:
        raise read.wrong(
            ("scan", "fail-on"),
            f"scan.fail-on cannot be {settings.scan.fail_on!r}",
            _nearest(settings.scan.fail_on, FAIL_ON),
        )
    for where, places in (("yara", settings.scan.yara), ("baseline", [settings.scan.baseline or ""])):
        if any("\0" in place for place in places or ()):
            raise read.wrong(
                ("scan", where), f"scan.{where} holds a NUL character", "Name a file that can be there."
            )
    if settings.scan.rules_url is not None:
        from sluicegate.reach.report.words.references import checked_pages

        try:
            checked_pages(settings.scan.rules_url)
        except ConfigError as error:
            raise read.wrong(("scan", "rules-url"), f"scan.{error.message}", error.hint) from None
    for rule, name in settings.severity.items():
        try:
            severity_named(name)
        except ConfigError as error:
            raise read.wrong(("severity", rule), error.message, error.hint) from None
    _refuse_seats(read, settings)
    return _with_paths_beside(read.path, settings)


def _refuse_seats(read: SettingsFile, settings: Settings) -> None:
    """Raise ConfigError unless the seats of a file are well formed and fit together."""
    if settings.review.seats is None:
        return
    from sluicegate.vet.review.providers.build import installed_wires

    wires = installed_wires()
    for number in range(len(settings.review.seats)):
        try:
            checked(settings.review.seats[: number + 1], wires)
        except ConfigError as error:
            raise read.wrong(("review", "seats", number), error.message, error.hint) from None


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


def refuse_unknown(
    read: SettingsFile, table: dict[str, object], struct: type[msgspec.Struct], above: tuple[str | int, ...]
) -> None:
    """Raise ConfigError for a key that ``struct`` does not have, naming the nearest one."""
    known = {info.encode_name: info.name for info in msgspec.structs.fields(struct)}
    hints = get_type_hints(struct) if struct is Settings else {}
    for key, value in table.items():
        if key not in known:
            name = ".".join(str(part) for part in (*above, key))
            raise read.wrong((*above, key), f"unknown setting {name}", _nearest(key, known))
        inner = hints.get(known[key])
        if isinstance(value, dict) and isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            refuse_unknown(read, value, inner, (*above, key))
        if (*above, key) == ("review", "seats") and isinstance(value, list):
            for number, seat in enumerate(value):
                if isinstance(seat, dict):
                    refuse_unknown(read, seat, SeatSettings, (*above, key, number))


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
        review=section(upper.review, lower.review),  # type: ignore[arg-type]
    )

"""What a scan can be told. The file formats and where they are looked for are in ``reach.settings``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from os import PathLike, fspath
from typing import Self, TypeVar, cast

from sluicegate.tuples import NamedTuple
from sluicegate.vet.baseline import BaselineFile
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.publishers import KnownFlags
from sluicegate.vet.rulings import KnownRulings
from sluicegate.vet.verdict.types import Severity

_T = TypeVar("_T")
_LIMITS = Limits()
_NOTHING = BaselineFile()
_NO_RULINGS = KnownRulings()
_NO_FLAGS = KnownFlags()


class _Fields(NamedTuple):
    limits: Limits
    enable: tuple[str, ...]
    disable: tuple[str, ...]
    exclude: tuple[str, ...]
    severity: tuple[tuple[str, Severity], ...]
    yara: tuple[str, ...]
    baseline: BaselineFile
    today: date | None
    jobs: int
    online: bool
    least_severity: tuple[tuple[str, Severity], ...]
    rulings: KnownRulings
    flags: KnownFlags


class ScanConfig(_Fields):
    """Settings of one scan. Nothing inside the scanned bundle can change any of them.

    A value of the wrong type is a ``ConfigError`` at once, which names the field. Lists of words may be given as
    any sequence of ``str`` (a single ``str`` is refused: it would be taken letter by letter).
    """

    __slots__ = ()

    def __new__(
        cls,
        limits: Limits = _LIMITS,
        enable: Iterable[str] = ("*",),
        disable: Iterable[str] = (),
        exclude: Iterable[str] = (),
        severity: Mapping[str, Severity] | Iterable[tuple[str, Severity]] = (),
        yara: Iterable[str | PathLike[str]] = (),
        baseline: BaselineFile = _NOTHING,
        today: date | None = None,
        jobs: int = 1,
        online: bool = False,
        least_severity: Mapping[str, Severity] | Iterable[tuple[str, Severity]] = (),
        rulings: KnownRulings = _NO_RULINGS,
        flags: KnownFlags = _NO_FLAGS,
    ) -> Self:
        """The settings, each checked. Raises ConfigError."""
        return super().__new__(
            cls,
            limits=_limits(limits),
            enable=_words("enable", enable),
            disable=_words("disable", disable),
            exclude=_words("exclude", exclude),
            severity=_severities("severity", severity),
            yara=_words("yara", yara),
            baseline=_instance("baseline", baseline, BaselineFile, "a BaselineFile (see vet.baseline.load)"),
            today=None if today is None else _instance("today", today, date, "a date"),
            jobs=_positive("jobs", jobs),
            online=_instance("online", online, bool, "True or False"),
            least_severity=_severities("least_severity", least_severity),
            rulings=_instance("rulings", rulings, KnownRulings, "KnownRulings (see vet.review.queue)"),
            flags=_instance("flags", flags, KnownFlags, "KnownFlags (see vet.review.queue)"),
        )

    @property
    def day(self) -> date:
        """``today``; where nobody said which day it is, the last there is: whatever has a last day is over."""
        return date.max if self.today is None else self.today

    def _replace(self, **values: object) -> Self:
        """The same with some fields replaced, which are checked as in a new one."""
        unknown = sorted(set(values) - set(self._fields))
        if unknown:
            raise ConfigError(
                f"ScanConfig has no field {unknown[0]!r}", hint=f"Fields: {', '.join(self._fields)}."
            )
        return type(self)(**{**self._asdict(), **values})


def _describe() -> None:
    """Give every field the documentation that ``pydoc`` shows."""
    for name, text in {
        "limits": "Limits: bounds of intake, in bytes and counts.",
        "enable": "tuple[str, ...]: ids of rules, or globs over them, that run. All by default.",
        "disable": "tuple[str, ...]: ids or globs of rules that do not run. The report names them, and each skill has a gap, "
        "unless they belong to a pack that is made to be switched (campaign-*).",
        "exclude": "tuple[str, ...]: globs over paths of artifacts that are left out; each is a gap.",
        "severity": "tuple[tuple[str, Severity], ...]: the severity of a rule instead of its own. A mapping may be given.",
        "yara": "tuple[str, ...]: files of your own YARA rules, or folders of them.",
        "baseline": "BaselineFile: findings that a reviewer accepted.",
        "today": "date | None: the day that decides which entries of the baseline have expired; None is the day of the scan.",
        "jobs": "int: processes that may be used for many skills.",
        "online": "bool: whether packages are looked up for known vulnerabilities. Nothing else asks the network.",
        "least_severity": "tuple[tuple[str, Severity], ...]: severities that findings of a rule have at least. A mapping may be given.",
        "rulings": "KnownRulings: what persons ruled of skills. Each must have been verified: see vet.review.queue.",
        "flags": "KnownFlags: publishers in whose skills a text aimed at reviewers was found: see vet.review.queue.",
    }.items():
        getattr(_Fields, name).__doc__ = text


_describe()


def _wrong(field: str, wanted: str, value: object) -> ConfigError:
    return ConfigError(f"ScanConfig.{field} must be {wanted}, not {_shown(value)}")


def _shown(value: object) -> str:
    return f"{type(value).__name__} {_quoted(value)}"


def _quoted(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _instance(field: str, value: object, kind: type[_T], wanted: str) -> _T:
    if not isinstance(value, kind):
        raise _wrong(field, wanted, value)
    return value


def _positive(field: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _wrong(field, "a whole number above 0", value)
    return value


def _words(field: str, value: object) -> tuple[str, ...]:
    wanted = "a tuple of str"
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        error = _wrong(field, wanted, value)
        error.hint = f"Write {field}=({_quoted(value)},)." if isinstance(value, str) else ""
        raise error
    words = tuple(fspath(word) if isinstance(word, PathLike) else word for word in value)
    for word in words:
        if not isinstance(word, str):
            raise _wrong(field, f"{wanted} alone", word)
    return words


def _severities(field: str, value: object) -> tuple[tuple[str, Severity], ...]:
    wanted = "pairs of the id of a rule and a Severity"
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise _wrong(field, wanted, value)
    pairs = tuple(value.items() if isinstance(value, Mapping) else value)
    for pair in pairs:
        if not (
            isinstance(pair, tuple)
            and len(pair) == 2
            and isinstance(pair[0], str)
            and isinstance(pair[1], Severity)
        ):
            raise _wrong(field, wanted, pair)
    return cast("tuple[tuple[str, Severity], ...]", pairs)


def _limits(value: object) -> Limits:
    limits = _instance("limits", value, Limits, "Limits")
    for name, number in zip(Limits._fields, limits, strict=True):
        _positive(f"limits.{name}", number)
    return limits

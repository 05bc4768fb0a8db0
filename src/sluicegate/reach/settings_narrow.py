"""What settings may do that came with a repository and that nobody trusts: narrow, and never weaken.

``RULES`` says it for every key; docs/configuration.md shows the same table. Whoever wrote the repository wrote its
settings, and could have written them for the day on which it is scanned.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType

import msgspec

from sluicegate.reach.settings import FAIL_ON, Settings, severity_named
from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.verdict.types import Severity


class Way(StrEnum):
    """How much of a setting holds that nobody trusts."""

    NEVER = "never"
    STRICTER = "where it is stricter"
    FEWER = "where it is smaller"
    ADDED = "where it adds"
    RAISED = "where it is higher"


class SettingRule(NamedTuple):
    """How much of one setting holds, and why not the rest."""

    way: Way
    why: str


RULES: Mapping[str, SettingRule] = MappingProxyType(
    {
        "scan.fail-on": SettingRule(
            Way.STRICTER, "a milder one would let through what you do not let through"
        ),
        "scan.jobs": SettingRule(Way.FEWER, "it decides nothing; more processes would use your machine"),
        "scan.online": SettingRule(Way.NEVER, "nothing may make your machine ask the network but you"),
        "scan.exclude": SettingRule(
            Way.NEVER, "a file that is left out is a gap and no finding: CAUTION for a block"
        ),
        "scan.yara": SettingRule(Way.NEVER, "rules of a stranger can use any amount of time"),
        "scan.baseline": SettingRule(Way.NEVER, "it accepts findings in your name"),
        "scan.rules-url": SettingRule(
            Way.NEVER, "whoever reads about a rule would be led to a page of the repository's author"
        ),
        "rules.enable": SettingRule(Way.ADDED, "the rules that you run stay on"),
        "rules.disable": SettingRule(Way.NEVER, "a rule that is off finds nothing"),
        "severity.*": SettingRule(Way.RAISED, "a lower one weighs less"),
        "limits.*": SettingRule(
            Way.NEVER, "a lower one leaves out what blocks; a higher one uses your machine"
        ),
        "review.budget-tokens": SettingRule(
            Way.NEVER, "a larger one spends your money, and with a smaller one models do not see all"
        ),
        "review.budget-cost": SettingRule(Way.NEVER, "as with tokens"),
        **{
            f"review.{name}": SettingRule(
                Way.NEVER, "what models are shown is not for the skill's side to say"
            )
            for name in ("finding-tokens", "skill-tokens", "detector-tokens", "most-packages")
        },
        "review.seats": SettingRule(
            Way.NEVER, "who judges a skill, and who gets to read it, is not for the skill's side to say"
        ),
    }
)
"""Every setting of a scan, with how much of it holds when its file is not trusted."""


class Narrowed(NamedTuple):
    """What is in force after such a file: settings, severities that hold at least, and the keys that do not hold."""

    settings: Settings
    least: Mapping[str, Severity]
    applied: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


class FileSetting(NamedTuple):
    """One setting of a file: its key as it stands there (``scan.fail-on``), its section and field, and its value."""

    key: str
    section: str
    field: str
    value: object


def said(settings: Settings) -> Iterator[FileSetting]:
    """Every setting that a file makes."""
    for section in ("scan", "rules", "limits", "review"):
        table = getattr(settings, section)
        for field in msgspec.structs.fields(type(table)):
            value = getattr(table, field.name)
            if value is not None:
                yield FileSetting(f"{section}.{field.encode_name}", section, field.name, value)
    for rule, name in sorted(settings.severity.items()):
        yield FileSetting(f"severity.{rule}", "severity", rule, name)


def narrowed(asked: Settings, base: Settings, least: Mapping[str, Severity]) -> Narrowed:
    """``base``, narrowed by what ``asked`` may say; ``least`` are severities that files before it raised.

    A key that asks for what is in force anyway is neither applied nor refused.
    """
    table: dict[str, dict[str, object]] = {"scan": {}, "rules": {}}
    raised = dict(least)
    applied: list[str] = []
    refused: list[str] = []
    for one in said(asked):
        way = rule_of(one.key).way
        if way is Way.RAISED:
            wanted = severity_named(str(one.value))
            if wanted > _own(one.field):
                raised[one.field] = max(wanted, raised.get(one.field, Severity.LOW))
                applied.append(one.key)
            elif wanted != _own(one.field):
                refused.append(one.key)
            continue
        kept = _KEPT[way](one.value, _in_force(base, one))
        if kept is not None:
            table[one.section][one.field] = kept
            applied.append(one.key)
        if way is Way.ADDED:
            if _leaves_out(one.value, _in_force(base, one)):
                refused.append(one.key)
        elif kept is None and one.value not in (_in_force(base, one), []):
            refused.append(one.key)
    settings = msgspec.structs.replace(
        base,
        scan=msgspec.structs.replace(base.scan, **table["scan"]),
        rules=msgspec.structs.replace(base.rules, **table["rules"]),
    )
    return Narrowed(settings=settings, least=raised, applied=tuple(applied), refused=tuple(refused))


def _in_force(base: Settings, one: FileSetting) -> object:
    """What holds without the file."""
    value = getattr(getattr(base, one.section), one.field)
    if value is not None:
        return value
    defaults = {
        "scan.fail-on": FAIL_ON[0],
        "scan.jobs": os.cpu_count() or 1,
        "scan.online": False,
        "rules.enable": ["*"],
    }
    return getattr(Limits(), one.field) if one.section == "limits" else defaults.get(one.key)


def _stricter(asked: object, now: object) -> object | None:
    return asked if FAIL_ON.index(str(asked)) < FAIL_ON.index(str(now)) else None


def _smaller(asked: object, now: object) -> object | None:
    return asked if isinstance(asked, int) and isinstance(now, int) and asked < now else None


def _added(asked: object, now: object) -> object | None:
    wanted, on = _globs(asked), _globs(now)
    more = [] if "*" in on else [glob for glob in wanted if glob not in on]
    return [*on, *more] if more else None


def _leaves_out(asked: object, now: object) -> bool:
    """Whether a list of rules to run lacks some that run."""
    wanted = _globs(asked)
    return "*" not in wanted and any(glob not in wanted for glob in _globs(now))


def _globs(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []


def _nothing(asked: object, now: object) -> None:
    return None


_KEPT: Mapping[Way, Callable[[object, object], object | None]] = MappingProxyType(
    {Way.NEVER: _nothing, Way.STRICTER: _stricter, Way.FEWER: _smaller, Way.ADDED: _added}
)


def _own(rule: str) -> Severity | int:
    """The severity of a shipped rule; below all for one that is not: whether it exists is asked elsewhere."""
    from sluicegate.vet.inspect.catalogue import rules

    known = rules().get(rule)
    return -1 if known is None else known.severity


def rule_of(key: str) -> SettingRule:
    """The rule of one key."""
    return RULES.get(key) or RULES[f"{key.partition('.')[0]}.*"]

"""What the options of a scan and the settings files come to."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sluicegate.reach.errors import UsageError
from sluicegate.reach.exit_codes import GATE
from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    from sluicegate.reach.settings import FoundSettings, ReviewSection
    from sluicegate.reach.settings_files import Search
    from sluicegate.vet.baseline import BaselineFile
    from sluicegate.vet.config import ScanConfig
    from sluicegate.vet.intake.limits import Limits


class ChosenOptions(NamedTuple):
    """What the options and the settings files come to; ``notes`` are for the report.

    ``review`` is what the settings say of reviews; None where they say nothing. ``rules_url``: where rules have their pages.
    """

    config: ScanConfig
    fail_on: str
    notes: tuple[str, ...] = ()
    review: ReviewSection | None = None
    rules_url: str = ""


def choose(
    options: Mapping[str, Any],
    *,
    targets: tuple[str, ...],
    fail_on: str | None,
    quiet: bool,
    read_baseline: Callable[[Path], BaselineFile] | None = None,
) -> ChosenOptions:
    """Combine options with settings; options win. ``read_baseline`` reads one otherwise than is usual.

    Raises ConfigError and UsageError, each naming the thing and the nearest known one.
    """
    from sluicegate.reach.settings_files import find_settings
    from sluicegate.vet.config import ScanConfig

    search = find_settings(
        targets=targets, explicit=options.get("config_file"), none=bool(options.get("no_config"))
    )
    found = search.found
    notes = _say_what_is_in_force(search, quiet=quiet) if any(search) else ()
    enable, disable = _rule_specs(options.get("rule_specs") or ())
    scan = found.settings.scan if found else None
    rules = found.settings.rules if found else None
    verdict_on = fail_on or (scan.fail_on if scan else None) or "caution"
    if verdict_on not in GATE:
        raise UsageError(f"--fail-on cannot be {verdict_on!r}", hint=f"Known here: {', '.join(GATE)}.")
    from_queue, of_queue = _from_queue(targets)
    baseline = options.get("baseline") or (scan.baseline if scan else None)
    if baseline:
        _say_where_it_lies(baseline, targets)
    config = ScanConfig(
        limits=_limits(options.get("limits") or (), found),
        enable=enable or tuple(rules.enable or ("*",) if rules else ("*",)),
        disable=(*disable, *((rules.disable or ()) if rules else ())),
        exclude=(*(options.get("exclude") or ()), *((scan.exclude or ()) if scan else ())),
        severity=_severities(options.get("severities") or (), found),
        least_severity=found.least if found else {},
        yara=(*(options.get("yara") or ()), *((scan.yara or ()) if scan else ())),
        baseline=_baseline(baseline, read_baseline),
        today=datetime.now(UTC).date(),
        online=bool(options.get("online") or (scan.online if scan else None)),
        jobs=options.get("jobs") or (scan.jobs if scan else None) or os.cpu_count() or 1,
        **from_queue,
    )
    review = found.settings.review if found else None
    return ChosenOptions(
        config=config,
        fail_on=verdict_on,
        notes=(*notes, *of_queue),
        review=review,
        rules_url=_pages(options.get("rules_url")) or (scan.rules_url if scan else None) or "",
    )


def _pages(given: str | None) -> str:
    """The address that the option gives to rule pages; the settings' was checked as it was read."""
    if given is None:
        return ""
    from sluicegate.reach.report.words.references import checked_pages
    from sluicegate.vet.errors import ConfigError

    try:
        return checked_pages(given)
    except ConfigError as error:
        raise UsageError(f"--{error.message}", hint=error.hint) from None


def _from_queue(targets: tuple[str, ...]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What persons ruled and who is flagged, as fields of a ScanConfig, and what the report is to say of it.

    Whether there is anything is asked on every scan.
    """
    from sluicegate.reach.ruling_queue import for_scan
    from sluicegate.vet.intake.publishers import KnownFlags

    known, notes = for_scan(os.environ, targets)
    signers = _signers(targets)
    if known is None:
        return {"flags": KnownFlags(signers=signers)} if signers else {}, notes
    return {"rulings": known.rulings, "flags": known.flags._replace(signers=signers)}, notes


def _signers(targets: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Who signed the folders among the targets. Where no signatures are kept at all, nothing is imported to know it."""
    start = Path(os.environ.get("SLUICEGATE_WORKSPACE") or ".").absolute()
    if not any((folder / ".sluicegate" / "sec" / "sigs").is_dir() for folder in (start, *start.parents)):
        return ()
    from sluicegate.reach.signed_targets import signers_of

    return signers_of(os.environ, targets)


def _rule_specs(specs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = []
    for spec in specs:
        named = [word.strip() for word in spec.split(",") if word.strip()]
        if not named or any(word in ("!", "-") for word in named):
            raise UsageError(
                f"--rules {spec!r} names no rule", hint="Name rules or globs, such as --rules 'credential-*'."
            )
        words.extend(named)
    enable = tuple(word for word in words if word[0] not in "!-")
    return enable, tuple(word[1:] for word in words if word[0] in "!-")


def _severities(words: tuple[str, ...], found: FoundSettings | None) -> tuple[tuple[str, Any], ...]:
    if not words and (found is None or not found.settings.severity):
        return ()
    from sluicegate.reach.settings import severities_of, severity_named

    chosen = dict(severities_of(found.settings)) if found else {}
    for word in words:
        rule, separator, name = word.partition("=")
        if not separator:
            raise UsageError(
                f"--severity takes RULE=SEVERITY, not {word!r}", hint="For example unpinned-dependency=low."
            )
        chosen[rule.strip()] = severity_named(name.strip())
    return tuple(sorted(chosen.items()))


def _limits(words: tuple[str, ...], found: FoundSettings | None) -> Limits:
    from sluicegate.vet.intake.limits import HIGHEST, Limits

    limits = Limits()
    if found is not None:
        from sluicegate.reach.settings import limits_of

        limits = limits_of(found.settings)
    known = Limits._fields
    for word in words:
        name, _, given = word.partition("=")
        number = _in_bytes(given.strip()) if name.strip().endswith("bytes") else given.strip()
        field = name.strip().replace("-", "_")
        if field not in known:
            raise UsageError(
                f"there is no limit {name!r}",
                hint=f"Known here: {', '.join(n.replace('_', '-') for n in known)}.",
            )
        if not (number.isascii() and number.isdigit() and number.strip("0")):
            example = "500000000 or 500MB" if name.strip().endswith("bytes") else "1000"
            raise UsageError(
                f"--limit {name} takes a whole number above 0, not {given[:40]!r}",
                hint=f"For example {name}={example}.",
            )
        if len(number.lstrip("0")) > len(str(HIGHEST)) or int(number) > HIGHEST:
            raise UsageError(
                f"--limit {name} takes at most {HIGHEST}, not {given[:40]!r}",
                hint="Leave the limit out for the default.",
            )
        limits = limits._replace(**{field: int(number)})
    return limits


_UNITS = {"kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}


def _in_bytes(words: str) -> str:
    """``500MB`` as the digits of its bytes; whatever else it is, as it stands."""
    digits = words.rstrip("bBgGiIkKmM ")
    unit = _UNITS.get(words[len(digits) :].strip().lower())
    is_number = digits.isascii() and digits.isdigit() and len(digits) < 40  # more than any limit has
    return str(int(digits) * unit) if unit and is_number else words


def _baseline(path: str | None, read: Callable[[Path], BaselineFile] | None) -> BaselineFile:
    from sluicegate.vet.baseline import BaselineFile, load

    return (read or load)(Path(path)) if path else BaselineFile()


def _say_where_it_lies(baseline: str, targets: tuple[str, ...]) -> None:
    """Say so when a baseline may have come with what is scanned: whoever wrote that could accept it all."""
    from sluicegate.reach.report.escape import printable

    place = Path(baseline).resolve()
    if any(place.is_relative_to(Path(t).resolve()) for t in targets if t != "-" and "://" not in t):
        sys.stderr.write(
            f"sluicegate: the baseline {printable(baseline)} lies inside what is scanned: "
            "make sure that it is yours\n"
        )


def _say_what_is_in_force(search: Search, *, quiet: bool) -> tuple[str, ...]:
    """Say it on standard error, and give what the report is to say."""
    from sluicegate.reach import settings_said
    from sluicegate.reach.report.escape import printable

    start = Path.cwd()
    for line in settings_said.to_user(search, start, quiet=quiet):
        sys.stderr.write(f"sluicegate: {printable(line)}\n")
    return settings_said.in_report(search, start)

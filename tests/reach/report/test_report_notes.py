"""Notes on the settings, acceptances that end soon, and what to do about a gap, in every format."""

import errno
import itertools
from datetime import date, timedelta

import pytest
import report_samples as samples

from sluicegate.reach.report.formats import FORMATS, render
from sluicegate.reach.report.json.reports import decode
from sluicegate.reach.report.words.notes import SOON, ending, ends
from sluicegate.reach.report.words.remedies import ACCEPT, NEVER, REMEDY, remedy
from sluicegate.vet.intake.directory import unreadable
from sluicegate.vet.intake.installed.registries import read_registry
from sluicegate.vet.intake.installed.spots import TOO_WIDE
from sluicegate.vet.intake.repositories import clone
from sluicegate.vet.verdict.decision import judge
from sluicegate.vet.verdict.suppression import Baseline, ExactEntry, GapEntry
from sluicegate.vet.verdict.types import Gap, GapReason

EVERY = sorted(FORMATS)
NOTING = [name for name in EVERY if name != "gitlab"]
"""A GitLab report is a list of issues and has no room for anything else."""
GAP = Gap(path="vendor.zip", reason=GapReason.ENCRYPTED, detail="2 members", fingerprint="77ab")


def accepted_for(days):
    finding = samples.a_finding(samples.PIN, "SKILL.md", 3)
    last = samples.DAY + timedelta(days=days)
    words = {"reason": "ours", "owner": "mira@example.com", "expires": last}
    entries = (
        ExactEntry(rule=finding.rule, path="SKILL.md", fingerprint=finding.fingerprint, **words),
        GapEntry(gap=GAP.reason, path=GAP.path, fingerprint=GAP.fingerprint, **words),
    )
    verdict = judge((finding,), (GAP,), baseline=Baseline(entries=entries), today=samples.DAY)
    return samples.a_report(samples.a_skill("notes", verdict))


def flat(text):
    return " ".join(text.replace("&#58;", ":").split())


@pytest.mark.parametrize("format", EVERY)
@pytest.mark.parametrize("days", [0, 1, SOON])
def test_the_end_of_an_acceptance_is_announced(format, days):
    shown = flat(render(accepted_for(days), format, width=120))
    last = (samples.DAY + timedelta(days=days)).isoformat()
    if format == "json":
        assert f'"last_day": "{last}"' in shown
        assert f'"days": {days}' in shown
    else:
        assert shown.count("renew it") == 2
        assert f"Accepted until {last}" in shown


def test_a_summary_alone_says_once_what_was_switched_off():
    shown = flat(render(samples.safe()._replace(disabled=("raw-ip-url",)), "text", summary=True))
    assert shown.count("1 rule switched off") == 1
    assert "switched off: raw-ip-url." in shown


def test_a_summary_alone_announces_it_too():
    assert flat(render(accepted_for(3), "text", summary=True)).count("renew it") == 2


@pytest.mark.parametrize("format", EVERY)
def test_an_end_that_is_far_away_is_not(format):
    shown = render(accepted_for(SOON + 1), format)
    assert "renew it" not in shown
    assert '"days"' not in shown


def test_what_has_no_last_day_or_none_that_can_be_read_ends_never():
    verdict = accepted_for(3).skills[0].verdict
    for said in ("", "soon", "2026-02-31"):
        changed = verdict._replace(
            suppressed=tuple(s._replace(expires=said) for s in verdict.suppressed), accepted_gaps=()
        )
        assert ending(changed) == ()
    assert ends(samples.safe()) == ()
    assert date.fromisoformat(ending(verdict)[0].last_day) == samples.DAY + timedelta(days=3)


@pytest.mark.parametrize("format", NOTING)
def test_notes_on_the_settings_are_in_every_report(format):
    report = samples.safe()._replace(notes=("sluicegate.toml is not trusted: scan.baseline was not applied",))
    assert "scan.baseline was not applied" in flat(render(report, format, width=120)).replace("`", "")
    assert decode(render(report, "json")).notes == report.notes


@pytest.mark.parametrize("format", EVERY)
def test_every_gap_says_what_to_do_about_it(format):
    for reason, known in itertools.product(GapReason, ("77ab", "")):
        gap = Gap(path="vendor.zip", reason=reason, detail="", fingerprint=known)
        verdict = judge((), (gap,), baseline=Baseline(), today=samples.DAY)
        shown = flat(render(samples.a_report(samples.a_skill("notes", verdict)), format, width=120))
        plain = shown.replace("`", "").replace("&#39;", "'")
        assert REMEDY[reason].split("--")[0].split(":")[0].strip() in plain, (reason, known)
        assert (ACCEPT if known else NEVER).split(":")[0] in plain, (reason, known)
        assert remedy(gap).startswith(REMEDY[reason]), reason


@pytest.mark.parametrize(
    ("detail", "helps"),
    [
        (f"{TOO_WIDE}: /", "name the folder of the plugin"),
        (unreadable(PermissionError(errno.EACCES, "x")).detail, "Make it readable"),
        (unreadable(OSError(errno.ENAMETOOLONG, "x")).detail, "shorter path"),
        (unreadable(OSError(errno.EIO, "x")).detail, "See that all of it can be read"),
        (clone._MISSING, "Clone the repository whole"),
        (read_registry("known_marketplaces.json", b"[").error, "write that file anew"),
    ],
)
def test_what_helps_where_something_could_not_be_read_depends_on_why(detail, helps):
    assert helps in remedy(Gap(path="", reason=GapReason.UNREADABLE, detail=detail))

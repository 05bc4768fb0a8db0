"""The report as one self-contained HTML page: no picture, nothing fetched, readable without its one script.

The page's own policy allows its style sheet and its script, each by digest, and nothing else, so that even markup
that came through would load and run nothing. The script filters and copies; it never makes markup of text.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from importlib.resources import files

from sluicegate.reach.report.escape import no_orders
from sluicegate.reach.report.formats import Options
from sluicegate.reach.report.html.markup import Child, Markup, el, join, visible
from sluicegate.reach.report.html.skill import TONE, WORD, PageContext, Titled, skill_section
from sluicegate.reach.report.words import compared, reasons, wording
from sluicegate.reach.report.words.looked import lines as places_looked_at
from sluicegate.reach.report.words.notes import notes
from sluicegate.reach.report.words.places import baseline_target, heading, root_name
from sluicegate.vet.report import Comparison, Report, SkillReport
from sluicegate.vet.verdict.types import Decision


def render(report: Report, options: Options) -> str:
    """The whole page."""
    many = len(report.skills) > 1
    names = {id(s): wording.called(s, root_name(report, s, absolute=options.absolute)) for s in report.skills}
    source = heading(report, options)
    title = source if many else wording.title(report.skills[0])
    body: list[Child] = [el("p", el("b", "Sluicegate"), f" {source}", class_="top")]
    body.append(_many(report, source, names, options) if many else _one(report, options))
    if report.comparison is not None:
        body.append(_compared(report, report.comparison))
    body.append(_footer(report))
    script = _part("report.js")
    page = el(
        "html",
        el("head", _head(f"{WORD[report.decision]}: {title}", script)),
        el("body", el("main", body), Markup(f"<script>{script}</script>")),
        lang="en",
    )
    return no_orders(f"<!doctype html>\n{page}\n", colon="&#58;")


def _part(name: str) -> str:
    """A file of this package that becomes part of the page."""
    return files("sluicegate.reach.report.html").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _head(title: str, script: str) -> Markup:
    style = _part("report.css")
    policy = (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return join(
        [
            el("meta", charset="utf-8"),
            el("meta", http_equiv="Content-Security-Policy", content=policy),
            el("meta", name="viewport", content="width=device-width, initial-scale=1"),
            el("meta", name="color-scheme", content="light dark"),
            el("meta", name="referrer", content="no-referrer"),
            el("title", title),
            Markup(f"<style>{style}</style>"),
        ]
    )


def _one(report: Report, options: Options) -> Markup:
    skill = report.skills[0]
    page = _page(report, options)
    return skill_section(
        skill, page, Titled("skill", wording.title(skill), 1), baseline_target(report, skill, options)
    )


def _page(report: Report, options: Options) -> PageContext:
    rules = {rule.id: rule for rule in report.rules}
    return PageContext(rules=rules, off=wording.switched_off(report), rules_url=options.rules_url)


def _many(report: Report, source: str, names: dict[int, str], options: Options) -> Markup:
    """The strictest decision, the index of what is not safe, then each of those; safe ones folded at the end."""
    page = _page(report, options)
    skills = wording.worst_first(report)
    anchors = {id(skill): f"skill-{at}" for at, skill in enumerate(skills, start=1)}
    blocked = [s for s in skills if s.verdict.decision is not Decision.SAFE]
    safe = [s for s in skills if s.verdict.decision is Decision.SAFE]

    def section(skill: SkillReport, level: int) -> Markup:
        titled = Titled(anchors[id(skill)], names[id(skill)], level)
        return skill_section(skill, page, titled, baseline_target(report, skill, options))

    index = el(
        "table",
        el(
            "thead",
            el("tr", (el("th", head, scope="col") for head in ("Decision", "Skill", "Because", "Risk"))),
        ),
        el("tbody", (_row(skill, names[id(skill)], anchors[id(skill)]) for skill in blocked)),
        class_="index",
    )
    return join(
        [
            _banner(report, source, bool(safe)),
            index if blocked else None,
            (section(skill, 2) for skill in blocked),
            _safe(safe, names, section) if safe else None,
        ]
    )


def _banner(report: Report, source: str, safe: bool) -> Markup:
    decisions = [skill.verdict.decision for skill in report.skills]
    counts = []
    for d in sorted(Decision, reverse=True):
        if d in decisions:
            said = f"{decisions.count(d):,} {WORD[d].lower()}"
            shown = el("a", said, href="#safe") if safe and d is Decision.SAFE else said
            counts.append(el("li", el("i", class_=f"dot {TONE[d]}"), shown))
    return el(
        "header",
        el(
            "div",
            el("p", WORD[report.decision], class_="word"),
            el("h1", source, class_="name"),
            el(
                "p",
                f"{wording.count(len(decisions), 'skill')}; the strictest decision stands for all of them.",
                class_="said",
            ),
            class_="who",
        ),
        el("ul", counts, class_="facts"),
        class_=f"banner {TONE[report.decision]}",
    )


def _safe(
    safe: Sequence[SkillReport], names: dict[int, str], section: Callable[[SkillReport, int], Markup]
) -> Markup:
    """The SAFE skills, folded together and each by itself: they are not news."""
    word = el("span", WORD[Decision.SAFE], class_="tag safe")
    return el(
        "details",
        el("summary", el("h2", f"{wording.count(len(safe), 'safe skill')} ", class_="part")),
        el(
            "div",
            (
                el(
                    "details",
                    el("summary", el("h3", names[id(skill)], class_="part"), word),
                    section(skill, 3),
                    class_="fold one",
                )
                for skill in safe
            ),
            class_="folds",
        ),
        class_="fold safes",
        id="safe",
    )


def _row(skill: SkillReport, name: str, anchor: str) -> Markup:
    verdict = skill.verdict
    return el(
        "tr",
        el("td", el("span", WORD[verdict.decision], class_=f"tag {TONE[verdict.decision]}")),
        el("td", el("a", name, href=f"#{anchor}")),
        el("td", visible(reasons.because(verdict)[0]), class_="because"),
        el("td", str(verdict.score), class_="size"),
        data_skill=anchor,
    )


def _compared(report: Report, comparison: Comparison) -> Markup:
    """What is new and what is gone, beside an older report."""
    return el(
        "section",
        el("h2", visible(compared.title(comparison)), class_="part"),
        el("p", compared.result(comparison)),
        el("ul", (el("li", visible(line)) for line in compared.lines(report)), class_="rows"),
        class_="skill",
    )


def _footer(report: Report) -> Markup:
    """What this scan could not know, so that nobody reads more into the page than it says."""
    said: list[Child] = [el("li", el("b", "Note: "), visible(note)) for note in notes(report)]
    said += [el("li", visible(line)) for line in places_looked_at(report)]
    said += [el("li", limit) for limit in report.limits]
    if report.unassigned:
        files_ = wording.count(report.unassigned, "file")
        said.append(el("li", f"{files_} of the source belong to no skill and were not read."))
    if report.disabled:
        said.append(
            el(
                "li",
                f"{wording.switched_off(report)}: ",
                (join([el("code", name), " "]) for name in report.disabled),
            )
        )
    digest = report.skills[0].digest if len(report.skills) == 1 else ""
    return el(
        "footer",
        el("h2", "Limits of this scan", class_="part"),
        el("ul", said),
        el(
            "p",
            f"Sluicegate {wording.version()}",
            el("span", " · ", el("code", f"sha256:{digest}")) if digest else None,
        ),
    )

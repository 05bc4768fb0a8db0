"""The report as one self-contained HTML page: no script, no picture, nothing fetched.

The page's own policy allows its one style sheet, by digest, and nothing else, so that even markup that came
through would load and run nothing.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from sluicegate.reach.report import compared, wording
from sluicegate.reach.report.escape import no_orders
from sluicegate.reach.report.formats import Options
from sluicegate.reach.report.html_skill import TONE, WORD, skill_section
from sluicegate.reach.report.looked import lines as places_looked_at
from sluicegate.reach.report.markup import Child, Markup, el, join, visible
from sluicegate.reach.report.notes import notes
from sluicegate.reach.report.places import root_name, source_name
from sluicegate.vet.report import Comparison, Report, SkillReport
from sluicegate.vet.verdict.types import Decision


def render(report: Report, options: Options) -> str:
    """The whole page."""
    source = source_name(report, absolute=options.absolute)
    many = len(report.skills) > 1
    names = {id(s): root_name(report, s, absolute=options.absolute) or s.name for s in report.skills}
    title = source if many else report.skills[0].name
    body: list[Child] = [el("p", el("b", "Sluicegate"), f" {source}", class_="top")]
    body.append(_many(report, source, names) if many else _one(report))
    if report.comparison is not None:
        body.append(_compared(report, report.comparison))
    body.append(_footer(report))
    page = el(
        "html",
        el("head", _head(f"{WORD[report.decision]}: {title}")),
        el("body", el("main", body)),
        lang="en",
    )
    return no_orders(f"<!doctype html>\n{page}\n", colon="&#58;")


def _head(title: str) -> Markup:
    style = files("sluicegate.reach.report").joinpath("report.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
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


def _one(report: Report) -> Markup:
    skill = report.skills[0]
    return skill_section(
        skill, skill.name, "skill", {r.id: r for r in report.rules}, wording.switched_off(report), alone=True
    )


def _many(report: Report, source: str, names: dict[int, str]) -> Markup:
    """The strictest decision, the index, then each skill that is not safe; safe ones folded at the end."""
    rules = {rule.id: rule for rule in report.rules}
    off = wording.switched_off(report)
    skills = wording.worst_first(report)
    anchors = {id(skill): f"skill-{at}" for at, skill in enumerate(skills, start=1)}
    decisions = [skill.verdict.decision for skill in skills]
    counts = [
        el("li", el("i", class_=f"dot {TONE[d]}"), f"{decisions.count(d):,} {WORD[d].lower()}")
        for d in sorted(Decision, reverse=True)
        if d in decisions
    ]
    banner = el(
        "header",
        el(
            "div",
            el("p", WORD[report.decision], class_="word"),
            el("h1", source, class_="name"),
            el(
                "p",
                f"{wording.count(len(skills), 'skill')}; the strictest decision stands for all of them.",
                class_="said",
            ),
            class_="who",
        ),
        el("ul", counts, class_="facts"),
        class_=f"banner {TONE[report.decision]}",
    )
    index = el(
        "table",
        el(
            "thead",
            el("tr", (el("th", head, scope="col") for head in ("Decision", "Skill", "Because", "Score"))),
        ),
        el("tbody", (_row(skill, names[id(skill)], anchors[id(skill)]) for skill in skills)),
        class_="index",
    )
    sections: list[Child] = []
    safe: list[Child] = []
    for skill in skills:
        section = skill_section(skill, names[id(skill)], anchors[id(skill)], rules, off, alone=False)
        if skill.verdict.decision is Decision.SAFE:
            word = el("span", WORD[Decision.SAFE], class_="tag safe")
            safe.append(
                el("details", el("summary", el("h3", names[id(skill)]), word), section, class_="fold")
            )
        else:
            sections.append(section)
    return join([banner, index, sections, el("div", safe, class_="folds") if safe else None])


def _row(skill: SkillReport, name: str, anchor: str) -> Markup:
    verdict = skill.verdict
    return el(
        "tr",
        el("td", el("span", WORD[verdict.decision], class_=f"tag {TONE[verdict.decision]}")),
        el("td", el("a", name, href=f"#{anchor}")),
        el("td", visible(wording.because(verdict)[0]), class_="because"),
        el("td", str(verdict.score), class_="size"),
    )


def _compared(report: Report, comparison: Comparison) -> Markup:
    """What is new and what is gone, beside an older report."""
    return el(
        "section",
        el("h2", visible(compared.title(comparison))),
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
        el("h3", "Limits of this scan"),
        el("ul", said),
        el(
            "p",
            f"Sluicegate {wording.version()}",
            el("span", " · ", el("code", f"sha256:{digest}")) if digest else None,
        ),
    )

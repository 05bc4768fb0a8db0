"""Write again everything in docs/ and README.md that is derived from the code.

python docs/generate.py           write
python docs/generate.py --check   say what is out of date; exit code 1 when something is
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- begin {} (generated) -->", "<!-- end {} -->"


def derived() -> Iterator[tuple[Path, str]]:
    """Every derived file with the content that it should have."""
    from sluicegate.reach.exit_codes import in_markdown
    from sluicegate.reach.schemas import SCHEMAS
    from sluicegate.vet.review.prompts.edition import signed_edition

    edition = signed_edition()  # before whatever verifies the instructions
    for name, content in edition.items():
        yield ROOT / "src/sluicegate/vet/review/prompts" / name, content.decode()
    yield ROOT / "docs" / "rules.md", rules_page()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    readme = _between(readme, "help", f"```text\n{help_text()}\n```")
    readme = _between(readme, "exit codes", in_markdown())
    yield ROOT / "README.md", _between(readme, "example", f"```text\n{example_report()}\n```")
    reports = ROOT / "docs" / "reports.md"
    yield reports, _between(reports.read_text(encoding="utf-8"), "exit codes", in_markdown())
    configuration = ROOT / "docs" / "configuration.md"
    yield configuration, _between(configuration.read_text(encoding="utf-8"), "narrowing", narrowing_table())
    api = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    api = _between(api, "settings", settings_table())
    api = _between(api, "results", results_tables())
    yield ROOT / "docs" / "api.md", _between(api, "limits", limits_words())
    review = ROOT / "docs" / "review.md"
    page = _between(review.read_text(encoding="utf-8"), "instructions", instructions_words())
    page = _between(page, "costs", review_costs(page))
    yield review, _between(page, "answers", answer_forms())
    script = ROOT / "docs" / "script.md"
    page = _between(script.read_text(encoding="utf-8"), "statements", script_statements())
    yield script, _between(page, "remarks", script_remarks())
    for name, colours in textmate_grammars().items():
        yield ROOT / "docs" / "editors" / name, colours
    for name, schema in SCHEMAS.items():
        yield ROOT / "docs" / "schema" / f"{name}-1.json", schema()


def textmate_grammars() -> dict[str, str]:
    """The grammars for editors, by the names of their files."""
    import json

    from sluicegate.script.textmate import grammar, markdown_grammar

    made = {
        "sluicegate.tmLanguage.json": grammar(),
        "sluicegate.markdown.tmLanguage.json": markdown_grammar(),
    }
    return {name: json.dumps(content, indent=2, ensure_ascii=False) + "\n" for name, content in made.items()}


def script_statements() -> str:
    """How statements are written, and what they do."""
    from sluicegate.script.documentation import STATEMENTS

    rows = (f"| {written} | {meaning} |" for written, meaning in STATEMENTS)
    return "\n".join(["| statement | what it does |", "| --- | --- |", *rows])


def script_remarks() -> str:
    """What is said of scripts, by code."""
    from sluicegate.script.diagnostics import CODES

    return "\n".join(
        [
            "| remark | what it means |",
            "| --- | --- |",
            *(f"| `{code}` | {said} |" for code, said in CODES.items()),
        ]
    )


def instructions_words() -> str:
    """What each role of reviewers is told, as the package holds it, and who signed it."""
    from sluicegate.vet.review.prompts.instructions import FILES, SIGNER_FILE, instructions, read_file

    key = read_file(SIGNER_FILE).decode().partition('key = "')[2].partition('"')[0]
    parts = [f"The public key of this edition: `{key}`."]
    for role, name in FILES.items():
        told = instructions(role)
        title = name.removesuffix(".txt").replace("-", " ").capitalize()
        parts.append(
            f"### {title}\n\nSigned as `{told.name}`, SHA-256 `{told.digest}`.\n\n```text\n{told.template}```"
        )
    return "\n\n".join(parts)


def review_costs(page: str) -> str:
    """What the recipe of two vendors would ask and cost, for each example: the plan that ``--dry-run`` prints."""
    import re
    import tomllib

    import msgspec

    from sluicegate.vet.mediation import mediated
    from sluicegate.vet.review.mediator.settings import MediatorSettings
    from sluicegate.vet.review.panel.plan import plan
    from sluicegate.vet.review.panel.settings import PanelSettings
    from sluicegate.vet.review.panel.store import ReplyStore
    from sluicegate.vet.review.providers.seats import SeatSettings
    from sluicegate.vet.reviewing import is_rejected_unseen, to_be_asked
    from sluicegate.vet.scanner import Scanner

    recipe = re.search(r"<!-- recipe vendors -->\n```toml\n(.*?)```", page, re.DOTALL)
    if recipe is None:
        raise SystemExit("docs/review.md has no recipe of two vendors")
    seats = tomllib.loads(recipe[1])["review"]["seats"]
    settings = PanelSettings(tuple(msgspec.convert(seat, SeatSettings) for seat in seats))
    rows = [
        "| skill | questions | tokens to read | to write, at most | two vendors, at most |",
        "|---|---:|---:|---:|---:|",
    ]
    with Scanner() as scanner, ReplyStore(None) as store:
        for folder in sorted((ROOT / "examples" / "skills").iterdir()):
            target = mediated(str(folder), scanner, MediatorSettings())
            asked = plan(to_be_asked([target], anyway=True), settings, store)
            (one,) = target.skills
            count = len(one.skill.verdict.findings)
            said = (
                "rejected by itself" if is_rejected_unseen(one.skill.verdict) else f"{count or 'no'} findings"
            )
            read, written = (sum(getattr(seat, name) for seat in asked.seats) for name in ("read", "written"))
            rows.append(
                f"| `{folder.name}` ({said}) | {asked.questions} | {read:,} | {written:,} | {asked.most.cost:.2f} |"
            )
    return "\n".join(rows)


def answer_forms() -> str:
    """The JSON Schema of each form of answer."""
    import json

    from sluicegate.vet.review.prompts.answers import answer_schema
    from sluicegate.vet.verdict.consensus import Role

    forms = {
        "Reviewers of findings and of the whole skill": Role.FINDINGS,
        "Injection detectors": Role.DETECTOR,
    }
    return "\n\n".join(
        f"{who}:\n\n```json\n{json.dumps(answer_schema(role), indent=2)}\n```" for who, role in forms.items()
    )


def narrowing_table() -> str:
    """How much of each setting holds when its file came with a repository and nobody trusts it."""
    from sluicegate.reach.settings_narrow import RULES

    rows = [f"| `{key}` | {rule.way} | {rule.why} |" for key, rule in RULES.items()]
    return "\n".join(["| setting | holds without trust | why not the rest |", "|---|---|---|", *rows])


def settings_table() -> str:
    """The fields of a configuration, as ``pydoc`` shows them."""
    from sluicegate import ScanConfig

    rows = []
    for name in ScanConfig._fields:
        kind, _, text = (getattr(ScanConfig, name).__doc__ or "").partition(": ")
        rows.append(f"| `{name}` | `{kind}` | {text} |".replace("`date | None`", "`date \\| None`"))
    return "\n".join(["| field of `ScanConfig` | type | |", "|---|---|---|", *rows])


def limits_words() -> str:
    """The limits with their defaults, in words."""
    from sluicegate import Limits

    return (
        ", ".join(f"`{name}` ({value:,})" for name, value in zip(Limits._fields, Limits(), strict=True)) + "."
    )


def results_tables() -> str:
    """What a scan gives back: each type, what it says of itself, and its fields with their types."""
    from inspect import cleandoc

    import sluicegate

    parts = []
    for name in (
        "Report",
        "SkillReport",
        "Verdict",
        "Finding",
        "Location",
        "Gap",
        "FileSummary",
        "Capability",
        "Rule",
    ):
        kind = getattr(sluicegate, name)
        fields = [f"`{field}`: `{_type(kind.__annotations__[field])}`" for field in kind._fields]
        parts.append(f"### {name}\n\n{cleandoc(kind.__doc__).replace('``', '`')}\n\n{'; '.join(fields)}")
    return "\n\n".join(parts)


def _type(annotation: object) -> str:
    return str(getattr(annotation, "__forward_arg__", annotation))


def rules_page() -> str:
    """The catalogue as a page: one table for each category."""
    from sluicegate.vet.inspect.catalogue import rules

    table = rules()
    lines = [
        "# Rules",
        "",
        "Generated from the rules themselves. `sluicegate rules ID` explains one; its page with samples is",
        "`tests/rules/ID.md`.",
        "",
        f"{len(table)} rules: "
        + ", ".join(
            f"{sum(r.kind == k for r in table.values())} {k}" for k in ("pattern", "flow", "structure")
        )
        + ".",
        "",
        "*Evidence* is what a finding of the rule rests on: a flow of data, a command that does the deed, a structure such as a",
        "hook, or words. Words alone never block: they add up to CAUTION at most.",
    ]
    for category in sorted({str(rule.category) for rule in table.values()}):
        lines += [
            "",
            f"## {category}",
            "",
            "| rule | finds | severity | confidence | kind | evidence | references |",
            "|---|---|---|---|---|---|---|",
        ]
        for rule in sorted(table.values(), key=lambda r: (-r.severity, r.id)):
            if rule.category == category:
                lines.append(
                    f"| [{rule.id}](../tests/rules/{rule.id}.md) | {rule.title.replace('|', chr(92) + '|')} | {rule.severity.name} "
                    f"| {rule.confidence / 1000:.2f} | {rule.kind} | {rule.evidence_kind} "
                    f"| {', '.join(rule.references)} |"
                )
    return "\n".join(lines) + "\n"


def help_text() -> str:
    """What `sluicegate scan --help` prints, through the same door, 100 columns wide."""
    from click.testing import CliRunner

    from sluicegate.reach.cli.group import cli

    printed = CliRunner().invoke(cli, ["scan", "--help"], prog_name="sluicegate", terminal_width=100)
    return "\n".join(line.rstrip() for line in printed.output.strip().splitlines())


def example_report() -> str:
    """The first lines of the report on a malicious example."""
    from sluicegate import scan
    from sluicegate.reach.report.formats import render

    name = "examples/skills/invoice-reader"
    report = scan(str(ROOT / name))._replace(source=name)
    lines = render(report, "text").splitlines()
    end = next(number for number, line in enumerate(lines) if number > 20 and not line)
    return "\n".join([*(line.rstrip() for line in lines[:end]), "…"])


def _between(text: str, name: str, content: str) -> str:
    begin, end = BEGIN.format(name), END.format(name)
    head, found, rest = text.partition(begin)
    _, found_end, tail = rest.partition(end)
    if not (found and found_end):
        raise SystemExit(f"there is no part between {begin} and {end}")
    return f"{head}{begin}\n\n{content}\n\n{end}{tail}"


def main() -> int:
    from sluicegate.vet.review.prompts.instructions import InstructionsChanged

    check = "--check" in sys.argv[1:]
    stale = []
    try:
        for path, content in derived():
            if not path.exists() or path.read_text(encoding="utf-8") != content:
                stale.append(path.relative_to(ROOT))
                if not check:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(content, encoding="utf-8")
    except (
        InstructionsChanged
    ) as error:  # their envelopes came first: they are out of date, and what shows them cannot be made
        if not check:
            raise
        sys.stdout.write(f"{error.message}\n")
    for name in stale:
        sys.stdout.write(f"{'out of date' if check else 'written'}: {name}\n")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())

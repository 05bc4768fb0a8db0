"""The specification as pages: docs/spec.md from behaviours.toml, docs/theorems.md from the docstrings of the
theorems.

python spec/table.py --write     write both
python spec/table.py --check     fail when one is not current
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import theorems
from sluicegate.reach.cli.spec import KINDS, STRATA, Behaviour, parse, problems, state

ROOT = Path(__file__).resolve().parent.parent
BEHAVIOURS = ROOT / "spec" / "behaviours.toml"

_INTRO = ROOT / "spec" / "spec-intro.md"


def pages() -> Iterator[tuple[Path, str]]:
    """Every generated page with the content that it should have."""
    yield ROOT / "docs" / "spec.md", spec_page(parse(BEHAVIOURS.read_text(encoding="utf-8")))
    yield ROOT / "docs" / "theorems.md", theorems_page()


def spec_page(behaviours: tuple[Behaviour, ...]) -> str:
    """docs/spec.md."""
    lines = [
        _INTRO.read_text(encoding="utf-8"),
        "## The behaviours",
        "",
        "| id | stratum | behaviour | ruling | state |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| [{one.id}](#{one.id.lower()}) | {one.stratum} | {_cell(one.statement)} | {one.ruling} | {state(one, ROOT)} |"
        for one in behaviours
    ]
    for stratum, meaning in STRATA.items():
        lines += ["", f"## {stratum}: {meaning}"]
        for one in behaviours:
            if one.stratum == stratum:
                lines += ["", *_section(one)]
    return "\n".join(lines) + "\n"


def theorems_page() -> str:
    """docs/theorems.md."""
    record = tomllib.loads(theorems.RECORD.read_text(encoding="utf-8"))
    found = theorems.theorems()
    lines = [
        "# The theorems",
        "",
        "Generated from the docstrings in `spec/coq/Thm` by `python spec/table.py --write`. All of them hold for every input; none",
        f"rests on an axiom. {len(found)} theorems, last proven with Coq {record['coq']}; `make prove` proves them again.",
        "",
        "Of verdicts: severities are 0 LOW to 3 CRITICAL, decisions 0 SAFE, 1 CAUTION, 2 DO_NOT_INSTALL, confidences thousandths.",
        "Of flow: a decision of 0 permits, and any other number is the step that refuses; a label is written by its segments.",
    ]
    for module in dict.fromkeys(one.module for one in found):
        title = (
            (theorems.COQ / f"{module}.v").read_text(encoding="utf-8").split("(** * ", 1)[1].split("*)", 1)[0]
        )
        lines += [
            "",
            f"## {' '.join(title.split())}",
            "",
            f"`spec/coq/{module}.v`",
            "",
            "| theorem | says |",
            "|---|---|",
        ]
        lines += [f"| `{one.name}` | {_cell(one.says)} |" for one in found if one.module == module]
    return "\n".join(lines) + "\n"


def check() -> list[str]:
    """What is wrong with the table or not current in the pages; empty when nothing is."""
    found = problems(parse(BEHAVIOURS.read_text(encoding="utf-8")), ROOT)
    for path, content in pages():
        if not path.is_file() or path.read_text(encoding="utf-8") != content:
            found.append(f"docs/{path.name} is not current: run python spec/table.py --write")
    return found


def _section(one: Behaviour) -> list[str]:
    lines = [
        f"### {one.id}",
        "",
        one.statement,
        "",
        f"Ruling: **{one.ruling}**. {one.reason}",
        "",
        f"Where: `{one.where}`.",
    ]
    for kind in KINDS:
        names = [name for k, name in one.backing if k == kind]
        if names:
            lines += ["", f"{kind.capitalize()}: " + ", ".join(f"`{name}`" for name in names) + "."]
    return lines


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")


def main(arguments: list[str]) -> int:
    """Write or check."""
    if arguments == ["--write"]:
        for path, content in pages():
            path.write_text(content, encoding="utf-8")
        return 0
    found = check()
    print("\n".join(found) or "the specification is complete and its pages are current")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

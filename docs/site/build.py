"""Build the documentation site: `make docs` (python docs/site/build.py OUTPUT).

1. Copy docs/, the changelog and the pages of the rules into one folder.
2. A link that leaves the folder becomes the name of the file, which must exist. Links inside are checked by Sphinx.
3. Write the list of contents, and a page of the Python interface for each public module.
4. Run Sphinx with warnings as errors. Nothing is fetched, and the finished site fetches nothing: that is checked, too.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sluicegate.vet.inspect.rule import Rule

SITE = Path(__file__).resolve().parent
ROOT = SITE.parent.parent
_LINK = re.compile(r"(!?\[[^\]\n]*\])\(([^)\s#]*)(#[^)\s]*)?\)")
_FENCE = re.compile(r"^~~~~ *(\S*)(?: +(.*))?$")
_FETCHED = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=["'](?:https?:)?//""")

CONTENTS = {
    "Start": ["start", "reports", "installed", "configuration", "review-providers", "ci", "recipes"],
    "What it finds": ["rules", "detection", "detection-tables", "learned"],
    "What may flow": [
        "tutorial-flow", "model", "patterns/audit-guard", "sessions", "agents", "policy", "environments", "tutorial-script", "script",
    ],
    "The record": ["signing", "ledger"],
    "Why trust it": [
        "threat-model", "review", "spec", "theorems", "theorems-names", "certificate", "performance", "performance-flow", "audit-2026-11",
    ],
    "Reference": ["api", "architecture"],
    "The project": ["contributing", "changelog", "releasing"],
}  # fmt: skip
"""The order in which a newcomer walks. A page that is not named here comes last; a name without a page is left out."""

MODULES = (
    "sluicegate", "sluicegate.vet.verdict.types", "sluicegate.vet.report", "sluicegate.vet.errors",
    "sluicegate.vet.baseline", "sluicegate.reach.report.formats", "sluicegate.flow.denial", "sluicegate.flow.labels",
    "sluicegate.flow.values", "sluicegate.flow.monitor", "sluicegate.flow.monitor.assembly",
    "sluicegate.flow.policy.text.load", "sluicegate.flow.policy.layers", "sluicegate.flow.guards",
    "sluicegate.flow.operations", "sluicegate.flow.project", "sluicegate.record.keys.keys", "sluicegate.record.signatures.signatures",
    "sluicegate.record.keys.trust", "sluicegate.record.ledger.ledger", "sluicegate.record.files.files", "sluicegate.record.ledger.query",
)  # fmt: skip


def prepare(folder: Path) -> None:
    """Everything that Sphinx reads, in ``folder``."""
    shutil.copytree(
        ROOT / "docs", folder, ignore=shutil.ignore_patterns("__pycache__", "site", "*.py", "*.json")
    )
    shutil.copy2(SITE / "conf.py", folder / "conf.py")
    shutil.copy2(ROOT / "README.md", folder / "start.md")
    shutil.copy2(ROOT / "CHANGELOG.md", folder / "changelog.md")
    shutil.copy2(ROOT / "CONTRIBUTING.md", folder / "contributing.md")
    known = {
        ROOT / "README.md": "start.md",
        ROOT / "CHANGELOG.md": "changelog.md",
        ROOT / "CONTRIBUTING.md": "contributing.md",
    }
    for page in sorted(folder.rglob("*.md")):
        inner = page.relative_to(folder)
        came = next((source for source, name in known.items() if name == str(inner)), ROOT / "docs" / inner)
        page.write_text(linked(page.read_text(encoding="utf-8"), came, inner, known), encoding="utf-8")
    from sluicegate.vet.inspect.catalogue import rules

    table = rules()
    (folder / "rule").mkdir()
    for page in sorted((ROOT / "tests" / "rules").glob("*.md")):
        (folder / "rule" / page.name).write_text(rule_page(page, table.get(page.stem)), encoding="utf-8")
    (folder / "python").mkdir()
    for name in MODULES:
        rule = "=" * len(name)
        text = f"{name}\n{rule}\n\n.. automodule:: {name}\n"
        (folder / "python" / f"{name}.rst").write_text(text, encoding="utf-8")
    (folder / "index.md").write_text(
        (SITE / "index.md").read_text(encoding="utf-8") + contents(folder), encoding="utf-8"
    )


def linked(text: str, came: Path, inner: Path, known: dict[Path, str]) -> str:
    """The text of a page that lay at ``came`` and lies at ``inner`` now, with its links put right."""

    def put(found: re.Match[str]) -> str:
        label, target, anchor = found[1], found[2], found[3] or ""
        if not target or "://" in target or target.startswith("mailto:"):
            return found[0]
        meant = Path(os.path.normpath(came.parent / target))
        if not meant.exists():
            raise SystemExit(f"{came.relative_to(ROOT)}: the link {target} leads nowhere")
        new = known.get(meant)
        if new is None and meant.is_relative_to(ROOT / "tests" / "rules") and meant.suffix == ".md":
            new = f"rule/{meant.name}"
        if new is None and meant.is_relative_to(ROOT / "docs") and meant.suffix in (".md", ".png"):
            new = meant.relative_to(ROOT / "docs").as_posix()
        if new is None:
            return f"{label[1:-1]} (`{meant.relative_to(ROOT).as_posix()}`)"
        return f"{label}({os.path.relpath(new, inner.parent)}{anchor})"

    return "".join(
        part if at % 2 else _LINK.sub(put, part)
        for at, part in enumerate(re.split(r"(```.*?\n```)", text, flags=re.S))
    )


def rule_page(page: Path, rule: Rule | None) -> str:
    """The page of a rule, with the rule's own words above its samples, which are shown as they stand."""
    lines = page.read_text(encoding="utf-8").splitlines()
    out = [
        "---",
        "orphan: true",
        "---",
        lines[0],
        "",
    ]  # 180 of them would crowd the list of contents of every page
    if rule is not None:
        references = ", ".join(rule.references) or "none"
        out += [
            f"`{rule.id}` · {rule.severity.name} · confidence {rule.confidence / 1000:.2f} · {rule.kind} · {rule.category} · {references}",
            "",
            f"**Why.** {rule.why}",
            "",
            f"**Fix.** {rule.fix}",
            "",
        ]
    for line in lines[1:]:
        fence = _FENCE.match(line)
        if fence and fence[1]:
            out += [f"*{fence[2].removeprefix('file=')}*" if fence[2] else "", "", "~~~~~~~~ text"]
        else:
            out.append("~~~~~~~~" if fence else line)
    return "\n".join(out) + "\n"


def contents(folder: Path) -> str:
    """The list of contents, as Sphinx wants it."""
    pages = {page.stem for page in folder.glob("*.md")} - {"index"}
    pages |= {f"patterns/{page.stem}" for page in (folder / "patterns").glob("*.md")}
    named = {name for names in CONTENTS.values() for name in names}
    parts = []
    for title, names in CONTENTS.items():
        rows = [name for name in names if name in pages]
        if title == "The project":
            rows += sorted(pages - named)
            rows += sorted(f"adr/{page.stem}" for page in (folder / "adr").glob("*.md"))
        if title == "Reference":
            rows += [f"python/{name}" for name in MODULES]
        parts.append("\n".join(["", "```{toctree}", f":caption: {title}", ":maxdepth: 1", "", *rows, "```"]))
    return "\n".join(parts) + "\n"


def fetches(folder: Path) -> list[str]:
    """The pages of a finished site that would fetch something from elsewhere."""
    return [
        page.relative_to(folder).as_posix()
        for page in sorted(folder.rglob("*.html"))
        if _FETCHED.search(page.read_text(encoding="utf-8").replace('rel="canonical"', ""))
    ]


def main() -> int:
    output = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "docs").resolve()
    source = output.parent / f"{output.name}-source"
    for folder in (source, output):
        shutil.rmtree(folder, ignore_errors=True)
    prepare(source)
    words = ["-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(source), str(output)]
    if subprocess.run([sys.executable, *words], check=False).returncode:  # noqa: S603 - words of ours
        return 1
    if abroad := fetches(output):
        sys.stderr.write(f"these pages fetch from elsewhere: {', '.join(abroad)}\n")
        return 1
    sys.stdout.write(f"{output / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

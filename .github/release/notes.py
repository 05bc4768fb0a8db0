"""The notes of a release: its section of CHANGELOG.md. Fails when tag, package and changelog do not agree.

python .github/release/notes.py --tag v1.2.3 --output build/notes.md
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_HEADING = re.compile(r"^## (\S+)(?: - (\d{4}-\d\d-\d\d))?\s*$", re.MULTILINE)


class Disagreement(Exception):
    """Tag, package and changelog do not say the same."""


def notes(tag: str, changelog: str, source: str) -> str:
    """The text under the heading of the version that ``tag`` names.

    1. The tag is ``v`` and the version of the package.
    2. The changelog has a section of that version, with a day, and something in it.
    3. Nothing waits under Unreleased.
    """
    found = _VERSION.search(source)
    if found is None or tag != f"v{found[1]}":  # 1
        raise Disagreement(f"the tag is {tag}, and the package says {found[1] if found else 'nothing'}")
    version, sections = found[1], {}
    headings = list(_HEADING.finditer(changelog))
    for heading, after in zip(headings, [*headings[1:], None], strict=True):
        sections[heading[1]] = (
            heading[2],
            changelog[heading.end() : after.start() if after else None].strip(),
        )
    day, text = sections.get(version, (None, ""))
    if day is None or not text:  # 2
        raise Disagreement(f"CHANGELOG.md has no section '## {version} - YYYY-MM-DD' with something in it")
    if sections.get("Unreleased", (None, ""))[1]:  # 3
        raise Disagreement(f"CHANGELOG.md still has something under Unreleased: move it to {version}")
    return f"{text}\n"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tag", required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    try:
        text = notes(
            options.tag,
            (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
            (ROOT / "src" / "sluicegate" / "__init__.py").read_text(encoding="utf-8"),
        )
    except Disagreement as error:
        sys.stderr.write(f"notes: {error}\n")
        return 1
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

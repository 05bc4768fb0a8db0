"""Group commit subjects by the prefix of a conventional commit."""

import re
import sys
from collections import defaultdict
from pathlib import Path

KINDS = {"feat": "Added", "fix": "Fixed", "perf": "Changed", "refactor": "Changed", "docs": "Documentation"}
SUBJECT = re.compile(r"^(?P<kind>[a-z]+)(?:\((?P<scope>[^)]*)\))?(?P<breaking>!)?: (?P<text>.+)$")


def group(subjects: list[str]) -> dict[str, list[str]]:
    """Subjects by heading; a subject without a known prefix goes under Other."""
    groups: dict[str, list[str]] = defaultdict(list)
    for subject in subjects:
        match = SUBJECT.match(subject)
        if match is None:
            groups["Other"].append(subject)
        elif match["breaking"]:
            groups["Breaking"].append(match["text"])
        else:
            groups[KINDS.get(match["kind"], "Other")].append(match["text"])
    return groups


def main() -> None:
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    for heading, texts in sorted(group([line for line in lines if line.strip()]).items()):
        print(f"### {heading}\n")
        for text in texts:
            print(f"- {text}")
        print()


if __name__ == "__main__":
    main()

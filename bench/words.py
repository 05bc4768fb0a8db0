"""What the words that pattern rules begin with cost, for the table of `analyzers/crowded.py`.

    python bench/words.py

What a pattern costs is decided by its atoms: wherever one stands, the pattern round it is tried. This makes texts of
each word in the rules alone, and prints the microseconds of one, for those that make a megabyte dear.
"""

from __future__ import annotations

import re
import time

import yara_x

from sluicegate.vet.inspect import compile as rules

SIZE = 60_000
DEAR = 0.7
"""CPU seconds a megabyte from which on a word is printed."""


def words() -> list[str]:
    """Every run of plain characters in the patterns."""
    found: set[str] = set()
    for text in rules.sources().values():
        for pattern in re.findall(r'^\s+\$\w+ = (/.*/i?s?|".*")', text, re.MULTILINE):
            plain = re.sub(r"\\[sdwbSDWnrt]|\\x[0-9a-f]{2}|\{\d*,?\d*\}|\[[^\]]*\]", "\0", pattern).replace(
                "\\", ""
            )
            found |= {word[:24] for word in re.split(r"[\0()|/?+*^$\"]+", plain) if len(word) >= 3}
    return sorted(found)


def main() -> None:
    parts, _ = rules.load()
    scanners = [yara_x.Scanner(part()) for part in parts]
    for scanner in scanners:
        scanner.max_matches_per_pattern(500)
    dear: list[tuple[float, int, str]] = []
    for word in words():
        worst = 0.0
        for between in ("", " ", "x/"):
            unit = (word + between).encode()
            text = unit * (SIZE // len(unit))
            began = time.process_time()
            for scanner in scanners:
                scanner.scan(text)
            worst = max(worst, (time.process_time() - began) / SIZE)
        if worst * 1e6 > DEAR:
            dear.append((worst * 1e6, round(worst * 1e6 * len(word.encode())), word))
    for seconds, micros, word in sorted(dear, reverse=True):
        print(f"{micros:4d} us  {seconds:5.2f} s/MB  {word}")


if __name__ == "__main__":
    main()

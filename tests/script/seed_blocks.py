"""The blocks of the specification and of its pages, and the context in which a fragment validates."""

import re
from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).with_name("seed")
_HEAD = re.compile(r"^## (\S+) ?(.*)\n", re.MULTILINE)
_FENCE = re.compile(r"^```(mlld|before|whole)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class SeedBlock:
    name: str
    text: str
    before: str
    whole: str

    @property
    def fragment(self) -> bool:
        return bool(self.before or self.whole)

    @property
    def script(self) -> str:
        """The text that validates: the block, or the context with it."""
        return self.whole or self.before + self.text


def blocks() -> list[SeedBlock]:
    found = []
    for page in ("specification.md", "pages.md"):
        parts = _HEAD.split((PAGES / page).read_text("utf-8"))
        for name, _, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            fences = dict(_FENCE.findall(text))
            found.append(SeedBlock(name, fences["mlld"], fences.get("before", ""), fences.get("whole", "")))
    return found

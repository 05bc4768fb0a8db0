"""What ``sluicegate doctor`` says of each thing that it looks at."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CheckState(StrEnum):
    """How one check ended."""

    GOOD = "ok"
    MISSING = "missing"
    BROKEN = "BROKEN"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One line of the doctor: what was looked at, how it is, and what follows."""

    name: str
    state: CheckState
    detail: str

"""The SHA-256 of each template of review instructions in this release. Derived: `make generate` writes it again."""

from __future__ import annotations

from collections.abc import Mapping

PINS: Mapping[str, str] = {
    "finding-reviewer.txt": "2eeb52d6616090190ec1bff843ba2460983ec996cdecf546a5f3e136e8a8f720",
    "injection-detector.txt": "b02872eee6e37c1657fb655935e1b57ca1758ff5b368206e100daec10a1a0362",
    "skill-reviewer.txt": "b35356ec4669d17ecf438b959b63f46a974abf1e662b1c67b7edbdb170c2b615",
}

"""Looks at what servers say: the entries of their lists, compared with the pins and looked through, and texts that they send.

1. What is raised here stops what it was about: a gateway session is a border.
2. What servers say of their tools, and texts of prompts and resources, are looked through with the rules for skills. One that would
   not be installed is withheld.
3. A tool that no layer of policy permits, whatever goes in, is hidden.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from sluicegate.errors import SluicegateError
from sluicegate.flow.denial import Denial
from sluicegate.flow.labels import EMPTY
from sluicegate.flow.monitor import Monitor
from sluicegate.flow.monitor.calls import tool_request
from sluicegate.reach.mcp.gateway.happenings import EntriesExamined, Event, Examine
from sluicegate.reach.mcp.gateway.pins import Pins

if TYPE_CHECKING:
    from sluicegate.vet.scanner import Scanner

_LONGEST: Final = 2_000_000
_MOST_LOOKED: Final = 1_000
_SKILL: Final = (
    b"---\nname: looked-at\ndescription: Text that came from an MCP server, to be looked through.\n---\n\n"
)


class Examiner:
    """Looks for one client. ``launches`` says how each server is reached; ``say`` tells whoever runs the gateway."""

    def __init__(
        self, monitor: Monitor, pins: Pins, launches: Mapping[str, str], say: Callable[[str], None]
    ) -> None:
        self._monitor, self._pins, self._launches, self._say = monitor, pins, launches, say
        self._scanner: Scanner | None = None
        self._looked: dict[bytes, str] = {}

    def examine(self, asked: Examine) -> Event:
        """Compare with the pins, and look through what is new."""
        try:
            stopped = self._pins.compare(
                asked.server, self._launches[asked.server], asked.kind, asked.entries, self._found_in_entry
            )
        except Exception as error:  # noqa: BLE001 - the named border of a gateway session (1)
            why = failed(error)
            self._say(why)
            return EntriesExamined(asked.key, dict.fromkeys(asked.entries, why))
        for name, why in stopped.items():
            self._say(f"{asked.server}: {asked.kind} {name} is stopped: {why}")
        hidden = frozenset(
            name for name in asked.entries if asked.kind == "tools" and not self._possible(asked.server, name)
        )
        return EntriesExamined(asked.key, stopped, hidden)

    def _possible(self, server: str, tool: str) -> bool:
        """Whether policy permits a tool to anybody (3)."""
        layers = self._monitor.parts.layers
        asked = (layers.mcp(server), layers.tool(tool)) if layers.confines else ()
        return not any(isinstance(each, Denial) for each in asked) and not isinstance(
            layers.authorize(tool_request(server, tool), EMPTY), Denial
        )

    def _found_in_entry(self, kind: str, entry: Mapping[str, Any]) -> str:
        return self._look_through("\n\n".join(_texts(entry)), _SKILL)

    def found_in(self, what: str, result: object) -> str:
        """What is found in the texts of a prompt or a resource (2). One that is a skill is vetted as the skill that it is."""
        own = what.endswith("SKILL.md") or what.startswith("skill://")
        for text in _read_texts(result):
            found = self._look_through(text, b"" if own and text.startswith("---") else _SKILL)
            if found:
                return f"The text is withheld: {found}"
        return ""

    def _look_through(self, text: str, before: bytes) -> str:
        """What is found in a text, looked through once."""
        if len(text) > _LONGEST:
            return f"its text is longer than {_LONGEST} characters, and nobody looks through that"
        key = sha256(before + text.encode("utf-8", "backslashreplace")).digest()
        known = self._looked.get(key)
        if known is None:
            if len(self._looked) >= _MOST_LOOKED:
                self._looked.clear()
            known = self._looked[key] = self._scan(text, before)
        return known

    def _scan(self, text: str, before: bytes) -> str:
        """The rules that find in a text what would keep a skill from being installed."""
        from sluicegate.vet.verdict.types import Decision, Severity

        if self._scanner is None:
            from sluicegate.vet.scanner import Scanner

            self._scanner = Scanner()
        (skill,) = self._scanner.scan_bytes(
            {"SKILL.md": before + text.encode("utf-8", "backslashreplace")}, name="looked-at"
        ).skills
        verdict = skill.verdict
        worst = [
            each for each in verdict.findings if each.severity >= Severity.HIGH and each.confidence >= 500
        ]
        if verdict.decision is not Decision.DO_NOT_INSTALL and not worst:
            return ""
        rules = ", ".join(dict.fromkeys(each.rule for each in worst or verdict.findings))
        return f"its text is what a skill would not be installed with ({rules})"


def _read_texts(result: object) -> Iterator[str]:
    """The texts of a result each by itself: what a resource holds, also where it is sent as base64, and all else together."""
    contents = result.get("contents") if isinstance(result, Mapping) else None
    if not isinstance(contents, list):
        yield "\n\n".join(_texts(result))
        return
    for one in contents:
        if not isinstance(one, Mapping):
            continue
        text, blob = one.get("text"), one.get("blob")
        if isinstance(text, str):
            yield text
        if isinstance(blob, str):
            try:
                yield b64decode(blob).decode()
            except ValueError:  # a picture, say: no text, so no instructions in words
                continue


def _texts(value: object) -> Iterator[str]:
    """The texts in a value, in their order; keys too, since a schema speaks by them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if isinstance(inner, Mapping):
                yield str(key)
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def failed(error: Exception) -> str:
    """What is said of an error that refuses or stops."""
    said = (
        error.diagnostics()
        if isinstance(error, SluicegateError)
        else f"an error of its own ({type(error).__name__})"
    )
    text = "".join(char if char.isprintable() or char == "\n" else "?" for char in said)
    return f"sluicegate: this is refused, since it could not be decided: {text}"

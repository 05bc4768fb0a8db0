"""What servers say of themselves, as the client is told it: the answers to ``initialize`` and to ``server/discover`` put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Raw, Struct, field

from sluicegate import __version__
from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.messages import RpcReply
from sluicegate.reach.mcp.gateway.upstream import Answer, NoReply, Upstream


class Greeting(Struct, frozen=True):
    """An answer without the instructions, which are looked through first; or an error."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    instructions: Mapping[str, str] = field(default_factory=dict)
    several: bool = False
    notices: tuple[str, ...] = ()
    error: Raw | None = None

    def result(self, instructions: Mapping[str, str]) -> Raw:
        """The answer with these instructions of servers."""
        if not instructions:
            return messages.encoded(self.fields)
        text = (
            "\n\n".join(f"The server {name} says:\n{text}" for name, text in instructions.items())
            if self.several
            else next(iter(instructions.values()))
        )
        return messages.encoded({**self.fields, "instructions": text})


def shaken(servers: Mapping[str, Upstream], answers: Mapping[str, Answer], params: Raw) -> Greeting:
    """The answer to a handshake. Of several versions the oldest is spoken. A server that did not shake hands is left out."""
    told, notices, error = _read(servers, answers)
    for name in told:
        servers[name].handshake = params
    if not told:
        return Greeting(notices=notices, error=error)
    oldest = min(str(each.get("protocolVersion", "")) for each in told.values())
    return _merged(told, notices, {"protocolVersion": oldest})


def discovered(servers: Mapping[str, Upstream], answers: Mapping[str, Answer]) -> Greeting:
    """The answer to ``server/discover``: an error unless every server knows it, since a client that is told so shakes hands."""
    told, notices, error = _read(servers, answers)
    if error is not None or not told:
        return Greeting(notices=notices, error=error)
    listed = [each.get("supportedVersions") for each in told.values()]
    several = [each for each in listed if isinstance(each, list)]
    common = [one for one in several[0] if all(one in each for each in several)] if several else []
    fields: dict[str, Any] = {"supportedVersions": common} if several else {}
    if len(told) > 1:
        fields["cacheScope"] = "private"
    return _merged(told, notices, fields)


def _read(
    servers: Mapping[str, Upstream], answers: Mapping[str, Answer]
) -> tuple[dict[str, dict[str, Any]], tuple[str, ...], Raw | None]:
    told: dict[str, dict[str, Any]] = {}
    notices: list[str] = []
    error: Raw | None = None
    for name in servers:
        answer = answers[name]
        why = ""
        if isinstance(answer, RpcReply) and answer.result is not None:
            try:
                told[name] = messages.members(answer.result)
                found = told[name].get("capabilities")
                servers[name].capabilities = found if isinstance(found, dict) else {}
                continue
            except ValueError as wrong:
                why = str(wrong)
        elif isinstance(answer, NoReply):
            why = answer.why
        else:
            error = error or answer.error
        error = error or messages.error(messages.INTERNAL_ERROR, f"the server {name} gave no greeting: {why}")
        if why:
            notices.append(f"the server {name} gave no greeting, and is left out: {why}")
    return told, tuple(notices), error


def _merged(
    told: Mapping[str, dict[str, Any]], notices: tuple[str, ...], fields: Mapping[str, Any]
) -> Greeting:
    instructions = {name: str(each.pop("instructions", "") or "") for name, each in told.items()}
    first = next(iter(told.values()))
    if len(told) == 1:
        return Greeting(first, instructions, notices=notices)
    capabilities: dict[str, Any] = {}
    for each in told.values():
        _add(capabilities, each.get("capabilities"))
    own = {"name": "sluicegate", "version": __version__}
    rest: dict[str, Any] = {key: first[key] for key in ("resultType", "ttlMs") if key in first}
    return Greeting(
        {**rest, **fields, "capabilities": capabilities, "serverInfo": own},
        instructions,
        several=True,
        notices=notices,
    )


def _add(into: dict[str, Any], more: object) -> None:
    """What any server can do."""
    if isinstance(more, dict):
        for key, value in more.items():
            if isinstance(value, dict):
                inner = into.setdefault(key, {})
                if isinstance(inner, dict):
                    _add(inner, value)
            else:
                into[key] = into.get(key) or value

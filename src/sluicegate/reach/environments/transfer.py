"""Environments as files to take elsewhere: what is exported has no secrets, and what is imported is read before it is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct

from sluicegate.reach.environments.keys import keys_in
from sluicegate.reach.environments.named import NamedEnvironment
from sluicegate.reach.errors import UsageError
from sluicegate.reach.mcp.gateway.configuration import ServerEntry

FORMAT: Final = 1
_MOST: Final = 4_000_000


class EnvironmentTemplate(
    Struct, frozen=True, forbid_unknown_fields=True, rename={"format": "sluicegateEnvironment"}
):
    """What is exported."""

    format: int
    module: str
    servers: dict[str, ServerEntry]


def exported(environment: NamedEnvironment) -> str:
    """The text of a template. Raises UsageError where something in it is a secret."""
    template = EnvironmentTemplate(format=FORMAT, module=environment.module, servers=environment.servers)
    for name, entry in environment.servers.items():
        values = (*entry.env.values(), *entry.headers.values())
        if not all(value.startswith("${") and value.endswith("}") for value in values):
            raise UsageError(
                f"the server {name} has values in env or headers, and a template has none",
                hint="Write ${NAME} in their place; they are filled when the server is started.",
            )
    text = msgspec.json.format(msgspec.json.encode(template), indent=2).decode()
    if keys_in(environment.module) or any(keys_in(each) for each in _words_of(environment)):
        raise UsageError(
            "something in it looks like a key, and a template has none",
            hint="Give credentials by `using auth:NAME`, and servers by ${NAME}.",
        )
    return f"{text}\n"


def _words_of(environment: NamedEnvironment) -> Iterator[str]:
    for entry in environment.servers.values():
        yield from (entry.command, *entry.args, entry.url, entry.cwd)


def imported(text: str) -> NamedEnvironment:
    """The environment in a template. Raises UsageError, Unreadable."""
    from sluicegate.script.evaluate.program import read
    from sluicegate.script.source import SourceText

    if len(text) > _MOST:
        raise UsageError(f"the template has more than {_MOST} characters")
    try:
        found = msgspec.json.decode(text, type=EnvironmentTemplate)
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError) as error:
        raise UsageError(f"this is not the template of an environment: {error}") from None
    if found.format != FORMAT:
        raise UsageError(
            f"templates of format {found.format} are not known", hint="A newer sluicegate may read it."
        )
    read(SourceText(found.module, "the module of the template"))
    return NamedEnvironment(module=found.module, servers=found.servers)

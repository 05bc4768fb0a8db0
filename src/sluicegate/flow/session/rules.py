"""What policies say of sessions: which rules endorse, which addresses a model may say, how long a permit lasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final
from urllib.parse import urlsplit

from sluicegate.flow.policy.layer import Layer
from sluicegate.flow.session.provenance import Tool
from sluicegate.tuples import NamedTuple

LIFETIME: Final = 600
"""Seconds that a permit lasts where no policy says it."""

ENDORSEMENTS: Final = ("words", "named", "created", "unique", "facts")


class Rules(NamedTuple):
    """What holds of a session. ``endorse`` are the rules that are on, in the order of ``ENDORSEMENTS``.

    ``approvals``: a person may
    approve what is refused. ``said_addresses``: addresses that only strangers have shown do not count; ``seen_addresses`` is on then, too.
    """

    endorse: tuple[bool, bool, bool, bool, bool]
    seen_addresses: bool
    said_addresses: bool
    hosts: tuple[str, ...]
    lifetime: int
    results: Mapping[str, Tool]
    approvals: bool = False

    def tool(self, name: str) -> Tool | None:
        """What is known of the results of a tool."""
        return self.results.get(name)

    def may_construct(self, address: str) -> bool:
        """Whether a model may make up addresses of that host."""
        try:
            host = (urlsplit(address if "//" in address else f"//{address}").hostname or "").rstrip(".")
        except ValueError:
            return False
        return any(fnmatchcase(host, pattern.lower()) for pattern in self.hosts)


def rules_of(layers: Sequence[Layer]) -> Rules:
    """Of several layers: a rule is on if each that speaks of it has it on, and the strictest holds.

    What gives something (tables of results, hosts, approvals) comes from the first layer alone.
    """
    said = [layer.policy.session for layer in layers]
    endorse = [all(each.endorse is None or name in each.endorse for each in said) for name in ENDORSEMENTS]
    first = said[0] if said else None
    return Rules(
        endorse=(endorse[0], endorse[1], endorse[2], endorse[3], endorse[4]),
        seen_addresses=any(each.addresses in ("seen", "said") for each in said),
        said_addresses=any(each.addresses == "said" for each in said),
        hosts=tuple(first.hosts) if first is not None else (),
        lifetime=min((each.lifetime for each in said if each.lifetime is not None), default=LIFETIME),
        results={
            name: Tool(
                id=given.id,
                name=given.name,
                creates=given.creates,
                lookup=given.lookup,
                facts=tuple(given.facts),
                fields=tuple(given.fields),
            )
            for name, given in (first.results if first is not None else {}).items()
        },
        approvals=first is not None
        and first.approvals == "person"
        and all(each.approvals != "nobody" for each in said),
    )

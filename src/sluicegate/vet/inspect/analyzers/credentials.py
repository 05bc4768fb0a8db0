"""How grave it is that a file of credentials is sent away: one judgement for every language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sluicegate.known import hosts, places
from sluicegate.known.hosts import Host
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers import printers
from sluicegate.vet.verdict.types import Severity


class Leak(NamedTuple):
    """What is said of credentials that leave."""

    severity: Severity
    confidence: int


def leak(
    files: Sequence[str], host: Host, *, name: str = "", header: bool = False, explained: bool = False
) -> Leak | None:
    """What is said of these files, or what commands print, being sent to a host of this class, the first that holds;
    ``name`` is the host's, and ``explained``: the skill says why that host is asked.

    1. This machine is told nothing new.
    2. A project's own file of settings, to a host that nobody answers for.
    3. Such a file, in a header as every client does or to a host that the skill explains, or to any other. A host of
       documentation stands for whichever one is meant, so it explains nothing.
    4. A client's credential in a header, to a host of code or of installers: its own.
    5. Credentials that commands choose out of a store by the name of that host, in a header to it, where it is explained.
    6. Everything else.
    """
    if host is Host.LOCAL:  # 1
        return None
    if only_settings(files):
        if host is Host.SUSPECT:  # 2
            return Leak(Severity.CRITICAL, 800)
        expected = header or (explained and not hosts.reserved(name))
        return Leak(Severity.MEDIUM, 450 if expected else 600)  # 3
    if header and host in (Host.CODE, Host.INSTALLER):  # 4
        return None
    own = header and explained and host is Host.UNKNOWN
    if own and all(printers.bears_name(file, name) for file in files):  # 5
        return Leak(Severity.MEDIUM, 450)
    return Leak(Severity.CRITICAL, 850)  # 6


def only_settings(files: Iterable[str]) -> bool:
    """Whether all files are a project's own files of settings (``.env``)."""
    return all(places.dotenv(file) and not places.secret(file) for file in files)

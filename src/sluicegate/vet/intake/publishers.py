"""Who publishes a skill, as far as its address says, and which publishers are flagged.

A flag says that a text aimed at reviewers was found in a skill of that publisher, and that no person has ended it since
(``review.queue.flags``). What comes from there then has a finding that says so (``recorded_rules``):

1. Another skill has one by ``against``; so has a skill that the flag rests on, as far as it rests on others, too.
2. A skill that the flag rests on has one by ``found_in`` where its verdict does not say by itself what was found: the rules
   may see nothing of what a reviewer saw. The same bytes have it wherever they come from, a copy on disk among it.

So no evidence takes a finding away, wherever it came from: evidence is only ever added.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from operator import attrgetter
from types import MappingProxyType

from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import SourceError
from sluicegate.vet.intake.targets import Repository, WebFile, parse_target
from sluicegate.vet.verdict.encoding import digest

LONGEST = 300
"""Characters of a publisher's name."""
_OWNED: Mapping[str, tuple[str, int]] = MappingProxyType(
    {
        "github.com": ("github.com", 0),
        "ssh.github.com": ("github.com", 0),
        "codeload.github.com": ("github.com", 0),
        "raw.githubusercontent.com": ("github.com", 0),
        "media.githubusercontent.com": ("github.com", 1),
        "raw.github.com": ("github.com", 0),
        "raw.githack.com": ("github.com", 0),
        "rawcdn.githack.com": ("github.com", 0),
        "gist.github.com": ("github.com", 0),
        "gist.githubusercontent.com": ("github.com", 0),
        "api.github.com": ("github.com", 1),
        "cdn.jsdelivr.net": ("github.com", 1),
        "fastly.jsdelivr.net": ("github.com", 1),
        "gcore.jsdelivr.net": ("github.com", 1),
        "testingcf.jsdelivr.net": ("github.com", 1),
        "cdn.statically.io": ("github.com", 1),
        "gitlab.com": ("gitlab.com", 0),
        "altssh.gitlab.com": ("gitlab.com", 0),
        "bitbucket.org": ("bitbucket.org", 0),
        "altssh.bitbucket.org": ("bitbucket.org", 0),
        "codeberg.org": ("codeberg.org", 0),
        "huggingface.co": ("huggingface.co", 0),
        "hf.co": ("huggingface.co", 0),
        "registry.npmjs.org": ("registry.npmjs.org", 0),
        "unpkg.com": ("registry.npmjs.org", 0),
    }
)
"""Hosts of many publishers, under which name each counts, and which part of a path names the owner."""
_BEFORE_OWNER: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "api.github.com": frozenset({"repos"}),
        "media.githubusercontent.com": frozenset({"media"}),
        "cdn.jsdelivr.net": frozenset({"gh"}),
        "fastly.jsdelivr.net": frozenset({"gh"}),
        "gcore.jsdelivr.net": frozenset({"gh"}),
        "testingcf.jsdelivr.net": frozenset({"gh"}),
        "cdn.statically.io": frozenset({"gh"}),
        "huggingface.co": frozenset({"datasets", "spaces"}),
        "hf.co": frozenset({"datasets", "spaces"}),
    }
)
"""Parts of a path that stand before the owner. Where the owner always stands second, no other path names one."""
_PAGES: Mapping[str, str] = MappingProxyType(
    {
        "github.io": "github.com",
        "gitlab.io": "gitlab.com",
        "bitbucket.io": "bitbucket.org",
        "codeberg.page": "codeberg.org",
    }
)
"""Hosts below which each owner of another has a name."""
_UNOWNED = frozenset({"clawhub.ai", "files.pythonhosted.org"})
_UNOWNED_BELOW = (".githubusercontent.com",)
"""Hosts of many publishers, whose addresses do not say which."""
_DOTS = str.maketrans("\u3002\uff0e\uff61", "...")
"""What a resolver takes for the dots of a name."""


class PublisherFlag(NamedTuple):
    """A flagged publisher. ``bundles`` are the digests of the skills in which a text aimed at reviewers was found."""

    publisher: str
    bundles: frozenset[str]

    @property
    def docket(self) -> str:
        """The digest of all this, to which a person's ruling is bound."""
        return digest("flagged publisher", self.publisher, *sorted(self.bundles))


class EndedFlag(NamedTuple):
    """A publisher whose flag persons ended; ``rulings`` are the digests of the signed statements by which they did."""

    publisher: str
    rulings: tuple[str, ...]


_of_publisher = attrgetter("publisher")


class KnownFlags(NamedTuple):
    """The flags that hold and those that were ended, in the order of their publishers. Make one with ``known_flags``.

    ``signers``: targets on this machine that somebody signed, each with the publisher that this makes it.
    """

    flags: tuple[PublisherFlag, ...] = ()
    ended: tuple[EndedFlag, ...] = ()
    signers: tuple[tuple[str, str], ...] = ()

    def publisher_of(self, target: str) -> str:
        """Who publishes what a target names, by its address or else by its signature; empty where neither says."""
        return publisher_of(target) or dict(self.signers).get(target, "")

    def against(self, publisher: str, bundle: str) -> PublisherFlag | None:
        """The flag that speaks against a skill, as far as it rests on other skills; None where it rests on no other."""
        flag = self._of(publisher)
        others = flag.bundles - {bundle} if flag is not None else frozenset()
        return PublisherFlag(publisher, others) if others else None

    def found_in(self, bundle: str) -> PublisherFlag | None:
        """A flag that holds and rests on these very bytes, the first by name; None where none does."""
        return next((each for each in self.flags if bundle in each.bundles), None)

    def _of(self, publisher: str) -> PublisherFlag | None:
        at = bisect_left(self.flags, publisher, key=_of_publisher)
        found = publisher and at < len(self.flags) and self.flags[at].publisher == publisher
        return self.flags[at] if found else None

    def ended_by(self, publisher: str) -> tuple[str, ...]:
        """The digests of the signed rulings by which the flag of a publisher was ended."""
        return next((each.rulings for each in self.ended if each.publisher == publisher), ())


def known_flags(flags: Iterable[PublisherFlag], ended: Iterable[EndedFlag] = ()) -> KnownFlags:
    """Flags to look up."""
    return KnownFlags(tuple(sorted(flags, key=_of_publisher)), tuple(sorted(ended)))


def publisher_of(target: str) -> str:
    """Who publishes what a target names; empty where its address does not say.

    1. What lies on this machine, or comes on standard input, has no address.
    2. On a host of many publishers it is the host and the owner that the path names: ``github.com/owner`` for
       every repository, gist, release, raw file and page of that owner.
    3. A repository elsewhere is by its host and the first part of its path, a file by its host.
    4. Hosts on which anybody may leave a file, and whose addresses do not say who, name nobody.
    """
    try:
        meant = parse_target(target)
    except SourceError:
        return ""
    if not isinstance(meant, Repository | WebFile):  # 1
        return ""
    from sluicegate.known.hosts import (  # a path on this machine needs none
        page_of_anybody,
        registry,
        stranger,
    )

    host, steps = _parted(meant.url)
    if not host:
        return ""
    if host in _OWNED:  # 2
        named, at = _OWNED[host]
        before = _BEFORE_OWNER.get(host, frozenset())
        if steps and steps[0] in before:
            steps = steps[1:]
        elif at:
            return ""
        owner = steps[0] if steps else ""
        return _named(f"{named}/{owner[:1]}{owner[1:].partition('@')[0]}") if owner else ""
    owner, _, below = host.partition(".")
    if below in _PAGES:
        return _named(f"{_PAGES[below]}/{owner}")
    if (
        host in _UNOWNED
        or host.endswith(_UNOWNED_BELOW)
        or stranger(host)
        or registry(host)
        or (page_of_anybody(host) and not page_of_anybody(host.partition(".")[2]))
    ):  # 4: mira.pages.dev is somebody's, docs.google.com is not
        return ""
    if isinstance(meant, Repository) and len(steps) > 1:  # 3
        return _named(f"{host}/{steps[0]}")
    return _named(host)


def _parted(url: str) -> tuple[str, list[str]]:
    """The host and the parts of the path of ``https://``, ``ssh://`` and ``user@host:path``, in lower case.

    A resolver takes other forms of a letter or a dot (full-width, circled) for that letter, and so is it here.
    """
    import unicodedata
    from urllib.parse import unquote

    scheme, mark, rest = url.partition("://")
    if not mark:
        where, _, path = url.partition(":")
    elif scheme.lower() in ("https", "ssh"):
        where, _, path = rest.partition("/")
    else:
        return "", []
    where = where if where.isascii() else unicodedata.normalize("NFKC", where.translate(_DOTS))
    host = where.rpartition("@")[2].lower()
    host = host if host.startswith("[") else host.partition(":")[0]
    path = unquote(path.partition("?")[0].partition("#")[0]).lower()
    steps = [step for step in posixpath.normpath(f"/{path}").split("/") if step]
    return host.rstrip(".").removeprefix("www."), steps


def _named(publisher: str) -> str:
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in publisher)
    return shown[:LONGEST]

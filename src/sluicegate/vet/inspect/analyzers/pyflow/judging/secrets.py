"""Whether a secret in a request is what every API client does, or something else."""

from __future__ import annotations

import re

from sluicegate.known import names
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.pyflow.frame import Analysis
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import Hit
from sluicegate.vet.inspect.analyzers.pyflow.judging.hosts import HostClass, classify
from sluicegate.vet.inspect.analyzers.pyflow.values import PyValue, Site, SourceKind

CREDENTIAL_KEYS = frozenset(
    {"api_key", "apikey", "key", "token", "access_token", "auth", "authorization", "x-api-key", "api-key",
        "client_secret", "secret", "password",
     "passwd", "pass", "pwd", "refresh_token", "bearer", "appkey", "app_key", "app_secret", "appsecret",
     "apptoken", "app_token", "auth_token", "session_token",
     "private_key", "assertion", "code", "credentials", "login", "grant", "subscription-key", "apisecret",
     "api_secret", "sessionid", "cookie", "accesskey", "sign",
     "signature", "webhook", "user_key", "username", "appid", "app_id", "client_id", "email", "user",
     "corpsecret", "secretkey", "secret_key", "api_token", "hapikey"}
)  # fmt: skip


class Misuse(NamedTuple):
    """A secret where it does not belong: which, why in words, and how sure (thousandths)."""

    sites: tuple[Site, ...]
    why: str
    confidence: int
    high: bool = True


def destination(hit: Hit) -> tuple[str, HostClass, bool]:
    """The worst place a request may go to, and whether any of its URLs is without encryption."""
    order = list(HostClass)
    worst = ("*", HostClass.COMPUTED)
    texts = hit.slot("url").texts
    found = [classify(text) for text in texts]
    if found:
        worst = max(found, key=lambda pair: order.index(pair[1]))
    return worst[0], worst[1], any(text.startswith("http:") for text in texts)


def leaves(value: PyValue, key: str = "") -> list[tuple[str, PyValue]]:
    """The values inside a mapping with their innermost names."""
    if not value.parts:
        return [(key, value)]
    found: list[tuple[str, PyValue]] = []
    todo = [(key, value)]
    while todo and len(found) < 200:
        name, item = todo.pop()
        if item.parts:
            inside = 0
            for part_key, part in item.parts:
                inside |= part.mask
                todo.append((part_key or name, part))
            if item.mask & ~inside:
                found.append((name, PyValue(item.mask & ~inside)))
        else:
            found.append((name, item))
    return found


def misuse(analysis: Analysis, hit: Hit) -> Misuse | None:
    """The numbered questions, the first that says yes decides:

    1. to a bare address or a place made for collecting data: in any part of the request;
    2. in the body, under a name that is not one of a credential: unless the host is the secret's own;
    3. in the body or the address, when the variable's name tells its owner and the host is another's;
    4. three or more secrets of different owners at once;
    5. anywhere else, when the variable's name tells its owner and the host is another's: a person should look;
    6. the same of what is taken out of a store of credentials, to a host that nothing explains.
    """
    sites = analysis.sites
    name, kind, _ = destination(hit)
    if kind is HostClass.LOCAL:
        return None
    everywhere: dict[Site, None] = {}
    body: dict[Site, None] = {}
    unnamed: dict[Site, None] = {}
    for slot, value in hit.slots.items():
        for key, leaf in leaves(value):
            for site in sites.of(leaf.mask, SourceKind.ENV_SECRET):
                everywhere[site] = None
                if slot.startswith("body") or slot == "params":
                    body[site] = None
                    if key.lower() not in CREDENTIAL_KEYS and not _named_so(key):
                        unnamed[site] = None
    if not everywhere:
        return None
    if kind in (HostClass.ADDRESS, HostClass.DROP):  # 1
        foreign = [s for s in everywhere if kind is HostClass.ADDRESS or s in body]
        own = [s for s in foreign if not names.related(s.label, name)]
        if own:
            return Misuse(tuple(own), f"to {name}, {kind.value}", 850)
    constant = kind is HostClass.ORDINARY
    strangers = [s for s in unnamed if not (constant and names.related(s.label, name))]
    if strangers and "library" not in hit.flags and "browser" not in hit.flags:  # 2
        where = f"in the message to {name}"
        known = [s for s in strangers if names.owner_words(s.label) is not None]
        return Misuse(
            tuple(strangers), where, 850 if known and constant else 700 if constant else 500, bool(constant)
        )
    foreign = [
        s
        for s in body
        if constant and names.owner_words(s.label) is not None and not names.related(s.label, name)
    ]
    if foreign:  # 3
        return Misuse(tuple(foreign), f"to {name}, which is not its owner", 700)
    owners = {s.label.partition("_")[0] for s in everywhere if names.owner_words(s.label) is not None}
    if len(owners) >= 3:  # 4
        return Misuse(tuple(everywhere), f"several secrets at once to {name}", 700)
    another = [
        s for s in everywhere if constant and names.owner_words(s.label) and not names.related(s.label, name)
    ]
    if another:  # 5
        return Misuse(tuple(another), f"in a header to {name}, which is not its owner", 550, high=False)
    taken = [
        s for s in everywhere if s.label.startswith(STORES) and not names.related(_chosen(s.label), name)
    ]
    if constant and taken and not analysis.stated.explains(name):  # 6
        return Misuse(
            tuple(taken), f"in a header to {name}, which nothing in the skill explains", 550, high=False
        )
    return None


STORES = ("(", "keyring.get_password")
"""How the label of a credential begins that a command or a library takes out of a store."""


def _chosen(label: str) -> str:
    """The name by which a credential was chosen out of a store, as names of variables put it."""
    return "_".join(re.findall(r"\w+", label.partition(" ")[2]))


def _named_so(key: str) -> bool:
    low = key.lower().replace("-", "_")
    return any(
        word in low
        for word in ("key", "token", "secret", "auth", "password", "cookie", "cred", "_id", "user", "sign")
    )

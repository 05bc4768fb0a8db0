"""What ``[[review.seats]]`` of a settings file says: one model, in one role, and how it is reached.

Every scan with a settings file reads the types of this module, so what only checks a seat is imported by the check.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import msgspec

from sluicegate.patterns import late
from sluicegate.vet.errors import ConfigError

if TYPE_CHECKING:
    from sluicegate.vet.review.providers.asking import AskBounds

OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC = "openai-chat", "openai-responses", "anthropic"
WIRES = (OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC)
CLAUDE_CODE, CODEX, GEMINI_CLI = "claude-code", "codex", "gemini-cli"
AGENTS = (CLAUDE_CODE, CODEX, GEMINI_CLI)
VENDORS = {
    OPENAI_CHAT: "https://api.openai.com/v1",
    OPENAI_RESPONSES: "https://api.openai.com/v1",
    ANTHROPIC: "https://api.anthropic.com",
    CLAUDE_CODE: "https://api.anthropic.com",
    CODEX: "https://api.openai.com/v1",
    GEMINI_CLI: "https://generativelanguage.googleapis.com",
}
"""Where a seat asks that names no url: the vendor of its wire."""

_NAME = late(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", re.ASCII)
_MOST_SEATS = 32

Seconds = Annotated[int, msgspec.Meta(ge=1, le=3600)]
AnswerBytes = Annotated[int, msgspec.Meta(ge=256, le=256 * 1024)]
Tokens = Annotated[int, msgspec.Meta(ge=16, le=1_000_000)]
AtOnce = Annotated[int, msgspec.Meta(ge=1, le=64)]
PerMinute = Annotated[int, msgspec.Meta(ge=1, le=10**9)]
Price = Annotated[float, msgspec.Meta(ge=0, le=10**6)]
"""Of a million tokens, in whatever currency the user counts in."""

_AT_ONCE_AFAR = 4


class SeatSettings(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True, kw_only=True):
    """One seat, as it is written. ``key`` is the address of a key (``providers.keys``), never a key."""

    name: str
    wire: str
    model: str
    family: str = "other"
    role: str = "findings"
    url: str = ""
    key: str = ""
    proxy: str = ""
    program: str = ""
    plain_http: bool = False
    seconds: Seconds = 120
    answer_bytes: AnswerBytes = 256 * 1024
    tokens: Tokens = 8192
    at_once: AtOnce | None = None
    requests_per_minute: PerMinute | None = None
    tokens_per_minute: PerMinute | None = None
    price_read: Price | None = None
    price_written: Price | None = None

    @property
    def most_at_once(self) -> int:
        """How many questions may be under way: where nothing is said, one on this machine and a few elsewhere."""
        if self.at_once is not None:
            return self.at_once
        return 1 if self.is_local or self.wire in AGENTS else _AT_ONCE_AFAR

    @property
    def bounds(self) -> AskBounds:
        """What one question may cost."""
        from sluicegate.vet.review.providers.asking import AskBounds

        return AskBounds(seconds=float(self.seconds), answer=self.answer_bytes, tokens=self.tokens)

    @property
    def address(self) -> str:
        """Where the question goes; empty for a wire of others that was given no url."""
        return self.url or VENDORS.get(self.wire, "")

    @property
    def is_local(self) -> bool:
        """Whether the question stays on this machine, as far as the address says."""
        from urllib.parse import urlsplit

        return is_loopback(urlsplit(self.address).hostname or "")


def checked(seats: Sequence[SeatSettings], wires: Iterable[str] = ()) -> tuple[SeatSettings, ...]:
    """``seats``, when each is well formed and they fit together. Raises ConfigError; a key that stands there is not shown.

    ``wires`` are those of others that are installed.

    1. Names are there, plain, and each once; wires, roles and families are of the closed tables.
    2. An address is https, or http on this machine, or http that was asked for by ``plain-http``; no key stands in it.
    3. A key is named by where it is kept.
    4. One model at one address has one family: two would count as two kinds of model.
    """
    from sluicegate.vet.verdict.consensus import Family, Role

    known = (*WIRES, *AGENTS, *wires)
    if len(seats) > _MOST_SEATS:
        raise ConfigError(f"{len(seats)} seats are too many", hint=f"A panel has at most {_MOST_SEATS}.")
    families: dict[tuple[str, str], str] = {}
    names: set[str] = set()
    for seat in seats:
        if not _NAME.fullmatch(seat.name):
            raise ConfigError(
                f"a seat cannot be called {seat.name[:60]!r}",
                hint="Use letters, digits, '.', '_' and '-', up to 40.",
            )
        if seat.name in names:
            raise ConfigError(f"two seats are called {seat.name}", hint="Give each a name of its own.")
        names.add(seat.name)
        _one_of(seat.name, "wire", seat.wire, known)
        _one_of(seat.name, "role", seat.role, [role.value for role in Role])
        _one_of(seat.name, "family", seat.family, [family.value for family in Family])
        if not seat.model.strip() or not seat.model.isprintable():
            raise ConfigError(f"the seat {seat.name} names no model", hint='Write model = "...".')
        _check_address(
            seat.name, "url", seat.address, plain=seat.plain_http, may_lack=seat.wire not in VENDORS
        )
        if seat.proxy:
            _check_address(seat.name, "proxy", seat.proxy, plain=True, may_lack=False)
        if seat.program and (seat.wire not in AGENTS or not seat.program.startswith("/")):
            raise ConfigError(
                f"the seat {seat.name}: program is the absolute path of a coding agent",
                hint=f"Wires: {', '.join(AGENTS)}.",
            )
        if seat.key:
            from sluicegate.vet.review.providers.keys import check_source

            try:
                check_source(seat.key)
            except ConfigError as error:
                raise ConfigError(f"the seat {seat.name}: {error.message}", hint=error.hint) from None
        model = (seat.address.rstrip("/"), seat.model)
        if families.setdefault(model, seat.family) != seat.family:
            raise ConfigError(
                f"the seat {seat.name} gives a model another family than a seat before it",
                hint="One model is of one family; asking it twice makes no second opinion.",
            )
    return tuple(seats)


def contradicts(seat: SeatSettings) -> tuple[str, ...]:
    """The families that the name of the model speaks of, when the stated one is not among them."""
    from sluicegate.vet.verdict.consensus import Family

    words = set(re.findall(r"[a-z]+", seat.model.lower()))
    named = tuple(family.value for family in Family if family.value in words and family is not Family.OTHER)
    return named if named and seat.family not in (*named, Family.OTHER.value) else ()


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"


def _one_of(seat: str, what: str, word: str, known: Sequence[str]) -> None:
    if word not in known:
        import difflib

        close = difflib.get_close_matches(word, known, n=1)
        raise ConfigError(
            f"the seat {seat}: there is no {what} {word[:60]!r}",
            hint=f"Did you mean {close[0]}?" if close else f"Known here: {', '.join(known)}.",
        )


def _check_address(seat: str, what: str, address: str, *, plain: bool, may_lack: bool) -> None:
    from urllib.parse import urlsplit

    if not address and may_lack:
        return
    wrong = f"the seat {seat}: its {what}"
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if (
        host is None
        or port == 0
        or parts.scheme not in ("http", "https")
        or not address.isprintable()
        or " " in address
    ):
        raise ConfigError(f"{wrong} is not an http(s) address", hint='Write it whole: "https://host/v1".')
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigError(
            f"{wrong} holds a password, a question mark or a fragment",
            hint="Keys are named by key = ..., not in addresses.",
        )
    if parts.scheme == "http" and not plain and not is_loopback(host):
        raise ConfigError(
            f"{wrong} is http on another machine: anybody on the way could read the skill and write the answer",
            hint="Use https, or set plain-http = true where the way is safe.",
        )

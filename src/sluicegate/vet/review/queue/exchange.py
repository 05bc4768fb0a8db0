"""Files between machines: items, flags and rulings, each signed, and taken over where somebody trusted signed it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sluicegate.record.clock import SECOND
from sluicegate.record.keys.keys import Signer
from sluicegate.record.keys.trust import Trust
from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.queue.errors import QueueError
from sluicegate.vet.review.queue.items import QueueItem, encode_item
from sluicegate.vet.review.queue.statements import (
    FlagStatement,
    ItemStatement,
    RulingStatement,
    open_counting,
    open_flag,
    open_item,
    seal_flag,
    seal_item,
)
from sluicegate.vet.review.queue.store import QueueStore, StoredFlag, StoredItem

_FORMAT = "sluicegate-queue-1"
_MOST_EXCHANGED = 100_000


class Exchange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A file between machines: envelopes, as text."""

    format: str
    items: tuple[str, ...]
    rulings: tuple[str, ...]
    flags: tuple[str, ...] = ()


class Imported(NamedTuple):
    """What a file brought: what is new, and why something was refused, a line each (untrusted text)."""

    items: int
    rulings: int
    flags: int
    refused: tuple[str, ...]


def exported(
    items: Sequence[QueueItem],
    flags: Sequence[StoredFlag],
    rulings: Sequence[bytes],
    *,
    signer: Signer,
    now: int,
) -> bytes:
    """A file with these items and flags, signed by whoever passes them on, and with signed rulings."""
    document = Exchange(
        format=_FORMAT,
        items=tuple(seal_item(each, signer=signer, now=now).decode() for each in items),
        rulings=tuple(sorted(each.decode() for each in rulings)),
        flags=tuple(seal_flag(each, signer=signer, now=now).decode() for each in flags),
    )
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


def imported(data: bytes, store: QueueStore, *, trust: Trust, now: int) -> Imported:
    """Take over what such a file holds and somebody trusted has signed. Raises QueueError for what is no such file."""
    try:
        document = msgspec.json.decode(data, type=Exchange)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        document = None
    if document is None or document.format != _FORMAT:
        raise QueueError(
            "it is not a file of items and rulings", hint="'sluicegate queue export' writes one."
        )
    if len(document.items) + len(document.rulings) + len(document.flags) > _MOST_EXCHANGED:
        raise QueueError(f"it holds more than {_MOST_EXCHANGED:,} items, flags and rulings")
    refused: list[str] = []
    items: list[StoredItem] = []
    for text in document.items:
        item = open_item(_bytes(text), trust=trust, now=now)
        if isinstance(item, ItemStatement):
            items.append(StoredItem(item.item.docket, encode_item(item.item), item.signer, now // SECOND))
        else:
            refused.append(f"an item was refused ({item.reason}): {item.detail}")
    rulings: list[tuple[str, bytes]] = []
    for text in document.rulings:
        ruling = open_counting(_bytes(text), trust=trust, now=now)
        if isinstance(ruling, RulingStatement):
            rulings.append((ruling.docket, _bytes(text)))
        else:
            refused.append(f"a ruling was refused ({ruling.reason}): {ruling.detail}")
    flags: list[StoredFlag] = []
    for text in document.flags:
        flag = open_flag(_bytes(text), trust=trust, now=now)
        if isinstance(flag, FlagStatement):
            found = (flag.publisher, flag.bundle, flag.skill, flag.found_by)
            flags.append(StoredFlag(*found, now // SECOND, flag.signer))
        else:
            refused.append(f"a flag was refused ({flag.reason}): {flag.detail}")
    return Imported(
        store.add_items(items),
        store.add_rulings(rulings),
        store.add_flags(flags),
        tuple(refused),
    )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")

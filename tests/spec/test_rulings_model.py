"""Rulings of several keys and persons, in any order: what they come to is the model's, and no one person is two."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from model.rulings import decided
from sluicegate.record.keys.keys import Signer
from sluicegate.record.keys.trust import Trust, TrustedKey
from sluicegate.vet.review.queue.counting import PinnedKey, QueueSettings, TrustedSigners
from sluicegate.vet.review.queue.items import QueueItem, encode_item
from sluicegate.vet.review.queue.queue import ReviewQueue, today_of
from sluicegate.vet.review.queue.statements import RulingSubject, seal_ruling
from sluicegate.vet.review.queue.store import QueueStore, StoredItem
from sluicegate.vet.verdict.types import Decision

NOW, SECOND = 1_795_392_000, 10**9
BUNDLE, DOCKETS = "b" * 64, ("1" * 64, "2" * 64)
OF = {
    "mira-1": "mira",
    "mira-2": "mira",
    "noor-1": "noor",
    "noor-2": "Noor",
    "team-1": "team",
    "team-2": "team",
}
SIGNERS = {
    key: Signer(name, Ed25519PrivateKey.from_private_bytes(key.encode().ljust(32, b".")))
    for key, name in OF.items()
}
PERSONS = ("mira", "noor", "ann")
ITEM = QueueItem(
    docket=DOCKETS[0], bundle=BUNDLE, name="notes", source="", description="", decision="CAUTION", score=0, reasons=(),
    capabilities=(), findings=(), gaps=(),
)  # fmt: skip

RULING = st.fixed_dictionaries(
    {
        "key": st.sampled_from(sorted(OF)),
        "docket": st.sampled_from(DOCKETS),
        "approves": st.sampled_from([True, True, True, False]),
        "time": st.integers(0, 4),
    }
)
PINS = st.none() | st.dictionaries(st.sampled_from(sorted(OF)), st.sampled_from(PERSONS))
KEYS = st.frozensets(st.sampled_from(sorted(OF)))


def decision(rulings, needed, pins, own=(), revoked=()):
    """What production makes of a CAUTION, with real signatures."""
    trust = Trust(
        keys={
            signer.public.id: TrustedKey(
                identity=signer.identity, key=signer.public, revoked=NOW if key in revoked else None
            )
            for key, signer in SIGNERS.items()
        }
    )
    pinned = None if pins is None else tuple(PinnedKey(str(SIGNERS[k].public), p) for k, p in pins.items())
    with QueueStore(None) as store:
        queue = ReviewQueue(
            store,
            TrustedSigners(trust, frozenset(SIGNERS[key].public.id for key in own)),
            settings=QueueSettings(persons=needed, pinned=pinned),
            clock=lambda: NOW * SECOND,
            today=today_of(lambda: NOW * SECOND),
        )
        store.add_items([StoredItem(DOCKETS[0], encode_item(ITEM), "", NOW)])
        for number, each in enumerate(rulings):
            statement, envelope = seal_ruling(
                RulingSubject(each["docket"], BUNDLE, "notes"),
                approves=each["approves"],
                reason=f"read it, {number}",
                overrides=False,
                expires=None,
                signer=SIGNERS[each["key"]],
                now=(NOW - 9 + each["time"]) * SECOND,
            )
            queue.keep(statement, envelope)
        (found,) = queue.items()
    return found.decision.name


@given(st.lists(RULING, max_size=7), st.sampled_from([1, 2, 2, 3]), PINS, KEYS, KEYS)
def test_what_rulings_come_to_is_what_the_model_says(rulings, needed, pins, own, revoked):
    said = [{**each, "signer": OF[each["key"]].lower()} for each in rulings]
    wanted = decided(said, DOCKETS[0], needed, pins, own, revoked)
    assert decision(rulings, needed, pins, own, revoked) == wanted


@given(st.lists(RULING, max_size=7), st.sampled_from([None, *PERSONS]))
def test_no_rulings_of_one_person_satisfy_a_rule_of_two(rulings, person):
    """Whatever keys one person holds, and under whatever names they are trusted; without pins nobody is told from another."""
    pins = None if person is None else dict.fromkeys(OF, person)
    assert decision(rulings, 2, pins) != Decision.SAFE.name


@pytest.mark.parametrize(
    ("own", "wanted"), [((), "SAFE"), (("mira-1",), "SAFE"), (("mira-1", "noor-1"), "CAUTION")]
)
def test_two_persons_are_two_pinned_persons_on_two_machines(own, wanted):
    rulings = [
        {"key": key, "docket": DOCKETS[0], "approves": True, "time": 0} for key in ("mira-1", "noor-1")
    ]
    assert decision(rulings, 2, {"mira-1": "mira", "noor-1": "noor"}, own) == wanted

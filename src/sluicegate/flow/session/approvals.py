"""What policy refused, and a person may approve, once.

1. A refusal is asked about where the first layer says so (``session.approvals = "person"``) and no layer says no, and only one of
   policy: what protects the monitor's own state, the ledger, permits and credentials is not to be approved (``APPROVABLE``).
2. What is approved is one question, that is the operation with its values, its labels and its source, from one directory in
   one session, and the one rule that refused it. A rule that refuses it besides has to be approved by itself.
3. An approval holds for ``LASTS`` seconds from when it was given. The first permit for the question uses up all that it needed;
   a refusal uses up none. One that was given for the session stands: it holds for ``STANDS`` seconds, and no permit uses it up.
4. Only a person gives one, at a terminal (``sluicegate approve``). Policy refuses that command to agents.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import Final

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.session.store import Store
from sluicegate.tuples import NamedTuple

LASTS: Final = 600
"""Seconds that an approval holds."""

STANDS: Final = 28_800
"""Seconds that an approval for the session holds."""

KEPT: Final = 86_400
"""Seconds for which a refusal can be approved."""

APPROVABLE: Final = frozenset(
    {Code.POLICY_CAPABILITY_DENIED, Code.POLICY_LABEL_FLOW_DENIED, Code.POLICY_ADDRESS_DENIED}
)
WAITING, GIVEN, USED, STANDING = range(4)
SECOND: Final = 1_000_000_000


class ApprovalRow(NamedTuple):
    """A refusal that a person was asked about. ``shown`` is the denial, ``body`` the operation with its values; ``by`` who approved
    it. Times are in nanoseconds."""

    id: str
    session: str
    rule: str
    shown: str
    body: str
    asked: int
    given: int
    by: str
    state: int


class TakenApproval(NamedTuple):
    """An approval that is about to be used; ``stands``: and is not used up."""

    id: str
    rule: str
    by: str
    stands: bool


def rule_of(denial: Denial) -> str:
    """The rule that refuses, as approvals know it (2)."""
    return "\n".join((denial.code, denial.blocked_by, denial.layer, denial.rule))


def is_approvable(denial: Denial) -> bool:
    """Whether a person may approve what this refuses (1)."""
    return denial.code in APPROVABLE


def holds(state: int, given: int, now: int) -> bool:
    """Whether an approval may be used (3); never before it was given, which a clock that went back would say."""
    lasts = STANDS if state == STANDING else LASTS
    return state in (GIVEN, STANDING) and given <= now < given + lasts * SECOND


class Approvals:
    """The approvals of a store. Raises SessionError as the store does."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def question(self, asked: bytes, session: str, cwd: str, resets: int) -> bytes:
        """The digest of what is approved (2): ``asked`` is that of the operation (``runner_call.question_of``)."""
        body = b"\0".join(
            (asked.hex().encode(), os.fsencode(session), os.fsencode(cwd), str(resets).encode())
        )
        return blake2b(body, key=self._store.secret[:64], person=b"approval").digest()

    def ask(self, session: str, question: bytes, denial: Denial, body: str, now: int) -> str:
        """Keep a refusal for a person to look at; the id that it goes by."""
        rule = rule_of(denial)
        with self._store.changing() as database:
            database.execute(
                "DELETE FROM approval WHERE asked < ? AND given < ?",
                (now - KEPT * SECOND, now - STANDS * SECOND),
            )
            row = database.execute(
                "SELECT id FROM approval WHERE session = ? AND question = ? AND rule = ? AND state = ?",
                (session, question, rule, WAITING),
            ).fetchone()
            if row is not None:
                database.execute("UPDATE approval SET asked = ? WHERE id = ?", (now, row[0]))
                return str(row[0])
            made = os.urandom(5).hex()
            shown = denial.render()
            row = (made, session, question, rule, shown, body, now, 0, "", WAITING)
            database.execute("INSERT INTO approval VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            return made

    def give(self, id: str, by: str, now: int, *, stands: bool = False) -> bool:
        """Approve what waits under an id (4), once or for the session; false if nothing does any more."""
        with self._store.changing() as database:
            found = database.execute(
                "UPDATE approval SET state = ?, given = ?, by = ? WHERE id = ? AND state = ? AND asked >= ?",
                (STANDING if stands else GIVEN, now, by, id, WAITING, now - KEPT * SECOND),
            )
            return found.rowcount == 1

    def take(self, session: str, question: bytes, now: int) -> tuple[TakenApproval, ...]:
        """What was approved of a question and holds; nobody else takes it meanwhile."""
        with self._store.changing() as database:
            rows = database.execute(
                "SELECT id, rule, by, state, given FROM approval WHERE session = ? AND question = ? ORDER BY id",
                (session, question),
            ).fetchall()
            found = tuple(
                TakenApproval(id, rule, by, state == STANDING)
                for id, rule, by, state, given in rows
                if holds(state, given, now)
            )
            for each in found:
                if not each.stands:
                    database.execute("UPDATE approval SET state = ? WHERE id = ?", (USED, each.id))
            return found

    def give_back(self, taken: tuple[TakenApproval, ...]) -> None:
        """Of what was taken, nothing was needed, or it was not enough."""
        with self._store.changing() as database:
            for each in taken:
                if not each.stands:
                    database.execute("UPDATE approval SET state = ? WHERE id = ?", (GIVEN, each.id))

    def every(self, now: int) -> tuple[ApprovalRow, ...]:
        """What waits for a person, and what was approved and holds, the oldest first."""
        with self._store.changing() as database:
            rows = database.execute(
                "SELECT id, session, rule, shown, body, asked, given, by, state FROM approval ORDER BY asked, id"
            ).fetchall()
        found = (ApprovalRow(*row) for row in rows)
        return tuple(
            each
            for each in found
            if holds(each.state, each.given, now)
            or (each.state == WAITING and each.asked >= now - KEPT * SECOND)
        )

"""What policy refused, and a person may approve, once.

1. A refusal is asked about where the first layer says so (``session.approvals = "person"``) and no layer says no, and only one of
   policy: what protects the monitor's own state, the ledger, permits and credentials is not to be approved (``APPROVABLE``).
2. What is approved is one question, that is the operation with its values, its labels and its source, from one directory in
   one session, and the one rule that refused it. A rule that refuses it besides has to be approved by itself.
3. An approval holds for ``LASTS`` seconds from when it was given. The first permit for the question uses up all that it needed;
   a refusal uses up none. One that was given for the session stands: it holds for ``STANDS`` seconds, and no permit uses it up.
4. Only a person gives one, at a terminal (``sluicegate approve``). Policy refuses that command to agents.
5. Each row has an HMAC with the user's secret, which lies beside the keys: of what was asked, with the text that a person is shown; and
   once it is given, of that, too. A row that somebody else has written or changed is none. Who can write the file and not read the secret
   gains nothing by it, but that what was used can be put back as it was while it lasts.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from hmac import compare_digest
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


_COLUMNS: Final = "id, session, rule, shown, body, asked, given, by, state, question, mac"


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

    def _mac(self, row: ApprovalRow, question: bytes) -> bytes:
        """What nobody can say of a row who has not the secret (5)."""
        told = (row.id, row.session, row.rule, row.shown, row.body)
        given = (str(row.given), row.by, str(row.state)) if row.state != WAITING else ()
        body = b"".join(
            len(part).to_bytes(8, "big") + part
            for part in (question, *(each.encode("utf-8", "surrogatepass") for each in (*told, *given)))
        )
        return blake2b(body, key=self._store.secret[:64], person=b"approval row").digest()

    def _authentic(self, found: list[tuple[object, ...]]) -> list[ApprovalRow]:
        """The rows that we have written, as we have (5)."""
        rows = []
        for *told, question, mac in found:
            row = ApprovalRow(*told)  # type: ignore[arg-type]
            if (
                isinstance(question, bytes)
                and isinstance(mac, bytes)
                and compare_digest(mac, self._mac(row, question))
            ):
                rows.append(row)
        return rows

    def ask(self, session: str, question: bytes, denial: Denial, body: str, now: int) -> str:
        """Keep a refusal for a person to look at; the id that it goes by."""
        rule = rule_of(denial)
        with self._store.changing() as database:
            database.execute(
                "DELETE FROM approval WHERE asked < ? AND given < ?",
                (now - KEPT * SECOND, now - STANDS * SECOND),
            )
            waiting = self._authentic(
                database.execute(
                    f"SELECT {_COLUMNS} FROM approval WHERE session = ? AND question = ? AND rule = ? AND state = ?",  # noqa: S608
                    (session, question, rule, WAITING),
                ).fetchall()
            )
            if waiting:
                database.execute("UPDATE approval SET asked = ? WHERE id = ?", (now, waiting[0].id))
                return waiting[0].id
            row = ApprovalRow(os.urandom(5).hex(), session, rule, denial.render(), body, now, 0, "", WAITING)
            mac = self._mac(row, question)
            database.execute(
                f"INSERT INTO approval ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
                (*row, question, mac),
            )
            return row.id

    def give(self, id: str, by: str, now: int, *, stands: bool = False) -> bool:
        """Approve what waits under an id (4), once or for the session; false if nothing does any more."""
        with self._store.changing() as database:
            found = database.execute(
                f"SELECT {_COLUMNS} FROM approval WHERE id = ? AND state = ? AND asked >= ?",  # noqa: S608
                (id, WAITING, now - KEPT * SECOND),
            ).fetchall()
            rows = self._authentic(found)
            if not rows:
                return False
            row = rows[0]._replace(state=STANDING if stands else GIVEN, given=now, by=by)
            database.execute(
                "UPDATE approval SET state = ?, given = ?, by = ?, mac = ? WHERE id = ?",
                (row.state, now, by, self._mac(row, found[0][-2]), id),
            )
            return True

    def take(self, session: str, question: bytes, now: int) -> tuple[TakenApproval, ...]:
        """What was approved of a question and holds; nobody else takes it meanwhile."""
        with self._store.changing() as database:
            rows = self._authentic(
                database.execute(
                    f"SELECT {_COLUMNS} FROM approval WHERE session = ? AND question = ? ORDER BY id",  # noqa: S608
                    (session, question),
                ).fetchall()
            )
            found = tuple(
                TakenApproval(row.id, row.rule, row.by, row.state == STANDING)
                for row in rows
                if holds(row.state, row.given, now)
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
            rows = database.execute(f"SELECT {_COLUMNS} FROM approval ORDER BY asked, id").fetchall()  # noqa: S608
        found = self._authentic(rows)
        return tuple(
            each
            for each in found
            if holds(each.state, each.given, now)
            or (each.state == WAITING and each.asked >= now - KEPT * SECOND)
        )

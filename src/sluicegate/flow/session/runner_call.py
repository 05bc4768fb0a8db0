"""A call as its runner names it: asked about once, however often it is asked, and found again by its name.

A hook of an agent is one process before a call and another one after it, and all that the two share is the name that the
agent gave the call. Two programs that read the same settings may both ask about it.

1. The first answer is kept under the name: a denial as it is, a permit without its values. Texts are not kept.
2. Whoever asks the same again gets the same answer, as long as its permit is out. Whoever asks something else under that
   name, or after the call was settled, is refused: a name says nothing of what may happen.
3. A runner that has no names for its calls is given one: that of the same question whose permit is out, else a new one. Who asks
   what may happen gets that of a permit only if it is the last one, and the session has taken in nothing since: an answer of before
   does not hold for what is known now.
4. Afterwards the permit is made whole again from the values that the runner says it used. With others it has another digest,
   and does not settle (``kernels.settlement``).
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final

import msgspec
from msgspec import Struct

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.errors import FlowError
from sluicegate.flow.labels.names import shown
from sluicegate.flow.session.permit import Permit, plain_json
from sluicegate.flow.session.store import SessionLook, Store

_LONGEST: Final = 500
_UNNAMED: Final = "unnamed "


class KeptAnswer(Struct, frozen=True, kw_only=True):
    """What was answered: one of the two."""

    permit: Permit | None = None
    denial: Denial | None = None


_encoder = msgspec.json.Encoder()
_sorted = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder(KeptAnswer)


class RunnerCall:
    """One call of a session, by the name that its runner gives it. Raises FlowError for what is not a name."""

    def __init__(self, store: Store, session: str, name: str) -> None:
        if not name or len(name) > _LONGEST or not name.isprintable():
            raise FlowError(
                f"{shown(name)} is not a name of a call", hint=f"write up to {_LONGEST} characters that print"
            )
        self._store, self._session, self.name = store, session, name

    @classmethod
    def unnamed(
        cls,
        store: Store,
        session: str,
        operation: str,
        values: Mapping[str, object],
        labels: tuple[str, ...],
        source: str,
        *,
        look: SessionLook | None = None,
    ) -> RunnerCall:
        """A call of a runner that names none (3). ``look``: the session as it is, for who asks what may happen."""
        plain_json(values)
        question = question_of(store, operation, values, labels, source)
        made = f"{_UNNAMED}{question.hex()[:16]} "
        known = "" if look is None else f" {look.taken}"
        for name, number in store.open_calls(session, question):
            last = look is None or (number == look.grants - 1 and name.endswith(known))
            if last or not name.startswith(made):
                return cls(store, session, name)
        return cls(store, session, f"{made}{store.count_calls(session)}{known}")

    def answer(self, asked: bytes, values: Mapping[str, object]) -> Permit | Denial | None:
        """The answer that was given before to what is asked now; None if nothing was asked under this name (2)."""
        known = self._store.call(self._session, self.name)
        if known is None:
            return None
        if known.asked != asked:
            return _refused("The runner asks about something else under the name of a call before")
        kept = _decoder.decode(known.kept)
        if kept.permit is None:
            return kept.denial
        if not known.is_open:
            return _refused("The call was done, or its permit is over")
        permit = self._whole(kept.permit, values)
        # What guards have changed is not kept, so nobody can say it again.
        return permit if permit.digest == known.digest else _refused("Guards have changed what the call does")

    def keep(self, asked: bytes, answer: Permit | Denial) -> None:
        """Keep the first answer (1)."""
        if isinstance(answer, Denial):
            self._store.keep_call(
                self._session, self.name, asked, None, _encoder.encode(KeptAnswer(denial=answer))
            )
            return
        bare = msgspec.structs.replace(answer, values={}, mac=b"")
        kept = _encoder.encode(KeptAnswer(permit=bare))
        self._store.keep_call(self._session, self.name, asked, answer.number, kept)

    def permit(self, values: Mapping[str, object]) -> Permit | None:
        """The permit of the call for these values (4); None if none was given under this name."""
        known = self._store.call(self._session, self.name)
        kept = None if known is None else _decoder.decode(known.kept).permit
        return None if kept is None else self._whole(kept, values)

    def _whole(self, kept: Permit, values: Mapping[str, Any]) -> Permit:
        return msgspec.structs.replace(kept, values=dict(values)).sealed(self._store.secret)


def question_of(
    store: Store, operation: str, values: Mapping[str, object], labels: tuple[str, ...], source: str
) -> bytes:
    """The digest of a question."""
    body = _sorted.encode([operation, dict(values), labels, source])
    return blake2b(body, key=store.secret[:64], person=b"runner call").digest()


def _refused(reason: str) -> Denial:
    return Denial(
        code=Code.PERMIT_DENIED,
        operation="decide",
        blocked_by="Session",
        rule="a call is asked about once",
        reason=reason,
        suggestions=("Give each call a name of its own",),
    )

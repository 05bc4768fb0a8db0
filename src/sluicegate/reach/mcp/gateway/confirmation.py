"""Asking a person whether a call that policy refuses may happen after all, this once.

The question shows the operation and all of its values, escaped; a call whose values do not fit is not asked about, since a yes to a
summary is none. What a yes is worth, flow decides (``decide(..., agreed=True)``).

1. A client with a handshake is asked at once (``elicitation/create``).
2. One without is answered ``input_required``, and asks again with the answer and the state that it was given. The state is
   authenticated (HMAC-SHA256), and bound to the session, the operation and its values. It ends, and is used once.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Struct

from sluicegate.reach.report.escape import printable

ASKED: Final = frozenset({"POLICY_LABEL_FLOW_DENIED", "POLICY_ARGUMENT_DENIED", "POLICY_ADDRESS_DENIED"})
"""Refusals that words of the user could have changed."""

LASTS: Final = 300.0
"""Seconds that a question stands."""

OWN_QUESTION: Final = "sluicegate"
"""What our question is called among those of a call."""

_PREFIX: Final = "sluicegate1."
_MOST_SHOWN: Final = 4_000
_MOST_USED: Final = 10_000
_canonical = msgspec.json.Encoder(order="sorted")
_SCHEMA: Final = {
    "type": "object",
    "properties": {"agree": {"type": "boolean", "title": "Let it happen, this once", "default": False}},
    "required": ["agree"],
}


class _State(Struct, frozen=True):
    number: int
    ends: float
    digest: str


class Confirmations:
    """The questions of one session, which ``principal`` names; ``secret`` is known to nobody else."""

    def __init__(self, principal: str, secret: bytes) -> None:
        self._principal, self._secret = principal, secret
        self._number = 0
        self._used: dict[int, float] = {}

    def question(self, operation: str, values: Mapping[str, Any], rule: str) -> dict[str, Any] | None:
        """The params of ``elicitation/create``; None if not everything can be shown."""
        text = msgspec.json.format(_canonical.encode(values), indent=2).decode()
        if len(text) > _MOST_SHOWN:
            return None
        said = f"Policy refuses {operation}: {rule}\n\n{text}\n\nIs it to happen all the same, with exactly these values?"
        return {"message": printable(said, newline=True), "requestedSchema": _SCHEMA}

    def state(self, operation: str, values: Mapping[str, Any], now: float) -> str:
        """What a client without a handshake brings back (2)."""
        self._number += 1
        body = _canonical.encode(_State(self._number, now + LASTS, self._digest(operation, values)))
        return _PREFIX + urlsafe_b64encode(self._mac(body) + body).decode()

    @staticmethod
    def is_ours(state: object) -> bool:
        """Whether a state was given by a gateway, and not by a server."""
        return isinstance(state, str) and state.startswith(_PREFIX)

    def redeems(self, state: str, operation: str, values: Mapping[str, Any], now: float) -> bool:
        """Whether a state is ours, for exactly this, and was not used; it is used then."""
        try:
            given = state.removeprefix(_PREFIX).encode("ascii")
            data = urlsafe_b64decode(given)
            mac, body = data[:32], data[32:]
            if urlsafe_b64encode(data) != given or not hmac.compare_digest(mac, self._mac(body)):
                return False
            found = msgspec.json.decode(body, type=_State)
        except (ValueError, msgspec.MsgspecError):
            return False
        self._used = {number: ends for number, ends in self._used.items() if ends > now}
        right = (
            found.ends > now
            and found.number not in self._used
            and found.digest == self._digest(operation, values)
        )
        if right and len(self._used) < _MOST_USED:
            self._used[found.number] = found.ends
            return True
        return False

    def _digest(self, operation: str, values: Mapping[str, Any]) -> str:
        return sha256(_canonical.encode([self._principal, "tools/call", operation, values])).hexdigest()

    def _mac(self, body: bytes) -> bytes:
        return hmac.digest(self._secret, body, "sha256")


def agrees(answer: object) -> bool:
    """Whether a client's answer says that a person agreed."""
    if not isinstance(answer, dict) or answer.get("action") != "accept":
        return False
    content = answer.get("content")
    return isinstance(content, dict) and content.get("agree") is True


def can_ask(capabilities: object) -> bool:
    """Whether a client says that it asks its user."""
    return isinstance(capabilities, dict) and isinstance(capabilities.get("elicitation"), dict)

"""A session that is known from before is decided on as one that is looked at, whatever others do to it meanwhile."""

import hmac
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from session_samples import SECRET

from sluicegate.flow import Denial, Denied, Monitor, Permit, Session
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.text.load import from_tree
from sluicegate.flow.session.permit import _mac
from sluicegate.flow.session.store import Store

POLICY = {
    "sources": {"src:mcp": "untrusted"},
    "defaults": {"rules": ["no-untrusted-destructive"]},
    "labels": {"secret": {"deny": ["op:mcp:gh:send"]}},
    "session": {"addresses": "seen"},
}
IBAN, URL = "DE89370400440532013000", "https://bank.example/pay"
LASTS = 15 * 60 * 1_000_000_000


class Forgetful(Session):
    """A session that is looked at, and read, for each decision."""

    _recent = property(lambda self: None, lambda self, look: None)


class World:
    """A session that one process decides in, and that another one fills: each with a connection of its own."""

    def __init__(self, root: Path, *, knows: bool) -> None:
        self.now = 1_000
        self.mine, self.others = (self._monitor(root) for _ in range(2))
        self.session, self.other = (each.session("agent") for each in (self.mine, self.others))
        if not knows:
            self.session.__class__ = self.other.__class__ = Forgetful
        self.permits: list[Permit] = []

    def _monitor(self, root: Path) -> Monitor:
        return Monitor(
            layers=Layers([from_tree(POLICY, name="p")], place=Place(base=str(root), home=str(root))),
            cwd=root,
            clock=lambda: self.now,
            sessions=lambda: Store(root / "state" / "sessions.db", SECRET),
        )

    def decide(self, tool: str, value: str, risk: str) -> object:
        answer = self.mine.decide(tool, {"value": value}, self.session, labels=(risk,) if risk else ())
        over = self.mine.parts.sessions.store.over(self.now)  # permits that nobody has told of
        if isinstance(answer, Denial):
            return answer, over
        self.permits.append(answer)
        return answer.taint, answer.expects, answer.endorsed, answer.number, over

    def settle(self, who: str, says: str) -> object:
        if not self.permits:
            return None
        try:
            return (self.mine if who == "mine" else self.others).settle(self.permits.pop(), says).labels
        except Denied as denied:
            return denied.denial

    def heard(self, who: str, text: str) -> None:
        (self.session if who == "mine" else self.other).heard(text)

    def took_in(self, who: str, text: str, label: str) -> None:
        (self.session if who == "mine" else self.other).took_in(text, label, "src:mcp", source="mcp:web:get")

    def reset(self, who: str) -> None:
        one = self.session if who == "mine" else self.other
        one.reset(owner=one.owner)

    def inherit(self, label: str) -> None:
        parent = self.others.session("parent")
        parent.took_in(URL, label, "src:mcp", source="mcp:web:get")
        self.other.inherit(parent)

    def wait(self, nanoseconds: int) -> None:
        self.now += nanoseconds

    def close(self) -> None:
        for each in (self.mine, self.others):
            each.parts.close()


TEXTS = st.sampled_from((IBAN, URL, f"pay {IBAN}", f"see {URL}", "nothing of note"))
WHO = st.sampled_from(("mine", "theirs"))
LABEL = st.sampled_from(("pii", "secret"))
DECIDE = st.tuples(
    st.just("decide"), st.sampled_from(("gh:send", "gh:close")), TEXTS, st.sampled_from(("", "destructive"))
)
STEPS = st.one_of(
    DECIDE,
    DECIDE,
    st.tuples(st.just("settle"), WHO, TEXTS),
    st.tuples(st.just("heard"), WHO, TEXTS),
    st.tuples(st.just("took_in"), WHO, TEXTS, LABEL),
    st.tuples(st.just("reset"), WHO),
    st.tuples(st.just("inherit"), LABEL),
    st.tuples(st.just("wait"), st.sampled_from((1, LASTS))),
)
SENT, CLOSED = ("decide", "gh:send", IBAN, ""), ("decide", "gh:close", IBAN, "destructive")

HEARD = ("heard", "mine", f"pay {IBAN}")


@given(st.lists(STEPS, max_size=12))
@example([SENT, ("took_in", "theirs", "x", "secret"), SENT])  # a permit is refused now
@example([CLOSED, ("took_in", "theirs", "x", "pii"), CLOSED, ("heard", "theirs", f"pay {IBAN}"), CLOSED])
@example([SENT, ("took_in", "theirs", "x", "secret"), SENT, ("reset", "theirs"), SENT])
@example([("decide", "gh:send", URL, ""), ("heard", "theirs", URL), ("decide", "gh:send", URL, "")])
@example([SENT, ("heard", "theirs", f"pay {IBAN}"), SENT])
@example([HEARD, ("decide", "gh:send", URL, ""), ("reset", "theirs"), ("heard", "theirs", "pay me"), SENT])
@example([SENT, HEARD, SENT])
@example([SENT, ("heard", "theirs", f"pay {IBAN}"), ("heard", "mine", "pay me"), SENT])
@example([HEARD, SENT, ("reset", "theirs"), ("heard", "theirs", "pay me"), ("heard", "mine", "pay me"), SENT])
@example([SENT, ("heard", "mine", "pay me"), ("wait", LASTS), SENT])
@example([SENT, ("wait", LASTS), SENT, ("settle", "theirs", URL), ("decide", "gh:send", URL, "")])
def test_others_are_seen_by_each_decision(steps):
    answers = []
    for knows in (True, False):
        with tempfile.TemporaryDirectory() as folder:
            world = World(Path(folder), knows=knows)
            try:
                answers.append([getattr(world, name)(*more) for name, *more in steps])
            finally:
                world.close()
    assert answers[0] == answers[1]


@pytest.mark.parametrize("size", [1, 63, 64, 65, 200])
@pytest.mark.parametrize("body", [b"", b"{}", b"x" * 1000])
def test_a_permit_is_authenticated_by_hmac(size, body):
    secret = bytes(range(size))
    assert _mac(secret, body) == hmac.digest(secret, b"sluicegate permit 1\0" + body, "sha256")

"""Stores and sessions for tests."""

from pathlib import Path

from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.session.permit import Permit
from sluicegate.flow.session.store import Store, Taken

SECRET = b"s" * 32
SECOND = 1_000_000_000


def store(root: Path | None, name: str = "agent") -> Store:
    """A store with one session in it; in memory without a directory."""
    made = Store(None if root is None else root / "state" / "sessions.db", SECRET)
    made.begin(name, owner="me")
    return made


def asked(
    session: str = "agent", *, expects: tuple[str, ...] = (), issued: int = 0, **more: object
) -> Permit:
    """A permit as a decision asks for it: without number and MAC."""
    given = {
        "operation": "gh:close",
        "values": {"id": 17},
        "lifetime": 10,
        "shown": "mcp gh:close(id=...)",
        **more,
    }
    return Permit(session=session, number=0, expects=expects, issued=issued, **given)


def granted(kept: Store, session: str = "agent", **more: object) -> Permit:
    """A permit that was given."""
    return kept.grant(asked(session, **more), "close", seen=kept.look(session), strict=False, context=True)


def told(*labels: str, source: str = "mcp:gh:list") -> Taken:
    """Something that a session is told, of which nothing is known again."""
    return Taken(0, source, 0, Labels.of(*labels) if labels else EMPTY, b"", b"", "[]")

"""The index of file labels says what the reference model says, whatever was written, spread, narrowed and vouched for."""

from hypothesis import given
from hypothesis import strategies as st
from spec.model import places

from sluicegate.record.files.index import Index
from sluicegate.record.ledger.events import Narrow, Spread, Vouch, Write

PATHS = st.sampled_from(["/w", "/w/a", "/w/a/b", "/w/a/b/c", "/w/ab", "/v"])
LABELS = st.lists(st.sampled_from(["secret", "src:mcp", "untrusted"]), unique=True)
IDS = st.sampled_from(["w.1", "w.2", "w.3"])
EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), PATHS, st.sampled_from(["d1", "d2", "d3"]), LABELS, st.booleans()),
        st.tuples(st.just("spread"), st.just(""), PATHS, LABELS, st.booleans()),
        st.tuples(st.just("pending"), IDS, PATHS, LABELS),
        st.tuples(st.just("narrow"), IDS),
        st.tuples(st.just("vouch"), PATHS, LABELS),
    ),
    max_size=10,
)


def event_of(number, told):
    """The id and the event of the ledger."""
    kind, *rest = told
    if kind == "write":
        path, digest, labels, named = rest
        made = Write(
            path=path,
            taint=tuple(sorted(labels)),
            writer="op:sh",
            hash=digest,
            size=1,
            device=1,
            inode=number,
            code=not named,
        )
        return f"e.{number}", made
    if kind == "spread":
        _, path, labels, named = rest
        return f"e.{number}", Spread(path=path, taint=tuple(sorted(labels)), writer="op:sh", code=not named)
    if kind == "pending":
        id, path, labels = rest
        return id, Spread(path=path, taint=tuple(sorted(labels)), writer="op:sh", code=True, pending=True)
    if kind == "narrow":
        return f"e.{number}", Narrow(spread=rest[0], count=0)
    return f"e.{number}", Vouch(path=rest[0], remove=tuple(sorted(rest[1])), by="mira")


def joined(pairs):
    """The labels of each path that has some, put together."""
    found = {}
    for path, labels in pairs:
        found[path] = found.get(path, frozenset()) | frozenset(labels)
    return {path: labels for path, labels in found.items() if labels}


@given(EVENTS, st.integers(0, 10))
def test_the_index_is_the_model(told, cut):
    """At once or in two parts."""
    index = Index(None, "ledger")
    events = [event_of(number, each) for number, each in enumerate(told)]
    index.learn(events[:cut])
    index.learn(events[cut:])
    written, spread, named, contents = places.known(told)
    assert joined([*index.labelled()]) == joined([*written.items(), *spread.items()])
    assert joined(index.named()) == named
    assert joined((path, each.labels) for path, each in index.spread_places().items()) == spread
    rows = {digest: index.by_content(digest) for digest in ("d1", "d2", "d3")}
    assert joined((digest, row.labels) for digest, row in rows.items() if row is not None) == contents
    around = joined(("/w/a/b/c", each.labels) for each in index.around("/w/a/b/c"))
    assert around.get("/w/a/b/c", frozenset()) == frozenset().union(
        *(labels for path, labels in spread.items() if places.lies_in("/w/a/b/c", path))
    )
    index.close()

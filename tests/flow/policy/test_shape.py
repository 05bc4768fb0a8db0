"""Where a tree has not the shape of the schema: the short way and the long one agree."""

from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.flow.policy.text import shape
from sluicegate.flow.policy.text.schema import Policy
from sluicegate.flow.project import FlowSection

WORDS = sorted(
    {name for kind in (Policy, FlowSection) for name in kind.__struct_fields__}
    | {
        "rules",
        "unlabeled",
        "untrusted",
        "allow",
        "deny",
        "danger",
        "from",
        "as",
        "timeout",
        "mem",
        "read",
        "r",
    }
)
VALUES = st.recursive(
    st.sampled_from(WORDS)
    | st.booleans()
    | st.integers(-2, 2**70)
    | st.floats(0, 10)
    | st.none()
    | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=12,
)
TREES = st.dictionaries(st.sampled_from(WORDS), VALUES, max_size=5)


@settings(max_examples=400)
@given(tree=TREES, kind=st.sampled_from([Policy, FlowSection]))
def test_what_msgspec_takes_is_not_misshapen(tree, kind):
    """``misshapen`` asks ``msgspec`` first; the long way must find nothing in what that takes."""
    if shape.misshapen(tree, kind) == []:
        assert list(shape._walk(tree, shape._type_of(kind), ())) == []


def test_kinds_that_msgspec_turns_into_others_are_looked_at():
    wrong = shape.misshapen({"limits": {"timeout": 2.0}}, Policy)
    assert [each.path for each in wrong] == [("limits", "timeout")]

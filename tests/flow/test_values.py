import asyncio
import dataclasses
import functools
import operator
from collections import OrderedDict, deque, namedtuple
from itertools import count
from types import MappingProxyType

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.flow.denial import Code, Denied
from sluicegate.flow.errors import FlowError, OpaqueValueError
from sluicegate.flow.guards import GuardRegistry
from sluicegate.flow.labels import EMPTY, Labels, Trail, add_untrusted, bless
from sluicegate.flow.labels.trust import grant
from sluicegate.flow.values import (
    Labeled,
    LabeledFailure,
    attach,
    branch,
    captured,
    combine,
    contents,
    labeled,
    labels_of,
    opening,
    relabel,
    select,
)

SECRET, PII, MCP = Labels.of("secret"), Labels.of("pii"), Labels.of("src:mcp")
KEY = Labeled("sk-123", SECRET)

DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.binary(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    | st.tuples(inner, inner) | st.sets(st.integers(), max_size=3),
    max_leaves=8,
)  # fmt: skip
SETS = st.sampled_from([EMPTY, SECRET, PII, MCP, SECRET | PII, Labels.of("trusted"), Labels.of("untrusted")])


def content(value):
    """What is inside, taken out as nothing but a test should: a failure as ``("failed", words)``."""
    found = []
    value.map(found.append)
    return found[0] if found else ("failed", content(value.failure))


# One value.


@given(DATA, SETS)
def test_what_goes_in_comes_out_as_it_was(data, labels):
    value = Labeled(data, labels)
    assert value.labels is labels
    assert content(value) == data
    assert type(content(value)) is type(data)


@given(DATA, SETS, SETS)
def test_a_function_gives_a_value_with_the_same_labels(data, labels, more):
    value = Labeled(data, labels, Trail.of("mcp:get"))
    made = value.map(lambda plain: Labeled([plain], more), step="transform:list")
    assert made.labels is labels | more
    assert content(made) == [data]
    assert made.trail.words == ("mcp:get", "transform:list")


@given(st.lists(st.tuples(DATA, SETS), max_size=4))
def test_together_they_have_the_labels_of_all(pairs):
    values = [Labeled(data, labels) for data, labels in pairs]
    union = Labels.join_all(labels for _, labels in pairs)
    assert Labeled.join(*values).labels is union
    assert combine(lambda *plain: len(plain), *values).labels is union
    assert content(combine(lambda *plain: plain, *values)) == tuple(data for data, _ in pairs)


def test_values_of_values_join():
    twice = Labeled(Labeled("a", SECRET, Trail.of("one")), PII, Trail.of("two"))
    assert twice.labels is SECRET | PII
    assert twice.trail.words == ("one", "two")
    assert content(twice) == "a"


def test_a_value_does_not_change():
    value = Labeled("a", SECRET)
    value.__init__("b", EMPTY)
    assert value.labels is SECRET
    assert content(value) == "a"
    for change in (lambda: setattr(value, "labels", EMPTY), lambda: delattr(value, "trail")):
        with pytest.raises(AttributeError):
            change()


def test_mixed_operands_and_methods():
    assert content("Bearer " + KEY) == "Bearer sk-123"
    assert ("Bearer " + KEY).labels is SECRET
    assert content(KEY + Labeled("!", PII)) == "sk-123!"
    assert (KEY == "sk-123").labels is SECRET
    assert content(KEY == "sk-123") is True
    assert content(KEY != "sk-123") is False
    assert content(Labeled(10, SECRET) % 4) == 2
    assert content(10 % Labeled(4, SECRET)) == 2
    assert content((-Labeled(3)) ** 2) == 9
    assert content(Labeled("%s!", SECRET) % "a") == "a!"
    assert content([1] + Labeled([2], SECRET)) == [1, 2]  # noqa: RUF005 - the operator is the point


def test_an_error_of_an_operator_is_a_value_too():
    made = KEY + 1
    assert made.labels is SECRET
    assert content(made)[0] == "failed"
    assert content(made + "x") == content(made)
    assert content(made.failed) is True
    assert content(KEY.failed) is False
    assert content(KEY.failure) == ""


def test_recovery_from_a_failure_is_as_labelled_as_it():
    failed = KEY.map(int)
    known = failed.recover(lambda words: len(words) > 0)
    assert known.labels is SECRET
    assert content(known) is True
    assert content(KEY.recover(lambda words: 0)) == "sk-123"
    assert KEY.recover(lambda words: 0).labels is SECRET
    assert failed.recover(lambda words: KEY if words else 0).labels is SECRET


def test_a_function_that_brings_labels_along_gives_them_to_the_result():
    other = Labeled(1, PII)
    assert KEY.map(lambda text: (text, other) and 1).labels is SECRET | PII
    assert KEY.map(functools.partial(lambda extra, text: 1, other)).labels is SECRET | PII
    assert combine(lambda text, extra=other: 1, KEY).labels is SECRET | PII


def test_coroutine_functions():
    async def fetch(text):
        await asyncio.sleep(0)
        return text.upper()

    async def fail(text):
        raise ValueError(text)

    async def run():
        made, failed, again = await asyncio.gather(
            KEY.amap(fetch, step="fetch"), KEY.amap(fail), KEY.map(int).amap(fetch)
        )
        return made, failed, again

    made, failed, again = asyncio.run(run())
    assert content(made) == "SK-123"
    assert made.labels is SECRET
    assert made.trail.words == ("fetch",)
    assert content(failed) == ("failed", "ValueError: sk-123")
    assert failed.labels is SECRET
    assert content(again)[1].startswith("ValueError: invalid literal")


def test_code_that_would_run_later_is_refused():
    async def later(text):
        return text

    for function in (later, lambda text: (char for char in text), lambda text: map(str.upper, text)):
        made = KEY.map(function)
        assert made.labels is SECRET
        assert "runs later" in content(made)[1]


# Templates.


def test_a_template_takes_the_labels_of_what_fills_it():
    made = Labeled.format("Dear {} of {town}", Labeled("Ann", PII), town=Labeled("Ur", MCP))
    assert content(made) == "Dear Ann of Ur"
    assert made.labels is PII | MCP
    assert Labeled("{}", SECRET).format("a").labels is SECRET
    assert content(Labeled.format("{}", "a")) == "a"
    assert content(Labeled.format("{missing}", KEY))[0] == "failed"
    assert Labeled.format("{missing}", KEY).labels is SECRET


def test_a_template_calls_its_arguments_what_it_likes():
    made = Labeled.format("{self} {template} {values}", self=1, template=Labeled(2, PII), values=3)
    assert content(made) == "1 2 3"


# Choosing.


@given(st.booleans(), SETS, SETS, SETS)
def test_a_choice_has_the_labels_of_all_three(truth, asked, yes, no):
    made = select(Labeled(truth, asked), Labeled("y", yes), Labeled("n", no))
    assert made.labels is asked | yes | no
    assert content(made) == ("y" if truth else "n")


def test_a_choice_by_a_failure_fails():
    assert content(select(KEY.map(int), 1, 2))[0] == "failed"
    assert content(select(KEY, Labeled("a"), KEY.map(int))) == "a"


# Containers.


def record():
    return Labeled({"key": KEY, "name": Labeled("Ann", PII), "count": 2})


def test_fields_have_their_own_labels_and_the_whole_has_all():
    assert record().labels is SECRET | PII
    assert record()["key"].labels is SECRET
    assert record()["name"].labels is PII
    assert record()["count"].labels is EMPTY
    assert content(record()) == {"key": "sk-123", "name": "Ann", "count": 2}


def test_labels_on_the_whole_are_on_every_field():
    whole = Labeled(record(), MCP)
    assert whole.labels is SECRET | PII | MCP
    assert whole["count"].labels is MCP
    assert whole["key"].labels is SECRET | MCP
    assert whole.keys().labels is MCP


def test_nested_fields():
    value = Labeled({"users": [{"key": KEY}, {"key": "public"}], "n": 1})
    assert value["users"][0]["key"].labels is SECRET
    assert value["users"][1]["key"].labels is EMPTY
    assert value["users"].labels is SECRET
    assert value["n"].labels is EMPTY
    assert content(value) == {"users": [{"key": "sk-123"}, {"key": "public"}], "n": 1}


def test_a_labelled_key_joins_its_labels_and_those_of_every_part():
    """Which part it is, and so which labels that part has, tells of the key."""
    table = Labeled({"sk-123": Labeled("a", PII), "other": Labeled("b", MCP)})
    assert table[KEY].labels is SECRET | PII | MCP
    assert content(table[KEY]) == "a"
    assert Labeled(["a", "b"])[Labeled(1, SECRET)].labels is SECRET
    assert table[Labeled("other")].labels is MCP
    assert table.get(KEY, "none").labels is SECRET | PII | MCP
    assert table.contains(KEY).labels is SECRET
    assert table[Labeled("nobody", SECRET)].labels is SECRET | PII | MCP


def test_a_missing_part_is_a_failure_labelled_by_the_shape():
    assert content(record()["nothing"])[0] == "failed"
    assert record()["nothing"].labels is EMPTY
    assert Labeled(record(), MCP)["nothing"].labels is MCP
    assert content(record()[["unhashable"]])[0] == "failed"
    assert record().get("nothing", 5).labels is EMPTY
    assert content(record().get("nothing", 5)) == 5
    assert record().get("key").labels is SECRET
    assert content(Labeled({"a": 1}, SECRET).get("b", 7)) == 7


def test_keys_items_values_len():
    assert content(record().keys()) == ["key", "name", "count"]
    assert record().keys().labels is EMPTY
    assert content(record().len()) == 3
    assert record().len().labels is EMPTY
    items = record().items()
    assert items.labels is SECRET | PII
    assert [items[place][1].labels for place in range(3)] == [SECRET, PII, EMPTY]
    assert content(items) == [("key", "sk-123"), ("name", "Ann"), ("count", 2)]
    assert record().values()[2].labels is EMPTY
    assert record().contains("key").labels is EMPTY
    assert content(record().contains("key")) is True
    whole = Labeled({"a": 1, "b": 2}, SECRET)
    for made in (whole.keys(), whole.values(), whole.items(), whole.len(), whole.contains("a"), whole["a"]):
        assert made.labels is SECRET
    assert content(whole.items()) == [("a", 1), ("b", 2)]
    assert content(Labeled(5, SECRET).keys())[0] == "failed"


def test_a_public_shape_may_be_asked_and_walked():
    assert len(record()) == 3
    assert bool(record())
    assert not Labeled({})
    assert [content(key) for key in record()] == ["key", "name", "count"]
    items = Labeled([KEY, 1, Labeled(2, PII)])
    assert [part.labels for part in items] == [SECRET, EMPTY, PII]
    assert [part.labels for part in reversed(items)] == [PII, EMPTY, SECRET]
    first, *_ = items
    assert first.labels is SECRET


def test_a_secret_shape_may_not():
    whole = Labeled([KEY, 1], PII)
    for ask in (len, bool, list, iter, reversed):
        with pytest.raises(OpaqueValueError):
            ask(whole)


def test_slices_keep_the_labels_of_the_parts():
    items = Labeled([KEY, 1, Labeled(2, PII)])
    assert items[1:].labels is PII
    assert content(items[:2]) == ["sk-123", 1]
    assert items[1:][0].labels is EMPTY
    assert items[-1].labels is PII
    assert content(items[9])[0] == "failed"
    assert content(items[1:"x"])[0] == "failed"
    assert items[Labeled(1, MCP) :].labels is SECRET | PII | MCP
    assert content(KEY[:2]) == "sk"
    assert content(KEY[: Labeled(2, PII)]) == "sk"
    assert KEY[: Labeled(2, PII)].labels is SECRET | PII


def test_how_many_parts_a_set_has_depends_on_what_they_are():
    things = Labeled([1, Labeled(1, SECRET)]).map(set)
    assert things.labels is SECRET
    assert things.len().labels is SECRET
    assert content(things.len()) == 1
    assert Labeled(frozenset({1, 2}), PII).len().labels is PII
    each = Labeled({1, 2}, PII).each(lambda part: Labeled(0, SECRET))
    assert content(each) == [0, 0]
    assert each.len().labels is PII


Point = namedtuple("Point", "x y")


@dataclasses.dataclass(frozen=True)
class User:
    name: str
    key: object


def test_tuples_with_names_and_dataclasses():
    point = Labeled(Point(1, KEY))
    assert content(point) == Point(1, "sk-123")
    assert point[0].labels is EMPTY
    assert point[1].labels is SECRET
    user = Labeled(User("Ann", KEY))
    assert user["name"].labels is EMPTY
    assert user["key"].labels is SECRET
    assert content(user) == User("Ann", "sk-123")
    assert content(Labeled(OrderedDict(a=KEY))) == {"a": "sk-123"}


class Frozen(msgspec.Struct, frozen=True, gc=False):
    name: str
    key: object
    spare: object = None


def test_structs():
    user = Labeled(Frozen("Ann", KEY))
    assert user["name"].labels is EMPTY
    assert user["key"].labels is SECRET
    assert content(user) == Frozen("Ann", "sk-123")
    assert Frozen("Ann", KEY).key is KEY, "a value that was taken in is not changed"


def test_labels_inside_structs_are_found():
    """The collector follows no struct that was made with gc=False, and one inside an object is found all the same."""
    assert labels_of(Frozen("Ann", KEY)) == SECRET
    assert labels_of(functools.partial(print, Frozen("Ann", KEY))) == SECRET


def test_each_part_by_itself():
    made = record().each(lambda part: Labeled([part]))
    assert made["key"].labels is SECRET
    assert made["count"].labels is EMPTY
    assert content(made) == {"key": ["sk-123"], "name": ["Ann"], "count": [2]}
    assert content(Labeled([1, 2], SECRET).each(lambda part: part + 1)) == [2, 3]
    assert Labeled([1, 2], SECRET).each(lambda part: part + 1).labels is SECRET
    assert content(Labeled(5).each(abs))[0] == "failed"
    partly = record().each(len)
    assert content(partly["key"]) == 6
    assert content(partly["count"])[0] == "failed"
    assert content(partly)[0] == "failed"


def test_nobody_reaches_into_a_value_through_what_he_gave_or_was_given():
    given_in = {"list": [1], "bytes": bytearray(b"a"), "pair": ([2],), "point": Point([3], 4)}
    value = Labeled(given_in, SECRET)
    given_in["list"].append("changed")
    given_in["new"] = 1

    def spoil(plain):
        plain["list"].append("changed")
        plain["pair"][0].append("changed")
        plain["point"].x.append("changed")
        plain["bytes"] += b"changed"
        plain.clear()

    value.map(spoil)
    expected = {"list": [1], "bytes": bytearray(b"a"), "pair": ([2],), "point": Point([3], 4)}
    assert content(value) == expected
    together = Labeled.join(value, KEY)
    together.map(lambda plain: plain[0]["list"].append(plain[1]))
    assert content(value) == expected


def test_endless_data_is_refused():
    endless = []
    endless.append(endless)
    with pytest.raises(FlowError, match="contains itself"):
        Labeled(endless)
    with pytest.raises(FlowError, match="contains itself"):
        Labeled([endless, KEY])
    made = KEY.map(lambda text: endless)
    assert made.labels is SECRET
    assert "contains itself" in content(made)[1]


@given(DATA, SETS, SETS)
def test_the_whole_has_the_labels_of_every_part(data, labels, more):
    value = Labeled({"a": Labeled(data, labels), "b": [Labeled(1, more)]})
    assert value.labels is labels | more
    assert labels <= value["a"].labels <= value.labels
    assert content(value) == {"a": data, "b": [1]}


# Labels on values.


def test_more_labels_on_every_part():
    value = record().labelled("internal")
    assert value["count"].labels is Labels.of("internal")
    assert value["key"].labels is Labels.of("secret", "internal")


def test_untrusted_takes_the_place_of_trusted_on_every_part():
    value = Labeled([Labeled(1, Labels.of("trusted", "src:user")), 2])
    assert value.labelled("untrusted")[0].labels is Labels.of("untrusted", "src:user")
    assert not value.labelled("untrusted").labels.trusted


@pytest.mark.parametrize(
    ("labels", "code"),
    [
        (Labels.of("untrusted"), Code.TRUST_CONFLICT),
        (Labels.of("untrusted", "src:mcp"), Code.TRUST_CONFLICT),
        (Labels.of("src:mcp"), Code.LABEL_PRIVILEGE_REQUIRED),
        (Labels.of("dir:/tmp", "src:file"), Code.LABEL_PRIVILEGE_REQUIRED),
    ],
)
def test_nobody_makes_a_value_trusted_by_saying_so(labels, code):
    for value in (Labeled(1, labels), Labeled([Labeled(1, labels), 2]), Labeled({"a": [Labeled(1, labels)]})):
        with pytest.raises(Denied) as error:
            value.labelled("trusted")
        assert error.value.denial.code is code


def test_what_the_program_made_itself_or_is_trusted_already_may_be_called_trusted():
    assert Labeled(1).labelled("trusted").labels.trusted
    assert Labeled(1, Labels.of("trusted", "src:user")).labelled("trusted", "mine").labels.trusted


def test_relabelling_reaches_every_part():
    value = Labeled(
        {"a": Labeled(1, Labels.of("untrusted", "secret")), "b": 2}, Labels.of("untrusted", "src:mcp")
    )
    privilege = grant(holder="guard", source="test")
    blessed = relabel(value, lambda labels: bless(labels, privilege).labels)
    assert blessed.labels is Labels.of("trusted", "secret", "src:mcp")
    assert blessed["b"].labels is Labels.of("trusted", "src:mcp")
    assert content(blessed) == {"a": 1, "b": 2}
    assert relabel(blessed, add_untrusted)["a"].labels.untrusted


def test_relabelling_inside_a_branch_keeps_the_labels_of_the_branch():
    for value in (KEY, Labeled([KEY])):
        with branch(Labeled(1, MCP)):
            assert relabel(value, lambda labels: EMPTY).labels is MCP


# Labels in things.


def capturing():
    key = KEY

    def use():
        return key

    return use


GLOBAL = Labeled("global", MCP)
GLOBAL_TABLE = {"a": [GLOBAL]}


def by_global():
    return GLOBAL


def by_global_inside():
    return [(lambda: GLOBAL_TABLE) for _ in range(1)]


class Client:
    def __init__(self, key):
        self.key = key

    def send(self):
        return self.key


class Slotted:
    __slots__ = ("key", "unset")

    def __init__(self, key):
        self.key = key


def wrapped():
    @functools.wraps(by_global)
    def wrapper():
        return None

    return wrapper


def generating(key):
    yield key


def recursive():
    key = KEY

    def inner():
        return inner, key

    return inner


def unassigned():
    def inner():
        return later  # noqa: F821 - deleted below

    result = captured(inner)
    later = KEY
    del later
    return result


SELF_CONTAINING = [KEY]
SELF_CONTAINING.append(SELF_CONTAINING)


@pytest.mark.parametrize(
    ("thing", "expected"),
    [
        (KEY, SECRET),
        (SECRET, SECRET),
        ("plain", EMPTY),
        (None, EMPTY),
        (len, EMPTY),
        ([1, [KEY]], SECRET),
        ({"a": (KEY,)}, SECRET),
        ({"a": {1, 2}}, EMPTY),
        (SELF_CONTAINING, SECRET),
        (slice(KEY), SECRET),
        (User("a", KEY), SECRET),
        (Point(1, KEY), SECRET),
        (Client(KEY), SECRET),
        (Client(Client(KEY)), SECRET),
        (Slotted(KEY), SECRET),
        (Client(KEY).send, SECRET),
        (capturing(), SECRET),
        (recursive(), SECRET),
        (lambda key=KEY: key, SECRET),
        (lambda *, key=KEY: key, SECRET),
        (by_global, MCP),
        (by_global_inside, MCP),
        (wrapped(), MCP),
        (functools.partial(print, KEY), SECRET),
        (functools.partial(print, end=KEY), SECRET),
        (functools.partial(functools.partial(capturing(), 1), 2), SECRET),
        ([KEY].append, SECRET),
        (deque([KEY]), SECRET),
        (MappingProxyType({"a": KEY}), SECRET),
        ({"a": KEY}.values(), SECRET),
        (iter([KEY]), SECRET),
        (map(str, [KEY]), SECRET),
        ((part for part in [KEY]), SECRET),
        (generating(KEY), SECRET),
        (Client(Client(Client(deque([KEY])))), SECRET),
        (GuardRegistry(), EMPTY),
        (operator.attrgetter, EMPTY),
        (ValueError(KEY), SECRET),
        (Client, EMPTY),
        (dataclasses, EMPTY),
        ([SECRET], EMPTY),
        (lambda label=SECRET: label, EMPTY),
    ],
    ids=map(str, count()),
)
def test_labels_are_found_in(thing, expected):
    assert labels_of(thing) is expected
    assert captured(thing) is expected


@pytest.mark.parametrize("order", [1, -1])
def test_a_short_way_counts_where_a_long_one_is_too_deep(order):
    near = Client(Client(KEY))
    ways = [Client(Client(Client(near))), near]
    assert labels_of(ways[::order]) is SECRET
    assert labels_of(ways[:1]) is EMPTY


def test_a_cell_that_is_not_assigned_holds_nothing():
    assert unassigned() is EMPTY


def test_labels_attached_to_an_exception_join():
    error = ValueError("x")
    attach(error, EMPTY)
    assert labels_of(error) is EMPTY
    attach(error, SECRET)
    attach(error, PII)
    assert labels_of(error) is SECRET | PII


def test_labels_are_attached_whatever_the_class_of_the_exception_says():
    class Stubborn(Exception):
        def __setattr__(self, name, value):
            raise TypeError(name)

    try:
        with branch(KEY):
            raise Stubborn
    except Stubborn as error:
        assert labels_of(error) is SECRET
    assert labels_of(ExceptionGroup("all", [ValueError(KEY)])) is SECRET


def test_a_function_as_a_value_brings_what_it_captured():
    assert Labeled(capturing()).labels is SECRET


# The way out.


@pytest.fixture
def opener(monkeypatch):
    monkeypatch.setattr(opening, "_handed_out", False)
    return opening.hand_out_opener()


def test_the_opener_is_handed_out_once(opener):
    with pytest.raises(FlowError, match="handed out"):
        opening.hand_out_opener()


def test_the_opener_opens_values_and_containers_of_them(opener):
    assert opener(KEY) == "sk-123"
    assert opener(record()) == {"key": "sk-123", "name": "Ann", "count": 2}
    assert opener([KEY, {"a": KEY}]) == ["sk-123", {"a": "sk-123"}]
    assert opener("plain") == "plain"
    with pytest.raises(LabeledFailure) as error:
        opener([1, KEY.map(int)])
    assert error.value.labels is SECRET
    assert labels_of(error.value) is SECRET
    assert "sk-123" not in error.value.diagnostics()
    with pytest.raises(TypeError):
        opener.__reduce__()


def test_a_failure_is_taken_up_by_its_handler(opener):
    try:
        opener(KEY.map(int))
    except LabeledFailure as error:
        with branch(error):
            assert Labeled("made here").labels is SECRET


@pytest.mark.parametrize("container", [list, dict, tuple])
def test_a_part_of_a_large_container_costs_no_copy_of_the_others(container, monkeypatch):
    copied = []
    real = contents.fresh
    rows = [{"id": n} for n in range(1000)]
    value = Labeled(dict(enumerate(rows)) if container is dict else container(rows), Labels.of("src:mcp"))
    monkeypatch.setattr(labeled, "fresh", lambda thing, *more: copied.append(thing) or real(thing, *more))
    part = value[500]
    assert part.labels is Labels.of("src:mcp")
    assert copied == [{"id": 500}]  # the part
    monkeypatch.undo()
    assert content(part) == {"id": 500}
    assert content(value[1000].failed) is True
    content(part)["id"] = 0
    assert content(value[500]) == {"id": 500}

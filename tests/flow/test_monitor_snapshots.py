"""What is done is what was judged, whoever changes the arguments meanwhile."""

from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque
from dataclasses import dataclass
from types import MappingProxyType

import msgspec
import pytest
from monitor_samples import bench, guard, registry

from sluicegate.flow import Allow, Denied, Labeled, Labels, Permit
from sluicegate.flow.errors import FlowError

POLICY = {"arguments": {name: {"p.amount": {"max": 100}} for name in ("bank:pay", "pay")}}


@pytest.fixture
def changing(tmp_path):
    """A monitor whose guard lets an argument be changed while it looks, and the argument."""
    box = {"amount": 5, "deep": [{"x": 1}]}

    def looks(context) -> bool:
        box["amount"] = 5000
        box["deep"][0]["x"] = 2
        return True

    watching = [guard(f"op:{kind}", Allow(), when=looks, name=f"slow-{kind}") for kind in ("mcp", "call")]
    return bench(tmp_path, POLICY, guards=registry(*watching)).monitor, box


@pytest.mark.parametrize("session", ["", "chat"])
def test_a_permit_is_for_what_was_judged(changing, session):
    monitor, box = changing
    found = monitor.decide("bank:pay", {"p": box}, monitor.session(session) if session else None)
    assert isinstance(found, Permit)
    assert found.values == {"p": {"amount": 5, "deep": [{"x": 1}]}}
    monitor.settle(found, "done")


def test_an_effect_outside_is_given_what_was_judged(changing):
    monitor, box = changing
    given = []
    monitor.external("bank:pay", {"p": box}, lambda p: given.append(p))
    assert given == [{"amount": 5, "deep": [{"x": 1}]}]


def test_a_function_is_not_called_with_what_nobody_judged(changing):
    monitor, box = changing
    given = []

    @monitor.operation
    def pay(p):
        given.append(p)

    with pytest.raises(FlowError, match="was changed while it was decided on"):
        pay(box)
    assert given == []


class OwnDict(dict):
    pass


class OwnList(list):
    pass


class OwnTuple(tuple):
    __slots__ = ()


@dataclass
class Payment:
    amount: int


@dataclass(eq=False)
class PaymentOfItsOwn:
    amounts: list


class Sum(msgspec.Struct):
    amount: int


def _set(place, key):
    def change():
        place[key] = 5000

    return change


CASES = {
    "dict": lambda base: (base, base),
    "ordered": lambda base: (one := OrderedDict(base), one),
    "default": lambda base: (one := defaultdict(int, base), one),
    "counter": lambda base: (one := Counter(base), one),
    "user dict": lambda base: (one := UserDict(base), one),
    "own dict": lambda base: (one := OwnDict(base), one),
    "own list": lambda base: (OwnList([base]), base),
    "own tuple": lambda base: (OwnTuple([base]), base),
    "user list": lambda base: (UserList([base]), base),
    "deque": lambda base: (deque([base]), base),
    "proxy": lambda base: (MappingProxyType(base), base),
    "chain": lambda base: (ChainMap(base), base),
    "in a dataclass": lambda base: (PaymentOfItsOwn([base]), base),
    "a dataclass": lambda base: (one := Payment(5), vars(one)),
    "in a struct": lambda base: (Sum([base]), base),
}
WAYS = {
    "itself": lambda value: value,
    "labelled": lambda value: Labeled(value, Labels.of("pii")),
    "in a list": lambda value: [value],
    "in a labelled list": lambda value: Labeled([value], Labels.of("pii")),
    "in a labelled object of a labelled one": lambda value: Labeled({"x": Labeled(value, Labels.of("pii"))}),
}


@pytest.mark.parametrize("policy", [POLICY, {}], ids=["ruled", "not ruled"])
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_containers_of_other_classes_and_inside_of_labelled_values_stay_as_they_were(
    tmp_path, case, way, policy
):
    """What reaches the tool or the function holds what it held when it was given; nobody changes it on the way."""
    value, place = case({"amount": 5})
    change = _set(place, "amount")
    watching = [
        guard(f"op:{kind}", Allow(), when=lambda context: change() or True, name=kind)
        for kind in ("mcp", "call")
    ]
    monitor = bench(tmp_path, policy, guards=registry(*watching)).monitor
    seen = []

    def keep(p):
        seen.append(repr_of(p))

    pay = monitor.operation(keep, name="pay")
    for call in (pay, lambda p: monitor.external("bank:pay", {"p": p}, keep)):
        place["amount"] = 5
        argument = way(value)
        try:
            call(argument)
        except Denied:
            assert policy
        except FlowError as error:
            assert "was changed while it was decided on" in str(error)
    assert not any("5000" in each for each in seen)


def repr_of(value) -> str:
    """All that stands in a value, as text."""
    return repr(msgspec.to_builtins(value, enc_hook=_told))


def _told(value):
    return (
        dict(value) if hasattr(value, "keys") else vars(value) if hasattr(value, "__dict__") else list(value)
    )


def test_what_is_the_same_is_not_taken_for_changed(tmp_path):
    monitor = bench(tmp_path, {}).monitor
    given = []
    pay = monitor.operation(given.append, name="pay")
    for case in CASES.values():
        value, _ = case({"amount": 5})
        pay(value)
    assert len(given) == len(CASES)


def test_what_cannot_be_copied_is_not_judged(tmp_path):
    class Odd(dict):
        def __copy__(self):
            raise RuntimeError("amount 4711")

    monitor = bench(tmp_path, POLICY).monitor
    with pytest.raises(FlowError, match="cannot be copied") as error:
        monitor.external("bank:pay", {"p": Odd(amount=5)}, lambda p: p)
    assert "4711" not in str(error.value)

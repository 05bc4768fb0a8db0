"""The program counter, and what a program that holds to it can be told of a secret: nothing."""

import asyncio
import concurrent.futures
import contextlib
import contextvars
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.flow.denial import Denied
from sluicegate.flow.errors import OpaqueValueError
from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.values import Labeled, LabeledFailure, branch, carry, combine, labels_of, pc, select

SECRET, PII, MCP = Labels.of("secret"), Labels.of("pii"), Labels.of("src:mcp")
KEY = Labeled("sk-123", SECRET)
OTHER = Labeled(4, PII)


def test_inside_a_branch_everything_carries_its_labels():
    with branch(KEY) as labels:
        assert labels is SECRET
        assert pc() is SECRET
        assert Labeled("made here").labels is SECRET
        assert (OTHER + 1).labels is SECRET | PII
        assert select(True, 1, 2).labels is SECRET
        assert Labeled({"a": 1, "b": OTHER})["a"].labels is SECRET
        with branch(OTHER, Labeled(0, MCP)):
            assert pc() is SECRET | PII | MCP
        assert pc() is SECRET
    assert pc() is EMPTY
    assert Labeled("made here").labels is EMPTY


def test_inside_a_branch_its_condition_may_be_asked():
    with branch(KEY == "sk-123"):
        assert KEY == "sk-123"
        assert len(KEY) == 6
        assert "sk" in KEY
        assert [part.labels for part in KEY] == [SECRET] * 6
        with pytest.raises(OpaqueValueError):
            bool(OTHER)
        with pytest.raises(OpaqueValueError):
            bool(OTHER in Labeled([4]))


def test_a_condition_may_be_anything_that_carries_labels():
    with branch([KEY, {"a": OTHER}], MCP):
        assert pc() is SECRET | PII | MCP
    with branch(True):
        assert pc() is EMPTY
    with branch():
        assert pc() is EMPTY


def test_the_same_branch_may_be_entered_again_and_inside_itself():
    asked = branch(KEY)
    for _ in range(2):
        with asked, asked:
            assert pc() is SECRET
        assert pc() is EMPTY


def test_an_exception_that_leaves_carries_the_labels():
    error = None
    try:
        with branch(OTHER), branch(KEY):
            raise ValueError("x")
    except ValueError as caught:
        error = caught
    assert pc() is EMPTY
    assert labels_of(error) is SECRET | PII
    with branch(error):
        assert Labeled(1).labels is SECRET | PII


def test_functions_given_to_map_run_inside_a_branch():
    seen = []
    KEY.map(lambda text: seen.append(pc()))
    combine(lambda *_: seen.append(pc()), KEY, OTHER)
    Labeled([KEY, OTHER]).each(lambda part: seen.append(pc()))
    assert seen == [SECRET, SECRET | PII, SECRET, PII]


def test_the_shape_counts_for_what_is_done_with_each_part():
    seen = []
    Labeled([1, 2], SECRET).each(lambda part: seen.append(pc()))
    assert seen == [SECRET, SECRET]


def test_branches_end_in_any_order():
    """A generator that is resumed late ends its branch while another, begun after it, goes on."""

    def generator():
        with branch(KEY):
            yield
        yield

    running = generator()
    next(running)
    assert pc() is SECRET
    with branch(OTHER):
        next(running)
        assert pc() is PII
    assert pc() is EMPTY


def test_a_context_manager_may_hold_a_branch():
    @contextlib.contextmanager
    def asked():
        with branch(KEY):
            yield

    with asked():
        assert pc() is SECRET
    assert pc() is EMPTY


# What is started inside.


def test_tasks_started_inside_stay_inside():
    seen = {}

    async def note(name):
        await asyncio.sleep(0)
        seen[name] = pc()

    async def main():
        with branch(KEY):
            inside = asyncio.create_task(note("task"))
            seen["to_thread"] = await asyncio.to_thread(pc)
            seen["executor"] = await asyncio.get_running_loop().run_in_executor(None, pc)
            asyncio.get_running_loop().call_soon(lambda: seen.update(soon=pc()))
        outside = asyncio.create_task(note("outside"))
        await asyncio.gather(inside, outside)
        seen["after"] = await asyncio.get_running_loop().run_in_executor(None, pc)

    asyncio.run(main())
    assert seen == {
        "task": SECRET, "to_thread": SECRET, "executor": SECRET, "soon": SECRET, "outside": EMPTY, "after": EMPTY,
    }  # fmt: skip


def test_tasks_do_not_disturb_each_other():
    async def work(value):
        with branch(value):
            for _ in range(5):
                await asyncio.sleep(0)
                assert pc() is value.labels
        return pc()

    async def main():
        return await asyncio.gather(*(work(value) for value in [KEY, OTHER, Labeled(1)] * 5))

    assert set(asyncio.run(main())) == {EMPTY}


class Worker(threading.Thread):
    """With a run() of its own."""

    def __init__(self):
        super().__init__()
        self.seen = None

    def run(self):
        self.seen = pc()


def test_threads_started_inside_stay_inside_even_after_it():
    gate = threading.Event()
    seen = []

    def wait():
        gate.wait()
        seen.append(pc())

    with branch(KEY):
        late, own = threading.Thread(target=wait), Worker()
        late.start()
        own.start()
    outside = Worker()
    outside.start()
    gate.set()
    for thread in (late, own, outside):
        thread.join()
    assert seen == [SECRET]
    assert own.seen is SECRET
    assert outside.seen is EMPTY


def test_a_timer_started_inside_stays_inside():
    seen = []
    with branch(KEY):
        timer = threading.Timer(0, lambda: seen.append(pc()))
        timer.start()
    timer.join()
    assert seen == [SECRET]


def test_pools_run_what_was_given_inside_and_the_rest_outside():
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        before = pool.submit(pc)
        with branch(KEY):
            inside = pool.submit(pc)
            mapped = list(pool.map(lambda _: pc(), range(3)))
        after = [pool.submit(pc) for _ in range(4)]
    assert (before.result(), inside.result(), mapped) == (EMPTY, SECRET, [SECRET] * 3)
    assert {each.result() for each in after} == {EMPTY}


def test_a_worker_that_starts_inside_serves_others_outside():
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        with branch(KEY):
            assert pool.submit(pc).result() is SECRET
        assert pool.submit(pc).result() is EMPTY


def test_errors_of_a_pool_carry_the_labels():
    def fail():
        raise ValueError("x")

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        with branch(KEY):
            running = pool.submit(fail)
        assert labels_of(running.exception()) is SECRET


def test_carry_takes_the_branch_along():
    with branch(KEY):
        carried = carry(lambda extra: (pc(), extra))
    assert carried(1) == (SECRET, 1)
    with branch(OTHER):
        assert carried(extra=2) == (SECRET | PII, 2)


def test_a_copied_context_keeps_its_branch():
    with branch(KEY):
        context = contextvars.copy_context()
    assert context.run(pc) is SECRET
    assert pc() is EMPTY


def test_map_of_a_coroutine_function_runs_inside_a_branch():
    async def note(text):
        await asyncio.sleep(0)
        return str(pc())

    async def main():
        made = await KEY.amap(note)
        return made, pc()

    made, after = asyncio.run(main())
    assert after is EMPTY
    found = []
    made.map(found.append)
    assert found == ["Labels(secret)"]


# Non-interference: two runs that differ in the secret look the same.

DATA = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.text("ab{}0", max_size=3),
    st.lists(st.integers(0, 2), max_size=3), st.dictionaries(st.sampled_from("ab"), st.integers(), max_size=2),
)  # fmt: skip

STEPS = {
    "add": lambda a, b: a + b,
    "times": lambda a, b: a * 2,
    "equal": lambda a, b: a == b,
    "less": lambda a, b: a < b,
    "item": lambda a, b: a[b],
    "first": lambda a, b: a[0],
    "key a": lambda a, b: a["a"],
    "slice": lambda a, b: a[1:],
    "cut": lambda a, b: a[b:],
    "get": lambda a, b: a.get("a", b),
    "get labelled": lambda a, b: a.get(b),
    "contains": lambda a, b: a.contains(b),
    "keys": lambda a, b: a.keys(),
    "items": lambda a, b: a.items(),
    "values": lambda a, b: a.values(),
    "len": lambda a, b: a.len(),
    "int": lambda a, b: a.map(int),
    "text": lambda a, b: a.map(str),
    "set": lambda a, b: a.map(set),
    "each": lambda a, b: a.each(lambda part: [part]),
    "recover": lambda a, b: a.recover(lambda words: words),
    "failed": lambda a, b: a.failed,
    "failure": lambda a, b: a.failure,
    "format": lambda a, b: Labeled.format("{} {x}", a, x=b),
    "as template": lambda a, b: a.format(b),
    "pair": lambda a, b: Labeled.join(a, b),
    "dict": lambda a, b: Labeled({"a": a, "b": b}),
    "list": lambda a, b: Labeled([a, b, 1]),
    "select": lambda a, b: select(a, b, 1),
    "combine": lambda a, b: combine(lambda x, y: x[y], a, b),
    "captured": lambda a, b: a.map(lambda plain: b),
    "labelled": lambda a, b: a.labelled("untrusted"),
    "claimed": lambda a, b: _claimed(a),
    "branch": lambda a, b: _branched(a, b),
    "truth": lambda a, b: Labeled(bool(a)),
    "size": lambda a, b: Labeled(len(a)),
    "loop": lambda a, b: Labeled([part for part in a]),  # noqa: C416
    "inside": lambda a, b: Labeled(b in a),
    "unpack": lambda a, b: Labeled([*a]),
}


def _claimed(value):
    """Trust, claimed; whether that is refused depends on labels alone."""
    try:
        return value.labelled("trusted")
    except Denied:
        return Labeled("refused")


def _branched(asked, other):
    """A branch on the value, with all that may be asked there, as a program would."""
    with branch(asked):
        try:
            return Labeled("yes") if asked else Labeled(list(other) if other.labels <= pc() else "no")
        except (LabeledFailure, OpaqueValueError):
            return Labeled("neither")


def observed(secret, program):
    """Everything a program shows that does not stand in a branch on the secret."""
    values = [
        Labeled(secret, SECRET),
        Labeled(2, PII),
        Labeled({"a": Labeled(secret, SECRET), "b": 1}),
        Labeled("ab"),
    ]
    shown = []
    for step, first, second in program:
        try:
            made = STEPS[step](values[first % len(values)], values[second % len(values)])
        except (OpaqueValueError, LabeledFailure, AttributeError) as error:
            shown.append((type(error), str(error), labels_of(error).names()))
            continue
        shown.append((str(made), made.labels.names(), made.trail.words))
        values.append(made)
    return shown


PROGRAMS = st.lists(
    st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 20), st.integers(0, 20)), max_size=8
)


@settings(max_examples=250, deadline=None)
@given(DATA, DATA, PROGRAMS)
def test_two_secrets_look_the_same(one, other, program):
    assert observed(one, program) == observed(other, program)

"""Two drivers of one procedure: what one does, the other does too."""

import asyncio
import inspect
import threading
import types

import pytest

from sluicegate.flow.monitor import drive as driving
from sluicegate.flow.monitor.drive import Do, NeedsAsync, run, run_async


def adding(*actions, **options):
    """A procedure that adds up what its actions give, and counts an error as 100."""
    total = 0
    for action in actions:
        try:
            total += yield Do(action, **options)
        except ValueError:
            total += 100
    return total


def boom():
    raise ValueError("inner")


def drivers():
    yield run
    yield lambda procedure: asyncio.run(run_async(procedure))


@pytest.mark.parametrize("drive", list(drivers()))
def test_results_and_errors_come_back_into_the_procedure(drive):
    assert drive(adding(lambda: 1, boom, lambda: 3)) == 104
    assert drive(adding()) == 0


@pytest.mark.parametrize("drive", list(drivers()))
def test_an_error_that_the_procedure_raises_has_nothing_of_the_one_it_caught(drive):
    def hiding():
        failed = None
        try:
            yield Do(boom)
        except ValueError as error:
            failed = type(error).__name__
        raise LookupError(failed)

    with pytest.raises(LookupError) as raised:
        drive(hiding())
    assert raised.value.__context__ is None


@pytest.mark.parametrize("drive", list(drivers()))
def test_the_order_to_end_ends_the_procedure(drive):
    ended = []

    def leaving():
        try:
            yield Do(lambda: (_ for _ in ()).throw(GeneratorExit("content")))
        finally:
            ended.append(True)

    with pytest.raises(GeneratorExit) as raised:
        drive(leaving())
    assert raised.value.args == ()
    assert ended == [True]


def test_what_blocks_runs_in_a_thread_under_asyncio_and_the_rest_does_not():
    def where(blocking):
        return (yield Do(threading.get_ident, blocking=blocking))

    async def program():
        return await run_async(where(True)), await run_async(where(False)), threading.get_ident()

    blocking, plain, here = asyncio.run(program())
    assert blocking != here
    assert plain == here
    assert run(where(True)) == threading.get_ident()


def test_a_better_way_under_asyncio_is_taken():
    async def better():
        return "awaited"

    def choosing():
        return (yield Do(lambda: "thread", blocking=True, awaited=better))

    assert run(choosing()) == "thread"
    assert asyncio.run(run_async(choosing())) == "awaited"


def test_a_coroutine_needs_asyncio():
    async def later():
        return 1

    def one():
        return (yield Do(later))

    with pytest.raises(NeedsAsync):
        run(one())
    assert asyncio.run(run_async(one())) == 1


def test_cancelling_reaches_the_procedure():
    seen = []

    def waiting():
        try:
            yield Do(lambda: asyncio.sleep(60))
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def program():
        task = asyncio.create_task(run_async(waiting()))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        return task.cancelled()

    assert asyncio.run(program()) is True
    assert seen == ["cancelled"]


def test_what_can_be_awaited_is_known_without_inspect():
    async def coroutine():
        """Never awaited here."""

    @types.coroutine
    def generator():
        yield

    class Own:
        def __await__(self):
            yield

    several = [
        coroutine(),
        generator(),
        (each for each in ()),
        Own(),
        object(),
        1,
        "x",
        types.SimpleNamespace(),
    ]
    assert [driving._awaitable(each) for each in several] == [inspect.isawaitable(each) for each in several]
    assert driving._awaitable(several[1])
    several[0].close()

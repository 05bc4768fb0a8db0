"""What holds for all tests."""

import ctypes
import gc
import os
import signal
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes says how busy the machine is. Properties are not timed, neither when they are tried nor when
# their examples are drawn. A gate gives one answer to one tree, so the few examples are the same each time; new ones are
# drawn where all are tried.
for name in ("some-examples", "all-examples"):
    settings.register_profile(
        name, deadline=None, derandomize=name == "some-examples", suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("some-examples")

ENOUGH = 40
"""Examples that no property goes below here. With 25, two of five mutants of what some were about were no longer found."""
SETTINGS = "_hypothesis_internal_use_settings"
"""Where Hypothesis keeps the settings of a property. They cannot be given a second time as a decorator."""


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Try properties with a quarter of their examples, or with ``ENOUGH``; with all where ``--hypothesis-profile=all-examples`` is given."""
    if settings.get_current_profile_name() != "some-examples":
        return
    properties = {
        item.obj for item in items if isinstance(item, pytest.Function) and hasattr(item.obj, SETTINGS)
    }
    for each in properties:
        own = getattr(each, SETTINGS)
        some = min(own.max_examples, max(ENOUGH, own.max_examples // 4))
        setattr(each, SETTINGS, settings(own, max_examples=some))


def pytest_configure() -> None:
    """Let the garbage collector look less often: what is collected stays to the end, and it looks through all of it.

    It is not frozen: a scan asks whether anything is (see ``vet.skill``), and to count what is takes longer than a scan.
    """
    gc.set_threshold(100_000)


def pytest_collection_finish() -> None:
    gc.set_threshold(10_000)


HEARD = (signal.SIGINT, signal.SIGTERM)


@pytest.fixture(autouse=True)
def left_as_it_was() -> Iterator[None]:
    """Who changes what all tests of a process share fails, and not whoever comes next."""
    folder, collects = os.getcwd(), gc.isenabled()
    heard = [signal.getsignal(one) for one in HEARD]
    os.umask(mask := os.umask(0o77))
    yield
    assert os.getcwd() == folder, "the current folder"
    assert gc.isenabled() == collects, "the collector of cycles"
    for one, handler in zip(HEARD, heard, strict=True):
        signal.signal(one, handler)  # a command that runs in this process listens to its end
    assert os.umask(mask) == mask, "which permissions new files get"


@pytest.fixture
def interrupts_heard() -> Iterator[None]:
    """A Ctrl-C is a ``KeyboardInterrupt`` here, though a shell may have started the tests so that none is heard."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


ANY_FILE = 1 << 1 | 1 << 2
"""The capabilities of Linux to write and to read whatever the permissions of a file say: CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH."""


@pytest.fixture
def held_by_permissions() -> Iterator[None]:
    """What the permissions of a file forbid its owner is forbidden to this thread, even where the superuser runs the tests."""
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    version = (ctypes.c_uint32 * 2)(0x20080522, 0)  # the third version, and this thread
    had = (ctypes.c_uint32 * 6)()  # effective, permitted and inheritable ones, twice 32 bits
    if not hasattr(libc, "capset") or libc.capget(version, had) != 0:
        pytest.skip("what the superuser may do cannot be taken away here")
    fewer = (ctypes.c_uint32 * 6)(had[0] & ~ANY_FILE, *had[1:])
    assert libc.capset(version, fewer) == 0, os.strerror(ctypes.get_errno())
    try:
        yield
    finally:
        assert libc.capset(version, had) == 0, os.strerror(ctypes.get_errno())

"""The filter of system calls, run by an interpreter of its own over every call, and compared with what it says."""

import errno
import re
import struct
from pathlib import Path

import pytest
from env_support import unhurried
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.flow.environments.confinement import seccomp
from sluicegate.flow.environments.confinement.seccomp import ALLOW, KILL
from sluicegate.flow.environments.confinement.syscalls import LAST_KNOWN, MACHINES
from sluicegate.flow.environments.errors import ProviderUnavailable

EPERM, ENOSYS = 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS


def decide(program: bytes, data: bytes) -> int:
    """Run classic BPF as the kernel does (filter.txt): words at offsets of ``data``, forward jumps, one answer."""
    code = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    accumulator, at = 0, 0
    while True:
        operation, yes, no, value = code[at]
        at += 1
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif operation == 0x06:
            return value
        else:
            tests = {0x15: accumulator == value, 0x25: accumulator > value, 0x45: bool(accumulator & value)}
            at += yes if tests[operation] else no


def call(machine: str, number: int, *arguments: int, architecture: int | None = None) -> bytes:
    words = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    arch = MACHINES[machine].architecture if architecture is None else architecture
    return struct.pack("<IIQ6Q", number & 0xFFFFFFFF, arch, 0, *words)


everywhere = pytest.mark.parametrize("machine", sorted(MACHINES))


def expected(machine: str, name: str | None, number: int) -> int | None:
    """What the module's lists say of a call by its number alone; None where arguments decide."""
    if number > LAST_KNOWN:
        return ENOSYS
    if name in seccomp.REFUSED:
        return EPERM
    if name in seccomp.ABSENT:
        return ENOSYS
    by_arguments = ("clone", "ioctl", "personality", "socket", "socketpair", *seccomp.MODES, *seccomp.OPENS)
    return None if name in by_arguments else ALLOW


@everywhere
@pytest.mark.parametrize("network", [False, True])
def test_every_call_is_answered_as_the_lists_say(machine: str, network: bool):
    program = seccomp.program(machine, network=network)
    names = {number: name for name, number in MACHINES[machine].numbers.items()}
    for number in range(600):
        wanted = expected(machine, names.get(number), number)
        if wanted is not None:
            assert decide(program, call(machine, number)) == wanted, (number, names.get(number))


@everywhere
def test_opening_a_file_is_answered_first(machine: str):
    """It hangs on arguments, so the kernel keeps no answer for it: each instruction before it is run through each time."""
    numbers, begins = MACHINES[machine].numbers, seccomp.program(machine, network=False)[: 20 * 8]
    opens = [numbers[name] for name in seccomp.OPENS if name in numbers]
    assert opens
    assert {decide(begins, call(machine, number)) for number in opens} == {ALLOW}


@everywhere
@unhurried
@given(arch=st.integers(0, 2**32 - 1), number=st.integers(0, 2**32 - 1))
def test_another_convention_ends_the_process(machine: str, arch: int, number: int):
    program = seccomp.program(machine, network=True)
    if arch != MACHINES[machine].architecture:
        assert decide(program, call(machine, number, architecture=arch)) == KILL
    if machine == "x86_64":
        assert decide(program, call(machine, number | 0x40000000)) == KILL


@everywhere
@unhurried
@given(flags=st.integers(0, 2**64 - 1))
def test_clone_makes_no_namespace(machine: str, flags: int):
    program = seccomp.program(machine, network=False)
    made = flags & (
        0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000 | 0x80
    )
    number = MACHINES[machine].numbers["clone"]
    assert decide(program, call(machine, number, flags)) == (EPERM if made else ALLOW)


@everywhere
@unhurried
@given(
    request=st.one_of(
        st.integers(0, 2**64 - 1), st.integers(0, 2**32 - 1).map(lambda high: high << 32 | 0x5412)
    )
)
def test_nothing_types_into_a_terminal(machine: str, request: int):
    """The kernel looks at 32 bits of the request; a filter that looked at 64 could be passed by the others."""
    program = seccomp.program(machine, network=False)
    wanted = EPERM if request & 0xFFFFFFFF in (0x5412, 0x541C, 0x5423) else ALLOW
    assert decide(program, call(machine, MACHINES[machine].numbers["ioctl"], 0, request)) == wanted


@everywhere
@pytest.mark.parametrize("network", [False, True])
def test_families(machine: str, network: bool):
    program, numbers = seccomp.program(machine, network=network), MACHINES[machine].numbers
    for family in (*range(64), 2**32 + 1, 2**31):
        for protocol in (0, 1, 16):
            low = family & 0xFFFFFFFF
            allowed = low == 1 or (network and (low in (2, 10) or (low == 16 and protocol == 0)))
            answer = decide(program, call(machine, numbers["socket"], family, 2, protocol))
            assert answer == (ALLOW if allowed else EPERM), (family, protocol)
            pair = decide(program, call(machine, numbers["socketpair"], family, 1, protocol))
            assert pair == (ALLOW if low == 1 or (network and low in (2, 10)) else EPERM)


@everywhere
@unhurried
@given(mode=st.integers(0, 2**32 - 1), flags=st.integers(0, 2**32 - 1))
def test_no_file_gets_a_set_id_bit(machine: str, mode: int, flags: int):
    program, numbers = seccomp.program(machine, network=False), MACHINES[machine].numbers
    wanted = EPERM if mode & 0o6000 else ALLOW
    for name, index in seccomp.MODES.items():
        if name in numbers:
            assert decide(program, call(machine, numbers[name], *[0] * index, mode)) == wanted
    for name, index in seccomp.OPENS.items():
        if name in numbers:
            makes = flags & 0o100 or flags & 0o20000000
            answer = decide(program, call(machine, numbers[name], *[0] * index, flags, mode))
            assert answer == (wanted if makes else ALLOW)


@everywhere
def test_memory_and_processors_on_request(machine: str):
    numbers = MACHINES[machine].numbers
    for asked in (False, True):
        program = seccomp.program(machine, network=False, count_memory=asked, hold_cpus=asked)
        for name in seccomp.UNCOUNTED_MEMORY:
            assert decide(program, call(machine, numbers[name])) == (ENOSYS if asked else ALLOW)
        assert decide(program, call(machine, numbers["sched_setaffinity"])) == (EPERM if asked else ALLOW)


@everywhere
def test_the_kernel_takes_it(machine: str):
    """At most 4096 instructions; jumps within the program; the last one an answer."""
    program = seccomp.program(machine, network=True, count_memory=True, hold_cpus=True)
    code = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    assert len(code) < 4096
    assert code[-1][0] == 0x06
    assert all(
        at + 1 + max(yes, no) < len(code)
        for at, (op, yes, no, _) in enumerate(code)
        if op not in (0x06, 0x20)
    )


HEADERS = {
    "x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
    "aarch64": "/usr/include/asm-generic/unistd.h",
}


@everywhere
def test_numbers_are_those_of_the_kernel(machine: str):
    header = Path(HEADERS[machine])
    if not header.exists():
        pytest.skip("the kernel's headers are not installed")
    found = {
        name: int(number)
        for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text())
    }
    for name, number in MACHINES[machine].numbers.items():
        assert found.get(name, number) == number, name


def test_an_unknown_machine_is_an_error_with_a_way_forward():
    with pytest.raises(ProviderUnavailable, match="riscv64") as caught:
        seccomp.program("riscv64", network=False)
    assert "container" in caught.value.hint


@everywhere
def test_new_names_are_told_and_nothing_else(machine: str):
    numbers = MACHINES[machine].numbers
    call_number, program = seccomp.telling(machine)
    assert call_number == numbers["seccomp"]
    told = {numbers[name] for name in seccomp.NEW_NAMES if name in numbers}
    assert numbers["linkat"] in told
    for number in range(LAST_KNOWN + 50):
        wanted = seccomp.TELL if number in told else ALLOW
        assert decide(program, call(machine, number)) == wanted


def test_a_machine_whose_calls_are_not_known_tells_nothing():
    assert seccomp.telling("riscv64") == (0, b"")

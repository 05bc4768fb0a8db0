"""A program of 95 bytes that makes a list of system calls, one after another, and nothing else.

What is between the sandbox and the command has to confine itself and then become the command. That is a list of some
hundred system calls, and Python takes longer to start than all of them. So the list is written outside (``listed``), by
Python, and only made inside. The program knows nothing of what is in it:

1. It maps the list from a descriptor that it was given, at ``LIST``. Where that fails it dies, and nothing has run.
2. It makes the call that the list has first. What comes of it goes where the list says. The next one is another when the call has
   failed (as the kernel tells it: a number from -4095 to -1).
3. Besides calls there are a comparison, so that a list can decide, and a copy out of a table of 256 words, so that it can repeat.

It ends by becoming the command, or as the list says. ``CODE`` is what an assembler makes of ``SOURCE``; a test holds it to
that. For other machines than ``MACHINE`` there is no such program, and Python does the same (``launcher``).
"""

from __future__ import annotations

import struct
from typing import Final

MACHINE: Final = "x86_64"
"""As ``os.uname().machine`` names it."""

SOURCE: Final = """
start:  mov ebx, 0x400100        # the first entry: it stands behind this code
next:   mov rax, [rbx]           # rbx: the entry, ten words: what, six arguments, where to put it, and what comes next
        mov rdi, [rbx+8]
        mov rsi, [rbx+16]
        mov rdx, [rbx+24]
        mov r10, [rbx+32]
        mov r8, [rbx+40]
        mov r9, [rbx+48]
        test rax, rax
        js special
        syscall
        mov rcx, [rbx+56]
        mov [rcx], rax
        cmp rax, -4096
        ja bad
good:   mov rbx, [rbx+64]
        jmp next
bad:    mov rbx, [rbx+72]
        jmp next
special: inc rax
        jnz copy
        mov eax, [rdi]           # -1: whether the word at rdi, of it the bits of esi, is edx
        and eax, esi
        cmp eax, edx
        je good
        jmp bad
copy:   mov eax, [rdi]           # -2: to rdx, out of the table at rsi, the word of the number below zero that is at rdi
        neg eax
        movzx eax, al
        mov eax, [rsi+rax*4]
        mov [rdx], eax
        jmp good
"""

CODE: Final = bytes.fromhex(
    "bb00014000"
    "488b03 488b7b08 488b7310 488b5318 4c8b5320 4c8b4328 4c8b4b30"
    "4885c0 781d 0f05 488b4b38 488901 483d00f0ffff 7706"
    "488b5b40 ebc9"
    "488b5b48 ebc3"
    "48ffc0 750a 8b07 21f0 39d0 74e7 ebeb"
    "8b07 f7d8 0fb6c0 8b0486 8902 ebd7"
)

LIST: Final = 0x1000_0000
"""Where the list is mapped. Its entries stand first, in ``ROOM`` bytes, and what they speak of behind them."""

ROOM: Final = 0x4000
ENTRY: Final = struct.Struct("<10q")

_AT, _FIRST = 0x40_0000, 0x100  # where the program is loaded, and its first entry in it
_MMAP, _READ_WRITE, _PRIVATE, _FIXED = 9, 0x3, 0x02, 0x10_0000  # MAP_FIXED_NOREPLACE
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")


def program(descriptor: int, size: int) -> bytes:
    """The program as an ELF file, for a list of ``size`` bytes that it will find at ``descriptor``."""
    start = _HEADER.size + _SEGMENT.size
    found = LIST + ROOM  # the first word behind the entries takes what nobody asks for
    entry = ENTRY.pack(_MMAP, LIST, size, _READ_WRITE, _PRIVATE | _FIXED, descriptor, 0, found, LIST, 0)
    whole = _FIRST + len(entry)
    identity = b"\x7fELF\x02\x01\x01" + bytes(9)  # 64 bits, the low byte first, for any system
    header = _HEADER.pack(
        identity, 2, 62, 1, _AT + start, _HEADER.size, 0, 0, _HEADER.size, _SEGMENT.size, 1, 0, 0, 0
    )
    segment = _SEGMENT.pack(1, 0x5, 0, _AT, _AT, whole, whole, 0x1000)  # loaded, to be read and run
    return (header + segment + CODE).ljust(_FIRST, b"\0") + entry

"""A server of a script: a process in the environment in force, spoken with by two pipes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from sluicegate.flow.environments.run.serving import ServedProgram
from sluicegate.reach.mcp.gateway.happenings import Event, ServerEnded, ServerSaid
from sluicegate.reach.mcp.gateway.relay import LineCutter, LineTooLong

_PIECE: Final = 64 * 1024
_MOST_WAITING: Final = 64 * 1024 * 1024

StartProgram = Callable[[Callable[[str], None]], ServedProgram]


class EnvironmentServer:
    """Starts the program, and moves bytes. ``happened`` is told of all, in the loop that this was made in."""

    def __init__(self, name: str, start: StartProgram, happened: Callable[[Event], None]) -> None:
        self._name, self._start_program, self._happened = name, start, happened
        self._loop = asyncio.get_running_loop()
        self._program: ServedProgram | None = None
        self._lines = LineCutter()
        self._waiting = bytearray()
        self._over = False
        self.shown = 0

    def start(self) -> None:
        self._over, self._lines, self._waiting = False, LineCutter(), bytearray()
        try:
            program = self._start_program(self._ended_in_its_thread)
        except OSError as error:
            self.kill(f"it cannot be started: {error.strerror}")
            return
        self._program = program
        self._loop.add_reader(program.from_it, self._readable)

    def _ended_in_its_thread(self, why: str) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits
            self._loop.call_soon_threadsafe(self.kill, why)

    def send(self, data: bytes, headers: Mapping[str, str] | None) -> None:
        if self._program is None or self._over:
            return
        self._waiting += data + b"\n"
        if len(self._waiting) > _MOST_WAITING:
            self.kill("it does not read what it is sent")
            return
        self._write()

    def _write(self) -> None:
        program = self._program
        if program is None:
            return
        try:
            written = os.write(program.to_it, self._waiting[: 1 << 20])
        except BlockingIOError:
            written = 0
        del self._waiting[:written]
        if self._waiting:
            self._loop.add_writer(program.to_it, self._write)
        else:
            self._loop.remove_writer(program.to_it)

    def _readable(self) -> None:
        program = self._program
        if program is None:
            return
        try:
            data = os.read(program.from_it, _PIECE)
        except BlockingIOError:
            return
        try:
            for line in self._lines.cut(data):
                self._happened(ServerSaid(self._name, line))
        except LineTooLong:
            self.kill("it sent a line that is too long")

    def kill(self, why: str) -> None:
        """It is not spoken with any more; what it has said before is heard."""
        if self._over:
            return
        self._readable()
        self._over = True
        self._let_go()
        self._happened(ServerEnded(self._name, f"the server {self._name}: {why}"))

    def _let_go(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            self._loop.remove_reader(program.from_it)
            self._loop.remove_writer(program.to_it)
            program.end()

    def pause(self, paused: bool) -> None:
        """A script reads one answer at a time: nothing waits."""

    async def end(self) -> None:
        self._over = True
        self._let_go()

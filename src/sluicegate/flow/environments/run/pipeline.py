"""The state of one pipeline while it runs. ``running`` says in which order its steps are taken."""

from __future__ import annotations

import contextlib
import functools
import os
import select
import selectors
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from sluicegate.flow.environments.configuration.config import CommandLimits
from sluicegate.flow.environments.confinement.cgroups import ControlGroup
from sluicegate.flow.environments.errors import Cancelled, CommandNotStarted, ProviderUnavailable
from sluicegate.flow.environments.launch import tree
from sluicegate.flow.environments.run import links, watch
from sluicegate.flow.environments.run.command import Command, Completed, Limit, Stage
from sluicegate.flow.environments.run.starting import BoundedOutput, LauncherPipes, Prepare, Running
from sluicegate.flow.errors import EnvironmentFailure

_CHUNK: Final = 1 << 16
_START_UP: Final = 60.0  # seconds until every launcher must be ready: for a machine that is out of breath
_END: Final = 30.0  # seconds in which what was killed must be gone: thousands of processes take their time
_URGENT: Final = -20
_LOOKS: Final = (0.01, 0.02, 0.05)  # seconds between looks at what is used; the last one repeats


class Pipeline:
    """One run. Every descriptor in ``_open`` is closed at the end, whatever happens."""

    def __init__(self, limits: CommandLimits, group: ControlGroup, clock: Callable[[], float]) -> None:
        self._limits, self._group, self._clock = limits, group, clock
        self._selector = selectors.DefaultSelector()
        self._open: set[int] = set()
        self._stages: list[Running] = []
        self._stdin = memoryview(b"")
        self._out, self._err = BoundedOutput(limits.output), BoundedOutput(limits.output)
        self._sinks: dict[int, BoundedOutput] = {}
        self._began = self._next_look = 0.0
        self._looks = 0
        self._killed_for: Limit | None = None

    def start(self, command: Command, prepare: Prepare, cancel: int | None) -> None:
        """Start every stage's launcher and listen to it. Raises ``EnvironmentFailure``."""
        if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
            raise EnvironmentFailure(
                "no command can be run while this program ignores SIGCHLD: every exit code would be lost",
                hint="set SIGCHLD back to signal.SIG_DFL before running commands",
            )
        if cancel is not None:
            self._listen(cancel, selectors.EVENT_READ, self._cancel)
        if command.stdin is None:
            reader = self._keep(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
        else:
            reader, writer = self._pipe()
            self._stdin = memoryview(command.stdin)
            os.set_blocking(writer, False)
            self._listen(writer, selectors.EVENT_WRITE, self._feed)
        for stage in command.stages:
            output, output_writer = self._pipe()
            # A pipe for the errors of each stage: one that they shared, each could read.
            errors, error_writer = self._pipe()
            self._stages.append(self._started(stage, prepare, (reader, output_writer, error_writer)))
            self._close(reader, output_writer, error_writer)
            self._sink(errors, self._err)
            reader = output
        self._sink(reader, self._out)
        for running in self._stages:
            self._listen(running.ended, selectors.EVENT_READ, functools.partial(self._reap_at, running))

    def _started(self, stage: Stage, prepare: Prepare, standard: tuple[int, int, int]) -> Running:
        control, control_writer = self._pipe()
        status, status_writer = map(self._keep, links.line())
        prepared = prepare(stage, LauncherPipes(control=control, status=status_writer), self._group.held)
        try:
            process = subprocess.Popen(  # noqa: S603 - an argument vector, no shell, nothing inherited
                prepared.argv,
                stdin=standard[0],
                stdout=standard[1],
                stderr=standard[2],
                pass_fds=(control, status_writer, *prepared.descriptors),
                env={},
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            raise ProviderUnavailable(
                f"'{Path(prepared.argv[0]).name}' cannot be started: {error.strerror}",
                hint="it was there when the environment was made; look at what has changed",
            ) from None
        finally:
            for descriptor in prepared.descriptors:
                os.close(descriptor)
        ended = self._keep(os.pidfd_open(process.pid))
        running = Running(
            process=process,
            ended=ended,
            control=control_writer,
            layers=prepared.layers,
            processors=prepared.processors,
        )
        self._close(control, status_writer)
        self._listen(status, selectors.EVENT_READ, functools.partial(self._hear, running))
        return running

    def wait_until_ready(self) -> None:
        """Raises ``CommandNotStarted`` for the first stage whose launcher fails."""
        limit = self._clock() + _START_UP
        while not all(running.ready for running in self._stages):
            self._turn(max(0.0, limit - self._clock()))
            self._check_started()
            if self._clock() >= limit:
                raise CommandNotStarted(0, "start", 0, "the launcher did not answer")

    def _check_started(self) -> None:
        for number, running in enumerate(self._stages):
            if running.failure:
                step, _, code = running.failure.partition(" ")
                raise CommandNotStarted(number, step, int(code))
            if running.hung_up and not running.ready:
                self.drain()
                raise CommandNotStarted(number, "start", 0, self._err.content.decode("utf-8", "replace"))

    def go(self) -> None:
        """Put the launchers into the group, then give each the word. Raises ``EnvironmentFailure``."""
        for running in self._stages:
            below = tree.children(running.process.pid)
            running.top = running.process.pid
            if running.layers == 2 and below:
                running.top = below[0]
                running.init = self._keep(os.pidfd_open(below[0]))
                below = tree.children(below[0])
            if not below:
                raise EnvironmentFailure("a launcher ended while it waited", hint="run the command again")
            try:
                self._group.add(below[0])
                if running.processors:
                    os.sched_setaffinity(below[0], running.processors)
            except OSError as error:
                raise EnvironmentFailure(
                    f"a command could not be put under its limits: {error.strerror}",
                    hint="the control group of this process changed; run the command again",
                ) from None
        self._began = self._next_look = self._clock()
        for running in self._stages:
            with contextlib.suppress(BrokenPipeError):
                os.write(running.control, b"g")

    def until_ended(self) -> None:
        """Turn until all stages have ended or a limit is reached. Raises ``Cancelled``."""
        with _urgent() if self._must_look() else contextlib.nullcontext():
            while any(running.code is None for running in self._stages):
                self._turn(self._until_next())
                self._check_started()
                self._killed_for = self._over()
                if self._killed_for:
                    return
        self._check_started()
        if self._group.ran_out_of_memory():
            self._killed_for = Limit.MEMORY

    def _turn(self, timeout: float | None) -> None:
        for key, _ in self._selector.select(timeout):
            key.data(key.fd)

    def _until_next(self) -> float | None:
        """Seconds until there is something to look at, or None."""
        times = [] if self._limits.time is None else [self._began + self._limits.time / 1000]
        if self._must_look():
            times.append(self._next_look)
        return max(0.0, min(times) - self._clock()) if times else None

    def _must_look(self) -> bool:
        limits, held = self._limits, self._group.held
        return (
            limits.mem is not None
            or (limits.processes is not None and Limit.PROCESSES not in held)
            or (cpu_budget(limits) is not None and Limit.CPU not in held)
        )

    def _over(self) -> Limit | None:
        """The limit that is reached, if one is."""
        now = self._clock()
        if self._limits.time is not None and now >= self._began + self._limits.time / 1000:
            return Limit.TIME
        if not self._must_look() or now < self._next_look:
            return None
        self._next_look = now + _LOOKS[min(self._looks, len(_LOOKS) - 1)]
        self._looks += 1
        held, limits = self._group.held, self._limits
        if Limit.MEMORY in held:
            if self._group.ran_out_of_memory():
                return Limit.MEMORY
            if Limit.PROCESSES in held and (cpu_budget(limits) is None or Limit.CPU in held):
                return None
        tops = [running.top for running in self._stages]
        used = watch.usage(tops, exact_over=limits.mem, most=limits.processes)
        budget = cpu_budget(limits)
        if limits.mem is not None and used.memory > limits.mem and Limit.MEMORY not in held:
            return Limit.MEMORY
        if limits.processes is not None and used.processes > limits.processes:
            return Limit.PROCESSES
        if budget is not None and used.cpu > budget and Limit.CPU not in held:
            return Limit.CPU
        return None

    def _feed(self, descriptor: int) -> None:
        try:
            written = os.write(descriptor, self._stdin[:_CHUNK])
        except BlockingIOError:
            return
        except BrokenPipeError:  # whoever was to read it does not want it
            written = len(self._stdin)
        self._stdin = self._stdin[written:]
        if not self._stdin:
            self._selector.unregister(descriptor)
            self._close(descriptor)

    def _collect(self, descriptor: int) -> bool:
        """Take one chunk of output; whether there may be more."""
        try:
            chunk = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return False
        if chunk:
            self._sinks[descriptor].take(chunk)
            return True
        self._selector.unregister(descriptor)
        del self._sinks[descriptor]
        return False

    def _hear(self, running: Running, descriptor: int) -> None:
        words, listeners = links.heard(descriptor)
        running.said += words
        for listener in listeners:
            running.told = True
            self._listen(self._keep(listener), selectors.EVENT_READ, functools.partial(self._link, running))
        if not words:
            running.hung_up = True
            self._selector.unregister(descriptor)

    def _link(self, running: Running, listener: int) -> None:
        if links.waits(listener):
            running.links = True
            links.allow(listener)
        else:
            self._selector.unregister(listener)
            self._close(listener)

    def _reap_at(self, running: Running, _: int) -> None:
        self._reap(running)

    def _reap(self, running: Running) -> None:
        try:
            result = os.waitid(os.P_PIDFD, running.ended, os.WEXITED | os.WNOHANG)
        except ChildProcessError:
            running.code = running.process.returncode = 255
            self._selector.unregister(running.ended)
            raise EnvironmentFailure(
                "the exit code of a command was lost: other code of this process collected it",
                hint="do not wait for all children (os.wait) in a program that runs commands",
            ) from None
        if result is not None:
            exited = result.si_code == os.CLD_EXITED
            running.code = running.process.returncode = result.si_status + (0 if exited else 128)
            self._selector.unregister(running.ended)

    def _cancel(self, _: int) -> None:
        raise Cancelled("the command was cancelled", hint="nothing that it started is left running")

    def end(self) -> None:
        """End what is left of every stage and wait until it is gone. Raises ``EnvironmentFailure``."""
        for running in self._stages:
            self._close(running.control)  # a guardian ends what it guards
            if running.layers == 2 and running.code is None:
                _kill(running.ended)
            if running.init >= 0:
                _kill(running.init)
        limit = self._clock() + _END
        for running in self._stages:
            if running.code is None and self._gone(running.ended, limit):
                self._reap(running)
            inside_gone = running.init < 0 or self._gone(running.init, limit)
            if running.code is None or not inside_gone:
                raise EnvironmentFailure(
                    "a command could not be ended: a process of it does not die",
                    hint=f"it may hang in a device or a network file system; look below process {running.top}",
                )

    def _gone(self, process: int, limit: float) -> bool:
        waiting = select.poll()
        waiting.register(process, select.POLLIN)
        return bool(waiting.poll(max(0.0, limit - self._clock()) * 1000))

    def drain(self) -> None:
        """Take what is in the pipes now, as far as it can matter."""
        for descriptor in list(self._sinks):
            for _ in range(self._limits.output // _CHUNK + 32):
                if not self._collect(descriptor):
                    break

    def close(self) -> None:
        """Let go of everything. A stage that has not ended is killed once more: ``end`` may have been broken off."""
        for running in self._stages:
            if running.code is None:
                _kill(running.ended)
        self._selector.close()
        self._close(*self._open)

    def completed(self) -> Completed:
        """What came of it."""
        return Completed(
            stdout=bytes(self._out.content),
            stderr=bytes(self._err.content),
            codes=tuple(running.code or 0 for running in self._stages),
            stdout_truncated=self._out.truncated,
            stderr_truncated=self._err.truncated,
            killed_for=self._killed_for,
            links=any(running.links or not running.told for running in self._stages),
        )

    def _listen(self, descriptor: int, events: int, then: Callable[[int], object]) -> None:
        self._selector.register(descriptor, events, then)

    def _sink(self, descriptor: int, sink: BoundedOutput) -> None:
        os.set_blocking(descriptor, False)
        self._sinks[descriptor] = sink
        self._listen(descriptor, selectors.EVENT_READ, self._collect)

    def _pipe(self) -> tuple[int, int]:
        reader, writer = os.pipe()
        return self._keep(reader), self._keep(writer)

    def _keep(self, descriptor: int) -> int:
        self._open.add(descriptor)
        return descriptor

    def _close(self, *descriptors: int) -> None:
        for descriptor in descriptors:
            if descriptor in self._open:
                self._open.remove(descriptor)
                os.close(descriptor)


@contextlib.contextmanager
def _urgent() -> Iterator[None]:
    """Let this thread go before others, where that is allowed: for root, whose processes no resource limit counts.

    Under a fork bomb a look that waits for its turn among thousands comes too late to be one.
    """
    thread = threading.get_native_id()
    before = os.getpriority(os.PRIO_PROCESS, thread)
    try:
        os.setpriority(os.PRIO_PROCESS, thread, _URGENT)
    except OSError:
        yield
        return
    try:
        yield
    finally:
        os.setpriority(os.PRIO_PROCESS, thread, before)


def _kill(process: int) -> None:
    """Kill by pidfd. ``Popen.kill`` would collect the exit code on the way, and so lose it."""
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(process, signal.SIGKILL)


def cpu_budget(limits: CommandLimits) -> int | None:
    """Milliseconds of processor time that a share of ``cpu`` over ``time`` comes to; None unless both are set."""
    if limits.cpu is None or limits.time is None:
        return None
    return limits.cpu * limits.time // 1000

"""Where the command starts and ends: Ctrl-C ends it from the first moment on, also while it is imported."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # as in typing: until a Ctrl-C is heard, nothing more is imported than has to be
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> None:
    """Run the command line.

    1. While it is imported there is nothing to put away, and an exception may come out of an import as another one: a
       Ctrl-C ends the process there and then, and says nothing.
    2. From then on, see ``Interrupts``.
    3. What was decided stays decided: once all is written, a Ctrl-C changes nothing any more.
    4. The process ends there: see ``_leave``.

    Where whoever started us wants no Ctrl-C to be heard (``nohup``), none is. A hook of an agent starts before each call of a
    tool, hears no Ctrl-C, and imports nothing of the rest.
    """
    import sys

    if len(sys.argv) == 3 and sys.argv[1] == "hook":
        from sluicegate.reach.hooks.run import HOSTS, answer_host

        if sys.argv[2] in HOSTS:
            answer_host(sys.argv[2])
    try:
        import signal

        listen = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if listen:
            signal.signal(signal.SIGINT, _at_once)  # 1
    except (KeyboardInterrupt, RuntimeError):  # Python 3.11 makes one of the other while it makes a class
        _at_once()
    from sluicegate.reach.cli.interrupts import Interrupts
    from sluicegate.reach.cli.main import main as run

    interrupts = Interrupts()
    if listen:
        interrupts.listen()  # 2
    try:
        run(interrupts)
    except SystemExit as stop:
        if listen:
            interrupts.done()  # 3
        _leave(stop.code)  # 4
        raise


def _leave(code: object) -> None:
    """End the process with this exit code, without letting go of every object first: that takes a thirtieth of a scan.

    All that was to be written is written and flushed by then. What was registered to be done at the end (temporary files that
    go, say) is done here. Where more than that may be left, the interpreter ends as it always does: with other threads or
    processes, and under a debugger or profiler.
    """
    import atexit
    import sys
    import threading

    watched = sys.gettrace() is not None or sys.getprofile() is not None
    monitoring = getattr(sys, "monitoring", None)  # where profilers and debuggers are from Python 3.12 on
    if monitoring is not None:
        watched = watched or any(monitoring.get_tool(number) is not None for number in range(6))
    if (
        not isinstance(code, int)
        or watched
        or threading.active_count() > 1
        or "multiprocessing" in sys.modules
    ):
        return
    atexit._run_exitfuncs()
    os._exit(code)


def _at_once(*_: object) -> NoReturn:
    os._exit(130)

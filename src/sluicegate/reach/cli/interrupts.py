"""Ctrl-C: what was begun is put away, and the process ends soon, whatever becomes of the exception."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

from sluicegate.reach.exit_codes import INTERRUPTED

_PUT_AWAY = 0.3
"""Seconds that putting away may take."""
SAID = "sluicegate: interrupted; nothing was decided\n"


class Interrupts:
    """Hears Ctrl-C, once it was told to listen.

    1. The first raises KeyboardInterrupt, so that temporary files and processes go as they do after any error.
    2. Python loses an exception that is raised where none can be (while an object is let go, say) and may turn it into
       another one. So it is kept in mind that there was one, and a timer ends the process where that takes too long.
    3. Another Ctrl-C ends it at once.
    """

    def __init__(self) -> None:
        self.heard = False

    def listen(self) -> None:
        """From now on."""
        signal.signal(signal.SIGINT, self._hear)

    def done(self) -> None:
        """All that there was to do is done: the rest is the interpreter's own end."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _hear(self, *_: object) -> NoReturn:
        if self.heard:
            self._end()  # 3
        self.heard = True
        sys.unraisablehook = lambda _: None  # 2
        signal.signal(signal.SIGALRM, self._end)
        signal.setitimer(signal.ITIMER_REAL, _PUT_AWAY)
        raise KeyboardInterrupt  # 1

    @staticmethod
    def _end(*_: object) -> NoReturn:
        multiprocessing = sys.modules.get("multiprocessing")
        for child in multiprocessing.active_children() if multiprocessing is not None else ():
            child.kill()
        os.write(2, SAID.encode())
        os._exit(INTERRUPTED)

"""What a scan can be told. The file formats and where they are looked for are in ``reach.settings``."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from sluicegate.vet.baseline import BaselineFile
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.verdict.types import Severity


class ScanConfig(NamedTuple):
    """Settings of one scan. Nothing inside the scanned bundle can change any of them.

    ``enable`` and ``disable`` are rule ids or globs over them; a disabled rule is named in the report.
    ``exclude`` are globs over artifact paths; what they exclude is a gap. ``today`` decides which baseline
    entries have expired; the command line passes the date, and without one none has. ``online`` lets names
    and versions of packages be looked up for known vulnerabilities; nothing else ever asks the network.
    """

    limits: Limits = Limits()
    enable: tuple[str, ...] = ("*",)
    disable: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    severity: tuple[tuple[str, Severity], ...] = ()
    yara: tuple[str, ...] = ()
    baseline: BaselineFile = BaselineFile()
    today: date = date.min
    jobs: int = 1
    online: bool = False

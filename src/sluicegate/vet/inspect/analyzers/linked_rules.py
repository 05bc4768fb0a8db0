"""The rules of flows that may go from one program to another: those of the three languages whose programs are linked."""

from __future__ import annotations

from sluicegate.vet.inspect.analyzers.jsflow.rules import RULES as _JAVASCRIPT
from sluicegate.vet.inspect.analyzers.pyflow.rules import RULES as _PYTHON
from sluicegate.vet.inspect.analyzers.shflow.rules import RULES as _SHELL

RULES = (*_PYTHON, *_SHELL, *_JAVASCRIPT)

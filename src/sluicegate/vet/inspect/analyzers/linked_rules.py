"""The rules of what programs do with what they are given: those of the three languages whose programs are linked, and one
of what is given by whoever starts them."""

from __future__ import annotations

from sluicegate.vet.inspect.analyzers.given import GIVEN_TO_EXEC
from sluicegate.vet.inspect.analyzers.jsflow.rules import RULES as _JAVASCRIPT
from sluicegate.vet.inspect.analyzers.pyflow.rules import RULES as _PYTHON
from sluicegate.vet.inspect.analyzers.shflow.judging.rules import RULES as _SHELL

RULES = tuple(dict.fromkeys((GIVEN_TO_EXEC, *_PYTHON, *_SHELL, *_JAVASCRIPT)))

"""Regular expressions that are compiled when they are first used, as the modules of vet name them.

Compiling some hundred patterns costs more than a whole scan of a small skill, and a scan uses a few of them.
"""

from sluicegate.patterns import lazy as lazy
from sluicegate.patterns import seldom as seldom

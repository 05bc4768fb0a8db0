"""Environment variables that tell ``sluicegate verify`` what to verify, and against which signatures."""

from typing import Final

NAMES: Final = "SLUICEGATE_VERIFY_VARS"
"""Names of templates, with commas between."""

SIGNATURES: Final = "SLUICEGATE_VERIFY_SIGNATURES"
"""Their signatures, as ``carried.pack`` writes them."""

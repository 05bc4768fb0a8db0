"""The variables by which a command that starts ``sluicegate verify`` says what is to be verified, and with what."""

from typing import Final

NAMES: Final = "SLUICEGATE_VERIFY_VARS"
"""Names of templates, with commas between."""

SIGNATURES: Final = "SLUICEGATE_VERIFY_SIGNATURES"
"""Their signatures, as ``carried.pack`` writes them."""

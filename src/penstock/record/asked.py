"""The variables by which a command that starts ``penstock verify`` says what is to be verified, and with what."""

from typing import Final

NAMES: Final = "PENSTOCK_VERIFY_VARS"
"""Names of templates, with commas between."""

SIGNATURES: Final = "PENSTOCK_VERIFY_SIGNATURES"
"""Their signatures, as ``carried.pack`` writes them."""

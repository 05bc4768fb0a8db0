"""One rule for confidence, everywhere: an integer number of thousandths from 0 to 1000.

What our own rules state is refused when it is anything else. What a model answers is a number from 0 to 1
and is clamped. Nothing is ever divided by 100: a reading that changes scale somewhere is not monotone there.
"""

from __future__ import annotations

import math

from sluicegate.vet.verdict.kernels import MOST_CONFIDENT


def checked(value: object) -> int:
    """The confidence of a rule, in thousandths. Raises ValueError unless it is an integer from 0 to 1000."""
    if type(value) is not int or not 0 <= value <= MOST_CONFIDENT:
        raise ValueError(f"a confidence is a whole number from 0 to {MOST_CONFIDENT}, not {value!r}")
    return value


def from_model(value: object) -> int | None:
    """The confidence in a model's answer, in thousandths; ``None`` when the answer holds no number.

    1. Anything but an integer or a float (a truth value, text, nothing), and not-a-number, is no answer.
    2. Below 0 is 0, above 1 is 1000: a model that answers 85 is taken at its word, as sure.
    3. The rest is rounded to the nearest thousandth.
    """
    # 1
    if type(value) is not int and type(value) is not float:
        return None
    if type(value) is float and math.isnan(value):
        return None
    # 2
    within = min(1, max(0, value))
    # 3
    return round(within * MOST_CONFIDENT)

"""The last word on a matched text where a pattern alone cannot tell: is this a real key, or a placeholder?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from math import log2
from typing import TypeAlias

from sluicegate.vet.inspect.analyzers.connections import attached
from sluicegate.vet.inspect.analyzers.wording import conceals, harvests, redirects, shadows
from sluicegate.vet.lazy import lazy

Check: TypeAlias = "Callable[[str, int, int], bool]"
"""Whether what a rule matched between two characters of a text is what the rule is about."""

_PLACEHOLDER = lazy(
    r"example|sample|dummy|fake|test[_-]?(?:key|token|only)|your|placeholder|replace|change_?me|redacted|insert|"
    r"x{4}|\.{3}|…|\*{3}|<|\{|\$\(|0{6}|1{6}|12345|abcdef|abc123|qwerty|deadbeef|secret_?here|foo_?bar|not_?real",
    re.IGNORECASE,
)
_KEY = lazy(r"[A-Za-z0-9+/=_.:~-]{12,}")
_STOP = lazy(r"[。！？।؟]\s*\w")
_BODY = lazy(r"-----\s*([A-Za-z0-9+/=\s\\]{64,})")


def random_key(text: str, bits: float = 3.2) -> bool:
    """Whether the longest run of key characters in ``text`` looks drawn at random and is not a placeholder.

    ``bits`` are those that each of its characters has at least.
    """
    if _PLACEHOLDER.search(text) is not None:
        return False
    runs = _KEY.findall(text)
    return bool(runs) and _entropy(max(runs, key=len)) >= bits


def private_key(text: str) -> bool:
    """Whether a PEM header is followed by key material, not by dots or a placeholder."""
    body = _BODY.search(text)
    return body is not None and _PLACEHOLDER.search(text) is None and _entropy(body[1]) >= 4.0


def secret(text: str) -> bool:
    """Either of the two, by what the text is."""
    return private_key(text) if text.startswith("-----") else random_key(text)


def sentence(text: str) -> bool:
    """Whether ``text`` stands in one sentence; in scripts whose full stop is not an ASCII character."""
    return _STOP.search(text) is None


def _entropy(text: str) -> float:
    """Bits for each character, from the text's own frequencies."""
    total = len(text)
    return -sum(n / total * log2(n / total) for n in Counter(text).values())


def _of_match(check: Callable[[str], bool]) -> Check:
    return lambda text, start, end: check(text[start:end])


CHECKS: Mapping[str, Check] = {
    "secret": _of_match(secret),
    "sentence": _of_match(sentence),
    "attached": attached,
    "harvests": harvests,
    "conceals": conceals,
    "shadows": shadows,
    "redirects": redirects,
}
"""The checks that a rule's metadata may name."""

"""How many tokens a text is, as far as that can be said without any model's own table.

An estimate, the same on every machine: one token for each three bytes of UTF-8, rounded up. Prose takes fewer (a token is
about four letters), code about as many, random letters and digits more. A budget leaves room for that.
"""

from __future__ import annotations

BYTES_PER_TOKEN = 3


def estimate(text: str) -> int:
    """The estimated tokens of a text. Of two texts together it is never more than of each alone."""
    return -(-len(text.encode("utf-8")) // BYTES_PER_TOKEN)

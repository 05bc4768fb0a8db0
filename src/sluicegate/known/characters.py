"""Characters that steer what shows them, or cannot be seen: as parts of patterns, written out.

They are not asked of ``unicodedata``, so that what is shown is the same under every Python.
"""

from __future__ import annotations

UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Inside a character class: controls, marks of direction, what joins and separates unseen, tags, lone surrogates."""
SELECTOR = "[\ufe00-\ufe0d]|(?<![\xa9\xae\u203c-\u33ff\U0001f000-\U0001faff])[\ufe0e\ufe0f](?!\u20e3)"
"""A variation selector. After a symbol or in a keycap it picks a picture; anywhere else it cannot be seen."""

"""Files that a text has the agent write before it runs them: by a verb, or by showing what stands in them."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

AROUND = 120
"""Characters before and after a path that are looked at."""
MOST = 200
"""Places of one path that are looked at."""

_FEW = (
    r"(?:[ \t](?:a|an|the|this|these|that|it|its|their|your|following|new|small|simple|short|temporary|python|shell|bash|node|helper|script|file"
    r"|program|code|content|contents|output|results?|summary|plan|report|notes?|lines?|below|above|to|as|at|in|into|under|named|called|with|name|path)){0,8}"
)
_VERB = lazy(
    rf"\b(?:(?:creat|writ|sav|generat)(?:e|es|ed|ing)|(?:add|make|put)\b(?=[^\n]{{0,40}}\b(?:file|script|program)\b)){_FEW}[ \t:]{{0,3}}[`\"'*(\[]{{0,3}}$",
    re.IGNORECASE,
)
"""A verb of writing, and nothing but small words between it and the path: it is the path that is written."""
_CONDITION = lazy(r"\b(?:if|unless|when)\b", re.IGNORECASE)
_HEAD_OF_FENCE = lazy(
    r"(?:```|~~~)[^\n]*\n(?:[ \t]*#![^\n]*\n)?[ \t]*(?:#|//|--|<!--|/\*|\"\"\")[ \t]*(?:file(?:name)?:[ \t]*)?$",
    re.IGNORECASE,
)
_ABOVE_FENCE = lazy(
    r"[`*_:)\]]{0,4}[^\n]{0,30}\n\s{0,3}[ \t]*(?:```|~~~)(?!(?:ba|z)?sh|shell|console|text|powershell)[a-z]"
)


def told_to_write(text: str, path: str) -> bool:
    """Whether a text has the agent write the file, and not only if it is missing."""
    if not path:
        return False
    at = text.find(path)
    for _ in range(MOST):
        if at == -1:
            return False
        if _writes(text, at, at + len(path)):
            return True
        at = text.find(path, at + len(path))
    return False


def _writes(text: str, start: int, end: int) -> bool:
    if text[end : end + 1].isalnum() or text[end : end + 1] in ("/", "-", "_"):
        return False
    start -= 2 if text[start - 2 : start] == "./" else 0
    if start and (text[start - 1].isalnum() or text[start - 1] in "./-_"):
        return False
    line = text.rfind("\n", 0, start) + 1
    before = text[max(line, start - AROUND) : start]
    if _HEAD_OF_FENCE.search(text, max(0, start - AROUND), start) is not None:
        return True
    if len(before) <= 40 and _ABOVE_FENCE.match(text, end) is not None:
        return True
    if _VERB.search(before) is None:
        return False
    stop = text.find("\n", end)
    after = text[end : min(end + AROUND, len(text) if stop == -1 else stop)]
    return _CONDITION.search(before) is None and _CONDITION.search(after) is None

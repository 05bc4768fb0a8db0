"""Where the body of a block of code ends: at the brace that closes it, which one in quotes or in a comment does not."""

from __future__ import annotations

from sluicegate.patterns import late

_QUOTES = r'"(?:[^"\\]|\\[\s\S])*"|' + r"'(?:[^'\\]|\\[\s\S])*'"
_PLAIN = late(r"[{}]")
_SHELL = late(rf"(?:{_QUOTES}|(?:(?<=\s)|(?<=^))#[^\n]*|\\[\s\S]|[{{}}])")
_COMMAND = late(rf"(?:{_QUOTES}|\\[\s\S]|[{{}}])")
_SCRIPT = late(rf"(?:{_QUOTES}|`(?:[^`\\]|\\[\s\S])*`|//[^\n]*|/\*[\s\S]*?\*/|[{{}}])")
_PYTHON = late(rf'(?:"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|{_QUOTES}|#[^\n]*|[{{}}])')
_BY_WORD = {
    "cmd": _COMMAND,
    "run": _COMMAND,
    "sh": _SHELL,
    "js": _SCRIPT,
    "node": _SCRIPT,
    "py": _PYTHON,
    "prose": _PLAIN,
}


def body_end(text: str, start: int, end: int, word: str) -> int:
    """The offset after the brace that closes the one at ``start``; -1 where none does.

    Braces balance. Those in quotes do not count, nor those in comments, as the language of the body has them.
    """
    depth = 0
    for found in _BY_WORD[word].finditer(text, start, end):
        brace = found[0]
        if brace == "{":
            depth += 1
        elif brace == "}":
            depth -= 1
            if depth == 0:
                return found.end()
    return -1

"""What a program executes, as far as its lines show: enough to doubt a list, not enough to accuse one."""

from __future__ import annotations

import re

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.context.programs.literal import inert, literal
from sluicegate.vet.lazy import lazy

SINK = lazy(
    r"\b(?:os\.(?:system|popen|exec\w{0,4}|spawn\w{0,4})\s?\(|subprocess\.\w{2,14}\s?\(|(?:eval|exec|execSync|execFile\w{0,4}"
    r"|spawn\w{0,4}|popen|system|passthru|shell_exec|Function)\s?\(|(?:then|do)[ \t]{0,8}eval\b"
    r"|(?:ba|z|da)?sh[ \t]{1,2}-\w{0,3}c\b|(?:iex|Invoke-Expression)\b)"
    r"|(?:[;&|(`]|\$\(|^)[ \t]{0,8}eval\b|\|[ \t]{0,2}(?:sudo )?(?:ba|z|da)?sh\b",
    re.IGNORECASE | re.MULTILINE,
)
_RENAMED = lazy(
    r"(?:[\w)][ \t]{0,4}=[ \t]{0,4}|\b(?:map|then|partial|forEach)\([ \t]{0,4})(?:os\.(?:system|popen)|subprocess\.(?:run|call|Popen|check_output|check_call|getoutput)"
    r"|eval|exec)[ \t]{0,4}(?:[,);#\n]|$)"
    r"|^[ \t]{0,8}import (?:os|subprocess|pty) as \w|^[ \t]{0,8}from (?:os|subprocess|pty) import (?!path\b|environ\b|PIPE\b|DEVNULL\b|CalledProcessError\b)"
    r"|\b__import__\((?![\"']\w{1,40}[\"']\))|\.__dict__\[|\bgetattr\((?:os|subprocess|builtins|__builtins__)\b|\bglobals\(\)\[",
    re.MULTILINE,
)
"""What executes under another name: after this, nothing that the lines show is believed."""
_SAFE_USE = lazy(
    r"\b(?:grep|re\.\w{3,9}|includes|indexOf|test|match|search|RegExp|in|print|echo|append|len|log)\b"
)
_PASSED = lazy(r"[\w.]\([^()\n]{0,80}$")
_WORD = lazy(r"[A-Za-z_]\w{0,60}")
_MOVES = (
    lazy(r"\bfor[ \t]{1,2}(?:const |let |var |\(){0,3}([\w, ]{1,60}?)[ \t]{1,2}(?:in|of)[ \t]([^\n]{1,120})"),
    lazy(
        r"^[ \t]{0,40}(?:const |let |var |export |local |my )?([A-Za-z_$][\w, ]{0,60}?)[ \t]{0,2}=(?!=)([^\n]{1,120})",
        re.M,
    ),
)
"""What a loop takes from a list, and what a name is given."""
_EACH = lazy(r"([\w$]{1,60})\.(?:forEach|map|some|every|find|filter)\(\s?\(?([\w$]{1,40})")
_EACH_NAMES = (".forEach(", ".map(", ".some(", ".every(", ".find(", ".filter(")
_BEFORE = 400
_MOST = 2_000
"""Places that may execute, and names that are given something, that are looked at in one text."""
_ROUNDS = 4


class _Move(NamedTuple):
    """Names that receive something, and the names that it may come from."""

    into: frozenset[str]
    out: frozenset[str]
    loop: bool


class Execution:
    """The lines of a text that execute something, and how names of lists reach them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: list[str] = []
        self._over = False
        for number, sink in enumerate(SINK.finditer(text)):
            if number >= _MOST:
                self._over = True
                break
            first = max(text.rfind("\n", 0, sink.start()) + 1, sink.start() - _BEFORE)
            if self._bare(sink):
                stop = text.find("\n", sink.end())
                self._lines.append(text[first : min(len(text) if stop == -1 else stop, sink.end() + _BEFORE)])
        self._over = self._over or any(self._bare(found) for found in _RENAMED.finditer(text))
        self._known: list[_Move] | None = None

    def _bare(self, found: re.Match[str]) -> bool:
        """Whether what was found is not part of a string that nothing runs."""
        text, start = self._text, found.start()
        first = max(text.rfind("\n", 0, start) + 1, start - _BEFORE)
        opening = literal(text, first, start, found.end())
        return opening is None or not inert(text, opening, found.end())

    @property
    def executes(self) -> bool:
        """Whether anything here may execute something that is not itself a string."""
        return self._over or bool(self._lines)

    def runs(self, name: str) -> bool:
        """Whether this text may execute what the list ``name`` holds.

        1. A place that executes shows the list, or a name that it may have reached.
        2. A name that a loop takes from it is the first word of a command of a shell, or, where anything
           executes at all, goes to a function that does not merely compare or print.
        """
        if self._over:
            return True
        near, far = self._reached(name)
        if self._over:
            return True
        pattern = re.compile(rf"(?<![\w.])(?:{'|'.join(sorted(map(re.escape, far | {name})))})(?!\w)")
        if any(pattern.search(line) for line in self._lines):  # 1
            return True
        if not near:
            return False
        pattern = re.compile(rf"(?<![\w.])(?:{'|'.join(sorted(map(re.escape, near)))})(?!\w)")
        for number, found in enumerate(pattern.finditer(self._text)):  # 2
            if number >= _MOST:
                return self.executes
            line = max(self._text.rfind("\n", 0, found.start()) + 1, found.start() - _BEFORE)
            before = self._text[line : found.start()]
            if not before.strip(' \t"${([') and self._text[found.end() : found.end() + 1] in '\n; }"':
                return True
            if self._lines and _PASSED.search(before) and _SAFE_USE.search(before) is None:
                return True
        return False

    def _reached(self, name: str) -> tuple[set[str], set[str]]:
        """The names that loops take from a list, and all that anything of it may have been given to."""
        near: set[str] = set()
        far = {name}
        for _ in range(_ROUNDS):
            before = len(far)
            for move in self._moves():
                if not far.isdisjoint(move.out):
                    far |= move.into
                    if move.loop and name in move.out:
                        near |= move.into
            if len(far) == before:
                break
        else:
            self._over = True
        return near, far - {name}

    def _moves(self) -> list[_Move]:
        if self._known is None:
            self._known = []
            for pattern, loop in ((_MOVES[0], True), (_MOVES[1], False)):
                for number, found in enumerate(pattern.finditer(self._text)):
                    if number >= _MOST:
                        self._over = True
                        break
                    self._known.append(_move(found[1], found[2], loop=loop))
            each = any(text in self._text for text in _EACH_NAMES)
            for number, found in enumerate(_EACH.finditer(self._text) if each else ()):
                if number >= _MOST:
                    self._over = True
                    break
                self._known.append(_move(found[2], found[1], loop=True))
        return self._known


def _move(into: str, out: str, *, loop: bool) -> _Move:
    return _Move(into=frozenset(_WORD.findall(into)), out=frozenset(_WORD.findall(out)), loop=loop)

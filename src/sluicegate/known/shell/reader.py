"""Read shell text into commands: one pass, no recursion, linear time, and no text on which it fails.

Hand-written, not a grammar: shell in documents is often broken or half a line, and hostile text makes the
general parser quadratic (nested ``x=(``, open here-documents) or end the process (long pipes).
Where shell itself is undecided the reader takes the reading in which more is a command.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from sluicegate.known.shell import pieces
from sluicegate.known.shell.lists import DEPTH, PAREN, ListStack, OpenList
from sluicegate.known.shell.pieces import PLACEHOLDER, ansi, arithmetic, body_of
from sluicegate.known.shell.script import Redirect, Script, Word, WordPart
from sluicegate.patterns import late

HEREDOC_DEPTH = 3
_PLAIN = late(r"([^\s\"'`$\\|&;<>(){}#]++)([^\S\n]*+)")
"""Plain characters, and the space behind them that ends their word."""
_WORDS = late(r"([^\S\n]*+)((?:[^\s\"'`$\\|&;<>(){}#]++(?:[^\S\n]++|(?=[\n;|&])|\Z)){1,32}+)?")
"""Space, which ends the word before it, and plain words that something ends which is not part of a word: not more of
them than may well be looked at again where too few steps are left for them."""
_IN_DOUBLE = late(r"[\"`$\\}]")
_MARKS = frozenset('"`$\\}')
"""Characters that are more than text in double quotes."""
_STRING = late(r"\"([^\"`$\\}]*+)\"")
"""A string in double quotes in which nothing is expanded."""
_NAME = late(r"[A-Za-z_]\w{0,127}|[0-9@*#?!$-]")
_DESCRIPTOR = late(r"[0-9]{1,10}|\{[A-Za-z_]\w{0,127}\}")
"""What stands right before a redirection and says which file of the command it opens, and is not a word."""
_ENDS = frozenset({" ", "\n"})
"""Characters that mostly follow a word, and end it."""


class Reader(ListStack):
    """Reads one text, or a part of it. ``script`` is complete after ``read``."""

    def read(self, start: int = 0, end: int | None = None) -> Script:
        """All commands between two offsets."""
        given = self.steps
        self._limit = len(self.text) if end is None else end
        self._open("top", feed=-1, function="")
        self._run(self._empty_lines(start))
        while len(self._stack) > 1:
            self._close()
        self._end_command("\n")
        self.script.steps = given - self.steps
        return self.script

    # -- the loop --------------------------------------------------------------------------------

    def _run(self, at: int) -> None:
        text, limit, stack, special = self.text, self._limit, self._stack, self.special
        while at < limit and self.steps > 0:
            frame = stack[-1]
            self._at = at
            self.steps -= 1
            char = text[at]
            if frame.double:
                at = self._in_double(frame, char, at)
            elif char == "\n":
                at = self._newline(at)
            elif char in special:
                at = special[char](self, frame, char, at)
            else:
                at = self._words(frame, at)
        self._at = min(at, limit)
        if self.steps <= 0:
            self.script.partial = True
        if self._stack[-1].kind != "heredoc":
            self._end_word()

    def _newline(self, at: int) -> int:
        self._end_command("\n")
        return self._heredocs(at + 1) if self._pending else self._empty_lines(at + 1)

    def _empty_lines(self, at: int) -> int:
        """Skip lines without a command: where no word or command is under way, nothing of them changes anything."""
        if at >= self._limit or ((first := self.text[at]) != "#" and not first.isspace()):
            return at
        lines = pieces.EMPTY_LINES.match(self.text, at, self._limit)
        if lines is None:
            return at
        # as many as the loop would take
        steps = len(pieces.OF_EMPTY_LINES.findall(self.text, at, lines.end()))
        if steps > self.steps:
            return at
        self.steps -= steps
        return lines.end()

    def _words(self, frame: OpenList, at: int) -> int:
        """Space, and the plain words behind it: all at once where they are the name and arguments of a command.

        A space costs a step, and so do a word and the end of a line; the caller has taken one.
        """
        run = _WORDS.match(self.text, at, self._limit)
        start, end = (run.end(1), run.end()) if run is not None else (at, at)
        if start != at:
            self._end_word()
            frame = self._stack[-1]
        if run is None or start == end:
            return start if start != at else self._plain(frame, at)
        words = run[2].split()
        spaced = self.text[end - 1].isspace()
        steps = 2 * len(words) - (start == at) - (not spaced)
        if steps >= self.steps:
            return start if start != at else self._plain(frame, at)
        self.steps -= steps
        if not self._arguments(frame, words, start):
            self._one_by_one(words, start, spaced=spaced)
        if end < self._limit and self.text[end] == "\n":
            self.steps -= 1
            self._at = end
            return self._newline(end)
        return end

    def _one_by_one(self, words: list[str], at: int, *, spaced: bool) -> None:
        """The same of words of which the first is more than a name, or belongs to what stands before it."""
        for number, word in enumerate(words):
            frame = self._stack[-1]
            at = self.text.index(word, at)
            if number and self._arguments(frame, words[number:], at):
                return
            self._write(frame, word, at)
            at += len(word)
            if not spaced and number == len(words) - 1:
                return  # what follows ends it, or in a condition goes on with it
            self._at = at
            self._end_word()

    def _plain(self, frame: OpenList, at: int) -> int:
        """A run of plain characters; with space behind it, the end of a word."""
        run = _PLAIN.match(self.text, at, self._limit)
        if run is None:
            return at + 1
        end = run.end(1)
        self._write(frame, run[1], at)
        if not run[2] or self.steps <= 0:
            return end
        self.steps -= 1
        self._at = end
        self._end_word()
        return run.end()

    def _in_double(self, frame: OpenList, char: str, at: int) -> int:
        """What stands in double quotes, up to their end or to where a list begins or ends."""
        text, limit, stack = self.text, self._limit, self._stack
        while True:
            if char not in _MARKS:
                mark = _IN_DOUBLE.search(text, at, limit)
                end = limit if mark is None else mark.start()
                self._write(frame, text[at:end], at)
                at = end
            elif char == '"' and frame.kind != "heredoc":
                frame.double = False
                return at + 1
            elif char == "$":
                at = self._dollar(frame, at)
                if stack[-1] is not frame:
                    return at
            elif char == "`":
                return self._tick(frame, at)
            elif char == "\\":
                follower = text[at + 1 : at + 2]
                self._write(frame, "" if follower == "\n" else follower, at)
                at += 2
            elif char == "}" and frame.braces:
                frame.braces -= 1
                at += 1
            else:
                self._write(frame, char, at)
                at += 1
            if at >= limit or self.steps <= 0:
                return at
            self._at = at
            self.steps -= 1
            char = text[at]

    def _quoting(self, frame: OpenList, char: str, at: int) -> int:
        text = self.text
        if char == '"':
            string = _STRING.match(text, at, self._limit)
            if string is not None and self.steps > 1:  # all that the loop would do in two more steps
                self.steps -= 2 if string[1] else 1
                end = string.end()
                if text[end : end + 1] not in _ENDS or not self._arguments(frame, [string[1]], at):
                    self._write(frame, string[1], at, quoted=True)
                return end
            self._write(frame, "", at, quoted=True)
            frame.double = True
            return at + 1
        if char == "'":
            end = text.find("'", at + 1, self._limit)
            if end == -1:  # an apostrophe in prose
                self._write(frame, char, at)
                return at + 1
            self._write(frame, text[at + 1 : end], at, quoted=True)
            return end + 1
        if char == "\\":
            follower = text[at + 1 : at + 2]
            if follower == "\r" and text[at + 2 : at + 3] == "\n":
                return at + 3
            if follower != "\n":
                self._write(frame, follower, at)
                if frame.word is not None:
                    frame.word.bare = False
            return at + 2
        return self._dollar(frame, at) if char == "$" else self._tick(frame, at)

    def _dollar(self, frame: OpenList, at: int) -> int:
        text, limit = self.text, self._limit
        follower = text[at + 1] if at + 1 < limit else ""
        if follower == "(":
            if text.startswith("$((", at) and (end := arithmetic(text, at + 1, min(limit, at + 200))) != -1:
                self._write(frame, "0", at)
                return end
            self._add(frame, WordPart("sub", "", len(self.script.scopes)), at)
            self._open("$(", feed=self._feed(frame), function=frame.function)
            return at + 2
        if follower == "{":
            name = _NAME.match(text, at + 2 + text.startswith(("#", "!"), at + 2), limit)
            if name is None:
                self._write(frame, "${", at)
                return at + 2
            self._add(frame, WordPart("var", name[0]), at)
            frame.braces += 1
            return name.end()
        if follower == "'" and not frame.double:
            value, after = ansi(text, at + 2, limit)
            self._write(frame, value, at, quoted=True)
            return after
        if follower == '"' and not frame.double:
            return at + 1
        name = _NAME.match(text, at + 1, limit)
        if name is not None:
            self._add(frame, WordPart("var", name[0]), at)
            return name.end()
        if frame.word is None and frame.command is None and follower in (" ", "\t"):
            return at + 2  # a prompt, as documents show it
        self._write(frame, "$", at)
        return at + 1

    def _tick(self, frame: OpenList, at: int) -> int:
        if self._ticks:
            for other in reversed(self._stack[-8:]):
                if other.kind == "heredoc":
                    break
                if other.kind == "`":
                    while not other.closed:
                        self._close()
                    return at + 1
        self._add(frame, WordPart("sub", "", len(self.script.scopes)), at)
        self._open("`", feed=self._feed(frame), function=frame.function)
        return at + 1

    def _brace_or_hash(self, frame: OpenList, char: str, at: int) -> int:
        text = self.text
        if char == "#" and frame.word is None:
            end = text.find("\n", at, self._limit)
            return self._limit if end == -1 else end
        if char == "}" and frame.braces:
            frame.braces -= 1
            return at + 1
        if char == "{" and frame.word is None and text[at + 1 : at + 2].isspace():
            words = frame.command.words if frame.command else []
            if words and words[0] == "function" and len(words) == 2:
                frame.naming, frame.command = words[1], None
            if frame.command is None:
                self._group("{", at)
                return at + 1
        self._write(frame, char, at)
        return at + 1

    # -- operators -------------------------------------------------------------------------------

    def _operator(self, frame: OpenList, char: str, at: int) -> int:
        text = self.text
        if frame.cond and char != ";":
            self._write(frame, char, at)
            return at + 1
        if char in "<>":
            return self._angle(frame, char, at)
        if char == "(":
            return self._paren(frame, at)
        if char == ")":
            return self._close_paren(frame, at)
        double = text.startswith(char, at + 1)
        if char == "|" and not double:
            self._end_command("|")
            return at + (2 if text.startswith("&", at + 1) else 1)
        if char == "&" and text.startswith(">", at + 1):
            self._end_word()
            frame = self._stack[-1]
            self._command(frame, at)
            frame.redirect = ">>" if text.startswith(">>", at + 1) else ">"
            return at + 1 + len(frame.redirect)
        self._end_command(";")
        return at + (2 if double else 1)

    def _angle(self, frame: OpenList, char: str, at: int) -> int:
        text = self.text
        if char == "<":
            placeholder = PLACEHOLDER.match(text, at, self._limit)
            if placeholder is not None:
                self._write(frame, placeholder[0], at)
                return placeholder.end()
        if text.startswith("(", at + 1):
            self._add(frame, WordPart("sub", "", len(self.script.scopes)), at)
            self._open("<(", feed=-1, function=frame.function)
            return at + 2
        word = frame.word
        descriptor = ""
        if word is not None and word.bare and word.text is not None and _DESCRIPTOR.fullmatch(word.text):
            descriptor, frame.word = word.text.strip("{}"), None
        self._end_word()
        frame = self._stack[-1]
        frame.descriptor = descriptor
        self._command(frame, at)
        for operator in ("<<<", "<<-", "<<", "<>", "<&", "<") if char == "<" else (">>", ">&", ">|", ">"):
            if text.startswith(operator, at):
                frame.redirect = operator
                return at + len(operator)
        return at + 1

    def _paren(self, frame: OpenList, at: int) -> int:
        text = self.text
        word, command = frame.word, frame.command
        if word is not None and word.parts[-1].text.endswith("="):
            word.add(WordPart("sub", "", len(self.script.scopes)))
            self._open("array", feed=-1, function=frame.function)
            return at + 1
        empty = pieces.EMPTY_PARENS.match(text, at, self._limit)
        if empty is not None and (word is not None) != (command is not None and len(command.words) == 1):
            self._end_word()
            if frame.command is not None and frame.command.words:
                frame.naming = frame.command.words[-1]
                frame.command = None
            return empty.end()
        if word is None and command is None:
            if text.startswith("((", at) and (end := arithmetic(text, at, self._limit)) != -1:
                return end
            self._group("(", at)
            return at + 1
        self._write(frame, "(", at)
        return at + 1

    def _close_paren(self, frame: OpenList, at: int) -> int:
        if frame.kind == "case":
            frame.word = None
            frame.command = None
            frame.header = False
        elif self._parens:
            self._end_word()
            while len(self._stack) > 1 and self._stack[-1].kind not in PAREN:
                self._pop()
            if len(self._stack) > 1:
                self._pop()
        elif frame.word is not None:
            self._write(frame, ")", at)
        return at + 1

    def _heredocs(self, at: int) -> int:
        """Read the bodies that begin here; the offset after the last of them."""
        pending, self._pending = self._pending, []
        for delimiter, quoted, command, descriptor in pending:
            end, after = body_of(self.text, at, self._limit, delimiter)
            body = self.text[at:end]
            word = Word(body, at, end)
            first = len(self.script.commands)
            if not quoted and ("$" in body or "`" in body):
                self._expand(word)
            command.redirects.append(Redirect("<<", word, first, len(self.script.commands), descriptor))
            at = after
        return at

    def _expand(self, word: Word) -> None:
        if self._heredoc >= HEREDOC_DEPTH or len(self._stack) >= DEPTH:
            self.script.partial = True
            return
        outer, self._limit = self._limit, word.end
        parens, self._parens = self._parens, 0  # none that is open out here is closed in there
        base = len(self._stack)
        self._open("heredoc", feed=-1, function=self._stack[-1].function)
        self._stack[-1].double = True
        self._heredoc += 1
        self._run(word.start)
        self._heredoc -= 1
        while len(self._stack) > base + 1:
            self._close()
        inner = self._stack.pop().word
        if inner is not None:
            word.text, word.pieces = inner.text, inner.pieces
        self._limit, self._parens = outer, parens

    special: ClassVar[dict[str, Callable[[Any, OpenList, str, int], int]]] = {
        **dict.fromkeys("\"'`$\\", _quoting),
        **dict.fromkeys("|&;<>()", _operator),
        **dict.fromkeys("{}#", _brace_or_hash),
    }
    """What reads on from a character that is neither plain nor space."""


_KEPT = 32
"""Scripts that are kept for whoever reads the same text next."""
_KEPT_SIZE = 16_384
"""Characters of a text whose script is kept."""
_kept: dict[str, Script] = {}


def script_of(text: str, steps: int) -> Script:
    """The commands of a text that more than one analyzer reads; nobody changes them.

    One that took fewer steps than were left is the same whenever more are left.
    """
    held = _kept.get(text)
    if held is not None and held.steps < steps:
        return held
    script = Reader(text, steps).read()
    if script.steps < steps and len(text) <= _KEPT_SIZE:
        if len(_kept) >= _KEPT:
            _kept.clear()
        _kept[text] = script
    return script

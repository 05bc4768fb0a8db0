"""Read shell text for certain: the same commands, and a mark at everything that is not certain.

The reader takes half a line, prose and broken code, and where shell is undecided the reading in which more is a command.
Whoever lets the text run has to know that nothing else does. So here every such reading leaves a mark; so does what
shells read in different ways, and what may run code that does not stand in the text. What has no mark is read as every
shell reads it, or wider: each command that could run is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar, Final

from sluicegate.known.shell import pieces
from sluicegate.known.shell.lists import BETWEEN, CLOSERS, KEYWORDS, OPENERS, PAREN, STEPS, OpenList
from sluicegate.known.shell.reader import Reader
from sluicegate.known.shell.script import Mark, Redirect, Script, ScriptCommand, Word, WordPart
from sluicegate.patterns import late

DEEPEST: Final = 40
"""How many lists may stand inside each other."""
_MOST_TICKS: Final = 12
_PLAIN = late(r"[^\s\"'`$\\|&;<>(){}#*?\[~\x00]+")
_NAMED = late(r"\$(?:([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])|\{(#?[A-Za-z_0-9]+|[@*#?$!-])\})")
_WITH_TEXT = late(r"\$\{([A-Za-z_][A-Za-z0-9_]*|[0-9@*])(?::?[-+]|%%?|##?|//?)[A-Za-z0-9_./:,@%+=*? -]*\}")
"""An expansion with a text that is put in its place or taken off it, where that text holds nothing that is read."""
_SUM = late(r"\$\(\([0-9+\-*/% ()]*\)\)")
_TICKED = late(r"((?:[^`\\]|\\.)*)`", re.DOTALL)
_ASSIGNED = late(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_INDEXED = late(r"[\"'\\]*\[")
_EXPANDS_HOME = late(r"[A-Za-z_][A-Za-z0-9_]*\+?=(?:.*:)?", re.DOTALL)
_FUNCTION = late(r"[A-Za-z_][A-Za-z0-9_.-]*")
_EMPTY_PARENS = late(r"\([ \t]*\)")
_PATTERN = late(r"\(?[ \t]*+(?:[A-Za-z0-9_.*?@%+,:/=^~!|\[\] \t-]|\"[^\"$`\\\n]*+\"|'[^'\n]*+'|\\[^\n])++\)")
_BRACKETS = late(r"\[\[?(?=[ \t\n]|\Z)")
_IN_DOUBLE = late(r"[^\"`$\\\x00]+")
_BETWEEN_PATTERNS = late(r"(?:[ \t\n]|\\\n|#[^\n]*)*")
_ESAC = late(r"esac(?![^ \t\n;&|)<>])")
_INNER: Final = frozenset({"then", "do", "else", "elif"})
_OPERATORS: Final = (";;&", ";;", ";&", "&&", "||", "|&", "&>>", "&>", ";", "|", "&")
_PIPES: Final = frozenset({"|", "|&"})


class Exact(Reader):
    """Reads one text for certain. ``script.marks`` are in the order of the text after ``read``."""

    def __init__(self, text: str, steps: int = STEPS, *, ticks: int = 0) -> None:
        super().__init__(text, steps)
        self._inside_ticks = ticks
        self._depths: list[int] = []
        self._begun: dict[int, int] = {}
        self._last = False

    def mark(self, at: int, what: str) -> None:
        """Say that something is not read."""
        self.script.marks.append(Mark(at, what))

    def read(self, start: int = 0, end: int | None = None) -> Script:
        """All commands, and all marks."""
        given = self.steps
        self._limit = len(self.text) if end is None else end
        self._open("top", feed=-1, function="")
        self._run(start)
        for frame in self._stack:
            if frame.double:
                self.mark(self._limit, 'a quote " that does not end')
        if len(self._stack) > 1:
            self.mark(self._limit, f"{_opened(self._stack[-1].kind)} that does not end")
        while len(self._stack) > 1:
            self._close()
        self._last = True
        self._end_command("")
        if self._pending:
            self.mark(self._limit, "a here-document without a text")
        if self.steps <= 0 or self.script.partial:
            self.mark(self._limit, "more than is read")
        self.script.marks.sort()
        self.script.steps = given - self.steps
        return self.script

    def _run(self, at: int) -> None:
        text, limit, stack, special = self.text, self._limit, self._stack, self.special
        while at < limit and self.steps > 0:
            frame = stack[-1]
            self._at = at
            self.steps -= 1
            char = text[at]
            if char == "\0":
                self.mark(at, "a NUL, which no argument can hold")
                at += 1
            elif frame.double:
                at = self._in_double(frame, char, at)
            elif frame.pattern:
                at = self._pattern(frame, at)
            elif char == "\n":
                at = self._newline(at)
            elif char in " \t":
                self._end_word()
                at += 1
            elif char in special:
                at = special[char](self, frame, char, at)
            else:
                at = self._plain(frame, at)
        self._at = min(at, limit)
        if self._stack[-1].kind != "heredoc":
            self._end_word()

    # -- words -----------------------------------------------------------------------------------

    def _empty_lines(self, at: int) -> int:
        return at

    def _plain(self, frame: OpenList, at: int) -> int:
        run = _PLAIN.match(self.text, at, self._limit)
        end = run.end() if run is not None else at + 1  # a blank that is none to a shell, a line of Unicode
        self._write(frame, self.text[at:end], at)
        return end

    def _wild(self, frame: OpenList, char: str, at: int) -> int:
        """``*``, ``?``, ``[`` and ``~``, which stand for files."""
        word = frame.word
        brackets = _BRACKETS.match(self.text, at, self._limit) if char == "[" else None
        if brackets is not None:  # the program of this name, or the word that begins a condition
            self._write(frame, brackets[0], at)
            return brackets.end()
        if char == "~":
            home = word is None or (
                word.bare and word.text is not None and _EXPANDS_HOME.fullmatch(word.text)
            )
            if home:
                self._add(frame, WordPart("home", "~", written="~"), at)
            else:
                self._write(frame, char, at)
        else:
            self._add(frame, WordPart("glob", char, written=char), at)
        return at + 1

    def _in_double(self, frame: OpenList, char: str, at: int) -> int:
        document = frame.kind == "heredoc"
        if char == '"' and not document:
            frame.double = False
            return at + 1
        if char == "$":
            return self._dollar(frame, at)
        if char == "`":
            return self._tick(frame, at)
        if char == "\\":
            follower = self.text[at + 1 : at + 2]
            if not follower or at + 1 >= self._limit:
                if not document:
                    self.mark(at, "a backslash at the end")
                self._write(frame, char, at)
            elif follower in "$`\\" or (follower == '"' and not document):
                self._write(frame, follower, at)
            elif follower != "\n":
                self._write(frame, char + follower, at)
            return at + 2
        run = _IN_DOUBLE.match(self.text, at, self._limit)
        end = run.end() if run is not None else at + 1
        self._write(frame, self.text[at:end], at)
        return end

    def _quoting(self, frame: OpenList, char: str, at: int) -> int:
        text = self.text
        if char == "$":
            return self._dollar(frame, at)
        if char == "`":
            return self._tick(frame, at)
        if char == '"':
            self._write(frame, "", at, quoted=True)
            frame.double = True
            return at + 1
        if char == "'":
            end = text.find("'", at + 1, self._limit)
            if end == -1:
                self.mark(at, "a quote ' that does not end")
                return self._limit
            self._write(frame, text[at + 1 : end], at, quoted=True)
            return end + 1
        follower = text[at + 1 : at + 2] if at + 1 < self._limit else ""
        if follower == "\n":
            if frame.word is not None or (at and text[at - 1] not in " \t\n"):
                self.mark(at, "a line that goes on inside a word or an operator")
        elif not follower:
            self.mark(at, "a backslash at the end")
        else:
            self._write(frame, follower, at, quoted=True)
        return at + 2

    def _dollar(self, frame: OpenList, at: int) -> int:
        text, limit = self.text, self._limit
        quoted = frame.double
        for kind, pattern in (("var", _NAMED), ("var", _WITH_TEXT), ("sum", _SUM)):
            found = pattern.match(text, at, limit)
            if found is not None:
                name = "" if kind == "sum" else found[1] or found[found.lastindex or 1]
                self._add(frame, WordPart(kind, name, quoted=quoted, written=found[0]), at)
                return found.end()
        follower = text[at + 1 : at + 2] if at + 1 < limit else ""
        if text.startswith("((", at + 1):
            self.mark(at, "arithmetic on variables")
            return limit
        if follower == "(":
            number = len(self.script.scopes)
            self._begun[number] = at
            self._add(frame, WordPart("sub", "", number, quoted=quoted), at)
            self._open("$(", feed=self._feed(frame), function=frame.function)
            return at + 2
        if follower in ("{", "["):
            self.mark(at, "an expansion with rules of its own")
            return limit
        if follower in ("'", '"') and not quoted:
            self.mark(at, "a '$' before a quote, which shells read differently")
            return limit
        if follower == "\\" and text[at + 2 : at + 3] == "\n":
            self.mark(at, "a line that goes on inside a word or an operator")
        self._write(frame, "$", at)
        return at + 1

    def _tick(self, frame: OpenList, at: int) -> int:
        """What stands in backquotes is taken out up to the next one, whatever it is, and read then."""
        found = _TICKED.match(self.text, at + 1, self._limit)
        if found is None:
            self.mark(at, "a backquote that does not end")
            return self._limit
        if self._inside_ticks >= _MOST_TICKS:
            self.mark(at, "nesting that is too deep")
            return found.end()
        quotes = frame.double and frame.kind != "heredoc"
        inside = re.sub(r'\\([`\\$"])' if quotes else r"\\([`\\$])", r"\1", found[1])
        inner = Exact(inside, self.steps, ticks=self._inside_ticks + 1).read()
        self.steps -= inner.steps
        first = len(self.script.scopes)
        part = WordPart("sub", "", first, quoted=frame.double, written=self.text[at : found.end()])
        self._add(frame, part, at)
        self._take_over(inner, first, at + 1)
        return found.end()

    def _take_over(self, inner: Script, first: int, at: int) -> None:
        """Make the commands and marks of an inner text, which begins at an offset, those of this one."""
        inner.scopes[0].kind = "`"
        self.script.scopes += inner.scopes
        for command in inner.commands:
            command.scope += first
            command.start += at
            command.end += at
            if command.body != -1:
                command.body += first
        self.script.commands += inner.commands
        for name, bodies in inner.functions.items():
            self.script.functions.setdefault(name, []).extend(body + first for body in bodies)
        for start, what in inner.marks:
            self.mark(at + start, what)

    def _end_word(self) -> None:
        frame = self._stack[-1]
        word, redirect = frame.word, frame.redirect
        if frame.double:
            self.mark(self._at, 'a quote " that does not end')
        frame.double = False
        if word is None:
            return
        frame.word = None
        word.end = self._at
        if frame.kind == "array" and _INDEXED.match(self.text, word.start):
            self.mark(word.start, "an index in an array, which can be code")
        if redirect:
            self._redirected(frame, word)
            return
        command = frame.command
        if command is None or not command.words:
            self._first_word(frame, word)
        else:
            if frame.cond and word.bare and word.literal == "]]":
                frame.cond = False
            elif word.bare and word.text in ("{", "}"):
                self.mark(word.start, "a brace among arguments, which some shells take for a group")
            _put(command, word)
        if frame.header:
            self._header(frame)

    def _first_word(self, frame: OpenList, word: Word) -> None:
        command = frame.command
        if word.bare and word.text in KEYWORDS and frame.kind != "array" and not frame.header:
            if command is None or (command.kind == "group" and not command.redirects):
                self._keyword(frame, word)
                return
            if not command.assigns:
                self.mark(word.start, f"{word.text} after a redirection")
        if command is not None and command.kind == "group":
            self.mark(word.start, "a word after a group")
        command = self._command(frame, word.start)
        first = word.begin()
        found = _ASSIGNED.match(first) if first is not None and command.kind == "simple" else None
        if found is not None and not frame.header:
            word.drop(found.end())
            command.assigns.append((found[0].rstrip("+="), word))
            return
        if word.bare and word.text == "[[":
            frame.cond = True
        _put(command, word)

    def _header(self, frame: OpenList) -> None:
        """After each word between ``for`` or ``case`` and what it is about."""
        command = frame.command
        words = command.words if command is not None else []
        if command is None or len(words) != 2:
            return
        bare = command.woven[1].bare
        if words[1] != "in" or not bare:
            self.mark(command.start, f"a {frame.kind} without in")
        elif frame.kind == "case":
            frame.command, frame.header, frame.pattern = None, False, True

    def _pattern(self, frame: OpenList, at: int) -> int:
        """What stands before ``)`` in a ``case``, or its end."""
        text = self.text
        space = _BETWEEN_PATTERNS.match(text, at, self._limit)
        start = space.end() if space is not None else at
        if start >= self._limit:
            return start
        frame.pattern = False
        if _ESAC.match(text, start, self._limit):
            return start
        found = _PATTERN.match(text, start, self._limit)
        if found is None:
            self.mark(start, "a pattern of a case with rules of its own")
            return start
        return found.end()

    # -- lists -----------------------------------------------------------------------------------

    def _keyword(self, frame: OpenList, word: Word) -> bool:
        text = word.text or ""
        group = frame.command
        if text in BETWEEN:
            if group is not None and text in _INNER:
                self._end_command(";")
            elif group is not None:
                self.mark(word.start, "a word after a group")
        elif text in OPENERS:
            if group is not None:
                self.mark(word.start, "a word after a group")
                frame.command = None
            self._group(text, word.start)
        elif frame.kind in CLOSERS[text]:
            self._pop()
        else:
            self.mark(word.start, f"{text} without its beginning")
        return True

    def _open(self, kind: str, *, feed: int, function: str) -> None:
        if len(self._stack) >= DEEPEST:
            self.script.partial = True
            self.mark(self._at, "nesting that is too deep")
        super()._open(kind, feed=feed, function=function)

    def _pop(self) -> None:
        self._last = True
        super()._pop()

    def _end_command(self, separator: str) -> None:
        last, self._last = self._last, False
        frame = self._stack[-1]
        if frame.word is not None or frame.double:
            self._end_word()
            frame = self._stack[-1]
        if frame.redirect:
            self.mark(self._at, "a redirection without a file")
        if frame.cond:
            self.mark(self._at, "a [[ that does not end, or goes on behind an operator")
        command = frame.command
        if frame.header and command is None:
            self.mark(self._at, f"a {frame.kind} without a name")
        elif frame.header and command is not None:
            if frame.kind == "case":
                self.mark(command.start, "a case without in")
            elif not _FUNCTION.fullmatch("".join(command.words[:1])):
                self.mark(command.start, f"a {frame.kind} without a name")
        if command is not None:
            self._check_redirects(command)
        count = len(self.script.commands)
        super()._end_command("|" if separator in _PIPES else separator if separator == "\n" else ";")
        if len(self.script.commands) > count:
            self.script.commands[-1].after = "" if last else separator

    def _check_redirects(self, command: ScriptCommand) -> None:
        """``a &> f b`` is ``a &`` and ``> f b`` to some shells; where nothing follows, both do the same."""
        for each in command.redirects:
            if each.operator in ("&>", "&>>") and any(
                word.start > each.word.start for word in command.woven.values()
            ):
                self.mark(each.word.start, "'&>' before further words, which some shells read as '&' and '>'")

    # -- operators -------------------------------------------------------------------------------

    def _brace_or_hash(self, frame: OpenList, char: str, at: int) -> int:
        text = self.text
        if char == "#" and frame.word is None:
            end = text.find("\n", at, self._limit)
            return self._limit if end == -1 else end
        follower = text[at + 1 : at + 2] if at + 1 < self._limit else ""
        if char == "{" and frame.word is None and follower in (" ", "\t", "\n") and follower:
            words = frame.command.words if frame.command else []
            if len(words) == 2 and words[0] == "function":
                self._name_function(frame, words[1], at)
            if frame.command is None and not frame.redirect and frame.kind != "array":
                self._group("{", at)
                return at + 1
        if char == "{" and follower not in ("", " ", "\t", "\n", "}", ";"):
            self.mark(at, "a brace expansion")
        self._write(frame, char, at)
        return at + 1

    def _operator(self, frame: OpenList, char: str, at: int) -> int:
        text = self.text
        if frame.cond:
            self.mark(at, "an operator inside [[, which some shells take for one between commands")
            self._write(frame, char, at)
            return at + 1
        if char in "<>":
            return self._angle(frame, char, at)
        if char == "(":
            return self._paren(frame, at)
        if char == ")":
            return self._close_paren(frame, at)
        operator = next(each for each in _OPERATORS if text.startswith(each, at))
        if operator in ("&>", "&>>"):
            self._end_word()
            frame = self._stack[-1]
            self._command(frame, at)
            frame.redirect = operator
            if text.startswith("!", at + len(operator)):
                self.mark(at, f"'{operator}!', which some shells read as {operator!r}")
            return at + len(operator)
        if operator in (";&", ";;&"):
            self.mark(at, f"{operator}, which goes on with the next part of a case")
        self._end_command(operator)
        frame = self._stack[-1]
        if operator == ";;":
            if frame.kind == "case" and not frame.header:
                frame.pattern = True
            else:
                self.mark(at, "';;' outside of a case")
        return at + len(operator)

    def _newline(self, at: int) -> int:
        self._at = at
        self._end_command("\n")
        return self._heredocs(at + 1) if self._pending else at + 1

    def _angle(self, frame: OpenList, char: str, at: int) -> int:
        text = self.text
        if text.startswith(
            "(", at + 1
        ):  # the command gets the name of a stream; any will do, its number is not known
            self._write(frame, "/dev/fd/0", at)
            self._open("<(", feed=-1, function=frame.function)
            return at + 2
        word = frame.word
        if (
            word is not None
            and word.bare
            and word.text is not None
            and word.text.isascii()
            and word.text.isdigit()
        ):
            descriptor, frame.word = word.text, None
        else:
            descriptor = ""
        self._end_word()
        frame = self._stack[-1]
        frame.descriptor = descriptor
        if frame.redirect:
            self.mark(at, "a redirection without a file")
        if frame.header:
            self.mark(at, f"a redirection in a {frame.kind}")
        self._command(frame, at)
        for operator in ("<<<", "<<-", "<<", "<>", "<&", "<") if char == "<" else (">>", ">&", ">|", ">"):
            if text.startswith(operator, at):
                frame.redirect = operator
                if text.startswith("!", at + len(operator)):
                    self.mark(at, f"'{operator}!', which some shells read as {operator!r}")
                return at + len(operator)
        return at + 1

    def _redirected(self, frame: OpenList, word: Word) -> None:
        operator, frame.redirect = frame.redirect, ""
        command = self._command(frame, word.start)
        if frame.kind == "array":
            self.mark(word.start, "a redirection in an array")
        if operator in ("<<", "<<-"):
            if word.text is None or "\n" in word.text:
                self.mark(word.start, "a here-document whose end is not plain")
            end = ("\t" if operator == "<<-" else "") + word.literal
            self._pending.append((end, not word.bare, command, frame.descriptor))
            self._depths.append(len(self._stack))
        else:
            command.redirects.append(Redirect(operator, word, descriptor=frame.descriptor))
        frame.descriptor = ""

    def _paren(self, frame: OpenList, at: int) -> int:
        text, word, command = self.text, frame.word, frame.command
        plain = frame.kind != "array" and not frame.redirect and not frame.header
        if plain and word is not None and word.bare and word.text is not None:
            if (command is None or not command.words) and _ASSIGNED.fullmatch(word.text):
                word.add(WordPart("sub", "", len(self.script.scopes)))
                self._open("array", feed=-1, function=frame.function)
                return at + 1
        empty = _EMPTY_PARENS.match(text, at, self._limit)
        if plain and empty is not None:
            self._end_word()
            words = frame.command.words if frame.command is not None else []
            name = (
                words[0]
                if len(words) == 1
                else words[1]
                if words[:1] == ["function"] and words[2:] == []
                else ""
            )
            if name and frame is self._stack[-1]:
                self._name_function(frame, name, at)
                return empty.end()
        if plain and word is None and command is None and not text.startswith("((", at):
            self._group("(", at)
            return at + 1
        self.mark(at, "a bracket that begins no group, or arithmetic")
        self._write(frame, "(", at)
        return at + 1

    def _name_function(self, frame: OpenList, name: str, at: int) -> None:
        command = frame.command
        if command is None or command.redirects or command.assigns or not _FUNCTION.fullmatch(name):
            self.mark(at, "a function with a name that is not plain")
        frame.naming, frame.command = name, None

    def _close_paren(self, frame: OpenList, at: int) -> int:
        self._end_word()
        frame = self._stack[-1]
        if frame.kind not in PAREN:
            self.mark(at, "a ')' without its '('")
            return at + 1
        number = frame.scope
        self._pop()
        outer = self._stack[-1]
        begun = self._begun.get(number)
        if begun is not None and outer.word is not None:
            parts = outer.word.pieces
            if parts and parts[-1].scope == number:
                parts[-1] = parts[-1]._replace(written=self.text[begun : at + 1])
        return at + 1

    # -- here-documents --------------------------------------------------------------------------

    def _heredocs(self, at: int) -> int:
        pending, self._pending = self._pending, []
        depths, self._depths = self._depths, []
        if any(depth != len(self._stack) for depth in depths):
            self.mark(at - 1, "a here-document whose text stands in another list")
        for delimiter, quoted, command, descriptor in pending:
            found = pieces.document(self.text, at, self._limit, delimiter)
            if found is None:
                self.mark(at, "a here-document that does not end")
            end, after = found or (self._limit, self._limit)
            word = Word(self.text[at:end], at, end)
            first = len(self.script.commands)
            if not quoted and ("$" in word.literal or "`" in word.literal):
                self._expand(word)
            last = len(self.script.commands)
            command.redirects.append(Redirect("<<", word, first, last, descriptor, quoted))
            at = after
        return at

    def _expand(self, word: Word) -> None:
        """What is expanded in a here-document: as in double quotes, but for these."""
        if self._heredoc >= 3 or len(self._stack) >= DEEPEST:
            self.mark(word.start, "nesting that is too deep")
            return
        outer, self._limit = self._limit, word.end
        base = len(self._stack)
        self._open("heredoc", feed=-1, function=self._stack[-1].function)
        self._stack[-1].double = True
        self._heredoc += 1
        self._run(word.start)
        self._heredoc -= 1
        if len(self._stack) > base + 1:
            self.mark(word.end, "a substitution that does not end in its here-document")
        while len(self._stack) > base + 1:
            self._close()
        self._stack.pop()
        self._limit = outer

    special: ClassVar[dict[str, Callable[[Any, OpenList, str, int], int]]] = {
        **dict.fromkeys("\"'`$\\", _quoting),
        **dict.fromkeys("|&;<>()", _operator),
        **dict.fromkeys("{}#", _brace_or_hash),
        **dict.fromkeys("*?[~", _wild),
    }
    """What reads on from a character that is neither plain nor space."""


def _put(command: ScriptCommand, word: Word) -> None:
    """One more word of a command, with all that is known of it."""
    command.woven[len(command.words)] = word
    command.words.append(word.literal)


def _opened(kind: str) -> str:
    return "a '('" if kind in PAREN else f"a {kind!r}"

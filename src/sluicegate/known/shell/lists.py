"""The lists, commands and words under way while shell text is read, and how they begin and end."""

from __future__ import annotations

from sluicegate.known.shell.script import Redirect, Scope, Script, ScriptCommand, Word, WordPart
from sluicegate.patterns import late

DEPTH = 400
"""How many lists may stand inside each other; what is deeper is read as if it stood at this depth."""
STEPS = 150_000
"""Steps (a run of plain characters, a quote, an operator) that are read of one text."""
_ASSIGN = late(r"([A-Za-z_]\w{0,127})(?:\[[^\]\n]{0,80}\])?\+?=")
OPENERS = frozenset({"if", "while", "until", "for", "select", "case"})
BETWEEN = frozenset({"then", "do", "else", "elif", "!", "time"})
_LOOPS = frozenset({"while", "until", "for", "select"})
CLOSERS = {"fi": frozenset({"if"}), "done": _LOOPS, "esac": frozenset({"case"}), "}": frozenset({"{"})}
KEYWORDS = OPENERS | BETWEEN | CLOSERS.keys()
_FIRST = KEYWORDS | {"[["}
"""Words that are more than the name of a command where one may stand; so is any with an equals sign in it."""
PAREN = frozenset({"$(", "<(", "(", "array"})


class OpenList:
    """A list that is being read: its scope, the command and the word under way."""

    __slots__ = (
        "braces", "closed", "command", "cond", "descriptor", "double", "function", "header", "kind", "naming", "pattern", "previous",
        "redirect", "scope", "word",
    )  # fmt: skip

    def __init__(self, kind: str, scope: int, function: str) -> None:
        self.kind = kind
        self.scope = scope
        self.function = function
        self.command: ScriptCommand | None = None
        self.word: Word | None = None
        self.previous = -1
        self.redirect = ""
        self.descriptor = ""
        self.double = False
        self.braces = 0
        self.cond = False
        self.header = kind in ("for", "case", "select")
        self.naming = ""
        self.pattern = False
        self.closed = False


class ListStack:
    """The stack of lists that are open at a point of the text."""

    def __init__(self, text: str, steps: int = STEPS) -> None:
        self.text = text
        self.script = Script()
        self._stack: list[OpenList] = []
        self._parens = 0
        self._ticks = 0
        self._pending: list[tuple[str, bool, ScriptCommand, str]] = []
        """Here-documents whose text is to come: its end, whether that is quoted, the command, and its descriptor."""
        self._limit = len(text)
        self._at = 0
        self._heredoc = 0
        self.steps = steps

    # -- words and commands ----------------------------------------------------------------------

    def _command(self, frame: OpenList, at: int) -> ScriptCommand:
        command = frame.command
        if command is None:
            kind = "array" if frame.kind == "array" else "simple"
            command = frame.command = ScriptCommand(kind, at, frame.scope, frame.previous, frame.function)
        return command

    def _write(self, frame: OpenList, text: str, at: int, *, quoted: bool = False) -> None:
        """Text of the word under way, or of a new one."""
        word = frame.word
        if word is None:
            word = frame.word = Word(text, at)
        else:
            word.write(text)
        if quoted:
            word.bare = False

    def _add(self, frame: OpenList, part: WordPart, at: int) -> None:
        """A variable or a substitution of the word under way, or of a new one."""
        word = frame.word
        if word is None:
            word = frame.word = Word(None, at)
        word.add(part)

    def _end_word(self) -> None:
        frame = self._stack[-1]
        word = frame.word
        frame.double, frame.braces = False, 0
        if word is None:
            return
        frame.word = None
        word.end = self._at
        if frame.redirect:
            self._redirected(frame, word)
            return
        command = frame.command
        if command is None or not command.words:
            self._first_word(frame, word)
            return
        if frame.cond and word.literal == "]]":
            frame.cond = False
        command.add(word)

    def _arguments(self, frame: OpenList, words: list[str], at: int) -> bool:
        """Whether words that are complete belong to a command as they are, without a second look at any of them."""
        command = frame.command
        if frame.word is not None or frame.redirect or frame.cond or frame.double:
            return False
        if command is None or not command.words:
            if words[0] in _FIRST or "=" in words[0]:
                return False
            if command is None:
                command = self._command(frame, at)
        frame.braces = 0
        command.words += words
        return True

    def _first_word(self, frame: OpenList, word: Word) -> None:
        """A keyword, an assignment, or the name of a command."""
        command = frame.command
        if (command is None or not command.assigns) and word.bare and self._keyword(frame, word):
            return
        command = self._command(frame, word.start)
        first = word.begin()
        if first is not None and "=" in first and command.kind == "simple":
            assign = _ASSIGN.match(first)
            if assign is not None:
                word.drop(assign.end())
                command.assigns.append((assign[1], word))
                return
        literal = word.literal
        if literal == "[[":
            frame.cond = True
        elif frame.cond and literal == "]]":
            frame.cond = False
        command.add(word)

    def _redirected(self, frame: OpenList, word: Word) -> None:
        operator, frame.redirect = frame.redirect, ""
        command = self._command(frame, word.start)
        if operator in ("<<", "<<-"):
            self._pending.append((word.literal, not word.bare, command, frame.descriptor))
        else:
            command.redirects.append(Redirect(operator, word, descriptor=frame.descriptor))
        frame.descriptor = ""

    def _keyword(self, frame: OpenList, word: Word) -> bool:
        """Whether the word was a keyword, and what it opens or closes."""
        text = word.text
        if text is None or text not in KEYWORDS or frame.kind == "array":
            return False
        if text in BETWEEN:
            return True
        if text in OPENERS:
            self._group(text, word.start)
            return True
        wanted = CLOSERS[text]
        for other in reversed(self._stack[-8:]):
            if other.kind in wanted:
                while not other.closed:
                    self._pop()
                break
            if other.kind in PAREN or other.kind in ("top", "`", "heredoc"):
                break
        return True

    # -- lists -----------------------------------------------------------------------------------

    def _feed(self, frame: OpenList) -> int:
        return frame.previous if frame.previous != -1 else self.script.scopes[frame.scope].feed

    def _open(self, kind: str, *, feed: int, function: str) -> None:
        scopes = self.script.scopes
        scopes.append(Scope(kind, feed))
        if len(self._stack) >= DEPTH:
            self.script.partial = True
            return
        self._stack.append(OpenList(kind, len(scopes) - 1, function))
        self._parens += kind in PAREN
        self._ticks += kind == "`"

    def _group(self, kind: str, at: int) -> None:
        frame = self._stack[-1]
        if len(self._stack) >= DEPTH:
            self.script.partial = True
            return
        number = len(self.script.scopes)
        function, frame.naming = frame.naming, ""
        if function:
            self.script.functions.setdefault(function, []).append(number)
        else:
            frame.command = ScriptCommand("group", at, frame.scope, frame.previous, frame.function, number)
        self._open(kind, feed=-1 if function else self._feed(frame), function=function or frame.function)

    def _close(self) -> None:
        """Close the innermost list; the word under way may itself be what closes it."""
        frame = self._stack[-1]
        self._end_word()
        while not frame.closed and len(self._stack) > 1:
            self._pop()

    def _pop(self) -> None:
        self._end_command("\n")
        frame = self._stack.pop()
        frame.closed = True
        self._parens -= frame.kind in PAREN
        self._ticks -= frame.kind == "`"

    def _end_command(self, separator: str) -> None:
        frame = self._stack[-1]
        frame.double, frame.braces = False, 0
        if frame.word is not None:
            self._end_word()
            frame = self._stack[-1]
        frame.redirect, frame.cond = "", False
        command = frame.command
        if command is None:
            if separator == ";":
                frame.previous = -1
            return
        frame.command = None
        if frame.header:
            frame.header = False
            command.kind = "case" if frame.kind == "case" else "for"
        command.end = self._at
        command.pipes = separator == "|"
        commands = self.script.commands
        if command.pipes:
            frame.previous = len(commands)
        else:
            frame.previous = -1
            self.script.scopes[frame.scope].outputs.append(len(commands))
        commands.append(command)

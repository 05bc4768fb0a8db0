"""Where the comments of shell text stand, as the reader meets them; and what the command ``:`` is given, which runs nothing."""

from __future__ import annotations

from sluicegate.known.shell import pieces
from sluicegate.known.shell.lists import STEPS, OpenList
from sluicegate.known.shell.reader import Reader
from sluicegate.known.shell.script import Script, ScriptCommand


class _CommentReader(Reader):
    def __init__(self, text: str, steps: int) -> None:
        super().__init__(text, steps)
        self.comments: list[tuple[int, int]] = []

    def _empty_lines(self, at: int) -> int:
        end = super()._empty_lines(at)
        for found in pieces.OF_EMPTY_LINES.finditer(self.text, at, end):
            if found[0].startswith("#"):
                self.comments.append(found.span())
        return end

    def _hash(self, frame: OpenList, char: str, at: int) -> int:
        end = self._brace_or_hash(frame, char, at)
        if frame.word is None and frame.kind != "heredoc":
            self.comments.append((at, end))
        return end


_CommentReader.special = {**Reader.special, "#": _CommentReader._hash}


def shell_comments(text: str, steps: int = STEPS) -> list[tuple[int, int]] | None:
    """The offsets of all comments, in order; None where the text has more than so many steps."""
    reader = _CommentReader(text, steps)
    script = reader.read()
    if script.partial:
        return None
    return sorted({*reader.comments, *_given_to_nothing(text, script)})


def _given_to_nothing(text: str, script: Script) -> list[tuple[int, int]]:
    """What ``:`` is given as words or as a document, where nothing in it is expanded."""
    found: list[tuple[int, int]] = []
    for command in script.commands:
        if command.words[:1] != [":"] or command.woven:
            continue
        said = text[command.start : command.end]
        if len(command.words) == 2 and "$" not in said and "`" not in said:
            found.append((_behind_colon(text, command), command.end))
        for redirect in command.redirects:
            if redirect.operator == "<<" and redirect.first == redirect.last:
                found.append((redirect.word.start, redirect.word.end))
    return [(start, end) for start, end in found if start < end]


def _behind_colon(text: str, command: ScriptCommand) -> int:
    return text.find(":", command.start, command.end) + 1

"""The reader of shell text: its short cuts give what it would give step by step."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from sluicegate.known.shell import reader
from sluicegate.known.shell.lists import OpenList
from sluicegate.known.shell.reader import Reader
from sluicegate.known.shell.script import Script


def pieces(*parts: str, most: int = 12) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(parts), max_size=most).map("".join)


class Patient(Reader):
    """Reads a run of plain characters and the space behind it, an empty line and a string, step by step."""

    def _words(self, frame: OpenList, at: int) -> int:
        run = reader._PLAIN.match(self.text, at, self._limit)
        if run is not None:
            self._write(frame, run[1], at)
            return run.end(1)
        self._end_word()
        while at < self._limit and self.text[at] != "\n" and self.text[at].isspace():
            at += 1
        return at

    def _empty_lines(self, at: int) -> int:
        return at

    def _string(self, frame: OpenList, char: str, at: int) -> int:
        self._write(frame, "", at, quoted=True)
        frame.double = True
        return at + 1

    def _in_double(self, frame: OpenList, char: str, at: int) -> int:
        run = re.compile(r"[^\"`$\\}]+").match(self.text, at, self._limit)
        if run is not None:
            self._write(frame, run[0], at)
            return run.end()
        if char == "}" and frame.braces:
            frame.braces -= 1
            return at + 1
        if char == '"' and frame.kind != "heredoc":
            frame.double = False
            return at + 1
        if char == "\\":
            follower = self.text[at + 1 : at + 2]
            self._write(frame, "" if follower == "\n" else follower, at)
            return at + 2
        if char in "$`":
            return self._dollar(frame, at) if char == "$" else self._tick(frame, at)
        self._write(frame, char, at)
        return at + 1

    special = Reader.special | {'"': _string}


def shown(script: Script) -> list[object]:
    def words(held: list[object]) -> list[object]:
        return [(w.parts, w.start, w.end, w.bare) for w in held]  # type: ignore[attr-defined]

    return [script.partial, script.functions, [(s.kind, s.feed, s.outputs) for s in script.scopes]] + [
        (
            c.start, c.scope, c.end, c.kind, c.words, [*c.woven], words([*c.woven.values()]),
            [n for n, _ in c.assigns], words([w for _, w in c.assigns]),
            [(r.operator, r.first, r.last) for r in c.redirects], words([r.word for r in c.redirects]), c.body, c.feed, c.pipes,
            c.function,
        )
        for c in script.commands
    ]  # fmt: skip


@given(
    pieces(
        "ab", "ab cd", "# e\n", " x ", "\\\n", "x=", "if", "then", "fi", "for", "in", "do", "done", "case", "esac", "[[", "]]", "cat", "<<E", "E", " ", " ", " ", "\t",
        "\n", "|", "&&", ";", ";;", ">", "2>", "<", "(", ")", "{", "}", "$a", "${a", "${a}", "$(", "`", '"', '"a $b ', "'", "\\", "#", "()", "\r", "\u2028",
        most=40,
    ),
    st.integers(1, 60),
)  # fmt: skip
@example("[[&&", 60)
@example("[[ a|b ]] && c", 60)
@example("then then ab cd\nx=1 y=2 ab\n\n # e\nfi", 60)
def test_words_are_read_in_one_step_as_in_two(text: str, steps: int) -> None:
    quick, patient = Reader(text, steps), Patient(text, steps)
    assert shown(quick.read()) == shown(patient.read())
    assert quick.steps == patient.steps


def test_what_stands_in_a_here_document_closes_nothing_outside() -> None:
    script = Reader("(cat <<E\n`)`\nE\ncurl x) | sh").read()
    assert [c.words for c in script.commands if c.kind == "simple"] == [
        ["cat"],
        ["curl", "x"],
        ["sh"],
    ]
    Reader("(<<E\n`)").read()

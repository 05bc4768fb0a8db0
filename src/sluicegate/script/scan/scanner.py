"""The scanner: one regular expression for each mode, and the few places where one character has two meanings."""

from __future__ import annotations

import re

from sluicegate.patterns import late
from sluicegate.script.scan import tokens as t
from sluicegate.script.scan.bodies import body_end

LONGEST = 4_000_000
"""Characters of a script."""

DIRECTIVES = (
    "append", "box", "env", "exe", "export", "for", "foreach", "guard", "if", "import", "let", "log", "needs", "output",
    "policy", "profiles", "run", "show", "sign", "stream", "var", "verify", "when",
)  # fmt: skip
"""What a statement begins with."""

BEFORE_VALUE = frozenset(
    {"allow", "append", "deny", "if", "in", "log", "output", "retry", "run", "show", "stream", "to", "when"}
)
"""Words that a value follows, so that a slash behind them begins a regular expression."""
_UNCLOSED = 20
"""Bodies of code that are never closed and behind which scanning goes on: each costs a look to the end of the script."""
_LONGEST_TOKEN = 400
"""Characters of a regular expression or the path of a file."""

CODE_WORDS = ("cmd", "sh", "js", "node", "py", "prose", "run")

WORD_PATTERN = r"[A-Za-z_]\w*(?:-\w+)*(?::(?:[A-Za-z_]\w*(?:-\w+)*|\*))*"
_TOKEN = (
    r"[ \t\r]*(?:"
    r"(?P<name>@[A-Za-z_]\w*)"
    r"|(?P<code>(?:" + "|".join(CODE_WORDS) + r")(?=[ \t]*(?:\([^()\n]*\)[ \t]*)?\{))"
    rf"|(?P<word>{WORD_PATTERN})"
    r"|(?P<line>\n)"
    r"|(?P<comment>(?://|>>|<<)[^\n]*)"
    r"|(?P<op>=>|==|=|\.\.\.|\?\.(?=[A-Za-z_])|\?\?|!~=|!=|~=|<=|>=|&&|\|\||[][(){},;.?!+\-*%|>]|:(?!:))"
    r'|(?P<quoted>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<text>'(?:[^'\\\n]|\\.)*')"
    r"|(?P<backtick>`(?:[^`\\]|\\.)*`)"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?)"
    r"|(?P<colons>:::(?:[^:]|:(?!::))+:::|::(?!:)(?:[^:]|:(?!:))+::)"
    r"|(?P<two>[</])"
    r"|(?P<end>\Z)"
    r"|(?P<unclosed>[\"'`]|::+)"
    r"|(?P<other>.)"
    r")"
)
STRICT = late(_TOKEN, re.DOTALL)
_FILE = late(r"<(?![\s=])[^<>\n]*[^<>\n\s]>")
_PATTERN = late(r"/(?![\s/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*+\])++/[A-Za-z]*")
_FRONT = late(r"\s*---[ \t]*\n(?:.*\n)*?---[ \t]*(?:\n|\Z)")
MARKDOWN = late(
    r"^(?:(?P<fence>[ ]{0,3}(?P<marks>`{3,}|~{3,})[^\n]*\n(?:.*\n)*?(?:[ ]{0,3}(?P=marks)[ \t]*$|(?P<open>\Z)))"
    r"|(?P<comment>(?:>>|<<)[^\n]*)"
    r"|/(?P<word>" + "|".join(DIRECTIVES) + r")\b)",
    re.MULTILINE,
)


class _Scan:
    """One pass over a text, and the tokens so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.out = t.Tokens(text, [], [], [], [], [], [])
        self.fresh = True
        self.unclosed = 0

    def run(self, at: int, end: int, *, one_line: bool = False) -> int:
        """Scan from an offset on; where it stopped. ``one_line``: at a line break outside of all brackets."""
        text, out = self.text, self.out
        kinds, values, starts, ends, breaks = out.kinds, out.values, out.starts, out.ends, out.breaks
        match = STRICT.match
        depth, pending = 0, ""
        while at < end:
            found = match(text, at, end)
            if found is None:  # cannot be: the last alternative takes any character
                break
            kind = found.lastgroup
            start, at = found.span(kind)  # type: ignore[arg-type]
            if kind == "op":
                value = text[start:at]
                if value in "([{":
                    if value == "{" and pending:
                        at = self._body(pending, start, end)
                        pending = ""
                        continue
                    depth += 1
                elif value in ")]}":
                    depth -= 1
                kinds.append(value)
                values.append(value)
            elif kind == "word":
                kinds.append("word")
                values.append(text[start:at])
            elif kind == "name":
                kinds.append("name")
                values.append(text[start + 1 : at])
            elif kind == "line":
                if one_line and depth <= 0:
                    return at
                self.fresh = True
                continue
            elif kind == "comment":
                out.comments.append(t.Comment(start, at, text[start : start + 2]))
                continue
            elif kind == "code":
                pending = text[start:at]
                kinds.append("code")
                values.append(pending)
            elif kind == "end":
                break
            elif kind in ("two", "unclosed", "other"):
                at = self._seldom(kind, start, at, end)
                continue
            else:
                kinds.append(kind)  # type: ignore[arg-type]
                values.append(text[start:at])
            starts.append(start)
            ends.append(at)
            breaks.append(self.fresh)
            self.fresh = False
        return at

    def _seldom(self, kind: str, start: int, at: int, end: int) -> int:
        """What has two meanings, or none; where it ends."""
        text, out = self.text, self.out
        value = text[start:at]
        if kind == "unclosed":
            stop = text.find("\n", start, end)
            at = end if stop < 0 else stop
            self._add(t.UNCLOSED, value, start, at)
            return at
        if kind == "other":
            self._add(t.UNKNOWN, value, start, at)
            return at
        before = out.kinds[-1] if out.kinds else ""
        operand = before in t.OPERANDS or (
            before == t.WORD
            and out.values[-1] not in BEFORE_VALUE
            and (value == "/" or out.ends[-1] == start)
        )
        if not operand or (self.fresh and value == "<"):
            found = (_FILE if value == "<" else _PATTERN).match(text, start, min(end, start + _LONGEST_TOKEN))
            if found:
                self._add(t.FILE if value == "<" else t.PATTERN, found[0], start, found.end())
                return found.end()
        self._add(value, value, start, at)
        return at

    def _body(self, word: str, start: int, end: int) -> int:
        """The body of code in braces; where it ends."""
        stop = body_end(self.text, start, end, word)
        if stop < 0:
            self.unclosed += 1
            line = self.text.find("\n", start, end)
            stop = end if line < 0 or self.unclosed > _UNCLOSED else line
            self._add(t.UNCLOSED, "{", start, stop)
        else:
            self._add(t.BODY, self.text[start:stop], start, stop)
        return stop

    def _add(self, kind: str, value: str, start: int, end: int) -> None:
        self.out.add(kind, value, start, end, self.fresh)
        self.fresh = False

    def finish(self, at: int) -> t.Tokens:
        """The tokens, with the last one."""
        self.out.add(t.END, "", at, at, True)
        return self.out


def scan(text: str, start: int = 0, end: int | None = None) -> t.Tokens:
    """The tokens of a script in strict mode, or of a part of it. Positions are those in the whole text."""
    stop = len(text) if end is None else end
    one = _Scan(text)
    if start == 0:
        front = _FRONT.match(text, 0, stop)
        if front:
            one.out.add(t.FRONT, front[0], 0, front.end(), True)
            start = front.end()
    one.run(start, stop)
    return one.finish(stop)


def scan_markdown(text: str) -> t.Tokens:
    """The tokens of a script in Markdown mode: a line that begins with a slash and a directive is one, all else is prose.

    What stands in a fence of code is prose, whatever it looks like.
    """
    one, end = _Scan(text), len(text)
    front = _FRONT.match(text)
    at = prose = 0
    if front:
        one.out.add(t.FRONT, front[0], 0, front.end(), True)
        at = prose = front.end()
    while True:
        found = MARKDOWN.search(text, at)
        if found is None:
            break
        if found["fence"] is not None:
            at = found.end()
            if found["open"] is not None:
                one.out.add(t.UNCLOSED, found["marks"], found.start("marks"), found.end("marks"), True)
            continue
        if text[prose : found.start()].strip():
            one.out.add(t.PROSE, text[prose : found.start()], prose, found.start(), True)
        if found["comment"] is not None:
            one.out.comments.append(t.Comment(found.start(), found.end(), found[0][:2]))
            at = found.end() + 1
        else:
            one.fresh = True
            at = one.run(found.start("word"), end, one_line=True)
        prose = at
    if text[prose:].strip():
        one.out.add(t.PROSE, text[prose:], prose, end, True)
    return one.finish(end)

"""Random shell programs: of a grammar, and some of them damaged. They run ``aa``, ``bb`` and ``cc``, and write ``f`` and ``g``."""

from __future__ import annotations

import random

PROGRAMS = ("aa", "bb", "cc")
_PLAIN = ("x", "y_z", "a=b", "-n", "{}", "1", "done", "if", "in", "]", "[x]", "?x", "a#b", "\\#", "!", "*", "~", "~/x", "a~", "a\\ b", "\\aa", "é", "\u00a0", "w", *PROGRAMS)  # fmt: skip
_EXPANDED = ("$A", "${A}", "${A:-bb}", "${A%x}", "$1", "$@", "$#", "$?", "${#A}", "$((1+2))", "$((A))", "${A:-$(cc)}", "$'aa'", '$"aa"', "$[1]", "{a,b}", "{1..3}", "a{", "}", "{")  # fmt: skip
_SINGLE = ("x y", "$(aa)", "`aa`", "\\", "", '"', "a\nb")
_DOUBLE = ("x y", "$A", "\\$(aa)", "'", '\\"', "\\`aa\\`", "a\\b", "\\\\", "a\nb")
_REDIRECTED = (">f", ">> g", "2>/dev/null", "2>&1", '> "f"', "&>f", "&>> g", ">|f", "2>f", ">&2", "<&-", "1<>g", "< /dev/null", "<<<x", '<<<"$(bb)"')  # fmt: skip
_OTHERS = ("f", "true", "export A=x", "set -e", "read A", ":", "[ -n x ]", "[[ -n x ]]", "[[ $A == b* ]]", "A=(x y)", "A=(`aa` $(bb))", "! aa", "time bb", "command cc", "command -- aa", "eval aa", ". aa", "cd ./d && bb")  # fmt: skip
_PATTERNS = ("x", "*", "x|y", "(x|y)", '"x y"', "[ab]*", "x | *", "a\\ b", "$A", "?")
_DAMAGE = (*";|&(){}<>$`'\"\\\n# !=[]*?~", "if ", "then ", "fi", "do ", "done", "case ", "in ", "esac", ";;", "$(", "((", "<<E", "function ", "]]", "[[ ", "&&", "||")  # fmt: skip


class Programs:
    """Makes one program after another; the same ones from the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.bodies: list[str] = []  # of here-documents that begin in this line

    def one(self) -> str:
        """A program; about half of them damaged."""
        self.bodies.clear()
        text = self.list(self.random.choice((1, 2, 2, 3)))
        if self.random.random() < 0.5:
            for _ in range(self.random.randrange(1, 3)):
                at = self.random.randrange(len(text) + 1)
                cut = self.random.randrange(1, 4) if self.random.random() < 0.5 else 0
                text = text[:at] + ("" if cut else self.any(_DAMAGE)) + text[at + cut :]
        return text

    def any(self, choices: tuple[str, ...]) -> str:
        return self.random.choice(choices)

    def list(self, depth: int) -> str:
        text = self.pipeline(depth)
        while self.random.random() < 0.3:
            ends = (" && ", " || ", "&&", "||", " &&\n", " & ")
            text += (self.any(ends) if self.random.random() < 0.6 else self.end()) + self.pipeline(depth)
        return text + (self.end() if self.bodies else "")

    def end(self) -> str:
        if self.bodies:
            return "\n" + "".join(self.bodies.pop(0) for _ in list(self.bodies))
        return self.any((";", "\n", "; ", "\n\n", " ;", " # c\n"))

    def pipeline(self, depth: int) -> str:
        text = self.command(depth)
        while self.random.random() < 0.2:
            text += self.any((" | ", "|", " |& ", "|\n")) + self.command(depth)
        return text

    def command(self, depth: int) -> str:
        kind = self.random.randrange(18)
        if depth <= 0 or kind < 9:
            return self.simple(depth)
        deeper = depth - 1
        if kind == 9:
            return f"({self.list(deeper)})" + self.any(("", "", " >f"))
        if kind == 10:
            return f"{{ {self.list(deeper)}{self.end()}}}" + self.any(("", " >f", " 2>&1"))
        if kind == 11:
            other = f"else {self.list(deeper)}{self.end()}" if self.random.random() < 0.5 else ""
            return f"if {self.list(deeper)}{self.end()}then {self.list(deeper)}{self.end()}{other}fi"
        if kind in (12, 13):
            heads = (
                "while false ; do ",
                "until true\ndo ",
                "for i in x; do ",
                f"for i in {self.word(deeper)}\ndo ",
            )
            return f"{self.any(heads)}{self.list(deeper)}{self.end()}done"
        if kind in (14, 15):
            text = f"case {self.word(deeper)} in" + self.any((" ", "\n", " # c\n"))
            for _ in range(self.random.randrange(1, 3)):
                text += f"{self.any(_PATTERNS)}) {self.list(deeper)}" + self.any((";;", ";;\n", "\n;;"))
            return text + self.any(("esac", " esac", "\nesac"))
        heads = ("f() { ", "f () { ", "f()\n{ ", "function f { ", "function f() { ")
        return f"{self.any(heads)}{self.list(deeper)}{self.end()}}}" + self.any(("", "; f"))

    def simple(self, depth: int) -> str:
        found = []
        if self.random.random() < 0.15:
            found.append(f"A={self.word(depth)}")
        found.append(self.any(PROGRAMS) if self.random.random() < 0.75 else self.any(_OTHERS))
        found += [self.word(depth) for _ in range(self.random.randrange(3))]
        if self.random.random() < 0.25:
            found.insert(self.random.randrange(len(found) + 1), self.any(_REDIRECTED))
        if self.random.random() < 0.12 and not self.bodies:
            found.append(self.document())
        return self.any((" ", " ", "  ", "\t", " \\\n ")).join(found)

    def document(self) -> str:
        ends = self.any(("E", "'E'", '"E"', "\\E", "-E", "-'E'"))
        lines = ("x\n", "$A\n", "\\$(aa)\n", "$(cc)\n", "`bb`\n", "\"'\n", "E x\n", " E\n", "\tx\n")
        body = "".join(self.any(lines) for _ in range(self.random.randrange(3)))
        self.bodies.append(body + ("\t" if ends[0] == "-" and self.random.random() < 0.5 else "") + "E\n")
        return f"<<{ends}"

    def word(self, depth: int) -> str:
        kind = self.random.randrange(16)
        if kind < 7:
            return self.any(_PLAIN)
        if kind < 9:
            return self.any(_EXPANDED)
        if kind == 9:
            return f"'{self.any(_SINGLE)}'"
        if kind == 10 or depth <= 0:
            return f'"{self.any(_DOUBLE)}"'
        inner = self.list(depth - 1)
        ticked = inner.replace("\\", "\\\\").replace("`", "\\`")
        quoted = ticked.replace('"', '\\"')
        return self.any((f'"x $({inner})"', f"$({inner})", f"`{ticked}`", f'"`{quoted}`"', f"<({inner})"))

"""The grammar for editors colours what the scanner reads, as the scanner reads it."""

import re
from pathlib import Path

import pytest
from seed_blocks import blocks
from textmate_scopes import Scopes

from sluicegate.script import parse as room
from sluicegate.script.parse.expressions import RESERVED
from sluicegate.script.parse.statements import STARTS
from sluicegate.script.scan import tokens as t
from sluicegate.script.scan.scanner import CODE_WORDS, scan
from sluicegate.script.textmate import FENCES, SCOPE, grammar, markdown_grammar

GRAMMAR = grammar()
EXPECTED = {
    t.NAME: ("variable", "entity.name.function"), t.TEXT: ("string.quoted.single",), t.QUOTED: ("string.quoted.double",),
    t.BACKTICK: ("string.template",), t.COLONS: ("string.template",), t.FILE: ("string.unquoted.file",),
    t.PATTERN: ("string.regexp",), t.CODE: ("keyword.control.code",), t.BODY: ("meta.embedded.block",), t.NUMBER: ("constant.numeric",),
    t.FRONT: ("front-matter",),
}  # fmt: skip
"""What the scanner calls a token, and what its first character is coloured as."""


def disagreements(text: str) -> list[str]:
    tokens, scopes = scan(text), Scopes(GRAMMAR).of(text)
    told = []
    for kind, start in zip(tokens.kinds, tokens.starts, strict=True):
        start += len(text[start:]) - len(text[start:].lstrip()) if kind == t.FRONT else 0
        wanted = EXPECTED.get(kind, ())
        if wanted and not any(each in scopes[start] for each in wanted):
            told.append(f"{text[start : start + 30]!r} is a {kind}, coloured {scopes[start]}")
        elif kind == t.WORD and (
            found := re.search(r"string|comment|regexp|variable\.other\.sl", scopes[start])
        ):
            told.append(f"{text[start : start + 30]!r} is a word, coloured {found[0]}")
    told += [
        f"{text[each.start : each.end]!r} is a comment, coloured {scopes[each.start]}"
        for each in tokens.comments
        if "comment.line" not in scopes[each.start]
    ]
    return told


@pytest.mark.parametrize("block", blocks(), ids=lambda block: block.name)
def test_a_block_is_coloured_as_it_is_scanned(block):
    assert disagreements(block.script) == []


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: x\n---\nshow 1",
        "run cmd { echo '}' @x } | @f\nshow 'a'",
        "exe @f(x) = py (@x) {\n  d = {'a': '}'}\n  print(d)\n}\nshow @f(1)",
        "var @x = @a / 2 / 3\nwhen @x.match(/a[/]b/i) => show 'a'",
        "when @a ~= /x y/ => show 2 // it's",
        "show `several\nlines @x` // and\nshow '// not' >> but",
        "if @a < 3 && @b > 2 [ show <a b.md # part> ]",
        "var @x = ::text 'a @y\n:: \nshow :::{{x}} it's::: + 'b'",
        "show 'never closed\nshow 1",
    ],
)
def test_what_has_two_meanings(text):
    assert disagreements(text) == []


def test_every_word_that_the_parser_asks_for_is_a_keyword():
    source = "".join(path.read_text("utf-8") for path in Path(room.__file__).parent.glob("*.py"))
    asked = {
        word for call in re.findall(r"word\(([^)]*)\)", source) for word in re.findall(r'"([a-z]+)"', call)
    }
    assert {"privileged", "union", "except", "mcp"} < asked
    scopes = Scopes(GRAMMAR)
    for word in sorted({*asked, *RESERVED, *STARTS, *CODE_WORDS}):
        assert "keyword." in scopes.of(word)[0], word
    assert "keyword." not in scopes.of("showing")[0]


def test_markdown_has_scripts_in_fences_and_on_lines_with_a_slash():
    scopes = Scopes(markdown_grammar(), {SCOPE: GRAMMAR})
    for word in FENCES:
        text = f"show @a\n```{word}\nshow @a\n```\nshow @a\n"
        found = scopes.of(text)
        at = [each.start() for each in re.finditer("@a", text)]
        assert ["variable" in found[each] for each in at] == [False, True, False]
    text = "It says /show @a\n/when [\n  @a => show 'x'\n]\n@a\n```py\n@a\n```\n"
    at = [each.start() for each in re.finditer("@a", text)]
    assert ["variable" in scopes.of(text)[each] for each in at] == [False, True, False, False]

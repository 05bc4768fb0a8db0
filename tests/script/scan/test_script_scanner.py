"""Tokens and their places, in both modes; and what one character means where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.script.parse.program import parse
from sluicegate.script.scan import tokens as t
from sluicegate.script.scan.dialect import Dialect, ScriptMode
from sluicegate.script.scan.scanner import scan, scan_markdown
from sluicegate.script.source import SourceText

PIECES = st.sampled_from(
    ["@x", "var ", "run ", "cmd ", "{", "}", "[", "]", "(", ")", "`", '"', "'", "::", ":::", "<", ">", "/", "//", ">>", "\n", "\\", " ",
     "a:b", "@", "é", "=>", "...", "\n/var ", "```\n", "---\n", "1.5", "|", "!", "sh{", "#"]
)  # fmt: skip


def kinds(text: str) -> list[str]:
    return scan(text).kinds[:-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@a < @b > 3", [t.NAME, "<", t.NAME, ">", t.NUMBER]),
        ("show <a b.md # Top>", [t.WORD, t.FILE]),
        ("@a / 2 / @b", [t.NAME, "/", t.NUMBER, "/", t.NAME]),
        (".match(/a[/]b\\/c/gi)", [".", t.WORD, "(", t.PATTERN, ")"]),
        ("op:cmd:git * fs:w", [t.WORD, "*", t.WORD]),
        ("cmd { a } sh { b }", [t.CODE, t.BODY, t.CODE, t.BODY]),
        ("{ cmd: [1] }", ["{", t.WORD, ":", "[", t.NUMBER, "]", "}"]),
        ('cmd { echo "}" \'}\' \\} }', [t.CODE, t.BODY]),
        ("js { const a = '}'; // }\n }", [t.CODE, t.BODY]),
        ("sh { echo a # don't }\n}", [t.CODE, t.BODY]),
        ("py { s = '''}''' # }\n}", [t.CODE, t.BODY]),
        ("prose { don't }", [t.CODE, t.BODY]),
        ("sh (@v) { echo $v }", [t.CODE, "(", t.NAME, ")", t.BODY]),
        ("cmd { never", [t.CODE, t.UNCLOSED]),
        ("`never\n@x", [t.UNCLOSED, t.NAME]),
        ("::a `b` c:d::", [t.COLONS]),
        (":::{{a}}:::", [t.COLONS]),
        ("@x?.a ? 1 : 2", [t.NAME, "?.", t.WORD, "?", t.NUMBER, ":", t.NUMBER]),
        ("a // b\nc", [t.WORD, t.WORD]),
        ("'//' \">>\" `<<`", [t.TEXT, t.QUOTED, t.BACKTICK]),
        ("§", [t.UNKNOWN]),
    ],
)  # fmt: skip
def test_what_stands_in_a_line(text, expected):
    assert kinds(text) == expected


def test_a_line_break_before_a_token_is_kept():
    tokens = scan("@a // said\n\n@b @c")
    assert tokens.breaks == [True, True, False, True]
    assert [tokens.text[c.start : c.end] for c in tokens.comments] == ["// said"]


def test_markdown_is_prose_but_for_lines_with_a_slash_outside_of_fences():
    text = "# Title\n\n/var @a = [\n  1,\n  2\n]\nvar is a word\n```\n/show @a\n```\n/show @a\n"
    tokens = scan_markdown(text)
    assert [k for k in tokens.kinds if k == t.PROSE] == [t.PROSE] * 2
    assert tokens.values.count("show") == 1
    parsed = parse(SourceText(text))
    assert (parsed.mode, parsed.errors) == (ScriptMode.MARKDOWN, ())
    assert [type(each).__name__ for each in parsed.tree.statements] == [
        "ProseStatement", "VarStatement", "ProseStatement", "PrintStatement",
    ]  # fmt: skip


def test_lines_with_and_without_a_slash_are_an_error_until_the_pragma_says_which():
    """One line with a slash must not make prose of every guard and policy beside it."""
    text = "guard before op:cmd = when [ * => deny 'no' ]\n/show 1\n"
    assert [each.code for each in parse(SourceText(text)).errors] == ["mixed-mode"]
    strict = parse(SourceText("// sluicegate: mode=strict\n" + text))
    assert strict.mode is ScriptMode.STRICT
    assert [each.code for each in strict.errors] == ["syntax"]
    assert parse(SourceText(">> sluicegate: mode=markdown\n" + text)).errors == ()


def test_the_dialect_is_told_by_the_content_or_the_pragma():
    told = {
        "var @a = 1": Dialect.SPECIFICATION,
        "var @a = :::{{b}}:::": Dialect.MLLD,
        "box @a [ show 1 ]": Dialect.MLLD,
        "box @a [ show 1 ]\nvar pii secret @b = 1": Dialect.SPECIFICATION,
        ">> sluicegate: dialect=mlld\nvar pii,secret @b = 1": Dialect.MLLD,
    }
    assert {text: parse(SourceText(text)).dialect for text in told} == told
    for text in ("var pii secret @b = 1", "var @b = { a }", "var @b = 1 // one", "var @b = { a: 1, }"):
        assert [e.code for e in parse(SourceText(">> sluicegate: dialect=mlld\n" + text)).errors] == [
            "dialect"
        ]
    assert [e.code for e in parse(SourceText("// sluicegate: dialect=basic x")).errors] == ["bad-pragma"] * 2


@given(st.lists(PIECES, max_size=40).map("".join))
def test_tokens_lie_one_after_another_and_nothing_that_counts_is_between(text):
    tokens = scan(text)
    at, comments = 0, {c.start: c.end for c in tokens.comments}
    for start, end in [*zip(tokens.starts, tokens.ends, strict=True)]:
        while at < start:
            between = text[at:start]
            if at in comments:
                at = comments[at]
            else:
                assert between[0] in " \t\r\n", between
                at += 1
        assert start >= at
        at = max(at, end)
    assert tokens.kinds[-1] == t.END
    parsed = parse(SourceText(text))  # never raises
    assert all(0 <= each.start <= each.end <= len(text) + 1 for each in parsed.errors)

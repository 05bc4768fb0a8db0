"""Errors in how a script is written: code, place, what was expected, a way forward; and what follows is still read."""

import pytest

from sluicegate.script.parse.program import MOST_ERRORS, parse
from sluicegate.script.source import SourceText
from sluicegate.script.tree import statements as s


def told(text: str) -> list[tuple[str, str, str]]:
    parsed = parse(SourceText(text))
    places = [parsed.source.place(each.start) for each in parsed.errors]
    return [
        (f"{at.line}:{at.column}", each.code, each.message)
        for at, each in zip(places, parsed.errors, strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vra @x = 1", ("1:1", "syntax", "unexpected `vra`")),
        ("var x = 1", ("1:7", "syntax", "unexpected `=`")),
        ("var @x 1", ("1:8", "syntax", "unexpected `1`")),
        ("@x.y = 1", ("1:6", "syntax", "unexpected `=`")),
        ('var @x = "a', ("1:10", "unclosed", "this text is never closed")),
        ("var @x = `a\n", ("1:10", "unclosed", "this template is never closed")),
        ("run cmd { ls", ("1:9", "unclosed", "the body of code is never closed")),
        ("var @x = [1, 2\nshow 1", ("2:1", "syntax", "unexpected `show`")),
        ("var @x = {a: 1\n", ("1:10", "unclosed", "`{` is never closed")),
        ("var @x = 12ab", ("1:10", "syntax", "a number that letters follow")),
        ("show 1 ; show 2 show 3", ("1:17", "syntax", "unexpected `show`")),
        ("when @x =>\nshow 1", ("2:1", "syntax", "unexpected `show`")),
        ("if @x => show 1", ("1:7", "syntax", "unexpected `=>`")),
        ("guard @g on secret = when [ * => allow ]", ("1:10", "syntax", "unexpected `on`")),
        ("exe @f(@a) = 1", ("1:8", "syntax", "unexpected `@a`")),
        ("output @x", ("1:10", "syntax", "the script ends here")),
        ("show §", ("1:6", "unknown-character", "'§' has no meaning here")),
        ("=> !trusted! @x", ("1:12", "syntax", "unexpected `!`")),
    ],
)
def test_one_error(text, expected):
    assert told(text)[0] == expected
    (first, *_) = parse(SourceText(text)).errors
    assert first.expected or first.suggestion


def test_words_that_are_nearly_right_get_a_suggestion():
    for text, said in {
        "gaurd @g": "guard",
        "polcy @p = 1": "policy",
        "guard @g befor secret": "before",
    }.items():
        assert parse(SourceText(text)).errors[0].suggestion == f"Did you mean `{said}`?"


def test_reading_goes_on_after_an_error():
    """Several errors are told, also inside of blocks, and what is right between them is in the tree."""
    text = "var @a = (\nvar @b = 2\nexe @f(x) = [\n  let y = 1\n  show @x\n  let @z 3\n]\nshow @b\nvra\nshow @a\n"
    assert [place for place, *_ in told(text)] == ["2:1", "4:9", "6:10", "9:1"]
    kept = parse(SourceText(text)).tree.statements
    assert [type(each) for each in kept] == [
        s.VarStatement,
        s.ExeStatement,
        s.PrintStatement,
        s.PrintStatement,
    ]
    assert len(parse(SourceText("var x\n" * 500)).errors) == MOST_ERRORS


def test_a_script_that_is_too_long_is_not_read():
    assert [code for _, code, _ in told(" " * 4_000_001)] == ["too-long"]

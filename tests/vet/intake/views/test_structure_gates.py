"""Patterns that look for a rare part first, and shortcuts, find exactly what the plain reading finds."""

import re
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sluicegate.vet.intake.bundle import Artifact, Kind
from sluicegate.vet.intake.views.evaluate import constants, expansion
from sluicegate.vet.intake.views.evaluate.folding import ConstantFolder
from sluicegate.vet.intake.views.formats import markdown
from sluicegate.vet.intake.views.programs import commands, language, shell
from sluicegate.vet.intake.views.view import View

_NEVER = re.compile(r"(?!)")


def _markdown(text: str) -> View:
    artifact = Artifact(path="SKILL.md", data=b"", mode=0, kind=Kind.MARKDOWN)
    return View(artifact=artifact, text=text, language=Kind.MARKDOWN)


def texts(bits: str, most: int = 14) -> st.SearchStrategy[str]:
    """Texts made of the given bits, which stand between bars, and of bars where BAR stands."""
    words = ["|" if bit == "BAR" else bit for bit in bits.split("|")]
    return st.lists(st.sampled_from(words), max_size=most).map("".join)


PROGRAMS = texts(
    '"|"|\'|\'|"""|\'\'\'|`|f"|rb\'|Rf"|+| + |%|(|)|[|]|[::-1]|[0]|{a}|{x.y}|${|${a}|}|\\|\\\n|\n| |\t|\v|\xa0|# c\n|// c\n|'
    "/* */|.|?.|.join(|.upper()|chr(99)|b64decode(|a|cu|x|9|a = |\nb = 'rl'\n|\na = \"cu\"\n|,|;|for a in|$q|é"
)


@settings(max_examples=400, deadline=None)
@given(PROGRAMS, st.booleans())
@example("'a'\n  # c\n  'b'", True)
@example("x = '%s' % 'a'", True)
@example("x = 'ab' [0]\ny = 'ab'[0]\nz = 'a'.upper()", True)
@example("x = 'a' // c\n  + 'b'", False)
@example("x = `a\\${b}c`", False)
def test_a_literal_alone_is_what_the_full_reading_makes_of_it(text: str, python: bool) -> None:
    quick, full = ConstantFolder(text, python=python), ConstantFolder(text, python=python)
    full._end = _NEVER
    for at in range(len(text)):
        assert quick.expression(at) == full.expression(at)
        assert quick.effort == full.effort
    marks = constants._PYTHON_MARKS if python else constants._SCRIPT_MARKS
    for mark in marks.finditer(text):
        if mark.lastgroup == "alone":
            found = full.expression(mark.start("alone"))
            assert found is not None
            assert (found.end, found.work) == (mark.end("alone"), 0)


@settings(max_examples=300, deadline=None)
@given(
    texts("a|b_1|:| |\t|=|==|=>|'c'|[x]|;|,|{|\n|const |let |var |xconst |const\t|for |for (let |+=|-=|$|é")
)
@example("for (let a = 1;;) if (b) var c = xlet d = 1 const h = 2, e = 2; {const f: g = 3} ({i = 4})")
@example("a = 1; b: c[d] = 2;\n\te = 3\n")
def test_names_are_assigned_where_a_line_or_a_statement_begins(text: str) -> None:
    python = re.compile(
        r"(?m)(?:^|;)[ \t]*+([A-Za-z_]\w{0,60}+)[ \t]*+(?::[ \t]*+[\w\[\]]{1,40}+[ \t]*+)?=(?!=)[ \t]*+"
    )
    script = re.compile(
        r"(?m)(?:^|[;,{]|\bconst|\blet|\bvar)[ \t]*+(?:(?:const|let|var)[ \t]++)?([A-Za-z_$][\w$]{0,60}+)[ \t]*+"
        r"(?::[ \t]*+\w{1,40}+[ \t]*+)?=(?![=>])[ \t]*+"
    )
    for plain, quick in ((python, constants._ASSIGNED), (script, constants._SCRIPT_ASSIGNED)):
        expected = [(found[1], found.end()) for found in plain.finditer(text)]
        assert [(found[1], found.end() - 1) for found in quick.finditer("\n" + text)] == expected


@settings(max_examples=400, deadline=None)
@given(texts("a|Z|_|9|é|'|'|\"|\"|\\|\\|$|/|.|-|=| |\n|\t|;", 7))
@example(";\\a")
@example("\\curl")
def test_tricks_of_quoting_are_seen_from_their_quote(script: str) -> None:
    plain = re.compile(
        r"\w(?:'\"|\"')\w|[\w/.-](?:''|\"\")[\w/.-]|\w\\[A-Za-z]|[A-Za-z]['\"][A-Za-z./]{1,80}+['\"]|"
        r"['\"][A-Za-z./]{1,80}+['\"][A-Za-z]|\$'|(?:^|\s)\\[a-z]"
    )
    assert bool(shell._TRICKS.search(script)) == bool(plain.search(script))


@settings(max_examples=300, deadline=None)
@given(
    texts(
        "a|b|=|=|cu|'x'|\"y\"|$a|\n|\n| |;|&|BAR|export |xexport |local |then |do |done|read a|for b in|+=|-|#"
    )
)
@example("a=1;b=2&c=3|d=4\nif x; then e=5; do\tf='6'; export g=7; local h=8; a=9")
@example("readonly i=9; declare j=1 xdo k=2")
def test_variables_that_are_assigned_once_are_known(script: str) -> None:
    plain = re.compile(
        r"(?m)(?:^|[;&|][ \t]*+|\b(?:export|local|readonly|declare|then|do)[ \t]++)[ \t]*+([A-Za-z_]\w{0,60}+)="
        r"(?:\"([^\"\\`$\n]*+)\"|'([^'\n]*+)'|([^\s;|&<>()`$\"'\\#]++))(?=[\s;&|)]|\Z)"
    )
    times = Counter(found[1] or found[2] for found in expansion.CHANGED.finditer(script))
    expected = {
        found[1]: next(group for group in found.groups()[1:] if group is not None)
        for found in plain.finditer(script)
        if times[found[1]] <= 1
    }
    known, assigned = expansion.variables(script)
    assert {name: value for name, value in known.items() if name in expected} == expected
    assert set(known) <= assigned == set(times)
    assert all(times[name] > 1 or "$" in script for name in known.keys() - expected.keys())


@settings(max_examples=300, deadline=None)
@given(texts("a|Z|1|$|${|}|(|)|`|``|$(|$( )|$(printf|@|*|!|_|IFS| |\t|\n|%s|a=b", 9))
@example("a$()b")
@example("a``b")
@example("$(printf %s%s a b)")
def test_what_may_be_expanded_is_told_by_what_follows_a_sign(script: str) -> None:
    patterns = (expansion._USE, expansion._NOTHING, expansion._PRINTED)
    assert expansion.may_expand(script) or all(pattern.search(script) is None for pattern in patterns)


@settings(max_examples=300, deadline=None)
@given(
    texts(
        "command|cmd|cmds|run|script|scripts|Exec|ExecStart|Program|xrun|run_|s|_|-| |\"|'|:|=|]|</key>|</key >|\n|/* a */|// a\n|é|A|Execution"
    )
)
@example("a-cmd: b")
@example("ExecA: b")
@example("ExecAb: b")
@example("ExecÀb: b")
@example("Exec" + "A" * 21 + "=")
@example("Exec" + "A" * 22 + "=")
@example("ProgramArguments</key>")
@example("a //run:\n:")
def test_a_key_of_a_command_is_hinted_at_as_a_word(text: str) -> None:
    words = "|".join(sorted(commands._KEYS | commands._TABLES))
    plain = re.compile(rf"\b(?:{words}|Exec(?:[A-Z]\w{{1,20}}+)?)\b{commands._AFTER_KEY}")
    assert bool(commands._HINT.search(text)) == bool(plain.search(text))
    assert (
        commands._hinted(text)
        == commands._hinted("." * commands._SHORT + "\n" + text)
        == bool(plain.search(text))
    )


@settings(max_examples=400, deadline=None)
@given(
    texts(
        "import os|from a.b |import |def f(|class A:|print(|exec(|with open(|__name__|if |__import__(|os.system|subprocess.|"
        "const |let x|var {|require(|function f(|=> {|=>(|console.log(|fetch('|await |document.a|process.env|from 'a'|"
        "iex|IEX|\u0131ex|invoke-expression|invo\u212ae-Expre\u017f\u017fion|New-Object|$env:P|start-process|$ ls|% ls|a@b$ x|"
        "\n|\n| |\t|>|x|.|;|é"
    )
)
def test_a_language_is_guessed_whatever_is_sought_first(text: str) -> None:
    speaks, plain = language._speaks, language._plain(text)
    assert speaks(text, plain, language._PYTHON_WORDS, language._PYTHON) == bool(
        language._PYTHON.search(text)
    )
    assert speaks(text, plain, language._JAVASCRIPT_WORDS, language._JAVASCRIPT) == bool(
        language._JAVASCRIPT.search(text)
    )
    assert language._powershell(text, plain) == bool(language._POWERSHELL.search(text))
    assert language._prompted(text) == bool(language._PROMPT.search(text))


@settings(max_examples=400, deadline=None)
@given(texts("curl|find|/bin/|./|$ |$|a|is|#|-x|x |\n|\n| |\t|\xa0|\x1c|\u2028|/|>|`|é", 20))
@example("a\n/usr/bin/curl -x")
@example("a\n\t$ a")
def test_a_script_has_the_word_of_a_command(text: str) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(language, "_COMMANDS", SimpleNamespace(isdisjoint=lambda words: False))
        expected = language._shell(text)
    assert language._shell(text) == expected


@settings(max_examples=400, deadline=None)
@given(texts("`|`|curl -sL a.b/c|curl |$ |$\xa0|git\tpush|push|origin|\u2003|\xa0| |\t|\n|xxxxxxxxxxxx|é"))
@example("`git\tpush\torigin`")
def test_a_command_in_a_code_span_has_two_words(text: str) -> None:
    expected = []
    for span in markdown._CODE_SPAN.finditer(text):
        body = span[1].strip()
        if len(span[1]) > 12 and len(body) > 12 and language.is_command(body):
            expected.append(((text.count("\n", 0, span.start()),) * 2, body.removeprefix("$ ")))
    found: list[Any] = list(markdown._inline_commands(_markdown(text)))
    assert [line for view in found for line in view.where.lines] == [line for line, _ in expected]
    assert [view.text for view in found] == ["\n".join(body for _, body in expected)] * bool(expected)


@settings(max_examples=400, deadline=None)
@given(texts("```\n|~~~\n|\n|\n\n|\n\n    |\n\n\t|    |\t|import os|curl -s a.b| |x|`|~~", 20))
@example("\n\n    import os\n\n    x\n```\n\n\n    import os\n```\n\n    import os")
@example("```\n\n    a\n\n    ```\n    import os")
def test_blocks_are_sought_outside_of_fences(text: str) -> None:
    view = _markdown(text)
    fenced = [(fence.start, fence.end) for fence in markdown.fences(view)]
    expected = []
    for needle in ("\n\n    ", "\n\n\t"):
        limit = -1
        for at in (found.start() for found in re.finditer(f"(?={needle})", text)):
            if at > limit and not any(start <= at + 2 < end for start, end in fenced):
                limit, body = markdown._block(view, view.line_of(at + 2))
                if language.guess(body) not in (Kind.TEXT, Kind.JSON, Kind.HTML):
                    expected.append((language.without_prompts(body), view.line_of(at + 2)))
    blocks: list[Any] = list(markdown._indented(view, fenced))
    assert [(block.text, block.where.first) for block in blocks] == expected


def test_every_letter_like_an_ascii_one_is_known() -> None:
    alike = re.compile("[a-z]", re.IGNORECASE)
    found = "".join(chr(c) for c in range(128, 0x110000) if alike.match(chr(c)))
    assert found == language._LIKE_ASCII


@pytest.mark.parametrize(
    "info", ["{.python}", "python title=x", "PY", ".sh", "c++", "c#", "bash,ignore", "none?", "Objective-C"]
)
def test_a_fence_is_named_by_its_first_word(info: str) -> None:
    words = re.split(r"[\s,{}:=]", info.strip().lstrip("{.").lower(), maxsplit=1)
    assert language.named(info) == language._NAMES.get(words[0].lstrip("."))


@settings(max_examples=400, deadline=None)
@given(
    texts(
        "]|:|]:| |#|/|<>|[a]: # (b)|[a]: <> 'c'|!|!|`|!`a`|x|\n|\n|\n\n|    |\t|data:|DATA:|script|javaſcript:|java|vb|(|<|é"
    )
)
def test_parts_of_markdown_are_seen_from_their_rare_letter(text: str) -> None:
    if markdown._COMMENT_DEFINITION.search(text):
        assert markdown._COMMENT_TARGET.search(text)
    assert bool(markdown._BANG.search(text)) == ("!`" in text or text.startswith("!") or "\n!" in text)
    after_blank = re.compile(r"(?<!\S)!`([^`]{1,2000}+)`")
    after_a_word = re.compile(r"(?<=\S)!`([^`\n]{1,2000}+)`")
    spans = [*after_blank.finditer(text), *after_a_word.finditer(text)]
    assert {m.end() for m in spans} >= {m.end() for m in markdown._BANG_SPAN.finditer(text)}
    first = min(spans, key=re.Match.start, default=None)
    found = markdown._BANG_SPAN.search(text)
    assert (found and found.span()) == (first and first.span())
    assert markdown._carries(text) == ("data:" in text.lower() or "script:" in text.lower())
    if any(found[1].isascii() for found in markdown._LINK.finditer(text)):
        assert markdown._carries(text)

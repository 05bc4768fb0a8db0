from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from sluicegate.reach.report.escape import (
    github_data,
    github_property,
    hazards,
    html,
    json_safe,
    markdown_block,
    markdown_code,
    markdown_prose,
    markdown_text,
    one_line,
    printable,
    sarif_message,
    scalar,
)
from sluicegate.reach.report.text.columns import cut, pad, width, wrap

ANY = st.text(
    st.characters(codec=None) | st.sampled_from("\x1b\x9b\r\n\t`|<>&[]()!@#:%\\\u202e\u200b\ud800\ufe0f"),
    max_size=60,
)
FAST = settings(max_examples=150, deadline=None)


def test_controls_are_shown_by_name():
    assert printable("a\x1b[2Jb") == "a\\x1b[2Jb"
    assert printable("\u202e\u200b\U000e0041") == "\\u202e\\u200b\\U000e0041"
    assert printable("\r\n\t\x00\x7f\x9b") == "\\r\\n\\t\\x00\\x7f\\x9b"
    assert printable("a\u2028b\u2029c") == "a\\u2028b\\u2029c"
    assert printable("\ud800") == "\\ud800"
    assert printable("a\nb\tc", newline=True) == "a\nb\\tc"


def test_writing_of_all_languages_stays_as_it_is():
    for text in ("déjà vu", "日本語", "привет", "naïve – “quoted”", "🚀 done ✅", "1\ufe0f\u20e3 ⚠\ufe0f"):
        assert printable(text) == text


def test_a_variation_selector_that_picks_no_picture_is_shown():
    assert printable("a\ufe0f") == "a\\ufe0f"
    assert printable("⚠\ufe0f\ufe0f") == "⚠\ufe0f\\ufe0f"
    assert printable("x\U000e0101\ufe01") == "x\\U000e0101\\ufe01"


def test_one_line_folds_blanks_and_shows_the_rest():
    assert one_line("  a \n\t b\x1b ") == "a b\\x1b"


def test_hazards_are_named_and_nothing_is_lost():
    assert hazards("ab\u202ec\nd") == [("ab", False), ("U+202E", True), ("c\nd", False)]


@given(ANY)
@FAST
def test_printable_leaves_nothing_that_steers(text):
    shown = printable(text)
    shown.encode()
    assert printable(shown) == shown
    assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in shown)


@given(ANY)
@FAST
def test_html_has_no_markup(text):
    shown = html(text)
    assert not set("<>\"'") & set(shown)


@given(ANY)
@FAST
def test_a_code_span_is_one_code_span(text):
    tokens = MarkdownIt("commonmark").parseInline(f"x {markdown_code(text)} y")[0].children
    assert [t.type for t in tokens] == ["text", "code_inline", "text"]


@given(ANY)
@FAST
def test_markdown_text_is_words_and_code_and_nothing_else(text):
    blocks = MarkdownIt("commonmark").parse(f"x {markdown_text(text)}")
    assert [t.type for t in blocks] == ["paragraph_open", "inline", "paragraph_close"]
    inline = blocks[1].children
    assert {t.type for t in inline} <= {"text", "code_inline"}
    for token in inline:
        if token.type == "text":
            assert not set(token.content) & set("@#<>[]`|*_~\\/&")


@given(ANY)
@FAST
def test_markdown_prose_is_words_and_code_and_nothing_else(text):
    blocks = MarkdownIt("commonmark").parse(f"x {markdown_prose(text)}")
    assert [t.type for t in blocks] == ["paragraph_open", "inline", "paragraph_close"]
    assert {t.type for t in blocks[1].children} <= {"text", "code_inline"}


@given(ANY)
@FAST
def test_a_block_is_one_fence(text):
    assert [t.type for t in MarkdownIt("commonmark").parse(markdown_block(text))] == ["fence"]


def test_markdown_keeps_plain_words_and_quotes_risky_ones():
    assert markdown_text("reads it (scripts/a.py:3).") == "reads it (`scripts/a.py:3`)."
    assert markdown_text("ask @octocat, see #12") == "ask `@octocat`, see `#12`"
    assert markdown_text("commit 0123abc4567 closes GH-9") == "commit `0123abc4567` closes `GH-9`"
    assert markdown_code("a`b|c") == "``a`b\\x7cc``"
    assert markdown_prose("Use `pip install -r x`.") == "Use `pip install -r x`."


def test_github_values_cannot_end_their_command():
    assert github_data("50%\r\n::error::x") == "50%25\\r%0A::error::x"
    assert github_property("a:b,c%0A\n") == "a%3Ab%2Cc%250A%0A"


def test_a_sarif_message_makes_no_link():
    assert sarif_message("[a](1) \\[") == "\\[a\\](1) \\\\\\["


def test_json_safe_writes_escapes_that_mean_the_same():
    assert json_safe('"\x9b\u202e\U000e0041\x7f"') == '"\\u009b\\u202e\\udb40\\udc41\\u007f"'


def test_scalar_keeps_all_but_lone_surrogates():
    assert scalar("a\x1b\u202e") == "a\x1b\u202e"
    assert scalar("a\udc80") == "a\\udc80"


@given(ANY, st.integers(8, 60))
@FAST
def test_wrapped_lines_fit_and_keep_every_word(text, columns):
    shown = one_line(text)
    lines = wrap(shown, columns, first="  ", rest="    ")
    assert all(width(line) <= columns + 1 for line in lines)
    assert "".join("".join(lines).split()) == "".join(shown.split())


@given(ANY, st.integers(4, 60))
@FAST
def test_cut_and_pad_fit(text, columns):
    shown = one_line(text)
    assert width(cut(shown, columns)) <= columns
    assert width(pad(shown, columns)) == columns

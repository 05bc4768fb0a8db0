"""Comments and code of a program are told apart, and nothing is lost between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.vet.intake.bundle import CODE, Kind
from sluicegate.vet.review.mediator.comments import Separation, comments_of
from sluicegate.vet.review.mediator.prepared import PreparedText

PYTHON = '''#!/usr/bin/env python3
"""WORDS of the module."""
import os  # WORDS behind
class A:
    "WORDS of a class"
    def run(self):
        """WORDS of
        a function"""
        code = "code # code"
        f"code {code}"
        "WORDS that " "nobody uses"
        return code
'''
JAVASCRIPT = """'use strict';
// WORDS one
/* WORDS
   two */
const code = "code // code"; // WORDS three
'WORDS said to nobody';
`WORDS said to nobody`;
const re = /\\/\\*code/;
`${code()}`;
"""
SAMPLES = {
    Kind.PYTHON: PYTHON,
    Kind.SHELL: "#!/bin/sh\n# WORDS\ncode 'code # code' # WORDS\n: <<'X'\nWORDS\nX\ncode\n",
    Kind.JAVASCRIPT: JAVASCRIPT,
    Kind.TYPESCRIPT: JAVASCRIPT + "const code2: string = code; // WORDS\n",
    Kind.RUBY: "code # WORDS\ncode 'code # code'\n",
    Kind.PERL: "code; # WORDS\n",
    Kind.PHP: "<?php code(); // WORDS\n/* WORDS\nWORDS */ code('// code'); # WORDS\n",
    Kind.GO: "code() // WORDS\n/* WORDS */ code(`// code`)\n",
    Kind.RUST: "code(); // WORDS\n/* WORDS */\n",
    Kind.JAVA: 'code("// code"); // WORDS\n/** WORDS */\n',
    Kind.C: 'code("/* code */"); /* WORDS */\n',
    Kind.LUA: "code() -- WORDS\n",
    Kind.R: "code() # WORDS\n",
    Kind.POWERSHELL: "code # WORDS\n<# WORDS\nWORDS #>\ncode\n",
    Kind.BATCH: "rem WORDS\n:: WORDS\ncode\n",
    Kind.APPLESCRIPT: "code -- WORDS\n",
    Kind.SQL: "code; -- WORDS\n",
    Kind.MAKEFILE: "# WORDS\ncode: code\n\tcode\n",
    Kind.DOCKERFILE: "# WORDS\nRUN code\n",
}


@pytest.mark.parametrize("language", SAMPLES, ids=lambda kind: kind.value)
def test_comments_leave_the_code_and_keep_their_lines(language):
    text = PreparedText(SAMPLES[language], language)
    raw = SAMPLES[language].split("\n")
    assert "WORDS" not in "\n".join(text.code)
    assert "code" not in "\n".join(text.comments)
    assert len(text.code) == len(text.comments) == len(raw)
    for line, code, comment in zip(raw, text.code, text.comments, strict=True):
        assert ("WORDS" in line) == ("WORDS" in comment)
        assert line.count("code") == code.count("code")


def test_the_four_languages_with_a_parser_are_read_by_it():
    for language in (Kind.PYTHON, Kind.SHELL, Kind.JAVASCRIPT, Kind.TYPESCRIPT):
        assert comments_of(SAMPLES[language], language).how is Separation.TREE


def test_a_text_that_does_not_parse_is_read_by_words_and_says_so():
    found = PreparedText("def broken(:\n    pass  # WORDS\n", Kind.PYTHON)
    assert found.how is Separation.WORDS
    assert "WORDS" not in "\n".join(found.code)
    assert "WORDS" in "\n".join(found.comments)


@pytest.mark.parametrize("language", [Kind.SOURCE, Kind.CSS, Kind.YAML, Kind.MARKDOWN])
def test_where_there_is_no_reader_the_text_is_kept_and_says_so(language):
    found = PreparedText("a: b # WORDS\n", language)
    assert found.how is Separation.NONE
    assert "WORDS" in "\n".join(found.code)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (Kind.PYTHON, "# a\rimport os\n"),
        (Kind.JAVASCRIPT, "// a\u2028import_os()\n"),
        (Kind.JAVASCRIPT, "// a\rimport_os()\n"),
        (Kind.PHP, "<?php // a\rimport_os();\n"),
    ],
)
def test_what_ends_a_comment_for_the_language_ends_it_here(language, text):
    assert "import" in "\n".join(PreparedText(text, language).code)


@given(
    st.sampled_from(sorted(CODE)),
    st.lists(
        st.sampled_from(
            [*"#/*'\"`\n\\-<>:{}()= \r\té⟪", "'''", '"""', "<<X", "X\n", "code", "//", "/*", "*/", "=begin\n"]
        ),
        max_size=40,
    ),
)
def test_code_and_comments_together_are_the_text(language, pieces):
    text = PreparedText("".join(pieces), language)
    assert len(text.code) == len(text.comments) == len(text.raw)
    for raw, code, comment in zip(text.raw, text.code, text.comments, strict=True):
        left = sorted(raw.replace(" ", "").replace("\t", ""))
        assert sorted((code + comment).replace(" ", "").replace("\t", "")) == left

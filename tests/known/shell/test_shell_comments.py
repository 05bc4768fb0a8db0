"""The reader of shell text knows where comments stand."""

import pytest

from sluicegate.known.shell.comments import shell_comments


def said(text):
    found = shell_comments(text)
    assert found is not None
    return [text[start:end] for start, end in found]


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ("# one\nls # two\n  # three", ["# one", "# two", "# three"]),
        ("echo 'a # b' \"c # d\" e#f $# ${#x}", []),
        ("cat <<EOT\n# inside $x\nEOT\nls # out", ["# out"]),
        (": <<'DOC'\nwords $(not run)\nDOC\nls", ["words $(not run)\n"]),
        (": 'said\nto nobody'\nls", [" 'said\nto nobody'"]),
        ("if true; then # why\n  ls\nfi", ["# why"]),
    ],
)
def test_comments_are_found_where_a_shell_has_them(text, comments):
    assert said(text) == comments


@pytest.mark.parametrize("text", [': "$(touch x)"', ": <<DOC\n$(touch x)\nDOC\n", ": `touch x`"])
def test_what_is_expanded_runs_and_is_no_comment(text):
    assert said(text) == []


def test_a_text_that_takes_too_many_steps_is_not_told():
    assert shell_comments("ls\n" * 50, steps=20) is None

"""Our reading of Markdown beside that of markdown-it, a strict parser: what the parser takes for code, ours takes, too."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from view_samples import derive

from sluicegate.vet.intake.views.formats.markdown import fences

PARSER = MarkdownIt("commonmark")
MARKER = re.compile("```|~~~")
LINES = st.sampled_from(
    (
        "```bash", "```", "~~~", "~~~python", "````", "> ```sh", "> ", "- ```", "", "", "# Title", "***",
        "curl -s http://example.com/x | bash", "  pip install example", "> git clone http://example.com/y", "import os", "text `a` text", "```not`a`fence",
        "<!-- note -->", "[a]: http://example.com", "---", "\tcode", "|a|b|",
    )
)  # fmt: skip


def of_the_parser(text: str) -> set[int]:
    """The lines that a strict parser reads as the content of a fence; those without a letter say nothing."""
    found: set[int] = set()
    lines = text.split("\n")
    for token in PARSER.parse(text):
        if token.type == "fence" and token.map:
            content = token.content.split("\n")[:-1]
            found |= {token.map[0] + 1 + number for number in range(len(content))}
    return {
        line for line in found if any(c.isalpha() for c in lines[line]) and not MARKER.search(lines[line])
    }


def of_ours(text: str) -> set[int]:
    (view,) = (each for each in derive(text).views if not each.origin)
    return {
        line
        for fence in fences(view)
        for line in range(view.line_of(fence.start), view.line_of(max(fence.start, fence.end - 1)) + 1)
    }


@settings(max_examples=400, deadline=None)
@given(st.lists(LINES, max_size=14))
def test_what_a_strict_parser_takes_for_a_fence_ours_takes_too(lines: list[str]) -> None:
    """Not held for a fence that is indented below a list item and closed further left, as many people write: a strict
    parser ends the item there, and takes all that follows for code."""
    text = "\n".join(lines) + "\n"
    assert of_the_parser(text) <= of_ours(text), text


@pytest.mark.parametrize(
    "text",
    [
        "```bash\na\n```\n", "~~~\na\n", "> ```sh\n> a\n> ```\n", "- x\n\n  ```\n  a\n  ```\n", "1. ```\n   a\n   ```\n",
        "````\n```\na\n```\n````\n", "   ```\n   a\n   ```\n",
    ],
)  # fmt: skip
def test_both_see_these(text: str) -> None:
    assert of_the_parser(text)
    assert of_the_parser(text) <= of_ours(text)

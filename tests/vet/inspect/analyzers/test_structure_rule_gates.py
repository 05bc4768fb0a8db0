"""What spares the structure rules and the promise work finds what the long way finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pattern_words import every_match_holds

from sluicegate.vet.inspect.analyzers import purpose
from sluicegate.vet.inspect.analyzers.purpose import Promise
from sluicegate.vet.inspect.analyzers.structures import agents, claims, imitation, indexes, staging, started
from sluicegate.vet.inspect.analyzers.structures.dependencies import INSTALL


def pieces(*parts: str, most: int = 12) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(parts), max_size=most).map("".join)


@given(pieces("a" * 1023, "b" * 1024, "c" * 1025, "=", "_-", "\\x41" * 512, "\n", "\r", " ", "\u5bc6"))
@example("\n" + "a" * 2048)
@example("a" * 1023 + "\n" + "a" * 2048)
def test_a_long_literal_fills_a_piece_of_the_text(text: str) -> None:
    assert staging._may_hold(text) or staging._LITERAL.search(text) is None


@given(
    pieces(
        "internal", "private", "company", "corporate", "in-house", "an-in-house", "_", " ", "x", "\n", " npm", " python",
        " package", " registry", " feed", " internal registry", "\u017f", "\u00e9",
    )
)  # fmt: skip
def test_private_registries_are_found_from_their_words(low: str) -> None:
    assert imitation._speaks_of_private(low) == (imitation._PRIVATE.search(low) is not None)


GATES = {
    "decoding": (staging._DECODE, staging._DECODING_WORDS),
    "index": (indexes._INDEX, indexes._INDEX_WORDS),
    "base": (agents._BASE_URL, agents._BASE_WORDS),
    "harmless": (claims._HARMLESS, claims._HARMLESS_WORDS),
    **{f"claim {number}": (claim, claims._WORDS) for number, (_, claim, _) in enumerate(claims._CLAIMS)},
    # The last asks for a word beside it: what is added, and not dropped.
    **{
        f"container {number}": (how, started._CONTAINER_WORDS)
        for number, (how, _) in enumerate(started._COMPOSE[:-1])
    },
}


@pytest.mark.parametrize("name", GATES)
def test_whatever_a_rule_finds_holds_one_of_its_words(name: str) -> None:
    pattern, held = GATES[name]
    assert every_match_holds(pattern, held, in_lower=bool(pattern.flags & re.IGNORECASE))


@given(
    pieces(
        "pip install ", "npm i ", "uvx ", "npx -y ", "uv add ", "\tadd\t", "https://a.example.com/x.tgz", "git+ssh://a/b", "://",
        "name", " ", "\n", "\r\n", ";", "#", "|", "x" * 399, most=20,
    )
)  # fmt: skip
def test_installers_that_are_given_an_address_are_found_line_by_line(text: str) -> None:
    every = [m.span() for m in INSTALL.finditer(text)]
    found = [m.span() for m in indexes._fetching(text)]
    assert found == [span for span in every if "://" in _line(text, span[0])]


def _line(text: str, at: int) -> str:
    return text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0]


BODY = pieces(
    "acme", "ac", "me", "ACME", "A\u212ame", "<!--", "-->", "<!-- x -->", "`", "```", "\n```\n", "\n", " ", "_", "-", "1",
    "https://acme.example.com/x", "acme.example.com", "acme.io/", "\u0130", "\u03a3", "\u00e9", "stripe", "metrics", most=20,
)  # fmt: skip


@given(
    BODY,
    BODY,
    st.sampled_from(
        ["acme", "ac", "me", "akme", "stripe", "metrics", "acmemetrics", "x", "1", "", "\u00e9", "i"]
    ),
)
@example("x", "ac<!-- -->me", "acme")
@example("x", "", "acme")
def test_what_is_mentioned_is_what_the_words_of_the_prose_say(declared: str, body: str, word: str) -> None:
    promise = Promise(f"---\nname: tool\ndescription: x {declared}\n---\n{body}")
    said = f"{promise.declared}\n{purpose._prose(promise._body)}".lower()
    own = re.sub(r"[\W_]+", "", promise.declared.lower())
    plain = (
        word in re.findall(r"[^\W_]+", said)
        or (len(word) > 3 and word in own)
        or (len(word) > 7 and word in re.sub(r"[\W_]+", "", said))
    )
    for _ in range(purpose.GLANCES + 2):
        assert promise.mentions(word) == plain

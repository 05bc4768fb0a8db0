"""Nothing that a frame holds can hold its boundary, or begin as a line of ours does."""

from hypothesis import given
from hypothesis import strategies as st

from sluicegate.vet.review.mediator.frame import Quote, QuotedRow, Said, digest_of, framed, tokens_of
from sluicegate.vet.review.mediator.tokens import estimate

PARTS = (
    Said("ours"),
    Quote(
        "a text",
        (QuotedRow("first", line=1, marked=True), QuotedRow("more", line=1, goes_on=True), QuotedRow("bare")),
    ),
)


def test_a_frame_stands_between_two_lines_with_its_boundary():
    made = framed(PARTS, "d", "n")
    assert made.text.split("\n") == [
        "ours",
        f"=== begin {made.boundary} 1: a text ===",
        ">     1 | first",
        "      + | more",
        "        | bare",
        f"=== end {made.boundary} 1 ===",
        "",
    ]


def test_a_boundary_that_occurs_in_the_content_is_made_anew():
    first = framed(PARTS, "d", "n").boundary
    holding = (*PARTS, Quote("another", (QuotedRow(f"=== end {first} 1 ==="),)))
    second = framed(holding, "d", "n")
    assert second.boundary != first
    assert second.text.count(second.boundary) == 4
    third = framed((*holding, Quote("third", (QuotedRow(second.boundary),))), "d", "n")
    assert third.boundary not in (first, second.boundary)


@given(st.text(max_size=20), st.text(max_size=20))
def test_the_boundary_is_another_for_another_nonce_or_content(one, other):
    same = framed(PARTS, "d", one)
    assert same == framed(PARTS, "d", one)
    assert (framed(PARTS, "d", other).boundary == same.boundary) == (one == other)
    assert framed(PARTS, "e", one).boundary != same.boundary


def test_the_digest_is_of_everything_but_the_boundary():
    assert digest_of("skill", PARTS) == digest_of("skill", PARTS)
    assert digest_of("skill", PARTS) != digest_of("findings", PARTS)
    assert digest_of("skill", PARTS) != digest_of("skill", PARTS[:1])


@given(st.text(max_size=30), st.text(max_size=30))
def test_the_estimate_grows_with_the_text(one, other):
    whole = estimate((one + other).encode("utf-8", "replace").decode())
    parts = [estimate(each.encode("utf-8", "replace").decode()) for each in (one, other)]
    assert max(parts) <= whole <= sum(parts)


def test_the_tokens_of_parts_are_those_of_their_text():
    assert tokens_of(PARTS) == estimate(framed(PARTS, "d", "n").text)

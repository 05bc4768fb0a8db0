"""What spares the adjuster work changes nothing that it finds: each short cut beside its long way."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from order_samples import ABOVE, BELOW, NONE

from sluicegate.vet.inspect import outline, tongues
from sluicegate.vet.inspect.context.excuse import Excuse, ExcuseLevel, weigh
from sluicegate.vet.inspect.context.programs import execution
from sluicegate.vet.inspect.context.prose import orders, pointers, sentences, tongue
from sluicegate.vet.inspect.context.prose.orders import Orders
from sluicegate.vet.inspect.context.prose.orderwords import ENGLISH
from sluicegate.vet.inspect.context.prose.orderwords_more import TONGUES
from sluicegate.vet.inspect.context.prose.sentence import negation
from sluicegate.vet.inspect.context.prose.sentences import CODE
from sluicegate.vet.inspect.context.prose.tongue import Tongue, fold
from sluicegate.vet.inspect.outline import Headings
from sluicegate.vet.inspect.rule import Match, Rule, RuleKind
from sluicegate.vet.intake.bundle import Artifact, Kind
from sluicegate.vet.intake.views.disguises import unicode as views
from sluicegate.vet.intake.views.disguises.spaced import may_be_spaced
from sluicegate.vet.intake.views.disguises.unicode import normalise
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.types import Category, Severity

CHARACTERS = "".join(map(chr, range(0x30000)))
SAMPLES = [text for held in (ABOVE, BELOW, NONE) for texts in held.values() for text in texts]
WORDS = sorted({word for text in SAMPLES for word in text.split()})
SIGNS = (
    "—", "“", "”", "’", "…", "→", "↚", "✅", CODE, "é", "ſ", "\u0338", "\u0131", "\u0130", "\u212a", "\u0430", "中", "ا", "٣",
)  # fmt: skip


def pieces(*parts: str, most: int = 12) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(parts), max_size=most).map("".join)


def texts(*near: str) -> st.SearchStrategy[str]:
    """Words of orders in all languages, signs beyond ASCII, and what comes near a gate."""
    words = st.sampled_from(WORDS)
    held = st.lists(st.one_of(words, words, st.sampled_from((*SIGNS, "\n", *near))), max_size=14)
    return st.one_of(held.map(" ".join), held.map("".join), st.sampled_from(SAMPLES), st.text(max_size=40))


# -- letters ---------------------------------------------------------------------------------------------


def folded(text: str) -> str:
    bare = tongue._MARKS.sub("", unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold()))
    return unicodedata.normalize("NFC", bare).translate(tongue._LETTERS)


@given(texts())
@example("".join(char for char in CHARACTERS if tongue.plain(char)))
def test_a_plain_text_is_folded_by_lower_case(text: str) -> None:
    assert fold(text) == folded(text)


def test_a_plain_text_has_no_letters_but_those_of_ascii() -> None:
    assert not [c for c in CHARACTERS if tongue.plain(c) and not c.isascii() and (c.isalpha() or c.isalnum())]
    assert not [c for c in CHARACTERS if tongue.plain(c) and orders._ACCENTED.search(c)]


def together(text: str) -> str:
    """The text as it looks, all lines at once."""
    text = unicodedata.normalize("NFKC", views._STRIP.sub("", text))
    text = views._REGIONAL.sub(lambda m: "".join(chr(ord(c) - 0x1F1E6 + 97) for c in m[0]), text)
    text = text.translate(views._always())
    out = views._TOKEN.sub(views._fold_token, text).split("\n")
    for number, before in enumerate(text.split("\n")):
        if views._all_alike(before):
            out[number] = views._FOREIGN_WORD.sub(views._fold_word, out[number])
    return "\n".join(out)


@given(texts("p\u0430y", "\u0301", "\u200b", "\U0001f1e6" * 5, "\u0441\u043e\u0440\u0435", "ﬁ"))
def test_lines_look_alone_as_they_look_together(text: str) -> None:
    assert normalise(text) == together(text)


# -- languages -------------------------------------------------------------------------------------------


def spoken(text: str) -> set[Tongue]:
    """The languages of a sentence, the words of each counted."""
    words = set(orders._WORD.findall(text))
    counts = Counter({each: len(each.common & words) for each in TONGUES})
    found = {ENGLISH} if words else set()
    if any(counts.values()):
        found |= {each for each in TONGUES if 0 < counts[each] >= counts[ENGLISH]}
    else:
        found |= {each for each in orders._FOREIGN if orders._POINTING[each].search(text)}
    return found | {each for each in orders._OTHERS if each.letters.search(text)}


@given(texts("a", "no", "the", "die", "in", "de", "van"))
def test_few_words_tell_which_languages_a_sentence_may_be_in(written: str) -> None:
    text = fold(written)
    assert set(orders._spoken(text, orders._WORD.findall(text))) == spoken(text)


def test_common_words_of_english_look_english() -> None:
    assert all(orders._ENGLISH.search(word) for word in ENGLISH.common)


@pytest.mark.parametrize("table", ["told", "does", "due", "what"])
@given(data=st.data())
def test_an_english_order_has_a_word_by_which_it_is_known(table: str, data: st.DataObject) -> None:
    pattern = getattr(ENGLISH, table).pattern
    written = data.draw(st.from_regex(re.compile(pattern, re.ASCII)))
    gate = orders._THINGS if table == "what" else orders._DOINGS
    if re.search(pattern, written):
        assert not gate.isdisjoint(orders._WORD.findall(written))
    for word in data.draw(st.lists(st.sampled_from(sorted(orders._DOINGS | orders._THINGS)))):
        assert not re.search(pattern, word) or word in gate


@given(st.lists(texts("commands", "run", "required", "above", "## Run", "steps:"), max_size=4))
def test_an_english_sentence_without_these_words_points_at_nothing(parts: list[str]) -> None:
    read = Orders("\n".join(parts))
    found = [list(read._take(sentence)) for sentence in read._sentences]
    read._may_point = lambda sentence, words: True  # type: ignore[method-assign]
    assert [sorted(set(each)) for each in found] == [
        sorted(set(read._take(sentence))) for sentence in read._sentences
    ]


@given(st.lists(texts("## Red flags", "i g n o r e a l l"), max_size=6), st.lists(st.integers(1, 12)))
def test_lines_are_unread_whatever_was_asked_before(parts: list[str], lines: list[int]) -> None:
    text = "\n".join(parts)
    read = Orders(text)
    assert [read.unread(n) for n in lines] == [Orders(text).unread(n) for n in lines]


@given(pieces("a", "b", "=", "/", "@", ".", "-", "<", ">", "7", "٣", CODE, " ", "https://", "_", most=5))
@example("a@b")
@example("a=-")
@example("<a>")
def test_a_text_with_an_address_has_the_beginning_of_one(text: str) -> None:
    if orders._ADDRESS.search(text):
        assert orders._BEGINS_ADDRESS.search(text)


# -- sentences and headings ------------------------------------------------------------------------------


@given(pieces("`", "``", "~~", "~", "#", "# ", "<!--", "-->", "-", " ", "a", ">", "1. "))
def test_what_is_looked_for_in_a_line_has_its_signs(line: str) -> None:
    assert not sentences._FENCE.match(line) or "```" in line or "~~~" in line
    assert not sentences._HEADING.match(line) or "#" in line
    assert not sentences._COMMENT.search(line) or "--" in line
    assert not sentences._SPAN.search(line) or "`" in line


@given(pieces("a", ".", "!", "。", "…", " ", "\n", '"', "_", "»"))
def test_a_sentence_stops_where_it_is_seen_to(text: str) -> None:
    stops = re.finditer(r"[.!?](?=[\s\"')\]*_»”]|$)|[。！？।؟…]", text)
    assert [m.span() for m in sentences._STOP.finditer(text)] == [m.span() for m in stops]


@given(pieces('"', "“", "”", "「a", "b」", "《", "》", "„", "abc", "\n", "'"))
def test_a_quotation_has_a_mark(text: str) -> None:
    assert not sentences._QUOTED.search(text) or sentences._QUOTES.search(text)


@given(st.lists(pieces("i ", "g ", "n.", "o.", "ab", " ", "é ", "-"), max_size=4))
def test_a_text_of_which_a_part_may_be_spaced_may_be(parts: list[str]) -> None:
    assert may_be_spaced("\n".join(parts)) or not any(map(may_be_spaced, parts))


@given(pieces("a. b", "c\n", "\n", "! ", " \n ", "。", "x"), st.integers(1, 9))
def test_sentences_stand_on_their_lines(text: str, first: int) -> None:
    found = list(sentences._split(text, first, disguised=False))
    assert [s.text for s in found] == [
        part
        for begin, end in zip(
            [0, *(m.end() for m in sentences._STOP.finditer(text))],
            [*(m.end() for m in sentences._STOP.finditer(text)), len(text)],
            strict=True,
        )
        if (part := text[begin:end]).strip()
    ]
    at = 0
    for sentence in found:
        at = text.index(sentence.text, at)
        assert sentence.first == first + text.count("\n", 0, at)
        assert sentence.last == sentence.first + sentence.text.count("\n")
        at += len(sentence.text)


@given(texts("como", "exemple", "detecta", "angriff", "ejemplo", "np.", "ata\u212a", "пример", "攻击"))
def test_letters_tell_which_words_can_introduce_an_example(text: str) -> None:
    assert tongues.names_example(text) == (tongues.INTRO.search(text) is not None)


def test_every_letter_of_an_introduction_tells() -> None:
    letters = {char for char in tongues.INTRO.pattern if not char.isascii()}
    alike = {c for c in CHARACTERS if not c.isascii() and re.search(r"[a-z]", c, re.IGNORECASE)}
    for char in alike.union(letters, *({c.upper(), c.lower()} for c in letters)):
        assert char.isascii() or tongues._LETTERS.search(char)


@given(pieces("\n", "# a", "## b\n", "```", "~~~\n", "````", "   ", "     # ", "a", "#", " ", "\r\n"))
def test_headings_and_fences_begin_a_line(text: str) -> None:
    begins = outline._MARK.pattern.replace("\\n", "^", 1)
    assert [(m.start(), m.groups()) for m in outline._MARK.finditer("\n" + text)] == [
        (m.start(), m.groups()) for m in re.finditer(begins, text, re.MULTILINE)
    ]


def read(text: str) -> Headings:
    artifact = Artifact(path="notes.md", data=text.encode(), mode=0, kind=Kind.MARKDOWN)
    return Headings(View(artifact=artifact, text=text, language=Kind.MARKDOWN))


@given(st.lists(st.integers(1, 6), max_size=12), st.lists(st.integers(1, 12)))
def test_a_heading_is_held_by_the_last_of_each_higher_level(levels: list[int], lines: list[int]) -> None:
    titles = ("Attack", "Fix", "Usage", "Red flags", "Detection")
    text = "\n".join(f"{'#' * level} {titles[n * level % 5]}" for n, level in enumerate(levels))
    found = read(text)
    for number, level in enumerate(levels):
        last = {each: n for n, each in enumerate(levels[:number]) if each < level}
        over = [n for each, n in last.items() if n > max((last[e] for e in last if e < each), default=-1)]
        assert found._holding(number + 1) == (*sorted(over), number)
    assert [found.caveat(n) for n in lines] == [read(text).caveat(n) for n in lines]


# -- what is carried out ---------------------------------------------------------------------------------


def told(text: str) -> bool:
    """Whether a text tells to carry out what stands among its examples, all verbs looked for at once."""
    return any(
        pointers._THERE.search(found.group())
        and not pointers._TOWARDS.search(found.group())
        and pointers._BEGINS.search(text[max(0, found.start() - 24) : found.start()])
        and not negation(text, found.start())
        for found in pointers._TOLD.finditer(text)
    )


@given(
    pieces(
        "run ", "Run ", "apply ", "ſource ", "invo\u212ae ", "ap\u0130ply ", "\u0130", "rerun ", "carry out ", "Now run ", "never ",
        "the commands ", "lines ", "examples ", "in the table ", "from the list ", "red flags ", "scan ", ". ", "\n", "; ", "x " * 40, "runs ",
    )
)  # fmt: skip
@example("Please run the commands in the table.")
def test_what_a_text_tells_to_carry_out_is_found_verb_by_verb(text: str) -> None:
    assert pointers._told(text) == told(text)


@given(pieces(".map(", ".find(", ".forEach(", "x", "$y", "(", " ", ".mapped(", "e", "=>"))
def test_a_loop_by_a_method_names_the_method(text: str) -> None:
    assert not execution._EACH.search(text) or any(name in text for name in execution._EACH_NAMES)


@given(
    st.sampled_from(Severity),
    st.sampled_from(Category),
    st.sampled_from(ExcuseLevel),
    st.booleans(),
    st.booleans(),
)
def test_only_of_what_is_grave_a_doubt_counts(
    severity: Severity, category: Category, level: ExcuseLevel, purpose: bool, words: bool
) -> None:
    rule = Rule(
        id="x", title="x", category=category, severity=severity, confidence=900, kind=RuleKind.PATTERN, why="", fix="",
        languages=("prose",) if words else ("any",),
    )  # fmt: skip
    calm = weigh(rule, Match(rule="x"), 900, Excuse(level, "shown"), purpose=purpose)
    doubted = weigh(rule, Match(rule="x"), 900, Excuse(level, "shown", "whole"), purpose=purpose)
    assert calm == doubted or (severity > Severity.MEDIUM and not words)

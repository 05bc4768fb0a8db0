"""What spares the inspection work finds what it would find without: each short cut beside its long way."""

from __future__ import annotations

import re
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from order_samples import ABOVE, BELOW, NONE

from sluicegate.vet.hints import lower
from sluicegate.vet.inspect import capabilities
from sluicegate.vet.inspect.analyzers import printers
from sluicegate.vet.inspect.analyzers.shflow.commands import tables as commands
from sluicegate.vet.inspect.analyzers.structures import autorun, neighbours
from sluicegate.vet.inspect.context.programs import lists
from sluicegate.vet.inspect.context.programs.literal import literal
from sluicegate.vet.inspect.context.prose import orders
from sluicegate.vet.inspect.context.prose.orders import Orders
from sluicegate.vet.inspect.context.prose.orderwords_more import TONGUES
from sluicegate.vet.inspect.context.prose.tongue import Tongue, fold, whole_words

CHARACTERS = "".join(map(chr, range(sys.maxunicode + 1)))


def pieces(*parts: str, most: int = 12) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(parts), max_size=most).map("".join)


# -- orders ----------------------------------------------------------------------------------------------

SAMPLES = [text for held in (ABOVE, BELOW, NONE) for texts in held.values() for text in texts]
WORDS = sorted({word for text in SAMPLES for word in text.split()})
GLUE = (" ", " ", ", ", ". ", ": ", "; ", "\n", " - ", "-", "'", "")


@st.composite
def spoken(draw: st.DrawFn) -> str:
    words = draw(st.lists(st.sampled_from(WORDS), max_size=14))
    return "".join(word + draw(st.sampled_from(GLUE)) for word in words)


SPOKEN = st.one_of(spoken(), st.sampled_from(SAMPLES), st.text(max_size=60))


@given(SPOKEN)
def test_what_points_is_found_in_one_search_as_in_five(written: str) -> None:
    text = fold(written)
    found = {
        tongue
        for tongue in orders._FOREIGN
        if any(p.search(text) for p in (tongue.back, tongue.ahead, tongue.here, tongue.when, tongue.due))
    }
    assert {tongue for tongue, pattern in orders._POINTING.items() if pattern.search(text)} == found
    assert (orders._POINTING_ANY.search(text) is not None) == bool(found)


@given(
    st.lists(st.sampled_from(("ab", "abc", "a?b", "b(?:c|d)", r"\w{2,}x", "c|d", "[|]a", "")), min_size=1),
    pieces("a", "b", "c", "d", "x", " ", "|", "-"),
)
def test_an_alternation_put_together_by_letters_is_found_where_it_was(table: list[str], text: str) -> None:
    alternation = "|".join(alternative for alternative in table if alternative) or "a"
    plain = re.compile(rf"(?<!\w)(?:{alternation})(?!\w)")
    assert (whole_words(alternation).search(text) is None) == (plain.search(text) is None)


def ordering(tongue: Tongue, text: str) -> str | None:
    """The clause that orders, looked for in every clause."""
    for clause in (*orders._CLAUSE.split(text), text):
        done = orders._verb(tongue, clause) if clause.strip() else None
        if done is not None and not orders._denied(tongue, clause[: done.end()]):
            if tongue.reports.search(clause, 0, done.end()) is None:
                return clause
    return orders._ordering(tongue, text)


@given(SPOKEN, st.sampled_from(TONGUES))
def test_a_sentence_without_a_verb_has_no_clause_with_one(written: str, tongue: Tongue) -> None:
    text = fold(written)
    assert orders._ordering(tongue, text) == ordering(tongue, text)


def test_tongues_whose_verbs_depend_on_the_end_of_a_clause_say_so() -> None:
    for tongue in TONGUES:
        for pattern in (tongue.told.pattern, tongue.does.pattern):
            inner = pattern.removesuffix(r"(?!\w)")
            assert tongue.ends or not any(mark in inner for mark in ("$", r"\Z", r"\b", "(?>", "++", "*+"))
            assert (
                inner == r"(?!)"
                or tongue.ends
                or "(?!" not in inner.removeprefix(r"(?<!\w)").replace("(?:(?!))", "")
            )


TEXTS = st.lists(
    st.one_of(st.sampled_from(SAMPLES), st.sampled_from(("## Red flags", "- `x | sh`", "", "Text."))),
    max_size=8,
)


@given(TEXTS, st.lists(st.integers(1, 20), min_size=1, max_size=6))
def test_lines_are_covered_whatever_was_asked_before(parts: list[str], lines: list[int]) -> None:
    text = "\n".join(parts)
    asked = Orders(text)
    assert [asked.cover(n, n) for n in lines] == [Orders(text).cover(n, n) for n in lines]
    taken = Orders(text)
    over = [place for sentence in taken._sentences for place in taken._take(sentence)]
    assert [asked.cover(n, n) for n in lines] == [any(a <= n <= b for a, b in over) for n in lines]


@given(TEXTS)
def test_the_language_of_a_text_is_that_of_most_of_it(parts: list[str]) -> None:
    found = Orders("\n\n".join(parts))
    sizes: Counter[str] = Counter()
    for sentence in found._sentences:
        sizes[orders._language(orders._ADDRESS.sub(" ", sentence.text[:1000]))] += len(sentence.text)
    known = [(size, name) for name, size in sizes.items() if name not in ("", "unknown")]
    assert found._language_of_text() == (max(known)[1] if known else "English")


def language(written: str) -> str:
    """The language of a sentence, every letter and every word looked at."""
    text = fold(written)
    letters = sum(map(str.isalpha, text))
    latin = len(re.findall("[a-z]", text))
    if letters < 5:
        return ""
    if latin * 2 < letters:
        scripts = (
            name for name, script in orders._SCRIPTS if len(script.findall(text)) * 2 >= letters - latin
        )
        return next(scripts, "unknown")
    words = orders._WORD.findall(text)
    if len(words) < 5:
        return ""
    best, name = max((len(t.common & set(words)), t.name) for t in orders._FOREIGN)
    if best > len(orders.ENGLISH.common & set(words)):
        if best >= 2 and 4 * best >= len(words):
            return name
        if len(words) < 8:
            return ""
    english = sum(orders._ENGLISH.search(word) is not None for word in words)
    share = 2 if len(orders._ACCENTED.findall(written)) * 6 >= len(words) else 5
    return "English" if english * share >= len(words) or len(words) <= 5 else "unknown"


@given(SPOKEN)
def test_a_sentence_is_told_by_as_few_words_as_are_enough(written: str) -> None:
    assert orders._language(written) == language(written)


# -- literals and lower case -----------------------------------------------------------------------------


def walked(text: str, first: int, start: int) -> int:
    """Where the literal begins that is open at ``start``, character by character; -1 where none is."""
    at, opened = first, -1
    while at < start:
        char = text[at]
        if char == "\\":
            at += 2
            continue
        if opened == -1:
            if char in "\"'`" or (char == "/" and text[at - 1 : at] in ("(", "=", "[", ",", " ", "\t")):
                opened = at
        elif char == text[opened]:
            opened = -1
        at += 1
    return opened


@given(pieces("'", '"', "`", "/", "\\", "(", "=", " ", "a", "\n", ")", most=20), st.data())
def test_a_literal_begins_where_a_walk_finds_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    first = text.rfind("\n", 0, start) + 1
    opened = walked(text, first, start)
    found = literal(text, first, start, end)
    assert found in (None, opened)
    if opened != -1 and text.find(text[opened], start, len(text)) == start == end:
        assert found == opened


def test_lower_case_is_what_a_pattern_without_case_reads() -> None:
    lowered: dict[str, set[str]] = {}
    for char, small in zip(CHARACTERS, lower(CHARACTERS), strict=True):
        lowered.setdefault(small, set()).add(char)
    for letter in "abcdefghijklmnopqrstuvwxyz":
        assert set(re.findall(letter, CHARACTERS, re.IGNORECASE)) == lowered[letter]
    assert [lower(char) for char in map(chr, range(128))] == [chr(number).lower() for number in range(128)]


def test_no_space_but_one_is_printable() -> None:
    assert {char for char in CHARACTERS if char.isspace() and char.isprintable()} == {" "}


@pytest.mark.parametrize(
    ("argv0", "name"),
    [
        ("curl.EXE", "curl"),
        (".exe", ".exe"),
        ("a.cmd.exe", "a.cmd"),
        ("/x/y.bat", "y"),
        ("a b", "*"),
        ("a\x00", "*"),
    ],
)
def test_commands_lose_one_suffix(argv0: str, name: str) -> None:
    assert capabilities.command(argv0) == f"cmd:{name}"


# -- shell -----------------------------------------------------------------------------------------------


def test_tables_name_every_command_that_decodes_or_prints() -> None:
    flags, words = {"-d", "-D", "-r", "--decode", "--decompress", "--decrypt"}, ["base64", "A-Za-z", "-d"]
    known = commands.READERS | commands.INTERPRETERS | commands.DECODERS | {"ls", "gunzip", "zcat", "gpg2"}
    assert {name for name in known if commands.decodes(name, flags, words)} == commands.DECODERS
    for program, entries in printers.PRINTERS.items():
        for entry in entries:
            found = printers.printed([program, *(choices.partition("|")[0] for choices in entry.words)])
            assert found is not None
            again = printers.printed_by(found.command)
            assert again is not None and again.printer is found.printer  # what is told of it names it again


# -- structure -------------------------------------------------------------------------------------------


@given(
    pieces(
        ".claude/",
        ".agents/",
        ".",
        "../",
        "skills/",
        "skill/",
        "commands/",
        "prompts/",
        "agents/",
        "plugins/",
        "x/",
        "ab",
        "SKILL.md",
        ".py",
        "*",
        " ",
    )
)
def test_a_path_of_a_skill_stands_only_where_a_word_of_it_does(text: str) -> None:
    if neighbours._PATH.search(text) is not None:
        before = any(mark in text for mark in ("skill", "plugins/", "commands/", "agents/", "../"))
        assert neighbours._may_name(text) == before
    elif neighbours._may_name(text):
        assert any(mark in text for mark in ("skill", "plugins/", "commands/", "agents/", "../"))


@given(
    pieces(
        "`",
        '"',
        "*",
        "/",
        "ab",
        "a",
        "x" * 31,
        "-",
        "_",
        ":",
        "1",
        " skill",
        " skills",
        " MCP server",
        " SK\u0130LL",
        " \u017flash command",
        " Sub-Agent",
        " ",
        "Z",
    )
)
def test_a_name_is_found_without_going_back(text: str) -> None:
    name = r"[`\"'*/]{1,3}[a-z][a-z0-9]{1,30}(?:[-_:][a-z0-9]{1,30}){0,5}[`\"'*]{0,3}"
    plain = re.compile(rf"{name}[ ]{neighbours._KIND}\b", re.IGNORECASE)
    assert [m.span() for m in neighbours._CALLED.finditer(text)] == [m.span() for m in plain.finditer(text)]
    assert neighbours._CALLED.search(text) is None or any(mark in text for mark in neighbours._MARKS)


NAME = "tidy-notes"
CUES = f"{neighbours._AGAINST}|{neighbours._INSTEAD}|{neighbours._ASKED}|when a user|must use this skill|see".split(
    "|"
)
SAID_AFTER = [
    "",
    " skill",
    " plugin is",
    " is",
    " has been now",
    " was ",
    *(f" is {word}" for word in neighbours._SEIZED.split("|")),
]


@st.composite
def about_a_name(draw: st.DrawFn) -> str:
    """A sentence with a name in it, much like those that turn an agent against it."""
    marks = st.text("`\"'*/", max_size=4)
    cues = draw(st.lists(st.sampled_from(CUES), max_size=3))
    words = [*cues, *draw(st.sampled_from([[], ["the"], ["any"], ["all"]]))]
    before = " ".join(words) + draw(st.sampled_from([" ", " ", "", "(", "-", "\n"])) + draw(marks)
    after = (
        draw(marks)
        + draw(st.sampled_from(SAID_AFTER))
        + draw(st.sampled_from([".", "", ", use this", " for"]))
    )
    text = f"{before}{NAME}{after}"
    if draw(st.booleans()):
        text = text.translate(str.maketrans({"i": "\u0131", "s": "\u017f", "k": "\u212a"})).replace(
            "t\u0131dy-note\u017f", NAME
        )
    return draw(st.sampled_from([text, text.upper().replace(NAME.upper(), NAME)]))


@given(about_a_name())
def test_whatever_is_said_against_a_name_stands_right_beside_it(text: str) -> None:
    at = text.find(NAME)
    exact = neighbours._AT_HERE.search(f"{text[:at]}{neighbours._HERE}{text[at + len(NAME) :]}")
    assert exact is None or neighbours._spoken_of(text, at, at + len(NAME))


@pytest.mark.parametrize(
    "cue", [*neighbours._AGAINST.split("|"), "When somebody asks for", "always use this skill instead of"]
)
def test_each_way_to_turn_against_a_name_is_seen_beside_it(cue: str) -> None:
    text = f"{cue} `{NAME}` and run this"
    at = text.find(NAME)
    assert neighbours._AT_HERE.search(f"{text[:at]}{neighbours._HERE}{text[at + len(NAME) :]}")
    assert neighbours._spoken_of(text, at, at + len(NAME))
    assert not neighbours._spoken_of(f"See `{NAME}`, too.", 5, 5 + len(NAME))


@pytest.mark.parametrize(
    "folder", ["", "a/", ".husky/", ".git/hooks/", ".ipython/profile/startup/", ".vscode/", ".cargo/"]
)
@pytest.mark.parametrize(
    "name",
    ["conftest.py", ".npmrc", "Gemfile", "pre-commit", "x.pth", ".vimrc", "next.config.js", "settings.json"],
)
def test_nothing_starts_by_itself_that_is_named_like_prose(folder: str, name: str) -> None:
    patterns = [matches for matches, _ in autorun._PROGRAMS] + [r.path for r in autorun._REDIRECTS]
    assert not any(pattern.search(f"{folder}{name}.md") for pattern in patterns)


@given(
    pieces(
        "patterns", "IOC", "ioc", "blocked_", "rules", "rule\u017f", "x", "_", " ", "\t", ": ", "=", "= ", ": List[str] ", "new Set(",
        "frozenset(", "[", "{", "(", "]", '"', "\n", "\r", "\u2028", most=30,
    )
)  # fmt: skip
def test_names_of_lists_are_found_line_by_line(text: str) -> None:
    found = [m.span() for m in lists._names(text)]
    assert found == [m.span() for m in lists._NAME.finditer(text)]

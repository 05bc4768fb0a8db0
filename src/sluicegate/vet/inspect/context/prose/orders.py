"""Orders to carry out what a text shows, in any of the languages of ``orderwords``, and what each points at.

1. A sentence orders where a verb of doing stands in the form of an order or a necessity, or begins its
   clause, and no word in front of it turns the clause round or says that somebody else gives the order. A
   sentence that calls the thing above or below mandatory orders too.
2. What it points at: what stands above it in its section (in the one before, where nothing is shown above it),
   what comes after it, what stands beside it, or all of the text, by the words of the same language; the
   section whose heading it names, or whose heading it is. ``names`` tells of a file that it names.
3. English that merely says *run it first* points at nothing here; its own grammar stands in ``sentence``.
4. A section with a sentence that cannot be read is one where an order may stand: letters set apart that make no
   known word, a script or a language without a grammar here, a language other than that of the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from sluicegate.vet.inspect.context.prose.orderwords import ENGLISH
from sluicegate.vet.inspect.context.prose.orderwords_more import TONGUES
from sluicegate.vet.inspect.context.prose.sentences import CODE, LONGEST, Prose, Section, Sentence
from sluicegate.vet.inspect.context.prose.tongue import Tongue, fold, plain, whole_words
from sluicegate.vet.lazy import lazy

_CLAUSE = lazy(r"[.;:,!?()\[\]。、،؛؟।|\n]\s*|\s[-–—]{1,2}\s|—")
_LONGEST = 1_000
"""Characters of a sentence that are looked at."""
_MOST = 4_000
"""Sentences of one text that are read; of a text with more, nothing is taken for read."""
_SIGNS = lazy(r"[013457@$](?<=[^\W\d_].)[^\W\d_]")
_SPELLED = tuple(str.maketrans("013457@$", letters) for letters in ("oieastas", "oleastas"))
_WORD = lazy(r"[^\W\d_]+")
_LATIN = lazy(r"[a-z]")
_FOREIGN = tuple(tongue for tongue in TONGUES if tongue.latin and tongue is not ENGLISH)
_OTHERS = tuple(tongue for tongue in TONGUES if not tongue.latin)
_POINTING = {tongue: whole_words(tongue.pointing) for tongue in _FOREIGN}
_POINTING_ANY = whole_words("|".join(tongue.pointing for tongue in _FOREIGN))
_COMMON = {
    word: tuple(tongue for tongue in TONGUES if word in tongue.common)
    for word in frozenset().union(*(tongue.common for tongue in TONGUES))
}
_SHARED = frozenset(chain.from_iterable(tongue.common for tongue in TONGUES if tongue is not ENGLISH))
"""The common words of all languages but English, some of which are words of English too."""
_THINGS = frozenset(
    "command commands line lines block blocks snippet snippets liner liners oneliner oneliners script scripts step steps"
    " example examples sample samples quote quotes quotation quotations code payload payloads entry entries row rows string strings".split()
)
"""One of these words stands wherever ``what`` of English is found."""
_DOINGS = frozenset(
    "run rerun execute executed reexecute reexecuted executing running paste pasted repaste repasted pasting launch launched"
    " relaunch relaunched launching invoke invoked reinvoke reinvoked invoking source sourced resource resourced sourcing"
    " eval reeval evaluate evaluated reevaluate reevaluated perform performed reperform reperformed carry carried recarry"
    " recarried obey reobey apply applied reapply reapplied applying issue issued reissue reissued type typed retype retyped"
    " fire refire kick rekick trigger retrigger go rego work rework step restep copy recopy put reput"
    " required mandatory obligatory compulsory optional prerequisite prerequisites".split()
)
"""One of these words stands wherever ``told``, ``does`` or ``due`` of English is found."""
_SCRIPTS = (
    ("han", lazy(r"[\u4e00-\u9fff\u3040-\u30ff]")),
    ("hangul", lazy(r"[\uac00-\ud7a3]")),
    ("cyrillic", lazy(r"[\u0400-\u04ff]")),
    ("arabic", lazy(r"[\u0600-\u06ff]")),
    ("devanagari", lazy(r"[\u0900-\u097f]")),
)
_ANY_SCRIPT = lazy("[" + "".join(tongue.letters.pattern.strip("[]") for tongue in _OTHERS) + "]")
_ADDRESS = lazy(rf"{CODE}|https?://[^\s)>]*|\b[\w-]*[./=@][\w./=@-]+|<[^<>\n]{{1,200}}>|\b\w*\d\w*")
_BEGINS_ADDRESS = lazy(rf"[{CODE}<\d./=@](?:(?<![./=@])|[\w./=@-])")
"""Found in every text that ``_ADDRESS`` is found in."""
_OF_COMMANDS = lazy(r"(?<!\w)(?:commands?|lines?|one-?liners?|snippets?|blocks?|payloads?)(?!\w)")
_ENGLISH = lazy(
    r"^(?:the|an?|of|to|and|in|is|are|for|with|this|that|these|it|you|your|on|or|as|be|by|if|not|from|any|all|use|when|at|no|can|will|must"
    r"|never|should|run|do|does|via|into|has|have|was|were|its|only|each|may|after|before|then|but|which|out|per|new|one|two|how|what|why"
    r"|code|file|data|user|agent|skill|test|tool|list|name|type|path|check|link|report|api|sql|url|key|low|high|yes|without|than|more|less"
    r"|first|next|both|between|through|across|against|during|under|over|other|same|such|risk|known|text|page|step|time|using|make|get|set"
    r"|security|prompt|response|summary|framework|package|library|system|service|request|attack|threat|pattern|level|score|medium)$"
    r"|.{2}(?:ing|tion|sion|ed|ly|ness|ment|ity|able|ible|ive|ous|ical|ers?|ors?|als?|ance|ence|ful|less|ship|ss|ck|gh|ght|ths?|wn|ow|ew|ey|ay"
    r"|rse|ple|ble|rt|st|nd|ct|pt|rk|rm|rd|rn|nk|sk|sh|ch|mp|ll|ities|ions|ings|ments|ants?|ents?|ates?|ies|ks|ts|ds|ps|ls|rs|ns|ms|ys|ws|ges?|ces?|ses|les?|res?|nes?|ves?|y)$"
)
"""A word of English, by a few that are common and by how most others end. Most sentences have several."""
_ACCENTED = lazy(r"\w*[\u00c0-\u024f\u1e00-\u1eff]\w*")
_FEW = 5
"""Words of a sentence from which on its language is asked for; and letters, where they are not Latin."""


class Orders:
    """The orders of one prose text, of which ``most`` characters are read."""

    def __init__(self, text: str, most: int = LONGEST) -> None:
        prose = self._prose = Prose(text, min(most, LONGEST))
        self._over: list[tuple[int, int]] = []
        self._titles: list[tuple[str, str, Section]] = [
            (folded, section.title, section)
            for section in prose.sections
            if _telling(folded := " ".join(_WORD.findall(fold(section.title))))
        ]
        self._sentences: list[Sentence] = []
        for sentence in prose.sentences():
            if len(self._sentences) >= _MOST:
                self._prose.cut = True
                break
            self._sentences.append(sentence)
        self._untaken = iter(self._sentences)
        self._languages: dict[str, str] = {}
        self._main: str | None = None
        self._unread: dict[int, bool] = {}

    def cover(self, first: int, last: int) -> bool:
        """Whether some order points at one of these lines (1-based). Sentences are read until one does."""
        if any(a <= last and first <= b for a, b in self._over):
            return True
        for sentence in self._untaken:
            lines = list(self._take(sentence))
            self._over += lines
            if any(a <= last and first <= b for a, b in lines):
                return True
        return False

    @property
    def cut(self) -> bool:
        """Whether a part of the text was not read."""
        return self._prose.cut

    def unread(self, line: int) -> bool:
        """Whether an order may stand round this line that nobody here can read."""
        if self._prose.cut:
            return True
        section = self._prose.section(line)
        known = self._unread.get(section.first)
        if known is None:
            near = [s for s in self._sentences if section.first <= s.first <= section.last]
            known = any(s.disguised for s in near) or any(self._strange(s) for s in near)
            self._unread[section.first] = known
        return known

    def _take(self, sentence: Sentence) -> Iterator[tuple[int, int]]:
        """The lines that the orders of a sentence point at."""
        text = fold(sentence.text[:_LONGEST])
        readings = [text]
        if _SIGNS.search(text):
            readings += [text.translate(table) for table in _SPELLED]
        for reading in readings:
            words = _WORD.findall(reading)
            for tongue in _spoken(reading, words):
                if tongue is ENGLISH and not self._may_point(sentence, words):
                    continue
                clause = _ordering(tongue, reading)
                if clause is not None:
                    yield from self._pointed(tongue, sentence, reading, clause)

    def _may_point(self, sentence: Sentence, words: Sequence[str]) -> bool:
        """Whether an English sentence of these words may order, and point at any lines.

        An order has a verb, or says what has to be done; and ``_pointed`` asks it to name something that can be
        carried out, unless it is a heading, which may point at its own section.
        """
        if _DOINGS.isdisjoint(words):
            return False
        return not _THINGS.isdisjoint(words) or self._prose.section(sentence.first).first == sentence.first

    def _pointed(
        self, tongue: Tongue, sentence: Sentence, text: str, clause: str
    ) -> Iterator[tuple[int, int]]:
        """The lines that an order points at."""
        section = self._prose.section(sentence.first)
        english = tongue is ENGLISH
        things = (_OF_COMMANDS if english else tongue.what).search(clause if english else text) is not None
        back, ahead = tongue.back.search(text), tongue.ahead.search(text)
        if things:
            flat = " ".join(_WORD.findall(text))
            for folded, title, named in self._titles:
                if folded in flat and fold(title).strip() != text.strip():
                    yield named.first, named.whole
        if sentence.first == section.first and section.title and (things or tongue.told.search(clause)):
            yield section.first, section.whole
        if english and tongue.what.search(text) is None:
            return
        if back is not None:
            yield self._above(section, sentence.first)
        if ahead is not None or (not english and text.rstrip().endswith(":")):
            stop = self._prose.last
            block = self._prose.block_after(sentence.first + (0 if CODE in text else 1), stop)
            if block is not None:
                yield block if english else (block[0], max(block[1], self._prose.section(block[0]).last))
        if things and tongue.each.search(clause) is not None and back is None and ahead is None:
            yield 1, self._prose.last
        if english:
            return
        if CODE in clause:
            yield sentence.first, sentence.last
        if tongue.here.search(text) is not None:
            for beside in (
                self._prose.block_before(sentence.first, section.first),
                self._prose.block_after(sentence.last, section.last),
            ):
                if beside is not None:
                    yield beside
        if things and (tongue.when.search(text) or tongue.due.search(text)):
            yield section.first, section.last

    def _above(self, section: Section, line: int) -> tuple[int, int]:
        first: Section | None = section
        while first is not None and not self._prose.shows(first.first, line - 1):
            first = self._prose.before(first)
        return (section.first if first is None else first.first), line

    def _strange(self, sentence: Sentence) -> bool:
        language = self._language(sentence)
        return bool(language) and language != self._language_of_text()

    def _language(self, sentence: Sentence) -> str:
        text = sentence.text[:_LONGEST]
        known = self._languages.get(text)
        if known is None:
            words = text if _BEGINS_ADDRESS.search(text) is None else _ADDRESS.sub(" ", text)
            known = self._languages[text] = _language(words)
        return known

    def _language_of_text(self) -> str:
        """The language of most of the text, or English where it has no sentence."""
        if self._main is None:
            sizes: Counter[str] = Counter()
            half = sum(len(sentence.text) for sentence in self._sentences) / 2
            for sentence in sorted(self._sentences, key=lambda s: -len(s.text)):
                name = self._language(sentence)
                sizes[name] += len(sentence.text)
                if sizes[name] > half and name not in ("", "unknown"):  # no other can have more
                    break
            known = [(size, name) for name, size in sizes.items() if name and name != "unknown"]
            self._main = max(known)[1] if known else ENGLISH.name
        return self._main


def names(text: str, file: str) -> bool:
    """Whether a line of a text orders to carry out the commands of a file of this name."""
    text = text[:LONGEST]
    for line, low in zip(text.split("\n"), text.lower().split("\n"), strict=True):
        if file in low:
            folded = fold(line[:_LONGEST])
            for tongue in _spoken(folded, _WORD.findall(folded)):
                clause = _ordering(tongue, folded)
                if clause is not None and (
                    _OF_COMMANDS.search(clause) if tongue is ENGLISH else tongue.what.search(folded)
                ):
                    return True
    return False


def _spoken(text: str, words: Sequence[str]) -> list[Tongue]:
    """The languages that a folded sentence may be in, by its letters, or by its words where they do not tell."""
    common = _COMMON.keys() & words
    found = [ENGLISH] if words else []
    if common:
        english = len(ENGLISH.common & common)
        if len(_SHARED & common) >= english:  # else no language has as many
            counts = Counter(tongue for word in common for tongue in _COMMON[word] if tongue is not ENGLISH)
            found += [tongue for tongue, count in counts.items() if count >= english]
    elif words and _POINTING_ANY.search(text) is not None:
        found += [tongue for tongue in _FOREIGN if _POINTING[tongue].search(text) is not None]
    if not text.isascii() and _ANY_SCRIPT.search(text) is not None:
        found += [tongue for tongue in _OTHERS if tongue.letters.search(text) is not None]
    return found


def _telling(title: str) -> bool:
    return len(title) >= 6 or (len(title) >= 3 and not title.isascii())


def _ordering(tongue: Tongue, text: str) -> str | None:
    """The clause of a sentence that orders, or None."""
    clauses: tuple[str, ...] = ()
    if tongue.ends or tongue.told.search(text) or tongue.does.search(text):  # else no part of it has a verb
        clauses = (*_CLAUSE.split(text), text)
    for clause in clauses:
        if clause.strip() and (done := _verb(tongue, clause)) is not None:
            if (
                not _denied(tongue, clause[: done.end()])
                and tongue.reports.search(clause, 0, done.end()) is None
            ):
                return clause
    if (tongue.back.search(text) or tongue.ahead.search(text)) and tongue.what.search(text):
        due = tongue.due.search(text)
        if due is not None and not _denied(tongue, text[: due.start()]):
            return text
    return None


def _verb(tongue: Tongue, clause: str) -> re.Match[str] | None:
    told = tongue.told.search(clause)
    if told is not None:
        return told
    for done in tongue.does.finditer(clause):
        if tongue.fill.fullmatch(clause, 0, done.start()) is not None:
            return done
    return None


def _denied(tongue: Tongue, before: str) -> bool:
    """Whether a word turns round the clause that leads up to its verb, and none turns that round again."""
    return tongue.denies.search(before) is not None and tongue.undoes.search(before) is None


def _language(written: str) -> str:
    """The language of a sentence: a name, ``unknown``, or ``""`` where it is too short to tell.

    Letters tell most languages; words tell those with the letters of English. Where few words look English,
    and fewer still are needed where some have accents, it is one that nobody here knows.
    """
    text = fold(written)
    if not plain(text) and (name := _script(text)) is not None:
        return name
    words = _WORD.findall(text)
    if len(words) < _FEW:
        return ""
    common = _COMMON.keys() & words
    english = len(ENGLISH.common & common)
    best, name = 0, ""
    if len(_SHARED & common) > english:  # else no language has more
        best, name = max((len(tongue.common & common), tongue.name) for tongue in _FOREIGN)
    if best > english:
        if best >= 2 and 4 * best >= len(words):
            return name
        if len(words) < 8:
            return ""
    if len(words) <= _FEW:
        return ENGLISH.name
    share = 2 if not plain(written) and len(_ACCENTED.findall(written)) * 6 >= len(words) else 5
    needed = -(-len(words) // share)
    if sum(map(ENGLISH.common.__contains__, words)) >= needed:  # all of them are words of ``_ENGLISH``
        return ENGLISH.name
    likely = (word for word in words if _ENGLISH.search(word) is not None)
    enough = next(islice(likely, needed - 1, None), None)
    return ENGLISH.name if enough is not None else "unknown"


def _script(text: str) -> str | None:
    """The language that the letters of a folded text tell, ``""`` where there are few, None where words have to."""
    letters = sum(map(str.isalpha, text))
    if letters < _FEW:
        return ""
    latin = len(_LATIN.findall(text))
    if latin * 2 >= letters:
        return None
    for name, script in _SCRIPTS:
        if len(script.findall(text)) * 2 >= letters - latin:
            return name
    return "unknown"

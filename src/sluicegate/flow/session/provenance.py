"""Where a value was seen before: in what the user said, in a source that policy trusts, or in a stranger's text.

Of every text that a session takes in, the words are kept as salted digests, in their order; never the text. So an
argument is found again if it stands there verbatim, from word to word, however long it is.

1. A *word* is what stands between blanks, and each part of it that is whole between brackets, quotes, ``=``, ``,`` and ``;``.
   Punctuation of the sentence around a word need not be there again: "mail bob@example.com, please" has
   ``bob@example.com``. What may be a part of the word itself has to (``without_lead``, ``without_tail``): who said ``./data`` or
   ``/srv/*`` has said neither ``/data`` nor ``/srv/``.
2. Case, accents and letters that look alike make another word: what a tool is given is not what the user said then.
3. An *address* (``https://...``) is kept whole, of every source (``addresses``).
4. Of structured results, the fields that policy speaks of are kept too: the id and the name of an object, of the result
   itself and of the objects in its lists. Facts and the ids of what a call made stand at a path: in the result itself, or in each
   object of the list that it is, unless the path leads further (``account.iban``). What stands deeper may be a stranger's.
5. A *name* is compared by its words without punctuation around them, so that quotes make no other name of it. What the
   user puts in quotes is kept as a name.
6. Words are found whatever blanks stand between them, so a text in which a control character stands, or a blank that is none for
   most readers, is never found; nor is one that begins or ends with a blank. A line break stands only where one stood. In code
   blanks say something: there, exactly one space stands between two words, and stood between them.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Final

from sluicegate.patterns import late
from sluicegate.tuples import NamedTuple

MOST_WORDS: Final = 200_000
"""Of a text that is longer, the rest is not known again."""

MOST_FIELDS: Final = 20_000
"""Parts of a structured result that are looked at."""

_SHORT: Final = 4
_NUMBER: Final = late(r"[+-]?[\d.,_ ]+%?|true|false|null|none", re.IGNORECASE)
_PART: Final = late(r"[^\s=,;|()\[\]{}<>\"'`]+")
_QUOTES: Final = frozenset("\"'`\u201c\u201d\u201e\u2018\u2019\u201a\u00ab\u00bb\u2039\u203a")
_CLOSES: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}
_OPENS: Final = {each: opener for opener, each in _CLOSES.items()}
_BETWEEN: Final = frozenset("=,;|")
_MARKS: Final = frozenset(".,;:!?\u2026")
_BEHIND: Final = _MARKS | _QUOTES | _OPENS.keys()
_LAST_MARK: Final = late(r"(?<![./\\])(?:\.{3}|\.|[!?]+)\Z|[,;:\u2026]\Z")
_QUOTED: Final = late(
    r"(?<!\w)(?:\"([^\"]{1,400})\"|'(.{1,400}?)'|`([^`]{1,400})`|[\u201c\u201e]([^\u201c\u201d]{1,400})[\u201c\u201d]"
    r"|[\u2018\u201a](.{1,400}?)[\u2018\u2019]|\u00ab([^\u00bb]{1,400})\u00bb)(?!\w)",
    re.DOTALL,
)
_FEW: Final = 4096
_MOST_TRIES: Final = 64
"""Places in one text at which the blanks between words are compared; where they differ in so many, it is not found."""
_ODD: Final = late(
    r"[^\S \t\n\r]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
_MOST_NAME: Final = 64
"""Words of a name; one that is longer is nobody's."""


class Tool(NamedTuple):
    """Which fields of a tool's results policy speaks of.

    ``id`` and ``name``: of its objects. ``creates``: the objects are those that the call has made. ``lookup``: a result of
    one object is the one hit of what was asked for. ``facts``: fields whose values no stranger chooses. ``fields``: those of an
    object that are endorsed as its id is, by the name that the user has said.
    """

    id: str = ""
    name: str = ""
    creates: bool = False
    lookup: bool = False
    facts: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()


class Object(NamedTuple):
    """An object of a result, by digests: its id, its name (as words), and which rules may endorse it. What the user put in
    quotes is one without an id (``quoted``)."""

    id: str
    name: str
    rule: str


Digest = Callable[[str], int]


def digester(secret: bytes) -> Digest:
    """Digests of texts that only who has the secret can make."""
    keyed = blake2b(key=secret, digest_size=8, person=b"sluicegate word")

    def digest(text: str) -> int:
        made = keyed.copy()
        made.update(text.encode("utf-8", "surrogatepass"))
        return int.from_bytes(made.digest(), "little")

    return digest


def is_short(text: str) -> bool:
    """Whether a text says too little to be a choice of anybody's: a few characters, or a number alone."""
    bare = text.strip()
    return len(bare) < _SHORT or _NUMBER.fullmatch(bare) is not None


def is_exact(text: str, *, code: bool) -> bool:
    """Whether nothing stands between, before and behind the words of a text that reading it by its words would miss (6)."""
    if text.isascii() and text.isprintable():
        return "  " not in text and text == text.strip() if code else text == text.strip()
    if code:
        return text == " ".join(text.split())
    return text == text.strip() and _ODD.search(text) is None


def texts(value: object) -> Iterator[str]:
    """The texts in a value, numbers as they are written; keys of objects are texts as well."""
    waiting: list[object] = [value]
    for _ in range(MOST_FIELDS):
        if not waiting:
            return
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, bool) or one is None:
            continue
        elif isinstance(one, (int, float)):
            yield str(one)
        elif isinstance(one, bytes):
            yield one.decode("utf-8", "replace")
        elif isinstance(one, Mapping):
            for key, inner in one.items():
                waiting += (inner, str(key))
        elif isinstance(one, (list, tuple, set, frozenset)):
            waiting.extend(one)


class TextWords(NamedTuple):
    """The words of texts as digests, in order: as they stand, and without punctuation before, after, and around.

    Where a text ends stands a 0; parts of words (1) stand at the end, each between two. ``gaps``: what stands before each
    word: ``SPACE`` alone, a ``BREAK`` of the line, or anything else.
    """

    plain: array[int]
    head: array[int]
    tail: array[int]
    bare: array[int]
    gaps: bytearray

    def packed(self) -> bytes:
        """As it is kept."""
        return b"".join(bytes(each) for each in self)


def unpacked(data: bytes) -> TextWords:
    """What ``packed`` made."""
    size = len(data) // 33 * 8  # four digests and one gap of each word
    found = []
    for nth in range(4):
        one: array[int] = array("Q")
        one.frombytes(data[nth * size : (nth + 1) * size])
        found.append(one)
    return TextWords(found[0], found[1], found[2], found[3], bytearray(data[4 * size :]))


SPACE, BREAK = 1, 2


def _gaps(text: str, words: list[str]) -> Iterator[int]:
    """What stands before each word of a text."""
    at = 0
    for word in words:
        start = text.index(word, at)
        if start - at == 1 and text[at] == " ":
            yield SPACE
        else:
            yield BREAK if at and ("\n" in (blanks := text[at:start]) or "\r" in blanks) else 0
        at = start + len(word)


def words_of(several: Iterable[str], digest: Digest) -> TextWords:
    """The words of several texts."""
    found = TextWords(array("Q"), array("Q"), array("Q"), array("Q"), bytearray())
    parts: dict[str, None] = {}

    def add(plain: int, head: int, tail: int, bare: int, gap: int = 0) -> None:
        for where, one in zip(found, (plain, head, tail, bare, gap), strict=True):
            where.append(one)

    for text in several:
        words = text.split()
        for word, gap in zip(words, _gaps(text, words), strict=True):
            if len(found.plain) >= MOST_WORDS:
                break
            whole = digest(word)
            if word[0].isalnum() and word[-1].isalnum():
                add(whole, whole, whole, whole, gap)
            else:
                head, tail, bare = map(digest, _shapes(word))
                add(whole, head, tail, bare, gap)
            if not word.isalnum():
                parts.update(dict.fromkeys(_parts(word)))
        add(0, 0, 0, 0)
    for part in parts:
        if len(found.plain) >= 2 * MOST_WORDS:
            break
        head, tail, bare = map(digest, _shapes(part))
        add(digest(part), head, tail, bare)
        add(0, 0, 0, 0)
    return found


def without_lead(word: str) -> str:
    """A word without what a sentence puts before it: quotes, a bracket that closes behind all of it, two stars. Marks stand before no
    word, so a dot or one star there is its own."""
    while len(word) > 1:
        first = word[0]
        if first in _QUOTES or first in "\u00bf\u00a1":
            word = word[1:]
        elif first in _CLOSES:
            at = word.find(_CLOSES[first], 1)
            if at >= 0 and any(char not in _BEHIND for char in word[at:]):
                return word
            word = word[1:]
        elif word.startswith("**") and word[2:3].isalnum():
            word = word[2:]
        else:
            return word
    return word


def without_tail(word: str) -> str:
    """A word without what a sentence puts behind it: quotes, brackets that were opened before it, two stars, and a mark on either side of
    these. A dot behind a dot or a slash is its own."""
    marks = 2
    while len(word) > 1:
        last = word[-1]
        if last in _QUOTES:
            word = word[:-1]
        elif last in _OPENS:
            if word.count(last) <= word.count(_OPENS[last]):
                return word
            word = word[:-1]
        elif word.endswith("**") and word[-3:-2].isalnum():
            word = word[:-2]
        else:
            found = _LAST_MARK.search(word) if marks and last in _MARKS else None
            if found is None or not found.start():
                return word
            word, marks = word[: found.start()], marks - 1
    return word


def _shapes(word: str) -> tuple[str, str, str]:
    """A word without what stands before it, behind it, and around it."""
    head = without_lead(word)
    return head, without_tail(word), without_tail(head)


def _parts(word: str) -> Iterator[str]:
    """The parts of a word that are whole: a path has no part behind a bracket in it, nor before one."""
    for found in _PART.finditer(word):
        start, end = found.span()
        if end - start < len(word) and _begins_part(word, start - 1) and _ends_part(word, end):
            yield found.group()


def _begins_part(word: str, at: int) -> bool:
    while at >= 0 and word[at] in _QUOTES:
        at -= 1
    return at < 0 or word[at] in _BETWEEN or word[at] in _CLOSES


def _ends_part(word: str, at: int) -> bool:
    while at < len(word) and (word[at] in _QUOTES or word[at] in _OPENS):
        at += 1
    return at == len(word) or word[at] in _BETWEEN or without_tail(word[at - 1 :]) == word[at - 1]


class TextIndex:
    """The words of many texts, found again."""

    __slots__ = ("_firsts", "_rows")

    def __init__(self) -> None:
        self._rows: list[TextWords] = []
        self._firsts: dict[int, list[tuple[int, int]]] = {}

    def add(self, words: TextWords) -> None:
        """Know these as well."""
        row = len(self._rows)
        self._rows.append(words)
        for at, each in enumerate(zip(*words[:4], strict=True)):
            for one in each[:1] if each[0] == each[3] else dict.fromkeys(each):
                if one:
                    self._firsts.setdefault(one, []).append((row, at))

    def holds(self, text: str, digest: Digest, *, code: bool = False) -> bool:
        """Whether a text stands in one of them, from word to word. ``code``: with one space between two."""
        words = text.split() if self._firsts else None
        if not words:
            return False
        first = digest(words[0])
        if first not in self._firsts:
            return False
        wanted = bytes([SPACE]) * len(words) if code else _breaks(text, words)
        return self.holds_words([first, *[digest(word) for word in words[1:]]], wanted)

    def holds_words(self, asked: list[int], wanted: bytes = b"") -> bool:
        """The same for the digests of its words. ``wanted``: what has to stand before each; 0 and nothing: any blanks."""
        places = self._firsts.get(asked[0]) if asked else None
        if not places:
            return False
        if len(asked) == 1:
            return True  # each of the four ways to write it stands for itself
        if len(asked) > 2 and len(places) * len(asked) > _FEW:
            rows = dict.fromkeys(row for row, _ in places)
            return _stand_in((self._rows[row] for row in rows), asked, wanted)
        for row, at in places:
            words = self._rows[row]
            if at + len(asked) > len(words.plain) or asked[0] not in (words.plain[at], words.head[at]):
                continue
            end = at + len(asked) - 1
            inner = all(words.plain[at + nth] == asked[nth] for nth in range(1, len(asked) - 1))
            if inner and not _apart(words, at, wanted) and asked[-1] in (words.plain[end], words.tail[end]):
                return True
        return False


def _breaks(text: str, words: list[str]) -> bytes:
    """Where a text has line breaks; nothing if it has none."""
    if "\n" not in text and "\r" not in text:
        return b""
    return bytes(gap if gap == BREAK else 0 for gap in _gaps(text, words))


def _apart(words: TextWords, at: int, wanted: bytes) -> bool:
    """Whether something else stands between words from a place on than is wanted there."""
    return any(one and words.gaps[at + nth] != one for nth, one in enumerate(wanted) if nth)


def _stand_in(several: Iterable[TextWords], asked: list[int], wanted: bytes) -> bool:
    """Whether words stand in one of these texts, looked through once (Knuth, Morris and Pratt): a text that repeats itself
    has as many places to begin as it has words."""
    inner = asked[1:-1]
    borders = [0] * len(inner)
    held = 0
    for at in range(1, len(inner)):
        while held and inner[at] != inner[held]:
            held = borders[held - 1]
        held += inner[at] == inner[held]
        borders[at] = held
    for words in several:
        held = tries = 0
        for at in range(1, len(words.plain) - 1):
            while held and (held == len(inner) or words.plain[at] != inner[held]):
                held = borders[held - 1]
            held += words.plain[at] == inner[held]
            first = at - len(inner)
            if (
                held == len(inner)
                and first >= 0
                and asked[0] in (words.plain[first], words.head[first])
                and asked[-1] in (words.plain[at + 1], words.tail[at + 1])
            ):
                if not _apart(words, first, wanted):
                    return True
                tries += 1
                if tries > _MOST_TRIES:
                    break
    return False


def name_of(text: str, digest: Digest) -> str:
    """A name as it is compared (5); empty for what is none."""
    several = [_shapes(word)[2] for word in text.split()[: _MOST_NAME + 1]]
    if len(several) > _MOST_NAME or is_short(" ".join(several)):
        return ""
    return " ".join(_told(word, digest) for word in several)


def quoted_in(text: str, digest: Digest) -> list[Object]:
    """What the user puts in quotes (5); one without a name says only that there were quotes."""
    found = (next(filter(None, each.groups()), "") for each in _QUOTED.finditer(text))
    return list(dict.fromkeys(Object("0", name_of(each, digest), "quoted") for each in found))


def spoken_words(words: TextWords) -> bytes:
    """The words of one text that the user spoke, without punctuation, eight bytes each."""
    return (words.bare[: words.bare.index(0)] if 0 in words.bare else words.bare).tobytes()


def standing_alone(several: Iterable[bytes], names: Iterable[str]) -> set[str]:
    """The names that stand in what the user spoke (``spoken_words``) and never touch another name there.

    Where they do, nobody knows which of the two the user meant: strangers choose names, too.
    """
    asked = [(name, array("Q", (int(word, 16) for word in name.split())).tobytes()) for name in names]
    alone: set[str] = set()
    touching: set[str] = set()
    for text in several:
        there = {text[at : at + 8] for at in range(0, len(text), 8)}
        places = [
            (at, at + len(name), told)
            for told, name in asked
            if name[:8] in there
            for at in _places(text, name)
        ]
        group: set[str] = set()
        reach = -1
        for start, end, told in sorted(places):
            if start > reach:
                group = set()
            group.add(told)
            reach = max(reach, end)
            alone.add(told)
            if len(group) > 1:
                touching |= group
    return alone - touching


def _places(text: bytes, name: bytes) -> Iterator[int]:
    at = text.find(name)
    while at >= 0:
        if at % 8 == 0:
            yield at
        at = text.find(name, at + 1)


def packed(digests: Iterable[int]) -> bytes:
    """Digests without order, as they are kept."""
    return array("Q", sorted(set(digests))).tobytes()


def unpacked_set(data: bytes) -> frozenset[int]:
    """What ``packed`` made."""
    found: array[int] = array("Q")
    found.frombytes(data)
    return frozenset(found)


def structured(result: object) -> object:
    """A result as structure: itself, or what its text says in JSON."""
    if isinstance(result, str) and result.lstrip()[:1] in ("{", "["):
        import json

        try:
            return json.loads(result)
        except (ValueError, RecursionError):
            return result
    return result


def objects_of(result: object, tool: Tool, digest: Digest, *, endorsed: bool) -> list[Object]:
    """What of a result can endorse an argument (4), by the table of its tool. ``endorsed``: so was the call itself."""
    found: list[Object] = []
    ids: set[str] = set()
    whole = structured(result)
    for field in tool.facts:
        found += (Object(_told(text, digest), "", "fact") for text in _at(whole, field))
    if tool.creates and tool.id:
        found += (Object(_told(text, digest), "", "created") for text in _at(whole, tool.id))
    several = _objects(whole)
    for one in several[:MOST_FIELDS]:
        # Of too many, what was not looked at may be of the same name.
        naming = tool.name and len(several) <= MOST_FIELDS
        names = [name_of(name, digest) for name in _scalars(_field(one, tool.name))] if naming else []
        for text in _scalars(_field(one, tool.id)) if tool.id else ():
            id = _told(text, digest)
            ids.add(id)
            found += (Object(id, name, "named") for name in names if name)
        for field in tool.fields if names else ():
            several_told = [_told(text, digest) for text in _scalars(_field(one, field))]
            found += (Object(told, name, "field") for told in several_told for name in names if name)
    # Of too many, what was not looked at may be another hit.
    if tool.lookup and endorsed and len(ids) == 1 and len(several) <= MOST_FIELDS:
        found.append(Object(ids.pop(), "", "unique"))
    return list(dict.fromkeys(found))


def _at(result: object, path: str) -> list[str]:
    """What stands at a path of a result, or of each object in the list that it is. A dot leads into an object or a list of
    them; nothing is found deeper than the path says, since that may be anybody's."""
    several = list(result) if isinstance(result, (list, tuple)) else [result]
    if any(isinstance(one, Mapping) and path in one for one in several):
        waiting: list[object] = [one[path] for one in several if isinstance(one, Mapping) and path in one]
    else:
        waiting = several
        for part in path.split("."):
            inner = [one[part] for one in waiting if isinstance(one, Mapping) and part in one]
            waiting = [each for one in inner for each in (one if isinstance(one, (list, tuple)) else (one,))]
    return [text for one in waiting[:MOST_FIELDS] for text in _scalars(one)]


def _objects(result: object) -> list[Mapping[object, object]]:
    """The objects of a result: itself, or those in its list, or in lists that are its fields. What stands deeper may be
    anybody's."""
    several: list[object] = [result]
    if isinstance(result, (list, tuple)):
        several = list(result)
    elif isinstance(result, Mapping):
        several += (one for field in result.values() if isinstance(field, (list, tuple)) for one in field)
    return [one for one in several if isinstance(one, Mapping)]


def _field(one: Mapping[object, object], name: str) -> object:
    """A field of an object; a dot leads into another: ``owner.login``."""
    if name in one:
        return one[name]
    found: object = one
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _scalars(value: object) -> Iterator[str]:
    for one in value if isinstance(value, (list, tuple)) else (value,):
        if isinstance(one, str) or (isinstance(one, (int, float)) and not isinstance(one, bool)):
            yield str(one)


def _told(text: str, digest: Digest) -> str:
    return format(digest(text), "x")

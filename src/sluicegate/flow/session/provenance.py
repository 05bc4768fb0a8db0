"""Where a value was seen before: in what the user said, in a source that policy trusts, or in a stranger's text.

Of every text that a session takes in, the words are kept as salted digests, in their order; never the text. So an
argument is found again if it stands there verbatim, from word to word, however long it is.

1. A *word* is what stands between blanks, and each part of it between brackets, quotes, ``=``, ``,`` and ``;``.
   Punctuation around a word need not be there again: "mail bob@example.com, please" has ``bob@example.com``.
2. Case, accents and letters that look alike make another word: what a tool is given is not what the user said then.
3. An *address* (``https://...``) is kept whole, of every source (``addresses``).
4. Of structured results, the fields that policy speaks of are kept too: the id and the name of an object, and facts. Of
   the result itself, and of the objects in its lists; what stands deeper may be a stranger's.
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
_PARTS: Final = late(r"[\s=,;|()\[\]{}<>\"'`]+")
_AROUND: Final = ".,;:!?()[]{}<>\"'`*_"


class Tool(NamedTuple):
    """Which fields of a tool's results policy speaks of.

    ``id`` and ``name``: of its objects. ``creates``: the objects are those that the call has made. ``lookup``: a result of
    one object is the one hit of what was asked for. ``facts``: fields whose values no stranger chooses.
    """

    id: str = ""
    name: str = ""
    creates: bool = False
    lookup: bool = False
    facts: tuple[str, ...] = ()


class Object(NamedTuple):
    """An object of a result, by digests: its id, its name (as words), and which rules may endorse it."""

    id: str
    name: str
    rule: str


Digest = Callable[[str], int]


def digester(secret: bytes) -> Digest:
    """Digests of texts that only who has the secret can make."""

    def digest(text: str) -> int:
        made = blake2b(
            text.encode("utf-8", "surrogatepass"), key=secret, digest_size=8, person=b"sluicegate word"
        )
        return int.from_bytes(made.digest(), "little")

    return digest


def is_short(text: str) -> bool:
    """Whether a text says too little to be a choice of anybody's: a few characters, or a number alone."""
    bare = text.strip()
    return len(bare) < _SHORT or _NUMBER.fullmatch(bare) is not None


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

    Where a text ends stands a 0; parts of words (1) stand at the end, each between two.
    """

    plain: array[int]
    head: array[int]
    tail: array[int]
    bare: array[int]

    def packed(self) -> bytes:
        """As it is kept."""
        return b"".join(each.tobytes() for each in self)


def unpacked(data: bytes) -> TextWords:
    """What ``packed`` made."""
    size = len(data) // 4
    found = []
    for nth in range(4):
        one: array[int] = array("Q")
        one.frombytes(data[nth * size : (nth + 1) * size])
        found.append(one)
    return TextWords(*found)


def words_of(several: Iterable[str], digest: Digest) -> TextWords:
    """The words of several texts."""
    found = TextWords(array("Q"), array("Q"), array("Q"), array("Q"))
    parts: dict[str, None] = {}

    def add(plain: int, head: int, tail: int, bare: int) -> None:
        for where, one in zip(found, (plain, head, tail, bare), strict=True):
            where.append(one)

    for text in several:
        for word in text.split():
            if len(found.plain) >= MOST_WORDS:
                break
            whole = digest(word)
            if word[0].isalnum() and word[-1].isalnum():
                add(whole, whole, whole, whole)
            else:
                shapes = (word.lstrip(_AROUND), word.rstrip(_AROUND), word.strip(_AROUND))
                add(whole, *(digest(shape) if shape else whole for shape in shapes))
            if _PARTS.search(word):
                parts.update(dict.fromkeys(filter(None, _PARTS.split(word))))
        add(0, 0, 0, 0)
    for part in parts:
        if len(found.plain) >= 2 * MOST_WORDS:
            break
        whole, bare = digest(part), digest(part.strip(_AROUND) or part)
        add(whole, digest(part.lstrip(_AROUND) or part), digest(part.rstrip(_AROUND) or part), bare)
        add(0, 0, 0, 0)
    return found


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
        for at, each in enumerate(zip(words.plain, words.head, words.tail, words.bare, strict=True)):
            for one in each[:1] if each[0] == each[3] else dict.fromkeys(each):
                if one:
                    self._firsts.setdefault(one, []).append((row, at))

    def holds(self, text: str, digest: Digest) -> bool:
        """Whether a text stands in one of them, from word to word."""
        words = text.split() if self._firsts else None
        if not words or digest(words[0]) not in self._firsts:
            return False
        return self.holds_words([digest(word) for word in words])

    def holds_words(self, asked: list[int]) -> bool:
        """The same for the digests of its words."""
        if not asked:
            return False
        for row, at in self._firsts.get(asked[0], ()):
            words = self._rows[row]
            if len(asked) == 1:
                return True  # each of the four ways to write it stands for itself
            if at + len(asked) > len(words.plain) or asked[0] not in (words.plain[at], words.head[at]):
                continue
            end = at + len(asked) - 1
            inner = all(words.plain[at + nth] == asked[nth] for nth in range(1, len(asked) - 1))
            if inner and asked[-1] in (words.plain[end], words.tail[end]):
                return True
        return False


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
    several = _objects(structured(result))
    for one in several[:MOST_FIELDS]:
        for field in tool.facts:
            found += (Object(_told(text, digest), "", "fact") for text in _scalars(_field(one, field)))
        names = [name for name in _scalars(_field(one, tool.name)) if not is_short(name)] if tool.name else []
        for text in _scalars(_field(one, tool.id)) if tool.id else ():
            id = _told(text, digest)
            ids.add(id)
            if tool.creates:
                found.append(Object(id, "", "created"))
            told = (" ".join(_told(word, digest) for word in name.split()) for name in names)
            found += (Object(id, name, "named") for name in told)
    # Of too many, what was not looked at may be another hit.
    if tool.lookup and endorsed and len(ids) == 1 and len(several) <= MOST_FIELDS:
        found.append(Object(ids.pop(), "", "unique"))
    return list(dict.fromkeys(found))


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

"""Backwards from a place of a program: the statements on which it rests, as constants of a trace.

1. The statements at the place are taken.
2. Of a name that is taken, the statements that give it a value, in the functions around it where any does there; of a
   function's name, its body; of a parameter, the statements that call the function.
3. Of a file that is named, the statements that name it; of a text of the bundle that is imported, what it gives to
   the names that were taken, itself or by what it imports whole.
4. The statements of a program are told as their words, in its order, without comments and indentation. Each name of the
   program's own is told as the number of its first use, so that another name for the same changes nothing, and two
   names that change places do.
5. So are the heads of the blocks around them (functions, conditions, loops), each statement with how deep it stands:
   what leaves a condition is another deed. What a head rests on is not followed.

More than ``MOST`` statements, or heads, are told as all of the text is: too much is asked for again, and never too little.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import accumulate

from sluicegate.vet.inspect.slices.statements import CASELESS, SlicedStatement, quoted, read
from sluicegate.vet.inspect.slices.words import LINES, statements
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.lazy import lazy

MOST = 300
"""Statements of one slice."""
LONGEST = 256 * 1024
"""Characters of a text that is cut into statements; a longer one is told whole."""

_LOADS = ("require", "import(", "__import__")


class SlicedText:
    """One text as statements, read when it is first asked for. ``find`` gives the texts that a statement imports."""

    def __init__(
        self, text: str, language: Kind, find: Callable[[SlicedStatement], Iterable[SlicedText]]
    ) -> None:
        self.text = text
        self.scoped = language not in LINES
        """Whether a name that a function gives a value is another outside it."""
        self.caseless = language in CASELESS
        self._language = language
        self._find = find

    @cached_property
    def statements(self) -> list[SlicedStatement]:
        """All statements, in order."""
        if len(self.text) > LONGEST:
            return []
        return [read(words, self._language) for words in statements(self.text, self._language)]

    @cached_property
    def blocks(self) -> list[tuple[int, int]]:
        """The head of the innermost block around each statement, or -1, and how many blocks are around it."""
        around: list[int] = []
        found: list[tuple[int, int]] = []
        for number, statement in enumerate(self.statements):
            while around and statement.level <= self.statements[around[-1]].level:
                around.pop()
            found.append((around[-1] if around else -1, len(around)))
            if statement.opens:
                around.append(number)
        return found

    @cached_property
    def scopes(self) -> list[tuple[int, ...]]:
        """The heads of the functions around each statement, outermost first."""
        inside: dict[int, tuple[int, ...]] = {-1: ()}
        for number, statement in enumerate(self.statements):
            if statement.opens:
                scope = inside[self.blocks[number][0]]
                inside[number] = (*scope, number) if statement.function or statement.parameters else scope
        return [inside[head] for head, _ in self.blocks]

    def depth(self, number: int) -> int:
        """How many blocks are around a statement, in a language that is told with its blocks."""
        return self.blocks[number][1] if self.scoped else 0

    def heads(self, numbers: Iterable[int]) -> set[int]:
        """The heads of all blocks around these statements, in such a language."""
        found: set[int] = set()
        for number in numbers if self.scoped else ():
            head = self.blocks[number][0]
            while head != -1 and head not in found:
                found.add(head)
                head = self.blocks[head][0]
        return found

    @cached_property
    def own(self) -> frozenset[str]:
        """The names that mean nothing outside this text, so that each may be called otherwise."""
        return frozenset(name for s in self.statements if not s.imports for name in s.gives)

    @cached_property
    def gives(self) -> dict[str, list[int]]:
        """The statements that give each name a value."""
        return self._index(lambda statement: statement.gives)

    @cached_property
    def sets(self) -> dict[str, list[int]]:
        """The statements that give each attribute a value."""
        return self._index(lambda statement: statement.sets)

    @cached_property
    def files(self) -> dict[str, list[int]]:
        """The statements that name each file."""
        return self._index(lambda statement: statement.files)

    @cached_property
    def uses(self) -> dict[str, list[int]]:
        """The statements that mention each name or attribute."""
        return self._index(lambda statement: statement.names | statement.attributes)

    @cached_property
    def changes(self) -> dict[str, list[int]]:
        """The statements that call a method of each name which holds a value of the program's own."""
        foreign = {
            name
            for s in self.statements
            if s.imports or any(w in s.words for w in _LOADS)
            for name in s.gives
        }
        return self._index(lambda s: {s.changes} - foreign if s.changes in self.gives else ())

    @cached_property
    def stars(self) -> list[int]:
        """The statements that import whatever another text gives."""
        return [n for n, s in enumerate(self.statements) if s.imports and (not s.gives or "*" in s.words)]

    def _index(self, of: Callable[[SlicedStatement], Iterable[str]]) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for number, statement in enumerate(self.statements):
            for name in of(statement):
                found[name].append(number)
        return found

    def at(self, start: int, end: int) -> range:
        """The statements of a place."""
        every = self.statements
        first = last = bisect_right(self._ends, start)
        while last < len(every) and every[last].start < max(end, start + 1):
            last += 1
        return range(first, last)

    @cached_property
    def _ends(self) -> list[int]:
        """How far the statements reach, up to each."""
        return list(accumulate((each.end for each in self.statements), max))

    @cached_property
    def as_words(self) -> str:
        """All of the text, its white space as single spaces: one constant for all the slices that have too much of it."""
        return "text=" + " ".join(self.text.split())

    def body(self, number: int) -> range:
        """A statement and what stands inside it."""
        every = self.statements
        last = number + 1
        if every[number].opens:
            while last < len(every) and every[last].level > every[number].level:
                last += 1
        return range(number, last)

    def imported(self, statement: SlicedStatement) -> Iterable[SlicedText]:
        """The texts of the bundle that a statement imports."""
        return self._find(statement) if statement.imports else ()


class Slice:
    """The statements on which places of a program rest."""

    def __init__(self) -> None:
        self._taken: dict[tuple[int, int], tuple[SlicedText, SlicedStatement]] = {}
        self._waiting: list[tuple[SlicedText, int]] = []
        self._opened: set[tuple[int, int, str]] = set()
        self._asked: set[tuple[object, ...]] = set()
        """The names and files that were followed, each from where it means the same."""
        self._wanted: set[str] = set()
        self._modules: dict[int, SlicedText] = {}
        self._whole: dict[int, SlicedText] = {}
        self.work = 0
        """How many names were looked up, for whoever bounds the work."""

    def add(self, program: SlicedText, start: int, end: int) -> None:
        """Take the statements of a place, and all on which they rest."""
        if not program.statements:
            self._whole[id(program)] = program
            return
        for number in program.at(start, end):
            self._take(program, number)
        while self._waiting and len(self._taken) <= MOST:  # beyond that, nothing more is taken
            self._follow(*self._waiting.pop())

    def texts(self) -> tuple[str, ...]:
        """All that the statements say, as it is written: in one text, or each whole program, the same for all slices."""
        if self._whole or len(self._taken) > MOST:
            programs = self._whole | {id(program): program for program, _ in self._taken.values()}
            return tuple(program.text for program in programs.values())
        return ("\n".join(program.text[each.start : each.end] for program, each in self._taken.values()),)

    def told(self) -> Iterator[str]:
        """The statements of each program in words, in its order, or all of a text that has too many."""
        crowded = len(self._taken) > MOST
        own = {id(program): program for program, _ in self._taken.values()}
        for program in (self._whole | own if crowded else self._whole).values():
            yield program.as_words
        if not crowded:
            for key, program in own.items():
                taken = {number for program_key, number in self._taken if program_key == key}
                heads = program.heads(taken)
                if len(heads) > MOST:
                    yield program.as_words
                    continue
                marks: dict[str, str] = {}
                yield "statements=" + "\n".join(
                    f"{program.depth(number)} {_told(program, program.statements[number], marks)}"
                    for number in sorted(taken | heads)
                )

    def _take(self, program: SlicedText, number: int) -> None:
        key = (id(program), number)
        if key not in self._taken and len(self._taken) <= MOST:
            self._taken[key] = (program, program.statements[number])
            self._waiting.append((program, number))

    def _follow(self, program: SlicedText, number: int) -> None:
        statement = program.statements[number]
        fresh = (statement.names | statement.attributes) - self._wanted
        self._wanted |= fresh
        self.work += len(statement.names) + len(fresh) * (1 + len(self._modules))
        if fresh:
            for module in self._modules.values():
                self._give(module, fresh)
        for name in sorted(statement.names):
            self._name(program, number, name)
        for name in sorted(statement.attributes):
            if not self._first(program, "attribute", name):
                continue
            for other in (*program.sets.get(name, ()), *self._heads(program, name)):
                self._all(program, other)
        for name in sorted(statement.files):
            if not self._first(program, "file", name):
                continue
            for other in program.files[name]:
                self._take(program, other)
        for module in program.imported(statement):
            if id(module) not in self._modules and module is not program:
                self._modules[id(module)] = module
                self._give(module, self._wanted)

    def _give(self, module: SlicedText, names: Iterable[str]) -> None:
        for name in sorted(names):
            for number in (*module.gives.get(name, ()), *module.sets.get(name, ())):
                self._all(module, number)
            if name not in module.gives:
                for number in module.stars:
                    self._take(module, number)

    def _heads(self, program: SlicedText, name: str) -> Iterator[int]:
        return (
            number for number in program.gives.get(name, ()) if program.statements[number].function == name
        )

    def _first(self, program: SlicedText, *what: object) -> bool:
        """Whether something of a program is followed for the first time: hundreds of statements may name one file."""
        key = (id(program), *what)
        if key in self._asked:
            return False
        self._asked.add(key)
        return True

    def _name(self, program: SlicedText, number: int, name: str) -> None:
        own = number if program.scoped and name in program.statements[number].gives else -1
        if not self._first(program, "name", name, program.scopes[number], own):
            return
        given = program.gives.get(name)
        if not given:
            for other in program.stars:
                self._take(program, other)
            if name in "123456789@*":
                self._callers(program, program.scopes[number])
            return
        scopes, around = program.scopes, (*program.scopes[number], number)
        seen = (
            [n for n in given if n in around or scopes[n] == around[: len(scopes[n])]]
            if program.scoped
            else []
        )
        for other in seen or given:
            self._all(program, other, parameter=name)
        for other in program.changes.get(name, ()):
            self._take(program, other)

    def _all(self, program: SlicedText, number: int, parameter: str = "") -> None:
        key = (id(program), number, parameter)
        if key in self._opened:
            return
        self._opened.add(key)
        statement = program.statements[number]
        if parameter in statement.parameters and parameter != statement.function:
            self._take(program, number)
            self._callers(program, (number,))
            return
        for inside in program.body(number):
            self._take(program, inside)

    def _callers(self, program: SlicedText, heads: Iterable[int]) -> None:
        for head in heads:
            statement = program.statements[head]
            given = statement.gives - statement.parameters
            for called in [statement.function] if statement.function else sorted(given):
                for other in program.uses.get(called, ()):
                    self._take(program, other)


def _told(program: SlicedText, statement: SlicedStatement, marks: dict[str, str]) -> str:
    """A statement in words; ``marks`` hold the number of each of the program's own names, by their first use."""
    own, held = program.own, program.sets

    def mark(name: str) -> str:
        return marks.setdefault(name.lower() if program.caseless else name, f"_{len(marks)}")

    words: list[str] = []
    before = ""
    for word in statement.words:
        if quoted(word):
            words.append(_woven(word, own, mark))
        elif (given := _GIVEN.match(word)) is not None and given[1] in own and (given[2] or before == "$"):
            words.append(mark(given[1]) + word[given.end(1) :])
        elif (word.lower() if program.caseless else word) in (held if before == "." else own):
            words.append(mark(word))
        elif word != ";" and word != "\\":
            words.append(word)
        before = word
    return " ".join(" ".join(words).split())


_GIVEN = lazy(r"(\w+)(\+?=)?")
_INSIDE = lazy(r"([$#%@]\{?\s*|\{\s*)([A-Za-z_]\w*)")


def _woven(text: str, own: frozenset[str], mark: Callable[[str], str]) -> str:
    """A quoted text, with marks for the program's own names in it."""
    if "$" not in text and "{" not in text and "%" not in text and "@" not in text:
        return text
    return _INSIDE.sub(lambda found: found[1] + (mark(found[2]) if found[2] in own else found[2]), text)

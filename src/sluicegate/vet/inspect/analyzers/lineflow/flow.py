"""Taint tracking in a script, statement by statement, through variables, functions and files.

1. Every source and sink is looked for once over the whole text, and put to its statement.
2. A statement carries the tags of its own sources and of the names it mentions; a name it assigns takes them.
3. What goes into a file marks the file's name; what a function gives back marks the function's name.
4. The statements are read twice, so that a function may stand above the value it uses.
5. A sink whose own argument carries a tag is told to the judge.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice

from sluicegate.known import places
from sluicegate.tuples import NamedTuple
from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.analyzers.lineflow import words
from sluicegate.vet.inspect.analyzers.lineflow.text import LONGEST, ScriptText
from sluicegate.vet.inspect.analyzers.lineflow.words import ScriptTag
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.lazy import lazy

STATEMENTS = 8_000
"""Statements of one script that are followed."""
MOST_KEPT = 32
"""Files of data that are remembered for what is in them."""
PER_STATEMENT = 32
"""Sources of one kind in one statement that are followed; the same number of its sinks."""
WHERE = 1024
"""Characters of a source that are kept, to tell which address it is."""

_FILE = lazy(
    r"(?:/tmp/|/var/tmp/|/dev/shm/|(?<![\w/.])\./)([\w.-]{1,60})|(?<![\w.])([\w-]{1,60}\.(?:exe|msi|dll|scr|ps1|psm1|bat|cmd|vbs|vbe|js|jse|hta|sh|command|py|pl|rb|php|jar|bin|out|app|pkg"
    r"|dmg|run|elf|so|dylib|com|lnk|wsf|scpt|appimage))\b"
)
_METHOD = lazy(
    r"(?:->|\.|:)\s{0,2}(?:post|put|request|send|do|upload\w{0,12}|write\w{0,8}|puts|print|syswrite|call|execute|perform)\s{0,2}[(\s]"
)
_COMMANDS = ("curl", "wget", "certutil", "bitsadmin", "invoke-", "iwr", "irm", "start-bits", "get ")
_CLUE = lazy(r"https?:|file_get_contents\(|fopen\(|uri\.open|readlines\(|source\(|open\(|\$\w{1,60}\s{0,2}\(")
_OPENS = lazy(r"(?:file_get_contents|fopen|uri\.open|readlines|source|open)\(\s{0,2}\$?(\w{1,60})")
_OPENS_WORDS = ("contents(", "open(", "readlines(", "source(")
_CALLED = lazy(r"\$(\w{1,60})\s{0,2}\(")
_CLEANED = lazy(
    r"escapeshell|intval\(|\(int\)|basename\(|in_array\(|preg_match\(|filter_|ctype_|htmlspecialchars"
)
_HTTP = "http"

_ONLY: dict[str, frozenset[Kind]] = {
    "include": frozenset({Kind.PHP}), "require": frozenset({Kind.PHP}), "assert(": frozenset({Kind.PHP}),
    "call_user_func": frozenset({Kind.PHP}), "create_function(": frozenset({Kind.PHP}), "source(": frozenset({Kind.R}),
    "load(": frozenset({Kind.LUA}), "loadstring(": frozenset({Kind.LUA}), "dostring": frozenset({Kind.LUA}),
    "execute(": frozenset({Kind.SOURCE}), "execute ": frozenset({Kind.SOURCE}), "executeglobal": frozenset({Kind.SOURCE}),
    "call ": frozenset({Kind.BATCH}), "start ": frozenset({Kind.BATCH}), "system": frozenset(set(Kind) - {Kind.POWERSHELL}),
}  # fmt: skip
"""Words that are a sink in these languages alone."""


class Taint(NamedTuple):
    """What is known of a name: its tags, and the text of where it came from."""

    tags: int = ScriptTag.NONE
    where: str = ""

    def __or__(self, other: Taint) -> Taint:
        if self.tags == other.tags and (not other.where or other.where in self.where):
            return self
        where = self.where if other.where in self.where else f"{self.where}\n{other.where}"[:WHERE]
        return Taint(self.tags | other.tags, where)


class Reached(NamedTuple):
    """A sink, what reached it, and in which statement. ``kind``: evaluate, run, send or erase."""

    kind: str
    word: str
    taint: Taint
    number: int


_SOURCES: tuple[tuple[int, re.Pattern[str], tuple[str, ...]], ...] = (
    (ScriptTag.FETCHED, words.FETCH, words.FETCH_WORDS),
    (ScriptTag.DECODED, words.DECODE, words.DECODE_WORDS),
    (ScriptTag.SECRET, words.KEPT, words.KEPT_WORDS),
    (ScriptTag.WATCHED, words.WATCH, words.WATCH_WORDS),
)

Found = dict[int, list[tuple[int, str, int]]]


class ScriptFlow:
    """Reads one script; ``reached`` is called for each sink that something reaches."""

    def __init__(self, script: ScriptText, reached: Callable[[Reached], None]) -> None:
        self.script = script
        self._reached = reached
        self._taint: dict[tuple[str, str], Taint] = {}
        self._scope = ""
        self._marked: set[str] = set()
        self._files: dict[str, Taint] = {}
        self._kept: dict[str, Taint] = {}
        """Files of data into which a batch file has written a secret."""
        self._groups: dict[str, frozenset[str]] = {}
        self._crowded = False
        self.sources = self._find_sources()
        live = bool(self.sources) or (
            _HTTP in script.text
            and one_of(_OPENS_WORDS, script.text)
            and _OPENS.search(script.text) is not None
        )
        sinks = (
            ((ScriptTag.NONE, words.EVALUATE), (ScriptTag.DECODED, words.RUN), (ScriptTag.HOME, words.ERASE))
            if live
            else ()
        )
        self.sinks = self._find(sinks, self._sink_counts)
        self._talks = self._find(((ScriptTag.NONE, words.TALK),) if live else (), None)
        self._live = live and bool(self.sinks or self._talks or self.fetches() or script.language is Kind.PHP)
        self._writes = self._find(((ScriptTag.NONE, words.WRITE),) if self._live else (), None)

    def read(self) -> None:
        """Follow the values. Nothing is done where nothing begins or nothing ends."""
        if not self._live:
            return
        statements = self.script.statements[:STATEMENTS]
        names = [self.script.names(statement.text) for statement in statements]
        events = self.sources.keys() | self.sinks.keys() | self._talks.keys() | self._writes.keys()
        for match in _CLUE.finditer(self.script.text):
            events.add(self.script.number(match.start()))
        for _ in range(2):
            for number, mentioned in enumerate(names):
                if number in events or not self._marked.isdisjoint(mentioned):
                    self._statement(number, mentioned)

    @property
    def partial(self) -> bool:
        """Whether there are more statements than are followed, or more in one of them."""
        return self._live and (self._crowded or len(self.script.statements) > STATEMENTS)

    def fetches(self) -> bool:
        """Whether the script speaks to the network at all."""
        return any(tag == ScriptTag.FETCHED for found in self.sources.values() for _, _, tag in found)

    def _find_sources(self) -> Found:
        text = self.script.text
        table = [(tag, pattern) for tag, pattern, hints in _SOURCES if one_of(hints, text)]
        if self.script.language is Kind.BATCH:
            table.append((ScriptTag.SECRET, words.KEPT_BATCH))
        if self.script.language is Kind.PHP:
            table.append((ScriptTag.REQUEST, words.ASKED))
        if one_of(words.ERASE_WORDS, text) and words.ERASE.search(text) is not None:
            table.append((ScriptTag.HOME, words.PLACE))
        found = self._find(table, None)
        for tag, spans in (
            (ScriptTag.SECRET, places.secrets(text)),
            (ScriptTag.DOTENV, places.dotenvs(text)),
        ):
            for number, held in groupby(spans, key=lambda span: self.script.number(span[0])):
                if tag == ScriptTag.DOTENV and not places.dotenv(self.script.statements[number].text):
                    continue  # a template of it
                start, end = next(held)
                found[number].append((self.script.within(start), text[start:end], tag))
        if one_of(words.ENTERED_WORDS, text):
            for start, path in self._named_there(text):
                found[self.script.number(start)].append((self.script.within(start), path, ScriptTag.SECRET))
        return found

    @staticmethod
    def _named_there(text: str) -> Iterator[tuple[int, str]]:
        """The credentials that a script names in a folder that it has entered, where each is named."""
        entered = list(islice(words.ENTERED.finditer(text), MOST_KEPT))
        for at, folder in enumerate(entered):
            end = entered[at + 1].start() if at + 1 < len(entered) else len(text)
            for named in islice(words.NAMED_THERE.finditer(text, folder.end(), end), PER_STATEMENT):
                path = f"~/{folder[1]}/{named[1]}"
                if places.secret(path):
                    yield named.start(), path

    def _find(
        self, table: Iterable[tuple[int, re.Pattern[str]]], counts: Callable[[str], bool] | None
    ) -> Found:
        found: Found = defaultdict(list)
        for tag, pattern in table:
            for match in pattern.finditer(self.script.text):
                if counts is None or counts(match[0]):
                    number = self.script.number(match.start())
                    place = self.script.within(match.start())
                    known = found[number]
                    if place < LONGEST and sum(held == tag for _, _, held in known) < PER_STATEMENT:
                        known.append((place, match[0], tag))
                    else:
                        self._crowded = True
        return found

    def _sink_counts(self, word: str) -> bool:
        if word.strip() in ("&", "."):
            return self.script.language is Kind.POWERSHELL
        return all(self.script.language in kinds for start, kinds in _ONLY.items() if word.startswith(start))

    def _know(self, name: str) -> Taint:
        """What is known of a name in the function that is being read, or of a function."""
        none = Taint()
        local = self._taint.get((self._scope, name), none)
        return local if not self._scope else local | self._taint.get(("", name), none)

    def _statement(self, number: int, names: set[str]) -> None:
        script = self.script
        self._scope = script.inside[number]
        direct = self.sources.get(number, ())
        text = script.statements[number].text
        target = script.targets[number]
        used = Taint()
        for name in names:
            if name != target or text.count(name) > 1:
                used |= self._know(name)
        for file in self._file_names(text):
            used |= self._files.get(file, Taint())
        for path, kept in self._kept.items():
            if path in text:
                used |= kept
        for _, _, tag in direct:
            if tag != ScriptTag.HOME:
                used |= Taint(tag, text[:WHERE])
        if _HTTP in text and not used.where:
            used |= Taint(ScriptTag.NONE, text[:WHERE])
        for place, word, kind in self.sinks.get(number, ()):
            self._sink(number, text, place, word, kind)
        used |= self._opened(text)
        if script.language is Kind.PHP:
            if _CLEANED.search(text) is not None:
                used = Taint(used.tags & ~ScriptTag.REQUEST, used.where)
            self._called(number, text)
        if used.tags & (ScriptTag.SECRET | ScriptTag.DOTENV | ScriptTag.WATCHED) and self._speaks(
            number, text, names
        ):
            self._reached(Reached("send", "", used, number))
        self._keep(number, text, names, target, used)

    def _opened(self, text: str) -> Taint:
        """What comes of opening a name that holds an address."""
        for name in _OPENS.findall(text):
            held = self._know(name)
            if "http" in held.where and not held.tags:
                return Taint(ScriptTag.FETCHED, held.where)
        return Taint()

    def _called(self, number: int, text: str) -> None:
        """PHP calls the function whose name a variable holds."""
        for name in _CALLED.findall(text):
            if self._know(name).tags & (ScriptTag.REQUEST | ScriptTag.DECODED):
                self._reached(Reached("evaluate", name, self._know(name), number))

    def _keep(self, number: int, text: str, names: set[str], target: str, used: Taint) -> None:
        """What the statement leaves behind: in a name, in a file, in what a function gives back."""
        script = self.script
        home = [
            place
            for place, word, tag in self.sources.get(number, ())
            if tag == ScriptTag.HOME and _alone(text, place, word)
        ]
        if home and target:
            used |= Taint(ScriptTag.HOME)
        elif used.tags & ScriptTag.HOME and not _only_name(text, names):
            used = Taint(used.tags & ~ScriptTag.HOME, used.where)
        if target and (used.tags or used.where):
            self._mark(target, used)
        if number in self._writes:
            self._write(text, names, used)
        if used.tags and (function := script.inside[number]) and script.gives[number]:
            self._mark(function, Taint(used.tags & ~ScriptTag.HOME, used.where), "")
        if used.tags:
            for name in names & script.functions.keys():
                if name != script.inside[number] and _given(text, name):
                    for parameter in script.functions[name]:
                        self._mark(parameter, used, name)

    def _write(self, text: str, names: set[str], used: Taint) -> None:
        files = self._file_names(text)
        group = frozenset(names) | frozenset(files)
        wider = group.union(*(self._groups.get(one, frozenset()) for one in group)) if group else group
        if used.tags & (ScriptTag.FETCHED | ScriptTag.DECODED):
            for one in wider:
                if one in files or "." in one or one not in self.script.known:
                    self._files[one] = self._files.get(one, Taint()) | used
                elif one not in self.script.functions and not (
                    self._know(one).where and not self._know(one).tags
                ):
                    self._mark(one, used)
        elif used.tags & ScriptTag.SECRET and self.script.language is Kind.BATCH:
            for path in _REDIRECTED.findall(text)[:4]:
                if len(self._kept) < MOST_KEPT or path in self._kept:
                    self._kept[path] = self._kept.get(path, Taint()) | used
                else:
                    self._crowded = True
        for one in list(group)[:16]:
            if len(wider) <= 8:
                self._groups[one] = wider

    def _mark(self, name: str, taint: Taint, scope: str | None = None) -> None:
        key = (self._scope if scope is None else scope, name)
        self._marked.add(name)
        self._taint[key] = self._taint.get(key, Taint()) | taint

    def _file_names(self, text: str) -> list[str]:
        return [a or b for a, b in _FILE.findall(text)] if ("." in text or "/tmp" in text) else []

    def _speaks(self, number: int, text: str, names: set[str]) -> bool:
        if number in self._talks or any(
            tag == ScriptTag.FETCHED for _, _, tag in self.sources.get(number, ())
        ):
            return True
        return (
            any(self._know(name).tags & ScriptTag.FETCHED for name in names)
            and _METHOD.search(text) is not None
        )

    def _sink(self, number: int, text: str, place: int, word: str, kind: int) -> None:
        end = place + len(word)
        if kind == ScriptTag.HOME:
            self._erase(number, text, place, end)
            return
        if kind == ScriptTag.NONE:
            if _IDIOM.match(text, end) is not None:
                return
            whole = self.script.language is Kind.POWERSHELL
            rest = text if whole else text[end : end + 600]
            taint = self._of(rest, number, 0 if whole else place)
            if taint.tags & (ScriptTag.FETCHED | ScriptTag.DECODED | ScriptTag.REQUEST):
                self._reached(Reached("evaluate", word, taint, number))
            return
        lead = words.LEAD.match(text, end)
        start = lead.end() if lead is not None else end
        first = text[max(end, start - 1) : start + 120]
        taint = self._first(first, number, start)
        if taint.tags & (ScriptTag.FETCHED | ScriptTag.DECODED | ScriptTag.REQUEST):
            self._reached(Reached("run", word, taint, number))
        elif (
            self._of(text[end : end + 400], number, place).tags & ScriptTag.REQUEST
            and _CLEANED.search(text) is None
        ):
            self._reached(Reached("run", word, Taint(ScriptTag.REQUEST), number))

    def _of(self, piece: str, number: int, place: int) -> Taint:
        taint = self._opened(piece)
        for name in self.script.names(piece):
            taint |= self._know(name)
        for at, _, tag in self.sources.get(number, ()):
            if at >= place:
                taint |= Taint(tag, self.script.statements[number].text[:WHERE])
        return taint

    def _first(self, piece: str, number: int, start: int) -> Taint:
        """What the first thing of an argument is: a name, a file, or a source."""
        cut = _ARGUMENT.search(piece)
        head = piece[: cut.start()] if cut is not None else piece
        taint = Taint()
        bare = _HEAD.match(head.lstrip(" $@%!{(\"'&"))
        if bare is not None and bare[0] in self.script.known and bare[0] not in self.script.functions:
            taint |= self._know(bare[0])
        for file in self._file_names(head) or self._file_names("./" + head.lstrip("\"'$@ /\\")):
            taint |= self._files.get(file, Taint())
        for at, word, tag in self.sources.get(number, ()):
            if start <= at <= start + 12 and not word.startswith(_COMMANDS):
                taint |= Taint(tag, self.script.statements[number].text[:WHERE])
        return taint

    def _erase(self, number: int, text: str, place: int, end: int) -> None:
        rest = text[end : end + 300]
        for at, word, tag in self.sources.get(number, ()):
            if tag == ScriptTag.HOME and at >= place and _alone(text, at, word):
                self._reached(Reached("erase", word, Taint(ScriptTag.HOME), number))
                return
        found = _ERASED.match(rest)
        if found is not None and self._know(found[1]).tags & ScriptTag.HOME:
            self._reached(Reached("erase", found[1], Taint(ScriptTag.HOME), number))


_REDIRECTED = lazy(r">{1,2}\s{0,2}\"?([\w%~/\\.:-]{3,120})")
_IDIOM = lazy(
    r"\s{0,2}\(?\s{0,2}q{0,2}[|{(\"'/]{1,2}\s{0,3}(?:require\b|use\s|qr/|\\?\$\$?[\w\\:]{1,40}(?:->)?:{0,2}(?:->)?version)"
)
"""Perl's ways to load a module by name."""
_ARGUMENT = lazy(r"(?<=[\w)\"'%}])[\s,;)|]")
_HEAD = lazy(r"\w{1,60}")
_ERASED = lazy(
    r"(?:[\s(\"'$@&{]|-(?:path|literalpath|recurse|force)\b|erroraction\s\w{1,20}){0,12}(\w{1,60})(?:\\\*|/\*)?[\"'}]?\s{0,2}(?:[,);]|-|$|\n|true)"
)
_AFTER = lazy(r"(?:[\\/]{0,2}\*)?[\\/]?[\"']?\s{0,2}(?:$|[,);}\n|]|-[a-z]|true|do\b)")


def _alone(text: str, place: int, word: str) -> bool:
    """Whether an expression of a place is the whole argument, and not the beginning of a longer path."""
    before = text[max(0, place - 14) : place]
    return _AFTER.match(text, place + len(word)) is not None and not before.rstrip("(\"' ").endswith(
        ("join", "joinpath", "join-path")
    )


def _given(text: str, name: str) -> bool:
    """Whether a statement calls a function of this name with something."""
    at = text.find(name) + len(name)
    return text[at : at + 1] in ("(", " ") and text[at + 1 : at + 2] not in ("", ")", "=", ".", "-")


def _only_name(text: str, names: set[str]) -> bool:
    return len(names) <= 2 and "/" not in text and "join" not in text

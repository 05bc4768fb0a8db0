"""What a statement says of names: which it takes, and which it gives a value."""

from __future__ import annotations

import re

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.slices.words import StatementWords
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.lazy import lazy

_NAME = lazy(r"[A-Za-z_]\w*")
_IN_SHELL = lazy(r"\$[{(]?[#!]?(\w+|[@*])")
_WOVEN = lazy(r"[$#%@]?\{\s*([A-Za-z_]\w*)|[$@]([A-Za-z_]\w*)|%(\w+)%")
_SHELL_GIVES = lazy(
    r"(?:^|[\s;&|(])(\w+)(?: ?[:?+!]*)=|^(?:ENV|ARG) (\w+)|(?:^|[\s;])(\w+) \( \)|(?:^|\s)(?:function|for|read|mapfile|printf -v)(?: -\w+)* ([A-Za-z_]\w*)"
)
_FUNCTION = lazy(
    r"(?:^|\s)(?:def|function|func|fn|sub|on|to) (?:\* )?(?:\( [^()]{0,80} \) )?(?:self \. )?([A-Za-z_]\w*) (?:<[^<>]{0,80}> )?(?:\(([^()]{0,400})\))?"
)
_METHOD = lazy(
    r"^(?:(?:async|static|public|private|protected|override|final|export|default|get|set) )*(?:[A-Za-z_][\w<>\[\] ]{0,60} )?([A-Za-z_]\w*) \(([^()]{0,400})\)(?: [^{=;]{0,80})? \{$"
)
_ARROW = lazy(r"(?:\( ([^()]{0,200}) \)|([A-Za-z_]\w*)) (?::[^=]{0,60})?= >")
_CLASS = lazy(r"(?:^|\s)(?:class|module|trait|interface) ([A-Za-z_]\w*)")
_BINDS = lazy(
    r"\bfor(?:each)? (?:\( )?(?:const |let |var |my )?((?:[$@] )?\w+(?: , \w+)*) (?:in|of|:|\() |\bas (?:\$ )?(\w+)|\| (\w+(?: , \w+)*) \||\bset (\w+) to\b"
)
_IMPORT = lazy(r"(?:^|\s)(?:import|require|require_once|include|from|source|use|dofile) ")
_SOURCED = lazy(r"(?:^|[\s;&|])(?:source|\.|include) ")
_CHAIN = lazy(r"([A-Za-z_]\w*)((?: (?:\.|- >|: :|\? \.) \w+| \[ [^\[\]]* \])*)(?: :.*)?$")
_CALLED_ON = lazy(r"(?:await |call |[$@] )*([A-Za-z_]\w*) (?:\.|- >|:) \w+")
_FILE = lazy(r"[\w.@%+-]*[A-Za-z_][\w@%+-]*\.[A-Za-z]\w{0,7}$|\.?[\w@%+-][\w.@%+-]*$")
_SPLIT = lazy(r"[^\s'\"`;&|<>()=,\[\]{}]+")
_KEYWORDS = frozenset(
    """if else elif then fi for foreach while until do done case esac switch in of is not and or return yield await async
    def function func fn sub class struct enum interface module import from as with try except finally catch raise throw
    new delete typeof instanceof const let var my our local global nonlocal export public private protected static final
    void int long bool boolean string String char float double object Object auto mut pub use package begin end true
    false null nil None True False this self cls super lambda set to print pass break continue default echo""".split()
)
_BY_SHELL = frozenset({Kind.SHELL, Kind.MAKEFILE, Kind.DOCKERFILE})
CASELESS = frozenset({Kind.POWERSHELL, Kind.BATCH, Kind.APPLESCRIPT, Kind.SOURCE, Kind.SQL})
"""Languages in which a name is the same however it is written, and sources that may be of one."""
_BEFORE = frozenset("+*/%&|^-.:?<")
_WRITTEN = frozenset({"-o", "--output", "--out", ">", "-O"})
"""What stands in front of the file that a command writes."""


class SlicedStatement(NamedTuple):
    """One statement. ``names`` stand alone, ``attributes`` behind a dot; ``gives`` and ``sets`` are those of them that
    it gives a value. ``function`` is the one whose head it is, with its ``parameters``; ``files`` are names of files.
    """

    start: int
    end: int
    words: tuple[str, ...]
    level: int
    opens: bool
    names: frozenset[str]
    attributes: frozenset[str]
    gives: frozenset[str]
    sets: frozenset[str]
    files: frozenset[str]
    function: str = ""
    parameters: frozenset[str] = frozenset()
    imports: bool = False
    changes: str = ""
    """The name of which a method is called, which may change what it holds."""


def quoted(word: str) -> bool:
    """Whether a word is a quoted text."""
    return word[-1:] in "'\"`" and len(word) > 1


def read(words: StatementWords, language: Kind) -> SlicedStatement:
    """What a statement says; in lower case where the language knows no case."""
    if language in _BY_SHELL:
        return _of_shell(words)
    if language in CASELESS:
        return _of_code(words._replace(words=tuple(map(str.lower, words.words))))._replace(words=words.words)
    return _of_code(words)


def _of_code(words: StatementWords) -> SlicedStatement:
    names: set[str] = set()
    attributes: set[str] = set()
    sets: set[str] = set()
    last = len(words.words) - 1
    for at, word in enumerate(words.words):
        if quoted(word):
            names.update(filter(None, (name for found in _WOVEN.findall(word) for name in found)))
            if at and words.words[at - 1] == "[" and _NAME.fullmatch(word[1:-1]):
                attributes.add(word[1:-1])
            if at < last and words.words[at + 1] == ":" and _NAME.fullmatch(word[1:-1]):
                sets.add(word[1:-1])
        elif word[0].isalpha() or word[0] == "_":
            before = words.words[at - 1] if at else ""
            if before == "." or (before == ">" and words.words[at - 2 : at - 1] == ("-",)):
                attributes.add(word)
            elif (
                at < last
                and words.words[at + 1] == ":"
                and words.words[at + 2 : at + 3] not in ((":",), ("=",))
            ):
                sets.add(word)
                names.add(word)
            elif word not in _KEYWORDS:
                names.add(word)
    text = " ".join(" " if quoted(word) else word for word in words.words)
    gives, more = _given(words)
    function, parameters = _head(text)
    gives |= parameters | _bound(text)
    if function:
        gives.add(function)
    imports = _IMPORT.search(f" {text} ") is not None
    if imports and text.startswith(("import ", "from ", "use ")):
        gives |= set(_NAME.findall(text)) - _KEYWORDS
    changed = _CALLED_ON.match(text)
    return SlicedStatement(
        words.start, words.end, words.words, words.level, words.opens, frozenset(names), frozenset(attributes),
        frozenset(gives - _KEYWORDS), frozenset((sets | more) - _KEYWORDS), _files(words.words, bare=False), function,
        frozenset(parameters), imports, changed[1] if changed is not None else "",
    )  # fmt: skip


def _of_shell(words: StatementWords) -> SlicedStatement:
    text = " ".join(words.words)
    taken = frozenset(_IN_SHELL.findall(text.replace("$ ", "$"))) if "$" in text else frozenset()
    gives = {name for found in _SHELL_GIVES.findall(text) for name in found if name}
    head = re.match(r"(?:function )?([\w-]+)(?: \( \))? \{", text) or re.match(r"([\w-]+) \( \)", text)
    function = head[1] if head is not None else ""
    called = frozenset(word for word in words.words if _NAME.fullmatch(word)) - _KEYWORDS
    return SlicedStatement(
        words.start, words.end, words.words, words.level, words.opens, taken | called, frozenset(),
        frozenset(gives | ({function} if function else set())), frozenset(), _files(words.words, bare=True), function,
        frozenset("123456789@*") if function else frozenset(), _SOURCED.search(text) is not None,
    )  # fmt: skip


def _given(words: StatementWords) -> tuple[set[str], set[str]]:
    """The names and the attributes that stand left of an assignment."""
    names: set[str] = set()
    attributes: set[str] = set()
    since = 0
    row = words.words
    for at, word in enumerate(row):
        if word != "=" and not (word == "<" and row[at + 1 : at + 2] == ("-",)):
            continue
        after, before = row[at + 1 : at + 2], row[at - 1 : at] if at else ()
        if after in (("=",), ("~",)) or (before and before[0] in "=!<>") or (after == (">",) and word == "="):
            continue
        sigil = row[at - 2 : at - 1] == ("$",)
        if words.depths[at] and before != (":",) and not sigil:
            continue
        stop = at
        while stop > since and row[stop - 1] in _BEFORE:
            stop -= 1
        left = row[since:stop]
        since = at + 1
        _targets(left, names, attributes)
    return names, attributes


def _targets(left: tuple[str, ...], names: set[str], attributes: set[str]) -> None:
    kept = [word for word in left if word not in _KEYWORDS or word in ("this", "self")]
    if not kept:
        return
    text = " ".join(kept)
    if kept[0] in "([{":
        names.update(_NAME.findall(text))
        return
    for piece in text.split(" , "):
        chain = _CHAIN.search(piece.partition(" : ")[0] if " : : " not in piece else piece)
        if chain is not None:
            names.add(chain[1])
            last = _NAME.findall(chain[2])
            if last:
                attributes.add(last[-1])


def _head(text: str) -> tuple[str, set[str]]:
    """The function that a statement begins, and its parameters."""
    found = _FUNCTION.search(text)
    if found is None:
        found = _METHOD.search(text)
        if found is not None and found[1] in _KEYWORDS:
            found = None
    parameters: set[str] = set()
    if found is not None and found[2]:
        parameters = set(_NAME.findall(found[2])) - _KEYWORDS
    arrow = _ARROW.search(text)
    if arrow is not None:
        parameters |= set(_NAME.findall(arrow[1] or arrow[2] or "")) - _KEYWORDS
    return (found[1] if found is not None else "", parameters)


def _bound(text: str) -> set[str]:
    names = {name for found in _BINDS.findall(text) for part in found if part for name in _NAME.findall(part)}
    names |= set(_CLASS.findall(text))
    return names


def _files(words: tuple[str, ...], *, bare: bool) -> frozenset[str]:
    """The last parts of the paths that a statement names; of a shell, those from here and those that are written by any name."""
    found: set[str] = set()
    before = ""
    for word in words:
        if not bare and not quoted(word):
            continue
        if before in _WRITTEN and _FILE.match(word) is not None:
            found.add(word)
        before = word
        if bare and word.startswith(("./", "../")) and _FILE.match(word.rpartition("/")[2]) is not None:
            found.add(word.rpartition("/")[2])
        for piece in _SPLIT.findall(word[:8192]):
            if "/" in piece or "\\" in piece:
                name = re.split(r"[/\\]", piece.partition("?")[0].rstrip("/\\"))[-1]
                if len(name) > 3 and _FILE.match(name) is not None:
                    found.add(name)
            elif "." in piece and _FILE.match(piece) is not None and len(piece) > 3:
                found.add(piece)
    return frozenset(found)

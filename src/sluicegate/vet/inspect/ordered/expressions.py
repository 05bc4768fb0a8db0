"""The path or command that an expression of a program comes to, as far as its constants tell.

Expressions of Python and JavaScript, and those of Ruby, Perl, PHP, Lua and R that look alike.

An expression is read by patterns, not by a parser: the text may be a few lines that a page shows. What is not known
is ``UNKNOWN``. All work is bounded: an expression is read within a window, a variable is evaluated once, and there is
a most for the depth of expressions, for the length of values and for the variables of one program.
"""

from __future__ import annotations

import posixpath
import re

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.ordered.places import HERE, UNKNOWN
from sluicegate.vet.lazy import lazy

LITERAL = lazy(r"""[rbfuRBFU]{0,2}("(?:[^"\\\n]|\\.){0,400}"|'(?:[^'\\\n]|\\.){0,400}'|`[^`]{0,400}`)""")
WINDOW = 600
"""Characters of a text in which an expression, or the arguments of a call, are read."""
_DEEPEST = 12
_LONGEST = 1000
"""Characters of a value; a longer one is not a path."""
_ASSIGNMENTS = 8
"""Assignments to one variable that are read; one with more is taken for computed."""
_VARIABLES = 5000
"""Variables of one program that are evaluated; the others are taken for computed."""
_BLANK = lazy(r"\s*+")
_DOTTED = lazy(r"(?:(?:new|await)\s++)?+([A-Za-z_$][\w$]*+(?:\.[A-Za-z_$][\w$]*+)*+)")
_OPERATOR = lazy(r"\s*+(?:([/+])(?![/=*+])|\.(?=\s{0,4}[\"'$]))")
"""What joins two parts of a path; PHP and Perl join by a point."""
_NUMBER = lazy(r"-?\d[\w.]*+")
_BRACKET = lazy(r"[()\[\]{}]")
_PARENTS = lazy(r"\.parents\[\s{0,4}(\d)\s{0,4}\]")
_ATTRIBUTE = lazy(r"\s*+\.([A-Za-z_]\w*+)|\[")
_HOLE = lazy(r"\$?\{([A-Za-z_$][\w$]*)\}")
_ASSIGNED = lazy(
    r"(?:^|[;\n])[ \t]*+(?:export[ \t]++)?+(?:(?:const|let|var|my|our|local)[ \t]++)?+([A-Za-z_$][\w$]*+)[ \t]*+(?::[ \t]*+[\w.]{1,40}+[ \t]*+)?+=(?![=>])[ \t]*+"
    r"|\bwith[ \t]++(?=[\w.]{0,40}(?:open|Path)\([^\n]{1,200}?[ \t]as[ \t]++([A-Za-z_]\w*+)[ \t]*+:)"
)
_READS = lazy(
    r"(?:await[ \t]++)?+(?:io\.|codecs\.|fs\.|fs\.promises\.|fsp\.)?(?:open|readFile|readFileSync)\(|[^\n;]{1,300}?\.read(?:_text|_bytes|File|FileSync)?\("
)
_HOME_VARIABLE = lazy(
    r"os\.environ\[\s{0,4}[\"'](?:HOME|USERPROFILE)[\"']\s{0,4}\]|process\.env(?:\.(?:HOME|USERPROFILE)\b|\[\s{0,4}[\"'](?:HOME|USERPROFILE)[\"']\s{0,4}\])"
)
_HOMES = frozenset({"HOME", "USERPROFILE"})
_FILE = f"{HERE}__file__"
_KNOWN = {
    "__file__": _FILE,
    "__filename": _FILE,
    "import.meta.url": _FILE,
    "import.meta.filename": _FILE,
    "__FILE__": _FILE,
    "__dirname": HERE,
    "__DIR__": HERE,
    "__dir__": HERE,
    "Dir.home": "~",
    "import.meta.dirname": HERE,
    "sys.executable": "python",
    "process.execPath": "node",
}
_HOME = frozenset({"Path.home", "pathlib.Path.home", "os.homedir", "homedir"})
_JOINS = frozenset({"join", "resolve", "Path", "PurePath", "PosixPath"})
_READERS = frozenset({"readFileSync", "readFile"})
_SAME = frozenset(
    "expanduser abspath realpath normpath str fspath String fileURLToPath open readFileSync readFile resolve absolute as_posix read "
    "read_text read_bytes toString pathToFileURL".split()
)
"""Calls that give the path, or what stands in the file, that they are given."""


class Value(NamedTuple):
    """What an expression comes to (``UNKNOWN`` if nobody says), and where it ends."""

    text: str
    end: int


class Variables:
    """What the variables of a program hold; ``UNKNOWN`` where that is several things. Each is evaluated when asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._held: dict[str, str] = {}
        self._left = _VARIABLES
        self._places: dict[str, list[int]] = {}
        for found in _ASSIGNED.finditer(text):
            self._places.setdefault(found[1] or found[2], []).append(found.end())

    def get(self, name: str, depth: int = 0) -> str:
        """What a variable holds."""
        held = self._held.get(name)
        if held is not None:
            return held
        places = self._places.get(name, ())
        if not places or len(places) > _ASSIGNMENTS or depth > _DEEPEST or self._left <= 0:
            return UNKNOWN
        self._left -= 1
        self._held[name] = UNKNOWN  # while it is read: one that is made of itself is computed
        values = set[str]()
        for place in places:
            given = value(self._text[place : place + WINDOW], 0, self, depth + 1)
            values.add(UNKNOWN if given is None else given.text)
        self._held[name] = values.pop() if len(values) == 1 else UNKNOWN
        return self._held[name]

    def read(self, name: str) -> bool:
        """Whether a variable is a file that was opened, or what stands in one."""
        return any(
            _READS.match(self._text, at, at + WINDOW) for at in self._places.get(name, ())[:_ASSIGNMENTS]
        )


def value(text: str, at: int, names: Variables, depth: int = 0) -> Value | None:
    """The expression that begins here; none if it is not a literal, name, call, or sum of these."""
    first = _operand(text, at, names, depth)
    if first is None:
        return None
    out, at = first
    while (operator := _OPERATOR.match(text, at)) is not None:
        following = _operand(text, operator.end(), names, depth)
        if following is None:
            return Value(UNKNOWN, operator.end())
        out = _joined([out, following.text]) if operator[1] == "/" else _added(out, following.text)
        at = following.end
    return Value(out if len(out) <= _LONGEST else UNKNOWN, at)


def arguments(text: str, at: int, names: Variables, depth: int = 0) -> tuple[list[str], int]:
    """The arguments of a call behind its bracket, up to the first that is not read, and where they end."""
    found: list[str] = []
    while depth < _DEEPEST and len(found) < 16:
        given = value(text, at, names, depth + 1)
        if given is None:
            break
        found.append(given.text)
        at = _past_blanks(text, given.end)
        if text[at : at + 1] != ",":
            break
        at += 1
    return found, at


def inner(path: str) -> str:
    """A path without what stands for the folder of its file."""
    return path.removeprefix(HERE)


def closing(text: str, at: int) -> int:
    """The place behind the bracket that ends what is open here."""
    deep = 1
    for found in _BRACKET.finditer(text, at):
        deep += 1 if found[0] in "([{" else -1
        if not deep:
            return found.end()
    return len(text)


def _operand(text: str, at: int, names: Variables, depth: int) -> Value | None:
    at = _past_blanks(text, at)
    if depth > _DEEPEST:
        return None
    literal = LITERAL.match(text, at)
    if literal is not None:
        return _attributes(_filled(literal, names, depth), text, literal.end(), names, depth)
    if text[at : at + 1] == "(":
        given = value(text, at + 1, names, depth + 1)
        if given is None:
            return None
        end = _past_blanks(text, given.end)
        return _attributes(given.text, text, end + 1, names, depth) if text[end : end + 1] == ")" else None
    home = _HOME_VARIABLE.match(text, at)
    if home is not None:
        return _attributes("~", text, home.end(), names, depth)
    number = _NUMBER.match(text, at)
    if number is not None:
        return Value(UNKNOWN, number.end())
    dotted = _DOTTED.match(text, at)
    if dotted is None:
        return None
    name, at = dotted[1], dotted.end()
    head = name.partition(".")[0]
    held = names.get(head, depth) if head not in _KNOWN else _KNOWN[head]
    if held != UNKNOWN:
        return _attributes(held, text, dotted.start(1) + len(head), names, depth)
    if text[at : at + 1] == "(":
        given_out, at = _call(name, text, at + 1, names, depth)
        return _attributes(given_out, text, at, names, depth)
    return _attributes(_KNOWN.get(name, UNKNOWN), text, at, names, depth)


def _call(name: str, text: str, at: int, names: Variables, depth: int) -> tuple[str, int]:
    """What a call comes to, by the name of what is called."""
    last = name.rpartition(".")[2]
    given, at = arguments(text, at, names, depth)
    end = closing(text, at)
    if name in _HOME or (name in ("os.getenv", "os.environ.get") and given and given[0] in _HOMES):
        return "~", end
    if not given:
        return UNKNOWN, end
    if last == "dirname":
        return _parent(given[0]), end
    if last == "expand_path":
        return (_joined([given[1], given[0]]) if len(given) > 1 else given[0]), end
    if last == "URL":
        return (_added(HERE, given[0].removeprefix("./")) if given[1:] == [_FILE] else UNKNOWN), end
    if last in _JOINS or name == "file.path":
        return _joined(given), end
    return given[0] if last in _SAME else UNKNOWN, end


def _attributes(out: str, text: str, at: int, names: Variables, depth: int) -> Value:
    """What attributes, methods and subscripts behind an operand make of it."""
    while (found := _ATTRIBUTE.match(text, at)) is not None:
        numbered = _PARENTS.match(text, at)
        if numbered is not None:
            for _ in range(int(numbered[1]) + 1):
                out = _parent(out)
            at = numbered.end()
            continue
        at, name = found.end(), found[1]
        if name is None:
            out, at = UNKNOWN, closing(text, at)
        elif text[at : at + 1] == "(":
            given, at = arguments(text, at + 1, names, depth)
            at = closing(text, at)
            if name == "joinpath":
                out = _joined([out, *given])
            elif name == "with_name" and given:
                out = _joined([_parent(out), given[0]])
            elif out == UNKNOWN and name in _JOINS and len(given) > 1:  # require("path").join(a, b)
                out = _joined(given)
            elif name in _READERS:
                out = given[0] if given else UNKNOWN
            elif name not in _SAME:
                out = UNKNOWN
        elif name == "parent":
            out = _parent(out)
        elif name not in ("href", "pathname"):
            out = UNKNOWN
    return Value(out if len(out) <= _LONGEST else UNKNOWN, at)


def _filled(literal: re.Match[str], names: Variables, depth: int) -> str:
    """A string; in one with holes, those are filled that a known variable fills."""
    body = literal[1][1:-1]
    if "{" not in body or (literal[1][0] != "`" and "f" not in literal[0][:2].lower()):
        return body

    def fill(hole: re.Match[str]) -> str:
        held = _KNOWN.get(hole[1]) or names.get(hole[1], depth)
        return hole[0] if held == UNKNOWN else held

    return _HOLE.sub(fill, body).replace(f"{HERE}/", HERE)


def _joined(parts: list[str]) -> str:
    out = parts[0]
    for part in parts[1:]:
        if UNKNOWN in inner(part) or UNKNOWN in inner(out):
            return UNKNOWN
        out = part if part.startswith(("/", HERE)) else posixpath.join(out, part)
    return out


def _added(first: str, second: str) -> str:
    if UNKNOWN in inner(first) or UNKNOWN in second:
        return first + second if first.endswith(" ") and second.startswith(HERE) else UNKNOWN
    return first + (second.removeprefix("/") if first.endswith("/") and first.startswith(HERE) else second)


def _parent(path: str) -> str:
    if path == _FILE:
        return HERE
    if path.startswith(HERE):
        rest = inner(path).rstrip("/")
        return f"{HERE}{posixpath.normpath(posixpath.join(rest, '..'))}/".replace(f"{HERE}./", HERE)
    return UNKNOWN if UNKNOWN in path else posixpath.dirname(path)


def _past_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return at if found is None else found.end()

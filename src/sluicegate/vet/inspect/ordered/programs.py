"""Programs under other names: files that run in another language than their name says, as views in that language.

An interpreter reads whatever it is given: ``python3 notes.txt``, ``. ./settings``, ``cat data | sh``. So a file of text is
read in a further language, besides its own, where

1. a command, a call or a sentence of the skill has that language's interpreter run it, whatever the file says; or
2. all of it is a program: it parses as Python or JavaScript and does something, or is a list of commands.

(2) needs nobody who is seen to run it: the name may be computed.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.ordered.options import named_as
from sluicegate.vet.inspect.ordered.orders import Order
from sluicegate.vet.inspect.ordered.places import HERE, OWN, UNKNOWN, Base, BundlePaths
from sluicegate.vet.inspect.ordered.prefilter import GIVEN, INTERPRETED, runs_folder
from sluicegate.vet.inspect.ordered.sentences import of_prose
from sluicegate.vet.inspect.ordered.shell.reading import STEPS, ShellText
from sluicegate.vet.intake.bundle import CODE, PROSE, Bundle, Kind
from sluicegate.vet.intake.content.kinds import interpreted_kind
from sluicegate.vet.intake.content.suffixes import claimed_kind
from sluicegate.vet.intake.formats import FORMATS
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derive import BY_BYTES, Views, derive_further
from sluicegate.vet.intake.views.programs.language import is_command
from sluicegate.vet.intake.views.view import RUN_AS, Step, View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

MOST = 200
"""Files that are read in a further language; more are a gap."""
_SCRIPTS = frozenset({Kind.JAVASCRIPT, Kind.TYPESCRIPT})
_TEXTS = frozenset({Kind.MARKDOWN, Kind.TEXT})
_PROGRAMS = _SCRIPTS | {Kind.PYTHON}
_ORDERING = _PROGRAMS | _TEXTS | {Kind.SHELL}
_BELIEVED = frozenset(row.kind for row in FORMATS if row.kind in CODE and row.interpreters)
"""Programs of which the suffix says what reads them; those of other languages no interpreter reads by their name."""
_BY_NAME = frozenset(
    {".psqlrc", "justfile", "a.awk", "ssh_config", ".tmux.conf", ".vimrc", ".curlrc", "crontab"}
)
"""Names of files that are read as such by their name, and not by their language."""
_DATA = frozenset({Kind.JSON, Kind.NOTEBOOK})
_CUT = "more files than are read so may be programs under other names; the rest were not read as programs"
_RUNS = (
    "python", "pypy", "node", "deno", "bun", "tsx", "perl", "ruby", "php", "lua", "sh", "source", ". ", "eval", "exec", "pwsh",
    "script", "chmod", "run", "./", "cp ", "mv ", "ln ", "install", "SHELL", "at ", "batch", "|", "<", ">", "fork", "spawn", "popen", "call",
)  # fmt: skip
"""One of them stands in the line of a text that has a file run, or copies it."""
_ASSIGNED = lazy(r"=[\"']?[\w./$@{}~-]{0,200}$")
"""What stands before the name of a file that a variable is to hold."""
_BY = lazy(
    r"\b(?:run|execut|launch|start|source|load|interpret|feed|pass|pipe)(?:e|ed|ing|s)?\b([^\n]{1,160}?)"
    r"\b(?:with|using|through|in|via|under|by|to|into)\s(?:the\s|your\s|a\s)?[`\"'*]{0,2}(python[\d.]{0,5}|bash|sh|zsh|node|perl|ruby|php)\b",
    re.IGNORECASE,
)
"""What a sentence has run, and the interpreter that it names."""
_WORDS = lazy(r"[\w./~-]{2,120}")
_LOOSE = frozenset({Kind.TEXT, Kind.CSV, Kind.DATA, Kind.INI, Kind.YAML, Kind.TOML, Kind.LICENSE})
"""Kinds of files that are read as shell text wherever a command names them together with a shell.

There are too many ways from a file to a shell to know them all (functions, traps, filters, copies, other runners), and
shell text that is none gives no findings. What is written for people is read so only where it is surely run: its
examples are commands.
"""
_SHELL = lazy(
    r"(?<![\w./-])(?:/?(?:usr/)?s?bin/)?(?:ba|z|da|k|a|fi)?sh\b(?!\.)|\b(?:source|eval|xargs|parallel|chmod|SHELL|BASH_ENV|ENV|PROMPT_COMMAND)\b"
    r"|(?:^|[\s;&|(`'\"])\.[ \t]|\.(?:bash|z|k|c)?(?:rc|profile|login|logout)\b|(?:^|[\n;&|])\s*(?:sudo\s+)?(?:at|batch|crontab|install)\b"
    r"|\b(?:os\.system|popen|posix_spawn|execSync|child_process|check_output|subprocess)\b"
)
"""Words that give a text to a shell, or make a program of a file."""
_SMALL = 2048
"""Characters of a text of commands that is looked at as a whole."""
_PLACES = 50
"""Places of one name in one text that are looked at."""
_PYTHON = ("import", "exec", "eval", "open", "compile", "getattr")
"""One of them stands in every Python program that does something outside of itself."""
_JAVASCRIPT_WORDS = (
    "require",
    "fetch",
    "eval",
    "Function",
    "import",
    "XMLHttpRequest",
    "process.",
    "Deno.",
    "Bun.",
    "atob",
)
_JAVASCRIPT = lazy(
    r"\b(?:require|fetch|eval|Function|import|XMLHttpRequest|atob)[ \t]*\(|\bprocess\.\w|\bDeno\.\w|\bBun\.\w"
    r"|(?:^|\n)[ \t]*import\b[^\n]{1,300}[\"']"
)
_BLANKS = lazy(r"(?:[\ufeff \t\r]*+(?:(?:#|//)[^\n]*+)?\n)*+[\ufeff \t\r]*+")
"""Empty lines and comments, and what stands before the first word of the line behind them."""
_NO_PROGRAM = ("<", "|", ">", "---", "- ", "* ", "```", "%", "=")
"""What no program in Python or JavaScript begins with, and most prose does."""
_SENTENCE = lazy(r"[A-Za-z][\w'\u2019-]*,? [A-Za-z]")
_BEGINS = frozenset(
    "import from def class async with for while if try global nonlocal del raise assert return not lambda await print exec yield "
    "const let var function new throw typeof export void switch do delete".split()
)
"""Words before which no program has a name, but behind which one may stand."""
_SHELL_LINE = lazy(
    r"(?:\w+=|if\b|then\b|else\b|elif\b|fi\b|for\b|while\b|do\b|done\b|case\b|esac\b|function\b|return\b|set -|\w+\(\)|[{}\[(])"
)
_LEAST = 2
"""Commands that a list of them holds at least."""
_LINES = 200
"""Lines of a text from which it is told whether it is a list of commands."""


def with_programs(bundle: Bundle, views: Views, limits: Limits) -> Views:
    """The views, and those of files that run in another language than theirs."""
    raw = {view.path: view for view in views.views if not view.origin}
    if not raw:
        return views
    found = set(_ordered(bundle, views, raw, limits))
    found |= {(path, told) for path, view in raw.items() if (told := _told(view, limits)) is not None}
    bytes_of = {view.path: view for view in views.views if view.origin == (BY_BYTES,)}
    begun = [
        _view(view, language)
        for path, language in sorted(found)
        for view in (raw[path], *((bytes_of[path],) if path in bytes_of else ()))
    ]
    begun += [
        _view(raw[path], claimed_kind(usual) or Kind.TEXT, usual)
        for path, usual in sorted(_named_as(views, raw))
    ]
    if not begun:
        return views
    more = derive_further(views, begun[:MOST], limits)
    if len(begun) > MOST:
        gap = Gap(path="", reason=GapReason.ANALYSIS_LIMIT, detail=_CUT)
        more = more._replace(gaps=(*more.gaps, gap))
    return more


def _named_as(views: Views, raw: dict[str, View]) -> set[tuple[str, str]]:
    """Paths of files that a command gets by an option, and the name under which each is read."""
    paths: dict[str, list[str]] = {}
    for path in raw:
        paths.setdefault(posixpath.basename(path), []).append(path)
    return {
        (path, usual)
        for view in views.views
        for name, usual in named_as(view)
        for path in paths.get(name, ())
        if name.lower() != usual and (claimed_kind(usual) is not raw[path].language or usual in _BY_NAME)
    }


def _view(raw: View, language: Kind, usual: str = "") -> View:
    step = Step(kind=RUN_AS, detail=usual or language.value)
    return View(artifact=raw.artifact, text=raw.text, language=language, origin=(*raw.origin, step))


# -- 1: what the skill has run -------------------------------------------------------------------------------


def _ordered(
    bundle: Bundle, views: Views, raw: dict[str, View], limits: Limits
) -> Iterator[tuple[str, Kind]]:
    """Paths of files that are run, and the language in which they are, where it is not the one they have."""
    named: dict[str, list[str]] = {}
    otherwise = _read_otherwise(views)
    for path, view in raw.items():
        name = posixpath.basename(path)
        if view.language not in _BELIEVED or "." not in name or name in otherwise:
            named.setdefault(name, []).append(path)
    if not named:
        return
    names = frozenset(named)
    places = BundlePaths((artifact.path for artifact in bundle.artifacts), (), bundle.beside)
    steps = STEPS
    for view in views.views:
        present = _may_run(view, names)
        folders = view.language is Kind.SHELL and runs_folder(view.text)
        if not present and not folders:
            continue
        if view.language not in _TEXTS:
            for name in present:
                for which in named[name]:
                    if raw[which].language in _LOOSE and _beside_a_shell(view, name):
                        yield which, Kind.SHELL
        orders: Iterable[Order] = ()
        sources: dict[str, str] = {}
        if view.language is Kind.SHELL:
            text = ShellText(
                view, places, script=not view.origin or view.artifact.kind not in PROSE, names=names
            )
            steps -= text.read(view.text[: limits.syntax_bytes], steps).steps
            orders, sources = text.orders, {made.path: made.source for made in text.made if made.source}
        elif view.language in _PROGRAMS:
            from sluicegate.vet.inspect.ordered.calls import ProgramText

            orders = ProgramText(view, names).orders
        else:
            orders = chain(of_prose(view, places), _sentences(view, names))
        for order in orders:
            if folders:
                yield from _in_folder(order, raw, places)
            for path in (order.path, sources.get(posixpath.normpath(order.path), "")):
                for which in named.get(posixpath.basename(_bare(path)), ()) if path else ():
                    language = _language(order, raw[which])
                    if language is not None:
                        yield which, language


def _in_folder(order: Order, raw: dict[str, View], places: BundlePaths) -> Iterator[tuple[str, Kind]]:
    """The files of a folder of which a command runs all: the hooks of git, ``run-parts``, ``for x in hooks/*``."""
    folder = posixpath.normpath(_bare(order.path))
    if folder in places.folders:
        for path, view in raw.items():
            if path.startswith(f"{folder}/") and (language := _language(order, view)) is not None:
                yield path, language


def _read_otherwise(views: Views) -> set[str]:
    """Names of programs that some text gives to the interpreter of another language: ``sh tool.py``."""
    found: set[str] = set()
    for view in views.views:
        shell = view.language is Kind.SHELL and one_of(INTERPRETED, view.text)
        for given in GIVEN.finditer(view.text) if shell else ():
            name = posixpath.basename(given["path"])
            claim, by = claimed_kind(name), interpreted_kind(given["by"]) or Kind.SHELL
            if claim in _BELIEVED and claim is not by and not {claim, by} <= _SCRIPTS:
                found.add(name)
    return found


def _sentences(view: View, names: frozenset[str]) -> Iterator[Order]:
    """Sentences that name a file and what is to run it: "Run the program in `notes.txt` with Python"."""
    for found in _BY.finditer(view.text):
        for word in _WORDS.finditer(found[1]):
            name = posixpath.basename(word[0].rstrip("."))
            if name in names:
                start = found.start(1) + word.start()
                yield Order(name, view, start, start + len(word[0]), Base.SKILL, found[2].lower())


def _bare(path: str) -> str:
    return path.replace(OWN, "").replace(HERE, "").replace(UNKNOWN, "").rstrip("/")


def _may_run(view: View, names: frozenset[str]) -> list[str]:
    """The files, by their names, that a text may have run."""
    if view.language not in _ORDERING or (view.language in _TEXTS and view.origin):
        return []
    words: Iterable[str] = names
    if len(names) > 40:
        words = names.intersection(re.split(r"[\s/\"'`=(){}\[\]<>|;&,:]+", view.text))
    return sorted(name for name in words if name in view.text and _may_be_run(view.text, name))


def _beside_a_shell(view: View, name: str) -> bool:
    """Whether a text of commands, or the line of a long one, has a shell and the name of a file."""
    if len(view.text) <= _SMALL:
        return _SHELL.search(view.text) is not None
    return _stands(view.text, name, lambda line, _: _SHELL.search(line[:_SMALL]) is not None)


def _may_be_run(text: str, name: str) -> bool:
    """Whether a name stands in a line that could have its file run."""
    return _stands(
        text, name, lambda line, at: one_of(_RUNS, line) or _ASSIGNED.search(line[:at]) is not None
    )


def _stands(text: str, name: str, so: Callable[[str, int], bool]) -> bool:
    """Whether a name stands in a line, at a place of it, that is ``so``; true where there are too many to look at."""
    at = text.find(name)
    for _ in range(_PLACES):
        if at == -1:
            return False
        begin, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        if so(text[begin : end if end != -1 else len(text)], at - begin):
            return True
        at = text.find(name, at + len(name))
    return at != -1


def _language(order: Order, raw: View) -> Kind | None:
    """The language in which an ordered file runs; None for the one that it has, and where nobody can say.

    What is run by its own path, with no interpreter named, is run by the shell unless its first line says otherwise.
    """
    language = interpreted_kind(order.by) if order.by else None
    if not order.by and not raw.text.startswith("#!"):
        by_itself = order.view.language not in _TEXTS or "." not in posixpath.basename(raw.path)
        language = Kind.SHELL if by_itself else None
    if language is None or language is raw.language or {language, raw.language} <= _SCRIPTS:
        return None
    return language


# -- 2: what a file says by itself ---------------------------------------------------------------------------


def _told(view: View, limits: Limits) -> Kind | None:
    """The language of which a file is a whole program, where that is not the one it has."""
    text, language = view.text, view.language
    if language is Kind.PYTHON or (language in _DATA and _is_json(text)):
        return None
    if len(text) > limits.syntax_bytes:
        text = _beginning(text, limits.syntax_bytes)
    if _begins_as_program(text):
        if one_of(_PYTHON, text) and _is_python(text):
            return Kind.PYTHON
        if language not in _SCRIPTS and one_of(_JAVASCRIPT_WORDS, text) and _is_javascript(text):
            return Kind.JAVASCRIPT
    if language is Kind.TEXT or language not in PROSE | CODE:
        return Kind.SHELL if _is_commands(text) else None
    return None


def _is_json(text: str) -> bool:
    """Whether a text is JSON, which no program is that does something."""
    import json

    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _begins_as_program(text: str) -> bool:
    """Whether the first line that is not a comment could be one of Python or JavaScript."""
    skipped = _BLANKS.match(text)
    at = skipped.end() if skipped else 0
    line = text[at : at + 200].partition("\n")[0].strip("\ufeff \t\r")
    if not line or line.startswith(("#", "//")):
        return False
    return not line.startswith(_NO_PROGRAM) and (
        _SENTENCE.match(line) is None or line.split(None, 1)[0] in _BEGINS
    )


def _beginning(text: str, most: int) -> str:
    """As much of a text as ends before a line that is not indented."""
    for found in reversed(list(re.finditer(r"\n(?=\S)", text[most // 2 : most]))):
        return text[: most // 2 + found.start()]
    return text[:most]


def _is_python(text: str) -> bool:
    """Whether all of a text is Python that imports or calls something."""
    from sluicegate.vet.inspect.analyzers.pyflow.syntax.parse import unwarned

    try:
        with unwarned():
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, (ast.Call, ast.Import, ast.ImportFrom)) for node in ast.walk(tree))


def _is_javascript(text: str) -> bool:
    """Whether a text, or the first part of a long one, is JavaScript without an error that does something outside."""
    if _JAVASCRIPT.search(text) is None:
        return False
    from sluicegate.vet.inspect.analyzers.jsflow.parse import Pieces

    source = text.encode("utf-8", "surrogatepass")
    tree, _, _ = next(Pieces(len(source)).trees(source, Kind.JAVASCRIPT), (None, 0, b""))
    return tree is not None and not tree.root_node.has_error


def _is_commands(text: str) -> bool:
    """Whether a text is a list of commands: four of five lines are of a script, and some are commands."""
    lines = [line.strip() for line in text.split("\n", _LINES)[:_LINES]]
    lines = [line for line in lines if line and not line.startswith("#")]
    commands = sum(map(is_command, lines))
    others = sum(_SHELL_LINE.match(line) is not None and not is_command(line) for line in lines)
    return commands >= _LEAST and 5 * (commands + others) >= 4 * len(lines)

"""The constants on which a match rests and which its evidence may not show.

What its analyzer says of them (``Match.trace``), and what the text itself shows:

1. Of a program: the statements of the match and of its ``places``, and of the program that it was taken out of; all
   on which these rest (see ``slices``), and the files of data that they name.
2. Of a text that people read: the addresses, files and variables that are named on the lines of the match, and what
   is in these files; and all addresses that the whole text names, for a line may speak of one that stands elsewhere
   ("the address below", a reference, a placeholder in a listing).
3. Of other texts: the lines of the match. Of settings, where the match is not merely words: all that they say, for another
   line gives a variable, a folder or the time; of settings in a text that people read, the listing.
4. Of an artifact without text: its bytes.
5. Of shell text that takes something from outside of it (a parameter, a variable that nothing in it sets, or sets only where
   nobody else did): the whole file. Of this, of other programs that take their arguments or their input, and of programs
   in languages that are not cut into statements for certain: what other files say that start them. Of a variable of the
   environment, what sets or names it. Of all, the files that they name (see ``related``).
6. Of a match that came through other programs of the bundle, or rests on whole files (``Match.files``): all of these, and
   the files that they name. Of a match that rests on other places or findings, what these rest on.
7. Of a match whose evidence is not its text, or has marks that are not seen: that text, letter by letter.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.structures.facts import span_of_lines
from sluicegate.vet.inspect.fingerprints.related import RelatedFiles
from sluicegate.vet.inspect.rule import Match, Subject
from sluicegate.vet.inspect.slices.slicing import Slice, SlicedText
from sluicegate.vet.inspect.slices.statements import SlicedStatement
from sluicegate.vet.intake.bundle import CODE, CONFIG, TEXTUAL, Artifact, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.encoding import digest

_READ = frozenset({Kind.MARKDOWN, Kind.TEXT, Kind.HTML, Kind.LATEX, Kind.LICENSE})
_WORD = lazy(r"[^\s'\"`<>()\[\]{}|;,*]+")
_NAMES = lazy(r"[/~$@\\]|\w\.\w")
"""What stands in a word that names an address, a file or a variable. In one pattern with the word it would cost the square."""
_END = ".,:;!?"
_ADDRESS = lazy(r"://|@\w|\w\.[^\W\d_]{2}|(?:^|\D)\d{1,3}(?:\.\d{1,3}){3}(?!\d)")
"""What stands in a word that may be an address."""
_SETS = lazy(r"(?<![\w$])(\w+)\+?=")
_TAKEN = lazy(r"\$(?:\{[!#]?([A-Za-z_]\w*|[0-9@*]+)(:?[-=?+])?|([A-Za-z_]\w*|[0-9@*]))")
"""What shell text takes: a variable, or a parameter; the sign of what is taken where it is not set."""
_MADE = lazy(r"\$[({]([A-Za-z_]\w*)[)}]|^(?:ARG|ENV)\s+(\w+)|^\s*(\w+)\s*[?:+]?=", re.MULTILINE)
"""Variables of a build; its caller can set each."""
_COMPUTED = lazy(
    r"(?:(?:^|[;&|(`])[ \t]{0,40}(?:cat|source|\.|(?:ba|z)?sh|python3?|node)[ \t]{1,40}|<[ \t]?)[\"']?(?:\$\(|`)[ \t]{0,40}(?:printf|echo|tr|rev|base64|xxd|sed|awk|head|cut)\b",
    re.MULTILINE,
)
"""A file whose name is put together when it is read: it may be any of the bundle."""
_INPUT = lazy(r"\$\{\{|\$\(inputs\.")
"""What a step of a workflow is given by whoever starts it."""
_BUILDS = frozenset({Kind.MAKEFILE, Kind.DOCKERFILE})
_PLACEHOLDER = lazy(r"<[A-Za-z][\w -]{0,40}>")
_ANYWHERE = frozenset(
    "HOME USER PWD OLDPWD PATH SHELL TMPDIR HOSTNAME LOGNAME UID EUID RANDOM SECONDS LINENO IFS LANG TERM".split()
)
"""Variables that every shell has."""
_PARTED = frozenset({Kind.PYTHON, Kind.JAVASCRIPT, Kind.TYPESCRIPT})
"""Languages whose statements are told apart for certain, beside shell."""
_ARGUMENTS = lazy(
    r"\b(?:argv|argparse|parse_args|ArgumentParser|OptionParser|click|typer|fire|docopt|stdin|getpass|fileinput|readline|yargs|commander|minimist)\b"
    r"|\binput ?\(|/dev/stdin"
)
"""What stands in a statement that takes the arguments or the input of a program."""
_VARIABLES = lazy(
    r"\b(?:environ(?:\.(?:get|pop|setdefault))?|getenv|env|ENV)\s*[\[({]\s*[\"']?(\w{1,80})|\benv[.:](\w{1,80})"
    r"|[\"']([A-Z][A-Z0-9_]{2,79})[\"']|\b([A-Z][A-Z0-9]*_[A-Z0-9_]{1,79})\b"
)
"""Variables of the environment, where something takes them: by name, or by a text or a name that looks like one."""
_UNPACKED = lazy(r"\{([^{}]{1,400})\}\s*=\s*process\.env\b")
_JOINED = lazy(r"(?:'\s{0,40}\+?\s{0,40}'|\"\s{0,40}\+?\s{0,40}\")(?=\w)")
"""Between two pieces of one text."""
_ENVIRONMENT = lazy(r"environ|getenv|\benv\b|\bENV\b|dotenv")
_VERBS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "JSON", "UTF"})
"""What is written in capitals beside a request, and is not a variable."""
_LOCK = lazy(r"(?i)(?:\.lock|[.-]lock\.(?:json|ya?ml|toml)|shrinkwrap\.json|\.resolved)$")
_REQUIRED = lazy(
    r"(?i)(?:requirements|constraints)[^/]*\.(?:txt|in|pip)$|(?:^|/)requirements/[^/]+\.(?:txt|in)$"
)
"""Lists of packages, whose options say where all of them come from."""
LONG = 32 * 1024
"""Characters of a text that is looked through together with others; a longer one apart, once for all that rest on it."""
PLACES = 100
"""Places of one match that are looked at one by one."""
_OBEYED = lazy(
    r"(?:PATH|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_INSERT_LIBRARIES|https?_proxy|HTTPS?_PROXY|ALL_PROXY|CURL_HOME|BASH_ENV|NODE_OPTIONS|NODE_PATH|PYTHONPATH"
    r"|PYTHONSTARTUP|GIT_SSH_COMMAND|GIT_PROXY_COMMAND|npm_config_registry|NPM_CONFIG_REGISTRY|PIP_(?:EXTRA_)?INDEX_URL|UV_INDEX_URL|SSL_CERT_FILE"
    r"|REQUESTS_CA_BUNDLE|XDG_CONFIG_HOME|HOME)[\"']?\]?[ \t]{0,4}(?:\+?=(?!=)|,)"
)
"""What sets a variable which programs obey that are started after it."""
_OF_ITSELF = lazy(
    r"(?:open|\bread\w{0,20}|getsource\w{0,20}|Path)\s?\([^\n()]{0,40}__file(?:name)?__|__file__\s?\)\.(?:read|open)|readFile\w{0,20}\(\s?__filename|getsource|linecache"
    r"|\b(?:tail|sed|grep|egrep|awk|head|cat|dd|cut|base64|exec \d{0,3}<)\b[^\n|;]{0,200}(?:\$\{?0\b|\$\{?BASH_SOURCE)|<\s?[\"']?\$\{?0\b"
)
_FOR_EFFECT = lazy(
    r"(?m)^[ \t]*import[ \t]+['\"]?([\w./@-]{1,200})['\"]?[ \t]{0,20};?[ \t\r]{0,20}(?:#[^\n]*)?$|^[ \t]*require\(['\"]([\w./@-]{1,200})['\"]\)"
)
"""An import that gives no name but its own."""

_TOLD, _LOOKED_UP, _SEARCHED, _LISTED = 150, 1_000, 60, 100
"""What counts for how many characters of ``WORK``: one that a slice tells, a name that it looks up, one that the patterns of
this module look at, a listing whose place is compared."""
_COVERED, _COVERING = 6, 1_500
"""The same for a character of a constant, and a constant."""


class _FromOutside(NamedTuple):
    """What one text takes from outside of it."""

    taken: frozenset[str]
    """Parameters, and variables with what is taken where they are not set."""
    variables: frozenset[str]
    """Variables that may be set in the text itself."""
    made: frozenset[str]
    """Variables that whoever starts a build may set."""
    computed: bool
    placeholder: bool


class Traces:
    """The traces of the matches of one bundle; its programs are cut into statements when something matches in them."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._programs: dict[int, SlicedText] = {}
        self._set: dict[str, frozenset[str]] = {}
        self._known: dict[tuple[tuple[int, int, int], ...], tuple[tuple[str, ...], tuple[str, ...]]] = {}
        self._beside: dict[tuple[int, int, int], tuple[View, tuple[str, ...]]] = {}
        self._related = RelatedFiles(subject)
        self._under: dict[str, tuple[str, ...]] = {}
        self._rests: dict[tuple[str, tuple[str, ...], Kind], tuple[str, ...]] = {}
        self._given_to: dict[str, _FromOutside] = {}
        self._environment: dict[str, frozenset[str]] = {}
        self._searched: dict[str, tuple[bool, bool]] = {}
        self._line_texts: dict[tuple[str, Kind, int, int], str] = {}
        self._options: dict[tuple[str, str], tuple[str, ...]] = {}
        self._addressed: dict[str, tuple[str, ...]] = {}

    def of(self, match: Match, *, words: bool = False) -> tuple[str, ...]:
        """All constants of a match; ``words``: it is about what is said, and not about what is done.

        Where the work for the bundle is used up, all of the bundle: any change ends what was accepted.
        """
        if not self._related.spend(0):
            return (*match.trace, self._related.whole)
        found = self._all_of(match, words=words)
        if not self._related.spend(sum(map(len, found)) * _COVERED + len(found) * _COVERING):
            return (*match.trace, self._related.whole)
        return found

    def _all_of(self, match: Match, *, words: bool) -> tuple[str, ...]:
        found = self._of(match)
        if match.view is not None and not words:
            found = (*found, *self._settings(match.view, match))
        if match.files:
            found = (*found, *self._whole(match.files))
        return found

    def _of(self, match: Match) -> tuple[str, ...]:
        view = match.view
        if view is None:
            return (*match.trace, *self._bytes(match.path), *self._at(match.places))
        if view.language in CODE:
            told, rests = self._slice(((view, match.start, match.end), *match.places))
            lines = self._lines(view, match.start, match.end)
            rests = _joined((lines, *rests))
            outside = (
                self._given if view.language is Kind.SHELL or view.language in _BUILDS else self._outside
            )
            return (
                *match.trace,
                *told,
                *outside(view, rests),
                *self._named(view, rests),
                *self._beneath(view),
                *self._addresses(view.artifact),
            )
        shown = view.text[match.start : match.end]
        if match.evidence or not shown.isascii():
            return (*match.trace, f"matched={shown!a}", *self._around(view, match))
        return (*match.trace, *self._around(view, match))

    def _at(self, places: tuple[tuple[View, int, int], ...]) -> Iterator[str]:
        """What places rest on of which the match itself shows nothing; of very many, all of their files."""
        if len(places) > PLACES:
            yield from self._whole(view.path for view, _, _ in places)
            return
        for view, start, end in places:
            if view.language in _READ:
                yield f"lines={self._lines(view, start, end)}"
            yield from self.of(Match(rule="", view=view, start=start, end=end))

    def _settings(self, view: View, match: Match) -> Iterator[str]:
        """All of the settings in which a match stands. Each entry of a lock file says by itself what it is."""
        if view.artifact.kind in CONFIG:
            if _LOCK.search(view.path) is None:
                yield self._related.settings(view.artifact)
        elif view.artifact.kind is Kind.TEXT and _REQUIRED.search(view.path) is not None:
            yield from self._optional(view)
        elif view.path in self._listings:
            first, last = view.artifact_lines(match.start, match.end)
            self._related.spend(len(self._listings[view.path]) * _LISTED)
            for start, end, settings in self._listings[view.path]:
                if start <= first and last <= end:
                    yield settings

    def _optional(self, view: View) -> tuple[str, ...]:
        """The options in a list of packages, and the files that they name; made once."""
        key = (view.path, view.text)
        known = self._options.get(key)
        if known is None:
            lines = (line.strip() for line in view.text.split("\n") if line.lstrip().startswith("-"))
            options = "\n".join(lines)
            named = self._related.named((options,), view.path, Kind.TEXT)
            known = self._options[key] = (f"options={options}", *named)
        return known

    @cached_property
    def _listings(self) -> Mapping[str, list[tuple[int, int, str]]]:
        """The settings in texts that people read: their lines, and a digest of what they say."""
        found: dict[str, list[tuple[int, int, str]]] = {}
        for view in self._subject.views:
            if view.origin and view.language in CONFIG and view.artifact.kind not in CONFIG:
                if view.origin[-1].kind == "fence":
                    first, last = view.artifact_lines(0, len(view.text))
                    settings = f"settings={hashlib.sha256(view.text.encode(errors='replace')).hexdigest()}"
                    found.setdefault(view.path, []).append((first, last, settings))
        return found

    def _whole(self, paths: Iterable[str]) -> Iterator[str]:
        """All that files say, and what they name: those that a value came through, or that start something by themselves."""
        for path in sorted(set(paths)):
            artifact = self._artifacts.get(path)
            if artifact is not None:
                yield f"through={path} {self._related.content(artifact)}"
                if artifact.kind in TEXTUAL:
                    yield from self._related.all_named(artifact)

    def _given(self, view: View, rests: tuple[str, ...]) -> Iterator[str]:
        """What shell text is given from outside: nobody knows by which words of the file, or of its callers."""
        every = [self._from_outside(text) for text in rests]
        taken = {name for each in every for name in each.taken}
        taken |= {name for each in every for name in each.variables - self._assigned(view.text)}
        self._related.spend(sum(len(each.variables) for each in every) * _COVERING)
        if any(each.computed for each in every):
            yield self._related.whole
        if view.artifact.kind in _BUILDS:
            taken |= {name for each in every for name in each.made}
        taken -= _ANYWHERE
        if not taken and not (view.artifact.kind in _READ and any(each.placeholder for each in every)):
            return
        yield f"file={self._related.content(view.artifact)}"
        yield from self._related.callers(view.path)
        for name in sorted(filter(str.isidentifier, taken)):
            yield from self._related.setters(name, view.path)

    def _from_outside(self, text: str) -> _FromOutside:
        """What a text takes from outside; asked once of each, for a large one may stand behind many matches."""
        known = self._given_to.get(text)
        if known is None:
            self._related.spend(len(text) * _SEARCHED)
            taken: set[str] = set()
            variables: set[str] = set()
            for found in _TAKEN.finditer(text):
                name = found[1] or found[3]
                (taken if found[2] or not name.isidentifier() else variables).add(name)
            if _INPUT.search(text) is not None:
                taken.add("@")
            known = self._given_to[text] = _FromOutside(
                taken=frozenset(taken),
                variables=frozenset(variables),
                made=frozenset(name for names in _MADE.findall(text) for name in names if name),
                computed=_COMPUTED.search(text) is not None,
                placeholder=_PLACEHOLDER.search(text) is not None,
            )
        return known

    def _assigned(self, text: str) -> frozenset[str]:
        """The names that shell text sets, found once for each text."""
        if text not in self._set:
            self._set[text] = frozenset(_SETS.findall(text))
        return self._set[text]

    def _outside(self, view: View, rests: tuple[str, ...]) -> Iterator[str]:
        """What a program takes from outside, as far as the bundle says it.

        1. Where it takes its arguments or its input: what those say that start it.
        2. Where it takes a variable of the environment: what sets or names it.
        3. In languages that are not cut into statements for certain, both are asked of the whole program.
        """
        if view.language not in _PARTED:  # 3
            rests = (view.text,)
        searched = [self._search(text) for text in rests]
        if view.language not in _PARTED or any(arguments for arguments, _ in searched):  # 1
            yield from self._related.callers(view.path)
        if any(environment for _, environment in searched):  # 2
            names = {name for text in rests for name in self._variables(text)}
            for name in sorted(names - _ANYWHERE - _VERBS):
                yield from self._related.setters(name, view.path)

    def _search(self, text: str) -> tuple[bool, bool]:
        """Whether a text takes arguments or input, and whether it takes the environment."""
        if text not in self._searched:
            self._related.spend(len(text) * _SEARCHED)
            self._searched[text] = (
                _ARGUMENTS.search(text) is not None,
                _ENVIRONMENT.search(text) is not None,
            )
        return self._searched[text]

    def _variables(self, text: str) -> frozenset[str]:
        """The variables of the environment that a text may take."""
        if text not in self._environment:
            self._related.spend(len(text) * _SEARCHED)
            joined = _JOINED.sub("", text)
            names = {name for found in _VARIABLES.findall(joined) for name in found if name}
            names |= {name for found in _UNPACKED.findall(joined) for name in re.findall(r"\w{1,80}", found)}
            self._environment[text] = frozenset(names)
        return self._environment[text]

    def _beneath(self, view: View) -> tuple[str, ...]:
        """What a program does to all that it starts or asks, wherever in it that stands.

        1. Where it sets a variable that other programs obey.
        2. All of its letters, where it reads its own text.
        3. What it imports for nothing but what the import does.
        """
        raw = self._raw.get(view.path)
        if raw is None:
            return ()
        known = self._under.get(view.path)
        if known is None:
            found = [
                f"obeyed={_lines(raw, each.start(), each.end())}"
                for each in _OBEYED.finditer(raw.text)
                if not raw.text[max(0, each.start() - 1) : each.start()].isidentifier()
            ]  # 1
            if _OF_ITSELF.search(raw.text) is not None:  # 2
                found.append(f"itself={raw.artifact.digest}")
            found += self._whole(self._for_effect(raw))  # 3
            known = self._under[view.path] = tuple(found)
        return known

    def _for_effect(self, raw: View) -> Iterator[str]:
        for plain, required in _FOR_EFFECT.findall(raw.text) if raw.language in _PARTED else ():
            named = plain or required
            last = named.rpartition("/")[2] if "/" in named else named.rpartition(".")[2]
            others = [other.path for other in self._modules.get(_stem(last), ()) if other is not raw]
            if others and self._related.spend(len(raw.text) * _SEARCHED):
                if len(re.findall(rf"\b{re.escape(last)}\b", raw.text)) == 1:
                    yield from others

    def _named(self, view: View, rests: tuple[str, ...]) -> tuple[str, ...]:
        """The files that a text names; asked once for all the matches that rest on the same."""
        if view.language in CODE and view.language not in _PARTED and view.language is not Kind.SHELL:
            rests = (view.text,)
        key = (view.path, rests, view.language)
        if key not in self._rests:
            self._rests[key] = tuple(self._related.named(rests, view.path, view.language))
        return self._rests[key]

    def _around(self, view: View, match: Match) -> tuple[str, ...]:
        """What stands around a match; made once for all the matches on the same lines, which may be long."""
        key = (id(view), *_whole_lines(view, match.start, match.end))
        if key not in self._beside:
            self._beside[key] = view, tuple(self._on_lines(view, match))
        return self._beside[key][1]

    def _on_lines(self, view: View, match: Match) -> Iterator[str]:
        lines = self._lines(view, match.start, match.end)
        if view.language in _READ:
            yield from (f"named={word.rstrip(_END)}" for word in _WORD.findall(lines) if _NAMES.search(word))
            yield from self._addresses(view.artifact)
        else:
            yield f"lines={lines}"
        yield from self._named(view, (lines,))

    def _addresses(self, artifact: Artifact) -> tuple[str, ...]:
        """All that may be an address in a text that people read, but for the names of files of the bundle; made once."""
        if artifact.kind not in _READ:
            return ()
        known = self._addressed.get(artifact.path)
        if known is None:
            text = artifact.data.decode(errors="replace")
            self._related.spend(len(text) * _SEARCHED)
            words = {word.rstrip(_END) for word in _WORD.findall(text) if _ADDRESS.search(word) is not None}
            found = sorted(word for word in words if not self._related.has(word))
            known = self._addressed[artifact.path] = (f"addresses={digest(*found)}",) if found else ()
        return known

    def _lines(self, view: View, start: int, end: int) -> str:
        """``_lines``, as one text for all the matches on the same lines, which may be long."""
        key = (view.text, view.language, *_whole_lines(view, start, end))
        if key not in self._line_texts:
            self._line_texts[key] = _lines(view, start, end)
        return self._line_texts[key]

    def _bytes(self, path: str) -> Iterator[str]:
        artifact = self._artifacts.get(path)
        if artifact is not None and artifact.kind not in TEXTUAL:
            yield f"bytes={hashlib.sha256(artifact.data).hexdigest()}"

    @cached_property
    def _artifacts(self) -> Mapping[str, Artifact]:
        return {artifact.path: artifact for artifact in self._subject.bundle.artifacts}

    def _slice(self, places: tuple[tuple[View, int, int], ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What the slice of these places says, and all of its text."""
        key = tuple((id(view), start, end) for view, start, end in places)
        if key not in self._known:
            found = Slice()
            for view, start, end in places:
                found.add(self._program(view), start, end)
                raw = self._raw.get(view.path) if view.origin else None
                if raw is not None:
                    first, last = view.artifact_lines(start, end)
                    found.add(self._program(raw), *span_of_lines(raw, first, last))
            texts = found.texts()
            told = 0 if len(texts) > 1 else len(texts[0])
            self._related.spend(found.work * _LOOKED_UP + told * _TOLD)
            self._known[key] = tuple(found.told()), texts
        return self._known[key]

    @cached_property
    def _raw(self) -> Mapping[str, View]:
        """The programs as they stand in the bundle, around the commands and texts that were taken out of them."""
        return {view.path: view for view in self._subject.views if not view.origin and view.language in CODE}

    def _program(self, view: View) -> SlicedText:
        known = self._programs.get(id(view))
        if known is None:
            known = self._programs[id(view)] = SlicedText(view.text, view.language, self._imported)
        return known

    def _imported(self, statement: SlicedStatement) -> Iterable[SlicedText]:
        named = {*statement.names, *statement.attributes, *map(_stem, statement.files)}
        return [self._program(view) for name in sorted(named) for view in self._modules.get(name, ())]

    @cached_property
    def _modules(self) -> Mapping[str, list[View]]:
        """The programs of the bundle by the name under which others import them."""
        found: dict[str, list[View]] = {}
        for view in self._subject.views:
            if self._raw.get(view.path) is view:
                folder, _, name = view.path.rpartition("/")
                stem = _stem(name)
                package = stem in ("__init__", "index", "mod")
                found.setdefault(folder.rpartition("/")[2] if package else stem, []).append(view)
        return found


def _stem(name: str) -> str:
    return name.lstrip(".").partition(".")[0]


def _joined(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The short ones of some texts as one."""
    short = "\n".join(text for text in texts if len(text) <= LONG)
    return (short, *(text for text in texts if len(text) > LONG))


def _whole_lines(view: View, start: int, end: int) -> tuple[int, int]:
    """Where the lines begin and end on which the characters from ``start`` to ``end`` stand."""
    first = view.text.rfind("\n", 0, start) + 1
    last = view.text.find("\n", max(end - 1, start))
    return first, last if last != -1 else len(view.text)


def _lines(view: View, start: int, end: int) -> str:
    """The lines of a view on which the characters from ``start`` to ``end`` stand."""
    first, last = _whole_lines(view, start, end)
    return view.text[first:last]

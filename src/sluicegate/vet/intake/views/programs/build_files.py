"""Shell text in files of tools that are not lists of commands: Terraform, Nix, Jenkins, Vagrant, Bazel, Ninja, Maven, MSBuild,
CMake, Snakemake, Nextflow, WDL, tools that are written in Python (invoke, nox, doit, SCons, waf, Tilt), psql, ssh, tmux, vim.

Each tool is a row of a table: by which name its files go, and behind which of its words a text is run by a shell. What stands
there is a string, a here-document, a list of strings, or the rest of the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sluicegate.tuples import NamedTuple
from sluicegate.vet.hints import one_of
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Aligned, Derived, Product, Span
from sluicegate.vet.intake.views.disguises.escapes import entities
from sluicegate.vet.intake.views.view import Step, View, called
from sluicegate.vet.lazy import lazy, seldom
from sluicegate.vet.verdict.types import Gap, GapReason

_MOST = 1000
"""Shell texts of one file."""
_STRING = lazy(
    r"\s*+[rfbuRFBU]{0,2}(?:'''(?P<t>(?:[^'\\]|\\.|'(?!''))*+)'''|\"\"\"(?P<u>(?:[^\"\\]|\\.|\"(?!\"\"))*+)\"\"\""
    r"|\"(?P<d>(?:[^\"\\\n]|\\.)*+)\"|'(?P<s>(?:[^'\\\n]|\\.)*+)'"
    r"|<<[-~]?[\"']?(?P<mark>\w{1,40})[\"']?[^\n]*+\n)",
    re.DOTALL,
)
_LIST = lazy(r"\s*+\[")
_ITEM = lazy(r"[\s,]*+[rfbuRFBU]{0,2}(?:\"((?:[^\"\\\n]|\\.)*+)\"|'((?:[^'\\\n]|\\.)*+)')")
_WORDS = 200
"""Strings of one command."""
_CMAKE_VARIABLE = lazy(r"\$ENV\{(\w++)\}")
_ESCAPED = lazy(r"\\([\"'\\$`])")
_SHELL = lazy(r"(?:/usr)?(?:/bin/)?(?:ba|z|da|k|a)?sh")


class _Tool(NamedTuple):
    """How a tool's files are told and read.

    ``words``: what stands before a shell text. ``line``: the text is the first group of ``words``, to the end of the line
    or between marks; else a string, a here-document or a list follows.
    """

    name: str
    files: re.Pattern[str]
    hints: tuple[str, ...]
    words: re.Pattern[str]
    line: bool = False


_TOOLS = (
    _Tool(
        "terraform", seldom((".tf", ".hcl", ".nomad", ".tofu"), r"\.(?:tf|hcl|nomad|tofu)$"),
        ("command", "inline", "program", "args", "user_data", "interpreter"),
        lazy(r"\b(?:command|inline|program|args|user_data|execute_command)[ \t]*+="),
    ),
    _Tool(
        "nix", seldom((".nix",), r"\.nix$"), ("Hook", "Phase", "cript", "runCommand", "ommand"),
        lazy(
            r"(?:\b\w{0,60}(?:Hook|Phase|[sS]cript|[cC]ommands?|Exec\w{1,20})[ \t]*+="
            r"|\b(?:writeShell\w{1,20}|runCommand\w{0,20})\b"
            r"[^;\n']{0,200})\s*+(?:''(?P<text>(?:[^']|'(?!'))*+)''|\"(?P<short>(?:[^\"\\]|\\.)*+)\")"
        ), line=True,
    ),
    _Tool(
        "jenkins", seldom(("jenkinsfile", ".groovy"), r"(?:^|/)jenkinsfile[^/]*$|\.(?:groovy|jenkinsfile)$"), ("sh", "script"),
        lazy(r"\b(?:sh|bash)\b[ \t]*+\(?\s*+"
             r"(?:(?!script)\w{1,40}+\s*+:\s*+[^,()\n]{1,200}+,\s*+)*+(?:script\s*+:)?(?=\s*+[\"'])"),
    ),
    _Tool(
        "ruby", seldom("vagrantfile rakefile guardfile fastfile podfile brewfile .rake .rb .gemspec .podspec".split(),
                       r"(?:^|/)(?:vagrantfile|rakefile|guardfile|fastfile|podfile|brewfile)$|\.(?:rake|rb|gemspec|podspec)$"),
        ("inline", "sh "),
        lazy(r"\b(?:inline[ \t]*+(?::|=>|=)|(?<![.:\w])sh[ \t(])(?=[ \t]*+(?:[\"']|<<))"),
    ),
    _Tool("bazel", seldom("build workspace module .bzl .bazel".split(),
                           r"(?:^|/)(?:build|workspace|module)(?:\.bazel)?$|\.(?:bzl|bazel)$"), ("cmd",),
          lazy(r"\bcmd(?:_bash)?[ \t]*+=")),
    _Tool("ninja", seldom((".ninja",), r"\.ninja$"), ("command",), lazy(r"(?m)^[ \t]++command[ \t]*+=[ \t]*+([^\n]++)"), line=True),
    _Tool(
        "maven", seldom(("pom.xml", "build.xml"), r"(?:^|/)pom\.xml$|(?:^|/)build\.xml$"), ("-c",),
        lazy(r"(?:<argument>\s*+-\w{0,3}c\s*+</argument>\s*+<argument>([^<]++)"
             r"|<arg[ \t]value=\"-\w{0,3}c\"[ \t]?/?>\s*+<arg[ \t]value=\"([^\"]++)\"|<arg[ \t]line=\"(-\w{0,3}c[^\"]++)\")"), line=True,
    ),
    _Tool(
        "msbuild", seldom(("proj", ".props", ".targets"), r"\.(?:\w{1,4}proj|props|targets)$"), ("<Exec", "BuildEvent"),
        lazy(r"<Exec\b[^<>]{0,400}?\bCommand=\"([^\"]++)\"|<(?:Pre|Post)BuildEvent>([^<]++)<"), line=True,
    ),
    _Tool(
        "cmake", seldom(("cmakelists.txt", ".cmake"), r"(?:^|/)cmakelists\.txt$|\.cmake$"), ("COMMAND",),
        lazy(r"\bCOMMAND\s++((?:\"(?:[^\"\\]|\\.)*+\"|\[\[(?:[^\]]|\](?!\]))*+\]\]|[^()\"\n\[]|\[(?!\[))++)"), line=True,
    ),
    _Tool("nextflow", seldom((".nf",), r"\.nf$"), ('"""', "'''"),
          lazy(r"(?m)^[ \t]*+(?:(?:script|shell|stub)[ \t]*+:\s*+)?(?=\"\"\"|''')")),
    _Tool("wdl", seldom((".wdl",), r"\.wdl$"), ("command",),
          lazy(r"\bcommand\s*+(?:<<<((?:[^>]|>(?!>>))*+)>>>|\{((?:[^{}]|\{[^{}]*+\})*+)\})"), line=True),
    _Tool(
        "python", seldom("noxfile tasks fabfile dodo pavement wscript sconstruct sconscript tiltfile snakefile .smk".split(),
             r"(?:^|/)(?:noxfile|tasks|fabfile|dodo|pavement)\.py$"
             r"|(?:^|/)(?:wscript|sconstruct|sconscript|tiltfile|snakefile)$|\.smk$"),
        ("run", "local", "sudo", "xecute", "exec", "ommand", "shell", "cmd", "rule", "actions", "sh("),
        lazy(
            r"(?:\b(?:run|run_always|run_install|local|sudo|sh|shell|Execute|exec_command|cmd_and_log)\("
            r"|\b(?:rule|cmd|serve_cmd|update_cmd)[ \t]*+=|[\"']actions[\"'][ \t]*+:|\bshell[ \t]*+:"
            r"|\bCommand\((?:[^,\n()]{1,120},){2})(?=\s*+[\[rfbuRFBU]{0,3}[\"'])"
        ),
    ),
    _Tool(
        "psql", seldom((".sql", ".psql", "psqlrc"), r"\.(?:sql|psql)$|(?:^|/)\.?psqlrc$|\.sqliterc$"), ("\\", "rogram", "ROGRAM", ".s"),
        lazy(
            r"(?m)(?:^[ \t]*+(?:\\!|\.(?:shell|system)\b)[ \t]*+([^\n]++)|\\(?:o|g|w)[ \t]*+\|[ \t]*+([^\n]++)"
            r"|\b(?i:program)[ \t]++'((?:[^']|'')++)')"
        ), line=True,
    ),
    _Tool(
        "ssh", seldom(("ssh",), r"(?:^|/)(?:ssh_config|sshd_config)$|(?:^|/)\.?ssh/config$|ssh[\w-]{0,20}\.conf$"),
        ("ommand", "OMMAND", " exec"),
        lazy(r"(?im)^[ \t]*+(?:proxy|local|knownhosts|authorizedkeys|remote|force)command[ \t=]++([^\n]++)"
             r"|\bexec[ \t]++\"([^\"\n]++)\""), line=True,
    ),
    _Tool(
        "tmux", seldom(("tmux",), r"tmux[\w.-]{0,20}\.conf$|\.tmux$|(?:^|/)\.tmux\.conf$"), ("run", "#(", "if"),
        lazy(r"\b(?:run-shell|run|if-shell|if)[ \t]++(?:-\w[ \t]++){0,3}+"
             r"(?:'([^'\n]++)'|\"((?:[^\"\\\n]|\\.)++)\"|([^\n'\"]++))|#\(([^()\n]++)\)"), line=True,
    ),
    _Tool(
        "vim", seldom(("vim", "exrc"), r"(?:^|/)[._]?(?:vimrc|gvimrc|exrc)$|\.vim$"), ("!", "system"),
        lazy(r"(?m)(?:^|[ \t|:])!(?![=~])([A-Za-z~./][^\n]*+)"
             r"|\bsystem(?:list)?\([ \t]*+(?:'([^'\n]++)'|\"((?:[^\"\\\n]|\\.)++)\")"), line=True,
    ),
)  # fmt: skip


@lru_cache(maxsize=64)  # every view of a file asks
def _tool(path: str) -> _Tool | None:
    name = path.lower()
    return next((tool for tool in _TOOLS if tool.files.search(name)), None)


def build_file_views(view: View, limits: Limits) -> Iterator[Product]:
    """A ``command`` view of each shell text in a file of such a tool."""
    name = called(view)
    tool = _tool(name) if name else None
    if tool is None or not one_of(tool.hints, view.text):
        return
    for number, product in enumerate(_texts(view, tool)):
        if number == _MOST:
            detail = f"more than {_MOST} commands in a file of {tool.name}; the rest was not looked at apart"
            yield Gap(path=view.path, reason=GapReason.VIEW_LIMIT, detail=detail)
            return
        yield product


def _texts(view: View, tool: _Tool) -> Iterator[Derived]:
    text = view.text
    for found in tool.words.finditer(text):
        if tool.line:
            at = found.lastindex or 0
            yield _made(view, tool, found[at], found.start(at))
            continue
        if tool.name == "python" and (several := _several(text, found.end())) is not None:
            body, end = several
            where = Span(view.line_of(found.start()), view.line_of(end))
            yield Derived(body, Kind.SHELL, Step("command", tool.name), where)
            continue
        string = _STRING.match(text, found.end())
        if string is not None and string["mark"] is not None:
            yield _made(view, tool, _here(text, string.end(), string["mark"]), string.end())
        elif string is not None:
            at = string.lastindex or 0
            yield _made(view, tool, string[at], string.start(at))
        elif (listed := _listed(text, found.end())) is not None:
            body, end = listed
            where = Span(view.line_of(found.start()), view.line_of(end))
            yield Derived(body, Kind.SHELL, Step("command", tool.name), where)


def _made(view: View, tool: _Tool, body: str, at: int) -> Derived:
    """The view of a shell text that begins at a character of the file."""
    plain = (
        entities(body)
        if tool.name in ("maven", "msbuild")
        else body
        if tool.name == "cmake"
        else _ESCAPED.sub(r"\1", body)
    )
    if tool.name == "maven" and plain.startswith("-"):  # the arguments of a shell that is named apart
        plain = f"sh {plain}"
    if tool.name == "cmake":
        plain = _CMAKE_VARIABLE.sub(r"${\1}", plain.replace("[[", "'").replace("]]", "'"))
    if tool.name in ("terraform", "bazel", "ninja"):  # two dollars stand for one
        plain = plain.replace("$$", "$")
    return Derived(
        plain, Kind.SHELL, Step("command", tool.name), Aligned(view.line_of(at)), verbatim=plain == body
    )


def _here(text: str, start: int, mark: str) -> str:
    """A here-document, up to the line of its mark; all of the text where that is missing."""
    at = start
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end == -1 else end
        if text[at:end].strip() == mark:
            return text[start:at]
        at = end + 1
    return text[start:]


def _several(text: str, at: int) -> tuple[str, int] | None:
    """A command that a call is given as several strings, and its end: its words, or parts of one text without commas."""
    first = _ITEM.match(text, at)
    if first is None:
        return None
    words, end = [_item(first)], first.end()
    while (item := _ITEM.match(text, end)) is not None and len(words) < _WORDS:
        if "," in text[end : item.start(item.lastindex or 0)]:
            words.append(_item(item))
        else:
            words[-1] += _item(item)
        end = item.end()
    if len(words) > 1 and (_SHELL.fullmatch(words[0]) or not any(" " in word for word in words)):
        return _joined(words), end
    return (words[0], end) if end > first.end() and len(words) == 1 else None


def _joined(words: list[str]) -> str:
    import shlex  # any program may be a build file by its name, and few are

    return shlex.join(words)


def _item(found: re.Match[str]) -> str:
    return _ESCAPED.sub(r"\1", found[1] if found[1] is not None else found[2])


def _listed(text: str, at: int) -> tuple[str, int] | None:
    """The commands of a list of strings, and its end: one for each, or the words of one that begins with a shell."""
    begun = _LIST.match(text, at)
    if begun is None:
        return None
    at, words = begun.end(), list[str]()
    while (item := _ITEM.match(text, at)) is not None:
        words.append(_item(item))
        at = item.end()
    if not words:
        return None
    if words[0].startswith("-") and len(words) > 1:  # the arguments of a shell that is named apart
        return words[1], at
    if _SHELL.fullmatch(words[0]):
        return _joined(words), at
    return "\n".join(words), at

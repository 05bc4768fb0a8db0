"""Whether a text may order to run a file: looks that cost little, for the texts that need not be read."""

from __future__ import annotations

import re

from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.ordered.commands.interpreters import WITH_ANY_NAME
from sluicegate.vet.inspect.ordered.commands.runs import SUFFIX
from sluicegate.vet.inspect.ordered.places import BundlePaths, is_data
from sluicegate.vet.lazy import lazy

FILE_BELOW = lazy(rf"/[\w.-]*{SUFFIX}(?!\w)")
IN_SCRIPTS = lazy(r"scripts/[\w-]++(?![.])")
GIVEN = lazy(
    r"(?<![\w./-])(?P<by>(?:ba|z|da|k|a|fi)?sh|python[\d.]{0,5}|node|perl|ruby|php|source|\.)[ \t]++(?:-[\w-]++[ \t]++)*+"
    r"[\"']?(?P<path>[\w~${}.-]*+(?:/[\w./-]++|(?<=\.)\w{2,10}(?![\w/]))|[\w-]++\.\w{2,10}(?![\w./]))"
)
"""What an interpreter is given: a path, or a name with a suffix."""
PROGRAM = lazy(rf"(?<![\w.@$}}-])\w[\w.-]{{0,80}}{SUFFIX}(?![\w/]|[.-]\w)", re.IGNORECASE)
"""The name of a program, however a command gets it: as an argument, as its input, through a pipe."""
ANY_NAME = lazy(
    r"(?<![\w./@$}-])(?:(?:ba|z|da|k|a|fi|c|tc)?sh|source|\.|cat|python[\d.]{0,5}|perl|ruby|php)[ \t]++(?:-[\w-]++[ \t]++)*+(?P<path>\w[\w.-]*+)(?![/:=])"
    r"|(?<![\w./@$}-])\./(?P<here>[\w-]++)(?![\w./-])|[ =](?P<steps>[\w-][\w.-]{0,80}\.(?:mk|mak|gdb|vim|just|el|exp|cron))(?![\w./-])"
)
"""A name without a suffix that an interpreter gets, or that a command runs from where it stands."""
_OTHER = lazy(r"[\w-]\.(?:sql|node|so|dylib|dll|wasm)(?![\w/]|[.-]\w)", re.IGNORECASE)
_OTHER_HINTS = (".sql", ".node", ".so", ".dylib", ".dll", ".wasm")
"""Statements of a database, and machine code that is loaded."""
_LOADED = lazy(r"[ \t]-[rI] ?\.{0,2}/?[\w-]|\bPYTHONPATH=|\bpython[\d.]{0,5}[ \t]+-m[ \t]+\w{1,60}\.\w")
_LOADED_HINTS = ("ruby", "perl", "-m ", "PYTHONPATH=")
"""What an interpreter loads by a name without a suffix, by an option."""
INTERPRETED = ("sh ", "sh\t", "python", "node", "perl", "ruby", "php", "source", ". ", ".\t", "cat ", "cat\t")
"""One of them stands before every file that an interpreter is given by the two patterns of these."""
_OF_STEPS = ("./", ".mk", ".mak", ".gdb", ".vim", ".just", ".el", ".exp", ".cron")
"""One of them, or of those above, stands in every match of ``ANY_NAME``."""
_FROM_HERE = (
    "__file__",
    "__dirname",
    "import.meta",
    "homedir",
    "Path.home",
    "expanduser",
    "process.env.HOME",
    "__DIR__",
    "__dir__",
    "__FILE__",
    "FindBin",
    "file.path(",
    "require_relative",
    "PSScriptRoot",
    "MyInvocation",
    "PSCommandPath",
    "~dp0",
    "..\\",
    "USERPROFILE",
)
"""One of them stands in a program that puts a path together."""
_LOADS_NEAR = ('"./', "'./", "`./", '"../', "'../", "`../")
"""How a module begins that is loaded from the folder of its program, or from one above."""
LOADS_BY_NAME = (
    "run_path", "exec(", "CDLL", "LoadLibrary", "dlopen", "ffi.Library", "koffi.load", "run_module", "import_module",
)  # fmt: skip
"""One of them stands in a program that may load another by a name without a folder."""
CALLERS = (
    "subprocess",
    "os.",
    "exec",
    "spawn",
    "system",
    "Popen",
    "check_",
    "fork(",
    "getoutput",
    "run_path",
)
"""One of them stands in every call by which a program in Python or JavaScript starts another."""
_ABSOLUTE = lazy(r"/(?:opt|home|Users|root|tmp|var|srv|mnt|private|Volumes)/")
_LEAVES = ("~/", "HOME", "XDG_")
_TILDE = lazy(r"~[a-z_][\w-]{0,40}/")
_UPWARDS = lazy(r"\.\.(?![\w.])(?<!\.\.\.)")
_PUT_TOGETHER = lazy(
    r"\b(?:LD_PRELOAD|DYLD_INSERT_LIBRARIES)=[^\n]{0,80}/|\b(?:make|just|psql|gdb|emacs|n?vim?)[ \t][^\n]{0,120}?-[\w-]{1,20}[ =]?[\w.-]{0,80}/"
    r"|\b(?:(?:ba|z|da|k)?sh|python[\d.]{0,4}|node|ruby|perl|source)[ \t]+[\"']?[\w./-]{0,200}/\$\{?\w|/\{[\w./-]{0,80},|\{[\w.-]{0,80}/[\w./-]{0,200},|\bset --[ \t]"
    r"|\bpython[\d.]{0,4}[ \t]+-m +\w{1,60}\.\w|\b(?:expect|runghc|rust-script|nu(?= )|kotlinc)[ \t][^\n]{0,80}/"
)
"""Paths that a program is given in parts, or by an option; and programs whose files have suffixes of their own."""
_PUT_TOGETHER_HINTS = (
    "LD_PRELOAD=", "DYLD_INSERT", "/$", "{", "set --", "-m ", "make", "just", "psql", "gdb", "emacs", "vi ", "vim", "expect", "runghc", "rust-script",
    "nu ", "kotlinc",
)  # fmt: skip
"""One of them stands in every match of that."""
_FOLDER_RUN = lazy(r"(?i)\b(?:hookspath|templatedir)\b|(?-i:--template[ =]|\brun-parts\b|[\w-]/[\w.-]*\*)")
"""How a command names a folder of which all is run, or a pattern of files."""
_FOLDER_HINTS = ("git", "run-parts", "*")
"""One of them stands in every such command."""
_LONG = 4_096
_GIVEN_ANY_HINTS = tuple(f"{name} " for name in sorted(WITH_ANY_NAME))
_GIVEN_ANY = lazy(
    rf"\b(?:{'|'.join(sorted(WITH_ANY_NAME))})[ \t][^\n]{{0,120}}?[\w-]\.[A-Za-z]\w{{0,9}}(?![\w/.-])"
)
"""An interpreter of which no suffix of its programs is known here, and a file that it may be given."""
_TO_FOLDER = lazy(r"\b(?:cd|pushd)[ \t]+[\"']?(?:\./)?([\w-][\w./-]{0,80})")
_IDLE = frozenset(
    "mkdir ls cat rm rmdir grep rg head tail less chmod chown stat du wc diff tree file nano #".split()
)
"""Commands that neither run a file nor make one."""
_SEVERAL = lazy(r"[|;&`<>]|\$\(")
_TO_ITS_FOLDER = lazy(r"\b(?:cd|pushd)[ \t][^\n;&|]{0,80}(?:dirname|BASH_SOURCE|%/\*|:h\b)")
"""How a script goes to the folder in which it stands."""
_OF_PATHS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./@+-")


def runs_folder(text: str) -> bool:
    """Whether a text of commands may name a folder of which all is run."""
    return one_of(_FOLDER_HINTS, text) and _FOLDER_RUN.search(text) is not None


def _given_any(text: str) -> bool:
    """Whether an interpreter of programs with any suffix may be given one. To look for each name costs more in a long text."""
    return (len(text) > _LONG or one_of(_GIVEN_ANY_HINTS, text)) and _GIVEN_ANY.search(text) is not None


def leaves(text: str) -> bool:
    """Whether a path out of the skill may stand in a text."""
    return (
        any(word in text for word in _LEAVES)
        or _UPWARDS.search(text) is not None
        or _TILDE.search(text) is not None
        or _ABSOLUTE.search(text) is not None
    )


def program_may_run(text: str) -> bool:
    """Whether a path of which a program could run or load a file may stand in its text."""
    near = one_of(_LOADS_NEAR, text)
    if near or one_of(_FROM_HERE, text) or leaves(text) or FILE_BELOW.search(text) is not None:
        return True
    return one_of(CALLERS, text) and (PROGRAM.search(text) or ANY_NAME.search(text)) is not None


def may_run(text: str, places: BundlePaths) -> bool:
    """Whether a text of commands may order a file that the skill does not have."""
    interpreted, dotted = one_of(INTERPRETED, text), "." in text
    return (
        bool(places.beside)
        or (leaves(text) and not all(map(_idle, text.split("\n"))))
        or any(_may_be_absent(text, found, places) for found in FILE_BELOW.finditer(text))
        or (interpreted and any(_given_absent(found, places) for found in GIVEN.finditer(text)))
        or (dotted and any(not places.has_named(found[0]) for found in PROGRAM.finditer(text)))
        or any(
            not places.has_named(found["path"] or found["here"] or found["steps"])
            for found in (ANY_NAME.finditer(text) if interpreted or one_of(_OF_STEPS, text) else ())
        )
        or runs_folder(text)
        or (dotted and one_of(_OTHER_HINTS, text) and _OTHER.search(text) is not None)
        or (one_of(_LOADED_HINTS, text) and _LOADED.search(text) is not None)
        or (dotted and _given_any(text))
        or (_TO_ITS_FOLDER.search(text) is not None and GIVEN.search(text) is not None)
        or (one_of(_PUT_TOGETHER_HINTS, text) and _PUT_TOGETHER.search(text) is not None)
        or (
            one_of(("cd ", "pushd ", "cd\t"), text)
            and any(places.of_scripts(found[1]) for found in _TO_FOLDER.finditer(text))
        )
        or (
            "scripts/" in text
            and any(_may_be_absent(text, found, places) for found in IN_SCRIPTS.finditer(text))
        )
    )


def _given_absent(found: re.Match[str], places: BundlePaths) -> bool:
    """Whether the word that an interpreter is given may be a file, of whatever suffix, that the skill does not have."""
    if "/" in found["path"]:
        return _may_miss(found["path"], places)
    return is_data(found["path"]) and not places.known(found["path"])


def _idle(line: str) -> bool:
    """Whether a line is one command that runs nothing and makes no file, or stays within the skill."""
    return not leaves(line) or (
        line.split(None, 1)[0] in _IDLE and _SEVERAL.search(line) is None and not line.endswith("\\")
    )


def _may_be_absent(text: str, found: re.Match[str], places: BundlePaths) -> bool:
    """Whether the path of which this is the end is not a file of the skill, and may be taken for one."""
    start, least = found.start(), max(0, found.start() - 200)
    while start > least and text[start - 1] in _OF_PATHS:
        start -= 1
    if text[start - 1 : start] == "$":  # what the variable stands for is not known here
        start = text.index("/", start)
    return _may_miss(text[start : found.end()], places)


def _may_miss(path: str, places: BundlePaths) -> bool:
    if places.known(path.lstrip("/")):
        return False
    # Behind a variable or a quote, or from "./", it may start from the skill or the script, whatever its folder.
    return path[0] in "/." or "scripts/" in path or path.rpartition("/")[0] in places.folders

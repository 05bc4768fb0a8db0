"""Which files a command runs: the script of an interpreter, what is sourced, a program named by its path.

A command on PATH, a module (``python -m``), a package (``npx tool``) and a program that stands in the command itself
(``sh -c``) are no files.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.lazy import lazy

SUFFIX = (
    r"\.(?:sh|bash|zsh|ksh|fish|command|py|pyw|pyz|js|mjs|cjs|jsx|ts|mts|cts|tsx|rb|pl|php|lua|r|ps1|psm1|bat|cmd|vbs|scpt|applescript"
    r"|jar|go|swift|exe|tcl|jl|exs?|groovy|kts|awk|bin|run|appimage|AppImage|R)"
)
"""How the names of programs end."""
NAMED = lazy(rf"{SUFFIX}$", re.IGNORECASE)

SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish"})
_PYTHONS = lazy(r"(?:python|pypy|ipython)[\d.]*")
_INTERPRETERS = SHELLS | frozenset(
    "perl ruby node nodejs deno bun tsx ts-node php lua luajit rscript osascript pwsh powershell tclsh julia groovy elixir "
    "java dotnet jshell swift wscript cscript cmd".split()
)
_RUNNERS = frozenset(
    "uv uvx poetry pipenv pdm rye hatch pixi conda mamba micromamba npx bunx pnpm yarn npm mise direnv dotenv varlock srun mpirun mpiexec "
    "torchrun accelerate deepspeed streamlit coverage go cargo op doppler infisical rlwrap script watch parallel flock chrt taskset "
    "strace ltrace gdb valgrind entr nodemon pm2 forever concurrently cross-env tmux screen at batch ssh docker arch".split()
)
_ANY_PATH = frozenset(
    "watch parallel flock entr script nodemon taskset chrt strace ltrace gdb valgrind batch".split()
)
"""Those among them of which any path is a command."""
_OF_PROJECTS = {
    "npm": ("--prefix", "-C"), "pnpm": ("--dir", "-C"), "yarn": ("--cwd",), "make": ("-C", "--directory", "-f", "--file"),
    "gmake": ("-C", "--directory", "-f", "--file"), "uv": ("--directory", "--project", "--from", "--with"), "uvx": ("--from", "--with"),
    "pipx": ("--spec",), "cargo": ("--manifest-path", "--path"), "go": ("-C",), "just": ("-f", "--justfile", "-d"),
    "pip": ("-e", "--editable"), "pip3": ("-e", "--editable"), "npx": ("-p", "--package"), "crontab": (), "task": ("-d", "-t"),
}  # fmt: skip
"""Commands that run what a folder or file holds, and the options that name it."""
_FOLDERS_RUN = frozenset({"npx", "bunx", "crontab", "uvx", "pip", "pip3", "pipx"})
"""Those of which an operand may be the folder or file."""
"""Commands that may start another one, or a file, somewhere among their words."""
_WRAPPERS = frozenset(
    "sudo doas env nohup exec command builtin time nice ionice stdbuf setsid timeout gtimeout caffeinate unbuffer chronic eatmydata "
    "torsocks proxychains proxychains4 firejail busybox xargs eval start open & then do else if while until !".split()
)
_WITH_VALUE = frozenset(
    {"-u", "-g", "-n", "-C", "-k", "-s", "-I", "-P", "-L", "-d", "--user", "--signal", "-S"}
)
_LOADS = frozenset(
    {
        "-r",
        "--require",
        "--import",
        "--loader",
        "--experimental-loader",
        "--rcfile",
        "--init-file",
        "--preload",
    }
)
"""Options of interpreters whose value is a file that runs too."""
_VALUES = frozenset(
    {"-X", "-W", "-O", "-o", "-ExecutionPolicy", "-ep", "-cp", "-classpath", "--classpath", "--project", "-I", "-C",
     "--env-file", "--conditions", "--config", "--tsconfig", "-l"}
)  # fmt: skip
_INSIDE = frozenset(
    {
        "-e",
        "--eval",
        "-p",
        "--print",
        "-m",
        "-Command",
        "-EncodedCommand",
        "-enc",
        "-E",
        "-pe",
        "-ne",
        "-pie",
        "/c",
        "/C",
    }
)
"""Options after which the program stands in the command itself, or is a module."""
_CHECKS = frozenset({"--check", "--version", "-V", "--help", "-h"})
_SUBCOMMANDS = frozenset({"run", "test", "exec", "serve", "watch", "-jar", "-File", "-file", "-f"})
_SOURCES = frozenset({"source", "."})
_DEEPEST = 8


def base_name(word: str) -> str:
    """The name of a command without its folder and suffix."""
    return word[word.rfind("/") + 1 :].lower().removesuffix(".exe")


class FileRun(NamedTuple):
    """A file that a command runs, and the name of what reads it; none where the file is itself the command."""

    path: str
    by: str = ""


def files(words: Sequence[str], stdin: Sequence[str] = ()) -> list[str]:
    """The files that the command of these words runs; ``stdin``: those that it reads as its input."""
    return [run.path for run in runs(words, stdin)]


def runs(words: Sequence[str], stdin: Sequence[str] = ()) -> list[FileRun]:
    """The same with what reads them."""
    at, found = 0, list[FileRun]()
    for _ in range(_DEEPEST):
        if at >= len(words):
            return found
        word = words[at]
        name = base_name(word)
        if name == "env" and any(word in ("-S", "--split-string") for word in words[at : at + 8]):
            words, at = [*" ".join(words[at + 1 :]).replace("-S ", "", 1).split()], 0
            continue
        if name in _SOURCES:
            return [*found, *(FileRun(path, "sh") for path in words[at + 1 : at + 2])]
        if name in _WRAPPERS and "/" not in word.strip("/"):
            at = _behind(words, at, name)
        elif name in _INTERPRETERS or _PYTHONS.fullmatch(name):
            if "/" in word:
                found.append(FileRun(word))
            return found + [FileRun(path, name) for path in _of_interpreter(words[at + 1 :], name, stdin)]
        elif name in _OF_PROJECTS and (held := _held(words, at, name)):
            return found + [FileRun(path) for path in held]
        elif name == "find":
            return found + _found(words[at + 1 :])
        elif name in _RUNNERS and "/" not in word:
            step = _started(words, at + 1, name)
            if step is None:
                return found
            at = step
        else:
            # A program by its path, whatever it is called; behind a runner also a script by its name.
            return [*found, FileRun(word)] if "/" in word or (at and NAMED.search(word)) else found
    return found


def _behind(words: Sequence[str], at: int, name: str) -> int:
    """The place of the command that a wrapper runs."""
    at += 1
    while at < len(words):
        word = words[at]
        if word in _WITH_VALUE and name in ("sudo", "doas", "nice", "xargs", "timeout", "env"):
            at += 2
        elif (
            word.startswith("-") or ("=" in word and "/" not in word.partition("=")[0]) or word[:1].isdigit()
        ):
            at += 1
        else:
            return at
    return at


def _held(words: Sequence[str], at: int, name: str) -> list[str]:
    """The folders and files out of the skill whose content a command of a package manager or builder runs."""
    options = _OF_PROJECTS[name]
    held = [words[n + 1] for n in range(at, len(words) - 1) if words[n] in options]
    if name in _FOLDERS_RUN and (not name.startswith("pip") or "install" in words or "run" in words):
        held += words[at + 1 :]
    return [path for path in held if path.startswith(("../", "~", "/", "$")) and path.strip("./")]


def _found(words: Sequence[str]) -> list[FileRun]:
    """The files that ``find`` gives to an interpreter, or runs: those of the folders in which it looks."""
    at = next((n for n, word in enumerate(words) if word in ("-exec", "-execdir", "-ok", "-okdir")), None)
    if at is None or at + 1 >= len(words):
        return []
    places = [word for word in words[:at] if "/" in word and not word.startswith("-")][:4]
    name = base_name(words[at + 1])
    if name in _INTERPRETERS or _PYTHONS.fullmatch(name) or name in _SOURCES or words[at + 1] == "{}":
        by = "sh" if name in _SOURCES else "" if words[at + 1] == "{}" else name
        return [FileRun(path, by) for path in places]
    return runs(words[at + 1 :])


def _started(words: Sequence[str], at: int, runner: str) -> int | None:
    """The place of what a runner starts: an interpreter, a wrapper, or a file with the suffix of a program."""
    for place in range(at, min(len(words), at + 40)):
        word = words[place]
        name = base_name(word)
        if word.startswith("-"):
            continue
        if name in _INTERPRETERS or _PYTHONS.fullmatch(name) or NAMED.search(word):
            return place
        if runner in _ANY_PATH and "/" in word:
            return place
    return None


def _of_interpreter(words: Sequence[str], name: str, stdin: Sequence[str]) -> list[str]:
    """The files among the arguments of an interpreter: what it loads, and its script."""
    found, at = list[str](), 0
    while at < len(words):
        word = words[at]
        if word in _LOADS and name not in SHELLS - {"bash"} and at + 1 < len(words):
            if "/" in words[at + 1] or NAMED.search(words[at + 1]):
                found.append(words[at + 1])
            at += 2
        elif word in _SUBCOMMANDS:
            at += 1
        elif word == "-n" if name in SHELLS else word in _CHECKS:  # reads it, or nothing, and runs nothing
            return found
        elif (
            word in _INSIDE
            or (name in SHELLS and re.fullmatch(r"-[A-Za-z]*c[A-Za-z]*", word))
            or word == "-c"
        ):
            return found
        elif word in _VALUES:
            at += 2
        elif word in ("-", "-s") or word.startswith("/dev/"):
            return found + list(stdin)
        elif word == "--":
            at += 1
        elif word.startswith(("-", "+")):
            at += 1
        else:
            return [*found, word]
    return found + list(stdin)

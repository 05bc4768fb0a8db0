"""What an interpreter runs or loads by its words: its script, files and folders that its options name, its input."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.lazy import lazy

SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "rbash"})
_PYTHONS = lazy(r"(?:python|pypy|ipython)[\d.]*")
_NO_FILE = frozenset({"--check", "--version", "-V", "--help"})
"""Options with which nothing is run."""
_PATHS = lazy(r"[:;,]")


class _Options(NamedTuple):
    """Options of one kind of interpreter.

    ``loads``: the value is a file that is run, too; ``folders``: one from which code is loaded; ``values``: any other.
    ``inside``: the program stands in the command itself; with ``both``, a script may follow it. ``words``: what stands
    before the script.
    """

    loads: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    inside: re.Pattern[str] = lazy(r"-e|--eval")
    both: bool = False
    words: frozenset[str] = frozenset()


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NODE = _Options(
    loads=_set("-r --require --import --loader --experimental-loader --preload"),
    values=_set("-C --conditions --env-file --input-type --title --config --tsconfig --tsconfig-override --project -P -O --cwd"),
    inside=lazy(r"-e|--eval|-p|--print|-pe|-c"),
    words=_set("run test exec watch serve"),
)  # fmt: skip
_DENO = _Options(
    loads=_set("--preload --import"), values=_set("--config -c --import-map --lock -L --env-file --cert --v8-flags"),
    inside=lazy(r"-e|--eval|eval"), words=_set("run test serve bench watch"),
)  # fmt: skip
_LUA = _Options(folders=_set("-l"), values=_set("-e"), both=True)
_POWERSHELL = _Options(
    values=_set("-executionpolicy -ep -ex -exec -version -windowstyle -w -workingdirectory -wd -inputformat -outputformat -configurationname"),
    inside=lazy(r"-c|-command|-e|-ec|-enc|-encodedcommand"), words=_set("-file -f"),
)  # fmt: skip
_JAVA = _Options(
    folders=_set("-cp -classpath --class-path --classpath -p --module-path"), values=_set("--add-modules --add-opens --add-exports"),
    inside=lazy(r"-m|--module"), words=_set("-jar"),
)  # fmt: skip
_R = _Options(loads=_set("-f --file"), values=_set("-g --gui --encoding"), words=_set("CMD BATCH"), both=True)
_SHELL = _Options(values=_set("-o -O +o +O"), inside=lazy(r"-(?=[^c]*c)[A-Za-z]++"))
_PYTHON = _Options(values=_set("-X -W --check-hash-based-pycs"), inside=lazy(r"-[A-Za-z]*[cm]"))
_PERL = _Options(folders=_set("-I"), inside=lazy(r"-[A-Za-z0-9]*[eE]"))
_RUBY = _Options(
    loads=_set("-r --require"),
    folders=_set("-I"),
    values=_set("-C -E --encoding"),
    inside=lazy(r"-[a-z0-9]*e"),
)
_PHP = _Options(
    loads=_set("-f --file -F --process-file"), values=_set("-c -z -S -t -B -R -E --process-begin --process-code --process-end -d --define"),
    inside=lazy(r"-r|--run"),
)  # fmt: skip
_OTHER = _Options(
    loads=_set("-r"), values=_set("-pa -pz -o -I"), words=_set("run r test exec -script -f --script --load")
)
_KINDS = {
    **dict.fromkeys(SHELLS, _SHELL), "bash": _SHELL._replace(loads=_set("--rcfile --init-file")),
    **dict.fromkeys(("node", "nodejs", "bun", "tsx", "ts-node"), _NODE), "deno": _DENO, "perl": _PERL, "ruby": _RUBY, "php": _PHP,
    **dict.fromkeys(("lua", "luajit"), _LUA), **dict.fromkeys(("java",), _JAVA),
    **dict.fromkeys(("pwsh", "powershell"), _POWERSHELL), "r": _R, "rscript": _R._replace(loads=frozenset()),
    "groovy": _Options(folders=_set("-cp --classpath"), values=_set("-c")), "cmd": _Options(inside=lazy(r"/[ckCK]")),
    "osascript": _Options(values=_set("-l -s")), "tclsh": _Options(), "jshell": _Options(values=_set("--class-path")),
    "julia": _Options(loads=_set("-L --load"), values=_set("-t -p -J --threads"), inside=lazy(r"-[eE]|--eval|--print")),
    "dotnet": _Options(values=_set("--project -c -f"), words=_set("run test exec script")),
}  # fmt: skip
_GLUED = frozenset({"perl", "ruby", "lua", "luajit", "php"})
"""Interpreters whose options of one letter are followed by their value without a blank."""
_SET_BY_PHP = lazy(r"(?:auto_prepend_file|auto_append_file|(?:zend_)?extension|opcache\.preload)=(.+)")
_LIB_OF_PERL = lazy(r"-Mlib=(.+)")
_AGENT_OF_JAVA = lazy(r"-(?:javaagent|agentpath):([^=]+)")
_ENDS_IN_O = lazy(r"-[A-Za-z]*[oO]")
"""An option of a shell that takes a word: ``-euo pipefail``."""


def is_interpreter(name: str) -> bool:
    """Whether a command of this name runs programs that stand in files."""
    return name in _KINDS or name in _OTHERS or _PYTHONS.fullmatch(name) is not None


def is_python(name: str) -> bool:
    """Whether a command is Python under one of its names."""
    return _PYTHONS.fullmatch(name) is not None


_OF_STEPS = frozenset(
    "tclsh osascript jshell make gmake just gdb vim nvim vi emacs awk gawk mawk sed gsed crontab".split()
)
"""Commands beside interpreters that run what a file of steps says, where its name has a suffix."""
_OTHERS = frozenset(
    "elixir mix swift wscript cscript expect wish runghc runhaskell rust-script nu kotlinc kotlin scala amm xonsh elvish raku racket guile ghci stack "
    "octave gnuplot maxima sage ocaml sbcl ecl clisp clojure clj bb escript crystal nim zig dart zx bpftrace stap dtrace frida papermill mshta gjs "
    "groovysh io janet hy coconut lein mojo pike rexx regina spidermonkey qjs d8 hermes wasmtime wasmer stata fab inv invoke scons".split()
)
_SOURCES = (".java", ".csx", ".groovy")
"""Suffixes of programs that are read as they are written, by what else runs what was built."""
WITH_ANY_NAME = frozenset({*_OTHERS, "java", "dotnet"} - {"swift", "stack"})
"""Interpreters whose programs have suffixes of their own."""


def reads_any_name(name: str, path: str) -> bool:
    """Whether the word that an interpreter gets is a file, whatever it is called, and no word of its own."""
    if name in SHELLS or is_python(name) or name in ("perl", "ruby", "php", "source"):
        return True
    return "." in path and (name in _OTHERS or name in _OF_STEPS or path.endswith(_SOURCES))


def gives_line(option: str) -> bool:
    """Whether an option of a shell says that the next word is the line to run: ``-c``, ``-lc``."""
    return option[:1] == "-" and "c" in option and option[1:].isascii() and option[1:].isalpha()


def of_interpreter(
    words: Sequence[str], name: str, stdin: Sequence[str], program: re.Pattern[str]
) -> list[str]:
    """The files among the arguments of an interpreter: what it loads, and its script.

    ``program`` is how the names of programs end.
    """
    options = _KINDS.get(name) or (_PYTHON if is_python(name) else _OTHER)
    found, at = list[str](), 0
    while at < len(words):
        word = words[at].lower() if options is _POWERSHELL and words[at][:1] == "-" else words[at]
        given = _value(words, at, options.loads | options.folders, glued=name in _GLUED)
        if given is not None:
            value, step = given
            found += _of_value(value, program, folder=_named(word, options.folders))
            at += step
            if name in ("r", "php") and found:
                return found  # its script
        elif word in options.words:
            at += 1
        elif word == ":::" or (word == "{}" and ":::" in words):  # parallel gives it each of these
            return found + [each for each in words[words.index(":::") + 1 :] if each[:1] != ":"]
        elif word == "-n" if name in SHELLS else word in _NO_FILE:  # reads it, or nothing, and runs nothing
            return found
        elif options.inside.fullmatch(word) is not None:
            if not options.both:
                return found
            at += 2
        elif word in options.values or (name in SHELLS and _ENDS_IN_O.fullmatch(word) is not None):
            found += _set_files(words[at + 1 : at + 2])
            at += 2
        elif word == "-" or (word == "-s" and name in SHELLS) or word.startswith(("/dev/", "/proc/self/fd/")):
            return found + list(stdin)
        elif word.startswith(("-", "+")) or (name in ("wscript", "cscript") and word.startswith("//")):
            found += _set_files([word])
            at += 1
        else:
            return [*found, word]
    return found + list(stdin)


def _named(word: str, options: frozenset[str]) -> bool:
    return any(word == option or word.startswith(option) for option in options)


def _value(words: Sequence[str], at: int, options: frozenset[str], *, glued: bool) -> tuple[str, int] | None:
    """The value of one of these options, and how many words it takes."""
    word = words[at]
    if word in options:
        return (words[at + 1], 2) if at + 1 < len(words) else None
    for option in options:
        if word.startswith(option + "="):
            return word[len(option) + 1 :], 1
        if glued and len(option) == 2 and word.startswith(option) and not word.startswith("--"):
            return word[2:], 1
    return None


def _of_value(value: str, program: re.Pattern[str], *, folder: bool) -> list[str]:
    """The files of the value of an option; of folders, those out of the skill."""
    if folder:
        return [path for path in _PATHS.split(value) if path.startswith(("../", "..", "~", "/", "$", "\0"))]
    return [value] if "/" in value or program.search(value) is not None else []


def _set_files(words: Sequence[str]) -> list[str]:
    """Files that a setting in an option names: PHP's ``-d auto_prepend_file=``, Perl's ``-Mlib=``, Java's ``-javaagent:``."""
    found: list[str] = []
    for word in words:
        for pattern in (_SET_BY_PHP, _LIB_OF_PERL, _AGENT_OF_JAVA):
            if (given := pattern.search(word)) is not None and "/" in given[1]:
                found.append(given[1])
    return found

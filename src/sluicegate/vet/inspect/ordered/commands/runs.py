"""Which files a command runs: the script of an interpreter, what is sourced, a program named by its path.

A command on PATH, a module (``python -m``), a package (``npx tool``) and a program that stands in the command itself
(``sh -c``) are not files.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from sluicegate.known.commands.git_programs import git_runs
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.ordered.commands.given import OPTIONS, given_lines, given_scripts
from sluicegate.vet.inspect.ordered.commands.interpreters import (
    is_interpreter,
    is_python,
    of_interpreter,
    reads_any_name,
)
from sluicegate.vet.inspect.ordered.commands.projects import TAKERS, of_project
from sluicegate.vet.lazy import lazy

SUFFIX = (
    r"\.(?:sh|bash|zsh|ksh|fish|command|py|pyw|pyz|js|mjs|cjs|jsx|ts|mts|cts|tsx|rb|pl|php|lua|r|ps1|psm1|bat|cmd|vbs|scpt|applescript"
    r"|jar|go|swift|exe|tcl|jl|exs?|groovy|kts|awk|sed|bin|run|appimage|AppImage|R)"
)
"""How the names of programs end."""
NAMED = lazy(rf"{SUFFIX}$", re.IGNORECASE)
OTHER = lazy(r"\.(?:sql|node|so|dylib|dll|wasm)$", re.IGNORECASE)
"""How the names of other files end that are run where something takes them: statements of a database, machine code to load."""

_RUNNERS = frozenset(
    "uv uvx poetry pipenv pdm rye hatch pixi conda mamba micromamba npx bunx pnpm yarn npm mise direnv dotenv varlock srun mpirun mpiexec "
    "torchrun accelerate deepspeed streamlit coverage go cargo op doppler infisical rlwrap script watch parallel flock chrt taskset "
    "strace ltrace gdb valgrind entr wsl su runuser unshare nsenter systemd-run flatpak-spawn chroot setpriv prlimit numactl bwrap proot fakeroot "
    "dbus-run-session xvfb-run pdb cprofile profile runpy debugpy viztracer scalene nodemon pm2 forever concurrently cross-env tmux screen at batch ssh docker arch pytest py.test flask "
    "blender freecad gimp houdini hython maya mayapy qgis_process locust celery gunicorn k6 playwright cypress behave robot".split()
)
"""Commands that may start another one, or a file, somewhere among their words."""
_ANY_PATH = frozenset(
    "watch parallel flock entr script nodemon taskset chrt strace ltrace gdb valgrind batch".split()
)
"""Those among them of which any path is a command."""
_READS_LINES = frozenset({"at", "batch"})
"""Those among them that give what they read to a shell."""
_ELSEWHERE = frozenset({"ssh", "docker"})
"""Those among them whose command runs where the files of this machine are not."""
_MOUNTS = frozenset({"-v", "--volume", "--mount", "compose", "exec"})
"""What gives a container files of this machine, or names one that may have them."""
_OF_UV = frozenset("install list pin find dir upgrade uninstall update-shell".split())
"""What ``uv python`` does with versions of Python."""
_BETWEEN = lazy(r"&&|\|\||[;|&\n]")
_MAKE = ("-C", "--directory", "-f", "--file", "--makefile")
_GRADLE = ("-p", "--project-dir", "-b", "--build-file", "-I", "--init-script", "-c", "--settings-file")
_IMAGE = ("-f", "--file", "--build-context")
_EDITOR = ("--install-extension",)
_OF_PROJECTS = {
    "npm": ("--prefix", "-C"), "pnpm": ("--dir", "-C"), "yarn": ("--cwd",), "bun": ("--cwd",), "npx": ("-p", "--package"),
    "make": _MAKE, "gmake": _MAKE, "ninja": ("-C", "-f"), "cmake": ("-S", "-P", "-C", "--build", "--install"), "meson": ("-C",),
    "uv": ("--directory", "--project", "--from", "--with"), "uvx": ("--from", "--with"), "pipx": ("--spec",),
    "pip": ("-e", "--editable"), "pip3": ("-e", "--editable"), "poetry": ("-C", "--directory", "-P", "--project"),
    "cargo": ("--manifest-path", "--path"), "go": ("-C",), "swift": ("--package-path",), "dotnet": ("--project",),
    "mvn": ("-f", "--file"), "mvnw": ("-f", "--file"), "gradle": _GRADLE, "gradlew": _GRADLE, "ant": ("-f", "-file", "-buildfile"),
    "docker": _IMAGE, "podman": _IMAGE, "nerdctl": _IMAGE, "buildah": _IMAGE, "docker-compose": ("-f", "--file", "--project-directory"),
    "just": ("-f", "--justfile", "-d", "--working-directory"), "task": ("-d", "--dir", "-t", "--taskfile"), "rake": ("-f", "--rakefile"),
    "bundle": ("--gemfile",), "composer": ("-d", "--working-dir"), "terraform": ("-chdir",), "tofu": ("-chdir",),
    "code": _EDITOR, "code-insiders": _EDITOR, "codium": _EDITOR, "cursor": _EDITOR, "windsurf": _EDITOR,
    "dpkg": ("-i", "--install"), "rpm": ("-i", "-U", "-ivh", "-Uvh", "--install", "--upgrade"), "installer": ("-pkg",),
    "crontab": (), "apt": (), "apt-get": (), "dnf": (), "yum": (), "apk": (), "pacman": (), "snap": (), "brew": (), "gem": (),
    **dict.fromkeys(("awk", "gawk", "mawk"), ("-f", "--file", "--include", "-i")),
    **dict.fromkeys(("vim", "nvim", "vi", "view"), ("-S", "-u")), "sqlite3": ("-init", "--init"), "systemctl": (),
    **dict.fromkeys(("sed", "gsed"), ("-f", "--file")), "gdb": ("-x", "--command"), "emacs": ("-l", "--load", "--script"),
    **dict.fromkeys(("webpack", "rollup", "vite", "vitest", "jest", "mocha", "eslint", "gulp"), ("-c", "--config", "--gulpfile", "-r", "--require")),
    "gunicorn": ("-c", "--config"), "nox": ("-f", "--noxfile"), "tox": ("-c", "--conf"), "psql": ("-f", "--file"),
    **dict.fromkeys(("kubectl", "oc"), ("-f", "--filename", "-k", "--kustomize")),
    **dict.fromkeys(("mysql", "mariadb"), ("--defaults-file", "--defaults-extra-file")),
    "wget": ("-i", "--input-file", "--config"), "aria2c": ("-i", "--input-file", "--conf-path"), "curl": ("-K", "--config"),
    "rclone": ("--config",), **dict.fromkeys(("ssh", "scp", "sftp", "autossh"), ("-F",)), "rsync": ("--config",),
    "tmux": ("-f",), "screen": ("-c",), "ansible-playbook": (), "nix": (), "nix-shell": (), "nix-build": (), "earthly": (), "bunx": (),
}  # fmt: skip
"""Commands that run what a folder or file holds, or install it, and the options that name it."""
_OF_SCRIPTS = frozenset({"awk", "gawk", "mawk", "sed", "gsed"})
"""Those among them that read a script as an interpreter does: one in the skill is meant, too."""
_STEPS = {
    **dict.fromkeys(("make", "gmake"), ("-f", "--file", "--makefile")), "just": ("-f", "--justfile"), "psql": ("-f", "--file"), "gdb": ("-x", "--command"),
    **dict.fromkeys(("vim", "nvim", "vi"), ("-S",)), "emacs": ("-l", "--load", "--script"),
}  # fmt: skip
"""Those among them of which a file of steps in the skill is meant, too, and the options that name it."""
_OF_STEPS = lazy(r"^[\w.-]*\.(?:mk|mak|awk|sed|gdb|vim|just|el)$")
"""The name of a file of steps: what it is given to runs it, as an interpreter does."""
CLIENTS = frozenset(
    "psql cockroach usql trino presto vsql impala-shell mongosh mongo mysql mariadb mycli pgcli litecli bq sqlplus isql sqlite3 sqlite duckdb sqlcmd"
    " clickhouse clickhouse-client clickhouse-local snowsql hive beeline spark-sql redis-cli wrangler".split()
)
"""Clients of databases: what they are given runs there, and in their own process."""
_OF_SETTINGS = frozenset(
    "wget aria2c curl rclone ssh scp sftp autossh rsync tmux screen vim nvim vi view mysql mariadb emacs psql".split()
)
"""Those among them whose file holds the user's settings, where it is the one that the user has anyway."""
_USERS_OWN = lazy(
    r"^(?:~|\$\{?HOME\}?)/(?:\.config/|\.ssh/|\.[\w.-]{1,40}(?:rc|\.conf|\.cnf|\.el)$|\.[\w-]{1,40}/config)"
)
_WITH_SCRIPT = lazy(r"-[nErsuz]+f")
"""Letters of ``sed`` of which the last takes the script."""
_INSTALLS = frozenset({"install", "i", "add", "link", "ci", "exec", "dlx"})
_IMAGES = frozenset({"build", "buildx", "bud", "bake"})
_OPERANDS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("npx", "bunx", "uvx", "crontab", "ansible-playbook", "nix-shell", "nix-build", "earthly", "dpkg", "rpm"), frozenset()),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), _INSTALLS),
    **dict.fromkeys(("pip", "pip3", "pipx"), frozenset({"install", "run", "wheel"})),
    **dict.fromkeys(("uv", "apt", "apt-get", "dnf", "yum", "snap", "brew", "gem"), frozenset({"install", "localinstall", "reinstall", "add"})),
    **dict.fromkeys(("docker", "podman", "nerdctl", "buildah"), _IMAGES),
    "go": frozenset({"run", "test", "install", "generate"}), "dotnet": frozenset({"run", "test"}), "apk": frozenset({"add"}),
    "pacman": frozenset({"-U", "--upgrade"}), "nix": frozenset({"run", "develop", "shell", "build"}), "meson": frozenset({"setup"}),
    "systemctl": frozenset({"enable", "reenable", "link", "start"}),
}  # fmt: skip
"""Those of which an operand may be the folder or file, and the subcommands that run it; no subcommand for any."""
_OF_OPTIONS = frozenset(
    "--cache --userconfig --globalconfig --target -t --root --prefix --tag --secret --output -o --log --cache-dir "
    "--iidfile --cache-from --cache-to --build-arg --label --ssh --modules-folder --store-dir --registry --cert --key --cafile "
    "-i --inventory --private-key --key-file --vault-password-file --vault-id --platform --metadata-file --binDir --bindir".split()
)
"""Options whose value may be a path of which nothing is run."""
_WRAPPERS = frozenset(
    "sudo doas env nohup exec command builtin time nice ionice stdbuf setsid timeout gtimeout caffeinate unbuffer chronic eatmydata "
    "torsocks proxychains proxychains4 firejail busybox toybox wine wine64 mono box64 coproc xargs eval start open xdg-open call & then do else if while until !".split()
)
_WITH_VALUE = frozenset(
    {
        "-u",
        "-g",
        "-n",
        "-C",
        "-k",
        "-s",
        "-I",
        "-P",
        "-L",
        "-d",
        "-D",
        "-a",
        "-E",
        "--user",
        "--signal",
        "-S",
        "--chdir",
    }
)
_SOURCES = frozenset({"source", "."})
_HOOKS_OF_PROJECTS = frozenset({".git/hooks", ".githooks", ".husky", ".husky/_", ".lefthook"})
"""Where projects keep the programs that git runs for them."""
_FROM_HERE = (".bat", ".cmd")
"""How programs are named that Windows looks for where one stands."""
_OF_SYSTEM = (
    "/usr/bin/",
    "/bin/",
    "/usr/local/bin/",
    "/usr/sbin/",
    "/sbin/",
    "/lib/",
    "/lib64/",
    "/usr/lib/",
    "/usr/lib64/",
)
_LOADERS = ("ld-linux", "ld-musl", "ld.so", "qemu-")
"""How the names of those programs begin that load another one."""
_DEEPEST = 8
_NESTED = 20
"""Commands inside one another that are followed."""


def base_name(word: str) -> str:
    """The name of a command without its folder and suffix."""
    return word[word.rfind("/") + 1 :].lower().removesuffix(".exe")


class FileRun(NamedTuple):
    """A file that a command runs, and the name of what reads it; none where the file is itself the command.

    ``given``: the command is one that is given files of a project, or folders, and the path may be no program.
    ``folder``: it is a folder, and the command runs what is in it. ``module``: it is the name of a module of Python.
    """

    path: str
    by: str = ""
    given: bool = False
    folder: bool = False
    module: bool = False


def is_program(run: FileRun, words: Sequence[str] = ()) -> bool:
    """Whether a path that the command of these words runs is surely a program, and not one of the user's project."""
    if run.given or run.module or of_project(run.path, words):
        return False
    if run.by in CLIENTS:
        from sluicegate.vet.inspect.ordered.commands.databases import statements_of_user

        return not statements_of_user(run.path)
    if run.by and OTHER.search(run.path) is not None:
        return True
    named = run.folder or run.path.startswith("./") or NAMED.search(run.path) is not None
    return named or (run.by != "" and reads_any_name(run.by, run.path))


def files(words: Sequence[str], stdin: Sequence[str] = ()) -> list[str]:
    """The files that the command of these words runs; ``stdin``: those that it reads as its input."""
    return [run.path for run in runs(words, stdin) if not run.module]


def runs(words: Sequence[str], stdin: Sequence[str] = (), depth: int = 0) -> list[FileRun]:
    """The same with what reads them. ``depth``: so many commands stand around this one (``git bisect run find -exec …``);
    nobody nests that many, and of a deeper one the last word is taken for what it runs."""
    if depth > _NESTED:
        return [FileRun(path, "sh") for path in words[-1:]]
    at, found, given = 0, list[FileRun](), False
    for _ in range(_DEEPEST):
        if at >= len(words):
            return found
        word = words[at]
        name = base_name(word)
        for line in given_lines(name, words[at + 1 :]) if name in OPTIONS else ():
            found += of_line(line, depth=depth + 1) or [
                FileRun(each, "sh") for each in line.split()[:1] if "." in each[1:]
            ]
        if name in CLIENTS and "/" not in word:
            from sluicegate.vet.inspect.ordered.commands.databases import of_client

            given_to = of_client(name, words[at + 1 :], stdin)
            found += [FileRun(path, name) for path in given_to if _USERS_OWN.search(path) is None]
        if name == "env" and any(word in ("-S", "--split-string") for word in words[at : at + 8]):
            words, at = [*" ".join(words[at + 1 :]).replace("-S ", "", 1).split()], 0
            continue
        if "/" not in word and (inside := _inside(name, words[at + 1 :], stdin, depth + 1)) is not None:
            return found + inside
        if _is_wrapper(name) and ("/" not in word.strip("/") or word.startswith(_OF_SYSTEM)):
            at = _behind(words, at, name)
        elif name in _OF_PROJECTS and (held := _held(words, at, name)):
            itself = [FileRun(word)] if "/" in word else []
            held_run = [
                FileRun(path, given=True) if _OF_STEPS.search(path) is None else FileRun(path, name)
                for path in held
            ]
            return found + itself + held_run
        elif is_interpreter(name):
            if "/" in word:
                found.append(FileRun(word))
            module = is_python(name) and next((n for n, w in enumerate(words) if n > at and w[:1] != "-"), 0)
            if module and words[module - 1] == "-m":
                at = module  # a module has the name of its command: python -m pip install FOLDER
                found.append(FileRun(words[at].replace(".", "/"), name, module=True))
                if "." in words[at].strip("."):
                    return found
                continue
            return found + [
                FileRun(path, name, given) for path in of_interpreter(words[at + 1 :], name, stdin, NAMED)
            ]
        elif name in _RUNNERS and "/" not in word:
            lines = [each for each in words[at + 1 : at + 40] if " " in each.strip()]
            for line in lines:  # tmux new -d 'sh x.sh', ssh host 'bash -s' < x.sh
                for part in _BETWEEN.split(line)[:_DEEPEST]:
                    inner = runs(part.split(), stdin, depth + 1) if " " in part.strip() else []
                    found += [run for run in inner if name not in _ELSEWHERE or run.path in stdin]
            found += [FileRun(path, "sh") for path in stdin if name in _READS_LINES or name == "ssh"]
            step = _started(words, at + 1, name)
            if step is None:
                return found
            at, given = step, given or _is_given(words, at, step)
        else:
            # A program by its path, whatever it is called; behind a runner also a script by its name.
            file = "/" in word or word.lower().endswith(_FROM_HERE) or (at and NAMED.search(word))
            if file:
                return [*found, FileRun(word, given=given)]
            return found + [FileRun(path) for path in given_scripts(name, words[at + 1 :])]
    return found


def _inside(name: str, rest: Sequence[str], stdin: Sequence[str], depth: int) -> list[FileRun] | None:
    """What a command runs that takes the commands or the name of their file in a way of its own; None for others."""
    if name in _SOURCES:
        return [FileRun(path, "sh") for path in rest[:1]]
    if name == "find":
        return _found(rest, depth)
    if name == "crontab" and rest and "." in rest[-1][1:]:
        return [FileRun(rest[-1], name)]
    lines: Sequence[Sequence[str]] | None = None
    if name == "trap" and len(rest) > 1:
        lines = [part.split() for part in re.split(r"[;&|\n]+", rest[0])]
    elif name == "git":
        return _by_git(rest, stdin, depth)
    elif name == "run-parts":
        return [FileRun(word, folder=True) for word in rest if not word.startswith("-")][-1:]
    elif name in ("cmd", "pwsh", "powershell"):
        lines = _line_of(name, rest)
    return None if lines is None else [run for line in lines[:_DEEPEST] for run in runs(line, stdin, depth)]


def _by_git(words: Sequence[str], stdin: Sequence[str], depth: int) -> list[FileRun]:
    found: list[FileRun] = []
    for run in islice(git_runs(words), _DEEPEST):
        if run.folder:
            if posixpath.normpath(run.text) not in _HOOKS_OF_PROJECTS:
                found.append(FileRun(run.text, folder=True))
        elif run.file:
            found.append(FileRun(run.text, "git", given=True))
        else:
            found += of_line(run.text, stdin, depth)
    return found


def of_line(line: str, stdin: Sequence[str] = (), depth: int = 0) -> list[FileRun]:
    """The files that the commands of a line run."""
    return [run for part in _BETWEEN.split(line)[:_DEEPEST] for run in runs(part.split(), stdin, depth)]


def _line_of(name: str, words: Sequence[str]) -> list[list[str]] | None:
    """The commands of the line that a shell of Windows is given; none where it is given none."""
    flags = ("/c", "/k") if name == "cmd" else ("-c", "-command")
    at = next((place for place, word in enumerate(words[:16]) if word.lower() in flags), None)
    if at is None:
        return None
    parts = _BETWEEN.sub("\n", " ".join(words[at + 1 :]).replace("& ", "")).split("\n")
    lines = [[word.strip("\"'{}") for word in part.split()] for part in parts]
    return [line[1:] if line[0] == "." else line for line in lines if line]


def _is_wrapper(name: str) -> bool:
    return name in _WRAPPERS or name.startswith(_LOADERS)


def behind_wrappers(words: Sequence[str]) -> Sequence[str]:
    """The command behind ``sudo``, ``env``, ``timeout 30`` and their like; the words themselves where none stands there."""
    at = 0
    for _ in range(_DEEPEST):
        name = base_name(words[at]) if at < len(words) else ""
        if name not in _WRAPPERS or "/" in words[at].strip("/") or name == "eval":
            break
        at = _behind(words, at, name)
    return words[at:]


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
    """The folders and files out of the skill whose content a command of a package manager or builder runs; scripts in it, too."""
    rest = words[at + 1 :]
    if name in ("docker", "podman", "nerdctl") and _IMAGES.isdisjoint(rest) and "compose" not in rest:
        return []
    if name in _OF_SCRIPTS:
        rest = ["-f" if _WITH_SCRIPT.fullmatch(word) is not None else word for word in rest]
    held = [value for option in _OF_PROJECTS[name] for value in _values(rest, option)]
    if name in _OF_SCRIPTS:
        return [path for path in held if "/" in path or _OF_STEPS.search(path) is not None]
    named = [
        value
        for option in _STEPS.get(name, ())
        for value in _values(rest, option)
        if "/" in value or _OF_STEPS.search(value) is not None
    ]
    if name in _OF_SETTINGS:
        held, named = ([path for path in each if _USERS_OWN.search(path) is None] for each in (held, named))
    wanted = _OPERANDS.get(name)
    if wanted is not None and (not wanted or not wanted.isdisjoint(rest)):
        held += [
            word.removeprefix("file:").removeprefix("link:").removesuffix("/...")
            for place, word in enumerate(rest)
            if not word.startswith("-") and (place == 0 or rest[place - 1] not in _OF_OPTIONS)
        ]
    outside = [path for path in held if path.startswith(("../", "~", "/", "$")) and path.strip("./")]
    return list(dict.fromkeys((*outside, *named)))


def _values(words: Sequence[str], option: str) -> Iterator[str]:
    """The values of an option, wherever they stand: behind it, behind a ``=``, or glued to its letter."""
    for place, word in enumerate(words):
        if word == option:
            yield from words[place + 1 : place + 2]
        elif word.startswith(option + "="):
            yield word[len(option) + 1 :]
        elif len(option) == 2 and word.startswith(option) and not word.startswith("--"):
            yield word[2:]


def _found(words: Sequence[str], depth: int) -> list[FileRun]:
    """The files that ``find`` gives to an interpreter, or runs: those of the folders in which it looks."""
    at = next((n for n, word in enumerate(words) if word in ("-exec", "-execdir", "-ok", "-okdir")), None)
    if at is None or at + 1 >= len(words):
        return []
    places = [word for word in words[:at] if "/" in word and not word.startswith("-")][:4]
    named = [
        word for option, word in pairwise(words[:at]) if option in ("-name", "-iname") and NAMED.search(word)
    ]
    name = base_name(words[at + 1])
    if is_interpreter(name) or name in _SOURCES or words[at + 1] == "{}":
        by = "sh" if name in _SOURCES else "" if words[at + 1] == "{}" else name
        return [
            *(FileRun(path, by, given=True) for path in places),
            *(FileRun(path, by) for path in named[:4]),
        ]
    return runs(words[at + 1 :], depth=depth)


def _is_given(words: Sequence[str], at: int, step: int) -> bool:
    """Whether what a runner starts is given to a command that takes files of a project, or stands on another machine.

    An interpreter that is the value of an option (``--parser tsx``) starts nothing.
    """
    name = base_name(words[at])
    if name in _ELSEWHERE:
        return _MOUNTS.isdisjoint(word.partition("=")[0] for word in words[at:step])
    if is_interpreter(base_name(words[step])):
        return name in TAKERS and words[step - 1][:2] == "--" and words[step - 1] not in ("--", "--yes")
    return any(base_name(word) in TAKERS for word in words[at:step])


def _started(words: Sequence[str], at: int, runner: str) -> int | None:
    """The place of what a runner starts: an interpreter, a wrapper, or a file with the suffix of a program."""
    if runner == "uv" and len(words) > at + 1 and words[at] == "python" and words[at + 1] in _OF_UV:
        return None
    for place in range(at, min(len(words), at + 40)):
        word = words[place]
        name = base_name(word)
        if word.startswith("-"):
            continue
        if word == ":::" and any(before[:1].isalpha() for before in words[at:place]):
            return None  # parallel gives what follows to a command that runs no file
        if is_interpreter(name) or NAMED.search(word):
            return place
        if runner in _ANY_PATH and "/" in word:
            return place
    return None

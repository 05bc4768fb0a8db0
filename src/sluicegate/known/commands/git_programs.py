"""What git is told to run: the settings, options and subcommands that name a program or a folder of programs.

Names of settings are in lower case, as git compares them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sluicegate.patterns import late
from sluicegate.tuples import NamedTuple

RUN_BY_SETTING = late(
    r"""(?xi)
    core\.(?:pager|editor|sshcommand|askpass|gitproxy|alternaterefscommand) | pager\..+ | sequence\.editor
  | diff\.external | diff\..+\.(?:command|textconv) | (?:diff|merge)tool\..+\.(?:cmd|path) | merge\..+\.driver
  | filter\..+\.(?:clean|smudge|process) | gpg\.program | gpg\..+\.(?:program|defaultkeycommand) | interactive\.difffilter
  | uploadpack\.packobjectshook | remote\..+\.(?:uploadpack|receivepack) | sendemail\..*(?:smtpserver|cmd)
  | trailer\..+\.(?:command|cmd) | tar\..+\.command | (?:browser|man)\..+\.(?:cmd|path) | credential(?:\..+)?\.helper
    """
)
"""Settings whose value is a command."""
RUN_WHERE_ON = frozenset({"core.fsmonitor"})
"""Settings whose value is a command, or switches something of git's own."""
FOLDERS = frozenset({"core.hookspath", "init.templatedir"})
"""Settings whose value is a folder of programs that git runs by their names."""
FILES = frozenset({"include.path"})
"""Settings whose value is a file of more settings."""

_RUNS_WORDS = {"bisect": ("run",), "submodule": ("foreach",)}
"""Subcommands of which what follows a word is a command."""
_RUNS_OPTION = {
    "rebase": ("-x", "--exec"), "difftool": ("-x", "--extcmd"), "grep": ("-O", "--open-files-in-pager"),
    "filter-branch": (
        "--tree-filter", "--index-filter", "--msg-filter", "--env-filter", "--parent-filter", "--commit-filter", "--tag-name-filter", "--setup",
    ),
    "clone": ("-u", "--upload-pack"), "fetch": ("--upload-pack",), "pull": ("--upload-pack",), "ls-remote": ("--upload-pack", "--exec"),
    "push": ("--receive-pack", "--exec"), "send-email": ("--smtp-server", "--to-cmd", "--cc-cmd", "--sendmail-cmd"),
    "archive": ("--exec",),
}  # fmt: skip
"""Subcommands that run the value of an option."""
_GOES = frozenset({"-C", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"})
"""Options of git itself that take a word."""
_SETS = frozenset({"set", "--add", "--replace-all"})


class GitRun(NamedTuple):
    """What git is told to run: a command line; with ``folder``, a folder of programs; with ``file``, one of settings."""

    text: str
    folder: bool = False
    file: bool = False


def git_runs(words: Sequence[str]) -> Iterator[GitRun]:
    """What a command of git is told to run by these words, which stand behind its name."""
    at = 0
    while at < len(words) and words[at][:1] == "-":
        if words[at] == "-c" and at + 1 < len(words):
            name, mark, value = words[at + 1].partition("=")
            yield from _of_setting(name, value if mark else "true")
            at += 2
        else:
            at += 2 if words[at] in _GOES else 1
    if at == len(words):
        return
    subcommand, rest = words[at], words[at + 1 :]
    if subcommand == "config":
        named = [word for word in rest if word not in _SETS and not word.startswith("-") and "." in word]
        name = named[0] if named else ""
        yield from _of_setting(name, " ".join(rest[rest.index(name) + 1 :][:1]) if name else "")
    for word in _RUNS_WORDS.get(subcommand, ()):
        if word in rest:
            told = [each for each in rest[rest.index(word) + 1 :] if each != "--recursive"]
            yield GitRun(" ".join(told))
    for option in _RUNS_OPTION.get(subcommand, ()):
        yield from map(GitRun, _values(rest, option))
    if subcommand in ("init", "clone"):
        yield from (GitRun(value, folder=True) for value in _values(rest, "--template"))
    if subcommand == "clone":
        for option in ("-c", "--config"):
            for setting in _values(rest, option):
                name, _, value = setting.partition("=")
                yield from _of_setting(name, value)


def _of_setting(name: str, value: str) -> Iterator[GitRun]:
    name = name.lower()
    if not value:
        return
    if name in FOLDERS:
        yield GitRun(value, folder=True)
    elif name in FILES or (name.startswith("includeif.") and name.endswith(".path")):
        yield GitRun(value, file=True)
    elif name.startswith("alias."):
        yield from [GitRun(value[1:])] if value.startswith("!") else ()
    elif name in RUN_WHERE_ON or RUN_BY_SETTING.fullmatch(name) is not None:
        yield GitRun(value.removeprefix("!"))


def _values(words: Sequence[str], option: str) -> Iterator[str]:
    for place, word in enumerate(words):
        if word == option:
            yield from words[place + 1 : place + 2]
        elif word.startswith(f"{option}="):
            yield word[len(option) + 1 :]

"""The commands that give out what is the user's own: pictures of the screen, databases, the repository, whole folders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sluicegate.known import hosts
from sluicegate.vet.inspect.analyzers.shflow.values import EMPTY, NONE, ShellValue, Tag, join

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.flow import ShellFlow
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall

DUMPS = {
    **dict.fromkeys(
        ("pg_dump", "pg_dumpall", "mysqldump", "mariadb-dump", "mongodump", "mongoexport"), "a database"
    ),
    **dict.fromkeys(("screencapture", "scrot", "grim", "gnome-screenshot", "maim"), "the screen"),
    "history": "the history of the shell",
}
"""What the output of a command, or the file that it writes, shows."""
_INTO = frozenset({"-f", "--file", "--result-file", "-o", "--out", "--output"})

_WITH_VALUE = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"})
HERE = frozenset({".", "./", "*", "./*", "$PWD", "$(pwd)"})
"""Words that stand for the working folder."""


def dumped(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """A command shows what is the user's own, on its output or in a file."""
    tags = frozenset({Tag("own", DUMPS[call.name])})
    words = call.words
    for at, word in enumerate(words[1:], 1):
        name, _, attached = word.partition("=")
        if attached and name in (*_INTO, "--archive"):
            flow.write(call, ShellValue(NONE, attached), ShellValue(tags, ""))
        elif words[at - 1] in _INTO or (DUMPS[call.name] == "the screen" and "." in word and word[0] != "-"):
            flow.write(call, ShellValue(NONE, word), ShellValue(tags, ""))
    return ShellValue(tags, "")


def folder(flow: ShellFlow, word: str) -> frozenset[Tag]:
    """What a command packs that is given the working folder or a folder of the user's own."""
    if word in HERE:
        here = flow.memory.variables.get("PWD")
        if here is None or not here.text:
            return frozenset({Tag("own", "the working folder")})
        return flow.file(here.text)
    return NONE


def repository(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """``git``: names of remotes are remembered, and what is pushed or bundled is the repository."""
    given = call.words[1:]
    while given and given[0].startswith("-"):  # options of git itself
        given = given[2 if given[0] in _WITH_VALUE else 1 :]
    words = [word for word in given if word == "-" or not word.startswith("-")]
    if words[:2] == ["submodule", "foreach"] and len(words) > 2:
        flow.inner(" ".join(words[2:]), call)
        return EMPTY
    whole = frozenset({Tag("own", "the repository")})
    if words[:1] == ["remote"] and words[1:2] in (["add"], ["set-url"]) and len(words) > 3:
        flow.memory.remotes[words[2]] = words[3]
    elif words[:1] == ["config"] and len(words) > 2 and words[1].startswith("remote."):
        name, _, key = words[1].removeprefix("remote.").rpartition(".")
        if key in ("url", "pushurl"):
            flow.memory.remotes[name] = words[2]
    elif words[:1] == ["push"]:
        name = _pushed_to(call.words, words)
        target = flow.memory.remotes.get(name, name)
        if hosts.host_of(target):
            flow.sink("send", target, join(whole, call.tags), call, channel="repository")
    elif words[:1] == ["ls-files"]:
        return ShellValue(NONE, ".")
    elif words[:1] in (["bundle"], ["archive"]):
        for before, word in zip(call.words, call.words[1:], strict=False):
            if before == "-o" or (words[:2] == ["bundle", "create"] and before == "create"):
                flow.write(call, ShellValue(NONE, word), ShellValue(whole, ""))
            elif word.startswith("--output="):
                flow.write(call, ShellValue(NONE, word.removeprefix("--output=")), ShellValue(whole, ""))
        return ShellValue(whole, "")
    return EMPTY


def _pushed_to(words: Sequence[str], operands: Sequence[str]) -> str:
    """The remote of a push: its first operand, or the value of ``--repo``."""
    repo = next((word.removeprefix("--repo=") for word in words if word.startswith("--repo=")), "")
    return repo or (operands[1] if len(operands) > 1 else "origin")

"""Which operations a call of an agent's tool is.

1. A tool that the agent brings along does what ``known.agent_tools`` says. Looking through a folder is the command that does
   that, so that the one reader of commands says what is read: all files, or their names alone.
2. A tool of an MCP server is that tool; its results come from ``src:mcp:SERVER:TOOL``. One whose name does not say that it reads
   (``known.tool_verbs``) may send what it is given: ``net:w``.
3. A skill that is loaded comes from ``src:skill``, what a search engine says from ``src:network``. What the agent does with plans and
   questions of its own is a tool of the runner.
4. A tool that is known to nobody is a tool of the runner, too, an operation labelled ``unknown-tool`` and ``net:w``, and what it says is
   a stranger's.
"""

from __future__ import annotations

import os

from sluicegate.known import agent_tools as known
from sluicegate.reach.hooks.told import HookInputError

TYPE_CHECKING = False  # a hook starts before each call of a tool, and ``typing`` is a tenth of its start
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST = 200
"""Files that one patch may name."""

MOST_ADDRESSES = 20
"""Addresses that one text may name."""

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_AROUND = "\"'`)]}>.,;:!?"
_NAMES = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


class ToolOperation:
    """One operation, as ``flow.daemon.answers`` takes it."""

    __slots__ = ("labels", "operation", "source", "values")

    def __init__(
        self, operation: str, values: Mapping[str, object], labels: tuple[str, ...] = (), source: str = ""
    ) -> None:
        self.operation, self.values, self.labels, self.source = operation, values, labels, source


def operations_of(
    tool: str, given: Mapping[str, object], tools: Mapping[str, known.Tool], server: tuple[str, str] | None
) -> list[ToolOperation]:
    """The operations of one call. ``server``: the MCP server and its tool, where the host says so. Raises HookInputError."""
    if server is not None:  # 2
        name = f"{_word(server[0])}:{_word(server[1])}"
        from sluicegate.known.tool_verbs import reads_by_name

        done = () if reads_by_name(server[1]) else ("net:w",)
        return [ToolOperation(name, given, done, f"src:mcp:{name}")]
    found = tools.get(tool)
    if found is None:  # 4
        return [ToolOperation(_word(tool), given, ("unknown-tool", "net:w"))]
    kind, first, second = found
    if kind == known.SHELL:
        return [ToolOperation("sh", {"code": _code(given, first)})]
    if kind == known.READS:
        return [ToolOperation("read", {"path": _path(_one(given, first, tool))})]
    if kind == known.SEARCHES:
        return [ToolOperation("sh", {"code": _searched(_places(given, first))})]
    if kind == known.LISTS:
        places = " ".join(quoted(_path(each)) for each in _places(given, first))
        return [ToolOperation("sh", {"code": f"ls -R -- {places}"})]
    if kind == known.WRITES:
        return [
            ToolOperation(
                "write", {"path": _path(_one(given, first, tool)), "value": _written(given, second)}
            )
        ]
    if kind == known.PATCHES:
        return list(_patched(_one(given, first, tool)))
    if kind == known.FETCHES:
        return [ToolOperation("fetch", {"url": _one(given, first, tool), "method": "GET"})]
    if kind == known.FETCHES_NAMED:
        return list(_fetched(_one(given, first, tool)))
    if kind == known.LOADS:  # 3
        return [ToolOperation(_word(tool), given, (), f"src:skill:{_word(_one(given, first, tool))}")]
    # A sub-agent's answer and the user's are known by what the session has taken in and heard.
    return [ToolOperation(_word(tool), given, (), "src:network" if kind == known.ASKS else "src:exec")]


def _searched(places: list[str]) -> str:
    """The search as a command. What agents bring along for it (``rg``, ``git grep``) reads nothing that the repository ignores."""
    from sluicegate.known.ignored_files import ignored_names

    ignored = ignored_names(_path(places[0])) if len(places) == 1 else ()
    skipped = [quoted(f"--exclude={name}") for name in ignored]
    return " ".join(("grep -r", *skipped, "-e x --", *(quoted(_path(each)) for each in places)))


def quoted(text: str) -> str:
    """A word of shell text (``shlex.quote`` imports ``re``)."""
    return "'" + text.replace("'", "'\"'\"'") + "'"


def _one(given: Mapping[str, object], names: tuple[str, ...], tool: str) -> str:
    """The argument that says what the tool is about; there has to be exactly one, since nobody knows which counts."""
    found = _maybe(given, names)
    if not found:
        raise HookInputError(f"the tool {tool} is called without {names[0]}")
    return found


def _places(given: Mapping[str, object], names: tuple[str, ...]) -> list[str]:
    """The folders to look through: one, several, or where the agent stands."""
    for name in names:
        found = given.get(name)
        if isinstance(found, list) and found and all(isinstance(each, str) for each in found):
            return found
    return [_maybe(given, names) or "."]


def _maybe(given: Mapping[str, object], names: tuple[str, ...]) -> str:
    several = [given[name] for name in names if given.get(name) is not None]
    if len(several) > 1 or any(not isinstance(each, str) for each in several):
        raise HookInputError(f"{names[0]} is not text, or said twice")
    return str(several[0]) if several else ""


def _code(given: Mapping[str, object], names: tuple[str, ...]) -> str:
    """Shell text, or the words of a command."""
    for name in names:
        found = given.get(name)
        if isinstance(found, list) and found and all(isinstance(each, str) for each in found):
            return " ".join(map(quoted, found))
    code = _one(given, names, "shell")
    directory = _maybe(given, ("workdir", "directory", "dir_path", "cwd"))
    return f"cd {quoted(directory)} && {{\n{code}\n}}" if directory else code


def _path(path: str) -> str:
    """A path as a tool takes it: some read ``~`` as shells do, and where one does not, nothing of the user's lies."""
    return os.path.expanduser(path.removeprefix("file://"))  # noqa: PTH111 - ``pathlib`` takes longer to import than all of this


def _written(given: Mapping[str, object], names: tuple[str, ...]) -> str:
    """All that is written, as one text."""
    import json

    several = [given[name] for name in names if given.get(name) is not None]
    if len(several) == 1 and isinstance(several[0], str):
        return several[0]
    return json.dumps(several, ensure_ascii=False)


def _patched(patch: str) -> Iterator[ToolOperation]:
    """The files that a patch names, each with all of the patch: what goes where is the program's to read."""
    count = 0
    for line in patch.splitlines():
        name = next((line[len(each) :].strip() for each in _NAMES if line.startswith(each)), "")
        if name:
            count += 1
            if count > MOST:
                raise HookInputError(f"a patch names more than {MOST} files")
            yield ToolOperation("write", {"path": _path(name), "value": patch})
    if not count:
        raise HookInputError("a patch names no file")


def _fetched(text: str) -> Iterator[ToolOperation]:
    """The addresses that a text names: each to the next blank, without what stands around it."""
    found = [word for word in text.split() if "://" in word]
    if not found or len(found) > MOST_ADDRESSES:
        raise HookInputError(f"a text names no address, or more than {MOST_ADDRESSES}")
    for word in found:
        start = len(word.partition("://")[0].rstrip(_LETTERS))
        yield ToolOperation("fetch", {"url": word[start:].rstrip(_AROUND), "method": "GET"})


def _word(name: str) -> str:
    """A part of an operation's name."""
    if not name or len(name) > 200 or any(not (c.isalnum() or c in "_-.") for c in name):
        raise HookInputError("a tool has a name that cannot be read")
    return name

"""What is about to happen: operations, their labels, and commands as argument vectors with holes.

    programs = Programs(untrusted=(workspace, *SYSTEM_WRITABLE))
    commit = command("git commit -m {message} -- {path}", programs=programs, cwd=workspace)
    (operation,) = commit.operations({"message": labelled, "path": "notes.md"})
    operation.leaves                          # ("op:cmd:git:commit",): what rules speak of
    operation.labels                          # the join of what goes in
    sketch(operation)                         # what policy is asked before any value is known
    filled = fill(operation, reveal)          # the monitor only: the argument vector
    to_requests(operation, filled=filled)     # what policy is asked about: every one must be permitted
    filled.argv, filled.program.real          # what is run

A template is read once, as its program would read it. What a value could change there (which program runs, an
option, code, a file to read) is refused when the command is defined; what depends on the value is refused
when it is filled, with a way forward. Wrappers, shells, ``find -exec``, ``git -c alias.x=...`` and the like
are seen through: every command that a command starts is a request of its own. What cannot be read is refused,
or is an ``op:sh`` of its own.

    command show log stream output append write read fetch mcp call return_ sign install code    (build)
    Operation Argument Channel Kind Target Reveal                                                 (operation)
    Programs Program SYSTEM_PATH SYSTEM_ROOTS SYSTEM_WRITABLE                                     (programs)
    real Place                   where a path leads             open_path replace make_directories OpenedPath
    host of_url hosts_of         which machine an address names
    decides                      whether an environment variable decides what runs

Limits, which no reading of arguments can lift: what a program does by itself (the Makefile, git's hooks and
configuration, files named in files) is not on the command line; an environment has to hold it. A hard link is
a second name that no path shows. A policy that allows an interpreter by name allows its code; the leaf
(``op:py``, ``op:interpreter:perl``) lets rules speak of it.
"""

from __future__ import annotations

from sluicegate.flow.operations.commands.build import (
    APPEND_LEAVES,
    WRITE_LEAVES,
    CommandDefinition,
    append,
    call,
    check_variable,
    code,
    command,
    fetch,
    fill,
    install,
    log,
    mcp,
    output,
    read,
    return_,
    show,
    sign,
    stream,
    write,
)
from sluicegate.flow.operations.commands.command import CommandStage, Filled
from sluicegate.flow.operations.commands.lookups import DISK, Disk, Lookups, PathEntry
from sluicegate.flow.operations.commands.opened import (
    OpenedPath,
    check_replaceable,
    make_directories,
    open_path,
    replace,
)
from sluicegate.flow.operations.commands.programs import (
    SYSTEM_PATH,
    SYSTEM_ROOTS,
    SYSTEM_WRITABLE,
    ProgramFile,
    Programs,
)
from sluicegate.flow.operations.commands.reading import Effect
from sluicegate.flow.operations.commands.template import CommandTemplate, parse
from sluicegate.flow.operations.commands.variables import decides
from sluicegate.flow.operations.hosts import host, hosts_of, of_url
from sluicegate.flow.operations.operation import Argument, Channel, Operation, OperationKind, Reveal, Target
from sluicegate.flow.operations.paths import SettledPath, real
from sluicegate.flow.operations.requests import sketch, to_requests

__all__ = [
    "APPEND_LEAVES",
    "DISK",
    "SYSTEM_PATH",
    "SYSTEM_ROOTS",
    "SYSTEM_WRITABLE",
    "WRITE_LEAVES",
    "Argument",
    "Channel",
    "CommandDefinition",
    "CommandStage",
    "CommandTemplate",
    "Disk",
    "Effect",
    "Filled",
    "Lookups",
    "OpenedPath",
    "Operation",
    "OperationKind",
    "PathEntry",
    "ProgramFile",
    "Programs",
    "Reveal",
    "SettledPath",
    "Target",
    "append",
    "call",
    "check_replaceable",
    "check_variable",
    "code",
    "command",
    "decides",
    "fetch",
    "fill",
    "host",
    "hosts_of",
    "install",
    "log",
    "make_directories",
    "mcp",
    "of_url",
    "open_path",
    "output",
    "parse",
    "read",
    "real",
    "replace",
    "return_",
    "show",
    "sign",
    "sketch",
    "stream",
    "to_requests",
    "write",
]

"""An operation as one line of text, for tables of expected decisions and for questions about a policy.

    cmd:git push origin main        a command; {name} stands for a value
    read:src/a.py  write:/tmp/x     a file
    fetch:https://api.example.com   a host
    mcp:github:create_issue  call:send  install:skill  show  log  return  sh  py ...
    sh:git push && rm x             text for a shell, part by part

A command is read as it is when it runs, but on paper: nothing on the machine is looked up. A program is taken for
what its name says, a path for a real path. So the same question has the same answer on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sluicegate.flow import operations
from sluicegate.flow.environments.configuration.config import NEVER_SET
from sluicegate.flow.errors import CommandError, LabelError, PolicyError
from sluicegate.flow.labels.names import check, shown
from sluicegate.flow.policy.request import Request
from sluicegate.flow.policy.rules.places import Place, exact_path
from sluicegate.flow.policy.text.vocabulary import OPERATION_KINDS, nearest
from sluicegate.patterns import late

_FILES: Final = {"read": "r", "write": "w", "append": "w", "output": "w"}
_LEAVES: Final = {
    "output": ("op:output:file",),
    "write": operations.WRITE_LEAVES,
    "append": operations.APPEND_LEAVES,
}
_HOME: Final = late(r"(?<!\S)~(?=[/\s]|$)")
_MOST: Final = 10_000
_BINARIES: Final = "/usr/bin"


class RefusedCommand(PolicyError):
    """A command that is refused before any policy is asked: it cannot be read, or a value could change what it is."""


class _Paper:
    """A file system on which every program is where it belongs, and nothing else is known."""

    def entry(self, path: str) -> operations.PathEntry | None:
        directory, _, name = path.rpartition("/")
        if directory == _BINARIES and name:
            return operations.PathEntry("file", 0o755, 1, sum(name.encode()), 1)
        if path in ("/", "/usr", _BINARIES):
            return operations.PathEntry("directory", 0o755, 1, 1, 1)
        return None

    def target(self, path: str) -> str | None:
        return None

    def names(self, path: str) -> tuple[str, ...]:
        return ()

    def head(self, path: str, count: int) -> bytes:
        return b""


class _WithScript(_Paper):
    """The same, where the program that is named by its path is there too."""

    def __init__(self, program: str) -> None:
        self.program = program

    def entry(self, path: str) -> operations.PathEntry | None:
        return operations.PathEntry("file", 0o755, 2, 1, 1) if path == self.program else super().entry(path)


def sketch(
    text: str,
    *,
    place: Place,
    declared: Sequence[str] = (),
    paths: Sequence[str] = (),
    hosts: Sequence[str] = (),
) -> tuple[Request, ...]:
    """The requests that a line stands for; every one of them has to be permitted.

    ``declared`` are operation labels beside its own (``net:w``), ``paths`` further files (``r:PATH``, ``w:PATH``),
    ``hosts`` further hosts. Raises PolicyError; RefusedCommand for a command that never gets to a policy.
    """
    kind, _, rest = text.strip().removeprefix("op:").partition(":")
    if kind not in OPERATION_KINDS:
        raise PolicyError(f"there is no operation {shown(kind)}", hint=nearest(kind, OPERATION_KINDS))
    if len(text) > _MOST:
        raise PolicyError("the operation is too long", hint=f"At most {_MOST} characters.")
    try:
        given = tuple(check(each) for each in declared)
        files = tuple(_file(each, place) for each in paths)
        reached = tuple(_host(each) for each in hosts)
        if kind == "cmd":
            return tuple(_more(each, files, reached) for each in _commands(rest, given, place))
        if kind == "sh" and rest.strip():
            return tuple(_more(each, files, reached) for each in _shell_text(rest, given, place))
        return (_other(kind, rest, given, files, reached, place, text.strip()),)
    except CommandError as error:
        raise RefusedCommand(error.message, hint=error.hint) from None
    except LabelError as error:
        raise PolicyError(error.message, hint=error.hint) from None


def _commands(text: str, declared: tuple[str, ...], place: Place) -> list[Request]:
    written = _HOME.sub(place.home, text.strip())
    first = written.split(maxsplit=1)[0] if written else ""
    if "/" in first and not first.startswith("{"):
        program = exact_path(first, place, follow=True)
        lookups: operations.Lookups = _WithScript(program)
        written = program + written[len(first) :]
    else:
        lookups = _Paper()
    command = operations.command(written, programs=_programs(lookups), cwd=place.base, labels=declared)
    values = dict.fromkeys(command.template.holes)
    return [
        request
        for operation in command.operations(values)
        for request in operations.sketch(operation, lookups=lookups)
    ]


def _shell_text(text: str, declared: tuple[str, ...], place: Place) -> tuple[Request, ...]:
    lookups = _Paper()
    operation = operations.code("sh", text, labels=declared, base=place.base, programs=_programs(lookups))
    return operations.to_requests(operation, reveal=lambda value: value, lookups=lookups)


def _programs(lookups: operations.Lookups) -> operations.Programs:
    return operations.Programs(
        path=(_BINARIES,),
        bins=(_BINARIES,),
        roots=("/usr",),
        untrusted=(),
        lookups=lookups,
        unset=frozenset(NEVER_SET),
    )


def _more(request: Request, files: tuple[tuple[str, str], ...], hosts: tuple[str, ...]) -> Request:
    if not files and not hosts:
        return request
    return Request(
        kind=request.kind,
        leaves=request.leaves,
        command=request.command,
        paths=(*request.paths, *files),
        hosts=(*request.hosts, *hosts),
        whole=request.whole,
        shown=request.shown,
        unread=request.unread,
        tool=request.tool,
        code=request.code,
    )


def _other(
    kind: str,
    rest: str,
    declared: tuple[str, ...],
    files: tuple[tuple[str, str], ...],
    hosts: tuple[str, ...],
    place: Place,
    text: str,
) -> Request:
    own = _LEAVES.get(kind, (f"op:{kind}",))
    if kind in _FILES and rest:
        files = ((_FILES[kind], exact_path(rest, place, follow=True)), *files)
    elif kind == "fetch" and rest:
        hosts = (_host(rest), *hosts)
    elif kind == "output":
        own = ("op:output:stdout", "op:show")
    elif kind == "install":
        own = (check(f"op:install:{rest}") if rest else "op:install", "privileged")
    elif rest:
        own = (check(f"op:{kind}:{rest}"),)
    leaves = tuple(dict.fromkeys((*own, *declared)))
    tool = rest if kind == "mcp" else ""
    return Request(kind=kind, leaves=leaves, paths=files, hosts=hosts, shown=text, tool=tool)


def _file(text: str, place: Place) -> tuple[str, str]:
    mode, _, path = text.partition(":")
    if mode not in ("r", "w") or not path:
        raise PolicyError(f"{shown(text)} is not a file", hint="Write r:PATH or w:PATH.")
    return mode, exact_path(path, place, follow=True)


def _host(text: str) -> str:
    """The host of an address, or the host itself."""
    found = operations.hosts_of("url", text if "://" in text else f"https://{text}/")
    if len(found) != 1 or not found[0]:
        raise PolicyError(f"{shown(text)} names no host", hint="Write https://api.example.com.")
    return found[0]

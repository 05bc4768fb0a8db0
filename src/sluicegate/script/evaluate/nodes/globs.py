"""``<docs/*.md>``: the files that a pattern of names fits.

1. Each directory that the pattern looks into is listed through the monitor, which policy decides about; then each file is read
   through it. One that may not be read denies the whole.
2. Which names there are tells of the directories, so all that comes of it stands in a branch on their labels.
3. A pattern is what the author wrote: what fills a hole is one name, whatever signs it has. A ``*`` fits no name that begins with a
   dot. ``**`` goes through all directories below, and through no link.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import translate
from glob import escape
from typing import Any, Final

from sluicegate.flow.values import Labeled, asked
from sluicegate.script.evaluate.contents.texts import text_of
from sluicegate.script.evaluate.control import Depends, apply, container, following, settled
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import expressions as x

_SIGNS: Final = frozenset("*?")
_MOST: Final = 10_000
Read = Callable[[object], Value]


def is_glob(node: x.FileExpr) -> bool:
    """Whether a path is a pattern: by what the author wrote, and by no value."""
    return any(isinstance(part, str) and not _SIGNS.isdisjoint(part) for part in node.path)


def matching(run: Run, node: x.FileExpr, scope: RunScope, read: Read) -> Value:
    """A list of ``{ path, content }``, in the order of the paths."""
    values = [
        Labeled(part.replace("[", "[[]"))
        if isinstance(part, str)
        else apply(run, _literal, run.evaluate(part, scope))
        for part in node.path
    ]
    pattern = apply(run, lambda *parts: "".join(parts).strip(), *values)

    def found(depends: Depends) -> Value:
        depends.on(pattern.labels)
        paths = _paths(run, str(asked(pattern)).split("/"), depends)
        return container(
            run, [container(run, {"path": Labeled(each), "content": read(each)}) for each in paths]
        )

    return settled(run, following(run, found, lambda failed: failed))


def _paths(run: Run, segments: list[str], depends: Depends) -> list[str]:
    """The paths that the segments of a pattern fit, in order; all that follows depends on what was listed (2)."""
    first = next(at for at, each in enumerate(segments) if _is_pattern(each))
    if ".." in segments[first:]:
        raise ScriptError("bad-argument", "`..` stands behind a pattern of names", hint="Write it before.")
    paths = ["".join(f"{_plain(each)}/" for each in segments[:first])]
    for at, segment in enumerate(segments[first:], first):
        last = at == len(segments) - 1
        if segment == "**":
            paths = [each for path in paths for each in _all_below(run, path, depends, files=last)]
        else:
            fits = re.compile(translate(segment)).fullmatch
            hidden = segment.startswith(".")
            paths = [
                path + name
                for path in paths
                for name in _names(run, path, depends)
                if fits(name.rstrip("/"))
                and name.endswith("/") != last
                and (hidden or not name.startswith("."))
            ]
        if len(paths) > _MOST:
            raise ScriptError("bad-argument", f"a pattern of names fits more than {_MOST} paths")
    return sorted(paths)


def _names(run: Run, folder: str, depends: Depends) -> list[str]:
    run.budget.step()
    names = settled(run, run.monitor.list_names(folder or "."))
    depends.on(names.labels)
    found: list[str] = asked(names)
    return found


def _all_below(run: Run, folder: str, depends: Depends, *, files: bool) -> list[str]:
    """All files below a directory, or itself and all directories below; none whose name begins with a dot."""
    found, waiting = [] if files else [folder], [folder]
    while waiting:
        path = waiting.pop()
        names = [name for name in _names(run, path, depends) if not name.startswith(".")]
        folders = [path + name for name in names if name.endswith("/")]
        waiting += folders
        found += [path + name for name in names if not name.endswith("/")] if files else folders
        if len(found) > _MOST:
            raise ScriptError("bad-argument", f"a pattern of names fits more than {_MOST} paths")
    return found


def _literal(content: Any) -> str:
    return escape(text_of(content))


def _is_pattern(segment: str) -> bool:
    return not _SIGNS.isdisjoint(segment.replace("[*]", "").replace("[?]", ""))


def _plain(segment: str) -> str:
    for sign in "*?[":
        segment = segment.replace(f"[{sign}]", sign)
    return segment

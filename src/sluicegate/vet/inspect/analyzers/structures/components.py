"""What the manifest of a plugin names as its parts: commands, sub-agents, skills, hooks, servers.

1. A manifest is one of the files by which agents know a plugin, and an entry of the list of a marketplace is one, too.
2. A part stands where the manifest says, counted from the folder of the plugin. One that stands outside of the bundle, or
   is fetched from elsewhere, was not inspected, and is a gap; so is a file of hooks or servers that is not there.
3. A text that is named as a command, a sub-agent or a skill is loaded as one, wherever it stands.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.structures.facts import BundleFacts, base_name
from sluicegate.vet.inspect.analyzers.structures.registry import structure_rule
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.agent_files import PLUGIN_MANIFESTS, folder_of_manifest, folder_of_source
from sluicegate.vet.intake.views.configs.document import ConfigScalar, Path
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

_OBEYED = frozenset({"commands", "agents", "skills", "prompts", "rules", "contextFileName"})
"""Parts that are texts which an agent goes by."""
_SET_UP = frozenset({"hooks", "mcpServers", "lspServers"})
"""Parts that stand in one file, if not in the manifest itself."""
_OTHERS = frozenset({"outputStyles", "policies", "apps", "monitors"})
_ALL = _OBEYED | _SET_UP | _OTHERS
_ONE_PART = frozenset({"path", "source", "file"})
"""Keys below a part that say where it stands."""
_OWN_ROOT = lazy(
    r"^(?:\$\{?(?:CLAUDE_|CODEX_|GEMINI_|CURSOR_)?(?:PLUGIN|EXTENSION)_ROOT\}?|\$\{extensionPath\})/"
)
_ELSEWHERE = lazy(r"^(?:/|~|[A-Za-z]:/|\$)|://")
SHOWN = 160
"""Characters of a path that are shown."""


class Component(NamedTuple):
    """One part that a manifest names: its key, what is written there, and its path in the bundle (None: none)."""

    key: str
    written: str
    path: str | None
    view: View
    line: int


def components(facts: BundleFacts) -> Iterator[Component]:
    """Every part that stands in a file or folder of its own, in order of the manifests."""
    for view in facts.raw:
        base = base_name(view.path).lower()
        if base not in PLUGIN_MANIFESTS and base != "marketplace.json":  # 1
            continue
        config = facts.config(view)
        roots = _roots(view.path, config.document.entries if config is not None else (), base)
        for entry in config.document.entries if config is not None else ():
            at = 2 if base == "marketplace.json" and entry.path[:1] == ("plugins",) else 0
            key = entry.path[at] if len(entry.path) > at else ""
            if key not in _ALL or not isinstance(entry.value, str) or not _is_place(entry.path[at + 1 :]):
                continue
            root = roots.get(entry.path[1] if at else None)
            if root is not None and entry.value.strip():
                path = _placed(root, entry.value)
                yield Component(key=str(key), written=entry.value, path=path, view=view, line=entry.first)


def _is_place(below: Path) -> bool:
    """Whether a value below the key of a part says where it stands, and is not a word of a part that is written there."""
    return len(below) <= 2 and (not below or isinstance(below[-1], int) or below[-1] in _ONE_PART)


def _roots(path: str, entries: Sequence[ConfigScalar], base: str) -> dict[object, str | None]:
    """The folder of the plugin, and that of each entry of a marketplace by its number; None for one that is fetched."""
    folder = folder_of_manifest(path)
    roots: dict[object, str | None] = {None: folder}
    if base == "marketplace.json":
        first = next((str(e.value) for e in entries if e.path == ("metadata", "pluginRoot")), "")
        for entry in entries:
            if len(entry.path) > 1 and entry.path[0] == "plugins":
                if entry.path[2:] in (("source",), ("source", "path")) and isinstance(entry.value, str):
                    source = folder_of_source(entry.value, first)
                    roots[entry.path[1]] = None if source is None else _placed(folder, source)
                else:
                    roots.setdefault(entry.path[1], folder)
    return roots


def _placed(root: str, written: str) -> str | None:
    """The path in the bundle of what is written in a manifest; None where it leads out of it."""
    value = _OWN_ROOT.sub("./", written.strip().replace("\\", "/"))
    if _ELSEWHERE.search(value):
        return None
    path = posixpath.normpath(posixpath.join(root, value))
    return None if path == ".." or path.startswith("../") else "" if path == "." else path


@structure_rule()
def parts(facts: BundleFacts) -> Iterator[Match]:
    """No rule: what it tells are gaps."""
    for part in facts.components:  # 2
        why = ""
        if part.path is None:
            why = "stands outside of the plugin"
        elif part.key in _SET_UP and part.path.endswith(".json") and part.path not in facts.artifacts:
            why = "is not a file of the plugin"
        if why:
            shown = part.written if len(part.written) <= SHOWN else f"{part.written[:SHOWN]}..."
            detail = f"line {part.line}: {part.key} from {shown}, which {why}"
            facts.gaps.add(Gap(path=part.view.path, reason=GapReason.NOT_IN_BUNDLE, detail=detail))
    yield from ()


def obeyed(parts: Iterable[Component]) -> tuple[str, ...]:
    """The files and folders of the bundle that a manifest names as texts which an agent goes by."""  # 3
    paths = (part.path for part in parts if part.key in _OBEYED and part.path is not None)
    return tuple(dict.fromkeys(paths))

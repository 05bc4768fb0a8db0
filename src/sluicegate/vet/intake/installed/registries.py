"""Files in which an agent keeps which plugins are installed, and from which marketplaces: what they name.

1. ``installed_plugins.json``: for each plugin (``name@marketplace``) where it was installed; in older files one place,
   in newer ones a list, one for each user or project that it is installed for.
2. ``known_marketplaces.json``: for each marketplace where its list stands on this machine.
3. ``marketplace.json`` among an agent's own settings: plugins that stand in folders beside it.
4. ``.gemini-extension-install.json`` in the folder of an extension: the folder that stands in for it, where it is a link.
5. What cannot be understood is an error: nobody knows then what is installed.
"""

from __future__ import annotations

import json
import os
import posixpath
from collections.abc import Iterator
from typing import TypeGuard

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.agent_files import folder_of_manifest, folder_of_source

MOST = 2_000
"""Plugins or marketplaces of one file that are looked for."""
LIST = ".claude-plugin/marketplace.json"
"""Where the list of a marketplace stands below its folder."""

LINKED = ".gemini-extension-install.json"
"""What stands in the folder of an extension and says where it came from."""


class PluginRegistry(NamedTuple):
    """What one file names. ``plugins`` and ``marketplaces``: name and folder; a relative one counts from the file's own.

    ``error`` says why the rest is not known; empty when all is.
    """

    plugins: tuple[tuple[str, str], ...] = ()
    marketplaces: tuple[tuple[str, str], ...] = ()
    error: str = ""


class _Odd(ValueError):
    """Something that no such file holds."""


def read_registry(name: str, data: bytes) -> PluginRegistry:
    """What the file called ``name``, a path, says with this content."""
    base = name.rpartition("/")[2]
    plugins: list[tuple[str, str]] = []
    marketplaces: list[tuple[str, str]] = []
    try:
        content = json.loads(data)
        if not isinstance(content, dict):
            raise _Odd("it holds no object")
        if base == "installed_plugins.json":
            _take(plugins, _installed(content))
        elif base == "known_marketplaces.json":
            _take(marketplaces, _known(content))
        elif base == LINKED:
            _take(plugins, _linked(content))
        else:
            _take(plugins, _beside(content, name))
    except _Odd as error:
        return PluginRegistry(tuple(plugins), tuple(marketplaces), f"what is installed is not known: {error}")
    except (ValueError, RecursionError):
        return PluginRegistry(error="what is installed is not known: it is not JSON")
    return PluginRegistry(tuple(plugins), tuple(marketplaces))


def _take(found: list[tuple[str, str]], named: Iterator[tuple[str, str]]) -> None:
    for each in named:
        if len(found) == MOST:
            raise _Odd(f"it names more than {MOST} of them")
        found.append(each)


def _installed(content: dict[str, object]) -> Iterator[tuple[str, str]]:  # 1
    plugins = content.get("plugins", {})
    if not isinstance(plugins, dict):
        raise _Odd("its 'plugins' are not an object")
    for name, places in plugins.items():
        for place in places if isinstance(places, list) else [places]:
            path = place.get("installPath") if isinstance(place, dict) else None
            if not _is_path(path):
                raise _Odd("a plugin has no 'installPath'")
            yield name, path


def _known(content: dict[str, object]) -> Iterator[tuple[str, str]]:  # 2
    for name, place in content.items():
        path = place.get("installLocation") if isinstance(place, dict) else None
        if not _is_path(path):
            raise _Odd("a marketplace has no 'installLocation'")
        yield name, path


def _beside(content: dict[str, object], name: str) -> Iterator[tuple[str, str]]:  # 3
    up = posixpath.relpath(folder_of_manifest(name) or ".", posixpath.dirname(name) or ".")
    metadata = content.get("metadata")
    first = metadata.get("pluginRoot") if isinstance(metadata, dict) else None
    plugins = content.get("plugins", [])
    if not isinstance(plugins, list):
        raise _Odd("its 'plugins' are not a list")
    for plugin in plugins:
        source = plugin.get("source") if isinstance(plugin, dict) else None
        path = source.get("path") if isinstance(source, dict) and source.get("source") == "local" else source
        folder = folder_of_source(path, first if _is_path(first) else "") if _is_path(path) else None
        if folder is not None:  # another is fetched, and kept with what is installed
            yield str(plugin.get("name", "")), posixpath.join(up, folder)


def _linked(content: dict[str, object]) -> Iterator[tuple[str, str]]:  # 4
    if content.get("type") == "link":
        path = content.get("source")
        if not _is_path(path):
            raise _Odd("a link leads nowhere")
        yield "", path


def _is_path(path: object) -> TypeGuard[str]:
    if not isinstance(path, str) or not path.strip() or "\0" in path:
        return False
    try:
        os.fsencode(path)  # JSON can hold halves of a character, of which no file system makes a name
    except UnicodeEncodeError:
        return False
    return True

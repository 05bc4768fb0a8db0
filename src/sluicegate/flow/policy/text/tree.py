"""Reading a policy's text into a tree of plain values, with the line of every key and entry.

TOML, YAML and JSON give the same tree. What the three leave open is closed here: a repeated key is refused in
each of them, YAML has no tags, no merge keys and a bound on what its aliases stand for, and size and depth
are bounded before anything else is done with the text.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from sluicegate.flow.errors import PolicyError
from sluicegate.flow.labels.names import shown
from sluicegate.flow.policy.text.positions import Lines, json_lines, toml_lines
from sluicegate.flow.policy.text.positions import Path as KeyPath

if TYPE_CHECKING:
    import yaml

MOST_BYTES: Final = 1 << 20
MOST_DEPTH: Final = 24
MOST_NODES: Final = 50_000

SUFFIXES: Final = {".toml": "toml", ".yaml": "yaml", ".yml": "yaml", ".json": "json"}

_HINT = "See docs/policy.md for the form of a policy."


class Tree(Struct, frozen=True, kw_only=True):
    """A document as plain values (``dict``, ``list``, ``str``, ``int``, ``float``, ``bool``, ``None``)."""

    root: object
    lines: Lines


def parse(text: str, *, notation: str, name: str) -> Tree:
    """The tree of a document in ``toml``, ``yaml`` or ``json``; ``name`` is for messages.

    Raises PolicyError when the text is not of that notation, repeats a key, or is too large or too deep.
    """
    if len(text) > MOST_BYTES:
        raise PolicyError(f"{name} is larger than {MOST_BYTES} characters", hint="Split it into layers.")
    text = text.removeprefix("\ufeff")
    readers = {"toml": _toml, "yaml": _yaml, "json": _json}
    tree = readers[notation](text, name)
    check_bounds(tree.root, name=name)
    return tree


def parse_file(path: Path, *, name: str) -> Tree:
    """The tree of a file, in the notation that its suffix says; ``name`` is for messages.

    Raises PolicyError, also when it cannot be read or is not a plain file.
    """
    notation = SUFFIXES.get(path.suffix.lower())
    if notation is None:
        raise PolicyError(
            f"{name}: what it is written in cannot be told from its name",
            hint=f"Let its name end in one of {', '.join(SUFFIXES)}.",
        )
    try:
        if path.exists() and not path.is_file():
            raise PolicyError(f"{name} is not a file", hint="Name the file itself.")
        with path.open("rb") as handle:
            text = handle.read(MOST_BYTES * 4 + 1).decode("utf-8")
    except OSError as error:
        raise PolicyError(f"cannot read {name}: {error.strerror}", hint="Check the path.") from None
    except ValueError:
        raise PolicyError(f"{name} is not text in UTF-8", hint="Save it as UTF-8.") from None
    return parse(text, notation=notation, name=name)


def plain(name: str) -> str:
    """A name for messages: nothing in it that does not print."""
    return "".join(char if char.isprintable() else "?" for char in name)


def check_bounds(root: object, *, name: str) -> None:
    """Refuse a tree that is too deep, too large, or not made of plain values. Raises PolicyError."""
    nodes = 0
    level: list[object] = [root]
    for _depth in range(MOST_DEPTH):
        below: list[object] = []
        for node in level:
            if isinstance(node, dict):
                if not all(isinstance(key, str) for key in node):
                    raise PolicyError(f"{name}: every key is a text", hint='Write "1" for the key 1.')
                below.extend(node.values())
            elif isinstance(node, list | tuple):
                below.extend(node)
            elif not (node is None or isinstance(node, str | int | float)):
                raise PolicyError(
                    f"{name}: a policy holds no {type(node).__name__}", hint="Put it between quotes."
                )
        nodes += len(below)
        if nodes > MOST_NODES:
            raise PolicyError(f"{name} holds more than {MOST_NODES} values", hint="Split it into layers.")
        if not below:
            return
        level = below
    raise PolicyError(f"{name} is nested deeper than {MOST_DEPTH} levels", hint=_HINT)


def _toml(text: str, name: str) -> Tree:
    import tomllib

    try:
        root = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise PolicyError(f"{name} is not TOML: {_reason(error)}", hint=_HINT) from None
    return Tree(root=root, lines=toml_lines(text))


def _json(text: str, name: str) -> Tree:
    import json

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        made = dict(pairs)
        if len(made) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise PolicyError(f"{name} repeats the key {shown(twice)}", hint="Keep one of the two.")
        return made

    def refuse(word: str) -> object:
        raise ValueError(f"{word} is not a number of JSON")

    try:
        root = json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise PolicyError(f"{name} is not JSON: {_reason(error)}", hint=_HINT) from None
    return Tree(root=root, lines=json_lines(text))


def _yaml(text: str, name: str) -> Tree:
    import yaml

    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        return _Grown(loader, name).tree(node)
    except yaml.YAMLError as error:
        raise PolicyError(f"{name} is not YAML: {_reason(error)}", hint=_HINT) from None
    except RecursionError:
        raise PolicyError(f"{name} is nested deeper than {MOST_DEPTH} levels", hint=_HINT) from None
    finally:
        loader.dispose()


class _Grown:
    """Plain values out of YAML's own nodes: no tags, no merge keys, aliases paid for each time they occur."""

    _SCALARS: Final = ("str", "int", "float", "bool", "null")

    def __init__(self, loader: yaml.SafeLoader, name: str) -> None:
        self.loader = loader
        self.name = name
        self.lines: Lines = {}
        self.left = MOST_NODES

    def tree(self, node: yaml.Node | None) -> Tree:
        root = {} if node is None else self.value(node, (), 0)
        return Tree(root=root, lines=self.lines)

    def value(self, node: yaml.Node, path: KeyPath, depth: int) -> object:
        import yaml

        self.left -= 1
        if self.left < 0 or depth > MOST_DEPTH:
            raise PolicyError(
                f"{self.name} holds too much once its aliases are written out", hint="Write it plainly."
            )
        if path:
            self.lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, path, depth)
        if isinstance(node, yaml.SequenceNode):
            self.plain(node, ("seq",))
            return [self.value(item, (*path, at), depth + 1) for at, item in enumerate(node.value)]
        assert isinstance(node, yaml.ScalarNode)  # noqa: S101 - the third and last kind of node
        self.plain(node, self._SCALARS)
        made: object = self.loader.construct_object(node)
        return made

    def mapping(self, node: yaml.MappingNode, path: KeyPath, depth: int) -> dict[str, object]:
        import yaml

        self.plain(node, ("map",))
        made: dict[str, object] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise PolicyError(f"{self.name}, line {line}: a key is a text", hint=_HINT)
            self.plain(key_node, (*self._SCALARS, "merge"))
            key = str(key_node.value)
            if key in made:
                raise PolicyError(
                    f"{self.name}, line {line}, repeats the key {shown(key)}", hint="Keep one of the two."
                )
            self.lines[(*path, key)] = line
            made[key] = self.value(value_node, (*path, key), depth + 1)
        return made

    def plain(self, node: yaml.Node, tags: tuple[str, ...]) -> None:
        tag = str(node.tag).removeprefix("tag:yaml.org,2002:")
        if tag not in tags:
            raise PolicyError(
                f"{self.name}, line {node.start_mark.line + 1}: a policy holds no {shown(tag)}",
                hint="Put the value between quotes; tags are not used.",
            )


def _reason(error: Exception) -> str:
    """What a parser says, on one line, without the text it quotes at length."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(error)).split())[:200]

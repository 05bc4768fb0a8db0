"""Tools by their names: a name that a policy gives, and other spellings of it.

A rule names a tool, ``mail:send``, and a server may take ``Mail:SEND``, ``mail:send `` or full-width letters for the same. Whether
it does nobody here can see. So rules for tools compare names as they are given, and a name that differs from one that a policy
gives in its spelling alone is refused, whatever that policy says of it:

1. Names are compared in plain spelling (``plain``): without capital letters, accents and characters that cannot be seen; letters that look
   alike are one, and so are blanks, dots, dashes and underscores.
2. A name that is plainly the same as one that a policy gives, or falls under a pattern of it only when both are plain, is refused.
3. But where some policy names this very tool as it is spelled, it is another one. A name of a server alone says that of servers alone,
   and one of a tool of any server of such names alone.

So a rule that denies holds for any spelling, and one that permits for no other than its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from sluicegate.flow.policy.rules.entries import read
from sluicegate.flow.policy.rules.trie import segment
from sluicegate.flow.policy.text.positions import Path
from sluicegate.flow.policy.text.schema import Names, Policy
from sluicegate.flow.policy.text.vocabulary import OPERATION_KINDS
from sluicegate.patterns import late
from sluicegate.tuples import NamedTuple

LOCAL: Final = "local"
"""The server of the runner's own tools."""

_TOOLS: Final = "op:mcp:"
_SEPARATORS: Final = late(r"[\s._/-]+")
_CODED: Final = late(r"(?:%[0-9a-f]{2})+")
_SERVER, _ANY_SERVER, _BOTH = "server", "any server", "both"


class NamedTool(NamedTuple):
    """A name that a policy gives, or a pattern of names: ``SERVER:TOOL``, and where it stands."""

    text: str
    path: Path
    exact: str | re.Pattern[str]
    plain: str | re.Pattern[str]
    literal: bool
    parts: str


@lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """A name in plain spelling (1); colons, ``*`` and ``?`` stay what they are."""
    if not name.isascii():
        from sluicegate.known.lookalikes import FOLDS

        name = unicodedata.normalize("NFKD", name).translate(FOLDS)
        name = "".join(
            char for char in name if unicodedata.category(char) not in ("Mn", "Cf", "Cc", "Cs", "Co", "Cn")
        )
    parts = name.casefold().split(":")
    return ":".join(_SEPARATORS.sub("_", part).strip("_") for part in parts)


def named_tools(policy: Policy) -> tuple[NamedTool, ...]:
    """All names of servers and tools that a policy gives."""
    return tuple(dict.fromkeys(_Names(policy).all()))


def tools_of_labels(labels: Iterable[str]) -> Iterator[NamedTool]:
    """The tools that labels of operations are about: ``op:mcp:mail``, ``op:mcp:mail:send``."""
    for label in labels:
        if label.startswith(_TOOLS):
            parts = [_decoded(part) for part in label.removeprefix(_TOOLS).split(":")]
            yield from _of_parts(parts, ())


def of_pattern(text: str, path: Path) -> NamedTool:
    """A pattern of whole names: ``mail:send``, ``mail:*``, ``*:send``."""
    parts = _ANY_SERVER if text.startswith("*:") else _SERVER if text.endswith(":*") else _BOTH
    bare = text.removeprefix("*:").removesuffix(":*")
    literal = "*" not in bare and "?" not in bare
    return NamedTool(text, path, segment(text), segment(plain(text)), literal, parts)


def spelled_otherwise(known: Iterable[NamedTool], name: str) -> NamedTool | None:
    """The name that is this one in another spelling (2), unless this one is given as well (3)."""
    simple = plain(name)
    near: list[NamedTool] = []
    own: set[str] = set()
    for each in known:
        if _is(each.exact, name):
            own.update((each.parts,) if each.literal else ())
        elif _is(each.plain, simple):
            near.append(each)
    return None if _BOTH in own else next((each for each in near if each.parts not in own), None)


class _Names:
    """The places of a policy in which names of tools stand."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def all(self) -> Iterator[NamedTool]:
        """Every name."""
        yield from self.of_labels()
        yield from self.of_capabilities()
        yield from self.of_arguments()
        yield from self.of_environments()

    def of_labels(self) -> Iterator[NamedTool]:
        """Those of operations in ``labels`` and ``operations``."""
        policy = self.policy
        for label in policy.operations:
            yield from _at(("operations", label), label)
        for name, rule in policy.labels.items():
            for key, given in (("deny", rule.deny), ("allow", rule.allow or [])):
                for label in (given,) if isinstance(given, str) else given:
                    yield from _at(("labels", name, key), label)

    def of_capabilities(self) -> Iterator[NamedTool]:
        """Entries of the category ``mcp``."""
        lists = self.policy.capabilities
        if lists is None:
            return
        for key, given in (("allow", lists.allow), ("danger", lists.danger), ("deny", lists.deny)):
            if given is None:
                continue
            for entry in read(given, ("capabilities", key), []).entries:
                if entry.category == "mcp":
                    yield from _of_parts(list(entry.parts), entry.path)

    def of_arguments(self) -> Iterator[NamedTool]:
        """Tables of ``arguments``. A name without a server is a tool of the runner; a pattern is one of all names."""
        for text in self.policy.arguments:
            path: Path = ("arguments", text)
            if ":" in text or "*" in text:
                yield of_pattern(text, path)
            if ":" not in text and text not in OPERATION_KINDS:
                yield of_pattern(f"{LOCAL}:{text}", path)

    def of_environments(self) -> Iterator[NamedTool]:
        """``env.tools`` and ``env.mcps``."""
        env = self.policy.env
        if env is None:
            return
        for key, given in (("tools", env.tools), ("mcps", env.mcps)):
            names = given if isinstance(given, Names) else Names(allow=given)
            for text in (*(names.allow or ()), *names.deny):
                yield of_pattern(f"*:{text}" if key == "tools" else f"{text}:*", ("env", key))


def _at(path: Path, label: str) -> Iterator[NamedTool]:
    for each in tools_of_labels((label,)):
        yield each._replace(path=path)


def _of_parts(parts: list[str], path: Path) -> Iterator[NamedTool]:
    """A server, or a server and a tool of it, and what it is about below."""
    if not parts or parts == ["*"]:
        return
    if len(parts) == 1 or parts[1:] == ["*"]:
        yield of_pattern(f"{parts[0]}:*", path)
    else:
        yield of_pattern(":".join(parts), path)


def _is(pattern: str | re.Pattern[str], text: str) -> bool:
    return pattern == text if isinstance(pattern, str) else pattern.fullmatch(text) is not None


def _decoded(part: str) -> str:
    """A segment of a label as it was before ``operations.leaves`` coded it."""
    return _CODED.sub(
        lambda found: bytes.fromhex(found.group().replace("%", "")).decode("utf-8", "surrogateescape"), part
    )

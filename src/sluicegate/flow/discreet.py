"""Records some of whose fields are for no log: secrets, what goes in and out of commands, templates."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct


class Discreet(Struct, frozen=True):
    """A record that names the fields which no representation of it shows, not that of ``rich`` either."""

    unshown: ClassVar[frozenset[str]] = frozenset()

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__rich_repr__())})"
        )

    def __rich_repr__(self) -> list[tuple[str, object]]:
        return [(name, getattr(self, name)) for name in self.__struct_fields__ if name not in self.unshown]

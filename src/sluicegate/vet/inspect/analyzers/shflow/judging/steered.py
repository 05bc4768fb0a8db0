"""Variables that a text sets and that steer other programs: to another registry, another machine, another command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from sluicegate.known.steering import Steers, steers
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.shflow.commands.tables import SETTERS
from sluicegate.vet.inspect.analyzers.shflow.judging import packages
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall

Explains = Callable[[str], bool]
MOST = 32
"""Words of one command that are looked at."""
_ADDRESS = lazy(r"(?:sparse\+|git\+)?((?:https?|socks[45]h?|tcp)://[^\s,;|\"']{3,300})")
_FETCHES = lazy(
    r"\b(?:curl|wget|nc|ncat|socat)\s|/dev/tcp|\|\s{0,4}(?:ba|z|da)?sh\b|\bbase64\s|\bpython3?\s{1,4}-c|\bdata:(?:text|application)/|=https?://"
)
"""What a command line has that fetches, sends or unpacks something."""


class Steered(NamedTuple):
    """A variable that leads elsewhere: what it decides, in words, and the address where packages come from one."""

    what: str
    packages: str = ""


def of_command(call: ShellCall, explains: Explains) -> Steered | None:
    """The first variable of a command that leads where nothing in the skill explains."""
    return next((found for name, value in _set(call) if (found := _judged(name, value, explains))), None)


def _set(call: ShellCall) -> Iterator[tuple[str, str]]:
    words = call.words
    if call.name == "setx" and len(words) > 2:
        yield words[1], words[2]
    if call.name in SETTERS:
        for word in words[1:MOST]:
            name, equals, value = word.partition("=")
            if equals:
                yield name, value
    if "env" in call.wrapped:
        for word in call.command.words[1:MOST]:
            name, equals, value = word.partition("=")
            if not equals:
                continue
            yield name, value


def _judged(name: str, value: str, explains: Explains) -> Steered | None:
    """1. packages, 2. traffic, and what is said to a model, 3. a command line that another program runs."""
    decides = steers(name)
    if decides is None:
        if name.startswith("GIT_CONFIG_KEY_") and value.lower().endswith(("insteadof", "proxy")):
            decides, value = Steers.TRAFFIC, value.removeprefix("url.")
        else:
            return None
    if decides is Steers.COMMAND:  # 3
        return (
            Steered(f"What {name} names is run by other programs: {value[:80]}")
            if _FETCHES.search(value)
            else None
        )
    address = next((a[1] for a in _ADDRESS.finditer(value) if packages.stranger(_as_web(a[1]), explains)), "")
    if not address or "your" in address.lower():
        return None
    if decides is Steers.PACKAGES:  # 1
        return Steered("", address)
    whose = "What is said to the model" if decides is Steers.MODEL else "What later commands send"
    return Steered(f"{whose} goes to {address[:100]} ({name})")  # 2


def _as_web(address: str) -> str:
    return "https://" + address.partition("://")[2]

"""Variables that a text sets and that steer other programs: to another registry, another machine, another command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from sluicegate.known.steering import Steers, loads, steers
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.shflow.commands.tables import SETTERS
from sluicegate.vet.inspect.analyzers.shflow.judging import packages
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall

Explains = Callable[[str], bool]
_TRUSTED = frozenset(
    """git ssh scp sftp ssh-add gpg gpg2 pass op vault sudo su doas passwd login aws gcloud az gh glab kubectl helm terraform docker podman npm
    npx pnpm yarn bun pip pip3 uv poetry twine cargo gem claude codex gemini cursor code psql mysql""".split()
)
"""Programs that are given credentials, or take what they run from elsewhere."""
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
    loaded: bool = False
    """Whether it is code that is loaded into a program, and none that fetches or sends by its own words."""


def of_command(call: ShellCall, explains: Explains) -> Steered | None:
    """The first variable of a command that leads where nothing in the skill explains."""
    for name, value in _set(call):
        found = judged(name, value, explains)
        if found is not None and not (found.loaded and _of_one_run(call)):
            return found
    return None


def _of_one_run(call: ShellCall) -> bool:
    """Whether a variable is set for one program alone, and none that holds what is worth reading."""
    program = call.name if "env" in call.wrapped else next(iter(call.command.words), "")
    name = program[program.rfind("/") + 1 :]
    return bool(name) and name not in SETTERS and name not in _TRUSTED


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


def judged(name: str, value: str, explains: Explains) -> Steered | None:
    """1. packages, 2. traffic, and what is said to a model, 3. a command line that another program runs, or code that it loads."""
    decides = steers(name)
    if decides is None:
        if name.startswith("GIT_CONFIG_KEY_") and value.lower().endswith(("insteadof", "proxy")):
            decides, value = Steers.TRAFFIC, value.removeprefix("url.")
        else:
            return None
    if decides in (Steers.COMMAND, Steers.CODE):  # 3
        fetches = _FETCHES.search(value) is not None
        code = value if fetches else loads(name, value)
        what = f"What {name} names is run by other programs: {code[:80]}"
        return Steered(what, loaded=not fetches) if code else None
    address = next((a[1] for a in _ADDRESS.finditer(value) if packages.stranger(_as_web(a[1]), explains)), "")
    if not address or "your" in address.lower():
        return None
    if decides is Steers.PACKAGES:  # 1
        return Steered("", address)
    whose = "What is said to the model" if decides is Steers.MODEL else "What later commands send"
    return Steered(f"{whose} goes to {address[:100]} ({name})")  # 2


def _as_web(address: str) -> str:
    return "https://" + address.partition("://")[2]

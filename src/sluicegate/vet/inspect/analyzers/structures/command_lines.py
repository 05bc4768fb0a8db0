"""What a command line does that nobody asked for: which code of the skill it runs, where it sends, what it writes for good.

The one reader of shell text tells its commands; a shell that is given a line, and what stands before a program
(``env``, ``sudo``, ``timeout 30``), are read through. A word that is computed is not known, and then neither is the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sluicegate.known import hosts, places
from sluicegate.known.commands import sending
from sluicegate.known.hosts import Host
from sluicegate.known.shell.reader import script_of
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.structures.weigh import LONGEST
from sluicegate.vet.inspect.ordered.commands.interpreters import SHELLS, gives_line
from sluicegate.vet.inspect.ordered.commands.runs import base_name, behind_wrappers
from sluicegate.vet.inspect.ordered.places import BundlePaths
from sluicegate.vet.inspect.ordered.shell.reading import ShellText
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.known.shell.script import Script, Word
    from sluicegate.vet.intake.views.view import View

_DEEPEST = 4
"""Shells in shells that are read."""
_STEPS = 40_000
"""Steps of reading one command line."""
_GIVEN = frozenset({"/c", "/C", "/k", "-Command", "-command"})
"""The options of shells of Windows behind which a line stands, to its end."""
_SHELLS = SHELLS | {"cmd", "powershell", "pwsh", "su"}
_WRITES = frozenset({">", ">>", ">|", "&>", "&>>", "1>", "1>>"})
_COPIES = frozenset({"cp", "mv", "ln", "install", "rsync"})
_REMOTE = lazy(
    r"(?:[\w.-]+@)?[\w-]+(?:\.[\w-]+)+:(?!//)[^\s]*|[a-z][a-z0-9+.-]{1,15}://[^\s]+|[\w.-]+@[\w.-]+"
)
_TAKES_NEXT = frozenset({"-C", "-c", "--git-dir", "--work-tree"})
_PUBLISHING = frozenset(
    "npm publish,pnpm publish,yarn publish,bun publish,cargo publish,gem push,poetry publish,uv publish,docker push,podman push,"
    "flit publish,pdm publish,hatch publish,helm push,git push,git send-email,vercel deploy,netlify deploy,wrangler deploy".split(
        ","
    )
)
"""Programs with the subcommand by which they send what is there to a service or a repository."""
_TIMED = frozenset({"crontab", "at", "batch", "schtasks"})
_ENABLING = {
    "systemctl": frozenset({"enable", "link"}),
    "launchctl": frozenset({"load", "bootstrap", "submit"}),
}


class CommandLine(NamedTuple):
    """What was read of one: its text, the words of its commands, the files that they run, what they send and what they write."""

    text: str
    commands: tuple[tuple[str, ...], ...]
    ordered: tuple[str, ...]
    written: tuple[str, ...]
    known: bool
    """Whether each program is told, and all of the line was read."""

    @property
    def remote(self) -> bool:
        """Whether a command sends to a machine that it names."""
        return self.sends not in ("", PUBLISHES)

    @property
    def sends(self) -> str:
        """The address to which a command sends, or ``PUBLISHES`` where that is a service that is set up elsewhere."""
        found = [target for words in self.commands if (target := _target(words))]
        moved = any(_subcommand(words) in _MOVING and _remote(words[1:]) for words in self.commands)
        if moved and PUBLISHES in found:
            return next(target for words in self.commands if (target := _remote(words[1:])))
        return max(found, key=lambda each: each is not PUBLISHES, default="")

    @property
    def starts(self) -> bool:
        """Whether a command writes what starts by itself later, or gives control of the machine, or has it kept."""
        return any(places.startup(path) or places.control(path) for path in self.written) or any(
            (base_name(words[0]) in _TIMED and "-l" not in words)
            or not _ENABLING.get(base_name(words[0]), frozenset()).isdisjoint(words)
            for words in self.commands
        )

    @property
    def instructs(self) -> bool:
        """Whether a command writes what agents go by: their instructions, memory or settings."""
        return any(map(places.instructions, self.written))


PUBLISHES = "a service of the user's"
_MOVING = frozenset({"git remote", "git config"})


def read_line(view: View, text: str, paths: BundlePaths) -> CommandLine:
    """What the commands of ``text``, a line that stands in ``view``, do."""
    shell = ShellText(view, paths, script=False)
    script = shell.read(text[:LONGEST], _STEPS)
    known = not script.partial and len(text) <= LONGEST
    commands, written = list[tuple[str, ...]](), list[str]()
    for words, to, certain in _commands(script, _DEEPEST):
        known = known and certain
        written += to
        if words:
            commands.append(words)
            written += _written_by(words)
    ordered = tuple(order.path for order in shell.orders)
    return CommandLine(text[:LONGEST], tuple(commands), ordered, tuple(written), known)


def _commands(script: Script, depth: int) -> Iterator[tuple[tuple[str, ...], list[str], bool]]:
    """The words of each command, the files to which its output goes, and whether its program is known."""
    values = {"HOME": "~"}
    for command in script.commands:
        for name, word in command.assigns:
            values[name] = _text(word, values)
        if command.kind not in ("simple", "group", "for"):
            continue
        words = [
            _text(command.woven[at], values) if at in command.woven else word
            for at, word in enumerate(command.words)
        ]
        if command.kind == "for" and words:
            values[words[0]] = words[1] if len(words) > 1 else ""
            continue
        to = [_text(each.word, values) for each in command.redirects if each.operator in _WRITES]
        words = list(behind_wrappers(words))
        yield tuple(words), to, not words or bool(words[0].strip())
        line = _line_of(words) if depth else ""
        if line:
            inner = script_of(line, _STEPS)
            for found, into, certain in _commands(inner, depth - 1):
                yield found, into, certain and not inner.partial


def _line_of(words: Sequence[str]) -> str:
    """The line that a shell, or ``eval``, is given to run."""
    name = base_name(words[0]) if words else ""
    if name == "eval":
        return " ".join(words[1:])
    if name in _SHELLS:
        for at, word in enumerate(words[1:], 1):
            if word in _GIVEN:
                return " ".join(words[at + 1 :])
            if gives_line(word):
                return " ".join(words[at + 1 : at + 2])
    return ""


def _text(word: Word, values: dict[str, str]) -> str:
    """A word with what is known of its variables; nothing for what is computed, or longer than any word is read."""
    if word.text is not None:
        return word.text
    out = ""
    for part in word.pieces:
        out += part.text if part.kind == "lit" else values.get(part.text, "") if part.kind == "var" else ""
        if len(out) > LONGEST:  # A=$A$A doubles with each line
            return ""
    return out


def _written_by(words: Sequence[str]) -> list[str]:
    """The files that a command writes by its arguments."""
    name = base_name(words[0])
    rest = [word for word in words[1:] if not word.startswith("-")]
    if name == "tee":
        return rest
    if name in _COPIES:
        return rest[-1:]
    if name == "sed" and any(word.startswith(("-i", "--in-place")) for word in words):
        return rest[1:]
    return [word[3:] for word in rest if word.startswith("of=")] if name == "dd" else []


def _subcommand(words: Sequence[str]) -> str:
    """The program and its subcommand, without the options between them."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _TAKES_NEXT else 1
    return f"{base_name(words[0])} {words[at]}" if at < len(words) else ""


def _remote(words: Sequence[str]) -> str:
    """The first of some words that names another machine, and not one of the user's own network."""
    return next(
        (word for word in words if _REMOTE.fullmatch(word) and not _is_local(hosts.host_of(word))), ""
    )


def _is_local(host: str) -> bool:
    return hosts.classify(f"https://{host}/") is Host.LOCAL


def _target(words: Sequence[str]) -> str:
    """Where a command sends what it has, if it sends; a client of HTTP is weighed elsewhere (``weigh``)."""
    if _subcommand(words) in _PUBLISHING:
        return _remote(words[1:]) or PUBLISHES
    found = sending.sender(words)
    operands = [word for word in words[1:] if not word.startswith("-")]
    match found.sends if found is not None else "":
        case "files" | "copy":  # what is last is where to; the other way round it is fetched
            return _remote(operands[-1:])
        case "words":
            return _remote(words[1:]) or PUBLISHES
        case "stdin" | "input":
            host = next((word for word in operands if "." in word), "")
            return _remote(operands) or (
                "" if not operands or (host and _is_local(host)) else host or PUBLISHES
            )
    return ""

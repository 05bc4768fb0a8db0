"""Values of configuration documents that something will run: hooks, servers, scripts, workflow steps; prompts of hooks.

What counts is the key, not the name of the file, so that a snippet in a fence that tells a user to
configure a hook is read as one that does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby, islice
from operator import itemgetter

from sluicegate.vet.intake.agent_files import is_hook
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.configs.document import ConfigDocument, ConfigScalar, Path
from sluicegate.vet.intake.views.configs.structured import read_document
from sluicegate.vet.intake.views.derived import Derived, Each, Product, Span, Where
from sluicegate.vet.intake.views.disguises.escapes import spelled_out
from sluicegate.vet.intake.views.programs.language import is_command
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

_KEYS = frozenset(
    "command cmd run script before_script after_script exec execute entrypoint entry commands cmds shell "
    "postCreateCommand postStartCommand postAttachCommand onCreateCommand updateContentCommand initializeCommand "
    "preLaunchTask apiKeyHelper awsAuthRefresh awsCredentialExport otelHeadersHelper statusLine notify "
    "build_command start_command install_command pre_install post_install preinstall postinstall install prepare "
    "runcmd bootcmd inlineScript commands_pre commands_post argv win_shell win_command local_action sshCommand fsmonitor "
    "Program ProgramArguments bash sh test_command sessionStart setup on_start startCommand buildCommand "
    "installCommand devCommand ignoreCommand preStartCommand release_command init_hook predeploy postdeploy full_bin pre_cmd post_cmd "
    "chain composite before_install after_success after_failure before_deploy after_deploy before-all before-build before-test "
    "test-command pre-install-commands post-install-commands runtimeExecutable initHook".split()
)
_UNITS = ("Exec", "Start", "Stop", "Reload", "Condition")
_SERVERS = frozenset({"mcpServers", "mcp_servers", "servers", "context_servers", "mcp-servers", "lspServers"})
_TABLES = frozenset({"scripts", "tasks", "hooks", "aliases", "alias", "lint-staged"})
_ARGUMENTS = ("args", "arguments", "runtimeArgs")
_IN = {
    "healthcheck": frozenset({"test"}), "script": frozenset({"source"}), "tasks": frozenset({"init", "before"}),
    "core": frozenset({"pager", "editor", "askPass"}), "sequence": frozenset({"editor"}), "credential": frozenset({"helper"}),
    "gpg": frozenset({"program"}), "build": frozenset({"ignore"}),
}  # fmt: skip
"""Keys whose value is a command in a table of this name: of Compose, Argo, Gitpod, git and Netlify."""
_OF_TASKS = frozenset({"status", "raw"})
"""The same somewhere below tasks, of Task and Ansible."""
_OF_GIT = frozenset({"textconv", "smudge", "clean", "process", "driver", "helper"})
_GIT_TABLES = ("filter ", "diff ", "merge ", "credential ")
_HINTS = frozenset(
    "healthcheck containers pager editor askPass helper textconv smudge clean driver ignore args then".split()
)
"""Keys that say that a document is worth reading, besides those of commands."""
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ash", "/bin/sh", "/bin/bash", "/usr/bin/bash"})
_PROMPTS = frozenset({"prompt", "instructions", "instruction"})
"""Keys of a hook whose value a model obeys."""


def _words() -> Iterator[str]:
    """Patterns of all keys. Each begins with its letter, so that a search runs from one such letter to the next."""
    for letter, words in groupby(sorted(_KEYS | _TABLES | _HINTS), key=itemgetter(0)):
        yield rf"{letter}(?<!\w{letter})(?:{'|'.join([word[1:] for word in words])})"
    yield r"E(?<!\wE)xec(?:[A-Z]\w{1,20}+)?"


_AFTER_KEY = r"[\"']?(?:\s++|/\*(?:[^*]|\*(?!/)){0,80}+\*/|//[^\n]{0,80}+\n){0,6}+(?:[:=\]]|</key\b)"
"""A document is free to go on to the next line behind a key, or to say something there. The bounds keep a text
that is full of keys and comments from being read again for each key."""
_HINT = lazy(rf"(?:{'|'.join(_words())})\b{_AFTER_KEY}")
_KEYED = lazy(rf"(?<![\w-])([\w-]++)(?={_AFTER_KEY})")
_HYPHENS = max(word.count("-") for word in _KEYS | _TABLES | _HINTS)
_SHORT = 2048
"""Characters; of a shorter text each key is looked at, which costs less than to compile the pattern of all."""
_READ = frozenset({Kind.JSON, Kind.YAML, Kind.TOML, Kind.INI, Kind.PLIST})
_SHELL_WORDS = {
    "pwsh": Kind.POWERSHELL,
    "powershell": Kind.POWERSHELL,
    "cmd": Kind.BATCH,
    "python": Kind.PYTHON,
}
_NAMES_OF_SHELLS = frozenset("bash sh zsh pwsh powershell cmd python fish true false".split())


def _hinted(text: str) -> bool:
    """Whether a key stands in the text whose value may be a command, as it is or with letters escaped."""
    return _keyed(text) or ((plain := spelled_out(text)) != text and _keyed(plain))


def _keyed(text: str) -> bool:
    if len(text) >= _SHORT:
        return _HINT.search(text) is not None
    return any(map(_may_be_key, _KEYED.findall(text)))


def _may_be_key(word: str) -> bool:
    """Whether a word, or what stands behind a hyphen of it, is such a key."""
    parts = word.rsplit("-", _HYPHENS + 1)
    ends = ["-".join(parts[at:]) for at in range(len(parts))]
    return _is_exec(parts[-1]) or any(end in _KEYS or end in _TABLES or end in _HINTS for end in ends)


def _is_exec(word: str) -> bool:
    return word.startswith("Exec") and (word == "Exec" or ("A" <= word[4] <= "Z" and 6 <= len(word) <= 25))


def _names(path: Path) -> list[str]:
    return [part for part in path if isinstance(part, str)]


def _is_command(path: Path) -> bool:
    """Whether the value at these keys is run by something."""
    names = _names(path)
    if not names:
        return False
    key, holder = names[-1], names[-2] if len(names) > 1 else ""
    if key.startswith("ansible."):
        key = key.rpartition(".")[2]
    if key in _IN.get(holder, ()) or (key in _OF_GIT and holder.startswith(_GIT_TABLES)):
        return True
    if "tasks" in names and key in _OF_TASKS:
        return True
    if key == "hooks" and isinstance(path[-1], int):  # a list of commands, and no table of events
        return True
    direct = path[-2:-1] == (holder,) or (isinstance(path[-1], int) and path[-3:-2] == (holder,))
    if key in _KEYS or (direct and (holder in _TABLES or holder in ("taskipy", "poe"))):
        return True
    if holder.endswith("Command") and holder in _KEYS:  # several commands in parallel, each with a name
        return True
    return key.startswith("Exec") and (key == "Exec" or key[4:].startswith(_UNITS))


def _detail(path: Path, labels: dict[Path, str]) -> str:
    """Where a command stands, in a few words: ``hooks.PreToolUse``, ``mcpServers.x``, ``step build``."""
    names = _names(path)
    for index, name in enumerate(names):
        if name == "hooks" and index + 1 < len(names):
            return f"hooks.{names[index + 1]}"
        if name in _SERVERS and index + 1 < len(names) and names[index + 1] not in _KEYS:
            return f"mcpServers.{names[index + 1]}"
        if name == "scripts" and index + 1 < len(names):
            return f"scripts.{names[index + 1]}"
    if "steps" in names:
        job = names[names.index("steps") - 1] if names.index("steps") else ""
        return f"step {labels.get(path[:-1]) or job}".strip()
    if "tasks" in names and path[:-1] in labels:
        return f"tasks.{labels[path[:-1]]}"
    return ".".join(names)[-60:]


class _Table:
    """The entries of a document arranged for looking up siblings."""

    def __init__(self, document: ConfigDocument) -> None:
        self.entries = document.entries
        self.arguments: dict[Path, list[ConfigScalar]] = {}
        self.labels: dict[Path, str] = {}
        self.shells: dict[Path, Kind] = {}
        for entry in document.entries:
            path = entry.path
            if len(path) >= 2 and path[-2] in _ARGUMENTS and isinstance(path[-1], int):
                self.arguments.setdefault(path[:-2], []).append(entry)
            elif path and path[-1] in _ARGUMENTS:
                self.arguments.setdefault(path[:-1], []).append(entry)
            elif path and path[-1] in ("name", "label"):
                self.labels.setdefault(path[:-1], str(entry.value)[:40])
            elif path and path[-1] == "shell":
                words = str(entry.value).split()
                kind = _SHELL_WORDS.get(words[0]) if words else None
                if kind:
                    self.shells[path[:-1]] = kind


def _lines(entry: ConfigScalar, text: str) -> Where:
    """A block scalar's lines one by one where they can be told; else all of the entry's lines."""
    size = text.count("\n") + 1
    if size > 1 and size == entry.last - entry.first:
        return Each(lines=[(entry.first + i, entry.first + i) for i in range(size)])
    return Span(first=entry.first - 1, last=entry.last - 1)


def _quoted(word: str) -> str:
    if word and not set(word) - _BARE:
        return word
    import shlex

    return shlex.quote(word)


_BARE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%+=:,./-_${}~")


def _vectors(table: _Table) -> Iterator[tuple[Path, list[ConfigScalar], bool]]:
    """Commands of the document: path, the entries that make it, and whether these are words of one command."""
    entries, index = table.entries, 0
    taken: Counter[Path] = Counter()
    while index < len(entries):
        entry = entries[index]
        index += 1
        path = entry.path
        if not isinstance(entry.value, str) or not entry.value.strip() or not _is_command(path):
            continue
        if isinstance(path[-1], int):
            group = [entry]
            while index < len(entries) and entries[index].path[:-1] == path[:-1]:
                group.append(entries[index])
                index += 1
            words = [e for e in group if isinstance(e.value, str)]
            if words and words[0].value in _HEALTH and len(words) > 1:
                yield path[:-1], words[1:], words[0].value == "CMD"
                continue
            plain = not is_command(str(words[0].value)) and not any("\n" in str(w.value) for w in words)
            key = _names(path)[-1]
            nested = len(path) > 1 and isinstance(path[-2], int)
            as_words = plain and (key in _VECTOR_KEYS or nested) and " " not in str(words[0].value).strip()
            if as_words and key in ("command", "entrypoint"):
                taken[path[:-2]] += 1
                words += table.arguments.get(path[:-2], []) if taken[path[:-2]] == 1 else []
            yield path[:-1], words, as_words
        else:
            place = path[:-1]
            taken[place] += 1
            arguments = table.arguments.get(place, [])
            if taken[place] > 1 and len(arguments) > _REPEATED_MOST:
                arguments = []
            yield path, [entry, *arguments], path[-1] in ("command", "cmd", "entry", "runtimeExecutable")

    for place, arguments in table.arguments.items():
        first = str(arguments[0].value)
        if taken[place]:
            continue
        if first in _SHELLS:  # of an image that starts what it is given
            yield place, [entry for entry in arguments if isinstance(entry.value, str)], True
        elif _TO_SHELL.match(first) is not None:  # of a shell that another key names
            yield place, [entry for entry in arguments if isinstance(entry.value, str)], len(arguments) > 1


_TO_SHELL = lazy(r"-[a-z]{0,3}c(?:\Z|\s)")
"""The option of a shell behind which a text stands that it runs."""
_HEALTH = frozenset({"CMD", "CMD-SHELL"})
"""What stands before the command of a health check."""
_REPEATED_MOST = 100
"""Arguments of one place that are read with each of its commands when the key is repeated; more of them are
read with the first, or a broken document would be read as many times as it has commands."""
_VECTOR_KEYS = frozenset(
    "command cmd entrypoint exec run ProgramArguments notify postCreateCommand argv".split()
)


def _command(table: _Table, path: Path, parts: list[ConfigScalar], words: bool) -> tuple[str, Where] | None:
    values = [str(part.value) for part in parts if part.value is not None]
    first, last = min(p.first for p in parts), max(p.last for p in parts)
    if len(parts) == 1:
        text = values[0].rstrip("\n")
        if text in _NAMES_OF_SHELLS and path[-1:] == ("shell",):
            return None
        if len(text) > 1 and text[0] == text[-1] == '"' and '\\"' in text:  # as git quotes a value
            text = text[1:-1].replace('\\"', '"')
        if parts[0].path[-1] in _ARGUMENTS and _TO_SHELL.match(text) is not None:
            text = f"sh {text}"
        if text.lstrip("\"'").startswith("!"):  # an alias of git that is not a command of its own
            text = text.strip("\"'").lstrip("!")
        return text, _lines(parts[0], text)
    if words:
        head = values[0] if path == parts[0].path else _quoted(values[0])
        if _TO_SHELL.match(head) is not None:
            head = f"sh {head}"
        return " ".join([head, *map(_quoted, values[1:])]), Span(first=first - 1, last=last - 1)
    lines = [(p.first - 1, p.last - 1) for p in parts for _ in range(str(p.value).count("\n") + 1)]
    return "\n".join(values), Each(lines=lines)


def command_views(view: View, limits: Limits) -> Iterator[Product]:
    """A ``command`` view for each value of a configuration document that is a command."""
    slash = view.language is Kind.TOML and not view.origin and "prompt" in view.text
    if view.language not in _READ or not (slash or _hinted(view.text)):
        return
    document = read_document(view.text, view.language)
    if document.error.startswith(("more", "nested", "longer")):
        detail = f"{view.language.value} document not read for commands: {document.error}"
        yield Gap(path=view.path, reason=GapReason.VIEW_LIMIT, detail=detail)
    table = _Table(document)
    verbatim = view.language is not Kind.JSON or "\\" not in view.text
    for path, parts, words in _vectors(table):
        made = _command(table, path, parts, words)
        if made is None:
            continue
        text, where = made
        language = table.shells.get(path[:-1], Kind.SHELL)
        step = Step(kind="command", detail=_detail(path, table.labels))
        yield Derived(text=text, language=language, step=step, where=where, verbatim=verbatim)
    yield from _prompts(table, "then" if is_hook(view.path) else "hooks")
    if slash:
        yield from _slash_command(document)


_INJECTED = "!{"


def _slash_command(document: ConfigDocument) -> Iterator[Derived]:
    """The prompt of a slash command in a file of its own, and the commands in it that run before a model sees it: ``!{cmd}``."""
    for entry in document.entries:
        if entry.path != ("prompt",) or not isinstance(entry.value, str):
            continue
        text = entry.value.rstrip("\n")
        where = _lines(entry, text)
        yield Derived(
            text=text, language=Kind.MARKDOWN, step=Step("command-prompt"), where=where, verbatim=False
        )
        for command in islice(_injected(text), _INJECTED_MOST):
            yield Derived(
                text=command, language=Kind.SHELL, step=Step("bang-command", "block"),
                where=Span(first=entry.first - 1, last=entry.last - 1), verbatim=False,
            )  # fmt: skip


_INJECTED_MOST = 100
"""Commands in one prompt that are looked at."""


def _injected(text: str) -> Iterator[str]:
    """What stands between ``!{`` and the brace that closes it; to the end where none does."""
    at = text.find(_INJECTED)
    while at != -1:
        start = end = at + len(_INJECTED)
        depth = 1
        while end < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        yield text[start : end if depth else end - 1].strip()
        at = text.find(_INJECTED, end)


def _prompts(table: _Table, holder: str) -> Iterator[Derived]:
    """What hooks tell a model or an agent, as the text for people that it is; ``holder`` is the table of what they do."""
    for entry in table.entries:
        if entry.key in _PROMPTS and holder in entry.path and isinstance(entry.value, str):
            step = Step(kind="hook-prompt", detail=_detail(entry.path, table.labels))
            text = entry.value.rstrip("\n")
            yield Derived(
                text=text, language=Kind.MARKDOWN, step=step, where=_lines(entry, text), verbatim=False
            )

"""Models of JavaScript functions that are known: they read, fetch, decode, run, write, send."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from sluicegate.known import hosts, places
from sluicegate.vet.inspect import capabilities
from sluicegate.vet.inspect.analyzers import printers
from sluicegate.vet.inspect.analyzers.jsflow.values import HOLE, LONGEST, NOTHING, Val, united
from sluicegate.vet.inspect.analyzers.programs import ARGUMENT, FILE
from sluicegate.vet.inspect.analyzers.shflow.folders import joined, within
from sluicegate.vet.inspect.analyzers.shflow.judging.judge import JUDGED, network_command
from sluicegate.vet.inspect.analyzers.shflow.values import NONE, Tag, join, named
from sluicegate.vet.lazy import lazy

_FETCH = frozenset(
    "fetch node-fetch cross-fetch undici.fetch undici.request ofetch window.fetch globalThis.fetch axios got ky needle request "
    "superagent phin bent".split()
)
_VERBS = frozenset("get post put patch delete request head send json stream".split())
_CLIENTS = frozenset("axios got ky needle request superagent http https http2 undici".split())
_SHELL = frozenset({"exec", "execSync", "execa.command", "execaCommand", "shelljs.exec", "$"})
_SPAWN = frozenset(
    "spawn spawnSync execFile execFileSync fork execa execaSync cross-spawn Deno.run Deno.Command Bun.spawn".split()
)
_EVAL = frozenset(
    """eval Function globalThis.eval window.eval global.eval vm.runInThisContext vm.runInNewContext vm.runInContext
    vm.Script vm.compileFunction module._compile require-from-string AsyncFunction require import""".split()
)
_RUNS_TEXT = frozenset({"runInThisContext", "runInNewContext", "_compile", "compileFunction"})
_READ = frozenset(
    "readFile readFileSync createReadStream readJson readJsonSync readJSON Deno.readTextFile Bun.file".split()
)
_WRITE = frozenset(
    """writeFile writeFileSync appendFile appendFileSync createWriteStream outputFile outputFileSync writeJson
    writeJsonSync Deno.writeTextFile Bun.write copyFile copyFileSync symlink symlinkSync cp cpSync rename renameSync""".split()
)
_COPIES = frozenset("copyFile copyFileSync symlink symlinkSync cp cpSync rename renameSync".split())
_GATHERERS = frozenset(
    {"tar", "bsdtar", "zip", "7z", "cp", "mv", "rsync", "ditto", "cat", "gpg", "openssl", "git"}
)
"""Commands that copy, pack or name what a later one sends."""
_ERASE = frozenset(
    "rm rmSync rmdir rmdirSync remove removeSync emptyDir emptyDirSync rimraf rimrafSync del deleteAsync deleteSync trash".split()
)
_ERASE_ALL = _ERASE - {"rm", "rmSync", "rmdir", "rmdirSync"}
"""Those that take what is in a folder, too, without being told to."""
_ERASERS = frozenset({"rimraf", "rimraf.sync", "del", "del.sync", "trash", "Deno.remove", "Deno.removeSync"})
_FILES = frozenset({"fs", "fs/promises", "fs-extra", "fs.promises", "fsp", "fse", "graceful-fs"})
_CLIPBOARD = frozenset(
    {"navigator.clipboard.readText", "clipboardy.read", "clipboardy.readSync", "clipboard.readText"}
)
_JOIN = frozenset({"path.join", "path.resolve", "join", "resolve", "path.posix.join"})
_PRINTS = frozenset({"console.log", "console.info", "process.stdout.write", "process.stdout.end"})
_SEND_METHODS = frozenset({"send", "write", "end", "emit"})
_HEARS = frozenset({"on", "once", "addEventListener", "addListener"})
_UNHEARD = frozenset(
    {"connect", "open", "close", "error", "end", "disconnect", "connect_error", "timeout", "secureConnect"}
)
_CHANNELS = frozenset({"WebSocket", "ws", "XMLHttpRequest", "http.request", "https.request", "net.connect", "net.createConnection",
                       "net.Socket", "tls.connect", "socket.io-client", "dgram.createSocket"})  # fmt: skip


_SHELL_NAMES = frozenset(
    {"sh", "bash", "zsh", "dash", "cmd", "cmd.exe", "powershell", "powershell.exe", "pwsh"}
)
_SHELL_PROCESS = "a shell process"
_STARTERS = frozenset({"sh", "bash", "zsh", "dash", "python", "python3", "ruby", "perl"})
_RUNTIMES = frozenset({"node", "nodejs", "bun", "deno", "tsx", "ts-node"})
_PLAIN = lazy(r"[\w./:=@%+,$-]+")


class JsWatcher(Protocol):
    """Is told what a program does."""

    def sent(self, target: str, channel: str, tags: frozenset[Tag], start: int, end: int) -> None:
        """A value with facts is sent."""

    def ran(self, how: str, tags: frozenset[Tag], start: int, end: int) -> None:
        """A value with facts is run."""

    def printed(self, tags: frozenset[Tag], start: int, end: int) -> None:
        """A value with facts is written to the standard output."""

    def shell(self, text: str, tags: frozenset[Tag], start: int, end: int) -> frozenset[Tag]:
        """A shell command is run; ``tags`` are those of the holes in it. Gives the facts of what programs of the bundle
        print in it."""

    def wrote(self, path: str, value: Val, start: int, end: int) -> None:
        """A file is written."""

    def erased(self, path: str, start: int, end: int) -> None:
        """A folder is deleted with all that is in it."""

    def able(self, capability: str, start: int) -> None:
        """The program can do this."""


@dataclass(slots=True)
class _Channel:
    target: str


def _channel(value: Val) -> _Channel | None:
    """The connection that an expression is."""
    return _Channel(value.shape[8:]) if value.shape.startswith("channel ") else None


def _named_by(tags: frozenset[Tag]) -> Iterator[Tag]:
    """The facts of a file by those of its name."""
    for tag in tags:
        if tag.kind in ("secret", "own"):
            yield tag
        elif tag.kind == "given" and tag.what == ARGUMENT:
            yield tag._replace(what=FILE)


def _worded(word: str) -> str:
    """An argument as a shell would have to be given it."""
    return word if _PLAIN.fullmatch(word) else '"' + word.replace('"', "'").replace("`", "'") + '"'


def _entered(folder: str) -> str:
    """The command by which a shell enters a folder; none where that is not told, or the name is odd."""
    return f"cd {folder} && " if _PLAIN.fullmatch(folder.lstrip("~")) else ""


def normal(name: str) -> str:
    """One spelling of a dotted name."""
    if name.startswith("node:"):
        name = name[5:]
    for prefix in ("window.", "globalThis.", "global.", "self."):
        name = name.removeprefix(prefix)
    if name.endswith(".default"):
        name = name[:-8]
    base, _, last = name.rpartition(".")
    while last and (
        base == last or base.endswith("." + last)
    ):  # the function that its module is called after
        name, base = base, base.rpartition(".")[0]
    return name


def nothing_started(path: str, tags: frozenset[Tag]) -> None:
    """What is told of a program that is started where nobody knows the other texts."""


def nothing_written(path: str) -> frozenset[Tag]:
    """What is known of a file where nobody knows the other texts."""
    return NONE


class Effects:
    """Judges calls by name. Keeps which files and connections hold what.

    ``module`` names what a specifier means, ``started`` is told of programs that are started, and ``written`` knows what
    programs of the bundle write into files; whoever knows the other texts of the bundle sets them.
    """

    def __init__(self, watcher: JsWatcher, files: dict[str, frozenset[Tag]]) -> None:
        self.watcher = watcher
        self.files = files
        self.module: Callable[[str], str] = str
        self.started: Callable[[str, frozenset[Tag]], None] = nothing_started
        self.written: Callable[[str], frozenset[Tag]] = nothing_written
        self.channels: dict[str, _Channel] = {}
        self.shells: set[str] = set()
        self.folder = ""
        """The folder that the program works in, as far as ``process.chdir`` tells."""

    def variable(self, name: str, start: int) -> None:
        """An environment variable is read."""
        self.watcher.able(capabilities.env(name), start)

    def named(self, name: str, value: Val) -> None:
        """A variable is given a value; connections are remembered by name."""
        if value.shape.startswith("channel "):
            self.channels[name] = _Channel(value.shape[8:])
        elif value.shape == _SHELL_PROCESS:
            self.shells.add(name)

    def delivers(self, callee: Val, arguments: Sequence[Val]) -> frozenset[Tag]:
        """What a callback of this call is given besides what its receiver holds."""
        name = normal(callee.name)
        base, _, last = name.rpartition(".")
        if name in ("http.get", "https.get", "http.request", "https.request") or (
            base in _CLIENTS and last in _VERBS
        ):
            return frozenset({Tag("remote", named(arguments[0].text, 300) if arguments else "")})
        if last in _READ and arguments:
            return self._file(arguments[0].text)
        channel = self.channels.get(base)
        if channel is not None and last in _HEARS and arguments and arguments[0].text not in _UNHEARD:
            return frozenset({Tag("commanded", named(channel.target, 300))})
        if last in ("get", "post", "put", "all", "use") and base in ("app", "router", "server", "fastify"):
            return NONE
        return NONE

    def handed(self, function: Val, tags: frozenset[Tag], start: int, end: int) -> None:
        """A function that has only a name is called back with a value: ``.then(eval)``."""
        name = normal(function.name)
        base, _, last = name.rpartition(".")
        if name in _EVAL - {"require", "import"} or last in _RUNS_TEXT:
            self.watcher.ran(name, tags, start, end)
        elif name in _SHELL or (base == "child_process" and last in _SHELL):
            self.watcher.ran("a shell command", tags, start, end)

    def call(
        self, callee: Val, receiver: Val, arguments: Sequence[Val], start: int, end: int, *, new: bool
    ) -> Val:
        """Tell the watcher what the call does; its value."""
        name = normal(callee.name)
        base, _, last = name.rpartition(".")
        last = last or callee.shape
        passed = join(receiver.tags, united(arguments))
        first = arguments[0] if arguments else NOTHING
        if last == "require" and first.text and not first.tags:
            self._runs_file(first.text, start, end)
            return Val(name=self.module(first.text))
        if name in _PRINTS:
            if arguments and (tags := united(arguments)):
                self.watcher.printed(tags, start, end)
            return NOTHING
        if name == "process.chdir":
            self.folder = joined(self.folder, first.text)
            return NOTHING
        if name in _JOIN or last == "concat":
            return Val(tags=passed, text="/".join(argument.text for argument in arguments)[:LONGEST])
        if name in ("os.homedir", "homedir"):
            return Val(text="~")
        if name == "dotenv.config":
            return Val(tags=frozenset({Tag("secret", ".env")}))
        made = self._network(name, base, last, receiver, arguments, start, end)
        if made is not None:
            return made
        made = self._runs(name, base, last, arguments, start, end)
        if made is not None:
            return made
        made = self._file_call(name, base, last, arguments, start, end)
        if made is not None:
            return made
        if name in _CLIPBOARD:
            return Val(tags=frozenset({Tag("secret", "the clipboard")}))
        if name == "atob" or (
            name in ("Buffer.from", "Buffer")
            and len(arguments) > 1
            and arguments[1].text in ("base64", "hex")
        ):
            return Val(tags=join(passed, frozenset({Tag("decoded", "an encoded text")})))
        if last.startswith("createDecipher"):
            return Val(tags=join(passed, frozenset({Tag("decoded", "an encrypted text")})))
        if base == "zlib" and ("unzip" in last or "inflate" in last or "Decompress" in last):
            return Val(tags=join(passed, frozenset({Tag("decoded", "a compressed text")})))
        if name == "String.fromCharCode" and (len(arguments) > 8 or first.shape == "map"):
            return Val(tags=frozenset({Tag("decoded", "a list of character codes")}))
        return Val(tags=passed, items=[receiver], shape=last if callee.items else "")

    # -- network ---------------------------------------------------------------------------------

    def _network(
        self, name: str, base: str, last: str, receiver: Val, arguments: Sequence[Val], start: int, end: int
    ) -> Val | None:
        if (
            name in _FETCH
            or (base in _CLIENTS and last in _VERBS)
            or name in ("navigator.sendBeacon", "sendBeacon")
        ):
            return self._request(name, arguments, start, end)
        if name in _CHANNELS or name in ("ws.WebSocket",):
            target = arguments[0].text if arguments else ""
            self._reach(target, start)
            return Val(shape="channel " + named(target, 300))
        channel = self.channels.get(base) or _channel(receiver)
        if channel is not None and last in _SEND_METHODS:
            self.watcher.sent(channel.target, "body", united(arguments), start, end)
            return NOTHING
        if last == "pipe" and arguments:
            self._tied(base, arguments[0], channel, start, end)
        if last == "pipe" and receiver.tags and arguments and arguments[0].name == "process.stdout":
            self.watcher.printed(receiver.tags, start, end)
        elif last == "pipe" and receiver.tags and arguments:
            into = self.channels.get(normal(arguments[0].name)) or _channel(arguments[0])
            if into is not None:
                self.watcher.sent(into.target, "body", receiver.tags, start, end)
        if channel is not None and last == "open" and len(arguments) > 1:
            channel.target = arguments[1].text
            self._reach(channel.target, start)
            self.watcher.sent(channel.target, "url", arguments[1].tags, start, end)
            return NOTHING
        if base == "dns" or base == "dns.promises" or base == "dns/promises":
            self.watcher.sent(
                "dns://" + (arguments[0].text if arguments else ""), "url", united(arguments), start, end
            )
            return NOTHING
        return None

    def _tied(self, base: str, into: Val, channel: _Channel | None, start: int, end: int) -> None:
        """The input or output of a shell is tied to a connection."""
        target = self.channels.get(normal(into.name)) or _channel(into)
        process = normal(into.name).removesuffix(".stdin") if channel is not None else base.rpartition(".")[0]
        if process in self.shells and (channel or target) is not None:
            remote = (channel or target or _Channel("")).target
            self.watcher.ran("a shell", frozenset({Tag("commanded", named(remote, 300))}), start, end)

    def _request(self, name: str, arguments: Sequence[Val], start: int, end: int) -> Val:
        url = arguments[0] if arguments else NOTHING
        target = url.text or (url.props["url"].text if "url" in url.props else "")
        if not target and ("hostname" in url.props or "host" in url.props):
            target = "https://" + url.props["hostname" if "hostname" in url.props else "host"].text
        self._reach(target, start)
        for index, argument in enumerate(arguments[:4]):
            if argument.props:
                for key, value in argument.props.items():
                    channel = (
                        "header"
                        if key in ("headers", "auth", "agent")
                        else "url"
                        if key in ("url", "params")
                        else "body"
                    )
                    self.watcher.sent(target, channel, value.tags, start, end)
            elif argument.function == -1:
                self.watcher.sent(target, "url" if index == 0 else "body", argument.tags, start, end)
        remote = frozenset({Tag("remote", named(target, 300))})
        shape = "channel " + named(target, 300) if name in ("http.request", "https.request") else ""
        return Val(tags=remote, shape=shape)

    def _reach(self, target: str, start: int) -> None:
        found = hosts.urls(target)
        self.watcher.able(capabilities.net(found[0][1]) if found else "net:*", start)

    # -- running ---------------------------------------------------------------------------------

    def _runs(
        self, name: str, base: str, last: str, arguments: Sequence[Val], start: int, end: int
    ) -> Val | None:
        first = arguments[0] if arguments else NOTHING
        own = base in ("child_process", "", "execa", "shelljs", "zx")
        if own and (last in _SHELL or name in _SHELL):
            if not base and last in ("exec", "$") and not first.text and not first.tags:
                return None
            self.watcher.ran("a shell command", first.tags, start, end)
            folder = self._works_in(arguments)
            line = _entered(folder) + first.text
            printed = self.watcher.shell(line, first.tags, start, end) if first.text else NONE
            if folder:
                printed = join(printed, self._named_in(folder, first.text.split()[1:]))
            return Val(tags=join(self._output(first.text), printed))
        if base == "shelljs" and last == "rm":
            words = [item.text for argument in arguments for item in (argument.items or (argument,))]
            self.watcher.shell(" ".join(map(_worded, ("rm", *words))), united(arguments), start, end)
            return NOTHING
        if (base in ("child_process", "", "execa") and last in _SPAWN) or name in _SPAWN:
            folder = self._works_in(arguments)
            given = [item for argument in arguments[1:2] for item in argument.items]
            words = [item.text or (HOLE if item.tags else "") for item in (first, *given)]
            self.watcher.able(capabilities.command(first.text), start)
            self.watcher.ran("a command", united(arguments[:2]), start, end)
            for word in words[:2]:
                self._runs_file(word, start, end)
            printed = NONE
            if (
                len(words) > 2
                and words[0] in ("sh", "bash", "zsh", "/bin/sh", "/bin/bash")
                and words[1] in ("-c", "-lc")
            ):
                printed = self.watcher.shell(_entered(folder) + words[2], united(given), start, end)
            elif last == "fork":
                self.started(words[0], united(given))
            elif (
                network_command(words[0])
                or "/" in words[0]
                or words[0].rpartition("/")[2] in _STARTERS
                or words[0] in JUDGED
                or words[0] in _GATHERERS
            ):
                line = _entered(folder) + " ".join(map(_worded, words))
                printed = self.watcher.shell(line, united(given), start, end)
            elif words[0] in _RUNTIMES and len(words) > 1:
                self.started(words[1], united(given[1:]))
                printed = self.watcher.shell(" ".join(map(_worded, words)), NONE, start, end)
            if folder:
                printed = join(printed, self._named_in(folder, words[1:]))
            shell = words[0].rpartition("/")[2] in _SHELL_NAMES
            return Val(
                tags=join(join(self._output(" ".join(words)), self._file(first.text)), printed),
                shape=_SHELL_PROCESS if shell else "",
            )
        if last == "Worker" and len(arguments) > 1 and "eval" in arguments[1].props:
            self.watcher.ran("a worker", first.tags, start, end)
            return NOTHING
        if name in _EVAL or last in _RUNS_TEXT:
            self._runs_file(first.text, start, end)
            self.watcher.ran(name or last, united(arguments), start, end)
            if name == "import" and first.text.startswith(("http://", "https://")):
                self.watcher.ran("import", frozenset({Tag("remote", named(first.text, 300))}), start, end)
            return Val(tags=NONE, name=self.module(first.text) if name == "import" else "")
        if name in ("setTimeout", "setInterval") and first.function == -1 and first.tags and not first.name:
            self.watcher.ran(name, first.tags, start, end)
            return NOTHING
        return None

    def _works_in(self, arguments: Sequence[Val]) -> str:
        """The folder that a command is started in, as far as that is told."""
        told = next((each.props["cwd"].text for each in arguments[1:] if "cwd" in each.props), "")
        return joined(self.folder, told) if told else self.folder

    @staticmethod
    def _named_in(folder: str, words: Sequence[str]) -> frozenset[Tag]:
        """Credentials that words of a command name in the folder that it is started in."""
        paths = (within(folder, word) for word in words[:16])
        return frozenset(Tag("secret", named(path, 120)) for path in paths if path and places.secret(path))

    def _runs_file(self, path: str, start: int, end: int) -> None:
        """A file is run that this program may have written."""
        held = frozenset(tag for tag in self.files.get(path, NONE) if tag.kind in ("remote", "decoded"))
        if held:
            self.watcher.ran("a program that was just written", held, start, end)

    def _output(self, text: str) -> frozenset[Tag]:
        if places.secret(text) or places.dotenv(text):
            return frozenset({Tag("secret", named(text, 120))})
        found = printers.printed_by(text)
        if found is not None:
            return frozenset({Tag("secret" if found.printer.several else "printed", found.command)})
        if text.strip() in ("env", "printenv", "set", "pbpaste", "export -p"):
            return frozenset(
                {Tag("secret", "the environment" if text.strip() != "pbpaste" else "the clipboard")}
            )
        return NONE

    # -- files -----------------------------------------------------------------------------------

    def _file(self, path: str) -> frozenset[Tag]:
        found = join(self.files.get(path, NONE), self.written(path))
        path = within(self.folder, path) or path
        if path in ("/dev/stdin", "0"):
            return frozenset({Tag("input", "/dev/stdin")})
        if places.secret(path) or places.dotenv(path):
            return join(found, frozenset({Tag("secret", named(path, 120))}))
        if places.own(path):
            return join(found, frozenset({Tag("own", named(path, 120))}))
        return found

    def _file_call(
        self, name: str, base: str, last: str, arguments: Sequence[Val], start: int, end: int
    ) -> Val | None:
        known_base = base in _FILES or base.endswith((".promises", "fs")) or not base
        first = arguments[0] if arguments else NOTHING
        if (last in _READ and known_base) or name in _READ:
            if first.text:
                self.watcher.able(capabilities.read(first.text), start)
            return Val(tags=join(self._file(first.text), frozenset(_named_by(first.tags))))
        if (last in _ERASE and (known_base or base in ("rimraf", "del"))) or name in _ERASERS:
            self._erased(name, last, arguments, start, end)
            return NOTHING
        if (last in _WRITE and known_base) or name in _WRITE:
            data = arguments[1] if len(arguments) > 1 else NOTHING
            if last in _COPIES:
                first, data = data, Val(tags=self._file(first.text))
            if first.text:
                self.watcher.able(capabilities.write(first.text), start)
                if data.tags:
                    self.files[first.text] = data.tags
                self.watcher.wrote(first.text, data, start, end)
            return NOTHING
        return None

    def _erased(self, name: str, last: str, arguments: Sequence[Val], start: int, end: int) -> None:
        """A deletion; of a folder only where it takes what is in it."""
        whole = name in _ERASERS or last in _ERASE_ALL
        if not whole and not any("recursive" in argument.props for argument in arguments[1:]):
            return
        first = arguments[0] if arguments else NOTHING
        for path in first.items if first.items and not first.text else (first,):
            if path.text:
                self.watcher.able(capabilities.write(path.text), start)
                self.watcher.erased(path.text, start, end)

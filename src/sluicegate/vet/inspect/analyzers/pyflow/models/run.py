"""Models of running: code, shells, programs, imports, decoding and loading of objects."""

from __future__ import annotations

import ast
import re

from sluicegate.known import places
from sluicegate.vet.inspect import capabilities
from sluicegate.vet.inspect.analyzers import printers
from sluicegate.vet.inspect.analyzers.pyflow.call import EvaluatedCall
from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.models.load import evaluated
from sluicegate.vet.inspect.analyzers.pyflow.models.tables import (
    default,
    method_model,
    model,
    quiet,
)
from sluicegate.vet.inspect.analyzers.pyflow.values import NOTHING, PyValue, SourceKind, join, tainted
from sluicegate.vet.inspect.analyzers.shflow.folders import joined, within
from sluicegate.vet.lazy import lazy

SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "cmd", "powershell", "pwsh", "ash", "fish"})
INTERPRETERS = SHELLS | {"python", "python3", "python2", "node", "perl", "ruby", "php", "osascript"}
SENDERS = frozenset({"curl", "wget", "nc", "ncat", "netcat", "scp", "rsync", "ftp", "http", "https", "xh"})
READERS = frozenset(
    {"cat", "head", "tail", "tar", "zip", "7z", "cp", "base64", "curl", "scp", "find", "grep", "xxd"}
)
_ARCHIVERS = frozenset({"tar", "zip", "7z"})
RESOLVERS = frozenset({"dig", "nslookup", "host", "ping", "drill"})
RUN = ("subprocess.run", "subprocess.Popen", "subprocess.call", "subprocess.check_call",
    "subprocess.check_output", "asyncio.create_subprocess_exec",
       "os.execv", "os.execvp", "os.execve", "os.spawnv", "os.spawnvp", "os.posix_spawn", "os.posix_spawnp", "os.execvpe",
       "os.spawnve", "os.spawnvpe", "sh.Command",
       "asyncio.create_subprocess_shell", "os.execl",
       "os.execlp", "os.spawnl", "os.spawnlp", "subprocess.getoutput", "subprocess.getstatusoutput",
       "os.system", "os.popen", "pty.spawn", "os.startfile",
       "pexpect.spawn", "pexpect.run", "fabric.local", "invoke.run", "plumbum.local")  # fmt: skip
ALWAYS_SHELL = frozenset({"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput",
    "asyncio.create_subprocess_shell", "invoke.run",
                          "fabric.local", "pexpect.run", "pexpect.spawn"})  # fmt: skip
_ARGV_AT = {
    **dict.fromkeys(
        ("os.execv", "os.execvp", "os.execve", "os.execvpe", "os.posix_spawn", "os.posix_spawnp"), 1
    ),
    **dict.fromkeys(("os.spawnv", "os.spawnvp", "os.spawnve", "os.spawnvpe"), 2),
}
"""Which argument of a call is the list of the words of the command, where it is not the first."""
SPREAD_ARGV = frozenset(
    {"asyncio.create_subprocess_exec", "os.execl", "os.execlp", "os.spawnl", "os.spawnlp"}
)


@model("exec", "eval", "compile", "execfile", "runpy.run_path", "runpy.run_module",
    "code.InteractiveInterpreter().runsource", "timeit.timeit",
       "builtins.exec", "types.FunctionType", "asyncio.exec", "IPython.get_ipython().run_cell",
       "ctypes.CFUNCTYPE", "pandas.eval")  # fmt: skip
def _code(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    value = call.arg(0)
    if name in ("ctypes.CFUNCTYPE", "types.FunctionType", "timeit.timeit", "pandas.eval") and not value.mask:
        return default(call, name)
    if name == "runpy.run_module":
        return NOTHING
    flags = ["path"] if name in ("runpy.run_path", "execfile") else []
    constant = bool(value.texts) and not any("*" in t for t in value.texts)
    literal = "long-constant" in value.refs
    if constant or literal:
        flags.append("constant")
    if "open()" in value.refs or _is_own_source(call):
        flags.append("own")
    if _without_builtins(call):
        flags.append("restricted")
    frame.hit(SinkKind.CODE, name, call.node, {"command": value}, *flags)
    if name == "eval" and constant and not value.mask:
        return evaluated(frame, call, value.texts)
    return PyValue(value.mask, value.texts, ("compiled",)) if name == "compile" else tainted(value.mask)


@model("sys.path.insert", "sys.path.append")
@quiet
def _import_path(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """An archive or a folder that this program wrote is imported from."""
    path = call.args[-1] if call.args else NOTHING
    if any(text in frame.analysis.written for text in path.texts):
        frame.hit(SinkKind.CODE, name, call.node, {"command": path}, "path")
    return NOTHING


def _is_own_source(call: EvaluatedCall) -> bool:
    """``exec(open("setup.py").read())`` and ``exec(compile(f.read(), path, "exec"))`` run files, not data."""
    node = call.node.args[0] if call.node.args else None
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("read", "read_text")
    )


def _without_builtins(call: EvaluatedCall) -> bool:
    """``eval(x, {"__builtins__": {}}, ...)``."""
    node = call.node.args[1] if len(call.node.args) > 1 else None
    return isinstance(node, ast.Dict) and any(
        isinstance(k, ast.Constant) and k.value == "__builtins__" for k in node.keys
    )


@model(*RUN)
def _run(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """A program or a shell command line."""
    command = call.arg(0, "args", "cmd", "command")
    shell = name in ALWAYS_SHELL or call.constant(-1, "shell") is True
    if name in SPREAD_ARGV:
        command = PyValue(call.mask, (), (), tuple(("", a) for a in call.args))
    elif name in _ARGV_AT and len(call.args) > _ARGV_AT[name] and call.args[_ARGV_AT[name]].parts:
        command = call.args[_ARGV_AT[name]]
    folder = _folder(frame, call)
    if folder:
        command = _seen_from(folder, command)
    flags = _how(call)
    mask = run_command(frame, call.node, name, command, shell, flags)
    given = call.arg(-1, "input", "stdin")
    if name in _READ or call.has(-1, "capture_output", "stdout"):
        mask |= _printed_by_programs(frame, call.node, command)
    if given.mask and _argv0(command) in INTERPRETERS:
        frame.hit(SinkKind.CODE, name, call.node, {"command": given})
    elif given.mask and _argv0(command) in SENDERS:
        send_by_program(frame, call.node, command, [given])
    handed = {"given": given} if given.mask else {}
    from sluicegate.vet.inspect.analyzers.pyflow import calls

    environment = call.arg(-1, "env")
    for key, part in environment.parts:
        calls.steer(frame, key, part, call.node)
    if environment.mask and environment.parts:
        handed["environment"] = environment
    if handed:
        sink = SinkKind.PROGRAM if command.parts or not shell else SinkKind.SHELL
        frame.hit(sink, name, call.node, handed)
    result = default(call, name)
    kept = (("@command", command),) if name == "subprocess.Popen" else ()
    return PyValue(mask, (), result.refs, kept)


_NAME_OF_FILE = lazy(r"(?<![\w./~$%-])(?<![|;&(]\s)(?<![|;&(`])(?<!^)[\w.*][\w./*-]{0,120}(?![\w:(])")
"""A word of a command that may name a file, and is not the command."""


def _folder(frame: UnitRun, call: EvaluatedCall) -> str:
    """The folder that a command is started in, as far as that is told."""
    here = frame.analysis.folder(frame.view, call.node.lineno)
    told = next(iter(call.arg(-1, "cwd").texts), "")
    return joined(here, told) if told else here


def _seen_from(folder: str, command: PyValue) -> PyValue:
    """A command with the credentials that it names in its folder named from outside of that."""

    def whole(found: re.Match[str]) -> str:
        path = within(folder, found[0])
        return path if path and places.secret(path) and not places.secret(found[0]) else found[0]

    parts = tuple(
        (
            key,
            part._replace(texts=tuple(_NAME_OF_FILE.sub(whole, f" {text}")[1:] for text in part.texts))
            if at
            else part,
        )
        for at, (key, part) in enumerate(command.parts)
    )
    texts = tuple(_NAME_OF_FILE.sub(whole, text) for text in command.texts)
    return command._replace(texts=texts, parts=parts)


_READ = frozenset({"subprocess.check_output", "subprocess.getoutput", "subprocess.getstatusoutput", "os.popen",
    "asyncio.create_subprocess_exec", "asyncio.create_subprocess_shell", "pexpect.run"})  # fmt: skip
"""Those whose result is what the program prints; of others only where they are told to keep it."""


def _printed_by_programs(frame: UnitRun, node: ast.Call, command: PyValue) -> int:
    """The taint of what programs of the bundle print that a command starts."""
    programs = frame.analysis.programs
    if programs is None:
        return 0
    starter = frame.analysis.views[frame.view].path
    lines = list(command.texts)
    if command.parts:
        words = [part.texts[0] if part.texts else "*" for key, part in command.parts if not key]
        words = ["python3" if word in ("*", "sys.executable") else word for word in words[:1]] + words[1:]
        import shlex

        lines = [shlex.join(words)]
    from sluicegate.vet.inspect.analyzers.pyflow.judging.handed import mask_of  # it knows all that judges

    mask = 0
    for line in lines[:4]:
        mask |= mask_of(frame, programs.output(line, starter), node)
    return mask


def _how(call: EvaluatedCall) -> list[str]:
    flags: list[str] = []
    for keyword in call.node.keywords:
        value = keyword.value
        text = (
            value.attr
            if isinstance(value, ast.Attribute)
            else value.id
            if isinstance(value, ast.Name)
            else ""
        )
        if keyword.arg in ("stdout", "stderr") and text == "DEVNULL":
            flags.append("silent")
        elif (keyword.arg == "start_new_session" and call.constant(-1, "start_new_session") is True) or (
            keyword.arg == "preexec_fn" and text == "setsid"
        ):
            flags.append("detached")
        elif keyword.arg == "creationflags":
            words = {
                n.attr if isinstance(n, ast.Attribute) else n.id
                for n in ast.walk(value)
                if isinstance(n, ast.Attribute | ast.Name)
            }
            numbers = {n.value for n in ast.walk(value) if isinstance(n, ast.Constant)}
            if "CREATE_NO_WINDOW" in words or 0x08000000 in numbers:
                flags.append("no-window")
            if "DETACHED_PROCESS" in words or 8 in numbers:
                flags.append("detached")
    return flags


def _argv0(command: PyValue) -> str:
    first = command.parts[0][1] if command.parts else command
    if not first.texts:
        return "*"
    words = first.texts[0].split(None, 1)
    return words[0].rpartition("/")[2].removesuffix(".exe") if words else "*"


def run_command(
    frame: UnitRun, node: ast.Call, name: str, command: PyValue, shell: bool, flags: list[str]
) -> int:
    """Report a command; gives the taint of its output."""
    if command.parts:
        words = [part for key, part in command.parts if not key]
        program = _argv0(command)
        frame.can(capabilities.command(program), node)
        mask = _argument_sources(frame, node, program, words)
        if program in SENDERS | RESOLVERS:
            send_by_program(frame, node, command, words[1:], program in RESOLVERS)
        inline = _inline_code(words, program)
        if inline is not None:
            slots = {"command": inline, "argv": command}
            frame.hit(
                SinkKind.SHELL if program in SHELLS else SinkKind.CODE,
                name,
                node,
                slots,
                *flags,
                *_constancy(inline),
            )
        else:
            head = words[0] if words else NOTHING
            script = words[1] if len(words) > 1 and program in INTERPRETERS else NOTHING
            frame.hit(
                SinkKind.PROGRAM, name, node, {"command": head, "argv": command, "script": script}, *flags
            )
        return mask
    mask = 0
    for text in command.texts or ("*",):
        frame.can(capabilities.command(text.split(None, 1)[0] if text.split() else "*"), node)
        mask |= _text_sources(frame, node, text, command)
    sink = SinkKind.SHELL if shell else SinkKind.PROGRAM
    frame.hit(sink, name, node, {"command": command}, *flags, *_constancy(command))
    return mask


def _constancy(value: PyValue) -> list[str]:
    return ["constant"] if value.texts and not any("*" in t for t in value.texts) else []


def _inline_code(words: list[PyValue], program: str) -> PyValue | None:
    """The code in ``bash -c CODE``, ``python -c CODE``, ``node -e CODE``."""
    if program not in INTERPRETERS:
        return None
    for index, word in enumerate(words[1:4], 1):
        if (
            word.texts
            and word.texts[0] in ("-c", "-e", "/c", "-Command", "-lc", "-EncodedCommand", "-enc", "/C", "-ic")
            and index + 1 < len(words)
        ):
            return words[index + 1]
    return None


def _argument_sources(frame: UnitRun, node: ast.Call, program: str, words: list[PyValue]) -> int:
    text = " ".join(w.texts[0] if w.texts else "*" for w in words)
    value = NOTHING
    for word in words:
        value = join(value, PyValue(word.mask))
    return _text_sources(frame, node, text, value)


def _text_sources(frame: UnitRun, node: ast.Call, text: str, command: PyValue) -> int:
    """The taint of a command's output, from the command line's own words."""
    program = text.split(None, 1)[0].rpartition("/")[2] if text.split() else ""
    mask = 0
    low = text[:300]
    if program in SENDERS:
        url = next((w.strip("\"'") for w in low.split() if "://" in w or ("." in w and "/" in w)), "*")
        frame.can(capabilities.net(url), node)
        if program in ("curl", "wget"):
            mask |= frame.site(SourceKind.NETWORK, f"{program} {url[:60]}", node)
        frame.hit(
            SinkKind.SEND,
            program,
            node,
            {
                "url": PyValue(0, (url,)),
                "body command": PyValue(command.mask | _files_sent(frame, node, low)),
            },
            "program",
        )
    elif program in RESOLVERS:
        frame.hit(SinkKind.LOOKUP, program, node, {"url": PyValue(command.mask)})
    elif program == "git" and " push " in f" {text[:300]} ":
        _pushed(frame, node, text[:300])
    if program in ("pbpaste", "xclip", "xsel", "wl-paste"):
        mask |= frame.site(SourceKind.CLIPBOARD, program, node)
    elif program in ("env", "printenv", "set") and len(text.split()) == 1:
        mask |= frame.site(SourceKind.ENV_ALL, program, node)
    elif (found := printers.printed_by(text)) is not None:
        mask |= frame.site(*_printed(found), node)
    elif program in ("screencapture", "scrot", "gnome-screenshot", "import"):
        mask |= frame.site(SourceKind.SCREEN, program, node)
    if program in READERS:
        for word in _words(low):
            path = word.replace("$HOME", "~")
            if places.secret(path.lstrip("@")):
                mask |= frame.site(SourceKind.CREDENTIAL_FILE, path, node)
            elif program in _ARCHIVERS and places.own(path):
                mask |= frame.site(SourceKind.HOME_FILE, path, node)
    return mask


def _files_sent(frame: UnitRun, node: ast.Call, text: str) -> int:
    """The taint of the credential files that a command line of a client names to be sent."""
    mask, before = 0, ""
    for word in (each.strip("\"'") for each in text.split("|", 1)[0].split()):
        path = word.rpartition("@")[2].replace("$HOME", "~")
        named = "@" in word or not word.startswith("-")
        if named and "://" not in path and before not in _OWN_FILES:
            mask |= frame.analysis.written.get(path, 0)
            if places.secret(path):
                mask |= frame.site(SourceKind.CREDENTIAL_FILE, path, node)
        before = word
    return mask


def _pushed(frame: UnitRun, node: ast.Call, text: str) -> None:
    """``git push`` to an address that stands in the command sends the repository there."""
    url = next((word.strip("\"'") for word in text.split() if "://" in word), "")
    if url:
        content = PyValue(frame.site(SourceKind.TREE_FILE, "the repository", node))
        frame.hit(SinkKind.SEND, "git push", node, {"url": PyValue(0, (url,)), "body": content}, "program")


_OWNERS = {
    "gh": "GITHUB",
    "glab": "GITLAB",
    "gcloud": "GOOGLE",
    "az": "AZURE",
    "aws": "AWS",
    "npm": "NPM",
    "heroku": "HEROKU",
}
"""Whose credential a program prints, as names of variables put it."""


def _printed(found: printers.Printed) -> tuple[SourceKind, str]:
    """What a command prints: credentials that nobody sends, or one that is sent to its owner alone."""
    if found.printer.several:
        return SourceKind.CREDENTIAL_FILE, found.command
    owner = _OWNERS.get(found.command.partition(" ")[0]) if found.printer.owners else None
    return SourceKind.ENV_SECRET, f"{owner}_TOKEN ({found.command})" if owner else f"({found.command})"


def _words(text: str) -> list[str]:
    import shlex

    try:
        return shlex.split(text)[:40]
    except ValueError:
        return text.split()[:40]


_OWN_FILES = frozenset("-i -E -o -c -b -K --cert --key --cacert --output --netrc-file --config".split())
"""Options of senders whose file is read or written for the connection, and is not what is sent."""


def send_by_program(
    frame: UnitRun, node: ast.Call, command: PyValue, values: list[PyValue], lookup: bool = False
) -> None:
    """``subprocess.run(["curl", "-d", secret, url])`` sends as a request does."""
    url = NOTHING
    slots: dict[str, PyValue] = {}
    header = False
    before = ""
    for index, value in enumerate(values):
        text = value.texts[0] if value.texts else ""
        if before not in _OWN_FILES:
            for path in (each.rpartition("@")[2] for each in value.texts):
                if held := frame.analysis.written.get(path, 0):
                    slots[f"body {index}"] = PyValue(held)
                if places.secret(path):
                    given = PyValue(frame.site(SourceKind.CREDENTIAL_FILE, path, node))
                    slots[f"body {index}"] = given
        before = text
        if "://" in text or (not text.startswith("-") and "." in text and "/" in text and url is NOTHING):
            url = value
            frame.can(capabilities.net(text), node)
        elif value.mask:
            slots["headers" if header else f"body {index}"] = value
        header = text in ("-H", "--header", "-u", "--user")
    if lookup:
        mask = 0
        for value in values:
            mask |= value.mask
        frame.hit(SinkKind.LOOKUP, _argv0(command), node, {"url": PyValue(mask)})
        return
    frame.hit(SinkKind.SEND, _argv0(command), node, {"url": url, **slots}, "program")


@method_model("communicate")
def _communicate(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """What a program that was started before is given on its input."""
    command = dict(call.receiver.parts).get("@command", NOTHING)
    given = call.arg(0, "input")
    if given.mask and _argv0(command) in INTERPRETERS:
        frame.hit(SinkKind.CODE, "subprocess.Popen", call.node, {"command": given})
    elif given.mask and _argv0(command) in SENDERS:
        send_by_program(
            frame, call.node, command, [part for key, part in command.parts[1:] if not key] + [given]
        )
    return tainted(call.receiver.mask)


@method_model("exec_command", "invoke_shell")
@quiet
def _remote(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    return tainted(call.receiver.mask)

"""What each known command does with the values it is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from sluicegate.known import hosts, places
from sluicegate.known.commands import sending
from sluicegate.vet.inspect.analyzers import printers
from sluicegate.vet.inspect.analyzers.shflow import folders, functions
from sluicegate.vet.inspect.analyzers.shflow.commands import archives, inside, own, sends
from sluicegate.vet.inspect.analyzers.shflow.commands import tables as table
from sluicegate.vet.inspect.analyzers.shflow.commands.wrappers import ITEM
from sluicegate.vet.inspect.analyzers.shflow.judging import destroys
from sluicegate.vet.inspect.analyzers.shflow.values import (
    EMPTY,
    LONGEST,
    NONE,
    ShellValue,
    Tag,
    descriptor,
    join,
    named,
)

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.flow import ShellFlow
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall

_DECODED = frozenset({Tag("decoded", "an encoded text")})
_ENVIRONMENT = frozenset({Tag("secret", "the environment")})
_DECLARERS = frozenset({"export", "declare", "local", "readonly", "typeset"})
_PRIVATE = frozenset({"secret", "key", "printed", "own"})
_TRANSCRIPT = Tag("own", "the conversation")
_SEALED = frozenset({Tag("sealed", "an encrypted file")})
_PRINTED_INTO = frozenset(
    {"pull", "create", "--out-file", "-o", "--output", "-f", "--file", "--output-file", "--out"}
)
"""Words in front of the file that a command puts credentials into instead of printing them."""
_LINES = frozenset({"mapfile", "readarray"})
_LISTERS = frozenset({"cat", "head", "tail", "tac", "sort", "uniq", "less", "more", "bat"})
_TEES = frozenset({"tee", "dd", "sponge"})
_COPIERS = frozenset({"cp", "mv", "ln", "install", "rsync", "ditto"})
_OF_INPUT = frozenset(
    "cat head tail tac bat base64 base32 gzip gunzip zcat bzip2 xz xxd gpg openssl age".split()
)
"""Commands that read their input where they are given no file."""
_OF_FILES = table.READERS | table.DECODERS | _TEES | _COPIERS | archives.PACKERS


def apply(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """Run one command: tell the flow which effects its values reach; the value of its output."""
    name = call.name
    if name in flow.script.functions or name in flow.memory.sinks or name in flow.memory.returns:
        return functions.called(flow, call)
    effect = _EFFECTS.get(name)
    if effect is None:
        program = sending.sender(call.words)
        return _program(flow, call) if program is None else sends.sent(flow, call, program)
    return effect(flow, call)


def _declare(flow: ShellFlow, call: ShellCall) -> ShellValue:
    for at, word in enumerate(call.words[1:], 1):
        name, equals, text = word.partition("=")
        if equals:
            flow.memory.variables[name] = ShellValue(call.facts.get(at, NONE), text)
        if call.name == "export" or "-x" in call.flags:
            flow.memory.exported.add(name)
    if len(call.words) == 1 or call.words[1:] in (["-p"], ["-x"]):
        return ShellValue(_ENVIRONMENT, "")
    return EMPTY


def _listing(_: ShellFlow, call: ShellCall) -> ShellValue:
    """``ls`` of a pattern names the files that it fits."""
    operands = [word for word in call.words[1:] if not word.startswith("-")]
    return ShellValue(NONE, operands[0]) if len(operands) == 1 and "*" in operands[0] else EMPTY


def _echo(_: ShellFlow, call: ShellCall) -> ShellValue:
    if call.name == "printf" and "%s" in "".join(call.words[1:2]):
        return ShellValue(call.tags, _formatted(call.words[1], call.words[2:])[:LONGEST])
    return ShellValue(call.tags, " ".join(call.words[1:])[:LONGEST])


def _formatted(pattern: str, values: Sequence[str]) -> str:
    """What ``printf`` makes of values: each in the place of a ``%s``."""
    parts = pattern.split("%s")
    filled = [*values[: len(parts) - 1], *[""] * (len(parts) - 1 - len(values))]
    return parts[0] + "".join(value + part for value, part in zip(filled, parts[1:], strict=True))


def _read(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """``read`` and ``mapfile`` fill variables from their input, or from an open file."""
    tags = call.stdin
    for before, word in pairwise(call.words):
        if before == "-u":
            tags = join(tags, flow.memory.descriptors.get(descriptor(word), NONE))
        elif word.startswith("-u"):
            tags = join(tags, flow.memory.descriptors.get(word[2:], NONE))
    for word in (*call.words[1:], "MAPFILE" if call.name in _LINES else "REPLY"):
        flow.memory.variables[word] = ShellValue(tags, "$" + word)
    return EMPTY


def _opened(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """``exec`` without a command opens files for all commands behind it."""
    memory = flow.memory
    for redirect in call.command.redirects:
        if redirect.operator not in ("<", "<>", "<<<", "<<", "<&"):
            continue
        value = flow.value(redirect.word)
        held = flow.file(value.text) if redirect.operator in ("<", "<>") else NONE
        if redirect.operator == "<&":
            held = memory.descriptors.get(descriptor(value.text), NONE)
        number = redirect.descriptor
        if number in ("", "0"):
            memory.stdin = join(value.tags, held)
        memory.descriptors[number or "0"] = join(value.tags, held)
    return EMPTY


def _set(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """``set`` shows all variables, and ``set -- WORDS`` gives the parameters their values."""
    words = call.words
    if len(words) == 1:
        return ShellValue(_ENVIRONMENT, "")
    if words[1] != "--" or call.command.function:
        return _program(flow, call)
    for number in range(1, min(len(words) - 1, 10)):
        flow.memory.variables[str(number)] = call.value(number + 1)
    everything = ShellValue(call.tags_from(2), " ".join(words[2:])[:LONGEST])
    flow.memory.variables["@"] = flow.memory.variables["*"] = everything
    return EMPTY


def _environment(_: ShellFlow, call: ShellCall) -> ShellValue:
    asked = [word for word in call.words[1:] if not word.startswith("-")]
    return ShellValue(frozenset({Tag("key", "$" + asked[0])}) if asked else _ENVIRONMENT, "")


def _printer(flow: ShellFlow, call: ShellCall) -> ShellValue:
    program = sending.sender(call.words)
    if program is not None:
        return sends.sent(flow, call, program)
    found = printers.printed(call.words)
    if found is not None:
        tags = frozenset({Tag("secret" if found.printer.several else "printed", found.command)})
        for before, word in pairwise(call.words):
            if before in _PRINTED_INTO and ("." in word or "/" in word):
                flow.keep(word, tags)
        return ShellValue(tags, "")
    return own.repository(flow, call) if call.name == "git" else _files(flow, call)


def _temporary(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """A fresh path, told from others by the place of its command."""
    return ShellValue(NONE, f"/tmp/mktemp.{call.start}")


def _enter(flow: ShellFlow, call: ShellCall) -> ShellValue:
    flow.change_folder(call)
    return EMPTY


def _shift(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """The parameters move down, where they are known."""
    variables = flow.memory.variables
    by = int(call.words[1]) if call.words[1:] and call.words[1].isdigit() else 1
    if "1" in variables and not flow.memory.listening and by < 10:
        for number in range(1, 10):
            variables[str(number)] = variables.get(str(number + by), EMPTY)
    return EMPTY


def _find(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """``find`` names files, and runs a command for each."""
    words = call.words
    start = next((word for word in words[1:] if not word.startswith("-")), ".")
    name = next(
        (after for word, after in pairwise(words) if word in ("-name", "-iname", "-path")),
        "*",
    )
    found = f"{start.rstrip('/')}/{name}"
    for at, word in enumerate(words):
        if word in ("-exec", "-execdir", "-ok") and at + 1 < len(words):
            end = next((to for to in range(at + 1, len(words)) if words[to] in (";", "+", "\\;")), len(words))
            flow.inner(" ".join(words[at + 1 : end]).replace("{}", found), call)
            break
    tags = flow.file(found)
    return ShellValue(frozenset(tag for tag in tags if tag.kind in ("secret", "own")), found)


def _evaluate(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """eval runs its words, source a file."""
    tags = call.tags
    if call.name == "eval":
        if len(call.words) > 1:
            index = len(call.command.words) - len(call.words) + 1
            woven = index in call.command.woven
            flow.inner(" ".join(call.words[1:]) if woven else call.command.words[index], call)
        if not all(_whole(call, at) for at in range(1, len(call.words))):
            tags = _not_given(tags)
    else:
        tags = _not_given(tags)
        for word in call.words[1:2]:
            tags = join(tags, frozenset(t for t in flow.file(word) if t.kind in ("remote", "decoded")))
            flow.source(word, call)
        if call.words[1:2] in (["/dev/stdin"], ["-"]):
            tags = join(tags, call.stdin)
    flow.sink("run", call.name, tags, call)
    return EMPTY


def _whole(call: ShellCall, at: int) -> bool:
    """Whether a word is no more than what a variable or a command gives."""
    word = call.command.woven.get(len(call.command.words) - len(call.words) + at)
    return word is not None and all(piece.kind != "lit" or not piece.text.strip() for piece in word.pieces)


def _not_given(tags: frozenset[Tag]) -> frozenset[Tag]:
    """The facts without those of what a program is given: a part of a command, or the name of a file, is not code."""
    return frozenset(tag for tag in tags if tag.kind != "given")


def _interpret(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """An interpreter runs the program in an argument, in a file, or on its standard input."""
    words = call.words
    tags, printed, at, program = NONE, NONE, 1, ""
    offset = len(call.command.words) - len(words)
    letters = "c" if call.name in table.SHELLS else ("c", "e")
    while at < len(words):
        word = words[at]
        inline = word in table.SCRIPT_FLAGS or (
            word[:1] == "-" and word[:2] != "--" and word.endswith(letters)
        )
        if inline:
            program = "inline"
            if at + 1 < len(words):
                held = call.facts.get(at + 1, NONE)
                tags = join(tags, held if _whole(call, at + 1) else _not_given(held))
                index = offset + at + 1
                if call.name in table.SHELLS and 0 <= index < len(call.command.words):
                    woven = index in call.command.woven or ITEM in words[at + 1]
                    flow.inner(words[at + 1] if woven else call.command.words[index], call)
            break
        if call.name in table.RUNTIMES and word == "run" and at == 1:
            at += 1
            continue
        if not word.startswith(("-", "+")) or word == "-":
            program = word
            if word.startswith(("https://", "http://")):
                tags = join(tags, frozenset({Tag("remote", named(word, 300))}))
            printed = flow.hand(at, call)
            ran = _not_given(join(call.facts.get(at, NONE), flow.file(word)))
            tags = join(tags, call.stdin if word in ("-", "/dev/stdin") else ran)
            break
        if word == "-s":
            break
        at += 1
    if not program:
        tags = join(tags, call.stdin)
        if call.name in table.SHELLS:
            for redirect in call.command.redirects:
                if redirect.operator in ("<<", "<<<"):
                    text = redirect.word.text
                    flow.inner(flow.value(redirect.word).text if text is None else text, call)
    flow.sink("run", call.name, frozenset(t for t in tags if t.kind not in _PRIVATE), call)
    if program == "inline" and call.name not in table.SHELLS:
        return ShellValue(join(call.stdin, _named_in(call.words[at + 1 : at + 2])), "")
    return ShellValue(join(frozenset(t for t in call.stdin if t.kind in _PRIVATE), printed), "")


def _named_in(code: Sequence[str]) -> frozenset[Tag]:
    """The credentials that a program in an argument names: it may print them."""
    for text in code:
        for start, end in islice((*places.secrets(text), *places.dotenvs(text)), 4):
            return frozenset({Tag("secret", named(text[start:end], 120))})
    return NONE


def _openssl(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """``openssl s_client`` sends what it reads and prints the answer."""
    if "s_client" not in call.words:
        return _files(flow, call)
    place = sends.target(call)
    flow.sink("send", place, join(call.stdin, call.tags), call, channel="body")
    return ShellValue(frozenset({Tag("remote", named(f"tcp://{place}", 300))}), "")


def _rsync(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """A copy on this machine, or to another."""
    program = sending.sender(call.words)
    if (
        program is None
        or inside.brought(call.words)
        or (not hosts.host_of(call.words[-1]) and ":" not in call.words[-1])
    ):
        return _files(flow, call)
    return sends.sent(flow, call, program)


def _seal(flow: ShellFlow, operands: Sequence[str]) -> None:
    """The variable of a loop names a file that is encrypted; what becomes of the file itself is worth a look."""
    for name, value in tuple(flow.memory.variables.items()):
        if value.text in operands and ("*" in value.text or value.text == "$" + name):
            flow.memory.variables[name] = ShellValue(join(value.tags, _SEALED), value.text)


def _program(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """A command of which nothing is known may itself be a file that was fetched, or a program of the bundle."""
    path = call.words[0]
    if path.startswith(("/", "./", "~", "$")) or path in flow.memory.files:
        run = frozenset(
            t for t in join(flow.file(path), call.facts.get(0, NONE)) if t.kind in ("remote", "decoded")
        )
        flow.sink("run", path, run, call)
        return ShellValue(flow.hand(0, call), "")
    if (held := _installed(flow, path)) != NONE:
        flow.sink("run", path, held, call)
        return EMPTY
    if not path and 0 in call.facts:
        flow.sink("run", "a command", _not_given(call.facts[0]), call)
    elif "/" in path:
        return ShellValue(flow.hand(0, call), "")
    return EMPTY


def _installed(flow: ShellFlow, name: str) -> frozenset[Tag]:
    """The facts of a program that was put where programs are, and is run by its name."""
    if not flow.memory.files or not name or "/" in name:
        return NONE
    end = f"/bin/{name}"
    for path, tags in islice(flow.memory.files.items(), 64):
        if path.endswith(end):
            return frozenset(tag for tag in tags if tag.kind in ("remote", "decoded"))
    return NONE


def _files(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """Commands that read, copy or pack files."""
    _program(flow, call)
    name, words = call.name, call.words
    if name not in _OF_FILES:
        return EMPTY
    operands = [word for word in words[1:] if not word.startswith("-")]
    # What is given a file does not read its input; of most commands an operand may be something else.
    tags = join(_not_given(call.stdin) if operands and name in _OF_INPUT else call.stdin, call.tags)
    for word in operands:
        tags = join(tags, flow.file(word))
        if name in _LISTERS:
            tags = join(tags, flow.listed(word))
        elif name == "jq" and "transcript_path" in word:
            tags = join(tags, frozenset({_TRANSCRIPT}))
    if name in destroys.ENCRYPTERS and destroys.encrypts(call):
        _seal(flow, operands)
    if name in archives.ARCHIVERS:
        tags = join(tags, archives.packed(flow, call, operands))
    if name in _TEES:
        for word in operands:
            if name != "dd" or word.startswith("of="):
                flow.write(
                    call, ShellValue(NONE, word.removeprefix("of=")), ShellValue(call.stdin, flow.piped(call))
                )
        return ShellValue(call.stdin, "")
    if name in _COPIERS and len(operands) > 1:
        flow.write(call, ShellValue(NONE, operands[-1]), ShellValue(tags, ""))
        return EMPTY
    if name in archives.PACKERS:
        archives.keep(flow, call, operands, tags)
    if name in table.DECODERS and table.decodes(name, call.flags, words[1:]):
        decoded = join(tags, _DECODED)
        for index, word in enumerate(words[2:], 2):
            if words[index - 1] in ("-o", "-out", "--output"):
                flow.write(call, ShellValue(NONE, word), ShellValue(decoded, ""))
        return ShellValue(decoded, "")
    text = next(sends.typed(flow, call), "") if name == "cat" and not operands else ""
    return ShellValue(tags if name in table.READERS else NONE, text[:LONGEST])


_EFFECTS: dict[str, Callable[[ShellFlow, ShellCall], ShellValue]] = {
    **dict.fromkeys(_OF_FILES, _files),
    **dict.fromkeys(printers.PRINTERS.keys() | {"git"}, _printer),
    **dict.fromkeys(own.DUMPS, own.dumped),
    "mktemp": _temporary,
    **dict.fromkeys(folders.COMMANDS, _enter),
    "shift": _shift,
    "exec": _opened,
    "find": _find,
    "ls": _listing,
    **dict.fromkeys(inside.STARTERS, inside.started),
    **dict.fromkeys(table.ENVIRONMENT, _environment),
    "set": _set,
    "openssl": _openssl,
    "rsync": _rsync,
    **dict.fromkeys(table.INTERPRETERS, _interpret),
    **dict.fromkeys(("eval", "source", "."), _evaluate),
    **dict.fromkeys(_LINES | {"read"}, _read),
    **dict.fromkeys(table.ECHO, _echo),
    **dict.fromkeys(_DECLARERS, _declare),
}
"""What a command does, by its name: where two tables name it, the later. All others are ``_program``."""

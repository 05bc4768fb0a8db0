"""What each known command does with the values it is given, and what it gives back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.vet.inspect.analyzers.shflow import commands as table
from penstock.vet.inspect.analyzers.shflow.values import EMPTY, LONGEST, NONE, Tag, Value, join

if TYPE_CHECKING:
    from penstock.vet.inspect.analyzers.shflow.flow import Call, Flow

_DECODED = frozenset({Tag("decoded", "an encoded text")})
_ENVIRONMENT = frozenset({Tag("secret", "the environment")})
_ARCHIVE = (".tar", ".tgz", ".gz", ".zip", ".bz2", ".xz", ".7z", ".zst")
_DECLARERS = frozenset({"export", "declare", "local", "readonly", "typeset"})


def apply(flow: Flow, call: Call) -> Value:
    """Run one command: tell the flow which effects its values reach; the value of its output."""
    name = call.name
    if name in flow.script.functions or name in flow.memory.sinks or name in flow.memory.returns:
        return _function(flow, call)
    if name in _DECLARERS:
        return _declare(flow, call)
    if name in table.ECHO:
        return Value(call.tags, " ".join(call.words[1:65])[:LONGEST])
    if name in table.HTTP:
        return _http(flow, call)
    if name == "read":
        for word in call.words[1:9]:
            flow.memory.variables[word] = Value(call.stdin, "$" + word)
        return EMPTY
    if name in ("eval", "source", "."):
        return _evaluate(flow, call)
    if name in table.INTERPRETERS:
        return _interpret(flow, call)
    if name in table.TALKERS and (name != "openssl" or "s_client" in call.words):
        _send(flow, call)
        return EMPTY
    if name == "set" and len(call.words) == 1:
        return Value(_ENVIRONMENT, "")
    if name in table.ENVIRONMENT:
        named = [word for word in call.words[1:] if not word.startswith("-")]
        return Value(frozenset({Tag("key", "$" + named[0])}) if named else _ENVIRONMENT, "")
    if call.words[0] in table.PRINTERS:
        if table.printer(call.words, table.SECRET_PRINTERS):
            return Value(frozenset({Tag("secret", " ".join(call.words[:2]))}), "")
        if table.printer(call.words, table.KEY_PRINTERS):
            return Value(frozenset({Tag("key", " ".join(call.words[:3]))}), "")
    return _files(flow, call)


def _function(flow: Flow, call: Call) -> Value:
    given = {str(index): value.tags for index, value in enumerate(call.values[1:10], 1)}
    given["@"] = given["*"] = call.tags
    given["stdin"] = call.stdin
    waiting = flow.memory.sinks.get(call.name, [])
    flow.memory.steps -= 4 * len(waiting)
    for sink, parameter in tuple(waiting):
        flow.sink(sink.kind, sink.target, given.get(parameter.what, NONE), call, channel=sink.channel)
    tags = NONE
    for tag in sorted(flow.memory.returns.get(call.name, NONE)):
        tags = join(tags, given.get(tag.what, NONE) if tag.kind == "parameter" else frozenset({tag}))
    return Value(tags, "")


def _declare(flow: Flow, call: Call) -> Value:
    for word, value in zip(call.words[1:], call.values[1:], strict=True):
        name, equals, text = word.partition("=")
        if equals:
            flow.memory.variables[name] = Value(value.tags, text)
    if len(call.words) == 1 or call.words[1:] in (["-p"], ["-x"]):
        return Value(_ENVIRONMENT, "")
    return EMPTY


def _http(flow: Flow, call: Call) -> Value:
    """A client: what its body, its address and its headers hold is sent; its answer is remote."""
    url, output, saves = "", "", call.name == "wget"
    sent: list[tuple[str, frozenset[Tag]]] = []
    words, values = call.words, call.values
    at = 1
    while at < len(words):
        word, value = words[at], values[at]
        flag, equals, attached = word.partition("=") if word.startswith("--") else (word, "", "")
        at += 1
        following = Value(value.tags, attached) if equals else (values[at] if at < len(values) else EMPTY)
        consumed = 0 if equals else 1
        if word == "-O" and call.name == "curl":
            saves = True
        elif flag in table.OUTPUT_FLAGS:
            output, saves = following.text, True
            at += consumed
        elif flag in table.DATA_FLAGS:
            sent.append(("body", join(following.tags, _attached(flow, call, flag, following.text))))
            at += consumed
        elif flag in table.HEADER_FLAGS:
            sent.append(("header", following.tags))
            at += consumed
        elif flag in table.VALUE_FLAGS:
            at += consumed
        elif flag.startswith("-") and not flag.startswith("--"):
            if flag.endswith(("o", "O")) and call.name != "httpie":
                output = following.text if flag.endswith("o") or call.name == "wget" else ""
                saves = True
                at += flag.endswith("o") or call.name == "wget"
        elif not word.startswith("--"):
            url = url or word
            sent.append(("url", value.tags))
            if call.name in ("http", "https", "xh") and "@" in word:
                sent.append(("body", flow.file(word.partition("@")[2])))
    for channel, tags in sent:
        flow.sink("send", url, tags, call, channel=channel)
    if call.name in ("http", "https", "xh"):
        flow.sink("send", url, call.stdin, call, channel="body")
    remote = frozenset({Tag("remote", url[:300])})
    if not saves or output in ("-", "/dev/stdout"):
        return Value(remote, "")
    path = output or url.partition("?")[0].rstrip("/").rpartition("/")[2]
    if path:
        flow.write(call, Value(NONE, path), Value(remote, ""))
    return EMPTY


def _attached(flow: Flow, call: Call, flag: str, text: str) -> frozenset[Tag]:
    """The facts of the file that a body option names."""
    if flag in ("-T", "--upload-file", "--post-file", "--body-file"):
        return call.stdin if text in ("-", ".") else flow.file(text)
    mark = text.find("@")
    if mark == -1 and flag in ("-F", "--form"):
        mark = text.find("<")
    if mark == -1 or flag in ("--data-raw", "--form-string"):
        return NONE
    path = text[mark + 1 :].partition(";")[0]
    return call.stdin if path == "-" else flow.file(path)


def _evaluate(flow: Flow, call: Call) -> Value:
    """eval runs its words, source a file."""
    tags = call.tags
    if call.name == "eval":
        if len(call.words) > 1:
            index = len(call.command.words) - len(call.words) + 1
            flow.inner(call.command.words[index], Value(NONE, " ".join(call.words[1:])), call)
    else:
        for word in call.words[1:2]:
            tags = join(tags, frozenset(t for t in flow.file(word) if t.kind in ("remote", "decoded")))
            flow.source(word, call)
        if call.words[1:2] in (["/dev/stdin"], ["-"]):
            tags = join(tags, call.stdin)
    flow.sink("run", call.name, tags, call)
    return EMPTY


def _interpret(flow: Flow, call: Call) -> Value:
    """An interpreter runs the program in an argument, in a file, or on its standard input."""
    words, values = call.words, call.values
    tags, at, program = NONE, 1, ""
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
                tags = join(tags, values[at + 1].tags)
                index = offset + at + 1
                if call.name in table.SHELLS and 0 <= index < len(call.command.words):
                    flow.inner(call.command.words[index], values[at + 1], call)
            break
        if not word.startswith(("-", "+")) or word == "-":
            program = word
            flow.hand(word, values[at + 1 :], call)
            ran = join(values[at].tags, flow.file(word))
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
                    flow.inner(redirect.word, flow.value(redirect.word), call)
    flow.sink("run", call.name, frozenset(t for t in tags if t.kind not in ("secret", "key")), call)
    if program == "inline" and call.name not in table.SHELLS:
        return Value(call.stdin, "")
    return Value(frozenset(t for t in call.stdin if t.kind in ("secret", "key")), "")


def _send(flow: Flow, call: Call) -> None:
    """Raw senders send what they read; copiers send the files they are given; resolvers their names."""
    target = next((w for w in call.words[1:] if not w.startswith("-") and ("." in w or ":" in w)), call.name)
    if call.name in table.NAME_SERVERS:
        flow.sink("send", "dns://" + target, call.tags, call, channel="url")
        return
    if call.name in table.SENDERS:
        flow.sink("send", target, join(call.stdin, call.tags), call, channel="body")
        return
    if call.name == "ssh":
        flow.sink("send", target, call.stdin, call, channel="body")
        return
    skip = False
    for word in call.words[1:-1]:
        if not skip and not word.startswith("-"):
            flow.sink("send", call.words[-1], flow.file(word), call, channel="body")
        skip = word in ("-i", "-e", "-F", "-S", "--config")


def _files(flow: Flow, call: Call) -> Value:
    """Commands that read, copy, pack or run files."""
    name, words = call.name, call.words
    path = words[0]
    if path.startswith(("/", "./", "~", "$")) or path in flow.memory.files:
        run = frozenset(
            t for t in join(flow.file(path), call.values[0].tags) if t.kind in ("remote", "decoded")
        )
        flow.sink("run", path, run, call)
        flow.hand(path, call.values[1:], call)
    elif call.values[0].tags and not path:
        flow.sink("run", "a command", call.values[0].tags, call)
    tags = join(call.stdin, call.tags)
    operands = [word for word in words[1:33] if not word.startswith("-")]
    for word in operands:
        tags = join(tags, flow.file(word))
    if name in ("tee", "dd", "sponge"):
        for word in operands:
            if name != "dd" or word.startswith("of="):
                flow.write(call, Value(NONE, word.removeprefix("of=")), Value(call.stdin, ""))
        return Value(call.stdin, "")
    if name in ("cp", "mv", "ln", "install") and len(operands) > 1:
        flow.write(call, Value(NONE, operands[-1]), Value(tags, ""))
        return EMPTY
    if name in ("tar", "zip", "7z", "gzip", "gpg", "openssl", "base64", "xxd"):
        for index, word in enumerate(words[1:33], 1):
            if word.endswith(_ARCHIVE) or words[index - 1] in ("-o", "-out", "--output"):
                if tags and "x" not in words[1][:6].replace("xz", ""):
                    flow.memory.files[word.removeprefix("./")] = tags
                break
    if name in table.DECODERS and table.decodes(name, call.flags, words[1:]):
        decoded = join(tags, _DECODED)
        for index, word in enumerate(words[2:33], 2):
            if words[index - 1] in ("-o", "-out", "--output"):
                flow.write(call, Value(NONE, word), Value(decoded, ""))
        return Value(decoded, "")
    return Value(tags if name in table.READERS else NONE, "")

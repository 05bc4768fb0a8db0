"""What a command sends to another machine, by what is known of its program (``known.commands.sending``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from sluicegate.known import hosts
from sluicegate.known.commands import sending
from sluicegate.known.commands.sending import SentArgument
from sluicegate.vet.inspect.analyzers.shflow.commands import inside
from sluicegate.vet.inspect.analyzers.shflow.commands import tables as table
from sluicegate.vet.inspect.analyzers.shflow.values import EMPTY, NONE, ShellValue, Tag, join, named
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.known.commands.spec import Spec
    from sluicegate.vet.inspect.analyzers.shflow.flow import ShellFlow
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall

_OUTPUTS = {"wget": ("-O", "--output-document"), "": ("-o", "--output", "--out")}
"""The options that say where the answer is written, by the family of clients."""
_SEVERAL = frozenset({"curl", "wget", "aria2c"})
"""Families of clients that ask every address that they are given."""
_HEADER = lazy(r"[A-Za-z][\w-]{0,60}:(?!/)")
"""A header as HTTPie and its like take it."""
_SETTING = lazy(r"(?m)^[ \t]*-{0,2}([a-z][\w-]{0,40})(?:[ \t]*[=:][ \t]*|[ \t]+)([^\n]{1,400})$")
"""A line of a configuration of curl: the name of an option and its value."""
_SETTINGS = 32
"""Lines of such a configuration that are read."""
_ON_INPUT = frozenset({"-", "/dev/stdin"})
_NOWHERE = -1
"""The place of what is not a word of the command."""
_COPIES = frozenset({"scp", "rsync"})
_PROBES = frozenset({"-z", "-zv", "-vz"})
_TOLD = frozenset({"secret", "key", "printed", "own", "parameter", "given"})


def sent(flow: ShellFlow, call: ShellCall, program: Spec) -> ShellValue:
    """Tell the flow what leaves; the value of the command's output."""
    return _FORMS[program.sends](flow, call, program)


def _request(flow: ShellFlow, call: ShellCall, client: Spec) -> ShellValue:
    """A client: what its body, its address and its headers hold is sent; its answer is remote."""
    urls: list[str] = []
    family = sending.family(client)
    output, saves = "", family == "wget"
    leaving: list[tuple[str, frozenset[Tag]]] = []
    for argument in _with_config(flow, call, client):
        held = call.facts.get(argument.at, NONE)
        if argument.role in sending.BODY:
            leaving.append(("body", join(held, _attached(flow, call, argument))))
        elif argument.role == "config-text":
            leaving.append(("body", call.stdin))
        elif argument.role in sending.LOGIN:
            leaving.append(("header", join(held, _header_file(flow, call, argument.text))))
        elif argument.option in _OUTPUTS.get(family, _OUTPUTS[""]):
            output, saves = argument.text, True
        elif argument.role == "+here":
            saves = True
        elif not argument.option or argument.role in ("url", "urls"):
            header = family == "http" and _HEADER.match(argument.text) is not None
            if not header and not (family == "http" and argument.text.isupper()):  # a method
                urls.append(argument.text)
            leaving.append(("header" if header else "url", held))
            if family == "http" and "@" in argument.text:
                leaving.append(("body", flow.file(argument.text.partition("@")[2])))
    url = _worst(urls) if family in _SEVERAL else next(iter(urls), "")
    for channel, tags in leaving:
        flow.sink("send", url, tags, call, channel=channel)
    if family == "http":
        flow.sink("send", url, call.stdin, call, channel="body")
    remote = frozenset({Tag("remote", named(url, 300))})
    if not saves or output in ("-", "/dev/stdout"):
        return ShellValue(remote, "")
    path = output or url.partition("?")[0].rstrip("/").rpartition("/")[2]
    if path:
        flow.write(call, ShellValue(NONE, path), ShellValue(remote, ""))
    return EMPTY


def _with_config(flow: ShellFlow, call: ShellCall, client: Spec) -> Iterator[SentArgument]:
    """The arguments of a client, and those that stand in a configuration on its input (``-K -``)."""
    for argument in sending.arguments(client, call.words):
        yield argument
        if argument.role == "config" and argument.text in _ON_INPUT:
            yield SentArgument(_NOWHERE, "", argument.option, "config-text")
            for text in (flow.piped(call), *typed(flow, call)):
                words = [client.name]
                for found in islice(_SETTING.finditer(text.replace("\\n", "\n")), _SETTINGS):
                    words += [f"--{found[1]}", found[2].strip("\"'")]
                for each in sending.arguments(client, words):
                    yield each._replace(at=_NOWHERE)


def _header_file(flow: ShellFlow, call: ShellCall, text: str) -> frozenset[Tag]:
    """The facts of the file that headers are read from (``-H @-``)."""
    if not text.startswith("@"):
        return NONE
    return call.stdin if text == "@-" else flow.file(text[1:])


def _worst(words: Sequence[str]) -> str:
    """Of several addresses, each of which is asked and told the same, the one to judge by."""
    urls = [word for word in words if "://" in word] or words
    return max(urls, key=hosts.classify, default="")


def _attached(flow: ShellFlow, call: ShellCall, argument: SentArgument) -> frozenset[Tag]:
    """The facts of the file that a body option names; one that is left open is a gap."""
    text, of_a_file = argument.text, argument.role in sending.FILES
    found = table.GAP.search(text)
    gap = found[0] if found is not None else table.gap(text) if of_a_file else ""
    if gap and not flow.memory.listening:  # a parameter is what it is given, there
        return frozenset({Tag("gap", named(gap, 120))})
    if of_a_file:
        return call.stdin if text in ("-", ".") else flow.file(text)
    mark = text.find("@")
    if mark == -1 and argument.role == "form":
        mark = text.find("<")
    if mark == -1 or argument.role == "text":
        return NONE
    path = text[mark + 1 :].partition(";")[0]
    return call.stdin if path == "-" else flow.file(path)


def _names(flow: ShellFlow, call: ShellCall, program: Spec) -> ShellValue:
    flow.sink("send", "dns://" + target(call), call.tags, call, channel="url")
    return _answer(call, program, "dns")


def _input(flow: ShellFlow, call: ShellCall, program: Spec) -> ShellValue:
    tags = join(call.stdin, call.tags)
    for argument in sending.arguments(program, call.words):
        if argument.role in sending.BODY:
            tags = join(tags, flow.file(argument.text.removeprefix("@")))
    flow.sink("send", target(call), tags, call, channel="body")
    return _answer(call, program, "tcp")


def _stdin(flow: ShellFlow, call: ShellCall, _: Spec) -> ShellValue:
    flow.sink("send", target(call), call.stdin, call, channel="body")
    return EMPTY


def _posted(flow: ShellFlow, call: ShellCall, program: Spec) -> ShellValue:
    if any(argument.role == "+posted" for argument in sending.arguments(program, call.words)):
        flow.sink("send", target(call), call.stdin, call, channel="body")
    return EMPTY


def _files(flow: ShellFlow, call: ShellCall, program: Spec) -> ShellValue:
    """The files that its words name go to the last of them; a script on its input names more."""
    if program.name == "rclone" and inside.pulled(call.words):
        return EMPTY
    if program.name in _COPIES and inside.brought(call.words):
        return EMPTY
    found = tuple(sending.arguments(program, call.words))
    words = [argument.text for argument in found if not argument.option]
    written = (*(argument.text for argument in found if argument.role == "hidden"), *typed(flow, call))
    for word in (*words[:-1], *(word for text in written for word in text.split()[:64])):
        flow.sink("send", call.words[-1], flow.file(word), call, channel="body")
    return EMPTY


def typed(flow: ShellFlow, call: ShellCall) -> Iterator[str]:
    """The texts that stand on the input of a command."""
    for redirect in call.command.redirects:
        if redirect.operator in ("<<", "<<<"):
            text = redirect.word.text
            yield flow.value(redirect.word).text if text is None else text


def _copy(flow: ShellFlow, call: ShellCall, program: Spec) -> ShellValue:
    """The same between this machine and a store, if it is not fetched from there."""
    return EMPTY if inside.fetched(call.words[len(program.name.split()) :]) else _words(flow, call, program)


def _words(flow: ShellFlow, call: ShellCall, program: Spec) -> ShellValue:
    """Whatever file a word names is sent, and what it reads if a word says so or none names a file."""
    tags, named_one = NONE, False
    for argument in sending.arguments(program, call.words):
        if argument.option and argument.role not in sending.BODY:
            continue
        text = argument.text.partition("@")[2] or argument.text
        held = call.stdin if text == "-" else flow.file(text)
        named_one |= bool(held) or text == "-"
        tags = join(tags, join(call.facts.get(argument.at, NONE), held))
    if not named_one:
        tags = join(tags, call.stdin)
    place = next((word for word in call.words if "://" in word), program.name)
    flow.sink("send", place, frozenset(tag for tag in tags if tag.kind in _TOLD), call, channel="body")
    return EMPTY


def _server(flow: ShellFlow, call: ShellCall, program: Spec) -> ShellValue:
    """A client of a server that an option or an address names; without one it is this machine's own."""
    tags, place = call.stdin, ""
    for argument in sending.arguments(program, call.words):
        if argument.role in ("server", "host") or "://" in argument.text:
            place = place or argument.text
        elif argument.role in sending.BODY or argument.role == "script" or not argument.option:
            tags = join(tags, join(call.facts.get(argument.at, NONE), flow.file(argument.text)))
        elif argument.role.startswith("code:"):
            tags = join(tags, call.facts.get(argument.at, NONE))
    if place:
        flow.sink("send", place, tags, call, channel="body")
    return EMPTY


def _answer(call: ShellCall, program: Spec, scheme: str) -> ShellValue:
    """What the other machine says, where the program prints it."""
    operands = [word for word in call.words[1:] if not word.startswith("-")]
    if "answers" in program.words and operands and not call.flags & _PROBES:
        return ShellValue(frozenset({Tag("remote", named(f"{scheme}://{target(call)}", 300))}), "")
    return EMPTY


def target(call: ShellCall) -> str:
    """The first word that looks like a host, or the command where none does."""
    return next((w for w in call.words[1:] if not w.startswith("-") and ("." in w or ":" in w)), call.name)


_FORMS: dict[str, Callable[[ShellFlow, ShellCall, Spec], ShellValue]] = {
    "request": _request,
    "names": _names,
    "input": _input,
    "stdin": _stdin,
    "posted": _posted,
    "files": _files,
    "copy": _copy,
    "words": _words,
    "server": _server,
}

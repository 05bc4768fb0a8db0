"""Programs that send what they are given to another machine, and which of their arguments that is.

The blocks of ``tables/network.py`` say it with ``sends:FORM``, and with the roles of options: ``data``, ``form``,
``upload``, ``sent`` and ``text`` are the value or the file that leaves, ``login`` and ``header`` who asks,
``server`` and the addresses whom. The forms of the rest:

============  ==============================================================================================
``request``   a client of HTTP: arguments are addresses, and for ``http`` and its like items of the body
``input``     what it reads, and its words
``stdin``     what it reads
``posted``    what it reads, if an option (``+posted``) says so
``names``     its words, as names that are looked up
``files``     the files that its words name, to the last of them
``copy``      the same, if not the other way round: the first word is what is read
``words``     the files that any of its words names, and what it reads
``server``    what it reads and its words, if an option names a server
============  ==============================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from sluicegate.known.commands.spec import Option, Spec, parsed
from sluicegate.tuples import NamedTuple

FILES = frozenset({"sent", "upload"})
"""Roles of an option whose value is a file that is sent, or the text itself where no such file is."""
BODY = FILES | {"data", "data-urlencode", "form", "text"}
"""Roles of an option that gives what is sent."""
LOGIN = frozenset({"login", "header", "cookie"})
"""Roles of an option that says who asks."""


class SentArgument(NamedTuple):
    """One word, or what an option has of it: its place, the text, the option's name and the role of its value."""

    at: int
    text: str
    option: str = ""
    role: str = ""


def sender(words: Sequence[str]) -> Spec | None:
    """What is known of a command that sends: by its name and up to four words behind it."""
    name = words[0].rpartition("/")[2] if words else ""
    if name not in _programs():
        return None
    more = [word for word in words[1:12] if not word.startswith("-")][:4]
    for count in range(len(more), -1, -1):
        found = _spec(" ".join((name, *more[:count])))
        if found is not None:
            return found
    return None


def senders() -> tuple[str, ...]:
    """The names of all that send, with their subcommands."""
    return tuple(_blocks())


def talks(name: str) -> bool:
    """Whether a program of this name speaks to another machine itself, and does not only ask where one is."""
    return name.rpartition("/")[2] in _talkers()


def family(spec: Spec) -> str:
    """One word for all programs of the same block: the first of them."""
    return _blocks()[spec.name].partition("\n")[0].partition(",")[0].strip()


def arguments(spec: Spec, words: Sequence[str]) -> Iterator[SentArgument]:
    """The arguments of a command, each once: a flag has a role only if the table gives it one (``+here``)."""
    at, ended = 1, False
    skipped = spec.name.split()[1:]
    while at < len(words):
        word = words[at]
        at += 1
        if ended or word == "-" or not word.startswith("-"):
            if skipped and word == skipped[0]:
                skipped = skipped[1:]
            else:
                yield SentArgument(at - 1, word)
            continue
        if word == "--":
            ended = True
            continue
        option, rest, whole = _option(spec, word)
        if option is None or not option.roles or option.roles[0].startswith("+"):
            yield SentArgument(
                at - 1,
                "",
                option.names[0] if option else word,
                option.roles[0] if option and option.roles else "",
            )
        elif rest or whole or option.attached:
            yield SentArgument(at - 1, rest, option.names[0], option.roles[0])
        elif at < len(words):
            at += 1
            yield SentArgument(at - 1, words[at - 1], option.names[0], option.roles[0])


def _option(spec: Spec, word: str) -> tuple[Option | None, str, bool]:
    """The option that a word is, the value that it holds, and whether it holds one: ``--name=value``, ``-xvalue``."""
    name, equals, value = word.partition("=")
    if word in spec.options:
        return spec.options[word], "", False
    if word.startswith("--"):
        found = spec.long(name)
        return (found[0] if len(found) == 1 else None), value, bool(equals)
    if "single" in spec.words:
        return None, "", False
    last = None
    for number, letter in enumerate(word[1:], 1):
        last = spec.options.get("-" + letter)
        if last is not None and last.roles and not last.roles[0].startswith("+"):
            return last, word[number + 1 :], bool(word[number + 1 :])
    return last, "", False


@cache
def _blocks() -> dict[str, str]:
    from sluicegate.known.commands.tables import network

    found: dict[str, str] = {}
    for block in network.TEXT.split("\n\n"):
        block = block.strip("\n")
        if " sends:" in block:
            for name in block.partition("\n")[0].split(","):
                found[name.strip()] = block
    return found


@cache
def _programs() -> frozenset[str]:
    return frozenset(name.partition(" ")[0] for name in _blocks())


@cache
def _talkers() -> frozenset[str]:
    return frozenset(
        name.partition(" ")[0] for name, block in _blocks().items() if "sends:names" not in block
    )


@cache
def _spec(name: str) -> Spec | None:
    block = _blocks().get(name)
    return None if block is None else parsed(name, block)

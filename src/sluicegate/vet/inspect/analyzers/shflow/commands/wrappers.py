"""The command that another one runs: what stands behind sudo, env, timeout, xargs and parallel."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from sluicegate.vet.inspect.analyzers.shflow.commands import tables as commands
from sluicegate.vet.inspect.analyzers.shflow.values import NONE, join

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall

_WITH_VALUE = frozenset(
    {"-u", "-g", "-n", "-C", "-k", "-s", "-I", "-P", "-L", "-d", "-a", "--arg-file", "-E"}
)
_OF_PARALLEL = frozenset(
    {"-j", "--jobs", "-n", "-N", "-L", "-S", "-a", "-d", "--delay", "--timeout", "--retries", "--joblog"}
)
_REPEATERS = frozenset({"xargs", "parallel"})
"""Wrappers that run a command with what they read."""
ITEM = "SLUICEGATE_ITEM"
"""The variable that stands for what a repeater reads, in a program that it starts."""


def base_name(word: str) -> str:
    """The name of a command without its folder."""
    return word[word.rfind("/") + 1 :]


def read_from(call: ShellCall) -> str:
    """The file that ``xargs -a`` or ``parallel -a`` reads in the place of its input; empty for none."""
    if base_name(call.words[0]) not in _REPEATERS and not _REPEATERS & set(call.words[:4]):
        return ""
    for before, word in pairwise(call.words):
        if before in ("-a", "--arg-file"):
            return word
        if word.startswith("--arg-file="):
            return word.partition("=")[2]
    return ""


def unwrap(call: ShellCall, piped: str = "") -> ShellCall:
    """The command that sudo, env, timeout, xargs and their like will run; ``piped`` is the text that they read, as far as it
    is known."""
    at, words = 0, call.words
    wrapped: list[str] = []
    replaced = ""
    while at < len(words) - 1 and len(wrapped) < 8:
        name = base_name(words[at])
        if name not in commands.WRAPPERS:
            break
        after = at + 1
        while after < len(words):
            word = words[after]
            if name == "xargs" and word.startswith("-I"):
                replaced = word[2:] or (words[after + 1] if after + 1 < len(words) else "")
            if name == "parallel" and word in _OF_PARALLEL:
                after += 2
            elif word in _WITH_VALUE and name in ("sudo", "nice", "xargs", "timeout"):
                after += 2
            elif (
                word.startswith("-")
                or ("=" in word[1:64] and name in ("env", "sudo"))
                or word[:1].isdigit()
                or (name == "exec" and word[:1] == "{")
            ):
                after += 1
            else:
                break
        if after >= len(words):
            break
        wrapped.append(name)
        at = after
    if not at:
        return call
    words = words[at:]
    facts = {place - at: tags for place, tags in call.facts.items() if place >= at}
    if _REPEATERS.isdisjoint(wrapped):
        return call.runs(words, facts, tuple(wrapped))
    if "parallel" in wrapped:
        if ":::" in words:  # what it is given stands behind
            listed = words.index(":::")
            piped = " ".join(words[listed + 1 :])
            words, facts = words[:listed], {place: tags for place, tags in facts.items() if place < listed}
        if " " in words[0]:  # the command stands in one word
            words = [*words[0].split(), *words[1:]]
        replaced = "{}" if any("{}" in word for word in words) else ""
    if replaced:
        facts |= {
            place: join(facts.get(place, NONE), call.stdin)
            for place, word in enumerate(words)
            if replaced in word
        }
        if piped or base_name(words[0]) in commands.SHELLS:
            words = [word.replace(replaced, piped or f"${{{ITEM}}}") for word in words]
    else:
        facts[len(words)] = call.stdin
        words = [*words, piped]
    return call.runs(words, facts, tuple(wrapped))

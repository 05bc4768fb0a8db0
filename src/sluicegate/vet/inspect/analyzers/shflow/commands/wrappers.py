"""The command that another one runs: what stands behind sudo, env, timeout and xargs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sluicegate.vet.inspect.analyzers.shflow.commands import tables as commands

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall

_WITH_VALUE = frozenset({"-u", "-g", "-n", "-C", "-k", "-s", "-I", "-P", "-L", "-d"})


def base_name(word: str) -> str:
    """The name of a command without its folder."""
    return word[word.rfind("/") + 1 :]


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
            if word in _WITH_VALUE and name in ("sudo", "nice", "xargs", "timeout"):
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
    if replaced:
        facts |= {place: call.stdin for place, word in enumerate(words) if word == replaced}
        if piped:
            words = [word.replace(replaced, piped) for word in words]
    elif "xargs" in wrapped:
        facts[len(words)] = call.stdin
        words.append(piped)
    return call.runs(words, facts, tuple(wrapped))

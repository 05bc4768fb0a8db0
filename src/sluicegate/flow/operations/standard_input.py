"""What shell text gives to the standard input of the commands in it, as far as it stands there.

A here-document, a here-string and what ``echo``, ``printf`` or ``cat`` write into a pipe are known; a file, and what any
other program writes, is not. So a shell that reads its code there is judged by that code, as by that of ``sh -c``
(``commands/inner.py``). A text with an expansion in it is refused, as ``sh -c "$x"`` is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from posixpath import normpath
from typing import TYPE_CHECKING, Final

from sluicegate.patterns import late
from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    from sluicegate.flow.operations.commands.words import ArgumentWord
    from sluicegate.known.shell import script as read_text


class Fed(NamedTuple):
    """What stands on a standard input: one of ``texts``, or, unless they are ``whole``, something that nobody knows.

    ``unread``: why a text that stands there is not read. ``inherited``: it is that of the shell whose text this is. ``below``:
    it is names of what lies below these places, each beginning with the place, and nothing else.
    """

    texts: tuple[str, ...] = ()
    whole: bool = False
    unread: str = ""
    inherited: bool = False
    below: tuple[str, ...] = ()


UNKNOWN: Final = Fed()
INHERITED: Final = Fed(inherited=True)
REST: Final = Fed(unread="a shell that reads its code from what other commands leave of a text")

_INPUTS: Final = frozenset({"<<", "<<<", "<", "<>", "<&"})
_HERE: Final = frozenset({"<<", "<<<"})
_ESCAPED: Final = late(r"\\([\\$`\n])")
_BACKSLASH: Final = late(r"\\(.?)", re.DOTALL)
_PLAIN_ESCAPES: Final = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "\\": "\\",
}
_MOST: Final = 128 * 1024
_OCTAL_DIGITS: Final = frozenset("01234567")
_FORMAT: Final = late(r"(%.?)|(\\(?:[0-7]{1,3}|.?))|([^%\\]+)", re.DOTALL)
_STANDARD: Final = frozenset({"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
_PIPES: Final = frozenset({"|", "|&"})
_ESCAPES: Final = "a shell that reads its code from a text with escapes that are not read"
_EXPANDED: Final = "a shell that reads its code from a text with an expansion in it"


class StandardInputs:
    """The standard inputs of the commands of one text."""

    def __init__(self, script: read_text.Script) -> None:
        self._script = script
        self._openers: dict[int, read_text.ScriptCommand] = {}
        self._around: dict[int, int] = {}
        for command in script.commands:
            if command.body >= 0:
                self._openers[command.body] = command
            words = (
                *command.woven.values(),
                *(word for _, word in command.assigns),
                *(r.word for r in command.redirects),
            )
            for word in words:
                if word.text is None:
                    self._around.update(
                        {part.scope: command.scope for part in word.pieces if part.scope >= 0}
                    )

    def of(self, command: read_text.ScriptCommand) -> Fed:
        """What a command can read on its standard input."""
        own = [each for each in command.redirects if each.operator in _INPUTS]
        feed = self._piped(self._script.commands[command.feed]) if command.feed >= 0 else None
        if own:
            given = _given(own)
            if feed is None or given.unread:
                return given
            return Fed((*given.texts, *feed.texts), False, feed.unread)  # zsh reads one after the other
        if feed is not None:
            return feed
        if command.function:  # which call of it this is, nobody knows
            return INHERITED._replace(
                unread="a shell in a function that reads its code from what the function is given"
            )
        return self._of_scope(command.scope)

    def _of_scope(self, scope: int) -> Fed:
        opener = self._openers.get(scope)
        if opener is not None:
            found = self.of(opener)
            shared = sum(each.scope == scope for each in self._script.commands) > 1
            return REST if shared and found.texts else found
        feed = self._script.scopes[scope].feed
        if feed >= 0:
            return self._piped(self._script.commands[feed])
        around = self._around.get(scope)
        return INHERITED if around is None or around == scope else self._of_scope(around)

    def _piped(self, producer: read_text.ScriptCommand) -> Fed:
        """What a command writes into a pipe; a group, what its commands write one after the other."""
        if producer.kind == "group":
            return self._piped_by_all(producer)
        words = [word.text for word in producer.woven.values()]
        name = words[0] if words and producer.kind == "simple" else None
        if name in _NAMING and name not in self._script.functions:
            return Fed(below=_NAMING[name](words[1:]))
        if name in _FILTERS and name not in self._script.functions and producer.feed >= 0:
            if any(each.operator in _INPUTS for each in producer.redirects):
                return UNKNOWN
            before = self._piped(self._script.commands[producer.feed])
            return Fed(below=before.below) if _filters(words) else UNKNOWN
        if name not in _WRITERS or name in self._script.functions:
            return UNKNOWN
        if name == "cat":
            return self.of(producer) if _takes_input(words[1:]) else UNKNOWN
        if None in words:
            return Fed(unread=_EXPANDED)
        return written(words)  # type: ignore[arg-type]

    def _piped_by_all(self, group: read_text.ScriptCommand) -> Fed:
        inner = [
            each for each in self._script.commands if each.scope == group.body and each.after not in _PIPES
        ]
        several = [self._piped(each) for each in inner]
        unread = next((each.unread for each in several if each.unread), "")
        plain = self._script.scopes[group.body].kind in ("{", "(") and all(
            each.after in ("", ";", "\n", "&&") for each in inner
        )
        if unread or not all(each.whole and each.texts for each in several):
            return Fed(unread=unread) if unread else UNKNOWN
        if not plain and len(several) > 1:
            return Fed(unread="a shell that reads its code from one of several texts")
        # Of two readings of a text, one shell has the first throughout, or the second.
        return Fed(tuple(dict.fromkeys("".join(each.texts[at] for each in several) for at in (0, -1))), True)


def piped(words: Sequence[ArgumentWord], before: Fed) -> Fed:
    """What a stage of a pipeline gives to the next; ``before`` is its own standard input."""
    name, given = words[0].text, [word.text for word in words[1:]]
    if name == "cat":
        return before if _takes_input(given) and not before.inherited else UNKNOWN
    if name not in _WRITERS:
        return UNKNOWN
    if None in given:
        return Fed(unread="a shell that reads its code from what a value fills")
    return written([name, *given])  # type: ignore[list-item]


_FILTERS: Final = frozenset({"grep", "head", "tail", "sort", "uniq"})


def _filters(words: Sequence[str | None]) -> bool:
    """Whether a command gives on lines as they came: it names no file, and writes nothing besides."""
    name, given = words[0], [word or "?" for word in words[1:]]
    options = [word for word in given if word.startswith("-")]
    if None in words or (
        name in ("grep", "uniq") and any(_is_cluster(word, "ocnbrRfeHzZT") for word in options)
    ):
        return False
    if name == "sort" and any(_is_cluster(word, "oTzS") or word.startswith("--o") for word in options):
        return False
    operands = [word for word in given if not word.startswith("-") and not word.isdigit()]
    return len(operands) == (1 if name == "grep" else 0)


def _is_cluster(word: str, letters: str) -> bool:
    return word.startswith("--") or any(letter in word for letter in letters)


def _found(words: Sequence[str | None]) -> tuple[str, ...]:
    """Where ``find`` looks; nothing if that is not known, or if it writes something else than names."""
    roots: list[str] = []
    for word in words:
        if word is None:
            if not roots or len(roots) == len(words):
                return ()
            break
        if word[:1] in ("-", "(", "!"):
            break
        roots.append(word)
    tests = words[len(roots) :]
    writes = ("-print", "-ls", "-exec", "-ok", "-fprint", "-fls", "-files0-from")
    if any(
        word is not None and word.startswith(writes) and word not in ("-print", "-print0") for word in tests
    ):
        return ()
    return tuple(roots) or (".",)


_NAMING: Final[dict[str | None, Callable[[Sequence[str | None]], tuple[str, ...]]]] = {"find": _found}


def is_standard_input(path: str) -> bool:
    """Whether a path is that of the standard input itself."""
    return normpath(f"/{path.lstrip('/')}") in _STANDARD if path[:1] == "/" else False


def _takes_input(given: Sequence[str | None]) -> bool:
    return not given or (
        len(given) == 1 and given[0] is not None and (given[0] == "-" or is_standard_input(given[0]))
    )


def written(words: list[str]) -> Fed:
    """What a command writes, where it is one that writes what stands in its arguments."""
    write = _WRITERS.get(words[0]) if words else None
    return UNKNOWN if write is None or sum(map(len, words)) > _MOST else write(words[1:])


def _given(own: list[read_text.Redirect]) -> Fed:
    """What redirections give. All texts count, whichever of them is read in the end."""
    texts = []
    for each in own:
        if each.operator in _HERE:
            text = here(each)
            if text is None:
                return Fed(unread=_EXPANDED)
            texts.append(text)
    whole = len(own) == 1 and bool(texts) and own[0].descriptor in ("", "0")
    return Fed(tuple(texts), whole)


def here(redirect: read_text.Redirect) -> str | None:
    """The text of a here-document or a here-string; None where an expansion is part of it."""
    text = redirect.word.text
    if redirect.operator == "<<<" or redirect.quoted:
        return text
    if text is None or "$" in text or "`" in text:
        return None
    return _ESCAPED.sub(lambda found: "" if found[1] == "\n" else found[1], text)


def _echo(words: list[str]) -> Fed:
    end = "\n"
    while words and words[0] in ("-n", "-e", "-E", "-ne", "-en", "-nE", "-En"):
        end = "" if "n" in words[0] else end
        words = words[1:]
    text = " ".join(words) + end
    read = _unescaped(text)
    if read is None:
        return Fed(unread=_ESCAPES)
    return Fed((text,) if read == text else (text, read), True)


def _printf(words: list[str]) -> Fed:
    if words[:1] == ["--"]:
        words = words[1:]
    if not words or words[0].startswith("-"):
        return Fed(unread=_ESCAPES)
    values = words[1:]
    made: list[str] = []
    while True:
        left = len(values)
        for directive, escape, plain in _FORMAT.findall(words[0]):
            if plain or directive == "%%":
                made.append(plain or "%")
            elif directive == "%s":
                made.append(values.pop(0) if values else "")
            elif escape[1:2] in _OCTAL_DIGITS and int(escape[1:], 8) < 128:
                made.append(chr(int(escape[1:], 8)))
            elif directive or escape[1:] not in _PLAIN_ESCAPES:
                return Fed(unread=_ESCAPES)
            else:
                made.append(_PLAIN_ESCAPES[escape[1:]])
        if not values or len(values) == left:
            return Fed(("".join(made),), True)
        if sum(map(len, made)) > _MOST:
            return Fed(unread=_ESCAPES)


def _unescaped(text: str) -> str | None:
    """A text with escapes read; None for those that are read in several ways."""
    if any(found[1] not in _PLAIN_ESCAPES for found in _BACKSLASH.finditer(text)):
        return None
    return _BACKSLASH.sub(lambda found: _PLAIN_ESCAPES[found[1]], text)


def _cat(words: list[str]) -> Fed:
    return UNKNOWN


_WRITERS: Final[dict[str | None, Callable[[list[str]], Fed]]] = {
    "echo": _echo,
    "printf": _printf,
    "cat": _cat,
}

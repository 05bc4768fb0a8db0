"""``find`` and ``fd``: expressions, and the commands in them."""

from __future__ import annotations

from typing import Final

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations.commands.inner import NEVER
from sluicegate.flow.operations.commands.reading import CommandReading, Use
from sluicegate.flow.operations.commands.registry import reader
from sluicegate.flow.operations.commands.walk import ArgumentWalk
from sluicegate.flow.operations.commands.words import ArgumentWord, Hole, Part, literal, quoted
from sluicegate.known.commands.spec import Spec

_COMMANDS: Final = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_FILES: Final = {"-fprint": 1, "-fprint0": 1, "-fls": 1, "-fprintf": 2}
_READS: Final = frozenset({"-newer", "-anewer", "-cnewer", "-samefile"})
_VALUES: Final = frozenset(
    """
    -amin -atime -cmin -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname
    -maxdepth -mindepth -mmin -mtime -name -path -perm -printf -regex -regextype -size -type -uid -used -user -wholename
    -xtype -D -newerXY
    """.split()
)
_SYNTAX: Final = ("-", "(", ")", "!", ",")
_FOUND: Final = "{}"
_HINT: Final = "write ./ in front of the path; find knows no '--'"


@reader("find")
def find(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``find [START...] [EXPRESSION]``."""
    starts: list[ArgumentWord] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if not word.head.startswith("-"):
            if word.text not in ("(", ")", "!", ","):
                reading.guard(word, _SYNTAX, "could be part of the expression there", _HINT)
                starts.append(word)
                reading.operands.append(word)
            continue
        text = reading.written(word, "part of the expression", "write the expression in the template")
        reading.flags.add(text)
        if text in _COMMANDS:
            at = _command(reading, words, at, text, starts)
        elif text in _FILES:
            reading.use("w", words[at] if at < len(words) else None)
            at += _FILES[text]
        elif text in _READS:
            reading.use("r", words[at] if at < len(words) else None)
            at += 1
        elif text in _VALUES or text.startswith("-newer"):
            at += 1
        elif text == "-files0-from":
            raise CommandError(
                f"in {reading.name}: {text} takes the starting points from a file", hint="write them out"
            )
        elif text == "-delete":
            reading.uses += [Use("w", start, reading.scene.chdirs) for start in starts or [literal(".")]]
    for start in starts or [literal(".")]:
        reading.use("r", start)


def _command(
    reading: CommandReading, words: tuple[ArgumentWord, ...], at: int, name: str, starts: list[ArgumentWord]
) -> int:
    """``-exec COMMAND ;`` or ``-exec COMMAND {} +``; gives where it ends."""
    end = next((index for index in range(at, len(words)) if _ends(words, index)), None)
    if end is None or end == at:
        raise CommandError(
            f"in {reading.name}: {name} does not end with '\\;' or '{{}} +'", hint="end it with \\;"
        )
    inner = tuple(_replaced(word) for word in words[at:end])
    if inner[0].text is None:
        raise CommandError(f"in {reading.name}: {name} runs the files that it finds", hint=NEVER)
    before = len(reading.effects)
    reading.run(inner, name)
    for index, effect in enumerate(reading.effects[before:], start=before):
        uses = tuple(each for use in effect.uses for each in _within(use, starts))
        whole = tuple(
            each for use in (*effect.whole, *effect.uses) if _is_found(use) for each in _within(use, starts)
        )
        kept = tuple(use for use in effect.whole if not _is_found(use))
        reading.effects[index] = effect._replace(uses=uses, whole=(*kept, *dict.fromkeys(whole)))
    return end + 1


def _ends(words: tuple[ArgumentWord, ...], index: int) -> bool:
    return words[index].text == ";" or (words[index].text == "+" and words[index - 1].text == _FOUND)


def _replaced(word: ArgumentWord) -> ArgumentWord:
    """The argument with what find puts in for ``{}``: a path that begins as its start does, never with
    ``-``.
    """
    if word.text is None or _FOUND not in word.text:
        return word
    parts: list[Part] = []
    for index, piece in enumerate(word.text.split(_FOUND)):
        parts += [Hole(_FOUND, unknown=True, operand=True), piece] if index else [piece]
    return ArgumentWord(parts)


def _within(use: Use, starts: list[ArgumentWord]) -> list[Use]:
    """What is done to the files found is done to where they are looked for."""
    if not _is_found(use):
        return [use]
    return [use._replace(word=start) for start in starts or [literal(".")]]


def _is_found(use: Use) -> bool:
    """Whether it is about a file that find finds."""
    return use.word is not None and any(hole.name == _FOUND and hole.unknown for hole in use.word.holes)


@reader("fd")
def fd(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``fd [options] [PATTERN [PATH...]] [-x COMMAND...]``."""
    for index, word in enumerate(words):
        if word.head in ("-x", "-X", "--exec", "--exec-batch"):
            inner = [_replaced(each) for each in words[index + 1 :] if each.text != ";"]
            if not inner or inner[0].text is None:
                raise CommandError(f"in {reading.name}: {quoted(word)} runs what it finds", hint=NEVER)
            if all(each.text is not None for each in inner):
                inner.append(ArgumentWord((Hole(_FOUND, unknown=True, operand=True),)))
            reading.run(inner, word.head)
            words = words[:index]
            break
        if word.head.startswith(("-x", "-X", "--exec")):
            raise CommandError(
                f"in {reading.name}: {quoted(word)} has its command attached", hint="write -x COMMAND"
            )
    ArgumentWalk(reading, words, spec).walk()

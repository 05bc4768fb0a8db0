"""Shell scripts with the tricks of quoting undone: ``c""url``, ``c\\url``, ``$a$b``, ``${IFS}``, ``{curl,-s,url}``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Derived, Each, Product
from sluicegate.vet.intake.views.evaluate.expansion import expand, spell_globs
from sluicegate.vet.intake.views.evaluate.literals import unescape
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

_SCRIPT_MOST = 256 * 1024  # characters; longer ones are archives with a script in front
_WORD_PARTS = lazy(
    r"\$'((?:[^'\\]++|\\.)*+)'|'([^']*+)'|\"((?:[^\"\\$`]++|\\.|\$(?![({\w]))*+)\"|\\([^\n])|([^\s'\"\\;|&<>()`$]++|\$(?!'))",
    re.DOTALL,
)
_WORD = lazy(
    r"(?:\$'(?:[^'\\]++|\\.)*+'|'[^']*+'|\"(?:[^\"\\$`]++|\\.|\$(?![({\w]))*+\"|\\[^\n]|[^\s'\"\\;|&<>()`$#]++|\$(?!')|(?<=\S)#)++",
    re.DOTALL,
)
_BRACES = lazy(r"\{(?<![\w$.}/=:'\"-]\{)([^\s{},'\"]{1,200}+,[^\s{}]{1,2000}+)\}")
_TRICKS = lazy(
    r"['\"\\](?:(?<=\w')\"\w|(?<=\w\")'\w|(?<=[\w/.-]')'[\w/.-]|(?<=[\w/.-]\")\"[\w/.-]|(?<=\w\\)[A-Za-z]|"
    r"(?<=[A-Za-z]['\"])[A-Za-z./]{1,80}+['\"]|(?<!\\)[A-Za-z./]{1,80}+['\"][A-Za-z]|(?<=\$')|"
    r"(?:(?<=\s\\)|(?<=\\)(?<!.\\))[a-z])",
    re.DOTALL,
)
"""A quote or a backslash in a place where it breaks up a word. It begins with these three, which are rare, and looks
back, so that nothing else of the text is tried."""
_SAFE = lazy(r"[\w./:@%+,~-]*+\Z")


def _parts(word: str) -> list[tuple[str, bool, str]]:
    """The parts of a word: value, whether it was quoted, and the source."""
    parts = []
    for found in _WORD_PARTS.finditer(word):
        ansi, single, double, escaped, plain = found.groups()
        if ansi is not None:
            parts.append((unescape(ansi), True, found[0]))
        elif single is not None or double is not None:
            parts.append((single if single is not None else double, True, found[0]))
        elif escaped is not None:
            parts.append((escaped, escaped.isalpha(), found[0]))
        else:
            parts.append((plain, False, found[0]))
    return parts


def _unquoted(found: re.Match[str]) -> str:
    """A word with the quotes taken away that only serve to break it up."""
    word = found[0]
    if "'" not in word and '"' not in word and "\\" not in word:
        return word
    parts = _parts(word)
    if len(parts) == 1 and not word.startswith("$'") and not word.startswith("\\"):
        return word
    out = []
    for index, (value, quoted, source) in enumerate(parts):
        before = parts[index - 1][0][-1:] if index else ""
        after = parts[index + 1][0][:1] if index + 1 < len(parts) else ""
        joined = (before and before not in "=:,") or (after and after not in "/" and not before)
        if source.startswith("$'"):
            out.append(
                value if _SAFE.match(value) else "'" + value.replace("'", " ").replace("\n", " ") + "'"
            )
        elif quoted and (not value or (_SAFE.match(value) and (joined or source.startswith("\\")))):
            out.append(value)
        else:
            out.append(source)
    return "".join(out)


def _braces(found: re.Match[str]) -> str:
    words = found[1].split(",")
    return (
        " ".join(words) if len(words) > 2 or any("/" in w or w.startswith("-") for w in words) else found[0]
    )


def _joined(text: str) -> tuple[str, list[tuple[int, int]] | None]:
    """Lines that end in a backslash joined to the next; and the lines that each new line comes from."""
    if "\\\n" not in text and "\\\r\n" not in text:
        return text, None
    lines, places = [], []
    pending: list[str] = []
    first = 0
    for number, line in enumerate(text.split("\n")):
        bare = line.rstrip("\r")
        if not pending:
            first = number
        if bare.endswith("\\") and not bare.endswith("\\\\"):
            pending.append(bare[:-1].rstrip() if not pending else bare[:-1].strip())
            continue
        pending.append(line if not pending else line.strip())
        lines.append(" ".join(pending) if not _splits_word(pending) else "".join(pending))
        places.append((first, number))
        pending = []
    if pending:
        lines.append(" ".join(pending))
        places.append((first, first + len(pending) - 1))
    return "\n".join(lines), places


def _splits_word(parts: list[str]) -> bool:
    return len(parts) == 2 and len(parts[0].split()) <= 1 and len(parts[0]) < 5 and parts[0].isalpha()


def splice(text: str) -> tuple[str, list[tuple[int, int]] | None]:
    """The script with its tricks undone, and the lines (0-based) that each line comes from, if they moved."""
    new, places = _joined(text)
    if "$" in new or "``" in new:
        new = expand(new)
    if "/bin/" in new:
        new = spell_globs(new)
    if _TRICKS.search(new):
        kept = new.count("\n")
        undone = _COMMENT_OR_WORD.sub(lambda m: m[0] if m[0].startswith("#") else _unquoted(m), new)
        new = undone if undone.count("\n") == kept else new
    if "{" in new:
        new = _BRACES.sub(_braces, new)
    return new, places


_COMMENT_OR_WORD = lazy(r"(?:(?:^|(?<=\s))#[^\n]*+)|" + _WORD.pattern, re.MULTILINE | re.DOTALL)


def shell_views(view: View, limits: Limits) -> Iterator[Product]:
    """A ``spliced`` view of a script in which something was undone."""
    if view.language is not Kind.SHELL:
        return
    if len(view.text) > _SCRIPT_MOST:
        detail = f"splicing in a script of more than {_SCRIPT_MOST} characters was not undone"
        yield Gap(path=view.path, reason=GapReason.VIEW_LIMIT, detail=detail)
        return
    text, places = splice(view.text)
    if text == view.text:
        return
    lines = places if places is not None else [(n, n) for n in range(text.count("\n") + 1)]
    yield Derived(text=text, language=Kind.SHELL, step=Step(kind="spliced"), where=Each(lines=lines))

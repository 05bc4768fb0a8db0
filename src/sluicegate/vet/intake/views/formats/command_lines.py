"""Commands that a text tells to run without a fence or a code span: a line behind a prompt, a step of a list, a line of its own.

A sentence may begin with the name of a command too. So a line counts where a prompt stands before it, or where it has
what commands have and sentences do not (an option, a pipe, an address, a path) and, unless a verb of running stands
before it, none of the small words of a sentence outside of quotes.
"""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.derived import Derived, Each, Product
from sluicegate.vet.intake.views.formats.hypertext import Ranges, within
from sluicegate.vet.intake.views.programs.language import GIVEN_FILE, is_command, used_assignment
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

_MOST = 10_000
"""Commands of one text."""
_LINE = lazy(
    r"(?m)^[ \t]{0,40}+(?:(?:[-*+>\u2022]|\d{1,3}[.)])[ \t]++)*+"
    r"(?P<prompt>[$%][ \t]++|>>?[ \t]++)?+[*_]{0,2}+"
    r"(?P<told>(?:(?:[Tt]hen|[Nn]ow|[Ff]irst|[Pp]lease|[Aa]lways|[Ff]inally)[ ,]++)?"
    r"(?:[Rr]un|[Ee]xecute|[Tt]ype|[Ee]nter|[Pp]aste|[Ii]ssue|[Ii]nvoke)"
    r"(?:[ \t]++(?:this|the|following|command|in|a|your|terminal|shell))*+[*_]{0,2}:?[*_]{0,2}[ \t]++)?+"
    r"(?=[a-z./~])(?P<command>[\w./~+-]{1,80}+[ \t]++[^\s][^\n]{2,}+)$"
)
_SYNTAX = lazy(r"\s-{1,2}[A-Za-z]|\||&&|://|\$[({A-Z]|\s[<>]{1,2}\s?[~/.\w]|[;&]\s|~/|\.\./")
"""What commands have, and sentences hardly."""
_ASSIGNED_LINE = lazy(
    r"(?m)^[ \t>]{0,40}+(?:(?:[-*+\u2022]|\d{1,3}[.)])[ \t]++)*+((?:\$[ \t]++)?+[A-Za-z_]\w{0,40}=[^\n]{1,400})$"
)
_ROW = lazy(r"(?m)^[ \t>]{0,40}+\|([^\n]++)$")
_CELL_END = lazy(r"(?<!\\)\|")
_QUOTED = lazy(r"\"[^\"]*+\"|'[^']*+'|\s#.*")
_SENTENCE = lazy(
    r"(?i)(?<![\w./=-])(?:the|is|are|was|this|that|these|with|your|when|which|will|can|should|must|because|also)(?![\w./=-])"
)


def _is_told(prompt: bool, told: bool, command: str) -> bool:
    if prompt and not command.startswith(("-", "+")):
        return is_command(command) or command.startswith(("./", "~/", "/"))
    given = GIVEN_FILE.match(command)
    if given is not None and not command[given.end() :].strip("\"'` \t"):  # and nothing more
        return True
    if not is_command(command) or (given is None and _SYNTAX.search(command) is None):
        return False
    return told or _SENTENCE.search(_QUOTED.sub("", command)) is None


def whole_command(body: str) -> str:
    """The command that a whole line, cell or element is, without its prompt; empty for none."""
    prompt = body.startswith("$ ")
    bare = body.removeprefix("$ ")
    return bare if " " in bare and "\n" not in bare and _is_told(prompt, False, bare) else ""


def _cells(view: View, fenced: Ranges) -> Iterator[Product]:
    """One ``command`` view of all cells of tables that are commands, as they stand without a code span."""
    text = view.text
    found: list[tuple[int, str]] = []
    for row in _ROW.finditer(text):
        for cell in _CELL_END.split(row[1]):
            body = whole_command(cell.strip().replace("\\|", "|"))
            if body and not within(fenced, row.start()) and len(found) < _MOST:
                found.append((view.line_of(row.start()), body))
    if found:
        yield Derived(
            text="\n".join(body for _, body in found), language=Kind.SHELL, step=Step("command", "cell"),
            where=Each([(number, number) for number, _ in found]), verbatim=True,
        )  # fmt: skip


def command_lines(view: View, fenced: Ranges) -> Iterator[Product]:
    """One ``command`` view of all such lines outside the given ranges, with the lines that continue them."""
    text = view.text
    found: list[tuple[int, str]] = []
    assigned = {
        view.line_of(m.start(1)): body
        for m in (_ASSIGNED_LINE.finditer(text) if "$" in text and "=" in text else ())
        if (body := used_assignment(m[1], text)) and not within(fenced, m.start(1))
    }
    if "|" in text:
        yield from _cells(view, fenced)
    for line in _LINE.finditer(text):
        body = line["command"].rstrip()
        if not _is_told(line["prompt"] is not None, line["told"] is not None, body):
            continue
        if within(fenced, line.start("command")):
            continue
        number, end = view.line_of(line.start("command")), line.end()
        if found and found[-1][0] >= number:  # it continues the one before
            continue
        found.append((number, body))
        while body.endswith("\\") and end < len(text):
            stop = text.find("\n", end + 1)
            stop = len(text) if stop == -1 else stop
            body, end, number = text[end + 1 : stop].strip(), stop, number + 1
            found.append((number, body))
        if len(found) >= _MOST:
            detail = f"more than {_MOST} commands in lines; the rest was not looked at apart"
            yield Gap(path=view.path, reason=GapReason.VIEW_LIMIT, detail=detail)
            break
    if found:
        taken = {number for number, _ in found}
        found = sorted([*found, *(each for each in assigned.items() if each[0] not in taken)])
        yield Derived(
            text="\n".join(body for _, body in found), language=Kind.SHELL, step=Step("command", "line"),
            where=Each([(number, number) for number, _ in found]), verbatim=True,
        )  # fmt: skip

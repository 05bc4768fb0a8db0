"""Commands in files that are lists of commands: Makefile, Dockerfile, Earthfile, justfile, Procfile, crontab."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Derived, Each, Product
from sluicegate.vet.intake.views.view import Step, View, called
from sluicegate.vet.lazy import lazy

_TARGET = lazy(r"(?![ \t#])([A-Za-z0-9_.%/$(){} -]{1,120}+)[ \t]*+::?(?!=)")
_JUST = lazy(r"(?![ \t#])@?([A-Za-z0-9_-]{1,80}+)[^:\n]{0,200}+:(?!=)")
_INSTRUCTION = lazy(r"[ \t]*+(?:ONBUILD[ \t]++)?(RUN|CMD|ENTRYPOINT|HEALTHCHECK|SHELL)[ \t]++", re.IGNORECASE)
_OPTION = lazy(r"--[a-z-]{1,40}+(?:=\S{1,200}+)?[ \t]++")
_HEREDOC = lazy(r"<<-?[\"']?([A-Za-z_]\w{0,40})")
_EXEC_FORM = lazy(r'"((?:[^"\\]++|\\.)*+)"?')
_CRON = lazy(
    r"[ \t]*+(?:@(?:reboot|hourly|daily|weekly|monthly|yearly|midnight)"
    r"|(?:[\d*/,A-Za-z-]{1,40}+[ \t]++){4}[\d*/,A-Za-z-]{1,40}+)[ \t]++(\S[^\n]*+)"
)
_STARRED = lazy(
    r"[ \t]*+(?:[\d*/,-]{1,40}+[ \t]++){2}(?:\*[ \t]++){2}[\d*/,A-Za-z-]{1,40}+[ \t]++(\S[^\n]*+)"
)
"""A line of a crontab in a file whose name does not say so."""
_MAKE_SET = lazy(r"(?m)^(\w{1,80})[ \t]*+[:?]{0,2}=[ \t]*+([\w./~-]{1,200})[ \t]*+$")
"""A variable of make that is given a plain word."""
_MAKE_NAME = lazy(r"(?<!\$)\$\((\w{1,80})\)")
"""A variable of make, which a shell would take for a command."""
_MAKE_VALUE = lazy(
    r"\$\(shell[ \t]++((?:[^()\n]|\((?:[^()\n]|\([^()\n]*+\))*+\))*+)\)|(?m:^[ \t]*+[\w.-]{1,80}+[ \t]*+!=([^\n]++))"
)
_JUST_VALUE = lazy(r"(?m)^[^\n#:]{1,80}:=[^\n`]{0,200}(?:```([^`]++)```|`([^`\n]++)`)")

_CURL_OPTION = lazy(
    r"[ \t]*+(-{0,2}[A-Za-z][\w-]{0,40}+)(?![:/.\w])(?:[ \t]*+[=: \t][ \t]*+(?:\"((?:[^\"\\]|\\.)*+)\"|([^\s\"][^\n]*+)))?[ \t]*+\Z"
)
_PLAIN = lazy(r"[\w@%+=:,./~-]+")
Lines = list[tuple[int, str]]


def _view(lines: Lines, detail: str) -> Derived:
    where = Each(lines=[(n, n) for n, _ in lines])
    text = "\n".join(body for _, body in lines)
    return Derived(
        text=text, language=Kind.SHELL, step=Step(kind="command", detail=detail), where=where, verbatim=True
    )


def _recipes(text: str, target: re.Pattern[str], indent: tuple[str, ...]) -> Iterator[Derived]:
    name, body, continued = "", Lines(), False
    values = {found[1]: found[2] for found in _MAKE_SET.finditer(text)} if "$(" in text else {}
    for number, line in enumerate(text.split("\n")):
        before, continued = continued, line.endswith("\\") and not (line.startswith(indent) and name)
        if before and name and not body:  # more of what the recipe needs
            continue
        if line.startswith(indent) and name:
            command = line.strip().lstrip("@-+ ")
            if "$(" in command:
                command = _MAKE_NAME.sub(lambda used: values.get(used[1], f"${{{used[1]}}}"), command)
            body.append((number, command.replace("$$", "$")))
        elif line.strip() and not line.lstrip().startswith("#"):
            if body:
                yield _view(body, f"recipe {name}")
            found = target.match(line)
            name, body = (found[1].strip()[:40] if found else ""), Lines()
            _, mark, rest = line.partition(";")
            if found and mark and rest.strip() and target is _TARGET:
                body.append((number, rest.strip()))
    if body:
        yield _view(body, f"recipe {name}")


def _instructions(text: str) -> Lines:
    """The commands of a Dockerfile, with continuation lines and here-documents."""
    out = Lines()
    going, ending = False, ""
    for number, line in enumerate(text.split("\n")):
        if ending:
            if line.strip() == ending:
                ending = ""
            else:
                out.append((number, line))
            continue
        if going:
            bare = line.strip()
            if bare.startswith("#"):
                continue
            out.append((number, line))
            going = bare.endswith("\\")
            continue
        found = _INSTRUCTION.match(line)
        if not found:
            continue
        body = line[found.end() :]
        while option := _OPTION.match(body):
            body = body[option.end() :]
        if body.lstrip().startswith("["):
            body = " ".join(word if " " not in word else f"'{word}'" for word in _EXEC_FORM.findall(body))
        heredoc = _HEREDOC.match(body.lstrip())
        if heredoc:
            ending = heredoc[1]
            continue
        out.append((number, body))
        going = line.rstrip().endswith("\\")
    return out


@lru_cache(maxsize=64)  # every view of a file asks
def _form(path: str) -> str:
    """Which list of commands a file is by its name; a Makefile and a Dockerfile are told by their language."""
    name = path.rsplit("/", 1)[-1].lower()
    if name.startswith("procfile"):
        return "procfile"
    if name in ("justfile", ".justfile") or name.endswith(".just"):
        return "justfile"
    if name in (".curlrc", "_curlrc"):
        return "curlrc"
    if "crontab" in name or name.endswith(".cron") or "/cron." in path or "cron.d/" in path:
        return "crontab"
    return ""


def _evaluated(text: str, pattern: re.Pattern[str]) -> Lines:
    """Commands whose output is the value of a variable."""
    number, at, found = 0, 0, Lines()
    for each in pattern.finditer(text):
        number += text.count("\n", at, each.start())
        at = each.start()
        body = next(group for group in each.groups() if group is not None).strip().replace("$$", "$")
        if " " in body:
            found.append((number, body))
    return found


def _curl(view: View) -> Iterator[Derived]:
    """The options of a file of curl's as one command, which is what the file is for."""
    import shlex  # few skills have such a file

    found = Lines()
    for number, line in enumerate(view.text.split("\n")):
        option = _CURL_OPTION.match(line)
        if option is not None:
            name = option[1] if option[1].startswith("-") else f"--{option[1]}"
            value = next((group for group in option.groups()[1:] if group), "").replace('\\"', '"')
            plain = _PLAIN.fullmatch(value) is not None
            found.append((number, f"{name} {value if plain else shlex.quote(value)}" if value else name))
        elif "://" in line and not line.lstrip().startswith("#"):
            found.append((number, shlex.quote(line.strip())))
    if found:
        lines = [
            (number, f"{'curl ' if at == 0 else ''}{body} \\") for at, (number, body) in enumerate(found)
        ]
        lines[-1] = (lines[-1][0], lines[-1][1].removesuffix(" \\"))
        yield _view(lines, "curl options")


def recipe_views(view: View, limits: Limits) -> Iterator[Product]:
    """The commands of a Makefile, Dockerfile, justfile, Procfile or crontab."""
    form = _form(called(view) or view.path)
    if view.language is Kind.DOCKERFILE:
        lines = _instructions(view.text)
        if lines:
            yield _view(lines, "dockerfile")
    elif form == "justfile":
        yield from _recipes(view.text, _JUST, ("    ", "\t", "  "))
        if lines := _evaluated(view.text, _JUST_VALUE):
            yield _view(lines, "justfile")
    elif view.language is Kind.MAKEFILE:
        yield from _recipes(view.text, _TARGET, ("\t",))
        if lines := _evaluated(view.text, _MAKE_VALUE):
            yield _view(lines, "makefile")
    elif form == "curlrc":
        yield from _curl(view)
    elif called(view) and form == "crontab":
        found = [(n, m[1]) for n, line in enumerate(view.text.split("\n")) if (m := _CRON.match(line))]
        if found:
            yield _view(found, "crontab")
    elif not view.origin and view.language is Kind.TEXT and "* * *" in view.text:
        found = [(n, m[1]) for n, line in enumerate(view.text.split("\n")) if (m := _STARRED.match(line))]
        if found:
            yield _view(found, "crontab")
    elif not view.origin and form == "procfile":
        pairs = [
            (n, line.partition(":")[2].strip()) for n, line in enumerate(view.text.split("\n")) if ":" in line
        ]
        if pairs:
            yield _view(pairs, "procfile")

"""A connection that a shell opens: is it only tried, or is something attached to it?

``/dev/tcp`` opens a connection, and most lines with it ask whether a port answers. What is taken for such a try is
listed here, so that all else stays what it looks like: the other end of a shell.
"""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_NAME = r"\*|\$?\{\w{1,40}\}|\$\w{1,40}"
_OPENS = lazy(
    rf"/dev/(?:tcp|udp)/[\"']?(?:{_NAME}|[\w.:-]{{1,80}})[\"']?/[\"']?(?:{_NAME}|\w{{1,24}})[\"']?(?![\w$.{{(])"
)
"""An address that is written out or held by one name; one that is put together may carry something away."""
_CONSTANT = r"(?:[ \t]{1,3}(?:\"[^\"$`\n]{0,160}\"|'[^'\n]{0,160}'|[\w.:@/+-]{1,60})){0,3}"
_SAYS = rf"(?:(?:echo|printf){_CONSTANT}|:|true|cat[ \t]{{0,2}}<[ \t]{{0,2}}/dev/null)"
_STARTS = r"(?:^|&&|\|\||;|(?<!\$)\(|(?<![\w$])\{|!|\b(?:do|then|else|if|elif|while|until)\b|(?<![\w-])(?:ba|z|da|k)?sh[ \t]{1,2}-c[ \t]{1,2}[\"']?|[\"'](?:ba|z|da|k)?sh[\"'],[ \t]?[\"']-c[\"'],[ \t]?f?[\"'])[ \t]{0,40}"
_LIMIT = r"(?:timeout[ \t]{1,3}(?:-\w[ \t]{1,2}\d{1,3}[ \t]{1,2}|-\w{1,3}[ \t]{1,2}){0,2}[\"$\w.{}:-]{1,24}[ \t]{1,3}|sudo[ \t]{1,3}){0,2}"
_TRIED = lazy(
    rf"{_STARTS}{_LIMIT}(?:{_STARTS})?{_LIMIT}(?:{_SAYS})?[ \t]{{0,3}}(?:[12]?>{{1,2}}|<|<>)[ \t]{{0,2}}[\"']?$"
)
"""What may stand before an address of which nothing is read that is kept, and to which a constant is written."""
_READ = lazy(
    rf"{_STARTS}{_LIMIT}(?:{_STARTS})?{_LIMIT}(?:cat|head(?:[ \t]{{1,2}}-\w{{0,2}}[ \t]?\d{{0,4}})?)[ \t]{{0,3}}<[ \t]{{0,2}}[\"']?$"
)
"""Reads what the other side says first: the banner of a service."""
_KEPT = lazy(rf"{_STARTS}{_LIMIT}exec[ \t]{{1,3}}(?P<number>\d{{1,3}})<>[ \t]{{0,2}}[\"']?$")
_QUIET = lazy(
    r"[\"']?(?:[ \t]{0,3}(?:[12]?>{1,2}[ \t]{0,2}/dev/null|&>[ \t]{0,2}/dev/null|2>&1|2>&-|<[ \t]{0,2}/dev/null))*[ \t]{0,3}[\"']?"
    r"(?:[ \t]{0,3}[)}\"'])*(?:[ \t]{0,3}(?:[12]?>{1,2}[ \t]{0,2}/dev/null|&>[ \t]{0,2}/dev/null|2>&1))*[ \t]{0,3}(?:$|[;)}`\\\],]|&&|&[ \t\n]|\|\||\n|#)"
)
"""What may follow: nowhere to, and the end of the command."""
_SHOWN = lazy(
    r"[\"')}]{0,3}[ \t]{0,3}\|[ \t]{0,3}(?:head|grep|tr|cut|wc|od|xxd|strings)\b[^|;&`$\n]{0,60}(?:$|\n|[;\"'`])"
)
_SHELL = r"(?:/(?:usr/)?bin/)?(?:ba|z|da|k|a|fi)?sh"
_INTERPRETS = lazy(
    rf"\beval\b|\bsource\b|\bxargs\b|\bcoproc\b|\bmkfifo\b|\bmknod\b|^[ \t]*\.[ \t]|\|[ \t]{{0,3}}(?:sudo[ \t]{{1,2}}|env[ \t]{{1,2}})?{_SHELL}\b"
    rf"|(?<![\w./-]){_SHELL}[ \t]{{1,3}}(?!-c[ \t]{{1,2}}[\"'](?:cat|head|:|true|echo|printf|exec)?[ \t]{{0,3}}[\d<>])\S"
    r"|\b(?:python[23]?|perl|ruby|node|php|awk)\b|(?:^|[;&|({!]|\bdo\b|\bthen\b|\belse\b)[ \t]{0,40}[\"']?\$[\w({]|\bchmod\b"
    r"|\b(?:env|nohup|sudo|doas|exec|command|builtin|setsid|nice|time|timeout[ \t]{1,2}\S{1,9})[ \t]{1,3}[\"']?\$[\w({]",
    re.MULTILINE,
)
"""What might run what was read; where it stands anywhere, nothing that reads is a mere try."""
_DEVICE = lazy(r"/dev/(?:tcp|udp)/")
_BEFORE = 240
_ADDRESS = 120
_TEXT = 200_000
"""Characters of a text in which the uses of a connection are looked for; in a longer one none is a try."""


def connects(text: str) -> bool:
    """Whether a command opens a connection and attaches something to it."""
    return any(attached(text, m.start(), m.end()) for m in _DEVICE.finditer(text))


def attached(text: str, start: int, end: int) -> bool:
    """Whether more is made of an opened connection than a try. A match without one is no matter of this check.

    1. The command before the address writes nothing or a constant, or reads nothing; and nothing follows it.
    2. It reads what the other side says first, or keeps the connection under a number that is only closed, read and
       written with constants; and nothing in the whole text may run what is read.
    """
    opened = _OPENS.search(text, start, end + _ADDRESS)
    if opened is None or opened.start() >= end:
        return True
    before = _before(text, opened.start())
    after = text[opened.end() : opened.end() + _BEFORE]
    if before is None:
        return True
    quiet = _QUIET.match(after) is not None
    if quiet and _TRIED.search(before) is not None:  # 1
        return False
    if len(text) > _TEXT or _INTERPRETS.search(text) is not None:  # 2
        return True
    if _READ.search(before) is not None:
        return not quiet and _SHOWN.match(after) is None
    kept = _KEPT.search(before)
    return kept is None or not quiet or _used(text, kept["number"])


def _before(text: str, at: int) -> str | None:
    """The line before an address, of a code span of prose only its inside; None where it goes on from the line above."""
    first = text.rfind("\n", 0, at) + 1
    if text[max(0, first - 2) : first] == "\\\n" or at - first > _BEFORE:
        return None
    line = text[first:at]
    if line.count("`") % 2:
        return line[line.rfind("`") + 1 :]
    return None if "`" in line and "$(" in line else line


def _used(text: str, number: str) -> bool:
    """Whether a kept connection is used for more than to write constants to it, to show what it says, and to close it."""
    closed = rf"(?:exec[ \t]{{1,2}})?{number}[<>]&-"
    wrote = rf"(?:echo|printf){_CONSTANT}(?:[ \t]{{1,3}}\"\$\w{{1,20}}\"){{0,1}}[ \t]{{0,3}}>&[ \t]{{0,2}}{number}(?!\d)"
    read = rf"(?:timeout[ \t]{{1,2}}[\d.]{{1,5}}[ \t]{{1,2}})?(?:cat|head(?:[ \t]{{1,2}}-\w{{0,2}}[ \t]?\d{{0,4}})?)[ \t]{{0,3}}<&[ \t]{{0,2}}{number}(?!\d)(?![^\n]*(?:\||>[^&\n]*/(?!dev/null)))"
    left = re.sub(rf"(?:^|(?<=[;&|({{\n ])){_LIMIT}(?:{closed}|{wrote}|{read})", "", text, flags=re.MULTILINE)
    return (
        re.search(
            rf"[<>]&[ \t]{{0,2}}{number}(?!\d)|(?<!\d){number}[<>]&|/dev/fd/{number}\b|/proc/\S{{1,20}}/fd/{number}\b",
            left,
        )
        is not None
    )

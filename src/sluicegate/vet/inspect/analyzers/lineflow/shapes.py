"""Things that are told by several marks standing close together: reverse shells, keyloggers, password dialogs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.analyzers.lineflow import rules
from sluicegate.vet.inspect.analyzers.lineflow.judged import ScriptMatch
from sluicegate.vet.inspect.analyzers.lineflow.words import FETCH, KEYS, KEYS_WORDS, TALK
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Severity

NEAR = 3000
"""Characters after the first mark in which the others must stand."""
MARKS = 20
"""Marks of one kind that a match rests on."""
CLOSE = 200
"""Dialogs that begin in the same so many characters are looked at as one."""

_SHELL = r"(?:/bin/(?:ba|z|da)?sh|[\"'](?:ba|z)?sh[\"' ]|cmd(?:\.exe)?[\"'\s]|powershell)"

_REVERSE: dict[Kind, tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]] = {
    Kind.GO: (lazy(r"net\.dial|tls\.dial"), lazy(r"exec\.command\([^\n]{0,40}" + _SHELL), lazy(r"\.std(?:in|out)\s{0,2}=\s{0,2}\w|io\.copy\(")),
    Kind.PERL: (lazy(r"io::socket::inet|socket\("), lazy(r"(?:exec|system|open)[^\n]{0,40}" + _SHELL + r"|fdopen|open\(\s{0,2}std"), lazy(r"open\(\s{0,2}std(?:in|out)\s{0,2},\s{0,2}[\"'][<>+]{1,2}&|fdopen\(|while\s{0,2}\(\s{0,2}<\$")),
    Kind.RUBY: (lazy(r"tcpsocket\.(?:new|open)"), lazy(r"io\.popen|open3|exec\s|exec\(|spawn|`"), lazy(r"\.gets|<&|reopen|:in\s{0,2}=>|in:\s")),
    Kind.PHP: (lazy(r"fsockopen|stream_socket_client|socket_connect"), lazy(r"proc_open|shell_exec|popen|\bexec\(|passthru|system\("), lazy(_SHELL + r"|fgets|fread|socket_read")),
    Kind.JAVA: (lazy(r"new socket\("), lazy(r"processbuilder|getruntime\(\)\.exec"), lazy(_SHELL)),
    Kind.C: (lazy(r"connect\(|tcpclient"), lazy(r"dup2\(|redirectstandardinput"), lazy(r"execl?[vp]{0,2}e?\([^\n]{0,40}sh\b|" + _SHELL)),
    Kind.RUST: (lazy(r"tcpstream::connect"), lazy(r"command::new\([^\n]{0,20}" + _SHELL + r"|command::new\([^\n]{0,6}sh\b"), lazy(r"from_raw_fd|\.stdin\(|read_line|\.read\(")),
    Kind.LUA: (lazy(r"socket\.(?:tcp|connect)"), lazy(r"io\.popen|os\.execute"), lazy(r":receive|:send")),
    Kind.POWERSHELL: (lazy(r"sockets\.tcpclient"), lazy(r"getstream\("), lazy(r"\biex\b|invoke-expression|cmd\.exe|start-process|scriptblock")),
}  # fmt: skip
_REVERSE[Kind.SOURCE] = _REVERSE[Kind.C]
_FIRST: dict[Kind, tuple[str, ...]] = {
    Kind.GO: ("dial",), Kind.PERL: ("socket",), Kind.RUBY: ("tcpsocket",), Kind.PHP: ("fsockopen", "stream_socket", "socket_connect"),
    Kind.JAVA: ("new socket",), Kind.C: ("connect(", "tcpclient"), Kind.SOURCE: ("tcpclient",), Kind.RUST: ("tcpstream",), Kind.LUA: ("socket",),
    Kind.POWERSHELL: ("tcpclient",),
}  # fmt: skip

_DIALOG = lazy(r"(?i)hidden answer(?!\s{1,2}false)|hiddenAnswer\s{0,2}:\s{0,2}true")
_PASSWORD = lazy(
    r"(?i)pass(?:word|phrase|code)|credential|administrator|keychain|contrase|kennwort|mot de passe|senha"
)
_KEPT_OR_SENT = lazy(
    r"(?i)dscl\s[^\n]{0,60}-authonly|unlock-keychain|sudo\s{1,2}-S\b|\bcurl\s|\bnc\s|https?://|/tmp/|pbcopy|>\s{0,2}[\"']?[~/$][^\n]{1,40}|login\.keychain"
)
_STOLEN = lazy(
    r"(?i)dscl\s[^\n]{0,60}-authonly|unlock-keychain|\bcurl\s|requests\.post|fetch\(|/dev/tcp/|login\.keychain"
)


def reverse_shell(low: str, language: Kind) -> tuple[int, int] | None:
    """Where a script joins a socket to a shell, in its plain text."""
    if not any(word in low for word in _FIRST.get(language, ())):
        return None
    first, second, third = _REVERSE[language]
    shells, joined = _Ahead(second, low), _Ahead(third, low)
    for start in first.finditer(low):
        if shells.near(start.start()) and joined.near(start.start()):
            return start.span()
    return None


def marks(low: str, language: Kind) -> Iterator[int]:
    """Where the marks of a reverse shell or a keylogger stand, and what speaks to the network."""
    for pattern in (*_REVERSE.get(language, ()), KEYS, FETCH, TALK):
        for number, found in enumerate(pattern.finditer(low)):
            if number == MARKS:
                break
            yield found.start()


def around(view: View, start: int) -> tuple[tuple[View, int, int], ...]:
    """Where in the text around a dialog the answer is kept, tried or sent."""
    low, high = max(0, start - 500), start + 1500 + CLOSE
    found = _KEPT_OR_SENT.finditer(view.text, low, high)
    return tuple((view, *each.span()) for _, each in zip(range(MARKS), found, strict=False))


class _Ahead:
    """Whether a mark stands in the ``NEAR`` characters after a place; asked of places in order, it reads a text once."""

    def __init__(self, pattern: re.Pattern[str], text: str) -> None:
        self._found = pattern.finditer(text)
        self._next = next(self._found, None)

    def near(self, start: int) -> bool:
        while self._next is not None and self._next.start() < start:
            self._next = next(self._found, None)
        return self._next is not None and self._next.end() <= start + NEAR


def keylogger(low: str) -> tuple[int, ScriptMatch] | None:
    """Where a script reads the keyboard of every program; worse when it also speaks to the network."""
    found = KEYS.search(low) if one_of(KEYS_WORDS, low) else None
    if found is None:
        return None
    if FETCH.search(low) is not None or TALK.search(low) is not None:
        return found.start(), ScriptMatch(
            rules.SURVEILLANCE, Severity.CRITICAL, 800, "it reads the keyboard and speaks to the network"
        )
    return found.start(), ScriptMatch(
        rules.SURVEILLANCE, Severity.MEDIUM, 600, "it reads the keyboard; that it tells is not seen"
    )


def password_dialogs(text: str) -> Iterator[tuple[int, int, ScriptMatch]]:
    """Dialogs that hide what is typed; worse when the answer is tried, kept or sent."""
    if "hidden answer" not in text and "hiddenAnswer" not in text:
        return
    told: set[int] = set()
    for found in _DIALOG.finditer(text):
        place = found.start() // CLOSE
        if place in told:  # what stands round it was looked at
            continue
        told.add(place)
        around = text[max(0, found.start() - 500) : found.end() + 1500 + CLOSE]
        start = text.rfind("\n", 0, found.start()) + 1
        start = max(start, found.start() - 300)
        if _STOLEN.search(around) is not None:
            yield (
                start,
                found.end(),
                ScriptMatch(rules.PASSWORD_DIALOG, Severity.CRITICAL, 850, "the answer is tried or sent"),
            )
        elif _PASSWORD.search(around) is not None or _KEPT_OR_SENT.search(around) is not None:
            yield start, found.end(), ScriptMatch(rules.PASSWORD_DIALOG, Severity.HIGH, 750)
        else:
            yield (
                start,
                found.end(),
                ScriptMatch(
                    rules.PASSWORD_DIALOG, Severity.MEDIUM, 500, "nothing says that it is a password"
                ),
            )

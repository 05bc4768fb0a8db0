"""The HTTP method that a ``curl`` or ``wget`` will use, read from its arguments.

For policies that allow ``curl = { methods = ["GET"] }``. What is not known for certain is not a method at all, and
no list of methods allows that.
"""

from __future__ import annotations

from typing import Final

from sluicegate.flow.policy.request import CommandView, RequestHole

_VALUELESS: Final = frozenset("sSfLiIkgGvq#46jN0OJRZ")
_SHORT_WITH_VALUE = frozenset("ouHAemwyYz")
_LONG_VALUELESS = frozenset({
    "--silent", "--show-error", "--fail", "--fail-with-body", "--location", "--include", "--head", "--get", "--globoff",
    "--compressed", "--verbose", "--insecure", "--http1.1", "--http2", "--http3", "--ipv4", "--ipv6", "--no-progress-meter",
    "--progress-bar", "--parallel", "--remote-name", "--remote-header-name", "--quiet", "--no-verbose", "--spider",
    "--no-check-certificate", "--tcp-nodelay", "--remote-time", "--create-dirs",
})  # fmt: skip
_LONG_WITH_VALUE = frozenset({
    "--output", "--user-agent", "--header", "--referer", "--max-time", "--connect-timeout", "--retry",
    "--retry-delay", "--write-out", "--user", "--range", "--limit-rate", "--max-redirs", "--url", "--output-document",
    "--timeout", "--tries", "--directory-prefix", "--dump-header", "--cacert", "--max-filesize",
})  # fmt: skip
_POSTING = ("--data", "--form", "--json", "--post-", "--body-")


def method_of(view: CommandView) -> str:
    """The HTTP method of a ``curl`` or ``wget``; empty when it cannot be told.

    1. Every option has to be known, with or without a value; one that is not may change everything. So may
       an address that is not one of HTTP.
    2. A named method is the method; else ``-I`` is HEAD, an upload PUT, data POST (``-G`` makes it GET).
    3. Else it is GET.
    """
    return _wget(view) if view.basename == "wget" else _curl(view)


def _curl(view: CommandView) -> str:
    named, head, data, upload, get = "", False, False, False, False
    rest = list(view.arguments)
    while rest:
        argument = rest.pop(0)
        if isinstance(argument, RequestHole):
            if not argument.operand and not argument.prefix.startswith(("http://", "https://")):
                return ""  # 1: it may be an option
            continue
        if _other_protocol(argument):
            return ""
        if argument in ("-X", "--request"):
            value = rest.pop(0) if rest else ""
            if not isinstance(value, str):
                return ""
            named = value
        elif argument.startswith("--"):
            name, equals, _ = argument.partition("=")
            if name.startswith(_POSTING):
                data = True
                if rest and not equals:
                    rest.pop(0)
            elif name in _LONG_WITH_VALUE:
                value = argument.partition("=")[2] if equals else rest.pop(0) if rest else ""
                if name == "--header" and _reads_a_file(value):
                    return ""
                if name == "--url" and isinstance(value, str) and _other_protocol(value):
                    return ""
            elif name not in _LONG_VALUELESS or equals:
                return ""  # 1
            head, get = head or name == "--head", get or name == "--get"
        elif argument.startswith("-"):
            found = _cluster(argument[1:], rest)
            if found is None:
                return ""  # 1
            named = found.get("X", named)
            head, get = head or "I" in found, get or "G" in found
            data, upload = data or "d" in found or "F" in found, upload or "T" in found
    if named:  # 2
        return named.upper()
    if head:
        return "HEAD"
    if upload:
        return "PUT"
    return "POST" if data and not get else "GET"  # 3


def _other_protocol(argument: str) -> bool:
    """Whether an address is not one of HTTP: others have no method, and say what the address says."""
    if argument.startswith("-"):
        return False
    scheme, found, _ = argument.lower().partition("://")
    if found and "/" not in scheme:
        return scheme not in ("http", "https")
    return argument.lower().startswith(("ftp.", "dict.", "ldap.", "imap.", "smtp.", "pop3."))


def _cluster(letters: str, rest: list[str | RequestHole]) -> dict[str, str] | None:
    """The letters of a cluster with their values; None for a letter that is not known."""
    found: dict[str, str] = {}
    for at, letter in enumerate(letters):
        if letter in _VALUELESS:
            found[letter] = ""
        elif letter in _SHORT_WITH_VALUE or letter in "XdFT":
            value: str | RequestHole = letters[at + 1 :] or (rest.pop(0) if rest else "")
            if (letter == "X" and not isinstance(value, str)) or (letter == "H" and _reads_a_file(value)):
                return None
            found[letter] = value if isinstance(value, str) else ""
            return found
        else:
            return None
    return found


def _reads_a_file(header: str | RequestHole) -> bool:
    """Whether a header may be ``@FILE``: then the file is what is sent."""
    return header.startswith("@") if isinstance(header, str) else header.could_be("@" + header.suffix)


def _wget(view: CommandView) -> str:
    named, data = "", False
    for argument in view.arguments:
        if isinstance(argument, RequestHole):
            if not argument.operand and not argument.prefix.startswith(("http://", "https://")):
                return ""  # 1
            continue
        name, _, value = argument.partition("=")
        if name == "--method":
            named = value
            if not value:
                return ""
        elif name.startswith(("--post-", "--body-")):
            data = True
        elif name.startswith("--"):
            if name not in _LONG_VALUELESS and name not in _LONG_WITH_VALUE:
                return ""  # 1
        elif argument.startswith("-") and argument not in ("-q", "-O", "-", "-nv", "-c", "-N", "-S", "-P"):
            return ""  # 1
    if named:  # 2
        return named.upper()
    return "POST" if data else "GET"  # 3

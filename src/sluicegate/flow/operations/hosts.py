"""Which machine an argument names, spelled in one way.

Programs read addresses differently, and the differences are what attackers use. So a host is only given where
every program would agree; whatever is ambiguous (two ``@``, a backslash, an encoded character, a pattern that
a program expands) is UNKNOWN, which a deny takes for a match.
"""

from __future__ import annotations

import re
from typing import Final

from sluicegate.flow.policy.request import UNKNOWN
from sluicegate.patterns import late

_SCHEME = late(r"([A-Za-z][A-Za-z0-9+.-]*)://")
# What clients take for an address of a host all the same: https:/host, https:\\host, https:host
_LENIENT = late(r"(?:https?|ftps?|wss?|sftp):(?!//)", re.IGNORECASE)
_LENIENT_PATH = late(r"(?:https?|ftps?|wss?|sftp):[/\\]", re.IGNORECASE)
_AUTHORITY = late(r"[^/?#]*")
_NAME = late(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\Z")
_SCP = late(r"(?:([^/@:\s]+)@)?(\[[0-9A-Fa-f:.%]+\]|[^/@:\s]+):")
_MAILLIKE = late(r"[A-Za-z0-9._-]+@[A-Za-z0-9._-]+:")
_EXPANDED = late(r"[^/?#]*[{}]|(?!(?:[^@/?#]*@)?\[[0-9A-Fa-f:.]+\])[^/?#]*\[")
_NUMBER = late(r"(?:0[xX][0-9a-fA-F]*|[0-9]+)\Z")
_BAD: Final = frozenset("\\{}|^`<>\"' \t\r\n\0")
_NO_HOST: Final = frozenset(
    {"file", "data", "about", "javascript", "unix", "npipe", "fd", "git+file", "fileb"}
)


def host(name: str) -> str:
    """A host name in lower case, without port or final dot; addresses in their usual form. UNKNOWN if it is
    none.
    """
    text = name.lower().removesuffix(".")
    if text.startswith("[") and text.endswith("]"):
        return _address6(text[1:-1])
    if not text.isascii():
        try:
            text = text.encode("idna").decode("ascii").lower().removesuffix(".")
        except UnicodeError:
            return UNKNOWN
    parts = text.split(".")
    if _NUMBER.match(parts[-1]):
        return _address4(parts)
    return text if _NAME.match(text) and len(text) <= 253 else UNKNOWN


def of_url(text: str) -> str:
    """The host of an address with or without a scheme. UNKNOWN if that is not certain."""
    found = _SCHEME.match(text)
    if _LENIENT.match(text):
        return UNKNOWN
    rest = text[found.end() :] if found else text
    authority = _AUTHORITY.match(rest)
    where = authority[0] if authority else ""
    if not where or _BAD & set(where) or where.count("@") > 1 or "%" in where.rpartition("@")[2]:
        return UNKNOWN
    if "@" in rest[len(where) :].partition("/")[0] or "\\" in text:
        return UNKNOWN
    return _before_port(where.rpartition("@")[2])


def _before_port(text: str) -> str:
    if text.startswith("["):
        closed = text.find("]")
        return (
            host(text[: closed + 1])
            if closed > 0 and re.fullmatch(r"(?::[0-9]*)?", text[closed + 1 :])
            else UNKNOWN
        )
    name, colon, port = text.partition(":")
    return host(name) if not colon or re.fullmatch("[0-9]*", port) else UNKNOWN


def _address4(parts: list[str]) -> str:
    """The forms that the C library takes for an IPv4 address: parts in decimal, octal or hexadecimal, one to
    four.
    """
    if not 1 <= len(parts) <= 4 or not all(_NUMBER.match(part) for part in parts):
        return UNKNOWN
    numbers = []
    for part in parts:
        try:
            base = 16 if part[:2] in ("0x", "0X") else 8 if part[0] == "0" and len(part) > 1 else 10
            numbers.append(int(part[2:] or "0", 16) if base == 16 else int(part, base))
        except ValueError:
            return UNKNOWN
    last = 256 ** (5 - len(numbers))
    if any(number > 255 for number in numbers[:-1]) or numbers[-1] >= last:
        return UNKNOWN
    value = numbers[-1]
    for index, number in enumerate(numbers[:-1]):
        value += number << (24 - 8 * index)
    return ".".join(str(value >> shift & 255) for shift in (24, 16, 8, 0))


def _address6(text: str) -> str:
    import ipaddress

    try:
        address = ipaddress.IPv6Address(text.partition("%")[0])
    except ValueError:
        return UNKNOWN
    return str(address.ipv4_mapped or address.compressed)


def hosts_of(form: str, text: str) -> tuple[str, ...]:
    """The hosts that an argument names, given what it is to its program (see ``reading.Contact``)."""
    if form == "unknown":
        return (UNKNOWN,)
    if form == "jump":
        return tuple(of_url(each if _SCHEME.match(each) else f"ssh://{each}") for each in text.split(","))
    found = _SCHEME.match(text)
    if found is not None:
        if found[1].lower() in _NO_HOST:
            return ()
        if form == "urls" and _EXPANDED.match(text, found.end()):
            return (UNKNOWN,)
        return (of_url(text),)
    if _LENIENT_PATH.match(text):
        return (UNKNOWN,)
    if form in ("remote", "git"):
        return _remote(form, text)
    if form == "package" and "://" in text:
        return (UNKNOWN,)
    if form in ("maybe", "package"):
        return (host(found_at[2]),) if _MAILLIKE.match(text) and (found_at := _SCP.match(text)) else ()
    if form == "name":
        name = text.removeprefix("@")
        return (_before_port(name),) if "." in name.strip(".") or ":" in name else ()
    return () if text in ("", "-") else (of_url(text.partition(",")[0] if form == "address" else text),)


def _remote(form: str, text: str) -> tuple[str, ...]:
    """``host:path``, as scp, rsync and git read it: a colon before the first slash."""
    if form == "git" and re.match(r"[A-Za-z0-9-]+::", text):
        return (UNKNOWN,)
    found = _SCP.match(text)
    if found is not None:
        return (host(found[2]),)
    return (UNKNOWN,) if ":" in text.partition("/")[0] else ()


def is_remote(text: str) -> bool:
    """Whether an argument that is a path or ``host:path`` names another machine."""
    return _SCHEME.match(text) is not None or ":" in text.partition("/")[0]


def file_of(text: str) -> str:
    """The path of a ``file:`` address, or nothing."""
    found = re.match(r"(?i)(?:git\+)?fileb?:(?://(?:localhost)?)?(/[^?#]*)", text)
    if found is None:
        return ""
    from urllib.parse import unquote

    return unquote(found[1])

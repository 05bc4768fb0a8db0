"""The words of capabilities: hosts, paths, commands and variable names in one normal form.

Every analyzer that sees code uses these, so that the same ability has the same name whatever language it
was written in. ``*`` stands for what could not be determined. All functions are pure and total: any text
gives a capability, never an error.
"""

from __future__ import annotations

MAX_NAME = 200
"""Characters of one capability, prefix included; a longer one ends in ``*``."""

HOST_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-*_")
NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_*")
WINDOWS_HOMES = (
    ("%userprofile%", "~"),
    ("%appdata%", "~/AppData/Roaming"),
    ("%localappdata%", "~/AppData/Local"),
)
HOME_VARIABLES = ("$HOME", "${HOME}")
EXECUTABLE_SUFFIXES = (".exe", ".cmd", ".bat", ".com")


def host(value: str) -> str:
    """The host of a URL or of ``host:port``, lower-case and without a port; ``*`` when there is none.

    ``https://user@API.Example.com:443/x?y`` gives ``api.example.com``; ``[::1]:80`` gives ``::1``.
    A wildcard in a label stays (``*.example.com``).
    """
    text = value.strip()
    scheme = text.find("://")
    if scheme != -1:
        text = text[scheme + 3 :]
    elif text.startswith("//"):
        text = text[2:]
    for stop in "/?#\\":
        cut = text.find(stop)
        if cut != -1:
            text = text[:cut]
    text = text.rpartition("@")[2]
    if text.startswith("["):
        inner = text[1:].partition("]")[0].lower()
        return inner if inner and all(c in "0123456789abcdef:.%" for c in inner) else "*"
    text = text.partition(":")[0].strip(".").lower()
    try:
        text.encode("ascii")
    except UnicodeEncodeError:
        try:
            text = text.encode("idna").decode("ascii")
        except UnicodeError:
            return "*"
    return text if text and HOST_CHARACTERS.issuperset(text) else "*"


def glob(path: str) -> str:
    """A path as a glob: ``/`` between parts, ``~`` for the home folder, no ``.`` parts, no repeated stars.

    ``C:\\Users\\x\\.ssh`` gives ``C:/Users/x/.ssh``; ``$HOME/.ssh/`` gives ``~/.ssh``. ``..`` stays.
    """
    text = path.strip().replace("\\", "/").removeprefix("file://")
    for variable in HOME_VARIABLES:
        if text.startswith(variable):
            text = "~" + text[len(variable) :]
    low = text[:20].lower()
    for variable, home in WINDOWS_HOMES:
        if low.startswith(variable):
            text = home + text[len(variable) :]
    absolute = text.startswith("/")
    kept: list[str] = []
    for part in text.split("/"):
        if part in ("", "."):
            continue
        if "**" in part:
            part = "**" if not part.strip("*") else _squeeze(part)
        if part == "**" and kept and kept[-1] == "**":
            continue
        kept.append(part)
    joined = "/".join(kept)
    return "/" + joined if absolute else joined or ("." if text else "*")


def _squeeze(part: str) -> str:
    """One star for every run of stars."""
    return "*".join(piece for index, piece in enumerate(part.split("*")) if piece or index == 0) + (
        "*" if part.endswith("*") else ""
    )


def net(host_or_url: str) -> str:
    """``net:HOST`` for a host, ``host:port`` or URL; ``net:*`` when the host cannot be told."""
    return _bounded("net:" + host(host_or_url))


def read(path: str) -> str:
    """``fs:r:GLOB`` for a path that is read; an unknown path is ``*``."""
    return _bounded("fs:r:" + glob(path))


def write(path: str) -> str:
    """``fs:w:GLOB`` for a path that is written, changed or removed; an unknown path is ``*``."""
    return _bounded("fs:w:" + glob(path))


def command(argv0: str) -> str:
    """``cmd:NAME``: the last part of the program's path, without ``.exe`` and friends.

    ``/usr/bin/curl`` and ``curl.exe`` are both ``cmd:curl``.
    """
    name = argv0.strip().strip("\"'").replace("\\", "/").rpartition("/")[2]
    low = name.lower()
    if low.endswith(EXECUTABLE_SUFFIXES):
        for suffix in EXECUTABLE_SUFFIXES:
            if low.endswith(suffix) and len(low) > len(suffix):
                name = name[: -len(suffix)]
                break
    if not name or " " in name or not name.isprintable():  # no other space is printable
        name = "*"
    return _bounded("cmd:" + name)


def env(name: str) -> str:
    """``env:NAME`` for a variable that is read; ``env:*`` for all of them or for a computed name."""
    text = name.strip()
    return _bounded("env:" + (text if text and NAME_CHARACTERS.issuperset(text) else "*"))


def _bounded(capability: str) -> str:
    """The capability without line breaks or control characters, cut at ``MAX_NAME``."""
    if not capability.isprintable():
        capability = "".join(c if c.isprintable() else "*" for c in capability)
    return capability if len(capability) <= MAX_NAME else capability[: MAX_NAME - 1] + "*"

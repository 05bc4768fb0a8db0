"""What the user named: a path, standard input, a repository, or a file on the web. Decided by the word alone.

Forms of a repository: ``git@host:path``, ``ssh://``, ``git+https://``, ``git+ssh://``, ``https://...git``,
and pages of GitHub, GitLab and Bitbucket, with ``#folder`` and ``@ref`` behind, or ``/tree/REF/PATH`` inside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import SourceError
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from urllib.parse import SplitResult


class LocalPath(NamedTuple):
    """Something on this machine."""

    path: str


class StandardInput(NamedTuple):
    """A tar (plain or compressed) on standard input."""

    path: str = "-"


class Repository(NamedTuple):
    """``ref`` is a branch, tag or commit (empty: the default branch); ``folder`` what is wanted of it."""

    url: str
    ref: str
    folder: str
    name: str


class WebFile(NamedTuple):
    """A file or archive to download."""

    url: str
    name: str


Target = LocalPath | StandardInput | Repository | WebFile

_SCP = lazy(r"(?:[A-Za-z0-9_.-]{1,64}@)[A-Za-z0-9.-]{1,255}:(?!/{2})[^\s:]")
_REF = lazy(r"[A-Za-z0-9_][A-Za-z0-9_./+-]{0,254}")
_SCHEME = lazy(r"[A-Za-z][A-Za-z0-9+.-]*:{1,2}(?://)?")
_FORM = "Write https://HOST/PATH of a file, or git+https://HOST/REPOSITORY@REF#FOLDER, or a path."
_PAGES = ("github.com", "gitlab.com", "bitbucket.org", "codeberg.org")


def without_query(word: str) -> str:
    """The word as it may be shown: what follows the ``?`` of a URL often lets whoever holds it in."""
    head, mark, _ = word.partition("?")
    return f"{head}?..." if mark and "://" in head else word


def parse_target(word: str) -> Target:
    """What the word means. Raises SourceError for what is refused, with the reason."""
    if word == "-":
        return StandardInput()
    if not word.strip():
        raise SourceError("an empty target", hint="Name a folder, a file, an archive or a URL.")
    if "\0" in word:
        raise SourceError(f"{word!r} holds a NUL, which no path does", hint="Leave it out.")
    if "://" in word and not word.isprintable():
        raise SourceError("a URL with a control character in it", hint="Write the URL on one line.")
    if word.startswith("-"):
        raise SourceError(
            f"{word!r} looks like an option", hint="Write ./ before a path that begins with '-'."
        )
    if word.startswith(("git+https://", "git+ssh://")):
        return _repository(word[4:])
    if word.startswith("ssh://") or (":" in word and _SCP.match(word)):
        return _repository(word)
    if word.startswith("https://"):
        return _web(word)
    scheme = _SCHEME.match(word) if ":" in word else None
    if scheme and (scheme[0].endswith("//") or scheme[0].endswith("::")):
        raise SourceError(
            f"{scheme[0]} is not a way to fetch a skill", hint="Use https:// or ssh://, or a path."
        )
    return LocalPath(path=word)


def _web(word: str) -> Target:
    from urllib.parse import unquote  # a path on this machine needs none of it

    parts = _split(word)
    host = (parts.hostname or "").lower().removeprefix("www.")
    path = parts.path
    if path.partition("@")[0].rstrip("/").endswith(".git") or ".git/" in path:
        return _repository(word)
    steps = [step for step in path.split("/") if step]
    if host in _PAGES and len(steps) >= 2:
        return _page(host, steps, parts, word)
    if host == "gist.github.com" and len(steps) == 2:
        return _repository(f"https://{host}/{'/'.join(steps)}.git")
    if not steps:
        raise SourceError(f"{word} names no file", hint="Give the URL of a file, an archive or a repository.")
    return WebFile(url=word, name=unquote(steps[-1]).replace("/", "_"))


def _page(host: str, steps: list[str], parts: SplitResult, word: str) -> Target:
    """A page of a host that we know: the repository, or a folder in it."""
    from urllib.parse import unquote

    marks = {"github.com": ("tree", "blob"), "gitlab.com": ("-",)}.get(host, ("src",))
    at = next((n for n, step in enumerate(steps) if n >= 2 and step in marks), len(steps))
    inside = steps[at + 1 :]
    if host == "gitlab.com" and inside:
        if inside[0] not in ("tree", "blob"):
            return WebFile(url=word, name=unquote(steps[-1]))
        inside = inside[1:]
    if host == "codeberg.org" and inside and inside[0] in ("branch", "tag", "commit"):
        inside = inside[1:]
    owner = steps[:at]
    if at == len(steps) and len(steps) > 2 and host != "gitlab.com":
        return WebFile(url=word, name=unquote(steps[-1]))
    owner[-1], _, ref = owner[-1].partition("@")
    folder = unquote("/".join(inside[1:])) or parts.fragment
    return _made(f"https://{host}/{'/'.join(owner)}", unquote(inside[0]) if inside else ref, folder)


def _split(word: str) -> SplitResult:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(word)
        port = parts.port
    except ValueError as error:
        # The word is not quoted: it may hold a password.
        raise SourceError(f"the target is not a URL: {error}", hint=_FORM) from None
    del port
    if parts.password or (parts.scheme == "https" and parts.username):
        raise SourceError(
            "a URL with a name or password in it", hint="Clone it yourself and scan the folder."
        )
    if not parts.hostname or parts.hostname.startswith("-"):
        raise SourceError(f"{word!r} names no host", hint=_FORM)
    return parts


def _repository(word: str) -> Repository:
    url, _, folder = word.partition("#")
    start = url.find("/", url.find("://") + 3) if "://" in url else url.find(":")
    if start < 0:
        raise SourceError(f"{word!r} names no repository", hint=_FORM)
    path, _, ref = url[start:].partition("@")
    if "://" in url:
        _split(url)
    elif url.startswith("-") or url.partition("@")[2].startswith("-"):
        raise SourceError(f"{word!r} names no host", hint=_FORM)
    return _made(url[:start] + path, ref, folder.removeprefix("subdirectory="))


def _made(url: str, ref: str, folder: str) -> Repository:
    if ref and (not _REF.fullmatch(ref) or ".." in ref):
        raise SourceError(f"{ref!r} is not a name of a branch, tag or commit", hint=_FORM)
    folder = folder.strip("/")
    if ".." in folder.split("/"):
        raise SourceError(f"{folder!r} leaves the repository", hint=_FORM)
    stem = url.rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git")
    return Repository(url=url, ref=ref, folder=folder, name=folder.rpartition("/")[2] or stem or "repository")

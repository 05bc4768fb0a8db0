"""Commands that install what no registry answers for: from an address, a foreign registry, or a file that was just fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from sluicegate.known import hosts
from sluicegate.known.hosts import Host
from sluicegate.vet.inspect.analyzers.purpose import common_host
from sluicegate.vet.inspect.analyzers.shflow.values import NONE, Tag
from sluicegate.vet.lazy import lazy, seldom

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall

_INSTALLS = frozenset({"install", "add", "i", "ci", "inject"})
_VERBS: dict[str, frozenset[str]] = {
    **dict.fromkeys("pip pip3 pipx uv npm pnpm yarn bun poetry pdm conda mamba gem apt apt-get dnf yum snap flatpak choco composer".split(), _INSTALLS),
    **dict.fromkeys(("npx", "bunx", "uvx", "cpanm", "apt-key", "add-apt-repository", "yum-config-manager"), frozenset()),
    "brew": frozenset({"install", "tap", "reinstall"}),
    "cargo": frozenset({"install", "add"}),
    "dotnet": frozenset({"install", "add-source", "source"}),
    "mix": frozenset({"archive.install", "escript.install"}),
    "helm": frozenset({"plugin"}),
    "luarocks": frozenset({"install"}),
    "dpkg": frozenset({"-i", "--install"}),
    "rpm": frozenset({"-i", "-U", "-ivh", "-Uvh", "--install", "--import", "--upgrade"}),
    "pacman": frozenset({"-U", "--upgrade"}),
    "zypper": frozenset({"install", "in", "addrepo", "ar"}),
    "apk": frozenset({"add"}),
    "installer": frozenset({"-pkg"}),
    **dict.fromkeys(("code", "cursor", "codium", "code-insiders", "windsurf"), frozenset({"--install-extension"})),
}  # fmt: skip
"""Installers, with the words of which one makes them install; where there are none, they always do."""
_MANAGED = ("config-manager", "source", "sources", "repository")
"""Words behind which an installer is told where to look from now on."""
COMMANDS = frozenset(_VERBS) | {"gpg", "tee"}
"""Commands of which ``foreign`` may say something."""

_INDEX = frozenset(
    "--index-url -i --extra-index-url --registry --find-links -f --default-index --index".split()
)
"""Options of pip and npm whose address has a rule of its own."""
_OF_INDEX = frozenset("pip pip3 pipx uv uvx npm pnpm yarn bun npx bunx".split())
_RUNNERS = frozenset({"npx", "bunx", "uvx"})
"""Those that install what is named first, and run it with the rest."""
_OF_RUNNERS = frozenset(
    "-p --package --from --with --python -c --index --default-index --registry --index-url --extra-index-url".split()
)
"""Their options that take a value."""
_ELSEWHERE = frozenset(
    "--proxy --https-proxy --trusted-host --cert --cafile --timeout --retries -o --option".split()
)
"""Options whose address is none that packages come from."""
_ADDRESS = lazy(r"(?:git\+)?(?:https?|git|ssh|ftp)://\S{4,400}|git@[\w.-]{4,100}:\S{2,200}")
_PINNED = lazy(r"@[0-9a-f]{40}\b|#[0-9a-f]{40}\b|#sha256=|--(?:require-hashes|checksum)")
_SOURCES = seldom(
    ("/etc/", "keyrings"),
    r"/etc/(?:apt/(?:sources\.list|trusted\.gpg)|yum\.repos\.d/|zypp/repos\.d/|apk/repositories)|/usr/share/keyrings/|/etc/apt/keyrings/",
)
"""Where a system keeps whom it takes packages from."""


def foreign(call: ShellCall, explains: Callable[[str], bool], held: Callable[[str], frozenset[Tag]]) -> str:
    """The address from which a command installs and that nothing explains; empty where there is none.

    ``held`` are the facts of a file.
    """
    if call.name in ("gpg", "tee"):
        return _key(call, explains)
    if not _installs(call):
        return ""
    return next((address for address in _addresses(call, held) if stranger(address, explains)), "")


def of_file(path: str, text: str, explains: Callable[[str], bool]) -> str:
    """The same of a file that names a system's sources of packages."""
    if not _SOURCES.search(path):
        return ""
    return next(
        (found[0] for found in _ADDRESS.finditer(text[: hosts.LONGEST]) if stranger(found[0], explains)), ""
    )


def stranger(address: str, explains: Callable[[str], bool]) -> bool:
    """Whether nobody answers for what comes from an address: no registry, no host of code, no vendor that the skill names."""
    url = address.removeprefix("git+")
    name = hosts.host_of(url)
    if not name or any(sign in name for sign in "$<{"):
        return False
    host = hosts.classify(url if "://" in url else f"https://{name}/")
    if url.startswith(("ssh://", "git://", "git@")):
        host = hosts.classify(f"https://{name}/")
    if host is Host.SUSPECT:
        return True
    return host is Host.UNKNOWN and not hosts.registry(name) and not common_host(name) and not explains(name)


def _installs(call: ShellCall) -> bool:
    verbs = _VERBS[call.name]
    words = call.words[1:8]
    return not verbs or not verbs.isdisjoint(words) or any(word in _MANAGED for word in words[:2])


def _addresses(call: ShellCall, held: Callable[[str], frozenset[Tag]]) -> Iterator[str]:
    """What is named by an address, and where the files that are named were fetched."""
    if _PINNED.search(" ".join(call.words)[: hosts.LONGEST]):
        return
    before = ""
    words = call.words
    for at, word in enumerate(words[1:], 1):
        if call.name in _RUNNERS and not word.startswith("-") and words[at - 1] not in _OF_RUNNERS:
            yield from _at(word)
            return  # what follows is said to the program, and not to the installer
        option, _, attached = word.partition("=")
        skip = call.name in _OF_INDEX and (before in _INDEX or (option in _INDEX and attached))
        before = word
        if skip or option in _ELSEWHERE or words[at - 1] in _ELSEWHERE:
            continue
        yield from _at(word)
        tags = call.facts.get(at, NONE) | (held(word) if word[0:1] not in "-" else NONE)
        yield from (tag.what for tag in sorted(tags) if tag.kind == "remote")
    yield from (tag.what for tag in sorted(call.stdin) if tag.kind == "remote" and call.name == "apt-key")


def _at(word: str) -> Iterator[str]:
    found = _ADDRESS.search(word)
    if found is not None:
        yield found[0].rstrip("'\",)")


def _key(call: ShellCall, explains: Callable[[str], bool]) -> str:
    """A key by which packages are trusted from now on, or a list of sources, that comes through a pipe."""
    words: Sequence[str] = call.words
    if not any(_SOURCES.search(word) for word in words):
        return ""
    return next(
        (tag.what for tag in sorted(call.stdin) if tag.kind == "remote" and stranger(tag.what, explains)), ""
    )

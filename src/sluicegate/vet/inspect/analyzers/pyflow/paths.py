"""What the shape of a path or of a command tells: in a home folder, over all of it, a download that is run."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_HOME = lazy(r"^(?:~|/home|/Users|/root)(?:/|$)|^[A-Z]:/Users(?:/|$)")
_PUBLIC = lazy(r"(?:^|/)(?:Downloads|Desktop|Documents|Pictures)(?:/|$)")


def in_home(path: str) -> bool:
    """Whether the path is the home folder or inside it."""
    return _HOME.search(path) is not None


def everywhere(path: str) -> bool:
    """Whether a walk of this pattern covers a home folder, one of its great folders, or the whole disk."""
    if "*" not in path:
        return path in ("/", "~", "/home", "/Users", "/root", "C:/", "~/", "/*")
    fixed = path[: path.index("*")].rstrip("/")
    if fixed in ("", "/") and path.startswith("/"):
        return True
    rest = (
        re.sub(r"^(?:~|/root|/(?:home|Users)(?:/[^/]+)?|C:(?:/Users(?:/[^/]+)?)?)", "", fixed, count=1)
        if in_home(fixed) or fixed == "C:"
        else None
    )
    return rest is not None and (
        not rest.strip("/") or (_PUBLIC.match(rest) is not None and rest.count("/") <= 1)
    )


_DOWNLOAD = ("curl ", "wget ", "iwr ", "irm ", "invoke-webrequest ", "invoke-restmethod ")
_INSTALLERS = (
    "astral.sh", "sh.rustup.rs", "bun.sh", "deno.land", "get.docker.com", "install.python-poetry.org",
    "nvm-sh/nvm", "Homebrew/install",
    "get.pnpm.io", "ollama.com/install.sh", "cli.github.com", "deb.nodesource.com", "bootstrap.pypa.io",
    "fnm.vercel.app", "starship.rs",
)  # fmt: skip


def pipes_download_to_shell(command: str) -> bool:
    """Whether a command line fetches something and hands it to an interpreter."""
    low = command.lower()
    if not any(word in low for word in _DOWNLOAD):
        return False
    first = min(at for word in _DOWNLOAD if (at := low.find(word)) != -1)
    for stage in low[first:].split("|")[1:]:
        words = stage.replace("sudo ", "", 1).split()
        if words and words[0].rpartition("/")[2] in (
            "sh",
            "bash",
            "zsh",
            "dash",
            "python",
            "python3",
            "node",
            "perl",
            "ruby",
            "iex",
            "php",
        ):
            return True
    return ("$(curl" in low or "$(wget" in low) and ("-c" in low or "eval" in low)


def well_known_installer(command: str) -> bool:
    """Whether the command is the documented way to install a widely used tool."""
    return any(name in command for name in _INSTALLERS)

"""Files that a command gets as its own settings or steps by an option: ``make -f notes.txt``, ``curl -K req``, ``ssh -F hosts``.

Each is read under the name that such a file has where it needs no option, whatever it is called.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_PATH = r"[\"']?([\w.$~{}/-]{1,200})"


class _Option(NamedTuple):
    """What stands in every command of the kind, how it names the file, and the usual name of such a file."""

    word: str
    names: re.Pattern[str]
    usual: str


def _option(word: str, commands: str, options: str, usual: str) -> _Option:
    return _Option(word, lazy(rf"\b(?:{commands})\b[^\n;|&]{{0,200}}?[ \t](?:{options}){_PATH}"), usual)


_OPTIONS = (
    _option("make", "g?make", r"-f[ \t]*|--(?:make)?file[= ]", "makefile"),
    _option("just", "just", r"-f[ \t]*|--justfile[= ]", "justfile"),
    _option("build", r"(?:docker|podman|buildah|nerdctl)[ \t](?:buildx[ \t])?(?:build|bud)", r"-f[ \t]*|--file[= ]", "dockerfile"),
    _option("compose", r"(?:docker|podman)[- ]compose", r"-f[ \t]*|--file[= ]", "compose.yml"),
    _option("ansible", "ansible-playbook", r"(?<=ansible-playbook )|-[iK] \S{1,80} ", "playbook.yml"),
    _option("task", "task", r"-t[ \t]*|--taskfile[= ]", "taskfile.yml"),
    _option("ssh", "ssh|autossh", r"-F[ \t]*", "ssh_config"),
    _option("include.path", "git", r"(?:-c[ \t])?include\.path[= \t]", ".gitconfig"),
    _Option("GIT_CONFIG_", lazy(rf"\bGIT_CONFIG_(?:GLOBAL|SYSTEM)={_PATH}"), ".gitconfig"),
    _option("tmux", "tmux", r"-f[ \t]*|source(?:-file)?[ \t]", ".tmux.conf"),
    _option("psql", "psql", r"-f[ \t]*|--file[= ]", ".psqlrc"),
    _option("vi", "n?vim?|view", r"-[uS][ \t]*", ".vimrc"),
    _option("awk", "g?awk", r"-f[ \t]*|--file[= ]", "a.awk"),
    _option("curl", "curl", r"-[A-Za-z]*K[ \t]*|--config[= ]", ".curlrc"),
    _option("parallel", "parallel", r"-a[ \t]*|--arg-file[= ]|::::[ \t]*", "a.sh"),
    _Option("crontab", lazy(rf"\bcrontab[ \t](?:-u[ \t]\S{{1,40}}[ \t])?{_PATH}"), "crontab"),
)  # fmt: skip
_INCLUDED = lazy(r"(?m)^[-s]?include[ \t]++([\w./-]{1,200})")


def named_as(view: View) -> Iterator[tuple[str, str]]:
    """The names of files that the commands of a text get so, each with the usual name of such a file."""
    text = view.text
    if view.language is Kind.SHELL:
        yield from named_in(text)
    elif view.language is Kind.MAKEFILE and "include" in text:
        for found in _INCLUDED.finditer(text):
            yield posixpath.basename(found[1]), "makefile"


def named_in(text: str) -> Iterator[tuple[str, str]]:
    """The same of a text in the language of a shell."""
    for option in _OPTIONS:
        for found in option.names.finditer(text) if option.word in text else ():
            yield posixpath.basename(found[1]), option.usual

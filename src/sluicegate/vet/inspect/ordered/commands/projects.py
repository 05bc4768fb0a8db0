"""Programs of the user's project, by their names and by the commands that take them: what a skill need not have.

A command that names a program which the skill does not have leaves a gap, in whatever form it stands. These are the
exceptions. The names are those that the tools of a language prescribe, or that every manual gives the reader's own
program; the commands are those that are given files of a project to test, format or serve.
"""

from __future__ import annotations

from collections.abc import Sequence

from sluicegate.vet.lazy import lazy

_NAMES = frozenset(
    "manage.py conftest.py noxfile.py fabfile.py main.py app.py server.py train.py wsgi.py asgi.py app.r server.r ui.r "
    "index.js main.js app.js server.js index.ts main.ts app.ts server.ts index.mjs main.mjs app.mjs server.mjs "
    "index.php artisan main.go main.rb app.rb config.ru main.lua main.jl main.swift main.r main.m "
    "gradlew gradlew.bat mvnw mvnw.cmd configure config.status autogen.sh bootstrap.sh buildout.cfg rails rake spring console phpunit "
    "a.out test.sh program prog binary executable target".split()
)  # fmt: skip
_SETTINGS = lazy(r"^(?:\.env[\w.-]{0,40}|\.envrc|[\w.-]{0,40}\.(?:env|conf|cfg|ini|rc))$")
"""What shells read as settings of a project."""
_TESTS = lazy(r"\.(?:test|spec|stories|config|conf)\.[cm]?[jt]sx?$")
_OF_SETUPTOOLS = frozenset(
    "install develop build build_ext build_py sdist bdist_wheel bdist check test clean egg_info upload register --version --name --help".split()
)
"""What tells the ``setup.py`` of a package from a program of that name."""
TAKERS = frozenset(
    "npx bunx uvx pnpm yarn npm cargo pytest py.test playwright cypress behave robot celery gunicorn flask".split()
)
"""Commands that are given files of a project: to test, format or serve them."""
_READS = frozenset({"source", "."})
_OF_GIT = frozenset({"git-sh-setup", "git-sh-i18n", "git-parse-remote", "git-mergetool--lib"})
"""What git installs for scripts to read by name: the samples of hooks that ``git init`` leaves do so."""


def of_project(path: str, words: Sequence[str]) -> bool:
    """Whether a program that a command of these words names is taken for one of the user's project."""
    name = path[path.rfind("/") + 1 :].lower()
    if len(name) == 1 and path in (name, f"./{name}"):
        return True
    if name == "setup.py":
        return not _OF_SETUPTOOLS.isdisjoint(words)
    if name in _NAMES or _TESTS.search(name) is not None:
        return True
    return bool(words) and words[0] in _READS and (path in _OF_GIT or _SETTINGS.match(name) is not None)

"""Package managers, runners and interpreters, and what of a skill they run: what ``own_code`` asks of a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sluicegate.vet.intake.bundle import Kind

PACKAGES = frozenset(
    "npm pnpm yarn bun turbo nx lerna npm-run-all npm-run-all2 run-s run-p concurrently wireit ni nr corepack".split()
)
"""Programs that run scripts of a package.json."""
ALWAYS: Mapping[str, tuple[str, ...]] = {
    "yarn": (".yarnrc.yml", ".yarnrc"),
    "pnpm": (".pnpmfile.cjs", "pnpmfile.js"),
}
"""Files of code that they load at each call."""
_INSTALLING = frozenset("install i ci add update up it cit install-test dedupe rebuild link".split())
_ON_INSTALL = ("preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare")
_PUBLISHING = frozenset({"publish", "pack", "version"})
_ON_PUBLISH = (
    "prepublish",
    "prepublishOnly",
    "prepack",
    "postpack",
    "prepare",
    "preversion",
    "version",
    "postversion",
    "publish",
)
_SHORT = {"t": "test", "tst": "test", "it": "test", "cit": "test", "install-test": "test"}


def scripts_asked(name: str, rest: Sequence[str]) -> set[str]:
    """The names of scripts that a command of a package manager runs, of those that there may be."""
    words = {
        word.removeprefix("npm:").removeprefix("workspace:") for word in rest if not word.startswith("-")
    }
    asked = words | {_SHORT[word] for word in words if word in _SHORT}
    if asked & _INSTALLING or (not asked and name in ("yarn", "pnpm", "ni")):
        asked.update(_ON_INSTALL)
    if asked & _PUBLISHING:
        asked.update(_ON_PUBLISH)
    return asked | {f"{when}{word}" for word in asked for when in ("pre", "post")}


RUNNERS = frozenset(
    "npx pnpx bunx npm pnpm yarn bun corepack uv uvx poetry pdm hatch rye pipenv pipx pixi conda mamba micromamba bundle mise devbox "
    "direnv dotenv dotenvx doppler op infisical cross-env nix nix-shell watch watchexec entr parallel xargs concurrently rlwrap "
    "coverage composer docker deno poe taskipy dune opam stack cabal".split()
)
"""Programs that start another one that stands among their arguments, or a script of a project file."""
CONFIGURED = tuple(
    f"{form}.{suffix}"
    for form in ("{}.config", ".{}rc", "{}file")
    for suffix in ("js", "cjs", "mjs", "ts", "mts", "cts")
)
"""How the settings of programs are called that are code, by the program's name."""
LOADED: Mapping[str, tuple[str, ...]] = {
    "ng": ("angular.json",),
    "husky": (".huskyrc.js",),
    "husky-run": (".huskyrc.js",),
}
INTERPRETERS: Mapping[str, Kind] = {
    **dict.fromkeys(("python", "pypy", "ipython"), Kind.PYTHON), **dict.fromkeys(("node", "nodejs", "deno", "bun"), Kind.JAVASCRIPT),
    **dict.fromkeys(("tsx", "ts-node"), Kind.TYPESCRIPT), "ruby": Kind.RUBY, "perl": Kind.PERL, "php": Kind.PHP, "lua": Kind.LUA,
}  # fmt: skip
"""By their names without a version."""
_FETCHING: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("npx", "pnpx", "bunx", "uvx"), frozenset()), "npm": frozenset({"exec", "x", "init", "create"}),
    **dict.fromkeys(("pnpm", "yarn", "bun"), frozenset({"dlx", "x", "create"})), "pipx": frozenset({"run"}), "uv": frozenset({"tool"}),
}  # fmt: skip
"""Programs that fetch a package and run it, and the subcommands by which they do; none where they always do."""
_STAYS = frozenset({"--no-install", "--no", "--offline", "--help", "--version"})


def fetches_package(words: Sequence[str]) -> bool:
    """Whether a command fetches a package, where it is not there yet, and runs it."""
    name = words[0].rpartition("/")[2].lower().removesuffix(".cmd") if words else ""
    wanted = _FETCHING.get(name)
    if wanted is None or not _STAYS.isdisjoint(words):
        return False
    return not wanted.isdisjoint(words[1:3]) if wanted else len(words) > 1

"""Programs that run what a file beside them says, and which file that is: what ``own_code`` asks of a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.bundle import Kind


class RecipeReader(NamedTuple):
    """The files that say what a program runs, in lower case; ``when``: the subcommands of which one must be given, if any;
    ``idle``: those that run nothing."""

    files: tuple[str, ...]
    when: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()


def _tool(names: str, files: str, when: str = "", idle: str = "") -> dict[str, RecipeReader]:
    tool = RecipeReader(tuple(files.split()), frozenset(when.split()), frozenset(idle.split()))
    return dict.fromkeys(names.split(), tool)


_COMPOSE = "docker-compose.yml docker-compose.yaml compose.yml compose.yaml docker-compose.*.yml"
_STARTING = "up run build create start restart watch"
_PROJECT = "setup.py setup.cfg pyproject.toml"
READ: Mapping[str, RecipeReader] = {
    **_tool("make gmake bmake mingw32-make", "makefile gnumakefile bsdmakefile *.mk"),
    **_tool("just", "justfile .justfile"), **_tool("task go-task", "taskfile.yml taskfile.yaml taskfile.dist.yml taskfile.dist.yaml"),
    **_tool("rake", "rakefile rakefile.rb"), **_tool("invoke inv", "tasks.py"), **_tool("fab", "fabfile.py"), **_tool("doit", "dodo.py"),
    **_tool("nox", "noxfile.py"), **_tool("scons", "sconstruct"), **_tool("tox", f"tox.ini {_PROJECT}"),
    **_tool("pytest py.test", "conftest.py test_*.py *_test.py pytest.ini tox.ini pyproject.toml"),
    **_tool("unittest", "test*.py"), **_tool("pyproject-build", _PROJECT),
    **_tool("pip pip3", _PROJECT, when=". ./ ./. .[dev] .[test] .[all]"),
    **_tool("uv", _PROJECT, when="run sync build"), **_tool("poetry pdm hatch rye flit", _PROJECT, when="install build sync run test env"),
    **_tool("cargo", "cargo.toml build.rs", idle="fmt add remove rm search login logout owner update fetch tree metadata version help new init yank info"),
    **_tool("go", "*.go", when="run test generate tool install"),
    **_tool("docker-compose podman-compose", _COMPOSE, when=_STARTING),
    **_tool("docker podman nerdctl buildah earthly", "dockerfile containerfile earthfile dockerfile.*", when="build buildx bake bud +all"),
    **_tool("pre-commit prek", ".pre-commit-config.yaml", when="run try-repo"), **_tool("lefthook", "lefthook.yml lefthook.yaml", when="run"),
    **_tool("gradle gradlew", "build.gradle build.gradle.kts settings.gradle settings.gradle.kts"), **_tool("mvn mvnw mvnd", "pom.xml"),
    **_tool("ant", "build.xml"), **_tool("sbt", "build.sbt"), **_tool("bazel bazelisk", "build build.bazel workspace module.bazel", idle="version help"),
    **_tool("cmake ctest", "cmakelists.txt *.cmake"), **_tool("ninja", "build.ninja"), **_tool("meson", "meson.build"),
    **_tool("dotnet msbuild", "*.csproj *.fsproj *.sln directory.build.props directory.build.targets", idle="format --info tool new"),
    **_tool("swift", "package.swift", when="run build test package"), **_tool("zig", "build.zig", when="build"), **_tool("mix", "mix.exs", idle="format"),
    **_tool("stack cabal", "*.cabal setup.hs"), **_tool("nix nix-shell nix-build", "flake.nix shell.nix default.nix"),
    **_tool("vagrant", "vagrantfile", when="up provision reload"), **_tool("tilt", "tiltfile"), **_tool("terraform tofu", "*.tf", when="apply plan init destroy"),
    **_tool("mise", "mise.toml .mise.toml", when="run x exec watch r"), **_tool("devbox", "devbox.json", when="run shell"),
    **_tool("direnv", ".envrc", when="allow exec reload"), **_tool("composer", "composer.json", when="install update run run-script exec"),
    **_tool("snakemake", "snakefile"), **_tool("ansible-playbook packer act", ""), **_tool("nx", "project.json nx.json"),
}  # fmt: skip
"""By the name of the program. A command that names another file of the skill for it counts, too."""

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

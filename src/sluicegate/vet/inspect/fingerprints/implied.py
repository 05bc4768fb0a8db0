"""Files that a text names without their names: what a tool reads by itself, what a folder stands for, what is imported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.lazy import lazy

_NODE = ("package.json",)
_MAKE = ("makefile", "gnumakefile")
_COMPOSED = ("docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml")
_IMAGES = ("dockerfile", "containerfile", *_COMPOSED)
_GRADLE = ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
_PYTHON = ("setup.py", "setup.cfg", "pyproject.toml")
_TOOLS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("npm", "yarn", "pnpm", "bun", "npx"), (*_NODE, ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "bunfig.toml")),
    **dict.fromkeys(("make", "gmake"), _MAKE),
    **dict.fromkeys(("docker", "podman", "buildah", "nerdctl"), _IMAGES),
    **dict.fromkeys(("docker-compose", "podman-compose"), (*_COMPOSED, ".env")),
    "compose": (".env",),
    **dict.fromkeys(("pip", "pip3", "pipx", "build", "poetry", "hatch", "pdm"), (*_PYTHON, "requirements.txt", "pip.conf", "poetry.toml")),
    "uv": (*_PYTHON, "uv.toml", "pip.conf"),
    "pytest": ("conftest.py", "pytest.ini", "tox.ini", *_PYTHON),
    "tox": ("tox.ini", *_PYTHON),
    "nox": ("noxfile.py",),
    "invoke": ("tasks.py",),
    "fab": ("fabfile.py",),
    "scons": ("sconstruct",),
    "just": ("justfile", ".justfile"),
    "task": ("taskfile.yml", "taskfile.yaml"),
    "cargo": ("cargo.toml", "build.rs", "config.toml"),
    "go": ("go.mod",),
    **dict.fromkeys(("rake", "bundle", "bundler"), ("rakefile", "gemfile")),
    **dict.fromkeys(("gradle", "gradlew"), (*_GRADLE, "gradle-wrapper.properties")),
    **dict.fromkeys(("mvn", "mvnw"), ("pom.xml", "maven-wrapper.properties")),
    **dict.fromkeys(("cmake", "ctest"), ("cmakelists.txt",)),
    "vagrant": ("vagrantfile",),
    "pre-commit": (".pre-commit-config.yaml",),
    "lefthook": ("lefthook.yml", "lefthook.yaml"),
    "ansible-playbook": ("ansible.cfg",),
    "serverless": ("serverless.yml",),
    "aws": ("config", "credentials"),
    "rclone": ("rclone.conf",),
    "mc": ("config.json",),
    "s3cmd": (".s3cfg",),
    "curl": (".curlrc", "_curlrc", ".netrc"),
    "wget": (".wgetrc", "wgetrc", ".netrc"),
    "aria2c": ("aria2.conf",),
    "yt-dlp": ("yt-dlp.conf",),
    **dict.fromkeys(("ssh", "scp", "sftp", "rsync", "sshfs"), ("config", "ssh_config")),
    **dict.fromkeys(("ftp", "lftp", "heroku"), (".netrc", ".lftprc", "rc")),
    "git": (".gitconfig", "gitconfig", "config", ".gitmodules"),
    "gh": ("hosts.yml", "config.yml"),
    **dict.fromkeys(("kubectl", "k9s", "oc"), ("config", "kubeconfig", "kubeconfig.yaml")),
    "helm": ("repositories.yaml", "values.yaml", "chart.yaml"),
    **dict.fromkeys(("terraform", "tofu", "terragrunt"), ("main.tf", "terraform.tfvars", ".terraformrc", "terragrunt.hcl")),
    **dict.fromkeys(("psql", "pg_dump"), (".pgpass", ".psqlrc", "pg_service.conf")),
    **dict.fromkeys(("mysql", "mysqldump", "mariadb"), (".my.cnf", "my.cnf")),
    **dict.fromkeys(("msmtp", "sendmail"), (".msmtprc", "msmtprc")),
    **dict.fromkeys(("mutt", "neomutt"), (".muttrc", "muttrc")),
    **dict.fromkeys(("restic", "borg", "borgmatic"), ("config.yaml", "borgmatic.yaml")),
    "duck": ("default.duckrc",),
    **dict.fromkeys(("vim", "nvim", "ex"), (".vimrc", ".exrc", "init.lua", "init.vim")),
    "emacs": (".emacs", "init.el"),
    "tmux": (".tmux.conf", "tmux.conf"),
    "gdb": (".gdbinit",),
    "bash": (".bashrc", ".bash_profile", ".profile"),
    "zsh": (".zshrc", ".zshenv", ".zprofile"),
    "dotenv": (".env",),
    "load_dotenv": (".env",),
    "direnv": (".envrc",),
    "env_file": (".env",),
}  # fmt: skip
"""What a program reads when it is told nothing; names of files in lower case."""
_BESIDE: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_COMPOSED, (".env",)),
    "tasks.json": ("settings.json", "launch.json"),
    "launch.json": ("settings.json", "tasks.json"),
}
"""What is read together with a file of this name."""
_STANDS_FOR = frozenset({
    *_NODE, *_MAKE, *_IMAGES, *_PYTHON, "action.yml", "action.yaml", "index.js", "index.mjs", "index.cjs", "index.ts", "__init__.py",
    "__main__.py", "main.py", "mod.rs", "build.rs", "cargo.toml", "cmakelists.txt", "chart.yaml", "main.tf", "kustomization.yaml",
})  # fmt: skip
"""What a folder stands for where a program is given the folder."""
_IMPORTS = lazy(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]*(\([^)]{0,4000}\)|[^\n]*)|import[ \t]+([^\n]*))",
    re.MULTILINE,
)
_AT_RUN_TIME = ("import_module", "__import__", "runpy", "exec_module", "spec_from", "require", "import")
_QUOTED = lazy(r"['\"`]([\w@.~/-]{1,200})['\"`]")
_PART = lazy(r"[\w-]+")


def read_by_tools(words: Set[str], name: str) -> set[str]:
    """Names of files that the programs among these words read by themselves, and those that go with a file of this name."""
    found = {file for word in words & _TOOLS.keys() for file in _TOOLS[word]}
    return found.union(_BESIDE.get(name.casefold(), ()))


def folders(text: str, words: Set[str]) -> set[str]:
    """Which of these words, in lower case, a text names as folders: ``./sub``, ``sub/``, ``make -C sub``."""
    if not words:
        return set()
    low = text.casefold()
    return {
        word for word in words
        if re.search(rf"(?:[/\\]|-c\s*|--directory[= ]){re.escape(word)}(?![\w-])|(?<![\w-]){re.escape(word)}/(?!\w)", low)
    }  # fmt: skip


def stands_for_folder(name: str) -> bool:
    """Whether a file of this name is what is read where its folder is named."""
    return name.casefold() in _STANDS_FOR


def imported(text: str, language: Kind) -> Iterator[str]:
    """The stems under which a program may import others of the bundle; many mean nothing in it."""
    if language is Kind.PYTHON:
        for module, names, plain in _IMPORTS.findall(text):
            yield from _parts((module, names, plain))
    if any(word in text for word in _AT_RUN_TIME):
        quoted = _QUOTED.findall(text)
        yield from _parts(quoted)


def _parts(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from _PART.findall(text.casefold())

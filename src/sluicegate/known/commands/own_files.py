"""The files that a program reads unasked where it is called: those that say what it runs, and its settings.

Names are in lower case; a star stands for anything at the beginning or the end of one.
"""

from __future__ import annotations

from collections.abc import Mapping

from sluicegate.tuples import NamedTuple


class OwnFiles(NamedTuple):
    """What one program reads unasked. It runs what ``runs`` say where a subcommand of ``when`` is given, if any are named
    there, and none of ``idle``; with None it runs nothing of its own."""

    runs: tuple[str, ...] | None
    settings: tuple[str, ...] = ()
    when: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()

    @property
    def every(self) -> tuple[str, ...]:
        """All that it reads."""
        return (*(self.runs or ()), *self.settings)


def _tool(
    names: str, runs: str, settings: str = "", *, when: str = "", idle: str = ""
) -> dict[str, OwnFiles]:
    of = OwnFiles(
        tuple(runs.split()), tuple(settings.split()), frozenset(when.split()), frozenset(idle.split())
    )
    return dict.fromkeys(names.split(), of)


def _set(names: str, settings: str) -> dict[str, OwnFiles]:
    return dict.fromkeys(names.split(), OwnFiles(None, tuple(settings.split())))


COMPOSED = "docker-compose.yml docker-compose.yaml compose.yml compose.yaml"
"""What describes services."""
_COMPOSE = f"{COMPOSED} docker-compose.*.yml"
_STARTING = "up run build create start restart watch"
_PROJECT = "setup.py setup.cfg pyproject.toml"
OWN_FILES: Mapping[str, OwnFiles] = {
    **_tool("make gmake bmake mingw32-make", "makefile gnumakefile bsdmakefile *.mk"),
    **_tool("just", "justfile .justfile"), **_tool("task go-task", "taskfile.yml taskfile.yaml taskfile.dist.yml taskfile.dist.yaml"),
    **_tool("rake", "rakefile rakefile.rb", "gemfile"), **_tool("invoke inv", "tasks.py"), **_tool("fab", "fabfile.py"), **_tool("doit", "dodo.py"),
    **_tool("nox", "noxfile.py"), **_tool("scons", "sconstruct"), **_tool("tox", f"tox.ini {_PROJECT}"),
    **_tool("pytest py.test", "conftest.py test_*.py *_test.py pytest.ini tox.ini pyproject.toml", "setup.py setup.cfg"),
    **_tool("unittest", "test*.py"), **_tool("pyproject-build", _PROJECT),
    **_tool("pip pip3", _PROJECT, "requirements.txt pip.conf", when=". ./ ./. .[dev] .[test] .[all]"),
    **_tool("uv", _PROJECT, "uv.toml pip.conf", when="run sync build"),
    **_tool("poetry pdm hatch rye flit", _PROJECT, "requirements.txt pip.conf poetry.toml", when="install build sync run test env"),
    **_tool("cargo", "cargo.toml build.rs", "config.toml", idle="fmt add remove rm search login logout owner update fetch tree metadata version help new init yank info"),
    **_tool("go", "*.go", "go.mod", when="run test generate tool install"),
    **_tool("docker-compose podman-compose", _COMPOSE, ".env", when=_STARTING),
    **_tool("docker podman nerdctl buildah earthly", "dockerfile containerfile earthfile dockerfile.*", COMPOSED, when="build buildx bake bud +all"),
    **_tool("pre-commit prek", ".pre-commit-config.yaml", when="run try-repo"), **_tool("lefthook", "lefthook.yml lefthook.yaml", when="run"),
    **_tool("gradle gradlew", "build.gradle build.gradle.kts settings.gradle settings.gradle.kts", "gradle-wrapper.properties"),
    **_tool("mvn mvnw mvnd", "pom.xml", "maven-wrapper.properties"),
    **_tool("ant", "build.xml"), **_tool("sbt", "build.sbt"), **_tool("bazel bazelisk", "build build.bazel workspace module.bazel", idle="version help"),
    **_tool("cmake ctest", "cmakelists.txt *.cmake"), **_tool("ninja", "build.ninja"), **_tool("meson", "meson.build"),
    **_tool("dotnet msbuild", "*.csproj *.fsproj *.sln directory.build.props directory.build.targets", idle="format --info tool new"),
    **_tool("swift", "package.swift", when="run build test package"), **_tool("zig", "build.zig", when="build"), **_tool("mix", "mix.exs", idle="format"),
    **_tool("stack cabal", "*.cabal setup.hs"), **_tool("nix nix-shell nix-build", "flake.nix shell.nix default.nix"),
    **_tool("vagrant", "vagrantfile", when="up provision reload"), **_tool("tilt", "tiltfile"),
    **_tool("terraform tofu", "*.tf", "terraform.tfvars .terraformrc", when="apply plan init destroy"),
    **_tool("mise", "mise.toml .mise.toml", when="run x exec watch r"), **_tool("devbox", "devbox.json", when="run shell"),
    **_tool("direnv", ".envrc", when="allow exec reload"), **_tool("composer", "composer.json", when="install update run run-script exec"),
    **_tool("snakemake", "snakefile"), **_tool("ansible-playbook", "", "ansible.cfg"), **_tool("packer act", ""), **_tool("nx", "project.json nx.json"),
    **_set("npm yarn pnpm bun npx", "package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs bunfig.toml"),
    **_set("compose dotenv load_dotenv env_file", ".env"), **_set("pipx build", f"{_PROJECT} requirements.txt pip.conf poetry.toml"),
    **_set("bundle bundler", "rakefile gemfile"), **_set("terragrunt", "main.tf terraform.tfvars .terraformrc terragrunt.hcl"),
    **_set("serverless", "serverless.yml"), **_set("aws", "config credentials"), **_set("rclone", "rclone.conf"), **_set("mc", "config.json"),
    **_set("s3cmd", ".s3cfg"), **_set("curl", ".curlrc _curlrc .netrc"), **_set("wget", ".wgetrc wgetrc .netrc"), **_set("aria2c", "aria2.conf"),
    **_set("yt-dlp", "yt-dlp.conf"), **_set("ssh scp sftp rsync sshfs", "config ssh_config"), **_set("ftp lftp heroku", ".netrc .lftprc rc"),
    **_set("git", ".gitconfig gitconfig config .gitmodules"), **_set("gh", "hosts.yml config.yml"),
    **_set("kubectl k9s oc", "config kubeconfig kubeconfig.yaml"), **_set("helm", "repositories.yaml values.yaml chart.yaml"),
    **_set("psql pg_dump", ".pgpass .psqlrc pg_service.conf"), **_set("mysql mysqldump mariadb", ".my.cnf my.cnf"),
    **_set("msmtp sendmail", ".msmtprc msmtprc"), **_set("mutt neomutt", ".muttrc muttrc"), **_set("duck", "default.duckrc"),
    **_set("restic borg borgmatic", "config.yaml borgmatic.yaml"), **_set("vim nvim ex", ".vimrc .exrc init.lua init.vim"),
    **_set("emacs", ".emacs init.el"), **_set("tmux", ".tmux.conf tmux.conf"), **_set("gdb", ".gdbinit"),
    **_set("bash", ".bashrc .bash_profile .profile"), **_set("zsh", ".zshrc .zshenv .zprofile"),
}  # fmt: skip
"""By the name of the program, or the word that has the same done."""

KEEPERS = frozenset(
    "npm npx pnpm pnpx yarn bun bunx bundle bundler pipx hg svn fossil bzr jj cvs darcs restic borg rclone rdiff-backup duplicity "
    "dvc fd fdfind fzf ctags global locate latexmk".split()
)
"""Programs that read what no argument names: packages with their scripts, repositories, copies that they keep, whatever lies where
they stand."""

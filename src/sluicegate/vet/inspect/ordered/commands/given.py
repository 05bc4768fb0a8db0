"""Programs that a command is told to run, in the value of an option or of a setting: ``tar -I``, ``rsync -e``, ``git config``.

What a table does not know is taken by its form: a shell script among the words of a command that neither reads nor
edits files is there for being run.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from sluicegate.vet.lazy import lazy

_SSH = ("-o",)
_TAR = (
    "-I",
    "--use-compress-program",
    "--to-command",
    "--checkpoint-action",
    "-F",
    "--info-script",
    "--new-volume-script",
    "--rsh-command",
    "--rmt-command",
)
_SCRIPT_SHELL = ("--script-shell", "script-shell")
OPTIONS = {
    **dict.fromkeys(("tar", "bsdtar", "gtar"), _TAR), "zip": ("-TT", "--unzip-command"), "rsync": ("-e", "--rsh", "--rsync-path"),
    **dict.fromkeys(("ssh", "autossh", "sshfs"), _SSH), "scp": ("-o", "-S"), "sftp": ("-o", "-S"), "sort": ("--compress-program",),
    "split": ("--filter",), "man": ("-P", "--pager", "-H"), "less": ("-k", "--lesskey-src", "--lesskey-file"), "wget": ("--use-askpass",),
    **dict.fromkeys(("npm", "pnpm", "yarn"), _SCRIPT_SHELL), **dict.fromkeys(("mapfile", "readarray"), ("-C",)), "complete": ("-C",),
    "compgen": ("-C",), "enable": ("-f",), "hash": ("-p",), "bind": ("-x",), **dict.fromkeys(("gcc", "g++", "clang", "cc"), ("-wrapper", "-fplugin")),
    **dict.fromkeys(("docker", "podman", "nerdctl"), ("--entrypoint",)), "nmap": ("--script",), "openssl": ("-engine", "-provider-path"),
    "lldb": ("-s", "--source", "-S", "--source-before-file"), **dict.fromkeys(("bpftrace", "dtrace", "stap"), ("-s",)),
    "frida": ("-l", "--load"), "jupyter": ("--execute",),  "fzf": ("--preview", "--bind"), "make": ("SHELL",), "gmake": ("SHELL",), "claude": ("--plugin-dir",),
}  # fmt: skip
"""Commands, and the options whose value is a command line or a file that they run."""
_COMMAND_OF_SSH = lazy(r"[A-Za-z]*Command[= ]")
_BEFORE = lazy(
    r"^(?:exec=|[A-Za-z]*(?:Proxy|Local|KnownHosts)Command[= ]|\"?[^\"\s]{1,12}\"?:\s*|execute(?:-silent)?\(|[|!@])+",
)
"""What stands before the command in the value of an option: ``checkpoint-action=exec=``, ``ProxyCommand=``, a key of a shell."""
_SCRIPT = lazy(r"^(?:[\w-]+[=:@|])?((?:[\w.-]{1,80}|\.{0,2})/[\w./-]{0,200}\.(?:sh|bash|zsh|ksh|command))$")
_SUFFIXES = (".sh", ".bash", ".zsh", ".ksh", ".command")
_WRITES_TO = frozenset({"-o", "--out", "--output", "--outfile", "--output-file", ">", "-w", "--write"})
_TAKE_SCRIPTS = frozenset(
    "cat tac bat less more most head tail nl od xxd hexdump file stat ls tree du wc md5sum sha1sum sha256sum sha512sum shasum b2sum cksum diff cmp comm"
    " sdiff colordiff cp mv rm ln mkdir rmdir touch install chmod chown chgrp tee dd truncate shred rsync scp sftp tar zip unzip gzip gunzip bzip2 xz zstd 7z"
    " curl wget aria2c grep egrep fgrep rg ag ack sed awk gawk cut sort uniq tr column jq yq vi vim nvim nano emacs code cursor micro ed pico gedit subl open"
    " shellcheck shfmt checkbashisms beautysh bashate shellharden pygmentize glow markdownlint prettier eslint ruff black flake8 semgrep gitleaks trivy codespell"
    " git gh glab hg svn echo printf print test [ [[ true false : export local read return exit set unset shift alias unalias type which command-v hash whereis"
    " realpath readlink dirname basename find fd locate dos2unix unix2dos iconv patch ctags cscope wl-copy xclip pbcopy aws gsutil gcloud az s3cmd rclone"
    " docker podman kubectl oc npm npx pip uv cargo go bats shellspec kcov bashcov docker-compose for case if elif while until cd pushd function select"
    " base64 openssl gpg cosign minisign sha3sum strings nm objdump ldd upx envsubst m4 dpkg-deb fpm make cmake brew apt apt-get dnf apk pacman ansible source sluicegate".split()
)
"""Commands that are given shell scripts to show, move, edit, test or keep, or that are read elsewhere."""


def given_lines(name: str, words: Sequence[str]) -> Iterator[str]:
    """The command lines that the options of a command tell it to run; ``words`` stand behind its name."""
    for option in OPTIONS.get(name, ()):
        for place, word in enumerate(words):
            value = ""
            if word == option and place + 1 < len(words):
                value = words[place + 1]
            elif word.startswith(f"{option}="):
                value = word[len(option) + 1 :]
            if value and (option != "-o" or _COMMAND_OF_SSH.match(value) is not None):
                yield _BEFORE.sub("", value).rstrip(")")


def given_scripts(name: str, words: Sequence[str]) -> Iterator[str]:
    """The shell scripts among the words of a command that has no other use for one than to run it."""
    if name in _TAKE_SCRIPTS:
        return
    for place, word in enumerate(words):
        found = _SCRIPT.match(word) if word.endswith(_SUFFIXES) else None
        if found is not None and "://" not in word and (place == 0 or words[place - 1] not in _WRITES_TO):
            yield found[1]


def folder_of(pattern: str) -> str:
    """The folder of which a pattern such as ``hooks/*.sh`` names the files; none where it names them otherwise."""
    folder, _, name = pattern.rpartition("/")
    return (
        posixpath.normpath(folder)
        if "*" in name and folder.strip("./") and not set("*?[{") & set(folder)
        else ""
    )

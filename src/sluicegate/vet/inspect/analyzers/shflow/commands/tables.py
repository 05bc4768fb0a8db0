"""What the commands of a system do, as tables: readers, senders, interpreters, decoders."""

from __future__ import annotations

from sluicegate.vet.lazy import lazy

READERS = frozenset(
    """cat head tail less more bat tac nl rev sort uniq cut tr sed awk gawk grep egrep rg strings od xxd hexdump jq yq
    base64 base32 gzip bzip2 xz zstd openssl gpg column fold paste tee python perl node ruby dd split iconv fmt envsubst
    xargs uuencode b64encode lz4 zip tar bsdtar gtar cpio pax shar 7z 7za 7zz rar pigz lzma brotli age""".split()
)
ECHO = frozenset({"echo", "printf", "print"})
SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "busybox"})
INTERPRETERS = SHELLS | frozenset(
    "python python2 python3 perl ruby node nodejs php lua osascript pwsh powershell deno bun tclsh".split()
)
RUNTIMES = frozenset({"deno", "bun"})
"""Interpreters that run what stands at an address."""
WRAPPERS = frozenset(
    "sudo doas env nohup exec command builtin time nice ionice stdbuf setsid timeout caffeinate unbuffer chronic "
    "eatmydata torsocks proxychains proxychains4 firejail busybox xargs parallel".split()
)
ENVIRONMENT = frozenset({"env", "printenv"})
SETTERS = frozenset({"export", "set", "setx", "declare", "typeset"})
"""Commands that give variables to the programs after them."""
GAP = lazy(
    r"[@=\"' ](?:<[^<>\n]{1,80}>|\{\{?[A-Za-z][\w .-]{0,60}\}?\}|\[[A-Za-z][\w .-]{1,60}\])|@[\"']?(?:[A-Z][A-Z_]{2,40}|\.{3}|…|\$\w{1,40}|path|file(?:name)?)?[\"']?$"
)
"""A place in the body of a request that whoever runs the command is to fill."""
_WHOLE_GAP = lazy(
    r"(?:<[^<>\n]{1,80}>|\{\{?[A-Za-z][\w .-]{0,60}\}?\}|\[[A-Za-z][\w .-]{1,60}\]|[A-Z][A-Z_]{2,40}|%[A-Za-z]\w{0,40}%|@@?[A-Za-z_]{1,40}@@?"
    r"|__[A-Za-z]\w{0,40}__|\$(?:[A-Za-z_]\w{0,40}|[1-9@*])|\.{3}|…|(?:your|my|the)[-_][a-z][\w-]{1,40}|/?path/to/[\w./-]{1,80})(?:/(?:\*{1,2}|\.)?)?"
)
_GAP_BEGINS = frozenset("<{[%@_$.…/ympt")
"""With these such a word begins, or with a capital letter."""


def gap(word: str) -> str:
    """The word, where it stands for a file that whoever runs the command is to name; else empty."""
    if word[:1] not in _GAP_BEGINS and not word[:1].isupper():
        return ""
    return word if _WHOLE_GAP.fullmatch(word) is not None else ""


SCRIPT_FLAGS = frozenset({"-c", "-e", "--eval", "-Command", "-EncodedCommand", "-E", "-r"})
"""Options of interpreters whose value is a program."""


_DECODED_BY_NAME = frozenset({"gunzip", "zcat", "bunzip2", "bzcat", "xzcat", "unxz", "uudecode", "b64decode"})
_BASES = frozenset({"base64", "base32", "gbase64", "basenc"})
_PACKERS = frozenset({"gzip", "bzip2", "xz"})
_KEEPERS = frozenset({"gpg", "gpg2"})
DECODERS = _DECODED_BY_NAME | _BASES | _PACKERS | _KEEPERS | {"openssl", "xxd", "rev", "tr"}
"""The commands that can unpack what they read; their options say whether they do."""


def decodes(name: str, flags: set[str], words: list[str]) -> bool:
    """Whether a command unpacks what it reads."""
    if name in _BASES:
        return bool(flags & {"-d", "-D", "--decode", "-di", "-id"})
    if name == "openssl":
        return any(w in ("base64", "enc") or w.startswith("-aes") for w in words) and "-d" in flags
    if name == "xxd":
        return any(f.startswith("-") and "r" in f for f in flags)
    if name in _DECODED_BY_NAME:
        return True
    if name in _PACKERS:
        return (
            any(f.startswith("-") and not f.startswith("--") and "d" in f for f in flags)
            or "--decompress" in flags
        )
    if name in _KEEPERS:
        return bool(flags & {"-d", "--decrypt"})
    if name in ("rev", "tr"):
        return name == "rev" or any(w.startswith(("A-Za-z", "a-zA-Z", "N-ZA-M", "'A-Za-z")) for w in words)
    return False

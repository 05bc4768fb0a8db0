"""Programs that read and print, and write no file but one that an argument names.

An argument by which one of them writes all the same (``find -fprint``, ``sed -i``, ``sort -o``, ``git log --output``) is in its block
(``tables``), as it is for every program. What runs other commands is none of these by itself: the others count too (``find -exec``,
``timeout``), and so do the commands of a shell's code.
"""

from __future__ import annotations

from typing import Final

READERS: Final = frozenset(
    """
    true false echo printf pwd basename dirname seq date uname id whoami hostname
    ls dir vdir du df stat file find
    cat tac nl head tail wc cut tr od xxd hexdump strings base64 base32 expand fold fmt column rev paste
    md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum
    grep egrep fgrep zgrep rg diff cmp comm sort uniq sed awk gawk mawk jq tar
    env timeout nice stdbuf time xargs
    """.split()
)

LISTERS: Final = frozenset(
    "ls dir vdir tree du df exa eza lsd find fd fdfind stat cd test [ realpath readlink".split()
)
"""Programs that tell what names, sizes and times there are, and nothing of what is in a file."""

TESTS: Final = frozenset({"test", "["})
"""Programs that write nothing, whatever their arguments are; which of these are options is not known of them."""

SHELLS: Final = frozenset({"sh", "dash", "bash", "ksh", "mksh", "zsh"})
"""Shells that write no file by themselves, but where their code puts out to."""

GIT_READERS: Final = frozenset(
    "grep ls-files ls-tree cat-file rev-parse rev-list log show blame shortlog for-each-ref show-ref name-rev merge-base".split()
)
"""Subcommands of git that keep nothing in the repository. Not ``status`` and ``diff``: they write down for the next one what they found
of each file. A repository that fetches objects as they are asked for keeps these, so only where there is no network."""

GIT_TAKES_NOTHING: Final = GIT_READERS | frozenset(
    "status diff push fetch remote config gc branch checkout switch restore reset clean describe reflog bisect worktree help version"
    " difftool archive bundle format-patch diff-tree diff-index diff-files range-diff whatchanged clone init".split()
)
"""Subcommands of git that put no content of a file into the repository. All others may."""

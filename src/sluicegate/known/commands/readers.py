"""Programs that read and print, and write no file but one that an argument names.

An argument by which one of them writes all the same (``find -fprint``) is in its block (``tables``), as it is for every program.
What runs other commands is none of these by itself: the others count too (``find -exec``).
"""

from __future__ import annotations

from typing import Final

READERS: Final = frozenset(
    """
    true false echo printf pwd basename dirname seq date uname id whoami hostname
    ls dir vdir du df stat file find
    cat tac nl head tail wc cut tr od xxd hexdump strings base64 base32 expand fold fmt column rev paste
    md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum
    grep egrep fgrep zgrep diff cmp comm
    """.split()
)

LISTERS: Final = frozenset(
    "ls dir vdir tree du df exa eza lsd find fd fdfind stat cd test [ realpath readlink".split()
)
"""Programs that tell what names, sizes and times there are, and nothing of what is in a file."""

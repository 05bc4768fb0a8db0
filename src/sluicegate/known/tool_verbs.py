"""What the name of a server's tool says that it does: it reads, or it may do something.

A server's tools are chosen by whoever set the server up, so their names say what they are for, and no stranger writes them. A name is
taken apart into words. It reads if one of them is a verb of reading, and none before it or behind it is one of doing; a noun that is a
verb as well (``post``, ``comment``) counts as one only where it comes first.
"""

from __future__ import annotations

_READS = frozenset(
    "get list read search find fetch query lookup look describe show view browse inspect count check status summarize explain"
    " retrieve load resolve compare diff info details stat stats tree grep glob recall recent history".split()
)
_DOES = frozenset(
    "create add new make insert append write put set update edit modify change patch replace rename move copy delete remove destroy"
    " drop clear purge erase reset revert restore archive unarchive close reopen merge push commit publish deploy release send submit"
    " upload reply react share invite assign unassign approve reject cancel start stop restart run execute exec eval invoke call"
    " trigger dispatch install uninstall enable disable grant revoke pay transfer buy order book subscribe unsubscribe register login"
    " navigate click type fill press drag select save store remember forget kill import sync apply fork star lock unlock pin mark".split()
)
_BOTH = frozenset("post comment message mail email note tag label review request report notify tweet".split())


def reads_by_name(name: str) -> bool:
    """Whether a tool of this name reads and does nothing."""
    words = _words(name)
    return (
        bool(words)
        and words[0] not in _BOTH
        and not _DOES.intersection(words)
        and bool(_READS.intersection(words))
    )


def _words(name: str) -> list[str]:
    """The words of a name, in lower case: between signs, and where a capital begins one."""
    spaced = ""
    before = ""
    for char in name:
        if char.isupper() and (before.islower() or before.isdigit()):
            spaced += " "
        spaced += char.lower() if char.isalpha() else " "
        before = char
    return spaced.split()

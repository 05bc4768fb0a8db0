"""What is known of a program's arguments: which options take values, and which arguments are more than data.

The tables in ``tables/`` are text, one block a program, for example::

    timeout
      ! stop
      -k --kill-after, -s --signal = value
      -v --verbose, --foreground, --preserve-status
      * = value argv

1. The first line holds the names of the program, with the subcommand where it has one (``git push``).
2. ``NAMES, NAMES = ROLES``: the spellings of one option, then of the next, and what their values are. Without
   a role an option takes no value. A spelling that ends in ``?`` takes one only in the same argument
   (``-i.bak``, ``--color=auto``). ``-#`` stands for ``-`` and a number.
3. ``* = ROLES``: what the other arguments are, in order; a role with ``...`` takes any number. ``* if -e -f =
   ROLES`` holds instead if one of these options is given.
4. ``! WORDS``: what is special: ``stop`` options end at the first argument that is none; ``single`` each
   ``-word`` is one option, there are no clusters; ``plain`` ``--`` does not end the options; ``inert``
   whatever looks like an option does no harm; ``attached`` an unknown option takes no value from the next
   argument; ``strict`` an unknown option is refused; ``alike`` all programs of the block take the same
   options (where they do not, an option that takes plain data in one of them is as good as unknown);
   ``shell`` without a command a shell is started; ``sub`` the first argument is a subcommand;
   ``runs:LANGUAGE`` the program runs code of a language; ``reader:NAME`` a function reads what this table
   cannot say; ``flag:TEXT`` characters that begin syntax in an argument (``+`` for vim); ``sends:FORM`` what it is
   given leaves the machine (``sending.py``), and ``answers`` it prints what the other machine says.

The roles are described in ``flow/operations/commands/roles.py``. A program whose inner command is an argument (``argv``) is always
strict: where that command begins must be known.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from sluicegate.patterns import late
from sluicegate.tuples import NamedTuple

WRAPPING: Final = frozenset({"argv", "argv-c", "argv-line", "argv-sh", "argv@", "argv-sh@", "applet"})
"""Roles of the argument where another command begins."""

_VERSION = late(r"[-_.]?[0-9][0-9.]*m?\Z")
_MAKE = late(r"\.(?:basic|tiny|nox|gtk3?|openbsd|traditional|debianutils|procps|exe)\Z")


class Option(NamedTuple):
    """One option: its spellings, the roles of its values (none: it is a flag), and how it takes them."""

    names: tuple[str, ...]
    roles: tuple[str, ...] = ()
    attached: bool = False


class Spec(NamedTuple):
    """What is known of one program, or of one of its subcommands."""

    name: str
    options: dict[str, Option]
    operands: tuple[tuple[frozenset[str], tuple[str, ...]], ...]
    words: frozenset[str]
    reader: str = ""
    runs: tuple[str, ...] = ()
    syntax: str = ""
    sends: str = ""

    def expected(self, given: set[str]) -> tuple[str, ...]:
        """The roles of the arguments, given these options."""
        for conditions, roles in self.operands:
            if not conditions or conditions & given:
                return roles
        return ()

    def long(self, name: str) -> tuple[Option, ...]:
        """The long options that ``name`` stands for: that one, else all that it abbreviates."""
        if name in self.options:
            return (self.options[name],)
        found = {id(option): option for each, option in self.options.items() if each.startswith(name)}
        return tuple(found.values()) if len(name) > 2 else ()


@cache
def spec(name: str) -> Spec | None:
    """What is known of a program by this name, versions and makes aside; ``git push`` for a subcommand."""
    blocks = _blocks()
    program, _, rest = name.partition(" ")
    for candidate in _names(program):
        block = blocks.get(f"{candidate} {rest}" if rest else candidate)
        if block is not None:
            return parsed(name, block)
    return None


def family(name: str) -> str:
    """One word for all programs that the same table speaks of (``sh``, ``dash`` and ``bash``); empty if none
    does.
    """
    blocks = _blocks()
    return next((blocks[each].partition("\n")[0] for each in _names(name) if each in blocks), "")


def _names(name: str) -> Iterator[str]:
    """The names under which a program may be in a table, the exact one first."""
    yield name
    bare = _MAKE.sub("", name)
    yield bare
    yield _VERSION.sub("", bare)
    if bare.startswith(("ld-linux", "ld-musl", "ld.so", "ld64.so")):
        yield "ld.so"


@cache
def _blocks() -> dict[str, str]:
    """The text of every block, by each of its names."""
    from sluicegate.known.commands import tables

    found: dict[str, str] = {}
    for block in tables.blocks().split("\n\n"):
        header = block.strip("\n").partition("\n")[0]
        for name in header.split(","):
            found[name.strip()] = block.strip("\n")
    return found


def parsed(name: str, block: str) -> Spec:
    """What a block says of the program of this name."""
    options: dict[str, Option] = {}
    operands: list[tuple[frozenset[str], tuple[str, ...]]] = []
    words: list[str] = []
    for line in block.split("\n")[1:]:
        left, _, right = line.strip().partition(" = ")
        roles = tuple(right.split())
        if left.startswith("! "):
            words += left[2:].split()
        elif left.startswith("*"):
            operands.append((frozenset(left.split()[2:]), roles))
        else:
            for spellings in left.split(", "):
                _add(options, spellings.split(), roles)
    if "," in block.partition("\n")[0] and "alike" not in words:
        words.append("shared")
    operands.sort(key=lambda pair: not pair[0])
    if any(role in WRAPPING for _, roles in operands for role in roles):
        words.append("strict")
    special = [word.partition(":") for word in words]
    return Spec(
        name,
        options,
        tuple(operands),
        frozenset(word for word in words if ":" not in word),
        reader="".join(value for key, _, value in special if key == "reader"),
        runs=tuple(value for key, _, value in special if key == "runs"),
        syntax="".join(value for key, _, value in special if key == "flag"),
        sends="".join(value for key, _, value in special if key == "sends"),
    )


def _add(options: dict[str, Option], spellings: list[str], roles: tuple[str, ...]) -> None:
    names = tuple(each.removesuffix("?") if len(each) > 2 else each for each in spellings)
    for each, name in zip(spellings, names, strict=True):
        attached = len(each) > 2 and each.endswith("?")
        options[name] = Option(names, roles or (("value",) if attached else ()), attached)

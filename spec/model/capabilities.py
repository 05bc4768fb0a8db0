"""The reference model of capabilities: what an operation is, and whether the lists of a policy let it happen.

Patterns are in their plainest spelling (``"cmd:git:*"``, ``"fs:r:/srv/**"``, ``"show"``); ``spelling.plain`` brings
the others to it.

Imports nothing of ours.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

GATED = {"cmd", "sh", "node", "js", "py", "prose", "interpreter", "fs", "network", "mcp", "install"}
HOME, BASE = "/home/u", "/proj"
ROOTS = (BASE, "/tmp")  # neither holds the home directory
UNKNOWN, GUESSED, ANYTHING = None, "", ()
"""An argument, a path or a host that is not known; a host of which it is only supposed that there is one; an
argument that is not known, and is taken for whatever a deny is about."""


class Command(NamedTuple):
    """A command: ``words`` are its arguments without options, ``other`` what it is by another door.

    Of the network, ``other`` says whether the program is made for it (``network``) or only may speak to a host with
    these words (``some network``). Without ``trusted`` the name does not tell which program it is.
    """

    program: str
    arguments: tuple
    words: tuple
    flags: frozenset
    other: str = ""
    trusted: bool = True
    method: str = ""
    known: bool = True


class Operation(NamedTuple):
    """An operation. ``hits``: its dangers, each (category, what is dangerous, options that make it so).

    ``whole``: the folders that it reaches with all that is in them, each with ``r`` or ``w``.
    """

    kind: str
    leaves: tuple
    command: Command | None = None
    paths: tuple = ()
    hosts: tuple = ()
    hits: tuple = ()
    whole: tuple = ()


@lru_cache(maxsize=4096)
def fits(pattern, texts, rest="*"):
    """Whether a sequence matches a pattern: ``rest`` is any number of texts, else a text with ``*`` inside."""
    if not pattern:
        return not texts
    if pattern[0] == rest:
        return any(fits(pattern[1:], texts[at:], rest) for at in range(len(texts) + 1))
    if texts and texts[0] in (UNKNOWN, ANYTHING):
        return texts[0] == ANYTHING and fits(pattern[1:], texts[1:], rest)
    letters = re.escape(pattern[0]).replace(r"\*", ".*").replace(r"\?", ".")
    here = bool(texts) and re.fullmatch(letters, texts[0], re.DOTALL) is not None
    return here and fits(pattern[1:], texts[1:], rest)


@lru_cache(maxsize=1024)
def parts(path):
    """The parts of a glob from the root on."""
    for short, long in (("~", HOME), ("@base", BASE)):
        if path == short or path.startswith(short + "/"):
            path = long + path[len(short) :]
    if not path.startswith(("/", "**")):
        path = f"{BASE}/{path}"
    return tuple(part for part in path.split("/") if part)


def subjects(op):
    """What capabilities judge: (category, what, gated)."""
    own = op.kind not in ("cmd", "sh", "node", "js", "py", "prose")
    found = [("cmd", op.command, True)] if op.command else []
    found += [(op.kind, (), True)] if not own and not op.command else []
    found += [("fs", path, own) for path in op.paths] + [("network", host, own) for host in op.hosts]
    if op.kind in ("read", "write") and not op.paths:
        found.append(("fs", ("w" if op.kind == "write" else "r", UNKNOWN), own))
    if op.kind == "fetch" and not op.hosts:
        found.append(("network", UNKNOWN, own))
    if op.command and not op.hosts and op.command.other.endswith("network"):
        found.append(("network", UNKNOWN if op.command.other == "network" else GUESSED, False))
    if own and op.kind not in ("read", "write", "fetch"):
        mine = [leaf.split(":")[2:] for leaf in op.leaves if leaf.startswith(f"op:{op.kind}:")]
        found.append((op.kind, tuple(mine[0]) if mine else (), op.kind in GATED))
    return found


DENY, ALLOW, OPT_IN = ({"r": "r", "w": written, "rw": "rw"} for written in ("w", "rw", "rw"))
"""The modes of files that an entry is about, by the kind of list; who may write may read."""


def matches(entry, subject, kind):
    """Whether an entry that is not a whole category is about a subject; a deny takes what is not known for a match."""
    category, what, _ = subject
    entry, _, methods = entry.partition(" (")
    named, *tokens = segments(entry)
    if named != category or whole(entry) or tokens == [""]:
        return False
    if category == "cmd":
        listed = [each for each in methods.rstrip(")").split(", ") if each]  # no list names what is not known
        if methods and what.method not in listed + [""] * (kind is DENY):
            return False
        return _command(tokens, what, kind)
    if category == "fs":
        mode, path = what
        if mode not in kind[tokens[0]]:
            return False
        if path is UNKNOWN:
            return kind is DENY or parts(tokens[1]) == ("**",)
        return fits(parts(tokens[1]), parts(path), "**")
    if category == "network":
        if not what:
            return what is UNKNOWN and kind is DENY
        if tokens[0].startswith("*."):
            return what.endswith(tokens[0][1:]) and what != tokens[0][1:]
        return what == tokens[0]
    return fits((*tokens, "*") if kind is not ALLOW or len(tokens) == 1 else tuple(tokens), tuple(what))


def _command(tokens, what, kind):
    """Whether the pattern of a command is about one: word by word, or (of a deny) the beginning and the options."""
    program, *rest = tokens
    if kind is ALLOW:
        return what.trusted and fits((program, *(rest or ["*"])), (what.program, *what.arguments))

    def is_given(option):
        return option in what.flags or (
            kind is DENY
            and (
                UNKNOWN in what.arguments
                or any(f[2:] and f[:2] == "--" and option.startswith(f) for f in what.flags)
            )
        )

    words = [ANYTHING if word is UNKNOWN and kind is DENY else word for word in what.words]
    pattern = (program, *(word for word in rest if not word.startswith("-")), "*")
    if kind is DENY and not what.known:
        pattern = (program, *(part for word in pattern[1:-1] for part in ("*", word)), "*")
    options = [each for each in rest if each.startswith("-")]
    return all(map(is_given, options)) and fits(pattern, (what.program, *words))


def segments(entry):
    """The parts of an entry: separated by colons that have no backslash before them."""
    return [part.replace("\\:", ":") for part in re.split(r"(?<!\\):", entry)]


def whole(entry):
    """Whether an entry lists a whole category. One with nothing after its colon only mentions it."""
    return entry.split(":")[1:] in ([], ["*"])


def below(entry, folder):
    """Whether an entry that denies files may be about something in a folder; one that is about any place is not."""
    category, *tokens = entry.split(":")
    mode, path = folder
    if category != "fs" or whole(entry) or tokens == [""] or mode not in tokens[0]:
        return False
    pattern = parts(tokens[1])
    ahead = (pattern[:length] for length in range(len(pattern) + 1))
    return pattern[0] != "**" and any(fits(each, parts(path), "**") for each in ahead)


def opts_in(entry, hit):
    """Whether an entry opts into a danger: about it, and naming all options that make it one if it names any."""
    category, what, options = hit
    named = {token for token in segments(entry)[2:] if token.startswith("-")}
    if whole(entry):
        return entry.split(":")[0] == category
    return matches(entry, (category, what, True), OPT_IN) and (not named or options <= named)


def stays_below(op, roots):
    """Whether an operation writes something, all of it below one of these places, and nothing of a repository's own folder."""
    written = [parts(path) if path else None for mode, path in op.paths if mode == "w"]
    return bool(written) and all(
        path is not None
        and ".git" not in path
        and any(len(path) > len(parts(root)) and path[: len(parts(root))] == parts(root) for root in roots)
        for path in written
    )


def verifies(command):
    """Whether it is the command with which a model verifies its instructions."""
    said = command and (command.trusted, command.program, *command.arguments)
    return said == (True, "sluicegate", "verify")


def capability(policy, op):
    """Whether the operation may happen at all."""
    lists = policy.get("capabilities")
    if lists is None:
        return True
    allow, deny, danger = lists.get("allow"), lists.get("deny", []), lists.get("danger", [])
    if stays_below(op, ROOTS):
        danger = [*danger, *lists.get("danger_inside", [])]

    def allowed(subject):
        return any(matches(entry, subject, ALLOW) for entry in allow or [])

    def denied(subject):
        category, what, _ = subject
        if any(matches(entry, subject, DENY) for entry in deny):
            return True
        wholes = {entry.split(":")[0] for entry in deny if whole(entry)}
        if category == "cmd" and what.other in wholes - {"network"}:
            return True
        return category in wholes and not allowed(subject)

    def missing(subject):
        category, _, gated = subject
        speaks = any(entry.split(":")[0] == category for entry in allow)
        return not any(e.split(":")[0] == category and whole(e) for e in allow) and (
            (gated or speaks) and not allowed(subject)
        )

    found = subjects(op)
    if any(below(entry, folder) for entry in deny for folder in op.whole):
        return False
    if allow is not None and policy.get("defaults", {}).get("autoverify") and verifies(op.command):
        allow = None
    if any(map(denied, found)) or not all(any(opts_in(entry, hit) for entry in danger) for hit in op.hits):
        return False
    return allow is None or not any(map(missing, found))

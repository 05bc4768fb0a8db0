"""Commands that run a command as one of their own options says, or what they are given on their input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sluicegate.vet.inspect.analyzers.shflow.values import EMPTY, NONE, ShellValue, join
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.shflow.flow import ShellFlow
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall

_RUN = frozenset({"remote", "decoded", "parameter"})
_TAR_RUNS = ("--checkpoint-action=exec=", "--to-command=", "--use-compress-program=")
_INPUT = frozenset({"-", "/dev/stdin"})
_BUCKETS = ("s3://", "gs://")
_HERE = ("~", "/", "./", "../", "$HOME", "${HOME}")
_VERBS = frozenset({"cp", "mv", "sync", "rsync"})
_ALONE = frozenset(
    {
        "--recursive",
        "--quiet",
        "--delete",
        "--dryrun",
        "--no-progress",
        "--only-show-errors",
        "--exact-timestamps",
        "--size-only",
    }
)
_CLONES = frozenset({"copy", "copyto", "sync", "move", "moveto"})
_REMOTE = lazy(r"[\w-]{1,40}:(?!\\)")
STARTERS = frozenset({"at", "batch", "make", "gmake", "script", "su", "runuser", "flock"})


def started(flow: ShellFlow, call: ShellCall) -> ShellValue:
    """``at`` runs its input, ``make -f -`` too, ``script -c`` and its like the text of an option."""
    tags = NONE
    if call.name in ("at", "batch"):
        tags = call.stdin if not {"-f", "-l", "-r", "-c"} & call.flags else NONE
    elif call.name.endswith("make"):
        files = [held for option, held in zip(call.words, call.words[1:], strict=False) if option == "-f"]
        tags = call.stdin if not _INPUT.isdisjoint(files) else NONE
        for path in files:
            tags = join(tags, flow.file(path))
    else:
        for at, word in enumerate(call.words[1:-1], 1):
            if word == "--command" or (
                word.startswith("-") and not word.startswith("--") and word.endswith("c")
            ):
                tags = call.facts.get(at + 1, NONE)
                flow.inner(call.words[at + 1], call)
                break
    flow.sink("run", call.name, frozenset(tag for tag in tags if tag.kind in _RUN), call)
    return EMPTY


def packed(flow: ShellFlow, call: ShellCall) -> None:
    """The options of ``tar`` that hold a command."""
    for word in call.words[1:]:
        for option in _TAR_RUNS:
            if word.startswith(option):
                flow.inner(word.removeprefix(option), call)


def fetched(operands: Sequence[str]) -> bool:
    """Whether a copy is from a bucket or a remote to this machine: its first operand is there, and the next is here.

    What an option holds is not an operand, so a bucket behind one tells nothing.
    """
    found = [at for at, word in enumerate(operands) if word.startswith(_BUCKETS)]
    if len(found) != 1:
        return False
    at = found[0]
    before, after = operands[:at], operands[at + 1 :]
    if any(not word.startswith("-") and word not in _VERBS for word in before):
        return False
    if before and before[-1].startswith("--") and "=" not in before[-1] and before[-1] not in _ALONE:
        return False
    plain = all(word in _VERBS for word in before)
    return bool(after) and (after[0].startswith(_HERE) or (plain and not after[0].startswith("-")))


def brought(words: Sequence[str]) -> bool:
    """Whether ``scp`` or ``rsync`` copies to a place that is plainly on this machine."""
    last = words[-1]
    return ":" not in last and "@" not in last and last.startswith((*_HERE, "."))


def pulled(words: Sequence[str]) -> bool:
    """Whether ``rclone`` copies from a remote to this machine: the two operands stand right behind its verb."""
    at = next((at for at, word in enumerate(words) if word in _CLONES), len(words))
    pair = words[at + 1 : at + 3]
    return len(pair) == 2 and _REMOTE.match(pair[0]) is not None and pair[1].startswith(_HERE)

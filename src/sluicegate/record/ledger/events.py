"""What can stand in the ledger: a closed set of events.

An event holds names, labels and rule texts. It never holds a value: where a value must be recognised again,
``Ledger.digest`` gives a salted digest of it. ``inputs`` are the ids of earlier events (or ``@names`` of values)
that this one follows from; ``sluicegate audit why`` walks them back. Fields that say nothing are not written.

``var`` is the name of a value with its ``@``. ``by`` and ``writer`` name who did it: ``guard:validate``,
``mcp:github:list_issues``, ``alice``.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NewType

import msgspec

EventId = NewType("EventId", str)
"""``<writer>.<number>``: known before the event is written, the same for ever."""

Strings = tuple[str, ...]


class _Event(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="event",
    tag=str.lower,
):
    inputs: Strings = ()


class Allow(_Event, frozen=True, kw_only=True):
    """An operation was allowed. ``labels`` went in; ``taint`` is what its result has, ``var`` its name.

    ``permit``: another process does it, and tells of it under this name (``Settle``).
    """

    operation: str
    operation_labels: Strings = ()
    labels: Strings = ()
    taint: Strings = ()
    var: str = ""
    by: str = ""
    permit: str = ""


class Settle(_Event, frozen=True, kw_only=True):
    """What was permitted has happened, as the process says that did it; ``taint`` is what its result has."""

    operation: str
    permit: str
    taint: Strings = ()


class Lapse(_Event, frozen=True, kw_only=True):
    """A permit is over, and nobody has said what became of it: the operation may have happened."""

    operation: str
    permit: str
    taint: Strings = ()


class Approve(_Event, frozen=True, kw_only=True):
    """A person approved, once, what ``rule`` refused, and it was permitted for that (``permit``). ``by`` is the person."""

    operation: str
    permit: str
    rule: str
    by: str
    approval: str


class Reset(_Event, frozen=True, kw_only=True):
    """A session was begun anew by its owner; ``taint`` is what it had taken in."""

    session: str
    by: str
    taint: Strings = ()


class Intake(_Event, frozen=True, kw_only=True):
    """A session took in something that came without a permit; ``taint`` is what that has."""

    session: str
    source: str
    taint: Strings = ()


class Denial(_Event, frozen=True, kw_only=True):
    """An operation was refused; no effect took place. The fields are those of the denial that was shown."""

    operation: str
    code: str
    rule: str = ""
    layer: str = ""
    reason: str = ""
    operation_labels: Strings = ()
    labels: Strings = ()
    var: str = ""


class Sign(_Event, frozen=True, kw_only=True):
    """A signature was made. ``hash`` is the digest in it; ``by`` the signer, ``key`` the id of the key.

    ``within``: the workspace that the name is one of, seen from the ledger; empty for the ledger's own
    (``record.workspace``).
    """

    var: str
    purpose: str
    hash: str
    by: str
    key: str
    within: str = ""


class Withdraw(_Event, frozen=True, kw_only=True):
    """A signature was taken back: none is expected under this name any more. ``within`` as in ``Sign``."""

    var: str
    purpose: str
    by: str
    within: str = ""


class Verify(_Event, frozen=True, kw_only=True):
    """A signature was looked at. ``reason`` is empty when it counts; ``caller`` is who asked. ``within`` as in ``Sign``."""

    var: str
    purpose: str
    result: bool
    reason: str = ""
    hash: str = ""
    by: str = ""
    caller: str = ""
    within: str = ""


class Advised(_Event, frozen=True, kw_only=True):
    """A reviewing model was asked about one package of a skill. It can raise an alarm, and decides nothing.

    ``var`` is the name of the skill, ``by`` that of the seat. ``shown`` and ``told`` are the digests of the package and of
    the instructions, ``replies`` those of what came back; ``code`` says why no whole reply did.
    """

    var: str
    by: str
    model: str
    role: str
    shown: str
    told: str
    vote: str
    replies: Strings = ()
    code: str = ""


class Vetted(_Event, frozen=True, kw_only=True):
    """It was decided whether a skill may be installed; ``inputs`` are what models advised.

    ``bundle`` is the digest of its bytes, ``docket`` that of all that the decision rests on. ``rulings`` are the digests of
    the signed rulings of persons that count in it, on the skill or on a flag of its publisher: the ``hash`` of a ``Ruled``.
    """

    var: str
    bundle: str
    docket: str
    decision: str
    rulings: Strings = ()


class Ruled(_Event, frozen=True, kw_only=True):
    """A person ruled on a skill, or on the flag of a publisher (``of``), which an approval ends.

    ``docket`` is what the ruling is bound to, ``hash`` the digest of the signed statement.

    ``by`` is the signer, ``key`` the id of the key; ``expires`` the last day on which it holds, empty where there is none.
    """

    var: str
    bundle: str
    docket: str
    approves: bool
    hash: str
    by: str
    key: str
    overrides: bool = False
    expires: str = ""
    of: Literal["skill", "publisher"] = "skill"


class Flagged(_Event, frozen=True, kw_only=True):
    """A text aimed at reviewers was found in the skill ``var``: who publishes it is flagged. ``by`` found it."""

    var: str
    bundle: str
    publisher: str
    by: str


class Label(_Event, frozen=True, kw_only=True):
    """Labels of a value were changed."""

    var: str
    by: str
    add: Strings = ()
    remove: Strings = ()


class Bless(_Event, frozen=True, kw_only=True):
    """A privileged guard changed what a value is trusted for."""

    var: str
    by: str
    add: Strings = ()
    remove: Strings = ()


class Conflict(_Event, frozen=True, kw_only=True):
    """A value had labels that exclude each other; it is treated as ``resolved``."""

    var: str
    labels: Strings
    resolved: str
    by: str = ""


class Write(_Event, frozen=True, kw_only=True):
    """A file was written. ``path`` is its real path, ``taint`` what its whole content has.

    ``hash`` is the salted digest of the whole content, ``size`` its bytes. ``device``, ``inode`` and
    ``generation`` say which file it is under any name. ``partly``: some of the content is of unknown origin. ``code``: nobody
    named the file; code that ran there changed it.
    """

    path: str
    taint: Strings
    writer: str
    hash: str
    size: int
    device: int
    inode: int
    generation: int = 0
    appended: bool = False
    code: bool = False
    partly: bool = False


class Spread(_Event, frozen=True, kw_only=True):
    """``writer`` may have written any file at or below ``path``, with ``taint``; which ones is not known. ``code``: it is code
    that runs there, which named nothing; else ``path`` was named. ``pending``: what it changed is going to be told (``Narrow``)."""

    path: str
    taint: Strings
    writer: str
    code: bool = False
    pending: bool = False


class Narrow(_Event, frozen=True, kw_only=True):
    """The place of a pending ``spread`` was compared with what it was: ``count`` files and names were changed, each with an event of
    its own before this one, and nothing else was."""

    spread: str
    count: int


class Vouch(_Event, frozen=True, kw_only=True):
    """``by``, a person, answers for all files at or below ``path`` as they were then: the labels ``remove`` are theirs no more."""

    path: str
    remove: Strings
    by: str


class Read(_Event, frozen=True, kw_only=True):
    """A file was read as ``var``. ``known`` is what its labels are based on; ``hash`` as in ``Write``."""

    path: str
    taint: Strings
    known: Literal["known", "unknown", "untracked"]
    hash: str = ""
    var: str = ""


class Run(_Event, frozen=True, kw_only=True):
    """A program started or ended. ``policy`` names the layers in force, ``detail`` how it ended."""

    phase: Literal["start", "end"]
    program: str
    policy: Strings = ()
    profile: str = ""
    detail: str = ""


class Genesis(_Event, frozen=True, kw_only=True):
    """The first line of a ledger. ``ledger`` is its id: 32 hex digits, random."""

    ledger: str
    version: Literal[1]


class Checkpoint(_Event, frozen=True, kw_only=True):
    """A signature over the line before this one, and so over everything before it.

    ``sig`` is an Ed25519 signature, in base64, of ``key`` over the ledger's id and the number and hash of that
    line, and ``time`` (see ``checkpoints``).
    """

    ledger: str
    through: int
    head: str
    by: str
    key: str
    time: str
    sig: str


class Rotation(_Event, frozen=True, kw_only=True):
    """The file did not go on where the ledger stood: it was moved, emptied, shortened or put in place of.

    This line goes on from line ``after`` all the same, wherever that line is now.
    """

    ledger: str
    after: int
    found: Literal["no-file", "empty-file", "shorter-file", "altered-file"]


class Adopt(_Event, frozen=True, kw_only=True):
    """This home took over a ledger that it did not know: from here on its lines are authenticated.

    ``ledger`` is the id from here on, ``before`` the one of the lines before, which only their chain holds.
    """

    ledger: str
    before: str


class Quarantine(_Event, frozen=True, kw_only=True):
    """Bytes at the end of the file were not lines of ours, and were moved to ``file`` beside the ledger."""

    file: str
    size: int
    reason: Literal["torn", "foreign"]


class Lost(_Event, frozen=True, kw_only=True):
    """Events could not be written and were given up; ``reason`` is the first error."""

    count: int
    reason: str


Event = (
    Allow
    | Settle
    | Lapse
    | Approve
    | Reset
    | Intake
    | Denial
    | Sign
    | Verify
    | Advised
    | Vetted
    | Ruled
    | Flagged
    | Label
    | Bless
    | Conflict
    | Write
    | Spread
    | Narrow
    | Vouch
    | Withdraw
    | Read
    | Run
    | Genesis
    | Checkpoint
    | Rotation
    | Adopt
    | Quarantine
    | Lost
)

KINDS = tuple(kind.__name__.lower() for kind in Event.__args__)

_encoder = msgspec.json.Encoder()


@cache
def _decoder() -> msgspec.json.Decoder[Event]:
    """Made when a line is first read: it takes as long as all the rest of this module."""
    return msgspec.json.Decoder(Event)


def encode(event: Event) -> bytes:
    """The one spelling of an event, as a JSON object. Text that is not Unicode is written with escapes."""
    try:
        return _encoder.encode(event)
    except UnicodeEncodeError:  # a file name, say, that is not UTF-8
        plain = _plain(msgspec.to_builtins(event))
        return _encoder.encode(msgspec.convert(plain, Event))


def decode(data: bytes) -> Event:
    """The event that ``data`` spells. Raises ValueError when it is none, or not in its one spelling."""
    try:
        event: Event = _decoder().decode(data)
        same = _encoder.encode(event) == data
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if not same:
        raise ValueError("not in its one spelling")
    return event


def encode_all(several: tuple[Event, ...]) -> bytes:
    """Several events as one JSON array."""
    return b"[%b]" % b",".join(map(encode, several))


def decode_all(data: bytes) -> tuple[Event, ...]:
    """The events of ``encode_all``. Raises ValueError."""
    try:
        return msgspec.json.decode(data, type=tuple[Event, ...])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from None


def _plain(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value

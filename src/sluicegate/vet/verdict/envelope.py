"""The envelope around reviewers: what their replies can do to findings, and what they cannot.

For every reply whatsoever (any bytes, wrong types, unknown ids, contradictions, an exception, silence):

- each finding survives, in its place and with its multiplicity; its severity and its words stay as they are;
- a confidence is never lowered; a finding that a model adds is marked, bounded in number and comes after;
- one failing package takes nothing from any other;
- the decision is never moved towards SAFE.

Reviewers are asked elsewhere, all of them, each package on its own; what came back enters here as values, exceptions
among them, so nothing here waits, retries or can be cancelled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.verdict.consensus import (
    Ballot,
    Panel,
    ReviewError,
    Role,
    Seat,
    Vote,
    consensus,
    typed,
)
from sluicegate.vet.verdict.encoding import digest
from sluicegate.vet.verdict.kernels import attempted, raised
from sluicegate.vet.verdict.replies import SILENCE, Opinion, Part, Reading, read, read_damaged
from sluicegate.vet.verdict.reply_json import decode, salvage
from sluicegate.vet.verdict.types import Decision, Finding

MOST_ATTEMPTS = 3
"""Replies that one reviewer may give to one package: the first, and what a repair or a retry brought."""


class Package(NamedTuple):
    """What every reviewer of one role is asked at once: with ``FINDINGS``, the fingerprints of those it is about."""

    role: Role
    about: tuple[str, ...] = ()


class Reply(NamedTuple):
    """What one reviewer gave back for one package: bytes, or the exception that asking ended with.

    ``seat``, ``package`` and ``attempt`` count from 0. A seat and package without a reply is silence.
    """

    seat: int
    package: int
    body: bytes | BaseException
    attempt: int = 0


class Reviewed(NamedTuple):
    """A finding of ours with the opinions on it. Its confidence may be raised; nothing else differs."""

    finding: Finding
    opinions: tuple[Opinion, ...]

    @property
    def unconfirmed(self) -> bool:
        """Whether reviewers spoke of it and all of them said SAFE. It counts all the same."""
        return bool(self.opinions) and all(opinion.vote is Vote.SAFE for opinion in self.opinions)


class Injection(NamedTuple):
    """An attempt on a reviewer, as that reviewer told of it. ``evidence`` is untrusted text."""

    reviewer: str
    evidence: str


class Heard(NamedTuple):
    """One reply that came back: who gave it to what, the digest of its bytes, and the vote it came to.

    ``summary`` is what it says in sum, and untrusted text: it decides nothing.
    """

    reviewer: str
    package: int
    attempt: int
    digest: str
    vote: Vote
    summary: str = ""


class Review(NamedTuple):
    """All that a panel was asked and said, as far as it can count. ``findings`` are the given ones, in their order.

    ``complete``: every finding was put before a reviewer of findings. ``decision`` is the panel's own.
    """

    findings: tuple[Reviewed, ...]
    added: tuple[Finding, ...]
    ballots: tuple[Ballot, ...]
    injections: tuple[Injection, ...]
    packages: tuple[Package, ...]
    heard: tuple[Heard, ...]
    complete: bool
    decision: Decision

    def summary(self, cast: Ballot) -> str:
        """What the first reply says in sum that came to the vote of its reviewer; empty where none says anything."""
        of_it = (
            each.summary
            for each in self.heard
            if each.reviewer == cast.seat.reviewer and each.vote is cast.vote
        )
        return next(filter(None, of_it), "")


def check(
    findings: Sequence[Finding], packages: Sequence[Package], *, panel: Panel, parts: Mapping[str, Part]
) -> None:
    """Refuse a review that is put together wrongly, before anybody is asked. Raises ReviewError.

    1. Everything is of the type that it is declared to be.
    2. A package about findings names each once, and only findings that there are.
    3. A package of another role names none.
    4. Each reviewer has a package of its role.
    """
    # 1
    _typed(findings, packages, panel, parts)
    known = {finding.fingerprint for finding in findings}
    for number, package in enumerate(packages):
        if package.role is Role.FINDINGS:  # 2
            if unknown := sorted(set(package.about) - known):
                raise ReviewError(f"package {number} is about {unknown[0]!r}, and no finding is called so")
            if len(set(package.about)) < len(package.about):
                raise ReviewError(f"package {number} names a finding twice")
        elif package.about:  # 3
            raise ReviewError(
                f"package {number} is for the role {package.role}, which is asked of no finding"
            )
    asked = {package.role for package in packages}
    for seat in panel.seats:  # 4
        if seat.role not in asked:
            raise ReviewError(
                f"reviewer {seat.reviewer!r} has the role {seat.role}, and no package is for it"
            )


def review(
    findings: Sequence[Finding],
    packages: Sequence[Package],
    replies: Sequence[Reply],
    *,
    panel: Panel,
    parts: Mapping[str, Part],
) -> Review:
    """Put the replies of a panel beside the findings. ``parts`` are the artifacts of the bundle.

    1. A review that is put together wrongly is refused; an order to stop is passed on.
    2. Each reply is read against the findings of its own package, and of no other.
    3. A finding takes the opinions of replies to packages about it; each MALICIOUS one may raise its confidence.
    4. On one package, the worst of a reviewer's attempts counts; only an abstention is mended by another attempt.
    5. A reviewer's vote is the worst of its packages; one without a whole reply and it has abstained.
    6. Added findings follow, in the order of the replies.

    Raises ReviewError (see ``check``; also for replies of a seat, package or attempt that cannot be).
    """
    # 1
    check(findings, packages, panel=panel, parts=parts)
    in_order = _in_order(replies, packages, panel)
    pass_on(in_order)
    # 2
    readings: list[tuple[Reply, Reading]] = [
        (reply, _read(reply, panel.seats[reply.seat], packages[reply.package], parts)) for reply in in_order
    ]
    # 3
    kept = _accompany(findings, [opinion for _, reading in readings for opinion in reading.opinions])
    # 4
    votes = {
        (number, at): Vote.ABSTAINED
        for number, seat in enumerate(panel.seats)
        for at, package in enumerate(packages)
        if package.role is seat.role
    }
    for reply, reading in readings:
        place = (reply.seat, reply.package)
        votes[place] = Vote(attempted(votes[place], reading.vote))
    # 5
    ballots = tuple(
        Ballot(seat=seat, vote=max(vote for (of, _), vote in votes.items() if of == number))
        for number, seat in enumerate(panel.seats)
    )
    complete = {finding.fingerprint for finding in findings} <= _asked(packages, panel)
    return Review(
        findings=kept,
        # 6
        added=tuple(finding for _, reading in readings for finding in reading.added),
        ballots=ballots,
        injections=tuple(
            Injection(reviewer=panel.seats[reply.seat].reviewer, evidence=reading.evidence)
            for reply, reading in readings
            if reading.injection
        ),
        packages=tuple(packages),
        heard=tuple(_heard(reply, reading, panel) for reply, reading in readings),
        complete=complete,
        decision=consensus(ballots, complete=complete),
    )


def with_unasked(reviewed: Review, finding: Finding) -> Review:
    """The review had there been one finding more, which no package is about: it is not complete."""
    return reviewed._replace(
        findings=(*reviewed.findings, Reviewed(finding, ())),
        complete=False,
        decision=consensus(reviewed.ballots, complete=False),
    )


def _typed(
    findings: Sequence[Finding], packages: Sequence[Package], panel: Panel, parts: Mapping[str, Part]
) -> None:
    """Refuse what is of another type than it is declared to be, by the name of its field."""
    typed("panel", panel, Panel)
    typed("findings", findings, Sequence)
    for number, finding in enumerate(findings):
        typed(f"findings[{number}]", finding, Finding)
    typed("packages", packages, Sequence)
    for number, package in enumerate(packages):
        typed(f"packages[{number}]", package, Package)
        typed(f"packages[{number}].role", package.role, Role)
        typed(f"packages[{number}].about", package.about, tuple)
        for at, mark in enumerate(package.about):
            typed(f"packages[{number}].about[{at}]", mark, str)
    typed("parts", parts, Mapping)
    for path, part in parts.items():
        typed("a path of parts", path, str)
        typed(f"parts[{path!r}]", part, Part)
        typed(f"parts[{path!r}].executable", part.executable, bool)
        typed(f"parts[{path!r}].lines", part.lines, int)


def pass_on(replies: Iterable[Reply]) -> None:
    """Raise an order to stop that came back: cancellation, an interrupt, the end of the program.

    These are the exceptions that are no ``Exception``. Every other one is a failed reply: what a reply is can be caused
    by the text under review, which must not be able to end a review. Errors of ours are raised before (``check``).
    """
    for reply in replies:
        if isinstance(reply.body, BaseException) and not isinstance(reply.body, Exception):
            raise reply.body


def _in_order(replies: Sequence[Reply], packages: Sequence[Package], panel: Panel) -> list[Reply]:
    """The replies by seat, package and attempt. Raises ReviewError for one that cannot be, or that came twice."""
    typed("replies", replies, Sequence)
    for number, reply in enumerate(replies):
        typed(f"replies[{number}]", reply, Reply)
        for name, each in (("seat", reply.seat), ("package", reply.package), ("attempt", reply.attempt)):
            typed(f"replies[{number}].{name}", each, int)
        typed(f"replies[{number}].body", reply.body, bytes, BaseException)
        if not (0 <= reply.seat < len(panel.seats) and 0 <= reply.package < len(packages)):
            raise ReviewError(
                f"a reply of seat {reply.seat} to package {reply.package}: there is no such one"
            )
        if panel.seats[reply.seat].role is not packages[reply.package].role:
            raise ReviewError(
                f"a reply of seat {reply.seat} to package {reply.package}, which is for another role"
            )
        if not 0 <= reply.attempt < MOST_ATTEMPTS:
            raise ReviewError(f"attempt {reply.attempt}: a reviewer has {MOST_ATTEMPTS} of a package")
    in_order = sorted(replies, key=lambda reply: (reply.seat, reply.package, reply.attempt))
    if len({(reply.seat, reply.package, reply.attempt) for reply in replies}) < len(replies):
        raise ReviewError("two replies of one seat, package and attempt")
    return in_order


def _read(reply: Reply, seat: Seat, package: Package, parts: Mapping[str, Part]) -> Reading:
    if isinstance(reply.body, BaseException):
        return SILENCE
    try:
        value = decode(reply.body)
    except ValueError:
        return read_damaged(salvage(reply.body))
    return read(seat.reviewer, seat.role, value, package.about, parts)


def _asked(packages: Sequence[Package], panel: Panel) -> set[str]:
    """The findings that some reviewer of findings was asked about."""
    if not any(seat.role is Role.FINDINGS for seat in panel.seats):
        return set()
    return {mark for package in packages for mark in package.about}


def _heard(reply: Reply, reading: Reading, panel: Panel) -> Heard:
    said = reply.body
    sum_ = digest("failed", type(said).__name__) if isinstance(said, BaseException) else _sha256(said)
    return Heard(
        reviewer=panel.seats[reply.seat].reviewer,
        package=reply.package,
        attempt=reply.attempt,
        digest=sum_,
        vote=reading.vote,
        summary=reading.summary,
    )


def _sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def _accompany(findings: Sequence[Finding], opinions: Sequence[Opinion]) -> tuple[Reviewed, ...]:
    """The findings, each with the opinions on it."""
    table: dict[str, list[Opinion]] = {}
    for opinion in opinions:
        table.setdefault(opinion.fingerprint, []).append(opinion)
    return tuple(
        Reviewed(finding=_raise(finding, said), opinions=tuple(said))
        for finding in findings
        for said in [table.get(finding.fingerprint, [])]
    )


def _raise(finding: Finding, opinions: Sequence[Opinion]) -> Finding:
    """A finding with the confidence that the confirming opinions give it."""
    for opinion in opinions:
        if opinion.confidence is None:
            continue
        confidence = raised(finding.confidence, opinion.vote is Vote.MALICIOUS, opinion.confidence)
        if confidence > finding.confidence:
            why = f"confirmed by reviewer {opinion.reviewer}: {finding.confidence} to {confidence}"
            finding = finding._replace(confidence=confidence, adjustments=(*finding.adjustments, why))
    return finding

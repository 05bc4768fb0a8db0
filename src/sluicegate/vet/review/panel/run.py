"""A run of a panel: every seat asked about every package of its role, at once, each without a word of the others."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.mediator.packages import MediatedPackage, Packages
from sluicegate.vet.review.monitored.monitor import ReviewMonitor, TakenIn
from sluicegate.vet.review.panel.attempts import SeatAsker, Surroundings, Unasked
from sluicegate.vet.review.panel.budget import BudgetAccount
from sluicegate.vet.review.panel.case import ReviewCase
from sluicegate.vet.review.panel.events import (
    PackageSettled,
    PanelWatch,
    QuestionSent,
    QuestionWaits,
    ReviewBegun,
    unwatched,
)
from sluicegate.vet.review.panel.outcomes import (
    NOT_PERMITTED,
    NOT_WHOLE,
    PackageOutcome,
    PanelReview,
    replies_of,
)
from sluicegate.vet.review.panel.questions import key_of, placed
from sluicegate.vet.review.panel.replies import (
    NextStep,
    RecordedReply,
    ReplyTerms,
    alarm_of,
    beside,
    next_step,
    that_counts,
    vote_of_all,
)
from sluicegate.vet.review.panel.settings import Amount, PanelSettings, Recall, check
from sluicegate.vet.review.panel.store import ReplyStore, ReviewRecordError
from sluicegate.vet.review.prompts.instructions import ReviewInstructions, instructions
from sluicegate.vet.review.providers.asking import ModelAnswer, ModelFailure, ModelProvider, close
from sluicegate.vet.review.providers.build import provider_of
from sluicegate.vet.review.providers.seats import SeatSettings
from sluicegate.vet.verdict import envelope
from sluicegate.vet.verdict.consensus import Family, Panel, Role, Seat, Vote
from sluicegate.vet.verdict.envelope import Package

if TYPE_CHECKING:
    from sluicegate.flow.values import Labeled

_SKILLS_AT_ONCE = 256
"""More than any seat may be asked at once: with fewer, a seat would wait for a skill that waits for another seat."""
_T = TypeVar("_T")


def real_surroundings() -> Surroundings:
    """The clock, chance and nonces of this machine."""
    return Surroundings(
        clock=time.monotonic,
        sleep=asyncio.sleep,
        chance=random.random,
        nonce=lambda: secrets.token_hex(16),
    )


class ReviewRun:
    """Asks panels, under one budget and one pace for each seat. An async context manager.

    Raises ConfigError for settings with which nobody can be asked.
    """

    def __init__(
        self,
        settings: PanelSettings,
        store: ReplyStore,
        *,
        world: Surroundings | None = None,
        make: Callable[[SeatSettings], ModelProvider] = provider_of,
        watch: PanelWatch = unwatched,
        monitor: ReviewMonitor | None = None,
    ) -> None:
        check(settings)
        world = world or real_surroundings()
        self._settings, self._store, self._watch = settings, store, watch
        self._monitor = monitor or ReviewMonitor()
        self._account = BudgetAccount(settings.budget)
        self._name = world.nonce()
        offline = settings.recall is Recall.ONLY
        self._askers = tuple(
            SeatAsker(place, None if offline else make, self._account, world)
            for place in placed(settings.seats)
        )
        self._turns: dict[str, asyncio.Lock] = {}
        self._given: dict[str, _Given] = {}
        self.unrecorded = 0
        """Replies that could not be recorded: they count now, and are asked for again another time."""

    @property
    def spent(self) -> Amount:
        """What was spent so far."""
        return self._account.spent

    async def __aenter__(self) -> ReviewRun:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for asker in self._askers:
            if asker.provider is not None:
                await close(asker.provider)  # one that cannot be closed has answered all the same

    def prepare(self, case: ReviewCase) -> _Sitting:
        """Everything about one skill that comes before the first question.

        1. A seat sits on it when there is a package of its role: without findings, nobody is asked of any.
        2. What could not be shown is a package that nobody is asked about, so its reviewers have abstained on it.
        3. Errors of ours come now, and not later: also those of a seat that something is to be asked of.

        Raises ConfigError, ReviewError, InstructionsChanged and ReviewRecordError.
        """
        shown = case.packages.packages
        roles = {package.role for package in shown}
        askers = [asker for asker in self._askers if Role(asker.seat.role) in roles]  # 1
        panel = Panel(
            seats=tuple(
                Seat(asker.seat.name, Family(asker.seat.family), Role(asker.seat.role)) for asker in askers
            )
        )
        asked = (*case.packages.asked(), *_unshown(case.packages, panel))  # 2
        envelope.check(case.findings, asked, panel=panel, parts=case.parts)  # 3
        told = {seat.role: instructions(seat.role) for seat in panel.seats}
        jobs = []
        for number, asker in enumerate(askers):
            for at, package in enumerate(shown):
                if package.role == asker.seat.role:
                    words = told[package.role]
                    kept = self._store.latest(key_of(asker.place, package, words))
                    jobs.append(_Job(number, asker, at, package, words, kept))
        for job in jobs:
            if self._goes_on(case, job) is not NextStep.DONE:
                job.asker.prepare()
        return _Sitting(panel, asked, tuple(jobs))

    async def review(self, case: ReviewCase) -> PanelReview:
        """Put one skill before the panel.

        1. What comes before the first question, with its errors.
        2. Every seat is asked about every package of its role.
        3. The envelope reads the replies: under the monitor for the verdict, and once more, with all words, for who reads it.

        Raises as ``prepare`` does, InstructionsChanged when they change meanwhile, and ReviewDenied.
        """
        panel, asked, jobs = self.prepare(case)  # 1
        seats = list(dict.fromkeys(job.asker for job in jobs))
        counts = tuple((asker.seat.name, sum(job.asker is asker for job in jobs)) for asker in seats)
        told = tuple(dict.fromkeys(job.told for job in jobs))
        with self._monitor.apart():
            taken = self._monitor.take_in(case.name, {job.at: job.package for job in jobs}, told)
            self._watch(ReviewBegun(case.name, counts))
            answers = await _together(self._answer(case, job, taken) for job in jobs)  # 2
            admitted = self._monitor.admit(case, asked, panel, answers)  # 3
            outcomes: tuple[PackageOutcome, ...] = self._monitor.handed_out(tuple(answers))
        replies = replies_of(panel, outcomes)
        review = envelope.review(case.findings, asked, replies, panel=panel, parts=case.parts)
        return PanelReview(review, outcomes, told, admitted)

    async def _answer(self, case: ReviewCase, job: _Job, taken: TakenIn) -> Labeled[PackageOutcome]:
        """What comes of one seat and one package, as an operation under the monitor."""

        async def put(told: ReviewInstructions, package: MediatedPackage) -> PackageOutcome:
            return await self._settle(case, job._replace(told=told, package=package))

        def refused(why: str) -> PackageOutcome:
            return self._settled(case, job, _Given((), 0, 0, Unasked(NOT_PERMITTED, why)))

        told, package = taken.told[job.told.role], taken.packages[job.at]
        return await self._monitor.ask(case.name, job.asker.seat, told, package, put=put, refused=refused)

    def _goes_on(self, case: ReviewCase, job: _Job) -> NextStep:
        """Where a seat begins on a package: what was recorded counts, unless all is asked anew."""
        recorded = () if self._settings.recall is Recall.FRESH else job.recorded
        return next_step(recorded, job.terms(case))

    async def _settle(self, case: ReviewCase, job: _Job) -> PackageOutcome:
        """What comes of one seat and one package. Of two skills that ask it the same, one asks and both go by the answer."""
        async with self._turns.setdefault(job.key, asyncio.Lock()):
            given = await self._ask_until_done(case.name, job, job.terms(case))
        return self._settled(case, job, given)

    def _settled(self, case: ReviewCase, job: _Job, given: _Given) -> PackageOutcome:
        """What a seat gave back, and what it comes to."""
        terms, replies, recalled = job.terms(case), given.replies, given.recalled
        fresh = self._settings.recall is Recall.FRESH
        vote, now = vote_of_all(replies, terms), vote_of_all(replies[given.anew :], terms)
        code, detail = _why(given.failed, replies, now)
        name, all_recalled = job.asker.seat.name, recalled > 0 and recalled == len(replies)
        self._watch(PackageSettled(case.name, name, job.at, vote, all_recalled, code))
        return PackageOutcome(
            reviewer=name,
            package=job.at,
            shown=job.package.digest,
            instructions=job.told.digest,
            key=job.key,
            replies=replies,
            vote=vote,
            recalled=recalled,
            code=code,
            detail=detail,
            before=vote_of_all(job.recorded, terms) if fresh and job.recorded else None,
            anew=now if fresh and job.recorded else None,
        )

    async def _ask_until_done(self, skill: str, job: _Job, terms: ReplyTerms) -> _Given:
        """Ask until nothing more is to be asked. Where all is asked anew, an alarm of before counts beside what comes."""
        name = job.asker.seat.name
        if (same := self._given.get(job.key)) is not None:  # another skill asked it in this run
            recorded, anew = same.replies, same.anew
        elif self._settings.recall is Recall.FRESH:
            recorded = alarm_of(job.recorded, terms)
            anew = len(recorded)
        else:
            recorded, anew = job.recorded, 0
        alarm, own = tuple(recorded[:anew]), list(recorded[anew:])
        before = len(own)
        failed: ModelFailure | Unasked | None = None

        def counts(failure: ModelFailure) -> bool:
            return that_counts(failure, terms) is not None

        def sent() -> None:
            self._watch(QuestionSent(skill, name, job.at, repair=bool(own)))

        def waits(code: str, seconds: float) -> None:
            self._watch(QuestionWaits(skill, name, job.at, code, seconds))

        while failed is None and (step := next_step(own, terms)) is not NextStep.DONE:
            given = await job.asker.ask(
                job.package, job.told, repair=step is NextStep.REPAIR, counts=counts, sent=sent, waits=waits
            )
            reply = None if isinstance(given, Unasked) else that_counts(given, terms)
            if reply is not None:
                own.append(reply)
                alarm = self._record(job.key, alarm, own, terms)
            elif not isinstance(given, ModelAnswer):
                failed = given
        done = _Given((*alarm, *own), len(alarm) + before, len(alarm), failed)
        if own:
            self._given[job.key] = done
        return done

    def _record(
        self, key: str, alarm: tuple[RecordedReply, ...], own: Sequence[RecordedReply], terms: ReplyTerms
    ) -> tuple[RecordedReply, ...]:
        """Record the replies of this run, behind an alarm of another if it says more. Gives that alarm."""
        try:
            recorded = self._store.record(
                key, self._name, lambda latest: beside((*alarm, *latest), own, terms)
            )
        except ReviewRecordError:
            self.unrecorded += 1
            recorded = beside(alarm, own, terms)
        return recorded[: len(recorded) - len(own)]


class _Job(NamedTuple):
    """One seat and one package; ``recorded`` is what it replied before."""

    seat: int
    asker: SeatAsker
    at: int
    package: MediatedPackage
    told: ReviewInstructions
    recorded: tuple[RecordedReply, ...]

    @property
    def key(self) -> str:
        return key_of(self.asker.place, self.package, self.told)

    def terms(self, case: ReviewCase) -> ReplyTerms:
        return ReplyTerms(self.asker.seat.name, self.package.role, self.package.about, case.parts)


class _Given(NamedTuple):
    """What a seat gave back: the replies that count, how many were recorded before, from where on they were given anew, and
    why there are no more.
    """

    replies: tuple[RecordedReply, ...]
    recalled: int
    anew: int
    failed: ModelFailure | Unasked | None


class _Sitting(NamedTuple):
    """A panel before one skill: what it is asked, and what is to be settled."""

    panel: Panel
    asked: tuple[Package, ...]
    jobs: tuple[_Job, ...]


def _why(
    failed: ModelFailure | Unasked | None, replies: Sequence[RecordedReply], vote: Vote
) -> tuple[str, str]:
    """Why there is no whole reply; nothing where there is one."""
    if failed is not None:
        return str(failed.code), failed.detail
    if replies[-1].code:
        return replies[-1].code, ""
    return (NOT_WHOLE, "") if vote is Vote.ABSTAINED else ("", "")


def _unshown(packages: Packages, panel: Panel) -> tuple[Package, ...]:
    """A package of each role for which something was left out; of each role there is, where none of those is seated."""
    if packages.complete:
        return ()
    seated = {seat.role for seat in panel.seats}
    short = {omission.role for omission in packages.omissions} & seated or seated
    return tuple(Package(role=role) for role in Role if role in short)


async def _together(parts: Iterable[Coroutine[Any, Any, _T]]) -> list[_T]:
    """All results, in order. An error, or an order to stop, ends the others first."""
    tasks = [asyncio.ensure_future(part) for part in parts]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


class ReviewedCases(NamedTuple):
    """The reviews of a run, in the order of its cases; what was spent, and how many replies could not be recorded."""

    reviews: tuple[PanelReview, ...]
    spent: Amount
    unrecorded: int


def review_all(
    cases: Sequence[ReviewCase],
    settings: PanelSettings,
    store: ReplyStore,
    *,
    world: Surroundings | None = None,
    make: Callable[[SeatSettings], ModelProvider] = provider_of,
    watch: PanelWatch = unwatched,
    monitor: ReviewMonitor | None = None,
) -> ReviewedCases:
    """Put skills before a panel, a few at a time. Blocks until all are settled. Raises as ``ReviewRun`` does."""

    async def run() -> ReviewedCases:
        async with ReviewRun(settings, store, world=world, make=make, watch=watch, monitor=monitor) as asking:
            reviews = await review_cases(asking, cases)
            return ReviewedCases(tuple(reviews), asking.spent, asking.unrecorded)

    return asyncio.run(run())


async def review_cases(asking: ReviewRun, cases: Sequence[ReviewCase]) -> list[PanelReview]:
    """Put skills before a panel, so many at a time. Errors of ours come before anybody is asked of any of them."""
    for case in cases:
        asking.prepare(case)
    places = asyncio.Semaphore(_SKILLS_AT_ONCE)

    async def one(case: ReviewCase) -> PanelReview:
        async with places:
            return await asking.review(case)

    return await _together(one(case) for case in cases)

"""``ReviewMonitor``: the three operations of a review, each through the monitor of the flow door.

1. What a skill is made of is ``untrusted``: every package has that label, and the event that says so.
2. ``ask``: a package and instructions go to one seat. Before that its guard verifies the instructions. What comes back, fresh or
   recorded, carries the labels of the package and ``influenced``.
3. ``admit``: the answers are put together; the guards of that operation run the envelope over them, and bless what it gives.
4. ``decide``: the verdict, on what was blessed. Policy closes it to anything untrusted or influenced.
5. A refused question is an abstention of its seat. Where nothing may go on (instructions that do not verify, a ledger that
   cannot be written, an envelope or a decision that is refused) the review stops, and nothing is decided.

An error that is raised inside an operation is raised here as it is: it ends the review, so nobody learns from it what a branch
would have to keep.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sluicegate.flow import operations as ops
from sluicegate.flow.denial import Code, Denial, Denied
from sluicegate.flow.guards import Grant, GuardRegistry, Privileges
from sluicegate.flow.labels import LabelCategory, Labels, Trail, category, coming_from, events_of
from sluicegate.flow.monitor import Came, Monitor, Plan, Ready
from sluicegate.flow.monitor.drive import Do, Procedure
from sluicegate.flow.monitor.steps.settle import OperationRefused
from sluicegate.flow.operations import Channel
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.text.load import from_tree, load_file
from sluicegate.flow.values import Labeled, branch
from sluicegate.flow.values.counter import apart
from sluicegate.record.clock import Clock
from sluicegate.record.ledger import events
from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import VetError
from sluicegate.vet.review.mediator.packages import MediatedPackage
from sluicegate.vet.review.monitored import guards
from sluicegate.vet.review.monitored.guards import ASK, DECIDE, ENVELOPE, SIGNED, GivenReplies
from sluicegate.vet.review.panel.outcomes import PackageOutcome, replies_of
from sluicegate.vet.review.prompts.instructions import (
    PURPOSE,
    InstructionsChanged,
    ReviewInstructions,
    instructions,
)
from sluicegate.vet.verdict.consensus import Role
from sluicegate.vet.verdict.decision import judge_reviewed
from sluicegate.vet.verdict.envelope import Review, with_unasked
from sluicegate.vet.verdict.types import Verdict

if TYPE_CHECKING:
    from datetime import date

    from sluicegate.record.ledger.ledger import Ledger
    from sluicegate.vet.review.panel.case import ReviewCase
    from sluicegate.vet.review.providers.seats import SeatSettings
    from sluicegate.vet.verdict.consensus import Panel
    from sluicegate.vet.verdict.envelope import Package
    from sluicegate.vet.verdict.ruling import Rulings
    from sluicegate.vet.verdict.suppression import Baseline
    from sluicegate.vet.verdict.types import Finding, Gap

POLICY = Path(__file__).with_name("review.toml")
CALLER = "review"
_SKILL = Labels.of("src:skill", "untrusted")
_MODEL = ("exfil", "llm")
_VERDICT = ("privileged", "review:decide")
_OF_TRUST = frozenset({LabelCategory.TRUST, LabelCategory.INFLUENCE, LabelCategory.PROVENANCE})
_SHORT = 16


class ReviewDenied(VetError):
    """The monitor refuses what a review cannot do without. Nothing was decided."""

    code = "review-denied"

    def __init__(self, denial: Denial) -> None:
        super().__init__(
            f"the review was stopped, and nothing was decided: {denial.reason} ({denial.code})",
            hint=denial.suggestions[0] if denial.suggestions else "",
        )
        self.denial = denial


class TakenIn(NamedTuple):
    """What a panel is shown and told, with its labels: packages by their number in the case, instructions by their role."""

    packages: Mapping[int, Labeled[MediatedPackage]]
    told: Mapping[Role, Labeled[ReviewInstructions]]


class DecisionTerms(NamedTuple):
    """What a verdict rests on besides the review: what the scanner knows, and what persons have said.

    ``unasked`` is a finding of ours that the panel was not asked about.
    """

    gaps: tuple[Gap, ...]
    baseline: Baseline
    today: date
    rulings: Rulings
    bundle: str
    unasked: Finding | None = None


class MonitoredVerdict(NamedTuple):
    """A verdict, and the events in the ledger that it follows from."""

    verdict: Verdict
    events: tuple[str, ...]


class ReviewMonitor:
    """The monitor of one run. With a ``ledger``, nothing happens without its event there.

    A review that is begun inside a branch of another program under a monitor stands apart from it: what that program distrusts
    says nothing of the skill, and would silence an alarm. What it keeps secret is kept: a question tells of it, so none is asked.
    """

    def __init__(self, ledger: Ledger | None = None, *, clock: Clock = time.time_ns) -> None:
        documents = [load_file(POLICY, shown_as=POLICY.name)]
        if ledger is not None:
            documents.append(from_tree({"defaults": {"fail_closed": True}}, name="recorded"))
        layers = Layers(documents, place=Place(base="/", home="/"))
        granted = Grant(source="policy", modules=tuple(layers.privilege().modules))
        registry = GuardRegistry(privileges=Privileges(granted))
        registry.load(guards.__name__)
        self.kernel = Monitor(
            layers=layers,
            guards=registry,
            ledger=ledger,
            cwd=Path("/"),
            screen=_Unsaid,
            log=_Unsaid,
            clock=clock,
        )
        self._verified: dict[ReviewInstructions, str | None] = {}

    @contextmanager
    def apart(self) -> Iterator[None]:
        """A review stands in no branch of its caller's but for what the caller keeps secret."""
        with apart() as left, branch(_confidential(left)):
            yield

    def take_in(
        self,
        skill: str,
        packages: Mapping[int, MediatedPackage],
        told: Iterable[ReviewInstructions],
    ) -> TakenIn:
        """The packages of a skill and the instructions of its panel, with labels and the events that tell of them (1)."""
        bundle = self._noted(events.Label(var=f"@skill:{skill}", by="intake", add=_SKILL.names()))
        return TakenIn(
            {at: self._shown(each, bundle) for at, each in packages.items()},
            {each.role: self._told(each) for each in told},
        )

    async def ask(
        self,
        skill: str,
        seat: SeatSettings,
        told: Labeled[ReviewInstructions],
        package: Labeled[MediatedPackage],
        *,
        put: Callable[[ReviewInstructions, MediatedPackage], Awaitable[PackageOutcome]],
        refused: Callable[[str], PackageOutcome],
    ) -> Labeled[PackageOutcome]:
        """What a seat makes of a package (2): ``put`` asks it. ``refused`` is the abstention where nothing may be asked.

        Raises InstructionsChanged, ReviewDenied where the ledger cannot be written, and what ``put`` raises.
        """
        raised: list[BaseException] = []
        plan = _call(
            ASK,
            {"instructions": told, "package": package},
            partial(self._asked, skill, seat, put, raised),
            labels=_MODEL,
            word=f"ask:{seat.name}/{seat.model}",
            var=f"@{seat.name}",
        )
        denial: Denial | None = None
        value: Labeled[PackageOutcome] | None = None
        try:
            value = await self.kernel.perform_async(plan)
        except Denied as error:
            denial = error.denial
        if raised:
            raise raised[0]
        if denial is not None:
            _stopping(denial)
        elif value is not None and not _has_failed(value):
            return value
        why = f"{denial.reason} ({denial.code})" if denial is not None else "the monitor refuses the question"
        return Labeled(refused(why), package.labels, package.trail)

    def admit(
        self,
        case: ReviewCase,
        asked: tuple[Package, ...],
        panel: Panel,
        answers: Sequence[Labeled[PackageOutcome]],
    ) -> Labeled[Review]:
        """What the envelope admits of the answers, blessed (3). Raises ReviewDenied."""

        def together(given: tuple[PackageOutcome, ...]) -> GivenReplies:
            return GivenReplies(case.findings, asked, replies_of(panel, given), panel, case.parts)

        return self._perform(ENVELOPE, {"answers": Labeled(tuple(answers))}, together, var="@admitted")

    def decide(self, review: Labeled[Review], terms: DecisionTerms) -> MonitoredVerdict:
        """The verdict on a review (4). Raises ReviewDenied."""

        def judged(admitted: Review) -> Verdict:
            return judge_reviewed(
                admitted if terms.unasked is None else with_unasked(admitted, terms.unasked),
                terms.gaps,
                baseline=terms.baseline,
                today=terms.today,
                rulings=terms.rulings,
                bundle=terms.bundle,
            )

        with self.apart():
            value = self._perform(DECIDE, {"review": review}, judged, labels=_VERDICT, var="@verdict")
            return MonitoredVerdict(self.handed_out(value), events_of(value.trail))

    def handed_out(self, value: object) -> Any:
        """A content for a report, without its labels: the decision does not take it any more. Raises ReviewDenied."""
        try:
            return self.kernel.return_(value)
        except Denied as error:
            raise ReviewDenied(error.denial) from None

    def _asked(
        self,
        skill: str,
        seat: SeatSettings,
        put: Callable[[ReviewInstructions, MediatedPackage], Awaitable[PackageOutcome]],
        raised: list[BaseException],
        ready: Ready,
    ) -> Procedure[Came]:
        told = ready.content(Channel.ARGUMENT, "instructions")
        package = ready.content(Channel.ARGUMENT, "package")
        try:
            outcome: PackageOutcome = yield Do(lambda: put(told, package))
        except BaseException as error:
            raised.append(error)
            raise
        advised = self.kernel.parts.note(_advised(skill, seat, outcome, ready.event))
        if isinstance(advised, Denial):
            raise OperationRefused(advised, ready.early)
        return Came(outcome, event=advised or "")

    def _perform(
        self,
        name: str,
        inputs: Mapping[str, object],
        effect: Callable[..., object],
        *,
        var: str,
        labels: tuple[str, ...] = (),
    ) -> Labeled[Any]:
        """One operation that the review cannot do without."""
        raised: list[BaseException] = []

        def carried_out(ready: Ready) -> Procedure[Came]:
            given = ready.contents(Channel.ARGUMENT).values()
            try:
                made = yield Do(lambda: effect(*given))
            except BaseException as error:
                raised.append(error)
                raise
            return Came(made)

        try:
            value = self.kernel.perform(
                _call(name, inputs, carried_out, labels=labels, word=f"call:{name}", var=var)
            )
        except Denied as error:
            raise ReviewDenied(error.denial) from None
        if raised:
            raise raised[0]
        if _has_failed(value):
            raise ReviewDenied(_unread(name))
        return value

    def _shown(self, package: MediatedPackage, bundle: str | None) -> Labeled[MediatedPackage]:
        short = package.digest[:_SHORT]
        label = events.Label(
            var=f"@package:{short}", by="mediator", add=_SKILL.names(), inputs=(bundle,) if bundle else ()
        )
        return Labeled(package, _SKILL, _from(self._noted(label), f"package:{short}"))

    def _told(self, told: ReviewInstructions) -> Labeled[ReviewInstructions]:
        if told not in self._verified:
            self._verified[told] = self._noted(
                events.Verify(
                    var=told.name,
                    purpose=PURPOSE,
                    result=True,
                    hash=f"sha256:{told.digest}",
                    by=told.signer,
                    caller=CALLER,
                )
            )
        words = (f"template:{told.name.removeprefix('@')}", f"told:{told.digest[:_SHORT]}")
        return Labeled(told, trail=_from(self._verified[told], *words))

    def _noted(self, event: events.Event) -> str | None:
        done = self.kernel.parts.note(event)
        if isinstance(done, Denial):
            raise ReviewDenied(done)
        return done


class _Unsaid:
    """Where the monitor's own lines go: what it refuses is an abstention or an error, and is told as that."""

    def write(self, _: str, /) -> None:
        """Nothing."""


def named(skill: str) -> str:
    """The skill's name in the ledger, which is not to be taken for that of a value."""
    return f"./{skill}" if skill.startswith("@") else skill


def _call(
    name: str,
    inputs: Mapping[str, object],
    effect: Callable[[Ready], Procedure[Came]],
    *,
    labels: tuple[str, ...],
    word: str,
    var: str,
) -> Plan:
    operation = ops.call(name, inputs, labels=labels)
    (request,) = ops.to_requests(operation)
    return Plan(
        operations=(operation,),
        inputs={(Channel.ARGUMENT, key): value for key, value in inputs.items()},
        asks_always=request,
        effect=effect,
        word=word,
        function=name,
        var=var,
    )


def _advised(skill: str, seat: SeatSettings, outcome: PackageOutcome, event: str) -> events.Advised:
    return events.Advised(
        var=named(skill),
        by=seat.name,
        model=seat.model,
        role=seat.role,
        shown=outcome.shown,
        told=outcome.instructions,
        vote=outcome.vote.name,
        replies=tuple(hashlib.sha256(reply.counted).hexdigest() for reply in outcome.replies),
        code=outcome.code,
        inputs=(event,) if event else (),
    )


def _stopping(denial: Denial) -> None:
    """Raise the error of a refusal after which nothing may go on (5)."""
    if denial.blocked_by == f"Guard {SIGNED}":
        for role in Role:
            instructions(role)
        raise InstructionsChanged("@instructions", "content-changed", denial.reason)
    if denial.code is Code.LEDGER_UNAVAILABLE:
        raise ReviewDenied(denial)


def _has_failed(value: Labeled[Any]) -> bool:
    with branch(value):
        return bool(value.failed)


def _confidential(labels: Labels) -> Labels:
    return Labels.of(*(name for name in labels.names() if category(name) not in _OF_TRUST))


def _from(event: str | None, *words: str) -> Trail:
    trail = Trail.of(*words)
    return coming_from(trail, event) if event else trail


def _unread(name: str) -> Denial:
    return Denial(
        code=Code.GUARD_DENIED,
        operation=f"call {name}",
        blocked_by="Guard envelope",
        rule="what is not a set of replies is not read",
        reason="The envelope could not read what it was given",
        suggestions=("This is an error of sluicegate's: please report it",),
    )

"""Panels to test with: seats whose models are functions, and time that passes only where somebody waits for it."""

import asyncio
import itertools
import json
import selectors
from collections.abc import Callable, Sequence
from functools import cache

from model_personalities import opinion
from model_server import Asked
from review_samples import finding, subject
from sluicegate.vet.review.mediator.about_findings import about_findings
from sluicegate.vet.review.mediator.mediate import mediate
from sluicegate.vet.review.mediator.settings import MediatorSettings
from sluicegate.vet.review.mediator.subject import SkillTexts
from sluicegate.vet.review.monitored.monitor import ReviewMonitor
from sluicegate.vet.review.panel.attempts import Surroundings
from sluicegate.vet.review.panel.case import ReviewCase, case_of
from sluicegate.vet.review.panel.outcomes import PanelReview
from sluicegate.vet.review.panel.run import ReviewRun, review_cases
from sluicegate.vet.review.panel.settings import PanelSettings
from sluicegate.vet.review.panel.store import ReplyStore
from sluicegate.vet.review.providers.asking import ModelAnswer, ModelFailure, ModelQuestion, TokenUsage
from sluicegate.vet.review.providers.seats import SeatSettings
from sluicegate.vet.verdict.types import Severity

SKILL = "---\nname: notes\ndescription: Keeps meeting notes tidy.\n---\nRun run.py.\n"
Model = Callable[[Asked], ModelAnswer | ModelFailure | str | bytes]


class _Jumping(selectors.DefaultSelector):
    """Does not wait: it lets time pass instead.

    ``patience`` are seconds to wait in truth before that, for what other threads and the kernel are about to hand over.
    """

    def __init__(self, patience: float) -> None:
        super().__init__()
        self.now, self._patience = 0.0, patience

    def select(self, timeout: float | None = None):
        ready = super().select(0)
        if not ready and self._patience and timeout != 0:
            ready = super().select(self._patience if timeout is not None and timeout < 1 else 60)
        if not ready:
            assert timeout is not None, "everybody waits for something that will not come"
            self.now += timeout
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only while nothing else is to be done."""

    def __init__(self, patience: float = 0.0) -> None:
        self.jumping = _Jumping(patience)
        super().__init__(self.jumping)

    def time(self) -> float:
        return self.jumping.now


def jumping(work, patience: float = 0.0):
    """What a coroutine gives, and the seconds that it would have taken."""
    with asyncio.Runner(loop_factory=lambda: JumpingLoop(patience)) as runner:
        begun = runner.get_loop().time()
        given = runner.run(work)
        return given, runner.get_loop().time() - begun


_NONCES = itertools.count()


def world() -> Surroundings:
    """Surroundings in which nothing is left to chance. No two runs have one name."""
    return Surroundings(
        clock=lambda: asyncio.get_running_loop().time(),
        sleep=asyncio.sleep,
        chance=lambda: 0.5,
        nonce=lambda: f"{next(_NONCES):032x}",
    )


class Modelled:
    """A provider that asks a function. ``most`` is how many of its questions were under way at once."""

    def __init__(self, model: Model, seconds: float = 0.2) -> None:
        self.model, self.seconds = model, seconds
        self.asked: list[ModelQuestion] = []
        self.now = self.most = 0
        self.closed = False

    async def ask(self, question: ModelQuestion) -> ModelAnswer | ModelFailure:
        self.asked.append(question)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.now -= 1
        asked = Asked("none", question.model, question.system, question.user, dict(question.schema))
        given = self.model(asked)
        if isinstance(given, str | bytes):
            body = given.encode() if isinstance(given, str) else given
            return ModelAnswer(body, question.model, TokenUsage(100, 10))
        return given

    async def close(self) -> None:
        self.closed = True


def saying(word: str, **more) -> Model:
    return lambda asked: opinion(asked, word, injection=word == "MALICIOUS" and "note" in more, **more)


def in_turn(*models: Model) -> Model:
    """The first model for the first question, the next for the next; the last for all that follow."""
    left = list(models)
    return lambda asked: (left.pop(0) if len(left) > 1 else left[0])(asked)


def seat(name: str, role: str = "findings", family: str = "qwen", **given) -> SeatSettings:
    return SeatSettings(
        **{"name": name, "wire": "openai-chat", "url": "http://127.0.0.1:9/v1", "model": f"m-{name}", "role": role, "family": family}
        | given
    )  # fmt: skip


THREE = (
    seat("ada", family="gpt"),
    seat("bo", "skill", family="claude"),
    seat("cy", "detector", family="qwen"),
)


def case(count: int = 2, *, settings: MediatorSettings | None = None, files=None) -> ReviewCase:
    """A skill with so many findings."""
    files = files or {"SKILL.md": SKILL, "run.py": "\n".join(f"x{n} = {n}" for n in range(max(1, count)))}
    findings = [finding(n + 1, "run.py", n + 1, severity=Severity.MEDIUM) for n in range(count)]
    made = subject(files, findings)
    return case_of("notes", made, mediate(made, settings or MediatorSettings()))


@cache
def split(count: int) -> ReviewCase:
    """A skill with so many findings, each in a package of its own."""
    whole = case(count)
    alone = subject({"run.py": "\n".join(f"x{n} = {n}" for n in range(count))})
    packages = [
        package
        for each in whole.findings
        for package in about_findings(
            SkillTexts(alone._replace(findings=(each,))), MediatorSettings()
        ).packages
    ]
    rest = [package for package in whole.packages.packages if not package.about]
    return whole._replace(packages=whole.packages._replace(packages=(*packages, *rest), omissions=()))


class Asking:
    """Runs a panel whose seats are these models, by name; keeps what was asked."""

    def __init__(
        self,
        models: dict[str, Model],
        *,
        seconds: float = 0.2,
        store: ReplyStore | None = None,
        monitor: ReviewMonitor | None = None,
    ) -> None:
        self.providers = {name: Modelled(model, seconds) for name, model in models.items()}
        self.store = store or ReplyStore(None)
        self.monitor = monitor
        self.events: list[object] = []
        self.watch: Callable[[object], None] = self.events.append
        self.seconds = 0.0
        self.run: ReviewRun | None = None

    def __call__(self, case: ReviewCase, settings: PanelSettings | Sequence[SeatSettings]) -> PanelReview:
        return self.all([case], settings)[0]

    def all(
        self, cases: Sequence[ReviewCase], settings: PanelSettings | Sequence[SeatSettings]
    ) -> list[PanelReview]:
        """Puts several skills before the panel in one run."""
        if not isinstance(settings, PanelSettings):
            settings = PanelSettings(tuple(settings))

        async def work() -> list[PanelReview]:
            async with ReviewRun(
                settings,
                self.store,
                world=world(),
                make=lambda one: self.providers[one.name],
                watch=self.watch,
                monitor=self.monitor,
            ) as run:
                self.run = run
                return await review_cases(run, cases)

        given, self.seconds = jumping(work())
        return given

    def count(self, name: str) -> int:
        return len(self.providers[name].asked)


def whole(value: object) -> bytes:
    return json.dumps(value).encode()

"""Coding agents as reviewers: each question a new process in a sandbox with an empty home, and without tools.

The agent sees its own program, the files of its question, and the network, which it needs to reach its model. Nothing of
its user is there: no settings, no memory, no skills, no project. Where no sandbox can be made none is asked.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from sluicegate.flow.credentials.stores import trusted_binary
from sluicegate.flow.environments.configuration.config import (
    CommandLimits,
    EnvironmentConfig,
    HostNetwork,
    Root,
    Roots,
)
from sluicegate.flow.environments.confinement.protection import Protection
from sluicegate.flow.environments.providers.bubblewrap import BubblewrapProvider
from sluicegate.flow.environments.run.command import Command, Completed, Stage
from sluicegate.flow.environments.use import Providers, environment_async, execute_async
from sluicegate.flow.errors import CredentialError, EnvironmentFailure
from sluicegate.record.work_tree import work_tree
from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.review.providers import keys
from sluicegate.vet.review.providers.agent_forms import FORMS, PLACE, Invocation, unclear
from sluicegate.vet.review.providers.asking import (
    FailureCode,
    ModelAnswer,
    ModelFailure,
    ModelQuestion,
    late,
    not_set_up,
    too_big,
    without_key,
)
from sluicegate.vet.review.providers.seats import SeatSettings

_INSIDE = "/agent"
_PROCESSES = 512
_FURNISH = ("/bin/sh", "-c", f'cp -r {PLACE}/home/. "$HOME" && exec "$@"', "sh")
"""Before an agent that takes its settings from its home alone: the home is empty, new and in memory."""
_INSTALL = {
    "claude-code": "npm install -g @anthropic-ai/claude-code",
    "codex": "npm install -g @openai/codex",
    "gemini-cli": "npm install -g @google/gemini-cli",
}


class AgentProgram(NamedTuple):
    """What is started inside, and what is shown there for it to run."""

    words: tuple[str, ...]
    roots: tuple[Root, ...]


class AgentProvider:
    """Asks a coding agent. Raises ConfigError when its program is not there."""

    def __init__(self, seat: SeatSettings) -> None:
        self._seat, self._form = seat, FORMS[seat.wire]
        self._program = find_program(seat, os.environ.get("PATH", ""), work_tree(Path.cwd()))

    async def ask(self, question: ModelQuestion) -> ModelAnswer | ModelFailure:
        """Ask once, in a process of its own."""
        try:
            key = await asyncio.to_thread(keys.fetch_here, self._seat.key) if self._seat.key else None
        except ConfigError as error:
            return not_set_up(error.message, error.hint)
        said = self._form.invocation(question, self._seat.address)
        with tempfile.TemporaryDirectory(prefix="sluicegate-review-") as folder:
            Path(folder, "empty").mkdir()
            for name, content in {
                **said.files,
                **{f"home/{at}": text for at, text in said.home.items()},
            }.items():
                Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
                Path(folder, name).write_text(content, encoding="utf-8")
            secrets = {self._form.key: key.unseal().encode()} if key is not None else {}
            try:
                completed = await self._run(question, said, Path(folder).resolve(), secrets)
            except EnvironmentFailure as error:
                return not_set_up(f"the agent cannot be run in a sandbox: {error.message}", error.hint)
        return without_key(self._read(completed, question), key)

    async def _run(
        self, question: ModelQuestion, said: Invocation, folder: Path, secrets: dict[str, bytes]
    ) -> Completed:
        stage = Stage(
            argv=(*(_FURNISH if said.home else ()), *self._program.words, *said.arguments),
            vars={"HOME": "/tmp", "TERM": "dumb", "NO_COLOR": "1", **said.variables},
            secrets=secrets,
        )
        config = EnvironmentConfig(
            roots=Roots(read=(*self._program.roots, Root(host=str(folder), inside=PLACE))),
            net=HostNetwork(),
            limits=CommandLimits(
                time=int(question.bounds.seconds * 1000), processes=_PROCESSES, output=question.bounds.wire
            ),
            cwd=f"{PLACE}/empty",  # a word such as @name brings in a file of the working folder, unasked
        )
        providers = Providers(by_name={config.provider: BubblewrapProvider({}, Protection())})
        async with environment_async(config, providers) as session:
            return await execute_async(
                session, Command(stages=(stage,), stdin=said.stdin.encode("utf-8", "replace"))
            )

    def _read(self, completed: Completed, question: ModelQuestion) -> ModelAnswer | ModelFailure:
        """1. Out of time, 2. too much, 3. not UTF-8, 4. what it wrote; 5. an exit code beside a whole answer is a failure."""
        most = question.bounds.answer
        if completed.timed_out:  # 1
            return late(question.bounds.seconds)
        if completed.killed_for is not None:
            return ModelFailure(
                FailureCode.BROKEN, f"the agent was ended: it used too much ({completed.killed_for})"
            )
        if completed.stdout_truncated:  # 2
            return too_big(most, completed.stdout)
        try:
            completed.stdout.decode()
        except UnicodeDecodeError:  # 3
            return ModelFailure(
                FailureCode.NOT_UTF8, "what the agent wrote is not UTF-8", heard=completed.stdout
            )
        given = self._form.answer(completed.stdout, completed.stderr, most)  # 4
        if isinstance(given, ModelAnswer) and completed.codes != (0,):  # 5
            return unclear(given.body, completed.stderr)
        return given

    async def close(self) -> None:
        """Nothing: each question has its own process, which is gone."""


def find_program(seat: SeatSettings, path: str, project: Path | None) -> AgentProgram:
    """The program of a seat, and what it needs. Raises ConfigError when it, or Node for a script, is not to be trusted."""
    form = FORMS[seat.wire]
    place = Path(seat.program) if seat.program else None
    try:
        found = (
            trusted_binary(form.program, path, project)
            if place is None
            else trusted_binary(place.name, str(place.parent), project)
        )
        with found.open("rb") as stream:
            native = stream.read(4) == b"\x7fELF"
        if native:
            inside = f"{_INSIDE}/{form.program}"
            return AgentProgram((inside,), (Root(host=str(found), inside=inside),))
        node = trusted_binary("node", path, project)
    except CredentialError as error:
        raise ConfigError(
            f"the seat {seat.name}: {error.message}",
            hint=f'Install it ({_INSTALL[seat.wire]}), or name it: program = "/...". {error.hint}'.rstrip(
                ". "
            )
            + ".",
        ) from None
    except OSError as error:
        raise ConfigError(f"the seat {seat.name}: {form.program} cannot be read: {error.strerror}") from None
    top = next((folder for folder in reversed(found.parents) if folder.name == "node_modules"), found.parent)
    shown = f"{_INSIDE}/node_modules"
    words = (f"{_INSIDE}/node", f"{shown}/{found.relative_to(top)}")
    return AgentProgram(words, (Root(host=str(top), inside=shown), Root(host=str(node), inside=words[0])))

"""A scanner: rules, analyzers and caches made once, for as many scans as you like."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import chain
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from sluicegate import __version__
from sluicegate.tuples import NamedTuple
from sluicegate.vet.config import ScanConfig
from sluicegate.vet.errors import ConfigError, NothingChanged, VetError
from sluicegate.vet.inspect.catalogue import assemble, digest_of, disabled, severity_notes
from sluicegate.vet.inspect.rule import Rule, Sibling
from sluicegate.vet.inspect.siblings import siblings_of
from sluicegate.vet.intake.bundle import Bundle
from sluicegate.vet.intake.sources import Source, Unit, Units, open_bytes, open_source, read_unit
from sluicegate.vet.intake.targets import without_query
from sluicegate.vet.intake.units import holding
from sluicegate.vet.report import Report, SkillReport, limits_of
from sluicegate.vet.rulings import KnownRulings
from sluicegate.vet.skill import Examined, examine, judged, unexamined
from sluicegate.vet.verdict.types import Finding

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from pathlib import Path

    from sluicegate.vet.parallel import Done
    from sluicegate.vet.results import ResultsFile

Progress = Callable[[int, int, str], None]
"""Called with (skills done, skills known so far, name of the last one)."""

_UNITS_PER_WORKER = 8
"""Below this many skills for each process, starting another process costs more than it saves."""


_PART = "This is part {} of {}: the other skills are in the other parts."


class Unscanned(NamedTuple):
    """A source that could not be scanned, and why. Nothing was decided of it."""

    source: str
    error: VetError


class Piece(NamedTuple):
    """One skill to examine, and those that stand near it in its source. Picklable."""

    unit: Unit
    siblings: tuple[Sibling, ...]


_Todo: TypeAlias = "Piece | Done[Seen]"


class ScanRun(NamedTuple):
    """How a scanner goes through some sources: see ``Scanner.scan_many``. A result for ``stop`` ends it."""

    executor: Executor | None = None
    progress: Progress | None = None
    resume: str | PathLike[str] | None = None
    shard: tuple[int, int] | None = None
    changed: Collection[str] | None = None
    stop: Future[None] | None = None


class Seen(NamedTuple):
    """What was seen of one skill; ``key`` names what was looked at (see ``results``), where that is asked for."""

    key: str
    examined: Examined


class Opening(NamedTuple):
    """What a source is called, how it is opened, and who publishes it, empty where its address does not say."""

    name: str
    open: Callable[[], Source]
    publisher: str = ""


class _Opened:
    """A source, and what is known of its skills so far."""

    def __init__(self, opening: Opening, source: Source | VetError) -> None:
        self.name, self.publisher = opening.name, opening.publisher
        self.source: Source | VetError = source
        self.wanted = 0
        self.seen: list[Examined] = []
        self.listed = isinstance(source, VetError)
        """Whether ``wanted`` counts all that is to be examined of it."""

    def refuse(self, error: VetError) -> None:
        """Nothing of it is to be scanned."""
        if isinstance(self.source, Source):
            self.source.close()
        self.source, self.listed = error, True

    @property
    def complete(self) -> bool:
        return self.listed and len(self.seen) == self.wanted


class Scanner:
    """Scans skills with one configuration. Made once, and used as often as you like.

    A scanner holds the compiled rules and what they need, some tens of MB; the first scan makes them ready. It may be
    used from several threads at once, and dropped in any: each thread that scans gets what YARA-X binds to a thread.
    The same bytes on the same day give the same report, whichever method is used, whatever the number of processes and
    the order of files; the day is ``config.today``, or else that of the clock, in UTC. Use it plainly, or in a
    ``with`` block, after which it scans no more.

    Raises ConfigError when the configuration names a rule that does not exist, leaves none, or a rule file is wrong.
    """

    def __init__(self, config: ScanConfig | None = None) -> None:
        if config is None:
            config = ScanConfig()
        elif not isinstance(config, ScanConfig):
            raise ConfigError(f"a Scanner takes a ScanConfig, not {type(config).__name__}")
        self._config = config
        self._analyzers, self._known = assemble(config)
        self._closed = False
        if not self._analyzers:
            raise ConfigError(
                "every rule is switched off", hint="Leave at least one rule on: see --rules and [rules]."
            )

    def __enter__(self) -> Scanner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the rules go, but for the shipped ones (13 MB), which the next scanner takes. A scan afterwards raises ConfigError."""
        self._closed = True
        self._analyzers = ()

    @property
    def config(self) -> ScanConfig:
        """The configuration."""
        return self._config

    @property
    def digest(self) -> str:
        """A digest of all that decides what is seen in given bytes: this release, the rules and the settings.

        The baseline, rulings of persons, flags of publishers and the day are not in it, nor is the number of processes: they
        decide what follows from what is seen.
        """
        from sluicegate.vet.verdict.encoding import digest

        return digest(__version__, digest_of(self._analyzers), repr(_bearing(self._config)))

    def scan(
        self,
        source: str | PathLike[str],
        *,
        stdin: BinaryIO | None = None,
        progress: Progress | None = None,
        executor: Executor | None = None,
        changed: Collection[str] | None = None,
    ) -> Report:
        """Scan ``source`` and say what was found.

        ``source`` is a directory, a file, an archive, a git or https URL, or ``-`` for a tar on ``stdin``. A directory
        or archive that holds many skills gives one ``SkillReport`` for each. ``executor``, ``changed``: see ``scan_many``.

        Raises SourceError (the source cannot be read), NothingToInspect (it holds nothing that an agent would load)
        and NothingChanged (no skill holds a changed file); all are VetError.
        """
        return _only(
            self.scan_many([source], stdin=stdin, progress=progress, executor=executor, changed=changed)
        )

    def scan_bytes(self, content: bytes | Mapping[str, bytes], *, name: str = "skill") -> Report:
        """Scan what is at hand: the bytes of an archive or of one file, or the files of a folder by their paths.

        ``name`` is what the source is called; where ``content`` is bytes it is a file name, whose suffix helps to tell
        what they are. Files given by their paths give the report that a folder with them would.
        """
        return _only(self.results_of_bytes(content, name, ScanRun()))

    def scan_installed(
        self,
        *,
        home: Path | None,
        project: Path,
        environ: Mapping[str, str],
        progress: Progress | None = None,
        executor: Executor | None = None,
        within: Callable[[str], bool] | None = None,
    ) -> Report:
        """Scan what is installed for the agents of this machine: skills, plugins, commands, hooks and MCP servers.

        ``home`` is the user's home directory (None where there is none), ``project`` the folder whose own
        installations count as well, and ``environ`` may put an agent's folder elsewhere (``CLAUDE_CONFIG_DIR``). ``within`` says of a
        place whether it may be read; what leads elsewhere leaves a gap.
        The report says where was looked (``looked``). Raises NothingToInspect where nothing is installed.
        """
        from sluicegate.vet.intake.installed.machine import NAME, NO_HOME, open_installed

        installed = open_installed(home, project, environ, self._config.limits, within)
        run = ScanRun(progress=progress, executor=executor)
        report = _only(self._results([Opening(NAME, lambda: installed.source)], run))
        notes = (*report.notes, NO_HOME) if home is None else report.notes
        return report._replace(looked=installed.looked, notes=notes)

    def scan_many(
        self,
        sources: Iterable[str | PathLike[str]],
        *,
        executor: Executor | None = None,
        stdin: BinaryIO | None = None,
        progress: Progress | None = None,
        resume: str | PathLike[str] | None = None,
        shard: tuple[int, int] | None = None,
        changed: Collection[str] | None = None,
    ) -> Generator[Report | Unscanned, None, None]:
        """Scan many sources; gives one result for each, in their order, as soon as it and all before it are there.

        A source that cannot be scanned gives ``Unscanned`` with the error, and the others go on.

        ``executor`` is anything with the interface of ``concurrent.futures.Executor``: it spreads the skills over its
        workers, which need the same files under the same paths (see ``sluicegate.executors`` for dask and ray).
        Without one, ``config.jobs`` says how many processes of our own may be used. A worker that dies costs a
        skill one more try, and then leaves a gap over the whole of it.

        ``resume`` names a file that keeps what has been examined; a later run with the same file goes on from there.
        ``shard`` ``(i, n)`` scans the i-th of n parts: every n-th skill of all sources, from the i-th one on. A source
        that has none in the shard gives nothing. ``changed`` are paths below a source that is a folder: of its skills,
        only those that hold one of them are scanned, beside all the others.
        """
        run = ScanRun(executor=executor, progress=progress, resume=resume, shard=shard, changed=changed)
        return self.results_of(sources, run, stdin=stdin)

    def scan_revision(
        self, targets: Iterable[str], revision: str
    ) -> Generator[Report | Unscanned, None, None]:
        """Scan what paths in Git work trees were at ``revision``; gives one result for each, as ``scan_many`` does.

        A path that was not there gives ``Unscanned`` with NothingToInspect. Nothing is checked out.
        """
        from sluicegate.vet.intake.repositories.revision import open_revision

        limits = self._config.limits
        openers = (Opening(target, partial(open_revision, target, revision, limits)) for target in targets)
        return self._results(openers, ScanRun())

    def results_of(
        self, sources: Iterable[str | PathLike[str]], run: ScanRun, *, stdin: BinaryIO | None = None
    ) -> Generator[Report | Unscanned, None, None]:
        """``scan_many``, for who has a ``ScanRun``."""
        if isinstance(sources, str | bytes | PathLike) or not isinstance(sources, Iterable):
            raise ConfigError(
                f"scan_many takes many sources, not {type(sources).__name__}", hint="Write [source]."
            )
        _check_shard(run.shard)
        _check_executor(run.executor)
        places: Iterable[str] = map(_place, sources)
        if run.resume is not None:
            places = list(places)
            _check_place(run.resume, places)
        openers = (
            Opening(
                place,
                partial(open_source, place, self._config.limits, stdin=stdin),
                self._config.flags.publisher_of(place),
            )
            for place in places
        )
        return self._results(openers, run)

    def results_of_bytes(
        self, content: bytes | Mapping[str, bytes], name: str, run: ScanRun
    ) -> Generator[Report | Unscanned, None, None]:
        """``scan_bytes``, for who has a ``ScanRun``."""
        if isinstance(content, bytearray | memoryview):
            content = bytes(content)
        if not isinstance(content, bytes):
            _check_files(content)
        if not isinstance(name, str) or not name or "/" in name:
            raise ConfigError(f"scan_bytes takes a name without folders, not {name!r}")
        return self._results([Opening(name, partial(open_bytes, content, name, self._config.limits))], run)

    def _results(self, openers: Iterable[Opening], run: ScanRun) -> Generator[Report | Unscanned, None, None]:
        if self._closed:
            raise ConfigError("this scanner is closed", hint="Make a new one, or scan inside its with block.")
        return _Running(self, openers, run).results()

    def read(self, piece: Piece) -> Bundle:
        """Read one skill."""
        return read_unit(piece.unit, self._config.limits, self._config.exclude)

    def see(self, piece: Piece, *, keyed: bool = False) -> Seen:
        """Look at one skill, here and now. Decides nothing."""
        bundle = self.read(piece)
        key = ""
        if keyed:
            from sluicegate.vet.results import key_of

            key = key_of(bundle, piece.siblings)
        return Seen(key=key, examined=examine(bundle, self._config, self._analyzers, piece.siblings))

    def report(self, source: str, skills: Sequence[SkillReport], unassigned: int) -> Report:
        """The report of a source with these skills."""
        fired = {finding.rule for skill in skills for finding in _every_finding(skill)}
        return Report(
            source=without_query(source),
            skills=tuple(skills),
            rules=tuple(self._rule(name) for name in sorted(fired)),
            disabled=disabled(self._config, self._known),
            limits=limits_of(skills, online=self._config.online),
            unassigned=unassigned,
            notes=(*severity_notes(self._config, self._known), *_ruling_notes(self._config.rulings, skills)),
        )

    def _rule(self, name: str) -> Rule:
        found = self._known.get(name)
        if found is None:
            from sluicegate.vet.inspect.recorded_rules import RECORDED  # few reports have a finding of these

            found = RECORDED[name]
        return found


def _place(source: object) -> str:
    """A source as text; an error that says what is wanted, where it is none."""
    place = os.fspath(source) if isinstance(source, PathLike) else source
    if not isinstance(place, str):
        hint = "Name a folder, a file, an archive or a URL; scan_bytes takes bytes."
        raise ConfigError(f"a source is a path or a text, not {type(place).__name__}", hint=hint)
    return place


class _Running:
    """One run of a scanner over some sources."""

    def __init__(
        self,
        scanner: Scanner,
        openers: Iterable[Opening],
        how: ScanRun,
    ) -> None:
        self._scanner = scanner
        self._openers = openers
        self._how = how
        self._kept: ResultsFile | None = None
        config = scanner.config
        if config.today is None:  # the one place where a scan looks at a clock
            config = config._replace(today=datetime.now(UTC).date())
        self._config = config
        self._opened: deque[_Opened] = deque()
        self._skills = 0
        """Skills of all sources opened so far, those of other shards included."""
        self._mine = 0
        self._done = 0

    def results(self) -> Generator[Report | Unscanned, None, None]:
        """One for each source that has something in the shard, in their order."""
        with ExitStack() as owned:
            if self._how.resume is not None:
                from sluicegate.vet.results import ResultsFile

                self._kept = owned.enter_context(ResultsFile(self._how.resume, self._scanner.digest))
            owned.callback(self._close)
            stream = self._seen(self._pieces())
            owned.callback(stream.close)
            while True:
                yield from self._completed()
                seen = next(stream, None)
                if seen is None:
                    break
                self._take(seen)
            yield from self._completed()

    def _pieces(self) -> Iterator[_Todo]:
        """What is to be examined, source by source; each is opened when its turn comes."""
        for opening in self._openers:
            try:
                source = opening.open()
            except VetError as error:
                self._opened.append(_Opened(opening, error))
                continue
            opened = _Opened(opening, source)
            self._opened.append(opened)
            units = source.units().units
            wanted = self._changed(source.units())
            if not wanted:
                opened.refuse(NothingChanged("no skill holds a changed file: nothing was scanned"))
                continue
            mine = [at for number, at in enumerate(wanted, self._skills) if self._in_shard(number)]
            self._skills += len(wanted)
            self._mine += len(mine)
            opened.wanted, opened.listed = len(mine), True
            siblings = siblings_of(units) if mine else []
            for at in mine:
                piece = Piece(unit=units[at], siblings=siblings[at])
                yield piece if self._kept is None else self._resumed(piece, self._kept)

    def _changed(self, units: Units) -> Sequence[int]:
        """Which of the skills of a source are to be scanned, by number, whatever the shard."""
        return range(len(units.units)) if self._how.changed is None else holding(units, self._how.changed)

    def _in_shard(self, number: int) -> bool:
        return self._how.shard is None or number % self._how.shard[1] == self._how.shard[0] - 1

    def _resumed(self, piece: Piece, kept: ResultsFile) -> _Todo:
        """What was seen of this very skill before, or the piece when it was not examined."""
        if not len(kept):
            return piece
        from sluicegate.vet.parallel import Done
        from sluicegate.vet.results import key_of

        known = kept.get(key_of(self._scanner.read(piece), piece.siblings))
        return piece if known is None else Done(Seen(key="", examined=known))

    def _seen(self, todo: Iterator[_Todo]) -> Generator[Seen, None, None]:
        """What is seen of each, in order: here, or in processes when there is enough to share."""
        keyed, config = self._kept is not None, self._config
        if self._how.executor is None:
            first, fresh, enough = [], 0, config.jobs * _UNITS_PER_WORKER
            while config.jobs > 1 and fresh < enough and (piece := next(todo, None)) is not None:
                first.append(piece)
                fresh += isinstance(piece, Piece)
            todo = chain(first, todo)
            workers = min(config.jobs, fresh // _UNITS_PER_WORKER)
            if workers < 2:
                for one in todo:
                    yield self._scanner.see(one, keyed=keyed) if isinstance(one, Piece) else one.result
                return
        from sluicegate.vet.parallel import Work, in_executor, in_processes

        job = partial(see_all, _bearing(config), self._scanner.digest, keyed)
        work = Work[Piece, Seen](job=job, lost=_lost)
        if self._how.executor is None:
            yield from in_processes(todo, work, workers=workers)
        else:
            yield from in_executor(todo, work, self._how.executor, stop=self._how.stop)

    def _take(self, seen: Seen) -> None:
        opened = next(opened for opened in self._opened if not opened.complete)
        opened.seen.append(seen.examined)
        if self._kept is not None and seen.key:
            self._kept.add(seen.key, seen.examined)
        self._done += 1
        if self._how.progress is not None:
            self._how.progress(self._done, self._mine, seen.examined.name)

    def _completed(self) -> Iterator[Report | Unscanned]:
        while self._opened and self._opened[0].complete:
            opened = self._opened.popleft()
            if isinstance(opened.source, VetError):
                yield Unscanned(source=without_query(opened.name), error=opened.source)
                continue
            unassigned = opened.source.units().unassigned
            opened.source.close()
            if opened.seen or self._how.shard is None:
                skills = [judged(examined, self._config, opened.publisher) for examined in opened.seen]
                report = self._scanner.report(opened.name, skills, unassigned)
                yield (
                    report
                    if self._how.shard is None
                    else report._replace(notes=(*report.notes, _PART.format(*self._how.shard)))
                )

    def _close(self) -> None:
        for opened in self._opened:
            if isinstance(opened.source, Source):
                opened.source.close()


def see_all(config: ScanConfig, digest: str, keyed: bool, pieces: Sequence[Piece]) -> list[Seen]:
    """The task of a worker: what is seen of some skills. Deterministic, and picklable both ways.

    ``digest`` is that of the scanner that asks. Raises ConfigError when this worker would see something else.
    """
    scanner = _of_worker(config, digest)
    return [scanner.see(piece, keyed=keyed) for piece in pieces]


@lru_cache(maxsize=2)
def _of_worker(config: ScanConfig, digest: str) -> Scanner:
    scanner = Scanner(config)
    if scanner.digest != digest:
        raise ConfigError(
            "a worker has another release of sluicegate, or other rules",
            hint="Install the same release for all workers, and your own rules under the same path.",
        )
    return scanner


def _bearing(config: ScanConfig) -> ScanConfig:
    """The settings that bear on what is seen, without those that decide what follows from it."""
    default = ScanConfig()
    return config._replace(
        baseline=default.baseline,
        rulings=default.rulings,
        flags=default.flags,
        today=default.today,
        jobs=default.jobs,
    )


def _lost(piece: Piece, why: str) -> Seen:
    return Seen(key="", examined=unexamined(piece.unit, why))


def _only(results: Iterator[Report | Unscanned]) -> Report:
    found = next(results)
    for _ in results:
        raise AssertionError("one source has one result")
    if isinstance(found, Unscanned):
        raise found.error
    return found


def _ruling_notes(known: KnownRulings, skills: Sequence[SkillReport]) -> tuple[str, ...]:
    """What is said of rulings, where there are any: no other scan needs what says it."""
    if not known.given:
        return ()
    from sluicegate.vet.review.queue.notes import ruling_notes

    return ruling_notes(known, skills)


def _every_finding(skill: SkillReport) -> Iterator[Finding]:
    verdict = skill.verdict
    yield from verdict.findings
    yield from verdict.listed
    yield from (s.finding for s in verdict.suppressed)


def _check_files(content: object) -> None:
    if not isinstance(content, Mapping):
        raise ConfigError(
            f"scan_bytes takes bytes, or a mapping of paths to bytes, not {type(content).__name__}"
        )
    for path, data in content.items():
        if not isinstance(path, str) or not isinstance(data, bytes):
            raise ConfigError(
                f"scan_bytes takes paths (str) with bytes, not {type(path).__name__} with {type(data).__name__}"
            )


def _check_shard(shard: object) -> None:
    if shard is None:
        return
    whole = isinstance(shard, tuple) and len(shard) == 2 and all(type(part) is int for part in shard)
    if not (whole and 1 <= shard[0] <= shard[1]):  # type: ignore[index]
        raise ConfigError(f"a shard is (i, n) with 1 <= i <= n, not {shard!r}")


def _check_executor(executor: object) -> None:
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise ConfigError(
            f"an executor is an object as concurrent.futures.Executor is, not {type(executor).__name__}",
            hint="Give a ThreadPoolExecutor, a ProcessPoolExecutor, or one of sluicegate.executors.",
        )


def _check_place(resume: str | PathLike[str], places: Sequence[str]) -> None:
    """Refuse a file of results that lies inside what is scanned: whoever wrote that could say what was seen."""
    real = os.path.realpath(resume)
    for place in places:
        inside = os.path.realpath(place)
        if os.path.lexists(place) and (real == inside or real.startswith(inside.rstrip("/") + "/")):
            raise ConfigError(
                f"the results in {os.fspath(resume)} lie inside {place}, which is scanned",
                hint="Keep them elsewhere.",
            )

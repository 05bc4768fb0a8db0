"""Judging operations that run something: code, commands, programs, imports, objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sluicegate.vet.inspect.analyzers.connections import connects
from sluicegate.vet.inspect.analyzers.pyflow import paths
from sluicegate.vet.inspect.analyzers.pyflow.frame import Analysis
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import Hit, SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.judging.hosts import HostClass
from sluicegate.vet.inspect.analyzers.pyflow.judging.report import BrokenRule, flow, plain
from sluicegate.vet.inspect.analyzers.pyflow.judging.secrets import destination
from sluicegate.vet.inspect.analyzers.pyflow.values import SourceKind
from sluicegate.vet.inspect.analyzers.shflow.judging import judge, within
from sluicegate.vet.intake.bundle import PROSE
from sluicegate.vet.verdict.types import Severity

RUNNING = (SinkKind.CODE, SinkKind.SHELL, SinkKind.PROGRAM)
GUARDED = (SinkKind.CODE, SinkKind.SHELL, SinkKind.SEND, SinkKind.DELETE, SinkKind.DELETE_TREE)


def running(analysis: Analysis, hit: Hit) -> Iterator[BrokenRule]:
    """The rules that an operation breaks by itself."""
    if hit.sink in (SinkKind.CODE, SinkKind.SHELL):
        yield from _code(analysis, hit)
    elif hit.sink is SinkKind.PROGRAM:
        yield from _program(analysis, hit)
    elif hit.sink in (SinkKind.LOAD, SinkKind.LOAD_YAML):
        yield from _load(analysis, hit)
    elif hit.sink is SinkKind.IMPORT:
        yield from _import(analysis, hit)
    elif hit.sink is SinkKind.REACH:
        yield from _reach(hit)
    if hit.sink in (SinkKind.SHELL, SinkKind.PROGRAM):
        yield from _commanded(analysis, hit)
    if hit.sink in RUNNING:
        yield from _dropped(analysis, hit)
        yield from _hidden(hit)
    yield from _guarded(analysis, hit)


def _code(analysis: Analysis, hit: Hit) -> Iterator[BrokenRule]:
    """Code or a shell command: fetched, decoded, given, or merely computed."""
    sites = analysis.sites
    value = hit.slot("command")
    where = f"{hit.name} (line {hit.line})"
    piped = [t for t in value.texts if hit.sink is SinkKind.SHELL and paths.pipes_download_to_shell(t)]
    if piped:
        known = all(paths.well_known_installer(t) for t in piped)
        yield plain(
            "python-network-to-exec",
            f"{where} pipes a download into an interpreter: {piped[0][:120]}",
            severity=Severity.MEDIUM if known else None,
            confidence=400 if known else 850,
            why="the installer of a well-known tool" if known else "the command line says so itself",
        )
        return
    whole = hit.sink is SinkKind.CODE or _starts_unknown(value.texts)
    fetched = sites.of(value.mask, SourceKind.NETWORK)
    if fetched and whole and "path" not in hit.flags:
        yield flow("python-network-to-exec", sites, fetched, where)
        return
    blob = sites.of(value.mask, SourceKind.BLOB)
    decoded = sites.of(value.mask, SourceKind.DECODED)
    if blob:
        yield flow(
            "python-decoded-to-exec",
            sites,
            blob,
            where,
            severity=Severity.CRITICAL,
            confidence=850,
            why="the encoded text stands in the file itself",
        )
        return
    if decoded and whole:
        yield flow("python-decoded-to-exec", sites, decoded, where)
        return
    yield from _computed(analysis, hit, where, bool(fetched))


def _computed(analysis: Analysis, hit: Hit, where: str, fetched: bool) -> Iterator[BrokenRule]:
    """Neither fetched nor decoded: given by the user, read from a loose file, or merely put together."""
    sites = analysis.sites
    value = hit.slot("command")
    given = sites.of(value.mask, SourceKind.INPUT, SourceKind.NETWORK)
    if given and hit.sink is SinkKind.SHELL:
        yield flow(
            "python-input-to-shell",
            sites,
            given,
            where,
            severity=Severity.LOW if not fetched else None,
            why="" if fetched else "the data is the user's own",
        )
    elif hit.sink is SinkKind.CODE and (loose := sites.of(value.mask, SourceKind.LOOSE_FILE)):
        yield flow(
            "python-dynamic-exec",
            sites,
            loose,
            where,
            severity=Severity.HIGH,
            confidence=750,
            why="the code lies in a folder anyone may write to",
        )
    elif (
        hit.sink is SinkKind.CODE
        and "constant" not in hit.flags
        and hit.name in ("exec", "eval", "execfile")
        and not {"own", "restricted"} & set(hit.flags)
    ):
        yield plain("python-dynamic-exec", f"{where} is given text that is not constant")
    elif (
        hit.sink is SinkKind.SHELL
        and "constant" not in hit.flags
        and not given
        and any("*" in t for t in value.texts)
    ):
        yield plain(
            "python-input-to-shell",
            f"{where} builds a command line from parts",
            severity=Severity.LOW,
            confidence=400,
            why="where the parts come from is not known",
        )


def _starts_unknown(texts: tuple[str, ...]) -> bool:
    return not texts or any(t.lstrip().startswith("*") for t in texts)


def _program(analysis: Analysis, hit: Hit) -> Iterator[BrokenRule]:
    sites = analysis.sites
    head = hit.slot("command")
    fetched = sites.of(head.mask, SourceKind.NETWORK)
    if fetched and _starts_unknown(head.texts) and not sites.of(head.mask, SourceKind.DROPPED):
        yield flow(
            "python-network-to-exec",
            sites,
            fetched,
            f"{hit.name} (line {hit.line})",
            confidence=700,
            why="only the name of the program is fetched",
        )


def _dropped(analysis: Analysis, hit: Hit) -> Iterator[BrokenRule]:
    """Running a file that was written with fetched or decoded content."""
    sites = analysis.sites
    carried = sites.masks[SourceKind.NETWORK] | sites.masks[SourceKind.DECODED] | sites.masks[SourceKind.BLOB]
    mask = 0
    candidates = [hit.slot("script"), hit.slot("command")]
    for value in candidates:
        mask |= value.mask & sites.masks[SourceKind.DROPPED]
        for text in value.texts:
            for word in (
                text,
                *text.replace(";", " ").replace("&", " ").replace("'", " ").replace('"', " ").split()[:60],
            ):
                content = analysis.written.get(word, 0)
                if content & carried:
                    mask |= content & (carried | sites.masks[SourceKind.DROPPED])
    if mask:
        found = sites.of(mask, SourceKind.NETWORK, SourceKind.BLOB, SourceKind.DECODED) or sites.of(
            mask, SourceKind.DROPPED
        )
        yield flow("python-write-then-run", sites, found, f"file -> {hit.name} (line {hit.line})")


UNKNOWN = "$_"
"""Stands in a command line for what is not known of it."""


def _line(argv: Sequence[str]) -> str:
    """The words of a command as a shell would be given them."""
    import shlex  # most programs run no command

    return shlex.join(word.replace("*", UNKNOWN) for word in argv).replace(f"'{UNKNOWN}'", UNKNOWN)


def _commanded(analysis: Analysis, hit: Hit) -> Iterator[BrokenRule]:
    """A command that is bad by itself, as it would be in a script."""
    view = analysis.views[hit.view]
    argv = [part.texts[0] if part.texts else "*" for key, part in hit.slot("argv").parts if not key]
    lines = [_line(argv)] if argv else []
    for line in lines or [text.replace("*", UNKNOWN) for text in hit.slot("command").texts]:
        left = analysis.left.setdefault(hit.view, within.CommandsLeft())
        before = tuple(f"before={earlier}" for earlier in left.lines)
        for one in within.judged(line, analysis.stated, written=line in view.text, left=left):
            found = judge.in_document(one) if view.artifact.kind in PROSE else one
            yield plain(
                _SAME.get(found.rule.id, found.rule.id),
                f"{hit.name} (line {hit.line}): {found.message}",
                severity=found.severity,
                confidence=found.confidence,
                why="it depends on what is lost, and how it is named",
                rests=before,
            )


_SAME = {
    "shell-secret-to-network": "python-credential-to-network",
    "shell-files-to-network": "python-files-to-network",
}
"""What a flow through commands is called where a program in Python runs them."""


def _hidden(hit: Hit) -> Iterator[BrokenRule]:
    flags = set(hit.flags)
    detached, quiet = "detached" in flags, "silent" in flags or "no-window" in flags
    if not (detached and quiet):
        return
    texts = " ".join(
        t
        for slot in ("command", "argv")
        for t in (*hit.slot(slot).texts, *(x for _, p in hit.slot(slot).parts for x in p.texts))
    )
    network = "://" in texts or "/dev/tcp" in texts
    yield plain(
        "python-hidden-process",
        f"{hit.name} (line {hit.line}) starts a detached process without output",
        severity=Severity.HIGH if network else None,
        confidence=800 if network else 450,
        why="it talks to the network" if network else "servers are also started so",
    )


def _load(analysis: Analysis, hit: Hit) -> Iterator[BrokenRule]:
    sites = analysis.sites
    value = hit.slot("command")
    where = f"{hit.name} (line {hit.line})"
    fetched = sites.of(value.mask, SourceKind.NETWORK)
    blob = sites.of(value.mask, SourceKind.BLOB)
    if fetched:
        yield flow(
            "python-unsafe-load",
            sites,
            fetched,
            where,
            severity=Severity.HIGH,
            confidence=750,
            why="the data comes from the network",
        )
    elif blob and hit.name.startswith(("marshal", "pickle", "dill")):
        yield flow(
            "python-unsafe-load",
            sites,
            blob,
            where,
            severity=Severity.HIGH,
            confidence=800,
            why="the data is an encoded constant",
        )
    else:
        yield plain("python-unsafe-load", f"{where} can run code while it loads")


def _import(analysis: Analysis, hit: Hit) -> Iterator[BrokenRule]:
    sites = analysis.sites
    found = sites.of(hit.slot("command").mask, SourceKind.NETWORK, SourceKind.BLOB, SourceKind.DECODED)
    if found:
        yield flow(
            "python-disguised-call",
            sites,
            found,
            f"{hit.name} (line {hit.line})",
            confidence=700,
            why="the name of a module is fetched or decoded",
        )


def _reach(hit: Hit) -> Iterator[BrokenRule]:
    flags = set(hit.flags)
    if "computed" in flags or "globals" in flags:
        yield plain("python-disguised-call", f"{hit.name} is looked up by a computed text (line {hit.line})")
    elif "literal" in flags:
        yield plain(
            "python-disguised-call",
            f"{hit.name} is called by a name that is kept in a string (line {hit.line})",
            severity=Severity.MEDIUM,
            confidence=600,
            why="the name is written out",
        )


def _guarded(analysis: Analysis, hit: Hit) -> Iterator[BrokenRule]:
    """Things that happen only on a date, on one machine, or when nobody watches."""
    sites = analysis.sites
    watch = sites.of(hit.guard, SourceKind.GUARD_ANALYSIS)
    if watch and (hit.sink is SinkKind.EXIT or hit.sink in GUARDED):
        strong = hit.sink is not SinkKind.EXIT
        yield flow(
            "python-anti-analysis",
            sites,
            watch,
            f"{hit.name} (line {hit.line})",
            severity=None if strong else Severity.MEDIUM,
            confidence=None if strong else 600,
            why="" if strong else "it only stops",
        )
        return
    if hit.sink not in GUARDED:
        return
    aimed = sites.of(hit.guard, SourceKind.GUARD_DATE, SourceKind.GUARD_HOST)
    dangerous = hit.sink in (SinkKind.CODE, SinkKind.SHELL, SinkKind.DELETE_TREE)
    if aimed:
        yield flow(
            "python-anti-analysis",
            sites,
            aimed,
            f"{hit.name} (line {hit.line})",
            severity=None if dangerous else Severity.MEDIUM,
            confidence=None if dangerous else 450,
            why="" if dangerous else "the guarded operation is an everyday one",
        )


def across(analysis: Analysis) -> Iterator[tuple[Hit, BrokenRule]]:
    """Rules about several operations of one file: a shell tied to a connection, a socket read that is run."""
    views: dict[int, list[Hit]] = {}
    for key in sorted(analysis.hits, key=lambda k: (k[0], k[1], k[2], k[3].value, k[4])):
        views.setdefault(key[0], []).append(analysis.hits[key])
    for hits in views.values():
        yield from _reverse_shell(analysis, hits)


def _reverse_shell(analysis: Analysis, hits: list[Hit]) -> Iterator[tuple[Hit, BrokenRule]]:
    sites = analysis.sites
    tied = [h for h in hits if h.sink is SinkKind.DUP and sites.of(h.slot("command").mask, SourceKind.SOCKET)]
    shells = [h for h in hits if h.sink in RUNNING and _starts_shell(h)]
    remote = [h for h in hits if h.sink is SinkKind.CONNECT and destination(h)[1] is not HostClass.LOCAL]
    if tied and shells and (remote or not any(h.sink is SinkKind.CONNECT for h in hits)):
        yield (
            shells[0],
            plain(
                "python-reverse-shell",
                f"os.dup2 ties a socket to input and output (line {tied[0].line}), {shells[0].name} starts "
                f"a shell (line {shells[0].line})",
                hits=(*tied, *(h for h in hits if h.sink is SinkKind.CONNECT)),
            ),
        )
        return
    for hit in hits:
        if hit.sink not in RUNNING:
            continue
        texts = _words(hit)
        words = " ".join(texts)
        if "/dev/tcp/" in words and ("bash" in words or "sh -i" in words) and any(map(connects, texts)):
            yield (
                hit,
                plain("python-reverse-shell", f"{hit.name} (line {hit.line}) starts a shell on /dev/tcp"),
            )


def _words(hit: Hit) -> list[str]:
    """What is known of the command that is run, whole and in parts."""
    return [
        t
        for slot in ("command", "argv")
        for t in (*hit.slot(slot).texts, *(x for _, p in hit.slot(slot).parts for x in p.texts))
    ]


def _starts_shell(hit: Hit) -> bool:
    words = _words(hit)
    return any(
        w.split(" ")[0].rpartition("/")[2].removesuffix(".exe") in ("sh", "bash", "zsh", "cmd", "powershell")
        for w in words
        if w
    )

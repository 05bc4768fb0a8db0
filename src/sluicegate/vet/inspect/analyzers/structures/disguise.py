"""Files that pose as something else, and programs that nobody can read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256

from sluicegate.vet.inspect.analyzers.structures.facts import BundleFacts, base_name
from sluicegate.vet.inspect.analyzers.structures.registry import (
    CRITICAL,
    HIGH,
    LOW,
    MEDIUM,
    rule,
    structure_rule,
    weighed,
)
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import ARCHIVES, CODE, COMPILED, MEDIA, AnomalyKind, Artifact, Kind
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Severity

DISGUISED = rule(
    "disguised-file", "A file that is not what its name says", Category.DISGUISE, HIGH, 800,
    why="A program or archive under the name of a picture, text or data file is meant to be overlooked until it is run.",
    fix="Ask why it is named so. Rename it after what it is, and inspect it as that.",
    references=("T1036.008", "CWE-434", "ASI04"),
)  # fmt: skip
COMPILED_FILE = rule(
    "compiled-file", "A compiled program", Category.MALWARE, HIGH, 600,
    why="What a compiled program does cannot be read. A skill is text and scripts, and rarely needs one.",
    fix="Ask for the source and build it yourself, or get the program from where its maker publishes it.",
    references=("T1204.002", "CWE-506", "LLM03"),
)  # fmt: skip
BYTECODE = rule(
    "bytecode-file", "Compiled Python", Category.OBFUSCATION, HIGH, 750,
    why="Python runs it without its source, so it can do anything while the source beside it, if any, looks harmless.",
    fix="Delete it. Python makes it again from the source; without source, do not use it.",
    references=("T1027", "CWE-506", "LLM03"),
)  # fmt: skip
PICKLE = rule(
    "pickle-file", "A pickle, which runs code when it is loaded", Category.DANGEROUS_CODE, MEDIUM, 500,
    why="Loading a pickle calls whatever functions it names. One that names system functions is a program.",
    fix="Use a format that holds data only (JSON, safetensors, NPZ), or load it in a place where it can do no harm.",
    references=("CWE-502", "LLM03", "AML.T0011"),
)  # fmt: skip
MACRO = rule(
    "office-macro", "An office document with macros", Category.MALWARE, HIGH, 750,
    why="Macros, and templates fetched from elsewhere, run on the machine of whoever opens the document.",
    fix="Ask for a document without macros.",
    references=("T1204.002", "T1137", "CWE-506"),
)  # fmt: skip
SVG = rule(
    "svg-script", "A picture that holds a script", Category.DISGUISE, MEDIUM, 600,
    why="An SVG may hold JavaScript, which runs in a browser or preview with the rights of the page.",
    fix="Remove the script from the picture.",
    references=("CWE-79", "T1027"),
)  # fmt: skip

_EXTERNAL = (b'TargetMode="External"', b"attachedTemplate")
_LIBRARY_ARCHIVES = (".whl!/", ".jar!/", ".war!/", ".apk!/", ".nupkg!/", ".aar!/", ".egg!/")
_CACHE_NAME = lazy(r"(.{1,200}?)(?:\.(?:cpython|pypy)[\w-]{1,20})?(?:\.opt-[12])?\.py[co]$", re.IGNORECASE)
_TELLTALES = tuple(
    b"subprocess popen socket urlopen requests urllib system exec eval b64decode marshal ctypes environ shutil "
    b"rmtree http:// https:// /bin/sh powershell .ssh".split()
)
_CALLS = lazy(
    rb"(?:c|\x8c.|\x58.\0\0\0|\n?V|i)"
    rb"(os|posix|nt|subprocess|builtins|__builtin__|sys|socket|shutil|runpy|pty|importlib|ctypes|commands|webbrowser"
    rb"|bdb|pdb|timeit|code|asyncio\.subprocess|pip)(?:\n|\x94|\x8c|q.|r....|\x58)",
    re.DOTALL,
)
_PICKLE_NAMES = (".pkl", ".pickle", ".pt", ".pth", ".joblib", ".dill", ".p")
_PICKLES = frozenset({Kind.PICKLE, Kind.TEXT, Kind.BINARY})
"""What a file under one of these names may be taken for."""
_HARMLESS_BUILTINS = (
    b"set",
    b"list",
    b"dict",
    b"bytearray",
    b"slice",
    b"range",
    b"complex",
    b"frozenset",
    b"object",
    b"print",
)
_ON_EVENT = lazy(r"\son[a-z]{3,20}\s{0,3}=", re.IGNORECASE)
_ACTIVE = lazy(
    r"fetch\s{0,3}\(|XMLHttpRequest|\beval\s{0,3}\(|\batob\s{0,3}\(|document\.(?:cookie|write|location)|window\.location"
    r"|localStorage|new\s{1,3}Function|https?://(?!www\.w3\.org)|\.innerHTML|createElement",
    re.IGNORECASE,
)
_AUTOMATIC = lazy(
    rb"auto_?open|auto_?exec|auto_?close|document_?open|workbook_?open|wscript\.shell|shell\.application|powershell",
    re.IGNORECASE,
)


@structure_rule(DISGUISED)
def disguised(facts: BundleFacts) -> Iterator[Match]:
    """Name and content disagree: how bad it is depends on what poses as what."""
    for anomaly in facts.bundle.anomalies:
        if anomaly.kind is not AnomalyKind.KIND_MISMATCH:
            continue
        artifact = facts.artifacts.get(anomaly.path)
        severity, confidence = _pose(artifact, anomaly.detail)
        yield Match(
            rule=DISGUISED.id, path=anomaly.path, evidence=f"{anomaly.path}: {anomaly.detail}", trace=_held(artifact),
            severity=severity, confidence=confidence,
            adjustments=weighed(DISGUISED, severity, confidence, "it depends on what poses as what"),
        )  # fmt: skip


def _held(artifact: Artifact | None) -> tuple[str, ...]:
    """The whole of a file that is not what it is called: that is what is accepted, be it text or not."""
    return (f"bytes={sha256(artifact.data).hexdigest()}",) if artifact is not None else ()


def _pose(artifact: Artifact | None, detail: str) -> tuple[Severity, int]:
    kind = artifact.kind if artifact is not None else Kind.BINARY
    if kind in COMPILED:
        return CRITICAL, 850
    if "first line asks for" in detail or "not compressed" in detail or "no notebook" in detail:
        return LOW, 600
    if detail.endswith(" script") or kind is Kind.PICKLE or kind is Kind.PHP:
        return HIGH, 800
    if kind in CODE and kind not in (Kind.CSS, Kind.SQL):
        return HIGH, 750
    if kind in ARCHIVES or kind is Kind.OLE:
        return HIGH, 700
    if kind in MEDIA or kind in (Kind.PDF, Kind.SQLITE):
        return LOW, 600
    return MEDIUM, 600 if kind is Kind.BINARY or "control bytes" in detail else 550


@structure_rule(COMPILED_FILE)
def compiled(facts: BundleFacts) -> Iterator[Match]:
    """ELF, PE, Mach-O, WebAssembly and Java classes, whatever their name."""
    if COMPILED.isdisjoint(facts.kinds):
        return
    for artifact in facts.bundle.artifacts:
        if artifact.kind not in COMPILED or artifact.kind is Kind.PYC:
            continue
        severity, confidence = HIGH, 600
        if any(mark in artifact.path.lower() for mark in _LIBRARY_ARCHIVES):
            severity, confidence = MEDIUM, 600
        elif artifact.kind in (Kind.WASM, Kind.CLASS):
            severity, confidence = MEDIUM, 600
        yield Match(
            rule=COMPILED_FILE.id, path=artifact.path,
            evidence=f"{artifact.path}: {artifact.kind.value}, {len(artifact.data)} bytes",
            severity=severity, confidence=confidence,
            adjustments=weighed(COMPILED_FILE, severity, confidence, "bytecode, or part of a packaged library"),
        )  # fmt: skip


@structure_rule(BYTECODE)
def bytecode(facts: BundleFacts) -> Iterator[Match]:
    """Bytecode without its source, or that does more than its source, or that is loaded without a check."""
    if Kind.PYC not in facts.kinds:
        return
    for artifact in facts.bundle.artifacts:
        if artifact.kind is not Kind.PYC:
            continue
        source = facts.artifacts.get(_source_path(artifact.path))
        severity, confidence, what = _bytecode(artifact, source)
        yield Match(
            rule=BYTECODE.id, path=artifact.path, evidence=f"{artifact.path}: {what}",
            severity=severity, confidence=confidence,
            adjustments=weighed(BYTECODE, severity, confidence, what),
        )  # fmt: skip


def _source_path(path: str) -> str:
    folder, _, name = path.rpartition("/")
    if folder.rpartition("/")[2] == "__pycache__":
        folder = folder.rpartition("/")[0]
    found = _CACHE_NAME.match(name)
    return f"{folder}/{found[1] if found else name}.py".lstrip("/")


def _bytecode(artifact: Artifact, source: Artifact | None) -> tuple[Severity, int, str]:
    if source is None:
        return HIGH, 750, "bytecode without its source"
    lower, text = artifact.data.lower(), source.data.lower()
    for word in _TELLTALES:
        if word in lower and word not in text:
            return HIGH, 850, f"names '{word.decode()}', which its source does not"
    flags = int.from_bytes(artifact.data[4:8], "little") if len(artifact.data) >= 16 else 0
    if flags & 3 == 1:
        return HIGH, 700, "marked to be loaded without comparing it with its source"
    return LOW, 500, "bytecode beside its source"


@structure_rule(PICKLE)
def pickles(facts: BundleFacts) -> Iterator[Match]:
    """Every pickle; CRITICAL where it names functions of the system."""
    for artifact in facts.bundle.artifacts:
        if artifact.kind not in _PICKLES:
            continue
        if artifact.kind is not Kind.PICKLE and not artifact.path.lower().endswith(_PICKLE_NAMES):
            continue
        called = _called(artifact.data)
        if called is None and artifact.kind is not Kind.PICKLE:
            continue
        severity, confidence = (MEDIUM, 500) if called is None else (CRITICAL, 900)
        what = "a pickle" if called is None else f"a pickle that calls {called}"
        yield Match(
            rule=PICKLE.id, path=artifact.path, evidence=f"{artifact.path}: {what}",
            severity=severity, confidence=confidence,
            adjustments=weighed(PICKLE, severity, confidence, what),
        )  # fmt: skip


def _called(data: bytes) -> str | None:
    """The first module of the system that a pickle takes a function from."""
    for found in _CALLS.finditer(data):
        after = data[found.end(1) : found.end(1) + 16].lstrip(b"\n\x94\x8cqVX")
        if found[1] in (b"builtins", b"__builtin__") and after.lstrip(bytes(range(32))).startswith(
            _HARMLESS_BUILTINS
        ):
            continue
        return found[1].decode("ascii")
    return None


@structure_rule(MACRO)
def macros(facts: BundleFacts) -> Iterator[Match]:
    """Macro projects, macro sheets and templates from elsewhere, in office documents of either age."""
    for artifact in facts.bundle.artifacts:
        what = _macro(artifact)
        if what:
            confidence = 850 if _AUTOMATIC.search(artifact.data) else MACRO.confidence
            yield Match(
                rule=MACRO.id, path=artifact.path, evidence=f"{artifact.path}: {what}", confidence=confidence,
                adjustments=weighed(MACRO, HIGH, confidence, "the macros run by themselves or start programs"),
            )  # fmt: skip


def _macro(artifact: Artifact) -> str:
    if artifact.kind is Kind.OLE:
        if "_VBA_PROJECT".encode("utf-16-le") in artifact.data:
            return "macros"
    elif "!/" in artifact.path:
        name = base_name(artifact.path).lower()
        if name == "vbaproject.bin" or "/macrosheets/" in artifact.path:
            return "macros"
        if name.endswith(".rels") and all(mark in artifact.data for mark in _EXTERNAL):
            return "a template that is fetched from elsewhere"
    return ""


@structure_rule(SVG)
def svg_scripts(facts: BundleFacts) -> Iterator[Match]:
    """Scripts, event handlers and script links in SVG pictures."""
    for view in facts.raw:
        if view.language is not Kind.SVG:
            continue
        lower = view.text.lower()
        at = lower.find("<script")
        if at < 0:
            at = lower.find("javascript:")
        if at < 0:
            handler = _ON_EVENT.search(view.text)
            at = handler.start() if handler is not None and "<svg" in lower else -1
        if at < 0:
            continue
        end = min(len(view.text), at + 2000)
        active = _ACTIVE.search(view.text, at, end) is not None
        severity, confidence = (HIGH, 800) if active else (SVG.severity, SVG.confidence)
        yield Match(
            rule=SVG.id, view=view, start=at, end=min(end, at + 200), severity=severity, confidence=confidence,
            adjustments=weighed(SVG, severity, confidence, "the script reaches the page or the network"),
        )  # fmt: skip

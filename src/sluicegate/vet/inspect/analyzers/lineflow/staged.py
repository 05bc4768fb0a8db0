"""Harm in stages: parts that are joined, files that change their name, programs in files of data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from hashlib import sha256

from sluicegate.tuples import NamedTuple
from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.analyzers.lineflow import rules
from sluicegate.vet.inspect.analyzers.lineflow.judged import ScriptMatch
from sluicegate.vet.inspect.rule import Rule
from sluicegate.vet.intake.bundle import CODE, MEDIA, TEXTUAL, Artifact, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy, seldom
from sluicegate.vet.verdict.types import Severity

COMMANDS = frozenset({Kind.SHELL, Kind.BATCH, Kind.POWERSHELL, Kind.MAKEFILE, Kind.DOCKERFILE})
"""Languages in which a line is a command."""
MOST = 500
"""Places of one kind in one view that are looked at, and where a file is named that may be run."""
NAMED = 5_000
"""Places where the letters of such a name stand."""

_DATA = (
    r"[bB](?i:ak|in|lob|mp)|[cC](?i:ache|fg|sv)|[dD](?i:ata?|oc)|[eE](?i:nc)|[gG](?i:if)|(?i:ico)|[jJ](?i:pe?g)|[lL](?i:og)|[mM](?i:d|p[34])|[oO](?i:ld)"
    r"|[pP](?i:art\w{0,3}|df|ng)|[tT](?i:mp|xt)|[wW](?i:ebp|off2?)"
)
"""Suffixes of files of data. The first letter stands by itself: so most of what follows a dot is passed over at once."""
_PROGRAM = r"sh|bash|command|exe|scr|dll|msi|com|bat|cmd|ps1|vbs|js|jse|hta|py|pyw|pl|rb|php|app|jar|elf|run|so|dylib"
_PATH = r"[\"']?([\w./~${}%\\:@+-]{1,120})"

_JOIN = lazy(
    r"cat(?<![\w.-]cat)\s{1,3}((?:[\"']?[\w./~${}*?\[\]-]{1,100}[\"']?\s{1,3}){1,20}+)>>?\s{0,2}" + _PATH
)
_JOIN_WINDOWS = lazy(
    r"(?i)\bcopy\s{1,3}/b\s{1,3}((?:[\w./~%*\\\"-]{1,100}\s{0,2}\+\s{0,2}){1,20}+[\w./~%*\\\"-]{1,100})\s{1,3}"
    + _PATH
)
_DATA_WORD = lazy(r"\.(?:" + _DATA + r")(?![\w.])")
"""Where the name of a file of data ends: the rare thing, looked for first."""
_RENAMED = seldom(
    "mv cp ren move copy rni".split(),
    r"(?i)(?:^|[\s;&|(@`])(?:mv|cp|ren|rename|move|copy|rename-item|move-item|copy-item|rni)\s{1,3}(?:-[\w=-]{1,20}\s{1,2}|/[a-z]\s{1,2}){0,3}[\"']?([\w./~${}%\\:-]{1,100})$",
)
_NEW_NAME = lazy(
    r"(?i)[\"']?\s{1,3}(?:-[a-z]{1,12}\s{1,2})?[\"']?([\w./~${}%\\:-]{0,100}?[\w-]{1,60}\.(?:"
    + _PROGRAM
    + r"))\b"
)
_DECODED_FILE = lazy(
    r"(?i)\bcertutil(?:\.exe)?\s{1,3}(?:-f\s{1,2})?[-/]decode(?:hex)?\s{1,3}[\"']?[\w./~${}%\\:-]{1,100}[\"']?\s{1,3}" + _PATH
)  # fmt: skip
_DECRYPTED = lazy(
    r"(?:openssl\s{1,2}(?:enc\s{1,2})?(?:-?aes|-?des|-?chacha|enc|-?rc4|-?bf)[^\n|;]{0,120}\s-d\b|openssl\s{1,2}enc\s[^\n|;]{0,60}-d\b|gpg2?\s[^\n|;]{0,80}(?:-d|--decrypt)\b|age(?<![\w-]age)\s{1,2}(?:-d|--decrypt)\b"
    r"|unzip\s{1,2}(?:-[a-zA-Z]{1,4}\s{1,2}){0,3}-P|7z[az]?\s{1,2}[xe]\s[^\n|;]{0,60}-p)[^\n;]{0,200}"
)
_DECRYPTERS = ("openssl", "gpg", "unzip", "7z")
_AGE = lazy(r"age\s{1,2}--?d")
"""The one that is not a rare word by itself."""
_INTO_SHELL = lazy(r"\|\s{0,3}(?:sudo\s{1,2})?(?:(?:ba|z|da)?sh|python3?|perl|node|ruby|php)\b(?!\s{1,2}-m)")
_OUT = lazy(
    r"(?:-out\s{1,2}|-o\s{1,2}|--output\s{1,2}|>\s{0,2}|-d\s{1,2}|-o(?=[\w./~]))[\"']?([\w./~${}%-]{2,100})"
)
_UNZIPPED = lazy(r"\b(?:unzip|7z)")
_RUNS = seldom(
    "sh python node perl ruby php wscript cscript rundll32 regsvr32 source".split(),
    r"(?:^|[\n;&|(`]|\bthen\s|\bdo\s|\bsudo\s|\bexec\s|\bnohup\s|\$\s)[ \t]{0,8}((?:ba|z|da|k)?sh|python[23]?|node|perl|ruby|php|wscript(?:\.exe)?|cscript(?:\.exe)?|rundll32(?:\.exe)?|regsvr32(?:\.exe)?(?:\s/s)?|source|pwsh(?:\s{1,2}-[fF]ile)?)"
    r"[ \t]{1,3}(?:-[euxoBsSI]{1,3}[ \t]{1,2}){0,2}[\"']?([\w./~${}%\\:@+-]{1,120})$",
)
_LOADS = lazy(
    r"(?:\b(?:SourceFileLoader|spec_from_file_location|SourcelessFileLoader|ExtensionFileLoader)\([^\n,]{1,80},\s{0,3}|\brunpy\.run_path\(\s{0,3}|\bexec\(\s{0,2}(?:compile\(\s{0,2})?open\(\s{0,2}|\bvm\.run\w{0,20}\(\s{0,2}fs\.readFileSync\(\s{0,2}|\beval\(\s{0,2}fs\.readFileSync\(\s{0,2}"
    r"|\b(?:instance_)?eval\(?\s{0,2}File\.read\(\s{0,2}|\bload\s{1,2}|\binclude(?:_once)?\s{0,2}\(?\s{0,2}|\brequire(?:_once)?\s{0,2}\(?\s{0,2}|\bimport\(\s{0,2}|\bdo\s{1,2}|\bdofile\(\s{0,2}|\beval\(\s{0,2}file_get_contents\(\s{0,2})"
    r"(?:[\w.()/\s+]{0,60}[/+,(]\s{0,2})?[\"'`]([\w./~ -]{1,120})$"
)
_NEVER_RUN = frozenset({"md", "old", "doc", "cfg", "data", "csv"})
_BUNDLED_PICTURES = frozenset(
    {"png", "jpg", "jpeg", "gif", "bmp", "webp", "ico", "woff", "woff2", "mp3", "mp4", "pdf", "txt"}
)
_CODE_SUFFIX = lazy(r"\.(?:" + _PROGRAM + r"|ts|mjs|cjs|sql|css)$")


class Staged(NamedTuple):
    """A match: where it is in the view, and what to say."""

    start: int
    end: int
    judged: ScriptMatch
    what: str
    trace: tuple[str, ...] = ()
    """The bytes of the files that are put together or run, where they are not text."""


class TooManyPlaces(NamedTuple):
    """There are more places of a kind than are looked at."""

    what: str = "more commands that put files together, or names of such files, than are looked at"


class _TooManyError(Exception):
    """The rest of the places of a kind are not looked at."""


def staged(view: View, artifacts: Mapping[str, Artifact]) -> Iterator[Staged | TooManyPlaces]:
    """Payloads in stages that the text of a view shows."""
    text = view.text
    families: Iterable[Iterator[Staged]] = ()
    if view.language in COMMANDS:
        families = (_assembled(text, artifacts), _decrypted(text), _data_words(text, artifacts))
    elif view.language in CODE and _DATA_WORD.search(text) is not None:
        families = (_data_loaded(view, artifacts),)
    for family in families:
        try:
            yield from family
        except _TooManyError:
            yield TooManyPlaces()


def _some(found: Iterator[re.Match[str]], most: int = MOST) -> Iterator[re.Match[str]]:
    """The first ``most``; raises _TooManyError when there are more."""
    for number, each in enumerate(found):
        if number == most:
            raise _TooManyError
        yield each


def _assembled(text: str, artifacts: Mapping[str, Artifact]) -> Iterator[Staged]:
    if "cat" in text and ">" in text:
        for found in _some(_JOIN.finditer(text)):
            parts = found[1].split()
            several = len(parts) > 1 or "*" in found[1] or "?" in found[1]
            if (
                several
                and not all(_CODE_SUFFIX.search(part.strip("\"'")) for part in parts)
                and _is_run(text, found[2], found.end())
            ):
                what = f"{found[2]} is put together from parts and run"
                yield _of(found, rules.ASSEMBLED, what, _parts(parts, artifacts))
    for found in _some(_JOIN_WINDOWS.finditer(text)) if "/b" in text or "/B" in text else ():
        if _is_run(text, found[2], found.end()):
            what = f"{found[2]} is put together from parts and run"
            yield _of(found, rules.ASSEMBLED, what, _parts(found[1].split("+"), artifacts))
    for found in _some(_DECODED_FILE.finditer(text)) if "certutil" in text.lower() else ():
        run = _is_run(text, found[1], found.end())
        yield Staged(
            found.start(), found.end(),
            ScriptMatch(rules.ASSEMBLED, Severity.HIGH, 800 if run else 600, "" if run else "the decoded file is not seen to run"),
            f"{found[1]} is decoded from a text file",
        )  # fmt: skip


def _decrypted(text: str) -> Iterator[Staged]:
    if not one_of(_DECRYPTERS, text) and _AGE.search(text) is None:
        return
    for found in _some(_DECRYPTED.finditer(text)):
        piped = _INTO_SHELL.search(found[0]) is not None
        out = _OUT.search(found[0])
        opened = found.end() if _UNZIPPED.match(found[0]) is not None else 0
        if (
            piped
            or (out is not None and _is_run(text, out[1], found.end()))
            or (opened and _RUN_ANY.search(text, opened, opened + 400) is not None)
        ):
            yield Staged(
                found.start(),
                found.end(),
                ScriptMatch(rules.UNSEEN, Severity.HIGH, 800, "it is encrypted until it runs"),
                "what runs is encrypted",
            )


_RUN_ANY = lazy(
    r"(?:^|[\n;&])[ \t]{0,8}(?:sudo\s{1,2})?(?:\./[\w./-]{1,80}|(?:ba|z)?sh\s{1,2}[\w./-]{1,80}|python3?\s{1,2}[\w./-]{1,80}|start\s[\w.\\/-]{1,80}|open\s[\w./-]{1,80}|chmod\s{1,2}\+x)"
)


def _heads(text: str) -> Iterator[tuple[re.Match[str], str, int]]:
    """Each name of a file of data: its suffix, what stands before it on the line, and where that begins."""
    for suffix in _some(_DATA_WORD.finditer(text), MOST * 20):
        start = max(text.rfind("\n", 0, suffix.start()) + 1, suffix.start() - 300)
        yield suffix, text[start : suffix.start()], start


def _data_words(text: str, artifacts: Mapping[str, Artifact]) -> Iterator[Staged]:
    """Files of data that a command renames to a program, or runs."""
    for suffix, head, start in _heads(text):
        renamed = _RENAMED.search(head)
        if renamed is not None:
            new = _NEW_NAME.match(text, suffix.end())
            if new is not None and "example" not in renamed[1] and _is_run(text, new[1], new.end()):
                what = f"{renamed[1]}{suffix[0]} becomes the program {new[1]} and is run"
                yield Staged(start + renamed.start(1), new.end(), _plain(rules.ASSEMBLED), what)
        run = _RUNS.search(head) if suffix[0][1:].lower() not in _NEVER_RUN else None
        if run is not None and (run[1] != "php" or suffix[0] != ".txt"):
            name = run[2] + suffix[0]
            yield _hidden(start + run.start(1), suffix.end(), name, artifacts, f"{run[1]} runs {name}")


def _data_loaded(view: View, artifacts: Mapping[str, Artifact]) -> Iterator[Staged]:
    """Files of data that code loads as a program."""
    for suffix, head, start in _heads(view.text):
        found = _LOADS.search(head) if view.text[suffix.end() : suffix.end() + 1] in ("'", '"', "`") else None
        if found is None:
            continue
        name, word, kind = found[1] + suffix[0], found[0].lstrip(), suffix[0][1:].lower()
        if (
            word.startswith(("require", "import"))
            and kind in _BUNDLED_PICTURES
            and not _in_disguise(name, artifacts)
        ):
            continue
        if word.startswith(("do", "load", "include", "require_once")) and view.language not in _LOADING:
            continue
        if kind not in _NEVER_RUN:
            yield _hidden(
                start + found.start(), suffix.end(), name, artifacts, f"{name} is loaded as a program"
            )


_LOADING = frozenset({Kind.PERL, Kind.RUBY, Kind.PHP})


def _in_disguise(name: str, artifacts: Mapping[str, Artifact]) -> bool:
    artifact = _artifact(name, artifacts)
    return artifact is not None and artifact.kind in CODE and artifact.kind not in MEDIA


def _plain(rule: Rule) -> ScriptMatch:
    return ScriptMatch(rule, rule.severity, rule.confidence)


def _hidden(start: int, end: int, name: str, artifacts: Mapping[str, Artifact], what: str) -> Staged:
    artifact = _artifact(name, artifacts)
    if artifact is not None and artifact.kind in TEXTUAL:
        judged = ScriptMatch(rules.UNSEEN, Severity.MEDIUM, 600, "the file is here and was read")
    else:
        judged = ScriptMatch(rules.UNSEEN, Severity.HIGH, 700)
    return Staged(start, end, judged, what, _held([artifact] if artifact is not None else []))


def _artifact(name: str, artifacts: Mapping[str, Artifact]) -> Artifact | None:
    base = _base(name)
    return next(
        (artifact for path, artifact in artifacts.items() if path.endswith(base) and _base(path) == base),
        None,
    )


def _held(artifacts: Iterable[Artifact]) -> tuple[str, ...]:
    """Their bytes: a text is inspected by itself, other data is what a name makes of it."""
    return tuple(
        sorted({f"bytes={sha256(each.data).hexdigest()}" for each in artifacts if each.kind not in TEXTUAL})
    )


def _parts(words: Iterable[str], artifacts: Mapping[str, Artifact]) -> tuple[str, ...]:
    globs = [_base(word.strip().strip("\"'")) for word in words]
    return _held(
        each for path, each in artifacts.items() if any(fnmatchcase(_base(path), glob) for glob in globs)
    )


def _base(path: str) -> str:
    return path.replace("\\", "/").rstrip("\"'/").rpartition("/")[2]


def _is_run(text: str, path: str, start: int) -> bool:
    """Whether a file of this name is started somewhere after ``start``."""
    base = _base(path.strip("\"'"))
    if not base or len(base) > 120:
        return False
    looked = 0
    at = text.find(base, start)
    for _ in range(NAMED):
        if at == -1:
            return False
        if _ends_name(text, at + len(base)):
            looked += 1
            if looked > MOST:
                break
            line = max(text.rfind("\n", 0, at) + 1, at - 160)
            if _STARTS.search("\n" + text[line:at]) is not None:
                return True
        at = text.find(base, at + len(base))
    raise _TooManyError


def _ends_name(text: str, at: int) -> bool:
    """Whether no letter, digit or underscore stands there, which would make the name another one."""
    after = text[at : at + 1]
    return not (after.isalnum() or after == "_")


_STARTS = lazy(
    r"(?i)(?:^|[\s;&|(`\"']|[-@])(?:(?:ba|z|da|k)?sh|python[23]?|node|perl|ruby|php|source|\.|exec|eval|start(?:-process)?|call|cmd(?:\.exe)?\s/c|powershell(?:\.exe)?(?:\s-\w{1,20}){0,4}|pwsh(?:\s-\w{1,20}){0,3}|rundll32|regsvr32"
    r"|wscript|cscript|mshta|msiexec|open|osascript|invoke-item|\+x|[0-7]?7[0-7]{2}|java\s-jar|nohup|sudo|&)\s{1,3}(?:[/-]\w{1,12}\s{1,2}|\"\"\s)?[\"']?[\w./~${}%\\:-]{0,80}$"
    r"|(?:^|[\n;&|])\s{0,8}[\"']?(?:\./|\.\\|/tmp/|~/|%temp%\\|\$)[\w./~${}%\\:-]{0,80}$|[;&\n]\s{0,4}$"
)


def _of(found: re.Match[str], rule: Rule, what: str, trace: tuple[str, ...]) -> Staged:
    return Staged(found.start(), found.end(), _plain(rule), what, trace)

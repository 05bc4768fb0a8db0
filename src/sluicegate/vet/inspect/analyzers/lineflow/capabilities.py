"""The capabilities of a script, told from its words: hosts, commands, variables and files."""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.known import hosts
from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect import capabilities
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.programs.language import STRONG_COMMANDS
from sluicegate.vet.lazy import lazy

MOST = 200
"""Capabilities of one kind that one view may add."""

_URL = lazy(r"(?i)https?://[^\s\"'`<>)]{3,200}")
_ENV = lazy(
    r"(?:\$env:|ENV\[[\"']|ENV\.fetch\([\"']|\$ENV\{[\"']?|\$_ENV\[[\"']|[gG]etenv\([\"']|env::var\([\"']|LookupEnv\([\"']|GetEnvironmentVariable\([\"']|system attribute \"|%(?=[A-Z][A-Z0-9_]{2,40}%))([A-Za-z_]\w{0,60})"
)
_READ = lazy(
    r"(?:File\.(?:read|readlines|foreach|binread)\(|Get-Content\s{1,2}(?:-(?:Path|Raw|LiteralPath)\s{1,2}){0,2}|os\.(?:ReadFile|Open)\(|ioutil\.ReadFile\(|file_get_contents\(|fs::read(?:_to_string)?\("
    r"|read\.csv\(|readLines\(|readRDS\(|ReadAll(?:Text|Bytes|Lines)\()\s{0,2}[\"']([^\"'\n]{1,160})[\"']"
)
_WRITE = lazy(
    r"(?:File\.(?:write|binwrite)\(|\b(?:Set-Content|Add-Content|Out-File)\s{1,2}(?:-(?:Path|FilePath|LiteralPath)\s{1,2}){0,2}|os\.(?:WriteFile|Create)\(|ioutil\.WriteFile\(|file_put_contents\(|fs::write\("
    r"|File::create\(|\bwrite\.csv\([^\n,]{1,40},|\bwriteLines\([^\n,]{1,40},|\bWriteAll(?:Text|Bytes|Lines)\()\s{0,2}[\"']([^\"'\n]{1,160})[\"']"
)
_RUN = lazy(
    r"(?:system\(|system2\(|system\s|exec\(|spawn\(|popen\(|shell_exec\(|passthru\(|exec\.Command(?:Context)?\((?:ctx,)?|Command::new\(|os\.execute\(|io\.popen\(|do shell script|Start-Process\s{1,2}(?:-FilePath\s)?"
    r"|ProcessBuilder\(|getRuntime\(\)\.exec\(|Process\.Start\(|%x[{(]|qx[{(/])\s{0,3}[\"']?([\w./\\+-]{1,80})"
)
_LINE = lazy(r"(?m)^[ \t@]{0,20}(?:call |sudo |& )?([A-Za-z][\w.-]{0,39})(?=[ \t]|$)")
_COMMANDED = frozenset({Kind.BATCH, Kind.POWERSHELL})
_WINDOWS = frozenset("reg schtasks netsh certutil bitsadmin wmic sc taskkill icacls vssadmin wevtutil bcdedit mshta rundll32 regsvr32 msiexec robocopy xcopy winget choco scoop net".split())  # fmt: skip


_ENV_WORDS = ("env:", "ENV[", "ENV.", "ENV{", "etenv(", "env::var(", "LookupEnv(", "EnvironmentVariable(", "attribute", "%")  # fmt: skip
_READ_WORDS = ("File.", "Get-Content", "ReadFile(", "os.Open(", "file_get_", "fs::read", "read.csv(", "readLines(", "readRDS(", "ReadAll")  # fmt: skip
_WRITE_WORDS = (
    "File.", "-Content", "Out-File", "WriteFile(", "os.Create(", "file_put_", "fs::write(", "File::", "write.csv(", "writeLines(", "WriteAll",
)  # fmt: skip
_RUN_WORDS = (
    "system", "exec(", "spawn(", "popen(", "passthru(", "exec.Command", "Command::", "os.execute(", "shell script", "Start-Process",
    "ProcessBuilder(", "Process.Start(", "%x", "qx",
)  # fmt: skip
"""Of each table, words of which one stands in whatever its expression finds."""


def abilities(text: str, language: Kind, *, fetches: bool) -> Iterator[tuple[str, int]]:
    """Capabilities with the character at which each is seen first."""
    if fetches:
        named = [(host, found.start()) for found in _URL.finditer(text) for _, host in hosts.urls(found[0])]
        for host, start in named[:MOST]:
            yield capabilities.net(host), start
        if not named:
            yield capabilities.net("*"), 0
    for number, found in enumerate(_ENV.finditer(text) if one_of(_ENV_WORDS, text) else ()):
        if number == MOST:
            break
        yield capabilities.env(found[1]), found.start()
    table = (
        (_READ, _READ_WORDS, capabilities.read),
        (_WRITE, _WRITE_WORDS, capabilities.write),
        (_RUN, _RUN_WORDS, capabilities.command),
    )
    for pattern, hints, name in table:
        for number, found in enumerate(pattern.finditer(text) if one_of(hints, text) else ()):
            if number == MOST:
                break
            if "://" not in found[1]:
                yield name(found[1]), found.start()
    if language in _COMMANDED:
        for number, found in enumerate(_LINE.finditer(text)):
            if number == MOST * 20:
                break
            word = found[1].lower().removesuffix(".exe")
            if word in STRONG_COMMANDS or word in _WINDOWS:
                yield capabilities.command(word), found.start()

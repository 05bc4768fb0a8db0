"""The severity of a flow in a script: severity and confidence, with the reason in words."""

from __future__ import annotations

from functools import lru_cache

from sluicegate.known import hosts
from sluicegate.known.hosts import Host
from sluicegate.vet.inspect.analyzers.credentials import leak
from sluicegate.vet.inspect.analyzers.lineflow import rules
from sluicegate.vet.inspect.analyzers.lineflow.flow import Reached
from sluicegate.vet.inspect.analyzers.lineflow.judged import ScriptMatch
from sluicegate.vet.inspect.analyzers.lineflow.words import ScriptTag
from sluicegate.vet.inspect.rule import Rule
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Severity

_HONEST = lazy(
    r"https://(?:(?:community\.)?chocolatey\.org|get\.scoop\.sh|win\.rustup\.rs|aka\.ms|dot\.net|dotnet\.microsoft\.com|go\.microsoft\.com|download\.microsoft\.com"
    r"|raw\.githubusercontent\.com/(?:scoopinstaller|chocolatey|microsoft|powershell)/|(?:www\.)?python\.org|nodejs\.org|getcomposer\.org)"
)
_HEADER = lazy(r"authorization|bearer|x-api-key|headers?\b")


def judge(reached: Reached, text: str) -> ScriptMatch | None:
    """What to say of a sink that something reaches; None for what good scripts do."""
    tags = reached.taint.tags
    if reached.kind == "erase":
        return _own(rules.DESTRUCTIVE)
    if reached.kind == "send":
        return _sent(tags, text, reached.taint.where)
    if tags & ScriptTag.REQUEST:
        if reached.word.startswith(("include", "require")):
            return ScriptMatch(
                rules.WEB_SHELL, Severity.HIGH, 650, "the request chooses a file, not a command"
            )
        return _own(rules.WEB_SHELL)
    if tags & ScriptTag.DECODED and not (tags & ScriptTag.FETCHED and reached.kind == "run"):
        if reached.kind == "evaluate":
            return _own(rules.DECODED_TO_EXEC)
        return ScriptMatch(rules.DECODED_TO_EXEC, Severity.HIGH, 700, "a decoded command or file is started")
    return _fetched(reached.taint.where, evaluated=reached.kind == "evaluate")


@lru_cache(maxsize=256)
def _fetched(where: str, *, evaluated: bool) -> ScriptMatch | None:
    found = rules.DOWNLOAD_TO_EXEC
    addresses = hosts.urls(where)
    kind = hosts.classify(where)
    if kind is Host.LOCAL:
        return None
    if kind is Host.SUSPECT:
        return ScriptMatch(
            found, Severity.CRITICAL, 850, "the host is a bare address, a paste site or a throw-away name"
        )
    if kind is Host.INSTALLER or (addresses and len(_HONEST.findall(where)) == len(addresses)):
        return ScriptMatch(found, Severity.LOW, 500, "a well-known installer")
    if kind is Host.CODE:
        if evaluated:
            return ScriptMatch(found, Severity.HIGH, 600, "the address is a host of source code")
        return ScriptMatch(found, Severity.MEDIUM, 600, "a release from a host of source code is started")
    if not evaluated:
        return ScriptMatch(found, Severity.HIGH, 600, "a downloaded file or command is started")
    return _own(found)


def _sent(tags: int, text: str, where: str) -> ScriptMatch | None:
    if tags & (ScriptTag.SECRET | ScriptTag.DOTENV):
        if _HEADER.search(text) is not None:
            return ScriptMatch(
                rules.SECRET_TO_NETWORK, Severity.MEDIUM, 500, "it may be the key of this very service"
            )
        if tags & ScriptTag.SECRET:
            return _own(rules.SECRET_TO_NETWORK)
        host = Host.SUSPECT if hosts.webhook(where) else hosts.classify(where)
        said = leak([".env"], host)
        return said and ScriptMatch(
            rules.SECRET_TO_NETWORK, said.severity, said.confidence, "a file of the project's settings"
        )
    return _own(rules.SURVEILLANCE)


def _own(rule: Rule) -> ScriptMatch:
    return ScriptMatch(rule, rule.severity, rule.confidence)

"""An installer that is piped into a shell, from the domain of the very tool that a skill is about.

Whoever documents a tool shows the installer of its makers, which is run unseen all the same. A claim of a skill excuses
nothing alone, so several have to agree: the domain bears the name of the tool, the skill calls the tool by that name,
and refers to other pages of the domain or to a repository of that name. What imitates a known vendor, any word that
is not a name, and hosts that anyone may rent a name of, are nobody's domain. It stays a finding, for a person to see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise

from sluicegate.known import hosts
from sluicegate.vet.inspect.context.excuse import Adjusted
from sluicegate.vet.inspect.rule import Match, Rule
from sluicegate.vet.intake.bundle import PROSE
from sluicegate.vet.intake.views.programs import language
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Severity

_RULES = frozenset({"pipe-to-shell", "download-and-run", "shell-download-to-exec", "script-download-to-exec"})
_OPEN = frozenset({"normalised", "fence", "command"})
"""Derivations that show what every reader sees."""
_REASON = "the installer of the tool that the skill is about, from the tool's own domain"
_KNOWN = "the installer of a well-known tool, from its makers"
_OF_ANYBODY = frozenset(
    "git.io aka.ms hf.co huggingface.co pypi.org files.pythonhosted.org registry.npmjs.org bootstrap.pypa.io deno.land".split()
)
"""Hosts of well-known tools that serve what others have put there as well."""
_BARE = lazy(
    r"\b(?:curl|wget)\s{1,3}(?:-[\w-]{1,20}\s{1,3}){0,4}[\"']?((?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,12})(?:/[\w./-]{1,80})?[\"']?\s{0,3}[|)]"
    r"|\b(?:irm|iwr|Invoke-\w{1,20})\s{1,3}(?:-\w{1,20}\s{1,3}){0,4}[\"'(]{0,2}((?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,12})/[\w./-]{1,80}[\"')]{0,2}\s{0,3}\|",
    re.IGNORECASE,
)
"""The host that something is fetched from, written without its scheme."""
_GIVEN = lazy(r"\)[\"']?\s{1,2}--\s[^\n;&|]{0,200}$")
"""What a program that was fetched is given."""
_VARIABLE = lazy(r"\$(?:\{|[A-Za-z_])")
_URL = lazy(r"(?i)\bhttps://([a-z0-9.-]{4,253})(/[^\s)>\"'`|;]{0,300})?")
_SHARED = lazy(
    r"(?:^|\.)(?:pages\.dev|workers\.dev|r2\.dev|deno\.dev|fly\.dev|vercel\.app|netlify\.app|web\.app|lovable\.app|replit\.app|run\.app|"
    r"firebaseapp\.com|herokuapp\.com|onrender\.com|railway\.app|surge\.sh|glitch\.me|repl\.co|github\.io|gitlab\.io|blogspot\.com|wordpress\.com|"
    r"amazonaws\.com|cloudfront\.net|azurewebsites\.net|windows\.net|azureedge\.net|appspot\.com|googleapis\.com|digitaloceanspaces\.com|"
    r"notion\.site|framer\.app|framer\.website|wixsite\.com|weebly\.com|square\.site|carrd\.co|eu\.org|dyndns\.org|sslip\.io|nip\.io)$"
)
"""Domains of which anyone may have a part."""
_SECOND = frozenset("co com org net ac gov edu".split())
_SEEN = 400
"""Confidence that is left: the installers of several systems side by side are one."""
_SUDO = lazy(r"\|\s{0,3}sudo\b|\bsudo\s{1,2}(?:ba|z|da)?sh\b")
_ENDING = 3
"""Letters that may follow a word for a kind of work and leave it one: ``format``, ``formatter``."""
_FETCHES = lazy(r"\b(?:curl|wget|irm|iwr|Invoke-\w{1,20})\b", re.IGNORECASE)
_TOOL = lazy(r"\b([a-z][\w-]{1,20}) (?:cli|command(?:[- ]line)?)\b")
_CALLED = lazy(
    r"(?m)(?:^[ \t]{0,8}(?:\$[ \t]{1,2})?|`|&&[ \t]{1,2}|;[ \t]{1,2})([a-z][\w-]{1,40})[ \t]{1,2}[a-z-][\w:./-]{1,40}"
)
"""A command with a word behind it, where commands stand."""
_PLAIN = frozenset(
    "the a its and with official cli shell by from on via bash sh sudo curl git npm npx pip python python3 node".split()
)
_LONGEST = 200_000


class Vendors:
    """Lowers what runs the installer of the tool that a skill is about."""

    def __init__(self, views: Iterable[View]) -> None:
        self._raw = [view for view in views if not view.origin]
        self._known: dict[str, bool] = {}

    def adjust(self, rule: Rule, match: Match, confidence: int) -> Adjusted | None:
        """MEDIUM, so that a person sees it; None where something else than such an installer may be run."""
        if rule.id not in _RULES or match.view is None:
            return None
        if any(step.kind not in _OPEN for step in match.view.origin):
            return None
        first = match.view.text.rfind("\n", 0, match.start) + 1
        last = match.view.text.find("\n", match.end)
        line = match.view.text[first : last if last != -1 else first + 2 * hosts.LONGEST][: hosts.LONGEST]
        if self._well_known(match, line):
            raised = Severity.MEDIUM if _SUDO.search(line) else Severity.LOW
            return Adjusted(confidence=min(confidence, _SEEN), reason=_KNOWN, severity=raised)
        text = " ".join((line, *match.trace))
        owners = {_owner(host, text) for _, host in hosts.urls(text)}
        if not owners or "http://" in text or _SUDO.search(line) or not all(map(self._own, owners)):
            return None
        return Adjusted(confidence=min(confidence, _SEEN), reason=_REASON, severity=Severity.MEDIUM)

    @staticmethod
    def _well_known(match: Match, line: str) -> bool:
        """Whether all that is fetched comes from the makers of well-known tools."""
        if match.view is None or "http://" in line:
            return False
        text = " ".join((_GIVEN.sub(")", match.view.text[match.start : match.end]), *match.trace))
        if _VARIABLE.search(text) is not None:
            return False
        found = {host for _, host in hosts.urls(text)} | {
            (each[1] or each[2]).lower() for each in _BARE.finditer(line)
        }
        if not found:
            found = {host for _, host in hosts.urls(line)}
        if found <= hosts.CODE_HOSTS and len(hosts.urls(text)) == 1:
            return hosts.classify(text) is hosts.Host.INSTALLER
        return bool(found) and all(
            host.removeprefix("www.") in hosts.INSTALLERS - _OF_ANYBODY for host in found
        )

    def _own(self, host: str) -> bool:
        found = self._known.get(host)
        if found is None:
            found = self._known[host] = self._judge(host)
        return found

    def _judge(self, host: str) -> bool:
        """1. A domain of its own, on which nothing speaks against it, or an organisation of a host of code. 2. Its name is
        a name, and nobody else's. 3. The skill says that it is about this name. 4. It refers to pages of the domain or to a
        repository of that name, and calls the tool.
        """
        organisation = host.startswith("@")
        if not organisation and (  # 1
            hosts.classify(f"https://{host}/") is not hosts.Host.UNKNOWN or _SHARED.search(host)
        ):
            return False
        domain = host if organisation else _domain(host)
        label = domain.removeprefix("@").partition(".")[0]
        name = label.replace("-", "")
        parts = [part for part in label.split("-") if len(part) > 3] or [label]
        if not _is_name(name) or not all(map(_is_word, parts)) or _imitates(name) or _borrows(label):  # 2
            return False
        if name not in self._declared:  # 3
            return False
        if not self._refers(domain, label):
            return False
        tools = {label, name, *self._tools}
        return any(  # 4
            found[1] in tools or _shortens(found[1], name) or _part_of(found[1], name)
            for view in self._raw
            for found in _CALLED.finditer(view.text[:_LONGEST])
        )

    def _refers(self, domain: str, label: str) -> bool:
        """Whether the text refers to other pages of the domain, or to a repository of its name."""
        for view in self._raw:
            if view.language not in PROSE:
                continue
            for found in _URL.finditer(view.text[:_LONGEST]):
                host, path = found[1].lower().rstrip("."), (found[2] or "").lower()
                if _fetched(view.text, found.start()):
                    continue
                pages = _domain(host) == domain or (
                    domain[0] == "@" and _domain(host).partition(".")[0] == label
                )
                if pages or (host in hosts.CODE_HOSTS and label in path.split("/")[1:3]):
                    return True
            if domain[0] != "@" and any(
                not _fetched(view.text, found.start())
                for found in re.finditer(rf"(?<![\w-]){re.escape(domain)}(?![\w-])", view.text[:_LONGEST])
            ):
                return True
        return False

    @cached_property
    def _tools(self) -> frozenset[str]:
        """What the name and the description call a command."""
        return frozenset(_TOOL.findall(self._said.lower())) - _PLAIN

    @cached_property
    def _said(self) -> str:
        """The name and the description, without addresses."""
        manifests = [view for view in self._raw if view.path.rpartition("/")[2].lower() == "skill.md"]
        if not manifests:
            return ""
        from sluicegate.vet.inspect.analyzers.purpose import Promise

        manifest = min(manifests, key=lambda view: (view.path.count("/"), view.path))
        return _URL.sub(" ", Promise(manifest.text).declared)

    @cached_property
    def _declared(self) -> frozenset[str]:
        """The words of the name and the description, and each two of them as one."""
        words = re.findall(r"[a-z0-9]+", self._said.lower())
        return frozenset((*words, *(one + two for one, two in pairwise(words))))


def _fetched(text: str, at: int) -> bool:
    """Whether an address is one that a command fetches from: in the same line, and in the same code where it has any."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    if line.count("`") % 2 == 0:
        line = line[line.rfind("`") + 1 :]
    return _FETCHES.search(line) is not None


def _owner(host: str, text: str) -> str:
    """The host, or on a host of code ``@`` with the organisation whose file it is."""
    if host not in hosts.CODE_HOSTS:
        return host
    found = {m[1].lower() for m in re.finditer(rf"{re.escape(host)}/([\w.-]{{1,60}})/", text, re.IGNORECASE)}
    return f"@{found.pop()}" if len(found) == 1 else host


def _domain(host: str) -> str:
    """The part of a host name that somebody has to register."""
    labels = host.split(".")
    deep = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND
    return ".".join(labels[-3 if deep else -2 :])


def _is_word(part: str) -> bool:
    """Whether a part of a name is not a word for a kind of work; a name may begin with one."""
    from sluicegate.vet.inspect.analyzers.purpose import describes

    return describes(part) < len(part) - _ENDING


def _is_name(name: str) -> bool:
    """Whether a word is somebody's name, and no word for a kind of work."""
    return 3 < len(name) < 30 and name.isalnum() and not name.isdigit() and _is_word(name)


def _imitates(name: str) -> bool:
    """Whether a name is that of a known vendor or package, or one slip away from it."""
    from sluicegate.vet.inspect.analyzers.structures.names import imitated, well_known

    vendors = {_domain(host).partition(".")[0] for host in hosts.INSTALLERS}
    return any(_near(name, other) for other in vendors if len(other) > 3) or any(
        well_known(name, each) or imitated(name, each) is not None for each in ("pypi", "npm")
    )


def _borrows(label: str) -> bool:
    """Whether a name of several words holds that of a known vendor or package as one of them: ``stripe-cli``."""
    from sluicegate.vet.inspect.analyzers.structures.names import well_known

    words = label.split("-")
    return len(words) > 1 and any(
        len(word) > 3 and any(well_known(word, each) for each in ("pypi", "npm")) for word in words
    )


def _shortens(word: str, name: str) -> bool:
    """Whether a command is a name made short: its letters in their order, the first first. ``tb`` for ``tarnbase``."""
    if (
        not 2 <= len(word) < len(name)
        or word[0] != name[0]
        or word in _PLAIN
        or word in language.STRONG_COMMANDS | language.WEAK_COMMANDS
    ):
        return False
    left = iter(name)
    return all(letter in left for letter in word)


def _part_of(word: str, name: str) -> bool:
    """Whether a command is the last word of a name, and no program that everybody has: ``hawk`` for ``parcelhawk``."""
    return (
        3 < len(word) < len(name)
        and name.endswith(word)
        and word not in language.STRONG_COMMANDS | language.WEAK_COMMANDS
    )


def _near(name: str, other: str) -> bool:
    """Whether two names are the same, hold one another, or are one letter apart."""
    if name == other or (len(other) > 4 and other in name):
        return True
    if abs(len(name) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(name), len(other)) and name[start] == other[start]:
        start += 1
    rest, tail = name[start:], other[start:]
    swapped = sorted(rest[:2]) == sorted(tail[:2]) and rest[2:] == tail[2:]
    return swapped or rest[1:] == tail[1:] or rest == tail[1:] or rest[1:] == tail

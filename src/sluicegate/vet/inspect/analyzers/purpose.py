"""What a skill says it is for, in a form that behaviour can be compared with.

The promise is what a person reads before installing: name and description, and the running text of SKILL.md.
Code, commands, comments and addresses promise nothing. Purposes are classes of words; a text may belong
to several, and one that belongs to none promises nothing that code could break.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Flag, auto
from functools import cached_property, lru_cache

from sluicegate.known import hosts, names
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

LONGEST = 200_000
"""Characters of a SKILL.md that are read as its promise; what is beyond promises nothing."""
DECLARED = 4096
"""Characters of name and description."""
GLANCES = 50
"""Words that are looked for in the whole text; for more, its words are listed once."""


class Purpose(Flag):
    """What the declared words lead one to expect."""

    NONE = 0
    PLAIN = auto()  # work on text, files or numbers that needs nothing but what it is given
    NETWORK = auto()  # talks to other machines
    SECRETS = auto()  # handles credentials or keys
    ADMIN = auto()  # changes the machine: packages, services, permissions, schedules
    SECURITY = auto()  # looks for attacks, so it shows them


_WORDS: tuple[tuple[Purpose, str], ...] = (
    (
        Purpose.PLAIN,
        r"\b(?:format|prettif|lint|beautif|summar|rewrit|proofread|grammar|spell|transl|convert|calculat|count|renam|outlin|"
        r"notes?\b|notebook|markdown|writing|writer|text|csv|json|yaml|toml|xml|docx?\b|pdf|spreadsheet|document|template|diagram|"
        r"chart|regex|string|palette|colou?r|icon|font|unit |timer|todo|checklist|sort|dedup|word|poem|story|recipe|quiz|flashcard|"
        r"resume|slug|changelog|comment|docstring|annotat|readme|tree|file[ -]?(?:size|name|tools?|manag)|size|report|"
        r"resumen|formatea|traduc|notas|redacci|résum|traduire|zusammenfass|übersetz|notizen|formatier|resumo|anotaç)"
        r"|笔记|格式化|总结|摘要|翻译|写作|文档|文本|要約|翻訳|文章|メモ|整形|요약|번역|메모|문서|заметк|перевод|формат|ملخص|ترجمة|सारांश|अनुवाद",
    ),
    (
        Purpose.NETWORK,
        r"\b(?:apis?\b|client|fetch|https?\b|web|url|link|brows|search|download|upload|sync|weather|news|e?mail|slack|discord|telegram|"
        r"whatsapp|github|gitlab|deploy|publish|post(?:s|ing)?\b|tweet|scrap|crawl|remote|online|server|service|endpoint|integrat|"
        r"webhook|notif|stream|feed|rss|market|stock|price|trading|social|calendar|drive|cloud|aws|azure|gcp|mcp\b|network|dns|"
        r"database|registry|npm|pypi|hosting|saas|crm|cms|connect|query|llm|gpt|openai|anthropic|gemini|model|image gen|speech)",
    ),
    (
        Purpose.SECRETS,
        r"\b(?:auth|credential|secret|password|passphrase|token|vault|keychain|keyring|ssh\b|gpg\b|pgp\b|login|sign(?:ing|ature)|encrypt|"
        r"wallet|seed phrase|dotfile|dotenv|\.env|env(?:ironment)? var|1password|bitwarden|oauth|cookie|certificate|cert\b|kubeconfig|"
        r"backup|migrat|api keys?)",
    ),
    (
        Purpose.ADMIN,
        r"\b(?:install|setup|set up|provision|configure[sd]?\b|configuring|permission|sudo|root\b|admin|devops|systemd|cron|launchd|"
        r"docker|kubernetes|k8s|helm|terraform|ansible|clean ?up|cleanup|uninstall|upgrade|patch|harden|dotfile|shell|terminal|"
        r"ops\b|deploy|kernel|firewall|backup|restore|boot|autostart|reset|wipe|chmod|disk clean)",
    ),
    (
        Purpose.SECURITY,
        r"\b(?:security|cybersec|infosec|pentest|penetration|red[ -]?team|blue[ -]?team|vulnerab|exploit|malware|malicious|threat|"
        r"forensic|incident response|ctf\b|attack|(?:prompt|sql|command) injection|osint|reverse engineer|privilege escalation|"
        r"intrusion|siem|compromis|breach|phish|suspicious|leaked (?:[a-z]+ )?(?:credential|secret|key|token)|guardrail|(?:prompt|ai|llm) firewall|secure (?:coding|development)|abuse (?:report|desk)|scam|fraud|honeypot|botnet|ransomware|hacked|web ?shell|\bdlp\b|commands (?:are|is) denied|(?:dangerous|destructive|unsafe|risky|malicious) (?:[a-z]+ )?commands|bug bount|secret scan|skill(?:s)? (?:scan|vet|audit)|(?:vet|scan|audit)(?:s|ing)? (?:[a-z]+ )?skills)",
    ),
)  # fmt: skip
_CLASSES: dict[Purpose, re.Pattern[str]] = {purpose: lazy(words, re.IGNORECASE) for purpose, words in _WORDS}

_NAME = lazy(r"(?m)^name[ \t]{0,8}:[ \t]{0,8}([^\n]{1,200})")
_DESCRIPTION = lazy(r"(?m)^description[ \t]{0,8}:([^\n]{0,4000}(?:\n[ \t]{1,20}[^\n]{0,400}){0,40})")
_FENCE = lazy(r"(?m)^[ \t]{0,12}(```+|~~~+)")
_COMMENT_OPEN, _COMMENT_CLOSE = "<!--", "-->"
_ADDRESS = lazy(r"https?://[^\s)>\"'`]{1,400}|\b(?:[a-z0-9-]{1,63}+\.){1,6}[a-z]{2,12}\b/?", re.IGNORECASE)
_TITLE = lazy(r"(?m)^# ([^\n]{1,200})")
_HEADING = lazy(r"(?m)^#{1,6} [^\n]*")
_TOKEN = lazy(r"[a-z0-9]+(?:[-.][a-z0-9]+)*")
_PROPER = lazy(r"(?<=[\w,;:(*_`] )[*_`(]{0,2}([A-Z][A-Za-z0-9]{2,40}(?:[ .-][A-Z][A-Za-z0-9]{1,40}){0,2})")
_SIGNS = lazy(r"[\W_]+")

_NOT_A_SERVICE = frozenset(
    """api key keys token tokens secret secrets access password passwd pwd pass auth bot client id private public user app jwt
    webhook credential credentials session master admin root service account bearer oauth refresh default my the test dev prod
    env url uri host name signing encryption hash salt db database""".split()
)
"""Words in the name of a variable that do not say whose secret it is."""
_EVERY_SERVICE = frozenset("openai anthropic claude gemini google github gh hf huggingface llm model".split())
"""Whose keys so many programs take that a silent use says little."""
_WITH_PASSWORD = lazy(
    r"^(?:[A-Z]{1,20}_)?(?:DATABASE|DB|POSTGRES|POSTGRESQL|MYSQL|MONGO|MONGODB|REDIS|AMQP)_(?:URL|URI|DSN)$|_(?:DSN|CONNECTION_STRING)$"
)
_NOT_A_NAME = frozenset(
    """api apis www cdn app apps data docs dev com org net cloud static assets files file host hosts server service services example
    web http https mail img images media proxy relay gateway edge node prod test staging public get install download downloads
    collect collector upload io co ai backend internal external remote main home link links status track tracking info the""".split()
)
"""Labels of a host name that do not say whose it is."""
_ORDINARY = lazy(
    r"(?:^|\.)(?:amazonaws\.com|googleapis\.com|google\.com|github\.com|githubusercontent\.com|github\.io|githubcopilot\.com|gitlab\.com|pypi\.org|"
    r"npmjs\.(?:org|com)|doi\.org|crates\.io|rubygems\.org|anthropic\.com|openai\.com|microsoft\.com|windows\.net|azure\.com|"
    r"cloudflare\.com|jsdelivr\.net|unpkg\.com|cdnjs\.com|wikipedia\.org|w3\.org|schema\.org|mozilla\.org|python\.org|nodejs\.org|"
    r"httpbin\.org|wttr\.in|huggingface\.co|hf\.co|docker\.(?:io|com)|ghcr\.io|debian\.org|ubuntu\.com|[a-z]{2,30}\.gov|"
    r"apple\.com|slack\.com|stripe\.com|notion\.com|ebi\.ac\.uk|skills\.sh)$"
)
"""Hosts that skills of every kind talk to."""
_SHARED = frozenset({"co", "com", "org", "net", "gov", "ac", "or", "ne", "edu", "example"})
"""Labels in front of the last that are not the owner's choice; ``example`` is reserved for documentation."""
_LENT = frozenset(
    "vercel netlify herokuapp workers pages github gitlab web firebaseapp onrender fly railway surge glitch replit render repl "
    "deno ngrok ngrok-free azurewebsites blogspot wixsite weebly wordpress readthedocs".split()
)
"""Names of services that lend their own domain to whoever asks."""
_RESERVED = frozenset({"example"})
_PLACES = frozenset(
    "backup backups storage nas your yours my myserver yourserver user mirror logs registry git database db domain company".split()
)
"""Words for a machine that say as little whose it is."""
_STAND_INS = frozenset(
    {"example.com", "api.example.com", "www.example.com", "example.org", "example.net", "api.example.org"}
)
"""Hosts that samples name where the user's own belongs."""


class Promise:
    """What one SKILL.md says it is for. Total and linear in its length."""

    def __init__(self, text: str) -> None:
        text = text[:LONGEST]
        head, body = _parts(text)
        name, description = _NAME.search(head), _DESCRIPTION.search(head)
        title = _TITLE.search(body)
        words = [
            found[1] for found in (name, description, title if name is None else None) if found is not None
        ]
        self.declared = " ".join(words).strip()[:DECLARED]
        self.description = " ".join(words[1:] if name is not None else words).strip()[:DECLARED]
        self._name = "" if name is None else name[1].strip()
        self._text = text
        self._body = body
        self._asked: dict[Purpose, bool] = {}
        self._glances = GLANCES

    @cached_property
    def _named(self) -> tuple[str, ...]:
        named = re.findall(r"[^\W_]{4,}", self.declared.lower())
        return tuple(sorted(set(named) - _NOT_A_NAME))

    @cached_property
    def _tokens(self) -> frozenset[str]:
        """The words of the running text, without signs; the name of the skill is none where it is made of several."""
        found = {token.replace("-", "").replace(".", "") for token in set(_TOKEN.findall(self._said))}
        words = _TOKEN.findall(self._name.lower())
        return frozenset(found - {_SIGNS.sub("", word) for word in words if _SIGNS.search(word) is not None})

    @cached_property
    def _proper(self) -> frozenset[str]:
        """What the description and the running text write as names inside a sentence, in small letters without signs."""
        text = f"{self.description}\n{_HEADING.sub(' ', _prose(self._body))}"
        return frozenset(_SIGNS.sub("", found[1]).lower() for found in _PROPER.finditer(text))

    @cached_property
    def _own(self) -> str:
        return re.sub(r"[\W_]+", "", self.declared.lower())

    @cached_property
    def _low(self) -> str:
        """All of the text in lower case; empty where a comment, cut out, may make one word of two."""
        return "" if _COMMENT_OPEN in self._text else self._text.lower()

    @cached_property
    def _said(self) -> str:
        """The running text in lower case, the declared words first."""
        return f"{self.declared}\n{_prose(self._body)}".lower()

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(re.findall(r"[^\W_]+", self._said))

    @cached_property
    def _squeezed(self) -> str:
        return re.sub(r"[\W_]+", "", self._said)

    def expects(self, *purposes: Purpose) -> bool:
        """Whether one of these purposes is declared."""
        return any(self._declares(purpose) for purpose in purposes)

    def _declares(self, purpose: Purpose) -> bool:
        said = self._asked.get(purpose)
        if said is None:
            said = self._asked[purpose] = _CLASSES[purpose].search(self.declared) is not None
        return said

    def mentions(self, word: str) -> bool:
        """Whether the running text has this word (lower case); a long one may be part of others."""
        return self._in_own(word) or self._in_text(word)

    def _in_own(self, word: str) -> bool:
        return len(word) > 3 and word in self._own

    def _in_text(self, word: str) -> bool:
        """The same of all that is not the name or description; to tell what of it is prose takes time.

        A word of ASCII letters stands nowhere in the prose when it stands nowhere in the text: all that is cut
        out of it leaves a gap, but for comments. A long word may be several there.
        """
        long = len(word) > 7
        if not long and self._glances and word.isascii() and self._low and word not in self._low:
            self._glances -= 1
            return False
        return word in self._words or (long and word in self._squeezed)

    def knows_host(self, host: str) -> bool:
        """Whether a host is this machine, one that everyone talks to, or named after something that is mentioned."""
        if (
            host in _STAND_INS
            or hosts.classify(f"https://{host}/") <= hosts.Host.CODE
            or _ORDINARY.search(host)
        ):
            return True
        labels = host_words(host)
        return any(self._in_own(label) or self._names(label) for label in labels) or any(
            self._in_text(label) for label in labels
        )

    def says_host(self, host: str) -> bool:
        """Whether a host is this machine, one that everyone talks to, or the text says whose it is by that very name.

        Stricter than ``knows_host``: common words of a host's name say nothing, and neither do those of the skill's own name
        put together, for whoever steals picks a name that sounds like the skill.
        """
        return common_host(host) or self.names_owner(host)

    def names_owner(self, host: str) -> bool:
        """Whether the text says whose a host is, by that very name."""
        name = owner_name(host)
        return not name or name in self._tokens or name in self._proper

    def announces_host(self, host: str) -> bool:
        """Whether the name or the description says whose a host is by that very name."""
        return owner_name(host) in self._own

    def _names(self, label: str) -> bool:
        """Whether a label begins or ends with a word of the name or description: ``fluxcd`` for ``Flux``."""
        return any(label.startswith(word) or label.endswith(word) for word in self._named)

    def knows_secret(self, variable: str, hosts: frozenset[str]) -> bool:
        """Whether a variable holds the secret of something that is mentioned, or of a host that is asked."""
        owners = secret_words(variable)
        if not owners:
            return any(self.mentions(word) for word in variable.lower().split("_"))
        return bool(owners & _EVERY_SERVICE) or any(
            self.mentions(word) or any(word in host or host in word for host in hosts if len(word) > 2)
            for word in owners
        )

    def unmentioned_owner(self, variable: str) -> str:
        """Whose secret a variable holds, by its name, when the promise never mentions them; else empty."""
        owners = secret_words(variable)
        words = owners or set(variable.lower().split("_"))
        if any(self.mentions(word) for word in words):
            return ""
        return min(owners, default=variable.lower())


@lru_cache(maxsize=2)
def promise_of(text: str) -> Promise:
    """The promise of a SKILL.md; several analyzers ask for the same one."""
    return Promise(text)


class Stated:
    """Whether a bundle explains a host: by the promise of its topmost SKILL.md, which is read when first asked for."""

    def __init__(self, views: Iterable[View]) -> None:
        self._views = views
        self._known: dict[str, bool] = {}

    @cached_property
    def _promise(self) -> Promise:
        found = [v for v in self._views if not v.origin and v.path.rpartition("/")[2].lower() == "skill.md"]
        first = min(found, key=lambda v: (v.path.count("/"), v.path), default=None)
        return promise_of("" if first is None else first.text)

    def explains(self, host: str) -> bool:
        """Whether nobody wonders that this host is asked."""
        known = self._known.get(host)
        if known is None:
            known = self._known[host] = self._promise.says_host(host)
        return known

    def names_owner(self, host: str) -> bool:
        """Whether the text speaks of whoever a host is named after, be it one that everybody talks to."""
        return self._promise.names_owner(host)

    def announces(self, host: str) -> bool:
        """Whether the name or the description says whose a host is."""
        return self._promise.announces_host(host)

    def expects(self, *purposes: Purpose) -> bool:
        """Whether the name or the description declares one of these purposes."""
        return self._promise.expects(*purposes)

    def declares(self, words: frozenset[str]) -> bool:
        """Whether the name or the description has one of these words."""
        return not words.isdisjoint(re.findall(r"[a-z0-9]+", self._promise.declared.lower()))


def describes(word: str) -> int:
    """How many letters at the beginning of a word are a word for a kind of work."""
    found = (words.match(word) for words in _CLASSES.values())
    return max((match.end() for match in found if match is not None), default=0)


def holds_secret(variable: str) -> bool:
    """Whether a variable of this name holds a credential, or an address that has one in it."""
    return names.secret(variable) or _WITH_PASSWORD.search(variable[:128]) is not None


def host_words(host: str) -> frozenset[str]:
    """The labels of a host name that say whose it is, without its top-level domain."""
    labels = re.split(r"[.-]", host.lower())[:-1]
    return frozenset(label for label in labels if len(label) > 2 and label not in _NOT_A_NAME)


@lru_cache(maxsize=2048)
def common_host(host: str) -> bool:
    """Whether a host is this machine, a stand-in of documentation, or one that skills of every kind talk to."""
    return (
        host in _STAND_INS
        or hosts.classify(f"https://{host}/") <= hosts.Host.CODE
        or _ORDINARY.search(host) is not None
        or not owner_name(host)
    )


def owner_name(host: str) -> str:
    """The label of a host name that its owner has chosen, without signs; empty for a stand-in of documentation."""
    labels = host.lower().split(".")[:-1]
    free = len(labels) > 1 and labels[-1] in _LENT
    while len(labels) > 1 and (labels[-1] in _SHARED or labels[-1] in _LENT):
        labels.pop()
    if not labels or (labels[-1] in _RESERVED and not free):
        return ""
    words = [word for word in labels[-1].split("-") if word not in _NOT_A_NAME | _PLACES]
    return re.sub(r"[\W_]+", "", labels[-1]) if words else ""


def lent(host: str) -> bool:
    """Whether a host is a name that a service lends to whoever asks for one."""
    labels = host.lower().split(".")
    return len(labels) > 2 and labels[-2] in _LENT


def secret_words(variable: str) -> frozenset[str]:
    """The words in a variable's name that say whose secret it holds: ``SENDGRID_API_KEY`` gives ``sendgrid``."""
    parts = re.split(r"[_\d]+", variable.lower())
    return frozenset(part for part in parts if len(part) > 1 and part not in _NOT_A_SERVICE)


def _parts(text: str) -> tuple[str, str]:
    """Front matter (empty where there is none) and the rest."""
    start = text.lstrip("\ufeff \t\r\n")
    if not start.startswith("---"):
        return "", text
    end = start.find("\n---", 3)
    return ("", text) if end == -1 else (start[3:end], start[end + 4 :])


def _prose(body: str) -> str:
    """The running text: without fenced code, comments and addresses."""
    kept: list[str] = []
    fence = ""
    at = 0
    for found in _FENCE.finditer(body):
        if not fence:
            kept.append(body[at : found.start()])
            fence = found[1]
        elif found[1].startswith(fence):
            fence = ""
        at = body.find("\n", found.end())
        at = len(body) if at == -1 else at
    if not fence:
        kept.append(body[at:])
    return _ADDRESS.sub(" ", _without_comments("\n".join(kept)))


def _without_comments(text: str) -> str:
    kept: list[str] = []
    at = 0
    while (start := text.find(_COMMENT_OPEN, at)) != -1:
        kept.append(text[at:start])
        end = text.find(_COMMENT_CLOSE, start)
        if end == -1:
            return "".join(kept)
        at = end + len(_COMMENT_CLOSE)
    kept.append(text[at:])
    return "".join(kept)

"""Which of some words stand in a text: words that the families look for in every text, sought all at once.

YARA-X finds all of them (fifty) in one pass, in the time that a search for one or two takes; an alternation of
``re`` takes a hundred times as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from sluicegate.vet.intake.views.disguises.runs import lowered
from sluicegate.vet.matchers import Matchers

if TYPE_CHECKING:
    import yara_x

HARMFUL = (
    "ignore", "instruction", "curl ", "import ", "http", "exec", "bash", "password", "system", "secret", "eval(",
    "wget", "subprocess", "disregard", "previous", "prompt", "token", "powershell", "sudo ", "rm -rf", "credential",
    "reviewer", "scanner", "guidelines", "/dev/tcp", "id_rsa", "base64",
)  # fmt: skip
"""Words of orders and commands, which are hidden by turning them."""
ROT13 = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm",
)
TURNED = {
    "rot13": tuple(word.translate(ROT13).encode() for word in HARMFUL),
    "reversed": tuple(word[::-1].encode() for word in HARMFUL),
}
OVERRIDING = ("ignore", "disregard", "forget", "override", "bypass")
FORBIDDING = ("do not", "don't", "never")
"""Verbs that begin an order."""
DEEDS = {
    "harm": ("backdoor", "back door", "weakness", "tojson(", "vulnerabilit", "master password"),
    "ask": ("wallet", "seed phrase", "recovery", "cvv", "their share"),
    "destroy": ("backup", "snapshot", "mailbox", "database"),
    "remember": ("claude.md", "agents.md", " memory", ".cursor"),
    "grant": ("deploy key", "owner add", "ssh-ed", "principal"),
    "itself": ("this paragraph", "this section", "this note", "this rule"),
    "allow": (
        "settings.json", "settings.local", "config.toml", "opencode.json", "permission mode", "permissions", "approval", "allow list",
        "allow-list", "allowlist", "agent's settings", "agent settings", "--dangerously", "yolo", "-all-tools", "defaultmode",
    ),
    "protection": (
        "defender", "antivirus", "anti-virus", "virus scan", "gatekeeper", "integrity protection", "firewall", "selinux", "apparmor",
        "endpoint protection", "endpoint detection", "secret scan", "secret-scan", "branch protection", "push protection", "hook that",
        "hooks that", "certificate", " tls ", " ssl ", "signature", "host key", "host-key", "-factor", "second factor", " mfa", " 2fa",
        "audit log", "intrusion", "the sandbox", "security check", "security software", "incoming connection", "inbound",
    ),
    "way in": ("authorized_keys", "administrator", " as root", "passwordless", "without a password", "nopasswd"),
    "hand over": (
        "shell history", "bash history", "zsh history", "_history", "cookies", "keychain", "wallet file", "credentials", "ssh key",
        "private key", "environment variables", "github token", "access token", "saved passwords",
    ),
    "stay": (
        " logs in", "log in", "at login", "on login", "on boot", "at boot", "start-up", "startup", "each night", "every night",
        "every hour", "each hour", "each day", "every day",
    ),
    "traces": (
        "audit log", "shell history", "bash history", "_history", "command history", "reflog", "event log", "system log", "security log",
        "traces of",
    ),
}  # fmt: skip
"""Words of which one stands in every sentence that orders such a deed."""

_FOLDED = ("\u0130", "\u0131", "\u017f")
"""Letters beyond ASCII that a pattern without case takes for ASCII letters, and ``words_in`` does not."""
_TEXTS = 32
"""Texts of which it is remembered what stands in them: the analyzers ask about those that the families asked about."""
_SHORT = 4_096
"""Bytes; in a shorter text each word is sought by itself as long as the rules are not made, which takes longer."""


class WordSearch:
    """A search for groups of words: ASCII, in the case in which they are sought."""

    def __init__(self, groups: Mapping[str, Sequence[bytes]]) -> None:
        self._groups = {group: tuple(words) for group, words in groups.items()}
        self._names = {f"group_{number}": group for number, group in enumerate(self._groups)}
        self._matchers = Matchers(partial(_rules, self._groups.values()), most=1)

    def groups_in(self, data: bytes) -> frozenset[str]:
        """The groups of which a word stands in ``data``."""
        if len(data) < _SHORT and not self._matchers.made:
            return self._one_by_one(data)
        import yara_x

        try:
            matching = self._matchers.own.scan(data).matching_rules
        except yara_x.ScanError:
            return self._one_by_one(data)
        return frozenset([self._names[rule.identifier] for rule in matching])

    def _one_by_one(self, data: bytes) -> frozenset[str]:
        return frozenset([group for group, words in self._groups.items() if _stands(words, data)])


def _stands(words: Sequence[bytes], data: bytes) -> bool:
    for word in words:  # noqa: SIM110  # a generator takes twice the time, and ``in`` costs an exception first
        if data.find(word) != -1:
            return True
    return False


def _rules(groups: Iterable[Sequence[bytes]]) -> yara_x.Rules:
    """One rule for each group, in order, which matches where one of its words stands."""
    import yara_x

    return yara_x.compile(
        "\n".join(
            f"rule group_{number} {{ strings: {_strings(words)} condition: any of them }}"
            for number, words in enumerate(groups)
        )
    )


def _strings(words: Sequence[bytes]) -> str:
    return " ".join(
        f'$w{number} = "{"".join([f"{chr(92)}x{byte:02x}" for byte in word])}"'
        for number, word in enumerate(words)
    )


_SOUGHT = WordSearch(
    TURNED
    | {verb: (verb.encode(),) for verb in OVERRIDING + FORBIDDING}
    | {deed: tuple(word.encode() for word in words) for deed, words in DEEDS.items()}
)


@lru_cache(maxsize=_TEXTS)
def words_in(text: str) -> frozenset[str]:
    """The ways of turning and the deeds of which a word stands in ``text``, in lower or upper case, and the verbs."""
    return _SOUGHT.groups_in(lowered(text))


def deeds_in(text: str) -> tuple[str, ...]:
    """The deeds of which a word stands in ``text``; all of them where other letters may stand for those of a word."""
    if not text.isascii() and any(letter in text for letter in _FOLDED):
        return tuple(DEEDS)
    held = words_in(text)
    return tuple([deed for deed in DEEDS if deed in held])

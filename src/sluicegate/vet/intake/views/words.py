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
    "harm": (
        "backdoor", "back door", "weakness", "tojson(", "vulnerabilit",
        "master password", "hidden ", "subtle ", "deliberate", "intentional",
        "off-by-one", "race condition", "logic bomb", "kill switch", "small bug", "small error", "secret route", "undocumented",
    ),
    "weak": (
        " seed", "nonce", " iv ", "salt", "md5", "sha1", "sha-1", "plain text", "plaintext", "clear text", "predict", "derived from",
        "password `", "password '", 'password "', "hard-coded", "hardcoded", "a constant", " ecb", "rc4",
    ),
    "admit": (
        "any password", "every password", "any token", "any signature", "the word `", "the word '",
        'the word "', "any code", "any certificate", "the password `", "the password '", 'the password "',
    ),
    "lift": (
        "permission check", "validation", "escaping", "rate limit",
        "verify=false", "verify = false", "any origin", "access check", "sanitiz",
        "sanitis", "safety check", "authorization check", "authentication check", "csrf", "ownership check", "security check",
    ),
    "falsify": (
        "assertion", "failing test", "test fails", "tests fail", "they pass",
        "tests pass", "it passes", "test passes", "is green", "are green",
        "whatever the code", "looks clean", "looks green", "cannot fail", "under test",
        "turn green", "always pass", "never fail", "it is silent", "everything passes",
    ),
    "pretend": (
        "without copying", "without running", "without doing",
        "without sending", "without checking", "without testing", "without looking",
        "without saving", "without verifying", "even if", "even when", "even though", "although", "no matter", "regardless", "whatever ",
        "whether or not",
    ),
    "kept": (
        "nobody", "no one", "say nothing", "quiet", "secretly",
        "silently", "discreetly", "bring it up", "bringing", "point it out", "pointing",
        "mention", "needn't", "need not", "no need", "notices", " asked, say", " asks, say", "asked, claim", "behind the", "out of the ",
        "must not know", "should not know", "not to know", "never know", "disclose",
    ),
    "divert": ("payment", "bank ", "wallet", "iban", "invoice", "crypto", "bitcoin", "payout"),
    "spy": ("keystroke", "key stroke", "webcam", "microphone", "keylog", "key press", "screen", "the user types"),
    "mine": ("monero", "xmr", "bitcoin", "crypto", "miner", "hash rate", "mining"),
    "flood": ("flood", "overwhelm", "ddos", "bombard", "overload"),
    "ransom": ("encrypt",),
    "shell": ("reverse shell", "bind shell", "listening shell", "remote shell", "web shell", "back connect", "backconnect"),
    "show": (
        "private key", "secret key", "signing key", "ssh key", "gpg key", "ssh private", "passphrase", "seed phrase", "recovery phrase",
        "mnemonic", "password", "keychain", "credential", "cookies", "id_rsa",
        "id_ed25519", "netrc", "npmrc", ".aws", "kubeconfig", ".env",
        "bearer token", "api key", "environment variable", "printenv", "logins", "json key",
        "pypirc", "access token", "secrets", "master key", "the vault", "encryption key",
    ),
    "deliver": (
        ".env", "dotenv", "dot-env", ".aws", "netrc", "npmrc", "pypirc", ".gnupg", ".kube", "kubeconfig", "kube/config", ".docker/",
        "git-credentials", "config/gh", ".ssh", "id_rsa", "id_dsa", "id_ed25519", "id_ecdsa", "private key", "private-key", "private_key",
        "secret key", "ssh key", "gpg key", "signing key", "master key", "encryption key", "environment", "env vars", "printenv",
        "`env`", "keys", "api key", "tokens", " token", "secrets", "credential", "password", "_key", "_token", "_secret", "_pat",
        "seed phrase", "recovery phrase", "logins", "cookies", "keychain", "key chain",
    ),
    "token": (
        "'s token", "'s api", "_token", "_key", "_secret", "github token", "gitlab token", "npm token", "slack token", "discord token",
        "refresh token", "openai key", "openai api", "anthropic key",
        "aws secret", "stripe key", "google token", "api token", "access token",
        "pypi token", "session cookie", "token of", "key of",
    ),
    "fetch": ("installer", "helper", "companion", "updater", "background service"),
    "page": (
        ".netlify.app", ".vercel.app", ".pages.dev", ".web.app", ".firebaseapp.com", ".github.io", ".gitlab.io",
        ".surge.sh", ".onrender.com", ".fly.dev", ".glitch.me", ".replit.app", ".repl.co", ".workers.dev",
        ".herokuapp.com", ".blogspot.", ".carrd.co", ".webflow.io", ".framer.", ".wixsite.com", ".weebly.com",
        ".neocities.org", ".notion.site", "rentry.", "telegra.ph", "pastebin.com", "gofile.io", "mega.nz",
        "mediafire.com", "transfer.sh", "catbox.moe", "file.io", "dropbox.com", "drive.google.com", "sites.google.com",
        "1drv.ms", ".hopto.org", ".duckdns.org", ".ngrok", ".trycloudflare.com", ".tiiny.site", ".lovable.app",
        "bit.ly/", "tinyurl.com/",
    ),
    "spend": ("gift card", "voucher", "credit card", "saved card", "stored card", "payment method"),
    "name": ("'s name", "their name", "his name", "her name", "'s account", "their account"),
    "spread": ("address book", "contacts"),
    "ask": ("wallet", "seed phrase", "recovery", "cvv", "their share", "by sms", "by text", "one-time code"),
    "destroy": ("backup", "snapshot", "mailbox", "database"),
    "remember": (
        "claude.md", "agents.md", " memory", ".cursor", "gemini.md",
        "soul.md", "identity.md", "heartbeat.md", "memory.md", "windsurfrules",
        "copilot-instructions", "memoris", "memoriz", "agent files", "for good", "permanently",
    ),
    "grant": ("deploy key", "owner add", "ssh-ed", "principal"),
    "itself": ("this paragraph", "this section", "this note", "this rule"),
    "allow": (
        "settings.json", "settings.local", "config.toml", "opencode.json", "permission mode", "permissions", "approval", "allow list",
        "trustedcommands", "allowedcommands",
        "allow-list", "allowlist", "agent's settings", "agent settings", "--dangerously", "yolo", "-all-tools", "defaultmode",
        "autoapprov", "auto-approv", "auto approv", "automatic approv", "autoaccept", "auto-accept", "auto accept", "auto-run",
        "auto run", "auto-execut", "auto execut", "auto-confirm", "auto-allow", "auto-permission", "autopilot", "auto-pilot", "full-auto",
        "full auto", "fully autonomous", "bypass permission", "bypass-permission", "bypasspermission", "skip-permission",
        "skip permission", "always allow", "always-allow", "always approve", "always accept", "always trust", "always proceed",
        "always run", "confirmation", "consent", "asking", "human-in-the-loop", "human in the loop", "trust prompt", "trust dialog",
        "permission prompt", "permission dialog", "for permission", "never-ask", "never ask", "ask again",
        "ask me again", "dontask", "dont-ask", "no-confirm",
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
        "private key", "environment variables", "github token", "access token", "saved passwords", "documents", "photos", "clipboard",
        "screenshot", "chat history", "browser history", "browsing history", "transcript", "conversation",
    ),
    "part with secrets": (
        "cookies", "keychain", "key chain", "keyring", "key ring", "wallet", "credential", "ssh", "private key", "wallet.dat",
        "environment", "env vars", " env ", "`env`", "env file", "env dump", "env-", "dotenv", "dot-env", ".env", "printenv", "token",
        "password", "passphrase", "secret", ".aws", "aws key", ".gnupg", "gpg", "pgp", ".kube", "kubeconfig", "kube config", "netrc",
        "npmrc", "pypirc", "pgpass", ".docker/", "config/gh", "gcloud", "id_rsa", "id_dsa", "id_ed25519", "id_ecdsa", "login",
        "log-in", "sign-in", " keys", "_key", "_pat", "holds the key", "api key", "access key", "seed ", "recovery ", "mnemonic",
        "signing key", "keystore", "key store", "tfstate", "tfvars",
        "connection string", "access data", "passw", "kennw", "zugangsdaten", "sh history", "command history", "terminal history",
        "sh_history", "shell history", "mots de passe", "identifiants", "contrase", "credencia", "senha", "credenzial",
    ),
    "part with work": (
        "repositor", "the repo", "whole repo", "entire repo", "full repo", "private repo", "code base", "codebase", "source code",
        "source tree", "source file", "working tree", "workspace", "branches", "every branch", "all tags", "every tag",
        "whole project", "entire project", "complete project", "full project", "current project", "this project", "private project",
        "git history", "all commits", "every commit",
    ),
    "part with things": (
        "document", "photo", "picture", "clipboard", "screenshot", "screen shot", "transcript", "conversation", "manuscript", "inbox",
        "mailbox", "contacts", "address book", "payroll", "salar", "medical", "health", "patient", "contract", "customer",
        "attachment", "recording", "each new case", "every message", "each message", "invoice", "browser history", "browsing history",
        "calendar", "every mail", "each mail", "e-mails", "emails",
    ),
    "hushed": (
        "bother", "bcc", "blind copy", "unnoticed", "leave it out", "leave that out", "leave this out", "sent folder", "from the sent",
        "in the background", "behind the scenes", "need to be told", "have to be told", "need to know", "have to know",
        "without a word", "without asking", "without telling", "without saying", "without notify", "without inform",
        "if the user asks", "not see", "not notice", "not show", "not tell", "n't tell", "n't show", "n't ask", "not ask", "not list",
        "not report", "n't talk", "not talk",
    ),
    "bare host": (
        ".com", ".net", ".org", ".io", ".dev", ".app", ".co", ".ai", ".cloud", ".info", ".xyz", ".site", ".online", ".us", ".de",
        ".eu", ".ru", ".cn", ".fr", ".nl", ".uk", ".ch", ".tech", ".tools", ".top", ".space", ".work", ".link", ".club", ".pro",
        ".live", ".press", ".store", ".fun", ".icu", ".vip", ".buzz", ".shop", ".host", ".website", ".world", ".zone", ".center",
        ".digital", ".network", ".email", ".team", ".group", ".studio", ".page", ".life", ".today", ".chat", ".biz", ".cc", ".tk",
        ".gq", ".me", ".gg", ".example", ".test",
    ),
    "stay": (
        " logs in", "log in", "at login", "on login", "on boot", "at boot", "start-up", "startup", "each night", "every night",
        "every hour", "each hour", "each day", "every day",
    ),
    "steer": (
        "node_options", "ld_preload", "ld_audit", "dyld_insert", "pythonstartup", "bash_env", "perl5opt", "rubyopt", "java_tool_options",
        "dotnet_startup", "git_ssh", "_askpass", "git_external", "git_proxy", "prompt_command",
    ),
    "judge": (
        "reviewer", "scanner", "auditor", "analyser", "analyzer", " judge", "grader", "moderator", "evaluator", "classifier", "vetting",
        "assessing", "assesses", "evaluating", "security review", "reads this", " audit this", "that audit", "that review", "that grade",
        "reviewing", "auditing", "find malware", "security team", "security bot", "automated check", "your rating", "your verdict",
        "classification of", "moderation", "treat alerts", "treat findings", "to review skills", "evaluation model", "nothing left to",
        "decides about", "exempt", "whoever", "rates this",
        "that rates", "that evaluat", "that inspect", "that scans",
        "rate this", "your review", "in the review", "malware analysis", "excluded from",
        "this folder as", "this package as", "this skill as", "this plugin as", "this submission", "summarise this", "summarize this",
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
        return frozenset(self.held_in(data))

    def held_in(self, data: bytes) -> dict[str, tuple[bytes, ...]]:
        """The words of each group that stand in ``data``; no group of which none does."""
        if len(data) < _SHORT and not self._matchers.made:
            return self._one_by_one(data)
        import yara_x

        try:
            matching = self._matchers.own.scan(data).matching_rules
        except yara_x.ScanError:
            return self._one_by_one(data)
        held = {}
        for rule in matching:
            group = self._names[rule.identifier]
            words = zip(self._groups[group], rule.patterns, strict=True)
            held[group] = tuple([word for word, pattern in words if pattern.matches])
        return held

    def _one_by_one(self, data: bytes) -> dict[str, tuple[bytes, ...]]:
        held = {group: _standing(words, data) for group, words in self._groups.items()}
        return {group: words for group, words in held.items() if words}


def _standing(words: Sequence[bytes], data: bytes) -> tuple[bytes, ...]:
    return tuple([word for word in words if data.find(word) != -1])


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
def _held_in(text: str) -> Mapping[str, tuple[bytes, ...]]:
    return _SOUGHT.held_in(lowered(text))


@lru_cache(maxsize=_TEXTS)
def words_in(text: str) -> frozenset[str]:
    """The ways of turning and the deeds of which a word stands in ``text``, in lower or upper case, and the verbs."""
    return frozenset(_held_in(text))


def deeds_in(text: str) -> tuple[str, ...]:
    """The deeds of which a word stands in ``text``; all of them where other letters may stand for those of a word."""
    if _has_folded(text):
        return tuple(DEEDS)
    held = words_in(text)
    return tuple([deed for deed in DEEDS if deed in held])


def hints_in(text: str, deed: str) -> tuple[str, ...]:
    """The words of a deed that stand in ``text``; all of them where other letters may stand for those of a word."""
    if _has_folded(text):
        return DEEDS[deed]
    return tuple([word.decode() for word in _held_in(text).get(deed, ())])


def _has_folded(text: str) -> bool:
    return not text.isascii() and any(letter in text for letter in _FOLDED)

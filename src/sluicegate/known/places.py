"""Where secrets, private matters, start-up files and instructions of agents are kept: one table for everything that asks.

``SECRETS`` and ``PROJECT`` are globs, one place a line, so that a policy can name them; whether a text names such a
place is told by a pattern made of the same lines. In a glob ``~/`` is a home folder, ``**/`` any folder, ``**`` at the end the
folder and all below it, and ``*`` a part of a name. Behind ``except`` stands what is harmless in the same folder.

A text is a path, a word of a command or a whole line of code. Home folders have many spellings (``$HOME``,
``/home/x``, ``os.homedir() + "/..."``), so a place below one is recognised by what follows it, in small or large
letters and with either slash. Texts are cut at ``LONGEST`` characters, so no question costs more than a constant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from sluicegate.patterns import compiled, seldom
from sluicegate.tuples import NamedTuple

LONGEST = 2048


SECRETS = {
    "keys": """
        ~/.ssh/** except known_hosts* config *.pub
        **/id_rsa except id_rsa.pub
        **/id_dsa except id_dsa.pub
        **/id_ecdsa except id_ecdsa.pub
        **/id_ed25519 except id_ed25519.pub
        ~/.gnupg/**
        ~/.password-store/**
        ~/.local/share/keyrings/**
        ~/.local/share/kwalletd/**
        ~/Library/Keychains/**
        **/login.keychain*
        """,
    "clients": """
        ~/.aws/**
        ~/.azure/** except *pipelines* *.yml *.yaml
        ~/.oci/**
        ~/.kube/** except cache
        ~/.config/gcloud/**
        **/application_default_credentials.json
        ~/.docker/config.json
        ~/.terraform.d/credentials.tfrc.json
        ~/.config/doctl/config.yaml
        ~/.config/hcloud/cli.toml
        ~/.config/gh/**
        ~/.config/glab-cli/config.yml
        ~/.config/hub
        ~/.config/op/**
        ~/.config/git/credentials
        ~/.git-credentials
        ~/.netrc
        ~/_netrc
        ~/.pgpass
        ~/.my.cnf
        ~/.mylogin.cnf
        ~/.npmrc
        ~/.pypirc
        ~/.cargo/credentials*
        ~/.gem/credentials
        ~/.m2/settings-security.xml
        ~/.composer/auth.json
        ~/.config/composer/auth.json
        ~/.vault-token
        ~/.s3cfg
        ~/.boto
        ~/.mc/config.json
        ~/.databrickscfg
        ~/.config/rclone/rclone.conf
        ~/.config/ngrok/ngrok.yml
        ~/.ngrok2/ngrok.yml
        **/.htpasswd
        """,
    "browsers": """
        ~/.mozilla/**
        ~/.config/google-chrome/**
        ~/.config/chromium/**
        ~/.config/BraveSoftware/**
        ~/.config/microsoft-edge/**
        ~/Library/Cookies/**
        ~/Library/Application Support/Google/Chrome/**
        ~/Library/Application Support/Firefox/**
        ~/Library/Application Support/BraveSoftware/**
        **/Chrome/User Data/**
        **/Edge/User Data/**
        **/Brave-Browser/User Data/**
        **/Login Data*
        **/logins.json
        **/key4.db
        **/cookies.sqlite
        """,
    "wallets": """
        ~/.bitcoin/**
        ~/.ethereum/**
        ~/.electrum/**
        ~/.exodus/**
        ~/.monero/**
        ~/.atomic/**
        ~/.solana/**
        ~/.config/solana/**
        ~/Library/Application Support/Exodus/**
        ~/Library/Application Support/Electrum/**
        **/exodus.wallet/**
        **/Ledger Live/**
        **/nkbihfbeogaeaoehlefnkodbefgpgknn/**
        **/wallet.dat
        """,
    "system": """
        /etc/shadow
        /etc/gshadow
        /etc/master.passwd
        /etc/sudoers
        /etc/sudoers.d/**
        /proc/*/environ
        /proc/*/mem
        """,
    "agents": """
        ~/.claude/.credentials.json
        ~/.claude.json
        ~/.codex/auth.json
        ~/.gemini/oauth*
        ~/.openclaw/credentials/**
        ~/.openclaw/.env
        ~/.openclaw/openclaw.json
        ~/.clawdbot/credentials/**
        ~/.clawdbot/.env
        ~/.clawdbot/clawdbot.json
        ~/.config/github-copilot/**
        ~/.config/anthropic/**
        ~/.config/openai/**
        **/.anthropic/**
        **/.openai/**
        """,
    "histories": """
        ~/.bash_history
        ~/.zsh_history
        ~/.sh_history
        ~/.python_history
        ~/.psql_history
        ~/.mysql_history
        ~/.node_repl_history
        ~/.local/share/fish/fish_history
        **/ConsoleHost_history.txt
        """,
}
"""Files and folders of secrets that are a person's or a machine's, and no project's: by what keeps them there."""

PROJECT = {
    "dotenv": """
        **/.env
        **/.env.local
        **/.env.*.local
        **/.env.prod
        **/.env.production
        **/.env.dev
        **/.env.development
        **/.env.staging
        **/.env.secret
        **/.envrc
        """,
    "key files": """
        **/*.pem
        **/*.key
        **/*.p12
        **/*.pfx
        **/*.ppk
        **/*.jks
        **/*.keystore
        **/*.kdbx
        **/*.ovpn
        **/*.tfstate
        **/*_rsa
        **/*_dsa
        **/*_ecdsa
        **/*_ed25519
        **/credentials.json
        **/credentials.y*ml
        **/credentials.toml
        **/credentials.txt
        **/credentials.csv
        **/credential.json
        **/secret.json
        **/secrets.json
        **/secrets.y*ml
        **/secrets.toml
        **/secrets.txt
        **/secrets.csv
        **/service-account*.json
        **/service_account*.json
        **/serviceaccount*.json
        **/*firebase-adminsdk*.json
        **/client_secret*.json
        **/*.tfvars
        **/*.keytab
        **/.dev.vars
        **/.vault_pass*
        """,
}
"""Files of a project that hold its secrets, or by their names may. ``.env.example`` and its like hold none."""

_OWN = seldom(
    "~ home /users /root %userprofile% library/ chat.db tdata .config/ places.sqlite /history".split(),
    r"""
    ^(?:~|\$\{?home\}?|/home(?:/[^/*]{1,60})?|/users(?:/[^/*]{1,60})?|/root|%userprofile%)/?(?:\*{1,2}|\.)?$
    | ^(?:~|\$\{?home\}?|/home/[^/]{1,60}|/users/[^/]{1,60}|/root|%userprofile%)[/\\](?:my\ )?(?:documents|desktop|downloads
        |pictures|photos|movies|videos|mail|maildir|\.thunderbird|obsidian|library/mail|library/calendars
        |library/application\ support/addressbook)(?:[/\\]?$|[/\\].{0,200}\*)
    | library/messages | \bchat\.db$ | telegram\ desktop/tdata | \.config/signal\b
    | library/safari/history\.db | places\.sqlite\b | /(?:chrome|chromium|edge|brave-browser)/.{1,60}/history$
    """,
    re.VERBOSE,
)
_CONVERSATION = seldom(
    ".claude .codex/ .cursor/ .gemini/ .openclaw .clawdbot memory.md memory/ soul.md".split(),
    r"""
    (?:^|/)(?:\.(?:claude/(?:projects|history|transcripts|todos)|codex/(?:sessions|history)|cursor/(?:chats|projects)
        |gemini/(?:tmp|history)|(?:openclaw|clawdbot)/(?:agents|sessions|memory|workspace))\b
    |\.(?:claude|openclaw|clawdbot)(?:/\*{1,2})?/?$ | (?:memory|soul)\.md$ | memory/\*\.md)
    """,
    re.VERBOSE,
)
_STARTUP = seldom(
    """.bash .profile .zsh .zprofile .zlogin .kshrc .cshrc .xprofile .xinitrc .config/ /etc/ /cron /systemd library/launch
    startup currentversion .git/hooks/ customize.py .pth""".split(),
    r"""
    (?:^|/)\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|xprofile|xinitrc)$
    | (?:^|/)\.config/(?:fish/config\.fish|fish/conf\.d/.|autostart(?:/|$)|systemd/user(?:/|$)|powershell/profile)
    | ^/etc/(?:profile|bash\.bashrc|zshrc|rc\.local|crontab|cron\.|cron$|init\.d|systemd/system|xdg/autostart|ld\.so\.preload
        |pam\.d/|environment$|profile\.d/)
    | ^/var/spool/cron | ^/(?:usr/)?lib/systemd/system
    | library/launch(?:agents|daemons)(?:/|$)
    | start\ menu/programs/startup | \\currentversion\\run\b
    | \.git/hooks/[a-z] | (?:site|user)customize\.py$ | site-packages/[^/]{1,80}\.pth$
    """,
    re.VERBOSE,
)
_CONTROL = seldom(
    ".ssh/authorized_keys /etc/".split(),
    r"\.ssh/authorized_keys\d?$|^/etc/sudoers(?:\.d/|$)|^/etc/ld\.so\.preload$|^/etc/passwd$",
)
_INSTRUCTIONS = seldom(
    """.claude .codex/ .gemini/ .cursor .windsurf .continue/ .openclaw/ .clawdbot/ .moltbot/ .mcp.json desktop_config claude
    agents.md gemini.md soul.md memory.md identity.md heartbeat.md instructions.md .cline""".split(),
    r"""
    (?:^|/)\.(?:claude|codex|gemini|cursor|windsurf|continue|openclaw|clawdbot|moltbot)/(?:.{0,200}?/)?
        (?:settings(?:\.local)?\.json|hooks?(?:\.json|/)|mcp\.json|claude\.md|agents\.md|soul\.md|memory\.md|identity\.md
        |config\.(?:toml|json)|heartbeat\.md|openclaw\.json|rules)
    | (?:^|/)\.claude\.json$ | (?:^|/)\.mcp\.json$ | claude_desktop_config\.json$
    | (?:^|/)(?:claude(?:\.local)?|agents|gemini|soul|memory|identity|heartbeat)\.md$
    | (?:^|/)\.(?:cursor|windsurf|cline)rules$ | copilot-instructions\.md$
    """,
    re.VERBOSE,
)
_TEMPLATE = seldom([".env"], r"\.env\.(?:example|sample|template|dist)\b")


class PlaceLine(NamedTuple):
    """One line of a table: a glob, and the names in the same folder that it does not mean."""

    glob: str
    harmless: tuple[str, ...] = ()


@cache
def kept(kind: str) -> tuple[PlaceLine, ...]:
    """The places of one kind, by its name in ``SECRETS`` or ``PROJECT``."""
    found = []
    for line in (SECRETS | PROJECT)[kind].split("\n"):
        glob, _, harmless = line.strip().partition(" except ")
        if glob:
            found.append(PlaceLine(glob, tuple(harmless.split())))
    return tuple(found)


@lru_cache(maxsize=2048)
def secret(text: str) -> bool:
    """Whether a text names a place where credentials are kept."""
    text = text[:LONGEST].lower()
    return _one_of(_secret_words(), text) and secrets_pattern().search(text) is not None


def secrets(text: str) -> Iterator[tuple[int, int]]:
    """Where a text of any length names such places: the offsets of each."""
    low = text.lower()
    if len(low) != len(text):  # a letter whose small form is two
        low = "".join(each.lower() if each.isascii() else each for each in text)
    if not _one_of(_secret_words(), low):
        return iter(())
    return (found.span() for found in secrets_pattern().finditer(low))


@lru_cache(maxsize=2048)
def dotenv(text: str) -> bool:
    """Whether a text names a file of a project's secrets that is not a template."""
    text = text[:LONGEST]
    return ".env" in text and dotenv_pattern().search(text) is not None and _TEMPLATE.search(text) is None


def dotenvs(text: str) -> Iterator[tuple[int, int]]:
    """Where a text of any length names such files: the offsets of each."""
    return (found.span(1) for found in dotenv_pattern().finditer(text)) if ".env" in text else iter(())


@lru_cache(maxsize=2048)
def key_file(text: str) -> bool:
    """Whether a text names a file that by its name holds keys or secrets of a project, of which some may be public."""
    text = text[:LONGEST].lower()
    return (
        _one_of(_key_words(), text)
        and key_file_pattern().search(text) is not None
        and "public" not in text
        and "example" not in text
    )


@lru_cache(maxsize=2048)
def own(text: str) -> bool:
    """Whether a text names what is the user's own: the home folder, a great folder of it, mail, chats, what agents heard."""
    return _OWN.search(text[:LONGEST].lower()) is not None or conversation(text)


@lru_cache(maxsize=2048)
def conversation(text: str) -> bool:
    """Whether a text names what an agent said, heard or remembers."""
    return _CONVERSATION.search(text[:LONGEST].lower()) is not None


@lru_cache(maxsize=2048)
def startup(text: str) -> bool:
    """Whether what is there runs by itself: at login, at boot, by a timer, by git or by the interpreter."""
    return _STARTUP.search(text[:LONGEST].strip().lower()) is not None


@lru_cache(maxsize=2048)
def control(text: str) -> bool:
    """Whether writing there gives lasting control of the machine."""
    return _CONTROL.search(text[:LONGEST].strip().lower()) is not None


@lru_cache(maxsize=2048)
def instructions(text: str) -> bool:
    """Whether an agent reads its instructions, memory or settings from there."""
    return _INSTRUCTIONS.search(text[:LONGEST].strip().lower()) is not None


_SLASH = r"[/\\]{1,2}"
_PART = r"[^/\\\s\"'`|;<>]{0,60}"
_BEFORE = {".": r"(?<![\w.?&)\]!$*-]\.)", "/": ""}
"""What may not stand before a place, by its first letter: that letter comes first, so that a search can skip to it."""


def _one_of(words: Sequence[str], text: str) -> bool:
    for word in words:  # noqa: SIM110  no generator: it is asked of many texts
        if word in text:
            return True
    return False


@cache
def _secret_words() -> tuple[str, ...]:
    """Of these every text that names a place holds one. Most texts hold none, and no pattern is made."""
    parts = {_longest(place) for kind in SECRETS for place in kept(kind)}
    words: list[str] = []
    for part in sorted(parts, key=lambda part: (len(part), part)):
        if not _one_of(words, part):  # what holds a shorter one is not asked for
            words.append(part)
    return tuple(words)


@cache
def _key_words() -> tuple[str, ...]:
    """The same of the files of keys."""
    return tuple(sorted({_longest(place) for place in kept("key files")}))


def _longest(place: PlaceLine) -> str:
    """The longest part of a place that is written out."""
    return max(re.split(r"[/*]", _named(place)), key=len)


def _named(place: PlaceLine) -> str:
    """A place without the folder that it may stand in, in small letters."""
    return place.glob.removeprefix("~/").removeprefix("**/").lower()


@cache
def secrets_pattern() -> re.Pattern[str]:
    """What names any place of ``SECRETS``, in small letters."""
    tails: dict[str, list[str]] = {}
    for kind in SECRETS:
        for place in kept(kind):
            tail = _named(place)
            tails.setdefault(tail[0], []).append(_tail(tail, place.harmless))
    groups = []
    for letter, found in sorted(tails.items()):
        before = _BEFORE.get(letter, rf"(?<![\w-]{letter})")
        groups.append(f"{re.escape(letter)}{before}(?:{'|'.join(found)})")
    return compiled("|".join(groups))


def _tail(glob: str, harmless: tuple[str, ...]) -> str:
    """The pattern of a glob without its first letter."""
    if glob.endswith("/**"):
        lacks = "".join(f"(?!{_literal(name.lower())}(?![\\w-]))" for name in harmless)
        return rf"{_literal(glob[1:-3])}(?:{_SLASH}{lacks}|(?![\w./\\-]))"
    folder = glob[: glob.rfind("/") + 1]
    lacks = "".join(f"(?!{_literal((folder + name)[1:])}(?![\\w-]))" for name in harmless)
    return f"{lacks}{_literal(glob[1:])}(?![\\w-])"


@cache
def dotenv_pattern() -> re.Pattern[str]:
    """What names a file of environment variables."""
    names = "|".join(_literal(_named(place)) for place in kept("dotenv"))
    return compiled(rf"(?:^|[/\\\s\"'=@~:])({names})(?=$|[\s\"'*])")


@cache
def key_file_pattern() -> re.Pattern[str]:
    """What a path that ends in a file of a key holds."""
    names = "|".join(_literal(_named(place)) for place in kept("key files"))
    return compiled(rf"(?:^|[/\\])(?:{names})$")


def _literal(glob: str) -> str:
    return re.escape(glob).replace("/", _SLASH).replace(r"\*", _PART)

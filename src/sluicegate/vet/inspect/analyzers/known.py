"""What several analyzers know of the world: secret places, start-up files, hosts.

Everything here is a small table and a test over one short string. Texts longer than ``LONGEST`` characters
are cut before they are looked at, so no test costs more than a constant.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache

from sluicegate.vet.lazy import lazy, seldom

LONGEST = 2048

_SECRET_PATH = seldom(
    """.ssh id_ .aws/ .config/ application_default .azure/ .kube/ .docker/ .netrc .pgpass .pypirc .npmrc .git-credentials .vault-token
    .htpasswd .my.cnf .gnupg /etc/ _history library/ login key4.db cookies.sqlite .mozilla/ .electrum .exodus .bitcoin .ethereum .monero
    .atomic .solana wallet.dat .claude .codex/ .openclaw/ .clawdbot/ .gemini/ /environ""".split(),
    r"""(?ix)
    (?:^|[/\\~\s"'=@:])\.ssh(?:/(?!known_hosts|config\b|.{0,60}\.pub\b)|["'\s*]|$)
    | \bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)
    | \.aws/(?:credentials|config|sso)?
    | \.config/(?:gcloud|gh/hosts|op\b|rclone/rclone\.conf)
    | application_default_credentials\.json
    | \.azure/(?:accesstokens|msal_token|azureprofile)
    | \.kube/config\b
    | \.docker/config\.json
    | \.(?:netrc|pgpass|pypirc|npmrc|git-credentials|vault-token|htpasswd|my\.cnf)\b
    | \.gnupg(?:/|["'\s]|$)
    | /etc/(?:shadow|gshadow|master\.passwd|sudoers)\b
    | \.(?:bash|zsh|sh|python|psql|mysql|node_repl)_history\b
    | library/(?:keychains|cookies|application\ support/(?:google/chrome|firefox|bravesoftware|exodus|electrum))
    | login\ data\b | logins\.json\b | key4\.db\b | cookies\.sqlite\b
    | \.config/(?:google-chrome|chromium|bravesoftware)/
    | \.mozilla/firefox
    | (?:^|[/~])\.(?:electrum|exodus|bitcoin|ethereum|monero|atomic|solana|config/solana)(?:/|$)
    | wallet\.dat\b | \.solana/id\.json
    | \.claude/\.credentials | \.claude\.json\b | \.codex/auth\.json | \.openclaw/(?:credentials|\.env|openclaw\.json)
    | \.clawdbot/(?:\.env|credentials|clawdbot\.json) | \.gemini/oauth
    | /proc/(?:self|\d+)/environ
    | \.config/(?:anthropic|openai)/
    """,
)
_KEY_FILE = seldom(
    """.pem .p12 .pfx .kdbx .jks .keystore .ovpn .tfstate .ppk .key credential secret service .vault_pass""".split(),
    r"(?i)(?:^|[/\\])[^/\\]{0,80}(?:\.(?:pem|p12|pfx|kdbx|jks|keystore|ovpn|tfstate|ppk)|\.key)$"
    r"|(?:^|[/\\])(?:credentials?|secrets?|service[-_]account[\w-]{0,40})\.(?:json|ya?ml|toml|txt|csv)$|(?:^|/)\.vault_pass",
)
_OWN = seldom(
    """~ home /users /root %userprofile% library/ chat.db tdata .config/ places.sqlite /history .claude/ .codex/ .cursor/ .gemini/
    .openclaw/ .clawdbot/""".split(),
    r"""(?ix)
    ^(?:~|\$\{?HOME\}?|/home(?:/[^/*]{1,60})?|/users(?:/[^/*]{1,60})?|/root|%userprofile%)/?(?:\*{1,2}|\.)?$
    | ^(?:~|\$\{?HOME\}?|/home/[^/]{1,60}|/users/[^/]{1,60}|/root|%userprofile%)[/\\](?:my\ )?(?:documents|desktop|downloads
        |pictures|photos|movies|videos|mail|maildir|\.thunderbird|obsidian|library/mail|library/calendars
        |library/application\ support/addressbook)(?:[/\\]?$|[/\\].{0,200}\*)
    | library/messages | \bchat\.db$ | telegram\ desktop/tdata | \.config/signal\b
    | library/safari/history\.db | places\.sqlite\b | /(?:chrome|chromium|edge|brave-browser)/.{1,60}/history$
    | (?:^|/)\.(?:claude/(?:projects|history|transcripts|todos)|codex/(?:sessions|history)|cursor/chats
        |gemini/(?:tmp|history)|(?:openclaw|clawdbot)/(?:agents|sessions|memory|workspace))\b
    """,
)
_DOTENV = seldom(
    ".env".split(),
    r"(?:^|[/\s\"'=@~:])\.env(?:\.(?:local|prod|production|development|staging))?(?=$|[\s\"'*])",
)
_DOTENV_TEMPLATE = seldom(".env".split(), r"\.env\.(?:example|sample|template|dist)\b")
_SECRET_NAME = lazy(
    r"(?i)(?:^|_)(?:api_?key|apikey|secret|secrets|token|password|passwd|pwd|passphrase|private_?key|credentials?|"
    r"access_?key|auth|mnemonic|seed_?phrase|pat|session_?key|webhook_?secret)(?:$|_)|_key$|^aws_secret|[a-z]token$"
)
_PUBLIC_NAME = lazy(
    r"(?i)public|publishable|max_tokens?|num_tokens|token_?(?:count|limit|url)|keyboard|auth_?url"
)
_STARTUP = seldom(
    """.bash .profile .zsh .zprofile .zlogin .kshrc .cshrc .xprofile .xinitrc .config/ /etc/ /cron library/launch startup currentversion
    .git/hooks/ customize.py .pth""".split(),
    r"""(?ix)
    (?:^|/)\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|xprofile|xinitrc)$
    | (?:^|/)\.config/(?:fish/config\.fish|fish/conf\.d/.|autostart/.|systemd/user/.|powershell/profile)
    | ^/etc/(?:profile|bash\.bashrc|zshrc|rc\.local|crontab|cron\.|init\.d/|systemd/system/|xdg/autostart|ld\.so\.preload
        |pam\.d/|environment$|profile\.d/)
    | ^/var/spool/cron
    | library/launch(?:agents|daemons)/
    | start\ menu/programs/startup | \\currentversion\\run\b
    | \.git/hooks/[a-z] | sitecustomize\.py$ | usercustomize\.py$ | site-packages/[^/]{1,80}\.pth$
    """,
)
_KEYS_TO_THE_HOUSE = seldom(
    ".ssh/authorized_keys /etc/".split(),
    r"(?i)\.ssh/authorized_keys\d?$|^/etc/sudoers(?:\.d/|$)|^/etc/ld\.so\.preload$|^/etc/passwd$",
)
_AGENT = seldom(
    """.claude .codex/ .gemini/ .cursor .windsurf/ .continue/ .openclaw/ .clawdbot/ .moltbot/ .mcp.json desktop_config claude.md agents.md
    gemini.md soul.md memory.md identity.md heartbeat.md instructions.md""".split(),
    r"""(?ix)
    (?:^|/)\.(?:claude|codex|gemini|cursor|windsurf|continue|openclaw|clawdbot|moltbot)/.{0,200}?
        (?:settings(?:\.local)?\.json|hooks?(?:\.json|/)|mcp\.json|claude\.md|agents\.md|soul\.md|memory\.md|identity\.md
        |config\.(?:toml|json)|heartbeat\.md|openclaw\.json|rules)
    | (?:^|/)\.claude\.json$ | (?:^|/)\.mcp\.json$ | claude_desktop_config\.json$
    | (?:^|/)(?:claude|agents|gemini|soul|memory|identity|heartbeat)\.md$ | (?:^|/)\.cursorrules$ | copilot-instructions\.md$
    """,
)

_URL = seldom(
    "://".split(),
    r"(?i)\b(https?|ftps?|wss?)://(?:[^/\s@'\"]{0,128}@)?(\[[0-9a-f:.]{2,45}\]|[^/\s:'\"?#)>|;`]{1,253})",
)
_IP = lazy(r"^\[?(?:\d{1,3}(?:\.\d{1,3}){3}|0x[0-9a-f]{8}|\d{8,10}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})\]?$")
_GIT_SCHEME = lazy(r"^(?:git\+)?(?:ssh|git|sftp|rsync)://")
_NAMED = lazy(r"[a-z0-9.-]{3,253}")
_LOCAL = lazy(
    r"^\[?(?:localhost|127\.|0\.0\.0\.0|::1\]?$|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|host\.docker\.internal)"
    r"|\.(?:local|localhost|internal|lan)$"
)

INSTALLERS = frozenset(
    """astral.sh sh.rustup.rs rustup.rs get.docker.com bun.sh bun.com deno.land get.pnpm.io install.python-poetry.org
    nodesource.com deb.nodesource.com rpm.nodesource.com get.helm.sh get.sdkman.io get.rvm.io fnm.vercel.app
    ollama.com ollama.ai claude.ai starship.rs get.volta.sh dl.k8s.io k3s.io get.k3s.io fly.io
    cli.github.com brew.sh get.haskellup.org get-ghcup.haskell.org nixos.org install.determinate.systems mise.run mise.jdx.dev
    pixi.sh micro.mamba.pm repo.anaconda.com repo.continuum.io packages.microsoft.com aka.ms dot.net dotnet.microsoft.com
    bootstrap.pypa.io pypi.org files.pythonhosted.org registry.npmjs.org sdk.cloud.google.com dl.google.com
    cloud.google.com packages.cloud.google.com apt.releases.hashicorp.com cli.run.nu tailscale.com install.duckdb.org
    supabase.com railway.app railway.com sentry.io cursor.com foundry.paradigm.xyz getfoundry.sh release.solana.com
    release.anza.xyz sh.vector.dev setup.atuin.sh just.systems taskfile.dev opencode.ai codeium.com zed.dev
    cli.inference.sh inference.sh get.modular.com raw.ollama.ai download.docker.com golang.org go.dev
    get.opentofu.org install.goreleaser.com wasmtime.dev get.wasmer.io get.nexte.st docs.datadoghq.com
    install.datadoghq.com awscli.amazonaws.com cli.doppler.com get.pulumi.com code.claude.com
    hf.co huggingface.co lmstudio.ai llamafile.ai encore.dev dl.encore.dev cli.anthropic.com
    meltano.com get.jenv.be asdf-vm.com git.io cli.moonrepo.dev moonrepo.dev""".split()
)
CODE_HOSTS = frozenset(
    "github.com raw.githubusercontent.com objects.githubusercontent.com gitlab.com bitbucket.org codeberg.org "
    "cdn.jsdelivr.net unpkg.com".split()
)
_TRUSTED_ORGS = frozenset(
    """nvm-sh homebrew ohmyzsh pyenv rbenv helm kubernetes docker astral-sh rust-lang nodejs microsoft google golang
    denoland oven-sh anthropics openai github huggingface facebook vercel aws hashicorp argoproj junegunn asdf-vm
    ollama zsh-users golangci aquasecurity anchore goreleaser k3d-io derailed hadolint wagoodman conda-forge
    mamba-org nextflow-io sdkman tj pnpm jdx rancher istio linkerd cloudflare supabase dfinity foundry-rs""".split()
)
TUNNELS = tuple(
    """bore.pub ngrok.io ngrok.app ngrok.dev ngrok-free.io ngrok-free.app ngrok-free.dev trycloudflare.com serveo.net
    localtunnel.me loca.lt localhost.run lhr.life pinggy.link pinggy.io devtunnels.ms tunnelmole.net zrok.io
    playit.gg""".split()
)
"""Hosts whose subdomains lead to somebody's own machine."""
DROPS = lazy(
    rf"""(?ix)
    (?:^|\.)(?:webhook\.site|requestbin\.(?:com|net|io)|pipedream\.net|beeceptor\.com|hookbin\.com|requestcatcher\.com
    |mockbin\.org|{"|".join(map(re.escape, TUNNELS))}
    |oast\.(?:pro|live|site|online|fun|me)|interact\.sh|interactsh\.com|burpcollaborator\.net|dnslog\.cn|canarytokens\.com
    |pastebin\.com|paste\.ee|hastebin\.com|ghostbin\.com|rentry\.co|rentry\.org|glot\.io|dpaste\.(?:com|org)|termbin\.com|ix\.io|sprunge\.us
    |0x0\.st|transfer\.sh|file\.io|gofile\.io|anonfiles\.com|catbox\.moe|tmpfiles\.org|bashupload\.com|temp\.sh|oshi\.at
    |bit\.ly|tinyurl\.com|t\.ly|is\.gd|cutt\.ly|setup-service\.com)$
    |\.onion$|\.(?:tk|ml|ga|cf|gq)$
    """
)


class Host(IntEnum):
    """How much a host says of what is fetched from it or sent to it. Larger is worse."""

    LOCAL = 0
    INSTALLER = 1
    CODE = 2
    UNKNOWN = 3
    SUSPECT = 4


@lru_cache(maxsize=2048)
def secret_path(text: str) -> bool:
    """Whether ``text`` names a place where credentials are kept."""
    return _SECRET_PATH.search(text[:LONGEST]) is not None


@lru_cache(maxsize=2048)
def dotenv(text: str) -> bool:
    """Whether ``text`` names a ``.env`` file that is not a template."""
    text = text[:LONGEST]
    return _DOTENV.search(text) is not None and _DOTENV_TEMPLATE.search(text) is None


@lru_cache(maxsize=2048)
def key_file(text: str) -> bool:
    """Whether ``text`` names a file that by its name holds keys or secrets of a project, of which some may be public."""
    text = text[:LONGEST]
    return (
        _KEY_FILE.search(text) is not None and "public" not in text.lower() and "example" not in text.lower()
    )


@lru_cache(maxsize=2048)
def own_path(text: str) -> bool:
    """Whether ``text`` names what is the user's own: the home folder, a great folder of it, mail, chats, history."""
    return _OWN.search(text[:LONGEST]) is not None


def secret_name(name: str) -> bool:
    """Whether an environment variable of this name holds a credential."""
    return len(name) <= 128 and _SECRET_NAME.search(name) is not None and _PUBLIC_NAME.search(name) is None


@lru_cache(maxsize=2048)
def startup_path(text: str) -> bool:
    """Whether a file there runs by itself: at login, at boot, by a timer, by git or by the interpreter."""
    return _STARTUP.search(text[:LONGEST].strip()) is not None


def key_path(text: str) -> bool:
    """Whether writing there gives lasting control of the machine."""
    return _KEYS_TO_THE_HOUSE.search(text[:LONGEST].strip()) is not None


@lru_cache(maxsize=2048)
def agent_path(text: str) -> bool:
    """Whether an agent reads its instructions, memory or settings from there."""
    return _AGENT.search(text[:LONGEST].strip()) is not None


def host_of(target: str) -> str:
    """The host that a URL, a ``user@host:path`` or a ``host:port`` names, in lower case; empty where it is not told."""
    found = urls(target)
    if found:
        return found[0][1]
    target = _GIT_SCHEME.sub("", target[:LONGEST])
    if "://" in target:
        return ""
    name = target[:LONGEST].rpartition("@")[2].partition(":")[0].partition("/")[0].lower()
    return name if "." in name and _NAMED.fullmatch(name) else ""


def urls(text: str) -> list[tuple[str, str]]:
    """(scheme, host) of each URL in the first ``LONGEST`` characters, in lower case."""
    return [(m[1].lower(), m[2].lower().rstrip(".,")) for m in _URL.finditer(text[:LONGEST])]


@lru_cache(maxsize=2048)
def classify_url(text: str) -> Host:
    """The worst class among the URLs of ``text``; UNKNOWN when there is none."""
    found = [_classify(scheme, host, text) for scheme, host in urls(text)]
    return max(found, default=Host.UNKNOWN)


def _classify(scheme: str, host: str, text: str) -> Host:
    if _LOCAL.search(host):
        return Host.LOCAL
    if _IP.match(host) or DROPS.search(host):
        return Host.SUSPECT
    bare = host.removeprefix("www.")
    if scheme in ("http", "ftp", "ws"):
        return Host.UNKNOWN if bare in INSTALLERS else Host.SUSPECT
    if bare in INSTALLERS:
        return Host.INSTALLER
    if bare in CODE_HOSTS:
        return Host.INSTALLER if _organisation(host, text) in _TRUSTED_ORGS else Host.CODE
    return Host.UNKNOWN


def _organisation(host: str, text: str) -> str:
    at = text.lower().find(host)
    path = text[at + len(host) :][:200].lstrip("/").split("/")
    return path[0].lower() if path else ""


def webhook(text: str) -> bool:
    """Whether a URL delivers to an inbox that anyone can open: a chat bot or webhook."""
    text = text[:LONGEST].lower()
    return (
        "discord.com/api/webhooks" in text
        or "discordapp.com/api/webhooks" in text
        or "api.telegram.org/bot" in text
        or "hooks.slack.com/services" in text
    )

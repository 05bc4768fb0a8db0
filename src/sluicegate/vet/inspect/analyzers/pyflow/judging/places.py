"""What paths, variables and commands mean: credentials, start-up files, memory of agents, installers."""

from __future__ import annotations

import re
from functools import lru_cache

from sluicegate.vet.lazy import lazy

_CREDENTIALS = lazy(
    r"(?:^|/)(?:\.ssh(?:/|$)(?!known_hosts|config$)|id_(?:rsa|dsa|ecdsa|ed25519)(?!\.pub)\b"
    r"|\.aws(?:/credentials|/sso|/cli|/\*|$)"
    r"|\.netrc$|_netrc$|\.git-credentials|\.pgpass$|\.npmrc$|\.pypirc$|\.docker/config\.json"
    r"|\.kube(?:/config|/\*|$)|\.gnupg(?:/|$)"
    r"|\.config/gcloud|application_default_credentials\.json|\.azure(?:/|$)|\.config/gh/hosts\.yml"
    r"|\.config/hub$"
    r"|\.vault-token|\.terraform\.d/credentials|\.cargo/credentials|\.gem/credentials|\.boto$|\.s3cfg$"
    r"|Login Data(?:$|\*)|cookies\.sqlite|key4\.db|logins\.json|Local "
    r"State$|(?:Chrome|Chromium|Brave-Browser|Edge)/[^\n]{0,60}Cookies"
    r"|\.mozilla/firefox|Library/Keychains|login\.keychain|\.local/share/keyrings"
    r"|wallet\.dat|\.electrum(?:/|$)|Exodus/exodus\.wallet|\.bitcoin(?:/|$)|\.ethereum/keystore"
    r"|\.config/solana|Ledger Live"
    r"|nkbihfbeogaeaoehlefnkodbefgpgknn|/etc/shadow$|\.clawdbot/\.env|\.openclaw/(?:\.env|credentials"
    r"|openclaw\.json)|\.claude/\.credentials"
    r"|\.codex/auth\.json|\.clawdbot/clawdbot\.json)",
)
_DOTENV = lazy(r"(?:^|/)\.env(?:\.(?:local|production|prod|secret))?$")
_CONVERSATION = lazy(
    r"(?:^|/)(?:\.claude/(?:projects|history|transcripts|todos|\*|$)|\.claude/?$|\.openclaw(?:/(?:agents"
    r"|sessions|memory|workspace|\*)|$)"
    r"|\.clawdbot(?:/(?:agents|sessions|memory|\*)|$)|\.codex/(?:sessions|history)|\.cursor/(?:chats"
    r"|projects)|\.gemini/(?:tmp|history)"
    r"|MEMORY\.md$|SOUL\.md$|memory/\*\.md|\.bash_history|\.zsh_history|\.python_history"
    r"|\.local/share/fish/fish_history)"
)
_STARTUP = lazy(
    r"(?:^|/)(?:\.bashrc|\.bash_profile|\.bash_login|\.profile|\.zshrc|\.zprofile|\.zshenv|\.zlogin"
    r"|config\.fish|\.xinitrc|\.xprofile"
    r"|authorized_keys|\.config/autostart(?:/|$)|LaunchAgents(?:/|$)|LaunchDaemons(?:/|$)"
    r"|\.config/systemd/user(?:/|$)|Start Menu/Programs/Startup"
    r"|sitecustomize\.py|usercustomize\.py)|^/etc/(?:systemd/system|init\.d|rc\.local|cron|profile"
    r"|ld\.so\.preload|sudoers)"
    r"|^/var/spool/cron|^/etc/bash\.bashrc|^/(?:usr/)?lib/systemd/system"
)
_AGENT_HOME = lazy(
    r"(?:^~/|^/(?:home|Users|root)/(?:[^/]+/)?)(?:\.claude(?:/|$)|\.cursor/|\.openclaw/|\.clawdbot/"
    r"|\.codex/|\.gemini/|\.windsurf/|\.continue/|\.agents?/)"
)
_AGENT_MEMORY = lazy(
    r"(?:^|/)(?:CLAUDE\.md|CLAUDE\.local\.md|AGENTS\.md|GEMINI\.md|SOUL\.md|IDENTITY\.md|HEARTBEAT\.md"
    r"|\.cursorrules|\.windsurfrules|\.clinerules"
    r"|\.cursor/rules/[^/]*|\.github/copilot-instructions\.md|\.claude/settings(?:\.local)?\.json"
    r"|\.claude/hooks/[^/]+|\.mcp\.json|\.cursor/mcp\.json"
    r"|claude_desktop_config\.json)$"
)
_HOME = lazy(r"^(?:~|/home|/Users|/root)(?:/|$)|^[A-Z]:/Users(?:/|$)")
_SECRET_NAME = lazy(
    r"(?:^|_)(?:KEY|APIKEY|TOKEN|SECRET|SECRETS|PASSWORD|PASSWD|PASS|PWD|CREDENTIAL|CREDENTIALS|PRIVATE"
    r"|AUTH|COOKIE|SESSION|MNEMONIC|SEED|DSN)(?:$|_)"
    r"|APIKEY|DATABASE_URL|PASSPHRASE|WEBHOOK"
)
_SECRET_EXCEPTIONS = frozenset(
    {"PWD", "OLDPWD", "SSH_AUTH_SOCK", "KEYBOARD", "DESKTOP_SESSION", "XDG_SESSION_TYPE", "GPG_TTY"}
)
_PUBLIC = lazy(r"(?:^|/)(?:Downloads|Desktop|Documents|Pictures)(?:/|$)")

PROVIDERS = {
    "AWS": ("amazonaws.com", "aws"), "GITHUB": ("github",), "GH": ("github",), "NPM": ("npmjs",),
    "OPENAI": ("openai", "azure", "openrouter"),
    "ANTHROPIC": ("anthropic",), "DOCKER": ("docker",), "STRIPE": ("stripe",), "SENDGRID": ("sendgrid",),
    "SLACK": ("slack",),
    "DATADOG": ("datadog",), "GOOGLE": ("google",), "GEMINI": ("google",), "AZURE": ("azure", "microsoft",
    "windows.net"),
    "HF": ("huggingface", "hf.co"), "HUGGINGFACE": ("huggingface", "hf.co"), "SSH": (), "DATABASE": (),
    "DB": (), "JWT": (), "TWILIO": ("twilio",),
    "GITLAB": ("gitlab",), "PYPI": ("pypi",), "CLOUDFLARE": ("cloudflare",), "HEROKU": ("heroku",),
    "POSTGRES": (), "MONGO": (), "MONGODB": ("mongodb",),
    "REDIS": (), "KUBE": (), "GCP": ("google",), "CLAUDE": ("anthropic", "claude"),
}  # fmt: skip
"""Whose secret a variable holds, by the first word of its name, and what the hosts of its owner are
called."""


@lru_cache(maxsize=512)
def credential(path: str) -> bool:
    """Whether the file holds keys, tokens, passwords, cookies or a wallet."""
    return _CREDENTIALS.search(path) is not None


@lru_cache(maxsize=512)
def dotenv(path: str) -> bool:
    """Whether the file is a ``.env`` outside the home folder's known places."""
    return _DOTENV.search(path) is not None


@lru_cache(maxsize=512)
def conversation(path: str) -> bool:
    """Whether the file is what an agent said, heard or remembers, or a shell history."""
    return _CONVERSATION.search(path) is not None


@lru_cache(maxsize=512)
def startup(path: str) -> bool:
    """Whether what is written here runs at the next login, boot or tick of a clock."""
    return _STARTUP.search(path) is not None


@lru_cache(maxsize=512)
def agent_memory(path: str) -> bool:
    """Whether what is written here is an instruction or setting of an agent."""
    return _AGENT_MEMORY.search(path) is not None


def in_agent_home(path: str) -> bool:
    """Whether the path is inside an agent's own folder in the home folder."""
    return _AGENT_HOME.search(path) is not None


def in_home(path: str) -> bool:
    """Whether the path is the home folder or inside it."""
    return _HOME.search(path) is not None


def everywhere(path: str) -> bool:
    """Whether a walk of this pattern covers a home folder, one of its great folders, or the whole disk."""
    if "*" not in path:
        return path in ("/", "~", "/home", "/Users", "/root", "C:/", "~/", "/*")
    fixed = path[: path.index("*")].rstrip("/")
    if fixed in ("", "/") and path.startswith("/"):
        return True
    rest = (
        re.sub(r"^(?:~|/root|/(?:home|Users)(?:/[^/]+)?|C:(?:/Users(?:/[^/]+)?)?)", "", fixed, count=1)
        if in_home(fixed) or fixed == "C:"
        else None
    )
    return rest is not None and (
        not rest.strip("/") or (_PUBLIC.match(rest) is not None and rest.count("/") <= 1)
    )


@lru_cache(maxsize=512)
def secret_name(name: str) -> bool:
    """Whether an environment variable of this name holds a secret."""
    upper = name.upper()
    return upper not in _SECRET_EXCEPTIONS and _SECRET_NAME.search(upper) is not None


def owner_words(variable: str) -> tuple[str, ...] | None:
    """Words of the hosts that the secret of a variable belongs to; None when its name does not tell."""
    first = variable.upper().partition("_")[0]
    return PROVIDERS.get(first)


def related(variable: str, host: str) -> bool:
    """Whether a word of the variable's name is part of the host (``TAVILY_API_KEY`` and
    ``api.tavily.com``)."""
    words = owner_words(variable) or ()
    if any(word in host for word in words):
        return True
    generic = {
        "API",
        "KEY",
        "TOKEN",
        "SECRET",
        "ACCESS",
        "AUTH",
        "PASSWORD",
        "BEARER",
        "CLIENT",
        "APP",
        "URL",
        "BOT",
    }
    plain = host.replace("-", "").replace(".", "")
    joined = "".join(w for w in variable.lower().split("_") if w.upper() not in generic)
    return any(
        len(w) >= 3 and w.upper() not in generic and w.lower() in plain for w in variable.split("_")
    ) or (len(joined) >= 4 and joined in plain)


_DOWNLOAD = ("curl ", "wget ", "iwr ", "irm ", "invoke-webrequest ", "invoke-restmethod ")
_INSTALLERS = (
    "astral.sh", "sh.rustup.rs", "bun.sh", "deno.land", "get.docker.com", "install.python-poetry.org",
    "nvm-sh/nvm", "Homebrew/install",
    "get.pnpm.io", "ollama.com/install.sh", "cli.github.com", "deb.nodesource.com", "bootstrap.pypa.io",
    "fnm.vercel.app", "starship.rs",
)  # fmt: skip


def pipes_download_to_shell(command: str) -> bool:
    """Whether a command line fetches something and hands it to an interpreter."""
    low = command.lower()
    if not any(word in low for word in _DOWNLOAD):
        return False
    first = min(at for word in _DOWNLOAD if (at := low.find(word)) != -1)
    for stage in low[first:].split("|")[1:]:
        words = stage.replace("sudo ", "", 1).split()
        if words and words[0].rpartition("/")[2] in (
            "sh",
            "bash",
            "zsh",
            "dash",
            "python",
            "python3",
            "node",
            "perl",
            "ruby",
            "iex",
            "php",
        ):
            return True
    return ("$(curl" in low or "$(wget" in low) and ("-c" in low or "eval" in low)


def well_known_installer(command: str) -> bool:
    """Whether the command is the documented way to install a widely used tool."""
    return any(name in command for name in _INSTALLERS)

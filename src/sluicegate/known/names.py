"""Names of variables: which hold a secret, and whose it is."""

from __future__ import annotations

from functools import lru_cache

from sluicegate.patterns import lazy

_SECRET = lazy(
    r"(?:^|_)(?:KEY|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SESSION_?KEY|PRIVATE|SECRETS?|TOKEN|PASSWORD|PASSWD|PASS|PWD|PASSPHRASE"
    r"|CREDENTIALS?|AUTH|PAT|COOKIE|SESSION|MNEMONIC|SEED(?:_?PHRASE)?|DSN)(?:$|_)"
    r"|APIKEY|PASSPHRASE|DATABASE_URL|WEBHOOK|[A-Z]TOKEN$"
)
_PUBLIC = lazy(r"PUBLIC|PUBLISHABLE|MAX_TOKENS?|NUM_TOKENS|TOKEN_?(?:COUNT|LIMIT|URL)|KEYBOARD|AUTH_?URL")
_NO_SECRETS = frozenset({"PWD", "OLDPWD", "SSH_AUTH_SOCK", "DESKTOP_SESSION", "XDG_SESSION_TYPE", "GPG_TTY"})

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
    "AMAZON": ("amazon", "aws"), "GMAIL": ("google", "gmail"), "MICROSOFT": ("azure", "microsoft", "office", "live.com"),
    "BITBUCKET": ("bitbucket", "atlassian"), "JIRA": ("atlassian", "jira"), "ATLASSIAN": ("atlassian",), "DISCORD": ("discord",),
    "TELEGRAM": ("telegram",), "PAYPAL": ("paypal",), "VERCEL": ("vercel",), "NETLIFY": ("netlify",), "NOTION": ("notion",),
    "DROPBOX": ("dropbox",), "ICLOUD": ("apple", "icloud"), "TWITTER": ("twitter", "x.com"), "LINKEDIN": ("linkedin",),
    "FACEBOOK": ("facebook", "meta"), "COINBASE": ("coinbase",), "BINANCE": ("binance",), "SHOPIFY": ("shopify",),
    "SALESFORCE": ("salesforce", "force.com"), "SUPABASE": ("supabase",), "FIREBASE": ("google", "firebase"), "RAILWAY": ("railway",),
    "AIRTABLE": ("airtable",), "MISTRAL": ("mistral",), "GROQ": ("groq",), "DEEPSEEK": ("deepseek",), "CLERK": ("clerk",),
    "SENTRY": ("sentry",), "AUTH0": ("auth0",), "OKTA": ("okta",), "DIGITALOCEAN": ("digitalocean",), "HETZNER": ("hetzner",),
    "HCLOUD": ("hetzner",), "MAILGUN": ("mailgun",), "PLAID": ("plaid",), "HUBSPOT": ("hubspot", "hubapi"), "ZENDESK": ("zendesk",),
    "PINECONE": ("pinecone",), "COHERE": ("cohere",), "REPLICATE": ("replicate",), "ELEVENLABS": ("elevenlabs",), "KRAKEN": ("kraken",),
}  # fmt: skip
"""Whose secret a variable holds, by the first word of its name, and what the hosts of its owner are called."""


@lru_cache(maxsize=2048)
def secret(name: str) -> bool:
    """Whether a variable of this name holds a credential."""
    upper = name.upper()
    return (
        len(name) <= 128
        and upper not in _NO_SECRETS
        and _SECRET.search(upper) is not None
        and _PUBLIC.search(upper) is None
    )


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

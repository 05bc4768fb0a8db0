"""The commands that print credentials: one table, for every analyzer that reads commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sluicegate.known import names
from sluicegate.tuples import NamedTuple
from sluicegate.vet.lazy import lazy


class Printer(NamedTuple):
    """A command that prints credentials.

    ``words`` stand among its arguments in this order; in each, ``|`` parts those of which one will do. ``owners`` are parts
    of the names of the hosts that its credential is for; none where only the user knows. ``several``: what it prints is
    more than the one credential that a client may need. ``chosen``: it is one of all that the user keeps in a store, by the
    words behind those.
    """

    words: tuple[str, ...]
    owners: tuple[str, ...] = ()
    several: bool = False
    chosen: bool = False


_GOOGLE = ("google", "run.app", "gcr.io", "pkg.dev", "cloudfunctions.net")
_MICROSOFT = ("azure", "microsoft", "windows.net", "visualstudio", "dynamics", "office")
_AMAZON = ("amazonaws", "aws.amazon", "aws.dev")
_MANY: tuple[Printer, ...] = (Printer((), several=True),)

PRINTERS: dict[str, tuple[Printer, ...]] = {
    "gh": (Printer(("auth", "token|--show-token|-t"), ("github", "ghcr.io")),),
    "glab": (Printer(("auth", "token|--show-token|-t"), ("gitlab",)),),
    "gcloud": (
        Printer(("auth", "print-access-token|print-identity-token"), _GOOGLE),
        Printer(("auth", "application-default", "print-access-token"), _GOOGLE),
        Printer(("secrets", "versions", "access")),
        Printer(("iam", "service-accounts", "keys", "create"), _GOOGLE, several=True),
    ),
    "az": (
        Printer(("account", "get-access-token"), _MICROSOFT),
        Printer(("acr", "login|credential"), _MICROSOFT),
        Printer(("keyvault", "secret", "show|list|download")),
        Printer(("keys", "list"), several=True),
        Printer(("ad", "sp", "create-for-rbac"), _MICROSOFT, several=True),
    ),
    "aws": (
        Printer(("configure", "export-credentials"), _AMAZON, several=True),
        Printer(("configure", "get"), _AMAZON),
        Printer(("sts", "get-session-token|assume-role|get-federation-token"), _AMAZON, several=True),
        Printer(("iam", "create-access-key"), _AMAZON, several=True),
        Printer(("ecr|codeartifact", "get-login-password|get-authorization-token"), _AMAZON),
        Printer(("secretsmanager", "get-secret-value|batch-get-secret-value")),
        Printer(("ssm", "get-parameter|get-parameters|get-parameters-by-path")),
    ),
    "op": (
        Printer(("item|vault|document", "list|export"), several=True),
        Printer(("item|document", "get")),
        Printer(("read",)),
    ),
    "vault": (Printer(("kv", "get")), Printer(("token", "lookup|create")), Printer(("read",))),
    "doppler": (Printer(("secrets",), several=True),),
    "infisical": (Printer(("secrets|export",), several=True),),
    "heroku": (Printer(("auth:token",), ("heroku",)), Printer(("config|config:get",), several=True)),
    "fly": (Printer(("auth|tokens", "token|create"), ("fly.io", "fly.dev")),),
    "flyctl": (Printer(("auth|tokens", "token|create"), ("fly.io", "fly.dev")),),
    "doctl": (Printer(("auth", "token|list"), ("digitalocean",)),),
    "cf": (Printer(("oauth-token",)),),
    "ibmcloud": (Printer(("iam", "oauth-tokens"), ("ibm",)),),
    "databricks": (Printer(("auth|tokens", "token|create"), ("databricks",)),),
    "npm": (
        Printer(("token", "create|list"), ("npmjs",)),
        Printer(("config|get", "_authToken|//registry.npmjs.org/:_authToken"), ("npmjs",)),
    ),
    "kubectl": (
        Printer(("get", "secret|secrets"), several=True),
        Printer(("config", "view", "--raw"), several=True),
        Printer(("create", "token")),
    ),
    "oc": (
        Printer(("get", "secret|secrets"), several=True),
        Printer(("whoami", "-t|--show-token")),
    ),
    "terraform": (Printer(("state", "pull"), several=True), Printer(("output", "-json|-raw"))),
    "pulumi": (Printer(("config|stack", "--show-secrets"), several=True),),
    "sops": (Printer(("-d|--decrypt|decrypt",), several=True),),
    "ansible-vault": (Printer(("view|decrypt",), several=True),),
    "rclone": (Printer(("config", "show|dump"), several=True),),
    "security": (
        Printer(("find-generic-password|find-internet-password",), several=True, chosen=True),
        Printer(("dump-keychain|export",), several=True),
    ),
    "gpg": (Printer(("--export-secret-keys|--export-secret-subkeys",), several=True),),
    "gpg2": (Printer(("--export-secret-keys|--export-secret-subkeys",), several=True),),
    "pass": (Printer(("show",), several=True, chosen=True),),
    "gopass": (Printer(("show",), several=True, chosen=True),),
    "bw": (
        Printer(("get",), several=True, chosen=True),
        Printer(("list|export",), several=True),
    ),
    "lpass": (
        Printer(("show",), several=True, chosen=True),
        Printer(("export",), several=True),
    ),
    "keepassxc-cli": (Printer(("show|export|clip",), several=True),),
    "secret-tool": (
        Printer(("lookup",), several=True, chosen=True),
        Printer(("search",), several=True),
    ),
    "keyring": (Printer(("get",), several=True),),
    "pbpaste": _MANY,
    "wl-paste": _MANY,
    "xclip": (Printer(("-o",), several=True),),
    "xsel": (Printer(("-o|-b|--output|--clipboard",), several=True),),
    "git": (Printer(("credential", "fill"), several=True),),
    "vercel": (Printer(("env", "pull"), several=True),),
    "netlify": (Printer(("env:list|env:get|env:clone",), several=True),),
    "railway": (Printer(("variables|variable",), several=True),),
    "eas": (Printer(("env:pull|env:list|env:get",), several=True),),
    "firebase": (Printer(("functions:config:get|functions:secrets:access",), several=True),),
    "supabase": (Printer(("projects", "api-keys"), ("supabase",)),),
    "chamber": (Printer(("export|read|env",), several=True),),
    "dotenvx": (Printer(("get|decrypt",), several=True),),
    "aws-vault": (Printer(("exec|export",), _AMAZON, several=True),),
    "openstack": (Printer(("token", "issue")),),
    "consul": (Printer(("kv", "get|export")),),
    "nmcli": (Printer(("-s|--show-secrets",), several=True),),
    "wg": (Printer(("showconf|private-key",), several=True),),
    **dict.fromkeys(
        (
            "docker-credential-osxkeychain",
            "docker-credential-desktop",
            "docker-credential-secretservice",
            "docker-credential-pass",
            "docker-credential-wincred",
        ),
        (Printer(("get",), several=True),),
    ),
    "git-credential-osxkeychain": (Printer(("get",), several=True),),
    "netsh": (Printer(("wlan", "show", "key=clear"), several=True),),
}
"""By the name of the program; of several the first that fits."""


class Printed(NamedTuple):
    """What a command prints: the command in a few words, and what its entry of the table says."""

    command: str
    printer: Printer


def printed(words: Sequence[str]) -> Printed | None:
    """What the command of these words prints, where that is a credential."""
    entries = PRINTERS.get(words[0].rpartition("/")[2]) if words else None
    for entry in entries or ():
        if _stand(entry.words, words[1:33]):
            return Printed(_chosen(words) if entry.chosen else _named(words, entry.words), entry)
    return None


def printed_by(text: str) -> Printed | None:
    """The same of the text of a command, without what stands before and after it in a pipe or a list."""
    words = [word.strip("\"'();`") for word in text[:400].split()]
    return printed([*words, _MORE] if len(text) > 400 else words)


_MORE = "..."
"""Stands for the words that were cut off."""


def owned(entry: Printer, host: str) -> bool:
    """Whether a credential is for this host."""
    labels = host.split(".")
    return any(
        (host == part or host.endswith(f".{part}"))
        if "." in part
        else any(_is_of(part, label) for label in labels)
        for part in entry.owners
    )


def _is_of(part: str, label: str) -> bool:
    """Whether a label of a host is its owner's: the name, with digits behind it at most, or one of the known longer ones."""
    return label.rstrip("0123456789") == part or (label in _LABELS and part in label)


_LABELS = frozenset(
    """googleapis googleusercontent cloudfunctions githubusercontent githubcopilot azurecr azure-api azuredatabricks
    microsoftonline microsoftazure dynamics office sharepoint visualstudio digitaloceanspaces amazonaws gitlab-static npmjs""".split()
)
"""Labels of hosts that begin with the name of their owner, or say whose they are."""


def bears_name(command: str, host: str) -> bool:
    """Whether a command chooses one credential out of a store, and by the name of this host: every word of the name that
    it asks for is part of the host's. The account says nothing by itself, and what is not known may be anything."""
    found = printed_by(command)
    if found is None or not found.printer.chosen:
        return False
    told = {choice for each in found.printer.words for choice in each.split("|")}
    asked: list[str] = []
    before = ""
    for word in command.split()[1:]:
        if before not in _OF_ACCOUNT and not word.startswith("-") and word not in told | _OF_ENTRY:
            asked.append(word)
        before = word
    return bool(asked) and all(
        _PLAIN.fullmatch(word) is not None and names.related(re.sub(r"\W+", "_", word), host)
        for word in asked
    )


_PLAIN = lazy(r"[\w./:@+-]+")
_OF_ACCOUNT = frozenset("-a --account account username user login".split())
"""Words behind which it is said whose a credential is."""
_OF_ENTRY = _OF_ACCOUNT | frozenset("service server host url key password token item application".split())
"""Words that say which part of an entry is meant."""


def _stand(wanted: Iterable[str], words: Sequence[str]) -> bool:
    rest = iter(words)
    return all(any(word in choices.split("|") for word in rest) for choices in wanted)


def _chosen(words: Sequence[str]) -> str:
    """The program with all by which it was told which credential to print."""
    text = " ".join([words[0].rpartition("/")[2], *words[1:]])
    return text if len(text) <= 160 else f"{text[:160]} {_MORE}"


def _named(words: Sequence[str], wanted: Sequence[str]) -> str:
    """The program with the words by which it was told."""
    choices = {choice for each in wanted for choice in each.split("|")}
    return " ".join([words[0].rpartition("/")[2], *(word for word in words[1:33] if word in choices)])

"""What can be said of a host from its name alone."""

from __future__ import annotations

import ipaddress
from enum import Enum

from sluicegate.vet.inspect.analyzers import known
from sluicegate.vet.inspect.capabilities import host as host_of


class HostClass(Enum):
    """What kind of place data would go to."""

    LOCAL = "this machine or a private network"
    ORDINARY = "a constant host"
    COMPUTED = "a computed host"
    ADDRESS = "a bare address"
    DROP = "a place made for collecting data"


DROPS = (
    "webhook.site", "requestbin.com", "requestbin.net", "pipedream.net", *known.TUNNELS,
    "burpcollaborator.net", "oastify.com", "interact.sh", "oast.fun", "oast.pro",
    "oast.live",
    "oast.site", "oast.online", "oast.me", "dnslog.cn", "ceye.io", "beeceptor.com", "hookbin.com",
    "requestcatcher.com",
    "transfer.sh", "0x0.st", "file.io", "gofile.io", "anonfiles.com", "catbox.moe", "pastebin.com",
    "paste.ee", "hastebin.com",
    "termbin.com", "bashupload.com", "temp.sh",
    "duckdns.org",
    "no-ip.org", "ddns.net", "hopto.org", "onion", "typedwebhook.tools", "webhook.cool", "canarytokens.com",
    "discord.com/api/webhooks", "discordapp.com/api/webhooks", "api.telegram.org/bot",
)  # fmt: skip
LOCAL_NAMES = frozenset({"localhost", "host.docker.internal", "0.0.0.0", "::1", "kubernetes.default.svc"})  # noqa: S104
LOCAL_SUFFIXES = (".localhost", ".local", ".internal", ".lan", ".test")
CLOUD_METADATA = frozenset(
    {"169.254.169.254", "metadata.google.internal", "100.100.100.200", "fd00:ec2::254"}
)


def classify(url: str) -> tuple[str, HostClass]:
    """The host of a URL or host pattern, and what kind of place it is."""
    name = host_of(url)
    if name == "*" or not name.strip("*."):
        return "*", HostClass.COMPUTED
    if name in LOCAL_NAMES or name.endswith(LOCAL_SUFFIXES):
        return name, HostClass.LOCAL
    if name[0].isdigit() or ":" in name:
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            pass
        else:
            documentation = any(address in net for net in _DOCUMENTATION if net.version == address.version)
            inside = (
                address.is_private or address.is_loopback or address.is_unspecified
            ) and not documentation
            return name, HostClass.LOCAL if inside or name in CLOUD_METADATA else HostClass.ADDRESS
    low = url.lower()
    for drop in DROPS:
        if "/" in drop:
            if drop in low:
                return name, HostClass.DROP
        elif name == drop or name.endswith("." + drop):
            return name, HostClass.DROP
    if "*" in name and "." not in name.rpartition("*")[2].strip("."):
        return name, HostClass.COMPUTED
    return name, HostClass.ORDINARY


# Reserved for documentation, where examples of attacks live; the standard library calls them private.
_DOCUMENTATION = tuple(ipaddress.ip_network(n) for n in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"))

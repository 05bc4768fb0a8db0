"""What can be said of a host from its name alone."""

from __future__ import annotations

import ipaddress
from enum import Enum

from sluicegate.known import hosts
from sluicegate.vet.inspect.capabilities import host as host_of


class HostClass(Enum):
    """What kind of place data would go to."""

    LOCAL = "this machine or a private network"
    ORDINARY = "a constant host"
    COMPUTED = "a computed host"
    ADDRESS = "a bare address"
    DROP = "a throw-away host, or one that collects what it is sent"


_LOCAL_NAMES = frozenset({"localhost", "host.docker.internal", "0.0.0.0", "::1", "kubernetes.default.svc"})  # noqa: S104
_LOCAL_SUFFIXES = (".localhost", ".local", ".internal", ".lan", ".test")


def classify(url: str) -> tuple[str, HostClass]:
    """The host of a URL or host pattern, and what kind of place it is."""
    name = host_of(url)
    if name == "*" or not name.strip("*."):
        return "*", HostClass.COMPUTED
    if name in _LOCAL_NAMES or name.endswith(_LOCAL_SUFFIXES):
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
            return name, HostClass.LOCAL if inside or name in hosts.METADATA else HostClass.ADDRESS
    if hosts.stranger(name) or hosts.webhook(url):
        return name, HostClass.DROP
    if "*" in name and "." not in name.rpartition("*")[2].strip("."):
        return name, HostClass.COMPUTED
    return name, HostClass.ORDINARY


# Reserved for documentation, where examples of attacks live; the standard library calls them private.
_DOCUMENTATION = tuple(ipaddress.ip_network(n) for n in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"))

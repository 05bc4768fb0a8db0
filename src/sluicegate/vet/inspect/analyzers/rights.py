"""How much a finding about rights takes: what builds and containers do every day, what a person should see, or the machine.

A folder of the project that everybody may write, a container of the work that is privileged, and a program of the
skill itself that runs with sudo change nothing for whoever is not there. What is listed here is little; all else
about rights is taken for the machine.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import IntEnum

from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import EvidenceKind, Finding

MENTIONS = tuple(
    """docker podman container containers image images qemu emulator buildx dind cluster kubernetes build builds firmware
    kernel sandbox""".split()
)
"""Words of a skill that has to do with containers, or with what is built in them."""


class RightsReach(IntEnum):
    """What whoever is given the rights can do with them."""

    ORDINARY = 0
    NOTABLE = 1
    MACHINE = 2


_MODES = lazy(r"chmod\s{1,2}(?:-R\s{1,2})?(?:0?777|a\+rwx|ugo\+rwx|666)\s{1,2}(?P<targets>.+)", re.DOTALL)
_TARGET = lazy(
    r"[\"']?(?:(?!\.\.|~|/|\$HOME|\$\{HOME|%|[A-Za-z]:)(?:[\w.@+-]|\$\{?\w{1,40}\}?|\$\(pwd\)|\*)(?:(?!\.\.)[\w.@+/*{},-]|\$\{?\w{1,40}\}?)*"
    r"|/(?:srv|run|mnt|media|var/(?:log|run|cache|tmp|www))/(?!\.\.)[\w.@+*-]{1,60}(?:/(?!\.\.)[\w.@+/*$-]*)?"
    r"|/(?:tmp|var/www|srv/www|data|app|workspace|workdir|work|src|code|out|output|outputs|cache|build|dist|results)(?:/(?!\.\.)[\w.@+/*$-]*)?"
    r"|/dev/(?:tty|video|input|snd|i2c|spi|gpio|bus|hidraw|kvm|dri)[\w/*-]*)[\"']?"
)
"""A place of the project, of a container or of scratch files, or a device that somebody plugged in."""
_SETUID = lazy(
    r"chmod\s{1,2}(?:-R\s{1,2})?(?:[ugoa+]{0,3}\+s|[2-7][0-7]{3})\s{1,2}(?P<targets>.+)", re.DOTALL
)
_OWNED = lazy(r"chown\s{1,2}(?:-R\s{1,2})?(?:root|0)(?::\w{0,20})?\s{1,2}(?P<targets>.+)", re.DOTALL)
_BUILT = lazy(
    r"[\"']?(?:\$\{?(?:D|DESTDIR|pkgdir|PKG_?DIR|ROOTFS|ROOT_?DIR|TARGET_?DIR|STAGING_?DIR|SYSROOT|WORKDIR|buildroot|RPM_BUILD_ROOT)\}?/?|%\{buildroot\}/?|(?:\./)?\w[\w.@+-]*/)"
    r"(?:(?!\.\.)[\w.@+/$%{}-])+[\"']?"
)
"""A file below a folder in which a package or an image is put together."""
_INLINE = lazy(r"sudo\s{1,2}(?:-[A-Za-z]{1,3}\s{1,2}){0,2}(?:ba|z)?sh\s{1,2}-c\b")
"""A shell that is given its commands in words, which are read for themselves."""
_IMAGE_FILE = lazy(r"(?:^|/)(?:(?:Dockerfile|Containerfile)[^/]*|[^/]+\.(?:[Dd]ockerfile|containerfile))$")
_CONTAINER = lazy(
    r"(?:docker|podman|nerdctl)\s{1,2}run\s|\s*-?\s*(?:privileged|network_mode|hostNetwork)\s*:|[\s\"'-]*(?:CAP_)?SYS_(?:ADMIN|PTRACE)\b"
)
_HOST = lazy(
    r"(?:-v|--volume|source=|src=)[= ]?[\"']?/(?=[:,\s\"'])|(?:-v|--volume|source=|src=)[= ]?[\"']?/(?:etc|root|home|proc|boot|var/lib)\b"
    r"|--cap-add[= ]ALL|--userns[= ]host|\bchroot\b|\bnsenter\b"
)
_SOCKET = lazy(r"docker\.sock|containerd\.sock|crio\.sock")
_SUDO = lazy(
    r"sudo\s{1,2}(?:-[A-Za-z]{1,3}\s{1,2}){0,2}(?:(?:ba|z)?sh|python3?|node)\s{1,2}(?:\./)?(?P<script>[\w./-]{1,60}\.(?:sh|py|js))"
)
_CAPTURES = lazy(r"setcap\s{1,2}[\"']?cap_net_(?:raw|bind_service|admin)[+=]")
_ASKS = lazy(r"(?i)Start-Process\s|osascript\s|pkexec\s|chown\s")


def reach(finding: Finding, files: Collection[str], *, containers: bool, fetched: bool) -> RightsReach:
    """What a finding about rights takes.

    1. Words that ask for rights take none; a person should see them.
    2. Whatever is done inside an image; modes of places of the project; a shell whose commands are read for themselves.
    3. Containers: in a skill that has to do with them, and without a part of the host's files; its engine's socket is more,
       and so is a skill that never speaks of containers. One that looks at the processes of the host traces them.
    4. A program of the skill that is run with sudo, and was inspected itself; one of a project is more, and
       one that may have been fetched (``fetched``: something is) is the machine's.
    5. What asks the user for the rights when it runs.
    """
    evidence = finding.evidence
    if finding.kind is EvidenceKind.WORDS:  # 1
        return RightsReach.NOTABLE
    if _IMAGE_FILE.search(finding.location.path) and finding.rule in (
        "privilege-escalation",
        "shell-privilege",
    ):  # 2
        return RightsReach.ORDINARY
    if of_the_project(evidence) or _INLINE.match(evidence) is not None:
        return RightsReach.ORDINARY
    if finding.rule not in ("privilege-escalation", "container-rights"):
        return RightsReach.MACHINE
    if _MODES.match(evidence) is not None:
        return RightsReach.ORDINARY if of_the_project(evidence) else RightsReach.MACHINE
    if _HOST.search(evidence):
        return RightsReach.MACHINE
    if _SOCKET.search(evidence):  # 3
        return RightsReach.NOTABLE
    if _CONTAINER.match(evidence):
        return (
            RightsReach.ORDINARY if containers or finding.rule == "container-rights" else RightsReach.NOTABLE
        )
    sudo = _SUDO.fullmatch(evidence)
    if sudo is not None:  # 4
        name = sudo["script"]
        if any(f == name or f.endswith(f"/{name}") for f in files):
            return RightsReach.ORDINARY
        return RightsReach.MACHINE if fetched and "/" not in name else RightsReach.NOTABLE
    if _CAPTURES.match(evidence):
        return RightsReach.ORDINARY
    return RightsReach.NOTABLE if _ASKS.match(evidence) else RightsReach.MACHINE  # 5


def of_the_project(command: str) -> bool:
    """Whether a command changes modes of places of the project alone, or of files of a package that is put together."""
    modes = _MODES.match(command)
    found = modes or _SETUID.match(command) or _OWNED.match(command)
    place = _BUILT if modes is None else _TARGET
    if found is None:
        return False
    targets = re.split(r"[`,;&|\n]|(?<!pwd)\)", found["targets"], maxsplit=1)[0].rstrip(" .").split()
    targets = [target for target in targets if target not in ("-R", "--recursive", "-v", "-f")]
    return bool(targets) and all(map(place.fullmatch, targets))

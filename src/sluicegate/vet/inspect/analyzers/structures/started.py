"""Files that start programs by themselves, or decide in what a program runs: services, builds, containers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.vet.inspect.analyzers.structures.registry import (
    HIGH,
    LOW,
    MEDIUM,
    BundleFacts,
    base_name,
    rule,
    structure_rule,
    weighed,
)
from sluicegate.vet.inspect.analyzers.structures.weigh import Weight, weigh
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category

STARTUP = rule(
    "startup-file", "Ships a file that starts a program by itself", Category.PERSISTENCE, MEDIUM, 600,
    why="A launch agent, a unit, a timer or a desktop entry runs at every login or hour once it is put in its place, long after the "
    "skill was used.",
    fix="Read what it starts. Put it in place yourself, if you want it.",
    references=("ASI10", "T1543", "T1053", "T1547"),
)  # fmt: skip
BUILD = rule(
    "build-file-command", "Building it fetches or hides something", Category.SUPPLY_CHAIN, HIGH, 600,
    why="Build files run commands with the user's rights, and few people read them.",
    fix="Read the command. Build in a container without network.",
    references=("ASI04", "LLM03", "T1195.001", "CWE-829"),
)  # fmt: skip
CONTAINER = rule(
    "container-rights", "A container is given the rights of its host", Category.PRIVILEGE_ESCALATION, MEDIUM, 600,
    why="A privileged container, one that shares the host's processes, or one that holds the engine's socket or the host's root, is no "
    "container: what runs in it owns the machine.",
    fix="Drop the privilege; mount the one folder that is needed.",
    references=("ASI03", "T1611", "CWE-250", "CWE-269"),
)  # fmt: skip

BEFORE = 300
"""Characters in front of a call that belong to its command, in its line."""
PLIST = 32 * 1024
"""Characters of a property list that are read."""

_TIMED = lazy(
    r"^(?:@(?:reboot|hourly|daily|weekly|monthly)|(?:[\d*/,-]{1,20}[ \t]{1,8}){5})[^\n]{3,300}", re.MULTILINE
)
_EXEC = lazy(r"^(?:ExecStart(?:Pre|Post)?|Exec)[ \t]{0,4}=[ \t]{0,4}[-@+!]{0,3}([^\n]{2,600})", re.MULTILINE)
_PLIST = lazy(r"<key>(?:ProgramArguments|Program)</key>(.{2,1500}?)</(?:array|string)>", re.DOTALL)
_STRING = lazy(r"<string>([^<]{1,600})")
_CMAKE = lazy(
    r"(?i)\b(?:execute_process|add_custom_command|add_custom_target|ExternalProject_Add|file[ \t]{0,4}\([ \t]{0,4}DOWNLOAD)[ \t\n]{0,8}\(?([^)]{4,600})"
)
_GRADLE = lazy(r"\b(?:commandLine|executable|args)[ \t(]{1,4}[^\n]{0,400}|[\"'\]]\.execute\(")
_RUNS_AT_BUILD = lazy(r"(?:std::process::)?Command::new\([^\n]{2,300}|\bsystem\([^\n]{2,300}|`[^`\n]{2,300}`")
_BUILD_FILES = {
    "cmakelists.txt": _CMAKE, "build.gradle": _GRADLE, "build.gradle.kts": _GRADLE, "settings.gradle": _GRADLE, "build.rs": _RUNS_AT_BUILD,
    "binding.gyp": lazy(r"<!@?\([^)]{2,300}|\"action\"\s{0,4}:\s{0,4}\[[^\]]{2,400}"), "extconf.rb": _RUNS_AT_BUILD, "rakefile": _RUNS_AT_BUILD,
}  # fmt: skip

_COMPOSE = (
    (lazy(r"hostPath[ \t]{0,4}:[ \t]{0,4}\n[ \t]{1,40}path[ \t]{0,4}:[ \t]{0,4}[\"']?/(?:[\"' \t]|$|etc\b|root\b|proc\b|home\b)|(?m:^[ \t-]{1,40}[\"']?/:/[a-z])"), "it mounts the host's files"),
    (lazy(r"(?m)^[ \t-]{0,40}[\"']?/(?:var/)?run/docker\.sock\b|path[ \t]{0,4}:[ \t]{0,4}[\"']?/(?:var/)?run/(?:docker|containerd/containerd|crio/crio)\.sock"), "it holds the engine's socket"),
    (lazy(r"(?m)^[ \t-]{0,40}(?:hostPID|hostNetwork|hostIPC)[ \t]{0,4}:[ \t]{0,4}true\b|(?m:^[ \t-]{0,40}(?:pid|ipc|network_mode)[ \t]{0,4}:[ \t]{0,4}[\"']?host\b)"), "it shares the host's processes or network"),
    (lazy(r"(?m)^[ \t-]{0,40}privileged[ \t]{0,4}:[ \t]{0,4}[\"']?true\b"), "it is privileged"),
    (lazy(r"(?m)^[ \t-]{1,40}[\"']?(?:SYS_ADMIN|SYS_PTRACE|SYS_MODULE|ALL|CAP_SYS_ADMIN)\b"), "it adds capabilities of the system"),
)  # fmt: skip
"""What gives most is looked for first: one is named."""
_CONTAINER_WORDS = (
    "privileged",
    "hostP",
    "hostN",
    "hostI",
    ".sock",
    "SYS_",
    "pid",
    "ipc",
    "network_mode",
    "/:/",
    "cap_add",
)


@structure_rule(STARTUP)
def startup(facts: BundleFacts) -> Iterator[Match]:
    """Launch agents, units, desktop entries and tables of cron, by what they start."""
    for view in facts.raw:
        name = base_name(view.path).lower()
        for found in _starts(view, name):
            weight = weigh(found)
            severity, confidence = (HIGH, 750) if weight >= Weight.LOUD else (MEDIUM, 600)
            at = max(0, view.text.find(found[:80]))
            yield Match(
                rule=STARTUP.id, view=view, start=at, end=at + max(1, len(found)), evidence=found[:300], severity=severity, trace=(f"command={found}",), files=(view.path,),
                confidence=confidence, adjustments=weighed(STARTUP, severity, confidence, "it reaches the network, a credential or an encoding"),
            )  # fmt: skip
            break


def _starts(view: View, name: str) -> Iterator[str]:
    """The commands that a file starts by itself; none for a file of another kind."""
    if name.endswith((".service", ".timer", ".desktop")):
        wanted = "[Install]" in view.text or "X-GNOME-Autostart" in view.text or "autostart/" in view.path
        yield from (found[1] for found in _EXEC.finditer(view.text) if wanted)
    elif name.endswith(".plist") and any(
        key in view.text for key in ("RunAtLoad", "StartInterval", "StartCalendarInterval", "KeepAlive")
    ):
        yield from (
            " ".join(_STRING.findall(found[1] + "</")) or found[1] for found in _PLIST.finditer(view.text)
        )
    elif name in ("crontab", "crontab.txt") or "cron.d/" in view.path or name.endswith((".cron", ".crontab")):
        yield from (found[0] for found in _TIMED.finditer(view.text))


@structure_rule(BUILD)
def builds(facts: BundleFacts) -> Iterator[Match]:
    """Commands of CMake, Gradle, Cargo, gyp and Ruby builds that reach the network, a secret or an encoding."""
    for view in facts.raw:
        name = base_name(view.path).lower()
        pattern = _BUILD_FILES.get(name, _CMAKE if name.endswith(".cmake") else None)
        for found in pattern.finditer(view.text) if pattern is not None else ():
            line = view.text.rfind("\n", max(0, found.start() - BEFORE), found.start()) + 1
            words = view.text[max(line, found.start() - BEFORE) : found.end()]
            weight = weigh(words.replace('"', " ").replace(",", " "))
            if weight >= Weight.LOUD:
                severity, confidence = (HIGH, 750) if weight is Weight.HARM else (HIGH, 600)
                yield Match(
                    rule=BUILD.id, view=view, start=found.start(), end=found.end(), severity=severity, confidence=confidence, files=(view.path,),
                    adjustments=weighed(BUILD, severity, confidence, "it fetches and runs, hides, or sends credentials"),
                )  # fmt: skip
                break


@structure_rule(CONTAINER)
def containers(facts: BundleFacts) -> Iterator[Match]:
    """Compose files, manifests of Kubernetes and dev containers."""
    for view in facts.settings:
        if view.language not in (Kind.YAML, Kind.JSON) or not any(
            word in view.text for word in _CONTAINER_WORDS
        ):
            continue
        if not any(word in view.text for word in ("image", "containers", "services", "runArgs")):
            continue
        for pattern, how in _COMPOSE:
            found = pattern.search(view.text)
            if found is not None:
                quoted = bool(view.origin)
                severity, confidence = (LOW, 500) if quoted else (MEDIUM, 600)
                yield Match(
                    rule=CONTAINER.id, view=view, start=found.start(), end=found.end(), message=f"{CONTAINER.why} Here: {how}.",
                    severity=severity, confidence=confidence, files=() if quoted else (view.path,),
                    adjustments=weighed(CONTAINER, severity, confidence, "it is an example in a text"),
                )  # fmt: skip
                break

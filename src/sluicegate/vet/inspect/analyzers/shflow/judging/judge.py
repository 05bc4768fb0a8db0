"""How bad a shell flow is: by what is sent or run, and by the host at the other end."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from sluicegate.known import hosts, names, places
from sluicegate.known.commands import sending
from sluicegate.known.hosts import Host
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers import credentials, printers
from sluicegate.vet.inspect.analyzers.shflow.commands.tables import SETTERS
from sluicegate.vet.inspect.analyzers.shflow.judging import (
    between,
    destroys,
    packages,
    rules,
)
from sluicegate.vet.inspect.analyzers.shflow.values import ShellValue, Tag
from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall, Sink
from sluicegate.vet.inspect.rule import Rule
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Severity


class Judged(NamedTuple):
    """A rule that matched, with what makes it worse or better than the rule's own severity."""

    rule: Rule
    severity: Severity
    confidence: int
    message: str


Explains = Callable[[str], bool]
"""Whether the skill explains why a host is asked."""


def sent(sink: Sink, tags: frozenset[Tag], explains: Explains) -> Judged | None:
    """A value is sent away. The first that holds: credentials, what is one credential, what is the user's own."""
    host = hosts.classify(sink.target) if "://" in sink.target else Host.UNKNOWN
    if sink.target.startswith(("dns://", "/dev/tcp", "/dev/udp")):
        host = Host.SUSPECT
    if hosts.webhook(sink.target):
        host = Host.SUSPECT
    if host is Host.LOCAL or sink.target.startswith(("localhost", "127.0.0.1")):
        return None
    secrets = sorted(tag.what for tag in tags if tag.kind == "secret")
    where = sink.target[:120] or "another machine"
    if secrets:
        return _secrets(sink, secrets, host, where, explains)
    return (
        _said(sink, tags, host, where, explains)
        or _printed(sink, tags, host, where, explains)
        or _key(sink, tags, host, where, explains)
        or _own(sink, tags, host, where, explains)
    )


def _secrets(sink: Sink, secrets: list[str], host: Host, where: str, explains: Explains) -> Judged | None:
    message = f"What is read from {secrets[0]} is sent to {where}."
    name = hosts.host_of(sink.target)
    somebody = "://" not in sink.target and host is Host.UNKNOWN and "@" in sink.target
    if somebody and not credentials.only_settings(secrets):
        return Judged(rules.SECRET_TO_NETWORK, Severity.HIGH, 650, message)
    expected = bool(name) and "://" in sink.target and explains(name)
    found = credentials.leak(secrets, host, name=name, header=sink.channel == "header", explained=expected)
    return (
        None if found is None else Judged(rules.SECRET_TO_NETWORK, found.severity, found.confidence, message)
    )


def _said(sink: Sink, tags: frozenset[Tag], host: Host, where: str, explains: Explains) -> Judged | None:
    """The sentences round a command fill the gap in its body with credentials."""
    kept = sorted(tag.what for tag in tags if tag.kind == "kept")
    found = kept or sorted(tag.what for tag in tags if tag.kind == "said")
    name = hosts.host_of(sink.target)
    if not found or not name or host <= Host.CODE or (explains(name) and not kept):
        return None
    message = f"What the text calls {found[0]} is sent to {where}."
    return Judged(rules.SECRET_TO_NETWORK, Severity.HIGH, 650, message)


def _printed(sink: Sink, tags: frozenset[Tag], host: Host, where: str, explains: Explains) -> Judged | None:
    """A credential that a command prints goes to somebody whose it is not."""
    commands = sorted(tag.what for tag in tags if tag.kind == "printed")
    name = hosts.host_of(sink.target)
    shown = sink.target.startswith(("gh ", "glab "))
    for command in commands:
        found = printers.printed_by(command)
        if found is None or (name and printers.owned(found.printer, name)):
            continue
        message = f"What {command} prints is sent to {where}."
        if host is Host.SUSPECT or shown:
            return Judged(rules.SECRET_TO_NETWORK, Severity.HIGH, 700, message)
        if not name or (explains(name) and (sink.channel == "header" or not found.printer.owners)):
            continue
        if sink.channel != "header":
            return Judged(rules.SECRET_TO_NETWORK, Severity.HIGH, 650, message)
        return Judged(rules.SECRET_TO_NETWORK, Severity.MEDIUM, 550, message)
    return None


def _key(sink: Sink, tags: frozenset[Tag], host: Host, where: str, explains: Explains) -> Judged | None:
    """A credential in a variable goes to a suspect, or to somebody other than the one whose name it bears."""
    keys = sorted(tag.what for tag in tags if tag.kind == "key")
    if not keys or hosts.webhook(sink.target):
        return None
    message = f"The value of {keys[0]} is sent to {where}."
    if host is Host.SUSPECT:
        if _plain_name(sink.target):
            return Judged(rules.SECRET_TO_NETWORK, Severity.MEDIUM, 500, message)
        return Judged(rules.SECRET_TO_NETWORK, Severity.HIGH, 700, message)
    name = hosts.host_of(sink.target)
    if host is not Host.UNKNOWN or not name or explains(name):
        return None
    if "process.env" in keys and sink.channel != "header":
        message = f"Variables of the environment, by computed names, are sent to {where}."
        return Judged(rules.SECRET_TO_NETWORK, Severity.MEDIUM, 550, message)
    for key in keys:
        if _another(key.lstrip("$"), name):
            message = f"The value of {key} is sent to {where}, whose it is not."
            return Judged(rules.SECRET_TO_NETWORK, Severity.MEDIUM, 550, message)
    return None


def _another(variable: str, name: str) -> bool:
    """Whether a variable bears the name of an owner whose host this is not."""
    return bool(names.owner_words(variable)) and not names.related(variable, name)


def _own(sink: Sink, tags: frozenset[Tag], host: Host, where: str, explains: Explains) -> Judged | None:
    """What is the user's own goes to a host that nothing explains."""
    found = sorted(tag.what for tag in tags if tag.kind == "own")
    name = hosts.host_of(sink.target)
    if not found or not name:
        return None
    if "://" not in sink.target:
        host = hosts.classify(f"https://{name}/")
    if host <= Host.CODE or explains(name):
        return None
    message = f"{found[0][:1].upper()}{found[0][1:]} is sent to {where}, which nothing in the skill explains."
    if host is Host.SUSPECT and not _plain_name(sink.target) and sink.channel != "repository":
        return Judged(rules.OWN_TO_NETWORK, Severity.HIGH, 650, message)
    return Judged(rules.OWN_TO_NETWORK, Severity.MEDIUM, 550, message)


def _plain_name(target: str) -> bool:
    """Whether the only thing against a host is that it is spoken to without encryption."""
    found = hosts.urls(target)
    return bool(found) and all(hosts.classify("https://" + host) is Host.UNKNOWN for _, host in found)


def ran(sink: Sink, tags: frozenset[Tag], *, documented: bool) -> list[Judged]:
    """A value is run."""
    found: list[Judged] = []
    if any(tag.kind == "decoded" for tag in tags):
        message = f"A decoded text is run by {sink.target[:80]}."
        found.append(Judged(rules.DECODED_TO_EXEC, Severity.CRITICAL, 800 if documented else 850, message))
    downloads = [
        _downloaded(sink, tag.what, documented=documented) for tag in sorted(tags) if tag.kind == "remote"
    ]
    worst = max(
        filter(None, downloads), key=lambda judged: (judged.severity, judged.confidence), default=None
    )
    if worst is not None:
        found.append(worst)
    return found


_LOCAL_ANSWERS = ("tcp://127.", "tcp://localhost", "tcp://TCP:localhost", "tcp://TCP:127.")


def _downloaded(sink: Sink, url: str, *, documented: bool) -> Judged | None:
    host = hosts.classify(url)
    message = f"What {url[:120] or 'an address'} answers is run by {sink.target[:80]}."
    if host is Host.LOCAL or url.startswith(_LOCAL_ANSWERS):
        return None
    if url.startswith(("tcp://", "dns://")):
        return Judged(rules.DOWNLOAD_TO_EXEC, Severity.HIGH, 750, message)
    if host is Host.INSTALLER:
        return Judged(rules.DOWNLOAD_TO_EXEC, Severity.LOW, 300, message)
    if host is Host.CODE:
        return Judged(rules.DOWNLOAD_TO_EXEC, Severity.MEDIUM, 450 if documented else 550, message)
    if host is Host.SUSPECT:
        if _plain_name(url):
            return Judged(rules.DOWNLOAD_TO_EXEC, Severity.HIGH, 750, message)
        return Judged(rules.DOWNLOAD_TO_EXEC, Severity.CRITICAL, 850, message)
    if documented or not hosts.urls(url):
        return Judged(rules.DOWNLOAD_TO_EXEC, Severity.MEDIUM, 600, message)
    return Judged(rules.DOWNLOAD_TO_EXEC, Severity.HIGH, 600, message)


_HOOKS = (
    "LD_PRELOAD=",
    "DYLD_INSERT_LIBRARIES=",
    "PROMPT_COMMAND=",
    "alias sudo=",
    "alias ssh=",
    "BASH_ENV=",
)
"""What puts itself in front of every command that is typed from then on."""
_BINARIES = lazy(r"(?:/bin|/sbin)/(?:sudo|su|ssh|git|ls|cat|ps|sh|bash|zsh|login|passwd)$")
_LOUD = (
    "curl ",
    "wget ",
    "base64",
    "/tmp/",
    "/dev/tcp",
    "nohup ",
    "nc ",
    "bash -i",
    "| sh",
    "|sh",
    "| bash",
    "|bash",
    "python -c",
)
_LOUD_TAGS = frozenset({"remote", "decoded"})


def wrote(path: str, value: ShellValue, text: str, explains: Explains) -> Judged | None:
    """A value is written to a path; ``text`` is the whole command."""
    path = (
        path.replace("$HOME", "~").replace("~/", "/home/x/", 1) if path.startswith(("~", "$HOME")) else path
    )
    shown = path.replace("/home/x/", "~/")[:120]
    if path.endswith("/etc/sudoers") or "/etc/sudoers.d/" in path:
        return Judged(rules.PRIVILEGE, Severity.HIGH, 750, f"{shown} is written.")
    if places.control(path):
        severity = Severity.CRITICAL if _loud(value, text) else Severity.HIGH
        return Judged(rules.PERSISTENCE, severity, 700, f"{shown} is written.")
    if any(tag.kind in _LOUD_TAGS for tag in value.tags) and _BINARIES.search(path):
        return Judged(rules.PERSISTENCE, Severity.HIGH, 750, f"{shown}, which everybody runs, is replaced.")
    if put := between.of_system_file(path, text):
        return Judged(rules.BETWEEN, Severity.MEDIUM, 600, f"{put}.")
    if address := packages.of_file(path, text, explains):
        return _unexplained(address)
    if places.startup(path):
        return _started(path, shown, value, text)
    if put := between.of_file(path, text, explains):
        return Judged(rules.BETWEEN, Severity.MEDIUM, 600, f"{put}.")
    if places.instructions(path) and path.startswith("/home/x/"):
        message = f"{shown}, which an agent obeys, is written."
        if _loud(value, text):
            return Judged(rules.PERSISTENCE, Severity.HIGH, 650, message)
        return Judged(rules.PERSISTENCE, Severity.MEDIUM, 450, message)
    return None


def _started(path: str, shown: str, value: ShellValue, text: str) -> Judged:
    """What runs by itself is written."""
    if ".git/hooks" in path and destroys.throws_away(text):
        return Judged(
            rules.DESTRUCTIVE, Severity.MEDIUM, 600, f"{shown} will throw work away at each use of git."
        )
    if any(hook in text for hook in _HOOKS):
        message = f"{shown} will put something in front of every command."
        return Judged(rules.PERSISTENCE, Severity.HIGH, 700, message)
    if _loud(value, text):
        message = f"{shown} will run a command that fetches or hides something."
        return Judged(rules.PERSISTENCE, Severity.HIGH, 700, message)
    if path.endswith(("rc", "profile", "zshenv", "config.fish")) or ".git/hooks" in path:
        return Judged(rules.PERSISTENCE, Severity.LOW, 300, f"{shown} is written.")
    return Judged(rules.PERSISTENCE, Severity.MEDIUM, 500, f"{shown} is written.")


def _loud(value: ShellValue, text: str) -> bool:
    """Whether what is written fetches or hides something."""
    return any(tag.kind in _LOUD_TAGS for tag in value.tags) or _loud_text(text)


@lru_cache(maxsize=16)  # one command may write to thousands of places
def _loud_text(text: str) -> bool:
    return any(word in text for word in _LOUD)


class Around(NamedTuple):
    """Where a command stands: the folder it works in, as far as that is told, whether it runs ``by_itself`` (in a hook),
    the facts of a file, what the skill says of itself, and whether its words stand in the text as they are run (``written``)."""

    here: str
    by_itself: bool
    held: Callable[[str], frozenset[Tag]]
    declares: destroys.Declares
    explains: Explains
    written: bool = True


def called(call: ShellCall, text: str, around: Around) -> Judged | None:
    """One of ``JUDGED`` that is bad by itself once its values are known; ``text`` is the whole command."""
    if call.name in packages.COMMANDS and (address := packages.foreign(call, around.explains, around.held)):
        return _unexplained(address)
    if call.name in SETTERS or "env" in call.wrapped:
        from sluicegate.vet.inspect.analyzers.shflow.judging import steered  # few commands set a variable

        leads = steered.of_command(call, around.explains)
        if leads is not None:
            if leads.packages:
                return _unexplained(leads.packages)
            return Judged(rules.BETWEEN, Severity.MEDIUM, 600, f"{leads.what}.")
    if call.name in between.COMMANDS and (
        put := between.of_command(call, around.declares, around.explains, around.here)
    ):
        return Judged(rules.BETWEEN, Severity.MEDIUM, 600, f"{put}.")
    return (
        _timer(call, text) or _traces(call) or _destroys(call, around) or _rights(call) or _protection(call)
    )


def _unexplained(address: str) -> Judged:
    message = f"Packages are taken from {address[:120]}, which nothing in the skill explains."
    return Judged(rules.UNEXPLAINED, Severity.HIGH, 600, message)


def _destroys(call: ShellCall, around: Around) -> Judged | None:
    if call.name not in destroys.COMMANDS:
        return None
    loss = destroys.of_command(
        call, around.declares, around.here, by_itself=around.by_itself, written=around.written
    )
    return None if loss is None else Judged(rules.DESTRUCTIVE, *loss)


JUDGED = (
    between.COMMANDS
    | destroys.COMMANDS
    | packages.COMMANDS
    | SETTERS
    | frozenset(
        """crontab launchctl history unset rm shred truncate ln export set wevtutil chmod setcap docker podman usermod
    adduser gpasswd setenforce ufw iptables ip6tables spctl csrutil systemctl pkill killall auditctl xattr""".split()
    )
)
"""Commands that may be bad by themselves."""


def _timer(call: ShellCall, text: str) -> Judged | None:
    loud = any(word in text for word in _LOUD) or any(tag.kind in _LOUD_TAGS for tag in call.stdin)
    severity, confidence = (Severity.HIGH, 700) if loud else (Severity.MEDIUM, 500)
    operands = call.words[1:]
    if call.name == "crontab" and operands and not call.flags & {"-l", "-r", "-e", "-u"} - {"-u"}:
        return Judged(rules.PERSISTENCE, severity, confidence, "The table of timed commands is replaced.")
    if call.name == "launchctl" and operands[:1] in (["load"], ["bootstrap"], ["submit"]):
        return Judged(rules.PERSISTENCE, severity, confidence, "A service that starts by itself is loaded.")
    return None


def _traces(call: ShellCall) -> Judged | None:
    text = " ".join(call.words[:8])
    hit = (
        (call.name == "history" and bool(call.flags & {"-c", "-cw", "-wc"}))
        or (call.name == "unset" and "HISTFILE" in call.words)
        or (
            call.name in ("rm", "shred", "truncate", "ln")
            and ("_history" in text or "/var/log" in text)
            and "bash" + "_" in text
        )
        or (
            call.name in ("rm", "shred", "truncate")
            and any(w.startswith("/var/log/") and "*" in w for w in call.words)
        )
        or (
            call.name in ("export", "set")
            and any(w in ("HISTFILE=/dev/null", "HISTSIZE=0", "HISTFILESIZE=0") for w in call.words)
        )
        or (call.name == "set" and call.words[1:3] == ["+o", "history"])
        or (call.name == "wevtutil" and "cl" in call.words)
    )
    return Judged(rules.TAMPERING, Severity.HIGH, 650, f"Traces are removed: {text[:100]}") if hit else None


def _rights(call: ShellCall) -> Judged | None:
    words = call.words
    if call.name == "chmod" and len(words) > 2:
        mode = words[1]
        if (len(mode) == 4 and mode[0] in "4567" and mode.isdigit()) or mode in (
            "u+s",
            "+s",
            "ug+s",
            "u+xs",
            "a+s",
        ):
            return Judged(
                rules.PRIVILEGE,
                Severity.HIGH,
                750,
                "A program will run with its owner's rights for everyone.",
            )
    if call.name == "setcap" and any(
        "cap_setuid" in w or "cap_sys_admin" in w or "cap_dac" in w for w in words
    ):
        return Judged(rules.PRIVILEGE, Severity.HIGH, 700, "A program is given rights of root.")
    if call.name in ("docker", "podman") and "run" in words[:3]:
        if any(
            w in ("/:/host", "/:/mnt", "/:/rootfs", "/:/hostfs") or w.startswith(("/:/", "--volume=/:/"))
            for w in words
        ):
            return Judged(
                rules.PRIVILEGE, Severity.HIGH, 650, "A container is given the whole disk of the host."
            )
    if (
        call.name in ("usermod", "adduser", "gpasswd")
        and call.flags & {"-aG", "-a", "-G"}
        and {"sudo", "wheel"} & set(words)
    ):
        return Judged(
            rules.PRIVILEGE, Severity.MEDIUM, 500, "An account is added to those that may become root."
        )
    return None


_PROTECTORS = frozenset(
    """ufw firewalld iptables nftables auditd apparmor selinux falcon-sensor clamav-daemon clamav-freshclam osqueryd
    wazuh-agent crowdstrike sysmon rsyslog syslog fail2ban""".split()
)


def _protection(call: ShellCall) -> Judged | None:
    words, name = call.words, call.name
    hit = (
        (name == "setenforce" and "0" in words)
        or (name == "ufw" and "disable" in words)
        or (name in ("iptables", "ip6tables") and bool(call.flags & {"-F", "--flush"}))
        or (name == "spctl" and bool(call.flags & {"--master-disable", "--global-disable"}))
        or (name == "csrutil" and "disable" in words)
        or (
            name == "systemctl"
            and bool({"stop", "disable", "mask"} & set(words))
            and any(w.removesuffix(".service") in _PROTECTORS for w in words)
        )
        or (name in ("pkill", "killall") and any(w in _PROTECTORS for w in words))
        or (name == "auditctl" and "-e" in words and "0" in words)
    )
    if hit:
        return Judged(
            rules.SECURITY_OFF,
            Severity.HIGH,
            650,
            f"A protection is switched off: {' '.join(words[:6])[:100]}",
        )
    if name == "xattr" and (
        call.flags & {"-c", "-cr", "-rc"}
        or (any("d" in f for f in call.flags) and "com.apple.quarantine" in words)
    ):
        return Judged(
            rules.SECURITY_OFF, Severity.MEDIUM, 600, "The mark that a file was downloaded is removed."
        )
    return None


def network_command(name: str) -> bool:
    """Whether a command speaks to another machine."""
    return sending.talks(name)


PRIVATE = frozenset({"secret", "key", "printed", "own"})
"""Kinds of facts that somebody may not want to be sent."""
SENT = (rules.SECRET_TO_NETWORK, rules.OWN_TO_NETWORK)
"""The rules of what is sent."""


SPOKEN_OF = frozenset({rules.DESTRUCTIVE, rules.UNEXPLAINED})
"""Deeds that sentences speak of more often than they ask for them."""


def in_passing(found: Judged) -> Judged:
    """The same in a run of code inside a sentence, which tells about a command more often than it asks for it."""
    if found.severity is Severity.CRITICAL:
        return found._replace(severity=Severity.HIGH, confidence=min(found.confidence, 600))
    return found._replace(
        severity=min(found.severity, Severity.MEDIUM), confidence=min(found.confidence, 450)
    )


def in_document(found: Judged) -> Judged:
    """The same in an example of a document: a step that a reader may take, and knows of."""
    if found.severity is Severity.HIGH and found.rule not in (rules.DESTRUCTIVE, rules.UNEXPLAINED):
        return found._replace(confidence=min(found.confidence, 600) - 110)
    return found

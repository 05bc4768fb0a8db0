"""Programs that speak to other machines: settings of ssh that run something, addresses of socat, headers of
curl.
"""

from __future__ import annotations

import re
from typing import Final

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations.commands.inner import NEVER, shell_code
from sluicegate.flow.operations.commands.reading import CommandReading
from sluicegate.flow.operations.commands.registry import reader, role
from sluicegate.flow.operations.commands.walk import ArgumentWalk
from sluicegate.flow.operations.commands.words import ArgumentWord, literal, quoted
from sluicegate.known.commands.spec import Spec
from sluicegate.patterns import late

_SSH_RUNS: Final = frozenset({"proxycommand", "localcommand", "knownhostscommand", "remotecommand"})
_SSH_REFUSED: Final = frozenset(
    {
        "pkcs11provider",
        "securitykeyprovider",
        "smartcarddevice",
        "xauthlocation",
        "include",
        "match",
        "sendenv",
        "setenv",
    }
)
_SSH_READS: Final = frozenset(
    {"identityfile", "certificatefile", "revokedhostkeys", "globalknownhostsfile", "identityagent"}
)
_SSH_WRITES: Final = frozenset({"userknownhostsfile", "controlpath"})
_SSH_HARMLESS: Final = frozenset(
    """
    addkeystoagent addressfamily batchmode bindaddress bindinterface casignaturealgorithms channeltimeout checkhostip
    ciphers clearallforwardings compression compressionlevel connectionattempts connecttimeout controlmaster controlpersist
    enableescapecommandline enablesshkeysign escapechar exitonforwardfailure fingerprinthash forkafterauthentication forwardagent
    forwardx11 forwardx11timeout forwardx11trusted gatewayports gssapiauthentication gssapidelegatecredentials hashknownhosts
    hostbasedacceptedalgorithms hostbasedauthentication hostkeyalgorithms hostkeyalias identitiesonly ignoreunknown ipqos
    kbdinteractiveauthentication kbdinteractivedevices kexalgorithms loglevel logverbose macs nohostauthenticationforlocalhost
    numberofpasswordprompts obscurekeystroketiming passwordauthentication permitlocalcommand port preferredauthentications
    proxyusefdpass pubkeyacceptedalgorithms pubkeyauthentication rekeylimit requesttty requiredrsasize serveralivecountmax
    serveraliveinterval sessiontype stdinnull streamlocalbindmask streamlocalbindunlink stricthostkeychecking syslogfacility
    tcpkeepalive tag tunnel tunneldevice updatehostkeys user usekeychain verifyhostkeydns visualhostkey canonicalizefallbacklocal
    canonicalizemaxdots pubkeyacceptedkeytypes challengeresponseauthentication hostkeyalgorithms protocol versionaddendum
    """.split()
)
_SOCAT_RUNS = late(r"(exec|system|shell):(.*)", re.IGNORECASE | re.DOTALL)
_SOCAT_FILES: Final = frozenset({"open", "gopen", "create", "creat", "file", "pipe", "fifo"})
_SOCAT_HOSTS = late(r"(?:tcp|udp|sctp|openssl|ssl|socks|proxy|ip)[0-9a-z-]*", re.IGNORECASE)


@role("ssh-option")
def ssh_option(reading: CommandReading, word: ArgumentWord) -> None:
    """``-o KEY=VALUE`` or ``-o 'KEY VALUE'``, in any case."""
    found = re.match(r"\s*([A-Za-z0-9]+)(\s*=\s*|\s+)", word.head)
    if found is None:
        reading.written(word, "a setting of ssh", "write -o Name={value}")
        raise CommandError(f"in {reading.name}: {quoted(word)} is not a setting", hint="write -o Name=value")
    key, value = found[1].lower(), word.after(found.end())
    if key in _SSH_RUNS:
        text = reading.written(value, "a command that ssh runs", NEVER)
        if text.lower() != "none":
            shell_code(
                reading, re.sub(r"%[%A-Za-z]", "x", text), via=found[1], elsewhere=key == "remotecommand"
            )
    elif key in _SSH_REFUSED:
        raise CommandError(
            f"in {reading.name}: the setting {found[1]} loads code or passes the environment on",
            hint="leave it out",
        )
    elif key in ("hostname", "proxyjump"):
        reading.contact("jump" if key == "proxyjump" else "host", value)
    elif key in _SSH_READS | _SSH_WRITES:
        if value.text not in ("none", "/dev/null", "SSH_AUTH_SOCK"):
            reading.use("w" if key in _SSH_WRITES else "r", value)
    elif key not in _SSH_HARMLESS:  # a way to another host, or a setting that nobody here knows
        reading.contact("unknown", None)


@role("jump")
def jump(reading: CommandReading, word: ArgumentWord) -> None:
    """``-J host,host``."""
    reading.contact("jump", word)


@role("forward")
def forward(reading: CommandReading, word: ArgumentWord) -> None:
    """``-L port:host:port`` and the like open a way to a host that is not the one spoken to."""
    reading.contact("unknown", None)


@role("header")
def header(reading: CommandReading, word: ArgumentWord) -> None:
    """``-H 'Name: value'`` or ``-H @file``; a value never begins another header."""
    if word.head.startswith("@"):
        reading.use("r", word.after(1))
        reading.flags.update(("-T", "--upload-file"))  # what is in the file is sent
    reading.guard(word, ("@",), "would name a file to read", "write -H 'Name: {value}'")
    reading.never(word, ("\r", "\n"), "would begin another header", "take the line ends out of the value")


@role("socat")
def socat(reading: CommandReading, word: ArgumentWord) -> None:
    """One address of socat."""
    text = reading.written(word, "an address of socat", NEVER)
    first, both, second = text.partition("!!")  # one to read from, another to write to
    if both:
        socat(reading, literal(first))
        socat(reading, literal(second))
        return
    kind, _, rest = text.partition(":")
    runs = _SOCAT_RUNS.match(text)
    if runs is not None:
        shell_code(reading, runs[2].partition(",")[0], via=runs[1])
    elif kind.lower() in _SOCAT_FILES:
        reading.use("r", literal(rest.partition(",")[0]))
        reading.use("w", literal(rest.partition(",")[0]))
    elif _SOCAT_HOSTS.fullmatch(kind):
        reading.contact("address", literal(rest) if "listen" not in kind.lower() else None)
    elif kind not in ("-", "stdio", "STDIO", "stdin", "STDIN", "stdout", "STDOUT"):
        reading.contact("address", None)


@role("connect")
def connect(reading: CommandReading, word: ArgumentWord) -> None:
    """``--resolve``, ``--connect-to``: what is spoken to is not what the address says."""
    reading.contact("unknown", None)


@role("cookie")
def cookie(reading: CommandReading, word: ArgumentWord) -> None:
    """``-b name=value``, or a file of cookies."""
    if "=" not in word.head:
        reading.use("m" if word.text is not None else "r", word)


@role("here")
def here(reading: CommandReading, word: ArgumentWord) -> None:
    """The file is named by the other side, in the directory where the command stands."""
    reading.use("w", literal("."))


@role("maybe-url", "host-option")
def maybe(reading: CommandReading, word: ArgumentWord) -> None:
    """An argument that may name another machine."""
    reading.contact("maybe", word)


@role("maybe-host")
def maybe_host(reading: CommandReading, word: ArgumentWord) -> None:
    """An argument that is a host if it looks like one."""
    reading.contact("name", word)


@role("hex-or-proxy")
def hex_or_proxy(reading: CommandReading, word: ArgumentWord) -> None:
    """``nc -x``: a proxy to one make of it, a file to write to another."""
    reading.contact("proxy", word)
    reading.use("w", word)


@role("data-urlencode", "curl-variable")
def data_urlencode(reading: CommandReading, word: ArgumentWord) -> None:
    """``text``, ``=text``, ``name=text``, ``@file``, ``name@file``; ``--variable`` also ``%ENVIRONMENT``."""
    if "=" in word.head.partition("@")[0]:
        return
    if "@" in word.head:
        reading.use("r", word.after(word.head.index("@") + 1))
    reading.never(word, ("@",), "would name a file to read", "write name={value}")


@role("write-out")
def write_out(reading: CommandReading, word: ArgumentWord) -> None:
    """A format, or ``@file``; ``%output{file}`` writes."""
    if word.head.startswith("@"):
        reading.use("r", word.after(1))
    elif "%output{" in word.head:
        reading.use("w", None)
    reading.guard(word, ("@",), "would name a file to read", "write the format in the template")
    reading.never(word, ("%output",), "would name a file to write", "write the format in the template")


@role("upload")
def upload(reading: CommandReading, word: ArgumentWord) -> None:
    """A file to send; curl expands ``{a,b}`` and ``[1-3]`` in its name."""
    reading.use("r", None if set("{[") & set(word.head) else word)
    reading.never(word, ("{", "["), "would name other files", "rename the file")


@role("url-file")
def url_file(reading: CommandReading, word: ArgumentWord) -> None:
    """A file of addresses."""
    reading.use("r", word)
    reading.contact("unknown", None)


@reader("curl")
def curl(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """curl: ``--expand-NAME`` puts variables into the value of any option."""
    for word in words:
        if word.head.startswith("--expand-"):
            raise CommandError(
                f"in {reading.name}, {quoted(word)} fills the value of an option",
                hint="write the value itself",
            )
    ArgumentWalk(reading, words, spec).walk()


@role("curl-output")
def curl_output(reading: CommandReading, word: ArgumentWord) -> None:
    """``-o FILE``: ``#1`` in it is a part of the address that matched a pattern."""
    reading.use("w", None if re.search(r"#[0-9]", word.head) else word)
    reading.never(word, ("#",), "would take its name from the address", "rename the file")


@role("page")
def page(reading: CommandReading, word: ArgumentWord) -> None:
    """An address, or a file to look at."""
    reading.use("m", word)
    reading.contact("url", word)


@role("host-path")
def host_path(reading: CommandReading, word: ArgumentWord) -> None:
    """``[user@]host[:path]``: another machine in any case."""
    form = "remote" if ":" in word.head else "host"
    reading.contact(form, word)


@reader("httpie")
def httpie(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``http [METHOD] URL [ITEM...]``; ``name@file``, ``name=@file``, ``name:=@file`` are sent."""
    ArgumentWalk(reading, words, spec).walk()
    rest = list(reading.operands)
    if len(rest) > 1 and rest[0].text is not None and re.fullmatch(r"[A-Za-z]+", rest[0].text):
        if rest[0].text != rest[0].text.upper():  # a method, or a host: both count
            reading.contact("url", rest[0])
        rest.pop(0)
    if rest:
        address = rest.pop(0)
        reading.contact("unknown" if address.head.startswith(":") else "url", address)
    for word in rest:
        found = re.match(r"[^=:@]*(?::=|==|=|:)?@", word.head)
        if found is not None:
            path, semicolon, _ = word.head[found.end() :].partition(";")
            reading.use("r", literal(path) if semicolon else word.after(found.end()))
        reading.never(word, ("@",), "could name a file to send", "give the data as standard input")

"""Models of the network: requests with all their parts, sockets, mail, lookups, and what comes back."""

from __future__ import annotations

import ast

from sluicegate.vet.inspect import capabilities
from sluicegate.vet.inspect.analyzers.pyflow.call import EvaluatedCall
from sluicegate.vet.inspect.analyzers.pyflow.frame import UnitRun
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import SinkKind
from sluicegate.vet.inspect.analyzers.pyflow.models.tables import (
    OBJECTS,
    PREFIXES,
    TABLE,
    absorb,
    default,
    method_model,
    model,
    quiet,
)
from sluicegate.vet.inspect.analyzers.pyflow.values import NOTHING, PyValue, SourceKind, tainted

VERBS = (
    "get",
    "post",
    "put",
    "patch",
    "delete",
    "head",
    "options",
    "request",
    "stream",
    "send",
    "ws_connect",
)
CLIENTS = ("requests", "requests.Session()", "requests.session()", "requests.Client()",
    "requests.AsyncClient()", "aiohttp.ClientSession()", "aiohttp",
           "cloudscraper.create_scraper()", "urllib3.PoolManager()", "urllib3",
           "requests_html.HTMLSession()", "primp.Client()", "aiohttp.request")  # fmt: skip
BODY = ("data", "json", "content", "files", "body", "fields")


def response(frame: UnitRun, call: EvaluatedCall, url: PyValue, name: str) -> PyValue:
    """Data from the network, under the name of its host."""
    where = url.texts[0].partition("?")[0][:80] if url.texts else "network"
    return PyValue(frame.site(SourceKind.NETWORK, f"{name}({where})", call.node), (), ("response",))


def _slots(call: EvaluatedCall, url: PyValue, first_body: int) -> dict[str, PyValue]:
    slots = {"url": url}
    for key in BODY:
        if key in call.keywords:
            slots[f"body {key}"] = call.keywords[key]
    if 0 <= first_body < len(call.args):
        slots["body data"] = call.args[first_body]
    if "params" in call.keywords:
        slots["params"] = call.keywords["params"]
    for key in ("headers", "cookies"):
        if key in call.keywords:
            slots[key] = call.keywords[key]
    if "auth" in call.keywords:
        slots["auth"] = call.keywords["auth"]
    if call.spread.mask:
        slots["body spread"] = call.spread
    return slots


def _request(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """A request of any client library."""
    verb = name.rpartition(".")[2]
    at = 1 if verb in ("request", "stream") and len(call.args) > 1 else 0
    url = call.arg(at, "url", "uri")
    base = dict(call.receiver.parts).get("@base")
    if base is not None and (not url.texts or url.texts[0].startswith("/")):
        url = PyValue(url.mask | base.mask, base.texts)
    frame.can_reach(url, call.node)
    if verb == "send" and url.parts:
        frame.hit(SinkKind.SEND, name, call.node, {**dict(url.parts), "url": PyValue(url.mask)})
    slots = _slots(call, url, at + 1 if verb in ("post", "put", "patch") else -1)
    session = call.receiver
    for key, part in session.parts:
        if key == "headers":
            slots.setdefault("headers", part)
    frame.hit(SinkKind.SEND, name, call.node, slots)
    if (
        call.constant(-1, "verify") is False
        or call.constant(-1, "ssl") is False
        or call.constant(-1, "verify_ssl") is False
    ):
        frame.hit(SinkKind.TLS, name, call.node, {"url": url})
    return response(frame, call, url, name.replace("()", ""))


for _library in CLIENTS:
    for _verb in VERBS:
        TABLE[f"{_library}.{_verb}"] = _request


@model(
    "requests.Session",
    "requests.session",
    "requests.Client",
    "requests.AsyncClient",
    "aiohttp.ClientSession",
    "urllib3.PoolManager",
)
def _client(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    parts: list[tuple[str, PyValue]] = []
    base = call.keywords.get("base_url") or (
        call.args[0] if name.endswith("ClientSession") and call.args else None
    )
    if base is not None:
        parts.append(("@base", base))
    if "headers" in call.keywords:
        parts.append(("headers", call.keywords["headers"]))
    if call.constant(-1, "verify") is False or call.constant(-1, "cert_reqs") == "CERT_NONE":
        frame.hit(SinkKind.TLS, name, call.node, {})
    return PyValue(0, (), (name + "()",), tuple(parts))


@model("ssl._create_unverified_context", "ssl._create_unverified_https_context")
def _unverified(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    frame.hit(SinkKind.TLS, name, call.node, {})
    return NOTHING


@method_model("post", "put", "patch")
def _method_request(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """A client of an unknown library, told by its arguments."""
    like = any(k in call.keywords for k in ("json", "data", "headers", "files", "url", "params", "content"))
    if like or (call.args and any("://" in t for t in call.args[0].texts)):
        return _request(frame, call, call.name)
    return tainted(call.mask | call.receiver.mask)


@model("urllib.request.Request")
def _prepared(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """A request that is sent later; its parts travel with it."""
    slots = _slots(call, call.arg(0, "url"), 1)
    headers = call.arg(2, "headers")
    if headers is not NOTHING:
        slots["headers"] = headers
    frame.can_reach(call.arg(0, "url"), call.node)
    return PyValue(call.mask, call.arg(0, "url").texts, ("urllib.request.Request()",), tuple(slots.items()))


@model("urllib.request.urlopen", "urllib.request.build_opener().open", "urllib.request.OpenerDirector().open")
def _urlopen(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    url = call.arg(0, "url")
    if "urllib.request.Request()" in url.refs:
        slots = dict(url.parts)
        held = 0
        for part in slots.values():
            held |= part.mask
        if url.mask & ~held:
            slots["body later"] = PyValue(url.mask & ~held)
        url = slots.get("url", url)
    else:
        slots = _slots(call, url, 1)
        frame.can_reach(url, call.node)
    frame.hit(SinkKind.SEND, name, call.node, slots)
    return response(frame, call, url, "urlopen")


@model("urllib.request.urlretrieve", "wget.download", "gdown.download")
def _retrieve(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """A file is downloaded: into the one that is named, or into a fresh one whose path is given back."""
    from sluicegate.vet.inspect.analyzers.pyflow.models.files import named_path, write_to

    url = call.arg(0, "url")
    frame.can_reach(url, call.node)
    frame.hit(SinkKind.SEND, name, call.node, {"url": url})
    fetched = response(frame, call, url, name.rpartition(".")[2])
    path = named_path(call, 1, call.arg(1, "filename", "out", "output"))
    if not call.has(1, "filename", "out", "output"):
        path = PyValue(0, (frame.analysis.temporary(frame.view, call.node),))
    write_to(frame, call, path, fetched, "replace")
    if not path.texts:
        return fetched
    kept = PyValue(path.mask, path.texts)
    return PyValue(path.mask, (), (), (("", kept), ("", fetched))) if name.endswith("retrieve") else kept


@model("http.client.HTTPSConnection", "http.client.HTTPConnection", "ftplib.FTP", "ftplib.FTP_TLS",
    "smtplib.SMTP", "smtplib.SMTP_SSL", "telnetlib.Telnet",
       "imaplib.IMAP4_SSL", "paramiko.Transport")  # fmt: skip
def _connection(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    host = call.arg(0, "host")
    if call.has(0, "host"):
        frame.can_reach(host, call.node)
    return PyValue(host.mask, (), (name + "()",), (("@host", host),))


@model("xmlrpc.client.ServerProxy", "xmlrpc.client.Server")
def _proxy(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    host = call.arg(0, "uri")
    frame.can_reach(host, call.node)
    return PyValue(host.mask, (), (name + "()",), (("@host", host),))


def _called_there(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """A member of an object that stands for another machine: what it is given is sent there.

    The protocol has no header, so a key to sign in with is an argument like any other.
    """
    host = _host_of(call)
    slots = {
        f"body {index}": PyValue(value.mask, (), (), (("auth", value),))
        for index, value in enumerate(call.args)
    }
    frame.hit(SinkKind.SEND, name.replace("()", ""), call.node, {"url": host, **slots})
    return response(frame, call, host, name.replace("()", ""))


OBJECTS["xmlrpc.client.ServerProxy"] = OBJECTS["xmlrpc.client.Server"] = _called_there

_LIBRARIES = (
    "discord_webhook.DiscordWebhook",
    "github.InputFileContent",
    "paho.mqtt.publish.multiple",
    "paho.mqtt.publish.single",
    "pycurl.Curl().setopt",
    "sentry_sdk.capture_message",
)


@model(*_LIBRARIES)
def _handed_over(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """A library sends what it is given, to a place that it was told before, or is told here."""
    url = call.arg(-1, "url", "hostname")
    frame.can_reach(url, call.node)
    slots = {f"body {index}": value for index, value in enumerate(call.args)}
    slots |= {f"body {key}": value for key, value in call.keywords.items() if key not in ("url", "hostname")}
    frame.hit(SinkKind.SEND, name, call.node, {"url": url, **slots}, "library")
    return default(call, name)


def _host_of(call: EvaluatedCall) -> PyValue:
    return dict(call.receiver.parts).get("@host", NOTHING)


def _on_connection(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """Sending over something connected before."""
    from sluicegate.vet.inspect.analyzers.pyflow.models.files import read_mask

    host = _host_of(call)
    last = name.rpartition(".")[2]
    slots = {"url": host if last != "request" else PyValue(host.mask | call.arg(1, "url").mask, host.texts)}
    given = call.args[2:3] if last == "request" else call.args
    for index, value in enumerate(given):
        mask = read_mask(frame, call, value) if last == "put" and value.texts and index == 0 else 0
        slots[f"body {index}"] = value._replace(mask=value.mask | mask)
    for key, value in call.keywords.items():
        slots["headers" if key == "headers" else f"body {key}"] = value
    if last in ("login", "auth"):
        return NOTHING
    frame.hit(SinkKind.SEND, name.replace("()", ""), call.node, slots)
    return response(frame, call, host, name.replace("()", ""))


for _name in ("http.client.HTTPSConnection", "http.client.HTTPConnection"):
    TABLE[f"{_name}().request"] = _on_connection
for _name, _calls in {
    "smtplib.SMTP": ("sendmail", "send_message"), "smtplib.SMTP_SSL": ("sendmail", "send_message"),
    "ftplib.FTP": ("storbinary", "storlines"),
    "ftplib.FTP_TLS": ("storbinary", "storlines"), "telnetlib.Telnet": ("write",),
    "paramiko.SSHClient().open_sftp": ("put", "putfo"),
}.items():  # fmt: skip
    for _call in _calls:
        TABLE[f"{_name}().{_call}"] = _on_connection


@model(
    "socket.socket",
    "socket.create_connection",
    "websocket.create_connection",
    "websockets.connect",
    "asyncio.open_connection",
    "websocket.WebSocket",
    "multiprocessing.connection.Client",
)
def _socket(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    host = call.arg(0, "address", "url", "uri", "host") if name != "socket.socket" else NOTHING
    if host.parts:
        host = host.parts[0][1]
    if name not in ("socket.socket", "websocket.WebSocket"):
        frame.can_reach(host, call.node)
        frame.hit(SinkKind.CONNECT, name, call.node, {"url": host})
    return PyValue(
        frame.site(SourceKind.SOCKET, name, call.node), (), ("socket.socket()",), (("@host", host),)
    )


@method_model("connect", "connect_ex")
def _connect(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    address = call.arg(0, "address", "host", "hostname")
    host = address.parts[0][1] if address.parts else address
    if "socket.socket()" in call.receiver.refs:
        frame.can_reach(host, call.node)
        frame.hit(SinkKind.CONNECT, "socket.connect", call.node, {"url": host})
        if isinstance(call.node.func, ast.Attribute) and host.texts:
            absorb(frame, call.node.func.value, "@host", host)
        return NOTHING
    if call.name == "connect" and "paramiko.SSHClient()" in call.receiver.refs:
        frame.can_reach(host, call.node)
    return tainted(call.mask | call.receiver.mask)


@method_model("sendall", "sendto", "send", "send_json", "send_text", "sendmail", "send_message",
    "storbinary", "upload_file", "put_object", "upload_fileobj",
              "upload_from_filename", "upload_from_string", "upload_blob", "files_upload", "files_upload_v2",
              "chat_postMessage", "send_document", "putfo", "publish")  # fmt: skip
def _send(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """Sending through an object of an unknown library."""
    from sluicegate.vet.inspect.analyzers.pyflow.models.files import read_mask

    host = _host_of(call)
    slots: dict[str, PyValue] = {"url": host}
    arguments = [*enumerate(call.args), *call.keywords.items()]
    for key, value in arguments:
        mask = value.mask
        if "upload" in call.name and value.texts:
            mask |= read_mask(frame, call, value)
        slots[f"body {key}"] = value._replace(mask=mask)
    if "socket.socket()" in call.receiver.refs or host.texts:
        frame.can_reach(host, call.node)
        slots["url"] = host
        frame.hit(SinkKind.SEND, f"socket.{call.name}", call.node, slots)
    elif call.name not in ("send", "publish") or not isinstance(call.node.func, ast.Attribute):
        frame.can(capabilities.net("*"), call.node)
        frame.hit(SinkKind.SEND, call.name, call.node, slots, "library")
    return tainted(call.receiver.mask)


@method_model("accept")
@quiet
def _accept(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    """A connection that somebody else has begun, and where it comes from."""
    if "socket.socket()" not in call.receiver.refs:
        return tainted(call.receiver.mask)
    connection = PyValue(call.receiver.mask, (), ("socket.socket()",))
    return PyValue(call.receiver.mask, (), (), (("", connection), ("", NOTHING)))


@method_model("recv", "recvfrom", "recv_into", "makefile", "iter_content", "iter_lines")
@quiet
def _receive(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    if "socket.socket()" in call.receiver.refs:
        return PyValue(frame.site(SourceKind.NETWORK, f"socket.{call.name}", call.node))
    return tainted(call.receiver.mask)


@model(
    "socket.gethostbyname",
    "socket.getaddrinfo",
    "socket.gethostbyname_ex",
    "dns.resolver.resolve",
    "dns.resolver.query",
    "dns.resolver.Resolver().resolve",
)
def _lookup(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    host = call.arg(0, "host", "qname")
    frame.can_reach(host, call.node)
    frame.hit(SinkKind.LOOKUP, name, call.node, {"url": host})
    return PyValue(frame.site(SourceKind.NETWORK, name, call.node)) if name.startswith("dns") else NOTHING


@model("webbrowser.open", "webbrowser.open_new", "webbrowser.open_new_tab")
def _browser(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    url = call.arg(0, "url")
    if url.texts and all(t.startswith(("http", "*")) for t in url.texts):
        frame.can_reach(url, call.node)
    frame.hit(SinkKind.SEND, name, call.node, {"url": url}, "browser")
    return NOTHING


def _boto(frame: UnitRun, call: EvaluatedCall, name: str) -> PyValue:
    frame.can("net:*.amazonaws.com", call.node)
    return default(call, name)


PREFIXES += [("boto3.client", _boto), ("boto3.resource", _boto)]

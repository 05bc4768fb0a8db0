"""Downloads over real TLS, from a server on this machine with a certificate made for the test."""

import itertools
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from sluicegate.vet.errors import SourceError
from sluicegate.vet.intake import download as downloads
from sluicegate.vet.intake.deadline import Deadline
from sluicegate.vet.intake.download import download, is_public, repository_url
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.repositories.clone import fetch
from sluicegate.vet.intake.targets import Repository

OPENSSL = shutil.which("openssl")
pytestmark = pytest.mark.skipif(OPENSSL is None, reason="no openssl to make a certificate with")
REFERENCES = "/info/refs?service=git-upload-pack"
BODY = b"---\nname: notes\ndescription: x\n---\n" * 100


@dataclass(frozen=True)
class Served:
    port: int
    trusted: ssl.SSLContext

    def url(self, path: str, host: str = "localhost") -> str:
        return f"https://{host}:{self.port}{path}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path.startswith("/drip"):
            self.drip()
            return
        plain = {
            "/skill": (200, BODY),
            f"/new{REFERENCES}": (200, BODY),
            "/missing": (404, b"no"),
            "/short?key=4711": (200, BODY),
        }
        status, body = plain.get(self.path, (302, b""))
        self.send_response(status)
        if status == 302:
            places = {
                "/moved": "/skill",
                "/plain": "http://localhost/skill",
                "/loop": "/loop",
                "/port": "https://x:99999/",
                f"/old{REFERENCES}": f"/new{REFERENCES}",
                f"/inward{REFERENCES}": f"https://10.0.0.7/x{REFERENCES}",
                f"/named{REFERENCES}": f"https://inner.example.com/x{REFERENCES}",
                f"/page{REFERENCES}": "/skill",
            }
            self.send_header("Location", places[self.path])
        self.send_header("Content-Length", str(len(body) + 7 * self.path.startswith("/short")))
        self.end_headers()
        self.wfile.write(body)

    def drip(self) -> None:
        """An answer that never ends: in its headers, or in its body."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
        if self.path == "/drip/body":
            self.wfile.write(b"x\r\n\r\n")
        try:
            while True:
                self.wfile.write(b"x")
        except OSError:
            pass

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("tls")
    key, certificate = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        [
            str(OPENSSL), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            "-keyout", str(key), "-out", str(certificate),
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.socket = context.wrap_socket(http.socket, server_side=True)
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    yield Served(http.server_address[1], ssl.create_default_context(cafile=str(certificate)))
    http.shutdown()
    http.server_close()
    thread.join()


def test_a_file_also_after_a_redirect(server: Served) -> None:
    for path in ("/skill", "/moved"):
        assert download(server.url(path), 1 << 20, private=True, context=server.trusted) == BODY


def test_the_size_is_bounded(server: Served) -> None:
    with pytest.raises(SourceError, match="larger than 100 bytes"):
        download(server.url("/skill"), 100, private=True, context=server.trusted)


@pytest.mark.parametrize(
    ("path", "says"),
    [("/missing", "404"), ("/plain", "not https"), ("/loop", "redirects too often"), ("/port", "not a URL")],
)
def test_what_is_refused(server: Served, path: str, says: str) -> None:
    with pytest.raises(SourceError, match=says):
        download(server.url(path), 1 << 20, private=True, context=server.trusted)


def test_an_unknown_certificate_and_a_wrong_name_are_refused(server: Served) -> None:
    with pytest.raises(SourceError, match="cannot download"):
        download(server.url("/skill"), 1 << 20, private=True)
    with pytest.raises(SourceError, match="cannot download"):
        download(server.url("/skill", "127.0.0.1"), 1 << 20, private=True, context=server.trusted)


def test_a_private_address_is_refused_before_anything_is_sent(server: Served) -> None:
    with pytest.raises(SourceError, match="private address"):
        download(server.url("/skill"), 1 << 20, context=server.trusted)


def test_a_body_that_breaks_off_is_refused_and_a_key_is_not_shown(server: Served) -> None:
    with pytest.raises(SourceError, match="breaks off 7 bytes before its end") as caught:
        download(server.url("/short?key=4711"), 1 << 20, private=True, context=server.trusted)
    assert "4711" not in str(caught.value)


@pytest.mark.parametrize("where", ["headers", "body"])
def test_a_server_that_drips_is_given_up(server: Served, where: str) -> None:
    clock = itertools.count(0.0, 1.0).__next__  # a second for each look at it
    with pytest.raises(SourceError, match="took longer than 20 seconds"):
        download(
            server.url(f"/drip/{where}"),
            1 << 20,
            within=20,
            clock=clock,
            private=True,
            context=server.trusted,
        )


@pytest.fixture
def loopback_is_public(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server of the test stands for one on the internet; every other address is what it is."""
    monkeypatch.setattr(downloads, "is_public", lambda address: address == "127.0.0.1" or is_public(address))


@pytest.mark.usefixtures("loopback_is_public")
def test_redirects_of_a_repository_are_followed_to_checked_addresses(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = socket.getaddrinfo

    def resolve(host: str, *words: object, **more: object) -> object:
        return found("10.1.2.3" if host == "inner.example.com" else host, *words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)

    def asked(path: str) -> str:
        deadline = Deadline(60, itertools.count().__next__)
        return repository_url(server.url(path), deadline, context=server.trusted)

    assert asked("/old") == server.url("/new")
    assert asked("/new/") == server.url("/new")
    for path, says in (("/inward", "10.0.0.7"), ("/named", "10.1.2.3"), ("/page", "not a repository")):
        with pytest.raises(SourceError, match=says):
            asked(path)


def test_git_does_not_follow_where_the_check_does_not(server: Served, tmp_path: Path) -> None:
    meant = Repository(url=server.url("/page"), ref="", folder="", name="x")
    with pytest.raises(SourceError, match="not a repository"):
        fetch(meant, tmp_path / "bare", Limits(), private=True, context=server.trusted)
    assert not (tmp_path / "bare").exists()

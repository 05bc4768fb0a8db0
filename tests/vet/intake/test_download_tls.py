"""Downloads over real TLS, from a server on this machine with a certificate made for the test."""

import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from sluicegate.vet.errors import SourceError
from sluicegate.vet.intake.download import download

OPENSSL = shutil.which("openssl")
pytestmark = pytest.mark.skipif(OPENSSL is None, reason="no openssl to make a certificate with")
BODY = b"---\nname: notes\ndescription: x\n---\n" * 100


@dataclass(frozen=True)
class Served:
    port: int
    trusted: ssl.SSLContext

    def url(self, path: str, host: str = "localhost") -> str:
        return f"https://{host}:{self.port}{path}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        plain = {"/skill": (200, BODY), "/missing": (404, b"no"), "/short?key=4711": (200, BODY)}
        status, body = plain.get(self.path, (302, b""))
        self.send_response(status)
        if status == 302:
            places = {
                "/moved": "/skill",
                "/plain": "http://localhost/skill",
                "/loop": "/loop",
                "/port": "https://x:99999/",
            }
            self.send_header("Location", places[self.path])
        self.send_header("Content-Length", str(len(body) + 7 * self.path.startswith("/short")))
        self.end_headers()
        self.wfile.write(body)

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
    [("/missing", "404"), ("/plain", "not https"), ("/loop", "redirects too often"), ("/port", "no URL")],
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

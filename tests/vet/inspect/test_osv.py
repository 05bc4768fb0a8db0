"""Known vulnerabilities: a real HTTP server on loopback answers in the shapes that the service uses."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect import catalogue, osv
from sluicegate.vet.inspect.osv import HttpService, OsvAnalyzer
from sluicegate.vet.inspect.rule import Inspected, Subject
from sluicegate.vet.intake.bundle import Artifact, Bundle
from sluicegate.vet.intake.content.kinds import classify
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derive import derive_views
from sluicegate.vet.verdict.types import GapReason, Severity

KNOWN = {
    ("PyPI", "known-weak", "1.0.0"): ["GHSA-aaaa"],
    ("npm", "known-bad", "2.0.1"): ["MAL-2026-1", "GHSA-aaaa"],
    ("npm", "@scope/old", "0.1.0"): ["GHSA-gone"],
    ("PyPI", "locked", "3.1.4"): ["PYSEC-2026-9"],
}
ADVISORIES = {
    "GHSA-aaaa": {"id": "GHSA-aaaa", "summary": "Reads too far.", "database_specific": {"severity": "HIGH"}},
    "MAL-2026-1": {"id": "MAL-2026-1", "summary": "Malicious code."},
    "GHSA-gone": {"id": "GHSA-gone", "withdrawn": "2026-01-01T00:00:00Z"},
    "PYSEC-2026-9": {"id": "PYSEC-2026-9", "severity": [{"type": "CVSS_V3", "score": "CVSS:3.1/AV:N"}]},
}


class Advisories(BaseHTTPRequestHandler):
    """Answers like the service; a path below /broken or /refuse fails in that way."""

    asked: list[list[tuple[str, str, str]]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.startswith("/refuse"):
            self.answer(503, b"later")
            return
        if self.path.startswith("/turn"):
            self.send_response(307)
            self.send_header("Location", "/v1/querybatch")
            self.end_headers()
            return
        keys = [(q["package"]["ecosystem"], q["package"]["name"], q["version"]) for q in body["queries"]]
        self.asked.append(keys)
        found = [{"vulns": [{"id": i, "modified": ""} for i in KNOWN[k]]} if k in KNOWN else {} for k in keys]
        if self.path.startswith("/short"):
            found = found[1:]
        self.answer(200, b"{" if self.path.startswith("/broken") else json.dumps({"results": found}).encode())

    def do_GET(self) -> None:
        self.answer(200, json.dumps(ADVISORIES[self.path.rpartition("/")[2]]).encode())

    def answer(self, code: int, data: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def service() -> Iterator[tuple[str, list[list[tuple[str, str, str]]]]]:
    asked: list[list[tuple[str, str, str]]] = []
    handler = type("Handler", (Advisories,), {"asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


def subject(files: dict[str, str]) -> Subject:
    made = [
        Artifact(path=path, data=text.encode(), mode=0o644, kind=classify(path, text.encode(), 0o644).kind)
        for path, text in sorted(files.items())
    ]
    bundle = Bundle(name="sample", root="", artifacts=tuple(made), gaps=(), anomalies=())
    return Subject(bundle=bundle, views=derive_views(bundle, Limits()).views)


def look(files: dict[str, str], path: str = "") -> tuple[Inspected, list[list[tuple[str, str, str]]]]:
    with service() as (address, asked):
        return OsvAnalyzer(HttpService(address=address + path)).inspect(subject(files)), asked


def test_pinned_packages_are_looked_up_in_one_question() -> None:
    seen, asked = look(
        {
            "requirements.txt": "known-weak==1.0.0\nloose>=2\nfine==4.5.6\n",
            "package.json": '{"dependencies": {"known-bad": "2.0.1", "@scope/old": "0.1.0", "wide": "^1.0.0"}}',
        }
    )
    assert asked == [
        [
            ("PyPI", "fine", "4.5.6"),
            ("PyPI", "known-weak", "1.0.0"),
            ("npm", "@scope/old", "0.1.0"),
            ("npm", "known-bad", "2.0.1"),
        ]
    ]
    assert not seen.gaps
    assert {(m.evidence, m.severity) for m in seen.matches} == {
        ("known-weak 1.0.0: GHSA-aaaa", Severity.MEDIUM),
        ("known-bad 2.0.1: GHSA-aaaa, MAL-2026-1", Severity.CRITICAL),
    }


def test_lock_files_and_commands_count() -> None:
    lock = {"lockfileVersion": 3, "packages": {"node_modules/a/node_modules/known-bad": {"version": "2.0.1"}}}
    seen, asked = look(
        {
            "uv.lock": 'version = 1\n\n[[package]]\nname = "locked"\nversion = "3.1.4"\n',
            "package-lock.json": json.dumps(lock),
            "SKILL.md": "# Use\n\n```bash\npip install known-weak==1.0.0\n```\n",
        }
    )
    assert [key[1] for key in asked[0]] == ["known-weak", "locked", "known-bad"]
    assert sorted(m.evidence.split()[0] for m in seen.matches) == ["known-bad", "known-weak", "locked"]


def test_nothing_pinned_asks_nothing() -> None:
    seen, asked = look({"requirements.txt": "loose\n"})
    assert not seen.matches and not seen.gaps and not asked


def test_no_answer_is_a_gap() -> None:
    pinned = {"requirements.txt": "known-weak==1.0.0\n"}
    for path in ("/refuse", "/broken", "/short", "/turn"):
        seen, _ = look(pinned, path)
        assert not seen.matches, path
        assert [gap.reason for gap in seen.gaps] == [GapReason.ANALYSIS_FAILED], path
    with service() as (address, _):
        gone = address
    seen = OsvAnalyzer(HttpService(address=gone, timeout=2.0)).inspect(subject(pinned))
    assert [gap.reason for gap in seen.gaps] == [GapReason.ANALYSIS_FAILED]
    assert "127.0.0.1" not in seen.gaps[0].detail


def test_answers_are_kept_for_the_next_skill() -> None:
    with service() as (address, asked):
        analyzer = OsvAnalyzer(HttpService(address=address))
        first = analyzer.inspect(subject({"requirements.txt": "known-weak==1.0.0\n"}))
        second = analyzer.inspect(subject({"requirements.txt": "known-weak==1.0.0\n"}))
    assert len(asked) == 1
    assert [m.evidence for m in first.matches] == [m.evidence for m in second.matches]


def test_what_is_beyond_the_limit_is_a_gap() -> None:
    many = "".join(f"package-{n}==1.0.{n}\n" for n in range(osv.PACKAGES + 5))
    # Two thousand lines of one requirements file are read; a second file goes beyond the limit.
    seen, asked = look({"requirements.txt": many, "dev-requirements.txt": "another==1.0.0\n"})
    assert sum(map(len, asked)) == osv.PACKAGES
    assert [gap.reason for gap in seen.gaps] == [GapReason.ANALYSIS_LIMIT]


def test_the_network_is_asked_only_when_the_configuration_says_so() -> None:
    def names(config: ScanConfig) -> set[str]:
        return {type(analyzer).__name__ for analyzer in catalogue.build_analyzers(config)}

    assert "OsvAnalyzer" not in names(ScanConfig())
    assert "OsvAnalyzer" in names(ScanConfig(online=True))
    assert "vulnerable-dependency" in catalogue.rules()

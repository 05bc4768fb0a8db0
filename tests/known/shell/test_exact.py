"""The exact reading of shell text: what it tells, what it marks, and that no shell runs anything else."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shell_samples import PROGRAMS, Programs

from sluicegate.known.shell.exact import Exact
from sluicegate.known.shell.script import Script, ScriptCommand

_SHELLS = [name for name in ("dash", "bash") if shutil.which(name)]


def commands(text: str) -> list[str]:
    """The commands of a text that has no marks, each with what it is given."""
    script = Exact(text).read()
    assert script.marks == []
    return [shown(each) for each in script.commands]


def shown(command: ScriptCommand) -> str:
    words = [f"{name}=" for name, _ in command.assigns] + command.words
    words += [f"{each.operator}{each.word.literal}" for each in command.redirects]
    return " ".join(words if command.kind == "simple" else [f"<{command.kind}>", *words])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a 'b c' \"d\" e\\ f", ["a b c d e f"]),
        ("cat <<E\nx $(b)\nE\nc", ["cat <<x $(b)\n", "b", "c"]),
        ("cat <<'E'\n$(b)\nE", ["cat <<$(b)\n"]),
        ("cat <<-E\n\tx\n\tE\nb", ["cat <<\tx\n", "b"]),
        ("case $(a) in x|'y z') b;; (*) c; esac; d", ["a", "b", "c", "<group>", "d"]),
        ("f() { a; }; function g { b; }; f", ["a", "b", "f"]),
        ("f() (a)\nb", ["a", "b"]),
        ("for i in x $(a) y; do b $i; done > f", ["a", "<for> i in x  y", "b $i", "<group> >f"]),
        ("select i in x\ndo a\ndone", ["<for> i in x", "a", "<group>"]),
        ("[[ -n $a ]] && b", ["[[ -n $a ]]", "b"]),
        ("a <(b) >(c)", ["b", "c", "a /dev/fd/0 /dev/fd/0"]),
        ("A=(x $(a)) B=1 b", ["a", "<array> x ", "A= B= b"]),
        ("a &> f; b 2>&1 &>> g", ["a &>f", "b >&1 &>>g"]),
        ("a `b \\`c\\``", ["c", "b ", "a "]),
        ("a ${b:-c} \"${d##*/}\" ${#e}", ["a $b $d $#e"]),
        ("if (a) then b; elif c; then d; fi", ["a", "<group>", "b", "c", "d", "<group>"]),
        ("a\u00a0b c\rd", ["a\u00a0b c\rd"]),
        ("dd of=~/x ~ a~", ["dd of=~/x ~ a~"]),
        ("while read x; do a; done < f | b", ["read x", "a", "<group> <f", "b"]),
        ("# a\nb # c\n", ["b"]),
        ("", []),
    ],
)  # fmt: skip
def test_what_is_certain_is_read(text: str, expected: list[str]) -> None:
    assert commands(text) == expected


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a 'b", "quote '"), ('a "b', 'quote "'), ("a `b", "backquote"), ("a $(b", "'('"), ("(a", "'('"), ("a)", "')'"), ("{ a", "'{'"), ("if a; then b", "'if'"), ("a; fi", "fi without"), ("a }", "brace among"),
        ("a {b,c}", "brace expansion"), ("a $'b'", "before a quote"), ("a $\"b\"", "before a quote"), ("a ${b:=c}", "rules of its own"), ("a ${!b}", "rules of its own"), ("a ${b@P}", "rules of its own"), ("a ${b:-$(c)}", "rules of its own"),
        ("a $((b))", "arithmetic"), ("((a))", "arithmetic"), ("a $[b]", "rules of its own"), ("a(b)", "bracket"), ("a @(b|c)", "bracket"), ("a <<E\nb", "does not end"), ("a $(b <<E)\nE", "another list"), ("a <<$E\n$E\n", "not plain"),
        ("a\\\nb", "goes on inside"), ("a &\\\n& b", "goes on inside"), ("a \"$\\\nb\"", "goes on inside"), ("a\0b", "NUL"), ("a \\", "backslash"), ("a &> f b", "'&>'"), ("a;; b", "';;'"), ("case a in b) c;& d) e;; esac", ";&"),
        ("case a\nin b) c;; esac", "without in"), ("case a in $b) c;; esac", "pattern"), ("[[ a && b ]]", "inside [["), ("[[ a\n]]", "[["), ("a >", "without a file"), ("a > | b", "without a file"), (">f if a", "after a redirection"),
        ("(a) b", "after a group"), ("a-b/c() { d; }", "not plain"), ("for i do a; done", "without in"), ("a <<E\n`b\nE", "backquote"), ("$(" * 50 + "a" + ")" * 50, "too deep"), ("A=(b > c)", "array"),
    ],
)  # fmt: skip
def test_what_is_not_certain_is_marked(text: str, what: str) -> None:
    marks = Exact(text).read().marks
    assert any(what in each.what for each in marks), marks


def test_parts_of_words_tell_what_stands_for_others() -> None:
    (command,) = Exact("a x*\"$b\"$c~ ~/d '*'").read().commands
    parts = [[(p.kind, p.written or p.text, p.quoted) for p in word.parts] for word in command.woven.values()]
    assert parts == [
        [("lit", "a", False)],
        [
            ("lit", "x", False),
            ("glob", "*", False),
            ("lit", "", False),
            ("var", "$b", True),
            ("var", "$c", False),
            ("lit", "~", False),
        ],
        [("home", "~", False), ("lit", "/d", False)],
        [("lit", "*", False)],
    ]


def test_what_stands_behind_a_command_is_told() -> None:
    found = Exact("a && b | c |& d; (e || f) & g\nh").read().commands
    told = [(each.words[0] if each.words else "", each.after) for each in found]
    assert told == [
        ("a", "&&"), ("b", "|"), ("c", "|&"), ("d", ";"), ("e", "||"), ("f", ""), ("", "&"), ("g", "\n"), ("h", ""),
    ]  # fmt: skip


TEXT = st.text(alphabet="ab \t;|&(){}<>$`'\"\\#\n=*?[]~!-1E\0", max_size=60)


@given(TEXT)
def test_every_text_is_read_to_its_end(text: str) -> None:
    script = Exact(text).read()
    assert all(0 <= each.start <= len(text) and each.what for each in script.marks)
    assert script.marks == sorted(script.marks)


def _names(script: Script) -> set[str]:
    return {each.words[0] for each in script.commands if each.kind == "simple" and each.words}


_UNREADABLE = frozenset({"eval", ".", "builtin", "coproc", "trap", "source", "command", "alias"})
"""Words whose arguments are run: what they run is for whoever asks what programs do."""


@pytest.mark.skipif(not _SHELLS or os.name != "posix", reason="needs a shell to run")
@pytest.mark.parametrize("seed", range(4))
def test_real_shells_run_and_write_nothing_that_was_not_read(tmp_path, seed) -> None:
    """Programs that write down that they ran; ``f`` and ``g`` are the files that are written."""
    folder, log, here = tmp_path / "bin", tmp_path / "log", tmp_path / "here"
    folder.mkdir()
    for name in PROGRAMS:
        (folder / name).write_text(f'#!{shutil.which("sh")}\necho {name} >> "{log}"\n')
        (folder / name).chmod(0o755)
    samples, ran = Programs(20261123 + seed), 0
    for number in range(400):
        text = samples.one()
        script = Exact(text).read()
        found = [each for each in script.commands if each.kind == "simple" and each.words]
        if script.marks or "&" in text.replace("&&", "") or len(text) > 500:
            continue
        if any(each.woven[0].text is None or each.words[0] in _UNREADABLE for each in found):
            continue
        if not _names(script) & set(PROGRAMS):
            continue
        shutil.rmtree(here, ignore_errors=True)
        (here / "d").mkdir(parents=True)
        log.write_text("")
        subprocess.run(
            [shutil.which(_SHELLS[number % len(_SHELLS)]) or "", "-c", text],
            cwd=here, input=b"x\n", env={"PATH": str(folder)}, capture_output=True, timeout=20, check=False,
        )  # fmt: skip
        names = set(log.read_text().split())
        assert names <= _names(script), text
        targets = {e.word.literal for each in script.commands for e in each.redirects if e.operator != "<<"}
        assert {path.name for path in here.rglob("*") if path.is_file()} <= targets, text
        ran += bool(names)
    assert ran > 40

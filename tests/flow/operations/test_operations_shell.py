"""Reading shell code: what is found, what is refused, and that no shell runs anything else."""

from __future__ import annotations

import os
import random
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import Programs
from sluicegate.flow.operations.commands.command import define
from sluicegate.flow.operations.commands.template import CommandTemplate
from sluicegate.flow.operations.commands.words import literal
from sluicegate.flow.operations.expansions import ShellSurroundings
from sluicegate.flow.operations.shell import LONGEST, read


def commands(code: str) -> list[list[str]]:
    return [[str(word) for word in each.words] for each in read(code, where="sh")]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a b 'c d' \"e f\" g\\ h", [["a", "b", "c d", "e f", "g h"]]),
        ("a; b & c && d || e | f |& g\nh", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"], ["h"]]),
        ("a # b\nc #", [["a"], ["c"]]),
        ("a \\\n b && \\\nc", [["a", "b"], ["c"]]),
        ("A=1 B='x y' a", [["a"]]),
        ("A=1", []),
        ("A=$(b)", [["b"]]),
        ("(a; b) | { c; d; }", [["a"], ["b"], ["c"], ["d"]]),
        ("if a; then b; elif c; then d; else e; fi", [["a"], ["b"], ["c"], ["d"], ["e"]]),
        ("while a; do b; done; until c; do d; done", [["a"], ["b"], ["c"], ["d"]]),
        ("for i in x $(y) z; do a \"$i\"; done", [["y"], ["a", "x"], ["a", "$(y)"], ["a", "z"]]),
        ("for i; do a; done", [["a"]]),
        ("! a; time b", [["a"], ["b"]]),
        ("a $b \"$c\" ${d} $1 \"$@\" $?", [["a", "$b", "$c", "${d}", "$1", "$@", "$?"]]),
        ("a $(b $(c)) `d`", [["c"], ["b", "$(c)"], ["d"], ["a", "$(b $(c))", "`d`"]]),
        ("a \"x $(b) y\"", [["b"], ["a", "x $(b) y"]]),
        ("a $((1 + 2))", [["a", "$((1 + 2))"]]),
        ("a *.py ./x? ~/y", [["a", "*.py", "./x?", "~/y"]]),
        ("[ -f x ] && a", [["[", "-f", "x", "]"], ["a"]]),
        ("exec a b", [["a", "b"]]),
        ("command -- a b; command -v c", [["a", "b"]]),
        ("cd ./x && a && b | c", [["a"], ["b"], ["c"]]),
        (":; export A=1; set -e; read x; exit 0", []),
        ("a 2>&1 >/dev/null <&-", [["a"]]),
        ("a 'if' then", [["a", "if", "then"]]),
        ("'if' a", [["if", "a"]]),
        ("a\t\tb", [["a", "b"]]),
        ("a '$b' \"\\$c\" \\$d 5$", [["a", "$b", "$c", "$d", "5$"]]),
        ("f() { a; }; f; function g { b; }", [["a"], ["f"], ["b"]]),
        ("case $(a) in b) c;; (d|'e f') g;; esac", [["a"], ["c"], ["g"]]),
        ("select x in $(a); do b; done", [["a"], ["b"]]),
        ("[[ -n $(a) ]] && b", [["a"], ["b"]]),
        ("a <<E && b\n$(c)\nE\nd", [["a"], ["b"], ["c"], ["d"]]),
        ("a <<'E'\n$(c)\nE", [["a"]]),
        ("a <(b) >(c)", [["b"], ["c"], ["a", "/dev/fd/0", "/dev/fd/0"]]),
        ("a ${b:-c} \"${d##*/}\"", [["a", "${b:-c}", "${d##*/}"]]),
        ("A=(b $(c))", [["c"]]),
        ("(cd ./x && a); b", [["a"], ["b"]]),
        ("exec alias x", [["alias", "x"]]),
    ],
)  # fmt: skip
def test_simple_code_is_read_into_its_commands(code, expected):
    assert commands(code) == expected


@pytest.mark.parametrize(
    "code", ["cd x && a", "cd 'x y' && cd z && a", "(cd .x && a); b", "cd x/../y && a | b"]
)
def test_without_cdpath_cd_leads_below(code):
    found = read(code, where="sh", plain_cd=True)
    assert all(each.chdirs for each in found if each.words[0].text == "a")
    for around in (None, ShellSurroundings({"CDPATH": "/else"}, "/work")):
        with pytest.raises(CommandError, match="CDPATH"):
            read(code, where="sh", around=around)


@pytest.mark.parametrize(
    "code",
    [
        "cd -x && a",
        "cd +1 && a",
        "cd '' && a",
        "cd x y && a",
        "cd $x && a",
        "cd x; a",
        "CDPATH=/y; cd x && a",
        "CDPATH=/y cd x && a",
        "cdpath=(/y); cd x && a",
        "export CDPATH=/y && cd x && a",
        "env CDPATH=/y sh -c 'cd x && a'",
    ],
)
def test_what_may_lead_elsewhere_even_so_is_refused(code):
    words = tuple(map(literal, ("sh", "-c", code.replace(" a", " ls"))))
    with pytest.raises(CommandError):
        define(CommandTemplate(code, (words,), ()), programs=Programs(unset=frozenset({"CDPATH"})), cwd="/")


@pytest.mark.parametrize(
    ("code", "redirections"),
    [("a > x 2>> y < z", [("w", "x"), ("w", "y"), ("r", "z")]), ("> x", [("w", "x")]), ("a >| x", [("w", "x")]), ("a <> x", [("r", "x"), ("w", "x")]),
     ("a <<< x", []), ("a 2>&1", []), ("a >& x", [("w", "x")]), ("a &> x 2>&1", [("w", "x")]), ("a &>> x", [("w", "x")]), ("{ a; } > x", [("w", "x")]), ("cd ./y > x && a", [("w", "x")]), ("a > \"$x\"", [("w", "$x")])],
)  # fmt: skip
def test_redirections_are_read(code, redirections):
    found = read(code, where="sh")
    assert [(mode, str(word)) for each in found for mode, word in each.redirections] == redirections


@pytest.mark.parametrize(
    "code",
    [
        "eval a", ". a", "source a", "alias a=b", "trap a EXIT", "((a))",
        "a {b,c}", "a $'b'", "a $((b))", "a $[1]", "cd x && a", "cd ./x; a", "cd ./x || a", "cd \"$x\" && a", "cd - && a", "cd", "cd ./x && a; b", "pushd x",
        "PATH=x a", "export PATH=x", "LD_PRELOAD=x a", "IFS=x", "ENV=x sh", "read PATH", "export \"$x\"", "unset \"$x\"", "for PATH in x; do a; done", "enable -f a b", "builtin a", "mapfile -C a b", "shopt -s x", "exec -a b c",
        "'a", "\"a", "`a", "$(a", "(a", "a)", "a 'b' \"c", "a;; b", "coproc a", "{ true } always { a }", "a }", "a\\\nb", "rm $\\\nA", "a \"$\\\nA\"", "let x", "declare x", "hash -p /x a", "bind -x a",
        "a | cd ./x && b", "! cd ./x && a", "f() { a; }; cd ./x && f", "cd() { :; }", "if cd ./x; then a; fi", "{ cd ./x && a; }", "printf -v PATH x", "test -v 'a[$(b)]'", "[ -v a ]", "jobs -x a", "wait -p A", "wait \"$A\"", "unset 'a[$(b)]'", "read 'a[$(b)]'", "[[ $a -eq 1 ]]", "[[ -v $a ]]", "a &> x b", "cd ./x && a &> y", "command eval a",
    ],
)  # fmt: skip
def test_code_that_is_not_read_is_refused(code):
    with pytest.raises(CommandError) as caught:
        found = read(code, where="sh")
        assert not any(word.text is None for each in found for word in each.words[:1]), found
    assert caught.value.hint


INDEX = "z[$(a)0]"
"""A text that runs a command where a shell works it out as a number."""


@pytest.mark.parametrize(
    "code",
    [
        "y=(['IDX']=1)", "y=(\"[IDX]\"=1)", "y=([a]=1)", "BASH_CMDS=([git]=./a)", "BASH_CMDS=(git ./a)", "BASH_ALIASES=(a b)", "commands=(git ./a)", "functions=(git a)", "aliases=(git a)",
        "f() { local -i x='IDX'; }; f", "f() { local -i x; x='IDX'; }", "f() { local -n r=PATH; r=a; }", "f() { local -a x='($(a))'; }", "readonly -a x='($(a))'", "readonly -A x='($(a))'", "export -f f", "nameref x=PATH", "integer x='IDX'", "typeset -i x",
        *(f"{name}='IDX'" for name in ("RANDOM", "SRANDOM", "OPTIND", "HISTCMD", "SECONDS", "COLUMNS", "LINES", "TMOUT", "BASHPID", "PPID")), "OPTIND=$x", "OPTIND=a", "read OPTIND", "for RANDOM in a; do b; done", "export COLUMNS='IDX'", "readonly SECONDS=a", "OPTIND=(a)", "f() { local RANDOM='IDX'; }",
        "set -k; git PATH=a", "set -ek", "set -o keyword", "set -eo keyword", "set -o errexit -o keyword", "set +k", "set -e -k", "set -o posix", "set -A PATH a", "shift 'IDX'", "shift $x", "repeat 1 a", "noglob a", "emulate sh", "setopt aliases", "zmodload x",
        "read -aPATH", "read -a PATH", "read -r PATH", "read -k1 PATH", "NULLCMD=a; > x", "PS0='$(a)'", "a >! x", "a >>! x", "a &>! x",
    ],
)  # fmt: skip
def test_what_some_shell_takes_for_code_is_refused(code):
    with pytest.raises(CommandError):
        read(code.replace("IDX", INDEX), where="sh")


@pytest.mark.parametrize(
    "code",
    ["y=(a 'b c' $d)", "OPTIND=1; SECONDS=0", "COLUMNS=80 a", "set -euo pipefail", "set -eux; set +x", "set -- a b", "set a -k", "set -- -k", "shift; shift 2", "read -r a b", "read -ra a", "read -n1 a",
     "f() { local a b=1; local -r c=2; local OPTIND; }", "unset -v a; unset -f b", "export -n a; export -p", "a > '!x'", "options=(-a -b)", "commands=x"],
)  # fmt: skip
def test_what_every_shell_takes_for_a_value_is_read(code):
    assert [words for words in commands(code) if words != ["a"]] == []


def test_code_has_bounds():
    with pytest.raises(CommandError, match="longer"):
        read("a" * (LONGEST + 1), where="sh")
    with pytest.raises(CommandError, match="changes of directory"):
        read("cd ./x && " * (LONGEST // 10), where="sh")
    with pytest.raises(CommandError, match="deep"):
        read("$(" * 50 + "a" + ")" * 50, where="sh")


@given(st.text(alphabet="ab ;|&(){}<>$`'\"\\#\n=*?[]~!-1", max_size=40))
def test_any_code_is_read_or_refused(code):
    try:
        found = read(code, where="sh")
    except CommandError as error:
        assert error.hint
    else:
        assert all(each.words or each.redirections for each in found)


_PIECES = (
    "aa|bb|cc| | | |\n|;|&|&&|\x00|(|)|{ |; }|$(|`|\"|'|\\|$|#|if |; then |; fi|else |for i in |; do |; done|! |time |case |esac|[ | ]|>|<|>>|2>&1|<<|~|*|A=aa |$A|\"$A\"|"
    "export A=bb;|eval |exec |command |. |alias aa=bb\n|f() { bb; }\n|f|cd ./|cd ./d && |echo |xargs |env |sh -c |\"$@\"|$((1+1))|read A;|trap aa EXIT;|true |\t|\r|\\\n|'aa'|\"bb\"|a\"a\"|nice |aa=bb |!|%"
).split("|")  # fmt: skip
_SHELLS = [name for name in ("dash", "bash") if shutil.which(name)]


@pytest.mark.skipif(not _SHELLS or os.name != "posix", reason="needs a shell to run")
def test_a_real_shell_runs_nothing_that_was_not_found(tmp_path):
    """Random code over small programs that write down that they ran; whatever ran was found, or the code was refused."""
    folder, log, here = tmp_path / "bin", tmp_path / "log", tmp_path / "here"
    folder.mkdir()
    for name in ("aa", "bb", "cc"):
        (folder / name).write_text(f'#!/bin/sh\necho {name} >> "{log}"\n')
        (folder / name).chmod(0o755)
    programs = Programs(
        path=(str(folder), "/usr/bin", "/bin"),
        bins=(str(folder), "/usr/bin", "/bin"),
        roots=("/",),
        untrusted=(),
    )
    choose = random.Random(20261122)
    ran = 0
    for _ in range(3000):
        code = "".join(choose.choice(_PIECES) for _ in range(choose.randint(1, 7))).replace("\0", "||")
        shell = choose.choice(_SHELLS)
        words = tuple(map(literal, (shell, "-c", code)))
        try:
            (stage,) = define(CommandTemplate(code, (words,), ()), programs=programs, cwd=str(here))
        except CommandError:
            continue
        found = {effect.program.basename for effect in stage.effects if effect.program}
        if (
            not found & {"aa", "bb", "cc"}
            or any(effect.program is None for effect in stage.effects)
            or "&" in code
        ):
            continue
        shutil.rmtree(here, ignore_errors=True)
        (here / "d").mkdir(parents=True)
        log.write_text("")
        subprocess.run(
            [shell, "-c", code],
            cwd=here,
            input=b"aa\n",
            capture_output=True,
            timeout=20,
            env={"PATH": f"{folder}:/usr/bin:/bin"},
        )
        assert set(log.read_text().split()) <= found, code
        ran += 1
        if ran == 25:
            break
    assert ran == 25

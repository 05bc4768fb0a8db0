"""What is taken to be known of an expansion is what a shell makes of it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations import shell
from sluicegate.flow.operations.commands.words import ArgumentWord
from sluicegate.flow.operations.expansions import ShellSurroundings

TEXTS = [
    'show ~ ~/x "$HOME/x" ${HOME} "$PWD" x~ "~" ~/"a b"',
    "X=1; show $X; show x$X'$X'\"$X\"",
    "X='a b'; show \"$X\" $X",
    "X='*'; show \"$X\" $X",
    "X=1; X=2; show $X",
    "false && X=1; show _$X",
    "true || X=1; show _$X",
    "X=1 show _$X",
    "if false; then X=1; fi; show _$X",
    "show _$X; X=1",
    "(X=1; show $X); show _$X",
    "for i in 1 2; do show $X; X=$i; done",
    "for i in a b; do show $i; done; show $i",
    'for f in *.py; do show "$f" $f; done',
    'for f in sub/*; do show "$f"; done',
    'for a in 1 2; do for b in x "y z"; do show "$a$b" $b; done; done',
    "f() { show $X; }; X=1; f",
    "X=1; show ${X:-2} ${X%1} ${#X}",
    "X=1; read X <<< 5; show $X",
    "X=1; export X=3; show $X",
    "X=1; unset X; show _$X",
    "X=$HOME/y; show $X",
    'show "$(pwd)" "$PWD" *.py',
    'cd sub && show "$PWD" *.txt',
    'cd sub; show "$PWD" *.txt',
    "show \"$(cat <<'E'\na $HOME\n\nE\n)\"",
    'show "$(cat <<E\na $HOME\nE\n)"',
    "show $OTHER/x",
    "X=a; X+=b; show $X",
    "X=a; export X+=b; show $X",
    "X=a; X=(b c); show $X",
    "X=a; X[0]=b; show $X",
    "for X in a b; do :; done; show $X",
    "X=a; for X in b; do show $X; done; show $X",
    "X=a; while read X; do show $X; done <<< b; show _$X",
    "X=a; { X=b; }; show $X",
    "X=a; (X=b; show $X); show $X",
    "X=a; true | X=b; show $X",
    "X=a & show _$X",
    "X=a; Y=$X; show $Y",
    "X=~; show $X",
    'X="~"; show $X',
    "X=*.py; show $X",
    "X=a; eval_=1; unset -v X; show _$X",
    'for f in ~/x $HOME/y; do show "$f"; done',
    "cd sub && for f in *; do show $f; done",
    "mkdir -p new; cd new; show *; cd ..; show *.py",
    'cd / ; cd; show "$PWD"',
    'for f in $(echo a b)/c; do show "$f"; done',
    "X=a; X[0]+=b; show $X; X[1]=c",
    "HOME_=1; show $HOME_ ${HOME}_",
]


def known(text: str, cwd: Path, home: Path) -> list[tuple[ArgumentWord, ...]]:
    around = ShellSurroundings({"HOME": str(home), "OTHER": "/somewhere"}, str(cwd))
    return [each.words[1:] for each in shell.read(text, where="test", around=around) if each.name == "show"]


def fits(words: tuple[ArgumentWord, ...], given: list[str]) -> bool:
    """Whether a shell may have made these arguments of the words."""
    pattern = ""
    for word in words:
        text = "".join(
            re.escape(part) if isinstance(part, str) else ".*" if part.many else "[^\0]*"
            for part in word.parts
        )
        pattern += (
            f"(?:{text}\0)?"
            if word.many and len(word.parts) == 1
            else f"{text.removeprefix(re.escape('./'))}\0"
        )
    return re.fullmatch(pattern, "".join(f"{each}\0" for each in given), re.S) is not None


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize("text", TEXTS)
def test_what_is_known_is_what_bash_does(tmp_path, text):
    work, home = tmp_path / "work", tmp_path / "home dir"
    for folder in (work / "sub", home):
        folder.mkdir(parents=True)
    for name in ("a.py", "b c.py", "sub/d.txt"):
        (work / name).touch()
    script = f"show() {{ printf '%s\\0' \"$@\"; printf '\\1'; }}\n{text}"
    shown = subprocess.run(
        ["bash", "-c", script], cwd=work, env={"HOME": str(home), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False
    ).stdout  # fmt: skip
    calls = [call.split("\0")[:-1] for call in shown.split("\1")[:-1]]
    read = known(text, work, home)
    for call in calls:
        assert any(fits(words, call) for words in read), (call, read)


def test_a_variable_that_may_not_be_set_in_the_shell_has_two_meanings(tmp_path):
    assert sorted(words[0].text or "" for words in known("show $OTHER/x", tmp_path, tmp_path)) == [
        "/somewhere/x",
        "/x",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "HOME=/x; show ~",
        "cd - && show",
        "cd $X; show",
        "if cd x; then show; fi",
        "cd x | show",
        ": ${X:=7}; show $X",
        "show $((X = 5)) $X",
        "printf -v X 5; show $X",
    ],
)
def test_what_changes_the_ground_is_refused(tmp_path, text):
    with pytest.raises(CommandError):
        known(text, tmp_path, tmp_path)


def test_a_pattern_may_give_an_option_where_such_a_file_lies(tmp_path):
    assert known("show *", tmp_path, tmp_path)[0][0].head == "./"
    assert known("touch ./-rf; show *", tmp_path, tmp_path)[0][0].head == ""
    (tmp_path / "-rf").touch()
    assert known("show *", tmp_path, tmp_path)[0][0].head == ""


def test_nothing_is_known_of_a_shell_that_nobody_speaks_of():
    (found,) = shell.read("show ~ $HOME", where="test")
    assert all(word.text is None for word in found.words[1:])

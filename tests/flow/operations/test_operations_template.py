"""Templates: what is read, what is refused, and that a shell would read the same."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations.commands.template import LONGEST, parse


def words(text: str) -> list[str]:
    (stage,) = parse(text).stages
    return [str(word) for word in stage]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("git status", ["git", "status"]),
        ("  git\t status \n", ["git", "status"]),
        ("git commit -m {message} -- {path}", ["git", "commit", "-m", "{message}", "--", "{path}"]),
        ("git commit -m @message -- @path", ["git", "commit", "-m", "{message}", "--", "{path}"]),
        ('claude -p "@pr.title"', ["claude", "-p", "{pr.title}"]),
        ("echo @name.", ["echo", "{name}."]),
        ("cat {files...}", ["cat", "{files...}"]),
        ("tool {mode:option}", ["tool", "{mode:option}"]),
        ("curl -H 'X: {not}' \"Y: {yes}\"", ["curl", "-H", "X: {not}", "Y: {yes}"]),
        ("git clone git@github.com:a/b", ["git", "clone", "git@github.com:a/b"]),
        ("ssh {user}@example.com", ["ssh", "{user}@example.com"]),
        ("npm i @@scope/pkg", ["npm", "i", "@scope/pkg"]),
        (r"npm i \@scope/pkg", ["npm", "i", "@scope/pkg"]),
        ("echo {{a}}", ["echo", "{a}"]),
        (r"find . -exec rm -- {} \;", ["find", ".", "-exec", "rm", "--", "{}", ";"]),
        ("find . -exec rm -- {} +", ["find", ".", "-exec", "rm", "--", "{}", "+"]),
        ("echo 'a b'\"c d\"e\\ f", ["echo", "a bc de f"]),
        ("echo '' \"\"", ["echo", "", ""]),
        ("echo 'a;b|c&d>e<f$g`h*i?j[k~l#m\nn'", ["echo", "a;b|c&d>e<f$g`h*i?j[k~l#m\nn"]),
        ('echo "a;b|c&d>e<f*i?j[k~l#m\nn"', ["echo", "a;b|c&d>e<f*i?j[k~l#m\nn"]),
        (r'echo "\"\$\`\\\@\{" "\n"', ["echo", '"$`\\@{', "\\n"]),
        ("echo HEAD~1 a#b a=b costs$ 5$ é", ["echo", "HEAD~1", "a#b", "a=b", "costs$", "5$", "é"]),
        ("echo a \\\n b", ["echo", "a", "b"]),
        ("echo 'it'\\''s'", ["echo", "it's"]),
    ],
)
def test_a_template_is_read_into_words(text, expected):
    assert words(text) == expected


def test_a_pipe_separates_stages():
    stages = parse("git log | grep {word} |\n head -n 5").stages
    assert [[str(word) for word in stage] for stage in stages] == [
        ["git", "log"],
        ["grep", "{word}"],
        ["head", "-n", "5"],
    ]


def test_the_holes_are_named_once_in_order():
    assert parse("a {x} {y.z} b{x} | c @w").holes == ("x", "y.z", "w")


@pytest.mark.parametrize(
    ("text", "names", "instead"),
    [
        ("", "is empty", "git status"),
        ("   \n", "is empty", "git status"),
        ("| a", "no program before '|'", "git status"),
        ("a |", "no program before the end", "git status"),
        ("a || b", "'||'", "own operation"),
        ("a |& b", "'|&'", "write '|'"),
        ("a; b", "';'", "own operation"),
        ("a & b", "'&'", "own operation"),
        ("a && b", "'&'", "own operation"),
        ("a\nb", "a line end", "own operation"),
        ("a\rb", "a carriage return", "own operation"),
        ("echo `id`", "a command substitution", "into a hole"),
        ("echo $(id)", "a command substitution", "into a hole"),
        ('echo "$(id)"', "a command substitution", "into a hole"),
        ('echo "`id`"', "a command substitution", "into a hole"),
        ("echo $HOME", "a variable", "{name}"),
        ('echo "$HOME"', "a variable", "{name}"),
        ("echo ${HOME}", "a variable", "{name}"),
        ("echo $'a'", "before a quote", "characters themselves"),
        ("echo a > b", "a redirection of output", "output"),
        ("echo a 2>&1", "a redirection of output", "output"),
        ("cat < b", "a redirection of input", "standard input"),
        ("cat << EOF", "a redirection of input", "standard input"),
        ("cat <(id)", "a redirection of input", "standard input"),
        ("rm *.py", "a file pattern", "{files...}"),
        ("rm ?.py", "a file pattern", "{files...}"),
        ("rm [a]", "a file pattern", "test"),
        ("cat ~/.ssh/id_rsa", "a home directory", "hole"),
        ("(id)", "a subshell", "own operation"),
        ("echo {a,b}", "a '{' that begins no hole", "single quotes"),
        ("echo {a b}", "a '{' that begins no hole", "single quotes"),
        ("echo a}", "a '}' without its '{'", "'}}'"),
        ("echo {x:path}", "the hole {x:path}", "{x:option}"),
        ("echo a{x...}", "a hole for a list with text around it", "blanks"),
        ("echo {x...}{y}", "a hole for a list with text around it", "blanks"),
        ("echo {x} {x...}", "written in two ways", "two different names"),
        ("{x} a", "the program is {x}", "never names"),
        ("a{x} b", "the program is a{x}", "never names"),
        ("@x a", "the program is {x}", "never names"),
        ("ls | {x}", "the program is {x}", "never names"),
        ("'' a", "the name of the program is empty", "name of a program"),
        ("A=b id", "an assignment", "env NAME=value"),
        ("A=$B id", "a variable", "{name}"),
        ("if true", "'if'", "own operation"),
        ("! id", "'!'", "own operation"),
        ("echo # a", "a comment", "quotes"),
        ("echo 'a", "a quote ' that does not end", "close it"),
        ('echo "a', 'a quote " that does not end', "close it"),
        ("echo a\\", "'\\' at the end", "\\\\"),
        ("echo a\u00a0b", "U+00A0", "blank"),
        ("echo a\u202eb", "U+202E", "blank"),
        ("echo a\x1bb", "U+001B", "blank"),
        ("echo a\0b", "a NUL", "argument"),
        ("echo a\\\nb", "goes on inside a word", "blank"),
        ("echo $\\\nHOME", "goes on inside a word", "blank"),
        ('echo "a\\\nb"', "goes on inside a word", "quotes"),
    ],
)
def test_what_a_shell_would_act_on_is_refused_by_name_with_the_way_to_say_it(text, names, instead):
    with pytest.raises(CommandError) as caught:
        parse(text)
    assert names in caught.value.message
    assert instead in caught.value.hint
    assert caught.value.code == "command"


def test_a_template_has_bounds():
    with pytest.raises(CommandError, match="longer"):
        parse("a" * (LONGEST + 1))
    with pytest.raises(CommandError, match="64 stages"):
        parse("|".join(["a"] * 65))


def test_no_message_carries_control_characters():
    with pytest.raises(CommandError) as caught:
        parse("echo '\x1b[31m' ; id")
    assert "\x1b" not in caught.value.diagnostics()


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        template = parse(text)
    except CommandError as error:
        assert error.hint
    else:
        assert all(stage and stage[0].text for stage in template.stages)


_PIECES = st.sampled_from(
    ["a", "b c", "'", '"', "\\", " ", "  ", "\t", "$", "x=y", "{{", "}}", "@@", ";", "|", "&", "~", "#", "*", "\n", "é", "-", "'q r'",
     '"s t"', "\\ ", "\\'", "\\\\", "!", "%", "^", ",", ":", "/", "\\\n", "'a\"b'", "\"a'b\"", '"\\$x"', "5$", "2>", "=~"]
)  # fmt: skip


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell to compare with")
@settings(max_examples=80, deadline=None)
@given(st.lists(_PIECES, min_size=1, max_size=8).map("".join))
def test_a_shell_reads_an_accepted_template_in_the_same_way(text):
    source = f"printf '%s\\0' {text}"
    try:
        (stage,) = parse(source).stages
    except (CommandError, ValueError):
        return
    if any(mark in text for mark in ("{{", "}}", "@@")):
        return  # not a shell's
    ran = subprocess.run(["sh", "-c", source], capture_output=True, check=True, env={"PATH": "/usr/bin:/bin"})
    arguments = [word.text for word in stage[2:]] or [""]
    assert ran.stdout.decode() == "".join(f"{each}\0" for each in arguments)

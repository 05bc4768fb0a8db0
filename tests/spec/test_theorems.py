import pytest

import theorems


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A development of its own, that keeps all rules."""
    (tmp_path / "Thm").mkdir()
    (tmp_path / "All.v").write_text("From Sluicegate.Thm Require One.\n")
    (tmp_path / "Extract.v").write_text("From Coq Require Import Extraction.\n")
    (tmp_path / "Thm/One.v").write_text(
        "(** * One *)\n(** Truth holds. *)\nTheorem truth : True.\nProof. exact I. Qed.\n"
    )
    monkeypatch.setattr(theorems, "COQ", tmp_path)
    monkeypatch.setattr(theorems, "RECORD", tmp_path / "proven.toml")
    (tmp_path / "proven.toml").write_text(theorems.record("8.16.1"))
    return tmp_path


def test_sources_that_keep_the_rules(sources):
    assert theorems.problems() == []
    assert theorems.theorems() == [theorems.Theorem(name="truth", says="Truth holds.", module="Thm/One")]
    assert theorems.in_waves() == [["Extract", "Thm/One"], ["All"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(** It. *)\nTheorem it : False.\nAdmitted.\n", "Thm/One.v: Admitted"),
        ("Axiom it : False.\n", "Thm/One.v: Axiom"),
        ("(** It. *)\nTheorem it : False.\nProof. (* no *) admit. Abort.\n", "Thm/One.v: admit"),
        ("Parameter it : nat.\n", "Thm/One.v: Parameter"),
        ("Section S. Variable it : nat. End S.\n", "Thm/One.v: Variable"),
        ("Theorem it : True.\nProof. exact I. Qed.\n", "Thm/One.v: it has no docstring"),
        ("(** Twice. *)\nTheorem truth : True.\nProof. exact I. Qed.\n", "two theorems are called truth"),
    ],
)
def test_what_is_not_proven_is_told(sources, text, said):
    one = sources / "Thm/One.v"
    one.write_text(one.read_text() + text)
    assert said in theorems.problems()


def test_a_file_that_nobody_reaches_is_told(sources):
    (sources / "Thm/Two.v").write_text("(** Truth. *)\nTheorem two : True.\nProof. exact I. Qed.\n")
    assert "Thm/Two.v is reached from neither All.v nor Extract.v" in theorems.problems()


def test_a_change_after_the_proof_is_told(sources):
    (sources / "All.v").write_text((sources / "All.v").read_text() + "\n")
    assert theorems.problems() == [
        "the Coq sources have changed since they were last proven: run 'make prove'"
    ]
    (sources / "proven.toml").unlink()
    assert theorems.problems() == ["nothing was proven yet: run 'make prove'"]


def test_words_in_comments_are_words():
    assert theorems.without_comments("a (* Admitted (* Axiom *) admit *) b") == "a  b"


def test_imports_in_a_circle_are_told(sources):
    (sources / "Thm/One.v").write_text("From Sluicegate Require Import All.\n")
    with pytest.raises(ValueError, match="circle"):
        theorems.in_waves()

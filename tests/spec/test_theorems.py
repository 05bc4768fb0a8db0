import pytest

import hypotheses
import statements
import table
import theorems
import vernacular

STATEMENTS = {"truth": "True"}


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A development of its own, that keeps all rules."""
    (tmp_path / "Thm").mkdir()
    (tmp_path / "All.v").write_text("From Sluicegate.Thm Require One.\n")
    (tmp_path / "Extract.v").write_text("From Coq Require Import Extraction.\nExtraction Language OCaml.\n")
    (tmp_path / "Thm/One.v").write_text(
        "(** * One *)\n(** Truth holds. *)\nTheorem truth : True.\nProof. exact I. Qed.\n"
    )
    monkeypatch.setattr(theorems, "COQ", tmp_path)
    monkeypatch.setattr(theorems, "RECORD", tmp_path / "proven.toml")
    record(STATEMENTS)
    return tmp_path


def record(said, version="8.16.1"):
    meanings = {one.called: f"{one.name} is so" for one in theorems.used_by(said.values())}
    theorems.RECORD.write_text(theorems.record(version, said, meanings))


def test_sources_that_keep_the_rules(sources):
    assert theorems.problems() == []
    assert theorems.theorems() == [theorems.Theorem(name="truth", says="Truth holds.", module="Thm/One")]
    assert theorems.in_waves() == [["Extract", "Thm/One"], ["All"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(** It. *)\nTheorem it : False.\nAdmitted.\n", "line 7: Admitted"),
        ("Axiom it : False.\n", "line 5: Axiom"),
        ("(** It. *)\nTheorem it : False.\nProof. (* no *) admit. Abort.\n", "line 7: admit"),
        ("Lemma it : False.\nProof. give_up. Admitted.\n", "line 6: give_up"),
        ("Parameter it : nat.\n", "line 5: Parameter"),
        ("Conjecture it : False.\n", "line 5: Conjecture"),
        ("Section S. Variable it : nat. End S.\n", "line 5: Variable"),
        ("Section S.\nContext (bad : False).\nEnd S.\n", "line 6: Context"),
        ("Section S.\nLet bad : False.\nAdmitted.\n", "line 6: Let"),
        ("Section S.\nHypotheses (a : False).\n", "line 6: Hypotheses"),
        ("Module Type T. End T.\n", "line 5: Module"),
        ("Declare Module M : T.\n", "line 5: Declare"),
        ("Primitive int := #int63_type.\n", "line 5: Primitive"),
        ('Extract Constant f => "g".\n', "line 5: Extract"),
        ("Extraction Language OCaml.\n", "line 5: Extraction"),
        ("Unset Guard Checking.\n", "line 5: Unset"),
        ("Unset  Universe\n Checking.\n", "line 5: Unset"),
        ("Set Universe Polymorphism.\n", "line 5: Set"),
        ('Load "other".\n', "line 5: Load"),
        ('Redirect "x" Print it.\n', "line 5: Redirect"),
        ('Add LoadPath "x".\n', "line 5: Add"),
        ("Local Axiom it : False.\n", "line 5: Local"),
        ("Fail Axiom it : False.\n", "line 5: Fail"),
        ("#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.\n", "line 5: attributes"),
        ("Lemma a : True. Proof. { Axiom b : False. exact I. } Qed.\n", "line 5: Axiom"),
        ("Lemma a : True. Proof. - Axiom b : False. exact I. Qed.\n", "line 5: Axiom"),
        ('Definition a := "(*". Axiom b : False. Definition c := "*)".\n', "line 5: Axiom"),
        ('(* " *) " *) Axiom b : False.\n', "line 5: Axiom"),
        ("From Other Require Import X.\n", "line 5: Other may not be imported here"),
        ("Require Import X.\n", "line 5: Require without From"),
        ("Definition False := True.\n", "line 5: False may not be given another meaning"),
        ('Notation "a = b" := True.\n', "line 5: Notation"),
    ],
)
def test_what_is_not_proven_is_told(sources, text, said):
    one = sources / "Thm/One.v"
    one.write_text(one.read_text() + text)
    assert any(told.startswith(f"Thm/One.v: {said}") for told in theorems.problems())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Theorem it : True.\nProof. exact I. Qed.\n", "Thm/One.v: it has no docstring"),
        ("(* It. *)\nTheorem it : True.\nProof. exact I. Qed.\n", "Thm/One.v: it has no docstring"),
        ("(** It. *)\nCheck I. Theorem it : True.\n", "Thm/One.v: it has no docstring"),
        ("(** Twice. *)\nTheorem truth : True.\nProof. exact I. Qed.\n", "two theorems are called truth"),
    ],
)
def test_a_theorem_without_words_is_told(sources, text, said):
    one = sources / "Thm/One.v"
    one.write_text(one.read_text() + text)
    assert said in theorems.problems()


def test_theorems_in_comments_and_strings_are_none(sources):
    one = sources / "Thm/One.v"
    one.write_text(one.read_text() + '(* \nTheorem a : True.\n*)\nDefinition b := "\nTheorem c : True. ".\n')
    assert [one.name for one in theorems.theorems()] == ["truth"]


def test_a_file_that_nobody_reaches_is_told(sources):
    (sources / "Thm/Two.v").write_text("(** Truth. *)\nTheorem two : True.\nProof. exact I. Qed.\n")
    assert "Thm/Two.v is reached from neither All.v nor Extract.v" in theorems.problems()


def test_a_change_after_the_proof_is_told(sources):
    (sources / "All.v").write_text((sources / "All.v").read_text() + "\n")
    assert theorems.problems() == [
        "the Coq sources have changed since they were last proven: run 'sh spec/prove.sh --record'"
    ]
    (sources / "proven.toml").write_text("theorems = []\n")
    assert theorems.problems() == ["nothing was proven yet: run 'make prove'"]
    (sources / "proven.toml").unlink()
    assert theorems.problems() == ["nothing was proven yet: run 'make prove'"]


def test_a_record_of_other_theorems_is_told(sources):
    record({"other": "True"})
    assert theorems.problems() == ["proven.toml does not list the theorems: run 'sh spec/prove.sh --record'"]


def test_the_record_keeps_every_version_that_was_seen(sources):
    assert theorems.read_record() == theorems.Record(
        coq="8.16.1", seen=("8.16",), sources=theorems.digest(), statements=STATEMENTS, definitions={}
    )
    record(STATEMENTS, "8.9.0")
    record(STATEMENTS, "8.20.1")
    assert theorems.read_record().seen == ("8.9", "8.16", "8.20")


def test_a_statement_is_recorded_as_it_is(sources):
    said = {"truth": 'forall (a\' : nat),\n(a\' = 3 \\/ "x" = "y") /\\ True -> a\' <> 4'}
    record(said)
    assert theorems.read_record().statements == said
    with pytest.raises(ValueError, match="truth"):
        theorems.record("8.16.1", {"truth": "forall x''' : nat, True"}, {})


DEFINITIONS = """(** * Names *)
Definition small (n : nat) : Prop := n < 3.
Definition other : nat := 7.
Inductive colour : Type := Red | Green (n : nat).
Record box : Type := { inside : colour; size' : nat }.
Fixpoint even (n : nat) : bool := match n with O => true | S m => odd m end
with odd (n : nat) : bool := match n with O => false | S m => even m end.
Definition deep (b : box) : Prop := inside b = Red /\\ small (size' b).
"""


@pytest.mark.parametrize(
    ("statement", "used"),
    [
        ("forall n, small n", ["small"]),
        ("forall b, deep b", ["small", "colour", "box", "deep"]),
        ("Green 1 <> Red", ["colour"]),
        ("forall n, odd n = true", ["even"]),
        ("forall b, size' b = 1", ["colour", "box"]),
        ("True", []),
    ],
)
def test_what_a_statement_uses_is_followed(sources, statement, used):
    (sources / "Thm/Names.v").write_text(DEFINITIONS)
    assert [one.name for one in theorems.used_by([statement])] == used


def test_a_record_without_what_the_statements_use_is_told(sources):
    (sources / "Thm/One.v").write_text(
        (sources / "Thm/One.v").read_text() + "Definition so : Prop := True.\n"
    )
    said = {"truth": "so"}
    theorems.RECORD.write_text(theorems.record("8.16.1", said, {}))
    assert theorems.problems() == [
        "proven.toml does not list what the statements use: run 'sh spec/prove.sh --record'"
    ]
    record(said)
    assert theorems.problems() == []


def test_words_in_comments_are_blanked():
    assert vernacular.code("a (* Admitted (* Axiom *) admit *) b").split() == ["a", "b"]
    assert vernacular.code('a "(*" b "*)" c').split() == ["a", "b", "c"]
    assert vernacular.code('a (* "*)" b *) c').split() == ["a", "c"]
    text = 'a (* "\n" *)\n"b\n""c" d'
    assert len(vernacular.code(text)) == len(text)
    assert vernacular.code(text).count("\n") == text.count("\n")


def test_imports_in_a_circle_are_told(sources):
    (sources / "Thm/One.v").write_text("From Sluicegate Require Import All.\n")
    with pytest.raises(ValueError, match="circle"):
        theorems.in_waves()


@pytest.mark.parametrize(
    "statement",
    [
        "False -> 1 = 2",
        "forall x : nat, x = 3 -> False -> x = 4",
        "forall x : nat, x = 3 /\\ False -> x = 4",
        "forall (x : nat) (H : False), x = 4",
        "forall x : Empty_set, 1 = 2",
        "true = false -> 1 = 2",
        "false = true -> 1 = 2",
        "(0 = 1)%nat -> 1 = 2",
        "(1 <= 0)%nat -> 1 = 2",
        "forall x : Z, x <> x -> x = 4",
        "forall x : Z, x < x -> x = 4",
        "~ True -> 1 = 2",
        "None = None /\\ [] = None -> 1 = 2",
        "forall b : bool, b = true -> b = false -> 1 = 2",
        "forall b : bool, b = true -> b <> true -> 1 = 2",
        "forall l : list nat, In 3 l -> ~ In 3 l -> 1 = 2",
        "forall x : nat, x = 1 -> forall y : nat, False -> y = 1",
    ],
)
def test_a_hypothesis_that_cannot_hold_is_told(sources, statement):
    assert hypotheses.impossible(statement)
    record({"truth": statement})
    (told,) = theorems.problems()
    assert told.startswith("truth: the hypothesis ") and told.endswith("so the theorem says nothing")


@pytest.mark.parametrize(
    "statement",
    [
        "forall x : Z, x = 3 -> False",
        "~ False",
        "forall x : Z, 0 <= x <= 3 -> x <> 4",
        "forall x : Z, (x = 3 -> False) -> x <> 3",
        "forall P : Prop, P <-> False -> ~ P",
        "forall a b : bool, a = true -> b = false -> a <> b",
        "forall x : Z, x = 3 \\/ False -> x = 3",
    ],
)
def test_a_hypothesis_that_can_hold_is_not(statement):
    assert hypotheses.impossible(statement) == []


def test_no_recorded_statement_has_an_impossible_hypothesis():
    assert not [one for one in theorems.read_record().statements.values() if hypotheses.impossible(one)]


def test_coq_is_asked_in_the_context_of_each_file(sources):
    one = sources / "Thm/One.v"
    one.write_text("From Coq Require Import List.\nImport ListNotations.\n" + one.read_text())
    asked = {}

    def ask(name, text):
        asked[name] = text
        return "truth\n     : forall x : nat,\n       x = x\n"

    assert statements.printed(ask) == {"truth": "forall x : nat,\nx = x"}
    context = (
        "From Coq Require Import List.\nImport ListNotations.\nFrom Sluicegate.Thm Require Import One.\n"
    )
    assert context + "Check truth.\n" in asked["Statements"]
    with pytest.raises(ValueError, match="truth"):
        statements.printed(lambda name, text: "")
    statements.still_proven({"truth": "True"}, ["truth"], ask)
    assert context + "Check (truth : (True)).\n" in asked["Recorded"]
    question = hypotheses.question(statements.contexts(), {"Thm/One": ["truth"]})
    assert context in question and 'idtac "IMPOSSIBLE truth"' in question
    assert hypotheses.answered("\nIMPOSSIBLE a\nother\nIMPOSSIBLE b\n") == ["a", "b"]


def test_a_statement_that_changed_is_a_diff():
    before = {"a": "forall x,\nx = x", "b": "True"}
    assert statements.changes(before, {"a": "forall x, x = x", "b": "True"}) == []
    assert statements.changes(before, {"a": "forall x,\nx = 1", "c": "False"}) == [
        "a:",
        "      forall x,",
        "    - x = x",
        "    + x = 1",
        "b:",
        "    - True",
        "c:",
        "    + False",
    ]


def test_the_headlines_stand_first_once_they_exist(sources, monkeypatch):
    assert "First of all" not in table.theorems_page()
    assert "**`truth`** Truth holds.\n\n```coq\nTrue\n```" in table.theorems_page()
    monkeypatch.setattr(table, "HEADLINES", ("not_yet", "truth"))
    assert "## First of all\n\n**`truth`**" in table.theorems_page()

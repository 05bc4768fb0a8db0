(** * A person's ruling. *)
From Coq Require Import ZArith Bool List String.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Verdict.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

(** What one person decided of one docket of some content, through a last day if there is one. [person] is what tells one from another, and
    empty for a name without a letter or a digit; [reasoned] is whether a reason was given. *)
Record ruling := mkRuling {
  r_docket : string; r_content : string; person : string; approves : bool; overrides : bool; reasoned : bool; r_last : option Z }.
Definition named (r : ruling) : bool := negb (String.eqb (person r) EmptyString).

(** Whether it is of this content; the empty digest is that of none. *)
Definition of_content (content : string) (r : ruling) : bool :=
  negb (String.eqb content EmptyString) && String.eqb (r_content r) content.

Definition holding (today : Z) (docket content : string) (rs : list ruling) : list ruling :=
  filter (fun r => holds (String.eqb (r_docket r) docket) (of_content content r) (past today (r_last r)) (approves r) (named r)
    (reasoned r)) rs.
Definition persons (p : ruling -> bool) (rs : list ruling) : list string :=
  nodup string_dec (map person (filter p rs)).
Definition against (rs : list ruling) : list string := persons (fun r => negb (approves r)) rs.
Definition without (out l : list string) : list string :=
  filter (fun p => negb (existsb (String.eqb p) out)) l.
Definition approving (rs : list ruling) : list string := without (against rs) (persons approves rs).
Definition overriding (rs : list ruling) : list string :=
  without (against rs) (persons (fun r => approves r && overrides r) rs).
Definition size (l : list string) : Z := Z.of_nat (List.length l).

Definition ruled_decision (today : Z) (docket content : string) (needed : Z) (permitted : bool) (rs : list ruling) (d : Z) : Z :=
  let h := holding today docket content rs in
  ruled d (size (against h)) (size (approving h)) (size (overriding h)) needed permitted.

(** * The score: the list shell of [score.py] around the translated kernels. *)
From Coq Require Import ZArith Bool List String.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Finding.
Import ListNotations.
Open Scope Z_scope.

Definition top3 := (Z * Z * Z)%type.
Definition ins (p : Z) (t : top3) : top3 := let '(a, b, c) := t in place p a b c.
Definition weigh3 (t : top3) : Z := let '(a, b, c) := t in weigh a b c.

Definition of_rule (r : string) (l : list finding) : list finding :=
  filter (fun f => String.eqb (rule f) r) l.
Definition top (l : list finding) : top3 := fold_right (fun f => ins (points_of f)) (0, 0, 0) l.
Definition group (r : string) (l : list finding) : Z := weigh3 (top (of_rule r l)).
Definition rules (l : list finding) : list string := nodup string_dec (map rule l).
Definition sumZ (l : list Z) : Z := fold_right Z.add 0 l.
Definition total (l : list finding) : Z := sumZ (map (fun r => group r l) (rules l)).
Definition floor (l : list finding) : Z :=
  fold_right (fun f m => Z.max (floor_of (sev f) (conf f)) m) 0 l.
Definition score (l : list finding) : Z := final (floor l) (total l).

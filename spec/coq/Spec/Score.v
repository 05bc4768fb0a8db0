(** * The score: the list shell of [score.py] around the translated kernels. *)
From Coq Require Import ZArith Bool List String.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Finding.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

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

(** ** By kinds of evidence. *)
Definition acts (l : list finding) : list finding := filter act l.
Definition same_deed (f g : finding) : bool :=
  match deed f, deed g with Some d, Some e => String.eqb d e | _, _ => false end.

(** An act and words, of two rules, about one deed, each HIGH or worse and sure. *)
Definition supports (f g : finding) : bool :=
  act f && negb (act g) && corroborates (sev f) (conf f) && corroborates (sev g) (conf g)
  && negb (String.eqb (rule f) (rule g)) && same_deed f g.
Definition corroborated (l : list finding) : bool := existsb (fun f => existsb (supports f) l) l.

(** The deeds that findings of MEDIUM severity or worse state surely. *)
Definition stated (f : finding) : list string :=
  match deed f with Some d => if is_deed (sev f) (conf f) then [d] else [] | None => [] end.
Definition deeds (l : list finding) : list string := nodup string_dec (flat_map stated l).
Definition for_a_person (f : finding) : bool :=
  act f && member (category f) categories_for_a_person && is_deed (sev f) (conf f).

Definition kinds_floor (l : list finding) : Z :=
  floor_of_kinds (corroborated l) (Z.of_nat (List.length (deeds l))) (existsb for_a_person l).
Definition weight (l : list finding) : Z := Kernels.by_kind (score (acts l)) (score l) (kinds_floor l).

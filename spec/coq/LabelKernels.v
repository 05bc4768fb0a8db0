(* Translated from src/sluicegate/flow/labels/kernels.py by spec/translate.py. Do not edit. *)
From Coq Require Import ZArith Bool.
Open Scope Z_scope.
Open Scope bool_scope.

Definition doubtful (vouches : bool) (stained : bool) : bool :=
  (stained && (negb vouches)).
Definition trust_survives (first : bool) (first_stained : bool) (second : bool) (second_stained : bool) : bool :=
  ((first || second) && (negb (doubtful first first_stained)) && (negb (doubtful second second_stained))).

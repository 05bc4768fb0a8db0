(* Translated from src/sluicegate/flow/session/kernels.py by spec/translate.py. Do not edit. *)
From Coq Require Import ZArith Bool.
Open Scope Z_scope.
Open Scope bool_scope.

Definition SETTLES : Z := 0.
Definition FORGED : Z := 1.
Definition FOREIGN : Z := 2.
Definition UNRECORDED : Z := 3.
Definition USED : Z := 4.
Definition LATE : Z := 5.
Definition OTHER : Z := 6.
Definition SPOKEN : Z := 0.
Definition WORDS : Z := 1.
Definition NAMED : Z := 2.
Definition CREATED : Z := 3.
Definition UNIQUE : Z := 4.
Definition FACT : Z := 5.
Definition alive (issued : Z) (now : Z) (lifetime : Z) : bool :=
  ((issued <=? now) && (now <? (issued + lifetime))).
Definition settlement (authentic : bool) (ours : bool) (recorded : bool) (unused : bool) (lasts : bool) (same : bool) : Z :=
  (if (negb authentic) then FORGED
   else (if (negb ours) then FOREIGN
   else (if (negb recorded) then UNRECORDED
   else (if (negb unused) then USED
   else (if (negb lasts) then LATE
   else (if (negb same) then OTHER
   else SETTLES)))))).
Definition endorsement (short : bool) (words : bool) (named : bool) (created : bool) (unique : bool) (fact : bool) (words_on : bool) (named_on : bool) (created_on : bool) (unique_on : bool) (facts_on : bool) : Z :=
  (if (words_on && words && (negb short)) then WORDS
   else (if (named_on && named) then NAMED
   else (if (created_on && created) then CREATED
   else (if (unique_on && unique) then UNIQUE
   else (if (facts_on && fact) then FACT
   else SPOKEN))))).
Definition novel (rule_on : bool) (seen : bool) (endorsed : bool) : bool :=
  (rule_on && (negb seen) && (negb endorsed)).

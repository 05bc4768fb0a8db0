(* Translated from src/sluicegate/vet/verdict/kernels.py by spec/translate.py. Do not edit. *)
From Coq Require Import ZArith Bool.
Open Scope Z_scope.
Open Scope bool_scope.

Definition MOST_CONFIDENT : Z := 1000.
Definition SURE_ENOUGH : Z := 500.
Definition WORTH_SCORING : Z := 400.
Definition TOP_SCORE : Z := 100.
Definition SCALE : Z := 40000.
Definition MOST_OF_WORDS : Z := 50.
Definition DEEDS_NEEDED : Z := 2.
Definition FAMILIES_NEEDED : Z := 2.
Definition clamp (confidence : Z) : Z :=
  (Z.min MOST_CONFIDENT (Z.max (0) confidence)).
Definition base (severity : Z) : Z :=
  (if (severity >=? (3)) then (50)
   else (if (severity >=? (2)) then (25)
   else (if (severity >=? (1)) then (10)
   else (5)))).
Definition points (severity : Z) (confidence : Z) (executable : bool) : Z :=
  (((base severity) * (clamp confidence)) * (if executable then (13) else (10))).
Definition place (new : Z) (first : Z) (second : Z) (third : Z) : (Z * Z * Z) :=
  (if (new >=? first) then (new, first, second)
   else (if (new >=? second) then (first, new, second)
   else (if (new >=? third) then (first, second, new)
   else (first, second, third)))).
Definition weigh (first : Z) (second : Z) (third : Z) : Z :=
  ((((4) * first) + ((2) * second)) + third).
Definition floor_of (severity : Z) (confidence : Z) : Z :=
  (if (confidence <? SURE_ENOUGH) then (0)
   else (if (severity >=? (3)) then (51)
   else (if (severity >=? (2)) then (21)
   else (0)))).
Definition final (floor : Z) (total : Z) : Z :=
  (Z.min TOP_SCORE (Z.max floor (total / SCALE))).
Definition band_of (score : Z) : Z :=
  (if (score >=? (81)) then (3)
   else (if (score >=? (51)) then (2)
   else (if (score >=? (21)) then (1)
   else (0)))).
Definition corroborates (severity : Z) (confidence : Z) : bool :=
  ((severity >=? (2)) && (confidence >=? SURE_ENOUGH)).
Definition is_deed (severity : Z) (confidence : Z) : bool :=
  ((severity >=? (1)) && (confidence >=? SURE_ENOUGH)).
Definition floor_of_kinds (corroborated : bool) (deeds : Z) (for_a_person : bool) : Z :=
  (if corroborated then (51)
   else (if (for_a_person || (deeds >=? DEEDS_NEEDED)) then (21)
   else (0))).
Definition by_kind (acts : Z) (everything : Z) (floor : Z) : Z :=
  (Z.max (Z.max acts (Z.min MOST_OF_WORDS everything)) floor).
Definition is_listed (severity : Z) (confidence : Z) : bool :=
  ((severity <? (2)) && (confidence <? WORTH_SCORING)).
Definition condemns (manipulation : bool) (confidence : Z) : bool :=
  (manipulation && (confidence >=? SURE_ENOUGH)).
Definition decide (band : Z) (condemned : bool) (gap : bool) : Z :=
  (if (condemned || (band >=? (2))) then (2)
   else (if (gap || (band >=? (1))) then (1)
   else (0))).
Definition is_guarded (manipulation : bool) (intake : bool) (severity : Z) : bool :=
  (manipulation || (intake && (severity >=? (3)))).
Definition is_expired (today : Z) (last_day : Z) : bool :=
  (today >? last_day).
Definition accepts (same : bool) (globbed : bool) (expired : bool) (guarded : bool) : bool :=
  ((same || (globbed && (negb guarded))) && (negb expired)).
Definition raised (confidence : Z) (confirms : bool) (said : Z) : Z :=
  (if confirms then (Z.max confidence (clamp said)) else confidence).
Definition vote_of (condemned : bool) (whole : bool) (safe : bool) (alarm : bool) : Z :=
  (if condemned then (3)
   else (if (negb whole) then (if alarm then (2) else (1))
   else (if safe then (0) else (2)))).
Definition attempted (before : Z) (now : Z) : Z :=
  (if (before =? (1)) then now
   else (if (now =? (1)) then before
   else (Z.max before now))).
Definition consensus (condemning : Z) (safe : Z) (voters : Z) (families : Z) (complete : bool) : Z :=
  (if (condemning >? (0)) then (2)
   else (if (complete && (safe >=? voters) && (families >=? FAMILIES_NEEDED)) then (0)
   else (1))).
Definition stricter (one : Z) (other : Z) : Z :=
  (Z.max one other).
Definition holds (same : bool) (content : bool) (expired : bool) (approves : bool) (named : bool) (reasoned : bool) : bool :=
  ((same || (content && (negb approves))) && (negb expired) && ((negb approves) || (named && reasoned))).
Definition ruled (decision : Z) (rejections : Z) (approvals : Z) (overrides : Z) (needed : Z) (permitted : bool) : Z :=
  (if (rejections >? (0)) then (2)
   else (if (decision >=? (2)) then (if (permitted && (overrides >=? (Z.max (1) needed))) then (0) else decision)
   else (if (approvals >=? (Z.max (1) needed)) then (0) else decision))).

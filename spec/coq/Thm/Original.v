(** * Why findings are ordered by points: counterexamples to ordering them by severity *)
From Coq Require Import ZArith Bool List String.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Finding Score.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

(** The other way to score a rule: its findings in order of severity, then confidence; the first counts whole, the second half,
    the third a quarter; no floor. *)
Definition before (f g : finding) : bool :=
  (sev g <? sev f) || ((sev g =? sev f) && (clamp (conf g) <? clamp (conf f))).
Fixpoint insert (f : finding) (l : list finding) : list finding :=
  match l with [] => [f] | g :: r => if before f g then f :: g :: r else g :: insert f r end.
Definition by_severity (l : list finding) : Z :=
  match fold_right insert [] (filter (fun f => 0 <? clamp (conf f)) l) with
  | [] => 0 | [a] => weigh (points_of a) 0 0 | [a; b] => weigh (points_of a) (points_of b) 0
  | a :: b :: c :: _ => weigh (points_of a) (points_of b) (points_of c) end.
Definition score_by_severity (l : list finding) : Z :=
  final 0 (sumZ (map (fun r => by_severity (of_rule r l)) (rules l))).

Definition a (s c : Z) : finding := mkFinding "r" "c" "command" "p" "f" s c false.
Definition x (s c : Z) : finding := mkFinding "r" "c" "command" "p" "f" s c true.

(** Ordered by severity, adding a CRITICAL of confidence 0.01 lowers the score from 25 to 13. *)
Theorem by_severity_adding_a_finding_lowers_the_score :
  score_by_severity [a 2 1000] = 25 /\ score_by_severity [a 3 10; a 2 1000] = 13.
Proof. now vm_compute. Qed.

(** Ordered by severity, raising a severity from HIGH to CRITICAL lowers the score from 26 to 17. *)
Theorem by_severity_raising_a_severity_lowers_the_score :
  score_by_severity [a 2 1000; a 2 100] = 26 /\ score_by_severity [a 2 1000; a 3 100] = 17.
Proof. now vm_compute. Qed.

(** Ordered by severity, raising a confidence from 0 to 0.01 lowers the score from 25 to 13. *)
Theorem by_severity_raising_a_confidence_lowers_the_score :
  score_by_severity [a 2 1000; a 3 0] = 25 /\ score_by_severity [a 2 1000; a 3 10] = 13.
Proof. now vm_compute. Qed.

(** ... and an added finding turns CAUTION into SAFE. *)
Theorem by_severity_an_added_finding_turns_caution_into_safe :
  band_of (score_by_severity [a 2 1000; a 2 100]) = 1 /\
  band_of (score_by_severity [a 2 1000; a 2 100; a 3 10]) = 0.
Proof. now vm_compute. Qed.

(** Without a floor a lone CRITICAL that is certain is only CAUTION, and one of confidence 0.4 is SAFE: a finding can
    survive and count for nothing. *)
Theorem without_a_floor_a_lone_critical_does_not_block :
  score_by_severity [a 3 1000] = 50 /\ band_of (score_by_severity [a 3 1000]) = 1
  /\ band_of (score_by_severity [a 3 400]) = 0.
Proof. now vm_compute. Qed.

(** With a multiplier for each finding, ordering by confidence fails within one severity: 39 becomes 36. *)
Theorem by_confidence_a_multiplier_per_finding_lowers_the_score :
  score_by_severity [a 2 801; x 2 800; x 2 800] = 39 /\
  score_by_severity [a 2 802; a 2 801; x 2 800; x 2 800] = 36.
Proof. now vm_compute. Qed.

(** The same findings, ordered by points as production does: never lower. *)
Theorem by_points_the_same_findings_never_score_less :
  score [a 2 1000] <= score [a 3 10; a 2 1000] /\ score [a 2 1000; a 2 100] <= score [a 2 1000; a 3 100] /\
  score [a 2 801; x 2 800; x 2 800] <= score [a 2 802; a 2 801; x 2 800; x 2 800].
Proof. vm_compute. repeat split; discriminate. Qed.

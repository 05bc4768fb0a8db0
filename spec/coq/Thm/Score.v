(** * The score: range, order, growth, floor *)
From Coq Require Import ZArith Bool List String Lia Permutation Sorting.Sorted.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Finding Score.
From Sluicegate.Thm Require Import Kernel.
Import ListNotations.
Open Scope Z_scope.

(** ** The three largest *)
Definition sorted3 (t : top3) : Prop := let '(a, b, c) := t in c <= b <= a.
Definition le3 (t u : top3) : Prop := let '(a, b, c) := t in let '(x, y, z) := u in a <= x /\ b <= y /\ c <= z.

Ltac cases3 :=
  repeat match goal with t : top3 |- _ => destruct t as [[? ?] ?] end;
  unfold ins, place, sorted3, le3 in *; simpl in *;
  repeat (match goal with |- context [?x >=? ?y] => rewrite (Z.geb_leb x y); destruct (Z.leb_spec y x) end; simpl);
  simpl in *; try lia; repeat f_equal; try lia.

Lemma ins_sorted : forall p t, sorted3 t -> sorted3 (ins p t).
Proof. intros. cases3. Qed.
Lemma ins_comm : forall p q t, sorted3 t -> ins p (ins q t) = ins q (ins p t).
Proof. intros. cases3. Qed.
Lemma ins_mono : forall p q t u, p <= q -> sorted3 t -> sorted3 u -> le3 t u -> le3 (ins p t) (ins q u).
Proof. intros. cases3. Qed.
Lemma ins_grows : forall p t, sorted3 t -> le3 t (ins p t).
Proof. intros. cases3. Qed.
Lemma top_sorted : forall l, sorted3 (top l).
Proof. induction l; simpl; [lia | now apply ins_sorted]. Qed.
Lemma weigh_mono : forall t u, le3 t u -> weigh3 t <= weigh3 u.
Proof. intros [[a b] c] [[x y] z]. unfold weigh3, weigh, le3. lia. Qed.
Lemma le3_refl : forall t, le3 t t.
Proof. intros [[a b] c]. unfold le3. lia. Qed.
Lemma le3_trans : forall t u v, le3 t u -> le3 u v -> le3 t v.
Proof. intros [[a b] c] [[d e] g] [[x y] z]. unfold le3. lia. Qed.

(** ** Order *)
Lemma filter_perm {A} (p : A -> bool) l m : Permutation l m -> Permutation (filter p l) (filter p m).
Proof.
  induction 1 as [|x l m P IH|x y l|l m n P IH Q IH2]; simpl.
  - constructor.
  - destruct (p x); auto.
  - destruct (p x), (p y); auto using perm_swap, Permutation_refl.
  - now transitivity (filter p m).
Qed.
Lemma top_perm : forall l m, Permutation l m -> top l = top m.
Proof. induction 1; simpl; try congruence. apply ins_comm, top_sorted. Qed.
Lemma group_perm : forall r l m, Permutation l m -> group r l = group r m.
Proof. intros r l m P. unfold group, of_rule. f_equal. now apply top_perm, filter_perm. Qed.
Lemma rules_perm : forall l m, Permutation l m -> Permutation (rules l) (rules m).
Proof.
  intros l m P. unfold rules. apply NoDup_Permutation; try apply NoDup_nodup.
  intros x. rewrite !nodup_In. split; apply Permutation_in; [| symmetry]; now apply Permutation_map.
Qed.
Lemma sum_perm : forall l m, Permutation l m -> sumZ l = sumZ m.
Proof. unfold sumZ. induction 1; simpl; lia. Qed.
Lemma total_perm : forall l m, Permutation l m -> total l = total m.
Proof.
  intros l m P. unfold total.
  rewrite (map_ext _ (fun r => group r m)) by (intros; now apply group_perm).
  now apply sum_perm, Permutation_map, rules_perm.
Qed.
Lemma floor_perm : forall l m, Permutation l m -> floor l = floor m.
Proof. unfold floor. induction 1; simpl; lia. Qed.

(** The score does not depend on the order of the findings. *)
Theorem score_is_permutation_invariant : forall l m, Permutation l m -> score l = score m.
Proof. intros l m P. unfold score. now rewrite (total_perm l m P), (floor_perm l m P). Qed.

Lemma floor_nonneg : forall l, 0 <= floor l.
Proof. unfold floor. induction l; simpl; lia. Qed.
Lemma floor_ge : forall l f, In f l -> floor_of (sev f) (conf f) <= floor l.
Proof.
  unfold floor. induction l as [|g l IH]; simpl; [easy|]. intros f [->|I]; [lia|]. specialize (IH f I). lia.
Qed.

(** The score lies between 0 and 100, whatever the findings. *)
Theorem score_range : forall l, 0 <= score l <= 100.
Proof. intros l. pose proof (floor_nonneg l). unfold score, final, TOP_SCORE. lia. Qed.

(** A finding holds the score at its own floor, whatever else there is. *)
Theorem score_is_at_least_the_floor : forall l f, In f l -> floor_of (sev f) (conf f) <= score l.
Proof.
  intros l f I. pose proof (floor_ge l f I). pose proof (floor_of_range (sev f) (conf f)).
  unfold score, final, TOP_SCORE. lia.
Qed.

(** A CRITICAL of confidence 500 or more scores 51 at least, alone or in any company. *)
Theorem a_sure_critical_scores_fifty_one : forall l f, In f l -> 3 <= sev f -> 500 <= conf f -> 51 <= score l.
Proof.
  intros l f I S C. pose proof (score_is_at_least_the_floor l f I).
  destruct (floors (sev f) (conf f)) as [E _]. rewrite E in *; lia.
Qed.

(** ** Growth *)
(** [raised_to f g]: the same rule, and no fewer points and no lower floor. *)
Definition raised_to (f g : finding) : Prop :=
  rule f = rule g /\ points_of f <= points_of g /\ floor_of (sev f) (conf f) <= floor_of (sev g) (conf g).

(** [grown l m]: m is l with findings raised and findings added, anywhere. *)
Inductive grown : list finding -> list finding -> Prop :=
| grown_nil : grown [] []
| grown_keep : forall f g l m, raised_to f g -> grown l m -> grown (f :: l) (g :: m)
| grown_add : forall g l m, grown l m -> grown l (g :: m).

Lemma raised_refl : forall f, raised_to f f.
Proof. unfold raised_to. intros. repeat split; lia. Qed.
Lemma grown_refl : forall l, grown l l.
Proof. induction l; constructor; auto using raised_refl. Qed.
Lemma below_raised : forall f g, below f g -> raised_to f g.
Proof.
  intros f g (K & S & C & X). unfold key_of in K. injection K as R _ _ _. unfold raised_to, points_of.
  auto using points_are_monotone, floor_of_monotone.
Qed.

Lemma grown_group : forall r l m, grown l m -> le3 (top (of_rule r l)) (top (of_rule r m)).
Proof.
  unfold of_rule. induction 1 as [|f g l m (R & P & _) D IH|g l m D IH]; [apply le3_refl | simpl | simpl].
  - rewrite R. destruct (String.eqb (rule g) r); simpl; auto. apply ins_mono; auto using top_sorted.
  - destruct (String.eqb (rule g) r); simpl; auto. eapply le3_trans; [exact IH|]. apply ins_grows, top_sorted.
Qed.
Lemma grown_rules : forall l m, grown l m -> incl (rules l) (rules m).
Proof.
  intros l m D x. unfold rules. rewrite !nodup_In. revert x.
  induction D as [|f g l m (R & _) D IH|g l m D IH]; simpl; auto. intros x [<-|I]; auto.
Qed.
Lemma sum_map_le {A} (g h : A -> Z) l : (forall x, g x <= h x) -> sumZ (map g l) <= sumZ (map h l).
Proof. intros H. unfold sumZ. induction l as [|x l IH]; simpl; [lia|]. specialize (H x). lia. Qed.
Lemma sum_app : forall u v, sumZ (u ++ v) = sumZ u + sumZ v.
Proof. unfold sumZ. intros u v. induction u; simpl; lia. Qed.
Lemma sum_nonneg {A} (g : A -> Z) l : (forall x, 0 <= g x) -> 0 <= sumZ (map g l).
Proof. intros H. unfold sumZ. induction l as [|x l IH]; simpl; [lia|]. specialize (H x). lia. Qed.
Lemma sum_incl {A} (g : A -> Z) a : (forall x, 0 <= g x) -> NoDup a -> forall b, incl a b ->
  sumZ (map g a) <= sumZ (map g b).
Proof.
  intros G. induction 1 as [|x a N _ IH]; intros b I; simpl; [now apply sum_nonneg|].
  destruct (in_split x b) as (b1 & b2 & ->); [apply I; now left|].
  assert (J : incl a (b1 ++ b2)).
  { intros y Y. specialize (I y (or_intror Y)). apply in_app_or in I.
    apply in_or_app. destruct I as [|[->|]]; auto. contradiction. }
  specialize (IH _ J). rewrite map_app, sum_app in *. cbn [map]. unfold sumZ in *. simpl. lia.
Qed.
Lemma top_nonneg : forall l, le3 (0, 0, 0) (top l).
Proof.
  induction l as [|f l IH]; [apply le3_refl|]. change (le3 (0, 0, 0) (ins (points_of f) (top l))).
  apply le3_trans with (top l); [exact IH|]. apply ins_grows, top_sorted.
Qed.
Lemma group_nonneg : forall r l, 0 <= group r l.
Proof.
  intros. unfold group. pose proof (weigh_mono _ _ (top_nonneg (of_rule r l))) as H.
  unfold weigh3 at 1, weigh in H. lia.
Qed.
Lemma grown_total : forall l m, grown l m -> total l <= total m.
Proof.
  intros l m D. unfold total. transitivity (sumZ (map (fun r => group r m) (rules l))).
  - apply sum_map_le. intros r. now apply weigh_mono, grown_group.
  - apply sum_incl; [intros; apply group_nonneg | apply NoDup_nodup | now apply grown_rules].
Qed.
Lemma grown_floor : forall l m, grown l m -> floor l <= floor m.
Proof. unfold floor. induction 1 as [|f g l m (_ & _ & F) D IH|]; simpl; lia. Qed.

(** Findings added anywhere and findings raised in any respect never lower the score. *)
Theorem score_is_monotone : forall l m, grown l m -> score l <= score m.
Proof. intros l m D. unfold score. apply final_monotone; [now apply grown_floor | now apply grown_total]. Qed.

(** Adding a finding anywhere never lowers the score. *)
Theorem adding_a_finding_never_lowers_the_score : forall a b f, score (a ++ b) <= score (a ++ f :: b).
Proof.
  intros. rewrite (score_is_permutation_invariant (a ++ f :: b) (f :: a ++ b)).
  - apply score_is_monotone, grown_add, grown_refl.
  - symmetry. apply Permutation_middle.
Qed.
Lemma raising_one : forall a b f g, raised_to f g -> score (a ++ f :: b) <= score (a ++ g :: b).
Proof. intros. apply score_is_monotone. induction a; simpl; constructor; auto using grown_refl, raised_refl. Qed.

Definition with_conf (f : finding) (c : Z) : finding :=
  mkFinding (rule f) (category f) (kind f) (path f) (fprint f) (sev f) c (exec f).
Definition with_sev (f : finding) (s : Z) : finding :=
  mkFinding (rule f) (category f) (kind f) (path f) (fprint f) s (conf f) (exec f).

(** Raising the confidence of a finding never lowers the score. *)
Theorem raising_a_confidence_never_lowers_the_score : forall a b f c, conf f <= c ->
  score (a ++ f :: b) <= score (a ++ with_conf f c :: b).
Proof. intros. apply raising_one, below_raised. unfold below, key_of; simpl. repeat split; auto; lia. Qed.

(** Raising the severity of a finding never lowers the score. *)
Theorem raising_a_severity_never_lowers_the_score : forall a b f s, sev f <= s ->
  score (a ++ f :: b) <= score (a ++ with_sev f s :: b).
Proof. intros. apply raising_one, below_raised. unfold below, key_of; simpl. repeat split; auto; lia. Qed.

(** A fourth finding of a rule changes nothing unless it is among the three of most points. *)
Theorem only_three_of_a_rule_weigh : forall a b c p, p <= c -> c <= b -> b <= a -> ins p (a, b, c) = (a, b, c).
Proof. intros. cases3. Qed.

(** ** Which three *)
Definition top_of (ps : list Z) : top3 := fold_right ins (0, 0, 0) ps.
Definition first3 (ps : list Z) : top3 :=
  match ps with [] => (0, 0, 0) | [a] => (a, 0, 0) | [a; b] => (a, b, 0) | a :: b :: c :: _ => (a, b, c) end.
Lemma top_of_points : forall l, top l = top_of (map points_of l).
Proof. induction l as [|f l IH]; simpl; [reflexivity|]. now rewrite IH. Qed.
Lemma top_of_sorted : forall ps, sorted3 (top_of ps).
Proof. induction ps; simpl; [lia | now apply ins_sorted]. Qed.
Lemma top_of_perm : forall p q, Permutation p q -> top_of p = top_of q.
Proof. induction 1; simpl; try congruence. apply ins_comm, top_of_sorted. Qed.
Lemma top_of_descending : forall ps, StronglySorted Z.ge ps -> Forall (Z.le 0) ps -> top_of ps = first3 ps.
Proof.
  induction ps as [|p ps IH]; intros S N; [reflexivity|]. inversion S as [|? ? S' A]; inversion N as [|? ? P N']; subst.
  simpl. rewrite (IH S' N'). clear IH. rewrite Forall_forall in A.
  destruct ps as [|a [|b [|c r]]]; simpl; unfold ins, place; rewrite !Z.geb_leb;
    repeat match goal with |- context [?x <=? ?y] => destruct (Z.leb_spec x y) end; try reflexivity;
    try (specialize (A a (or_introl eq_refl)); lia); try lia.
Qed.

(** The three that weigh are the three largest: however a rule's points are put in descending order, the first three. *)
Theorem the_three_largest_weigh : forall l ps,
  Permutation (map points_of l) ps -> StronglySorted Z.ge ps -> top l = first3 ps.
Proof.
  intros l ps P S. rewrite top_of_points, (top_of_perm _ _ P). apply top_of_descending; [easy|].
  rewrite Forall_forall. intros x I. apply (Permutation_in x (Permutation_sym P)) in I.
  apply in_map_iff in I as (f & <- & _). apply points_are_never_negative.
Qed.

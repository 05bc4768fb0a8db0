(** * The consensus: its truth table, and that no reviewer moves it towards SAFE *)
From Coq Require Import ZArith Bool List String Lia Permutation.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Consensus.
From Sluicegate.Thm Require Import Kernel Score.
Import ListNotations.
Open Scope Z_scope.

Definition all_vote (v : Z) (l : list ballot) : Prop := forall b, In b l -> snd b = v.

Lemma panel_range : forall k l, 0 <= panel_decision k l <= 2.
Proof. intros. unfold panel_decision, consensus. destruct (_ >? 0); [lia|]. destruct (_ && _)%bool; lia. Qed.
Lemma count_nonneg : forall v l, 0 <= count v l.
Proof. intros. unfold count. lia. Qed.
Lemma count_pos : forall v l, 0 < count v l <-> exists b, In b l /\ snd b = v.
Proof.
  intros. unfold count. destruct (filter (fun b => snd b =? v) l) as [|b r] eqn:E; simpl.
  - split; [lia|]. intros (b & I & S).
    assert (J : In b (filter (fun b => snd b =? v) l)) by (apply filter_In; rewrite S, Z.eqb_refl; auto).
    rewrite E in J. destruct J.
  - split; [|lia]. intros _. exists b.
    assert (J : In b (filter (fun b => snd b =? v) l)) by (rewrite E; now left). apply filter_In in J as [I S]. apply Z.eqb_eq in S. auto.
Qed.
Lemma count_le : forall v l, count v l <= Z.of_nat (List.length l).
Proof. intros. unfold count. induction l as [|b l IH]; simpl; [lia|]. destruct (snd b =? v); simpl; lia. Qed.
Lemma count_all : forall v l, Z.of_nat (List.length l) <= count v l <-> all_vote v l.
Proof.
  intros v l. unfold all_vote. induction l as [|b l IH]; simpl.
  - unfold count. simpl. split; [intros _ b []|lia].
  - pose proof (count_le v l) as L. unfold count in *. simpl. destruct (Z.eqb_spec (snd b) v) as [E|E]; simpl List.length.
    + split.
      * intros H c [<-|I]; [easy|]. apply IH; [lia|easy].
      * intros H. assert (X : Z.of_nat (List.length l) <= Z.of_nat (List.length (filter (fun b => snd b =? v) l))).
        { apply IH. intros c I. apply H. now right. } lia.
    + split; [lia|]. intros H. now specialize (H b (or_introl eq_refl)).
Qed.

(** Any MALICIOUS vote, and an injection seen is one, is DO_NOT_INSTALL, whatever the others say; nothing else is. *)
Theorem any_malicious_vote_blocks : forall k l, panel_decision k l = 2 <-> exists b, In b l /\ snd b = 3.
Proof.
  intros k l. rewrite <- count_pos. unfold panel_decision, consensus. rewrite !Z.gtb_ltb, !Z.geb_leb.
  destruct (Z.ltb_spec 0 (count 3 l)); [easy|].
  destruct (_ && _)%bool; split; intros; try discriminate; lia.
Qed.

(** SAFE exactly when every finding was put before a reviewer, there are votes, every one of them is SAFE, and they come from
    two families at least. *)
Theorem safe_needs_a_unanimous_quorum : forall k l,
  panel_decision k l = 0 <-> k = true /\ l <> [] /\ all_vote 0 l /\ quorum l.
Proof.
  intros k l. unfold panel_decision, consensus, quorum. rewrite <- count_all, !Z.gtb_ltb, !Z.geb_leb.
  assert (N : FAMILIES_NEEDED <= families l -> l <> []).
  { unfold FAMILIES_NEEDED. intros Q ->. unfold families in Q. simpl in Q. lia. }
  destruct (Z.ltb_spec 0 (count 3 l)) as [C|C].
  - split; [discriminate|]. intros (_ & _ & A & _). apply count_all in A. apply count_pos in C as (b & I & E).
    specialize (A b I). lia.
  - destruct k, (Z.leb_spec (Z.of_nat (List.length l)) (count 0 l)),
      (Z.leb_spec FAMILIES_NEEDED (families l)); simpl; split; intros; try easy; try lia; intuition (try easy; lia).
Qed.

(** Everything else is CAUTION: a person decides. *)
Theorem anything_else_is_caution : forall k l,
  panel_decision k l = 1 <-> (forall b, In b l -> snd b <> 3) /\ ~ (k = true /\ l <> [] /\ all_vote 0 l /\ quorum l).
Proof.
  intros k l. rewrite <- safe_needs_a_unanimous_quorum.
  pose proof (panel_range k l). pose proof (any_malicious_vote_blocks k l) as [M M']. split.
  - intros E. split; [|lia]. intros b I S. assert (panel_decision k l = 2) by eauto. lia.
  - intros [A B]. assert (panel_decision k l <> 2); [|lia]. intros E. destruct (M E) as (b & I & S). now destruct (A b I).
Qed.

(** A panel of one family, however large and however unanimous, is never SAFE: it can block, and its best is CAUTION. *)
Theorem one_family_is_no_quorum : forall k l, families l < 2 -> 1 <= panel_decision k l.
Proof.
  intros k l F. pose proof (panel_range k l). assert (panel_decision k l <> 0); [|lia].
  intros E. apply safe_needs_a_unanimous_quorum in E as (_ & _ & _ & Q). unfold quorum, FAMILIES_NEEDED in Q. lia.
Qed.

(** A panel that was not asked of every finding is never SAFE. *)
Theorem an_incomplete_review_is_not_safe : forall l, 1 <= panel_decision false l.
Proof.
  intros l. pose proof (panel_range false l). assert (panel_decision false l <> 0); [|lia].
  intros E. apply safe_needs_a_unanimous_quorum in E as (K & _). discriminate.
Qed.

(** No votes at all, of an empty panel or otherwise, is CAUTION. *)
Theorem silence_is_caution : forall k, panel_decision k [] = 1.
Proof. now intros []. Qed.

Lemma families_perm : forall l m, Permutation l m -> families l = families m.
Proof.
  intros l m P. unfold families. f_equal. apply Permutation_length, NoDup_Permutation; try apply NoDup_nodup.
  intros x. rewrite !nodup_In, !filter_In.
  split; intros [I K]; split; try easy; revert I; apply Permutation_in; [|symmetry]; now apply Permutation_map.
Qed.

(** The decision of a panel does not depend on the order of its reviewers. *)
Theorem the_order_of_reviewers_does_not_matter : forall k l m, Permutation l m -> panel_decision k l = panel_decision k m.
Proof.
  intros k l m P. unfold panel_decision, count. rewrite (families_perm l m P).
  now rewrite (Permutation_length (filter_perm (fun b => snd b =? 3) _ _ P)),
    (Permutation_length (filter_perm (fun b => snd b =? 0) _ _ P)), (Permutation_length P).
Qed.

(** Adding a reviewer to a panel that has its quorum never moves the decision towards SAFE. *)
Theorem adding_a_reviewer_never_moves_towards_safe : forall k l v, quorum l -> panel_decision k l <= panel_decision k (v :: l).
Proof.
  intros k l v Q.
  pose proof (panel_range k l). pose proof (panel_range k (v :: l)).
  destruct (Z.eq_dec (panel_decision k l) 2) as [E|E].
  - apply any_malicious_vote_blocks in E as (b & I & S).
    assert (panel_decision k (v :: l) = 2) by (apply any_malicious_vote_blocks; exists b; split; [now right|easy]). lia.
  - destruct (Z.eq_dec (panel_decision k (v :: l)) 0) as [Z|Z]; [|lia].
    apply safe_needs_a_unanimous_quorum in Z as (K & _ & A & _).
    assert (panel_decision k l = 0); [|lia]. apply safe_needs_a_unanimous_quorum. repeat split; auto.
    + intros ->. unfold quorum, families, FAMILIES_NEEDED in Q. simpl in Q. lia.
    + intros b I. apply A. now right.
Qed.

(** Where adding a reviewer does move it, there was no quorum yet and everyone says SAFE. *)
Theorem only_completing_a_quorum_moves_towards_safe : forall k l v,
  panel_decision k (v :: l) < panel_decision k l -> ~ quorum l /\ all_vote 0 (v :: l).
Proof.
  intros k l v D. split.
  - intros Q. pose proof (adding_a_reviewer_never_moves_towards_safe k l v Q). lia.
  - assert (panel_decision k l <> 2).
    { intros E. pose proof E as F. apply any_malicious_vote_blocks in F as (b & I & S).
      assert (panel_decision k (v :: l) = 2) by (apply any_malicious_vote_blocks; exists b; split; [now right|easy]).
      lia. }
    pose proof (panel_range k l). pose proof (panel_range k (v :: l)).
    assert (panel_decision k (v :: l) = 0) as E by lia. now apply safe_needs_a_unanimous_quorum in E.
Qed.

(** One vote that is not SAFE is enough: the panel then decides CAUTION at least. *)
Theorem one_vote_that_is_not_safe_is_enough : forall k a b f v, v <> 0 -> 1 <= panel_decision k (a ++ (f, v) :: b).
Proof.
  intros k a b f v N. pose proof (panel_range k (a ++ (f, v) :: b)). assert (panel_decision k (a ++ (f, v) :: b) <> 0); [|lia].
  intros E. apply safe_needs_a_unanimous_quorum in E as (_ & _ & A & _).
  assert (I : In (f, v) (a ++ (f, v) :: b)) by (apply in_or_app; right; now left). now specialize (A _ I).
Qed.

(** * Rulings of persons: the only thing that lowers a decision *)
From Coq Require Import ZArith Bool List String Lia.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Verdict Ruling.
From Sluicegate.Thm Require Import Kernel.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

Lemma size_nonneg : forall l, 0 <= size l.
Proof. intros. unfold size. lia. Qed.
Lemma size_pos : forall l, 1 <= size l -> exists x, In x l.
Proof. intros [|x l] H; [unfold size in H; simpl in H; lia|]. exists x. now left. Qed.
Lemma of_content_true : forall c r, of_content c r = true <-> c <> EmptyString /\ r_content r = c.
Proof.
  intros. unfold of_content. rewrite andb_true_iff, negb_true_iff, String.eqb_eq, String.eqb_neq. tauto.
Qed.
Lemma holding_in : forall t k c rs r, In r (holding t k c rs) <-> In r rs
  /\ (r_docket r = k \/ (c <> EmptyString /\ r_content r = c) /\ approves r = false) /\ past t (r_last r) = false
  /\ (approves r = true -> named r = true /\ reasoned r = true).
Proof.
  intros. unfold holding. rewrite filter_In, only_a_ruling_about_this_holds, String.eqb_eq, of_content_true. tauto.
Qed.
Lemma persons_in : forall p rs x, In x (persons p rs) <-> exists r, In r rs /\ p r = true /\ person r = x.
Proof.
  intros. unfold persons. rewrite nodup_In, in_map_iff. split.
  - intros (r & E & I). apply filter_In in I as [I P]. eauto.
  - intros (r & I & P & E). exists r. split; [easy|]. now apply filter_In.
Qed.
Lemma without_in : forall out l x, In x (without out l) -> In x l.
Proof. intros out l x I. unfold without in I. apply filter_In in I. tauto. Qed.

(** A ruling about another docket, or one that has expired, changes nothing, unless it rejects this content: when a byte of the
    bundle, a finding, a gap or anything of the panel is another, the docket is. *)
Theorem a_ruling_about_something_else_is_inert : forall t k c n p rs d,
  (forall r, In r rs -> (r_docket r <> k /\ (approves r = true \/ r_content r <> c \/ c = EmptyString)) \/ past t (r_last r) = true) ->
  ruled_decision t k c n p rs d = d.
Proof.
  intros t k c n p rs d H. assert (E : holding t k c rs = []).
  { destruct (holding t k c rs) as [|r l] eqn:E; [reflexivity|].
    assert (I : In r (holding t k c rs)) by (rewrite E; now left).
    apply holding_in in I as (I & D & P & _). destruct (H r I) as [[N O]|X]; [|congruence].
    destruct D as [D|[[D F] A]]; [congruence|]. destruct O as [O|[O|O]]; congruence. }
  unfold ruled_decision. rewrite E. change (ruled d 0 0 0 n p = d). unfold ruled. simpl.
  destruct (d >=? 2); [destruct (p && _) eqn:X|destruct (0 >=? _) eqn:X]; try easy; exfalso;
    [apply andb_true_iff in X as [_ X]|]; rewrite Z.geb_leb in X; apply Z.leb_le in X; lia.
Qed.

(** Only a person lowers a decision: where it became milder, somebody with a name approved of exactly this, for a reason, and
    nobody rejected it, with a name and a reason or without. *)
Theorem only_a_person_lowers_a_decision : forall t k c n p rs d, 0 <= d <= 2 -> ruled_decision t k c n p rs d < d ->
  (exists r, In r rs /\ r_docket r = k /\ past t (r_last r) = false /\ approves r = true /\ person r <> EmptyString /\ reasoned r = true)
  /\ forall r, In r rs -> r_docket r = k \/ (c <> EmptyString /\ r_content r = c) -> past t (r_last r) = false -> approves r = true.
Proof.
  intros t k c n p rs d R L. unfold ruled_decision in L. set (h := holding t k c rs) in *.
  pose proof (size_nonneg (against h)) as N.
  assert (A : size (against h) = 0).
  { destruct (Z.eq_dec (size (against h)) 0) as [E|E]; [easy|]. rewrite a_rejection_blocks in L by lia. lia. }
  assert (B : forall r, In r h -> approves r = true).
  { intros r I. destruct (approves r) eqn:E; [easy|]. exfalso.
    assert (J : In (person r) (against h)) by (apply persons_in; exists r; now rewrite E).
    unfold size in A. destruct (against h); simpl in *; [easy|lia]. }
  split.
  - assert (X : 1 <= size (approving h) \/ 1 <= size (overriding h)).
    { rewrite A in L. unfold ruled in L. simpl in L. rewrite !Z.geb_leb in L.
      destruct (Z.leb_spec 2 d); [destruct (p && _) eqn:E in L; [|lia]; apply andb_true_iff in E as [_ E]; apply Z.leb_le in E; lia|].
      destruct (Z.leb_spec (Z.max 1 n) (size (approving h))); lia. }
    assert (Y : exists r, In r h /\ approves r = true).
    { destruct X as [X|X]; apply size_pos in X as (x & X); apply without_in, persons_in in X as (r & I & P & _); exists r;
        (split; [easy|]); [easy|]. now apply andb_true_iff in P. }
    destruct Y as (r & I & P). apply holding_in in I as (I & D & Q & W). destruct (W P) as [M O].
    assert (K : r_docket r = k) by (destruct D as [D|[_ D]]; [easy|congruence]).
    exists r. repeat split; auto. unfold named in M. apply negb_true_iff in M. now apply String.eqb_neq.
  - intros r I D Q. destruct (approves r) eqn:E; [easy|]. rewrite <- E. apply B. apply holding_in.
    repeat split; auto; try congruence. destruct D; [now left|]. now right.
Qed.

(** DO_NOT_INSTALL stays, whoever approves, unless policy permits an override and somebody overrides. *)
Theorem a_block_stays_unless_policy_permits : forall t k c n rs, ruled_decision t k c n false rs 2 = 2.
Proof. intros. unfold ruled_decision, ruled. destruct (_ >? 0); reflexivity. Qed.

(** An approval that is not an override does not end DO_NOT_INSTALL. *)
Theorem a_block_needs_an_override : forall t k c n p rs,
  (forall r, In r rs -> overrides r = false) -> ruled_decision t k c n p rs 2 = 2.
Proof.
  intros t k c n p rs H. set (h := holding t k c rs).
  assert (E : overriding h = []).
  { destruct (overriding h) as [|x l] eqn:E; [reflexivity|]. assert (I : In x (overriding h)) by (rewrite E; now left).
    apply without_in, persons_in in I as (r & I & P & _). apply holding_in in I as (I & _). rewrite (H r I) in P.
    now rewrite andb_false_r in P. }
  unfold ruled_decision. fold h. rewrite E. unfold ruled. destruct (_ >? 0); [easy|]. simpl.
  change (size []) with 0. destruct p; [simpl|easy]. destruct (0 >=? Z.max 1 n) eqn:X; [|easy].
  rewrite Z.geb_leb in X. apply Z.leb_le in X. lia.
Qed.

(** One person counts once, however many rulings bear the name. *)
Theorem a_person_counts_once : forall rs, NoDup (approving rs) /\ NoDup (overriding rs) /\ NoDup (against rs).
Proof. intros. unfold approving, overriding, against, without, persons. repeat split; try apply NoDup_filter; apply NoDup_nodup. Qed.

(** Somebody who rejects does not approve, whatever else the same person said. *)
Theorem who_rejects_does_not_approve : forall rs x, In x (against rs) -> ~ In x (approving rs) /\ ~ In x (overriding rs).
Proof.
  intros rs x I. unfold approving, overriding, without. split; intros J; apply filter_In in J as [_ J];
    apply negb_true_iff in J; assert (existsb (String.eqb x) (against rs) = true)
      by (apply existsb_exists; exists x; split; [easy | apply String.eqb_refl]); congruence.
Qed.

(** A rejection blocks whether or not its person is named and gives a reason, whatever else is ruled. *)
Theorem any_rejection_blocks : forall t k c n p rs d r,
  In r rs -> r_docket r = k \/ (c <> EmptyString /\ r_content r = c) -> past t (r_last r) = false -> approves r = false ->
  ruled_decision t k c n p rs d = 2.
Proof.
  intros t k c n p rs d r I D P A. unfold ruled_decision. apply a_rejection_blocks.
  assert (J : In (person r) (against (holding t k c rs))).
  { unfold against. apply persons_in. exists r. split; [|now rewrite A]. apply holding_in.
    repeat split; auto; try congruence. destruct D; [now left|]. now right. }
  unfold size. destruct (against (holding t k c rs)); [easy|]. simpl. lia.
Qed.

(** A rejection holds for its content under every docket: whatever is found in the same bytes, and whoever reviews them. *)
Theorem a_rejection_holds_for_its_content : forall t k c n p rs d r,
  In r rs -> r_content r = c -> c <> EmptyString -> past t (r_last r) = false -> approves r = false ->
  ruled_decision t k c n p rs d = 2.
Proof. intros. eapply any_rejection_blocks; eauto. Qed.

(** A rejection, whatever it is about, never makes a decision milder: it blocks, or everything is as without it. *)
Theorem a_rejection_never_lowers : forall t k c n p a b r d, 0 <= d <= 2 -> approves r = false ->
  ruled_decision t k c n p (a ++ b) d <= ruled_decision t k c n p (a ++ r :: b) d.
Proof.
  intros t k c n p a b r d R A.
  assert (U : forall l, ruled_decision t k c n p l d <= 2).
  { intros l. unfold ruled_decision, ruled. destruct (_ >? 0); [lia|]. destruct (d >=? 2); [destruct (p && _)|destruct (_ >=? _)]; lia. }
  destruct (holds (String.eqb (r_docket r) k) (of_content c r) (past t (r_last r)) (approves r) (named r) (reasoned r)) eqn:H.
  - apply only_a_ruling_about_this_holds in H as (S & P & _). rewrite (any_rejection_blocks t k c n p (a ++ r :: b) d r); auto.
    + apply in_or_app. right. now left.
    + rewrite String.eqb_eq, of_content_true in S. tauto.
  - unfold ruled_decision, holding. rewrite !filter_app. simpl. rewrite H. lia.
Qed.

(** An approval of nobody, or for no reason, counts for nothing: with or without it the decision is the same. *)
Theorem an_approval_without_name_or_reason_is_inert : forall t k c n p a b r d,
  approves r = true -> person r = EmptyString \/ reasoned r = false ->
  ruled_decision t k c n p (a ++ r :: b) d = ruled_decision t k c n p (a ++ b) d.
Proof.
  intros t k c n p a b r d A N. unfold ruled_decision, holding. rewrite !filter_app. simpl.
  destruct (holds _ _ _ (approves r) (named r) (reasoned r)) eqn:H; [exfalso|reflexivity].
  apply only_a_ruling_about_this_holds in H as (_ & _ & W). destruct (W A) as [M S].
  destruct N as [N|N]; [|congruence]. unfold named in M. rewrite N in M. discriminate.
Qed.

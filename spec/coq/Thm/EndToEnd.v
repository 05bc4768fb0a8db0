(** * From one reply to the verdict *)
From Coq Require Import ZArith Bool List String Lia Arith Permutation.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Finding Score Verdict Consensus Envelope.
From Sluicegate.Thm Require Import Kernel Score Verdict Consensus Envelope.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

(** ** The votes of attempts, of packages and of seats *)
Lemma attempted_range : forall b n, 0 <= b <= 3 -> 0 <= n <= 3 -> 0 <= attempted b n <= 3.
Proof. intros. unfold attempted. destruct (b =? 1); [lia|]. destruct (n =? 1); lia. Qed.
Lemma fold_range : forall {A} (g : A -> Z) l c, (forall x, 0 <= g x <= 3) -> 0 <= c <= 3 ->
  0 <= fold_left (fun c a => attempted c (g a)) l c <= 3.
Proof. intros A g l. induction l as [|x l IH]; simpl; intros c G C; [easy|]. apply IH; [easy|]. now apply attempted_range. Qed.
Lemma fold_hears : forall {A} (g : A -> Z) l k c, 2 <= k ->
  (k <= fold_left (fun c a => attempted c (g a)) l c <-> k <= c \/ exists x, In x l /\ k <= g x).
Proof.
  intros A g l k c K. revert c. induction l as [|y l IH]; simpl; intros c.
  - split; [auto|]. intros [H|(x & [] & _)]. exact H.
  - rewrite IH, no_attempt_lifts_a_doubt by easy. split.
    + intros [[H|H]|(x & I & H)]; eauto.
    + intros [H|(x & [->|I] & H)]; eauto.
Qed.
Lemma fold_safe : forall {A} (g : A -> Z) l c,
  fold_left (fun c a => attempted c (g a)) l c = 0 -> c = 0 \/ exists x, In x l /\ g x = 0.
Proof.
  intros A g l. induction l as [|y l IH]; simpl; intros c Z; [now left|]. destruct (IH _ Z) as [S|(x & I & S)]; [|eauto].
  unfold attempted in S. destruct (c =? 1); [eauto|]. destruct (g y =? 1); [now left|].
  destruct (Z.max_spec c (g y)) as [[_ E]|[_ E]]; rewrite E in S; eauto.
Qed.
Lemma fold_swap : forall {A} (g : A -> Z) l c x,
  fold_left (fun c a => attempted c (g a)) l (attempted c (g x)) = attempted (fold_left (fun c a => attempted c (g a)) l c) (g x).
Proof.
  intros A g l. induction l as [|y l IH]; simpl; intros c x; [reflexivity|]. rewrite <- IH. f_equal.
  rewrite !(proj2 (attempts_count_in_any_order c _ _)). f_equal. apply (attempts_count_in_any_order _ _ 0).
Qed.
Lemma fold_permutes : forall {A} (g : A -> Z) l m c, Permutation l m ->
  fold_left (fun c a => attempted c (g a)) l c = fold_left (fun c a => attempted c (g a)) m c.
Proof.
  intros A g l m c P. revert c. induction P; simpl; intros c; [easy | apply IHP | | now rewrite IHP1].
  f_equal. rewrite !(proj2 (attempts_count_in_any_order c _ _)). f_equal. apply (attempts_count_in_any_order _ _ 0).
Qed.
Lemma reading_range : forall v a, 0 <= comes_to (reading_of v a) <= 3.
Proof. intros. unfold reading_of. apply comes_range. Qed.
Lemma vote_on_range : forall v s p, 0 <= vote_on v s p <= 3.
Proof. intros. unfold vote_on. apply (fold_range (fun a => comes_to (reading_of v a))); [|lia]. intros. apply reading_range. Qed.
Lemma max_ge : forall l x, In x l -> x <= fold_right Z.max 0 l.
Proof. induction l as [|y l IH]; simpl; intros x I; [easy|]. destruct I as [->|I]; [lia|]. specialize (IH x I). lia. Qed.
Lemma max_le : forall l k, 0 <= k -> (forall x, In x l -> x <= k) -> 0 <= fold_right Z.max 0 l <= k.
Proof.
  induction l as [|y l IH]; simpl; intros k K H; [lia|]. pose proof (H y (or_introl eq_refl)).
  specialize (IH k K (fun x I => H x (or_intror I))). lia.
Qed.
Lemma worst_ge : forall l x, In x l -> x <= worst l.
Proof. intros [|y l] x I; [easy|]. unfold worst. now apply max_ge. Qed.
Lemma worst_range : forall l, (forall x, In x l -> 0 <= x <= 3) -> 0 <= worst l <= 3.
Proof. intros [|y l] H; [simpl; lia|]. unfold worst. apply max_le; [lia|]. intros x I. apply H. exact I. Qed.
Lemma seat_range : forall v s, 0 <= vote_of_seat v s <= 3.
Proof.
  intros. unfold vote_of_seat. apply worst_range. intros x I. apply in_map_iff in I as (p & <- & _). apply vote_on_range.
Qed.
Lemma seat_ge : forall v s p, In p (packages_for v (role_of v s)) -> vote_on v s p <= vote_of_seat v s.
Proof. intros v s p I. unfold vote_of_seat. apply worst_ge. now apply in_map. Qed.
Lemma combine_seat : forall {B} (panel : list B) (g : nat -> Z) k s, (s < List.length panel)%nat ->
  exists f, In (f, g (k + s)%nat) (combine panel (map g (seq k (List.length panel)))).
Proof.
  induction panel as [|f panel IH]; simpl; intros g k s L; [lia|]. destruct s as [|s].
  - exists f. left. now rewrite Nat.add_0_r.
  - destruct (IH g (S k) s) as (x & I); [lia|]. exists x. right. now replace (k + S s)%nat with (S k + s)%nat by lia.
Qed.
Lemma ballot_of_seat : forall v s, (s < List.length (seats v))%nat -> exists f, In (f, vote_of_seat v s) (ballots v).
Proof.
  intros v s L. unfold ballots. rewrite <- (map_length counting_family (seats v)).
  apply (combine_seat (map counting_family (seats v)) (vote_of_seat v) 0 s). now rewrite map_length.
Qed.
Lemma same_role_eq : forall a b, same_role a b = true <-> a = b.
Proof. intros [] []; simpl; intuition easy. Qed.
Lemma packages_in : forall v r p,
  In p (packages_for v r) <-> (p < List.length (packages v))%nat /\ for_role (package_of v p) = r.
Proof. intros. unfold packages_for. rewrite filter_In, in_seq, same_role_eq. intuition lia. Qed.

(** One reply that condemns, of any seat of the panel, on any package that it was asked, at any attempt, blocks: whatever all
    the others say, and whatever was found; also one that is no strict JSON, such as one in a fence. *)
Theorem one_condemning_reply_blocks : forall t es g v a j,
  In a (answers v) -> (back a = Answered j \/ exists alarm, back a = Damaged j alarm) -> condemns_all j = true ->
  (seat_at a < List.length (seats v))%nat -> (package_at a < List.length (packages v))%nat ->
  for_role (package_of v (package_at a)) = role_of v (seat_at a) ->
  reviewed_verdict t es g v = 2.
Proof.
  intros t es g v a j A B C S P R.
  assert (X : comes_to (reading_of v a) = 3) by (unfold reading_of; destruct B as [B|(x & B)]; rewrite B; [now apply what_condemns_is_heard | now apply what_condemns_is_heard_however_damaged]).
  assert (I : In a (answers_of v (seat_at a) (package_at a))).
  { unfold answers_of. apply filter_In. split; [easy|]. now rewrite !Nat.eqb_refl. }
  assert (V : 3 <= vote_on v (seat_at a) (package_at a)).
  { unfold vote_on. apply (fold_hears (fun a => comes_to (reading_of v a))); [lia|]. right. exists a. split; [easy|]. lia. }
  assert (D : panel_decision (complete v) (ballots v) = 2).
  { apply any_malicious_vote_blocks. destruct (ballot_of_seat v (seat_at a) S) as (f & F).
    exists (f, vote_of_seat v (seat_at a)). split; [easy|]. simpl.
    pose proof (seat_ge v (seat_at a) (package_at a) (proj2 (packages_in _ _ _) (conj P R))).
    pose proof (seat_range v (seat_at a)). lia. }
  unfold reviewed_verdict, stricter. rewrite D. pose proof (verdict_range t es (output v) g). lia.
Qed.

(** One reply that alarms or doubts, of any seat, on any package that it was asked, at any attempt, prevents SAFE: whatever the
    same seat says before or after it, and whatever all the others say. *)
Theorem an_alarm_is_never_lifted : forall t es g v a,
  In a (answers v) -> 2 <= comes_to (reading_of v a) ->
  (seat_at a < List.length (seats v))%nat -> (package_at a < List.length (packages v))%nat ->
  for_role (package_of v (package_at a)) = role_of v (seat_at a) ->
  2 <= vote_of_seat v (seat_at a) /\ 1 <= reviewed_verdict t es g v.
Proof.
  intros t es g v a A X S P R.
  assert (I : In a (answers_of v (seat_at a) (package_at a))).
  { unfold answers_of. apply filter_In. split; [easy|]. now rewrite !Nat.eqb_refl. }
  assert (V : 2 <= vote_on v (seat_at a) (package_at a)).
  { unfold vote_on. apply (fold_hears (fun a => comes_to (reading_of v a))); [lia|]. right. eauto. }
  pose proof (seat_ge v (seat_at a) (package_at a) (proj2 (packages_in _ _ _) (conj P R))) as G.
  split; [lia|]. destruct (ballot_of_seat v (seat_at a) S) as (f & F).
  assert (D : panel_decision (complete v) (ballots v) <> 0).
  { intros D. apply safe_needs_a_unanimous_quorum in D as (_ & _ & U & _). specialize (U _ F). simpl in U. lia. }
  unfold reviewed_verdict, stricter. pose proof (verdict_range t es (output v) g).
  pose proof (panel_range (complete v) (ballots v)). lia.
Qed.

(** The same review with the replies in another order comes to the same votes. *)
Theorem the_order_of_attempts_does_not_matter : forall v w s p, Permutation (answers v) w ->
  vote_on (mkReview (findings v) (packages v) (seats v) w (bundle v)) s p = vote_on v s p.
Proof.
  intros v w s p P. unfold vote_on. symmetry.
  apply (fold_permutes (fun a => comes_to (reading_of v a)) (answers_of v s p)). unfold answers_of. cbn [answers].
  induction P; simpl; auto.
  - destruct (_ && _)%nat; auto.
  - destruct (_ && _)%nat, (_ && _)%nat; auto. apply perm_swap.
  - now rewrite IHP1.
Qed.

(** One more reply never makes a vote better that is no abstention. *)
Theorem one_more_attempt_never_helps_but_after_an_abstention : forall v a s p, vote_on v s p <> 1 ->
  vote_on v s p <= vote_on (mkReview (findings v) (packages v) (seats v) (answers v ++ [a]) (bundle v)) s p.
Proof.
  intros v a s p N. unfold vote_on in *. unfold answers_of at 2. cbn [answers]. rewrite filter_app. simpl.
  fold (answers_of v s p). destruct (_ && _)%nat; [|rewrite app_nil_r; apply Z.le_refl].
  rewrite fold_left_app. simpl. now apply only_an_abstention_is_mended.
Qed.

(** A reviewed verdict is SAFE only if it is SAFE without the panel, every finding was put before a reviewer, the panel has
    reviewers of two families, and every seat gave, for every package of its role (of which there is one at least), a whole
    reply that says SAFE, and none that condemns, doubts or alarms. *)
Theorem safe_means_that_everyone_read_everything : forall t es g v,
  reviewed_verdict t es g v = 0 ->
  verdict t es (findings v) g = 0 /\ complete v = true /\ quorum (ballots v)
  /\ forall s, (s < List.length (seats v))%nat -> packages_for v (role_of v s) <> [] /\
     forall p, In p (packages_for v (role_of v s)) ->
       (exists a, In a (answers_of v s p) /\ comes_to (reading_of v a) = 0)
       /\ forall a, In a (answers_of v s p) -> comes_to (reading_of v a) <= 1.
Proof.
  intros t es g v Z.
  pose proof (no_reply_moves_the_verdict_towards_safe t es g v) as M. pose proof (verdict_range t es (findings v) g).
  assert (P : panel_decision (complete v) (ballots v) = 0).
  { unfold reviewed_verdict, stricter in Z. pose proof (panel_range (complete v) (ballots v)). lia. }
  apply safe_needs_a_unanimous_quorum in P as (K & _ & A & Q).
  split; [lia|]. split; [easy|]. split; [easy|]. intros s L.
  destruct (ballot_of_seat v s L) as (f & F). specialize (A _ F). simpl in A. split.
  - intros E. unfold vote_of_seat in A. rewrite E in A. discriminate.
  - intros p I. pose proof (seat_ge v s p I) as G. rewrite A in G. pose proof (vote_on_range v s p).
    assert (W : vote_on v s p = 0) by lia. unfold vote_on in W. split.
    + apply (fold_safe (fun a => comes_to (reading_of v a))) in W as [W|W]; easy.
    + intros a J. destruct (Z.leb_spec (comes_to (reading_of v a)) 1); [easy|]. exfalso.
      assert (2 <= 0); [|lia]. rewrite <- W. apply (fold_hears (fun a => comes_to (reading_of v a))); [lia|].
      right. exists a. split; [easy | lia].
Qed.

(** A panel of which no two known families could say SAFE never ends in SAFE: it can block, and its best is CAUTION. *)
Theorem one_family_cannot_make_safe : forall t es g v, families (ballots v) < 2 -> 1 <= reviewed_verdict t es g v.
Proof.
  intros. pose proof (one_family_is_no_quorum (complete v) (ballots v) H). unfold reviewed_verdict, stricter. lia.
Qed.

(** An empty panel is CAUTION at least, and so is one that was asked nothing. *)
Theorem an_empty_panel_is_not_safe : forall t es g v, seats v = [] \/ packages v = [] -> 1 <= reviewed_verdict t es g v.
Proof.
  intros t es g v E. pose proof (reviewed_range t es g v) as R.
  destruct (Z.eq_dec (reviewed_verdict t es g v) 0) as [Z|Z]; [exfalso|lia].
  apply safe_means_that_everyone_read_everything in Z as (_ & _ & Q & S).
  destruct E as [E|E].
  - unfold quorum, ballots, families, FAMILIES_NEEDED in Q. rewrite E in Q. simpl in Q. lia.
  - unfold packages_for in S. rewrite E in S. destruct (seats v) as [|x r] eqn:X.
    + unfold quorum, ballots, families, FAMILIES_NEEDED in Q. rewrite X in Q. simpl in Q. lia.
    + destruct (S 0%nat) as [N _]; [simpl; lia|]. now apply N.
Qed.

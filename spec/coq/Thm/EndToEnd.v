(** * From one reply to the verdict *)
From Coq Require Import ZArith Bool List String Lia Arith.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Finding Score Verdict Consensus Envelope.
From Sluicegate.Thm Require Import Kernel Score Verdict Consensus Envelope.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

(** ** The votes of attempts, of packages and of seats *)
Lemma attempted_range : forall b n, 0 <= b <= 3 -> 0 <= n <= 3 -> 0 <= attempted b n <= 3.
Proof. intros. unfold attempted. destruct (_ || _); [lia|]. destruct (n =? 1); lia. Qed.
Lemma fold_range : forall {A} (g : A -> Z) l c, (forall x, 0 <= g x <= 3) -> 0 <= c <= 3 ->
  0 <= fold_left (fun c a => attempted c (g a)) l c <= 3.
Proof. intros A g l. induction l as [|x l IH]; simpl; intros c G C; [easy|]. apply IH; [easy|]. now apply attempted_range. Qed.
Lemma fold_stays : forall {A} (g : A -> Z) l, (forall x, 0 <= g x <= 3) -> fold_left (fun c a => attempted c (g a)) l 3 = 3.
Proof.
  intros A g l G. induction l as [|x l IH]; simpl; [easy|].
  replace (attempted 3 (g x)) with 3; [easy|]. symmetry. apply an_attempt_that_condemns_stays; [lia | apply G | now left].
Qed.
Lemma fold_hears : forall {A} (g : A -> Z) l c x, (forall x, 0 <= g x <= 3) -> 0 <= c <= 3 -> In x l -> g x = 3 ->
  fold_left (fun c a => attempted c (g a)) l c = 3.
Proof.
  intros A g l. induction l as [|y l IH]; simpl; intros c x G C I E; [easy|]. destruct I as [->|I].
  - replace (attempted c (g x)) with 3; [now apply fold_stays|]. symmetry. apply an_attempt_that_condemns_stays; auto.
  - apply (IH _ x); auto. now apply attempted_range.
Qed.
Lemma fold_safe : forall {A} (g : A -> Z) l c, (forall x, 0 <= g x <= 3) -> 0 <= c <= 3 ->
  fold_left (fun c a => attempted c (g a)) l c = 0 -> (c = 0 \/ exists x, In x l /\ g x = 0) /\ forall x, In x l -> g x <> 3.
Proof.
  intros A g l. induction l as [|y l IH]; simpl; intros c G C Z; [now split; [left|]|].
  pose proof (attempted_range c (g y) C (G y)) as R. destruct (IH _ G R Z) as [S N]. split.
  - destruct S as [S|(x & I & S)]; [|right; eauto]. unfold attempted in S. destruct (_ || _); [discriminate|].
    destruct (Z.eqb_spec (g y) 1); [now left|]. right. eauto.
  - intros x [<-|I] E; [|now apply (N x)].
    assert (attempted c (g y) = 3) as T by (apply an_attempt_that_condemns_stays; auto).
    rewrite T in Z. rewrite fold_stays in Z; [discriminate | easy].
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
    the others say, and whatever was found. *)
Theorem one_condemning_reply_blocks : forall t es g v a j,
  In a (answers v) -> back a = Answered j -> condemns_all j = true ->
  (seat_at a < List.length (seats v))%nat -> (package_at a < List.length (packages v))%nat ->
  for_role (package_of v (package_at a)) = role_of v (seat_at a) ->
  reviewed_verdict t es g v = 2.
Proof.
  intros t es g v a j A B C S P R.
  assert (X : comes_to (reading_of v a) = 3) by (unfold reading_of; rewrite B; now apply what_condemns_is_heard).
  assert (I : In a (answers_of v (seat_at a) (package_at a))).
  { unfold answers_of. apply filter_In. split; [easy|]. now rewrite !Nat.eqb_refl. }
  assert (V : vote_on v (seat_at a) (package_at a) = 3).
  { unfold vote_on. apply (fold_hears (fun a => comes_to (reading_of v a)) _ 1 a); auto; [|lia]. intros. apply reading_range. }
  assert (D : panel_decision (complete v) (ballots v) = 2).
  { apply any_malicious_vote_blocks. destruct (ballot_of_seat v (seat_at a) S) as (f & F).
    exists (f, vote_of_seat v (seat_at a)). split; [easy|]. simpl.
    pose proof (seat_ge v (seat_at a) (package_at a) (proj2 (packages_in _ _ _) (conj P R))).
    pose proof (seat_range v (seat_at a)). lia. }
  unfold reviewed_verdict, stricter. rewrite D. pose proof (verdict_range t es (output v) g). lia.
Qed.

(** A reviewed verdict is SAFE only if it is SAFE without the panel, every finding was put before a reviewer, the panel has
    reviewers of two families, and every seat gave, for every package of its role (of which there is one at least), a whole
    reply that says SAFE, and none that condemns. *)
Theorem safe_means_that_everyone_read_everything : forall t es g v,
  reviewed_verdict t es g v = 0 ->
  verdict t es (findings v) g = 0 /\ complete v = true /\ quorum (ballots v)
  /\ forall s, (s < List.length (seats v))%nat -> packages_for v (role_of v s) <> [] /\
     forall p, In p (packages_for v (role_of v s)) ->
       (exists a, In a (answers_of v s p) /\ comes_to (reading_of v a) = 0)
       /\ forall a, In a (answers_of v s p) -> comes_to (reading_of v a) <> 3.
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
    assert (W : vote_on v s p = 0) by lia. unfold vote_on in W.
    apply (fold_safe (fun a => comes_to (reading_of v a))) in W as [[W|W] N]; try easy; try lia. intros. apply reading_range.
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

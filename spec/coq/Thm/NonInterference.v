(** * Non-interference: what is closed to a label does not change with the values that carry it *)
From Coq Require Import Bool Arith List.
From Sluicegate.Spec Require Import Labels Program.
From Sluicegate.Thm Require Import Labels.
Import ListNotations.

Definition carries_on {O} (l : path) (m : monitor O) : Prop := forall o t, In l t -> In l (result m o t).

Lemma in_join : forall l a b, l <> trusted -> In l (join a b) <-> In l a \/ In l b.
Proof.
  intros l a b N. unfold join. rewrite joining_keeps_every_label_but_trust by easy. simpl. split.
  - intros (s & [<-|[<-|[]]] & I); auto.
  - intros [I|I]; [exists a | exists b]; auto.
Qed.
Lemma joined_has : forall l s sets, l <> trusted -> In s sets -> In l s -> In l (joined sets).
Proof. intros. apply joining_keeps_every_label_but_trust; eauto. Qed.

Lemma confined : forall V O (l : path) (m : monitor O), l <> trusted -> carries_on l m ->
  forall n pc (s : store V) (p : program V O) t events, In l pc -> run m n pc s p = Some (t, events) ->
  (forall e, In e events -> In l (taint_of e)) /\ (forall r, ~ In r (writes p) -> t r = s r).
Proof.
  intros V O l m NT C. induction n as [|n IH]; intros pc s p t events P R; [discriminate|].
  assert (W : forall r c, forall x, ~ In x [r] -> put s r c x = s x).
  { intros r c x X. unfold put. destruct (Nat.eqb_spec x r); [|easy]. subst. destruct X. now left. }
  destruct p as [| o takes into answer denial | from into change | a b | on test a b | on test body]; simpl in R.
  - injection R as <- <-. split; [intros e []|easy].
  - assert (T : In l (joined (pc :: map (fun r => fst (s r)) takes))) by (apply joined_has with pc; simpl; auto).
    destruct (allowed m o _); injection R as <- <-; (split; [|exact (W _ _)]); intros e [<-|[]]; exact T.
  - injection R as <- <-. split; [intros e []|exact (W _ _)].
  - destruct (run m n pc s a) as [[s1 before]|] eqn:A; [|discriminate].
    destruct (run m n pc s1 b) as [[s2 after]|] eqn:B; [|discriminate]. injection R as <- <-.
    destruct (IH _ _ _ _ _ P A) as [EA SA]. destruct (IH _ _ _ _ _ P B) as [EB SB]. split.
    + intros e I. apply in_app_or in I as [I|I]; auto.
    + simpl. intros r N. rewrite in_app_iff in N. rewrite SB, SA; auto.
  - destruct (run m n _ s _) as [[s1 ev]|] eqn:A; [|discriminate]. injection R as <- <-.
    assert (P' : In l (join pc (fst (s on)))) by (apply in_join; auto).
    destruct (IH _ _ _ _ _ P' A) as [E S]. split; [exact E|]. simpl. intros r N.
    unfold raise. destruct (existsb (Nat.eqb r) (writes a ++ writes b)) eqn:X.
    + apply existsb_exists in X as (x & I & Q). apply Nat.eqb_eq in Q. now subst.
    + apply S. rewrite in_app_iff in N. destruct (test _); auto.
  - destruct (IH _ _ _ _ _ P R) as [E S]. split; [exact E|]. intros r N. apply S. simpl. rewrite app_nil_r.
    rewrite in_app_iff. tauto.
Qed.

Lemma raised_in : forall V l rs ls (s : store V) r, l <> trusted -> In l ls -> In r rs -> In l (fst (raise rs ls s r)).
Proof.
  intros V l rs ls s r N I J. unfold raise. replace (existsb (Nat.eqb r) rs) with true.
  - apply in_join; auto.
  - symmetry. apply existsb_exists. exists r. split; [easy | apply Nat.eqb_refl].
Qed.
Lemma raised_out : forall V rs ls (s : store V) r, ~ In r rs -> raise rs ls s r = s r.
Proof.
  intros V rs ls s r N. unfold raise. destruct (existsb (Nat.eqb r) rs) eqn:X; [|easy].
  apply existsb_exists in X as (x & I & Q). apply Nat.eqb_eq in Q. now subst.
Qed.
Lemma alike_put : forall V l (s t : store V) r c d, alike l s t -> (c = d \/ (In l (fst c) /\ In l (fst d))) ->
  alike l (put s r c) (put t r d).
Proof. intros V l s t r c d A C x. unfold put. destruct (Nat.eqb x r); [exact C | apply A]. Qed.
Lemma alike_raise : forall V l (s t : store V) rs ls, l <> trusted -> alike l s t -> alike l (raise rs ls s) (raise rs ls t).
Proof.
  intros V l s t rs ls N A r. unfold raise. destruct (existsb (Nat.eqb r) rs); [|apply A].
  destruct (A r) as [E|[I J]]; [left; now rewrite E | right; simpl; split; apply in_join; auto].
Qed.
Lemma alike_reads : forall V l (s t : store V) rs, alike l s t ->
  map s rs = map t rs \/ ((exists r, In r rs /\ In l (fst (s r))) /\ (exists r, In r rs /\ In l (fst (t r)))).
Proof.
  intros V l s t rs A. induction rs as [|r rs IH]; [now left|]. simpl. destruct (A r) as [E|[I J]].
  - destruct IH as [IH|[(x & X & I) (y & Y & J)]]; [left; congruence | right; eauto 8].
  - right. eauto 8.
Qed.
Lemma unseen : forall V O l (events : list (event V O)), (forall e, In e events -> In l (taint_of e)) -> seen_without l events = [].
Proof.
  intros V O l. induction events as [|e events IH]; intros H; [easy|]. simpl.
  replace (has l (taint_of e)) with true by (symmetry; apply has_in, H; now left). simpl. apply IH. intros x X. apply H. now right.
Qed.

Lemma alike_runs : forall V O (l : path) (m : monitor O), l <> trusted -> carries_on l m ->
  forall n k pc (s t : store V) (p : program V O) s' t' es et, keeps l p -> alike l s t ->
  run m n pc s p = Some (s', es) -> run m k pc t p = Some (t', et) ->
  seen_without l es = seen_without l et /\ alike l s' t'.
Proof.
  intros V O l m NT C. induction n as [|n IH]; intros k pc s t p s' t' es et K A R Q; [discriminate|].
  destruct k as [|k]; [discriminate|].
  destruct p as [| o takes into answer denial | from into change | a b | on test a b | on test body]; simpl in R, Q.
  - injection R as <- <-. injection Q as <- <-. auto.
  - destruct (alike_reads V l s t takes A) as [E|[(x & X & I) (y & Y & J)]].
    + pose proof (f_equal (map fst) E) as E1. pose proof (f_equal (map snd) E) as E2. rewrite !map_map in E1, E2.
      rewrite E1, E2 in R. destruct (allowed m o _); injection R as <- <-; injection Q as <- <-;
        (split; [easy | apply alike_put; auto]).
    + assert (TS : In l (joined (pc :: map (fun r => fst (s r)) takes))).
      { apply joined_has with (fst (s x)); auto. right. now apply (in_map (fun r => fst (s r))). }
      assert (TT : In l (joined (pc :: map (fun r => fst (t r)) takes))).
      { apply joined_has with (fst (t y)); auto. right. now apply (in_map (fun r => fst (t r))). }
      assert (B : forall x : event V O, In l (taint_of x) -> seen_without l [x] = []).
      { intros e H. apply unseen. now intros f [<-|[]]. }
      destruct (allowed m o _); injection R as <- <-; destruct (allowed m o _); injection Q as <- <-;
        (split; [rewrite !B by easy; easy | apply alike_put; [easy|]; right; simpl; split; auto]).
  - injection R as <- <-. injection Q as <- <-. split; [easy|]. apply alike_put; [easy|].
    simpl in K. destruct (A from) as [E|[I J]]; [left; now rewrite E | right; simpl; split; apply in_join; auto].
  - destruct K as [KA KB].
    destruct (run m n pc s a) as [[s1 ea]|] eqn:RA; [|discriminate].
    destruct (run m n pc s1 b) as [[s2 eb]|] eqn:RB; [|discriminate]. injection R as <- <-.
    destruct (run m k pc t a) as [[t1 fa]|] eqn:QA; [|discriminate].
    destruct (run m k pc t1 b) as [[t2 fb]|] eqn:QB; [|discriminate]. injection Q as <- <-.
    destruct (IH _ _ _ _ _ _ _ _ _ KA A RA QA) as [EA A1]. destruct (IH _ _ _ _ _ _ _ _ _ KB A1 RB QB) as [EB A2].
    split; [|easy]. unfold seen_without. rewrite !filter_app. unfold seen_without in EA, EB. now rewrite EA, EB.
  - destruct K as [KA KB]. destruct (A on) as [E|[I J]].
    + rewrite E in R.
      destruct (run m n _ s _) as [[s1 e1]|] eqn:R1; [|discriminate]. injection R as <- <-.
      destruct (run m k _ t _) as [[t1 f1]|] eqn:Q1; [|discriminate]. injection Q as <- <-.
      assert (KC : keeps l (if test (snd (t on)) then a else b)) by now destruct (test _).
      destruct (IH _ _ _ _ _ _ _ _ _ KC A R1 Q1) as [EE AA]. split; [easy | now apply alike_raise].
    + destruct (run m n _ s _) as [[s1 e1]|] eqn:R1; [|discriminate]. injection R as <- <-.
      destruct (run m k _ t _) as [[t1 f1]|] eqn:Q1; [|discriminate]. injection Q as <- <-.
      assert (PS : In l (join pc (fst (s on)))) by (apply in_join; auto).
      assert (PT : In l (join pc (fst (t on)))) by (apply in_join; auto).
      destruct (confined _ _ _ _ NT C _ _ _ _ _ _ PS R1) as [ES WS].
      destruct (confined _ _ _ _ NT C _ _ _ _ _ _ PT Q1) as [ET WT].
      split; [now rewrite !unseen|]. intros r.
      destruct (in_dec Nat.eq_dec r (writes a ++ writes b)) as [W|W].
      * right. split; now apply raised_in.
      * rewrite in_app_iff in W. rewrite !raised_out by (rewrite in_app_iff; tauto).
        assert (X : forall c : bool, ~ In r (writes (if c then a else b))) by (intros []; tauto).
        rewrite WS, WT by apply X. apply A.
  - assert (K' : keeps l (If on test (Seq body (While on test body)) Skip)) by (simpl in *; auto).
    exact (IH _ _ _ _ _ _ _ _ _ K' A R Q).
Qed.

(** What does not carry a label does not depend on the values that carry it. Run the same program twice, from stores
    that differ only in values that carry the label: everything that is done and everything that is refused, with its
    labels and values, is the same in both runs, but for what carries the label itself. Branches, loops, errors and
    denials that the program catches are included; that a run comes to an end, and when, is not. *)
Theorem what_does_not_carry_a_label_does_not_depend_on_it :
  forall V O (l : path) (m : monitor O) (p : program V O) pc (s t s' t' : store V) es et n k,
  l <> trusted -> carries_on l m -> keeps l p -> alike l s t ->
  run m n pc s p = Some (s', es) -> run m k pc t p = Some (t', et) ->
  seen_without l es = seen_without l et.
Proof. intros. edestruct alike_runs with (s := s) (t := t); eauto. Qed.

Definition closed_to {O} (m : monitor O) (at_ : O -> bool) (l : path) : Prop :=
  forall o t, at_ o = true -> In l t -> allowed m o t = false.

Lemma nothing_carries : forall V O (l : path) (m : monitor O) at_, closed_to m at_ l ->
  forall n pc (s : store V) (p : program V O) s' events, run m n pc s p = Some (s', events) ->
  arrives at_ events = arrives at_ (seen_without l events).
Proof.
  intros V O l m at_ C. induction n as [|n IH]; intros pc s p s' events R; [discriminate|].
  destruct p as [| o takes into answer denial | from into change | a b | on test a b | on test body]; simpl in R.
  - now injection R as <- <-.
  - destruct (allowed m o _) eqn:AL; injection R as <- <-; simpl.
    + destruct (at_ o) eqn:S; destruct (has l _) eqn:H; simpl; rewrite ?S; try easy.
      apply has_in in H. now rewrite (C o _ S H) in AL.
    + now destruct (has l _).
  - now injection R as <- <-.
  - destruct (run m n pc s a) as [[s1 ea]|] eqn:RA; [|discriminate].
    destruct (run m n pc s1 b) as [[s2 eb]|] eqn:RB; [|discriminate]. injection R as <- <-.
    unfold arrives, seen_without in *. rewrite !filter_app. f_equal; eauto.
  - destruct (run m n _ s _) as [[s1 ev]|] eqn:R1; [|discriminate]. injection R as <- <-. eauto.
  - eauto.
Qed.

(** Non-interference: what arrives at operations that the policy closes to a label does not change with the values
    that carry that label. *)
Theorem what_is_closed_to_a_label_does_not_depend_on_it :
  forall V O (l : path) (m : monitor O) (closed : O -> bool) (p : program V O) pc (s t s' t' : store V) es et n k,
  l <> trusted -> carries_on l m -> keeps l p -> closed_to m closed l -> alike l s t ->
  run m n pc s p = Some (s', es) -> run m k pc t p = Some (t', et) ->
  arrives closed es = arrives closed et.
Proof.
  intros. rewrite (nothing_carries _ _ l m closed H2 _ _ _ _ _ _ H4), (nothing_carries _ _ l m closed H2 _ _ _ _ _ _ H5).
  f_equal. eapply what_does_not_carry_a_label_does_not_depend_on_it; eauto.
Qed.

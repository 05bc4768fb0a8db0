(** * Globs: what they cannot match *)
From Coq Require Import Bool List String Ascii Lia.
From Sluicegate.Spec Require Import Glob.
Import ListNotations.
Open Scope bool_scope.

(** A pattern matches only texts that hold every letter that it holds, so one with a letter never matches everything. *)
Theorem a_glob_needs_its_letters : forall p a s, In (Letter a) p -> matches p s = true -> In a s.
Proof.
  induction p as [|t q IH]; intros a s I M; [easy|]. destruct I as [-> | I].
  - destruct s as [|c r]; simpl in M; [easy|]. apply andb_true_iff in M as [E _]. apply Ascii.eqb_eq in E. left. auto.
  - destruct t; simpl in M.
    + destruct s; [easy|]. apply andb_true_iff in M as [_ M]. right. eauto.
    + destruct s; [easy|]. apply andb_true_iff in M as [_ M]. right. eauto.
    + induction s as [|c r IHr]; apply orb_true_iff in M as [M|M]; eauto; [easy|].
      apply andb_true_iff in M as [_ M]. right. now apply IHr.
    + induction s as [|c r IHr]; apply orb_true_iff in M as [M|M]; eauto; [easy|]. right. now apply IHr.
    + apply orb_true_iff in M as [M|M]; [eauto|]. induction s as [|c r IHr]; [easy|].
      apply orb_true_iff in M as [M|M]; [apply andb_true_iff in M as [_ M]; right; eauto | right; now apply IHr].
Qed.

Lemma matches_nil : forall s, matches [] s = true <-> s = [].
Proof. intros []; simpl; intuition easy. Qed.

(** One star matches exactly the texts that stay within a segment. *)
Theorem a_star_stays_in_its_segment : forall s, matches [Star] s = true <-> ~ In slash s.
Proof.
  induction s as [|c r IH]; [simpl; intuition|].
  replace (matches [Star] (c :: r)) with (negb (is_slash c) && matches [Star] r) by reflexivity.
  rewrite andb_true_iff, negb_true_iff, IH. unfold is_slash. simpl.
  destruct (Ascii.eqb_spec c slash); intuition easy.
Qed.

(** Two stars match everything. *)
Theorem two_stars_match_everything : forall s, matches [Stars] s = true.
Proof. induction s as [|c r IH]; [reflexivity|]. simpl in *. now rewrite IH, ?orb_true_r. Qed.

(** An empty pattern matches nothing, not even the empty text. *)
Theorem an_empty_pattern_matches_nothing : forall s, glob EmptyString s = false.
Proof. reflexivity. Qed.

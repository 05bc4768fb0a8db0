(** * Environments: a derived one is never wider *)
From Coq Require Import Bool String List ZArith Lia.
From Sluicegate.Spec Require Import Labels Environment.
From Sluicegate.Thm Require Import Labels.
Import ListNotations.
Open Scope bool_scope.

(** ** Networks *)
Lemma host_covers_refl : forall p, host_covers p p = true.
Proof. intros [h|h]; simpl; [apply same_refl | apply covers_refl]. Qed.
Lemma host_covers_trans : forall p q r, host_covers p q = true -> host_covers q r = true -> host_covers p r = true.
Proof.
  intros [a|a] [b|b] [c|c]; simpl; intros P Q; try discriminate; rewrite ?andb_true_iff, ?negb_true_iff in *.
  - apply same_iff in P, Q. subst. apply same_refl.
  - destruct P as [P N]. apply same_iff in Q. now subst.
  - destruct Q as [Q N]. split; [now apply covers_trans with b|]. apply not_true_is_false. intros S. apply same_iff in S. subst c.
    assert (E : a = b) by now apply covers_antisym. subst. rewrite same_refl in N. discriminate.
  - now apply covers_trans with b.
Qed.

(** Whatever host a derived network reaches, its parent's reaches. *)
Theorem a_narrower_network_reaches_no_more : forall p c h, no_wider_net p c -> reaches c h = true -> reaches p h = true.
Proof.
  intros [|wide|] [|close|] h N R; simpl in *; try easy. apply existsb_exists in R as (q & I & C).
  destruct (N q I) as (w & J & D). apply existsb_exists. exists w. split; [easy|]. now apply host_covers_trans with q.
Qed.

(** ** Roots *)
Lemma innermost_spec : forall roots q,
  match innermost roots q with
  | Some r => In r roots /\ covers (inside r) q = true
              /\ forall x, In x roots -> covers (inside x) q = true -> length (inside x) <= length (inside r)
  | None => forall x, In x roots -> covers (inside x) q = false
  end.
Proof.
  induction roots as [|r rs IH]; intros q; [easy|]. simpl. specialize (IH q). destruct (covers (inside r) q) eqn:C.
  - destruct (innermost rs q) as [m|]; simpl.
    + destruct IH as (I & D & M). destruct (Nat.ltb_spec (length (inside r)) (length (inside m))).
      * split; [auto|]. split; [easy|]. intros x [<-|X] Y; [lia | auto].
      * split; [auto|]. split; [easy|]. intros x [<-|X] Y; [lia|]. specialize (M x X Y). lia.
    + split; [auto|]. split; [easy|]. intros x [<-|X] Y; [lia|]. rewrite (IH x X) in Y. discriminate.
  - simpl. destruct (innermost rs q) as [m|].
    + destruct IH as (I & D & M). split; [auto|]. split; [easy|]. intros x [<-|X] Y; [congruence | auto].
    + intros x [<-|X]; auto.
Qed.
Lemma innermost_same : forall roots p q, (forall r, In r roots -> covers (inside r) p = covers (inside r) q) -> innermost roots p = innermost roots q.
Proof.
  induction roots as [|r rs IH]; intros p q E; [easy|]. simpl. rewrite (E r (or_introl eq_refl)), (IH p q); [easy|].
  intros x X. apply E. now right.
Qed.
Lemma shows_below : forall roots p rest, (forall r, In r roots -> covers (inside r) (p ++ rest)%list = covers (inside r) p) ->
  shows roots (p ++ rest)%list = match shows roots p with Some (h, w) => Some ((h ++ rest)%list, w) | None => None end.
Proof.
  intros roots p rest E. unfold shows. rewrite (innermost_same roots (p ++ rest)%list p E).
  pose proof (innermost_spec roots p) as S. destruct (innermost roots p) as [r|]; [|easy]. destruct S as (_ & C & _).
  apply covers_length in C. rewrite skipn_app. replace (length (inside r) - length p) with 0 by lia. simpl. now rewrite app_assoc.
Qed.

(** What is granted changes only where a root begins, so looking there decides for all paths: everywhere inside, a derived
    environment shows the same of the host as its parent, and writes only where that may write. *)
Theorem looking_where_roots_begin_decides_for_all_paths : forall p c,
  no_wider_roots (Some p) (Some c) -> forall q, grants_no_more (shows p q) (shows c q).
Proof.
  intros p c N q. pose proof (innermost_spec (p ++ c)%list q) as S. destruct (innermost (p ++ c)%list q) as [m|] eqn:M.
  - destruct S as (I & C & L). pose proof C as D. apply covers_app in D as (rest & ->).
    assert (E : forall v, incl v (p ++ c)%list -> forall r, In r v -> covers (inside r) (inside m ++ rest)%list = covers (inside r) (inside m)).
    { intros v V r R. apply eq_true_iff_eq. split; intros H.
      - apply (covers_by_length (inside r) (inside m) (inside m ++ rest)%list); auto.
      - now apply covers_trans with (inside m). }
    rewrite (shows_below p), (shows_below c); [|apply E; now apply incl_appr, incl_refl | apply E; now apply incl_appl, incl_refl].
    specialize (N m I). unfold grants_no_more in *. destruct (shows c (inside m)) as [[h w]|]; [|easy].
    destruct (shows p (inside m)) as [[h' w']|]; [|easy]. destruct N as [-> N]. auto.
  - assert (Z : innermost c q = None).
    { pose proof (innermost_spec c q) as T. destruct (innermost c q) as [r|]; [|easy]. destruct T as (I & C & _).
      rewrite (S r) in C; [discriminate|]. apply in_app_iff. auto. }
    unfold shows at 2. now rewrite Z.
Qed.

Lemma grants_trans : forall a b c, grants_no_more a b -> grants_no_more b c -> grants_no_more a c.
Proof.
  intros a b c A B. unfold grants_no_more in *. destruct c as [[h w]|]; [|easy]. destruct b as [[h' w']|]; [|easy].
  destruct B as [-> B]. destruct a as [[h2 w2]|]; [|easy]. destruct A as [-> A]. auto.
Qed.
Lemma grants_refl : forall a, grants_no_more a a.
Proof. intros [[h w]|]; simpl; auto. Qed.

(** ** The whole *)
Lemma net_refl : forall n, no_wider_net n n.
Proof. intros [|l|]; simpl; auto. intros q I. exists q. split; [easy | apply host_covers_refl]. Qed.
Lemma net_trans : forall a b c, no_wider_net a b -> no_wider_net b c -> no_wider_net a c.
Proof.
  intros [|a|] [|b|] [|c|] A B; simpl in *; try easy. intros q I. destruct (B q I) as (p & J & C). destruct (A p J) as (r & K & D).
  exists r. split; [easy|]. now apply host_covers_trans with p.
Qed.
Lemma set_trans : forall a b c, no_wider_set a b -> no_wider_set b c -> no_wider_set a c.
Proof. intros [a|] [b|] [c|] A B; simpl in *; try easy. now apply incl_tran with b. Qed.
Lemma limit_trans : forall a b c, no_wider_limit a b -> no_wider_limit b c -> no_wider_limit a c.
Proof. intros [a|] [b|] [c|] A B; simpl in *; try easy. lia. Qed.
Lemma roots_trans : forall a b c, no_wider_roots a b -> no_wider_roots b c -> no_wider_roots a c.
Proof.
  intros [a|] [b|] [c|] A B; try easy. intros r I.
  apply grants_trans with (shows b (inside r)); now apply looking_where_roots_begin_decides_for_all_paths.
Qed.

(** Every environment is no wider than itself, and what is no wider than something no wider is no wider: attenuation goes
    through any number of steps. *)
Theorem attenuation_is_transitive : forall a b c, no_wider a a /\ (no_wider a b -> no_wider b c -> no_wider a c).
Proof.
  intros a b c. split.
  - repeat split; auto using net_refl, incl_refl.
    + exists []. now rewrite app_nil_r.
    + destruct (roots a); simpl; auto. intros. apply grants_refl.
    + intros n. destruct (limits a n); simpl; auto. lia.
    + destruct (auth a); simpl; auto using incl_refl.
    + destruct (tools a); simpl; auto using incl_refl.
    + destruct (mcps a); simpl; auto using incl_refl.
  - intros (P & (o & N) & R & W & L & A & T & M & V & O & OT & I & S & SS) (P' & (o' & N') & R' & W' & L' & A' & T' & M' & V' & O' & OT' & I' & S' & SS').
    repeat split; try congruence; auto.
    + exists (o ++ o')%list. rewrite N', N. now rewrite app_assoc.
    + now apply roots_trans with (roots b).
    + now apply net_trans with (network b).
    + intros n. now apply limit_trans with (limits b n).
    + now apply set_trans with (auth b).
    + now apply set_trans with (tools b).
    + now apply set_trans with (mcps b).
    + now apply incl_tran with (variables b).
    + now apply incl_tran with (output b).
Qed.

Lemma derived_no_wider : forall p c, derived p c -> no_wider p c.
Proof.
  induction 1 as [|c d _ IH N]; [exact (proj1 (attenuation_is_transitive p p p))|].
  exact (proj2 (attenuation_is_transitive p c d) IH N).
Qed.

(** However many times an environment is derived: what comes of it reads, writes, reaches and uses nothing that the first may
    not, its bounds are at least as tight, and its outputs carry at least the same labels. *)
Theorem however_often_derived_an_environment_is_never_wider : forall p c, derived p c ->
  (forall rp rc q, roots p = Some rp -> roots c = Some rc -> grants_no_more (shows rp q) (shows rc q))
  /\ (forall h, reaches (network c) h = true -> reaches (network p) h = true)
  /\ (forall n b, limits p n = Some b -> exists d, limits c n = Some d /\ (d <= b)%Z)
  /\ (forall f, f = auth \/ f = tools \/ f = mcps -> forall l, f p = Some l -> exists m, f c = Some m /\ incl m l)
  /\ incl (variables c) (variables p) /\ incl (output p) (output c).
Proof.
  intros p c D. apply derived_no_wider in D as (_ & _ & R & W & L & A & T & M & V & O & _). repeat split; auto.
  - intros rp rc q P C. rewrite P, C in R. now apply looking_where_roots_begin_decides_for_all_paths.
  - intros h. now apply a_narrower_network_reaches_no_more.
  - intros n b E. specialize (L n). rewrite E in L. destruct (limits c n) as [d|]; [|easy]. eauto.
  - intros f [->|[->| ->]] l E; [rewrite E in A; destruct (auth c) | rewrite E in T; destruct (tools c) | rewrite E in M; destruct (mcps c)]; easy || eauto.
Qed.

(** A confined environment never has one that is not confined under it. *)
Theorem nothing_derived_from_a_confined_environment_is_unconfined : forall p c r, derived p c -> roots p = Some r -> roots c <> None.
Proof. intros p c r D P C. apply derived_no_wider in D as (_ & _ & R & _). now rewrite P, C in R. Qed.

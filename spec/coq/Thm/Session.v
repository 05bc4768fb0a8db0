(** * Sessions: labels only grow, a permit settles once, and no order of deciding and settling permits more *)
From Coq Require Import Bool String List ZArith Lia.
From Sluicegate Require SessionKernels.
From Sluicegate.Spec Require Import Labels Policy Decision Program Session.
From Sluicegate.Thm Require Import Labels Policy Decision Layers NonInterference.
Import ListNotations.
Open Scope bool_scope.

(** ** The order of labels: [within s u], where u is no less restricted than s *)
Lemma within_refl : forall s, within s s.
Proof. intros s. split; auto. Qed.
Lemma origin_kept : forall s u, within s u -> has_origin s = true -> has_origin u = true.
Proof. intros s u W. apply within_existsb; [easy | reflexivity]. Qed.
Lemma within_trans : forall s u w, within s u -> within u w -> within s w.
Proof.
  intros s u w W X. split.
  - intros x I N. apply X; [|easy]. now apply W.
  - intros T. destruct (proj2 X T) as [T'|[U|O]]; [|auto|].
    + destruct (proj2 W T') as [T''|[U|O]]; auto. right. left. apply X; [easy | discriminate].
    + right. right. apply not_true_is_false. intros P. apply (origin_kept s u W) in P. congruence.
Qed.
Lemma stained_of : forall s, has_origin s = true \/ In untrusted s -> stained s = true.
Proof. intros s [O|U]; unfold stained; apply orb_true_iff; [now right | left; now apply has_in]. Qed.
Lemma trusted_join : forall a b, In trusted (join a b) <->
  (In trusted a \/ In trusted b) /\ (stained a = true -> In trusted a) /\ (stained b = true -> In trusted b).
Proof.
  intros a b. unfold join. rewrite trust_survives_only_without_doubt. simpl. split.
  - intros [(s & [<-|[<-|[]]] & T) A]; repeat split; auto.
  - intros [[T|T] [A B]]; (split; [eauto|]); intros s [<-|[<-|[]]]; auto.
Qed.
Lemma within_join : forall s u v w, within s u -> within v w -> within (join s v) (join u w).
Proof.
  intros s u v w W X. split.
  - intros x I N. apply in_join; [easy|]. apply in_join in I as [I|I]; [left; now apply W | right; now apply X | easy].
  - intros T. apply trusted_join in T as (_ & A & B).
    destruct (in_dec (list_eq_dec string_dec) untrusted (join u w)) as [U|U]; [auto|].
    assert (K : forall a b, within a b -> ~ In untrusted b -> (stained b = true -> In trusted b) -> stained a = true -> In trusted a).
    { intros a b Y N C S. unfold stained in S. apply orb_true_iff in S as [S|S].
      - apply has_in in S. destruct N. apply Y; [easy | discriminate].
      - destruct (proj2 Y) as [T|[V|O]]; [|easy|easy|congruence]. apply C, stained_of. left. now apply (origin_kept a b). }
    assert (NU : ~ In untrusted u) by (intros I; apply U, in_join; [discriminate | auto]).
    assert (NW : ~ In untrusted w) by (intros I; apply U, in_join; [discriminate | auto]).
    pose proof (K s u W NU A) as KS. pose proof (K v w X NW B) as KV.
    destruct (has_origin (join s v)) eqn:O; [left | auto]. apply trusted_join. split; [|auto].
    unfold has_origin in O. apply existsb_exists in O as (x & I & P).
    assert (N : x <> trusted) by (intros ->; discriminate).
    assert (Q : forall a, In x a -> stained a = true).
    { intros a J. apply stained_of. left. apply existsb_exists. eauto. }
    apply in_join in I as [I|I]; auto.
Qed.
Lemma within_left : forall s x, within s (join s x).
Proof.
  intros s x. split.
  - intros y I N. apply in_join; auto.
  - intros T. apply trusted_join in T as (_ & A & _). destruct (has_origin s) eqn:O; [|auto]. left. apply A, stained_of. auto.
Qed.
Lemma within_right : forall s x, within x (join s x).
Proof.
  intros s x. split.
  - intros y I N. apply in_join; auto.
  - intros T. apply trusted_join in T as (_ & _ & B). destruct (has_origin x) eqn:O; [|auto]. left. apply B, stained_of. auto.
Qed.

(** Joining with more gives no less: what holds back a value holds back what is made of it and of more. *)
Theorem joining_is_monotone : forall s u v w, within s u -> within v w -> within (join s v) (join u w).
Proof. exact within_join. Qed.

Lemma within_taint : forall args c d, within c d -> within (taint c args) (taint d args).
Proof.
  intros args c d W. assert (K : forall a, within (carried c a) (carried d a)).
  { intros a. unfold carried. destruct (spoken a); [|apply within_refl]. apply within_join; [apply within_refl | easy]. }
  destruct args as [|a args]; [easy|]. unfold taint. induction (a :: args) as [|b l IH]; simpl; [apply within_refl|].
  now apply within_join.
Qed.

(** ** Permits *)

(** What a session has taken in only grows, whatever is decided and settled, and in whatever order. *)
Theorem what_a_session_has_taken_in_only_grows : forall O (m : monitor O) xs s, within (context s) (context (after m s xs)).
Proof.
  intros O m. induction xs as [|x xs IH]; intros s; [apply within_refl|]. simpl.
  apply within_trans with (context (after_step m s x)); [|apply IH].
  unfold after_step. destruct x as [o args | n more].
  - unfold decide. destruct (allowed m o _); [apply within_left | apply within_refl].
  - unfold settle. destruct (nth_error _ _) as [p|]; [|apply within_refl].
    destruct (unsettled p); [apply within_left | apply within_refl].
Qed.

Lemma used_length : forall O n (ps : list (permit O)), length (used n ps) = length ps.
Proof. induction n; intros [|p ps]; simpl; auto. Qed.
Lemma used_nth : forall O n k (ps : list (permit O)), nth_error (used n ps) k =
  if Nat.eqb n k then option_map (fun p => mkPermit (decided p) (arguments p) false) (nth_error ps k) else nth_error ps k.
Proof. induction n; intros [|k] [|p ps]; simpl; try reflexivity; [now destruct (Nat.eqb n k) | apply IHn]. Qed.
Definition spent {O} (n : nat) (ps : list (permit O)) : Prop := exists p, nth_error ps n = Some p /\ unsettled p = false.
Lemma spent_stays : forall O (m : monitor O) xs n s, spent n (permits s) -> spent n (permits (after m s xs)).
Proof.
  intros O m. induction xs as [|x xs IH]; intros n s H; [easy|]. simpl. apply IH. unfold after_step.
  destruct x as [o args | k more]; unfold decide, settle.
  - destruct (allowed m o _); [|easy]. destruct H as (p & N & U). exists p. split; [|easy]. simpl. rewrite nth_error_app1; [easy|].
    apply nth_error_Some. congruence.
  - destruct (nth_error (permits s) k) as [q|]; [|easy]. destruct (unsettled q); [|easy]. destruct H as (p & N & U). simpl.
    unfold spent. rewrite used_nth, N. destruct (Nat.eqb k n); simpl; eauto.
Qed.

(** A permit settles once: whatever is decided and settled after that, it never settles again. *)
Theorem a_permit_settles_once : forall O (m : monitor O) s n more t xs again,
  settle m s n more = Some t -> settle m (after m t xs) n again = None.
Proof.
  intros O m s n more t xs again S. unfold settle in S. destruct (nth_error (permits s) n) as [p|] eqn:N; [|discriminate].
  destruct (unsettled p) eqn:U; [|discriminate]. injection S as <-.
  assert (H : spent n (used n (permits s))).
  { unfold spent. rewrite used_nth, Nat.eqb_refl, N. simpl. eauto. }
  apply (spent_stays O m xs n (mkSession (brought m (context s) (decided p) (arguments p) more) _)) in H.
  destruct H as (q & Q & V). unfold settle. now rewrite Q, V.
Qed.

(** What was never decided never settles. *)
Theorem what_was_not_decided_does_not_settle : forall O (m : monitor O) s n more,
  (length (permits s) <= n)%nat -> settle m s n more = None.
Proof. intros O m s n more L. unfold settle. apply nth_error_None in L. now rewrite L. Qed.

(** To perform is to decide and then to settle: it is permitted exactly when the decision is. *)
Theorem performing_is_permitted_when_deciding_is : forall O (m : monitor O) s o args more,
  (exists t, perform m s o args more = Some t) <-> (exists t, decide m s o args = Some t).
Proof.
  intros O m s o args more. unfold perform, decide. destruct (allowed m o _); [|split; intros [t E]; discriminate].
  split; intros _; [eauto|]. unfold settle. simpl. rewrite nth_error_app2, PeanoNat.Nat.sub_diag by lia. simpl. eauto.
Qed.

(** ** No order permits more *)

(** What the theorems below ask of a monitor: with more labels it permits no more, and what comes back has no less. [good]
    is what is known of every set of labels that a session meets. *)
Definition careful {O} (good : labels -> Prop) (m : monitor O) : Prop :=
  (forall s u, good s -> good u -> good (join s u)) /\ good []
  /\ (forall o s, good s -> good (result m o s))
  /\ (forall o s u, within s u -> good s -> allowed m o u = true -> allowed m o s = true)
  /\ (forall o s u, within s u -> good s -> within (result m o s) (result m o u)).

Lemma good_taint : forall O good (m : monitor O) c args, careful good m -> good c -> (forall a, In a args -> good (own a)) ->
  good (taint c args).
Proof.
  intros O good m c args (J & E & _) C A. assert (K : forall a, In a args -> good (carried c a)).
  { intros a I. unfold carried. destruct (spoken a); auto. }
  destruct args as [|a args]; [easy|]. unfold taint. induction (a :: args) as [|b l IH]; simpl; [easy|].
  apply J; [apply K; now left|]. apply IH; intros x I; [apply A | apply K]; now right.
Qed.
Lemma within_brought : forall O good (m : monitor O) c d o args more, careful good m -> within c d -> good c ->
  (forall a, In a args -> good (own a)) -> within (brought m c o args more) (brought m d o args more).
Proof.
  intros O good m c d o args more C W G A. pose proof C as (_ & _ & _ & _ & R). unfold brought.
  apply within_join; [easy|]. apply within_join; [|apply within_refl]. apply R; [now apply within_taint|].
  now apply (good_taint O good m).
Qed.
Lemma good_brought : forall O good (m : monitor O) c o args more, careful good m -> good c ->
  (forall a, In a args -> good (own a)) -> good more -> good (brought m c o args more).
Proof.
  intros O good m c o args more C G A M. pose proof C as (J & _ & R & _). unfold brought. apply J; [easy|]. apply J; [|easy].
  apply R. now apply (good_taint O good m).
Qed.

Definition known_good {O} (good : labels -> Prop) (ps : list (permit O)) : Prop :=
  forall p a, In p ps -> In a (arguments p) -> good (own a).
Definition steps_good {O} (good : labels -> Prop) (xs : list (step O)) : Prop :=
  forall x, In x xs -> match x with Decides _ args => forall a, In a args -> good (own a) | Settles _ more => good more end.

Lemma used_in : forall O n (ps : list (permit O)) p, In p (used n ps) ->
  exists q, In q ps /\ decided q = decided p /\ arguments q = arguments p.
Proof.
  induction n; intros [|q ps] p I; simpl in I; try contradiction; destruct I as [<-|I].
  - exists q. simpl. auto.
  - exists p. simpl. auto.
  - exists q. simpl. auto.
  - destruct (IHn ps p I) as (r & R & E). exists r. simpl. auto.
Qed.
Lemma known_used : forall O good n (ps : list (permit O)), known_good good ps -> known_good good (used n ps).
Proof. intros O good n ps K p a I A. destruct (used_in O n ps p I) as (q & Q & _ & E). rewrite <- E in A. eauto. Qed.
Lemma known_more : forall O good (ps : list (permit O)) o args, known_good good ps -> (forall a, In a args -> good (own a)) ->
  known_good good (ps ++ [mkPermit o args true]).
Proof. intros O good ps o args K A p a I J. apply in_app_iff in I as [I|[<-|[]]]; [eauto | now apply A]. Qed.

Lemma ahead : forall O good (m : monitor O), careful good m -> forall xs s c,
  within c (context s) -> good c -> known_good good (permits s) -> steps_good good xs ->
  within (taken_in m c (settled m s xs)) (context (after m s xs)) /\ good (taken_in m c (settled m s xs)).
Proof.
  intros O good m C. induction xs as [|x xs IH]; intros s c W G K X; [easy|].
  assert (XS : steps_good good xs) by (intros y I; apply X; now right).
  assert (X0 := X x (or_introl eq_refl)). destruct x as [o args | n more].
  - change (settled m s (Decides o args :: xs)) with (settled m (after_step m s (Decides o args)) xs).
    change (after m s (Decides o args :: xs)) with (after m (after_step m s (Decides o args)) xs).
    apply IH; auto; unfold after_step, decide; destruct (allowed m o _); auto; simpl.
    + apply within_trans with (context s); [easy | apply within_left].
    + now apply known_more.
  - change (after m s (Settles n more :: xs)) with (after m (after_step m s (Settles n more)) xs).
    unfold after_step, settle. simpl. unfold after_step, settle. destruct (nth_error (permits s) n) as [p|] eqn:N.
    2: { apply IH; auto. }
    destruct (unsettled p) eqn:U; [|apply IH; auto]. simpl.
    assert (P : forall a, In a (arguments p) -> good (own a)) by (apply nth_error_In in N; intros; eauto).
    apply IH; simpl; auto.
    + now apply (within_brought O good m).
    + now apply (good_brought O good m).
    + now apply known_used.
Qed.

(** Whatever some order of deciding and settling comes to permit, that is permitted too to one who has performed, one after
    another, exactly what had settled by then. So a decision of its own never knows less than the whole procedure would. *)
Theorem what_a_decision_permits_performing_what_settled_would_permit :
  forall O good (m : monitor O) s xs o args t, careful good m ->
  good (context s) -> known_good good (permits s) -> steps_good good xs -> (forall a, In a args -> good (own a)) ->
  decide m (after m s xs) o args = Some t ->
  exists u, decide m (mkSession (taken_in m (context s) (settled m s xs)) []) o args = Some u.
Proof.
  intros O good m s xs o args t C G K X A D.
  destruct (ahead O good m C xs s (context s) (within_refl _) G K X) as [W H]. pose proof C as (_ & _ & _ & P & _).
  unfold decide in *. destruct (allowed m o (taint (context (after m s xs)) args)) eqn:E; [|discriminate]. simpl.
  rewrite (P o _ _ (within_taint args _ _ W)); [eauto | now apply (good_taint O good m) | easy].
Qed.

(** What is permitted counts at once, whether or not anybody ever says that it happened. *)
Theorem what_is_permitted_counts_at_once : forall O (m : monitor O) s o args t, decide m s o args = Some t ->
  within (result m o (taint (context s) args)) (context t).
Proof.
  intros O m s o args t D. unfold decide in D. destruct (allowed m o _); [|discriminate]. injection D as <-. apply within_right.
Qed.

(** ** The policies in force are such a monitor *)
Definition all_marked (ls : list layer) (s : labels) : Prop := forall l, In l ls -> marked_on_entry l s.
Lemma marks_are_marked : forall ls o s, all_marked ls (marks ls o s).
Proof. intros ls o s l _ F. unfold marks in F. destruct (by_model o), (is_influenced ls o s); discriminate. Qed.
Lemma within_influenced : forall ls o s u, within s u -> all_marked ls s -> is_influenced ls o s = true -> is_influenced ls o u = true.
Proof.
  intros ls o s u W M. unfold is_influenced. rewrite !andb_true_iff, !existsb_exists. intros [B (l & I & H)].
  split; [easy|]. exists l. split; [easy|]. apply andb_true_iff in H as [J H]. apply andb_true_iff.
  split; [easy|]. unfold is_untrusted in *. apply orb_true_iff in H. apply orb_true_iff.
  destruct H as [H|H]; [left; eapply within_marked; eauto | right; eapply within_doubted; eauto].
Qed.
Lemma within_marks : forall ls o s u, within s u -> all_marked ls s -> within (marks ls o s) (marks ls o u).
Proof.
  intros ls o s u W M. pose proof (within_influenced ls o s u W M) as H. unfold marks. split.
  - intros x I _. rewrite in_app_iff in *. destruct I as [I|I]; [auto|]. right.
    destruct (is_influenced ls o s); [now rewrite H | easy].
  - intros I. exfalso. destruct (by_model o), (is_influenced ls o u); simpl in I;
      repeat (destruct I as [I|I]; [discriminate|]); easy.
Qed.
Lemma policies_are_careful : forall O (describe : O -> operation) ls, (forall l, In l ls -> silent_on_trust l) ->
  (forall o, all_marked ls (comes_from (describe o))) -> careful (all_marked ls) (session_monitor describe ls).
Proof.
  intros O describe ls T E. assert (J : forall s u, all_marked ls s -> all_marked ls u -> all_marked ls (join s u)).
  { intros s u S U l I. apply joining_keeps_files_marked; auto. }
  split; [easy|]. split; [intros l _ F; discriminate|]. split; [|split].
  - intros o s S. simpl. unfold expected. apply J; [now apply J | apply marks_are_marked].
  - intros o s u W S. simpl. rewrite !the_decision_of_all_layers_is_as_it_is_meant. intros H l I.
    apply (permits_within l (describe o) s u); auto.
  - intros o s u W S. simpl. unfold expected. assert (V := within_join _ _ _ _ W (within_refl (comes_from (describe o)))).
    apply within_join; [easy|]. apply within_marks; [easy | now apply J].
Qed.

(** So it is for the policies in force, whatever they say, if no rule of theirs is about "trusted" and files are marked as they
    are read: what a decision of a session permits is permitted after performing, one after another, what had settled. *)
Theorem no_order_of_deciding_and_settling_permits_what_performing_would_not :
  forall O (describe : O -> operation) ls (s : session O) xs o args t, let m := session_monitor describe ls in
  (forall l, In l ls -> silent_on_trust l) ->
  (forall o, all_marked ls (comes_from (describe o))) ->
  all_marked ls (context s) -> known_good (all_marked ls) (permits s) -> steps_good (all_marked ls) xs ->
  (forall a, In a args -> all_marked ls (own a)) ->
  decide m (after m s xs) o args = Some t ->
  exists u, decide m (mkSession (taken_in m (context s) (settled m s xs)) []) o args = Some u.
Proof.
  intros O describe ls s xs o args t m S E. apply what_a_decision_permits_performing_what_settled_would_permit.
  now apply policies_are_careful.
Qed.

(** ** The kernels *)
Open Scope Z_scope.

(** A permit settles exactly when it is authentic, of this session, recorded, unused, alive and for what was decided. *)
Theorem the_kernel_of_settling : forall authentic ours recorded unused lasts same,
  SessionKernels.settlement authentic ours recorded unused lasts same = SessionKernels.SETTLES
  <-> authentic = true /\ ours = true /\ recorded = true /\ unused = true /\ lasts = true /\ same = true.
Proof. intros [] [] [] [] [] []; vm_compute; intuition discriminate. Qed.

(** A permit that is not alive any more never is again, and none is before it was given. *)
Theorem a_permit_that_is_over_stays_over : forall issued now later lifetime, now <= later ->
  (SessionKernels.alive issued later lifetime = true -> now < issued \/ SessionKernels.alive issued now lifetime = true)
  /\ (SessionKernels.alive issued now lifetime = true -> issued <= now /\ now < issued + lifetime).
Proof. intros. unfold SessionKernels.alive. rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt. lia. Qed.

(** What no rule that is on endorses is the model's word. *)
Theorem nothing_is_endorsed_without_a_rule : forall short w n c u f w_on n_on c_on u_on f_on,
  SessionKernels.endorsement short w n c u f w_on n_on c_on u_on f_on = SessionKernels.SPOKEN
  <-> (w_on && w && negb short = false /\ n_on && n = false /\ c_on && c = false /\ u_on && u = false /\ f_on && f = false)%bool.
Proof.
  intros short w n c u f w_on n_on c_on u_on f_on. unfold SessionKernels.endorsement.
  destruct (w_on && w && negb short)%bool, (n_on && n)%bool, (c_on && c)%bool, (u_on && u)%bool, (f_on && f)%bool;
    vm_compute; intuition discriminate.
Qed.

(** Switching a rule off never endorses more. *)
Theorem switching_a_rule_off_never_endorses_more : forall short w n c u f w1 n1 c1 u1 f1 w2 n2 c2 u2 f2,
  (w2 = true -> w1 = true) -> (n2 = true -> n1 = true) -> (c2 = true -> c1 = true) -> (u2 = true -> u1 = true) -> (f2 = true -> f1 = true) ->
  SessionKernels.endorsement short w n c u f w1 n1 c1 u1 f1 = SessionKernels.SPOKEN ->
  SessionKernels.endorsement short w n c u f w2 n2 c2 u2 f2 = SessionKernels.SPOKEN.
Proof.
  intros short w n c u f w1 n1 c1 u1 f1 w2 n2 c2 u2 f2 W N C U F. rewrite !nothing_is_endorsed_without_a_rule. intros (A & B & D & E & G).
  repeat split.
  - destruct w2; [rewrite (W eq_refl) in A; exact A | reflexivity].
  - destruct n2; [rewrite (N eq_refl) in B; exact B | reflexivity].
  - destruct c2; [rewrite (C eq_refl) in D; exact D | reflexivity].
  - destruct u2; [rewrite (U eq_refl) in E; exact E | reflexivity].
  - destruct f2; [rewrite (F eq_refl) in G; exact G | reflexivity].
Qed.

(** * One policy: what decides, what does not, and that more labels never permit more *)
From Coq Require Import Bool String List Lia.
From Sluicegate.Spec Require Import Labels Policy.
From Sluicegate.Thm Require Import Labels.
Import ListNotations.
Open Scope bool_scope.

Lemma holds_incl : forall l a b, incl a b -> holds l a = true -> holds l b = true.
Proof. intros l a b. apply existsb_incl. Qed.
Lemma has_incl : forall l a b, incl a b -> has l a = true -> has l b = true.
Proof. intros l a b. apply existsb_incl. Qed.
Lemma not_holds_incl : forall l a b, incl a b -> holds l b = false -> holds l a = false.
Proof. intros l a b I H. apply not_true_is_false. intros X. rewrite (holds_incl _ _ _ I X) in H. discriminate. Qed.

(** ** Labels *)

(** A file that nobody vouches for was marked when it was read: where the entry for files distrusts it and no entry
    speaks of its directories, it carries "untrusted". *)
Definition marked_on_entry (l : layer) (s : labels) : Prop :=
  from_file s = true -> existsb (placed l) s = false -> distrusted l (of_origin l file) = true -> In untrusted s.
(** No rule of the policy is about the label "trusted". *)
Definition silent_on_trust (l : layer) : Prop := forall r, In r (rules l) -> covers (about r) trusted = false.

(** All of a set is in another, but for "trusted"; and the other has that only if the set has it, or if there it makes no
    difference: it is untrusted all the same, or the set came from nowhere (its author's own words). *)
Definition within (s u : labels) : Prop :=
  (forall x, In x s -> x <> trusted -> In x u)
  /\ (In trusted u -> In trusted s \/ In untrusted u \/ has_origin s = false).

Lemma within_has : forall s u x, within s u -> x <> trusted -> has x s = true -> has x u = true.
Proof. intros s u x [W _] N. rewrite !has_in. auto. Qed.
Lemma within_existsb : forall s u f, within s u -> f trusted = false -> existsb f s = true -> existsb f u = true.
Proof.
  intros s u f [W _] N. rewrite !existsb_exists. intros (x & I & F). exists x. split; [|easy]. apply W; [easy|].
  intros ->. congruence.
Qed.
Lemma within_given : forall l s u, within s u -> incl (given l s) (given l u).
Proof.
  intros l s u [W _] x. unfold given. rewrite !in_flat_map. intros (d & I & X). exists d. split; [|easy].
  apply filter_In in I as [I D]. apply filter_In. split; [|easy]. apply W; [easy|]. intros ->. discriminate.
Qed.
Lemma within_marked : forall l s u, within s u -> marked l s = true -> marked l u = true.
Proof.
  intros l s u W. unfold marked. rewrite !orb_true_iff. intros [H|H].
  - left. eapply within_has; eauto. discriminate.
  - right. eapply has_incl; eauto. now apply within_given.
Qed.
Lemma within_suspect : forall l s u, within s u -> marked_on_entry l s -> suspect l s = true -> suspect l u = true.
Proof.
  intros l s u W M. unfold suspect, distrusted_file. rewrite !orb_true_iff, !andb_true_iff, !orb_true_iff, !negb_true_iff.
  assert (F : from_file s = true -> from_file u = true).
  { unfold from_file. rewrite !orb_true_iff. intros [H|H].
    - left. eapply within_has; eauto. discriminate.
    - right. eapply within_existsb; eauto. }
  intros [H|[H|[[H P] D]]].
  - left. eapply within_existsb; eauto.
  - right. left. eapply within_existsb; eauto.
  - right. right. repeat split; auto. right. eapply within_has; eauto; [discriminate|].
    destruct P as [P|P]; [|easy]. apply has_in. now apply M.
Qed.
Lemma suspect_origin : forall l s, suspect l s = true -> has_origin s = true.
Proof.
  intros l s S. unfold suspect, distrusted_file, from_file in S. unfold has_origin.
  assert (D : forall t, directory t = true -> origin t = true).
  { intros t D. unfold directory in D. unfold origin. now rewrite D, orb_true_r. }
  rewrite !orb_true_iff, !andb_true_iff, !orb_true_iff, !existsb_exists in S. apply existsb_exists.
  destruct S as [(t & I & O)|[(t & I & O)|(([F|(t & I & O)] & _) & _)]].
  - exists t. split; [easy|]. unfold distrusted_origin in O. now rewrite !andb_true_iff in O.
  - exists t. split; [easy|]. apply andb_true_iff in O. now apply D.
  - exists file. split; [now apply has_in | reflexivity].
  - exists t. auto.
Qed.
Lemma within_doubted : forall l s u, within s u -> marked_on_entry l s -> doubted l s = true -> doubted l u = true.
Proof.
  intros l s u W M. unfold doubted. rewrite !andb_true_iff, !orb_true_iff, !negb_true_iff. intros [S D].
  split; [eapply within_suspect; eauto|]. destruct D as [D|D]; [left; eapply within_marked; eauto|].
  destruct (has trusted u) eqn:T; [|auto]. left. apply has_in in T. destruct W as [_ W].
  destruct (W T) as [X|[X|X]].
  - apply has_in in X. congruence.
  - unfold marked. apply orb_true_iff. left. now apply has_in.
  - rewrite (suspect_origin _ _ S) in X. discriminate.
Qed.
Lemma within_effective : forall l s u, within s u -> marked_on_entry l s ->
  forall x, In x (effective l s) -> x <> trusted -> In x (effective l u).
Proof.
  intros l s u W M x I N. unfold effective in *. rewrite !in_app_iff in *. destruct I as [I|[I|I]].
  - left. now apply W.
  - right. left. eapply within_given; eauto.
  - right. right. destruct (is_untrusted l s) eqn:U; [|easy]. replace (is_untrusted l u) with true; [easy|]. symmetry.
    unfold is_untrusted in *. rewrite orb_true_iff in *.
    destruct U as [U|U]; [left; eapply within_marked; eauto | right; eapply within_doubted; eauto].
Qed.

Lemma silent_flow : forall l x, silent_on_trust l -> may_flow l trusted x /\ is_listed l trusted x.
Proof.
  intros l x S. split; [intros r D I _ C _ | intros r a I _ C]; rewrite (S r I) in C; discriminate.
Qed.
Lemma permits_within : forall l o s u, within s u -> marked_on_entry l s ->
  (In trusted s -> In trusted u) \/ silent_on_trust l -> permits l o u -> permits l o s.
Proof.
  intros l o s u W M T (C & B & F & A).
  assert (H : forall k, k = secret \/ k = sensitive \/ k = untrusted ->
              holds k (effective l s) = true -> holds k (effective l u) = true).
  { intros k K. unfold holds. rewrite !existsb_exists. intros (x & I & X). exists x. split; [|easy].
    eapply within_effective; eauto. intros ->. destruct K as [-> | [-> | ->]]; discriminate. }
  destruct B as (B1 & B2 & B3 & B4).
  split; [easy|]. split; [|split].
  - repeat split; intros; [apply B1 | apply B2 | apply B3 | apply B4]; auto.
  - intros t x I X. destruct (list_eq_dec String.string_dec t trusted) as [->|N].
    + destruct T as [T|T]; [|now apply silent_flow]. apply F; [|easy]. unfold effective in *. rewrite !in_app_iff in *.
      destruct I as [I|[I|I]]; [auto | right; left; eapply within_given; eauto |].
      destruct (is_untrusted l s); [destruct I as [I|[]]; discriminate | easy].
    + apply F; auto. eapply within_effective; eauto.
  - intros D t x I X. destruct (list_eq_dec String.string_dec t trusted) as [->|N].
    + destruct T as [T|T]; [|now apply silent_flow]. apply A; auto. eapply within_doubted; eauto.
    + apply A; auto; [eapply within_doubted; eauto|]. now apply W.
Qed.

(** More labels never permit more. What may flow with all the labels of a set may flow with some of them, if "trusted"
    was not among those that came in addition (or came where it makes no difference), and if a file that nobody vouches
    for was marked when it was read. *)
Theorem more_labels_never_permit_more : forall l o s u,
  incl s u -> (In trusted u -> In trusted s \/ In untrusted u \/ has_origin s = false) -> marked_on_entry l s ->
  permits l o u -> permits l o s.
Proof. intros l o s u I T M. apply permits_within; auto. split; auto. Qed.

(** Adding one label, whichever but "trusted", never permits more. *)
Theorem adding_a_label_never_permits_more : forall l o s x,
  x <> trusted -> marked_on_entry l s -> permits l o (x :: s) -> permits l o s.
Proof.
  intros l o s x N M. apply more_labels_never_permit_more; auto.
  - now apply incl_tl, incl_refl.
  - intros [E|I]; [contradiction|auto].
Qed.

(** To say aloud that something is untrusted never takes a restriction away. *)
Theorem calling_something_untrusted_never_permits_more : forall l o s,
  marked_on_entry l s -> permits l o (untrusted :: s) -> permits l o s.
Proof. intros l o s M. now apply adding_a_label_never_permits_more. Qed.

(** To claim trust for what is untrusted takes no restriction away either. *)
Theorem claiming_trust_for_what_is_untrusted_permits_no_more : forall l o s,
  In untrusted s -> marked_on_entry l s -> permits l o (trusted :: s) -> permits l o s.
Proof. intros l o s U M. apply more_labels_never_permit_more; auto; [now apply incl_tl, incl_refl|]. simpl. auto. Qed.

(** What joins never permits more than what it is joined with, where no rule is about the label "trusted": joining may
    take that label away, and with it the rule. *)
Theorem joining_never_permits_more : forall l o s u,
  marked_on_entry l s -> silent_on_trust l -> permits l o (join s u) -> permits l o s.
Proof.
  intros l o s u M S. apply permits_within; auto. split.
  - intros x I N. apply joining_keeps_every_label_but_trust; [easy|]. exists s. simpl. auto.
  - intros J. apply trust_survives_only_without_doubt in J as [_ A]. destruct (has_origin s) eqn:O; [|auto]. left.
    apply A; [now left|]. unfold stained. now rewrite O, orb_true_r.
Qed.

(** ** What a decision depends on *)
Definition same_rule (r r' : rule) : Prop :=
  about r = about r' /\ equal (denies r) (denies r')
  /\ match allows r, allows r' with None, None => True | Some a, Some b => equal a b | _, _ => False end.
Definition same_rules (a b : list rule) : Prop :=
  (forall r, In r a -> exists r', In r' b /\ same_rule r r') /\ (forall r, In r b -> exists r', In r' a /\ same_rule r r').
Definition with_rules (l : layer) (rs : list rule) : layer :=
  mkLayer (deny l) (danger l) (allow l) (risks l) (of_origin l) (of_directory l) (unlabeled l) (in_directory l)
    (no_secret_exfil l) (no_sensitive_exfil l) (no_untrusted_destructive l) (no_untrusted_privileged l) (influence l) rs.

Lemma same_rule_sym : forall r s, same_rule r s -> same_rule s r.
Proof.
  intros r s (A & D & L). split; [easy|]. split; [now apply equal_sym|].
  destruct (allows r), (allows s); easy || now apply equal_sym.
Qed.
Lemma same_targets : forall r s, same_rule r s -> equal (allowed_targets r) (allowed_targets s).
Proof. intros r s (_ & _ & L). unfold allowed_targets. destruct (allows r), (allows s); try easy. Qed.
Lemma flow_same : forall l a b t x, same_rules a b -> may_flow (with_rules l a) t x -> may_flow (with_rules l b) t x.
Proof.
  intros l a b t x [AB BA] F r D I J C C'. simpl in *. destruct (BA r I) as (r' & I' & S).
  pose proof S as (E & Q & _). destruct (F r' D I') as (r2 & A & I2 & J2 & X); [now apply Q | congruence | easy |].
  destruct (AB r2 I2) as (r3 & I3 & S3). exists r3, A. split; [easy|]. split; [now apply (same_targets _ _ S3)|].
  destruct S3 as (E3 & _). now rewrite E, <- E3.
Qed.
Lemma listed_same : forall l a b t x, same_rules a b -> is_listed (with_rules l a) t x -> is_listed (with_rules l b) t x.
Proof.
  intros l a b t x [AB BA] F r A I J C. simpl in *. destruct (BA r I) as (r' & I' & E & _ & L). rewrite J in L.
  destruct (allows r') as [A'|] eqn:J'; [|easy]. destruct (F r' A' I' J') as (y & Y & C'); [congruence|]. exists y. split; [now apply L | easy].
Qed.
Lemma permits_same : forall l a b o s, same_rules a b -> permits (with_rules l a) o s -> permits (with_rules l b) o s.
Proof.
  intros l a b o s S (C & B & F & A). split; [exact C|]. split; [exact B|]. split.
  - intros t x I X. apply (flow_same l a); [easy|]. exact (F t x I X).
  - intros D t x I X. apply (listed_same l a); [easy|]. exact (A D t x I X).
Qed.

(** The order of rules, and of the targets in them, does not matter, nor how often one stands there. *)
Theorem the_order_and_repetition_of_rules_do_not_matter : forall l a b o s,
  same_rules a b -> (permits (with_rules l a) o s <-> permits (with_rules l b) o s).
Proof.
  intros l a b o s S. split; apply permits_same; [easy|]. destruct S as [AB BA].
  split; intros r I; [destruct (BA r I) as (r' & I' & S) | destruct (AB r I) as (r' & I' & S)]; eauto.
Qed.

(** The order of labels does not matter, nor how often one is there. *)
Theorem the_order_and_repetition_of_labels_do_not_matter : forall l o s u,
  equal s u -> (permits l o s <-> permits l o u).
Proof.
  assert (H : forall l o s u, equal s u -> permits l o u -> permits l o s).
  { intros l o s u E (C & B & F & A).
    assert (G : equal (given l s) (given l u)).
    { intros x. unfold given. rewrite !in_flat_map. setoid_rewrite filter_In. unfold equal in E. now setoid_rewrite E. }
    assert (M : marked l s = marked l u) by (unfold marked, has; now rewrite !(existsb_equal _ _ _ E), (existsb_equal _ _ _ G)).
    assert (Q : suspect l s = suspect l u) by (unfold suspect, distrusted_file, from_file, has; now rewrite !(existsb_equal _ _ _ E)).
    assert (D : doubted l s = doubted l u) by (unfold doubted, has; now rewrite M, Q, (existsb_equal _ _ _ E)).
    assert (X : equal (effective l s) (effective l u)).
    { intros x. unfold effective, is_untrusted. rewrite M, D, !in_app_iff, (E x), (G x). reflexivity. }
    split; [easy|]. split; [|split].
    - unfold keeps_builtin in *. unfold holds in *. now rewrite !(existsb_equal _ _ _ X).
    - intros t y I. apply F. now apply X.
    - rewrite D. intros DD t y I. apply A; [easy|]. now apply E. }
  intros l o s u E. split; apply H; [now apply equal_sym | easy].
Qed.

(** ** Deny and allow *)

(** Whatever is allowed: what falls under an entry of the deny list is denied. *)
Theorem a_denied_entry_is_denied_whatever_is_allowed : forall l o s x,
  In x (subjects o) -> lists (deny l) (under x) = true -> ~ permits l o s.
Proof.
  intros l o s x I D ((C & _) & _). apply not_true_iff_false in C. apply C. unfold denied. apply existsb_exists. exists x.
  split; [easy|]. unfold denied_one. now rewrite D.
Qed.

(** A danger that nothing opts into is denied, even if it is allowed. *)
Theorem a_danger_needs_its_opt_in : forall l o s x, In x (hits o) -> opted_one l x = false -> ~ permits l o s.
Proof.
  intros l o s x I D ((_ & C & _) & _). unfold opted_in in C. rewrite forallb_forall in C. rewrite (C x I) in D. discriminate.
Qed.

(** Without an allow list, everything that is not denied and not dangerous may happen. *)
Theorem an_absent_allow_list_allows_everything : forall l o,
  allow l = None -> denied l o = false -> hits o = [] -> capable l o.
Proof. intros l o A D H. unfold capable, opted_in, allow_matched. now rewrite A, D, H. Qed.

(** An empty allow list allows nothing of what has to be allowed. *)
Theorem an_empty_allow_list_allows_nothing : forall l o s x m,
  allow l = Some (mkCapabilities [] [] m) -> In x (subjects o) -> gated x = true -> ~ permits l o s.
Proof.
  intros l o s x m A I G ((_ & _ & C) & _). unfold allow_matched in C. rewrite A in C. apply negb_true_iff, not_true_iff_false in C.
  apply C. apply existsb_exists. exists x. split; [easy|]. unfold missing_one. simpl. now rewrite G.
Qed.

(** A deny about a label and a leaf denies, unless an allow about the same label and leaf is strictly more specific in
    the label or in the leaf, and in neither less. *)
Theorem a_deny_holds_unless_something_more_specific_allows : forall l o s r D t x,
  In r (rules l) -> In D (denies r) -> In t (effective l s) -> In x (with_risks l o) ->
  covers (about r) t = true -> covers D x = true ->
  (forall r2 A, In r2 (rules l) -> In A (allowed_targets r2) -> ~ excepts (about r) D (about r2) A t x) ->
  ~ permits l o s.
Proof.
  intros l o s r D t x I J T X C C' N (_ & _ & F & _). destruct (F t x T X r D I J C C') as (r2 & A & I2 & J2 & E). eapply N; eauto.
Qed.

(** By definition, a tie denies: a deny and an allow for the same label and the same target are a deny. *)
Theorem a_tie_denies : forall t x, ~ excepts t x t x t x.
Proof. intros t x (_ & _ & _ & _ & N). now apply N. Qed.

(** An allow that is less specific in the label overrides nothing, however specific its target, and the other way round. *)
Theorem an_allow_that_is_less_specific_in_one_overrides_nothing : forall L D L2 A t x,
  covers L2 t = true -> covers A x = true -> covers L t = true -> covers D x = true ->
  length L2 < length L \/ length A < length D -> ~ excepts L D L2 A t x.
Proof.
  intros L D L2 A t x _ _ _ _ H (C & _ & C' & _). apply covers_length in C, C'. lia.
Qed.

(** By definition, an allow for another label, or for another leaf, overrides nothing. *)
Theorem an_unrelated_allow_overrides_nothing : forall L D L2 A t x,
  covers L2 t = false \/ covers A x = false -> ~ excepts L D L2 A t x.
Proof. intros L D L2 A t x H (_ & C & _ & C' & _). destruct H; congruence. Qed.

(** By definition, an allow that is more specific than a deny, and no less specific in anything, is an exception to it. *)
Theorem the_more_specific_allow_wins : forall L D L2 A t x,
  covers L L2 = true -> covers L2 t = true -> covers D A = true -> covers A x = true -> (L, D) <> (L2, A) -> excepts L D L2 A t x.
Proof. repeat split; auto. Qed.

(** ** Operations *)

Definition with_leaf (x : path) (o : operation) : operation :=
  mkOperation (x :: leaves o) (subjects o) (hits o) (by_model o) (comes_from o).
Lemma with_risks_incl : forall l x o, incl (with_risks l o) (with_risks l (with_leaf x o)).
Proof.
  intros l x o y. unfold with_risks, with_leaf. simpl. rewrite !in_app_iff, !in_map_iff. intros [I|(r & E & I)]; [auto|].
  right. right. apply filter_In in I as [I C]. exists r. split; [easy|]. apply filter_In. split; [easy|]. simpl. now rewrite C, orb_true_r.
Qed.

(** One more label of an operation (a risk, a declared effect) never permits more. *)
Theorem adding_a_leaf_never_permits_more : forall l x o s, permits l (with_leaf x o) s -> permits l o s.
Proof.
  intros l x o s (C & (B1 & B2 & B3 & B4) & F & A). pose proof (with_risks_incl l x o) as W.
  split; [exact C|]. split; [|split].
  - repeat split; intros; eapply not_holds_incl; eauto.
  - intros t y I J. apply F; auto.
  - intros D t y I J. apply A; auto.
Qed.

Definition with_leaves (xs : labels) (o : operation) : operation :=
  mkOperation xs (subjects o) (hits o) (by_model o) (comes_from o).
Lemma fewer_leaves : forall l o xs ys s, incl xs ys -> permits l (with_leaves ys o) s -> permits l (with_leaves xs o) s.
Proof.
  intros l o xs ys s I (C & (B1 & B2 & B3 & B4) & F & A).
  assert (W : incl (with_risks l (with_leaves xs o)) (with_risks l (with_leaves ys o))).
  { intros y. unfold with_risks, with_leaves. simpl. rewrite !in_app_iff, !in_map_iff. intros [J|(r & E & J)]; [auto|]. right.
    apply filter_In in J as [J K]. exists r. split; [easy|]. apply filter_In. split; [easy|]. now apply (existsb_incl _ _ _ I). }
  split; [exact C|]. split; [|split].
  - repeat split; intros; eapply not_holds_incl; eauto.
  - intros t y J K. apply F; auto.
  - intros D t y J K. apply A; auto.
Qed.

(** The order of leaves does not matter, nor how often one is there. *)
Theorem the_order_and_repetition_of_leaves_do_not_matter : forall l o xs ys s,
  equal xs ys -> (permits l (with_leaves xs o) s <-> permits l (with_leaves ys o) s).
Proof. intros l o xs ys s E. split; apply fewer_leaves; intros x I; now apply E. Qed.

(** By definition, a risk that the policy sees in an operation is among the leaves that it is judged by. *)
Theorem a_risk_is_one_more_leaf : forall l o p r, In (p, r) (risks l) -> existsb (covers p) (leaves o) = true -> In r (with_risks l o).
Proof.
  intros l o p r I C. unfold with_risks. apply in_app_iff. right. apply in_map_iff. exists (p, r). split; [easy|].
  now apply filter_In.
Qed.

(** ** Adding to a policy *)

(** One more deny never permits more. *)
Theorem adding_a_deny_never_permits_more : forall l L D o s,
  permits (with_rules l (mkRule L D None :: rules l)) o s -> permits l o s.
Proof.
  intros l L D o s (C & B & F & A). split; [exact C|]. split; [exact B|]. split.
  - intros t x I X r E IR J C1 C2. destruct (F t x I X r E) as (r2 & Y & I2 & J2 & W); simpl; auto.
    destruct I2 as [<-|I2]; [destruct J2 | eauto].
  - intros DD t x I X r a IR. apply (A DD t x I X). now right.
Qed.

(** What a deny closes to a label is closed to everything that carries the label, whatever else it carries. *)
Theorem what_a_deny_closes_to_a_label_is_closed : forall l o r D L x,
  In r (rules l) -> In D (denies r) -> In x (with_risks l o) -> covers (about r) L = true -> covers D x = true ->
  (forall r2 A, In r2 (rules l) -> In A (allowed_targets r2) -> ~ excepts (about r) D (about r2) A L x) ->
  forall s, In L s -> ~ permits l o s.
Proof.
  intros. apply (a_deny_holds_unless_something_more_specific_allows l o s r D L x); auto. unfold effective. apply in_app_iff. now left.
Qed.

(** What is secret goes nowhere that takes data out, where the rule is on. *)
Theorem what_is_secret_is_not_exfiltrated : forall l o s t,
  no_secret_exfil l = true -> In t s -> covers secret t = true -> holds exfil (with_risks l o) = true -> ~ permits l o s.
Proof.
  intros l o s t R I C E (_ & (B & _) & _). rewrite (B R) in E; [discriminate|]. unfold holds. apply existsb_exists. exists t.
  split; [|easy]. unfold effective. apply in_app_iff. now left.
Qed.

(** What came from somewhere that nobody vouches for destroys nothing and has no privilege, where the rules are on. *)
Theorem what_is_suspect_destroys_nothing : forall l o s,
  suspect l s = true -> has trusted s = false ->
  (no_untrusted_destructive l = true /\ holds destructive (with_risks l o) = true)
  \/ (no_untrusted_privileged l = true /\ holds privileged (with_risks l o) = true) -> ~ permits l o s.
Proof.
  intros l o s S T H (_ & (_ & _ & B & B') & _).
  assert (U : holds untrusted (effective l s) = true).
  { unfold holds. apply existsb_exists. exists untrusted. split; [|apply covers_refl]. unfold effective, is_untrusted, doubted.
    rewrite S, T. simpl. rewrite !orb_true_r. rewrite !in_app_iff. simpl. auto. }
  destruct H as [[R E]|[R E]]; [rewrite (B R U) in E | rewrite (B' R U) in E]; discriminate.
Qed.

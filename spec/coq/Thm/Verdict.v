(** * The whole verdict: what it depends on, and that it only grows *)
From Coq Require Import ZArith Bool List String Lia Permutation.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Finding Score Glob Verdict.
From Sluicegate.Thm Require Import Kernel Score Kinds.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

(** ** Merging *)
Lemma same_key_iff : forall k l, same_key k l = true <-> k = l.
Proof. intros. unfold same_key. destruct (key_dec k l); intuition easy. Qed.
Lemma of_key_in : forall k l f, In f (of_key k l) <-> In f l /\ key_of f = k.
Proof. intros. unfold of_key. rewrite filter_In, same_key_iff. tauto. Qed.

Lemma largest_ge : forall of l f, In f l -> of f <= largest of l.
Proof.
  intros of [|g r] f; [easy|]. simpl. revert g. induction r as [|h r IH]; simpl; intros g [->|I]; try easy; try lia.
  - specialize (IH f (or_introl eq_refl)). lia.
  - destruct I as [->|I]; [lia|]. specialize (IH g (or_intror I)). lia.
Qed.
Lemma largest_in : forall of l, l <> [] -> exists f, In f l /\ of f = largest of l.
Proof.
  intros of [|g r] N; [easy|]. clear N. simpl. induction r as [|h r IH]; simpl; [eauto|].
  destruct IH as (f & I & E). destruct (Z.max_spec (of h) (fold_right (fun g m => Z.max (of g) m) (of g) r)) as [[_ ->]|[_ ->]].
  - exists f. rewrite E. intuition.
  - exists h. intuition.
Qed.
Lemma merged_key : forall l k, key_of (merged l k) = k.
Proof. intros l [[[[r c] n] p] i]. reflexivity. Qed.
Lemma merged_fields : forall l k,
  sev (merged l k) = largest sev (of_key k l) /\ conf (merged l k) = largest conf (of_key k l)
  /\ exec (merged l k) = existsb exec (of_key k l).
Proof. intros l [[[[r c] n] p] i]. repeat split. Qed.
Lemma merged_above : forall l f, In f l -> below f (merged l (key_of f)).
Proof.
  intros l f I. assert (J : In f (of_key (key_of f) l)) by (apply of_key_in; auto).
  destruct (merged_fields l (key_of f)) as (S & C & X). unfold below. rewrite merged_key, S, C, X.
  repeat split; auto using largest_ge. intros E. apply existsb_exists. eauto.
Qed.
Lemma keys_in : forall l k, In k (keys l) <-> exists f, In f l /\ key_of f = k.
Proof.
  intros. unfold keys. rewrite nodup_In, in_map_iff. split; intros (f & A & B); eauto.
Qed.
Lemma dedup_keys : forall l, map key_of (dedup l) = keys l.
Proof. intros. unfold dedup. rewrite map_map. rewrite (map_ext _ (fun k => k)) by apply merged_key. apply map_id. Qed.
Lemma dedup_nodup : forall l, NoDup (map key_of (dedup l)).
Proof. intros. rewrite dedup_keys. apply NoDup_nodup. Qed.

(** Merging never increases the number of findings. *)
Theorem merging_never_increases_the_count : forall l, (List.length (dedup l) <= List.length l)%nat.
Proof.
  intros. unfold dedup, keys. rewrite map_length. rewrite <- (map_length key_of l).
  induction (map key_of l) as [|k r IH]; simpl; [lia|]. destruct (in_dec key_dec k r); simpl; lia.
Qed.

(** Every finding is represented after merging by one at least as bad: no severity, confidence or points are lost. *)
Theorem merging_loses_nothing : forall l, covered l (dedup l).
Proof.
  intros l f I. exists (merged l (key_of f)). split; [|now apply merged_above].
  unfold dedup. apply in_map, keys_in. eauto.
Qed.

(** Nothing is merged out of nothing: what a merged finding shows, some finding of that match showed. *)
Theorem merging_invents_nothing : forall l g, In g (dedup l) ->
  exists a b, In a l /\ In b l /\ key_of a = key_of g /\ key_of b = key_of g /\ sev a = sev g /\ conf b = conf g.
Proof.
  intros l g I. unfold dedup in I. apply in_map_iff in I as (k & <- & K). apply keys_in in K as (f & F & K).
  rewrite merged_key. destruct (merged_fields l k) as (S & C & _).
  assert (N : of_key k l <> []).
  { intros E. assert (J : In f (of_key k l)) by (apply of_key_in; auto). now rewrite E in J. }
  destruct (largest_in sev _ N) as (a & A & EA), (largest_in conf _ N) as (b & B & EB).
  apply of_key_in in A as [A KA], B as [B KB]. exists a, b. rewrite S, C. repeat split; auto.
Qed.

(** After merging, no two findings are the same match. *)
Theorem every_match_counts_once : forall l, NoDup (map key_of (dedup l)).
Proof. exact dedup_nodup. Qed.

Lemma largest_mono : forall of k l m, covered l m -> (forall f g, below f g -> of f <= of g) ->
  of_key k l <> [] -> largest of (of_key k l) <= largest of (of_key k m).
Proof.
  intros of k l m V M N. destruct (largest_in of _ N) as (f & F & <-). apply of_key_in in F as [F K].
  destruct (V f F) as (g & G & B). transitivity (of g); [now apply M|].
  apply largest_ge, of_key_in. split; [easy|]. destruct B as (E & _). congruence.
Qed.
Lemma dedup_covered : forall l m, covered l m -> covered (dedup l) (dedup m).
Proof.
  intros l m V f I. unfold dedup in I. apply in_map_iff in I as (k & <- & K). apply keys_in in K as (f & F & K).
  destruct (V f F) as (g & G & B). exists (merged m k). split.
  - unfold dedup. apply in_map, keys_in. exists g. destruct B as (E & _). split; congruence.
  - assert (N : of_key k l <> []).
    { intros E. assert (J : In f (of_key k l)) by (apply of_key_in; auto). now rewrite E in J. }
    destruct (merged_fields l k) as (S & C & X), (merged_fields m k) as (S' & C' & X').
    unfold below. rewrite !merged_key, S, C, X, S', C', X'. repeat split.
    + apply largest_mono; auto. now intros ? ? (_ & ? & _).
    + apply largest_mono; auto. now intros ? ? (_ & _ & ? & _).
    + rewrite !existsb_exists. intros (f' & F' & E'). apply of_key_in in F' as [F' K'].
      destruct (V f' F') as (g' & G' & B'). exists g'. rewrite of_key_in.
      destruct B' as (KK & _ & _ & XX). repeat split; auto; congruence.
Qed.

(** ** Accepting *)
Lemma below_guarded : forall f g, below f g -> guarded f = true -> guarded g = true.
Proof.
  intros f g B. pose proof (below_fields f g B) as (_ & C & _). destruct B as (_ & S & _).
  unfold guarded, is_guarded, manipulation, intake. rewrite C, !Z.geb_leb, !orb_true_iff, !andb_true_iff, !Z.leb_le.
  intuition lia.
Qed.
Lemma below_speaks : forall e f g, below f g -> speaks_of e g = speaks_of e f.
Proof.
  intros e f g B. destruct (below_fields f g B) as (R & _ & P & I). unfold speaks_of. destruct e; now rewrite R, P, ?I.
Qed.
Lemma below_accepted : forall t es f g, below f g -> accepted t es g = true -> accepted t es f = true.
Proof.
  intros t es f g B. unfold accepted. rewrite !existsb_exists. intros (e & I & A). exists e. split; [easy|].
  pose proof (below_speaks e f g B) as S. pose proof (below_guarded f g B) as Gd.
  unfold accepts_one in *. destruct e; rewrite <- S; rewrite what_an_entry_accepts in *;
    destruct (guarded f), (guarded g); intuition; try discriminate (H eq_refl).
Qed.

(** A finding that no entry speaks of is never set apart, whatever else is accepted. *)
Theorem only_what_is_matched_is_accepted : forall t es l f,
  In f l -> (forall e, In e es -> speaks_of e f = false) -> In f (active t es l).
Proof.
  intros t es l f I N. unfold active. apply filter_In. split; [easy|]. apply negb_true_iff, not_true_is_false.
  unfold accepted. rewrite existsb_exists. intros (e & E & A). specialize (N e E).
  unfold accepts_one in A. rewrite N in A. destruct e; apply what_an_entry_accepts in A; intuition easy.
Qed.

(** A glob with an empty rule pattern or an empty path pattern accepts nothing. *)
Theorem an_empty_rule_accepts_nothing : forall t r p d f, r = EmptyString \/ p = EmptyString ->
  accepts_one t f (Globs r p d) = false.
Proof.
  intros t r p d f E. apply not_true_is_false. intros A. unfold accepts_one in A.
  apply what_an_entry_accepts in A as (_ & [X|[X _]]); [easy|]. unfold speaks_of in X. apply andb_true_iff in X as [X Y].
  destruct E as [-> | ->]; discriminate.
Qed.

(** An expired entry accepts nothing. *)
Theorem an_expired_entry_accepts_nothing : forall t f e,
  (match e with Exact _ _ _ last => past t last | Globs _ _ last => past t (Some last) end) = true ->
  accepts_one t f e = false.
Proof.
  intros t f e P. apply not_true_is_false. intros A. unfold accepts_one in A.
  destruct e; apply what_an_entry_accepts in A as (X & _); congruence.
Qed.

(** No glob accepts an attempt on the reviewer, or a CRITICAL of intake. *)
Theorem no_glob_accepts_what_is_guarded : forall t r p d f,
  manipulation f = true \/ (intake f = true /\ 3 <= sev f) -> accepts_one t f (Globs r p d) = false.
Proof.
  intros t r p d f G. apply not_true_is_false. intros A. unfold accepts_one in A.
  apply what_an_entry_accepts in A as (_ & [X|[_ X]]); [easy|]. unfold guarded, is_guarded in X.
  rewrite Z.geb_leb in X. apply orb_false_iff in X as [M N]. destruct G as [G|[G S]]; [congruence|].
  rewrite G in N. simpl in N. apply Z.leb_gt in N. lia.
Qed.

(** What is accepted is not counted, so it has no part in the score or the decision. *)
Theorem accepted_findings_are_never_counted : forall t es l f, In f (counted t es l) -> accepted t es f = false.
Proof.
  intros t es l f I. unfold counted, active in I. rewrite !filter_In in I. destruct I as [[_ A] _].
  now apply negb_true_iff.
Qed.

(** ** Counting *)
Lemma below_listed : forall f g, below f g -> listed g = true -> listed f = true.
Proof. intros f g (_ & S & C & _). unfold listed. rewrite !listed_apart. lia. Qed.
Lemma counted_covered : forall t es l m, covered l m -> covered (counted t es l) (counted t es m).
Proof.
  intros t es l m V f I. unfold counted, active in I. rewrite !filter_In, !negb_true_iff in I. destruct I as [[D A] L].
  destruct (dedup_covered l m V f D) as (g & G & B). exists g. split; [|easy].
  unfold counted, active. rewrite !filter_In, !negb_true_iff. repeat split; [easy| |]; apply not_true_is_false; intros X.
  - rewrite (below_accepted t es f g B X) in A. discriminate.
  - rewrite (below_listed f g B X) in L. discriminate.
Qed.
Lemma counted_nodup : forall t es l, NoDup (map key_of (counted t es l)).
Proof. intros. unfold counted, active. do 2 apply nodup_filter_map. apply dedup_nodup. Qed.

(** If everything found before is found again, at least as bad, the score is at least as high: whatever is
    accepted, in whatever order, seen however often. *)
Theorem the_verdict_score_is_monotone : forall t es l m, covered l m -> verdict_score t es l <= verdict_score t es m.
Proof. intros. unfold verdict_score. apply weight_covered; auto using counted_nodup, counted_covered. Qed.

Lemma condemning_covered : forall l m, covered l m -> existsb condemning l = true -> existsb condemning m = true.
Proof.
  intros l m V. rewrite !existsb_exists. intros (f & I & C). destruct (V f I) as (g & G & B). exists g. split; [easy|].
  pose proof (below_fields f g B) as (_ & K & _). destruct B as (_ & _ & L & _).
  unfold condemning, condemns, manipulation in *. rewrite <- K. apply andb_true_iff in C as [-> C].
  rewrite Z.geb_leb, Z.leb_le in *. lia.
Qed.

(** ... and the decision is at least as strict; a gap never makes it milder either. *)
Theorem the_verdict_is_monotone : forall t es l m g h,
  covered l m -> (g = true -> h = true) -> verdict t es l g <= verdict t es m h.
Proof.
  intros t es l m g h V G. unfold verdict. apply decisions_are_monotone; auto.
  - apply bands_are_monotone. exact (the_verdict_score_is_monotone t es l m V).
  - now apply condemning_covered, counted_covered.
Qed.

(** The decision depends on what was found, not on the order or on how often the same was found. *)
Theorem order_and_repetition_do_not_matter : forall t es l m g,
  (forall f, In f l <-> In f m) -> verdict t es l g = verdict t es m g.
Proof.
  intros t es l m g E.
  assert (covered l m /\ covered m l) as [A B]
    by (split; intros f I; exists f; split; try apply below_refl; now apply E).
  pose proof (the_verdict_is_monotone t es l m g g A). pose proof (the_verdict_is_monotone t es m l g g B).
  specialize (H (fun x => x)). specialize (H0 (fun x => x)). lia.
Qed.

(** Seeing the same finding a second time changes nothing. *)
Theorem a_match_seen_twice_counts_once : forall t es l f g, In f l -> verdict t es (f :: l) g = verdict t es l g.
Proof.
  intros. apply order_and_repetition_do_not_matter. intros h. simpl. split; [|auto]. intros [<-|]; auto.
Qed.

(** What was not inspected, and nobody accepted, keeps a verdict from SAFE, whatever was found and whatever was accepted. *)
Theorem a_gap_is_never_safe : forall t es l, 1 <= verdict t es l true.
Proof.
  intros. unfold verdict. set (c := counted t es l).
  pose proof (decisions_are_monotone 0 (band_of (weight c)) false (existsb condemning c) true true) as D.
  assert (0 <= band_of (weight c)) by (unfold band_of; repeat destruct (_ >=? _); lia).
  specialize (D H). simpl in D. apply D; auto. discriminate.
Qed.

Lemma counted_one : forall t es f, accepted t es f = false -> listed f = false -> In f (counted t es [f]).
Proof.
  intros t es f A L. unfold counted, active. rewrite !filter_In, !negb_true_iff. repeat split; auto.
  unfold dedup, keys. simpl. left. destruct f as [r c n p i s k x]. unfold merged, key_of, of_key. simpl.
  unfold same_key. destruct (key_dec _ _); [|easy]. simpl. now rewrite orb_false_r.
Qed.

(** A CRITICAL flow, command or structure of confidence 500 or more that was not accepted blocks, whatever stands beside it. *)
Theorem a_sure_critical_always_blocks : forall t es l f g,
  In f l -> act f = true -> 3 <= sev f -> 500 <= conf f -> accepted t es f = false -> verdict t es l g = 2.
Proof.
  intros t es l f g I K S C A.
  assert (V : covered [f] l) by (intros x [<-|[]]; exists f; split; [easy | apply below_refl]).
  assert (W : In f (counted t es [f])).
  { apply counted_one; [easy|]. unfold listed. apply not_true_is_false. rewrite listed_apart. lia. }
  pose proof (a_sure_critical_act_scores_fifty_one _ f W K S C) as F.
  pose proof (the_verdict_score_is_monotone t es [f] l V) as M. unfold verdict_score in M.
  unfold verdict. apply decision_table. right. destruct (bands_partition (weight (counted t es l))) as (_ & _ & B & B').
  pose proof (bands_are_monotone 51 (weight (counted t es l)) ltac:(lia)) as L. exact L.
Qed.

(** An order to a reviewer, of confidence 500 or more and not accepted, blocks, whatever its severity and its kind. *)
Theorem an_order_to_a_reviewer_blocks : forall t es l f g,
  In f l -> manipulation f = true -> 500 <= conf f -> accepted t es f = false -> verdict t es l g = 2.
Proof.
  intros t es l f g I M C A.
  assert (V : covered [f] l) by (intros x [<-|[]]; exists f; split; [easy | apply below_refl]).
  assert (W : In f (counted t es [f])).
  { apply counted_one; [easy|]. unfold listed. apply not_true_is_false. rewrite listed_apart. lia. }
  assert (X : existsb condemning (counted t es l) = true).
  { apply (condemning_covered (counted t es [f])); [now apply counted_covered|]. apply existsb_exists. exists f. split; [easy|].
    unfold condemning, condemns, SURE_ENOUGH. rewrite M, Z.geb_leb. apply Z.leb_le. lia. }
  unfold verdict. apply decision_table. now left.
Qed.

(** ** Words *)
Lemma counted_in : forall t es l f, In f (counted t es l) -> In f (dedup l).
Proof. intros t es l f I. unfold counted, active in I. rewrite !filter_In in I. tauto. Qed.
Lemma dedup_act : forall l f, In f (dedup l) -> exists g, In g l /\ act g = act f.
Proof.
  intros l f I. destruct (merging_invents_nothing l f I) as (a & _ & A & _ & K & _). exists a. split; [easy|].
  unfold key_of in K. injection K as _ _ K _ _. unfold act. now rewrite K.
Qed.

(** Words alone never block: CAUTION at most, unless one of them is an order to a reviewer. *)
Theorem words_alone_never_block : forall t es l g, (forall f, In f l -> act f = false) ->
  (forall f, In f (counted t es l) -> condemning f = false) -> verdict t es l g <= 1.
Proof.
  intros t es l g W N.
  assert (B : verdict t es l g <> 2); [|unfold verdict, decide in *; destruct (_ || _); [easy|]; destruct (_ || _); lia].
  unfold verdict. intros D. apply decision_table in D as [C|C].
  - apply existsb_exists in C as (f & F & C). now rewrite (N f F) in C.
  - destruct (bands_partition (weight (counted t es l))) as (_ & B & _ & _).
    assert (weight (counted t es l) <= 50).
    { apply words_alone_stay_at_fifty. intros f F. destruct (dedup_act l f (counted_in t es l f F)) as (h & H & <-). auto. }
    pose proof (bands_are_monotone (weight (counted t es l)) 50 ltac:(lia)) as L.
    change (band_of 50) with 1 in L. lia.
Qed.

(** A block rests on an order to a reviewer, on flows, commands and structures that score 51 by themselves, or on an act and
    words about one deed. *)
Theorem what_a_block_rests_on : forall t es l g, verdict t es l g = 2 ->
  let c := counted t es l in
  (exists f, In f c /\ condemning f = true) \/ 51 <= score (acts c)
  \/ exists f h, In f c /\ In h c /\ supports f h = true.
Proof.
  intros t es l g D c. unfold verdict in D. apply decision_table in D as [C|C].
  - left. now apply existsb_exists in C.
  - right. apply a_block_needs_acts_or_two_kinds. fold c in C.
    destruct (Z_lt_le_dec (weight c) 51) as [H|H]; [|easy].
    pose proof (bands_are_monotone (weight c) 50 ltac:(lia)) as L. change (band_of 50) with 1 in L. lia.
Qed.

(** Two different deeds of MEDIUM severity or worse, sure, are CAUTION at least; and so is one flow, command or structure that
    a person should see. *)
Theorem several_deeds_are_not_safe : forall t es l g,
  2 <= Z.of_nat (List.length (deeds (counted t es l))) \/ existsb for_a_person (counted t es l) = true -> 1 <= verdict t es l g.
Proof.
  intros t es l g H. set (c := counted t es l) in *.
  assert (W : 21 <= weight c).
  { unfold weight, Kernels.by_kind, kinds_floor. rewrite floors_of_kinds. destruct (corroborated c); [lia|].
    destruct H as [H|H]; [apply Z.leb_le in H|]; rewrite H, ?orb_true_r; simpl; lia. }
  pose proof (bands_are_monotone 21 (weight c) W) as B. change (band_of 21) with 1 in B.
  pose proof (decisions_are_monotone 1 (band_of (weight c)) false (existsb condemning c) false g B) as D.
  specialize (D ltac:(discriminate) ltac:(discriminate)). exact D.
Qed.

(** ** Accepted gaps *)
(** A gap that no entry names is never set apart, whatever else is accepted. *)
Theorem only_a_named_gap_is_accepted : forall t es gs g,
  In g gs -> (forall e, In e es -> names e g = false) -> In g (open_gaps t es gs).
Proof.
  intros t es gs g I N. unfold open_gaps. apply filter_In. split; [easy|]. apply negb_true_iff, not_true_is_false.
  rewrite existsb_exists. intros (e & E & A). unfold accepts_gap in A. rewrite (N e E) in A.
  apply what_an_entry_accepts in A as (_ & [A|[A _]]); discriminate.
Qed.

(** An entry that has expired accepts no gap. *)
Theorem an_expired_entry_accepts_no_gap : forall t g e, e_last e < t -> accepts_gap t g e = false.
Proof.
  intros t g e L. apply not_true_is_false. intros A. unfold accepts_gap in A.
  apply what_an_entry_accepts in A as (X & _). apply the_last_day_still_holds in L. congruence.
Qed.

(** With a gap that nobody accepted a verdict is never SAFE. *)
Theorem an_open_gap_is_never_safe : forall t es ges l gs g,
  In g gs -> existsb (accepts_gap t g) ges = false -> 1 <= judged t es ges l gs.
Proof.
  intros t es ges l gs g I A. unfold judged.
  assert (J : In g (open_gaps t ges gs)) by (apply filter_In; split; [easy | now rewrite A]).
  destruct (open_gaps t ges gs); [easy|]. apply a_gap_is_never_safe.
Qed.

(** More gaps never make a decision milder, whatever of them is accepted. *)
Theorem more_gaps_never_help : forall t es ges l gs hs, incl gs hs -> judged t es ges l gs <= judged t es ges l hs.
Proof.
  intros t es ges l gs hs I. unfold judged. apply the_verdict_is_monotone.
  - intros f F. exists f. split; [easy | apply below_refl].
  - destruct (open_gaps t ges gs) as [|g r] eqn:E; [discriminate|]. intros _.
    assert (J : In g (open_gaps t ges hs)).
    { assert (K : In g (open_gaps t ges gs)) by (rewrite E; now left). unfold open_gaps in *. apply filter_In in K as [K A].
      apply filter_In. split; auto. }
    now destruct (open_gaps t ges hs).
Qed.

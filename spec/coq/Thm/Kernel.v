(** * The kernels: facts about production's own text *)
From Coq Require Import ZArith Bool Lia.
From Sluicegate Require Import Kernels.
Open Scope Z_scope.
Open Scope bool_scope.

Ltac kernels :=
  unfold points, raised, base, place, weigh, floor_of, final, band_of, is_listed, condemns, decide, is_guarded,
    is_expired, accepts, vote_of, attempted, consensus, stricter, corroborates, is_deed, floor_of_kinds, by_kind, holds,
    ruled, clamp, MOST_CONFIDENT, SURE_ENOUGH, WORTH_SCORING, TOP_SCORE, SCALE, MOST_OF_WORDS, DEEDS_NEEDED,
    FAMILIES_NEEDED in *.
Ltac cases :=
  repeat match goal with
  | |- context [?x >=? ?y] => rewrite (Z.geb_leb x y)
  | |- context [?x >? ?y] => rewrite (Z.gtb_ltb x y)
  | H : context [?x >=? ?y] |- _ => rewrite (Z.geb_leb x y) in H
  | H : context [?x >? ?y] |- _ => rewrite (Z.gtb_ltb x y) in H
  | |- context [?x <=? ?y] => destruct (Z.leb_spec x y)
  | |- context [?x <? ?y] => destruct (Z.ltb_spec x y)
  | H : context [?x <=? ?y] |- _ => destruct (Z.leb_spec x y)
  | H : context [?x <? ?y] |- _ => destruct (Z.ltb_spec x y)
  end; simpl in *; try lia; try easy.

(** Whatever confidence is given, the one that counts lies between 0 and 1000 thousandths. *)
Theorem every_confidence_is_in_range : forall c, 0 <= clamp c <= 1000.
Proof. intros; kernels; lia. Qed.

(** A confidence that is in range is taken as it is, and a higher one never counts less. *)
Theorem clamping_is_exact_and_monotone : forall c d,
  (0 <= c <= 1000 -> clamp c = c) /\ (c <= d -> clamp c <= clamp d).
Proof. intros; kernels; lia. Qed.

Lemma base_positive : forall s, 0 < base s.
Proof. intros; kernels; cases. Qed.
Lemma base_monotone : forall s t, s <= t -> base s <= base t.
Proof. intros; kernels; cases. Qed.

(** The points of the four severities at full confidence; what is no severity counts as the nearest one. *)
Theorem base_points : base 3 = 50 /\ base 2 = 25 /\ base 1 = 10 /\ base 0 = 5
  /\ (forall s, s <= 0 -> base s = 5) /\ forall s, 3 <= s -> base s = 50.
Proof. repeat split; try reflexivity; intros; kernels; cases. Qed.

(** Points are never negative. *)
Theorem points_are_never_negative : forall s c x, 0 <= points s c x.
Proof.
  intros. unfold points. pose proof (base_positive s). pose proof (every_confidence_is_in_range c).
  destruct x; nia.
Qed.

(** Raising the severity or the confidence of a finding, or making it executable, never lowers its points. *)
Theorem points_are_monotone : forall s t c d x y,
  s <= t -> c <= d -> (x = true -> y = true) -> points s c x <= points t d y.
Proof.
  intros s t c d x y S C X. unfold points.
  pose proof (base_positive s). pose proof (base_monotone s t S).
  pose proof (every_confidence_is_in_range c). pose proof (proj2 (clamping_is_exact_and_monotone c d) C).
  assert (base s * clamp c <= base t * clamp d) by nia.
  destruct x, y; try (discriminate (X eq_refl)); nia.
Qed.

(** Within the range, points are the base times the confidence times 13 or 10: linear in the confidence. *)
Theorem points_are_linear_in_confidence : forall s c x, 0 <= c <= 1000 ->
  points s c x = c * points s 1 x.
Proof.
  intros s c x H. unfold points.
  rewrite (proj1 (clamping_is_exact_and_monotone c 0) H), (proj1 (clamping_is_exact_and_monotone 1 0)) by lia. ring.
Qed.

(** A finding of no confidence weighs nothing. *)
Theorem no_confidence_no_points : forall s c x, c <= 0 -> points s c x = 0.
Proof. intros. unfold points. replace (clamp c) with 0 by (kernels; lia). ring. Qed.

(** The multiplier is per finding: executable weighs thirteen tenths of not executable. *)
Theorem executable_weighs_thirteen_tenths : forall s c, 10 * points s c true = 13 * points s c false.
Proof. intros. unfold points. ring. Qed.

(** The three that weigh count at 1, 1/2 and 1/4 (times four, so that the numbers stay whole). By definition. *)
Theorem the_weights : forall a b c, weigh a b c = 4 * a + 2 * b + 1 * c.
Proof. intros; kernels; lia. Qed.

Lemma floor_of_monotone : forall s t c d, s <= t -> c <= d -> floor_of s c <= floor_of t d.
Proof. intros; kernels; cases. Qed.
Lemma floor_of_range : forall s c, 0 <= floor_of s c <= 51.
Proof. intros; kernels; cases. Qed.

(** The floors: CRITICAL 51, HIGH 21 from 500 thousandths on; nothing below, and nothing milder has one. *)
Theorem floors : forall s c,
  (3 <= s -> 500 <= c -> floor_of s c = 51) /\ (s = 2 -> 500 <= c -> floor_of s c = 21)
  /\ (s < 2 \/ c < 500 -> floor_of s c = 0).
Proof. intros; kernels; repeat split; intros; cases. Qed.

Lemma final_monotone : forall f g t u, f <= g -> t <= u -> final f t <= final g u.
Proof. intros; kernels. pose proof (Z.div_le_mono t u 40000). lia. Qed.

(** The bands LOW 0..20, MEDIUM 21..50, HIGH 51..80, CRITICAL 81..100 divide the scores: each has exactly one. *)
Theorem bands_partition : forall s,
  (band_of s = 0 <-> s <= 20) /\ (band_of s = 1 <-> 21 <= s <= 50) /\
  (band_of s = 2 <-> 51 <= s <= 80) /\ (band_of s = 3 <-> 81 <= s).
Proof. intros; kernels; repeat split; intros; cases. Qed.

(** A higher score never has a milder band. *)
Theorem bands_are_monotone : forall s t, s <= t -> band_of s <= band_of t.
Proof. intros; kernels; cases. Qed.

(** DO_NOT_INSTALL exactly for band HIGH or worse or a condemning finding; CAUTION for the rest of band MEDIUM
    and of gaps; SAFE for nothing else. *)
Theorem decision_table : forall b c g,
  (decide b c g = 2 <-> c = true \/ 2 <= b) /\
  (decide b c g = 0 <-> c = false /\ g = false /\ b < 1) /\
  (decide b c g = 1 <-> c = false /\ b < 2 /\ (g = true \/ 1 <= b)).
Proof.
  intros b c g. unfold decide. rewrite !Z.geb_leb.
  destruct c, g, (Z.leb_spec 2 b), (Z.leb_spec 1 b); simpl; repeat split; intros;
    repeat match goal with H : _ /\ _ |- _ => destruct H | H : _ \/ _ |- _ => destruct H end;
    try discriminate; try lia; auto.
Qed.

(** A worse band, a condemning finding or a gap never makes a decision milder. *)
Theorem decisions_are_monotone : forall b d c e g h,
  b <= d -> (c = true -> e = true) -> (g = true -> h = true) -> decide b c g <= decide d e h.
Proof.
  intros b d c e g h B C G. unfold decide. rewrite !Z.geb_leb.
  destruct c, e, g, h; try (specialize (C eq_refl); discriminate); try (specialize (G eq_refl); discriminate);
    simpl; destruct (Z.leb_spec 2 b), (Z.leb_spec 2 d), (Z.leb_spec 1 b), (Z.leb_spec 1 d); simpl; lia.
Qed.

(** CRITICAL and HIGH always count; MEDIUM and LOW count from 400 thousandths on. *)
Theorem listed_apart : forall s c, is_listed s c = true <-> s < 2 /\ c < 400.
Proof. intros; kernels. rewrite andb_true_iff, !Z.ltb_lt. tauto. Qed.

(** An entry accepts nothing that it does not match, nothing on the day after its last, and a glob accepts
    nothing that is guarded. *)
Theorem what_an_entry_accepts : forall same globbed expired guard,
  accepts same globbed expired guard = true
  <-> expired = false /\ (same = true \/ (globbed = true /\ guard = false)).
Proof. intros [] [] [] []; unfold accepts; simpl; intuition. Qed.

(** An entry holds on its last day and on no later one. *)
Theorem the_last_day_still_holds : forall today last, is_expired today last = true <-> last < today.
Proof. intros; kernels. rewrite Z.gtb_lt. tauto. Qed.

(** One opinion never lowers a confidence, and only a confirming one changes it. *)
Theorem an_opinion_never_lowers_a_confidence : forall c b s,
  c <= raised c b s /\ (b = false -> raised c b s = c) /\ (c <= 1000 -> raised c b s <= 1000).
Proof. intros c [] s; kernels; repeat split; intros; try easy; lia. Qed.

(** A vote is SAFE only when the reply is whole, says safe, and says nothing that condemns. *)
Theorem a_safe_vote_needs_a_whole_safe_reply : forall c w s a,
  vote_of c w s a = 0 <-> c = false /\ w = true /\ s = true.
Proof. intros [] [] [] []; unfold vote_of; simpl; intuition easy. Qed.

(** One word is enough to condemn, however broken the rest of the reply. *)
Theorem one_word_condemns : forall c w s a, vote_of c w s a = 3 <-> c = true.
Proof. intros [] [] [] []; unfold vote_of; simpl; intuition easy. Qed.

(** A vote is an abstention only when the reply is not whole and there is no alarm. *)
Theorem an_alarm_is_no_abstention : forall c w s a,
  vote_of c w s a = 1 <-> c = false /\ w = false /\ a = false.
Proof. intros [] [] [] []; unfold vote_of; simpl; intuition easy. Qed.

(** ** Kinds of evidence *)
(** What words add counts up to 50, and up to 50 only. *)
Theorem words_add_up_to_fifty : forall acts everything floor,
  Kernels.by_kind acts everything floor <= Z.max (Z.max acts 50) floor /\ acts <= Kernels.by_kind acts everything floor
  /\ floor <= Kernels.by_kind acts everything floor /\ (everything <= 50 -> everything <= Kernels.by_kind acts everything floor).
Proof. intros; kernels; lia. Qed.

(** Words and an act about one deed hold the score at 51, two deeds or one for a person at 21, and nothing else does. *)
Theorem floors_of_kinds : forall c d p,
  floor_of_kinds c d p = (if c then 51 else if (p || (2 <=? d))%bool then 21 else 0).
Proof. intros [] d []; kernels; rewrite ?Z.geb_leb; reflexivity. Qed.

Lemma floor_of_kinds_monotone : forall c d p c' d' p',
  (c = true -> c' = true) -> d <= d' -> (p = true -> p' = true) -> floor_of_kinds c d p <= floor_of_kinds c' d' p'.
Proof.
  intros c d p c' d' p' C D P. rewrite !floors_of_kinds.
  destruct c; [rewrite (C eq_refl); lia|]. destruct p; [rewrite (P eq_refl)|];
    destruct c', p'; simpl; destruct (Z.leb_spec 2 d), (Z.leb_spec 2 d'); simpl; try lia; try (specialize (P eq_refl); easy).
Qed.
Lemma by_kind_monotone : forall a e f a' e' f', a <= a' -> e <= e' -> f <= f' -> Kernels.by_kind a e f <= Kernels.by_kind a' e' f'.
Proof. intros; kernels; lia. Qed.

(** ** Attempts *)
(** An attempt that condemns stays, whatever comes after it or came before. *)
Theorem an_attempt_that_condemns_stays : forall before now, 0 <= before <= 3 -> 0 <= now <= 3 ->
  (attempted before now = 3 <-> before = 3 \/ now = 3).
Proof. intros; kernels. destruct (Z.eqb_spec before 1), (Z.eqb_spec now 1); lia. Qed.

(** Neither does any attempt lift a doubt: SUSPICIOUS, an alarm among them, or worse. *)
Theorem no_attempt_lifts_a_doubt : forall k before now, 2 <= k ->
  (k <= attempted before now <-> k <= before \/ k <= now).
Proof. intros; kernels. destruct (Z.eqb_spec before 1), (Z.eqb_spec now 1); lia. Qed.

(** Only an abstention is mended by another attempt, and it mends nothing itself. *)
Theorem only_an_abstention_is_mended : forall before now,
  (before <> 1 -> before <= attempted before now) /\ attempted 1 now = now /\ attempted before 1 = before.
Proof. intros; kernels. destruct (Z.eqb_spec before 1), (Z.eqb_spec now 1); simpl; repeat split; intros; lia. Qed.

(** The order of attempts does not matter. *)
Theorem attempts_count_in_any_order : forall a b c,
  attempted a b = attempted b a /\ attempted (attempted a b) c = attempted a (attempted b c).
Proof.
  intros; kernels. destruct (Z.eqb_spec a 1), (Z.eqb_spec b 1), (Z.eqb_spec c 1); split;
    repeat match goal with |- context [?x =? 1] => destruct (Z.eqb_spec x 1) end; lia.
Qed.

(** ** Rulings *)
(** A ruling about something else, or one that has expired, does not hold, nor does an approval without a name and a reason. A
    rejection needs neither, and is about the content under any docket. *)
Theorem only_a_ruling_about_this_holds : forall same content expired approves named reasoned,
  holds same content expired approves named reasoned = true
  <-> (same = true \/ content = true /\ approves = false) /\ expired = false
      /\ (approves = true -> named = true /\ reasoned = true).
Proof. intros [] [] [] [] [] []; unfold holds; simpl; intuition easy. Qed.

(** Without approvals no decision becomes milder, and without rulings none changes. *)
Theorem without_approvals_nothing_is_lowered : forall d r n p, 0 <= d <= 2 -> 0 <= r ->
  d <= ruled d r 0 0 n p /\ ruled d 0 0 0 n p = d.
Proof. intros d r n []; intros; kernels; cases. Qed.

(** One person who rejects blocks, whatever the others say. *)
Theorem a_rejection_blocks : forall d r a o n p, 0 < r -> ruled d r a o n p = 2.
Proof. intros; kernels; cases. Qed.

(** CAUTION becomes SAFE exactly when nobody rejects and as many approve as are needed, one at least. *)
Theorem caution_needs_its_approvals : forall r a o n p, 0 <= r ->
  (ruled 1 r a o n p = 0 <-> r = 0 /\ 1 <= a /\ n <= a).
Proof. intros r a o n []; intros; kernels; cases. Qed.

(** DO_NOT_INSTALL is overridden exactly when policy permits it, nobody rejects, and as many override as are needed. *)
Theorem a_block_needs_permitted_overrides : forall r a o n p, 0 <= r ->
  (ruled 2 r a o n p < 2 <-> r = 0 /\ p = true /\ 1 <= o /\ n <= o).
Proof. intros r a o n []; intros; kernels; cases; intuition (try easy; lia). Qed.

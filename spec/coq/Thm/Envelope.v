(** * The envelope, for every reply whatsoever *)
From Coq Require Import ZArith Bool List String Lia.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Finding Score Verdict Consensus Envelope.
From Sluicegate.Thm Require Import Kernel Score Verdict Consensus.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

(** Everything of a finding but its confidence. *)
Definition core (f : finding) : key * Z * bool := (key_of f, sev f, exec f).

Lemma core_accompany : forall ops f, core (accompany ops f) = core f.
Proof. reflexivity. Qed.
Lemma accompany_protected : forall ops f, protectedb (accompany ops f) = protectedb f.
Proof. reflexivity. Qed.
Lemma lift_ge : forall ops f, conf f <= lift ops f.
Proof.
  intros ops f. unfold lift. generalize (conf f). induction ops as [|o ops IH]; simpl; intros c; [lia|].
  set (d := if String.eqb (about o) (fprint f) then _ else c). assert (c <= d).
  { unfold d. destruct (String.eqb _ _); [|lia]. destruct (said o); [|lia]. apply an_opinion_never_lowers_a_confidence. }
  specialize (IH d). lia.
Qed.
Lemma accompany_below : forall ops f, below f (accompany ops f).
Proof. intros. unfold below. repeat split; auto; simpl; [lia | apply lift_ge]. Qed.

(** Every finding survives every reply: in its place, with its multiplicity, with its severity and its words. *)
Theorem every_finding_survives_every_reply : forall paths bs, map core (surviving paths bs) = map core (inputs bs).
Proof.
  intros. unfold surviving, inputs. induction bs as [|b bs IH]; simpl; [reflexivity|].
  rewrite !map_app, IH. f_equal. rewrite map_map. apply map_ext. intros. apply core_accompany.
Qed.

Lemma filter_accompany : forall ops l, filter protectedb (map (accompany ops) l) = map (accompany ops) (filter protectedb l).
Proof.
  intros ops l. induction l as [|f l IH]; simpl; [reflexivity|]. rewrite accompany_protected, IH.
  now destruct (protectedb f).
Qed.

(** The sequence of CRITICAL and HIGH findings is the same before and after, for every reply. *)
Theorem the_protected_sequence_survives : forall paths bs,
  map core (filter protectedb (surviving paths bs)) = map core (filter protectedb (inputs bs)).
Proof.
  intros. unfold surviving, inputs. induction bs as [|b bs IH]; simpl; [reflexivity|].
  rewrite !filter_app, !map_app, IH. f_equal. rewrite filter_accompany, map_map. apply map_ext. intros.
  apply core_accompany.
Qed.

(** The same, for every reviewer seen as any function at all of the findings that it is shown. *)
Theorem every_finding_survives_every_oracle : forall (oracle : list finding -> list (nat * reply)) paths l f,
  In f l -> exists g, In g (surviving paths [mkBatch l (oracle l)]) /\ below f g /\ core g = core f.
Proof.
  intros oracle paths l f I. unfold surviving. simpl. rewrite app_nil_r.
  exists (accompany (all_opinions paths (mkBatch l (oracle l))) f). split; [now apply in_map|].
  split; [apply accompany_below | apply core_accompany].
Qed.

(** Nothing is invented and nothing is dropped: as many findings survive as were given. *)
Theorem nothing_is_invented : forall paths bs, List.length (surviving paths bs) = List.length (inputs bs).
Proof.
  intros. rewrite <- (map_length core), <- (map_length core (inputs bs)).
  now rewrite every_finding_survives_every_reply.
Qed.
Lemma read_addition_marked : forall paths j f, In f (read_addition paths j) ->
  rule f = reviewer_rule /\ 0 <= conf f <= 1000 /\ In (path f) paths.
Proof.
  intros paths j f I. unfold read_addition in I. destruct j; try easy.
  destruct (severity _); [|easy]. destruct (number _); [|easy]. destruct (lookup "path" _); try easy.
  destruct (lookup "note" _); try easy. destruct (member _ _ && _) eqn:M; [|easy]. destruct I as [<-|[]]. simpl.
  apply andb_true_iff in M as [M _]. unfold member in M. apply existsb_exists in M as (p & P & E).
  apply String.eqb_eq in E. subst. repeat split; auto using (proj1 (every_confidence_is_in_range z)); apply every_confidence_is_in_range.
Qed.
Lemma firstn_incl {A} n (l : list A) x : In x (firstn n l) -> In x l.
Proof. revert l. induction n; destruct l; simpl; intuition. Qed.

(** What a model adds is marked by its rule, in range, on a path of the bundle, and never more than twenty from a reply. *)
Theorem additions_are_marked_and_bounded : forall known paths r,
  (List.length (additions (read known paths r)) <= 20)%nat /\
  forall f, In f (additions (read known paths r)) ->
    rule f = reviewer_rule /\ 0 <= conf f <= 1000 /\ In (path f) paths.
Proof.
  intros known paths r. destruct r as [|j]; [simpl; split; [lia|easy]|].
  destruct j; try (simpl; split; [lia|easy]). unfold read, read_object. cbn [additions]. split.
  - apply firstn_le_length.
  - intros f I. apply firstn_incl in I. apply in_flat_map in I as (x & _ & J). now apply read_addition_marked in J.
Qed.

(** No reply lowers the confidence of any finding. *)
Theorem a_confidence_is_never_lowered : forall paths bs, Forall2 (fun f g => conf f <= conf g) (inputs bs) (surviving paths bs).
Proof.
  intros. unfold inputs, surviving. induction bs as [|b bs IH]; simpl; [constructor|].
  apply Forall2_app; [|exact IH]. generalize (all_opinions paths b). intros ops.
  induction (asked b) as [|f l IH2]; simpl; constructor; auto. apply lift_ge.
Qed.

Lemma lift_inert : forall ops f, (forall o, In o ops -> about o = fprint f -> vote o <> 3 \/ said o = None) -> lift ops f = conf f.
Proof.
  intros ops f. unfold lift. generalize (conf f). induction ops as [|o ops IH]; simpl; intros c H; [reflexivity|].
  rewrite IH; [|auto]. destruct (String.eqb_spec (about o) (fprint f)) as [E|E]; [|reflexivity].
  destruct (H o (or_introl eq_refl) E) as [N|N]; [|now rewrite N]. destruct (said o); [|reflexivity].
  apply (an_opinion_never_lowers_a_confidence c). unfold is_malicious. now apply Z.eqb_neq.
Qed.

(** Only an opinion that confirms this finding and states a confidence changes it: other ids, other words and denials
    are inert. *)
Theorem only_confirmation_changes_a_finding : forall ops f,
  (forall o, In o ops -> about o = fprint f -> vote o <> 3 \/ said o = None) -> accompany ops f = f.
Proof. intros ops f H. unfold accompany. rewrite lift_inert by easy. now destruct f. Qed.

(** Fail closed: an exception, silence, or anything that is not an object says nothing and is an abstention. *)
Theorem what_is_not_an_object_says_nothing : forall known paths r,
  (forall kv, r <> Answered (JObj kv)) -> read known paths r = mkReading 1 false [] [].
Proof. intros known paths [|[]] H; try reflexivity. now destruct (H kv). Qed.

(** A batch whose replies all failed leaves its findings as they are. *)
Theorem a_failed_batch_loses_nothing : forall paths l rs,
  (forall x, In x rs -> snd x = Failed) -> surviving paths [mkBatch l rs] = l.
Proof.
  intros paths l rs H. unfold surviving. simpl. rewrite app_nil_r.
  assert (E : all_opinions paths (mkBatch l rs) = []).
  { unfold all_opinions, readings. generalize (known_of (mkBatch l rs)). intros k. simpl. induction rs as [|[s r] rs IH]; simpl; [reflexivity|].
    rewrite IH by (intros; apply H; now right). pose proof (H (s, r) (or_introl eq_refl)) as F. simpl in F. now rewrite F. }
  rewrite E. rewrite (map_ext _ (fun f => f)); [apply map_id|]. intros f. apply only_confirmation_changes_a_finding. easy.
Qed.

(** Batches are apart: what one batch's replies do is the same whatever the other batches' replies are. *)
Theorem batches_are_isolated : forall paths a b, surviving paths (a ++ b) = surviving paths a ++ surviving paths b.
Proof. intros. unfold surviving. apply flat_map_app. Qed.

(** ** Envelope and verdict together *)
Lemma output_covers : forall paths bs, covered (inputs bs) (output paths bs).
Proof.
  intros paths bs f I. unfold inputs in I. apply in_flat_map in I as (b & B & I).
  exists (accompany (all_opinions paths b) f). split; [|apply accompany_below].
  unfold output, surviving. apply in_or_app. left. apply in_flat_map. exists b. split; [easy|]. now apply in_map.
Qed.

(** No reply brings the score below that of the findings alone, protected or not. *)
Theorem no_reply_lowers_the_score : forall t es paths bs,
  verdict_score t es (inputs bs) <= verdict_score t es (output paths bs).
Proof. intros. apply the_verdict_score_is_monotone, output_covers. Qed.

(** No reply brings the score below that of the CRITICAL and HIGH findings alone. *)
Theorem no_reply_lowers_the_protected_score : forall t es paths bs,
  verdict_score t es (filter protectedb (inputs bs)) <= verdict_score t es (output paths bs).
Proof.
  intros. apply the_verdict_score_is_monotone. intros f I. apply filter_In in I as [I _]. now apply output_covers.
Qed.

(** No reply, no missing reply and no number of reviewers makes the decision milder than it is without them. *)
Theorem no_reply_moves_the_verdict_towards_safe : forall t es paths panel bs gap,
  verdict t es (inputs bs) gap <= reviewed_verdict t es paths panel bs gap.
Proof.
  intros. unfold reviewed_verdict, stricter.
  pose proof (the_verdict_is_monotone t es (inputs bs) (output paths bs) gap gap (output_covers paths bs) (fun x => x)). lia.
Qed.

(** In particular DO_NOT_INSTALL stays DO_NOT_INSTALL, and CAUTION never becomes SAFE. *)
Theorem do_not_install_stays : forall t es paths panel bs gap,
  verdict t es (inputs bs) gap = 2 -> reviewed_verdict t es paths panel bs gap = 2.
Proof.
  intros. pose proof (no_reply_moves_the_verdict_towards_safe t es paths panel bs gap).
  unfold reviewed_verdict, stricter in *.
  assert (forall l g, verdict t es l g <= 2).
  { intros. unfold verdict, decide. destruct (_ || _); [lia|]. destruct (_ || _); lia. }
  assert (forall l, panel_decision l <= 2).
  { intros. unfold panel_decision, consensus. destruct (_ >? 0); [lia|]. destruct (_ && _); lia. }
  specialize (H1 (output paths bs) gap). specialize (H2 (ballots paths panel bs)). lia.
Qed.

(** A CRITICAL of confidence 500 or more that nobody accepted is DO_NOT_INSTALL, for every reply of every reviewer. *)
Theorem a_critical_blocks_for_every_reply : forall t es paths panel bs gap f,
  In f (inputs bs) -> 3 <= sev f -> 500 <= conf f -> accepted t es f = false ->
  reviewed_verdict t es paths panel bs gap = 2.
Proof. intros. apply do_not_install_stays. eapply a_sure_critical_always_blocks; eauto. Qed.

(** One reply that says MALICIOUS of a finding it was asked about is a vote that condemns, however broken the rest. *)
Theorem one_malicious_word_is_heard : forall known paths kv o,
  In o (opinions (read_object known paths kv)) -> vote o = 3 -> comes_to (read_object known paths kv) = 3.
Proof.
  intros known paths kv o I V. unfold read_object in *. cbn [comes_to opinions] in *. apply one_word_condemns. left.
  apply orb_true_iff. right. apply existsb_exists. exists o. split; [easy|]. unfold is_malicious. now rewrite V.
Qed.

(** A reply that is SAFE speaks of every finding that it was asked about, and says SAFE of each. *)
Theorem a_safe_reply_is_complete : forall known paths r, comes_to (read known paths r) = 0 ->
  (forall i, In i known -> exists o, In o (opinions (read known paths r)) /\ about o = i)
  /\ forall o, In o (opinions (read known paths r)) -> vote o = 0.
Proof.
  intros known paths [|j] H; [discriminate|]. destruct j; try discriminate. unfold read, read_object in *.
  cbn [comes_to opinions] in *. apply a_safe_vote_needs_a_whole_safe_reply in H as (_ & _ & W & S). split.
  - intros i I. rewrite !andb_true_iff in W. destruct W as [[_ W] _]. rewrite forallb_forall in W.
    specialize (W i (proj2 (nodup_In string_dec known i) I)). unfold member in W. apply existsb_exists in W as (j & J & E).
    apply String.eqb_eq in E. apply in_map_iff in J as (o & A & O). exists o. split; congruence.
  - intros o O. rewrite !andb_true_iff in S. destruct S as [[_ S] _]. rewrite forallb_forall in S.
    specialize (S o O). now apply Z.eqb_eq.
Qed.

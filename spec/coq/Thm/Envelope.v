(** * The envelope, for every reply whatsoever *)
From Coq Require Import ZArith Bool List String Ascii Lia.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Finding Score Verdict Consensus Envelope.
From Sluicegate.Thm Require Import Kernel Score Kinds Verdict Consensus.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

(** Everything that decides of a finding but its confidence. *)
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

(** Every finding survives every reply: in its place, with its multiplicity, of the same rule, category, kind, path and
    fingerprint, as severe and as executable. *)
Theorem every_finding_survives_every_reply : forall v, map core (surviving v) = map core (findings v).
Proof. intros. unfold surviving. rewrite map_map. apply map_ext. intros. apply core_accompany. Qed.

Lemma filter_accompany : forall ops l, filter protectedb (map (accompany ops) l) = map (accompany ops) (filter protectedb l).
Proof.
  intros ops l. induction l as [|f l IH]; simpl; [reflexivity|]. rewrite accompany_protected, IH.
  now destruct (protectedb f).
Qed.

(** The sequence of CRITICAL and HIGH findings is the same before and after, for every reply. *)
Theorem the_protected_sequence_survives : forall v,
  map core (filter protectedb (surviving v)) = map core (filter protectedb (findings v)).
Proof. intros. unfold surviving. rewrite filter_accompany, map_map. apply map_ext. intros. apply core_accompany. Qed.

(** The same, for all reviewers together seen as any function at all of what they are shown. *)
Theorem every_finding_survives_every_oracle : forall (oracle : list finding -> list package -> list answer) l ps ss b f,
  In f l -> exists g, In g (surviving (mkReview l ps ss (oracle l ps) b)) /\ below f g /\ core g = core f.
Proof.
  intros oracle l ps ss b f I. unfold surviving. cbn [findings]. eexists. split; [apply in_map; exact I|].
  split; [apply accompany_below | apply core_accompany].
Qed.

(** Nothing is invented and nothing is dropped: as many findings survive as were given. *)
Theorem nothing_is_invented : forall v, List.length (surviving v) = List.length (findings v).
Proof. intros. unfold surviving. apply map_length. Qed.

Lemma firstn_incl {A} n (l : list A) x : In x (firstn n l) -> In x l.
Proof. revert l. induction n; destruct l; simpl; intuition. Qed.
Lemma read_addition_marked : forall ps j f, In f (read_addition ps j) ->
  rule f = reviewer_rule /\ act f = false /\ 0 <= conf f <= 1000 /\ exists x, In (path f, x) ps.
Proof.
  intros ps j f I. unfold read_addition in I. destruct j; try easy. destruct (_ && _); [|easy].
  destruct (severity _); [|easy]. destruct (lookup "confidence" _) as [[]|]; try easy.
  destruct (lookup "path" _) as [[]|]; try easy. destruct (lookup "note" _) as [[]|]; try easy.
  unfold executable_of in I. destruct (find _ ps) as [[p x]|] eqn:F; [|easy]. destruct (blank _); [easy|].
  destruct I as [<-|[]]. apply find_some in F as [F E]. simpl in E. apply String.eqb_eq in E. subst. cbn.
  repeat split; try apply every_confidence_is_in_range. eauto.
Qed.

(** What a model adds is marked by its rule, is words (which never block alone), in range, on a path of the bundle, and never
    more than twenty from a reply. *)
Theorem additions_are_marked_and_bounded : forall r known ps a,
  (List.length (additions (read r known ps a)) <= 20)%nat /\
  forall f, In f (additions (read r known ps a)) ->
    rule f = reviewer_rule /\ act f = false /\ 0 <= conf f <= 1000 /\ exists x, In (path f, x) ps.
Proof.
  intros r known ps [|j b|j]; try (simpl; split; [lia|easy]).
  destruct j; try (simpl; split; [lia|easy]). destruct r; cbn [read read_review read_detection additions]; split;
    try apply firstn_le_length; try (simpl; lia); try easy;
    intros f I; apply firstn_incl in I; apply in_flat_map in I as (x & _ & J); now apply read_addition_marked in J.
Qed.

(** No reply lowers the confidence of any finding. *)
Theorem a_confidence_is_never_lowered : forall v, Forall2 (fun f g => conf f <= conf g) (findings v) (surviving v).
Proof.
  intros. unfold surviving. generalize (all_opinions v). intros ops.
  induction (findings v) as [|f l IH]; simpl; constructor; auto. apply lift_ge.
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

(** ** Fail closed *)
(** An exception and silence say nothing and are an abstention. *)
Theorem what_failed_says_nothing : forall r known ps, read r known ps Failed = mkReading 1 false [] [].
Proof. reflexivity. Qed.

(** What is no strict JSON abstains unless it condemns or alarms, and has no other effect: it never passes, whatever can still
    be read of it, and speaks of no finding. *)
Theorem what_is_damaged_never_passes : forall r known ps j alarm, let d := read r known ps (Damaged j alarm) in
  1 <= comes_to d /\ opinions d = [] /\ additions d = []
  /\ (comes_to d = 1 <-> condemns_all j = false /\ alarm = false /\ speaks_of_malice j = false).
Proof.
  intros r known ps j alarm. cbn [read comes_to opinions additions]. unfold vote_of.
  destruct (condemns_all j), alarm, (speaks_of_malice j); simpl; intuition (try discriminate; try lia).
Qed.

(** An alarm is a doubt at least, whatever the rest says. *)
Theorem an_alarm_is_heard : forall r known ps j, 2 <= comes_to (read r known ps (Damaged j true)).
Proof. intros. cbn [read comes_to]. unfold vote_of. destruct (condemns_all j); simpl; lia. Qed.

(** What is not an object abstains unless it condemns or speaks of malice, and has no other effect. *)
Theorem what_is_not_an_object_can_only_condemn : forall r known ps j, (forall kv, j <> JObj kv) ->
  read r known ps (Answered j)
  = mkReading (if condemns_all j then 3 else if speaks_of_malice j then 2 else 1) (saw_injection j) [] [].
Proof.
  intros r known ps [] H; try (now destruct (H kv)); destruct r; cbn [read]; unfold vote_of; cbn [negb];
    repeat match goal with |- context [if ?c then _ else _] => destruct c end; reflexivity.
Qed.

(** When all replies failed or are no strict JSON, the findings stay as they are. *)
Theorem failed_replies_change_nothing : forall v, (forall a j, In a (answers v) -> back a <> Answered j) -> surviving v = findings v.
Proof.
  intros v H. assert (E : all_opinions v = []).
  { unfold all_opinions. induction (answers v) as [|a l IH]; simpl; [reflexivity|].
    rewrite IH by (intros b j I; apply H; now right). unfold reading_of.
    destruct (back a) eqn:B; [easy | easy | now destruct (H a j (or_introl eq_refl))]. }
  unfold surviving. rewrite E. rewrite (map_ext _ (fun f => f)); [apply map_id|].
  intros f. apply only_confirmation_changes_a_finding. easy.
Qed.

Lemma read_opinion_known : forall known j o, In o (read_opinion known j) -> In (about o) known.
Proof.
  intros known j o I. unfold read_opinion in I. destruct j; try easy. destruct (_ && _); [|easy].
  destruct (lookup "id" kv) as [[]|]; try easy. destruct (word _); [|easy].
  destruct (lookup "confidence" kv) as [[]|]; try easy;
    destruct (member s known) eqn:M; try easy; destruct I as [<-|[]]; cbn;
    unfold member in M; apply existsb_exists in M as (x & X & E); apply String.eqb_eq in E; now subst.
Qed.
Lemma read_known : forall r known ps a o, In o (opinions (read r known ps a)) -> In (about o) known.
Proof.
  intros r known ps [|j b|j] o I; try easy. destruct j; try easy. destruct r; cbn in I; try easy;
    apply in_flat_map in I as (x & _ & J); eauto using read_opinion_known.
Qed.

(** Packages are apart: a reply says something only of the findings of its own package. *)
Theorem packages_are_isolated : forall v a o,
  In o (opinions (reading_of v a)) -> In (about o) (asked (package_of v (package_at a))).
Proof. intros v a o I. unfold reading_of in I. eauto using read_known. Qed.

(** A finding that no reply speaks of stays as it is, whatever is said of others. *)
Theorem a_finding_without_opinions_is_unchanged : forall v f,
  (forall a, In a (answers v) -> ~ In (fprint f) (asked (package_of v (package_at a)))) -> accompany (all_opinions v) f = f.
Proof.
  intros v f N. apply only_confirmation_changes_a_finding. intros o O E. exfalso.
  unfold all_opinions in O. apply in_flat_map in O as (a & A & I). apply (N a A). rewrite <- E.
  now apply packages_are_isolated in I.
Qed.

(** ** What condemns *)
(** A reply that condemns anywhere is a vote that condemns, whoever gave it and however broken the rest. *)
Theorem what_condemns_is_heard : forall r known ps j, condemns_all j = true -> comes_to (read r known ps (Answered j)) = 3.
Proof. intros r known ps [] C; destruct r; cbn [read read_review read_detection comes_to]; now rewrite C. Qed.

(** The same of what is left of a reply that is no strict JSON. *)
Theorem what_condemns_is_heard_however_damaged : forall r known ps j alarm,
  condemns_all j = true -> comes_to (read r known ps (Damaged j alarm)) = 3.
Proof. intros r known ps j alarm C. cbn [read comes_to]. now rewrite C. Qed.

(** A reply that abstains says nowhere that anything is malicious, gives nothing as suspicious, and is clear about injections. *)
Theorem an_abstention_speaks_of_no_malice : forall r known ps j,
  comes_to (read r known ps (Answered j)) = 1 -> condemns_all j = false /\ speaks_of_malice j = false.
Proof.
  intros r known ps [] C; destruct r; cbn [read read_review read_detection comes_to] in C;
    apply an_alarm_is_no_abstention in C as (C & _ & A); now split.
Qed.

Lemma anywhere_list : forall p j l, In j l -> anywhere p j = true -> anywhere p (JArr l) = true.
Proof. intros p j l I A. cbn. apply existsb_exists. eauto. Qed.
Lemma anywhere_object : forall p k j kv, In (k, j) kv -> anywhere p j = true -> anywhere p (JObj kv) = true.
Proof. intros p k j kv I A. cbn. apply existsb_exists. exists (k, j). now rewrite A, orb_true_r. Qed.

Lemma anywhere_pair : forall p k j kv, In (k, j) kv -> p (bare k) j = true -> anywhere p (JObj kv) = true.
Proof. intros p k j kv I P. cbn. apply existsb_exists. exists (k, j). split; [easy|]. now rewrite P. Qed.

(** Wrapping hides nothing: what condemns still does inside any list and under any key of any object. *)
Theorem wrapping_hides_nothing : forall j, condemns_all j = true ->
  (forall l, In j l -> condemns_all (JArr l) = true) /\ (forall k kv, In (k, j) kv -> condemns_all (JObj kv) = true).
Proof.
  intros j C. unfold condemns_all, saw_injection in *. rewrite !orb_true_iff in C. split; [intros l I | intros k kv I];
    rewrite !orb_true_iff; destruct C as [[C|C]|C].
  - left. left. now apply (anywhere_list _ j).
  - left. right. cbn. apply existsb_exists. eauto.
  - right. now apply (anywhere_list _ j).
  - left. left. now apply (anywhere_object _ k j).
  - right. apply (anywhere_pair _ k j); [easy|]. unfold condemning_pair. now rewrite C.
  - right. now apply (anywhere_object _ k j).
Qed.

(** MALICIOUS under any key condemns, however the word is written, and whatever else the object says, twice or not. *)
Theorem one_malicious_word_is_heard : forall kv k s, In (k, JStr s) kv -> bare s = "malicious"%string -> condemns_all (JObj kv) = true.
Proof.
  intros kv k s I S. unfold condemns_all. apply orb_true_iff. right. apply (anywhere_pair _ k (JStr s)); [easy|].
  unfold condemning_pair. change (says_malicious (JStr s)) with (String.eqb (bare s) the_word). now rewrite S.
Qed.

(** Under a key that speaks of a verdict, a text that begins with the word condemns, whatever follows. *)
Theorem a_verdict_that_begins_with_the_word_is_heard : forall kv k s, In (k, JStr s) kv -> of_verdicts (bare k) = true ->
  String.prefix the_word (bare s) = true -> condemns_all (JObj kv) = true.
Proof.
  intros kv k s I K S. unfold condemns_all. apply orb_true_iff. right. apply (anywhere_pair _ k (JStr s)); [easy|].
  unfold condemning_pair. change (begins_malicious (JStr s)) with (String.prefix the_word (bare s)). rewrite S, K.
  now rewrite orb_true_r.
Qed.

(** A flag that is set under a key that speaks of an injection condemns. *)
Theorem one_injection_flag_is_heard : forall kv k j, In (k, j) kv ->
  tells_of_injection (bare k) = true -> is_set j = true -> condemns_all (JObj kv) = true.
Proof.
  intros kv k j I K S. unfold condemns_all, saw_injection. rewrite !orb_true_iff. left. left. apply (anywhere_pair _ k j); [easy|].
  cbv beta. now rewrite K, S.
Qed.

(** A text is a flag that is set only if it is one of a closed list of words; any other text that is no denial is unclear, so that
    a reply that is not whole is no abstention. *)
Theorem other_words_about_an_injection_only_alarm : forall kv k s, In (k, JStr s) kv -> tells_of_injection (bare k) = true ->
  denies s = false -> member (bare s) agreements = false ->
  is_set (JStr s) = false /\ speaks_of_malice (JObj kv) = true.
Proof.
  intros kv k s I K D A. unfold is_set. cbn [flag_of]. rewrite D, A. split; [reflexivity|].
  unfold speaks_of_malice. apply orb_true_iff. right. apply (anywhere_pair _ k (JStr s)); [easy|].
  cbv beta. rewrite K. unfold is_unclear. cbn [flag_of]. now rewrite D, A.
Qed.

(** 'No injection found' is such a text. *)
Theorem no_injection_found_does_not_condemn :
  let j := JObj [("injection", JStr "No injection found")]%string in
  condemns_all j = false /\ speaks_of_malice j = true.
Proof. split; reflexivity. Qed.

(** Case, spaces and signs do not matter. *)
Theorem case_and_signs_hide_nothing :
  bare "malicious" = "malicious"%string /\ bare " MALICIOUS " = "malicious"%string /\ bare "**Malicious.**" = "malicious"%string
  /\ bare "Prompt Injection" = "promptinjection"%string /\ bare "not malicious" <> "malicious"%string.
Proof. repeat split; try reflexivity. discriminate. Qed.

(** ** What passes *)
Lemma comes_range : forall r known ps a, 0 <= comes_to (read r known ps a) <= 3.
Proof.
  intros r known ps [|j b|[]]; try (simpl; lia); try destruct r; cbn [read read_review read_detection comes_to]; unfold vote_of;
    repeat (destruct (_ : bool); try lia).
Qed.

(** A reply that is SAFE condemns nowhere. *)
Theorem a_safe_reply_condemns_nowhere : forall r known ps j,
  comes_to (read r known ps (Answered j)) = 0 -> condemns_all j = false.
Proof.
  intros r known ps j C. apply not_true_is_false. intros E. rewrite (what_condemns_is_heard r known ps j E) in C. discriminate.
Qed.

(** What a reviewer adds is a doubt at least, however it is spelt: on a path that there is not, malformed, or beside a reply that is
    damaged elsewhere. *)
Theorem what_is_added_is_a_doubt : forall r known ps kv x l, lookup "added" kv = Some (JArr (x :: l)) ->
  2 <= comes_to (read r known ps (Answered (JObj kv))).
Proof.
  intros r known ps kv x l L.
  assert (I : In ("added"%string, JArr (x :: l)) kv).
  { clear -L. induction kv as [|[k v] kv IH]; cbn [lookup] in L; [discriminate|].
    destruct (String.eqb "added" k) eqn:E; [|right; now apply IH].
    apply String.eqb_eq in E. subst k. injection L as ->. now left. }
  assert (S : speaks_of_malice (JObj kv) = true).
  { unfold speaks_of_malice. apply orb_true_iff. right. apply (anywhere_pair _ "added"%string (JArr (x :: l))); [easy|].
    cbv beta. apply orb_true_iff. right. unfold adds. apply andb_true_iff. split; [reflexivity|]. cbn [flag_of fold_right].
    assert (U : fold_right (fun y => worse_flag (flag_of y)) Unclear l <> Unset).
    { clear. induction l as [|y l IH]; simpl; [discriminate|].
      destruct (flag_of y), (fold_right (fun y => worse_flag (flag_of y)) Unclear l); simpl; congruence. }
    destruct (flag_of x), (fold_right (fun y => worse_flag (flag_of y)) Unclear l); simpl; congruence. }
  assert (N : comes_to (read r known ps (Answered (JObj kv))) <> 1).
  { intros C. apply an_abstention_speaks_of_no_malice in C as (_ & C). congruence. }
  assert (Z : comes_to (read r known ps (Answered (JObj kv))) <> 0).
  { intros H. destruct r; cbn [read read_review read_detection comes_to] in H;
      apply a_safe_vote_needs_a_whole_safe_reply in H as (_ & W & F).
    1, 2: rewrite L in W, F; rewrite !andb_true_iff in W; rewrite !andb_true_iff in F; unfold same_length in *;
      rewrite !Nat.eqb_eq in *; cbn [items List.length] in *; destruct F as [_ F], W as [[[_ G] _] _]; lia.
    rewrite !andb_true_iff in W. destruct W as [W _]. unfold has in W. rewrite !andb_true_iff in W. destruct W as [_ W].
    rewrite forallb_forall in W. apply (in_map fst) in I. apply W in I. discriminate. }
  pose proof (comes_range r known ps (Answered (JObj kv))). lia.
Qed.

(** A SAFE reply of a reviewer of findings speaks of every finding that it was asked about, and says SAFE of each. *)
Theorem a_safe_reply_is_complete : forall r known ps a, r <> Detector -> comes_to (read r known ps a) = 0 ->
  (forall i, In i known -> exists o, In o (opinions (read r known ps a)) /\ about o = i)
  /\ forall o, In o (opinions (read r known ps a)) -> vote o = 0.
Proof.
  intros r known ps [|j b|j] N H; [discriminate|pose proof (what_is_damaged_never_passes r known ps j b) as (D & _); rewrite H in D; lia|].
  destruct j; try (exfalso; rewrite what_is_not_an_object_can_only_condemn in H by easy; cbn [comes_to] in H;
    repeat match type of H with context [if ?c then _ else _] => destruct c end; discriminate).
  destruct r; [| |easy]; cbn [read read_review comes_to opinions] in *;
    apply a_safe_vote_needs_a_whole_safe_reply in H as (_ & W & S); (split;
    [ intros i I; rewrite !andb_true_iff in W; destruct W as [[_ W] _]; rewrite forallb_forall in W;
      specialize (W i (proj2 (nodup_In string_dec known i) I)); unfold member in W; apply existsb_exists in W as (j & J & E);
      apply String.eqb_eq in E; apply in_map_iff in J as (o & A & O); exists o; split; congruence
    | intros o O; rewrite !andb_true_iff in S; destruct S as [[_ S] _]; rewrite forallb_forall in S;
      specialize (S o O); now apply Z.eqb_eq ]).
Qed.

(** A SAFE reply has the keys of its shape, each once, and no other: an unknown key is enough to spoil it. *)
Theorem an_unknown_key_is_not_safe : forall r known ps kv k j, In (k, j) kv ->
  member k ["overall"; "injection"; "findings"; "injection_evidence"; "summary"; "added"]%string = false ->
  comes_to (read r known ps (Answered (JObj kv))) <> 0.
Proof.
  intros r known ps kv k j I M H.
  assert (A : forall n a, has n a kv = true -> member k (n ++ a) = true).
  { intros n a E. unfold has in E. rewrite !andb_true_iff in E. destruct E as [_ E]. rewrite forallb_forall in E. apply E.
    now apply (in_map fst) in I. }
  destruct r; cbn [read read_review read_detection comes_to] in H; apply a_safe_vote_needs_a_whole_safe_reply in H as (_ & W & _);
    rewrite !andb_true_iff in W; repeat match goal with H : _ /\ _ |- _ => destruct H end;
    match goal with H : has _ _ kv = true |- _ => apply A in H end;
    match goal with H : member k _ = true |- _ => cbn in H, M; rewrite ?orb_true_iff in H; rewrite ?orb_false_iff in M end;
    intuition congruence.
Qed.

Lemma opinions_of_items : forall known l, (List.length (flat_map (read_opinion known) l) <= List.length l)%nat.
Proof.
  intros known l. induction l as [|j l IH]; simpl; [lia|]. rewrite app_length.
  assert (List.length (read_opinion known j) <= 1)%nat; [|lia]. unfold read_opinion. destruct j; simpl; try lia.
  destruct (_ && _); simpl; [|lia]. destruct (lookup "id" kv) as [[]|]; simpl; try lia. destruct (word _); simpl; try lia.
  destruct (lookup "confidence" kv) as [[]|]; simpl; try lia; destruct (member _ _); simpl; lia.
Qed.

(** A reply is not SAFE that tells of an injection it did not see, or that begins some text with MALICIOUS in capitals. *)
Theorem a_contradictory_reply_is_not_safe : forall r known ps kv,
  (exists s, lookup "injection_evidence" kv = Some (JStr s) /\ denies s = false) \/ shouts (JObj kv) = true ->
  comes_to (read r known ps (Answered (JObj kv))) <> 0.
Proof.
  intros r known ps kv C H.
  assert (N : consistent (JObj kv) kv = false).
  { unfold consistent, no_evidence. destruct C as [(s & L & D)|C]; [rewrite L, D | rewrite C]; now rewrite ?andb_false_r. }
  destruct r; cbn [read read_review read_detection comes_to] in H; apply a_safe_vote_needs_a_whole_safe_reply in H as (_ & W & _);
    rewrite N in W; now rewrite ?andb_false_r in W.
Qed.

(** A reply in which some record is malformed, or speaks of a finding that was not asked about, is not SAFE. *)
Theorem an_unknown_id_is_not_safe : forall r known ps kv l j, r <> Detector -> lookup "findings" kv = Some (JArr l) -> In j l ->
  read_opinion known j = [] -> comes_to (read r known ps (Answered (JObj kv))) <> 0.
Proof.
  intros r known ps kv l j N F I O H.
  assert (L : (List.length (flat_map (read_opinion known) l) < List.length l)%nat).
  { apply in_split in I as (a & b & ->). rewrite flat_map_app, !app_length. simpl. rewrite O. simpl.
    pose proof (opinions_of_items known a). pose proof (opinions_of_items known b). lia. }
  destruct r; [| |easy]; cbn [read read_review comes_to] in H; apply a_safe_vote_needs_a_whole_safe_reply in H as (_ & W & _);
    rewrite !andb_true_iff in W; rewrite F in W; cbn [items] in W; unfold same_length in W; rewrite !Nat.eqb_eq in W; lia.
Qed.

(** A detector condemns, alarms, abstains or has nothing to say; it has no opinions and adds nothing. *)
Theorem a_detector_condemns_or_says_nothing : forall known ps a, let r := read Detector known ps a in
  0 <= comes_to r <= 3 /\ opinions r = [] /\ additions r = [] /\ (comes_to r = 2 -> forall j, a = Answered j -> speaks_of_malice j = true).
Proof.
  intros known ps a. cbv zeta. split; [apply comes_range|]. split; [now destruct a as [|j b|[]]|].
  split; [now destruct a as [|j b|[]]|]. intros V j ->. destruct (speaks_of_malice j) eqn:S; [reflexivity|exfalso].
  destruct j; cbn [read read_detection comes_to] in V; rewrite S in V; unfold vote_of in V; cbn [negb] in V;
    repeat match type of V with context [if ?c then _ else _] => destruct c end; discriminate.
Qed.

(** ** Envelope and verdict together *)
Lemma output_covers : forall v, covered (findings v) (output v).
Proof.
  intros v f I. exists (accompany (all_opinions v) f). split; [|apply accompany_below].
  unfold output, surviving. apply in_or_app. left. now apply in_map.
Qed.

(** No reply brings the score below that of the findings alone, protected or not. *)
Theorem no_reply_lowers_the_score : forall t es v, verdict_score t es (findings v) <= verdict_score t es (output v).
Proof. intros. apply the_verdict_score_is_monotone, output_covers. Qed.

(** No reply brings the score below that of the CRITICAL and HIGH findings alone. *)
Theorem no_reply_lowers_the_protected_score : forall t es v,
  verdict_score t es (filter protectedb (findings v)) <= verdict_score t es (output v).
Proof.
  intros. apply the_verdict_score_is_monotone. intros f I. apply filter_In in I as [I _]. now apply output_covers.
Qed.

(** No reply, no missing reply and no number of reviewers makes the decision milder than it is without them. *)
Theorem no_reply_moves_the_verdict_towards_safe : forall t es g v,
  verdict t es (findings v) g <= reviewed_verdict t es g v.
Proof.
  intros. unfold reviewed_verdict, stricter.
  pose proof (the_verdict_is_monotone t es (findings v) (output v) g g (output_covers v) (fun x => x)). lia.
Qed.

Lemma verdict_range : forall t es l g, 0 <= verdict t es l g <= 2.
Proof. intros. unfold verdict, decide. destruct (_ || _); [lia|]. destruct (_ || _); lia. Qed.
Lemma reviewed_range : forall t es g v, 0 <= reviewed_verdict t es g v <= 2.
Proof.
  intros. unfold reviewed_verdict, stricter. pose proof (verdict_range t es (output v) g).
  pose proof (panel_range (complete v) (ballots v)). lia.
Qed.

(** DO_NOT_INSTALL stays DO_NOT_INSTALL, and CAUTION never becomes SAFE. *)
Theorem do_not_install_stays : forall t es g v,
  (verdict t es (findings v) g = 2 -> reviewed_verdict t es g v = 2)
  /\ (verdict t es (findings v) g = 1 -> reviewed_verdict t es g v <> 0).
Proof.
  intros. pose proof (no_reply_moves_the_verdict_towards_safe t es g v). pose proof (reviewed_range t es g v). lia.
Qed.

(** A CRITICAL flow, command or structure of confidence 500 or more that nobody accepted is DO_NOT_INSTALL, for every reply of
    every reviewer. *)
Theorem a_critical_blocks_for_every_reply : forall t es g v f,
  In f (findings v) -> act f = true -> 3 <= sev f -> 500 <= conf f -> accepted t es f = false ->
  reviewed_verdict t es g v = 2.
Proof. intros. apply do_not_install_stays. eapply a_sure_critical_always_blocks; eauto. Qed.

(** * Kinds of evidence: words alone never block, and no kind is bought by adding findings of another *)
From Coq Require Import ZArith Bool List String Lia Permutation.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Finding Score Verdict.
From Sluicegate.Thm Require Import Kernel Score.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

Lemma below_refl : forall f, below f f.
Proof. unfold below. intros. repeat split; auto; lia. Qed.
Lemma below_trans : forall f g h, below f g -> below g h -> below f h.
Proof. unfold below. intros f g h (A & B & C & D) (E & F & G & H). repeat split; try congruence; try lia; auto. Qed.

Lemma below_fields : forall f g, below f g ->
  rule f = rule g /\ category f = category g /\ path f = path g /\ fprint f = fprint g.
Proof. intros f g (K & _). unfold key_of in K. now injection K. Qed.
Lemma nodup_filter_map {A B} (k : A -> B) (p : A -> bool) l : NoDup (map k l) -> NoDup (map k (filter p l)).
Proof.
  induction l as [|x l IH]; simpl; [auto|]. inversion 1 as [|? ? N D]; subst. destruct (p x); simpl; auto.
  constructor; auto. intros I. apply N. apply in_map_iff in I as (y & E & I). apply filter_In in I as [I _].
  rewrite <- E. now apply in_map.
Qed.
Lemma covered_grown : forall l m, NoDup (map key_of l) -> covered l m ->
  exists m', Permutation m m' /\ grown l m'.
Proof.
  induction l as [|f l IH]; intros m N V.
  - exists m. split; [reflexivity|]. clear. induction m; constructor; auto.
  - destruct (V f (or_introl eq_refl)) as (g & G & B). destruct (in_split g m G) as (m1 & m2 & ->).
    inversion N as [|? ? F D]; subst.
    destruct (IH (m1 ++ m2) D) as (m' & P & Gr).
    + intros h H. destruct (V h (or_intror H)) as (i & I & C). exists i. split; [|easy].
      apply in_app_or in I. apply in_or_app. destruct I as [I|[<-|I]]; auto.
      exfalso. apply F. destruct B as (K & _), C as (K' & _). rewrite K, <- K'. now apply in_map.
    + exists (g :: m'). split.
      * rewrite <- P. symmetry. apply Permutation_middle.
      * constructor; auto using below_raised.
Qed.
Lemma score_covered : forall l m, NoDup (map key_of l) -> covered l m -> score l <= score m.
Proof.
  intros l m N V. destruct (covered_grown l m N V) as (m' & P & G).
  rewrite (score_is_permutation_invariant m m' P). now apply score_is_monotone.
Qed.


(** ** What a finding of the same match, at least as bad, keeps *)
Lemma below_act : forall f g, below f g -> act g = act f.
Proof. intros f g (K & _). unfold key_of in K. injection K as _ _ K _ _. unfold act. now rewrite K. Qed.
Lemma below_deed : forall f g, below f g -> deed g = deed f.
Proof. intros f g (K & _). unfold key_of in K. injection K as _ K _ _ _. unfold deed. now rewrite K. Qed.
Lemma corroborates_mono : forall s t c d, s <= t -> c <= d -> corroborates s c = true -> corroborates t d = true.
Proof. intros s t c d S C. unfold corroborates, SURE_ENOUGH. rewrite !Z.geb_leb, !andb_true_iff, !Z.leb_le. lia. Qed.
Lemma is_deed_mono : forall s t c d, s <= t -> c <= d -> is_deed s c = true -> is_deed t d = true.
Proof. intros s t c d S C. unfold is_deed, SURE_ENOUGH. rewrite !Z.geb_leb, !andb_true_iff, !Z.leb_le. lia. Qed.
Lemma below_supports : forall f g f' g', below f f' -> below g g' -> supports f g = true -> supports f' g' = true.
Proof.
  intros f g f' g' B C. unfold supports, same_deed.
  rewrite (below_deed _ _ B), (below_deed _ _ C), (below_act _ _ B), (below_act _ _ C), !andb_true_iff.
  intros (((((A & W) & X) & Y) & R) & D). destruct B as (E & S & T & _), C as (E' & S' & T' & _).
  unfold key_of in E, E'. injection E as ER _ _ _ _. injection E' as ER' _ _ _ _.
  rewrite <- ER, <- ER'. repeat split; eauto using corroborates_mono.
Qed.
Lemma below_stated : forall f g x, below f g -> In x (stated f) -> In x (stated g).
Proof.
  intros f g x B. unfold stated. rewrite (below_deed _ _ B). destruct (deed f); [|easy]. destruct B as (_ & S & C & _).
  destruct (is_deed (sev f) (conf f)) eqn:E; [|easy]. now rewrite (is_deed_mono _ _ _ _ S C E).
Qed.
Lemma below_for_a_person : forall f g, below f g -> for_a_person f = true -> for_a_person g = true.
Proof.
  intros f g B. unfold for_a_person. rewrite (below_act _ _ B), !andb_true_iff. destruct (below_fields _ _ B) as (_ & <- & _).
  destruct B as (_ & S & C & _). intros [[A M] D]. eauto using is_deed_mono.
Qed.

(** ** The floor of the kinds only grows *)
Lemma covered_acts : forall l m, covered l m -> covered (acts l) (acts m).
Proof.
  intros l m V f I. unfold acts in *. apply filter_In in I as [I A]. destruct (V f I) as (g & G & B).
  exists g. split; [|easy]. apply filter_In. split; [easy|]. now rewrite (below_act _ _ B).
Qed.
Lemma covered_corroborated : forall l m, covered l m -> corroborated l = true -> corroborated m = true.
Proof.
  intros l m V. unfold corroborated. rewrite !existsb_exists. intros (f & F & H). apply existsb_exists in H as (g & G & S).
  destruct (V f F) as (f' & F' & B), (V g G) as (g' & G' & C). exists f'. split; [easy|].
  apply existsb_exists. exists g'. split; [easy|]. eauto using below_supports.
Qed.
Lemma covered_deeds : forall l m, covered l m -> (List.length (deeds l) <= List.length (deeds m))%nat.
Proof.
  intros l m V. apply NoDup_incl_length; [apply NoDup_nodup|]. intros x. unfold deeds. rewrite !nodup_In, !in_flat_map.
  intros (f & F & S). destruct (V f F) as (g & G & B). exists g. eauto using below_stated.
Qed.
Lemma covered_for_a_person : forall l m, covered l m -> existsb for_a_person l = true -> existsb for_a_person m = true.
Proof.
  intros l m V. rewrite !existsb_exists. intros (f & F & P). destruct (V f F) as (g & G & B). eauto using below_for_a_person.
Qed.
Lemma covered_kinds_floor : forall l m, covered l m -> kinds_floor l <= kinds_floor m.
Proof.
  intros l m V. apply floor_of_kinds_monotone; eauto using covered_corroborated, covered_for_a_person.
  pose proof (covered_deeds l m V). lia.
Qed.
Lemma weight_covered : forall l m, NoDup (map key_of l) -> covered l m -> weight l <= weight m.
Proof.
  intros l m N V. unfold weight. apply by_kind_monotone.
  - apply score_covered; [now apply nodup_filter_map | now apply covered_acts].
  - now apply score_covered.
  - now apply covered_kinds_floor.
Qed.

Lemma weight_range : forall l, 0 <= weight l <= 100.
Proof.
  intros l. pose proof (score_range (acts l)). pose proof (score_range l). unfold weight, Kernels.by_kind, MOST_OF_WORDS, kinds_floor.
  rewrite floors_of_kinds. destruct (corroborated l); [lia|]. destruct (_ || _); lia.
Qed.
Lemma weight_perm : forall l m, Permutation l m -> score l = score m /\ score (acts l) = score (acts m).
Proof. intros l m P. split; apply score_is_permutation_invariant; [easy|]. now apply filter_perm. Qed.

(** ** What a block needs *)
(** A score of 51 or more, which is what blocks, rests on flows, commands and structures that score 51 by themselves, or on an
    act and words of two rules about one deed, both HIGH or worse and sure. *)
Theorem a_block_needs_acts_or_two_kinds : forall l, 51 <= weight l ->
  51 <= score (acts l) \/ exists f g, In f l /\ In g l /\ supports f g = true.
Proof.
  intros l W. unfold weight, Kernels.by_kind, MOST_OF_WORDS, kinds_floor in W. rewrite floors_of_kinds in W.
  destruct (corroborated l) eqn:C.
  - right. unfold corroborated in C. apply existsb_exists in C as (f & F & H). apply existsb_exists in H as (g & G & S). eauto.
  - left. destruct (_ || _) in W; lia.
Qed.

(** Of two that support each other one is a flow, a command or a structure and the other is words; they are about the same deed,
    by two rules, and both are HIGH or worse and of confidence 500 or more. *)
Theorem what_supports_is_an_act_and_words : forall f g, supports f g = true ->
  act f = true /\ act g = false /\ same_deed f g = true /\ rule f <> rule g /\ 2 <= sev f /\ 2 <= sev g /\ 500 <= conf f /\ 500 <= conf g.
Proof.
  intros f g S. unfold supports, corroborates, SURE_ENOUGH in S. rewrite !andb_true_iff, !negb_true_iff, !Z.geb_leb, !Z.leb_le in S.
  destruct S as (((((A & W) & X) & Y) & R) & D). apply String.eqb_neq in R. tauto.
Qed.

Lemma acts_of_words : forall l, (forall f, In f l -> act f = false) -> acts l = [].
Proof.
  induction l as [|f l IH]; intros W; [reflexivity|]. simpl. rewrite (W f (or_introl eq_refl)). apply IH.
  intros g I. apply W. now right.
Qed.

(** Words alone never score more than 50, however many, however severe and however sure. *)
Theorem words_alone_stay_at_fifty : forall l, (forall f, In f l -> act f = false) -> weight l <= 50.
Proof.
  intros l W. destruct (Z_lt_le_dec 50 (weight l)) as [H|H]; [exfalso|easy].
  destruct (a_block_needs_acts_or_two_kinds l ltac:(lia)) as [A|(f & g & F & G & S)].
  - rewrite (acts_of_words l W) in A. vm_compute in A. now apply A.
  - apply what_supports_is_an_act_and_words in S as (A & _). rewrite (W f F) in A. discriminate.
Qed.

(** Words added to findings that do not block make them block only if one of the words is about the same deed as a flow,
    command or structure that is there, both HIGH or worse and sure: no amount of words stands in for an act. *)
Theorem no_words_buy_a_block : forall l w, (forall f, In f w -> act f = false) -> weight l <= 50 -> 51 <= weight (l ++ w) ->
  exists f g, In f l /\ In g w /\ supports f g = true.
Proof.
  intros l w W N B. destruct (a_block_needs_acts_or_two_kinds _ B) as [A|(f & g & F & G & S)].
  - exfalso. unfold acts in A. rewrite filter_app in A. fold (acts l) (acts w) in A. rewrite (acts_of_words w W), app_nil_r in A.
    unfold weight, Kernels.by_kind in N. lia.
  - pose proof (what_supports_is_an_act_and_words f g S) as (E & _). apply in_app_or in F, G.
    destruct F as [F|F]; [|rewrite (W f F) in E; discriminate]. destruct G as [G|G]; [exfalso|exists f, g; auto].
    assert (51 <= weight l); [|lia]. unfold weight, Kernels.by_kind, kinds_floor. rewrite floors_of_kinds.
    replace (corroborated l) with true; [lia|]. symmetry. unfold corroborated. apply existsb_exists. exists f. split; [easy|].
    apply existsb_exists. eauto.
Qed.

(** Kinds have no order: an act in the place of words can score less, since it supports no other act. It scores no less than
    what is left when the words are left out, which is the other way for an attacker to be rid of them. *)
Theorem an_act_in_place_of_words_can_score_less :
  let one := (mkFinding "r" "exfiltration" "command" "p" "f" 2 500 false)%string in
  let other k := (mkFinding "s" "exfiltration" k "p" "g" 2 500 false)%string in
  let words := other "words"%string in let another_act := other "command"%string in
  weight [one; words] = 51 /\ weight [one; another_act] = 25 /\ weight [one] = 21 /\ weight [one; words; another_act] = 51.
Proof. vm_compute. repeat split. Qed.

(** A CRITICAL flow, command or structure of confidence 500 or more scores 51 at least, in any company. *)
Theorem a_sure_critical_act_scores_fifty_one : forall l f, In f l -> act f = true -> 3 <= sev f -> 500 <= conf f -> 51 <= weight l.
Proof.
  intros l f I A S C. assert (J : In f (acts l)) by (now apply filter_In).
  pose proof (a_sure_critical_scores_fifty_one _ f J S C). unfold weight, Kernels.by_kind. lia.
Qed.

(** * Guards: a denial is final, and nothing they do permits more *)
From Coq Require Import Bool String List.
From Sluicegate.Spec Require Import Labels Policy Decision Guards.
From Sluicegate.Thm Require Import Labels Policy Decision Layers.
Import ListNotations.
Open Scope bool_scope.

(** ** Labels *)

Lemma within_refl : forall s, within s s.
Proof. intros s. split; auto. Qed.
Lemma within_trans : forall s u v, within s u -> within u v -> within s v.
Proof.
  intros s u v [A B] [C D]. split; [auto|]. intros T. destruct (D T) as [X|[X|X]]; auto.
  - destruct (B X) as [Y|[Y|Y]]; auto. right. left. apply C; [easy|discriminate].
  - right. right. apply not_true_is_false. intros O. apply not_true_iff_false in X. apply X. unfold has_origin in *.
    apply existsb_exists in O as (x & I & O). apply existsb_exists. exists x. split; [|easy]. apply A; [easy|].
    intros ->. discriminate.
Qed.

(** Without the privilege no label is ever taken away (but "trusted"), and trust is never raised where it matters: for what
    came from elsewhere. *)
Theorem without_privilege_no_label_is_taken_away : forall c s u, changed false c s = Some u -> within s u.
Proof.
  intros [asked| |asked|] s u H; simpl in H; try discriminate. destruct (step_up asked s) eqn:U; [discriminate|]. injection H as <-.
  unfold added. split.
  - intros x I N. assert (J : In x (if has untrusted asked then untrusted :: without trusted s else s)).
    { destruct (has untrusted asked); [|easy]. right. now apply in_without. }
    destruct (has trusted asked); [right|]; apply in_app_iff; now right.
  - intros T. destruct (has untrusted asked) eqn:A.
    + right. left. destruct (has trusted asked); [right|]; apply in_app_iff; right; now left.
    + destruct (has trusted asked) eqn:B.
      * unfold step_up in U. rewrite A, B in U. simpl in U.
        destruct (has_origin s) eqn:O; [|auto]. destruct (has trusted s) eqn:X; [left; now apply has_in|].
        destruct (has untrusted s) eqn:Y; [|discriminate]. right. left. right. apply in_app_iff. right. now apply has_in.
      * apply in_app_iff in T as [T|T]; [|auto]. apply in_without in T as [_ T]. easy.
Qed.

(** Blessing, removing and clearing are refused without the privilege, whatever the labels are. *)
Theorem to_take_labels_away_needs_the_privilege : forall asked s,
  changed false Bless s = None /\ changed false (Remove asked) s = None /\ changed false Clear s = None.
Proof. repeat split. Qed.

(** Anyone may add labels: whatever is asked for, but trust, is there afterwards; and untrusted takes the place of trusted. *)
Theorem anyone_may_add_a_label : forall asked s, has trusted asked = false ->
  exists u, changed false (Add asked) s = Some u /\ incl asked u /\ incl s (trusted :: u)
  /\ (In untrusted asked -> In untrusted u /\ ~ In trusted u).
Proof.
  intros asked s T. exists (added asked s). unfold changed, step_up. rewrite T. split; [easy|].
  assert (N : forall x, In x asked -> x <> trusted).
  { intros x I ->. apply not_true_iff_false in T. apply T. now apply has_in. }
  unfold added. rewrite T. destruct (has untrusted asked) eqn:A.
  - split; [|split].
    + intros x I. apply in_app_iff. destruct (list_eq_dec string_dec x untrusted) as [->|D]; [right; now left|].
      left. apply in_without. split; [apply in_without; auto | auto].
    + intros x I. destruct (list_eq_dec string_dec x trusted) as [->|D]; [now left|]. right. apply in_app_iff. right. right.
      now apply in_without.
    + intros _. split; [apply in_app_iff; right; now left|]. intros I. apply in_app_iff in I as [I|[I|I]].
      * apply in_without in I as [_ I]. easy.
      * discriminate.
      * apply in_without in I as [_ I]. easy.
  - split; [|split].
    + intros x I. apply in_app_iff. left. apply in_without. split; [apply in_without|auto]. split; [easy|]. intros ->.
      apply not_true_iff_false in A. apply A. now apply has_in.
    + intros x I. right. apply in_app_iff. now right.
    + intros I. apply has_in in I. congruence.
Qed.

(** Trust that is claimed for what is untrusted leaves both labels. *)
Theorem trust_claimed_for_what_is_untrusted_leaves_both : forall s, In untrusted s ->
  exists u, changed false (Add [trusted]) s = Some u /\ In trusted u /\ In untrusted u.
Proof.
  intros s U. exists (added [trusted] s). unfold changed, step_up, added. apply has_in in U as H. rewrite H. simpl.
  rewrite !andb_false_r. split; [easy|]. split; [now left | now right].
Qed.

(** Even with the privilege, clearing keeps where a value came from. *)
Theorem clearing_keeps_the_facts_of_origin : forall s u t, changed true Clear s = Some u -> In t s -> is_fact t = true -> In t u.
Proof. intros s u t H I F. injection H as <-. now apply filter_In. Qed.

(** ** Composition *)

Lemma asked_denied : forall X gs (first : X) r, has_denied r = true -> has_denied (fold_left (ask first) gs r) = true.
Proof. intros X. induction gs as [|g gs IH]; intros first r H; [easy|]. simpl. apply IH. simpl. now rewrite H. Qed.
Lemma asked_again : forall X gs (first : X) r, has_asked r = true -> has_asked (fold_left (ask first) gs r) = true.
Proof. intros X. induction gs as [|g gs IH]; intros first r H; [easy|]. simpl. apply IH. simpl. now rewrite H. Qed.
Lemma denies_first : forall X gs (first : X) r g, In g gs -> g first = Deny -> has_denied (fold_left (ask first) gs r) = true.
Proof.
  intros X. induction gs as [|h gs IH]; intros first r g I D; [easy|]. simpl. destruct I as [->|I]; [|eauto].
  apply asked_denied. simpl. rewrite D. simpl. now rewrite orb_true_r.
Qed.

(** A guard that denies what was asked for denies it, whatever other guards there are and in whatever order. *)
Theorem one_guard_that_denies_is_enough : forall X (gs : list (guard X)) x g, In g gs -> g x = Deny -> evaluate gs x = Denied.
Proof. intros X gs x g I D. unfold evaluate. now rewrite (denies_first X gs x _ g I D). Qed.

(** What flows in the end has been seen, as it flows, by every guard, and none denied it or asked for another. *)
Theorem what_flows_has_been_seen_by_every_guard : forall X (gs : list (guard X)) x y, evaluate gs x = Flows y ->
  forall g, In g gs -> g y <> Deny /\ g y <> Retry /\ g x <> Deny.
Proof.
  intros X gs x y E g I. split; [|split].
  - unfold evaluate in E. destruct (has_denied _ || _) eqn:D; [discriminate|]. destruct (has_asked _ || _); [discriminate|].
    injection E as <-. apply orb_false_iff in D as [_ D]. apply not_true_iff_false in D. intros N. apply D. apply existsb_exists.
    exists g. now rewrite N.
  - unfold evaluate in E. destruct (has_denied _ || _); [discriminate|]. destruct (has_asked _ || _) eqn:D; [discriminate|].
    injection E as <-. apply orb_false_iff in D as [_ D]. apply not_true_iff_false in D. intros N. apply D. apply existsb_exists.
    exists g. now rewrite N.
  - intros N. rewrite (one_guard_that_denies_is_enough X gs x g I N) in E. discriminate.
Qed.

(** Everything that the guards answer, in order: of what was asked for, of what has become of it when each is asked, and in
    the end of what would flow. *)
Fixpoint heard {X} (first : X) (gs : list (guard X)) (r : round X) : list (answer X) :=
  match gs with
  | [] => []
  | g :: rest => g first :: (match now r with None => g first | Some y => g y end) :: heard first rest (ask first r g)
  end.
Definition all_answers {X} (gs : list (guard X)) (x : X) : list (answer X) :=
  let start := mkRound None false false in
  let last := match now (fold_left (ask x) gs start) with None => x | Some y => y end in
  (heard x gs start ++ map (fun g => g last) gs)%list.

Lemma heard_denied : forall X gs (first : X) r, In Deny (heard first gs r) -> has_denied (fold_left (ask first) gs r) = true.
Proof.
  intros X. induction gs as [|g gs IH]; intros first r I; [easy|]. simpl in I. simpl. destruct I as [E|[E|I]]; [| |auto];
    apply asked_denied; simpl; rewrite E; simpl; now rewrite ?orb_true_r.
Qed.
Lemma heard_again : forall X gs (first : X) r, In Retry (heard first gs r) -> has_asked (fold_left (ask first) gs r) = true.
Proof.
  intros X. induction gs as [|g gs IH]; intros first r I; [easy|]. simpl in I. simpl. destruct I as [E|[E|I]]; [| |auto];
    apply asked_again; simpl; rewrite E; simpl; now rewrite ?orb_true_r.
Qed.
Lemma again_heard : forall X gs (first : X) r, has_asked (fold_left (ask first) gs r) = true ->
  has_asked r = true \/ In Retry (heard first gs r).
Proof.
  intros X. induction gs as [|g gs IH]; intros first r H; [auto|]. simpl in H. apply IH in H as [H|H]; [|right; simpl; auto].
  simpl in H. rewrite !orb_true_iff in H. simpl. destruct H as [[H|H]|H]; [auto | |]; right.
  - destruct (g first); try discriminate. auto.
  - destruct (match now r with None => g first | Some y => g y end); try discriminate. auto.
Qed.

(** A denial comes before a retry, and a retry before a change, for all guards in whatever order: where any answer of any guard
    denies, it is denied; where any asks for another, nothing flows; and another is asked for only where none denies. *)
Theorem denial_then_retry_then_change : forall X (gs : list (guard X)) x,
  (In Deny (all_answers gs x) -> evaluate gs x = Denied)
  /\ (In Retry (all_answers gs x) -> forall y, evaluate gs x <> Flows y)
  /\ (evaluate gs x = Again -> In Retry (all_answers gs x) /\ ~ In Deny (all_answers gs x)).
Proof.
  intros X gs x.
  assert (D : In Deny (all_answers gs x) -> evaluate gs x = Denied).
  { unfold all_answers, evaluate. intros I. apply in_app_iff in I as [I|I].
    - now rewrite (heard_denied _ _ _ _ I).
    - apply in_map_iff in I as (g & E & I).
      replace (existsb _ gs) with true; [now rewrite orb_true_r|]. symmetry. apply existsb_exists. exists g. now rewrite E. }
  split; [easy|]. split.
  - intros I y E. unfold evaluate in E. destruct (has_denied _ || _); [discriminate|].
    destruct (has_asked _ || _) eqn:A; [discriminate|]. apply not_true_iff_false in A. apply A. unfold all_answers in I.
    apply orb_true_iff. apply in_app_iff in I as [I|I]; [left; now apply heard_again|]. right.
    apply in_map_iff in I as (g & G & I). apply existsb_exists. exists g. now rewrite G.
  - intros E. split; [|intros I; apply D in I; congruence]. unfold evaluate in E. destruct (has_denied _ || _); [discriminate|].
    destruct (has_asked _ || _) eqn:A; [|discriminate]. unfold all_answers. apply in_app_iff. apply orb_true_iff in A as [A|A].
    + left. apply again_heard in A as [A|A]; [discriminate | easy].
    + right. apply existsb_exists in A as (g & I & A). apply in_map_iff. exists g. split; [|easy].
      destruct (g _) eqn:G; try discriminate. easy.
Qed.

(** A guard that only judges a value: it lets it pass, denies it or asks for another. *)
Definition judges {X} (x : X) (g : guard X) : Prop := g x = Pass \/ g x = Deny \/ g x = Retry.
Lemma unchanged : forall X gs (first : X) r, (forall g, In g gs -> judges first g) -> now r = None ->
  now (fold_left (ask first) gs r) = None
  /\ has_denied (fold_left (ask first) gs r) = has_denied r || existsb (fun g => denies_it (g first)) gs
  /\ has_asked (fold_left (ask first) gs r) = has_asked r || existsb (fun g => asks_again (g first)) gs.
Proof.
  intros X. induction gs as [|g gs IH]; intros first r N E; simpl.
  - rewrite !orb_false_r. auto.
  - pose proof (N g (or_introl eq_refl)) as J. destruct (IH first (ask first r g)) as (A & B & C).
    + intros h I. apply N. now right.
    + unfold ask. simpl. rewrite E. destruct J as [->|[->| ->]]; easy.
    + rewrite A, B, C. unfold ask. simpl. rewrite E. split; [easy|].
      destruct J as [->|[->| ->]], (has_denied r), (has_asked r); simpl; auto.
Qed.

(** The order of guards that only judge, and how often one is there, does not matter. *)
Theorem the_order_and_repetition_of_guards_that_judge_do_not_matter : forall X (gs hs : list (guard X)) x,
  (forall g, In g gs -> judges x g) -> (forall g, In g gs <-> In g hs) -> evaluate gs x = evaluate hs x.
Proof.
  intros X gs hs x N E.
  assert (M : forall g, In g hs -> judges x g) by (intros g I; apply N; now apply E).
  destruct (unchanged X gs x (mkRound None false false) N eq_refl) as (A & B & C).
  destruct (unchanged X hs x (mkRound None false false) M eq_refl) as (A' & B' & C').
  unfold evaluate. rewrite A, A', B, B', C, C'. simpl. now rewrite !(existsb_equal _ _ _ E).
Qed.

(** ** Guards narrow *)

(** What passes the monitor was permitted by every layer both as it was asked for and as it flows, and no guard denied it: a
    guard can take from what policy permits, and never add to it. *)
Theorem guards_never_widen_what_policy_permits : forall V ls (gs : list (guard (labels * V))) o x y, passes ls gs o x = Some y ->
  all_permit ls o (fst x) /\ all_permit ls o (fst y) /\ forall g, In g gs -> g x <> Deny /\ g y <> Deny.
Proof.
  intros V ls gs o x y P. unfold passes in P. destruct (permitted ls o (fst x)) eqn:A; [|discriminate].
  destruct (evaluate gs x) as [| |z] eqn:E; try discriminate. destruct (permitted ls o (fst z)) eqn:B; [|discriminate]. injection P as <-.
  split; [now apply the_decision_of_all_layers_is_as_it_is_meant|]. split; [now apply the_decision_of_all_layers_is_as_it_is_meant|].
  intros g I. destruct (what_flows_has_been_seen_by_every_guard _ _ _ _ E g I) as (D & _ & D'). auto.
Qed.

Lemma rounds_within : forall V (gs : list (guard (labels * V))) first r,
  (forall g, In g gs -> unprivileged g) -> (forall y, now r = Some y -> within (fst first) (fst y)) ->
  forall y, now (fold_left (ask first) gs r) = Some y -> within (fst first) (fst y).
Proof.
  intros V. induction gs as [|g gs IH]; intros first r U W y E; simpl in E; [auto|].
  apply (IH first (ask first r g)); auto.
  - intros h I. apply U. now right.
  - assert (G : forall x z, g x = Put z -> within (fst x) (fst z)).
    { intros x z P. destruct (U g (or_introl eq_refl) x z P) as [->|(c & C)]; [apply within_refl|].
      eapply without_privilege_no_label_is_taken_away; eauto. }
    intros z Z. unfold ask in Z. simpl in Z. destruct (now r) as [w|] eqn:N.
    + destruct (g w) eqn:P; try (injection Z as <-; now apply W). injection Z as <-.
      apply within_trans with (fst w); [now apply W | now apply G].
    + destruct (g first) eqn:P; try discriminate. injection Z as <-. now apply G.
Qed.

(** Guards without privilege, however many and in whatever order, take no label away: what flows carries every label of what
    was asked for, but "trusted". *)
Theorem guards_without_privilege_take_no_label_away : forall V (gs : list (guard (labels * V))) x y,
  (forall g, In g gs -> unprivileged g) -> evaluate gs x = Flows y -> within (fst x) (fst y).
Proof.
  intros V gs x y U E. unfold evaluate in E. destruct (has_denied _ || _); [discriminate|]. destruct (has_asked _ || _); [discriminate|].
  injection E as E. destruct (now (fold_left (ask x) gs (mkRound None false false))) as [z|] eqn:N.
  - subst z. eapply rounds_within; eauto. simpl. discriminate.
  - subst y. apply within_refl.
Qed.

(** So what they made of a value is permitted nowhere where the value itself was not. *)
Theorem guards_without_privilege_never_permit_more : forall V ls (gs : list (guard (labels * V))) o x y,
  (forall g, In g gs -> unprivileged g) -> evaluate gs x = Flows y ->
  (forall l, In l ls -> marked_on_entry l (fst x) /\ silent_on_trust l) ->
  all_permit ls o (fst y) -> all_permit ls o (fst x).
Proof.
  intros V ls gs o x y U E M P l I. destruct (M l I) as [ME S]. apply (permits_within l o (fst x) (fst y)); auto.
  eapply guards_without_privilege_take_no_label_away; eauto.
Qed.

(** * Labels: joining them, and what it does to trust *)
From Coq Require Import Bool String List Lia.
From Sluicegate.Spec Require Import Labels.
Import ListNotations.
Open Scope bool_scope.

(** ** Patterns *)
Lemma same_iff : forall p q, same p q = true <-> p = q.
Proof. intros. unfold same. destruct (list_eq_dec _ _ _); split; congruence. Qed.
Lemma same_refl : forall p, same p p = true.
Proof. intros. now apply same_iff. Qed.
Lemma covers_app : forall p q, covers p q = true <-> exists r, q = (p ++ r)%list.
Proof.
  induction p as [|a p IH]; simpl; intros q.
  - split; eauto.
  - destruct q as [|b q].
    + split; [discriminate|]. intros (r & E). discriminate.
    + rewrite andb_true_iff, String.eqb_eq, IH. split.
      * intros (-> & r & ->). eauto.
      * intros (r & E). injection E as -> ->. eauto.
Qed.
Lemma covers_refl : forall p, covers p p = true.
Proof. intros. apply covers_app. exists []. now rewrite app_nil_r. Qed.
Lemma covers_trans : forall p q r, covers p q = true -> covers q r = true -> covers p r = true.
Proof.
  intros p q r P Q. apply covers_app in P as (x & ->). apply covers_app in Q as (y & ->). apply covers_app.
  exists (x ++ y)%list. now rewrite app_assoc.
Qed.
Lemma covers_length : forall p q, covers p q = true -> length p <= length q.
Proof. intros p q P. apply covers_app in P as (x & ->). rewrite app_length. lia. Qed.
Lemma covers_antisym : forall p q, covers p q = true -> covers q p = true -> p = q.
Proof.
  intros p q P Q. apply covers_length in Q. apply covers_app in P as (x & ->). rewrite app_length in Q.
  destruct x; [now rewrite app_nil_r | simpl in Q; lia].
Qed.
Lemma covers_by_length : forall p q r, covers p r = true -> covers q r = true ->
  covers p q = true <-> length p <= length q.
Proof.
  induction p as [|a p IH]; intros q r P Q.
  - simpl. split; [lia | easy].
  - destruct r as [|c r]; [easy|]. simpl in P. apply andb_true_iff in P as [A P].
    destruct q as [|b q]; simpl in *.
    + split; [discriminate | lia].
    + apply andb_true_iff in Q as [B Q]. apply String.eqb_eq in A, B. subst. rewrite String.eqb_refl. simpl.
      rewrite (IH q r P Q). lia.
Qed.

(** Everything below a name is covered by what covers the name, and only whole segments count. *)
Theorem covering_is_an_order : forall p q r,
  covers p p = true /\ (covers p q = true -> covers q r = true -> covers p r = true)
  /\ (covers p q = true -> covers q p = true -> p = q).
Proof. eauto using covers_refl, covers_trans, covers_antisym. Qed.

(** Of two patterns that both cover a name, the longer is the more specific: there is no third case. *)
Theorem of_two_that_cover_the_longer_is_more_specific : forall p q name,
  covers p name = true -> covers q name = true -> (covers p q = true <-> length p <= length q).
Proof. exact covers_by_length. Qed.

(** ** Sets *)
Lemma has_in : forall l s, has l s = true <-> In l s.
Proof.
  intros. unfold has. rewrite existsb_exists. split.
  - intros (x & I & E). apply same_iff in E. now subst.
  - intros I. exists l. split; [easy | apply same_refl].
Qed.
Lemma existsb_equal {A} (f : A -> bool) (a b : list A) : (forall x, In x a <-> In x b) -> existsb f a = existsb f b.
Proof. intros E. apply eq_true_iff_eq. rewrite !existsb_exists. split; intros (x & I & F); exists x; split; auto; now apply E. Qed.
Lemma forallb_equal {A} (f : A -> bool) (a b : list A) : (forall x, In x a <-> In x b) -> forallb f a = forallb f b.
Proof. intros E. apply eq_true_iff_eq. rewrite !forallb_forall. split; intros F x I; apply F; now apply E. Qed.
Lemma existsb_incl {A} (f : A -> bool) (a b : list A) : incl a b -> existsb f a = true -> existsb f b = true.
Proof. intros E. rewrite !existsb_exists. intros (x & I & F). eauto. Qed.
Lemma equal_refl : forall a, equal a a.
Proof. now intros a l. Qed.
Lemma equal_sym : forall a b, equal a b -> equal b a.
Proof. intros a b E l. now rewrite (E l). Qed.
Lemma equal_trans : forall a b c, equal a b -> equal b c -> equal a c.
Proof. intros a b c E F l. now rewrite (E l), (F l). Qed.
Lemma equal_classes : forall a b, equal a b -> vouches a = vouches b /\ stained a = stained b.
Proof.
  intros a b E. unfold vouches, stained, has, has_origin. now rewrite !(existsb_equal _ a b E).
Qed.

(** ** Joining *)
Lemma in_union : forall l sets, In l (union sets) <-> exists s, In s sets /\ In l s.
Proof. intros. unfold union. rewrite in_concat. firstorder. Qed.
Lemma in_without : forall l k s, In l (without k s) <-> In l s /\ l <> k.
Proof.
  intros. unfold without. rewrite filter_In, negb_true_iff. split; intros [I N]; split; auto.
  - intros ->. now rewrite same_refl in N.
  - apply not_true_is_false. intros S. apply same_iff in S. now subst.
Qed.
Lemma in_joined : forall l sets,
  In l (joined sets) <-> (exists s, In s sets /\ In l s) /\ (l = trusted -> trust_remains sets = true).
Proof.
  intros. unfold joined. destruct (trust_remains sets) eqn:R.
  - rewrite in_union. intuition.
  - rewrite in_without, in_union. intuition congruence.
Qed.
Lemma remains_equal : forall a b, (forall s, In s a <-> In s b) -> trust_remains a = trust_remains b.
Proof. intros a b E. unfold trust_remains. now rewrite (existsb_equal _ a b E), (forallb_equal _ a b E). Qed.
Lemma remains_iff : forall sets, trust_remains sets = true <->
  (exists s, In s sets /\ vouches s = true) /\ (forall s, In s sets -> stained s = true -> vouches s = true).
Proof.
  intros. unfold trust_remains. rewrite andb_true_iff, existsb_exists, forallb_forall.
  split; intros [V A]; (split; [easy|]); intros s I.
  - specialize (A s I). intros S. rewrite S in A. now rewrite orb_false_r in A.
  - specialize (A s I). destruct (stained s); [rewrite A by easy; easy | now rewrite orb_true_r].
Qed.

(** What joining keeps: every label of every set, and "trusted" if a set has it and every set that came from
    somewhere, or is untrusted, has it too. *)
Theorem joining_keeps_every_label_but_trust : forall sets l, l <> trusted ->
  In l (joined sets) <-> exists s, In s sets /\ In l s.
Proof. intros. rewrite in_joined. intuition. Qed.

(** Trust survives only where nothing is left that nobody vouched for. *)
Theorem trust_survives_only_without_doubt : forall sets, In trusted (joined sets) <->
  (exists s, In s sets /\ In trusted s) /\ (forall s, In s sets -> stained s = true -> In trusted s).
Proof.
  intros. rewrite in_joined, remains_iff. setoid_rewrite <- has_in. unfold vouches. split.
  - intros [(s & I & H) R]. destruct (R eq_refl) as [_ A]. eauto.
  - intros [(s & I & H) A]. split; [eauto|]. intros _. split; eauto.
Qed.

Lemma trust_origin : origin trusted = false.
Proof. reflexivity. Qed.
Lemma in_trust : forall sets, vouches (joined sets) = trust_remains sets.
Proof.
  intros. apply eq_true_iff_eq. unfold vouches. rewrite has_in, in_joined. split; [intuition|]. intros R. split; [|easy].
  apply remains_iff in R as [(s & I & V) _]. exists s. split; [easy|]. now apply has_in.
Qed.
Lemma stained_joined : forall sets, stained (joined sets) = existsb stained sets.
Proof.
  intros. apply eq_true_iff_eq. unfold stained, has_origin. rewrite orb_true_iff, !existsb_exists, has_in, in_joined. split.
  - intros [[(s & I & U) _] | (l & I & O)].
    + exists s. split; [easy|]. apply orb_true_iff. left. now apply has_in.
    + apply in_joined in I as [(s & I & J) _]. exists s. split; [easy|]. apply orb_true_iff. right.
      apply existsb_exists. eauto.
  - intros (s & I & S). apply orb_true_iff in S as [U|O].
    + left. split; [|discriminate]. exists s. split; [easy|]. now apply has_in.
    + right. apply existsb_exists in O as (l & J & O). exists l. split; [|easy]. apply in_joined. split; [eauto|].
      intros ->. rewrite trust_origin in O. discriminate.
Qed.

(** Joining twice is joining once: a join can be taken in any grouping, at any time. *)
Theorem joining_in_groups_is_joining_all : forall groups,
  equal (joined (map joined groups)) (joined (List.concat groups)).
Proof.
  intros groups l. rewrite !in_joined.
  assert (R : trust_remains (map joined groups) = true <-> trust_remains (List.concat groups) = true).
  { rewrite !remains_iff. setoid_rewrite in_map_iff. setoid_rewrite in_concat. split.
    - intros [(s & (g & <- & G) & V) A]. rewrite in_trust in V. split.
      + apply remains_iff in V as [(s & I & V) _]. exists s. eauto.
      + intros s (h & H & I) S. assert (W : trust_remains h = true).
        { rewrite <- in_trust. apply A; [eauto|]. rewrite stained_joined. apply existsb_exists. eauto. }
        apply remains_iff in W as [_ W]. auto.
    - intros [(s & (g & G & I) & V) A]. split.
      + exists (joined g). split; [eauto|]. rewrite in_trust. apply remains_iff. split; eauto.
      + intros u (h & <- & H) S. rewrite stained_joined in S. apply existsb_exists in S as (t & J & S).
        rewrite in_trust. apply remains_iff. split; [|eauto]. exists t. split; [easy|]. apply A; [eauto | easy]. }
  split; intros [(x & J & L) T].
  - apply in_map_iff in J as (g & <- & G). apply in_joined in L as [(s & I & L) _]. split; [|now rewrite <- R].
    exists s. split; [apply in_concat; eauto | easy].
  - rename x into s. apply in_concat in J as (g & G & I). split; [|now rewrite R].
    exists (joined g). split; [now apply in_map|]. apply in_joined. split; [eauto|]. intros E. specialize (T E). subst l.
    apply remains_iff in T as [_ A]. apply remains_iff. split; [exists s; split; [easy | now apply has_in]|].
    intros t H W. apply A; [apply in_concat; eauto | easy].
Qed.

Lemma joined_equal : forall a b, (forall s, In s a <-> In s b) -> equal (joined a) (joined b).
Proof. intros a b E l. rewrite !in_joined, (remains_equal a b E). now setoid_rewrite E. Qed.
Lemma joined_one : forall a, equal (joined [a]) a.
Proof.
  intros a l. rewrite in_joined, remains_iff. simpl. split.
  - intros [(s & [<-|[]] & L) _]. easy.
  - intros L. split; [eauto|]. intros ->. apply has_in in L. split; [eauto|]. intros s [<-|[]] _. easy.
Qed.

(** Joining does not depend on the order of the sets, or on how often one is there. *)
Theorem the_order_and_repetition_of_what_is_joined_do_not_matter : forall a b,
  (forall s, In s a <-> In s b) -> equal (joined a) (joined b).
Proof. exact joined_equal. Qed.

(** Joining is commutative. *)
Theorem joining_is_commutative : forall a b, equal (join a b) (join b a).
Proof. intros. apply joined_equal. simpl. intuition. Qed.

(** Joining is associative. *)
Theorem joining_is_associative : forall a b c, equal (join (join a b) c) (join a (join b c)).
Proof.
  assert (W : forall a x c, equal x a -> equal (joined [x; c]) (joined [a; c])).
  { intros a x c E l. rewrite !in_joined. destruct (equal_classes _ _ E) as [V S]. unfold trust_remains. simpl.
    rewrite V, S. split; intros [(s & [<-|[<-|[]]] & L) T]; (split; [|easy]); eauto 6.
    - exists a. split; [now left | now apply E].
    - exists x. split; [now left | now apply E]. }
  intros a b c. unfold join.
  eapply equal_trans; [|eapply equal_trans; [exact (joining_in_groups_is_joining_all [[a; b]; [c]])|]].
  - simpl. eapply equal_trans; [apply joined_equal with (b := [c; joined [a; b]]); simpl; intuition|].
    eapply equal_trans; [apply equal_sym, W, joined_one|]. apply joined_equal. simpl. intuition.
  - simpl. eapply equal_trans; [apply equal_sym; exact (joining_in_groups_is_joining_all [[a]; [b; c]])|].
    simpl. apply W, joined_one.
Qed.

(** Joining a set with itself changes nothing, and nothing joined with it changes nothing. *)
Theorem joining_is_idempotent_and_has_a_unit : forall a, equal (join a a) a /\ equal (join a []) a.
Proof.
  intros a. split.
  - eapply equal_trans; [|apply joined_one]. apply joined_equal. simpl. intuition.
  - intros l. unfold join. rewrite in_joined. rewrite remains_iff. simpl. split.
    + intros [(s & [<-|[<-|[]]] & L) _]; easy.
    + intros L. split; [eauto|]. intros ->. apply has_in in L. split; [eauto|].
      intros s [<-|[<-|[]]] S; easy.
Qed.

(** Once untrusted, always untrusted: whatever joins it. *)
Theorem what_is_untrusted_stays_untrusted : forall a b, In untrusted a -> In untrusted (join a b).
Proof. intros a b I. apply in_joined. split; [exists a; simpl; auto | discriminate]. Qed.

(** Read to the letter ("never beside untrusted"), the rule for trust is not idempotent: a set in which trust was
    claimed for what is untrusted would change when it is joined with itself. So such a set is kept, and counts as
    untrusted. *)
Theorem joining_to_the_letter_is_not_idempotent :
  let to_the_letter sets := if existsb (has trusted) sets && negb (existsb (has untrusted) sets)
                            then union sets else without trusted (union sets) in
  ~ equal (to_the_letter [[trusted; untrusted]; [trusted; untrusted]]) [trusted; untrusted].
Proof. intros f E. destruct (E trusted) as [_ H]. vm_compute in H. destruct (H (or_introl eq_refl)) as [X|[X|[]]]; discriminate. Qed.

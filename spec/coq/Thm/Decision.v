(** * The decision as production takes it is the decision as it is meant *)
From Coq Require Import ZArith Bool String List Lia.
From Sluicegate Require FlowKernels LabelKernels.
From Sluicegate.Spec Require Import Labels Policy Decision.
From Sluicegate.Thm Require Import Labels Policy FlowKernel.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

(** Joining by the kernel is joining. *)
Theorem joining_by_the_kernel_is_joining : forall a b, equal (join_by_kernel a b) (join a b).
Proof.
  intros a b x. unfold join_by_kernel, join, joined, union. simpl. rewrite app_nil_r.
  replace (LabelKernels.trust_survives _ _ _ _) with (trust_remains [a; b]); [easy|].
  apply eq_true_iff_eq. rewrite the_kernel_of_joining, remains_iff. simpl. split.
  - intros [(s & [<-|[<-|[]]] & V) A]; repeat split; auto; apply A; auto.
  - intros (V & A & B). split; [destruct V; eauto|]. intros s [<-|[<-|[]]]; auto.
Qed.

(** ** The stance *)
Definition in_range (c : Z) : Prop := 0 <= c <= 2.
Lemma worst_from : forall cs c, in_range c -> (forall x, In x cs -> in_range x) ->
  in_range (fold_left FlowKernels.worse cs c)
  /\ (fold_left FlowKernels.worse cs c = 2 <-> c = 2 \/ In 2 cs).
Proof.
  induction cs as [|x cs IH]; intros c C R; simpl; [intuition|].
  assert (X : in_range x) by (apply R; now left).
  destruct (IH (FlowKernels.worse c x)) as [A B].
  - unfold in_range, FlowKernels.worse in *. lia.
  - intros y Y. apply R. now right.
  - split; [easy|]. rewrite B. unfold in_range, FlowKernels.worse in *. intuition lia.
Qed.
Lemma worst_of : forall cs, (forall x, In x cs -> in_range x) -> in_range (worst cs) /\ (worst cs = 2 <-> In 2 cs).
Proof.
  intros cs R. destruct (worst_from cs 0) as [A B]; [unfold in_range; lia | easy |]. split; [easy|]. unfold worst.
  change FlowKernels.UNCLASSIFIED with 0. rewrite B. intuition lia.
Qed.
Lemma number_range : forall t, in_range (number t).
Proof. intros []; vm_compute; split; discriminate. Qed.
Lemma class_range : forall l t, in_range (class l t).
Proof.
  intros l t. unfold class, FlowKernels.class_of, in_range. pose proof (number_range (of_origin l t)) as A.
  pose proof (number_range (unlabeled l)) as B. unfold in_range in *. now destruct (_ =? _).
Qed.
Lemma class_distrusted : forall l t, class l t = 2 <-> distrusted l (of_origin l t) = true.
Proof.
  intros l t. unfold class, distrusted, FlowKernels.class_of. destruct (of_origin l t), (unlabeled l); vm_compute; split; easy.
Qed.
Lemma places_range : forall l s x, In x (places l s) -> in_range x.
Proof. intros l s x I. apply in_map_iff in I as (t & <- & _). apply number_range. Qed.
Lemma places_two : forall l s, In 2 (places l s) <->
  existsb (fun t => directory t && match of_directory l t with Untrusted => true | _ => false end) s = true.
Proof.
  intros l s. unfold places, placed. rewrite in_map_iff, existsb_exists. split.
  - intros (t & N & I). apply filter_In in I as [I P]. apply andb_true_iff in P as [D _]. exists t. split; [easy|]. rewrite D.
    destruct (of_directory l t); easy.
  - intros (t & I & P). apply andb_true_iff in P as [D P]. exists t. destruct (of_directory l t) eqn:E; try easy. split; [easy|].
    apply filter_In. now rewrite D, E.
Qed.
Lemma places_none : forall l s, places l s = [] <-> existsb (placed l) s = false.
Proof.
  intros l s. unfold places. split.
  - intros E. apply map_eq_nil in E. apply not_true_is_false. rewrite existsb_exists. intros (t & I & P).
    assert (J : In t (filter (placed l) s)) by (now apply filter_In). now rewrite E in J.
  - intros E. replace (filter (placed l) s) with (@nil path); [easy|]. symmetry. apply not_true_iff_false in E.
    rewrite existsb_exists in E. destruct (filter (placed l) s) as [|t r] eqn:F; [easy|]. destruct E. exists t.
    assert (J : In t (filter (placed l) s)) by (rewrite F; now left). now apply filter_In in J.
Qed.
Lemma file_class_range : forall l s, in_range (file_class l s).
Proof.
  intros l s. unfold file_class. pose proof (worst_of (places l s) (places_range l s)) as [W _].
  pose proof (class_range l file) as C. destruct (places l s); [easy|].
  destruct (has untrusted s); [|easy]. unfold FlowKernels.worse, in_range in *. lia.
Qed.
Lemma directories_are_files : forall s f, existsb (fun t => directory t && f t) s = true -> from_file s = true.
Proof.
  intros s f E. unfold from_file. apply orb_true_iff. right. apply existsb_exists in E as (t & I & E). apply existsb_exists.
  exists t. split; [easy|]. now apply andb_true_iff in E.
Qed.
Lemma file_class_distrusted : forall l s, from_file s = true -> (file_class l s = 2 <-> distrusted_file l s = true).
Proof.
  intros l s F. unfold distrusted_file. rewrite F. simpl. rewrite orb_true_iff, andb_true_iff, <- places_two, <- class_distrusted.
  unfold file_class. pose proof (worst_of (places l s) (places_range l s)) as [R W]. pose proof (places_none l s) as N.
  pose proof (class_range l file) as C. destruct (places l s) as [|p ps].
  - replace (existsb (placed l) s) with false by (symmetry; now apply N). simpl. intuition.
  - assert (P : existsb (placed l) s = true) by (apply not_false_iff_true; intros E; now apply N in E).
    rewrite P. simpl. destruct (has untrusted s); simpl; unfold FlowKernels.worse, in_range in *; rewrite <- W; intuition lia.
Qed.
Lemma classes_range : forall l s x, In x (classes l s) -> in_range x.
Proof.
  intros l s x I. unfold classes in I. apply in_app_iff in I as [I|I].
  - apply in_map_iff in I as (t & <- & _). apply class_range.
  - destruct (from_file s); [destruct I as [<-|[]]; apply file_class_range | easy].
Qed.
Lemma classes_two : forall l s, In 2 (classes l s) <-> suspect l s = true.
Proof.
  intros l s. unfold suspect, classes. rewrite in_app_iff, orb_true_iff, in_map_iff, existsb_exists. split.
  - intros [(t & C & I)|I].
    + left. exists t. apply filter_In in I as [I O]. split; [easy|]. unfold distrusted_origin. fold (own_origin t). rewrite O.
      now apply class_distrusted.
    + right. destruct (from_file s) eqn:F; [|easy]. destruct I as [I|[]]. now apply file_class_distrusted.
  - intros [(t & I & O)|D].
    + left. exists t. unfold distrusted_origin in O. fold (own_origin t) in O. apply andb_true_iff in O as [O C]. split.
      * now apply class_distrusted.
      * now apply filter_In.
    + right. assert (F : from_file s = true).
      { unfold distrusted_file in D. apply orb_true_iff in D as [D|D]; [now apply directories_are_files in D|].
        now rewrite !andb_true_iff in D. }
      rewrite F. left. now apply file_class_distrusted.
Qed.

(** The stance that the kernels find is the one that is meant: what is untrusted, and what is doubted. *)
Theorem the_stance_is_as_it_is_meant : forall l s,
  FlowKernels.is_untrusted (stance l s) = is_untrusted l s /\ FlowKernels.closes (stance l s) = doubted l s.
Proof.
  intros l s. unfold stance. pose proof (worst_of (classes l s) (classes_range l s)) as [R W]. rewrite classes_two in W.
  assert (N : match classes l s with [] => false | _ => true end = false -> worst (classes l s) = 0).
  { now destruct (classes l s). }
  destruct (the_stance_of_a_taint (marked l s) (has trusted s) _ (worst (classes l s)) R N) as [U C].
  split; apply eq_true_iff_eq; [rewrite U | rewrite C]; rewrite W; unfold is_untrusted, doubted;
    rewrite ?orb_true_iff, ?andb_true_iff, ?orb_true_iff, ?negb_true_iff; intuition.
Qed.
Lemma in_effect_is_effective : forall l s, in_effect l s = effective l s.
Proof. intros l s. unfold in_effect, effective. now rewrite (proj1 (the_stance_is_as_it_is_meant l s)). Qed.

(** ** Rules *)
Lemma some_pair_false : forall f s o, some_pair f s o = false <-> forall t x, In t s -> In x o -> f t x = false.
Proof.
  intros f s o. rewrite <- not_true_iff_false. unfold some_pair. rewrite existsb_exists. setoid_rewrite existsb_exists. split.
  - intros N t x T X. apply not_true_is_false. intros F. apply N. eauto 6.
  - intros H (t & T & x & X & F). rewrite (H t x T X) in F. discriminate.
Qed.
Lemma covers_depth : forall L L2 t, covers L t = true -> covers L2 t = true -> (covers L L2 = true <-> depth L <= depth L2).
Proof. intros L L2 t A B. rewrite (covers_by_length L L2 t A B). unfold depth. lia. Qed.
Lemma covers_deeper : forall L L2 t, covers L t = true -> covers L2 t = true -> covers L L2 = true -> (L <> L2 <-> depth L < depth L2).
Proof.
  intros L L2 t A B C. apply covers_app in C as (r & ->). unfold depth. rewrite app_length. destruct r; simpl.
  - rewrite app_nil_r. intuition lia.
  - split; [lia|]. intros _ E. apply (f_equal (@length _)) in E. rewrite app_length in E. simpl in E. lia.
Qed.
Lemma excepts_depth : forall L D L2 A t o, covers L t = true -> covers D o = true ->
  (excepts L D L2 A t o <->
   covers L2 t = true /\ covers A o = true /\ FlowKernels.overrides (depth L) (depth D) (depth L2) (depth A) = true).
Proof.
  intros L D L2 A t o CL CD. unfold excepts. rewrite the_kernel_of_overriding. split.
  - intros (LL & C2 & DA & CA & N). repeat split; auto.
    + now apply (covers_depth L L2 t).
    + now apply (covers_depth D A o).
    + destruct (list_eq_dec string_dec L L2) as [->|NL].
      * right. apply (covers_deeper D A o); auto. congruence.
      * left. now apply (covers_deeper L L2 t).
  - intros (C2 & CA & DL & DD & S). assert (LL : covers L L2 = true) by now apply (covers_depth L L2 t).
    assert (DA : covers D A = true) by now apply (covers_depth D A o). repeat split; auto. intros E. injection E as -> ->. lia.
Qed.
Lemma overridden_iff : forall l t o L D, covers L t = true -> covers D o = true ->
  (overridden l t o L D = true <->
   exists r A, In r (rules l) /\ In A (allowed_targets r) /\ excepts L D (about r) A t o).
Proof.
  intros l t o L D CL CD. unfold overridden. rewrite existsb_exists. split.
  - intros (r & I & H). apply andb_true_iff in H as [C H]. apply existsb_exists in H as (A & J & H). apply andb_true_iff in H as [CA O].
    exists r, A. split; [easy|]. split; [easy|]. now apply excepts_depth.
  - intros (r & A & I & J & E). apply excepts_depth in E as (C & CA & O); auto. exists r. split; [easy|]. rewrite C. simpl.
    apply existsb_exists. exists A. now rewrite CA, O.
Qed.
Lemma rule_kernel : forall l t o, refused_by_rule l t o = false <-> may_flow l t o.
Proof.
  intros l t o. rewrite <- not_true_iff_false. unfold refused_by_rule, may_flow. rewrite existsb_exists. split.
  - intros N r D I J C CD. apply overridden_iff; auto. apply not_false_iff_true. intros O. apply N. exists r. split; [easy|].
    rewrite C. simpl. apply existsb_exists. exists D. now rewrite CD, O.
  - intros H (r & I & E). apply andb_true_iff in E as [C E]. apply existsb_exists in E as (D & J & E).
    apply andb_true_iff in E as [CD E]. apply negb_true_iff, not_true_iff_false in E. apply E. apply overridden_iff; auto.
Qed.
Lemma list_kernel : forall l t o, refused_by_list l t o = false <-> is_listed l t o.
Proof.
  intros l t o. rewrite <- not_true_iff_false. unfold refused_by_list, is_listed. rewrite existsb_exists. split.
  - intros N r a I E C. apply existsb_exists. apply not_false_iff_true. intros F. apply N. exists r. split; [easy|]. now rewrite C, E, F.
  - intros H (r & I & E). apply andb_true_iff in E as [C E]. destruct (allows r) as [a|] eqn:A; [|easy].
    apply negb_true_iff, not_true_iff_false in E. apply E, existsb_exists. now apply (H r a).
Qed.

Lemma capability_kernel : forall l o,
  FlowKernels.capability (denied l o) (dangerous o) (opted_in l o) (allow_present l) (allow_matched l o) = 0 <-> capable l o.
Proof.
  intros l o. rewrite the_kernel_of_capability. unfold capable, dangerous, opted_in, allow_present, allow_matched.
  destruct (hits o), (allow l); simpl; intuition.
Qed.
Lemma capability_positive : forall d g i p m, 0 <= FlowKernels.capability d g i p m.
Proof. intros [] [] [] [] []; vm_compute; discriminate. Qed.
Lemma builtin_positive : forall s n u e d p a b c f, 0 <= FlowKernels.builtin s n u e d p a b c f.
Proof. intros. unfold FlowKernels.builtin. repeat (destruct (_ && _)%bool; [lia|]). lia. Qed.
Lemma builtin_kernel : forall l o t,
  FlowKernels.builtin (holds secret t) (holds sensitive t) (holds untrusted t) (holds exfil o) (holds destructive o) (holds privileged o)
    (no_secret_exfil l) (no_sensitive_exfil l) (no_untrusted_destructive l) (no_untrusted_privileged l) = 0
  <-> keeps_builtin l o t.
Proof. intros. apply the_kernel_of_builtin_rules. Qed.

(** What the kernels and the loops around them permit is exactly what is meant to be permitted. *)
Theorem the_decision_of_a_layer_is_as_it_is_meant : forall l o s, decide l o s = 0 <-> permits l o s.
Proof.
  intros l o s. unfold decide. rewrite in_effect_is_effective, (proj2 (the_stance_is_as_it_is_meant l s)).
  set (c := FlowKernels.capability _ _ _ _ _). set (b := FlowKernels.builtin _ _ _ _ _ _ _ _ _ _).
  assert (C : 0 <= c) by apply capability_positive. assert (B : 0 <= b) by apply builtin_positive.
  rewrite (proj1 (the_kernel_of_a_layer _ _ _ _ C B)). subst c b. rewrite capability_kernel, builtin_kernel, some_pair_false.
  setoid_rewrite rule_kernel. unfold permits. split; intros (H1 & H2 & H3 & H4); repeat (split; [easy|]).
  - intros D t x T X. rewrite D in H4. simpl in H4. apply list_kernel. now apply (proj1 (some_pair_false _ _ _) H4).
  - destruct (doubted l s); [|easy]. simpl. apply some_pair_false. intros t x T X. apply list_kernel. now apply H4.
Qed.

Lemma both_from : forall ls o s c,
  fold_left (fun found l => FlowKernels.both found (decide l o s)) ls c = 0 <-> c = 0 /\ forall l, In l ls -> decide l o s = 0.
Proof.
  induction ls as [|l ls IH]; intros o s c; simpl; [intuition easy|].
  rewrite IH, (proj1 (the_kernel_of_two_layers c (decide l o s))). split.
  - intros [[C D] H]. split; [easy|]. intros x [<-|I]; auto.
  - intros [C H]. repeat split; auto.
Qed.

(** Several layers permit exactly what each of them is meant to permit. *)
Theorem the_decision_of_all_layers_is_as_it_is_meant : forall ls o s, permitted ls o s = true <-> all_permit ls o s.
Proof.
  intros ls o s. unfold permitted, decide_all. rewrite Z.eqb_eq, both_from. unfold all_permit.
  setoid_rewrite <- the_decision_of_a_layer_is_as_it_is_meant. intuition.
Qed.

(** A result takes "influenced" exactly when it is meant to. *)
Theorem influence_is_as_it_is_meant : forall ls o s, influences ls o s = is_influenced ls o s.
Proof.
  intros ls o s. unfold influences, is_influenced, FlowKernels.influenced. induction ls as [|l ls IH]; simpl.
  - now rewrite andb_false_r.
  - rewrite IH, (proj1 (the_stance_is_as_it_is_meant l s)). now destruct (influence l), (by_model o), (is_untrusted l s).
Qed.

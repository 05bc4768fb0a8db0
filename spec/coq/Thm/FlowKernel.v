(** * The kernels of flow: facts about production's own text *)
From Coq Require Import ZArith Bool List Lia.
From Sluicegate Require FlowKernels LabelKernels.
Open Scope Z_scope.
Open Scope bool_scope.

Ltac kernels :=
  unfold FlowKernels.class_of, FlowKernels.worse, FlowKernels.stance, FlowKernels.is_untrusted, FlowKernels.closes,
    FlowKernels.capability, FlowKernels.builtin, FlowKernels.overrides, FlowKernels.layer, FlowKernels.both,
    FlowKernels.influenced, FlowKernels.tighter, FlowKernels.UNCLASSIFIED, FlowKernels.TRUSTED, FlowKernels.UNTRUSTED,
    FlowKernels.UNTRUSTED_BY_DEFAULT, FlowKernels.PERMITTED, FlowKernels.BY_CAPABILITY, FlowKernels.BY_BUILTIN,
    FlowKernels.BY_LABEL_RULE, FlowKernels.BY_ALLOW_LIST in *.
Ltac numbers := rewrite ?Z.geb_leb, ?Z.gtb_ltb in *.

(** "trusted" is in the join of two sets if one of them vouches, and whichever is stained vouches too. *)
Theorem the_kernel_of_joining : forall v s w t, LabelKernels.trust_survives v s w t = true <->
  (v = true \/ w = true) /\ (s = true -> v = true) /\ (t = true -> w = true).
Proof. intros [] [] [] []; unfold LabelKernels.trust_survives, LabelKernels.doubtful; simpl; intuition. Qed.

(** An origin without an entry is as "unlabeled" says, any other as its entry says. *)
Theorem the_class_of_an_origin : forall entry default,
  (entry = 0 -> FlowKernels.class_of entry default = default) /\ (entry <> 0 -> FlowKernels.class_of entry default = entry).
Proof. intros. kernels. destruct (Z.eqb_spec entry 0); split; easy. Qed.

(** The stance: distrusted if it is marked, or if an origin is distrusted and nobody vouches; and the allow lists are
    closed if an origin is distrusted and nobody vouches for it, or it is marked besides. *)
Theorem the_stance_of_a_taint : forall untrusted trusted origin worst, 0 <= worst <= 2 -> (origin = false -> worst = 0) ->
  (FlowKernels.is_untrusted (FlowKernels.stance untrusted trusted origin worst) = true
     <-> untrusted = true \/ (trusted = false /\ worst = 2))
  /\ (FlowKernels.closes (FlowKernels.stance untrusted trusted origin worst) = true
     <-> worst = 2 /\ (untrusted = true \/ trusted = false)).
Proof.
  intros untrusted trusted origin worst R N.
  assert (W : worst = 0 \/ worst = 1 \/ worst = 2) by lia.
  destruct W as [-> | [-> | ->]], untrusted, trusted, origin; try (specialize (N eq_refl); discriminate);
    vm_compute; intuition discriminate.
Qed.

(** Calling something untrusted never makes its stance better, and an origin never does either. *)
Theorem the_stance_is_monotone : forall u t o w u' o' w',
  (u = true -> u' = true) -> (o = true -> o' = true) -> 0 <= w <= w' -> w' <= 2 -> (o = false -> w = 0) ->
  (FlowKernels.is_untrusted (FlowKernels.stance u t o w) = true -> FlowKernels.is_untrusted (FlowKernels.stance u' t o' w') = true)
  /\ (FlowKernels.closes (FlowKernels.stance u t o w) = true -> FlowKernels.closes (FlowKernels.stance u' t o' w') = true).
Proof.
  intros u t o w u' o' w' U O [W0 W] W' N.
  assert (X : w = 0 \/ w = 1 \/ w = 2) by lia. assert (X' : w' = 0 \/ w' = 1 \/ w' = 2) by lia.
  destruct X as [-> | [-> | ->]], X' as [-> | [-> | ->]], u, u', o, o', t; try lia; try discriminate (U eq_refl);
    try discriminate (O eq_refl); try discriminate (N eq_refl); vm_compute; split; intros; easy.
Qed.

(** Capability: permitted exactly when not denied, opted into if dangerous, and listed if there is a list. *)
Theorem the_kernel_of_capability : forall d g i p m, FlowKernels.capability d g i p m = 0 <->
  d = false /\ (g = true -> i = true) /\ (p = true -> m = true).
Proof. intros [] [] [] [] []; kernels; simpl; intuition discriminate. Qed.

Lemma three : forall a b c, a && b && c = false <-> (a = true -> b = true -> c = false).
Proof. intros [] [] []; simpl; intuition discriminate. Qed.
Lemma four : forall a b c d, a && b && c && d = false <-> (a = true -> b = true -> c = true -> d = false).
Proof. intros [] [] [] []; simpl; intuition discriminate. Qed.

(** The built-in rules: each holds if it is on, and any that is broken refuses. *)
Theorem the_kernel_of_builtin_rules : forall s n u e d p r1 r2 r3 r4, FlowKernels.builtin s n u e d p r1 r2 r3 r4 = 0 <->
  (r1 = true -> s = true -> e = false) /\ (r2 = true -> n = true -> u = true -> e = false)
  /\ (r3 = true -> u = true -> d = false) /\ (r4 = true -> u = true -> p = false).
Proof.
  intros.
  transitivity (r1 && s && e = false /\ r2 && n && u && e = false /\ r3 && u && d = false /\ r4 && u && p = false);
    [|now rewrite (three r1 s e), (four r2 n u e), (three r3 u d), (three r4 u p)].
  kernels. destruct (r1 && s && e), (r2 && n && u && e), (r3 && u && d), (r4 && u && p); intuition discriminate.
Qed.

(** An allow overrides a deny if it is at least as deep in both, and deeper in one. *)
Theorem the_kernel_of_overriding : forall dl dt al at_, FlowKernels.overrides dl dt al at_ = true <->
  dl <= al /\ dt <= at_ /\ (dl < al \/ dt < at_).
Proof.
  intros. kernels. numbers. destruct (Z.ltb_spec al dl), (Z.ltb_spec at_ dt); simpl; try (split; [easy|lia]);
    destruct (Z.ltb_spec dl al), (Z.ltb_spec dt at_); simpl; split; try easy; lia.
Qed.

(** A layer permits exactly when no step refuses, and the first that does is told. *)
Theorem the_kernel_of_a_layer : forall c b r a, 0 <= c -> 0 <= b ->
  (FlowKernels.layer c b r a = 0 <-> c = 0 /\ b = 0 /\ r = false /\ a = false)
  /\ (0 < c -> FlowKernels.layer c b r a = 1) /\ (c = 0 -> 0 < b -> FlowKernels.layer c b r a = 2)
  /\ (c = 0 -> b = 0 -> r = true -> FlowKernels.layer c b r a = 3)
  /\ (c = 0 -> b = 0 -> r = false -> a = true -> FlowKernels.layer c b r a = 4).
Proof.
  intros c b r a C B. kernels. numbers. destruct (Z.leb_spec 1 c), (Z.leb_spec 1 b), r, a; repeat split; intros; try lia; try easy; intuition (try lia; try easy).
Qed.

(** Two layers permit if both do; the first refusal is told. *)
Theorem the_kernel_of_two_layers : forall a b,
  (FlowKernels.both a b = 0 <-> a = 0 /\ b = 0) /\ (a <> 0 -> FlowKernels.both a b = a).
Proof. intros a b. kernels. destruct (Z.eqb_spec a 0); intuition lia. Qed.

(** The tighter of two limits is no wider than either, where 0 or less is no limit. *)
Theorem the_tighter_limit_is_no_wider : forall a b x,
  (0 < a -> 0 < FlowKernels.tighter a b <= a) /\ (0 < b -> 0 < FlowKernels.tighter a b <= b)
  /\ (a <= 0 -> b <= 0 -> FlowKernels.tighter a b = 0) /\ (x = FlowKernels.tighter a b -> FlowKernels.tighter b a = x).
Proof.
  intros a b x. kernels. destruct (Z.leb_spec a 0), (Z.leb_spec b 0); lia.
Qed.

(** Of several limits the tightest holds: none that limits is narrower than what is found, and without one there is none. *)
Theorem the_tightest_of_several_limits_holds : forall limits,
  (forall a, In a limits -> 0 < a -> 0 < fold_left FlowKernels.tighter limits 0 <= a)
  /\ ((forall a, In a limits -> a <= 0) -> fold_left FlowKernels.tighter limits 0 = 0).
Proof.
  assert (H : forall limits found, 0 <= found ->
    (0 < found -> 0 < fold_left FlowKernels.tighter limits found <= found)
    /\ (forall a, In a limits -> 0 < a -> 0 < fold_left FlowKernels.tighter limits found <= a)
    /\ (found = 0 -> (forall a, In a limits -> a <= 0) -> fold_left FlowKernels.tighter limits found = 0)).
  { induction limits as [|b limits IH]; intros found F; simpl; [intuition lia|].
    pose proof (the_tighter_limit_is_no_wider found b 0) as (T1 & T2 & T3 & _).
    assert (N : 0 <= FlowKernels.tighter found b) by (destruct (Z.leb_spec found 0), (Z.leb_spec b 0); lia).
    destruct (IH (FlowKernels.tighter found b) N) as (A & B & C). split; [|split].
    - intros P. specialize (T1 P). specialize (A ltac:(lia)). lia.
    - intros a [<-|I] P; [|now apply B]. specialize (T2 P). specialize (A ltac:(lia)). lia.
    - intros Z L. apply C; [|auto]. apply T3; [lia|]. apply L. now left. }
  intros limits. destruct (H limits 0 ltac:(lia)) as (_ & A & B). auto.
Qed.

(** * Several policies: each is asked, and none is merged into another *)
From Coq Require Import Bool String List ZArith.
From Sluicegate Require FlowKernels.
From Sluicegate.Spec Require Import Labels Policy Decision Program.
From Sluicegate.Thm Require Import Labels Policy Decision NonInterference.
Import ListNotations.
Open Scope bool_scope.

(** Layers permit exactly what each of them permits alone. *)
Theorem layers_permit_exactly_what_each_permits : forall ls o s, permitted ls o s = forallb (fun l => permitted [l] o s) ls.
Proof.
  intros ls o s. apply eq_iff_eq_true. rewrite the_decision_of_all_layers_is_as_it_is_meant, forallb_forall. unfold all_permit.
  split; intros H l I.
  - apply the_decision_of_all_layers_is_as_it_is_meant. intros k [<-|[]]. now apply H.
  - specialize (H l I). apply the_decision_of_all_layers_is_as_it_is_meant in H. apply H. now left.
Qed.

(** Adding a layer, in whatever place, never permits more. *)
Theorem adding_a_layer_never_permits_more : forall a b l o s, all_permit (a ++ l :: b) o s -> all_permit (a ++ b) o s.
Proof. intros a b l o s H k I. apply H. rewrite in_app_iff in *. simpl. tauto. Qed.

(** One layer that denies is enough, whatever the others permit. *)
Theorem one_layer_that_denies_is_enough : forall ls l o s, In l ls -> ~ permits l o s -> ~ all_permit ls o s.
Proof. intros ls l o s I N H. now apply N, H. Qed.

(** The order of layers, and how often one is there, never changes what is permitted. *)
Theorem the_order_and_repetition_of_layers_do_not_matter : forall a b o s,
  (forall l, In l a <-> In l b) -> (permitted a o s = permitted b o s).
Proof.
  intros a b o s E. apply eq_true_iff_eq. rewrite !the_decision_of_all_layers_is_as_it_is_meant.
  split; intros H l I; apply H; now apply E.
Qed.

(** Without any layer nothing is refused: what must be refused always belongs into a policy. *)
Theorem without_a_layer_everything_is_permitted : forall o s, permitted [] o s = true.
Proof. reflexivity. Qed.

(** More labels never permit more under any number of layers. *)
Theorem more_labels_never_permit_more_under_layers : forall ls o s u,
  (forall x, In x s -> In x u) -> (In trusted u -> In trusted s \/ In untrusted u \/ has_origin s = false) ->
  (forall l, In l ls -> marked_on_entry l s) -> permitted ls o u = true -> permitted ls o s = true.
Proof.
  intros ls o s u I T M. rewrite !the_decision_of_all_layers_is_as_it_is_meant. intros H l L.
  apply (more_labels_never_permit_more l o s u); auto.
Qed.

(** ** What the security model says of merging is not sound *)
Open Scope string_scope.
Definition nothing : capabilities := mkCapabilities [] [] [].
Definition plain (rs : list rule) : layer :=
  mkLayer nothing nothing None [] (fun _ => Unclassified) (fun _ => Unclassified) Unclassified (fun _ => [])
    false false false false false rs.
Definition command (words : list string) : operation := mkOperation [["op"; "cmd"] ++ words]%list [] [] false [].

(** The composition of part 8.1: allows are intersected, denies united, most specific wins in what comes of it. A list that
    is not there restricts nothing, so it is the unit of the intersection. *)
Definition intersect (a b : option labels) : option labels :=
  match a, b with
  | None, x | x, None => x
  | Some a, Some b => Some (filter (fun x => has x b) a)
  end.
Definition merge (a b : rule) : rule := mkRule (about a) (denies a ++ denies b)%list (intersect (allows a) (allows b)).

(** One policy denies git to what is secret; another denies all commands but git status. Merged as the security model says,
    they permit git status, which the first denies. *)
Theorem merging_policies_as_written_permits_what_one_of_them_denies :
  let a := mkRule secret [["op"; "cmd"; "git"]] None in
  let b := mkRule secret [["op"; "cmd"]] (Some [["op"; "cmd"; "git"; "status"]]) in
  let o := command ["git"; "status"] in
  permitted [plain [a]] o [secret] = false /\ permitted [plain [a]; plain [b]] o [secret] = false
  /\ permitted [plain [merge a b]] o [secret] = true.
Proof. vm_compute. auto. Qed.

(** To take an absent list for an empty one when merging is safe here, but then it denies what both permit: two policies
    with different words for the same exception have none in common. *)
Theorem merging_with_empty_lists_denies_what_both_permit :
  let a := mkRule secret [["op"]] (Some [["op"; "cmd"]]) in
  let b := mkRule secret [["op"]] (Some [["op"; "cmd"; "git"]]) in
  let o := command ["git"; "status"] in
  permitted [plain [a]; plain [b]] o [secret] = true /\ permitted [plain [merge a b]] o [secret] = false.
Proof. vm_compute. auto. Qed.

(** ** Where more labels would permit more: why each condition is there *)

(** To add "trusted" may permit more; that is what it is for, and why a guard needs the privilege for it. *)
Theorem vouching_permits_more :
  let l := mkLayer nothing nothing None [] (fun _ => Untrusted) (fun _ => Unclassified) Unclassified (fun _ => [])
             false false true false false [] in
  let o := mkOperation [destructive] [] [] false [] in
  permitted [l] o [["src"; "mcp"]] = false /\ permitted [l] o [trusted; ["src"; "mcp"]] = true.
Proof. vm_compute. auto. Qed.

(** A file from a place that is distrusted by default, when nobody marked it as it was read, could be laundered by joining
    it with one from a trusted place: the labels of directories do not tell which file lay where. *)
Theorem an_unmarked_file_could_be_laundered :
  let safe := ["dir"; "/safe"] in
  let l := mkLayer nothing nothing None [] (fun _ => Untrusted) (fun d => if same d safe then Trusted else Unclassified)
             Unclassified (fun _ => []) false false true false false [] in
  let o := mkOperation [destructive] [] [] false [] in
  let unmarked := [file; ["dir"; "/etc"]] in
  permitted [l] o unmarked = false /\ permitted [l] o (join unmarked [file; safe]) = true
  /\ permitted [l] o (join (untrusted :: unmarked) [file; safe]) = false.
Proof. vm_compute. auto. Qed.

(** A rule against the label "trusted" itself is lost where joining takes that label away. *)
Theorem a_rule_against_trust_is_lost_in_joining :
  let l := plain [mkRule trusted [["op"]] None] in
  let o := command ["x"] in
  permitted [l] o [trusted] = false /\ permitted [l] o (join [trusted] [["src"; "mcp"]]) = true.
Proof. vm_compute. auto. Qed.

(** Joining keeps every mark, so what is made of files that were marked as they were read is marked itself. *)
Theorem joining_keeps_files_marked : forall l s u,
  marked_on_entry l s -> marked_on_entry l u -> marked_on_entry l (join s u).
Proof.
  intros l s u M N F P D.
  assert (J : forall x, In x s \/ In x u -> x <> trusted -> In x (join s u)).
  { intros x I T. apply joining_keeps_every_label_but_trust; [easy|]. simpl. destruct I; eauto. }
  assert (K : forall x, In x (join s u) -> In x s \/ In x u).
  { intros x I. unfold join in I. apply in_joined in I as [(y & [<-|[<-|[]]] & Y) _]; auto. }
  assert (Q : forall v, (forall x, In x v -> x <> trusted -> In x (join s u)) -> existsb (placed l) v = false).
  { intros v V. apply not_true_is_false. rewrite existsb_exists. intros (x & I & X). apply not_true_iff_false in P. apply P.
    apply existsb_exists. exists x. split; [|easy]. apply V; [easy|]. intros ->. discriminate. }
  unfold from_file in F. apply orb_true_iff in F. assert (G : from_file s = true \/ from_file u = true).
  { unfold from_file. rewrite !orb_true_iff. destruct F as [F|F].
    - apply has_in, K in F as [I|I]; [left | right]; left; now apply has_in.
    - apply existsb_exists in F as (x & I & X). apply K in I as [I|I]; [left | right]; right; apply existsb_exists; eauto. }
  apply J; [|discriminate]. destruct G as [G|G]; [left; apply M | right; apply N]; auto; apply Q; auto.
Qed.

(** ** What comes back *)

(** The result of an operation carries every label, but trust, of everything that went in, of where it comes from and of
    the branches it stands in; and "influenced" where it is meant to. *)
Theorem what_comes_back_carries_all_that_went_in : forall ls o ins pc,
  (forall s x, In s (ins ++ [pc; comes_from o]) -> In x s -> x <> trusted -> In x (result_labels ls o ins pc))
  /\ (is_influenced ls o (joined (ins ++ [pc; comes_from o])) = true -> In influenced (result_labels ls o ins pc)).
Proof.
  intros ls o ins pc. unfold result_labels. split.
  - intros s x I J N. apply joining_keeps_every_label_but_trust; [easy|]. exists s. split; [|easy]. apply in_app_iff. now left.
  - intros F. apply joining_keeps_every_label_but_trust; [discriminate|]. exists [influenced]. split; [|now left].
    rewrite F. rewrite !in_app_iff. right. right. now left.
Qed.

(** ** Non-interference of the policies in force *)

Definition monitor_of (ls : list layer) : monitor operation :=
  mkMonitor operation (permitted ls) (fun o s => result_labels ls o [s] []).

Lemma results_carry_on : forall ls l, l <> trusted -> carries_on l (monitor_of ls).
Proof.
  intros ls l N o s I. simpl. unfold result_labels. apply joining_keeps_every_label_but_trust; [easy|].
  exists s. split; [|easy]. simpl. auto.
Qed.

(** Run a program twice under the policies in force, from stores that differ only in values that carry a label: what arrives
    at operations to which a deny of some layer closes that label is the same both times, whatever the other layers and
    rules say. *)
Theorem what_a_deny_closes_to_a_label_does_not_depend_on_it :
  forall V (ls : list layer) (L : path) (closed : operation -> bool) (p : program V operation) pc (s t s' t' : store V) es et n k,
  (forall o, closed o = true -> exists l r D x, In l ls /\ In r (rules l) /\ In D (denies r) /\ In x (with_risks l o)
     /\ covers (about r) L = true /\ covers D x = true
     /\ forall r2 A, In r2 (rules l) -> In A (allowed_targets r2) -> ~ excepts (about r) D (about r2) A L x) ->
  L <> trusted -> keeps L p -> alike L s t ->
  run (monitor_of ls) n pc s p = Some (s', es) -> run (monitor_of ls) k pc t p = Some (t', et) ->
  arrives closed es = arrives closed et.
Proof.
  intros V ls L closed p pc s t s' t' es et n k C N K A R Q.
  apply (what_is_closed_to_a_label_does_not_depend_on_it V operation L (monitor_of ls) closed p pc s t s' t' es et n k); auto.
  - now apply results_carry_on.
  - intros o u O U. simpl. apply not_true_is_false. rewrite the_decision_of_all_layers_is_as_it_is_meant. intros H.
    destruct (C o O) as (l & r & D & x & I & J & E & X & CL & CD & Y).
    now apply (what_a_deny_closes_to_a_label_is_closed l o r D L x J E X CL CD Y u U), H.
Qed.

(** The same where a layer turns the rule on that what is secret is not exfiltrated. *)
Theorem what_is_exfiltrated_does_not_depend_on_secrets :
  forall V (ls : list layer) (L : path) (p : program V operation) pc (s t s' t' : store V) es et n k,
  (exists l, In l ls /\ no_secret_exfil l = true) -> covers secret L = true ->
  keeps L p -> alike L s t ->
  run (monitor_of ls) n pc s p = Some (s', es) -> run (monitor_of ls) k pc t p = Some (t', et) ->
  arrives (fun o => holds exfil (leaves o)) es = arrives (fun o => holds exfil (leaves o)) et.
Proof.
  intros V ls L p pc s t s' t' es et n k (l & I & B) C K A R Q.
  assert (N : L <> trusted) by (intros ->; discriminate).
  apply (what_is_closed_to_a_label_does_not_depend_on_it V operation L (monitor_of ls) _ p pc s t s' t' es et n k); auto.
  - now apply results_carry_on.
  - intros o u O U. simpl. apply not_true_is_false. rewrite the_decision_of_all_layers_is_as_it_is_meant. intros H.
    refine (what_is_secret_is_not_exfiltrated l o u L B U C _ (H l I)).
    unfold with_risks. unfold holds in *. rewrite existsb_app, O. reflexivity.
Qed.

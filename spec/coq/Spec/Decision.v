(** * The decision as production takes it: the loops of a layer around the kernels. *)
From Coq Require Import ZArith Bool String List.
From Sluicegate.Spec Require Import Labels Policy.
From Sluicegate Require FlowKernels LabelKernels.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

(** Joining two sets, by the kernel. *)
Definition join_by_kernel (a b : labels) : labels :=
  if LabelKernels.trust_survives (vouches a) (stained a) (vouches b) (stained b) then (a ++ b)%list
  else without trusted (a ++ b)%list.

Definition number (t : trust) : Z :=
  match t with
  | Unclassified => FlowKernels.UNCLASSIFIED | Trusted => FlowKernels.TRUSTED | Untrusted => FlowKernels.UNTRUSTED
  end.
Definition class (l : layer) (t : path) : Z := FlowKernels.class_of (number (of_origin l t)) (number (unlabeled l)).

(** 3. The class of every origin; all directories and src:file together are one, the file. *)
Definition own_origin (t : path) : bool := origin t && negb (directory t) && negb (same file t).
Definition worst (classes : list Z) : Z := fold_left FlowKernels.worse classes FlowKernels.UNCLASSIFIED.
Definition places (l : layer) (s : labels) : list Z := map (fun t => number (of_directory l t)) (filter (placed l) s).
Definition file_class (l : layer) (s : labels) : Z :=
  match places l s with
  | [] => class l file
  | found => if has untrusted s then FlowKernels.worse (worst found) (class l file) else worst found
  end.
Definition classes (l : layer) (s : labels) : list Z :=
  (map (class l) (filter own_origin s) ++ (if from_file s then [file_class l s] else []))%list.
Definition stance (l : layer) (s : labels) : Z :=
  let cs := classes l s in
  FlowKernels.stance (marked l s) (has trusted s) (match cs with [] => false | _ => true end) (worst cs).
Definition in_effect (l : layer) (s : labels) : labels :=
  (s ++ given l s ++ (if FlowKernels.is_untrusted (stance l s) then [untrusted] else []))%list.

(** 5. One label and one leaf: the denies about both, and the allows about both, by their depths. *)
Definition depth (p : path) : Z := Z.of_nat (length p).
Definition overridden (l : layer) (t o : path) (L D : path) : bool :=
  existsb (fun r => covers (about r) t
    && existsb (fun A => covers A o && FlowKernels.overrides (depth L) (depth D) (depth (about r)) (depth A))
         (allowed_targets r)) (rules l).
Definition refused_by_rule (l : layer) (t o : path) : bool :=
  existsb (fun r => covers (about r) t
    && existsb (fun D => covers D o && negb (overridden l t o (about r) D)) (denies r)) (rules l).

(** 6. One label and one leaf. *)
Definition refused_by_list (l : layer) (t o : path) : bool :=
  existsb (fun r => covers (about r) t
    && match allows r with None => false | Some a => negb (existsb (fun A => covers A o) a) end) (rules l).

Definition some_pair (f : path -> path -> bool) (s o : labels) : bool := existsb (fun t => existsb (f t) o) s.

Definition decide (l : layer) (o : operation) (s : labels) : Z :=
  let o' := with_risks l o in
  let s' := in_effect l s in
  FlowKernels.layer
    (FlowKernels.capability (denied l o) (dangerous o) (opted_in l o) (allow_present l) (allow_matched l o))
    (FlowKernels.builtin (holds secret s') (holds sensitive s') (holds untrusted s')
       (holds exfil o') (holds destructive o') (holds privileged o')
       (no_secret_exfil l) (no_sensitive_exfil l) (no_untrusted_destructive l) (no_untrusted_privileged l))
    (some_pair (refused_by_rule l) s' o')
    (FlowKernels.closes (stance l s) && some_pair (refused_by_list l) s o').

Definition decide_all (ls : list layer) (o : operation) (s : labels) : Z :=
  fold_left (fun found l => FlowKernels.both found (decide l o s)) ls FlowKernels.PERMITTED.
Definition permitted (ls : list layer) (o : operation) (s : labels) : bool := decide_all ls o s =? FlowKernels.PERMITTED.

Definition influences (ls : list layer) (o : operation) (s : labels) : bool :=
  existsb (fun l => FlowKernels.influenced (influence l) (by_model o) (FlowKernels.is_untrusted (stance l s))) ls.

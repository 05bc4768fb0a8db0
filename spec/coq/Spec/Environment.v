(** * Environments: what one grants, and when one is no wider than another. *)
From Coq Require Import Bool String List ZArith.
From Sluicegate.Spec Require Import Labels.
Import ListNotations.
Open Scope bool_scope.

(** A host by its parts, the last one first: example.org is ["org"; "example"]. *)
Inductive host_pattern := Exactly (h : path) | Below (h : path).
Definition host_covers (p q : host_pattern) : bool :=
  match p, q with
  | Exactly a, Exactly b => same a b
  | Exactly _, Below _ => false
  | Below a, Exactly b => covers a b && negb (same a b)
  | Below a, Below b => covers a b
  end.
Inductive net := NoNetwork | AllowedHosts (hosts : list host_pattern) | HostNetwork.
Definition reaches (n : net) (h : path) : bool :=
  match n with
  | NoNetwork => false
  | AllowedHosts hosts => existsb (fun p => host_covers p (Exactly h)) hosts
  | HostNetwork => true
  end.
Definition no_wider_net (parent child : net) : Prop :=
  match parent, child with
  | HostNetwork, _ | _, NoNetwork => True
  | AllowedHosts wide, AllowedHosts close => forall q, In q close -> exists p, In p wide /\ host_covers p q = true
  | _, _ => False
  end.

(** A root: what stands at [inside] is [host], with all below it. *)
Record root := mkRoot { inside : path; host : path; writes : bool }.
Definition deeper (a b : option root) : option root :=
  match a, b with
  | Some x, Some y => if length (inside x) <? length (inside y) then Some y else Some x
  | Some x, None => Some x
  | None, y => y
  end%nat.
(** The innermost root that contains a path. *)
Definition innermost (roots : list root) (q : path) : option root :=
  fold_right (fun r found => deeper (if covers (inside r) q then Some r else None) found) None roots.
(** What a path inside shows: which path of the host, and whether it may be written. *)
Definition shows (roots : list root) (q : path) : option (path * bool) :=
  match innermost roots q with
  | Some r => Some ((host r ++ skipn (length (inside r)) q)%list, writes r)
  | None => None
  end.
Definition grants_no_more (had given : option (path * bool)) : Prop :=
  match given, had with
  | None, _ => True
  | Some (h, w), Some (h', w') => h = h' /\ (w = true -> w' = true)
  | Some _, None => False
  end.
(** No roots at all: nothing is confined. The comparison looks only where roots begin. *)
Definition no_wider_roots (parent child : option (list root)) : Prop :=
  match parent, child with
  | None, _ => True
  | Some _, None => False
  | Some p, Some c => forall r, In r (p ++ c)%list -> grants_no_more (shows p (inside r)) (shows c (inside r))
  end.

(** A set of names, where None is all names; a bound, where None is no bound. *)
Definition no_wider_set (parent child : option (list string)) : Prop :=
  match parent, child with None, _ => True | Some p, Some c => incl c p | Some _, None => False end.
Definition no_wider_limit (parent child : option Z) : Prop :=
  match parent, child with None, _ => True | Some p, Some c => (c <= p)%Z | Some _, None => False end.

Record environment := mkEnvironment {
  provider : string; names : list string; roots : option (list root); network : net;
  limits : string -> option Z; auth : option (list string); tools : option (list string); mcps : option (list string);
  variables : list string; output : labels; image : string; snapshot : string; snapshots : bool }.

Definition no_wider (p c : environment) : Prop :=
  provider c = provider p /\ (exists own, names c = names p ++ own)%list
  /\ no_wider_roots (roots p) (roots c) /\ no_wider_net (network p) (network c)
  /\ (forall n, no_wider_limit (limits p n) (limits c n))
  /\ no_wider_set (auth p) (auth c) /\ no_wider_set (tools p) (tools c) /\ no_wider_set (mcps p) (mcps c)
  /\ incl (variables c) (variables p)
  /\ incl (output p) (output c) /\ (In trusted (output c) -> In trusted (output p))
  /\ image c = image p /\ snapshot c = snapshot p /\ (snapshots c = true -> snapshots p = true).

(** Derived from an environment in any number of steps. *)
Inductive derived (p : environment) : environment -> Prop :=
| itself : derived p p
| step : forall c d, derived p c -> no_wider c d -> derived p d.

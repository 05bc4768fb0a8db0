(** * Labels: names in a hierarchy, sets of them, and what joining keeps. *)
From Coq Require Import Bool String List.
Import ListNotations.
Open Scope string_scope.
Open Scope bool_scope.

(** A label, of data or of an operation, or a pattern for labels, by its segments: op:cmd:git is
    ["op"; "cmd"; "git"]. The pattern * has none, so it stands before everything. *)
Definition path := list string.

(** [covers p q]: p is q, or stands above it. *)
Fixpoint covers (p q : path) : bool :=
  match p, q with
  | [], _ => true
  | a :: p, b :: q => String.eqb a b && covers p q
  | _ :: _, [] => false
  end.

Definition same (p q : path) : bool := if list_eq_dec string_dec p q then true else false.

(** A set of labels, as a list whose order and repetitions mean nothing. *)
Definition labels := list path.
Definition has (l : path) (s : labels) : bool := existsb (same l) s.
(** One of the set is the label, or stands below it: secret:aws is secret. *)
Definition holds (l : path) (s : labels) : bool := existsb (covers l) s.
Definition equal (a b : labels) : Prop := forall l, In l a <-> In l b.

Definition trusted : path := ["trusted"].
Definition untrusted : path := ["untrusted"].
Definition influenced : path := ["influenced"].

(** Where a value came from, rather than what its author says it is. *)
Definition origin (l : path) : bool :=
  covers ["src"] l || covers ["dir"] l || covers ["llm"] l || covers ["influenced"] l.
Definition has_origin (s : labels) : bool := existsb origin s.

(** What joining takes notice of: a set vouches if it is trusted, and it is stained if it came from somewhere or
    is untrusted. *)
Definition vouches (s : labels) : bool := has trusted s.
Definition stained (s : labels) : bool := has untrusted s || has_origin s.

(** The join of any number of sets: their union; "trusted" only if one vouches and all that are stained vouch. *)
Definition trust_remains (sets : list labels) : bool :=
  existsb vouches sets && forallb (fun s => vouches s || negb (stained s)) sets.
Definition union (sets : list labels) : labels := List.concat sets.
Definition without (l : path) (s : labels) : labels := filter (fun x => negb (same l x)) s.
Definition joined (sets : list labels) : labels :=
  if trust_remains sets then union sets else without trusted (union sets).
Definition join (a b : labels) : labels := joined [a; b].

(** * Guards: what each may answer, and what comes of all their answers. *)
From Coq Require Import Bool String List.
From Sluicegate.Spec Require Import Labels Policy Decision.
Import ListNotations.
Open Scope bool_scope.

(** ** Changes of labels, and who may make them *)
Inductive change :=
| Add (asked : labels)
| Bless
| Remove (asked : labels)
| Clear.

Definition added (asked s : labels) : labels :=
  let s := if has untrusted asked then untrusted :: without trusted s else s in
  let s := (without trusted (without untrusted asked) ++ s)%list in
  if has trusted asked then trusted :: s else s.
(** To vouch for what came from elsewhere, and what nobody vouched for, is a step up. *)
Definition step_up (asked s : labels) : bool :=
  has trusted asked && negb (has untrusted asked) && has_origin s && negb (has trusted s) && negb (has untrusted s).
Definition is_fact (t : path) : bool := covers ["src"%string] t || covers ["dir"%string] t.

(** The labels after a change, or None where it is refused. *)
Definition changed (privilege : bool) (c : change) (s : labels) : option labels :=
  match c with
  | Add asked => if step_up asked s && negb privilege then None else Some (added asked s)
  | Bless => if privilege then Some (trusted :: without untrusted s) else None
  | Remove asked => if privilege then Some (filter (fun t => negb (existsb (fun a => covers a t) asked)) s) else None
  | Clear => if privilege then Some (filter is_fact s) else None
  end.

(** ** Guards *)

(** A guard is asked about a value; what does not match its filter it lets pass. [Refused]: it asks for a change of labels
    that it may not make. *)
Inductive answer (X : Type) := Pass | Deny | Retry | Put (x : X) | Refused.
Arguments Pass {X}.
Arguments Deny {X}.
Arguments Retry {X}.
Arguments Put {X}.
Arguments Refused {X}.
Definition guard (X : Type) := X -> answer X.

Definition denies_it {X} (a : answer X) : bool := match a with Deny => true | _ => false end.
Definition overreaches {X} (a : answer X) : bool := match a with Refused => true | _ => false end.
Definition asks_again {X} (a : answer X) : bool := match a with Retry => true | _ => false end.
Inductive outcome (X : Type) := Denied | Again | Flows (x : X).
Arguments Denied {X}.
Arguments Again {X}.
Arguments Flows {X}.

(** The value as it is now, if a guard has changed it; whether one denied; whether one asked for another. *)
Record round (X : Type) := mkRound { now : option X; has_denied : bool; has_asked : bool }.
Arguments mkRound {X}.
Arguments now {X}.
Arguments has_denied {X}.
Arguments has_asked {X}.

(** Every guard is asked about what was asked for, and, if that has been changed, about what has become of it; that is what
    its own change acts on, and where a change that it may not make denies. *)
Definition ask {X} (first : X) (r : round X) (g : guard X) : round X :=
  let a := g first in
  let b := match now r with None => a | Some y => g y end in
  mkRound (match b with Put y => Some y | _ => now r end)
          (has_denied r || denies_it a || denies_it b || overreaches b) (has_asked r || asks_again a || asks_again b).
(** In the end every guard is asked about what would flow; only a denial or a retry counts then. *)
Definition evaluate {X} (gs : list (guard X)) (first : X) : outcome X :=
  let r := fold_left (ask first) gs (mkRound None false false) in
  let last := match now r with None => first | Some y => y end in
  if has_denied r || existsb (fun g => denies_it (g last)) gs then Denied
  else if has_asked r || existsb (fun g => asks_again (g last)) gs then Again
  else Flows last.

(** ** The monitor: policy is asked before the guards, and again about what they made of the value. *)
Definition passes {V} (ls : list layer) (gs : list (guard (labels * V))) (o : operation) (x : labels * V) : option (labels * V) :=
  if permitted ls o (fst x) then
    match evaluate gs x with
    | Flows y => if permitted ls o (fst y) then Some y else None
    | _ => None
    end
  else None.

(** A guard without privilege gives back only what a change without privilege may make of the labels it was given. *)
Definition unprivileged {V} (g : guard (labels * V)) : Prop :=
  forall x y, g x = Put y -> fst y = fst x \/ exists c, changed false c (fst x) = Some (fst y).

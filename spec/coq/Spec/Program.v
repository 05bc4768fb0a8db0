(** * A small language of labelled values, and the monitor that runs it. *)
From Coq Require Import Bool Arith List.
From Sluicegate.Spec Require Import Labels.
Import ListNotations.

(** What the monitor needs of a policy: whether an operation may take a value with these labels, and the labels of
    what comes back. *)
Record monitor (O : Type) := mkMonitor { allowed : O -> labels -> bool; result : O -> labels -> labels }.
Arguments allowed {O}.
Arguments result {O}.

(** Programs over registers. Values are of any type, and what an operation answers is any function of what went in: a
    model, a command, a template, an error. A denial is a value too: a program can catch it, and go on with it. *)
Inductive program (V O : Type) :=
| Skip
| Do (o : O) (takes : list nat) (into : nat) (answer : list V -> V) (denial : V)
| Relabel (from into : nat) (change : labels -> labels)
| Seq (first second : program V O)
| If (on : nat) (test : V -> bool) (yes no : program V O)
| While (on : nat) (test : V -> bool) (body : program V O).
Arguments Skip {V O}.
Arguments Do {V O}.
Arguments Relabel {V O}.
Arguments Seq {V O}.
Arguments If {V O}.
Arguments While {V O}.

Definition store (V : Type) := nat -> labels * V.
Definition put {V} (s : store V) (r : nat) (c : labels * V) : store V := fun n => if Nat.eqb n r then c else s n.

(** What happened: an operation with the labels and values that went into it, or a refusal with the labels. *)
Inductive event (V O : Type) :=
| Done (o : O) (taint : labels) (values : list V)
| Refused (o : O) (taint : labels).
Arguments Done {V O}.
Arguments Refused {V O}.
Definition taint_of {V O} (e : event V O) : labels := match e with Done _ t _ | Refused _ t => t end.

(** The registers that a program may write. *)
Fixpoint writes {V O} (p : program V O) : list nat :=
  match p with
  | Skip => []
  | Do _ _ r _ _ | Relabel _ r _ => [r]
  | Seq a b | If _ _ a b => writes a ++ writes b
  | While _ _ b => writes b
  end.

(** After a branch, everything that one of its arms may have written takes the labels of the condition. *)
Definition raise {V} (rs : list nat) (ls : labels) (s : store V) : store V :=
  fun n => if existsb (Nat.eqb n) rs then (join (fst (s n)) ls, snd (s n)) else s n.

(** Runs a program where [pc] are the labels of the branches it stands in; None if the fuel does not last. *)
Fixpoint run {V O} (m : monitor O) (fuel : nat) (pc : labels) (s : store V) (p : program V O)
  : option (store V * list (event V O)) :=
  match fuel with
  | 0 => None
  | S fuel =>
    match p with
    | Skip => Some (s, [])
    | Do o takes into answer denial =>
        let taint := joined (pc :: map (fun r => fst (s r)) takes) in
        let values := map (fun r => snd (s r)) takes in
        if allowed m o taint then Some (put s into (result m o taint, answer values), [Done o taint values])
        else Some (put s into (taint, denial), [Refused o taint])
    | Relabel from into change => Some (put s into (join (change (fst (s from))) pc, snd (s from)), [])
    | Seq a b =>
        match run m fuel pc s a with
        | None => None
        | Some (s, before) =>
            match run m fuel pc s b with None => None | Some (s, after) => Some (s, before ++ after) end
        end
    | If on test a b =>
        let pc := join pc (fst (s on)) in
        match run m fuel pc s (if test (snd (s on)) then a else b) with
        | None => None
        | Some (t, events) => Some (raise (writes a ++ writes b) pc t, events)
        end
    | While on test body => run m fuel pc s (If on test (Seq body (While on test body)) Skip)
    end
  end.

(** No change of labels in the program takes [l] away. *)
Fixpoint keeps {V O} (l : path) (p : program V O) : Prop :=
  match p with
  | Skip | Do _ _ _ _ _ => True
  | Relabel _ _ change => forall s, In l s -> In l (change s)
  | Seq a b | If _ _ a b => keeps l a /\ keeps l b
  | While _ _ b => keeps l b
  end.

(** Two stores that differ only in values that carry [l]. *)
Definition alike {V} (l : path) (s t : store V) : Prop :=
  forall r, s r = t r \/ (In l (fst (s r)) /\ In l (fst (t r))).

(** What is seen by one whom nothing that carries [l] reaches: everything done and everything refused, but that. *)
Definition seen_without {V O} (l : path) (events : list (event V O)) : list (event V O) :=
  filter (fun e => negb (has l (taint_of e))) events.
(** What arrives at operations that a set of operations picks out. *)
Definition arrives {V O} (at_ : O -> bool) (events : list (event V O)) : list (event V O) :=
  filter (fun e => match e with Done o _ _ => at_ o | Refused _ _ => false end) events.

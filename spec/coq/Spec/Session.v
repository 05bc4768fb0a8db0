(** * Sessions: what an agent has taken in, and the permits it was given. *)
From Coq Require Import Bool List.
From Sluicegate.Spec Require Import Labels Policy Decision Program.
Import ListNotations.
Open Scope bool_scope.

(** What goes into an operation: labels of its own, and whether it is the model's word. *)
Record argument := mkArgument { own : labels; spoken : bool }.
(** What a model says carries all that its session has taken in; what a rule endorses, its own labels alone. *)
Definition carried (context : labels) (a : argument) : labels := if spoken a then join (own a) context else own a.
(** An operation without arguments is the model's word altogether. *)
Definition taint (context : labels) (arguments : list argument) : labels :=
  match arguments with
  | [] => context
  | _ => fold_right (fun a rest => join (carried context a) rest) [] arguments
  end.

(** A permit, by its place in the list: what was decided, and whether it is still to be settled. *)
Record permit (O : Type) := mkPermit { decided : O; arguments : list argument; unsettled : bool }.
Arguments mkPermit {O}.
Arguments decided {O}.
Arguments arguments {O}.
Arguments unsettled {O}.
Record session (O : Type) := mkSession { context : labels; permits : list (permit O) }.
Arguments mkSession {O}.
Arguments context {O}.
Arguments permits {O}.

Fixpoint used {O} (n : nat) (ps : list (permit O)) : list (permit O) :=
  match ps, n with
  | [], _ => []
  | p :: rest, 0 => mkPermit (decided p) (arguments p) false :: rest
  | p :: rest, S k => p :: used k rest
  end.

(** Ask before. What is permitted may happen from here on without anybody saying so: what it is known to bring counts at once. *)
Definition decide {O} (m : monitor O) (s : session O) (o : O) (args : list argument) : option (session O) :=
  let t := taint (context s) args in
  if allowed m o t then Some (mkSession (join (context s) (result m o t)) (permits s ++ [mkPermit o args true])) else None.
(** Tell after: [more] are the labels that nobody could know before. *)
Definition brought {O} (m : monitor O) (c : labels) (o : O) (args : list argument) (more : labels) : labels :=
  join c (join (result m o (taint c args)) more).
Definition settle {O} (m : monitor O) (s : session O) (n : nat) (more : labels) : option (session O) :=
  match nth_error (permits s) n with
  | Some p => if unsettled p
              then Some (mkSession (brought m (context s) (decided p) (arguments p) more) (used n (permits s)))
              else None
  | None => None
  end.
(** The two, one after the other. *)
Definition perform {O} (m : monitor O) (s : session O) (o : O) (args : list argument) (more : labels) : option (session O) :=
  match decide m s o args with
  | Some t => settle m t (length (permits s)) more
  | None => None
  end.

(** Any number of processes decide and settle, in any order. What is refused changes nothing. *)
Inductive step (O : Type) :=
| Decides (o : O) (args : list argument)
| Settles (n : nat) (more : labels).
Arguments Decides {O}.
Arguments Settles {O}.
Definition after_step {O} (m : monitor O) (s : session O) (x : step O) : session O :=
  match match x with Decides o args => decide m s o args | Settles n more => settle m s n more end with
  | Some t => t
  | None => s
  end.
Definition after {O} (m : monitor O) (s : session O) (xs : list (step O)) : session O := fold_left (after_step m) xs s.

(** What had settled by then, in the order in which it settled: with what each brought. *)
Fixpoint settled {O} (m : monitor O) (s : session O) (xs : list (step O)) : list (O * list argument * labels) :=
  match xs with
  | [] => []
  | Settles n more :: rest =>
      match nth_error (permits s) n with
      | Some p => if unsettled p
                  then (decided p, arguments p, more) :: settled m (after_step m s (Settles n more)) rest
                  else settled m s rest
      | None => settled m s rest
      end
  | x :: rest => settled m (after_step m s x) rest
  end.
(** What one has taken in who performed these, one after another. *)
Definition taken_in {O} (m : monitor O) (c : labels) (done : list (O * list argument * labels)) : labels :=
  fold_left (fun c d => match d with (o, args, more) => brought m c o args more end) done c.

(** ** The monitor of policies in force: what comes back, without branches. *)
Definition marks (ls : list layer) (o : operation) (s : labels) : labels :=
  ((if by_model o then [llm] else []) ++ (if is_influenced ls o s then [influenced] else []))%list.
Definition expected (ls : list layer) (o : operation) (s : labels) : labels :=
  let seen := join s (comes_from o) in join seen (marks ls o seen).
(** [describe]: what policies see of the operations of a program. *)
Definition session_monitor {O} (describe : O -> operation) (ls : list layer) : monitor O :=
  mkMonitor O (fun o => permitted ls (describe o)) (fun o => expected ls (describe o)).

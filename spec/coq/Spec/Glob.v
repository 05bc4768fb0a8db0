(** * Globs: what a pattern means, by recursion on the pattern. *)
From Coq Require Import Bool List String Ascii.
Import ListNotations.
Local Open Scope char_scope.
Open Scope bool_scope.

Inductive token :=
| Letter (a : ascii)   (* this character *)
| One                  (* "?": one character but "/" *)
| Star                 (* "*": any number of characters but "/" *)
| Stars                (* "**": any number of characters *)
| Folders.             (* "**/" at the start of a segment: nothing, or anything that ends in "/" *)

Definition slash : ascii := "/".
Definition is_slash (a : ascii) : bool := Ascii.eqb a slash.

Fixpoint matches (p : list token) : list ascii -> bool :=
  match p with
  | [] => fun s => match s with [] => true | _ => false end
  | Letter a :: q => fun s => match s with c :: r => Ascii.eqb a c && matches q r | [] => false end
  | One :: q => fun s => match s with c :: r => negb (is_slash c) && matches q r | [] => false end
  | Star :: q => fix go s :=
      matches q s || match s with c :: r => negb (is_slash c) && go r | [] => false end
  | Stars :: q => fix go s := matches q s || match s with _ :: r => go r | [] => false end
  | Folders :: q => fun s =>
      matches q s
      || (fix go s := match s with c :: r => (is_slash c && matches q r) || go r | [] => false end) s
  end.

(** Reading a pattern. [start]: at the start of a segment; two stars or more are one token. *)
Fixpoint drop_stars (s : list ascii) : list ascii :=
  match s with "*" :: r => drop_stars r | _ => s end.

Fixpoint tokens (fuel : nat) (start : bool) (s : list ascii) : list token :=
  match fuel, s with
  | O, _ | _, [] => []
  | S n, "*" :: "*" :: r =>
      match start, drop_stars r with
      | true, "/" :: q => Folders :: tokens n true q
      | _, q => Stars :: tokens n false q
      end
  | S n, "*" :: r => Star :: tokens n false r
  | S n, "?" :: r => One :: tokens n false r
  | S n, c :: r => Letter c :: tokens n (is_slash c) r
  end.

(** An empty pattern matches nothing, not even an empty text. *)
Definition glob (pattern text : string) : bool :=
  match pattern with
  | EmptyString => false
  | _ => let p := list_ascii_of_string pattern in
         matches (tokens (List.length p) true p) (list_ascii_of_string text)
  end.

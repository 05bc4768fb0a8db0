(** * The encoding of several texts as one, of which digests are taken. *)
From Coq Require Import List Ascii Nat.
Import ListNotations.

(** A text is its bytes. *)
Definition text := list ascii.

Definition colon : ascii := ":"%char.

(** The digit of a number below ten. *)
Definition digit (n : nat) : ascii := ascii_of_nat (48 + n).

(** A number in decimal digits, the largest first; [fuel] bounds how many there are. *)
Fixpoint digits (fuel n : nat) : text :=
  match fuel with
  | O => [digit (n mod 10)]
  | S rest => if n <? 10 then [digit n] else digits rest (n / 10) ++ [digit (n mod 10)]
  end.

Definition decimal (n : nat) : text := digits n n.

(** One text behind its length. *)
Definition framed (t : text) : text := decimal (List.length t) ++ colon :: t.

(** All texts, each behind its length, behind their number. *)
Definition encode (ts : list text) : text :=
  decimal (List.length ts) ++ colon :: flat_map framed ts.

(** * The consensus of a panel. *)
From Coq Require Import ZArith Bool List String.
From Sluicegate Require Import Kernels.
Import ListNotations.
Open Scope Z_scope.

(** A vote with the family of models it comes from: 3 MALICIOUS, 2 SUSPICIOUS, 1 ABSTAINED, 0 SAFE. *)
Definition ballot := (string * Z)%type.

Definition count (v : Z) (l : list ballot) : Z := Z.of_nat (List.length (filter (fun b => snd b =? v) l)).
Definition families (l : list ballot) : Z := Z.of_nat (List.length (nodup string_dec (map fst l))).
Definition panel_decision (l : list ballot) : Z :=
  consensus (count 3 l) (count 0 l) (Z.of_nat (List.length l)) (families l).

(** A panel that may pass anything: reviewers of two families at least. *)
Definition quorum (l : list ballot) : Prop := FAMILIES_NEEDED <= families l.

(** * The consensus of a panel. *)
From Coq Require Import ZArith Bool List String.
From Sluicegate Require Import Kernels.
Import ListNotations.
Open Scope Z_scope.

(** A vote with the family of models it comes from: 3 MALICIOUS, 2 SUSPICIOUS, 1 ABSTAINED, 0 SAFE. The empty family is
    that of a reviewer who does not count towards a quorum: a detector, or a model of no known family. *)
Definition ballot := (string * Z)%type.

Definition count (v : Z) (l : list ballot) : Z := Z.of_nat (List.length (filter (fun b => snd b =? v) l)).
Definition known_family (f : string) : bool := negb (String.eqb f EmptyString).
Definition families (l : list ballot) : Z :=
  Z.of_nat (List.length (nodup string_dec (filter known_family (map fst l)))).
Definition panel_decision (complete : bool) (l : list ballot) : Z :=
  consensus (count 3 l) (count 0 l) (Z.of_nat (List.length l)) (families l) complete.

(** A panel that may pass anything: reviewers of two families at least. *)
Definition quorum (l : list ballot) : Prop := FAMILIES_NEEDED <= families l.

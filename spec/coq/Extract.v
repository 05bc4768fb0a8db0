(* The oracles: the functions that the theorems speak of, as OCaml; one of the verdict, one of flow. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNativeString.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Finding Score Glob Verdict Consensus Envelope Ruling.
From Sluicegate.Spec Require Labels Policy Decision.
Extraction Language OCaml.
Extraction "proven.ml" band_of weight counted verdict judged open_gaps dedup accepted glob surviving added output
  ballots complete panel_decision reviewed_verdict ruled_decision.
Extraction "flow.ml" Decision.decide_all Decision.influences Decision.join_by_kernel Labels.joined.

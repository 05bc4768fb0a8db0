(* The oracle: the functions that the theorems speak of, as OCaml. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNativeString.
From Penstock Require Import Kernels.
From Penstock.Spec Require Import Finding Score Glob Verdict Consensus Envelope.
Extraction Language OCaml.
Extraction "proven.ml" band_of score counted verdict dedup accepted glob surviving added output ballots
  panel_decision reviewed_verdict.

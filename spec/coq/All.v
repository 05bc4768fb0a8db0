(** * Every theorem. A file that this one does not reach is a proof that nobody checks, and fails the gate. *)
From Penstock.Thm Require Kernel Score Glob Verdict Consensus Envelope Original.
From Penstock.Thm Require Labels Policy FlowKernel Decision Layers Guards Environment NonInterference.

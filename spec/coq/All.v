(** * Every theorem. A file that this one does not reach is a proof that nobody checks, and fails the gate. *)
From Sluicegate.Thm Require Kernel Score Kinds Glob Verdict Consensus Envelope EndToEnd Ruling Original Encoding.
From Sluicegate.Thm Require Labels Policy FlowKernel Decision Layers Guards Environment NonInterference Session.

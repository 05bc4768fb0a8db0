(* Translated from src/sluicegate/flow/policy/kernels.py by spec/translate.py. Do not edit. *)
From Coq Require Import ZArith Bool.
Open Scope Z_scope.
Open Scope bool_scope.

Definition UNCLASSIFIED : Z := 0.
Definition TRUSTED : Z := 1.
Definition UNTRUSTED : Z := 2.
Definition UNTRUSTED_BY_DEFAULT : Z := 3.
Definition PERMITTED : Z := 0.
Definition BY_CAPABILITY : Z := 1.
Definition BY_BUILTIN : Z := 2.
Definition BY_LABEL_RULE : Z := 3.
Definition BY_ALLOW_LIST : Z := 4.
Definition class_of (entry : Z) (default : Z) : Z :=
  (if (entry =? UNCLASSIFIED) then default else entry).
Definition worse (one : Z) (other : Z) : Z :=
  (Z.max one other).
Definition stance (untrusted : bool) (trusted : bool) (origin : bool) (worst : Z) : Z :=
  (if untrusted then (if (origin && (worst >=? UNTRUSTED)) then UNTRUSTED_BY_DEFAULT else UNTRUSTED)
   else (if trusted then TRUSTED
   else (if (negb origin) then UNCLASSIFIED
   else (if (worst >=? UNTRUSTED) then UNTRUSTED_BY_DEFAULT
   else worst)))).
Definition is_untrusted (stance_found : Z) : bool :=
  (stance_found >=? UNTRUSTED).
Definition capability (denied : bool) (dangerous : bool) (opted_in : bool) (allow_present : bool) (allow_matched : bool) : Z :=
  (if denied then (1)
   else (if (dangerous && (negb opted_in)) then (2)
   else (if (allow_present && (negb allow_matched)) then (3)
   else (0)))).
Definition builtin (secret : bool) (sensitive : bool) (untrusted : bool) (exfil : bool) (destructive : bool) (privileged : bool) (no_secret_exfil : bool) (no_sensitive_exfil : bool) (no_untrusted_destructive : bool) (no_untrusted_privileged : bool) : Z :=
  (if (no_secret_exfil && secret && exfil) then (1)
   else (if (no_sensitive_exfil && sensitive && untrusted && exfil) then (2)
   else (if (no_untrusted_destructive && untrusted && destructive) then (3)
   else (if (no_untrusted_privileged && untrusted && privileged) then (4)
   else (0))))).
Definition overrides (deny_label : Z) (deny_target : Z) (allow_label : Z) (allow_target : Z) : bool :=
  (if ((allow_label <? deny_label) || (allow_target <? deny_target)) then false
   else ((allow_label >? deny_label) || (allow_target >? deny_target))).
Definition closes (stance_found : Z) : bool :=
  (stance_found >=? UNTRUSTED_BY_DEFAULT).
Definition layer (capability_found : Z) (builtin_found : Z) (label_rule : bool) (allow_list : bool) : Z :=
  (if (capability_found >=? (1)) then BY_CAPABILITY
   else (if (builtin_found >=? (1)) then BY_BUILTIN
   else (if label_rule then BY_LABEL_RULE
   else (if allow_list then BY_ALLOW_LIST
   else PERMITTED)))).
Definition both (one : Z) (other : Z) : Z :=
  (if (one =? PERMITTED) then other else one).
Definition influenced (rule_on : bool) (model : bool) (untrusted : bool) : bool :=
  (rule_on && model && untrusted).
Definition tighter (one : Z) (other : Z) : Z :=
  (if (one <=? (0)) then (Z.max (0) other)
   else (if (other <=? (0)) then one
   else (Z.min one other))).

(** * Findings, as far as a decision looks at them. *)
From Coq Require Import ZArith Bool List String.
From Sluicegate Require Import Kernels.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

(** Numbers are those of the production enumerations and units: severity 0 to 3, confidence in thousandths. *)
Record finding := mkFinding {
  rule : string;
  category : string;
  kind : string;
  path : string;
  fprint : string;
  sev : Z;
  conf : Z;
  exec : bool
}.

Definition manipulation (f : finding) : bool := String.eqb (category f) "reviewer-manipulation".
Definition intake (f : finding) : bool := String.eqb (category f) "intake".

(** Whether it rests on more than words: on a flow, a command or a structure. *)
Definition act (f : finding) : bool := negb (String.eqb (kind f) "words").

(** ** Deeds. A category that is in no list is none. *)
Definition deeds_of_categories : list (string * list string) := [
  ("theft", ["exfiltration"; "credential-access"]);
  ("remote-code", ["remote-code"; "dangerous-code"; "malware"; "social-engineering"; "supply-chain"]);
  ("destruction", ["destructive"; "resource-abuse"]);
  ("foothold", ["agent-configuration"; "memory-poisoning"; "persistence"; "self-modification"]);
  ("privilege", ["excessive-agency"; "privilege-escalation"]);
  ("manipulation", ["anti-refusal"; "hidden-instruction"; "prompt-injection"; "prompt-leak"; "reviewer-manipulation"; "tool-misuse"]);
  ("concealment", ["disguise"; "obfuscation"; "unicode-deception"])
]%string.
Definition categories_for_a_person : list string :=
  ["agent-configuration"; "credential-access"; "destructive"; "exfiltration"; "malware"; "self-modification"]%string.
Definition member (s : string) (l : list string) : bool := existsb (String.eqb s) l.
Definition deed (f : finding) : option string :=
  match find (fun d => member (category f) (snd d)) deeds_of_categories with Some d => Some (fst d) | None => None end.

(** What makes two findings the same match. *)
Definition key := (string * string * string * string * string)%type.
Definition key_of (f : finding) : key := (rule f, category f, kind f, path f, fprint f).
Definition pair_dec {A B : Type} (a : forall x y : A, {x = y} + {x <> y}) (b : forall x y : B, {x = y} + {x <> y}) :
  forall p q : A * B, {p = q} + {p <> q}.
Proof. decide equality. Defined.
Definition key_dec : forall k l : key, {k = l} + {k <> l} :=
  pair_dec (pair_dec (pair_dec (pair_dec string_dec string_dec) string_dec) string_dec) string_dec.
Definition same_key (k l : key) : bool := if key_dec k l then true else false.

(** CRITICAL and HIGH. *)
Definition protectedb (f : finding) : bool := 2 <=? sev f.

Definition points_of (f : finding) : Z := points (sev f) (conf f) (exec f).

(** [below f g]: the same match, and g at least as bad in every respect. *)
Definition below (f g : finding) : Prop :=
  key_of f = key_of g /\ sev f <= sev g /\ conf f <= conf g /\ (exec f = true -> exec g = true).

(** [covered l m]: whatever stands in l stands in m, at least as bad. Order and repetition do not matter. *)
Definition covered (l m : list finding) : Prop := forall f, In f l -> exists g, In g m /\ below f g.

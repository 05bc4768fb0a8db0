(** * The verdict: merge, set accepted findings apart, set weak ones apart, score, decide. *)
From Coq Require Import ZArith Bool List String.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Finding Score Glob.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

(** ** Merging: one finding for each key, as bad as the worst of its group in every respect. *)
Definition largest (of : finding -> Z) (l : list finding) : Z :=
  match l with [] => 0 | f :: r => fold_right (fun g m => Z.max (of g) m) (of f) r end.
Definition of_key (k : key) (l : list finding) : list finding := filter (fun f => same_key (key_of f) k) l.
Definition merged (l : list finding) (k : key) : finding :=
  let g := of_key k l in
  let '(r, c, n, p, i) := k in mkFinding r c n p i (largest sev g) (largest conf g) (existsb exec g).
Definition keys (l : list finding) : list key := nodup key_dec (map key_of l).
Definition dedup (l : list finding) : list finding := map (merged l) (keys l).

(** ** What a reviewer accepted. Days are numbers; an exact entry may have no last day. *)
Inductive entry :=
| Exact (r p i : string) (last : option Z)
| Globs (r p : string) (last : Z).

Definition past (today : Z) (last : option Z) : bool :=
  match last with Some d => is_expired today d | None => false end.

(** An entry speaks of a finding, whatever the day. *)
Definition speaks_of (e : entry) (f : finding) : bool :=
  match e with
  | Exact r p i _ => String.eqb r (rule f) && String.eqb p (path f) && String.eqb i (fprint f)
  | Globs r p _ => glob r (rule f) && glob p (path f)
  end.
Definition guarded (f : finding) : bool := is_guarded (manipulation f) (intake f) (sev f).
Definition accepts_one (today : Z) (f : finding) (e : entry) : bool :=
  match e with
  | Exact _ _ _ last => accepts (speaks_of e f) false (past today last) (guarded f)
  | Globs _ _ last => accepts false (speaks_of e f) (past today (Some last)) (guarded f)
  end.
Definition accepted (today : Z) (entries : list entry) (f : finding) : bool :=
  existsb (accepts_one today f) entries.
Definition active (today : Z) (entries : list entry) (l : list finding) : list finding :=
  filter (fun f => negb (accepted today entries f)) l.

(** ** Deciding. *)
Definition listed (f : finding) : bool := is_listed (sev f) (conf f).
Definition condemning (f : finding) : bool := condemns (manipulation f) (conf f).
Definition counted (today : Z) (entries : list entry) (l : list finding) : list finding :=
  filter (fun f => negb (listed f)) (active today entries (dedup l)).
Definition verdict_score (today : Z) (entries : list entry) (l : list finding) : Z :=
  weight (counted today entries l).
Definition verdict (today : Z) (entries : list entry) (l : list finding) (gap : bool) : Z :=
  let c := counted today entries l in decide (band_of (weight c)) (existsb condemning c) gap.

(** ** Gaps, and those that a reviewer accepted: of this reason, in this path, of this content, through a last day. *)
Record gap := mkGap { g_reason : string; g_path : string; g_print : string }.
Record gap_entry := mkGapEntry { e_reason : string; e_path : string; e_print : string; e_last : Z }.

Definition names (e : gap_entry) (g : gap) : bool :=
  String.eqb (e_reason e) (g_reason g) && String.eqb (e_path e) (g_path g) && String.eqb (e_print e) (g_print g).
Definition accepts_gap (today : Z) (g : gap) (e : gap_entry) : bool :=
  accepts (names e g) false (is_expired today (e_last e)) false.
Definition open_gaps (today : Z) (es : list gap_entry) (gs : list gap) : list gap :=
  filter (fun g => negb (existsb (accepts_gap today g) es)) gs.
Definition some {A} (l : list A) : bool := match l with [] => false | _ => true end.
Definition judged (today : Z) (entries : list entry) (ges : list gap_entry) (l : list finding) (gs : list gap) : Z :=
  verdict today entries l (some (open_gaps today ges gs)).

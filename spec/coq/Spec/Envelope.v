(** * The envelope: what any reply whatsoever does to findings. *)
From Coq Require Import ZArith Bool List String Ascii.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Finding Verdict Consensus.
Import ListNotations.
Local Open Scope string_scope.
Open Scope Z_scope.
Open Scope bool_scope.

(** ** Replies: any JSON value, an exception, or silence. A number is given in thousandths, [None] for
    not-a-number: floats end at the border ([confidence.py]). *)
Inductive json :=
| JNull | JBool (b : bool) | JNum (z : option Z) | JStr (s : string)
| JArr (l : list json) | JObj (kv : list (string * json)).

Inductive reply := Failed | Answered (j : json).

Fixpoint lookup (k : string) (kv : list (string * json)) : json :=
  match kv with
  | [] => JNull
  | (k', v) :: r => if String.eqb k k' then v else lookup k r
  end.
Fixpoint present (k : string) (kv : list (string * json)) : bool :=
  match kv with [] => false | (k', _) :: r => String.eqb k k' || present k r end.

Record opinion := mkOpinion { about : string; vote : Z; said : option Z }.
Record reading := mkReading {
  comes_to : Z;  (* the vote: 3 MALICIOUS, 2 SUSPICIOUS, 1 ABSTAINED, 0 SAFE *)
  injection : bool;
  opinions : list opinion;
  additions : list finding
}.

Definition word (j : json) : option Z :=
  match j with
  | JStr s => if String.eqb s "SAFE" then Some 0
              else if String.eqb s "SUSPICIOUS" then Some 2
              else if String.eqb s "MALICIOUS" then Some 3 else None
  | _ => None
  end.
Definition severity (j : json) : option Z :=
  match j with
  | JStr s => if String.eqb s "LOW" then Some 0 else if String.eqb s "MEDIUM" then Some 1
              else if String.eqb s "HIGH" then Some 2 else if String.eqb s "CRITICAL" then Some 3 else None
  | _ => None
  end.
Definition number (j : json) : option Z := match j with JNum z => z | _ => None end.
Definition member (s : string) (l : list string) : bool := existsb (String.eqb s) l.

Definition white (a : ascii) : bool :=
  let n := nat_of_ascii a in
  ((Nat.leb 9 n && Nat.leb n 13) || (Nat.leb 28 n && Nat.leb n 32))%nat.
Fixpoint blank (s : string) : bool :=
  match s with EmptyString => true | String a r => white a && blank r end.

(** A record of a finding; nothing when it is malformed or speaks of something that was not asked. *)
Definition read_opinion (known : list string) (j : json) : list opinion :=
  match j with
  | JObj kv =>
      match lookup "id" kv, word (lookup "verdict" kv) with
      | JStr i, Some v =>
          if member i known then [mkOpinion i v (number (lookup "confidence" kv))] else []
      | _, _ => []
      end
  | _ => []
  end.

Definition reviewer_rule : string := "reviewer-finding".
Definition most_added : nat := 20.

(** An added finding; nothing when it is malformed or names no path of the bundle. The fingerprint stands
    for the hash that production makes of path and note. *)
Definition read_addition (paths : list string) (j : json) : list finding :=
  match j with
  | JObj kv =>
      match severity (lookup "severity" kv), number (lookup "confidence" kv),
            lookup "path" kv, lookup "note" kv with
      | Some s, Some c, JStr p, JStr n =>
          if member p paths && negb (blank n) then [mkFinding reviewer_rule "custom" p n s (clamp c) false] else []
      | _, _, _, _ => []
      end
  | _ => []
  end.

Definition silent : reading := mkReading 1 false [] [].
Definition is_safe (v : Z) : bool := v =? 0.
Definition is_malicious (v : Z) : bool := v =? 3.
Definition says (v : option Z) (p : Z -> bool) : bool := match v with Some x => p x | None => false end.
Definition items (j : json) : list json := match j with JArr l => l | _ => [] end.
Definition is_list (j : json) : bool := match j with JArr _ => true | _ => false end.
Definition is_bool (j : json) : bool := match j with JBool _ => true | _ => false end.
Definition is_true (j : json) : bool := match j with JBool b => b | _ => false end.
Definition same_length {A B} (l : list A) (m : list B) : bool := Nat.eqb (List.length l) (List.length m).

Definition read_object (known paths : list string) (kv : list (string * json)) : reading :=
  let overall := word (lookup "overall" kv) in
  let records := lookup "findings" kv in
  let extras := if present "added" kv then lookup "added" kv else JArr [] in
  let ops := flat_map (read_opinion known) (items records) in
  let adds := firstn most_added (flat_map (read_addition paths) (items extras)) in
  let ids := nodup string_dec known in
  let whole :=
    says overall (fun _ => true) && is_bool (lookup "injection" kv) && is_list records && is_list extras
    && same_length ops (items records) && same_length adds (items extras)
    && forallb (fun i => member i (map about ops)) ids && same_length ops ids in
  let malicious := says overall is_malicious || existsb (fun o => is_malicious (vote o)) ops in
  let inj := is_true (lookup "injection" kv) in
  let safe := says overall is_safe && forallb (fun o => is_safe (vote o)) ops && same_length adds (@nil finding) in
  mkReading (vote_of malicious inj whole safe) inj ops adds.

Definition read (known paths : list string) (r : reply) : reading :=
  match r with Answered (JObj kv) => read_object known paths kv | _ => silent end.

(** ** A batch: its findings, and the replies to it, each with the number of its seat. *)
Record batch := mkBatch { asked : list finding; replies : list (nat * reply) }.

Definition known_of (b : batch) : list string := map fprint (asked b).
Definition readings (paths : list string) (b : batch) : list (nat * reading) :=
  map (fun '(s, r) => (s, read (known_of b) paths r)) (replies b).
Definition all_opinions (paths : list string) (b : batch) : list opinion :=
  flat_map (fun x => opinions (snd x)) (readings paths b).

Definition lift (ops : list opinion) (f : finding) : Z :=
  fold_left (fun c o => if String.eqb (about o) (fprint f)
                        then match said o with Some z => raised c (is_malicious (vote o)) z | None => c end
                        else c) ops (conf f).
Definition accompany (ops : list opinion) (f : finding) : finding :=
  mkFinding (rule f) (category f) (path f) (fprint f) (sev f) (lift ops f) (exec f).

(** All findings, in their order, each with the confidence that its own batch's replies give it. *)
Definition surviving (paths : list string) (bs : list batch) : list finding :=
  flat_map (fun b => map (accompany (all_opinions paths b)) (asked b)) bs.
Definition added (paths : list string) (bs : list batch) : list finding :=
  flat_map (fun b => flat_map (fun x => additions (snd x)) (readings paths b)) bs.
Definition inputs (bs : list batch) : list finding := flat_map asked bs.

(** ** Votes: the worst of a seat's replies; one batch without a reply and the seat has abstained. *)
Definition vote_on (paths : list string) (seat : nat) (b : batch) : Z :=
  match filter (fun x => Nat.eqb (fst x) seat) (readings paths b) with
  | [] => 1
  | l => fold_right (fun x m => Z.max (comes_to (snd x)) m) 0 l
  end.
Definition vote_of_seat (paths : list string) (bs : list batch) (seat : nat) : Z :=
  match bs with [] => 1 | _ => fold_right (fun b m => Z.max (vote_on paths seat b) m) 0 bs end.
Definition ballots (paths : list string) (panel : list string) (bs : list batch) : list ballot :=
  combine panel (map (vote_of_seat paths bs) (seq 0 (List.length panel))).

(** ** The verdict on reviewed findings: the stricter of the arithmetic and the panel. *)
Definition output (paths : list string) (bs : list batch) : list finding := surviving paths bs ++ added paths bs.
Definition reviewed_verdict (today : Z) (entries : list entry) (paths panel : list string)
    (bs : list batch) (gap : bool) : Z :=
  stricter (verdict today entries (output paths bs) gap) (panel_decision (ballots paths panel bs)).

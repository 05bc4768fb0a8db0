(** * The envelope: what any reply whatsoever does to findings. *)
From Coq Require Import ZArith Bool List String Ascii.
From Sluicegate Require Import Kernels.
From Sluicegate.Spec Require Import Finding Verdict Consensus.
Import ListNotations.
Local Open Scope string_scope.
Open Scope Z_scope.
Open Scope bool_scope.

(** ** Replies: an exception, any JSON value, or what is left of bytes that are no JSON, too long or too deep: a value (null
    where there is none), and whether the text speaks of malice. A number is given in thousandths within 0 and 1000, with
    whether it is a flag that is set and whether it is a whole number: floats end at the border ([confidence.py]). An
    object keeps all its pairs. *)
Inductive json :=
| JNull | JBool (b : bool) | JNum (z : Z) (set whole_number : bool) | JStr (s : string)
| JArr (l : list json) | JObj (kv : list (string * json)).

Inductive reply := Failed | Damaged (left : json) (alarm : bool) | Answered (j : json).

Fixpoint lookup (k : string) (kv : list (string * json)) : option json :=
  match kv with
  | [] => None
  | (k', v) :: r => if String.eqb k k' then Some v else lookup k r
  end.
Fixpoint distinct (l : list string) : bool :=
  match l with [] => true | x :: r => negb (member x r) && distinct r end.
(** The keys are those needed, perhaps some of those allowed, each once, and no other. *)
Definition has (needed allowed : list string) (kv : list (string * json)) : bool :=
  let l := map fst kv in
  distinct l && forallb (fun n => member n l) needed && forallb (fun n => member n (needed ++ allowed)) l.

(** ** What condemns, read leniently: at any depth, in any case, of any finding. *)
Definition code (a : ascii) : N := N_of_ascii a.
Definition within (low n high : N) : bool := N.leb low n && N.leb n high.
Definition lower (a : ascii) : ascii := ascii_of_N (code a + 32).
Definition is_letter (a : ascii) : bool :=
  let n := code a in within 48 n 57 || within 97 n 122 || within 65 n 90.
Fixpoint bare (s : string) : string :=
  match s with
  | EmptyString => EmptyString
  | String a r =>
      let n := code a in
      if within 48 n 57 || within 97 n 122 then String a (bare r)
      else if within 65 n 90 then String (lower a) (bare r) else bare r
  end.
Fixpoint contains (p s : string) : bool :=
  String.prefix p s || match s with EmptyString => false | String _ r => contains p r end.
Definition white (a : ascii) : bool :=
  within 9 (code a) 13 || within 28 (code a) 32.
Fixpoint blank (s : string) : bool :=
  match s with EmptyString => true | String a r => white a && blank r end.
Fixpoint in_ascii (s : string) : bool :=
  match s with EmptyString => true | String a r => N.ltb (code a) 128 && in_ascii r end.

(** A word of denial is one of a closed list, or nothing; so is a yes. What is neither is unclear. *)
Definition denials : list string :=
  ["0"; "absent"; "f"; "false"; "n"; "na"; "nil"; "no"; "none"; "notfound"; "null"].
Definition agreements : list string := ["1"; "detected"; "found"; "present"; "t"; "true"; "y"; "yes"].
Definition denies (s : string) : bool := in_ascii s && (blank s || member (bare s) denials).
Inductive flag := Unset | Unclear | Set_.
Definition worse_flag (a b : flag) : flag :=
  match a, b with Set_, _ | _, Set_ => Set_ | Unclear, _ | _, Unclear => Unclear | _, _ => Unset end.
Fixpoint flag_of (j : json) : flag :=
  match j with
  | JNull => Unset
  | JBool b | JNum _ b _ => if b then Set_ else Unset
  | JStr s => if denies s then Unset else if member (bare s) agreements then Set_ else Unclear
  | JArr [] | JObj [] => Unset
  | JArr l => fold_right (fun x => worse_flag (flag_of x)) Unclear l
  | JObj kv => fold_right (fun x => match x with (_, v) => worse_flag (flag_of v) end) Unclear kv
  end.
Definition is_set (j : json) : bool := match flag_of j with Set_ => true | _ => false end.
Definition is_unclear (j : json) : bool := match flag_of j with Unclear => true | _ => false end.

(** Whether a text, or one in a list, is such. *)
Fixpoint some_text (p : string -> bool) (j : json) : bool :=
  match j with JStr s => p s | JArr l => existsb (some_text p) l | _ => false end.
Definition the_word : string := "malicious".
Definition says_malicious : json -> bool := some_text (fun s => String.eqb (bare s) the_word).
Definition begins_malicious : json -> bool := some_text (fun s => String.prefix the_word (bare s)).
Definition of_verdicts (k : string) : bool :=
  existsb (fun w => contains w k) ["overall"; "verdict"; "opinion"; "decision"; "assessment"; "classification"].
Definition tells_of_injection (k : string) : bool := contains "injection" k && negb (String.eqb k "injectionevidence").
(** Whether some key, at any depth, names what [p] is looking for. *)
Fixpoint anywhere (p : string -> json -> bool) (j : json) : bool :=
  match j with
  | JArr l => existsb (anywhere p) l
  | JObj kv => existsb (fun x => match x with (k, v) => p (bare k) v || anywhere p v end) kv
  | _ => false
  end.
Definition saw_injection (j : json) : bool := anywhere (fun k v => tells_of_injection k && is_set v) j.
Definition condemning_pair (k : string) (v : json) : bool :=
  says_malicious v || (begins_malicious v && of_verdicts k)
  || (member k [the_word; String.append "is" the_word] && is_set v).
Definition condemns_all (j : json) : bool :=
  saw_injection j || says_malicious j || anywhere condemning_pair j.

(** Whether some text, keys among them, is such, at any depth. *)
Fixpoint any_text (p : string -> bool) (j : json) : bool :=
  match j with
  | JStr s => p s
  | JArr l => existsb (any_text p) l
  | JObj kv => existsb (fun x => match x with (k, v) => p k || any_text p v end) kv
  | _ => false
  end.
(** Whether something stands under a key that speaks of what a reviewer adds. *)
Definition adds (k : string) (v : json) : bool :=
  contains "added" k && match flag_of v with Unset => false | _ => true end.
(** What is no abstention in a reply that is not whole: the word anywhere, SUSPICIOUS as a text of its own, no clear answer
    about an injection, or something that is added. *)
Definition speaks_of_malice (j : json) : bool :=
  any_text (fun s => let b := bare s in contains the_word b || String.eqb b "suspicious") j
  || anywhere (fun k v => (tells_of_injection k && is_unclear v) || adds k v) j.
(** A text that begins with the word in capitals. *)
Fixpoint shout (s : string) : bool :=
  match s with
  | EmptyString => false
  | String a r => if is_letter a then String.prefix "MALICIOUS" s else shout r
  end.
Definition shouts (j : json) : bool := any_text shout j.

(** ** What passes, read strictly. *)
Record opinion := mkOpinion { about : string; vote : Z; said : option Z }.
Record reading := mkReading {
  comes_to : Z;  (* the vote: 3 MALICIOUS, 2 SUSPICIOUS, 1 ABSTAINED, 0 SAFE *)
  injection : bool;
  opinions : list opinion;
  additions : list finding
}.

Definition word (j : option json) : option Z :=
  match j with
  | Some (JStr s) => if String.eqb s "SAFE" then Some 0
                     else if String.eqb s "SUSPICIOUS" then Some 2
                     else if String.eqb s "MALICIOUS" then Some 3 else None
  | _ => None
  end.
Definition severity (j : option json) : option Z :=
  match j with
  | Some (JStr s) => if String.eqb s "LOW" then Some 0 else if String.eqb s "MEDIUM" then Some 1
                     else if String.eqb s "HIGH" then Some 2 else if String.eqb s "CRITICAL" then Some 3 else None
  | _ => None
  end.
Definition text_or_nothing (j : option json) : bool :=
  match j with None => true | Some (JStr _) => true | _ => false end.
Definition line_or_nothing (j : option json) : bool :=
  match j with None => true | Some (JNum _ _ w) => w | _ => false end.
Definition is_false (j : option json) : bool := match j with Some (JBool false) => true | _ => false end.

(** Beside a flag that is not set, evidence of an injection is none. *)
Definition no_evidence (j : option json) : bool :=
  match j with None => true | Some (JStr s) => denies s | _ => false end.
Definition consistent (j : json) (kv : list (string * json)) : bool :=
  is_false (lookup "injection" kv) && no_evidence (lookup "injection_evidence" kv) && negb (shouts j).

(** A record of a finding; nothing when it is malformed or speaks of something that was not asked. *)
Definition read_opinion (known : list string) (j : json) : list opinion :=
  match j with
  | JObj kv =>
      if has ["id"; "verdict"] ["confidence"; "note"] kv && text_or_nothing (lookup "note" kv) then
        match lookup "id" kv, word (lookup "verdict" kv), lookup "confidence" kv with
        | Some (JStr i), Some v, None => if member i known then [mkOpinion i v None] else []
        | Some (JStr i), Some v, Some (JNum z _ _) => if member i known then [mkOpinion i v (Some z)] else []
        | _, _, _ => []
        end
      else []
  | _ => []
  end.

Definition reviewer_rule : string := "reviewer-finding".
Definition most_added : nat := 20.
Definition parts := list (string * bool).
Definition executable_of (ps : parts) (p : string) : option bool :=
  match find (fun x => String.eqb p (fst x)) ps with Some x => Some (snd x) | None => None end.

(** An added finding; nothing when it is malformed or names no path of the bundle. The fingerprint stands
    for the hash that production makes of path and note. *)
Definition read_addition (ps : parts) (j : json) : list finding :=
  match j with
  | JObj kv =>
      if has ["severity"; "confidence"; "path"; "note"] ["line"] kv && line_or_nothing (lookup "line" kv) then
        match severity (lookup "severity" kv), lookup "confidence" kv, lookup "path" kv, lookup "note" kv with
        | Some s, Some (JNum c _ _), Some (JStr p), Some (JStr n) =>
            match executable_of ps p with
            | Some x => if blank n then [] else [mkFinding reviewer_rule "custom" "words" p n s (clamp c) x]
            | None => []
            end
        | _, _, _, _ => []
        end
      else []
  | _ => []
  end.

Definition is_safe (v : Z) : bool := v =? 0.
Definition is_malicious (v : Z) : bool := v =? 3.
Definition says (v : option Z) (p : Z -> bool) : bool := match v with Some x => p x | None => false end.
Definition items (j : option json) : list json := match j with Some (JArr l) => l | _ => [] end.
Definition is_list (j : option json) : bool := match j with Some (JArr _) => true | _ => false end.
Definition same_length {A B} (l : list A) (m : list B) : bool := Nat.eqb (List.length l) (List.length m).

Inductive role := OfFindings | OfSkill | Detector.
Definition same_role (a b : role) : bool :=
  match a, b with OfFindings, OfFindings | OfSkill, OfSkill | Detector, Detector => true | _, _ => false end.

(** A detector condemns or says nothing. *)
Definition read_detection (j : json) (kv : list (string * json)) : reading :=
  let whole := has ["injection"] ["injection_evidence"] kv && consistent j kv in
  mkReading (vote_of (condemns_all j) whole true (speaks_of_malice j)) (saw_injection j) [] [].

Definition read_review (known : list string) (ps : parts) (j : json) (kv : list (string * json)) : reading :=
  let overall := word (lookup "overall" kv) in
  let records := lookup "findings" kv in
  let extras := match lookup "added" kv with None => Some (JArr []) | x => x end in
  let ops := flat_map (read_opinion known) (items records) in
  let adds := firstn most_added (flat_map (read_addition ps) (items extras)) in
  let ids := nodup string_dec known in
  let whole :=
    has ["overall"; "injection"; "findings"] ["injection_evidence"; "summary"; "added"] kv
    && consistent j kv && text_or_nothing (lookup "summary" kv)
    && says overall (fun _ => true) && is_list records && is_list extras
    && same_length ops (items records) && same_length adds (items extras)
    && forallb (fun i => member i (map about ops)) ids && same_length ops ids in
  let safe := says overall is_safe && forallb (fun o => is_safe (vote o)) ops && same_length adds (@nil finding) in
  mkReading (vote_of (condemns_all j) whole safe (speaks_of_malice j)) (saw_injection j) ops adds.

Definition read (r : role) (known : list string) (ps : parts) (a : reply) : reading :=
  match a with
  | Failed => mkReading 1 false [] []
  | Damaged j alarm =>
      mkReading (vote_of (condemns_all j) false false (alarm || speaks_of_malice j)) (saw_injection j) [] []
  | Answered j =>
      match j, r with
      | JObj kv, Detector => read_detection j kv
      | JObj kv, _ => read_review known ps j kv
      | _, _ => mkReading (vote_of (condemns_all j) false false (speaks_of_malice j)) (saw_injection j) [] []
      end
  end.

(** ** A review: its findings, what is asked of whom, and what came back, in order of the attempts. *)
Record seat := mkSeat { family : string; of_role : role }.
Record package := mkPackage { for_role : role; asked : list string }.
Record answer := mkAnswer { seat_at : nat; package_at : nat; back : reply }.
Record review := mkReview {
  findings : list finding; packages : list package; seats : list seat; answers : list answer; bundle : parts }.

Definition package_of (v : review) (n : nat) : package := nth n (packages v) (mkPackage OfFindings []).
Definition reading_of (v : review) (a : answer) : reading :=
  let p := package_of v (package_at a) in read (for_role p) (asked p) (bundle v) (back a).
Definition all_opinions (v : review) : list opinion := flat_map (fun a => opinions (reading_of v a)) (answers v).

Definition lift (ops : list opinion) (f : finding) : Z :=
  fold_left (fun c o => if String.eqb (about o) (fprint f)
                        then match said o with Some z => raised c (is_malicious (vote o)) z | None => c end
                        else c) ops (conf f).
Definition accompany (ops : list opinion) (f : finding) : finding :=
  mkFinding (rule f) (category f) (kind f) (path f) (fprint f) (sev f) (lift ops f) (exec f).

(** All findings, in their order, each with the confidence that the replies about it give it. *)
Definition surviving (v : review) : list finding := map (accompany (all_opinions v)) (findings v).
Definition added (v : review) : list finding := flat_map (fun a => additions (reading_of v a)) (answers v).
Definition output (v : review) : list finding := surviving v ++ added v.

(** ** Votes: of the attempts at one package, the worst that is no abstention; of the packages, the worst. *)
Definition answers_of (v : review) (s p : nat) : list answer :=
  filter (fun a => Nat.eqb (seat_at a) s && Nat.eqb (package_at a) p)%nat (answers v).
Definition vote_on (v : review) (s p : nat) : Z :=
  fold_left (fun c a => attempted c (comes_to (reading_of v a))) (answers_of v s p) 1.
Definition role_of (v : review) (s : nat) : role := of_role (nth s (seats v) (mkSeat EmptyString OfFindings)).
Definition packages_for (v : review) (r : role) : list nat :=
  filter (fun p => same_role (for_role (package_of v p)) r) (seq 0 (List.length (packages v))).
Definition worst (l : list Z) : Z := match l with [] => 1 | _ => fold_right Z.max 0 l end.
Definition vote_of_seat (v : review) (s : nat) : Z := worst (map (vote_on v s) (packages_for v (role_of v s))).

(** The family of a seat as far as it counts towards a quorum. *)
Definition counting_family (s : seat) : string :=
  match of_role s with Detector => EmptyString | _ => if String.eqb (family s) "other" then EmptyString else family s end.
Definition ballots (v : review) : list ballot :=
  combine (map counting_family (seats v)) (map (vote_of_seat v) (seq 0 (List.length (seats v)))).

(** Every finding was put before a reviewer of findings. *)
Definition complete (v : review) : bool :=
  forallb (fun f => existsb (fun s => same_role (of_role s) OfFindings) (seats v)
                    && existsb (fun p => member (fprint f) (asked p)) (packages v)) (findings v).

(** ** The verdict on reviewed findings: the stricter of the arithmetic and the panel. *)
Definition reviewed_verdict (today : Z) (entries : list entry) (gap : bool) (v : review) : Z :=
  stricter (verdict today entries (output v) gap) (panel_decision (complete v) (ballots v)).

(* The oracle: reads one case a line, writes what the proven functions make of it. Text is hexadecimal behind an x. *)
open Proven

let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n lsr 1)) else XO (positive (n lsr 1))
let rec of_positive = function XH -> 1 | XI p -> (2 * of_positive p) + 1 | XO p -> 2 * of_positive p
let z n = if n = 0 then Z0 else if n > 0 then Zpos (positive n) else Zneg (positive (-n))
let int_of = function Z0 -> 0 | Zpos p -> of_positive p | Zneg p -> - (of_positive p)
let rec nat n = if n = 0 then O else S (nat (n - 1))

let left = ref []
let next () = match !left with t :: r -> left := r; t | [] -> failwith "too short"
let int () = int_of_string (next ())
let bool () = int () = 1
let rec times n f = if n = 0 then [] else let x = f () in x :: times (n - 1) f
let many f = let n = int () in times n f
let text () =
  let s = next () in
  String.init ((String.length s - 1) / 2) (fun i -> Char.chr (int_of_string ("0x" ^ String.sub s (1 + (2 * i)) 2)))
let hex s = "x" ^ String.concat "" (List.map (fun c -> Printf.sprintf "%02x" (Char.code c)) (List.of_seq (String.to_seq s)))

let finding () =
  let rule = text () in let category = text () in let kind = text () in let path = text () in let fprint = text () in
  let sev = z (int ()) in let conf = z (int ()) in let exec = bool () in
  { rule; category; kind; path; fprint; sev; conf; exec }
let maybe f = if bool () then Some (f ()) else None
let entry () = match next () with
  | "E" -> let r = text () in let p = text () in let f = text () in let last = maybe (fun () -> z (int ())) in Exact (r, p, f, last)
  | "G" -> let r = text () in let p = text () in let last = z (int ()) in Globs (r, p, last)
  | t -> failwith t
let gap () = let g_reason = text () in let g_path = text () in let g_print = text () in { g_reason; g_path; g_print }
let gap_entry () =
  let e_reason = text () in let e_path = text () in let e_print = text () in let e_last = z (int ()) in
  { e_reason; e_path; e_print; e_last }
let rec json () = match next () with
  | "N" -> JNull | "T" -> JBool true | "F" -> JBool false
  | "I" -> let n = z (int ()) in let set = bool () in let whole = bool () in JNum (n, set, whole)
  | "S" -> JStr (text ())
  | "A" -> JArr (many json)
  | "O" -> JObj (many (fun () -> let k = text () in let v = json () in (k, v)))
  | t -> failwith t
let role () = match next () with
  | "findings" -> OfFindings | "skill" -> OfSkill | "detector" -> Detector | t -> failwith t
let seat () = let family = text () in let of_role = role () in { family; of_role }
let package () = let for_role = role () in let asked = many text in { for_role; asked }
let answer () =
  let seat_at = nat (int ()) in let package_at = nat (int ()) in
  let back = match next () with "X" -> Failed | "V" -> Answered (json ())
    | "L" -> let alarm = bool () in Damaged (json (), alarm) | t -> failwith t in
  { seat_at; package_at; back }
let part () = let p = text () in let x = bool () in (p, x)
let ruling () =
  let r_docket = text () in let r_content = text () in let person = text () in let approves = bool () in let overrides = bool () in
  let reasoned = bool () in let r_last = maybe (fun () -> z (int ())) in
  { r_docket; r_content; person; approves; overrides; reasoned; r_last }

let show f = Printf.sprintf "%s,%s,%s,%s,%s,%d,%d,%d" (hex f.rule) (hex f.category) (hex f.kind) (hex f.path) (hex f.fprint)
  (int_of f.sev) (int_of f.conf) (Bool.to_int f.exec)
let shows l = String.concat ";" (List.map show l)
let of_band s = int_of (band_of s)

let case () =
  let today = z (int ()) in
  let findings = many finding in let gaps = many gap in let entries = many entry in let gap_entries = many gap_entry in
  let seats = many seat in let packages = many package in let answers = many answer in let bundle = many part in
  let rulings = many ruling in let needed = z (int ()) in let permitted = bool () in
  let review = { findings; packages; seats; answers; bundle } in
  let gap = open_gaps today gap_entries gaps <> [] in
  let kept = counted today entries findings in
  let points = weight kept in
  let votes = ballots review in
  let after = reviewed_verdict today entries gap review in
  Printf.printf "%d|%d|%d|%s|%s|%s|%s|%d|%d|%d|%d|%d\n" (int_of points) (of_band points)
    (int_of (judged today entries gap_entries findings gaps)) (shows kept) (shows (surviving review))
    (shows (added review)) (String.concat "," (List.map (fun (_, v) -> string_of_int (int_of v)) votes))
    (Bool.to_int (complete review)) (int_of (panel_decision (complete review) votes))
    (int_of (weight (counted today entries (output review)))) (int_of after)
    (int_of (ruled_decision today "d" "c" needed permitted rulings after))

let () =
  try while true do
    left := String.split_on_char ' ' (input_line stdin);
    match next () with
    | "C" -> case ()
    | "M" -> let p = text () in let t = text () in Printf.printf "%d\n" (Bool.to_int (glob p t))
    | t -> failwith t
  done with End_of_file -> ()

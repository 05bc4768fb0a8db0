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
  let rule = text () in let category = text () in let path = text () in let fprint = text () in
  let sev = z (int ()) in let conf = z (int ()) in let exec = bool () in
  { rule; category; path; fprint; sev; conf; exec }
let entry () = match next () with
  | "E" -> let r = text () in let p = text () in let f = text () in
    let last = if bool () then Some (z (int ())) else None in Exact (r, p, f, last)
  | "G" -> let r = text () in let p = text () in let last = z (int ()) in Globs (r, p, last)
  | t -> failwith t
let rec json () = match next () with
  | "N" -> JNull | "T" -> JBool true | "F" -> JBool false
  | "I" -> JNum (Some (z (int ()))) | "Q" -> JNum None | "S" -> JStr (text ())
  | "A" -> JArr (many json)
  | "O" -> JObj (many (fun () -> let k = text () in let v = json () in (k, v)))
  | t -> failwith t
let reply () = let seat = nat (int ()) in
  (seat, match next () with "X" -> Failed | "V" -> Answered (json ()) | t -> failwith t)
let batch () = let asked = many finding in let replies = many reply in { asked; replies }

let show f = Printf.sprintf "%s,%s,%s,%s,%d,%d,%d" (hex f.rule) (hex f.category) (hex f.path) (hex f.fprint)
  (int_of f.sev) (int_of f.conf) (Bool.to_int f.exec)
let shows l = String.concat ";" (List.map show l)
let of_band s = int_of (band_of s)

let case () =
  let today = z (int ()) in let gap = bool () in let entries = many entry in
  let paths = many text in let panel = many text in let batches = many batch in
  let given = List.concat_map (fun b -> b.asked) batches in
  let kept = counted today entries given in
  let points = score kept in
  let after = output paths batches in
  let votes = ballots paths panel batches in
  Printf.printf "%d|%d|%d|%s|%s|%s|%s|%d|%d|%d\n" (int_of points) (of_band points)
    (int_of (verdict today entries given gap)) (shows kept) (shows (surviving paths batches))
    (shows (added paths batches)) (String.concat "," (List.map (fun (_, v) -> string_of_int (int_of v)) votes))
    (int_of (panel_decision votes)) (int_of (score (counted today entries after)))
    (int_of (reviewed_verdict today entries paths panel batches gap))

let () =
  try while true do
    left := String.split_on_char ' ' (input_line stdin);
    match next () with
    | "C" -> case ()
    | "M" -> let p = text () in let t = text () in Printf.printf "%d\n" (Bool.to_int (glob p t))
    | t -> failwith t
  done with End_of_file -> ()

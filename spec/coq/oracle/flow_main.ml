(* The oracle of flow: reads one question a line, writes what the proven functions answer. Text is hexadecimal behind an x. *)
open Flow

let rec of_positive = function XH -> 1 | XI p -> (2 * of_positive p) + 1 | XO p -> 2 * of_positive p
let int_of = function Z0 -> 0 | Zpos p -> of_positive p | Zneg p -> - (of_positive p)

let left = ref []
let next () = match !left with t :: r -> left := r; t | [] -> failwith "too short"
let int () = int_of_string (next ())
let bool () = int () = 1
let rec times n f = if n = 0 then [] else let x = f () in x :: times (n - 1) f
let many f = let n = int () in times n f
let text () =
  let s = next () in
  String.init ((String.length s - 1) / 2) (fun i -> Char.chr (int_of_string ("0x" ^ String.sub s (1 + (2 * i)) 2)))
let path () = many text
let labels () = many path
let option f = if bool () then Some (f ()) else None
let trust () = match int () with 0 -> Unclassified | 1 -> Trusted | _ -> Untrusted

let capabilities () =
  let entries = many text in let whole = many text in let mentioned = many text in { entries; whole; mentioned }
let subject () =
  let category = text () in let under = many text in let surely = many text in let gated = bool () in
  { category; under; surely; gated }
let rule () = let about = path () in let denies = labels () in let allows = option labels in { about; denies; allows }
let table f default =
  let rows = many (fun () -> let key = path () in let value = f () in (key, value)) in
  fun key -> match List.assoc_opt key rows with Some value -> value | None -> default
let layer () =
  let deny = capabilities () in let danger = capabilities () in let allow = option capabilities in
  let risks = many (fun () -> let pattern = path () in let risk = path () in (pattern, risk)) in
  let of_origin = table trust Unclassified in let of_directory = table trust Unclassified in
  let unlabeled = trust () in let in_directory = table labels [] in
  let no_secret_exfil = bool () in let no_sensitive_exfil = bool () in
  let no_untrusted_destructive = bool () in let no_untrusted_privileged = bool () in
  let influence = bool () in let rules = many rule in
  { deny; danger; allow; risks; of_origin; of_directory; unlabeled; in_directory; no_secret_exfil; no_sensitive_exfil;
    no_untrusted_destructive; no_untrusted_privileged; influence; rules }
let operation () =
  let leaves = labels () in let subjects = many subject in let hits = many subject in let by_model = bool () in
  { leaves; subjects; hits; by_model; comes_from = [] }

let show s = String.concat "," (List.sort_uniq compare (List.map (String.concat ":") s))
let decision () =
  let layers = many layer in let asked = operation () in let taint = labels () in
  Printf.printf "%d|%d\n" (int_of (decide_all layers asked taint)) (Bool.to_int (influences layers asked taint))
let join () =
  let sets = many labels in
  let two = match sets with a :: b :: _ -> show (join_by_kernel a b) | _ -> "" in
  Printf.printf "%s|%s\n" two (show (joined sets))

let () =
  try while true do
    left := String.split_on_char ' ' (input_line stdin);
    match next () with
    | "D" -> decision ()
    | "J" -> join ()
    | t -> failwith t
  done with End_of_file -> ()

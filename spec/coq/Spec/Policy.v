(** * What one policy says of one operation, in six steps, and what several say together. *)
From Coq Require Import Bool String List.
From Sluicegate.Spec Require Import Labels.
Import ListNotations.
Open Scope string_scope.
Open Scope bool_scope.

(** ** The operation *)

(** One thing that capabilities judge: a command, a file, a host. Which entries of lists it falls under is a fact of
    it: [under] those that it may fall under, which is what a deny asks; [surely] those that it does fall under, which
    is what an allow asks. [gated]: an allow list has to allow it even if the list never mentions its category. *)
Record subject := mkSubject { category : string; under : list string; surely : list string; gated : bool }.

(** [leaves] are its most specific labels. [hits] are the dangers that it runs into; an entry that opts into one is
    among those that the hit is [surely] under. [by_model]: a model makes the result. [comes_from]: the labels of where
    the result comes from. *)
Record operation := mkOperation {
  leaves : labels; subjects : list subject; hits : list subject; by_model : bool; comes_from : labels }.

(** ** The policy *)

(** A list of capabilities: its entries, the categories that it lists whole, and those that it speaks of at all. *)
Record capabilities := mkCapabilities { entries : list string; whole : list string; mentioned : list string }.
(** A rule about a label: what it may not flow to, and exceptions; as long as allow lists are open, only that. *)
Record rule := mkRule { about : path; denies : labels; allows : option labels }.
Inductive trust := Unclassified | Trusted | Untrusted.

(** [of_origin] is how the most specific entry that covers a label of origin classifies it; [of_directory] the same for
    a directory, by globs. What has no entry is as [unlabeled] says. [in_directory]: the labels that a directory gives to
    what lay in it. *)
Record layer := mkLayer {
  deny : capabilities; danger : capabilities; allow : option capabilities;
  risks : list (path * path);
  of_origin : path -> trust; of_directory : path -> trust; unlabeled : trust; in_directory : path -> labels;
  no_secret_exfil : bool; no_sensitive_exfil : bool; no_untrusted_destructive : bool; no_untrusted_privileged : bool;
  influence : bool;
  rules : list rule }.

(** ** 1. Capability *)
Definition mem (x : string) (l : list string) : bool := existsb (String.eqb x) l.
Definition lists (l : capabilities) (names : list string) : bool := existsb (fun e => mem e names) (entries l).

(** To deny a whole category beside entries that allow some of it means: nothing of it but those. *)
Definition denied_one (l : layer) (s : subject) : bool :=
  lists (deny l) (under s)
  || mem (category s) (whole (deny l)) && negb (match allow l with None => false | Some a => lists a (surely s) end).
Definition missing_one (a : capabilities) (s : subject) : bool :=
  negb (mem (category s) (whole a)) && (gated s || mem (category s) (mentioned a)) && negb (lists a (surely s)).
Definition opted_one (l : layer) (s : subject) : bool :=
  mem (category s) (whole (danger l)) || lists (danger l) (surely s).
Definition denied (l : layer) (o : operation) : bool := existsb (denied_one l) (subjects o).
Definition dangerous (o : operation) : bool := match hits o with [] => false | _ => true end.
Definition opted_in (l : layer) (o : operation) : bool := forallb (opted_one l) (hits o).
Definition allow_present (l : layer) : bool := match allow l with None => false | Some _ => true end.
Definition allow_matched (l : layer) (o : operation) : bool :=
  match allow l with None => true | Some a => negb (existsb (missing_one a) (subjects o)) end.
Definition capable (l : layer) (o : operation) : Prop :=
  denied l o = false /\ opted_in l o = true /\ allow_matched l o = true.

(** ** 2. Risks *)
Definition with_risks (l : layer) (o : operation) : labels :=
  (leaves o ++ map snd (filter (fun r => existsb (covers (fst r)) (leaves o)) (risks l)))%list.

(** ** 3. Stance *)
Definition distrusted (l : layer) (t : trust) : bool :=
  match t, unlabeled l with Untrusted, _ | Unclassified, Untrusted => true | _, _ => false end.
Definition file : path := ["src"; "file"].
Definition directory (t : path) : bool := covers ["dir"] t.
Definition from_file (s : labels) : bool := has file s || existsb directory s.
Definition placed (l : layer) (t : path) : bool :=
  directory t && match of_directory l t with Unclassified => false | _ => true end.
(** Where the file lay is told by its directories, if an entry speaks of one; else, and for what is marked untrusted
    in any case, by the entry for files. *)
Definition distrusted_file (l : layer) (s : labels) : bool :=
  existsb (fun t => directory t && match of_directory l t with Untrusted => true | _ => false end) s
  || (from_file s && (negb (existsb (placed l) s) || has untrusted s) && distrusted l (of_origin l file)).
Definition distrusted_origin (l : layer) (t : path) : bool :=
  origin t && negb (directory t) && negb (same file t) && distrusted l (of_origin l t).
(** The origins alone are reason enough to distrust. *)
Definition suspect (l : layer) (s : labels) : bool := existsb (distrusted_origin l) s || distrusted_file l s.
Definition given (l : layer) (s : labels) : labels := flat_map (in_directory l) (filter directory s).
Definition marked (l : layer) (s : labels) : bool := has untrusted s || has untrusted (given l s).
Definition doubted (l : layer) (s : labels) : bool := suspect l s && (marked l s || negb (has trusted s)).
Definition is_untrusted (l : layer) (s : labels) : bool := marked l s || doubted l s.
Definition effective (l : layer) (s : labels) : labels :=
  (s ++ given l s ++ (if is_untrusted l s then [untrusted] else []))%list.

(** ** 4. Built-in rules *)
Definition secret : path := ["secret"].
Definition sensitive : path := ["sensitive"].
Definition exfil : path := ["exfil"].
Definition destructive : path := ["destructive"].
Definition privileged : path := ["privileged"].
Definition keeps_builtin (l : layer) (o t : labels) : Prop :=
  (no_secret_exfil l = true -> holds secret t = true -> holds exfil o = false)
  /\ (no_sensitive_exfil l = true -> holds sensitive t = true -> holds untrusted t = true -> holds exfil o = false)
  /\ (no_untrusted_destructive l = true -> holds untrusted t = true -> holds destructive o = false)
  /\ (no_untrusted_privileged l = true -> holds untrusted t = true -> holds privileged o = false).

(** ** 5. Label rules *)
Definition allowed_targets (r : rule) : labels := match allows r with None => [] | Some a => a end.
(** The allow (L2, A) is an exception to the deny (L, D) about the label t and the leaf o: it speaks of both, and of the
    one or the other more specifically. *)
Definition excepts (L D L2 A t o : path) : Prop :=
  covers L L2 = true /\ covers L2 t = true /\ covers D A = true /\ covers A o = true /\ (L, D) <> (L2, A).
Definition may_flow (l : layer) (t o : path) : Prop :=
  forall r D, In r (rules l) -> In D (denies r) -> covers (about r) t = true -> covers D o = true ->
  exists r2 A, In r2 (rules l) /\ In A (allowed_targets r2) /\ excepts (about r) D (about r2) A t o.

(** ** 6. Allow lists, closed for what is doubted: whatever they do not list is refused. *)
Definition is_listed (l : layer) (t o : path) : Prop :=
  forall r a, In r (rules l) -> allows r = Some a -> covers (about r) t = true -> exists A, In A a /\ covers A o = true.

(** ** The decision of one policy, and of several: each is asked, and every one must permit. *)
Definition permits (l : layer) (o : operation) (s : labels) : Prop :=
  capable l o
  /\ keeps_builtin l (with_risks l o) (effective l s)
  /\ (forall t x, In t (effective l s) -> In x (with_risks l o) -> may_flow l t x)
  /\ (doubted l s = true -> forall t x, In t s -> In x (with_risks l o) -> is_listed l t x).
Definition all_permit (ls : list layer) (o : operation) (s : labels) : Prop := forall l, In l ls -> permits l o s.

(** ** What comes back: all that went in, where it comes from, the branches it stands in, and if a model made it the mark of
    that, and the mark of one that saw something untrusted. *)
Definition llm : path := ["llm"].
Definition is_influenced (ls : list layer) (o : operation) (s : labels) : bool :=
  by_model o && existsb (fun l => influence l && is_untrusted l s) ls.
Definition result_labels (ls : list layer) (o : operation) (ins : list labels) (pc : labels) : labels :=
  let seen := (ins ++ [pc; comes_from o])%list in
  joined (seen ++ (if by_model o then [[llm]] else [])
    ++ (if is_influenced ls o (joined seen) then [[influenced]] else [])).

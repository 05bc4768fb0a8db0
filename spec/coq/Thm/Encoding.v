(** * The encoding of several texts: no two lists of texts share one *)
From Coq Require Import List Ascii Nat Lia PeanoNat.
From Sluicegate.Spec Require Import Encoding.
Import ListNotations.

Lemma digit_is_no_colon : forall n, n < 10 -> digit n <> colon.
Proof. intros n L. do 10 (destruct n as [|n]; [discriminate|]). lia. Qed.

Lemma digit_injective : forall n m, n < 10 -> m < 10 -> digit n = digit m -> n = m.
Proof.
  intros n m L M E. unfold digit in E. apply (f_equal nat_of_ascii) in E.
  rewrite !nat_ascii_embedding in E; lia.
Qed.

Lemma digits_hold_no_colon : forall fuel n, ~ In colon (digits fuel n).
Proof.
  assert (B : forall n, n mod 10 < 10) by (intros; apply Nat.mod_upper_bound; lia).
  induction fuel as [|f IH]; intros n I; simpl in I.
  - destruct I as [E|[]]. now apply (digit_is_no_colon (n mod 10)).
  - destruct (Nat.ltb_spec n 10).
    + destruct I as [E|[]]. now apply (digit_is_no_colon n).
    + apply in_app_or in I as [I|[E|[]]]; [now apply (IH (n / 10))|]. now apply (digit_is_no_colon (n mod 10)).
Qed.

Lemma last_digit : forall (p q : text) a b, p ++ [a] = q ++ [b] -> p = q /\ a = b.
Proof. intros p q a b E. now apply app_inj_tail in E. Qed.

Lemma digits_not_empty : forall fuel n, digits fuel n <> [].
Proof.
  intros [|f] n; simpl; [discriminate|]. destruct (n <? 10); [discriminate|].
  intros E. now apply app_eq_nil in E as [_ E].
Qed.

Lemma digits_of_zero : forall f, digits f 0 = [digit 0].
Proof. now intros [|f]. Qed.

Lemma digits_of_many : forall f n, n <= f -> 10 <= n -> digits f n = digits (pred f) (n / 10) ++ [digit (n mod 10)].
Proof.
  intros [|f] n L T; [lia|]. simpl. destruct (Nat.ltb_spec n 10) as [S|S]; [lia|reflexivity].
Qed.

Lemma digits_of_few : forall f n, n <= f -> n < 10 -> digits f n = [digit n].
Proof.
  intros [|f] n L S.
  - replace n with 0 by lia. apply digits_of_zero.
  - simpl. destruct (Nat.ltb_spec n 10) as [T|T]; [reflexivity|lia].
Qed.

Lemma one_digit_is_not_more : forall f n d e, [d] <> digits f n ++ [e].
Proof.
  intros f n d e E. change [d] with ([] ++ [d]) in E. apply last_digit in E as [E _].
  symmetry in E. now apply digits_not_empty in E.
Qed.

Lemma digits_injective : forall f n g m, n <= f -> m <= g -> digits f n = digits g m -> n = m.
Proof.
  assert (B : forall n, n mod 10 < 10) by (intros; apply Nat.mod_upper_bound; lia).
  induction f as [|f IH]; intros n g m N M E; destruct (Nat.lt_ge_cases n 10) as [K|K], (Nat.lt_ge_cases m 10) as [T|T];
    try lia.
  1, 3: rewrite !digits_of_few in E by lia; injection E as E; now apply digit_injective.
  1, 2: rewrite digits_of_few, digits_of_many in E by lia; now apply one_digit_is_not_more in E.
  - symmetry in E. rewrite digits_of_few, digits_of_many in E by lia. now apply one_digit_is_not_more in E.
  - rewrite (digits_of_many (S f) n), (digits_of_many g m) in E by lia. apply last_digit in E as [E D].
    apply digit_injective in D; [|apply B|apply B].
    assert (n / 10 < n) by (apply Nat.div_lt; lia). assert (m / 10 < m) by (apply Nat.div_lt; lia).
    apply IH in E; [|lia|lia]. rewrite (Nat.div_mod n 10), (Nat.div_mod m 10) by lia. now rewrite E, D.
Qed.

Lemma cut_at_colon : forall p q r s,
  ~ In colon p -> ~ In colon q -> p ++ colon :: r = q ++ colon :: s -> p = q /\ r = s.
Proof.
  induction p as [|a p IH]; intros [|b q] r s P Q E; simpl in E.
  - injection E as E. now split.
  - injection E as H E. exfalso. apply Q. now left.
  - injection E as H E. exfalso. apply P. now left.
  - injection E as -> E. apply IH in E as [-> ->]; [now split| |]; intros I; [apply P|apply Q]; now right.
Qed.

Lemma counted : forall n m r s,
  decimal n ++ colon :: r = decimal m ++ colon :: s -> n = m /\ r = s.
Proof.
  intros n m r s E. apply cut_at_colon in E as [E ->]; try apply digits_hold_no_colon.
  split; [|reflexivity]. now apply digits_injective in E.
Qed.

(** Where a text behind its length ends is read from that length and never from what the text holds: what follows is the same. *)
Theorem a_framed_text_ends_where_its_length_says : forall t u r s,
  framed t ++ r = framed u ++ s -> t = u /\ r = s.
Proof.
  intros t u r s E. unfold framed in E. rewrite <- !app_assoc in E. simpl in E.
  apply counted in E as [L E]. revert u L E. induction t as [|a t IH]; intros [|b u] L E; try discriminate L.
  - now split.
  - simpl in E. injection E as -> E. injection L as L. apply IH in E as [-> ->]; [now split|exact L].
Qed.

(** Different lists of texts have different encodings, so a digest of them tells apart whatever the hash tells apart. *)
Theorem different_texts_are_encoded_differently : forall ts us, encode ts = encode us -> ts = us.
Proof.
  intros ts us E. unfold encode in E. apply counted in E as [L E]. revert us L E.
  induction ts as [|t ts IH]; intros [|u us] L E; try discriminate L; [reflexivity|].
  simpl in E. apply a_framed_text_ends_where_its_length_says in E as [-> E]. f_equal. apply IH; [|exact E].
  now injection L.
Qed.

(** Two texts joined by a separator are not told apart from two others, which is why each stands behind its length. *)
Theorem texts_joined_by_a_separator_are_not_told_apart : forall separator : ascii,
  exists t u v w : text, (t, u) <> (v, w) /\ t ++ separator :: u = v ++ separator :: w.
Proof.
  intros c. exists [c], [], [], [c]. split; [discriminate|reflexivity].
Qed.

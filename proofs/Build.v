(** * Tables and certificates from data

    Nothing is proven here, and nothing needs to be: [check] does not trust its arguments. *)

From Coq Require Import List Arith ZArith Uint63 PArray.
From Pegwise Require Import Game Checker Tree.
Import ListNotations. Local Open Scope uint63_scope. Local Open Scope array_scope.

Definition int_of (n : nat) : int := of_Z (Z.of_nat n).
Definition nat_of (i : int) : nat := Z.to_nat (to_Z i).

Definition array_of {A : Set} (default : A) (l : list A) : array A :=
  snd (fold_left (fun '(i, a) x => (i + 1, a.[i <- x])) l (0, make (int_of (length l)) default)).

Definition build (pegs colors : nat) : tables :=
  let all := codes pegs colors in
  let ranks := List.map int_of (seq 0 (length all)) in
  let possible '(b, w) := if Nat.eqb b pegs then false else negb (Nat.eqb b (pegs - 1) && Nat.eqb w 1) in
  let keys := filter possible (flat_map (fun b => List.map (pair b) (seq 0 (pegs - b + 1))) (seq 0 pegs)) ++ [(pegs, 0%nat)] in
  let width := int_of (S pegs) in
  let key_of := fst (fold_left (fun '(a, i) '(b, w) => (a.[int_of b * width + int_of w <- i], i + 1)) keys
                               (make (width * width) 0, 0)) in
  let digits := List.map (List.map int_of) all in
  let known := List.map (fun c => (c, occurrences colors c)) all in
  let row '(c, n) := array_of 0 (List.map (fun '(d, m) => let '(b, w) := quick_answer c n d m in
                                   key_of.[int_of b * width + int_of w]) known) in
  Tables (int_of (length all)) ranks (array_of [] all) (array_of [] digits)
    (array_of 0 (List.map (fun d => fold_left (fun a x => a lor (1 << x)) d 0) digits))
    (array_of (make 0 0) (List.map row known))
    (array_of (0%nat, 0%nat) keys) (List.map int_of (seq 0 (length keys - 1))) (make 0 0) (make 0 ([], [])).

(** ** Certificates

    A certificate is a sequence of integers: the number of symmetries and the symmetries, then the entries. A symmetry has
    three bits for each position and each color. An entry begins with its bound (20 bits), its number of hints (22 bits) and
    its number of secrets (21 bits); then come its ranks, four to an integer with 13 bits each, and its hints. *)

Fixpoint digits_of (n : nat) (bits i : int) : list int :=
  match n with O => [] | S n' => (i land ((1 << bits) - 1)) :: digits_of n' bits (i >> bits) end.

Definition unpack_symmetry (pegs colors : nat) (i : int) : symmetry :=
  let p := digits_of pegs 3 i in
  let q := digits_of colors 3 (i >> (3 * int_of pegs)) in
  let power x := fold_left (fun w _ => w * int_of colors) (seq 1 (pegs - 1 - nat_of x)) 1 in
  let weight x := snd (fold_left (fun '(y, a) z => (y + 1, a.[z <- y * power x])) q (0, make (int_of colors) 0)) in
  Symmetry (List.map nat_of p) (List.map nat_of q) (List.map weight p).

Fixpoint split_at (n : nat) (l : list int) : list int * list int :=
  match n, l with S n', i :: l' => let '(a, b) := split_at n' l' in (i :: a, b) | _, _ => ([], l) end.

Fixpoint unpack_entries (fuel : nat) (l : list int) : list entry :=
  match fuel, l with
  | S fuel', head :: l' =>
    let size := nat_of (head >> 42) in
    let '(packed, l') := split_at (Nat.div (size + 3) 4) l' in
    let '(hints, l') := split_at (nat_of ((head >> 20) land 4194303)) l' in
    Entry (firstn size (flat_map (digits_of 4 13) packed)) (head land 1048575) hints :: unpack_entries fuel' l'
  | _, _ => []
  end.

Definition unpack (pegs colors : nat) (data : list (array int)) : certificate :=
  let list_of a := List.map (fun i => a.[int_of i]) (seq 0 (nat_of (PArray.length a))) in
  match flat_map list_of data with
  | [] => Certificate [] []
  | n :: l => let '(ys, l') := split_at (nat_of n) l in
              Certificate (List.map (unpack_symmetry pegs colors) ys) (unpack_entries (length l') l')
  end.

(** A certificate that passes and a tree that reaches its claim prove an optimum. *)
Theorem certified pegs colors data t best :
  check pegs colors (build pegs colors) (unpack pegs colors data) best = true -> replay pegs colors t best = true ->
  optimum pegs colors best.
Proof. intros Hc Hr. split; [exact (check_sound _ _ _ _ _ Hc)|exact (replay_sound _ _ _ _ Hr)]. Qed.

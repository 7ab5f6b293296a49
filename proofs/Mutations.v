(** * The checker rejects mutated certificates *)

From Coq Require Import List ZArith Uint63 PArray.
From Pegwise Require Import Game Checker Build.
From Pegwise.data Require Data3x4 Data3x5 Data4x5.
Import ListNotations. Local Open Scope uint63_scope.

(** Mutants of one entry: the bound raised; a secret dropped; of its first and its last hint, each dropped, with another
    answer, with a symmetry that does not exist, with the next symmetry, and with the next entry. *)
Definition mutants (x : entry) : list entry :=
  let with_hints hs := Entry (secrets x) (low x) hs in
  let change h := [[]; [h lxor 1]; [h lor (1048575 << 18)]; [h + (1 << 18)]; [h + (1 << 38)]] in
  let first := match hints x with [] => [] | h :: hs => map (fun hs' => with_hints (hs' ++ hs)) (change h) end in
  let last := match rev (hints x) with [] => [] | h :: hs => map (fun hs' => with_hints (rev hs ++ hs')) (change h) end in
  Entry (secrets x) (low x + 1) (hints x) :: Entry (removelast (secrets x)) (low x) (hints x) :: first ++ last.

(** The number of mutants of all entries, and the mutants that pass. An entry that fails makes [check] false. *)
Fixpoint mutate tb given (xs : list entry) (i : int) proven (count : N) (passed : list (int * entry)) :=
  match xs with
  | [] => (count, passed)
  | x :: xs' =>
    mutate tb given xs' (i + 1) proven.[i <- (secrets x, low x)] (count + N.of_nat (length (mutants x)))%N
      (map (pair i) (filter (check_entry tb given proven) (mutants x)) ++ passed)
  end.

Definition mutations (pegs colors : nat) (c : certificate) : N * list (int * entry) :=
  let given := load_symmetries pegs colors (symmetries c) 0 (make (int_of (length (symmetries c))) (identity pegs colors)) in
  mutate (finish colors (build pegs colors)) given (entries c) 0 (make (int_of (length (entries c))) ([], 0)) 0 [].

(** Mutants of a whole certificate: each of some entries dropped, the last entries dropped, and each of some symmetries made
    no permutation. *)
Definition whole_mutants (c : certificate) (drop cut forge : list nat) : list certificate :=
  map (fun n => Certificate (symmetries c) (firstn n (entries c) ++ skipn (S n) (entries c))) drop
  ++ map (fun n => Certificate (symmetries c) (firstn (length (entries c) - n) (entries c))) cut
  ++ map (fun n => let bad y := Symmetry (positions y) (map (fun _ => 0%nat) (recoloring y)) (weights y) in
       Certificate (firstn n (symmetries c) ++ map bad (firstn 1 (skipn n (symmetries c))) ++ skipn (S n) (symmetries c))
         (entries c)) forge.

(** The number of certificates, and the positions of those that pass. *)
Definition checked (pegs colors : nat) (best : Z) (cs : list certificate) : N * list nat :=
  let tb := build pegs colors in
  (N.of_nat (length cs), filter (fun i => check pegs colors tb (nth i cs (Certificate [] [])) best) (seq 0 (length cs))).

Definition c34 := unpack 3 4 Data3x4.data. Definition c35 := unpack 3 5 Data3x5.data. Definition c45 := unpack 4 5 Data4x5.data.

Definition results := Eval vm_compute in
  (mutations 3 5 c35, mutations 4 5 c45,
   [checked 3 5 451 (whole_mutants c35 (seq 0 (length (entries c35))) (seq 1 10) (seq 0 40));
    checked 4 5 2463 (whole_mutants c45 [0; 500]%nat [1]%nat [0]%nat);
    checked 3 5 452 [c35]; checked 3 4 206 [c35; c45]; checked 3 5 451 [c34; c45]; checked 4 5 2463 [c34; c35]]).

(** The original passes, and all mutants fail. *)
Example original_passes : checked 3 5 451 [c35] = (1%N, [0%nat]).
Proof. vm_compute. reflexivity. Qed.

Example all_rejected :
  let '(a, b, l) := results in snd a = [] /\ snd b = [] /\ map snd l = map (fun _ => []) l /\ (200 <=? fst a + fst b)%N = true.
Proof. repeat split. Qed.

Eval compute in let '(a, b, l) := results in (fst a, fst b, map fst l).

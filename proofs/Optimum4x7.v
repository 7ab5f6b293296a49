(** * The optimum of 4x7, which takes minutes *)

From Coq Require Import ZArith.
From Pegwise Require Import Game Build.
From Pegwise.data Require Data4x7.

Theorem optimum_4x7 : optimum 4 7 11228.
Proof. apply (certified 4 7 Data4x7.data Data4x7.best); vm_cast_no_check (eq_refl true). Qed.

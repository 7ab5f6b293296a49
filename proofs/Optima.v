(** * The optima of four boards *)

From Coq Require Import ZArith.
From Pegwise Require Import Game Build.
From Pegwise.data Require Data3x4 Data3x5 Data4x5 Data4x6.

Theorem optimum_3x4 : optimum 3 4 206.
Proof. apply (certified 3 4 Data3x4.data Data3x4.best); vm_cast_no_check (eq_refl true). Qed.

Theorem optimum_3x5 : optimum 3 5 451.
Proof. apply (certified 3 5 Data3x5.data Data3x5.best); vm_cast_no_check (eq_refl true). Qed.

Theorem optimum_4x5 : optimum 4 5 2463.
Proof. apply (certified 4 5 Data4x5.data Data4x5.best); vm_cast_no_check (eq_refl true). Qed.

(** The classic game. Koyama and Lai found the value in 1993. *)
Theorem optimum_4x6 : optimum 4 6 5625.
Proof. apply (certified 4 6 Data4x6.data Data4x6.best); vm_cast_no_check (eq_refl true). Qed.

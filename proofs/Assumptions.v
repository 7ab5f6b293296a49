(** * What the theorems rest on: compared with assumptions.txt *)

From Pegwise Require Import Optima.
Print Assumptions optimum_3x4. Print Assumptions optimum_3x5. Print Assumptions optimum_4x5. Print Assumptions optimum_4x6.

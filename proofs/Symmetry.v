(** * Symmetries of the answer

    Permutations of positions and colors preserve answers, and colors that no secret has are interchangeable in a guess. *)

From Coq Require Import List Arith Lia Bool Permutation.
From Pegwise Require Import Game.
Import ListNotations.

Lemma list_sum_permutation l m : Permutation l m -> list_sum l = list_sum m.
Proof. induction 1; simpl; lia. Qed.
Lemma map_nth_seq (c : list nat) : map (fun i => nth i c 0) (seq 0 (length c)) = c.
Proof. induction c as [|x c IH]; simpl; [reflexivity|]. f_equal. rewrite <- seq_shift, map_map. exact IH. Qed.
Lemma nth_forall (P : nat -> Prop) c i : Forall P c -> i < length c -> P (nth i c 0).
Proof. intros H Hi. apply (proj1 (Forall_forall P c) H). apply nth_In, Hi. Qed.

(** ** Answers as sums *)

Definition equal_answers (f f' : feedback) : bool := if fst f =? fst f' then snd f =? snd f' else false.

Lemma equal_answers_spec f f' : equal_answers f f' = true -> f = f'.
Proof. destruct f as [b w], f' as [b' w']. unfold equal_answers. simpl.
  destruct (Nat.eqb_spec b b') as [->|]; [|discriminate]. intros H. apply Nat.eqb_eq in H. congruence. Qed.

Lemma blacks_map {A} (f h : A -> nat) l :
  blacks (map f l) (map h l) = list_sum (map (fun i => if f i =? h i then 1 else 0) l).
Proof. induction l as [|i l IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.
Lemma blacks_sum g s n : length g = n -> length s = n ->
  blacks g s = list_sum (map (fun i => if nth i g 0 =? nth i s 0 then 1 else 0) (seq 0 n)).
Proof. intros Hg Hs. rewrite <- (map_nth_seq g) at 1. rewrite <- (map_nth_seq s) at 1. rewrite Hg, Hs. apply blacks_map.
Qed.
Lemma common_sum colors g s :
  common colors g s = list_sum (map (fun x => min (count_occ Nat.eq_dec g x) (count_occ Nat.eq_dec s x)) (seq 0 colors)).
Proof. unfold common, occurrences. f_equal. generalize (seq 0 colors). intros l.
  induction l as [|x l IH]; simpl; [reflexivity|]. f_equal. exact IH. Qed.

(** ** Permutations *)

(** A permutation of 0, ..., [n] - 1 as the list of its values. *)
Definition is_permutation (n : nat) (l : list nat) : bool :=
  (length l <=? n) && forallb (fun i => existsb (Nat.eqb i) l) (seq 0 n).

Lemma is_permutation_spec n l : is_permutation n l = true -> Permutation (seq 0 n) l.
Proof. unfold is_permutation. intros H. apply andb_true_iff in H as [Hl Hi]. apply Nat.leb_le in Hl.
  apply NoDup_Permutation_bis; [apply seq_NoDup|rewrite seq_length; exact Hl|].
  intros i Hin. apply (proj1 (forallb_forall _ _) Hi) in Hin. apply existsb_exists in Hin as (x & Hx & E).
  apply Nat.eqb_eq in E. congruence. Qed.

(** Peg [i] of the image is peg [nth i p 0] of the code, recolored by [q]. *)
Definition act (p q : list nat) (c : code) : code := map (fun i => nth (nth i c 0) q 0) p.

Section Act. Variables (pegs colors : nat) (p q : list nat).
Hypothesis Hp : Permutation (seq 0 pegs) p.
Hypothesis Hq : Permutation (seq 0 colors) q.

Lemma position_lt i : In i p -> i < pegs.
Proof using Hp. intros H. apply (Permutation_in _ (Permutation_sym Hp)), in_seq in H. lia. Qed.
Lemma length_q : length q = colors.
Proof using Hq. rewrite <- (Permutation_length Hq). apply seq_length. Qed.
Lemma recolor_lt x : x < colors -> nth x q 0 < colors.
Proof using Hq. intros H. assert (Hin : In (nth x q 0) q) by (apply nth_In; rewrite length_q; exact H).
  apply (Permutation_in _ (Permutation_sym Hq)), in_seq in Hin. lia. Qed.
Lemma recolor_inj x y : x < colors -> y < colors -> nth x q 0 = nth y q 0 -> x = y.
Proof using Hq.
  intros Hx Hy. apply NoDup_nth; try (rewrite length_q; assumption). apply (Permutation_NoDup Hq), seq_NoDup. Qed.
Lemma peg_lt c i : is_code pegs colors c -> In i p -> nth i c 0 < colors.
Proof using Hp. intros [Hl Hc] Hi. apply (nth_forall (fun x => x < colors)); [exact Hc|]. rewrite Hl. apply position_lt, Hi. Qed.
Lemma act_is_code c : is_code pegs colors c -> is_code pegs colors (act p q c).
Proof using Hp Hq. intros H. split.
  - unfold act. rewrite map_length, <- (Permutation_length Hp). apply seq_length.
  - apply Forall_forall. intros x Hx. apply in_map_iff in Hx as (i & <- & Hi). apply recolor_lt, peg_lt; assumption. Qed.

Lemma act_blacks g s : is_code pegs colors g -> is_code pegs colors s -> blacks (act p q g) (act p q s) = blacks g s.
Proof using Hp Hq. intros Hg Hs. unfold act. rewrite blacks_map, (blacks_sum g s pegs (proj1 Hg) (proj1 Hs)).
  rewrite (list_sum_permutation _ _ (Permutation_map _ Hp)). f_equal. apply map_ext_in. intros i Hi.
  destruct (Nat.eqb_spec (nth i g 0) (nth i s 0)) as [->|N]; [rewrite Nat.eqb_refl; reflexivity|].
  destruct (Nat.eqb_spec (nth (nth i g 0) q 0) (nth (nth i s 0) q 0)) as [E|_]; [|reflexivity].
  apply recolor_inj in E; [contradiction|apply peg_lt; assumption|apply peg_lt; assumption]. Qed.

Lemma count_recolor l x : Forall (fun y => y < colors) l -> x < colors ->
  count_occ Nat.eq_dec (map (fun y => nth y q 0) l) (nth x q 0) = count_occ Nat.eq_dec l x.
Proof using Hq. intros Hl Hx. induction Hl as [|y l Hy Hl IH]; simpl; [reflexivity|].
  destruct (Nat.eq_dec (nth y q 0) (nth x q 0)) as [E|E], (Nat.eq_dec y x) as [E'|E']; rewrite ?IH; try reflexivity.
  - apply recolor_inj in E; auto. contradiction.
  - subst. contradiction. Qed.

Lemma count_act c x : is_code pegs colors c -> x < colors ->
  count_occ Nat.eq_dec (act p q c) (nth x q 0) = count_occ Nat.eq_dec c x.
Proof using Hp Hq. intros Hc Hx. assert (P : Permutation c (map (fun i => nth i c 0) p)).
  { rewrite <- (map_nth_seq c) at 1. apply Permutation_map. rewrite (proj1 Hc). exact Hp. }
  unfold act. rewrite <- (map_map (fun i => nth i c 0) (fun y => nth y q 0)). rewrite count_recolor; auto.
  - symmetry. revert x Hx. intros x _. apply Permutation_count_occ, P.
  - apply (Permutation_Forall P), Hc. Qed.

Lemma act_answer g s : is_code pegs colors g -> is_code pegs colors s ->
  answer colors (act p q g) (act p q s) = answer colors g s.
Proof using Hp Hq. intros Hg Hs. unfold answer. rewrite act_blacks by assumption. f_equal. f_equal. rewrite !common_sum.
  assert (F : forall f : nat -> nat, map f q = map (fun x => f (nth x q 0)) (seq 0 colors)).
  { intros f. rewrite <- (map_nth_seq q) at 1. rewrite map_map, length_q. reflexivity. }
  rewrite (list_sum_permutation _ _ (Permutation_map _ Hq)), F. f_equal. apply map_ext_in. intros x Hx. apply in_seq in Hx.
  rewrite !count_act by (auto; lia). reflexivity. Qed.
End Act.

(** ** Absent colors *)

Definition member (x : nat) (l : list nat) : bool := existsb (Nat.eqb x) l.

Lemma member_spec x l : reflect (In x l) (member x l).
Proof. apply iff_reflect. unfold member. rewrite existsb_exists. split.
  - intros H. exists x. split; [exact H|apply Nat.eqb_refl].
  - intros (y & Hy & E). apply Nat.eqb_eq in E. congruence. Qed.

(** Replaces every color in [absent] by the first of them. *)
Definition merge (absent : list nat) (g : code) : code := map (fun x => if member x absent then hd 0 absent else x) g.

Section Merge. Variable absent : list nat.

Lemma hd_absent x : In x absent -> In (hd 0 absent) absent.
Proof. destruct absent; [intros []|left; reflexivity]. Qed.
Lemma merge_idempotent g : merge absent (merge absent g) = merge absent g.
Proof. unfold merge. rewrite map_map. apply map_ext. intros x. destruct (member_spec x absent) as [H|H].
  - destruct (member_spec (hd 0 absent) absent); reflexivity.
  - destruct (member_spec x absent); [contradiction|reflexivity]. Qed.

Lemma merge_is_code pegs colors g : (forall x, In x absent -> x < colors) -> is_code pegs colors g -> is_code pegs colors (merge absent g).
Proof. intros Ha [Hl Hc]. split; [unfold merge; rewrite map_length; exact Hl|].
  apply Forall_forall. intros y Hy. apply in_map_iff in Hy as (x & <- & Hx). destruct (member_spec x absent) as [H|H].
  - apply Ha, (hd_absent x H).
  - apply (proj1 (Forall_forall _ _) Hc x Hx). Qed.

Lemma merge_blacks g s : (forall x, In x absent -> ~ In x s) -> blacks (merge absent g) s = blacks g s.
Proof. revert s. induction g as [|x g IH]; intros s H; [reflexivity|]. destruct s as [|y s]; [reflexivity|]. simpl.
  rewrite IH by (intros z Hz Hi; apply (H z Hz); right; exact Hi). f_equal.
  assert (N : forall z, In z absent -> (z =? y) = false).
  { intros z Hz. apply Nat.eqb_neq. intros ->. apply (H y Hz). left. reflexivity. }
  destruct (member_spec x absent) as [M|M]; [|reflexivity]. rewrite (N _ M), (N _ (hd_absent x M)). reflexivity. Qed.

Lemma merge_count g x : ~ In x absent -> count_occ Nat.eq_dec (merge absent g) x = count_occ Nat.eq_dec g x.
Proof.
  intros N. induction g as [|y g IH]; [reflexivity|]. simpl. rewrite IH. destruct (member_spec y absent) as [M|M]; [|reflexivity].
  destruct (Nat.eq_dec (hd 0 absent) x) as [<-|_]; [destruct N; apply (hd_absent y M)|].
  destruct (Nat.eq_dec y x); [subst; contradiction|reflexivity]. Qed.

Lemma merge_answer colors g s : (forall x, In x absent -> ~ In x s) -> answer colors (merge absent g) s = answer colors g s.
Proof. intros H. unfold answer. rewrite merge_blacks by exact H. f_equal. f_equal. rewrite !common_sum. f_equal.
  apply map_ext. intros x. destruct (member_spec x absent) as [M|M].
  - rewrite (proj1 (count_occ_not_In Nat.eq_dec s x) (H x M)), !Nat.min_0_r. reflexivity.
  - rewrite (merge_count g x M). reflexivity. Qed.
End Merge.

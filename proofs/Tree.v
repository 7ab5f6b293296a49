(** * Replay of a strategy tree: the upper half of an optimum *)

From Coq Require Import List Arith ZArith Lia Bool.
From Pegwise Require Import Game Bounds Symmetry.
Import ListNotations.

(** A strategy as data: a guess, and a subtree for each answer that can occur and does not win. *)
Inductive tree := Node (guess : code) (children : list (feedback * tree)).

Fixpoint strategy_of (t : tree) : strategy :=
  match t with
  | Node g children =>
    Guess g (fun f => (fix find l := match l with
                                     | [] => Stop
                                     | (f', t') :: l' => if equal_answers f f' then strategy_of t' else find l'
                                     end) children)
  end.

Section Replay. Variables pegs colors : nat.

Definition is_codeb (c : code) : bool := Nat.eqb (length c) pegs && forallb (fun x => Nat.ltb x colors) c.

Fixpoint lawfulb (t : tree) : bool :=
  match t with Node g children => is_codeb g && forallb (fun '(_, t') => lawfulb t') children end.

Fixpoint solvesb (t : strategy) (s : code) : bool :=
  match t with Stop => false | Guess g next => if code_eq_dec g s then true else solvesb (next (answer colors g s)) s end.

Definition replay (t : tree) (best : Z) : bool :=
  lawfulb t && forallb (solvesb (strategy_of t)) (codes pegs colors) && (total pegs colors (strategy_of t) =? best)%Z.

Lemma lawfulb_sound : forall t, lawfulb t = true -> lawful pegs colors (strategy_of t).
Proof. fix IH 1. intros [g children] H. simpl in H. apply andb_true_iff in H as [Hg H]. simpl. split.
  - apply andb_true_iff in Hg as [Hl Hc]. split; [apply Nat.eqb_eq, Hl|]. apply Forall_forall. intros x Hx.
    apply Nat.ltb_lt. apply (proj1 (forallb_forall _ _) Hc x Hx).
  - intros f. induction children as [|[f' t'] l IHl]; simpl; [exact I|]. simpl in H. apply andb_true_iff in H as [Ht H].
    destruct (equal_answers f f'); [apply IH, Ht|apply IHl, H]. Qed.

Lemma solvesb_sound t s : solvesb t s = true -> solves colors t s.
Proof.
  induction t as [|g next IH]; simpl; [discriminate|]. destruct (code_eq_dec g s); [auto|]. intros H. right. apply IH, H.
Qed.

Theorem replay_sound t best : replay t best = true -> exists t, correct pegs colors t /\ total pegs colors t = best.
Proof. unfold replay. intros H. apply andb_true_iff in H as [H Ht]. apply andb_true_iff in H as [Hl Hs].
  exists (strategy_of t). split; [split|].
  - apply lawfulb_sound, Hl.
  - intros s Hc. apply solvesb_sound. apply (proj1 (forallb_forall _ _) Hs). apply in_codes, Hc.
  - apply Z.eqb_eq, Ht. Qed.
End Replay.

(** * The game and what is proven about it

    The codemaker chooses a secret: [pegs] colors out of [colors], repetitions allowed. The codebreaker guesses codes until a
    guess equals the secret. Each guess is answered with two numbers: how many pegs have the right color in the right place
    (black), and how many more have a right color in a wrong place (white). The question is how many guesses a strategy needs
    in total, summed over all secrets. *)

From Coq Require Import List Arith ZArith.
Import ListNotations.

(** A code is a list of colors, numbered from 0. *)
Definition code := list nat.

(** Black and white pegs. *)
Definition feedback := (nat * nat)%type.

(** A strategy either gives up, or guesses and continues in a way that depends on the answer. *)
Inductive strategy :=
  | Stop
  | Guess (guess : code) (next : feedback -> strategy).

Section Game.
Variables pegs colors : nat.

Definition is_code (c : code) : Prop := length c = pegs /\ Forall (fun color => color < colors) c.

(** All codes in lexicographic order. *)
Fixpoint words (length : nat) : list code :=
  match length with
  | O => [[]]
  | S l => flat_map (fun color => map (cons color) (words l)) (seq 0 colors)
  end.

Definition codes : list code := words pegs.

(** The answer to a guess. A color that occurs [i] times in the guess and [j] times in the secret accounts for [min i j] pegs,
    black and white together. *)
Fixpoint blacks (guess secret : code) : nat :=
  match guess, secret with
  | x :: guess', y :: secret' => (if x =? y then 1 else 0) + blacks guess' secret'
  | _, _ => 0
  end.

Definition occurrences (c : code) : list nat := map (count_occ Nat.eq_dec c) (seq 0 colors).

Definition common (guess secret : code) : nat :=
  list_sum (map (fun '(i, j) => min i j) (combine (occurrences guess) (occurrences secret))).

Definition answer (guess secret : code) : feedback := (blacks guess secret, common guess secret - blacks guess secret).

Definition code_eq_dec : forall c d : code, {c = d} + {c <> d} := list_eq_dec Nat.eq_dec.

(** The number of guesses for one secret. The game ends with the guess that equals the secret. *)
Fixpoint cost (t : strategy) (secret : code) : Z :=
  match t with
  | Stop => 0
  | Guess g next => if code_eq_dec g secret then 1 else 1 + cost (next (answer g secret)) secret
  end.

Fixpoint solves (t : strategy) (secret : code) : Prop :=
  match t with
  | Stop => False
  | Guess g next => g = secret \/ solves (next (answer g secret)) secret
  end.

(** Only codes are guessed: a color that no secret has may not be used as a blank. *)
Fixpoint lawful (t : strategy) : Prop :=
  match t with
  | Stop => True
  | Guess g next => is_code g /\ forall f, lawful (next f)
  end.

Definition total (t : strategy) : Z := fold_right Z.add 0%Z (map (cost t) codes).

Definition correct (t : strategy) : Prop := lawful t /\ forall secret, is_code secret -> solves t secret.

(** * The statement

    [best] is the optimum: every correct strategy needs at least [best] guesses in total, and one needs exactly [best]. *)
Definition optimum (best : Z) : Prop :=
  (forall t, correct t -> (best <= total t)%Z) /\ (exists t, correct t /\ total t = best).

End Game.

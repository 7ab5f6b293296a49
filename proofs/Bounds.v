(** * Lower bounds

    The mathematics behind the checker, without data structures. Codes are named by integers, their ranks. A set of secrets
    is a list of ranks without repetitions. *)

From Coq Require Import List Arith ZArith Lia Bool FinFun Uint63.
From Pegwise Require Import Game.
Import ListNotations. Local Open Scope Z_scope.
Local Arguments Z.add : simpl never. Local Arguments Z.sub : simpl never.
Local Arguments Z.mul : simpl never. Local Arguments Z.of_nat : simpl never.

(** ** Sums over lists *)

Fixpoint sum {A} (f : A -> Z) (l : list A) : Z :=
  match l with [] => 0 | a :: l' => f a + sum f l' end.

Lemma sum_le {A} (f g : A -> Z) l : (forall a, In a l -> f a <= g a) -> sum f l <= sum g l.
Proof. induction l as [|a l IH]; simpl; intros H; [lia|].
  pose proof (H a (or_introl eq_refl)). pose proof (IH (fun b Hb => H b (or_intror Hb))). lia. Qed.

Lemma sum_ext {A} (f g : A -> Z) l : (forall a, In a l -> f a = g a) -> sum f l = sum g l.
Proof. intros H. apply Z.le_antisymm; apply sum_le; intros a Ha; rewrite (H a Ha); lia. Qed.
Lemma sum_const {A} (c : Z) (l : list A) : sum (fun _ => c) l = c * Z.of_nat (length l).
Proof. induction l as [|a l IH]; simpl length; simpl sum; lia. Qed.
Lemma sum_nonneg {A} (f : A -> Z) l : (forall a, In a l -> 0 <= f a) -> 0 <= sum f l.
Proof. intros H. apply sum_le in H. rewrite sum_const in H. lia. Qed.
Lemma sum_add {A} (f g : A -> Z) l : sum (fun a => f a + g a) l = sum f l + sum g l.
Proof. induction l as [|a l IH]; simpl; lia. Qed.
Lemma sum_map {A B} (f : B -> Z) (h : A -> B) l : sum f (map h l) = sum (fun a => f (h a)) l.
Proof. induction l as [|a l IH]; simpl; lia. Qed.
Lemma sum_app {A} (f : A -> Z) l m : sum f (l ++ m) = sum f l + sum f m.
Proof. induction l as [|a l IH]; simpl; lia. Qed.

(** A sum of nonnegative terms is monotone in the set. *)
Lemma sum_incl {A} (f : A -> Z) d q : NoDup d -> incl d q -> (forall a, In a q -> 0 <= f a) -> sum f d <= sum f q.
Proof. revert q. induction d as [|a d IH]; intros q Hd Hi Hf; simpl.
  - apply sum_nonneg, Hf.
  - inversion_clear Hd as [|? ? Ha Hd']. destruct (in_split a q (Hi a (or_introl eq_refl))) as (q1 & q2 & ->).
    assert (sum f d <= sum f (q1 ++ q2)).
    { apply IH; auto.
      - intros b Hb. specialize (Hi b (or_intror Hb)).
        apply in_app_iff in Hi. simpl in Hi. apply in_app_iff. destruct Hi as [|[<-|]]; auto; contradiction.
      - intros b Hb. apply Hf. apply in_app_iff in Hb. apply in_app_iff. simpl. tauto. } rewrite sum_app in *. simpl. lia.
Qed.

Lemma int_eqb_spec (a b : int) : reflect (a = b) (a =? b)%uint63.
Proof. apply iff_reflect. symmetry. apply Uint63.eqb_spec. Qed.

(** A value that is counted once for each occurrence of [x]. *)
Lemma pick_le v (x : int) ks : 0 <= v -> NoDup ks -> sum (fun k => if (x =? k)%uint63 then v else 0) ks <= v /\
  (~ In x ks -> sum (fun k => if (x =? k)%uint63 then v else 0) ks = 0).
Proof. intros Hv. induction 1 as [|k ks Hk _ [IH IH0]]; simpl; [lia|].
  destruct (int_eqb_spec x k) as [->|]; [specialize (IH0 Hk)|]; intuition lia. Qed.

Lemma pick_ge v (x : int) ks : 0 <= v -> In x ks -> v <= sum (fun k => if (x =? k)%uint63 then v else 0) ks.
Proof. intros Hv. induction ks as [|k ks IH]; simpl; [intros []|]. intros H.
  assert (0 <= sum (fun k => if (x =? k)%uint63 then v else 0) ks) by (apply sum_nonneg; intros y _; destruct eqb; lia).
  destruct (int_eqb_spec x k); [lia|]. destruct H as [->|H]; [contradiction|]. specialize (IH H). lia. Qed.
Lemma sum_parts {A} (f : A -> Z) (key : A -> int) ks l : sum (fun k => sum f (filter (fun a => key a =? k)%uint63 l)) ks =
  sum (fun a => sum (fun k => if (key a =? k)%uint63 then f a else 0) ks) l.
Proof. induction l as [|a l IH]; simpl; [rewrite sum_const; lia|]. rewrite <- IH, <- sum_add. apply sum_ext.
  intros k _. destruct eqb; simpl; lia. Qed.

(** Parts with different keys are disjoint: together they weigh at most as much as the whole. *)
Lemma sum_parts_le {A} (f : A -> Z) (key : A -> int) ks l : NoDup ks -> (forall a, In a l -> 0 <= f a) ->
  sum (fun k => sum f (filter (fun a => key a =? k)%uint63 l)) ks <= sum f l.
Proof. intros Hn Hf. rewrite sum_parts. apply sum_le. intros a Ha. apply pick_le; auto. Qed.

(** Parts that cover the whole weigh at least as much. *)
Lemma sum_parts_ge {A} (f : A -> Z) (key : A -> int) ks l : (forall a, In a l -> 0 <= f a /\ (f a = 0 \/ In (key a) ks)) ->
  sum f l <= sum (fun k => sum f (filter (fun a => key a =? k)%uint63 l)) ks.
Proof. intros H. rewrite sum_parts. apply sum_le. intros a Ha. destruct (H a Ha) as [H0 [->|Hk]]; [|apply pick_ge; auto].
  apply sum_nonneg. intros k _. destruct eqb; lia. Qed.

(** ** Codes and answers *)

Section Codes. Variables pegs colors : nat.
Notation is_code := (is_code pegs colors). Notation codes := (codes pegs colors). Notation lawful := (lawful pegs colors).
Notation answer := (answer colors). Notation cost := (cost colors). Notation solves := (solves colors).

Lemma in_words n c : In c (words colors n) <-> length c = n /\ Forall (fun x => (x < colors)%nat) c.
Proof. revert c. induction n as [|n IH]; intros c; simpl.
  - split; [intros [<-|[]]; auto|]. intros [H _]. left. destruct c; [reflexivity|discriminate].
  - rewrite in_flat_map. split.
    + intros (x & Hx & Hc). apply in_map_iff in Hc as (d & <- & Hd). apply IH in Hd as [Hl Hf].
      apply in_seq in Hx. simpl. split; [lia|]. constructor; [lia|assumption].
    + intros [Hl Hf]. destruct c as [|x d]; [discriminate|]. inversion_clear Hf as [|? ? Hx Hd].
      exists x. split; [apply in_seq; lia|]. apply in_map, IH. auto. Qed.

Lemma in_codes c : In c codes <-> is_code c.
Proof. apply in_words. Qed.
Lemma nodup_app {A} (l m : list A) : NoDup l -> NoDup m -> (forall a, In a l -> ~ In a m) -> NoDup (l ++ m).
Proof. intros Hl Hm H. induction Hl as [|a l Ha Hl IH]; simpl; [assumption|]. constructor.
  - rewrite in_app_iff. intros [Hi|Hi]; [contradiction|]. apply (H a); simpl; auto.
  - apply IH. intros b Hb. apply H. simpl. auto. Qed.

Lemma nodup_codes : NoDup codes.
Proof. unfold Game.codes. induction pegs as [|n IH]; simpl.
  - constructor; [intros []|constructor].
  - generalize (seq_NoDup colors 0). generalize (seq 0 colors). intros l Hl.
    induction Hl as [|x l Hx Hl IHl]; simpl; [constructor|]. apply nodup_app; [|assumption|].
    + apply Injective_map_NoDup; [|assumption]. intros a b E. congruence.
    + intros c Hc Hf. apply in_map_iff in Hc as (a & <- & _).
      apply in_flat_map in Hf as (y & Hy & Hf). apply in_map_iff in Hf as (b & E & _). congruence. Qed.

Lemma blacks_refl c : blacks c c = length c.
Proof. induction c as [|x c IH]; simpl; [reflexivity|]. rewrite Nat.eqb_refl, IH. reflexivity. Qed.
Lemma blacks_le c d : (blacks c d <= length c)%nat.
Proof. revert d. induction c as [|x c IH]; intros [|y d]; simpl; try lia. specialize (IH d). destruct (x =? y)%nat; lia. Qed.
Lemma blacks_full c d : length c = length d -> blacks c d = length c -> c = d.
Proof. revert d. induction c as [|x c IH]; intros [|y d]; simpl; try discriminate; [reflexivity|]. intros Hl Hb.
  pose proof (blacks_le c d). destruct (Nat.eqb_spec x y); [|lia]. subst. f_equal. apply IH; lia. Qed.

(** Only the secret itself gets the winning answer. *)
Lemma answer_wins c d : is_code c -> is_code d -> answer c d = answer d d -> c = d.
Proof. intros [Hc _] [Hd _] E. apply (f_equal fst) in E. cbn [Game.answer fst] in E. rewrite blacks_refl in E.
  apply blacks_full; congruence. Qed.

Lemma cost_nonneg t s : 0 <= cost t s.
Proof. induction t as [|g next IH]; simpl; [lia|]. destruct (code_eq_dec g s); [lia|]. specialize (IH (answer g s)). lia.
Qed.

(** ** Ranks

    [key g s] names the answer to guess [g] for secret [s], and [others] are the keys of all answers but the winning one. *)

Variables (ranks : list int) (decode : int -> code) (key : int -> int -> int) (others : list int).
Hypothesis decode_ranks : map decode ranks = codes.
Hypothesis key_answer : forall g s s', In g ranks -> In s ranks -> In s' ranks ->
  key g s = key g s' -> answer (decode g) (decode s) = answer (decode g) (decode s').
Hypothesis key_others : forall g s, In g ranks -> In s ranks -> g <> s <-> In (key g s) others.
Hypothesis nodup_others : NoDup others.

Lemma rank_of c : is_code c -> exists r, In r ranks /\ decode r = c.
Proof using decode_ranks.
  intros H. apply in_codes in H. rewrite <- decode_ranks in H. apply in_map_iff in H as (r & E & Hr). eauto. Qed.
Lemma decode_is_code r : In r ranks -> is_code (decode r).
Proof using decode_ranks. intros H. apply in_codes. rewrite <- decode_ranks. apply in_map, H. Qed.

Lemma decode_inj r s : In r ranks -> In s ranks -> decode r = decode s -> r = s.
Proof using decode_ranks.
  intros Hr Hs E. pose proof nodup_codes as H. rewrite <- decode_ranks in H. revert Hr Hs H. clear - E.
  induction ranks as [|x l IH]; simpl; [intros []|]. intros Hr Hs H. inversion_clear H as [|? ? Hx Hl].
  destruct Hr as [<-|Hr], Hs as [<-|Hs]; auto; exfalso; apply Hx; [rewrite E|rewrite <- E]; apply in_map; assumption. Qed.

Lemma nodup_ranks : NoDup ranks.
Proof using decode_ranks. apply (NoDup_map_inv decode). rewrite decode_ranks. apply nodup_codes. Qed.

Definition price (t : strategy) (e : list int) : Z := sum (fun s => cost t (decode s)) e.

Definition solves_all (t : strategy) (e : list int) : Prop := forall s, In s e -> solves t (decode s).

(** Every strategy that solves the secrets in [e] needs at least [b] guesses for them. *)
Definition bound (e : list int) (b : Z) : Prop := forall t, lawful t -> solves_all t e -> b <= price t e.

Definition part (g k : int) (e : list int) : list int := filter (fun s => key g s =? k)%uint63 e.

Lemma part_in g k e s : In s (part g k e) <-> In s e /\ key g s = k.
Proof. unfold part. rewrite filter_In. destruct (int_eqb_spec (key g s) k); intuition congruence. Qed.
Lemma bound_nonpositive e b : b <= 0 -> bound e b.
Proof. intros H t _ _. pose proof (sum_nonneg _ e (fun s _ => cost_nonneg t (decode s))). unfold price. lia. Qed.

(** A bound of a subset is a bound. *)
Lemma bound_incl d e b : NoDup d -> incl d e -> bound d b -> bound e b.
Proof. intros Hn Hi Hb t Hl Hs. transitivity (price t d).
  - apply Hb; auto. intros s Hd. apply Hs, Hi, Hd.
  - apply sum_incl; auto. intros. apply cost_nonneg. Qed.

(** All secrets in a part give the same answer to the guess, and none of them is the guess. *)
Lemma part_answer g k e : In g ranks -> incl e ranks -> In k others ->
  exists f, forall s, In s (part g k e) -> decode g <> decode s /\ answer (decode g) (decode s) = f.
Proof using decode_ranks key_answer key_others.
  intros Hg He Hk. destruct (part g k e) as [|s0 p] eqn:Ep; [exists (0, 0)%nat; intros s []|].
  exists (answer (decode g) (decode s0)). rewrite <- Ep. assert (H0 : In s0 (part g k e)) by (rewrite Ep; left; reflexivity).
  apply part_in in H0 as [H0 E0]. intros s Hs. apply part_in in Hs as [Hs E]. split.
  - intros D. apply decode_inj in D; auto. revert D. apply key_others; auto. congruence.
  - apply key_answer; auto. congruence. Qed.

(** The cost of a guess: one for each secret, and the costs of the parts. *)
Lemma step e g next (low : int -> Z) : In g ranks -> incl e ranks -> solves_all (Guess (decode g) next) e ->
  (forall k f, In k others -> solves_all (next f) (part g k e) -> low k <= price (next f) (part g k e)) ->
  Z.of_nat (length e) + sum low others <= price (Guess (decode g) next) e.
Proof using decode_ranks key_answer key_others nodup_others. intros Hg He Hs Hlow.
  set (later := fun s => if code_eq_dec (decode g) (decode s) then 0 else cost (next (answer (decode g) (decode s))) (decode s)).
  assert (E : price (Guess (decode g) next) e = Z.of_nat (length e) + sum later e).
  { unfold price. rewrite (sum_ext _ (fun s => 1 + later s)); [rewrite (sum_add (fun _ => 1)), sum_const; lia|].
    intros s _. simpl. unfold later. destruct code_eq_dec; lia. }
  rewrite E. apply Zplus_le_compat_l. etransitivity; [|apply (sum_parts_le later (key g) others e nodup_others)].
  2:{ intros s _. unfold later. destruct code_eq_dec; [lia|apply cost_nonneg]. }
  apply sum_le. intros k Hk. fold (part g k e). destruct (part_answer g k e Hg He Hk) as (f & Hf).
  rewrite (sum_ext later (fun s => cost (next f) (decode s))).
  - apply Hlow; auto. intros s Hin. destruct (Hf s Hin) as [Hn <-]. apply part_in in Hin as [Hin _].
    destruct (Hs s Hin); [contradiction|assumption].
  - intros s Hin. destruct (Hf s Hin) as [Hn <-]. unfold later. destruct code_eq_dec; [contradiction|reflexivity]. Qed.

(** ** The size bound

    [d] guesses find at most [reach d] secrets: one, and [reach (d - 1)] for each of the other answers. *)

Fixpoint reach (d : nat) : Z :=
  match d with O => 0 | S d' => 1 + Z.of_nat (length others) * reach d' end.

Fixpoint within (d : nat) (t : strategy) (s : code) : Z :=
  match d, t with S d', Guess g next => if code_eq_dec g s then 1 else within d' (next (answer g s)) s | _, _ => 0 end.

Lemma within_range d t s : 0 <= within d t s <= 1.
Proof. revert t. induction d as [|d IH]; intros [|g next]; simpl; try lia. destruct code_eq_dec; [lia|apply IH]. Qed.
Lemma reach_nonneg d : 0 <= reach d.
Proof. induction d; simpl; lia. Qed.

Lemma reach_bound d t e : NoDup e -> incl e ranks -> lawful t -> sum (fun s => within d t (decode s)) e <= reach d.
Proof using decode_ranks key_answer key_others.
  revert t e. induction d as [|d IH]; intros t e Hn He Hl; [simpl; rewrite sum_const; lia|].
  destruct t as [|c next]; [cbn [within]; rewrite sum_const; apply (reach_nonneg (S d))|].
  destruct Hl as [Hc Hl]. destruct (rank_of c Hc) as (g & Hg & <-).
  set (later := fun s => if code_eq_dec (decode g) (decode s) then 0 else within d (next (answer (decode g) (decode s))) (decode s)).
  transitivity (sum (fun s => (if (g =? s)%uint63 then 1 else 0) + later s) e).
  { apply sum_le. intros s Hin. unfold later. simpl. destruct code_eq_dec as [E|]; [|destruct eqb; lia].
    apply decode_inj in E as ->; auto. destruct (int_eqb_spec s s); [lia|contradiction]. }
  rewrite sum_add. cbn [reach]. apply Z.add_le_mono; [apply pick_le; [lia|exact Hn]|].
  etransitivity; [apply (sum_parts_ge later (key g) others)|].
  { intros s Hin. unfold later. destruct code_eq_dec as [|N]; [lia|]. split; [apply within_range|]. right.
    apply key_others; auto. congruence. } rewrite Z.mul_comm, <- sum_const. apply sum_le. intros k Hk. fold (part g k e).
  destruct (part_answer g k e Hg He Hk) as (f & Hf). rewrite (sum_ext later (fun s => within d (next f) (decode s))).
  - apply IH; auto; [apply NoDup_filter, Hn|]. intros s Hin. apply part_in in Hin. apply He, Hin.
  - intros s Hin. destruct (Hf s Hin) as [N <-]. unfold later. destruct code_eq_dec; [contradiction|reflexivity]. Qed.

(** A secret costs one guess for each depth that does not suffice for it. *)
Definition levels (depth : nat) (t : strategy) (s : code) : Z := sum (fun d => 1 - within d t s) (seq 0 depth).

Lemma levels_le_cost depth t s : solves t s -> levels depth t s <= cost t s.
Proof. unfold levels. revert depth. induction t as [|g next IH]; intros depth; simpl; [intros []|]. intros Hs.
  destruct depth as [|depth]; [simpl; destruct code_eq_dec; [lia|]; pose proof (cost_nonneg (next (answer g s)) s); lia|].
  cbn [seq sum]. rewrite <- seq_shift, sum_map. simpl. destruct code_eq_dec as [|n].
  - rewrite (sum_const (1 - 1)). lia.
  - destruct Hs as [|Hs]; [contradiction|]. specialize (IH _ depth Hs). lia. Qed.

Definition size (depth : nat) (n : Z) : Z := sum (fun d => Z.max 0 (n - reach d)) (seq 0 depth).

Lemma size_mono depth m n : m <= n -> size depth m <= size depth n.
Proof. intros H. apply sum_le. intros. lia. Qed.

Lemma size_bound depth e : NoDup e -> incl e ranks -> bound e (size depth (Z.of_nat (length e))).
Proof using decode_ranks key_answer key_others.
  intros Hn He t Hl Hs. transitivity (sum (fun s => levels depth t (decode s)) e).
  2:{ apply sum_le. intros s Hin. apply levels_le_cost, Hs, Hin. } unfold size, levels.
  assert (E : forall l, sum (fun s => sum (fun d => 1 - within d t (decode s)) l) e
                        = sum (fun d => Z.of_nat (length e) - sum (fun s => within d t (decode s)) e) l).
  { induction l as [|d l IHl]; simpl; [rewrite sum_const; lia|]. rewrite sum_add, IHl. f_equal.
    rewrite (sum_ext _ (fun s => 1 + (-1) * within d t (decode s))) by (intros; lia).
    rewrite sum_add, sum_const. enough (sum (fun s => -1 * within d t (decode s)) e = - sum (fun s => within d t (decode s)) e) by lia.
    clear. induction e; simpl; lia. } rewrite E. apply sum_le. intros d _. pose proof (reach_bound d t e Hn He Hl).
  assert (sum (fun s => within d t (decode s)) e <= sum (fun _ => 1) e) by (apply sum_le; intros; apply within_range).
  rewrite sum_const in *. lia. Qed.

(** ** Symmetry

    A map of codes that preserves answers carries a bound from an image to its preimage. *)

Fixpoint relabel (m : code -> code) (t : strategy) : strategy :=
  match t with Stop => Stop | Guess g next => Guess (m g) (fun f => relabel m (next f)) end.

Section Relabel. Variable m : code -> code.
Hypothesis m_code : forall c, is_code c -> is_code (m c).
Hypothesis m_answer : forall c d, is_code c -> is_code d -> answer (m c) (m d) = answer c d.

Lemma relabel_lawful t : lawful t -> lawful (relabel m t).
Proof using m_code. induction t as [|g next IH]; simpl; [auto|]. intros [Hg Hl]. split; auto. Qed.

Lemma relabel_cost t s : lawful t -> is_code s ->
  cost (relabel m t) (m s) = cost t s /\ (solves t s -> solves (relabel m t) (m s)).
Proof using m_answer.
  intros Hl Hs. induction t as [|g next IH]; simpl; [auto|]. destruct Hl as [Hg Hl]. rewrite m_answer by assumption.
  destruct (IH (answer g s) (Hl _)) as [-> H]. split; [|intros [->|Hn]; auto].
  destruct (code_eq_dec (m g) (m s)) as [E|E], (code_eq_dec g s) as [E'|E']; try congruence. destruct E'.
  apply answer_wins; auto. rewrite <- (m_answer g s), <- (m_answer s s), E by assumption. reflexivity. Qed.

Lemma bound_relabel (inverse : int -> int) e b :
  (forall s, In s e -> In (inverse s) ranks /\ m (decode (inverse s)) = decode s) -> bound e b -> bound (map inverse e) b.
Proof using m_code m_answer decode_ranks. intros H Hb t Hl Hs. transitivity (price (relabel m t) e).
  - apply Hb; [apply relabel_lawful, Hl|]. intros s Hin. destruct (H s Hin) as [Hr <-].
    apply relabel_cost; auto; [apply decode_is_code; auto|]. apply Hs, in_map, Hin.
  - unfold price. rewrite sum_map. apply Z.eq_le_incl, sum_ext. intros s Hin. destruct (H s Hin) as [Hr <-].
    apply relabel_cost; auto. apply decode_is_code; auto. Qed.
End Relabel.
End Codes.

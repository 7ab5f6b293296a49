(** * Lower bounds

    The mathematics behind the checker, without data structures. Codes are named by integers, their ranks. A set of secrets
    is a list of ranks without repetitions. *)

From Coq Require Import List Arith ZArith Lia Bool FinFun Uint63.
From Pegwise Require Import Game.
Import ListNotations.
Local Open Scope Z_scope.
Local Arguments Z.add : simpl never.
Local Arguments Z.sub : simpl never.
Local Arguments Z.mul : simpl never.
Local Arguments Z.of_nat : simpl never.

(** ** Sums over lists *)

Fixpoint sum {A} (f : A -> Z) (l : list A) : Z :=
  match l with [] => 0 | a :: l' => f a + sum f l' end.

Lemma sum_le {A} (f g : A -> Z) l : (forall a, In a l -> f a <= g a) -> sum f l <= sum g l.
Proof.
  induction l as [|a l IH]; simpl; intros H; [lia|].
  pose proof (H a (or_introl eq_refl)). pose proof (IH (fun b Hb => H b (or_intror Hb))). lia.
Qed.

Lemma sum_ext {A} (f g : A -> Z) l : (forall a, In a l -> f a = g a) -> sum f l = sum g l.
Proof.
  intros H. apply Z.le_antisymm; apply sum_le; intros a Ha; rewrite (H a Ha); lia.
Qed.

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

Lemma sum_split {A} (f : A -> Z) (p : A -> bool) l :
  sum f l = sum f (filter p l) + sum f (filter (fun a => negb (p a)) l).
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. destruct (p a); simpl; lia. Qed.

(** A sum of nonnegative terms is monotone in the set. *)
Lemma sum_incl {A} (f : A -> Z) d q :
  NoDup d -> incl d q -> (forall a, In a q -> 0 <= f a) -> sum f d <= sum f q.
Proof.
  revert q. induction d as [|a d IH]; intros q Hd Hi Hf; simpl.
  - apply sum_nonneg, Hf.
  - inversion_clear Hd as [|? ? Ha Hd'].
    destruct (in_split a q (Hi a (or_introl eq_refl))) as (q1 & q2 & ->).
    assert (sum f d <= sum f (q1 ++ q2)).
    { apply IH; auto.
      - intros b Hb. specialize (Hi b (or_intror Hb)).
        apply in_app_iff in Hi. simpl in Hi. apply in_app_iff. destruct Hi as [|[<-|]]; auto; contradiction.
      - intros b Hb. apply Hf. apply in_app_iff in Hb. apply in_app_iff. simpl. tauto. }
    rewrite sum_app in *. simpl. lia.
Qed.

Lemma int_eqb_spec (a b : int) : reflect (a = b) (a =? b)%uint63.
Proof. apply iff_reflect. symmetry. apply Uint63.eqb_spec. Qed.

Lemma filter_filter_other {A} (key : A -> int) k k' l : k <> k' ->
  filter (fun a => key a =? k')%uint63 (filter (fun a => negb (key a =? k)%uint63) l) = filter (fun a => key a =? k')%uint63 l.
Proof.
  intros Hk. induction l as [|a l IH]; simpl; [reflexivity|].
  destruct (int_eqb_spec (key a) k) as [->|_]; simpl.
  - destruct (int_eqb_spec k k'); [contradiction|exact IH].
  - destruct (key a =? k')%uint63; [f_equal|]; exact IH.
Qed.

(** Parts with different keys are disjoint: together they weigh at most as much as the whole. *)
Lemma sum_parts_le {A} (f : A -> Z) (key : A -> int) ks l :
  NoDup ks -> (forall a, In a l -> 0 <= f a) ->
  sum (fun k => sum f (filter (fun a => key a =? k)%uint63 l)) ks <= sum f l.
Proof.
  revert l. induction ks as [|k ks IH]; intros l Hn Hf; simpl.
  - apply sum_nonneg, Hf.
  - inversion_clear Hn as [|? ? Hk Hn'].
    rewrite (sum_split f (fun a => key a =? k)%uint63 l).
    set (rest := filter (fun a => negb (key a =? k)%uint63) l).
    assert (sum (fun k' => sum f (filter (fun a => key a =? k')%uint63 rest)) ks <= sum f rest).
    { apply IH; auto. intros a Ha. apply filter_In in Ha. apply Hf, Ha. }
    rewrite (sum_ext _ (fun k' => sum f (filter (fun a => key a =? k')%uint63 rest)) ks); [lia|].
    intros k' Hk'. f_equal. symmetry. apply filter_filter_other. intros ->. contradiction.
Qed.

(** Parts that cover the whole weigh at least as much. *)
Lemma sum_parts_ge {A} (f : A -> Z) (key : A -> int) ks l :
  (forall a, In a l -> 0 <= f a /\ In (key a) ks) ->
  sum f l <= sum (fun k => sum f (filter (fun a => key a =? k)%uint63 l)) ks.
Proof.
  revert l. induction ks as [|k ks IH]; intros l H; simpl.
  - destruct l as [|a l]; simpl; [lia|]. destruct (H a (or_introl eq_refl)) as [_ []].
  - rewrite (sum_split f (fun a => key a =? k)%uint63 l).
    set (rest := filter (fun a => negb (key a =? k)%uint63) l).
    assert (sum f rest <= sum (fun k' => sum f (filter (fun a => key a =? k')%uint63 rest)) ks).
    { apply IH. intros a Ha. apply filter_In in Ha as [Ha Hn].
      destruct (H a Ha) as [H0 [E|Hk]]; [|auto]. revert Hn. destruct (int_eqb_spec (key a) k); [simpl; discriminate|congruence]. }
    assert (sum (fun k' => sum f (filter (fun a => key a =? k')%uint63 rest)) ks
            <= sum (fun k' => sum f (filter (fun a => key a =? k')%uint63 l)) ks).
    { apply sum_le. intros k' _. unfold rest. clear IH rest H0.
      induction l as [|a l IHl]; simpl; [lia|].
      assert (Hl : forall b, In b l -> 0 <= f b /\ In (key b) (k :: ks)) by (intros; apply H; right; assumption).
      specialize (IHl Hl). destruct (H a (or_introl eq_refl)) as [Ha _].
      destruct (key a =? k)%uint63; simpl; destruct (key a =? k')%uint63; simpl; lia. }
    lia.
Qed.

(** ** Codes and answers *)

Section Codes.

Variables pegs colors : nat.
Notation is_code := (is_code pegs colors).
Notation codes := (codes pegs colors).
Notation answer := (answer colors).
Notation cost := (cost colors).
Notation solves := (solves colors).
Notation lawful := (lawful pegs colors).

Lemma in_words n c : In c (words colors n) <-> length c = n /\ Forall (fun x => (x < colors)%nat) c.
Proof.
  revert c. induction n as [|n IH]; intros c; simpl.
  - split; [intros [<-|[]]; auto|]. intros [H _]. left. destruct c; [reflexivity|discriminate].
  - rewrite in_flat_map. split.
    + intros (x & Hx & Hc). apply in_map_iff in Hc as (d & <- & Hd). apply IH in Hd as [Hl Hf].
      apply in_seq in Hx. simpl. split; [lia|]. constructor; [lia|assumption].
    + intros [Hl Hf]. destruct c as [|x d]; [discriminate|]. inversion_clear Hf as [|? ? Hx Hd].
      exists x. split; [apply in_seq; lia|]. apply in_map, IH. auto.
Qed.

Lemma in_codes c : In c codes <-> is_code c.
Proof. apply in_words. Qed.

Lemma nodup_app {A} (l m : list A) : NoDup l -> NoDup m -> (forall a, In a l -> ~ In a m) -> NoDup (l ++ m).
Proof.
  intros Hl Hm H. induction Hl as [|a l Ha Hl IH]; simpl; [assumption|]. constructor.
  - rewrite in_app_iff. intros [Hi|Hi]; [contradiction|]. apply (H a); simpl; auto.
  - apply IH. intros b Hb. apply H. simpl. auto.
Qed.

Lemma nodup_codes : NoDup codes.
Proof.
  unfold Game.codes. induction pegs as [|n IH]; simpl.
  - constructor; [intros []|constructor].
  - generalize (seq_NoDup colors 0). generalize (seq 0 colors). intros l Hl.
    induction Hl as [|x l Hx Hl IHl]; simpl; [constructor|]. apply nodup_app; [|assumption|].
    + apply Injective_map_NoDup; [|assumption]. intros a b E. congruence.
    + intros c Hc Hf. apply in_map_iff in Hc as (a & <- & _).
      apply in_flat_map in Hf as (y & Hy & Hf). apply in_map_iff in Hf as (b & E & _). congruence.
Qed.

Lemma cost_nonneg t s : 0 <= cost t s.
Proof.
  induction t as [|g next IH]; simpl; [lia|]. destruct (code_eq_dec g s); [lia|].
  specialize (IH (answer g s)). lia.
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
  intros H. apply in_codes in H. rewrite <- decode_ranks in H. apply in_map_iff in H as (r & E & Hr). eauto.
Qed.

Lemma decode_is_code r : In r ranks -> is_code (decode r).
Proof using decode_ranks. intros H. apply in_codes. rewrite <- decode_ranks. apply in_map, H. Qed.

Lemma decode_inj r s : In r ranks -> In s ranks -> decode r = decode s -> r = s.
Proof using decode_ranks.
  intros Hr Hs E. pose proof nodup_codes as H. rewrite <- decode_ranks in H. revert Hr Hs H. clear - E.
  induction ranks as [|x l IH]; simpl; [intros []|]. intros Hr Hs H. inversion_clear H as [|? ? Hx Hl].
  destruct Hr as [<-|Hr], Hs as [<-|Hs]; auto; exfalso; apply Hx; [rewrite E|rewrite <- E]; apply in_map; assumption.
Qed.

Lemma nodup_ranks : NoDup ranks.
Proof using decode_ranks. apply (NoDup_map_inv decode). rewrite decode_ranks. apply nodup_codes. Qed.

Definition price (t : strategy) (e : list int) : Z := sum (fun s => cost t (decode s)) e.

Definition solves_all (t : strategy) (e : list int) : Prop := forall s, In s e -> solves t (decode s).

(** Every strategy that solves the secrets in [e] needs at least [b] guesses for them. *)
Definition bound (e : list int) (b : Z) : Prop := forall t, lawful t -> solves_all t e -> b <= price t e.

Definition part (g k : int) (e : list int) : list int := filter (fun s => key g s =? k)%uint63 e.

Lemma part_in g k e s : In s (part g k e) <-> In s e /\ key g s = k.
Proof.
  unfold part. rewrite filter_In. destruct (int_eqb_spec (key g s) k); intuition congruence.
Qed.

Lemma bound_nonpositive e b : b <= 0 -> bound e b.
Proof. intros H t _ _. pose proof (sum_nonneg _ e (fun s _ => cost_nonneg t (decode s))). unfold price. lia. Qed.

(** A bound of a subset is a bound. *)
Lemma bound_incl d e b : NoDup d -> incl d e -> bound d b -> bound e b.
Proof.
  intros Hn Hi Hb t Hl Hs. transitivity (price t d).
  - apply Hb; auto. intros s Hd. apply Hs, Hi, Hd.
  - apply sum_incl; auto. intros. apply cost_nonneg.
Qed.

(** The cost of a guess: one for each secret, and the costs of the parts. *)
Lemma step e g next (low : int -> Z) :
  In g ranks -> incl e ranks -> solves_all (Guess (decode g) next) e ->
  (forall k f, In k others -> solves_all (next f) (part g k e) -> low k <= price (next f) (part g k e)) ->
  Z.of_nat (length e) + sum low others <= price (Guess (decode g) next) e.
Proof using decode_ranks key_answer key_others nodup_others.
  intros Hg He Hs Hlow.
  set (later := fun s => if code_eq_dec (decode g) (decode s) then 0 else cost (next (answer (decode g) (decode s))) (decode s)).
  assert (E : price (Guess (decode g) next) e = Z.of_nat (length e) + sum later e).
  { unfold price. rewrite (sum_ext _ (fun s => 1 + later s)).
    - rewrite (sum_add (fun _ => 1)), sum_const. lia.
    - intros s _. simpl. unfold later. destruct code_eq_dec; lia. }
  rewrite E. clear E.
  enough (sum low others <= sum later e) by lia.
  etransitivity; [|apply (sum_parts_le later (key g) others e nodup_others)].
  2:{ intros s _. unfold later. destruct code_eq_dec; [lia|apply cost_nonneg]. }
  apply sum_le. intros k Hk. fold (part g k e).
  assert (Hp : forall s, In s (part g k e) -> In s ranks /\ decode g <> decode s /\ key g s = k).
  { intros s Hin. apply part_in in Hin as [Hin <-]. split; [auto|]. split; [|reflexivity].
    intros E. apply decode_inj in E; auto. revert E. apply key_others; auto. }
  destruct (part g k e) as [|s0 p] eqn:Ep.
  - specialize (Hlow k (0%nat, 0%nat) Hk). rewrite Ep in Hlow. apply Hlow. intros s [].
  - set (f := answer (decode g) (decode s0)).
    assert (Hf : forall s, In s (s0 :: p) -> answer (decode g) (decode s) = f).
    { intros s Hin. destruct (Hp s Hin) as (? & _ & ?). destruct (Hp s0 (or_introl eq_refl)) as (? & _ & ?).
      apply key_answer; auto. congruence. }
    rewrite (sum_ext later (fun s => cost (next f) (decode s))).
    + rewrite <- Ep in Hf, Hp |- *. apply Hlow; auto. intros s Hin.
      destruct (Hp s Hin) as (_ & Hn & _). rewrite <- (Hf s Hin). apply part_in in Hin as [Hin _].
      specialize (Hs s Hin). simpl in Hs. destruct Hs; [contradiction|assumption].
    + intros s Hin. unfold later. rewrite (Hf s Hin). destruct code_eq_dec; [|reflexivity].
      destruct (Hp s Hin) as (_ & ? & _). contradiction.
Qed.

(** ** The size bound

    [d] guesses find at most [reach d] secrets: one, and [reach (d - 1)] for each of the other answers. *)

Fixpoint reach (d : nat) : Z :=
  match d with O => 0 | S d' => 1 + Z.of_nat (length others) * reach d' end.

Fixpoint within (d : nat) (t : strategy) (s : code) : Z :=
  match d, t with
  | S d', Guess g next => if code_eq_dec g s then 1 else within d' (next (answer g s)) s
  | _, _ => 0
  end.

Lemma within_range d t s : 0 <= within d t s <= 1.
Proof. revert t. induction d as [|d IH]; intros [|g next]; simpl; try lia. destruct code_eq_dec; [lia|apply IH]. Qed.

Lemma count_one g e : NoDup e -> sum (fun _ => 1) (filter (fun s => s =? g)%uint63 e) <= 1.
Proof.
  induction 1 as [|s e Hs He IH]; simpl; [lia|]. destruct (int_eqb_spec s g) as [->|_]; [|exact IH].
  simpl. enough (filter (fun s => s =? g)%uint63 e = []) as -> by (simpl; lia).
  clear IH He. induction e as [|x e IH]; simpl; [reflexivity|]. simpl in Hs.
  destruct (int_eqb_spec x g); [subst; tauto|]. apply IH. tauto.
Qed.

Lemma reach_bound d t e : NoDup e -> incl e ranks -> lawful t -> sum (fun s => within d t (decode s)) e <= reach d.
Proof using decode_ranks key_answer key_others.
  revert t e. induction d as [|d IH]; intros t e Hn He Hl.
  { simpl. rewrite sum_const. lia. }
  destruct t as [|c next].
  { simpl. rewrite sum_const. assert (0 <= reach d) by (clear; induction d; simpl; lia). nia. }
  destruct Hl as [Hc Hl]. destruct (rank_of c Hc) as (g & Hg & <-).
  rewrite (sum_split _ (fun s => s =? g)%uint63 e).
  set (e' := filter (fun s => negb (s =? g)%uint63) e).
  assert (He' : forall s, In s e' -> In s e /\ s <> g).
  { intros s Hin. apply filter_In in Hin as [Hin Hneg]. split; [assumption|].
    revert Hneg. destruct (int_eqb_spec s g); [simpl; discriminate|auto]. }
  assert (sum (fun s => within (S d) (Guess (decode g) next) (decode s)) (filter (fun s => s =? g)%uint63 e) <= 1).
  { etransitivity; [|apply (count_one g e Hn)]. apply sum_le. intros. apply within_range. }
  enough (sum (fun s => within (S d) (Guess (decode g) next) (decode s)) e' <= Z.of_nat (length others) * reach d).
  { cbn [reach]. lia. }
  etransitivity; [apply (sum_parts_ge _ (key g) others)|].
  { intros s Hin. split; [apply within_range|]. destruct (He' s Hin). apply key_others; auto. }
  rewrite Z.mul_comm, <- sum_const. apply sum_le. intros k Hk. fold (part g k e').
  assert (Hp : forall s, In s (part g k e') -> In s ranks /\ decode g <> decode s /\ key g s = k).
  { intros s Hin. apply part_in in Hin as [Hin <-]. destruct (He' s Hin) as [Hin' Hne]. split; [auto|].
    split; [|reflexivity]. intros E. apply decode_inj in E; auto. }
  destruct (part g k e') as [|s0 p] eqn:Ep.
  { simpl. clear. induction d; simpl; lia. }
  rewrite (sum_ext _ (fun s => within d (next (answer (decode g) (decode s0))) (decode s))).
  - rewrite <- Ep. apply IH; auto.
    + apply NoDup_filter, NoDup_filter, Hn.
    + intros s Hin. rewrite Ep in Hin. apply Hp, Hin.
  - intros s Hin. destruct (Hp s Hin) as (? & Hne & ?). destruct (Hp s0 (or_introl eq_refl)) as (? & _ & ?).
    simpl. destruct code_eq_dec; [contradiction|]. f_equal. f_equal. apply key_answer; auto. congruence.
Qed.

(** A secret costs one guess for each depth that does not suffice for it. *)
Definition levels (depth : nat) (t : strategy) (s : code) : Z := sum (fun d => 1 - within d t s) (seq 0 depth).

Lemma levels_le_cost depth t s : solves t s -> levels depth t s <= cost t s.
Proof.
  unfold levels. revert depth. induction t as [|g next IH]; intros depth; simpl; [intros []|]. intros Hs.
  destruct depth as [|depth]; [simpl; destruct code_eq_dec; [lia|]; pose proof (cost_nonneg (next (answer g s)) s); lia|].
  cbn [seq sum]. rewrite <- seq_shift, sum_map. simpl. destruct code_eq_dec as [|n].
  - rewrite (sum_const (1 - 1)). lia.
  - destruct Hs as [|Hs]; [contradiction|]. specialize (IH _ depth Hs). lia.
Qed.

Definition size (depth : nat) (n : Z) : Z := sum (fun d => Z.max 0 (n - reach d)) (seq 0 depth).

Lemma size_mono depth m n : m <= n -> size depth m <= size depth n.
Proof. intros H. apply sum_le. intros. lia. Qed.

Lemma size_bound depth e : NoDup e -> incl e ranks -> bound e (size depth (Z.of_nat (length e))).
Proof using decode_ranks key_answer key_others.
  intros Hn He t Hl Hs. transitivity (sum (fun s => levels depth t (decode s)) e).
  2:{ apply sum_le. intros s Hin. apply levels_le_cost, Hs, Hin. }
  unfold size, levels.
  assert (E : forall l, sum (fun s => sum (fun d => 1 - within d t (decode s)) l) e
                        = sum (fun d => Z.of_nat (length e) - sum (fun s => within d t (decode s)) e) l).
  { induction l as [|d l IHl]; simpl; [rewrite sum_const; lia|]. rewrite sum_add, IHl. f_equal.
    rewrite (sum_ext _ (fun s => 1 + (-1) * within d t (decode s))) by (intros; lia).
    rewrite sum_add, sum_const. enough (sum (fun s => -1 * within d t (decode s)) e = - sum (fun s => within d t (decode s)) e) by lia.
    clear. induction e; simpl; lia. }
  rewrite E. apply sum_le. intros d _. pose proof (reach_bound d t e Hn He Hl).
  assert (sum (fun s => within d t (decode s)) e <= sum (fun _ => 1) e) by (apply sum_le; intros; apply within_range).
  rewrite sum_const in *. lia.
Qed.

(** ** Symmetry

    A map of codes that preserves answers carries a bound from an image to its preimage. *)

Fixpoint relabel (m : code -> code) (t : strategy) : strategy :=
  match t with Stop => Stop | Guess g next => Guess (m g) (fun f => relabel m (next f)) end.

Lemma relabel_cost m (Hm : forall c, is_code c -> is_code (m c))
  (Ha : forall c d, is_code c -> is_code d -> answer (m c) (m d) = answer c d)
  (Hi : forall c d, is_code c -> is_code d -> m c = m d -> c = d) t s :
  lawful t -> is_code s ->
  lawful (relabel m t) /\ cost (relabel m t) (m s) = cost t s /\ (solves t s -> solves (relabel m t) (m s)).
Proof.
  intros Hl Hs. induction t as [|g next IH]; simpl; [auto|]. destruct Hl as [Hg Hl].
  split; [|split].
  - split; [auto|]. intros f. apply IH, Hl.
  - rewrite Ha by assumption. destruct (IH (answer g s) (Hl _)) as (_ & -> & _).
    destruct (code_eq_dec (m g) (m s)) as [E|E], (code_eq_dec g s) as [E'|E']; try reflexivity.
    + apply Hi in E; auto. contradiction.
    + subst. contradiction.
  - rewrite Ha by assumption. intros [->|H]; [auto|]. right. apply IH; auto.
Qed.

Lemma bound_relabel m (Hm : forall c, is_code c -> is_code (m c))
  (Ha : forall c d, is_code c -> is_code d -> answer (m c) (m d) = answer c d)
  (Hi : forall c d, is_code c -> is_code d -> m c = m d -> c = d) (inverse : int -> int) e b :
  (forall s, In s e -> In (inverse s) ranks /\ m (decode (inverse s)) = decode s) -> bound e b -> bound (map inverse e) b.
Proof using decode_ranks.
  intros H Hb t Hl Hs. unfold price. rewrite sum_map.
  transitivity (price (relabel m t) e).
  - apply Hb.
    + destruct e as [|s e].
      * clear - Hl Hm. induction t as [|g next IH]; simpl in *; [auto|]. destruct Hl. split; auto.
      * destruct (H s (or_introl eq_refl)). apply (relabel_cost m Hm Ha Hi t (decode (inverse s))); auto. apply decode_is_code; auto.
    + intros s Hin. destruct (H s Hin) as [Hr <-]. apply relabel_cost; auto; [apply decode_is_code; auto|]. apply Hs, in_map, Hin.
  - unfold price. apply Z.eq_le_incl, sum_ext. intros s Hin. destruct (H s Hin) as [Hr <-].
    apply relabel_cost; auto. apply decode_is_code; auto.
Qed.

End Codes.

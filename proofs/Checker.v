(** * The checker

    A certificate is a list of entries. An entry claims that the secrets in a set cost at least [low] guesses, and has hints
    for the guesses whose parts are too small for the size bound to show it. A hint names a part, an earlier entry and a
    symmetry that carries the earlier entry into the part. The last entry is about all codes.

    Tables are built by functions about which nothing is proven; [valid] compares the tables with the definitions. Integers
    wrap around at 2^63, which is harmless: only lower bounds are added, and a sum that wraps is smaller than the true sum. *)

From Coq Require Import List Arith ZArith Lia Bool Permutation Uint63 PArray.
From Pegwise Require Import Game Bounds Symmetry.
Import ListNotations. Local Open Scope uint63_scope. Local Open Scope array_scope. Notation length := List.length.

(** ** Lists and arrays *)

(** [forallb], but stops at the first [false] under call by value. *)
Fixpoint all {A} (f : A -> bool) (l : list A) : bool :=
  match l with [] => true | a :: l' => if f a then all f l' else false end.

Lemma all_spec {A} (f : A -> bool) l : all f l = true -> forall a, In a l -> f a = true.
Proof. induction l as [|a l IH]; simpl; [intros _ b []|]. destruct (f a) eqn:E; [|discriminate]. intros H b [<-|Hb]; auto.
Qed.

(** Whether [e] is a subsequence of [l]. *)
Fixpoint sublist (e l : list int) : bool :=
  match e, l with [], _ => true | _, [] => false | s :: e', x :: l' => if s =? x then sublist e' l' else sublist e l' end.

Lemma sublist_spec e l : sublist e l = true -> incl e l /\ (NoDup l -> NoDup e).
Proof. revert e. induction l as [|x l IH]; intros [|s e]; simpl; try discriminate.
  1, 2: intros _; split; [intros ? []|constructor].
  destruct (int_eqb_spec s x) as [<-|_]; intros H; apply IH in H as [Hi Hn].
  - split; [intros y [<-|Hy]; [left|right]; auto|]. intros Hd. inversion_clear Hd. constructor; auto.
  - split; [intros y Hy; right; auto|]. intros Hd. inversion_clear Hd. auto. Qed.

Fixpoint same_code (c d : code) : bool :=
  match c, d with [], [] => true | x :: c', y :: d' => if Nat.eqb x y then same_code c' d' else false | _, _ => false end.

Lemma same_code_spec c d : same_code c d = true <-> c = d.
Proof. revert d. induction c as [|x c IH]; intros [|y d]; simpl; try (split; congruence).
  destruct (Nat.eqb_spec x y) as [->|]; [rewrite IH|]; split; congruence. Qed.

(** The only facts about arrays: what holds of every cell and of a new value holds of every cell after a change. *)
Lemma set_all {A : Set} (Q : int -> A -> Prop) (a : array A) j v :
  (forall i, Q i a.[i]) -> Q j v -> forall i, Q i a.[j <- v].[i].
Proof. intros Ha Hv i. destruct (int_eqb_spec j i) as [<-|N].
  - destruct (j <? PArray.length a) eqn:E; [rewrite get_set_same; assumption|].
    rewrite get_out_of_bounds by (rewrite length_set; exact E). rewrite default_set.
    rewrite <- (get_out_of_bounds _ a j E). apply Ha.
  - rewrite get_set_other by exact N. apply Ha. Qed.

Lemma make_all {A : Set} (Q : int -> A -> Prop) n v : (forall i, Q i v) -> forall i, Q i (make n v).[i].
Proof. intros H i. rewrite get_make. apply H. Qed.

(** Fills an array with a function of the index. *)
Definition tabulate {A : Set} (n : int) (default : A) (f : int -> A) (l : list int) : array A :=
  fold_left (fun a i => a.[i <- f i]) l (make n default).

Lemma tabulate_all {A : Set} (Q : int -> A -> Prop) n v f l :
  (forall i, Q i v) -> (forall i, In i l -> Q i (f i)) -> forall i, Q i (tabulate n v f l).[i].
Proof. intros Hv Hf. unfold tabulate.
  enough (H : forall a : array A, (forall i, Q i a.[i]) -> forall i, Q i (fold_left (fun a i => a.[i <- f i]) l a).[i])
    by (apply H, make_all, Hv). induction l as [|j l IH]; intros a Ha; simpl; [exact Ha|].
  apply IH; [intros i Hi; apply Hf; right; exact Hi|]. apply set_all; [exact Ha|]. apply Hf. left. reflexivity. Qed.

(** Marks the elements of a list. *)
Definition mask (n : int) (l : list int) : array bool := tabulate n false (fun _ => true) l.

Lemma mask_spec n l i : (mask n l).[i] = true -> In i l.
Proof. apply (tabulate_all (fun i v => v = true -> In i l)); [discriminate|auto]. Qed.

(** Counts the secrets of each part. *)
Definition histogram (n : int) (row : array int) (e : list int) : array int :=
  fold_left (fun h s => let k := row.[s] in h.[k <- h.[k] + 1]) e (make n 0).

Lemma add_le (a b : int) : (to_Z (a + b) <= to_Z a + to_Z b)%Z.
Proof. rewrite add_spec. apply Z.mod_le; [|reflexivity]. pose proof (to_Z_bounded a). pose proof (to_Z_bounded b). lia. Qed.

Definition cardinal (e : list int) : int := of_Z (Z.of_nat (length e)).

Lemma of_Z_le z : (0 <= z -> to_Z (of_Z z) <= z)%Z.
Proof. intros H. rewrite of_Z_spec. apply Z.mod_le; [exact H|reflexivity]. Qed.

Lemma histogram_le n row e k :
  (to_Z (histogram n row e).[k] <= Z.of_nat (length (filter (fun s => (row.[s] =? k)%uint63) e)))%Z.
Proof. unfold histogram. set (f := fun (h : array int) s => let k := row.[s] in h.[k <- h.[k] + 1]).
  enough (H : forall (h : array int) (c : int -> Z), (forall i, to_Z h.[i] <= c i)%Z ->
    (forall i, to_Z (fold_left f e h).[i] <= c i + Z.of_nat (length (filter (fun s => (row.[s] =? i)%uint63) e)))%Z).
  { specialize (H (make n 0) (fun _ => 0%Z)). apply H. intros i. rewrite get_make. reflexivity. }
  induction e as [|s e IH]; intros h c Hc i; cbn [fold_left filter].
  - specialize (Hc i). simpl. lia.
  - specialize (IH (f h s) (fun i => c i + (if (row.[s] =? i)%uint63 then 1 else 0))%Z). etransitivity; [apply IH|].
    + apply (set_all (fun i v => to_Z v <= c i + (if (row.[s] =? i)%uint63 then 1 else 0))%Z).
      * intros j. specialize (Hc j). destruct (row.[s] =? j); lia.
      * rewrite eqb_refl. etransitivity; [apply add_le|]. specialize (Hc (row.[s])). change (to_Z 1) with 1%Z. lia.
    + destruct ((row.[s] =? i)%uint63); simpl length; lia. Qed.

(** ** Tables *)

(** A symmetry, and the weights with which its inverse is computed from the digits of a rank. *)
Record symmetry := Symmetry { positions : list nat; recoloring : list nat; weights : list (array int) }.

Record tables := Tables {
  count : int;                              (* number of codes *)
  ranks : list int;                         (* 0, ..., count - 1 *)
  decoded : array code;                     (* by rank *)
  digits : array (list int);                (* the same as integers *)
  color_set : array int;                    (* by rank: the colors of the code as bits *)
  rows : array (array int);                 (* keys of the answers, by guess and secret *)
  answers : array feedback;                 (* by key *)
  others : list int;                        (* keys of all answers but the winning one *)
  sizes : array int;                        (* the size bound, by number of secrets *)
  groups : array (list nat * list int);     (* by set of colors: the absent colors, and the guesses to try *)
}.

Record entry := Entry { secrets : list int; low : int; hints : list int }.
Record certificate := Certificate { symmetries : list symmetry; entries : list entry }.

(** [answer] for codes whose colors have been counted. *)
Definition quick_answer (c n d m : list nat) : feedback :=
  let b := blacks c d in (b, list_sum (map (fun '(i, j) => min i j) (combine n m)) - b)%nat.

Section Checker. Variables pegs colors : nat.

Definition depth : nat := 12. (* of the size bound *)

Section Tables. Variable tb : tables.

Definition decode (r : int) : code := (decoded tb).[r].
Definition key (g s : int) : int := (rows tb).[g].[s].

Definition valid_rows : bool :=
  let known := List.map (fun r => let c := decode r in (r, (c, occurrences colors c))) (ranks tb) in
  let other := mask 64 (others tb) in
  all (fun '(g, (c, n)) =>
    let row := (rows tb).[g] in
    if existsb (eqb row.[g]) (others tb) then false
    else all (fun '(s, (d, m)) =>
      let k := row.[s] in
      if equal_answers (answers tb).[k] (quick_answer c n d m) then if g =? s then true else other.[k] else false) known) known.

Definition valid_group (group : list nat * list int) : Prop :=
  forall c, is_code pegs colors c -> exists r, In r (snd group) /\ In r (ranks tb) /\ decode r = merge (fst group) c.

Definition valid_tables : bool :=
  (if list_eq_dec code_eq_dec (map decode (ranks tb)) (codes pegs colors) then true else false)
  && sublist (others tb) (ranks tb) && valid_rows.

Definition size_table (n : int) : array int :=
  tabulate (n + 1) 0 (fun i => of_Z (size (others tb) depth (to_Z i))) (n :: ranks tb).

(** The guesses that stand for all if the colors with [is_absent] are absent. *)
Definition group (is_absent : nat -> bool) : list nat * list int :=
  let absent := filter is_absent (seq 0 colors) in
  (absent, filter (fun r => same_code (merge absent (decode r)) (decode r)) (ranks tb)).

(** ** One guess *)

(** Guess and key, number of the symmetry, and number of the earlier entry are packed into 18, 20 and 25 bits. *)
Definition tag (g k : int) : int := (g << 5) lor k.
Definition hint_tag (h : int) : int := h land 262143.
Definition hint_symmetry (h : int) : int := (h >> 18) land 1048575.
Definition hint_entry (h : int) : int := h >> 38.

(** A rank that the symmetry [y] takes to [s], if its weights are right. *)
Fixpoint weigh (ws : list (array int)) (ds : list int) (sum : int) : int :=
  match ws, ds with w :: ws', d :: ds' => weigh ws' ds' (sum + w.[d]) | _, _ => sum end.

Definition inverse (y : symmetry) (s : int) : int := weigh (weights y) (digits tb).[s] 0.

Variables (given : array symmetry) (proven : array (list int * int)).

Section Guess. Variables (present : array bool) (g : int) (row : array int) (parts : array int).

Definition hint_fits (k : int) (y : symmetry) (e : list int) : bool :=
  all (fun s => let d := inverse y s in
    if present.[d] then
      if row.[d] =? k then same_code (act (positions y) (recoloring y) (decode d)) (decode s) else false
    else false) e.

(** The bound of an earlier entry, if its image is contained in the part. *)
Definition hint_bound (k h : int) : int :=
  let '(e, b) := proven.[hint_entry h] in if hint_fits k given.[hint_symmetry h] e then b else 0.

(** The sum of the bounds of the parts [ks], and the hints that are left. *)
Fixpoint parts_bound (ks : list int) (hs : list int) (sum : int) : int * list int :=
  match ks with
  | [] => (sum, hs)
  | k :: ks' =>
    if match hs with [] => false | h :: _ => hint_tag h =? tag g k end then parts_bound ks' (tl hs) (sum + hint_bound k (hd 0 hs))
    else parts_bound ks' hs (sum + (sizes tb).[parts.[k]])
  end.
End Guess.

(** A guess to which all secrets give the same answer only wastes a turn. *)
Definition unsplit (row : array int) (e : list int) : bool :=
  match e with
  | [] => false
  | s :: _ => let k := row.[s] in if existsb (eqb k) (others tb) then all (fun s' => row.[s'] =? k) e else false
  end.

Definition check_guess (present : array bool) (e : list int) (n low g : int) (hs : list int) : bool * list int :=
  let row := (rows tb).[g] in
  let '(sum, hs') := parts_bound present g row (histogram 64 row e) (others tb) hs 0 in
  (if low <=? n + sum then true else unsplit row e, hs').

Fixpoint check_guesses (present : array bool) (e : list int) (n low : int) (gs hs : list int) : bool :=
  match gs with
  | [] => true
  | g :: gs' => let '(ok, hs') := check_guess present e n low g hs in if ok then check_guesses present e n low gs' hs' else false
  end.

Definition check_entry (x : entry) : bool :=
  let e := secrets x in
  let '(absent, gs) := (groups tb).[fold_left (fun a s => a lor (color_set tb).[s]) e 0] in
  if match e with [] => false | _ => sublist e (ranks tb) end then
    if all (fun s => let c := decode s in all (fun x => negb (member x c)) absent) e
    then check_guesses (mask (count tb) e) e (cardinal e) (low x) gs (hints x) else false
  else false.

(** ** Soundness *)

Notation others := (others tb). Notation ranks := (ranks tb). Notation part := (part key).
Notation bound := (bound pegs colors decode). Notation price := (price colors decode).
Notation solves_all := (solves_all colors decode). Notation lawful := (lawful pegs colors).

Hypothesis Hvalid : valid_tables = true.

Lemma decode_ranks : map decode ranks = codes pegs colors.
Proof using Hvalid. unfold valid_tables in Hvalid. apply andb_true_iff in Hvalid as [H _]. apply andb_true_iff in H as [H _].
  destruct list_eq_dec; [assumption|discriminate]. Qed.
Lemma nodup_others : NoDup others.
Proof using Hvalid. pose proof (nodup_ranks _ _ _ _ decode_ranks) as Hn.
  unfold valid_tables in Hvalid. apply andb_true_iff in Hvalid as [H _]. apply andb_true_iff in H as [_ H].
  apply sublist_spec in H. apply H, Hn. Qed.

Lemma rows_spec g s : In g ranks -> In s ranks -> existsb (eqb (key g g)) others = false /\
  (answers tb).[key g s] = answer colors (decode g) (decode s) /\ (g <> s -> In (key g s) others).
Proof using Hvalid. intros Hg Hs. unfold valid_tables in Hvalid. apply andb_true_iff in Hvalid as [_ H]. unfold valid_rows in H.
  set (known := map _ _) in H. assert (K : forall r, In r ranks -> In (r, (decode r, occurrences colors (decode r))) known).
  { intros r Hr. unfold known. apply (in_map (fun r => (r, (decode r, occurrences colors (decode r)))) _ _ Hr). }
  apply all_spec with (a := (g, (decode g, occurrences colors (decode g)))) in H; [|apply K, Hg].
  cbv beta iota zeta in H. change ((rows tb).[g].[g]) with (key g g) in H.
  destruct (existsb (eqb (key g g)) others); [discriminate|]. split; [reflexivity|].
  apply all_spec with (a := (s, (decode s, occurrences colors (decode s)))) in H; [|apply K, Hs].
  cbv beta iota zeta in H. change ((rows tb).[g].[s]) with (key g s) in H.
  destruct equal_answers eqn:E; [|discriminate]. apply equal_answers_spec in E. split; [exact E|]. intros N.
  revert H. destruct (int_eqb_spec g s); [contradiction|]. apply mask_spec. Qed.

Lemma key_answer g s s' : In g ranks -> In s ranks -> In s' ranks -> key g s = key g s' ->
  answer colors (decode g) (decode s) = answer colors (decode g) (decode s').
Proof using Hvalid. intros Hg Hs Hs' E. destruct (rows_spec g s Hg Hs) as (_ & <- & _), (rows_spec g s' Hg Hs') as (_ & <- & _).
  rewrite E. reflexivity. Qed.

Lemma key_others g s : In g ranks -> In s ranks -> g <> s <-> In (key g s) others.
Proof using Hvalid. intros Hg Hs. split; [apply rows_spec; assumption|]. intros Hin <-.
  destruct (rows_spec g g Hg Hg) as (H & _). enough (existsb (eqb (key g g)) others = true) by congruence.
  apply existsb_exists. exists (key g g). split; [assumption|apply eqb_refl]. Qed.

Lemma group_valid is_absent : valid_group (group is_absent).
Proof using Hvalid. intros c Hc. cbn [group fst snd]. set (absent := filter is_absent (seq 0 colors)).
  assert (Hm : is_code pegs colors (merge absent c)).
  { apply merge_is_code; [|exact Hc]. intros x Hx. apply filter_In, proj1, in_seq in Hx. lia. }
  destruct (rank_of _ _ _ _ decode_ranks _ Hm) as (r & Hr & Er). exists r. split; [|auto].
  apply filter_In. split; [exact Hr|]. apply same_code_spec. rewrite Er. apply merge_idempotent. Qed.

Definition valid_symmetry (y : symmetry) : Prop :=
  Permutation (seq 0 pegs) (positions y) /\ Permutation (seq 0 colors) (recoloring y).

Definition valid_claim (claim : list int * int) : Prop :=
  NoDup (fst claim) /\ incl (fst claim) ranks /\ bound (fst claim) (to_Z (snd claim)).

Hypothesis Hsizes : forall i, (to_Z (sizes tb).[i] <= size others depth (to_Z i))%Z.
Hypothesis Hgroups : forall i, valid_group (groups tb).[i].
Hypothesis Hgiven : forall i, valid_symmetry given.[i].
Hypothesis Hproven : forall i, valid_claim proven.[i].

Section Entry. Variables (e : list int) (present : array bool).
Hypotheses (Hnodup : NoDup e) (Hincl : incl e ranks).
Hypothesis Hpresent : forall d, present.[d] = true -> In d e.

Lemma part_size g k : In g ranks -> bound (part g k e) (to_Z (sizes tb).[(histogram 64 (rows tb).[g] e).[k]]).
Proof using Hvalid Hsizes Hnodup Hincl.
  intros Hg t Hl Hs. etransitivity; [apply Hsizes|]. transitivity (size others depth (Z.of_nat (length (part g k e)))).
  - apply size_mono, histogram_le.
  - apply (size_bound _ _ _ _ _ _ decode_ranks key_answer key_others); auto.
    + apply NoDup_filter, Hnodup.
    + intros s Hin. apply filter_In in Hin. apply Hincl, Hin. Qed.

Lemma hint_sound g k h : In g ranks -> bound (part g k e) (to_Z (hint_bound present (rows tb).[g] k h)).
Proof using Hvalid Hgiven Hproven Hincl Hpresent. intros Hg. unfold hint_bound. pose proof (Hproven (hint_entry h)) as Hc.
  destruct proven.[hint_entry h] as [e' b]. destruct Hc as (Hn & Hi & Hb). cbn [fst snd] in *.
  destruct hint_fits eqn:E; [|apply bound_nonpositive; reflexivity].
  set (y := given.[hint_symmetry h]) in *. destruct (Hgiven (hint_symmetry h)) as [Hp Hq]. fold y in Hp, Hq.
  assert (F : forall s, In s e' -> In (inverse y s) (part g k e) /\ act (positions y) (recoloring y) (decode (inverse y s)) = decode s).
  { intros s Hs. apply all_spec with (a := s) in E; [|exact Hs]. cbv zeta in E.
    destruct present.[inverse y s] eqn:P; [|discriminate]. apply Hpresent in P.
    change ((rows tb).[g].[inverse y s]) with (key g (inverse y s)) in E.
    destruct (int_eqb_spec (key g (inverse y s)) k) as [K|]; [|discriminate].
    split; [apply part_in; auto|apply same_code_spec, E]. } assert (R : forall s, In s e' -> In (inverse y s) ranks).
  { intros s Hs. apply F in Hs as [Hs _]. apply part_in in Hs. apply Hincl, Hs. }
  apply (bound_incl _ _ _ (map (inverse y) e')).
  - clear - F Hn Hi Hvalid. induction Hn as [|s l Hs Hn IH]; simpl; constructor.
    + intros Hin. apply in_map_iff in Hin as (s' & E & Hs'). apply Hs. enough (s' = s) by congruence.
      apply (decode_inj _ _ _ _ decode_ranks); [apply Hi; right; exact Hs'|apply Hi; left; reflexivity|].
      rewrite <- (proj2 (F s' (or_intror Hs'))), <- (proj2 (F s (or_introl eq_refl))), E. reflexivity.
    + apply IH; [intros x Hx; apply Hi; right; exact Hx|]. intros x Hx. apply F. right. exact Hx.
  - intros d Hd. apply in_map_iff in Hd as (s & <- & Hs). apply F, Hs.
  - apply (bound_relabel _ _ ranks _ decode_ranks (act (positions y) (recoloring y))); [| | |exact Hb].
    + apply act_is_code; assumption.
    + intros c d. apply act_answer; assumption.
    + intros s Hs. split; [apply R, Hs|apply F, Hs]. Qed.

Lemma parts_bound_sound g ks : In g ranks -> NoDup ks -> forall hs sum0,
  exists lows : int -> Z, (forall k, In k ks -> bound (part g k e) (lows k)) /\
  (to_Z (fst (parts_bound present g (rows tb).[g] (histogram 64 (rows tb).[g] e) ks hs sum0)) <= to_Z sum0 + sum lows ks)%Z.
Proof using Hvalid Hsizes Hgiven Hproven Hnodup Hincl Hpresent.
  intros Hg. set (parts := histogram 64 (rows tb).[g] e). induction 1 as [|k ks Hk Hks IH]; intros hs sum0.
  { exists (fun _ => 0%Z). split; [intros k []|]. simpl. lia. }
  assert (C : forall b hs', bound (part g k e) (to_Z b) -> exists lows : int -> Z,
    (forall k', In k' (k :: ks) -> bound (part g k' e) (lows k')) /\
    (to_Z (fst (parts_bound present g (rows tb).[g] parts ks hs' (sum0 + b))) <= to_Z sum0 + sum lows (k :: ks))%Z).
  { intros b hs' Hb. destruct (IH hs' (sum0 + b)) as (lows & Hl & Hle).
    exists (fun k' => if k' =? k then to_Z b else lows k'). split.
    - intros k' [<-|Hin]; [rewrite eqb_refl; exact Hb|]. destruct (int_eqb_spec k' k) as [->|]; auto.
    - cbn [sum]. rewrite eqb_refl. rewrite (sum_ext _ lows ks).
      + pose proof (add_le sum0 b). lia.
      + intros k' Hin. destruct (int_eqb_spec k' k) as [->|]; [contradiction|reflexivity]. }
  cbn [parts_bound]. destruct (match hs with [] => _ | _ => _ end); apply C; [apply hint_sound|apply part_size]; exact Hg. Qed.

Lemma check_guess_sound n b g hs next : In g ranks -> (to_Z n <= Z.of_nat (length e))%Z ->
  fst (check_guess present e n b g hs) = true -> lawful (Guess (decode g) next) -> solves_all (Guess (decode g) next) e ->
  (forall f, solves_all (next f) e -> (to_Z b <= price (next f) e)%Z) -> (to_Z b <= price (Guess (decode g) next) e)%Z.
Proof using Hvalid Hsizes Hgiven Hproven Hnodup Hincl Hpresent. intros Hg Hn H [_ Hl] Hs IH. unfold check_guess in H.
  destruct (parts_bound_sound g others Hg nodup_others hs 0) as (lows & Hlows & Hle).
  destruct parts_bound as [total hs']. cbn [fst] in *. change (to_Z 0) with 0%Z in Hle.
  destruct (b <=? n + total)%uint63 eqn:E.
  - apply leb_spec in E. pose proof (add_le n total).
    enough (Z.of_nat (length e) + sum lows others <= price (Guess (decode g) next) e)%Z by lia.
    apply (step _ _ _ _ _ _ decode_ranks key_answer key_others nodup_others); auto. intros k f Hk Hf. apply Hlows; auto.
  - unfold unsplit in H. destruct e as [|s0 e0] eqn:Ee; [discriminate|]. rewrite <- Ee in *.
    set (k0 := (rows tb).[g].[s0]) in H. destruct (existsb (eqb k0) others) eqn:Ek; [|discriminate].
    assert (P : part g k0 e = e).
    { assert (F : forall s, In s e -> (key g s =? k0) = true) by (intros s Hin; apply (all_spec _ _ H s Hin)).
      clear - F. unfold Bounds.part. induction e as [|s l IHl]; simpl; [reflexivity|].
      rewrite (F s (or_introl eq_refl)). f_equal. apply IHl. intros x Hx. apply F. right. exact Hx. }
    transitivity (Z.of_nat (length e) + sum (fun k => if (k0 =? k)%uint63 then to_Z b else 0%Z) others)%Z.
    + apply existsb_exists in Ek as (k & Hk & E'). destruct (int_eqb_spec k0 k) as [<-|]; [|discriminate].
      pose proof (to_Z_bounded b). pose proof (pick_ge (to_Z b) k0 others ltac:(lia) Hk). lia.
    + apply (step _ _ _ _ _ _ decode_ranks key_answer key_others nodup_others); auto.
      intros k f Hk Hf. destruct (int_eqb_spec k0 k) as [<-|].
      * rewrite P in *. apply IH, Hf.
      * apply (bound_nonpositive pegs colors decode _ 0 (Z.le_refl 0) (next f)); auto. Qed.

Lemma check_guesses_sound n b gs hs : check_guesses present e n b gs hs = true ->
  forall g, In g gs -> exists hs', fst (check_guess present e n b g hs') = true.
Proof. revert hs. induction gs as [|g gs IH]; simpl; intros hs H; [intros g []|].
  destruct (check_guess present e n b g hs) as [ok hs'] eqn:E. destruct ok; [|discriminate].
  intros g' [<-|Hin]; [exists hs; rewrite E; reflexivity|]. exact (IH hs' H g' Hin). Qed.
End Entry.

(** Guesses with the same answers are worth the same. *)
Lemma same_answers c c' s next : is_code pegs colors c -> is_code pegs colors c' -> is_code pegs colors s ->
  answer colors c s = answer colors c' s -> cost colors (Guess c next) s = cost colors (Guess c' next) s /\
  (solves colors (Guess c next) s -> solves colors (Guess c' next) s).
Proof. intros Hc Hc' Hs E. assert (W : c = s <-> c' = s) by (split; intros ->; apply (answer_wins pegs colors); congruence).
  cbn [cost solves]. rewrite E. destruct (code_eq_dec c s), (code_eq_dec c' s); intuition. Qed.

Theorem check_entry_sound x : check_entry x = true -> valid_claim (secrets x, low x).
Proof using Hvalid Hsizes Hgroups Hgiven Hproven. unfold check_entry. destruct x as [e b hs]. cbn [secrets low hints].
  pose proof (Hgroups (fold_left (fun a s => a lor (color_set tb).[s]) e 0)) as Hgroup.
  destruct (groups tb).[_] as [absent gs]. destruct e as [|s0 e0] eqn:Ee; [discriminate|]. rewrite <- Ee in *.
  destruct (sublist e ranks) eqn:E1; [|discriminate]. apply sublist_spec in E1 as [Hincl Hn].
  specialize (Hn (nodup_ranks _ _ _ _ decode_ranks)).
  destruct all eqn:E2; [|discriminate]. intros H. split; [exact Hn|]. split; [exact Hincl|]. cbn [fst snd].
  intros t. induction t as [|c next IH]; intros Hl Hs.
  { destruct (Hs s0). rewrite Ee. left. reflexivity. }
  destruct Hl as [Hc Hl]. destruct (Hgroup c Hc) as (g & Hg & Hr & Eg). cbn [fst snd] in *.
  assert (A : forall s, In s e -> cost colors (Guess c next) (decode s) = cost colors (Guess (decode g) next) (decode s) /\
                        (solves colors (Guess c next) (decode s) -> solves colors (Guess (decode g) next) (decode s))).
  { intros s Hin. apply same_answers; auto using (decode_is_code _ _ _ _ decode_ranks).
    rewrite Eg. symmetry. apply merge_answer. intros y Hy Hi.
    apply all_spec with (a := s) in E2; [|exact Hin]. apply all_spec with (a := y) in E2; [|exact Hy].
    destruct (member_spec y (decode s)); [discriminate|contradiction]. }
  unfold Bounds.price. rewrite (sum_ext _ (fun s => cost colors (Guess (decode g) next) (decode s)) e) by (intros; apply A; assumption).
  destruct (check_guesses_sound _ _ _ _ _ _ H g Hg) as (hs' & Hok).
  eapply check_guess_sound; [exact Hn|exact Hincl|apply mask_spec|exact Hr|apply of_Z_le, Zle_0_nat|exact Hok| | |].
  - split; [apply (decode_is_code _ _ _ _ decode_ranks), Hr|exact Hl].
  - intros s Hin. apply A; auto.
  - intros f Hf. apply IH; auto. Qed.
End Tables.

(** ** The whole certificate *)

Definition finish (tb : tables) : tables :=
  let absent i x := negb (bit i (of_Z (Z.of_nat x))) in
  let sets := map (fun i => of_Z (Z.of_nat i)) (seq 0 (2 ^ colors)) in
  Tables (count tb) (ranks tb) (decoded tb) (digits tb) (color_set tb) (rows tb) (answers tb) (others tb)
    (size_table tb (count tb)) (tabulate (1 << of_Z (Z.of_nat colors)) (group tb (fun _ => false)) (fun i => group tb (absent i)) sets).

Definition identity : symmetry := Symmetry (seq 0 pegs) (seq 0 colors) [].

Fixpoint load_symmetries (ys : list symmetry) (i : int) (given : array symmetry) : array symmetry :=
  match ys with
  | [] => given
  | y :: ys' => load_symmetries ys' (i + 1)
      (if is_permutation pegs (positions y) && is_permutation colors (recoloring y) then given.[i <- y] else given)
  end.

(** Checks the entries in order; the claims of the entries are then known for those that follow. *)
Fixpoint check_entries (tb : tables) (given : array symmetry) (xs : list entry) (i : int) (proven : array (list int * int))
    : option (int * array (list int * int)) :=
  match xs with
  | [] => Some (i, proven)
  | x :: xs' =>
    if check_entry tb given proven x then check_entries tb given xs' (i + 1) proven.[i <- (secrets x, low x)] else None
  end.

Definition check (tb : tables) (c : certificate) (best : Z) : bool :=
  let tb := finish tb in
  let given := load_symmetries (symmetries c) 0 (make (of_Z (Z.of_nat (length (symmetries c)))) identity) in
  if valid_tables tb then
    match check_entries tb given (entries c) 0 (make (of_Z (Z.of_nat (length (entries c)))) ([], 0)) with
    | Some (i, proven) => (best <=? to_Z (snd proven.[i - 1]))%Z
    | None => false
    end
  else false.

Lemma finish_sizes tb i : (to_Z (sizes (finish tb)).[i] <= size (others tb) depth (to_Z i))%Z.
Proof. apply (tabulate_all (fun i v => to_Z v <= size (others tb) depth (to_Z i))%Z); intros j; [|intros _; apply of_Z_le];
    apply sum_nonneg; intros; lia. Qed.
Lemma finish_groups tb : valid_tables (finish tb) = true -> forall i, valid_group tb (groups (finish tb)).[i].
Proof. intros H. apply (tabulate_all (fun _ => valid_group tb)); intros; apply group_valid, H. Qed.

Lemma load_symmetries_valid ys : forall i given, (forall j, valid_symmetry given.[j]) ->
  forall j, valid_symmetry (load_symmetries ys i given).[j].
Proof. induction ys as [|y ys IH]; intros i given H; simpl; [exact H|]. apply IH.
  destruct (_ && _) eqn:E; [|exact H]. apply andb_true_iff in E as [Ep Eq].
  apply (set_all (fun _ => valid_symmetry)); [exact H|]. split; apply is_permutation_spec; assumption. Qed.

Lemma check_entries_sound tb given xs : valid_tables (finish tb) = true -> (forall i, valid_symmetry given.[i]) ->
  forall i proven, (forall j, valid_claim (finish tb) proven.[j]) ->
  forall i' proven', check_entries (finish tb) given xs i proven = Some (i', proven') ->
  forall j, valid_claim (finish tb) proven'.[j].
Proof. intros Hv Hy. induction xs as [|x xs IH]; intros i proven Hp i' proven'; cbn [check_entries].
  - intros E. injection E as <- <-. exact Hp.
  - destruct check_entry eqn:E; [|discriminate]. apply IH. apply (set_all (fun _ => valid_claim (finish tb))); [exact Hp|].
    apply check_entry_sound with (given := given) (proven := proven); auto.
    + exact (finish_sizes tb).
    + exact (finish_groups tb Hv). Qed.

(** A certificate that passes proves its claim. *)
Theorem check_sound tb c best : check tb c best = true -> forall t, correct pegs colors t -> (best <= total pegs colors t)%Z.
Proof. unfold check. destruct (valid_tables (finish tb)) eqn:Hv; [|discriminate].
  destruct check_entries as [[i proven]|] eqn:E; [|discriminate]. intros H t [Hl Hs].
  apply check_entries_sound with (j := i - 1) in E as C; [|exact Hv| |].
  2:{ apply load_symmetries_valid. apply (make_all (fun _ => valid_symmetry)). intros. split; apply Permutation_refl. }
  2:{ apply (make_all (fun _ => valid_claim (finish tb))). intros _. split; [constructor|]. split; [intros ? []|].
      apply bound_nonpositive. reflexivity. }
  destruct proven.[i - 1] as [e b]. destruct C as (Hn & Hi & Hb). cbn [fst snd] in *. apply Z.leb_le in H.
  pose proof (decode_ranks (finish tb) Hv) as D.
  assert (T : total pegs colors t = price colors (decode (finish tb)) t (ranks (finish tb))).
  { unfold total, price. rewrite <- D. rewrite map_map. generalize (ranks (finish tb)).
    induction l as [|r l IHl]; simpl; [reflexivity|]. rewrite IHl. reflexivity. }
  rewrite T. etransitivity; [exact H|]. etransitivity; [apply Hb; [exact Hl|]|].
  - intros s Hin. apply Hs, (decode_is_code _ _ _ _ D), Hi, Hin.
  - apply sum_incl; auto. intros. apply cost_nonneg. Qed.
End Checker.

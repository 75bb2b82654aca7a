(* line 7: Fixpoint is not in the fragment *)
Definition positive n := match n with 0 => False | S _ => True end.
Definition large n := match n with 0 => False | S k => positive k end.
Lemma still_positive (b : bool) (e : b = true) (x m : nat) (hx : large x) :
  positive (match (if b then x else m) with 0 => m | S k => k end).
Proof. subst b. destruct x as [|x]; cbn in *; [contradiction|assumption]. Qed.
Fixpoint loop (n : nat) {struct n} : positive n -> False :=
  match n with
  | 0 => fun h => h
  | S m => fun _ =>
    let f (b : bool) (e : b = true) (x : nat) (hx : large x) :=
      let arg := match (if b then x else m) with 0 => m | S k => k end in
      loop arg (still_positive b e x m hx) in
    f true eq_refl 5 I
  end.
Theorem wrong : False.
Proof. exact (loop 1 I). Qed.

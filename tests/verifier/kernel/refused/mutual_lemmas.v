(* line 2: with is not in the fragment here: the full stop was expected *)
Lemma first (n : nat) : True with second (n : nat) : True.
Proof. trivial. Qed.

(* line 3: <: is not in the fragment: the virtual machine *)
Theorem t : 1 + 1 = 2.
Proof. exact (eq_refl <: 1 + 1 = 2). Qed.

(* line 3: vm_compute is not in the fragment: the virtual machine *)
Theorem t : 1 + 1 = 2.
Proof. vm_compute. reflexivity. Qed.

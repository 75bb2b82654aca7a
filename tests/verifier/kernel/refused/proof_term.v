(* line 3: Lemma is followed by Proof exact I; Proof was expected *)
Lemma t : True.
Proof exact I.

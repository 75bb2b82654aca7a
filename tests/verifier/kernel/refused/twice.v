(* line 3: size is declared twice, also in twice.v *)
Definition size : Z := 1.
Definition size : Z := 2.

(* line 2: False is a name of the library, and is declared again *)
Definition False : Prop := True.

(* line 2: Z is a name of the library, and is declared again *)
Definition Z : Set := bool.

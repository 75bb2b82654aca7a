(* line 2: > is not in the fragment here: a term was expected *)
Record claim := Claim { holds :> Prop; size : Z }.

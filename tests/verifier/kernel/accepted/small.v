(* A small theory, as the fragment has it: "induction" by the library, (* nested *) comments, bullets, brackets. *)
From Coq Require Import ZArith List Lia.
Import ListNotations.
Local Open Scope Z_scope.

Inductive sign := plus | minus.
Record signed := Signed { side : sign; size : Z }.

Definition value (x : signed) : Z := match side x with plus => size x | minus => - size x end.
Definition total (xs : list signed) : Z := fold_left (fun s x => s + value x) xs 0.

Example two : total [Signed plus 5; Signed minus 3] = 2.
Proof. reflexivity. Qed.

Lemma total_from xs s : fold_left (fun s x => s + value x) xs s = s + total xs.
Proof.
  unfold total. revert s. induction xs as [|x xs IH]; intros s; cbn [fold_left].
  - lia.
  - rewrite IH, (IH (0 + value x)). lia.
Qed.

Theorem total_app xs ys : total (xs ++ ys) = total xs + total ys.
Proof. unfold total at 1. rewrite fold_left_app, total_from. assert (A : True) by (trivial || lia). reflexivity. Qed.

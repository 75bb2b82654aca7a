(* Rounding of whole numbers of 1/s^2 and rounding of real numbers are the same. *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement Slopes Rounding Reals.
Local Open Scope Z_scope.

Lemma nearest_rounds : forall p s t (Hs : 1 <= s), 1 <= p -> rounds (multiples s Hs) p t (nearest p s t).
Proof.
  intros p s t Hs Hp. pose proof (nearest_level p s t Hp Hs) as Hlevel. split; [exact Hlevel |]. intros w Hw.
  unfold multiples, times, Nat.iter. simpl. unfold level in *.
  pose proof (nearest_above p s t Hp Hs) as Habove. pose proof (nearest_below p s t Hp Hs) as Hbelow.
  revert Hlevel Habove Hbelow. generalize (nearest p s t). intros q Hlevel Habove Hbelow. split; [| split].
  - intros H. destruct Hbelow as [Hbelow _]; [lia |].
    assert (s * (q + w) <= s * (2 * q - 1)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  - intros H. destruct Habove as [Habove _]; [lia |].
    assert (s * (2 * q + 1) <= s * (q + w)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  - intros Hnot Htie. assert (Hor : w < q \/ q < w) by lia. destruct Hor as [Hor | Hor].
    + destruct Hbelow as [Hbelow Hstrict]; [lia |].
      assert (Hnext : s * (2 * q - 1) <= s * (q + w)) by lia. apply Z.mul_le_mono_pos_l in Hnext; [| lia].
      assert (w = q - 1) as -> by lia. lia.
    + destruct Habove as [Habove Hstrict]; [lia |].
      assert (Hnext : s * (q + w) <= s * (2 * q + 1)) by lia. apply Z.mul_le_mono_pos_l in Hnext; [| lia].
      assert (w = q + 1) as -> by lia. lia.
Qed.

Theorem the_roundings_agree : one_rounding.
Proof.
  intros p s t q Hs Hp. split; intros H.
  - pose proof (nearest_rounds p s t Hs Hp) as H0. pose proof (le_same (multiples s Hs) t) as Hsame.
    pose proof (rounds_monotone (multiples s Hs) p t t q (nearest p s t) H H0 Hsame).
    pose proof (rounds_monotone (multiples s Hs) p t t (nearest p s t) q H0 H Hsame). lia.
  - rewrite <- H. apply nearest_rounds. exact Hp.
Qed.

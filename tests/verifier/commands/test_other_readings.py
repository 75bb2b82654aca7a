"""A single claim says in a line where another reading gives another verdict."""

from tests.command_line import CommandLine


def test_a_rounded_ln_2_fails_the_repaired_table_and_the_other_order_does_not(verify: CommandLine) -> None:
    said = " ".join(verify("lemma-2.6:table-6", "--p", "8", "--edition", "repaired").out.split())
    assert "token order" not in said
    assert "if ln 2 is rounded (without ideal-ln2): repaired refuted (fails on 32,768 inputs)" in said


def test_a_claim_with_one_verdict_under_every_reading_has_no_such_line(verify: CommandLine) -> None:
    assert "token order" not in verify("lemma-2.6:mlp-weights", "--p", "8").out


def test_a_reading_that_is_asked_for_is_shown_alone(verify: CommandLine) -> None:
    assert "order:" not in verify("lemma-2.6:table-6", "--p", "8", "--edition", "repaired", "--semantics", "narrative").out

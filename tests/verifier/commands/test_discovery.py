"""Tools of papers are found, not known."""

import importlib
from pathlib import Path

import click
import pytest

from tests.command_line import CommandLine
from verifier.commands.main import MOVED, SUBCOMMANDS
from verifier.commands.tool import found_commands


def test_every_command_found_is_a_click_command_of_that_name() -> None:
    found = found_commands()
    assert {"protocol", "represent", "sets"} <= set(found)
    for name, each in found.items():
        module, _, attribute = each.run.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        assert command.name == name
        assert each.help.endswith(".")


def test_tools_are_listed_and_the_spellings_of_earlier_versions_are_told(verify: CommandLine) -> None:
    listed = verify("tool").out
    for name, found in found_commands().items():
        assert (f"\n  {name} " in listed) == (found.verb == "tool")
        meant = f"verify tool {name}" if found.verb == "tool" else f"verify {found.verb} … --{name}"
        assert f"did you mean `{meant}`?" in verify(name).err
    for name, spelling in MOVED.items():
        assert f"did you mean `{spelling}`?" in verify(name).err
    assert verify("tool nothing").status == 2


def test_there_are_sixteen_verbs(verify: CommandLine) -> None:
    listed = [line.split()[0] for line in verify("--help").out.splitlines() if line.startswith("  ") and line[2] != " "]
    verbs = [name for name in SUBCOMMANDS if name not in ("SUBJECT", "construction", "check")]
    assert len(verbs) == 15  # and `verify SUBJECT…`
    assert [word for word in listed if word in verbs] == verbs
    assert not {"SUBJECT", "construction", "check"} & set(listed)


def test_subjects_of_several_kinds_are_judged_in_turn(verify: CommandLine) -> None:
    done = verify("docs/examples/parity.toml gallery/parity definition-a.5 --m 3 --n 1..2")
    assert done.status == 0
    order = [done.out.index(name) for name in ("construction/parity", "network/parity", "definition-a.5")]
    assert order == sorted(order)


@pytest.mark.long("junit", "sarif")
@pytest.mark.parametrize("form", ["json", "junit", "sarif", "markdown"])
def test_a_document_holds_results_of_every_kind(form: str, verify: CommandLine, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(Path("docs/examples/parity.toml").read_text(encoding="utf-8").replace("one = [1, 1]", "one = [1, 2]", 1))
    done = verify(f"{wrong} gallery/parity lemma-2.6 --m 3 --n 1..9 --p 7 --arithmetic a4 --format {form}")
    assert (done.status, done.out) == (2, ""), "a network needs a number format, which a4 does not name"
    done = verify(f"{wrong} gallery/parity lemma-2.6 --m 3 --n 1..2 --p 7 --format {form}")
    assert done.status == 1
    for name in ("wrong.toml" if form in ("junit", "sarif") else "construction/parity", "lemma-2.6"):
        assert name in done.out
    assert ("network/parity" in done.out) == (form != "sarif"), "what is verified is no alert"


def test_networks_have_a_gate_beside_tables(verify: CommandLine, tmp_path: Path) -> None:
    asked = f"gate gallery/first docs/examples/first.toml --table {tmp_path / 'verdicts.tsv'}"
    assert verify(f"{asked} --update").status == 0
    assert verify(asked).status == 0
    text = (tmp_path / "verdicts.tsv").read_text(encoding="utf-8")
    (tmp_path / "verdicts.tsv").write_text(text.replace("verified", "refuted"), encoding="utf-8")
    assert verify(asked).status == 1


@pytest.mark.campaign
def test_a_network_is_drawn(verify: CommandLine, tmp_path: Path) -> None:
    done = verify(f"plot gallery/parity --n 1..9 --arithmetic e4m3,exact --output {tmp_path / 'a.svg'}")
    assert (done.status, (tmp_path / "a.svg").read_text(encoding="utf-8")[:4]) == (0, "<svg")
    assert "e4m3: first wrong at 9, 001111111; exact: right up to 7, then not decided" in " ".join(done.out.split())

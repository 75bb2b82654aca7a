"""``verify precision``: the table, its JSON, its exit statuses, knobs, journal and picture, and replays that are wrong again."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.command_line import CommandLine
from verifier.show.screen import COLUMNS
from verifier.transformers.files import gallery

GALLERY = [name for name, path in gallery() if "\n[decode]\n" not in path.read_text(encoding="utf-8")]
"""Those that answer once, at every length; the others append symbols, most of them at one length."""


def test_the_first_wrong_input_and_its_replay(verify: CommandLine) -> None:
    found = verify("precision gallery/parity --n 1..4 --arithmetic e2m3,float32 --format json")
    assert found.status == 1
    wrong, right = json.loads(found.out)["cells"]
    assert (
        wrong["first_wrong"].items() >= {"length": 2, "input": "00", "expected": "no", "found": "neither", "values": "answer = 0"}.items()
    )
    assert wrong["first_wrong"]["happens"] == "layer 2, after attention: answer of CLS at 2 is 0, not -0.0634"
    assert right["first_wrong"] is None
    assert right["decided_to"] == 4
    _, *replay = shlex.split(wrong["replay"])
    again = verify(shlex.join(replay))
    assert again.status == 1
    assert "answer: neither (answer = 0); the right answer is no" in again.out


def test_the_table(verify: CommandLine) -> None:
    found = verify("precision gallery/dyck-1 --n 1..6 --arithmetic float32,exact")
    assert found.status == 1
    assert "float32               5  n = 6, w = ((()))          no, not yes: layer 1, after" in found.out
    assert "exact                 6  none" in found.out


@pytest.mark.long("match-2", "parity-layer-norm")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", GALLERY)
def test_every_line_of_the_table_fits_but_replays(verify: CommandLine, name: str) -> None:
    found = verify(f"precision gallery/{name} --n 2..4 --arithmetic e4m3,float16+accumulate=float32")
    assert found.status in (0, 1, 3)
    assert [line for line in found.out.splitlines() if len(line) > COLUMNS and not line.startswith("  verify ")] == []


def test_all_right_and_too_much_work(verify: CommandLine) -> None:
    assert verify("precision gallery/first --n 1..4 --arithmetic float32").status == 0
    found = verify("precision gallery/match-2 --n 1..30 --arithmetic float32 --limit 1000")
    assert found.status == 3
    text = " ".join(found.out.split())
    assert "needs more work than --limit" in text
    assert "prefix states: " in text
    assert "one-hot attention: " in text


def test_an_expectation_that_is_not_decided_to_the_end_is_no_success(verify: CommandLine) -> None:
    asked = "precision gallery/first --n 1..3 --arithmetic float32 --limit"
    little, much = verify(f"{asked} 100000"), verify(f"{asked} 16777216")
    assert (little.status, much.status) == (3, 0)
    assert "needs a larger --limit" in " ".join(little.out.split())


def test_which_knob_matters(verify: CommandLine) -> None:
    """In e5m2 the order of sums does; whether the maximum is subtracted does not."""
    found = verify("precision gallery/parity --n 1..8 --arithmetic e5m2 --vary sums,maximum")
    assert found.status == 1
    assert "e5m2                    8              5              5              5" in found.out
    assert "sums matters in e5m2, n = 1 .. 8" in found.out
    assert "maximum moves no first wrong length" in found.out


def test_a_journal_is_gone_on_from(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = tmp_path / "journal"
    verify(f"precision gallery/parity --n 1..5 --arithmetic e4m3 --journal {journal}")
    tried: list[int] = []
    from verifier.transformers import precision

    real = precision.network
    monkeypatch.setattr(precision, "network", lambda file, point: tried.append(point["n"]) or real(file, point))
    found = verify(f"precision gallery/parity --n 1..9 --arithmetic e4m3 --journal {journal} --format json")
    assert tried == [6, 7, 8, 9]
    assert json.loads(found.out)["cells"][0]["first_wrong"]["length"] == 9
    whole = verify("precision gallery/parity --n 1..9 --arithmetic e4m3 --format json")
    assert found.out == whole.out


def test_what_is_no_journal(verify: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("[1]\n")
    found = verify(f"precision gallery/parity --n 1..2 --journal {tmp_path / 'other'}")
    assert found.status == 2
    assert "other: a file of kept results was expected" in found.err


def test_the_picture_says_what_the_table_says(verify: CommandLine, tmp_path: Path) -> None:
    verify(f"plot gallery/parity --n 1..9 --arithmetic e4m3,float32 --output {tmp_path / 'p.svg'}")
    root = ElementTree.parse(tmp_path / "p.svg").getroot()
    said = root.findtext("{http://www.w3.org/2000/svg}desc")
    assert said == "e4m3: first wrong at 9, 001111111; float32: right up to 9"


def test_only_long_names(verify: CommandLine) -> None:
    found = verify("precision gallery/first --n 1..3 --arithmetic float32+division=output")
    assert found.status == 0
    assert "float32+division=output\n                      3  none" in found.out


SHARDED = "precision {} --n 1..{} --arithmetic {} "


@pytest.mark.long("gallery/first-6-e2m1,bfloat16+sums=pairwise", "gallery/parity-9-e4m3,e4m3+sums=pairwise")
@pytest.mark.parametrize(
    ("name", "longest", "formats"),
    [("gallery/first", 6, "e2m1,bfloat16+sums=pairwise"), ("gallery/parity", 9, "e4m3,e4m3+sums=pairwise"), ("gallery/first", 1, "e2m1")],
)
def test_shards_say_together_what_one_run_says(verify: CommandLine, tmp_path: Path, name: str, longest: int, formats: str) -> None:
    """In any order; a length of which a shard has no input is decided by the others."""
    asked = SHARDED.format(name, longest, formats)
    whole = verify(asked + "--format json")
    for k in (1, 2, 3):
        found = verify(asked + f"--shard {k}/3 --journal {tmp_path / str(k)}")
        assert f"shard {k}/3 in " in found.out
        assert "every input" not in found.out
    journals = " ".join(f"--merge {tmp_path / str(k)}" for k in (3, 1, 2))
    merged = verify(asked + f"--format json {journals}")
    assert (merged.out, merged.status) == (whole.out, whole.status)
    assert "2 journals were given, but none has shard 1/2" in verify(asked + f"--merge {tmp_path / '1'} --merge {tmp_path / '2'}").err


def test_shards_that_stopped_early_leave_the_rest_open(verify: CommandLine, tmp_path: Path) -> None:
    formats = "bfloat16+sums=pairwise"
    for k, longest in ((1, 5), (2, 4)):
        verify(SHARDED.format("gallery/first", longest, formats) + f"--shard {k}/2 --journal {tmp_path / str(k)}")
    merged = verify(SHARDED.format("gallery/first", 5, formats) + f"--merge {tmp_path / '1'} --merge {tmp_path / '2'} --format json")
    assert merged.status == 3
    assert json.loads(merged.out)["cells"][0]["decided_to"] == 4


def test_a_wrong_length_of_a_journal_says_nothing_of_shorter_ones(verify: CommandLine, tmp_path: Path) -> None:
    asked = f"precision gallery/parity --arithmetic e2m3 --journal {tmp_path / 'journal'} --n "
    assert [verify(asked + lengths).status for lengths in ("1..2", "1..1", "1..2")] == [1, 0, 1]


HOSTILE = """format = "bitreferee/network/1"
id = "hostile"
title = "Numbers beyond every format"
source = "mine"
assumes = "real numbers"
[parameters.n]
meaning = "length"
where = "n >= 1"
typical = "1..2"
[input]
strings = {{ w = "{length}" }}
alphabet = [{alphabet}]
tokens = ["w", "END"]
[accept]
function = "w[1] == 1"
at = "END"
yes = "a > 0"
no = "a <= 0"
[embedding]
a = "{embedding} if token == 1 else 0"
[[layer]]
[[layer.head]]
value = {{ a = "a" }}
"""
DOUBLED = '[[layer]]\n[[layer.head]]\nvalue = { a = "2**4000*a" }\n'


@pytest.mark.parametrize(
    ("changes", "formats", "status", "says"),
    [
        ({"layers": 4}, "exact", 3, "a number of more than 14,000 bits over real numbers; choose smaller numbers, or fewer layers"),
        ({"length": "n*10**6"}, "exact", 3, "declined: input.strings: w has 1,000,000 symbols, more than 65,536; choose a smaller length"),
        ({"alphabet": 4097}, "exact", 2, "input.alphabet: 4,097 symbols; at most 4,096 were expected"),
        (
            {"embedding": "exp(10**30)"},
            "float16",
            1,
            "yes, not no: embedding: a of 1 at 1 is inf",
        ),
        ({"embedding": "exp(-10**9)"}, "float16", 1, "no, not yes: embedding: a of 1 at 0 is 0, not 1.2495343e-434294482"),
        ({"embedding": "exp(10**30)"}, "exact", 1, "exact 1 n = 2, w = 01"),
    ],
)
def test_numbers_beyond_every_format_end_at_once(
    verify: CommandLine, tmp_path: Path, changes: dict[str, Any], formats: str, status: int, says: str
) -> None:
    made = {"length": "n", "embedding": "1", "alphabet": 2, "layers": 0, **changes}
    made["alphabet"] = ", ".join(f'"{k}"' for k in range(made["alphabet"]))
    path = tmp_path / "hostile.toml"
    path.write_text(HOSTILE.format(**made) + DOUBLED * made["layers"])
    found = verify(f"precision {path} --n 1..2 --arithmetic {formats}")
    assert found.status == status
    assert says.replace(" ", "") in (found.out + found.err).replace(" ", "").replace("\n", "")


def test_a_number_that_only_a_fine_ball_encloses_is_shown(verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "hostile.toml"
    path.write_text(HOSTILE.format(length="n", embedding="exp(10**30)", alphabet='"0", "1"'))
    found = verify(f"trace {path} --arithmetic exact --n 1 --w 1")
    assert "nan" not in found.out
    assert "4.0279335e+434294481903251827651128918916" in found.out

"""Files of anybody's: what their results are called, at which points they are judged, and with which words again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as changed

from verifier.claims.verdicts import Edition, Result, Verdict
from verifier.errata.tables import Source, read_construction, read_with_errata
from verifier.judges.own_files import file_points, judged
from verifier.networks.templates import beginning
from verifier.running.errors import FileDefect, InputError

EQUALITY = beginning("equality", 2, "mine").replace(
    '[precision]\nbits = "m + 3"', '[parameters.k]\nwhere = "k >= m"\nmeaning = "bits"\ndefault = "m + 3"\n\n[precision]\nbits = "k"'
)
"""Of strings of m bits, with k bits of precision: five at m = 2 if nothing else is said."""
WRONG = ('one = [1, "2**(m - i)"]', 'one = [1, "2**(m - i) if i > 1 else 0"]')
"""The first bit of y counts nothing."""
ERRATA = """
format = "bitreferee/errata/1"
construction = "mine"
semantics = "a4"
domain = "m <= 2"
why_domain = "no more was tried"

[[erratum]]
name = "the-first-bit"
at = "row.1.one.2"
printed = "2**(m - i) if i > 1 else 0"
repaired = "2**(m - i)"
why = "this token also counts"
"""


def read(folder: Path, text: str = EQUALITY, errata: bool = False) -> Source:
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    (folder / "errata.toml").write_text(ERRATA, encoding="utf-8")
    return read_with_errata(folder / "mine.toml", folder / "errata.toml") if errata else read_construction(folder / "mine.toml")


def results(sources: Mapping[str, Source], limit: int = 1 << 20, semantics: str | None = None, **ranges: str) -> list[Result]:
    return list(judged(sources, ranges, semantics, "auto", limit, lambda label, done, total: None))


@pytest.mark.parametrize(
    ("check", "given", "points"),
    [
        ({}, {}, [{}]),
        ({"m": "3..4"}, {}, [{"m": 3}, {"m": 4}]),
        ({"k": 9, "m": "1,3"}, {}, [{"m": 1, "k": 9}, {"m": 3, "k": 9}]),
        ({"m": "3..4", "k": "5..6"}, {"m": "2"}, [{"m": 2, "k": 5}, {"m": 2, "k": 6}]),
        ({"m": "no number", "semantics": "narrative"}, {"m": "2..3", "other": "no number"}, [{"m": 2}, {"m": 3}]),
    ],
)
def test_what_is_given_goes_before_what_the_file_says(
    check: dict[str, int | str], given: dict[str, str], points: list[dict[str, int]], tmp_path: Path
) -> None:
    source = read(tmp_path)
    assert file_points(Source(changed(source.file, check=check), source.raw), given) == points


def test_a_parameter_without_a_value_is_named(tmp_path: Path) -> None:
    source = read(tmp_path, EQUALITY.replace('default = "m + 3"\n', ""))
    with pytest.raises(InputError, match=r"mine needs --k \(bits\), or \[check\] with k = "):
        file_points(source, {"m": "3"})
    assert file_points(source, {"k": "3"}) == [{"k": 3}]


def test_errata_change_what_expectations_are_of(tmp_path: Path) -> None:
    text = EQUALITY.replace(*WRONG) + '\n[[expect]]\nname = "none"\nof = "output"\nis = "value(y) - value(z)"\n'
    written, repaired = read(tmp_path, text), read(tmp_path, text, errata=True)
    found = list(judged({"a.toml": written}, {"m": "2..3"}, None, "auto", 1 << 20, lambda *progress: None, None, {"a.toml": repaired}))
    named = [(r.claim.removeprefix("construction/mine"), r.edition, r.outcome.verdict, r.outcome.witness) for r in found]
    printed = Edition.PRINTED, Verdict.REFUTED, "a.toml"
    mended = Edition.REPAIRED, Verdict.VERIFIED, "a.toml with its errata"
    assert named[:6] == [(name, *each) for name in ("", ":after-y", ":none") for each in (printed, mended)]
    assert named[6:] == [("", *printed), ("", Edition.REPAIRED, Verdict.DECLINED, None), (":after-y", *printed), (":none", *printed)]
    assert found[7].outcome.reason == "outside the errata's domain m <= 2: no more was tried"
    assert [r.parameters for r in found] == [{"m": 2, "k": 5}] * 6 + [{"m": 3, "k": 6}] * 4


@pytest.mark.parametrize(("limit", "ranges", "reason"), [(1, {}, "the limit is 1"), (1 << 20, {"k": "1"}, "k = 1 is outside k >= m")])
def test_expectations_of_what_is_declined_are_not_judged(limit: int, ranges: dict[str, str], reason: str, tmp_path: Path) -> None:
    (found,) = results({"a.toml": read(tmp_path)}, limit, **ranges)
    assert found.outcome.verdict is Verdict.DECLINED
    assert reason in str(found.outcome.reason)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("bias = 1\n", "bias = 0\n"), ["those that fail are exactly all with y = z"]),
        (
            ("bias = 1\n", 'bias = "1/3"\n'),
            ["those that fail are exactly all with y = z", "entries that are not representable in 5 bits: MLP output node, bias: 1/3"],
        ),
        (("bias = 1\n", "bias = 2\n"), []),
    ],
)
def test_a_refutation_says_which_inputs_fail_and_which_entries_are_lacking(
    change: tuple[str, str], said: list[str], tmp_path: Path
) -> None:
    found = results({"a.toml": read(tmp_path, EQUALITY.replace(*change))})[0].outcome
    first, *rest = str(found.reason).split("; ")
    assert first.startswith("EQ fails on ")
    assert rest == said


@pytest.mark.parametrize("known", [True, False])
def test_defects_and_mistakes_are_told_with_their_lines_where_these_are_known(known: bool, tmp_path: Path) -> None:
    ill, bad = EQUALITY.replace("one = [1, ", "#one = [1, ", 1), EQUALITY.replace('"2**(m - i)"', '"2**(m - i)/(i - 1)"')
    sources = {name: read(tmp_path, text) for name, text in (("ill.toml", ill), ("bad.toml", bad))}
    if not known:
        sources = {name: replace(source, lines=None) for name, source in sources.items()}
    refused: list[FileDefect] = []
    (found, *_) = judged(sources, {}, None, "auto", 1 << 20, lambda *progress: None, refused)
    row = ill.splitlines().index("[[row]]") + 1
    assert str(found.outcome.reason).startswith(f"ill-formed: line {row}, step 1" if known else "ill-formed: step 1")
    assert [(defect.file, defect.line) for defect in refused] == [("bad.toml", row + 4 if known else None)]


def test_what_fails_with_errata_is_judged_again_with_them(tmp_path: Path) -> None:
    """3 is not representable in 2 bits."""
    found = results({"a.toml": read(tmp_path, EQUALITY.replace(*WRONG), errata=True)}, k="2")[0].outcome
    assert found.verdict is Verdict.REFUTED
    assert list(found.replay or ())[:8] == ["trace", "a.toml", "--m", "2", "--k", "2", "--errata", str(tmp_path / "errata.toml")]

"""``judge`` of a file finds what ``verify construction FILE`` finds: the same results, document, status and error."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bitreferee import judge, load
from tests.command_line import CommandLine, Done
from tests.tables import FOLDER
from verifier.claims.verdicts import EXIT_INPUT, EXIT_REFUTED
from verifier.errata.tables import read_construction
from verifier.interface.arguments import _argument
from verifier.interface.constructions import Construction
from verifier.networks.errata import errata_beside
from verifier.networks.templates import NAMED, beginning
from verifier.running.errors import InputError

FILES = [
    *sorted(path for path in FOLDER.glob("*.toml") if not path.name.endswith(".errata.toml")),
    Path(__file__).parents[2] / "good.toml",
]
TEXTS = {
    **{path.stem: path.read_text(encoding="utf-8") for path in FILES},
    **{name: beginning(name, 2, "mine") for name in NAMED},
}
ERRATA = {path.stem: beside.read_text(encoding="utf-8") for path in FILES if (beside := errata_beside(path))}
BEHIND = {
    "as it stands": "",
    "expected": '\n[[expect]]\nname = "one"\nof = "output"\nis = "1"\n\n[[expect]]\nname = "finite"\nof = "output"\nholds = "finite(v)"\n',
}
READINGS = (None, "narrative", "a4+ties=even", "all")
VALUES = ("2..3", "5", "6")
LIMIT = 5_000


def written(folder: Path, name: str, behind: str = "") -> Path:
    """The file, with its errata beside it where it has some."""
    if name in ERRATA:
        (folder / "mine.errata.toml").write_text(ERRATA[name], encoding="utf-8")
    path = folder / "mine.toml"
    path.write_text(TEXTS[name] + behind, encoding="utf-8")
    return path


def timeless(document: Any) -> Any:
    return {**document, "results": [{**r, "seconds": ""} for r in document["results"]]}


def assert_alike(done: Done, subject: str | Path | Construction, **asked: Any) -> None:
    if done.status == EXIT_INPUT:
        with pytest.raises(InputError, match=re.escape(_argument(done.err.splitlines()[-1].removeprefix("verify: ")))):
            judge(subject, **asked)
        return
    found = judge(subject, **asked)
    assert timeless(found.to_dict()) == timeless(done.document)
    assert (found.status, found.verified) == (done.status, done.status == 0)


@pytest.mark.one_in(40)
@pytest.mark.parametrize(("name", "behind", "reading", "values"), [*product(TEXTS, BEHIND, READINGS, VALUES)])
def test_a_file_at_points_and_under_readings(
    name: str, behind: str, reading: str | None, values: str, verify: CommandLine, tmp_path: Path
) -> None:
    path = written(tmp_path, name, BEHIND[behind])
    own = {key: values for key, spec in read_construction(path).file.parameters.items() if spec.default is None}
    words = [f"--{key} {value}" for key, value in own.items()] + ([f"--semantics {reading}"] if reading else [])
    done = verify(f"construction {path} --limit {LIMIT} --format json", *words)
    for subject in (str(path), path, load(path)):
        assert_alike(done, subject, arithmetic=reading, limit=LIMIT, **own)


def test_what_a_file_expects_in_vain_is_no_green(verify: CommandLine, tmp_path: Path) -> None:
    path = written(tmp_path, "witness-t0-simple", BEHIND["expected"])
    found = judge(path, p=3)
    assert [(r.claim.rpartition(":")[2], r.verdict.value) for r in found][1:] == [("one", "refuted"), ("finite", "verified")]
    assert (found.verified, found.status, found.verdicts) == (False, EXIT_REFUTED, {"printed": "verified"})
    assert_alike(verify(f"construction {path} --p 3 --format json"), path, p=3)


def test_a_files_errata(verify: CommandLine, tmp_path: Path) -> None:
    """Found beside it, as when it was loaded; an edition may be asked for alone."""
    path = written(tmp_path, "table-6")
    loaded = load(path)
    assert judge(loaded, p=7).verdicts == {"printed": "refuted", "repaired": "verified"}
    assert_alike(verify(f"construction {path} --p 7 --errata {tmp_path}/mine.errata.toml --format json"), path, edition="repaired", p=7)
    assert judge(path, edition="printed", p=7).verdicts == {"printed": "refuted"}
    (tmp_path / "mine.errata.toml").unlink()
    assert judge(path, p=7).verdicts == {"printed": "refuted"}
    with pytest.raises(InputError, match=r"mine\.errata\.toml: no such file"):
        judge(loaded, p=7)
    for edition in ("repaired", "statement"):
        with pytest.raises(InputError, match=f"a file has no edition {edition}"):
            judge(path, edition=edition, p=7)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"table-6"', '"table-7"'),
        ('printed = "', 'printed = "0 + '),
        ("[[erratum]]", "[erratum]"),
    ],
)
def test_errata_that_do_not_fit_are_an_error(old: str, new: str, verify: CommandLine, tmp_path: Path) -> None:
    path = written(tmp_path, "table-6")
    errata = tmp_path / "mine.errata.toml"
    errata.write_text(errata.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    done = verify(f"construction {path} --p 7 --format json")
    assert (done.status, [r["edition"] for r in json.loads(done.out)["results"]]) == (EXIT_INPUT, ["printed"])
    assert_alike(done, path, p=7)


def test_check_of_a_file(verify: CommandLine, tmp_path: Path) -> None:
    """Points and reading are the file's where none are given; a range that is none is one line, with the place."""
    path = written(tmp_path, "table-6", '\n[check]\np = "4..5"\nsemantics = "narrative"\n')
    assert_alike(verify(f"construction {path} --format json"), load(path))
    assert_alike(verify(f"construction {path} --p 4 --semantics a4 --format json"), path, p=4, arithmetic="a4")
    path = written(tmp_path, "table-6", '\n[check]\np = "8..7"\n')
    assert_alike(verify(f"construction {path} --format json"), path)
    assert_alike(verify(f"construction {written(tmp_path, 'table-6')} --format json"), path)

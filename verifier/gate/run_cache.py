"""Runs of papers that are kept between commands: nothing is judged twice while neither the program nor the paper has changed.

A kept run is named by a digest of everything that a verdict can depend on: the program but for what only shows results, the paper's
folder, the versions of Python and of the libraries, and which extras are installed. ``verify gate`` and ``verify check`` never read one.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import msgspec

import verifier
from verifier.claims.papers import Paper
from verifier.claims.verdicts import Result
from verifier.errata.consequences import Consequences
from verifier.errata.findings import FILE as FINDINGS
from verifier.errata.smallest_failures import TableErratum
from verifier.gate.by_symbols import Reach
from verifier.gate.run import Run, run_paper, symbols_of, workers
from verifier.kernel.answer_cache import cache_folder
from verifier.running.identifiers import below
from verifier.running.input_files import MOST_RESULT_BYTES, check_regular
from verifier.running.limits import Advance, silent

SHOWING = ("commands", "interface", "show", "sweep")
"""Packages of the program that change no verdict."""
SHOWN = (FINDINGS, "corrections.toml", "glossary.toml", "letter.toml", "pages.toml", "pictures.toml", "trust.toml")
"""Files of a paper that change no verdict; nor does its package ``pictures``."""
SUFFIXES = (".py", ".toml")
MOST_KEPT = 4


class _Kept(msgspec.Struct):
    """The file of a run."""

    results: dict[str, list[Result]]
    errata: dict[str, list[TableErratum]]
    readings: dict[str, dict[str, list[Result]]]
    findings: str
    follows: dict[str, Consequences]
    symbols: dict[str, Reach]


@dataclass(frozen=True)
class Kept:
    """The folder of kept runs."""

    folder: Path

    @classmethod
    def usual(cls) -> Kept:
        """``$BITREFEREE_CACHE``, else ``bitreferee`` in the user's cache folder."""
        return cls(cache_folder())

    def run(self, paper: Paper, jobs: int = 1, advance: Advance = silent, symbols: bool = False) -> Run:
        """:meth:`runs` for one paper."""
        return self.runs([paper], jobs, advance, symbols)[paper.id]

    def runs(self, papers: Sequence[Paper], jobs: int = 1, advance: Advance = silent, symbols: bool = False) -> dict[str, Run]:
        """The runs of papers: kept, or made and kept. With other findings than kept, only what follows from them is made.

        symbols: whether it is asked as well which statements symbols prove for all parameters; what was kept of that stays.
        """
        found = {paper.id: self.read(paper) for paper in papers}
        made = {paper.id: kept[0] for paper in papers if (kept := found[paper.id]) and kept[1] == findings_digest(paper)}
        missing = [paper for paper in papers if paper.id not in made or (symbols and not made[paper.id].symbols)]
        with workers(jobs if missing else 1) as pool:
            for paper in missing:
                kept = found[paper.id]
                run = made.get(paper.id) or run_paper(paper, 1, advance, claims=kept[0] if kept else None, pool=pool)
                proved = kept[0].symbols if kept else {}
                made[paper.id] = replace(run, symbols=proved or (symbols_of(paper, pool, advance) if symbols else {}))
                self.write(paper, made[paper.id])
        return made

    def read(self, paper: Paper) -> tuple[Run, str] | None:
        """The kept run and the digest of its findings; None where there is none, or it cannot be read."""
        try:
            kept = msgspec.json.decode(self._file(paper).read_bytes(), type=_Kept)
        except (OSError, msgspec.MsgspecError, ValueError):
            return None
        claims = {claim.id: claim for claim in paper}
        if kept.results.keys() != claims.keys():
            return None

        def named(results: Mapping[str, Sequence[Result]]) -> dict[str, list[Result]]:
            return {c: [replace(r, parameters=claims[c].complete(r.parameters)) for r in listed] for c, listed in results.items()}

        readings = {name: named(results) for name, results in kept.readings.items()}
        return Run(named(kept.results), kept.errata, readings, kept.follows, kept.symbols), kept.findings

    def write(self, paper: Paper, run: Run) -> None:
        """Keep a run and remove the oldest of many. A folder that cannot be written is ignored."""

        def plain(results: Mapping[str, Sequence[Result]]) -> dict[str, list[Result]]:
            return {
                c: [replace(r, parameters={k: int(v) for k, v in r.parameters.items()}) for r in listed] for c, listed in results.items()
            }

        readings = {name: plain(results) for name, results in run.readings.items()}
        errata = {claim: list(listed) for claim, listed in run.errata.items()}
        record = _Kept(plain(run.results), errata, readings, findings_digest(paper), dict(run.follows), dict(run.symbols))
        keep(self._file(paper), f"{paper.id}-*.json", record)

    def _file(self, paper: Paper) -> Path:
        return below(self.folder, f"{paper.id}-{digest(paper)}.json")


def keep(path: Path, alike: str, entry: object) -> None:
    """Write a file whole, and remove the oldest of many whose names are ``alike``. A folder that cannot be written is ignored."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_bytes(msgspec.json.encode(entry))
        part.replace(path)
        for old in sorted(path.parent.glob(alike), key=lambda p: p.stat().st_mtime, reverse=True)[MOST_KEPT:]:
            old.unlink()
    except OSError:
        return


def digest(paper: Paper) -> str:
    """16 hexadecimal digits over all that a verdict of the paper can depend on."""
    made = hashlib.sha256(f"{sys.version}\n{program_digest()}\n".encode())
    for path in sorted(p for p in paper.folder.rglob("*") if p.suffix in SUFFIXES and p.name not in SHOWN and p.is_file()):
        place = path.relative_to(paper.folder)
        if place.parts[0] != "pictures":
            made.update(str(place).encode() + b"\0" + _content(path))
    return made.hexdigest()[:16]


def findings_digest(paper: Paper) -> str:
    """16 hexadecimal digits over the paper's findings and the program that makes something of them."""
    folder = Path(verifier.__file__).parent / "errata"
    made = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(folder.glob("*.py"))))
    path = paper.folder / FINDINGS
    made.update(_content(path) if path.is_file() else b"")
    return made.hexdigest()[:16]


def _content(path: Path) -> bytes:
    """The bytes of a paper's file.

    Raises:
        InputError: it is too large.
    """
    check_regular(path, MOST_RESULT_BYTES)
    return path.read_bytes()


@lru_cache(maxsize=1)
def program_digest() -> str:
    """A digest of the program's files and of the versions of the installed libraries that it uses."""
    made = hashlib.sha256()
    core = Path(verifier.__file__).parent
    for folder in (core, core.parent / "lowerbounds"):
        for path in sorted(folder.rglob("*")):
            place = path.relative_to(core.parent)
            if path.suffix in SUFFIXES and place.parts[1] not in SHOWING:
                made.update(str(place).encode() + b"\0" + path.read_bytes())
    for name in _libraries():
        made.update(name.encode())
    return made.hexdigest()


def _libraries() -> Iterator[str]:
    for entry in requires("bitreferee") or ():
        name = "".join(letter if letter.isalnum() or letter in "-_." else " " for letter in entry).split()[0]
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            continue

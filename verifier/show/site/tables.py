"""The page of a construction. It shows the printed table beside the corrected one, marks changed cells, and has for each erratum the
failure without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from verifier.claims.records import Table
from verifier.errata.listings import TableErratum
from verifier.networks.errata import ClauseEntry, PromiseEntry, TableErrata
from verifier.networks.errata import TableErratum as ErratumOfTable
from verifier.networks.records import ConstructionFile
from verifier.show.corrections import WEIGHTS, entry_words, without_words
from verifier.show.judged import Judged
from verifier.show.site.templates import page

Cell = dict[str, Any]


def table_page(judged: Judged, table: Table) -> str:
    """The page of one construction."""
    source = table.source
    printed, repaired = source.file, source.repaired() if source.errata else None
    places = {at: e.name for e in (source.errata.erratum if source.errata else ()) for at in e.places}
    return page(
        "table.html.jinja",
        judged.table_page(table.name),
        printed.title,
        here=judged,
        file=printed,
        errata=list(_errata(judged, table, source.errata)) if source.errata else [],
        domain=source.errata,
        sides=[Side(printed, None, places)] + ([Side(repaired, printed, places)] if repaired else []),
        weights=WEIGHTS,
        claims=judged.links([c.id for c in judged.claims.values() if c.table is not None and c.table.name == table.name]),
    )


def _errata(judged: Judged, table: Table, errata: TableErrata) -> Iterator[dict[str, Any]]:
    """List each erratum, promise and clause with the failure that appears without it."""
    known: Mapping[str, TableErratum] = {
        e.name: e for listed in judged.run.errata.values() for e in listed if e.table == f"{table.name}.toml"
    }
    made: list[tuple[ErratumOfTable | PromiseEntry | ClauseEntry, str, str, str]] = []
    made += [(e, "; ".join(map(entry_words, e.places)), str(e.printed), str(e.repaired)) for e in errata.erratum]
    made += [(promise, "the promise", "nothing", promise.condition) for promise in errata.promise]
    made += [(clause, f"the tokens {clause.i}", "nothing", f"read {clause.reads}") for clause in errata.clause]
    for entry, place, printed, repaired in made:
        without = without_words(known[entry.name].without) if entry.name in known else ""
        yield {"name": entry.name, "place": place, "printed": printed, "repaired": repaired, "why": entry.why, "without": without}


class Side:
    """One edition of a table, whose cells a page requests by the places of errata and by the path in the file."""

    def __init__(self, file: ConstructionFile, before: ConstructionFile | None, places: Mapping[str, str]) -> None:
        """``before`` is the printed table, for the cells that changed; places: the erratum of each place."""
        self.file, self.printed, self.places = file, before is None, places
        self.new, self.old = msgspec.to_builtins(file), msgspec.to_builtins(before or file)
        by_step = {row["step"]: row for row in self.old["row"]}
        self.old["row"] = [by_step.get(row["step"], row) for row in self.new["row"]]
        self.old["input"] += self.new["input"][len(self.old["input"]) :]  # a clause that is added is no changed cell

    def cell(self, at: str, *path: str | int) -> Cell:
        """A cell: its text, whether it changed, and the erratum that it leads to."""
        text = _text(_within(self.new, path))
        changed = text != _text(_within(self.old, path))
        erratum = self.places.get(at) or next((name for place, name in self.places.items() if place.startswith(f"{at}.")), "")
        return {"text": text, "changed": changed, "erratum": erratum if changed or self.printed else ""}

    def vector(self, at: str, *path: str | int) -> list[Cell] | None:
        """The cells of a vector; None for a row without a vector for this bit."""
        entries = _within(self.new, path)
        return None if entries is None else [self.cell(f"{at}.{k + 1}", *path, k) for k in range(len(entries))]


def _within(content: Any, path: tuple[str | int, ...]) -> Any:
    """The content of a place, or empty if it has none."""
    for key in path:
        if isinstance(content, list) and isinstance(key, int) and key >= len(content):
            return ""
        content = content[key]
    return content


def _text(entry: Any) -> str:
    """The text of an entry in the file."""
    match entry:
        case {"entry": inner, "for": name, "in": where} | {"row": inner, "for": name, "in": where}:
            return f"{_text(inner)} for {name} in {where}"
        case {"matrix": rows, "times": times}:
            return f"[{'; '.join(map(_text, rows))}]{'' if times == '1' else f' · {times}'}"
        case {"bits": bits, "t": t, "e": e}:
            return f"{bits} bits" if bits is not None else f"t = {t}, e = {e}"
        case list():
            return ", ".join(map(_text, entry))
    return "" if entry is None else str(entry)

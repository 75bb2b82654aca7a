"""The page of a construction: printed beside corrected, changed cells marked, and for each erratum what fails without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from verifier.claims.records import Table
from verifier.errata.smallest_failures import TableErratum
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
        sides=[_side(printed, None, places)] + ([_side(repaired, printed, places)] if repaired else []),
        claims=judged.links([c.id for c in judged.claims.values() if c.table is not None and c.table.name == table.name]),
    )


def _errata(judged: Judged, table: Table, errata: TableErrata) -> Iterator[dict[str, Any]]:
    """Each erratum, promise and clause with what fails without it."""
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


def _side(file: ConstructionFile, before: ConstructionFile | None, places: Mapping[str, str]) -> dict[str, Any]:
    """One edition of the table; ``before`` is the printed one, for the cells that changed. places: the erratum of each place."""
    new, old = msgspec.to_builtins(file), msgspec.to_builtins(before or file)
    by_step = {row["step"]: row for row in old["row"]}
    old["row"] = [by_step.get(row["step"], row) for row in new["row"]]
    old["input"] += new["input"][len(old["input"]) :]  # a clause that is added is no changed cell

    def cell(at: str, *path: str | int) -> Cell:
        text = _text(_within(new, path))
        changed = text != _text(_within(old, path))
        erratum = places.get(at) or next((name for place, name in places.items() if place.startswith(f"{at}.")), "")
        return {"text": text, "changed": changed, "erratum": erratum if changed or before is None else ""}

    def vector(at: str, *path: str | int) -> list[Cell]:
        return [cell(f"{at}.{k + 1}", *path, k) for k in range(len(_within(new, path)))]

    nodes = [(f"hidden {k}", f"mlp.hidden.{k}", ("mlp", "hidden", k - 1)) for k in range(1, len(file.mlp.hidden) + 1)]
    return {
        "name": "as repaired" if before else "as printed",
        "rows": [
            {
                "step": row.step,
                "i": cell(f"row.{row.step}.i", "row", k, "i"),
                "zero": vector(f"row.{row.step}.zero", "row", k, "zero"),
                "one": vector(f"row.{row.step}.one", "row", k, "one") if row.one is not None else None,
            }
            for k, row in enumerate(file.row)
        ],
        "inputs": [{key: cell(f"input.{k + 1}.{key}", "input", k, key) for key in ("i", "reads")} for k in range(len(file.input))],
        "promise": cell("problem.promise", "problem", "promise"),
        "precision": cell("precision", "precision"),
        "weights": [(name, cell(f"weights.{key}", "weights", key)) for key, name in WEIGHTS.items()],
        "nodes": [
            {"name": name, "weights": vector(f"{at}.weights", *path, "weights"), "bias": cell(f"{at}.bias", *path, "bias")}
            for name, at, path in (*nodes, ("output", "mlp.output", ("mlp", "output")))
        ],
    }


def _within(content: Any, path: tuple[str | int, ...]) -> Any:
    """The content of a place; empty if it has none."""
    for key in path:
        if isinstance(content, list) and isinstance(key, int) and key >= len(content):
            return ""
        content = content[key]
    return content


def _text(entry: Any) -> str:
    """An entry as it is written in the file."""
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

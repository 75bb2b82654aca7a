"""A construction table as printed beside as repaired, with the changed cells marked, and each erratum with what fails without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verifier.claims.model import Claim
from verifier.claims.records import Table
from verifier.errata.smallest_failures import TableErratum
from verifier.networks.errata import TableErrata
from verifier.networks.records import ConstructionFile, InputEntry, RepeatedEntry, RepeatedRow, RowEntry
from verifier.show.corrections import entry_words, without_words
from verifier.show.judged import Judged
from verifier.show.site.templates import page

Cell = dict[str, Any]


def tables(judged: Judged) -> dict[str, Table]:
    """Every construction that a claim of the paper speaks of whole, those of the paper first."""
    order = list(judged.paper.raw.get("tables", {}))
    found = {c.table.name: c.table for c in judged.claims.values() if c.table is not None and not c.table.without}
    return {name: found[name] for name in sorted(found, key=lambda n: (order.index(n) if n in order else len(order), n))}


def table_path(judged: Judged, name: str) -> str:
    return f"{judged.folder}/tables/{name}.html"


def table_page(judged: Judged, table: Table) -> str:
    """The page of one construction."""
    source = table.source
    printed, repaired = source.file, source.repaired() if source.errata else None
    places = {at: e.name for e in (source.errata.erratum if source.errata else ()) for at in e.places}
    return page(
        "table.html.jinja",
        table_path(judged, table.name),
        printed.title,
        here=judged,
        file=printed,
        errata=list(_errata(judged, table, source.errata)) if source.errata else [],
        domain=source.errata,
        sides=[_side(printed, None, places)] + ([_side(repaired, printed, places)] if repaired else []),
        claims=[judged.link(c.id) for c in _claims(judged, table)],
    )


def _claims(judged: Judged, table: Table) -> list[Claim]:
    return [c for c in judged.claims.values() if c.table is not None and c.table.name == table.name]


def _errata(judged: Judged, table: Table, errata: TableErrata) -> Iterator[dict[str, Any]]:
    known: Mapping[str, TableErratum] = {
        e.name: e for listed in judged.run.errata.values() for e in listed if e.table == f"{table.name}.toml"
    }
    for entry in errata.erratum:
        without = without_words(known[entry.name].without) if entry.name in known else ""
        place = "; ".join(map(entry_words, entry.places))
        yield {
            "name": entry.name, "place": place, "printed": str(entry.printed), "repaired": str(entry.repaired), "why": entry.why,
            "without": without,
        }  # fmt: skip
    for promise in errata.promise:
        without = without_words(known[promise.name].without) if promise.name in known else ""
        yield {
            "name": promise.name, "place": "the promise", "printed": "nothing", "repaired": promise.condition, "why": promise.why,
            "without": without,
        }  # fmt: skip
    for clause in errata.clause:
        without = known[clause.name].without if clause.name in known else ""
        yield {
            "name": clause.name, "place": f"the tokens {clause.i}", "printed": "nothing", "repaired": f"read {clause.reads}",
            "why": clause.why, "without": without,
        }  # fmt: skip


def _side(file: ConstructionFile, before: ConstructionFile | None, places: Mapping[str, str]) -> dict[str, Any]:
    """One edition of the table; ``before`` is the printed one, for the cells that changed."""

    def cell(text: str, old: str | None, at: str) -> Cell:
        changed = old is not None and text != old
        erratum = places.get(at) or next((name for place, name in places.items() if place.startswith(f"{at}.")), "")
        return {"text": text, "changed": changed, "erratum": erratum if changed or before is None else ""}

    def pair(new: Any, old: Any, at: str) -> Cell:
        return cell(_text(new), None if before is None else _text(old), at)

    old_rows: dict[int, RowEntry] = {row.step: row for row in before.row} if before else {}
    old_inputs: list[InputEntry] = before.input if before else []
    rows = []
    for row in file.row:
        old = old_rows.get(row.step, row)
        at = f"row.{row.step}"
        rows.append(
            {
                "step": row.step,
                "i": pair(row.i, old.i, f"{at}.i"),
                "zero": _vector(row.zero, old.zero, f"{at}.zero", pair),
                "one": _vector(row.one, old.one, f"{at}.one", pair) if row.one is not None else None,
            }
        )
    inputs = []
    for number, entry in enumerate(file.input, 1):
        given = old_inputs[number - 1] if number <= len(old_inputs) else entry
        inputs.append({"i": pair(entry.i, given.i, f"input.{number}.i"), "reads": pair(entry.reads, given.reads, f"input.{number}.reads")})
    return {
        "name": "as repaired" if before else "as printed",
        "rows": rows,
        "inputs": inputs,
        "promise": pair(file.problem.promise, before.problem.promise if before else None, "problem.promise"),
        "precision": pair(_precision(file), _precision(before) if before else None, "precision"),
        "weights": [
            (name, pair(_matrix(new), _matrix(old) if old else None, f"weights.{key}"))
            for name, key, new, old in (
                ("W^Q", "query", file.weights.query, before.weights.query if before else None),
                ("W^K", "key", file.weights.key, before.weights.key if before else None),
                ("W^V", "value", file.weights.value, before.weights.value if before else None),
            )
        ],
        "nodes": _nodes(file, before, pair),
    }


def _vector(entries: list[Any], old: list[Any] | None, at: str, pair: Any) -> list[Cell]:
    known = old or []
    return [pair(x, known[k] if k < len(known) else "", f"{at}.{k + 1}") for k, x in enumerate(entries)]


def _nodes(file: ConstructionFile, before: ConstructionFile | None, pair: Any) -> list[dict[str, Any]]:
    """The nodes of the MLP, the output last."""
    new = [*((f"hidden {k}", f"mlp.hidden.{k}", n) for k, n in enumerate(file.mlp.hidden, 1)), ("output", "mlp.output", file.mlp.output)]
    old = [*before.mlp.hidden, before.mlp.output] if before else [n for _, _, n in new]
    return [
        {
            "name": name,
            "weights": _vector(node.weights, given.weights, f"{at}.weights", pair),
            "bias": pair(node.bias, given.bias, f"{at}.bias"),
        }
        for (name, at, node), given in zip(new, old, strict=False)
    ]


def _precision(file: ConstructionFile) -> str:
    given = file.precision
    return f"{given.bits} bits" if given.bits is not None else f"t = {given.t}, e = {given.e}"


def _matrix(matrix: Any) -> str:
    rows = "; ".join(_text(row) for row in matrix.matrix)
    return f"[{rows}]{'' if matrix.times == '1' else f' · {matrix.times}'}"


def _text(entry: Any) -> str:
    """An entry as the file has it."""
    if isinstance(entry, RepeatedEntry):
        return f"{entry.entry} for {entry.for_} in {entry.in_}"
    if isinstance(entry, RepeatedRow):
        return f"{_text(entry.row)} for {entry.for_} in {entry.in_}"
    if isinstance(entry, list):
        return ", ".join(map(_text, entry))
    return "" if entry is None else str(entry)

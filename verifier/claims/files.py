"""Read a statement file (TOML) into a claim with its steps and parameters. Each mistake is reported with its line.

A repair or a neighbour is an overlay of the fields that it changes. ``repair.step = "ID"`` refers to the repair of another step: one slip
that both show is one erratum. The reader parses formulas and checks the fields of the core's judges; those of a paper's own judges are
checked when the claim is judged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, reduce
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import msgspec

from verifier.claims.file_records import (
    OF_NEIGHBOUR,
    OF_STATEMENT,
    OF_STEP,
    THE_FIELDS,
    OverviewEntry,
    ProofEntry,
    Raw,
    RowEntry,
    filled,
    of_passage,
    overlaid,
    texts_of,
    well_shaped,
    within,
)
from verifier.claims.judge_names import converted, judge_of, parsed
from verifier.claims.model import Claim, Neighbour, Sentence, Variant
from verifier.claims.parameters import Parameter, parse_values
from verifier.claims.records import KINDS, Part, Table, erratum
from verifier.claims.verdicts import Edition, Verdict
from verifier.judges.fields import CORE
from verifier.language.syntax import names_in
from verifier.networks.files import Lines, read_toml
from verifier.running.errors import FileDefect, FileDefects, InputError, LimitError, misplaced
from verifier.running.identifiers import LONGEST, below, identifier, meant, nearest


def declared(raw: Raw, above: Raw, shared: Raw, own: Raw, lets: Mapping[str, str], judge: str | None) -> tuple[Parameter, ...]:
    """The parameters of the owner as the step changes them, then the step's own; for a formula, those that it uses; or those that ``takes``
    names.

    shared: the descriptions in ``paper.toml`` that fill in what a parameter lacks; above: the owner of a step, else nothing.

    Raises:
        InputError: a parameter has unknown keys, or ``takes`` names an unknown one.
    """
    entries: dict[str, dict[str, Any]] = {k: dict(shared[k]) for k in raw.get("takes", ()) if k in shared and not above}
    entries |= {k: {**shared.get(k, {}), **v} for k, v in above.get("parameters", {}).items()}
    entries |= {k: dict(shared[k]) for k in above.get("takes", ()) if k in shared and k not in entries}
    for name, entry in raw.get("parameters", {}).items():
        entries[name] = {**shared.get(name, {}), **entries.get(name, {}), **entry}
        if "typical" in entry:
            entries[name].pop("default", None)
        elif "default" in entry:
            entries[name].pop("typical", None)
    taken = raw.get("takes")
    if taken is None and above and judge in ("formula", "pairs", "expectation", "reals", "mean", "combination"):
        taken = _used(raw, own, lets, entries)
    if taken is not None:
        if unknown := set(taken) - entries.keys():
            raise InputError(f"takes names {min(unknown)!r}, which is not a parameter; the parameters are {', '.join(entries) or 'none'}")
        entries = {k: v for k, v in entries.items() if k in taken}
    made = tuple(_parameter(k, v) for k, v in entries.items())
    for p in made:
        for key, text in (("where", p.where), ("meant", p.meant), ("default", p.default)):
            if text is not None and (foreign := names_in(text) - entries.keys()):
                said = f"no name {min(foreign)!r} here; the parameters are {', '.join(entries)}"
                raise FileDefects([FileDefect(("parameters", p.name, key), said)], f"parameter {p.name}")
    return made


def _used(raw: Raw, own: Raw, lets: Mapping[str, str], entries: Mapping[str, Raw]) -> set[str]:
    """The parameters that a step's formulas use, through its definitions and each other's domains and defaults."""
    fields = converted(own, CORE[raw.get("judge", "formula")][0])
    texts = [*fields.formulas(), *([raw["where"]] if "where" in raw else ())]
    found: set[str] = set()
    while texts:
        for name in names_in(texts.pop()) - found:
            found.add(name)
            texts += [lets[name]] if name in lets else []
            texts += [t for t in (entries[name].get("where"), entries[name].get("default")) if t] if name in entries else []
    return found & entries.keys()


def _parameter(name: str, entry: Raw) -> Parameter:
    known = {**entry, "name": name}
    if isinstance(known.get("names"), list):
        known["names"] = tuple(known["names"])
    try:
        made = Parameter(**known)
    except TypeError:
        allowed = "meaning, where, typical or default, meant, names, family"
        raise InputError(f"parameter {name} has the keys {', '.join(entry)}; meaning and where of {allowed} were expected") from None
    for text in (made.where, made.default, made.meant):
        if text is not None:
            parsed(text, {"parameters": {name: entry}})
    if made.typical is None and made.default is None:
        said = "neither typical nor default; one of the two was expected"
        raise FileDefects([FileDefect(("parameters", name), said)], f"parameter {name}")
    if made.typical is not None:
        try:
            parse_values(made.typical, made, of_option=False)
        except (InputError, LimitError) as error:
            raise FileDefects([FileDefect(("parameters", name, "typical"), str(error))], f"parameter {name}") from None
    return made


Where: TypeAlias = tuple[str | int, ...]
"""A place in the file, as keys and as places in lists, counted from 0."""

Made = TypeVar("Made")
OfAnother = TypeVar("OfAnother", OverviewEntry, RowEntry)


class Places:
    """The places of a statement file. of: for each step, the tables with its fields: its own, then that of the passage above it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.of: dict[str, list[Where]] = {}

    @contextmanager
    def inside(self, raw: Raw, *tables: Where) -> Iterator[None]:
        """Puts the file, the line of the field in question and the step before every mistake found inside.

        tables: the tables with these fields, in the order in which they are searched; by default those of the statement or step.
        """
        try:
            yield
        except FileDefects as error:
            if error.within == self.path.name:
                raise
            lines = [f"{self._at(raw, tables, defect.path)}: {defect}" for defect in error.each]
            raise FileDefects(error.each, self.path.name, lines) from None
        except InputError as error:
            raise FileDefects([FileDefect((), str(error))], self.path.name, [f"{self._at(raw, tables)}: {error}"]) from None

    def _at(self, raw: Raw, tables: Sequence[Where], path: Where = ()) -> str:
        """``statements/lemma-2.6.toml:31: step residue``."""
        name = str(raw.get("id", ""))
        owner = name == self.path.stem
        found = tables or ([()] if owner else self.of.get(name, [()]))
        own = (table for table in found if path and self._lines.exactly((*table, *path[:1])))
        line = next((self._lines.of((*table, *path)) for table in own), None) or self._lines.of((*found[0], "id"))
        return f"{self.path}:{line or 1}" + ("" if owner or not name else f": step {name[:LONGEST]}")

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.path.read_text(encoding="utf-8"))


def each_of(kind: str, raw: Raw, read: Callable[[Raw], Made]) -> Iterator[Made]:
    """The result of a function for each table of this kind; every mistake inside is reported with the table's place."""
    for number, entry in enumerate(raw.get(kind, ())):
        try:
            made = read(entry)
        except FileDefects as error:
            raise FileDefects([replace(each, path=(kind, number, *each.path)) for each in error.each], error.within) from None
        except InputError as error:
            raise FileDefects([FileDefect((kind, number), str(error))], kind) from None
        yield made


OF_FAMILY = {"columns": list[str], "rows": list[list[Any]], "repair": dict[str, dict[str, Any] | list[dict[str, Any]]]}
"""The shapes of a family's own fields."""
NOT_OVERLAID = frozenset(("why", "name", "in-words"))
"""The keys of a repair besides the fields that it changes."""
OF_TABLES = frozenset(("computes", "input-representation", "output", "one-string", "partial-sum"))
"""The judges of the core that judge the claim's table."""


def read_statement(path: Path, paper: Raw, folder: Path, package: str) -> Claim:
    """The claim of a statement file, its steps in their order.

    paper:   the raw ``paper.toml``: its ``id`` and defaults; folder: the paper's folder; package: of its Python modules.

    Raises:
        InputError: one line with the file, the line and the step, what is wrong and what was expected.
    """
    raw = read_toml(path)
    reader = _Reader(path, paper, folder, package)
    if raw.get("id") != path.stem:
        line = Lines(path.read_text(encoding="utf-8")).of(("id",)) or 1
        raise InputError(f"{path}:{line}: id is {raw.get('id')!r}; the file's name {path.stem!r} was expected")
    return reader.statement(raw)


def read_sentences(path: Path, paper: Raw) -> tuple[Sentence, ...]:
    """The sentences of a statement and of its steps, without the formulas of their judges, which nothing checks here.

    Raises:
        InputError: as :func:`read_statement`, if a step or its sentence cannot be found.
    """
    reader, raw = _Reader(path, paper, path.parent, ""), read_toml(path)
    with reader.places.inside(raw):
        well_shaped(raw)
        found = [raw, *reader.steps(raw)]
        owner = f"{paper['id']}/{texts_of(raw, 'a statement', 'id')[0]}"
        told = [(each is not raw, *texts_of(each, "a claim", "id", "says", "place"), each.get("role", "argument")) for each in found]
    return tuple(
        Sentence(f"{owner}:{name}", says, place, role) if of_step else Sentence(owner, says, place, None)
        for of_step, name, says, place, role in told
    )


class _Reader:
    def __init__(self, path: Path, paper: Raw, folder: Path, package: str) -> None:
        self.path, self.paper, self.folder, self.package = path, paper, folder, package
        self.places = Places(path)
        self.tables: dict[str, Table] = {}

    def statement(self, raw: Raw) -> Claim:
        with self.places.inside(raw):
            well_shaped(raw)
            steps = list(self.steps(raw))
            ids = Counter(str(step.get("id")) for step in steps)
            if twice := {i for i, times in ids.items() if times > 1}:
                raise InputError(f"two steps have the id {min(twice)!r}")
        claim = self._complete(raw, None, OF_STATEMENT)
        return replace(claim, steps=tuple(self._complete(step, raw, OF_STEP) for step in steps))

    def steps(self, raw: Raw) -> Iterator[Raw]:
        """The steps and the rows of families, in the order of the file, each with the fields that its passage gives to all steps."""
        rest = {kind: enumerate(raw.get(kind, ())) for kind in ("passage", "step", "family")}
        passage: Raw = {}
        above: list[Where] = []
        for found in re.finditer(r"^\[\[(passage|step|family)\]\]", self.path.read_text(encoding="utf-8"), re.MULTILINE):
            number, entry = next(rest[found[1]])
            if found[1] == "passage":
                above = [("passage", number)]
                with self.places.inside(entry, *above):
                    passage = of_passage(entry)
                continue
            step = within(passage, entry)
            with self.places.inside(step, (found[1], number)):
                steps = list(self._rows(step)) if found[1] == "family" else [step]
            self.places.of |= {str(each.get("id")): [(found[1], number), *above] for each in steps}
            yield from steps

    def _rows(self, family: Raw) -> Iterator[Raw]:
        """The steps of a family, or hypotheses: a row of values for the ``columns``, which the other fields may name in braces."""
        well_shaped(family, OF_FAMILY)
        if not {"columns", "rows"} <= family.keys() or any(len(row) != len(family["columns"]) or not row for row in family["rows"]):
            raise InputError("a family has columns, and rows with a value for each; at least one was expected")
        columns, shared = family["columns"], {k: v for k, v in family.items() if k not in ("columns", "rows", "repair")}
        for row in family["rows"]:
            values = dict(zip(columns, row, strict=True))
            step: dict[str, Any] = {k: filled(v, values) for k, v in shared.items()}
            step |= {k: v for k, v in values.items() if not k.startswith("_")}
            if row[0] in family.get("repair", {}):
                step["repair"] = family["repair"][row[0]]
            yield step

    def _alike(self, entry: Raw) -> Iterator[Raw]:
        """An entry, or one for each of its rows."""
        return self._rows(entry) if "rows" in entry else iter([entry])

    def _assumed(self, raw: Raw) -> tuple[str, ...]:
        """The names of the hypotheses."""
        return tuple(texts_of(h, "a hypothesis", "name")[0] for entry in raw.get("hypothesis", ()) for h in self._alike(entry))

    def _complete(self, raw: Raw, owner: Raw | None, allowed: frozenset[str]) -> Claim:
        """A claim with its errata and neighbours."""
        with self.places.inside(raw):
            claim = self._claim(raw, owner, allowed)
            repairs = raw.get("repair", [])
            repairs = [repairs] if isinstance(repairs, dict) else repairs
            of = next((repair["step"] for repair in repairs if "step" in repair), None)
            if of is not None:
                repairs = [self._repair_of(of, repairs, owner)]
            overlays = [{k: v for k, v in repair.items() if k not in NOT_OVERLAID} for repair in repairs]
            mended = reduce(overlaid, overlays, raw)
            if repairs:
                printed = {**raw, "let": claim.lets}
                errata = tuple(erratum(printed, o, self._why(r), r.get("in-words", "")) for o, r in zip(overlays, repairs, strict=True))
                whole = self._claim(mended, owner, allowed)
                some = [chosen for many in range(1, len(overlays)) for chosen in combinations(range(len(overlays)), many)]
                partly = {k: self._claim(reduce(overlaid, [overlays[i] for i in k], raw), owner, allowed) for k in some}
                claim = replace(claim, repaired=whole, partly=partly, errata=errata)
                claim = claim if of is None else replace(claim, erratum_of=f"{self.path.stem}:{of}")
            neighbours = tuple(each_of("neighbour", raw, lambda n: self._neighbour(raw, mended, n, owner, allowed)))
            assumed = each_of("hypothesis", raw, lambda entry: [self._hypothesis(raw, h, allowed) for h in self._alike(entry)])
            hypotheses = tuple(hypothesis for each in assumed for hypothesis in each)
            questions = tuple(each_of("question", raw, lambda q: self._question(raw, q, allowed)))
            return replace(claim, neighbours=neighbours, hypotheses=hypotheses, questions=questions)

    def _repair_of(self, step: str, repairs: list[Raw], owner: Raw | None) -> Raw:
        """The single repair of another step that also corrects this step."""
        others = {each["id"]: each.get("repair") for each in self.steps(owner)} if owner else {}
        found = others.get(step)
        if len(repairs) > 1 or repairs[0].keys() != {"step"} or not isinstance(found, dict) or "step" in found:
            raise InputError(f"repair.step is {step!r}; only the id of another step that has one repair was expected")
        return found

    def _why(self, overlay: Raw) -> str:
        if not isinstance(overlay.get("why"), str):
            raise InputError("a repair or neighbour without why; a sentence was expected")
        return str(overlay["why"])

    def _neighbour(self, raw: Raw, mended: Raw, entry: Raw, owner: Raw | None, allowed: frozenset[str]) -> Neighbour:
        well_shaped(entry, {"at": dict[str, int]})
        default = "repaired" if mended is not raw or raw.get("table", (owner or {}).get("table")) else "statement"
        try:
            edition, expected = Edition(entry.get("edition", default)), Verdict(entry.get("verdict", "refuted"))
        except ValueError as error:
            raise InputError(f"neighbour: {error}") from None
        changed = overlaid(mended if edition is Edition.REPAIRED else raw, {k: v for k, v in entry.items() if k not in OF_NEIGHBOUR})
        claim = replace(self._claim(changed, owner, allowed), proofs=())
        return Neighbour(claim, self._why(entry), expected, edition, entry.get("at", {}), entry.get("because"))

    def _hypothesis(self, raw: Raw, entry: Raw, allowed: frozenset[str]) -> Variant:
        """The statement without a hypothesis: with its overlay, or, without one, with its name removed from the judge's assumptions."""
        name, says = texts_of(entry, "a hypothesis", "name", "says")
        made = self._variant(raw, {k: v for k, v in entry.items() if k not in ("name", "says")}, says, allowed)
        others = tuple(other for other in self._assumed(raw) if other != name)
        return replace(made, name=name, claim=replace(made.claim, assuming=others))

    def _question(self, raw: Raw, entry: Raw, allowed: frozenset[str]) -> Variant:
        """A question of ours in words, and the judge with its fields in place of the statement's."""
        asks, _ = texts_of(entry, "a question", "asks", "judge")
        return self._variant(raw, {k: v for k, v in entry.items() if k != "asks"}, asks, allowed)

    def _variant(self, raw: Raw, entry: Raw, says: str, allowed: frozenset[str]) -> Variant:
        changed = overlaid(raw, {k: v for k, v in entry.items() if k != "over"})
        return Variant(says, replace(self._claim(changed, None, allowed), proofs=()), entry.get("over", {}))

    def _claim(self, raw: Raw, owner: Raw | None, allowed: frozenset[str]) -> Claim:
        identifier(raw.get("id"))
        for key in ("says", "place"):
            if key not in raw and (near := nearest(key, raw.keys() - allowed)):
                raise FileDefects([FileDefect((near[0],), f"unknown field {near[0]!r}; did you mean {key}?", "")], THE_FIELDS)
            if not isinstance(raw.get(key), str):
                raise InputError(f"{key} is {raw.get(key)!r}, a text was expected")
        well_shaped(raw)
        above = owner or {}
        lets = {**above.get("let", {}), **raw.get("let", {})}
        own = {k: v for k, v in raw.items() if k not in allowed}
        name, judge = judge_of(raw, own, self.package)
        arithmetic = self._arithmetic(name, raw, above)
        table = raw.get("table", above.get("table"))
        full = f"{self.paper['id']}/{above['id'] + ':' if above else ''}{raw['id']}"
        role = raw.get("role", "argument") if above else None
        if role not in ("argument", "aside", None):
            raise misplaced(f"{role!r}; {meant(str(role), ('argument', 'aside'), 'argument or aside was expected')}", "role")
        if name in OF_TABLES and table is None:
            raise InputError(f"judge is {name!r} and table is missing; table, the name of a file in tables, was expected")
        for text in (*lets.values(), *([raw["where"]] if "where" in raw else ())):
            parsed(text, raw)
        return Claim(
            id=full,
            statement=raw["says"],
            place=raw["place"],
            checks=raw.get("checks", ""),
            words=raw.get("words", False),
            parameters=declared(raw, above, self.paper.get("parameters", {}), own, lets, name),
            judge=judge,
            parts=tuple(self._part(p) for p in raw.get("parts", ())),
            bounded=arithmetic != "none",
            table=self._table(table) if table is not None else None,
            diagonal=raw.get("diagonal", False),
            certificate=f"{self.package}.judges.{raw['certificate'].replace('.', ':')}" if "certificate" in raw else None,
            point="floating" if arithmetic == "floating" else "fixed",
            overview=self._of_another(raw["overview"], OverviewEntry) if "overview" in raw else None,
            role=role,
            where=raw.get("where"),
            lets=lets,
            fields=own,
            witness=raw.get("witness", False),
            assuming=self._assumed(raw),
            supports={k: self._part(v) for k, v in {**above.get("supports", {}), **raw.get("supports", {})}.items()},
            functions={k: f"{self.package}.{v}" for k, v in self.paper.get("functions", {}).items()},
            sample=raw.get("sample", ""),
            exists=raw.get("exists", ""),
            ours=raw.get("ours", False),
            proofs=self._proofs(raw.get("proof", [])),
            kind=self._kind(raw),
            rows=tuple(self._of_another(r, RowEntry) for r in raw.get("row", ())),
        )

    def _proofs(self, entries: Raw | list[Raw]) -> tuple[ProofEntry, ...]:
        """``{ file = "Proof", theorem = "…", kernel = "coq" }``, or several of them."""
        try:
            return tuple(msgspec.convert(entries if isinstance(entries, list) else [entries], list[ProofEntry]))
        except msgspec.ValidationError as error:
            raise InputError(f"proof: {error}") from None

    def _of_another(self, entry: Raw, kind: type[OfAnother]) -> OfAnother:
        """A row or an overview, which names another claim."""
        return msgspec.convert({**entry, "claim": self._full(entry["claim"])}, kind)

    def _kind(self, raw: Raw) -> str | None:
        kind = raw.get("kind")
        if kind is not None and kind not in KINDS:
            raise misplaced(f"{kind!r}; {meant(str(kind), KINDS, 'one of ' + ', '.join(KINDS) + ' was expected')}", "kind")
        return kind

    def _table(self, entry: str | Raw) -> Table:
        """``"table-7"``, or ``{name = "table-7", without = ["step-6-value-0"]}``."""
        if not isinstance(entry, str):
            return self._table_without(entry["name"], tuple(entry["without"]))
        if entry not in self.tables:
            self.tables[entry] = self._table_without(entry)
        return self.tables[entry]

    def _table_without(self, named: str, without: tuple[str, ...] = ()) -> Table:
        name, folder = identifier(named, "table"), self.folder / "tables"
        if not below(folder, f"{name}.toml").is_file():
            there = sorted(p.stem for p in folder.glob("*.toml") if not p.stem.endswith(".errata"))
            raise misplaced(
                f"{name!r}; {meant(name, there, 'one of ' + (', '.join(there) or 'no files in tables') + ' was expected')}", "table"
            )
        claim = self.paper.get("tables", {}).get(name)
        table = Table(str(folder), name, below(folder, f"{name}.errata.toml").is_file(), self._full(claim) if claim else None, without)
        if without and (unknown := set(without) - table.source.names):
            raise InputError(f"table {name} has no erratum or promise {min(unknown)!r}; it has {', '.join(sorted(table.source.names))}")
        return table

    def _arithmetic(self, judge: str | None, raw: Raw, above: Raw) -> str:
        if judge in CORE and not CORE[judge][0].BOUNDED and "arithmetic" not in raw:
            return "none"
        found = raw.get("arithmetic", above.get("arithmetic", self.paper.get("arithmetic", "none")))
        if found not in ("fixed", "floating", "none"):
            hint = meant(str(found), ("fixed", "floating", "none"), "fixed, floating or none was expected")
            raise misplaced(f"{found!r}; {hint}", "arithmetic")
        return str(found)

    def _part(self, entry: str | Raw) -> Part:
        """``"lemma-2.5"``, or ``{claim = "lemma-2.5", p = "p - 1"}``."""
        if isinstance(entry, str):
            return Part(self._full(entry))
        (claim,) = texts_of(entry, "a part", "claim")
        return Part(self._full(claim), {k: str(v) for k, v in entry.items() if k != "claim"})

    def _full(self, name: str) -> str:
        return name if "/" in name else f"{self.paper['id']}/{name}"

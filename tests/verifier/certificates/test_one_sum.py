"""Certificates that one running sum is too little: accepted as they are, refused with any entry short; entries, covers and barriers."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lowerbounds.matchings import largest_matching
from lowerbounds.running_sums import COUPLINGS, RunningSums
from tests.command_line import CommandLine
from tests.verifier.certificates.samples import Change, drop, put, titled
from tests.verifier.certificates.test_bits_before import entry, made
from verifier.arithmetic.semantics import read_semantics
from verifier.certificates import recheck, recheck_one_sum, recheck_reading
from verifier.certificates.catalogue import certify_claim
from verifier.certificates.recheck_reading import At, Limits, Rejected, Unknown
from verifier.certificates.statement import sealed, semantics_data
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition

CLAIM = "every-bit-counts/theorem-2.4:one-sum"

POINT = {"q": 3, "m": 7, "coupling": COUPLINGS.index("any")}

SHORT = {"q": 2, "m": 3, "coupling": COUPLINGS.index("product")}
"""Where barriers are not enough, under a4+overflow=saturate: some tokens of the last bit are excluded by those before it."""


@lru_cache(maxsize=2)
def text(folder: Path, semantics: str) -> str:
    path, point = folder / "one-sum.json", POINT if semantics == "a4" else SHORT
    certify_claim(find_claim(CLAIM), Edition.STATEMENT, point, read_semantics(semantics), path, 1 << 20)
    return path.read_text()


@pytest.fixture
def good(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return json.loads(text(tmp_path_factory.getbasetemp(), "a4"))


@pytest.fixture
def longer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return json.loads(text(tmp_path_factory.getbasetemp(), "a4+overflow=saturate"))


def test_it_is_accepted_and_of_the_claim(good: Any, verify: CommandLine, tmp_path: Path) -> None:
    line = recheck.recheck(good)
    assert "no products (any) of 3 bits tell the strings of 7 bits apart, a4; 135 states" in line
    path = tmp_path / "one-sum.json"
    path.write_text(json.dumps(good))
    done = verify("recheck", str(path))
    assert done.status == 0
    assert f"the catalogue's {CLAIM} (statement) at q = 3, m = 7" in done.out


CHANGES = [
    ("a barrier is left out", drop("barriers", 0), "and have no barrier"),
    ("a barrier lacks its states", put("barriers", 0, "barrier", value=[]), "edges may be disjoint, fewer than 64"),
    ("a barrier of everything", put("barriers", 0, "barrier", value=[str(k) for k in range(135)]), "135 edges may be disjoint"),
    ("a state is listed twice", put("barriers", 0, "barrier", value=lambda old: [*old, old[0]]), "a state is listed twice"),
    ("two barriers of the same maps", put("barriers", value=lambda old: [old[0], *old]), "are the same"),
    ("a map twice", put("barriers", 0, "maps", value=lambda old: [old[0], old[0]]), "are the same"),
    (
        "maps that need none",
        put("barriers", value=lambda old: [*old, {"maps": [["0", "0"], ["0", "3"]], "barrier": []}]),
        "need no barrier",
    ),
    ("shorter strings", lambda c: put("parameters", "m", value="6")(put("problem", "length", value="6")(c)), "have no barrier"),
    ("another reading", put("semantics", "ties", value="away"), "barrier"),
    (
        "any product with the weight 0",
        lambda c: put("parameters", "coupling", value="2")(put("sums", "coupling", value="independent")(c)),
        "barrier",
    ),
    ("another number of bits in the name", put("parameters", "q", value="2"), "parameters: q is 2, but 3 was found"),
]


def covered(certificate: Any) -> int:
    """The first entry that has covers."""
    return next(k for k, entry in enumerate(certificate["longer"]) if entry["covers"])


LONGER = [
    ("an entry is left out", lambda c: drop("longer", covered(c))(c), "and have no barrier"),
    ("no covers", lambda c: put("longer", covered(c), "covers", value=[])(c), "and no cover holds them"),
    (
        "covers without weight",
        lambda c: put("longer", covered(c), "covers", value=lambda old: [{**each, "weights": "0" * len(each["weights"])} for each in old])(
            c
        ),
        "and no cover holds them",
    ),
    (
        "a cover of everything",
        lambda c: put("longer", covered(c), "covers", 0, "weights", value=lambda old: "z" * len(old))(c),
        "fewer than . times 2 was expected",
    ),
    (
        "a cover asks for more",
        lambda c: put("longer", covered(c), "covers", value=lambda old: [{**each, "least": "35"} for each in old])(c),
        "and no cover holds them",
    ),
    ("an entry twice", put("longer", value=lambda old: [old[0], *old]), "are the same"),
    ("an entry and a barrier", lambda c: put("barriers", value=[{"maps": c["longer"][0]["maps"], "barrier": []}])(c), "are the same"),
    (
        "maps that need nothing before",
        lambda c: put("longer", 0, "longer", value=[{"maps": [["0", "0"], ["0", "1"]], "covers": [], "longer": []}])(c),
        "need no covers|only the first bit is left",
    ),
    ("shorter strings", lambda c: put("parameters", "m", value="2")(put("problem", "length", value="2")(c)), "only the first bit is left"),
]


@pytest.mark.parametrize(("title", "change", "reason"), LONGER, ids=titled)
def test_what_the_bits_before_exclude_is_refused_although_it_is_sealed(longer: Any, title: str, change: Change, reason: str) -> None:
    with pytest.raises(Rejected, match=reason):
        recheck.recheck(sealed(change(longer)))


def test_what_the_bits_before_exclude_is_accepted(longer: Any) -> None:
    line = recheck.recheck(longer)
    assert f"{len(longer['longer'])} by the bits before, with {sum(len(entry['covers']) for entry in longer['longer'])} covers" in line
    assert sum(len(entry["covers"]) for entry in longer["longer"]) > 1
    cover = longer["longer"][covered(longer)]["covers"][0]
    cover["weights"] = cover["weights"][1:]
    with pytest.raises(Unknown, match="digits and letters"):
        recheck.recheck(longer)


UNKNOWN = [
    ("a move that no token is", put("barriers", 0, "maps", 0, value=["1", "0"]), "a product and a weight that a token can add"),
    ("a state that there is not", put("barriers", 0, "barrier", 0, value="135"), "an integer from 0 to 134"),
    ("one bit", lambda c: put("parameters", "m", value="1")(put("problem", "length", value="1")(c)), "two bits or more"),
]


@pytest.mark.parametrize(("title", "change", "reason"), CHANGES + UNKNOWN, ids=titled)
def test_refused_although_it_is_sealed(good: Any, title: str, change: Change, reason: str) -> None:
    with pytest.raises(Unknown if (title, change, reason) in UNKNOWN else Rejected, match=reason):
        recheck.recheck(sealed(change(good)))


def test_a_changed_statement_without_a_new_digest_is_refused(good: Any) -> None:
    with pytest.raises(Rejected, match="digest"):
        recheck.recheck(put("semantics", "order", value="products")(good))


Maps = list[tuple[int, ...]]

APART: Maps = [(0, 1, -1, -1), (2, 3, -1, -1)]
"""Two maps of four states whose edges, 0–2 and 1–3, are disjoint: two bits can be told apart."""

STAR: Maps = [(0, 2, 0, -1), (1, 0, 3, -1)]
"""0–1, 2–0 and 0–3, of which no two are disjoint."""

TWO_MAPS: list[tuple[str, Maps, list[int] | None, str]] = [
    ("edges that are disjoint", APART, None, "two maps leave 2 states, and have no barrier"),
    ("disjoint edges of the last states", [(-1, -1, 0, 1), (-1, -1, 2, 3)], None, "two maps leave 2 states, and have no barrier"),
    ("and no barrier can help", APART, [], "2 edges may be disjoint, fewer than 2 were expected"),
    ("nor one in an edge", APART, [0], "2 edges may be disjoint"),
    ("the middle of a star", STAR, [0], "4 states, 1 pairs of maps, 1 of them by barriers"),
    ("a leaf of it", STAR, [1], "2 edges may be disjoint"),
    ("no barrier for a star", STAR, None, "two maps leave 3 states, and have no barrier"),
    ("edges with three ends", [(0, 1, -1, -1), (1, 2, -1, -1)], None, "1 pairs of maps, 0 of them by barriers"),
    ("one image", [(0, 0, -1, -1), (1, 2, -1, -1)], None, "1 pairs of maps, 0 of them by barriers"),
    ("one image that is in all edges", [(3, 3, 3, -1), (0, 1, 2, -1)], None, "1 pairs of maps, 0 of them by barriers"),
    ("also of the second map", [(0, 1, 2, -1), (3, 3, 3, -1)], None, "1 pairs of maps, 0 of them by barriers"),
    ("a barrier for those", [(3, 3, 3, -1), (0, 1, 2, -1)], [3], "these maps need no barrier"),
    ("a barrier for few edges", [(0, 1, 2, 3), (0, 1, 2, 0)], [0], "these maps need no barrier"),
    ("a barrier for few ends", [(0, 1, 2, -1), (1, 2, 0, -1)], [0], "these maps need no barrier"),
    ("a state that there is not", STAR, [4], "an integer from 0 to 3 was expected"),
    ("nor is one below 0", STAR, [-1], "an integer from 0 to 3 was expected"),
    ("a state twice", STAR, [0, 0], "a state is listed twice"),
    ("a barrier for nothing", [(0, 0, -1, -1), (1, 2, -1, -1)], [0], "these maps need no barrier"),
]


@pytest.mark.parametrize(("maps", "barrier", "expected"), [row[1:] for row in TWO_MAPS], ids=[titled(row[0]) for row in TWO_MAPS])
def test_two_maps_made_for_it(maps: Maps, barrier: list[int] | None, expected: str) -> None:
    sums = made(maps)
    given = [{"maps": [["0", "0"], ["0", "1"]], "barrier": list(map(str, barrier))}] if barrier is not None else []
    facts = {"barriers": At(given, "barriers"), "longer": At([])}
    assert expected in said_of(facts, sums)
    with pytest.raises(Unknown, match="a claim about strings of two bits or more"):
        recheck_one_sum.check_one_sum(facts, sums, 1)


TWO: Any = {"maps": [["0", "0"], ["0", "1"]]}

BARRIER, BEFORE = {**TWO, "barrier": ["0"]}, {**TWO, "covers": [], "longer": []}

TWICE = [
    ("two barriers", [BARRIER, BARRIER], []),
    ("the maps in another order", [BARRIER, {**BARRIER, "maps": TWO["maps"][::-1]}], []),
    ("one map twice", [{**BARRIER, "maps": [["0", "0"], ["0", "0"]]}], []),
    ("a barrier and what is before", [BARRIER], [BEFORE]),
]


@pytest.mark.parametrize(("barriers", "longer"), [row[1:] for row in TWICE], ids=[titled(row[0]) for row in TWICE])
def test_two_maps_have_one_entry(barriers: list[Any], longer: list[Any]) -> None:
    said = said_of({"barriers": At(barriers), "longer": At(longer)}, made(STAR))
    assert said.endswith("the maps of one entry, or of two entries, are the same")


def said_of(facts: Any, sums: Any) -> str:
    """What is said of strings of two bits."""
    try:
        return recheck_one_sum.check_one_sum(facts, sums, 2)
    except (Rejected, Unknown) as refused:
        return str(refused)


@pytest.mark.parametrize("execution", ["a4", "a4+ties=away", "a4+overflow=before", "a4+overflow=saturate", "a4+point=grid"])
@pytest.mark.parametrize("coupling", COUPLINGS)
@pytest.mark.parametrize("bits", [1, 2])
def test_states_and_maps_are_those_of_the_search(execution: str, coupling: Any, bits: int) -> None:
    semantics = read_semantics(execution)
    own = recheck_one_sum.RunningSums(
        At(semantics_data(semantics)),
        At({"bits": str(bits), "coupling": coupling}),
        Limits(),
    )
    searched = RunningSums(semantics, bits, coupling)
    value = own.machine.value
    assert [(str(value(a)), str(value(d))) for a, d in own.states] == [(shown(a), shown(d)) for a, d in searched.states]
    assert set(own.map.values()) == {tuple(-1 if x is None else x for x in image) for image in searched.maps}


def shown(x: Any) -> str:
    from verifier.arithmetic.numbers import show

    return show(x)


def test_where_strings_can_be_told_apart_there_is_no_certificate(verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    done = verify(f"{CLAIM} --q 2 --m 3 --edition statement --certificate", str(path))
    assert done.status == 2
    assert "a table tells strings of 3 bits apart" in done.err
    assert not path.exists()


@pytest.mark.campaign
def test_products_that_are_independent_of_the_weights(tmp_path: Path) -> None:
    """Seven minutes of search, and two to check what was found."""
    path, point = tmp_path / "independent.json.gz", {"q": 3, "m": 7, "coupling": COUPLINGS.index("independent")}
    assert certify_claim(find_claim(CLAIM), Edition.STATEMENT, point, read_semantics("a4"), path, 1 << 20) < 1 << 20
    limits = Limits(work=1 << 28)
    assert "102 by the bits before" in recheck.recheck(recheck_reading.read(str(path), limits), limits)


MADE = made([(0, 1), (1, 0)])

COVERS: list[tuple[str, str, type[Exception] | None]] = [
    ("1", "01", None),
    ("35", "zy", None),
    ("0", "00", Unknown),
    ("36", "00", Unknown),
    ("2", "0", Unknown),
    ("2", "000", Unknown),
    ("9", "A0", Unknown),
    ("1", "11", Rejected),
    ("5", "91", Rejected),
]


def test_covers_are_read() -> None:
    """Of two states, where two sets have no room."""
    for least, text, error in COVERS:
        given = At({"least": least, "weights": text})
        if error:
            with pytest.raises(error):
                recheck_one_sum.read_cover(given, 2, 2)
        else:
            assert recheck_one_sum.read_cover(given, 2, 2) == (int(least), [int(letter, 36) for letter in text])


ENTRIES: list[tuple[list[tuple[int, ...]], type[Exception] | None]] = [
    ([(0, 1)], None),
    ([(0, 0)], Rejected),
    ([(0, 1), (0, 1)], Rejected),
    ([(0, 1), (1, 0)], Rejected),
    ([(0, 2)], Unknown),
    ([(0,)], Unknown),
    ([(0, 1, 1)], Unknown),
]


def test_entries_are_of_two_maps_each_and_of_no_others() -> None:
    for pairs, error in ENTRIES:
        given = At([entry(pair, covers=[], longer=[]) for pair in pairs])
        if error:
            with pytest.raises(error):
                recheck_one_sum.read_longer(given, MADE)
        else:
            assert [*recheck_one_sum.read_longer(given, MADE)] == [{*MADE.map.values()}]


def test_a_move_is_a_product_and_a_weight_that_there_are() -> None:
    assert recheck_one_sum.read_move(At(["0", "1"]), MADE) == (0, 1)
    for move in (["0"], ["0", "0", "0"], ["1", "0"], ["0", "2"]):
        with pytest.raises(Unknown):
            recheck_one_sum.read_move(At(move), MADE)


SPIDER = [(x, 4 + x) for x in range(3)] + [(4 + x, 8 + x) for x in range(3)] + [(8 + x, 11) for x in range(3)]
"""Three legs of three edges: once the outer two of each are gone, its first one ends in a leaf."""

LAST = [(0, 1), (0, 2), (1, 2), (2, 6), (3, 4), (3, 5), (4, 5), (5, 6), (6, 7)]
"""Two triangles and one leaf, the last vertex, around 6."""


def test_neighbours_of_leaves_are_the_best_barrier_of_a_forest() -> None:
    forests = [SPIDER, LAST]
    for seed in range(12):
        rng = Random(seed)
        forests.append([(rng.randrange(x), x) for x in range(1, rng.randrange(2, 14)) if rng.random() < 0.8])
    for edges in forests:
        assert recheck_one_sum.most_disjoint({*edges}, recheck_one_sum.leaf_barrier(edges)) == largest_matching(edges).bound, edges


def disjoint(edges: list[tuple[int, int]]) -> int:
    """The most disjoint edges, by trying every choice."""
    if not edges:
        return 0
    (u, v), *others = edges
    return max(disjoint(others), 1 + disjoint([e for e in others if not {u, v} & {*e}]))


@pytest.mark.parametrize("seed", range(20))
def test_a_barrier_bounds_the_disjoint_edges_and_some_barrier_is_tight(seed: int) -> None:
    rng = Random(seed)
    edges = rng.sample(list(combinations(range(7), 2)), rng.randrange(1, 12))
    bounds = [recheck_one_sum.most_disjoint(set(edges), set(some)) for k in range(4) for some in combinations(range(7), k)]
    assert min(bounds) == disjoint(edges)

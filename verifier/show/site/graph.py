"""The graph of a paper's statements: an arrow from each to those that are built of it, laid out in layers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

import networkx as nx

from verifier.claims.model import Claim
from verifier.gate.run import MAIN
from verifier.show.judged import Judged
from verifier.show.notation.plain import plain
from verifier.show.pictures.drawing import Drawing
from verifier.show.site.templates import COLOURS, page
from verifier.show.theorems import decides, linked_theorems, theorems
from verifier.show.verdict_words import titled

KINDS = "theorem|lemma|corollary|corollarie|proposition|definition|example|equation|table|condition|section"
NAMED = re.compile(rf"\b({KINDS})s?[ -]((?:\(?[a-z]?\.?\d[\d.]*\)?(?:,? and |, )?)+)", re.IGNORECASE)
NUMBER = re.compile(r"[a-z]?\.?\d+(?:\.\d+)*", re.IGNORECASE)
COLUMN, ROW, WIDE, HIGH = 200.0, 34.0, 142.0, 24.0
ALONE_ACROSS = 5


def graph(judged: Judged) -> nx.DiGraph:
    """Statements, and an edge from each to those that take it for a part, an assumption's support or their table, or that name it in their
    sentence or in a step of their proof.
    """
    made = nx.DiGraph()
    for claim in judged.paper.statements():
        made.add_node(claim.name)
    for claim in judged.paper.statements():
        for used in _used(judged, claim):
            if used != claim.name and used in made:
                made.add_edge(used, claim.name)
    return made


def _used(judged: Judged, claim: Claim) -> Iterator[str]:
    for each in (claim, *claim.steps):
        yield from (part.claim.partition("/")[2].partition(":")[0] for part in (*each.parts, *each.supports.values()))
        if each.table is not None and each.table.claim is not None:
            yield each.table.claim.partition("/")[2].partition(":")[0]
        for result in judged.run.results[each.id]:
            named = [*result.outcome.parts, *([result.outcome.blocked_by] if result.outcome.blocked_by else ())]
            yield from (n.partition("/")[2].partition(":")[0] for n in named if n.startswith(f"{judged.paper.id}/"))
        yield from named_in(f"{each.statement} {each.name.partition(':')[2]}")


def named_in(text: str) -> list[str]:
    """The statements that a sentence names: lemma-2.3 and lemma-2.6 for ``Lemmas 2.3 and 2.6``; known or not."""
    found = [(kind.lower().replace("corollarie", "corollary"), numbers) for kind, numbers in NAMED.findall(text)]
    return [f"{kind}-{number.lower()}" for kind, numbers in found for number in NUMBER.findall(numbers)]


def layout(made: nx.DiGraph) -> dict[str, tuple[float, float]]:
    """Layers from left to right, each statement before those that use it; statements without edges below, in the paper's order."""
    order = list(made)
    alone = [name for name in order if made.degree(name) == 0]
    rest = made.subgraph([name for name in order if name not in alone])
    whole = nx.condensation(rest)
    places: dict[str, tuple[float, float]] = {}
    layers: dict[int, list[str]] = {}
    for depth, components in enumerate(nx.topological_generations(whole)):
        layers[depth] = sorted((n for c in components for n in whole.nodes[c]["members"]), key=order.index)
    tallest = max((len(names) for names in layers.values()), default=0)
    for depth, names in layers.items():
        gap = (tallest - len(names)) / 2
        for k, name in enumerate(names):
            places[name] = (depth * COLUMN, (gap + k) * ROW)
    for k, name in enumerate(alone):
        places[name] = (k % ALONE_ACROSS * (WIDE + 12), (tallest + 1.5 + k // ALONE_ACROSS) * ROW)
    return places


def graph_page(judged: Judged) -> str:
    """The graph, and each statement's ancestors as a list that needs no script."""
    made = graph(judged)
    ancestors = {name: sorted(nx.ancestors(made, name), key=list(made).index) for name in made}
    drawing = _drawn(judged, made, ancestors)
    rows = [
        {
            "name": titled(name),
            "id": name,
            "href": judged.page(f"{judged.paper.id}/{name}"),
            "theorems": theorems([judged.paper.statement(name)]),
            "ancestors": [{"name": titled(a), "href": judged.page(f"{judged.paper.id}/{a}")} for a in ancestors[name]],
        }
        for name in made
        if ancestors[name] or judged.paper.statement(name).proofs
    ]
    return page(
        "graph.html.jinja",
        f"{judged.folder}/graph.html",
        "Graph of statements",
        here=judged,
        picture=drawing.inside(kind="graph", role="group"),
        rows=rows,
    )


def _drawn(judged: Judged, made: nx.DiGraph, ancestors: dict[str, list[str]]) -> Drawing:
    places = layout(made)
    width = max((x for x, _ in places.values()), default=0) + WIDE + 20
    height = max((y for _, y in places.values()), default=0) + HIGH + 20
    drawing = Drawing(width, height, "The statements and what they rest on")
    for first, second in made.edges:
        drawing.raw(f'<path class="edge" data-from="{first}" data-to="{second}" d="{_curve(places[first], places[second])}"/>')
        drawing.raw(f'<path class="arrow" data-from="{first}" data-to="{second}" d="{_head(places[first], places[second])}"/>')
    for name in made:
        claim = judged.paper.statement(name)
        found = judged.standing(claim)
        kind = COLOURS[found.status]
        x, y = places[name]
        says = " ".join([claim.statement, *map(decides, linked_theorems([claim]))])
        on = " on-declined" if kind == "declined" else ""
        drawing.raw(
            f'<g class="node" tabindex="0" role="button" aria-label="{titled(name)}, {found.status}, '
            f'resting on {len(ancestors[name])} statements" data-name="{name}" data-from="{" ".join(ancestors[name])}">'
            f"<title>{titled(name)}: {escape(plain(says))}</title>{_plate(name, x + 10, y + 10)}"
            f'<circle cx="{x + 27:.1f}" cy="{y + 10 + HIGH / 2:.1f}" r="9" class="{kind}"/>'
            f'<text x="{x + 27:.1f}" y="{y + 26:.1f}" class="mark{on}">{found.mark}</text>'
            f'<text x="{x + 41:.1f}" y="{y + 26:.1f}">{titled(name)}</text></g>'
        )
    return drawing


def _plate(name: str, x: float, y: float) -> str:
    """The box of a statement: round for theorems, square for lemmas, with cut corners for the rest."""
    kind = name.partition("-")[0]
    if kind in (*MAIN, "lemma", "proposition"):
        return f'<rect x="{x:.1f}" y="{y:.1f}" width="{WIDE}" height="{HIGH}" rx="{HIGH / 2 if kind in MAIN else 0:.0f}" class="plate"/>'
    cut, right, low = 7, x + WIDE, y + HIGH
    corners = ((x + cut, y), (right - cut, y), (right, y + cut), (right, low - cut), (right - cut, low), (x + cut, low), (x, low - cut))
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in (*corners, (x, y + cut)))
    return f'<polygon points="{points}" class="plate"/>'


def _curve(first: tuple[float, float], second: tuple[float, float]) -> str:
    """From the right side of one box to the left side of the next; round the right side where both stand in one layer."""
    (x1, y1), (x2, y2) = ((x + 10, y + 10 + HIGH / 2) for x, y in (first, second))
    start, end = x1 + WIDE, x2 if x2 > x1 else x2 + WIDE
    bends = ((start + end) / 2, (start + end) / 2) if x2 > x1 else (start + 34, end + 34)
    return f"M{start:.1f} {y1:.1f} C{bends[0]:.1f} {y1:.1f} {bends[1]:.1f} {y2:.1f} {end:.1f} {y2:.1f}"


def _head(first: tuple[float, float], second: tuple[float, float]) -> str:
    """The head of an arrow, at the side of the second box that the curve reaches."""
    forward = second[0] > first[0]
    x, y = second[0] + 10 + (0 if forward else WIDE), second[1] + 10 + HIGH / 2
    return f"M{x:.1f} {y:.1f}l{-6 if forward else 6} -3.5v7z"

"""The graph of a paper's statements, laid out in layers. An arrow leads from each statement to those that are built on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
PASS = 9.0
"""The height that an edge needs in a layer that it crosses."""
ALONE_ACROSS = 5


def graph(judged: Judged) -> nx.DiGraph:
    """Statements, and an edge from each to those that use it as a part, an assumption's support or their table, or that name it in their
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


Track = tuple[str, int]
"""An edge that crosses a layer: its first statement and the layer."""


@dataclass(frozen=True)
class Layout:
    """The places of the boxes, by statement, and the heights at which edges cross layers."""

    places: dict[str, tuple[float, float]]
    tracks: dict[Track, float]


def layout(made: nx.DiGraph) -> Layout:
    """Layers from left to right, each statement before those that use it; statements without edges below, in the paper's order.

    An edge to a later layer passes the layers between where no box stands; the edges of one statement pass together.
    """
    order = list(made)
    alone = [name for name in order if made.degree(name) == 0]
    rest = made.subgraph([name for name in order if name not in alone])
    whole = nx.condensation(rest)
    depths = {
        name: depth
        for depth, components in enumerate(nx.topological_generations(whole))
        for component in components
        for name in whole.nodes[component]["members"]
    }
    tracks = {(first, k) for first, second in rest.edges for k in range(depths[first] + 1, depths[second])}
    heights: dict[str | Track, float] = {}
    layers: list[list[str | Track]] = []
    for depth in range(max(depths.values(), default=-1) + 1):
        boxes = [name for name in order if depths.get(name) == depth]
        layers.append(_between(boxes, [track for track in tracks if track[1] == depth], heights, order))
        top = 0.0
        for entry in layers[-1]:
            size = ROW if isinstance(entry, str) else PASS
            heights[entry], top = top + size / 2, top + size
    sizes = [sum(ROW if isinstance(entry, str) else PASS for entry in layer) for layer in layers]
    for layer, size in zip(layers, sizes, strict=True):
        heights |= {entry: heights[entry] + (max(sizes) - size) / 2 for entry in layer}
    places = {name: (depths[name] * COLUMN, heights[name] - ROW / 2) for name in depths}
    bottom = max(sizes, default=0.0) - ROW / 2
    for k, name in enumerate(alone):
        places[name] = (k % ALONE_ACROSS * (WIDE + 12), bottom + (1.5 + k // ALONE_ACROSS) * ROW)
    return Layout(places, {track: heights[track] - ROW / 2 + HIGH / 2 for track in tracks})


def _between(boxes: list[str], passing: list[Track], heights: Mapping[str | Track, float], order: list[str]) -> list[str | Track]:
    """Order a layer: boxes as in the paper, and each crossing edge near the height of its beginning."""
    from_above = {(name, depth): heights.get((name, depth - 1), heights[name]) for name, depth in passing}
    found: list[str | Track] = list(boxes)
    for track in sorted(passing, key=lambda t: (from_above[t], order.index(t[0])), reverse=True):
        found.insert(min(len(boxes), round(from_above[track] / ROW)), track)
    return found


def graph_page(judged: Judged) -> str:
    """The graph, and each statement's ancestors as a list that needs no script."""
    made = graph(judged)
    ancestors = {name: sorted(nx.ancestors(made, name), key=list(made).index) for name in made}
    drawing = _drawn(judged, made, ancestors)
    statements = {claim.name: claim for claim in judged.paper.statements()}
    rows = [(statements[name], theorems([statements[name]]), judged.links([statements[a].id for a in ancestors[name]])) for name in made]
    return page(
        "graph.html.jinja",
        f"{judged.folder}/graph.html",
        "Graph of statements",
        here=judged,
        picture=drawing.inside(kind="graph", role="group"),
        rows=[(claim, proved, before) for claim, proved, before in rows if before or claim.proofs],
    )


def _drawn(judged: Judged, made: nx.DiGraph, ancestors: dict[str, list[str]]) -> Drawing:
    laid = layout(made)
    places = laid.places
    width = max((x for x, _ in places.values()), default=0) + WIDE + 20
    height = max((y for _, y in places.values()), default=0) + HIGH + 20
    drawing = Drawing(width, height, "The statements and what they rest on")
    for first, second in made.edges:
        drawing.raw(f'<path class="edge" data-from="{first}" data-to="{second}" d="{_curve(first, second, laid)}"/>')
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


def _curve(first: str, second: str, found: Layout) -> str:
    """A curve from the right side of one box to the left side of the next, on its tracks through the layers between; around the right side
    if both stand in one layer.
    """
    (x1, y1), (x2, y2) = ((x + 10, y + 10 + HIGH / 2) for x, y in (found.places[first], found.places[second]))
    if x2 <= x1:
        return f"M{x1 + WIDE:.1f} {y1:.1f} C{x1 + WIDE + 34:.1f} {y1:.1f} {x2 + WIDE + 34:.1f} {y2:.1f} {x2 + WIDE:.1f} {y2:.1f}"
    columns = range(round((x1 - 10) / COLUMN) + 1, round((x2 - 10) / COLUMN))
    stops = [(10 + k * COLUMN, 10 + found.tracks[first, k]) for k in columns]
    path, x, y = f"M{x1 + WIDE:.1f} {y1:.1f}", x1 + WIDE, y1
    for left, height in (*stops, (x2, y2)):
        middle = (x + left) / 2
        path += f" C{middle:.1f} {y:.1f} {middle:.1f} {height:.1f} {left:.1f} {height:.1f}"
        x, y = left + WIDE, height
        path += f" H{x:.1f}" if left != x2 else ""
    return path


def _head(first: tuple[float, float], second: tuple[float, float]) -> str:
    """The head of an arrow at the side of the second box."""
    forward = second[0] > first[0]
    x, y = second[0] + 10 + (0 if forward else WIDE), second[1] + 10 + HIGH / 2
    return f"M{x:.1f} {y:.1f}l{-6 if forward else 6} -3.5v7z"

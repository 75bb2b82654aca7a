"""The experiments' parts, each against its slow definition, and a whole small run that is interrupted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from constructions.every_bit_counts.experiments.choices import FLOATING, INTEGERS, Choices, Network, Quantization, Training, printed
from constructions.every_bit_counts.mathematics.measured import flips
from verifier.arithmetic.bit_patterns import BitFormat
from verifier.arithmetic.formats import fixed_grid
from verifier.arithmetic.machine import Machine, RoundingRule
from verifier.arithmetic.numbers import Special
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError

pytestmark = pytest.mark.skipif(find_spec("jax") is None, reason="the extra 'experiments' is not installed")


training: ModuleType


@pytest.fixture(autouse=True, scope="module")
def compile_quickly() -> Iterator[None]:
    """What is compiled runs for milliseconds here. jax takes a second to import, of every process that collects tests."""
    global training
    import jax

    from constructions.every_bit_counts.experiments import training

    jax.config.update("jax_disable_most_optimizations", True)
    yield
    jax.config.update("jax_disable_most_optimizations", False)


def probes(form: BitFormat) -> list[float]:
    """Values, midpoints and what lies beside both, of either sign, also beyond the largest value. float32 holds all of them."""
    values = sorted({value for pattern in range(1 << form.width) if isinstance(value := form.value(pattern), Fraction)})
    if len(values) > 1000:
        values = values[::997] + values[-3:]
    top = values[-1]
    middles = [x + (b - a) * Fraction(k, 64) for a, b in pairwise(values) for k in (0, 1, 32) for x in (a, b) if b - a < 2**10]
    return [float(x) for x in (*values, *middles, top * Fraction(33, 32), top * 2, -top * 2)]


@pytest.mark.long("fn")
@pytest.mark.parametrize("flavour", ["fn", "ieee"])
def test_floating_formats_round_as_ours_and_as_gfloat(flavour: Any) -> None:
    gfloat = pytest.importorskip("gfloat", reason="the extra 'oracles' is not installed")
    from gfloat import formats as theirs

    known = {"FP16": theirs.format_info_binary16, "FP8_E5M2": theirs.format_info_ocp_e5m2, "FP8_E4M3": theirs.format_info_ocp_e4m3}
    choice = Quantization(e4m3=flavour)
    for name in [*FLOATING, "E3M2", "E7M5"] if flavour == "fn" else ["FP8_E4M3"]:
        form = training.floating_format(name, choice)
        points = probes(form)
        rounding = training.Floating(*(numbers[0] for numbers in training.numbers_of([name], "floating", choice)), choice)
        found = np.asarray(training.jax.jit(rounding.activation)(np.array(points, np.float32)))
        for x, rounded in zip(points, found, strict=True):
            exact = form.value(form.nearest(Fraction(x)))
            assert (not np.isfinite(rounded)) if isinstance(exact, Special) else Fraction(float(rounded)) == exact, (name, x)
            if flavour == "fn" and name in known:
                other = gfloat.round_float(known[name], x)
                assert other == rounded or not (np.isfinite(other) or np.isfinite(rounded)), (name, x)


@pytest.mark.one_in(2)
@pytest.mark.long("12")
@pytest.mark.parametrize("bits", [int(name.removeprefix("INT")) for name in INTEGERS])
def test_integers_round_as_a_grid(bits: int) -> None:
    """With a largest magnitude that makes the scale a power of two; ties go to even."""
    top = 2 ** (bits - 1) - 1
    machine = Machine(fixed_grid(bits, Fraction(1, 8)), RoundingRule("nearest", "even", "saturate"))
    points = [top / 8, *(k / 32 for k in range(-4 * top, 4 * top, max(1, top // 50)))]
    found = np.asarray(training.Integer(float(top), Quantization()).activation(np.array(points, np.float32)))
    assert [Fraction(float(x)) for x in found] == [machine.round(Fraction(x)) for x in points]


@pytest.mark.campaign
def test_each_output_of_a_matrix_may_have_its_own_scale() -> None:
    matrix = np.array([[7.0, 0.7], [1.0, 0.1]], np.float32)
    of_each = np.asarray(training.Integer(7.0, Quantization(scale="channel")).weight(matrix))
    assert np.allclose(of_each, matrix)
    assert np.allclose(np.asarray(training.Integer(7.0, Quantization()).weight(matrix)), [[7, 1], [1, 0]])


@pytest.mark.campaign
def test_pairs_are_equal_or_differ_in_as_many_bits_as_the_paper_says() -> None:
    for m, different in ((4, None), (5, 1)):
        bits, equal = (np.asarray(x) for x in training.jax.jit(training.pairs, static_argnums=(2, 3, 4))(3, 7, 600, m, different))
        apart = (bits[:, :m] != bits[:, m:]).astype(int)
        assert set(apart.sum(axis=1)[equal == 1]) == {0}
        assert set(apart.sum(axis=1)[equal == 0]) == {flips(m) if different is None else 1}
        assert len({tuple(row) for row in apart[equal == 0]}) == (4 if different is None else 5)
        assert 240 < equal.sum() < 360
        assert len({tuple(row) for row in bits[:, :m]}) == 2**m


def by_definition(p: dict[str, Any], bits: list[int], network: Network) -> Any:
    """Definition A.2 token by token in float64, with the norms of Appendix D."""
    from constructions.every_bit_counts.experiments import training

    p = {name: np.asarray(x, float) for name, x in p.items()}

    def norm(x: Any, k: int) -> Any:
        return (x - x.mean()) / np.sqrt(x.var() + training.EPSILON) * p[f"gain-{k}"] + p[f"shift-{k}"]

    def projected(x: Any, name: str) -> Any:
        return x @ p[name] + (p[f"{name}-bias"] if network.biases else 0)

    tokens = [p["embedding"][bit, i] + training.positions(network.n, network.d)[i] for i, bit in enumerate([*bits, 0])]
    heads, size = [], network.d // network.heads
    for h in range(network.heads):
        part = slice(h * size, (h + 1) * size)
        query = projected(tokens[-1], "query")[part]
        weights = [np.exp(query @ projected(x, "key")[part] / (np.sqrt(size) if network.scaled else 1)) for x in tokens]
        heads.append(sum(w * projected(x, "value")[part] for w, x in zip(weights, tokens, strict=True)) / sum(weights))
    attended = norm(np.concatenate(heads) + (tokens[-1] if network.residual else 0), 1)
    made = np.maximum(attended @ p["hidden"] + p["hidden-bias"], 0) @ p["output"] + p["output-bias"]
    return norm(made + (attended if network.residual else 0), 2) @ p["head"] + p["head-bias"]


@pytest.mark.long("sums-network1", "sums-network0", "shares-network0")
@pytest.mark.parametrize("network", [Network(3), Network(3, residual=True, biases=True, scaled=True)])
@pytest.mark.parametrize("attention", ["sums", "shares"])
def test_the_network_is_that_of_the_definition(network: Network, attention: Any) -> None:
    p = training.initial(5, network)
    assert {name: x.shape for name, x in p.items()} == network.shapes()
    assert network.parameters() == sum(x.size for x in p.values())
    rows = [[0, 1, 1, 0, 0, 1], [1, 1, 1, 1, 1, 1], [0, 0, 0, 1, 0, 0]]
    found = training.jax.jit(lambda q, bits: training.logits(q, bits, network, attention=attention))(p, np.array(rows, np.float32))
    assert np.allclose(found, [by_definition(p, row, network) for row in rows], atol=1e-4)


@pytest.mark.campaign
@pytest.mark.parametrize("compared", [False, True])
def test_a_run_that_is_cut_short_goes_on_where_it_was(tmp_path: Path, compared: bool) -> None:
    """A file of another run is refused; compared: the same document comes out as from a run in one piece, which is compiled anew."""
    choices = Choices(Network(4), Training(20, batch=16, test=64, fine_tuning=0), Quantization(), seeds=2, formats=("INT4", "INT8"))

    class KilledError(Exception):
        pass

    def until_half(label: str, done: int, total: int) -> None:
        if done == 10:
            raise KilledError

    path = tmp_path / "run.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("constructions.every_bit_counts.experiments.training.CHUNK", 10)
        with pytest.raises(KilledError):
            training.Run(choices, path, until_half).complete()
        assert json.loads(path.read_text())["steps"] == 10
        cut = training.Run(choices, path, lambda *_: None).complete()
        if compared:
            assert cut == training.Run(choices, None, lambda *_: None).complete()
    assert cut["steps"] == 20
    assert cut["after training"].keys() == {"INT4", "INT8"}
    assert all(0 <= k <= 64 for cell in cut["after training"].values() for sort in training.SORTS for k in cell[sort])
    if compared:
        own = replace(choices, formats=("INT5",), training=replace(choices.training, test=32))
        taken = training.Run(own, None, lambda *_: None, path).complete()
        assert taken["after training"].keys() == {"INT5"}
        assert taken["loss"] == cut["loss"]
    with pytest.raises(InputError, match=r"other choices \(seeds: 2, not 3\)"):
        training.Run(replace(choices, seeds=3), path, lambda *_: None)
    with pytest.raises(InputError, match=r"other choices \(steps: 20, not 19\)"):
        training.Run(replace(choices, training=replace(choices.training, steps=19)), None, lambda *_: None, path).complete()
    with pytest.raises(InputError, match="other choices"):
        training.Run(replace(choices, seeds=3), None, lambda *_: None, path).complete()


@pytest.mark.campaign
@pytest.mark.parametrize("choice", [Quantization(), Quantization(fine_tuning="project", attention="sums", no_number="wrong")])
def test_fine_tuning_makes_narrow_formats_better_only_behind_the_rounding(choice: Quantization, tmp_path: Path) -> None:
    """Where weights are rounded after each step, steps of 1/1000 change none of four bits."""
    choices = Choices(Network(6), Training(1500, test=512, fine_tuning=100), choice, seeds=2)
    made = training.Run(choices, tmp_path / "run.json", lambda *_: None).complete()
    taken = training.Run(choices, None, lambda *_: None, tmp_path / "run.json").complete()
    assert taken == made
    before, after = (made[table] for table in ("after training", "after fine-tuning"))
    assert before.keys() == after.keys() == {*INTEGERS, *FLOATING}
    drawn = training.SORTS[0]
    assert min(before["INT12"][drawn]) > 400
    gained = sum(after["INT4"][drawn]) - sum(before["INT4"][drawn])
    assert gained > 50 if choice.fine_tuning == "straight-through" else gained < 150


def test_what_the_paper_prints_is_the_default() -> None:
    assert printed(100).training.steps == 30_000
    assert (printed(15).network.heads, printed(15).network.d, printed(15).network.hidden) == (2, 8, 32)

"""Training without multiplications: it learns, it is the seed's, and it goes through these operations."""

import json
from pathlib import Path

import numpy as np
import pytest

from constructions.piecewise_affine.mathematics.network import (
    ORDINARY,
    PIECEWISE_AFFINE,
    Arithmetic,
    Breakdown,
    Images,
    Settings,
    forward,
    gradients,
    train,
)
from tests.command_line import CommandLine

SETTINGS = Settings(hidden=8, epochs=6, batch=16, rate=0.02)


def images() -> Images:
    """Three blobs in the plane, and three more images of each."""
    source = np.random.default_rng(0)
    labels = np.arange(120) % 3
    x = (np.array([[0, 2], [2, 0], [-2, -2]])[labels] + source.normal(0, 0.3, (120, 2))).astype(np.float32)
    return Images(x[:90], labels[:90], x[90:], labels[90:])


@pytest.mark.long("affine")
@pytest.mark.parametrize("arithmetic", [PIECEWISE_AFFINE, ORDINARY], ids=["affine", "ordinary"])
def test_it_learns_and_is_the_seeds(arithmetic: Arithmetic) -> None:
    curve = list(train(arithmetic, images(), SETTINGS, 0))
    assert len(curve) == SETTINGS.epochs + 1
    assert curve[-1].loss < curve[0].loss / 2
    assert curve[-1].right > curve[0].right
    assert curve == list(train(arithmetic, images(), SETTINGS, 0))
    assert curve != list(train(arithmetic, images(), SETTINGS, 1))


def test_without_piecewise_affine_products_nothing_is_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PIECEWISE_AFFINE, "matmul", lambda a, b: np.zeros((a.shape[0], b.shape[1]), a.dtype))
    curve = list(train(PIECEWISE_AFFINE, images(), SETTINGS, 0))
    assert curve[-1].right == 10


def test_ordinary_gradients_are_those_of_the_loss() -> None:
    given, settings = images(), Settings(hidden=4)
    from constructions.piecewise_affine.mathematics.network import fresh

    weights = fresh(2, 3, settings, 0, np.float64)
    x, labels = given.x.astype(np.float64), given.labels

    def loss() -> float:
        return float(-np.log(forward(ORDINARY, weights, x)[1][np.arange(len(labels)), labels]).mean())

    found, h = gradients(ORDINARY, weights, x, labels), 2.0**-20
    for name, at in [("first", (0, 1)), ("second", (2, 1)), ("bias_1", (3,)), ("bias_2", (0,))]:
        before = loss()
        weights[name][at] += h
        assert (loss() - before) / h == pytest.approx(float(found[name][at]), abs=1e-5)
        weights[name][at] -= h


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("float16", "m/(√v + ε) is not finite, a division by 1"),
        ("float8_e4m3fn", "v = mean of g²/(1 - β₂^t) is not finite, a division by 0"),
    ],
)
def test_where_training_leaves_the_finite_numbers_is_said(kind: str, expected: str) -> None:
    """In float16 g² is 0 for a gradient of 2^-13, so that √v + ε is ε; in E4M3 β₂ = 0.99 is rounded to 1."""
    import ml_dtypes

    dtype = np.dtype(getattr(ml_dtypes, kind, kind))
    told: list[Breakdown] = []
    small = images()
    x = Images(*((small.x * 2.0**-8).astype(dtype), small.labels), small.test_x.astype(dtype), small.test_labels)
    with np.errstate(all="ignore"):
        curve = list(train(PIECEWISE_AFFINE, x, Settings(hidden=4, epochs=1, batch=16), 0, broken=told.append))
    assert len(told) == 1
    assert told[0].epoch == 1
    assert expected in told[0].quantity
    assert curve[0].loss is not None
    assert curve[-1].loss is None


@pytest.mark.campaign
def test_the_command_writes_curves(verify: CommandLine, tmp_path: Path) -> None:
    done = verify("tool train", "piecewise-affine", "--epochs", "1", "--hidden", "4", "--output", str(tmp_path / "curves.json"))
    assert done.status == 0, done.err
    found = json.loads((tmp_path / "curves.json").read_text(encoding="utf-8"))
    assert [len(found[name]["loss"]) for name in ("piecewise affine", "ordinary")] == [2, 2]
    assert found["piecewise affine"]["loss"] != found["ordinary"]["loss"]

"""Networks as ONNX models and NumPy modules: they compute what the definition does wherever float64 is exact, and the rest is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from verifier.arithmetic.semantics import Arithmetic
from verifier.transformers.contexts import context
from verifier.transformers.evaluate import run
from verifier.transformers.exports import Operations, Runner, compared, numpy_module, onnx_model, runner
from verifier.transformers.files import find_network
from verifier.transformers.network import Network, network

EXACT_IN_FLOAT64 = [("lookup-hadamard", 3), ("lookup-quadratic", 4), ("ngram", 4), ("tracr-frac-prevs", 4)]


def exported(operations: Operations, folder: Path, suffix: str) -> Runner:
    path = folder / f"network{suffix}"
    if suffix == ".py":
        path.write_text(numpy_module(operations), encoding="utf-8")
    else:
        pytest.importorskip("onnxruntime")
        path.write_bytes(onnx_model(operations).SerializeToString())
    return runner(path)


def exact_inputs(built: Network) -> list[list[int]]:
    """The tokens of the inputs that float64 computes without any rounding."""
    found = []
    for strings in built.input.every():
        tokens = built.input.tokens(strings)
        rounded, real = (run(built, tokens, context(Arithmetic(form))).last for form in ("float64", "exact"))
        if rounded == real:
            found.append(tokens)
    return found


@pytest.mark.one_in(3)
@pytest.mark.parametrize("suffix", [".py", ".onnx"])
@pytest.mark.parametrize(("name", "n"), EXACT_IN_FLOAT64)
def test_exports_agree_where_float64_is_exact(name: str, n: int, suffix: str, tmp_path: Path) -> None:
    built = network(find_network(f"gallery/{name}"), {"n": n})
    inputs = exact_inputs(built)
    assert inputs
    found = exported(Operations(built), tmp_path, suffix)(np.array(inputs, np.int64))["coordinates"]
    for tokens, rows in zip(inputs, found, strict=True):
        real = run(built, tokens, context(Arithmetic("exact"))).last
        assert [[float(x[c]) for c in built.coordinates] for x in real] == (rows + 0.0).tolist()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("suffix", [".py", ".onnx"])
@pytest.mark.parametrize(
    ("name", "n"), [("parity", 5), ("dyck-1", 6), ("first-layer-norm", 4), ("parity-no-positions", 3), ("adder-28", 1)]
)
def test_answers_are_the_same(name: str, n: int, suffix: str, tmp_path: Path) -> None:
    operations = Operations(network(find_network(f"gallery/{name}"), {"n": n}))
    found = compared(operations, exported(operations, tmp_path, suffix), 100)
    assert (found.answers, found.inputs) == (0, min(100, operations.network.input.count))
    assert (found.first is None) == (found.coordinates == 0)


def test_another_network_is_told_apart(tmp_path: Path) -> None:
    one, other = (Operations(network(find_network("gallery/parity"), {"n": n})) for n in (4, 5))
    other.network = one.network
    found = compared(one, exported(other, tmp_path, ".py"), 16)
    assert found.coordinates == 16
    assert found.first is not None
    assert set(found.first.strings["w"]) == {"0"}

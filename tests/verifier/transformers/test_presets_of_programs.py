"""The presets of onnxruntime and ml_dtypes, bit for bit against these programs, and where ml_dtypes does something else."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.verifier.transformers.test_presets import parity_in_numpy
from verifier.arithmetic.floats import to_number
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, ONE, ZERO
from verifier.arithmetic.semantics import PRESETS, Arithmetic
from verifier.transformers.contexts import Rounded, context
from verifier.transformers.evaluate import run
from verifier.transformers.files import find_network
from verifier.transformers.network import network

FLOATS = {"onnxruntime-float32": np.float32, "onnxruntime-float64": np.float64}


def values(rng: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """Numbers of different sizes, so that orders of sums differ."""
    return (rng.standard_normal(shape) * 10.0 ** rng.integers(-2, 3, shape)).astype(np.float32).astype(dtype)


def numbers(x: Any) -> list[Any]:
    return [to_number(float(each)) for each in x]


def model(nodes: list[tuple[str, list[str], str]], given: dict[str, Any]) -> Any:
    """What onnxruntime computes on one thread."""
    onnx, ort = pytest.importorskip("onnx"), pytest.importorskip("onnxruntime")
    make, kinds = onnx.helper, {np.dtype(np.float32): onnx.TensorProto.FLOAT, np.dtype(np.float64): onnx.TensorProto.DOUBLE}
    inputs = [make.make_tensor_value_info(name, kinds[x.dtype], x.shape) for name, x in given.items()]
    last = make.make_tensor_value_info(nodes[-1][2], inputs[0].type.tensor_type.elem_type, None)
    graph = make.make_graph([make.make_node(op, names, [to]) for op, names, to in nodes], "g", inputs, [last])
    made = make.make_model(graph, opset_imports=[make.make_opsetid("", 17)])
    made.ir_version = 8
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(made.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, given)[0]


@pytest.mark.parametrize("preset", FLOATS)
@pytest.mark.parametrize("shape", [(2, 3, 2), (3, 20, 3), (8, 64, 8), (5, 300, 5)])
def test_matrix_products_of_onnxruntime(preset: str, shape: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(shape[1])
    x, y = values(rng, shape[:2], FLOATS[preset]), values(rng, shape[1:], FLOATS[preset])
    found, ours = model([("MatMul", ["x", "y"], "z")], {"x": x, "y": y}), Rounded(PRESETS[preset])
    for i, j in ((0, 0), (shape[0] - 1, shape[2] - 1), (0, shape[2] - 1)):
        assert ours.dot(list(zip(numbers(x[i]), numbers(y[:, j]), strict=True))) == to_number(float(found[i, j]))


def test_a_row_times_a_column_of_onnxruntime_in_float64() -> None:
    rng = np.random.default_rng(1)
    x, y = values(rng, (1, 64), np.float64), values(rng, (64, 1), np.float64)
    (found,) = model([("MatMul", ["x", "y"], "z")], {"x": x, "y": y}).ravel()
    assert Rounded(PRESETS["onnxruntime-float64"]).dot(list(zip(numbers(x[0]), numbers(y[:, 0]), strict=True))) == to_number(float(found))


@pytest.mark.parametrize("preset", FLOATS)
def test_a_relu_network_in_onnxruntime(preset: str) -> None:
    """x + max(x·U + b, 0)·V on each of five positions."""
    rng, dtype = np.random.default_rng(5), FLOATS[preset]
    x, u, b, v = (values(rng, shape, dtype) for shape in ((5, 6), (6, 9), (9,), (9, 6)))
    steps = [
        ("MatMul", ["x", "u"], "p"),
        ("Add", ["p", "b"], "q"),
        ("Relu", ["q"], "r"),
        ("MatMul", ["r", "v"], "s"),
        ("Add", ["x", "s"], "z"),
    ]
    found = model(steps, {"x": x, "u": u, "b": b, "v": v})
    ours = Rounded(PRESETS[preset])
    for row, last in zip(x, found, strict=True):
        units = [ours.add(ours.dot(list(zip(numbers(row), numbers(u[:, k]), strict=True))), to_number(float(b[k]))) for k in range(9)]
        hidden = [max(to_number(0.0), unit) for unit in units]
        into = [ours.dot(list(zip(hidden, numbers(v[:, k]), strict=True))) for k in range(6)]
        assert [ours.add(a, c) for a, c in zip(numbers(row), into, strict=True)] == numbers(last)


def ml_dtype(preset: str) -> Any:
    types = pytest.importorskip("ml_dtypes")
    return {"bfloat16": types.bfloat16, "e5m2": types.float8_e5m2, "e4m3": types.float8_e4m3fn}[preset.removeprefix("ml_dtypes-")]


ML_DTYPES = ["ml_dtypes-bfloat16", "ml_dtypes-e5m2", "ml_dtypes-e4m3"]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("preset", ML_DTYPES)
@pytest.mark.parametrize("length", [1, 7, 8, 20, 130])
def test_sums_of_ml_dtypes(preset: str, length: int) -> None:
    rng, dtype = np.random.default_rng(length), ml_dtype(preset)
    ours, wide = Rounded(PRESETS[preset]), Rounded(PRESETS["bfloat16-accumulating-float32"])
    for _ in range(5):
        x, y = (rng.standard_normal(length).astype(np.float32).astype(dtype) for _ in range(2))
        assert ours.dot(list(zip(numbers(x), numbers(y), strict=True))) == to_number(float(np.add.reduce(x * y)))
        if preset == "ml_dtypes-bfloat16":
            assert wide.dot(list(zip(numbers(x), numbers(y), strict=True))) == to_number(float(np.dot(x, y)))


@pytest.mark.parametrize(("preset", "count"), [(preset, 300) for preset in ML_DTYPES])
def test_operations_of_ml_dtypes(preset: str, count: int) -> None:
    rng, dtype = np.random.default_rng(3), ml_dtype(preset)
    ours, size = Rounded(PRESETS[preset]), np.dtype(dtype).itemsize
    x, y = (rng.integers(0, 256**size, count).astype(f"u{size}").view(dtype) for _ in range(2))
    with np.errstate(all="ignore"):
        x, y = (np.where(np.isnan(each) | (each == 0), dtype(1), each) for each in (x, y))
        theirs = {"add": x + y, "subtract": x - y, "multiply": x * y, "divide": x / y}
        exponentials = np.exp(x)
    for name, found in theirs.items():
        assert [getattr(ours, name)(a, b) for a, b in zip(numbers(x), numbers(y), strict=True)] == numbers(found), name
    assert [ours.exp(a) for a in numbers(x)] == numbers(exponentials)


def test_pitfalls_of_ml_dtypes() -> None:
    """A sum rounds each addition and np.dot only the end; np.matmul gives float32; float64 is rounded twice; zero has a sign."""
    types = pytest.importorskip("ml_dtypes")
    x, ones = np.full(300, 1, types.bfloat16), np.full(300, 1, types.bfloat16)
    assert (float(np.add.reduce(x * ones)), float(np.dot(x, ones))) == (256, 300)
    assert np.matmul(x[None], ones[:, None]).dtype == np.float32
    halfway = 1 + 2.0**-8 + 2.0**-40
    assert (float(types.bfloat16(halfway)), Rounded(PRESETS["ml_dtypes-bfloat16"]).constant(to_number(halfway))) == (
        1,
        to_number(1 + 2.0**-7),
    )
    one, zero, none = types.float8_e5m2(1), types.float8_e5m2(0), types.float4_e2m1fn(0)
    with np.errstate(all="ignore"):
        quotients = [to_number(float(one / -zero)), to_number(float(none / none))]
    ours = [Rounded(Arithmetic("e5m2")).divide(ONE, to_number(-0.0)), Rounded(Arithmetic("e2m1")).divide(ZERO, ZERO)]
    assert (quotients, ours) == ([NEG_INF, ZERO], [INF, NAN])


@pytest.mark.parametrize("n", [1, 3, 8])
def test_parity_in_ml_dtypes_is_the_file_bit_for_bit(n: int) -> None:
    preset = "ml_dtypes-bfloat16"
    dtype = ml_dtype(preset)
    built, rounded = network(find_network("gallery/parity"), {"n": n}), context(PRESETS[preset])
    for bits in list(product((0, 1), repeat=n))[:: max(1, 2**n // 8)]:
        ours = [list(vector.values()) for vector in run(built, [*bits, built.input.words["CLS"]], rounded).last]
        theirs = [[to_number(float(x)) for x in row[:9]] for row in parity_in_numpy(bits, dtype)]
        assert ours == theirs, bits

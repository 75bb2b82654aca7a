"""A network, its ONNX model, and the network that is read from that: the same operations, and the same values in every format."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from tests.command_line import CommandLine
from tests.verifier.transformers import random_networks
from tests.verifier.transformers.random_networks import FORMATS, random_network
from verifier.arithmetic.semantics import Arithmetic
from verifier.running.errors import InputError
from verifier.transformers.contexts import context
from verifier.transformers.evaluate import run
from verifier.transformers.exports import METADATA, onnx_model
from verifier.transformers.files import gallery, read_network, smallest
from verifier.transformers.network import Network, network
from verifier.transformers.operations import Operations
from verifier.transformers.outputs import judged
from verifier.transformers.records import NetworkFile
from verifier.weights.frame import Frame
from verifier.weights.onnx_files import from_onnx

onnx = pytest.importorskip("onnx")


def exported(built: Network, folder: Path, form: str = "float64", said: bool = True) -> Path:
    model = onnx_model(Operations(built, form))
    if not said:
        del model.metadata_props[:]
    path = folder / "model.onnx"
    path.write_bytes(model.SerializeToString())
    return path


def imported(path: Path, frame: Frame | None = None) -> NetworkFile:
    file = path.with_suffix(".toml")
    file.write_text(from_onnx(path, file.name, frame), encoding="utf-8")
    return read_network(file)


@pytest.mark.parametrize("seed", [pytest.param(s, marks=[pytest.mark.campaign] if s > 1 else []) for s in range(20)])
def test_random_networks_come_back_with_the_same_operations(seed: int, tmp_path: Path) -> None:
    """The import itself compares them, bit for bit; a second export is the first one again, and a second import the first."""
    rng = random.Random(seed)
    for _ in range(15):
        built, form = network(random_network(rng), {"n": 3}), rng.choice(["float64", "float32"])
        path = exported(built, tmp_path, form)
        file = imported(path)
        again = exported(network(file, {"n": 3}), tmp_path, form)
        assert msgspec.structs.replace(imported(again), source=file.source) == file


@pytest.fixture
def _exact_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random networks whose numbers float64 holds, so that the model has the numbers of the file."""
    monkeypatch.setattr(random_networks, "_coefficient", lambda rng: rng.choice(["1", "-1", "2", "1/4", "-5/4", "10", "-1000", "3/1024"]))


def _dyadic(file: NetworkFile) -> bool:
    """Whether the rest of the file has no other numbers either."""
    text = json.dumps(msgspec.to_builtins(file))
    return not any(word in text for word in ("sqrt", "cos(", "/3", "/7", "exp(", "/1000", "/(n + 1)", "/(j + 1)", "/10"))


@pytest.mark.usefixtures("_exact_numbers")
@pytest.mark.parametrize("many", [6, pytest.param(60, marks=pytest.mark.campaign)])
def test_exact_networks_have_the_same_values_in_every_format(many: int, tmp_path: Path) -> None:
    rng, tried = random.Random(3), 0
    while tried < many:
        file = random_network(rng)
        if not _dyadic(file):
            continue
        tried += 1
        built = network(file, {"n": 2})
        found = network(imported(exported(built, tmp_path)), {"n": 2})
        for form in FORMATS:
            carried = context(Arithmetic(form))
            for strings in built.input.every():
                tokens = built.input.tokens(strings)
                assert found.input.tokens(strings) == tokens
                assert run(found, tokens, carried).last == run(built, tokens, carried).last, form
                assert judged(found, strings, carried).answer == judged(built, strings, carried).answer


SMALL = ("parity", "dyck-1", "first-layer-norm", "ngram", "adder-28", "tracr-frac-prevs", "lookup-hash")


@pytest.mark.parametrize("name", SMALL)
def test_networks_of_the_gallery_answer_the_same_in_float64(name: str, tmp_path: Path) -> None:
    file = read_network(dict(gallery())[name])
    point = smallest(file)
    point[file.length] = max(2, point.get(file.length, 2)) if not name.startswith("adder") else 1
    built = network(file, point)
    found = network(imported(exported(built, tmp_path)), point)
    carried = context(Arithmetic("float64"))
    for strings in list(built.input.every())[:16]:
        mine, theirs = judged(built, strings, carried), judged(found, strings, carried)
        assert [r.last for r in mine.runs] == [r.last for r in theirs.runs]
        assert mine.answer == theirs.answer


def test_a_model_that_says_nothing_is_asked_by_options(tmp_path: Path, verify: CommandLine) -> None:
    """PARITY of three bits, with its numbers as float64 has them; the words of the embedding are renamed."""
    built = network(read_network(dict(gallery())["parity"]), {"n": 3})
    path = exported(built, tmp_path, said=False)
    assert "--function was expected" in verify(f"convert {path} {tmp_path}/net.toml").err
    options = "--function 'popcount(w) % 2 == 1' --vocabulary zero,one,END --tokens w,END --at END --yes 'x8 > 0'"
    assert verify(f"convert {path} {tmp_path}/net.toml {options}").status == 0
    assert verify(f"construction {tmp_path}/net.toml --n 3 --arithmetic float64").status == 0
    assert verify(f"convert {path} {tmp_path}/no.toml {options.replace('x8 > 0', 'x8 < 0')}").status == 0
    assert verify(f"construction {tmp_path}/no.toml --n 3 --arithmetic float64").status == 1
    said = exported(built, tmp_path)
    assert "no options were expected" in verify(f"convert {said} {tmp_path}/other.toml {options}").err


@pytest.mark.parametrize("seed", range(3))
def test_random_models_that_say_nothing(seed: int, tmp_path: Path) -> None:
    """Blocks are then layers of their own; angles of turned positions are found where the first position is 0."""
    rng, read = random.Random(seed), 0
    for _ in range(10):
        built = network(random_network(rng), {"n": 3})
        path, frame = exported(built, tmp_path, said=False), Frame("n > 0", tokens=["w", "2"], yes="x0 > 0")
        if built.file.input.first == 1 and any(head.angles for layer in built.layers for head in layer.heads):
            with pytest.raises(InputError, match="rotary angle"):
                imported(path, frame)
        else:
            imported(path, frame)
            read += 1
    assert read >= 7


def _node(model: Any, operation: str) -> Any:
    return next(node for node in model.graph.node if node.op_type == operation)


def _renamed(operation: str, other: str) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        _node(model, operation).op_type = other

    return change


def _swapped(model: Any) -> None:
    node = _node(model, "Sub")
    node.input[0], node.input[1] = node.input[1], node.input[0]


def _other_mask(model: Any) -> None:
    del _node(model, "Div").input[1:]


def _outside(model: Any) -> None:
    tensor = model.graph.initializer[0]
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="/etc/passwd")


def _infinite(model: Any) -> None:
    for tensor in model.graph.initializer:
        table = onnx.numpy_helper.to_array(tensor)
        if table.dtype == np.float64 and table.ndim == 2:
            tensor.CopyFrom(onnx.numpy_helper.from_array(np.full(table.shape, np.inf), tensor.name))


def _second_output(model: Any) -> None:
    model.graph.output.add().name = "attention"
    model.graph.node.add(op_type="Identity", input=["tokens"], output=["attention"])


def _metadata(text: str) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        model.metadata_props[0].value = text

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_renamed("Max", "Gelu"), "(Gelu): this operation is in no network file; Abs, Add"),
        (_renamed("Exp", "Softmax"), "(Softmax): this operation is in no network file"),
        (_renamed("Max", "Min"), "model.onnx: operation"),
        (_renamed("Exp", "Sqrt"), "Exp was expected, as `verify convert` writes it"),
        (_swapped, "Sub, where the network that was read has Sub of other numbers"),
        (_other_mask, "where the network that was read has"),
        (_outside, "is in another file; a model in one file was expected"),
        (_infinite, "numbers were expected"),
        (_second_output, "outputs"),
        (lambda model: model.graph.node.pop(len(model.graph.node) // 2), "which no node before it gives"),
        (lambda model: model.graph.input[0].__setattr__("name", "ids"), "inputs ids; tokens was expected"),
        (_metadata("{"), f"the metadata {METADATA} is not JSON"),
        (_metadata("[]"), "a JSON object was expected"),
        (_metadata('{"input": 3}'), "no model that `verify convert` wrote"),
        (_metadata('{"coordinates": ["a"]}'), "model.onnx: "),
        (_metadata('{"surprise": 1}'), "model.onnx: "),
    ],
)
def test_another_model_is_refused(change: Callable[[Any], None], says: str, tmp_path: Path, verify: CommandLine) -> None:
    path = exported(network(read_network(dict(gallery())["parity"]), {"n": 3}), tmp_path)
    model = onnx.load(path)
    change(model)
    path.write_bytes(model.SerializeToString())
    done = verify(f"convert {path} {tmp_path}/net.toml")
    assert (done.status, says in done.err, done.err.count("\n")) == (2, True, 1), done.err
    assert not (tmp_path / "net.toml").exists()


@pytest.mark.parametrize("part", ["c2", "c9"])
def test_changed_weights_are_read_as_they_are(part: str, tmp_path: Path) -> None:
    """Every bit of a table is in the file: one weight moved by one unit in the last place is another network."""
    path = exported(network(read_network(dict(gallery())["parity"]), {"n": 3}), tmp_path)
    before = imported(path)
    model = onnx.load(path)
    tensor = next(t for t in model.graph.initializer if onnx.numpy_helper.to_array(t).ndim == 2 and t.name >= part)
    table = onnx.numpy_helper.to_array(tensor).copy()
    place = tuple(np.argwhere(table != 0)[-1])
    table[place] = np.nextafter(table[place], np.inf)
    tensor.CopyFrom(onnx.numpy_helper.from_array(table, tensor.name))
    path.write_bytes(model.SerializeToString())
    assert imported(path) != before


def test_cut_and_random_bytes_are_refused(tmp_path: Path) -> None:
    path = exported(network(read_network(dict(gallery())["parity"]), {"n": 3}), tmp_path)
    whole, rng = path.read_bytes(), random.Random(1)
    for k in range(200):
        data = bytearray(whole[: rng.randrange(len(whole))] if k % 2 else whole)
        for _ in range(rng.choice([0, 1, 5])):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(bytes(data))
        with contextlib.suppress(InputError):  # and no other error
            from_onnx(path, "net.toml", None)

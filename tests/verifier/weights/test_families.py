"""Named tensors become the network that their library runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from constructions.parameter_space_symmetry.commands.noise_command import save
from tests.command_line import CommandLine
from tests.verifier.weights.small_models import HEADS, LABELS, LLAMA_CONFIG, Tensors, gpt2, llama, run_gpt2, run_llama, tracr_frac_prevs
from verifier.arithmetic.floats import to_float
from verifier.arithmetic.semantics import Arithmetic
from verifier.transformers.contexts import context
from verifier.transformers.evaluate import applied, run
from verifier.transformers.files import read_network
from verifier.transformers.network import network

GPT2 = f"--function w[1] --tokens w,2 --heads {HEADS} --eps 0.00001 --activation relu"


def logits(file: Path, n: int) -> list[tuple[list[int], list[list[float]]]]:
    """Every input's tokens, and the logits at every position in float64."""
    built, rounded = network(read_network(file), {"n": n}), context(Arithmetic("float64"))
    found = []
    for strings in built.input.every():
        tokens = built.input.tokens(strings)
        last = run(built, tokens, rounded).last
        found.append((tokens, [[to_float(applied(form, x, rounded)) for form in built.logits] for x in last]))
    return found


def apart(found: Sequence[tuple[list[int], list[list[float]]]], program: Callable[[list[int]], Any]) -> float:
    """The largest difference of logits between a file's network and a program."""
    return max(float(np.abs(np.array(ours) - program(tokens)).max()) for tokens, ours in found)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("prefix", ["", "transformer."])
@pytest.mark.parametrize("suffix", [".npz", ".safetensors"])
def test_gpt2_blocks_are_what_numpy_runs(suffix: str, prefix: str, tmp_path: Path, verify: CommandLine) -> None:
    tensors = gpt2(1)
    save(tmp_path / f"w{suffix}", {prefix + name: t for name, t in tensors.items()})
    done = verify(f"convert {tmp_path}/w{suffix} {tmp_path}/net.toml {GPT2}")
    assert (done.status, done.err) == (0, "")
    found = logits(tmp_path / "net.toml", 3)
    assert apart(found, lambda tokens: run_gpt2(tensors, tokens, 1e-5)) < 1e-12
    for name in tensors:  # a neighbour: every tensor matters
        other = tensors | {name: tensors[name] + 1 / 8 * np.arange(tensors[name].size).reshape(tensors[name].shape)}
        assert apart(found, lambda tokens, other=other: run_gpt2(other, tokens, 1e-5)) > 1e-3


@pytest.mark.long("12")
@pytest.mark.parametrize("width", [8, 12])
def test_llama_blocks_are_what_numpy_runs(width: int, tmp_path: Path, verify: CommandLine) -> None:
    """With the numbers of ``config.json``; of 12 entries a head has 6, whose angles are irrational."""
    tensors = llama(2, width=width)
    save(tmp_path / "model.safetensors", tensors)
    (tmp_path / "config.json").write_text(json.dumps(LLAMA_CONFIG))
    done = verify(f"convert {tmp_path} {tmp_path}/net.toml --function 'w[1]' --tokens w,2")
    assert (done.status, done.err) == (0, "")
    found = logits(tmp_path / "net.toml", 3)
    assert apart(found, lambda tokens: run_llama(tensors, tokens)) < 1e-12
    other = tensors | {"model.layers.0.self_attn.q_proj.weight": tensors["model.layers.0.self_attn.q_proj.weight"][::-1]}
    assert apart(found, lambda tokens: run_llama(other, tokens)) > 1e-3


def test_a_compiled_model_has_the_names_of_its_residual_stream(tmp_path: Path, verify: CommandLine) -> None:
    save(tmp_path / "frac.npz", tracr_frac_prevs())
    done = verify(f"convert {tmp_path}/frac.npz {tmp_path}/net.toml --function '2*popcount(w) > n' --tokens BOS,w --yes 'frac > 1/2'")
    assert (done.status, done.err) == (0, "")
    file = read_network(tmp_path / "net.toml")
    assert file.coordinates == [label.replace(":", "_") for label in LABELS]
    assert file.parameters["n"].where == "1 <= n <= 4"
    assert network(file, {"n": 4}).input.words == {"0": 0, "1": 1, "BOS": 2}
    lengths = "--n 1..4 --arithmetic float32,e4m3"
    mine, theirs = verify(f"precision {tmp_path}/net.toml {lengths}"), verify(f"precision gallery/tracr-frac-prevs {lengths}")
    assert verify(f"construction {tmp_path}/net.toml --n 1..4").status == 0
    assert [line.split()[:4] for line in mine.out.splitlines() if line.startswith("float32")] == [
        line.split()[:4] for line in theirs.out.splitlines() if line.startswith("float32")
    ]


def test_logits_of_a_compiled_model_are_its_labels(tmp_path: Path, verify: CommandLine) -> None:
    """The last symbol, copied by nothing: the logits are the embedding itself."""
    made = tracr_frac_prevs()
    save(tmp_path / "frac.npz", made)
    asked = f"convert {tmp_path}/frac.npz {tmp_path}/net.toml --tokens BOS,w"
    assert verify(f"{asked} --function w[n] --answer tokens").status == 0
    assert verify(f"construction {tmp_path}/net.toml --n 1..4").status == 0
    (tmp_path / "net.toml").unlink()
    done = verify(f"{asked} --function w[n] --answer frac")
    assert (done.status, "no residual label frac:0" in done.err) == (2, True)
    done = verify(f"{asked} --function w[n]")
    assert (done.status, "--yes was expected" in done.err) == (2, True)


def without(name: str) -> Callable[[Tensors], Tensors]:
    return lambda tensors: {key: t for key, t in tensors.items() if key != name}


def changed(name: str, change: Callable[[Any], Any]) -> Callable[[Tensors], Tensors]:
    return lambda tensors: tensors | {name: change(tensors.get(name))}


def _spoiled(x: Any) -> Any:
    y = x.copy()
    y[1, 2] = np.nan
    return y


@pytest.mark.parametrize(
    ("change", "options", "says"),
    [
        (without("h.1.ln_2.bias"), GPT2, "no tensor h.1.ln_2.bias; (4) was expected"),
        (without("h.0.attn.c_proj.weight"), GPT2, "no tensor h.0.attn.c_proj.weight; (4, 4) was expected"),
        (without("h.0.attn.c_attn.weight"), GPT2, "h.0.attn.c_attn.weight (GPT-2)"),
        (changed("h.0.mlp.c_proj.weight", lambda x: x.T), GPT2, "h.0.mlp.c_proj.weight has the shape (4, 8); (8, 4) was expected"),
        (changed("wte.weight", _spoiled), GPT2, "wte.weight has nan at [1, 2]; numbers were expected"),
        (changed("wte.weight", lambda x: x.astype(complex)), GPT2, "wte.weight has the type complex128; floats"),
        (changed("wte.weight", lambda x: x[:, 0]), GPT2, "wte.weight has the shape (3); (any, any) was expected"),
        (changed("h.0.adapter.weight", lambda _: np.ones(3)), GPT2, "h.0.adapter.weight: such a model has no tensor of this name"),
        (changed("h.9.attn.c_attn.weight", lambda _: np.ones(3)), GPT2, "layers 0, 1, 9; 0 to 2 were expected"),
        (dict, GPT2.replace("relu", "gelu_new"), "activation gelu_new: network files have relu"),
        (dict, GPT2.replace("--activation relu", ""), "--activation was expected: the weights do not say it"),
        (dict, GPT2.replace("--heads 2", "--heads 3"), "4, 4 and 4 columns"),
        (dict, GPT2.replace("--heads 2", ""), "--heads was expected"),
        (dict, GPT2.replace("0.00001", "small"), "eps: 'small'; a number such as 0.00001"),
        (dict, GPT2.replace("--tokens w,2", "--tokens w,3"), "--tokens: '3' is not in the vocabulary 0,1,2"),
        (dict, GPT2.replace("--tokens w,2", "--tokens 2"), "words with one w among them were expected"),
        (dict, f"{GPT2} --vocabulary a,b", "--vocabulary has 2 words; 3 were expected"),
        (dict, f"{GPT2} --letters 5", "--letters: '5' is not in the vocabulary"),
        (dict, GPT2.replace("--function w[1]", "--function v[1]"), "choose.function: no name 'v'"),
        (dict, GPT2.replace("--function w[1]", ""), "--function was expected"),
        (dict, f"{GPT2.replace('w[1]', 'w[1]==1')} --yes 'y0 > 0'", "accept.yes: no name 'y0'"),
    ],
)
def test_what_does_not_fit_is_one_line(
    change: Callable[[Tensors], Tensors], options: str, says: str, tmp_path: Path, verify: CommandLine
) -> None:
    save(tmp_path / "w.npz", change(gpt2(1)))
    done = verify(f"convert {tmp_path}/w.npz {tmp_path}/net.toml {options}")
    assert done.status == 2
    assert says in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "net.toml").exists()


def test_the_config_is_held_against_the_options(tmp_path: Path, verify: CommandLine) -> None:
    save(tmp_path / "model.safetensors", llama(2))
    for config, options, says in (
        (LLAMA_CONFIG, "--heads 4", "--heads 4: config.json has num_attention_heads = 2"),
        (LLAMA_CONFIG, "--eps 1/1000", "--eps 1/1000: config.json has rms_norm_eps = 1e-05"),
        (LLAMA_CONFIG | {"rope_scaling": {"type": "linear"}}, "", "rope_scaling"),
        (LLAMA_CONFIG | {"hidden_act": "gelu"}, "", "activation gelu"),
        (LLAMA_CONFIG | {"num_attention_heads": "two"}, "", "an integer from 1 was expected"),
    ):
        (tmp_path / "config.json").write_text(json.dumps(config))
        done = verify(f"convert {tmp_path} {tmp_path}/net.toml --function w[1] --tokens w,2 {options}")
        assert (done.status, says in done.err) == (2, True), done.err


def test_a_wide_model_is_declined(tmp_path: Path, verify: CommandLine) -> None:
    rng = np.random.default_rng(0)
    save(tmp_path / "w.npz", gpt2(1) | {"wte.weight": rng.standard_normal((50257, 16)).astype(np.float32)})
    done = verify(f"convert {tmp_path}/w.npz {tmp_path}/net.toml {GPT2}")
    assert (done.status, "more than 131,072" in done.err) == (3, True)


def test_weights_are_the_exact_values_of_their_floats(tmp_path: Path, verify: CommandLine) -> None:
    tensors = gpt2(1, layers=1)
    tensors["wte.weight"] = np.array([[0.1, 1e-30, 3, -0.5], [2.0**-149, 0.3, 0, 1], [1, 2, 3, 4]], np.float32)
    tensors["wpe.weight"] *= 0
    save(tmp_path / "w.npz", tensors)
    assert verify(f"convert {tmp_path}/w.npz {tmp_path}/net.toml {GPT2}").status == 0
    built = network(read_network(tmp_path / "net.toml"), {"n": 1})
    for token in range(3):
        found = [built.embedding(token, 0)[f"x{k}"] for k in range(4)]
        assert [(x.numerator, x.denominator) for x in found] == [float(x).as_integer_ratio() for x in tensors["wte.weight"][token]]

"""Real checkpoints: small types, shards, fewer heads of keys, fused matrices, and what stands between W_q and W_k."""

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from constructions.parameter_space_symmetry.commands.noise_command import Heads, pairs, save
from verifier.commands.main import run
from verifier.weights.tensors import Checkpoint

RNG = np.random.default_rng(5)
WIDTH, COLUMNS = 6, 4
Q, K, V, O = (RNG.standard_normal((heads * COLUMNS, WIDTH)).astype(np.float32) for heads in (4, 2, 2, 4))
"""As linear layers keep them, but O, which is its transpose; columns 4 and 2 heads of 4."""
SEPARATE = {"a.q_proj.weight": Q, "a.k_proj.weight": K, "a.v_proj.weight": V, "a.o_proj.weight": np.ascontiguousarray(O.T)}
ASKED = Heads(4, 2)


def numbers(words: list[object], out: Path) -> list[dict[str, object]]:
    assert run(["tool", "noise", *map(str, words), "--output", str(out)]) == 0
    found: list[dict[str, object]] = json.loads(out.read_text())["heads"]
    return found


@pytest.mark.parametrize("stored", [ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, np.float16])
def test_small_types_are_the_numbers_that_they_hold(stored: type, tmp_path: Path) -> None:
    small = {name: w.astype(stored) for name, w in SEPARATE.items()}
    save(tmp_path / "small.safetensors", small, {"format": "pt"})
    save(tmp_path / "wide.safetensors", {name: w.astype(np.float64) for name, w in small.items()})
    words = ["--heads", 4, "--pairs", "all"]
    found = [numbers([tmp_path / f"{name}.safetensors", *words], tmp_path / "out.json") for name in ("small", "wide")]
    assert found[0] == found[1]
    assert len(found[0]) == 2 * 4 * 2


def test_what_is_written_back_keeps_types_metadata_and_other_tensors(tmp_path: Path) -> None:
    given, made = tmp_path / "given.safetensors", tmp_path / "made.safetensors"
    save(given, {**{n: w.astype(ml_dtypes.bfloat16) for n, w in SEPARATE.items()}, "wpe.weight": np.ones(3)}, {"format": "pt"})
    words = [given, "--heads", 4, "--pairs", "all", "--bits", 4, "--search", "--steps", 5, "--write", made]
    rows = numbers(words, tmp_path / "out.json")
    found = Checkpoint(made)
    assert found.files[0].metadata == {"format": "pt"}
    assert found["a.q_proj.weight"].dtype == ml_dtypes.bfloat16
    assert found["wpe.weight"].tolist() == [1, 1, 1]
    assert numbers([made, "--heads", 4, "--pairs", "all", "--bits", 4], tmp_path / "again.json") == [
        {**{k: r[k] for k in ("pair", "head", "heads", "bits")}, "before": r["after"]} for r in rows
    ]
    for row in rows:
        if row["kept"] == "as they were":
            assert row["after"] == row["before"]


def test_heads_that_share_a_key_are_turned_together(tmp_path: Path) -> None:
    given, made = tmp_path / "given.npz", tmp_path / "made.npz"
    save(given, {"w_q": np.ascontiguousarray(Q.T), "w_k": np.ascontiguousarray(K.T)})
    numbers([given, "--heads", 4, "--bits", 3, "--search", "--steps", 20, "--write", made], tmp_path / "out.json")
    old, new = Checkpoint(given), Checkpoint(made)
    for head in range(4):
        mine, theirs = slice(4 * head, 4 * head + 4), slice(4 * (head // 2), 4 * (head // 2) + 4)
        before, after = (c["w_q"][:, mine].astype(float) @ c["w_k"][:, theirs].T.astype(float) for c in (old, new))
        np.testing.assert_allclose(after, before, atol=1e-5)


def test_shards_are_read_and_written_as_shards(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    shards = [dict(list(SEPARATE.items())[:1]), dict(list(SEPARATE.items())[1:])]
    for number, tensors in enumerate(shards):
        save(old / f"model-{number}.safetensors", tensors)
    index = {"weight_map": {name: f"model-{number}.safetensors" for number, tensors in enumerate(shards) for name in tensors}}
    (old / "model.safetensors.index.json").write_text(json.dumps(index))
    (old / "config.json").write_text(json.dumps({"num_attention_heads": 4, "num_key_value_heads": 2}))
    by_index, by_folder = (numbers([p], tmp_path / "out.json") for p in (old / "model.safetensors.index.json", old))
    assert by_index == by_folder
    assert {row["head"] for row in by_folder} == {0, 1, 2, 3}
    words = ["tool", "noise", str(old), "--search", "--steps", "2", "--no-rope", "--write", str(new)]
    assert run(words) == 2
    assert not new.exists()
    new.mkdir()
    assert run(words) == 0
    assert sorted(Checkpoint(new)) == sorted(SEPARATE)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["c_attn.weight", "qkv_proj.weight", "in_proj_weight", "query_key_value.weight"])
def test_a_fused_matrix_is_its_parts(name: str, tmp_path: Path) -> None:
    split = [w.reshape(-1, COLUMNS, WIDTH) for w in (Q, K, V)]
    if name.startswith("query"):
        fused = np.concatenate([x for i in range(2) for x in (*split[0][2 * i : 2 * i + 2], split[1][i], split[2][i])])
    else:
        fused = np.concatenate([Q, K, V])
    if name.startswith("c_attn"):
        fused = np.ascontiguousarray(fused.T)
    tensors = {name: fused}
    [found] = pairs(tensors, ASKED, ("qk",))
    [apart] = pairs(SEPARATE, ASKED, ("qk",))
    assert found.units == apart.units
    for h in range(4):
        assert (found.left.head(fused, h) == apart.left.head(Q, h)).all()
    for h in range(2):
        assert (found.right.head(fused, h) == apart.right.head(K, h)).all()
    np.savez(tmp_path / "fused.npz", **tensors)  # type: ignore[arg-type]
    np.savez(tmp_path / "apart.npz", **SEPARATE)  # type: ignore[arg-type]
    words = ["--heads", 4, "--kv-heads", 2, "--ranges", "channel"]
    fused_rows, rows = (numbers([tmp_path / f"{f}.npz", *words], tmp_path / "out.json") for f in ("fused", "apart"))
    assert [r["before"] for r in fused_rows] == [r["before"] for r in rows]


@pytest.mark.parametrize(
    ("more", "words", "expected"),
    [
        ({}, [], "nothing says whether rotary embeddings"),
        ({"rotary_emb.inv_freq": Q[0]}, ["--no-rope"], "rotary embeddings (rotary_emb.inv_freq)"),
        ({"a.q_norm.weight": Q[0]}, ["--no-rope"], "a norm of queries or keys (a.q_norm.weight)"),
        ({}, ["--ranges", "group:4"], "a divisor was expected"),
        ({}, ["--ranges", "group:0"], "--ranges group:0"),
        ({}, ["--heads", "3"], "another --heads was expected"),
    ],
)
def test_what_would_be_another_model_is_not_written(
    more: dict[str, np.ndarray], words: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, made = tmp_path / "given.safetensors", tmp_path / "made.safetensors"
    save(given, SEPARATE | more)
    assert run(["tool", "noise", str(given), "--heads", "4", "--search", "--write", str(made), *words]) == 2
    assert expected in capsys.readouterr().err
    assert not made.exists()


def test_settings_that_name_rotary_embeddings_are_obeyed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(tmp_path / "given.safetensors", SEPARATE)
    (tmp_path / "config.json").write_text(json.dumps({"rope_theta": 10000.0, "num_attention_heads": 4}))
    words = [
        "tool",
        "noise",
        str(tmp_path / "given.safetensors"),
        "--search",
        "--steps",
        "1",
        "--write",
        str(tmp_path / "made.safetensors"),
    ]
    assert run([*words, "--no-rope"]) == 2
    assert "rope_theta in config.json" in capsys.readouterr().err
    assert run([*words, "--pairs", "vo"]) == 0

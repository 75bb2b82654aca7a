"""Small models in the tensor names of GPT-2, LLaMA and Tracr, and NumPy programs that run them as their libraries do."""

from __future__ import annotations

from typing import Any

import numpy as np

Tensors = dict[str, Any]
WIDTH, WORDS, PLACES, HEADS = 4, 3, 6, 2


def eighths(rng: np.random.Generator, *shape: int) -> Any:
    return (rng.integers(-8, 9, shape) / 8).astype(np.float32)


def gpt2(seed: int, layers: int = 2) -> Tensors:
    rng, d = np.random.default_rng(seed), WIDTH
    made = {"wte.weight": eighths(rng, WORDS, d), "wpe.weight": eighths(rng, PLACES, d)}
    made |= {"ln_f.weight": eighths(rng, d), "ln_f.bias": eighths(rng, d)}
    for k in range(layers):
        for name, shape in {"attn.c_attn": (d, 3 * d), "attn.c_proj": (d, d), "mlp.c_fc": (d, 2 * d), "mlp.c_proj": (2 * d, d)}.items():
            made |= {f"h.{k}.{name}.weight": eighths(rng, *shape), f"h.{k}.{name}.bias": eighths(rng, shape[1])}
        for name in ("ln_1", "ln_2"):
            made |= {f"h.{k}.{name}.weight": eighths(rng, d), f"h.{k}.{name}.bias": eighths(rng, d)}
    return made


def softmax(scores: Any) -> Any:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _layer_norm(x: Any, gain: Any, shift: Any, eps: float) -> Any:
    moved = x - x.mean(axis=-1, keepdims=True)
    return moved / np.sqrt((moved**2).mean(axis=-1, keepdims=True) + eps) * gain + shift


def run_gpt2(tensors: Tensors, tokens: list[int], eps: float) -> Any:
    """Logits at every position, with ReLU for GELU, as the class GPT2LMHeadModel has it."""
    w = {name: t.astype(np.float64) for name, t in tensors.items()}
    x = w["wte.weight"][tokens] + w["wpe.weight"][: len(tokens)]
    n, hidden = len(tokens), np.triu(np.full((len(tokens), len(tokens)), -np.inf), 1)
    for k in range(sum(name.endswith("c_attn.weight") for name in w)):
        h = f"h.{k}."
        y = _layer_norm(x, w[h + "ln_1.weight"], w[h + "ln_1.bias"], eps) @ w[h + "attn.c_attn.weight"] + w[h + "attn.c_attn.bias"]
        q, key, v = (part.reshape(n, HEADS, -1).transpose(1, 0, 2) for part in np.split(y, 3, axis=-1))
        mixed = softmax(q @ key.transpose(0, 2, 1) / np.sqrt(WIDTH // HEADS) + hidden) @ v
        x = x + mixed.transpose(1, 0, 2).reshape(n, WIDTH) @ w[h + "attn.c_proj.weight"] + w[h + "attn.c_proj.bias"]
        y = _layer_norm(x, w[h + "ln_2.weight"], w[h + "ln_2.bias"], eps) @ w[h + "mlp.c_fc.weight"] + w[h + "mlp.c_fc.bias"]
        x = x + np.maximum(y, 0) @ w[h + "mlp.c_proj.weight"] + w[h + "mlp.c_proj.bias"]
    return _layer_norm(x, w["ln_f.weight"], w["ln_f.bias"], eps) @ w["wte.weight"].T


def llama(seed: int, layers: int = 2, width: int = 8) -> Tensors:
    """Two heads of four entries, one head of keys and values."""
    rng, d, hidden = np.random.default_rng(seed), width, 6
    made = {"model.embed_tokens.weight": eighths(rng, WORDS, d), "lm_head.weight": eighths(rng, WORDS, d)}
    made |= {"model.norm.weight": eighths(rng, d)}
    for k in range(layers):
        m = f"model.layers.{k}."
        shapes = {"q": (d, d), "k": (d // 2, d), "v": (d // 2, d), "o": (d, d)}
        made |= {f"{m}self_attn.{name}_proj.weight": eighths(rng, *shape) for name, shape in shapes.items()}
        shapes = {"gate": (hidden, d), "up": (hidden, d), "down": (d, hidden)}
        made |= {f"{m}mlp.{name}_proj.weight": eighths(rng, *shape) for name, shape in shapes.items()}
        made |= {f"{m}{name}_layernorm.weight": eighths(rng, d) for name in ("input", "post_attention")}
    return made


LLAMA_CONFIG = {"num_attention_heads": 2, "num_key_value_heads": 1, "rms_norm_eps": 1e-05, "hidden_act": "silu", "rope_theta": 10000.0}


def run_llama(tensors: Tensors, tokens: list[int]) -> Any:
    """Logits at every position, as the class LlamaForCausalLM has it: rotary positions over two halves, gated units."""
    w = {name.removeprefix("model."): t.astype(np.float64) for name, t in tensors.items()}
    x = w["embed_tokens.weight"][tokens]
    n, d = x.shape
    size = d // HEADS
    frequencies = 10000.0 ** (-np.arange(0, size, 2) / size)
    angles = np.concatenate([np.outer(np.arange(n), frequencies)] * 2, axis=-1)
    hidden = np.triu(np.full((n, n), -np.inf), 1)

    def norm(y: Any, name: str) -> Any:
        return w[name] * (y / np.sqrt((y**2).mean(axis=-1, keepdims=True) + 1e-05))

    def turned(y: Any) -> Any:
        half = np.concatenate([-y[..., size // 2 :], y[..., : size // 2]], axis=-1)
        return y * np.cos(angles) + half * np.sin(angles)

    for k in range(sum(name.endswith("q_proj.weight") for name in w)):
        m = f"layers.{k}."
        y = norm(x, m + "input_layernorm.weight")
        q, key, v = (
            (y @ w[f"{m}self_attn.{part}_proj.weight"].T).reshape(n, heads, size).transpose(1, 0, 2)
            for part, heads in (("q", 2), ("k", 1), ("v", 1))
        )
        mixed = softmax(turned(q) @ turned(key).transpose(0, 2, 1) / np.sqrt(size) + hidden) @ v
        x = x + mixed.transpose(1, 0, 2).reshape(n, d) @ w[m + "self_attn.o_proj.weight"].T
        y = norm(x, m + "post_attention_layernorm.weight")
        gate = y @ w[m + "mlp.gate_proj.weight"].T
        x = x + (gate / (1 + np.exp(-gate)) * (y @ w[m + "mlp.up_proj.weight"].T)) @ w[m + "mlp.down_proj.weight"].T
    return norm(x, "norm.weight") @ w["lm_head.weight"].T


LABELS = ["indices:0", "indices:1", "indices:2", "indices:3", "one", "tokens:0", "tokens:1", "tokens:BOS", "frac"]


def tracr_frac_prevs(positions: int = 4) -> Tensors:
    """The average of ``token == 1`` over all tokens so far, in the residual stream of Tracr's compiler, with its inverse temperature 100.

    One head of width ``positions`` + 1: scores 100 where k <= q, and 50 at BOS, which is at position 0.
    """
    names = [f"indices:{k}" for k in range(positions)] + LABELS[4:]
    place = {name: k for k, name in enumerate(names)}
    d = len(names)
    tokens, places = np.zeros((3, d)), np.zeros((positions + 1, d))
    for row, word in enumerate(("0", "1", "BOS")):
        tokens[row, place[f"tokens:{word}"]] = 1
        tokens[row, place["one"]] = 1
    for i in range(positions):
        places[i + 1, place[f"indices:{i}"]] = 1
    query, key, value, output = np.zeros((d, 2 * positions + 1)), np.zeros((d, 2 * positions + 1)), np.zeros((d, 1)), np.zeros((1, d))
    root = np.sqrt(2 * positions + 1)
    for q in range(positions):
        query[place[f"indices:{q}"], q] = 100 * root
        for k in range(q + 1):
            key[place[f"indices:{k}"], q] = 1
    query[place["one"], positions] = 50 * root
    key[place["tokens:BOS"], positions] = 1
    value[place["tokens:1"], 0] = 1
    output[0, place["frac"]] = 1
    stem = "transformer/layer_0/"
    made = {"token_embed/embeddings": tokens, "pos_embed/embeddings": places}
    made |= {f"{stem}attn/{name}/w": w for name, w in (("query", query), ("key", key), ("value", value), ("linear", output))}
    made |= {f"{stem}mlp/linear_1/w": np.zeros((d, 1)), f"{stem}mlp/linear_2/w": np.zeros((1, d))}
    made |= {f"{name.removesuffix('w')}b": np.zeros(w.shape[1]) for name, w in made.items() if name.endswith("/w")}
    return made | {"residual_labels": np.array(names), "vocabulary": np.array(["0", "1", "BOS"])}

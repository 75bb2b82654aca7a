"""Whether an orthogonal g between W_q and W_k leaves a model as it was: not where something stands between the two matrices."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

ROTARY = re.compile(r"rotary|inv_freq|rope", re.IGNORECASE)
NORM = re.compile(r"(?<![a-z])(q|k|query|key)_?(layer)?_?norm", re.IGNORECASE)
LEARNED = re.compile(r"(?<![a-z])wpe(?![a-z])|embed_positions|position_embed|pos_embed", re.IGNORECASE)
SETTINGS = ("rope_theta", "rope_scaling", "rope_parameters", "rotary_dim", "rotary_pct", "rotary_emb_base", "partial_rotary_factor")


def obstacle(names: Iterable[str], config: dict[str, Any]) -> str | None:
    """The operation between the matrices, by the names of tensors and the settings of the model; None if neither tells."""
    every = list(names)
    for pattern, what in ((ROTARY, "rotary embeddings"), (NORM, "a norm of queries or keys")):
        if held := next(filter(pattern.search, every), None):
            return f"{what} ({held})"
    if setting := next((s for s in SETTINGS if config.get(s) is not None), None):
        return f"rotary embeddings ({setting} in config.json)"
    if str(config.get("position_embedding_type", "")).startswith(("rope", "rotary")):
        return "rotary embeddings (position_embedding_type in config.json)"
    return None


def learned_positions(names: Iterable[str]) -> bool:
    """Whether the positions are embeddings that are learned, so that nothing stands between the matrices."""
    return any(map(LEARNED.search, names))

"""The network file that ``verify new --network`` writes: small, commented, and right over real numbers."""

from __future__ import annotations

from importlib.resources import files

NAME = "my-network"


def first_network(name: str) -> str:
    """The file, with this id."""
    text = (files("verifier.transformers") / "template.toml").read_text(encoding="utf-8")
    return text.replace(f'id = "{NAME}"', f'id = "{name}"')

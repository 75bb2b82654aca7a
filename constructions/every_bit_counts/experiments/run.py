"""A whole run: training, accuracies before and after quantization, fine-tuning; kept in files while it runs, so that it can be resumed.

Seeds run in parts, a thread each, because XLA's code for one small batch of networks keeps one processor busy, not two.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from math import gcd
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from constructions.every_bit_counts.experiments.choices import RUNS, Choices, Kind, read_results, text
from constructions.every_bit_counts.experiments.training import (
    State,
    after_fine_tuning,
    after_training,
    float_accuracies,
    started,
    test_pairs,
    trained,
)
from verifier.running.errors import InputError
from verifier.running.limits import Advance
from verifier.show.streams import write_whole

CHUNK = 500
"""Steps after which a run is kept, at most."""

KINDS: tuple[Kind, ...] = ("integer", "floating")

SORTS = ("as drawn in the paper", "one bit apart")
"""Test pairs."""


@dataclass
class Run:
    """The document of a run and its files: ``path`` for it, the same with ``.npz`` for the networks. With None, nothing is kept.

    source: the document of another run whose trained networks are used; formats, their quantization, fine-tuning and the number of test
    pairs may differ.
    """

    choices: Choices
    path: Path | None
    advance: Advance
    source: Path | None = None

    def __post_init__(self) -> None:
        self._states: State | None = None
        self.document: dict[str, Any] = {
            "schema": RUNS,
            "choices": self.choices.document(),
            "seeds": list(range(self.choices.seeds)),
            "versions": versions(),
            "parameters": self.choices.network.parameters(),
            "steps": 0,
            "loss": [],
        }
        if self.path is not None and self.path.exists():
            self.document = kept(self.path, self.document)

    def keep(self) -> None:
        """Write the document, whole or not at all."""
        if self.path is not None:
            write_whole(self.path, text(self.document).encode())

    @property
    def networks(self) -> Path | None:
        """The file of the networks."""
        return None if self.path is None else self.path.with_suffix(".npz")

    def complete(self) -> dict[str, Any]:
        """Compute everything that is still missing; return the document."""
        seeds = jnp.arange(self.choices.seeds)
        parameters = self._trained(seeds)["parameters"]
        network, rows = self.choices.network, self.choices.training.test
        tests = test_pairs(seeds, network, rows)
        if "float32" not in self.document:
            found = np.asarray(self._in_parts(lambda p, own: float_accuracies(p, own, network), parameters, tests))
            self.document |= {"of": rows, "float32": _sorted(found)}
            self.keep()
        for kind in KINDS:
            asked = partial(after_training, choices=self.choices, kind=kind)
            self._table("after training", kind, partial(self._in_parts, asked, parameters, tests, axis=1))
        for kind in KINDS if self.choices.training.fine_tuning else ():
            asked = partial(after_fine_tuning, choices=self.choices, kind=kind)
            self._table("after fine-tuning", kind, partial(self._in_parts, asked, parameters, tests, seeds, axis=1))
        return self.document

    def _in_parts(self, function: Callable[..., Any], *by_seed: Any, axis: int = 0) -> Any:
        return in_parts(function, *by_seed, many=self.choices.parts, axis=axis)

    def _table(self, table: str, kind: Kind, measure: Callable[[], Any]) -> None:
        names = self.choices.names(kind)
        cells = self.document.setdefault(table, {})
        if all(name in cells for name in names):
            return
        self.advance(f"{table}, {kind} formats", 0, 0)
        cells |= {name: _sorted(found) for name, found in zip(names, np.asarray(measure()), strict=True)}
        self.advance(f"{table}, {kind} formats", 1, 1)
        self.keep()

    def _trained(self, seeds: Any) -> State:
        network, training = self.choices.network, self.choices.training
        if self.source is not None and not self.document["steps"]:
            self._take(self.source)
        begin = self.document["steps"]
        if self._states is not None:
            states = self._states
        elif begin:
            assert self.networks is not None
            states = loaded(self.networks, begin)
        else:
            states = started(self.choices.seeds, network)
        many = _chunk(training.steps)
        for k in range(begin, training.steps, many):
            self.advance("training", k, training.steps)
            asked = partial(trained, begin=jnp.int32(k), network=network, training=training, many=many)
            states, losses = self._in_parts(asked, states, seeds)
            self.document["steps"] = k + many
            self.document["loss"].append([float(f"{x:.4g}") for x in losses])
            if self.networks is not None:
                write_whole(self.networks, packed(states, k + many))
                self.keep()
        self.advance("training", training.steps, training.steps)
        return states

    def _take(self, source: Path) -> None:
        """Use the networks of another run, all of whose steps are done."""
        found = read_results(source, RUNS)
        _same(source, _of_training(found), _of_training(self.document))
        steps = self.choices.training.steps
        if found["steps"] != steps:
            raise InputError(f"{source}: {found['steps']} of {steps} steps are done; a finished run was expected")
        states = loaded(source.with_suffix(".npz"), steps)
        self.document |= {"steps": steps, "loss": found["loss"]}
        self._states = states
        if self.networks is not None:
            write_whole(self.networks, packed(states, steps))
            self.keep()


def _chunk(steps: int) -> int:
    """A divisor of the steps, so that one compiled call suffices."""
    return gcd(steps, CHUNK) if gcd(steps, CHUNK) >= CHUNK // 10 else steps


def _sorted(found: Any) -> dict[str, list[int]]:
    """(seeds, 2) right answers, by the sort of pairs."""
    return {name: [int(x) for x in found[:, k]] for k, name in enumerate(SORTS)}


def versions() -> dict[str, str]:
    """The versions of libraries on which the numbers may depend."""
    return {"jax": jax.__version__, "jaxlib": version("jaxlib"), "numpy": np.__version__, "backend": jax.default_backend()}


def kept(path: Path, asked: dict[str, Any]) -> dict[str, Any]:
    """The part of this run that a file has already.

    Raises:
        InputError: a file of another run, or none of a run.
    """
    found = read_results(path, RUNS)
    _same(path, found, asked)
    return found


def _same(path: Path, found: dict[str, Any], asked: dict[str, Any]) -> None:
    for name in ("choices", "seeds", "versions"):
        wanted = json.loads(json.dumps(asked[name]))
        if found.get(name) != wanted:
            others = ", ".join(_differences(found.get(name), wanted, name))
            raise InputError(f"{path}: results with other {name} ({others}); the same or another file were expected")


def _differences(found: Any, wanted: Any, name: str) -> Iterator[str]:
    """The entries that differ, each as "name: found, not wanted", with the ends of long ones cut off."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for key in dict.fromkeys([*wanted, *found]):
            yield from _differences(found.get(key), wanted.get(key), key)
    elif found != wanted:
        yield f"{name[:40]}: {json.dumps(found)[:40]}, not {json.dumps(wanted)[:40]}"


def _of_training(document: dict[str, Any]) -> dict[str, Any]:
    """The document without the choices on which the trained networks do not depend."""
    choices = dict(document.get("choices", {}))
    training = {name: x for name, x in choices.get("training", {}).items() if name not in ("test", "fine_tuning")}
    return {**document, "choices": {**choices, "training": training, "quantization": None, "formats": None}}


def packed(states: State, steps: int) -> bytes:
    """The states of all seeds after this many steps."""
    made = io.BytesIO()
    arrays = {f"{part}/{name}": np.asarray(x) for part, inner in states.items() for name, x in inner.items()}
    np.savez(made, steps=np.int64(steps), **arrays)  # type: ignore[arg-type]
    return made.getvalue()


def loaded(path: Path, steps: int) -> State:
    """The states after this many steps.

    Raises:
        InputError: the file is missing or has others.
    """
    try:
        with np.load(path) as arrays:
            found = {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: the networks of the run were expected ({error})") from None
    if found.pop("steps", None) != steps:
        raise InputError(f"{path}: the networks after {steps} steps were expected")
    states: State = {}
    for name, array in found.items():
        part, _, own = name.partition("/")
        states.setdefault(part, {})[own] = jnp.asarray(array)
    return states


def in_parts(function: Callable[..., Any], *by_seed: Any, many: int, axis: int = 0) -> Any:
    """Apply a function to arrays (or trees of them) whose first axis is that of the seeds, part by part, and join the results along
    ``axis``.

    many: the number of parts, the same on every machine, so that results do not depend on the machine.
    """
    seeds = len(jax.tree.leaves(by_seed)[0])
    own = [slice(int(part[0]), int(part[-1]) + 1) for part in np.array_split(np.arange(seeds), min(many, seeds))]
    given = [jax.tree.map(lambda x, part=part: x[part], by_seed) for part in own]
    with ThreadPoolExecutor(len(own)) as threads:
        found = list(threads.map(lambda each: jax.block_until_ready(function(*each)), given))
    return jax.tree.map(lambda *parts: jnp.concatenate(parts, axis), *found)

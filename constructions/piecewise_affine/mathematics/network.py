"""A network of two layers and its training, over a given arithmetic: forward, backward and optimizer use no other operation.

It is written over named operations, with no product sign, so the piecewise affine arithmetic leaves no product; sums, differences,
comparisons and choices are ordinary. The loss is softmax cross-entropy with the approximate derivative, softmax − target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from constructions.piecewise_affine import operations

Floats = npt.NDArray[Any]


class Arithmetic(Protocol):
    """The operations that training needs besides sums: each operation on arrays of one type, a number standing for itself in that type."""

    def multiply(self, a: Any, b: Any, /) -> Floats: ...
    def divide(self, a: Any, b: Any, /) -> Floats: ...
    def sqrt(self, a: Floats) -> Floats: ...
    def matmul(self, a: Floats, b: Floats, /) -> Floats: ...
    def softmax(self, x: Floats) -> Floats: ...


class Ordinary:
    """Floating-point numbers as they are."""

    multiply, divide, matmul = staticmethod(np.multiply), staticmethod(np.divide), staticmethod(np.matmul)

    def sqrt(self, a: Floats) -> Floats:
        return np.asarray(np.sqrt(a))

    def softmax(self, x: Floats) -> Floats:
        powers = np.exp(x - x.max(axis=-1, keepdims=True))
        return np.asarray(np.divide(powers, powers.sum(axis=-1, keepdims=True)))


PIECEWISE_AFFINE: Arithmetic = operations
ORDINARY: Arithmetic = Ordinary()


@dataclass(frozen=True)
class Settings:
    """hidden: units; rate: the learning rate; beta: of Adam's means; batch: the number of images in a batch."""

    hidden: int = 32
    rate: float = 0.004
    beta_1: float = 0.9
    beta_2: float = 0.99
    epsilon: float = 1e-6
    batch: int = 32
    epochs: int = 12


@dataclass
class Adam:
    """Adam over an arithmetic: m and v are running means of g and g², each corrected for its beginning; a step is rate·m/(√v + ε)."""

    of: Arithmetic
    settings: Settings
    dtype: Any
    means: dict[str, Floats] = field(default_factory=dict)
    squares: dict[str, Floats] = field(default_factory=dict)
    left: tuple[Floats, Floats] | None = None
    """β₁^t and β₂^t."""
    broken: tuple[str, str] | None = None
    """The weights and the first quantity that was not finite."""

    def step(self, weights: dict[str, Floats], gradients: dict[str, Floats]) -> None:
        """Change the weights in place. The numbers of the settings are converted to the arithmetic's type."""
        of, s = self.of, self.settings
        first, second, one, epsilon, rate = (np.asarray(x, self.dtype) for x in (s.beta_1, s.beta_2, 1, s.epsilon, s.rate))
        before = self.left or (one, one)
        self.left = of.multiply(before[0], first), of.multiply(before[1], second)
        for name, g in gradients.items():
            m, v = self.means.get(name, np.zeros_like(g)), self.squares.get(name, np.zeros_like(g))
            m = self.means[name] = of.multiply(m, first) + of.multiply(g, one - first)
            v = self.squares[name] = of.multiply(v, second) + of.multiply(of.multiply(g, g), one - second)
            mean, square = of.divide(m, one - self.left[0]), of.divide(v, one - self.left[1])
            divisor = of.sqrt(square) + epsilon
            step = of.multiply(of.divide(mean, divisor), rate)
            if self.broken is None and not finite(step):
                made = {"the gradient g": g, "the mean of g": m, "the mean of g²": v, "m = mean of g/(1 - β₁^t)": mean}
                made |= {"v = mean of g²/(1 - β₂^t)": square, "√v + ε": divisor, "m/(√v + ε)": step}
                by = dict(zip(list(made)[3:], (one - self.left[0], one - self.left[1]), strict=False)) | {"m/(√v + ε)": divisor}
                self.broken = name, _first(made, by)
            weights[name] -= step


def finite(x: Floats) -> bool:
    """Whether all are numbers and none is infinite."""
    return bool(np.isfinite(x.astype(np.float32)).all())


def _first(quantities: dict[str, Floats], corrections: dict[str, Floats]) -> str:
    """The first quantity of a step of Adam that is not a finite number, in the order of computation, and its divisor."""
    name = next(name for name, x in quantities.items() if not finite(x))
    by = f", a division by {float(np.abs(corrections[name].astype(np.float32)).min()):.3g}" if name in corrections else ""
    return f"{name} is not finite{by}"


def fresh(inputs: int, outputs: int, settings: Settings, seed: int, dtype: Any) -> dict[str, Floats]:
    """Weights before training: normal with variance about 2 over the number of inputs, from a seed; biases 0."""
    source = np.random.default_rng(seed)
    shapes = {"first": (inputs, settings.hidden), "second": (settings.hidden, outputs)}
    spread = {name: float(np.sqrt(np.divide(2, shape[0]))) for name, shape in shapes.items()}  # drawn before training begins
    weights = {name: source.normal(0, spread[name], shape).astype(dtype) for name, shape in shapes.items()}
    return {**weights, "bias_1": np.zeros(settings.hidden, dtype), "bias_2": np.zeros(outputs, dtype)}


def forward(of: Arithmetic, weights: dict[str, Floats], x: Floats) -> tuple[Floats, Floats]:
    """The hidden units max(0, x W₁ + b₁), and the probabilities."""
    hidden = np.maximum(of.matmul(x, weights["first"]) + weights["bias_1"], 0)
    return hidden, of.softmax(of.matmul(hidden, weights["second"]) + weights["bias_2"])


def gradients(of: Arithmetic, weights: dict[str, Floats], x: Floats, labels: npt.NDArray[np.int64]) -> dict[str, Floats]:
    """The gradients of the mean loss over a batch."""
    hidden, found = forward(of, weights, x)
    target = np.zeros_like(found)
    target[np.arange(len(labels)), labels] = 1
    delta = of.divide(found - target, np.asarray(len(labels), found.dtype))
    back = np.where(hidden > 0, of.matmul(delta, weights["second"].T), np.zeros((), found.dtype))
    return {
        "first": of.matmul(np.ascontiguousarray(x.T), back),
        "second": of.matmul(np.ascontiguousarray(hidden.T), delta),
        "bias_1": _summed(back),
        "bias_2": _summed(delta),
    }


def _summed(x: Floats) -> Floats:
    return np.asarray(x.astype(np.float32).sum(axis=0).astype(x.dtype))


@dataclass(frozen=True)
class Epoch:
    """After an epoch: the mean loss on the training images, and right answers on the others.

    loss: the mean of -ln of the arithmetic's own probabilities, with one logarithm for every arithmetic; None once it is not a number.
    """

    loss: float | None
    right: int
    of: int


@dataclass(frozen=True)
class Breakdown:
    """The first place where training left the finite numbers: the epoch, the number of batches, and the quantity."""

    epoch: int
    batch: int
    weights: str
    quantity: str

    def __str__(self) -> str:
        return f"from epoch {self.epoch}, batch {self.batch} on, weights {self.weights!r}:\n  {self.quantity}"


@dataclass(frozen=True)
class Images:
    """Rows of inputs with their labels, split in two."""

    x: Floats
    labels: npt.NDArray[np.int64]
    test_x: Floats
    test_labels: npt.NDArray[np.int64]


def train(
    of: Arithmetic,
    images: Images,
    settings: Settings,
    seed: int,
    seen: Callable[[int], None] = lambda done: None,
    broken: Callable[[Breakdown], None] = lambda where: None,
) -> Iterator[Epoch]:
    """One entry before training and one after each epoch. The seed determines the order of the images, whatever the arithmetic.

    broken: called once, when a step is not a finite number for the first time.
    """
    dtype = images.x.dtype
    weights = fresh(images.x.shape[1], int(images.labels.max()) + 1, settings, seed, dtype)
    adam, order = Adam(of, settings, dtype), np.random.default_rng([seed, 1])
    yield measured(of, weights, images)
    for epoch in range(settings.epochs):
        mixed = order.permutation(len(images.labels))
        for number, start in enumerate(range(0, len(mixed), settings.batch), start=1):
            chosen = mixed[start : start + settings.batch]
            known = adam.broken
            adam.step(weights, gradients(of, weights, images.x[chosen], images.labels[chosen]))
            if known is None and adam.broken is not None:
                broken(Breakdown(epoch + 1, number, *adam.broken))
        seen(epoch + 1)
        yield measured(of, weights, images)


def measured(of: Arithmetic, weights: dict[str, Floats], images: Images) -> Epoch:
    """The loss and the right answers of these weights; the logarithm of the loss is float64's, whatever the arithmetic."""
    _, found = forward(of, weights, images.x)
    own = found[np.arange(len(images.labels)), images.labels]
    smallest = np.ldexp(1.0, -13)
    loss = float(-np.log(np.maximum(own.astype(np.float64), smallest)).mean())
    _, answers = forward(of, weights, images.test_x)
    right = int((answers.astype(np.float32).argmax(axis=1) == images.test_labels).sum())
    return Epoch(loss if np.isfinite(loss) else None, right, len(images.test_labels))

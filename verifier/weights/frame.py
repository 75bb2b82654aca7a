"""The data that weights do not contain: the vocabulary, the layout of an input, the right answer, heads, eps, activation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from verifier.arithmetic.rationals import Fraction, rational
from verifier.running.errors import InputError
from verifier.transformers.records import Activation, Mask

STRING = "w"
ACTIVATIONS = {name: name for name in get_args(Activation)} | {"swish": "silu"}
KNOWN_ACTIVATIONS = ", ".join(get_args(Activation))


@dataclass(frozen=True)
class Frame:
    """The options that the user gives about the model.

    vocabulary: the word of each row of the embedding; empty: 0, 1, ….
    letters:    the words of strings; empty: all that are not in ``tokens``.
    tokens:     the layout of an input: words, and ``w`` for the string.
    yes:        a condition on coordinates; empty: the symbol of the largest logit is chosen.
    answer:     the coordinates ``answer:symbol`` are logits.
    """

    function: str
    vocabulary: Sequence[str] = ()
    letters: Sequence[str] = ()
    tokens: Sequence[str] = (STRING,)
    at: str = "last"
    yes: str = ""
    steps: str = ""
    answer: str = ""


class Settings:
    """Numbers and words of a model that no tensor contains: options, and the ``config.json`` beside the weights."""

    def __init__(self, given: Mapping[str, Any], config: Mapping[str, Any], where: str = "config.json") -> None:
        self._given, self._config, self._where = given, config, where

    def says(self, option: str) -> bool:
        """Whether the user gave this option."""
        return self._given.get(option) is not None

    def asked(self, option: str, keys: Sequence[str], default: Any = None) -> Any:
        """A setting by its option, or by one of these keys of the file.

        Raises:
            InputError: both are given and differ, or neither is and there is no default.
        """
        known = [(key, self._config[key]) for key in keys if self._config.get(key) is not None]
        mine = self._given.get(option)
        if mine is not None:
            for key, value in known:
                if str(value) != str(mine) and not _equal(mine, value):
                    raise InputError(f"--{option} {mine}: {self._where} has {key} = {value}")
            return mine
        if known:
            return known[0][1]
        if default is None:
            raise InputError(f"--{option} was expected: the weights do not say it")
        return default

    def integer(self, option: str, keys: Sequence[str], default: int | None = None) -> int:
        found = self.asked(option, keys, default)
        if not isinstance(found, int) or isinstance(found, bool) or not 1 <= found <= 1 << 16:
            raise InputError(f"{self._where}: {option} = {found!r}; an integer from 1 was expected")
        return found

    def number(self, option: str, keys: Sequence[str], default: Any = None) -> Fraction:
        found = self.asked(option, keys, default)
        try:
            return rational(str(found))
        except (ValueError, ZeroDivisionError):
            raise InputError(f"{option}: {found!r}; a number such as 0.00001 or 1/100000 was expected") from None

    def activation(self, keys: Sequence[str], default: str | None = None) -> str:
        found = str(self.asked("activation", keys, default))
        if found not in ACTIVATIONS:
            raise InputError(f"activation {found}: network files have {KNOWN_ACTIVATIONS}; this model cannot be written as one")
        return str(ACTIVATIONS[found])

    def mask(self, default: Mask) -> str:
        return str(self._given.get("mask") or default)

    def refused(self, key: str, expected: Any, what: str) -> None:
        """Refuse a setting of the file that changes the model and that this program does not read."""
        found = self._config.get(key, expected)
        if found != expected:
            raise InputError(f"{self._where}: {key} = {found!r}: {what} is not read; {expected!r} was expected")


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(rational(str(one)) == rational(str(other)))
    except (ValueError, ZeroDivisionError):
        return False


@dataclass(frozen=True)
class Words:
    """The vocabulary of a file. rows: the row of the embedding of each token number; alphabet: symbols, the letters of strings first."""

    rows: Sequence[int]
    alphabet: Sequence[str]
    letters: int


def words(frame: Frame, rows: int, whole: bool) -> Words:
    """The tokens of a model with this many rows of its embedding.

    whole: whether every word is a symbol that may be chosen, and not only the letters of strings.

    Raises:
        InputError: a vocabulary of another size, or words that are not in it.
    """
    vocabulary = list(frame.vocabulary) or [str(k) for k in range(rows)]
    if len(vocabulary) != rows:
        raise InputError(f"--vocabulary has {len(vocabulary)} words; {rows} were expected, one for each row of the embedding")
    if len(set(vocabulary)) < rows:
        raise InputError("--vocabulary: no two words alike were expected")
    if STRING in vocabulary:
        raise InputError(f"--vocabulary has the word {STRING}, which is the name of the string; another word was expected for it")
    if list(frame.tokens).count(STRING) != 1:
        raise InputError(f"--tokens {','.join(frame.tokens)}: words with one {STRING} among them were expected, for the string")
    for option, given in (("tokens", [t for t in frame.tokens if t != STRING]), ("letters", frame.letters)):
        if others := [word for word in given if word not in vocabulary]:
            raise InputError(f"--{option}: {others[0]!r} is not in the vocabulary {','.join(vocabulary[:20])}")
    letters = list(frame.letters) or [word for word in vocabulary if word not in frame.tokens]
    others = [word for word in vocabulary if word not in letters]
    if whole:
        alphabet, specials = [*letters, *others], []
    else:  # special words are numbered in the order in which the input has them; a word that no input has is left out
        alphabet, specials = letters, list(dict.fromkeys(word for word in frame.tokens if word in others))
    return Words([vocabulary.index(word) for word in (*alphabet, *specials)], alphabet, len(letters))


def head(frame: Frame, found: Words, positions: int | None, logits: Mapping[str, str]) -> dict[str, Any]:
    """The parts of a network file that describe the input and the question; positions: the number of the model's positions.

    Raises:
        InputError: no room for a string.
    """
    where = "n >= 1"
    if positions is not None:
        room = positions - (len(frame.tokens) - 1)
        if room < 1:
            raise InputError(f"--tokens {','.join(frame.tokens)}: the model has {positions} positions, and no room for a string")
        where = f"1 <= n <= {room}"
    entry: dict[str, Any] = {"strings": {STRING: "n"}, "tokens": list(frame.tokens), "alphabet": list(found.alphabet)}
    if found.letters < len(found.alphabet):
        entry["letters"] = found.letters
    made: dict[str, Any] = {"parameters": {"n": {"meaning": "length of the string", "where": where}}, "input": entry}
    if frame.yes:
        return made | {"accept": {"function": frame.function, "at": frame.at, "yes": frame.yes}}
    if not logits:
        raise InputError("--yes was expected: the weights have no unembedding, so that no symbol is chosen")
    if frame.steps:
        return made | {"decode": {"function": frame.function, "steps": frame.steps, "logits": dict(logits)}}
    return made | {"choose": {"function": frame.function, "at": frame.at, "logits": dict(logits)}}

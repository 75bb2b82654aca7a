"""Parameters of a claim: integers, some with a name, or *all* of them at once."""

from __future__ import annotations

from dataclasses import dataclass


class Named(int):
    """A value of a parameter that has a name, such as an activation: it counts as its number and is shown by its name."""

    name: str

    def __new__(cls, number: int, name: str) -> Named:
        made = super().__new__(cls, number)
        made.name = name
        return made

    def __reduce__(self) -> tuple[type[Named], tuple[int, str]]:
        return Named, (int(self), self.name)

    def __str__(self) -> str:
        return self.name


class _All(Named):
    """No number, though it stands where numbers do: it equals itself alone."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return hash("all")

    def __reduce__(self) -> str:  # type: ignore[override]  # the one there is, in another process too
        return "ALL"


ALL = _All(-1, "all")
"""A parameter asked for as a whole: every value of its domain."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a claim.

    where:   its domain, as the claim states it; outside it the claim is declined.
    typical: the values (``a..b``, ``a,b``) that are run when the user names none; or
    default: an expression in the parameters before it.
    names:   what the values 0, 1, … are called, where they are called something.
    family:  whether only our family of cases has it, and not the sentence, which is about all its values.
    meant:   the part of the domain that the claim is meant for, where it is smaller: what fails outside it only is an edge.
    """

    name: str
    meaning: str
    where: str
    typical: str | None = None
    default: str | None = None
    names: tuple[str, ...] = ()
    meant: str | None = None
    family: bool = False

    @property
    def described(self) -> str:
        """Meaning, domain, and what is taken where it is left out."""
        left_out, names = f"{self.typical} if left out", ", ".join(self.names)
        if self.default is not None:
            left_out = f"{self.names[int(self.default)] if self.names else self.default} by default"
        return f"{self.meaning}; {self.where}; {f'or {names}; ' if self.names else ''}{left_out}"

    def value(self, number: int) -> int:
        """The value with its name, if it has one."""
        if isinstance(number, Named):
            return number
        return Named(number, self.names[number]) if 0 <= number < len(self.names) else int(number)

"""Coq as it is installed: build sources in a folder of their own, and read what the kernel and the second checker say."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from verifier.running.errors import InputError

INSTALL = "apt-get install coq"
LONGEST = 900
"""Seconds that one call may take."""

OF_THE_MACHINE = re.compile(r"System error: |out of memory", re.IGNORECASE)
"""The words of Coq if a file cannot be written or read, or if memory is short."""

CLOSED = "Closed under the global context"
_NAME = re.compile(r"^([A-Za-z_][A-Za-z0-9_'.]*):", re.MULTILINE)
_LINE = re.compile(r"\bline (\d+), characters ")
_DECLARED = re.compile(r"^(?:Definition|Inductive|Record|Lemma|Theorem|Example) ([A-Za-z_][A-Za-z0-9_']*)", re.MULTILINE)
_RECURSION = re.compile(r"\b(?:fix|cofix)\b|\.\.\.|…")
_TRACES = ("fix", "...", "…")
"""Every text in which the pattern is found contains one of these words. Terms have hundreds of megabytes, and a search for the pattern is
slow.
"""
_SUMMARY = re.compile(r"^\* (?P<title>[^:\n]+):(?P<content>(?:(?!^\*)[\s\S])*)", re.MULTILINE)
SECTIONS = (
    "Axioms",
    "Constants/Inductives relying on type-in-type",
    "Constants/Inductives relying on unsafe (co)fixpoints",
    "Inductives whose positivity is assumed",
)
"""The headings under which coqchk lists what a library assumes. Each list must be ``<none>``. The exit status of coqchk is 0 whatever it
lists.
"""


def recursive(printed: str) -> bool:
    """Whether a printed term contains recursion, or is truncated."""
    return any(trace in printed for trace in _TRACES) and _RECURSION.search(printed) is not None


class CoqError(Exception):
    """An error message of Coq in one line."""


@dataclass(frozen=True)
class Coq:
    """The programs ``coqc`` and ``coqchk`` and their version."""

    compiler: str
    checker: str
    version: str


def installed_coq() -> Coq | None:
    """Coq, if it is installed."""
    compiler, checker = shutil.which("coqc"), shutil.which("coqchk")
    if compiler is None or checker is None:
        return None
    version = _version(compiler)
    return Coq(compiler, checker, version) if version else None


@lru_cache(maxsize=4)
def _version(compiler: str) -> str | None:
    found = re.search(r"version (\S+)", _called([compiler, "--version"], Path.cwd()))
    return found.group(1) if found else None


def _called(command: Sequence[str], folder: Path) -> str:
    """The output of a command, on either stream; settings of the user do not affect it.

    Raises:
        CoqError: it fails.
        InputError: the command did not finish, for a reason of the machine's: this refuses no theorem.
    """
    name = Path(command[0]).name
    environment = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "TMPDIR")}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        raise InputError(f"{name} did not finish in {LONGEST} seconds") from None
    if done.returncode == 0:
        return done.stdout + done.stderr
    said = " ".join((done.stderr + done.stdout).split())[:600]
    if done.returncode < 0:
        raise InputError(f"{name} did not finish: it was ended by {signal.Signals(-done.returncode).name}")
    if OF_THE_MACHINE.search(said):
        raise InputError(f"{name} did not finish: {said}")
    raise CoqError(said)


def _place(said: str, module: str, source: str) -> str:
    """The subject of an error message of Coq, such as ``Cases.add_3: ``. The text is empty if the message gives no line."""
    found = _LINE.search(said)
    before = "\n".join(source.splitlines()[: int(found[1])]) if found else ""
    names = _DECLARED.findall(before)
    return f"{module}.{names[-1]}: " if names else ""


TERMS = 10
"""The number of constants that are printed at once. Among 40 constants some have hundreds of megabytes, and memory holds several copies."""


@dataclass(frozen=True)
class Part:
    """Print some constants of some modules. number: different for parts that are printed at the same time."""

    modules: tuple[str, ...]
    number: int
    constants: tuple[str, ...]


@dataclass(frozen=True)
class Library:
    """A folder with sources of one namespace, where they are compiled.

    Questions are files whose names begin in lower case, unlike all modules of a folder.
    """

    coq: Coq
    place: Path
    namespace: str

    def compiled(self, module: str, source: str) -> str:
        """Compile a source; return its output.

        Raises:
            CoqError: Coq refuses it.
        """
        (self.place / f"{module}.v").write_text(source, encoding="utf-8")
        try:
            return _called([self.coq.compiler, "-q", "-Q", ".", self.namespace, f"{module}.v"], self.place)
        except CoqError as error:
            raise CoqError(f"{_place(str(error), module, source)}{error}") from None

    def assumptions(self, pairs: Sequence[tuple[str, str]], modules: Sequence[str]) -> str:
        """The assumptions of constants, each of which must prove a statement. All names are qualified by their modules.

        Raises:
            CoqError: one proves something else.
        """
        lines = [self._required(modules)]
        for number, (proof, statement) in enumerate(pairs):
            lines += [f"Definition checked_{number} : {self.namespace}.{statement} := {self.namespace}.{proof}."]
            lines += [f"Print Assumptions checked_{number}."]
        return " ".join(self.compiled("assumptions", "\n".join(lines)).split())

    def closed(self, pairs: Sequence[tuple[str, str]], modules: Sequence[str]) -> bool:
        """Whether each constant proves its statement without assumptions."""
        try:
            return self.assumptions(pairs, modules) == " ".join([CLOSED] * len(pairs))
        except CoqError:
            return False

    def parts(self, modules: Sequence[str]) -> list[Part]:
        """The constants of the modules, in parts for one process each."""
        every = list(self._constants(modules))
        return [Part(tuple(modules), start, tuple(every[start : start + TERMS])) for start in range(0, len(every), TERMS)]

    def recursive(self, part: Part) -> list[str]:
        """The constants of a part whose terms, printed in full, contain a recursion; or are not printed in full."""
        if not recursive(self._printed(part)):
            return []
        return [name for name in part.constants if recursive(self._printed(Part(part.modules, part.number, (name,))))]

    def _printed(self, part: Part) -> str:
        full = "Set Printing All. Set Printing Width 1000000. Set Printing Depth 1000000."
        lines = [self._required(part.modules), full, *(f"Print {name}." for name in part.constants)]
        return self.compiled(f"terms_{part.number}", "\n".join(lines))

    def _constants(self, modules: Sequence[str]) -> Iterator[str]:
        """The names of all constants, including those that Coq generates."""
        places = " ".join(f"{self.namespace}.{module}" for module in modules)
        hidden = 'Remove Search Blacklist "Private_" "_subproof" "_subterm".'
        text = self.compiled("names", f"{self._required(modules)}\nSet Printing Width 1000000.\n{hidden}\nSearch _ inside {places}.")
        yield from _NAME.findall(text)

    def rechecked(self, modules: Sequence[str]) -> dict[str, str]:
        """The entries of coqchk that are not allowed, by section; it checks every term again, also the standard library's, without the
        virtual machine.

        Raises:
            CoqError: coqchk refuses a term, or prints something other than its summary.
        """
        names = [f"{self.namespace}.{module}" for module in modules]
        printed = _called([self.coq.checker, "-silent", "-o", "-bytecode-compiler", "no", "-Q", ".", self.namespace, *names], self.place)
        listed = {found["title"].strip(): " ".join(found["content"].split()) for found in _SUMMARY.finditer(printed)}
        if missing := [title for title in SECTIONS if title not in listed]:
            raise CoqError(f"coqchk does not list {', '.join(missing)}")
        return {title: listed[title] for title in SECTIONS if listed[title] != "<none>"}

    def _required(self, modules: Sequence[str]) -> str:
        return f"From {self.namespace} Require {' '.join(modules)}."

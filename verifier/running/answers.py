"""Screens that ship with the program: what this version has decided about the papers beside it, shown at once.

``constructions/answers/PAPER.txt`` has, for each command in :func:`verifier.commands.answers.commands`, the exit status and what the
command prints, line by line. Lines that stand further up in the file are not written again: ``" 9..7`` stands for the three lines that
begin nine lines above, ``" 9`` for one. A screen is shown if the seal in the file's second line is the digest of all that can change it:
the files of the program that decide and show verdicts, the files of the paper, the versions of the libraries that compute, and the screens
themselves. Otherwise the command computes.

Two branches that change different papers merge into files whose seals are right, since a seal covers one paper. Two that
both change the program merge into a file with another seal than the program needs, whichever line is kept; ``verify check`` then says so,
and ``verify check --update`` writes the files again.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from verifier import __version__
from verifier.running.printable import has_styles, print_styled
from verifier.running.results import EVERY_PART, ROOT, digest_of_files, entry_points, files_below, libraries, program_digest

FOLDER = ROOT / "constructions" / "answers"
HEAD = f"bitreferee/answers/1: screens of version {__version__}; `verify check --update` writes this file"
OF_PAPERS = (("findings",), ("findings", "--corrections"))
"""The commands whose screen of each paper ships, with their options."""
QUESTIONS = "--questions"
"""The option whose screens have only what stands below the statement."""
LIBRARIES = ("mpmath", "networkx", "numpy", "python_flint", "quicktions", "sympy")
"""The modules that compute the content of the screens."""
INDENT, COLUMN = re.compile("  +(?<=^.{12})", re.MULTILINE), 12
"""The spaces before the column at which the texts of a finding begin: the file has a tab for them."""
INDENTED = re.compile("^ +", re.MULTILINE)
"""The spaces before a line, an even number: the file has half of them."""
DITTO = re.compile(r'" (\d+)(?:\.\.(\d+))?\n')
"""Lines that stand further up, so many above this one: the first and the last, or one."""
SHORTEST_DITTO = 24
"""Shorter texts are written out."""
PROMPT = re.compile(r"^\$ verify (.+) # (\d+)$", re.MULTILINE)
STYLE, MARK = re.compile("\x1b\\[([0-9;]*)m"), re.compile("⟦([0-9;]*)⟧")
"""A change of style on a terminal, and in a file."""


class Screen(NamedTuple):
    """The output of a command with the marks of its styles, and its exit status."""

    text: str
    status: int


def file_of(paper: str) -> Path:
    """The file with the screens of a paper."""
    return FOLDER / f"{paper}.txt"


def answered(words: Sequence[str]) -> int | None:
    """Print the screen that is kept of a command, and say so on standard error; its exit status, or None where the command has to compute.

    Args:
        words: the command line without ``verify``.
    """
    if QUESTIONS in words:
        return None
    found = _of_every_paper(*words) if tuple(words) in OF_PAPERS else kept_screen(words)
    if found is None or (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
        return None
    shown(found.text)
    say_kept()
    return found.status


def say_kept() -> None:
    """Say on standard error that something shown is kept."""
    print(f"kept from version {__version__}; `--fresh` computes it again", file=sys.stderr)


def kept_screen(words: Sequence[str]) -> Screen | None:
    """The screen of a command, if one file has it and is current; of ``show --questions`` what stands below the statement."""
    found = [screen for file in _files_about(words) for screen in _screens_for(words, file)]
    return found[0] if len(found) == 1 else None


def _of_every_paper(verb: str, *options: str) -> Screen | None:
    """The screens of a command on each paper below each other, if no other paper is installed; what all begin with, once."""
    papers = sorted(path.stem for path in FOLDER.glob("*.txt"))
    if {name for name, _ in entry_points("bitreferee.papers")} != set(papers):
        return None
    each = [next(_screens_for((verb, paper, *options), file_of(paper)), None) for paper in papers]
    texts = [screen.text.splitlines(keepends=True) for screen in each if screen is not None]
    if len(texts) < len(papers):
        return None
    shared = sum(1 for _ in takewhile(lambda lines: len(set(lines)) == 1, zip(*texts, strict=False)))
    lines = [*texts[0][:shared], *(line for text in texts for line in text[shared:])]
    return Screen("".join(lines), max(screen.status for screen in each if screen is not None))


def shown(text: str) -> None:
    """Print a screen: with its styles on a terminal that has them."""
    print_styled(MARK.sub("\x1b[\\1m" if has_styles() else "", text))


def _files_about(words: Sequence[str]) -> Iterator[Path]:
    """The files that may have a screen of this command."""
    if not FOLDER.is_dir() or not words:
        return
    papers = {word.partition("/")[0] for word in words}
    named = [path for path in (file_of(name) for name in papers if re.fullmatch(r"[a-z0-9.-]+", name)) if path.is_file()]
    yield from named or sorted(FOLDER.glob("*.txt"))


def _screens_for(words: Sequence[str], file: Path) -> Iterator[Screen]:
    """The screen of this command in a file whose seal is right."""
    text, wanted = read(file), name_of(words, file.stem)
    if f"\n$ verify {wanted} # " in text and (body := below_seal(file.stem, text)) is not None:
        yield screens(body)[wanted]


def name_of(words: Sequence[str], paper: str) -> str:
    """The name of a command in the file of a paper: its words, options last, with names of claims without the paper."""
    return " ".join(word.removeprefix(f"{paper}/") for word in sorted(words, key=lambda word: word.startswith("-")))


def screens(text: str) -> dict[str, Screen]:
    """The screens in a file, by command."""
    indented = INDENTED.sub(lambda spaces: 2 * spaces[0], text).expandtabs(COLUMN)
    lines: list[str] = []
    for line in indented.splitlines(keepends=True):
        ditto = DITTO.fullmatch(line)
        lines.append("".join(lines[-int(ditto[1]) : len(lines) - int(ditto[2] or ditto[1]) + 1]) if ditto else line)
    _, *parts = PROMPT.split("".join(lines))
    return {name: Screen(body[1:], int(status)) for name, status, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)}


def file_text(paper: str, made: Mapping[str, Screen]) -> str:
    """The content of the file with these screens."""
    whole = "".join(f"$ verify {name} # {screen.status}\n{screen.text}" for name, screen in made.items())
    body = INDENTED.sub(lambda spaces: spaces[0][::2], INDENT.sub("\t", _with_dittos(whole)))
    assert screens(body) == made, "a screen has a tab, an odd indent, or a line that looks like a command or a ditto of such a file"
    return sealed(paper, body)


def _with_dittos(text: str) -> str:
    """A text in which runs of lines that stand further up are named by how far up they stand: the longest runs, the nearest of these."""
    lines, written = text.splitlines(keepends=True), list[str]()
    meant: list[list[str]] = []  # for each line written, the lines for which it stands
    places: dict[str, list[int]] = defaultdict(list)
    at = 0
    while at < len(lines):
        size, first, last = max((_run(meant, place, lines, at) for place in places[lines[at]]), default=(0, 0, 0))
        here = lines[at : at + max(size, 1)]
        ditto = len("".join(here)) > SHORTEST_DITTO and size
        above = f"{len(written) - first}" if first == last else f"{len(written) - first}..{len(written) - last}"
        written.append(f'" {above}\n' if ditto else lines[at])
        meant.append(here if ditto else lines[at : at + 1])
        places[lines[at]].append(len(written) - 1)
        at += len(meant[-1])
    return "".join(written)


def _run(meant: Sequence[Sequence[str]], first: int, lines: Sequence[str], at: int) -> tuple[int, int, int]:
    """How many of the lines from this one on are those of a run above, and the first and the last line of the run."""
    size, last = 0, first
    while last < len(meant) and lines[at + size : at + size + len(meant[last])] == meant[last]:
        size += len(meant[last])
        last += 1
    return size, first, last - 1


def sealed(name: str, body: str, parts: tuple[str, ...] = EVERY_PART) -> str:
    """A text below its seal; the arguments are those of :func:`seal`."""
    return f"{HEAD}\nseal {seal(name, body, parts)}\n{body}"


def below_seal(name: str, text: str, parts: tuple[str, ...] = EVERY_PART) -> str | None:
    """The text below a seal, or None if the seal does not match the text, the program and the papers as they are now."""
    head, _, rest = text.partition("\n")
    said, _, body = rest.partition("\n")
    return body if head == HEAD and said == f"seal {seal(name, body, parts)}" else None


def seal(name: str, body: str, parts: tuple[str, ...] = EVERY_PART) -> str:
    """The digest of a text and of everything that can change it.

    Args:
        name: the paper of the text, or ``gallery``.
        parts: the beginnings of the paths of the program files that can change it.
    """
    covered = [*libraries(LIBRARIES), program_digest(parts, showing=True), digest_of_files(sources_of(name)), body]
    return hashlib.sha256("\n".join(covered).encode()).hexdigest()


def sources_of(name: str) -> list[Path]:
    """The files of a paper that its seal covers, besides those of the program."""
    folder = folder_of(name)
    return [folder.parent / "__init__.py", *files_below(folder)]


def folder_of(paper: str) -> Path:
    """The folder of a shipped paper."""
    return ROOT / "constructions" / paper.replace("-", "_")


def read(path: Path) -> str:
    """The text of a shipped file, or empty if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return ""


def marked(printed: Iterable[str]) -> str:
    """The text printed on a terminal, with the style marks of a file."""
    return STYLE.sub("⟦\\1⟧", "".join(printed))

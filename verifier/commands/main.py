"""``verify``: judge claims by default, or one of the subcommands. Errors become one line and an exit status here, and only here."""

from __future__ import annotations

import difflib
import importlib
import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import click

from verifier import EXIT_INTERRUPTED, __version__
from verifier.claims.verdicts import EXIT_FAULT, EXIT_INPUT, EXIT_UNDECIDED
from verifier.commands.discovery import found_commands
from verifier.running.limits import SHORT_OF_MEMORY
from verifier.running.memory import ALLOWANCE, DEFAULT_MEMORY, fewer_collections, for_want_of_memory, keep_within, read_bytes
from verifier.show.streams import is_of_a_stream, prepare, silence

SUBCOMMANDS: dict[str, tuple[str, str]] = {
    "claim": ("verifier.commands.judge:command", "Judge claims: `verify CLAIM …` is short for it."),
    "list": ("verifier.commands.browse:list_claims", "List the statements of all papers, or a statement's steps."),
    "show": (
        "verifier.commands.browse:show_claim",
        "A claim in our words, with place, parameters, checks, errata and steps.",
    ),
    "findings": ("verifier.commands.findings:command", "The mistakes of a paper, the most serious first, with their consequences."),
    "ask": (
        "verifier.commands.ask:command",
        "Which hypotheses a statement needs, its smallest case, and whether it holds beyond its domain.",
    ),
    "trace": ("verifier.commands.trace:command", "Run a claim's construction on one input, step by step."),
    "plot": ("verifier.commands.plot:command", "Draw where a construction fails, or a claim's verdicts, as SVG."),
    "construction": ("verifier.commands.construction:command", "Check a construction file or a network file."),
    "precision": ("verifier.commands.precision:command", "The first length at which a transformer is wrong, for each arithmetic."),
    "import": ("verifier.commands.importing:command", "Write the network file of a transformer's weights: .npz, .safetensors, .onnx."),
    "export": ("verifier.commands.export:command", "Write a transformer as an ONNX model or a NumPy module."),
    "gallery": ("verifier.commands.gallery:command", "Every published transformer of the gallery in every format."),
    "new": ("verifier.commands.new:command", "Write a commented file, or a paper, that verifies as it stands."),
    "schema": ("verifier.commands.schema:command", "The JSON schemas of the files that authors write, for editors."),
    "repair": ("verifier.commands.repair:command", "Find the smallest edits of a construction file that make it right."),
    "recheck": ("verifier.commands.recheck:command", "Check a certificate with the stand-alone checker."),
    "proofs": ("verifier.commands.proofs:command", "Check the theorems for all parameters with Coq's kernel."),
    "evidence": ("verifier.commands.evidence:command", "For which parameters each statement is decided, and by what."),
    "sweep": ("verifier.commands.sweep:command", "Judge many claims and points, resumably, here or on a cluster."),
    "report": ("verifier.commands.report:command", "Write one page for each paper into reports/."),
    "gate": ("verifier.commands.gate:command", "Compare verdicts with the committed table."),
    "check": ("verifier.commands.check:command", "Run `gate`, and check that the committed pages are up to date."),
}


OF_NETWORKS = {
    "construction": "verifier.commands.networks:construction",
    "trace": "verifier.commands.networks:trace",
    "repair": "verifier.commands.repairing_networks:command",
}
"""What these subcommands are of a network of several layers: ``gallery/parity``, or a file whose format says so."""


PLOT_OF_FILE = "verifier.commands.plot:of_file"


def subcommands() -> dict[str, tuple[str, str]]:
    """Ours, and those found; a name of ours cannot be taken."""
    return SUBCOMMANDS | {name: entry for name, entry in found_commands().items() if name not in SUBCOMMANDS}


class Verify(click.Group):
    """A group whose subcommands are imported when called, and whose default is to judge claims."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(subcommands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in subcommands():
            return None
        return _imported(subcommands()[cmd_name][0])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in subcommands().items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args[:1] == ["trace"] and any(map(_is_file, args[1:])) and not _networks(args[1:]):
            args = ["construction", *args[1:]]
        of_file = args[:1] == ["plot"] and any(map(_is_file, args[1:]))
        if args[:1] == ["plot"] and _networks(args[1:]):
            raise click.UsageError("plot draws tables and claims; `verify precision NETWORK --picture FILE.svg` draws a network's lengths")
        if args and args[0] not in subcommands() and not args[0].startswith("-"):
            if _networks(args[:1]) or _is_file(args[0]):
                args = ["construction", *args]
            else:
                _suggest(args[0])
                args = ["claim", *args]
        found = super().resolve_command(ctx, args)
        if found[0] in OF_NETWORKS and _networks(found[2]):
            found = (found[0], _imported(OF_NETWORKS[found[0]]), found[2])
        if of_file:
            found = (found[0], _imported(PLOT_OF_FILE), found[2])
        if ALLOWANCE.binding:
            keep_within(ALLOWANCE.bytes)  # what is imported by now does not count
        return found


def _imported(entry: str) -> click.Command:
    module, _, attribute = entry.partition(":")
    command: click.Command = getattr(importlib.import_module(module), attribute)
    return command


def _networks(words: list[str]) -> bool:
    """Whether a network is among the words."""
    if not any(word.startswith("gallery/") or word.endswith(".toml") for word in words):
        return False
    from verifier.transformers.files import is_network

    return any(map(is_network, words))


def _is_file(word: str) -> bool:
    """Whether a word is a construction file rather than a claim."""
    return word.endswith(".toml") and not word.startswith("-")


def _suggest(word: str) -> None:
    """Raises click.UsageError for a word that is nearly a command and no claim or paper."""
    near = difflib.get_close_matches(word, subcommands(), n=2, cutoff=0.75)
    if not near:
        return
    from verifier.claims.papers import claims_called, find_paper

    if find_paper(word) is None and not claims_called(word):
        raise click.UsageError(f"no command {word!r}; did you mean {' or '.join(f'`verify {name}`' for name in near)}?")


@click.group(cls=Verify, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="verify")
def verify() -> None:
    """An exact referee for papers on low-precision neural networks.

    \b
    verify theorem-2.4 --p 5              judge a claim: as a statement, as printed, as repaired
    verify lemma-2.6 --p 2..12            a range of parameters
    verify lemma-2.6 --p 8 --semantics all    the readings of the arithmetic under which it holds
    verify every-bit-counts               every statement of a paper
    verify findings every-bit-counts      what is wrong in it, the most serious first
    verify list                           what there is
    verify precision gallery/parity       what precision breaks a transformer
    verify --papers DIR …                 with papers of your own; --trust lets their Python run
    verify --memory 6G …                  more memory than 2G, for large parameters

    Exit status: 0 all verified; 1 something refuted; 2 bad command line or file; 3 undecided; 70 a fault of this program; 130 stopped.
    """


INTERRUPTS: list[int] = []
"""Those that came."""


def interrupted(number: int, frame: FrameType | None) -> None:
    """An interrupt is noted: a library may be reading its modules, and make another error of it."""
    INTERRUPTS.append(number)
    raise KeyboardInterrupt


def main() -> None:
    """Entry point of the console script, behind :mod:`verifier.__main__`."""
    prepare()
    keep_within(None)
    ALLOWANCE.binding = True
    fewer_collections()
    try:
        status = run(sys.argv[1:])
        sys.stdout.flush()
    except OSError as error:
        status = _not_printed(error)
    except KeyboardInterrupt:
        status = _stopped()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # what was asked is answered
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """Run the command line and return its exit status."""
    from verifier.running.errors import InputError, LimitError, lines_of

    try:
        status = _called(arguments)
        return status if isinstance(status, int) else 0
    except click.exceptions.NoArgsIsHelpError as help_text:
        print(help_text.format_message(), file=sys.stderr)
        return EXIT_INPUT
    except click.UsageError as error:
        return _complain(error.format_message(), error.ctx)
    except click.ClickException as error:
        return _complain(error.format_message(), None)
    except InputError as error:
        for line in lines_of(error):
            _complain(line, None)
        return EXIT_INPUT
    except LimitError as error:
        return _complain(f"declined: {error}", None, EXIT_UNDECIDED)
    except MemoryError:
        return _complain(f"declined: {SHORT_OF_MEMORY}", None, EXIT_UNDECIDED)
    except (click.Abort, KeyboardInterrupt):
        return _stopped()
    except Exception as error:
        if isinstance(error, OSError) and is_of_a_stream(error):
            return _not_printed(error)
        if for_want_of_memory(error):
            return _complain(f"declined: {SHORT_OF_MEMORY}", None, EXIT_UNDECIDED)
        if os.environ.get("BITREFEREE_DEBUG"):
            raise
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place else "unknown place"
        text = f"{type(error).__name__}: {error} ({where}); BITREFEREE_DEBUG=1 shows more"
        print(f"verify: a fault of this program: {text}", file=sys.stderr)
        return EXIT_FAULT


def _called(arguments: list[str]) -> Any:
    """What click's command returns. Every error after an interrupt is the interrupt."""
    try:
        arguments, named = _with_papers(_with_memory(arguments))
        return verify.main(args=arguments, prog_name="verify", standalone_mode=False, obj=named)
    except Exception:
        if INTERRUPTS:
            raise KeyboardInterrupt from None
        raise


def _stopped() -> int:
    print("verify: stopped", file=sys.stderr)
    return EXIT_INTERRUPTED


def _not_printed(error: OSError) -> int:
    silence()
    print(f"verify: standard output cannot be written: {error.strerror}", file=sys.stderr)
    return EXIT_INPUT


def _with_memory(arguments: list[str]) -> list[str]:
    """The arguments without ``--memory SIZE``, which may stand anywhere; that of ``verify sweep`` is of a job, and stays."""
    ALLOWANCE.bytes = DEFAULT_MEMORY
    if arguments[:1] == ["sweep"]:
        return arguments
    rest, words = [], iter(arguments)
    for word in words:
        if word != "--memory" and not word.startswith("--memory="):
            rest.append(word)
            continue
        try:
            ALLOWANCE.bytes = read_bytes(word.removeprefix("--memory=") if "=" in word else next(words, ""))
        except ValueError as error:
            raise click.UsageError(f"--memory {error}") from None
    return rest


def _with_papers(arguments: list[str]) -> tuple[list[str], tuple[Path, ...]]:
    """The arguments without ``--papers DIR`` and ``--trust``, which may stand anywhere, and the folders that were named.

    The papers there are at hand from now on; their Python runs only with ``--trust``.
    """
    trusted = "--trust" in arguments
    rest, named, words = [], [], iter(w for w in arguments if w != "--trust")
    for word in words:
        if word != "--papers" and not word.startswith("--papers="):
            rest.append(word)
            continue
        from verifier.claims.papers import add_papers
        from verifier.running.shelf import SHELF

        folder = word.removeprefix("--papers=") if "=" in word else next(words, "")
        if not folder:
            raise click.UsageError("--papers: a folder was expected")
        add_papers(Path(folder))
        SHELF.trusted = trusted
        named.append(Path(folder))
    if trusted and not named:
        raise click.UsageError("--trust goes with --papers DIR, whose Python it lets run")
    return rest, tuple(dict.fromkeys(named))


def _complain(message: str, context: click.Context | None, status: int = EXIT_INPUT) -> int:
    from verifier.show.screen import notice

    notice(f"verify: {' '.join(message.split())}")
    if context is not None and context.info_name:
        print(f"see: {context.command_path} --help", file=sys.stderr)
    return status

"""``verify`` judges the claims that it is given, or runs a subcommand. Errors become one line and an exit status here, and only here."""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class

from verifier import EXIT_INTERRUPTED, __version__
from verifier.claims.verdicts import EXIT_FAULT, EXIT_INPUT, EXIT_UNDECIDED
from verifier.commands.tool import TOOL, found_commands, imported
from verifier.running.answers import answered
from verifier.running.errors import InputError, LimitError, lines_of
from verifier.running.identifiers import meant, nearest
from verifier.running.limits import (
    ALLOWANCE,
    CLOCK,
    DEFAULT_MEMORY,
    SHORT_OF_MEMORY,
    OutOfTime,
    fewer_collections,
    for_want_of_memory,
    keep_within,
    read_bytes,
)
from verifier.running.results import READ, Store
from verifier.show.streams import is_of_a_stream, prepare, silence

VERBS: dict[str, dict[str, tuple[str, str]]] = {
    "Judge and look (`verify SUBJECT…` judges a claim, a paper, a table file, a network file, gallery/ID)": {
        "list": ("verifier.commands.browse:list_claims", "The names of papers, statements and steps, or of the gallery."),
        "show": ("verifier.commands.show:command", "One claim in our words, questions about it, or a paper's evidence."),
        "findings": ("verifier.commands.findings:command", "The mistakes of a paper, the most serious first."),
        "trace": ("verifier.commands.trace:command", "One input, step by step; --protocol: what Alice sends Bob."),
        "plot": ("verifier.commands.plot:command", "Where a construction fails, or a claim's verdicts, as SVG."),
        "precision": ("verifier.commands.precision:command", "The first length at which a transformer is wrong, by arithmetic."),
    },
    "Make": {
        "new": ("verifier.commands.new:command", "A commented file, or a paper, that verifies as it stands."),
        "convert": ("verifier.commands.convert:command", "Weights into a network file, a network into ONNX or NumPy."),
        "repair": ("verifier.commands.repair:command", "The smallest edits that make a file right."),
        "tool": ("verifier.commands.tool:command", "Commands of papers: experiments, networks, training runs."),
    },
    "Check": {
        "recheck": ("verifier.commands.recheck:command", "Check a certificate with the stand-alone checker."),
        "proofs": ("verifier.commands.proofs:command", "Check the theorems for all parameters with Coq's kernel."),
        "report": ("verifier.commands.report:command", "Write a letter on each paper, or a site."),
        "gate": ("verifier.commands.gate:command", "Compare verdicts with the committed table."),
        "sweep": ("verifier.commands.sweep:command", "Many claims and points, resumably, here or on a cluster."),
    },
}
"""The verbs in groups, each with its command and a line of help."""
SUBJECT = "SUBJECT"
UNLISTED = {
    SUBJECT: "verifier.commands.judge:command",
    "construction": "verifier.commands.judge:construction",
    "check": "verifier.commands.report:check",
}
"""The command behind ``verify SUBJECT``, which has no verb, and two spellings of it in files of CI systems."""
SUBCOMMANDS = {name: entry for group in VERBS.values() for name, (entry, _) in group.items()} | UNLISTED
WITH_WORD = {
    ("precision", "gallery"): "verifier.commands.report:gallery",
    ("gate", "--pages"): UNLISTED["check"],
}
"""Verbs that do more where a word stands among theirs."""
MOVED = {
    "claim": "verify CLAIM",
    "ask": "verify show STATEMENT --questions",
    "evidence": "verify show PAPER",
    "import": "verify convert WEIGHTS FILE.toml",
    "export": "verify convert NETWORK FILE.onnx",
    "gallery": "verify precision gallery",
    "schema": "verify new --schema KIND",
    "help": "verify --help",
    "version": "verify --version",
}
"""Spellings of earlier versions and of other programs."""


class Verify(click.Group):
    """A group whose subcommands are imported when called; by default it judges the named subjects."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for group in VERBS.values() for name in group]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return imported(SUBCOMMANDS[cmd_name]) if cmd_name in SUBCOMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, group in VERBS.items():
            with formatter.section(title):
                formatter.write_dl([(name, text) for name, (_, text) in group.items()])

    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any) -> click.Context:
        """Make the context. During completion it includes the papers that the earlier words name."""
        if extra.get("resilient_parsing"):
            try:
                args, _ = _with_papers(_with_bounds(args))
            except (click.UsageError, InputError):
                args = []  # the value of such an option is being completed
            CLOCK.clear()
        return super().make_context(info_name, args, parent, **extra)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Verbs and subjects, for shells: ``eval "$(_VERIFY_COMPLETE=bash_source verify)"``."""
        from verifier.commands.subjects import names_beginning

        names = [] if incomplete.startswith("-") else names_beginning(incomplete)
        return [*super().shell_complete(ctx, incomplete), *map(CompletionItem, names)]

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = self._resolved(ctx, args)
        if ALLOWANCE.binding:
            keep_within(ALLOWANCE.bytes)  # what is imported by now does not count
        return name, command, rest

    def _resolved(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        verb, *rest = args
        for name, found in found_commands().items() if any(word.startswith("--") for word in rest) else ():
            if found.verb == verb and f"--{name}" in rest:
                return verb, imported(found.run), [word for word in rest if word != f"--{name}"]
        for (name, more), entry in WITH_WORD.items():
            if verb == name and more in rest:
                return verb, imported(entry), [word for word in rest if word != more]
        if verb not in SUBCOMMANDS and not verb.startswith("-"):
            _suggest(verb)
            return SUBJECT, imported(SUBCOMMANDS[SUBJECT]), args
        return super().resolve_command(ctx, args)


def _suggest(word: str) -> None:
    """Raise click.UsageError for a word that is almost a command, or a former command, and no claim or paper."""
    tools = {
        name: f"verify tool {name}" if found.verb == TOOL else f"verify {found.verb} … --{name}" for name, found in found_commands().items()
    }
    spelled = {**tools, **MOVED, **{name: f"verify {name}" for name in SUBCOMMANDS if name != SUBJECT}}
    near = [word] if word in spelled else nearest(word, spelled, most=2, cutoff=0.75)
    if not near:
        return
    from verifier.claims.papers import claims_called, find_paper

    if find_paper(word) is None and not claims_called(word):
        raise click.UsageError(f"no command {word!r}; did you mean {' or '.join(f'`{spelled[name]}`' for name in near)}?")


@click.group(cls=Verify, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="verify")
def verify() -> None:
    """An exact referee for low-precision neural networks.

    \b
    verify theorem-2.4 --p 5         judge a claim: as a statement, as printed, as repaired
    verify lemma-2.6 --p 2..12       over a range; `all`: for every value
    verify every-bit-counts          a paper
    verify mine.toml gallery/parity  tables and networks
    verify --papers DIR …            with papers of your own; --trust lets their Python run
    verify --memory 6G …             more memory than 2G
    verify --timeout 60 …            stop after 60 s with what is decided
    verify --fresh …                 use no result of an earlier run

    Exit status: 0 all verified; 1 something refuted; 2 bad command line or file; 3 undecided; 70 a fault of this program; 130 stopped.
    """


@add_completion_class
class Bash(BashComplete):
    """Completion for bash, which treats the colon of ``lemma-2.6:table-6`` as the end of a word, so that bash
    appends a proposal to ``lemma-2.6:``.
    """

    before = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one that is completed, and that word with the text before its colon."""
        words, last = super().get_completion_args()
        if last == ":":
            words, last = [*words, ":"], ""
        if len(words) < 2 or words[-1] != ":":
            return words, last
        self.before = f"{words[-2]}:"
        return words[:-2], f"{self.before}{last}"

    def format_completion(self, item: CompletionItem) -> str:
        """``type,value`` of a proposal."""
        return f"{item.type},{item.value.removeprefix(self.before)}"


INTERRUPTS: list[int] = []
"""Those that came."""


def interrupted(number: int, frame: FrameType | None) -> None:
    """Note an interrupt: a library that is just being imported may turn it into another error."""
    INTERRUPTS.append(number)
    raise KeyboardInterrupt


def main() -> None:
    """Entry point of the console script, behind :mod:`verifier.__main__`."""
    prepare()
    keep_within(None)
    ALLOWANCE.binding = True
    fewer_collections()
    READ.begin()
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
    try:
        status = _called(arguments)
        status = status if isinstance(status, int) else 0
        if not CLOCK.over:
            return status
        said = f"stopped after {CLOCK.seconds:g} s with what is decided; a longer --timeout lifts the limit"
        return _complain(said, None, status or EXIT_UNDECIDED)
    except click.exceptions.NoArgsIsHelpError as help_text:
        print(help_text.format_message(), file=sys.stderr)
        return EXIT_INPUT
    except click.NoSuchOption as error:
        near = [name for name in error.possibilities or () if name != "--help"]
        behind = "; options stand behind a SUBJECT or a verb" if error.ctx is not None and error.ctx.parent is None else ""
        hint = f"; did you mean {' or '.join(near)}?" if near else behind
        return _complain(f"no option {error.option_name}{hint}", error.ctx)
    except click.UsageError as error:
        return _complain(_in_our_words(error.format_message()), error.ctx)
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
    except OutOfTime:
        return _complain(f"stopped: {CLOCK.told()}", None, EXIT_UNDECIDED)
    except SystemExit as error:
        if (theirs := _in_a_paper_of_the_users(error)) is None:
            raise  # that of click, which has printed what a shell completes
        return _complain(theirs, None)
    except Exception as error:
        if isinstance(error, OSError) and is_of_a_stream(error):
            return _not_printed(error)
        if for_want_of_memory(error):
            return _complain(f"declined: {SHORT_OF_MEMORY}", None, EXIT_UNDECIDED)
        if os.environ.get("BITREFEREE_DEBUG"):
            raise
        if (theirs := _in_a_paper_of_the_users(error)) is not None:
            return _complain(theirs, None)
        if changed := READ.changed():
            return _complain(changed, None)
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place else "unknown place"
        text = f"{type(error).__name__}: {error} ({where}); BITREFEREE_DEBUG=1 shows more"
        print(f"verify: a fault of this program: {text}", file=sys.stderr)
        return EXIT_FAULT


IN_OUR_WORDS = (
    (r"Option '(.*)' does not take a value\.", r"\1: no value was expected"),
    (r"Option '(.*)' requires an argument\.", r"\1: a value was expected"),
    (r"Missing (?:argument|option) '(.*?)'.*", r"\1 was expected"),
    (r"Invalid value for '(.*?)': (.*)\.", r"\1: \2"),
    (r"^\{([^|]*)\}: ('.*') is not '\1'", r"\2: \1 was expected"),
    (r"Got unexpected extra arguments? \((.*)\)", r"\1: no further word was expected"),
)
"""What click says of a command line, and what we say."""


def _in_our_words(said: str) -> str:
    """A message of click in our words, with the nearest of the values that an option takes."""
    for theirs, ours in IN_OUR_WORDS:
        said = re.sub(theirs, ours, said, flags=re.DOTALL)
    given = re.search(r"'([^']*)' is not one of (.*)$", said)
    hint = meant(given[1], re.findall("'([^']*)'", given[2])) if given else ""
    return f"{said}; {hint}" if hint else said


def _in_a_paper_of_the_users(error: BaseException) -> str | None:
    """``judges.py:12: ZeroDivisionError: …`` if an error arose in the Python of a user's paper, or else None.

    For an error in a process of the pool, the text of its cause has the places.
    """
    from traceback import extract_tb

    from verifier.running.shelf import SHELF

    folders = [str(folder.resolve()) for folder in SHELF.folders]
    places = [(frame.filename, frame.lineno or 0) for frame in extract_tb(error.__traceback__)]
    places += [(error.filename or "", error.lineno or 0)] if isinstance(error, SyntaxError) else []
    places += [(name, int(line)) for name, line in re.findall(r'File "([^"]+)", line (\d+)', str(error.__cause__ or ""))]
    inside = [(name, line) for name, line in places if any(Path(name).is_relative_to(folder) for folder in folders)]
    said = error.msg if isinstance(error, SyntaxError) else error
    return f"{inside[-1][0]}:{inside[-1][1]}: {type(error).__name__}: {said}" if inside else None


def _called(arguments: list[str]) -> Any:
    """The return value of click's command. Every error after an interrupt counts as the interrupt."""
    try:
        arguments, named = _with_papers(_with_bounds(arguments))
        plain = not named and not Store.fresh and ALLOWANCE.bytes == DEFAULT_MEMORY
        if plain and (status := answered(arguments)) is not None:
            return status
        return verify.main(args=arguments, prog_name="verify", standalone_mode=False, obj=named)
    except Exception:
        if INTERRUPTS:
            raise KeyboardInterrupt from None
        raise
    finally:
        CLOCK.stop()


def _stopped() -> int:
    print("verify: stopped", file=sys.stderr)
    return EXIT_INTERRUPTED


def _not_printed(error: OSError) -> int:
    silence()
    print(f"verify: standard output cannot be written: {error.strerror}", file=sys.stderr)
    return EXIT_INPUT


def _taken(arguments: list[str], option: str) -> tuple[list[str], list[str]]:
    """The arguments without an option that may stand anywhere, and the option's values."""
    rest, values, words = [], [], iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if name == option:
            values.append(value if equals else next(words, ""))
        else:
            rest.append(word)
    return rest, values


def _with_bounds(arguments: list[str]) -> list[str]:
    """The arguments without ``--memory SIZE``, ``--timeout SECONDS`` and ``--fresh``.

    ``verify sweep`` keeps its --memory, which is that of a job.
    """
    ALLOWANCE.bytes, Store.fresh = DEFAULT_MEMORY, "--fresh" in arguments
    CLOCK.clear()
    rest, times = _taken([word for word in arguments if word != "--fresh"], "--timeout")
    rest, sizes = (rest, []) if arguments[:1] == ["sweep"] else _taken(rest, "--memory")
    for text in times:
        CLOCK.start(_seconds(text))
    for text in sizes:
        ALLOWANCE.bytes = read_bytes(text)
    return rest


def _seconds(text: str) -> float:
    """Raises InputError, with what was expected."""
    if not re.fullmatch(r"[0-9]{1,7}(\.[0-9]{1,3})?", text) or not float(text):
        raise InputError(f"--timeout {text}: a number of seconds such as 10 or 0.5 was expected")
    return float(text)


def _with_papers(arguments: list[str]) -> tuple[list[str], tuple[Path, ...]]:
    """The arguments without ``--papers DIR`` and ``--trust``, and the folders that were named.

    Make these papers available from now on. Their Python runs only with ``--trust``.
    """
    trusted = "--trust" in arguments
    rest, named = _taken([word for word in arguments if word != "--trust"], "--papers")
    if "" in named:
        raise click.UsageError("--papers: a folder was expected")
    if trusted and not named:
        raise click.UsageError("--trust needs --papers DIR, whose Python it lets run")
    if named:
        from verifier.claims.papers import add_papers
        from verifier.running.shelf import SHELF

        for folder in named:
            add_papers(Path(folder))
        SHELF.trusted = trusted
    return rest, tuple(map(Path, dict.fromkeys(named)))


def _complain(message: str, context: click.Context | None, status: int = EXIT_INPUT) -> int:
    from verifier.show.screen import notice

    notice(f"verify: {' '.join(message.split())}")
    if context is not None and context.info_name:
        print(f"see: {context.command_path} --help", file=sys.stderr)
    return status

"""Commands that are stopped keep what they found: the rows of a range, and the errata of a repair."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.tables import FOLDER
from verifier.claims.verdicts import Result
from verifier.judges import own_files
from verifier.repair.tables import Table
from verifier.running.limits import CLOCK, OutOfTime


def test_the_rows_of_a_file_s_range_are_printed_when_it_ends_early(verify: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = own_files.judged

    def interrupted(*arguments: object) -> Iterator[Result]:
        for made, result in enumerate(judged(*arguments)):  # type: ignore[arg-type]
            if made == 6:
                raise KeyboardInterrupt
            yield result

    monkeypatch.setattr(own_files, "judged", interrupted)
    done = verify("construction docs/examples/parity.toml --m 1..70")
    assert done.status == 130
    assert "m=1..3" in done.out


STOPPED = """
import os, signal, sys, time
from verifier.__main__ import main
from verifier.commands import gate
from verifier.running.processes import workers

def stopped(*rest, **named):
    with workers(2) as pool:
        pool.submit(len, ()).result()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)

gate.run_claims = stopped
sys.argv = ["verify", "gate", "--paper", "piecewise-affine", "--update"]
main()
"""


def test_a_system_that_stops_a_command_leaves_nothing_behind() -> None:
    done = subprocess.run([sys.executable, "-c", STOPPED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "verify: stopped")


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("stop", "status", "said"), [(KeyboardInterrupt, 130, ""), (OutOfTime, 3, "stopped after 100 s with what is decided")]
)
def test_what_was_found_is_kept_when_the_search_is_stopped(
    verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: type[BaseException], status: int, said: str
) -> None:
    def stopped(*rest: object) -> None:
        CLOCK.over = stop is OutOfTime
        raise stop

    monkeypatch.chdir(tmp_path)
    good = (FOLDER / "witness-t0-simple.toml").read_text(encoding="utf-8")
    (tmp_path / "wrong.toml").write_text(good.replace('"-2**(p - 2)"', '"2**(p - 2)"', 1) + "\n[check]\np = 3\n", encoding="utf-8")
    monkeypatch.setattr(Table, "ranked", stopped)
    done = verify("repair wrong.toml --output errata.toml --timeout 100")
    assert done.status == status
    assert said in done.err
    assert "errata.toml" in done.out
    assert verify("construction wrong.toml --errata errata.toml").status == 0

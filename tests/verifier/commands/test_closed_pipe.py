"""A reader that stops reading changes no exit status."""

import subprocess
import sys

import pytest

CODE = "import sys; from verifier.commands.main import main; sys.argv[1:] = sys.argv[1:]; main()"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("definition-a.5 --m 3", 0),
        ("definition-a.5 --m 3 --format json", 0),
        ("lemma-2.3:table-5 --p 3", 1),
        ("theorem-2.4 --p 0", 3),
        ("list", 0),
        ("show lemma-2.6", 0),
    ],
)
def test_the_status_is_that_of_the_verdicts(words: str, status: int) -> None:
    command = [sys.executable, "-c", CODE, *words.split()]
    whole = subprocess.run(command, capture_output=True, check=False)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _, said = process.communicate()
    assert whole.returncode == process.returncode == status
    assert b"Traceback" not in said

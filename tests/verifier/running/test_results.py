"""Kept results: found only where everything is as it was, never wrong after damage, whole after a kill, shared by processes."""

from __future__ import annotations

import gc
import math
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import nullcontext
from importlib import metadata
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tests.command_line import CommandLine
from verifier import __main__
from verifier.claims.papers import papers
from verifier.kernel import answer_cache
from verifier.kernel.checking import Checked
from verifier.kernel.coq import Coq
from verifier.kernel.folders import proof_folders
from verifier.running import results
from verifier.running.errors import InputError
from verifier.running.processes import processes
from verifier.running.results import FILE, READ, ROOT, SHOWING, Store, installation, key_of, program_digest, program_files
from verifier.sweep import jobs

PARAMETER = '\n[parameters.p]\nmeaning = "bits"\nwhere = "p >= 1"\ntypical = "1..3"\n'
TRUE = f'holds = "p + 1 > p"{PARAMETER}'
JUDGES = """
import json
import numpy as np
from pathlib import Path
from verifier.claims.finite_cases import side_by_side
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome
from verifier.judges.declaring import judge
from {package}.mathematics.numbers import ONE

HERE = Path(__file__).parents[1]

@judge
def measured(query: Query, *, number: int) -> Outcome:
    (stored,) = np.load(HERE / "examples" / "n.npz")["n"]
    return side_by_side("what was measured", number, ONE * json.loads((HERE / "measured" / "n.json").read_text()) + int(stored))
"""


def paper(folder: Path, **statements: str) -> Path:
    """A paper of the folder's name."""
    (folder / "statements").mkdir(parents=True)
    listed = ", ".join(f'"{name}"' for name in statements)
    about = f'id = "{folder.name}"\ntitle = "A paper"\nauthors = "Nobody"\n\n[[section]]\ntitle = "1"\nstatements = [{listed}]\n'
    (folder / "paper.toml").write_text(about)
    for name, text in statements.items():
        (folder / "statements" / f"{name}.toml").write_text(f'id = "{name}"\nplace = "Section 1"\nsays = "It holds."\n{text}')
    return folder


def with_files(folder: Path) -> Path:
    """A paper with a statement that is called as a file of texts is, and one whose judge reads files."""
    made = paper(folder, letter=TRUE, measured=f'judge = "files.measured"\nnumber = 3{PARAMETER}')
    for name in ("judges", "mathematics", "measured", "examples"):
        (folder / name).mkdir()
    (folder / "mathematics" / "numbers.py").write_text("ONE = 1\n")
    (folder / "judges" / "files.py").write_text(JUDGES.format(package=f"paper_in_{folder.name}"))
    (folder / "measured" / "n.json").write_text("1")
    np.savez(folder / "examples" / "n.npz", n=[2])
    (folder / "findings.toml").write_text("")
    time.sleep(2 * results.TICK / 1e9)  # a file that has just been written is read twice
    return made


def falsify(statement: Path) -> None:
    statement.write_text(statement.read_text().replace("p + 1 > p", "p + 1 > 2*p"))


@pytest.fixture(autouse=True)
def read_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests have read in this process does not count."""
    for name, empty in (("_files", {}), ("_folders", {}), ("_listings", {}), ("_asked", set()), ("_late", False)):
        monkeypatch.setattr(READ, name, empty)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The claims that a command judges for pages, in order."""
    from verifier.gate import run

    seen: list[str] = []
    real = run._results
    monkeypatch.setattr(run, "_results", lambda claims, *others: seen.extend(c.id for c in claims) or real(claims, *others))
    return seen


Page = Callable[..., str]


@pytest.fixture
def page(verify: CommandLine, tmp_path: Path) -> Page:
    """The page of a paper, as a command writes it."""

    def written(name: str, *words: str) -> str:
        (tmp_path / "pages").mkdir(exist_ok=True)
        done = verify(*words, f"report --paper {name} --output {tmp_path / 'pages'} --jobs 1")
        assert done.status == 0, done.err
        return (tmp_path / "pages" / f"{name}.md").read_text()

    return written


def test_a_page_is_made_of_what_was_kept(page: Page, judged: list[str], tmp_path: Path) -> None:
    folder = with_files(tmp_path / "one")
    first = page("one", f"--papers {folder} --trust")
    assert judged == ["one/letter", "one/measured"]
    assert page("one", f"--papers {folder} --trust") == first
    assert judged == ["one/letter", "one/measured"]


def test_the_claims_of_every_paper_are_begun_before_those_of_the_first_are_waited_for(
    verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else processes wait at the end of each paper."""
    seen: list[str] = []

    class Late:
        def submit(self, function: Callable[..., object], *words: object) -> Future[object]:
            seen.append(function.__name__)
            made: Future[object] = Future()
            monkeypatch.setattr(made, "result", lambda: seen.append("waited") or function(*words))
            return made

    monkeypatch.setattr("verifier.running.processes.workers", lambda jobs: nullcontext(Late()))
    folders = [paper(tmp_path / name, **{"lemma-1": TRUE}) for name in ("one", "two")]
    (tmp_path / "pages").mkdir()
    done = verify(*(f"--papers {folder}" for folder in folders), f"report --output {tmp_path / 'pages'}")
    assert done.status == 0, done.err
    assert seen[:3] == ["_group", "_group", "waited"]
    assert {path.name for path in (tmp_path / "pages").iterdir()} >= {"one.md", "two.md"}


def test_a_kept_page_is_shown_within_any_time(verify: CommandLine, tmp_path: Path) -> None:
    """Without one, the statements come in rows, each with what is decided of it in time."""
    words = f"--papers {paper(tmp_path / 'timed', **{'lemma-1': TRUE})} timed"
    rows = verify(f"{words} --timeout 100").out
    page = verify(words).out
    assert rows != page == verify(f"{words} --timeout 100").out


def test_a_page_follows_a_lemma_of_another_paper(page: Page, tmp_path: Path) -> None:
    lemma = paper(tmp_path / "aaa", **{"lemma-1": TRUE})
    theorem = paper(tmp_path / "bbb", **{"theorem-2": 'parts = [{ claim = "aaa/lemma-1", p = "p" }]' + PARAMETER})
    words = f"--papers {lemma} --papers {theorem}"
    assert "Theorem 2 · is it true? | true" in (before := page("bbb", words)) or "true" in before
    falsify(lemma / "statements" / "lemma-1.toml")
    assert page("bbb", words) != before
    assert "false" in page("bbb", words)


def test_a_page_follows_a_linked_folder(page: Page, tmp_path: Path) -> None:
    folder = paper(tmp_path / "linked", **{"lemma-1": TRUE})
    (folder / "statements").rename(tmp_path / "elsewhere")
    (folder / "statements").symlink_to(tmp_path / "elsewhere")
    before = page("linked", f"--papers {folder}")
    falsify(tmp_path / "elsewhere" / "lemma-1.toml")
    assert page("linked", f"--papers {folder}") != before


def test_a_page_follows_trust(verify: CommandLine, tmp_path: Path) -> None:
    folder = with_files(tmp_path / "trusted")
    assert "needs Python of its own folder" in verify(f"--papers {folder} findings trusted --jobs 1").err
    trusted = verify(f"--papers {folder} --trust findings trusted --jobs 1")
    assert "needs Python" not in trusted.err
    assert "needs Python" in verify(f"--papers {folder} findings trusted --jobs 1").err


CHANGED = [
    "paper.toml",
    "findings.toml",
    "statements/letter.toml",
    "statements/measured.toml",
    "judges/files.py",
    "mathematics/numbers.py",
    "measured/n.json",
    "examples/n.npz",
]


def test_every_file_of_a_paper_is_in_the_key(verify: CommandLine, tmp_path: Path) -> None:
    """Changed one at a time, or beside a new one, the result is not found."""
    folder = with_files(tmp_path / "whole")
    verify(f"--papers {folder} --trust findings whole --jobs 1")
    manifest = READ.manifest("whole")
    assert manifest is not None
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert files == set(CHANGED) == {name.partition(":")[2] for name in manifest if name.startswith("whole:")} - {""}
    assert READ.holds(manifest)
    for name in CHANGED:
        before = (folder / name).read_bytes()
        (folder / name).write_bytes(before + b"\n")
        assert not READ.holds(manifest), name
        (folder / name).write_bytes(before)
        assert READ.holds(manifest)
    (folder / "statements" / "more.toml").write_text("")
    assert not READ.holds(manifest)


def test_every_module_that_decides_is_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """All files of the rooms that decide; each by its content."""
    shown = {ROOT / "verifier" / room for room in SHOWING}
    assert all(folder.is_dir() for folder in shown)
    every = {path for package in ("verifier", "lowerbounds") for path in (ROOT / package).rglob("*") if path.is_file()}
    hidden = {path for path in every if path.name.startswith(".")}
    assert set(program_files()) == {p for p in every - hidden if "__pycache__" not in p.parts and not shown & set(p.parents)}
    digests, changed = {program_digest()}, [""]
    monkeypatch.setattr(results, "_digest", lambda path, seen: "changed" if [path] == changed else "as it was")
    files = program_files()
    monkeypatch.setattr(results, "program_files", lambda parts, showing: files)
    for path in ("", *map(str, files[::7])):
        changed[:] = [path]
        program_digest.cache_clear()
        digests.add(program_digest())
    program_digest.cache_clear()
    assert len(digests) == 2 + len(files[::7])


@pytest.mark.campaign
def test_what_judges_imports_nothing_that_shows() -> None:
    """In a process that judges claims of every paper, no room that is left out of the key is imported."""
    program = f"""
import sys
from verifier.claims.papers import papers
from verifier.gate.run import run_claims
for paper in papers():
    run_claims(list(paper.statements())[:6])
print([name for name in sys.modules if name.startswith({tuple(f"verifier.{room}" for room in SHOWING)})])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_library_of_another_version_is_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installation.cache_clear()
    before = key_of("what")
    (tmp_path / "numpy-9.9.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    installation.cache_clear()
    assert key_of("what") != before
    monkeypatch.undo()
    installation.cache_clear()


def test_what_the_gate_writes_is_in_no_key(verify: CommandLine, tmp_path: Path) -> None:
    """A run that updates some papers reads the table first and writes it later."""
    folder = paper(tmp_path / "mine", **{"lemma-1": TRUE})
    verify(f"--papers {folder} findings mine --jobs 1")
    verify("list --verdict refuted slope")
    assert (ROOT / "reports" / "verdicts.tsv").is_file()
    assert not [name for name in READ.manifest("mine") or {"nothing is kept": ""} if "reports" in name or "nothing" in name]


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    """Three papers, of which one asks the next; a file of each has been read on behalf of the first."""
    made = {name: tmp_path / name for name in "abc"}
    for name, folder in made.items():
        folder.mkdir()
        (folder / "file").write_text("as it was")
        READ.shelve(name, folder)
    time.sleep(2 * results.TICK / 1e9)
    with READ.on_behalf_of("a"), READ.on_behalf_of("b"):
        READ.asks("c")
    READ._asked.add(("a", "b"))
    for folder in made.values():
        (folder / "file").read_text()
    return made


def read_twice(folders: dict[str, Path]) -> None:
    (folders["a"] / "file").write_text("as it is")
    (folders["a"] / "file").read_text()


def of_a_worker(**differing: object) -> Callable[[dict[str, Path]], None]:
    return lambda folders: READ.take({"_files": {}, "_listings": {}, "_asked": set(), "_late": False, **differing})


BETWEEN: dict[str, Callable[[dict[str, Path]], object]] = {
    "a file is written": lambda folders: (folders["a"] / "file").write_text("as it is"),
    "a file of a paper that is asked is written": lambda folders: (folders["c"] / "file").write_text("as it is"),
    "a file is written and read again": read_twice,
    "a file is gone": lambda folders: (folders["b"] / "file").unlink(),
    "a file is added": lambda folders: (folders["c"] / "more").write_text(""),
    "a worker read another text": lambda folders: of_a_worker(_files={str(folders["a"] / "file"): ((1,), "")})(folders),
    "a worker saw other names": of_a_worker(_listings={"a": "others"}),
    "a worker read what nobody saw": of_a_worker(_late=True),
    "a worker asked what has no digest": of_a_worker(_asked={("c", results.UNDIGESTED)}),
    "something was read before": lambda folders: setattr(READ, "_late", True),
}


@pytest.mark.parametrize("what", BETWEEN)
def test_nothing_is_kept_that_may_rest_on_two_states_of_a_file(folders: dict[str, Path], what: str) -> None:
    manifest = READ.manifest("a")
    assert manifest is not None
    assert {"a:", "a:file", "b:", "b:file", "c:", "c:file"} <= manifest.keys()
    assert READ.holds(manifest)
    BETWEEN[what](folders)
    assert READ.manifest("a") is None


def test_a_paper_that_nobody_asked_does_not_count(folders: dict[str, Path]) -> None:
    (folders["a"] / "file").write_text("as it is")
    assert READ.manifest("b") is not None
    assert not [name for name in READ.manifest("b") or () if name.startswith("a:")]


def test_two_texts_within_a_tick_of_the_clock_are_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file looks the same, but for its content."""
    path = tmp_path / "file"
    path.write_text("one")
    seen, real = results._seen(str(path)), results._seen
    monkeypatch.setattr(results, "_seen", lambda name: seen if name == str(path) else real(name))
    monkeypatch.setattr(results, "TICK", 1 << 62)
    path.read_text()
    assert READ.manifest(None) is not None
    path.write_text("two")
    assert READ.manifest(None) is None


def test_trust_and_memory_are_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = results.key_of("question")
    for record, name, value in ((results.SHELF, "trusted", True), (results.ALLOWANCE, "bytes", 1)):
        with monkeypatch.context() as other:
            other.setattr(record, name, value)
            assert results.key_of("question") != before
    assert results.key_of("question") == before


REASONS = {
    "a pipe": "import os; os.close(os.open('/dev/zero', os.O_RDONLY))",
    "another folder": "import os; os.listdir('/usr')",
    "a process": "import subprocess; subprocess.run(['true'])",
    "a connection": "import socket; socket.socket().bind(('127.0.0.1', 0))",
}


@pytest.mark.parametrize("reason", REASONS)
def test_what_has_no_digest_is_not_kept(page: Page, judged: list[str], tmp_path: Path, reason: str) -> None:
    folder = with_files(tmp_path / f"odd{list(REASONS).index(reason)}")
    judges = folder / "judges" / "files.py"
    judges.write_text(judges.read_text().replace("    (stored,)", f"    {REASONS[reason]}\n    (stored,)"))
    for _ in range(2):
        page(folder.name, f"--papers {folder} --trust")
    assert len(judged) == 4


def stored(tmp_path: Path, many: int = 1) -> Path:
    for number in range(many):
        Store(tmp_path / FILE).keep(["question", number], f"verified {number}".encode() * 40, {})
    return tmp_path / FILE


def test_an_edited_result_is_made_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = stored(tmp_path, 2)
    with sqlite3.connect(path) as base:
        base.execute("UPDATE kept SET content = replace(content, 'verified 1', 'refuted 1')")
    assert Store(path).find(["question", 0]) is None  # replace makes a text of the bytes
    assert Store(path).find(["question", 1]) is None
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all("was changed after it was kept; it is made again" in line for line in lines)
    assert Store(path).find(["question", 1]) is None
    assert capsys.readouterr().err == ""


LISTED = 12


def flipped(path: Path, where: random.Random) -> int:
    """Flip one bit of a file."""
    content = bytearray(path.read_bytes())
    bit = where.randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)
    return bit


def survives(path: Path, sound: bytes, seed: int) -> None:
    """After the flip of a bit, each result is right or not there, and what is made again is found again."""
    path.write_bytes(sound)
    bit, wanted = flipped(path, random.Random(seed)), [f"verified {number}".encode() * 40 for number in range(LISTED)]
    for _ in range(2):  # what is found damaged in the middle takes what is before it along
        for number, content in enumerate(wanted):
            found = Store(path).find(["question", number])
            assert found in (None, content), bit
            if found is None:
                Store(path).keep(["question", number], content, {})
    assert [Store(path).find(["question", number]) for number in range(LISTED)] == wanted, bit


def collected(seed: int) -> None:
    """Now and then, close the files that are open in cycles of objects: nothing is collected while tests run."""
    if seed % 16 == 15:
        gc.collect()


def test_a_flipped_bit_is_no_wrong_result(tmp_path: Path) -> None:
    sound = stored(tmp_path, LISTED).read_bytes()
    for seed in range(3):
        survives(tmp_path / FILE, sound, seed)


COQ = Coq("coqc", "coqchk", "8.16.1")
Asked = Callable[[], object]


def asked(kind: str, verify: CommandLine, tmp_path: Path) -> tuple[Path, Asked]:
    """The file of one kind of kept results, and what is asked of it: an answer without its seconds."""
    cache = tmp_path / "cache" / FILE
    if kind == "proofs":
        (folder,) = proof_folders((each.id, each.folder) for each in papers() if each.id == "fixed-point-networks")

        def accepted() -> object:
            found = answer_cache.kept(folder, COQ)
            if found is None:
                answer_cache.keep(folder, COQ, [Checked(theorem, ()) for theorem in folder.listing.theorem])
            return found or dict.fromkeys((theorem.name for theorem in folder.listing.theorem), ())

        return cache, accepted
    folder = paper(tmp_path / "bits", **{"lemma-1": TRUE, "theorem-2": 'parts = ["lemma-1"]' + PARAMETER})
    path, words = {
        "pages": (cache, f"--papers {folder} findings bits --jobs 1"),
        "jobs": (tmp_path / "jobs" / FILE, f"--papers {folder} sweep bits/lemma-1 --p 1..2 --jobs 1 --output {tmp_path / 'jobs'}"),
        "journal": (tmp_path / "journal", f"precision gallery/first --n 1..3 --arithmetic e4m3 --journal {tmp_path / 'journal'}"),
    }[kind]

    def said() -> object:
        done = verify(words)
        if done.status == 2:
            assert "a file of kept results was expected" in done.err, "the user named a file that is none any more"
            path.unlink()
            done = verify(words)
        assert len([line for line in done.err.splitlines() if "made again" in line]) <= 4, done.err
        return done.status, [[word for word in line.split() if "." not in word] for line in done.out.splitlines()]

    return path, said


SEEDS = [range(2), *(pytest.param(range(first, first + 250), marks=pytest.mark.campaign) for first in range(2, 2002, 250))]


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
@pytest.mark.parametrize("kind", ["pages", "jobs", "journal", "proofs"])
def test_flipped_bits_move_no_verdict(
    verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, seeds: range
) -> None:
    """One bit of the file is flipped; the answer is the same, and no file is left over."""
    monkeypatch.setenv("BITREFEREE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(jobs, "on_processes", lambda listed, count: ((job, jobs.run(job)) for job in listed))
    path, answer = asked(kind, verify, tmp_path)
    first = answer()
    assert answer() == first
    sound, files = path.read_bytes(), {each for each in tmp_path.rglob("*") if each.is_file()}
    for seed in seeds:
        path.write_bytes(sound)
        bit = flipped(path, random.Random(seed))
        assert answer() == first, bit
        assert {each for each in tmp_path.rglob("*") if each.is_file()} == files, bit
        collected(seed)


def test_a_file_that_is_no_store_is_left_alone(tmp_path: Path, verify: CommandLine) -> None:
    mine = tmp_path / "thesis.txt"
    mine.write_text("years of work\n")
    other = tmp_path / "mail.sqlite"
    with sqlite3.connect(other) as base:
        base.execute("CREATE TABLE mail (text TEXT)")
    for path in (mine, other):
        before = path.read_bytes()
        done = verify(f"precision gallery/first --n 1..2 --arithmetic e2m1 --journal {path}")
        assert done.status == 2
        assert f"--journal {path}: a file of kept results was expected" in done.err
        assert path.read_bytes() == before


KEEPING = """
import sys
from pathlib import Path
from verifier.running.results import Store
store = Store(Path(sys.argv[1]), "--journal" if len(sys.argv) > 4 else "")
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    store.keep(["question", number], b"verified %d" % number * 5000, {})
"""


def keeping(path: Path, first: int, last: int, *named: str, **options: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", KEEPING, str(path), str(first), str(last), *named], **options)  # type: ignore[call-overload,no-any-return]


def test_a_full_disk_leaves_nothing_wrong(tmp_path: Path) -> None:
    """What fits is kept, a file that the user named is the user's to know, and no file is left over."""

    def full() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    for named in ((), ("named",)):
        path = tmp_path / "".join(named) / FILE
        path.parent.mkdir(exist_ok=True)
        process = keeping(path, 0, 20, *named, preexec_fn=full, stderr=subprocess.PIPE)
        said = process.communicate()[1].decode()
        assert ("--journal" in said and "cannot be used" in said) == bool(named), said
        assert {each.name for each in path.parent.iterdir() if each.is_file()} == {FILE}
        found = [Store(path).find(["question", number]) for number in range(20)]
        assert found[0] is not None
        assert found[-1] is None
        assert all(each in (None, b"verified %d" % number * 5000) for number, each in enumerate(found))


@pytest.mark.campaign
def test_processes_keep_at_the_same_time_and_one_that_is_killed_leaves_what_it_kept(tmp_path: Path) -> None:
    path, moments = tmp_path / FILE, random.Random(1)
    for round_ in range(20):
        first = 1000 * round_
        one, two = keeping(path, first, first + 30), keeping(path, first + 500, first + 900)
        time.sleep(moments.uniform(0.2, 1.2))
        two.kill()
        two.wait()
        assert one.wait() == 0
        found = {number: Store(path).find(["question", number]) for number in (*range(first, first + 30), *range(first + 500, first + 900))}
        assert all(found[number] is not None for number in range(first, first + 30))
        assert all(each in (None, b"verified %d" % number * 5000) for number, each in found.items())
        Store(path).keep(["last", round_], b"verified", {})
        assert {each.name for each in tmp_path.iterdir()} == {FILE}, "what a killed process leaves is gone with the next result"


def test_a_folder_that_cannot_be_written_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / FILE)
    store.keep(["question"], b"verified", {})
    assert store.find(["question"]) is None


def test_the_oldest_results_of_a_question_go(tmp_path: Path) -> None:
    store = Store(tmp_path / FILE)
    for number in range(results.MOST + 3):
        (tmp_path / f"file{number}").write_text(str(number))
        read = {
            str(tmp_path / f"file{number}"): results._digest(
                str(tmp_path / f"file{number}"), results._seen(str(tmp_path / f"file{number}"))
            )
        }
        store.keep(["question"], str(number).encode(), read)
    with sqlite3.connect(tmp_path / FILE) as base:
        assert [content for (content,) in base.execute("SELECT content FROM kept ORDER BY number")] == [b"3", b"4", b"5", b"6"]
        assert base.execute("SELECT count(*) FROM read").fetchone() == (results.MOST,)
    os.unlink(tmp_path / "file6")
    assert Store(tmp_path / FILE).find(["question"]) == b"5"


def test_a_kept_result_is_found_from_another_place(verify: CommandLine, judged: list[str], tmp_path: Path) -> None:
    """A paper's files are known by their place in it."""
    folder = paper(tmp_path / "moved", **{"lemma-1": TRUE})
    time.sleep(2 * results.TICK / 1e9)
    verify(f"--papers {folder} findings moved --jobs 1")
    shutil.copytree(folder, tmp_path / "there" / "moved")
    from verifier.running.shelf import SHELF

    SHELF.folders.clear()
    verify(f"--papers {tmp_path / 'there' / 'moved'} findings moved --jobs 1")
    assert judged == ["moved/lemma-1"]


def test_entry_points_are_those_of_importlib() -> None:
    for group in ("bitreferee.papers", "console_scripts", "pytest11"):
        assert sorted(results.entry_points(group)) == sorted((each.name, each.value) for each in metadata.entry_points(group=group))
    assert len(results.entry_points("bitreferee.papers")) >= 5


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module of a program in another place, which was read."""
    monkeypatch.setattr(results, "ROOT", tmp_path)
    monkeypatch.setattr(READ, "_since", math.inf)
    module = tmp_path / "verifier" / "module.py"
    module.parent.mkdir()
    module.write_text("x = 1\n", encoding="utf-8")
    os.utime(module, ns=(1, 1))
    READ._record("open", (str(module), "r", os.O_RDONLY))
    return module


CHANGES: dict[str, Callable[[Path], object]] = {
    "replaced": lambda module: os.replace(shutil.copy(module, f"{module}.new"), module),
    "half written": lambda module: module.write_text("x =", encoding="utf-8"),
    "removed": lambda module: module.unlink(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_error_after_a_change_of_the_program_is_no_fault(
    verify: CommandLine, program: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    def broken(name: str) -> None:
        raise AttributeError(f"module has no attribute {name!r}")

    monkeypatch.setattr("verifier.commands.show.find_paper", broken)
    done = verify("show lemma-2.6")
    assert (done.status, "a fault of this program: AttributeError" in done.err) == (70, True)
    CHANGES[change](program)
    done = verify("show lemma-2.6")
    assert (done.status, done.err) == (2, f"verify: {program} changed while the command ran; run it again\n")


IN_BETWEEN = {**CHANGES, "replaced before it was read": lambda module: READ.__dict__.update(_since=0)}


@pytest.mark.parametrize("change", IN_BETWEEN)
def test_a_change_of_the_program_while_it_is_imported_is_one_line(
    program: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], change: str
) -> None:
    monkeypatch.setitem(sys.modules, "verifier.commands.main", ModuleType("half"))
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    monkeypatch.setattr(READ, "begin", lambda: None)
    with pytest.raises(ImportError, match="interrupted"):
        __main__.main()
    IN_BETWEEN[change](program)
    with pytest.raises(SystemExit) as ended:
        __main__.main()
    assert (ended.value.code, capsys.readouterr().err) == (2, f"verify: {program} changed while the command ran; run it again\n")


def test_nothing_is_kept_after_a_change_of_the_program(program: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / FILE)
    store.keep("question", b"before", {})
    program.unlink()
    store.keep("question", b"after", {})
    assert store.find("question") == b"before"


def test_a_worker_that_ends_after_a_change_of_the_program_is_not_short_of_memory(program: Path) -> None:
    program.unlink()
    with pytest.raises(InputError, match=r"module\.py changed while the command ran"), processes(1) as pool:
        pool.submit(os._exit, 1).result()

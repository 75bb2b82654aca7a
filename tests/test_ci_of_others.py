"""What others' repositories use of ours: the pre-commit hooks and the GitHub Action, each in a scratch repository."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.tables import FOLDER
from tests.test_docs import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
PAGE = (ROOT / "docs" / "your-own-ci.md").read_text(encoding="utf-8")
BLOCKS = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]
GOOD = (FOLDER / "witness-t0-simple.toml").read_text(encoding="utf-8") + '\n[check]\np = "3..4"\n'
WRONG = GOOD.replace('"2**(m - i)"', '"2**(m - i + 1)"')
ERRATA = """format = "bitreferee/errata/1"
construction = "witness-t0-simple"
semantics = "a4"
domain = "p >= 3"
why_domain = "no erratum yet"
erratum = []
"""
HERE = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def run(*words: str, folder: Path, environment: dict[str, str] | None = None) -> tuple[int, str]:
    """A command's exit status and all that it prints."""
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder, env=environment or HERE, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a table that is right and a TOML file that is none."""
    folder = tmp_path / "repository"
    (folder / "tables").mkdir(parents=True)
    (folder / "tables" / "mine.toml").write_text(GOOD, encoding="utf-8")
    (folder / "tables" / "mine.errata.toml").write_text(ERRATA, encoding="utf-8")
    (folder / "pyproject.toml").write_text("", encoding="utf-8")
    for words in ("init -q", "config user.name somebody", "config user.email somebody@example.org", "add -A", "commit -q -m first"):
        assert run("git", *words.split(), folder=folder)[0] == 0
    return folder


def test_hooks_are_a_manifest(tmp_path: Path) -> None:
    assert run(sys.executable, "-m", "pre_commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml"), folder=tmp_path)[0] == 0


def test_the_page_names_our_hooks_and_inputs() -> None:
    (hooks,) = [block["repos"][0]["hooks"] for block in BLOCKS if "repos" in block]
    assert {hook["id"] for hook in hooks} == HOOKS.keys()
    (steps,) = [block["jobs"]["bitreferee"]["steps"] for block in BLOCKS if "jobs" in block]
    (ours,) = [step["with"] for step in steps if step["uses"].startswith("OWNER/")]
    assert ours.keys() <= ACTION["inputs"].keys()
    (upload,) = [step["with"]["sarif_file"] for step in steps if "upload-sarif" in step["uses"]]
    assert upload == ACTION["inputs"]["sarif"]["default"]


def local(repository: Path, *hooks: dict[str, Any]) -> None:
    """The repository uses our hooks, with the ``verify`` of this environment."""
    listed = [{**HOOKS[hook["id"]], **hook, "language": "system"} for hook in hooks]
    text = yaml.safe_dump({"repos": [{"repo": "local", "hooks": listed}]})
    (repository / ".pre-commit-config.yaml").write_text(text, encoding="utf-8")
    run("git", "add", "-A", folder=repository)


@pytest.mark.campaign
def test_the_hook_judges_the_tables_of_a_commit(repository: Path) -> None:
    local(repository, {"id": "bitreferee-construction"})
    program = [sys.executable, "-m", "pre_commit", "run", "--all-files"]
    status, text = run(*program, folder=repository)
    assert (status, "verify construction" in text, "Passed" in text) == (0, True, True)
    (repository / "tables" / "mine.toml").write_text(WRONG, encoding="utf-8")
    status, text = run(*program, folder=repository)
    assert status == 1
    assert "replay: verify trace tables/mine.toml --p 3 --n 13 --y 001 --z 010" in text
    assert "errata" not in text


@pytest.mark.campaign
def test_the_hook_of_the_gate(repository: Path) -> None:
    local(repository, {"id": "bitreferee-gate", "args": ["tables/mine.toml"]})
    assert run("verify", "gate", "tables/mine.toml", "--update", folder=repository)[0] == 0
    program = [sys.executable, "-m", "pre_commit", "run", "--all-files"]
    assert run(*program, folder=repository)[0] == 0
    (repository / "tables" / "mine.toml").write_text(WRONG, encoding="utf-8")
    status, text = run(*program, folder=repository)
    assert status == 1
    assert "refuted  refuted  refuted" in text


@pytest.mark.campaign
def test_the_hook_as_pre_commit_installs_it(repository: Path) -> None:
    """A fresh environment from the package registry: minutes."""
    source = repository.parent / "bitreferee"
    assert run("git", "clone", "-q", str(ROOT), str(source), folder=repository)[0] == 0
    program = [sys.executable, "-m", "pre_commit", "try-repo", str(source), "bitreferee-construction", "--all-files"]
    environment = {**HERE, "PRE_COMMIT_HOME": str(repository.parent / "kept")}
    status, text = run(*program, folder=repository, environment=environment)
    assert (status, "Passed" in text) == (0, True), text


@dataclass(frozen=True)
class Runner:
    """What GitHub does with a composite action, as far as ours needs it."""

    repository: Path
    environment: dict[str, str]

    def __call__(self, *steps: str, **inputs: str) -> tuple[int, str]:
        """Run these steps with these inputs; the exit status of the first that fails."""
        given = {name: inputs.get(name, spec["default"]) for name, spec in ACTION["inputs"].items()}
        said = ""
        for step in ACTION["runs"]["steps"]:
            if step["id"] not in steps:
                continue
            assert step["shell"] == "bash"
            script = self.repository.parent / f"{step['id']}.sh"
            script.write_text(step["run"], encoding="utf-8")
            own = {k: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda m: given[m[1]], v) for k, v in step.get("env", {}).items()}
            status, text = run(
                "bash", "--noprofile", "--norc", "-eo", "pipefail", str(script), folder=self.repository, environment=self.path | own
            )
            said += text
            if status:
                return status, said
        return 0, said

    @property
    def path(self) -> dict[str, str]:
        """The environment, with what earlier steps put in front of the path."""
        added = Path(self.environment["GITHUB_PATH"]).read_text(encoding="utf-8").split()
        return {**self.environment, "PATH": os.pathsep.join([*reversed(added), self.environment["PATH"]])}


@pytest.fixture
def action(repository: Path) -> Runner:
    """The action in a runner of one's own."""
    files = {name: str(repository.parent / name.lower()) for name in ("GITHUB_PATH", "GITHUB_OUTPUT", "RUNNER_TEMP")}
    for name in ("GITHUB_PATH", "GITHUB_OUTPUT"):
        Path(files[name]).write_text("", encoding="utf-8")
    Path(files["RUNNER_TEMP"]).mkdir()
    return Runner(repository, {**HERE, **files, "GITHUB_ACTION_PATH": str(ROOT)})


def test_the_action_points_at_what_is_wrong(action: Runner) -> None:
    (action.repository / "tables" / "mine.toml").write_text(WRONG, encoding="utf-8")
    status, text = action("judge", files="tables/mine.toml")
    assert status == 1
    line = line_of(WRONG, "2**(m - i + 1)")
    assert text.count(f"::error file=tables/mine.toml,line={line}::construction/witness-t0-simple printed p = ") == 1
    assert (action.repository / "bitreferee.sarif").is_file()
    assert Path(action.environment["GITHUB_OUTPUT"]).read_text(encoding="utf-8") == "status=1\n"


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_a_difference_from_the_table_is_pointed_at(action: Runner) -> None:
    """By its counterexample, if one is known; else by the row, at the function, also in a network; a file that is gone has no line."""
    tables, net = action.repository / "tables", (ROOT / "docs/examples/networks/most-frequent.toml").read_text(encoding="utf-8")
    net = net.replace("typical", 'typical = "1..2" #')
    for name, text in {"wrong": GOOD, "right": GOOD, "gone": GOOD, "net": net}.items():
        (tables / f"{name}.toml").write_text(text, encoding="utf-8")
    (action.repository / "ci").mkdir()
    names = ["tables/wrong.toml", "tables/right.toml", "tables/gone.toml", "tables/net.toml"]
    assert run("verify", "gate", "--update", "--table", "ci/verdicts.tsv", *names, folder=action.repository)[0] == 0
    (tables / "gone.toml").unlink()
    for name, before, after in (("wrong", '"2**(m - i)"', '"2**(m - i + 1)"'), ("right", "3..4", "3..3"), ("net", "1..2", "1..3")):
        (tables / f"{name}.toml").write_text((tables / f"{name}.toml").read_text(encoding="utf-8").replace(before, after), encoding="utf-8")
    status, said = action("judge", files=" ".join(name for name in names if "gone" not in name), table="ci/verdicts.tsv")
    places = dict(re.findall(r"^::error file=(.*),line=(\d+)::", said, re.MULTILINE))
    wrong, function = line_of(WRONG, "2**(m - i + 1)"), line_of(GOOD, "function = ")
    lines = dict(zip(names, (wrong, function, 1, line_of(net, "function = ")), strict=True))
    assert (status, places) == (1, {name: str(line) for name, line in lines.items()}), said
    told = dict(re.findall(r"^::error file=(.*),line=\d+::(.*)", said, re.MULTILINE))
    assert "refuted; " in told["tables/wrong.toml"]
    assert "counterexample: p = 3, n = 13, y = 001" in told["tables/wrong.toml"]
    gone = "- construction/../tables/gone.toml  a4  p=3..4  verified  verified  verified  -  -  564"
    assert told["tables/gone.toml"] == f"not as in ci/verdicts.tsv: {gone}"


CASES: list[tuple[str, str, dict[str, str], int, str]] = [
    ("a pattern of files", GOOD, {"files": "tables/*.toml"}, 0, ""),
    ("a bad file", "id = 3\n", {"files": "tables/mine.toml"}, 2, "tables/mine.toml: no format is given"),
    ("as in its table", GOOD, {"files": "tables/mine.toml", "table": "verdicts.tsv"}, 0, "6 results as in verdicts.tsv"),
    ("not as in its table", WRONG, {"files": "tables/mine.toml", "table": "verdicts.tsv"}, 1, "refuted  refuted  refuted"),
    ("no table", GOOD, {"files": "tables/mine.toml", "table": "other.tsv"}, 2, "other.tsv: no such table of verdicts"),
    ("nothing asked for", GOOD, {}, 2, "::error::nothing was asked for"),
    ("a pattern that only errata match", GOOD, {"files": "tables/*.errata.toml"}, 2, "::error::nothing was asked for"),
    ("every defect is pointed at", "id = 3\n", {"files": "tables/mine.toml"}, 2, "::error file=tables/mine.toml,line=1::"),
    ("no papers", GOOD, {"papers": "tables"}, 2, "--papers tables: no paper.toml in it"),
]


@pytest.mark.campaign
@pytest.mark.parametrize(("text", "inputs", "status", "says"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_the_action_ends_as_it_should(action: Runner, text: str, inputs: dict[str, str], status: int, says: str) -> None:
    assert run("verify", "gate", "tables/mine.toml", "--update", folder=action.repository)[0] == 0
    (action.repository / "tables" / "mine.toml").write_text(text, encoding="utf-8")
    found, said = action("judge", **inputs)
    assert found == status, said
    assert says in said
    assert "table" not in inputs or status != 0 or "::error" not in said


@pytest.mark.campaign
def test_the_action_compares_the_letter_of_a_paper(action: Runner) -> None:
    for words in ("new mine --paper", "check --papers mine --jobs 1 --update"):
        assert run("verify", *words.split(), folder=action.repository)[0] == 0
    assert action("judge", papers="mine")[0] == 0
    letter = action.repository / "mine" / "reports" / "mine.md"
    letter.write_text(letter.read_text(encoding="utf-8").replace("true for", "false for"), encoding="utf-8")
    status, said = action("judge", papers="mine")
    assert (status, "mine.md differs" in said) == (1, True), said


@pytest.mark.campaign
def test_a_name_of_a_file_writes_no_line_of_the_log(action: Runner) -> None:
    """Neither a workflow command nor a control character; and a name with a dash is no option."""
    names = ["tables/a\nb::error::mine.toml", "tables/c\rd\x1b[31m.toml", "-rf.toml"]
    for name in names:
        (action.repository / name).write_text(WRONG, encoding="utf-8")
    (action.repository / "tables" / "mine.toml").unlink()
    patterns = ["tables/a?b*.toml", "tables/c?d*.toml", "-rf.toml"]
    status, text = action("judge", files=" ".join(patterns))
    assert status == 1
    lines = [line for line in text.split("\n") if line.startswith("::")]
    assert len(lines) == 3, text
    assert [line.partition("file=")[2].partition(",")[0] for line in lines] == [
        "tables/a%0Ab%3A%3Aerror%3A%3Amine.toml",
        "tables/c%0Dd\\x1b[31m.toml",
        "-rf.toml",
    ]
    assert not {"\r", "\x1b"} & set(text)


@pytest.mark.campaign
def test_the_action_from_its_installation_on(action: Runner) -> None:
    """A fresh environment from the package registry: minutes."""
    path = os.pathsep.join(p for p in os.environ["PATH"].split(os.pathsep) if not (Path(p) / "verify").exists())
    bare = Runner(action.repository, {**action.environment, "PATH": path})
    status, text = bare("install", "judge", files="tables/*.toml")
    assert status == 0, text

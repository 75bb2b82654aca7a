"""The gate's baseline: verdict, scope and assumptions of every selected result, and how a run differs from it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from verifier.errors import InputError
from verifier.verdicts import Result

FORMAT = "bitreferee/baseline/1"
Entry = dict[str, Any]


def entry_key(result: Result) -> str:
    """``every-bit-counts/lemma-2.6 p=8 n=34 a4 printed``."""
    point = [f"{k}={v}" for k, v in result.parameters.items()]
    return " ".join([result.claim, *point, result.semantics or "-", result.edition.value])


def entry(result: Result) -> Entry:
    """What the gate compares."""
    finding = result.finding
    return {
        "verdict": finding.verdict.value,
        "scope": finding.scope.statement,
        "cases": str(finding.scope.cases) if finding.scope.cases else None,
        "assumptions": list(finding.assumptions),
    }


def as_baseline(results: Iterable[Result]) -> str:
    """The baseline file of these results."""
    entries = {entry_key(r): entry(r) for r in results}
    return json.dumps({"format": FORMAT, "entries": entries}, indent=1, ensure_ascii=False) + "\n"


def read_baseline(path: Path) -> Mapping[str, Entry]:
    """The entries of a baseline file.

    Raises:
        InputError: the file is missing or is no baseline.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such baseline; `verify gate --update` writes it") from None
    except (ValueError, OSError) as error:
        raise InputError(f"{path}: not a baseline: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT or not isinstance(document.get("entries"), dict):
        raise InputError(f"{path}: not a baseline, format {FORMAT!r} was expected")
    entries: Mapping[str, Entry] = document["entries"]
    return entries


def differences(expected: Mapping[str, Entry], found: Mapping[str, Entry]) -> list[str]:
    """One line for each entry that differs, is new, or is gone."""
    lines = []
    for key in expected.keys() | found.keys():
        before, now = expected.get(key), found.get(key)
        if before is None:
            lines.append(f"{key}: new, {now['verdict'] if now else ''}")
        elif now is None:
            lines.append(f"{key}: gone, was {before.get('verdict')}")
        else:
            changed = [f"{name} was {before.get(name)!r}, is {now[name]!r}" for name in now if before.get(name) != now[name]]
            lines += [f"{key}: {'; '.join(changed)}"] if changed else []
    return sorted(lines)

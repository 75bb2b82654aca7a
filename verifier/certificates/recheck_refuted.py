"""A construction or a table that is wrong on one input, run there step by step."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .recheck_construction import Transformer
from .recheck_reading import At, agree, demand
from .recheck_tables import Table


def check_counterexample(facts: Mapping[str, At], t: Table) -> str:
    """Run a table on the input; every line of the trace must be what comes out, and the answer must be wrong."""
    given = facts["input"].record(*t.inputs.lengths)
    strings = {name: each.text() for name, each in given.items()}
    for name, text in strings.items():
        if len(text) != t.inputs.lengths[name] or set(text) - {"0", "1"}:
            given[name].refuse(f"a string of {t.inputs.lengths[name]} bits")
    demand(t.inputs.one(t.inputs.condition(t.promise), strings), "the input breaks the promise")
    expected = int(t.inputs.one(t.inputs.condition(t.function), strings))
    found = run_table(t, strings)
    agree(facts["trace"], found)
    demand(found["answer"] != str(expected), f"the table answers {found['answer']} on this input, and that is right: nothing is refuted")
    at = ", ".join(f"{name} = {text}" for name, text in strings.items())
    return f"counterexample: {t.what}: at {at} it answers {found['answer']}, {expected} is right{t.assuming}"


def run_table(t: Table, strings: Mapping[str, str]) -> dict[str, Any]:
    """Everything that happens on one input; the denominator of linear attention is 1."""
    m, value = t.machine, t.machine.value
    sums, steps = [0] * (t.sums + 1), []
    for (reads, _), terms in zip(t.tokens, t.addends, strict=True):
        content = "".join(strings[s][k - 1] for s, k in reads)
        added = terms[int(content or "0", 2)]
        sums = [m.add(s, x) for s, x in zip(sums, added, strict=True)]
        *products, weight = map(value, added)
        *after, denominator = map(value, sums)
        denominator = Fraction(1) if t.linear else denominator
        steps.append({"content": content, "weight": weight, "products": products, "sums": after, "denominator": denominator})
    tops = sums[:-1]
    if t.knobs["order"] == "ax":
        tops = [m.sum(m.times(value(sums[t.columns.index(c)]), t.value[c][k]) for c in used) for k, used in enumerate(t.used)]
    attentions = tops if t.linear else [m.divide(top, sums[-1]) for top in tops]
    hidden = [t.node_value(node, attentions) for node in t.hidden]
    output = t.node_value(t.output, hidden)
    word = {0: "0", 1: "1", None: "neither"}[t.answered(output)]
    ends = {"numerators": [*map(value, tops)], "denominator": Fraction(1) if t.linear else value(sums[-1])}
    return {
        "steps": steps,
        **ends,
        "attentions": [*map(value, attentions)],
        "hidden": [*map(value, hidden)],
        "output": value(output),
        "answer": word,
    }


def check_refuted(facts: Mapping[str, At], t: Transformer) -> str:
    """Run the transformer on the input; every line of the trace must be what comes out, and the answer must be wrong."""
    given = facts["input"].record("y", "z")
    y, z = (given[name].text() for name in "yz")
    for name, text in (("y", y), ("z", z)):
        if len(text) != t.length or set(text) - {"0", "1"}:
            given[name].refuse(f"a string of {t.length} bits")
    demand(y <= z, "the input breaks the promise y <= z")
    found = run(t, y, z)
    agree(facts["trace"], found)
    answered, expected = found["answer"], str(int(y == z))
    demand(answered != expected, f"the transformer answers {answered} on this input, and that is right: nothing is refuted")
    return f"refuted: {t.what}: at y = {y}, z = {z} it answers {answered}, {expected} is right{t.assuming}"


def run(t: Transformer, y: str, z: str) -> dict[str, Any]:
    """Everything that happens on one input."""
    sums, steps, strings, value = [0] * (t.sums + 1), [], {"y": y, "z": z}, t.machine.value
    for (reads, _), terms in zip(t.tokens, t.addends, strict=True):
        content = "".join(strings[s][k - 1] for s, k in reads)
        added = terms[int(content or "0", 2)]
        sums = [t.machine.add(s, x) for s, x in zip(sums, added, strict=True)]
        *products, weight = map(value, added)
        *after, denominator = map(value, sums)
        steps.append({"content": content, "weight": weight, "products": products, "sums": after, "denominator": denominator})
    top = t.numerator([t.weighted(k, s) for k, s in enumerate(sums[:-1])])
    attention = t.machine.divide(top, sums[-1])
    hidden, output = t.mlp(attention)
    word = {0: "0", 1: "1", None: "neither"}[t.answer(attention)]
    ends = {"numerator": value(top), "denominator": value(sums[-1]), "attention": value(attention)}
    return {"steps": steps, **ends, "hidden": [*map(value, hidden)], "output": value(output), "answer": word}

"""Check a construction from Python: `python docs/check_my_table.py constructions/every_bit_counts/tables/witness-t0-simple.toml 3 4`."""

import sys

from bitreferee import judge, load, trace

if len(sys.argv) < 3:
    sys.exit("python docs/check_my_table.py TABLE.toml VALUE...: a table and values of its first parameter were expected")
table = load(sys.argv[1])
name = next(iter(table.parameters))  # the first parameter of the file, such as p or m
values = [int(word) for word in sys.argv[2:]]
print(table.title)

# 1. Is it right on every promised input, at every value asked for?
for value in values:
    for result in judge(table, **{name: value}):
        print(f"{name} = {value}: {result.verdict.value}, {result.outcome.scope.statement}")
        if result.outcome.counterexample:
            print(f"  smallest counterexample: {result.outcome.counterexample}")
            print(f"  again: {result.replay}")

# 2. One input: the answer, and the exact numbers behind it.
first = {name: values[0]}
strings = {string: "1" * length for string, length in table.at(**first).task.strings.items()}
run = trace(table, *strings.values(), **first)
print(f"{strings}: answer {run.answer}, {run.expected} is right; attention {run.attentions[0]}, output {run.output}")

# 3. Step by step: each token's exact weight, and the sums after it.
for row in run.rows():
    if row["weight"]:
        sums = ", ".join(f"{key} = {number}" for key, number in row.items() if key.startswith("sum"))
        print(f"  token {row['token']}: {row['holds']}, weight {row['weight']}, {sums}, denominator {row['denominator']}")

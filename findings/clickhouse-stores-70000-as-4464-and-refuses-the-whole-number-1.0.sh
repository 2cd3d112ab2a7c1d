#!/usr/bin/env bash
# Question: What does ClickHouse store for a number in JSON lines that does not fit its column?
# Guess: It refuses a number outside the range, and takes 1.0 and 1e3 as whole numbers.
# Behaviour: The other way round: 70000 in a UInt16 is 4464 and 2^63 in an Int64 is negative, without an error, while
# 1.0 and 1e3 make the server refuse the insert. JSONExtract of the same text gives 0 outside the range.
# Versions: chdb 4.4.0.

. "$(dirname "$0")/finding.bash"
python_packages chdb==4.4.0

seen <<'END'
UInt16 70000: stored 4464, JSONExtract 0
Int64 9223372036854775808: stored -9223372036854775808, JSONExtract 0
Int64 1.0: refused, JSONExtract 1
Int64 1e3: refused, JSONExtract 1000
END
compare python3 - <<'END'
from chdb import session

clickhouse = session.Session()
clickhouse.query("CREATE DATABASE a")

def query(text):
    try:
        return str(clickhouse.query(text, "TSV")).strip()
    except RuntimeError:
        return "refused"

for kind, number in ("UInt16", "70000"), ("Int64", "9223372036854775808"), ("Int64", "1.0"), ("Int64", "1e3"):
    query(f"CREATE OR REPLACE TABLE a.events (n {kind}) ENGINE = Memory")
    line = f'{{"n":{number}}}'
    answer = query(f"INSERT INTO a.events FORMAT JSONEachRow {line}")
    stored = answer or "stored " + query("SELECT n FROM a.events")
    extracted = query(f"SELECT JSONExtract('{line}', 'n', '{kind}')")
    print(f"{kind} {number}: {stored}, JSONExtract {extracted}")
END

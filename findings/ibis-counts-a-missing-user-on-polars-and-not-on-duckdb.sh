#!/usr/bin/env bash
# Question: Does one ibis expression give one number on two backends, as ibis promises?
# Guess: Yes for the number of users, for rounding and for a remainder.
# Behaviour: `user_id.nunique()` counts the missing user as a value on Polars and leaves it out on DuckDB. A price of
# 2.5 is rounded to 2 and 3, a cast to a whole number makes 3.5 3 and 4, and the remainder of -1 by 3 is 2 and -1.
# Versions: ibis-framework[duckdb,polars] 12.0.0, duckdb 2.0.1, polars 2.1.0, sqlglot 30.30.0.

. "$(dirname "$0")/finding.bash"
python_packages 'ibis-framework[duckdb,polars]==12.0.0' duckdb==2.0.1 polars==2.1.0 sqlglot==30.30.0

seen <<'END'
duckdb: 2 users, round(2.5) 3, int64(3.5) 4, -1 % 3 is -1
polars: 3 users, round(2.5) 2, int64(3.5) 3, -1 % 3 is 2
END
compare python3 - <<'END'
import ibis

with open("events.ndjson", "w") as file:
    file.write('{"user":"u-1","half":2.5,"more":3.5,"change":-1}\n')
    file.write('{"user":"u-2","half":2.5,"more":3.5,"change":-1}\n')
    file.write('{"user":null,"half":2.5,"more":3.5,"change":-1}\n')

for name, backend in ("duckdb", ibis.duckdb.connect()), ("polars", ibis.polars.connect()):
    events = backend.read_json("events.ndjson")
    users = events.user.nunique().execute()
    row = events.limit(1).select(
        rounded=events.half.round(0).cast("int64"),
        whole=events.more.cast("int64"),
        rest=events.change % 3,
    ).execute().iloc[0]
    print(f"{name}: {users} users, round(2.5) {row.rounded}, int64(3.5) {row.whole}, -1 % 3 is {row.rest}")
END

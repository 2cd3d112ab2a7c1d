#!/usr/bin/env bash
# Question: Does a join by event id work between two readers of the same JSON lines?
# Guess: Yes, an id in quotes stays the text that it is.
# Behaviour: DuckDB makes texts that look like UUIDs a UUID and gives them back in lower case. Apple's
# `UUID().uuidString` has upper case, so ids from DuckDB match none that Polars reads, and no hash of the id agrees.
# Versions: duckdb 2.0.1, polars 2.1.0, pyarrow 26.0.1.

. "$(dirname "$0")/finding.bash"
python_packages duckdb==2.0.1 polars==2.1.0 pyarrow==26.0.1

seen <<'END'
DuckDB's type: UUID
DuckDB's id: 0198c7e2-5f0a-7c31-9a55-1f2e3d4c5b01
Polars' id: 0198C7E2-5F0A-7C31-9A55-1F2E3D4C5B01
rows of the join: 0
rows of the join with columns={'event_id': 'VARCHAR'}: 1
END
compare python3 - <<'END'
import duckdb, polars

with open("events.ndjson", "w") as file:
    file.write('{"event_id":"0198C7E2-5F0A-7C31-9A55-1F2E3D4C5B01"}\n')

rows = duckdb.sql("FROM read_json('events.ndjson')")
text = duckdb.sql("FROM read_json('events.ndjson', columns = {'event_id': 'VARCHAR'})")
other = polars.read_ndjson("events.ndjson")
print("DuckDB's type:", rows.types[0])
print("DuckDB's id:", rows.pl()["event_id"][0])
print("Polars' id:", other["event_id"][0])
print("rows of the join:", rows.pl().join(other, on="event_id").height)
print("rows of the join with columns={'event_id': 'VARCHAR'}:", text.pl().join(other, on="event_id").height)
END

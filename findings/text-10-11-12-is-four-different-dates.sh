#!/usr/bin/env bash
# Question: A parameter has the text 10-11-12, such as the size of a parcel. What do readers of JSON make of it?
# Guess: They keep a text that is no ISO date, or agree on a date.
# Behaviour: DuckDB's JSON reader says 12 November 2010, its cast the same day of the year 10, ClickHouse 10 November
# 2012, and pandas 11 October 2012. DuckDB and ClickHouse do so unasked when they guess the types.
# Versions: duckdb 2.0.1, chdb 4.4.0, pandas 3.1.1, polars 2.1.0.

. "$(dirname "$0")/finding.bash"
python_packages duckdb==2.0.1 chdb==4.4.0 pandas==3.1.1 polars==2.1.0

seen <<'END'
DuckDB's read_json: 2010-11-12
DuckDB's cast: 0010-11-12
ClickHouse's JSONEachRow: 2012-11-10 00:00:00
ClickHouse's JSON type: 2012-11-10 00:00:00
pandas' Timestamp: 2012-10-11 00:00:00
Polars' read_ndjson: 10-11-12
END
compare python3 - <<'END'
import chdb, duckdb, pandas, polars

with open("events.ndjson", "w") as file:
    file.write('{"size":"10-11-12"}\n')

def clickhouse(query):
    return str(chdb.query(query, "TSV")).strip()

print("DuckDB's read_json:", duckdb.sql("FROM read_json('events.ndjson')").fetchall()[0][0])
print("DuckDB's cast:", duckdb.sql("SELECT '10-11-12'::DATE::VARCHAR").fetchall()[0][0])
print("ClickHouse's JSONEachRow:", clickhouse("SELECT * FROM file('events.ndjson', JSONEachRow)"))
print("ClickHouse's JSON type:", clickhouse("""WITH '{"size":"10-11-12"}'::JSON AS event SELECT event.size"""))
print("pandas' Timestamp:", pandas.Timestamp("10-11-12"))
print("Polars' read_ndjson:", polars.read_ndjson("events.ndjson")["size"][0])
END

#!/usr/bin/env bash
# Question: Do readers of JSON lines keep ids that are unsigned 64-bit hashes?
# Guess: Yes: they have an unsigned type of 64 bits, and would refuse what does not fit.
# Behaviour: Three neighbours above 2^63 are one device in pyarrow, DataFusion and SQLite, because a column that does
# not fit a signed number is read as a float. Polars, DuckDB and pandas count three, but pandas one with
# engine="pyarrow".
# Versions: polars 2.1.0, pandas 3.1.1, duckdb 2.0.1, pyarrow 26.0.1, datafusion 55.0.0, apsw 3.54.1.0.

. "$(dirname "$0")/finding.bash"
python_packages polars==2.1.0 pandas==3.1.1 duckdb==2.0.1 pyarrow==26.0.1 datafusion==55.0.0 apsw==3.54.1.0

seen <<'END'
pyarrow: 1 (double)
DataFusion: 1
SQLite json_extract: 1
SQLite ->: 3
pandas: 3
pandas with engine="pyarrow": 1
DuckDB: 3 (HUGEINT)
Polars: 3 (Int128)
END
compare python3 - <<'END'
import apsw, datafusion, duckdb, pandas, polars, pyarrow.json

name = "events.ndjson"
lines = [f'{{"device":{0xDEADBEEFCAFEBABE + index}}}' for index in range(3)]
with open(name, "w") as file:
    file.write("\n".join(lines) + "\n")

devices = pyarrow.json.read_json(name)["device"]
print(f"pyarrow: {len(devices.unique())} ({devices.type})")
context = datafusion.SessionContext()
context.register_json("events", name, file_extension=".ndjson")
print("DataFusion:", context.sql("SELECT count(DISTINCT device) AS n FROM events").to_pydict()["n"][0])
sqlite = apsw.Connection(":memory:")
for label, path in ("json_extract", "json_extract(value, '$.device')"), ("->", "value -> 'device'"):
    query = f"SELECT count(DISTINCT {path}) FROM json_each(?)"
    print(f"SQLite {label}:", sqlite.execute(query, ("[" + ",".join(lines) + "]",)).get)
print("pandas:", pandas.read_json(name, lines=True)["device"].nunique())
print('pandas with engine="pyarrow":', pandas.read_json(name, lines=True, engine="pyarrow")["device"].nunique())
rows = duckdb.sql(f"FROM read_json('{name}')")
print(f"DuckDB: {len(rows.distinct().fetchall())} ({rows.types[0]})")
rows = polars.read_ndjson(name)["device"]
print(f"Polars: {rows.n_unique()} ({rows.dtype})")
END

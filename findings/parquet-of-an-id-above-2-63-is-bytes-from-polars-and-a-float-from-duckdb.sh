#!/usr/bin/env bash
# Question: Polars and DuckDB read an unsigned 64-bit id exactly. Does it stay exact in the Parquet files they write?
# Guess: Yes, as an unsigned integer or a decimal.
# Behaviour: Polars' file has 16 bytes that DuckDB shows as a blob and pyarrow refuses, and the frame itself cannot go
# to pandas or DuckDB. DuckDB's file has a double, so neighbours are equal; through Arrow it would be an exact
# decimal.
# Versions: polars 2.1.0, duckdb 2.0.1, pyarrow 26.0.1.

. "$(dirname "$0")/finding.bash"
python_packages polars==2.1.0 duckdb==2.0.1 pyarrow==26.0.1

seen <<'END'
Polars' file in DuckDB: BLOB
Polars' file in pyarrow: refused
Polars' frame in Arrow: refused
DuckDB's file in pyarrow: double, 1 id
DuckDB's rows in Arrow: decimal128(38, 0), 2 ids
END
compare python3 - <<'END'
import duckdb, polars, pyarrow, pyarrow.parquet

with open("events.ndjson", "w") as file:
    file.write('{"device":16045690984503098046}\n{"device":16045690984503098047}\n')

def shown(read):
    try:
        return read()
    except pyarrow.ArrowException:
        return "refused"

def ids(table):
    return f"{table.schema[0].type}, {len(table[0].unique())} id" + "s" * (len(table[0].unique()) > 1)

frame = polars.read_ndjson("events.ndjson")
frame.write_parquet("polars.parquet")
rows = duckdb.sql("FROM read_json('events.ndjson')")
rows.write_parquet("duckdb.parquet")
print("Polars' file in DuckDB:", duckdb.sql("FROM 'polars.parquet'").types[0])
print("Polars' file in pyarrow:", shown(lambda: ids(pyarrow.parquet.read_table("polars.parquet"))))
print("Polars' frame in Arrow:", shown(lambda: ids(frame.to_arrow())))
print("DuckDB's file in pyarrow:", ids(pyarrow.parquet.read_table("duckdb.parquet")))
print("DuckDB's rows in Arrow:", ids(rows.to_arrow_table()))
END

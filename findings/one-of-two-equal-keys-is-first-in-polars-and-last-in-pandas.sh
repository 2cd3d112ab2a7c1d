#!/usr/bin/env bash
# Question: An event has the same key twice, which JSON allows. Which value do readers take?
# Guess: All take the last one, or refuse the line.
# Behaviour: Polars and ClickHouse take the first, pandas and DataFusion the last, DuckDB and pyarrow refuse the line.
# ClickHouse refuses it, too, if it has to guess the columns.
# Versions: polars 2.1.0, pandas 3.1.1, duckdb 2.0.1, pyarrow 26.0.1, datafusion 55.0.0, chdb 4.4.0.

. "$(dirname "$0")/finding.bash"
python_packages polars==2.1.0 pandas==3.1.1 duckdb==2.0.1 pyarrow==26.0.1 datafusion==55.0.0 chdb==4.4.0

seen <<'END'
Polars: 1
pandas: 2
DataFusion: 2
DuckDB: refused
pyarrow: refused
ClickHouse with the column's type: 1
ClickHouse without: refused
ClickHouse's JSONExtract: 1
END
compare python3 - <<'END'
import chdb, datafusion, duckdb, pandas, polars, pyarrow.json

name = "events.ndjson"
with open(name, "w") as file:
    file.write('{"price":1,"price":2}\n')

def first(label, read):
    try:
        print(f"{label}:", read())
    except (duckdb.Error, pyarrow.ArrowInvalid, RuntimeError):
        print(f"{label}: refused")

def clickhouse(query):
    return str(chdb.query(query, "CSV")).strip()

first("Polars", lambda: polars.read_ndjson(name)["price"][0])
first("pandas", lambda: pandas.read_json(name, lines=True)["price"][0])
rows = datafusion.SessionContext().read_json(name, file_extension=".ndjson")
first("DataFusion", lambda: rows.to_pydict()["price"][0])
first("DuckDB", lambda: duckdb.sql(f"FROM read_json('{name}')").fetchall()[0][0])
first("pyarrow", lambda: pyarrow.json.read_json(name)["price"][0])
for label, kind in ("ClickHouse with the column's type", ", 'price Int64'"), ("ClickHouse without", ""):
    first(label, lambda: clickhouse(f"SELECT price FROM file('{name}', JSONEachRow{kind})"))
first("ClickHouse's JSONExtract", lambda: clickhouse("""SELECT JSONExtractInt('{"price":1,"price":2}', 'price')"""))
END

#!/usr/bin/env bash
# Question: Do readers of times agree on the end of a day as ISO 8601 writes it, 24:00, and on a leap second?
# Guess: They give the next day, or refuse.
# Behaviour: aniso8601 gives the beginning of the same day, so the event is a day early. A leap second is the second
# before for whenever, the next day for Polars and ClickHouse, and refused by the others.
# Versions: aniso8601 10.0.1, ciso8601 2.4.1, whenever 0.11.0, polars 2.1.0, duckdb 2.0.1, chdb 4.4.0.

. "$(dirname "$0")/finding.bash"
python_packages aniso8601==10.0.1 ciso8601==2.4.1 whenever==0.11.0 polars==2.1.0 duckdb==2.0.1 chdb==4.4.0

seen <<'END'
aniso8601: 2026-03-01 00:00:00, leap second refused
ciso8601: 2026-03-02 00:00:00, leap second refused
whenever: refused, leap second 2026-06-30 23:59:59
Polars: refused, leap second 2026-07-01 00:00:00
DuckDB: 2026-03-02 00:00:00, leap second refused
ClickHouse: 2026-03-02 00:00:00, leap second 2026-07-01 00:00:00
END
compare python3 - <<'END'
import aniso8601, chdb, ciso8601, duckdb, polars, whenever

def clickhouse(query):
    return str(chdb.query(query, "TSV")).strip()

def shown(read, text):
    try:
        return str(read(text)).replace("T", " ")[:19]
    except Exception:
        return "refused"

for name, read in {
    "aniso8601": aniso8601.parse_datetime,
    "ciso8601": ciso8601.parse_datetime,
    "whenever": whenever.Instant.parse_iso,
    "Polars": lambda text: polars.Series([text]).str.to_datetime()[0],
    "DuckDB": lambda text: duckdb.sql(f"SELECT '{text}'::TIMESTAMP::VARCHAR").fetchall()[0][0],
    "ClickHouse": lambda text: clickhouse(f"SELECT parseDateTimeBestEffort('{text}', 'UTC')"),
}.items():
    print(f"{name}: {shown(read, '2026-03-01T24:00:00Z')}, leap second {shown(read, '2026-06-30T23:59:60Z')}")
END
